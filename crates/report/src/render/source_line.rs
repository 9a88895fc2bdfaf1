//! One line of the source with a part underlined, in a limited width.

use program::SourceFile;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::excerpt::excerpt;
use crate::printable::printable;
use crate::report::Location;

const TAB: usize = 4;

/// A line of the source, without its indentation, and what to draw below it.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub code: String,
    /// Columns before the underlined part, and of it; never none.
    pub before: usize,
    pub underlined: usize,
}

/// The first line of a location, in at most so many columns.
pub fn source_line(file: &SourceFile, location: &Location, width: usize) -> SourceLine {
    let found = excerpt(file, location);
    let (start, end) = (found.underlined.start, found.underlined.end);
    let line_end = found.text[start..].find('\n').map_or(found.text.len(), |at| start + at);
    let line = found.text[..line_end].trim_end_matches('\r');
    let end = end.min(line.len()).max(start.min(line.len()));
    let start = start.min(end);
    let indent = line.len() - line.trim_start().len();
    let indent = indent.min(start);
    let before = plain(&line[indent..start]);
    let own = plain(&line[start..end]);
    let after = plain(line[end..].trim_end());
    fit(&before, &own, &after, width)
}

/// Tabs would move the underline.
fn plain(text: &str) -> String {
    printable(text).replace('\t', &" ".repeat(TAB))
}

/// The underlined part matters most, then what is before it.
fn fit(before: &str, own: &str, after: &str, width: usize) -> SourceLine {
    const CUT: &str = "...";
    let room = width.max(4 * CUT.len());
    let total = before.width() + own.width() + after.width();
    if total <= room {
        let (before_width, underlined) = (before.width(), own.width().max(1));
        return SourceLine {
            code: format!("{before}{own}{after}"),
            before: before_width,
            underlined,
        };
    }
    let least_own = own.width().min(room - 2 * CUT.len());
    // As much of the beginning as leaves room for the part itself.
    let left = if before.width() + least_own + CUT.len() <= room {
        before.to_owned()
    } else {
        let kept = (room - 2 * CUT.len()).saturating_sub(least_own);
        format!("{CUT}{}", last(before, kept))
    };
    let rest = room - left.width();
    if own.width() + after.width() <= rest {
        let (before, underlined) = (left.width(), own.width().max(1));
        return SourceLine { code: format!("{left}{own}{after}"), before, underlined };
    }
    let shown = first(&format!("{own}{after}"), rest - CUT.len()).to_owned();
    let underlined = own.width().min(shown.width()).max(1);
    SourceLine { code: format!("{left}{shown}{CUT}"), before: left.width(), underlined }
}

/// The beginning of a text, in so many columns.
fn first(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let fits = |(_, letter): &(usize, char)| {
        used += letter.width().unwrap_or(0);
        used <= columns
    };
    let end = text.char_indices().take_while(fits).last();
    &text[..end.map_or(0, |(at, letter)| at + letter.len_utf8())]
}

/// The end of a text, in so many columns.
fn last(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let fits = |(_, letter): &(usize, char)| {
        used += letter.width().unwrap_or(0);
        used <= columns
    };
    let start = text.char_indices().rev().take_while(fits).last();
    &text[start.map_or(text.len(), |(at, _)| at)..]
}

#[cfg(test)]
mod tests {
    use program::{FileId, Span};

    use super::*;

    /// The line and what is drawn below it, for the part between the bars.
    fn drawn(text: &str, width: usize) -> (String, String) {
        let start = text.find('|').expect("a bar");
        let plain = text.replace('|', "");
        let end = text[start + 1..].find('|').expect("a bar") + start;
        let file = SourceFile::new("f", &plain);
        let span = Span { file: FileId(0), start: start as u32, end: end as u32 };
        let (from, to) = (file.position(span.start), file.position(span.end));
        let location = Location { file: "f".to_owned(), start: from, end: to, span, origin: None };
        let line = source_line(&file, &location, width);
        assert!(line.code.width() <= width.max(12), "{line:?}");
        (line.code, format!("{}{}", " ".repeat(line.before), "^".repeat(line.underlined)))
    }

    fn is(text: &str, width: usize, code: &str, below: &str) {
        assert_eq!(drawn(text, width), (code.to_owned(), below.to_owned()));
    }

    #[test]
    fn lines_that_fit() {
        is("\n\tif (|a > b|) // why\nx", 40, "if (a > b) // why", "    ^^^^^");
        is("x\ta = |b|;\r\n", 40, "x    a = b;", "         ^");
        is("s = \"日本\" + |t|;", 40, "s = \"日本\" + t;", "             ^");
        is("  |return a +\n    b|;", 40, "return a +", "^^^^^^^^^^");
        is("a||", 40, "a", " ^");
        is(
            "s = \"\x1b\u{202e}\" + |t|;",
            40,
            "s = \"\\x1b\\u{202e}\" + t;",
            "                     ^",
        );
    }

    #[test]
    fn long_lines_are_cut() {
        let (code, below) =
            drawn("first_part(of_the_line, |the_part|, and_what_is_behind_it);", 36);
        assert_eq!(code, "first_part(of_the_line, the_part,...");
        assert_eq!(below.trim_start().len(), 8);
        let (code, below) =
            drawn("first_part(of_the_line, |the_part|, and_what_is_behind_it);", 20);
        assert_eq!(code, "...line, the_part...");
        assert_eq!(&code[below.find('^').expect("a mark")..below.len()], "the_part");
        let (code, below) = drawn("aaaaaaaaaaaa |bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb| c", 20);
        assert_eq!(code.len(), 20);
        assert!(code[..below.len()].ends_with("bbb"), "{code}\n{below}");
    }
}
