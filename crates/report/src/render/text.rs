//! Text, for people: the failure and the suspects as a compiler would show them.

use std::fmt::Write;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};
use program::{SourceFile, Span};

use crate::report::{Location, Report};

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    Colour,
}

/// How many suspects are shown in full.
const MOST_SUSPECTS: usize = 5;
/// How many inputs are listed.
const MOST_INPUTS: usize = 8;

/// The report as text; `files` are the program's source files.
pub fn text(report: &Report, files: &[SourceFile], style: Style) -> String {
    let mut out = String::new();
    let failure = &report.failure;
    let title = match failure.traces {
        1 => failure.message.clone(),
        n => format!("{} (first of {n} failing traces)", failure.message),
    };
    out += &show(files, style, Level::ERROR, &title, failure.location.as_ref(), "");
    out += &inputs(report);
    let shown = report.suspects.iter().take(MOST_SUSPECTS);
    for suspect in shown {
        let title = format!("suspect {}: `{}`", suspect.rank, suspect.statement);
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
    out += &summary(report);
    out
}

fn inputs(report: &Report) -> String {
    let inputs = &report.failure.inputs;
    if inputs.is_empty() {
        return String::new();
    }
    let values: Vec<String> = inputs
        .iter()
        .take(MOST_INPUTS)
        .map(|input| match &input.location {
            None => format!("{} = {} at the start", input.name, input.value),
            Some(at) => format!("{} = {} at line {}", input.name, input.value, at.start.line),
        })
        .collect();
    let more = match inputs.len().saturating_sub(MOST_INPUTS) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    format!("It fails with {}{more}.\n", values.join(", "))
}

fn summary(report: &Report) -> String {
    let mut out = String::from("\n");
    if let Some(more) = report.suspects.len().checked_sub(MOST_SUSPECTS + 1) {
        let _ = writeln!(out, "{} more suspects; --format json lists them all.", more + 1);
    }
    if let Some(relevance) = &report.relevance {
        let count = |verdict| relevance.steps.iter().filter(|s| s.verdict == verdict).count();
        let (relevant, unknown) = (count("relevant"), count("unknown"));
        let _ = writeln!(
            out,
            "{relevant} of {} assignments on the failing trace ({} steps) {} relevant: \
             another value there prevents this failure. Every answer was checked.",
            relevance.steps.len(),
            report.failure.steps,
            if relevant == 1 { "is" } else { "are" },
        );
        if relevant == 0 && unknown == 0 {
            let _ = writeln!(
                out,
                "No single assignment is to blame: whatever constant one of them assigns, the \
                 failure happens."
            );
        }
        if unknown > 0 {
            let reason = relevance.steps.iter().find(|s| s.verdict == "unknown");
            let reason = reason.map_or("", |s| &s.reason);
            let _ = writeln!(out, "{unknown} could not be decided ({reason}).");
        }
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
    out
}

/// A message about a place in a source file, such as a syntax error.
pub fn problem(
    file: &SourceFile,
    span: Span,
    title: &str,
    help: Option<&str>,
    style: Style,
) -> String {
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

fn show(
    files: &[SourceFile],
    style: Style,
    level: Level<'_>,
    title: &str,
    location: Option<&Location>,
    label: &str,
) -> String {
    let title = level.primary_title(title.to_owned());
    let group = match location.and_then(|l| files.get(l.span.file.0 as usize).map(|f| (l, f))) {
        Some((location, file)) => {
            let (first, lines) = lines_around(file, location);
            let start = (location.span.start as usize).saturating_sub(first);
            let end = (location.span.end as usize).saturating_sub(first).clamp(start, lines.len());
            let annotation = AnnotationKind::Primary.span(start.min(lines.len())..end);
            let annotation = match label {
                "" => annotation,
                label => annotation.label(label.to_owned()),
            };
            title.element(
                Snippet::source(lines)
                    .path(location.file.clone())
                    .line_start(location.start.line as usize)
                    .annotation(annotation),
            )
        }
        None => Group::with_title(title),
    };
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let mut text = renderer.decor_style(DecorStyle::Ascii).render(&[group]);
    text.push('\n');
    text
}

/// The lines of a location (at most a few), and the offset at which they begin.
fn lines_around<'f>(file: &'f SourceFile, location: &Location) -> (usize, &'f str) {
    const MOST: usize = 2000;
    let text = &file.text;
    let from = (location.span.start as usize).min(text.len());
    let first = text[..from].rfind('\n').map_or(0, |newline| newline + 1);
    let to = (location.span.end as usize).clamp(from, text.len());
    let last = text[to..].find('\n').map_or(text.len(), |newline| to + newline);
    let mut last = last.min(first + MOST).max(to.min(first + MOST));
    while !text.is_char_boundary(last) {
        last -= 1;
    }
    (first, &text[first..last.max(first)])
}
