//! The tree of causes as a graph, for Graphviz: `dot -Tsvg`.
//!
//! Conditions are nodes, and so are the statements that made them hold. Arrows lead from causes to what they cause, so the
//! failure is at the top. An influence that was not seen in another run, and is only possible, is dashed.

use std::fmt::Write;

use crate::causes::{CauseReport, CauseStatement, InfluenceReport};
use crate::printable::printable;
use crate::report::{Location, Report};

/// The text of a node is cut after so many characters.
const LONGEST: usize = 200;

/// The tree of causes as a graph; without one, only the failure.
pub fn dot(report: &Report) -> String {
    let causes = report.cascade.as_ref().map_or(&[][..], |tree| &tree.causes);
    let mut out = String::from("digraph whydunit {\n");
    out += "  rankdir=BT;\n  node [fontname=\"monospace\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=9];\n";
    let incomplete = report.cascade.as_ref().and_then(|tree| tree.incomplete.as_ref());
    if let Some(why) = incomplete {
        let _ = writeln!(out, "  label=\"The tree of causes is not complete: {}\";", escaped(why));
    }
    if causes.is_empty() {
        let failure = &report.failure;
        node(&mut out, "c0", FAILURE, failure.location.as_ref(), &[&failure.message], "");
    }
    for (id, cause) in causes.iter().enumerate() {
        entry(&mut out, id, cause);
    }
    for (id, cause) in causes.iter().enumerate() {
        for arrow in arrows(cause) {
            let style = if arrow.confirmed { "solid" } else { "dashed" };
            let _ = writeln!(
                out,
                "  c{} -> c{id} [label=\"{}\", style={style}, tooltip=\"{}\"];",
                arrow.from,
                escaped(&arrow.kinds.join(", ")),
                escaped(arrow.sentence)
            );
        }
    }
    out + "}\n"
}

/// All influences of one condition.
struct Arrow<'r> {
    from: usize,
    kinds: Vec<&'static str>,
    confirmed: bool,
    sentence: &'r str,
}

fn arrows(cause: &CauseReport) -> Vec<Arrow<'_>> {
    let mut arrows: Vec<Arrow<'_>> = Vec::new();
    for influence in &cause.influences {
        let InfluenceReport { cause: from, kind, confirmed, sentence } = influence;
        match arrows.iter_mut().find(|arrow| arrow.from == *from) {
            Some(arrow) => {
                arrow.kinds.push(kind);
                // What was seen says more.
                if *confirmed && !arrow.confirmed {
                    (arrow.confirmed, arrow.sentence) = (true, sentence);
                }
            }
            None => {
                let (from, confirmed) = (*from, *confirmed);
                arrows.push(Arrow { from, kinds: vec![kind], confirmed, sentence });
            }
        }
    }
    arrows
}

const FAILURE: &str = "shape=octagon, color=red";
const CONDITION: &str = "shape=box, style=rounded";
const STATEMENT: &str = "shape=box, style=filled, fillcolor=lightyellow";

/// A condition, and what made it hold.
fn entry(out: &mut String, id: usize, cause: &CauseReport) {
    let look = if id == 0 { FAILURE } else { CONDITION };
    let times = match cause.executions() {
        0 | 1 => String::new(),
        times => format!("one of {times} times"),
    };
    let texts = [cause.held.as_str(), times.as_str()];
    node(out, &format!("c{id}"), look, cause.location.as_ref(), &texts, &cause.why);
    for (number, statement) in cause.statements.iter().enumerate() {
        let CauseStatement { location, text, value, executions } = statement;
        let times = if *executions > 1 { format!("{executions} times") } else { String::new() };
        let name = format!("c{id}s{number}");
        node(out, &name, STATEMENT, location.as_ref(), &[text, value, &times], "");
        let _ = writeln!(out, "  {name} -> c{id} [arrowhead=open];");
    }
}

fn node(
    out: &mut String,
    name: &str,
    look: &str,
    location: Option<&Location>,
    texts: &[&str],
    tooltip: &str,
) {
    let place = location.map(Location::line);
    let lines = place.iter().map(String::as_str).chain(texts.iter().copied());
    // `\l` ends a line that begins at the left.
    let label: String =
        lines.filter(|line| !line.is_empty()).map(|line| escaped(line) + "\\l").collect();
    let _ = write!(out, "  {name} [{look}, label=\"{label}\"");
    if !tooltip.is_empty() {
        let _ = write!(out, ", tooltip=\"{}\"", escaped(tooltip));
    }
    *out += "];\n";
}

/// A text inside quotation marks. Graphviz has escape sequences, and entities as in HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, letter) in printable(text).chars().enumerate() {
        if number == LONGEST {
            out.push('…');
            break;
        }
        match letter {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '&' => out += "&amp;",
            '\n' => out += "\\l",
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        assert_eq!(escaped("s == \"a\\n\" && x"), "s == \\\"a\\\\n\\\" &amp;&amp; x");
        assert_eq!(escaped("a\nb\tc"), "a\\lb c");
        assert_eq!(escaped("\x1b[2J"), "\\\\x1b[2J");
        assert_eq!(escaped(&"x".repeat(300)).chars().count(), LONGEST + 1);
    }
}
