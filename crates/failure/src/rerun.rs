//! Repeating a run with something forced upon it, and letting it go wherever that leads.
//!
//! [`Failure::replay_changes`] asks whether a run stays on its way. Here it need not: the program is run again, a value or a
//! decision is forced upon it, once or whenever the same is executed, and it goes on to its end. What comes of a change is
//! answered by making it.
//!
//! What is forced is said by its place in the failing run. Up to the first time, the run is the failing one.

use std::hash::{Hash, Hasher};

use program::interpret::{Machine, Oracle};
use program::{EdgeId, FailureKind, LocationId, Program};
use rustc_hash::FxHasher;
use term::{Sort, Term, Value};

use crate::replay::{Failure, Recorded};

/// Something that is forced upon a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forced {
    /// The index in the path of the edge that does something else.
    pub at: usize,
    pub what: Force,
    pub when: When,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Force {
    /// What this step of the trace assigns is this value.
    Value { step: usize, value: Value },
    /// Instead of the edge, another one is taken that leaves the same location.
    Edge(EdgeId),
    /// Of two edges that leave a location, the other one is taken.
    OtherEdge,
    /// Whatever is printed is taken for what was expected.
    Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Only in this execution.
    Once,
    /// In all executions of the edge; or of the decision.
    Always,
}

/// How a run went upon which something was forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rerun {
    pub end: Ended,
    /// How many instructions, or edges, it took to find that out.
    pub effort: u64,
    /// In how many executions something else happened than without force.
    pub executions: u32,
    /// What tells it apart from runs that take other edges.
    pub path: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The program came to its end, and nothing was wrong.
    Passed,
    Failed(FailureKind),
    /// The execution is excluded by an assumption.
    Blocked,
    /// It was too long.
    Cut,
}

impl Failure<'_> {
    /// Runs the program again with what is forced, for so many instructions at most. None if it cannot be repeated from the
    /// start, or not with this.
    pub fn rerun(&self, forced: &[Forced], most: u64) -> Option<Rerun> {
        let rules: Option<Vec<Rule>> = forced.iter().map(|forced| self.rule(forced)).collect();
        let rules = rules?;
        match &self.run {
            Some(run) if run.is_whole() => Some(run.rerun(&rules, most)),
            Some(_) => None,
            None => Some(interpreted(self, &rules, most)),
        }
    }

    /// How many instructions the program executes if whatever it prints is right; if it comes to its end after so many at most.
    pub fn length(&self, most: u64) -> Option<u64> {
        self.run.as_ref()?.length(most)
    }

    fn rule(&self, forced: &Forced) -> Option<Rule> {
        let path = &self.trace.path;
        let &edge = path.get(forced.at)?;
        let from = self.program.edge(edge).from;
        let (place, what) = match &forced.what {
            Force::Value { step, value } => {
                let number = match &self.run {
                    Some(run) => run.number_on_edge(*step, forced.at)?,
                    None => self.number_on_edge(*step),
                };
                (Place::Edge(edge), What::Value { number, value: value.clone() })
            }
            Force::Edge(other) => (Place::Location(from), What::Edge(*other)),
            Force::OtherEdge => {
                let edges: Vec<EdgeId> = self.program.out_edges(from).map(|(id, _)| id).collect();
                let &[first, second] = edges.as_slice() else { return None };
                (Place::Location(from), What::OtherOf(first, second))
            }
            Force::Output => (Place::Edge(edge), What::Output),
        };
        let is_same = |&other: &EdgeId| match place {
            Place::Edge(edge) => other == edge,
            Place::Location(from) => self.program.edge(other).from == from,
        };
        let first = match forced.when {
            When::Once => forced.at,
            When::Always => path.iter().position(is_same)?,
        };
        Some(Rule { place, what, first, when: forced.when })
    }

    /// The number of the value that a step assigns, among those of its edge.
    fn number_on_edge(&self, step: usize) -> u32 {
        let steps = &self.trace.steps;
        let same = steps[..step].iter().rev().take_while(|other| other.at == steps[step].at);
        same.filter(|other| other.action.place().is_some()).count() as u32
    }
}

/// What is forced, as the program says it.
#[derive(Clone, Debug)]
pub struct Rule {
    place: Place,
    what: What,
    /// The index in the path where it happens for the first time.
    first: usize,
    when: When,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Edge(EdgeId),
    Location(LocationId),
}

#[derive(Clone, Debug)]
enum What {
    /// The value with this number, among those of the edge.
    Value {
        number: u32,
        value: Value,
    },
    Edge(EdgeId),
    OtherOf(EdgeId, EdgeId),
    Output,
}

/// How far a run has come, and what is forced upon it next.
#[derive(Clone)]
pub(crate) struct Forcing<'r> {
    rules: &'r [Rule],
    /// How many edges were taken.
    pub steps: usize,
    /// The last of them, and how many values it has assigned.
    pub last: Option<EdgeId>,
    values: u32,
    executions: u32,
    path: FxHasher,
}

impl<'r> Forcing<'r> {
    pub fn new() -> Forcing<'r> {
        let path = FxHasher::default();
        Forcing { rules: &[], steps: 0, last: None, values: 0, executions: 0, path }
    }

    /// The same run, upon which this is forced from now on.
    pub fn with<'s>(&self, rules: &'s [Rule]) -> Forcing<'s> {
        let Forcing { steps, last, values, executions, ref path, .. } = *self;
        Forcing { rules, steps, last, values, executions, path: path.clone() }
    }

    /// Where in the path something is forced for the first time.
    pub fn first(rules: &[Rule]) -> usize {
        rules.iter().map(|rule| rule.first).min().unwrap_or(usize::MAX)
    }

    fn due(&self) -> impl Iterator<Item = &'r Rule> {
        let steps = self.steps;
        self.rules.iter().filter(move |rule| rule.when == When::Always || rule.first == steps)
    }

    /// The edge that is forced upon a run which is about to take one, or can take none.
    pub fn edge_instead(&self, location: LocationId, next: Option<EdgeId>) -> Option<EdgeId> {
        let other = |rule: &Rule| match (rule.place, &rule.what) {
            (Place::Location(from), _) if from != location => None,
            (_, What::Edge(edge)) => Some(*edge),
            (_, What::OtherOf(first, second)) => {
                let next = next?;
                Some(if next == *first { *second } else { *first })
            }
            _ => None,
        };
        self.due().find_map(other).filter(|edge| next != Some(*edge))
    }

    /// Whether what is printed by the edge that is taken next is right.
    pub fn is_output_right(&self, next: EdgeId) -> bool {
        let is_own = |rule: &Rule| matches!(rule.place, Place::Edge(edge) if edge == next);
        self.due().any(|rule| matches!(rule.what, What::Output) && is_own(rule))
    }

    /// An edge is taken, instead of another one or not.
    pub fn take(&mut self, edge: EdgeId, instead: bool) {
        self.steps += 1;
        self.last = Some(edge);
        self.values = 0;
        self.executions += u32::from(instead);
        edge.hash(&mut self.path);
    }

    /// The value that is forced upon the run where it assigns the next one.
    pub fn value_instead(&mut self) -> Option<&'r Value> {
        let number = self.values;
        self.values += 1;
        let taken = self.steps.wrapping_sub(1);
        self.rules.iter().find_map(|rule| match (rule.place, &rule.what) {
            (Place::Edge(edge), What::Value { number: own, value })
                if *own == number
                    && Some(edge) == self.last
                    && (rule.when == When::Always || rule.first == taken) =>
            {
                Some(value)
            }
            _ => None,
        })
    }

    /// Something else happened than without force.
    pub fn count(&mut self) {
        self.executions += 1;
    }

    pub fn rerun(&self, end: Ended, effort: u64) -> Rerun {
        Rerun { end, effort, executions: self.executions, path: self.path.finish() }
    }
}

/// Answers as in the failing run, with what is forced.
struct Answers<'a> {
    recorded: Recorded<'a>,
    forcing: Forcing<'a>,
}

impl Oracle for Answers<'_> {
    fn initial(&mut self, activation: u32, variable: Term, sort: &Sort) -> Value {
        self.recorded.initial(activation, variable, sort)
    }

    fn havoc(&mut self, sort: &Sort) -> Value {
        self.recorded.havoc(sort)
    }

    fn assign(&mut self, value: Value) -> Value {
        match self.forcing.value_instead() {
            Some(other) if *other != value => {
                self.forcing.count();
                other.clone()
            }
            _ => value,
        }
    }
}

/// Follows a failing run: where several edges are possible, it says which.
struct Following<'f> {
    path: &'f [EdgeId],
    followed: usize,
}

impl Following<'_> {
    /// The one that the failing run takes next; the first if it takes none of them.
    fn choose(&mut self, several: &[EdgeId]) -> EdgeId {
        let later = self.path.get(self.followed..).unwrap_or(&[]);
        let next = later.iter().position(|edge| several.contains(edge));
        self.followed += next.unwrap_or(0);
        next.map_or(several[0], |next| later[next])
    }

    fn take(&mut self, edge: EdgeId) {
        if self.path.get(self.followed) == Some(&edge) {
            self.followed += 1;
        }
    }
}

/// Repeats a run of a program without memory.
fn interpreted(failure: &Failure<'_>, rules: &[Rule], most: u64) -> Rerun {
    let program = failure.program;
    let recorded = Recorded::new(&failure.trace, &failure.inputs);
    let mut answers = Answers { recorded, forcing: Forcing::new().with(rules) };
    let mut machine = Machine::new(program, failure.trace.entry, &mut answers);
    let mut following = Following { path: &failure.trace.path, followed: 0 };
    let end = loop {
        let location = machine.location();
        if location == Program::ERROR {
            break failed(program, answers.forcing.last);
        }
        if answers.forcing.steps as u64 >= most {
            break Ended::Cut;
        }
        let next = match machine.possible_edges()[..] {
            [] => None,
            [edge] => Some(edge),
            ref several => Some(following.choose(several)),
        };
        let other = answers.forcing.edge_instead(location, next);
        let Some(edge) = other.or(next) else {
            break if machine.finished() { Ended::Passed } else { Ended::Blocked };
        };
        following.take(edge);
        answers.forcing.take(edge, other.is_some());
        machine.take(edge, &mut answers);
    };
    answers.forcing.rerun(end, answers.forcing.steps as u64)
}

/// The end of a run whose last edge leads to the error location.
fn failed(program: &Program, last: Option<EdgeId>) -> Ended {
    let property = last.and_then(|edge| program.site(program.edge(edge).site).property.as_ref());
    Ended::Failed(property.map_or(FailureKind::Assertion, |property| property.kind))
}
