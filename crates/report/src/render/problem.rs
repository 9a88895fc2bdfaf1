//! A message about a place in a source file, such as a syntax error.

use std::fmt::Write;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use program::{FileId, SourceFile, Span};

use super::excerpt::{Excerpt, excerpt};
use super::style::{Colour, Style};
use crate::printable::printable;
use crate::report::Location;

pub fn problem(
    file: &SourceFile,
    span: Span,
    title: &str,
    help: Option<&str>,
    style: Style,
) -> String {
    let span = before_end(file, span);
    let (start, end) = (file.position(span.start), file.position(span.end));
    let (path, title) = (printable(&file.name).into_owned(), printable(title).into_owned());
    let span = Span { file: FileId(0), ..span };
    let location = Location { file: path.clone(), start, end, span, origin: None };
    let Excerpt { text, underlined } = shown(&excerpt(file, &location));
    let before = text[..underlined.start].chars().count();
    let snippet = Snippet::source(text)
        .line_start(start.line as usize)
        .annotation(AnnotationKind::Primary.span(underlined))
        .path(path.clone());
    let group = Level::ERROR.primary_title(title).element(snippet);
    let renderer = match style.colour {
        Colour::Off => Renderer::plain(),
        Colour::On => Renderer::styled(),
    };
    let mut out = renderer.decor_style(DecorStyle::Ascii).render(&[group]);
    // The column in an excerpt of a long line is not that in the file.
    let shown = format!("{path}:{}:{}", start.line, before + 1);
    out = out.replacen(&shown, &format!("{path}:{}:{}", start.line, start.column), 1);
    out.push('\n');
    if let Some(help) = help {
        let _ = writeln!(out, "help: {}", printable(help));
    }
    out
}

/// What can be shown of an excerpt.
fn shown(excerpt: &Excerpt) -> Excerpt {
    let Excerpt { text, underlined } = excerpt;
    let before = printable(&text[..underlined.start]);
    let own = printable(&text[underlined.clone()]);
    let after = printable(&text[underlined.end..]);
    let underlined = before.len()..before.len() + own.len();
    Excerpt { text: format!("{before}{own}{after}"), underlined }
}

/// What is missing at the end of a file is missing after its last word, not on an empty line.
fn before_end(file: &SourceFile, span: Span) -> Span {
    let end = file.text.trim_end().len() as u32;
    if span.start > end { Span { start: end, end, ..span } } else { span }
}
