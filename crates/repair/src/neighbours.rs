//! Inputs near a failing one.
//!
//! An edit with which the failing test passes may be right, or it may do no more than to avoid the failure there. Inputs
//! that differ a little tell: most of those that fail in the same way should pass with it, and those that passed should
//! still do. So each argument, each word of the standard input, and each value that the program asked for is
//! changed a little: by 1 and 10, to 0 and 1, to the constants of the program and their neighbours, to the values of
//! other positions; and there are more and fewer of them. All of this is in a fixed order, and bounded.

use host::Setup;
use rustc_hash::FxHashSet;

use crate::answers::Answers;
use crate::runs::Input;

/// Longer inputs are changed at so many places, spread over all of them.
const MOST_PLACES: usize = 24;
/// So many constants are taken.
const MOST_CONSTANTS: usize = 8;

/// An input, and how it differs from the failing one.
#[derive(Clone, Debug)]
pub struct Neighbour {
    pub input: Input,
    /// What the user would give the program: the arguments, or the words of the input.
    pub says: String,
}

/// At most so many inputs near this one. `constants` are those of the program.
pub fn neighbours(of: &Input, constants: &[i64], most: usize) -> Vec<Neighbour> {
    match of {
        Input::Setup(setup) => near_setups(setup, constants, most),
        Input::Answers(answers) => {
            let constants: Vec<i64> = constants.iter().copied().take(MOST_CONSTANTS).collect();
            let mut seen: FxHashSet<Answers> = [answers.clone()].into_iter().collect();
            let mut all = answers.near(&constants);
            all.retain(|it| seen.insert(it.clone()));
            all.truncate(most);
            let one = |it: Answers| Neighbour { says: it.says(), input: Input::Answers(it) };
            all.into_iter().map(one).collect()
        }
    }
}

fn near_setups(of: &Setup, constants: &[i64], most: usize) -> Vec<Neighbour> {
    let mut found = Found { seen: FxHashSet::default(), all: Vec::new(), most };
    found.seen.insert(key(of));
    let constants: Vec<i64> = constants.iter().copied().take(MOST_CONSTANTS).collect();
    let own = of.arguments.get(1..).unwrap_or(&[]);
    for words in changed(own, &constants) {
        let first = of.arguments.iter().take(1).cloned();
        found.add(Setup { arguments: first.chain(words).collect(), ..of.clone() });
    }
    let (words, gaps) = split(&of.stdin);
    for changed in changed(&words, &constants) {
        found.add(Setup { stdin: joined(&changed, &gaps), ..of.clone() });
    }
    for inputs in changed_inputs(&of.inputs, &constants) {
        found.add(Setup { inputs, ..of.clone() });
    }
    found.all
}

struct Found {
    seen: FxHashSet<Key>,
    all: Vec<Neighbour>,
    most: usize,
}

/// What tells inputs apart: arguments, standard input, values that were asked for.
type Key = (Vec<Vec<u8>>, Vec<u8>, Vec<Vec<u8>>);

fn key(of: &Setup) -> Key {
    (of.arguments.clone(), of.stdin.clone(), of.inputs.clone())
}

impl Found {
    fn add(&mut self, setup: Setup) {
        if self.all.len() < self.most && self.seen.insert(key(&setup)) {
            let says = says(&setup);
            // What the other input should print is not known.
            let setup = Setup { expected_output: None, ..setup };
            self.all.push(Neighbour { input: Input::Setup(setup), says });
        }
    }
}

/// What the inputs of tests look like.
#[derive(Clone, Debug, Default)]
pub struct Usual {
    bytes: FxHashSet<u8>,
    /// The smallest and the largest number, if there are tests enough to know.
    range: Option<(i64, i64)>,
}

impl Usual {
    pub fn of<'i>(inputs: impl Iterator<Item = &'i Input>) -> Usual {
        const FEW: usize = 4;
        let setups = inputs.filter_map(|it| match it {
            Input::Setup(setup) => Some(setup),
            Input::Answers(_) => None,
        });
        let all: Vec<Vec<Vec<u8>>> = setups.map(given).collect();
        let words = || all.iter().flatten();
        let mut bytes: FxHashSet<u8> = words().flatten().copied().collect();
        let mut range = None;
        match all.len() < FEW {
            true => bytes.extend(b"0123456789"),
            false => {
                let numbers = || words().filter_map(|word| parsed(word));
                range = numbers().min().zip(numbers().max());
            }
        }
        Usual { bytes, range }
    }

    /// Whether an input has something in it that no test has, so that it is less likely to be meant.
    pub fn is_strange(&self, input: &Input) -> bool {
        let Input::Setup(setup) = input else { return false };
        let is_outside =
            |number: i64| self.range.is_some_and(|(least, most)| number < least || number > most);
        given(setup).iter().any(|word| {
            word.iter().any(|byte| !self.bytes.contains(byte))
                || parsed(word).is_some_and(is_outside)
        })
    }
}

/// The words that a program is given.
fn given(setup: &Setup) -> Vec<Vec<u8>> {
    let arguments = setup.arguments.iter().skip(1).cloned();
    arguments.chain(split(&setup.stdin).0).collect()
}

/// An input in a few words.
pub fn says(setup: &Setup) -> String {
    const MOST: usize = 40;
    let words = |words: &[Vec<u8>]| {
        let all: Vec<String> =
            words.iter().map(|it| String::from_utf8_lossy(it).into_owned()).collect();
        all.join(" ")
    };
    let arguments = words(setup.arguments.get(1..).unwrap_or(&[]));
    let input = words(&split(&setup.stdin).0);
    let values: Vec<String> = setup.inputs.iter().map(|it| number_of(it).to_string()).collect();
    let mut text = match (arguments.is_empty(), input.is_empty()) {
        (false, _) => arguments,
        (true, false) => input,
        (true, true) => values.join(" "),
    };
    if let Some((cut, _)) = text.char_indices().nth(MOST) {
        text.truncate(cut);
        text.push('…');
    }
    text
}

/// Some words with one of them changed, one more, or one fewer.
fn changed(words: &[Vec<u8>], constants: &[i64]) -> Vec<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    let places = spread(words.len());
    let numbers: Vec<Option<i64>> = words.iter().map(|word| parsed(word)).collect();
    // First what changes little, at all places.
    for near in [&[1, -1][..], &[10, -10]] {
        for &place in &places {
            for by in near {
                if let Some(number) = numbers[place] {
                    found.push(with(words, place, spelled(number.wrapping_add(*by))));
                }
            }
        }
    }
    for &place in &places {
        let Some(number) = numbers[place] else {
            found.extend(texts(&words[place]).into_iter().map(|it| with(words, place, it)));
            continue;
        };
        let mut others = vec![0, 1, 2, -number, number.wrapping_mul(2), number / 2];
        others
            .extend(constants.iter().flat_map(|it| [*it, it.wrapping_add(1), it.wrapping_sub(1)]));
        others.extend(numbers.iter().flatten().take(MOST_CONSTANTS));
        found.extend(others.into_iter().map(|it| with(words, place, spelled(it))));
    }
    // Two at once, if there are few: each as the other, and both small.
    if (2..=4).contains(&words.len()) {
        for a in 0..words.len() {
            for b in a + 1..words.len() {
                let (Some(x), Some(y)) = (numbers[a], numbers[b]) else { continue };
                found.push(with(&with(words, a, spelled(y)), b, spelled(x)));
                for (p, q) in [(1, 1), (-1, -1), (1, -1), (-1, 1)] {
                    let first = with(words, a, spelled(x.wrapping_add(p)));
                    found.push(with(&first, b, spelled(y.wrapping_add(q))));
                }
                for (p, q) in [(0, 0), (1, 1), (1, 2), (2, 1), (3, 3), (5, 3), (3, 5), (7, 2)] {
                    found.push(with(&with(words, a, spelled(p)), b, spelled(q)));
                }
            }
        }
    }
    for &place in &places {
        let mut fewer = words.to_vec();
        fewer.remove(place);
        found.push(fewer);
        let mut more = words.to_vec();
        more.insert(place, words[place].clone());
        found.push(more);
    }
    found
}

/// So many places of so many, spread evenly.
fn spread(length: usize) -> Vec<usize> {
    let count = length.min(MOST_PLACES);
    (0..count).map(|n| n * length / count).collect()
}

fn with(words: &[Vec<u8>], place: usize, word: Vec<u8>) -> Vec<Vec<u8>> {
    let mut words = words.to_vec();
    words[place] = word;
    words
}

fn parsed(word: &[u8]) -> Option<i64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

fn spelled(number: i64) -> Vec<u8> {
    number.to_string().into_bytes()
}

/// Words like one that is no number.
fn texts(word: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    if let Some((last, rest)) = word.split_last() {
        found.push(rest.to_vec());
        found.push([word, &[*last]].concat());
        found.push(word.iter().rev().copied().collect());
        let mut other = word.to_vec();
        if let Some(first) = other.first_mut() {
            *first = match *first {
                letter if letter.is_ascii_alphabetic() => letter ^ 0x20,
                digit if digit.is_ascii_digit() => b'0' + (digit - b'0' + 1) % 10,
                other => other.wrapping_add(1),
            };
        }
        found.push(other);
        let mut other = word.to_vec();
        if let Some(end) = other.last_mut() {
            *end = if end.is_ascii_alphanumeric() { b'a' } else { *end };
        }
        found.push(other);
        found.push([word, word].concat());
    }
    found
}

/// The words of a text, and what is between them: one more than there are words.
fn split(text: &[u8]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let (mut words, mut gaps) = (Vec::new(), vec![Vec::new()]);
    for &byte in text {
        let is_blank = byte.is_ascii_whitespace();
        let in_word = gaps.len() == words.len();
        match (is_blank, in_word) {
            (true, true) => gaps.push(vec![byte]),
            (true, false) => gaps.last_mut().into_iter().for_each(|it| it.push(byte)),
            (false, true) => {
                words.last_mut().into_iter().for_each(|it: &mut Vec<u8>| it.push(byte))
            }
            (false, false) => words.push(vec![byte]),
        }
    }
    if gaps.len() == words.len() {
        gaps.push(Vec::new());
    }
    (words, gaps)
}

fn joined(words: &[Vec<u8>], gaps: &[Vec<u8>]) -> Vec<u8> {
    let mut text = gaps.first().cloned().unwrap_or_default();
    for (number, word) in words.iter().enumerate() {
        text.extend(word);
        let is_last = number + 1 == words.len();
        let gap = match is_last {
            true => gaps.last(),
            false => gaps.get(number + 1).filter(|gap| !gap.is_empty()),
        };
        text.extend(gap.map_or(&b" "[..], Vec::as_slice));
    }
    text
}

/// A value that was asked for, least significant byte first.
pub fn number_of(bytes: &[u8]) -> i64 {
    let mut word = [0; 8];
    let length = bytes.len().min(8);
    word[..length].copy_from_slice(&bytes[..length]);
    let negative = length > 0 && length < 8 && bytes[length - 1] & 0x80 != 0;
    if negative {
        word[length..].fill(0xff);
    }
    i64::from_le_bytes(word)
}

/// Values that the program asked for, with one of them changed.
fn changed_inputs(inputs: &[Vec<u8>], constants: &[i64]) -> Vec<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    for place in spread(inputs.len()) {
        let (number, width) = (number_of(&inputs[place]), inputs[place].len().min(8));
        let mut others = vec![
            number.wrapping_add(1),
            number.wrapping_sub(1),
            0,
            1,
            number.wrapping_add(10),
            number.wrapping_sub(10),
        ];
        others
            .extend(constants.iter().flat_map(|it| [*it, it.wrapping_add(1), it.wrapping_sub(1)]));
        for other in others {
            let bytes = other.to_le_bytes()[..width].to_vec();
            found.push(with(inputs, place, bytes));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(arguments: &[&str], stdin: &str) -> Setup {
        let arguments = ["program"].iter().chain(arguments).map(|it| it.as_bytes().to_vec());
        Setup {
            arguments: arguments.collect(),
            stdin: stdin.as_bytes().to_vec(),
            ..Setup::default()
        }
    }

    fn given(of: &Neighbour) -> &Setup {
        match &of.input {
            Input::Setup(setup) => setup,
            Input::Answers(_) => panic!("a program with memory"),
        }
    }

    #[test]
    fn arguments_change_a_little() {
        let all = near_setups(&setup(&["100", "3"], ""), &[7], 500);
        let says: Vec<&str> = all.iter().map(|it| it.says.as_str()).collect();
        assert_eq!(says[..4], ["101 3", "99 3", "100 4", "100 2"]);
        for wanted in ["100 0", "0 3", "100 8", "3 100", "100", "100 3 3", "3 3"] {
            assert!(says.contains(&wanted), "{wanted}");
        }
        assert!(!says.contains(&"100 3"));
    }

    #[test]
    fn white_space_stays() {
        let all = near_setups(&setup(&[], "2\n10 x\n"), &[], 500);
        let texts: Vec<&str> =
            all.iter().filter_map(|it| std::str::from_utf8(&given(it).stdin).ok()).collect();
        for wanted in ["3\n10 x\n", "2\n11 x\n", "2\n10 X\n", "10\n10 x\n", "2\n10\n"] {
            assert!(texts.contains(&wanted), "{wanted:?} in {texts:?}");
        }
    }

    #[test]
    fn values_that_were_asked_for_keep_their_width() {
        let of = Setup { inputs: vec![vec![255, 255, 255, 255], vec![0]], ..Setup::default() };
        let all = near_setups(&of, &[], 500);
        assert!(all.iter().map(given).all(|it| it.inputs[0].len() == 4 && it.inputs[1].len() == 1));
        assert!(all.iter().any(|it| given(it).inputs[0] == [254, 255, 255, 255]));
        assert_eq!(says(&of), "-1 0");
    }

    #[test]
    fn what_no_test_has_is_strange() {
        let strange = |tests: &[&str], text: &str| {
            let all: Vec<Input> = tests.iter().map(|it| Input::Setup(setup(&[], it))).collect();
            Usual::of(all.iter()).is_strange(&Input::Setup(setup(&[], text)))
        };
        assert!(!strange(&["3 5"], "9 0"));
        assert!(strange(&["3 5"], "-3 5") && strange(&["3 5"], "3 x"));
        let tests = ["1 10", "11 01", "100 1", "0 11"];
        assert!(!strange(&tests, "01 10") && strange(&tests, "12 1") && strange(&tests, "1000 1"));
    }

    #[test]
    fn there_are_not_too_many() {
        let long: Vec<String> = (0..10_000).map(|it| it.to_string()).collect();
        let all = near_setups(&setup(&[], &long.join(" ")), &[5], 300);
        assert_eq!(all.len(), 300);
    }
}
