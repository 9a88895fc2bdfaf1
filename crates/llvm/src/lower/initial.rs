//! What the user's objects begin with: a wrong entry of a table is a mistake like others, so each is a statement.
//!
//! LLVM knows the bytes, the parse of the source knows the texts. Which text is for which bytes is found by going
//! through the type of the variable as C says, with designators and missing braces. Macros may make this
//! wrong, so it is compared: numbers must be what the bytes say, and what has no text must be zero. If anything does
//! not fit, then the object just has its bytes, and nothing in it is suspected.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::slice::Iter;

use program::{Site, SiteId, Span, StaticId, Trust, Type, TypeId, size_of};
use term::Term;

use super::Lowering;
use super::constants::Image;
use crate::extents::{Designator, Element, Index, Initial, Known, Number};
use crate::module::{GlobalId, Module};

/// Objects with more entries just have their bytes.
const MOST_ENTRIES: usize = 256;

/// A part of an object that gets its first value.
#[derive(Clone, Copy, Debug)]
pub(super) struct First {
    pub object: StaticId,
    pub offset: u64,
    pub value: Term,
    pub site: SiteId,
}

/// A scalar that the programmer has initialised.
struct Entry<'e> {
    /// How it is called: `table[1].low`.
    name: String,
    element: &'e Element,
    size: u64,
    scalar: Scalar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scalar {
    Integer,
    Bool,
    Float,
    /// A pointer or something unusual: it has a text, but stays as it is.
    Other,
}

/// A part of an object.
#[derive(Clone)]
struct Part {
    ty: TypeId,
    offset: u64,
    name: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    Own,
    Around,
}

type Items<'e> = Peekable<Iter<'e, Element>>;

impl Lowering<'_> {
    /// Takes the entries of an object out of its bytes: statements give them their values.
    pub fn take_entries(&mut self, id: GlobalId, object: StaticId, image: &mut Image) {
        let module = self.module;
        let global = &module.globals[id.index()];
        let (Some(name), Some(location), Some(ty)) =
            (&global.name, global.location, global.source_type)
        else {
            return;
        };
        let Some((file, _)) = self.known(location) else { return };
        let mut places = self.occurrences(location, name).into_iter();
        let initial = places.find_map(|at| {
            let (file, at) = self.known(at)?;
            file.extents.initial(at.line, at.column)
        });
        let (Some(element), file) = (initial, file.id) else { return };
        let mut matching = Matching { module, entries: BTreeMap::new() };
        let whole = Part { ty, offset: 0, name: name.clone() };
        let Some(entries) = matching.object(whole, &element).map(|()| matching.entries) else {
            return;
        };
        if !fits(&entries, image) {
            return;
        }
        let addresses = image.pointers.clone();
        for (offset, entry) in entries {
            let Initial::Scalar(text, _) = &entry.element.value else { continue };
            let Some(bytes) = image.bytes.get_mut(range(offset, entry.size)) else { continue };
            let end = offset + entry.size;
            if entry.scalar == Scalar::Other
                || addresses.iter().any(|&(at, _)| (offset..end).contains(&u64::from(at)))
            {
                continue;
            }
            let number = number(bytes);
            bytes.fill(0);
            let extent = &entry.element.extent;
            let site = Site {
                span: Some(Span { file, start: extent.start as u32, end: extent.end as u32 }),
                text: format!("{} = {text}", entry.name),
                trust: Trust::User,
                property: None,
            };
            let site = self.new_site(site);
            let value = self.bits(8 * entry.size as u32, number);
            self.firsts.push(First { object, offset, value, site });
        }
    }
}

fn range(offset: u64, size: u64) -> std::ops::Range<usize> {
    offset as usize..(offset + size) as usize
}

fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// Whether the bytes are what the texts say, as far as that is known, and all others are zero.
fn fits(entries: &BTreeMap<u64, Entry<'_>>, image: &Image) -> bool {
    let mut end = 0;
    for (&offset, entry) in entries {
        let (Some(between), Some(bytes)) = (
            image.bytes.get(range(end, offset.saturating_sub(end))),
            image.bytes.get(range(offset, entry.size)),
        ) else {
            return false;
        };
        if between.iter().any(|&byte| byte != 0) || !is_written(entry, bytes) {
            return false;
        }
        end = end.max(offset + entry.size);
    }
    image.bytes.get(end as usize..).is_some_and(|rest| rest.iter().all(|&byte| byte == 0))
}

/// Whether the text may mean these bytes.
fn is_written(entry: &Entry<'_>, bytes: &[u8]) -> bool {
    let Initial::Scalar(_, Known::Number(written)) = &entry.element.value else { return true };
    let found = number(bytes);
    match (entry.scalar, *written) {
        (Scalar::Integer, Number::Integer(written)) => {
            let ones = u128::MAX >> (128 - 8 * entry.size as u32);
            written as u128 & ones == found
        }
        (Scalar::Float, written) => {
            let written = match written {
                Number::Integer(written) => written as f64,
                Number::Float(written) => written,
            };
            match entry.size {
                4 => (written as f32).to_bits() == found as u32,
                8 => written.to_bits() == found as u64,
                _ => false,
            }
        }
        _ => true,
    }
}

/// Going through a type and an initialiser.
struct Matching<'m, 'e> {
    module: &'m Module,
    entries: BTreeMap<u64, Entry<'e>>,
}

impl<'m, 'e> Matching<'m, 'e> {
    fn ty(&self, id: TypeId) -> &'m Type {
        &self.module.source_types[id.0 as usize]
    }

    fn size(&self, id: TypeId) -> Option<u64> {
        size_of(&self.module.source_types, id)
    }

    /// Initialises a part by what is written for it.
    fn object(&mut self, part: Part, element: &'e Element) -> Option<()> {
        let is_text = matches!(self.ty(part.ty), Type::Array { element, .. }
            if matches!(self.ty(*element), Type::Character { .. } | Type::Integer { .. }));
        match (self.ty(part.ty), &element.value) {
            (Type::Array { .. }, Initial::String) if is_text => {
                self.enter(part, element, Scalar::Other)
            }
            (Type::Array { .. }, Initial::List(items))
                if is_text && matches!(&items[..], [item] if item.value == Initial::String) =>
            {
                self.enter(part, element, Scalar::Other)
            }
            (Type::Array { .. } | Type::Struct(_) | Type::Union(_), Initial::List(items)) => {
                let mut items = items.iter().peekable();
                self.parts(&part, &mut items, Braces::Own)
            }
            (Type::Array { .. } | Type::Struct(_) | Type::Union(_), _) => None,
            (_, Initial::List(items)) => match &items[..] {
                [item] if item.designators.is_empty() => self.object(part, item),
                _ => None,
            },
            (Type::Float { bits: 32 | 64, .. }, _) => self.enter(part, element, Scalar::Float),
            (Type::Float { .. } | Type::Pointer(_), _) => self.enter(part, element, Scalar::Other),
            (Type::Bool, _) => self.enter(part, element, Scalar::Bool),
            (Type::Integer { bits: 8 | 16 | 32 | 64, .. }, _)
            | (Type::Character { .. } | Type::Enum { .. }, _) => {
                self.enter(part, element, Scalar::Integer)
            }
            (Type::Integer { .. }, _) => self.enter(part, element, Scalar::Other),
            (Type::Opaque(_), _) => None,
        }
    }

    fn enter(&mut self, part: Part, element: &'e Element, scalar: Scalar) -> Option<()> {
        let size = self.size(part.ty)?;
        // What is initialised twice keeps the second value, if it is the same scalar.
        let overlaps = self.entries.range(..part.offset + size).next_back();
        if overlaps.is_some_and(|(&offset, old)| {
            offset + old.size > part.offset && (offset, old.size) != (part.offset, size)
        }) {
            return None;
        }
        self.entries.insert(part.offset, Entry { name: part.name, element, size, scalar });
        (self.entries.len() <= MOST_ENTRIES).then_some(())
    }

    /// Initialises the parts of an aggregate in order, as long as there are parts, or something for them.
    fn parts(&mut self, whole: &Part, items: &mut Items<'e>, braces: Braces) -> Option<()> {
        let mut next = 0;
        while let Some(&item) = items.peek() {
            if let Some(first) = item.designators.first() {
                if braces == Braces::Around {
                    return Some(());
                }
                items.next();
                let (from, to) = self.positions(whole.ty, first)?;
                for position in from..=to {
                    let part = self.part(whole, position)?;
                    self.designated(part, &item.designators[1..], item)?;
                }
                // After `.a.b = 1` it goes on inside of `.a`.
                if item.designators.len() > 1
                    && items.peek().is_some_and(|item| item.designators.is_empty())
                {
                    return None;
                }
                next = to + 1;
                continue;
            }
            if next >= self.count(whole.ty)? {
                // More than there is room for belongs to what is around.
                return (braces == Braces::Around).then_some(());
            }
            let part = self.part(whole, next)?;
            next += 1;
            let is_aggregate =
                matches!(self.ty(part.ty), Type::Array { .. } | Type::Struct(_) | Type::Union(_));
            match &item.value {
                // It has no braces of its own. A name might be a macro that has them.
                Initial::Scalar(_, Known::Number(_) | Known::Scalar) if is_aggregate => {
                    self.parts(&part, items, Braces::Around)?;
                }
                _ => {
                    items.next();
                    self.object(part, item)?;
                }
            }
        }
        Some(())
    }

    fn designated(
        &mut self,
        part: Part,
        designators: &[Designator],
        element: &'e Element,
    ) -> Option<()> {
        let Some((first, rest)) = designators.split_first() else {
            let end = part.offset + self.size(part.ty)?;
            let is_list = matches!(element.value, Initial::List(_));
            // A list also resets what it does not mention.
            if is_list && self.entries.range(part.offset..end).next().is_some() {
                return None;
            }
            return self.object(part, element);
        };
        let (from, to) = self.positions(part.ty, first)?;
        for position in from..=to {
            let inner = self.part(&part, position)?;
            self.designated(inner, rest, element)?;
        }
        Some(())
    }

    /// The first and the last part that a designator means.
    fn positions(&self, ty: TypeId, designator: &Designator) -> Option<(u64, u64)> {
        match (self.ty(ty), designator) {
            (Type::Struct(aggregate), Designator::Member(name)) => {
                let position = aggregate.members.iter().position(|member| member.name == *name)?;
                Some((position as u64, position as u64))
            }
            (Type::Array { count, .. }, Designator::Indices(first, last)) => {
                let (first, last) = (self.index(first)?, self.index(last)?);
                (first <= last && last < *count).then_some((first, last))
            }
            _ => None,
        }
    }

    fn index(&self, index: &Index) -> Option<u64> {
        match index {
            Index::Number(number) => Some(*number),
            Index::Name(name) => self.module.source_types.iter().find_map(|ty| match ty {
                Type::Enum { values, .. } => {
                    let found = values.iter().find(|(constant, _)| constant == name)?;
                    u64::try_from(found.1).ok()
                }
                _ => None,
            }),
        }
    }

    /// How many parts an aggregate has. Those of unions are not followed.
    fn count(&self, ty: TypeId) -> Option<u64> {
        match self.ty(ty) {
            Type::Array { count, .. } => Some(*count),
            Type::Struct(aggregate) => Some(aggregate.members.len() as u64),
            _ => None,
        }
        .filter(|&count| count > 0)
    }

    /// A part of an aggregate by its number. Bit-fields and members without a name are not followed.
    fn part(&self, whole: &Part, position: u64) -> Option<Part> {
        match self.ty(whole.ty) {
            Type::Array { element, count } => {
                let offset = whole.offset + position * self.size(*element)?;
                let name = format!("{}[{position}]", whole.name);
                (position < *count).then_some(Part { ty: *element, offset, name })
            }
            Type::Struct(aggregate) => {
                let member = aggregate.members.get(usize::try_from(position).ok()?)?;
                let is_plain = member.bits.is_none() && !member.name.is_empty();
                is_plain.then(|| Part {
                    ty: member.ty,
                    offset: whole.offset + member.offset / 8,
                    name: format!("{}.{}", whole.name, member.name),
                })
            }
            _ => None,
        }
    }
}
