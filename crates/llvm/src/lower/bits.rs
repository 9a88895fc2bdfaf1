//! Operations on the single bits of numbers.

use term::{Format, Op, Term};

use super::Lowering;

/// Which half of two words, shifted as one, is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Funnel {
    Left,
    Right,
}

impl Lowering<'_> {
    /// The groups of bits in opposite order.
    pub fn reversed(&mut self, a: Term, group: u32) -> Term {
        let width = self.width(a);
        let mut result = self.builder.terms.extract(a, 0, group);
        for low in (group..width).step_by(group as usize) {
            let next = self.builder.terms.extract(a, low, group);
            result = self.builder.terms.concat(result, next);
        }
        result
    }

    pub fn count_ones(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let bits: Vec<Term> = (0..width)
            .map(|index| {
                let bit = self.builder.terms.extract(a, index, 1);
                self.resize(bit, width)
            })
            .collect();
        self.builder.terms.add(&bits)
    }

    /// How many zeros there are before the first one that is met; all if there is none.
    fn zeros(&mut self, a: Term, from_lowest: impl Iterator<Item = u32>) -> Term {
        let width = self.width(a);
        let order: Vec<u32> = from_lowest.collect();
        let mut result = self.bits(width, u128::from(width));
        for (count, &index) in order.iter().enumerate().rev() {
            let bit = self.builder.terms.extract(a, index, 1);
            let one = self.bits(1, 1);
            let is_set = self.builder.terms.eq(bit, one);
            let count = self.bits(width, count as u128);
            result = self.builder.terms.ite(is_set, count, result);
        }
        result
    }

    pub fn leading_zeros(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.zeros(a, (0..width).rev())
    }

    pub fn trailing_zeros(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.zeros(a, 0..width)
    }

    /// Two words, shifted as one by a number of bits below their width.
    pub fn funnel(&mut self, a: Term, b: Term, by: Term, half: Funnel) -> Option<Term> {
        let width = self.width(a);
        if width > 64 {
            return None;
        }
        let modulus = self.bits(width, u128::from(width));
        let by = self.builder.terms.bit_operation(Op::BvUrem, by, modulus);
        let by = self.resize(by, 2 * width);
        let both = self.builder.terms.concat(a, b);
        Some(match half {
            Funnel::Left => {
                let shifted = self.builder.terms.bit_operation(Op::BvShl, both, by);
                self.builder.terms.extract(shifted, width, width)
            }
            Funnel::Right => {
                let shifted = self.builder.terms.bit_operation(Op::BvLshr, both, by);
                self.builder.terms.extract(shifted, 0, width)
            }
        })
    }

    /// Whether a number is in one of the classes that `llvm.is.fpclass` numbers.
    pub fn float_class(&mut self, a: Term, format: Format, classes: u128) -> Term {
        let width = format.width();
        let fraction = format.precision() - 1;
        let bits = self.builder.terms.fp_to_bits(a);
        let sign = self.builder.terms.extract(bits, width - 1, 1);
        let magnitude = self.builder.terms.extract(bits, 0, width - 1);
        let infinity = ((1u128 << (width - 1 - fraction)) - 1) << fraction;
        // Bounds of the magnitudes: subnormal numbers, normal numbers, infinity.
        let bounds = [0, 1, 1 << fraction, infinity, infinity + 1];
        let bounds = bounds.map(|bound| self.bits(width - 1, bound));
        let negative = self.bits(1, 1);
        let negative = self.builder.terms.eq(sign, negative);
        let positive = self.builder.terms.not(negative);
        let mut holds = Vec::new();
        if classes & 3 != 0 {
            holds.push(self.builder.terms.fp_is_nan(a));
        }
        // The bit of the class, the sign, and between which bounds the magnitude is.
        let table = [
            (2, negative, 3),
            (3, negative, 2),
            (4, negative, 1),
            (5, negative, 0),
            (6, positive, 0),
            (7, positive, 1),
            (8, positive, 2),
            (9, positive, 3),
        ];
        for (bit, sign, range) in table {
            if classes >> bit & 1 != 0 {
                let below = self.builder.terms.bv_ult(magnitude, bounds[range + 1]);
                let less = self.builder.terms.bv_ult(magnitude, bounds[range]);
                let within = self.builder.terms.not(less);
                holds.push(self.builder.terms.and(&[sign, below, within]));
            }
        }
        self.builder.terms.or(&holds)
    }
}
