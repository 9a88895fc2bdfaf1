//! What passing tests say about corrections.
//!
//! A statement computes what it does from the values that it reads. If it reads the same values in a passing test, and does
//! something else there than a correction needs, then no other expression of the same variables does both. Such a
//! correction may still be right, with a condition or a variable more; but others are likelier.

use failure::run::Unfolded;
use failure::{Action, Step, Trace};
use program::{EdgeId, Program, SiteId, Trust};
use rustc_hash::FxHashMap;
use term::{Term, Terms, Value};

/// What statements did in passing tests, by the values that they read.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    did: FxHashMap<SiteId, FxHashMap<Vec<Value>, (Did, u32)>>,
}

/// What a statement did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Did {
    Assigned(Value),
    Took(EdgeId),
}

impl Observed {
    /// Adds the run of a passing test, which has this number. The trace is in this arena.
    pub fn add(&mut self, program: &Program, terms: &Terms, run: &Unfolded, test: u32) {
        let (initial, mut now) = (&run.inputs.initial, FxHashMap::<Term, &Value>::default());
        let trace = &run.trace;
        for (step, value) in trace.steps.iter().zip(&run.values) {
            if is_changeable(program, step) {
                let read = |variable: Term| {
                    let assigned = now.get(&variable).copied();
                    assigned.or_else(|| initial.get(&variable)).cloned()
                };
                let read = operands(terms, trace, step, &read);
                if let Some(did) = did(trace, step, value.as_ref()) {
                    self.did.entry(step.site).or_default().entry(read).or_insert((did, test));
                }
            }
            if let (Some(place), Some(value)) = (step.action.place(), value) {
                now.insert(place.variable, value);
            }
        }
    }

    /// Adds what others have observed.
    pub fn merge(&mut self, other: Observed) {
        for (site, did) in other.did {
            let known = self.did.entry(site).or_default();
            for (read, what) in did {
                let first = known.entry(read).or_insert_with(|| what.clone());
                // The first test counts, whoever ran it.
                if what.1 < first.1 {
                    *first = what;
                }
            }
        }
    }

    /// The passing test in which a statement reads the same values and does something else.
    pub fn contradicts(&self, site: SiteId, read: &[Value], needed: &Did) -> Option<u32> {
        let (did, test) = self.did.get(&site)?.get(read)?;
        (did != needed).then_some(*test)
    }
}

fn is_changeable(program: &Program, step: &Step) -> bool {
    let user = program.site(step.site).trust == Trust::User;
    user && (step.is_assignment() || matches!(step.action, Action::Assume { .. }))
}

fn did(trace: &Trace, step: &Step, value: Option<&Value>) -> Option<Did> {
    match step.action {
        Action::Assume { .. } => trace.path.get(step.at as usize).map(|&edge| Did::Took(edge)),
        _ => value.map(|value| Did::Assigned(value.clone())),
    }
}

/// The values that a step reads, in the order of the program's variables.
pub(super) fn operands(
    terms: &Terms,
    trace: &Trace,
    step: &Step,
    value: &dyn Fn(Term) -> Option<Value>,
) -> Vec<Value> {
    let mut variables = step.reads(terms);
    variables.sort_by_key(|&variable| trace.origin(variable).1);
    let zero = |variable: Term| Value::zero(terms.sort(variable));
    variables.into_iter().map(|v| value(v).unwrap_or_else(|| zero(v))).collect()
}
