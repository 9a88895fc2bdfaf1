//! One file per format.

mod causes;
mod excerpt;
mod invariants;
mod json;
mod suite;
mod text;

use program::SourceFile;

use crate::report::Report;

pub use json::json;
pub use text::{Style, problem};

/// The report as text: the tests, then the failure and what is responsible. `files` are the program's source files.
pub fn text(report: &Report, files: &[SourceFile], style: Style) -> String {
    let tests = report.facts.suite.as_ref().map_or_else(String::new, suite::suite_text);
    let mut out = tests + &text::text(report, files, style);
    if let Some(invariants) = &report.error_invariants {
        out += &invariants::invariants_text(invariants, &report.failure);
    }
    out
}
