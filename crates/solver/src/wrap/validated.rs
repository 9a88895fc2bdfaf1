//! Believes nothing: models are evaluated and cores are asked again elsewhere.

use std::time::Duration;

use term::{Term, Terms};

use super::Stack;
use crate::solver::{Answer, Model, Quantified, Reason, Solver};

/// A solver whose answers are checked: a model must make everything asserted and assumed true; a core
/// must be part of the assumptions and unsatisfiable for a second solver. An answer that fails becomes
/// "unknown", and the violation is kept.
#[derive(Debug)]
pub struct Validated<S, R> {
    inner: S,
    referee: R,
    stack: Stack,
    violations: Vec<Violation>,
    failed: bool,
}

/// An answer that was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The model makes this formula false.
    Model { question: u64, formula: Term },
    /// The core has a member that was not assumed.
    NotAssumed { question: u64, member: Term },
    /// The core is satisfiable.
    Core { question: u64, core: Vec<Term> },
}

impl<S: Solver, R: Solver> Validated<S, R> {
    pub fn new(inner: S, referee: R) -> Validated<S, R> {
        Validated { inner, referee, stack: Stack::new(), violations: vec![], failed: false }
    }

    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    fn violation(&mut self, terms: &Terms, asked: &[Term], answer: &Answer) -> Option<Violation> {
        let question = self.inner.queries();
        match answer {
            Answer::Sat => {
                let formulas = self.stack.with(asked);
                // A model that has no exact values cannot be checked.
                let model = self.inner.model(terms, &terms.variables_of(&formulas))?;
                let formula =
                    formulas.into_iter().find(|&f| !model.evaluate(terms, f).is_true())?;
                Some(Violation::Model { question, formula })
            }
            Answer::Unsat => {
                let core = self.inner.core();
                if let Some(&member) = core.iter().find(|member| !asked.contains(member)) {
                    return Some(Violation::NotAssumed { question, member });
                }
                match self.referee.check(terms, &core) {
                    Answer::Sat => Some(Violation::Core { question, core }),
                    Answer::Unsat | Answer::Unknown(_) => None,
                }
            }
            Answer::Unknown(_) => None,
        }
    }
}

impl<S: Solver, R: Solver> Solver for Validated<S, R> {
    fn push(&mut self) {
        self.stack.push();
        self.inner.push();
        self.referee.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
        self.inner.pop();
        self.referee.pop();
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.stack.assert(formula);
        self.inner.assert(terms, formula);
        self.referee.assert(terms, formula);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let answer = self.inner.check(terms, assumptions);
        let violation = self.violation(terms, assumptions, &answer);
        self.failed = violation.is_some();
        match violation {
            None => answer,
            Some(violation) => {
                let reason = format!("the answer {answer:?} is wrong: {violation:?}");
                self.violations.push(violation);
                Answer::Unknown(Reason::Incomplete(reason))
            }
        }
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model> {
        if self.failed { None } else { self.inner.model(terms, variables) }
    }

    fn core(&mut self) -> Vec<Term> {
        if self.failed { vec![] } else { self.inner.core() }
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
