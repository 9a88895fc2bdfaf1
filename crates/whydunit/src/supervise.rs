//! Where the address space is limited (`ulimit -v`), the work is done by another process.
//!
//! An allocation that fails ends the process in which it does, in LLVM and in the solver as well as in our own code. So
//! this process only waits for the other one, which is this program once more, and says why it ended. The limit of memory
//! ([`crate::clock`]) is reached long before, as a rule; but a single allocation may be larger than all that is left.

use std::env;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode};
use std::sync::Arc;

use crate::error::Error;
use crate::memory;

/// Set in the environment of the other process.
const MARK: &str = "WHYDUNIT_SUPERVISED";

/// What a failed allocation, or a stack that cannot grow, ends a process with: SIGABRT, SIGBUS, SIGSEGV.
const OF_MEMORY: [i32; 3] = [6, 7, 11];

/// Lets another process do all, if that is needed: the status it ended with.
pub fn supervise() -> Option<Result<ExitCode, Error>> {
    let is_needed = env::var_os(MARK).is_none() && memory::address_space().is_some();
    is_needed.then(run)
}

fn run() -> Result<ExitCode, Error> {
    // Ctrl-C reaches both: the other one answers.
    let caught = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::default());
    caught.map_err(|error| Error::of_system(&error))?;
    let own = env::current_exe().map_err(|error| Error::of_system(&error))?;
    let status = Command::new(own).args(env::args_os().skip(1)).env(MARK, "1").status();
    let status = status.map_err(|error| Error::of_system(&error))?;
    match (status.code(), status.signal()) {
        (Some(code), _) => Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))),
        (None, Some(signal)) if !OF_MEMORY.contains(&signal) => {
            Ok(ExitCode::from(128 + u8::try_from(signal).unwrap_or_default()))
        }
        _ => Err(Error::Memory),
    }
}
