//! Random terms, for comparisons with [`term::evaluate`].

use term::{Float, Format, Op, Rounding, Sort, Term, Terms, Value};

/// A small generator of random numbers.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Often something at the edge of a range.
    pub fn bits(&mut self) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        match self.below(8) {
            0 => 0,
            1 => u128::MAX,
            2 => wide & 7,
            3 => !(wide & 7),
            4 => 1 << self.below(128),
            5 => (1 << self.below(128)) - 1,
            6 => u128::MAX << self.below(128),
            _ => wide,
        }
    }

    pub fn value(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::BitVec(width) => Value::bitvec(*width, self.bits()),
            Sort::Float(format) => {
                let number = [0.0, -0.0, 1.0, -1.5, 1e9, 3e-320, f64::INFINITY, f64::NAN];
                match self.below(3) {
                    0 => Value::Float(Float::double(self.pick(&number)).convert(*format)),
                    1 => {
                        let n = self.below(1000) as f64 - 500.0;
                        Value::Float(Float::double(n / 8.0).convert(*format))
                    }
                    _ => Value::Float(Float::new(*format, self.next())),
                }
            }
            _ => Value::zero(sort),
        }
    }
}

pub const WIDTHS: [u32; 12] = [1, 7, 8, 16, 31, 32, 33, 63, 64, 65, 100, 128];

pub fn sorts() -> Vec<Sort> {
    let words = WIDTHS.map(Sort::BitVec);
    let floats = [Format::Single, Format::Double].map(Sort::Float);
    words.into_iter().chain(floats).chain([Sort::Bool]).collect()
}

/// Terms that grow from variables and constants.
pub struct Pool {
    pub terms: Vec<Term>,
}

impl Pool {
    pub fn of(&self, random: &mut Random, terms: &mut Terms, sort: &Sort) -> Term {
        let all: Vec<Term> =
            self.terms.iter().copied().filter(|&term| terms.sort(term) == sort).collect();
        if all.is_empty() || random.below(6) == 0 {
            let value = random.value(sort);
            return terms.constant(&value);
        }
        // Mostly the latest, so that terms become deep.
        let last = all.len().min(6);
        match random.below(2) {
            0 => random.pick(&all[all.len() - last..]),
            _ => random.pick(&all),
        }
    }

    /// Adds a term of a random operator.
    pub fn grow(&mut self, random: &mut Random, terms: &mut Terms) -> Term {
        use Op::*;
        let width = random.pick(&WIDTHS);
        let word = Sort::BitVec(width);
        let float = Sort::Float(random.pick(&[Format::Single, Format::Double]));
        let pick = |pool: &Pool, random: &mut Random, terms: &mut Terms, sort: &Sort| {
            pool.of(random, terms, sort)
        };
        let boolean = Sort::Bool;
        let arithmetic =
            [Add, Mul, BvAnd, BvOr, BvXor, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl, BvLshr, BvAshr];
        let comparisons = [
            Eq,
            BvUlt,
            BvSlt,
            BvSaddOverflow,
            BvSsubOverflow,
            BvSmulOverflow,
            BvUaddOverflow,
            BvUsubOverflow,
            BvUmulOverflow,
        ];
        let (op, sort, arguments) = match random.below(20) {
            0..5 => (random.pick(&arithmetic), word.clone(), vec![word.clone(), word]),
            5 => {
                let count = 2 + random.below(3);
                (random.pick(&[Add, Mul]), word.clone(), vec![word; count])
            }
            6..9 => (random.pick(&comparisons), boolean, vec![word.clone(), word]),
            9 => (BvNot, word.clone(), vec![word]),
            10 => {
                let from = random.pick(&WIDTHS);
                let (from, to) = (from.min(width), from.max(width));
                let op = random.pick(&[ZeroExtend, SignExtend]);
                (op, Sort::BitVec(to), vec![Sort::BitVec(from)])
            }
            11 => {
                let low = random.below(width as usize) as u32;
                let size = random.pick(&WIDTHS).min(width - low);
                (Extract { low }, Sort::BitVec(size), vec![word])
            }
            12 => {
                let other = random.pick(&WIDTHS).min(128 - width.min(127));
                let width = width.min(127);
                let high = Sort::BitVec(width);
                let (high, low) = if WIDTHS.contains(&width) {
                    (high, Sort::BitVec(other))
                } else {
                    (Sort::BitVec(1), Sort::BitVec(1))
                };
                let sum = match (&high, &low) {
                    (Sort::BitVec(a), Sort::BitVec(b)) => a + b,
                    _ => 2,
                };
                (Concat, Sort::BitVec(sum), vec![high, low])
            }
            13 => match random.below(3) {
                0 => (Not, boolean.clone(), vec![boolean]),
                1 => (And, boolean.clone(), vec![boolean; 3]),
                _ => (Or, boolean.clone(), vec![boolean; 2]),
            },
            14 => {
                let sort = if random.below(2) == 0 { word } else { float };
                (Ite, sort.clone(), vec![boolean, sort.clone(), sort])
            }
            15 => {
                let op = random.pick(&[FpAdd, FpSub, FpMul, FpDiv]);
                (op, float.clone(), vec![float.clone(), float])
            }
            16 => {
                let op = random.pick(&[FpEq, FpLt, FpLe, Eq]);
                (op, boolean, vec![float.clone(), float])
            }
            17 => {
                use Rounding::*;
                let mode = random.pick(&[NearestEven, TowardZero, Up, Down, NearestAway]);
                match random.below(3) {
                    0 => (FpFma, float.clone(), vec![float; 3]),
                    1 => (FpIsNan, boolean, vec![float]),
                    _ => {
                        let op = random.pick(&[FpNeg, FpAbs, FpSqrt, FpRound(mode)]);
                        (op, float.clone(), vec![float])
                    }
                }
            }
            18 => match random.below(2) {
                0 => (random.pick(&[FpFromSigned, FpFromUnsigned]), float, vec![word]),
                _ => (random.pick(&[FpToSigned, FpToUnsigned]), word, vec![float]),
            },
            _ => {
                let (format, bits) = random.pick(&[(Format::Single, 32), (Format::Double, 64)]);
                let (float, word) = (Sort::Float(format), Sort::BitVec(bits));
                match random.below(3) {
                    0 => (FpFromBits, float, vec![word]),
                    1 => (FpToBits, word, vec![float]),
                    _ => (
                        FpConvert,
                        float,
                        vec![Sort::Float(random.pick(&[Format::Single, Format::Double]))],
                    ),
                }
            }
        };
        let arguments: Vec<Term> =
            arguments.iter().map(|sort| pick(self, random, terms, sort)).collect();
        let term = terms.make(op, &sort, &arguments);
        self.terms.push(term);
        term
    }
}
