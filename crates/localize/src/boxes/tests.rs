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
        Arc { low, span }
    }
}

fn numbers(arc: Arc, mask: u64) -> impl Iterator<Item = u64> {
    (0..=arc.span).map(move |n| arc.low.wrapping_add(n) & mask)
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
            numbers(arc, mask).map(move |number| [&before[..], &[number]].concat())
        };
        chosen.iter().flat_map(with).collect()
    })
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
