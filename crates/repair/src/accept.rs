//! The last word on an edit: its text is made, parsed, compiled and run as it is.
//!
//! Screening runs a text in which many edits are hidden. Here nothing is hidden: what is compiled is what the user is shown. It
//! has to parse, so that only the edited place differs; and the tests have to pass.

use program::syntax::Kind as Node;

use crate::claims::Solution;
use crate::edit::applied;
use crate::find::Problem;
use crate::runs::{Runnable, Test};

/// A run may take so much longer than that of the program as written.
const PATIENCE: u64 = 4;
const MORE: u64 = 10_000;

/// Whether as many tests pass in the program with this edit as is claimed.
pub fn accept(problem: Problem<'_>, solution: &Solution) -> bool {
    let Some(text) = problem.texts.iter().find(|it| it.file == solution.file) else { return false };
    let edited = applied(&text.syntax.text, &solution.replacements);
    let again = problem.build.parse(solution.file, &edited);
    let unreadable = |syntax: &program::syntax::Syntax| {
        syntax.ids().filter(|it| syntax.kind(*it) == Node::Unreadable).count()
    };
    if unreadable(&again) > unreadable(&text.syntax) {
        return false;
    }
    let Some(built) = problem.build.build(solution.file, &edited).built else { return false };
    let runnable = Runnable::new(&built.program, &built.engine);
    let stop = problem.stop.patient();
    let passes = |test: &Test| {
        let most = PATIENCE * test.instructions + MORE;
        runnable.run(&test.input, &[], most, &stop).end.passed()
    };
    let (failing, others) = problem.tests.split_at(problem.failing.min(problem.tests.len()));
    failing.iter().filter(|it| passes(it)).count() >= solution.fixed && others.iter().all(passes)
}
