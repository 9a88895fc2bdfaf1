//! Expressions to terms: a loop over the nodes, operands before operators.
//!
//! A chain such as `a + b + c` is built at once, not sum by sum. It is the same term for short
//! chains, linear for long ones, and it lets the writer spell a sum of many parts.

use term::{Op, Sort, Term, Terms, Value};

use super::{Lowering, Scope};
use crate::ast::{BinaryOperator, Expr, ExprId, ExprKind, Identifier, UnaryOperator};
use crate::builtin::BitVectorOperation;
use crate::check::Meaning;

/// The value of a node, which its only parent takes.
enum Slot {
    Term(Term),
    /// An operator that is to be applied to all of these.
    Chain(Op, Vec<Term>),
}

/// The values of the nodes of one expression so far.
struct Slots {
    first: usize,
    slots: Vec<Slot>,
}

impl Slots {
    fn term(&mut self, terms: &mut Terms, id: ExprId) -> Term {
        let slot = &self.slots[id.index() - self.first];
        match slot {
            Slot::Term(term) => *term,
            Slot::Chain(Op::And, operands) => terms.and(operands),
            Slot::Chain(Op::Or, operands) => terms.or(operands),
            Slot::Chain(_, operands) => terms.add(operands),
        }
    }

    fn terms(&mut self, terms: &mut Terms, ids: &[ExprId]) -> Vec<Term> {
        ids.iter().map(|&id| self.term(terms, id)).collect()
    }

    /// Continues the chain of the left operand, or begins one.
    fn chain(&mut self, terms: &mut Terms, op: Op, left: ExprId, right: ExprId) -> Slot {
        let right = self.term(terms, right);
        let mut operands = match &mut self.slots[left.index() - self.first] {
            Slot::Chain(of, operands) if *of == op => std::mem::take(operands),
            _ => vec![self.term(terms, left)],
        };
        operands.push(right);
        Slot::Chain(op, operands)
    }
}

impl Lowering<'_> {
    pub(super) fn expression(&mut self, root: ExprId, scope: &Scope) -> Term {
        let first = self.ast.expressions[root].first.index();
        let in_old = self.inside_old(root);
        let count = root.index() - first + 1;
        let mut slots = Slots { first, slots: Vec::with_capacity(count) };
        for id in self.ast.expressions.subtree(root) {
            let old = in_old.get(id.index() - first).copied().unwrap_or(false);
            let slot = self.node(id, old, scope, &mut slots);
            slots.slots.push(slot);
        }
        slots.term(&mut self.builder.terms, root)
    }

    /// For each node whether it is inside `old`; nothing if there is no `old`.
    pub(super) fn inside_old(&self, root: ExprId) -> Vec<bool> {
        let expressions = &self.ast.expressions;
        let is_old = |id: ExprId| matches!(expressions[id].kind, ExprKind::Old(_));
        if !expressions.subtree(root).any(is_old) {
            return Vec::new();
        }
        // The nodes below an `old` are those from its first one up to itself.
        let mut begin = ExprId(u32::MAX);
        let covered = expressions.subtree(root).rev().map(|id| {
            if id < begin && is_old(id) {
                begin = expressions[id].first;
            }
            id >= begin
        });
        let mut inside: Vec<bool> = covered.collect();
        inside.reverse();
        inside
    }

    fn node(&mut self, id: ExprId, old: bool, scope: &Scope, slots: &mut Slots) -> Slot {
        let Expr { kind, span, .. } = &self.ast.expressions[id];
        let terms = &mut self.builder.terms;
        Slot::Term(match kind {
            ExprKind::Bool(value) => terms.bool(*value),
            ExprKind::Int(value) => terms.constant(&Value::Int(value.clone())),
            ExprKind::Real(value) => terms.constant(&Value::Real(value.clone())),
            ExprKind::BitVector { value, width } => {
                terms.constant(&Value::number(&Sort::BitVec(*width), value))
            }
            ExprKind::Name(_) => self.name(*span, old, scope),
            ExprKind::Apply { function, arguments } => {
                return self.application(function, arguments, slots);
            }
            ExprKind::Unary { operator, operand, .. } => {
                let operand = slots.term(terms, *operand);
                match operator {
                    UnaryOperator::Not => terms.not(operand),
                    UnaryOperator::Minus => terms.neg(operand),
                }
            }
            ExprKind::Binary { operator, left, right, .. } => {
                return binary(terms, *operator, *left, *right, slots);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let condition = slots.term(terms, *condition);
                let (then, otherwise) = (slots.term(terms, *then), slots.term(terms, *otherwise));
                terms.ite(condition, then, otherwise)
            }
            ExprKind::Select { map, indices } => {
                let map = slots.term(terms, *map);
                let indices = slots.terms(terms, indices);
                indices.iter().fold(map, |map, &index| terms.select(map, index))
            }
            ExprKind::Store { map, indices, value } => {
                let map = slots.term(terms, *map);
                let indices = slots.terms(terms, indices);
                let value = slots.term(terms, *value);
                program::Place::updated(terms, map, &indices, value)
            }
            ExprKind::Extract { operand, high, low } => {
                let operand = slots.term(terms, *operand);
                terms.extract(operand, *low, high - low)
            }
            ExprKind::ToInt(operand) => {
                let operand = slots.term(terms, *operand);
                terms.floor(operand)
            }
            ExprKind::ToReal(operand) => {
                let operand = slots.term(terms, *operand);
                terms.to_real(operand)
            }
            ExprKind::Old(operand) | ExprKind::Coerce { operand, .. } => {
                slots.term(terms, *operand)
            }
        })
    }

    fn name(&mut self, span: crate::ast::Span, old: bool, scope: &Scope) -> Term {
        let term = self.checked.variable_at(span).and_then(|id| {
            let before = if old { scope.old.get(&id) } else { None };
            before.or_else(|| scope.names.get(&id)).copied().or(self.variables[id.index()])
        });
        term.unwrap_or_else(|| {
            // The checker found all names; if not, the program must not be believed.
            self.problem.get_or_insert(crate::Error::internal("a name without a meaning"));
            self.builder.terms.bool(true)
        })
    }

    fn application(
        &mut self,
        function: &Identifier,
        arguments: &[ExprId],
        slots: &mut Slots,
    ) -> Slot {
        let Some(id) = self.checked.function_named(&function.name) else {
            return Slot::Term(self.builder.terms.bool(true));
        };
        let known = self.checked.function(id);
        let terms = &mut self.builder.terms;
        if let (Meaning::BitVector(BitVectorOperation::Add), &[left, right]) =
            (&known.meaning, arguments)
        {
            return slots.chain(terms, Op::Add, left, right);
        }
        let arguments = slots.terms(terms, arguments);
        Slot::Term(match &known.meaning {
            Meaning::BitVector(operation) => super::bits::apply(terms, *operation, &arguments),
            Meaning::ConstantMap => self.constant_map(known.result, &arguments, function.span),
            Meaning::Defined { .. } => self.apply_defined(id, &arguments, function.span),
            Meaning::Uninterpreted | Meaning::Unknown(_) => {
                let map = self.function_map(id);
                let terms = &mut self.builder.terms;
                arguments.iter().fold(map, |map, &argument| terms.select(map, argument))
            }
        })
    }
}

fn binary(
    terms: &mut Terms,
    operator: BinaryOperator,
    left: ExprId,
    right: ExprId,
    slots: &mut Slots,
) -> Slot {
    use BinaryOperator::*;
    let chained = match operator {
        And => Some(Op::And),
        Or => Some(Op::Or),
        Add => Some(Op::Add),
        _ => None,
    };
    if let Some(op) = chained {
        return slots.chain(terms, op, left, right);
    }
    let (a, b) = (slots.term(terms, left), slots.term(terms, right));
    Slot::Term(match operator {
        Iff | Equal => terms.eq(a, b),
        NotEqual => terms.ne(a, b),
        Implies => terms.implies(a, b),
        Explies => terms.implies(b, a),
        Less => terms.lt(a, b),
        LessEqual => terms.le(a, b),
        Greater => terms.lt(b, a),
        GreaterEqual => terms.le(b, a),
        Concat => terms.concat(a, b),
        Subtract => terms.sub(a, b),
        Multiply => terms.mul(a, b),
        Divide => {
            let (a, b) = (real(terms, a), real(terms, b));
            terms.div(a, b)
        }
        Div => terms.div(a, b),
        Mod => terms.modulo(a, b),
        And => terms.and(&[a, b]),
        Or => terms.or(&[a, b]),
        Add => terms.add(&[a, b]),
    })
}

fn real(terms: &mut Terms, term: Term) -> Term {
    match terms.sort(term) {
        Sort::Int => terms.to_real(term),
        _ => term,
    }
}
