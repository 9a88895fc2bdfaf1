//! What can go wrong, and whose mistake it is.

use std::fmt;
use std::process::ExitCode;

use crate::{output, status};

#[derive(Debug)]
pub enum Error {
    /// The user's input; the message is complete, with what to do.
    Input(String),
    /// The same, drawn already, perhaps in colours.
    Drawn(String),
    /// An answer could not be written; the message is complete.
    Output(String),
    /// Our mistake.
    Internal(String),
}

impl Error {
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Error::Input(_) | Error::Drawn(_) | Error::Output(_) => {
                ExitCode::from(status::WRONG_INPUT)
            }
            Error::Internal(_) => ExitCode::from(status::INTERNAL),
        }
    }

    /// Tells it on standard error.
    pub fn tell(&self) {
        match self {
            Error::Drawn(message) => output::show(message),
            error => output::complain(&error.to_string()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(message) | Error::Drawn(message) | Error::Output(message) => {
                f.write_str(message)
            }
            Error::Internal(message) => writeln!(
                f,
                "error: whydunit failed: {message}\nThis is a bug in whydunit, not in your program. \
                 Please report it with the program that shows it."
            ),
        }
    }
}

/// The error of the operating system in words, without its number.
pub fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => return "there is no such file".to_owned(),
        std::io::ErrorKind::IsADirectory => return "it is a directory".to_owned(),
        _ => {}
    }
    let text = error.to_string();
    let words = text.split_once(" (os error").map_or(text.as_str(), |(words, _)| words);
    let mut characters = words.chars();
    let first = characters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}
