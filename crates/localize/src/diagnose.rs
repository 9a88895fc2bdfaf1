//! From failures to a diagnosis: the techniques, each with the judge behind it.

use failure::{After, Failure, Part};
use program::{Lack, SiteId, Stop};
use term::Value;

use crate::aftermath::{Aftermath, find_aftermaths};
use crate::cascade::{Cascade, cascade};
use crate::changes::{Changes, changes};
use crate::check::{self, Judgement};
use crate::context::Context;
use crate::error_invariants::{ErrorInvariants, error_invariants};
use crate::relevance::{Relevance, Verdict, relevance};
use crate::repair;
use crate::repair_value::{OneValue, one_value};
use crate::slice::{Slices, slices};
use crate::spectrum::{Spectrum, spectrum};

/// A technique, as the command line, the documentation and the evaluation see it.
#[derive(Clone, Copy, Debug)]
pub struct Localizer {
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The page that explains it, in Markdown.
    pub page: &'static str,
    pub when: When,
    /// Adds what it claims to the diagnosis.
    run: fn(&[Failure<'_>], Context<'_>, &mut Diagnosis),
}

/// When a technique can run. Unless some are chosen, all do that can: together they tell more than each alone ([`crate::rank`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Always,
    /// If there is a suite of tests.
    WithTests,
}

/// All techniques, in the order in which they run: the cheapest first.
pub const LOCALIZERS: &[Localizer] = &[
    Localizer {
        name: "slice",
        summary: "statements that the failure depends on, by data and by decisions",
        page: include_str!("../../../docs/techniques/slice.md"),
        when: When::Always,
        run: |failures, _, diagnosis| diagnosis.slice = failures.first().map(slices),
    },
    Localizer {
        name: "spectrum",
        summary: "statements that failing tests execute, and passing ones do not",
        page: include_str!("../../../docs/techniques/spectrum.md"),
        when: When::WithTests,
        run: |failures, context, diagnosis| {
            let program = failures.first().map(|failure| failure.program);
            let runs = &context.settings.spectrum;
            diagnosis.spectrum = program.and_then(|program| spectrum(program, runs));
        },
    },
    Localizer {
        name: "relevance",
        summary: "assignments whose value, if it were another, would prevent the failure",
        page: include_str!("../../../docs/techniques/relevance.md"),
        when: When::Always,
        run: |failures, context, diagnosis| {
            let (relevance, mut refuted) = diagnose_relevance(failures, context);
            diagnosis.relevance = Some(relevance);
            diagnosis.refuted.append(&mut refuted);
        },
    },
    Localizer {
        name: "cascade",
        summary: "the tree of causes: where wrong values came from, and why that code was run",
        page: include_str!("../../../docs/techniques/cascade.md"),
        when: When::Always,
        run: |failures, context, diagnosis| {
            if let Some(failure) = failures.first() {
                let (tree, mut refuted) = diagnose_cascade(failure, context);
                diagnosis.cascade = Some(tree);
                diagnosis.refuted.append(&mut refuted);
            }
        },
    },
    Localizer {
        name: "changes",
        summary: "values and decisions that make the failing tests pass if they are forced in a run",
        page: include_str!("../../../docs/techniques/changes.md"),
        when: When::Always,
        run: |failures, context, diagnosis| {
            let (found, mut refuted) =
                diagnose_changes(failures, diagnosis.relevance.as_ref(), context);
            diagnosis.changes = Some(found);
            diagnosis.refuted.append(&mut refuted);
        },
    },
    Localizer {
        name: "repair",
        summary: "edits of the source with which the tests pass, compiled and run as they are",
        page: include_str!("../../../docs/techniques/repair.md"),
        when: When::Always,
        run: |failures, context, diagnosis| {
            diagnosis.repair = repair::find(failures, context);
        },
    },
    Localizer {
        name: "error-invariants",
        summary: "what must stay true for the failure to happen, and the statements that make it true",
        page: include_str!("../../../docs/techniques/error-invariants.md"),
        when: When::Always,
        run: |failures, context, diagnosis| {
            let Some(failure) = failures.first() else { return };
            let found = diagnose_invariants(failure, context, &mut diagnosis.refuted);
            diagnosis.error_invariants = Some(found);
        },
    },
];

/// What the techniques claim, all of it confirmed by the judge.
#[derive(Clone, Debug, Default)]
pub struct Diagnosis {
    pub relevance: Option<RelevanceDiagnosis>,
    /// Of the first failure.
    pub cascade: Option<Cascade>,
    /// Of the first failure; or why there are none.
    pub error_invariants: Option<Result<ErrorInvariants, String>>,
    /// Of all failures.
    pub changes: Option<Changes>,
    /// Of all failures; None if there is no source that can be edited.
    pub repair: Option<::repair::claims::Repair>,
    /// Of the first failure.
    pub slice: Option<Slices>,
    pub spectrum: Option<Spectrum>,
    /// The techniques that had to stop before they were done, and for want of what.
    pub cut: Vec<(&'static str, Lack)>,
    /// Claims that the judge refuted: bugs in whydunit.
    pub refuted: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct RelevanceDiagnosis {
    /// One for each failure.
    pub traces: Vec<Relevance>,
    /// The statements that are relevant in some trace, in the order of the program.
    pub statements: Vec<StatementRelevance>,
}

/// The relevance of a part of a statement in all traces.
#[derive(Clone, Debug)]
pub struct StatementRelevance {
    pub site: SiteId,
    pub part: Part,
    /// In which traces some instance of it is relevant.
    pub relevant_in: Vec<usize>,
    /// Whether one constant repairs all traces; asked only if it is relevant in all of several.
    pub one_value: Option<OneValue>,
    /// What comes of the other value, for each trace for which that is known.
    pub after: Vec<Aftermath>,
}

impl StatementRelevance {
    /// What is best to tell of it: with which value nothing fails, or else the first that is known.
    pub fn best(&self) -> Option<&Aftermath> {
        let passes = self.after.iter().find(|it| it.after == After::Passes);
        passes.or_else(|| self.after.first())
    }
}

/// Runs the techniques with these names. After each but the last, `partly` sees what is known so far. `share` gives each
/// what stops it, if it is to leave some time for so many others.
pub fn diagnose(
    failures: &[Failure<'_>],
    techniques: &[&str],
    context: Context<'_>,
    share: &dyn Fn(usize) -> Stop,
    partly: &mut dyn FnMut(&Diagnosis),
) -> Diagnosis {
    let mut diagnosis = Diagnosis::default();
    let chosen = LOCALIZERS.iter().filter(|localizer| techniques.contains(&localizer.name));
    let chosen: Vec<&Localizer> = chosen.collect();
    for (number, localizer) in chosen.iter().enumerate() {
        if number > 0 {
            partly(&diagnosis);
        }
        let stop = share(chosen.len() - number - 1);
        let context = Context { stop: &stop, ..context };
        (localizer.run)(failures, context, &mut diagnosis);
        diagnosis.cut.extend(stop.lacks().map(|lack| (localizer.name, lack)));
    }
    diagnosis
}

fn diagnose_invariants(
    failure: &Failure<'_>,
    context: Context<'_>,
    refuted: &mut Vec<String>,
) -> Result<ErrorInvariants, String> {
    let encoding = context.settings.error_invariants.encoding;
    let found = error_invariants(failure, encoding, context)?;
    match check::check_error_invariants(failure, &found, context) {
        Judgement::Confirmed => Ok(found),
        Judgement::Open(why) => Err(format!("the answer could not be checked: {why}")),
        Judgement::Refuted(why) => {
            refuted.push(format!("error invariants: {why}"));
            Err(format!("the answer did not pass its check: {why}"))
        }
    }
}

/// The relevance of statements, and the claims that were refuted.
fn diagnose_relevance(
    failures: &[Failure<'_>],
    context: Context<'_>,
) -> (RelevanceDiagnosis, Vec<String>) {
    let mut refuted = Vec::new();
    let mut traces = Vec::new();
    for failure in failures {
        let found = relevance(failure, context);
        let judgements = check::check_relevance(failure, &found, context);
        for (step, judgement) in found.steps.iter().zip(&judgements) {
            if let Judgement::Refuted(why) = judgement {
                let text = &failure.program.site(failure.trace.steps[step.step].site).text;
                refuted.push(format!("relevance of `{text}` (step {}): {why}", step.step));
            }
        }
        traces.push(check::keep_confirmed(found, &judgements));
    }
    let mut statements: Vec<StatementRelevance> = Vec::new();
    for (number, (failure, trace)) in failures.iter().zip(&traces).enumerate() {
        for step in &trace.steps {
            if !matches!(step.verdict, Verdict::Relevant { .. }) {
                continue;
            }
            let of = &failure.trace.steps[step.step];
            let known = statements.iter_mut().find(|s| (s.site, s.part) == (of.site, of.part));
            match known {
                Some(statement) if statement.relevant_in.last() != Some(&number) => {
                    statement.relevant_in.push(number);
                }
                Some(_) => {}
                None => statements.push(StatementRelevance {
                    site: of.site,
                    part: of.part,
                    relevant_in: vec![number],
                    one_value: None,
                    after: Vec::new(),
                }),
            }
        }
    }
    statements.sort_by_key(|s| (s.site, s.part));
    find_aftermaths(failures, &traces, &mut statements, context);
    if failures.len() > 1 {
        for statement in &mut statements {
            if statement.relevant_in.len() == failures.len() {
                let (site, part) = (statement.site, statement.part);
                let witnesses = witnesses(failures, &traces, site, part);
                let mut answer = one_value(failures, site, part, &witnesses, context);
                if let OneValue::Repairs(value) = &answer {
                    match check::check_one_value(failures, site, part, value, context) {
                        Judgement::Confirmed => {}
                        Judgement::Open(why) => answer = OneValue::Unknown(why),
                        Judgement::Refuted(why) => {
                            let text = &failures[0].program.site(site).text;
                            refuted.push(format!("one value {value} for `{text}`: {why}"));
                            answer = OneValue::Unknown(why);
                        }
                    }
                }
                statement.one_value = Some(answer);
            }
        }
    }
    (RelevanceDiagnosis { traces, statements }, refuted)
}

/// The changes, and those that were refuted. Who asks for them alone gets them with the same values.
fn diagnose_changes(
    failures: &[Failure<'_>],
    relevance: Option<&RelevanceDiagnosis>,
    context: Context<'_>,
) -> (Changes, Vec<String>) {
    let own = match relevance {
        Some(_) => None,
        None => Some(diagnose_relevance(failures, context).0),
    };
    let traces = relevance.or(own.as_ref()).map_or(&[][..], |relevance| &relevance.traces);
    let (mut found, mut refuted) = (changes(failures, traces, context), Vec::new());
    found.found.retain(|change| match check::check_change(failures, change) {
        Judgement::Confirmed => true,
        Judgement::Open(_) => false,
        Judgement::Refuted(why) => {
            let text = failures.first().map(|failure| &failure.program.site(change.site).text);
            refuted.push(format!("a change of `{}`: {why}", text.map_or("", String::as_str)));
            false
        }
    });
    (found, refuted)
}

/// The tree, and the claims in it that were refuted.
fn diagnose_cascade(failure: &Failure<'_>, context: Context<'_>) -> (Cascade, Vec<String>) {
    let mut tree = cascade(failure, context);
    let judgements = check::check_cascade(failure, &tree, context);
    let mut refuted = Vec::new();
    for (cause, judgement) in tree.causes.iter().zip(&judgements) {
        if let Judgement::Refuted(why) = judgement {
            refuted.push(format!("cause of {:?}: {why}", cause.condition));
        }
    }
    check::keep_confirmed_causes(&mut tree, &judgements);
    check::confirm_influences(failure, &mut tree, context);
    (tree, refuted)
}

fn witnesses(
    failures: &[Failure<'_>],
    traces: &[Relevance],
    site: SiteId,
    part: Part,
) -> Vec<Value> {
    let mut values = Vec::new();
    for (failure, trace) in failures.iter().zip(traces) {
        for step in &trace.steps {
            let of = &failure.trace.steps[step.step];
            if (of.site, of.part) == (site, part)
                && let Verdict::Relevant { witness, .. } = &step.verdict
                && !values.contains(&witness.value)
            {
                values.push(witness.value.clone());
            }
        }
    }
    values.truncate(64);
    values
}
