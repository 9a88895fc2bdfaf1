//! How tightly operators bind, so that an edit has the parentheses that it needs, and no others.

use program::syntax::{Kind as Node, NodeId, Role};

use super::{Dialect, Generator};

pub const COMMA: u8 = 1;
pub const ASSIGN: u8 = 2;
pub const CHOICE: u8 = 3;
pub const OR: u8 = 4;
pub const AND: u8 = 5;
pub const COMPARE: u8 = 10;
pub const ADD: u8 = 12;
pub const MULTIPLY: u8 = 13;
pub const PREFIX: u8 = 15;
pub const ATOM: u8 = 17;

/// How tightly a binary operator binds.
pub fn of_operator(operator: &str) -> u8 {
    match operator {
        "<==>" => 2,
        "==>" | "<==" => 3,
        "||" => OR,
        "&&" => AND,
        "|" => 6,
        "^" => 7,
        "&" => 8,
        "==" | "!=" => 9,
        "<" | "<=" | ">" | ">=" => COMPARE,
        "<<" | ">>" => 11,
        "+" | "-" | "++" => ADD,
        "*" | "/" | "%" | "div" | "mod" => MULTIPLY,
        _ => COMMA,
    }
}

impl Generator<'_> {
    /// How tightly the outermost operator of a node binds.
    pub fn level(&self, id: NodeId) -> u8 {
        match self.syntax.kind(id) {
            Node::Binary => of_operator(self.syntax.operator(id)),
            Node::Assign => ASSIGN,
            Node::Conditional => CHOICE,
            Node::Comma => COMMA,
            Node::Unary | Node::Dereference | Node::AddressOf | Node::Cast | Node::Sizeof => PREFIX,
            Node::Update => PREFIX,
            _ => ATOM,
        }
    }

    /// How tightly what stands in the place of a node must bind.
    fn needed(&self, id: NodeId) -> u8 {
        let Some(parent) = self.syntax.parent(id) else { return 0 };
        let role = self.syntax.role(id);
        match (self.syntax.kind(parent), role) {
            (Node::Binary, role) => {
                let own = of_operator(self.syntax.operator(parent));
                // Which is which of `&&` and `||` should be seen, and so it is for operators on bits.
                match (own, role) {
                    (OR, _) => AND + 1,
                    (6..=8 | 11, _) => PREFIX,
                    (own, Some(Role::Right)) => own + 1,
                    // In Boogie comparisons do not associate, and implications seldom.
                    (9 | COMPARE, _) if self.given.dialect == Dialect::Boogie => ADD,
                    (own @ 2..=3, _) if self.given.dialect == Dialect::Boogie => own + 1,
                    (own, _) => own,
                }
            }
            (Node::Unary | Node::Dereference | Node::AddressOf | Node::Cast, _) => PREFIX,
            (Node::Index | Node::Member | Node::Call, Some(Role::Base)) => ATOM,
            (Node::Update, _) => ATOM,
            (Node::Conditional, Some(Role::Condition)) => OR,
            (Node::Conditional, _) => CHOICE,
            (Node::Call, _) => ASSIGN,
            (Node::Assign | Node::Declarator | Node::Values, _) => ASSIGN,
            // What a macro is put into is not known.
            (Node::Macro, _) => ATOM,
            (Node::If | Node::While | Node::Switch | Node::DoWhile, Some(Role::Condition)) => {
                // In C the parentheses are a node of their own.
                0
            }
            _ => 0,
        }
    }

    /// A text in the place of a node, in parentheses if it needs them.
    pub fn fitted(&self, id: NodeId, text: &str, level: u8) -> String {
        // Two signs must not become one operator.
        let before = self.syntax.text[..self.syntax.range(id).start as usize].chars().next_back();
        let joins = text.starts_with(['-', '+', '&']) && text.chars().next() == before;
        match level < self.needed(id) || joins {
            true => format!("({text})"),
            false => text.to_owned(),
        }
    }

    /// Whether it is an `&&` in an `||`, which Boogie does not allow.
    pub fn is_mixed(&self, inner: u8, outer: u8) -> bool {
        self.given.dialect == Dialect::Boogie && (inner, outer) == (AND, OR)
    }

    /// The text of a node as the operand of an operator that binds this tightly.
    pub fn operand(&self, id: NodeId, least: u8) -> String {
        let text = self.text(id);
        match self.level(id) < least || self.is_mixed(self.level(id), least) {
            true => format!("({text})"),
            false => text.to_owned(),
        }
    }
}
