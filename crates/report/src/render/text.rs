//! Text, for people: the failure and the suspects as a compiler would show them.

use std::fmt::Write;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use localize::relevance::Role;
use program::{SourceFile, Span};

use super::causes::tree_text;
use super::excerpt::{Excerpt, excerpt};
use crate::report::{Given, Location, Report, Suspect, Wording};

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Colour,
}

/// How many suspects are shown in full.
const MOST_SUSPECTS: usize = 5;
/// How many causes are drawn, besides suspects and alone.
const MOST_CAUSES: usize = 12;
const MOST_CAUSES_ALONE: usize = 40;
/// How many inputs are listed.
const MOST_INPUTS: usize = 8;

/// The report as text; `files` are the program's source files.
pub fn text(report: &Report, files: &[SourceFile], style: Style) -> String {
    let mut out = String::new();
    let failure = &report.failure;
    let title = match failure.traces {
        1 => shortened(&failure.message),
        n => format!("{} (first of {n} failing traces)", shortened(&failure.message)),
    };
    out += &show(files, style, Level::ERROR, &title, failure.location.as_ref(), "");
    out += &inputs(report);
    // Who chooses another technique wants to know what it says.
    let lists = !report.facts.chosen || report.relevance.is_some();
    let shown = report.suspects.iter().take(MOST_SUSPECTS);
    for suspect in shown.filter(|_| lists) {
        let role = suspect.role.map_or_else(String::new, |role| format!(" ({})", role.name()));
        let title = format!("suspect {}: {}{role}", suspect.rank, named(suspect));
        out.push('\n');
        out += &show(
            files,
            style,
            Level::NOTE.no_name(),
            &title,
            suspect.location.as_ref(),
            &suspect.why,
        );
    }
    if let Some(tree) = &report.cascade {
        let most = if report.relevance.is_some() { MOST_CAUSES } else { MOST_CAUSES_ALONE };
        out += &tree_text(tree, most);
    }
    out += &summary(report);
    out
}

fn inputs(report: &Report) -> String {
    let inputs = &report.failure.inputs;
    let mut values = report.facts.given.as_ref().map_or_else(Vec::new, Given::sentences);
    values.extend(inputs.iter().take(MOST_INPUTS).map(|input| match &input.location {
        None => format!("{} = {} at the start", input.name, input.value),
        Some(at) => format!("{} = {} at line {}", input.name, input.value, at.start.line),
    }));
    if values.is_empty() {
        return String::new();
    }
    let more = match inputs.len().saturating_sub(MOST_INPUTS) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    format!("It fails with {}{more}.\n", values.join(", "))
}

fn summary(report: &Report) -> String {
    let mut out = String::from("\n");
    let lists = !report.facts.chosen || report.relevance.is_some();
    let more = report.suspects.len().checked_sub(MOST_SUSPECTS + 1);
    if let Some(more) = more.filter(|_| lists) {
        let _ = match more + 1 {
            1 => writeln!(out, "There is one more suspect; --format json lists them all."),
            n => writeln!(out, "There are {n} more suspects; --format json lists them all."),
        };
    }
    if let Some(relevance) = &report.relevance {
        let count = |verdict| relevance.steps.iter().filter(|s| s.verdict == verdict).count();
        let (relevant, unknown) = (count("relevant"), count("unknown"));
        let steps = match report.failure.steps {
            1 => "1 step".to_owned(),
            n => format!("{n} steps"),
        };
        if relevance.steps.is_empty() {
            let _ = writeln!(out, "The failing trace ({steps}) has no assignment to suspect.");
        } else {
            let _ = writeln!(
                out,
                "{relevant} of {} assignments on the failing trace ({steps}) {} relevant: \
                 another value there prevents this failure. Every answer was checked.",
                relevance.steps.len(),
                if relevant == 1 { "is" } else { "are" },
            );
        }
        if relevant == 0 && unknown == 0 {
            let _ = match relevance.trusted {
                0 if relevance.steps.is_empty() => Ok(()),
                0 => writeln!(
                    out,
                    "No single assignment is to blame: whatever constant one of them assigns, the \
                     failure happens."
                ),
                1 => writeln!(out, "1 assignment in trusted code was not examined."),
                n => writeln!(out, "{n} assignments in trusted code were not examined."),
            };
        }
        if unknown > 0 {
            let reason = relevance.steps.iter().find(|s| s.verdict == "unknown");
            let reason = reason.map_or("", |s| &s.reason);
            let _ = writeln!(out, "{unknown} could not be decided ({reason}).");
        }
    }
    let is_role = |role| lists && report.suspects.iter().any(|s| s.role == Some(role));
    if is_role(Role::Enforcing) {
        let _ = writeln!(out, "Enforcing: as written, the statement cannot avoid this failure.");
    }
    if is_role(Role::Admitting) {
        let _ = writeln!(out, "Admitting: it need not lead to this failure, but it may.");
    }
    for note in report.facts.notes.iter().chain(&report.gaps) {
        let _ = writeln!(out, "note: {note}");
    }
    for refuted in &report.refuted {
        let _ = writeln!(
            out,
            "warning: a claim did not pass its check and is not shown ({refuted}). Please report \
             this as a bug in whydunit."
        );
    }
    // After the tree alone there is nothing to sum up.
    if out == "\n" { String::new() } else { out }
}

fn named(suspect: &Suspect) -> String {
    let text = shortened(&suspect.statement);
    match suspect.wording {
        Wording::Code => format!("`{text}`"),
        Wording::Words => text,
    }
}

/// Text for a title: on one line, and not too long.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 160;
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = words.char_indices().nth(LONGEST) {
        words.truncate(cut);
        words.push('…');
    }
    words
}

/// A message about a place in a source file, such as a syntax error.
pub fn problem(
    file: &SourceFile,
    span: Span,
    title: &str,
    help: Option<&str>,
    style: Style,
) -> String {
    let span = before_end(file, span);
    let location = Location {
        file: file.name.clone(),
        start: file.position(span.start),
        end: file.position(span.end),
        span: Span { file: program::FileId(0), ..span },
    };
    let files = std::slice::from_ref(file);
    let mut out = show(files, style, Level::ERROR, title, Some(&location), "");
    if let Some(help) = help {
        let _ = writeln!(out, "help: {help}");
    }
    out
}

/// What is missing at the end of a file is missing after its last word, not on an empty line.
fn before_end(file: &SourceFile, span: Span) -> Span {
    let end = file.text.trim_end().len() as u32;
    if span.start > end { Span { start: end, end, ..span } } else { span }
}

fn show(
    files: &[SourceFile],
    style: Style,
    level: Level<'_>,
    title: &str,
    location: Option<&Location>,
    label: &str,
) -> String {
    let title = level.primary_title(title.to_owned());
    let mut header = None;
    let group = match location.and_then(|l| files.get(l.span.file.0 as usize).map(|f| (l, f))) {
        Some((location, file)) => {
            let Excerpt { text, underlined } = excerpt(file, location);
            let (path, line) = (&location.file, location.start.line);
            let before = text[..underlined.start].chars().count();
            header = Some((
                format!("{path}:{line}:{}", before + 1),
                format!("{path}:{line}:{}", location.start.column),
            ));
            let annotation = AnnotationKind::Primary.span(underlined);
            let annotation = match label {
                "" => annotation,
                label => annotation.label(label.to_owned()),
            };
            let snippet = Snippet::source(text).line_start(line as usize).annotation(annotation);
            title.element(snippet.path(path.clone()))
        }
        None => Group::with_title(title),
    };
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let mut text = renderer.decor_style(DecorStyle::Ascii).render(&[group]);
    // The column in an excerpt of a long line is not that in the file.
    if let Some((shown, right)) = header
        && shown != right
    {
        text = text.replacen(&shown, &right, 1);
    }
    text.push('\n');
    text
}
