//! What can go wrong, and whose mistake it is.

use std::fmt;
use std::io;
use std::process::ExitCode;

use crate::{memory, output, status};

#[derive(Debug)]
pub enum Error {
    /// The user's input; the message is complete, with what to do.
    Input(String),
    /// The same, drawn already, perhaps in colours.
    Drawn(String),
    /// An answer could not be written; the message is complete.
    Output(String),
    /// There is not enough memory to go on at all, or there are too many threads.
    Memory,
    /// Our mistake.
    Internal(String),
}

impl Error {
    /// The operating system could not do what it always can, such as to start a thread.
    pub fn of_system(error: &io::Error) -> Error {
        match is_lack_of_memory(error) {
            true => Error::Memory,
            false => Error::Internal(error.to_string()),
        }
    }

    pub fn exit_code(&self) -> ExitCode {
        match self {
            Error::Input(_) | Error::Drawn(_) | Error::Output(_) => {
                ExitCode::from(status::WRONG_INPUT)
            }
            Error::Memory => ExitCode::from(status::UNKNOWN),
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
            Error::Memory => match memory::address_space() {
                Some(size) => {
                    let why = format!("`ulimit -v` allows {size} of address space");
                    writeln!(f, "error: not enough memory: {why}, which is too little for this")
                }
                None => {
                    f.write_str("error: not enough memory, or too many processes and threads\n")
                }
            },
            Error::Internal(message) => writeln!(
                f,
                "error: whydunit failed: {message}\nThis is a bug in whydunit, not in your program. \
                 Please report it with the program that shows it."
            ),
        }
    }
}

/// Whether a process or a thread could not be started for want of memory, or because there are too many.
pub fn is_lack_of_memory(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::OutOfMemory | io::ErrorKind::WouldBlock)
}

/// The error of the operating system in words, without its number.
pub fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => return "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => return "it is a directory".to_owned(),
        _ => {}
    }
    let text = error.to_string();
    let words = text.split_once(" (os error").map_or(text.as_str(), |(words, _)| words);
    let mut characters = words.chars();
    let first = characters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}
