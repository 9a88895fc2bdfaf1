//! Whether an edit only writes down what the one test says.
//!
//! Who prints what is expected, whatever is given, passes a single test; so does a constant that nobody has heard of but in this
//! test. That may be right, but nothing speaks for it. A text that differs in a few characters is a typo, a separator or the end of
//! a line, and corrected like others.

use crate::kinds::Kind;
use crate::runs::{Input, Test};

/// So many characters are a typo.
const FEW: usize = 3;

/// Whether this is all that is done where `old` becomes `new`. `constants` are those of the program.
pub fn is_told(kind: Kind, old: &str, new: &str, constants: &[i64], tests: &[Test]) -> bool {
    let [Test { input: Input::Setup(setup), .. }] = tests else { return false };
    let expected = setup.expected_output.as_deref().unwrap_or_default();
    let expected = String::from_utf8_lossy(expected);
    match kind {
        Kind::Text => {
            let (old, new) = (printed(old), printed(new));
            let is_expected = |text: &str| !text.is_empty() && expected.contains(text);
            is_expected(new.trim()) && !is_expected(old.trim()) && distance(&old, &new) > FEW
        }
        Kind::Constant => {
            let Ok(number) = new.trim().parse::<i64>() else { return false };
            let is_near = |known: &i64| number.abs_diff(*known) <= 1;
            let given = setup.arguments.iter().skip(1).chain([&setup.stdin]);
            let given: Vec<_> = given.map(|it| String::from_utf8_lossy(it)).collect();
            let mut words = given.iter().flat_map(|it| it.split_whitespace());
            let is_said = |word: &str| word.parse() == Ok(number);
            let is_own = number.unsigned_abs() <= 2 || constants.iter().any(is_near);
            !is_own && (words.any(is_said) || expected.split_whitespace().any(is_said))
        }
        _ => false,
    }
}

/// What a string literal prints, about.
fn printed(literal: &str) -> String {
    literal.trim().trim_matches('"').replace("\\n", "\n").replace("\\t", "\t")
}

/// How many characters have to be put in, taken out or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use host::Setup;

    use super::*;

    #[test]
    fn what_one_test_says_is_no_reason() {
        let setup = Setup {
            arguments: vec![b"p".to_vec(), b"17".to_vec()],
            expected_output: Some(b"isosceles 40\n".to_vec()),
            ..Setup::default()
        };
        let test = Test { name: String::new(), input: Input::Setup(setup), instructions: 1 };
        let told = |kind, old: &str, new: &str| {
            let one = is_told(kind, old, new, &[10, 39], std::slice::from_ref(&test));
            assert!(!is_told(kind, old, new, &[], &[test.clone(), test.clone()]));
            one
        };
        assert!(told(Kind::Text, "\"scalene\"", "\"isosceles\""));
        assert!(!told(Kind::Text, "\"Isoceles\\n\"", "\"isosceles\\n\""), "a typo");
        assert!(!told(Kind::Text, "\"scalene\"", "\"no triangle\""));
        assert!(told(Kind::Constant, "10", "17"));
        assert!(!told(Kind::Constant, "10", "11") && !told(Kind::Constant, "10", "40"));
        assert!(!told(Kind::Relational, "<", "<="));
        assert_eq!([distance("", "abc"), distance("kitten", "sitting")], [3, 3]);
    }
}
