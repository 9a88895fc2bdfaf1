//! Comparison and division of numbers.
//!
//! Integer comparisons become `L <= k` or `L == k` with a linear form `L` without constant, divided by
//! the greatest common divisor of its coefficients (rounding `k`, so bounds are tight).

use dashu_int::IBig;
use dashu_int::ops::{Abs, DivEuclid, Gcd, RemEuclid};
use dashu_ratio::RBig;

use crate::linear::Linear;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

/// So many equalities are remembered.
const MOST_EQUALITIES: usize = 1 << 19;

impl Terms {
    /// `a <= b` on Int and Real.
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        self.inequality(Op::Le, a, b)
    }

    /// `a < b` on Int and Real.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        match self.sort(a) {
            Sort::Int => {
                let one = self.constant(&Value::int(1));
                let next = self.add(&[a, one]);
                self.inequality(Op::Le, next, b)
            }
            _ => self.inequality(Op::Lt, a, b),
        }
    }

    pub(super) fn negated_comparison(&mut self, op: Op, left: Term, right: Term) -> Term {
        match op {
            Op::Le => self.lt(right, left),
            _ => self.le(right, left),
        }
    }

    fn inequality(&mut self, op: Op, a: Term, b: Term) -> Term {
        let sort = self.sort(a).clone();
        let mut form = self.difference(a, b);
        let mut bound = form.constant.neg();
        form.constant = Value::zero(&sort);
        if form.parts.is_empty() {
            let value = op.apply(&Sort::Bool, &[&form.constant, &bound]);
            return self.constant(&value);
        }
        if sort == Sort::Int {
            let divisor = content(&form);
            divide(&mut form, &divisor);
            if let Value::Int(k) = &bound {
                bound = Value::Int(k.div_euclid(&divisor));
            }
        } else if let Some((_, Value::Real(leading))) = form.parts.first() {
            let scale = Value::Real(RBig::ONE / leading.clone().abs());
            for (_, coefficient) in &mut form.parts {
                *coefficient = coefficient.mul(&scale);
            }
            bound = bound.mul(&scale);
        }
        if let Some(decided) = self.decide_by_choice(op, &form, &bound) {
            return decided;
        }
        let left = self.from_linear(&sort, &form);
        let right = self.constant(&bound);
        self.intern(op, &Sort::Bool, &[left, right])
    }

    /// `k · ite(c, x, y) <= b` with constants `x` and `y` is decided by `c`. The factor stays in sight,
    /// so that a comparison and its negation are treated alike.
    fn decide_by_choice(&mut self, op: Op, form: &Linear, bound: &Value) -> Option<Term> {
        let [(part, factor)] = &form.parts[..] else { return None };
        let (condition, then, otherwise) = self.constant_choice(*part)?;
        let decide = |branch: &Value| op.apply(&Sort::Bool, &[&factor.mul(branch), bound]);
        let (then, otherwise) = (decide(self.value(then)?), decide(self.value(otherwise)?));
        let (then, otherwise) = (self.constant(&then), self.constant(&otherwise));
        Some(self.ite(condition, then, otherwise))
    }

    /// Equality of two numbers that are not both constant.
    pub(super) fn numeric_eq(&mut self, a: Term, b: Term) -> Term {
        if let Some(&known) = self.equalities.get(&(a, b)) {
            return known;
        }
        let eq = self.new_eq(a, b);
        if self.equalities.len() < MOST_EQUALITIES {
            self.equalities.insert((a, b), eq);
        }
        eq
    }

    fn new_eq(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a).clone();
        let mut form = self.difference(a, b);
        if form.parts.is_empty() {
            let zero = form.constant.is_zero();
            return self.bool(zero);
        }
        if let [(x, p), (y, q)] = &form.parts[..]
            && form.constant.is_zero()
            && p.add(q).is_zero()
            && (p.is_one() || q.is_one() || !matches!(sort, Sort::BitVec(_)))
        {
            return self.sorted_eq(*x, *y);
        }
        if let [(x, p), (y, q)] = &form.parts[..]
            && form.constant.is_zero()
            && let Some(divided) = self.divided_eq_of_two((*x, p), (*y, q))
        {
            return divided;
        }
        let mut bound = form.constant.neg();
        form.constant = Value::zero(&sort);
        if let Some(decided) = self.decide_by_choice(Op::Eq, &form, &bound) {
            return decided;
        }
        match &sort {
            Sort::Int => {
                let mut divisor = content(&form);
                if let Value::Int(k) = &bound
                    && !k.rem_euclid(&divisor).is_zero()
                {
                    return self.bool(false);
                }
                if matches!(&form.parts[0].1, Value::Int(c) if *c < IBig::ZERO) {
                    divisor = -divisor;
                }
                divide(&mut form, &divisor);
                if let Value::Int(k) = &bound {
                    bound = Value::Int(k / &divisor);
                }
            }
            Sort::Real => {
                if let Value::Real(leading) = form.parts[0].1.clone() {
                    let scale = Value::Real(RBig::ONE / leading);
                    for (_, coefficient) in &mut form.parts {
                        *coefficient = coefficient.mul(&scale);
                    }
                    bound = bound.mul(&scale);
                }
            }
            _ => match &form.parts[..] {
                [(part, coefficient)] if inverse(coefficient).is_some() => {
                    let part = *part;
                    bound = inverse(coefficient).map_or(bound.clone(), |i| i.mul(&bound));
                    return self.narrow_eq(part, &bound);
                }
                [(part, coefficient)] => {
                    let divided = self.divided_eq(*part, coefficient, &bound);
                    return divided.unwrap_or_else(|| self.sorted_eq(a, b));
                }
                _ => return self.sorted_eq(a, b),
            },
        }
        let left = self.from_linear(&sort, &form);
        let right = self.constant(&bound);
        self.sorted_eq(left, right)
    }

    /// `factor * a == value` for an even factor, without it: such is the address of an element. What the product loses of `a`
    /// must be what extends it.
    fn divided_eq(&mut self, a: Term, factor: &Value, value: &Value) -> Option<Term> {
        let (Value::BitVec(factor), Value::BitVec(value)) = (factor, value) else { return None };
        let zeros = factor.unsigned().trailing_zeros();
        if value.unsigned().trailing_zeros() < zeros {
            return Some(self.bool(false));
        }
        let width = factor.width().checked_sub(zeros)?;
        let (op @ (Op::ZeroExtend | Op::SignExtend), &[inner]) = (self.op(a), self.args(a)) else {
            return None;
        };
        if self.width(inner) > width {
            return None;
        }
        let odd = Value::bitvec(width, factor.unsigned() >> zeros);
        let quotient = inverse(&odd)?.mul(&Value::bitvec(width, value.unsigned() >> zeros));
        let narrower = self.extend(op, &Sort::BitVec(width), inner);
        let quotient = self.constant(&quotient);
        Some(self.eq(narrower, quotient))
    }

    /// `p * x == -q * y` for factors that are the same but for the sign, without them, where `x` and `y` are extended.
    fn divided_eq_of_two(
        &mut self,
        (x, p): (Term, &Value),
        (y, q): (Term, &Value),
    ) -> Option<Term> {
        let Value::BitVec(factor) = p else { return None };
        if !p.add(q).is_zero() {
            return None;
        }
        let width = factor.width().checked_sub(factor.unsigned().trailing_zeros())?;
        let [x, y] = [x, y].map(|term| match (self.op(term), self.args(term)) {
            (op @ (Op::ZeroExtend | Op::SignExtend), &[inner]) if self.width(inner) <= width => {
                Some((op, inner))
            }
            _ => None,
        });
        let ((first, x), (second, y)) = (x?, y?);
        if first != second || self.sort(x) != self.sort(y) {
            return None;
        }
        Some(self.eq(x, y))
    }

    /// `a div b` on Int, `a / b` on Real.
    pub fn div(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a).clone();
        match self.value(b) {
            Some(one) if one.is_one() => a,
            Some(Value::Real(r)) if !r.is_zero() => {
                let inverse = Value::Real(RBig::ONE / r);
                self.scale(&inverse, a)
            }
            Some(zero) if zero.is_zero() => self.zero(&sort),
            _ => self.plain(Op::Div, &sort, &[a, b]),
        }
    }

    /// `a mod b` on Int.
    pub fn modulo(&mut self, a: Term, b: Term) -> Term {
        match self.value(b) {
            Some(one) if one.is_one() => self.zero(&Sort::Int),
            Some(zero) if zero.is_zero() => a,
            _ => self.plain(Op::Mod, &Sort::Int, &[a, b]),
        }
    }

    pub fn to_real(&mut self, a: Term) -> Term {
        self.plain(Op::ToReal, &Sort::Real, &[a])
    }

    pub fn floor(&mut self, a: Term) -> Term {
        match (self.op(a), self.args(a)) {
            (Op::ToReal, &[inner]) => inner,
            _ => self.plain(Op::Floor, &Sort::Int, &[a]),
        }
    }
}

/// The greatest common divisor of the coefficients, positive.
fn content(form: &Linear) -> IBig {
    let mut divisor = IBig::ZERO;
    for (_, coefficient) in &form.parts {
        if let Value::Int(c) = coefficient {
            divisor = if divisor.is_zero() { c.clone().abs() } else { IBig::from(divisor.gcd(c)) };
            if divisor.is_one() {
                break;
            }
        }
    }
    divisor
}

fn divide(form: &mut Linear, divisor: &IBig) {
    for (_, coefficient) in &mut form.parts {
        if let Value::Int(c) = coefficient {
            *c = &*c / divisor;
        }
    }
}

/// The inverse of an odd bit-vector modulo 2^width.
fn inverse(value: &Value) -> Option<Value> {
    let Value::BitVec(b) = value else { return None };
    if b.unsigned() % 2 == 0 {
        return None;
    }
    // Newton's iteration doubles the number of correct low bits; 3 are correct to begin with.
    let mut guess = b.unsigned();
    for _ in 0..6 {
        guess = guess.wrapping_mul(2u128.wrapping_sub(b.unsigned().wrapping_mul(guess)));
    }
    Some(Value::bitvec(b.width(), guess))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_an_element_says_which_it_is() {
        let mut t = Terms::new();
        let index = t.var("i", &Sort::BitVec(8));
        for (factor, op) in [(4, Op::SignExtend), (12, Op::ZeroExtend), (512, Op::SignExtend)] {
            let wide = t.extend(op, &Sort::BitVec(16), index);
            let factor = t.constant(&Value::bitvec(16, factor));
            let product = t.mul(factor, wide);
            for number in (0..1 << 16).step_by(4) {
                let value = t.constant(&Value::bitvec(16, number));
                let same = t.eq(product, value);
                for i in 0..256 {
                    let known = Value::bitvec(8, i);
                    let value = |term| crate::evaluate(&t, term, &mut |_| Some(known.clone()));
                    let plain = value(product) == Some(Value::bitvec(16, number));
                    assert_eq!(value(same), Some(Value::Bool(plain)), "{i} {number}");
                }
            }
        }
        let other = t.var("j", &Sort::BitVec(8));
        let (wide, four) = (t.sign_extend(index, 16), t.constant(&Value::bitvec(16, 4)));
        let other_wide = t.sign_extend(other, 16);
        let (one, two) = (t.mul(four, wide), t.mul(four, other_wide));
        assert_eq!(t.eq(one, two), t.eq(index, other));
        let (product, eight) = (t.mul(four, wide), t.constant(&Value::bitvec(16, 8)));
        let two = t.constant(&Value::bitvec(8, 2));
        assert_eq!(t.eq(product, eight), t.eq(index, two));
    }

    #[test]
    fn integer_comparisons_are_tight_and_oriented() {
        let mut t = Terms::new();
        let x = t.var("x", &Sort::Int);
        let y = t.var("y", &Sort::Int);
        let number = |t: &mut Terms, n: i32| t.constant(&Value::int(n));
        let (five, three, two) = (number(&mut t, 5), number(&mut t, 3), number(&mut t, 2));
        // 2x <= 5  is  x <= 2
        let two_x = t.mul(two, x);
        let a = t.le(two_x, five);
        assert_eq!(a, t.le(x, two));
        // !(x <= 2)  is  x >= 3
        let not_a = t.not(a);
        assert_eq!(not_a, t.le(three, x));
        assert_eq!(t.not(not_a), a);
        // 2x + 4y == 5 has no integer solution
        let two_y = t.mul(two, y);
        let four_y = t.mul(two, two_y);
        let sum = t.add(&[two_x, four_y]);
        let none = t.eq(sum, five);
        assert!(t.is_false(none));
        // x + 2 == y + 2  is  x == y
        let (a, b) = (t.add(&[x, two]), t.add(&[y, two]));
        assert_eq!(t.eq(a, b), t.eq(y, x));
        let x_lt_x = t.lt(x, x);
        assert!(t.is_false(x_lt_x));
    }

    #[test]
    fn bit_vector_equations_are_solved() {
        let mut t = Terms::new();
        let sort = Sort::BitVec(8);
        let x = t.var("x", &sort);
        let c = |t: &mut Terms, n: u128| t.constant(&Value::bitvec(8, n));
        let (three, one, seven) = (c(&mut t, 3), c(&mut t, 1), c(&mut t, 7));
        let tripled = t.mul(three, x);
        let left = t.add(&[tripled, one]);
        let equation = t.eq(left, seven); // 3x + 1 == 7
        let two = c(&mut t, 2);
        assert_eq!(equation, t.eq(x, two));
        for odd in (1..256).step_by(2) {
            let value = Value::bitvec(8, odd);
            assert!(inverse(&value).unwrap().mul(&value).is_one());
        }
        let wide = Value::bitvec(128, 0xdead_beef_dead_beef_dead_beef_dead_beef);
        assert!(inverse(&wide).unwrap().mul(&wide).is_one());
    }
}
