//! From claims about steps to sentences about statements.

use failure::Failure;
use localize::rank::rank;
use localize::relevance::{Proof, StepRelevance, Verdict};
use localize::repair_value::OneValue;
use localize::{Diagnosis, RelevanceDiagnosis, StatementRelevance};
use program::process::Access;
use program::{Language, Memory, Statement, Trust};

use crate::baselines::{slice_report, spectrum_report};
use crate::causes::cause_tree;
use crate::changes::changes_report;
use crate::history::function;
use crate::inputs::inputs;
use crate::invariants::invariants_report;
use crate::places::{location, place_text, statement_text, step_location, value_text};
use crate::repair::repair_report;
use crate::report::{
    FailureReport, Happened, RelevanceReport, Report, RunFacts, StatementReport, StepReport,
    WitnessReport,
};
use crate::sentences::{before, witness_sentence};
use crate::story::Story;
use crate::suspects::{Sources, suspects};

/// Cooks the diagnosis of failures of one program. There is at least one failure.
pub fn cook(failures: &[Failure<'_>], diagnosis: &Diagnosis, facts: RunFacts) -> Option<Report> {
    let stories: Vec<Story<'_>> = failures.iter().map(Story::of).collect();
    let first = stories.first()?;
    let relevance = diagnosis.relevance.as_ref();
    let program = first.failure.program;
    let tree = diagnosis.cascade.as_ref().map(|cascade| cause_tree(first, cascade));
    let invariants =
        diagnosis.error_invariants.as_ref().map(|found| invariants_report(first, found.as_ref()));
    let mut sources = Sources {
        stories: &stories,
        diagnosis,
        tree: tree.as_ref(),
        invariants: invariants.as_ref(),
        solutions: Vec::new(),
    };
    let ranking = rank(failures, diagnosis);
    sources.solutions = ranking.solutions.iter().map(|it| it.number).collect();
    Some(Report {
        failure: failure_report(first, failures.len()),
        suspects: suspects(&ranking.suspects, &sources),
        relevance: relevance.map(|r| relevance_report(&stories, first, r)),
        cascade: tree,
        error_invariants: invariants,
        changes: diagnosis.changes.as_ref().map(|found| changes_report(&stories, found)),
        repair: diagnosis
            .repair
            .as_ref()
            .map(|found| repair_report(program, found, &ranking.solutions)),
        slice: diagnosis.slice.as_ref().map(|slices| slice_report(program, slices)),
        spectrum: diagnosis.spectrum.as_ref().map(|found| spectrum_report(program, found)),
        gaps: program.gaps.iter().map(|gap| gap.message.clone()).collect(),
        refuted: diagnosis.refuted.clone(),
        facts,
    })
}

/// What happened in each of several failures.
pub fn failure_reports(failures: &[Failure<'_>]) -> Vec<FailureReport> {
    failures.iter().map(|failure| failure_report(&Story::of(failure), 1)).collect()
}

fn failure_report(story: &Story<'_>, traces: usize) -> FailureReport {
    let failure = story.failure;
    let program = failure.program;
    let property = &failure.property;
    let site = program.site(failure.site());
    // What fails in a library is the fault of whoever called it.
    let own = [site].into_iter().chain(failure.calls.iter().map(|&call| program.site(call)));
    let shown = own.clone().find(|site| site.trust == Trust::User && site.span.is_some());
    let span = shown.or(Some(site)).and_then(|site| site.span);
    FailureReport {
        kind: property.kind.name().to_owned(),
        message: property.message.clone(),
        location: span.map(|span| location(program, span)),
        access: access(failure),
        steps: story.history.seen,
        traces,
        inputs: inputs(story),
    }
}

/// What the last step does to memory. Copying does both.
fn access(failure: &Failure<'_>) -> Option<Access> {
    let at = failure.trace.steps.last()?.at;
    let edge = failure.trace.path.get(at as usize)?;
    match &failure.program.edge(*edge).statement {
        Statement::Memory(Memory::Load { .. }) => Some(Access::Read),
        Statement::Memory(Memory::Store { .. } | Memory::Fill { .. }) => Some(Access::Write),
        _ => None,
    }
}

fn relevance_report(
    stories: &[Story<'_>],
    story: &Story<'_>,
    relevance: &RelevanceDiagnosis,
) -> RelevanceReport {
    let asked = relevance.traces.first().map_or(&[][..], |trace| &trace.steps);
    let statements = relevance.statements.iter();
    let steps = &story.failure.trace.steps;
    let assigning = steps.iter().filter(|step| step.is_assignment()).count();
    RelevanceReport {
        complete: relevance.traces.iter().all(|trace| trace.is_complete()),
        steps: asked.iter().map(|step| step_report(story, step)).collect(),
        trusted: assigning - asked.len().min(assigning),
        statements: statements.filter_map(|s| statement_report(stories, s)).collect(),
    }
}

fn step_report(story: &Story<'_>, asked: &StepRelevance) -> StepReport {
    let failure = story.failure;
    let step = &failure.trace.steps[asked.step];
    let mut report = StepReport {
        step: story.history.number(asked.step),
        location: step_location(story, step),
        statement: statement_text(story, step),
        verdict: "unknown",
        role: None,
        witness: None,
        reason: String::new(),
        happened: happened(story, asked.step),
    };
    match &asked.verdict {
        Verdict::Relevant { role, witness } => {
            report.verdict = "relevant";
            report.role = Some(*role);
            report.reason = witness_sentence(story, asked.step, *role, witness, "this failure");
            report.witness = Some(WitnessReport {
                value: value_text(story, step, &witness.value).to_string(),
                on_failing_run: witness.execution.is_none(),
            });
        }
        Verdict::Irrelevant(proof) => {
            report.verdict = "irrelevant";
            report.reason = match proof {
                Proof::NoInfluence => "no later condition depends on it",
                Proof::AlwaysHolds => "the failure happens whatever value is assigned",
            }
            .to_owned();
        }
        Verdict::Unknown(reason) => report.reason = reason.clone(),
    }
    report
}

fn happened(story: &Story<'_>, at: usize) -> Option<Happened> {
    let failure = story.failure;
    if failure.program.language == Language::Boogie {
        return None;
    }
    let step = failure.trace.steps.get(at)?;
    let (function, depth) = function(failure, step);
    let shown = |value| value_text(story, step, value).to_string();
    Some(Happened {
        function: function.map(str::to_owned),
        depth,
        execution: story.history.execution(at),
        variable: Some(place_text(story, step)).filter(|name| !name.is_empty()),
        value: failure.values.get(at).and_then(Option::as_ref).map(shown),
        before: before(story, at).map(shown),
    })
}

fn statement_report(
    stories: &[Story<'_>],
    statement: &StatementRelevance,
) -> Option<StatementReport> {
    let story = stories.get(*statement.relevant_in.first()?)?;
    let mut steps = story.failure.trace.steps.iter();
    let step = steps.find(|s| (s.site, s.part) == (statement.site, statement.part))?;
    Some(StatementReport {
        location: step_location(story, step),
        statement: statement_text(story, step),
        relevant_in: statement.relevant_in.iter().map(|t| t + 1).collect(),
        in_all: statement.relevant_in.len() == stories.len(),
        one_value: statement.one_value.as_ref().map(|answer| match answer {
            OneValue::Repairs(value) => Ok(value_text(story, step, value).to_string()),
            OneValue::Impossible => Err("no single value repairs all traces".to_owned()),
            OneValue::Unknown(reason) => Err(format!("unknown: {reason}")),
        }),
    })
}
