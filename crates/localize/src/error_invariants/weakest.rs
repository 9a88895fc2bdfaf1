//! Weakest error invariants: for each position, all states from which the rest of the trace violates the property.
//!
//! One pass backwards from the violation. What it finds at a position is a conjunction, kept as a list of
//! conjuncts, because most commands concern few of them. A conjunct is a condition `main`, or one of its
//! *escapes*: conditions under which the trace would block on the way, so that nothing is to be shown.
//!
//! Conjuncts are kept small: bounds of one variable are merged, and where a check says that a sum does not overflow,
//! its bound becomes one of the summand. A conjunction that still grows, as in loops whose bounds are variables, is
//! made stronger: the variable that occurs most is *pinned* to its value in the run. Then it is not the weakest any
//! more. That is allowed, since all that is claimed is that these are error invariants, and [`Weakest::exact`] says so.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Term, Terms, Value};

use super::bounds::{Bound, bound, tighten, without_overflow};
use super::decide::{Decide, is_hard};
use crate::commands::{Commands, Effect};

/// More conjuncts are too many.
const MOST: usize = 40;
/// A conjunct of more nodes is too large.
const LARGEST: usize = 60;
/// More escapes are not remembered: in short traces, and in long ones.
const MOST_ESCAPES: usize = 12;
const MOST_ESCAPES_IF_LONG: usize = 2;
const LONG: usize = 200;
/// Among so many conjuncts it is asked whether one follows from the others.
const MOST_PRUNED: usize = 12;

pub type Id = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conjunct {
    pub main: Term,
    pub escapes: Vec<Term>,
}

#[derive(Debug)]
pub struct Weakest {
    pub conjuncts: Vec<Conjunct>,
    /// For each conjunct.
    pub variables: Vec<Rc<[Term]>>,
    /// For each position, its conjuncts, sorted.
    pub at: Vec<Rc<[Id]>>,
    /// Whether these are the weakest.
    pub exact: bool,
}

/// Computes them, from this violation at the end.
pub fn weakest(commands: &mut Commands<'_>, violation: Term, decide: &mut Decide<'_>) -> Weakest {
    let count = commands.list.len();
    let mut pass = Pass {
        ids: FxHashMap::default(),
        found: Weakest {
            conjuncts: Vec::new(),
            variables: Vec::new(),
            at: Vec::with_capacity(count + 1),
            exact: true,
        },
        now: Vec::new(),
        most_escapes: if count > LONG { MOST_ESCAPES_IF_LONG } else { MOST_ESCAPES },
    };
    pass.add(&mut commands.terms, violation, Vec::new(), decide);
    pass.shrink(commands, count, decide);
    pass.keep();
    for at in (0..count).rev() {
        if decide.stop.requested() {
            break;
        }
        if pass.pull_back(commands, at, decide) {
            pass.shrink(commands, at, decide);
            pass.keep();
        } else if let Some(same) = pass.found.at.last().cloned() {
            pass.found.at.push(same);
        }
    }
    let mut found = pass.found;
    // After a wish to stop, the rest is not needed any more.
    while let Some(same) = found.at.last().cloned().filter(|_| found.at.len() <= count) {
        found.at.push(same);
    }
    found.at.reverse();
    found
}

struct Pass {
    ids: FxHashMap<Conjunct, Id>,
    found: Weakest,
    now: Vec<Id>,
    most_escapes: usize,
}

impl Pass {
    fn keep(&mut self) {
        self.now.sort_unstable();
        self.found.at.push(self.now.as_slice().into());
    }

    /// Adds a condition that must hold, or one of its escapes.
    fn add(&mut self, terms: &mut Terms, main: Term, escapes: Vec<Term>, decide: &mut Decide<'_>) {
        let mut escapes = escapes;
        let count = escapes.len();
        escapes
            .retain(|&escape| !terms.reachable(&[escape]).iter().any(|&node| is_hard(terms, node)));
        self.found.exact &= escapes.len() == count;
        escapes.retain(|&escape| !terms.is_false(escape));
        if self.most_escapes == MOST_ESCAPES {
            // One that is contained in the rest says nothing.
            let mut at = 0;
            while at < escapes.len() {
                let escape = escapes.remove(at);
                let mut rest = escapes.clone();
                rest.push(main);
                let rest = terms.or(&rest);
                if !decide.implies(terms, escape, rest) {
                    escapes.insert(at, escape);
                    at += 1;
                }
            }
        }
        if escapes.is_empty() && terms.op(main) == Op::And {
            for part in terms.args(main).to_vec() {
                self.add(terms, part, Vec::new(), decide);
            }
            return;
        }
        if decide.is_valid(terms, main, &escapes) {
            return;
        }
        if escapes.is_empty()
            && let Some(new) = bound(terms, main)
        {
            return self.add_bound(terms, main, &new);
        }
        let id = self.intern(terms, Conjunct { main, escapes });
        if !self.now.contains(&id) {
            self.now.push(id);
        }
    }

    /// Merges a bound with those of the same term.
    fn add_bound(&mut self, terms: &mut Terms, main: Term, new: &Bound) {
        let mut main = main;
        let mut new = new.clone();
        let mut kept = Vec::new();
        for &id in &self.now {
            let other = &self.found.conjuncts[id as usize];
            let old = match other.escapes.is_empty() {
                true => bound(terms, other.main),
                false => None,
            };
            match old.and_then(|old| tighten(terms, &new, &old)) {
                None => kept.push(id),
                Some(both) => {
                    main = both;
                    new = bound(terms, both).unwrap_or(new);
                }
            }
        }
        if terms.value(main).is_some() {
            return;
        }
        self.now = kept;
        let id = self.intern(terms, Conjunct { main, escapes: Vec::new() });
        if !self.now.contains(&id) {
            self.now.push(id);
        }
    }

    fn intern(&mut self, terms: &Terms, conjunct: Conjunct) -> Id {
        let found = &mut self.found;
        *self.ids.entry(conjunct).or_insert_with_key(|conjunct| {
            let mut roots = conjunct.escapes.clone();
            roots.push(conjunct.main);
            found.variables.push(terms.variables_of(&roots).into());
            found.conjuncts.push(conjunct.clone());
            (found.conjuncts.len() - 1) as Id
        })
    }

    /// Moves to before a command. Says whether anything changes.
    fn pull_back(
        &mut self,
        commands: &mut Commands<'_>,
        at: usize,
        decide: &mut Decide<'_>,
    ) -> bool {
        match commands.list[at].action {
            Effect::Assume { condition } => self.assume(commands, at, condition, decide),
            Effect::Assign { variable, value } => {
                self.assign(commands, at, &[variable], Some((variable, value)), decide)
            }
            Effect::Decision { remembers } => {
                let mut framed: Vec<Term> = self.variables().into_iter().collect();
                framed.retain(|&v| commands.frames(at, v));
                framed.sort_unstable();
                let mut changed = false;
                if let Some((variable, condition)) = remembers {
                    let variables = self.variables();
                    if variables.contains(&variable) {
                        self.substitute(commands, variable, condition, decide);
                        changed = true;
                    }
                }
                self.assign(commands, at, &framed, None, decide) || changed
            }
        }
    }

    fn variables(&self) -> FxHashSet<Term> {
        self.now.iter().flat_map(|&id| self.found.variables[id as usize].iter().copied()).collect()
    }

    fn substitute(
        &mut self,
        commands: &mut Commands<'_>,
        variable: Term,
        by: Term,
        decide: &mut Decide<'_>,
    ) {
        let found = &self.found;
        let concerned = |id: &mut Id| found.variables[*id as usize].contains(&variable);
        let changed: Vec<Id> = self.now.extract_if(.., concerned).collect();
        for id in changed {
            let terms = &mut commands.terms;
            let Conjunct { main, escapes } = self.found.conjuncts[id as usize].clone();
            let main = terms.replace(main, variable, by);
            let escapes = escapes.into_iter().map(|e| terms.replace(e, variable, by)).collect();
            self.add(terms, main, escapes, decide);
        }
    }

    /// A command that gives these variables a value, by `update` or the one they have, if its premises hold.
    fn assign(
        &mut self,
        commands: &mut Commands<'_>,
        at: usize,
        variables: &[Term],
        update: Option<(Term, Term)>,
        decide: &mut Decide<'_>,
    ) -> bool {
        let found = &self.found;
        let concerned =
            |id: &mut Id| found.variables[*id as usize].iter().any(|v| variables.contains(v));
        let changed: Vec<Id> = self.now.extract_if(.., concerned).collect();
        if changed.is_empty() {
            return false;
        }
        let command = commands.list[at].clone();
        for id in changed {
            let Conjunct { main, escapes } = self.found.conjuncts[id as usize].clone();
            let terms = &mut commands.terms;
            let after = |terms: &mut Terms, formula: Term| match update {
                Some((variable, value)) => terms.replace(formula, variable, value),
                None => formula,
            };
            let main = after(terms, main);
            let main = without_overflow(terms, main, &command.checks);
            let mut escapes: Vec<Term> = escapes.into_iter().map(|e| after(terms, e)).collect();
            for &check in &command.checks {
                // A bound that the check has been used for needs no more of it.
                if terms.value(main).is_none() && bound(terms, main).is_none() {
                    let fails = terms.not(check);
                    self.escape(terms, &mut escapes, fails);
                }
            }
            self.add(terms, main, escapes, decide);
        }
        for premise in command.premises {
            self.add(&mut commands.terms, premise, Vec::new(), decide);
        }
        true
    }

    fn assume(
        &mut self,
        commands: &mut Commands<'_>,
        at: usize,
        condition: Term,
        decide: &mut Decide<'_>,
    ) -> bool {
        if self.now.is_empty() {
            return false;
        }
        let about = commands.terms.variables_of(&[condition]);
        let long = self.most_escapes == MOST_ESCAPES_IF_LONG;
        let concerns = |found: &Weakest, id: Id| {
            !long || found.variables[id as usize].iter().any(|v| about.contains(v))
        };
        if !self.now.iter().any(|&id| concerns(&self.found, id)) {
            self.found.exact = false;
            return false;
        }
        let terms = &mut commands.terms;
        let mut blocks = commands.list[at].premises.clone();
        blocks.push(terms.not(condition));
        let blocks = terms.and(&blocks);
        for id in std::mem::take(&mut self.now) {
            let Conjunct { main, mut escapes } = self.found.conjuncts[id as usize].clone();
            if concerns(&self.found, id) {
                self.escape(terms, &mut escapes, blocks);
            } else {
                self.found.exact = false;
            }
            self.add(terms, main, escapes, decide);
        }
        true
    }

    fn escape(&mut self, terms: &Terms, escapes: &mut Vec<Term>, escape: Term) {
        if terms.is_false(escape) || escapes.contains(&escape) {
            return;
        }
        if escapes.len() >= self.most_escapes {
            self.found.exact = false;
            return;
        }
        escapes.push(escape);
    }

    /// Drops conjuncts that follow from the others: what only they mention does not matter.
    fn prune(&mut self, terms: &mut Terms, decide: &mut Decide<'_>) {
        if self.now.len() > MOST_PRUNED {
            return;
        }
        self.now.sort_unstable();
        let formula = |terms: &mut Terms, conjunct: &Conjunct| {
            let mut all = conjunct.escapes.clone();
            all.push(conjunct.main);
            terms.or(&all)
        };
        // Those with escapes first, then the newest.
        let mut order = self.now.clone();
        order.sort_by_key(|&id| (self.found.conjuncts[id as usize].escapes.is_empty(), !id));
        for id in order {
            let own = formula(terms, &self.found.conjuncts[id as usize]);
            let about = Rc::clone(&self.found.variables[id as usize]);
            let others: Vec<Term> = self
                .now
                .iter()
                .filter(|&&other| other != id)
                .filter(|&&other| {
                    self.found.variables[other as usize].iter().any(|v| about.contains(v))
                })
                .map(|&other| formula(terms, &self.found.conjuncts[other as usize]))
                .collect();
            if others.is_empty() {
                continue;
            }
            let others = terms.and(&others);
            if decide.implies(terms, others, own) {
                self.now.retain(|&other| other != id);
            }
        }
    }

    /// Whether a conjunct is more than one can look through.
    fn is_large(&self, commands: &Commands<'_>, id: Id) -> bool {
        let conjunct = &self.found.conjuncts[id as usize];
        let mut roots = conjunct.escapes.clone();
        roots.push(conjunct.main);
        let nodes = commands.terms.reachable(&roots);
        nodes.len() > LARGEST || nodes.iter().any(|&node| is_hard(&commands.terms, node))
    }

    /// Whether a conjunct says that a variable has a value.
    fn is_pin(&self, commands: &Commands<'_>, id: Id) -> bool {
        let (terms, conjunct) = (&commands.terms, &self.found.conjuncts[id as usize]);
        let pin = |a: Term, b: Term| terms.is_var(a) && terms.value(b).is_some();
        match (terms.op(conjunct.main), terms.args(conjunct.main)) {
            (Op::Eq, &[a, b]) => conjunct.escapes.is_empty() && (pin(a, b) || pin(b, a)),
            _ => false,
        }
    }

    /// Pins variables until the conjuncts are few and small.
    fn shrink(&mut self, commands: &mut Commands<'_>, at: usize, decide: &mut Decide<'_>) {
        if self.most_escapes == MOST_ESCAPES {
            self.prune(&mut commands.terms, decide);
        }
        let mut pinned: FxHashSet<Term> = FxHashSet::default();
        loop {
            // What is pinned already cannot become simpler.
            let open: Vec<Id> =
                self.now.iter().copied().filter(|&id| !self.is_pin(commands, id)).collect();
            let mut candidates: Vec<Id> = Vec::new();
            if open.len() > MOST {
                candidates.clone_from(&open);
            }
            candidates.extend(open.iter().filter(|id| self.is_large(commands, **id)));
            let mut counts: FxHashMap<Term, usize> = FxHashMap::default();
            for id in candidates {
                for variable in self.found.variables[id as usize].iter() {
                    *counts.entry(*variable).or_default() += 1;
                }
            }
            counts.retain(|variable, _| !pinned.contains(variable));
            let most = counts.into_iter().max_by_key(|&(v, count)| (count, std::cmp::Reverse(v)));
            let Some((variable, _)) = most else { return };
            pinned.insert(variable);
            let Some(value) = commands.states.value(at, variable).cloned() else { continue };
            if matches!(value, Value::Array(_)) {
                continue;
            }
            self.found.exact = false;
            let value = commands.terms.constant(&value);
            self.substitute(commands, variable, value, decide);
            let equal = commands.terms.eq(variable, value);
            self.add(&mut commands.terms, equal, Vec::new(), decide);
        }
    }
}
