//! The body of a function.
//!
//! An instruction without effects makes no edge. Its value is a term, and whoever uses the value uses the term. That
//! is right as long as the variables in the term have not been assigned since. Variables made for the result of one
//! instruction are safe: a use of an instruction is dominated by it, so between them it does not run again without
//! the instruction whose term it is in. Variables of the source are not. Two rules keep terms with them right:
//!
//! - a value that is used in another block is assigned to a variable of its own at once;
//! - before a variable is assigned, its old value is saved if a value of the block that is still needed has it.

use program::{LocationId, Place, ProcedureId, SiteId, Statement, Trust, VariableRole};
use rustc_hash::FxHashMap;
use term::{Sort, Term};

use super::Lowering;
use super::procedures::Analysis;
use super::sites::What;
use super::values::{Parts, carrier};
use crate::module::{
    BlockId, Function, FunctionId, Instruction, InstructionId, InstructionKind, Location, Operand,
    Ty,
};

pub(super) struct Body<'l, 'm> {
    pub lowering: &'l mut Lowering<'m>,
    pub function: &'m Function,
    pub analysis: &'l Analysis,
    pub procedure: ProcedureId,
    /// The values of instructions, as far as they are known.
    pub values: Vec<Option<Parts>>,
    /// The variables that phis are.
    pub phi_variables: FxHashMap<InstructionId, Parts>,
    /// Values of this block that have variables of the source.
    unsafe_values: Vec<InstructionId>,
    /// Where blocks begin.
    pub starts: Vec<LocationId>,
    /// Where the next edge begins.
    pub at: LocationId,
    /// Whether control has ended in the block.
    pub ended: bool,
    pub block: usize,
    pub current: InstructionId,
}

pub(super) fn lower(lowering: &mut Lowering<'_>, id: FunctionId, analysis: &Analysis) {
    let module = lowering.module;
    let function = &module.functions[id.index()];
    let Some(signature) = lowering.signatures.get(&id) else { return };
    let procedure = signature.procedure;
    let mut starts: Vec<_> =
        function.blocks.iter().map(|_| lowering.builder.location(procedure)).collect();
    let entry = lowering.builder.entry_of(procedure);
    if let Some(first) = starts.first_mut() {
        *first = entry;
    }
    let mut body = Body {
        lowering,
        function,
        analysis,
        procedure,
        values: vec![None; function.instructions.len()],
        phi_variables: FxHashMap::default(),
        unsafe_values: Vec::new(),
        starts,
        at: entry,
        ended: false,
        block: 0,
        current: InstructionId(0),
    };
    body.declare_phis();
    for &block in &analysis.graph.order {
        body.block(block);
    }
}

impl Body<'_, '_> {
    fn block(&mut self, block: usize) {
        self.block = block;
        self.at = self.starts[block];
        self.ended = false;
        self.unsafe_values.clear();
        for id in self.function.blocks[block].instructions() {
            self.current = id;
            self.instruction(id);
            if self.ended {
                return;
            }
        }
    }

    fn instruction(&mut self, id: InstructionId) {
        let instruction = &self.function.instructions[id.index()];
        if self.is_terminator(&instruction.kind) {
            self.terminate(instruction);
            return;
        }
        match &instruction.kind {
            InstructionKind::Phi(_) | InstructionKind::Fence => {}
            InstructionKind::Alloca { .. } => self.alloca(id),
            InstructionKind::Load => self.load(id),
            InstructionKind::Store => self.store(id),
            InstructionKind::Exchange(_) | InstructionKind::CompareExchange => self.atomic(id),
            InstructionKind::Call(call) => {
                self.call(id, call);
                if let (Some(next), false) = (call.next, self.ended) {
                    self.jump(next);
                }
            }
            _ => {
                let value = self.pure(instruction);
                match value.or_else(|| self.wide(instruction)) {
                    Some(value) => self.define(id, value),
                    None => self.unknown_value(id, what_is(&instruction.kind)),
                }
            }
        }
    }

    /// The value of an instruction without effects, except for the checks before it.
    fn pure(&mut self, instruction: &Instruction) -> Option<Parts> {
        let operand =
            |body: &mut Self, index: usize| body.scalar(*instruction.operands.get(index)?);
        match &instruction.kind {
            InstructionKind::Binary { operator, no_signed_wrap } => {
                let (a, b) = (operand(self, 0)?, operand(self, 1)?);
                self.require_scalars(instruction)?;
                self.binary(instruction, *operator, *no_signed_wrap, a, b).map(|value| vec![value])
            }
            InstructionKind::Negate => {
                self.require_scalars(instruction)?;
                let a = operand(self, 0)?;
                Some(vec![self.lowering.builder.terms.fp_neg(a)])
            }
            InstructionKind::Cast(cast) => {
                let from = self.type_of(*instruction.operands.first()?)?;
                let a = operand(self, 0)?;
                self.cast(*cast, a, from, instruction.ty).map(|value| vec![value])
            }
            InstructionKind::Compare(comparison) => {
                self.require_scalars(instruction)?;
                let (a, b) = (operand(self, 0)?, operand(self, 1)?);
                Some(vec![self.lowering.compare(*comparison, a, b)])
            }
            InstructionKind::CompareFloats(comparison) => {
                self.require_scalars(instruction)?;
                let (a, b) = (operand(self, 0)?, operand(self, 1)?);
                Some(vec![self.lowering.compare_floats(*comparison, a, b)])
            }
            InstructionKind::Select => self.select(instruction),
            InstructionKind::Element(source) => self.element(*source, &instruction.operands),
            InstructionKind::ExtractValue(indices) => self.extract_value(instruction, indices),
            InstructionKind::InsertValue(indices) => self.insert_value(instruction, indices),
            InstructionKind::Freeze => self.value(*instruction.operands.first()?),
            _ => None,
        }
    }

    /// Vectors are bit-vectors that are only moved.
    fn require_scalars(&self, instruction: &Instruction) -> Option<()> {
        let operand = self.type_of(*instruction.operands.first()?)?;
        let module = self.lowering.module;
        (module.is_scalar(operand) && module.is_scalar(instruction.ty)).then_some(())
    }

    /// Gives an instruction its value.
    pub fn define(&mut self, id: InstructionId, value: Parts) {
        let graph = &self.analysis.graph;
        if graph.uses[id.index()] == 0 {
            self.values[id.index()] = Some(value);
            return;
        }
        if !value.iter().any(|&part| self.is_unsafe(part)) {
            self.values[id.index()] = Some(value);
            return;
        }
        if graph.escapes[id.index()] {
            let site = self.site_of(id, What::Operand);
            let saved = value.iter().map(|&part| self.save(part, site)).collect();
            self.values[id.index()] = Some(saved);
        } else {
            self.values[id.index()] = Some(value);
            self.unsafe_values.push(id);
        }
    }

    /// Whether the term has a variable that may be assigned.
    fn is_unsafe(&self, term: Term) -> bool {
        let assignable = &self.lowering.assignable;
        self.lowering.builder.terms.variables_of(&[term]).iter().any(|v| assignable.contains(v))
    }

    /// A new variable with the value of the term here.
    pub fn save(&mut self, value: Term, site: SiteId) -> Term {
        let sort = self.lowering.builder.terms.sort(value).clone();
        let variable = self.temporary(&sort);
        self.assign(variable, value, site);
        variable
    }

    /// To be called before variables are assigned: values that are still needed keep what they are.
    pub fn keep_values(&mut self, assigned: impl Fn(&Lowering<'_>, Term) -> bool, site: SiteId) {
        let mut saved: Vec<(Term, Term)> = Vec::new();
        for id in self.unsafe_values.clone() {
            if self.analysis.graph.last_use[id.index()] <= self.current.0 {
                continue;
            }
            let Some(mut value) = self.values[id.index()].clone() else { continue };
            for part in &mut value {
                for variable in self.lowering.builder.terms.variables_of(&[*part]) {
                    if !self.lowering.assignable.contains(&variable)
                        || !assigned(self.lowering, variable)
                    {
                        continue;
                    }
                    let known = saved.iter().find(|(old, _)| *old == variable).map(|&(_, new)| new);
                    let new = known.unwrap_or_else(|| self.save(variable, site));
                    if known.is_none() {
                        saved.push((variable, new));
                    }
                    *part = self.lowering.builder.terms.replace(*part, variable, new);
                }
            }
            self.values[id.index()] = Some(value);
        }
    }

    pub fn temporary(&mut self, sort: &Sort) -> Term {
        let variable = self.lowering.builder.local(self.procedure, "", sort);
        self.lowering.builder.describe(variable, VariableRole::Temporary, None);
        variable
    }

    pub fn emit(&mut self, statement: Statement, site: SiteId) {
        let next = self.lowering.builder.location(self.procedure);
        self.lowering.builder.edge(self.at, next, statement, site);
        self.at = next;
    }

    pub fn assign(&mut self, variable: Term, value: Term, site: SiteId) {
        self.emit(Statement::Assign { place: Place::variable(variable), value }, site);
    }

    /// A value that could be anything, with a gap that says why.
    pub fn unknown_value(&mut self, id: InstructionId, what: &str) {
        let instruction = &self.function.instructions[id.index()];
        self.gap(instruction.location, what);
        self.any_value(id);
    }

    pub fn any_value(&mut self, id: InstructionId) {
        let instruction = &self.function.instructions[id.index()];
        let Some(leaves) = self.lowering.module.leaves(instruction.ty) else { return };
        let site = self.site_of(id, What::Operand);
        let value = leaves.iter().map(|leaf| self.any(&leaf.sort, site)).collect();
        self.define(id, value);
    }

    pub fn any(&mut self, sort: &Sort, site: SiteId) -> Term {
        let variable = self.temporary(&carrier(sort));
        self.emit(Statement::Havoc { place: Place::variable(variable) }, site);
        self.lowering.fit(variable, sort)
    }

    pub fn gap(&mut self, location: Option<Location>, what: &str) {
        let span = self.lowering.span(location, What::Operand);
        self.lowering.gap(span, &format!("{what} is not modelled"));
    }

    /// The value of an operand; none if it cannot be terms.
    pub fn value(&mut self, operand: Operand) -> Option<Parts> {
        match operand {
            Operand::Argument(index) => {
                let ty = self.type_of(operand)?;
                let leaves = self.lowering.module.leaves(ty)?;
                let parameters = self.analysis.parameters.get(index as usize)?;
                let parts = parameters.iter().zip(leaves);
                Some(parts.map(|(&part, leaf)| self.lowering.fit(part, &leaf.sort)).collect())
            }
            Operand::Instruction(id) => self.values.get(id.index())?.clone(),
            Operand::Constant(id) => self.lowering.constant(id),
            Operand::None => None,
        }
    }

    pub fn scalar(&mut self, operand: Operand) -> Option<Term> {
        let ty = self.type_of(operand)?;
        if self.lowering.module.words(ty).is_some() {
            return None;
        }
        match self.value(operand)?.as_slice() {
            &[value] => Some(value),
            _ => None,
        }
    }

    /// An operand that is a number of bytes, or counts elements: 64 bits.
    pub fn scalar_word(&mut self, operand: Operand) -> Option<Term> {
        let value = self.scalar(operand)?;
        match self.lowering.builder.terms.sort(value) {
            Sort::BitVec(_) => Some(self.lowering.resize(value, 64)),
            _ => None,
        }
    }

    pub fn type_of(&self, operand: Operand) -> Option<Ty> {
        self.lowering.module.type_of(self.function, operand)
    }

    pub fn site_of(&mut self, id: InstructionId, what: What) -> SiteId {
        self.site_at(self.function.instructions[id.index()].location, what)
    }

    pub fn site_at(&mut self, location: Option<Location>, what: What) -> SiteId {
        match (location, self.function.trust) {
            (None, Trust::Trusted) => self.lowering.library(&self.function.name),
            (_, trust) => self.lowering.site(location, what, trust),
        }
    }

    pub fn start(&self, block: BlockId) -> LocationId {
        self.starts[block.index()]
    }
}

/// What an instruction without a meaning is called.
fn what_is(kind: &InstructionKind) -> &'static str {
    match kind {
        InstructionKind::Other(name, _) => name,
        _ => "an operation on a vector or a very wide number",
    }
}
