//! Writing to standard output and standard error. Nothing here panics, whatever the streams are connected to.

use std::io::{ErrorKind, Write};

use report::printable;

use crate::error::{Error, plain};

/// Writes to standard output. That nobody reads it any more is no error.
pub fn print(text: impl AsRef<[u8]>) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_ref()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Output(format!(
            "error: cannot write to standard output: {}\n",
            plain(&error)
        ))),
        _ => Ok(()),
    }
}

/// Writes to standard error, if somebody listens. What the terminal would obey is escaped.
pub fn complain(text: &str) {
    show(&printable(text));
}

/// Writes what is drawn already, with colours, to standard error.
pub fn show(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
