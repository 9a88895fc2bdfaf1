//! Expressions: one table of nodes in post-order, see [`crate::ast`].

use super::{Identifier, Span, TypeExpr};
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::ops::Index;

/// Names a node of [`Expressions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    /// Without parentheses around the whole.
    pub span: Span,
    /// The first node of the subtree that ends here; see the module's text.
    pub first: ExprId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Bool(bool),
    Int(IBig),
    Real(RBig),
    BitVector {
        value: IBig,
        width: u32,
    },
    /// A variable, constant or parameter.
    Name(String),
    Apply {
        function: Identifier,
        arguments: Vec<ExprId>,
    },
    Unary {
        operator: UnaryOperator,
        operator_span: Span,
        operand: ExprId,
    },
    Binary {
        operator: BinaryOperator,
        operator_span: Span,
        left: ExprId,
        right: ExprId,
    },
    /// `if condition then then else otherwise`
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// `map[indices]`
    Select {
        map: ExprId,
        indices: Vec<ExprId>,
    },
    /// `map[indices := value]`
    Store {
        map: ExprId,
        indices: Vec<ExprId>,
        value: ExprId,
    },
    /// `operand[high:low]`: the bits from `low` up to but excluding `high`.
    Extract {
        operand: ExprId,
        high: u32,
        low: u32,
    },
    Old(ExprId),
    /// `int(e)`: rounds a real down.
    ToInt(ExprId),
    /// `real(e)`
    ToReal(ExprId),
    /// `e: type`, which changes nothing.
    Coerce {
        operand: ExprId,
        type_expr: TypeExpr,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    Not,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    Iff,
    Implies,
    /// `a <== b` is `b ==> a`.
    Explies,
    And,
    Or,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Concat,
    Add,
    Subtract,
    Multiply,
    /// `/`, whose result is real even for two int operands.
    Divide,
    /// `div`: rounds such that the remainder is not negative.
    Div,
    /// `mod`: never negative.
    Mod,
}

impl ExprKind {
    /// The nodes right below, in the order of the text.
    pub fn operands(&self) -> Vec<ExprId> {
        match self {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Real(_) => Vec::new(),
            ExprKind::BitVector { .. } | ExprKind::Name(_) => Vec::new(),
            ExprKind::Apply { arguments, .. } => arguments.clone(),
            ExprKind::Unary { operand, .. }
            | ExprKind::Extract { operand, .. }
            | ExprKind::Coerce { operand, .. }
            | ExprKind::Old(operand)
            | ExprKind::ToInt(operand)
            | ExprKind::ToReal(operand) => vec![*operand],
            ExprKind::Binary { left, right, .. } => vec![*left, *right],
            ExprKind::Conditional { condition, then, otherwise } => {
                vec![*condition, *then, *otherwise]
            }
            ExprKind::Select { map, indices } => [&[*map], indices.as_slice()].concat(),
            ExprKind::Store { map, indices, value } => {
                [&[*map], indices.as_slice(), &[*value]].concat()
            }
        }
    }
}

impl UnaryOperator {
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOperator::Not => "!",
            UnaryOperator::Minus => "-",
        }
    }
}

impl BinaryOperator {
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Iff => "<==>",
            BinaryOperator::Implies => "==>",
            BinaryOperator::Explies => "<==",
            BinaryOperator::And => "&&",
            BinaryOperator::Or => "||",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterEqual => ">=",
            BinaryOperator::Concat => "++",
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Div => "div",
            BinaryOperator::Mod => "mod",
        }
    }
}

/// All expressions of a program, in post-order.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: Vec<Expr>,
}

impl Expressions {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node and everything below it, operands before operators.
    pub fn subtree(&self, id: ExprId) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        (self[id].first.0..=id.0).map(ExprId)
    }

    /// Adds a node whose subtree starts at `first`, or is the node alone.
    pub(crate) fn push(&mut self, kind: ExprKind, span: Span, first: Option<ExprId>) -> ExprId {
        // Every node has a token of its own, and the text has less than 2^32 bytes.
        let id = ExprId(self.nodes.len() as u32);
        let first = first.unwrap_or(id);
        self.nodes.push(Expr { kind, span, first });
        id
    }
}

impl Index<ExprId> for Expressions {
    type Output = Expr;

    fn index(&self, id: ExprId) -> &Expr {
        &self.nodes[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subtree_is_a_range() {
        let mut expressions = Expressions::default();
        let span = Span::new(0, 0);
        let before = expressions.push(ExprKind::Bool(true), span, None);
        let one = expressions.push(ExprKind::Bool(true), span, None);
        let not =
            ExprKind::Unary { operator: UnaryOperator::Not, operator_span: span, operand: one };
        let root = expressions.push(not, span, Some(one));
        assert_eq!(expressions.subtree(root).collect::<Vec<_>>(), [one, root]);
        assert_eq!(expressions.subtree(before).collect::<Vec<_>>(), [before]);
    }
}
