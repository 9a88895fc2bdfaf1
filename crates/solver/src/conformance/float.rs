//! Floating-point numbers and overflow: every operator on numbers where something happens.

use term::{Float, Format, Op, Rounding, Sort, Term, Terms, Value};

use super::{LIMIT, Make, agrees};
use crate::solver::Answer;
use crate::testing::Random;

pub fn overflow_predicates(make: Make) {
    use Op::*;
    let mut random = Random::new(11);
    let mut solver = make(LIMIT);
    for width in [1, 2, 8, 32, 64] {
        let bits = |b: u128| Value::bitvec(width, b);
        let min = 1 << (width - 1);
        let mut values = [0, 1, 2, u128::MAX, min, min - 1].map(bits).to_vec();
        values.push(bits(random.next().into()));
        values.push(bits(u128::from(random.next()) & ((1 << (width / 2)) - 1)));
        for a in &values {
            for b in &values {
                for op in [
                    BvSaddOverflow,
                    BvSsubOverflow,
                    BvSmulOverflow,
                    BvUaddOverflow,
                    BvUsubOverflow,
                    BvUmulOverflow,
                ] {
                    agrees(solver.as_mut(), op, &Sort::Bool, &[a.clone(), b.clone()]);
                }
            }
        }
    }
}

/// Zeros, ones, ties, the ends of the subnormal numbers and of the integers, infinities, NaN.
fn numbers(format: Format, random: &mut Random) -> Vec<Value> {
    let mut values: Vec<Float> = [0.0, 1.0, 2.5, 0.1, 2f64.powi(31), f64::INFINITY]
        .iter()
        .flat_map(|&x| [x, -x])
        .map(|x| Float::double(x).convert(format))
        .collect();
    let normal = 1u64 << (format.precision() - 1); // the smallest
    let bits = [1, normal - 1, normal, format.nan(), random.next()];
    values.extend(bits.map(|bits| Float::new(format, bits)));
    values.into_iter().map(Value::Float).collect()
}

pub fn floating_point_operators(make: Make) {
    use Op::*;
    let mut random = Random::new(5);
    let mut solver = make(LIMIT);
    let solver = solver.as_mut();
    for format in [Format::Single, Format::Double] {
        let sort = Sort::Float(format);
        let values = numbers(format, &mut random);
        // A division or a root of double precision takes half a second, so only some are asked about.
        let is_large = |op: Op, n: usize| {
            format == Format::Double && matches!(op, FpDiv | FpSqrt | FpFma) && !n.is_multiple_of(6)
        };
        for (i, a) in values.iter().enumerate() {
            for (j, b) in values.iter().enumerate().skip(i % 5).step_by(5) {
                let pair = [a.clone(), b.clone()];
                for op in [FpAdd, FpSub, FpMul, FpDiv] {
                    if !is_large(op, i + j / 5) {
                        agrees(solver, op, &sort, &pair);
                    }
                }
                for op in [FpEq, FpLt, FpLe, Eq] {
                    agrees(solver, op, &Sort::Bool, &pair);
                }
            }
            let one = std::slice::from_ref(a);
            let c = &values[random.next() as usize % values.len()];
            if !is_large(FpFma, i) {
                agrees(solver, FpFma, &sort, &[a.clone(), values[i / 2].clone(), c.clone()]);
            }
            for op in [FpNeg, FpAbs, FpSqrt] {
                if !is_large(op, i) {
                    agrees(solver, op, &sort, one);
                }
            }
            use Rounding::*;
            for mode in [NearestEven, TowardZero, Up, Down, NearestAway] {
                agrees(solver, FpRound(mode), &sort, one);
            }
            agrees(solver, FpIsNan, &Sort::Bool, one);
        }
    }
}

pub fn floating_point_conversions(make: Make) {
    use Op::*;
    let mut random = Random::new(6);
    let mut solver = make(LIMIT);
    let solver = solver.as_mut();
    for (format, other) in [(Format::Single, Format::Double), (Format::Double, Format::Single)] {
        let sort = Sort::Float(format);
        let mut values = numbers(format, &mut random);
        // Just inside and just outside of what fits 8, 32 and 64 bits.
        for width in [8, 32, 64] {
            for end in [format.signed_range(width), format.unsigned_range(width)].concat() {
                let bits = [end.bits(), end.bits() - 1];
                values.extend(bits.map(|bits| Value::Float(Float::new(format, bits))));
            }
        }
        for a in &values {
            let one = std::slice::from_ref(a);
            agrees(solver, FpConvert, &Sort::Float(other), one);
            agrees(solver, FpToBits, &Sort::BitVec(format.width()), one);
            for width in [8, 32, 64] {
                agrees(solver, FpToSigned, &Sort::BitVec(width), one);
                agrees(solver, FpToUnsigned, &Sort::BitVec(width), one);
            }
        }
        for width in [1, 8, 32, 64, 128] {
            let wide = u128::from(random.next()) << 64 | u128::from(random.next());
            for bits in [0, 1, u128::MAX, 1 << (width - 1), (1 << (width - 1)) - 1, wide] {
                let bits = [Value::bitvec(width, bits)];
                agrees(solver, FpFromSigned, &sort, &bits);
                agrees(solver, FpFromUnsigned, &sort, &bits);
            }
        }
        let infinity = u128::from(format.nan() & (format.nan() << 1));
        for bits in [0, 1, infinity, infinity + 1, u128::MAX, random.next().into()] {
            agrees(solver, FpFromBits, &sort, &[Value::bitvec(format.width(), bits)]);
        }
    }
}

/// Models of floats satisfy, in terms and in arrays; cores are found.
pub fn floating_point_models(make: Make) {
    let mut t = Terms::new();
    let mut solver = make(LIMIT);
    let sort = Sort::Float(Format::Single);
    let (x, y) = (t.var("x", &sort), t.var("y", &sort));
    let same_name = t.var("x", &Sort::BitVec(32));
    let one = t.constant(&Value::single(1.0));
    // A number that vanishes in a sum, though it is not zero.
    let sum = t.fp_add(x, one);
    let absorbed = t.fp_eq(sum, one);
    let zero = t.constant(&Value::single(0.0));
    let positive = t.fp_lt(zero, x);
    let nan = t.fp_is_nan(y);
    let bits = t.constant(&Value::bitvec(32, 77));
    let unrelated = t.eq(same_name, bits);
    solver.assert(&t, absorbed);
    assert_eq!(solver.check(&t, &[positive, nan, unrelated]), Answer::Sat);
    let model = solver.model(&t, &[x, y, same_name]).unwrap();
    for formula in [absorbed, positive, nan, unrelated] {
        assert!(model.evaluate(&t, formula).is_true());
    }
    let large = t.fp_lt(one, x);
    assert_eq!(solver.check(&t, &[nan, large, unrelated]), Answer::Unsat);
    assert_eq!(solver.core(), [large]);

    let array = Sort::array(Sort::BitVec(8), sort);
    let a = t.var("a", &array);
    let i = t.var("i", &Sort::BitVec(8));
    let element = t.select(a, i);
    let reads = t.eq(element, x);
    assert_eq!(solver.check(&t, &[reads, positive]), Answer::Sat);
    let model = solver.model(&t, &[a, i, x]).unwrap();
    for formula in [absorbed, positive, reads] {
        assert!(model.evaluate(&t, formula).is_true());
    }
    let other = t.fp_is_nan(element);
    assert_eq!(solver.check(&t, &[reads, other]), Answer::Unsat);
}

/// Models satisfy; what has none is satisfied by no number that is tried.
pub fn random_floating_point_formulas(make: Make) {
    let mut random = Random::new(9);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..60 {
        let mut t = Terms::new();
        let mut solver = make(LIMIT);
        let sort = Sort::Float(Format::Single);
        let vars = ["x", "y"].map(|name| t.var(name, &sort));
        let formulas: Vec<Term> = (0..3).map(|_| comparison(&mut random, &mut t, &vars)).collect();
        let all = t.and(&formulas);
        match solver.check(&t, &formulas) {
            Answer::Sat => {
                sat += 1;
                let model = solver.model(&t, &vars).unwrap();
                assert!(model.evaluate(&t, all).is_true(), "round {round}");
            }
            Answer::Unsat => {
                unsat += 1;
                let values = numbers(Format::Single, &mut random);
                for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (x, y))) {
                    let mut model = crate::Model::default();
                    model.set(vars[0], x.clone());
                    model.set(vars[1], y.clone());
                    assert!(!model.evaluate(&t, all).is_true(), "round {round}: {x} {y}");
                }
            }
            Answer::Unknown(reason) => panic!("round {round}: {reason:?}"),
        }
    }
    assert!(sat > 10 && unsat > 10, "{sat} {unsat}");
}

fn comparison(random: &mut Random, t: &mut Terms, vars: &[Term; 2]) -> Term {
    let mut operand = || {
        let x = vars[random.next() as usize % 2];
        let constant = t.constant(&Value::single([0.0, 1.0, -3.5][random.next() as usize % 3]));
        match random.next() % 8 {
            0 => constant,
            1 => t.fp_add(x, constant),
            2 => t.fp_sub(vars[0], vars[1]),
            3 => t.fp_neg(x),
            4 => t.fp_round(Rounding::Down, x),
            5 => {
                let integer = t.fp_to_signed(x, 8);
                t.fp_from_signed(integer, Format::Single)
            }
            6 => {
                let bits = t.fp_to_bits(x);
                let sign = t.constant(&Value::bitvec(32, 1 << 31));
                let flipped = t.bit_operation(Op::BvXor, bits, sign);
                t.fp_from_bits(flipped, Format::Single)
            }
            _ => x,
        }
    };
    let (a, b) = (operand(), operand());
    match random.next() % 5 {
        0 => t.fp_eq(a, b),
        1 => t.eq(a, b),
        2 => t.fp_le(a, b),
        3 => {
            let less = t.fp_lt(a, b);
            t.not(less)
        }
        _ => t.fp_lt(a, b),
    }
}
