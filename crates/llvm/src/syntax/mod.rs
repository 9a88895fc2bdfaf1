//! A C source as a [`Syntax`] tree, whose places can be edited.
//!
//! The text is parsed as it is written, before the preprocessor: that is what a user edits. So the body of a macro is a place
//! of its own, parsed apart, and a use of a macro looks like a name or a call. Types come from the declarations in the text
//! and in the headers of the user ([`names`]); what these do not tell is unknown, and clang has the last word on
//! every edit anyway.

mod names;
mod types;

use program::syntax::{Kind, Node, NodeId, Range, Role, Syntax, Type};
use tree_sitter::{Node as Parsed, Parser};

/// A text that is longer has no places.
const LONGEST: usize = 4 << 20;
/// What is nested deeper is not read.
const DEEPEST: usize = 250;

/// The tree of a source. `before` are the trees of headers that it includes: their names are known in it.
pub fn syntax(text: &str, before: &[&Syntax]) -> Syntax {
    let mut reader = Reader { syntax: Syntax { text: text.to_owned(), ..Syntax::default() } };
    let mut parser = Parser::new();
    let language = parser.set_language(&tree_sitter_c::LANGUAGE.into());
    let is_short = text.len() <= LONGEST;
    let parsed = language.ok().filter(|()| is_short).and_then(|()| parser.parse(text, None));
    let Some(tree) = parsed else { return reader.syntax };
    let root = reader.add(Kind::Other, Range::new(0, text.len()), None);
    reader.children(tree.root_node(), root, 0, 0);
    reader.macros(&mut parser);
    names::declare(&mut reader.syntax, tree.root_node(), before);
    types::decide(&mut reader.syntax);
    reader.syntax
}

struct Reader {
    syntax: Syntax,
}

impl Reader {
    fn add(&mut self, kind: Kind, range: Range, parent: Option<(Role, NodeId)>) -> NodeId {
        let id = NodeId(self.syntax.nodes.len() as u32);
        let (children, parent_id) = (Vec::new(), parent.map(|(_, parent)| parent));
        let node =
            Node { kind, range, parent: parent_id, children, operator: None, ty: Type::UNKNOWN };
        self.syntax.nodes.push(node);
        if let Some((role, parent)) = parent {
            self.syntax.nodes[parent.index()].children.push((role, id));
        }
        id
    }

    /// What is in a node becomes children of `parent`. Offsets are moved by `shift`.
    fn children(&mut self, parsed: Parsed<'_>, parent: NodeId, depth: usize, shift: i64) {
        let mut cursor = parsed.walk();
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            let (child, field) = (cursor.node(), cursor.field_name());
            if child.is_named() && !child.is_extra() {
                let role = role(parsed, field);
                self.read(child, (role, parent), depth + 1, shift);
            }
            if !cursor.goto_next_sibling() {
                return;
            }
        }
    }

    fn read(&mut self, parsed: Parsed<'_>, parent: (Role, NodeId), depth: usize, shift: i64) {
        // The wrappers of what comes after `else`, and of arguments, say nothing.
        if let "else_clause" | "argument_list" = parsed.kind() {
            self.children_as(parsed, parent, depth, shift);
            return;
        }
        let kind = match depth > DEEPEST || parsed.is_error() || parsed.is_missing() {
            true => Kind::Unreadable,
            false => kind(parsed),
        };
        let range = range_of(parsed, shift);
        let id = self.add(kind, trimmed(&self.syntax.text, range), Some(parent));
        let operator = match parsed.child_by_field_name("operator") {
            Some(operator) => Some(operator),
            None if kind.is_statement() => parsed.child(0).filter(|child| !child.is_named()),
            None => None,
        };
        self.syntax.nodes[id.index()].operator = operator.map(|it| range_of(it, shift));
        if kind != Kind::Unreadable && kind != Kind::Text {
            self.children(parsed, id, depth, shift);
        }
    }

    /// The named children of a wrapper, in its place.
    fn children_as(&mut self, parsed: Parsed<'_>, parent: (Role, NodeId), depth: usize, shift: i64) {
        let mut cursor = parsed.walk();
        let inner: Vec<Parsed<'_>> = parsed.named_children(&mut cursor).collect();
        for child in inner.into_iter().filter(|child| !child.is_extra()) {
            self.read(child, parent, depth + 1, shift);
        }
    }

    /// Parses the bodies of macros, as the expressions that they mostly are.
    fn macros(&mut self, parser: &mut Parser) {
        const BEFORE: &str = "int w=(";
        let bodies: Vec<NodeId> =
            self.syntax.ids().filter(|&id| self.syntax.kind(id) == Kind::Macro).collect();
        for id in bodies {
            let body = self.syntax.range(id);
            let text = format!("{BEFORE}{});", self.syntax.slice(body));
            let Some(tree) = parser.parse(&text, None) else { continue };
            if tree.root_node().has_error() {
                continue;
            }
            let end = BEFORE.len() + body.len() as usize;
            let whole = tree.root_node().named_descendant_for_byte_range(BEFORE.len(), end);
            let Some(whole) = whole.filter(|it| it.byte_range() == (BEFORE.len()..end)) else {
                continue;
            };
            let shift = i64::from(body.start) - BEFORE.len() as i64;
            self.read(whole, (Role::Body, id), 0, shift);
        }
    }
}

fn range_of(parsed: Parsed<'_>, shift: i64) -> Range {
    let moved = |at: usize| (at as i64 + shift) as u32;
    Range { start: moved(parsed.start_byte()), end: moved(parsed.end_byte()) }
}

/// Without white space at the end, which the parser gives to some nodes.
fn trimmed(text: &str, range: Range) -> Range {
    let own = text.get(range.start as usize..range.end as usize).unwrap_or("");
    Range { start: range.start, end: range.start + own.trim_end().len() as u32 }
}

fn kind(parsed: Parsed<'_>) -> Kind {
    match parsed.kind() {
        "binary_expression" => Kind::Binary,
        "assignment_expression" => Kind::Assign,
        "update_expression" => Kind::Update,
        "unary_expression" => Kind::Unary,
        "pointer_expression" => match parsed.child(0).map(|it| it.kind()) {
            Some("&") => Kind::AddressOf,
            _ => Kind::Dereference,
        },
        "call_expression" => Kind::Call,
        "subscript_expression" => Kind::Index,
        "field_expression" => Kind::Member,
        "identifier" | "null" | "true" | "false" => Kind::Name,
        "number_literal" => Kind::Integer,
        "char_literal" => Kind::Character,
        "string_literal" | "concatenated_string" => Kind::Text,
        "cast_expression" => Kind::Cast,
        "conditional_expression" => Kind::Conditional,
        "sizeof_expression" => Kind::Sizeof,
        "parenthesized_expression" => Kind::Parenthesised,
        "comma_expression" => Kind::Comma,
        "compound_statement" => Kind::Block,
        // The use of a macro that begins a loop looks like a statement without its semicolon.
        "expression_statement" => match last_child(parsed) {
            Some(last) if last.kind() == ";" && !last.is_missing() => Kind::Evaluate,
            _ => Kind::Unreadable,
        },
        "declaration" => Kind::Declare,
        "if_statement" => Kind::If,
        "while_statement" => Kind::While,
        "do_statement" => Kind::DoWhile,
        "for_statement" => Kind::For,
        "switch_statement" => Kind::Switch,
        "case_statement" => Kind::Case,
        "return_statement" => Kind::Return,
        "break_statement" => Kind::Break,
        "continue_statement" => Kind::Continue,
        "goto_statement" => Kind::Goto,
        "labeled_statement" => Kind::Labelled,
        "function_definition" => Kind::Function,
        "init_declarator" | "array_declarator" | "pointer_declarator" | "function_declarator" => {
            Kind::Declarator
        }
        "preproc_arg" => Kind::Macro,
        "initializer_list" => Kind::Values,
        "primitive_type" | "sized_type_specifier" | "type_identifier" | "type_descriptor"
        | "struct_specifier" | "union_specifier" | "enum_specifier" => Kind::Type,
        "ERROR" => Kind::Unreadable,
        _ => Kind::Other,
    }
}

fn last_child(parsed: Parsed<'_>) -> Option<Parsed<'_>> {
    parsed.child(parsed.child_count().checked_sub(1)? as u32)
}

/// What a child is, by its field in what is around it.
fn role(parent: Parsed<'_>, field: Option<&str>) -> Role {
    match (parent.kind(), field) {
        (_, Some("left")) => Role::Left,
        (_, Some("right")) => Role::Right,
        (_, Some("condition")) => Role::Condition,
        (_, Some("consequence")) => Role::Then,
        (_, Some("alternative")) => Role::Else,
        (_, Some("body")) => Role::Body,
        (_, Some("initializer")) => Role::Initial,
        (_, Some("update")) => Role::Update,
        (_, Some("index")) => Role::Index,
        (_, Some("size")) => Role::Size,
        (_, Some("type")) => Role::Type,
        (_, Some("field" | "name" | "label")) => Role::Name,
        ("call_expression", Some("function")) => Role::Base,
        ("subscript_expression" | "field_expression", Some("argument")) => Role::Base,
        ("call_expression", Some("arguments")) => Role::Argument,
        ("init_declarator", Some("value")) => Role::Initial,
        (_, Some("argument" | "value")) => Role::Operand,
        ("argument_list", _) => Role::Argument,
        ("parenthesized_expression" | "return_statement" | "expression_statement", _) => {
            Role::Operand
        }
        _ => Role::Item,
    }
}

#[cfg(test)]
mod tests;
