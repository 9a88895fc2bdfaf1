//! Asking the user what is right, where fixes behave differently.
//!
//! Each question is about one input near a test. It is answered by one line, from a terminal or from whatever standard input
//! is. With the answer the input is a test like others, so edits are tried again: those that fail it fall, and others may come
//! up that were further down. This goes on until the fixes that are left do the same with all inputs that were looked at.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use host::Setup;
use repair::apart::Told;
use repair::claims::{Apart, Ending, Repair};
use repair::runs::Input;

use crate::answers::{self, Answers};
use crate::clock::Clock;
use crate::error::{Error, plain};
use crate::options::Options;
use crate::output;
use crate::suite::words;

/// Nobody answers more questions than this.
const MOST_QUESTIONS: usize = 20;

/// What to do with an answer: try edits again.
pub type Again<'a> = dyn FnMut(&Input, &Told) -> Option<Repair> + 'a;

/// Asks until the solutions that are left behave alike, or nobody answers. What was learned, as notes.
pub fn ask(
    repair: &mut Option<Repair>,
    options: &Options,
    clock: &Clock,
    again: &mut Again<'_>,
) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    let mut unknown: Vec<String> = Vec::new();
    for _ in 0..MOST_QUESTIONS {
        let found = repair.as_ref();
        let open = found.and_then(|it| it.apart.iter().find(|it| !unknown.contains(&it.says)));
        let Some(apart) = open.filter(|_| clock.ended().is_none()).cloned() else { break };
        let told = match clock.asking(|| question(&apart, clock)) {
            Reply::Told(answer) => answer,
            Reply::Unknown => {
                unknown.push(apart.says);
                continue;
            }
            Reply::Nothing => break,
        };
        if let (Some(folder), Input::Setup(setup)) = (&options.keep, &apart.input) {
            notes.extend(keep(folder, setup, &told)?);
        }
        notes.push(learned(&apart, &told));
        *repair = again(&apart.input, &told);
    }
    if notes.is_empty() && unknown.is_empty() && !options.quiet {
        output::complain(nothing_to_ask(repair.as_ref()));
    }
    Ok(notes)
}

fn nothing_to_ask(repair: Option<&Repair>) -> &'static str {
    match repair.map(|it| (it.solutions.len(), it.apart.len())) {
        None => "There is nothing to ask: no fix was looked for, which takes a source, and time.\n",
        Some((0, _)) => "There is nothing to ask: no fix was found.\n",
        Some((1, _)) => "There is nothing to ask: there is only one fix.\n",
        Some((_, 0)) => {
            "There is nothing to ask: the fixes do the same with all inputs that were tried.\n"
        }
        Some(_) => "",
    }
}

/// What a line says.
enum Reply {
    Told(Told),
    /// That it is not known.
    Unknown,
    /// Nothing more will be said.
    Nothing,
}

/// Asks about one input, until there is an answer.
fn question(apart: &Apart, clock: &Clock) -> Reply {
    let mut text = format!("With `{}`, is it right that the program\n", apart.says);
    for (number, (outcome, does)) in (1..).zip(apart.outcomes.iter().zip(report::deeds(apart))) {
        let fixes = match outcome.solutions.len() {
            1 => "one fix".to_owned(),
            n => format!("{n} fixes"),
        };
        let _ = writeln!(text, "  {number}  {does} ({fixes})");
    }
    let count = apart.outcomes.len();
    let _ = write!(
        text,
        "A number, the right output in quotes, `none`, or nothing if you do not know: "
    );
    loop {
        let Some(line) = line(&text, clock) else {
            return Reply::Nothing;
        };
        if !std::io::stdin().is_terminal() {
            output::complain(&format!("{}\n", line.trim_end_matches(['\n', '\r'])));
        }
        match told(&line, apart) {
            Ok(told) => return told,
            Err(why) => {
                text = format!(
                    "{why}; expected a number up to {count}, an output in quotes, `none`, or nothing: "
                )
            }
        }
    }
}

fn told(line: &str, apart: &Apart) -> Result<Reply, &'static str> {
    let text = line.trim_end_matches(['\n', '\r']);
    let word = text.trim();
    let wrong = |except: Option<usize>| {
        let others = apart.outcomes.iter().enumerate().filter(|(at, _)| Some(*at) != except);
        let others = others.map(|(_, it)| (it.ending, it.output.clone()));
        Reply::Told(Told::Wrong(others.collect()))
    };
    if word.is_empty() {
        return Ok(Reply::Unknown);
    }
    if word == "none" {
        return Ok(wrong(None));
    }
    if let Ok(number) = word.parse::<usize>() {
        let at = number.checked_sub(1).filter(|at| *at < apart.outcomes.len());
        let at = at.ok_or("there is no such outcome")?;
        let outcome = &apart.outcomes[at];
        return Ok(match (outcome.ending, &apart.input) {
            (Ending::Exits(status), Input::Setup(_)) => {
                let output = Some(outcome.output.clone());
                Reply::Told(Told::Right { output, status: Some(status) })
            }
            (Ending::Exits(_), Input::Answers(_)) => {
                Reply::Told(Told::Right { output: None, status: None })
            }
            // No test can expect a failure, but then the other outcomes are wrong.
            _ => wrong(Some(at)),
        });
    }
    if matches!(apart.input, Input::Answers(_)) {
        return Err("a Boogie program prints nothing");
    }
    let output = match word.strip_prefix('"') {
        Some(inner) => unquoted(inner).ok_or("the quotation is not complete")?,
        None => format!("{text}\n").into_bytes(),
    };
    Ok(Reply::Told(Told::Right { output: Some(output), status: None }))
}

/// What is between quotes, of which the first is taken away already.
fn unquoted(text: &str) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    let mut bytes = text.bytes();
    loop {
        match bytes.next()? {
            b'"' => return bytes.next().is_none().then_some(found),
            b'\\' => found.push(match bytes.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'0' => 0,
                other @ (b'"' | b'\\') => other,
                _ => return None,
            }),
            byte => found.push(byte),
        }
    }
}

/// What is known now, in words.
fn learned(apart: &Apart, answer: &Told) -> String {
    let with = &apart.says;
    match answer {
        Told::Right { output, .. } => {
            let number = apart.outcomes.iter().position(|it| Some(&it.output) == output.as_ref());
            match number.and_then(|at| report::deeds(apart).into_iter().nth(at)) {
                Some(does) => format!("you said that with `{with}` a right program {does}"),
                None => format!("you said what is right with `{with}`"),
            }
        }
        Told::Wrong(wrong) => match wrong.len() == apart.outcomes.len() {
            true => format!("you said that with `{with}` no fix that was shown is right"),
            false => format!("you said which fixes are wrong with `{with}`"),
        },
    }
}

/// Writes an answer into a folder of tests; what to say if that is not possible.
fn keep(folder: &Path, setup: &Setup, answer: &Told) -> Result<Option<String>, Error> {
    let Told::Right { output, status } = answer else {
        return Ok(Some("what is wrong was not kept: a test says what is right".to_owned()));
    };
    if !setup.inputs.is_empty() {
        let why = "the answer was not kept: tests have no nondeterministic values";
        return Ok(Some(why.to_owned()));
    }
    std::fs::create_dir_all(folder).map_err(|error| {
        let why = plain(&error);
        Error::Output(format!("error: cannot make {}: {why}\n", folder.display()))
    })?;
    let endings = ["in", "args", "out", "exit"];
    let path = |number: usize, ending: &str| folder.join(format!("answer-{number}.{ending}"));
    let is_free = |number: &usize| endings.iter().all(|ending| !path(*number, ending).exists());
    let number = (1..).find(is_free).unwrap_or(0);
    let mut texts: Vec<(Option<PathBuf>, Vec<u8>)> = Vec::new();
    let mut add = |ending: &str, text: Vec<u8>| texts.push((Some(path(number, ending)), text));
    let arguments = setup.arguments.get(1..).unwrap_or(&[]);
    if !arguments.is_empty() {
        add("args", [words::line(arguments), b"\n".to_vec()].concat());
    }
    if !setup.stdin.is_empty() || arguments.is_empty() {
        add("in", setup.stdin.clone());
    }
    if let Some(output) = output {
        add("out", output.clone());
    }
    if let Some(status) =
        status.filter(|status| *status != 0 || output.as_ref().is_none_or(Vec::is_empty))
    {
        add("exit", format!("{status}\n").into_bytes());
    }
    answers::write(&Answers { texts, ..Answers::default() })?;
    Ok(None)
}

/// Asks, and reads a line. None if there is none, or a signal came.
pub fn line(question: &str, clock: &Clock) -> Option<String> {
    output::complain(question);
    let _ = std::io::stderr().flush();
    let (sender, receiver) = mpsc::channel();
    // Whoever reads is not woken by a signal, so somebody else waits for it.
    std::thread::spawn(move || {
        let mut line = Vec::new();
        let read = std::io::BufRead::read_until(&mut std::io::stdin().lock(), b'\n', &mut line);
        let line = read.ok().filter(|count| *count > 0).map(|_| line);
        let _ = sender.send(line.map(|line| String::from_utf8_lossy(&line).into_owned()));
    });
    loop {
        let answer = match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) if !clock.interrupted() => continue,
            Err(_) => None,
        };
        if answer.is_none() {
            output::complain("\n");
        }
        return answer;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart() -> Apart {
        let outcome = |number: usize, ending, output: &str| repair::claims::Outcome {
            solutions: vec![number],
            ending,
            output: output.as_bytes().to_vec(),
        };
        let outcomes = vec![
            outcome(0, Ending::Exits(0), "1\n"),
            outcome(1, Ending::Exits(3), "2\n"),
            outcome(2, Ending::Endless, ""),
        ];
        Apart { input: Input::Setup(Setup::default()), says: "7".to_owned(), outcomes }
    }

    /// The output and status that are right; how many are wrong.
    fn read(line: &str) -> Result<(Option<String>, Option<i32>, usize), &'static str> {
        Ok(match told(line, &apart())? {
            Reply::Told(Told::Right { output, status }) => {
                (output.map(|it| String::from_utf8(it).unwrap()), status, 0)
            }
            Reply::Told(Told::Wrong(wrong)) => (None, None, wrong.len()),
            Reply::Unknown => (None, None, 0),
            Reply::Nothing => (None, None, 99),
        })
    }

    #[test]
    fn lines_are_answers() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(read("1\n"), Ok((text("1\n"), Some(0), 0)));
        assert_eq!(read(" 2 \r\n"), Ok((text("2\n"), Some(3), 0)));
        assert_eq!(read("3"), Ok((None, None, 2)), "a failure is no test");
        assert_eq!(read("none\n"), Ok((None, None, 3)));
        assert_eq!(read("\n"), Ok((None, None, 0)));
        assert_eq!(read("no triangle\n"), Ok((text("no triangle\n"), None, 0)));
        assert_eq!(read("\"4\"\n"), Ok((text("4"), None, 0)));
        assert_eq!(read(r#""a\n\t\"\\ b\n""#), Ok((text("a\n\t\"\\ b\n"), None, 0)));
        for wrong in ["0", "4", "\"a", "\"a\" b", r#""\x""#, r#""\"#] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
