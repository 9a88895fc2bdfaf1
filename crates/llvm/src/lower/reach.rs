//! What can be reached from `main`: the C library has much that a program does not use.

use crate::module::{
    Callee, ConstantId, ConstantKind, FunctionId, GlobalId, Instruction, InstructionKind, Module,
    Operand,
};

/// Which functions and global variables a program may use.
#[derive(Clone, Debug)]
pub(super) struct Reached {
    pub functions: Vec<bool>,
    pub globals: Vec<bool>,
}

pub(super) fn reach(module: &Module, roots: &[FunctionId]) -> Reached {
    let mut walk = Walk {
        module,
        reached: Reached {
            functions: vec![false; module.functions.len()],
            globals: vec![false; module.globals.len()],
        },
        constants: vec![false; module.constants.len()],
        functions: Vec::new(),
    };
    roots.iter().for_each(|&root| walk.function(root));
    while let Some(function) = walk.functions.pop() {
        for instruction in &module.functions[function.index()].instructions {
            walk.instruction(instruction);
        }
    }
    walk.reached
}

struct Walk<'m> {
    module: &'m Module,
    reached: Reached,
    constants: Vec<bool>,
    functions: Vec<FunctionId>,
}

impl Walk<'_> {
    fn function(&mut self, id: FunctionId) {
        if !std::mem::replace(&mut self.reached.functions[id.index()], true) {
            self.functions.push(id);
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        for operand in &instruction.operands {
            if let Operand::Constant(constant) = operand {
                self.constant(*constant);
            }
        }
        if let InstructionKind::Call(call) = &instruction.kind {
            match call.callee {
                Callee::Function(function) => self.function(function),
                Callee::Pointer(Operand::Constant(constant)) => self.constant(constant),
                _ => {}
            }
        }
    }

    fn constant(&mut self, id: ConstantId) {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut self.constants[id.index()], true) {
                continue;
            }
            match self.module.constants[id.index()].kind {
                ConstantKind::Global(GlobalId(index)) => {
                    let index = index as usize;
                    if !std::mem::replace(&mut self.reached.globals[index], true) {
                        stack.extend(self.module.globals[index].initial);
                    }
                }
                ConstantKind::Function(function) => self.function(function),
                ref kind => stack.extend(parts(kind)),
            }
        }
    }
}

/// The constants that a constant is made of.
pub(super) fn parts(kind: &ConstantKind) -> Vec<ConstantId> {
    match kind {
        ConstantKind::Parts(parts) => parts.clone(),
        ConstantKind::Binary(_, a, b) => vec![*a, *b],
        ConstantKind::Cast(_, a) => vec![*a],
        ConstantKind::Element(_, base, indices) => [*base].iter().chain(indices).copied().collect(),
        _ => Vec::new(),
    }
}
