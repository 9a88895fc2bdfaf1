//! Invariants for people: out of all that is an error invariant on an interval, something simple.
//!
//! The weakest one is a list of conditions as they came up on the way backwards. Most can stay. The rules:
//!
//! - A comparison (`<`, `<=`, `==`, between a variable and a constant or another variable) stays as it is: this is how
//!   `input == -1` becomes `input < 0`. The condition is one that the program itself asks for.
//! - Anything else (`!=`, remainders, long sums) says less to a reader than what the values were. So the
//!   variables in it are *pinned*: `lock == 1` instead of `lock != 0`.
//! - What was pinned stays pinned, and with it what is computed from it, as long as it is mentioned at all. So the
//!   invariants, read from above, follow from each other by the statements between them.
//! - What follows from the rest is left out. An escape or a disjunction is used only if nothing simpler is true.

use rustc_hash::FxHashSet;
use term::{Op, Sort, Term, Terms, Value};

use super::bounds::bound;
use super::decide::Decide;
use super::weakest::{Id, Weakest};
use crate::commands::{Commands, Effect};

/// Comparisons of more nodes are not simple.
const SIMPLE: usize = 12;
/// Implications are looked for among so many conditions.
const MOST_COMPARED: usize = 24;

/// The invariant of each interval between the cuts, as a list of conditions.
pub fn invariants(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    cuts: &[usize],
    decide: &mut Decide<'_>,
) -> Vec<Vec<Term>> {
    let end = commands.list.len();
    let mut found = Vec::with_capacity(cuts.len() + 1);
    let mut pinned: FxHashSet<Term> = FxHashSet::default();
    for number in 0..=cuts.len() {
        let cut = number.checked_sub(1).map(|before| cuts[before]);
        let (from, to) = (cut.map_or(0, |cut| cut + 1), cuts.get(number).copied().unwrap_or(end));
        let conditions = conditions(commands, weakest, from, to);
        let pins = pins(commands, &conditions, cut, &pinned, from, to, decide);
        let invariant = simplify(commands, &conditions, &pins, decide);
        pinned = pins.into_iter().map(|(variable, _)| variable).collect();
        found.push(invariant);
    }
    found
}

/// What the weakest invariants of an interval ask for, each in its simplest form that is true throughout.
fn conditions(commands: &mut Commands<'_>, weakest: &Weakest, from: usize, to: usize) -> Vec<Term> {
    let mut ids: Vec<Id> = Vec::new();
    let mut seen: FxHashSet<Id> = FxHashSet::default();
    let mut last: Option<*const Id> = None;
    for position in from..=to {
        let list = &weakest.at[position];
        if last.replace(list.as_ptr()) != Some(list.as_ptr()) {
            ids.extend(list.iter().copied().filter(|&id| seen.insert(id)));
        }
    }
    let mut found: Vec<Term> = Vec::new();
    for id in ids {
        let conjunct = &weakest.conjuncts[id as usize];
        let mut choices = vec![conjunct.main];
        choices.extend(disjuncts(&commands.terms, conjunct.main));
        choices.extend(&conjunct.escapes);
        let simple = choices.iter().copied().find(|&c| is_true_in(commands, c, from, to));
        let condition = simple.unwrap_or_else(|| {
            let mut all = conjunct.escapes.clone();
            all.push(conjunct.main);
            commands.terms.or(&all)
        });
        let mut parts = match commands.terms.op(condition) {
            Op::And => commands.terms.args(condition).to_vec(),
            _ => vec![condition],
        };
        parts.retain(|part| !found.contains(part));
        found.extend(parts);
    }
    found.retain(|&condition| commands.terms.value(condition).is_none());
    found
}

fn disjuncts(terms: &Terms, condition: Term) -> Vec<Term> {
    match terms.op(condition) {
        Op::Or => terms.args(condition).to_vec(),
        _ => Vec::new(),
    }
}

/// Whether a condition is true in the run from one position to another.
fn is_true_in(commands: &mut Commands<'_>, condition: Term, from: usize, to: usize) -> bool {
    let mut positions = vec![from];
    for variable in commands.terms.variables_of(&[condition]) {
        positions.extend(commands.states.changes(variable, from, to));
    }
    let Commands { terms, states, .. } = commands;
    positions.into_iter().all(|position| states.holds(terms, position, condition) == Some(true))
}

/// The variables that are equal to a constant, by the rules above.
fn pins(
    commands: &mut Commands<'_>,
    conditions: &[Term],
    cut: Option<usize>,
    before: &FxHashSet<Term>,
    from: usize,
    to: usize,
    decide: &mut Decide<'_>,
) -> Vec<(Term, Value)> {
    let mut wanted: FxHashSet<Term> = FxHashSet::default();
    let mut mentioned: Vec<Term> = Vec::new();
    for (at, &condition) in conditions.iter().enumerate() {
        let variables = commands.terms.variables_of(&[condition]);
        mentioned.extend(&variables);
        let equal = bound(&commands.terms, condition)
            .is_some_and(|b| b.low.is_some() && b.low == b.high && commands.terms.is_var(b.of));
        let needed = !is_comparison(&commands.terms, condition)
            && !follows(commands, conditions, at, decide);
        if equal || needed {
            wanted.extend(variables);
        }
    }
    mentioned.sort_unstable();
    mentioned.dedup();
    let assigned = cut.and_then(|cut| match commands.list[cut].action {
        Effect::Assign { variable, value } => Some((variable, value)),
        Effect::Decision { remembers } => remembers,
        Effect::Assume { .. } => None,
    });
    let mut pins = Vec::new();
    for variable in mentioned {
        let determined = match assigned {
            Some((own, value)) if own == variable => {
                commands.terms.variables_of(&[value]).iter().all(|v| before.contains(v))
            }
            _ => match cut {
                None => wanted.contains(&variable),
                Some(_) => before.contains(&variable),
            },
        };
        if determined
            && let Some(value) = commands.states.constant(variable, from, to)
            && !matches!(value, Value::Array(_))
        {
            pins.push((variable, value.clone()));
        }
    }
    pins
}

/// Whether a condition follows from another one alone, which is a comparison.
fn follows(
    commands: &mut Commands<'_>,
    conditions: &[Term],
    at: usize,
    decide: &mut Decide<'_>,
) -> bool {
    let terms = &mut commands.terms;
    let about = terms.variables_of(&[conditions[at]]);
    conditions.len() <= MOST_COMPARED
        && conditions.iter().enumerate().any(|(other, &premise)| {
            other != at
                && is_comparison(terms, premise)
                && terms.variables_of(&[premise]) == about
                && decide.implies(terms, premise, conditions[at])
        })
}

/// Whether a condition is simple, and one that has a direction.
fn is_comparison(terms: &Terms, condition: Term) -> bool {
    let (negated, atom) = match (terms.op(condition), terms.args(condition)) {
        (Op::Not, &[atom]) => (true, atom),
        _ => (false, condition),
    };
    let small = terms.reachable(&[condition]).len() <= SIMPLE
        && terms.variables_of(&[condition]).len() <= 3;
    match terms.op(atom) {
        Op::Var(_) => *terms.sort(atom) == Sort::Bool,
        Op::Le | Op::Lt | Op::BvSlt | Op::BvUlt | Op::FpLt | Op::FpLe => small,
        Op::Eq | Op::FpEq => small && !negated,
        _ => false,
    }
}

/// The pins, and what of the conditions does not follow from them and from each other.
fn simplify(
    commands: &mut Commands<'_>,
    conditions: &[Term],
    pins: &[(Term, Value)],
    decide: &mut Decide<'_>,
) -> Vec<Term> {
    let terms = &mut commands.terms;
    let mut invariant = Vec::new();
    let mut constants: Vec<(Term, Term)> = Vec::new();
    for (variable, value) in pins {
        let constant = terms.constant(value);
        constants.push((*variable, constant));
        invariant.push(terms.eq(*variable, constant));
    }
    let mut rest: Vec<Term> = Vec::new();
    for &condition in conditions {
        let known = |v: Term| constants.iter().find(|(own, _)| *own == v).map(|c| c.1);
        let condition = terms.substitute(condition, &mut { known });
        let parts = match terms.op(condition) {
            Op::And => terms.args(condition).to_vec(),
            _ => vec![condition],
        };
        for part in parts {
            if terms.value(part).is_none() && !rest.contains(&part) {
                rest.push(part);
            }
        }
    }
    rest.sort_unstable();
    if rest.len() <= MOST_COMPARED {
        let mut at = 0;
        while at < rest.len() {
            let about = terms.variables_of(&[rest[at]]);
            let implied = (0..rest.len()).any(|other| {
                other != at
                    && terms.variables_of(&[rest[other]]) == about
                    && decide.implies(terms, rest[other], rest[at])
            });
            if implied {
                rest.remove(at);
            } else {
                at += 1;
            }
        }
    }
    invariant.extend(rest);
    invariant
}
