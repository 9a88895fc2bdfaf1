//! Tests of processes.

mod basics;
mod random;
mod sketch;
mod terms;
