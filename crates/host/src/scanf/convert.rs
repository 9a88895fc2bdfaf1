//! One value of the input, by its directive.

use super::{Directive, Stopped, skip_space};
use crate::decimal::{self, Parsed, is_space};
use crate::stream::Reader;

#[derive(Debug)]
pub(super) enum Converted {
    Integer(u64),
    Pointer(u64),
    Float(Parsed),
    /// The bytes to store, with the zero byte if there is one.
    Text(Vec<u8>),
}

/// The bytes that a directive may still take: its width bounds them, and what is taken is kept.
struct Taking<'a, 'b> {
    reader: &'a mut Reader<'b>,
    left: usize,
    text: Vec<u8>,
}

impl Taking<'_, '_> {
    fn peek(&mut self) -> Option<u8> {
        if self.left == 0 { None } else { self.reader.peek() }
    }

    fn skip(&mut self) {
        self.reader.next();
        self.left -= 1;
    }

    fn take(&mut self) {
        if let Some(byte) = self.peek() {
            self.text.push(byte);
            self.skip();
        }
    }

    fn take_if(&mut self, wanted: impl Fn(u8) -> bool) -> bool {
        let found = self.peek().is_some_and(wanted);
        if found {
            self.take();
        }
        found
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> usize {
        let before = self.text.len();
        while self.take_if(&wanted) {}
        self.text.len() - before
    }
}

pub(super) fn read(it: &Directive, reader: &mut Reader<'_>) -> Result<Converted, Stopped> {
    if !matches!(it.conversion, b'c' | b'C' | b'[') {
        skip_space(reader);
    }
    if reader.peek().is_none() {
        return Err(Stopped::AtEnd);
    }
    let default = if matches!(it.conversion, b'c' | b'C') { 1 } else { usize::MAX };
    let left = it.width.unwrap_or(default);
    let mut taking = Taking { reader, left, text: Vec::new() };
    match it.conversion {
        b'd' => integer(&mut taking, 10).map(|n| Converted::Integer(n.signed())),
        b'i' => integer(&mut taking, 0).map(|n| Converted::Integer(n.signed())),
        b'u' => integer(&mut taking, 10).map(|n| Converted::Integer(n.unsigned())),
        b'o' => integer(&mut taking, 8).map(|n| Converted::Integer(n.unsigned())),
        b'x' | b'X' => integer(&mut taking, 16).map(|n| Converted::Integer(n.unsigned())),
        b'p' => pointer(&mut taking),
        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
            float(&mut taking).map(Converted::Float)
        }
        b'c' | b'C' => {
            taking.take_while(|_| true);
            Ok(Converted::Text(taking.text))
        }
        b's' | b'S' => {
            taking.take_while(|byte| !is_space(byte));
            taking.text.push(0);
            Ok(Converted::Text(taking.text))
        }
        b'[' => {
            if taking.take_while(|byte| it.set[usize::from(byte)]) == 0 {
                return Err(Stopped::Mismatch);
            }
            taking.text.push(0);
            Ok(Converted::Text(taking.text))
        }
        _ => Err(Stopped::Mismatch),
    }
}

/// A number before it is cut to 64 bits.
struct Integer {
    magnitude: u64,
    overflow: bool,
    negative: bool,
}

impl Integer {
    /// As strtol: too large ones are the largest.
    fn signed(&self) -> u64 {
        let most = i64::MAX as u64 + u64::from(self.negative);
        let magnitude = if self.overflow { most } else { self.magnitude.min(most) };
        if self.negative { magnitude.wrapping_neg() } else { magnitude }
    }

    fn unsigned(&self) -> u64 {
        match (self.overflow, self.negative) {
            (true, _) => u64::MAX,
            (false, true) => self.magnitude.wrapping_neg(),
            (false, false) => self.magnitude,
        }
    }
}

fn integer(taking: &mut Taking<'_, '_>, base: u32) -> Result<Integer, Stopped> {
    let negative = taking.peek() == Some(b'-');
    taking.take_if(|byte| byte == b'-' || byte == b'+');
    taking.text.clear();
    let mut base = base;
    // The prefix of a hexadecimal number counts as its digit 0.
    if matches!(base, 0 | 16) && taking.take_if(|byte| byte == b'0') {
        if taking.peek().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'x')) {
            base = 16;
            taking.skip();
        } else if base == 0 {
            base = 8;
        }
    } else if base == 0 {
        base = 10;
    }
    taking.take_while(|byte| (byte as char).is_digit(base));
    if taking.text.is_empty() {
        return Err(Stopped::Mismatch);
    }
    let digits = std::str::from_utf8(&taking.text).unwrap_or_default();
    let magnitude = u64::from_str_radix(digits, base);
    Ok(Integer { overflow: magnitude.is_err(), magnitude: magnitude.unwrap_or(0), negative })
}

fn pointer(taking: &mut Taking<'_, '_>) -> Result<Converted, Stopped> {
    if taking.peek() == Some(b'(') {
        for wanted in *b"(nil)" {
            if !taking.take_if(|byte| byte.eq_ignore_ascii_case(&wanted)) {
                return Err(Stopped::Mismatch);
            }
        }
        return Ok(Converted::Pointer(0));
    }
    integer(taking, 16).map(|n| Converted::Pointer(n.unsigned()))
}

fn float(taking: &mut Taking<'_, '_>) -> Result<Parsed, Stopped> {
    taking.take_if(|byte| byte == b'-' || byte == b'+');
    let word = match taking.peek().map(|byte| byte.to_ascii_lowercase()) {
        Some(b'n') => Some("nan"),
        Some(b'i') => Some("inf"),
        _ => None,
    };
    if let Some(word) = word {
        take_word(taking, word)?;
        let more = taking.peek().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'i'));
        if word == "inf" && more {
            take_word(taking, "inity")?;
        }
    } else {
        number(taking)?;
    }
    let parsed = decimal::parse(&taking.text);
    if parsed.length == 0 { Err(Stopped::Mismatch) } else { Ok(parsed) }
}

fn take_word(taking: &mut Taking<'_, '_>, word: &str) -> Result<(), Stopped> {
    for wanted in word.bytes() {
        if !taking.take_if(|byte| byte.eq_ignore_ascii_case(&wanted)) {
            return Err(Stopped::Mismatch);
        }
    }
    Ok(())
}

/// Digits, a point, an exponent. All that could begin a number is taken, even if it does not become one.
fn number(taking: &mut Taking<'_, '_>) -> Result<(), Stopped> {
    let mut hexadecimal = false;
    let mut digits = 0;
    if taking.take_if(|byte| byte == b'0') {
        digits = 1;
        // Without room for a digit behind it, it is no prefix.
        if taking.left > 1 && taking.take_if(|byte| byte.eq_ignore_ascii_case(&b'x')) {
            (hexadecimal, digits) = (true, 0);
        }
    }
    let is_digit =
        |byte: u8| if hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    digits += taking.take_while(is_digit);
    let point = taking.take_if(|byte| byte == b'.');
    if point {
        digits += taking.take_while(is_digit);
    }
    // glibc takes the 0 of a prefix for a number if a point follows.
    if digits == 0 && !(hexadecimal && point) {
        return Err(Stopped::Mismatch);
    }
    let letter = if hexadecimal { b'p' } else { b'e' };
    if taking.take_if(|byte| byte.eq_ignore_ascii_case(&letter)) {
        taking.take_if(|byte| byte == b'-' || byte == b'+');
        taking.take_while(|byte| byte.is_ascii_digit());
    }
    Ok(())
}
