//! What the statements of a cause did, one sentence each.

use std::collections::HashMap;

use failure::{Action, Part, Step};
use program::{Language, SiteId, Statement, Trust};
use term::Value;

use super::group::is_shown;
use super::state::{Read, State};
use super::syntax::{Expression, parse};
use crate::expressions::{arguments, assigned};
use crate::places::{place_text, returns, step_location, value_text};
use crate::sentences::before;
use crate::story::Story;

/// So many statements of a cause are spoken about.
const MOST_STATEMENTS: usize = 4;
/// So many variables that a statement read.
const MOST_READS: usize = 4;
/// Longer texts are cut.
const LONGEST_TEXT: usize = 60;
const LONGEST_VALUE: usize = 40;

/// A statement of a cause: its last step there.
#[derive(Clone, Copy, Debug)]
struct Told {
    last: usize,
    executions: u32,
}

/// What the steps of a cause did: the nearest statements first.
pub(super) fn statements(state: &State<'_>, story: &Story<'_>, steps: &[usize]) -> Vec<String> {
    let all = nearest_first(story, steps);
    // The arguments of one call are passed at once.
    let mut units: Vec<Vec<Told>> = Vec::new();
    for (number, &told) in all.iter().enumerate() {
        if is_told_with(story, &all[..number], told) {
            continue;
        }
        match units.last_mut() {
            Some(unit) if same_call(story, unit[0].last, told.last) => unit.push(told),
            _ => units.push(vec![told]),
        }
    }
    let mut sentences: Vec<String> = Vec::new();
    let mut before = String::new();
    for unit in units.iter_mut().take(MOST_STATEMENTS) {
        let (subject, what) = sentence(state, story, unit);
        match sentences.last_mut() {
            Some(last) if subject == before => {
                last.pop();
                *last += &format!(", and before that {what}.");
            }
            _ => sentences.push(format!("{subject} {what}.")),
        }
        before = subject;
    }
    match units.len().saturating_sub(MOST_STATEMENTS) {
        0 => {}
        1 => sentences.push("One more statement is part of it.".to_owned()),
        more => sentences.push(format!("{more} more statements are part of it.")),
    }
    sentences
}

/// The statements of steps that a programmer sees, the last executed first.
fn nearest_first(story: &Story<'_>, steps: &[usize]) -> Vec<Told> {
    let mut places: HashMap<(SiteId, Part), usize> = HashMap::new();
    let mut all: Vec<Told> = Vec::new();
    for &at in steps.iter().rev() {
        let step = &story.failure.trace.steps[at];
        let says_nothing = || value(story, at).is_none() && place(story, at).is_empty();
        let is_return = returns(story, step);
        if !is_shown(story, step) || step.action.place().is_none() || says_nothing() && !is_return {
            continue;
        }
        let part = match step.part {
            // What a statement returns and where it is bound are one.
            Part::Result(_) => Part::Whole,
            part => part,
        };
        let place = *places.entry((step.site, part)).or_insert(all.len());
        if place == all.len() {
            all.push(Told { last: at, executions: 1 });
        } else if story.history.execution(at) != story.history.execution(all[place].last) {
            all[place].executions += 1;
        }
    }
    all
}

/// Whether a statement only gets what a later one on its line assigns, which tells it, too.
fn is_told_with(story: &Story<'_>, later: &[Told], told: Told) -> bool {
    let steps = &story.failure.trace.steps;
    let text = |at: usize| &story.failure.program.site(steps[at].site).text;
    steps[told.last].part == Part::Input
        && place(story, told.last).is_empty()
        && later.iter().any(|later| {
            let is_near = line(story, &steps[later.last]) == line(story, &steps[told.last]);
            is_near && text(later.last).contains(text(told.last).as_str())
        })
}

fn same_call(story: &Story<'_>, one: usize, other: usize) -> bool {
    let steps = &story.failure.trace.steps;
    steps[one].at == steps[other].at && matches!(steps[other].part, Part::Argument(_))
}

/// What a statement did, such as "Line 25", "set `area` to 10: `b*c/2` with `b = 5` and `c = 4`".
fn sentence(state: &State<'_>, story: &Story<'_>, unit: &mut [Told]) -> (String, String) {
    unit.sort_by_key(|told| story.failure.trace.steps[told.last].part);
    let Some(first) = unit.first() else { return Default::default() };
    let step = &story.failure.trace.steps[first.last];
    let line = line(story, step);
    let subject = match first.executions {
        1 => format!("Line {line}"),
        times => format!("Line {line}, executed {times} times, last"),
    };
    let what = match step.part {
        Part::Argument(_) => {
            let passed: Vec<String> = unit.iter().map(|told| passed(story, told.last)).collect();
            let (_, call) = argument(story, step);
            let to = match call {
                Some(call) if place_text(story, step).is_empty() => format!(" to `{call}`"),
                _ => String::new(),
            };
            format!("passed {}{to}", joined(&passed))
        }
        _ => acted(state, story, first.last),
    };
    (subject, what)
}

/// "a, b and c".
fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The line that a step is on; with its file, if there are several.
pub(super) fn line(story: &Story<'_>, step: &Step) -> String {
    let home = story.failure.program.site(story.failure.site()).span;
    match step_location(story, step) {
        None => "?".to_owned(),
        Some(location) if home.is_none_or(|home| home.file == location.span.file) => {
            location.start.line.to_string()
        }
        Some(location) => format!("{} of {}", location.start.line, short_file(&location.file)),
    }
}

/// The name of a file without its folders.
pub(super) fn short_file(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// What was passed as an argument, such as "5 (`atoi(argv[2])`) as `middle`".
fn passed(story: &Story<'_>, at: usize) -> String {
    let step = &story.failure.trace.steps[at];
    let place = place_text(story, step);
    let value = value(story, at);
    let what = match (argument(story, step).0, value) {
        (Some(text), _) if is_constant(&text) => limited(&text),
        (Some(text), None) => format!("`{}`", cut(&text)),
        (Some(text), Some(value)) if text != value && text != place => {
            format!("{value} (`{}`)", cut(&text))
        }
        (_, value) => value.unwrap_or_else(|| "something".to_owned()),
    };
    match place.as_str() {
        "" => what,
        place => format!("{what} as `{place}`"),
    }
}

/// An argument as it is written, and the name of the function it is passed to.
fn argument(story: &Story<'_>, step: &Step) -> (Option<String>, Option<String>) {
    let program = story.failure.program;
    let text = &program.site(step.site).text;
    let Part::Argument(number) = step.part else { return (None, None) };
    let (own, call) = match story.calls.get(&step.site) {
        Some(&call) => (Some(text.clone()), &program.site(call).text),
        None => {
            let own = arguments(text).get(number as usize).map(|range| text[range.clone()].into());
            (own, text)
        }
    };
    let name = call.split_once('(').map(|(name, _)| name.trim().to_owned());
    let plain = |name: &String| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (own, name.filter(plain))
}

fn acted(state: &State<'_>, story: &Story<'_>, at: usize) -> String {
    let failure = story.failure;
    let step = &failure.trace.steps[at];
    let text = &failure.program.site(step.site).text;
    let Some(value) = value(story, at) else {
        return match text.strip_prefix("return") {
            Some(returned) => format!("returned `{}`", cut(returned)),
            None => format!("did `{}`", cut(text)),
        };
    };
    let reads = state.value_reads(at);
    if let Some(source) = source(story, step) {
        return match place(story, at).as_str() {
            "" => format!("got {value} from `{}`", cut(text)),
            place => format!("read {value} into `{place}` from {source}"),
        };
    }
    if matches!(step.action, Action::Havoc { .. }) {
        return match place(story, at).as_str() {
            "" => format!("chose {value}"),
            place => format!("chose {value} for `{place}`"),
        };
    }
    if returns(story, step) {
        let returned = text.strip_prefix("return").map_or(text.as_str(), str::trim);
        return format!("returned {value}{}", computed(state, returned, &value, &reads));
    }
    let place = place(story, at);
    let old = before(story, at).map(|old| limited(&value_text(story, step, old).code));
    if place.is_empty() {
        return match step.part {
            Part::Result(_) => format!("got {value} from `{}`", cut(text)),
            _ => format!("had the value {value}"),
        };
    }
    match assignment(failure.program.language, text) {
        Some((sign, right)) if sign == "=" || sign == ":=" => {
            format!("set `{place}` to {value}{}", computed(state, right, &value, &reads))
        }
        Some(_) => {
            let own = step.action.place().map(|place| place.variable);
            let others = reads.into_iter().filter(|read| Some(read.variable) != own);
            let reads: Vec<Read> = others.collect();
            let how = computed(state, text, &value, &reads);
            match old {
                Some(old) if old == value => format!("left `{place}` at {value}{how}"),
                Some(old) => format!("changed `{place}` from {old} to {value}{how}"),
                None => format!("set `{place}` to {value}{how}"),
            }
        }
        None => match old {
            Some(old) if old != value => {
                format!("changed `{place}` from {old} to {value}: `{}`", cut(text))
            }
            _ => format!("set `{place}` to {value}: `{}`", cut(text)),
        },
    }
}

/// How a value was computed: the text, unless it says no more than the value, and what it read.
fn computed(state: &State<'_>, text: &str, value: &str, reads: &[Read]) -> String {
    if text == value || is_constant(text) || text.starts_with('{') {
        return String::new();
    }
    if reads.iter().any(|read| !read.in_address && read.name == text) {
        let is_call = matches!(parse(text), Some(Expression::Call(_)));
        let what = if is_call { "the result" } else { "the value" };
        return format!(", {what} of `{}`", cut(text));
    }
    match listed(state, reads.iter()).as_str() {
        "" => format!(": `{}`", cut(text)),
        with => format!(": `{}` with {with}", cut(text)),
    }
}

/// Variables with their values: "`b = 5` and `c = 4`".
pub(super) fn listed<'r>(state: &State<'_>, reads: impl Iterator<Item = &'r Read>) -> String {
    let all: Vec<String> =
        pairs(state, reads).into_iter().map(|pair| format!("`{pair}`")).collect();
    joined(&all)
}

/// Variables with their values: `b = 5`. That `day` is `&day` goes without saying.
pub(super) fn pairs<'r>(state: &State<'_>, reads: impl Iterator<Item = &'r Read>) -> Vec<String> {
    let shown = reads.map(|read| (&read.name, state.shown(read)));
    let is_own = |name: &str, value: &str| {
        value == format!("&{name}[0]") || value == format!("&{name}") || value == name
    };
    let telling = shown.filter(|(name, value)| !is_own(name, value));
    telling.take(MOST_READS).map(|(name, value)| format!("{name} = {}", limited(&value))).collect()
}

/// Where a value came from, if it came from outside.
fn source(story: &Story<'_>, step: &Step) -> Option<&'static str> {
    let program = story.failure.program;
    let is_chosen = matches!(step.action, Action::Havoc { .. }) && program.language == Language::C;
    if step.part != Part::Input && !is_chosen {
        return None;
    }
    let edge = *story.failure.trace.path.get(step.at as usize)?;
    let Statement::External { function, .. } = &program.edge(edge).statement else {
        return Some("outside");
    };
    let text = &program.site(step.site).text;
    Some(match program.externals.get(function.index())?.name.as_str() {
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" | "getchar" | "gets" => "the standard input",
        "fread" | "fgetc" | "fgets" | "fscanf" | "getc" | "getline" | "__isoc99_fscanf"
        | "__isoc23_fscanf" => match text.contains("stdin") {
            true => "the standard input",
            false => "a file",
        },
        "getenv" => "the environment",
        "time" | "clock" | "gettimeofday" | "clock_gettime" => "the clock",
        _ => "outside",
    })
}

/// What a step assigns, as it is called in the source; empty if it has no name there.
pub(super) fn place(story: &Story<'_>, at: usize) -> String {
    let step = &story.failure.trace.steps[at];
    let (program, trace) = (story.failure.program, &story.failure.trace);
    let Some(place) = step.action.place() else { return String::new() };
    let is_written = assigned(&program.site(step.site).text).is_some();
    let is_known = match trace.labels.get(&place.variable) {
        Some((_, None)) if !is_written => {
            let cell = story.addresses.untyped_cell(place.variable);
            cell.is_some_and(|(_, ty)| ty.is_some())
        }
        _ => true,
    };
    if is_known { place_text(story, step) } else { String::new() }
}

/// The value that a step assigned, as in the source; none if it would only be a large number.
pub(super) fn value(story: &Story<'_>, at: usize) -> Option<String> {
    let step = &story.failure.trace.steps[at];
    let value = story.failure.values.get(at)?.as_ref()?;
    let text = value_text(story, step, value).code;
    let ty = story.addresses.type_of(step.action.place()?.variable);
    (ty.is_some() || !is_address(&text, value)).then(|| limited(&text))
}

/// Whether a value without a type is shown as a number that is hardly one.
pub(super) fn is_address(text: &str, value: &Value) -> bool {
    let is_wide = matches!(value, Value::BitVec(bits) if bits.width() == 64);
    let number: Result<u64, _> = text.parse();
    is_wide && number.is_ok_and(|number| number > u64::from(u32::MAX))
}

/// The operator of an assignment and what is on its right.
pub(super) fn assignment(language: Language, text: &str) -> Option<(&str, &str)> {
    if language == Language::Boogie {
        let (_, right) = text.split_once(":=")?;
        return Some((":=", right.trim()));
    }
    let left = assigned(text)?;
    let rest = text.strip_prefix(left)?.trim_start();
    // The bounds of a declared array.
    let rest = rest.trim_start_matches(|c: char| c == '[' || c == ']' || c.is_ascii_digit());
    let end = rest.find('=')? + 1;
    Some((rest[..end].trim(), rest[end..].trim()))
}

/// Whether a text is a constant, so that its value says no more.
pub(super) fn is_constant(text: &str) -> bool {
    match parse(text) {
        Some(Expression::Integer(..) | Expression::Double(..) | Expression::Character(..)) => true,
        Some(Expression::Unary('-', inner)) => {
            matches!(*inner, Expression::Integer(..) | Expression::Double(..))
        }
        Some(Expression::Name(name)) => {
            name == "true" || name == "false" || name.chars().all(|c| !c.is_lowercase())
        }
        _ => text.starts_with('"'),
    }
}

/// A text of the source for a sentence.
pub(super) fn cut(text: &str) -> String {
    shortened(text, LONGEST_TEXT)
}

/// A value for a sentence.
pub(super) fn limited(value: &str) -> String {
    shortened(&value.replace(" allocated at line ", " of line "), LONGEST_VALUE)
}

fn shortened(text: &str, longest: usize) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = words.char_indices().nth(longest) {
        words.truncate(end);
        words.push('…');
    }
    words
}

/// The nearest call in the user's code around a step of trusted code.
pub(super) fn user_step<'s>(story: &'s Story<'_>, at: usize) -> Option<&'s Step> {
    let failure = story.failure;
    let step = failure.trace.steps.get(at)?;
    let site = failure.program.site(step.site);
    (site.trust == Trust::User && site.span.is_some()).then_some(step)
}
