//! Solvers: the interface, Z3 behind it, and what is built on top of any solver.

mod solver;
mod z3;

pub use solver::{Answer, Model, Quantified, Reason, Solver};
pub use z3::{Interrupt, Z3};
