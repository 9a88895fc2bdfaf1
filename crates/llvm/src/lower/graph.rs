//! The blocks of a function: their order, and where values are used.

use crate::module::{Block, BlockId, Callee, Function, InstructionId, InstructionKind, Operand};

#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// The reachable blocks, each after the blocks that dominate it.
    pub order: Vec<usize>,
    pub predecessors: Vec<Vec<usize>>,
    /// The block of each instruction.
    pub block_of: Vec<usize>,
    reachable: Vec<bool>,
    /// The last instruction in the block of a value that uses it. Uses by phis count at the end of the block that
    /// control comes from.
    pub last_use: Vec<u32>,
    /// Whether a value is used in other blocks.
    pub escapes: Vec<bool>,
    pub uses: Vec<u32>,
    /// Whether all that is done with an address is to load from there, or to store to there.
    pub is_only_accessed: Vec<bool>,
}

impl Graph {
    pub fn new(function: &Function) -> Graph {
        let count = function.blocks.len();
        let order = order(function);
        let mut reachable = vec![false; count];
        order.iter().for_each(|&block| reachable[block] = true);
        let mut predecessors = vec![Vec::new(); count];
        for &block in &order {
            for next in successors(function, function.blocks[block]) {
                if !predecessors[next.index()].contains(&block) {
                    predecessors[next.index()].push(block);
                }
            }
        }
        let mut block_of = vec![0; function.instructions.len()];
        for (index, block) in function.blocks.iter().enumerate() {
            block.instructions().for_each(|id| block_of[id.index()] = index);
        }
        let total = function.instructions.len();
        let mut graph = Graph {
            order,
            predecessors,
            block_of,
            reachable,
            last_use: vec![0; total],
            escapes: vec![false; total],
            uses: vec![0; total],
            is_only_accessed: vec![true; total],
        };
        graph.collect_uses(function);
        graph.collect_accesses(function);
        graph
    }

    pub fn reachable_instruction(&self, id: InstructionId) -> bool {
        self.reachable[self.block_of[id.index()]]
    }

    fn collect_uses(&mut self, function: &Function) {
        for (index, instruction) in function.instructions.iter().enumerate() {
            if !self.reachable[self.block_of[index]] {
                continue;
            }
            let callee = match &instruction.kind {
                InstructionKind::Call(call) => match call.callee {
                    Callee::Pointer(pointer) => Some(pointer),
                    _ => None,
                },
                _ => None,
            };
            for (position, &operand) in instruction.operands.iter().chain(&callee).enumerate() {
                let Operand::Instruction(id) = operand else { continue };
                let (block, at) = match &instruction.kind {
                    InstructionKind::Phi(from) => {
                        let from = from.get(position).map_or(0, |block| block.index());
                        (from, function.blocks[from].end.0)
                    }
                    _ => (self.block_of[index], index as u32),
                };
                self.uses[id.index()] += 1;
                if self.block_of[id.index()] == block {
                    self.last_use[id.index()] = self.last_use[id.index()].max(at);
                } else {
                    self.escapes[id.index()] = true;
                }
            }
        }
    }

    /// From the end, because whoever computes the address of an element of an element may only access it, too.
    fn collect_accesses(&mut self, function: &Function) {
        for (index, instruction) in function.instructions.iter().enumerate().rev() {
            let address = match &instruction.kind {
                InstructionKind::Load => Some(0),
                InstructionKind::Store => Some(1),
                InstructionKind::Element(_) if self.is_only_accessed[index] => Some(0),
                _ => None,
            };
            for (position, &operand) in instruction.operands.iter().enumerate() {
                if let Operand::Instruction(id) = operand {
                    self.is_only_accessed[id.index()] &= address == Some(position);
                }
            }
        }
    }
}

/// Where control may go at the end of a block.
pub(super) fn successors(function: &Function, block: Block) -> Vec<BlockId> {
    let Some(last) = block.instructions().next_back() else { return Vec::new() };
    match &function.instructions[last.index()].kind {
        InstructionKind::Jump(target) => vec![*target],
        InstructionKind::Branch { then, otherwise } => vec![*then, *otherwise],
        InstructionKind::Switch { default, cases } => {
            [*default].into_iter().chain(cases.iter().map(|&(_, target)| target)).collect()
        }
        InstructionKind::IndirectJump(targets) | InstructionKind::Other(_, targets) => {
            targets.clone()
        }
        InstructionKind::Call(call) => call.next.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The reverse of the order in which a depth-first walk leaves the blocks.
fn order(function: &Function) -> Vec<usize> {
    if function.blocks.is_empty() {
        return Vec::new();
    }
    let mut seen = vec![false; function.blocks.len()];
    seen[0] = true;
    let mut stack = vec![(0, successors(function, function.blocks[0]))];
    let mut left = Vec::new();
    while let Some((block, next)) = stack.last_mut() {
        match next.pop() {
            Some(target) if !std::mem::replace(&mut seen[target.index()], true) => {
                let successors = successors(function, function.blocks[target.index()]);
                stack.push((target.index(), successors));
            }
            Some(_) => {}
            None => {
                left.push(*block);
                stack.pop();
            }
        }
    }
    left.reverse();
    left
}
