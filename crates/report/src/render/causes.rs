//! The tree of causes, as JSON and as text.

use serde_json::{Value, json as object};

use super::json::location;
use crate::causes::{CauseReport, CauseTree};

/// The tree as nested objects. An entry that influences several others is written out below the one
/// through which it was reached first; elsewhere its id refers to it.
pub fn tree_value(tree: &CauseTree) -> Value {
    // Children come after their parents, so backwards every child is ready when it is needed.
    let mut ready: Vec<Vec<Value>> = vec![Vec::new(); tree.causes.len()];
    let mut root = Value::Null;
    for (id, cause) in tree.causes.iter().enumerate().rev() {
        let children = std::mem::take(&mut ready[id]);
        let value = cause_value(id, cause, children.into_iter().rev().collect());
        match cause.parent {
            Some(parent) => ready[parent].push(value),
            None => root = value,
        }
    }
    object!({
        "complete": tree.incomplete.is_none(),
        "incomplete_because": tree.incomplete,
        "entries": tree.causes.len(),
        "tree": root,
    })
}

fn cause_value(id: usize, cause: &CauseReport, children: Vec<Value>) -> Value {
    let statements = cause.statements.iter().map(|statement| {
        let mut value = location(statement.location.as_ref());
        if let Value::Object(fields) = &mut value {
            fields.insert("statement".to_owned(), statement.text.clone().into());
            fields.insert("value".to_owned(), statement.value.clone().into());
            fields.insert("executions".to_owned(), statement.executions.into());
        }
        value
    });
    let influences = cause.influences.iter().map(|influence| {
        object!({
            "id": influence.cause,
            "kind": influence.kind,
            "confirmed": influence.confirmed,
            "sentence": influence.sentence,
        })
    });
    let instances = cause.instances.iter().map(|instance| {
        object!({
            "execution": instance.execution,
            "values": instance.values,
            "why": instance.why,
        })
    });
    object!({
        "id": id,
        "level": cause.level,
        "condition": location(cause.location.as_ref()),
        "text": cause.condition,
        "values": cause.values,
        "cause": statements.collect::<Vec<_>>(),
        "why": cause.why,
        "evidence": cause.evidence,
        "instances": instances.collect::<Vec<_>>(),
        "influenced_by": influences.collect::<Vec<_>>(),
        "children": children,
    })
}
