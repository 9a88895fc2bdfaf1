//! Sentences of evidence: what a step did in the failing run, and what another value would have done.

use failure::{After, Part, Step};
use localize::relevance::{Role, StepRelevance, Verdict, Witness};
use localize::repair_value::OneValue;
use localize::{RelevanceDiagnosis, StatementRelevance};
use program::Language;
use term::Value;

use crate::expressions::declares;
use crate::places::{change_text, place_text, returns, site_location, value_text};
use crate::report::Executions;
use crate::story::Story;

/// The last relevant instance of a statement in the first trace where it has one.
pub struct Evidence<'a> {
    pub story: &'a Story<'a>,
    pub trace: usize,
    pub at: usize,
    pub role: Role,
    pub witness: &'a Witness,
    /// How many instances are relevant in that trace; none for Boogie.
    pub executions: Option<Executions>,
}

impl<'a> Evidence<'a> {
    pub fn of(
        stories: &'a [Story<'a>],
        relevance: &'a RelevanceDiagnosis,
        statement: &StatementRelevance,
    ) -> Option<Evidence<'a>> {
        let first = statement.relevant_in.first().copied();
        let trace = statement.best().map(|it| it.trace).or(first)?;
        let (story, found) = (stories.get(trace)?, relevance.traces.get(trace)?);
        let mut last = None;
        let mut executions = Executions { relevant: 0, of: 0 };
        let mut counted = 0;
        for asked in &found.steps {
            let step = story.failure.trace.steps.get(asked.step)?;
            if (step.site, step.part) != (statement.site, statement.part) {
                continue;
            }
            let execution = story.history.execution(asked.step);
            executions.of = executions.of.max(execution);
            if let Verdict::Relevant { role, witness } = &asked.verdict {
                last = Some((asked.step, *role, witness));
                // One execution may have several steps, such as those of a list of values.
                if execution != counted {
                    (executions.relevant, counted) = (executions.relevant + 1, execution);
                }
            }
        }
        executions.relevant = executions.relevant.min(executions.of);
        let told = statement.best().filter(|it| it.trace == trace).map(|it| it.step);
        let told = told.and_then(|told| found.steps.iter().find(|asked| asked.step == told));
        if let Some(StepRelevance { step, verdict: Verdict::Relevant { role, witness } }) = told {
            last = Some((*step, *role, witness));
        }
        let (at, role, witness) = last?;
        let is_c = story.failure.program.language == Language::C;
        Some(Evidence { story, trace, at, role, witness, executions: is_c.then_some(executions) })
    }

    pub fn step(&self) -> &'a Step {
        &self.story.failure.trace.steps[self.at]
    }
}

/// Why a statement is suspected, in one sentence.
pub fn why(statement: &StatementRelevance, evidence: &Evidence<'_>, traces: usize) -> String {
    let this = match (traces, evidence.trace) {
        (1, _) => "this failure".to_owned(),
        (_, 0) => "the first failure".to_owned(),
        (_, n) => format!("failure {}", n + 1),
    };
    let Evidence { story, at, role, witness, .. } = evidence;
    let then = statement.best().filter(|it| (it.trace, it.step) == (evidence.trace, *at));
    let here = || {
        let sentence = witness_sentence(story, *at, *role, witness, &this);
        match then.map(|it| it.after) {
            Some(After::Passes) => {
                format!(
                    "{}, nothing fails",
                    with_change(story, evidence.step(), *role, &witness.value)
                )
            }
            Some(After::Fails { site, .. }) => {
                let line = site_location(story.failure.program, site).map(|at| at.start.line);
                match line {
                    Some(line) if site == story.failure.site() => {
                        format!("{sentence}, but another one does, at line {line}")
                    }
                    Some(line) => format!("{sentence}, but then line {line} fails"),
                    None => sentence,
                }
            }
            Some(After::Unknown) | None => sentence,
        }
    };
    let sentence = match &statement.one_value {
        Some(OneValue::Repairs(value)) => {
            let none = match traces {
                2 => "neither failure".to_owned(),
                n => format!("none of the {n} failures"),
            };
            let with = with_change(story, evidence.step(), *role, value);
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
    };
    match &evidence.executions {
        None => sentence,
        Some(executions) => {
            let what = what_happened(story, *at).map(|what| format!("{what}; "));
            let what = what.unwrap_or_default();
            match executions.of {
                0 | 1 => format!("{what}{sentence}"),
                of => format!(
                    "in its {} execution, {what}{sentence} (relevant in {} of {of} executions)",
                    ordinal(story.history.execution(*at)),
                    executions.relevant
                ),
            }
        }
    }
}

/// What a step did in the failing run.
pub fn what_happened(story: &Story<'_>, at: usize) -> Option<String> {
    let step = story.failure.trace.steps.get(at)?;
    let value = story.failure.values.get(at)?.as_ref()?;
    let now = value_text(story, step, value);
    let place = place_text(story, step);
    if returns(story, step) {
        return Some(format!("it returned {now}"));
    }
    if let Part::Argument(_) = step.part {
        return Some(match place.as_str() {
            "" => format!("it passed {now}"),
            place => format!("it passed {now} as `{place}`"),
        });
    }
    if place.is_empty() {
        return Some(format!("its value was {now}"));
    }
    Some(match before(story, at) {
        None => format!("it set `{place}` to {now}"),
        Some(old) if old == value => format!("it set `{place}` to {now}, as before"),
        Some(old) => {
            let old = value_text(story, step, old);
            format!("it changed `{place}` from {old} to {now}")
        }
    })
}

/// The value that a variable had before a step. A variable that is being declared had none.
pub fn before<'f>(story: &Story<'f>, at: usize) -> Option<&'f Value> {
    let failure = story.failure;
    let step = failure.trace.steps.get(at)?;
    let declared = match (step.part, failure.program.site(step.site).span) {
        (Part::Whole, Some(span)) => {
            let text = &failure.program.file(span).text;
            text.get(..span.start as usize).is_some_and(declares)
        }
        _ => true,
    };
    (!declared).then(|| story.history.before(failure, at)).flatten()
}

fn ordinal(number: u32) -> String {
    let end = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

/// What the other value of a witness does.
pub fn witness_sentence(
    story: &Story<'_>,
    at: usize,
    role: Role,
    witness: &Witness,
    what: &str,
) -> String {
    let step = &story.failure.trace.steps[at];
    match witness.execution {
        None => format!("{}, {what} cannot happen", with_change(story, step, role, &witness.value)),
        Some(_) => {
            let change = change_text(story, step, &witness.value);
            format!("for other inputs, {change} here prevents {what}")
        }
    }
}

/// The beginning of a sentence about what another value does.
fn with_change(story: &Story<'_>, step: &Step, role: Role, value: &Value) -> String {
    let change = change_text(story, step, value);
    match role {
        Role::Enforcing => format!("with {change} here"),
        Role::Admitting => format!("this may be any value; with {change}"),
    }
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn ordinals() {
        let all: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 113].map(ordinal).to_vec();
        let expected =
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th", "113th"];
        assert_eq!(all, expected);
    }
}
