//! Words, calls, memory: the everyday things.

use super::sketch::{Writer, kind, run};
use crate::process::Outcome;
use crate::program::FailureKind;

#[test]
fn a_loop_adds_up() {
    let mut w = Writer::new();
    let (i, sum) = (w.local(32), w.local(32));
    let status = w.result(32);
    let zero = w.constant(32, 0);
    w.assign(i, zero);
    w.assign(sum, zero);
    let head = w.at;
    let (body, after) =
        (w.sketch.builder.location(w.procedure), w.sketch.builder.location(w.procedure));
    let ten = w.constant(32, 10);
    let condition = w.sketch.builder.terms.bv_slt(i, ten);
    w.sketch.branch(head, condition, body, after);
    w.at = body;
    let next = w.add(sum, i);
    w.assign(sum, next);
    let next = w.plus(i, 1);
    w.sketch.add(w.at, head, crate::testing::assign(i, next));
    w.at = after;
    w.assign(status, sum);
    w.ret();
    assert_eq!(run(&w.finish()), Outcome::Finished { status: 45 });
}

#[test]
fn memory_is_little_endian() {
    let mut w = Writer::new();
    let object = w.alloc(8);
    let value = w.constant(32, 0x1234_5678);
    let place = w.plus(object, 4);
    w.store(place, value);
    let byte = w.plus(object, 5);
    let loaded = w.load(8, byte);
    w.check_equal(loaded, 0x56);
    let beyond = w.plus(object, 8);
    w.load(8, beyond);
    w.ret();
    assert_eq!(kind(&run(&w.finish())), Some(FailureKind::OutOfBounds));
}
