//! Reports: a diagnosis in the terms of the source, and its renderers.

mod cook;
mod render;
mod report;

pub use cook::cook;
pub use render::{Style, json, problem, text};
pub use report::{
    FailureReport, Input, Location, RelevanceReport, Report, RunFacts, StatementReport, StepReport,
    Suspect, WitnessReport,
};
