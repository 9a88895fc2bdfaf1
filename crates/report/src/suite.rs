//! The tests of a suite and how they went, as plain data.

use program::FailureKind;

#[derive(Clone, Debug, Default)]
pub struct SuiteReport {
    /// In the order of the suite.
    pub tests: Vec<TestReport>,
    /// The tests whose failures are explained, the first one first: indices.
    pub explained: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct TestReport {
    pub name: String,
    pub verdict: TestVerdict,
    /// How many instructions were executed.
    pub instructions: u64,
    /// What went wrong.
    pub kind: Option<FailureKind>,
    /// In what its output differs from the expected one though it passed.
    pub forgiven: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestVerdict {
    Passed,
    /// The output or the status is wrong.
    Failed,
    /// The program did what no program may do, or what it asserts not to do.
    Crashed,
    /// It did not end within the limit.
    TimedOut,
    /// It was stopped, or its assumptions do not hold.
    Skipped,
}

impl TestVerdict {
    pub const ALL: [TestVerdict; 5] = [
        TestVerdict::Passed,
        TestVerdict::Failed,
        TestVerdict::Crashed,
        TestVerdict::TimedOut,
        TestVerdict::Skipped,
    ];

    /// The stable name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            TestVerdict::Passed => "passed",
            TestVerdict::Failed => "failed",
            TestVerdict::Crashed => "crashed",
            TestVerdict::TimedOut => "timed_out",
            TestVerdict::Skipped => "skipped",
        }
    }

    /// What is said of the tests.
    pub fn words(self) -> &'static str {
        match self {
            TestVerdict::TimedOut => "timed out",
            TestVerdict::Skipped => "not run to the end",
            verdict => verdict.name(),
        }
    }

    /// Whether there is something to explain.
    pub fn is_failure(self) -> bool {
        matches!(self, TestVerdict::Failed | TestVerdict::Crashed | TestVerdict::TimedOut)
    }
}

impl SuiteReport {
    pub fn count(&self, verdict: TestVerdict) -> usize {
        self.tests.iter().filter(|test| test.verdict == verdict).count()
    }

    /// How many tests there are, and how many of each verdict: `5 tests: 3 passed, 2 failed`.
    pub fn summary(&self) -> String {
        let all = match self.tests.len() {
            1 => "1 test".to_owned(),
            n => format!("{n} tests"),
        };
        let counts = TestVerdict::ALL.map(|verdict| (verdict, self.count(verdict)));
        let shown = counts.iter().filter(|(_, count)| *count > 0);
        let parts: Vec<String> =
            shown.map(|(verdict, count)| format!("{count} {}", verdict.words())).collect();
        format!("{all}: {}", parts.join(", "))
    }
}
