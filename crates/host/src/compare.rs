//! When an output is the expected one: byte by byte, line by line, or word by word.
//!
//! An output is compared as it is written, so at each moment it has come to some place in the expected one, and it is known
//! at once that it is wrong. Numbers that may differ a little are the only things that are compared as a whole: until such a
//! number ends, it is only asked whether more digits could make it right.

use crate::decimal;

/// How outputs are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Compare {
    /// Every byte counts.
    Exact,
    /// White space at the ends of lines does not count, nor do empty lines at the very end.
    #[default]
    Lines,
    /// Only the words that white space separates count. Numbers may differ by so much, or by so much of the
    /// expected one.
    Tokens(Option<f64>),
}

/// What is expected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected<'e> {
    pub text: &'e [u8],
    pub compare: Compare,
}

/// How far an output has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// Where it is in the expected output.
    pub at: usize,
    /// What has been written of a number that begins there, if it is compared as a whole.
    pub begun: Vec<u8>,
}

/// What is expected behind a place.
#[derive(Clone, Debug)]
pub(crate) struct Rest<'e> {
    pub expected: Expected<'e>,
    pub place: Place,
}

impl<'e> Rest<'e> {
    pub fn text(&self) -> &'e [u8] {
        self.expected.text.get(self.place.at..).unwrap_or_default()
    }

    /// What is expected after this; nothing if this is wrong.
    pub fn after(&self, printed: &[u8]) -> Option<Rest<'e>> {
        let place = self.expected.advance(&self.place, printed).ok()?;
        Some(Rest { expected: self.expected, place })
    }

    pub fn fits(&self, printed: &[u8]) -> bool {
        self.after(printed).is_some()
    }

    /// How much of the text counts.
    pub fn counted(&self) -> usize {
        match self.expected.compare {
            Compare::Exact => self.text().len(),
            Compare::Lines | Compare::Tokens(_) => self.text().trim_ascii_end().len(),
        }
    }

    /// The number that is expected and how much another one may differ, if it is compared as a whole.
    pub fn number(&self) -> Option<(f64, f64)> {
        self.expected.number(self.place.at)
    }
}

impl<'e> Expected<'e> {
    pub fn start(self) -> Place {
        match self.compare {
            Compare::Tokens(_) => self.blanks_from(0),
            Compare::Exact | Compare::Lines => Place::default(),
        }
    }

    pub fn rest(self, place: &Place) -> Rest<'e> {
        Rest { expected: self, place: place.clone() }
    }

    /// The place after these bytes; or which of them is the first that is wrong.
    pub fn advance(self, place: &Place, bytes: &[u8]) -> Result<Place, usize> {
        let rest = self.text.get(place.at..).unwrap_or_default();
        if !matches!(self.compare, Compare::Tokens(_)) && rest.starts_with(bytes) {
            return Ok(Place { at: place.at + bytes.len(), begun: Vec::new() });
        }
        let mut place = place.clone();
        for (number, &byte) in bytes.iter().enumerate() {
            if !self.step(&mut place, byte) {
                return Err(number);
            }
        }
        Ok(place)
    }

    /// Whether output that has come to this place is all that was expected.
    pub fn is_complete(self, place: &Place) -> bool {
        let mut place = place.clone();
        if !place.begun.is_empty() && !self.step(&mut place, b' ') {
            return false;
        }
        self.rest(&place).counted() == 0
    }

    fn step(self, place: &mut Place, byte: u8) -> bool {
        match self.compare {
            Compare::Exact => self.literal(place, byte),
            Compare::Lines => self.literal(place, byte) || self.at_end_of_line(place, byte),
            Compare::Tokens(_) => self.token(place, byte),
        }
    }

    fn literal(self, place: &mut Place, byte: u8) -> bool {
        let is_right = self.text.get(place.at) == Some(&byte);
        place.at += usize::from(is_right);
        is_right
    }

    /// White space that may be missing, or be where there is none.
    fn at_end_of_line(self, place: &mut Place, byte: u8) -> bool {
        if !byte.is_ascii_whitespace() {
            return false;
        }
        let rest = &self.text[place.at..];
        let blanks = rest.iter().take_while(|b| b.is_ascii_whitespace() && **b != b'\n').count();
        match rest.get(blanks) {
            Some(b'\n') if byte == b'\n' => place.at += blanks + 1,
            Some(b'\n') => {}
            Some(_) => return false,
            // Behind the end.
            None => place.at = self.text.len(),
        }
        true
    }

    fn token(self, place: &mut Place, byte: u8) -> bool {
        let is_blank = |at: usize| self.text.get(at).is_none_or(u8::is_ascii_whitespace);
        if !place.begun.is_empty() {
            return self.go_on(place, byte);
        }
        let between = place.at == 0 || is_blank(place.at - 1);
        match byte.is_ascii_whitespace() {
            true if between => true,
            true if is_blank(place.at) => {
                *place = self.blanks_from(place.at);
                true
            }
            true => false,
            false if between && self.number(place.at).is_some() => self.go_on(place, byte),
            false => self.literal(place, byte),
        }
    }

    /// Goes on with a number.
    fn go_on(self, place: &mut Place, byte: u8) -> bool {
        let Some((right, most)) = self.number(place.at) else { return false };
        if !byte.is_ascii_whitespace() {
            place.begun.push(byte);
            let length = place.begun.len();
            let is_same = self.text[place.at..].starts_with(&place.begun);
            let is_right = is_same || may_become(&place.begun, right, most);
            if !is_right {
                place.begun.truncate(length - 1);
            }
            return is_right;
        }
        let parsed = decimal::parse(&place.begun);
        let is_number = parsed.length == place.begun.len();
        // Infinities are equal if they are.
        let is_near = (parsed.value - right).abs() <= most || parsed.value == right;
        if is_number && is_near {
            *place = self.blanks_from(place.at + self.word(place.at).len());
        }
        is_number && is_near
    }

    fn blanks_from(self, at: usize) -> Place {
        let blanks = self.text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        Place { at: at + blanks, begun: Vec::new() }
    }

    fn word(self, at: usize) -> &'e [u8] {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        &rest[..end]
    }

    /// The word at a place, if it is a number that another one may differ from, and by how much.
    fn number(self, at: usize) -> Option<(f64, f64)> {
        let Compare::Tokens(Some(tolerance)) = self.compare else { return None };
        let word = self.word(at);
        let parsed = decimal::parse(word);
        let is_number = !word.is_empty() && parsed.length == word.len() && !parsed.value.is_nan();
        let most = tolerance.max(tolerance * parsed.value.abs());
        is_number.then_some((parsed.value, if most.is_finite() { most } else { 0.0 }))
    }
}

/// A number has no more digits before its point.
const MOST_DIGITS: i32 = 310;

/// Whether the beginning of a number can be completed to one that differs from the right one by this at most.
fn may_become(begun: &[u8], right: f64, most: f64) -> bool {
    let (negative, digits) = match begun {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    // Exponents, and numbers in words or of another base, are decided at their end.
    let is_plain = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let is_of_number = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.()".contains(byte);
    if !digits.iter().all(is_plain) {
        return digits.iter().all(is_of_number);
    }
    let right = if negative { -right } else { right };
    let value = match digits.iter().any(u8::is_ascii_digit) {
        true => decimal::parse(digits).value,
        false => 0.0,
    };
    let (low, high) = (right - most, right + most);
    match digits.iter().position(|byte| *byte == b'.') {
        Some(point) => {
            let decimals = digits.len() - point - 1;
            value <= high && value + 10f64.powi(-(decimals as i32)) >= low
        }
        None if digits.is_empty() => high >= 0.0,
        None => (0..MOST_DIGITS).any(|more| {
            let power = 10f64.powi(more);
            value * power <= high && (value + 1.0) * power >= low
        }),
    }
}

/// What was forgiven when an output passed that is not the expected one byte by byte.
pub(crate) fn forgiven(expected: &[u8], output: &[u8], compare: Compare) -> Option<&'static str> {
    let is_right = |compare: Compare| {
        let expected = Expected { text: expected, compare };
        let end = expected.advance(&expected.start(), output);
        end.is_ok_and(|place| expected.is_complete(&place))
    };
    match compare {
        Compare::Exact => None,
        _ if is_right(Compare::Exact) => None,
        Compare::Lines => Some("trailing white space, which --compare exact would count"),
        Compare::Tokens(_) if is_right(Compare::Lines) => {
            Some("trailing white space, which --compare exact would count")
        }
        Compare::Tokens(_) if is_right(Compare::Tokens(None)) => {
            Some("white space, which --compare exact would count")
        }
        Compare::Tokens(_) => Some("numbers that --tolerance allows, and perhaps white space"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_right(expected: &str, output: &str, compare: Compare) -> bool {
        let expected = Expected { text: expected.as_bytes(), compare };
        let end = expected.advance(&expected.start(), output.as_bytes());
        let whole = end.is_ok_and(|place| expected.is_complete(&place));
        // Written in pieces, it is the same.
        let mut place = Ok(expected.start());
        for byte in output.bytes() {
            place = place.and_then(|place| expected.advance(&place, &[byte]));
        }
        assert_eq!(whole, place.is_ok_and(|place| expected.is_complete(&place)));
        whole
    }

    #[test]
    fn bytes() {
        for (expected, output, right) in
            [("a\n", "a\n", true), ("a\n", "a", false), ("a", "a\n", false), ("", "", true)]
        {
            assert_eq!(
                is_right(expected, output, Compare::Exact),
                right,
                "{expected:?} {output:?}"
            );
        }
    }

    #[test]
    fn lines() {
        for (expected, output, right) in [
            ("a\nb\n", "a\nb", true),
            ("a\nb\n", "a\r\nb\r\n", true),
            ("a\r\nb\r\n", "a\nb\n", true),
            ("a \nb", "a\t\nb  \n\n", true),
            ("1 2 \n3", "1 2\n3", true),
            ("1 2\n3", "1 2 \n3", true),
            ("1 2", "1  2", false),
            ("1\n2", "1 2", false),
            ("1\n\n2", "1\n2", false),
            ("1\n2", " 1\n2", false),
            ("a\n \n", "a", true),
        ] {
            assert_eq!(
                is_right(expected, output, Compare::Lines),
                right,
                "{expected:?} {output:?}"
            );
        }
    }

    #[test]
    fn words() {
        for (expected, output, right) in [
            ("1 2\n3\n", "1\n2 3", true),
            ("1 2", "  1\t\n2 \n", true),
            (" 1 2", "1 2", true),
            ("1 2", "12", false),
            ("12", "1 2", false),
            ("1 2", "1", false),
            ("1", "1 2", false),
            ("0.5", "0.50", false),
            ("", "\n", true),
        ] {
            let compare = Compare::Tokens(None);
            assert_eq!(is_right(expected, output, compare), right, "{expected:?} {output:?}");
        }
    }

    #[test]
    fn numbers_may_differ_a_little() {
        for (expected, output, right) in [
            ("0.5", "0.50", true),
            ("0.333333", "0.33333333333", true),
            ("0.333333 1", "0.3333325\n1.0000", true),
            ("0.333333", "0.333331", false),
            ("3.14159", "3.14", false),
            ("3.14159", "3.2", false),
            // A part of a large one.
            ("1000000000", "1000000999", true),
            ("1000000000", "1000001001", false),
            ("10", "9.9999999999", true),
            ("10", "9.9999", false),
            ("-0.000000", "0", true),
            ("1e3", "1000.0", true),
            ("1000", "1e3", true),
            ("1000", "1e4", false),
            ("7", "007", true),
            ("-7", "-7.0", true),
            ("-7", "7", false),
            ("inf", "inf", true),
            ("inf", "1", false),
            ("5 6", "5", false),
            ("5", "56", false),
            ("5", "five", false),
            ("five 1", "five 1.0", true),
            ("1.5s", "1.50s", false),
        ] {
            let compare = Compare::Tokens(Some(1e-6));
            assert_eq!(is_right(expected, output, compare), right, "{expected:?} {output:?}");
        }
    }

    #[test]
    fn a_number_is_wrong_as_soon_as_no_digits_make_it_right() {
        let expected = Expected { text: b"314.15\n", compare: Compare::Tokens(Some(1e-4)) };
        let wrong = |output: &str| expected.advance(&expected.start(), output.as_bytes()).err();
        assert_eq!(wrong("314.1"), None);
        assert_eq!(wrong("4"), Some(0));
        assert_eq!(wrong("32"), Some(1));
        assert_eq!(wrong("314.2"), Some(4));
    }
}
