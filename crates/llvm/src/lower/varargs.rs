//! Variadic arguments.
//!
//! The caller writes them to an object, each in a slot of 8 bytes, as x86-64 does with those for which there is no
//! register. Its address is the last argument. `va_start` says that all registers are used up, so the code that
//! clang makes for `va_arg` always reads from there.

use program::{Memory, SiteId};
use term::Term;

use super::body::Body;
use super::calls::Argument;
use crate::module::{Module, Operand, Ty, TyKind};

/// A `va_list` whose general registers are used up.
const GENERAL_OFFSET: u128 = 48;
/// And its floating-point registers.
const FLOAT_OFFSET: u128 = 304;
const LIST_SIZE: u64 = 24;

impl Body<'_, '_> {
    pub fn variadic_object(&mut self, arguments: &[Argument], site: SiteId) -> Term {
        let module = self.lowering.module;
        let mut offsets = Vec::new();
        let mut end: u64 = 0;
        for argument in arguments {
            let (size, align) = slot(module, argument);
            let start = end.next_multiple_of(align);
            offsets.push(start);
            end = start + size.next_multiple_of(8);
        }
        let size = self.lowering.word(end);
        let object = self.object(size, 16, site);
        for (argument, offset) in arguments.iter().zip(offsets) {
            let to = self.moved(object, offset);
            match (argument.by_value, argument.value.as_slice()) {
                (Some((ty, _)), &[from]) => {
                    let size = self.lowering.word(module.size(ty));
                    self.memory(Memory::Copy { to, from, size }, site);
                }
                _ => {
                    if self.write(to, &argument.value, argument.ty, site).is_none() {
                        let location = self.function.instructions[self.current.index()].location;
                        self.gap(location, "a variadic argument of this type");
                    }
                }
            }
        }
        object
    }

    pub fn va_start(&mut self, list: Operand, site: SiteId) -> Option<()> {
        let list = self.scalar_word(list)?;
        let arguments = self.analysis.hidden.unwrap_or(self.lowering.word(0));
        let fields = [
            (0, self.lowering.bits(32, GENERAL_OFFSET)),
            (4, self.lowering.bits(32, FLOAT_OFFSET)),
            (8, arguments),
            (16, self.lowering.word(0)),
        ];
        for (offset, value) in fields {
            let address = self.moved(list, offset);
            self.memory(Memory::Store { address, value }, site);
        }
        Some(())
    }

    pub fn va_copy(&mut self, to: Operand, from: Operand, site: SiteId) -> Option<()> {
        let (to, from) = (self.scalar_word(to)?, self.scalar_word(from)?);
        let size = self.lowering.word(LIST_SIZE);
        self.memory(Memory::Copy { to, from, size }, site);
        Some(())
    }
}

/// The size and alignment of an argument among the variadic ones.
fn slot(module: &Module, argument: &Argument) -> (u64, u64) {
    let size = |ty: Ty| module.size(ty).max(1);
    match argument.by_value {
        Some((ty, align)) => (size(ty), u64::from(align).max(8)),
        None => match module.types[argument.ty.index()].kind {
            TyKind::Extended | TyKind::Integer(65..) => (16, 16),
            TyKind::Vector(..) if size(argument.ty) >= 16 => (16, 16),
            _ => (size(argument.ty), 8),
        },
    }
}
