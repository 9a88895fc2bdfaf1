//! The interface that every back end implements.

use std::time::Duration;

use rustc_hash::FxHashMap;
use term::{Term, Terms, Value};

/// The answer to a satisfiability question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    TimeLimit,
    /// The solver gave up, in its own words.
    Incomplete(String),
}

/// How many questions were asked, by answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
}

impl Stats {
    pub fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Sat => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
    }

    pub fn queries(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }
}

/// An incremental solver. Formulas and assumptions are terms of sort Bool; all calls between two
/// changes of the arena's identity must use the same arena or extensions of it.
pub trait Solver {
    fn push(&mut self);

    /// Forgets what was asserted since the matching push.
    fn pop(&mut self);

    fn assert(&mut self, terms: &Terms, formula: Term);

    /// Whether everything asserted and the assumptions can hold together.
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer;

    /// After [`Answer::Sat`]: values for these variables that satisfy the question. None if the solver
    /// cannot give exact values.
    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model>;

    /// After [`Answer::Unsat`]: assumptions that cannot hold together, not necessarily the fewest.
    fn core(&mut self) -> Vec<Term>;

    /// How many questions were asked so far.
    fn queries(&self) -> u64;

    /// How much work they were: the time that an ordinary machine needs, more or less, but always the same for the same questions.
    fn work(&self) -> Duration {
        Duration::ZERO
    }

    /// From now on, a question should be at most as much work as an ordinary machine does in this time.
    fn hurry(&mut self, limit: Duration) {
        let _ = limit;
    }

    /// The power to decide formulas with quantifiers, if the back end has it.
    fn quantified(&mut self) -> Option<&mut dyn Quantified> {
        None
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn push(&mut self) {
        (**self).push();
    }

    fn pop(&mut self) {
        (**self).pop();
    }

    fn assert(&mut self, terms: &Terms, formula: Term) {
        (**self).assert(terms, formula);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Answer {
        (**self).check(terms, assumptions)
    }

    fn model(&mut self, terms: &Terms, variables: &[Term]) -> Option<Model> {
        (**self).model(terms, variables)
    }

    fn core(&mut self) -> Vec<Term> {
        (**self).core()
    }

    fn queries(&self) -> u64 {
        (**self).queries()
    }

    fn work(&self) -> Duration {
        (**self).work()
    }

    fn hurry(&mut self, limit: Duration) {
        (**self).hurry(limit);
    }

    fn quantified(&mut self) -> Option<&mut dyn Quantified> {
        (**self).quantified()
    }
}

/// An optional power: quantifiers.
pub trait Quantified {
    /// Whether `∃ free. constraint ∧ ∀ universals. body` holds, with values for `wanted` if so.
    fn exists_forall(
        &mut self,
        terms: &Terms,
        constraint: Term,
        universals: &[Term],
        body: Term,
        wanted: &[Term],
    ) -> (Answer, Option<Model>);
}

/// Values of variables. A variable without a value may have any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: FxHashMap<Term, Value>,
}

impl Model {
    pub fn set(&mut self, variable: Term, value: Value) {
        self.values.insert(variable, value);
    }

    /// The value of a variable; zero if it may have any.
    pub fn value(&self, terms: &Terms, variable: Term) -> Value {
        match self.values.get(&variable) {
            Some(value) => value.clone(),
            None => Value::zero(terms.sort(variable)),
        }
    }

    /// The value of a term.
    pub fn evaluate(&self, terms: &Terms, term: Term) -> Value {
        term::evaluate(terms, term, &mut |v| Some(self.value(terms, v)))
            .unwrap_or_else(|| Value::zero(terms.sort(term)))
    }
}
