//! Wrappers: solvers around a solver.

mod cached;
mod logged;
mod validated;

pub use cached::Cached;
pub use logged::Logged;
pub use validated::{Validated, Violation};

use term::Term;

/// What has been asserted, by level.
#[derive(Clone, Debug)]
struct Stack {
    levels: Vec<Vec<Term>>,
}

impl Stack {
    fn new() -> Stack {
        Stack { levels: vec![vec![]] }
    }

    fn push(&mut self) {
        self.levels.push(vec![]);
    }

    fn pop(&mut self) {
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    fn assert(&mut self, formula: Term) {
        if let Some(level) = self.levels.last_mut() {
            level.push(formula);
        }
    }

    /// Everything asserted, and more, in order.
    fn with(&self, more: &[Term]) -> Vec<Term> {
        self.levels.iter().flatten().chain(more).copied().collect()
    }
}
