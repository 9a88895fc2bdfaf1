//! Making solvers, with a common count of their queries and a common clock.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use solver::{Counted, Logged, Solver, Z3};

use crate::clock::{Clock, Task};

/// Makes solvers for one run of whydunit.
#[derive(Debug)]
pub struct Solvers {
    clock: Clock,
    /// For one query.
    time_limit: Duration,
    /// Where queries are written to, a folder for each solver.
    log: Option<PathBuf>,
    made: Cell<u64>,
    queries: Arc<AtomicU64>,
}

impl Solvers {
    /// `queries` counts the questions to all solvers.
    pub fn new(
        clock: Clock,
        time_limit: Duration,
        log: Option<PathBuf>,
        queries: Arc<AtomicU64>,
    ) -> Solvers {
        Solvers { clock, time_limit, log, made: Cell::new(0), queries }
    }

    /// How many questions all solvers were asked.
    pub fn queries(&self) -> u64 {
        self.queries.load(Ordering::Relaxed)
    }

    pub fn make(&self, task: Task) -> Box<dyn Solver> {
        self.make_with(task, self.time_limit)
    }

    /// A solver with a limit of its own for one query.
    pub fn make_with(&self, task: Task, limit: Duration) -> Box<dyn Solver> {
        self.made.set(self.made.get() + 1);
        let z3 = Z3::new(limit.min(self.time_limit));
        let registration = self.clock.register(task, z3.interrupt_handle());
        let solver: Box<dyn Solver> = match &self.log {
            Some(folder) => {
                let name = format!("solver-{:04}", self.made.get());
                Box::new(Logged::new(z3, folder.join(name)))
            }
            None => Box::new(z3),
        };
        // The registration goes first, so that the solver is the last to hold its context.
        Box::new(Counted::new(solver, self.queries.clone(), registration))
    }
}
