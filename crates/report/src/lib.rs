//! Reports: a diagnosis in the terms of the source, and its renderers.

mod addresses;
mod apart;
mod baselines;
mod causes;
mod changes;
mod cook;
mod expressions;
mod formulas;
mod groups;
mod history;
mod inputs;
mod invariants;
mod patch;
mod places;
mod printable;
mod render;
mod repair;
mod report;
mod sentences;
mod story;
mod suite;
mod suspects;
#[cfg(test)]
mod tests;
mod timeline;
mod types;
mod values;

pub use apart::{ApartReport, OutcomeReport, deeds};
pub use baselines::{SliceReport, SpectrumReport, SpectrumStatement};
pub use causes::{CauseReport, CauseStatement, CauseTree, InfluenceReport, InstanceReport};
pub use changes::{ChangeReport, ChangesReport};
pub use cook::{cook, failure_reports};
pub use invariants::{InvariantReport, InvariantsReport, KeptReport};
pub use patch::patch;
pub use printable::printable;
pub use render::{
    Colour, Ink, Letters, Notes, Scores, Style, View, dot, html, json, problem, sarif,
    sarif_without_failure, text,
};
pub use repair::{EditReport, RepairReport, SolutionReport};
pub use report::{
    EvidenceReport, Executions, FailureReport, Given, Happened, Input, Location, RelevanceReport,
    Report, RunFacts, ScoreTerm, StatementReport, StepReport, Suspect, WitnessReport, Wording,
};
pub use suite::{SuiteReport, TestReport, TestVerdict};
pub use timeline::{Home, Moment, MomentSpot, MomentVariable, TextId, Timeline, What, timeline};
