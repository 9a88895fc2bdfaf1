//! Failures: a failing trace through a program, the input that drives it, the property it breaks.
//!
//! [`search`] finds failing paths, [`replay`] runs them in the interpreter, so that every [`Failure`]
//! has concrete values. [`Trace`] is the path as straight-line code; [`symbolic`] and [`transform`]
//! say what it computes.

pub mod cells;
mod flip;
mod inputs;
mod replay;
mod rerun;
pub mod run;
mod search;
pub mod symbolic;
mod trace;
pub mod transform;
mod walk;

pub use flip::{Flip, Flipped, Watch};
pub use inputs::{simplest_inputs, simplest_value};
pub use replay::{After, Change, Failure, Inputs, Repeat, Replay, replay, replay_changes};
pub use rerun::{Ended, Force, Forced, Rerun, Rule, When};
pub use search::{Found, Incomplete, SearchLimits, search};
pub use symbolic::Symbolic;
pub use trace::{Access, Action, Direction, Frame, Open, Part, Step, Trace};
