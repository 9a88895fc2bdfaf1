//! Cascade: the tree of causes (paper 5, CaFL).
//!
//! *A cause* (Definition 3.2, Algorithm 1). Why did a condition hold? Suppose it had not, and pull its
//! negation backwards along the run: an assignment replaces a variable by what was assigned, an
//! earlier condition is one more conjunct. At some point the conjuncts contradict each other: whatever the
//! state was there, the condition had to hold. The members of a minimal contradiction are the *core*; the assignments that
//! transformed them are the cause, and so are the definitions of all that is read, for a value or for an address, in the
//! conditions of the core themselves. For an object that is missed, the step that ended its life is a part of the
//! cause. `cause.rs`.
//!
//! *Critical conditions* (Definition 3.3, Algorithm 2) are those that influence the steps of a cause,
//! and might be the real culprit if the cause is as it should be. `critical.rs`.
//! - *direct*: the decision that determines whether the step is executed ([`crate::flow::Flow::guard`]);
//! - *indirect*: a decision on whose other way something that the step reads might have been assigned,
//!   between the definition and the step ([`crate::flow::Flow::omissions_between`]); or printed, if output is missing
//!   ([`crate::flow::Flow::missing_output`]);
//! - *address*: that the step read or wrote at this address. In the paper, this is an assumption like others and
//!   leads nowhere; so a wrong index that was computed by itself would never be found;
//! - *premise*: another condition of the core.
//!
//! *The tree* (Algorithm 3). The root is the cause of the failure; below a cause are those of its
//! critical conditions. It is built breadth first, each condition once, where it is first reached. `tree.rs`.
//!
//! *The optimisations* (§4), each of which can be switched off.
//! - *Slicing*: only steps in the relevant slice of the failure are looked at. A condition outside is no
//!   conjunct. So the tree contains no statement that the slice does not contain.
//! - *Trust*: a call of trusted code is one step. A critical condition in it stands for the call, and its cause are the
//!   definitions of what the call read and the slice contains. Steps of trusted code are never shown.
//! - *Solving*: a condition becomes a conjunct only if it shares a variable with one when it is met, and at most
//!   so many do. Unsatisfiable is for ever when going backwards, so it is not asked at each step: the
//!   conjuncts are pulled back until one is plainly false, and then the first contradiction is found by
//!   going forward again in growing strides. Most questions are answered by trying values; where arithmetic
//!   makes them hard for a solver (products, quotients, floating point), only by that. A condition with very
//!   many variables is pulled back to the beginning by data flow: there it is false by its value alone.
//! - *Loops*: of the instances of one decision in one activation, the first and last few are examined;
//!   what the others depend on is taken from data flow, each step once. And where many of them might have assigned
//!   something, a cause is only joined with the first and last few, and with those that it is the first to reach.

mod cause;
mod contradiction;
mod critical;
mod support;
mod tree;

pub use self::tree::cascade;

use program::SiteId;
use rustc_hash::FxHashSet;
use term::Term;

/// What the user wants of the tree.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How many levels below the root; none: all.
    pub depth: Option<u32>,
    /// Statements that are as they should be: they are no cause, and what only leads to them is left out.
    pub benign: FxHashSet<SiteId>,
    pub without: Without,
}

/// Which optimisations are switched off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    pub slicing: bool,
    pub trust: bool,
    pub solving: bool,
    pub loops: bool,
}

/// The causes of a failure, breadth first; the first is that of the failure itself.
#[derive(Clone, Debug, Default)]
pub struct Cascade {
    pub causes: Vec<Cause>,
    /// Why the tree is not complete, if it is not.
    pub incomplete: Option<String>,
    pub figures: Figures,
}

/// Why a condition held.
#[derive(Clone, Debug)]
pub struct Cause {
    pub condition: Condition,
    /// The distance from the root.
    pub level: u32,
    /// The cause through which it was reached first.
    pub parent: Option<usize>,
    /// The steps of the cause but the condition, in order; also those that nobody is shown.
    pub steps: Vec<usize>,
    /// Other steps of it, which the user says are as they should be.
    pub benign: Vec<usize>,
    /// How it is known.
    pub evidence: Evidence,
    /// What influences its steps: an index into the causes, each once. Those behind it in the list were first reached from here, or
    /// from another cause of the same level.
    pub influences: Vec<Influence>,
}

/// What is to be explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// The violated property: the last step.
    Failure,
    /// That a decision, or another condition of the trace, was as it was.
    Held(usize),
    /// That a step read or wrote where it did.
    Address(usize),
    /// What a call of trusted code did; its first and last step.
    Trusted(usize, usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A minimal contradiction.
    Core {
        /// The step before which the state may be any. None: it holds for the state at the beginning of the trace.
        from: Option<usize>,
        /// The steps of the other conditions in it.
        premises: Vec<usize>,
    },
    /// Only data flow: it contains the cause, but perhaps more.
    DataFlow,
    /// It was not found out.
    Unknown(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Influence {
    /// The cause of the critical condition.
    pub cause: usize,
    pub kind: InfluenceKind,
    /// The last step that is influenced.
    pub on: usize,
    /// The variable that might have been assigned, if the influence is indirect.
    pub variable: Option<Term>,
    pub strength: Strength,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InfluenceKind {
    Direct,
    Indirect,
    Address,
    Premise,
}

impl InfluenceKind {
    /// The stable name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            InfluenceKind::Direct => "direct",
            InfluenceKind::Indirect => "indirect",
            InfluenceKind::Address => "address",
            InfluenceKind::Premise => "premise",
        }
    }
}

/// Whether an influence was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// The judge decided the condition otherwise, ran on, and what is influenced was different.
    Confirmed,
    Possible,
}

/// What the analysis took, in the terms of the paper's tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub steps: usize,
    /// Steps outside of trusted code.
    pub user_steps: usize,
    /// Steps in the slice.
    pub sliced_steps: usize,
    /// Steps in the slice and outside of trusted code.
    pub sliced_user_steps: usize,
    /// Steps that are in some cause.
    pub cause_steps: usize,
    /// Conjuncts given to the solver.
    pub constraints: u64,
    pub queries: u64,
}
