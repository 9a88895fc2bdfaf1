//! The states of the run, at the positions between commands.

use rustc_hash::FxHashMap;
use term::{Term, Terms, Value};

/// Per variable: from which position on it has which value. Position `p` is before command `p`. Before the first of
/// these positions it has none.
#[derive(Clone, Debug, Default)]
pub struct States {
    history: FxHashMap<Term, Vec<(u32, Value)>>,
}

impl States {
    pub(super) fn set(&mut self, variable: Term, position: usize, value: Value) {
        self.history.entry(variable).or_default().push((position as u32, value));
    }

    pub fn value(&self, position: usize, variable: Term) -> Option<&Value> {
        let history = self.history.get(&variable)?;
        let count = history.partition_point(|(from, _)| *from as usize <= position);
        history.get(count.checked_sub(1)?).map(|(_, value)| value)
    }

    /// The positions after the first and up to the second at which a variable gets a value, the last first.
    pub fn changes(
        &self,
        variable: Term,
        after: usize,
        to: usize,
    ) -> impl Iterator<Item = usize> + '_ {
        let history = self.history.get(&variable).map_or(&[][..], Vec::as_slice);
        let first = history.partition_point(|(from, _)| *from as usize <= after);
        let last = history.partition_point(|(from, _)| *from as usize <= to).max(first);
        history[first..last].iter().rev().map(|(from, _)| *from as usize)
    }

    /// The value of a variable, if it has one and the same at all positions from one to another.
    pub fn constant(&self, variable: Term, from: usize, to: usize) -> Option<&Value> {
        let value = self.value(from, variable)?;
        let same = |at: usize| self.value(at, variable) == Some(value);
        self.changes(variable, from, to).all(same).then_some(value)
    }

    /// A term as it is at a position: variables without a value stay.
    pub fn substitute(&self, terms: &mut Terms, position: usize, term: Term) -> Term {
        let mut values: Vec<(Term, Value)> = Vec::new();
        for variable in terms.variables_of(&[term]) {
            if let Some(value) = self.value(position, variable) {
                values.push((variable, value.clone()));
            }
        }
        let constants: Vec<(Term, Term)> =
            values.iter().map(|(variable, value)| (*variable, terms.constant(value))).collect();
        terms.substitute(term, &mut |v| constants.iter().find(|(own, _)| *own == v).map(|c| c.1))
    }

    /// Whether a condition holds at a position, whatever the variables without a value are; none if that is
    /// not clear.
    pub fn holds(&self, terms: &mut Terms, position: usize, condition: Term) -> Option<bool> {
        let value = term::evaluate(terms, condition, &mut |v| self.value(position, v).cloned());
        match value {
            Some(value) => Some(value.is_true()),
            None => {
                let rest = self.substitute(terms, position, condition);
                terms.value(rest).and_then(Value::as_bool)
            }
        }
    }
}
