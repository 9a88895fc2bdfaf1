//! Edits of string literals: what is printed, and how it is formatted.

use program::syntax::NodeId;

use super::Generator;
use super::levels::ATOM;
use crate::kinds::Kind;

impl Generator<'_> {
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
        let known = self.pools.texts.iter().filter(|it| !it.contains('%') && !inner.contains('%'));
        others.extend(known.map(|it| (it.clone(), 2)));
        for (new, less) in others {
            self.replace_less(Kind::Text, id, &new, ATOM, less);
        }
    }
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
