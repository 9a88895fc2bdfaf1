//! Writing answers and messages. Nothing here panics, whatever the streams are connected to.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, plain};

/// Writes to standard output. That nobody reads it any more is no error.
pub fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Input(format!(
            "error: cannot write to standard output: {}\n",
            plain(&error)
        ))),
        _ => Ok(()),
    }
}

/// Writes to standard error, if somebody listens.
pub fn complain(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Writes answers, each to a file or to standard output.
pub fn write_answers(answers: &[(Option<PathBuf>, String)]) -> Result<(), Error> {
    answers.iter().try_for_each(|(path, text)| write_answer(path.as_deref(), text))
}

/// Writes an answer to a file, or to standard output.
fn write_answer(path: Option<&Path>, text: &str) -> Result<(), Error> {
    let Some(path) = path else { return print(text) };
    std::fs::write(path, text).map_err(|error| {
        let why = match error.kind() {
            ErrorKind::NotFound => "there is no such folder".to_owned(),
            _ => plain(&error),
        };
        Error::Input(format!("error: cannot write {}: {why}\n", path.display()))
    })
}
