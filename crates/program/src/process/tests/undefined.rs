//! Undefined bits: where they go, and where they may not.

use term::Op;

use super::sketch::{Writer, kind, run};
use crate::process::{Image, Limits, Nothing, Outcome, Process, Scalar};
use crate::program::{FailureKind, Memory, Statement};
use crate::{Stop, testing::assign};

const UNINITIALISED: Option<FailureKind> = Some(FailureKind::Uninitialised);

#[test]
fn an_undefined_value_may_be_moved_and_computed_with() {
    let mut w = Writer::new();
    let (a, b) = (w.alloc(8), w.alloc(8));
    let value = w.load(32, a);
    w.store(b, value);
    let size = w.constant(64, 4);
    w.then(Statement::Memory(Memory::Copy { to: a, from: b, size }));
    let again = w.load(32, a);
    let sum = w.plus(again, 1);
    let variable = w.local(32);
    w.assign(variable, sum);
    w.ret();
    assert_eq!(run(&w.finish()), Outcome::Finished { status: 0 });
}

#[test]
fn decisions_addresses_sizes_divisors_and_callees_must_be_defined() {
    for case in 0..8 {
        let mut w = Writer::new();
        let object = w.alloc(8);
        let value = w.load(64, object);
        let one = w.constant(64, 1);
        match case {
            0 => w.check_equal(value, 0),
            1 => {
                w.load(8, value);
            }
            2 => {
                let byte = w.constant(8, 0);
                w.then(Statement::Memory(Memory::Fill { to: object, byte, size: value }));
            }
            3 => {
                let quotient = w.sketch.builder.terms.bit_operation(Op::BvSdiv, one, value);
                let variable = w.local(64);
                w.then(assign(variable, quotient));
            }
            4 => w.then(Statement::CallPointer {
                pointer: value,
                arguments: vec![],
                results: vec![],
            }),
            5 => {
                let condition = w.sketch.builder.terms.bv_slt(value, one);
                w.check(condition);
            }
            6 => w.store(value, one),
            _ => w.then(Statement::Memory(Memory::Copy { to: object, from: value, size: one })),
        }
        w.ret();
        assert_eq!(kind(&run(&w.finish())), UNINITIALISED, "case {case}");
    }
}

/// As for `s.b = 5` where `b` is a bit-field of 3 bits: the other bits stay undefined.
#[test]
fn bit_fields() {
    for (bits, defined) in [(0b0011_1000u128, true), (0b0111_1000, false)] {
        let mut w = Writer::new();
        let object = w.alloc(1);
        let old = w.load(8, object);
        let (others, new) = (w.constant(8, 0b1100_0111), w.constant(8, 5 << 3));
        let kept = w.sketch.builder.terms.bit_operation(Op::BvAnd, old, others);
        let value = w.sketch.builder.terms.bit_operation(Op::BvOr, kept, new);
        w.store(object, value);
        let read = w.load(8, object);
        let mask = w.constant(8, bits);
        let field = w.sketch.builder.terms.bit_operation(Op::BvAnd, read, mask);
        w.check_equal(field, 5 << 3);
        w.ret();
        let outcome = run(&w.finish());
        if defined {
            assert_eq!(outcome, Outcome::Finished { status: 0 });
        } else {
            assert_eq!(kind(&outcome), UNINITIALISED);
        }
    }
}

#[test]
fn an_inequality_of_defined_bits_is_enough() {
    let mut w = Writer::new();
    let object = w.alloc(2);
    let byte = w.constant(8, 1);
    w.store(object, byte);
    let half = w.load(16, object);
    let zero = w.constant(16, 0);
    let same = w.sketch.builder.terms.eq(half, zero);
    let different = w.sketch.builder.terms.not(same);
    w.check(different);
    let low = w.sketch.builder.terms.extract(half, 0, 8);
    w.check_equal(low, 1);
    w.check_equal(half, 1);
    w.ret();
    assert_eq!(kind(&run(&w.finish())), UNINITIALISED);
}

#[test]
fn undefined_bits_go_through_calls_globals_and_the_world() {
    let mut w = Writer::new();
    let main = w.procedure;
    let identity = w.begin("identity");
    let (parameter, result) = (w.parameter(32), w.result(32));
    w.assign(result, parameter);
    w.ret();
    w.go_to(main);
    let global = w.sketch.builder.global("g", &term::Sort::BitVec(32));
    let (given, back) = (w.local(32), w.local(32));
    w.external("give", &[], &[given]);
    w.then(Statement::Call { callee: identity, arguments: vec![given], results: vec![back] });
    w.assign(global, back);
    w.external("give", &[global], &[]);
    let low = w.sketch.builder.terms.extract(global, 0, 8);
    w.check_equal(low, 0x78);
    w.check_equal(global, 0x1234_5678);
    w.ret();
    let program = w.finish();
    let image = Image::new(&program).expect("machine words");
    let mut process = Process::new(&image, program.entries[0], &[]);
    let given = Scalar { bits: 0x1234_5678, undefined: 0xff00 };
    let mut world = super::sketch::World { gives: vec![given], seen: vec![] };
    let outcome = process.run(&mut world, &mut Nothing, Limits::default(), &Stop::default());
    assert_eq!(kind(&outcome), UNINITIALISED);
    assert_eq!(world.seen[1].1, [given]);
}

#[test]
fn a_store_defines() {
    let mut w = Writer::new();
    let object = w.alloc(3);
    let (value, byte) = (w.constant(16, 0x0201), w.constant(8, 3));
    w.store(object, value);
    let last = w.plus(object, 2);
    w.store(last, byte);
    let all = w.load(24, object);
    w.check_equal(all, 0x03_0201);
    w.ret();
    assert_eq!(run(&w.finish()), Outcome::Finished { status: 0 });
}
