//! Running the real program.

use std::process::{Command, Stdio};

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
    command.env_remove("NO_COLOR").stdin(Stdio::null());
    command
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
