//! The part of the page that needs no script: the failure and the suspects. The rest is empty places for the scripts.

use std::fmt::Write;

use program::SourceFile;

use crate::printable::printable;
use crate::render::suite::suite_text;
use crate::report::{Given, Location, Report, Suspect, Wording};

/// How many suspects are written out; the script lists all.
const MOST_SUSPECTS: usize = 50;
/// How many inputs are listed.
const MOST_INPUTS: usize = 12;

/// Text for HTML, also within quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in printable(text).chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            _ => out.push(character),
        }
    }
    out
}

/// A sentence in which code is in backticks.
pub fn sentence(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((code, after)) = after.split_once('`') else { break };
        let _ = write!(out, "{}<code>{}</code>", escaped(before), escaped(code));
        rest = after;
    }
    out + &escaped(rest)
}

pub fn body(report: &Report, files: &[SourceFile]) -> String {
    let mut out = String::from("<a class=\"skip\" href=\"#panels\">Skip to the explanation</a>\n");
    out += &header(report);
    out += "<main>\n<section id=\"source\" aria-label=\"Source\"></section>\n<section id=\"panels\" aria-label=\"Explanation\" tabindex=\"-1\">\n<div id=\"suspects\">\n";
    out += &suspects(report, files);
    out += "</div>\n<noscript><p>With JavaScript, this page also shows the source, the time line of the failing run, its causes and what else is known.</p></noscript>\n</section>\n</main>\n";
    out += &notes(report);
    out
}

fn header(report: &Report) -> String {
    let failure = &report.failure;
    let place = failure.location.as_ref().map_or_else(String::new, |at| {
        format!(" <span class=\"place\">{}</span>", escaped(&at.line()))
    });
    let more = match failure.traces {
        1 => String::new(),
        n => format!(" (first of {n} failing traces)"),
    };
    let mut out = format!(
        "<header>\n<p class=\"kind\"><span class=\"badge\">{}</span>{place}</p>\n<h1>{}{more}</h1>\n",
        escaped(&failure.kind.replace(['_', '-'], " ")),
        sentence(&with_capital(&failure.message)),
    );
    let mut facts = Vec::new();
    let mut given = report.facts.given.as_ref().map_or_else(Vec::new, Given::sentences);
    given.extend(failure.inputs.iter().take(MOST_INPUTS).map(|input| match &input.location {
        None => format!("{} = {} at the start", input.name, input.value),
        Some(at) => format!("{} = {} at line {}", input.name, input.value, at.start.line),
    }));
    let left = failure.inputs.len().saturating_sub(MOST_INPUTS);
    if !given.is_empty() {
        let more = if left > 0 { format!(", and {left} more") } else { String::new() };
        facts.push(format!("It fails with {}{more}.", given.join(", ")));
    }
    if let Some(suite) = &report.facts.suite {
        facts.extend(suite_text(suite).lines().map(|line| {
            let line = line.trim_end_matches(':');
            if line.ends_with('.') { line.to_owned() } else { format!("{line}.") }
        }));
    }
    for fact in facts.iter().filter(|fact| fact.len() > 1) {
        let _ = writeln!(out, "<p class=\"fact\">{}</p>", escaped(fact));
    }
    out + "</header>\n"
}

fn suspects(report: &Report, files: &[SourceFile]) -> String {
    let mut out = String::from("<h2>Suspects</h2>\n");
    if report.suspects.is_empty() {
        out += match &report.relevance {
            Some(relevance) if relevance.complete => {
                "<p>No single statement is to blame: whatever value one of them assigns, the failure happens.</p>\n"
            }
            Some(_) => "<p>No statement could be shown to be responsible.</p>\n",
            None => "<p>Which statements are responsible was not asked.</p>\n",
        };
        return out;
    }
    out += "<ol class=\"suspects\">\n";
    for suspect in report.suspects.iter().take(MOST_SUSPECTS) {
        out += &entry(suspect, files);
    }
    out += "</ol>\n";
    let more = report.suspects.len().saturating_sub(MOST_SUSPECTS);
    if more > 0 {
        let _ =
            writeln!(out, "<p>There are {more} more suspects; --format json lists them all.</p>");
    }
    out
}

fn entry(suspect: &Suspect, files: &[SourceFile]) -> String {
    let statement = match suspect.wording {
        Wording::Code => format!("<code>{}</code>", escaped(&suspect.statement)),
        Wording::Words => sentence(&suspect.statement),
    };
    let at = suspect.location.as_ref();
    let place = at.map_or_else(String::new, |at| {
        format!("<span class=\"place\">{}</span>", escaped(&at.line()))
    });
    let line = at.and_then(|at| line(files, at)).unwrap_or_default();
    let line = match line.is_empty() {
        true => String::new(),
        false => format!("<pre class=\"line\">{}</pre>", escaped(line)),
    };
    let percent = (suspect.score * 100.0).round();
    format!(
        "<li data-rank=\"{}\">\n<p class=\"what\"><span class=\"rank\">{}</span> {statement} {place}</p>\n\
         <p class=\"score\" title=\"score {:.3} of 1\"><span class=\"bar\" style=\"width:{percent}%\"></span></p>\n\
         {line}<p class=\"why\">{}</p>\n</li>\n",
        suspect.rank,
        suspect.rank,
        suspect.score,
        sentence(&as_sentence(&suspect.why)),
    )
}

fn with_capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

fn as_sentence(text: &str) -> String {
    let all = with_capital(text);
    if all.is_empty() || all.ends_with('.') { all } else { all + "." }
}

fn line<'f>(files: &'f [SourceFile], at: &Location) -> Option<&'f str> {
    let text = files.get(at.span.file.0 as usize)?.text.lines();
    text.map(str::trim).nth((at.start.line as usize).checked_sub(1)?)
}

fn notes(report: &Report) -> String {
    let refuted = report.refuted.iter().map(|refuted| {
        format!(
            "A claim did not pass its check and is not shown ({refuted}). Please report this as a bug in \
             whydunit."
        )
    });
    let notes: Vec<String> =
        report.facts.notes.iter().chain(&report.gaps).cloned().chain(refuted).collect();
    let mut out = String::from("<footer>\n");
    if !notes.is_empty() {
        out += "<h2>Notes</h2>\n<ul>\n";
        for note in notes {
            let _ = writeln!(out, "<li>{}</li>", sentence(&note));
        }
        out += "</ul>\n";
    }
    let _ = writeln!(out, "<p>Made by whydunit {}.</p>\n</footer>", env!("CARGO_PKG_VERSION"));
    out
}
