//! Heap, process, inputs, and what goes wrong.

use program::FailureKind;
use program::process::{Detail, Host, Nature, Response, Scalar};

use super::Desk;
use crate::{Asked, Setup};

fn kind(desk: &mut Desk, name: &str, arguments: &[u64]) -> FailureKind {
    desk.try_call(name, arguments).unwrap_err().kind
}

#[test]
fn the_heap_keeps_what_it_is_given() {
    let mut desk = Desk::new(Setup::default());
    let (a, b) = (desk.call("malloc", &[0]), desk.call("malloc", &[0]));
    assert!(a != b && a != 0);
    let p = desk.call("malloc", &[4]);
    desk.memory.write(p, b"abc\0").unwrap();
    let q = desk.call("realloc", &[p, 100]);
    assert_eq!(desk.string(q), "abc");
    assert_eq!(kind(&mut desk, "free", &[p]), FailureKind::DoubleFree);
    assert_eq!(kind(&mut desk, "free", &[q + 1]), FailureKind::InvalidFree);
    assert_eq!(kind(&mut desk, "realloc", &[q + 1, 5]), FailureKind::InvalidFree);
    assert_eq!(desk.call("malloc_usable_size", &[q]), 100);
    desk.call("free", &[q]);
    desk.call("free", &[0]);
    assert_eq!(desk.call("malloc", &[1 << 62]), 0);
    assert_eq!(desk.call("calloc", &[1 << 32, 1 << 32]), 0);
    let errno = desk.call("__errno_location", &[]);
    assert_eq!(desk.memory.defined_bytes(errno, 4).unwrap(), [12, 0, 0, 0]);
    let zeros = desk.call("calloc", &[2, 4]);
    assert_eq!(desk.word(zeros), 0);
    let place = desk.room(8);
    assert_eq!(desk.int("posix_memalign", &[place, 64, 10]), 0);
    assert_eq!(desk.word(place) % 64, 0);
    assert_eq!(desk.int("posix_memalign", &[place, 3, 10]), 22);
}

#[test]
fn undefined_values_are_not_printed_or_used() {
    let mut desk = Desk::new(Setup::default());
    let undefined = Scalar { bits: 0, undefined: 0xff };
    let format = Scalar::new(desk.text("%d").into());
    let fault = desk.call_with("printf", &[format, undefined], &[32]).unwrap_err();
    assert_eq!(fault.kind, FailureKind::Uninitialised);
    assert_eq!(desk.call_with("malloc", &[undefined], &[64]).unwrap_err().kind, fault.kind);
    // An argument that the format needs and the call lacks.
    assert_eq!(desk.call_with("printf", &[format], &[32]).unwrap_err().kind, fault.kind);
    let room = desk.room(4);
    assert_eq!(kind(&mut desk, "puts", &[room]), fault.kind);
    // Gaps in a struct may be written.
    let stdout = super::stream_of(&mut desk, 1);
    assert_eq!(desk.call("fwrite", &[room, 1, 4, stdout]), 4);
}

#[test]
fn unknown_functions_return_anything() {
    let mut desk = Desk::new(Setup::default());
    let response = desk.try_call("frobnicate", &[1]).unwrap();
    let results = vec![Scalar::default()];
    assert_eq!(response, Response::Return { results, nature: Nature::Input });
    desk.call("frobnicate", &[1]);
    assert_eq!(desk.world.unknown(), ["frobnicate"]);
}

#[test]
fn inputs_come_in_order() {
    let inputs = vec![vec![5], vec![0xff; 8], vec![3], vec![1, 2]];
    let mut desk = Desk::new(Setup { inputs, ..Setup::default() });
    let mut ask = |name: &str, bits| match desk.call_with(name, &[], &[bits]).unwrap() {
        Response::Return { results, nature: Nature::Input } => results[0].bits,
        other => panic!("{other:?}"),
    };
    assert_eq!(ask("__VERIFIER_nondet_int", 32), 5);
    assert_eq!(ask("__VERIFIER_nondet_short", 16), 0xffff);
    assert_eq!(ask("__VERIFIER_nondet_bool", 8), 1);
    let place = desk.room(4);
    let name = desk.text("x");
    desk.call("klee_make_symbolic", &[place, 4, name]);
    assert_eq!(desk.memory.defined_bytes(place, 4).unwrap(), [1, 2, 0, 0]);
    assert_eq!(desk.int("klee_range", &[3, 5, name]), 3);
    let asked: Vec<(u64, &str)> =
        desk.world.asked().iter().map(|Asked { bits, name }| (*bits, &name[..])).collect();
    assert_eq!(asked[2], (1, "__VERIFIER_nondet_bool"));
    assert_eq!(asked[3..], [(32, "x"), (32, "x")]);
    assert_eq!(desk.try_call("__VERIFIER_assume", &[0]), Ok(Response::Block));
    assert_eq!(desk.int("klee_assume", &[1 << 40]), 0);
    assert_eq!(
        kind(&mut desk, "klee_make_symbolic", &[place, 1 << 60, name]),
        FailureKind::OutOfBounds
    );
}

#[test]
fn programs_end_with_the_expected_status() {
    let mut desk = Desk::new(Setup { expected_status: Some(3), ..Setup::default() });
    assert_eq!(desk.try_call("_exit", &[3]), Ok(Response::Exit(3)));
    assert_eq!(desk.world.finish(3), Ok(()));
    let fault = desk.world.finish(0).unwrap_err();
    assert_eq!(fault.kind, FailureKind::ExitStatus);
    let text = "the program ended with status 0 instead of 3".to_owned();
    assert_eq!(fault.detail, Detail::Text(text));
}

#[test]
fn the_environment_is_a_list_of_strings() {
    let mut desk = Desk::new(Setup { environment: vec![b"A=1".to_vec()], ..Setup::default() });
    let list = desk.call("__whydunit_environment", &[]);
    let first = desk.word(list);
    assert_eq!(desk.string(first), "A=1");
    assert_eq!(desk.word(list + 8), 0);
}

#[test]
fn time_advances_and_is_the_same_in_every_run() {
    let moments = |_| {
        let mut desk = Desk::new(Setup::default());
        [desk.call("time", &[0]), desk.call("clock", &[]), desk.call("clock", &[])]
    };
    let [first, second] = [0, 1].map(moments);
    assert_eq!(first, second);
    assert!(first[1] < first[2]);
}

#[test]
fn no_function_panics() {
    let numbers = [0, 1, u64::MAX, 1 << 63, 0x7fff_ffff, 8, 64];
    for name in crate::world::names() {
        for &a in &numbers {
            let mut desk = Desk::new(Setup { stdin: b"12 x\n".to_vec(), ..Setup::default() });
            let text = desk.text("%d%s%999999999999d%*d%[");
            let room = desk.room(64);
            let stream = super::stream_of(&mut desk, 1);
            for arguments in [
                vec![],
                vec![a; 5],
                vec![text, a, a, a, a],
                vec![room, a, text, a, a],
                vec![text, room, room, a, room],
                vec![room, text, a, a],
                vec![stream, text, room, a],
                vec![room, a, a, stream],
                vec![a, stream, a],
            ] {
                let _ = desk.try_call(name, &arguments);
                let scalars: Vec<Scalar> =
                    arguments.iter().map(|&word| Scalar::new(word.into())).collect();
                let _ = desk.call_with(name, &scalars, &[]);
            }
        }
    }
}
