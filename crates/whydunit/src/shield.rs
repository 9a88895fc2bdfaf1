//! LLVM modules of unknown origin are read by another process first.
//!
//! LLVM trusts what has the form of bitcode: bytes that were changed in the middle can make it crash, never end, or want
//! all memory. So this program starts itself to read a module that the user gives, and reads it again only if
//! that went well. What clang has just made needs no such care.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use llvm::lower::LowerError;
use llvm::module::{self, Input};
use program::{Stop, Trust};

use crate::error::Error;
use crate::input;

/// The first argument of the other process. Nobody has a file of this name.
const COMMAND: &str = "\u{1}read a module";
/// Reading takes a second if a module is large.
const LONGEST: Duration = Duration::from_secs(30);
/// In kilobytes: LLVM takes much more than a module has, but not that much.
const MOST_MEMORY: &str = "4000000";

/// The other process: reads the module that comes through its standard input.
pub fn command(mut arguments: impl Iterator<Item = OsString>) -> Option<Result<(), Error>> {
    if arguments.next()? != COMMAND {
        return None;
    }
    let name = arguments.next().unwrap_or_default().to_string_lossy().into_owned();
    Some(read(&name))
}

fn read(name: &str) -> Result<(), Error> {
    let bytes = input::read_bytes("-".as_ref())?;
    let own = Input { name, bytes: &bytes, trust: Trust::User };
    let inputs: Vec<Input<'_>> = [own].into_iter().chain(llvm::library::library()).collect();
    let module =
        module::read(&inputs).map_err(|error| Error::Input(format!("error: {error}\n")))?;
    match llvm::lower::lower(&module, &[]) {
        // It may be in another module.
        Ok(_) | Err(LowerError::NoMain) => Ok(()),
        Err(error) => Err(Error::Internal(error.to_string())),
    }
}

/// Whether a module can be read without harm.
pub fn check(name: &str, bytes: &[u8], stop: &Stop) -> Result<(), Error> {
    let cannot = |why: &str| Error::Input(format!("error: cannot read {name}: {why}\n"));
    let mut child = start(name).map_err(|error| Error::of_system(&error))?;
    // Both pipes are used at once: a full one would block the child. It may end before it has read all.
    let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
    let bytes = bytes.to_vec();
    let write = move || stdin.map(|mut pipe| pipe.write_all(&bytes));
    let read = move || {
        let mut message = Vec::new();
        let _ = stderr.map(|mut pipe| pipe.read_to_end(&mut message));
        String::from_utf8_lossy(&message).into_owned()
    };
    let threads = thread::Builder::new().spawn(write);
    let threads = threads.and_then(|_| thread::Builder::new().spawn(read));
    let message = threads.map_err(|error| Error::of_system(&error))?;
    let begin = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if stop.requested() || begin.elapsed() > LONGEST => {
                let _ = child.kill().and_then(|()| child.wait());
                return Err(cannot("LLVM takes too long to read it"));
            }
            Ok(None) => thread::sleep(Duration::from_millis(2)),
            Err(error) => return Err(Error::Internal(error.to_string())),
        }
    };
    match status.code() {
        Some(0) => Ok(()),
        Some(2) => Err(Error::Input(message.join().unwrap_or_default())),
        _ => Err(cannot("it is damaged: LLVM crashes when it reads it")),
    }
}

fn start(name: &str) -> std::io::Result<Child> {
    let own = std::env::current_exe()?;
    // The shell is there for the limit of memory.
    Command::new("sh")
        .args(["-c", "ulimit -v \"$0\"; ulimit -c 0; exec \"$@\"", MOST_MEMORY])
        .arg(own)
        .args([COMMAND, name])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
}
