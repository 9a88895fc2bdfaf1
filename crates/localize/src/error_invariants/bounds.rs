//! Bounds of a term by constants: merging them, and moving them over sums that do not overflow.

use term::number::IBig;
use term::{Op, Sort, Term, Terms, Value};

/// `low <= of <= high`; at least one of them is there. Bit-vectors are numbers with or without a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    pub of: Term,
    pub order: Order,
    pub low: Option<IBig>,
    pub high: Option<IBig>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Integer,
    Signed(u32),
    Unsigned(u32),
}

impl Order {
    fn number(self, value: &Value) -> Option<IBig> {
        match (self, value) {
            (Order::Integer, Value::Int(i)) => Some(i.clone()),
            (Order::Signed(_), Value::BitVec(b)) => Some(IBig::from(b.signed())),
            (Order::Unsigned(_), Value::BitVec(b)) => Some(IBig::from(b.unsigned())),
            _ => None,
        }
    }

    fn sort(self) -> Sort {
        match self {
            Order::Integer => Sort::Int,
            Order::Signed(width) | Order::Unsigned(width) => Sort::BitVec(width),
        }
    }

    /// The smallest and the largest number there is.
    fn range(self) -> Option<(IBig, IBig)> {
        match self {
            Order::Integer => None,
            Order::Signed(width) => {
                let half = IBig::ONE << (width as usize - 1);
                Some((-half.clone(), half - 1))
            }
            Order::Unsigned(width) => Some((IBig::ZERO, (IBig::ONE << width as usize) - 1)),
        }
    }
}

/// The condition as a bound of a term that is not constant. An equality is a bound on both sides.
pub fn bound(terms: &Terms, condition: Term) -> Option<Bound> {
    let (negated, atom) = match (terms.op(condition), terms.args(condition)) {
        (Op::Not, &[atom]) => (true, atom),
        _ => (false, condition),
    };
    let (op, &[a, b]) = (terms.op(atom), terms.args(atom)) else { return None };
    let width = match terms.sort(a) {
        Sort::BitVec(width) => *width,
        Sort::Int => 0,
        _ => return None,
    };
    let order = match op {
        Op::Le if *terms.sort(a) == Sort::Int => Order::Integer,
        Op::Eq if *terms.sort(a) == Sort::Int => Order::Integer,
        Op::Eq | Op::BvSlt => Order::Signed(width),
        Op::BvUlt => Order::Unsigned(width),
        _ => return None,
    };
    let constant = |term: Term| terms.value(term).and_then(|value| order.number(value));
    let (of, number, left) = match (constant(a), constant(b)) {
        (None, Some(number)) => (a, number, true),
        (Some(number), None) => (b, number, false),
        _ => return None,
    };
    let (low, high) = match (op, negated, left) {
        (Op::Eq, false, _) => (Some(number.clone()), Some(number)),
        (Op::Eq, true, _) => return None,
        // of <= n, n <= of
        (Op::Le, false, true) => (None, Some(number)),
        (Op::Le, false, false) => (Some(number), None),
        (Op::Le, true, true) => (Some(number + 1), None),
        (Op::Le, true, false) => (None, Some(number - 1)),
        // of < n, n < of
        (_, false, true) => (None, Some(number - 1)),
        (_, false, false) => (Some(number + 1), None),
        (_, true, true) => (Some(number), None),
        (_, true, false) => (None, Some(number)),
    };
    Some(Bound { of, order, low, high })
}

impl Bound {
    /// The bound as a condition.
    pub fn condition(&self, terms: &mut Terms) -> Term {
        let mut parts = Vec::new();
        if self.low.is_some() && self.low == self.high {
            return self.equality(terms);
        }
        let range = self.order.range();
        if let Some(low) = &self.low
            && range.as_ref().is_none_or(|(least, _)| low > least)
        {
            let below = self.constant(terms, &(low - 1));
            parts.push(match self.order {
                Order::Integer => terms.lt(below, self.of),
                Order::Signed(_) => terms.bv_slt(below, self.of),
                Order::Unsigned(_) => terms.bv_ult(below, self.of),
            });
        }
        if let Some(high) = &self.high
            && range.as_ref().is_none_or(|(_, most)| high < most)
        {
            let above = self.constant(terms, &(high + 1));
            parts.push(match self.order {
                Order::Integer => terms.lt(self.of, above),
                Order::Signed(_) => terms.bv_slt(self.of, above),
                Order::Unsigned(_) => terms.bv_ult(self.of, above),
            });
        }
        terms.and(&parts)
    }

    fn equality(&self, terms: &mut Terms) -> Term {
        let Some(low) = &self.low else { return terms.bool(true) };
        let value = self.constant(terms, low);
        terms.eq(self.of, value)
    }

    fn constant(&self, terms: &mut Terms, number: &IBig) -> Term {
        let value = Value::number(&self.order.sort(), number);
        terms.constant(&value)
    }
}

/// Two bounds of the same term on the same side, or that leave only one value, as one condition.
pub fn tighten(terms: &mut Terms, a: &Bound, b: &Bound) -> Option<Term> {
    if a.of != b.of {
        return None;
    }
    let is_equality = |bound: &Bound| bound.low.is_some() && bound.low == bound.high;
    if a.order != b.order {
        // An equality makes all others superfluous.
        return match (is_equality(a), is_equality(b)) {
            (true, _) => Some(a.condition(terms)),
            (_, true) => Some(b.condition(terms)),
            _ => None,
        };
    }
    let low = a.low.clone().max(b.low.clone());
    let high = match (&a.high, &b.high) {
        (Some(a), Some(b)) => Some(a.min(b).clone()),
        (a, b) => a.clone().or(b.clone()),
    };
    let both = Bound { of: a.of, order: a.order, low, high };
    let one_sided = both.low.is_none() || both.high.is_none();
    (one_sided || is_equality(&both)).then(|| both.condition(terms))
}

/// A bound of a sum `x + k` that, as one of the checks says, does not overflow is a bound of `x`.
pub fn without_overflow(terms: &mut Terms, condition: Term, checks: &[Term]) -> Term {
    let Some(found) = bound(terms, condition) else { return condition };
    if !matches!(found.order, Order::Signed(_)) {
        return condition;
    }
    let form = terms.linear(found.of);
    let [(part, factor)] = &form.parts[..] else { return condition };
    let (part, one) = (*part, factor.is_one());
    let Some(offset) = found.order.number(&form.constant) else { return condition };
    if !one || offset == IBig::ZERO || (found.low.is_some() && found.low == found.high) {
        return condition;
    }
    let Some((least, most)) = found.order.range() else { return condition };
    let protects = |&check: &Term| {
        bound(terms, check).is_some_and(|check| {
            check.of == part
                && check.order == found.order
                && match offset > IBig::ZERO {
                    true => check.high.is_some_and(|high| high <= &most - &offset),
                    false => check.low.is_some_and(|low| low >= &least - &offset),
                }
        })
    };
    if !checks.iter().any(protects) {
        return condition;
    }
    let shift = |limit: &Option<IBig>| limit.as_ref().map(|limit| limit - &offset);
    let moved =
        Bound { of: part, order: found.order, low: shift(&found.low), high: shift(&found.high) };
    // Beyond the range nothing is left, or nothing is excluded.
    let outside =
        |limit: &Option<IBig>| limit.as_ref().is_some_and(|limit| *limit < least || *limit > most);
    if outside(&moved.low) || outside(&moved.high) {
        return condition;
    }
    moved.condition(terms)
}
