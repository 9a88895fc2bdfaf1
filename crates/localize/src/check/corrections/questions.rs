//! Questions of the judge: whether conditions can hold.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Solver};
use term::{Term, Terms, Value};

use crate::asking::gates;
use crate::boxes::{self, Decided, Effort};
use crate::context::Context;
use crate::costs;
use crate::unary::{Falsify, falsify_within};

/// No question is worth more.
const LONGEST_QUERY: Duration = Duration::from_millis(300);
/// So many operations are worth trying values.
const TRIES: usize = 30_000;
/// A solver that has been asked many questions becomes slow.
const QUESTIONS: u64 = 24;

#[derive(Clone)]
pub(super) enum Solved {
    Values(FxHashMap<Term, Value>),
    Impossible,
    Unknown,
}

/// What was asked, and who answers.
pub(super) struct Questions<'a> {
    context: Context<'a>,
    solver: Option<Box<dyn Solver>>,
    asked: u64,
    answers: FxHashMap<Vec<Term>, Solved>,
    /// Whether a question about this set stayed open. Then it can only be found out that the program can pass.
    pub is_open: bool,
    /// The work that was done.
    pub work: Duration,
}

impl<'a> Questions<'a> {
    pub fn new(context: Context<'a>) -> Questions<'a> {
        let (answers, work) = (FxHashMap::default(), Duration::ZERO);
        Questions { context, solver: None, asked: 0, answers, is_open: false, work }
    }

    /// Forgets what was about terms of another arena.
    pub fn forget(&mut self) {
        self.solver = None;
        self.answers.clear();
    }

    /// Values with which the conditions hold, and this one, too. Conditions that have nothing to do with it hold as it is.
    pub fn solve(&mut self, terms: &mut Terms, conditions: &[Term], goal: Term) -> Solved {
        let mut formulas = about(terms, conditions, &[goal]);
        formulas.push(goal);
        if formulas.iter().any(|&formula| terms.is_false(formula)) {
            return Solved::Impossible;
        }
        // What is the same in another round of a loop has the same answer.
        let (mut formulas, symbols) = renamed(terms, &formulas);
        formulas.sort_unstable();
        formulas.dedup();
        match self.answer(terms, formulas) {
            Solved::Values(values) => {
                let own = |(new, value)| Some((*symbols.get(&new)?, value));
                Solved::Values(values.into_iter().filter_map(own).collect())
            }
            other => other,
        }
    }

    fn answer(&mut self, terms: &mut Terms, formulas: Vec<Term>) -> Solved {
        if let Some(known) = self.answers.get(&formulas) {
            return known.clone();
        }
        let mut symbols = terms.variables_of(&formulas);
        symbols.sort_unstable();
        let tried = by_trying(terms, &formulas, &symbols);
        let solved = match tried.or_else(|| self.by_narrowing(terms, &formulas)) {
            Some(solved) => solved,
            None if self.is_open => return Solved::Unknown,
            None => self.ask(terms, &formulas, &symbols),
        };
        self.is_open |= matches!(solved, Solved::Unknown);
        self.answers.insert(formulas, solved.clone());
        solved
    }

    /// Values that are found by narrowing: that they are right is seen. That there are none was claimed, more or less, by
    /// the same means, so the solver must say so.
    fn by_narrowing(&mut self, terms: &mut Terms, formulas: &[Term]) -> Option<Solved> {
        let (none, mut took) = (FxHashMap::default(), 0);
        let decided = boxes::decide(terms, formulas, &none, Effort::MOST, &mut took);
        self.work += self.context.stop.spend(took, costs::NARROWING);
        match decided {
            Decided::Values(values) => Some(Solved::Values(values.into_iter().collect())),
            Decided::Impossible | Decided::Open(_) => None,
        }
    }

    fn ask(&mut self, terms: &Terms, formulas: &[Term], symbols: &[Term]) -> Solved {
        if self.asked.is_multiple_of(QUESTIONS) {
            self.solver = None;
        }
        self.asked += 1;
        self.work += self.context.stop.spend(gates(terms, formulas), costs::GATE);
        let context = self.context;
        let solver = self.solver.get_or_insert_with(|| {
            let mut solver = (context.solvers)();
            solver.hurry(LONGEST_QUERY);
            solver
        });
        let before = solver.work();
        solver.push();
        for &formula in formulas {
            solver.assert(terms, formula);
        }
        let solved = match solver.check(terms, &[]) {
            Answer::Sat => match solver.model(terms, symbols) {
                Some(model) => {
                    let value = |&symbol: &Term| (symbol, model.value(terms, symbol));
                    Solved::Values(symbols.iter().map(value).collect())
                }
                None => Solved::Unknown,
            },
            Answer::Unsat => Solved::Impossible,
            Answer::Unknown(_) => Solved::Unknown,
        };
        solver.pop();
        // Who counts the work of solvers has counted this.
        self.work += solver.work().saturating_sub(before);
        solved
    }
}

/// Those of the conditions that share symbols with some terms, directly or by others, in their order.
pub(super) fn about(terms: &Terms, conditions: &[Term], some: &[Term]) -> Vec<Term> {
    let mut symbols: FxHashSet<Term> = terms.variables_of(some).into_iter().collect();
    let own: Vec<Vec<Term>> = conditions.iter().map(|&it| terms.variables_of(&[it])).collect();
    let mut joins = vec![false; conditions.len()];
    loop {
        let mut more = false;
        for (joins, own) in joins.iter_mut().zip(&own) {
            if !*joins && own.iter().any(|symbol| symbols.contains(symbol)) {
                (*joins, more) = (true, true);
                symbols.extend(own);
            }
        }
        if !more {
            break;
        }
    }
    conditions.iter().zip(joins).filter(|(_, joins)| *joins).map(|(&it, _)| it).collect()
}

/// Terms with new names of their symbols, in the order in which they occur; and which they were.
pub(super) fn renamed(terms: &mut Terms, some: &[Term]) -> (Vec<Term>, FxHashMap<Term, Term>) {
    let mut names: FxHashMap<Term, Term> = FxHashMap::default();
    for &term in some {
        for symbol in terms.variables_of(&[term]) {
            let number = names.len();
            let sort = terms.sort(symbol).clone();
            names.entry(symbol).or_insert_with(|| terms.var(&format!("any!{number}"), &sort));
        }
    }
    let renamed = terms.substitute_all(some, &mut |symbol| names.get(&symbol).copied());
    (renamed, names.into_iter().map(|(old, new)| (new, old)).collect())
}

/// If there is one symbol, its values may be known without a solver.
fn by_trying(terms: &mut Terms, formulas: &[Term], symbols: &[Term]) -> Option<Solved> {
    let &[symbol] = symbols else { return None };
    let all = terms.and(formulas);
    let fails = terms.not(all);
    match falsify_within(terms, fails, symbol, TRIES).0 {
        Falsify::By(value) => Some(Solved::Values([(symbol, value)].into_iter().collect())),
        Falsify::Never => Some(Solved::Impossible),
        Falsify::Open => None,
    }
}
