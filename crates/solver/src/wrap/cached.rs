//! Remembers answers.

use std::time::Duration;

use rustc_hash::FxHashMap;
use term::{Term, Terms};

use super::Stack;
use crate::solver::{Answer, Model, Quantified, Solver};

/// A solver that is not asked the same question twice. What is the same is the set of asserted
/// formulas and assumptions. "Unknown" is not remembered: there may be more time next time.
#[derive(Debug)]
pub struct Cached<S> {
    inner: S,
    stack: Stack,
    arena: Option<u64>,
    known: FxHashMap<Question, Known>,
    hits: u64,
    last: Last,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Question {
    asserted: Vec<Term>,
    assumed: Vec<Term>,
}

#[derive(Clone, Debug)]
enum Known {
    Sat,
    Unsat(Vec<Term>),
}

/// Where model and core of the last answer come from.
#[derive(Debug)]
enum Last {
    Inner,
    /// Satisfiable, but the inner solver has not been asked; these were the assumptions.
    Remembered(Vec<Term>),
    Core(Vec<Term>),
}

impl<S: Solver> Cached<S> {
    pub fn new(inner: S) -> Cached<S> {
        let known = FxHashMap::default();
        Cached { inner, stack: Stack::new(), arena: None, known, hits: 0, last: Last::Inner }
    }

    /// How many questions were answered from memory.
    pub fn hits(&self) -> u64 {
        self.hits
    }
}

fn set(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_unstable();
    terms.dedup();
    terms
}

impl<S: Solver> Solver for Cached<S> {
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
        if self.arena != Some(terms.identity()) {
            self.arena = Some(terms.identity());
            self.known.clear();
        }
        let question =
            Question { asserted: set(self.stack.with(&[])), assumed: set(assumptions.to_vec()) };
        if let Some(known) = self.known.get(&question) {
            self.hits += 1;
            let (last, answer) = match known {
                Known::Sat => (Last::Remembered(assumptions.to_vec()), Answer::Sat),
                Known::Unsat(core) => (Last::Core(core.clone()), Answer::Unsat),
            };
            self.last = last;
            return answer;
        }
        self.last = Last::Inner;
        let answer = self.inner.check(terms, assumptions);
        match &answer {
            Answer::Sat => drop(self.known.insert(question, Known::Sat)),
            Answer::Unsat => drop(self.known.insert(question, Known::Unsat(self.inner.core()))),
            Answer::Unknown(_) => {}
        }
        answer
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model> {
        if let Last::Remembered(assumptions) = &self.last {
            self.inner.check(terms, assumptions);
            self.last = Last::Inner;
        }
        self.inner.model(terms, variables)
    }

    fn core(&mut self) -> Vec<Term> {
        match &self.last {
            Last::Inner => self.inner.core(),
            Last::Remembered(_) => vec![],
            Last::Core(core) => core.clone(),
        }
    }

    /// Of the inner solver: what it was really asked.
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
