//! Questions about values of which there are few.
//!
//! What a program decides about an index, a kind or a digit leaves it few values: those are tried, one after the other, and
//! the rest of the question becomes simpler each time. If one unknown is left, it is decided as in [`unary`]. So most questions
//! about several statements need no solver.

use rustc_hash::FxHashMap;
use term::number::IBig;
use term::{Op, Sort, Term, Terms, Value};

use crate::unary::{self, Falsify};

/// A symbol is tried out if it has no more values than this.
const MOST_VALUES: i128 = 20;
/// So many cases are looked at.
const MOST_CASES: u32 = 200;
/// So many formulas, in all cases together.
const MOST_FORMULAS: usize = 20_000;

/// Whether formulas can hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Small {
    /// With these values of the symbols that matter.
    Values(Vec<(Term, Value)>),
    Impossible,
    Open,
}

/// Decides whether formulas can hold together, if that is easy. Counts operations.
pub(super) fn decide(terms: &mut Terms, formulas: &[Term], operations: &mut usize) -> Small {
    // Each case takes as long as there are formulas.
    let most = (MOST_FORMULAS / formulas.len().max(1)) as u32;
    let mut effort = Effort { cases: MOST_CASES.min(most), operations: 0 };
    let decided = cases(terms, formulas.to_vec(), &mut effort);
    *operations += effort.operations;
    decided
}

/// How many cases may still be looked at, and what it took so far.
struct Effort {
    cases: u32,
    operations: usize,
}

fn cases(terms: &mut Terms, mut formulas: Vec<Term>, effort: &mut Effort) -> Small {
    formulas.sort_unstable();
    formulas.dedup();
    formulas.retain(|&formula| !terms.is_true(formula));
    if formulas.iter().any(|&formula| terms.is_false(formula)) {
        return Small::Impossible;
    }
    let mut known = Vec::new();
    let mut open = false;
    for group in groups(terms, &formulas) {
        match one_group(terms, group, effort) {
            Small::Impossible => return Small::Impossible,
            Small::Values(values) => known.extend(values),
            Small::Open => open = true,
        }
    }
    if open { Small::Open } else { Small::Values(known) }
}

/// The same for formulas that are about the same symbols.
fn one_group(terms: &mut Terms, group: Vec<Term>, effort: &mut Effort) -> Small {
    effort.operations += group.len();
    let symbols = terms.variables_of(&group);
    if let &[symbol] = &symbols[..] {
        return alone(terms, &group, symbol, effort);
    }
    let mut domains: FxHashMap<Term, (i128, i128)> = FxHashMap::default();
    let mut about: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    for &formula in &group {
        if let &[symbol] = &terms.variables_of(&[formula])[..] {
            about.entry(symbol).or_default().push(formula);
        }
    }
    for &symbol in &symbols {
        let Some(own) = about.remove(&symbol) else { continue };
        // What cannot hold alone cannot hold with more.
        if alone(terms, &own, symbol, effort) == Small::Impossible {
            return Small::Impossible;
        }
        if let Some(domain) = bounds(terms, &own, symbol) {
            domains.insert(symbol, domain);
        }
    }
    let size = |(low, high): (i128, i128)| high - low + 1;
    let few = symbols.iter().filter_map(|&s| Some((s, *domains.get(&s)?)));
    let few = few.filter(|&(_, domain)| size(domain) <= MOST_VALUES);
    let Some((symbol, (low, high))) = few.min_by_key(|&(s, domain)| (size(domain), s)) else {
        return Small::Open;
    };
    let sort = terms.sort(symbol).clone();
    let mut open = false;
    for number in low..=high {
        if effort.cases == 0 {
            return Small::Open;
        }
        effort.cases -= 1;
        let value = Value::number(&sort, &IBig::from(number));
        let constant = terms.constant(&value);
        let with = |terms: &mut Terms, formula: Term| {
            terms.substitute(formula, &mut |other| (other == symbol).then_some(constant))
        };
        let rest = group.iter().map(|&formula| with(terms, formula)).collect();
        match cases(terms, rest, effort) {
            Small::Values(mut values) => {
                values.push((symbol, value));
                return Small::Values(values);
            }
            Small::Impossible => {}
            Small::Open => open = true,
        }
    }
    if open { Small::Open } else { Small::Impossible }
}

/// Formulas about one symbol.
fn alone(terms: &mut Terms, formulas: &[Term], symbol: Term, effort: &mut Effort) -> Small {
    let all = terms.and(formulas);
    let fails = terms.not(all);
    let (falsified, took) = unary::falsify_counted(terms, fails, symbol);
    effort.operations += took;
    match falsified {
        Falsify::By(value) => return Small::Values(vec![(symbol, value)]),
        Falsify::Never => return Small::Impossible,
        Falsify::Open => {}
    }
    let sort = terms.sort(symbol).clone();
    let Some((low, high)) = bounds(terms, formulas, symbol) else { return Small::Open };
    if high - low >= MOST_VALUES {
        return Small::Open;
    }
    for number in low..=high {
        let value = Value::number(&sort, &IBig::from(number));
        let holds =
            term::evaluate(terms, all, &mut |other| (other == symbol).then(|| value.clone()));
        match holds {
            Some(Value::Bool(true)) => return Small::Values(vec![(symbol, value)]),
            Some(Value::Bool(false)) => {}
            _ => return Small::Open,
        }
    }
    Small::Impossible
}

/// Between which numbers a symbol is, as far as formulas compare it with constants. Bit-vectors are signed.
fn bounds(terms: &Terms, formulas: &[Term], symbol: Term) -> Option<(i128, i128)> {
    let (mut low, mut high) = match terms.sort(symbol) {
        Sort::BitVec(width @ 1..=64) => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        _ => return None,
    };
    for &formula in formulas {
        let (atom, holds) = match (terms.op(formula), terms.args(formula)) {
            (Op::Not, &[inner]) => (inner, false),
            _ => (formula, true),
        };
        let &[a, b] = terms.args(atom) else { continue };
        let number = |term: Term| match terms.value(term) {
            Some(Value::BitVec(bits)) => Some(bits.signed()),
            _ => None,
        };
        match (terms.op(atom), number(a), number(b)) {
            (Op::Eq, Some(k), _) if b == symbol && holds => (low, high) = (low.max(k), high.min(k)),
            (Op::Eq, _, Some(k)) if a == symbol && holds => (low, high) = (low.max(k), high.min(k)),
            (Op::BvSlt, Some(k), _) if b == symbol => match holds {
                true => low = low.max(k + 1),
                false => high = high.min(k),
            },
            (Op::BvSlt, _, Some(k)) if a == symbol => match holds {
                true => high = high.min(k - 1),
                false => low = low.max(k),
            },
            // Below a number that is not negative, as unsigned.
            (Op::BvUlt, Some(k), _) if b == symbol && !holds && k >= 0 => {
                (low, high) = (low.max(0), high.min(k));
            }
            (Op::BvUlt, _, Some(k)) if a == symbol && holds && k >= 0 => {
                (low, high) = (low.max(0), high.min(k - 1));
            }
            _ => {}
        }
    }
    Some((low, high))
}

/// The formulas that are connected by symbols.
fn groups(terms: &Terms, formulas: &[Term]) -> Vec<Vec<Term>> {
    // For each symbol another one of its group, or itself.
    let mut others: FxHashMap<Term, Term> = FxHashMap::default();
    fn of(others: &mut FxHashMap<Term, Term>, symbol: Term) -> Term {
        let mut first = symbol;
        while let Some(&next) = others.get(&first)
            && next != first
        {
            first = next;
        }
        others.insert(symbol, first);
        first
    }
    let symbols: Vec<Option<Term>> = formulas
        .iter()
        .map(|&formula| {
            let symbols = terms.variables_of(&[formula]);
            let &first = symbols.first()?;
            for &symbol in &symbols {
                let (a, b) = (of(&mut others, first), of(&mut others, symbol));
                others.insert(b, a);
                others.insert(a, a);
            }
            Some(first)
        })
        .collect();
    let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<Term>> = Vec::new();
    for (&formula, symbol) in formulas.iter().zip(symbols) {
        let number = match symbol {
            None => groups.len(),
            Some(symbol) => {
                let first = of(&mut others, symbol);
                *numbers.entry(first).or_insert(groups.len())
            }
        };
        if number == groups.len() {
            groups.push(Vec::new());
        }
        groups[number].push(formula);
    }
    groups
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A symbol of 32 bits that is at least 0 and at most `high`.
    fn within(terms: &mut Terms, name: &str, high: u128) -> (Term, Vec<Term>) {
        let x = terms.var(name, &Sort::BitVec(32));
        let [zero, high] = [0, high].map(|k| terms.constant(&Value::bitvec(32, k)));
        let (below, above) = (terms.bv_slt(x, zero), terms.bv_slt(high, x));
        (x, vec![terms.not(below), terms.not(above)])
    }

    #[test]
    fn products_of_small_numbers() {
        for (product, expected) in [(6, true), (7, false), (9, true), (10, false)] {
            let mut terms = Terms::new();
            let (x, mut formulas) = within(&mut terms, "x", 3);
            let (y, more) = within(&mut terms, "y", 3);
            formulas.extend(more);
            let both = terms.mul(x, y);
            let number = terms.constant(&Value::bitvec(32, product));
            formulas.push(terms.eq(both, number));
            match decide(&mut terms, &formulas, &mut 0) {
                Small::Values(values) => {
                    assert!(expected, "{product}");
                    let all = terms.and(&formulas);
                    let value = |v: Term| values.iter().find(|(s, _)| *s == v).unwrap().1.clone();
                    let holds = term::evaluate(&terms, all, &mut |v| Some(value(v)));
                    assert_eq!(holds, Some(Value::Bool(true)));
                }
                answer => assert_eq!((answer, expected), (Small::Impossible, false)),
            }
        }
    }

    #[test]
    fn what_has_many_values_is_open() {
        let mut terms = Terms::new();
        let (x, mut formulas) = within(&mut terms, "x", 1000);
        let (y, more) = within(&mut terms, "y", 1000);
        formulas.extend(more);
        let both = terms.mul(x, y);
        let number = terms.constant(&Value::bitvec(32, 7919));
        formulas.push(terms.eq(both, number));
        assert_eq!(decide(&mut terms, &formulas, &mut 0), Small::Open);
    }

    #[test]
    fn a_contradiction_about_one_symbol_is_enough() {
        let mut terms = Terms::new();
        let (x, mut formulas) = within(&mut terms, "x", 1000);
        let y = terms.var("y", &Sort::BitVec(32));
        let both = terms.mul(x, y);
        let big = terms.constant(&Value::bitvec(32, 7919));
        formulas.push(terms.eq(both, big));
        formulas.push(terms.eq(x, big));
        assert_eq!(decide(&mut terms, &formulas, &mut 0), Small::Impossible);
    }
}
