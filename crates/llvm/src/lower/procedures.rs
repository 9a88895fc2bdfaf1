//! The procedures that functions become: their parameters, results and variables.

use program::{ProcedureId, SiteId, Trust, Type, TypeId, VariableRole};
use rustc_hash::FxHashMap;
use term::{Sort, Term};

use super::Lowering;
use super::graph::Graph;
use super::promote::{Promotion, promote};
use super::sites::What;
use super::values::{Leaf, carrier};
use crate::module::{
    Function, FunctionId, InstructionId, InstructionKind, Operand, SourceVariable, TyKind,
};

/// What callers must know.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub procedure: ProcedureId,
    /// The sorts of the parameters of each parameter in LLVM: a struct in registers is several.
    pub parameters: Vec<Vec<Sort>>,
    /// Whether the address of the variadic arguments follows.
    pub variadic: bool,
    pub results: Vec<Sort>,
    /// Structures, or parts of them: nothing else tells what they are on their way.
    pub result_types: Vec<Option<TypeId>>,
}

/// What is known about a function before its body is lowered.
#[derive(Clone, Debug)]
pub(super) struct Analysis {
    pub graph: Graph,
    pub promotion: Promotion,
    /// The parameters of the procedure, as in the signature.
    pub parameters: Vec<Vec<Term>>,
    pub hidden: Option<Term>,
    pub results: Vec<Term>,
    /// The variables that allocas are.
    pub variables: FxHashMap<InstructionId, Term>,
}

impl Lowering<'_> {
    pub fn declare_procedures(&mut self, functions: &[FunctionId]) -> Vec<Analysis> {
        // All procedures first: their numbers are addresses.
        let procedures: Vec<_> = functions
            .iter()
            .map(|&id| self.builder.procedure(&self.module.functions[id.index()].name))
            .collect();
        functions.iter().zip(procedures).map(|(&id, p)| self.declare_procedure(id, p)).collect()
    }

    fn declare_procedure(&mut self, id: FunctionId, procedure: ProcedureId) -> Analysis {
        let module = self.module;
        let function = &module.functions[id.index()];
        let graph = Graph::new(function);
        let promotion = promote(module, function, &graph);
        let mut variables = FxHashMap::default();
        let mut parameters = Vec::new();
        for (index, parameter) in function.signature.parameters.iter().enumerate() {
            let leaves = module.leaves(parameter.ty).unwrap_or_default();
            let bound = promotion.bound[index];
            let source = match bound {
                Some(alloca) => source_variable(function, Operand::Instruction(alloca)),
                None => unbound_parameter(function, Operand::Argument(index as u32)),
            };
            let name = source.map_or_else(|| format!("argument {}", index + 1), |v| v.name.clone());
            let terms: Vec<Term> = leaves
                .iter()
                .map(|leaf| self.builder.parameter(procedure, &name, &carrier(&leaf.sort)))
                .collect();
            for (&term, leaf) in terms.iter().zip(&leaves) {
                let (role, ty) = match (bound, source) {
                    (Some(_), Some(source)) => (VariableRole::Source, source.ty),
                    (None, Some(source)) => {
                        (VariableRole::Temporary, self.in_register(source.ty, leaf))
                    }
                    _ => (VariableRole::Temporary, None),
                };
                self.builder.describe(term, role, ty);
            }
            if let (Some(alloca), &[term]) = (bound, terms.as_slice()) {
                variables.insert(alloca, term);
                if promotion.variables.get(&alloca).is_some_and(|p| p.stores > 0) {
                    self.assignable.insert(term);
                }
            }
            parameters.push(terms);
        }
        let hidden = function.signature.variadic.then(|| {
            let term = self.builder.parameter(procedure, "...", &Sort::BitVec(64));
            self.builder.describe(term, VariableRole::Temporary, None);
            term
        });
        let leaves = module.leaves(function.signature.result).unwrap_or_default();
        let results: Vec<Term> = leaves
            .iter()
            .map(|leaf| self.builder.result(procedure, "return value", &carrier(&leaf.sort)))
            .collect();
        let result_types: Vec<Option<TypeId>> =
            leaves.iter().map(|leaf| self.in_register(function.source_result, leaf)).collect();
        for (&result, &structure) in results.iter().zip(&result_types) {
            let scalar = function.source_result.filter(|&ty| !self.is_aggregate(ty));
            let ty = structure.or(scalar.filter(|_| results.len() == 1));
            self.builder.describe(result, VariableRole::Temporary, ty);
        }
        self.declare_locals(function, procedure, &promotion, &results, &mut variables);
        let sorts = |terms: &[Term]| -> Vec<Sort> {
            terms.iter().map(|&term| self.builder.terms.sort(term).clone()).collect()
        };
        let signature = Signature {
            procedure,
            parameters: parameters.iter().map(|terms| sorts(terms)).collect(),
            variadic: hidden.is_some(),
            results: sorts(&results),
            result_types,
        };
        self.signatures.insert(id, signature);
        Analysis { graph, promotion, parameters, hidden, results, variables }
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        let ty = self.module.source_types.get(ty.0 as usize);
        matches!(ty, Some(Type::Struct(_) | Type::Union(_) | Type::Array { .. }))
    }

    fn is_pointer(&self, leaf: &Leaf) -> bool {
        matches!(self.module.types[leaf.ty.index()].kind, TyKind::Pointer)
    }

    /// The type of a register with a structure, or with a part of one. A pointer is none.
    fn in_register(&self, whole: Option<TypeId>, leaf: &Leaf) -> Option<TypeId> {
        whole.filter(|&ty| !self.is_pointer(leaf) && self.is_aggregate(ty))
    }

    /// Where a variable of the user is declared.
    pub(super) fn declared(
        &mut self,
        function: &Function,
        variable: &SourceVariable,
    ) -> Option<SiteId> {
        let place = self.occurrences(variable.location?, &variable.name).first().copied()?;
        let user = function.trust == Trust::User;
        user.then(|| self.site(Some(place), What::Operand, Trust::User))
    }

    fn declare_locals(
        &mut self,
        function: &Function,
        procedure: ProcedureId,
        promotion: &Promotion,
        results: &[Term],
        variables: &mut FxHashMap<InstructionId, Term>,
    ) {
        let mut allocas: Vec<_> = promotion.variables.iter().collect();
        allocas.sort_by_key(|(id, _)| **id);
        for (&alloca, promoted) in allocas {
            if variables.contains_key(&alloca) {
                continue;
            }
            if promotion.result == Some(alloca)
                && let &[result] = results
            {
                variables.insert(alloca, result);
                self.assignable.insert(result);
                continue;
            }
            let Some(sort) = self.module.scalar_sort(promoted.ty) else { continue };
            // One bit is a byte in a variable, too.
            let sort = carrier(&sort);
            let source = source_variable(function, Operand::Instruction(alloca));
            let name = source.map_or("", |variable| variable.name.as_str());
            let term = self.builder.local(procedure, name, &sort);
            let role = match source {
                Some(_) => VariableRole::Source,
                None => VariableRole::Temporary,
            };
            self.builder.describe(term, role, source.and_then(|variable| variable.ty));
            if let Some(site) = source.and_then(|variable| self.declared(function, variable)) {
                self.builder.declare_at(term, site);
            }
            self.assignable.insert(term);
            variables.insert(alloca, term);
        }
    }
}

/// The variable of the source at an address.
pub(super) fn source_variable(function: &Function, address: Operand) -> Option<&SourceVariable> {
    function.variables.iter().find(|variable| variable.address == address)
}

/// The variable of a parameter that stays in memory: it is passed there, or copied there first.
fn unbound_parameter(function: &Function, argument: Operand) -> Option<&SourceVariable> {
    let entry = function.blocks.first()?;
    let address = entry.instructions().find_map(|id| {
        let instruction = &function.instructions[id.index()];
        match (&instruction.kind, instruction.operands.as_slice()) {
            (InstructionKind::Store, &[stored, to]) if stored == argument => Some(to),
            _ => None,
        }
    });
    source_variable(function, argument).or_else(|| source_variable(function, address?))
}
