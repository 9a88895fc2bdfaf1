//! What the world around the program does, as steps.

use program::process::{Effect, Event, Nature, Scalar};
use program::{EdgeId, Place, SiteId};
use term::{Sort, Term, Value};

use super::unfold::{Unfold, Values};
use super::{Choice, InputMode};
use crate::cells::value_of_bits;
use crate::trace::{Action, Direction, Part};

/// No object has an address below this.
const FIRST_OBJECT: u64 = 1 << 32;

/// Longer areas are no single values: how much is written may depend on where.
const LARGEST_VALUE: u64 = 8;

/// Whether a function ends executions that are of no interest.
pub(super) fn assumes(name: &str) -> bool {
    matches!(name, "__VERIFIER_assume" | "klee_assume")
}

/// Whether a function may move an object to another place, with its contents.
pub(super) fn moves(name: &str) -> bool {
    matches!(name, "realloc" | "reallocarray")
}

impl Unfold<'_> {
    /// That what the program assumes is so, or is not.
    pub(super) fn assumed(&mut self, edge: EdgeId, arguments: &[Term], holds: bool) {
        let Some(&argument) = arguments.first() else { return };
        let argument = self.copy(argument);
        let sort = self.terms.sort(argument).clone();
        let zero = self.terms.constant(&Value::zero(&sort));
        let fails = self.terms.eq(argument, zero);
        let condition = if holds { self.terms.not(fails) } else { fails };
        self.condition(edge, condition);
    }

    pub(super) fn given(&mut self, site: SiteId, target: Term, value: Value, number: Option<u32>) {
        let place = Place::variable(target);
        let size = u32::from(self.bits_of(target) > 0) * self.bits_of(target).div_ceil(8);
        let asked = self.asking.as_mut().map(|(ask, offset)| {
            *offset += size;
            (*ask, *offset - size)
        });
        let mode = match (self.mode, asked) {
            (InputMode::Asked, None) => InputMode::Fixed,
            (mode, _) => mode,
        };
        let (action, part) = match mode {
            InputMode::Fixed => {
                let constant = self.terms.constant(&value);
                (Action::Assign { place, value: constant }, Part::Input)
            }
            InputMode::Free | InputMode::Asked => {
                if let Some((ask, offset)) = asked {
                    let havoc = self.havocs.len();
                    self.choices.push(Choice { havoc, ask, offset, size });
                }
                self.havocs.push(value.clone());
                (Action::Havoc { place }, Part::Whole)
            }
        };
        let step = self.step(site, part, action);
        self.push(step, Some((value, number)));
    }

    /// A value from outside.
    pub(super) fn input(&mut self, site: SiteId, target: Term, (scalar, number): (Scalar, u32)) {
        let sort = self.terms.sort(target).clone();
        let Some(value) = value_of_bits(&sort, scalar.bits) else { return };
        self.given(site, target, value, Some(number));
    }

    /// A condition that an address is the one of the run.
    pub(super) fn stays(&mut self, edge: EdgeId, pointer: Term, address: u64) {
        let pointer = self.copy(pointer);
        let address = self.terms.constant(&Value::bitvec(64, u128::from(address)));
        let condition = self.terms.eq(pointer, address);
        if !self.terms.is_true(condition) {
            self.condition(edge, condition);
        }
    }

    pub(super) fn external(
        &mut self,
        edge: EdgeId,
        name: &str,
        arguments: &[Term],
        results: &[Term],
        events: &[Event],
    ) {
        let site = self.program.edge(edge).site;
        if assumes(name) {
            self.assumed(edge, arguments, true);
        }
        if self.open.contains(name) {
            self.asking = Some((self.asks, 0));
            self.asks += 1;
        }
        let nature = events.iter().find_map(|event| match event {
            Event::Nature(nature) => Some(*nature),
            _ => None,
        });
        let same = match nature {
            Some(Nature::Opaque) => self.same_arguments(arguments, events),
            _ => self.terms.bool(true),
        };
        let mut values = Values { events: events.iter() };
        let mut moved = None;
        let frees = moves(name) || matches!(name, "free" | "cfree");
        let freed = |event: &Event| matches!(event, Event::Effect(Effect::Freed { .. }));
        if frees && !events.iter().any(freed) {
            self.frees_nothing(edge, arguments);
        }
        for event in events {
            let to = self.touched(edge, arguments, event, nature);
            match event {
                Event::Effect(Effect::Read { address, .. }) if moves(name) => {
                    moved = Some(*address);
                }
                Event::Effect(Effect::Write { address, bytes }) => match moved {
                    Some(from) => self.moved(site, from, *address, bytes),
                    None => self.written(site, *address, to, bytes, nature, same),
                },
                Event::Effect(Effect::New { address, .. }) => {
                    if let Some(size) = self.requested(name, arguments)
                        && let Some(number) = self.layout.number(*address)
                    {
                        self.sizes.insert(number, size);
                    }
                }
                Event::Effect(Effect::Freed { address }) => {
                    if let Some(number) = self.layout.number(*address) {
                        self.freed.insert(number, self.steps.len());
                    }
                    let before = self.steps.len();
                    if let Some(&pointer) = arguments.first() {
                        self.stays(edge, pointer, *address);
                    }
                    if self.steps.len() == before {
                        self.condition_true(edge);
                    }
                }
                _ => {}
            }
        }
        for &result in results {
            let Some((scalar, number)) = self.next(&mut values) else { break };
            if !self.used.contains(&result) {
                continue;
            }
            let target = self.copy(result);
            let sort = self.terms.sort(target).clone();
            let Some(value) = value_of_bits(&sort, scalar.bits) else { continue };
            self.computed(site, target, value, Some(number), nature, same);
            if name.ends_with("nondet_bool") || name.ends_with("nondet__Bool") {
                self.is_truth(edge, target);
            }
        }
        self.asking = None;
    }

    /// A truth value is 0 or 1, however many bits it has.
    pub(super) fn is_truth(&mut self, edge: EdgeId, target: Term) {
        if let (InputMode::Asked | InputMode::Free, &Sort::BitVec(width)) =
            (self.mode, self.terms.sort(target))
            && width > 1
        {
            let one = self.terms.constant(&Value::bitvec(width, 1));
            let truth = self.at_most(target, one);
            self.condition(edge, truth);
        }
    }

    /// A result of an external call, or a cell that it wrote.
    pub(super) fn computed(
        &mut self,
        site: SiteId,
        target: Term,
        value: Value,
        number: Option<u32>,
        nature: Option<Nature>,
        same: Term,
    ) {
        if nature == Some(Nature::Input) {
            self.given(site, target, value, number);
            return;
        }
        let mut term = self.terms.constant(&value);
        if !self.terms.is_true(same) {
            // With other arguments, it may be any value.
            let sort = self.terms.sort(target).clone();
            let other = self.temporary("other", &sort);
            self.havocs.push(value.clone());
            let action = Action::Havoc { place: Place::variable(other) };
            let step = self.step(site, Part::Temporary, action);
            self.push(step, Some((value.clone(), None)));
            term = self.terms.ite(same, term, other);
        }
        let action = Action::Assign { place: Place::variable(target), value: term };
        let step = self.step(site, Part::Temporary, action);
        self.push(step, Some((value, number)));
    }

    /// The condition that all arguments, and all that the call reads, are as in the run.
    pub(super) fn same_arguments(&mut self, arguments: &[Term], events: &[Event]) -> Term {
        let mut parts = Vec::new();
        for &argument in arguments {
            let argument = self.copy(argument);
            if let Some(value) = self.value(argument) {
                let constant = self.terms.constant(&value);
                parts.push(self.terms.eq(argument, constant));
            }
        }
        for event in events {
            if let Event::Effect(Effect::Read { address, bytes }) = event {
                self.same_bytes(*address, bytes, &mut parts);
            }
        }
        self.terms.and(&parts)
    }

    pub(super) fn same_bytes(&mut self, address: u64, bytes: &[u8], parts: &mut Vec<Term>) {
        let Some(number) = self.layout.number(address) else { return };
        let object = &self.layout.objects[number as usize];
        let offset = address.wrapping_sub(object.address);
        let end = offset.saturating_add(bytes.len() as u64);
        let first = object.cells.partition_point(|cell| cell.offset + cell.size <= offset);
        let touched = object.cells[first..].iter().take_while(|cell| cell.offset < end);
        for cell in touched.copied().collect::<Vec<_>>() {
            // A cell may be read in part.
            let (from, to) = (cell.offset.max(offset), (cell.offset + cell.size).min(end));
            let read = bytes.get((from - offset) as usize..(to - offset) as usize);
            let sort = Sort::BitVec(8 * (to - from) as u32);
            let value = read.and_then(|bytes| crate::cells::value_of_bytes(&sort, bytes));
            if let (Some(value), Some(now)) =
                (value, self.bytes_at(address + (from - offset), to - from))
            {
                let constant = self.terms.constant(&value);
                parts.push(self.terms.eq(now, constant));
            }
        }
    }

    /// Bytes that an external call wrote; where to, if that depends on variables.
    pub(super) fn written(
        &mut self,
        site: SiteId,
        address: u64,
        to: Option<Term>,
        bytes: &[u8],
        nature: Option<Nature>,
        same: Term,
    ) {
        let Some(number) = self.layout.number(address) else { return };
        let object = &self.layout.objects[number as usize];
        let offset = address.wrapping_sub(object.address);
        for cell in object.cells_in(offset, bytes.len() as u64).to_vec() {
            let begin = (cell.offset - offset) as usize;
            let sort = self.terms.sort(cell.variable).clone();
            let value = bytes
                .get(begin..begin + cell.size as usize)
                .and_then(|bytes| crate::cells::value_of_bytes(&sort, bytes));
            if let Some(value) = value {
                self.computed(site, cell.variable, value, None, nature, same);
                if let (Some(to), Some(last)) = (to, self.steps.len().checked_sub(1)) {
                    let distance = self.word(begin as u64);
                    let own = self.terms.add(&[to, distance]);
                    self.steps[last].access = self.access(own, number, Direction::Write);
                }
            }
        }
    }

    /// That what an argument points to can be read or written at all. A value from outside is written wherever the argument
    /// points: the argument. Of all else it is not known what would be written elsewhere.
    fn touched(
        &mut self,
        edge: EdgeId,
        arguments: &[Term],
        event: &Event,
        nature: Option<Nature>,
    ) -> Option<Term> {
        let (at, written) = match event {
            Event::Effect(Effect::Read { address, .. }) => (*address, None),
            Event::Effect(Effect::Write { address, bytes }) => (*address, Some(bytes.len() as u64)),
            _ => return None,
        };
        let mut to = None;
        let address = Value::bitvec(64, u128::from(at));
        for &argument in arguments {
            let argument = self.copy(argument);
            if self.terms.value(argument).is_some() || self.value(argument) != Some(address.clone())
            {
                continue;
            }
            if let (Some(size), Some(Nature::Input), InputMode::Fixed) =
                (written, nature, self.mode)
                && size <= LARGEST_VALUE
                && let Some((number, _)) = self.cells(at, size)
            {
                self.guard(edge, argument, size, number);
                self.fix_address(edge, argument, at);
                to = Some(argument);
                continue;
            }
            let first = self.terms.constant(&Value::bitvec(64, u128::from(FIRST_OBJECT)));
            let possible = self.at_most(first, argument);
            self.condition(edge, possible);
            if written.is_some() && nature != Some(Nature::Opaque) {
                self.pin(edge, argument, at);
            }
        }
        to
    }

    /// Where NULL is freed, anything else would be an error, or another object.
    fn frees_nothing(&mut self, edge: EdgeId, arguments: &[Term]) {
        let Some(&pointer) = arguments.first() else { return };
        let copy = self.copy(pointer);
        if let Some(Value::BitVec(address)) = self.value(copy) {
            self.stays(edge, pointer, address.unsigned() as u64);
        }
    }

    /// Bytes that an external call moved from one object to another.
    fn moved(&mut self, site: SiteId, from: u64, to: u64, bytes: &[u8]) {
        let Some((_, cells)) = self.cells(to, bytes.len() as u64) else { return };
        let begin = cells.first().map_or(0, |cell| cell.offset);
        for cell in cells {
            let distance = cell.offset - begin;
            let sort = self.terms.sort(cell.variable).clone();
            let known = bytes
                .get(distance as usize..(distance + cell.size) as usize)
                .and_then(|bytes| crate::cells::value_of_bytes(&sort, bytes));
            let Some(value) = self.bytes_at(from.wrapping_add(distance), cell.size) else {
                continue;
            };
            let value = self.as_sort(value, &sort);
            let action = Action::Assign { place: Place::variable(cell.variable), value };
            let step = self.step(site, Part::Temporary, action);
            self.push(step, known.map(|value| (value, None)));
        }
    }

    /// The size that a call of an allocation function asks for.
    pub(super) fn requested(&mut self, name: &str, arguments: &[Term]) -> Option<Term> {
        let size = match (name, arguments) {
            ("malloc", [size]) | ("realloc", [_, size]) | ("aligned_alloc", [_, size]) => {
                self.copy(*size)
            }
            ("calloc", [count, each]) => {
                let (count, each) = (self.copy(*count), self.copy(*each));
                self.terms.mul(count, each)
            }
            _ => return None,
        };
        let is_word = *self.terms.sort(size) == Sort::BitVec(64);
        (is_word && self.terms.value(size).is_none()).then(|| self.frozen(size))
    }

    /// The value of a term now, for later.
    pub(super) fn frozen(&mut self, term: Term) -> Term {
        let sort = self.terms.sort(term).clone();
        let variable = self.temporary("size", &sort);
        let site = self.path.last().map_or(SiteId(0), |&edge| self.program.edge(edge).site);
        let action = Action::Assign { place: Place::variable(variable), value: term };
        let step = self.step(site, Part::Temporary, action);
        self.push(step, None);
        variable
    }
}
