//! What clang says, for people: warnings that are repeated are told once, with their number.

use report::{Ink, Style, printable};

/// A warning or an error with its excerpt and its notes.
struct Message<'t> {
    lines: Vec<&'t str>,
    /// How many more there are of it at other places.
    others: usize,
}

/// The messages, coloured as the style wants it.
pub fn folded(text: &str, style: Style) -> String {
    let mut messages: Vec<Message<'_>> = Vec::new();
    let mut known: Vec<(&str, usize)> = Vec::new();
    let mut is_repeated = false;
    for line in text.lines() {
        let is_count =
            line.ends_with(" generated.") && line.starts_with(|c: char| c.is_ascii_digit());
        if is_count {
            continue;
        }
        let warning = line.split_once(": warning: ").map(|(_, what)| what);
        let begins = warning.is_some() || line.contains("error: ") || messages.is_empty();
        match warning.and_then(|what| known.iter().find(|(other, _)| *other == what)) {
            Some(&(_, first)) => {
                is_repeated = true;
                messages[first].others += 1;
            }
            None if begins => {
                is_repeated = false;
                known.extend(warning.map(|what| (what, messages.len())));
                messages.push(Message { lines: vec![line], others: 0 });
            }
            None if is_repeated => {}
            None => messages.iter_mut().last().into_iter().for_each(|last| last.lines.push(line)),
        }
    }
    let mut out = String::new();
    for Message { lines, others } in messages {
        for line in lines {
            out += &(painted(line, style) + "\n");
        }
        match others {
            0 => {}
            1 => out += "(the same warning at one other place)\n",
            n => out += &format!("(the same warning at {n} other places)\n"),
        }
    }
    out
}

/// A line with the place and the kind of the message in colours.
fn painted(line: &str, style: Style) -> String {
    let kinds = [("error:", Ink::Error), ("warning:", Ink::Suspect), ("note:", Ink::Frame)];
    let found = kinds.into_iter().find_map(|(kind, ink)| {
        let (place, message) = line.split_once(kind)?;
        let is_place = place.is_empty() || place.ends_with(": ");
        is_place.then_some((place, kind, ink, message))
    });
    match found {
        None => printable(line).into_owned(),
        Some((place, kind, ink, message)) => {
            let (place, kind) = (style.paint(Ink::Strong, place), style.paint(ink, kind));
            format!("{place}{kind}{}", printable(message))
        }
    }
}

#[cfg(test)]
mod tests {
    use report::Colour;

    use super::*;

    const TEXT: &str = "\
a.c:1:1: warning: old style [-Wold]
    1 | f(x)
      | ^
a.c:3:1: warning: unused [-Wunused]
a.c:5:1: warning: old style [-Wold]
    5 | g(x)
a.c:5:3: note: as here
a.c:7:1: error: what?
2 warnings generated.
b.c:5:1: warning: old style [-Wold]
1 warning generated.
";

    #[test]
    fn repeated_warnings_are_counted() {
        let expected = "\
a.c:1:1: warning: old style [-Wold]
    1 | f(x)
      | ^
(the same warning at 2 other places)
a.c:3:1: warning: unused [-Wunused]
a.c:7:1: error: what?
";
        assert_eq!(folded(TEXT, Style::PLAIN), expected);
        assert_eq!(folded("", Style::PLAIN), "");
    }

    #[test]
    fn kinds_are_coloured_and_names_are_not_obeyed() {
        let style = Style { colour: Colour::On, ..Style::PLAIN };
        let shown = folded("a\x1b[2J.c:1:1: error: no\n", style);
        assert_eq!(shown, "\x1b[1ma\\x1b[2J.c:1:1: \x1b[0m\x1b[1;31merror:\x1b[0m no\n");
    }
}
