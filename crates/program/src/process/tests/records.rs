//! Records: what was observed is read back; what differs is noticed.

use std::collections::BTreeSet;

use term::{Op, Term};

use super::sketch::{World, Writer};
use crate::Stop;
use crate::process::{
    Coverage, Effect, Event, Follower, Image, Limits, Log, Nature, Nothing, Observer, Outcome,
    Process, Recorder, Scalar,
};
use crate::program::{EdgeId, Memory, ProcedureId, Program, Statement, Target};

/// A recorder of another make.
#[derive(Default)]
struct Notes(Vec<Event>);

impl Observer for Notes {
    const ACTIVE: bool = true;

    fn step(&mut self, edge: EdgeId) -> bool {
        self.0.push(Event::Step(edge));
        true
    }
    fn value(&mut self, value: Scalar, _: u32) -> Scalar {
        self.0.push(Event::Value(value));
        value
    }
    fn access(&mut self, address: u64, size: u64) -> bool {
        self.0.push(Event::Access { address, size });
        true
    }
    fn procedure(&mut self, procedure: ProcedureId) -> bool {
        self.0.push(Event::Procedure(procedure));
        true
    }
    fn effect(&mut self, effect: &Effect) {
        self.0.push(Event::Effect(effect.clone()));
    }
    fn nature(&mut self, nature: Nature) {
        self.0.push(Event::Nature(nature));
    }
}

/// A bit of everything.
fn program() -> Program {
    let mut w = Writer::new();
    let main = w.procedure;
    let callee = w.begin("callee");
    let (parameter, result) = (w.parameter(100), w.result(100));
    let value = w.plus(parameter, 1);
    w.assign(result, value);
    w.ret();
    w.go_to(main);
    let object = w.alloc(40);
    let (wide, mark) = (w.local(100), w.local(64));
    let undefined = w.load(100, object);
    w.then(Statement::Memory(Memory::Mark { target: mark }));
    let big = w.constant(100, 1 << 90);
    w.then(Statement::Call { callee, arguments: vec![big], results: vec![wide] });
    w.store(object, wide);
    let again = w.load(100, object);
    w.check_equal(again, (1 << 90) + 1);
    let (to, size) = (w.plus(object, 16), w.constant(64, 16));
    w.then(Statement::Memory(Memory::Copy { to, from: object, size }));
    let byte = w.constant(8, 7);
    w.then(Statement::Memory(Memory::Fill { to, byte, size }));
    let pointer = w.constant(64, Target::Procedure(callee).address().into());
    let (arguments, results) = (vec![undefined], vec![wide]);
    w.then(Statement::CallPointer { pointer, arguments, results });
    let (heap, eleven) = (w.local(64), w.constant(64, 11));
    w.external("malloc", &[eleven], &[heap]);
    w.external("write", &[heap], &[]);
    w.external("free", &[heap], &[]);
    let give = w.sketch.builder.external("give");
    let pointer = w.constant(64, Target::External(give).address().into());
    w.then(Statement::CallPointer { pointer, arguments: vec![byte], results: vec![mark] });
    w.then(Statement::Memory(Memory::Release { mark }));
    w.ret();
    w.finish()
}

fn record(program: &Program, image: &Image, skipped: u64) -> (Outcome, Log, Vec<Event>) {
    let start = || {
        let mut process = Process::new(image, program.entries[0], &[]);
        let limits = Limits { instructions: skipped, ..Limits::default() };
        process.run(&mut World::default(), &mut Nothing, limits, &Stop::default());
        process
    };
    let limits = Limits::default();
    let mut process = start();
    let mut recorder = Recorder::within(process.calls(), usize::MAX);
    let outcome = process.run(&mut World::default(), &mut recorder, limits, &Stop::default());
    let mut notes = Notes::default();
    let again = start().run(&mut World::default(), &mut notes, limits, &Stop::default());
    assert_eq!(outcome, again);
    (outcome, recorder.finish().expect("space"), notes.0)
}

#[test]
fn what_is_recorded_is_read_back() {
    let program = program();
    let image = Image::new(&program).expect("machine words");
    for skipped in [0, 5, 9, 15, 20] {
        let (outcome, log, events) = record(&program, &image, skipped);
        assert_eq!(outcome, Outcome::Finished { status: 0 });
        assert_eq!(log.events(&program).collect::<Vec<_>>(), events);
        assert!(events.len() > 10);
    }
    let (_, _, events) = record(&program, &image, 0);
    let bytes = b"hello world".to_vec();
    let wrote = |event: &Event| matches!(event, Event::Effect(Effect::Write { bytes: b, .. }) if *b == bytes);
    assert!(events.iter().any(wrote));
    let is_undefined = |event: &Event| matches!(event, Event::Value(value) if value.undefined != 0);
    assert!(events.iter().any(is_undefined));
}

#[test]
fn coverage_is_the_set_of_edges() {
    let program = program();
    let image = Image::new(&program).expect("machine words");
    let mut coverage = Coverage::of(&program);
    let mut process = Process::new(&image, program.entries[0], &[]);
    process.run(&mut World::default(), &mut coverage, Limits::default(), &Stop::default());
    let (_, _, events) = record(&program, &image, 0);
    let edge = |event: &Event| match event {
        Event::Step(edge) => Some(*edge),
        _ => None,
    };
    let taken: BTreeSet<EdgeId> = events.iter().filter_map(edge).collect();
    assert_eq!(coverage.edges().collect::<Vec<_>>(), taken.iter().copied().collect::<Vec<_>>());
    assert!(taken.len() < program.edges.len());
}

#[test]
fn a_record_has_a_limit() {
    let program = program();
    let image = Image::new(&program).expect("machine words");
    let mut process = Process::new(&image, program.entries[0], &[]);
    let mut recorder = Recorder::new(10);
    process.run(&mut World::default(), &mut recorder, Limits::default(), &Stop::default());
    assert!((10..20).contains(&recorder.log().len()));
    let (_, whole, _) = record(&program, &image, 0);
    let first: Vec<Event> = recorder.log().events(&program).collect();
    assert_eq!(first, whole.events(&program).take(first.len()).collect::<Vec<_>>());
    assert_eq!(recorder.finish(), None);
}

/// `x := 3; y := x & 4; assume y == 0; p := &a[x]; load *p; fail`
fn decision() -> (Program, [Term; 2]) {
    let mut w = Writer::new();
    let object = w.alloc(16);
    let byte = w.constant(8, 0);
    let size = w.constant(64, 16);
    w.then(Statement::Memory(Memory::Fill { to: object, byte, size }));
    let (x, y) = (w.local(64), w.local(64));
    let (three, four) = (w.constant(64, 3), w.constant(64, 4));
    w.assign(x, three);
    let value = w.sketch.builder.terms.bit_operation(Op::BvAnd, x, four);
    w.assign(y, value);
    let zero = w.constant(64, 0);
    let condition = w.sketch.builder.terms.eq(y, zero);
    let next = w.sketch.builder.location(w.procedure);
    let other = w.sketch.builder.location(w.procedure);
    w.sketch.branch(w.at, condition, next, other);
    w.at = other;
    w.ret();
    w.at = next;
    let place = w.add(object, x);
    let loaded = w.load(8, place);
    w.check_equal(loaded, 1);
    w.ret();
    (w.finish(), [x, y])
}

#[test]
fn a_changed_value_is_followed() {
    let (program, [x, _]) = decision();
    let image = Image::new(&program).expect("machine words");
    let (outcome, log, events) = record(&program, &image, 0);
    assert!(matches!(outcome, Outcome::Failed { .. }));
    // The number of the value of `x`.
    let mut number = 0;
    for event in events {
        match event {
            Event::Step(edge) if program.edge(edge).statement.targets() == [x] => break,
            Event::Value(_) => number += 1,
            _ => {}
        }
    }
    for (value, way) in [(3, true), (8, true), (4, false), (16, false), (1 << 40, false)] {
        let mut process = Process::new(&image, program.entries[0], &[]);
        let mut follower = Follower::new(&log, number, Scalar::new(value));
        let limits = Limits::default();
        let again = process.run(&mut World::default(), &mut follower, limits, &Stop::default());
        assert_eq!(follower.at_end() && again == outcome, way, "{value}: {again:?}");
    }
}

#[test]
fn the_same_run_goes_the_same_way() {
    let program = program();
    let image = Image::new(&program).expect("machine words");
    let (outcome, log, events) = record(&program, &image, 0);
    let values = events.iter().filter(|event| matches!(event, Event::Value(_))).count() as u32;
    for changed in [u32::MAX, values - 1] {
        let mut process = Process::new(&image, program.entries[0], &[]);
        let mut follower = Follower::new(&log, changed, Scalar::new(0));
        let limits = Limits::default();
        let again = process.run(&mut World::default(), &mut follower, limits, &Stop::default());
        assert_eq!(again, outcome);
        assert!(follower.at_end() && !follower.has_left());
        assert_eq!(follower.values(), values);
    }
}
