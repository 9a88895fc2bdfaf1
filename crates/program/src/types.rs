//! Types of the source, for those who show values to people. Nothing else depends on them.

use crate::program::Program;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Integer {
        name: String,
        bits: u32,
        signed: bool,
    },
    /// A character type: its values are shown as characters.
    Character {
        signed: bool,
    },
    Bool,
    Float {
        name: String,
        bits: u32,
    },
    Pointer(TypeId),
    Array {
        element: TypeId,
        count: u64,
    },
    Struct(Aggregate),
    Union(Aggregate),
    Enum {
        name: String,
        bits: u32,
        signed: bool,
        values: Vec<(String, i64)>,
    },
    /// A type whose values are not shown, such as `void` or a function.
    Opaque(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aggregate {
    pub name: String,
    pub size: u64,
    pub members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub ty: TypeId,
    /// Where the member begins, in bits.
    pub offset: u64,
    /// How many bits it has, if it is a bit-field.
    pub bits: Option<u32>,
}

/// The size of a value of one of these types in bytes, where that is known.
pub fn size_of(types: &[Type], id: TypeId) -> Option<u64> {
    Some(match &types[id.0 as usize] {
        Type::Integer { bits, .. } | Type::Float { bits, .. } | Type::Enum { bits, .. } => {
            u64::from(*bits).div_ceil(8)
        }
        Type::Character { .. } | Type::Bool => 1,
        Type::Pointer(_) => 8,
        Type::Array { element, count } => size_of(types, *element)?.checked_mul(*count)?,
        Type::Struct(aggregate) | Type::Union(aggregate) => aggregate.size,
        Type::Opaque(_) => return None,
    })
}

impl Program {
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// The size of a value of the type in bytes, where that is known.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        size_of(&self.types, id)
    }

    /// How a programmer writes the cell at an offset of an object of this type: `[2].next`, or nothing
    /// for the object itself. `None` if no scalar of this size begins there.
    pub fn path_to(&self, ty: TypeId, offset: u64, size: u64) -> Option<(String, TypeId)> {
        let (mut path, mut ty, mut offset) = (String::new(), ty, offset);
        loop {
            match self.ty(ty) {
                Type::Array { element, count } => {
                    let each = self.size_of(*element).filter(|&each| each > 0)?;
                    if offset / each >= *count {
                        return None;
                    }
                    path += &format!("[{}]", offset / each);
                    (ty, offset) = (*element, offset % each);
                }
                Type::Struct(aggregate) | Type::Union(aggregate) => {
                    let member = aggregate.members.iter().rev().find(|member| {
                        let begin = member.offset / 8;
                        let end = begin + self.size_of(member.ty).unwrap_or(0).max(1);
                        member.bits.is_none() && begin <= offset && offset + size <= end
                    })?;
                    path += &format!(".{}", member.name);
                    (ty, offset) = (member.ty, offset - member.offset / 8);
                }
                _ => break,
            }
        }
        (offset == 0 && self.size_of(ty) == Some(size)).then_some((path, ty))
    }

    /// The same for an area with more than one scalar: the smallest structure or array that it is in. None if there are
    /// bit-fields in it, or it may be one scalar.
    pub fn path_around(&self, ty: TypeId, offset: u64, size: u64) -> Option<(String, TypeId)> {
        let (mut path, mut ty, mut offset) = (String::new(), ty, offset);
        let end = |offset: u64| offset.saturating_add(size);
        loop {
            match self.ty(ty) {
                Type::Array { element, count } => {
                    let each = self.size_of(*element).filter(|&each| each > 0)?;
                    let index = offset / each;
                    if index >= *count {
                        return None;
                    }
                    if end(offset) > index.saturating_add(1).saturating_mul(each) {
                        return Some((path, ty));
                    }
                    path += &format!("[{index}]");
                    (ty, offset) = (*element, offset % each);
                }
                Type::Struct(aggregate) => {
                    let bounds = |member: &Member| {
                        let begin = member.offset / 8;
                        (begin, begin.saturating_add(self.size_of(member.ty).unwrap_or(0).max(1)))
                    };
                    let own = aggregate.members.iter().filter(|member| {
                        let (first, last) = bounds(member);
                        first < end(offset) && offset < last
                    });
                    let own: Vec<&Member> = own.collect();
                    if own.iter().any(|member| member.bits.is_some()) {
                        return None;
                    }
                    match own[..] {
                        [] => return None,
                        [member]
                            if bounds(member).0 <= offset && end(offset) <= bounds(member).1 =>
                        {
                            path += &format!(".{}", member.name);
                            (ty, offset) = (member.ty, offset - member.offset / 8);
                        }
                        _ => return Some((path, ty)),
                    }
                }
                _ => return None,
            }
        }
    }
}
