//! Sites: statements as the user sees them.

use program::{FailureKind, FileId, Property, Site, SiteId, Trust};

use super::{Lowering, attributes};
use crate::ast::{Attribute, ExprId, Span};

/// Longer conditions are cut off in messages.
const LONGEST: usize = 80;

impl Lowering<'_> {
    pub(super) fn site(&mut self, span: Span, text: String, trust: Trust) -> SiteId {
        let span = Some(located(span));
        self.builder.site(Site { span, text, trust, property: None })
    }

    /// The site of something that can be violated.
    pub(super) fn checked_site(
        &mut self,
        span: Span,
        text: String,
        trust: Trust,
        property: Property,
    ) -> SiteId {
        let span = Some(located(span));
        self.builder.site(Site { span, text, trust, property: Some(property) })
    }

    /// The site of something that we made up, such as the values that `old` refers to.
    pub(super) fn invented_site(&mut self, text: &str) -> SiteId {
        let text = text.to_owned();
        self.builder.site(Site { span: None, text, trust: Trust::Trusted, property: None })
    }

    /// The text of a span on one line, without comments.
    pub(super) fn line(&self, span: Span) -> String {
        one_line(self.text.get(span.range()).unwrap_or(""), usize::MAX)
    }

    pub(super) fn line_of(&self, expression: ExprId) -> String {
        self.line(self.ast.expressions[expression].span)
    }

    /// What to say when the condition is violated; attributes may say it better.
    pub(super) fn property(
        &self,
        kind: FailureKind,
        condition: ExprId,
        of: &str,
        attributes: &[Attribute],
    ) -> Property {
        let expressions = &self.ast.expressions;
        let kind = attributes::kind(expressions, attributes).unwrap_or(kind);
        let message = attributes::text(expressions, attributes, "msg").unwrap_or_else(|| {
            let text = self.text.get(expressions[condition].span.range()).unwrap_or("");
            format!("{kind} `{}`{of} is violated", one_line(text, LONGEST))
        });
        Property { kind, message }
    }
}

/// The span of a statement without its semicolon.
pub(super) fn without_semicolon(text: &str, span: Span) -> Span {
    let inside = text.get(span.range()).unwrap_or("");
    let end = inside.strip_suffix(';').unwrap_or(inside);
    // Comments before the semicolon stay: there are hardly any.
    Span::new(span.start, span.start + end.trim_end().len() as u32)
}

fn located(span: Span) -> program::Span {
    program::Span { file: FileId(0), start: span.start, end: span.end }
}

/// The text with comments and runs of white space replaced by single spaces, and cut off after
/// `limit` characters.
fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut rest = text.trim();
    let mut blank = false;
    while let Some(next) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            crate::lexer::comment_length(rest).unwrap_or(rest.len())
        } else if next.is_whitespace() {
            next.len_utf8()
        } else {
            0
        };
        blank |= skipped > 0;
        if skipped == 0 {
            if blank && !line.is_empty() {
                line.push(' ');
                length += 1;
            }
            blank = false;
            if length >= limit {
                line.push('…');
                return line;
            }
            line.push(next);
            length += 1;
        }
        rest = &rest[skipped.max(if skipped == 0 { next.len_utf8() } else { 0 })..];
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let table = [
            ("x  :=\n\t1", 80, "x := 1"),
            ("x + // one\n y /* two /* three */ */ + z", 80, "x + y + z"),
            ("a/**/b", 80, "a b"),
            ("abcdef", 6, "abcdef"),
            ("abcdefg", 6, "abcdef…"),
            ("/* open", 6, ""),
        ];
        for (text, limit, expected) in table {
            assert_eq!(one_line(text, limit), expected, "{text:?}");
        }
    }

    #[test]
    fn semicolons() {
        let span = without_semicolon("x := 1 ;", Span::new(0, 8));
        assert_eq!(span, Span::new(0, 6));
    }
}
