//! Whether conjuncts contradict each other, and which of them are needed for that.
//!
//! The condition to be explained is false in the run, and all others are true. So a state in which all hold is
//! looked for near that of the run: with another value of one variable. If the condition has only one
//! variable, and all values at which something changes have been tried, then this decides. The solver is asked
//! last.

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Code, Op, Sort, Term, Terms, Value};

use super::cause::{Causes, Walk};
use crate::unary::{candidates, simplest_first};

/// So many variables are tried to make a condition true.
const MOST_TRIED: usize = 6;

impl Causes<'_, '_> {
    /// Whether the conjuncts contradict each other; none if that is not known.
    pub(super) fn is_contradiction(&mut self, walk: &Walk) -> Option<bool> {
        let members = self.members(walk);
        let mut terms: Vec<Term> = Vec::new();
        for term in members.iter().map(|&number| walk.conjuncts[number].term) {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        self.contradict(&terms, walk.position())
    }

    /// Whether terms, the first of which is false in the run before a step and the others true,
    /// contradict each other.
    fn contradict(&mut self, terms: &[Term], position: usize) -> Option<bool> {
        let Some((&first, rest)) = terms.split_first() else { return Some(false) };
        if terms.iter().any(|&term| self.terms.is_false(term)) {
            return Some(true);
        }
        if !self.without.solving {
            let opposite = self.terms.not(first);
            if rest.contains(&opposite) {
                return Some(true);
            }
            if let Some(decided) = self.by_trying(terms, position) {
                return Some(!decided);
            }
            if is_hard(&self.terms, terms) {
                return None;
            }
        }
        self.asking.can_hold(&self.terms, terms).map(|can| !can)
    }

    /// The conjuncts that share variables with the first, or with others that do.
    fn members(&self, walk: &Walk) -> Vec<usize> {
        let open = |number: &usize| !self.terms.is_true(walk.conjuncts[*number].term);
        if self.without.solving {
            return (0..walk.conjuncts.len()).filter(open).collect();
        }
        let mut variables: FxHashSet<Term> = FxHashSet::default();
        variables.extend(self.terms.variables_of(&[walk.conjuncts[0].term]));
        let mut members = vec![0];
        let mut others: Vec<(usize, Vec<Term>)> = (1..walk.conjuncts.len())
            .filter(open)
            .map(|number| (number, self.terms.variables_of(&[walk.conjuncts[number].term])))
            .collect();
        loop {
            let before = members.len();
            others.retain(|(number, own)| {
                let shares = own.iter().any(|variable| variables.contains(variable));
                if shares {
                    members.push(*number);
                    variables.extend(own);
                }
                !shares
            });
            if members.len() == before {
                return members;
            }
        }
    }

    /// Whether all terms can hold, as far as trying other values of one variable shows.
    fn by_trying(&mut self, members: &[Term], position: usize) -> Option<bool> {
        let &first = members.first()?;
        let variables = self.terms.variables_of(members);
        let mut run: FxHashMap<Term, Value> = FxHashMap::default();
        let mut constants: FxHashMap<Term, Term> = FxHashMap::default();
        for &variable in &variables {
            let value = self.value_before(variable, position)?;
            constants.insert(variable, self.terms.constant(&value));
            run.insert(variable, value);
        }
        let unknowns = self.terms.variables_of(&[first]);
        // What mentions nothing else is enough for a contradiction.
        let is_alone = |terms: &Terms, term: Term| terms.variables_of(&[term]) == unknowns;
        let (alone, others): (Vec<Term>, Vec<Term>) =
            members.iter().copied().partition(|&term| is_alone(&self.terms, term));
        let codes = [alone, others].map(|terms| Code::compile(&self.terms, &terms));
        for &unknown in unknowns.iter().take(MOST_TRIED) {
            let known = |v: Term| constants.get(&v).copied().filter(|_| v != unknown);
            let (mut values, mut complete) = (Vec::new(), unknowns.len() == 1);
            for &member in members {
                if self.terms.mentions(member, unknown) {
                    let term = self.terms.substitute(member, &mut |v| known(v));
                    let (more, all) = candidates(&self.terms, term, unknown);
                    complete &= all || !is_alone(&self.terms, member);
                    values.extend(more);
                }
            }
            simplest_first(&mut values);
            let mut alone_holds = false;
            for value in values {
                let lookup = |v: Term| match v == unknown {
                    true => Some(value.clone()),
                    false => run.get(&v).cloned(),
                };
                let holds = |code: &Code| {
                    code.run(&mut |v| lookup(v)).is_ok_and(|all| all.iter().all(Value::is_true))
                };
                if holds(&codes[0]) {
                    alone_holds = true;
                    if holds(&codes[1]) {
                        return Some(true);
                    }
                }
            }
            if complete && !alone_holds {
                return Some(false);
            }
        }
        None
    }

    /// The members of a minimal contradiction.
    pub(super) fn core(&mut self, walk: &Walk) -> Option<Vec<usize>> {
        if self.terms.is_false(walk.conjuncts[0].term) {
            return Some(vec![0]);
        }
        let position = walk.position();
        let opposite = self.terms.not(walk.conjuncts[0].term);
        let mut kept = self.members(walk);
        let near = kept.iter().rev().find(|&&number| walk.conjuncts[number].term == opposite);
        if let Some(&near) = near.filter(|_| !self.without.solving) {
            return Some(vec![0, near]);
        }
        // Far conditions are dropped first; the condition to be explained is always needed, because the
        // others hold in the run.
        let mut untried = kept.split_off(1);
        untried.sort_by_key(|&number| std::cmp::Reverse(walk.conjuncts[number].origin));
        while let Some(far) = untried.pop() {
            let rest: Vec<Term> =
                kept.iter().chain(&untried).map(|&number| walk.conjuncts[number].term).collect();
            match self.contradict(&rest, position) {
                Some(true) => {}
                Some(false) => kept.push(far),
                None => return None,
            }
        }
        Some(kept)
    }
}

/// Whether a question may take a solver long. Then a contradiction is only seen where evaluation shows it.
fn is_hard(terms: &Terms, roots: &[Term]) -> bool {
    terms.reachable(roots).into_iter().any(|node| {
        let args = terms.args(node);
        let unknown = || args.iter().filter(|&&arg| terms.value(arg).is_none()).count();
        match terms.op(node) {
            Op::Mul | Op::BvSmulOverflow | Op::BvUmulOverflow => unknown() > 1,
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => true,
            Op::Div | Op::Mod => args.last().is_some_and(|&divisor| terms.value(divisor).is_none()),
            _ => matches!(terms.sort(node), Sort::Float(_)),
        }
    })
}
