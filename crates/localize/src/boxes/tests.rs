use rustc_hash::FxHashMap;
use term::{Op, Sort, Term, Terms, Value};

use super::arc::Arc;
use super::backward::backward;
use super::forward::forward;
use super::{Decided, Effort, decide, value_of as value};

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    fn arc(&mut self, mask: u64) -> Arc {
        let span = match self.below(3) {
            0 => 0,
            1 => self.below(4) & mask,
            _ => self.below(mask + 1),
        };
        let low = if span == mask { 0 } else { self.below(mask + 1) };
        let step = if self.below(2) == 0 { 1 } else { 1 + self.below(6) };
        Arc::every(step, low, span)
    }
}

const BITS: Sort = Sort::BitVec(4);

/// Operators with the sorts of their arguments and their results.
fn operators() -> Vec<(Op, Vec<Sort>, Sort)> {
    let mut all = Vec::new();
    for op in [
        Op::Add,
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
    ] {
        all.push((op, vec![BITS, BITS], BITS));
    }
    for op in [
        Op::Eq,
        Op::BvUlt,
        Op::BvSlt,
        Op::BvSaddOverflow,
        Op::BvSsubOverflow,
        Op::BvSmulOverflow,
        Op::BvUaddOverflow,
        Op::BvUsubOverflow,
        Op::BvUmulOverflow,
    ] {
        all.push((op, vec![BITS, BITS], Sort::Bool));
    }
    all.push((Op::Add, vec![BITS, BITS, BITS], BITS));
    all.push((Op::BvNot, vec![BITS], BITS));
    all.push((Op::Not, vec![Sort::Bool], Sort::Bool));
    all.push((Op::And, vec![Sort::Bool, Sort::Bool, Sort::Bool], Sort::Bool));
    all.push((Op::Or, vec![Sort::Bool, Sort::Bool, Sort::Bool], Sort::Bool));
    all.push((Op::Ite, vec![Sort::Bool, BITS, BITS], BITS));
    all.push((Op::ZeroExtend, vec![BITS], Sort::BitVec(7)));
    all.push((Op::SignExtend, vec![BITS], Sort::BitVec(7)));
    all.push((Op::Concat, vec![Sort::BitVec(3), BITS], Sort::BitVec(7)));
    all.push((Op::Extract { low: 0 }, vec![Sort::BitVec(7)], BITS));
    all.push((Op::Extract { low: 2 }, vec![Sort::BitVec(7)], BITS));
    all
}

/// All ways to choose a number of each arc.
fn choices(of: &[(Arc, u64)]) -> Vec<Vec<u64>> {
    of.iter().fold(vec![Vec::new()], |chosen, &(arc, mask)| {
        let with = |before: &Vec<u64>| {
            let before = before.clone();
            arc.numbers(mask).map(move |number| [&before[..], &[number]].concat())
        };
        chosen.iter().flat_map(with).collect()
    })
}

#[test]
fn arcs_are_sets() {
    let (mut dice, mask) = (Dice(3), 31);
    for _ in 0..40_000 {
        let (a, b) = (dice.arc(mask), dice.arc(mask));
        let number = dice.below(32);
        let (meet, join, without) = (a.meet(b, mask), a.join(b, mask), a.without(number, mask));
        let offset = dice.below(32);
        let parts = if a.is_point() { [a, a] } else { a.split(offset, mask).into() };
        assert!(a.contains(a.simple(number, mask), mask), "{a:?}");
        for n in 0..32 {
            let (in_a, in_b) = (a.contains(n, mask), b.contains(n, mask));
            assert_eq!(in_a, a.numbers(mask).any(|own| own == n), "{a:?}");
            let is_in = |arc: Option<Arc>| arc.is_some_and(|arc| arc.contains(n, mask));
            assert!(!(in_a && in_b) || is_in(meet), "{a:?} and {b:?}: {n} in {meet:?}");
            assert!(!is_in(meet) || in_a || in_b, "{a:?} and {b:?}: {n} in {meet:?}");
            assert!(!(in_a || in_b) || join.contains(n, mask), "{a:?} or {b:?}: {n} in {join:?}");
            assert!(!in_a || n == number || is_in(without), "{a:?} without {number}");
            assert!(!is_in(without) || in_a, "{a:?} without {number}");
            let of = parts.iter().filter(|part| part.contains(n, mask)).count();
            assert!(a.is_point() || of == usize::from(in_a), "{a:?}: {parts:?}");
        }
    }
}

#[test]
fn nothing_that_an_operator_does_is_lost() {
    let mut dice = Dice(1);
    for (op, sorts, sort) in operators() {
        let mask = super::mask_of(&sort);
        for _ in 0..1_500 {
            let args: Vec<(Arc, u64)> = sorts
                .iter()
                .map(|sort| (dice.arc(super::mask_of(sort)), super::mask_of(sort)))
                .collect();
            let wanted = dice.arc(mask);
            let results = forward(op, mask, &args);
            let mut narrowed = args.clone();
            let possible = backward(op, wanted, mask, &mut narrowed);
            for chosen in choices(&args) {
                let values: Vec<Value> =
                    sorts.iter().zip(&chosen).map(|(sort, &n)| value(sort, n)).collect();
                let result = op.apply(&sort, &values.iter().collect::<Vec<_>>());
                let result = super::number(&result).unwrap_or_default();
                assert!(
                    results.is_none_or(|results| results.contains(result, mask)),
                    "{op:?} of {args:?}: {chosen:?} gives {result}, not in {results:?}"
                );
                if args.iter().all(|(arc, _)| arc.is_point()) {
                    assert_eq!(results, Some(Arc::point(result)), "{op:?} {chosen:?}");
                }
                if wanted.contains(result, mask) {
                    assert_eq!(possible, Ok(()), "{op:?} {chosen:?} in {wanted:?}");
                    for (&number, (arc, mask)) in chosen.iter().zip(&narrowed) {
                        assert!(
                            arc.contains(number, *mask),
                            "{op:?} of {args:?} in {wanted:?}: {chosen:?} is not in {narrowed:?}"
                        );
                    }
                }
            }
        }
    }
}

/// A term of this sort over the variables.
fn any_term(
    terms: &mut Terms,
    dice: &mut Dice,
    sort: &Sort,
    variables: &[Term],
    depth: u32,
) -> Term {
    let leaf = depth == 0 || dice.below(5) == 0;
    if leaf && *sort != Sort::Bool {
        let own: Vec<Term> = variables.iter().copied().filter(|&v| terms.sort(v) == sort).collect();
        return match own.is_empty() || dice.below(3) == 0 {
            true => {
                let number = dice.below(1 << 7) & super::mask_of(sort);
                terms.constant(&value(sort, number))
            }
            false => dice.of(&own),
        };
    }
    let fitting: Vec<_> = operators().into_iter().filter(|(_, _, result)| result == sort).collect();
    let (op, sorts, _) = &fitting[dice.below(fitting.len() as u64) as usize];
    let depth = depth.saturating_sub(1);
    if depth == 0 && sorts.contains(&Sort::Bool) {
        let [a, b] = [0, 1].map(|_| any_term(terms, dice, &BITS, variables, 0));
        return match sort {
            Sort::Bool => terms.bv_slt(a, b),
            _ => any_term(terms, dice, sort, variables, 0),
        };
    }
    let args: Vec<Term> =
        sorts.iter().map(|sort| any_term(terms, dice, sort, variables, depth)).collect();
    terms.make(*op, sort, &args)
}

#[test]
fn answers_agree_with_all_values() {
    let mut dice = Dice(7);
    let (mut possible, mut impossible, mut open) = (0, 0, 0);
    for _ in 0..4_000 {
        let mut terms = Terms::new();
        let x = terms.var("x", &BITS);
        let y = terms.var("y", &BITS);
        let count = 1 + dice.below(4);
        let formulas: Vec<Term> =
            (0..count).map(|_| any_term(&mut terms, &mut dice, &Sort::Bool, &[x, y], 3)).collect();
        let all = terms.and(&formulas);
        let holds = |a: u64, b: u64| {
            let of = |variable: Term| value(&BITS, if variable == x { a } else { b });
            let result = term::evaluate(&terms, all, &mut |variable| Some(of(variable)));
            result == Some(Value::Bool(true))
        };
        let some = (0..256).any(|n| holds(n / 16, n % 16));
        let (now, mut took) = (FxHashMap::default(), 0);
        let mut own = terms.clone();
        match decide(&mut own, &formulas, &now, Effort::MOST, &mut took) {
            Decided::Values(values) => {
                possible += 1;
                let of = |v: Term| values.iter().find(|(own, _)| *own == v).map(|(_, v)| v.clone());
                let result = term::evaluate(&terms, all, &mut |variable| of(variable));
                assert_eq!(result, Some(Value::Bool(true)));
            }
            Decided::Impossible => {
                impossible += 1;
                assert!(!some, "{formulas:?}");
            }
            Decided::Open(_) => open += 1,
        }
    }
    // With so few values, nearly all can be decided.
    assert!(possible > 500 && impossible > 500 && open < 20, "{possible} {impossible} {open}");
}

#[test]
fn sums_of_sums_agree_with_all_values() {
    let mut dice = Dice(11);
    for _ in 0..2_000 {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.var(name, &BITS));
        let mut number = |terms: &mut Terms| terms.constant(&value(&BITS, dice.below(16)));
        let and = terms.make(Op::BvAnd, &BITS, &[x, y]);
        let mut formulas = Vec::new();
        let mut sum = x;
        for summand in [y, and, x] {
            let [by, other, low, high] = [(); 4].map(|()| number(&mut terms));
            let (multiple, summand) = (terms.mul(by, sum), terms.mul(other, summand));
            sum = terms.add(&[multiple, summand]);
            formulas.extend([terms.bv_slt(low, sum), terms.bv_ult(sum, high)]);
        }
        formulas.truncate(1 + dice.below(6) as usize);
        let all = terms.and(&formulas);
        let holds = |a: u64, b: u64| {
            let of = |variable: Term| value(&BITS, if variable == x { a } else { b });
            let result = term::evaluate(&terms, all, &mut |variable| Some(of(variable)));
            result == Some(Value::Bool(true))
        };
        let some = (0..256).any(|n| holds(n / 16, n % 16));
        let (now, mut took) = (FxHashMap::default(), 0);
        let mut own = terms.clone();
        match decide(&mut own, &formulas, &now, Effort::MOST, &mut took) {
            Decided::Values(_) => assert!(some),
            Decided::Impossible => assert!(!some, "{formulas:?}"),
            Decided::Open(_) => {}
        }
    }
}

#[test]
fn tables_and_sums_need_no_solver() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.var(name, &Sort::BitVec(32)));
    let number =
        |terms: &mut Terms, n: i32| terms.constant(&value(&Sort::BitVec(32), n as u32 as u64));
    // The difference of two numbers is 44, and at the same time -2956.
    let difference = terms.sub(x, y);
    let [five, three_thousand, sum] = [5, 3000, 44].map(|n| number(&mut terms, n));
    let small = terms.bv_slt(difference, five);
    let large = terms.not(small);
    let with = terms.add(&[three_thousand, difference]);
    let printed = terms.eq(with, sum);
    let (now, mut took) = (FxHashMap::default(), 0);
    let decided = decide(&mut terms, &[large, printed], &now, Effort::LEAST, &mut took);
    assert_eq!(decided, Decided::Impossible);
    // An index into a table with four entries that is none of them.
    let wide = terms.sign_extend(x, 64);
    let four = terms.constant(&value(&Sort::BitVec(64), 4));
    let offset = terms.mul(four, wide);
    let last = terms.constant(&value(&Sort::BitVec(64), 12));
    let outside = terms.bv_ult(last, offset);
    let mut formulas = vec![terms.not(outside)];
    for n in 0..4 {
        let entry = number(&mut terms, n);
        formulas.push(terms.ne(x, entry));
    }
    let decided = decide(&mut terms, &formulas, &now, Effort::LEAST, &mut took);
    assert_eq!(decided, Decided::Impossible);
    formulas.pop();
    let decided = decide(&mut terms, &formulas, &now, Effort::LEAST, &mut took);
    assert_eq!(decided, Decided::Values(vec![(x, value(&Sort::BitVec(32), 3))]));
}

#[test]
fn remainders_and_digits_need_no_solver() {
    let sort = Sort::BitVec(32);
    let number = |terms: &mut Terms, n: u64| terms.constant(&value(&sort, n));
    let (now, mut took) = (FxHashMap::default(), 0);
    // Larger than the square of a number, divided by it, but by none that is smaller: if it is a prime.
    for (last, is_prime) in [(9, false), (12, false), (35, false), (37, true), (67, true)] {
        let mut terms = Terms::new();
        let x = terms.var("x", &sort);
        let mut formulas = Vec::new();
        for n in 2..=last {
            let [by, square, zero] = [n, n * n, 0].map(|n| number(&mut terms, n));
            let rest = terms.make(Op::BvSrem, &sort, &[x, by]);
            let divides = terms.eq(rest, zero);
            formulas.push(if n == last { divides } else { terms.not(divides) });
            formulas.push(terms.bv_slt(square, x));
        }
        let decided = decide(&mut terms, &formulas, &now, Effort::MOST, &mut took);
        assert_eq!(matches!(decided, Decided::Values(_)), is_prime, "{last}");
        assert_eq!(decided == Decided::Impossible, !is_prime, "{last}");
    }
    // A number that is made of digits, and always fits, is not negative.
    let mut terms = Terms::new();
    let [ten, zero] = [10, 0].map(|n| number(&mut terms, n));
    let (mut sum, mut formulas) = (zero, Vec::new());
    for n in 0..21 {
        let (large, multiple) = (terms.bv_smul_overflow(ten, sum), terms.mul(ten, sum));
        let x = terms.var(&format!("x{n}"), &sort);
        let digit = terms.make(Op::BvSrem, &sort, &[x, ten]);
        let overflows = terms.bv_sadd_overflow(multiple, digit);
        formulas.extend([terms.bv_slt(zero, x), terms.not(large), terms.not(overflows)]);
        sum = terms.add(&[multiple, digit]);
    }
    formulas.push(terms.bv_slt(sum, zero));
    let decided = decide(&mut terms, &formulas, &now, Effort::LEAST, &mut took);
    assert_eq!(decided, Decided::Impossible);
    // The digits of a number in reverse, and the last digits of many numbers, are digits of a number.
    for (last, of_one, is_possible) in
        [(4_294_967_291u64, true, true), (4_294_967_242, true, false), (4_294_967_242, false, true)]
    {
        let mut terms = Terms::new();
        let [ten, zero] = [10, 0].map(|n| number(&mut terms, n));
        let mut x = terms.var("x", &sort);
        let (mut sum, mut formulas) = (zero, Vec::new());
        for n in 0..if of_one { 10 } else { 13 } {
            formulas.push(terms.bv_slt(zero, x));
            let (digit, before) = (terms.make(Op::BvSrem, &sort, &[x, ten]), terms.mul(ten, sum));
            sum = terms.add(&[before, digit]);
            x = match of_one {
                true => terms.make(Op::BvSdiv, &sort, &[x, ten]),
                false => terms.var(&format!("x{n}"), &sort),
            };
        }
        let last = number(&mut terms, last);
        formulas.push(terms.eq(sum, last));
        let decided = decide(&mut terms, &formulas, &now, Effort::MOST, &mut took);
        assert_eq!(matches!(decided, Decided::Values(_)), is_possible, "{decided:?}");
        assert_eq!(decided == Decided::Impossible, !is_possible, "{decided:?}");
    }
}
