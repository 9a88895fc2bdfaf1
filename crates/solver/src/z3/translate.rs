//! Terms of ours to terms of Z3: one pass over the nodes that are new, arguments first.

use rustc_hash::FxHashMap;
use term::{Op, Sort, Term, Terms, Value};
use z3_sys as z3;

use super::context::{Ast, Context};
use super::{float, overflow};

/// What a formula needs from a solver; later ones include earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fragment {
    /// Bool and BitVec, and floats, which become bits.
    #[default]
    Bits,
    /// Arrays and linear arithmetic.
    Linear,
    /// Products, and division by what is not constant.
    Nonlinear,
}

/// Where floats are; later ones include earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Floats {
    #[default]
    Nowhere,
    InTerms,
    /// They cannot be turned into bits one formula at a time: Z3 would choose the bits of an array anew.
    InArrays,
}

/// A term of Z3 with what we must know about it.
#[derive(Clone, Debug)]
pub struct Translated {
    pub ast: Ast,
    pub fragment: Fragment,
    pub depth: u32,
    floats: Floats,
}

#[derive(Debug)]
pub struct Translator {
    pub context: Context,
    arena: Option<u64>,
    cache: FxHashMap<Term, Translated>,
    /// Formulas whose floats have become bits.
    turned: FxHashMap<Term, Translated>,
}

impl Translated {
    /// Whether the formula contains circuits of floats, which are large.
    pub fn has_circuits(&self) -> bool {
        self.floats == Floats::InTerms
    }
}

impl Translator {
    pub fn new() -> Translator {
        Translator {
            context: Context::new(),
            arena: None,
            cache: FxHashMap::default(),
            turned: FxHashMap::default(),
        }
    }

    /// A formula as it is told to a solver: floats have become bits, as far as possible.
    pub fn formula(&mut self, terms: &Terms, root: Term) -> Option<Translated> {
        let translated = self.translate(terms, root)?;
        match translated.floats {
            Floats::Nowhere => return Some(translated),
            Floats::InTerms => {}
            Floats::InArrays => {
                let fragment = translated.fragment.max(Fragment::Linear);
                return Some(Translated { fragment, ..translated });
            }
        }
        if let Some(known) = self.turned.get(&root) {
            return Some(known.clone());
        }
        let ast = self.context.without_floats(&translated.ast)?;
        let turned = Translated { ast, ..translated };
        self.turned.insert(root, turned.clone());
        Some(turned)
    }

    /// What a quantifier binds in place of the variable.
    pub fn bound(&mut self, terms: &Terms, variable: Term) -> Option<Ast> {
        match (terms.sort(variable), terms.name(variable)) {
            (Sort::Float(format), Some(name)) => float::variable_bits(&self.context, name, *format),
            _ => Some(self.translate(terms, variable)?.ast),
        }
    }

    /// None only if Z3 cannot represent the term (out of memory).
    pub fn translate(&mut self, terms: &Terms, root: Term) -> Option<Translated> {
        if self.arena != Some(terms.identity()) {
            self.arena = Some(terms.identity());
            self.cache.clear();
            self.turned.clear();
        }
        if let Some(known) = self.cache.get(&root) {
            return Some(known.clone());
        }
        // Ids of arguments are smaller, so the order of ids is one in which everything needed is there.
        let mut new = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !self.cache.contains_key(&term) && seen.insert(term) {
                new.push(term);
                stack.extend_from_slice(terms.args(term));
            }
        }
        new.sort_unstable();
        for term in new {
            let translated = self.node(terms, term)?;
            self.cache.insert(term, translated);
        }
        self.cache.get(&root).cloned()
    }

    fn node(&self, terms: &Terms, term: Term) -> Option<Translated> {
        let arguments: Option<Vec<&Translated>> =
            terms.args(term).iter().map(|a| self.cache.get(a)).collect();
        let arguments = arguments?;
        let own = own_fragment(terms, term);
        let fragment = arguments.iter().map(|a| a.fragment).fold(own, Fragment::max);
        let depth = arguments.iter().map(|a| a.depth + 1).max().unwrap_or(0);
        let floats =
            arguments.iter().map(|a| a.floats).fold(floats_in(terms.sort(term)), Floats::max);
        let asts: Vec<Ast> = arguments.iter().map(|a| a.ast.clone()).collect();
        let ast = if let Some(value) = terms.value(term) {
            value_ast(&self.context, value)?
        } else if let Some(name) = terms.name(term) {
            self.variable(name, terms.sort(term))?
        } else {
            self.operation(terms, term, &asts)?
        };
        Some(Translated { ast, fragment, depth, floats })
    }

    fn variable(&self, name: &str, sort: &Sort) -> Option<Ast> {
        match sort {
            Sort::Float(format) => {
                let bits = float::variable_bits(&self.context, name, *format)?;
                float::from_bits(&self.context, &bits, *format)
            }
            _ => self.context.variable(name, sort),
        }
    }

    fn operation(&self, terms: &Terms, term: Term, args: &[Ast]) -> Option<Ast> {
        let c = &self.context;
        let op = terms.op(term);
        let sort = terms.sort(term);
        let first = terms.args(term).first().map_or(sort, |&a| terms.sort(a));
        let width = |sort: &Sort| if let Sort::BitVec(width) = sort { *width } else { 0 };
        match (op, args) {
            (Op::Ite, [condition, then, otherwise]) => c.ite(condition, then, otherwise),
            (Op::Store, [array, index, element]) => c.store(array, index, element),
            (Op::And, _) => c.nary(z3::Z3_mk_and, args),
            (Op::Or, _) => c.nary(z3::Z3_mk_or, args),
            (Op::Add, _) if width(sort) == 0 => c.nary(z3::Z3_mk_add, args),
            (Op::Mul, _) if width(sort) == 0 => c.nary(z3::Z3_mk_mul, args),
            (Op::Add, [first, rest @ ..]) => {
                rest.iter().try_fold(first.clone(), |sum, a| c.binary(z3::Z3_mk_bvadd, &sum, a))
            }
            (Op::Mul, [first, rest @ ..]) => {
                rest.iter().try_fold(first.clone(), |all, a| c.binary(z3::Z3_mk_bvmul, &all, a))
            }
            (Op::Div | Op::Mod, [dividend, divisor]) => {
                let constant = terms.value(terms.args(term)[1]).is_some();
                self.division(op, sort, dividend, divisor, constant)
            }
            (Op::Extract { low }, [a]) => c.extract(low + width(sort) - 1, low, a),
            (Op::ZeroExtend, [a]) => c.zero_extend(width(sort) - width(first), a),
            (Op::SignExtend, [a]) => c.sign_extend(width(sort) - width(first), a),
            (Op::ConstArray, [element]) => match sort {
                Sort::Array(array) => c.constant_array(&array.index, element),
                _ => None,
            },
            (_, [a]) if unary(op).is_some() => c.unary(unary(op)?, a),
            (_, [a, b]) if binary(op).is_some() => c.binary(binary(op)?, a, b),
            (_, [a, b]) if width(first) > 0 => overflow::operation(c, op, a, b),
            _ => float::operation(c, op, sort, first, args),
        }
    }

    /// Our division is total: by zero, `/` and `div` give 0 and `mod` gives the dividend.
    fn division(
        &self,
        op: Op,
        sort: &Sort,
        dividend: &Ast,
        divisor: &Ast,
        constant: bool,
    ) -> Option<Ast> {
        let c = &self.context;
        let make = if op == Op::Mod { z3::Z3_mk_mod } else { z3::Z3_mk_div };
        let zero = c.numeral("0", sort)?;
        let at_zero = if op == Op::Mod { dividend } else { &zero };
        if constant && *divisor == zero {
            return Some(at_zero.clone());
        }
        let quotient = c.binary(make, dividend, divisor)?;
        if constant {
            return Some(quotient);
        }
        c.ite(&c.binary(z3::Z3_mk_eq, divisor, &zero)?, at_zero, &quotient)
    }
}

fn own_fragment(terms: &Terms, term: Term) -> Fragment {
    let constant = |t: &Term| terms.value(*t).is_some();
    match (terms.op(term), terms.sort(term)) {
        (Op::Mul, Sort::Int | Sort::Real)
            if terms.args(term).iter().filter(|t| !constant(t)).count() > 1 =>
        {
            Fragment::Nonlinear
        }
        (Op::Div | Op::Mod, _) if !terms.args(term).get(1).is_some_and(constant) => {
            Fragment::Nonlinear
        }
        (_, Sort::Bool | Sort::BitVec(_) | Sort::Float(_)) => Fragment::Bits,
        _ => Fragment::Linear,
    }
}

fn floats_in(sort: &Sort) -> Floats {
    match sort {
        Sort::Float(_) => Floats::InTerms,
        Sort::Array(array) => match floats_in(&array.index).max(floats_in(&array.element)) {
            Floats::Nowhere => Floats::Nowhere,
            _ => Floats::InArrays,
        },
        _ => Floats::Nowhere,
    }
}

fn unary(op: Op) -> Option<super::context::Unary> {
    Some(match op {
        Op::Not => z3::Z3_mk_not,
        Op::ToReal => z3::Z3_mk_int2real,
        Op::Floor => z3::Z3_mk_real2int,
        Op::BvNot => z3::Z3_mk_bvnot,
        _ => return None,
    })
}

fn binary(op: Op) -> Option<super::context::Binary> {
    Some(match op {
        Op::Eq => z3::Z3_mk_eq,
        Op::Le => z3::Z3_mk_le,
        Op::Lt => z3::Z3_mk_lt,
        Op::BvAnd => z3::Z3_mk_bvand,
        Op::BvOr => z3::Z3_mk_bvor,
        Op::BvXor => z3::Z3_mk_bvxor,
        Op::BvUdiv => z3::Z3_mk_bvudiv,
        Op::BvUrem => z3::Z3_mk_bvurem,
        Op::BvSdiv => z3::Z3_mk_bvsdiv,
        Op::BvSrem => z3::Z3_mk_bvsrem,
        Op::BvShl => z3::Z3_mk_bvshl,
        Op::BvLshr => z3::Z3_mk_bvlshr,
        Op::BvAshr => z3::Z3_mk_bvashr,
        Op::BvUlt => z3::Z3_mk_bvult,
        Op::BvSlt => z3::Z3_mk_bvslt,
        Op::Concat => z3::Z3_mk_concat,
        Op::Select => z3::Z3_mk_select,
        _ => return None,
    })
}

fn value_ast(context: &Context, value: &Value) -> Option<Ast> {
    match value {
        Value::Bool(b) => context.boolean(*b),
        Value::Int(i) => context.numeral(&i.to_string(), &Sort::Int),
        Value::Real(r) => {
            context.numeral(&format!("{}/{}", r.numerator(), r.denominator()), &Sort::Real)
        }
        Value::BitVec(b) => context.numeral(&b.unsigned().to_string(), &Sort::BitVec(b.width())),
        Value::Float(x) => float::constant(context, *x),
        Value::Array(a) => {
            let base = context.constant_array(&a.index, &value_ast(context, &a.default)?)?;
            a.entries().try_fold(base, |array, (index, element)| {
                context.store(&array, &value_ast(context, index)?, &value_ast(context, element)?)
            })
        }
    }
}
