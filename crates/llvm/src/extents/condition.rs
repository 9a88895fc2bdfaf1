//! What is decided at a position.
//!
//! An `if` branches at the position of its condition, a loop and a `switch` at their keyword, `do` at the end of
//! its body, `?:` at its start, and `&&` at itself, for both operands. The last operand of a condition branches
//! where the whole condition does.

use super::position::{Path, Step, bare, expression_in, is_position, of};
use super::{arguments, use_of_macro};
use tree_sitter::Node;

/// The condition; the operand of it that contains the position `tested`, if that is known.
pub fn find<'t>(path: &Path<'t>, tested: Option<usize>) -> Option<Node<'t>> {
    let decided = decided(path);
    if let Some(tested) = tested {
        let contains = |node: &&Node| (node.start_byte()..node.end_byte()).contains(&tested);
        if let Some(node) = decided.iter().find(contains) {
            return Some(bare(narrow(*node, tested)));
        }
    }
    let outermost = decided.last().copied();
    outermost.or_else(|| argument_of_macro(path, tested)).map(bare)
}

/// The conditions that are decided at this position, innermost first.
fn decided<'t>(path: &Path<'t>) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    let mut inner: Option<&Step> = None;
    for step in path.outwards() {
        let node = step.node;
        let part = inner.replace(step);
        let condition = node.child_by_field_name("condition");
        let is_here = match node.kind() {
            "if_statement" => {
                part.is_some_and(|part| part.field == Some("condition")) && {
                    let condition = condition.and_then(expression_in);
                    condition.is_some_and(|condition| is_position(condition, path.at))
                }
            }
            "while_statement" | "for_statement" | "conditional_expression" => {
                node.start_byte() == path.at
            }
            "switch_statement" => node.start_byte() == path.at || in_case_of(path, node),
            "do_statement" => end_of_body(node) == Some(path.at),
            "binary_expression" if is_logical(node) && of(node) == Some(path.at) => {
                found.push(node);
                continue;
            }
            _ => false,
        };
        if is_here && let Some(condition) = condition {
            found.push(condition);
        }
    }
    found
}

fn is_logical(node: Node) -> bool {
    let operator = node.child_by_field_name("operator").map(|operator| operator.kind());
    matches!(operator, Some("&&" | "||"))
}

/// Whether the position is that of a `case` of this very `switch`.
fn in_case_of(path: &Path, switch: Node) -> bool {
    let mut around = path.outwards().skip_while(|step| {
        step.node.kind() != "case_statement" || step.node.start_byte() != path.at
    });
    let switches = around.find(|step| step.node.kind() == "switch_statement");
    switches.is_some_and(|step| step.node == switch)
}

/// Where the body of a `do` ends, or starts if it has no braces.
fn end_of_body(node: Node) -> Option<usize> {
    let body = node.child_by_field_name("body")?;
    match body.kind() {
        "compound_statement" => body.end_byte().checked_sub(1),
        _ => Some(body.start_byte()),
    }
}

/// The operand of `&&`, `||`, `?:` that contains the position. `!x` is a condition, and `!(x && y)` are two.
fn narrow(mut node: Node, tested: usize) -> Node {
    loop {
        let mut core = bare(node);
        while core.kind() == "unary_expression"
            && core.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "!")
            && let Some(argument) = core.child_by_field_name("argument")
        {
            core = bare(argument);
        }
        let fields: &[&str] = match core.kind() {
            "binary_expression" if is_logical(core) => &["left", "right"],
            "conditional_expression" => &["condition", "consequence", "alternative"],
            _ => return node,
        };
        let mut parts = fields.iter().filter_map(|field| core.child_by_field_name(field));
        let inside = parts.find(|part| (part.start_byte()..part.end_byte()).contains(&tested));
        // If the value of `&&` is needed, the right operand is tested at the operator.
        let right = (of(core) == Some(tested) && is_logical(core))
            .then(|| core.child_by_field_name("right"))
            .flatten();
        match inside.or(right) {
            Some(part) => node = part,
            None => return node,
        }
    }
}

/// What a macro decides: its only argument, in `assert(x)`, or some expression in an argument.
fn argument_of_macro<'t>(path: &Path<'t>, tested: Option<usize>) -> Option<Node<'t>> {
    if let Some(node) = use_of_macro(path) {
        let mut arguments = arguments(node);
        return match (arguments.next(), arguments.next()) {
            (Some(only), None) => Some(tested.map_or(only, |tested| narrow_inside(only, tested))),
            _ => Some(node),
        };
    }
    let is_here = |step: &&Step| of(step.node) == Some(path.at);
    path.outwards().filter(is_here).last().map(|step| step.node)
}

fn narrow_inside(node: Node, tested: usize) -> Node {
    match (node.start_byte()..node.end_byte()).contains(&tested) {
        true => narrow(node, tested),
        false => node,
    }
}
