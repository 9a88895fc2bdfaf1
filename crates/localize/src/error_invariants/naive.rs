//! Algorithm 1 of the paper: flow-sensitivity without the flow-sensitive trace formula.
//!
//! The plain formula gives invariants; for each statement that it keeps, and each condition around it, the question why
//! that condition holds is an error of its own, on the trace up to there, and answered in the same way. The
//! invariants are conjoined. This asks a question for every condition, so it is only good for comparing.

use failure::Failure;
use term::{Op, Term};

use super::cover::{cover, roles};
use super::decide::Decide;
use super::people::invariants;
use super::weakest::weakest;
use super::{ErrorInvariants, Interval, Kept, What, begins};
use crate::commands::{Commands, Effect, Encoding, enclosing, encode};
use crate::context::Context;

/// The abstract error trace that Algorithm 1 finds.
pub fn error_invariants_by_recursion(
    failure: &Failure<'_>,
    context: Context<'_>,
) -> Result<ErrorInvariants, String> {
    let mut commands = encode(failure, Encoding::Plain)?;
    let mut decide = Decide::new(context);
    let around = enclosing(failure, &commands);
    let end = commands.list.len();
    let violation = commands.violation;
    let sequence =
        explain(&mut commands, end, violation, &around, &mut decide).ok_or("no covering")?;
    // Localize: what has the same invariant before and after is dropped.
    let mut intervals: Vec<Interval> = Vec::new();
    let mut kept = Vec::new();
    let mut from = 0;
    for at in 0..=end {
        if at == end || sequence[at] != sequence[at + 1] {
            let steps = (begins(&commands, from), begins(&commands, at));
            let invariant = sequence[at].clone();
            intervals.push(Interval { positions: (from, at), steps, invariant });
            from = at + 1;
            if at < end {
                let what = match commands.list[at].action {
                    Effect::Assign { .. } => What::Assignment,
                    _ => What::Condition,
                };
                let inside = around[at].iter().map(|&a| commands.list[a].step).collect();
                kept.push(Kept { command: at, step: commands.list[at].step, what, inside });
            }
        }
    }
    let Commands { terms, list, chosen, remembered, .. } = commands;
    Ok(ErrorInvariants {
        encoding: Encoding::Plain,
        terms,
        intervals,
        kept,
        fewest: false,
        commands: list.len(),
        chosen,
        remembered,
    })
}

/// FSEI: invariants for the positions up to `end`, where this condition holds.
fn explain(
    commands: &mut Commands<'_>,
    end: usize,
    condition: Term,
    around: &[Vec<usize>],
    decide: &mut Decide<'_>,
) -> Option<Vec<Vec<Term>>> {
    let rest = commands.list.split_off(end);
    let found = weakest(commands, condition, decide);
    let roles = roles(commands, &found, decide);
    let covered = cover(commands, &found, &roles, decide);
    let cuts = covered.map(|(cuts, _)| cuts);
    let formulas = cuts.as_ref().and_then(|cuts| invariants(commands, &found, cuts, decide).ok());
    commands.list.extend(rest);
    let (cuts, formulas) = (cuts?, formulas?);
    let mut sequence: Vec<Vec<Term>> = Vec::with_capacity(end + 1);
    let mut number = 0;
    for at in 0..=end {
        sequence.push(formulas[number].clone());
        number += usize::from(cuts.get(number) == Some(&at));
    }
    let mut conditions: Vec<usize> = Vec::new();
    for &cut in &cuts {
        conditions.extend(&around[cut]);
    }
    conditions.sort_unstable();
    conditions.dedup();
    for at in conditions {
        let Effect::Assume { condition } = commands.list[at].action else { continue };
        let why = explain(commands, at, condition, around, decide)?;
        for (formula, more) in sequence.iter_mut().zip(why) {
            for part in more {
                if !formula.contains(&part) && commands.terms.op(part) != Op::And {
                    formula.push(part);
                }
            }
        }
    }
    for formula in &mut sequence {
        formula.sort_unstable();
    }
    Some(sequence)
}
