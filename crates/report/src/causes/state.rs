//! What a step of the failing run read, by the names of the source.
//!
//! Between what a programmer wrote and the variables of a step there are values on their way: loads,
//! results of calls. They are followed back to variables, cells and calls that have a name; what has none is
//! not spoken about.

use std::collections::{HashMap, HashSet};

use failure::Part;
use failure::cells::Cell;
use program::process::{Origin, static_address};
use program::{Program, Statement, StaticId, Trust, VariableRole};
use term::{Term, Value};

use super::evaluate::{Area, Names, Operand};
use super::syntax::{Expression, parse};
use crate::story::Story;
use crate::values::show;

/// The values of variables before each step of the failing run.
pub(crate) struct State<'a> {
    story: &'a Story<'a>,
    /// The steps that assign a variable, in order.
    definitions: HashMap<Term, Vec<u32>>,
    /// The objects of the trace, by the part of their addresses that tells them apart.
    objects: HashMap<u64, u32>,
}

/// Something with a name that a step read.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub name: String,
    pub value: Value,
    pub variable: Term,
    /// The step that assigned it.
    pub definition: Option<usize>,
    /// Whether it is only part of an address.
    pub in_address: bool,
}

/// Names that are longer say nothing to anybody.
const LONGEST_NAME: usize = 48;
/// So many values on their way are followed.
const MOST_FOLLOWED: usize = 64;

impl<'a> State<'a> {
    pub(crate) fn new(story: &'a Story<'a>) -> State<'a> {
        let trace = &story.failure.trace;
        let mut definitions: HashMap<Term, Vec<u32>> = HashMap::new();
        for (at, step) in trace.steps.iter().enumerate() {
            if let Some(place) = step.action.place() {
                definitions.entry(place.variable).or_default().push(at as u32);
            }
        }
        let numbers = (0..).zip(&trace.objects);
        let objects = numbers.map(|(number, object)| (object.address >> 32, number)).collect();
        State { story, definitions, objects }
    }

    /// The last step before another one that assigned a variable.
    pub(super) fn definition(&self, variable: Term, before: usize) -> Option<usize> {
        let steps = self.definitions.get(&variable)?;
        let earlier = steps.partition_point(|&step| (step as usize) < before);
        Some(steps[earlier.checked_sub(1)?] as usize)
    }

    /// The value of a variable before a step.
    fn value(&self, variable: Term, before: usize) -> Option<Value> {
        let failure = self.story.failure;
        match self.definition(variable, before) {
            Some(definition) => {
                let place = failure.trace.steps[definition].action.place()?;
                let value = failure.values.get(definition)?.clone();
                value.filter(|_| place.indices.is_empty())
            }
            None => {
                let initial = failure.inputs.initial.get(&variable).cloned();
                Some(initial.unwrap_or_else(|| Value::zero(failure.trace.terms.sort(variable))))
            }
        }
    }

    /// What a step read, in the order in which its text mentions it: for its value, then for an address.
    pub(super) fn reads(&self, at: usize) -> Vec<Read> {
        let trace = &self.story.failure.trace;
        let Some(step) = trace.steps.get(at) else { return Vec::new() };
        let address = step.access.iter().map(|access| access.address).collect::<Vec<_>>();
        let values = step.action.operands().collect::<Vec<_>>();
        let mut found = self.follow(&values, at, false);
        found.extend(self.follow(&address, at, true));
        self.in_order(at, found)
    }

    /// What a step read for its value.
    pub(super) fn value_reads(&self, at: usize) -> Vec<Read> {
        let step = self.story.failure.trace.steps.get(at);
        let values: Vec<Term> = step.into_iter().flat_map(|step| step.action.operands()).collect();
        self.in_order(at, self.follow(&values, at, false))
    }

    /// What the address of a step was computed from.
    pub(super) fn address_reads(&self, at: usize) -> Vec<Read> {
        let trace = &self.story.failure.trace;
        let access = trace.steps.get(at).and_then(|step| step.access.as_ref());
        let roots: Vec<Term> = access.iter().map(|access| access.address).collect();
        self.in_order(at, self.follow(&roots, at, false))
    }

    fn in_order(&self, at: usize, mut found: Vec<Read>) -> Vec<Read> {
        let failure = self.story.failure;
        let text = &failure.program.site(failure.trace.steps[at].site).text;
        found.sort_by_key(|read| (read.in_address, text.find(&read.name).unwrap_or(usize::MAX)));
        let mut seen = HashSet::new();
        found.retain(|read| seen.insert(read.name.clone()));
        found
    }

    fn follow(&self, roots: &[Term], at: usize, in_address: bool) -> Vec<Read> {
        let failure = self.story.failure;
        let (program, trace) = (failure.program, &failure.trace);
        let mut found = Vec::new();
        let variables = trace.terms.variables_of(roots);
        let mut open: Vec<(Term, usize, bool)> =
            variables.into_iter().rev().map(|variable| (variable, at, in_address)).collect();
        let mut seen: HashSet<Term> = HashSet::new();
        while let Some((variable, before, in_address)) = open.pop() {
            if !seen.insert(variable) || seen.len() > MOST_FOLLOWED {
                continue;
            }
            let definition = self.definition(variable, before);
            let step = definition.map(|definition| &trace.steps[definition]);
            if let Some(name) = self.name(variable, definition)
                && let Some(value) = self.value(variable, before)
            {
                found.push(Read { name, value, variable, definition, in_address });
                continue;
            }
            let (Some(definition), Some(step)) = (definition, step) else { continue };
            if step.part != Part::Temporary || program.site(step.site).trust != Trust::User {
                continue;
            }
            let values: Vec<Term> = step.action.operands().collect();
            let address: Vec<Term> = step.access.iter().map(|access| access.address).collect();
            let more = trace.terms.variables_of(&address);
            open.extend(more.into_iter().rev().map(|variable| (variable, definition, true)));
            let more = trace.terms.variables_of(&values);
            open.extend(more.into_iter().rev().map(|variable| (variable, definition, in_address)));
        }
        found
    }

    /// What a programmer calls a variable that was assigned by a step.
    pub(super) fn name(&self, variable: Term, definition: Option<usize>) -> Option<String> {
        let (program, trace) = (self.story.failure.program, &self.story.failure.trace);
        let name = match trace.labels.get(&variable) {
            Some(_) if self.is_nameless(variable) => return None,
            Some((label, Some(_))) => label.clone(),
            Some((_, None)) => {
                let (name, ty) = self.story.addresses.untyped_cell(variable)?;
                ty.map(|_| name)?
            }
            None => {
                let declared = program.variables.get(&trace.origin(variable).1)?;
                match declared.role {
                    VariableRole::Source => declared.name.clone(),
                    VariableRole::Temporary => self.call(definition?)?.to_owned(),
                }
            }
        };
        let name = name.replace(" allocated at line ", " of line ");
        let is_plain = !name.is_empty() && !name.starts_with('<');
        (is_plain && name.chars().count() <= LONGEST_NAME).then_some(name)
    }

    /// Whether a cell is in an object that has no name, such as a string literal.
    fn is_nameless(&self, variable: Term) -> bool {
        let (program, trace) = (self.story.failure.program, &self.story.failure.trace);
        let number = trace.cells.get(&variable);
        let object = number.and_then(|&number| trace.objects.get(number as usize));
        object.is_some_and(|object| match object.origin {
            Origin::Static(id) => {
                program.statics.get(id.index()).is_none_or(|object| object.name.is_empty())
            }
            Origin::Start => true,
            Origin::Local(_) => object.name.starts_with("object"),
            Origin::Heap(_) => false,
        })
    }

    /// The call whose result a step assigns, as it is written: what it returned is called so.
    fn call(&self, at: usize) -> Option<&'a str> {
        let (program, trace) = (self.story.failure.program, &self.story.failure.trace);
        let step = &trace.steps[at];
        let site = program.site(step.site);
        let edge = program.edge(*trace.path.get(step.at as usize)?);
        let is_result = matches!(edge.statement, Statement::Return | Statement::External { .. });
        let is_call = is_result && matches!(parse(&site.text), Some(Expression::Call(_)));
        (is_call && site.trust == Trust::User).then_some(site.text.as_str())
    }

    /// The value of something that was read, as in the source.
    pub(super) fn shown(&self, read: &Read) -> String {
        let ty = self.story.addresses.type_of(read.variable);
        show(&self.story.addresses, &read.value, ty).code
    }

    /// The state before a step, as what names mean in its text.
    pub(super) fn names(&self, at: usize, reads: Vec<Read>) -> Scope<'_> {
        Scope { state: self, at, reads }
    }

    fn load(&self, area: Area, before: usize) -> Option<Operand> {
        let (story, program) = (self.story, self.story.failure.program);
        let size = program.size_of(area.ty)?;
        let key = area.address >> 32;
        let bytes = |bytes: &[u8], offset: u64| {
            let begin = usize::try_from(offset).ok()?;
            let own = bytes.get(begin..begin.checked_add(usize::try_from(size).ok()?)?)?;
            let word = own.iter().rev().fold(0u128, |word, &byte| word << 8 | u128::from(byte));
            (size <= 8).then(|| Value::bitvec(8 * size as u32, word))
        };
        let value = match self.objects.get(&key) {
            Some(&number) => {
                let object = story.failure.trace.objects.get(number as usize)?;
                let offset = area.address.checked_sub(object.address)?;
                let end = offset.checked_add(size)?;
                let before_it = |cell: &Cell| cell.offset + cell.size <= offset;
                let first = object.cells.get(object.cells.partition_point(before_it));
                match first.filter(|cell| cell.offset < end) {
                    Some(cell) if (cell.offset, cell.size) == (offset, size) => {
                        self.value(cell.variable, before)?
                    }
                    Some(_) => return None,
                    None => bytes(object.rest.as_ref()?, offset)?,
                }
            }
            None => {
                let id = StaticId(u32::try_from(key).ok()?.checked_sub(1)?);
                let object = program.statics.get(id.index())?;
                if !object.pointers.is_empty() {
                    return None;
                }
                bytes(&object.bytes, area.address.checked_sub(static_address(id))?)?
            }
        };
        Operand::of(program, &value, Some(area.ty))
    }
}

/// What names mean in the text of a step: what it read.
pub(super) struct Scope<'s> {
    state: &'s State<'s>,
    at: usize,
    reads: Vec<Read>,
}

impl Names for Scope<'_> {
    fn program(&self) -> &Program {
        self.state.story.failure.program
    }

    fn value(&self, name: &str) -> Option<Operand> {
        let read = self.reads.iter().find(|read| read.name == name)?;
        let ty = self.state.story.addresses.type_of(read.variable);
        Operand::of(self.program(), &read.value, ty)
    }

    fn object(&self, name: &str) -> Option<Area> {
        let trace = &self.state.story.failure.trace;
        let objects = self.reads.iter().filter_map(|read| trace.cells.get(&read.variable));
        let mut objects = objects.filter_map(|&number| trace.objects.get(number as usize));
        let object = objects.find(|object| object.name == name)?;
        Some(Area { address: object.address, ty: object.ty? })
    }

    fn load(&self, area: Area) -> Option<Operand> {
        self.state.load(area, self.at)
    }
}
