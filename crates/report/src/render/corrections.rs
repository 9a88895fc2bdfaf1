//! Corrections, as text and as JSON.

use std::collections::BTreeSet;
use std::fmt::Write;

use localize::corrections::Minimality;
use serde_json::{Value, json as object};

use super::json::location;
use crate::corrections::{
    ChangeReport, CorrectionsReport, InsertionReport, InsteadReport, SetReport, SpotReport,
};

/// How many sets of each size are shown.
const MOST_SETS: usize = 10;
/// Longer statements are cut, and what follows shorter ones is aligned.
const WIDEST: usize = 60;
const WIDEST_ALIGNED: usize = 36;
/// How many lines are named in a sentence.
const MOST_LINES: usize = 12;
/// And where an assignment may be instead.
const MOST_PLACES: usize = 6;

pub fn corrections_text(report: &CorrectionsReport) -> String {
    let mut out = String::new();
    let mut said = false;
    for size in 1..=report.size {
        let sets: Vec<&SetReport> =
            report.sets.iter().filter(|set| set.changes.len() == size).collect();
        if sets.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{}", title(report, size, said));
        out += &rows(report, &sets[..sets.len().min(MOST_SETS)]);
        match sets.len().saturating_sub(MOST_SETS) {
            0 => {}
            1 => out += "  … and one more; --format json lists them all\n",
            n => {
                let _ = writeln!(out, "  … and {n} more; --format json lists them all");
            }
        }
        said = true;
    }
    if !report.insertions.is_empty() {
        out += &insertions(report, said);
        said = true;
    }
    if said {
        out.push('\n');
    }
    out += &certificate(report);
    out += &unchecked(report);
    out += &undecided(report);
    out += &lengths(report);
    out
}

/// Of how many sets nobody but the technique says that they are minimal.
fn unchecked(report: &CorrectionsReport) -> String {
    let claimed = |set: &&SetReport| set.changes.len() > 1 && set.minimality == Minimality::Claimed;
    let what = if report.size == 2 { "pair" } else { "set" };
    match report.sets.iter().filter(claimed).count() {
        0 => String::new(),
        n => {
            format!("That no part of it is enough has not been checked of {}.\n", counted(n, what))
        }
    }
}

/// What happens with a change.
fn success(report: &CorrectionsReport) -> String {
    match (&report.names, report.tests) {
        (Some(_), 0 | 1) => "the test would pass".to_owned(),
        (Some(_), n) => format!("these {n} failing tests would pass"),
        (None, 0 | 1) => "nothing would fail".to_owned(),
        (None, n) => format!("none of these {n} executions would fail"),
    }
}

fn title(report: &CorrectionsReport, size: usize, said: bool) -> String {
    let statements = match size {
        1 => "one of these statements".to_owned(),
        2 => "two statements".to_owned(),
        n => format!("{n} statements"),
    };
    let how = if size == 1 { "" } else { " together" };
    match said {
        false => format!("If {statements} did something else{how}, {}:", success(report)),
        true => format!("Or if {statements} did something else{how}:"),
    }
}

/// Assignments that may be missing.
fn insertions(report: &CorrectionsReport, said: bool) -> String {
    let places = Places::of(report);
    let mut out = match said {
        true => "Or an assignment may be missing:\n".to_owned(),
        false => format!("An assignment may be missing: with one of these, {}:\n", success(report)),
    };
    let place_width = |of: &InsertionReport| places.text(&of.before).chars().count();
    let shown = &report.insertions[..report.insertions.len().min(MOST_SETS)];
    let width = shown.iter().map(place_width).max().unwrap_or(0);
    for insertion in shown {
        let place = places.text(&insertion.before);
        let statement = cut(&insertion.before.statement);
        let value = insertion.values.iter().flatten().next();
        let variable = &insertion.variable;
        let mut what = match value {
            Some(value) => format!("to `{variable}`, such as {value}"),
            None => format!("to `{variable}`"),
        };
        let mut others =
            insertion.also_before.iter().filter(|spot| places.text(spot) != place).peekable();
        if others.peek().is_some() {
            what += &format!("; or before {}", places.named(others, "or", MOST_PLACES));
        }
        let _ = writeln!(out, "  {place:>width$} | before {statement}   {what}");
    }
    if report.insertions.len() > MOST_SETS {
        let more = report.insertions.len() - MOST_SETS;
        let _ = writeln!(out, "  … and {more} more; --format json lists them all");
    }
    out
}

/// A line for each statement; those of one set are joined by `+`.
fn rows(report: &CorrectionsReport, sets: &[&SetReport]) -> String {
    let places = Places::of(report);
    let shown: Vec<[String; 4]> = sets
        .iter()
        .flat_map(|set| {
            set.changes.iter().enumerate().map(|(number, change)| {
                let sign = if number > 0 { "+" } else { "" };
                let statement = cut(&change.spot.statement);
                let mut what = instead(report, change);
                if number + 1 == set.changes.len() && set.minimality == Minimality::Open {
                    what += "; a part of this may be enough";
                }
                [sign.to_owned(), places.text(&change.spot), statement, what]
            })
        })
        .collect();
    let lengths = |column: usize| shown.iter().map(move |row| row[column].chars().count());
    let place_width = lengths(1).max().unwrap_or(0);
    let width = lengths(2).filter(|&length| length <= WIDEST_ALIGNED).max().unwrap_or(0);
    let mut out = String::new();
    for [sign, place, statement, instead] in &shown {
        let line = format!("{sign:1} {place:>place_width$} | {statement:width$}   {instead}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// What a statement does instead: in the first test in which it has to.
fn instead(report: &CorrectionsReport, change: &ChangeReport) -> String {
    let mut known = change.instead.iter().enumerate();
    let Some((test, Some(instead))) = known.find(|(_, instead)| instead.is_some()) else {
        return String::new();
    };
    let mut text = instead.text.clone();
    match instead.executions {
        0 | 1 => {}
        2 => text += ", and something else once more",
        n => {
            let _ = write!(text, ", and something else {} more times", n - 1);
        }
    }
    let same = |other: &Option<InsteadReport>| {
        other.as_ref().is_some_and(|other| other.text == instead.text)
    };
    if !change.instead.iter().all(same) {
        let _ = match report.names.as_ref().and_then(|names| names.get(test)) {
            Some(name) => write!(text, " (test {name})"),
            None => write!(text, " (execution {})", test + 1),
        };
    }
    let mut against = change.instead.iter().flatten();
    if let Some(name) = against.find_map(|instead| instead.contradicted.as_ref()) {
        let _ = write!(text, "; unlike in test {name}, which passes");
    }
    text
}

/// That there are no others.
fn certificate(report: &CorrectionsReport) -> String {
    let statements = match report.size {
        1 => "one statement".to_owned(),
        2 => "one or two statements".to_owned(),
        n => format!("up to {n} statements"),
    };
    let certain = match &report.must {
        None if report.complete => format!(
            "No other change of {statements} was found; that there is none could not be checked."
        ),
        None => return String::new(),
        Some(must) if must.is_empty() => format!("No change of {statements} is enough."),
        Some(must) => format!(
            "That is all: without a change at {}, no change of {statements} is enough.",
            Places::of(report).sentence(must.iter(), "or")
        ),
    };
    let pointers = match report.pointers {
        true => {
            " Pointers were changed only to null, to others of the run, and to texts of the program."
        }
        false => "",
    };
    format!("{certain}{pointers}\n")
}

/// Of which runs all that is said.
fn lengths(report: &CorrectionsReport) -> String {
    let range = |numbers: &[u64]| match (numbers.iter().min(), numbers.iter().max()) {
        (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
        (least, _) => least.map_or(String::new(), u64::to_string),
    };
    let (longest, failing) = (range(&report.lengths), range(&report.failing));
    match report.lengths.len() {
        0 => String::new(),
        1 => format!("Runs of up to {longest} steps were tried; the failing one has {failing}.\n"),
        _ => format!(
            "Runs of up to {longest} steps were tried, depending on the test; the failing ones have {failing}.\n"
        ),
    }
}

/// What is not known, by reason.
fn undecided(report: &CorrectionsReport) -> String {
    let places = Places::of(report);
    let reasons: BTreeSet<&str> = report.undecided.iter().map(|open| open.why).collect();
    let mut out = String::new();
    for why in reasons {
        let open = || report.undecided.iter().filter(|open| open.why == why);
        let alone: Vec<&SpotReport> =
            open().filter(|o| o.spots.len() == 1).flat_map(|o| &o.spots).collect();
        let sets = open().filter(|o| o.spots.len() > 1).count();
        let mut parts = Vec::new();
        if !alone.is_empty() {
            let at = places.sentence(alone.iter().copied(), "and");
            parts.push(format!("{} ({at})", counted(alone.len(), "statement")));
        }
        if sets > 0 {
            let what = if report.size == 2 { "pair of statements" } else { "larger set" };
            parts.push(counted(sets, what));
        }
        // If no set was looked at, it is said of all.
        if parts.is_empty() {
            let others = if report.sets.is_empty() { "statements" } else { "others" };
            parts.push(format!("Which {others} could be changed"));
        }
        let _ = writeln!(out, "{} could not be decided: {why}.", parts.join(" and "));
    }
    out
}

fn counted(count: usize, what: &str) -> String {
    match (count, what.split_once(' ')) {
        (1, _) => format!("1 {what}"),
        (n, Some(("pair", rest))) => format!("{n} pairs {rest}"),
        (n, _) => format!("{n} {what}s"),
    }
}

/// How places are named: by their lines, and by their files if there are several.
struct Places {
    has_files: bool,
}

impl Places {
    fn of(report: &CorrectionsReport) -> Places {
        let changes = report.responsibility.iter().map(|(spot, _)| spot);
        let missing = report.insertions.iter().map(|insertion| &insertion.before);
        let others = report.insertions.iter().flat_map(|insertion| &insertion.also_before);
        let undecided = report.undecided.iter().flat_map(|open| &open.spots);
        let spots = changes.chain(missing).chain(others).chain(undecided);
        let files: BTreeSet<&str> =
            spots.filter_map(|spot| Some(spot.location.as_ref()?.file.as_str())).collect();
        Places { has_files: files.len() > 1 }
    }

    fn text(&self, spot: &SpotReport) -> String {
        match &spot.location {
            None => String::new(),
            Some(at) if self.has_files => format!("{}:{}", at.file, at.start.line),
            Some(at) => at.start.line.to_string(),
        }
    }

    /// Such as "line 3, 5 or 8".
    fn sentence<'r>(&self, spots: impl Iterator<Item = &'r SpotReport>, and: &str) -> String {
        self.named(spots, and, MOST_LINES)
    }

    fn named<'r>(
        &self,
        spots: impl Iterator<Item = &'r SpotReport>,
        and: &str,
        most: usize,
    ) -> String {
        let mut names: Vec<String> = Vec::new();
        for spot in spots {
            let name = self.text(spot);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let line = match names.len() {
            _ if self.has_files => "",
            2.. if and == "and" => "lines ",
            _ => "line ",
        };
        // One is named rather than counted.
        let rest = if names.len() > most + 1 { names.len() - most } else { 0 };
        names.truncate(names.len() - rest);
        let last = match rest {
            0 => names.pop().unwrap_or_default(),
            n => format!("{n} more"),
        };
        match names.is_empty() {
            true => format!("{line}{last}"),
            false => format!("{line}{} {and} {last}", names.join(", ")),
        }
    }
}

fn cut(text: &str) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = words.char_indices().nth(WIDEST) {
        words.truncate(cut);
        words.push('…');
    }
    words
}

pub fn corrections_value(report: &CorrectionsReport) -> Value {
    let places = |spots: &mut dyn Iterator<Item = &SpotReport>| -> Value {
        spots.map(|spot| location(spot.location.as_ref())).collect()
    };
    let spots = |set: &SetReport| places(&mut set.changes.iter().map(|change| &change.spot));
    let sets = report.sets.iter().map(spots);
    let undecided = report
        .undecided
        .iter()
        .map(|open| object!({ "statements": places(&mut open.spots.iter()), "reason": open.why }));
    let details = report.sets.iter().map(|set| {
        let statements: Vec<Value> =
            set.changes.iter().map(|change| change_value(report, change)).collect();
        let minimal = match set.minimality {
            Minimality::Open => "unknown",
            Minimality::Claimed => "unchecked",
            Minimality::Confirmed => "checked",
        };
        object!({ "statements": statements, "minimal": minimal })
    });
    let responsibility = report.responsibility.iter().map(|(spot, score)| {
        let mut value = spot_value(spot);
        value["score"] = (*score).into();
        value
    });
    let insertions = report.insertions.iter().map(|insertion| {
        object!({
            "before": spot_value(&insertion.before),
            "also_before": insertion.also_before.iter().map(spot_value).collect::<Vec<_>>(),
            "variable": insertion.variable,
            "values": insertion.values,
        })
    });
    object!({
        "sets": sets.collect::<Vec<_>>(),
        "must": report.must.as_ref().map(|must| places(&mut must.iter())),
        "size": report.size,
        "complete": report.complete,
        "lengths": report.lengths,
        "failing": report.failing,
        "pointers": report.pointers,
        "tests": report.tests,
        "undecided": undecided.collect::<Vec<_>>(),
        "details": details.collect::<Vec<_>>(),
        "insertions": insertions.collect::<Vec<_>>(),
        "responsibility": responsibility.collect::<Vec<_>>(),
    })
}

fn spot_value(spot: &SpotReport) -> Value {
    object!({ "location": location(spot.location.as_ref()), "statement": spot.statement })
}

/// What it does instead is said of the first test in which it has to; and of each, if there are several.
fn change_value(report: &CorrectionsReport, change: &ChangeReport) -> Value {
    let text = |instead: &InsteadReport| Value::from(instead.text.clone());
    let first = change.instead.iter().flatten().next();
    let mut value = spot_value(&change.spot);
    value["responsibility"] = change.responsibility.into();
    value["instead"] = first.map_or(Value::Null, text);
    value["executions"] = first.map_or(0, |instead| instead.executions).into();
    let against = change.instead.iter().flatten().find_map(|instead| instead.contradicted.clone());
    value["contradicted"] = against.into();
    if report.tests > 1 {
        let each = change.instead.iter().enumerate().map(|(number, instead)| {
            let name = report.names.as_ref().and_then(|names| names.get(number)).cloned();
            let executions = instead.as_ref().map_or(0, |known| known.executions);
            object!({
                "test": name,
                "instead": instead.as_ref().map(|known| known.text.clone()),
                "executions": executions,
            })
        });
        value["by_test"] = each.collect();
    }
    value
}

#[cfg(test)]
mod tests {
    use program::{FileId, Position, Span};

    use super::*;
    use crate::corrections::UndecidedReport;
    use crate::report::Location;

    fn spot(line: u32, statement: &str) -> SpotReport {
        let (start, end) = (Position { line, column: 5 }, Position { line, column: 9 });
        let span = Span { file: FileId(0), start: line, end: line };
        let location = Some(Location { file: "a.c".to_owned(), start, end, span, origin: None });
        SpotReport { location, statement: statement.to_owned() }
    }

    fn change(line: u32, statement: &str, instead: &[Option<&str>]) -> ChangeReport {
        let of = |text: &Option<&str>| {
            text.map(|text| InsteadReport {
                text: text.to_owned(),
                executions: 1,
                contradicted: None,
            })
        };
        let instead = instead.iter().map(of).collect();
        ChangeReport { spot: spot(line, statement), responsibility: 0.5, instead }
    }

    fn report(sets: Vec<Vec<ChangeReport>>, must: Option<Vec<SpotReport>>) -> CorrectionsReport {
        let complete = must.is_some();
        let of = |changes| SetReport { changes, minimality: Minimality::Confirmed };
        let sets = sets.into_iter().map(of).collect();
        CorrectionsReport {
            tests: 1,
            names: None,
            size: 2,
            complete,
            lengths: Vec::new(),
            failing: Vec::new(),
            pointers: false,
            sets,
            must,
            undecided: Vec::new(),
            insertions: Vec::new(),
            responsibility: Vec::new(),
        }
    }

    #[test]
    fn pairs_are_joined() {
        let set = vec![
            change(3, "x = 1", &[Some("`x = 2` instead of 1")]),
            change(12, "y > x", &[Some("decides otherwise")]),
        ];
        let mut report = report(vec![set], Some(vec![spot(3, "x = 1")]));
        (report.lengths, report.failing) = (vec![320], vec![120]);
        let text = corrections_text(&report);
        let expected = "If two statements did something else together, nothing would fail:\n\
            \x20  3 | x = 1   `x = 2` instead of 1\n\
            + 12 | y > x   decides otherwise\n\n\
            That is all: without a change at line 3, no change of one or two statements is enough.\n\
            Runs of up to 320 steps were tried; the failing one has 120.\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn who_says_that_a_set_is_minimal() {
        let set = || vec![change(3, "x = 1", &[Some("`x = 2`")]), change(4, "y = 1", &[None])];
        let mut report = report(vec![set(), set(), set()], None);
        report.sets[1].minimality = Minimality::Claimed;
        report.sets[2].minimality = Minimality::Open;
        let text = corrections_text(&report);
        assert_eq!(text.matches("a part of this may be enough").count(), 1, "{text}");
        assert!(text.contains("enough has not been checked of 1 pair."), "{text}");
        let json = corrections_value(&report);
        let minimal = |set: usize| json["details"][set]["minimal"].as_str().unwrap_or("");
        assert_eq!([0, 1, 2].map(minimal), ["checked", "unchecked", "unknown"]);
    }

    #[test]
    fn there_may_be_none() {
        let text = corrections_text(&report(Vec::new(), Some(Vec::new())));
        assert_eq!(text, "No change of one or two statements is enough.\n");
        let unchecked = CorrectionsReport { complete: true, ..report(Vec::new(), None) };
        let text = corrections_text(&unchecked);
        assert!(text.contains("that there is none could not be checked"), "{text}");
        let pointers = CorrectionsReport { pointers: true, ..unchecked };
        let text = corrections_text(&pointers);
        assert!(text.contains("Pointers were changed only to null"), "{text}");
    }

    #[test]
    fn what_is_not_known_is_said() {
        let open = |lines: &[u32], why| UndecidedReport {
            spots: lines.iter().map(|&line| spot(line, "x")).collect(),
            why,
        };
        let undecided = vec![
            open(&[3], "it is late"),
            open(&[5], "it is late"),
            open(&[3, 4], "it is late"),
            open(&[4, 6], "it is hard"),
        ];
        let text = corrections_text(&CorrectionsReport { undecided, ..report(Vec::new(), None) });
        let expected = "1 pair of statements could not be decided: it is hard.\n\
            2 statements (lines 3 and 5) and 1 pair of statements could not be decided: it is late.\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn tests_and_executions_are_told_apart() {
        let mut one = change(3, "x = 1", &[None, Some("`x = 2` instead of 1")]);
        if let Some(Some(instead)) = one.instead.get_mut(1) {
            instead.executions = 3;
            instead.contradicted = Some("good".to_owned());
        }
        let names = Some(vec!["first".to_owned(), "second".to_owned()]);
        let report = CorrectionsReport { tests: 2, names, ..report(vec![vec![one]], None) };
        let text = corrections_text(&report);
        let expected = "If one of these statements did something else, these 2 failing tests would pass:\n\
            \x20 3 | x = 1   `x = 2` instead of 1, and something else 2 more times (test second); \
            unlike in test good, which passes\n\n";
        assert_eq!(text, expected);
        let value = corrections_value(&report);
        assert_eq!(value["sets"][0][0]["line"], 3);
        assert_eq!(value["must"], Value::Null);
        let statement = &value["details"][0]["statements"][0];
        assert_eq!(statement["by_test"][0]["instead"], Value::Null);
        assert_eq!(statement["by_test"][1]["test"], "second");
        assert_eq!(statement["instead"], "`x = 2` instead of 1");
    }

    #[test]
    fn many_are_counted() {
        let sets = (1..=12).map(|line| vec![change(line, "x", &[Some("y")])]).collect();
        let must = (1..=14).map(|line| spot(line, "x")).collect();
        let text = corrections_text(&report(sets, Some(must)));
        assert!(text.contains("\n  … and 2 more; --format json lists them all\n"), "{text}");
        assert!(text.contains("10, 11, 12 or 2 more, no change"), "{text}");
    }
}
