//! What tells solutions apart, in words: an input, and what each of them does with it.

use localize::rank::Ordered;
use repair::claims::{Apart, Ending, Outcome};
use repair::neighbours::number_of;
use repair::runs::Input;

use crate::values::quoted;

/// An input with which solutions behave differently.
#[derive(Clone, Debug)]
pub struct ApartReport {
    /// Of a C program: its arguments, without its name, its standard input, and the values that it asked for.
    pub arguments: Vec<String>,
    pub stdin: Option<String>,
    pub values: Vec<String>,
    /// The input in a few words.
    pub with: String,
    pub outcomes: Vec<OutcomeReport>,
    /// One sentence, and the question which outcome is right.
    pub says: String,
}

/// What some solutions do with it.
#[derive(Clone, Debug)]
pub struct OutcomeReport {
    /// Their ranks.
    pub fixes: Vec<usize>,
    pub ending: Ending,
    pub output: String,
    /// In words that follow the name of who does it: `prints 3`.
    pub does: String,
}

pub fn apart_report(apart: &Apart, order: &[Ordered]) -> ApartReport {
    // A solution that is not in the order is not shown.
    let ranks = |solutions: &[usize]| -> Vec<usize> {
        (1..).zip(order).filter(|(_, it)| solutions.contains(&it.number)).map(|it| it.0).collect()
    };
    let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
    let (arguments, stdin, values) = match &apart.input {
        Input::Setup(setup) => (
            setup.arguments.iter().skip(1).map(text).collect(),
            (!setup.stdin.is_empty()).then(|| text(&setup.stdin)),
            setup.inputs.iter().map(|it| number_of(it).to_string()).collect(),
        ),
        Input::Answers(_) => (Vec::new(), None, vec![apart.says.clone()]),
    };
    let mut outcomes: Vec<OutcomeReport> = apart
        .outcomes
        .iter()
        .zip(deeds(apart))
        .map(|(outcome, does)| OutcomeReport {
            fixes: ranks(&outcome.solutions),
            ending: outcome.ending,
            output: text(&outcome.output),
            does,
        })
        .collect();
    outcomes.sort_by_key(|it| it.fixes.first().copied());
    let says = sentence(&apart.says, &outcomes);
    ApartReport { arguments, stdin, values, with: apart.says.clone(), outcomes, says }
}

/// What is done by whom, as far as a sentence should be.
fn sentence(with: &str, outcomes: &[OutcomeReport]) -> String {
    const MOST: usize = 3;
    let mut parts: Vec<String> = Vec::new();
    for outcome in outcomes.iter().take(MOST) {
        let names: Vec<String> = outcome.fixes.iter().map(usize::to_string).collect();
        parts.push(match names.as_slice() {
            [only] => format!("fix {only} {}", outcome.does),
            [first @ .., last] => {
                let (verb, rest) = outcome.does.split_once(' ').unwrap_or((&outcome.does, ""));
                let verb = verb.strip_suffix('s').unwrap_or(verb);
                format!("fixes {} and {last} {verb} {rest}", first.join(", "))
            }
            [] => continue,
        });
    }
    if outcomes.len() > MOST {
        parts.push("the others do something else".to_owned());
    }
    format!("With `{with}`, {}. Which is right?", parts.join(", "))
}

/// What the solutions do with the input, for each outcome: as much of it as tells it from the others.
pub fn deeds(apart: &Apart) -> Vec<String> {
    let all: Vec<&[u8]> = apart.outcomes.iter().map(|it| it.output.as_slice()).collect();
    let deeds = described(apart, &printed(&all), &vec![String::new(); all.len()]);
    if (1..deeds.len()).all(|at| !deeds[..at].contains(&deeds[at])) {
        return deeds;
    }
    let whole: Vec<String> = all.iter().map(|it| format!("prints {}", quoted(it, 200))).collect();
    let before: Vec<String> = all.iter().map(|it| format!(" after {}", quoted(it, 200))).collect();
    described(apart, &whole, &before)
}

/// The same, where it is known how to say what is printed, and what was printed before a failure.
fn described(apart: &Apart, printed: &[String], before: &[String]) -> Vec<String> {
    let outcomes = &apart.outcomes;
    let same_output = outcomes.iter().all(|it| it.output == outcomes[0].output);
    let same_ending = outcomes.iter().all(|it| it.ending == outcomes[0].ending);
    let one = |(outcome, (printed, before)): (&Outcome, (&String, &String))| {
        let ends = match outcome.ending {
            Ending::Exits(status) => format!("ends with status {status}"),
            Ending::Fails(kind) => format!("fails ({}){before}", kind.name().replace('-', " ")),
            Ending::Blocked => format!("comes to an assumption that does not hold{before}"),
            Ending::Endless => format!("takes much longer than the failing run{before}"),
        };
        match (same_output, same_ending, outcome.ending) {
            (true, ..) => ends,
            (_, true, Ending::Exits(_)) | (_, _, Ending::Exits(0)) => printed.clone(),
            (_, _, Ending::Exits(status)) => format!("{printed}, with status {status}"),
            _ => ends,
        }
    };
    outcomes.iter().zip(printed.iter().zip(before)).map(one).collect()
}

/// The first line in which outputs differ, or all of them if they are short.
fn printed(outputs: &[&[u8]]) -> Vec<String> {
    let lines: Vec<Vec<&[u8]>> = outputs
        .iter()
        .map(|output| output.strip_suffix(b"\n").unwrap_or(output))
        .map(|output| output.split(|byte| *byte == b'\n').collect())
        .collect();
    let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
    let differs = |at: &usize| lines.iter().any(|it| it.get(*at) != lines[0].get(*at));
    let first = (0..longest).find(differs).unwrap_or(0);
    let one = |(own, output): (&Vec<&[u8]>, &&[u8])| match own.get(first) {
        _ if output.is_empty() => "prints nothing".to_owned(),
        None => format!("prints no line {}", first + 1),
        Some(line) => {
            let place = match longest {
                1 => String::new(),
                _ => format!(" in line {}", first + 1),
            };
            format!("prints {}{place}", code(line))
        }
    };
    lines.iter().zip(outputs).map(one).collect()
}

/// A line as it is, if that can be seen.
fn code(line: &[u8]) -> String {
    const MOST: usize = 60;
    let text = String::from_utf8_lossy(line);
    let is_plain = text.trim() == text && !text.contains(['`', '\u{fffd}']);
    let is_short = text.chars().count() <= MOST && !text.is_empty();
    match is_plain && is_short && !text.contains(char::is_control) {
        true => format!("`{text}`"),
        false => quoted(line, MOST),
    }
}

#[cfg(test)]
mod tests {
    use program::{FailureKind, ProcedureId};
    use repair::answers::Answers;

    use super::*;

    fn apart(outcomes: &[(&[usize], Ending, &str)]) -> Apart {
        let outcomes = outcomes.iter().map(|(solutions, ending, output)| Outcome {
            solutions: solutions.to_vec(),
            ending: *ending,
            output: output.as_bytes().to_vec(),
        });
        let (entry, initial) = (ProcedureId(0), Default::default());
        let answers = Answers { entry, initial, unset: 0, havocs: Vec::new(), ways: Vec::new() };
        let input = Input::Answers(answers);
        Apart { input, says: "5 5 4".to_owned(), outcomes: outcomes.collect() }
    }

    fn says(outcomes: &[(&[usize], Ending, &str)]) -> String {
        let order: Vec<Ordered> =
            (0..4).map(|number| Ordered { number, confidence: 0.5 }).collect();
        apart_report(&apart(outcomes), &order).says
    }

    #[test]
    fn what_differs_is_said() {
        let (fine, one) = (Ending::Exits(0), Ending::Exits(1));
        assert_eq!(
            says(&[(&[0], fine, "isosceles\n"), (&[1, 2, 3], fine, "scalene\n")]),
            "With `5 5 4`, fix 1 prints `isosceles`, fixes 2, 3 and 4 print `scalene`. Which is right?"
        );
        assert_eq!(
            says(&[(&[0], fine, "a\nb\n"), (&[1], fine, "a\nc\n"), (&[2, 3], fine, "a\n")]),
            "With `5 5 4`, fix 1 prints `b` in line 2, fix 2 prints `c` in line 2, fixes 3 and 4 print no line 2. Which is \
             right?"
        );
        let fails = Ending::Fails(FailureKind::DivisionByZero);
        assert_eq!(
            says(&[(&[0], fine, ""), (&[1], one, ""), (&[2], fails, "")]),
            "With `5 5 4`, fix 1 ends with status 0, fix 2 ends with status 1, fix 3 fails (division by zero). Which is \
             right?"
        );
        assert!(
            says(&[(&[0], fine, "x "), (&[1], one, "x")]).contains("fix 1 prints \"x \", fix 2")
        );
        // The first line is not enough.
        let several = says(&[(&[0], fine, "1\n2"), (&[1], fine, "1\n3"), (&[2], fine, "2\n2")]);
        assert!(several.contains("fix 2 prints \"1\\n3\", fix 3"), "{several}");
        let (a, b) = ((&[0][..], fails, "1\n"), (&[1][..], fails, "2\n"));
        assert!(says(&[a, b]).contains("fix 2 fails (division by zero) after \"2\\n\""));
    }
}
