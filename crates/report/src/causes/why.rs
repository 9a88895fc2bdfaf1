//! Causes in words and values.

use failure::{Action, Direction, Part, Step};
use localize::cascade::{Cascade, Cause, Condition, Evidence, Influence, InfluenceKind};
use program::{FailureKind, Statement};

use super::InstanceReport;
use super::decisions::{Decided, Decisions};
use super::group::call_of;
use super::state::State;
use super::statements::{cut, is_address, limited, line, listed, pairs, statements, user_step};
use crate::expressions::assigned;
use crate::places::{site_location, value_text};
use crate::story::Story;

/// Of several premises, so many are named.
const MOST_PREMISES: usize = 2;
/// A chain has at most so many links.
const MOST_LINKS: usize = 6;

/// Tells about the causes of a failure.
pub(super) struct Teller<'a> {
    pub story: &'a Story<'a>,
    pub cascade: &'a Cascade,
    state: State<'a>,
    decisions: Decisions,
    /// The calls of trusted code in the tree, as their first and last steps, in order.
    trusted: Vec<(usize, usize)>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(story: &'a Story<'a>, cascade: &'a Cascade) -> Teller<'a> {
        let decisions = Decisions::of(story.failure.program);
        let ranges = cascade.causes.iter().filter_map(|cause| match cause.condition {
            Condition::Trusted(first, last) => Some((first, last)),
            _ => None,
        });
        let mut trusted: Vec<(usize, usize)> = ranges.collect();
        trusted.sort_unstable();
        Teller { story, cascade, state: State::new(story), decisions, trusted }
    }

    pub(super) fn instance(&self, cause: &Cause) -> InstanceReport {
        let execution = match cause.condition {
            Condition::Failure => 1,
            Condition::Held(step) | Condition::Address(step) | Condition::Trusted(step, _) => {
                self.story.history.execution(step)
            }
        };
        InstanceReport { execution, values: self.values(cause.condition), why: self.why(cause) }
    }

    /// The condition with its values, such as `36 != 41`; empty if that says nothing.
    pub(super) fn values(&self, condition: Condition) -> String {
        match condition {
            Condition::Failure => self.failing().unwrap_or_default(),
            Condition::Held(step) => self.decided(step).values,
            Condition::Address(step) => {
                pairs(&self.state, self.state.address_reads(step).iter()).join(", ")
            }
            Condition::Trusted(first, last) => self.returned(first, last).unwrap_or_default(),
        }
    }

    fn decided(&self, step: usize) -> Decided {
        self.decisions.decided(self.story, &self.state, step)
    }

    /// Whether a step decides which function is called.
    fn calls_through_pointer(&self, step: usize) -> bool {
        let failure = self.story.failure;
        let edge = failure.trace.path.get(failure.trace.steps[step].at as usize);
        edge.is_some_and(|&edge| {
            matches!(failure.program.edge(edge).statement, Statement::CallPointer { .. })
        })
    }

    /// The values of the violated property, if it is in the user's code.
    fn failing(&self) -> Option<String> {
        let failure = self.story.failure;
        let last = failure.trace.steps.len().checked_sub(1)?;
        user_step(self.story, last)?;
        Some(match failure.property.kind {
            FailureKind::Assertion => self.decided(last).values,
            _ => pairs(&self.state, self.state.reads(last).iter()).join(", "),
        })
    }

    /// What a call of trusted code returned.
    fn returned(&self, first: usize, last: usize) -> Option<String> {
        let failure = self.story.failure;
        let call = call_of(self.story, first);
        let steps = &failure.trace.steps;
        let result = (last..steps.len()).take(2).find(|&at| steps[at].site == call)?;
        let value = failure.values.get(result)?.as_ref()?;
        let text = value_text(self.story, &steps[result], value).code;
        (!is_address(&text, value)).then(|| limited(&text))
    }

    /// What held, in words: "`a*a != b*b + c*c` held: 36 != 41".
    pub(super) fn held(&self, condition: Condition) -> String {
        let failure = self.story.failure;
        match condition {
            Condition::Failure => {
                let message = &failure.property.message;
                let values = self.values(condition);
                match values.as_str() {
                    "" => message.clone(),
                    values => format!("{message} ({values})"),
                }
            }
            Condition::Held(step) if self.calls_through_pointer(step) => {
                let text = cut(&failure.program.site(failure.trace.steps[step].site).text);
                match listed(&self.state, self.state.reads(step).iter()).as_str() {
                    "" => format!("`{text}` was called"),
                    with => format!("`{text}` was called with {with}"),
                }
            }
            Condition::Held(step) => self.decided(step).sentence(),
            Condition::Address(step) => self.accessed(step),
            Condition::Trusted(first, last) => {
                let call = cut(&failure.program.site(call_of(self.story, first)).text);
                match self.returned(first, last) {
                    Some(value) => format!("`{call}` returned {value}"),
                    None => format!("`{call}` was called"),
                }
            }
        }
    }

    /// Where a step read or wrote.
    fn accessed(&self, at: usize) -> String {
        let trace = &self.story.failure.trace;
        let step = &trace.steps[at];
        let text = &self.story.failure.program.site(step.site).text;
        let verb = verb(step);
        let cell = match (&step.action, verb) {
            (Action::Assign { place, .. }, "wrote") => Some(place.variable),
            (Action::Assign { value, .. }, _) => {
                let variables = trace.terms.variables_of(&[*value]);
                variables.into_iter().find(|variable| trace.labels.contains_key(variable))
            }
            _ => None,
        };
        // An object of the heap is named by the pointer to it.
        let cell = cell.and_then(|cell| self.state.name(cell, None));
        let cell = cell.filter(|name| !name.starts_with('('));
        let with = match listed(&self.state, self.state.address_reads(at).iter()).as_str() {
            "" => String::new(),
            with => format!(" with {with}"),
        };
        let place = assigned(text).filter(|_| verb == "wrote").unwrap_or(text);
        match cell {
            Some(cell) if cell != *place => format!("`{}` {verb} `{cell}`{with}", cut(text)),
            _ if verb == "wrote" => format!("`{}` was written{with}", cut(place)),
            _ => format!("`{}` was read{with}", cut(place)),
        }
    }

    /// How it came about, in a few sentences.
    pub(super) fn because(&self, cause: &Cause) -> Vec<String> {
        let mut sentences = statements(&self.state, self.story, &cause.steps);
        if let Evidence::Core { premises, .. } = &cause.evidence {
            sentences.extend(self.premises(premises));
        }
        if let Evidence::Unknown(why) = &cause.evidence {
            sentences.push(format!("More is not known: {why}."));
        }
        sentences
    }

    /// What was given, and made that the condition could not be otherwise.
    fn premises(&self, premises: &[usize]) -> Option<String> {
        let mut told: Vec<String> = Vec::new();
        for &premise in premises.iter().rev() {
            let Some(step) = user_step(self.story, premise) else { continue };
            let line = line(self.story, step);
            let sentence = format!("at line {line} {}", self.decided(premise).sentence());
            if !told.contains(&sentence) {
                told.push(sentence);
            }
        }
        let more = told.len().saturating_sub(MOST_PREMISES);
        told.truncate(MOST_PREMISES);
        let more = match more {
            0 => String::new(),
            more => format!(", and {more} more conditions"),
        };
        let told = told.join(", and ");
        (!told.is_empty()).then(|| format!("It could not be otherwise, given that {told}{more}."))
    }

    /// How it came about: what held, then the chain of statements.
    pub(super) fn why(&self, cause: &Cause) -> String {
        let held = format!("{}.", capital(&self.held(cause.condition)));
        let sentences: Vec<String> = [held].into_iter().chain(self.because(cause)).collect();
        sentences.join(" ")
    }

    /// How a condition influences a step, such as "line 13 decides whether line 15 is executed".
    pub(super) fn influence(&self, influence: &Influence) -> String {
        let condition = self.cascade.causes[influence.cause].condition;
        let (place, on) = (self.line_of(condition), self.line_of_step(influence.on));
        let text = || cut(&self.text_of(condition));
        if let Condition::Trusted(..) = condition {
            return match on {
                Some(on) if Some(&on) != place.as_ref() => {
                    format!("line {on} depends on what `{}` did", text())
                }
                _ => format!("`{}` decides by itself what it does", text()),
            };
        }
        let (Some(place), Some(on)) = (place, on) else {
            return "it is part of what code that is trusted did".to_owned();
        };
        let step = &self.story.failure.trace.steps[influence.on];
        match influence.kind {
            InfluenceKind::Direct if place == on => {
                let (text, on) = (text(), cut(&self.story.failure.program.site(step.site).text));
                match text == on {
                    true => format!("`{text}` decides what is done next"),
                    false => format!("`{text}` decides whether `{on}` is executed"),
                }
            }
            InfluenceKind::Direct => format!("line {place} decides whether line {on} is executed"),
            InfluenceKind::Indirect => {
                let what = influence.variable.and_then(|variable| {
                    let definition = self.state.definition(variable, influence.on);
                    self.state.name(variable, definition)
                });
                let assigned = match what {
                    Some(name) => {
                        format!("`{name}` might have been assigned before line {on} reads it")
                    }
                    None => format!("something that line {on} reads might have been assigned"),
                };
                format!("if line {place} had been decided otherwise, {assigned}")
            }
            InfluenceKind::Address => {
                let verb = verb(step);
                match place == on {
                    true => format!("line {on} computed where it {verb}"),
                    false => format!("line {place} computed where line {on} {verb}"),
                }
            }
            InfluenceKind::Premise => {
                format!("given that line {place} was decided so, line {on} could not be otherwise")
            }
        }
    }

    /// From the failure to a condition, link by link.
    pub(super) fn chain(&self, cause: usize) -> Vec<String> {
        let mut way = vec![cause];
        while let Some(parent) = way.last().and_then(|&last| self.cascade.causes[last].parent) {
            way.push(parent);
        }
        way.reverse();
        let mut links = vec![self.held(Condition::Failure)];
        links.extend(way.windows(2).map(|pair| self.link(pair[0], pair[1])));
        if links.len() > MOST_LINKS {
            let skipped = links.len() - MOST_LINKS;
            links.splice(2..2 + skipped, ["…".to_owned()]);
        }
        links
    }

    /// How a cause leads to the next one.
    fn link(&self, parent: usize, child: usize) -> String {
        let condition = self.cascade.causes[child].condition;
        let held = self.held(condition);
        let at = self.line_of(condition).map_or_else(String::new, |at| format!("at line {at} "));
        let influences = &self.cascade.causes[parent].influences;
        let Some(influence) = influences.iter().find(|influence| influence.cause == child) else {
            return format!("{at}{held}");
        };
        let on = self.line_of_step(influence.on);
        let held = match self.setter(condition) {
            Some(setter) => format!("{held}, which line {setter} set"),
            None => held,
        };
        match (condition, influence.kind, on) {
            (Condition::Trusted(..), ..) => format!("{at}{held}"),
            (_, InfluenceKind::Direct, Some(on)) if self.line_of(condition) == Some(on.clone()) => {
                let site = self.story.failure.trace.steps[influence.on].site;
                let on = cut(&self.story.failure.program.site(site).text);
                format!("`{on}` ran because {at}{held}")
            }
            (_, InfluenceKind::Direct, Some(on)) => format!("line {on} ran because {at}{held}"),
            (_, InfluenceKind::Indirect, Some(on)) => {
                format!("line {on} read what it did because {at}{held}")
            }
            _ => format!("{at}{held}"),
        }
    }

    /// The line that set the only thing that a condition read.
    fn setter(&self, condition: Condition) -> Option<String> {
        let Condition::Held(step) = condition else { return None };
        let reads = self.state.reads(step);
        let [only] = reads.as_slice() else { return None };
        let setter = user_step(self.story, only.definition?)?;
        (setter.part == Part::Whole).then(|| line(self.story, setter))
    }

    fn text_of(&self, condition: Condition) -> String {
        let failure = self.story.failure;
        let site = match condition {
            Condition::Failure => failure.site(),
            Condition::Held(step) | Condition::Address(step) => failure.trace.steps[step].site,
            Condition::Trusted(first, _) => call_of(self.story, first),
        };
        failure.program.site(site).text.clone()
    }

    /// The line of a condition in the user's code.
    fn line_of(&self, condition: Condition) -> Option<String> {
        let failure = self.story.failure;
        match condition {
            Condition::Failure => self.line_of_step(failure.trace.steps.len().checked_sub(1)?),
            Condition::Held(step) | Condition::Address(step) => self.line_of_step(step),
            Condition::Trusted(first, _) => {
                let call = call_of(self.story, first);
                let location = site_location(failure.program, call)?;
                Some(location.start.line.to_string())
            }
        }
    }

    /// The line of a step; in trusted code, that of its call.
    fn line_of_step(&self, at: usize) -> Option<String> {
        if let Some(step) = user_step(self.story, at) {
            return Some(line(self.story, step));
        }
        let before = self.trusted.partition_point(|&(first, _)| first <= at);
        let &(first, last) = self.trusted.get(before.checked_sub(1)?)?;
        if at > last {
            return None;
        }
        self.line_of(Condition::Trusted(first, last))
    }
}

/// What a step did with the memory at its address.
fn verb(step: &Step) -> &'static str {
    match step.access.as_ref().map(|access| access.direction) {
        Some(Direction::Write) => "wrote",
        _ => "read",
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
