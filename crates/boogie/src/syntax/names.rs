//! The names that edits can use, and where.

use program::syntax::{Declaration as Named, Meaning, Range, Type};
use rustc_hash::FxHashSet;

use super::{Walk, range};
use crate::ast::{
    Block, Body, Declaration, Identifier, Specification, SpecificationKind, Statement,
    StatementKind,
};
use crate::check::{VariableId, VariableKind};
use crate::types::Type as Known;

impl Walk<'_> {
    /// What is known everywhere. A global can be assigned only where it is said to be modified.
    pub(super) fn declare_globals(&mut self) {
        let everywhere = Range::new(0, self.tree.syntax.text.len());
        let ty = self.type_of(Known::Bool);
        for name in ["true", "false"] {
            self.declare(name, ty, Meaning::Constant, everywhere);
        }
        for variable in &self.checked.variables {
            let meaning = match variable.kind {
                VariableKind::Global => Meaning::Parameter,
                VariableKind::Constant { .. } => Meaning::Constant,
                _ => continue,
            };
            let ty = self.type_of(variable.of_type);
            self.declare(&variable.name.name, ty, meaning, everywhere);
        }
        for procedure in &self.checked.procedures {
            let count = procedure.parameters.len();
            let ty = self.signature(&procedure.parameters, &procedure.results);
            self.declare(&procedure.name.name, ty, Meaning::Function(count), everywhere);
        }
        for function in &self.checked.functions {
            let show = |it: &Known| self.checked.types.show(*it);
            let parameters: Vec<String> = function.parameters.iter().map(show).collect();
            let written =
                format!("function ({}) {}", parameters.join(", "), show(&function.result));
            let name = self.tree.syntax.type_named(&written);
            let ty = Type { name, ..Type::UNKNOWN };
            let meaning = Meaning::Function(function.parameters.len());
            self.declare(&function.name.name, ty, meaning, everywhere);
        }
    }

    /// Which procedures can be called instead of each other.
    fn signature(&mut self, parameters: &[VariableId], results: &[VariableId]) -> Type {
        let show = |it: &VariableId| self.checked.types.show(self.checked.variable(*it).of_type);
        let parameters: Vec<String> = parameters.iter().map(show).collect();
        let results: Vec<String> = results.iter().map(show).collect();
        let written = format!("procedure ({}) ({})", parameters.join(", "), results.join(", "));
        let name = self.tree.syntax.type_named(&written);
        Type { name, ..Type::UNKNOWN }
    }

    fn declare(&mut self, name: &str, ty: Type, meaning: Meaning, scope: Range) {
        let is_global = scope.start == 0;
        let is_set = true;
        let name = name.to_owned();
        self.tree.syntax.declarations.push(Named { name, ty, meaning, scope, is_global, is_set });
    }

    /// What is known in a body.
    pub(super) fn declare_locals(&mut self, declaration: &Declaration, body: &Body) {
        let (name, parameters, results): (_, _, _) = match declaration {
            Declaration::Procedure(it) => (&it.name.name, &it.parameters, &it.results),
            Declaration::Implementation(it) => (&it.name.name, &it.parameters, &it.results),
            _ => return,
        };
        let scope = range(body.span);
        let locals = body.locals.iter().flat_map(|it| &it.groups);
        let names = parameters.iter().chain(results).chain(locals).flat_map(|it| &it.names);
        let mut set = FxHashSet::default();
        chosen(&body.statements, &mut set);
        for name in names {
            let Some(id) = self.checked.variable_at(name.span) else { continue };
            let variable = self.checked.variable(id);
            let (meaning, is_set) = match variable.kind {
                VariableKind::Parameter => (Meaning::Parameter, true),
                VariableKind::MutableParameter => (Meaning::Variable, true),
                // Whoever reads one that was never set reads anything.
                _ => (Meaning::Variable, set.contains(&name.name)),
            };
            let ty = self.type_of(variable.of_type);
            self.declare(&name.name, ty, meaning, scope);
            if let Some(last) = self.tree.syntax.declarations.last_mut() {
                last.is_set = is_set;
            }
        }
        for global in self.modified(name, &body.statements, scope) {
            let known =
                self.tree.syntax.declarations.iter().find(|it| {
                    it.is_global && it.name == global && it.meaning == Meaning::Parameter
                });
            if let Some(ty) = known.map(|it| it.ty) {
                self.declare(&global, ty, Meaning::Variable, scope);
            }
        }
    }

    /// The globals that a procedure may assign: those that it says, and those that it assigns anyway.
    fn modified(&self, name: &str, statements: &[Statement], scope: Range) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let declared = self.checked.procedure_named(name);
        let declared = declared.map(|id| self.checked.procedure(id).declaration);
        let declared = declared.and_then(|at| self.ast.declarations.get(at));
        if let Some(Declaration::Procedure(procedure)) = declared {
            let all = procedure.specifications.iter().flat_map(names_of);
            found.extend(all.map(|it| it.name.clone()));
        }
        let mut assigned = FxHashSet::default();
        targets(statements, &mut assigned);
        let is_global = |name: &str| {
            self.checked
                .variables
                .iter()
                .any(|it| it.name.name == name && it.kind == VariableKind::Global)
        };
        let is_local = |name: &str| {
            let mut all = self.tree.syntax.declarations.iter();
            all.any(|it| it.name == name && it.scope == scope)
        };
        let mut others: Vec<String> = assigned
            .into_iter()
            .filter(|name| is_global(name) && !is_local(name) && !found.contains(name))
            .collect();
        others.sort();
        found.extend(others);
        found
    }
}

fn names_of(specification: &Specification) -> &[Identifier] {
    match &specification.kind {
        SpecificationKind::Modifies(names) => names,
        _ => &[],
    }
}

/// Each statement, also those in others.
fn each<'a>(statements: &'a [Statement], visit: &mut dyn FnMut(&'a Statement)) {
    for statement in statements {
        visit(statement);
        let mut inside = |block: &'a Block| each(&block.statements, visit);
        match &statement.kind {
            StatementKind::If(it) => {
                it.arms.iter().map(|arm| &arm.body).chain(&it.otherwise).for_each(&mut inside);
            }
            StatementKind::While(it) => inside(&it.body),
            _ => {}
        }
    }
}

/// What gets a value that is not written down: from the environment, or from another procedure.
fn chosen(statements: &[Statement], found: &mut FxHashSet<String>) {
    each(statements, &mut |statement| match &statement.kind {
        StatementKind::Havoc(names) | StatementKind::Call { targets: names, .. } => {
            found.extend(names.iter().map(|it| it.name.clone()));
        }
        _ => {}
    });
}

/// What is assigned in any way.
fn targets(statements: &[Statement], found: &mut FxHashSet<String>) {
    chosen(statements, found);
    each(statements, &mut |statement| {
        if let StatementKind::Assign { targets, .. } = &statement.kind {
            found.extend(targets.iter().map(|it| it.variable.name.clone()));
        }
    });
}
