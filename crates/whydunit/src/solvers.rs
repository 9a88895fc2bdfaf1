//! Making solvers, with a common count of their queries and a common clock.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use program::Work;
use solver::{Counted, Logged, Solver, Watch, Z3};

use crate::clock::{Clock, Registration, Task};

/// The work that it is to make a solver.
const TO_MAKE_ONE: Duration = Duration::from_millis(3);

/// And to ask it, at least.
const TO_ASK: Duration = Duration::from_micros(300);

/// Makes solvers for one run of whydunit.
#[derive(Debug)]
pub struct Solvers {
    clock: Clock,
    /// For one query: the work of this time.
    limit: Duration,
    /// Where queries are written to, a folder for each solver.
    log: Option<PathBuf>,
    made: Cell<u64>,
    queries: Arc<AtomicU64>,
}

impl Solvers {
    /// `queries` counts the questions to all solvers.
    pub fn new(
        clock: Clock,
        limit: Duration,
        log: Option<PathBuf>,
        queries: Arc<AtomicU64>,
    ) -> Solvers {
        Solvers { clock, limit, log, made: Cell::new(0), queries }
    }

    /// How many questions all solvers were asked.
    pub fn queries(&self) -> u64 {
        self.queries.load(Ordering::Relaxed)
    }

    pub fn make(&self, task: Task) -> Box<dyn Solver> {
        self.make_with(task, self.limit)
    }

    /// A solver with a limit of its own for one query.
    pub fn make_with(&self, task: Task, limit: Duration) -> Box<dyn Solver> {
        self.made.set(self.made.get() + 1);
        let z3 = Z3::new(limit.min(self.limit));
        let registration = self.clock.register(task, z3.interrupt_handle());
        let solver: Box<dyn Solver> = match &self.log {
            Some(folder) => {
                let name = format!("solver-{:04}", self.made.get());
                Box::new(Logged::new(z3, folder.join(name)))
            }
            None => Box::new(z3),
        };
        let work = self.clock.work().clone();
        work.add(TO_MAKE_ONE);
        // The registration goes first, so that the solver is the last to hold its context.
        let watch = Watched { queries: self.queries.clone(), work, _registration: registration };
        Box::new(Counted::new(solver, watch))
    }
}

/// What has to know of the questions to a solver, and of its life.
struct Watched {
    queries: Arc<AtomicU64>,
    work: Work,
    _registration: Registration,
}

impl Watch for Watched {
    fn asked(&self, work: Duration) {
        self.queries.asked(work);
        self.work.add(work + TO_ASK);
    }
}
