//! Exit statuses. Those of whoever is ended by a signal are in `clock.rs`.

/// A failure was explained.
pub const EXPLAINED: u8 = 0;
/// There is no failure.
pub const NO_FAILURE: u8 = 1;
/// The input or the command line is wrong.
pub const WRONG_INPUT: u8 = 2;
/// Our mistake.
pub const INTERNAL: u8 = 3;
/// A limit was reached before anything could be said, or nobody is suspected; or no fix was found that is asked for.
pub const UNKNOWN: u8 = 4;
