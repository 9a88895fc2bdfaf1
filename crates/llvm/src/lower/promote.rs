//! Which memory is a variable.
//!
//! clang gives every local variable a place in memory, and reads and writes it there. If the address of a scalar is
//! used for nothing else, and it is written on every way to a read, then it is a variable of the program, as its
//! programmer thinks of it. All others stay objects in memory: an access may fail, and what was never written is
//! known as such.

use rustc_hash::FxHashMap;

use super::graph::Graph;
use crate::module::{
    Call, Callee, Cast, ConstantKind, Function, InstructionId, InstructionKind, Module, Operand, Ty,
};

/// What becomes of the allocas of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Promotion {
    /// The allocas that are variables.
    pub variables: FxHashMap<InstructionId, Promoted>,
    /// For each parameter the variable it is.
    pub bound: Vec<Option<InstructionId>>,
    /// The stores by which clang copies parameters into their allocas: nothing happens there.
    pub bindings: Vec<InstructionId>,
    /// The variable that holds what is returned, and how it is read.
    pub result: Option<InstructionId>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Promoted {
    pub ty: Ty,
    pub loads: u32,
    /// Without the binding of a parameter.
    pub stores: u32,
}

pub(super) fn promote(module: &Module, function: &Function, graph: &Graph) -> Promotion {
    let mut variables = candidates(module, function, graph);
    unassigned(function, graph, &variables).iter().for_each(|alloca| {
        variables.remove(alloca);
    });
    let mut promotion = Promotion {
        variables,
        bound: vec![None; function.signature.parameters.len()],
        ..Promotion::default()
    };
    bind_parameters(module, function, &mut promotion);
    promotion.result = result(function, &promotion);
    promotion
}

/// The allocas of scalars that are only loaded and stored as a whole.
fn candidates(
    module: &Module,
    function: &Function,
    graph: &Graph,
) -> FxHashMap<InstructionId, Promoted> {
    let mut candidates = FxHashMap::default();
    let Some(entry) = function.blocks.first() else { return candidates };
    for id in entry.instructions() {
        let instruction = &function.instructions[id.index()];
        if let InstructionKind::Alloca { allocated, .. } = instruction.kind
            && module.is_scalar(allocated)
            && instruction.operands.first().is_some_and(|&count| module.is_one(count))
        {
            candidates.insert(id, Promoted { ty: allocated, loads: 0, stores: 0 });
        }
    }
    for (index, instruction) in function.instructions.iter().enumerate() {
        if !graph.reachable_instruction(InstructionId(index as u32)) {
            continue;
        }
        for (position, operand) in instruction.operands.iter().enumerate() {
            let &Operand::Instruction(id) = operand else { continue };
            let Some(candidate) = candidates.get_mut(&id) else { continue };
            match &instruction.kind {
                InstructionKind::Load if instruction.ty == candidate.ty => candidate.loads += 1,
                InstructionKind::Store
                    if position == 1
                        && module.type_of(function, instruction.operands[0])
                            == Some(candidate.ty) =>
                {
                    candidate.stores += 1;
                }
                InstructionKind::Call(call) if is_hint(call) => {}
                _ => {
                    candidates.remove(&id);
                }
            }
        }
        if let InstructionKind::Call(call) = &instruction.kind
            && let Callee::Pointer(Operand::Instruction(id)) = call.callee
        {
            candidates.remove(&id);
        }
    }
    candidates
}

/// Says when a variable is alive; nothing else.
fn is_hint(call: &Call) -> bool {
    matches!(&call.callee, Callee::Intrinsic(name) if name.starts_with("lifetime."))
}

/// The candidates that some way from the entry reads before it writes: a forward analysis, in which a candidate is
/// assigned at the start of a block if it is at the end of all its predecessors.
fn unassigned(
    function: &Function,
    graph: &Graph,
    candidates: &FxHashMap<InstructionId, Promoted>,
) -> Vec<InstructionId> {
    let mut order: Vec<InstructionId> = candidates.keys().copied().collect();
    order.sort();
    let number: FxHashMap<InstructionId, usize> =
        order.iter().enumerate().map(|(index, &id)| (id, index)).collect();
    let words = order.len().div_ceil(64);
    let stored = |id: InstructionId| match function.instructions[id.index()].kind {
        InstructionKind::Store => match function.instructions[id.index()].operands.get(1) {
            Some(Operand::Instruction(alloca)) => number.get(alloca).copied(),
            _ => None,
        },
        _ => None,
    };
    let mut at_end: Vec<Vec<u64>> = vec![vec![u64::MAX; words]; function.blocks.len()];
    let at_start = |block: usize, at_end: &[Vec<u64>]| {
        if block == 0 {
            return vec![0; words];
        }
        let mut set = vec![u64::MAX; words];
        for &before in &graph.predecessors[block] {
            set.iter_mut().zip(&at_end[before]).for_each(|(a, b)| *a &= b);
        }
        set
    };
    loop {
        let mut changed = false;
        for &block in &graph.order {
            let mut set = at_start(block, &at_end);
            for index in function.blocks[block].instructions().filter_map(stored) {
                set[index / 64] |= 1 << (index % 64);
            }
            changed |= set != at_end[block];
            at_end[block] = set;
        }
        if !changed {
            break;
        }
    }
    let mut found = Vec::new();
    for &block in &graph.order {
        let mut set = at_start(block, &at_end);
        for id in function.blocks[block].instructions() {
            if let Some(index) = stored(id) {
                set[index / 64] |= 1 << (index % 64);
            }
            let instruction = &function.instructions[id.index()];
            if let (InstructionKind::Load, Some(Operand::Instruction(alloca))) =
                (&instruction.kind, instruction.operands.first())
                && let Some(&index) = number.get(alloca)
                && set[index / 64] & 1 << (index % 64) == 0
            {
                found.push(*alloca);
            }
        }
    }
    found
}

/// A parameter is its variable if it is copied there first and used for nothing else. A `_Bool` comes as one bit and
/// is stored as a byte.
fn bind_parameters(module: &Module, function: &Function, promotion: &mut Promotion) {
    let Some(entry) = function.blocks.first() else { return };
    let mut uses: FxHashMap<Operand, u32> = FxHashMap::default();
    for operand in function.instructions.iter().flat_map(|i| &i.operands) {
        *uses.entry(*operand).or_default() += 1;
    }
    let mut touched = Vec::new();
    for id in entry.instructions() {
        let instruction = &function.instructions[id.index()];
        let alloca = match (&instruction.kind, instruction.operands.as_slice()) {
            (InstructionKind::Load, [Operand::Instruction(alloca), ..]) => {
                touched.push(*alloca);
                continue;
            }
            (InstructionKind::Store, [_, Operand::Instruction(alloca)]) => *alloca,
            _ => continue,
        };
        let once = |operand: Operand| uses.get(&operand) == Some(&1);
        let stored = instruction.operands[0];
        let parameter = match stored {
            Operand::Argument(index) if once(stored) => Some(index),
            Operand::Instruction(cast) if once(stored) => {
                let cast = &function.instructions[cast.index()];
                match (&cast.kind, cast.operands.as_slice()) {
                    (
                        InstructionKind::Cast(Cast::ZeroExtend),
                        &[from @ Operand::Argument(index)],
                    ) if once(from) && module.is_bit_to_byte(function, from, cast.ty) => {
                        Some(index)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(index) = parameter
            && !touched.contains(&alloca)
            && let Some(promoted) = promotion.variables.get_mut(&alloca)
            && let Some(bound @ None) = promotion.bound.get_mut(index as usize)
        {
            promoted.stores -= 1;
            *bound = Some(alloca);
            promotion.bindings.push(id);
        }
        touched.push(alloca);
    }
}

/// clang collects what is returned in an alloca if there are several `return`s.
fn result(function: &Function, promotion: &Promotion) -> Option<InstructionId> {
    let mut returns =
        function.instructions.iter().filter(|i| matches!(i.kind, InstructionKind::Return));
    let (only, None) = (returns.next()?, returns.next()) else { return None };
    let &[Operand::Instruction(load)] = only.operands.as_slice() else { return None };
    let load = &function.instructions[load.index()];
    let (InstructionKind::Load, &[Operand::Instruction(alloca)]) =
        (&load.kind, load.operands.as_slice())
    else {
        return None;
    };
    let promoted = promotion.variables.get(&alloca)?;
    let is_named = function.variables.iter().any(|v| v.address == Operand::Instruction(alloca));
    let is_bound = promotion.bound.contains(&Some(alloca));
    (promoted.loads == 1 && !is_named && !is_bound).then_some(alloca)
}

impl Module {
    /// Whether values of the type are kept in variables.
    pub(super) fn is_scalar(&self, ty: Ty) -> bool {
        use crate::module::TyKind::{Double, Extended, Integer, Pointer, Single};
        match self.types[ty.index()].kind {
            Integer(width) => width <= term::MAX_WIDTH,
            Single | Double | Extended | Pointer => true,
            _ => false,
        }
    }

    fn is_one(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Constant(c)
            if self.constants[c.index()].kind == ConstantKind::Integer(1))
    }

    fn is_bit_to_byte(&self, function: &Function, from: Operand, to: Ty) -> bool {
        use crate::module::TyKind::Integer;
        let from = self.type_of(function, from).map(|ty| &self.types[ty.index()].kind);
        from == Some(&Integer(1)) && self.types[to.index()].kind == Integer(8)
    }

    pub(super) fn type_of(&self, function: &Function, operand: Operand) -> Option<Ty> {
        match operand {
            Operand::Argument(index) => {
                function.signature.parameters.get(index as usize).map(|p| p.ty)
            }
            Operand::Instruction(id) => function.instructions.get(id.index()).map(|i| i.ty),
            Operand::Constant(id) => self.constants.get(id.index()).map(|c| c.ty),
            Operand::None => None,
        }
    }
}
