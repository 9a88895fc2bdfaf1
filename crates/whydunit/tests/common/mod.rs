//! Running the real program.
#![allow(dead_code, reason = "each test that has this module uses some of it")]

use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What a run of whydunit did.
#[derive(Debug)]
pub struct Run {
    /// None if a signal ended it.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The command, without arguments, and without what the environment may add to it.
pub fn whydunit() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whydunit"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C.UTF-8");
    command.stdin(Stdio::null());
    command
}

/// A text without its line breaks and indentation.
pub fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs a command to its end.
pub fn finish(command: &mut Command) -> Result<Run, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    Ok(Run {
        status: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Runs a command, but not longer than this.
pub fn finish_within(command: &mut Command, limit: Duration) -> Result<Run, String> {
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {command:?}: {error}"))?;
    // Pipes that nobody empties would stop the child.
    let stdout = child.stdout.take().map(|pipe| thread::spawn(move || read_all(pipe)));
    let stderr = child.stderr.take().map(|pipe| thread::spawn(move || read_all(pipe)));
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < limit => thread::sleep(Duration::from_millis(5)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it did not end within {limit:?}"));
            }
            Err(error) => return Err(format!("cannot wait for {command:?}: {error}")),
        }
    };
    let text = |reader: Option<thread::JoinHandle<String>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
    };
    Ok(Run { status: status.code(), stdout: text(stdout), stderr: text(stderr) })
}

fn read_all(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = pipe.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}
