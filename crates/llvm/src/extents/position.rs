//! Where clang puts an expression, and the way to it from the root of a parse.

use tree_sitter::{Node, Tree};

/// A node and its field in the node around it.
#[derive(Clone, Copy, Debug)]
pub struct Step<'t> {
    pub node: Node<'t>,
    pub field: Option<&'t str>,
}

/// The nodes around a position, from the root to the leaf.
#[derive(Debug)]
pub struct Path<'t> {
    pub at: usize,
    pub steps: Vec<Step<'t>>,
}

impl<'t> Path<'t> {
    /// Downwards with a cursor: a node finds its parent only by going down from the root again.
    pub fn new(tree: &'t Tree, at: usize) -> Path<'t> {
        let mut cursor = tree.walk();
        let mut steps = vec![Step { node: cursor.node(), field: None }];
        while cursor.goto_first_child_for_byte(at).is_some() {
            if cursor.node().start_byte() > at {
                break; // between two children
            }
            steps.push(Step { node: cursor.node(), field: cursor.field_name() });
        }
        Path { at, steps }
    }

    pub fn outwards(&self) -> impl Iterator<Item = &Step<'t>> {
        self.steps.iter().rev()
    }
}

/// The position of an expression; nothing for what is none.
pub fn of(node: Node) -> Option<usize> {
    let part = match node.kind() {
        "assignment_expression" | "binary_expression" | "update_expression" => {
            node.child_by_field_name("operator")?
        }
        "comma_expression" => {
            let mut cursor = node.walk();
            node.children(&mut cursor).find(|child| child.kind() == ",")?
        }
        "field_expression" => node.child_by_field_name("field")?,
        "identifier" => node,
        kind if kind.ends_with("_expression") || kind.ends_with("_literal") => node,
        "true" | "false" | "null" | "initializer_list" => node,
        _ => return None,
    };
    Some(part.start_byte())
}

/// Whether the position may be that of the value of this expression. A member's value is read at its start.
pub fn is_position(node: Node, at: usize) -> bool {
    let position = of(node);
    let is_read_at_start = node.kind() == "field_expression" || is_misread(node);
    position == Some(at) || (is_read_at_start && node.start_byte() == at)
}

/// Whether this is `!n--`, which the grammar takes for `(!n)--`.
pub fn is_misread(node: Node) -> bool {
    let argument = node.child_by_field_name("argument");
    node.kind() == "update_expression"
        && argument.is_some_and(|argument| argument.kind() == "unary_expression")
}

/// Where the text of an expression at this position starts and ends; only `n--` if it was misread.
pub fn range_at(node: Node, at: usize) -> (usize, usize) {
    let mut first = node;
    if is_misread(node) && of(node) == Some(at) {
        while matches!(first.kind(), "update_expression" | "unary_expression")
            && let Some(argument) = first.child_by_field_name("argument")
        {
            first = argument;
        }
    }
    (first.start_byte(), node.end_byte())
}

/// Without the parentheses around it.
pub fn bare(mut node: Node) -> Node {
    while node.kind() == "parenthesized_expression" {
        match expression_in(node) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// The only child that is no comment.
pub fn expression_in(node: Node) -> Option<Node> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind() != "comment")
}
