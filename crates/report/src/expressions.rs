//! Parts of C expressions, by their text: what an assignment assigns, and the arguments of a call.
//!
//! The text is what a parser has found to be a statement. Where it is not what is expected, because a macro
//! hides it, there is no answer.

use std::ops::Range;

/// What an assignment assigns, as it is written: `p->next` in `p->next = q` and in `p->next++`.
pub fn assigned(text: &str) -> Option<&str> {
    let text = text.trim();
    for sign in ["++", "--"] {
        if let Some(rest) = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign)) {
            return Some(rest.trim()).filter(|rest| !rest.is_empty());
        }
    }
    let at = outside(text).find(|&(at, character)| {
        character == '=' && {
            let (before, after) = (&text[..at], &text[at + 1..]);
            let compares = before.ends_with(['=', '!'])
                || before.ends_with(['<', '>'])
                    && !(before.ends_with("<<") || before.ends_with(">>"));
            !compares && !after.starts_with('=')
        }
    });
    let left = text[..at?.0].trim_end_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
    Some(left.trim()).filter(|left| !left.is_empty())
}

/// Where the arguments of a call are: of the last parentheses, which end the text.
pub fn arguments(text: &str) -> Vec<Range<usize>> {
    let end = text.trim_end().len();
    if !text[..end].ends_with(')') {
        return Vec::new();
    }
    let opens = outside(text).filter(|&(_, character)| character == '(');
    let Some((open, _)) = opens.last().filter(|&(at, _)| at > 0) else { return Vec::new() };
    let inner = &text[open + 1..end - 1];
    let commas = outside(inner).filter(|&(_, character)| character == ',').map(|(at, _)| at);
    let mut found = Vec::new();
    let mut begin = 0;
    for comma in commas.chain([inner.len()]) {
        let part = &inner[begin..comma];
        let start = open + 1 + begin + (part.len() - part.trim_start().len());
        found.push(start..start + part.trim().len());
        begin = comma + 1;
    }
    if found.iter().any(Range::is_empty) { Vec::new() } else { found }
}

/// The characters that are in no parentheses, strings, characters or comments. The opening ones of the
/// outermost parentheses are among them.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut depth = 0u32;
    let mut skipped = 0;
    text.char_indices().filter(move |&(at, character)| {
        if at < skipped {
            return false;
        }
        let rest = &text[at..];
        match character {
            '"' | '\'' => {
                skipped = at + quoted(rest, character);
                return false;
            }
            '/' if rest.starts_with("/*") => {
                skipped = at + rest.find("*/").map_or(rest.len(), |end| end + 2);
                return false;
            }
            '/' if rest.starts_with("//") => {
                skipped = at + rest.find('\n').unwrap_or(rest.len());
                return false;
            }
            '(' | '[' | '{' => {
                depth += 1;
                return depth == 1;
            }
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && !matches!(character, ')' | ']' | '}')
    })
}

/// How long the string or character at the start is.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether what follows this text is a declaration: only words of a type come before the name.
pub fn declares(before: &str) -> bool {
    let begin = before.rfind([';', '{', '}', '(']).map_or(0, |at| at + 1);
    let words = &before[begin..];
    let is_type = |c: char| c.is_alphanumeric() || c == '_' || c == '*' || c.is_whitespace();
    let first = words.split(|c: char| c.is_whitespace() || c == '*').find(|word| !word.is_empty());
    words.chars().all(is_type)
        && first.is_some_and(|word| {
            !matches!(word, "else" | "do" | "return" | "case" | "goto" | "default")
                && !word.starts_with(|c: char| c.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_assigned() {
        let cases = [
            ("p->next = q", Some("p->next")),
            ("a[i == 3] = 1", Some("a[i == 3]")),
            ("x += y == z", Some("x")),
            ("x <<= 1", Some("x")),
            ("s.n >>= 2", Some("s.n")),
            ("*p++ = '='", Some("*p++")),
            ("p->n++", Some("p->n")),
            ("--*p", Some("*p")),
            ("x = y = 3", Some("x")),
            ("f(x = 3)", None),
            ("a <= b", None),
            ("a != b", None),
            ("a == b", None),
            ("\"a = b\"", None),
            ("", None),
            ("++", None),
            ("= 3", None),
        ];
        for (text, expected) in cases {
            assert_eq!(assigned(text), expected, "{text}");
        }
    }

    #[test]
    fn arguments_of_calls() {
        let parts = |text: &'static str| -> Vec<&str> {
            arguments(text).into_iter().map(|range| &text[range]).collect()
        };
        assert_eq!(parts("gcd(over, under)"), ["over", "under"]);
        assert_eq!(
            parts("f( g(a, b) , \"x, y)\", ',' , a[i, j] )"),
            ["g(a, b)", "\"x, y)\"", "','", "a[i, j]"]
        );
        assert_eq!(parts("(*table[i])(x /* a, b */, -1)"), ["x /* a, b */", "-1"]);
        assert_eq!(parts("f(ä, \"ü\")"), ["ä", "\"ü\""]);
        for none in ["f()", "f", "", "(a, b)", "f(a,)", "f(a) + 1", ")", "f(\"", "'"] {
            assert_eq!(parts(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn declarations() {
        for yes in
            ["{ int ", "; const struct node *", "for (unsigned i = 0; ; ) { char *const ", "int "]
        {
            assert!(declares(yes), "{yes}");
        }
        for no in ["", "{ ", "; else ", "x = ", "do ", "case 3: ", "// why\n", "if (x) ", "a, "] {
            assert!(!declares(no), "{no}");
        }
    }
}
