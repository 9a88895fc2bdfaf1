//! One file per format.

mod json;
mod text;

pub use json::json;
pub use text::{Style, problem, text};
