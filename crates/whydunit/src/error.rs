//! What can go wrong, and whose mistake it is.

use std::fmt;
use std::process::ExitCode;

#[derive(Debug)]
pub enum Error {
    /// The user's input; the message is complete, with what to do.
    Input(String),
    /// Our mistake.
    Internal(String),
}

impl Error {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Error::Input(_) => ExitCode::from(2),
            Error::Internal(_) => ExitCode::from(3),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(message) => f.write_str(message),
            Error::Internal(message) => writeln!(
                f,
                "error: whydunit failed: {message}\nThis is a bug in whydunit, not in your program. \
                 Please report it with the program that shows it."
            ),
        }
    }
}
