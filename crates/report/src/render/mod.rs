//! One file per format.

mod baselines;
mod causes;
mod chain;
mod corrections;
mod edits;
mod excerpt;
mod html;
mod invariants;
mod json;
mod problem;
mod source_line;
mod style;
mod suite;
mod text;

pub use html::html;
pub use json::json;
pub use problem::problem;
pub use style::{Colour, Letters, Style};
pub use text::{Scores, View, text};
