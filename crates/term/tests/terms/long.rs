//! Long sums, conjunctions and chains of stores: in any order, in any arena, in little time.

use std::collections::HashMap;

use crate::expressions::Random;
use term::{Op, Sort, Term, Terms, Value, evaluate};

fn shuffled<T: Clone>(random: &mut Random, items: &[T]) -> Vec<T> {
    let mut items = items.to_vec();
    for i in (1..items.len()).rev() {
        items.swap(i, random.below(i + 1));
    }
    items
}

/// All terms made from `root` are rebuilt as themselves, and a journey through an arena whose
/// variables have another order leads back.
fn stable(random: &mut Random, terms: &mut Terms, root: Term) {
    for term in terms.reachable(&[root]) {
        let (op, sort, args) =
            (terms.op(term), terms.sort(term).clone(), terms.args(term).to_vec());
        assert_eq!(terms.make(op, &sort, &args), term);
        if matches!(op, Op::Add | Op::Mul | Op::And | Op::Or) {
            let args = shuffled(random, &args);
            assert_eq!(terms.make(op, &sort, &args), term);
        }
    }
    let mut other = Terms::new();
    let mut there: HashMap<Term, Term> = HashMap::new();
    for v in shuffled(random, &terms.variables_of(&[root])) {
        let sort = terms.sort(v).clone();
        there.insert(v, other.var(terms.name(v).expect("a variable"), &sort));
    }
    let back: HashMap<Term, Term> = there.iter().map(|(a, b)| (*b, *a)).collect();
    let moved = other.import(terms, root, &mut |_, v| there[&v]);
    assert_eq!(terms.import(&other, moved, &mut |_, v| back[&v]), root);
}

#[test]
fn sums_and_connectives() {
    let mut random = Random(7);
    for round in 0..40 {
        let mut t = Terms::new();
        let sort = random.pick(&[Sort::Int, Sort::Real, Sort::BitVec(8)]);
        let number = |n: u64| Value::number(&sort, &n.into());
        let vars: Vec<Term> = (0..150).map(|i| t.var(&format!("x{i}"), &sort)).collect();
        let values: Vec<u64> = vars.iter().map(|_| random.next() % 5).collect();
        let (mut sum, mut expected) = (t.constant(&number(0)), 0);
        for _ in 0..300 {
            let (at, factor) = (random.below(vars.len()), random.next() % 3);
            let part = t.scale(&number(factor), vars[at]);
            let one = t.constant(&number(1));
            sum = t.add(&shuffled(&mut random, &[sum, part, one]));
            expected += factor * values[at] + 1;
        }
        let of = |v: Term| number(values[vars.iter().position(|&x| x == v).unwrap()]);
        let value = evaluate(&t, sum, &mut |v| Some(of(v))).unwrap();
        assert_eq!(value, number(expected), "round {round}");
        let none = t.sub(sum, sum);
        assert!(t.value(none).is_some_and(Value::is_zero));
        stable(&mut random, &mut t, sum);

        let product = vars.iter().fold(vars[0], |p, &x| t.mul(p, x));
        stable(&mut random, &mut t, product);

        let literals: Vec<Term> = (0..150).map(|i| t.var(&format!("b{i}"), &Sort::Bool)).collect();
        let one_by_one = literals.iter().fold(literals[0], |all, &b| t.and(&[b, all]));
        stable(&mut random, &mut t, one_by_one);
        let at_once = t.or(&shuffled(&mut random, &literals));
        assert_eq!(at_once, t.or(&literals));
        stable(&mut random, &mut t, at_once);
    }
}

#[test]
fn stores() {
    let mut random = Random(11);
    for round in 0..60 {
        let mut t = Terms::new();
        let index = random.pick(&[Sort::Int, Sort::BitVec(4), Sort::BitVec(32)]);
        let sort = Sort::array(index.clone(), Sort::Int);
        let mut map = t.var("m", &sort);
        let stems = [t.var("i", &index), t.var("j", &index)];
        let elements: Vec<Term> = (0..3).map(|i| t.var(&format!("e{i}"), &Sort::Int)).collect();
        let given = |t: &Terms, v: Term| match t.name(v).unwrap() {
            "m" => Value::zero(&sort),
            "i" => Value::number(&index, &2.into()),
            "j" => Value::number(&index, &5.into()),
            name => Value::int(name.len() as i32 + i32::from(name.as_bytes()[1])),
        };
        let mut expected = Value::zero(&sort);
        for _ in 0..400 {
            let constant = t.constant(&Value::number(&index, &random.below(12).into()));
            let at = match random.below(if round % 2 == 0 { 1 } else { 30 }) {
                1 => t.add(&[stems[0], constant]),
                2 => t.add(&[stems[1], constant]),
                3 => t.add(&[stems[0], stems[1], constant]),
                _ => constant,
            };
            let element = match random.below(3) {
                0 => t.constant(&Value::int(random.below(3) as i32)),
                _ => random.pick(&elements),
            };
            map = t.store(map, at, element);
            let value = |term: Term| evaluate(&t, term, &mut |v| Some(given(&t, v))).unwrap();
            expected = Op::Store.apply(&sort, &[&expected, &value(at), &value(element)]);
            let read = t.select(map, at);
            assert_eq!(read, element, "round {round}");
            let other = t.constant(&Value::number(&index, &random.below(12).into()));
            let read = t.select(map, other);
            let value = |term: Term| evaluate(&t, term, &mut |v| Some(given(&t, v))).unwrap();
            let cell = Op::Select.apply(&Sort::Int, &[&expected, &value(other)]);
            assert_eq!(value(read), cell, "round {round}");
        }
        let value = evaluate(&t, map, &mut |v| Some(given(&t, v))).unwrap();
        assert!(value.same(&expected), "round {round}");
        stable(&mut random, &mut t, map);
        let constants: HashMap<Term, Term> = t
            .variables_of(&[map])
            .into_iter()
            .map(|v| {
                let value = given(&t, v);
                (v, t.constant(&value))
            })
            .collect();
        let known = t.substitute(map, &mut |v| constants.get(&v).copied());
        assert!(t.value(known).unwrap().same(&expected));
        let step = constants.iter().fold(map, |map, (&v, &c)| t.replace(map, v, c));
        assert!(t.value(step).unwrap().same(&expected));
        if round % 2 == 0 {
            assert!(t.reachable(&[map]).len() < 100, "hidden stores are dropped");
        }
    }
}
