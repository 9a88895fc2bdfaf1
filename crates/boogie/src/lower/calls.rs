//! Calls. A procedure with a body is called; one without is replaced by its specification.

use program::{FailureKind, Place, Statement, Trust as SiteTrust};
use rustc_hash::FxHashMap;
use term::Term;

use super::bodies::Body;
use super::sites::without_semicolon;
use super::{Scope, attributes};
use crate::ast::{self, Attribute, ExprId, Identifier, Span, SpecificationKind, Trust};
use crate::check::{Procedure, VariableId};

impl<'a> Body<'_, 'a> {
    pub fn call(
        &mut self,
        targets: &[Identifier],
        callee: &Identifier,
        arguments: &[ExprId],
        span: Span,
        attributes: &[Attribute],
    ) {
        let checked = self.lowering.checked;
        let Some(id) = checked.procedure_named(&callee.name) else { return };
        let procedure = checked.procedure(id);
        let arguments: Vec<Term> = arguments.iter().map(|&a| self.expression(a)).collect();
        let results: Vec<Term> = targets
            .iter()
            .filter_map(|target| checked.variable_at(target.span))
            .filter_map(|id| self.lowering.variables[id.index()])
            .collect();
        let call = Call { span, text: self.lowering.line(span), arguments, results };
        let trust = attributes::trust(attributes);
        self.check_preconditions(procedure, &call, trust);
        let bodies = self.lowering.implementations[id.index()].clone();
        if bodies.is_empty() {
            return self.call_unknown(procedure, call, trust);
        }
        let site = self.lowering.site(span, call.text, trust);
        let (before, after) = (self.at, self.location());
        for &callee in &bodies {
            if bodies.len() > 1 {
                self.at = self.location();
                self.jump(before, self.at);
            }
            let statement = Statement::Call {
                callee,
                arguments: call.arguments.clone(),
                results: call.results.clone(),
            };
            self.lowering.builder.edge(self.at, after, statement, site);
        }
        self.at = after;
    }

    fn check_preconditions(&mut self, procedure: &'a Procedure, call: &Call, trust: SiteTrust) {
        let Some(declaration) = self.lowering.declaration_of(procedure) else { return };
        let parameters = procedure.parameters.iter().copied();
        let names = parameters.zip(call.arguments.iter().copied()).collect();
        let scope = Scope { names, old: FxHashMap::default() };
        for specification in &declaration.specifications {
            let SpecificationKind::Requires(Trust::Checked, condition) = specification.kind else {
                continue;
            };
            let of = format!(" of `{}`", procedure.name.name);
            let property = self.lowering.property(
                FailureKind::Precondition,
                condition,
                &of,
                &specification.attributes,
            );
            let text = call.text.clone();
            let site = self.lowering.checked_site(call.span, text, trust, property);
            let condition = self.lowering.expression(condition, &scope);
            self.check(condition, site);
        }
    }

    /// A procedure without a body may do whatever its specification allows.
    fn call_unknown(&mut self, procedure: &'a Procedure, mut call: Call, trust: SiteTrust) {
        let Some(declaration) = self.lowering.declaration_of(procedure) else { return };
        let modified = self.modified(declaration);
        let changed: Vec<Term> = modified
            .iter()
            .filter_map(|id| self.lowering.variables[id.index()])
            .chain(call.results.iter().copied())
            .collect();
        let clauses = self.promises(procedure, declaration);
        let mut scope = Scope::default();
        if !clauses.is_empty() {
            scope = self.scope_after(procedure, &mut call, &modified, &changed, &clauses);
        }
        let site = self.lowering.site(call.span, call.text, trust);
        for variable in changed {
            self.step(Statement::Havoc { place: Place::variable(variable) }, site);
        }
        self.trust_where_clauses(modified);
        for (condition, span, keyword) in clauses {
            let term = self.lowering.expression(condition, &scope);
            let text = format!("{keyword} {}", self.lowering.line_of(condition));
            let span = without_semicolon(self.lowering.text, span);
            let site = self.lowering.site(span, text, SiteTrust::Trusted);
            self.assume(term, site);
        }
    }

    /// The globals in the `modifies` clauses, each once.
    fn modified(&self, declaration: &ast::Procedure) -> Vec<VariableId> {
        let mut modified: Vec<VariableId> = Vec::new();
        for specification in &declaration.specifications {
            if let SpecificationKind::Modifies(names) = &specification.kind {
                for name in names {
                    let id = self.lowering.checked.variable_at(name.span);
                    modified.extend(id.filter(|id| !modified.contains(id)));
                }
            }
        }
        modified
    }

    /// What holds after a call of a procedure without a body.
    fn promises(
        &self,
        procedure: &Procedure,
        declaration: &ast::Procedure,
    ) -> Vec<(ExprId, Span, &'static str)> {
        let expressions = &self.lowering.ast.expressions;
        let mut clauses = Vec::new();
        for &result in &procedure.results {
            if let Some(condition) = self.lowering.checked.variable(result).condition
                && clauses.last().is_none_or(|(last, _, _)| *last != condition)
            {
                clauses.push((condition, expressions[condition].span, "where"));
            }
        }
        for specification in &declaration.specifications {
            if let SpecificationKind::Ensures(_, condition) = specification.kind {
                clauses.push((condition, specification.span, "ensures"));
            }
        }
        clauses
    }

    /// What the names in a specification stand for after the call. Values from before it are saved
    /// if the call may change them and a clause mentions them.
    fn scope_after(
        &mut self,
        procedure: &Procedure,
        call: &mut Call,
        modified: &[VariableId],
        changed: &[Term],
        clauses: &[(ExprId, Span, &'static str)],
    ) -> Scope {
        let (mentioned, mentioned_in_old) = self.mentioned(clauses);
        let mut scope = Scope::default();
        for (&parameter, &argument) in procedure.parameters.iter().zip(&call.arguments) {
            let terms = &self.lowering.builder.terms;
            let changes = changed.iter().any(|&variable| terms.mentions(argument, variable));
            let value = match changes && mentioned.contains(&parameter) {
                true => {
                    let name = &self.lowering.checked.variable(parameter).name.name;
                    self.saved(format!("{}#{name}", procedure.name.name), argument)
                }
                false => argument,
            };
            scope.names.insert(parameter, value);
        }
        for (&result, &target) in procedure.results.iter().zip(&call.results) {
            scope.names.insert(result, target);
        }
        let overwritten: Vec<Term> = call.results.clone();
        for id in mentioned_in_old {
            let Some(term) = self.lowering.variables[id.index()] else { continue };
            if modified.contains(&id) || overwritten.contains(&term) {
                let name = &self.lowering.checked.variable(id).name.name;
                let saved = self.saved(format!("{}#old#{name}", procedure.name.name), term);
                scope.old.insert(id, saved);
            }
        }
        scope
    }

    /// The variables in the clauses, and the globals among them that are inside `old`.
    fn mentioned(
        &self,
        clauses: &[(ExprId, Span, &'static str)],
    ) -> (Vec<VariableId>, Vec<VariableId>) {
        let (mut all, mut old) = (Vec::new(), Vec::new());
        for &(root, _, _) in clauses {
            let inside = self.lowering.inside_old(root);
            for (index, id) in self.lowering.ast.expressions.subtree(root).enumerate() {
                let expression = &self.lowering.ast.expressions[id];
                if !matches!(expression.kind, ast::ExprKind::Name(_)) {
                    continue;
                }
                let Some(id) = self.lowering.checked.variable_at(expression.span) else { continue };
                let list = match inside.get(index) {
                    Some(true) if self.lowering.is_global(id) => &mut old,
                    _ => &mut all,
                };
                if !list.contains(&id) {
                    list.push(id);
                }
            }
        }
        (all, old)
    }
}

/// A call as it is written.
struct Call {
    span: Span,
    text: String,
    arguments: Vec<Term>,
    results: Vec<Term>,
}
