//! What is reported, as plain data. Renderers add nothing to it.

use std::time::Duration;

use localize::relevance::Role;
use program::process::Access;
use program::{Position, Span};

use crate::baselines::{SliceReport, SpectrumReport};
use crate::causes::CauseTree;
use crate::changes::ChangesReport;
use crate::invariants::InvariantsReport;
use crate::repair::RepairReport;
use crate::suite::SuiteReport;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file: String,
    pub start: Position,
    /// The position after the last character.
    pub end: Position,
    pub span: Span,
    /// The file and line that it was made of, if a tool wrote this file and says so.
    pub origin: Option<(String, u32)>,
}

impl Location {
    /// The file and the line; first those that people have written.
    pub fn line(&self) -> String {
        self.beside_origin(&format!("{}:{}", self.file, self.start.line))
    }

    /// A name of the place, behind that of its origin.
    pub fn beside_origin(&self, own: &str) -> String {
        match &self.origin {
            Some((file, line)) => format!("{file}:{line} ({own})"),
            None => own.to_owned(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Report {
    pub failure: FailureReport,
    /// Best first.
    pub suspects: Vec<Suspect>,
    pub relevance: Option<RelevanceReport>,
    pub cascade: Option<CauseTree>,
    pub error_invariants: Option<InvariantsReport>,
    pub changes: Option<ChangesReport>,
    pub repair: Option<RepairReport>,
    pub slice: Option<SliceReport>,
    pub spectrum: Option<SpectrumReport>,
    /// What could not be modelled.
    pub gaps: Vec<String>,
    /// Claims that did not pass their check. They are not shown as claims.
    pub refuted: Vec<String>,
    pub facts: RunFacts,
}

impl Report {
    /// Why the failure is not explained, if it is not. Who chooses a spectrum wants no other suspects.
    pub fn unexplained(&self) -> Option<&'static str> {
        let has_spectrum = self.spectrum.as_ref().is_some_and(|it| !it.statements.is_empty());
        match &self.failure.location {
            _ if !self.suspects.is_empty() || self.facts.chosen && has_spectrum => None,
            None => Some("no statement is suspected: the failure is at no place in the source"),
            Some(_) => {
                Some("no statement is suspected: no technique found one that is responsible")
            }
        }
    }
}

/// The failure that is explained; of several, the first.
#[derive(Clone, Debug)]
pub struct FailureReport {
    pub kind: String,
    pub message: String,
    pub location: Option<Location>,
    /// Whether memory was read or written, where it is a memory access that failed, and that is known.
    pub access: Option<Access>,
    /// How many steps the failing trace has that a programmer sees.
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
    pub wording: Wording,
    /// The role of the instance that the sentence of relevance is about, if it is relevant.
    pub role: Option<Role>,
    /// Between 0 and 1; see `docs/ranking.md`.
    pub score: f64,
    /// What the score is made of.
    pub terms: Vec<ScoreTerm>,
    /// One sentence of evidence, the most convincing.
    pub why: String,
    /// One sentence of each technique that speaks for it, the most convincing first.
    pub evidence: Vec<EvidenceReport>,
    /// The rank of the solution that edits it; and of all that do.
    pub fix: Option<usize>,
    pub fixes: Vec<usize>,
    /// How often it was executed, in the trace that the sentence is about; none for Boogie.
    pub executions: Option<Executions>,
    /// Those of the evidence.
    pub techniques: Vec<&'static str>,
}

/// What a technique says about a suspect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceReport {
    pub technique: &'static str,
    pub text: String,
}

/// A part of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreTerm {
    pub name: &'static str,
    pub meaning: &'static str,
    /// How much of it there is, mostly 1.
    pub amount: f64,
    /// What it is worth.
    pub points: f64,
}

/// How a statement is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// By its text.
    Code,
    /// In words that quote its text: a part of it.
    Words,
}

/// How many executions of a statement are relevant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executions {
    pub relevant: u32,
    pub of: u32,
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
    /// What happened there, in a run of a C program.
    pub happened: Option<Happened>,
}

/// What a step did in the failing run.
#[derive(Clone, Debug)]
pub struct Happened {
    /// None before `main`.
    pub function: Option<String>,
    /// How many calls it is nested in.
    pub depth: u32,
    /// The how many-th execution of its statement it belongs to, from 1.
    pub execution: u32,
    /// What was assigned, in source syntax; none if it has no name, such as what is returned.
    pub variable: Option<String>,
    pub value: Option<String>,
    /// The value that the variable had before.
    pub before: Option<String>,
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
    /// The work that was counted. The time that it took is not in any answer: it would never be the same twice.
    pub work: Duration,
    pub solver_queries: u64,
    /// Whether techniques were chosen, and so all that they say is wanted.
    pub chosen: bool,
    /// What was left out for lack of time or by limits, in words.
    pub notes: Vec<String>,
    /// What a C program was run with.
    pub given: Option<Given>,
    /// The tests, if there is a suite.
    pub suite: Option<SuiteReport>,
    /// With which exit status the run ends.
    pub status: u8,
}

/// What a program was run with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Without the name of the program.
    pub arguments: Vec<String>,
    /// The beginning of the standard input, if there is one.
    pub stdin: Option<String>,
    /// How long it is.
    pub stdin_bytes: usize,
}
