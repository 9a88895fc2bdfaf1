//! Random terms, kept in two forms: a plain expression tree, and the term the constructors make of it.

use std::sync::Arc;

use term::number::{IBig, RBig};
use term::{ArrayValue, Float, Format, Op, Rounding, Sort, Term, Terms, Value};

/// SplitMix64: small, deterministic, good enough.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}

const WIDTHS: [u32; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 32, 64, 128];

/// The sorts of variables and intermediate results of one expression.
pub fn sorts(random: &mut Random) -> Vec<Sort> {
    let width = random.pick(&WIDTHS);
    let other = random.pick(&WIDTHS);
    let index = match random.below(4) {
        0 => Sort::Bool,
        1 => Sort::BitVec(1 + random.below(2) as u32),
        2 => Sort::BitVec(width),
        _ => Sort::Int,
    };
    let element = match random.below(4) {
        0 => Sort::Bool,
        1 => Sort::BitVec(width),
        2 => Sort::array(Sort::Bool, Sort::BitVec(1)),
        _ => Sort::Int,
    };
    let mut sorts = vec![Sort::Bool, Sort::Int, Sort::BitVec(width)];
    match random.below(8) {
        0 => sorts.push(Sort::Real),
        // Bytes and what is made of them.
        6 | 7 => return vec![Sort::Bool, Sort::BitVec(8), Sort::BitVec(16), Sort::BitVec(32)],
        4 | 5 => {
            let formats = [Format::Single, Format::Double];
            sorts.extend(formats.map(Sort::Float));
            sorts.extend(formats.map(|f| Sort::BitVec(f.width())));
        }
        1 => sorts.extend([Sort::BitVec(other), Sort::BitVec(random.pick(&WIDTHS))]),
        2 => sorts.extend([Sort::array(index, element.clone()), element]),
        _ => {
            // A map whose indices are maps.
            let inner = Sort::array(Sort::Bool, Sort::Bool);
            sorts.extend([Sort::array(inner.clone(), element.clone()), inner, element]);
        }
    }
    sorts
}

pub fn value(random: &mut Random, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(random.below(2) == 0),
        Sort::Int => Value::Int(integer(random)),
        Sort::Real => {
            let denominator = term::number::UBig::from(1 + random.below(3) as u64);
            Value::Real(RBig::from_parts(integer(random), denominator))
        }
        Sort::BitVec(width) => {
            let min = 1u128 << (width - 1);
            let wide = u128::from(random.next()) << 64 | u128::from(random.next());
            let small = random.below(6) as u128;
            let bits = [
                0,
                1,
                u128::MAX,
                min,
                min - 1,
                2,
                8,
                0xff,
                0xff00,
                u128::from(*width),
                small,
                wide,
            ];
            Value::bitvec(*width, random.pick(&bits))
        }
        Sort::Float(format) => float(random, *format),
        Sort::Array(array) => {
            let mut map = ArrayValue::new(array.index.clone(), value(random, &array.element));
            for _ in 0..random.below(4) {
                let index = value(random, &array.index);
                map.set(index, value(random, &array.element));
            }
            Value::Array(Arc::new(map))
        }
    }
}

/// Often a number where something happens: zeros, infinities, NaN, the ends of the subnormal numbers,
/// the ends of the integers.
fn float(random: &mut Random, format: Format) -> Value {
    let special = [0.0, 1.0, 0.5, 1.5, 2.0, 127.5, 1e-40, 2f64.powi(31), 2f64.powi(63), f64::MAX];
    let special = Float::double(random.pick(&special)).convert(format).bits();
    let normal = 1u64 << (format.precision() - 1); // the smallest
    let bits = match random.below(4) {
        0 => random.next(),
        1 => random.pick(&[format.nan(), special, normal, 1]) + random.next() % 2,
        _ => special,
    };
    let sign = (random.next() % 2) << (format.width() - 1);
    Value::Float(Float::new(format, bits ^ sign))
}

fn integer(random: &mut Random) -> IBig {
    let big = IBig::from(random.next()) * IBig::from(random.next());
    let small = IBig::from(random.below(9) as i64 - 4);
    match random.below(12) {
        0 => big,
        1 => -big,
        2 => IBig::from(i64::MIN),
        3 => IBig::from(i64::MAX),
        _ => small,
    }
}

/// A node of the plain tree; arguments are earlier nodes.
pub struct Node {
    pub op: Op,
    pub sort: Sort,
    pub args: Vec<usize>,
    /// Of a constant.
    pub value: Option<Value>,
    /// What the constructors made of it.
    pub term: Term,
}

/// Expressions that share subexpressions, in both forms.
pub struct Expressions {
    pub nodes: Vec<Node>,
}

impl Expressions {
    pub fn random(random: &mut Random, terms: &mut Terms, size: usize) -> Expressions {
        let sorts = sorts(random);
        let mut all = Expressions { nodes: Vec::new() };
        for sort in &sorts {
            for n in 0..2 {
                let term = terms.var(&format!("v{n}{sort}"), sort);
                all.push(terms.op(term), sort, vec![], None, term);
            }
            for _ in 0..2 {
                let value = value(random, sort);
                let term = terms.constant(&value);
                all.push(terms.op(term), sort, vec![], Some(value), term);
            }
        }
        while all.nodes.len() < size {
            let sort = random.pick(&sorts);
            all.application(random, terms, &sort);
        }
        all
    }

    fn push(&mut self, op: Op, sort: &Sort, args: Vec<usize>, value: Option<Value>, term: Term) {
        self.nodes.push(Node { op, sort: sort.clone(), args, value, term });
    }

    /// A node of the sort, more often a late one.
    fn node(&self, random: &mut Random, sort: &Sort) -> Option<usize> {
        let of_sort = |&n: &usize| self.nodes[n].sort == *sort;
        let found: Vec<usize> = (0..self.nodes.len()).filter(of_sort).collect();
        let late = found.len().saturating_sub(3);
        match found.len() {
            0 => None,
            _ if random.below(2) == 0 => Some(random.pick(&found[late..])),
            _ => Some(random.pick(&found)),
        }
    }

    fn constant(&self, random: &mut Random, sort: &Sort) -> Option<usize> {
        let of_sort = |&n: &usize| self.nodes[n].sort == *sort && self.nodes[n].value.is_some();
        let found: Vec<usize> = (0..self.nodes.len()).filter(of_sort).collect();
        (!found.is_empty()).then(|| random.pick(&found))
    }

    fn node_where(&self, random: &mut Random, fits: impl Fn(&Sort) -> bool) -> Option<usize> {
        let found: Vec<usize> =
            (0..self.nodes.len()).filter(|&n| fits(&self.nodes[n].sort)).collect();
        (!found.is_empty()).then(|| random.pick(&found))
    }

    /// Adds an application of a random operator that gives the sort.
    fn application(&mut self, random: &mut Random, terms: &mut Terms, sort: &Sort) -> Option<()> {
        let (op, args) = self.operator(random, sort)?;
        let built: Vec<Term> = args.iter().map(|&n| self.nodes[n].term).collect();
        let term = terms.make(op, sort, &built);
        assert_eq!(terms.sort(term), sort, "{op:?}");
        self.push(op, sort, args, None, term);
        Some(())
    }

    fn operator(&self, random: &mut Random, sort: &Sort) -> Option<(Op, Vec<usize>)> {
        let same = |this: &Expressions, random: &mut Random, count: usize| -> Option<Vec<usize>> {
            (0..count).map(|_| this.node(random, sort)).collect()
        };
        if random.below(6) == 0 {
            let condition = self.node(random, &Sort::Bool)?;
            return Some((
                Op::Ite,
                vec![condition, self.node(random, sort)?, self.node(random, sort)?],
            ));
        }
        if random.below(6) == 0 {
            let fits = |s: &Sort| matches!(s, Sort::Array(a) if a.element == *sort);
            if let Some(array) = self.node_where(random, fits) {
                let Sort::Array(array_sort) = self.nodes[array].sort.clone() else { return None };
                return Some((Op::Select, vec![array, self.node(random, &array_sort.index)?]));
            }
        }
        let many = 1 + random.below(4);
        Some(match sort {
            Sort::Bool => return self.predicate(random),
            Sort::Int => match random.below(6) {
                0 | 1 => (Op::Add, same(self, random, many)?),
                2 => (Op::Mul, same(self, random, 2)?),
                3 => (Op::Div, same(self, random, 2)?),
                4 => (Op::Mod, same(self, random, 2)?),
                _ => (Op::Floor, vec![self.node(random, &Sort::Real)?]),
            },
            Sort::Real => match random.below(4) {
                0 => (Op::Add, same(self, random, many)?),
                1 => (Op::Mul, same(self, random, 2)?),
                2 => (Op::Div, same(self, random, 2)?),
                _ => (Op::ToReal, vec![self.node(random, &Sort::Int)?]),
            },
            Sort::BitVec(width) => return self.bits(random, *width),
            Sort::Float(_) => return self.float(random, sort),
            Sort::Array(array) => match random.below(5) {
                0 => (Op::ConstArray, vec![self.node(random, &array.element)?]),
                _ => {
                    let base = self.node(random, sort)?;
                    let index = self.node(random, &array.index)?;
                    (Op::Store, vec![base, index, self.node(random, &array.element)?])
                }
            },
        })
    }

    fn predicate(&self, random: &mut Random) -> Option<(Op, Vec<usize>)> {
        let bools = |random: &mut Random, count: usize| -> Option<Vec<usize>> {
            (0..count).map(|_| self.node(random, &Sort::Bool)).collect()
        };
        let count = 1 + random.below(3);
        let op = random.pick(&[
            Op::Not,
            Op::And,
            Op::Or,
            Op::Eq,
            Op::Eq,
            Op::Le,
            Op::Lt,
            Op::BvUlt,
            Op::BvSlt,
            Op::BvSaddOverflow,
            Op::BvSsubOverflow,
            Op::BvSmulOverflow,
            Op::BvUaddOverflow,
            Op::BvUsubOverflow,
            Op::BvUmulOverflow,
            Op::FpEq,
            Op::FpLt,
            Op::FpLe,
            Op::FpIsNan,
        ]);
        let is_float = |s: &Sort| matches!(s, Sort::Float(_));
        let first = match op {
            Op::Not => return Some((op, bools(random, 1)?)),
            Op::And | Op::Or => return Some((op, bools(random, count)?)),
            Op::Eq => self.node_where(random, |_| true)?,
            Op::FpIsNan => return Some((op, vec![self.node_where(random, is_float)?])),
            Op::FpEq | Op::FpLt | Op::FpLe => self.node_where(random, is_float)?,
            Op::Le | Op::Lt => self.node_where(random, |s| matches!(s, Sort::Int | Sort::Real))?,
            _ => self.node_where(random, |s| matches!(s, Sort::BitVec(_)))?,
        };
        Some((op, vec![first, self.node(random, &self.nodes[first].sort)?]))
    }

    fn bits(&self, random: &mut Random, width: u32) -> Option<(Op, Vec<usize>)> {
        let sort = Sort::BitVec(width);
        let of_width = |s: &Sort| if let Sort::BitVec(w) = s { *w } else { 0 };
        match random.below(11) {
            10 => {
                let by = [Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvAnd, Op::BvOr];
                if let Some(constant) = self.constant(random, &sort) {
                    return Some((random.pick(&by), vec![self.node(random, &sort)?, constant]));
                }
            }
            9 => {
                if let Some(found) = self.bits_of_float(random, width) {
                    return Some(found);
                }
            }
            0 => return Some((Op::BvNot, vec![self.node(random, &sort)?])),
            1 => {
                let from = self.node_where(random, |s| of_width(s) >= width)?;
                let low = random.below((of_width(&self.nodes[from].sort) - width + 1) as usize);
                return Some((Op::Extract { low: low as u32 }, vec![from]));
            }
            2 => {
                let from = self.node_where(random, |s| of_width(s) > 0 && of_width(s) <= width)?;
                return Some((random.pick(&[Op::ZeroExtend, Op::SignExtend]), vec![from]));
            }
            3 if width > 1 => {
                let high = self.node_where(random, |s| of_width(s) > 0 && of_width(s) < width)?;
                let rest = Sort::BitVec(width - of_width(&self.nodes[high].sort));
                return Some((Op::Concat, vec![high, self.node(random, &rest)?]));
            }
            _ => {}
        }
        let op = random.pick(&[
            Op::Add,
            Op::Add,
            Op::Mul,
            Op::Mul,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ]);
        Some((op, vec![self.node(random, &sort)?, self.node(random, &sort)?]))
    }

    fn bits_of_float(&self, random: &mut Random, width: u32) -> Option<(Op, Vec<usize>)> {
        let op = random.pick(&[Op::FpToBits, Op::FpToSigned, Op::FpToUnsigned]);
        let fits = |s: &Sort| match s {
            Sort::Float(format) => op != Op::FpToBits || format.width() == width,
            _ => false,
        };
        Some((op, vec![self.node_where(random, fits)?]))
    }

    fn float(&self, random: &mut Random, sort: &Sort) -> Option<(Op, Vec<usize>)> {
        use Rounding::*;
        let Sort::Float(format) = *sort else { return None };
        let mode = random.pick(&[NearestEven, TowardZero, Up, Down, NearestAway]);
        let op = random.pick(&[
            Op::FpAdd,
            Op::FpSub,
            Op::FpMul,
            Op::FpDiv,
            Op::FpNeg,
            Op::FpAbs,
            Op::FpSqrt,
            Op::FpFma,
            Op::FpRound(mode),
            Op::FpFromSigned,
            Op::FpFromUnsigned,
            Op::FpConvert,
            Op::FpFromBits,
        ]);
        let fits = |s: &Sort| match op {
            Op::FpFromSigned | Op::FpFromUnsigned => matches!(s, Sort::BitVec(_)),
            Op::FpConvert => matches!(s, Sort::Float(_)),
            Op::FpFromBits => *s == Sort::BitVec(format.width()),
            _ => s == sort,
        };
        let count = match op {
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv => 2,
            Op::FpFma => 3,
            _ => 1,
        };
        let args: Option<_> = (0..count).map(|_| self.node_where(random, fits)).collect();
        Some((op, args?))
    }

    /// The values of all nodes by [`Op::apply`] alone.
    pub fn values(&self, of: &dyn Fn(Term) -> Value) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for node in &self.nodes {
            let value = match (&node.value, node.op) {
                (Some(value), _) => value.clone(),
                (None, Op::Var(_)) => of(node.term),
                _ => {
                    let args: Vec<&Value> = node.args.iter().map(|&n| &values[n]).collect();
                    node.op.apply(&node.sort, &args)
                }
            };
            values.push(value);
        }
        values
    }

    pub fn variables(&self) -> Vec<(Term, Sort)> {
        let is_var = |n: &&Node| matches!(n.op, Op::Var(_));
        self.nodes.iter().filter(is_var).map(|n| (n.term, n.sort.clone())).collect()
    }
}
