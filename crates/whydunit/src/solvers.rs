//! Making solvers, with a common count of their queries.

use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use solver::{Answer, Logged, Model, Quantified, Solver, Z3};
use term::{Term, Terms};

/// Makes solvers for one run of whydunit.
#[derive(Debug)]
pub struct Solvers {
    time_limit: Duration,
    /// Where queries are written to, a folder for each solver.
    log: Option<PathBuf>,
    made: Cell<u64>,
    queries: Rc<Cell<u64>>,
}

impl Solvers {
    pub fn new(time_limit: Duration, log: Option<PathBuf>) -> Solvers {
        Solvers { time_limit, log, made: Cell::new(0), queries: Rc::default() }
    }

    /// How many questions all solvers were asked.
    pub fn queries(&self) -> u64 {
        self.queries.get()
    }

    pub fn make(&self) -> Box<dyn Solver> {
        self.made.set(self.made.get() + 1);
        let z3 = Z3::new(self.time_limit);
        let solver: Box<dyn Solver> = match &self.log {
            Some(folder) => {
                let name = format!("solver-{:04}", self.made.get());
                Box::new(Logged::new(z3, folder.join(name)))
            }
            None => Box::new(z3),
        };
        Box::new(Counted { solver, queries: self.queries.clone() })
    }
}

/// A solver that counts its queries together with others.
struct Counted {
    solver: Box<dyn Solver>,
    queries: Rc<Cell<u64>>,
}

impl Solver for Counted {
    fn push(&mut self) {
        self.solver.push();
    }

    fn pop(&mut self) {
        self.solver.pop();
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        self.solver.assert(terms, formula);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        self.queries.set(self.queries.get() + 1);
        self.solver.check(terms, assumptions)
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model> {
        self.solver.model(terms, variables)
    }

    fn core(&mut self) -> Vec<Term> {
        self.solver.core()
    }

    fn queries(&self) -> u64 {
        self.solver.queries()
    }

    fn quantified(&mut self) -> Option<&mut dyn Quantified> {
        self.solver.quantified()
    }
}
