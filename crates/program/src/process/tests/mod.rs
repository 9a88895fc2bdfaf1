//! Tests of processes.

mod basics;
mod failures;
mod programs;
mod random;
mod sketch;
mod terms;
mod undefined;
