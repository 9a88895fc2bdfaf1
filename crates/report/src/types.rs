//! Types of variables that the source does not declare: what is returned, and what is on its way.
//!
//! They have the type of the variable that they come from, or else of the one that they go to.

use std::collections::HashMap;

use failure::{Action, Failure};
use program::{Language, TypeId};
use term::Term;

/// For variables of the program without a declared type, the type of what they are copied to or from.
pub fn infer(failure: &Failure<'_>) -> HashMap<Term, TypeId> {
    let mut found = HashMap::new();
    if failure.program.language == Language::Boogie {
        return found;
    }
    let copies: Vec<(Term, Term)> = failure
        .trace
        .steps
        .iter()
        .filter_map(|step| match &step.action {
            Action::Assign { place, value } if failure.trace.terms.is_var(*value) => {
                Some((place.variable, *value))
            }
            _ => None,
        })
        .collect();
    let mut learn = |from: Term, to: Term| {
        let to = failure.trace.origin(to).1;
        if failure.program.variables.get(&to).is_some_and(|variable| variable.ty.is_none())
            && !found.contains_key(&to)
            && let Some(ty) = declared(failure, &found, from)
        {
            found.insert(to, ty);
        }
    };
    copies.iter().for_each(|&(target, source)| learn(source, target));
    copies.iter().rev().for_each(|&(target, source)| learn(target, source));
    found
}

fn declared(
    failure: &Failure<'_>,
    found: &HashMap<Term, TypeId>,
    variable: Term,
) -> Option<TypeId> {
    match failure.trace.labels.get(&variable) {
        Some((_, ty)) => *ty,
        None => {
            let origin = failure.trace.origin(variable).1;
            let declared = failure.program.variables.get(&origin).and_then(|known| known.ty);
            declared.or_else(|| found.get(&origin).copied())
        }
    }
}
