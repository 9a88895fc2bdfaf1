//! Error invariants: what must stay true for the error to happen.
//!
//! *Ermis, Schäf, Wies: Error Invariants (2012). Christ, Ermis, Schäf, Wies: Flow-sensitive Fault Localization (2013).*
//!
//! An error is a precondition, a trace and a property: every execution of the trace from the precondition violates the
//! property. An *error invariant* for a position is a formula that holds there, and from which the rest of the trace
//! violates the property. What an error invariant does not mention is not needed to understand the error from there on. And
//! if one formula is an error invariant at all positions of an interval, then the statements inside are not needed
//! either. So the trace is covered by such intervals, as few as possible; what is left are the statements
//! between them, with a formula between each two. This is the *abstract error trace*:
//!
//! ```text
//!      input < 0
//!  3   abs = input
//!      input < 0 && abs < 0
//!  7   sign = -1
//!      abs < 0 && sign == -1
//! 13   abs is not assigned here; on the other way it would be
//!      abs < 0
//! 18   assert abs >= 0 fails
//! ```
//!
//! Whether conditions matter is a question of the trace formula, not of this algorithm: see
//! [`crate::commands`], which makes the flow-sensitive formula or the plain one. The rest is here:
//!
//! 1. *Weakest* error invariants, by a pass backwards (`weakest.rs`). A run has one state at each position, so all
//!    questions of the kind "does it hold there" are evaluations. The solver is asked only where variables have no value
//!    yet, or whether a short disjunction is true anyway.
//! 2. *Cover* the positions by valid intervals (`cover.rs`): the fewest statements, and of those coverings the simplest.
//! 3. *Invariants for people* (`people.rs`).
//!
//! Where the violated property is a conjunction, several of its parts may be false. An explanation needs one. So each
//! is tried alone, and the disjunction only if it needs fewer statements.
//!
//! The paper's precondition is a state, found by a model checker; ours is that of the run, its inputs. The first
//! invariant says how much of it matters.

mod bounds;
mod cover;
mod decide;
mod live;
pub mod naive;
mod people;
mod spans;
mod weakest;

use failure::Failure;
use term::{Op, Term, Terms};

pub(crate) use self::bounds::without_overflow;
use self::cover::{Cost, Role, cover, roles};
use self::decide::Decide;
use self::people::invariants;
use self::weakest::weakest;
use crate::commands::{Commands, Effect, Encoding, encode};
use crate::context::Context;

/// What the user wants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    pub encoding: Encoding,
}

/// An abstract error trace.
#[derive(Clone, Debug)]
pub struct ErrorInvariants {
    pub encoding: Encoding,
    /// Owns the terms of the invariants; extends the trace's arena.
    pub terms: Terms,
    /// In order. The first begins with the trace, the last ends with it.
    pub intervals: Vec<Interval>,
    /// The commands between them.
    pub kept: Vec<Kept>,
    /// Whether no covering keeps fewer statements.
    pub fewest: bool,
    /// How many commands there are in all.
    pub commands: usize,
    /// Variables that stand for a value that was chosen from outside, and the step that chose it.
    pub chosen: Vec<(Term, usize)>,
    /// Variables that stand for the outcome of a decision, and its step.
    pub remembered: Vec<(Term, usize)>,
}

/// A formula that holds at all positions of an interval, and from each of which the rest of the trace violates the
/// property.
#[derive(Clone, Debug)]
pub struct Interval {
    /// The first and the last position, counted in commands.
    pub positions: (usize, usize),
    /// The same in steps: it holds before the first of these steps, and up to before the second.
    pub steps: (usize, usize),
    /// The conjuncts.
    pub invariant: Vec<Term>,
}

/// A command that is needed.
#[derive(Clone, Debug)]
pub struct Kept {
    pub command: usize,
    pub step: usize,
    pub what: What,
    /// The decisions around it, the innermost first, if they matter.
    pub inside: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// An assignment.
    Assignment,
    /// A condition that holds.
    Condition,
    /// A check that did not fail: this condition holds, or the statement would not have been executed.
    Check(Term),
    /// These variables are not assigned: the other way of the decision would have.
    Frame(Vec<Term>),
    /// The outcome of a decision is used after its variables have changed.
    Outcome,
}

/// The abstract error trace of a failure, or why there is none.
pub fn error_invariants(
    failure: &Failure<'_>,
    encoding: Encoding,
    context: Context<'_>,
) -> Result<ErrorInvariants, String> {
    let mut commands = encode(failure, encoding)?;
    let mut decide = Decide::new(context);
    let found = best(&mut commands, &mut decide);
    if context.stop.requested() {
        return Err("there was no time left".to_owned());
    }
    let (found, cuts, roles) = found.ok_or("the trace could not be covered")?;
    let invariants = invariants(&mut commands, &found, &cuts, &mut decide)?;
    let mut intervals = Vec::with_capacity(invariants.len());
    let mut from = 0;
    for (number, invariant) in invariants.into_iter().enumerate() {
        let to = cuts.get(number).copied().unwrap_or(commands.list.len());
        let steps = (begins(&commands, from), begins(&commands, to));
        intervals.push(Interval { positions: (from, to), steps, invariant });
        from = to + 1;
    }
    let kept = cuts.iter().map(|&cut| kept(&commands, &found, cut)).collect();
    let optional = roles.iter().any(|role| matches!(role, Role::Live | Role::Dead));
    let Commands { terms, list, chosen, remembered, .. } = commands;
    Ok(ErrorInvariants {
        encoding,
        terms,
        intervals,
        kept,
        fewest: (found.exact && !decide.gave_up) || !optional,
        commands: list.len(),
        chosen,
        remembered,
    })
}

/// The first step at a position.
fn begins(commands: &Commands<'_>, position: usize) -> usize {
    match commands.list.get(position) {
        Some(command) => command.first,
        None => commands.trace().steps.len().saturating_sub(1),
    }
}

fn kept(commands: &Commands<'_>, found: &weakest::Weakest, cut: usize) -> Kept {
    let command = &commands.list[cut];
    let what = match command.action {
        Effect::Assign { .. } => What::Assignment,
        Effect::Assume { condition } => match commands.is_check(cut) {
            true => What::Check(condition),
            false => What::Condition,
        },
        Effect::Decision { .. } => {
            let mut framed = match commands.frames_any(cut) {
                true => found.spans.variables_at(cut + 1),
                false => Vec::new(),
            };
            framed.retain(|&variable| commands.frames(cut, variable));
            if framed.is_empty() { What::Outcome } else { What::Frame(framed) }
        }
    };
    Kept { command: cut, step: command.step, what, inside: commands.inside(cut) }
}

/// The best covering over the parts of the violation, each alone, and all together.
fn best(
    commands: &mut Commands<'_>,
    decide: &mut Decide<'_>,
) -> Option<(weakest::Weakest, Vec<usize>, Vec<Role>)> {
    /// More parts are not tried alone.
    const MOST_PARTS: usize = 4;
    let whole = commands.violation;
    let end = commands.list.len();
    let mut parts: Vec<Term> = Vec::new();
    if commands.terms.op(whole) == Op::Or {
        for part in commands.terms.args(whole).to_vec() {
            let Commands { terms, states, .. } = commands;
            if states.holds(terms, end, part) == Some(true) {
                parts.push(part);
            }
        }
    }
    parts.truncate(MOST_PARTS);
    let is_split = !parts.is_empty();
    parts.push(whole);
    let mut best: Option<(Cost, weakest::Weakest, Vec<usize>, Vec<Role>)> = None;
    for part in parts {
        let found = weakest(commands, part, decide);
        let roles = roles(commands, &found, decide);
        let Some((cuts, cost)) = cover(commands, &found, &roles, decide) else { continue };
        let better = best.as_ref().is_none_or(|(known, ..)| match is_split && part == whole {
            true => cost.kept < known.kept,
            false => cost < *known,
        });
        if better {
            best = Some((cost, found, cuts, roles));
        }
    }
    best.map(|(_, found, cuts, roles)| (found, cuts, roles))
}
