//! The procedures that functions become: their parameters, results and variables.

use program::{ProcedureId, SiteId, Trust, Type, TypeId, VariableRole};
use rustc_hash::FxHashMap;
use term::{Sort, Term};

use super::Lowering;
use super::graph::Graph;
use super::promote::{Promotion, promote};
use super::sites::What;
use super::values::carrier;
use crate::module::{
    Function, FunctionId, InstructionId, InstructionKind, Operand, SourceVariable,
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
            for &term in &terms {
                let (role, ty) = match (bound, source) {
                    (Some(_), Some(source)) => (VariableRole::Source, source.ty),
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
        let results: Vec<Term> = module
            .leaves(function.signature.result)
            .unwrap_or_default()
            .iter()
            .map(|leaf| self.builder.result(procedure, "return value", &carrier(&leaf.sort)))
            .collect();
        // A structure in registers is no value of its type.
        let whole = |ty: &TypeId| match module.source_types.get(ty.0 as usize) {
            Some(Type::Struct(_) | Type::Union(_) | Type::Array { .. }) | None => false,
            Some(_) => results.len() == 1,
        };
        let ty = function.source_result.filter(whole);
        for &result in &results {
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
        };
        self.signatures.insert(id, signature);
        Analysis { graph, promotion, parameters, hidden, results, variables }
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
