//! Programs do what they do natively.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use program::process::{
    ExternalCall, Fault, Host, Image, Limits, Nature, Nothing, Objects, Origin, Outcome, Process,
    Response, Scalar,
};
use program::{FailureKind, Stop};

use super::snippets::{FAILURES, SNIPPETS};
use super::{errors, try_lower};

/// A world with a heap, and functions that return zero.
struct Small;

impl Host for Small {
    fn call(&mut self, call: ExternalCall<'_>, memory: &mut Objects) -> Result<Response, Fault> {
        let argument = |index: usize| call.arguments.get(index).map_or(0, |a| a.bits as u64);
        let result = match call.name {
            "malloc" => memory.allocate(argument(0), 16, Origin::Heap(call.edge)).unwrap_or(0),
            "free" => {
                memory.free(argument(0), call.edge)?;
                0
            }
            "exit" => return Ok(Response::Exit(argument(0) as i32)),
            "fmod" => {
                let [a, b] = [0, 1].map(|index| f64::from_bits(argument(index)));
                (a % b).to_bits()
            }
            // The last argument: for calls of variadic functions of the world.
            "printf" => call.arguments.last().map_or(0, |a| a.bits as u64),
            _ => 0,
        };
        let results = call.results.iter().map(|_| Scalar::new(u128::from(result))).collect();
        Ok(Response::Return { results, nature: Nature::Fixed })
    }
}

pub(super) fn run(text: &str, flags: &[&str]) -> Outcome {
    let program = try_lower(text, flags).expect("a program");
    assert!(program.gaps.is_empty(), "{:?}\n{text}", program.gaps);
    let image = Image::new(&program).expect("a program of machine words");
    let arguments: [&[u8]; 2] = [b"program", b"argument"];
    let mut process =
        Process::start(&image, program.entries[0], &arguments, &[]).expect("enough memory");
    let limits = Limits { instructions: 50_000_000, ..Limits::default() };
    process.run(&mut Small, &mut Nothing, limits, &Stop::default())
}

fn native(text: &str, flags: &[&str]) -> i32 {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let stem = format!("whydunit-lower-{}-{number}", std::process::id());
    let [source, binary]: [PathBuf; 2] =
        ["c", "bin"].map(|end| std::env::temp_dir().join(&stem).with_extension(end));
    std::fs::write(&source, text).expect("a temporary file");
    let status = Command::new("clang-22")
        .args(["-O0", "-w"])
        .args(flags)
        .arg(&source)
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .status()
        .expect("clang starts");
    assert!(status.success(), "clang refuses\n{text}");
    let output = Command::new(&binary).arg("argument").output().expect("it runs");
    let _ = (std::fs::remove_file(source), std::fs::remove_file(binary));
    output.status.code().expect("it ends")
}

/// Runs every so-manieth snippet, so that the tests run in parallel.
fn compare(part: usize) {
    for (flags, text) in SNIPPETS.iter().skip(part).step_by(4) {
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let expected = native(text, &flags);
        match run(text, &flags) {
            Outcome::Finished { status } => assert_eq!(status & 255, expected, "{text}"),
            other => unreachable!("{other:?}\n{text}"),
        }
    }
}

#[test]
fn as_natively_0() {
    compare(0);
}

#[test]
fn as_natively_1() {
    compare(1);
}

#[test]
fn as_natively_2() {
    compare(2);
}

#[test]
fn as_natively_3() {
    compare(3);
}

#[test]
fn failures_are_found() {
    for (kind, text) in FAILURES {
        match run(text, &[]) {
            Outcome::Failed { fault, .. } => assert_eq!(fault.kind, *kind, "{text}"),
            other => unreachable!("{other:?}\n{text}"),
        }
    }
}

#[test]
fn a_failed_assertion_is_the_last_condition() {
    let text =
        "#include <assert.h>\nint main(int argc, char **argv) { assert(argc == 3); return 0; }";
    let program = try_lower(text, &[]).expect("a program");
    let Outcome::Failed { edge, fault } = run(text, &[]) else { unreachable!("it fails") };
    assert_eq!(fault.kind, FailureKind::Assertion);
    assert_eq!(program.site(program.edge(edge).site).text, "argc == 3");
    assert_eq!(errors(&program).len(), 1);
}
