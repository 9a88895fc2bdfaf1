//! Runs of programs with memory, repeated with changes: see [`crate::rerun`].

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use program::process::{Detail, Host, Limits, Outcome};
use rustc_hash::{FxHashSet, FxHasher};
use term::{Sort, Term, Terms};

use super::forcing::{Forcing, Listening, Running, Starts};
use super::job::{Job, Record, finished};
use super::settled::settled;
use super::{Basis, InputMode, unfold_into};
use crate::cells::value_of_bits;
use crate::rerun::{Courses, Ended, Forced, Rerun};

pub(super) fn rerun<'p, W: Host + Clone>(
    job: &Job<'p>,
    starts: &Starts<'p, W>,
    forced: &[Forced],
    most: u64,
    terms: &mut Terms,
    courses: &mut Courses,
    used: &Rc<FxHashSet<Term>>,
) -> Rerun {
    let start = &starts.first;
    let skipped = start.0.instructions();
    let instructions = skipped.saturating_add(most).min(job.limits.instructions);
    let limits = Limits { instructions, ..job.limits };
    let mut run = starts.before(forced, limits);
    let mut ended = None;
    for forced in forced {
        ended = run.force(job.program, forced, limits);
        if ended.is_some() {
            break;
        }
    }
    let outcome = ended.unwrap_or_else(|| run.go_on(limits));
    let Running { process, mut world, forcing } = run;
    let outcome = finished(outcome, &process, &mut world);
    let effort = process.instructions() - skipped;
    let end = match &outcome {
        Outcome::Finished { .. } => Ended::Passed,
        Outcome::Failed { fault, .. } => {
            let output = match &fault.detail {
                Detail::Output(wrong) => wrong.position,
                _ => world.compared(),
            };
            Ended::Failed { kind: fault.kind, output }
        }
        Outcome::Blocked { .. } => Ended::Blocked,
        Outcome::StepLimit { .. } | Outcome::Stopped => Ended::Cut,
    };
    let Forcing { recorder, assigned, course, steps: length, .. } = forcing;
    let log = match end {
        Ended::Passed => None,
        _ => recorder.finish(),
    };
    let Some(log) = log else {
        return Rerun { end, effort, unfolded: None, changed: Vec::new() };
    };
    let course = with_end(course, &outcome, &world);
    let value = |number: u32, sort: &Sort| {
        value_of_bits(sort, assigned.get(number as usize).copied().unwrap_or(0))
    };
    let (unfolded, changed) = courses.unfolded(course, forced, terms, &value, |terms, copies| {
        let printed = world.printed;
        let record = Record {
            outcome,
            log,
            start: start.clone(),
            end: (process, world.world),
            skipped,
            tail: None,
            expected_status: job.expected_status,
        };
        let settled = settled(job.program, &record.log, &mut copies.settling);
        let basis = Basis { terms, copies, used, settled, forced, length, noted: true };
        unfold_into(job.program, &record, job.entry, InputMode::Fixed, printed, basis)
    });
    Rerun { end, effort, unfolded: Some(unfolded), changed }
}

/// How many instructions a run has if whatever it prints is right, and they are not more.
pub(super) fn length<'p, W: Host + Clone>(
    job: &Job<'p>,
    starts: &Starts<'p, W>,
    most: u64,
) -> Option<u64> {
    let skipped = starts.first.0.instructions();
    let instructions = skipped.saturating_add(most).min(job.limits.instructions);
    let mut run = starts.before(&[], Limits { instructions, ..job.limits });
    run.world.accept_output(true);
    match run.go_on(Limits { instructions, ..job.limits }) {
        Outcome::Finished { .. } => Some(run.process.instructions() - skipped),
        _ => None,
    }
}

/// The course of a run that has ended.
fn with_end<W>(mut course: FxHasher, outcome: &Outcome, world: &Listening<W>) -> u64 {
    (&world.printed, &world.pinned).hash(&mut course);
    if let Outcome::Failed { edge, fault } = outcome {
        (edge, fault.kind.name()).hash(&mut course);
        if let Detail::Output(wrong) = &fault.detail {
            (wrong.argument, wrong.expected, wrong.byte, wrong.position).hash(&mut course);
            (&wrong.right, &wrong.earlier, &wrong.indifferent).hash(&mut course);
        }
    }
    course.finish()
}
