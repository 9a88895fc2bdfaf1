//! Small edits in the terms of the source.

use localize::edits::{Change, Edit, Edits};
use program::Language;
use term::{Term, Value};

use crate::places::site_location;
use crate::report::Location;
use crate::story::Story;

/// The edits with which the failing tests pass.
#[derive(Clone, Debug)]
pub struct EditsReport {
    pub repairs: Vec<EditReport>,
    pub tried: usize,
    /// Whether all were tried.
    pub complete: bool,
}

#[derive(Clone, Debug)]
pub struct EditReport {
    pub location: Option<Location>,
    pub statement: String,
    pub kind: &'static str,
    /// In words, such as "`<=` for `<`".
    pub text: String,
    /// Whether all other tests pass, too, if there are any.
    pub all_pass: Option<bool>,
}

pub fn edits_report(story: &Story<'_>, edits: &Edits) -> EditsReport {
    let program = story.failure.program;
    let repairs = edits.repairs.iter().map(|edit| EditReport {
        location: site_location(program, edit.site),
        statement: program.site(edit.site).text.clone(),
        kind: edit.change.name(),
        text: edit_text(story, edit),
        all_pass: edit.all_pass,
    });
    EditsReport { repairs: repairs.collect(), tried: edits.tried, complete: !edits.cut }
}

/// What is edited, such as "`<=` for `<`".
pub fn edit_text(story: &Story<'_>, edit: &Edit) -> String {
    let program = story.failure.program;
    let source = &program.site(edit.site).text;
    let name = |variable: Term| program.name(variable).to_owned();
    match &edit.change {
        Change::Operator { from, to } => match as_written(source, from, to) {
            Some((from, to)) => format!("`{to}` for `{from}`"),
            None => UNNAMED.to_owned(),
        },
        Change::Order => match as_written(source, "==", "==") {
            Some((from, _)) => format!("`<`, `<=`, `>` or `>=` for `{from}`"),
            None => UNNAMED.to_owned(),
        },
        Change::Constant { from, to } => {
            let (from, to) = (constant(from, program.language), constant(to, program.language));
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            match source.split(|c| !is_word(c)).any(|word| word == from) {
                true => format!("{to} for {from}"),
                false => UNNAMED.to_owned(),
            }
        }
        Change::Variable { from, to } => format!("`{}` for `{}`", name(*to), name(*from)),
        Change::Offset(by) if *by > 0 => "its value plus 1".to_owned(),
        Change::Offset(_) => "its value minus 1".to_owned(),
        Change::Element(by) if *by > 0 => "the next element".to_owned(),
        Change::Element(_) => "the element before".to_owned(),
        Change::Opposite => "the opposite condition".to_owned(),
        Change::Target { from, to } => format!("`{}` assigned, not `{}`", name(*to), name(*from)),
        Change::Exchange(first) => {
            let (first, second) = (first + 1, first + 2);
            format!("arguments {first} and {second} exchanged")
        }
        Change::Without => "a part of it left out".to_owned(),
    }
}

/// What is not in the source as it is in the program has no name there.
const UNNAMED: &str = "a small edit of it";

/// Operators as they are in the source: `a < b` may be written `b > a`, or as the negation of the condition that was tested. None if
/// they are not in it.
fn as_written<'a>(source: &str, from: &'a str, to: &'a str) -> Option<(&'a str, &'a str)> {
    let words: Vec<&str> = source.split(|c: char| !"<>=!&|+-*/%^".contains(c)).collect();
    let has = |operator: &str| words.contains(&operator);
    // A constant is taken to be written last.
    let turned = |to: &'a str| match constant_first(source) && (has("==") || has("!=")) {
        true => mirrored(to),
        false => to,
    };
    if has(from) {
        return Some((from, turned(to)));
    }
    for change in [mirrored, opposite, both] {
        let (other, instead) = (change(from), change(to));
        if has(other) {
            return Some((other, turned(instead)));
        }
    }
    None
}

/// Whether something is compared with a number that is written before it.
fn constant_first(source: &str) -> bool {
    let is_number = |text: &str| {
        let text = text.trim_start_matches([' ', '(', '-']);
        text.starts_with(|c: char| c.is_ascii_digit() || c == '\'')
    };
    let sides = source.split_once("==").or_else(|| source.split_once("!="));
    sides.is_some_and(|(left, right)| is_number(left) && !is_number(right))
}

fn mirrored(operator: &str) -> &str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        // A difference is a sum.
        "+" => "-",
        "-" => "+",
        other => other,
    }
}

fn opposite(operator: &str) -> &str {
    match operator {
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        ">=" => "<",
        "==" => "!=",
        "!=" => "==",
        "&&" => "||",
        "||" => "&&",
        other => other,
    }
}

fn both(operator: &str) -> &str {
    opposite(mirrored(operator))
}

fn constant(value: &Value, language: Language) -> String {
    match (value, language) {
        (Value::BitVec(bits), Language::C) => bits.signed().to_string(),
        (value, _) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::as_written;

    #[test]
    fn operators_are_those_of_the_source() {
        assert_eq!(as_written("a < b", "<", "<="), Some(("<", "<=")));
        assert_eq!(as_written("b > a", "<", "<="), Some((">", ">=")));
        assert_eq!(as_written("a >= b", "<", "<="), Some((">=", ">")));
        assert_eq!(as_written("x = a - b", "+", "-"), Some(("-", "+")));
        assert_eq!(as_written("b < a", "+", "-"), None);
        assert_eq!(as_written("x == 0", "==", "<="), Some(("==", "<=")));
        assert_eq!(as_written("0 == x", "==", "<="), Some(("==", ">=")));
        assert_eq!(as_written("x != 'a'", "==", "<"), Some(("!=", ">=")));
    }
}
