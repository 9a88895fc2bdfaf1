//! What every back end must do. One line of [`conformance!`] runs the whole suite on a solver:
//! `conformance!(name, |limit| a solver with this time limit per question)`.

mod float;

use std::sync::Arc;
use std::time::{Duration, Instant};

use term::number::{IBig, RBig};
use term::{ArrayValue, Op, Sort, Term, Terms, Value};

use self::float::{
    floating_point_conversions, floating_point_models, floating_point_operators,
    overflow_predicates, random_floating_point_formulas,
};
use crate::solver::{Answer, Solver};
use crate::testing::{Random, read};

pub type Make = fn(Duration) -> Box<dyn Solver>;

macro_rules! conformance {
    ($name:ident, $make:expr) => {
        conformance!($name, $make,
            bit_vector_operators arithmetic_operators boolean_and_array_operators random_formulas
            cores pushing_and_popping odd_assumptions big_integers deep_terms time_limit arrays
            switching_between_sorts clones_of_the_arena overflow_predicates
            floating_point_operators floating_point_conversions floating_point_models
            random_floating_point_formulas);
    };
    ($name:ident, $make:expr, $($test:ident)*) => {
        mod $name {
            $(#[test] fn $test() { super::$test(|limit| Box::new($make(limit))) })*
        }
    };
}

conformance!(z3, crate::Z3::new);
conformance!(validated, |limit| crate::Validated::new(
    crate::Z3::new(limit),
    crate::Z3::new(limit)
));
conformance!(cached, |limit| crate::Cached::new(crate::Z3::new(limit)));

const LIMIT: Duration = Duration::from_secs(20);

/// Whether the operator, applied to variables that have these values, has the value that evaluation
/// gives, and no other.
fn agrees(solver: &mut dyn Solver, op: Op, sort: &Sort, values: &[Value]) {
    let mut t = Terms::new();
    let vars: Vec<Term> =
        values.iter().enumerate().map(|(i, v)| t.var(&format!("x{i}"), &v.sort())).collect();
    let term = t.make(op, sort, &vars);
    let result = op.apply(sort, &values.iter().collect::<Vec<_>>());
    let result = t.constant(&result);
    solver.push();
    for (&var, value) in vars.iter().zip(values) {
        let value = t.constant(value);
        let fixed = t.eq(var, value);
        solver.assert(&t, fixed);
    }
    let right = t.eq(term, result);
    let wrong = t.not(right);
    let text = format!(
        "{op:?} {} = {:?}",
        values.iter().map(Value::to_string).collect::<Vec<_>>().join(" "),
        t.value(result)
    );
    solver.assert(&t, wrong);
    assert_eq!(solver.check(&t, &[]), Answer::Unsat, "{text}");
    solver.pop();
}

pub fn bit_vector_operators(make: Make) {
    use Op::*;
    let mut random = Random::new(7);
    let mut solver = make(LIMIT);
    for width in [1, 3, 8, 32, 64, 128] {
        let sort = Sort::BitVec(width);
        let bits = |b: u128| Value::bitvec(width, b);
        let mut pairs = vec![
            (bits(5), bits(0)),                        // division by zero
            (bits(1 << (width - 1)), bits(u128::MAX)), // MIN / -1
            (bits(u128::MAX), bits(0)),
            (bits(u128::MAX), bits(u128::from(width))), // shift by the width
            (bits(1 << (width - 1)), bits(u128::MAX)),  // and by far more
        ];
        for _ in 0..3 {
            let mut any = || u128::from(random.next()) << 64 | u128::from(random.next());
            pairs.push((bits(any()), bits(any() >> (any() % 128))));
        }
        for (a, b) in pairs {
            for op in [
                Add, Mul, BvAnd, BvOr, BvXor, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl, BvLshr, BvAshr,
            ] {
                agrees(solver.as_mut(), op, &sort, &[a.clone(), b.clone()]);
            }
            for op in [Eq, BvUlt, BvSlt] {
                agrees(solver.as_mut(), op, &Sort::Bool, &[a.clone(), b.clone()]);
            }
            agrees(solver.as_mut(), BvNot, &sort, std::slice::from_ref(&a));
            agrees(solver.as_mut(), Add, &sort, &[a.clone(), b.clone(), a.clone()]);
            let low = width / 3;
            let part = Sort::BitVec(width - low);
            agrees(solver.as_mut(), Extract { low }, &part, std::slice::from_ref(&a));
            if width <= 64 {
                let wide = Sort::BitVec(2 * width);
                agrees(solver.as_mut(), Concat, &wide, &[a.clone(), b.clone()]);
                agrees(solver.as_mut(), ZeroExtend, &wide, std::slice::from_ref(&a));
                agrees(solver.as_mut(), SignExtend, &wide, std::slice::from_ref(&a));
            }
        }
    }
}

fn googol() -> IBig {
    IBig::from(10).pow(200) + IBig::from(7)
}

pub fn arithmetic_operators(make: Make) {
    let mut solver = make(LIMIT);
    let ints: Vec<IBig> = [0, 1, -1, 2, -3, 7, 100]
        .iter()
        .map(|n| IBig::from(*n))
        .chain([googol(), -googol()])
        .collect();
    for a in &ints {
        for b in &ints {
            let pair = [Value::Int(a.clone()), Value::Int(b.clone())];
            for op in [Op::Add, Op::Mul, Op::Div, Op::Mod] {
                agrees(solver.as_mut(), op, &Sort::Int, &pair);
            }
            for op in [Op::Le, Op::Eq] {
                agrees(solver.as_mut(), op, &Sort::Bool, &pair);
            }
            let real = |n: &IBig, d: i32| Value::Real(RBig::from(n.clone()) / RBig::from(d));
            let pair = [real(a, 3), real(b, 2)];
            for op in [Op::Add, Op::Mul, Op::Div] {
                agrees(solver.as_mut(), op, &Sort::Real, &pair);
            }
            for op in [Op::Le, Op::Lt, Op::Eq] {
                agrees(solver.as_mut(), op, &Sort::Bool, &pair);
            }
        }
        let third = Value::Real(RBig::from(a.clone()) / RBig::from(3));
        agrees(solver.as_mut(), Op::Floor, &Sort::Int, &[third]);
        agrees(solver.as_mut(), Op::ToReal, &Sort::Real, &[Value::Int(a.clone())]);
    }
}

fn map(index: &Sort, default: i32, entries: &[(i32, i32)], element: &Sort) -> Value {
    let number = |sort: &Sort, n: i32| Value::number(sort, &n.into());
    let mut array = ArrayValue::new(index.clone(), number(element, default));
    for (at, what) in entries {
        array.set(number(index, *at), number(element, *what));
    }
    Value::Array(Arc::new(array))
}

pub fn boolean_and_array_operators(make: Make) {
    let mut solver = make(LIMIT);
    for bits in 0..8 {
        let values = [1, 2, 4].map(|mask| Value::Bool(bits & mask != 0));
        agrees(solver.as_mut(), Op::Not, &Sort::Bool, &values[..1]);
        for op in [Op::And, Op::Or, Op::Ite] {
            agrees(solver.as_mut(), op, &Sort::Bool, &values);
        }
        agrees(solver.as_mut(), Op::Eq, &Sort::Bool, &values[..2]);
        let choice = [values[0].clone(), Value::int(3), Value::int(4)];
        agrees(solver.as_mut(), Op::Ite, &Sort::Int, &choice);
    }
    for (index, element) in [(Sort::Int, Sort::Int), (Sort::BitVec(1), Sort::BitVec(8))] {
        let number = |sort: &Sort, n: i32| Value::number(sort, &n.into());
        let sort = Sort::array(index.clone(), element.clone());
        let a = map(&index, 5, &[(0, 1), (1, 2)], &element);
        let b = map(&index, 9, &[(0, 1), (1, 2)], &element); // the same over one bit
        for pair in [[a.clone(), b.clone()], [b, a.clone()], [a.clone(), a.clone()]] {
            agrees(solver.as_mut(), Op::Eq, &Sort::Bool, &pair);
        }
        for at in 0..3 {
            let at = number(&index, at);
            agrees(solver.as_mut(), Op::Select, &element, &[a.clone(), at.clone()]);
            agrees(solver.as_mut(), Op::Store, &sort, &[a.clone(), at, number(&element, 7)]);
        }
        agrees(solver.as_mut(), Op::ConstArray, &sort, &[number(&element, 3)]);
    }
}

/// Answers are those of enumeration, models satisfy, cores are unsatisfiable parts of the assumptions.
pub fn random_formulas(make: Make) {
    let mut random = Random::new(3);
    let mut solver = make(LIMIT);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..300 {
        let mut t = Terms::new();
        let sort = if round % 2 == 0 { Sort::BitVec(3) } else { Sort::Int };
        let vars = ["x", "y"].map(|name| t.var(name, &sort));
        let mut formulas: Vec<Term> = (0..4).map(|_| random.formula(&mut t, &vars, 1)).collect();
        if sort == Sort::Int {
            formulas.extend(vars.map(|v| {
                let range = [t.constant(&Value::int(0)), t.constant(&Value::int(7))];
                let (low, high) = (t.le(range[0], v), t.le(v, range[1]));
                t.and(&[low, high])
            }));
        }
        let satisfiable = |which: &[Term]| {
            (0..64).any(|n: i32| {
                let mut model = crate::Model::default();
                model.set(vars[0], Value::number(&sort, &(n / 8).into()));
                model.set(vars[1], Value::number(&sort, &(n % 8).into()));
                which.iter().all(|&f| model.evaluate(&t, f).is_true())
            })
        };
        solver.push();
        solver.assert(&t, formulas[0]);
        match solver.check(&t, &formulas[1..]) {
            Answer::Sat => {
                sat += 1;
                let model = solver.model(&t, &vars).unwrap();
                assert!(formulas.iter().all(|&f| model.evaluate(&t, f).is_true()), "round {round}");
            }
            Answer::Unsat => {
                unsat += 1;
                let mut core = solver.core();
                assert!(core.iter().all(|f| formulas[1..].contains(f)));
                assert_eq!(solver.check(&t, &core), Answer::Unsat);
                core.push(formulas[0]);
                if sort != Sort::Int {
                    assert!(!satisfiable(&core), "round {round}");
                }
            }
            Answer::Unknown(reason) => panic!("round {round}: {reason:?}"),
        }
        solver.pop();
    }
    assert!(sat > 30 && unsat > 30, "{sat} {unsat}");
}

pub fn cores(make: Make) {
    let mut t = Terms::new();
    let mut solver = make(LIMIT);
    let formulas =
        ["(< x y)", "(< y z)", "(< z x)", "(< 0 w)", "(= w 9)"].map(|f| read(&mut t, "Int", f));
    assert_eq!(solver.check(&t, &formulas), Answer::Unsat);
    let mut core = solver.core();
    assert!(core.iter().all(|f| formulas.contains(f)));
    assert_eq!(solver.check(&t, &core), Answer::Unsat);
    core = crate::minimize(solver.as_mut(), &t, &core).members;
    assert_eq!(core, formulas[..3]);
    let contradiction = read(&mut t, "Int", "(and (< q 0) (< 0 q))");
    solver.assert(&t, contradiction);
    assert_eq!(solver.check(&t, &formulas[3..]), Answer::Unsat);
}

pub fn pushing_and_popping(make: Make) {
    let mut t = Terms::new();
    let mut solver = make(LIMIT);
    let x = t.var("x", &Sort::Int);
    let number = |t: &mut Terms, n: i32| t.constant(&Value::int(n));
    for level in 0..20 {
        solver.push();
        let bound = number(&mut t, level);
        let at_least = t.le(bound, x);
        solver.assert(&t, at_least);
        if level % 3 == 0 {
            assert_eq!(solver.check(&t, &[]), Answer::Sat);
        }
    }
    for level in (0..20).rev() {
        let below = number(&mut t, level);
        let below = t.lt(x, below);
        assert_eq!(solver.check(&t, &[below]), Answer::Unsat, "level {level}");
        assert_eq!(solver.core(), [below]);
        solver.pop();
        assert_eq!(solver.check(&t, &[below]), Answer::Sat, "level {level}");
        // Something else at the same level.
        solver.push();
        let no = t.bool(false);
        solver.assert(&t, no);
        assert_eq!(solver.check(&t, &[]), Answer::Unsat);
        solver.pop();
    }
    solver.pop(); // one too many is harmless
    assert_eq!(solver.check(&t, &[]), Answer::Sat);
    assert!(solver.queries() > 40);
}

pub fn odd_assumptions(make: Make) {
    let mut t = Terms::new();
    let mut solver = make(LIMIT);
    let (p, q) = (t.var("p", &Sort::Bool), t.var("q", &Sort::Bool));
    let (yes, no) = (t.bool(true), t.bool(false));
    let not_p = t.not(p);
    let both = t.and(&[p, q]);
    assert_eq!(solver.check(&t, &[yes, yes, p, p, both, both]), Answer::Sat);
    let model = solver.model(&t, &[p, q]).unwrap();
    assert!(model.value(&t, p).is_true() && model.value(&t, q).is_true());
    assert_eq!(solver.check(&t, &[p, no, q]), Answer::Unsat);
    assert_eq!(solver.core(), [no]);
    assert_eq!(solver.check(&t, &[p, not_p, q]), Answer::Unsat);
    let core = solver.core();
    assert!(core.contains(&p) && core.contains(&not_p));
    assert_eq!(solver.check(&t, &[not_p, both, both]), Answer::Unsat);
    let core = solver.core();
    assert_eq!(core.len(), 2, "{core:?}");
    // The same assumption under and after a push.
    solver.push();
    solver.assert(&t, not_p);
    assert_eq!(solver.check(&t, &[both]), Answer::Unsat);
    assert_eq!(solver.core(), [both]);
    solver.pop();
    assert_eq!(solver.check(&t, &[both]), Answer::Sat);
    assert_eq!(solver.check(&t, &[no]), Answer::Unsat);
    assert_eq!(solver.check(&t, &[]), Answer::Sat);
}

pub fn big_integers(make: Make) {
    let mut t = Terms::new();
    let mut solver = make(LIMIT);
    let (x, y) = (t.var("x", &Sort::Int), t.var("y", &Sort::Int));
    let (big, small) = (t.constant(&Value::Int(googol())), t.constant(&Value::Int(-googol())));
    let sum = t.add(&[x, x, y]);
    let a = t.eq(sum, big);
    let b = t.eq(y, small);
    solver.assert(&t, a);
    assert_eq!(solver.check(&t, &[b]), Answer::Sat);
    let model = solver.model(&t, &[x, y]).unwrap();
    assert_eq!(model.value(&t, x), Value::Int(googol()));
    assert_eq!(model.value(&t, y), Value::Int(-googol()));
    let wide = t.var("wide", &Sort::BitVec(128));
    let value = t.constant(&Value::bitvec(128, u128::MAX - 5));
    let fixed = t.eq(wide, value);
    assert_eq!(solver.check(&t, &[fixed]), Answer::Sat);
    let model = solver.model(&t, &[wide]).unwrap();
    assert_eq!(model.value(&t, wide), Value::bitvec(128, u128::MAX - 5));
    let r = t.var("r", &Sort::Real);
    let equation = read(&mut t, "Real", "(= (* 3 r) -7)");
    assert_eq!(solver.check(&t, &[equation]), Answer::Sat);
    let third = Value::Real(RBig::from(-7) / RBig::from(3));
    assert_eq!(solver.model(&t, &[r]).unwrap().value(&t, r), third);
}

/// 200,000 nested nodes.
pub fn deep_terms(make: Make) {
    let mut t = Terms::new();
    let mut solver = make(LIMIT);
    let (x, y) = (t.var("x", &Sort::Bool), t.var("y", &Sort::Bool));
    let mut deep = x;
    for i in 0..66_667 {
        let z = t.var(&format!("z{}", i % 7), &Sort::Bool);
        let same = t.eq(deep, z);
        let either = t.or(&[same, y]);
        deep = t.and(&[either, x]);
    }
    assert!(t.len() > 200_000);
    assert_eq!(solver.check(&t, &[deep]), Answer::Sat);
    let variables = t.variables_of(&[deep]);
    let model = solver.model(&t, &variables).unwrap();
    assert!(model.evaluate(&t, deep).is_true());
    let not_x = t.not(x);
    assert_eq!(solver.check(&t, &[deep, not_x]), Answer::Unsat);
}

pub fn time_limit(make: Make) {
    // Two factors of a product of two large primes.
    let mut t = Terms::new();
    let sort = Sort::BitVec(128);
    let (x, y) = (t.var("x", &sort), t.var("y", &sort));
    let product = t.mul(x, y);
    let number =
        t.constant(&Value::bitvec(128, 18_446_744_073_709_551_557 * 4_611_686_018_427_387_847));
    let equation = t.eq(product, number);
    let one = t.constant(&Value::bitvec(128, 1));
    let half = t.constant(&Value::bitvec(128, 1 << 64));
    let ranges = [t.bv_ult(one, x), t.bv_ult(one, y), t.bv_ult(x, half), t.bv_ult(y, half)];
    let mut solver = make(Duration::from_millis(50));
    solver.push();
    solver.assert(&t, equation);
    let start = Instant::now();
    assert_eq!(solver.check(&t, &ranges), Answer::Unknown(crate::Reason::TimeLimit));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(solver.model(&t, &[x]).is_none());
    // It is as good as new for the next question.
    solver.pop();
    let same = t.eq(x, y);
    let different = t.not(same);
    assert_eq!(solver.check(&t, &[same, different]), Answer::Unsat);
}

pub fn arrays(make: Make) {
    let mut t = Terms::new();
    let mut solver = make(LIMIT);
    let formulas = [
        "(= (select (store a 3 1) 4) 7)",
        "(= (select a 3) (+ (select a 4) 1))",
        "(= b (store (store a 1 5) 2 6))",
        "(not (= c a))",
        "(= (select d (select a 3)) 9)",
    ]
    .map(|f| read(&mut t, "(Array Int Int)", f));
    assert_eq!(solver.check(&t, &formulas), Answer::Sat);
    let variables = t.variables_of(&formulas);
    let model = solver.model(&t, &variables).unwrap();
    for formula in formulas {
        assert!(model.evaluate(&t, formula).is_true(), "{}", term::to_smtlib(&t, formula));
    }
    // An array of arrays over bit-vectors.
    let row = Sort::array(Sort::BitVec(2), Sort::Bool);
    let sort = Sort::array(Sort::BitVec(8), row.clone());
    let (table, other) = (t.var("table", &sort), t.var("row", &row));
    let i = t.var("i", &Sort::BitVec(8));
    let at = t.select(table, i);
    let same = t.eq(at, other);
    let two = t.constant(&Value::bitvec(2, 2));
    let bit = t.select(other, two);
    let next = t.var("j", &Sort::BitVec(8));
    let elsewhere = t.select(table, next);
    let differs = t.eq(elsewhere, other);
    let differs = t.not(differs);
    let all = [same, bit, differs];
    assert_eq!(solver.check(&t, &all), Answer::Sat);
    let variables = t.variables_of(&all);
    let model = solver.model(&t, &variables).unwrap();
    assert!(all.iter().all(|&f| model.evaluate(&t, f).is_true()));
}

/// Bits, then integers, then bits again, on one stack.
pub fn switching_between_sorts(make: Make) {
    let mut t = Terms::new();
    let mut solver = make(LIMIT);
    let bits = read(&mut t, "(_ BitVec 8)", "(bvult x 3)");
    let more_bits = read(&mut t, "(_ BitVec 8)", "(= (+ x 254) 0)");
    let ints = read(&mut t, "Int", "(< n 0)");
    let more_ints = read(&mut t, "Int", "(< 0 (* n (* n n)))");
    solver.assert(&t, bits);
    assert_eq!(solver.check(&t, &[more_bits]), Answer::Sat);
    solver.push();
    solver.assert(&t, ints);
    assert_eq!(solver.check(&t, &[more_bits]), Answer::Sat);
    let x = t.var("x", &Sort::BitVec(8));
    assert_eq!(solver.model(&t, &[x]).unwrap().value(&t, x), Value::bitvec(8, 2));
    assert_eq!(solver.check(&t, &[more_ints, more_bits]), Answer::Unsat);
    assert!(solver.core().contains(&more_ints));
    solver.pop();
    let none = read(&mut t, "(_ BitVec 8)", "(= x 7)");
    assert_eq!(solver.check(&t, &[none]), Answer::Unsat);
    assert_eq!(solver.check(&t, &[more_ints]), Answer::Sat);
    assert_eq!(solver.queries(), 5);
}

/// Terms of two clones have the same ids and different meanings.
pub fn clones_of_the_arena(make: Make) {
    let mut t = Terms::new();
    let mut solver = make(LIMIT);
    let x = t.var("x", &Sort::Int);
    let positive = read(&mut t, "Int", "(< 0 x)");
    solver.assert(&t, positive);
    let mut left = t.clone();
    let mut right = t.clone();
    let a = read(&mut left, "Int", "(< x 0)");
    let b = read(&mut right, "Int", "(< 7 x)");
    assert_eq!(solver.check(&left, &[a]), Answer::Unsat);
    assert_eq!(solver.check(&right, &[b]), Answer::Sat);
    assert!(solver.model(&right, &[x]).unwrap().evaluate(&right, b).is_true());
    assert_eq!(solver.check(&left, &[a]), Answer::Unsat);
    assert_eq!(solver.core(), [a]);
}
