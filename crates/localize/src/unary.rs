//! Conditions with one unknown: which value makes one false?
//!
//! The truth of a condition whose atoms compare the unknown with constants changes only at finitely
//! many *critical* values. So it is enough to try those, and one value between each two of them. Where
//! an atom is of another kind the critical values are only good guesses, and the answer may be open.

use crate::invert::{guesses, odd_inverse};
use rustc_hash::FxHashSet;
use term::number::{IBig, RBig};
use term::{Code, Float, Format, Linear, Op, Sort, Term, Terms, Value};

/// Whether a condition can be made false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Falsify {
    /// By this value: the simplest of those that were tried.
    By(Value),
    /// By no value.
    Never,
    Open,
}

/// Bit-vectors up to this width are tried out completely.
const EXHAUSTIVE_WIDTH: u32 = 10;
/// To try values may take so many operations. A long condition has many critical values, and each takes long.
const MOST_OPERATIONS: usize = 3_000_000;
const FEWEST_TRIED: usize = 64;

/// Decides whether some value of `unknown` falsifies the condition, which mentions nothing else.
pub fn falsify(terms: &Terms, condition: Term, unknown: Term) -> Falsify {
    falsify_within(terms, condition, unknown, MOST_OPERATIONS).0
}

/// The same with about so many operations, and how many it took.
pub fn falsify_within(
    terms: &Terms,
    condition: Term,
    unknown: Term,
    most: usize,
) -> (Falsify, usize) {
    if let Some(value) = terms.value(condition) {
        let zero = Value::zero(terms.sort(unknown));
        return (if value.is_true() { Falsify::Never } else { Falsify::By(zero) }, 0);
    }
    let (candidates, complete) = candidates(terms, condition, unknown);
    // It is false if all parts of what it denies hold, and mostly one of the first does not.
    let parts = match (terms.op(condition), terms.args(condition)) {
        (Op::Not, &[denied]) if terms.op(denied) == Op::And => Some(terms.args(denied)),
        (Op::Not, denied) => Some(denied),
        _ => None,
    };
    let code = Code::compile(terms, parts.unwrap_or(&[condition]));
    let mut operations = 0;
    for (tried, candidate) in candidates.into_iter().enumerate() {
        if operations > most && tried >= FEWEST_TRIED {
            return (Falsify::Open, operations);
        }
        let of = &mut |v| (v == unknown).then(|| candidate.clone());
        let (is_false, took) = match parts {
            Some(_) => code.all_hold(of).unwrap_or_default(),
            None => {
                let result = code.run(of);
                let is_false = result.is_ok_and(|values| values == [Value::Bool(false)]);
                (is_false, code.operations())
            }
        };
        operations += took;
        if is_false {
            return (Falsify::By(candidate), operations);
        }
    }
    (if complete { Falsify::Never } else { Falsify::Open }, operations)
}

/// Values worth trying, simplest first, and whether they decide.
pub fn candidates(terms: &Terms, condition: Term, unknown: Term) -> (Vec<Value>, bool) {
    let sort = terms.sort(unknown);
    match sort {
        Sort::Bool => (vec![Value::Bool(false), Value::Bool(true)], true),
        Sort::BitVec(width) if *width <= EXHAUSTIVE_WIDTH => {
            let mut all: Vec<Value> =
                (0..1u128 << width).map(|b| Value::bitvec(*width, b)).collect();
            simplest_first(&mut all);
            (all, true)
        }
        Sort::Array(_) => (vec![Value::zero(sort)], false),
        Sort::Float(format) => {
            let mut values = floats(terms, condition, *format);
            values.extend(guesses(terms, condition, unknown));
            simplest_first(&mut values);
            (values, false)
        }
        Sort::Int | Sort::Real | Sort::BitVec(_) => {
            let inner = match (terms.op(condition), terms.args(condition)) {
                (Op::Not, &[inner]) => inner,
                _ => condition,
            };
            let nodes = terms.reachable(&[condition]);
            // Arguments come first.
            let mut mentioning: FxHashSet<Term> = [unknown].into_iter().collect();
            for &node in &nodes {
                if terms.args(node).iter().any(|arg| mentioning.contains(arg)) {
                    mentioning.insert(node);
                }
            }
            let mut critical = Critical {
                terms,
                unknown,
                mentioning,
                single_atom: matches!(terms.op(inner), Op::Eq),
                values: Vec::new(),
                complete: true,
            };
            critical.visit(&nodes);
            let Critical { mut values, complete, .. } = critical;
            if *sort == Sort::Real {
                values = with_midpoints(values);
            }
            values.extend([-1, 0, 1, 2].map(|i| Value::number(sort, &IBig::from(i))));
            if !complete {
                values.extend(guesses(terms, condition, unknown));
            }
            simplest_first(&mut values);
            (values, complete)
        }
    }
}

/// Sorts by magnitude, positive before negative, without repetitions.
pub fn simplest_first(values: &mut Vec<Value>) {
    values.sort_by_cached_key(magnitude);
    values.dedup();
}

/// Whether a value is simpler than another, in the order of [`simplest_first`].
pub fn is_simpler(value: &Value, than: &Value) -> bool {
    magnitude(value) < magnitude(than)
}

fn magnitude(value: &Value) -> (RBig, bool) {
    let number = match value {
        Value::Int(i) => RBig::from(i.clone()),
        Value::Real(r) => r.clone(),
        Value::BitVec(b) => RBig::from(IBig::from(b.signed())),
        Value::Bool(b) => RBig::from(IBig::from(u8::from(*b))),
        Value::Float(x) => {
            // What is no number comes last.
            let beyond = |_| RBig::from(IBig::ONE << if x.is_nan() { 1025 } else { 1024 });
            let number = RBig::try_from(x.magnitude().to_f64()).unwrap_or_else(beyond);
            // Few digits are simpler than a small number: 35.2 than 35.155000000000001.
            let digits = IBig::from(x.magnitude().to_string().len());
            let number = number + RBig::from(digits << 1100);
            return (number, x.to_f64().is_sign_negative());
        }
        Value::Array(_) => RBig::ZERO,
    };
    if number < RBig::ZERO { (-number, true) } else { (number, false) }
}

/// The constants of the condition and their neighbours, and numbers that behave in their own ways.
fn floats(terms: &Terms, condition: Term, format: Format) -> Vec<Value> {
    let mut values: Vec<Float> = [0.0, 1.0, -1.0, 2.0, 0.5, f64::INFINITY, f64::NAN]
        .map(|x| Float::double(x).convert(format))
        .into();
    for node in terms.reachable(&[condition]) {
        if let Some(Value::Float(x)) = terms.value(node)
            && x.format() == format
        {
            let bits = [x.bits(), x.bits().wrapping_add(1), x.bits().wrapping_sub(1)];
            values.extend(bits.map(|bits| Float::new(format, bits)));
        }
    }
    let mut values: Vec<Value> = values.into_iter().map(Value::Float).collect();
    simplest_first(&mut values);
    values
}

fn with_midpoints(mut values: Vec<Value>) -> Vec<Value> {
    values.sort();
    let half = Value::Real(RBig::from_parts(IBig::ONE, 2u8.into()));
    let between: Vec<Value> =
        values.windows(2).map(|pair| pair[0].add(&pair[1]).mul(&half)).collect();
    values.extend(between);
    values
}

struct Critical<'a> {
    terms: &'a Terms,
    unknown: Term,
    /// The terms in which it occurs.
    mentioning: FxHashSet<Term>,
    /// Whether the condition is an atom or a negated atom.
    single_atom: bool,
    values: Vec<Value>,
    complete: bool,
}

impl Critical<'_> {
    fn visit(&mut self, nodes: &[Term]) {
        for &node in nodes {
            if *self.terms.sort(node) != Sort::Bool {
                continue;
            }
            let args = self.terms.args(node);
            match self.terms.op(node) {
                Op::Const(_) | Op::Var(_) | Op::Not | Op::And | Op::Or => {}
                Op::Ite => {}
                Op::Eq if *self.terms.sort(args[0]) == Sort::Bool => {}
                Op::Eq if matches!(self.terms.sort(args[0]), Sort::BitVec(_)) => {
                    self.bit_vector_equation(args[0], args[1]);
                }
                Op::Eq | Op::Le | Op::Lt | Op::BvUlt | Op::BvSlt => self.atom(args[0], args[1]),
                _ => self.complete &= !self.mentioning.contains(&node),
            }
        }
    }

    /// The values around which a comparison of `a` and `b` may change.
    fn atom(&mut self, a: Term, b: Term) {
        if !self.mentioning.contains(&a) && !self.mentioning.contains(&b) {
            return;
        }
        if !self.terms.sort(a).is_numeric() {
            self.complete = false;
            return;
        }
        let sort = self.terms.sort(a).clone();
        if let Sort::BitVec(width) = sort {
            // Each side is a form ±x + k; it may change where a side meets the other side's constant
            // or where it wraps around (unsigned at 0, signed at the smallest value).
            let marks = [0, 1u128 << (width - 1)].map(|bits| Value::bitvec(width, bits));
            for (side, other) in [(a, b), (b, a)] {
                let form = self.terms.linear(side);
                if form.parts.is_empty() {
                    continue;
                }
                let other = self.terms.linear(other);
                self.complete &= other.parts.is_empty();
                for mark in marks.iter().chain([&other.constant]) {
                    self.root(&form, mark, &sort);
                }
            }
        } else {
            let form = self.terms.difference(a, b);
            self.root(&form, &Value::zero(&sort), &sort);
        }
    }

    /// The solution of `c·x + k = 0` modulo 2^width, if there is one, and a value beside it.
    fn bit_vector_equation(&mut self, a: Term, b: Term) {
        let form = self.terms.difference(a, b);
        if !form.parts.iter().any(|(part, _)| self.mentioning.contains(part)) {
            return;
        }
        let ([(part, Value::BitVec(c))], Value::BitVec(k)) = (&form.parts[..], &form.constant)
        else {
            self.complete = false;
            return;
        };
        if *part != self.unknown {
            self.complete = false;
            return;
        }
        let (shift, right) = (c.unsigned().trailing_zeros(), k.unsigned().wrapping_neg());
        let width = c.width();
        let right = Value::bitvec(width, right);
        let Value::BitVec(right) = right else { return };
        let mut one = Value::bitvec(width, 0);
        if right.unsigned() == 0 || right.unsigned().trailing_zeros() >= shift {
            let odd = c.unsigned() >> shift;
            let solution = (right.unsigned() >> shift).wrapping_mul(odd_inverse(odd));
            // Any solution will do: they differ in the high bits, which the coefficient removes.
            let solution = Value::bitvec(width - shift, solution);
            if let Value::BitVec(low) = solution {
                one = Value::bitvec(width, low.unsigned());
            }
            self.values.push(one.clone());
        }
        // With several atoms only the values around unit coefficients cut the range into intervals.
        self.complete &= c.unsigned() == 1 || self.single_atom;
        self.values.push(one.add(&Value::bitvec(width, 1)));
    }

    /// Adds the solution of `form = target` and its neighbours.
    fn root(&mut self, form: &Linear, target: &Value, sort: &Sort) {
        let [(part, coefficient)] = &form.parts[..] else {
            self.complete = false;
            return;
        };
        if *part != self.unknown {
            self.complete = false;
            return;
        }
        let right = target.add(&form.constant.neg());
        let solution = match (coefficient, &right) {
            (Value::Real(c), Value::Real(r)) => Value::Real(r / c),
            (Value::Int(c), Value::Int(r)) => Value::Int(r / c),
            (c, r) if c.is_one() => r.clone(),
            (c, r) if c.neg().is_one() => r.neg(),
            _ => {
                self.complete = false;
                return;
            }
        };
        let one = Value::number(sort, &IBig::ONE);
        self.values.push(solution.add(&one.neg()));
        self.values.push(solution.add(&one));
        self.values.push(solution);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(t: &mut Terms, n: i32) -> Term {
        t.constant(&Value::int(n))
    }

    #[test]
    fn integer_intervals_are_decided() {
        let mut t = Terms::new();
        let x = t.var("x", &Sort::Int);
        let (zero, ten) = (int(&mut t, 0), int(&mut t, 10));
        let small = t.lt(x, ten);
        assert_eq!(falsify(&t, small, x), Falsify::By(Value::int(10)));
        let nonzero = t.ne(x, zero);
        let both = t.and(&[small, nonzero]);
        assert_eq!(falsify(&t, both, x), Falsify::By(Value::int(0)));
        let large = t.not(small);
        let always = t.or(&[small, large]);
        assert_eq!(falsify(&t, always, x), Falsify::Never);
        let two = int(&mut t, 2);
        let rest = t.modulo(x, two);
        let odd_or_even = t.le(rest, ten);
        assert_eq!(falsify(&t, odd_or_even, x), Falsify::Open);
    }

    #[test]
    fn wide_bit_vectors_by_critical_values() {
        let mut t = Terms::new();
        let sort = Sort::BitVec(32);
        let x = t.var("x", &sort);
        let c = |t: &mut Terms, n: u128| t.constant(&Value::bitvec(32, n));
        let (five, big) = (c(&mut t, 5), c(&mut t, 200));
        let shifted = t.add(&[x, five]);
        let guard = t.bv_slt(shifted, big);
        assert_eq!(falsify(&t, guard, x), Falsify::By(Value::bitvec(32, 195)));
        let high = c(&mut t, 0x7fff_fffe);
        let nearly = t.bv_slt(high, x); // only the largest value
        let never = t.not(nearly);
        assert_eq!(falsify(&t, never, x), Falsify::By(Value::bitvec(32, 0x7fff_ffff)));
    }
}
