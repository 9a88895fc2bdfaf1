//! Solvers: the interface, Z3 behind it, and what is built on top of any solver.

mod bounds;
#[cfg(test)]
mod conformance;
mod core;
mod forall;
mod solver;
#[cfg(test)]
mod testing;
mod wrap;
mod z3;

pub use self::core::{Core, minimize};
pub use forall::{Verdict, exists_forall};
pub use solver::{Answer, Model, Quantified, Reason, Solver, Stats};
pub use wrap::{Cached, Counted, Logged, Validated, Violation, Watch};
pub use z3::{Interrupt, Z3, limit_memory};
