//! One file per format.

mod baselines;
mod causes;
mod chain;
mod changes;
mod dot;
mod excerpt;
mod html;
mod invariants;
mod json;
mod problem;
mod repair;
mod sarif;
mod source_line;
mod style;
mod suite;
mod suspects;
mod text;

pub use dot::dot;
pub use html::html;
pub use json::json;
pub use problem::problem;
pub use sarif::{sarif, sarif_without_failure};
pub use style::{Colour, Ink, Letters, Style};
pub use text::{Notes, Scores, View, text};
