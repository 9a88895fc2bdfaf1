//! The tests of a suite, for edited programs.

use failure::{Edited, Ended};
use host::{Setup, World};
use localize::edits::Tests;
use report::{TestReport, TestVerdict};

use crate::runs::{self, Around};

/// All tests that were run to their end, the failing ones first, then the shortest.
#[derive(Debug)]
pub struct AllTests {
    tests: Vec<Test>,
}

#[derive(Debug)]
struct Test {
    setup: Setup,
    /// How many instructions it may take.
    most: u64,
}

impl AllTests {
    pub fn new(tests: &[TestReport], setups: &[Setup]) -> AllTests {
        let mut known: Vec<(&TestReport, &Setup)> = tests.iter().zip(setups).collect();
        known.retain(|(test, _)| test.verdict != TestVerdict::Skipped);
        known.sort_by_key(|(test, _)| (!test.verdict.is_failure(), test.instructions));
        let tests = known.into_iter().map(|(test, setup)| Test {
            setup: setup.clone(),
            most: 4 * test.instructions + 10_000,
        });
        AllTests { tests: tests.collect() }
    }
}

impl Tests for AllTests {
    fn count(&self) -> usize {
        self.tests.len()
    }

    fn passes(&self, number: usize, edited: Edited<'_>, choice: u32) -> Option<u64> {
        let (Test { setup, most }, image) = (self.tests.get(number)?, edited.image?);
        let job = runs::job(Around { program: edited.program, image, setup }, *most);
        match job.run_edited(edited.selector, choice, World::new(setup.clone()))? {
            (Ended::Passed, took) => Some(took),
            _ => None,
        }
    }
}
