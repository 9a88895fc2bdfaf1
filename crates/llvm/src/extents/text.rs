//! Lines as clang counts them, and source text on one line.

/// Where each line starts. A carriage return alone ends a line, too.
pub fn lines(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = (0..bytes.len()).filter(|&i| match bytes[i] {
        b'\n' => true,
        b'\r' => bytes.get(i + 1) != Some(&b'\n'),
        _ => false,
    });
    std::iter::once(0).chain(ends.map(|i| i + 1)).collect()
}

/// Comments and runs of white space become one space; strings and characters stay as they are.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let space = space(rest);
        let taken = match first {
            _ if space > 0 => space,
            '"' | '\'' => quoted(rest, first),
            _ => first.len_utf8(),
        };
        match space {
            0 => line.push_str(&rest[..taken]),
            _ if line.ends_with(' ') => {}
            _ => line.push(' '),
        }
        rest = &rest[taken..];
    }
    line.trim().to_owned()
}

/// How long the white space or comment at the start is.
fn space(text: &str) -> usize {
    let until = |end: &str, skipped: usize| {
        text[skipped..].find(end).map_or(text.len(), |at| skipped + at + end.len())
    };
    match text.as_bytes() {
        [b'/', b'*', ..] => until("*/", 2),
        [b'/', b'/', ..] => until("\n", 2),
        [b'\\', b'\n', ..] => 2,
        [b'\\', b'\r', b'\n', ..] => 3,
        _ => text.len() - text.trim_start().len(),
    }
}

/// How long the string or character at the start is.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            // One that does not end, in a text that is no C.
            '\n' => return at,
            _ if character == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_clang_says() {
        assert_eq!(lines(""), [0]);
        assert_eq!(lines("a\nb\r\nc\rd\n\re"), [0, 2, 5, 7, 9, 10]);
    }

    #[test]
    fn text_fits_on_a_line() {
        assert_eq!(one_line("a  +\n\t b"), "a + b");
        assert_eq!(one_line("a /* why */ + // because\r\n  b"), "a + b");
        assert_eq!(one_line("f(\"a  b\", ' ', '\"')"), "f(\"a  b\", ' ', '\"')");
        assert_eq!(one_line("x = \"\\\"  \\\\\"  + 1"), "x = \"\\\"  \\\\\" + 1");
        assert_eq!(one_line("a \\\n+ ä"), "a + ä");
        assert_eq!(one_line("'  \n /* "), "'");
        assert_eq!(one_line("a / b"), "a / b");
    }
}
