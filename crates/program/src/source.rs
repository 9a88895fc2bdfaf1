//! Source files and places in them.

use std::sync::Arc;

use crate::syntax::Syntax;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A piece of a source file, in bytes; `end` is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

/// A line and a column, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    pub text: Arc<str>,
    line_starts: Vec<u32>,
    /// Where its parts come from, in their order, if a tool made them of something else and says so.
    pub origins: Vec<Origin>,
    /// Its expressions and statements as they are written, if a front end has read them.
    pub syntax: Option<Arc<Syntax>>,
}

/// Where the lines behind one come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub after: u32,
    /// The file that the first of them is in, and its line there; none if that is unknown.
    pub place: Option<(String, u32)>,
}

impl SourceFile {
    pub fn new(name: &str, text: &str) -> SourceFile {
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        SourceFile {
            name: name.to_owned(),
            text: text.into(),
            line_starts,
            origins: Vec::new(),
            syntax: None,
        }
    }

    /// The line and column of a byte offset. Offsets past the end give the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = (offset as usize).min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start as usize <= offset);
        let start = self.line_starts.get(line.wrapping_sub(1)).map_or(0, |&s| s as usize);
        let before = self.text.get(start..offset).unwrap_or("");
        Position { line: line as u32, column: before.chars().count() as u32 + 1 }
    }

    /// The file and line that a line comes from.
    pub fn origin(&self, line: u32) -> Option<(&str, u32)> {
        let count = self.origins.partition_point(|origin| origin.after < line);
        let origin = self.origins.get(count.checked_sub(1)?)?;
        let (file, first) = origin.place.as_ref()?;
        Some((file, first + (line - origin.after - 1)))
    }

    /// The text of a span, empty if it does not fit the file.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        let file = SourceFile::new("f", "ab\nüx\n");
        let at = |offset| (file.position(offset).line, file.position(offset).column);
        assert_eq!((at(0), at(2), at(3), at(5), at(99)), ((1, 1), (1, 3), (2, 1), (2, 2), (3, 1)));
    }
}
