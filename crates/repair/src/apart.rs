//! What tells solutions apart: an input near a test with which they behave differently.
//!
//! Where tests say only what should be printed for their own inputs, many edits pass, and nobody knows which one is meant. A
//! person who sees what each of them does with another input often does. So the programs that were accepted are run on
//! inputs near the tests, and the input is named that divides them best: such that, whichever answer is right, little is
//! left. Of equally good ones, that which differs least from a test is named. What is known by then can be told: [`Told`].

use std::hash::{Hash, Hasher};

use host::Reading;
use program::Stop;
use rustc_hash::{FxHashMap, FxHasher};

use crate::build::Built;
use crate::claims::{Apart, Ending, Outcome};
use crate::neighbours::{Neighbour, Usual, neighbours};
use crate::runs::{End, Input, Ran, Runnable, Test};
use crate::screen::spend;

/// So many inputs are named, if each of them divides what those before it do not.
const MOST: usize = 3;
/// How many inputs are looked at: near the first test, and near some others.
const NEAR_FIRST: usize = 240;
const NEAR_OTHERS: usize = 60;
const OTHERS: usize = 5;
/// How many instructions all runs together may take.
const EFFORT: u64 = 200_000_000;
/// Who would read longer outputs?
const LONGEST: usize = 1_000;

/// What is known of an input that was asked about.
#[derive(Clone, Debug)]
pub enum Told {
    /// What is right: the output, the status, or both; if neither, it should not fail.
    Right { output: Option<Vec<u8>>, status: Option<i32> },
    /// What is wrong.
    Wrong(Vec<(Ending, Vec<u8>)>),
}

/// An input with which some behaviours are known to be wrong.
#[derive(Clone, Debug)]
pub struct Refuted {
    pub input: Input,
    pub wrong: Vec<(Ending, Vec<u8>)>,
}

impl Refuted {
    /// Whether a program behaves in one of these ways.
    pub fn refutes(&self, ran: &Ran) -> bool {
        let ending = Ending::of(&ran.end);
        self.wrong.iter().any(|(wrong, output)| *wrong == ending && *output == ran.output)
    }
}

/// An input that may tell solutions apart.
#[derive(Clone, Debug)]
pub struct Candidate {
    neighbour: Neighbour,
    /// The test that it is near.
    test: usize,
    /// Whether it has something in it that no test has.
    is_strange: bool,
    most: u64,
}

/// What a solution does with an input.
#[derive(Clone, Debug)]
struct Seen {
    hash: u64,
    ending: Ending,
    /// None if it is long.
    output: Option<Vec<u8>>,
    /// Whether it takes another part of its input than it does in the test.
    reads_otherwise: bool,
}

/// What a solution does with all candidates.
#[derive(Clone, Debug, Default)]
pub struct Behaviour(Vec<Seen>);

/// The inputs to look at, those near the first test first. What the user said is wrong with an input says nothing of others.
pub fn candidates(tests: &[Test], constants: &[i64], solutions: usize) -> Vec<Candidate> {
    let mut all = Vec::new();
    let usual = Usual::of(tests.iter().map(|test| &test.input));
    let mut left = EFFORT / solutions.max(1) as u64;
    for (number, test) in tests.iter().enumerate().take(1 + OTHERS) {
        let most = if number == 0 { NEAR_FIRST } else { NEAR_OTHERS };
        for neighbour in neighbours(&test.input, constants, most) {
            let cost = test.instructions + 2_000;
            if cost > left {
                return all;
            }
            left -= cost;
            let Neighbour { input, says } = neighbour;
            let is_strange = usual.is_strange(&input);
            let neighbour = Neighbour { input: input.unjudged(), says };
            let most = 8 * test.instructions + 20_000;
            all.push(Candidate { neighbour, test: number, is_strange, most });
        }
    }
    all
}

/// Runs a solution on all candidates. None if there was no time.
pub fn observe(
    built: &Built,
    tests: &[Test],
    candidates: &[Candidate],
    stop: &Stop,
) -> Option<Behaviour> {
    let runnable = Runnable::new(&built.program, &built.engine);
    let (mut readings, mut seen): (Vec<Option<Reading>>, Vec<Seen>) = Default::default();
    let mut instructions = 0;
    for candidate in candidates {
        if stop.raised() {
            return None;
        }
        readings.resize(readings.len().max(candidate.test + 1), None);
        let usual = *readings[candidate.test].get_or_insert_with(|| {
            let test = &tests[candidate.test];
            runnable.run(&test.input, &[], 4 * test.instructions + 10_000, stop).reading
        });
        let ran = runnable.run(&candidate.neighbour.input, &[], candidate.most, stop);
        instructions += ran.instructions;
        seen.push(Seen::of(ran, usual));
    }
    spend(stop, candidates.len(), instructions);
    Some(Behaviour(seen))
}

impl Seen {
    fn of(ran: Ran, usual: Reading) -> Seen {
        let ending = Ending::of(&ran.end);
        let mut hasher = FxHasher::default();
        (ending.number(), &ran.output).hash(&mut hasher);
        Seen {
            hash: hasher.finish(),
            ending,
            reads_otherwise: ran.reading != usual,
            output: (ran.output.len() <= LONGEST).then_some(ran.output),
        }
    }
}

impl Ending {
    pub fn of(end: &End) -> Ending {
        match end {
            End::Passed(status) => Ending::Exits(*status),
            End::Failed { kind, .. } => Ending::Fails(*kind),
            End::Blocked => Ending::Blocked,
            End::Cut => Ending::Endless,
        }
    }

    /// Different ones have different numbers.
    fn number(self) -> i64 {
        match self {
            Ending::Exits(status) => status.into(),
            Ending::Fails(kind) => (1 << 40) + kind as i64,
            Ending::Blocked => 1 << 41,
            Ending::Endless => 1 << 42,
        }
    }
}

/// The inputs that tell solutions apart, the best first. The solutions are in their order; what nobody looked at is None.
pub fn apart(candidates: &[Candidate], behaviours: &[Option<Behaviour>]) -> Vec<Apart> {
    let solutions: Vec<(usize, &Behaviour)> =
        (0..).zip(behaviours).filter_map(|(number, it)| Some((number, it.as_ref()?))).collect();
    // Which of them were not told apart yet.
    let mut groups: Vec<usize> = vec![0; solutions.len()];
    let mut found = Vec::new();
    while found.len() < MOST {
        let left = remaining(&groups, |_| 0);
        let rated = (0..candidates.len()).filter_map(|at| {
            let rating = rating(&solutions, &groups, at, left)?;
            Some(((rating.0, candidates[at].is_strange, rating.1), at))
        });
        let Some((_, at)) = rated.min() else { break };
        found.push(named(&candidates[at], &solutions, at));
        let mut numbers: FxHashMap<(usize, u64), usize> = FxHashMap::default();
        for (group, (_, behaviour)) in groups.iter_mut().zip(&solutions) {
            let next = numbers.len();
            *group = *numbers.entry((*group, behaviour.0[at].hash)).or_insert(next);
        }
    }
    found
}

/// How much is left on average of those that might be right, in thousandths, if they are divided further. Those that come first are
/// more likely to be.
fn remaining(groups: &[usize], further: impl Fn(usize) -> u64) -> u64 {
    let mut shares: FxHashMap<(usize, u64), f64> = FxHashMap::default();
    let mut total = 0.0;
    for (at, &group) in groups.iter().enumerate() {
        let share = 1.0 / (at + 1) as f64;
        *shares.entry((group, further(at))).or_default() += share;
        total += share;
    }
    // The order in which they are added up must not matter.
    let squares = shares.values().map(|it| (1e6 * (it / total).powi(2)) as u64);
    squares.sum::<u64>() / 1000
}

/// How good an input is, the smaller the better; None if it divides nothing.
type Rating = (bool, (u64, bool));

fn rating(
    solutions: &[(usize, &Behaviour)],
    groups: &[usize],
    at: usize,
    left: u64,
) -> Option<Rating> {
    const COARSE: u64 = 50;
    let seen: Vec<&Seen> = solutions.iter().map(|(_, it)| &it.0[at]).collect();
    if seen.iter().any(|it| it.output.is_none()) {
        return None;
    }
    let remaining = remaining(groups, |one| seen[one].hash);
    let malformed = seen.iter().all(|it| it.reads_otherwise);
    let ends = seen.iter().all(|it| matches!(it.ending, Ending::Exits(_)));
    (remaining < left).then_some((malformed, (remaining / COARSE, !ends)))
}

/// What all solutions do with an input.
fn named(candidate: &Candidate, solutions: &[(usize, &Behaviour)], at: usize) -> Apart {
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (number, behaviour) in solutions {
        let seen = &behaviour.0[at];
        let output = seen.output.clone().unwrap_or_default();
        match outcomes.iter_mut().find(|it| it.ending == seen.ending && it.output == output) {
            Some(known) => known.solutions.push(*number),
            None => {
                let (solutions, ending) = (vec![*number], seen.ending);
                outcomes.push(Outcome { solutions, ending, output });
            }
        }
    }
    let Neighbour { input, says } = candidate.neighbour.clone();
    Apart { input, says, outcomes }
}

#[cfg(test)]
mod tests {
    use host::Setup;

    use super::*;

    fn behaviour(outputs: &[&str]) -> Option<Behaviour> {
        let seen = |output: &&str| {
            let ran = Ran {
                end: End::Passed(0),
                instructions: 1,
                output: output.trim_end_matches('!').as_bytes().to_vec(),
                right: 0,
                seen: Vec::new(),
                reading: Reading { beyond: output.ends_with('!'), left: false },
            };
            Seen::of(ran, Reading::default())
        };
        Some(Behaviour(outputs.iter().map(seen).collect()))
    }

    fn inputs(count: u64) -> Vec<Candidate> {
        let one = |number: u64| {
            let setup =
                Setup { arguments: vec![number.to_string().into_bytes()], ..Setup::default() };
            let neighbour = Neighbour { input: Input::Setup(setup), says: number.to_string() };
            Candidate { neighbour, test: 0, is_strange: false, most: 1 }
        };
        (0..count).map(one).collect()
    }

    fn says(found: &[Apart]) -> Vec<(&str, Vec<Vec<usize>>)> {
        let outcomes = |it: &Apart| it.outcomes.iter().map(|it| it.solutions.clone()).collect();
        found.iter().map(|it| (it.says.as_str(), outcomes(it))).collect()
    }

    #[test]
    fn the_input_that_divides_best_is_named() {
        let all = [
            behaviour(&["a", "a", "b", "x!"]),
            behaviour(&["a", "b", "a", "y!"]),
            None,
            behaviour(&["a", "b", "c", "z!"]),
            behaviour(&["a", "b", "c", "u!"]),
        ];
        let found = apart(&inputs(4), &all);
        let wanted = [
            ("2", vec![vec![0], vec![1], vec![3, 4]]),
            // What reads beyond the end of its input is named only if nothing else helps.
            ("3", vec![vec![0], vec![1], vec![3], vec![4]]),
        ];
        assert_eq!(says(&found), wanted);
    }

    #[test]
    fn equal_solutions_are_not_divided() {
        let all = [behaviour(&["a", "b"]), behaviour(&["a", "b"])];
        assert!(apart(&inputs(2), &all).is_empty());
        assert!(apart(&inputs(2), &all[..1]).is_empty());
        let long = "x".repeat(LONGEST + 1);
        assert!(apart(&inputs(1), &[behaviour(&[&long]), behaviour(&["a"])]).is_empty());
    }
}
