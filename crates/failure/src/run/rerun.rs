//! Runs of programs with memory, repeated with changes: see [`crate::rerun`].

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::rc::Rc;

use program::process::{Detail, Host, Limits, Observer, Outcome, Process};
use rustc_hash::{FxHashSet, FxHasher};
use term::{Sort, Term, Terms};

use super::forcing::{Forcing, Running, Starts};
use super::job::{Job, Record, finished, scalar};
use super::settled::settled;
use super::{Basis, InputMode, Printed, unfold_into};
use crate::cells::value_of_bits;
use crate::rerun::{Courses, Ended, Force, Forced, Reached, Rerun};

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
        if let Force::Value { .. } = forced.what {
            continue;
        }
        let next = match run.until(forced.at, limits) {
            ControlFlow::Continue(next) => next,
            ControlFlow::Break(outcome) => {
                ended = Some(outcome);
                break;
            }
        };
        match &forced.what {
            Force::Edge(edge) => {
                let to = job.program.edge(*edge);
                // Otherwise what was forced before has led elsewhere.
                if job.program.edge(next).from == to.from {
                    run.forcing.step(*edge);
                    run.process.go_to(to.to);
                }
            }
            Force::Output => {
                run.world.accept_output(true);
                let paused = run.until(forced.at + 1, limits);
                run.world.accept_output(false);
                if let ControlFlow::Break(outcome) = paused {
                    ended = Some(outcome);
                    break;
                }
            }
            Force::Set { variable, value } => {
                let bits = match job.program.terms.sort(*variable) {
                    Sort::BitVec(width) => *width,
                    Sort::Float(format) => format.width(),
                    _ => 1,
                };
                run.process.set(*variable, bits, scalar(value));
            }
            Force::Value { .. } => {}
        }
    }
    let mut reached = None;
    if let (None, Some(last)) = (&ended, forced.last()) {
        match run.until(last.at + 1, limits) {
            ControlFlow::Continue(_) => {
                reached = Reached::by(&run.process, &run.world.world, skipped);
            }
            ControlFlow::Break(outcome) => ended = Some(outcome),
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
    let Forcing { recorder, assigned, course, .. } = forcing;
    let log = match end {
        Ended::Passed => None,
        _ => recorder.finish(),
    };
    let Some(log) = log else {
        return Rerun { end, effort, unfolded: None, changed: Vec::new(), reached };
    };
    let course = with_end(course, &outcome, &world.printed);
    let value = |number: u32, sort: &Sort| {
        value_of_bits(sort, assigned.get(number as usize).copied().unwrap_or(0))
    };
    let (unfolded, changed) = courses.unfolded(course, terms, &value, |terms, copies| {
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
        let basis = Basis { terms, copies, used, settled, forced };
        unfold_into(job.program, &record, job.entry, InputMode::Fixed, printed, basis)
    });
    Rerun { end, effort, unfolded: Some(unfolded), changed, reached }
}

impl Reached {
    fn by<W: Host>(process: &Process<'_>, world: &W, skipped: u64) -> Option<Reached> {
        let mut hasher = DefaultHasher::new();
        (process.fingerprint(), world.fingerprint()?).hash(&mut hasher);
        Some(Reached { state: hasher.finish(), effort: process.instructions() - skipped })
    }
}

/// The course of a run that has ended.
fn with_end(mut course: FxHasher, outcome: &Outcome, printed: &[Option<Printed>]) -> u64 {
    printed.hash(&mut course);
    if let Outcome::Failed { edge, fault } = outcome {
        (edge, fault.kind.name()).hash(&mut course);
        if let Detail::Output(wrong) = &fault.detail {
            let expected = wrong.expected.map(|value| value.bits);
            (wrong.argument, expected, wrong.byte, wrong.position).hash(&mut course);
            (wrong.bits, &wrong.also, &wrong.earlier).hash(&mut course);
        }
    }
    course.finish()
}
