//! Variables and procedures, and the clauses of all declarations.

use super::expressions::Place;
use super::{Checker, Implementation, Meaning, Procedure, Variable, VariableId, VariableKind};
use crate::ast::{self, Declaration, Identifier, SpecificationKind, VariableGroup};
use crate::types::Type;

/// The variables of a signature.
type Signature = (Vec<VariableId>, Vec<VariableId>);

impl<'a> Checker<'a> {
    pub(super) fn add_variable(&mut self, variable: Variable) -> VariableId {
        let id = VariableId::new(self.checked.variables.len());
        self.checked.variables_at.insert(variable.name.span.start, id);
        self.checked.variables.push(variable);
        id
    }

    pub(super) fn declare_variables(&mut self) {
        let ast = self.ast;
        for declaration in &ast.declarations {
            match declaration {
                Declaration::Variables(variables) => {
                    for group in &variables.groups {
                        let of_type = self.resolve(&group.type_expr);
                        for name in &group.names {
                            self.declare_global(
                                name,
                                VariableKind::Global,
                                of_type,
                                group.condition,
                            );
                        }
                    }
                }
                Declaration::Constants(constants) => {
                    let of_type = self.resolve(&constants.type_expr);
                    let unique = constants.unique;
                    for name in &constants.names {
                        self.declare_global(name, VariableKind::Constant { unique }, of_type, None);
                    }
                }
                _ => {}
            }
        }
    }

    fn declare_global(
        &mut self,
        name: &'a Identifier,
        kind: VariableKind,
        of_type: Option<Type>,
        condition: Option<ast::ExprId>,
    ) {
        if self.globals.contains_key(name.name.as_str()) {
            return self.already_declared(name, "variable");
        }
        let id = of_type.map(|of_type| {
            self.add_variable(Variable { name: name.clone(), kind, of_type, condition })
        });
        self.globals.insert(&name.name, id);
    }

    /// Creates the variables of a group, without making them visible.
    fn group_variables(
        &mut self,
        group: &'a VariableGroup,
        kind: VariableKind,
    ) -> Vec<(&'a Identifier, Option<VariableId>)> {
        let of_type = self.resolve(&group.type_expr);
        let mutable = group.attributes.iter().any(|attribute| attribute.name.name == "mutable");
        let kind = match kind {
            VariableKind::Parameter if mutable => VariableKind::MutableParameter,
            _ => kind,
        };
        let declare = |name: &'a Identifier| {
            let id = of_type.map(|of_type| {
                self.add_variable(Variable {
                    name: name.clone(),
                    kind,
                    of_type,
                    condition: group.condition,
                })
            });
            (name, id)
        };
        group.names.iter().map(declare).collect()
    }

    /// The variables of a list of groups, if all of them have a type.
    fn signature_variables(
        &mut self,
        groups: &'a [VariableGroup],
        kind: VariableKind,
    ) -> Option<Vec<VariableId>> {
        let variables: Vec<_> =
            groups.iter().flat_map(|group| self.group_variables(group, kind)).collect();
        variables.into_iter().map(|(_, id)| id).collect()
    }

    fn signature(
        &mut self,
        parameters: &'a [VariableGroup],
        results: &'a [VariableGroup],
    ) -> Option<Signature> {
        let parameters = self.signature_variables(parameters, VariableKind::Parameter);
        let results = self.signature_variables(results, VariableKind::Result);
        parameters.zip(results)
    }

    pub(super) fn declare_procedures(&mut self) {
        let ast = self.ast;
        for (index, declaration) in ast.declarations.iter().enumerate() {
            let Declaration::Procedure(declaration) = declaration else {
                continue;
            };
            let name = declaration.name.name.as_str();
            if self.procedures.contains_key(name) {
                self.already_declared(&declaration.name, "procedure");
                continue;
            }
            let signature = self.signature(&declaration.parameters, &declaration.results);
            let id = signature.map(|(parameters, results)| {
                self.checked.procedures.push(Procedure {
                    name: declaration.name.clone(),
                    declaration: index,
                    parameters,
                    results,
                    implementations: Vec::new(),
                });
                super::ProcedureId::new(self.checked.procedures.len() - 1)
            });
            self.procedures.insert(name, id);
            if let Some(id) = id {
                self.checked.procedures_by_name.insert(name.to_owned(), id);
            }
        }
    }

    pub(super) fn check_declarations(&mut self) {
        let ast = self.ast;
        for (index, declaration) in ast.declarations.iter().enumerate() {
            self.locals.clear();
            match declaration {
                Declaration::Type(_) | Declaration::Constants(_) => {}
                Declaration::Axiom(axiom) => {
                    self.condition(axiom.condition, Place::Axiom, "an axiom");
                }
                Declaration::Variables(variables) => self.where_clauses(&variables.groups),
                Declaration::Function(function) => self.check_function(function),
                Declaration::Procedure(procedure) => self.check_procedure(index, procedure),
                Declaration::Implementation(implementation) => {
                    self.check_implementation(index, implementation);
                }
            }
        }
    }

    fn where_clauses(&mut self, groups: &[VariableGroup]) {
        for condition in groups.iter().filter_map(|group| group.condition) {
            self.condition(condition, Place::Where, "a `where` clause");
        }
    }

    fn check_function(&mut self, declaration: &'a ast::FunctionDeclaration) {
        let name = declaration.name.name.as_str();
        let Some(&Some(id)) = self.functions.get(name) else {
            return;
        };
        let function = &self.checked.functions[id.index()];
        let result = function.result;
        let same = function.name.span == declaration.name.span;
        let Meaning::Defined { parameters, body } = function.meaning.clone() else {
            return;
        };
        if !same {
            return;
        }
        let names = declaration.parameters.iter().filter_map(|p| p.name.as_ref());
        for (name, id) in names.zip(parameters) {
            self.declare_local(name, Some(id));
        }
        if let Some(found) = self.expression(body, Place::Function)
            && found != result
        {
            let types = &self.checked.types;
            let message = format!(
                "the result of `{name}` is {}, but its body is {}",
                types.describe(result),
                types.describe(found)
            );
            self.wrong(self.ast.expressions[body].span, message);
        }
    }

    fn declare_local(&mut self, name: &'a Identifier, id: Option<VariableId>) {
        if self.locals.insert(&name.name, id).is_some() {
            self.already_declared(name, "variable");
        }
    }

    /// Makes the variables visible that were created with the signature. A `where`
    /// clause may mention any of them.
    fn show_signature(&mut self, parameters: &'a [VariableGroup], results: &'a [VariableGroup]) {
        for name in parameters.iter().chain(results).flat_map(|group| &group.names) {
            let id = self.checked.variable_at(name.span);
            self.declare_local(name, id);
        }
        self.where_clauses(parameters);
        self.where_clauses(results);
    }

    fn check_procedure(&mut self, index: usize, procedure: &'a ast::Procedure) {
        self.show_signature(&procedure.parameters, &procedure.results);
        for specification in &procedure.specifications {
            match &specification.kind {
                SpecificationKind::Requires(_, condition) => {
                    self.condition(*condition, Place::Requires, "a precondition");
                }
                SpecificationKind::Ensures(_, condition) => {
                    self.condition(*condition, Place::Ensures, "a postcondition");
                }
                SpecificationKind::Modifies(names) => {
                    for name in names {
                        self.check_modified(name);
                    }
                }
            }
        }
        let Some(body) = &procedure.body else {
            return;
        };
        let locals = self.check_body(body);
        let Some(&Some(id)) = self.procedures.get(procedure.name.name.as_str()) else {
            return;
        };
        let known = &mut self.checked.procedures[id.index()];
        if known.declaration == index {
            let implementation = Implementation {
                declaration: index,
                parameters: known.parameters.clone(),
                results: known.results.clone(),
                locals,
            };
            known.implementations.insert(0, implementation);
        }
    }

    fn check_modified(&mut self, name: &'a Identifier) {
        let Some(&id) = self.globals.get(name.name.as_str()) else {
            self.unknown::<()>("variable", &name.name, name.span, |checker| {
                checker.globals.keys().copied().collect()
            });
            return;
        };
        let Some(id) = id else {
            return;
        };
        self.checked.variables_at.insert(name.span.start, id);
        if self.checked.variable(id).kind != VariableKind::Global {
            let message = format!("`{}` is a constant and cannot be modified", name.name);
            self.wrong(name.span, message);
        }
    }

    fn check_implementation(&mut self, index: usize, implementation: &'a ast::Implementation) {
        let signature = self.signature(&implementation.parameters, &implementation.results);
        self.show_signature(&implementation.parameters, &implementation.results);
        let locals = self.check_body(&implementation.body);
        let name = &implementation.name;
        let Some(&id) = self.procedures.get(name.name.as_str()) else {
            self.unknown::<()>("procedure", &name.name, name.span, |checker| {
                checker.procedures.keys().copied().collect()
            });
            return;
        };
        let (Some(id), Some((parameters, results))) = (id, signature) else {
            return;
        };
        let procedure = &self.checked.procedures[id.index()];
        let (expected, returned) = (procedure.parameters.clone(), procedure.results.clone());
        self.compare(name, "parameter", &expected, &parameters);
        self.compare(name, "result", &returned, &results);
        self.checked.procedures[id.index()].implementations.push(Implementation {
            declaration: index,
            parameters,
            results,
            locals,
        });
    }

    /// An implementation has to have the types of its procedure.
    fn compare(
        &mut self,
        name: &Identifier,
        what: &str,
        expected: &[VariableId],
        found: &[VariableId],
    ) {
        if expected.len() != found.len() {
            let message = format!(
                "the procedure `{}` has {}, but this implementation has {}",
                name.name,
                super::expressions::count(expected.len(), what),
                found.len()
            );
            return self.wrong(name.span, message);
        }
        for (&expected, &found) in expected.iter().zip(found) {
            let wanted = self.checked.variable(expected).of_type;
            let variable = self.checked.variable(found);
            if wanted != variable.of_type {
                let types = &self.checked.types;
                let message = format!(
                    "the {what} `{}` is {} here, but {} in the procedure",
                    variable.name.name,
                    types.describe(variable.of_type),
                    types.describe(wanted)
                );
                let span = variable.name.span;
                self.wrong(span, message);
            }
        }
    }

    /// Declares the locals of a body and checks their `where` clauses.
    pub(super) fn declare_locals(&mut self, body: &'a ast::Body) -> Vec<VariableId> {
        let mut locals = Vec::new();
        for group in body.locals.iter().flat_map(|variables| &variables.groups) {
            for (name, id) in self.group_variables(group, VariableKind::Local) {
                self.declare_local(name, id);
                locals.extend(id);
            }
        }
        for variables in &body.locals {
            self.where_clauses(&variables.groups);
        }
        locals
    }
}
