//! What things cost: roughly how long an ordinary machine needs for one.
//!
//! Who does many of them tells the [`Stop`](program::Stop), so that a technique ends after the same work on every machine.

use std::time::Duration;

/// To make a term, with what is done to find out that it is needed.
pub const TERM: Duration = Duration::from_nanos(800);
/// To take an edge.
pub const EDGE: Duration = Duration::from_nanos(40);
/// To make a step of a trace, and look at it.
pub const STEP: Duration = Duration::from_nanos(400);
/// To make a gate of a circuit, which solvers do not count.
pub const GATE: Duration = Duration::from_micros(2);
