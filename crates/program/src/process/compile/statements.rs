//! Statements to instructions.

use term::{Op, Term, Value};

use super::super::image::{CallSite, Part};
use super::super::instruction::Instruction;
use super::super::static_address;
use super::{Compiler, Home, slots};
use crate::program::{EdgeId, Memory, Place, Program, Statement};

impl Compiler<'_> {
    /// Emits an edge that is taken for certain.
    pub(super) fn statement(&mut self, edge: EdgeId) -> Result<(), String> {
        let program: &Program = self.program;
        self.begin(edge);
        self.begins = Some(edge);
        match &program.edge(edge).statement {
            Statement::Assign { place, value } => {
                let to = self.target(Self::whole(place)?)?;
                self.compute_into(*value, to.slot)?;
                self.announce(to);
                self.finish(place.variable, to);
            }
            Statement::Havoc { place } => {
                let to = self.target(Self::whole(place)?)?;
                for slot in to.slot..to.slot + slots(to.bits) {
                    self.emit(Instruction::Const { to: slot, value: 0 });
                }
                self.announce(to);
                self.finish(place.variable, to);
            }
            Statement::Assume { .. } => {
                self.emit(Instruction::Pass);
            }
            Statement::Call { callee, arguments, results } => {
                let site = self.call(callee.0, arguments, results)?;
                self.emit(Instruction::Call { site });
                self.finish_all(site, results);
            }
            Statement::CallPointer { pointer, arguments, results } => {
                let pointer = self.operand(*pointer)?;
                let site = self.call(pointer, arguments, results)?;
                self.emit(Instruction::CallPointer { site });
                self.finish_all(site, results);
            }
            Statement::External { function, arguments, results } => {
                let site = self.call(function.0, arguments, results)?;
                self.emit(Instruction::External { site });
                self.finish_all(site, results);
            }
            Statement::Memory(memory) => self.memory(memory)?,
            Statement::Return => {
                self.emit(Instruction::Return);
            }
        }
        Ok(())
    }

    fn whole(place: &Place) -> Result<Term, String> {
        match place.indices[..] {
            [] => Ok(place.variable),
            _ => Err("maps are not machine words".to_owned()),
        }
    }

    /// Where the new value of a variable is made: in its slot, or on the way to a global.
    fn target(&mut self, variable: Term) -> Result<Part, String> {
        let bits = self.bits(variable)?;
        match self.image.homes.get(&variable) {
            Some(&Home::Slot(slot)) => Ok(Part { slot, bits }),
            Some(Home::Global(_)) => Ok(Part { slot: self.temporary(bits), bits }),
            None => Err("a variable is not declared".to_owned()),
        }
    }

    /// Brings the new value of a global to its place.
    fn finish(&mut self, variable: Term, from: Part) {
        if let Some(&Home::Global(global)) = self.image.homes.get(&variable) {
            for n in 0..slots(from.bits) {
                self.emit(Instruction::SetGlobal { global: global + n, a: from.slot + n });
            }
        }
    }

    fn finish_all(&mut self, site: u32, results: &[Term]) {
        let parts = self.image.calls.get(site as usize).map(|site| site.results.clone());
        for (&variable, &part) in results.iter().zip(parts.iter().flatten()) {
            self.finish(variable, part);
        }
    }

    /// The last instruction makes a value that observers see.
    fn announce(&mut self, value: Part) {
        if let Some(note) = self.image.notes.last_mut() {
            note.value = value;
        }
    }

    fn call(&mut self, callee: u32, arguments: &[Term], results: &[Term]) -> Result<u32, String> {
        let arguments = arguments
            .iter()
            .map(|&a| Ok(Part { slot: self.operand(a)?, bits: self.bits(a)? }))
            .collect::<Result<_, String>>()?;
        let results: Box<[Part]> =
            results.iter().map(|&r| self.target(r)).collect::<Result<_, String>>()?;
        let (edge, widths) = (self.edge.0, results.iter().map(|part| part.bits).collect());
        self.image.calls.push(CallSite { edge, callee, arguments, results, widths });
        Ok(self.image.calls.len() as u32 - 1)
    }

    fn memory(&mut self, memory: &Memory) -> Result<(), String> {
        match *memory {
            Memory::Load { target, address } => {
                let (a, offset) = self.address(address)?;
                let part = self.target(target)?;
                let (s, to, width) = (64u32.saturating_sub(part.bits) as u8, part.slot, part.bits);
                self.emit(match width.div_ceil(8) {
                    1 => Instruction::Load1 { s, to, a, offset },
                    2 => Instruction::Load2 { s, to, a, offset },
                    4 => Instruction::Load4 { s, to, a, offset },
                    8 => Instruction::Load8 { s, to, a, offset },
                    _ => Instruction::LoadAny { width: width as u8, to, a, offset },
                });
                self.finish(target, part);
            }
            Memory::Store { address, value } => {
                let (a, offset) = self.address(address)?;
                let width = self.bits(value)?;
                let value = self.operand(value)?;
                self.emit(match width {
                    8 => Instruction::Store1 { a, offset, value },
                    16 => Instruction::Store2 { a, offset, value },
                    32 => Instruction::Store4 { a, offset, value },
                    64 => Instruction::Store8 { a, offset, value },
                    _ => Instruction::StoreAny { width: width as u8, a, offset, value },
                });
            }
            Memory::Initialise { object, offset, value } => {
                let width = self.bits(value)? as u8;
                let address = u128::from(static_address(object).wrapping_add(offset));
                let address = self.terms.constant(&Value::bitvec(64, address));
                let (a, value) = (self.operand(address)?, self.operand(value)?);
                self.emit(Instruction::Initialise { width, a, value });
            }
            Memory::Alloc { target, size, ref object } => {
                let size = self.operand(size)?;
                let part = self.target(target)?;
                self.emit(Instruction::Alloc { to: part.slot, size, align: object.align });
                self.finish(target, part);
            }
            Memory::Copy { to, from, size } => {
                let (to, from, size) =
                    (self.operand(to)?, self.operand(from)?, self.operand(size)?);
                self.emit(Instruction::Copy { to, from, size });
            }
            Memory::Fill { to, byte, size } => {
                let (to, byte, size) =
                    (self.operand(to)?, self.operand(byte)?, self.operand(size)?);
                self.emit(Instruction::Fill { to, byte, size });
            }
            Memory::Mark { target } => {
                let part = self.target(target)?;
                self.emit(Instruction::Mark { to: part.slot });
                self.finish(target, part);
            }
            Memory::Release { mark } => {
                let a = self.operand(mark)?;
                self.emit(Instruction::Release { a });
            }
        }
        Ok(())
    }

    /// An address as a slot and a constant.
    fn address(&mut self, address: Term) -> Result<(u32, i32), String> {
        let (mut base, mut offset) = (address, 0);
        if self.terms.op(address) == Op::Add {
            let parts = self.terms.args(address).to_vec();
            let constant = parts.iter().find_map(|&part| Some((part, self.immediate(part)?)));
            if let Some((constant, c)) = constant {
                let rest: Vec<Term> = parts.into_iter().filter(|&p| p != constant).collect();
                (base, offset) = (self.terms.add(&rest), c);
            }
        }
        Ok((self.operand(base)?, offset))
    }
}
