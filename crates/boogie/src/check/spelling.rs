//! Which known name might the user have meant?

/// Names longer than this are not compared.
const MAX_LENGTH: usize = 60;

/// The most similar name, if one is similar enough; the first in alphabetical
/// order if there are several.
pub(super) fn closest<'a>(name: &str, known: Vec<&'a str>) -> Option<&'a str> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let allowed = match name.len() {
        0..=2 => 1,
        3..=4 => 2,
        _ => 3,
    };
    known
        .into_iter()
        .filter(|other| other.len() <= MAX_LENGTH && other.len() > 1)
        .map(|other| (distance(name, other), other))
        .filter(|&(distance, _)| distance < allowed)
        .min()
        .map(|(_, other)| other)
}

/// The number of insertions, deletions and replacements, not counting case.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names() {
        let table = [
            ("cuont", &["count", "other"][..], Some("count")),
            ("Count", &["count"], Some("count")),
            ("y", &["x", "z"], None),
            ("abc", &["xyz"], None),
            ("ab1", &["ab3", "ab2"], Some("ab2")),
        ];
        for (name, known, expected) in table {
            assert_eq!(closest(name, known.to_vec()), expected, "{name}");
        }
    }

    #[test]
    fn distances() {
        for (a, b, expected) in [("", "ab", 2), ("kitten", "sitting", 3), ("a", "a", 0)] {
            assert_eq!(distance(a, b), expected);
        }
    }
}
