//! Random C programs: what they print is what they print natively.
//!
//! csmith writes programs without undefined behaviour, which print a checksum of their global variables. Each is
//! compiled by clang and run, and is run by our interpreter: same output, same status, no gap, no failure. A program
//! that natively takes too long is not compared, nor is one that converts a floating-point number to an integer that
//! it does not fit into, which csmith does not avoid. But most must be compared.
//!
//! What csmith does not know is in programs of ours, which are compared in the same way (`differential/*.c`).
//!
//! `WHYDUNIT_CSMITH=5000 WHYDUNIT_CSMITH_SEED=1000` compares 5000 programs from seed 1000 on.

mod oracle;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use oracle::{Case, Folder, Ran};

/// Everything that csmith knows.
const OPTIONS: &[&str] = &["--bitfields", "--packed-struct", "--float", "--builtins"];
/// Most programs are small.
const SMALL: &[&str] = &[
    "--inline-function",
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "6",
];

/// Programs of ours.
const OWN: &[&str] = &["features.c", "process.c"];

const HEADERS: &str = "/usr/include/csmith";
/// The native program stops at what csmith does not avoid.
const TRAPS: [&str; 2] = ["-fsanitize=float-cast-overflow", "-fsanitize-trap=all"];
const NATIVE_LIMIT: Duration = Duration::from_secs(1);
const MOST_INSTRUCTIONS: u64 = 100_000_000;

static COMPARED: AtomicU32 = AtomicU32::new(0);
static TOO_LONG: AtomicU32 = AtomicU32::new(0);
static UNDEFINED: AtomicU32 = AtomicU32::new(0);

fn main() -> ExitCode {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let count = number("WHYDUNIT_CSMITH", 300);
    let first = number("WHYDUNIT_CSMITH_SEED", 1);
    let random = (first..first + count)
        .map(|seed| Trial::test(format!("seed {seed}"), move || compare_random(seed)));
    let own =
        OWN.iter().map(|&name| Trial::test(name, move || compare(name, Case::of(ours(name)))));
    let trials: Vec<Trial> = random.chain(own).collect();
    let arguments = Arguments::from_args();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if arguments.list || conclusion.has_failed() {
        return conclusion.exit_code();
    }
    let counts = [&COMPARED, &TOO_LONG, &UNDEFINED];
    let [compared, too_long, undefined] = counts.map(|n| n.load(Ordering::Relaxed));
    println!("{compared} programs compared, {too_long} take too long, {undefined} are undefined");
    match u64::from(compared) * 6 >= conclusion.num_passed * 5 {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn ours(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential").join(name)
}

fn compare_random(seed: u64) -> Result<(), Failed> {
    let name = format!("csmith-{seed}");
    let folder = Folder::new(&format!("{name}-source"))?;
    generate(seed, folder.path())?;
    let guard = ours("guard.h").display().to_string();
    let flags = ["-I", HEADERS, "-include", &guard].map(str::to_owned).to_vec();
    compare(&name, Case { flags, ..Case::of(folder.path().join("random.c")) })
}

fn compare(name: &str, case: Case) -> Result<(), Failed> {
    let folder = Folder::new(name)?;
    let count = |counter: &AtomicU32| {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    let expected = match oracle::natively(&case, &TRAPS, folder.path(), NATIVE_LIMIT)? {
        Ran::Ended(expected) => expected,
        Ran::TooLong => return count(&TOO_LONG),
        Ran::Trapped => return count(&UNDEFINED),
    };
    match oracle::interpreted(&case, MOST_INSTRUCTIONS)? {
        Ran::Ended(seen) if seen == expected => count(&COMPARED),
        Ran::TooLong => count(&TOO_LONG),
        seen => Err(format!("it should be\n{expected:?}\nbut it is\n{seen:?}").into()),
    }
}

/// `random.c` in the folder.
fn generate(seed: u64, folder: &Path) -> Result<(), String> {
    let missing = "install csmith and its headers (Debian: apt-get install csmith libcsmith-dev)";
    if !Path::new(HEADERS).is_dir() {
        return Err(format!("there is no {HEADERS}: {missing}"));
    }
    let mut csmith = Command::new("csmith");
    csmith.args(["--seed", &seed.to_string(), "--output", "random.c"]).args(OPTIONS);
    csmith.args(if seed.is_multiple_of(3) { &[] } else { SMALL });
    // It writes a file about the machine into its working folder.
    let status = csmith.current_dir(folder).stdin(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("csmith: {status}")),
        Err(error) => Err(format!("csmith cannot be run: {error}; {missing}")),
    }
}
