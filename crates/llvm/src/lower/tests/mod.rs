mod initial;
mod programs;
mod runs;
mod sites;
mod snippets;

use std::io::Write;
use std::process::{Command, Stdio};

use program::{FailureKind, Program, Statement, Trust, verify};

use super::{LowerError, Source, lower};
use crate::module::{Input, Module, read};

/// The bitcode that clang makes of a text.
pub(crate) fn compile(text: &str, flags: &[&str]) -> Vec<u8> {
    let mut child = Command::new("clang-22")
        .args(["-O0", "-g", "-w", "-emit-llvm", "-c", "-o", "-"])
        .args(flags)
        .args(["-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("clang starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("clang reads");
    let output = child.wait_with_output().expect("clang ends");
    assert!(output.status.success(), "clang refuses\n{text}");
    output.stdout
}

pub(super) fn module(text: &str, flags: &[&str]) -> Module {
    let bytes = compile(text, flags);
    read(&[Input { name: "test.c", bytes: &bytes, trust: Trust::User }]).expect("clang's bitcode")
}

pub(super) fn try_lower(text: &str, flags: &[&str]) -> Result<Program, LowerError> {
    let module = module(text, flags);
    let sources: Vec<Source> = module
        .files
        .iter()
        .filter(|file| file.name == "-" || file.name == "<stdin>")
        .map(|file| Source {
            path: file.path(),
            name: "test.c".to_owned(),
            text: text.to_owned(),
            placing: Default::default(),
        })
        .collect();
    lower(&module, &sources)
}

pub(super) fn program(text: &str) -> Program {
    let program = try_lower(text, &[]).expect("it has a main function");
    verify(&program).expect("it is well-formed");
    program
}

/// The text of the sites of edges that lead to the error location, with the kind and message.
pub(super) fn errors(program: &Program) -> Vec<(FailureKind, String, String)> {
    let to_error = program.edges.iter().filter(|edge| edge.to == Program::ERROR);
    let found = to_error.map(|edge| {
        let site = program.site(edge.site);
        let property = site.property.as_ref().expect("verified");
        (property.kind, site.text.clone(), property.message.clone())
    });
    found.collect()
}

/// The names of the variables that are assigned, with the texts of the sites.
pub(super) fn assignments(program: &Program) -> Vec<(String, String)> {
    let assigned = program.edges.iter().filter_map(|edge| match &edge.statement {
        Statement::Assign { place, .. } => {
            Some((program.name(place.variable).to_owned(), program.site(edge.site).text.clone()))
        }
        _ => None,
    });
    assigned.collect()
}
