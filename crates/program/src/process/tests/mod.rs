//! Tests of processes.

mod basics;
mod sketch;
