//! Statements: targets, labels, calls.

use super::expressions::{Place, are, count};
use super::{Checker, VariableId, VariableKind};
use crate::ast::{Block, Body, ExprId, Guard, Identifier, Statement, StatementKind, Target};
use crate::types::Type;
use std::collections::{HashMap, HashSet};

/// The labels of a body and the blocks they stand in.
#[derive(Default)]
struct Labels<'a> {
    /// The block of each label.
    blocks: HashMap<&'a str, usize>,
    /// The block around each block; that of the body, number 0, is its own.
    parents: Vec<usize>,
}

impl Labels<'_> {
    /// Whether control may jump from one block to a label in another: only outwards.
    fn reaches(&self, mut from: usize, to: usize) -> bool {
        while from != to && from != 0 {
            from = self.parents[from];
        }
        from == to
    }
}

/// Where in a body a statement is.
struct Position<'a> {
    labels: Labels<'a>,
    /// The number of blocks entered so far; blocks are numbered in text order.
    entered: usize,
    block: usize,
    /// The labels of the enclosing `if` and `while` statements.
    breakable: Vec<&'a [String]>,
    loops: usize,
}

impl<'a> Checker<'a> {
    /// Checks a body whose parameters and results are declared; returns its locals.
    pub(super) fn check_body(&mut self, body: &'a Body) -> Vec<VariableId> {
        let locals = self.declare_locals(body);
        let mut labels = Labels::default();
        self.collect_labels(&body.statements, 0, &mut labels);
        let mut position =
            Position { labels, entered: 0, block: 0, breakable: Vec::new(), loops: 0 };
        self.statements(&body.statements, &mut position);
        locals
    }

    fn collect_labels(
        &mut self,
        statements: &'a [Statement],
        parent: usize,
        labels: &mut Labels<'a>,
    ) {
        let block = labels.parents.len();
        labels.parents.push(parent);
        for statement in statements {
            match &statement.kind {
                StatementKind::Label(label) => {
                    let earlier = labels.blocks.insert(&label.name, block);
                    if earlier.is_some() {
                        self.already_declared(label, "label");
                    }
                }
                StatementKind::If(statement) => {
                    let arms = statement.arms.iter().map(|arm| &arm.body);
                    for body in arms.chain(&statement.otherwise) {
                        self.collect_labels(&body.statements, block, labels);
                    }
                }
                StatementKind::While(statement) => {
                    self.collect_labels(&statement.body.statements, block, labels);
                }
                _ => {}
            }
        }
    }

    fn block(&mut self, block: &'a Block, position: &mut Position<'a>) {
        let outer = position.block;
        position.entered += 1;
        position.block = position.entered;
        self.statements(&block.statements, position);
        position.block = outer;
    }

    fn statements(&mut self, statements: &'a [Statement], position: &mut Position<'a>) {
        for statement in statements {
            self.statement(statement, position);
        }
    }

    fn statement(&mut self, statement: &'a Statement, position: &mut Position<'a>) {
        match &statement.kind {
            StatementKind::Label(_) | StatementKind::Return => {}
            StatementKind::Assign { targets, values } => self.assignment(targets, values),
            StatementKind::Havoc(names) => {
                for name in names {
                    self.assignable(name);
                }
            }
            StatementKind::Assume(condition) => {
                self.condition(*condition, Place::Body, "an assumption");
            }
            StatementKind::Assert(condition) => {
                self.condition(*condition, Place::Body, "an assertion");
            }
            StatementKind::If(statement) => {
                position.breakable.push(&statement.labels);
                for arm in &statement.arms {
                    self.guard(arm.guard, "the condition of an `if`");
                    self.block(&arm.body, position);
                }
                if let Some(otherwise) = &statement.otherwise {
                    self.block(otherwise, position);
                }
                position.breakable.pop();
            }
            StatementKind::While(statement) => {
                self.guard(statement.guard, "the condition of a loop");
                for invariant in &statement.invariants {
                    self.condition(invariant.condition, Place::Body, "an invariant");
                }
                position.breakable.push(&statement.labels);
                position.loops += 1;
                self.block(&statement.body, position);
                position.loops -= 1;
                position.breakable.pop();
            }
            StatementKind::Goto(labels) => {
                for label in labels {
                    self.goto(label, position);
                }
            }
            StatementKind::Call { targets, procedure, arguments } => {
                // Boogie refuses it, but programs know what it means: the last one counts.
                let repeated = statement.attributes.iter().any(|a| a.name.name == "repeated");
                if !repeated {
                    self.distinct(targets.iter());
                }
                self.call(targets, procedure, arguments)
            }
            StatementKind::Break(None) if position.loops == 0 => {
                self.wrong(statement.span, "`break` is not inside a loop");
            }
            StatementKind::Break(None) => {}
            StatementKind::Break(Some(label)) => self.break_from(label, position),
        }
    }

    fn guard(&mut self, guard: Guard, what: &str) {
        if let Guard::Condition(condition) = guard {
            self.condition(condition, Place::Body, what);
        }
    }

    fn goto(&mut self, label: &'a Identifier, position: &Position<'a>) {
        match position.labels.blocks.get(label.name.as_str()) {
            Some(&block) if position.labels.reaches(position.block, block) => {}
            Some(_) => {
                let message =
                    format!("`goto` cannot jump into the block with the label `{}`", label.name);
                self.wrong(label.span, message);
            }
            None => self.unknown_label(label, position),
        }
    }

    fn break_from(&mut self, label: &'a Identifier, position: &Position<'a>) {
        let encloses = position.breakable.iter().any(|labels| labels.contains(&label.name));
        if encloses {
            return;
        }
        if position.labels.blocks.contains_key(label.name.as_str()) {
            let message =
                format!("no `if` or `while` with the label `{}` encloses this `break`", label.name);
            return self.wrong(label.span, message);
        }
        self.unknown_label(label, position);
    }

    fn unknown_label(&mut self, label: &Identifier, position: &Position<'a>) {
        self.unknown::<()>("label", &label.name, label.span, |_| {
            position.labels.blocks.keys().copied().collect()
        });
    }

    /// The variable to be changed, unless it cannot be.
    fn assignable(&mut self, name: &'a Identifier) -> Option<VariableId> {
        let id = self.variable(&name.name, name.span)?;
        let what = match self.checked.variable(id).kind {
            VariableKind::Constant { .. } => "constant",
            VariableKind::Parameter | VariableKind::FunctionParameter => "parameter",
            VariableKind::Global
            | VariableKind::Result
            | VariableKind::Local
            | VariableKind::MutableParameter => return Some(id),
        };
        self.wrong(name.span, format!("the {what} `{}` cannot be changed", name.name));
        None
    }

    fn distinct<'t>(&mut self, names: impl Iterator<Item = &'t Identifier>) {
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(name.name.as_str()) {
                let message = format!("`{}` is assigned twice by one statement", name.name);
                self.wrong(name.span, message);
            }
        }
    }

    fn assignment(&mut self, targets: &'a [Target], values: &[ExprId]) {
        self.distinct(targets.iter().map(|target| &target.variable));
        if targets.len() != values.len()
            && let (Some(first), Some(last)) = (targets.first(), targets.last())
        {
            let message = format!(
                "{} cannot be assigned: {} given",
                count(targets.len(), "variable"),
                match values.len() {
                    1 => "only 1 value is".to_owned(),
                    n => format!("{n} values are"),
                }
            );
            self.wrong(first.span.to(last.span), message);
        }
        let wanted: Vec<_> = targets.iter().map(|target| self.target(target)).collect();
        for (i, &value) in values.iter().enumerate() {
            let found = self.expression(value, Place::Body);
            if let (Some(target), Some(&Some(wanted)), Some(found)) =
                (targets.get(i), wanted.get(i), found)
                && wanted != found
            {
                self.mismatch(target, wanted, self.span(value), found);
            }
        }
    }

    fn mismatch(&mut self, target: &Target, wanted: Type, span: crate::ast::Span, found: Type) {
        let types = &self.checked.types;
        let element = if target.indices.is_empty() { "" } else { "the element of " };
        let message = format!(
            "{element}`{}` is {}, but this value is {}",
            target.variable.name,
            types.describe(wanted),
            types.describe(found)
        );
        self.wrong(span, message);
    }

    /// The type of what is assigned to.
    fn target(&mut self, target: &'a Target) -> Option<Type> {
        let id = self.assignable(&target.variable);
        for &index in target.indices.iter().flatten() {
            self.expression(index, Place::Body);
        }
        let mut of_type = self.checked.variable(id?).of_type;
        for (level, indices) in target.indices.iter().enumerate() {
            let described = self.checked.types.describe(of_type);
            let element = if level == 0 { "" } else { "the element of " };
            let shown = format!("{element}`{}` is {described}", target.variable.name);
            of_type = self.element_of(of_type, &shown, target.variable.span, indices)?;
        }
        Some(of_type)
    }

    fn call(&mut self, targets: &'a [Identifier], procedure: &'a Identifier, arguments: &[ExprId]) {
        for &argument in arguments {
            self.expression(argument, Place::Body);
        }
        let assigned: Vec<_> = targets.iter().map(|name| self.assignable(name)).collect();
        let name = procedure.name.as_str();
        let Some(&known) = self.procedures.get(name) else {
            self.unknown::<()>("procedure", name, procedure.span, |checker| {
                checker.procedures.keys().copied().collect()
            });
            return;
        };
        let Some(known) = known.map(|id| self.checked.procedure(id)) else {
            return;
        };
        let type_of = |id: &VariableId| self.checked.variable(*id).of_type;
        let parameters: Vec<_> = known.parameters.iter().map(type_of).collect();
        let results: Vec<_> = known.results.iter().map(type_of).collect();
        self.arguments(procedure, &parameters, arguments);
        if results.len() != targets.len() {
            let message = format!(
                "`{name}` has {}, but {} assigned to",
                count(results.len(), "result"),
                match targets.len() {
                    0 => "none is".to_owned(),
                    n => are(n),
                }
            );
            return self.wrong(procedure.span, message);
        }
        for (i, (target, id)) in targets.iter().zip(assigned).enumerate() {
            let Some(of_type) = id.map(|id| self.checked.variable(id).of_type) else {
                continue;
            };
            if of_type != results[i] {
                let types = &self.checked.types;
                let message = format!(
                    "`{}` is {}, but result {} of `{name}` is {}",
                    target.name,
                    types.describe(of_type),
                    i + 1,
                    types.describe(results[i])
                );
                self.wrong(target.span, message);
            }
        }
    }
}
