//! Corrections of random C programs that print, compared with all that the programs can do.
//!
//! Programs have three numbers and a short array of characters, and print them in many ways. What is expected is the output of
//! another program, from which one or two lines differ. Which lines are corrections is decided by going through all states that can be reached
//! if these lines are free, over a few values: so what is found there is one, and must not be missing.
//!
//! `WHYDUNIT_PROGRAMS=1000 cargo test --release -p whydunit --test prints` tries more of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

#[path = "../common/mod.rs"]
mod common;
mod program;
#[path = "../common/random.rs"]
mod random;

use std::path::Path;

use common::{finish, whydunit};
use program::Program;
use random::Random;
use serde_json::Value;

/// A program that prints something else than it should, and what it should print.
fn failing(seed: u64) -> (Program, Vec<u8>) {
    let mut random = Random::new(seed);
    loop {
        let right = random.program();
        let Some(expected) = right.output().filter(|output| !output.trim_ascii().is_empty()) else {
            continue;
        };
        for _ in 0..20 {
            let wrong = random.spoil(&right);
            match wrong.output() {
                Some(output) if output.trim_ascii_end() != expected.trim_ascii_end() => {
                    return (wrong, expected);
                }
                _ => {}
            }
        }
    }
}

/// The lines of a list of places.
fn lines(places: &Value) -> Vec<usize> {
    let line = |place: &Value| {
        let place = place.get("location").unwrap_or(place);
        place["line"].as_u64().unwrap() as usize
    };
    places.as_array().unwrap().iter().map(line).collect()
}

#[derive(Debug, Default)]
struct Tally {
    corrections: usize,
    complete: usize,
    must: usize,
}

fn compare(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let (mut program, expected) = failing(seed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("prints-{seed}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("tests")).unwrap();
    let text = program.write();
    std::fs::write(folder.join("program.c"), &text).unwrap();
    std::fs::write(folder.join("tests/one.in"), "").unwrap();
    std::fs::write(folder.join("tests/one.out"), &expected).unwrap();
    let words = ["program.c", "--tests=tests", "--technique=corrections", "--format=json"];
    let run = finish(whydunit().current_dir(&folder).args(words)).unwrap();
    let context = |what: String| format!("seed {seed}: {what}\n{text}{}", expected.escape_ascii());
    let answer: Value =
        serde_json::from_str(&run.stdout).map_err(|_| context(run.stderr.clone()))?;
    if answer["refuted"] != serde_json::json!([]) {
        return Err(context(answer["refuted"].to_string()));
    }
    let found = &answer["diagnoses"]["corrections"];
    let claimed: Vec<Vec<usize>> = found["sets"].as_array().unwrap().iter().map(lines).collect();
    let undecided: Vec<Vec<usize>> = found["undecided"]
        .as_array()
        .unwrap()
        .iter()
        .map(|set| lines(&set["statements"]))
        .collect();
    tally.complete += usize::from(found["complete"] == true);
    tally.must += usize::from(found["must"].is_array());
    let must = found["must"].as_array().map(|_| lines(&found["must"]));
    let numbers = program.numbers();
    let pairs = numbers.iter().flat_map(|&one| numbers.iter().map(move |&other| vec![one, other]));
    let mut right: Vec<Vec<usize>> = Vec::new();
    for set in numbers.iter().map(|&one| vec![one]).chain(pairs) {
        let is_in = |part: &Vec<usize>| part.iter().all(|line| set.contains(line));
        if set.len() == 2 && set[0] >= set[1] || right.iter().any(is_in) {
            continue;
        }
        if program.can_print(&expected, &set) != Some(true) {
            continue;
        }
        if !claimed.iter().chain(&undecided).any(is_in) {
            return Err(context(format!("missing {set:?}, claimed {claimed:?}")));
        }
        if let Some(must) = &must
            && !must.iter().any(|line| set.contains(line))
        {
            return Err(context(format!("must {must:?} without {set:?}")));
        }
        right.push(set);
    }
    tally.corrections += right.len();
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

#[test]
fn corrections_by_all_states() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().unwrap());
    let count = number("WHYDUNIT_PROGRAMS").unwrap_or(20);
    let first = number("WHYDUNIT_FIRST").unwrap_or(0);
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for seed in first..first + count {
        wrong.extend(compare(seed, &mut tally).err());
    }
    println!("{tally:?}, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(5)].join("\n"));
    assert!(tally.complete as u64 > count / 2 && tally.corrections as u64 > count, "{tally:?}");
}
