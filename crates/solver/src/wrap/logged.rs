//! Writes every question to a folder, as an SMT-LIB script that can be given to any solver.

use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io};

use term::{Term, Terms, script};

use super::Stack;
use crate::solver::{Answer, Model, Quantified, Solver};

/// A solver whose questions are written to `0001.smt2`, `0002.smt2`, … in a folder, with the answer.
/// Questions with quantifiers are passed on without being written.
#[derive(Debug)]
pub struct Logged<S> {
    inner: S,
    folder: PathBuf,
    stack: Stack,
    written: u64,
    error: Option<io::Error>,
}

impl<S: Solver> Logged<S> {
    /// The folder is made if it is missing.
    pub fn new(inner: S, folder: impl Into<PathBuf>) -> Logged<S> {
        let folder = folder.into();
        let error = fs::create_dir_all(&folder).err();
        Logged { inner, folder, stack: Stack::new(), written: 0, error }
    }

    /// What went wrong first when writing. Questions are answered all the same.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    fn write(&mut self, terms: &Terms, assumptions: &[Term], answer: &Answer) {
        self.written += 1;
        let all = self.stack.with(assumptions);
        let asserted = all.len() - assumptions.len();
        let text = format!(
            "; {}; {asserted} asserted, {} assumed\n{}",
            describe(answer),
            assumptions.len(),
            script(terms, &all)
        );
        let path = self.folder.join(format!("{:04}.smt2", self.written));
        if let Err(error) = fs::write(path, text) {
            self.error.get_or_insert(error);
        }
    }
}

fn describe(answer: &Answer) -> String {
    match answer {
        Answer::Sat => "sat".to_owned(),
        Answer::Unsat => "unsat".to_owned(),
        Answer::Unknown(reason) => format!("unknown: {reason:?}"),
    }
}

impl<S: Solver> Solver for Logged<S> {
    fn push(&mut self) {
        self.stack.push();
        self.inner.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
        self.inner.pop();
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.stack.assert(formula);
        self.inner.assert(terms, formula);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let answer = self.inner.check(terms, assumptions);
        self.write(terms, assumptions, &answer);
        answer
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model> {
        self.inner.model(terms, variables)
    }

    fn core(&mut self) -> Vec<Term> {
        self.inner.core()
    }

    fn queries(&self) -> u64 {
        self.inner.queries()
    }

    fn work(&self) -> Duration {
        self.inner.work()
    }

    fn hurry(&mut self, limit: Duration) {
        self.inner.hurry(limit);
    }

    fn quantified(&mut self) -> Option<&mut dyn Quantified> {
        self.inner.quantified()
    }
}
