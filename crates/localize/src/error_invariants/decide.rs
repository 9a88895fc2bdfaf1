//! Small questions about conditions, most of them answered without a solver.

use program::Stop;
use rustc_hash::FxHashMap;
use solver::{Answer, Solver};
use term::{Op, Sort, Term, Terms};

use crate::context::Context;
use crate::sample::is_falsified;
use crate::unary::{Falsify, falsify};

/// How many questions the solver is asked.
const MOST_QUERIES: usize = 400;
/// Conditions of more nodes are not asked about.
const LARGEST: usize = 100;
/// The same for conditions on words of 64 bits.
const LARGEST_IF_LONG: usize = 40;
/// Questions about machine words count so many times.
const COST_IF_WIDE: usize = 20;
/// Solvers become slow with the questions that they have answered.
const REPLACED_AFTER: usize = 40;
/// Products and quotients of more bits are hard.
const WIDE: u32 = 8;

pub struct Decide<'c> {
    context: Context<'c>,
    pub stop: &'c Stop,
    solver: Option<Box<dyn Solver>>,
    known: FxHashMap<Term, bool>,
    queries: usize,
    /// How many of them this solver was asked.
    asked: usize,
    /// Whether some question was left open; the answer was then no.
    pub gave_up: bool,
}

impl<'c> Decide<'c> {
    pub fn new(context: Context<'c>) -> Decide<'c> {
        Decide {
            context,
            stop: context.stop,
            solver: None,
            known: FxHashMap::default(),
            queries: 0,
            asked: 0,
            gave_up: false,
        }
    }

    /// Whether a condition or one of its escapes surely holds.
    pub fn is_valid(&mut self, terms: &mut Terms, main: Term, escapes: &[Term]) -> bool {
        let mut all = escapes.to_vec();
        all.push(main);
        let formula = terms.or(&all);
        if let Some(value) = terms.value(formula) {
            return value.is_true();
        }
        // Single comparisons are not valid, unless the terms would say so.
        if escapes.is_empty() && terms.op(main) != term::Op::Or {
            return self.by_trying(terms, formula).unwrap_or(false);
        }
        self.holds(terms, formula)
    }

    /// Whether a formula surely holds.
    pub fn holds(&mut self, terms: &Terms, formula: Term) -> bool {
        if let Some(value) = terms.value(formula) {
            return value.is_true();
        }
        if let Some(&known) = self.known.get(&formula) {
            return known;
        }
        let answer = self.by_trying(terms, formula).unwrap_or_else(|| self.ask(terms, formula));
        self.known.insert(formula, answer);
        answer
    }

    /// Whether one formula implies another.
    pub fn implies(&mut self, terms: &mut Terms, premise: Term, conclusion: Term) -> bool {
        let formula = terms.implies(premise, conclusion);
        self.holds(terms, formula)
    }

    fn by_trying(&self, terms: &Terms, formula: Term) -> Option<bool> {
        match terms.variables_of(&[formula])[..] {
            [unknown] => match falsify(terms, formula, unknown) {
                Falsify::By(_) => Some(false),
                Falsify::Never => Some(true),
                Falsify::Open => None,
            },
            _ => None,
        }
    }

    fn ask(&mut self, terms: &Terms, formula: Term) -> bool {
        if self.queries >= MOST_QUERIES || self.stop.requested() {
            self.gave_up = true;
            return false;
        }
        let nodes = terms.reachable(&[formula]);
        if is_falsified(terms, formula) {
            return false;
        }
        let is_long = |&node: &Term| matches!(terms.sort(node), Sort::BitVec(64..));
        let largest = if nodes.iter().any(is_long) { LARGEST_IF_LONG } else { LARGEST };
        if nodes.len() > largest || nodes.iter().any(|&node| is_hard(terms, node)) {
            self.gave_up = true;
            return false;
        }
        let is_wide =
            |&node: &Term| matches!(terms.sort(node), Sort::BitVec(width) if *width > WIDE);
        self.queries += if nodes.iter().any(is_wide) { COST_IF_WIDE } else { 1 };
        if self.asked == REPLACED_AFTER {
            (self.solver, self.asked) = (None, 0);
        }
        self.asked += 1;
        let mut terms = terms.clone();
        let negated = terms.not(formula);
        let context = self.context;
        let solver = self.solver.get_or_insert_with(|| (context.solvers)());
        let answer = solver.check(&terms, &[negated]);
        if matches!(answer, Answer::Unknown(_)) {
            // It took long, and so would others.
            self.gave_up = true;
            self.queries = MOST_QUERIES;
        }
        answer == Answer::Unsat
    }
}

/// Whether solvers are slow on it.
pub fn is_hard(terms: &Terms, node: Term) -> bool {
    let args = terms.args(node);
    let wide = match terms.sort(node) {
        Sort::BitVec(width) => *width > WIDE,
        Sort::Float(_) => !args.is_empty(),
        _ => false,
    };
    match terms.op(node) {
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => wide,
        Op::Mul => wide && args.iter().filter(|&&arg| terms.value(arg).is_none()).count() > 1,
        Op::BvSmulOverflow | Op::BvUmulOverflow => true,
        Op::Div | Op::Mod => args.get(1).is_some_and(|&by| terms.value(by).is_none()),
        _ => matches!(terms.sort(node), Sort::Float(_)) && wide,
    }
}
