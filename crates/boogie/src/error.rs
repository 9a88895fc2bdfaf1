//! What is wrong with a Boogie program, said about the text the user wrote.

use crate::ast::Span;
use std::fmt;

/// Whose problem it is: the user's (syntax, types) or ours (unsupported, internal).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is not a Boogie program.
    Syntax,
    /// The text parses, but its names or types do not fit together.
    Type,
    /// The text is Boogie, but whydunit cannot handle this part of it.
    Unsupported,
    /// We made a malformed program of it: a bug of whydunit.
    Internal,
}

/// One problem, the text it is about, and possibly what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: ErrorKind,
    /// One sentence without a full stop.
    pub message: String,
    pub span: Span,
    pub help: Option<String>,
}

impl Error {
    pub(crate) fn syntax(span: Span, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Syntax, span, message.into())
    }

    pub(crate) fn typing(span: Span, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Type, span, message.into())
    }

    pub(crate) fn unsupported(span: Span, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Unsupported, span, message.into())
    }

    pub(crate) fn internal(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Internal, Span::new(0, 0), message.into())
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }

    fn new(kind: ErrorKind, span: Span, message: String) -> Error {
        Error { kind, message, span, help: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            ErrorKind::Syntax => "syntax error: ",
            ErrorKind::Type => "type error: ",
            ErrorKind::Unsupported => "unsupported: ",
            ErrorKind::Internal => "internal error: ",
        })?;
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_prints_its_kind_and_its_help() {
        let error =
            Error::typing(Span::new(3, 4), "unknown variable `y`").with_help("did you mean `x`?");
        assert_eq!(error.to_string(), "type error: unknown variable `y` (did you mean `x`?)");
    }
}
