//! Expectations written into a program as comments.
//!
//! On a line, or with one `^` for each line further up:
//! ```text
//! //~ relevance: enforcing            a relevant statement begins on this line
//! //~ relevance: enforcing 0          … and this is its witness, as in JSON
//! //~ relevance: enforcing, admitting two parts of the line, from left to right
//! //~ relevance: unknown              it could not be decided
//! //~ relevance: irrelevant           there are assignments, and none of them is relevant
//! //~ program: relevant               relevant in all of several traces
//! //~ program: relevant, repaired by 0 | relevant, no single value | relevant, value unknown
//! //~ cascade: 1                      in a cause, as its condition or a statement: first at this level of the tree
//! //~ critical: 1                     a condition of the line has an entry in the tree, first at this level
//! //~ cascade                         the line is in the tree, at whatever level
//! //~ error-invariants: x <= -1       the line is needed, and this is true after it
//! //~ error-invariants: frame x; true  x is not assigned there: the other way of the decision would
//! //~ insensitive-invariants: x == 0  the same, with --flow-sensitive=no
//! //~ changes                         a change of a statement of the line makes the run pass
//! //~ failure: assertion              the property that is violated, with its kind
//! //~ error: part of a message        an error of the reader
//! //~ fault                           where a person would correct the program
//! ```
//! Levels of the tree are complete: if one is given, all others are expected, too. `critical: 1` includes
//! `cascade: 1`, and nothing needs to be said about the violated property, which is at level 0.
//!
//! Formulas are compared by equivalence. `//@ error-invariants: x <= -1` is what is true at the start; if it is there, the
//! lines that are needed are complete. `//@ insensitive-invariants: …` likewise. Lines of changes are complete, too.
//!
//! For the whole file: `//@ --option value …`, `//@ traces 2`, `//@ no failure`, `//@ unknown`
//! (a limit is reached before one is found), `//@ exit 2`, `//@ says: part of a message`. For a C program also: `//@ args: …` (words may be in double quotes),
//! `//@ stdin: FILE`, `//@ expect: FILE` (in the folder of the program), `//@ expect-exit: N`,
//! `//@ cflags: …`, `//@ max-steps: N`; and `//@ search`: its inputs are found, not given.

use std::collections::BTreeMap;

/// All that a program's comments say.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Expectations {
    pub options: Vec<String>,
    /// The arguments of a C program.
    pub arguments: Vec<String>,
    pub traces: Option<u64>,
    pub outcome: Outcome,
    /// Parts of the messages on standard error that belong to no line.
    pub messages: Vec<String>,
    /// What is true at the start: flow-sensitive, and not.
    pub invariants: [Option<String>; 2],
    /// By line, from 1.
    pub lines: BTreeMap<usize, Line>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    #[default]
    Failure,
    NoFailure,
    /// A limit is reached before a failure is found.
    Unknown,
    Rejected,
}

/// What is expected of one line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub relevance: Vec<Part>,
    pub program: Option<Program>,
    pub cascade: Option<InTree>,
    /// The level of the first entry.
    pub critical: Option<u64>,
    /// What is true after the statements of the line that are needed: flow-sensitive, and not.
    pub invariants: [Vec<String>; 2],
    pub changes: bool,
    pub failure: Option<String>,
    pub errors: Vec<String>,
    pub fault: bool,
}

/// What is expected of a statement, or of a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// `enforcing`, `admitting`, `unknown` or `irrelevant`.
    pub verdict: String,
    pub witness: Option<String>,
}

/// Where a line is in the tree of causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTree {
    Anywhere,
    /// At this level, and at none above it.
    First(u64),
}

/// What is expected over several traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// Relevant in all; nothing is said about one value.
    Relevant,
    RepairedBy(String),
    NoSingleValue,
    ValueUnknown,
}

/// Reads the expectations of a program; what is no expectation is an error.
pub fn parse(text: &str) -> Result<Expectations, String> {
    let mut expected = Expectations::default();
    for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line)) {
        let mut notes = line.split("//~");
        let code = notes.next().unwrap_or_default();
        if let Some((_, directive)) = code.split_once("//@") {
            parse_directive(&mut expected, directive.trim())
                .map_err(|why| format!("line {number}: {why}"))?;
        }
        for note in notes {
            parse_note(&mut expected, number, note)
                .map_err(|why| format!("line {number}: {why}"))?;
        }
    }
    Ok(expected)
}

fn parse_directive(expected: &mut Expectations, directive: &str) -> Result<(), String> {
    match directive.split_once(char::is_whitespace) {
        _ if directive.starts_with('-') => {
            expected.options.extend(directive.split_whitespace().map(str::to_owned));
        }
        Some(("traces", number)) => {
            let number = number.trim().parse();
            expected.traces = Some(number.map_err(|_| format!("`{directive}`: how many?"))?);
        }
        Some(("error-invariants:", formula)) => {
            expected.invariants[0] = Some(formula.trim().to_owned());
        }
        Some(("insensitive-invariants:", formula)) => {
            expected.invariants[1] = Some(formula.trim().to_owned());
        }
        Some(("says:", message)) => expected.messages.push(message.trim().to_owned()),
        Some(("args:", words)) => expected.arguments.extend(split_words(words)?),
        Some(("cflags:", flags)) => expected.options.push(format!("--cflags={}", flags.trim())),
        Some((option @ ("stdin:" | "expect:" | "expect-exit:" | "max-steps:"), value)) => {
            expected.options.push(format!("--{}={}", option.trim_end_matches(':'), value.trim()));
        }
        // This is what is done without being told.
        _ if directive == "search" => {}
        _ if directive == "no failure" => expected.outcome = Outcome::NoFailure,
        _ if directive == "unknown" => expected.outcome = Outcome::Unknown,
        _ if directive == "exit 2" => expected.outcome = Outcome::Rejected,
        _ => return Err(format!("there is no directive `{directive}`")),
    }
    Ok(())
}

/// Words that are separated by spaces, except in double quotes.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quoted { Err(format!("`{text}`: a quote is missing")) } else { Ok(words) }
}

fn parse_note(expected: &mut Expectations, number: usize, note: &str) -> Result<(), String> {
    let text = note.trim_start_matches('^');
    let up = note.len() - text.len();
    let at = number.checked_sub(up).filter(|&at| at > 0).ok_or("it points above the file")?;
    let line = expected.lines.entry(at).or_default();
    let text = text.trim();
    let (word, rest) = text.split_once(':').map_or((text, ""), |(word, rest)| (word, rest.trim()));
    match word {
        "relevance" => {
            for part in rest.split(',') {
                line.relevance.push(parse_part(part.trim())?);
            }
        }
        "program" if line.program.is_none() => line.program = Some(parse_program(rest)?),
        "cascade" if line.cascade.is_none() && text == "cascade" => {
            line.cascade = Some(InTree::Anywhere);
        }
        "cascade" if line.cascade.is_none() => {
            line.cascade = Some(InTree::First(parse_level(rest)?));
        }
        "critical" if line.critical.is_none() => line.critical = Some(parse_level(rest)?),
        "error-invariants" if !rest.is_empty() => line.invariants[0].push(rest.to_owned()),
        "insensitive-invariants" if !rest.is_empty() => line.invariants[1].push(rest.to_owned()),
        "changes" if text == "changes" => line.changes = true,
        "failure" if line.failure.is_none() && !rest.is_empty() => {
            line.failure = Some(rest.to_owned());
        }
        "error" if !rest.is_empty() => line.errors.push(rest.to_owned()),
        "fault" if text == "fault" => line.fault = true,
        _ => return Err(format!("`//~ {text}` is no expectation")),
    }
    Ok(())
}

fn parse_part(text: &str) -> Result<Part, String> {
    let (verdict, witness) = match text.split_once(' ') {
        Some((verdict, witness)) => (verdict, Some(witness.trim().to_owned())),
        None => (text, None),
    };
    match verdict {
        "enforcing" | "admitting" => Ok(Part { verdict: verdict.to_owned(), witness }),
        "unknown" | "irrelevant" if witness.is_none() => {
            Ok(Part { verdict: verdict.to_owned(), witness })
        }
        _ => Err(format!("`{text}` is none of `enforcing`, `admitting`, `unknown`, `irrelevant`")),
    }
}

fn parse_level(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is no level of the tree"))
}

fn parse_program(text: &str) -> Result<Program, String> {
    if let Some(value) = text.strip_prefix("relevant, repaired by ") {
        return Ok(Program::RepairedBy(value.trim().to_owned()));
    }
    match text {
        "relevant" => Ok(Program::Relevant),
        "relevant, no single value" => Ok(Program::NoSingleValue),
        "relevant, value unknown" => Ok(Program::ValueUnknown),
        _ => Err(format!("`{text}` is no expectation of the program")),
    }
}

/// Checks this reader itself.
pub fn self_test() -> Result<(), String> {
    let text = "//@ --max-traces 2\n//@ traces 2\nx := 1; //~ relevance: enforcing -3, admitting\n\
                //~^ program: relevant, repaired by 0 //~^^ fault\nassert x; //~ failure: assertion\n";
    let found = parse(text)?;
    let part = |verdict: &str, witness: Option<&str>| Part {
        verdict: verdict.to_owned(),
        witness: witness.map(str::to_owned),
    };
    let statement = Line {
        relevance: vec![part("enforcing", Some("-3")), part("admitting", None)],
        program: Some(Program::RepairedBy("0".to_owned())),
        ..Line::default()
    };
    let fault = Line { fault: true, ..Line::default() };
    let assertion = Line { failure: Some("assertion".to_owned()), ..Line::default() };
    let expected = Expectations {
        options: vec!["--max-traces".to_owned(), "2".to_owned()],
        traces: Some(2),
        lines: BTreeMap::from([(3, statement), (2, fault), (5, assertion)]),
        ..Expectations::default()
    };
    if found != expected {
        return Err(format!("{text}\nis read as {found:#?}"));
    }
    let found = parse("//@ args: -v \"two words\" \"\"\n//@ stdin: a.in\n//@ cflags: -O -g\n")?;
    if found.arguments != ["-v", "two words", ""]
        || found.options != ["--stdin=a.in", "--cflags=-O -g"]
    {
        return Err(format!("directives of C programs are read as {found:#?}"));
    }
    let found = parse("//~ cascade: 0 //~ critical: 2\n//~ cascade\n")?;
    let first = Line { cascade: Some(InTree::First(0)), critical: Some(2), ..Line::default() };
    let second = Line { cascade: Some(InTree::Anywhere), ..Line::default() };
    if found.lines != BTreeMap::from([(1, first), (2, second)]) {
        return Err(format!("levels of the tree are read as {found:#?}"));
    }
    let found = parse("//~ changes\n")?;
    let changed = Line { changes: true, ..Line::default() };
    if found.lines != BTreeMap::from([(1, changed)]) {
        return Err(format!("changes are read as {found:#?}"));
    }
    let outcomes = [
        ("//@ no failure", Outcome::NoFailure),
        ("//@ unknown", Outcome::Unknown),
        ("//@ exit 2", Outcome::Rejected),
    ];
    for (text, outcome) in outcomes {
        if parse(text)?.outcome != outcome {
            return Err(format!("`{text}` is misread"));
        }
    }
    let wrong = [
        "//~ relevant",
        "//~ relevance: maybe",
        "//~ relevance:",
        "//~ relevance: unknown 3",
        "//~ program: irrelevant",
        "//~ cascade:",
        "//~ cascade: first",
        "//~ cascade: 1 //~ cascade",
        "//~ critical",
        "//~ critical: 1, 2",
        "//~ changes: once",
        "//~ failure:",
        "//~ fault: here",
        "//~ failure: a //~ failure: b",
        "//~^ fault",
        "//@ whatever",
        "//@ traces many",
        "//@ args: \"open",
    ];
    match wrong.iter().find(|text| parse(text).is_ok()) {
        Some(text) => Err(format!("`{text}` is taken for an expectation")),
        None => Ok(()),
    }
}
