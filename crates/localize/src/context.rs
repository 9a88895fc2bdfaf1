//! What every technique is given.

use program::Stop;
use solver::Solver;

/// Access to solvers, and the wish to stop.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Makes a solver with nothing asserted.
    pub solvers: &'a dyn Fn() -> Box<dyn Solver>,
    pub stop: &'a Stop,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("stop", self.stop).finish_non_exhaustive()
    }
}
