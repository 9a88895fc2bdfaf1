//! One file per format.

mod causes;
mod excerpt;
mod json;
mod text;

pub use json::json;
pub use text::{Style, problem, text};
