//! What a call printed that is wrong: the condition that it still is, with other arguments.

use program::EdgeId;
use program::process::{Alike, Right, WrongOutput};
use term::{Sort, Term, Value};

use super::unfold::Unfold;
use crate::cells::value_of_bits;

/// What was printed is right, so it must be known which it is.
fn is_unknown(right: &Right) -> bool {
    matches!(right, Right::Unknown | Right::OneOf(_, None))
}

fn right_of(right: &[(u32, Right)], number: usize) -> Option<&Right> {
    let found = right.iter().find(|(argument, _)| *argument as usize == number);
    found.map(|(_, right)| right)
}

impl Unfold<'_> {
    /// The condition that an argument that is right is printed as in the run, if it might be printed otherwise.
    fn is_printed_alike(&mut self, argument: Term, right: &Right) -> Option<Term> {
        match right {
            Right::Alike(_) | Right::Unknown | Right::OneOf(_, None) => None,
            Right::OneOf(values, Some(own)) => {
                values.get(*own as usize).map(|own| self.is_alike(argument, own))
            }
        }
    }

    /// The condition that an argument is right.
    fn is_right(&mut self, argument: Term, right: &Right) -> Term {
        match right {
            Right::Alike(values) => self.is_alike(argument, values),
            Right::OneOf(values, _) => {
                let values: Vec<Term> =
                    values.iter().map(|value| self.is_alike(argument, value)).collect();
                self.terms.or(&values)
            }
            Right::Unknown => self.terms.bool(true),
        }
    }

    fn is_value(&mut self, argument: Term, value: &Value) -> Term {
        let constant = self.terms.constant(value);
        self.terms.eq(argument, constant)
    }

    fn is_alike(&mut self, argument: Term, values: &Alike) -> Term {
        let sort = self.terms.sort(argument).clone();
        let (Alike::Bits(own, _) | Alike::Range(own, ..)) = values;
        let Some(value) = value_of_bits(&sort, own.bits) else { return self.terms.bool(true) };
        match (values, &sort) {
            (Alike::Bits(_, bits), Sort::BitVec(width)) if bits < width => {
                let constant = self.terms.constant(&value);
                let [argument, constant] =
                    [argument, constant].map(|whole| self.terms.extract(whole, 0, *bits));
                self.terms.eq(argument, constant)
            }
            (Alike::Range(_, low, high), Sort::Float(_)) => {
                let same = self.is_value(argument, &value);
                let bounds = [low, high].map(|bound| value_of_bits(&sort, bound.bits));
                let [Some(low), Some(high)] = bounds else { return same };
                let (low, high) = (self.terms.constant(&low), self.terms.constant(&high));
                let inside = [self.terms.fp_le(low, argument), self.terms.fp_le(argument, high)];
                let inside = self.terms.and(&inside);
                self.terms.or(&[same, inside])
            }
            _ => self.is_value(argument, &value),
        }
    }

    /// What is printed first that is wrong is not one of the values that are right, or something before it is wrong.
    pub(super) fn wrong_output(
        &mut self,
        edge: EdgeId,
        arguments: &[Term],
        wrong: &WrongOutput,
    ) -> Option<Term> {
        let index = wrong.argument? as usize;
        let argument = self.copy(*arguments.get(index)?);
        let value = self.value(argument)?;
        let own = match &wrong.right {
            Some(Right::Unknown) => return None,
            Some(right) => self.is_right(argument, right),
            None => {
                let (offset, expected) = wrong.byte?;
                let Value::BitVec(pointer) = value else { return None };
                let pointer = pointer.unsigned() as u64;
                let byte = self.bytes_at(pointer.wrapping_add(offset), 1)?;
                self.pin(edge, argument, pointer);
                self.is_value(byte, &Value::bitvec(8, expected.into()))
            }
        };
        let mut all = Vec::new();
        // With other values of these, a run tells.
        let mut others = Vec::new();
        for (number, &earlier) in arguments.iter().enumerate().take(index) {
            let earlier = self.copy(earlier);
            if let (None, Some(value)) = (right_of(&wrong.earlier, number), self.value(earlier)) {
                all.push(self.is_value(earlier, &value));
            }
        }
        for (number, right) in &wrong.earlier {
            let Some(&earlier) = arguments.get(*number as usize) else { continue };
            let earlier = self.copy(earlier);
            if is_unknown(right) {
                self.terms.value(earlier)?;
                continue;
            }
            let mut may_be = others.clone();
            may_be.push(self.is_right(earlier, right));
            all.push(self.terms.or(&may_be));
            if let Some(same) = self.is_printed_alike(earlier, right) {
                others.push(self.terms.not(same));
            }
        }
        others.push(own);
        all.push(self.terms.or(&others));
        let is_right = self.terms.and(&all);
        let is_wrong = self.terms.not(is_right);
        // It is wrong in the run: otherwise it is not known when it is.
        (self.value(is_wrong) == Some(Value::Bool(true))).then_some(is_wrong)
    }
}
