//! Counts the questions to several solvers together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use term::{Term, Terms};

use crate::solver::{Answer, Model, Quantified, Solver};

/// A solver that counts its questions in a counter it shares with others. It keeps a guard alive as
/// long as it lives, for whoever must know that.
#[derive(Debug)]
pub struct Counted<S, G = ()> {
    /// Dropped before the solver.
    _guard: G,
    inner: S,
    count: Arc<AtomicU64>,
}

impl<S: Solver, G> Counted<S, G> {
    pub fn new(inner: S, count: Arc<AtomicU64>, guard: G) -> Counted<S, G> {
        Counted { _guard: guard, inner, count }
    }
}

impl<S: Solver, G> Solver for Counted<S, G> {
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
        self.count.fetch_add(1, Ordering::Relaxed);
        self.inner.check(terms, assumptions)
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

    fn hurry(&mut self, limit: Duration) {
        self.inner.hurry(limit);
    }

    fn quantified(&mut self) -> Option<&mut dyn Quantified> {
        self.inner.quantified()
    }
}
