//! Repair as a technique: what fails, in the terms of the source, is given to who can compile.
//!
//! Edits are text, so they are made and tried by the crate `repair`, which knows nothing of traces. What it needs from here is the
//! check that is violated, and the calls that lead to it. That is all; so the failure and the edits judge each other.

use std::fmt;
use std::sync::Arc;

use ::repair::apart::Told;
use ::repair::claims::Repair;
use ::repair::runs::Input;
use failure::Failure;
use program::syntax::Range;
use program::{FailureKind, SiteId, Stop};

use crate::context::Context;

/// What the user gives.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Who tries edits, if there is a source to edit.
    pub repairer: Option<Arc<dyn Repairer>>,
}

/// Tries edits of the program.
pub trait Repairer: fmt::Debug {
    /// `places` are those of the check and of the calls that lead to it, the innermost first.
    fn repair(&self, kind: FailureKind, places: &[(u32, Range)], stop: &Stop) -> Option<Repair>;

    /// The same, where it is known what is right with one more input, or what is not.
    fn knowing(&self, input: &Input, told: &Told) -> Arc<dyn Repairer>;
}

/// Edits with which the failing tests pass.
pub fn find(failures: &[Failure<'_>], context: Context<'_>) -> Option<Repair> {
    let repairer = context.settings.repair.repairer.as_deref()?;
    find_with(repairer, failures, context.stop)
}

/// The same, with this repairer.
pub fn find_with(repairer: &dyn Repairer, failures: &[Failure<'_>], stop: &Stop) -> Option<Repair> {
    let failure = failures.first()?;
    let place = |site: SiteId| {
        let span = failure.program.site(site).span?;
        Some((span.file.0, Range { start: span.start, end: span.end }))
    };
    let sites = [failure.site()].into_iter().chain(failure.calls.iter().copied());
    let places: Vec<(u32, Range)> = sites.filter_map(place).collect();
    repairer.repair(failure.property.kind, &places, stop)
}
