//! What a call printed that is wrong: the condition that it still is, with other arguments.

use program::EdgeId;
use program::process::{Alike, Effect, Event, Rest, Right, RightText, WrongOutput};
use term::{Sort, Term, Value};

use super::unfold::Unfold;
use crate::cells::value_of_bits;

/// In larger objects, it is not looked where else a text might begin.
const MOST_STARTS: u64 = 64;

/// What was printed is right, so it must be known which it is.
fn is_unknown(right: &Right) -> bool {
    matches!(right, Right::Unknown | Right::OneOf(_, None))
}

fn right_of(right: &[(u32, Right)], number: usize) -> Option<&Right> {
    let found = right.iter().find(|(argument, _)| *argument as usize == number);
    found.map(|(_, right)| right)
}

/// What is printed for a null pointer, as if it were there.
const NULL: &[u8] = b"(null)\0";

/// The byte that a call read at an address.
fn read_at(events: &[Event], address: u64) -> Option<u8> {
    if let Some(&byte) = usize::try_from(address).ok().and_then(|address| NULL.get(address)) {
        return Some(byte);
    }
    events.iter().find_map(|event| match event {
        Event::Effect(Effect::Read { address: first, bytes }) => {
            let offset = usize::try_from(address.checked_sub(*first)?).ok()?;
            bytes.get(offset).copied()
        }
        _ => None,
    })
}

impl Unfold<'_> {
    /// The condition that an argument that is right is printed as in the run, if it might be printed otherwise.
    fn is_printed_alike(
        &mut self,
        argument: Term,
        value: &Value,
        right: &Right,
        events: &[Event],
    ) -> Option<Term> {
        match right {
            Right::Alike(_) | Right::Unknown | Right::OneOf(_, None) => None,
            Right::OneOf(values, Some(own)) => {
                values.get(*own as usize).map(|own| self.is_alike(argument, own))
            }
            Right::Text(texts) => {
                let mut same = vec![self.is_value(argument, value)];
                let is_one = matches!(&texts[..], [text] if text.is_one());
                for event in events {
                    if let Event::Effect(Effect::Read { address, bytes }) = event
                        && !is_one
                        && *value == Value::bitvec(64, u128::from(*address))
                    {
                        self.same_bytes(*address, bytes, &mut same);
                    }
                }
                Some(self.terms.and(&same))
            }
        }
    }

    /// The condition that an argument, which has this value in the run, is right.
    fn is_right(&mut self, argument: Term, value: &Value, right: &Right, events: &[Event]) -> Term {
        match right {
            Right::Alike(values) => self.is_alike(argument, values),
            Right::OneOf(values, _) => {
                let values: Vec<Term> =
                    values.iter().map(|value| self.is_alike(argument, value)).collect();
                self.terms.or(&values)
            }
            Right::Text(texts) => self.points_to(argument, value, texts, events),
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

    /// The condition that a pointer, which has this value in the run, points to one of these texts; or, as far as the first byte
    /// tells, it points elsewhere in its object, and to one of them there.
    fn points_to(
        &mut self,
        pointer: Term,
        value: &Value,
        texts: &[RightText],
        events: &[Event],
    ) -> Term {
        let Value::BitVec(address) = value else { return self.terms.bool(true) };
        let address = address.unsigned() as u64;
        let own: Vec<Term> = texts.iter().map(|text| self.is_text(address, text, events)).collect();
        let own = self.terms.or(&own);
        if self.terms.value(pointer).is_some() {
            return own;
        }
        let object =
            self.layout.number(address).map(|number| &self.layout.objects[number as usize]);
        let Some(object) = object.filter(|object| object.size <= MOST_STARTS) else {
            let same = self.is_value(pointer, value);
            return self.terms.implies(same, own);
        };
        let starts = object.address..object.address + object.size;
        let mut anywhere = Vec::new();
        for start in starts {
            let is_right = match start == address {
                true => own,
                false => {
                    let begins: Vec<Term> =
                        texts.iter().map(|text| self.begins_as(start, text, events)).collect();
                    self.terms.or(&begins)
                }
            };
            let here = self.is_value(pointer, &Value::bitvec(64, u128::from(start)));
            anywhere.push(self.terms.and(&[here, is_right]));
        }
        self.terms.or(&anywhere)
    }

    /// The condition that a byte of memory is this one; true if it is not known.
    fn is_byte(&mut self, address: u64, byte: u8, events: &[Event]) -> Term {
        match self.bytes_at(address, 1) {
            Some(now) => self.is_value(now, &Value::bitvec(8, byte.into())),
            // What has no cells is never written.
            None if self.layout.number(address).is_none() => {
                let read = read_at(events, address);
                self.terms.bool(read.is_none_or(|read| read == byte))
            }
            None => self.terms.bool(true),
        }
    }

    /// The condition that this text is at an address, as far as that is known.
    fn is_text(&mut self, address: u64, text: &RightText, events: &[Event]) -> Term {
        let length = text.text.len() as u64;
        let mut rest = match text.rest {
            Rest::Nothing => self.terms.bool(false),
            Rest::Blank => self.is_blank(address.wrapping_add(length), events),
            Rest::Any => self.terms.bool(true),
        };
        for at in (0..=text.text.len()).rev() {
            let here = address.wrapping_add(at as u64);
            if let Some(&byte) = text.text.get(at) {
                let goes_on = self.is_byte(here, byte, events);
                rest = self.terms.and(&[goes_on, rest]);
            }
            if text.lengths.binary_search(&(at as u32)).is_ok() {
                let ends = self.is_byte(here, 0, events);
                rest = self.terms.or(&[ends, rest]);
            }
        }
        rest
    }

    /// The condition that the first byte of a text is at an address.
    fn begins_as(&mut self, address: u64, text: &RightText, events: &[Event]) -> Term {
        let first = match (text.text.first(), text.rest) {
            (Some(&byte), _) => self.is_byte(address, byte, events),
            (None, Rest::Nothing) => self.terms.bool(false),
            (None, Rest::Blank) => self.is_space(address, events),
            (None, Rest::Any) => self.terms.bool(true),
        };
        match text.lengths.first() {
            Some(0) => {
                let ends = self.is_byte(address, 0, events);
                self.terms.or(&[ends, first])
            }
            _ => first,
        }
    }

    /// The condition that there is only white space up to the end of a text.
    fn is_blank(&mut self, address: u64, events: &[Event]) -> Term {
        let number = self.layout.number(address);
        let end = number.map_or(address, |number| {
            let object = &self.layout.objects[number as usize];
            object.address + object.size
        });
        let mut rest = self.terms.bool(true);
        for at in (address..end.min(address.saturating_add(MOST_STARTS))).rev() {
            let (ends, is_space) = (self.is_byte(at, 0, events), self.is_space(at, events));
            let goes_on = self.terms.and(&[is_space, rest]);
            rest = self.terms.or(&[ends, goes_on]);
        }
        rest
    }

    fn is_space(&mut self, address: u64, events: &[Event]) -> Term {
        let spaces = b"\t\n\x0c\r ".map(|space| self.is_byte(address, space, events));
        self.terms.or(&spaces)
    }

    /// What is printed first that is wrong is not one of the values that are right, or something before it is wrong.
    pub(super) fn wrong_output(
        &mut self,
        edge: EdgeId,
        arguments: &[Term],
        events: &[Event],
        wrong: &WrongOutput,
    ) -> Option<Term> {
        let index = wrong.argument? as usize;
        let argument = self.copy(*arguments.get(index)?);
        let value = self.value(argument)?;
        let own = match &wrong.right {
            Some(Right::Unknown) => return None,
            Some(right) => self.is_right(argument, &value, right, events),
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
            let Some(value) = self.value(earlier) else { continue };
            if is_unknown(right) {
                self.terms.value(earlier)?;
                continue;
            }
            let mut may_be = others.clone();
            may_be.push(self.is_right(earlier, &value, right, events));
            all.push(self.terms.or(&may_be));
            if let Some(same) = self.is_printed_alike(earlier, &value, right, events) {
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
