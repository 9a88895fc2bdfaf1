//! Good guesses for a value of the unknown at which a condition changes.
//!
//! Where an atom compares something with a constant, the interesting values of the something are that
//! constant and its neighbours. These are pulled through the operators towards the unknown: `x * 3 % 1000`
//! is 49 if `x * 3` is 49, 1049, 2049 …, so if `x` is 683. Whether a guess is right is found out by
//! evaluation; so an operator may be inverted sloppily, or not at all.

use rustc_hash::FxHashSet;
use term::{Float, Op, Sort, Term, Terms, Value};

/// The most pairs of a term and a value for it that are looked at, and the most guesses.
const MOST_TARGETS: usize = 400;
const MOST_GUESSES: usize = 64;

/// Values of the unknown, in the order of their discovery.
pub fn guesses(terms: &Terms, condition: Term, unknown: Term) -> Vec<Value> {
    let mut search = Search {
        terms,
        unknown,
        work: Vec::new(),
        seen: FxHashSet::default(),
        found: Vec::new(),
        dependent: FxHashSet::default(),
    };
    // Arguments are older than what is built from them, so one pass finds what depends on the unknown.
    for node in terms.reachable(&[condition]) {
        if node == unknown || terms.args(node).iter().any(|a| search.dependent.contains(a)) {
            search.dependent.insert(node);
        }
    }
    for node in terms.reachable(&[condition]) {
        if search.dependent.contains(&node) && *terms.sort(node) == Sort::Bool {
            search.atom(node);
        }
    }
    let mut next = 0;
    while next < search.work.len() && search.found.len() < MOST_GUESSES {
        let (term, target) = search.work[next].clone();
        next += 1;
        search.invert(term, &target);
    }
    search.found
}

struct Search<'a> {
    terms: &'a Terms,
    unknown: Term,
    work: Vec<(Term, Value)>,
    seen: FxHashSet<(Term, Value)>,
    found: Vec<Value>,
    /// The terms that mention the unknown.
    dependent: FxHashSet<Term>,
}

impl Search<'_> {
    /// The values of the sides of an atom at which it may change.
    fn atom(&mut self, node: Term) {
        let args = self.terms.args(node).to_vec();
        let &[a, b] = &args[..] else { return };
        for (side, other) in [(a, b), (b, a)] {
            if !self.dependent.contains(&side) || *self.terms.sort(side) == Sort::Bool {
                continue;
            }
            match self.terms.op(node) {
                Op::Eq | Op::BvUlt | Op::BvSlt | Op::FpEq | Op::FpLt | Op::FpLe => {
                    if let Some(value) = self.terms.value(other) {
                        for near in neighbours(value) {
                            self.add(side, near);
                        }
                    }
                }
                Op::BvSaddOverflow | Op::BvSsubOverflow | Op::BvSmulOverflow => {
                    if let Sort::BitVec(width) = *self.terms.sort(side) {
                        let least = 1u128 << (width - 1);
                        self.add(side, Value::bitvec(width, least - 1));
                        self.add(side, Value::bitvec(width, least));
                        self.add(side, Value::bitvec(width, 1u128 << (width / 2)));
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, term: Term, value: Value) {
        if !self.dependent.contains(&term) || value.sort() != *self.terms.sort(term) {
            return;
        }
        if self.work.len() < MOST_TARGETS && self.seen.insert((term, value.clone())) {
            self.work.push((term, value));
        }
    }

    /// Values of the arguments with which the term may have a value.
    fn invert(&mut self, term: Term, target: &Value) {
        if term == self.unknown {
            self.found.push(target.clone());
            return;
        }
        let args = self.terms.args(term).to_vec();
        match (self.terms.op(term), target) {
            (Op::Ite, _) => {
                for &arm in &args[1..] {
                    self.add(arm, target.clone());
                }
            }
            (op, Value::BitVec(bits)) => self.invert_bits(op, &args, bits.unsigned(), bits.width()),
            (op, Value::Float(float)) => self.invert_float(op, &args, *float),
            _ => {}
        }
    }

    fn constant(&self, term: Term) -> Option<u128> {
        match self.terms.value(term) {
            Some(Value::BitVec(bits)) => Some(bits.unsigned()),
            _ => None,
        }
    }

    fn width(&self, term: Term) -> u32 {
        match self.terms.sort(term) {
            Sort::BitVec(width) => *width,
            _ => 0,
        }
    }

    fn bits(&mut self, term: Term, value: u128) {
        let width = self.width(term);
        if width > 0 {
            self.add(term, Value::bitvec(width, value));
        }
    }

    fn invert_bits(&mut self, op: Op, args: &[Term], target: u128, width: u32) {
        match (op, args) {
            (Op::Add, _) => {
                // All other summands must be constants.
                for (n, &side) in args.iter().enumerate() {
                    let others = args.iter().enumerate().filter(|(m, _)| *m != n);
                    let sum = others
                        .map(|(_, &other)| self.constant(other))
                        .try_fold(0u128, |sum, part| Some(sum.wrapping_add(part?)));
                    if let Some(sum) = sum {
                        self.bits(side, target.wrapping_sub(sum));
                    }
                }
            }
            (Op::Mul, &[a, b]) => {
                for (side, other) in [(a, b), (b, a)] {
                    let Some(factor) = self.constant(other).filter(|&factor| factor != 0) else {
                        continue;
                    };
                    self.bits(side, target / factor);
                    self.bits(side, (target / factor).wrapping_add(1));
                    let negative = Value::bitvec(width, target.wrapping_neg());
                    if let Value::BitVec(negative) = negative {
                        self.bits(side, (negative.unsigned() / factor).wrapping_neg());
                    }
                    if factor % 2 == 1 {
                        self.bits(side, target.wrapping_mul(odd_inverse(factor)));
                    }
                }
                if a == b {
                    self.bits(a, integer_root(target));
                }
            }
            (Op::BvUrem | Op::BvSrem, &[a, b]) => {
                self.bits(a, target);
                if let Some(modulus) = self.constant(b) {
                    for times in 1..=4u128 {
                        self.bits(a, target.wrapping_add(modulus.wrapping_mul(times)));
                    }
                }
            }
            (Op::BvUdiv | Op::BvSdiv, &[a, b]) => {
                if let Some(divisor) = self.constant(b) {
                    self.bits(a, target.wrapping_mul(divisor));
                    let last = divisor.wrapping_sub(1);
                    self.bits(a, target.wrapping_mul(divisor).wrapping_add(last));
                }
                if let Some(dividend) = self.constant(a) {
                    self.bits(b, dividend.checked_div(target).unwrap_or(0));
                }
            }
            (Op::BvNot, &[a]) => self.bits(a, !target),
            (Op::BvAnd | Op::BvOr, &[a, b]) => {
                self.bits(a, target);
                self.bits(b, target);
            }
            (Op::BvXor, &[a, b]) => {
                for (side, other) in [(a, b), (b, a)] {
                    if let Some(mask) = self.constant(other) {
                        self.bits(side, target ^ mask);
                    }
                }
            }
            (Op::BvShl, &[a, by]) => {
                if let Some(by) = self.constant(by).and_then(|by| u32::try_from(by).ok()) {
                    self.bits(a, target.checked_shr(by).unwrap_or(0));
                }
            }
            (Op::BvLshr | Op::BvAshr, &[a, by]) => {
                if let Some(by) = self.constant(by).and_then(|by| u32::try_from(by).ok()) {
                    self.bits(a, target.checked_shl(by).unwrap_or(0));
                }
            }
            (Op::Extract { low }, &[a]) => self.bits(a, target.checked_shl(low).unwrap_or(0)),
            (Op::ZeroExtend | Op::SignExtend, &[a]) => self.bits(a, target),
            (Op::Concat, &[high, low]) => {
                let below = self.width(low);
                self.bits(low, target);
                self.bits(high, target.checked_shr(below).unwrap_or(0));
            }
            (Op::FpToBits, &[a]) => {
                if let Sort::Float(format) = *self.terms.sort(a) {
                    self.add(a, Value::Float(Float::new(format, target as u64)));
                }
            }
            (Op::FpToSigned | Op::FpToUnsigned, &[a]) => {
                if let (Sort::Float(format), Value::BitVec(bits)) =
                    (self.terms.sort(a).clone(), Value::bitvec(width, target))
                {
                    self.add(a, Value::Float(Float::double(bits.signed() as f64).convert(format)));
                }
            }
            _ => {}
        }
    }

    fn invert_float(&mut self, op: Op, args: &[Term], target: Float) {
        let goal = target.to_f64();
        let known = |search: &Self, term: Term| match search.terms.value(term) {
            Some(Value::Float(float)) => Some(float.to_f64()),
            _ => None,
        };
        let mut wanted: Vec<(Term, f64)> = Vec::new();
        match (op, args) {
            (Op::FpAdd, &[a, b]) => {
                wanted.extend(known(self, b).map(|b| (a, goal - b)));
                wanted.extend(known(self, a).map(|a| (b, goal - a)));
            }
            (Op::FpSub, &[a, b]) => {
                wanted.extend(known(self, b).map(|b| (a, goal + b)));
                wanted.extend(known(self, a).map(|a| (b, a - goal)));
            }
            (Op::FpMul, &[a, b]) => {
                wanted.extend(known(self, b).map(|b| (a, goal / b)));
                wanted.extend(known(self, a).map(|a| (b, goal / a)));
                if a == b {
                    wanted.push((a, goal.sqrt()));
                }
            }
            (Op::FpDiv, &[a, b]) => {
                wanted.extend(known(self, b).map(|b| (a, goal * b)));
                wanted.extend(known(self, a).map(|a| (b, a / goal)));
            }
            (Op::FpNeg, &[a]) => wanted.push((a, -goal)),
            (Op::FpAbs | Op::FpConvert | Op::FpRound(_), &[a]) => wanted.push((a, goal)),
            (Op::FpSqrt, &[a]) => wanted.push((a, goal * goal)),
            (Op::FpFromSigned | Op::FpFromUnsigned, &[a]) => {
                self.bits(a, (goal as i128) as u128);
            }
            (Op::FpFromBits, &[a]) => self.bits(a, u128::from(target.bits())),
            _ => {}
        }
        for (term, value) in wanted {
            if let Sort::Float(format) = *self.terms.sort(term) {
                let near = Float::double(value).convert(format);
                for value in neighbours(&Value::Float(near)) {
                    self.add(term, value);
                }
            }
        }
    }
}

/// A value and those beside it.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::BitVec(bits) => {
            let (width, bits) = (bits.width(), bits.unsigned());
            [bits, bits.wrapping_add(1), bits.wrapping_sub(1)]
                .map(|bits| Value::bitvec(width, bits))
                .to_vec()
        }
        Value::Float(float) => {
            let bits = float.bits();
            [bits, bits.wrapping_add(1), bits.wrapping_sub(1)]
                .map(|bits| Value::Float(Float::new(float.format(), bits)))
                .to_vec()
        }
        other => vec![other.clone()],
    }
}

/// The inverse of an odd number modulo 2^128.
pub fn odd_inverse(odd: u128) -> u128 {
    // Newton's iteration doubles the number of correct low bits; 3 are correct to begin with.
    (0..6).fold(odd, |guess, _| guess.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(guess))))
}

/// The largest number whose square is not larger.
fn integer_root(square: u128) -> u128 {
    let mut root = (square as f64).sqrt() as u128;
    while root.checked_mul(root).is_none_or(|s| s > square) {
        root -= 1;
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn through_products_remainders_and_parts_of_words() {
        let mut t = Terms::new();
        let x = t.var("x", &Sort::BitVec(64));
        let c = |t: &mut Terms, width: u32, n: u128| t.constant(&Value::bitvec(width, n));
        let (three, thousand) = (c(&mut t, 64, 3), c(&mut t, 64, 1000));
        let product = t.mul(x, three);
        let rest = t.make(Op::BvUrem, &Sort::BitVec(64), &[product, thousand]);
        let low = t.extract(rest, 0, 32);
        let goal = c(&mut t, 32, 49);
        let condition = t.ne(low, goal);
        assert!(guesses(&t, condition, x).contains(&Value::bitvec(64, 683)));
    }

    #[test]
    fn through_floating_point_arithmetic() {
        let mut t = Terms::new();
        let x = t.var("x", &Sort::Float(term::Format::Double));
        let (half, ten) = (t.constant(&Value::double(0.5)), t.constant(&Value::double(10.0)));
        let area = t.fp_mul(x, half);
        let right = t.fp_eq(area, ten);
        assert!(guesses(&t, right, x).contains(&Value::double(20.0)));
    }
}
