//! From claims about steps to sentences about statements.

use failure::Failure;
use localize::relevance::{Proof, Role, StepRelevance, Verdict};
use localize::repair_value::OneValue;
use localize::{Diagnosis, RelevanceDiagnosis, StatementRelevance};
use program::{Language, Trust};

use crate::baselines::{slice_report, spectrum_report};
use crate::causes::cause_tree;
use crate::corrections::corrections_report;
use crate::history::function;
use crate::inputs::inputs;
use crate::invariants::invariants_report;
use crate::places::{location, place_text, statement_text, step_location, value_text, wording};
use crate::report::{
    FailureReport, Happened, RelevanceReport, Report, RunFacts, StatementReport, StepReport,
    Suspect, WitnessReport,
};
use crate::sentences::{Evidence, before, why, witness_sentence};
use crate::story::Story;

/// Cooks the diagnosis of failures of one program. There is at least one failure.
pub fn cook(failures: &[Failure<'_>], diagnosis: &Diagnosis, facts: RunFacts) -> Option<Report> {
    let stories: Vec<Story<'_>> = failures.iter().map(Story::of).collect();
    let first = stories.first()?;
    let relevance = diagnosis.relevance.as_ref();
    let program = first.failure.program;
    Some(Report {
        failure: failure_report(first, failures.len()),
        suspects: relevance.map_or_else(Vec::new, |r| suspects(&stories, r)),
        relevance: relevance.map(|r| relevance_report(&stories, first, r)),
        cascade: diagnosis.cascade.as_ref().map(|cascade| cause_tree(first, cascade)),
        error_invariants: diagnosis
            .error_invariants
            .as_ref()
            .map(|found| invariants_report(first, found.as_ref())),
        corrections: diagnosis
            .corrections
            .as_ref()
            .map(|found| corrections_report(&stories, first, found, &facts)),
        slice: diagnosis.slice.as_ref().map(|slices| slice_report(program, slices)),
        spectrum: diagnosis.spectrum.as_ref().map(|found| spectrum_report(program, found)),
        gaps: program.gaps.iter().map(|gap| gap.message.clone()).collect(),
        refuted: diagnosis.refuted.clone(),
        facts,
    })
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
        steps: story.history.seen,
        traces,
        inputs: inputs(story),
    }
}

/// The relevant statements, best first: by score, then the nearest to the failure.
fn suspects(stories: &[Story<'_>], relevance: &RelevanceDiagnosis) -> Vec<Suspect> {
    let mut ranked = Vec::new();
    for statement in &relevance.statements {
        let Some(evidence) = Evidence::of(stories, relevance, statement) else { continue };
        let (story, step) = (evidence.story, evidence.step());
        let suspect = Suspect {
            rank: 0,
            location: step_location(story, step),
            statement: statement_text(story, step),
            wording: wording(story.failure.program, step),
            role: evidence.role,
            score: score(statement, evidence.role, stories.len()),
            why: why(statement, &evidence, stories.len()),
            executions: evidence.executions,
            techniques: vec!["relevance"],
        };
        ranked.push((story.failure.trace.steps.len() - evidence.at, suspect));
    }
    ranked.sort_by(|(a_distance, a), (b_distance, b)| {
        b.score.total_cmp(&a.score).then(a_distance.cmp(b_distance))
    });
    let suspects = ranked.into_iter().map(|(_, suspect)| suspect);
    suspects.enumerate().map(|(i, suspect)| Suspect { rank: i + 1, ..suspect }).collect()
}

/// How strongly a statement is suspected (`docs/ranking.md`). A change of it that prevents all failures
/// comes before one that depends on the failure, and this before one that prevents some of them only:
///
/// - relevant in all traces: 1.0 if one value prevents all failures, 0.7 if no single value does, 0.8 if
///   that is not known;
/// - relevant in some traces: 0.6 times their share;
/// - times 0.95 if it only admits the failure. This never changes the order of the cases above.
fn score(statement: &StatementRelevance, role: Role, traces: usize) -> f64 {
    let share = statement.relevant_in.len() as f64 / traces as f64;
    let reach = match &statement.one_value {
        _ if statement.relevant_in.len() < traces => 0.6 * share,
        None | Some(OneValue::Repairs(_)) => 1.0,
        Some(OneValue::Unknown(_)) => 0.8,
        Some(OneValue::Impossible) => 0.7,
    };
    let score = match role {
        Role::Enforcing => reach,
        Role::Admitting => 0.95 * reach,
    };
    (score * 1000.0).round() / 1000.0
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
