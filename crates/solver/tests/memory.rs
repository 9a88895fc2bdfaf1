//! The limit of memory is one for the whole process, so it is tested in one of its own.

use std::fs;
use std::time::Duration;

use solver::{Answer, Solver, Z3, limit_memory};
use term::{Sort, Terms};

#[test]
fn a_query_that_takes_too_much_memory_is_given_up() {
    limit_memory(150);
    // A product of many wide numbers, as circuits.
    let mut t = Terms::new();
    let wide = Sort::BitVec(128);
    let factors: Vec<_> = (0..60).map(|i| t.var(&format!("x{i}"), &wide)).collect();
    let product = factors.iter().skip(1).fold(factors[0], |product, &x| t.mul(product, x));
    let square = t.mul(product, product);
    let other = t.constant(&term::Value::bitvec(128, 0x1234_5677));
    let hard = t.eq(square, other);
    let mut solver = Z3::new(Duration::from_secs(60));
    let answer = solver.check(&t, &[hard]);
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 400 << 10, "{peak} kB, {answer:?}");
    // Others can still be asked.
    let mut t = Terms::new();
    let x = t.var("x", &Sort::BitVec(8));
    let one = t.constant(&term::Value::bitvec(8, 1));
    let easy = t.eq(x, one);
    let mut next = Z3::new(Duration::from_secs(10));
    drop(solver);
    assert_eq!(next.check(&t, &[easy]), Answer::Sat);
}
