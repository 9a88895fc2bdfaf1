//! The body of a procedure: what holds when it starts, its statements, what must hold when it
//! returns.

use program::{LocationId, Place, ProcedureId, SiteId, Statement, Trust};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Sort, Term};

use super::sites::without_semicolon;
use super::{Lowering, Scope};
use crate::ast::{self, Declaration, ExprId, ExprKind, Span, SpecificationKind};
use crate::check::{Implementation, Procedure, VariableId, VariableKind};

/// What is known when a body starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// Executions of the program begin here: axioms hold.
    Execution,
    /// Somebody calls it, who has assumed the axioms before.
    Call,
}

/// A body that is being lowered.
pub(super) struct Body<'l, 'a> {
    pub lowering: &'l mut Lowering<'a>,
    pub procedure: ProcedureId,
    /// Where the next statement begins; nothing leaves it yet.
    pub at: LocationId,
    /// The variables of the procedure's declaration, if the implementation has its own, and the
    /// values of globals at the start.
    pub scope: Scope,
    pub labels: FxHashMap<&'a str, LocationId>,
    pub breaks: Vec<super::statements::Break<'a>>,
    /// The globals in `scope.old`, in the order in which `old` mentions them.
    snapshots: Vec<VariableId>,
    /// Variables for values of parallel assignments and calls.
    temporaries: FxHashMap<(String, Sort), Term>,
    pub ensures: Vec<super::assertions::Clause>,
}

pub(super) fn lower(
    lowering: &mut Lowering<'_>,
    procedure: &Procedure,
    implementation: &Implementation,
    id: ProcedureId,
    start: Start,
) {
    let Some(text) = lowering.ast.body(implementation.declaration) else { return };
    let mut scope = Scope::default();
    let declared = procedure.parameters.iter().chain(&procedure.results);
    let own = implementation.parameters.iter().chain(&implementation.results);
    for (declared, own) in declared.zip(own).filter(|(declared, own)| declared != own) {
        scope.names.extend(lowering.variables[own.index()].map(|term| (*declared, term)));
    }
    let at = lowering.builder.entry_of(id);
    let mut body = Body {
        lowering,
        procedure: id,
        at,
        scope,
        labels: FxHashMap::default(),
        breaks: Vec::new(),
        snapshots: Vec::new(),
        temporaries: FxHashMap::default(),
        ensures: Vec::new(),
    };
    if start == Start::Execution {
        body.assume_axioms();
    }
    body.assume_signature(procedure, implementation);
    let before = body.at;
    let begin = body.location();
    body.at = begin;
    body.declare_postconditions(procedure);
    body.statements(&text.statements);
    body.finish(Span::new(text.span.end.saturating_sub(1), text.span.end));
    body.at = before;
    body.take_snapshots();
    let at = body.at;
    body.jump(at, begin);
}

impl<'a> Body<'_, 'a> {
    pub fn location(&mut self) -> LocationId {
        self.lowering.builder.location(self.procedure)
    }

    pub fn jump(&mut self, from: LocationId, to: LocationId) {
        self.lowering.builder.jump(from, to);
    }

    /// Adds a statement and goes on after it.
    pub fn step(&mut self, statement: Statement, site: SiteId) {
        let next = self.location();
        self.lowering.builder.edge(self.at, next, statement, site);
        self.at = next;
    }

    pub fn assign(&mut self, variable: Term, value: Term, site: SiteId) {
        self.step(Statement::Assign { place: Place::variable(variable), value }, site);
    }

    pub fn assume(&mut self, condition: Term, site: SiteId) {
        self.step(Statement::Assume { condition }, site);
    }

    /// The term of an expression of this body, or of the specification of its procedure.
    pub fn expression(&mut self, id: ExprId) -> Term {
        self.remember_old(id);
        self.lowering.expression(id, &self.scope)
    }

    /// Assumes something that nobody doubts.
    pub fn trust(&mut self, condition: ExprId, span: Span, what: &str) {
        let term = self.expression(condition);
        let text = format!("{what} {}", self.lowering.line_of(condition));
        let span = without_semicolon(self.lowering.text, span);
        let site = self.lowering.site(span, text, Trust::Trusted);
        self.assume(term, site);
    }

    /// Assumes the `where` clauses of variables, each once.
    pub fn trust_where_clauses(&mut self, variables: impl IntoIterator<Item = VariableId>) {
        let mut seen = FxHashSet::default();
        for id in variables {
            let condition = self.lowering.checked.variable(id).condition;
            if let Some(condition) = condition.filter(|&condition| seen.insert(condition)) {
                let span = self.lowering.ast.expressions[condition].span;
                self.trust(condition, span, "where");
            }
        }
    }

    fn assume_axioms(&mut self) {
        let ast = self.lowering.ast;
        for declaration in &ast.declarations {
            if let Declaration::Axiom(axiom) = declaration {
                self.trust(axiom.condition, axiom.span, "axiom");
            }
        }
        for (condition, text) in self.lowering.uniqueness() {
            let site = self.lowering.invented_site(&text);
            self.assume(condition, site);
        }
        let checked = self.lowering.checked;
        let globals = (0..checked.variables.len()).map(VariableId::new);
        self.trust_where_clauses(
            globals.filter(|&id| checked.variable(id).kind == VariableKind::Global),
        );
    }

    fn assume_signature(&mut self, procedure: &Procedure, implementation: &Implementation) {
        if let Some(declaration) = self.lowering.declaration_of(procedure) {
            for specification in &declaration.specifications {
                if let SpecificationKind::Requires(_, condition) = specification.kind {
                    self.trust(condition, specification.span, "requires");
                }
            }
        }
        let declared = procedure.parameters.iter().chain(&procedure.results);
        let own = implementation.parameters.iter().chain(&implementation.results);
        let locals = &implementation.locals;
        self.trust_where_clauses(declared.chain(own).chain(locals).copied());
    }

    /// Makes sure that the values are at hand which `old` in the expression refers to.
    fn remember_old(&mut self, root: ExprId) {
        let inside = self.lowering.inside_old(root);
        let (ast, checked) = (self.lowering.ast, self.lowering.checked);
        for (id, _) in ast.expressions.subtree(root).zip(inside).filter(|(_, inside)| *inside) {
            let ast::Expr { kind: ExprKind::Name(name), span, .. } = &ast.expressions[id] else {
                continue;
            };
            let Some(variable) = checked.variable_at(*span) else { continue };
            let global = checked.variable(variable).kind == VariableKind::Global;
            if !global || self.scope.old.contains_key(&variable) {
                continue;
            }
            if let Some(term) = self.lowering.variables[variable.index()] {
                let sort = self.lowering.builder.terms.sort(term).clone();
                let name = format!("old#{name}");
                let snapshot = self.lowering.builder.local(self.procedure, &name, &sort);
                self.scope.old.insert(variable, snapshot);
                self.snapshots.push(variable);
            }
        }
    }

    fn take_snapshots(&mut self) {
        for id in std::mem::take(&mut self.snapshots) {
            if let (Some(&snapshot), Some(value)) =
                (self.scope.old.get(&id), self.lowering.variables[id.index()])
            {
                let name = &self.lowering.checked.variable(id).name.name;
                let site = self.lowering.invented_site(&format!("old({name})"));
                self.assign(snapshot, value, site);
            }
        }
    }

    /// A variable for a value that is needed later, shared by statements.
    pub fn temporary(&mut self, name: String, sort: &Sort) -> Term {
        let key = (name, sort.clone());
        if let Some(&known) = self.temporaries.get(&key) {
            return known;
        }
        let term = self.lowering.builder.local(self.procedure, &key.0, sort);
        self.temporaries.insert(key, term);
        term
    }
}

impl Lowering<'_> {
    /// For each type the assumption that its unique constants differ, with a text.
    fn uniqueness(&mut self) -> Vec<(Term, String)> {
        let mut groups: Vec<(crate::types::Type, Vec<usize>)> = Vec::new();
        for (index, variable) in self.checked.variables.iter().enumerate() {
            if variable.kind != (VariableKind::Constant { unique: true }) {
                continue;
            }
            match groups.iter_mut().find(|(of_type, _)| *of_type == variable.of_type) {
                Some((_, group)) => group.push(index),
                None => groups.push((variable.of_type, vec![index])),
            }
        }
        groups.retain(|(_, group)| group.len() > 1);
        groups
            .into_iter()
            .map(|(of_type, group)| {
                let names = group.iter().map(|&i| self.checked.variables[i].name.name.as_str());
                let text = format!("unique {}", names.collect::<Vec<_>>().join(", "));
                let constants: Vec<_> = group.iter().filter_map(|&i| self.variables[i]).collect();
                (self.distinct(of_type, &constants), text)
            })
            .collect()
    }

    /// That the constants differ pairwise. Many constants of a declared type are put in an order
    /// instead: nothing but equality can be observed of them.
    fn distinct(&mut self, of_type: crate::types::Type, constants: &[Term]) -> Term {
        const FEW: usize = 16;
        let terms = &mut self.builder.terms;
        let mut conditions = Vec::new();
        for (index, &a) in constants.iter().enumerate() {
            match (of_type, constants.get(index + 1)) {
                (crate::types::Type::Named(_), Some(&next)) if constants.len() > FEW => {
                    conditions.push(terms.lt(a, next));
                }
                _ => conditions.extend(constants[index + 1..].iter().map(|&b| terms.ne(a, b))),
            }
        }
        terms.and(&conditions)
    }
}
