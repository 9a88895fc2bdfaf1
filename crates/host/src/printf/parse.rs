//! The format language of printf: text to pieces.

use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes of the format that are printed as they are.
    Literal(Range<usize>),
    Directive(Directive),
}

/// `%`, flags, width, precision, length, conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    pub flags: Flags,
    pub width: Option<Size>,
    pub precision: Option<Size>,
    pub length: Length,
    pub conversion: u8,
    /// From 1: the argument that `n$` names.
    pub position: Option<usize>,
    /// Where it is in the format.
    pub text: Range<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternative: bool,
    pub zero: bool,
}

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Given(usize),
    /// `*`, or `*n$` from 1.
    Argument(Option<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Char,
    Short,
    Int,
    /// All that have 64 bits: `l ll q j z t Z`.
    Long,
    /// `L`; among integers it means `ll`.
    LongDouble,
}

impl Length {
    pub fn bits(self) -> u32 {
        match self {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int => 32,
            Length::Long | Length::LongDouble => 64,
        }
    }
}

/// A walk through a format.
pub(crate) struct Cursor<'a> {
    pub text: &'a [u8],
    pub at: usize,
}

impl Cursor<'_> {
    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub fn take(&mut self, byte: u8) -> bool {
        let taken = self.peek() == Some(byte);
        self.at += usize::from(taken);
        taken
    }

    /// A number; too large ones stay too large.
    pub fn number(&mut self) -> Option<usize> {
        let mut number = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let so_far: usize = number.unwrap_or(0);
            number = Some(so_far.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
            self.at += 1;
        }
        number
    }

    /// `n$`
    pub fn position(&mut self) -> Option<usize> {
        let start = self.at;
        let number = self.number();
        if number.is_some_and(|n| n > 0) && self.take(b'$') {
            return number;
        }
        self.at = start;
        None
    }

    pub fn length(&mut self) -> Length {
        let Some(byte) = self.peek() else { return Length::Int };
        let length = match byte {
            b'h' => Length::Short,
            b'l' | b'q' | b'j' | b'z' | b't' | b'Z' => Length::Long,
            b'L' => Length::LongDouble,
            _ => return Length::Int,
        };
        self.at += 1;
        match byte {
            b'h' if self.take(b'h') => Length::Char,
            b'l' => {
                self.take(b'l');
                length
            }
            _ => length,
        }
    }
}

/// The pieces of a format, up to a directive that the end cuts off: then the second is false.
pub fn parse(format: &[u8]) -> (Vec<Piece>, bool) {
    let mut pieces = Vec::new();
    let mut cursor = Cursor { text: format, at: 0 };
    while let Some(byte) = cursor.peek() {
        let start = cursor.at;
        if byte != b'%' {
            while cursor.peek().is_some_and(|byte| byte != b'%') {
                cursor.at += 1;
            }
            pieces.push(Piece::Literal(start..cursor.at));
            continue;
        }
        cursor.at += 1;
        match directive(&mut cursor, start) {
            Some(directive) => pieces.push(Piece::Directive(directive)),
            None => return (pieces, false),
        }
    }
    (pieces, true)
}

fn directive(cursor: &mut Cursor<'_>, start: usize) -> Option<Directive> {
    let position = cursor.position();
    let flags = flags(cursor);
    let width = size(cursor);
    let precision = if cursor.take(b'.') {
        // A negative precision is none at all, an empty one is 0.
        if cursor.take(b'-') {
            cursor.number();
            None
        } else {
            Some(size(cursor).unwrap_or(Size::Given(0)))
        }
    } else {
        None
    };
    let length = cursor.length();
    let conversion = cursor.peek()?;
    cursor.at += 1;
    let text = start..cursor.at;
    Some(Directive { flags, width, precision, length, conversion, position, text })
}

fn flags(cursor: &mut Cursor<'_>) -> Flags {
    let mut flags = Flags::default();
    while let Some(byte) = cursor.peek() {
        match byte {
            b'-' => flags.left = true,
            b'+' => flags.plus = true,
            b' ' => flags.space = true,
            b'#' => flags.alternative = true,
            b'0' => flags.zero = true,
            // Groups of digits and other digits: the locale "C" has neither.
            b'\'' | b'I' => {}
            _ => break,
        }
        cursor.at += 1;
    }
    flags
}

fn size(cursor: &mut Cursor<'_>) -> Option<Size> {
    if cursor.take(b'*') {
        return Some(Size::Argument(cursor.position()));
    }
    cursor.number().map(Size::Given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(format: &str) -> Directive {
        match &parse(format.as_bytes()) {
            (pieces, true) => match &pieces[..] {
                [Piece::Directive(directive)] => directive.clone(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn directives_have_all_parts() {
        let it = only("%-+08.3lld");
        assert!(it.flags.left && it.flags.plus && it.flags.zero && !it.flags.space);
        assert_eq!(it.width, Some(Size::Given(8)));
        assert_eq!(it.precision, Some(Size::Given(3)));
        assert_eq!((it.length, it.conversion), (Length::Long, b'd'));
        let it = only("%2$*1$.*3$hhx");
        assert_eq!(it.position, Some(2));
        assert_eq!(it.width, Some(Size::Argument(Some(1))));
        assert_eq!(it.precision, Some(Size::Argument(Some(3))));
        assert_eq!(it.length, Length::Char);
        assert_eq!(only("%.f").precision, Some(Size::Given(0)));
        assert_eq!(only("%.-5d").precision, None);
    }

    #[test]
    fn a_format_may_end_early() {
        assert_eq!(parse(b"ab%-5"), (vec![Piece::Literal(0..2)], false));
        assert_eq!(parse(b""), (vec![], true));
    }
}
