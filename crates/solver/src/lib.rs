//! Solvers: the interface, Z3 behind it, and what is built on top of any solver.

mod solver;

pub use solver::{Answer, Model, Quantified, Reason, Solver};
