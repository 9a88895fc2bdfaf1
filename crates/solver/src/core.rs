//! Minimal unsatisfiable cores.
//!
//! Deletion: leave out one member at a time. If the rest is still unsatisfiable the member goes, and
//! with it everything that is not in the core of that answer; otherwise it is necessary, and stays
//! necessary in every smaller set. One question for each member that is tried, members in the order
//! given, so the result is determined by the solver's answers.

use term::{Term, Terms};

use crate::solver::{Answer, Solver};

/// An unsatisfiable set of assumptions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Core {
    pub members: Vec<Term>,
    /// Members that may be unnecessary, because the solver did not know. Without any, leaving out any
    /// member makes the set satisfiable.
    pub doubtful: Vec<Term>,
}

/// Minimizes assumptions that are unsatisfiable together with what the solver has been told.
pub fn minimize(solver: &mut dyn Solver, terms: &Terms, core: &[Term]) -> Core {
    let mut untried: Vec<Term> = Vec::new();
    for &member in core {
        if !untried.contains(&member) {
            untried.push(member);
        }
    }
    let mut result = Core::default();
    while !untried.is_empty() {
        let member = untried.remove(0);
        let rest: Vec<Term> = result.members.iter().chain(&untried).copied().collect();
        match solver.check(terms, &rest) {
            Answer::Unsat => {
                let smaller = solver.core();
                untried.retain(|t| smaller.contains(t));
                // A necessary member is in every core; a doubtful one need not be.
                let gone = |t: &Term| !smaller.contains(t);
                let unneeded: Vec<Term> = result.doubtful.iter().copied().filter(gone).collect();
                result.doubtful.retain(|t| !unneeded.contains(t));
                result.members.retain(|t| !unneeded.contains(t));
            }
            Answer::Sat => result.members.push(member),
            Answer::Unknown(_) => {
                result.members.push(member);
                result.doubtful.push(member);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use term::{Sort, Value};

    use super::*;
    use crate::Z3;

    #[test]
    fn every_member_is_necessary() {
        let mut t = Terms::new();
        let vars: Vec<Term> = (0..6).map(|i| t.var(&format!("x{i}"), &Sort::Int)).collect();
        // A chain x0 < x1 < … < x5, x5 < x2, and much that does not matter.
        let mut all = Vec::new();
        for pair in vars.windows(2) {
            all.push(t.lt(pair[0], pair[1]));
            let seven = t.constant(&Value::int(7));
            all.push(t.le(pair[0], seven));
        }
        all.push(t.lt(vars[5], vars[2]));
        let mut solver = Z3::new(Duration::from_secs(10));
        assert_eq!(solver.check(&t, &all), Answer::Unsat);
        let core = minimize(&mut solver, &t, &all);
        assert_eq!(core.doubtful, []);
        assert_eq!(core.members, [all[4], all[6], all[8], all[10]]);
    }

    #[test]
    fn nothing_is_needed_when_the_assertions_suffice() {
        let mut t = Terms::new();
        let p = t.var("p", &Sort::Bool);
        let mut solver = Z3::new(Duration::from_secs(10));
        let contradiction = t.bool(false);
        solver.assert(&t, contradiction);
        assert_eq!(minimize(&mut solver, &t, &[p, p]), Core::default());
    }
}
