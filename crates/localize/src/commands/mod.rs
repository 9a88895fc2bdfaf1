//! The trace formula, as a list of commands.
//!
//! A trace is straight-line code, and its formula is the conjunction of what its steps do. This file makes
//! the conjuncts. Each is a *command*, which a proof may use or drop:
//!
//! - *Assign*: a variable gets a value.
//! - *Assume*: a condition holds.
//! - *Decision*: see below.
//!
//! In the plain formula a branch is a condition like any other, and whatever it guards happens unconditionally.
//! So no proof needs it: that `x := 0` contradicts `x != 0` is clear without the branch that it stands in. The
//! *flow-sensitive* formula (Christ, Ermis, Schäf and Wies, 2013) repairs this:
//!
//! - The conditions that a step depends on are *premises* of its command. If one of them is false, the variable gets any
//!   value at all: that over-approximates what the other ways would have done.
//! - If the way not taken might have assigned a variable, and the way taken does not, then the variable has kept its
//!   value *because of the decision*. This is a command, too, a *frame*: `premises ==> x' == x`. All frames
//!   of a decision are one command. If the decision has decisions inside it which frame the variable, these frames have
//!   its condition among their premises, so it needs none of its own.
//! - The conditions around the failing statement are part of the violation: that it was reached is to be explained, too. If
//!   output is missing, so is every decision on whose other way something might have been printed.
//! - A premise is about the time of its decision. If its variables have changed since, the decision *remembers* its
//!   outcome in a variable of its own. (The paper has numbered copies of all variables instead.)
//!
//! What is not the business of the one who reads an explanation is folded away, so that there are no positions in
//! the middle of a statement: values on their way are replaced by their terms; a check that an operator is defined
//! belongs to the command that it protects; a value that is chosen from outside, before its variable has been used, is the
//! variable's initial value.
//!
//! Trusted code is folded away in the same manner: what it computes are values on their way, and why it went the way it
//! went is not asked.
//!
//! Cells are those of the run: with another address, the step would access another cell. In the flow-sensitive
//! formula it is therefore a premise that the address is that of the run.
//!
//! All this is deterministic: what the run chose is an initial value. So each position has one state, partial
//! because variables that nobody has assigned yet have no value ([`States`]).

mod encode;
mod scopes;
mod states;

use failure::{Failure, Trace};
use rustc_hash::FxHashMap;
use term::{Term, Terms};

use crate::flow::Flow;
pub use encode::encode;
use scopes::Scopes;
pub use states::States;

/// Which trace formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Encoding {
    Plain,
    #[default]
    FlowSensitive,
}

#[derive(Debug)]
pub struct Commands<'f> {
    pub failure: &'f Failure<'f>,
    pub encoding: Encoding,
    /// Extends the trace's arena.
    pub terms: Terms,
    pub list: Vec<Command>,
    /// The condition at the end that violates the property.
    pub violation: Term,
    pub states: States,
    /// Variables that stand for a value that was chosen from outside, and the step that chose it.
    pub chosen: Vec<(Term, usize)>,
    /// Variables that stand for the outcome of a decision, and its step.
    pub remembered: Vec<(Term, usize)>,
    control: Option<Control<'f>>,
}

#[derive(Debug)]
struct Control<'f> {
    flow: Flow<'f>,
    scopes: Scopes,
}

/// If all premises hold: the checks hold, and the action happens. Otherwise: what it assigns gets any value.
#[derive(Clone, Debug)]
pub struct Command {
    /// The first of the steps that belong to it. It ends before the first step of the next command.
    pub first: usize,
    /// The step that it is.
    pub step: usize,
    pub premises: Vec<Term>,
    pub checks: Vec<Term>,
    pub action: Effect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Assign {
        variable: Term,
        /// Of the whole variable.
        value: Term,
    },
    Assume {
        condition: Term,
    },
    /// The frames of the decision. Its own condition is among the premises.
    Decision {
        /// What remembers its outcome, and the condition.
        remembers: Option<(Term, Term)>,
    },
}

/// For each command, the commands before it that are decisions around it.
pub fn enclosing(failure: &Failure<'_>, commands: &Commands<'_>) -> Vec<Vec<usize>> {
    let flow = Flow::of(failure);
    let scopes = Scopes::of(&flow);
    let at: FxHashMap<usize, usize> =
        commands.list.iter().enumerate().map(|(at, command)| (command.step, at)).collect();
    let around = |command: &Command| {
        let variable = match command.action {
            Effect::Assign { variable, .. } => Some(variable),
            _ => None,
        };
        let decisions = scopes.decisions(&flow, command.step, variable);
        decisions.into_iter().filter_map(|decision| at.get(&decision).copied()).collect()
    };
    commands.list.iter().map(around).collect()
}

impl Commands<'_> {
    pub fn trace(&self) -> &Trace {
        &self.failure.trace
    }

    /// Whether a decision frames a variable: the way not taken might assign it, the way taken does not.
    pub fn frames(&self, command: usize, variable: Term) -> bool {
        let Some(Control { flow, scopes }) = &self.control else { return false };
        let Some(Command { step, action: Effect::Decision { .. }, .. }) = self.list.get(command)
        else {
            return false;
        };
        let Some(omitted) = flow.omitted(*step) else { return false };
        let (spot, activation) = flow.spot(variable);
        if activation.is_some_and(|a| a != self.trace().steps[*step].frame.activation)
            || !crate::flow::spots(omitted).any(|other| other == spot)
        {
            return false;
        }
        let end = scopes.end(*step);
        let assigned = flow.definition(variable, end).is_some_and(|at| at > *step);
        !assigned && flow.omissions_between(variable, Some(*step), end).is_empty()
    }

    /// Whether a condition is a check that protects a statement, and not one of the source.
    pub fn is_check(&self, command: usize) -> bool {
        encode::is_check(self.failure, self.list[command].step)
    }

    /// Whether a decision might frame anything.
    pub fn frames_any(&self, command: usize) -> bool {
        let Some(Control { flow, .. }) = &self.control else { return false };
        let omitted = flow.omitted(self.list[command].step);
        omitted.is_some_and(|omitted| crate::flow::spots(omitted).next().is_some())
    }

    /// The decisions whose conditions are premises of a command, the innermost first; without its own.
    pub fn inside(&self, command: usize) -> Vec<usize> {
        let Some(Control { flow, scopes }) = &self.control else { return Vec::new() };
        let Command { step, action, .. } = &self.list[command];
        let variable = match action {
            Effect::Assign { variable, .. } => Some(*variable),
            _ => None,
        };
        scopes.decisions(flow, *step, variable)
    }
}
