//! Who makes programs of edited texts: the front ends, through the program that has them.

use std::fmt;
use std::sync::Arc;

use program::Program;
use program::process::Image;
use program::syntax::Syntax;

use crate::plain::Plain;

/// A program made of an edited text.
#[derive(Debug)]
pub struct Built {
    pub program: Program,
    pub engine: Engine,
}

/// What runs a program.
#[derive(Clone, Debug)]
pub enum Engine {
    /// It has memory.
    Memory(Arc<Image>),
    /// It has none.
    Plain(Plain),
}

/// What a compiler says about an edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// From 1, in the edited text.
    pub line: u32,
    pub is_error: bool,
    pub text: String,
}

/// The result of compiling; without a program if that was not possible.
#[derive(Debug, Default)]
pub struct Outcome {
    pub built: Option<Built>,
    pub complaints: Vec<Complaint>,
}

/// Makes programs of edited texts.
pub trait Build: fmt::Debug + Sync {
    /// The program in which the source file with this number has this text.
    fn build(&self, file: u32, text: &str) -> Outcome;

    /// The tree of a text in the place of this source file.
    fn parse(&self, file: u32, text: &str) -> Syntax;
}
