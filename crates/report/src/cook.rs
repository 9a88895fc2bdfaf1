//! From claims about steps to sentences about statements.

use failure::{Action, Failure, Part, Step};
use localize::relevance::{Proof, Role, Verdict, Witness};
use localize::repair_value::OneValue;
use localize::{Diagnosis, RelevanceDiagnosis, StatementRelevance};
use program::{Place, Program, SiteId, Span, Trust};
use term::{Term, Value};

use crate::report::{
    FailureReport, Input, Location, RelevanceReport, Report, RunFacts, StatementReport, StepReport,
    Suspect, WitnessReport,
};

/// Cooks the diagnosis of failures of one program. There is at least one failure.
pub fn cook(failures: &[Failure<'_>], diagnosis: &Diagnosis, facts: RunFacts) -> Option<Report> {
    let first = failures.first()?;
    let relevance = diagnosis.relevance.as_ref();
    Some(Report {
        failure: failure_report(first, failures.len()),
        suspects: relevance.map_or_else(Vec::new, |r| suspects(failures, r)),
        relevance: relevance.map(|r| relevance_report(failures, first, r)),
        gaps: first.program.gaps.iter().map(|gap| gap.message.clone()).collect(),
        refuted: diagnosis.refuted.clone(),
        facts,
    })
}

fn failure_report(failure: &Failure<'_>, traces: usize) -> FailureReport {
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
        steps: failure.trace.steps.len(),
        traces,
        inputs: inputs(failure),
    }
}

fn inputs(failure: &Failure<'_>) -> Vec<Input> {
    let (program, trace) = (failure.program, &failure.trace);
    let mut initial: Vec<(&Term, &Value)> = failure.inputs.initial.iter().collect();
    initial.sort();
    let mut inputs: Vec<Input> = initial
        .into_iter()
        .map(|(variable, value)| {
            let open = trace.open.iter().find(|open| open.variable == *variable);
            Input {
                name: program.name(trace.origin(*variable).1).to_owned(),
                value: value.to_string(),
                location: open.and_then(|open| site_location(program, open.call)),
            }
        })
        .collect();
    let havocs = trace.steps.iter().zip(&failure.values);
    for (step, value) in havocs.filter(|(s, _)| matches!(s.action, Action::Havoc { .. })) {
        inputs.push(Input {
            name: step.action.place().map_or_else(String::new, |p| place_text(failure, p)),
            value: value.as_ref().map_or_else(String::new, Value::to_string),
            location: program.site(step.site).span.map(|span| location(program, span)),
        });
    }
    inputs
}

/// The relevant statements, best first: by score, then the nearest to the failure.
fn suspects(failures: &[Failure<'_>], relevance: &RelevanceDiagnosis) -> Vec<Suspect> {
    let mut ranked = Vec::new();
    for statement in &relevance.statements {
        let Some(&trace) = statement.relevant_in.first() else { continue };
        let failure = &failures[trace];
        let found = relevance.traces[trace].steps.iter().rev().find_map(|s| {
            let step = &failure.trace.steps[s.step];
            match &s.verdict {
                Verdict::Relevant { role, witness }
                    if (step.site, step.part) == (statement.site, statement.part) =>
                {
                    Some(Evidence { failure, trace, at: s.step, role: *role, witness })
                }
                _ => None,
            }
        });
        let Some(evidence) = found else { continue };
        let suspect = Suspect {
            rank: 0,
            location: site_location(failure.program, statement.site),
            statement: statement_text(failure, evidence.step()),
            role: evidence.role,
            score: score(statement, evidence.role, failures.len()),
            why: why(statement, &evidence, failures.len()),
            techniques: vec!["relevance"],
        };
        ranked.push((failure.trace.steps.len() - evidence.at, suspect));
    }
    ranked.sort_by(|(a_distance, a), (b_distance, b)| {
        b.score.total_cmp(&a.score).then(a_distance.cmp(b_distance))
    });
    let suspects = ranked.into_iter().map(|(_, suspect)| suspect);
    suspects.enumerate().map(|(i, suspect)| Suspect { rank: i + 1, ..suspect }).collect()
}

/// The last relevant instance of a statement in the first trace where it has one.
struct Evidence<'a> {
    failure: &'a Failure<'a>,
    trace: usize,
    at: usize,
    role: Role,
    witness: &'a Witness,
}

impl Evidence<'_> {
    fn step(&self) -> &Step {
        &self.failure.trace.steps[self.at]
    }
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

/// One sentence of evidence.
fn why(statement: &StatementRelevance, evidence: &Evidence<'_>, traces: usize) -> String {
    let this = match (traces, evidence.trace) {
        (1, _) => "this failure".to_owned(),
        (_, 0) => "the first failure".to_owned(),
        (_, n) => format!("failure {}", n + 1),
    };
    let here =
        || witness_sentence(evidence.failure, evidence.at, evidence.role, evidence.witness, &this);
    match &statement.one_value {
        Some(OneValue::Repairs(value)) => {
            let none = match traces {
                2 => "neither failure".to_owned(),
                n => format!("none of the {n} failures"),
            };
            let with = with_change(evidence.failure, evidence.step(), evidence.role, value);
            format!("{with}, {none} can happen")
        }
        Some(OneValue::Impossible) if traces == 2 => {
            format!("{}, but no single value prevents both failures", here())
        }
        Some(OneValue::Impossible) => {
            format!("{}, but no single value prevents all {traces} failures", here())
        }
        _ if statement.relevant_in.len() < traces => {
            format!("{} ({} of {traces} failures)", here(), statement.relevant_in.len())
        }
        _ => here(),
    }
}

fn relevance_report(
    failures: &[Failure<'_>],
    failure: &Failure<'_>,
    relevance: &RelevanceDiagnosis,
) -> RelevanceReport {
    let steps = relevance.traces.first().map_or(&[][..], |trace| &trace.steps);
    let steps = steps
        .iter()
        .map(|s| {
            let step = &failure.trace.steps[s.step];
            let mut report = StepReport {
                step: s.step + 1,
                location: site_location(failure.program, step.site),
                statement: statement_text(failure, step),
                verdict: "unknown",
                role: None,
                witness: None,
                reason: String::new(),
            };
            match &s.verdict {
                Verdict::Relevant { role, witness } => {
                    report.verdict = "relevant";
                    report.role = Some(*role);
                    report.reason =
                        witness_sentence(failure, s.step, *role, witness, "this failure");
                    report.witness = Some(WitnessReport {
                        value: witness.value.to_string(),
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
        })
        .collect();
    let statements = relevance
        .statements
        .iter()
        .filter_map(|statement| {
            let failure = &failures[*statement.relevant_in.first()?];
            let mut steps = failure.trace.steps.iter();
            let step = steps.find(|s| (s.site, s.part) == (statement.site, statement.part))?;
            Some(StatementReport {
                location: site_location(failure.program, statement.site),
                statement: statement_text(failure, step),
                relevant_in: statement.relevant_in.iter().map(|t| t + 1).collect(),
                in_all: statement.relevant_in.len() == failures.len(),
                one_value: statement.one_value.as_ref().map(|answer| match answer {
                    OneValue::Repairs(value) => Ok(value.to_string()),
                    OneValue::Impossible => Err("no single value repairs all traces".to_owned()),
                    OneValue::Unknown(reason) => Err(format!("unknown: {reason}")),
                }),
            })
        })
        .collect();
    let complete = relevance.traces.iter().all(|trace| trace.is_complete());
    let assigning = failure.trace.steps.iter().filter(|s| s.action.place().is_some()).count();
    let asked = relevance.traces.first().map_or(0, |trace| trace.steps.len());
    RelevanceReport { complete, steps, trusted: assigning - asked.min(assigning), statements }
}

fn witness_sentence(
    failure: &Failure<'_>,
    at: usize,
    role: Role,
    witness: &Witness,
    what: &str,
) -> String {
    let step = &failure.trace.steps[at];
    match witness.execution {
        None => {
            format!("{}, {what} cannot happen", with_change(failure, step, role, &witness.value))
        }
        Some(_) => {
            let change = change_text(failure, step, &witness.value);
            format!("for other inputs, {change} here prevents {what}")
        }
    }
}

/// The beginning of a sentence about what another value does.
fn with_change(failure: &Failure<'_>, step: &Step, role: Role, value: &Value) -> String {
    let change = change_text(failure, step, value);
    match role {
        Role::Enforcing => format!("with {change} here"),
        Role::Admitting => format!("this may be any value; with {change}"),
    }
}

/// The changed assignment, quoted.
fn change_text(failure: &Failure<'_>, step: &Step, value: &Value) -> String {
    let place = step.action.place().map_or_else(String::new, |p| place_text(failure, p));
    format!("`{place} {} {value}`", failure.program.language.assignment())
}

/// The statement as the user knows it; for parts of a call, which part.
fn statement_text(failure: &Failure<'_>, step: &Step) -> String {
    let text = &failure.program.site(step.site).text;
    let name = || step.action.place().map_or_else(String::new, |p| place_text(failure, p));
    match step.part {
        Part::Whole | Part::Temporary | Part::Input => text.clone(),
        Part::Argument(_) => format!("{text} (argument `{}`)", name()),
        Part::Result(_) => format!("{text} (result `{}`)", name()),
    }
}

/// The place in source syntax, indices by their values where those are known.
fn place_text(failure: &Failure<'_>, place: &Place) -> String {
    let program = failure.program;
    let mut text = program.name(failure.trace.origin(place.variable).1).to_owned();
    for &index in &place.indices {
        let terms = &failure.trace.terms;
        let index = match terms.value(index) {
            Some(value) => value.to_string(),
            None if terms.is_var(index) => program.name(failure.trace.origin(index).1).to_owned(),
            None => "…".to_owned(),
        };
        text += &format!("[{index}]");
    }
    text
}

fn site_location(program: &Program, site: SiteId) -> Option<Location> {
    program.site(site).span.map(|span| location(program, span))
}

fn location(program: &Program, span: Span) -> Location {
    let file = program.file(span);
    Location {
        file: file.name.clone(),
        start: file.position(span.start),
        end: file.position(span.end),
        span,
    }
}
