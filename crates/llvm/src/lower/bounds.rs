//! Indices of arrays that are parts of objects.
//!
//! The machine knows the bounds of objects, so it notices an index that leaves one. It does not notice one that leads from a row of a
//! matrix into the next, or from an array of a structure into the member behind it, although C calls both undefined. So where
//! the source indexes an array whose length its type says, and which need not be the whole object, a check is made. One past the end is an
//! address like any other, as long as nothing is read or written there.
//!
//! Not checked is the last member of a structure, because of the custom to allocate more for it than it has by its type; and
//! nothing in code that an optimiser has been at: to LLVM, the length of an array is no promise.

use program::{FailureKind, Trust};
use term::Term;

use super::body::Body;
use crate::module::{ConstantKind, InstructionKind, Operand, Ty, TyKind};

impl Body<'_, '_> {
    /// Fails if an index is not one of the array at an address.
    pub fn check_index(&mut self, array: Ty, base: Operand, index: Term) {
        let module = self.lowering.module;
        let TyKind::Array(_, length) = module.types[array.index()].kind else { return };
        if length == 0
            || self.function.trust != Trust::User
            || !self.function.is_as_written
            || self.object_type(base) == Some(array)
            || self.is_last_member(base)
        {
            return;
        }
        let is_only_accessed = self.analysis.graph.is_only_accessed[self.current.index()];
        let most = length.saturating_add(u64::from(!is_only_accessed));
        let limit = self.lowering.word(most);
        let good = self.lowering.builder.terms.bv_ult(index, limit);
        let bad = self.lowering.builder.terms.not(good);
        let elements = if length == 1 { "element" } else { "elements" };
        let message = format!("the index is out of bounds of an array of {length} {elements}");
        self.check(bad, FailureKind::OutOfBounds, &message);
    }

    /// The type of the object, if this is its address.
    fn object_type(&self, base: Operand) -> Option<Ty> {
        let module = self.lowering.module;
        match base {
            Operand::Instruction(id) => match self.function.instructions[id.index()].kind {
                InstructionKind::Alloca { allocated, .. } => Some(allocated),
                _ => None,
            },
            Operand::Constant(id) => match module.constants[id.index()].kind {
                ConstantKind::Global(global) => Some(module.globals[global.index()].ty),
                _ => None,
            },
            Operand::Argument(_) | Operand::None => None,
        }
    }

    /// Whether it is the address of the last member of a structure.
    fn is_last_member(&mut self, base: Operand) -> bool {
        let module = self.lowering.module;
        let (source, last) = match base {
            Operand::Instruction(id) => {
                let instruction = &self.function.instructions[id.index()];
                let InstructionKind::Element(source) = instruction.kind else { return false };
                let Some(&Operand::Constant(last)) = instruction.operands.last() else {
                    return false;
                };
                (source, last)
            }
            Operand::Constant(id) => match &module.constants[id.index()].kind {
                ConstantKind::Element(source, _, indices) => match indices.last() {
                    Some(&last) => (*source, last),
                    None => return false,
                },
                _ => return false,
            },
            Operand::Argument(_) | Operand::None => return false,
        };
        match &module.types[source.index()].kind {
            TyKind::Struct(members) => {
                self.lowering.number(last).is_some_and(|at| at + 1 == members.len() as u128)
            }
            _ => false,
        }
    }
}
