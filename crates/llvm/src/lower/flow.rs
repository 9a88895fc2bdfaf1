//! Where control goes: jumps, branches, switches, returns, and the values that phis choose.

use program::{FailureKind, LocationId, Place, Program, Property, SiteId, Statement};
use term::Term;

use super::body::Body;
use super::constants::label;
use super::sites::What;
use super::values::Parts;
use crate::module::{BlockId, Instruction, InstructionId, InstructionKind, Location, Operand};

/// How many blocks that only decide are passed through at once.
const THREADED: u32 = 16;

/// Where an edge leads.
#[derive(Clone, Debug)]
pub(super) enum Destination {
    At(LocationId),
    /// The block only says that something is wrong; at this site, if it is not where that is decided.
    Error(Property, Option<SiteId>),
}

impl Body<'_, '_> {
    pub fn is_terminator(&self, kind: &InstructionKind) -> bool {
        use InstructionKind::*;
        match kind {
            Return | Jump(_) | Branch { .. } | Switch { .. } | IndirectJump(_) | Unreachable => {
                true
            }
            Other(_, next) => {
                !next.is_empty() || self.current.0 + 1 == self.function.blocks[self.block].end.0
            }
            _ => false,
        }
    }

    pub fn terminate(&mut self, instruction: &Instruction) {
        self.ended = true;
        match &instruction.kind {
            InstructionKind::Return => self.leave(instruction),
            InstructionKind::Jump(target) => self.jump(*target),
            InstructionKind::Branch { then, otherwise } => {
                let operand = instruction.operands.first().copied().unwrap_or(Operand::None);
                match self.scalar(operand) {
                    Some(condition) => {
                        let site = self.condition_site(instruction.location, operand);
                        let from = self.block;
                        self.branch(self.at, from, condition, *then, *otherwise, site, 0);
                    }
                    None => self.any_way(instruction, &[*then, *otherwise]),
                }
            }
            InstructionKind::Switch { default, cases } => {
                self.switch(instruction, *default, cases);
            }
            InstructionKind::IndirectJump(targets) => self.indirect_jump(instruction, targets),
            InstructionKind::Unreachable => {
                let site = self.site_of(self.current, What::Operand);
                let message = "control comes to where the compiler says it cannot".to_owned();
                self.fail(Property { kind: FailureKind::Unreachable, message }, site);
            }
            InstructionKind::Other(name, next) => {
                self.gap(instruction.location, name);
                let next = next.clone();
                self.any_way(instruction, &next);
            }
            _ => {}
        }
    }

    /// Control may go any of these ways.
    fn any_way(&mut self, instruction: &Instruction, targets: &[BlockId]) {
        let site = self.site_at(instruction.location, What::Operand);
        let always = self.lowering.builder.terms.bool(true);
        for &target in targets {
            let destination = self.enter(self.block, target, 0);
            self.assume(self.at, always, &destination, site);
        }
    }

    fn leave(&mut self, instruction: &Instruction) {
        let site = self.site_at(instruction.location, What::Return);
        let results = self.analysis.results.clone();
        if self.analysis.promotion.result.is_none()
            && let Some(&operand) = instruction.operands.first()
        {
            let value = self.value(operand).unwrap_or_default();
            for (index, &result) in results.iter().enumerate() {
                let sort = self.lowering.builder.terms.sort(result).clone();
                let part = match value.get(index) {
                    Some(&part) => self.lowering.fit(part, &sort),
                    None => self.any(&sort, site),
                };
                self.assign(result, part, site);
            }
        }
        let exit = self.lowering.builder.exit_of(self.procedure);
        self.lowering.builder.edge(self.at, exit, Statement::Return, site);
    }

    pub fn jump(&mut self, target: BlockId) {
        self.ended = true;
        match self.enter(self.block, target, 0) {
            Destination::At(location) => self.lowering.builder.jump(self.at, location),
            Destination::Error(property, _) => {
                let site = self.error_site(target);
                self.fail(property, site);
            }
        }
    }

    /// The site of the call that a block begins with.
    fn error_site(&mut self, block: BlockId) -> SiteId {
        let first = self.first_effect(block);
        match first {
            Some(id) => self.site_of(id, What::Call),
            None => self.lowering.made(),
        }
    }

    /// Fails here, whatever the values are.
    pub fn fail(&mut self, property: Property, site: SiteId) {
        self.ended = true;
        let site = self.lowering.with_property(site, property);
        let condition = self.lowering.builder.terms.bool(true);
        let statement = Statement::Assume { condition };
        self.lowering.builder.edge(self.at, Program::ERROR, statement, site);
    }

    fn assume(&mut self, from: LocationId, condition: Term, to: &Destination, site: SiteId) {
        let statement = Statement::Assume { condition };
        match to {
            Destination::At(location) => {
                self.lowering.builder.edge(from, *location, statement, site);
            }
            Destination::Error(property, own) => {
                // Of `assert(a && b)`, the whole condition is the assertion, whichever operand is false.
                let own = own.filter(|&own| {
                    property.kind != FailureKind::Assertion || self.lowering.contains(own, site)
                });
                let site = self.lowering.with_property(own.unwrap_or(site), property.clone());
                self.lowering.builder.edge(from, Program::ERROR, statement, site);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn branch(
        &mut self,
        from: LocationId,
        block: usize,
        condition: Term,
        then: BlockId,
        otherwise: BlockId,
        site: SiteId,
        depth: u32,
    ) {
        let then = self.enter(block, then, depth);
        let otherwise = self.enter(block, otherwise, depth);
        let negation = self.lowering.builder.terms.not(condition);
        let mut ways = [(condition, then), (negation, otherwise)];
        // The search goes the first way first: to a failure, if there is one.
        if matches!(ways[1].1, Destination::Error(..)) {
            ways.reverse();
        }
        for (condition, destination) in ways {
            if !self.lowering.builder.terms.is_false(condition) {
                self.assume(from, condition, &destination, site);
            }
        }
    }

    fn condition_site(&mut self, location: Option<Location>, tested: Operand) -> SiteId {
        let tested = match tested {
            Operand::Instruction(id) => self.function.instructions[id.index()].location,
            _ => None,
        };
        // A branch that clang has not placed is where its condition is.
        let location = location.or(tested);
        let tested = tested
            .filter(|tested| Some(tested.file) == location.map(|location| location.file))
            .map(|tested| (tested.line, tested.column));
        self.site_at(location, What::Condition(tested))
    }

    /// One edge for each target: the disjunction of its cases.
    fn switch(&mut self, instruction: &Instruction, default: BlockId, cases: &[(u128, BlockId)]) {
        let operand = instruction.operands.first().copied().unwrap_or(Operand::None);
        let Some(value) = self.scalar(operand) else {
            let targets: Vec<_> = cases.iter().map(|c| c.1).chain([default]).collect();
            return self.any_way(instruction, &targets);
        };
        let site = self.condition_site(instruction.location, operand);
        let bits = self.lowering.bits_of(value);
        let width = self.lowering.width(bits);
        let mut targets: Vec<(BlockId, Vec<Term>)> = Vec::new();
        let mut all = Vec::new();
        for &(case, target) in cases {
            let case = self.lowering.bits(width, case);
            let equal = self.lowering.equal(bits, case);
            all.push(equal);
            match targets.iter_mut().find(|(known, _)| *known == target) {
                Some((_, conditions)) => conditions.push(equal),
                None => targets.push((target, vec![equal])),
            }
        }
        let any = self.lowering.builder.terms.or(&all);
        let none = self.lowering.builder.terms.not(any);
        match targets.iter_mut().find(|(known, _)| *known == default) {
            Some((_, conditions)) => conditions.push(none),
            None => targets.push((default, vec![none])),
        }
        for (target, conditions) in targets {
            let condition = self.lowering.builder.terms.or(&conditions);
            if !self.lowering.builder.terms.is_false(condition) {
                let destination = self.enter(self.block, target, 0);
                self.assume(self.at, condition, &destination, site);
            }
        }
    }

    fn indirect_jump(&mut self, instruction: &Instruction, targets: &[BlockId]) {
        let operand = instruction.operands.first().copied().unwrap_or(Operand::None);
        let Some(address) = self.scalar(operand) else {
            return self.any_way(instruction, targets);
        };
        let site = self.site_at(instruction.location, What::Operand);
        let mut seen: Vec<BlockId> = Vec::new();
        for &target in targets {
            if !seen.contains(&target) {
                seen.push(target);
                let number = self.lowering.word(label(target));
                let condition = self.lowering.equal(address, number);
                let destination = self.enter(self.block, target, 0);
                self.assume(self.at, condition, &destination, site);
            }
        }
    }

    /// Where control is when it enters a block from another: phis are assigned on the way.
    pub fn enter(&mut self, from: usize, to: BlockId, depth: u32) -> Destination {
        if let Some(property) = self.error_block(to) {
            // What an assertion says is at its condition; other calls speak for themselves.
            let own = match property.kind {
                FailureKind::Assertion => self.first_effect(to).map(|id| {
                    let location = self.function.instructions[id.index()].location;
                    self.site_at(location, What::Condition(None))
                }),
                _ => Some(self.error_site(to)),
            };
            return Destination::Error(property, own);
        }
        let phis = self.phis(to);
        if phis.is_empty() {
            return Destination::At(self.start(to));
        }
        if depth < THREADED
            && let Some(destination) = self.decide(from, to, depth)
        {
            return destination;
        }
        let resume = (self.at, self.lowering.builder.location(self.procedure));
        self.at = resume.1;
        self.assign_phis(from, &phis);
        let end = self.at;
        self.at = resume.0;
        self.lowering.builder.jump(end, self.start(to));
        Destination::At(resume.1)
    }

    /// A block that only branches on what a phi has chosen, as clang makes for `while (a && b)`, is passed through:
    /// whoever comes from `b` branches on `b`.
    fn decide(&mut self, from: usize, block: BlockId, depth: u32) -> Option<Destination> {
        let ids: Vec<_> = self.function.blocks[block.index()].instructions().collect();
        let &[phi, branch] = ids.as_slice() else { return None };
        let branch = &self.function.instructions[branch.index()];
        let InstructionKind::Branch { then, otherwise } = branch.kind else { return None };
        if branch.operands.first() != Some(&Operand::Instruction(phi))
            || self.analysis.graph.uses[phi.index()] != 1
        {
            return None;
        }
        let tested = self.incoming(phi, from)?;
        let condition = self.scalar(tested)?;
        let terms = &self.lowering.builder.terms;
        if terms.is_true(condition) {
            return Some(self.enter(block.index(), then, depth + 1));
        }
        if terms.is_false(condition) {
            return Some(self.enter(block.index(), otherwise, depth + 1));
        }
        let site = self.condition_site(branch.location, tested);
        let start = self.lowering.builder.location(self.procedure);
        self.branch(start, block.index(), condition, then, otherwise, site, depth + 1);
        Some(Destination::At(start))
    }

    fn phis(&self, block: BlockId) -> Vec<InstructionId> {
        let ids = self.function.blocks[block.index()].instructions();
        let is_phi = |id: &InstructionId| {
            matches!(self.function.instructions[id.index()].kind, InstructionKind::Phi(_))
        };
        ids.take_while(is_phi).collect()
    }

    /// Makes the variables that phis are.
    pub fn declare_phis(&mut self) {
        for &block in &self.analysis.graph.order {
            for phi in self.phis(BlockId(block as u32)) {
                let ty = self.function.instructions[phi.index()].ty;
                let Some(leaves) = self.lowering.module.leaves(ty) else { continue };
                let variables: Parts =
                    leaves.iter().map(|leaf| self.temporary(&leaf.sort)).collect();
                self.values[phi.index()] = Some(variables.clone());
                self.phi_variables.insert(phi, variables);
            }
        }
    }

    /// What a phi chooses when control comes from a block.
    fn incoming(&self, phi: InstructionId, from: usize) -> Option<Operand> {
        let phi = &self.function.instructions[phi.index()];
        let InstructionKind::Phi(blocks) = &phi.kind else { return None };
        let position = blocks.iter().position(|block| block.index() == from)?;
        phi.operands.get(position).copied()
    }

    /// All phis change at once: if one reads another, both values are saved first.
    fn assign_phis(&mut self, from: usize, phis: &[InstructionId]) {
        let mut assignments: Vec<(Term, Term, SiteId)> = Vec::new();
        for &phi in phis {
            let variables: Parts = self.phi_variables.get(&phi).cloned().unwrap_or_default();
            let operand = self.incoming(phi, from).unwrap_or(Operand::None);
            let location = match operand {
                Operand::Instruction(id) => self.function.instructions[id.index()].location,
                _ => None,
            };
            let location = location.or(self.function.instructions[phi.index()].location);
            let site = self.site_at(location, What::Operand);
            let value = self.value(operand).unwrap_or_default();
            for (index, &variable) in variables.iter().enumerate() {
                let sort = self.lowering.builder.terms.sort(variable).clone();
                let part = match value.get(index) {
                    Some(&part) => self.lowering.fit(part, &sort),
                    None => self.lowering.zero(&sort),
                };
                assignments.push((variable, part, site));
            }
        }
        let terms = &self.lowering.builder.terms;
        let reads_assigned = assignments.iter().enumerate().any(|(index, &(_, value, _))| {
            assignments[..index].iter().any(|&(variable, ..)| terms.mentions(value, variable))
        });
        if reads_assigned {
            for assignment in &mut assignments {
                assignment.1 = self.save(assignment.1, assignment.2);
            }
        }
        for (variable, value, site) in assignments {
            let place = Place::variable(variable);
            self.emit(Statement::Assign { place, value }, site);
        }
    }
}
