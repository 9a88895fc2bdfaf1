//! Calls: of procedures, of functions of the world, by pointer.

use program::process::EXTERNALS;
use program::{LocalObject, Memory, SiteId, Statement, VariableRole};
use term::{Format, Sort, Term};

use super::body::Body;
use super::procedures::Signature;
use super::sites::What;
use super::values::{Parts, carrier};
use crate::module::{Call, Callee, FunctionId, InstructionId, Operand, Ty};

/// What is passed: its type, its value, and the type it is a copy of if it is the address of a copy.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub ty: Ty,
    pub value: Parts,
    pub by_value: Option<(Ty, u32)>,
}

/// Functions whose effect on control is not modelled. `setjmp` has none by itself.
const UNMODELLED: [&str; 8] = [
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "pthread_create",
    "thrd_create",
    "fork",
    "vfork",
    "clone",
];

impl Body<'_, '_> {
    pub fn call(&mut self, id: InstructionId, call: &Call) {
        if let Some(property) = self.error_call(id, call) {
            let site = self.site_of(id, What::Call);
            return self.fail(property, site);
        }
        match &call.callee {
            Callee::Intrinsic(name) => self.intrinsic(id, name),
            Callee::Assembly(text) => {
                // Without instructions and results, it only tells the optimiser something.
                if !text.trim().is_empty() || self.analysis.graph.uses[id.index()] > 0 {
                    self.unknown_value(id, "inline assembly");
                }
            }
            Callee::Function(function) => match self.lowering.signatures.get(function).cloned() {
                Some(signature) => self.call_procedure(id, call, &signature),
                None => match self.square_root(id, *function) {
                    Some(root) => self.define(id, vec![root]),
                    None => self.call_external(id, call, *function),
                },
            },
            Callee::Pointer(pointer) => self.call_pointer(id, call, *pointer),
        }
        let callee_returns = match call.callee {
            Callee::Function(function) => {
                !self.lowering.module.functions[function.index()].no_return
            }
            _ => true,
        };
        if call.no_return || !callee_returns {
            self.ended = true;
        }
    }

    fn arguments(&mut self, id: InstructionId, call: &Call) -> Vec<Argument> {
        let operands = &self.function.instructions[id.index()].operands;
        let mut arguments = Vec::new();
        for (&operand, parameter) in operands.iter().zip(&call.signature.parameters) {
            let value = match self.value(operand) {
                Some(value) => value,
                None => {
                    let location = self.function.instructions[id.index()].location;
                    self.gap(location, "an argument of this type");
                    let site = self.site_of(id, What::Call);
                    let leaves = self.lowering.module.leaves(parameter.ty).unwrap_or_default();
                    leaves.iter().map(|leaf| self.any(&leaf.sort, site)).collect()
                }
            };
            arguments.push(Argument { ty: parameter.ty, value, by_value: parameter.by_value });
        }
        arguments
    }

    fn call_procedure(&mut self, id: InstructionId, call: &Call, signature: &Signature) {
        let site = self.site_of(id, What::Call);
        let mut arguments = self.arguments(id, call);
        let fixed = signature.parameters.len().min(arguments.len());
        let extra = if signature.variadic { arguments.split_off(fixed) } else { Vec::new() };
        let mark =
            self.mark_if(arguments.iter().any(|a| a.by_value.is_some()) || !extra.is_empty(), site);
        self.copy_arguments(&mut arguments, site);
        let wanted: Vec<&Sort> = signature.parameters.iter().flatten().collect();
        let mut passed: Vec<Term> = Vec::new();
        let mut given = arguments.iter().flat_map(|argument| &argument.value);
        for sort in wanted {
            // Old code may pass too little, or something of another width.
            let argument = match given.next() {
                Some(&argument) => self.lowering.fit(argument, sort),
                None => self.lowering.zero(sort),
            };
            passed.push(argument);
        }
        if signature.variadic {
            passed.push(self.variadic_object(&extra, site));
        }
        let results: Vec<Term> =
            signature.results.iter().map(|sort| self.temporary(sort)).collect();
        for (&result, ty) in results.iter().zip(&signature.result_types) {
            self.lowering.builder.describe(result, VariableRole::Temporary, *ty);
        }
        self.keep_globals(site);
        self.argument_sites(id, site, &arguments);
        let callee = signature.procedure;
        let statement = Statement::Call { callee, arguments: passed, results: results.clone() };
        self.emit(statement, site);
        self.release(mark, site);
        self.define_results(id, &results, site);
    }

    /// Tells which arguments of the source are passed, if each operand of the call is one of them; the
    /// first operand may be where a structure is to be returned.
    fn argument_sites(&mut self, id: InstructionId, call: SiteId, arguments: &[Argument]) {
        let Some(location) = self.function.instructions[id.index()].location else { return };
        let count = self.lowering.count_arguments(location) as usize;
        let hidden = arguments.len().wrapping_sub(count);
        if count == 0 || hidden > 1 {
            return;
        }
        let mut sites = Vec::new();
        for (number, argument) in arguments.iter().enumerate() {
            let site = match number.checked_sub(hidden) {
                Some(number) => self.site_of(id, What::Argument(number as u32)),
                None => call,
            };
            sites.extend(argument.value.iter().map(|_| site));
        }
        self.lowering.builder.argument_sites(call, sites);
    }

    fn call_external(&mut self, id: InstructionId, call: &Call, function: FunctionId) {
        let site = self.site_of(id, What::Call);
        let name = &self.lowering.module.functions[function.index()].symbol;
        if UNMODELLED.contains(&name.as_str()) {
            let location = self.function.instructions[id.index()].location;
            self.gap(location, &format!("`{name}`"));
        }
        let mut arguments = self.arguments(id, call);
        let mark = self.mark_if(arguments.iter().any(|a| a.by_value.is_some()), site);
        self.copy_arguments(&mut arguments, site);
        let passed = self.flat(&arguments);
        let results = self.result_variables(id);
        let function = self.lowering.builder.external(name);
        let statement =
            Statement::External { function, arguments: passed, results: results.clone() };
        self.emit(statement, site);
        self.release(mark, site);
        self.define_results(id, &results, site);
    }

    /// The function of the C library that is an operator of terms. That it may set `errno` is ignored.
    fn square_root(&mut self, id: InstructionId, function: FunctionId) -> Option<Term> {
        let name = self.lowering.module.functions[function.index()].symbol.as_str();
        let &[operand] = self.function.instructions[id.index()].operands.as_slice() else {
            return None;
        };
        let value = self.scalar(operand)?;
        let expected = match name {
            "sqrt" => Format::Double,
            "sqrtf" => Format::Single,
            _ => return None,
        };
        (self.lowering.format_of(value) == Some(expected))
            .then(|| self.lowering.builder.terms.fp_sqrt(value))
    }

    /// An external function by its name, with these arguments.
    pub fn call_named(
        &mut self,
        name: &str,
        arguments: Vec<Term>,
        results: &[Sort],
        site: SiteId,
    ) -> Parts {
        let function = self.lowering.builder.external(name);
        let results: Vec<Term> = results.iter().map(|sort| self.temporary(sort)).collect();
        let statement = Statement::External { function, arguments, results: results.clone() };
        self.emit(statement, site);
        results
    }

    fn call_pointer(&mut self, id: InstructionId, call: &Call, pointer: Operand) {
        let site = self.site_of(id, What::Call);
        let Some(pointer) = self.scalar_word(pointer) else {
            return self.unknown_value(id, "a call of this kind");
        };
        let mut arguments = self.arguments(id, call);
        let has_copies = arguments.iter().any(|argument| argument.by_value.is_some());
        let mark = self.mark_if(has_copies || call.signature.variadic, site);
        let extra = arguments[call.fixed.min(arguments.len())..].to_vec();
        self.copy_arguments(&mut arguments, site);
        let all = self.flat(&arguments);
        let results = self.result_variables(id);
        self.keep_globals(site);
        let statement =
            |arguments| Statement::CallPointer { pointer, arguments, results: results.clone() };
        if extra.is_empty() && !call.signature.variadic {
            self.emit(statement(all), site);
        } else {
            // A procedure gets the variadic arguments in memory, a function of the world as they are.
            let limits = [EXTERNALS, 1 << 32].map(|limit| self.lowering.word(limit));
            let terms = &mut self.lowering.builder.terms;
            let (below, within) =
                (terms.bv_ult(pointer, limits[0]), terms.bv_ult(pointer, limits[1]));
            let above = terms.not(below);
            let external = terms.and(&[above, within]);
            let internal = terms.not(external);
            let (start, made) = (self.at, self.lowering.made());
            self.emit(Statement::Assume { condition: external }, made);
            self.emit(statement(all), site);
            let end = self.at;
            self.at = start;
            self.emit(Statement::Assume { condition: internal }, made);
            let fixed = &arguments[..call.fixed.min(arguments.len())];
            let mut passed = self.flat(fixed);
            passed.push(self.variadic_object(&extra, site));
            self.emit(statement(passed), site);
            self.lowering.builder.jump(end, self.at);
        }
        self.release(mark, site);
        self.define_results(id, &results, site);
    }

    /// The scalars of arguments, as they leave a function.
    fn flat(&mut self, arguments: &[Argument]) -> Vec<Term> {
        let scalars: Vec<Term> = arguments.iter().flat_map(|a| a.value.iter().copied()).collect();
        scalars
            .into_iter()
            .map(|scalar| {
                let sort = carrier(self.lowering.builder.terms.sort(scalar));
                self.lowering.fit(scalar, &sort)
            })
            .collect()
    }

    /// Replaces addresses of what is passed by value by addresses of copies.
    fn copy_arguments(&mut self, arguments: &mut [Argument], site: SiteId) {
        for argument in arguments {
            if let (Some((ty, align)), &[from]) = (argument.by_value, argument.value.as_slice()) {
                let size = self.lowering.word(self.lowering.module.size(ty));
                let to = self.object(size, align.max(8), site);
                self.memory(Memory::Copy { to, from, size }, site);
                argument.value = vec![to];
            }
        }
    }

    /// The address of a new object without a name.
    pub fn object(&mut self, size: Term, align: u32, site: SiteId) -> Term {
        let target = self.temporary(&Sort::BitVec(64));
        let object = LocalObject { name: String::new(), ty: None, align, declared: None };
        self.memory(Memory::Alloc { target, size, object }, site);
        target
    }

    /// Remembers which objects there are if the call needs some of its own.
    fn mark_if(&mut self, needed: bool, site: SiteId) -> Option<Term> {
        needed.then(|| {
            let target = self.temporary(&Sort::BitVec(64));
            self.memory(Memory::Mark { target }, site);
            target
        })
    }

    fn release(&mut self, mark: Option<Term>, site: SiteId) {
        if let Some(mark) = mark {
            self.memory(Memory::Release { mark }, site);
        }
    }

    /// A procedure may assign every global variable.
    fn keep_globals(&mut self, site: SiteId) {
        self.keep_values(|lowering, variable| lowering.global_variables.contains(&variable), site);
    }

    fn result_variables(&mut self, id: InstructionId) -> Vec<Term> {
        let ty = self.function.instructions[id.index()].ty;
        let leaves = self.lowering.module.leaves(ty).unwrap_or_default();
        leaves.iter().map(|leaf| self.temporary(&carrier(&leaf.sort))).collect()
    }

    fn define_results(&mut self, id: InstructionId, results: &[Term], site: SiteId) {
        let ty = self.function.instructions[id.index()].ty;
        let Some(leaves) = self.lowering.module.leaves(ty) else { return };
        let mut value = Vec::new();
        for (index, leaf) in leaves.iter().enumerate() {
            let part = match results.get(index) {
                Some(&result) => self.lowering.fit(result, &leaf.sort),
                // The definition returns less than the call expects.
                None => self.any(&leaf.sort, site),
            };
            value.push(part);
        }
        self.define(id, value);
    }
}
