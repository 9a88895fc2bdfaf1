//! Many small questions to a solver.
//!
//! A solver that has been asked many things becomes slow, even if the questions have nothing in common. So it is
//! replaced by a new one from time to time. And since the answer to one of many questions is not worth waiting
//! for, no question may take long, and there is an end to them.

use std::time::Duration;

use solver::{Answer, Solver};
use term::{Op, Sort, Term, Terms};

use crate::context::Context;
use crate::costs;

/// So many questions are asked of one solver.
const QUESTIONS: u64 = 24;

pub(crate) struct Asking<'a> {
    context: Context<'a>,
    solver: Option<Box<dyn Solver>>,
    longest: Duration,
    most: u64,
    /// How many questions were asked.
    pub asked: u64,
    /// How many formulas they had.
    pub formulas: u64,
}

impl<'a> Asking<'a> {
    pub fn new(context: Context<'a>, longest: Duration, most: u64) -> Asking<'a> {
        Asking { context, solver: None, longest, most, asked: 0, formulas: 0 }
    }

    /// Whether formulas can hold together; none if that is not found out.
    pub fn can_hold(&mut self, terms: &Terms, formulas: &[Term]) -> Option<bool> {
        if formulas.iter().any(|&formula| terms.is_false(formula)) {
            return Some(false);
        }
        if self.asked >= self.most || self.context.stop.requested() {
            return None;
        }
        if self.asked.is_multiple_of(QUESTIONS) {
            self.solver = None;
        }
        let (context, longest) = (self.context, self.longest);
        let solver = self.solver.get_or_insert_with(|| {
            let mut solver = (context.solvers)();
            solver.hurry(longest);
            solver
        });
        self.context.stop.spend(gates(terms, formulas), costs::GATE);
        self.asked += 1;
        self.formulas += formulas.len() as u64;
        match solver.check(terms, formulas) {
            Answer::Sat => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        }
    }
}

/// How many gates a solver makes of formulas about bits, more or less, before it begins.
pub(crate) fn gates(terms: &Terms, formulas: &[Term]) -> usize {
    let of = |term: Term| {
        let args = terms.args(term);
        let sort = terms.sort(*args.first().unwrap_or(&term));
        let &Sort::BitVec(width) = sort else { return 1 };
        let width = width as usize;
        match terms.op(term) {
            Op::Mul if args.iter().any(|&arg| terms.value(arg).is_some()) => width * width / 4,
            Op::Mul => width * width,
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => 3 * width * width,
            Op::Add => width * args.len(),
            _ => width,
        }
    };
    terms.reachable(formulas).into_iter().map(of).sum()
}
