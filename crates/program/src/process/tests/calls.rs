//! Calls of all kinds, switches, limits.

use term::Term;

use super::sketch::{World, Writer, kind, run};
use crate::Stop;
use crate::process::{Image, Limits, Nothing, Outcome, Process, Scalar};
use crate::program::{FailureKind, Program, Statement, Static, Target};

#[test]
fn recursion() {
    let mut w = Writer::new();
    let main = w.procedure;
    let status = w.result(32);
    let fib = w.begin("fib");
    let (n, result) = (w.parameter(32), w.result(32));
    let two = w.constant(32, 2);
    let small = w.sketch.builder.terms.bv_slt(n, two);
    let (yes, no) = (w.sketch.builder.location(fib), w.sketch.builder.location(fib));
    w.sketch.branch(w.at, small, yes, no);
    w.at = yes;
    w.assign(result, n);
    w.ret();
    w.at = no;
    let (a, b) = (w.local(32), w.local(32));
    for (variable, less) in [(a, 1u32), (b, 2)] {
        let argument = w.plus(n, less.wrapping_neg().into());
        let (arguments, results) = (vec![argument], vec![variable]);
        w.then(Statement::Call { callee: fib, arguments, results });
    }
    let sum = w.add(a, b);
    w.assign(result, sum);
    w.ret();
    w.go_to(main);
    let arguments = vec![w.constant(32, 20)];
    w.then(Statement::Call { callee: fib, arguments, results: vec![status] });
    w.ret();
    assert_eq!(run(&w.finish()), Outcome::Finished { status: 6765 });
}

/// Calls through a table of pointers in memory: too few arguments, too many, of another width.
#[test]
fn pointers_to_procedures() {
    let mut w = Writer::new();
    let main = w.procedure;
    let status = w.result(32);
    let add = w.begin("add");
    let (a, b, sum) = (w.parameter(32), w.parameter(32), w.result(32));
    let value = w.add(a, b);
    w.assign(sum, value);
    w.ret();
    w.go_to(main);
    let give = w.sketch.builder.external("give");
    let table = w.sketch.builder.object(Static {
        name: "table".to_owned(),
        ty: None,
        align: 8,
        writable: false,
        bytes: vec![0; 16],
        pointers: vec![(0, Target::Procedure(add)), (8, Target::External(give))],
    });
    let at = |w: &mut Writer, offset: i64| {
        let address = w.constant(64, Target::Object(table, offset).address().into());
        w.load(64, address)
    };
    let (pointer, wide) = (at(&mut w, 0), w.constant(64, 0x1_0000_0005));
    let (seven, byte) = (w.constant(32, 7), w.local(8));
    let call = |w: &mut Writer, pointer: Term, arguments: &[Term], result: Term| {
        let (arguments, results) = (arguments.to_vec(), vec![result]);
        w.then(Statement::CallPointer { pointer, arguments, results });
    };
    call(&mut w, pointer, &[wide, seven, seven], status);
    w.check_equal(status, 12);
    call(&mut w, pointer, &[seven], byte);
    w.check_equal(byte, 7);
    let pointer = at(&mut w, 8);
    call(&mut w, pointer, &[seven], status);
    w.ret();
    let program = w.finish();
    let image = Image::new(&program).expect("machine words");
    let mut process = Process::new(&image, program.entries[0], &[]);
    let mut world = World { gives: vec![Scalar::new(99)], seen: vec![] };
    let outcome = process.run(&mut world, &mut Nothing, Limits::default(), &Stop::default());
    assert_eq!(outcome, Outcome::Finished { status: 99 });
    assert_eq!(world.seen, [("give".to_owned(), vec![Scalar::new(7)])]);
}

fn switch(step: u128) -> (Program, usize) {
    let mut w = Writer::new();
    let (subject, status) = (w.parameter(32), w.result(32));
    let at = w.at;
    let mut others = Vec::new();
    for n in 0..200 {
        let key = w.constant(32, n * step);
        let condition = w.sketch.builder.terms.eq(subject, key);
        others.push(w.sketch.builder.terms.not(condition));
        let target = w.sketch.builder.location(w.procedure);
        w.sketch.assume(at, target, condition);
        w.at = target;
        let value = w.constant(32, n + 1);
        w.assign(status, value);
        w.ret();
    }
    let condition = w.sketch.builder.terms.and(&others);
    let target = w.sketch.builder.location(w.procedure);
    w.sketch.assume(at, target, condition);
    w.at = target;
    w.ret();
    (w.finish(), others.len())
}

#[test]
fn a_switch_of_many_cases_is_one_instruction() {
    for step in [1, 1000] {
        let (program, cases) = switch(step);
        let image = Image::new(&program).expect("machine words");
        for n in 0..cases as u128 + 2 {
            let arguments = [Scalar::new(n * step)];
            let mut process = Process::new(&image, program.entries[0], &arguments);
            let mut world = World::default();
            let outcome =
                process.run(&mut world, &mut Nothing, Limits::default(), &Stop::default());
            let status = if n < cases as u128 { n as i32 + 1 } else { 0 };
            assert_eq!(outcome, Outcome::Finished { status });
            assert!(process.instructions() < 10);
        }
    }
}

#[test]
fn a_run_can_be_interrupted_and_go_on() {
    let mut w = Writer::new();
    let i = w.local(64);
    let head = w.at;
    let (body, after) =
        (w.sketch.builder.location(w.procedure), w.sketch.builder.location(w.procedure));
    let many = w.constant(64, 1000);
    let condition = w.sketch.builder.terms.bv_ult(i, many);
    w.sketch.branch(head, condition, body, after);
    let next = w.plus(i, 1);
    w.sketch.add(body, head, crate::testing::assign(i, next));
    w.at = after;
    w.check_equal(i, 1000);
    w.ret();
    let program = w.finish();
    let image = Image::new(&program).expect("machine words");
    let mut world = World::default();
    let stop = Stop::default();
    let mut whole = Process::new(&image, program.entries[0], &[]);
    let end = whole.run(&mut world, &mut Nothing, Limits::default(), &stop);
    assert_eq!(end, Outcome::Finished { status: 0 });
    let mut parts = Process::new(&image, program.entries[0], &[]);
    let mut pauses = 0;
    let end = loop {
        let limits = Limits { instructions: parts.instructions() + 100, ..Limits::default() };
        let clone = parts.clone().run(&mut world, &mut Nothing, limits, &stop);
        pauses += u32::from(matches!(clone, Outcome::StepLimit { .. }));
        match parts.run(&mut world, &mut Nothing, limits, &stop) {
            Outcome::StepLimit { .. } => {}
            outcome => break outcome,
        }
    };
    assert_eq!(
        (end, parts.instructions()),
        (Outcome::Finished { status: 0 }, whole.instructions())
    );
    assert!(pauses > 10);
    stop.request();
    let mut stopped = Process::new(&image, program.entries[0], &[]);
    let limits = Limits::default();
    assert_eq!(stopped.run(&mut world, &mut Nothing, limits, &stop), Outcome::Stopped);
}

#[test]
fn an_endless_loop_reaches_the_limit() {
    let mut w = Writer::new();
    let yes = w.sketch.builder.terms.bool(true);
    let again = w.at;
    w.sketch.assume(again, again, yes);
    let program = w.finish();
    let image = Image::new(&program).expect("machine words");
    let mut process = Process::new(&image, program.entries[0], &[]);
    let limits = Limits { instructions: 10_000_000, ..Limits::default() };
    let outcome = process.run(&mut World::default(), &mut Nothing, limits, &Stop::default());
    assert!(matches!(outcome, Outcome::StepLimit { .. }));
    assert!((10_000_000..10_000_010).contains(&process.instructions()));
}

#[test]
fn the_depth_is_limited() {
    let mut w = Writer::new();
    let main = w.procedure;
    w.then(Statement::Call { callee: main, arguments: vec![], results: vec![] });
    w.ret();
    let program = w.finish();
    let image = Image::new(&program).expect("machine words");
    let mut process = Process::new(&image, main, &[]);
    let limits = Limits { depth: 10, ..Limits::default() };
    let outcome = process.run(&mut World::default(), &mut Nothing, limits, &Stop::default());
    assert_eq!(kind(&outcome), Some(FailureKind::StackOverflow));
    assert_eq!(process.calls().len(), 9);
}

#[test]
fn the_arguments_of_main() {
    let mut w = Writer::new();
    let (argc, argv, envp) = (w.parameter(32), w.parameter(64), w.parameter(64));
    w.check_equal(argc, 2);
    let second = w.plus(argv, 8);
    let second = w.load(64, second);
    let letters = w.load(32, second);
    w.check_equal(letters, u32::from_le_bytes(*b"arg\0").into());
    let end = w.plus(argv, 16);
    let end = w.load(64, end);
    w.check_equal(end, 0);
    let none = w.load(64, envp);
    w.check_equal(none, 0);
    let beyond = w.plus(second, 4);
    w.load(8, beyond);
    w.ret();
    let program = w.finish();
    let image = Image::new(&program).expect("machine words");
    let arguments: [&[u8]; 2] = [b"program", b"arg"];
    let start = Process::start(&image, program.entries[0], &arguments, &[]);
    let mut process = start.expect("enough memory");
    let limits = Limits::default();
    let outcome = process.run(&mut World::default(), &mut Nothing, limits, &Stop::default());
    assert_eq!(kind(&outcome), Some(FailureKind::OutOfBounds));
}

#[test]
fn the_world_may_exit_block_or_fail() {
    for (name, expected) in [
        ("exit", Outcome::Finished { status: 3 }),
        ("block", Outcome::Blocked { edge: crate::EdgeId(0) }),
    ] {
        let mut w = Writer::new();
        let three = w.constant(32, 3);
        w.external(name, &[three], &[]);
        w.ret();
        assert_eq!(run(&w.finish()), expected);
    }
    let mut w = Writer::new();
    w.external("abort", &[], &[]);
    w.ret();
    assert_eq!(kind(&run(&w.finish())), Some(FailureKind::Abort));
}

#[test]
fn mathematical_integers_are_no_machine_words() {
    let mut sketch = crate::testing::Sketch::new();
    let main = sketch.builder.procedure("main");
    sketch.builder.enter_at(main);
    sketch.builder.local(main, "x", &term::Sort::Int);
    let entry = sketch.builder.entry_of(main);
    sketch.ret(main, entry);
    let program = sketch.builder.finish().expect("well-formed");
    assert!(Image::new(&program).is_err());
}
