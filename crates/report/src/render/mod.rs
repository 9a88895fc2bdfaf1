//! One file per format.

mod excerpt;
mod json;
mod text;

pub use json::json;
pub use text::{Style, problem, text};
