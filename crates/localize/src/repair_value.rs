//! One value for all traces (∃∀).
//!
//! A statement that is relevant in each of several failing traces need not have one constant that
//! repairs them all: paper 1 shows such a statement (∀∃) and leaves the stronger question open. Here
//! it is answered: is there a constant `v` such that, with *every* instance of the statement assigning
//! `v`, none of the traces has any execution, whatever the inputs?

use failure::{Action, Failure, Part};
use program::SiteId;
use solver::{Answer, Reason, exists_forall};
use term::{Term, Terms, Value};

use crate::context::Context;
use crate::unary;

/// Whether one constant repairs all traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OneValue {
    Repairs(Value),
    /// No constant does.
    Impossible,
    Unknown(String),
}

const ROUNDS: u32 = 64;
const MOST_CANDIDATES: usize = 32;

/// Looks for a constant that repairs all traces when the statement part assigns it. `hints` are values
/// to try first.
pub fn one_value(
    failures: &[Failure<'_>],
    site: SiteId,
    part: Part,
    hints: &[Value],
    context: Context<'_>,
) -> OneValue {
    let mut terms = Terms::new();
    let mut unknown = None;
    let mut paths = Vec::new();
    for (number, failure) in failures.iter().enumerate() {
        match path_with(&mut terms, failure, number, site, part, &mut unknown) {
            Some(path) => paths.push(path),
            None => return OneValue::Impossible, // the statement is not on this trace
        }
    }
    let Some(unknown) = unknown else { return OneValue::Impossible };
    let all_paths = terms.or(&paths);
    let (mut candidates, complete) = unary::candidates(&terms, all_paths, unknown);
    candidates.truncate(if complete { usize::MAX } else { MOST_CANDIDATES });
    for value in candidates.iter().chain(hints) {
        if repairs(&mut terms, &paths, unknown, value, context) {
            return OneValue::Repairs(value.clone());
        }
    }
    let universals: Vec<Term> =
        terms.variables_of(&paths).into_iter().filter(|&v| v != unknown).collect();
    let free = terms.bool(true);
    let none = terms.not(all_paths);
    let solvers = context.solvers;
    match exists_forall(&mut || solvers(), &mut terms, free, &universals, none, &[unknown], ROUNDS)
    {
        solver::Verdict::Holds(model) => OneValue::Repairs(model.value(&terms, unknown)),
        solver::Verdict::Fails => OneValue::Impossible,
        solver::Verdict::Unknown(Reason::TimeLimit) => {
            OneValue::Unknown("the solver ran out of time".to_owned())
        }
        solver::Verdict::Unknown(Reason::Incomplete(words)) => {
            OneValue::Unknown(format!("the solver gave up: {words}"))
        }
    }
}

fn repairs(
    terms: &mut Terms,
    paths: &[Term],
    unknown: Term,
    value: &Value,
    context: Context<'_>,
) -> bool {
    let constant = terms.constant(value);
    paths.iter().all(|&path| {
        let path = terms.replace(path, unknown, constant);
        terms.is_false(path) || {
            !terms.is_true(path) && (context.solvers)().check(terms, &[path]) == Answer::Unsat
        }
    })
}

/// The condition to take the trace when the statement part assigns `unknown`; its other variables are
/// the symbols of the trace, made distinct by its number. None if the statement is not on the trace.
fn path_with(
    terms: &mut Terms,
    failure: &Failure<'_>,
    number: usize,
    site: SiteId,
    part: Part,
    unknown: &mut Option<Term>,
) -> Option<Term> {
    let mut trace = failure.trace.clone();
    let mut own = None;
    for step in &mut trace.steps {
        if step.site == site
            && step.part == part
            && let Some(place) = step.action.place().cloned()
        {
            let sort = place.sort(&trace.terms);
            let value = *own.get_or_insert_with(|| trace.terms.fresh("new", &sort));
            unknown.get_or_insert_with(|| terms.var("new", &sort));
            step.action = Action::Assign { place, value };
        }
    }
    let (own, unknown) = (own?, (*unknown)?);
    let mut local = trace.terms.clone();
    let changed = Failure { trace: trace.clone(), ..failure.clone() };
    let run = changed.execute(&mut local);
    // What happens if something pinned is otherwise is not known: that repairs nothing.
    let conditions = run.conditions(&local, &trace).into_iter();
    let conditions = conditions.filter(|(step, _)| !trace.pinned.contains(step));
    let conditions: Vec<Term> = conditions.map(|(_, condition)| condition).collect();
    let path = local.and(&conditions);
    Some(terms.import(&local, path, &mut |terms, variable| {
        if variable == own {
            return unknown;
        }
        // Variables of several calls have the same name.
        let name = local.name(variable).unwrap_or("v");
        let name = format!("{name}#{number}.{}", variable.index());
        terms.var(&name, local.sort(variable))
    }))
}
