//! Repair: edits of the source with which the tests pass.
pub mod edit;
pub mod generate;
pub mod kinds;
