//! The last word on an edit: its text is made, parsed, compiled and run as it is.
//!
//! Screening runs a text in which many edits are hidden. Here nothing is hidden: what is compiled is what the user is shown. It
//! has to parse, so that only the edited place differs; and the tests have to pass.

use program::syntax::Kind as Node;

use crate::apart::Refuted;
use crate::build::Built;
use crate::claims::Solution;
use crate::edit::applied;
use crate::find::Problem;
use crate::runs::{Runnable, Test};

/// A run may take so much longer than that of the program as written.
const PATIENCE: u64 = 4;
const MORE: u64 = 10_000;

/// The program with this edit, if all tests pass in it.
pub fn accept(problem: Problem<'_>, solution: &Solution) -> Option<Built> {
    let text = problem.texts.iter().find(|it| it.file == solution.file)?;
    let edited = applied(&text.syntax.text, &solution.replacements);
    let again = problem.build.parse(solution.file, &edited);
    let unreadable = |syntax: &program::syntax::Syntax| {
        syntax.ids().filter(|it| syntax.kind(*it) == Node::Unreadable).count()
    };
    if unreadable(&again) > unreadable(&text.syntax) {
        return None;
    }
    let built = problem.build.build(solution.file, &edited).built?;
    let runnable = Runnable::new(&built.program, &built.engine);
    let stop = problem.stop.patient();
    let most = |test: &Test| PATIENCE * test.instructions + MORE;
    let passes = |it: &Test| runnable.run(&it.input, &[], most(it), &stop).end.passed();
    let patience = problem.tests.iter().map(most).max().unwrap_or(MORE);
    let is_right = |it: &Refuted| !it.refutes(&runnable.run(&it.input, &[], patience, &stop));
    let (failing, others) = problem.tests.split_at(problem.failing.min(problem.tests.len()));
    let is_accepted = failing.iter().filter(|it| passes(it)).count() >= solution.fixed
        && others.iter().all(passes)
        && problem.refuted.iter().all(is_right);
    is_accepted.then_some(built)
}
