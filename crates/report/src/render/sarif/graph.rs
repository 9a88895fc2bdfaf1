//! The tree of causes as a graph: conditions, with the statements that made them hold inside, and influences between them.

use serde_json::{Value, json as object};

use super::places::Places;
use super::plain;
use crate::causes::{CauseReport, CauseTree};

/// The entries nearest to the failure are shown.
const MOST_ENTRIES: usize = 200;

pub fn cause_graph(places: &mut Places<'_>, tree: &CauseTree) -> Option<Value> {
    if tree.causes.is_empty() {
        return None;
    }
    let shown = &tree.causes[..tree.causes.len().min(MOST_ENTRIES)];
    let nodes: Vec<Value> =
        shown.iter().enumerate().map(|(id, cause)| node(places, id, cause)).collect();
    let mut edges = Vec::new();
    for (id, cause) in shown.iter().enumerate() {
        for (number, influence) in cause.influences.iter().enumerate() {
            if influence.cause < shown.len() {
                edges.push(object!({
                    "id": edge_id(id, number),
                    "label": { "text": plain(&influence.sentence) },
                    "sourceNodeId": node_id(influence.cause),
                    "targetNodeId": node_id(id),
                    "properties": { "kind": influence.kind, "confirmed": influence.confirmed },
                }));
            }
        }
    }
    Some(object!({
        "description": { "text": "How it came about: causes, from the failure on" },
        "nodes": nodes,
        "edges": edges,
    }))
}

fn node_id(cause: usize) -> String {
    format!("c{cause}")
}

fn edge_id(cause: usize, influence: usize) -> String {
    format!("c{cause}e{influence}")
}

fn node(places: &mut Places<'_>, id: usize, cause: &CauseReport) -> Value {
    let mut value = object!({
        "id": node_id(id),
        "label": { "text": plain(if cause.why.is_empty() { &cause.held } else { &cause.why }) },
    });
    if let Some(at) = &cause.location {
        value["location"] = places.bare_location(at);
    }
    let mut children = Vec::new();
    for (number, statement) in cause.statements.iter().enumerate() {
        let text = match statement.value.as_str() {
            "" => format!("`{}`", statement.text),
            done => format!("`{}`: {done}", statement.text),
        };
        let mut child = object!({
            "id": format!("c{id}s{number}"),
            "label": { "text": plain(&text) },
        });
        if let Some(at) = &statement.location {
            child["location"] = places.bare_location(at);
        }
        children.push(child);
    }
    if !children.is_empty() {
        value["children"] = children.into();
    }
    value
}

/// A way through the graph: from a first cause to the failure.
pub fn chain(tree: &CauseTree) -> Option<Value> {
    let mut edges = Vec::new();
    let mut at = 0;
    let next = |at: usize| {
        let child = tree.children(at).next().filter(|&child| child < MOST_ENTRIES)?;
        let number = tree.causes[at].influences.iter().position(|found| found.cause == child)?;
        Some((child, number))
    };
    while let Some((child, number)) = next(at) {
        let sentence = &tree.causes[at].influences[number].sentence;
        edges.push(object!({
            "edgeId": edge_id(at, number),
            "message": { "text": plain(sentence) },
        }));
        at = child;
    }
    edges.reverse();
    if edges.is_empty() {
        return None;
    }
    Some(object!({ "resultGraphIndex": 0, "edgeTraversals": edges }))
}
