//! From a failing run to its time line.

use std::collections::HashMap;

use failure::{Action, Failure, Part, Step};
use localize::flow::Flow;
use localize::slice::{Omissions, slice};
use program::process::Origin;
use program::{FailureKind, Property, Scope, SiteId, StaticId};
use term::Term;

use super::owners::owners;
use super::{Home, Moment, MomentSpot, MomentVariable, TextId, Timeline, What};
use crate::causes::{Decisions, State};
use crate::history::function;
use crate::places::{place_text, returns, statement_text, step_location, value_text};
use crate::sentences::before;
use crate::story::Story;

/// The time line of a failing run.
pub fn timeline(failure: &Failure<'_>) -> Timeline {
    let story = Story::of(failure);
    let flow = Flow::of(failure);
    let mut made = Making {
        story: &story,
        state: State::new(&story),
        decisions: Decisions::of(failure.program),
        needed: slice(&flow, Omissions::Followed),
        owners: owners(failure),
        flow: &flow,
        timeline: Timeline::default(),
        texts: HashMap::new(),
        spots: HashMap::new(),
        variables: HashMap::new(),
        places: vec![None; failure.trace.steps.len()],
        hidden: HashMap::new(),
    };
    for at in 0..failure.trace.steps.len() {
        match made.is_seen(at) {
            true => made.add(at),
            false => made.pass(at),
        }
    }
    made.timeline.whole_from = match failure.trace.whole_from {
        0 => 0,
        from => story.history.number(from),
    };
    made.timeline
}

/// A value may come from many places, as the result of a library function does; so many are told.
const MOST_SOURCES: usize = 6;
/// Texts are cut after so many characters.
const LONGEST_TEXT: usize = 200;

struct Making<'a> {
    story: &'a Story<'a>,
    flow: &'a Flow<'a>,
    state: State<'a>,
    decisions: Decisions,
    /// Whether the failure depends on a step.
    needed: Vec<bool>,
    /// The activations that objects belong to.
    owners: HashMap<u32, u32>,
    timeline: Timeline,
    texts: HashMap<String, TextId>,
    spots: HashMap<(SiteId, Part), u32>,
    variables: HashMap<(Term, TextId), u32>,
    /// Where a step of the trace is on the time line.
    places: Vec<Option<u32>>,
    /// Where the values that an assigning step used came from that is not on the time line.
    hidden: HashMap<usize, Vec<u32>>,
}

impl Making<'_> {
    /// Whether a programmer sees a step.
    fn is_seen(&self, at: usize) -> bool {
        let failure = self.story.failure;
        let step = &failure.trace.steps[at];
        let site = failure.program.site(step.site);
        if at + 1 == failure.trace.steps.len() {
            return true;
        }
        let is_theirs = site.span.is_some() && step.part != Part::Temporary;
        match step.action {
            // That an access is within bounds, or something as it was, is written nowhere.
            Action::Assume { .. } => {
                is_theirs
                    && !failure.trace.pinned.contains(&at)
                    && (self.flow.is_decision(at) || site.property.as_ref().is_some_and(is_stated))
            }
            _ => is_theirs,
        }
    }

    fn add(&mut self, at: usize) {
        let story = self.story;
        let failure = story.failure;
        let step = &failure.trace.steps[at];
        let (_, depth) = function(failure, step);
        let what = self.what(at);
        let (what, value) = match what {
            What::Decided(_) => {
                let decided = self.decisions.decided(story, &self.state, at);
                (What::Decided(decided.truth), Some(decided.values).filter(|v| !v.is_empty()))
            }
            _ => {
                let value = failure.values.get(at).and_then(Option::as_ref);
                (what, value.map(|value| value_text(story, step, value).to_string()))
            }
        };
        let old = before(story, at).map(|old| value_text(story, step, old).to_string());
        let moment = Moment {
            number: story.history.number(at) as u32,
            spot: self.spot(step),
            activation: step.frame.activation,
            depth,
            what,
            variable: self.variable(step),
            value: value.map(|value| self.text(&value)),
            before: old.map(|old| self.text(&old)),
            sources: self.sources(at),
            under: self.under(at),
            is_needed: self.needed.get(at).copied().unwrap_or(false),
        };
        self.places[at] = Some(self.timeline.steps.len() as u32);
        self.timeline.steps.push(moment);
    }

    /// Remembers where the values of a step came from that is not on the time line.
    fn pass(&mut self, at: usize) {
        if self.story.failure.trace.steps[at].action.place().is_some() {
            let sources = self.sources(at);
            self.hidden.insert(at, sources);
        }
    }

    fn what(&self, at: usize) -> What {
        let failure = self.story.failure;
        let step = &failure.trace.steps[at];
        if at + 1 == failure.trace.steps.len() {
            return What::Failed;
        }
        match (&step.action, step.part) {
            (Action::Assume { .. }, _) if self.flow.is_decision(at) => What::Decided(None),
            (Action::Assume { .. }, _) => What::Checked,
            (Action::Havoc { .. }, _) | (_, Part::Input) => What::Input,
            (_, Part::Argument(_)) => What::Passed,
            (_, Part::Result(_)) => What::Got,
            _ if returns(self.story, step) => What::Returned,
            _ => What::Assigned,
        }
    }

    /// The steps that assigned what a step used, the latest of many.
    fn sources(&self, at: usize) -> Vec<u32> {
        let mut found = Vec::new();
        for &variable in self.flow.reads(at) {
            let Some(definition) = self.flow.definition(variable, at) else { continue };
            match self.places[definition] {
                Some(place) => found.push(place),
                None => found.extend(self.hidden.get(&definition).into_iter().flatten()),
            }
        }
        found.sort_unstable();
        found.dedup();
        found.split_off(found.len().saturating_sub(MOST_SOURCES))
    }

    fn under(&self, at: usize) -> Option<u32> {
        let mut guard = self.flow.guard(at);
        while let Some(decision) = guard {
            if let Some(place) = self.places[decision] {
                return Some(place);
            }
            guard = self.flow.guard(decision);
        }
        None
    }

    fn spot(&mut self, step: &Step) -> u32 {
        if let Some(&known) = self.spots.get(&(step.site, step.part)) {
            return known;
        }
        let function = function(self.story.failure, step).0.map(|name| self.text(name));
        let spot = MomentSpot {
            location: step_location(self.story, step),
            statement: shortened(&statement_text(self.story, step)),
            function,
        };
        let number = self.timeline.spots.len() as u32;
        self.timeline.spots.push(spot);
        self.spots.insert((step.site, step.part), number);
        number
    }

    fn variable(&mut self, step: &Step) -> Option<u32> {
        let variable = step.action.place()?.variable;
        let name = place_text(self.story, step);
        if name.is_empty() || returns(self.story, step) {
            return None;
        }
        let name = self.text(&name);
        let number = self.timeline.variables.len() as u32;
        if let Some(&known) = self.variables.get(&(variable, name)) {
            return Some(known);
        }
        let home = self.home(variable);
        self.timeline.variables.push(MomentVariable { name, home });
        self.variables.insert((variable, name), number);
        Some(number)
    }

    fn home(&self, variable: Term) -> Home {
        let failure = self.story.failure;
        let (program, trace) = (failure.program, &failure.trace);
        if let Some(number) = trace.cells.get(&variable) {
            let object = trace.objects.get(*number as usize);
            let named = |id: StaticId| {
                program.statics.get(id.index()).is_some_and(|object| !object.name.is_empty())
            };
            return match (object.map(|object| object.origin), self.owners.get(number)) {
                (_, Some(&activation)) => Home::Activation(activation),
                (Some(Origin::Static(id)), None) if named(id) => Home::Global,
                _ => Home::Memory,
            };
        }
        let (activation, own) = trace.origin(variable);
        match program.variables.get(&own).map(|declared| declared.scope) {
            Some(Scope::Local(_)) => Home::Activation(activation),
            Some(Scope::Global) | None => Home::Global,
        }
    }

    fn text(&mut self, text: &str) -> TextId {
        let text = shortened(text);
        let next = TextId(self.timeline.texts.len() as u32);
        let id = *self.texts.entry(text.clone()).or_insert(next);
        if id == next {
            self.timeline.texts.push(text);
        }
        id
    }
}

/// Whether it was the programmer who said so.
fn is_stated(property: &Property) -> bool {
    matches!(
        property.kind,
        FailureKind::Assertion
            | FailureKind::Precondition
            | FailureKind::Postcondition
            | FailureKind::Invariant
    )
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
