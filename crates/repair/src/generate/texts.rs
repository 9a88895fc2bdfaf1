//! Edits of string literals: what is printed, and how it is formatted.

use program::syntax::{Kind as Node, NodeId, Range};

use super::Generator;
use super::levels::ATOM;
use crate::edit::Replacement;
use crate::kinds::Kind;

impl Generator<'_> {
    /// Less is printed: without one of the values, or only the first or the last of them.
    pub fn fewer(&mut self, call: NodeId, name: &str, arguments: &[NodeId]) {
        let Some((&format, values)) = arguments.split_first().filter(|_| name == "printf") else {
            return;
        };
        let text = self.text(format).to_owned();
        let inner = text.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or("");
        let parts = parts(inner);
        let is_plain = |part: &&str| part.contains('%') && !part.ends_with("%%");
        let count = parts.iter().filter(|it| is_plain(it)).count();
        if self.syntax.kind(format) != Node::Text || count != values.len() || count < 2 {
            return;
        }
        let kept = |wanted: &dyn Fn(usize) -> bool| {
            let (mut new, mut number) = (String::new(), 0);
            for part in &parts {
                let is_kept = !is_plain(part) || wanted(number);
                number += usize::from(is_plain(part));
                new.push_str(if is_kept { part } else { "" });
            }
            let mut all = vec![Replacement {
                range: self.syntax.range(format),
                new: format!("\"{}\"", new.trim_end()),
            }];
            for (number, value) in values.iter().enumerate().filter(|(number, _)| !wanted(*number))
            {
                let before = self.syntax.range(arguments[number]).end;
                let range = Range { start: before, end: self.syntax.range(*value).end };
                all.push(Replacement { range, new: String::new() });
            }
            all
        };
        let mut found: Vec<Vec<Replacement>> = Vec::new();
        for number in 0..count {
            found.push(kept(&|it| it != number));
        }
        if count > 2 {
            found.push(kept(&|it| it == 0));
            found.push(kept(&|it| it + 1 == count));
        }
        let weight = self.given.weights.weight(Kind::Text, "", "").saturating_sub(6).max(1);
        for all in found {
            self.add(Kind::Text, call, weight, all);
        }
    }

    pub fn string(&mut self, id: NodeId) {
        let text = self.text(id).to_owned();
        let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
            return;
        };
        if !self.is_c() || inner.len() > 200 {
            return;
        }
        let mut others: Vec<(String, u32)> = Vec::new();
        let mut other = |inner: String, less: u32| others.push((format!("\"{inner}\""), less));
        match inner.strip_suffix("\\n") {
            Some(rest) => {
                other(rest.to_owned(), 2);
                other(format!("{rest} "), 8);
            }
            None => other(format!("{inner}\\n"), 0),
        }
        match inner.strip_suffix(' ') {
            Some(rest) => {
                other(rest.to_owned(), 4);
                other(format!("{rest}\\n"), 6);
            }
            None => other(format!("{inner} "), 6),
        }
        if let Some(rest) = inner.strip_prefix(' ') {
            other(rest.to_owned(), 8);
        }
        if !inner.contains('%') {
            other(inner.to_uppercase().replace("\\N", "\\n"), 6);
            other(inner.to_lowercase(), 6);
            let mut letters = inner.chars();
            if let Some(first) = letters.next() {
                let rest = letters.as_str();
                other(format!("{}{}", first.to_uppercase(), rest.to_lowercase()), 6);
            }
        }
        others.extend(conversions(inner).into_iter().map(|inner| (format!("\"{inner}\""), 4)));
        others
            .extend(spaced(inner).into_iter().map(|(inner, less)| (format!("\"{inner}\""), less)));
        let known = self.pools.texts.iter().filter(|it| !it.contains('%') && !inner.contains('%'));
        others.extend(known.map(|it| (it.clone(), 2)));
        for (new, less) in others {
            self.replace_less(Kind::Text, id, &new, ATOM, less);
        }
    }
}

/// How long the conversion is that a part of a format begins with.
pub fn conversion(format: &str) -> usize {
    let is_letter = |c: char| c.is_ascii_alphabetic() && !"hlLqjzt".contains(c) || c == '%';
    let rest = format.strip_prefix('%').unwrap_or(format);
    let end = rest.char_indices().find(|(_, c)| is_letter(*c));
    end.map_or(format.len(), |(at, c)| format.len() - rest.len() + at + c.len_utf8())
}

/// A format in parts each of which ends with a conversion, but for what is behind the last one.
fn parts(format: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), format);
    while let Some(at) = rest.find('%') {
        let (part, after) = rest.split_at(at + conversion(&rest[at..]));
        found.push(part);
        rest = after;
    }
    found.push(rest);
    found
}

/// What scanning and printing with one blank more or less means.
fn spaced(format: &str) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    for (at, sign) in format.char_indices() {
        let (before, rest) = (&format[..at], &format[at..]);
        match sign {
            '%' if !rest.starts_with("%%") => {
                let (own, after) = rest.split_at(conversion(rest));
                // Characters that are read are often meant to be those after blanks.
                let less = if own == "%c" && !before.ends_with(' ') { 0 } else { 8 };
                found.push((format!("{before} {rest}"), less));
                if !after.starts_with(' ') && !after.is_empty() {
                    found.push((format!("{before}{own} {after}"), 4));
                }
                if !after.starts_with("\\n") && !after.is_empty() {
                    found.push((format!("{before}{own}\\n{after}"), 8));
                }
            }
            ' ' | ',' => {
                found.push((format!("{before}{}", &rest[1..]), 6));
                found.push((format!("{before}\\n{}", &rest[1..]), 10));
            }
            '\\' if rest.starts_with("\\n") => {
                found.push((format!("{before}{}", &rest[2..]), 8));
                found.push((format!("{before} {}", &rest[2..]), 8));
            }
            _ => {}
        }
    }
    found
}

/// A format with one conversion changed.
fn conversions(format: &str) -> Vec<String> {
    const CHANGES: [(&str, &[&str]); 12] = [
        ("%d", &["%u", "%c", "%ld", "%lld", "%x"]),
        ("%i", &["%u", "%lld"]),
        ("%u", &["%d", "%lu"]),
        ("%c", &["%d"]),
        ("%x", &["%X", "%d"]),
        ("%X", &["%x"]),
        ("%ld", &["%lld", "%d", "%lu"]),
        ("%lld", &["%llu", "%d"]),
        ("%f", &["%.0f", "%.1f", "%.2f", "%.6f", "%lf", "%g"]),
        ("%lf", &["%.0lf", "%.1lf", "%.2lf", "%g"]),
        ("%s", &["%c"]),
        ("%g", &["%f"]),
    ];
    let mut found = Vec::new();
    for (old, all) in CHANGES {
        for (at, _) in format.match_indices(old) {
            for new in all {
                found.push(format!("{}{new}{}", &format[..at], &format[at + old.len()..]));
            }
        }
    }
    // `%.2f` with another precision.
    for (at, _) in format.match_indices("%.") {
        let digits: String = format[at + 2..].chars().take_while(char::is_ascii_digit).collect();
        let Ok(precision) = digits.parse::<u32>() else { continue };
        for other in [precision.wrapping_sub(1), precision + 1, precision + 3, precision * 2] {
            if other < 20 && other != precision {
                let rest = &format[at + 2 + digits.len()..];
                found.push(format!("{}%.{other}{rest}", &format[..at]));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{parts, spaced};

    #[test]
    fn formats_in_parts() {
        assert_eq!(parts("%d, %5lld%%\\n%s"), ["%d", ", %5lld", "%%", "\\n%s", ""]);
        assert_eq!(parts("none%"), ["none%", ""]);
    }

    #[test]
    fn blanks() {
        let found = spaced("%c%lld");
        assert!(found.contains(&(" %c%lld".to_owned(), 0)));
        assert!(found.contains(&("%c %lld".to_owned(), 4)));
        assert!(!found.iter().any(|(text, _)| text.contains("ll d")));
    }
}
