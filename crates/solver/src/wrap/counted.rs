//! Tells somebody about the questions to a solver.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use term::{Term, Terms};

use crate::solver::{Answer, Model, Quantified, Solver};

/// Who wants to know of each question.
pub trait Watch {
    /// Something was asked, and this is how much work it was.
    fn asked(&self, work: Duration);
}

/// A count of questions.
impl Watch for Arc<AtomicU64> {
    fn asked(&self, _: Duration) {
        self.fetch_add(1, Ordering::Relaxed);
    }
}

/// A solver that is watched as long as it lives.
#[derive(Debug)]
pub struct Counted<S, W> {
    /// Dropped before the solver.
    watch: W,
    inner: S,
    /// The work that is known.
    work: Duration,
}

impl<S: Solver, W: Watch> Counted<S, W> {
    pub fn new(inner: S, watch: W) -> Counted<S, W> {
        let work = inner.work();
        Counted { watch, inner, work }
    }
}

impl<S: Solver, W: Watch> Solver for Counted<S, W> {
    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.inner.assert(terms, formula);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        let answer = self.inner.check(terms, assumptions);
        let work = self.inner.work();
        self.watch.asked(work.saturating_sub(self.work));
        self.work = work;
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
