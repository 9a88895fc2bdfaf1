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
use super::live::{Conjunct, Live, Shape, shape};
use super::spans::{Id, Span, Spans};
use crate::commands::{Commands, Effect};

/// More conjuncts are too many.
const MOST: usize = 40;
/// More escapes are not remembered: in short traces, and in long ones.
const MOST_ESCAPES: usize = 12;
const MOST_ESCAPES_IF_LONG: usize = 2;
const LONG: usize = 200;
/// Among so many conjuncts it is asked whether one follows from the others.
const MOST_PRUNED: usize = 12;

#[derive(Debug)]
pub struct Weakest {
    pub conjuncts: Vec<Conjunct>,
    /// For each conjunct.
    pub variables: Vec<Rc<[Term]>>,
    pub shapes: Vec<Shape>,
    /// Where they are.
    pub spans: Spans,
    /// How large those of each position are together.
    pub sizes: Vec<usize>,
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
            shapes: Vec::new(),
            spans: Spans::default(),
            sizes: Vec::with_capacity(count + 1),
            exact: true,
        },
        now: Live::default(),
        most_escapes: if count > LONG { MOST_ESCAPES_IF_LONG } else { MOST_ESCAPES },
    };
    pass.now.at = count as u32;
    pass.add(&mut commands.terms, violation, Vec::new(), decide);
    pass.shrink(commands, count, decide);
    for at in (0..count).rev() {
        if decide.stop.requested() {
            break; // the rest is not needed any more
        }
        pass.now.step_back();
        if pass.pull_back(commands, at, decide) {
            pass.shrink(commands, at, decide);
        }
    }
    let mut found = pass.found;
    found.spans = Spans::new(pass.now.finish(), &found.variables);
    let mut size = 0;
    for at in 0..=count {
        let sizes = |spans: &[Span]| -> usize {
            spans.iter().map(|span| found.shapes[span.id as usize].nodes).sum()
        };
        size += sizes(found.spans.starting(at, at));
        found.sizes.push(size);
        size -= sizes(found.spans.ending(at));
    }
    found
}

struct Pass {
    ids: FxHashMap<Conjunct, Id>,
    found: Weakest,
    now: Live,
    most_escapes: usize,
}

impl Pass {
    fn enter(&mut self, id: Id) {
        let Weakest { variables, shapes, .. } = &self.found;
        self.now.enter(id, &variables[id as usize], &shapes[id as usize]);
    }

    fn leave(&mut self, ids: &[Id]) {
        let Weakest { variables, shapes, .. } = &self.found;
        for &id in ids {
            self.now.leave(id, &variables[id as usize], &shapes[id as usize]);
        }
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
        self.enter(id);
    }

    /// Merges a bound with those of the same term.
    fn add_bound(&mut self, terms: &mut Terms, main: Term, new: &Bound) {
        let mut main = main;
        let mut new = new.clone();
        let mut merged = Vec::new();
        for &id in self.now.by_bound.get(&new.of).map_or(&[][..], Vec::as_slice) {
            let old = bound(terms, self.found.conjuncts[id as usize].main);
            if let Some(both) = old.and_then(|old| tighten(terms, &new, &old)) {
                merged.push(id);
                main = both;
                new = bound(terms, both).unwrap_or(new);
            }
        }
        if terms.value(main).is_some() {
            return;
        }
        self.leave(&merged);
        let id = self.intern(terms, Conjunct { main, escapes: Vec::new() });
        self.enter(id);
    }

    fn intern(&mut self, terms: &Terms, conjunct: Conjunct) -> Id {
        let found = &mut self.found;
        *self.ids.entry(conjunct).or_insert_with_key(|conjunct| {
            let mut roots = conjunct.escapes.clone();
            roots.push(conjunct.main);
            found.variables.push(terms.variables_of(&roots).into());
            found.shapes.push(shape(terms, conjunct));
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
                let mut framed: Vec<Term> = match commands.frames_any(at) {
                    true => self.now.variables().filter(|&v| commands.frames(at, v)).collect(),
                    false => Vec::new(),
                };
                framed.sort_unstable();
                let mut changed = false;
                if let Some((variable, condition)) = remembers {
                    changed = self.substitute(commands, variable, condition, decide);
                }
                self.assign(commands, at, &framed, None, decide) || changed
            }
        }
    }

    /// Says whether anything changes.
    fn substitute(
        &mut self,
        commands: &mut Commands<'_>,
        variable: Term,
        by: Term,
        decide: &mut Decide<'_>,
    ) -> bool {
        let concerned = self.now.about(&[variable]);
        self.leave(&concerned);
        for &id in &concerned {
            let terms = &mut commands.terms;
            let Conjunct { main, escapes } = self.found.conjuncts[id as usize].clone();
            let main = terms.replace(main, variable, by);
            let escapes = escapes.into_iter().map(|e| terms.replace(e, variable, by)).collect();
            self.add(terms, main, escapes, decide);
        }
        !concerned.is_empty()
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
        let concerned = self.now.about(variables);
        if concerned.is_empty() {
            return false;
        }
        self.leave(&concerned);
        let command = commands.list[at].clone();
        for id in concerned {
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
        let concerned = match self.most_escapes {
            MOST_ESCAPES_IF_LONG => self.now.about(&commands.terms.variables_of(&[condition])),
            _ => self.now.all(),
        };
        self.found.exact &= concerned.len() == self.now.since.len();
        if concerned.is_empty() {
            return false;
        }
        self.leave(&concerned);
        let terms = &mut commands.terms;
        let mut blocks = commands.list[at].premises.clone();
        blocks.push(terms.not(condition));
        let blocks = terms.and(&blocks);
        for id in concerned {
            let Conjunct { main, mut escapes } = self.found.conjuncts[id as usize].clone();
            self.escape(terms, &mut escapes, blocks);
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
        if self.now.since.len() > MOST_PRUNED {
            return;
        }
        let formula = |terms: &mut Terms, conjunct: &Conjunct| {
            let mut all = conjunct.escapes.clone();
            all.push(conjunct.main);
            terms.or(&all)
        };
        // Those with escapes first, then the newest.
        let mut rest = self.now.all();
        let mut order = rest.clone();
        order.sort_by_key(|&id| (self.found.conjuncts[id as usize].escapes.is_empty(), !id));
        for id in order {
            let own = formula(terms, &self.found.conjuncts[id as usize]);
            let about = Rc::clone(&self.found.variables[id as usize]);
            let others: Vec<Term> = rest
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
                rest.retain(|&other| other != id);
                self.leave(&[id]);
            }
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
            let open = &self.now.open;
            let mut candidates: Vec<Id> = Vec::new();
            if open.len() > MOST {
                candidates.extend(open);
            }
            candidates.extend(open.iter().filter(|&&id| self.found.shapes[id as usize].is_large));
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
