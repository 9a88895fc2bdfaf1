//! One file per format.

mod baselines;
mod causes;
mod corrections;
mod excerpt;
mod invariants;
mod json;
mod suite;
mod text;

use program::SourceFile;

use crate::report::Report;

pub use json::json;
pub use text::{Style, problem};

/// The report as text: the tests, then the failure and what is responsible, then what was asked for. `files` are the
/// program's source files.
pub fn text(report: &Report, files: &[SourceFile], style: Style) -> String {
    let tests = report.facts.suite.as_ref().map_or_else(String::new, suite::suite_text);
    let invariants = report.error_invariants.as_ref();
    let invariants = invariants.map(|found| {
        let compared =
            report.relevance.as_ref().and_then(|other| invariants::compared(found, other));
        invariants::invariants_text(found, &report.failure) + &compared.unwrap_or_default()
    });
    let corrections = report.corrections.as_ref().map(corrections::corrections_text);
    let slice = report.slice.as_ref().map(baselines::slice_text);
    let spectrum = report.spectrum.as_ref().map(baselines::spectrum_text);
    let mut out = tests + &text::text(report, files, style);
    let sections = [invariants, corrections, slice, spectrum].into_iter().flatten();
    for section in sections.filter(|_| report.facts.chosen) {
        out.truncate(out.trim_end().len());
        out += "\n\n";
        out += &section;
    }
    out
}
