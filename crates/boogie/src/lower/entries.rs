//! Where executions begin.

use rustc_hash::FxHashSet;

use super::attributes;
use crate::ast::{
    Ast, Attribute, AttributeArgument, Declaration, ExprKind, Statement, StatementKind,
};
use crate::check::Checked;

/// The entry procedures, as indices: those with the attribute `{:entrypoint}`; without any, that
/// with a well-known name; without it, those that no other procedure calls. All have a body.
pub(super) fn choose(ast: &Ast, checked: &Checked) -> Vec<usize> {
    if let Some(marked) = marked(ast, checked) {
        return marked;
    }
    let has_body = |&index: &usize| !checked.procedures[index].implementations.is_empty();
    let named = ["ULTIMATE.start", "main", "Main"];
    let named = named.iter().filter_map(|name| checked.procedure_named(name));
    if let Some(entry) = named.map(|id| id.index()).find(has_body) {
        return vec![entry];
    }
    let called = called(ast, checked);
    let all = || (0..checked.procedures.len()).filter(has_body);
    let roots: Vec<usize> = all().filter(|index| !called.contains(index)).collect();
    if roots.is_empty() { all().take(1).collect() } else { roots }
}

/// The procedures with the attribute, if it occurs at all, in the order of its numbers.
fn marked(ast: &Ast, checked: &Checked) -> Option<Vec<usize>> {
    let mut marked = None;
    for (index, procedure) in checked.procedures.iter().enumerate() {
        let Declaration::Procedure(declaration) = &ast.declarations[procedure.declaration] else {
            continue;
        };
        let Some(attribute) = attributes::find(&declaration.attributes, "entrypoint") else {
            continue;
        };
        let places = places(ast, attribute);
        let entries: &mut Vec<(usize, usize)> = marked.get_or_insert_default();
        if !procedure.implementations.is_empty() {
            entries.extend(places.into_iter().map(|place| (place, index)));
        }
    }
    let mut marked = marked?;
    marked.sort_by_key(|&(place, _)| place);
    Some(marked.into_iter().map(|(_, index)| index).collect())
}

fn places(ast: &Ast, attribute: &Attribute) -> Vec<usize> {
    let place = |argument: &AttributeArgument| match argument {
        AttributeArgument::Expression(id) => match &ast.expressions[*id].kind {
            ExprKind::Int(place) => usize::try_from(place).ok(),
            ExprKind::Bool(false) => None,
            _ => Some(0),
        },
        AttributeArgument::Text { .. } => Some(0),
    };
    match attribute.arguments.as_slice() {
        [] => vec![0],
        arguments => arguments.iter().filter_map(place).collect(),
    }
}

/// The procedures that another one calls.
fn called(ast: &Ast, checked: &Checked) -> FxHashSet<usize> {
    let mut called = FxHashSet::default();
    for (index, procedure) in checked.procedures.iter().enumerate() {
        for implementation in &procedure.implementations {
            if let Some(body) = ast.body(implementation.declaration) {
                let mut callees = Vec::new();
                collect_calls(&body.statements, &mut callees);
                let callees = callees.into_iter().filter_map(|name| checked.procedure_named(name));
                called.extend(callees.map(|id| id.index()).filter(|&callee| callee != index));
            }
        }
    }
    called
}

fn collect_calls<'a>(statements: &'a [Statement], callees: &mut Vec<&'a str>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Call { procedure, .. } => callees.push(&procedure.name),
            StatementKind::If(statement) => {
                let arms = statement.arms.iter().map(|arm| &arm.body);
                for block in arms.chain(&statement.otherwise) {
                    collect_calls(&block.statements, callees);
                }
            }
            StatementKind::While(statement) => {
                collect_calls(&statement.body.statements, callees);
            }
            _ => {}
        }
    }
}
