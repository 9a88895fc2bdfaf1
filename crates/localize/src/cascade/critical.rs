//! Critical conditions (Definition 3.3, Algorithm 2).

use program::{ProcedureId, Statement, Trust};
use rustc_hash::FxHashMap;
use term::Term;

use super::cause::Causes;
use super::{Condition, Evidence, InfluenceKind};
use crate::flow::Flow;

/// Calls of trusted code.
pub(super) struct TrustedCalls {
    /// For each step of trusted code, its outermost call from the user's code: the first and last step.
    calls: Vec<Option<(u32, u32)>>,
}

impl TrustedCalls {
    pub(super) fn of(flow: &Flow<'_>) -> TrustedCalls {
        let (program, trace) = (flow.failure.program, &flow.failure.trace);
        let mut by_user = vec![false; program.procedures.len()];
        for edge in &program.edges {
            if let Some(procedure) = program.location(edge.from).procedure {
                by_user[procedure.index()] |= program.site(edge.site).trust == Trust::User;
            }
        }
        let is_user = |procedure: Option<ProcedureId>| {
            procedure.is_some_and(|procedure| by_user[procedure.index()])
        };
        // For each index of the path, where the trusted call around it began.
        let mut begins: Vec<Option<u32>> = Vec::with_capacity(trace.path.len());
        let mut stack: Vec<Option<u32>> = Vec::new();
        let mut inside: Option<u32> = None;
        let mut before: Option<(usize, bool)> = None;
        for (at, &edge) in trace.path.iter().enumerate() {
            let procedure = program.location(program.edge(edge).from).procedure;
            if let Some((call, from_user)) = before.take() {
                // The edge after a call is the first of the callee, or the call was of the world.
                let called = program.edge(trace.path[call]);
                if program.edge(edge).from != called.to {
                    stack.push(inside);
                    inside = match is_user(procedure) {
                        true => None,
                        false if from_user => Some(at as u32),
                        false => inside,
                    };
                }
            }
            begins.push(inside);
            match program.edge(edge).statement {
                Statement::Call { .. } | Statement::CallPointer { .. } => {
                    before = Some((at, is_user(procedure)));
                }
                Statement::Return => inside = stack.pop().flatten(),
                _ => {}
            }
        }
        let mut last: Vec<Option<u32>> = vec![None; trace.path.len()];
        let mut first = last.clone();
        let of_step = |step: &failure::Step| begins.get(step.at as usize).copied().flatten();
        for (number, step) in trace.steps.iter().enumerate() {
            if let Some(begin) = of_step(step) {
                first[begin as usize].get_or_insert(number as u32);
                last[begin as usize] = Some(number as u32);
            }
        }
        let range = |step: &failure::Step| {
            let begin = of_step(step)? as usize;
            Some((first[begin]?, last[begin]?))
        };
        TrustedCalls { calls: trace.steps.iter().map(range).collect() }
    }

    /// The call that a step is in.
    pub(super) fn around(&self, step: usize) -> Option<Condition> {
        let (first, last) = self.calls.get(step).copied().flatten()?;
        Some(Condition::Trusted(first as usize, last as usize))
    }
}

/// Of so many instances of a decision in a loop, those that another cause has led to are not all joined with a cause,
/// only so many: the first and the last.
const FEW: usize = 24;
const JOINED: usize = 8;

/// The decisions in loops that some cause has led to.
#[derive(Default)]
pub(super) struct Met {
    /// For each of them, a later instance of the same edge, before which there is none that was not met.
    next: FxHashMap<u32, u32>,
}

impl Met {
    /// Of the instances of an edge, those that are new, and a few others. Without this, a loop whose decisions all
    /// influence each other would have as many influences as the square of its rounds.
    fn some_of(&mut self, instances: &[u32], is_own: &dyn Fn(&usize) -> bool) -> Vec<usize> {
        let (first, last) = instances.split_at(instances.len().min(JOINED / 2));
        let last = &last[last.len().saturating_sub(JOINED / 2)..];
        let few = first.iter().chain(last).map(|&step| step as usize);
        let mut some: Vec<usize> = few.filter(|step| is_own(step)).collect();
        let mut at = 0;
        while let Some(&step) = instances.get(at) {
            let new = self.first_new(step);
            at += instances[at..].partition_point(|&step| step < new);
            if instances.get(at) == Some(&new) {
                at += 1;
                if is_own(&(new as usize)) {
                    some.push(new as usize);
                    self.next.insert(new, instances.get(at).copied().unwrap_or(new + 1));
                }
            }
        }
        some.sort_unstable();
        some.dedup();
        some
    }

    /// The first instance from this one on that was not met, or something before it.
    fn first_new(&mut self, step: u32) -> u32 {
        let mut new = step;
        while let Some(&next) = self.next.get(&new) {
            new = next;
        }
        // The next one who asks has a short way.
        let mut old = step;
        while let Some(next) = self.next.get_mut(&old) {
            old = std::mem::replace(next, new);
        }
        new
    }
}

/// A condition that influences a step of a cause.
pub(super) struct Critical {
    pub condition: Condition,
    pub kind: InfluenceKind,
    pub on: usize,
    pub variable: Option<Term>,
}

/// The critical conditions of a cause, each once, with the last step that it influences.
pub(super) fn critical(
    causes: &Causes<'_, '_>,
    trusted: &TrustedCalls,
    met: &mut Met,
    condition: Condition,
    steps: &[usize],
    evidence: &Evidence,
) -> Vec<Critical> {
    let flow = causes.flow;
    let mut found: Vec<Critical> = Vec::new();
    let mut places: FxHashMap<(Condition, InfluenceKind), usize> = FxHashMap::default();
    let trusts = !causes.without.trust;
    let mut add = |step: usize, kind, on, variable| {
        let held = match kind {
            InfluenceKind::Address => Condition::Address(step),
            _ => Condition::Held(step),
        };
        let around = trusted.around(step).filter(|_| trusts);
        let critical = Critical { condition: around.unwrap_or(held), kind, on, variable };
        let place = *places.entry((critical.condition, kind)).or_insert(found.len());
        match found.get_mut(place) {
            Some(known) if known.on < on => *known = critical,
            Some(_) => {}
            None => found.push(critical),
        }
    };
    let own = match condition {
        Condition::Failure => flow.failure.trace.steps.len().checked_sub(1),
        Condition::Held(step) | Condition::Address(step) | Condition::Trusted(step, _) => {
            Some(step)
        }
    };
    for &step in steps.iter().chain(&own) {
        if let Some(guard) = flow.guard(step) {
            add(guard, InfluenceKind::Direct, step, None);
        }
        for &variable in flow.reads(step) {
            let after = flow.definition(variable, step);
            let mut omissions = Vec::new();
            flow.omissions_by_edge(variable, after, step, |instances, is_own| {
                if instances.len() <= FEW || causes.without.loops {
                    omissions.extend(instances.iter().map(|&at| at as usize).filter(is_own));
                } else {
                    omissions.extend(met.some_of(instances, is_own));
                }
            });
            omissions.sort_unstable();
            for decision in omissions.into_iter().filter(|&decision| causes.included[decision]) {
                add(decision, InfluenceKind::Indirect, step, Some(variable));
            }
        }
        if flow.failure.trace.steps[step].access.is_some() && condition != Condition::Address(step)
        {
            add(step, InfluenceKind::Address, step, None);
        }
    }
    if let (Condition::Failure, Some(own)) = (condition, own) {
        for decision in flow.missing_output() {
            add(decision, InfluenceKind::Indirect, own, None);
        }
    }
    if let (Evidence::Core { premises, .. }, Some(own)) = (evidence, own) {
        for &premise in premises {
            add(premise, InfluenceKind::Premise, own, None);
        }
    }
    // What a call of trusted code does is not its own cause.
    found.retain(|critical| critical.condition != condition);
    // Those of all causes of a level are kept until the next one is known.
    found.shrink_to_fit();
    found
}
