//! Text, for people: the failure as a compiler would show it, the suspects, how it came about, what to try next.
//!
//! It fits on one screen. Who asks for certain techniques gets all that these found.

use std::fmt::Write;

use program::SourceFile;

use super::causes::tree_text;
use super::chain::chain;
use super::source_line::{SourceLine, source_line};
use super::style::{Ink, Style};
use super::{baselines, changes, invariants, repair, suite};
use crate::printable::printable;
use crate::report::{Given, Input, Location, Report};

/// What is shown, and how.
#[derive(Clone, Debug)]
pub struct View {
    pub style: Style,
    /// How many suspects are shown.
    pub top: usize,
    pub scores: Scores,
    pub notes: Notes,
    /// What the user could do next, as sentences.
    pub next: Vec<String>,
}

/// Whether it is said what to know besides the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notes {
    Shown,
    Hidden,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    Hidden,
    /// With what they are made of.
    Explained,
}

/// How many causes are drawn, besides suspects and alone.
const MOST_CAUSES: usize = 12;
const MOST_CAUSES_ALONE: usize = 40;
/// How many inputs are listed.
const MOST_INPUTS: usize = 8;
/// Lines need not be longer than what can be read at a glance.
const WIDEST: usize = 100;

/// The report as text; `files` are the program's source files.
pub fn text(report: &Report, files: &[SourceFile], view: &View) -> String {
    let style = Style { width: view.style.width.clamp(40, WIDEST), ..view.style };
    let drawing = Drawing { report, files, view, style };
    let mut out = report.facts.suite.as_ref().map_or_else(String::new, suite::suite_text);
    out += &drawing.failure();
    // Who chooses another technique wants to know what it says.
    if !report.facts.chosen || report.relevance.is_some() {
        out += &drawing.suspects();
    }
    match report.facts.chosen {
        false => out += &drawing.chain(),
        true => {
            if let Some(tree) = &report.cascade {
                let most = if report.relevance.is_some() { MOST_CAUSES } else { MOST_CAUSES_ALONE };
                out += &tree_text(tree, most, style);
            }
            out += &drawing.counted();
            for section in sections(report) {
                out.truncate(out.trim_end().len());
                out += "\n\n";
                out += &drawing.prose(&section);
            }
        }
    }
    out += &drawing.last();
    style.finish(&out)
}

/// What the techniques found that have a section of their own.
fn sections(report: &Report) -> Vec<String> {
    let found = report.error_invariants.as_ref().map(|found| {
        let other = report.relevance.as_ref();
        let compared = other.and_then(|other| invariants::compared(found, other));
        invariants::invariants_text(found, &report.failure) + &compared.unwrap_or_default()
    });
    let changes = report.changes.as_ref().map(changes::changes_text);
    let repair = report.repair.as_ref().map(repair::repair_text);
    let slice = report.slice.as_ref().map(baselines::slice_text);
    let spectrum = report.spectrum.as_ref().map(baselines::spectrum_text);
    [found, changes, repair, slice, spectrum].into_iter().flatten().collect()
}

pub(super) struct Drawing<'a> {
    pub(super) report: &'a Report,
    pub(super) files: &'a [SourceFile],
    pub(super) view: &'a View,
    pub(super) style: Style,
}

impl Drawing<'_> {
    /// The failure as a compiler would show it, with its values and inputs.
    fn failure(&self) -> String {
        let (style, failure) = (self.style, &self.report.failure);
        let mut out = String::new();
        let more = match failure.traces {
            1 => String::new(),
            n => format!(" (first of {n} failing traces)"),
        };
        let place = failure.location.as_ref().map_or_else(String::new, |at| {
            let own = format!("{}:{}:{}", printable(&at.file), at.start.line, at.start.column);
            at.beside_origin(&own) + ": "
        });
        let first =
            format!("{}{} ", style.paint(Ink::Strong, &place), style.paint(Ink::Error, "error:"));
        // Colours have no width.
        let plain = format!("{place}error: ");
        let message = format!("{}{more}", shortened(&failure.message));
        let mut title = String::new();
        style.sentence(&mut title, &plain, "    ", &message);
        out += &title.replacen(&plain, &first, 1);
        if let Some(at) = &failure.location {
            let number = at.start.line.to_string();
            let values = self.report.cascade.as_ref().and_then(|tree| tree.causes.first());
            let values = values.map_or("", |root| root.values.as_str());
            let bar = style.paint(Ink::Frame, "|");
            let line = format!("{} {bar} ", style.paint(Ink::Frame, &number));
            let blank = format!("{} {bar} ", " ".repeat(number.len()));
            out += &self.underlined(at, [&line, &blank], number.len() + 3, Ink::Error, values);
        }
        out += &self.inputs();
        out
    }

    /// The first line of a location, underlined, and a note behind or below it.
    pub(super) fn underlined(
        &self,
        at: &Location,
        [line, blank]: [&str; 2],
        margin: usize,
        ink: Ink,
        note: &str,
    ) -> String {
        let Some(file) = self.files.get(at.span.file.0 as usize) else { return String::new() };
        let SourceLine { code, before, underlined } =
            source_line(file, at, self.style.width.saturating_sub(margin));
        let mut out = format!("{line}{code}\n{blank}{}", " ".repeat(before));
        out += &self.style.paint(ink, &"^".repeat(underlined));
        let fits = margin + before + underlined + 1 + note.chars().count() <= self.style.width;
        match note {
            "" => out.push('\n'),
            note if fits => out += &format!(" {}\n", self.style.paint(ink, note)),
            note => {
                out.push('\n');
                let first = format!("{blank}{note}");
                out += &format!("{first}\n");
            }
        }
        out
    }

    fn inputs(&self) -> String {
        let inputs = &self.report.failure.inputs;
        let given = self.report.facts.given.as_ref();
        let mut values = given.map_or_else(Vec::new, Given::sentences);
        values.extend(listed(&inputs[..inputs.len().min(MOST_INPUTS)]));
        if values.is_empty() {
            return String::new();
        }
        let more = match inputs.len().saturating_sub(MOST_INPUTS) {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        let mut out = String::new();
        let sentence = format!("It fails with {}{more}.", values.join(", "));
        self.style.sentence(&mut out, "", "  ", &sentence);
        out
    }

    /// The sentences of a section in lines of the width. Tables stay as they are.
    fn prose(&self, section: &str) -> String {
        let mut out = String::new();
        for line in section.lines() {
            let is_table = line.starts_with(' ') || line.contains(" | ");
            match is_table || line.chars().count() <= self.style.width {
                true => out += &format!("{line}\n"),
                false => self.style.sentence(&mut out, "", "", line),
            }
        }
        out
    }

    /// How it came about, in a few sentences.
    fn chain(&self) -> String {
        let Some(tree) = &self.report.cascade else { return String::new() };
        let sentences = chain(tree, &self.report.suspects);
        if sentences.is_empty() {
            return String::new();
        }
        let mut out = format!("\n{}\n", self.style.paint(Ink::Strong, "How it came about:"));
        for sentence in sentences {
            self.style.sentence(&mut out, "  ", "    ", &sentence);
        }
        out
    }

    /// How many assignments were looked at.
    fn counted(&self) -> String {
        let Some(relevance) = &self.report.relevance else { return String::new() };
        let mut lines = Vec::new();
        let count = |verdict| relevance.steps.iter().filter(|s| s.verdict == verdict).count();
        let (relevant, unknown) = (count("relevant"), count("unknown"));
        let steps = match self.report.failure.steps {
            1 => "1 step".to_owned(),
            n => format!("{n} steps"),
        };
        lines.push(match relevance.steps.len() {
            0 => format!("The failing trace ({steps}) has no assignment to suspect."),
            all => format!(
                "{relevant} of {all} assignments on the failing trace ({steps}) {} relevant: \
                 another value there prevents this failure. Every answer was checked.",
                if relevant == 1 { "is" } else { "are" },
            ),
        });
        if relevant == 0 && unknown == 0 {
            match relevance.trusted {
                0 if relevance.steps.is_empty() => {}
                0 => lines.push(
                    "No single assignment is to blame: whatever constant one of them assigns, the \
                     failure happens."
                        .to_owned(),
                ),
                1 => lines.push("1 assignment in trusted code was not examined.".to_owned()),
                n => lines.push(format!("{n} assignments in trusted code were not examined.")),
            }
        }
        if unknown > 0 {
            let reason = relevance.steps.iter().find(|s| s.verdict == "unknown");
            let reason = reason.map_or("", |s| &s.reason);
            lines.push(format!("{unknown} could not be decided ({reason})."));
        }
        let mut out = String::from("\n");
        for line in lines {
            self.style.sentence(&mut out, "", "", &line);
        }
        out
    }

    /// What to know besides, and what to try next.
    fn last(&self) -> String {
        if self.view.notes == Notes::Hidden {
            return String::new();
        }
        let mut out = String::new();
        for note in self.report.facts.notes.iter().chain(&self.report.gaps) {
            self.style.sentence(&mut out, "note: ", "  ", note);
        }
        if let Some(refuted) = self.report.refuted.first() {
            let claims = match self.report.refuted.len() {
                1 => "a claim did not pass its check and is not shown".to_owned(),
                n => format!("{n} claims did not pass their check and are not shown; the first"),
            };
            let text = format!("{claims} ({refuted}). Please report this as a bug in whydunit.");
            self.style.sentence(&mut out, "warning: ", "  ", &text);
        }
        if !out.is_empty() && !self.report.facts.chosen {
            out.insert(0, '\n');
        }
        if !self.view.next.is_empty() {
            let _ = write!(out, "\n{}\n", self.style.paint(Ink::Strong, "What to try next:"));
        }
        for hint in &self.view.next {
            self.style.sentence(&mut out, "  ", "    ", hint);
        }
        out
    }
}

/// Inputs in words; those that came in at the same place together.
fn listed(inputs: &[Input]) -> Vec<String> {
    let same = |a: &Input, b: &Input| {
        a.location.is_some() && (&a.name, &a.location) == (&b.name, &b.location)
    };
    let words = inputs.chunk_by(same).filter_map(|group| {
        let first = group.first()?;
        let values: Vec<&str> = group.iter().map(|input| input.value.as_str()).collect();
        let place = match &first.location {
            None => "at the start".to_owned(),
            Some(at) => format!("at line {}", at.start.line),
        };
        Some(format!("{} = {} {place}", first.name, values.join(", ")))
    });
    words.collect()
}

/// A sentence with a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).chain(['.']).collect()
}

/// Text for a title: on one line, and not too long.
pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 160;
    let mut words = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = words.char_indices().nth(LONGEST) {
        words.truncate(cut);
        words.push('…');
    }
    words
}
