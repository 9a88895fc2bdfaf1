//! What a failing run got from outside: initial values and havocs of a Boogie program; what a C program asked for.

use failure::{Action, Part, Step};
use program::{Language, Statement};
use term::{Term, Value};

use crate::places::{location, place_text, site_location, value_text};
use crate::report::{Given, Input};
use crate::story::Story;
use crate::values::{quoted, show, type_by_name};

/// How much of a standard input is kept for the report.
const MOST_BYTES: usize = 4096;

impl Given {
    /// What a program was run with: its arguments, without its name, and its standard input.
    pub fn new(arguments: &[Vec<u8>], stdin: Option<&[u8]>) -> Given {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Given {
            arguments: arguments.iter().map(|argument| text(argument)).collect(),
            stdin: stdin.map(|bytes| text(bytes.get(..MOST_BYTES).unwrap_or(bytes))),
            stdin_bytes: stdin.map_or(0, <[u8]>::len),
        }
    }

    /// In words: `arguments 6 5 4`, `standard input "1 2\n"`.
    pub fn sentences(&self) -> Vec<String> {
        let mut found = Vec::new();
        match self.arguments.as_slice() {
            [] => {}
            [only] => found.push(format!("argument {}", word(only))),
            several => {
                let words: Vec<String> = several.iter().map(|argument| word(argument)).collect();
                found.push(format!("arguments {}", words.join(" ")));
            }
        }
        match &self.stdin {
            Some(text) if text.is_empty() => found.push("an empty standard input".to_owned()),
            Some(text) => found.push(format!("standard input {}", quoted(text.as_bytes(), 40))),
            None => {}
        }
        found
    }
}

/// An argument as one would type it.
fn word(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=+,@%^".contains(c);
    match !argument.is_empty() && argument.chars().all(plain) {
        true => argument.to_owned(),
        false => quoted(argument.as_bytes(), 40),
    }
}

/// The values that the program did not compute, in order.
pub fn inputs(story: &Story<'_>) -> Vec<Input> {
    match story.failure.program.language {
        Language::Boogie => nondeterministic(story),
        Language::C => asked(story),
    }
}

fn nondeterministic(story: &Story<'_>) -> Vec<Input> {
    let failure = story.failure;
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
            name: place_text(story, step),
            value: value.as_ref().map_or_else(String::new, Value::to_string),
            location: program.site(step.site).span.map(|span| location(program, span)),
        });
    }
    inputs
}

/// The values that a C program got from functions for nondeterministic values.
fn asked(story: &Story<'_>) -> Vec<Input> {
    let failure = story.failure;
    let mut inputs = Vec::new();
    for (at, step) in failure.trace.steps.iter().enumerate() {
        let given = step.part == Part::Input || matches!(step.action, Action::Havoc { .. });
        if !given {
            continue;
        }
        let (Some(function), Some(Some(value))) = (asking(story, step), failure.values.get(at))
        else {
            continue;
        };
        let (name, value) = match receiver(story, at) {
            Some(receiver) => {
                (place_text(story, receiver), value_text(story, receiver, value).to_string())
            }
            None => {
                let ty = type_by_name(failure.program, function);
                (format!("{function}()"), show(&story.addresses, value, ty).to_string())
            }
        };
        let location = site_location(failure.program, step.site);
        inputs.push(Input { name, value, location });
    }
    inputs
}

/// The function that a value was asked of, if it was.
fn asking<'f>(story: &Story<'f>, step: &Step) -> Option<&'f str> {
    let program = story.failure.program;
    let edge = *story.failure.trace.path.get(step.at as usize)?;
    let Statement::External { function, .. } = &program.edge(edge).statement else { return None };
    let name = program.externals.get(function.index())?.name.as_str();
    (name.starts_with("__VERIFIER_nondet_") || name.starts_with("klee_")).then_some(name)
}

/// The step that gives the value of a step a name: itself, or one soon after that assigns it as it is.
fn receiver<'f>(story: &Story<'f>, at: usize) -> Option<&'f Step> {
    const NEAR: usize = 8;
    let trace = &story.failure.trace;
    let step = trace.steps.get(at)?;
    let variable = step.action.place()?.variable;
    let has_name = |step: &Step| {
        let Some(place) = step.action.place() else { return false };
        let declared = story.failure.program.variables.get(&trace.origin(place.variable).1);
        trace.labels.contains_key(&place.variable)
            || declared.is_some_and(|v| v.role == program::VariableRole::Source)
    };
    if has_name(step) {
        return Some(step);
    }
    let later = trace.steps.iter().skip(at + 1).take(NEAR);
    later.into_iter().find(|step| match &step.action {
        Action::Assign { value, .. } => *value == variable && has_name(step),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_was_run_with() {
        let words = |arguments: &[&str], stdin: Option<&str>| {
            let arguments: Vec<Vec<u8>> = arguments.iter().map(|a| a.as_bytes().to_vec()).collect();
            Given::new(&arguments, stdin.map(str::as_bytes)).sentences().join(", ")
        };
        assert_eq!(words(&[], None), "");
        assert_eq!(words(&["6", "-5", "a b", ""], None), "arguments 6 -5 \"a b\" \"\"");
        assert_eq!(words(&["x.txt"], Some("")), "argument x.txt, an empty standard input");
        assert_eq!(words(&[], Some("1 2\n\"3\"")), "standard input \"1 2\\n\\\"3\\\"\"");
        let long = "ä".repeat(9_000);
        let given = Given::new(&[], Some(long.as_bytes()));
        assert_eq!(given.stdin_bytes, 18_000);
        assert_eq!(given.sentences(), [format!("standard input \"{}…\"", "ä".repeat(40))]);
    }
}
