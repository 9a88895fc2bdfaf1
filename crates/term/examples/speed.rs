//! How long the frequent operations take: `cargo run --release -p term --example speed`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use term::{Op, Sort, Term, Terms, Value};

fn main() {
    chains();
    substitution();
    maps();
}

/// Prints the time of one of `count` repetitions.
fn report(what: &str, count: u32, run: impl FnOnce()) {
    let start = Instant::now();
    run();
    let time: Duration = start.elapsed();
    println!(
        "{what:50} {:>10.1} ns each, {time:>10.1?} in all",
        time.as_nanos() as f64 / f64::from(count)
    );
}

fn chains() {
    let n = 100_000;
    for sort in [Sort::Int, Sort::BitVec(32)] {
        let mut t = Terms::new();
        let x = t.var("x", &sort);
        let one = t.constant(&Value::number(&sort, &1.into()));
        report(&format!("x + 1 + 1 + … on {sort}"), n, || {
            let mut sum = x;
            for _ in 0..n {
                sum = t.add(&[sum, one]);
            }
            black_box(sum);
        });
    }
    let mut t = Terms::new();
    let vars: Vec<Term> = (0..n).map(|i| t.var(&format!("x{i}"), &Sort::Int)).collect();
    report("x0 + x1 + x2 + …, one by one", n, || {
        let mut sum = vars[0];
        for &x in &vars[1..] {
            sum = t.add(&[sum, x]);
        }
        black_box(sum);
    });
    report("x0 + x1 + x2 + …, at once", n, || {
        black_box(t.add(&vars));
    });
}

/// A condition of 15 to 20 nodes over five variables.
fn condition(t: &mut Terms, sort: &Sort) -> (Term, Vec<Term>) {
    let v: Vec<Term> = (0..5).map(|i| t.var(&format!("v{i}"), sort)).collect();
    let seven = t.constant(&Value::number(sort, &7.into()));
    let product = t.mul(v[0], v[1]);
    let sum = t.add(&[product, v[2], seven, v[2]]);
    let small = match sort {
        Sort::Int => t.le(sum, v[3]),
        _ => t.bv_slt(sum, v[3]),
    };
    let other = t.ite(small, sum, v[4]);
    let equal = t.eq(other, v[1]);
    let last = t.eq(v[4], seven);
    let both = t.or(&[equal, last]);
    (t.and(&[both, small]), v)
}

fn substitution() {
    let n = 100_000;
    for sort in [Sort::Int, Sort::BitVec(32)] {
        let mut t = Terms::new();
        let (term, v) = condition(&mut t, &sort);
        let size = t.reachable(&[term]).len();
        let constants: Vec<Term> =
            (0..1000).map(|i| t.constant(&Value::number(&sort, &i.into()))).collect();
        report(&format!("substitute constants, {size} nodes, {sort}"), n, || {
            for i in 0..n as usize {
                let new = t.substitute(term, &mut |x| {
                    v.iter().position(|&y| y == x).map(|at| constants[(i + 7 * at) % 1000])
                });
                black_box(new);
            }
        });
        report("substitute constants for all but one", n, || {
            for i in 0..n as usize {
                let new = t.substitute(term, &mut |x| {
                    let at = v.iter().position(|&y| y == x).filter(|&at| at != 3)?;
                    Some(constants[(i + 7 * at) % 100])
                });
                black_box(new);
            }
        });
        report("variables_of", n, || {
            for _ in 0..n {
                black_box(t.variables_of(black_box(&[term])));
            }
        });
        report("mentions", n, || {
            for i in 0..n as usize {
                black_box(t.mentions(black_box(term), v[i % 5]));
            }
        });
        report("evaluate", n, || {
            for _ in 0..n {
                let value = Value::number(&sort, &3.into());
                black_box(term::evaluate(&t, black_box(term), &mut |_| Some(value.clone())));
            }
        });
    }
    let mut t = Terms::new();
    let v: Vec<Term> = (0..5).map(|i| t.var(&format!("v{i}"), &Sort::Int)).collect();
    let sum = t.add(&[v[0], v[1], v[1], v[2]]);
    let (below, one) = (t.le(sum, v[3]), t.constant(&Value::int(1)));
    let next = t.add(&[v[4], one]);
    report("replace a variable in a linear comparison", n, || {
        for i in 0..n as usize {
            black_box(t.replace(black_box(below), v[i % 4], next));
        }
    });
}

fn maps() {
    let index = |t: &mut Terms, i: u32| t.constant(&Value::int(i));
    let sort = Sort::array(Sort::Int, Sort::Int);
    for symbolic in ["constant map", "unknown map"] {
        let base = |t: &mut Terms| match symbolic {
            "constant map" => t.constant(&Value::zero(&sort)),
            _ => t.var("m", &sort),
        };
        let mut t = Terms::new();
        let mut map = base(&mut t);
        report(&format!("{symbolic}: write 2000 cells"), 2000, || {
            for i in 0..2000 {
                let (at, new) = (index(&mut t, i), index(&mut t, i * 3));
                map = t.store(map, at, new);
            }
        });
        report(&format!("{symbolic}: read 2000 cells"), 2000, || {
            for i in 0..2000 {
                let at = index(&mut t, i);
                black_box(t.select(map, at));
            }
        });
        let mut t = Terms::new();
        let mut map = base(&mut t);
        report(&format!("{symbolic}: write 100 cells 200 times"), 20_000, || {
            for i in 0..20_000 {
                let (at, one) = (index(&mut t, i % 100), index(&mut t, 1));
                let old = t.select(map, at);
                let new = t.add(&[old, one]);
                map = t.store(map, at, new);
            }
        });
        println!("{:50} {:>10} nodes below the map", "", t.reachable(&[map]).len());
    }
    let mut t = Terms::new();
    let (mut map, i) = (t.var("m", &sort), t.var("i", &Sort::Int));
    report("cells i, i + 1, …: write and read 2000", 2000, || {
        for n in 0..2000 {
            let offset = index(&mut t, n);
            let at = t.add(&[i, offset]);
            map = t.store(map, at, offset);
        }
        for n in 0..2000 {
            let offset = index(&mut t, n);
            let at = t.add(&[i, offset]);
            black_box(t.select(map, at));
        }
    });
    let value = Op::ConstArray.apply(&sort, &[&Value::int(0)]);
    report("values: write 100000 cells in place", 100_000, || {
        let Value::Array(mut map) = value.clone() else { return };
        for n in 0..100_000 {
            std::sync::Arc::make_mut(&mut map).set(Value::int(n % 1000), Value::int(n));
        }
        for n in 0..100_000 {
            black_box(map.get(&Value::int(n % 1000)));
        }
    });
}
