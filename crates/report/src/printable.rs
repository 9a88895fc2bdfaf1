//! Text from outside: names of files, tests and symbols, messages, values, source.
//!
//! It may contain what a terminal obeys instead of showing it, or what makes a line read otherwise than it is written. Every
//! renderer, and whoever writes to standard error, passes what it shows through `printable`.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Value;

/// The text with control characters and those that change the direction of writing as escape sequences, such as `\x1b` and `\u{202e}`.
/// Line breaks and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    let mut letters = text.char_indices().peekable();
    let mut out = String::new();
    let mut copied = 0;
    while let Some((at, letter)) = letters.next() {
        let ends_line = letter == '\r' && letters.peek().is_some_and(|&(_, next)| next == '\n');
        if is_harmless(letter) || ends_line {
            continue;
        }
        out += &text[copied..at];
        copied = at + letter.len_utf8();
        let _ = match letter {
            letter if letter.is_ascii() => write!(out, "\\x{:02x}", u32::from(letter)),
            letter => write!(out, "\\u{{{:x}}}", u32::from(letter)),
        };
    }
    match copied {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(out + &text[copied..]),
    }
}

fn is_harmless(letter: char) -> bool {
    match letter {
        '\n' | '\t' => true,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            false
        }
        letter => !letter.is_control(),
    }
}

/// The same for all texts of a document, and for their names.
pub fn printable_value(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(shown) = printable(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(printable_value),
        Value::Object(fields) => {
            fields.values_mut().for_each(printable_value);
            if fields.keys().any(|name| matches!(printable(name), Cow::Owned(_))) {
                let own = std::mem::take(fields);
                let shown = own.into_iter();
                fields.extend(shown.map(|(name, value)| (printable(&name).into_owned(), value)));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json as object;

    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(printable("a\x1b[2Jb\x07"), "a\\x1b[2Jb\\x07");
        assert_eq!(printable("\u{7f}\u{9b}2J"), "\\x7f\\u{9b}2J");
        assert_eq!(printable("x\u{202e}y\u{2069}\u{200f}"), "x\\u{202e}y\\u{2069}\\u{200f}");
        assert_eq!(printable("over\rwritten\r\n"), "over\\x0dwritten\r\n");
    }

    #[test]
    fn all_else_stays() {
        for text in ["", "a\n\tb", "grün – 日本 \u{1f600}", "\\x1b"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn documents() {
        let mut value = object!({ "a\x1b": ["\x07", 1, null], "b": { "c": "\u{202e}" } });
        printable_value(&mut value);
        assert_eq!(value, object!({ "a\\x1b": ["\\x07", 1, null], "b": { "c": "\\u{202e}" } }));
    }
}
