//! What conditions depend on by data flow alone.

use std::collections::BTreeSet;

use failure::{Action, Part};
use program::Trust;
use rustc_hash::FxHashSet;
use term::Term;

use super::cause::{Causes, Found};
use super::{Condition, Evidence};

impl Causes<'_, '_> {
    /// The definitions of what conditions read, for a value or an address; through values on their way.
    pub(super) fn direct(&self, conditions: &[usize]) -> Vec<usize> {
        let steps = &self.flow.failure.trace.steps;
        let mut found = BTreeSet::new();
        let mut work: Vec<(usize, Term)> = Vec::new();
        for &at in conditions {
            match steps[at].action {
                Action::Assume { .. } => work.extend(self.flow.reads(at).iter().map(|&v| (at, v))),
                // It is asked about the address.
                _ => work.extend(self.operands(at, true)),
            }
        }
        while let Some((before, variable)) = work.pop() {
            if let Some(definition) = self.flow.definition(variable, before)
                && found.insert(definition)
                && steps[definition].part == Part::Temporary
            {
                work.extend(self.flow.reads(definition).iter().map(|&v| (definition, v)));
            }
        }
        found.into_iter().collect()
    }

    /// All that the value of a condition is computed from, back to constants: then it is false without
    /// regard to any other condition.
    pub(super) fn to_the_start(&self, condition: Condition, at: usize) -> Found {
        let address = matches!(condition, Condition::Address(_));
        let mut transforming: BTreeSet<usize> = BTreeSet::new();
        let mut from_the_beginning = false;
        let mut work: Vec<(usize, Term)> = self.operands(at, address);
        while let Some((before, variable)) = work.pop() {
            match self.flow.definition(variable, before) {
                Some(definition) if transforming.insert(definition) => {
                    work.extend(self.operands(definition, false));
                }
                Some(_) => {}
                None => from_the_beginning = true,
            }
        }
        let first = transforming.first().copied().unwrap_or(at);
        let from = (!from_the_beginning).then_some(first);
        transforming.extend(self.direct(&[at]));
        let evidence = Evidence::Core { from, premises: Vec::new() };
        Found { steps: transforming.into_iter().collect(), evidence }
    }

    /// The variables in the value of a step, or in its address.
    pub(super) fn operands(&self, at: usize, address: bool) -> Vec<(usize, Term)> {
        let step = &self.flow.failure.trace.steps[at];
        let mut roots: Vec<Term> = match (&step.access, address) {
            (Some(access), true) => vec![access.address],
            _ => step.action.operands().collect(),
        };
        if let Some(place) = step.action.place() {
            roots.extend((!place.indices.is_empty()).then_some(place.variable));
        }
        let variables = self.terms.variables_of(&roots);
        variables.into_iter().map(|variable| (at, variable)).collect()
    }

    /// What a condition depends on by data flow, but for steps that are known already.
    pub(super) fn by_data_flow(&self, condition: Condition, known: &mut FxHashSet<usize>) -> Found {
        let mut found = BTreeSet::new();
        let mut work: Vec<usize> = Vec::new();
        let evidence = Evidence::DataFlow;
        match condition {
            Condition::Failure => work.extend(self.flow.failure.trace.steps.len().checked_sub(1)),
            Condition::Held(step) | Condition::Address(step) => work.push(step),
            Condition::Trusted(first, last) => {
                let mut values: Vec<(usize, Term)> = Vec::new();
                let program = self.flow.failure.program;
                let steps = &self.flow.failure.trace.steps;
                for at in (first..=last).filter(|&at| self.included[at]) {
                    // Trusted code may call the user's.
                    if program.site(steps[at].site).trust == Trust::User && !self.is_condition(at) {
                        found.insert(at);
                    }
                    values.extend(self.flow.reads(at).iter().map(|&variable| (at, variable)));
                }
                while let Some((before, variable)) = values.pop() {
                    if let Some(definition) = self.flow.definition(variable, before)
                        && definition < first
                        && found.insert(definition)
                    {
                        values.extend(self.operands(definition, false));
                    }
                }
                return Found { steps: found.into_iter().collect(), evidence };
            }
        }
        while let Some(at) = work.pop() {
            for &variable in self.flow.reads(at) {
                if let Some(definition) = self.flow.definition(variable, at)
                    && known.insert(definition)
                {
                    found.insert(definition);
                    work.push(definition);
                }
            }
        }
        Found { steps: found.into_iter().collect(), evidence }
    }
}
