//! Global variables: objects that exist from the beginning, or variables of the program.

use program::{Static, VariableRole};
use rustc_hash::FxHashSet;

use super::Lowering;
use super::constants::Image;
use super::reach::{Reached, parts};
use super::sites::What;
use super::values::carrier;
use crate::module::{
    Callee, ConstantId, ConstantKind, FunctionId, GlobalId, Instruction, InstructionKind, Module,
    Operand,
};

/// Objects of more bytes are not made.
const LARGEST: u64 = 1 << 30;

/// Variables of the C library that the world around the program sets.
const OF_THE_WORLD: [&str; 9] =
    ["stdin", "stdout", "stderr", "environ", "__environ", "optarg", "optind", "opterr", "optopt"];

impl Lowering<'_> {
    pub fn declare_globals(&mut self, reached: &Reached) {
        let module = self.module;
        let promoted = promotable(module, reached);
        let used =
            (0..module.globals.len() as u32).map(GlobalId).filter(|id| reached.globals[id.index()]);
        let (variables, objects): (Vec<_>, Vec<_>) = used.partition(|id| promoted.contains(id));
        for &id in &objects {
            let object = self.empty_object(id);
            self.statics[id.index()] = Some(self.builder.object(object));
        }
        // All objects have addresses now.
        for &id in &objects {
            self.initialise(id);
        }
        for id in variables {
            let global = &module.globals[id.index()];
            let Some(sort) = module.scalar_sort(global.ty) else { continue };
            let name = global.name.as_deref().unwrap_or(&global.symbol);
            let term = self.builder.global(name, &carrier(&sort));
            self.builder.describe(term, VariableRole::Source, global.source_type);
            self.globals[id.index()] = Some(term);
            self.global_variables.insert(term);
            self.assignable.insert(term);
        }
    }

    fn empty_object(&mut self, id: GlobalId) -> Static {
        let global = &self.module.globals[id.index()];
        // What is declared elsewhere has the name by which it is known there.
        let name = match (&global.name, global.initial) {
            (Some(name), Some(_)) => name.clone(),
            (None, Some(_)) => String::new(),
            (_, None) => global.symbol.clone(),
        };
        Static {
            name,
            ty: global.source_type,
            align: global.align,
            writable: !global.constant,
            bytes: Vec::new(),
            pointers: Vec::new(),
        }
    }

    fn initialise(&mut self, id: GlobalId) {
        let global = &self.module.globals[id.index()];
        let size = self.module.size(global.ty);
        let span = self.span(global.location, What::Operand);
        let name = global.name.as_deref().unwrap_or(&global.symbol);
        let mut image = Image::new(if size <= LARGEST { size } else { 0 });
        if size > LARGEST {
            self.gap(span, &format!("`{name}` has {size} bytes, which are more than we make"));
        }
        match global.initial {
            Some(initial) => {
                let known = size > LARGEST || self.write(initial, 0, &mut image).is_some();
                if !known {
                    let message = format!("the initial value of `{name}` is not modelled");
                    self.gap(span, &message);
                }
            }
            None => {
                if !OF_THE_WORLD.contains(&global.symbol.as_str()) {
                    self.gap(span, &format!("the variable `{name}` is declared but never defined"));
                }
            }
        }
        let Some(object) = self.statics[id.index()] else { return };
        self.take_entries(id, object, &mut image);
        if let Some(object) = self.builder.object_mut(object) {
            object.bytes = image.bytes;
            object.pointers = image.pointers;
        }
    }

    /// The functions of one of LLVM's lists of what runs before or after `main`, by priority.
    pub fn listed(&self, name: &str) -> Vec<FunctionId> {
        let list = self.module.globals.iter().find(|g| g.symbol == name);
        let kind = |id: ConstantId| &self.module.constants[id.index()].kind;
        let Some(ConstantKind::Parts(entries)) = list.and_then(|g| g.initial).map(kind) else {
            return Vec::new();
        };
        let mut found: Vec<(u128, FunctionId)> = Vec::new();
        for &entry in entries {
            if let ConstantKind::Parts(parts) = kind(entry)
                && let &[priority, function, ..] = parts.as_slice()
                && let (ConstantKind::Integer(priority), ConstantKind::Function(function)) =
                    (kind(priority), kind(function))
            {
                found.push((*priority, *function));
            }
        }
        found.sort_by_key(|&(priority, _)| priority);
        found.into_iter().map(|(_, function)| function).collect()
    }
}

/// The scalar globals whose address is used for nothing but whole loads and stores. Unlike locals, they are always
/// assigned: they have initial values.
fn promotable(module: &Module, reached: &Reached) -> FxHashSet<GlobalId> {
    let mut promotable: FxHashSet<GlobalId> = (0..module.globals.len() as u32)
        .map(GlobalId)
        .filter(|id| {
            let global = &module.globals[id.index()];
            reached.globals[id.index()] && global.initial.is_some() && module.is_scalar(global.ty)
        })
        .collect();
    let mut seen = FxHashSet::default();
    for (index, global) in module.globals.iter().enumerate() {
        if reached.globals[index]
            && let Some(initial) = global.initial
        {
            take_addresses(module, initial, &mut seen, &mut promotable);
        }
    }
    let functions =
        module.functions.iter().zip(&reached.functions).filter(|(_, reached)| **reached);
    for (function, _) in functions {
        for instruction in &function.instructions {
            let accessed =
                accessed(module, instruction, |operand| module.type_of(function, operand));
            for (position, &operand) in instruction.operands.iter().enumerate() {
                if let Operand::Constant(constant) = operand
                    && accessed != Some(position)
                {
                    take_addresses(module, constant, &mut seen, &mut promotable);
                }
            }
            if let InstructionKind::Call(call) = &instruction.kind
                && let Callee::Pointer(Operand::Constant(constant)) = call.callee
            {
                take_addresses(module, constant, &mut seen, &mut promotable);
            }
        }
    }
    promotable
}

/// The operand that is the address of a global, if the instruction loads or stores the whole of it.
fn accessed(
    module: &Module,
    instruction: &Instruction,
    type_of: impl Fn(Operand) -> Option<crate::module::Ty>,
) -> Option<usize> {
    let (position, ty) = match instruction.kind {
        InstructionKind::Load => (0, Some(instruction.ty)),
        InstructionKind::Store => (1, type_of(*instruction.operands.first()?)),
        _ => return None,
    };
    let Operand::Constant(constant) = *instruction.operands.get(position)? else { return None };
    let ConstantKind::Global(global) = module.constants[constant.index()].kind else { return None };
    (ty == Some(module.globals[global.index()].ty)).then_some(position)
}

fn take_addresses(
    module: &Module,
    constant: ConstantId,
    seen: &mut FxHashSet<ConstantId>,
    promotable: &mut FxHashSet<GlobalId>,
) {
    let mut stack = vec![constant];
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            match &module.constants[id.index()].kind {
                ConstantKind::Global(global) => {
                    promotable.remove(global);
                }
                kind => stack.extend(parts(kind)),
            }
        }
    }
}
