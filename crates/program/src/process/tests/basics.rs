//! Words, calls, memory: the everyday things.

use super::sketch::{World, Writer, kind, run};
use crate::Stop;
use crate::process::{Image, Limits, Nothing, Observer, Outcome, Process};
use crate::program::{EdgeId, FailureKind, Program};

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

/// Lets a process take so many edges.
struct Few(usize);

impl Observer for Few {
    const ACTIVE: bool = true;

    fn step(&mut self, _: EdgeId) -> bool {
        let goes_on = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        goes_on
    }
}

#[test]
fn a_process_that_was_stopped_goes_on_here_or_elsewhere() {
    let mut w = Writer::new();
    let (x, status) = (w.local(32), w.result(32));
    let (zero, one, two) = (w.constant(32, 0), w.constant(32, 1), w.constant(32, 2));
    w.assign(x, zero);
    let from = w.at;
    let (yes, no) =
        (w.sketch.builder.location(w.procedure), w.sketch.builder.location(w.procedure));
    // Both ways of a decision have code, even if one of them is impossible.
    let never = w.sketch.builder.terms.bool(false);
    w.sketch.branch(from, never, yes, no);
    for (at, value) in [(yes, one), (no, two)] {
        w.at = at;
        w.assign(status, value);
        w.ret();
    }
    let program = w.finish();
    let image = Image::new(&program).expect("machine words");
    let (mut world, stop) = (World::default(), Stop::default());
    let mut process = Process::new(&image, program.entries[0], &[]);
    let stopped = process.run(&mut world, &mut Few(1), Limits::default(), &stop);
    let Outcome::Blocked { edge } = stopped else { panic!("{stopped:?}") };
    let decision = program.edge(edge).from;
    assert_eq!(program.location(decision).edges.len(), 2);
    for (way, end) in [(0, 1), (1, 2)] {
        let mut process = process.clone();
        let other = program.edge(program.location(decision).edges[way]).to;
        assert!(process.go_to(other));
        let outcome = process.run(&mut world, &mut Nothing, Limits::default(), &stop);
        assert_eq!(outcome, Outcome::Finished { status: end });
    }
    assert!(!process.go_to(program.procedures[0].exit));
    assert!(!process.go_to(Program::ERROR));
    // The edge that was refused is announced again.
    let again = process.run(&mut world, &mut Few(0), Limits::default(), &stop);
    assert_eq!(again, Outcome::Blocked { edge });
    let outcome = process.run(&mut world, &mut Few(9), Limits::default(), &stop);
    assert_eq!(outcome, Outcome::Finished { status: 2 });
}
