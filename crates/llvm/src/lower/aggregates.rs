//! Structs and arrays as values: clang uses them for what is passed and returned in registers.

use super::body::Body;
use super::values::Parts;
use crate::module::{Instruction, Module, Ty, TyKind};

impl Module {
    /// Which scalars of a type are those of an element.
    fn part(&self, ty: Ty, indices: &[u32]) -> Option<(usize, Ty)> {
        let mut first = 0;
        let mut ty = ty;
        for &index in indices {
            match &self.types[ty.index()].kind {
                TyKind::Struct(fields) => {
                    for &(field, _) in fields.get(..index as usize)? {
                        first += self.leaves(field)?.len();
                    }
                    ty = fields.get(index as usize)?.0;
                }
                TyKind::Array(element, _) => {
                    first += self.leaves(*element)?.len() * index as usize;
                    ty = *element;
                }
                _ => return None,
            }
        }
        Some((first, ty))
    }
}

impl Body<'_, '_> {
    pub fn extract_value(&mut self, instruction: &Instruction, indices: &[u32]) -> Option<Parts> {
        let aggregate = *instruction.operands.first()?;
        let module = self.lowering.module;
        let (first, part) = module.part(self.type_of(aggregate)?, indices)?;
        let count = module.leaves(part)?.len();
        self.value(aggregate)?.get(first..first + count).map(<[_]>::to_vec)
    }

    pub fn insert_value(&mut self, instruction: &Instruction, indices: &[u32]) -> Option<Parts> {
        let &[aggregate, inserted] = instruction.operands.as_slice() else { return None };
        let (first, _) = self.lowering.module.part(self.type_of(aggregate)?, indices)?;
        let mut value = self.value(aggregate)?;
        let inserted = self.value(inserted)?;
        value.get_mut(first..first + inserted.len())?.copy_from_slice(&inserted);
        Some(value)
    }
}
