//! Traces, transformers, search, inputs and replay, compared with the interpreter and with enumeration.

// Tests may panic, in their helper functions too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod domain;
mod flip;
mod flip_memory;
mod inputs;
mod random;
mod replay;
mod rerun;
mod search;
mod trace;
mod transform;

use std::time::Duration;

use program::{EdgeId, ProcedureId, Program};
use solver::Z3;
use term::Term;

fn read(text: &str) -> Program {
    boogie::read("test.bpl", text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn z3() -> Z3 {
    Z3::new(Duration::from_secs(20))
}

fn procedure(program: &Program, name: &str) -> ProcedureId {
    let index = program.procedures.iter().position(|p| p.name == name);
    ProcedureId(index.unwrap_or_else(|| panic!("no procedure {name}")) as u32)
}

/// The variable of this name: of the procedure, or a global.
fn variable(program: &Program, owner: Option<&str>, name: &str) -> Term {
    let all: Vec<Term> = match owner {
        Some(owner) => program.procedure(procedure(program, owner)).variables().collect(),
        None => program.globals.clone(),
    };
    let found = all.into_iter().find(|&v| program.name(v) == name);
    found.unwrap_or_else(|| panic!("no variable {name}"))
}

/// The statements of a path, as in the source.
fn texts<'p>(program: &'p Program, path: &[EdgeId]) -> Vec<&'p str> {
    path.iter().map(|&edge| program.site(program.edge(edge).site).text.as_str()).collect()
}
