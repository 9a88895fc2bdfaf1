//! Runs with changes, and what depends on a change in them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use failure::{
    Access, Action, Ended, Failure, Force, Forced, Home, Moved, Rerun, Step, Symbolic, cells,
    symbolic,
};
use program::{EdgeId, Program, SiteId, Trust};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Term, Terms, Value};

use super::course::{Course, Known};
use super::missing::Reading;
use super::passing::operands;
use super::{Settable, Spot, other_pointers};
use crate::what_if::{Lost, Source, Visitor, follow_changes};

/// A run that did not pass.
#[derive(Debug)]
pub(super) struct Run {
    pub forced: Vec<Forced>,
    pub end: Ended,
    pub course: Rc<Course>,
    /// What is assigned otherwise than in the first run of the course.
    changed: FxHashMap<u32, Value>,
    base: Symbolic,
}

/// Which steps of a run matter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    OfTheCore,
    All,
}

/// Where a run could have gone another way, or what must stay as it is.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub step: usize,
    /// The index in the path.
    pub at: usize,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A decision that is changed: which edge was taken, and which could be.
    Free { taken: EdgeId, others: Vec<EdgeId> },
    /// A pointer that is changed: its number, what it was, and what it could be.
    Pointer { number: u32, value: Value, others: Vec<Value> },
    /// A call that is changed, and prints what it did.
    Print,
    /// A condition that depends on changed values. Another way is possible where it does not hold.
    Decides(Term),
    /// A condition that depends on changed values, and without which the run would fail.
    Holds(Term),
    /// A condition that something is as in the run. What happens otherwise is only known by trying.
    Pinned(Term),
}

/// A value that is changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changed {
    pub step: usize,
    pub at: usize,
    pub number: u32,
    pub symbol: Term,
    /// If it is set before the step: where, and the variable of the trace.
    pub set: Option<(Home, Term)>,
}

/// What is changed in a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub spots: &'a [Spot],
    /// Pointers can be changed to these.
    pub pointers: &'a [Value],
    /// Whether other cells are read and written by other runs only.
    pub stays: bool,
    /// What else has other values.
    pub others: &'a [Source],
}

/// What depends on changes in a run.
#[derive(Debug, Default)]
pub(super) struct Influence {
    pub points: Vec<Point>,
    pub changed: Vec<Changed>,
    /// From which index of the path on a variable of the trace has a value that depends on the changes; or has not, any
    /// more. In order.
    pub values: Vec<(usize, Term, Option<Term>)>,
    /// Where other cells may be read or written.
    pub moved: Vec<Moved>,
    /// Why that is not all.
    pub lost: Option<Lost>,
}

impl Influence {
    /// Whether a variable of the trace depends on the changes at the end.
    fn changes(&self, variable: Term) -> bool {
        let last = self.values.iter().rev().find(|(_, changed, _)| *changed == variable);
        last.is_some_and(|(.., value)| value.is_some())
    }
}

/// What is done at a point.
#[derive(Clone, Copy, Debug, Hash)]
pub(super) enum Taken<'a> {
    Edge(EdgeId),
    /// The value of a pointer.
    Value(&'a Value),
    /// What is expected is printed.
    Output,
    /// These hold.
    Conditions(&'a [Term]),
}

impl Kind {
    /// What holds, because the run goes where it does.
    pub fn condition(&self) -> Option<Term> {
        match self {
            Kind::Decides(condition) | Kind::Holds(condition) | Kind::Pinned(condition) => {
                Some(*condition)
            }
            Kind::Free { .. } | Kind::Pointer { .. } | Kind::Print => None,
        }
    }

    /// What the run does at the point, if that could be otherwise. What is printed could always be.
    pub fn taken(&self) -> Option<Taken<'_>> {
        match self {
            Kind::Free { taken, .. } => Some(Taken::Edge(*taken)),
            Kind::Pointer { value, .. } => Some(Taken::Value(value)),
            Kind::Decides(condition) | Kind::Pinned(condition) => {
                Some(Taken::Conditions(std::slice::from_ref(condition)))
            }
            Kind::Print | Kind::Holds(_) => None,
        }
    }
}

impl Run {
    fn new(
        forced: Vec<Forced>,
        end: Ended,
        course: Rc<Course>,
        changed: Vec<(u32, Value)>,
        terms: &mut Terms,
    ) -> Run {
        let maps = |step: &Step| step.action.place().is_some_and(|p| !p.indices.is_empty());
        let trace = course.trace();
        let set = course.set(&forced, terms);
        let base = if trace.steps.iter().any(maps) {
            let mut values = course.unfolded.values.clone();
            for (step, value) in &changed {
                values[*step as usize] = Some(value.clone());
            }
            let variables = course.uses.variables().chain(trace.cells.keys().copied());
            let initial = &course.unfolded.inputs.initial;
            symbolic::concrete(terms, trace, &values, initial, set, variables)
        } else {
            course.base.with_values(terms, &changed, set)
        };
        Run { forced, end, course, changed: changed.into_iter().collect(), base }
    }

    /// What depends on changes.
    pub fn influence(&self, program: &Program, terms: &mut Terms, asked: Asked<'_>) -> Influence {
        let Asked { spots, pointers, stays, others } = asked;
        let mut influence = Influence::default();
        let mut sources = others.to_vec();
        let mut free: FxHashSet<usize> = FxHashSet::default();
        for spot in spots {
            let site = match *spot {
                Spot::Change(site) => site,
                Spot::Insert { before, variable } => {
                    self.insert(terms, before, variable, &mut influence, &mut sources);
                    continue;
                }
            };
            for &step in self.course.sites.get(&site).map_or(&[][..], Vec::as_slice) {
                let step = step as usize;
                let at = self.course.trace().steps[step].at as usize;
                if let Some((taken, others)) = self.course.free_edges(program, step) {
                    free.insert(step);
                    influence.points.push(Point { step, at, kind: Kind::Free { taken, others } });
                } else if let Some(number) = self.course.unfolded.numbers[step]
                    && self.course.is_pointer(program, step)
                {
                    let Some(value) = self.value(step).cloned() else { continue };
                    // It is what it is, whatever it was computed from.
                    let element = terms.constant(&value);
                    sources.push(Source { step, variable: None, element });
                    let others = other_pointers(program, pointers, &value);
                    let kind = Kind::Pointer { number, value, others };
                    influence.points.push(Point { step, at, kind });
                } else if let (Some(place), Some(number)) = (
                    self.course.trace().steps[step].action.place(),
                    self.course.unfolded.numbers[step],
                ) {
                    let sort = place.sort(terms);
                    let symbol = terms.var(&format!("?{number}"), &sort);
                    sources.push(Source { step, variable: None, element: symbol });
                    influence.changed.push(Changed { step, at, number, symbol, set: None });
                }
            }
            // What it has printed instead counts as nothing that was printed.
            let is_own = |forced: &&Forced| {
                forced.what == Force::Output && self.spot_of(program, forced, terms) == Some(*spot)
            };
            let instead = self.forced.iter().filter(is_own).map(|forced| forced.at);
            let places = self.course.prints.get(&site).map_or(&[][..], Vec::as_slice);
            for at in places.iter().copied().chain(instead) {
                let step =
                    self.course.trace().steps.partition_point(|step| (step.at as usize) < at);
                influence.points.push(Point { step, at, kind: Kind::Print });
            }
        }
        sources.sort_by_key(|source| source.step);
        influence.changed.sort_by_key(|changed| changed.step);
        let (points, values) = (Vec::new(), Vec::new());
        let (now, moved, mixed) = (FxHashMap::default(), Vec::new(), false);
        let mut seen = Seen { run: self, program, points, values, now, moved, mixed, free, stays };
        let followed = follow_changes(
            terms,
            self.course.trace(),
            &self.base,
            &self.course.uses,
            &sources,
            &mut seen,
        );
        influence.lost = followed.err();
        (influence.moved, influence.values) = (seen.moved, seen.values);
        let last = self.course.trace().steps.len().wrapping_sub(1);
        let is_mixed = seen.mixed
            || !seen.free.contains(&last)
                && self.course.asked.iter().any(|&variable| influence.changes(variable));
        if is_mixed || !influence.moved.is_empty() && self.course.unfolded.blurred {
            influence.lost.get_or_insert(Lost::NeverSet);
        }
        influence.points.append(&mut seen.points);
        influence.points.sort_by_key(|point| (point.step, point.at));
        influence
    }

    /// What depends on a variable that gets another value before a statement.
    fn insert(
        &self,
        terms: &mut Terms,
        before: SiteId,
        variable: Settable,
        influence: &mut Influence,
        sources: &mut Vec<Source>,
    ) {
        for reading in self.course.readings(before, variable, terms) {
            let symbol = reading.symbol(variable, terms);
            let Reading { at, step, copy, home } = reading;
            sources.push(Source { step, variable: Some(copy), element: symbol });
            let (number, set) = (u32::MAX, Some((home, copy)));
            influence.changed.push(Changed { step, at, number, symbol, set });
        }
    }

    /// The statements that can be changed, and on which it depends how the run ends.
    pub fn spots_of_core(&self) -> impl Iterator<Item = Spot> + '_ {
        let is_in_core = |site: &SiteId, steps: &[u32]| {
            self.course.prints.contains_key(site)
                || steps.iter().any(|&step| self.course.core[step as usize])
        };
        let own = self.course.sites.iter().filter(move |(site, steps)| is_in_core(site, steps));
        own.map(|(&site, _)| Spot::Change(site))
    }

    /// The statements that can be changed and are executed up to a place in the path.
    pub fn spots_until(&self, last: usize) -> impl Iterator<Item = Spot> + '_ {
        let course = &self.course;
        let steps = &course.trace().steps;
        let is_early = move |(site, own): &(&SiteId, &Vec<u32>)| {
            let first = own.first().map(|&step| steps[step as usize].at as usize);
            let prints = course.prints.get(site).and_then(|places| places.first().copied());
            [first, prints].into_iter().flatten().any(|at| at <= last)
        };
        course.sites.iter().filter(is_early).map(|(&site, _)| Spot::Change(site))
    }

    /// The value of a changed variable, or of what a step assigned.
    pub fn changed_value(&self, changed: &Changed, terms: &Terms) -> Option<Value> {
        match changed.set {
            Some((_, copy)) => terms.value(self.base.before(changed.step, copy)).cloned(),
            None => self.value(changed.step).cloned(),
        }
    }

    /// The values of what can be changed, by symbol.
    pub fn values_of(&self, influence: &Influence, terms: &Terms) -> FxHashMap<Term, Value> {
        let of = |changed: &Changed| Some((changed.symbol, self.changed_value(changed, terms)?));
        influence.changed.iter().filter_map(of).collect()
    }

    /// Where an assignment may be missing: statements, and scalars that they read.
    pub fn insertions(&self, program: &Program, terms: &Terms) -> Vec<(Spot, Vec<SiteId>)> {
        let trace = self.course.trace();
        let mut found: BTreeMap<Spot, Vec<SiteId>> = BTreeMap::new();
        let mut last: FxHashMap<Term, SiteId> = FxHashMap::default();
        for (at, step) in trace.steps.iter().enumerate() {
            if program.site(step.site).trust == Trust::User && self.course.core[at] {
                for (copy, variable) in self.course.scalars(program, at, terms) {
                    let before = self.course.inserted_before(step.site, variable);
                    let spot = Spot::Insert { before, variable };
                    found.entry(spot).or_default().extend(last.get(&copy));
                }
            }
            if let Some(place) = step.action.place() {
                last.insert(place.variable, step.site);
            }
        }
        found.into_iter().collect()
    }

    /// What pointers could be: null, or what one of the run was.
    pub fn pointers(&self, program: &Program) -> Vec<Value> {
        let mut pointers = vec![Value::zero(&Sort::BitVec(64))];
        for &step in self.course.sites.values().flatten() {
            if self.course.is_pointer(program, step as usize) {
                pointers.extend(self.value(step as usize).cloned());
            }
        }
        pointers.sort_unstable();
        pointers.dedup();
        pointers.truncate(MOST_POINTERS);
        pointers
    }

    /// The step upon which something was forced.
    fn step_of(&self, forced: &Forced) -> Option<usize> {
        let unfolded = &self.course.unfolded;
        match &forced.what {
            Force::Value { number, .. } => {
                unfolded.numbers.iter().position(|own| *own == Some(*number))
            }
            _ => unfolded.trace.steps.iter().position(|step| step.at as usize == forced.at),
        }
    }

    /// The statement upon which something was forced.
    pub fn spot_of(&self, program: &Program, forced: &Forced, terms: &Terms) -> Option<Spot> {
        if let Force::Set { home, .. } = forced.what {
            let variable = self.course.settable(home)?;
            let before = self.course.set_before(forced.at, variable, terms)?;
            return Some(Spot::Insert { before, variable });
        }
        let site = match self.step_of(forced) {
            Some(step) => self.course.site(program, step),
            // An entry of a table that this run does not read.
            None => program.edge(*self.course.trace().path.get(forced.at)?).site,
        };
        Some(Spot::Change(site))
    }

    /// The same, and the values that it read.
    pub fn read_by(&self, forced: &Forced, terms: &Terms) -> Option<(SiteId, Vec<Value>)> {
        let at = self.step_of(forced)?;
        let step = &self.course.trace().steps[at];
        let value = |variable: Term| terms.value(self.base.before(at, variable)).cloned();
        Some((step.site, operands(terms, self.course.trace(), step, &value)))
    }

    /// What is forced if those changed values that are not defined are what they are, but defined; and where the first of
    /// them is. None if all are.
    pub fn with_all_set(
        &self,
        influence: &Influence,
        terms: &Terms,
    ) -> Option<(Vec<Forced>, usize)> {
        let undefined = &self.course.unfolded.undefined;
        let pointers = influence.points.iter().filter_map(|point| match &point.kind {
            Kind::Pointer { number, value, .. } if undefined.contains_key(number) => {
                let what = Force::Value { number: *number, value: value.clone() };
                Some(Forced { at: point.at, what })
            }
            _ => None,
        });
        let set = influence.changed.iter().filter_map(|changed| {
            let value = self.changed_value(changed, terms)?;
            let what = match changed.set {
                Some((home, _)) => Force::Set { home, value },
                None if undefined.contains_key(&changed.number) => {
                    Force::Value { number: changed.number, value }
                }
                None => return None,
            };
            Some(Forced { at: changed.at, what })
        });
        let is_new = |new: &Forced| self.forced.iter().all(|other| place(other) != place(new));
        let set: Vec<Forced> = pointers.chain(set).filter(is_new).collect();
        let first = set.iter().map(|forced| forced.at).min()?;
        Some(([&self.forced[..], &set].concat(), first))
    }

    /// The value of a variable before a step.
    pub fn before(&self, step: usize, variable: Term) -> Term {
        self.base.before(step, variable)
    }

    /// The value with a number, if it is defined.
    pub fn numbered(&self, number: u32) -> Option<&Value> {
        if self.course.unfolded.undefined.contains_key(&number) {
            return None;
        }
        self.value(self.course.unfolded.numbers.iter().position(|own| *own == Some(number))?)
    }

    /// The value that a step assigned.
    pub fn value(&self, step: usize) -> Option<&Value> {
        let other = self.changed.get(&(step as u32));
        other.or_else(|| self.course.unfolded.values.get(step)?.as_ref())
    }
}

/// A pointer is changed to one of so many at most.
const MOST_POINTERS: usize = 9;

/// Sees what the changes reach.
struct Seen<'a> {
    run: &'a Run,
    program: &'a Program,
    points: Vec<Point>,
    values: Vec<(usize, Term, Option<Term>)>,
    /// The last of them, by variable.
    now: FxHashMap<Term, Term>,
    moved: Vec<Moved>,
    mixed: bool,
    free: FxHashSet<usize>,
    stays: bool,
}

impl Seen<'_> {
    fn note(&mut self, step: usize, kind: Kind) {
        let at = self.run.course.trace().steps[step].at as usize;
        self.points.push(Point { step, at, kind });
    }

    /// Whether an address in the condition of a step may be in another object. Then it need not be a failure that it is not in its own.
    fn may_stray(&self, terms: &Terms, step: usize) -> bool {
        let Action::Assume { condition } = self.run.course.trace().steps[step].action else {
            return false;
        };
        terms.variables_of(&[condition]).into_iter().any(|variable| {
            let own = terms.value(self.run.base.before(step, variable));
            match (self.now.get(&variable), own) {
                (Some(&now), Some(Value::BitVec(own))) if own.width() == 64 => {
                    cells::may_stray(terms, now, own.unsigned() as u64)
                }
                _ => false,
            }
        })
    }
}

impl Visitor for Seen<'_> {
    fn changed(&mut self, from: usize, variable: Term, value: Option<Term>) {
        self.values.push((from, variable, value));
        match value {
            Some(value) => self.now.insert(variable, value),
            None => self.now.remove(&variable),
        };
    }

    fn moved(&mut self, step: usize) {
        let trace = self.run.course.trace();
        let Step { at, access, .. } = &trace.steps[step];
        let object = |access: &Access| trace.objects.get(access.object as usize);
        let Some((access, object)) = access.as_ref().and_then(|a| Some((a, object(a)?))) else {
            self.mixed = true;
            return;
        };
        let object = (object.address, object.address.saturating_add(object.size));
        self.moved.push(Moved { at: *at as usize, object, direction: access.direction });
    }

    fn reached(&mut self, step: usize) {
        let is_lenient = self.run.course.lenient.binary_search(&(step as u32)).is_ok();
        self.mixed |= is_lenient && !self.free.contains(&step);
    }

    fn condition(&mut self, terms: &mut Terms, step: usize, condition: Term) -> ControlFlow<()> {
        if !self.free.contains(&step) && terms.value(condition).is_none() {
            let decides = self.run.course.decides(self.program, step);
            let kind = match decides || self.may_stray(terms, step) {
                true => Kind::Decides(condition),
                false => Kind::Holds(condition),
            };
            self.note(step, kind);
        }
        ControlFlow::Continue(())
    }

    fn pinned(&mut self, _: &mut Terms, step: usize, condition: Term) -> ControlFlow<Lost> {
        self.note(step, Kind::Pinned(condition));
        ControlFlow::Continue(())
    }

    fn noted(&mut self, terms: &mut Terms, step: usize, condition: Term) {
        if terms.value(condition).is_none() {
            self.note(step, Kind::Decides(condition));
        }
    }

    fn stays(&self) -> bool {
        self.stays
    }

    fn is_where_it_was(&mut self, terms: &mut Terms, step: usize, address: Term) -> bool {
        let access = self.run.course.trace().steps[step].access.as_ref();
        let Some(now) = access.and_then(|access| {
            let value = term::evaluate(terms, access.address, &mut |variable| {
                terms.value(self.run.base.before(step, variable)).cloned()
            })?;
            Some(terms.constant(&value))
        }) else {
            return false;
        };
        let same = terms.eq(address, now);
        self.note(step, Kind::Decides(same));
        true
    }
}

/// Repeats a failing run.
pub(super) fn repeat(
    failure: &Failure<'_>,
    forced: Vec<Forced>,
    most: u64,
    terms: &mut Terms,
    known: &mut Known<'_>,
) -> Repeated {
    let rerun = failure.rerun(&forced, most, terms, known.courses());
    let Rerun { end, effort, unfolded, changed } = rerun;
    match (end, unfolded) {
        (Ended::Passed, _) => Repeated::Passed(effort),
        (end, Some(unfolded)) => {
            let course = known.course(unfolded, end, terms);
            Repeated::Run(Box::new(Run::new(forced, end, course, changed, terms)))
        }
        (_, None) => Repeated::TooLong,
    }
}

#[derive(Debug)]
pub(super) enum Repeated {
    /// It took so many instructions.
    Passed(u64),
    Run(Box<Run>),
    TooLong,
}

/// What is forced, in order.
pub(super) fn in_order(mut forced: Vec<Forced>) -> Vec<Forced> {
    forced.sort_by_key(place);
    forced
}

/// When something is forced.
pub(super) fn place(forced: &Forced) -> (usize, (u8, u32)) {
    let rank = match forced.what {
        Force::Set { .. } => (0, 0),
        Force::Value { number, .. } => (1, number),
        Force::Edge(_) | Force::Output => (2, 0),
    };
    (forced.at, rank)
}

/// Of what is to be as wished, what need be forced if the rest is as in a run with what is `forced` there. All that is wished is as
/// in that run, except for what is marked as other; both are in order. As long as nothing is other, the run does by itself what was not forced upon it.
pub(super) fn needed(wished: Vec<(Forced, bool)>, forced: &[Forced]) -> Vec<Forced> {
    let mut forced = forced.iter().peekable();
    let mut is_other = false;
    let mut needed = Vec::new();
    for (wish, other) in wished {
        while forced.next_if(|before| place(before) < place(&wish)).is_some() {
            is_other = true;
        }
        let was_forced = forced.next_if(|same| place(same) == place(&wish)).is_some();
        is_other |= other;
        if is_other || was_forced {
            needed.push(wish);
        }
    }
    needed
}
