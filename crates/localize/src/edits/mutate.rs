//! Small edits of an expression.

use program::{ProcedureId, Program, Scope, VariableRole};
use rustc_hash::FxHashMap;
use term::{BitVec, Op, Sort, Term, Terms, Value};

use super::Change;

/// Of an expression with more parts, only the first are edited.
const MOST_PARTS: usize = 40;
/// A variable is replaced by so many others.
const MOST_OTHERS: usize = 8;

/// Who edits, and where.
pub(super) struct Editor<'p> {
    pub program: &'p Program,
    pub procedure: Option<ProcedureId>,
}

impl Editor<'_> {
    /// The expression with one thing changed, each once.
    pub(super) fn edits(&self, terms: &mut Terms, whole: Term) -> Vec<(Term, Change)> {
        let mut found: Vec<(Term, Change)> = Vec::new();
        let mut parts = terms.reachable(&[whole]);
        parts.truncate(MOST_PARTS);
        for part in parts {
            for (by, change) in self.alternatives(terms, part) {
                let edited = replaced(terms, whole, part, by);
                if edited != whole && found.iter().all(|(known, _)| *known != edited) {
                    found.push((edited, change));
                }
            }
        }
        for (edited, change) in of_the_whole(terms, whole) {
            if edited != whole && found.iter().all(|(known, _)| *known != edited) {
                found.push((edited, change));
            }
        }
        found
    }

    /// An address with another variable in it, or of the element before or behind. Its arithmetic is not the user's.
    pub(super) fn edits_of_address(
        &self,
        terms: &mut Terms,
        address: Term,
        accessed: Term,
    ) -> Vec<(Term, Change)> {
        let mut found = Vec::new();
        for variable in terms.variables_of(&[address]) {
            for to in self.others(terms, variable) {
                let edited = replaced(terms, address, variable, to);
                found.push((edited, Change::Variable { from: variable, to }));
            }
        }
        let bits = match terms.sort(accessed) {
            Sort::BitVec(width) => *width,
            Sort::Float(format) => format.width(),
            _ => 8,
        };
        for by in [1i8, -1] {
            let bytes = i128::from(by) * i128::from(bits.div_ceil(8));
            let offset = terms.constant(&Value::BitVec(BitVec::new(64, bytes as u128)));
            found.push((terms.add(&[address, offset]), Change::Element(by)));
        }
        found
    }

    /// What a part of an expression could be instead.
    fn alternatives(&self, terms: &mut Terms, part: Term) -> Vec<(Term, Change)> {
        if let Some(value) = terms.value(part).cloned() {
            return neighbours(&value)
                .into_iter()
                .map(|to| (terms.constant(&to), Change::Constant { from: value.clone(), to }))
                .collect();
        }
        if terms.is_var(part) {
            let others = self.others(terms, part);
            return others
                .into_iter()
                .map(|to| (to, Change::Variable { from: part, to }))
                .collect();
        }
        let (op, sort, args) =
            (terms.op(part), terms.sort(part).clone(), terms.args(part).to_vec());
        let mut found = Vec::new();
        let mut add = |term: Term, from: &'static str, to: &'static str| {
            found.push((term, Change::Operator { from, to }));
        };
        match (op, &args[..]) {
            (Op::BvSlt | Op::BvUlt | Op::Lt | Op::FpLt, &[a, b]) => {
                let mirrored = terms.make(op, &sort, &[b, a]);
                add(terms.not(mirrored), "<", "<=");
                add(mirrored, "<", ">");
                add(terms.not(part), "<", ">=");
                let equal = terms.eq(a, b);
                add(equal, "<", "==");
                add(terms.not(equal), "<", "!=");
            }
            (Op::Le | Op::FpLe, &[a, b]) => {
                let mirrored = terms.make(op, &sort, &[b, a]);
                add(terms.not(mirrored), "<=", "<");
                add(mirrored, "<=", ">=");
                add(terms.not(part), "<=", ">");
                let equal = terms.eq(a, b);
                add(equal, "<=", "==");
                add(terms.not(equal), "<=", "!=");
            }
            (Op::Eq, &[a, b]) => {
                add(terms.not(part), "==", "!=");
                let less = match terms.sort(a) {
                    Sort::BitVec(width) if *width > 1 => Some(Op::BvSlt),
                    Sort::Int | Sort::Real => Some(Op::Lt),
                    _ => None,
                };
                if let Some(less) = less {
                    // The arena sorts what is equal. A constant is usually written last.
                    let (a, b) = if terms.value(a).is_some() { (b, a) } else { (a, b) };
                    let below = terms.make(less, &Sort::Bool, &[a, b]);
                    let above = terms.make(less, &Sort::Bool, &[b, a]);
                    let (at_most, at_least) = (terms.not(above), terms.not(below));
                    let all = [(below, "<"), (above, ">"), (at_most, "<="), (at_least, ">=")];
                    let is_written = terms.value(b).is_some();
                    found.extend(all.map(|(term, to)| match is_written {
                        true => (term, Change::Operator { from: "==", to }),
                        false => (term, Change::Order),
                    }));
                }
            }
            (Op::And, _) => {
                add(terms.or(&args), "&&", "||");
                found.extend(without_one(terms, op, &sort, &args));
            }
            (Op::Or, _) => {
                add(terms.and(&args), "||", "&&");
                found.extend(without_one(terms, op, &sort, &args));
            }
            (Op::Add, _) => {
                for n in 0..args.len() {
                    let minus = negated(terms, &sort, args[n]);
                    let mut other = args.clone();
                    other[n] = minus;
                    found.push((
                        terms.make(op, &sort, &other),
                        Change::Operator { from: "+", to: "-" },
                    ));
                }
                if args.len() == 2 {
                    let product = terms.make(Op::Mul, &sort, &args);
                    found.push((product, Change::Operator { from: "+", to: "*" }));
                }
                found.extend(without_one(terms, op, &sort, &args));
            }
            (Op::Mul, _) => {
                add(terms.make(Op::Add, &sort, &args), "*", "+");
                found.extend(without_one(terms, op, &sort, &args));
            }
            (Op::Div | Op::BvSdiv | Op::BvUdiv, &[a, _]) => {
                let rest = match op {
                    Op::Div => Op::Mod,
                    Op::BvSdiv => Op::BvSrem,
                    _ => Op::BvUrem,
                };
                if sort != Sort::Real {
                    add(terms.make(rest, &sort, &args), "/", "%");
                }
                add(terms.make(Op::Mul, &sort, &args), "/", "*");
                found.push((a, Change::Without));
            }
            (Op::Mod | Op::BvSrem | Op::BvUrem, &[a, _]) => {
                let quotient = match op {
                    Op::Mod => Op::Div,
                    Op::BvSrem => Op::BvSdiv,
                    _ => Op::BvUdiv,
                };
                add(terms.make(quotient, &sort, &args), "%", "/");
                found.push((a, Change::Without));
            }
            (Op::BvAnd, _) => {
                add(terms.make(Op::BvOr, &sort, &args), "&", "|");
                add(terms.make(Op::BvXor, &sort, &args), "&", "^");
            }
            (Op::BvOr, _) => {
                add(terms.make(Op::BvAnd, &sort, &args), "|", "&");
                add(terms.make(Op::BvXor, &sort, &args), "|", "^");
            }
            (Op::BvXor, _) => add(terms.make(Op::BvOr, &sort, &args), "^", "|"),
            (Op::BvShl, _) => add(terms.make(Op::BvLshr, &sort, &args), "<<", ">>"),
            (Op::BvLshr | Op::BvAshr, _) => add(terms.make(Op::BvShl, &sort, &args), ">>", "<<"),
            (Op::FpAdd, _) => add(terms.make(Op::FpSub, &sort, &args), "+", "-"),
            (Op::FpSub, _) => add(terms.make(Op::FpAdd, &sort, &args), "-", "+"),
            (Op::FpMul, _) => add(terms.make(Op::FpDiv, &sort, &args), "*", "/"),
            (Op::FpDiv, _) => add(terms.make(Op::FpMul, &sort, &args), "/", "*"),
            (Op::Ite, &[c, a, b]) => found.push((terms.ite(c, b, a), Change::Opposite)),
            // A value that is narrowed or widened may have been meant as it is.
            (Op::SignExtend | Op::ZeroExtend, &[a])
                if matches!(terms.op(a), Op::Extract { .. }) =>
            {
                let inner = terms.args(a).to_vec();
                if let &[inner] = &inner[..]
                    && *terms.sort(inner) == sort
                {
                    found.push((inner, Change::Without));
                }
            }
            _ => {}
        }
        found
    }

    /// Variables of the same type that can be used here.
    pub(super) fn others(&self, terms: &Terms, variable: Term) -> Vec<Term> {
        let variables = &self.program.variables;
        let Some(own) = variables.get(&variable) else { return Vec::new() };
        if own.role != VariableRole::Source {
            return Vec::new();
        }
        let mut others: Vec<Term> = variables
            .iter()
            .filter(|(other, declared)| {
                **other != variable
                    && declared.role == VariableRole::Source
                    && declared.ty == own.ty
                    && terms.sort(**other) == terms.sort(variable)
                    && match declared.scope {
                        Scope::Global => true,
                        Scope::Local(procedure) => Some(procedure) == self.procedure,
                    }
            })
            .map(|(other, _)| *other)
            .collect();
        others.sort_unstable();
        others.truncate(MOST_OTHERS);
        others
    }
}

/// One more, one less; a condition the other way.
fn of_the_whole(terms: &mut Terms, whole: Term) -> Vec<(Term, Change)> {
    let sort = terms.sort(whole).clone();
    if terms.value(whole).is_some() {
        return Vec::new();
    }
    match sort {
        Sort::Bool => vec![(terms.not(whole), Change::Opposite)],
        Sort::Int => [1, -1]
            .into_iter()
            .map(|by| {
                let one = terms.constant(&Value::Int(by.into()));
                (terms.add(&[whole, one]), Change::Offset(by))
            })
            .collect(),
        Sort::BitVec(width) if width >= 8 => [1i8, -1]
            .into_iter()
            .map(|by| {
                let one = Value::BitVec(BitVec::new(width, i128::from(by) as u128));
                let one = terms.constant(&one);
                (terms.add(&[whole, one]), Change::Offset(by))
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The constants next to one.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(value) => vec![Value::Bool(!value)],
        Value::Int(value) => vec![Value::Int(value + 1), Value::Int(value - 1)],
        Value::BitVec(bits) if bits.width() >= 8 => {
            let moved = |by: i128| {
                Value::BitVec(BitVec::new(bits.width(), bits.signed().wrapping_add(by) as u128))
            };
            vec![moved(1), moved(-1)]
        }
        _ => Vec::new(),
    }
}

fn without_one(terms: &mut Terms, op: Op, sort: &Sort, args: &[Term]) -> Vec<(Term, Change)> {
    let rest = |n: usize| {
        let mut rest = args.to_vec();
        rest.remove(n);
        rest
    };
    let mut found = Vec::new();
    for n in 0..args.len() {
        let rest = rest(n);
        let term = match rest[..] {
            [] => continue,
            [only] => only,
            _ => terms.make(op, sort, &rest),
        };
        found.push((term, Change::Without));
    }
    found
}

fn negated(terms: &mut Terms, sort: &Sort, term: Term) -> Term {
    let minus = match sort {
        Sort::Int => Value::Int((-1).into()),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, u128::MAX)),
        _ => return term,
    };
    let minus = terms.constant(&minus);
    terms.make(Op::Mul, sort, &[minus, term])
}

/// A term with a part of it replaced, wherever it is.
fn replaced(terms: &mut Terms, whole: Term, part: Term, by: Term) -> Term {
    let mut images: FxHashMap<Term, Term> = FxHashMap::default();
    images.insert(part, by);
    // Arguments come before what they are arguments of.
    for node in terms.reachable(&[whole]) {
        if images.contains_key(&node) {
            continue;
        }
        let args = terms.args(node).to_vec();
        let new: Vec<Term> = args.iter().map(|arg| *images.get(arg).unwrap_or(arg)).collect();
        let image = match new == args {
            true => node,
            false => {
                let (op, sort) = (terms.op(node), terms.sort(node).clone());
                terms.make(op, &sort, &new)
            }
        };
        images.insert(node, image);
    }
    images.get(&whole).copied().unwrap_or(whole)
}
