//! What is assigned at a position.

use super::position::{Path, Step, is_position, range_at};
use super::{position, use_of_macro};
use tree_sitter::Node;

/// The assignment, increment or initialised declarator.
///
/// Numbers are stored at the operator or at the declared name. Structures are copied at the position of what is
/// copied, and parts of them are stored at the brace of the list they stand in.
pub fn find<'t>(path: &Path<'t>) -> Option<Node<'t>> {
    let direct = path.outwards().find(|step| match step.node.kind() {
        "assignment_expression" | "update_expression" => position::of(step.node) == Some(path.at),
        "init_declarator" => declared(step.node).is_some_and(|name| name.start_byte() == path.at),
        _ => false,
    });
    if let Some(step) = direct {
        return Some(step.node);
    }
    let receiver = receiver(path).filter(|node| node.kind() != "return_statement");
    receiver.or_else(|| use_of_macro(path))
}

/// The text of what was found. `char *p = 0` sets `p`, not `*p`.
pub fn range(node: Node, at: usize) -> (usize, usize) {
    let (start, end) = range_at(node, at);
    let mut declarator = match node.kind() {
        "init_declarator" => node.child_by_field_name("declarator"),
        _ => None,
    };
    while let Some(pointer) = declarator.filter(|node| node.kind() == "pointer_declarator") {
        declarator = pointer.child_by_field_name("declarator");
    }
    let name = declarator.filter(|node| node.kind() == "identifier");
    (name.map_or(start, |name| name.start_byte()), end)
}

/// The name in `*(*name)[3] = 0`.
fn declared(declarator: Node) -> Option<Node> {
    let mut node = declarator;
    while node.kind() != "identifier" {
        let inner = node.child_by_field_name("declarator");
        node = inner.or_else(|| position::expression_in(node))?;
    }
    Some(node)
}

/// What gets the value that is at the position: an assignment, a declarator or a `return`; or the literal that it
/// is a part of.
pub fn receiver<'t>(path: &Path<'t>) -> Option<Node<'t>> {
    let mut is_value = false;
    let mut inner: Option<&Step> = None;
    for step in path.outwards() {
        let Some(part) = inner.replace(step) else { continue };
        is_value |= is_position(part.node, path.at);
        let passes_on = match step.node.kind() {
            "assignment_expression" if part.field == Some("right") && is_value => {
                return Some(step.node);
            }
            "init_declarator" if part.field == Some("value") && is_value => return Some(step.node),
            "return_statement" if is_value => return Some(step.node),
            "conditional_expression" => part.field != Some("condition"),
            "comma_expression" => part.field == Some("right"),
            "parenthesized_expression"
            | "initializer_list"
            | "initializer_pair"
            | "compound_literal_expression" => true,
            _ => false,
        };
        if !passes_on && part.node.kind() == "compound_literal_expression" && initialises(path) {
            return Some(part.node);
        }
        is_value &= passes_on;
    }
    None
}

/// Whether the position is that of a brace: what is stored there is stored in the whole.
fn initialises(path: &Path) -> bool {
    path.outwards()
        .any(|step| step.node.kind() == "initializer_list" && step.node.start_byte() == path.at)
}
