//! Questions for the solver: can a value violate conditions, whatever later havocs do?

use failure::{Inputs, simplest_value};
use solver::{Answer, Model, Reason, exists_forall};
use term::{Op, Sort, Term, Terms, Value};

use super::Witness;
use super::analysis::Analysis;
use crate::interval::{self, Bounds, interval};
use crate::unary::{self, Falsify};

/// Whether `∃ symbols, unknown. constraint ∧ ∀ later. ¬all` holds.
#[derive(Clone, Copy)]
pub(super) struct Question<'q> {
    pub constraint: Term,
    pub all: Term,
    pub later: &'q [Term],
    pub unknown: Term,
    pub symbols: &'q [Term],
    /// The step of the only condition in `all`, if there is but one.
    pub blocks: Option<usize>,
}

impl Analysis<'_> {
    /// Decides a question, unless the solver has failed on too many about the same statement.
    pub(super) fn ask(&mut self, question: Question<'_>) -> Decision {
        if self.timeouts.get(&self.statement).is_some_and(|&count| count >= MOST_TIMEOUTS) {
            return Decision::Open("the solver ran out of time on instances of it".to_owned());
        }
        let decision = self.ask_solver(question);
        if let Decision::Open(_) = decision {
            *self.timeouts.entry(self.statement).or_default() += 1;
        }
        decision
    }

    fn ask_solver(&mut self, question: Question<'_>) -> Decision {
        let Question { constraint, all, later, unknown, symbols, blocks } = question;
        let violated = self.terms.not(all);
        let wanted = self.terms.variables_of(&[constraint, violated]);
        let model = if later.is_empty() {
            self.solver.push();
            self.solver.assert(&self.terms, constraint);
            self.solver.assert(&self.terms, violated);
            let found = self.simplest_model(unknown, &wanted, &[constraint, violated]);
            self.solver.pop();
            match found {
                Ok(model) => model,
                Err(None) => return Decision::Never,
                Err(Some(reason)) => return Decision::Open(reason),
            }
        } else {
            if symbols.is_empty()
                && let Some(value) = self
                    .outside_all_bounds(all, unknown)
                    .or_else(|| self.try_against_havocs(all, unknown))
            {
                return Decision::Blocked(Witness { value, blocks, execution: None });
            }
            let solvers = self.context.solvers;
            let verdict = exists_forall(
                &mut || solvers(),
                &mut self.terms,
                constraint,
                later,
                violated,
                &wanted,
                ROUNDS,
            );
            match verdict {
                solver::Verdict::Holds(model) => model,
                solver::Verdict::Fails => return Decision::Never,
                solver::Verdict::Unknown(reason) => return Decision::Open(in_words(&reason)),
            }
        };
        let value = model.value(&self.terms, unknown);
        let execution = (!symbols.is_empty()).then(|| self.execution(&model, &wanted, unknown));
        Decision::Blocked(Witness { value, blocks, execution })
    }

    /// A model of what is asserted in which the unknown is as simple as possible; if there is none, the
    /// reason why that is not known.
    /// Where every question is hard, any will do.
    fn simplest_model(
        &mut self,
        unknown: Term,
        wanted: &[Term],
        asserted: &[Term],
    ) -> Result<Model, Option<String>> {
        let solver = &mut *self.solver;
        match solver.check(&self.terms, &[]) {
            Answer::Unsat => return Err(None),
            Answer::Unknown(reason) => return Err(Some(in_words(&reason))),
            Answer::Sat => {}
        }
        let Some(model) = solver.model(&self.terms, wanted) else {
            return Err(Some("the solver found no exact value".to_owned()));
        };
        let found = model.value(&self.terms, unknown);
        if is_hard(&self.terms, asserted) {
            return Ok(model);
        }
        let simplest = simplest_value(&mut self.terms, solver, &[], unknown, found);
        let constant = self.terms.constant(&simplest);
        let fixed = self.terms.eq(unknown, constant);
        match solver.check(&self.terms, &[fixed]) {
            Answer::Sat => Ok(solver.model(&self.terms, wanted).unwrap_or(model)),
            _ => Ok(model),
        }
    }

    /// A value that violates a condition by more than the bounds on later havocs could make up for.
    fn outside_all_bounds(&mut self, all: Term, unknown: Term) -> Option<Value> {
        let conjuncts = conjuncts(&self.terms, all);
        let bounds = interval::bounds(&self.terms, &conjuncts);
        let mut best: Option<Value> = None;
        for conjunct in conjuncts {
            let Some(extreme) = extreme_condition(&mut self.terms, conjunct, unknown, &bounds)
            else {
                continue;
            };
            if let Falsify::By(value) = unary::falsify(&self.terms, extreme, unknown)
                && best.as_ref().is_none_or(|best| unary::is_simpler(&value, best))
            {
                best = Some(value);
            }
        }
        best
    }

    /// Tries simple values one by one: does each choice of later havocs violate the conditions?
    fn try_against_havocs(&mut self, all: Term, unknown: Term) -> Option<Value> {
        let (candidates, _) = unary::candidates(&self.terms, all, unknown);
        for value in candidates.into_iter().take(MOST_CANDIDATES) {
            let constant = self.terms.constant(&value);
            let conditions = self.terms.replace(all, unknown, constant);
            self.solver.push();
            self.solver.assert(&self.terms, conditions);
            let answer = self.solver.check(&self.terms, &[]);
            self.solver.pop();
            if answer == Answer::Unsat {
                return Some(value);
            }
        }
        None
    }

    /// The execution of a model; symbols that the question did not mention are as in the failing run.
    fn execution(&self, model: &Model, symbols: &[Term], unknown: Term) -> Inputs {
        let mut values = self.run_values.clone();
        for &symbol in symbols {
            if symbol != unknown {
                values.insert(symbol, model.value(&self.terms, symbol));
            }
        }
        let mut havocs: Vec<(usize, Term)> =
            self.symbolic.havocs.iter().map(|(&at, &symbol)| (at, symbol)).collect();
        havocs.sort_unstable();
        let havocs = havocs
            .into_iter()
            .map(|(_, symbol)| {
                let zero = || Value::zero(self.terms.sort(symbol));
                values.remove(&symbol).unwrap_or_else(zero)
            })
            .collect();
        Inputs { initial: values, havocs }
    }
}

/// Whether formulas have products, divisions or floating-point arithmetic of unknowns.
fn is_hard(terms: &Terms, formulas: &[Term]) -> bool {
    terms.reachable(formulas).into_iter().any(|node| {
        let open = || terms.args(node).iter().filter(|a| terms.value(**a).is_none()).count();
        match (terms.op(node), terms.sort(node)) {
            (Op::Mul, Sort::BitVec(_)) => open() > 1,
            (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem, _) => open() > 0,
            (Op::BvSmulOverflow | Op::BvUmulOverflow, _) => open() > 1,
            (Op::FpToSigned | Op::FpToUnsigned, _) => true,
            (Op::FpEq | Op::FpLt | Op::FpLe, _) => true,
            (_, Sort::Float(_)) => open() > 0,
            _ => false,
        }
    })
}

/// How often a universally quantified question is refined, and how many values are tried first.
const ROUNDS: u32 = 64;
const MOST_CANDIDATES: usize = 8;
/// After so many questions about a statement without an answer, its other instances are not tried.
const MOST_TIMEOUTS: u32 = 2;

/// Whether some value blocks a group of conditions.
pub(super) enum Decision {
    Blocked(Witness),
    Never,
    Open(String),
}

/// The parts of a conjunction, however it is nested.
fn conjuncts(terms: &Terms, all: Term) -> Vec<Term> {
    let (mut found, mut stack) = (Vec::new(), vec![all]);
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend_from_slice(terms.args(term)),
            _ => found.push(term),
        }
    }
    found
}

/// The weakest that a linear condition `c·unknown + rest <= k` becomes when the rest is as small as its
/// bounds allow: if a value violates that, it violates the condition whatever the rest is.
fn extreme_condition(
    terms: &mut Terms,
    condition: Term,
    unknown: Term,
    bounds: &Bounds,
) -> Option<Term> {
    let (Op::Le, &[left, right]) = (terms.op(condition), terms.args(condition)) else {
        return None;
    };
    if *terms.sort(left) != Sort::Int || !terms.mentions(left, unknown) {
        return None;
    }
    // The smallest value of the rest, and the coefficient of the unknown.
    let (mut rest, mut own) = (Value::int(0), Value::int(0));
    let mut stack = vec![(left, Value::int(1))];
    while let Some((term, factor)) = stack.pop() {
        match (terms.op(term), terms.args(term)) {
            _ if term == unknown => own = own.add(&factor),
            (Op::Add, summands) => stack.extend(summands.iter().map(|&s| (s, factor.clone()))),
            (Op::Mul, &[c, part]) if terms.value(c).is_some() => {
                let product = terms.value(c).map_or(factor.clone(), |c| c.mul(&factor));
                stack.push((part, product));
            }
            _ if terms.mentions(term, unknown) => return None,
            _ => {
                let Value::Int(factor) = factor else { return None };
                let range = interval(terms, term, bounds).scale(&factor);
                rest = rest.add(&Value::Int(range.low()?.clone()));
            }
        }
    }
    let scaled = terms.scale(&own, unknown);
    let rest = terms.constant(&rest);
    let weakest = terms.add(&[scaled, rest]);
    Some(terms.le(weakest, right))
}

fn in_words(reason: &Reason) -> String {
    match reason {
        Reason::TimeLimit => "the solver ran out of time".to_owned(),
        Reason::Incomplete(words) => format!("the solver gave up: {words}"),
    }
}
