//! Repeating a run with changes, and letting it go wherever they lead.
//!
//! [`Failure::replay_changes`] asks whether a run stays on its way. Here it need not: the program is run again from
//! the start, values and decisions are forced upon it, and what it does then becomes a trace like that of the
//! failing run. So a question about other paths is answered by taking them.
//!
//! What is forced is said by its place in the run: the index of the edge in the path, the number of the value among
//! all that are assigned. Both are determined by what was forced before.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use program::interpret::{Machine, Oracle};
use program::{EdgeId, FailureKind, Program};
use rustc_hash::{FxHashMap, FxHasher};
use term::{Sort, Term, Terms, Value};

use crate::memory::{Memory, Moved, Touched, key};
use crate::replay::{Failure, Recorded};
use crate::run::{Copies, Unfolded};
use crate::trace::{Action, Part, Step, Trace};

/// Something that is forced upon a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Forced {
    /// The index of the edge in the path.
    pub at: usize,
    pub what: Force,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Force {
    /// The value with this number, counted from 0 over all that are assigned, is this one.
    Value { number: u32, value: Value },
    /// This edge is taken, whatever the condition says.
    Edge(EdgeId),
    /// Whatever this call prints is what was expected.
    Output,
    /// Before the edge is taken, something gets a value.
    Set { home: Home, value: Value },
}

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// In a variable of the program; of the procedure that the run is in, if it is local.
    Variable(Term),
    /// In memory. If no object is there that may be written, nothing is set.
    Address(u64),
}

/// How a run with changes went.
#[derive(Clone, Debug)]
pub struct Rerun {
    pub end: Ended,
    /// How many instructions, or edges, it took.
    pub effort: u64,
    /// What it did; None if it passed, or the record is too long. Runs that do the same with other values share it:
    /// the values in it are those of the first.
    pub unfolded: Option<Rc<Unfolded>>,
    /// The steps that assigned another value than in the first.
    pub changed: Vec<(u32, Value)>,
}

/// A place in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The index of the edge in the path that is taken next.
    pub at: usize,
    /// The variables of the trace that have values which can be changed.
    pub changed: Vec<Term>,
}

/// What is looked at in a run.
#[derive(Clone, Copy, Debug)]
pub struct Looks<'a> {
    /// In order.
    pub places: &'a [Look],
    /// If it is looked at closely: which accesses may be elsewhere.
    pub closely: Option<&'a [Moved]>,
}

/// The state of a run at a place.
#[derive(Clone, Debug)]
pub struct State {
    /// What tells apart states from which something else may happen, but for the values that can be changed.
    pub fingerprint: u64,
    /// How many instructions it took to come there.
    pub effort: u64,
    /// The variables of the place that are still there, and may be read, in the order of where they are.
    pub changed: Vec<Term>,
    /// What is in memory, if it is looked at closely. Then this is not in the fingerprint, and the first of the variables are those
    /// in memory.
    pub memory: Option<Memory>,
    /// The variables that may be read, with the numbers of their activations, if it is looked at closely.
    pub live: Vec<(u32, Term)>,
}

/// What is seen of a run.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    /// The state at each place, where that is known.
    pub states: Vec<Option<State>>,
    /// What it does from there to the next, or to its end, if it is looked at closely.
    pub touched: Vec<Touched>,
    /// Where in the path each object is written for the first time; the same.
    pub written: FxHashMap<u64, usize>,
}

impl Passage {
    /// Whether something in the object at an address has been written before a place in the path.
    pub fn is_written(&self, address: u64, at: usize) -> bool {
        self.written.get(&key(address)).is_some_and(|first| *first < at)
    }
}

/// What runs did, by their course: all but the values.
#[derive(Debug, Default)]
pub struct Courses {
    known: FxHashMap<u64, Rc<Unfolded>>,
    copies: Copies,
}

impl Courses {
    /// Forgets what nobody else has any more.
    pub fn forget_unused(&mut self) {
        self.known.retain(|_, unfolded| Rc::strong_count(unfolded) > 1);
    }

    /// A run of this course: unfolded if it is the first, or else with the values, in their order.
    pub(crate) fn unfolded(
        &mut self,
        course: u64,
        forced: &[Forced],
        terms: &mut Terms,
        value: &dyn Fn(u32, &Sort) -> Option<Value>,
        unfold: impl FnOnce(&mut Terms, &mut Copies) -> Unfolded,
    ) -> (Rc<Unfolded>, Vec<(u32, Value)>) {
        if let Some(known) = self.known.get(&course) {
            return (Rc::clone(known), changed(known, forced, terms, value));
        }
        let unfolded = Rc::new(unfold(terms, &mut self.copies));
        // What the world computes is only known for the arguments of this run.
        let computed = |step: &Step| {
            matches!(step.action, Action::Havoc { .. }) && step.part == Part::Temporary
        };
        if !unfolded.trace.steps.iter().any(computed) {
            self.known.insert(course, Rc::clone(&unfolded));
        }
        (unfolded, Vec::new())
    }
}

/// What another run of the same course assigned otherwise.
fn changed(
    known: &Unfolded,
    forced: &[Forced],
    terms: &Terms,
    value: &dyn Fn(u32, &Sort) -> Option<Value>,
) -> Vec<(u32, Value)> {
    let mut changed = Vec::new();
    // The variables that have another value now.
    let mut other: FxHashMap<Term, Value> = FxHashMap::default();
    // Where each variable was assigned last: needed only if something is copied that has no number.
    let mut last: FxHashMap<Term, usize> = FxHashMap::default();
    let is_copy = |at: usize| match known.trace.steps[at].action {
        Action::Assign { value, .. } => known.numbers[at].is_none() && terms.value(value).is_none(),
        _ => false,
    };
    let copies = (0..known.trace.steps.len()).any(is_copy);
    let mut forced = forced.iter().filter(|_| copies).peekable();
    for (at, step) in known.trace.steps.iter().enumerate() {
        while let Some(next) = forced.next_if(|next| next.at <= step.at as usize) {
            if let Force::Set { home: Home::Address(address), value } = &next.what {
                other.extend(known.trace.written(terms, *address, value));
            }
        }
        let Some(place) = step.action.place() else { continue };
        let new = match (known.numbers[at], &step.action) {
            (Some(number), _) => value(number, terms.sort(place.variable)),
            (None, Action::Assign { value, .. }) if is_copy(at) => {
                term::evaluate(terms, *value, &mut |variable| {
                    let first = || known.inputs.initial.get(&variable).cloned();
                    let zero = || Value::zero(terms.sort(variable));
                    let assigned = || known.values[*last.get(&variable)?].clone();
                    other
                        .get(&variable)
                        .cloned()
                        .or_else(assigned)
                        .or_else(first)
                        .or_else(|| Some(zero()))
                })
            }
            _ => None,
        };
        match new {
            Some(new) if known.values[at].as_ref() != Some(&new) => {
                if copies {
                    other.insert(place.variable, new.clone());
                }
                changed.push((at as u32, new));
            }
            _ if copies => drop(other.remove(&place.variable)),
            _ => {}
        }
        if copies {
            last.insert(place.variable, at);
        }
    }
    changed
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The program came to its end, and nothing was wrong.
    Passed,
    /// How much of the output was right before.
    Failed { kind: FailureKind, output: u64 },
    /// The execution is excluded by an assumption.
    Blocked,
    /// It was too long.
    Cut,
}

impl Ended {
    /// Whether it ended because something depends on a value that was never set.
    pub fn is_unset(self) -> bool {
        matches!(self, Ended::Failed { kind: FailureKind::Uninitialised, .. })
    }
}

impl Failure<'_> {
    /// Runs the program again with what is forced, in the order of the run, for so many instructions at most.
    /// `terms` is an arena that extends the program's; the trace is in it, and its own arena is empty.
    pub fn rerun(
        &self,
        forced: &[Forced],
        most: u64,
        terms: &mut Terms,
        courses: &mut Courses,
    ) -> Rerun {
        match &self.run {
            Some(run) => run.rerun(forced, most, terms, courses),
            None => interpreted(self, forced, most, terms, courses),
        }
    }

    /// How many instructions the program executes if whatever it prints is right; if it comes to its end after so many at most.
    pub fn length(&self, most: u64) -> Option<u64> {
        self.run.as_ref()?.length(most)
    }

    /// The states of such a run, of which this is the trace.
    pub fn states(&self, forced: &[Forced], trace: &Trace, looks: Looks<'_>) -> Passage {
        match &self.run {
            Some(run) => run.states(forced, trace, looks),
            None => Passage { states: vec![None; looks.places.len()], ..Passage::default() },
        }
    }
}

/// Answers as in the failing run, with what is forced.
struct Forcing<'a> {
    recorded: Recorded<'a>,
    values: FxHashMap<u32, &'a Value>,
    assigned: Vec<Value>,
}

impl Oracle for Forcing<'_> {
    fn initial(&mut self, activation: u32, variable: Term, sort: &Sort) -> Value {
        self.recorded.initial(activation, variable, sort)
    }

    fn havoc(&mut self, sort: &Sort) -> Value {
        self.recorded.havoc(sort)
    }

    fn assign(&mut self, value: Value) -> Value {
        let number = self.assigned.len() as u32;
        let value = self.values.get(&number).map_or(value, |forced| (*forced).clone());
        self.assigned.push(value.clone());
        value
    }
}

/// Follows a failing run: where several edges are possible, it says which.
pub(crate) struct Following<'f> {
    path: &'f [EdgeId],
    followed: usize,
}

impl<'f> Following<'f> {
    pub(crate) fn new(failure: &'f Failure<'_>) -> Following<'f> {
        Following { path: &failure.trace.path, followed: 0 }
    }

    /// The one that the failing run takes next; the first if it takes none of them.
    pub(crate) fn choose(&mut self, several: &[EdgeId]) -> EdgeId {
        let later = self.path.get(self.followed..).unwrap_or(&[]);
        let next = later.iter().position(|edge| several.contains(edge));
        self.followed += next.unwrap_or(0);
        next.map_or(several[0], |next| later[next])
    }

    pub(crate) fn take(&mut self, edge: EdgeId) {
        if self.path.get(self.followed) == Some(&edge) {
            self.followed += 1;
        }
    }
}

/// The end of a run whose last edge leads to the error location.
pub(crate) fn failed(program: &Program, last: Option<EdgeId>) -> Ended {
    let property = last.and_then(|edge| program.site(program.edge(edge).site).property.as_ref());
    let kind = property.map_or(FailureKind::Assertion, |property| property.kind);
    Ended::Failed { kind, output: 0 }
}

/// Repeats a run of a program without memory.
fn interpreted(
    failure: &Failure<'_>,
    forced: &[Forced],
    most: u64,
    terms: &mut Terms,
    courses: &mut Courses,
) -> Rerun {
    let program = failure.program;
    let recorded = Recorded::new(&failure.trace, &failure.inputs);
    let values = forced.iter().filter_map(|forced| match &forced.what {
        Force::Value { number, value } => Some((*number, value)),
        _ => None,
    });
    let mut oracle = Forcing { recorded, values: values.collect(), assigned: Vec::new() };
    let mut machine = Machine::new(program, failure.trace.entry, &mut oracle);
    let mut path: Vec<EdgeId> = Vec::new();
    let edges = forced.iter().filter_map(|forced| match forced.what {
        Force::Edge(edge) => Some((forced.at, edge)),
        _ => None,
    });
    let edges: FxHashMap<usize, EdgeId> = edges.collect();
    let mut following = Following::new(failure);
    let end = loop {
        if machine.location() == Program::ERROR {
            break failed(program, path.last().copied());
        }
        if path.len() as u64 >= most {
            break Ended::Cut;
        }
        for forced in forced.iter().filter(|forced| forced.at == path.len()) {
            if let Force::Set { home: Home::Variable(variable), value } = &forced.what {
                machine.set(*variable, value.clone());
            }
        }
        let edge = match edges.get(&path.len()) {
            Some(&edge) if program.edge(edge).from == machine.location() => edge,
            _ => match machine.possible_edges()[..] {
                [] if machine.finished() => break Ended::Passed,
                [] => break Ended::Blocked,
                [edge] => edge,
                ref several => following.choose(several),
            },
        };
        following.take(edge);
        path.push(edge);
        machine.take(edge, &mut oracle);
    };
    let effort = path.len() as u64;
    if end == Ended::Passed {
        return Rerun { end, effort, unfolded: None, changed: Vec::new() };
    }
    let blocked = (end == Ended::Blocked).then(|| machine.location());
    let entry = failure.trace.entry;
    let mut hasher = FxHasher::default();
    (&path, blocked).hash(&mut hasher);
    let assigned = oracle.assigned;
    let value = |number: u32, _: &Sort| assigned.get(number as usize).cloned();
    let (unfolded, changed) =
        courses.unfolded(hasher.finish(), forced, terms, &value, |terms, _| {
            let own = std::mem::take(terms);
            let mut trace = Trace::from_path_in(program, entry, &path, blocked, own);
            *terms = std::mem::take(&mut trace.terms);
            let mut assigned = assigned.iter().cloned().enumerate();
            let (mut values, mut numbers) = (Vec::new(), Vec::new());
            for step in &trace.steps {
                let value = step.action.place().and_then(|_| assigned.next());
                numbers.push(value.as_ref().map(|(number, _)| *number as u32));
                values.push(value.map(|(_, value)| value));
            }
            let inputs = failure.inputs.clone();
            let (undefined, calls, choices) = (FxHashMap::default(), Vec::new(), Vec::new());
            let (blurred, asked) = (false, Vec::new());
            Unfolded { trace, inputs, values, numbers, undefined, blurred, asked, calls, choices }
        });
    Rerun { end, effort, unfolded: Some(unfolded), changed }
}
