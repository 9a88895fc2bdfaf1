//! Which operator binds its operands first.

use crate::ast::BinaryOperator;
use std::cmp::Ordering;

/// Two operators side by side: which one binds its neighbours first?
pub(super) enum Grouping {
    Left,
    Right,
    Ambiguous,
}

/// How tightly an operator binds.
pub(super) fn level(operator: BinaryOperator) -> u32 {
    use BinaryOperator::*;
    match operator {
        Iff => 0,
        Implies | Explies => 1,
        And | Or => 2,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => RELATIONAL,
        Concat => 4,
        Add | Subtract => 5,
        Multiply | Divide | Div | Mod => 6,
    }
}

pub(super) const RELATIONAL: u32 = 3;

pub(super) fn grouping(before: BinaryOperator, operator: BinaryOperator) -> Grouping {
    match level(before).cmp(&level(operator)) {
        Ordering::Greater => Grouping::Left,
        Ordering::Less => Grouping::Right,
        Ordering::Equal => match (before, operator) {
            (BinaryOperator::Implies, BinaryOperator::Implies) => Grouping::Right,
            _ if level(operator) == RELATIONAL => Grouping::Ambiguous,
            _ if level(operator) < RELATIONAL && before != operator => Grouping::Ambiguous,
            _ => Grouping::Left,
        },
    }
}
