//! What is reported, as plain data. Renderers add nothing to it.

use localize::relevance::Role;
use program::{Position, Span};

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file: String,
    pub start: Position,
    /// The position after the last character.
    pub end: Position,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Report {
    pub failure: FailureReport,
    /// Best first.
    pub suspects: Vec<Suspect>,
    pub relevance: Option<RelevanceReport>,
    /// What could not be modelled.
    pub gaps: Vec<String>,
    /// Claims that did not pass their check. They are not shown as claims.
    pub refuted: Vec<String>,
    pub facts: RunFacts,
}

/// The failure that is explained; of several, the first.
#[derive(Clone, Debug)]
pub struct FailureReport {
    pub kind: String,
    pub message: String,
    pub location: Option<Location>,
    /// How many steps the failing trace has.
    pub steps: usize,
    /// How many failing traces were analysed.
    pub traces: usize,
    pub inputs: Vec<Input>,
}

/// A value that the program did not compute.
#[derive(Clone, Debug)]
pub struct Input {
    /// The variable that has it.
    pub name: String,
    pub value: String,
    /// Where it came in; none for an initial value.
    pub location: Option<Location>,
}

#[derive(Clone, Debug)]
pub struct Suspect {
    pub rank: usize,
    pub location: Option<Location>,
    pub statement: String,
    /// The role of the instance that the sentence is about.
    pub role: Role,
    /// Between 0 and 1; `cook` says how it is computed.
    pub score: f64,
    /// One sentence of evidence.
    pub why: String,
    pub techniques: Vec<&'static str>,
}

#[derive(Clone, Debug)]
pub struct RelevanceReport {
    pub complete: bool,
    /// All steps of the first trace that were asked about.
    pub steps: Vec<StepReport>,
    /// How many assignments of the first trace were not asked about, because they are trusted.
    pub trusted: usize,
    /// The relevant statements over all traces.
    pub statements: Vec<StatementReport>,
}

#[derive(Clone, Debug)]
pub struct StepReport {
    /// Its number in the trace, from 1.
    pub step: usize,
    pub location: Option<Location>,
    pub statement: String,
    /// `relevant`, `irrelevant` or `unknown`.
    pub verdict: &'static str,
    pub role: Option<Role>,
    pub witness: Option<WitnessReport>,
    /// Why, in words.
    pub reason: String,
}

#[derive(Clone, Debug)]
pub struct WitnessReport {
    pub value: String,
    /// Whether it blocks the failing run itself, or another execution of the same trace.
    pub on_failing_run: bool,
}

#[derive(Clone, Debug)]
pub struct StatementReport {
    pub location: Option<Location>,
    pub statement: String,
    /// Numbers of the traces, from 1, in which it is relevant.
    pub relevant_in: Vec<usize>,
    pub in_all: bool,
    /// The constant that repairs all traces: `Some(Ok(v))`; that there is none: `Some(Err(why))`.
    pub one_value: Option<Result<String, String>>,
}

/// How the run went.
#[derive(Clone, Debug, Default)]
pub struct RunFacts {
    pub seconds: f64,
    /// How much of it went into finding the failure.
    pub search_seconds: f64,
    pub solver_queries: u64,
    /// What was left out for lack of time or by limits, in words.
    pub notes: Vec<String>,
}
