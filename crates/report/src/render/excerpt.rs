//! The lines of a source file that are shown for a location.
//!
//! Usually they are the lines of the location. Programs that were made by programs have lines of a
//! megabyte and statements of a thousand lines; of these the beginning of the location is shown.

use std::ops::Range;

use program::SourceFile;

use crate::report::Location;

/// Longer lines are not shown whole, and more lines neither.
const LONGEST_LINE: usize = 2000;
const MOST_LINES: usize = 6;
/// How much of a long line is shown before the location, and from its start on.
const BEFORE: usize = 40;
const AFTER: usize = 200;
/// Where a line was cut. Plain letters, because it is above an underline.
const CUT: &str = "...";

/// A piece of source text with a part to underline.
#[derive(Debug, PartialEq, Eq)]
pub struct Excerpt {
    pub text: String,
    /// In bytes of the text.
    pub underlined: Range<usize>,
}

/// What to show for a location of this file.
pub fn excerpt(file: &SourceFile, location: &Location) -> Excerpt {
    let text: &str = &file.text;
    let start = boundary(text, location.span.start as usize);
    let mut end = boundary(text, location.span.end as usize).max(start);
    if text[start..end].lines().count() > MOST_LINES {
        end = end_of_line(text, start);
    }
    let first = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let last = end_of_line(text, end).max(end);
    if text[first..last].lines().all(|line| line.len() <= LONGEST_LINE) {
        let text = text[first..last].to_owned();
        return Excerpt { text, underlined: start - first..end - first };
    }
    // One line: the text around the start.
    let line_end = end_of_line(text, start);
    let from = boundary(text, start.saturating_sub(BEFORE)).max(first);
    let to = boundary(text, start.saturating_add(AFTER)).min(line_end).max(start);
    let before = if from > first { CUT } else { "" };
    let after = if to < line_end { CUT } else { "" };
    let shift = |at: usize| at - from + before.len();
    Excerpt {
        text: format!("{before}{}{after}", &text[from..to]),
        underlined: shift(start)..shift(end.min(to)),
    }
}

/// Where the line of an offset ends, without its line break.
fn end_of_line(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    if text[at..end].ends_with('\r') { end - 1 } else { end }
}

/// The last place at or before this offset where the text can be cut.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use program::{FileId, Span};

    use super::*;

    fn of(text: &str, start: usize, end: usize) -> Excerpt {
        let file = SourceFile::new("f", text);
        let span = Span { file: FileId(0), start: start as u32, end: end as u32 };
        let (from, to) = (file.position(span.start), file.position(span.end));
        excerpt(&file, &Location { file: "f".to_owned(), start: from, end: to, span, origin: None })
    }

    fn underlined(excerpt: &Excerpt) -> &str {
        &excerpt.text[excerpt.underlined.clone()]
    }

    #[test]
    fn short_lines_are_shown_whole() {
        let found = of("one\r\ntwo three\r\nfour", 9, 14);
        assert_eq!((found.text.as_str(), underlined(&found)), ("two three", "three"));
        let found = of("one\ntwo three\nfour\nfive", 4, 18);
        assert_eq!(underlined(&found), "two three\nfour");
        assert_eq!(of("", 0, 0).text, "");
        assert_eq!(of("a\n", 2, 2).text, "");
    }

    #[test]
    fn long_lines_are_cut_around_the_location() {
        let text = format!("é\n{}x := 1;{}\n", "ü".repeat(5_000), "ä".repeat(5_000));
        let start = 3 + 10_000;
        let found = of(&text, start, start + 6);
        assert_eq!(underlined(&found), "x := 1");
        assert!(found.text.starts_with(CUT) && found.text.len() < 300);
        let found = of(&text, start, start + 7_001);
        assert!(underlined(&found).starts_with("x := 1;ä") && found.text.ends_with(CUT));
        let found = of(&text, 3, 5_003);
        assert!(found.text.starts_with('ü') && found.text.len() < 300, "{found:?}");
    }

    #[test]
    fn of_long_statements_the_first_line_is_shown() {
        let text = format!("a :=\n{}1;", "1 +\n".repeat(9_000));
        let found = of(&text, 0, text.len());
        assert_eq!((found.text.as_str(), underlined(&found)), ("a :=", "a :="));
    }

    #[test]
    fn no_location_is_out_of_range() {
        let text = format!("é{}\n\nü", "x".repeat(3_000));
        for start in (0..text.len() + 3).step_by(7) {
            for end in [0, start, start + 1, start + 900, text.len(), usize::MAX >> 40] {
                let found = of(&text, start, end);
                let _ = underlined(&found);
            }
        }
    }
}
