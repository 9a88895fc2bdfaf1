//! Reading and writing cells.

use program::process::Scalar;
use program::{EdgeId, Place, SiteId};
use term::{Sort, Term, Value};

use super::unfold::Unfold;
use crate::cells::{Cell, value_of_bits};
use crate::trace::{Action, Direction, Part};

impl Unfold<'_> {
    /// A condition that an access stays in its object, if its address may change.
    pub(super) fn guard(&mut self, edge: EdgeId, address: Term, size: u64, number: u32) {
        if self.terms.value(address).is_none() {
            let inside = self.inside(address, size, number);
            if !self.terms.is_true(inside) {
                self.condition(edge, inside);
            }
        }
    }

    /// That an area of a known size lies in an object.
    fn inside(&mut self, address: Term, size: u64, number: u32) -> Term {
        let object = &self.layout.objects[number as usize];
        let key = (address, size, object.address, object.size);
        let has_own_size = self.sizes.contains_key(&number);
        if let Some(&known) = self.copies.inside.get(&key).filter(|_| !has_own_size) {
            return known;
        }
        let size = self.terms.constant(&Value::bitvec(64, u128::from(size)));
        let inside = self.within(address, size, number);
        if !has_own_size {
            self.copies.inside.insert(key, inside);
        }
        inside
    }

    pub(super) fn load(
        &mut self,
        edge: EdgeId,
        target: Term,
        address: Term,
        at: u64,
        size: u64,
        assigned: (Scalar, u32),
    ) {
        let site = self.program.edge(edge).site;
        let target = self.copy(target);
        let sort = self.terms.sort(target).clone();
        let Some(value) = value_of_bits(&sort, assigned.0.bits) else { return };
        let cells = self.cells(at, size);
        let Some((number, cells)) = cells else {
            // Nothing is known about the object: the value is what it is.
            let constant = self.terms.constant(&value);
            let place = Place::variable(target);
            let step = self.step(site, Part::Temporary, Action::Assign { place, value: constant });
            self.push(step, Some((value, Some(assigned.1))));
            return;
        };
        self.guard(edge, address, size, number);
        self.fix_address(edge, address, at);
        if let [cell] = cells[..]
            && cell.size == size
            && *self.terms.sort(cell.variable) == sort
        {
            let place = Place::variable(target);
            let action = Action::Assign { place, value: cell.variable };
            let mut step = self.step(site, Part::Temporary, action);
            step.access = self.access(address, number, Direction::Read);
            self.push(step, Some((value, Some(assigned.1))));
            return;
        }
        // Cell by cell, then together.
        let mut bits: Option<Term> = None;
        let base = at.wrapping_sub(cells.first().map_or(0, |cell| cell.offset));
        for cell in &cells {
            let mut part = cell.variable;
            let distance = base.wrapping_add(cell.offset).wrapping_sub(at);
            if self.terms.value(address).is_none() {
                let sort = self.terms.sort(cell.variable).clone();
                let temporary = self.temporary("read", &sort);
                let place = Place::variable(temporary);
                let action = Action::Assign { place, value: cell.variable };
                let mut step = self.step(site, Part::Temporary, action);
                let own = self.word(distance);
                let own = self.terms.add(&[address, own]);
                step.access = self.access(own, number, Direction::Read);
                let bits = assigned.0.bits.checked_shr(8 * distance as u32).unwrap_or(0);
                let value = value_of_bits(&sort, bits).map(|value| (value, None));
                self.push(step, value);
                part = temporary;
            }
            let part = self.as_bits(part);
            bits = Some(match bits {
                Some(low) => self.terms.concat(part, low),
                None => part,
            });
        }
        let Some(bits) = bits else { return };
        let term = self.as_sort(bits, &sort);
        let place = Place::variable(target);
        let step = self.step(site, Part::Temporary, Action::Assign { place, value: term });
        self.push(step, Some((value, Some(assigned.1))));
    }

    pub(super) fn store(
        &mut self,
        edge: EdgeId,
        address: Term,
        value: Term,
        at: u64,
        size: u64,
        assigned: (Scalar, u32),
    ) {
        let site = self.program.edge(edge).site;
        let sort = self.terms.sort(value).clone();
        let Some(known) = value_of_bits(&sort, assigned.0.bits) else { return };
        let Some((number, cells)) = self.cells(at, size) else { return };
        self.guard(edge, address, size, number);
        self.fix_address(edge, address, at);
        if let [cell] = cells[..]
            && cell.size == size
            && *self.terms.sort(cell.variable) == sort
        {
            let place = Place::variable(cell.variable);
            let mut step = self.step(site, Part::Whole, Action::Assign { place, value });
            step.access = self.access(address, number, Direction::Write);
            self.push(step, Some((known, Some(assigned.1))));
            return;
        }
        // The value as the statement computes it, then cell by cell.
        let whole = self.temporary("stored", &sort);
        self.label_whole(whole, number, at, size);
        let place = Place::variable(whole);
        let step = self.step(site, Part::Whole, Action::Assign { place, value });
        self.push(step, Some((known, Some(assigned.1))));
        let bits = self.as_bits(whole);
        let base = at.wrapping_sub(cells.first().map_or(0, |cell| cell.offset));
        for cell in &cells {
            let begin = base.wrapping_add(cell.offset).wrapping_sub(at);
            self.store_part(site, address, number, cell, begin, bits, assigned.0.bits);
        }
    }

    /// Says what a value is that is stored in more than one cell, where that is known.
    fn label_whole(&mut self, whole: Term, number: u32, at: u64, size: u64) {
        let object = &self.layout.objects[number as usize];
        let offset = at.wrapping_sub(object.address);
        let path = object.ty.and_then(|ty| {
            let scalar = self.program.path_to(ty, offset, size);
            scalar.or_else(|| self.program.path_around(ty, offset, size))
        });
        if let Some((path, ty)) = path {
            let label = format!("{}{path}", object.name);
            self.layout.types.insert(whole, ty);
            self.layout.labels.insert(whole, (label, Some(ty)));
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one use; a struct would only rename them")]
    fn store_part(
        &mut self,
        site: SiteId,
        address: Term,
        number: u32,
        cell: &Cell,
        begin: u64,
        bits: Term,
        known: u128,
    ) {
        let sort = self.terms.sort(cell.variable).clone();
        let (low, width) = (8 * begin as u32, 8 * cell.size as u32);
        let have = match self.terms.sort(bits) {
            Sort::BitVec(width) => *width,
            _ => 0,
        };
        let padded =
            if have < low + width { self.terms.zero_extend(bits, low + width) } else { bits };
        let part = self.terms.extract(padded, low, width);
        let value = self.as_sort(part, &sort);
        let distance = self.terms.constant(&Value::bitvec(64, u128::from(begin)));
        let own = self.terms.add(&[address, distance]);
        let place = Place::variable(cell.variable);
        let mut step = self.step(site, Part::Temporary, Action::Assign { place, value });
        step.access = self.access(own, number, Direction::Write);
        let known = value_of_bits(&sort, known.checked_shr(low).unwrap_or(0));
        self.push(step, known.map(|value| (value, None)));
    }

    /// The cells of an area, with the number of their object.
    pub(super) fn cells(&self, at: u64, size: u64) -> Option<(u32, Vec<Cell>)> {
        let number = self.layout.number(at)?;
        let object = self.layout.objects.get(number as usize)?;
        let offset = at.wrapping_sub(object.address);
        let cells = object.cells_in(offset, size).to_vec();
        let covered: u64 = cells.iter().map(|cell| cell.size).sum();
        (covered == size && !cells.is_empty()).then_some((number, cells))
    }

    fn as_bits(&mut self, term: Term) -> Term {
        match self.terms.sort(term) {
            Sort::Float(_) => self.terms.fp_to_bits(term),
            Sort::Bool => {
                let (one, zero) = (Value::bitvec(1, 1), Value::bitvec(1, 0));
                let (one, zero) = (self.terms.constant(&one), self.terms.constant(&zero));
                self.terms.ite(term, one, zero)
            }
            _ => term,
        }
    }

    /// Bits as a value of a sort, which may have fewer.
    pub(super) fn as_sort(&mut self, bits: Term, sort: &Sort) -> Term {
        let have = match self.terms.sort(bits) {
            Sort::BitVec(width) => *width,
            _ => return bits,
        };
        match sort {
            Sort::BitVec(width) if *width < have => self.terms.extract(bits, 0, *width),
            Sort::BitVec(width) if *width > have => self.terms.zero_extend(bits, *width),
            Sort::Float(format) if format.width() == have => self.terms.fp_from_bits(bits, *format),
            Sort::Bool => {
                let low = self.terms.extract(bits, 0, 1);
                let one = self.terms.constant(&Value::bitvec(1, 1));
                self.terms.eq(low, one)
            }
            _ => bits,
        }
    }

    /// A value as another sort, bit by bit.
    pub(super) fn converted(&mut self, term: Term, sort: &Sort) -> Term {
        if self.terms.sort(term) == sort {
            return term;
        }
        let bits = self.as_bits(term);
        let converted = self.as_sort(bits, sort);
        if self.terms.sort(converted) == sort {
            converted
        } else {
            self.terms.constant(&Value::zero(sort))
        }
    }

    pub(super) fn copy_bytes(
        &mut self,
        edge: EdgeId,
        [to, from, size]: [Term; 3],
        source: (u64, u64),
        target: (u64, u64),
    ) {
        let site = self.program.edge(edge).site;
        self.pin(edge, size, source.1);
        if source.1 == 0 {
            return;
        }
        let (Some((there, _)), Some((here, cells))) =
            (self.cells(source.0, source.1), self.cells(target.0, target.1))
        else {
            return;
        };
        self.guard(edge, from, source.1, there);
        self.guard(edge, to, target.1, here);
        self.pin(edge, from, source.0);
        self.pin(edge, to, target.0);
        // The areas may overlap: first all is read, then all is written.
        let begin = target.0.wrapping_sub(self.layout.objects[here as usize].address);
        let mut read = Vec::new();
        for cell in &cells {
            let at = source.0.wrapping_add(cell.offset - begin);
            let Some(value) = self.bytes_at(at, cell.size) else { continue };
            let sort = self.terms.sort(cell.variable).clone();
            let value = self.as_sort(value, &sort);
            read.push((cell.variable, value));
        }
        let distance = source.0.abs_diff(target.0);
        if there == here && distance < source.1 {
            for (_, value) in &mut read {
                if self.terms.value(*value).is_some() {
                    continue;
                }
                let sort = self.terms.sort(*value).clone();
                let temporary = self.temporary("copied", &sort);
                let place = Place::variable(temporary);
                let action = Action::Assign { place, value: *value };
                let step = self.step(site, Part::Temporary, action);
                self.push(step, None);
                *value = temporary;
            }
        }
        for (cell, value) in read {
            let place = Place::variable(cell);
            let step = self.step(site, Part::Whole, Action::Assign { place, value });
            self.push(step, None);
        }
    }

    pub(super) fn fill_bytes(
        &mut self,
        edge: EdgeId,
        [to, byte, size]: [Term; 3],
        target: (u64, u64),
    ) {
        let site = self.program.edge(edge).site;
        self.pin(edge, size, target.1);
        if target.1 == 0 {
            return;
        }
        let Some((here, cells)) = self.cells(target.0, target.1) else { return };
        self.guard(edge, to, target.1, here);
        self.pin(edge, to, target.0);
        for cell in cells {
            let mut bits = byte;
            for _ in 1..cell.size {
                bits = self.terms.concat(byte, bits);
            }
            let sort = self.terms.sort(cell.variable).clone();
            let value = self.as_sort(bits, &sort);
            let place = Place::variable(cell.variable);
            let step = self.step(site, Part::Whole, Action::Assign { place, value });
            self.push(step, None);
        }
    }

    /// The bits of an area, over the cells it touches.
    pub(super) fn bytes_at(&mut self, at: u64, size: u64) -> Option<Term> {
        let object = self.layout.objects.get(self.layout.number(at)? as usize)?;
        let offset = at.wrapping_sub(object.address);
        let cells = self.touched_cells(at, size);
        let mut bits: Option<Term> = None;
        for cell in cells {
            let low = offset.saturating_sub(cell.offset);
            let high = (offset + size - cell.offset).min(cell.size);
            let whole = self.as_bits(cell.variable);
            let part = self.terms.extract(whole, 8 * low as u32, 8 * (high - low) as u32);
            bits = Some(match bits {
                Some(lower) => self.terms.concat(part, lower),
                None => part,
            });
        }
        bits.filter(|&bits| *self.terms.sort(bits) == Sort::BitVec(8 * size as u32))
    }

    /// The cells that an area touches, in whole or in part.
    pub(super) fn touched_cells(&self, address: u64, size: u64) -> Vec<Cell> {
        let number = self.layout.number(address);
        let object = number.and_then(|number| self.layout.objects.get(number as usize));
        let Some(object) = object else { return Vec::new() };
        let offset = address.wrapping_sub(object.address);
        let first = object.cells.partition_point(|cell| cell.offset + cell.size <= offset);
        let rest = object.cells.get(first..).unwrap_or(&[]).iter();
        rest.take_while(|cell| cell.offset < offset.saturating_add(size)).copied().collect()
    }

    /// What is taken from the run as it is: with another value, the trace would say nothing.
    pub(super) fn pin(&mut self, edge: EdgeId, term: Term, value: u64) {
        let sort = self.terms.sort(term).clone();
        let Some(value) = value_of_bits(&sort, u128::from(value)) else { return };
        let constant = self.terms.constant(&value);
        let same = self.terms.eq(term, constant);
        if !self.terms.is_true(same) {
            let at = self.steps.len();
            self.condition(edge, same);
            self.pinned.push(at);
        }
    }
}
