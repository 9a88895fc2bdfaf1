//! Causes in words and values.

use localize::cascade::{Cascade, Cause, Condition, Influence, InfluenceKind};

use super::InstanceReport;
use super::group::effect;
use crate::story::Story;

/// Tells about the causes of a failure.
pub(super) struct Teller<'a> {
    pub story: &'a Story<'a>,
    pub cascade: &'a Cascade,
}

impl<'a> Teller<'a> {
    pub(super) fn new(story: &'a Story<'a>, cascade: &'a Cascade) -> Teller<'a> {
        Teller { story, cascade }
    }

    pub(super) fn instance(&self, cause: &Cause) -> InstanceReport {
        let execution = match cause.condition {
            Condition::Failure => 1,
            Condition::Held(step) | Condition::Address(step) | Condition::Trusted(step, _) => {
                self.story.history.execution(step)
            }
        };
        InstanceReport { execution, values: self.values(cause.condition), why: self.why(cause) }
    }

    pub(super) fn values(&self, _condition: Condition) -> String {
        String::new()
    }

    pub(super) fn why(&self, cause: &Cause) -> String {
        let steps = cause.steps.iter();
        let effects: Vec<String> =
            steps.filter_map(|&step| effect(self.story, step)).take(4).collect();
        effects.join(", ")
    }

    pub(super) fn influence(&self, influence: &Influence) -> String {
        match influence.kind {
            InfluenceKind::Direct => "decides whether it is executed",
            InfluenceKind::Indirect => "might have assigned",
            InfluenceKind::Address => "where",
            InfluenceKind::Premise => "given",
        }
        .to_owned()
    }
}
