//! Memory: objects of activations, loads and stores, addresses, atomic instructions.

use program::{LocalObject, Memory, SiteId, Statement};
use term::{Sort, Term};

use super::body::Body;
use super::procedures::source_variable;
use super::sites::What;
use super::values::Parts;
use crate::module::{
    ConstantKind, Exchange, InstructionId, InstructionKind, Module, Operand, Ty, TyKind,
};

impl Module {
    /// How far an index moves an address, and what is there. The first index counts whole values of the type.
    pub(super) fn step(&self, ty: Ty, index: i64, position: usize) -> Option<(i64, Ty)> {
        let times = |element: Ty| index.wrapping_mul(self.size(element) as i64);
        if position == 0 {
            return Some((times(ty), ty));
        }
        match &self.types[ty.index()].kind {
            TyKind::Struct(fields) => {
                let &(field, offset) = fields.get(usize::try_from(index).ok()?)?;
                Some((offset as i64, field))
            }
            TyKind::Array(element, _) | TyKind::Vector(element, _) => {
                Some((times(*element), *element))
            }
            _ => None,
        }
    }
}

impl Body<'_, '_> {
    pub fn memory(&mut self, memory: Memory, site: SiteId) {
        self.emit(Statement::Memory(memory), site);
    }

    pub fn alloca(&mut self, id: InstructionId) {
        self.note_extended(id);
        if self.analysis.variables.contains_key(&id) || self.is_dropped(id) {
            return;
        }
        let instruction = &self.function.instructions[id.index()];
        let InstructionKind::Alloca { allocated, align } = instruction.kind else { return };
        let count = instruction.operands.first().copied().unwrap_or(Operand::None);
        let Some(count) = self.scalar_word(count) else {
            return self.unknown_value(id, "an array of this size");
        };
        let each = self.lowering.word(self.lowering.module.size(allocated));
        let size = self.lowering.builder.terms.mul(each, count);
        let source = source_variable(self.function, Operand::Instruction(id));
        let declared = source.and_then(|variable| self.lowering.declared(self.function, variable));
        let object = LocalObject {
            declared,
            name: source.map_or(String::new(), |variable| variable.name.clone()),
            ty: source.and_then(|variable| variable.ty),
            align,
        };
        let target = self.temporary(&Sort::BitVec(64));
        let site = self.site_of(id, What::Operand);
        self.memory(Memory::Alloc { target, size, object }, site);
        self.define(id, vec![target]);
    }

    fn note_extended(&mut self, id: InstructionId) {
        if let InstructionKind::Alloca { allocated, .. } =
            self.function.instructions[id.index()].kind
            && self.lowering.module.types[allocated.index()].kind == TyKind::Extended
        {
            let source = source_variable(self.function, Operand::Instruction(id));
            let place = source.and_then(|variable| {
                self.lowering.occurrences(variable.location?, &variable.name).first().copied()
            });
            let span = self.lowering.span(place, What::Operand);
            self.lowering.note_extended(span);
        }
    }

    /// An alloca of the compiler that is only written.
    fn is_dropped(&self, id: InstructionId) -> bool {
        let promotion = &self.analysis.promotion;
        promotion.variables.get(&id).is_some_and(|promoted| promoted.loads == 0)
            && promotion.result != Some(id)
            && source_variable(self.function, Operand::Instruction(id)).is_none()
    }

    /// The variable at an address, if it is one.
    fn variable_at(&self, address: Operand) -> Option<Term> {
        match address {
            Operand::Instruction(alloca) => self.analysis.variables.get(&alloca).copied(),
            Operand::Constant(constant) => {
                match self.lowering.module.constants[constant.index()].kind {
                    ConstantKind::Global(global) => self.lowering.globals[global.index()],
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub fn load(&mut self, id: InstructionId) {
        let instruction = &self.function.instructions[id.index()];
        let address = instruction.operands.first().copied().unwrap_or(Operand::None);
        if let Some(variable) = self.variable_at(address) {
            if let Some(sort) = self.lowering.module.scalar_sort(instruction.ty) {
                let value = self.lowering.fit(variable, &sort);
                self.define(id, vec![value]);
            }
            return;
        }
        let site = self.site_of(id, What::Operand);
        let value = self.scalar(address).and_then(|from| self.read(from, instruction.ty, site));
        match value {
            Some(value) => self.define(id, value),
            None => self.unknown_value(id, "a load of this type"),
        }
    }

    /// Reads a value from memory.
    pub fn read(&mut self, address: Term, ty: Ty, site: SiteId) -> Option<Parts> {
        let leaves = self.lowering.module.leaves(ty)?;
        let mut parts = Vec::new();
        for leaf in leaves {
            let from = self.moved(address, leaf.offset);
            let target = self.temporary(&Sort::BitVec(width_in_memory(&leaf.sort)));
            self.memory(Memory::Load { target, address: from }, site);
            parts.push(self.lowering.of_bits(target, &leaf.sort));
        }
        Some(parts)
    }

    /// Writes a value to memory.
    pub fn write(&mut self, address: Term, value: &[Term], ty: Ty, site: SiteId) -> Option<()> {
        let leaves = self.lowering.module.leaves(ty)?;
        for (leaf, &part) in leaves.iter().zip(value) {
            let to = self.moved(address, leaf.offset);
            let bits = self.lowering.bits_of(part);
            let bits = self.lowering.resize(bits, width_in_memory(&leaf.sort));
            self.memory(Memory::Store { address: to, value: bits }, site);
        }
        Some(())
    }

    pub fn moved(&mut self, address: Term, offset: u64) -> Term {
        let offset = self.lowering.word(offset);
        self.lowering.builder.terms.add(&[address, offset])
    }

    pub fn store(&mut self, id: InstructionId) {
        if self.analysis.promotion.bindings.contains(&id) {
            return;
        }
        let instruction = &self.function.instructions[id.index()];
        let &[stored, address] = instruction.operands.as_slice() else { return };
        if let Operand::Instruction(alloca) = address
            && self.is_dropped(alloca)
        {
            return;
        }
        let value = self.value(stored);
        if let Some(variable) = self.variable_at(address) {
            let is_result = matches!(address, Operand::Instruction(alloca)
                if self.analysis.promotion.result == Some(alloca));
            let site = self.site_of(id, if is_result { What::Return } else { What::Assign });
            self.keep_values(|_, assigned| assigned == variable, site);
            match value.as_deref() {
                Some(&[value]) => {
                    let sort = self.lowering.builder.terms.sort(variable).clone();
                    let value = self.lowering.fit(value, &sort);
                    self.assign(variable, value, site);
                    if !is_result {
                        self.read_again(stored, variable);
                    }
                }
                _ => {
                    let place = program::Place::variable(variable);
                    self.emit(Statement::Havoc { place }, site);
                }
            }
            return;
        }
        let site = self.site_of(id, What::Assign);
        let ty = self.type_of(stored);
        let written = match (self.scalar(address), value, ty) {
            (Some(to), Some(value), Some(ty)) => self.write(to, &value, ty, site),
            _ => None,
        };
        if written.is_none() {
            self.gap(instruction.location, "a store of this type");
        }
    }

    /// What an assignment assigns is what it is worth: from now on the value is read from the variable. So
    /// `if ((x = f()) > 0)` tests what `x` has become. That holds where the assignment is sure to come between.
    fn read_again(&mut self, stored: Operand, variable: Term) {
        let Operand::Instruction(value) = stored else { return };
        let block = self.function.blocks[self.block];
        let here = block.first.0 <= value.0 && value.0 < block.end.0;
        if !here || self.analysis.graph.uses[value.index()] < 2 {
            return;
        }
        let ty = self.function.instructions[value.index()].ty;
        let leaves = self.lowering.module.leaves(ty).unwrap_or_default();
        let sort = self.lowering.builder.terms.sort(variable);
        if leaves.len() == 1 && leaves[0].sort == *sort {
            self.define(value, vec![variable]);
        }
    }

    /// The address of an element.
    pub fn element(&mut self, source: Ty, operands: &[Operand]) -> Option<Parts> {
        let (&base, indices) = operands.split_first()?;
        let mut address = self.scalar(base)?;
        if self.lowering.builder.terms.sort(address) != &Sort::BitVec(64) {
            return None;
        }
        let module = self.lowering.module;
        let (mut ty, mut first) = (source, None);
        for (position, &index) in indices.iter().enumerate() {
            let constant = match index {
                Operand::Constant(id) => {
                    let number = self.lowering.number(id)?;
                    let bits = self.lowering.integer_width(module.constants[id.index()].ty)?;
                    Some(((number << (128 - bits)) as i128 >> (128 - bits)) as i64)
                }
                _ => None,
            };
            if position == 0 {
                first = constant;
            }
            // An index of an array at an address, as the source has it.
            let is_of_array = position == 1 && indices.len() == 2 && first == Some(0);
            match constant {
                Some(index) => {
                    if is_of_array {
                        let index = self.lowering.word(index as u64);
                        self.check_index(ty, base, index);
                    }
                    let (offset, next) = module.step(ty, index, position)?;
                    address = self.moved(address, offset as u64);
                    ty = next;
                }
                None => {
                    let (size, next) = module.step(ty, 1, position)?;
                    if position > 0 && matches!(module.types[ty.index()].kind, TyKind::Struct(_)) {
                        return None;
                    }
                    let index = self.scalar(index)?;
                    let Sort::BitVec(_) = self.lowering.builder.terms.sort(index) else {
                        return None;
                    };
                    let index = self.lowering.sign_resize(index, 64);
                    if is_of_array {
                        self.check_index(ty, base, index);
                    }
                    let size = self.lowering.word(size as u64);
                    let offset = self.lowering.builder.terms.mul(size, index);
                    address = self.lowering.builder.terms.add(&[address, offset]);
                    ty = next;
                }
            }
        }
        Some(vec![address])
    }

    /// There is one thread: an atomic instruction reads, then writes.
    pub fn atomic(&mut self, id: InstructionId) {
        if self.exchange(id).is_none() {
            self.unknown_value(id, "this atomic instruction");
        }
    }

    fn exchange(&mut self, id: InstructionId) -> Option<()> {
        let instruction = &self.function.instructions[id.index()];
        let site = self.site_of(id, What::Operand);
        let address = self.scalar(*instruction.operands.first()?)?;
        let operand = *instruction.operands.get(1)?;
        let ty = self.type_of(operand)?;
        let value = self.scalar(operand)?;
        match instruction.kind {
            InstructionKind::Exchange(exchange) => {
                if exchange == Exchange::Other {
                    return None;
                }
                let old = self.read(address, ty, site)?;
                let &[before] = old.as_slice() else { return None };
                let new = match exchange {
                    Exchange::Set => value,
                    Exchange::Operation(operator) => {
                        self.lowering.operation(operator, before, value)?
                    }
                    Exchange::Nand => {
                        let and =
                            self.lowering.operation(crate::module::Binary::And, before, value)?;
                        self.lowering.builder.terms.bv_not(and)
                    }
                    Exchange::If(comparison) => {
                        let condition = self.lowering.compare(comparison, value, before);
                        self.lowering.choice(condition, value, before)
                    }
                    Exchange::Other => return None,
                };
                self.write(address, &[new], ty, site)?;
                self.define(id, old);
            }
            _ => {
                let new = self.scalar(*instruction.operands.get(2)?)?;
                let old = self.read(address, ty, site)?;
                let &[before] = old.as_slice() else { return None };
                let same = self.lowering.equal(before, value);
                let stored = self.lowering.choice(same, new, before);
                self.write(address, &[stored], ty, site)?;
                self.define(id, vec![before, same]);
            }
        }
        Some(())
    }
}

/// How many bits a scalar has in memory: whole bytes. `long double` has 16 bytes, of which it uses 8 here.
fn width_in_memory(sort: &Sort) -> u32 {
    match sort {
        Sort::BitVec(width) => width.div_ceil(8) * 8,
        Sort::Float(format) => format.width(),
        _ => 8,
    }
}
