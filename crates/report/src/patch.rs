//! Unified diffs, as `git apply` takes them.

use std::fmt::Write;

use similar::TextDiff;

/// So many lines are shown around a change.
const AROUND: usize = 3;

/// The patch that makes one content of a file of another one. Every byte stays as it is, whatever the file is encoded in and
/// however its lines end.
pub fn patch(name: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    let name = name.trim_start_matches("./").trim_start_matches('/');
    let mut patch = format!("--- {}\n+++ {}\n", quoted('a', name), quoted('b', name)).into_bytes();
    // One letter for each byte: so text is compared, but bytes are what comes out.
    let [old, new] = [old, new].map(|bytes| bytes.iter().map(|&it| char::from(it)).collect());
    let [old, new]: [&String; 2] = [&old, &new];
    let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let diff = TextDiff::configure().newline_terminated(true).diff_slices(&old, &new);
    let hunks = diff.unified_diff().context_radius(AROUND).to_string();
    patch.extend(hunks.chars().map(|it| it as u8));
    patch
}

/// The name of a file with the letter of its side. Git writes names that would break the line as in C.
fn quoted(side: char, name: &str) -> String {
    let is_plain = !name.contains(|letter: char| letter.is_control() || "\"\\".contains(letter));
    if is_plain {
        return format!("{side}/{name}");
    }
    let mut out = format!("\"{side}/");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => _ = write!(out, "\\{byte:03o}"),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stay_as_they_are() {
        let made = patch("./src/a b.c", b"x\r\ny\rz\xff\r\nend", b"x\r\ny\rz\xfe\r\nend");
        let expected = b"--- a/src/a b.c\n+++ b/src/a b.c\n@@ -1,3 +1,3 @@\n x\r\n-y\rz\xff\r\n+y\rz\xfe\r\n end\n\\ No newline at end of file\n";
        assert_eq!(made, expected, "{}", String::from_utf8_lossy(&made));
    }

    #[test]
    fn names_are_one_line() {
        assert_eq!(quoted('a', "it's <b> é.c"), "a/it's <b> é.c");
        assert_eq!(quoted('b', "a\n\"\\é.c"), "\"b/a\\012\\\"\\\\\\303\\251.c\"");
    }
}
