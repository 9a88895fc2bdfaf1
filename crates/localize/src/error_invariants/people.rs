//! Invariants for people: out of all that is an error invariant on an interval, something simple.
//!
//! The weakest one is a list of conditions as they came up on the way backwards. Most can stay. The rules:
//!
//! - A comparison (`<`, `<=`, `==`, between a variable and a constant or another variable) stays as it is: this is how
//!   `input == -1` becomes `input < 0`. The condition is one that the program itself asks for.
//! - Anything else (`!=`, remainders, long sums) says less to a reader than what the values were. So the
//!   variables in it are *pinned*: `lock == 1` instead of `lock != 0`. So are bytes from which a number is computed: the text
//!   says more.
//! - What was pinned stays pinned, and with it what is computed from it, as long as it is mentioned at all. So the
//!   invariants, read from above, follow from each other by the statements between them.
//! - What follows from the rest is left out. An escape or a disjunction is used only if nothing simpler is true.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, Term, Terms, Value};

use super::bounds::{bound, tighten};
use super::decide::Decide;
use super::spans::{Id, Span, Sweep};
use super::weakest::Weakest;
use crate::commands::{Commands, Effect};

/// Comparisons of more nodes are not simple.
const SIMPLE: usize = 12;
/// Implications are looked for among so many conditions.
const MOST_COMPARED: usize = 24;

/// More conditions, over all intervals, are too many to be shown or checked.
const MOST_CONDITIONS: usize = 25_000_000;

/// The invariant of each interval between the cuts, as a list of conditions.
pub fn invariants(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    cuts: &[usize],
    decide: &mut Decide<'_>,
) -> Result<Vec<Vec<Term>>, String> {
    let end = commands.list.len();
    let mut found = Vec::with_capacity(cuts.len() + 1);
    let mut sweep = Sweep::new(&weakest.spans);
    // What is asked for in an interval: equalities with constants, of which there may be many, and all else.
    let mut equal: BTreeMap<Term, (Id, Term)> = BTreeMap::new();
    let mut others: BTreeMap<Id, u32> = BTreeMap::new();
    let mut pinned: FxHashSet<Term> = FxHashSet::default();
    let mut equalities: FxHashMap<(Term, Term), Term> = FxHashMap::default();
    let mut count = 0;
    for number in 0..=cuts.len() {
        let cut = number.checked_sub(1).map(|before| cuts[before]);
        let (from, to) = (cut.map_or(0, |cut| cut + 1), cuts.get(number).copied().unwrap_or(end));
        let (begun, ended) = sweep.advance(from, to);
        for &Span { id, .. } in begun {
            match weakest.shapes[id as usize].pinned {
                Some((variable, _)) => {
                    equal.insert(variable, (id, weakest.conjuncts[id as usize].main));
                }
                None => *others.entry(id).or_default() += 1,
            }
        }
        for &Span { id, .. } in ended {
            if let Some((variable, _)) = weakest.shapes[id as usize].pinned {
                let again = weakest.spans.about(variable, from, to).any(|other| other == id);
                if equal.get(&variable).is_some_and(|(own, _)| *own == id) && !again {
                    equal.remove(&variable);
                    pinned.insert(variable);
                }
            } else if let Some(count) = others.get_mut(&id) {
                *count -= 1;
                if *count == 0 {
                    others.remove(&id);
                }
            }
        }
        let ids: Vec<Id> = others.keys().copied().collect();
        let conditions = conditions(commands, weakest, &ids, from, to);
        let pins = pins(commands, &conditions, cut, &equal, &pinned, to, decide);
        let value = |v: Term| match equal.get(&v) {
            Some(&(id, _)) => weakest.shapes[id as usize].pinned.as_ref().map(|(_, value)| value),
            None => pins.iter().find(|(own, _)| *own == v).map(|(_, value)| value),
        };
        let rest = simplify(&mut commands.terms, &conditions, &value, decide);
        pinned = pins.iter().map(|(variable, _)| *variable).collect();
        let mut invariant: Vec<Term> = Vec::with_capacity(equal.len() + pins.len() + rest.len());
        let mut equal = equal.iter().peekable();
        for (variable, value) in pins {
            while let Some((_, (_, part))) = equal.next_if(|(own, _)| **own < variable) {
                invariant.push(*part);
            }
            let terms = &mut commands.terms;
            let constant = terms.constant(&value);
            let part = equalities.entry((variable, constant));
            invariant.push(*part.or_insert_with(|| terms.eq(variable, constant)));
        }
        invariant.extend(equal.map(|(_, (_, part))| *part));
        invariant.extend(rest);
        count += invariant.len();
        if count > MOST_CONDITIONS {
            return Err("it takes too many statements, with formulas that are too long".to_owned());
        }
        if decide.stop.requested() {
            return Err("there was no time left".to_owned());
        }
        found.push(invariant);
    }
    Ok(found)
}

/// What the weakest invariants of an interval ask for, each in its simplest form that is true throughout.
fn conditions(
    commands: &mut Commands<'_>,
    weakest: &Weakest,
    ids: &[Id],
    from: usize,
    to: usize,
) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for &id in ids {
        let conjunct = &weakest.conjuncts[id as usize];
        let disjuncts = disjuncts(&commands.terms, conjunct.main);
        let mut choices = vec![conjunct.main];
        choices.extend(&disjuncts);
        choices.extend(&conjunct.escapes);
        let simple = match choices.len() {
            1 => Some(conjunct.main), // the interval is valid
            _ => choices.iter().copied().find(|&c| is_true_in(commands, c, from, to)),
        };
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
    equal: &BTreeMap<Term, (Id, Term)>,
    before: &FxHashSet<Term>,
    to: usize,
    decide: &mut Decide<'_>,
) -> Vec<(Term, Value)> {
    let from = cut.map_or(0, |cut| cut + 1);
    let mut wanted: FxHashSet<Term> = FxHashSet::default();
    if cut.is_none() {
        for (at, &condition) in conditions.iter().enumerate() {
            let equal = bound(&commands.terms, condition)
                .is_some_and(|b| b.low.is_some() && b.low == b.high && commands.terms.is_var(b.of));
            let needed = !is_comparison(&commands.terms, condition)
                && !follows(commands, conditions, at, decide);
            if equal || needed {
                wanted.extend(commands.terms.variables_of(&[condition]));
            }
        }
    }
    let known = |v: Term| equal.contains_key(&v) || before.contains(&v);
    let mut mentioned = commands.terms.variables_of(conditions);
    mentioned.retain(|v| !equal.contains_key(v));
    let assigned = cut.and_then(|cut| match commands.list[cut].action {
        Effect::Assign { variable, value } => Some((variable, value)),
        Effect::Decision { remembers } => remembers,
        Effect::Assume { .. } => None,
    });
    let mut pins = Vec::new();
    for variable in mentioned {
        let determined = match assigned {
            Some((own, value)) if own == variable => {
                !computes_from_bytes(&commands.terms, value)
                    && commands.terms.variables_of(&[value]).into_iter().all(known)
            }
            _ => match cut {
                None => wanted.contains(&variable),
                Some(_) => known(variable),
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
        && terms.variables_of(&[condition]).len() <= 3
        && !computes_from_bytes(terms, condition);
    match terms.op(atom) {
        Op::Var(_) => *terms.sort(atom) == Sort::Bool,
        Op::Le | Op::Lt | Op::BvSlt | Op::BvUlt | Op::FpLt | Op::FpLe => small,
        Op::Eq | Op::FpEq => {
            small && !negated && terms.args(atom).iter().all(|&a| is_sum(terms, a))
        }
        _ => false,
    }
}

/// The same conditions, with all bounds of a term on one side as one.
fn tightest(terms: &mut Terms, conditions: Vec<Term>) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::with_capacity(conditions.len());
    let mut bounds: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
    'conditions: for condition in conditions {
        if let Some(new) = bound(terms, condition) {
            let known = bounds.entry(new.of).or_default();
            for &at in known.iter() {
                let both = bound(terms, found[at]).and_then(|old| tighten(terms, &new, &old));
                if let Some(both) = both.filter(|&both| bound(terms, both).is_some()) {
                    found[at] = both;
                    continue 'conditions;
                }
            }
            known.push(found.len());
        }
        found.push(condition);
    }
    found
}

/// Whether a term adds and subtracts, and no more.
fn is_sum(terms: &Terms, term: Term) -> bool {
    match terms.sort(term) {
        Sort::Int | Sort::Real | Sort::BitVec(_) => {
            let form = terms.linear(term);
            form.parts.iter().all(|(_, factor)| factor.is_one() || factor.neg().is_one())
        }
        _ => true,
    }
}

/// Whether a condition or a value is more than that of a byte itself.
fn computes_from_bytes(terms: &Terms, condition: Term) -> bool {
    let is_byte = |variable: Term| *terms.sort(variable) == Sort::BitVec(8);
    let alone = |term: Term| match (terms.op(term), terms.args(term)) {
        (Op::SignExtend | Op::ZeroExtend, &[inner]) => terms.is_var(inner),
        _ => terms.is_var(term),
    };
    terms.variables_of(&[condition]).into_iter().any(is_byte)
        && !alone(condition)
        && !bound(terms, condition).is_some_and(|bound| alone(bound.of))
}

/// What of the conditions does not follow from the values and from each other.
fn simplify<'v>(
    terms: &mut Terms,
    conditions: &[Term],
    value: &dyn Fn(Term) -> Option<&'v Value>,
    decide: &mut Decide<'_>,
) -> Vec<Term> {
    let mut rest: Vec<Term> = Vec::new();
    for &condition in conditions {
        let mut constants: FxHashMap<Term, Term> = FxHashMap::default();
        for variable in terms.variables_of(&[condition]) {
            if let Some(value) = value(variable) {
                constants.insert(variable, terms.constant(value));
            }
        }
        let condition = terms.substitute(condition, &mut |v| constants.get(&v).copied());
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
    let mut rest = tightest(terms, rest);
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
    rest
}
