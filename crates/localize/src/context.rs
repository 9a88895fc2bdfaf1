//! What every technique is given.

use program::Stop;
use solver::Solver;

use crate::{cascade, error_invariants, repair, spectrum};

/// Access to solvers, the wish to stop, and what the user wants.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Makes a solver with nothing asserted.
    pub solvers: &'a dyn Fn() -> Box<dyn Solver>,
    pub stop: &'a Stop,
    pub settings: &'a Settings,
}

/// What the user wants of the techniques and gives to them, by technique.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub cascade: cascade::Settings,
    pub error_invariants: error_invariants::Settings,
    /// The tests that were run.
    pub spectrum: Vec<spectrum::TestRun>,
    pub repair: repair::Settings,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("stop", self.stop).finish_non_exhaustive()
    }
}
