//! The tree (Algorithm 3).

use std::collections::BTreeMap;

use failure::Failure;
use program::{SiteId, Trust};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cause::Causes;
use super::critical::{Critical, Met, TrustedCalls, critical};
use super::{Cascade, Cause, Condition, Figures, Influence, Settings, Strength};
use crate::context::Context;
use crate::flow::Flow;
use crate::slice::{Omissions, slice};

/// Of the instances of a decision, so many are examined in one activation, half of them the first and half the
/// last; and so many in all.
const EXAMINED_IN_ACTIVATION: usize = 8;
const EXAMINED: usize = 32;

/// Builds the tree of causes of a failure.
pub fn cascade(failure: &Failure<'_>, context: Context<'_>) -> Cascade {
    let settings = &context.settings.cascade;
    let flow = Flow::of(failure);
    let mut tree = Tree::new(&flow, context);
    tree.add(vec![Reached { condition: Condition::Failure, parent: None }], 0);
    let (mut level, mut first) = (0, 0);
    while first < tree.cascade.causes.len() {
        if context.stop.requested() {
            tree.cascade.incomplete = Some("there was no time for more".to_owned());
            break;
        }
        let last = tree.cascade.causes.len();
        let reached = tree.influences_of(first, last);
        if !reached.is_empty() && settings.depth.is_some_and(|depth| level >= depth) {
            let why = format!("only {level} levels below the failure were asked for");
            tree.cascade.incomplete = Some(why);
            break;
        }
        level += 1;
        tree.add(reached, level);
        tree.link(first, last);
        first = last;
    }
    tree.finish()
}

struct Tree<'a, 'f> {
    settings: &'a Settings,
    context: Context<'a>,
    flow: &'a Flow<'f>,
    causes: Causes<'a, 'f>,
    trusted: TrustedCalls,
    met: Met,
    cascade: Cascade,
    known: FxHashMap<Condition, usize>,
    /// How many instances of a decision were examined, in an activation and in all.
    examined: FxHashMap<(SiteId, Option<u32>), usize>,
    /// The steps that data flow has led to.
    covered: FxHashSet<usize>,
    /// The critical conditions of causes whose influences are not yet in the tree.
    critical: FxHashMap<usize, Vec<Critical>>,
}

struct Reached {
    condition: Condition,
    parent: Option<usize>,
}

impl<'a, 'f> Tree<'a, 'f> {
    fn new(flow: &'a Flow<'f>, context: Context<'a>) -> Tree<'a, 'f> {
        let settings = &context.settings.cascade;
        let steps = &flow.failure.trace.steps;
        let program = flow.failure.program;
        let sliced = slice(flow, Omissions::Followed);
        let is_user = |at: usize| program.site(steps[at].site).trust == Trust::User;
        let count = |of: &dyn Fn(usize) -> bool| (0..steps.len()).filter(|&at| of(at)).count();
        let figures = Figures {
            steps: steps.len(),
            user_steps: count(&is_user),
            sliced_steps: count(&|at| sliced[at]),
            sliced_user_steps: count(&|at| sliced[at] && is_user(at)),
            ..Figures::default()
        };
        let included = match settings.without.slicing {
            true => vec![true; steps.len()],
            false => sliced,
        };
        Tree {
            settings,
            context,
            flow,
            causes: Causes::new(flow, settings.without, included, context),
            trusted: TrustedCalls::of(flow),
            met: Met::default(),
            cascade: Cascade { figures, ..Cascade::default() },
            known: FxHashMap::default(),
            examined: FxHashMap::default(),
            covered: FxHashSet::default(),
            critical: FxHashMap::default(),
        }
    }

    /// Adds the causes of conditions that are new.
    fn add(&mut self, reached: Vec<Reached>, level: u32) {
        let reached = self.with_loops(reached);
        let exact = self.examine(&reached);
        for (Reached { condition, parent }, exact) in reached.into_iter().zip(exact) {
            if self.context.stop.requested() {
                self.cascade.incomplete = Some("there was no time for more".to_owned());
                return;
            }
            let mut found = match exact {
                true => self.causes.exact(condition),
                false => self.causes.by_data_flow(condition, &mut self.covered),
            };
            if let (Condition::Failure, Some(ended)) = (condition, self.flow.failure.trace.ended) {
                found.steps.push(ended);
                found.steps.sort_unstable();
            }
            let steps = &self.flow.failure.trace.steps;
            let (benign, shown): (Vec<usize>, Vec<usize>) = found
                .steps
                .into_iter()
                .partition(|&step| self.settings.benign.contains(&steps[step].site));
            found.steps = shown;
            self.covered.extend(&found.steps);
            self.known.insert(condition, self.cascade.causes.len());
            self.cascade.causes.push(Cause {
                condition,
                level,
                parent,
                steps: found.steps,
                benign,
                evidence: found.evidence,
                influences: Vec::new(),
            });
        }
    }

    /// With an instance of a decision in a loop come those that it is guarded by, each by the one before.
    fn with_loops(&self, reached: Vec<Reached>) -> Vec<Reached> {
        let mut all: Vec<Reached> = Vec::new();
        let mut seen: FxHashSet<Condition> = FxHashSet::default();
        for Reached { condition, parent } in reached {
            let mut next = Some(condition);
            while let Some(condition) = next.take() {
                if self.known.contains_key(&condition) || !seen.insert(condition) {
                    break;
                }
                all.push(Reached { condition, parent });
                if let Condition::Held(step) = condition
                    && !self.settings.without.loops
                    && let Some(guard) = self.flow.guard(step)
                    && self.decision(guard) == self.decision(step)
                {
                    next = Some(Condition::Held(guard));
                }
            }
        }
        all
    }

    /// The statement and activation of a step.
    fn decision(&self, step: usize) -> (SiteId, u32) {
        let step = &self.flow.failure.trace.steps[step];
        (step.site, step.frame.activation)
    }

    /// Which conditions are examined, and not only followed by data flow.
    fn examine(&mut self, reached: &[Reached]) -> Vec<bool> {
        let mut exact = vec![true; reached.len()];
        if self.settings.without.loops {
            return exact;
        }
        let mut instances: BTreeMap<(SiteId, u32), Vec<(usize, usize)>> = BTreeMap::new();
        for (number, reached) in reached.iter().enumerate() {
            if let Condition::Held(step) | Condition::Address(step) = reached.condition {
                instances.entry(self.decision(step)).or_default().push((step, number));
            }
        }
        for ((site, activation), mut own) in instances {
            own.sort_unstable();
            let mut used = |activation| *self.examined.entry((site, activation)).or_default();
            let left = EXAMINED_IN_ACTIVATION.saturating_sub(used(Some(activation)));
            let left = left.min(EXAMINED.saturating_sub(used(None))).min(own.len());
            for key in [(site, Some(activation)), (site, None)] {
                *self.examined.entry(key).or_default() += left;
            }
            let late = left.div_ceil(2);
            for (place, &(_, number)) in own.iter().enumerate() {
                exact[number] = place < left - late || place + late >= own.len();
            }
        }
        exact
    }

    /// The critical conditions of some causes that are not in the tree yet.
    fn influences_of(&mut self, first: usize, last: usize) -> Vec<Reached> {
        let mut reached = Vec::new();
        let mut seen: FxHashSet<Condition> = FxHashSet::default();
        for number in first..last {
            if self.context.stop.requested() {
                self.cascade.incomplete = Some("there was no time for more".to_owned());
                break;
            }
            let cause = &self.cascade.causes[number];
            let mut own = critical(
                &self.causes,
                &self.trusted,
                &mut self.met,
                cause.condition,
                &cause.steps,
                &cause.evidence,
            );
            own.retain(|critical| !self.is_benign(critical.condition));
            let new = own.iter().map(|critical| critical.condition);
            let new = new.filter(|condition| !self.known.contains_key(condition));
            for condition in new.filter(|&condition| seen.insert(condition)) {
                reached.push(Reached { condition, parent: Some(number) });
            }
            self.critical.insert(number, own);
        }
        reached
    }

    fn is_benign(&self, condition: Condition) -> bool {
        match condition {
            Condition::Held(step) | Condition::Address(step) => {
                self.settings.benign.contains(&self.flow.failure.trace.steps[step].site)
            }
            Condition::Failure | Condition::Trusted(..) => false,
        }
    }

    /// Joins causes with those of their critical conditions.
    fn link(&mut self, first: usize, last: usize) {
        for number in first..last {
            let critical = self.critical.remove(&number).unwrap_or_default().into_iter();
            let influence = |critical: Critical| {
                Some(Influence {
                    cause: *self.known.get(&critical.condition)?,
                    kind: critical.kind,
                    on: critical.on,
                    variable: critical.variable,
                    strength: Strength::Possible,
                })
            };
            let mut influences: Vec<Influence> = critical.filter_map(influence).collect();
            influences.sort_by_key(|influence| (influence.cause, influence.kind));
            self.cascade.causes[number].influences = influences;
        }
    }

    fn finish(mut self) -> Cascade {
        let causes = &self.cascade.causes;
        let steps: FxHashSet<usize> = causes.iter().flat_map(|c| c.steps.iter().copied()).collect();
        let figures = &mut self.cascade.figures;
        figures.cause_steps = steps.len();
        (figures.queries, figures.constraints) = self.causes.asked();
        self.cascade
    }
}
