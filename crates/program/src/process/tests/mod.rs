//! Tests of processes.

mod basics;
mod calls;
mod failures;
mod objects;
mod programs;
mod random;
mod records;
mod sketch;
mod terms;
mod undefined;
