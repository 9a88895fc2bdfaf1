//! The tree of causes, as plain data.
//!
//! An entry stands for all executions of its condition, where the first was reached; other entries that
//! it influences refer to it.

mod decisions;
mod evaluate;
mod group;
mod state;
mod statements;
mod syntax;
#[cfg(test)]
mod tests;
mod why;

pub(crate) use self::decisions::Decisions;
pub use self::group::cause_tree;
pub(crate) use self::state::State;

use crate::report::Location;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CauseTree {
    /// Breadth first; the first is the cause of the failure.
    pub causes: Vec<CauseReport>,
    /// Why it is not complete, if it is not.
    pub incomplete: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CauseReport {
    /// The distance from the root.
    pub level: u32,
    /// Through which entry it was reached first; an index.
    pub parent: Option<usize>,
    /// Where the condition is.
    pub location: Option<Location>,
    /// The condition, as it is written.
    pub condition: String,
    /// The condition with its values, such as `36 != 41`; empty if that says nothing.
    pub values: String,
    /// What held, in words: "`a*a != b*b + c*c` held: 36 != 41".
    pub held: String,
    /// The other statements of the cause, in the order of execution, each once.
    pub statements: Vec<CauseStatement>,
    /// Sentences that say how it came about: what the statements did.
    pub because: Vec<String>,
    /// Both: what held, and how it came about.
    pub why: String,
    /// From the failure to here, link by link.
    pub chain: Vec<String>,
    /// How it is known: `core`, `data flow` or `unknown`.
    pub evidence: &'static str,
    /// The executions of the condition that are meant.
    pub instances: Vec<InstanceReport>,
    /// How many more there are.
    pub left_out: usize,
    /// The entries whose conditions influence this cause.
    pub influences: Vec<InfluenceReport>,
}

/// A statement of a cause.
#[derive(Clone, Debug, PartialEq)]
pub struct CauseStatement {
    pub location: Option<Location>,
    pub text: String,
    /// What it did the last time, such as `area = 10`; empty if that is not known.
    pub value: String,
    /// How often it is in the cause.
    pub executions: u32,
}

/// One execution of the condition of an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceReport {
    /// The how many-th execution of its statement, from 1.
    pub execution: u32,
    pub values: String,
    pub why: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct InfluenceReport {
    /// The entry whose condition is critical; an index.
    pub cause: usize,
    /// `direct`, `indirect`, `address` or `premise`.
    pub kind: &'static str,
    /// Whether it was seen in another run, or is only possible.
    pub confirmed: bool,
    /// In words, such as "line 13 decides whether line 15 is executed".
    pub sentence: String,
}

impl CauseReport {
    /// How many executions of the condition are meant.
    pub fn executions(&self) -> usize {
        self.instances.len() + self.left_out
    }
}

impl CauseTree {
    /// The entries that were first reached from an entry, in order.
    pub fn children(&self, of: usize) -> impl Iterator<Item = usize> + '_ {
        let parents = self.causes.iter().map(|cause| cause.parent).enumerate();
        parents.filter(move |(_, parent)| *parent == Some(of)).map(|(cause, _)| cause)
    }
}
