//! Every way to misuse memory, and what is said about it.

use super::sketch::{Writer, kind, run};
use crate::process::{Access, Detail, ObjectFacts, Origin, Outcome, static_address};
use crate::program::{FailureKind, Memory, Program, Statement, Static, StaticId};

/// The kind of the failure, and what is known about the object.
fn fault(program: &Program) -> (FailureKind, Access, Option<ObjectFacts>) {
    match run(program) {
        Outcome::Failed { fault, .. } => match fault.detail {
            Detail::Access { access, object, .. } => (fault.kind, access, object),
            detail => panic!("{:?} {detail:?}", fault.kind),
        },
        outcome => panic!("{outcome:?}"),
    }
}

fn object(w: &mut Writer, writable: bool) -> (StaticId, term::Term) {
    let id = w.sketch.builder.object(Static {
        name: "object".to_owned(),
        ty: None,
        align: 1,
        writable,
        bytes: vec![1, 2, 3, 4],
        pointers: Vec::new(),
    });
    (id, w.constant(64, static_address(id).into()))
}

#[test]
fn null_and_wild_pointers() {
    use FailureKind::*;
    let cases: [(u128, FailureKind); 6] = [
        (0, NullDereference),
        (4095, NullDereference),
        (4096, WildPointer),
        (0x10_0000, WildPointer),
        (0xdead_beef_0000_1234, WildPointer),
        (u64::MAX as u128, WildPointer),
    ];
    for (address, expected) in cases {
        let mut w = Writer::new();
        let pointer = w.local(64);
        let address = w.constant(64, address);
        w.assign(pointer, address);
        w.load(32, pointer);
        w.ret();
        assert_eq!(fault(&w.finish()), (expected, Access::Read, None), "{address:?}");
    }
}

#[test]
fn out_of_bounds_on_both_sides() {
    for (offset, write, bad) in [
        (-1i64, false, true),
        (0, false, false),
        (1, false, true),
        (4, true, true),
        (1 << 28, true, true),
    ] {
        let mut w = Writer::new();
        let (id, address) = object(&mut w, true);
        let place = w.plus(address, offset as u64 as u128);
        if write {
            let value = w.constant(8, 0);
            w.store(place, value);
        } else {
            w.load(32, place);
        }
        w.ret();
        let program = w.finish();
        if bad {
            let (kind, access, facts) = fault(&program);
            assert_eq!(kind, FailureKind::OutOfBounds);
            assert_eq!(access, if write { Access::Write } else { Access::Read });
            let facts = facts.expect("the object is known");
            assert_eq!((facts.origin, facts.size), (Origin::Static(id), 4));
        } else {
            assert_eq!(run(&program), Outcome::Finished { status: 0 });
        }
    }
}

#[test]
fn a_constant_cannot_be_written() {
    let mut w = Writer::new();
    let (_, address) = object(&mut w, false);
    let loaded = w.load(16, address);
    w.check_equal(loaded, 0x0201);
    let value = w.constant(16, 0);
    w.store(address, value);
    w.ret();
    let (kind, access, _) = fault(&w.finish());
    assert_eq!((kind, access), (FailureKind::ReadOnly, Access::Write));
    // Nor can it be the target of a copy or a fill.
    let mut w = Writer::new();
    let ((_, to), (_, from)) = (object(&mut w, false), object(&mut w, true));
    let size = w.constant(64, 2);
    w.then(Statement::Memory(Memory::Copy { to, from, size }));
    w.ret();
    assert_eq!(fault(&w.finish()).0, FailureKind::ReadOnly);
    let mut w = Writer::new();
    let ((_, to), byte, size) = (object(&mut w, false), w.constant(8, 0), w.constant(64, 2));
    w.then(Statement::Memory(Memory::Fill { to, byte, size }));
    w.ret();
    assert_eq!(fault(&w.finish()).0, FailureKind::ReadOnly);
}

#[test]
fn a_constant_is_initialised() {
    let mut w = Writer::new();
    let (object, address) = object(&mut w, false);
    let value = w.constant(16, 0x0605);
    w.then(Statement::Memory(Memory::Initialise { object, offset: 1, value }));
    let loaded = w.load(32, address);
    w.check_equal(loaded, 0x0406_0501);
    w.store(address, value);
    w.ret();
    assert_eq!(fault(&w.finish()).0, FailureKind::ReadOnly);
}

#[test]
fn an_object_dies_with_its_activation() {
    let mut w = Writer::new();
    let main = w.procedure;
    let callee = w.begin("callee");
    let result = w.result(64);
    let object = w.alloc(4);
    w.assign(result, object);
    w.ret();
    w.go_to(main);
    let pointer = w.local(64);
    w.then(Statement::Call { callee, arguments: vec![], results: vec![pointer] });
    w.load(8, pointer);
    w.ret();
    let (kind, _, facts) = fault(&w.finish());
    assert_eq!(kind, FailureKind::UseAfterFree);
    let facts = facts.expect("it is not forgotten yet");
    assert!(matches!(facts.origin, Origin::Local(_)));
    assert!(facts.ended.is_some());
}

#[test]
fn objects_are_released_to_a_mark() {
    let mut w = Writer::new();
    let first = w.alloc(4);
    let mark = w.local(64);
    w.then(Statement::Memory(Memory::Mark { target: mark }));
    let second = w.alloc(4);
    let value = w.constant(32, 7);
    w.store(second, value);
    w.store(first, value);
    w.then(Statement::Memory(Memory::Release { mark }));
    let loaded = w.load(32, first);
    w.check_equal(loaded, 7);
    w.load(32, second);
    w.ret();
    assert_eq!(fault(&w.finish()).0, FailureKind::UseAfterFree);
}

#[test]
fn the_heap() {
    let cases: [(&[u64], FailureKind); 4] = [
        (&[0], FailureKind::UseAfterFree),
        (&[0, 0], FailureKind::DoubleFree),
        (&[1], FailureKind::InvalidFree),
        (&[8], FailureKind::InvalidFree),
    ];
    for (frees, expected) in cases {
        let mut w = Writer::new();
        let (pointer, size) = (w.local(64), w.constant(64, 8));
        w.external("malloc", &[size], &[pointer]);
        let value = w.constant(64, 1);
        w.store(pointer, value);
        for &offset in frees {
            let place = w.plus(pointer, offset.into());
            w.external("free", &[place], &[]);
        }
        w.load(64, pointer);
        w.ret();
        let (kind, access, facts) = fault(&w.finish());
        assert_eq!(kind, expected);
        let freed = expected != FailureKind::UseAfterFree;
        assert_eq!(access, if freed { Access::Free } else { Access::Read });
        assert!(facts.is_some_and(|facts| matches!(facts.origin, Origin::Heap(_))));
    }
    let mut w = Writer::new();
    let (_, address) = object(&mut w, true);
    w.external("free", &[address], &[]);
    w.ret();
    assert_eq!(fault(&w.finish()).0, FailureKind::InvalidFree);
    let mut w = Writer::new();
    let null = w.constant(64, 0);
    w.external("free", &[null], &[]);
    w.ret();
    assert_eq!(run(&w.finish()), Outcome::Finished { status: 0 });
}

#[test]
fn pointers_to_what_is_no_function() {
    for (address, expected) in [
        (0, FailureKind::NullDereference),
        (crate::process::PROCEDURES + 8, FailureKind::WildPointer),
        (crate::process::PROCEDURES + 16 * 100, FailureKind::WildPointer),
        (static_address(StaticId(0)), FailureKind::WildPointer),
    ] {
        let mut w = Writer::new();
        object(&mut w, true);
        let pointer = w.constant(64, address.into());
        w.then(Statement::CallPointer { pointer, arguments: vec![], results: vec![] });
        w.ret();
        assert_eq!(kind(&run(&w.finish())), Some(expected));
    }
}

#[test]
fn an_endless_recursion_and_a_large_array() {
    let mut w = Writer::new();
    let main = w.procedure;
    w.then(Statement::Call { callee: main, arguments: vec![], results: vec![] });
    w.ret();
    assert_eq!(kind(&run(&w.finish())), Some(FailureKind::StackOverflow));
    let mut w = Writer::new();
    w.alloc(4 << 20);
    w.alloc(5 << 20);
    w.ret();
    assert_eq!(kind(&run(&w.finish())), Some(FailureKind::StackOverflow));
}

#[test]
fn the_property_of_an_edge_to_the_error_location() {
    let mut w = Writer::new();
    let variable = w.local(8);
    w.check_equal(variable, 1);
    w.ret();
    let program = w.finish();
    let outcome = run(&program);
    let Outcome::Failed { edge, fault } = outcome else { panic!("{outcome:?}") };
    assert_eq!(program.edge(edge).to, Program::ERROR);
    assert_eq!((fault.kind, fault.detail), (FailureKind::ReachableError, Detail::None));
}
