//! A hash of a line and the lines after it, by which GitHub recognises an alert in a later version of a file.
//!
//! It is the one that GitHub itself computes where a SARIF file has none: a rolling hash of 100 characters, without spaces
//! and tabs, that begin with the line; and how many lines above have the same. So an alert is the same whether the file
//! came through GitHub's action or its interface.

use std::collections::HashMap;

const BLOCK: usize = 100;
const FACTOR: u64 = 37;
/// What stands for the end of the file.
const END: u64 = 65535;

/// The hash of a line, from 1.
pub fn line_hash(text: &str, line: u32) -> Option<String> {
    let (letters, starts) = letters(text);
    let hash = |start: usize| {
        let next = |at: usize| letters.get(at).copied().unwrap_or(0);
        (start..start + BLOCK)
            .fold(0u64, |hash, at| hash.wrapping_mul(FACTOR).wrapping_add(next(at)))
    };
    let mut counts: HashMap<u64, usize> = HashMap::new();
    let until = starts.get(..line as usize)?;
    let mut last = None;
    for &start in until {
        let hash = hash(start);
        let count = counts.entry(hash).or_default();
        *count += 1;
        last = Some(format!("{hash:x}:{count}"));
    }
    last
}

/// The letters that count, as UTF-16, and where lines begin among them. All kinds of line ends are the same.
fn letters(text: &str) -> (Vec<u64>, Vec<usize>) {
    let mut letters = Vec::new();
    let mut starts = Vec::new();
    let mut is_start = true;
    let mut after_return = false;
    for unit in text.encode_utf16().map(u64::from).chain([END]) {
        let is_second = after_return && unit == 10;
        after_return = unit == 13;
        if unit == 32 || unit == 9 || is_second {
            continue;
        }
        if is_start {
            starts.push(letters.len());
        }
        let unit = if after_return { 10 } else { unit };
        is_start = unit == 10;
        letters.push(unit);
    }
    (letters, starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        (1..).map_while(|line| line_hash(text, line)).collect()
    }

    /// The values that GitHub's implementation gives.
    #[test]
    fn hashes_are_those_of_github() {
        assert_eq!(all(""), ["c129715d7a2bc9a3:1"]);
        let expected =
            ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"];
        assert_eq!(all(" a\nb\n  \t\tc\n d"), expected);
        let expected = [
            "e9496ae3ebfced30:1",
            "fb7c023a8b9ccb3f:1",
            "ce8ba1a563dcdaca:1",
            "e20e36e16fcb0cc8:1",
            "b3edc88f2938467e:1",
            "c8e28b0b4002a3a0:1",
            "c129715d7a2bc9a3:1",
        ];
        assert_eq!(all(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n"), expected);
        assert_eq!(all(" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r"), expected);
        assert_eq!(all(" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n"), expected);
    }

    #[test]
    fn equal_lines_are_counted() {
        let text = "x\n".repeat(200);
        let hashes = all(&text);
        assert!(hashes[0].ends_with(":1") && hashes[1].ends_with(":2"), "{hashes:?}");
        assert_eq!(line_hash(&text, 1000), None);
    }
}
