//! Terms that can stand for a variable's value: what a cube of literals says about it.
//!
//! See `forall.rs` for what they are good for. Nothing here needs to be right for an answer to be right.

use term::number::IBig;
use term::{Linear, Op, Sort, Term, Terms, Value};

use crate::forall::Literal;
use crate::solver::Model;

/// More are not tried.
const MOST: usize = 12;

/// Terms without the variable, likely ones first, that may replace it and keep the literals' truth.
pub fn candidates(
    terms: &mut Terms,
    variable: Term,
    literals: &[Literal],
    model: &Model,
) -> Vec<Term> {
    let about: Vec<Literal> =
        literals.iter().copied().filter(|l| terms.mentions(l.atom, variable)).collect();
    let mut found = match terms.sort(variable) {
        Sort::Int | Sort::Real => arithmetic(terms, variable, &about, model),
        Sort::BitVec(_) => bits(terms, variable, &about),
        Sort::Bool | Sort::Float(_) | Sort::Array(_) => equal(terms, variable, &about),
    };
    found.retain(|&t| !terms.mentions(t, variable));
    found.truncate(MOST);
    found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
    Equal,
}

/// `variable >= term`, `<=` or `==`; strict only on Real.
#[derive(Clone, Debug)]
struct Bound {
    side: Side,
    term: Term,
    strict: bool,
    value: Value,
}

fn arithmetic(terms: &mut Terms, variable: Term, literals: &[Literal], model: &Model) -> Vec<Term> {
    let mut period = IBig::ONE;
    let bounds: Vec<Bound> = literals
        .iter()
        .filter_map(|&literal| bound(terms, variable, literal, model, &mut period))
        .collect();
    let mut found: Vec<Term> =
        bounds.iter().filter(|b| b.side == Side::Equal).map(|b| b.term).collect();
    // Of equal bounds the first; a strict one is tighter than one that is not.
    let mut lower: Option<&Bound> = None;
    let mut upper: Option<&Bound> = None;
    for bound in &bounds {
        let (best, tighter) = match bound.side {
            Side::Lower => (&mut lower, std::cmp::Ordering::Greater),
            Side::Upper => (&mut upper, std::cmp::Ordering::Less),
            Side::Equal => continue,
        };
        let better = best.is_none_or(|old| {
            let order = bound.value.cmp(&old.value);
            order == tighter || (order.is_eq() && bound.strict && !old.strict)
        });
        if better {
            *best = Some(bound);
        }
    }
    match model.value(terms, variable) {
        Value::Int(value) => {
            // The distance from the bound, as far as remainders can tell.
            let mut shifted = |bound: &Bound, terms: &mut Terms| {
                let Value::Int(at) = &bound.value else { return };
                let offset = match bound.side {
                    Side::Upper => -remainder(&(at - &value), &period),
                    _ => remainder(&(&value - at), &period),
                };
                let offset = terms.constant(&Value::Int(offset));
                found.push(terms.add(&[bound.term, offset]));
            };
            for bound in [lower, upper].into_iter().flatten() {
                shifted(bound, terms);
            }
            found.push(terms.constant(&Value::Int(remainder(&value, &period))));
        }
        _ => reals(terms, lower, upper, &mut found),
    }
    found
}

fn reals(terms: &mut Terms, lower: Option<&Bound>, upper: Option<&Bound>, found: &mut Vec<Term>) {
    let number = |n: i32| Value::number(&Sort::Real, &n.into());
    for bound in [lower, upper].into_iter().flatten().filter(|b| !b.strict) {
        found.push(bound.term);
    }
    match (lower, upper) {
        (Some(lower), Some(upper)) => {
            let sum = terms.add(&[lower.term, upper.term]);
            let two = terms.constant(&number(2));
            found.push(terms.div(sum, two));
        }
        (Some(bound), None) | (None, Some(bound)) => {
            let away = if bound.side == Side::Lower { number(1) } else { number(-1) };
            let away = terms.constant(&away);
            found.push(terms.add(&[bound.term, away]));
        }
        (None, None) => found.push(terms.constant(&number(0))),
    }
}

/// What one literal says about the variable, if it is linear in it. Moduli of remainders of the variable
/// are multiplied into the period.
fn bound(
    terms: &mut Terms,
    variable: Term,
    literal: Literal,
    model: &Model,
    period: &mut IBig,
) -> Option<Bound> {
    let (op, &[left, right]) = (terms.op(literal.atom), terms.args(literal.atom)) else {
        return None;
    };
    if !matches!(op, Op::Le | Op::Lt | Op::Eq) || !terms.sort(left).is_numeric() {
        return None;
    }
    let sort = terms.sort(left).clone();
    let mut form = terms.difference(left, right);
    let mut rest = Linear { constant: form.constant.clone(), parts: vec![] };
    let mut coefficient = None;
    for (part, factor) in std::mem::take(&mut form.parts) {
        if part == variable {
            coefficient = Some(factor);
        } else if !terms.mentions(part, variable) {
            rest.parts.push((part, factor));
        } else {
            let modulus = modulus(terms, part)?;
            *period = common_multiple(period, &modulus);
            rest.constant = rest.constant.add(&factor.mul(&model.evaluate(terms, part)));
        }
    }
    let coefficient = coefficient?;
    // The literal says: coefficient · variable + rest (<=, >=, ==) 0.
    let left = model.evaluate(terms, left);
    let right = model.evaluate(terms, right);
    let (side, strict) = match (op, literal.holds) {
        (Op::Eq, true) => (Side::Equal, false),
        (Op::Eq, false) if left < right => (Side::Upper, true),
        (Op::Eq, false) => (Side::Lower, true),
        (Op::Le, true) => (Side::Upper, false),
        (Op::Le, false) => (Side::Lower, true),
        (_, true) => (Side::Upper, true),
        (_, false) => (Side::Lower, false),
    };
    let negative = coefficient < Value::zero(&sort);
    let (side, coefficient) = match (side, negative) {
        (Side::Lower, true) => (Side::Upper, coefficient.neg()),
        (Side::Upper, true) => (Side::Lower, coefficient.neg()),
        (side, true) => (side, coefficient.neg()),
        (side, false) => (side, coefficient),
    };
    let rest = terms.from_linear(&sort, &rest);
    let numerator = if negative { rest } else { terms.neg(rest) };
    let divisor = terms.constant(&coefficient);
    let term = match (&sort, side) {
        (Sort::Int, Side::Lower) => {
            // More than n is at least n + 1; and rounded up.
            let numerator = if strict { shifted(terms, numerator, 1) } else { numerator };
            let negated = terms.neg(numerator);
            let quotient = terms.div(negated, divisor);
            terms.neg(quotient)
        }
        (Sort::Int, Side::Upper) if strict => {
            let numerator = shifted(terms, numerator, -1);
            terms.div(numerator, divisor)
        }
        _ => terms.div(numerator, divisor),
    };
    let value = model.evaluate(terms, term);
    Some(Bound { side, term, strict: strict && sort == Sort::Real, value })
}

fn shifted(terms: &mut Terms, term: Term, by: i32) -> Term {
    let by = terms.constant(&Value::int(by));
    terms.add(&[term, by])
}

/// The modulus, if the term is a remainder by a constant.
fn modulus(terms: &Terms, term: Term) -> Option<IBig> {
    match (terms.op(term), terms.args(term)) {
        (Op::Mod, &[_, divisor]) => match terms.value(divisor)? {
            Value::Int(modulus) if *modulus > IBig::ZERO => Some(modulus.clone()),
            Value::Int(modulus) if *modulus < IBig::ZERO => Some(-modulus),
            _ => None,
        },
        _ => None,
    }
}

/// The remainder, never negative.
fn remainder(a: &IBig, modulus: &IBig) -> IBig {
    let rest = a % modulus;
    if rest < IBig::ZERO { rest + modulus } else { rest }
}

fn common_multiple(a: &IBig, b: &IBig) -> IBig {
    let (mut divisor, mut rest) = (a.clone(), b.clone());
    while rest != IBig::ZERO {
        let next = remainder(&divisor, &rest);
        divisor = std::mem::replace(&mut rest, next);
    }
    a / divisor * b
}

fn bits(terms: &mut Terms, variable: Term, literals: &[Literal]) -> Vec<Term> {
    let mut found = Vec::new();
    let one = Value::number(terms.sort(variable), &IBig::ONE);
    let (one, minus_one) = (terms.constant(&one), terms.constant(&one.neg()));
    for literal in literals {
        if let (Op::Eq, true, &[a, b]) =
            (terms.op(literal.atom), literal.holds, terms.args(literal.atom))
        {
            found.extend(solve(terms, variable, a, b));
            found.extend(solve(terms, variable, b, a));
            found.extend(solve_sum(terms, variable, a, b));
        }
    }
    for literal in literals {
        let (Op::BvUlt | Op::BvSlt | Op::Eq, &[a, b]) =
            (terms.op(literal.atom), terms.args(literal.atom))
        else {
            continue;
        };
        for (side, other) in [(a, b), (b, a)] {
            if side == variable && !terms.mentions(other, variable) {
                found.push(other);
                found.push(terms.add(&[other, one]));
                found.push(terms.add(&[other, minus_one]));
            }
        }
    }
    // Masks: what lies outside of the mask is the interesting part.
    let atoms: Vec<Term> = literals.iter().map(|l| l.atom).collect();
    for node in terms.reachable(&atoms) {
        if let (Op::BvAnd | Op::BvOr, &[a, b]) = (terms.op(node), terms.args(node))
            && (a == variable || b == variable)
        {
            let mask = if a == variable { b } else { a };
            found.push(terms.bv_not(mask));
            found.push(mask);
        }
    }
    found
}

/// Solves `side == other` for the variable through operators that can be undone.
fn solve(terms: &mut Terms, variable: Term, side: Term, other: Term) -> Option<Term> {
    let (mut side, mut other) = (side, other);
    if terms.mentions(other, variable) {
        return None;
    }
    while side != variable {
        match (terms.op(side), terms.args(side)) {
            (Op::BvNot, &[inner]) => {
                other = terms.bv_not(other);
                side = inner;
            }
            (Op::BvXor, &[a, b]) => {
                let (with, without) = if terms.mentions(a, variable) { (a, b) } else { (b, a) };
                other = terms.bit_operation(Op::BvXor, other, without);
                side = with;
            }
            (Op::ZeroExtend | Op::SignExtend, &[inner]) => {
                let Sort::BitVec(width) = *terms.sort(inner) else { return None };
                other = terms.extract(other, 0, width);
                side = inner;
            }
            (Op::Add | Op::Mul, _) => return solve_sum(terms, variable, side, other),
            _ => return None,
        }
    }
    Some(other)
}

/// Solves `a == b` for the variable if it has an odd factor in the difference.
fn solve_sum(terms: &mut Terms, variable: Term, a: Term, b: Term) -> Option<Term> {
    let sort = terms.sort(variable).clone();
    if *terms.sort(a) != sort {
        return None;
    }
    let mut form = terms.difference(a, b);
    let inverse = inverse(form.coefficient(variable)?)?;
    form.parts.retain(|(part, _)| *part != variable);
    let rest = terms.from_linear(&sort, &form);
    Some(terms.scale(&inverse.neg(), rest))
}

/// The inverse of an odd number modulo 2^width.
fn inverse(value: &Value) -> Option<Value> {
    let Value::BitVec(bits) = value else { return None };
    if bits.unsigned() % 2 == 0 {
        return None;
    }
    // Newton: three bits are right to begin with, and each step doubles them.
    let odd = bits.unsigned();
    let inverse = (0..6).fold(odd, |guess: u128, _| {
        guess.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(guess)))
    });
    Some(Value::bitvec(bits.width(), inverse))
}

fn equal(terms: &mut Terms, variable: Term, literals: &[Literal]) -> Vec<Term> {
    let mut found = Vec::new();
    for literal in literals.iter().filter(|l| l.holds && terms.op(l.atom) == Op::Eq) {
        if let &[a, b] = terms.args(literal.atom) {
            found.extend([(a, b), (b, a)].iter().filter(|(s, _)| *s == variable).map(|(_, o)| *o));
        }
    }
    found
}
