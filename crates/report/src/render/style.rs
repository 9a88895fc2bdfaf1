//! How text is drawn: colour, letters, width.

use std::fmt::Write;

use crate::printable::printable;

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub colour: Colour,
    pub letters: Letters,
    /// How many columns there are. Code may be wider: it is never broken within a word.
    pub width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    On,
    Off,
}

/// What we draw with. Source text and values are shown as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    Unicode,
    Ascii,
}

/// What a piece of text is, and so its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    Error,
    Strong,
    Suspect,
    /// Line numbers and the like.
    Frame,
    Code,
}

impl Ink {
    const ALL: [Ink; 5] = [Ink::Error, Ink::Strong, Ink::Suspect, Ink::Frame, Ink::Code];

    fn code(self) -> &'static str {
        match self {
            Ink::Error => "1;31",
            Ink::Strong => "1",
            Ink::Suspect => "1;33",
            Ink::Frame => "1;34",
            Ink::Code => "36",
        }
    }
}

impl Style {
    /// As when the output goes to a file.
    pub const PLAIN: Style = Style { colour: Colour::Off, letters: Letters::Unicode, width: 80 };

    /// The text in a colour. What is painted is not painted again.
    pub fn paint(self, ink: Ink, text: &str) -> String {
        let text = printable(text);
        match self.colour {
            Colour::Off => text.into_owned(),
            Colour::On if text.is_empty() => String::new(),
            Colour::On => format!("\x1b[{}m{text}{PLAIN_AGAIN}", ink.code()),
        }
    }

    /// A sentence in lines of the width: the first begins with `first`, the others with `next`. What is
    /// quoted by backticks is code.
    pub fn sentence(self, out: &mut String, first: &str, next: &str, text: &str) {
        let mut is_code = false;
        for line in wrapped(first, next, &printable(text), self.width) {
            if self.colour == Colour::Off {
                let _ = writeln!(out, "{line}");
                continue;
            }
            // A quotation may go on in the next line; colours must not.
            let mut painted = Vec::new();
            for (number, part) in line.split('`').enumerate() {
                is_code ^= number > 0;
                painted.push(if is_code { self.paint(Ink::Code, part) } else { part.to_owned() });
            }
            let _ = writeln!(out, "{}", painted.join("`"));
        }
    }

    /// The finished text in the letters that can be shown. No control characters are in it but for our colours.
    pub fn finish(self, text: &str) -> String {
        let text = match self.colour {
            Colour::Off => printable(text),
            Colour::On => but_colours(text).into(),
        };
        match self.letters {
            Letters::Unicode => text.into_owned(),
            Letters::Ascii => ascii(&text),
        }
    }
}

/// Ends a colour.
const PLAIN_AGAIN: &str = "\x1b[0m";

/// What can be shown of a text that is painted.
fn but_colours(text: &str) -> String {
    let ours = |text: &str| {
        let own = Ink::ALL.map(|ink| format!("\x1b[{}m", ink.code()));
        let all = own.iter().map(String::as_str).chain([PLAIN_AGAIN]);
        all.into_iter().find(|code| text.starts_with(code)).map(str::len)
    };
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('\x1b') {
        let (before, behind) = rest.split_at(at);
        let (code, after) = behind.split_at(ours(behind).unwrap_or(0));
        out = out + &printable(before) + code;
        rest = after;
        if code.is_empty() {
            out += &printable("\x1b");
            rest = &behind[1..];
        }
    }
    out + &printable(rest)
}

/// A text in lines that are not too wide.
pub fn wrapped(first: &str, next: &str, text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in words(text, width / 2) {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, next.to_owned()).trim_end().to_owned());
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += &word;
        is_empty = false;
    }
    if !is_empty {
        lines.push(line);
    }
    lines
}

/// The words of a text. A short quotation is one word, as it is.
fn words(text: &str, longest: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    // Whether the next piece belongs to the last word.
    let mut is_open = false;
    for (number, part) in text.split('`').enumerate() {
        let is_code = number % 2 == 1;
        if number > 0 {
            add(&mut words, is_open || !is_code, "`");
            is_open = true;
        }
        if is_code && part.chars().count() <= longest && !part.contains('\n') {
            add(&mut words, true, part);
            continue;
        }
        for (at, word) in part.split_whitespace().enumerate() {
            let is_apart = at > 0 || part.starts_with(char::is_whitespace);
            add(&mut words, is_open && !is_apart, word);
            is_open = true;
        }
        if part.ends_with(char::is_whitespace) {
            is_open = false;
        }
    }
    words
}

/// Adds to the last word, or a new one.
fn add(words: &mut Vec<String>, to_last: bool, piece: &str) {
    match words.last_mut() {
        Some(last) if to_last => *last += piece,
        _ => words.push(piece.to_owned()),
    }
}

/// The letters that we draw with, as what every terminal has.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '│' => out.push('|'),
            '├' => out.push('|'),
            '└' => out.push('`'),
            '─' | '–' => out.push('-'),
            '…' => out += "...",
            '×' => out.push('x'),
            '≤' => out += "<=",
            '≥' => out += ">=",
            '≠' => out += "!=",
            '→' => out += "->",
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_wrapped() {
        let narrow = Style { width: 20, ..Style::PLAIN };
        let mut out = String::new();
        let text = "it set that (`a  b`, `c`) to\n a_very_long_word_indeed `aa + bb + cc`, here";
        narrow.sentence(&mut out, "1  ", "   ", text);
        let expected = [
            "1  it set that",
            "   (`a  b`, `c`) to",
            "   a_very_long_word_indeed",
            "   `aa + bb + cc`,",
            "   here\n",
        ];
        assert_eq!(out, expected.join("\n"));
        let wide = Style { width: 40, ..Style::PLAIN };
        let mut out = String::new();
        wide.sentence(&mut out, "", "", "because at line 12 the condition `a < b + c` held");
        assert_eq!(out, "because at line 12 the condition\n`a < b + c` held\n");
        let mut out = String::new();
        narrow.sentence(&mut out, "  ", "  ", "");
        assert_eq!(out, "");
    }

    #[test]
    fn code_in_sentences_is_coloured_line_by_line() {
        let style = Style { width: 12, colour: Colour::On, ..Style::PLAIN };
        let mut out = String::new();
        style.sentence(&mut out, "", "", "it set `aa + bb` here");
        let code = |text: &str| style.paint(Ink::Code, text);
        assert_eq!(out, format!("it set `{}\n{}` here\n", code("aa +"), code("bb")));
    }

    #[test]
    fn every_terminal_can_show_ascii() {
        let style = Style { letters: Letters::Ascii, ..Style::PLAIN };
        assert_eq!(style.finish("├─ a × 2 …│└"), "|- a x 2 ...|`");
        assert_eq!(Style::PLAIN.finish("├─"), "├─");
        assert_eq!(style.finish("grün"), "grün");
    }
    #[test]
    fn only_our_colours_are_left() {
        let style = Style { colour: Colour::On, ..Style::PLAIN };
        let text = format!("\x1b[2J{}\x1b", style.paint(Ink::Error, "a\x1b[2Jb"));
        assert_eq!(style.finish(&text), "\\x1b[2J\x1b[1;31ma\\x1b[2Jb\x1b[0m\\x1b");
        assert_eq!(Style::PLAIN.finish("\x1b[0m"), "\\x1b[0m");
    }
}
