//! Addresses as a programmer writes them: by object and what is there in it.
//!
//! An address names its object, and stays about it when it is moved. Objects of the heap have no type. But
//! what a pointer of the source points to has one: the first pointer to the beginning of such an
//! object says what it is.

use std::collections::{BTreeMap, HashMap};

use failure::{Action, Failure, Trace};
use program::process::{EXTERNALS, Origin, PROCEDURES, static_address};
use program::{EdgeId, Program, StaticId, Type, TypeId};
use term::{Term, Value};

use crate::types::infer;
use crate::values::quoted;

/// How objects that have no name in the source are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    /// In words: `heap object allocated at line 7`.
    Words,
    /// As in formulas: `heap@7`, `argv[1]`.
    Short,
}

/// The objects of a failing run.
#[derive(Clone, Debug)]
pub struct Addresses<'f> {
    names: Names,
    program: &'f Program,
    trace: &'f Trace,
    /// The objects of the trace, by the part of their addresses that tells them apart.
    numbers: BTreeMap<u64, u32>,
    /// Of several objects that one call has made, which one it is, from 1.
    serials: BTreeMap<u32, u32>,
    /// What is in objects that have no type.
    contents: BTreeMap<u32, TypeId>,
    /// The cells of objects that have no type, with the object and the offset.
    untyped: HashMap<Term, (u32, u64)>,
    /// The types of variables that are not declared.
    inferred: HashMap<Term, TypeId>,
}

/// How much of a string is shown.
const MOST_CHARACTERS: usize = 24;

fn key(address: u64) -> u64 {
    address >> 32
}

impl<'f> Addresses<'f> {
    pub fn new(failure: &'f Failure<'_>) -> Addresses<'f> {
        let mut addresses = Addresses {
            names: Names::Words,
            program: failure.program,
            trace: &failure.trace,
            numbers: BTreeMap::new(),
            serials: BTreeMap::new(),
            contents: BTreeMap::new(),
            untyped: HashMap::new(),
            inferred: infer(failure),
        };
        let mut made: BTreeMap<EdgeId, Vec<u32>> = BTreeMap::new();
        for (number, object) in failure.trace.objects.iter().enumerate() {
            let number = number as u32;
            addresses.numbers.insert(key(object.address), number);
            if let Origin::Heap(edge) = object.origin {
                made.entry(edge).or_default().push(number);
            }
            if object.ty.is_none() {
                let cells = object.cells.iter();
                addresses.untyped.extend(cells.map(|cell| (cell.variable, (number, cell.offset))));
            }
        }
        for several in made.into_values().filter(|numbers| numbers.len() > 1) {
            addresses.serials.extend(several.into_iter().zip(1..));
        }
        addresses.find_contents(failure);
        addresses
    }

    /// The same, with short names for formulas.
    pub fn short(&self) -> Addresses<'f> {
        Addresses { names: Names::Short, ..self.clone() }
    }

    pub fn program(&self) -> &'f Program {
        self.program
    }

    /// Learns from the values of the run: the first pointer to the beginning of an object says what is
    /// in it, and what has held an address is a pointer.
    fn find_contents(&mut self, failure: &Failure<'_>) {
        let opaque = |ty: &Type| match ty {
            Type::Pointer(to) => matches!(self.program.ty(*to), Type::Opaque(_)),
            _ => false,
        };
        let some_pointer = self.program.types.iter().position(opaque);
        for (step, value) in self.trace.steps.iter().zip(&failure.values) {
            let (Action::Assign { place, .. }, Some(Value::BitVec(bits))) = (&step.action, value)
            else {
                continue;
            };
            let (address, variable) = (bits.unsigned() as u64, place.variable);
            if bits.width() != 64 || !self.contains(address) {
                continue;
            }
            match self.type_of(variable).map(|ty| self.program.ty(ty)) {
                Some(Type::Pointer(to)) => {
                    if let Some(&number) = self.numbers.get(&key(address))
                        && let Some(object) = self.trace.objects.get(number as usize)
                        && object.ty.is_none()
                        && object.address == address
                        && self.program.size_of(*to).is_some_and(|size| size > 0)
                    {
                        self.contents.entry(number).or_insert(*to);
                    }
                }
                None if !self.trace.labels.contains_key(&variable) => {
                    let (_, origin) = self.trace.origin(variable);
                    self.inferred.extend(some_pointer.map(|at| (origin, TypeId(at as u32))));
                }
                _ => {}
            }
        }
    }

    /// The type that the source gives a variable of the trace.
    pub fn type_of(&self, variable: Term) -> Option<TypeId> {
        match self.trace.labels.get(&variable) {
            Some((_, Some(ty))) => Some(*ty),
            Some((_, None)) => self.untyped_cell(variable).and_then(|(_, ty)| ty),
            None => {
                let (_, origin) = self.trace.origin(variable);
                let declared = self.program.variables.get(&origin).and_then(|known| known.ty);
                declared.or_else(|| self.inferred.get(&origin).copied())
            }
        }
    }

    /// A cell of an object without type, in words, and its type as far as pointers tell.
    pub fn untyped_cell(&self, variable: Term) -> Option<(String, Option<TypeId>)> {
        let &(number, offset) = self.untyped.get(&variable)?;
        let object = self.trace.objects.get(number as usize)?;
        let size = object.cells_in(offset, u64::MAX - offset).first()?.size;
        let name = self.name(number);
        if self.names == Names::Short && object.origin == Origin::Start && size == 1 {
            let character = |ty: &Type| matches!(ty, Type::Character { signed: true });
            let ty = self.program.types.iter().position(character);
            return Some((format!("{name}[{offset}]"), ty.map(|at| TypeId(at as u32))));
        }
        let found = self.contents.get(&number).and_then(|&ty| {
            let each = self.program.size_of(ty)?;
            let (path, found) = self.program.path_to(ty, offset.checked_rem(each)?, size)?;
            let index = match object.size > each {
                true => format!("[{}]", offset / each),
                false => String::new(),
            };
            Some((self.element(&name, &index, &path), found))
        });
        match (found, self.names) {
            (Some((text, ty)), _) => Some((text, Some(ty))),
            (None, Names::Words) => Some((format!("{name} + {offset}"), None)),
            (None, Names::Short) => Some((format!("*({name} + {offset})"), None)),
        }
    }

    /// A part of an object of the heap.
    fn element(&self, name: &str, index: &str, path: &str) -> String {
        match (self.names, index, path.strip_prefix('.')) {
            (Names::Words, ..) => format!("({name}){index}{path}"),
            (Names::Short, "", Some(member)) => format!("{name}->{member}"),
            (Names::Short, "", None) if path.is_empty() => format!("*{name}"),
            (Names::Short, ..) => format!("{name}{index}{path}"),
        }
    }

    /// The index of the argument of the program that an object is.
    fn argument(&self, address: u64) -> Option<usize> {
        let starts = self.trace.objects.iter().filter(|object| object.origin == Origin::Start);
        let mut lists = starts.filter_map(|object| object.rest.as_ref());
        let address = address.to_le_bytes();
        lists.find_map(|bytes| bytes.chunks_exact(8).position(|chunk| chunk == address))
    }

    /// What an object is called.
    fn name(&self, number: u32) -> String {
        let Some(object) = self.trace.objects.get(number as usize) else { return String::new() };
        if self.names == Names::Short {
            return self.short_name(number);
        }
        let Origin::Heap(edge) = object.origin else { return object.name.clone() };
        let site = self.program.site(self.program.edge(edge).site);
        let serial = self.serials.get(&number).map_or_else(String::new, |n| format!(" {n}"));
        match site.span {
            Some(span) => {
                let line = self.program.file(span).position(span.start).line;
                format!("heap object{serial} allocated at line {line}")
            }
            None => format!("heap object{serial}"),
        }
    }

    fn short_name(&self, number: u32) -> String {
        let Some(object) = self.trace.objects.get(number as usize) else { return String::new() };
        let edge = match object.origin {
            Origin::Heap(edge) => edge,
            Origin::Start => {
                let index = self.argument(object.address);
                return index.map_or_else(|| object.name.clone(), |index| format!("argv[{index}]"));
            }
            _ => return object.name.clone(),
        };
        let serial = self.serials.get(&number).map_or_else(String::new, |n| format!("#{n}"));
        match self.program.site(self.program.edge(edge).site).span {
            Some(span) => {
                let line = self.program.file(span).position(span.start).line;
                format!("heap@{line}{serial}")
            }
            None => format!("heap{serial}"),
        }
    }

    /// A pointer, given what its type says that it points to. None if it is the address of nothing.
    pub fn pointer(&self, address: u64, to: Option<TypeId>) -> Option<String> {
        if address == 0 {
            return Some("NULL".to_owned());
        }
        if let Some(function) = self.function(address) {
            return Some(function.to_owned());
        }
        if let Some(id) = self.static_at(address) {
            let object = self.program.statics.get(id.index())?;
            let offset = address.wrapping_sub(static_address(id)) as i64;
            return Some(match (object.name.as_str(), object.ty) {
                ("", _) => literal(&object.bytes, offset),
                (name, Some(ty)) => self.within(name, ty, offset, to),
                (name, None) => moved(&format!("&{name}"), offset),
            });
        }
        let number = *self.numbers.get(&key(address))?;
        let object = self.trace.objects.get(number as usize)?;
        let offset = address.wrapping_sub(object.address) as i64;
        let name = self.name(number);
        Some(match (object.origin, object.ty) {
            (_, Some(ty)) => self.within(&name, ty, offset, to),
            (Origin::Heap(_), None) => self.within_heap(number, &name, offset, to),
            (Origin::Start, None) => match (&object.rest, self.is_pointer(to)) {
                (_, true) => format!("&argv[{}]", offset.div_euclid(8)),
                (Some(bytes), false) => literal(bytes, offset),
                (None, false) => moved(&name, offset),
            },
            _ => moved(&format!("&{name}"), offset),
        })
    }

    /// What is surely an address, in words.
    pub fn inside(&self, address: u64) -> Option<String> {
        self.contains(address).then(|| self.pointer(address, None)).flatten()
    }

    /// Whether it is the address of a byte of an object, or just behind it.
    fn contains(&self, address: u64) -> bool {
        let area = match self.static_at(address) {
            Some(id) => {
                let object = self.program.statics.get(id.index());
                object.map(|object| (static_address(id), object.bytes.len() as u64))
            }
            None => {
                let number = self.numbers.get(&key(address));
                let object = number.and_then(|&number| self.trace.objects.get(number as usize));
                object.map(|object| (object.address, object.size))
            }
        };
        area.is_some_and(|(base, size)| address.wrapping_sub(base) <= size)
    }

    fn is_pointer(&self, ty: Option<TypeId>) -> bool {
        ty.is_some_and(|ty| matches!(self.program.ty(ty), Type::Pointer(_)))
    }

    fn static_at(&self, address: u64) -> Option<StaticId> {
        let id = StaticId(u32::try_from(key(address)).ok()?.checked_sub(1)?);
        (id.index() < self.program.statics.len()).then_some(id)
    }

    fn function(&self, address: u64) -> Option<&str> {
        let number = |base: u64| {
            let distance = address.checked_sub(base)?;
            (distance % 16 == 0).then_some(distance / 16)
        };
        let procedure = number(PROCEDURES).and_then(|n| self.program.procedures.get(n as usize));
        let external = || number(EXTERNALS).and_then(|n| self.program.externals.get(n as usize));
        procedure.map(|p| p.name.as_str()).or_else(|| external().map(|e| e.name.as_str()))
    }

    fn within_heap(&self, number: u32, name: &str, offset: i64, to: Option<TypeId>) -> String {
        let size = self.trace.objects.get(number as usize).map_or(0, |object| object.size);
        let Some(&ty) = self.contents.get(&number) else { return moved(name, offset) };
        let each = self.program.size_of(ty).unwrap_or(0) as i64;
        if offset == 0 || each == 0 {
            return name.to_owned();
        }
        let index = match size as i64 > each || offset < 0 || offset >= each {
            true => format!("[{}]", offset.div_euclid(each)),
            false => String::new(),
        };
        match self.part(ty, offset.rem_euclid(each), to) {
            Some((path, Is::Array)) => self.element(name, &index, &path),
            Some((path, Is::Element)) => format!("&{}", self.element(name, &index, &path)),
            None => moved(name, offset),
        }
    }

    fn within(&self, name: &str, ty: TypeId, offset: i64, to: Option<TypeId>) -> String {
        match self.part(ty, offset, to) {
            Some((path, Is::Array)) => format!("{name}{path}"),
            Some((path, Is::Element)) => format!("&{name}{path}"),
            None => moved(&format!("(char *)&{name}"), offset),
        }
    }

    /// The path to what is at an offset of something. It ends at the type that is pointed to, if that
    /// is known, else at the first thing that begins there. Behind an array, elements are counted on.
    fn part(&self, ty: TypeId, offset: i64, to: Option<TypeId>) -> Option<(String, Is)> {
        let to = to.filter(|&to| !matches!(self.program.ty(to), Type::Opaque(_)));
        let (mut path, mut ty, mut offset) = (String::new(), ty, offset);
        loop {
            let here = self.program.ty(ty);
            let is = match here {
                Type::Array { .. } => Is::Array,
                _ => Is::Element,
            };
            if offset == 0 && to.is_none_or(|to| self.same(ty, to)) {
                return Some((path, is));
            }
            match here {
                Type::Array { element, count } => {
                    let each = self.program.size_of(*element).filter(|&each| each > 0)? as i64;
                    let index = offset.div_euclid(each);
                    if !path.is_empty() && !(0..=*count as i64).contains(&index) {
                        return None;
                    }
                    path += &format!("[{index}]");
                    (ty, offset) = (*element, offset.rem_euclid(each));
                }
                Type::Struct(aggregate) | Type::Union(aggregate) => {
                    let member = aggregate.members.iter().find(|member| {
                        let begin = (member.offset / 8) as i64;
                        let size = self.program.size_of(member.ty).unwrap_or(0).max(1) as i64;
                        member.bits.is_none() && (begin..begin + size).contains(&offset)
                    })?;
                    path += &format!(".{}", member.name);
                    (ty, offset) = (member.ty, offset - (member.offset / 8) as i64);
                }
                _ => return (offset == 0).then_some((path, is)),
            }
        }
    }

    /// Whether two types are one in the source. Each file has types of its own.
    fn same(&self, a: TypeId, b: TypeId) -> bool {
        match (self.program.ty(a), self.program.ty(b)) {
            (Type::Struct(a), Type::Struct(b)) | (Type::Union(a), Type::Union(b)) => {
                (&a.name, a.size) == (&b.name, b.size)
            }
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (a, b) => a == b,
        }
    }
}

/// What a path ends at. An array is its own address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Array,
    Element,
}

fn moved(text: &str, offset: i64) -> String {
    match offset {
        0 => text.to_owned(),
        1.. => format!("{text} + {offset}"),
        _ => format!("{text} - {}", offset.unsigned_abs()),
    }
}

fn literal(bytes: &[u8], offset: i64) -> String {
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or(bytes);
    moved(&quoted(text, MOST_CHARACTERS), offset)
}
