//! Statements and control flow.

use program::{LocationId, Place, Statement as Step};

use super::attributes;
use super::bodies::Body;
use super::sites::without_semicolon;
use crate::ast::{Attribute, Guard, Identifier, If, Span, Statement, StatementKind, While};

/// An enclosing statement that `break` may leave.
#[derive(Debug)]
pub(super) struct Break<'a> {
    labels: &'a [String],
    kind: Breakable,
    end: LocationId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breakable {
    Loop,
    If,
}

impl<'a> Body<'_, 'a> {
    pub fn statements(&mut self, statements: &'a [Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        let attributes = &statement.attributes;
        let span = without_semicolon(self.lowering.text, statement.span);
        match &statement.kind {
            StatementKind::Label(label) => {
                let here = self.label(&label.name);
                self.jump(self.at, here);
                self.at = here;
            }
            StatementKind::Assign { targets, values } => {
                self.assignment(targets, values, span, attributes);
            }
            StatementKind::Havoc(names) => self.havoc(names, span, attributes),
            StatementKind::Assume(_) if attributes::has(attributes, "halt") => {
                self.at = self.location();
            }
            StatementKind::Assume(condition) if attributes::has(attributes, "error") => {
                self.failure(*condition, span, attributes);
            }
            StatementKind::Assume(condition) => {
                let text = format!("assume {}", self.lowering.line_of(*condition));
                let site = self.lowering.site(span, text, attributes::trust(attributes));
                let condition = self.expression(*condition);
                self.assume(condition, site);
            }
            StatementKind::Assert(condition) => self.assertion(*condition, span, attributes),
            StatementKind::If(statement) => self.if_statement(statement, attributes),
            StatementKind::While(statement) => self.while_statement(statement, attributes),
            StatementKind::Goto(labels) => {
                for label in labels {
                    let target = self.label(&label.name);
                    self.jump(self.at, target);
                }
                self.at = self.location();
            }
            StatementKind::Call { targets, procedure, arguments } => {
                self.call(targets, procedure, arguments, span, attributes);
            }
            StatementKind::Return => {
                let trust = attributes::trust(attributes);
                let site = self.lowering.site(span, "return".to_owned(), trust);
                self.leave(site);
            }
            StatementKind::Break(label) => self.break_from(label.as_ref()),
        }
    }

    fn label(&mut self, name: &'a str) -> LocationId {
        if let Some(&known) = self.labels.get(name) {
            return known;
        }
        let location = self.location();
        self.labels.insert(name, location);
        location
    }

    fn havoc(&mut self, names: &[Identifier], span: Span, attributes: &[Attribute]) {
        let checked = self.lowering.checked;
        let ids = names.iter().filter_map(|name| checked.variable_at(name.span));
        let ids: Vec<_> = ids.collect();
        for (name, id) in names.iter().zip(&ids) {
            let span = if names.len() == 1 { span } else { name.span };
            let text = format!("havoc {}", name.name);
            let site = self.lowering.site(span, text, attributes::trust(attributes));
            if let Some(variable) = self.lowering.variables[id.index()] {
                self.step(Step::Havoc { place: Place::variable(variable) }, site);
            }
        }
        self.trust_where_clauses(ids);
    }

    /// Branches on a condition: to the first location if it holds, to the second if not.
    fn branch(&mut self, guard: Guard, attributes: &[Attribute]) -> (LocationId, LocationId) {
        let (yes, no) = (self.location(), self.location());
        match guard {
            Guard::Nondeterministic(_) => {
                self.jump(self.at, yes);
                self.jump(self.at, no);
            }
            Guard::Condition(id) => {
                let span = self.lowering.ast.expressions[id].span;
                let text = self.lowering.line(span);
                let site = self.lowering.site(span, text, attributes::trust(attributes));
                let condition = self.expression(id);
                let negated = self.lowering.builder.terms.not(condition);
                let builder = &mut self.lowering.builder;
                builder.edge(self.at, yes, Step::Assume { condition }, site);
                builder.edge(self.at, no, Step::Assume { condition: negated }, site);
            }
        }
        (yes, no)
    }

    fn if_statement(&mut self, statement: &'a If, attributes: &[Attribute]) {
        let end = self.location();
        self.breaks.push(Break { labels: &statement.labels, kind: Breakable::If, end });
        for arm in &statement.arms {
            let (yes, no) = self.branch(arm.guard, attributes);
            self.at = yes;
            self.statements(&arm.body.statements);
            self.jump(self.at, end);
            self.at = no;
        }
        if let Some(otherwise) = &statement.otherwise {
            self.statements(&otherwise.statements);
        }
        self.jump(self.at, end);
        self.breaks.pop();
        self.at = end;
    }

    fn while_statement(&mut self, statement: &'a While, attributes: &[Attribute]) {
        let head = self.location();
        self.jump(self.at, head);
        self.at = head;
        self.invariants(&statement.invariants);
        let (body, end) = self.branch(statement.guard, attributes);
        self.breaks.push(Break { labels: &statement.labels, kind: Breakable::Loop, end });
        self.at = body;
        self.statements(&statement.body.statements);
        self.jump(self.at, head);
        self.breaks.pop();
        self.at = end;
    }

    fn break_from(&mut self, label: Option<&Identifier>) {
        let left = self.breaks.iter().rev().find(|enclosing| match label {
            Some(label) => enclosing.labels.contains(&label.name),
            None => enclosing.kind == Breakable::Loop,
        });
        if let Some(end) = left.map(|enclosing| enclosing.end) {
            self.jump(self.at, end);
        }
        self.at = self.location();
    }
}
