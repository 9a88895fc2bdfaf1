//! What in memory is defined.
//!
//! A run that reads what was never set goes on until it decides by it. With another index it might read something that was.
//! So when runs are repeated with changes, it is said of each cell of an object that begins undefined whether it is defined: by
//! a cell of its own, its *note*, with the same address in an object of notes. What writes a cell writes its note;
//! and what reads a cell is accompanied by the condition that the note is what it is.
//!
//! A note is about all of a cell, and other objects have none. If only some bits of a cell are defined, or something undefined
//! gets into an object without notes, the picture is *blurred*: then nothing is known about other indices.
//!
//! What is computed from something undefined is so, too, as a rule. But a conjunction with zero is zero: it may depend on the
//! value of one operand whether another matters. Steps that compute such are *lenient*.

use program::process::{Origin, Scalar};
use program::{EdgeId, Place, Program, SiteId, Statement};
use rustc_hash::FxHashMap;
use term::{Op, Sort, Term, Terms, Value};

use super::Unfolded;
use super::cut::Layout;
use super::unfold::Unfold;
use crate::cells::{Cell, Object};
use crate::trace::{Access, Action, Direction, Note, Part};

impl Layout {
    /// Adds objects of notes. The same cells have the same notes in several runs.
    pub(super) fn take_notes(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        known: &mut FxHashMap<Term, Term>,
    ) {
        for number in 0..self.objects.len() {
            let object = &self.objects[number];
            // What is in an object with one cell can only be read where it is.
            if object.cells.len() < 2 || !begins_undefined(program, object.origin) {
                continue;
            }
            let notes = self.objects.len() as u32;
            let mut cells = Vec::new();
            for cell in &object.cells {
                let new = || terms.fresh("defined", &Sort::Bool);
                let variable = *known.entry(cell.variable).or_insert_with(new);
                self.notes.insert(cell.variable, variable);
                self.cells.insert(variable, notes);
                cells.push(Cell { variable, ..*cell });
            }
            let rest = object.rest.as_ref().map(|rest| vec![0; rest.len()]);
            let name = format!("defined {}", object.name);
            let (origin, address, size) = (object.origin, object.address, object.size);
            let notes = Object { name, ty: None, origin, address, size, cells, rest, notes: true };
            self.objects.push(notes);
        }
    }
}

/// Whether an object is undefined until it is written.
fn begins_undefined(program: &Program, origin: Origin) -> bool {
    match origin {
        Origin::Local(_) => true,
        Origin::Heap(edge) => match &program.edge(edge).statement {
            Statement::External { function, .. } => {
                program.externals.get(function.index()).is_some_and(|e| e.name != "calloc")
            }
            _ => false,
        },
        Origin::Static(_) | Origin::Start => false,
    }
}

impl Unfold<'_> {
    /// Takes a note of the last step, if it wrote a cell: whether what it wrote was defined.
    pub(super) fn note(&mut self, defined: Term) {
        let Some(step) = self.steps.last() else { return };
        let Some(place) = step.action.place() else { return };
        let Some(&note) = self.layout.notes.get(&place.variable) else {
            let object = self.layout.cells.get(&place.variable);
            let is_alone = object.is_some_and(|&n| self.layout.objects[n as usize].cells.len() < 2);
            let is_known = is_alone && self.terms.value(defined).is_some();
            self.blurred |= !is_known && !self.terms.is_true(defined);
            return;
        };
        let (site, access) = (step.site, step.access.as_ref());
        let access = access.zip(self.layout.cells.get(&note));
        let access = access.map(|(access, &object)| Access { object, ..(**access).clone() });
        let action = Action::Assign { place: Place::variable(note), value: defined };
        let mut step = self.step(site, Part::Temporary, action);
        step.access = access.map(Box::new);
        self.push(step, None);
    }

    /// Whether what a cell of so many bytes has is defined.
    pub(super) fn is_defined(&mut self, value: Scalar, size: u64) -> Term {
        let all = u128::MAX >> (128 - 8 * size.clamp(1, 16));
        self.blurred |= value.undefined != 0 && value.undefined & all != all;
        self.terms.bool(value.undefined == 0)
    }

    /// Whether all of an area is defined.
    pub(super) fn defined_at(&mut self, at: u64, size: u64) -> Term {
        let cells = self.touched_cells(at, size);
        let notes = cells.iter().filter_map(|cell| self.layout.notes.get(&cell.variable));
        let notes: Vec<Term> = notes.copied().collect();
        // A part of what is copied may be defined.
        self.blurred |= notes.len() > 1 && !notes.iter().all(|&note| self.is_set(note));
        self.terms.and(&notes)
    }

    fn is_set(&self, note: Term) -> bool {
        self.value(note) == Some(Value::Bool(true))
    }

    /// Whether a cell that is read is defined: this is in it.
    pub(super) fn note_of(&mut self, site: SiteId, cell: &Cell, value: Scalar) -> Option<Note> {
        let &note = self.layout.notes.get(&cell.variable)?;
        let &object = self.layout.cells.get(&note)?;
        let (defined, known) = (value.undefined == 0, self.is_defined(value, cell.size));
        if self.value(note) != Some(Value::Bool(defined)) {
            // Something has written it without saying so.
            let action = Action::Assign { place: Place::variable(note), value: known };
            let step = self.step(site, Part::Temporary, action);
            self.push(step, None);
        }
        Some(Note { cell: note, object, defined })
    }

    /// An access that reads a cell with a note, at an address that may be constant.
    pub(super) fn read_access(
        &self,
        address: Term,
        object: u32,
        note: Option<Note>,
    ) -> Option<Box<Access>> {
        let is_needed = note.is_some() || self.terms.value(address).is_none();
        let access = Access { object, address, direction: Direction::Read, note };
        is_needed.then(|| Box::new(access))
    }
}

impl Unfold<'_> {
    /// A statement ends the run, because something that it reads is not defined.
    pub(super) fn ask_about(&mut self, edge: EdgeId) {
        let operands = self.program.edge(edge).statement.operands();
        self.asked = operands.into_iter().map(|operand| self.copy(operand)).collect();
    }
}

impl Unfolded {
    /// The steps that compute something undefined, and it depends on the values that they read whether it is; in order.
    pub fn lenient(&self, terms: &Terms) -> Vec<u32> {
        let steps = &self.trace.steps;
        let variables = self.extent(terms);
        let is_lenient = |step: &usize| {
            let mut operands = steps[*step].action.operands();
            operands.any(|operand| extent(terms, operand, variables) == Extent::Depends)
        };
        let undefined = self.undefined_steps().map(|(step, _)| step);
        undefined.filter(is_lenient).map(|step| step as u32).collect()
    }

    /// The variables on whose values it depends that the run ends with something undefined.
    pub fn asked(&self, terms: &Terms) -> Vec<Term> {
        let variables = self.extent(terms);
        let depends = |term: &Term| extent(terms, *term, variables) == Extent::Depends;
        let asked: Vec<Term> = self.asked.iter().copied().filter(depends).collect();
        terms.variables_of(&asked)
    }

    /// The steps that assign something undefined, and which bits.
    fn undefined_steps(&self) -> impl Iterator<Item = (usize, u128)> {
        let mask = |step: usize| self.undefined.get(&self.numbers[step]?).copied();
        (0..self.numbers.len()).filter_map(move |step| Some((step, mask(step)?)))
    }

    /// How much of a variable is undefined, at least, if something of it is.
    fn extent(&self, terms: &Terms) -> Extent {
        let is_whole = |(step, mask): (usize, u128)| {
            let place = self.trace.steps[step].action.place();
            place.is_some_and(|place| mask.count_ones() == place.sort(terms).bits())
        };
        if self.undefined_steps().all(is_whole) { Extent::Whole } else { Extent::InPart }
    }
}

/// How much of a term is undefined if one of its variables is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    /// That depends on values.
    Depends,
    /// The same bits in any case.
    InPart,
    Whole,
}

fn extent(terms: &Terms, term: Term, variables: Extent) -> Extent {
    let arguments = terms.args(term);
    let of_arguments = arguments.iter().map(|&argument| extent(terms, argument, variables));
    let least = of_arguments.min().unwrap_or(match terms.op(term) {
        Op::Var(_) => variables,
        _ => Extent::Whole,
    });
    let is_unary = || arguments.iter().filter(|&&a| terms.value(a).is_none()).count() < 2;
    let most = match terms.op(term) {
        // What is known of a number may be enough to see a difference.
        Op::Eq if least < Extent::Whole => Extent::Depends,
        Op::ZeroExtend | Op::Extract { .. } | Op::Concat => Extent::InPart,
        Op::And
        | Op::Or
        | Op::BvAnd
        | Op::BvOr
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr
        | Op::Ite
        | Op::Select
        | Op::Store => {
            if is_unary() {
                Extent::InPart
            } else {
                Extent::Depends
            }
        }
        _ => Extent::Whole,
    };
    least.min(most)
}
