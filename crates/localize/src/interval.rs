//! Intervals: what can be said of a term when all that is known of its variables are bounds.
//!
//! A cheap proof that a condition holds (or fails) whatever the variables are: evaluate it with
//! intervals instead of numbers. `c + a mod 3 >= 0` with `c` at least 0 needs no solver. Integers have
//! possibly unbounded intervals; bit-vectors have intervals of their unsigned values; booleans are
//! true, false or open.

use rustc_hash::FxHashMap;
use term::number::IBig;
use term::{Op, Sort, Term, Terms, Value};

/// What is known of a value. For booleans, 0 and 1 stand for false and true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    low: Option<IBig>,
    high: Option<IBig>,
}

/// Intervals of variables.
pub type Bounds = FxHashMap<Term, Interval>;

impl Interval {
    fn any() -> Interval {
        Interval { low: None, high: None }
    }

    fn point(value: IBig) -> Interval {
        Interval { low: Some(value.clone()), high: Some(value) }
    }

    fn between(low: impl Into<IBig>, high: impl Into<IBig>) -> Interval {
        Interval { low: Some(low.into()), high: Some(high.into()) }
    }

    /// All values of a sort.
    pub fn of_sort(sort: &Sort) -> Interval {
        match sort {
            Sort::Bool => Interval::between(0, 1),
            Sort::BitVec(width) => Interval::between(0, (IBig::ONE << *width as usize) - IBig::ONE),
            _ => Interval::any(),
        }
    }

    fn truth(holds: Option<bool>) -> Interval {
        match holds {
            Some(value) => Interval::point(IBig::from(u8::from(value))),
            None => Interval::between(0, 1),
        }
    }

    /// The truth value, if it is decided.
    pub fn as_truth(&self) -> Option<bool> {
        match (&self.low, &self.high) {
            (Some(low), Some(high)) if low == high => Some(!low.is_zero()),
            _ => None,
        }
    }

    /// Whether it is one value.
    pub fn is_point(&self) -> bool {
        self.low.is_some() && self.low == self.high
    }

    /// The smallest value, if there is one.
    pub fn low(&self) -> Option<&IBig> {
        self.low.as_ref()
    }

    fn join(&self, other: &Interval) -> Interval {
        let pick = |a: &Option<IBig>, b: &Option<IBig>, lower: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a < b) == lower { a.clone() } else { b.clone() }),
            _ => None,
        };
        Interval {
            low: pick(&self.low, &other.low, true),
            high: pick(&self.high, &other.high, false),
        }
    }

    fn add(&self, other: &Interval) -> Interval {
        let sum = |a: &Option<IBig>, b: &Option<IBig>| Some(a.as_ref()? + b.as_ref()?);
        Interval { low: sum(&self.low, &other.low), high: sum(&self.high, &other.high) }
    }

    pub fn scale(&self, factor: &IBig) -> Interval {
        let times = |a: &Option<IBig>| a.as_ref().map(|a| a * factor);
        let (low, high) = (times(&self.low), times(&self.high));
        match factor.is_zero() {
            true => Interval::point(IBig::ZERO),
            false if *factor < IBig::ZERO => Interval { low: high, high: low },
            false => Interval { low, high },
        }
    }

    fn mul(&self, other: &Interval) -> Interval {
        let corners = || {
            let (a, b) = (self.low.as_ref()?, self.high.as_ref()?);
            let (c, d) = (other.low.as_ref()?, other.high.as_ref()?);
            let products = [a * c, a * d, b * c, b * d];
            let low = products.iter().min().cloned();
            Some(Interval { low, high: products.into_iter().max() })
        };
        if let Some(interval) = corners() {
            return interval;
        }
        let nonnegative = |i: &Interval| i.low.as_ref().is_some_and(|l| *l >= IBig::ZERO);
        let low = (nonnegative(self) && nonnegative(other)).then_some(IBig::ZERO);
        Interval { low, high: None }
    }

    /// Surely below, surely not below, or open.
    fn less(&self, other: &Interval, or_equal: bool) -> Option<bool> {
        let below = |a: &IBig, b: &IBig| if or_equal { a <= b } else { a < b };
        match (&self.high, &other.low) {
            (Some(high), Some(low)) if below(high, low) => return Some(true),
            _ => {}
        }
        match (&self.low, &other.high) {
            (Some(low), Some(high)) if !below(low, high) => Some(false),
            _ => None,
        }
    }
}

/// The interval of a term under bounds on its variables.
pub fn interval(terms: &Terms, term: Term, bounds: &Bounds) -> Interval {
    let mut known: FxHashMap<Term, Interval> = FxHashMap::default();
    for node in terms.reachable(&[term]) {
        let result = node_interval(terms, node, bounds, &known);
        known.insert(node, result);
    }
    known.remove(&term).unwrap_or_else(Interval::any)
}

fn node_interval(
    terms: &Terms,
    node: Term,
    bounds: &Bounds,
    known: &FxHashMap<Term, Interval>,
) -> Interval {
    let sort = terms.sort(node);
    if let Some(value) = terms.value(node) {
        return match value {
            Value::Bool(b) => Interval::truth(Some(*b)),
            Value::Int(i) => Interval::point(i.clone()),
            Value::BitVec(b) => Interval::point(IBig::from(b.unsigned())),
            Value::Real(_) | Value::Float(_) | Value::Array(_) => Interval::any(),
        };
    }
    if terms.is_var(node) {
        return bounds.get(&node).cloned().unwrap_or_else(|| Interval::of_sort(sort));
    }
    let args: Vec<&Interval> = terms.args(node).iter().map(|a| &known[a]).collect();
    let inner = terms.sort(terms.args(node)[0]);
    let exact = match (terms.op(node), &args[..]) {
        (Op::Not, [a]) => Interval::truth(a.as_truth().map(|t| !t)),
        (Op::And, _) => Interval::truth(all(&args, false)),
        (Op::Or, _) => Interval::truth(all(&args, true)),
        (Op::Ite, [c, a, b]) => match c.as_truth() {
            Some(true) => (*a).clone(),
            Some(false) => (*b).clone(),
            None => a.join(b),
        },
        (Op::Eq, [a, b]) if !matches!(inner, Sort::Array(_) | Sort::Real | Sort::Float(_)) => {
            let apart = a.less(b, false) == Some(true) || b.less(a, false) == Some(true);
            let same = a.is_point() && a == b;
            Interval::truth(if apart { Some(false) } else { same.then_some(true) })
        }
        (Op::Le, [a, b]) if *inner == Sort::Int => Interval::truth(a.less(b, true)),
        (Op::BvUlt, [a, b]) => Interval::truth(a.less(b, false)),
        (Op::BvSlt, [a, b]) => Interval::truth(signed(a, inner).less(&signed(b, inner), false)),
        (Op::Add, _) if *sort != Sort::Real => {
            args.iter().fold(Interval::point(IBig::ZERO), |sum, a| sum.add(a))
        }
        (Op::Mul, [a, b]) if *sort != Sort::Real => match terms.value(terms.args(node)[0]) {
            Some(Value::Int(factor)) => b.scale(factor),
            _ => a.mul(b),
        },
        (Op::Mod, [a, b]) => modulo(a, b),
        (Op::Div, [a, b]) if *sort == Sort::Int => divide(a, b),
        (Op::BvUrem, [_, b]) if b.low.as_ref().is_some_and(|l| *l > IBig::ZERO) => {
            Interval { low: Some(IBig::ZERO), high: b.high.as_ref().map(|h| h - IBig::ONE) }
        }
        (Op::BvAnd, [a, b]) => {
            Interval { low: Some(IBig::ZERO), high: std::cmp::min(a.high.clone(), b.high.clone()) }
        }
        (Op::BvLshr, [a, _]) => Interval { low: Some(IBig::ZERO), high: a.high.clone() },
        (Op::ZeroExtend, [a]) => (*a).clone(),
        _ => Interval::of_sort(sort),
    };
    match sort {
        // A sum that may wrap around can be anything.
        Sort::BitVec(_) => {
            let full = Interval::of_sort(sort);
            let fits = full.less(&exact, true) != Some(false)
                && exact.low >= full.low
                && exact.high.is_some()
                && exact.high <= full.high;
            if fits { exact } else { full }
        }
        _ => exact,
    }
}

/// The conjunction (`absorbing` false) or disjunction (`absorbing` true) of truth values.
fn all(args: &[&Interval], absorbing: bool) -> Option<bool> {
    let truths: Vec<Option<bool>> = args.iter().map(|a| a.as_truth()).collect();
    if truths.contains(&Some(absorbing)) {
        Some(absorbing)
    } else if truths.contains(&None) {
        None
    } else {
        Some(!absorbing)
    }
}

/// The signed values of an interval of unsigned ones; all if it crosses the sign.
fn signed(unsigned: &Interval, sort: &Sort) -> Interval {
    let Sort::BitVec(width) = sort else { return Interval::any() };
    let half = IBig::ONE << (*width as usize - 1);
    match (&unsigned.low, &unsigned.high) {
        (Some(_), Some(high)) if *high < half => unsigned.clone(),
        (Some(low), Some(_)) if *low >= half => {
            unsigned.add(&Interval::point(-(IBig::ONE << *width as usize)))
        }
        _ => Interval::between(-&half, half - IBig::ONE),
    }
}

/// Euclidean remainder: between 0 and the divisor, or the dividend itself if the divisor may be zero.
fn modulo(a: &Interval, b: &Interval) -> Interval {
    let magnitude = match (&b.low, &b.high) {
        (Some(low), Some(high)) if *low > IBig::ZERO => high.clone(),
        (Some(low), Some(high)) if *high < IBig::ZERO => -low,
        _ => return Interval::any(),
    };
    let remainder = Interval::between(0, &magnitude - IBig::ONE);
    match (&a.low, &a.high) {
        (Some(low), Some(high)) if *low >= IBig::ZERO && b.low == b.high && *high < magnitude => {
            a.clone()
        }
        _ => remainder,
    }
}

fn divide(a: &Interval, b: &Interval) -> Interval {
    use term::number::div_euclid;
    match (&b.low, &b.high) {
        (Some(low), Some(high)) if low == high && *low > IBig::ZERO => Interval {
            low: a.low.as_ref().map(|l| div_euclid(l, low)),
            high: a.high.as_ref().map(|h| div_euclid(h, low)),
        },
        _ => Interval::any(),
    }
}

/// Bounds that follow at once from conditions which hold: `x <= 5`, `x == 3`, and conjunctions of such.
pub fn bounds(terms: &Terms, conditions: &[Term]) -> Bounds {
    let mut bounds = Bounds::default();
    let mut stack = conditions.to_vec();
    while let Some(condition) = stack.pop() {
        match (terms.op(condition), terms.args(condition)) {
            (Op::And, args) => stack.extend_from_slice(args),
            (op @ (Op::Le | Op::Eq), &[a, b]) if *terms.sort(a) == Sort::Int => {
                let form = terms.difference(a, b);
                let ([(variable, Value::Int(c))], Value::Int(k)) =
                    (&form.parts[..], &form.constant)
                else {
                    continue;
                };
                if !terms.is_var(*variable) {
                    continue;
                }
                let own = bounds.entry(*variable).or_insert_with(Interval::any);
                // c·x + k <= 0, with c = ±1 by the normal form.
                let (upper, lower) = (-k, k.clone());
                if *c == IBig::ONE || op == Op::Eq && *c == IBig::NEG_ONE {
                    let value = if *c == IBig::ONE { upper } else { lower };
                    if own.high.as_ref().is_none_or(|h| value < *h) {
                        own.high = Some(value.clone());
                    }
                    if op == Op::Eq && own.low.as_ref().is_none_or(|l| value > *l) {
                        own.low = Some(value);
                    }
                } else if *c == IBig::NEG_ONE && own.low.as_ref().is_none_or(|l| lower > *l) {
                    own.low = Some(lower);
                }
            }
            _ => {}
        }
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_bounded_things() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", &Sort::Int), t.var("y", &Sort::Int));
        let c = |t: &mut Terms, n: i32| t.constant(&Value::int(n));
        let (three, zero, five) = (c(&mut t, 3), c(&mut t, 0), c(&mut t, 5));
        let rest = t.modulo(x, three);
        let sum = t.add(&[rest, y]);
        let positive = t.le(zero, sum);
        assert_eq!(interval(&t, positive, &Bounds::default()).as_truth(), None);
        let (low, high) = (t.le(zero, y), t.le(y, five));
        let known = bounds(&t, &[low, high]);
        assert_eq!(known[&y], Interval::between(0, 5));
        assert_eq!(interval(&t, positive, &known).as_truth(), Some(true));
        let eight = c(&mut t, 8);
        let too_large = t.le(eight, sum);
        assert_eq!(interval(&t, too_large, &known).as_truth(), Some(false));
        let equal = t.eq(y, three);
        assert_eq!(bounds(&t, &[equal])[&y], Interval::between(3, 3));
    }

    /// Intervals contain the values, on random small terms.
    #[test]
    fn sound_on_random_terms() {
        let mut t = Terms::new();
        let sort = Sort::BitVec(3);
        let mut pool: Vec<Term> = vec![t.var("a", &sort), t.var("b", &sort)];
        let mut conditions = Vec::new();
        let mut state = 1u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % n
        };
        for round in 0..400 {
            let (x, y) = (pool[below(pool.len())], pool[below(pool.len())]);
            let ops = [Op::BvAnd, Op::BvUrem, Op::BvLshr, Op::BvOr, Op::BvShl];
            let new = match below(9) {
                0 => t.constant(&Value::bitvec(3, below(8) as u128)),
                1 => t.add(&[x, y]),
                2 => t.mul(x, y),
                3 if round > 10 => {
                    let c = if below(2) == 0 { t.bv_slt(x, y) } else { t.bv_ult(x, y) };
                    conditions.push(c);
                    let e = t.eq(x, y);
                    conditions.push(e);
                    t.ite(c, x, y)
                }
                n => t.bit_operation(ops[n % 5], x, y),
            };
            pool.push(new);
        }
        let (a, b) = (pool[0], pool[1]);
        for &term in pool.iter().chain(&conditions) {
            let found = interval(&t, term, &Bounds::default());
            for bits in 0..64u128 {
                let value = term::evaluate(&t, term, &mut |v| {
                    let half = if v == a { bits & 7 } else { bits >> 3 };
                    (v == a || v == b).then(|| Value::bitvec(3, half))
                });
                let number = match value.unwrap() {
                    Value::Bool(b) => IBig::from(u8::from(b)),
                    Value::BitVec(b) => IBig::from(b.unsigned()),
                    other => panic!("{other}"),
                };
                assert!(found.low.as_ref().is_none_or(|l| *l <= number), "{found:?} {number}");
                assert!(found.high.as_ref().is_none_or(|h| *h >= number), "{found:?} {number}");
            }
        }
    }
}
