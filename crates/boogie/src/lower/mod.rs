//! From a checked syntax tree to a [`Program`].
//!
//! What Boogie has and programs have not is expressed by what they have: uninterpreted types are
//! integers of which only equality is used, maps of several arguments are maps of maps, functions
//! without a body are maps that nobody changes, axioms and `where` clauses are assumptions, and
//! assertions, preconditions, postconditions and invariants are branches to the error location.
//! Whatever is made up here is *trusted*: the user did not write it and need not doubt it.

mod assertions;
mod assignments;
mod attributes;
mod bits;
mod bodies;
mod calls;
mod entries;
mod expressions;
mod functions;
mod sites;
mod sorts;
mod statements;

use program::{Builder, ProcedureId, Program, SourceFile};
use rustc_hash::FxHashMap;
use term::Term;

use crate::ast::{Ast, Declaration, Span};
use crate::check::{Checked, VariableId, VariableKind};
use crate::error::Error;
use crate::lower::functions::Functions;
use crate::lower::sorts::Sorts;

pub(crate) fn lower(
    name: &str,
    text: &str,
    ast: &Ast,
    checked: &Checked,
) -> Result<Program, Error> {
    let mut lowering = Lowering::new(name, text, ast, checked);
    lowering.declare_globals();
    lowering.define_functions();
    lowering.declare_procedures();
    lowering.lower_bodies();
    match lowering.problem {
        Some(problem) => Err(problem),
        None => lowering.builder.finish().map_err(|error| Error::internal(error.to_string())),
    }
}

struct Lowering<'a> {
    ast: &'a Ast,
    checked: &'a Checked,
    text: &'a str,
    builder: Builder,
    sorts: Sorts,
    /// The terms of the variables, by id. Those of a procedure without a body have none.
    variables: Vec<Option<Term>>,
    functions: Functions,
    /// For each procedure of the text the procedures made of its implementations.
    implementations: Vec<Vec<ProcedureId>>,
    /// The first thing that is too much for us, if any.
    problem: Option<Error>,
}

/// What variables stand for where that is not their own term.
#[derive(Clone, Debug, Default)]
struct Scope {
    names: FxHashMap<VariableId, Term>,
    /// The same inside `old`.
    old: FxHashMap<VariableId, Term>,
}

impl<'a> Lowering<'a> {
    fn new(name: &str, text: &'a str, ast: &'a Ast, checked: &'a Checked) -> Lowering<'a> {
        Lowering {
            ast,
            checked,
            text,
            builder: Builder::new(program::Language::Boogie, vec![SourceFile::new(name, text)]),
            sorts: Sorts::default(),
            variables: vec![None; checked.variables.len()],
            functions: Functions::new(checked.functions.len()),
            implementations: Vec::new(),
            problem: None,
        }
    }

    fn declare_globals(&mut self) {
        let names = attributes::names_of_globals(self.ast);
        for (index, variable) in self.checked.variables.iter().enumerate() {
            if let VariableKind::Global | VariableKind::Constant { .. } = variable.kind {
                let sort = self.sort_at(variable.of_type, variable.name.span);
                let start = variable.name.span.start;
                let name = names.get(&start).unwrap_or(&variable.name.name);
                self.variables[index] = Some(self.builder.global(name, &sort));
            }
        }
    }

    fn declare_procedures(&mut self) {
        let checked = self.checked;
        for procedure in &checked.procedures {
            let ids = procedure.implementations.iter().map(|implementation| {
                let declaration = &self.ast.declarations[implementation.declaration];
                let title = attributes::name_of_procedure(&self.ast.expressions, declaration);
                let id = self.builder.procedure(title.as_deref().unwrap_or(&procedure.name.name));
                let names = attributes::names_of_locals(&self.ast.expressions, declaration);
                let groups: [(&[VariableId], Declare); 3] = [
                    (&implementation.parameters, Builder::parameter),
                    (&implementation.results, Builder::result),
                    (&implementation.locals, Builder::local),
                ];
                for (variables, declare) in groups {
                    for &variable in variables {
                        let declared = checked.variable(variable);
                        let sort = self.sort_at(declared.of_type, declared.name.span);
                        let start = declared.name.span.start;
                        let name = names.get(&start).unwrap_or(&declared.name.name);
                        let term = declare(&mut self.builder, id, name, &sort);
                        self.variables[variable.index()] = Some(term);
                    }
                }
                id
            });
            let ids = ids.collect();
            self.implementations.push(ids);
        }
    }

    fn lower_bodies(&mut self) {
        let entries = entries::choose(self.ast, self.checked);
        for (index, procedure) in self.checked.procedures.iter().enumerate() {
            for (implementation, &id) in
                procedure.implementations.iter().zip(&self.implementations[index].clone())
            {
                let start = match entries.contains(&index) {
                    true => bodies::Start::Execution,
                    false => bodies::Start::Call,
                };
                bodies::lower(self, procedure, implementation, id, start);
            }
        }
        for entry in entries {
            for &id in &self.implementations[entry] {
                self.builder.enter_at(id);
            }
        }
    }

    /// Remembers what is too much for us.
    fn refuse(&mut self, span: Span, message: impl Into<String>) {
        if self.problem.is_none() {
            self.problem = Some(Error::unsupported(span, message));
        }
    }

    fn is_global(&self, id: VariableId) -> bool {
        self.checked.variable(id).kind == VariableKind::Global
    }

    fn declaration_of(
        &self,
        procedure: &crate::check::Procedure,
    ) -> Option<&'a crate::ast::Procedure> {
        match &self.ast.declarations[procedure.declaration] {
            Declaration::Procedure(declaration) => Some(declaration),
            _ => None,
        }
    }
}

/// How the builder declares a variable of a procedure.
type Declare = fn(&mut Builder, ProcedureId, &str, &term::Sort) -> Term;
