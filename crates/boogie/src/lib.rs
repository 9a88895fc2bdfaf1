//! Boogie, the language of `.bpl` files: text to syntax tree ([`parse`]), and the
//! names and types in it ([`check`](check::check)).

pub mod ast;
pub mod error;
mod lexer;
mod number;
pub mod parser;
pub mod types;

pub use ast::{Ast, Span};
pub use error::{Error, ErrorKind};
pub use parser::parse;
