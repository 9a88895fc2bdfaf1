//! Relevance of assigning statements (papers 1 and 3).
//!
//! *The definition.* Take a failing trace and one of its assigning steps, say to `x`. Is there an
//! execution of the trace, and a value `v`, such that if the step had assigned `v` then every way to go
//! on along the trace would be blocked? Then the step is **relevant**: a different value there prevents
//! this failure. Otherwise no constant does, and the step is **irrelevant**. In the words of the paper
//! (Theorem 3.2): `{B} havoc(x) {C}` is invalid, where `B` are the bireachable states before the step
//! (on some failing execution) and `C` the coreachable states after it (able to complete the trace).
//!
//! *The role.* A relevant step is **enforcing** if, as it is written, it cannot avoid the error:
//! `{B} step {C}` is valid; else it is **admitting**. A state in `B` has a successor in `C`, so an
//! assignment, which has only one successor, always enforces; and a relevant havoc always admits,
//! because for a havoc the two triples are the same.
//!
//! *The algorithm* asks the solver last. For each step, backwards:
//! 1. No later condition depends on the variable, by data flow: irrelevant.
//! 2. A [hint](crate::hints), a later condition pulled back to here, has only the assigned value as
//!    unknown once the other variables have the values of the failing run: it is falsified by trying
//!    its critical values. Most relevant steps end here.
//!    If the hints are all that depends on the variable and none can be falsified: irrelevant.
//! 3. With intervals for what the change makes of other variables, all later conditions hold: irrelevant.
//! 4. The change is followed through the rest of the failing run ([`crate::what_if`]) with the new value
//!    as the one unknown, until it reaches a condition that can be falsified.
//! 5. The conditions that the change reaches, and only they, are decided by the solver: first on the
//!    failing run, then over all executions of the trace.
//!
//! *Nondeterminism.* Values of havocs before the step belong to the execution we may choose. (A
//! variable of a called procedure that is read before it is written is a havoc when the call begins.) Those of
//! havocs after it are chosen by the program once it has seen `v`, so the question is ∃v ∀h. A condition
//! without later havocs is decided by itself. Conditions that share a later havoc are decided
//! together, along with the unchanged conditions on that havoc; conditions that the change does not
//! reach stay satisfiable and do not matter.

mod analysis;
mod question;

use failure::{Failure, Inputs, Part, Step, Trace};
use program::{SiteId, Trust};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Value};

use self::analysis::Analysis;
use crate::context::Context;
use crate::costs;
use crate::hints::Hints;

/// The relevance of each assigning step that may be suspected of a trace, in order.
#[derive(Clone, Debug)]
pub struct Relevance {
    pub steps: Vec<StepRelevance>,
}

#[derive(Clone, Debug)]
pub struct StepRelevance {
    /// The index of the step in the trace.
    pub step: usize,
    pub verdict: Verdict,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Relevant { role: Role, witness: Witness },
    Irrelevant(Proof),
    Unknown(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// As written, the step cannot avoid the error.
    Enforcing,
    /// As written, the step may avoid the error.
    Admitting,
}

impl Role {
    /// The stable name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Role::Enforcing => "enforcing",
            Role::Admitting => "admitting",
        }
    }
}

/// A value that blocks the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub value: Value,
    /// The step of a condition that fails then, if it is always the same.
    pub blocks: Option<usize>,
    /// The inputs of the execution in which it does; none if it is the failing run itself.
    pub execution: Option<Inputs>,
}

/// Why no value blocks the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No later condition depends on the value.
    NoInfluence,
    /// The conditions that depend on it hold for all values.
    AlwaysHolds,
}

impl Relevance {
    /// Whether every step was decided.
    pub fn is_complete(&self) -> bool {
        !self.steps.iter().any(|s| matches!(s.verdict, Verdict::Unknown(_)))
    }
}

/// Decides the relevance of every assigning step of the user's code.
pub fn relevance(failure: &Failure<'_>, context: Context<'_>) -> Relevance {
    let mut terms = failure.trace.terms.clone();
    let symbolic = failure.execute(&mut terms);
    let mut analysis = Analysis::new(failure, context, terms, symbolic);
    let mut steps = Vec::new();
    let mut hints = Hints::default();
    let mut live = Live::default();
    let mut instances = Instances::of(failure);
    for (at, step) in failure.trace.steps.iter().enumerate().rev() {
        let terms = analysis.terms.len();
        if let Some(place) = step.action.place()
            && step.is_assignment()
            && failure.program.site(step.site).trust == Trust::User
        {
            let verdict = if context.stop.requested() {
                Verdict::Unknown("stopped before this step was decided".to_owned())
            } else if live.is_dead(place.variable) {
                Verdict::Irrelevant(Proof::NoInfluence)
            } else if let Some(reason) = instances.leave_out(step) {
                Verdict::Unknown(reason)
            } else {
                analysis.decide(at, &hints)
            };
            steps.push(StepRelevance { step: at, verdict });
        }
        if context.stop.requested() {
            continue; // nothing more is decided
        }
        analysis.pull_back(&mut hints, at, step);
        live.pull_back(&failure.trace, step);
        for open in failure.trace.open_at(at) {
            let choice = open.choice();
            analysis.pull_back(&mut hints, at, &choice);
            live.pull_back(&failure.trace, &choice);
        }
        context.stop.spend(1, costs::STEP);
        context.stop.spend(analysis.terms.len() - terms, costs::TERM);
    }
    steps.reverse();
    Relevance { steps }
}

/// Which instances of a statement are decided. To check an answer about a run of a program with memory,
/// the program is run again; of a statement that is executed very often in a long run, only the first
/// and the last instances are decided.
struct Instances {
    /// For each statement of the user, how often it is executed, and how often it was seen backwards.
    counts: FxHashMap<(SiteId, Part), (usize, usize)>,
    most: usize,
}

/// How many steps are executed to check all answers.
const MOST_STEPS: usize = 60_000_000;
/// So many instances are decided anyway.
const FEWEST: usize = 6;

impl Instances {
    fn of(failure: &Failure<'_>) -> Instances {
        let mut counts: FxHashMap<(SiteId, Part), (usize, usize)> = FxHashMap::default();
        if failure.run.is_some() {
            for step in failure.trace.steps.iter().filter(|step| step.is_assignment()) {
                counts.entry((step.site, step.part)).or_default().0 += 1;
            }
        }
        // Steps that are left out of the trace are executed, too.
        let steps = failure.trace.steps.len().max(failure.trace.path.len());
        let all = steps.saturating_mul(counts.len().max(1));
        Instances { counts, most: (MOST_STEPS / all.max(1)).max(FEWEST) }
    }

    /// Why the next instance backwards is not decided, if it is not.
    fn leave_out(&mut self, step: &Step) -> Option<String> {
        let (count, seen) = self.counts.get_mut(&(step.site, step.part))?;
        *seen += 1;
        let half = self.most / 2;
        let decided = *seen <= half || *seen + half > *count;
        (!decided).then(|| {
            format!("only the first and the last {half} of its {count} executions were examined")
        })
    }
}

/// The variables that may influence a later condition.
#[derive(Default)]
struct Live {
    variables: FxHashSet<Term>,
}

impl Live {
    fn is_dead(&self, variable: Term) -> bool {
        !self.variables.contains(&variable)
    }

    fn pull_back(&mut self, trace: &Trace, step: &Step) {
        let needed = match step.action.place() {
            Some(place) if place.indices.is_empty() => self.variables.remove(&place.variable),
            Some(place) => self.variables.contains(&place.variable),
            None => true,
        };
        // What an address depends on is live anyway: a condition keeps it in its object.
        if needed {
            self.variables.extend(step.reads(&trace.terms));
        }
    }
}
