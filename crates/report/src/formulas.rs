//! Formulas in source syntax: with the names and types of the source, and as a programmer would write them.
//!
//! Comparisons are turned so that the variable comes first, and sums so that nothing is subtracted on the left of a
//! comparison that could be added on the right.

use std::collections::HashMap;

use failure::Failure;
use program::{Language, Type, TypeId};
use term::{Linear, Op, Sort, Term, Terms, Value};

use crate::addresses::Addresses;
use crate::groups::Pieces;
use crate::story::Story;
use crate::values::show;

/// What a formula is shown with.
pub struct Formulas<'a> {
    pub story: &'a Story<'a>,
    pub terms: &'a Terms,
    /// Variables that are not of the source, in words.
    pub words: HashMap<Term, String>,
    /// With short names.
    pub addresses: Addresses<'a>,
    pub pieces: Pieces,
}

/// How strongly an operator binds; what binds less is put in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Or,
    And,
    Bits,
    Compare,
    Shift,
    Sum,
    Product,
    Prefix,
    Atom,
}

struct Text {
    text: String,
    strength: Strength,
}

impl Text {
    fn atom(text: impl Into<String>) -> Text {
        Text { text: text.into(), strength: Strength::Atom }
    }

    fn at_least(self, strength: Strength) -> String {
        match self.strength >= strength {
            true => self.text,
            false => format!("({})", self.text),
        }
    }
}

impl Formulas<'_> {
    /// A formula.
    pub fn alone(&self, formula: Term) -> String {
        self.show(formula, None).text
    }

    /// A part of a conjunction.
    pub fn part(&self, part: Term) -> String {
        self.show(part, None).at_least(Strength::And)
    }

    /// The value of a variable.
    pub fn value(&self, constant: Term, variable: Term) -> String {
        self.show(constant, self.addresses.type_of(variable)).text
    }

    fn failure(&self) -> &Failure<'_> {
        self.story.failure
    }

    /// The name of a variable.
    pub fn name(&self, variable: Term) -> String {
        if let Some(words) = self.words.get(&variable) {
            return words.clone();
        }
        let (program, trace) = (self.failure().program, &self.failure().trace);
        if let Some((label, ty)) = trace.labels.get(&variable) {
            let untyped = || self.addresses.untyped_cell(variable).map(|(text, _)| text);
            return match ty {
                Some(_) => label.clone(),
                None => untyped().unwrap_or_else(|| label.clone()),
            };
        }
        let (_, origin) = trace.origin(variable);
        match program.variables.get(&origin) {
            Some(declared) => declared.name.clone(),
            None => self.terms.name(variable).unwrap_or("?").to_owned(),
        }
    }

    /// The type of the first variable that has one.
    fn type_of(&self, term: Term) -> Option<TypeId> {
        let variables = self.terms.variables_of(&[term]);
        variables.into_iter().find_map(|variable| self.addresses.type_of(variable))
    }

    fn is_unsigned(&self, term: Term) -> bool {
        let program = self.failure().program;
        let unsigned = |ty: TypeId| {
            matches!(
                program.ty(ty),
                Type::Integer { signed: false, .. } | Type::Pointer(_) | Type::Bool
            )
        };
        self.type_of(term).is_some_and(unsigned)
    }

    fn constant(&self, value: &Value, ty: Option<TypeId>) -> Text {
        let shown = show(&self.addresses, value, ty).code;
        let strength = if shown.starts_with('-') { Strength::Prefix } else { Strength::Atom };
        Text { text: shown, strength }
    }

    fn show(&self, term: Term, ty: Option<TypeId>) -> Text {
        let terms = self.terms;
        if let Some(value) = terms.value(term) {
            return match (value, self.failure().program.language) {
                (Value::Bool(truth), _) => Text::atom(truth.to_string()),
                _ => self.constant(value, ty),
            };
        }
        if terms.is_var(term) {
            return Text::atom(self.name(term));
        }
        let args = terms.args(term);
        let ty = ty.or_else(|| self.type_of(term));
        let joined = |operator: &str, strength: Strength| {
            let parts = args.iter().map(|&arg| {
                let inner = self.show(arg, None);
                inner.at_least(match strength {
                    Strength::Or => Strength::And,
                    _ => Strength::Compare,
                })
            });
            Text { text: parts.collect::<Vec<_>>().join(operator), strength }
        };
        match (terms.op(term), args) {
            (Op::And, _) => joined(" && ", Strength::And),
            (Op::Or, _) => joined(" || ", Strength::Or),
            (Op::Not, &[inner]) => self.negation(inner),
            (Op::Eq | Op::FpEq, &[a, b]) => self.comparison(term, "==", a, b),
            (Op::Le | Op::FpLe, &[a, b]) => self.comparison(term, "<=", a, b),
            (Op::Lt | Op::FpLt | Op::BvSlt | Op::BvUlt, &[a, b]) => {
                self.comparison(term, "<", a, b)
            }
            (Op::Add | Op::Mul, _) => self.sum(&terms.linear(term), terms.sort(term), ty),
            (Op::Ite, &[condition, then, otherwise]) => {
                let part = |term| self.show(term, ty).at_least(Strength::Compare);
                let text = format!("{} ? {} : {}", part(condition), part(then), part(otherwise));
                Text { text, strength: Strength::Or }
            }
            (Op::SignExtend | Op::ZeroExtend, &[inner]) => self.show(inner, None),
            (Op::Select, &[map, index]) => {
                let inside = self.show(index, None).text;
                Text::atom(format!("{}[{inside}]", self.show(map, None).at_least(Strength::Atom)))
            }
            (op, &[a, b]) => match operator(op, self.failure().program.language) {
                Some((sign, strength)) => {
                    let left = self.show(a, ty).at_least(strength);
                    let right = self.show(b, ty).at_least(Strength::Prefix);
                    Text { text: format!("{left} {sign} {right}"), strength }
                }
                None => Text::atom(term::to_smtlib(terms, term)),
            },
            (Op::BvNot, &[inner]) => Text {
                text: format!("~{}", self.show(inner, ty).at_least(Strength::Prefix)),
                strength: Strength::Prefix,
            },
            (Op::FpNeg, &[inner]) => Text {
                text: format!("-{}", self.show(inner, ty).at_least(Strength::Prefix)),
                strength: Strength::Prefix,
            },
            (Op::Extract { low: 0 }, &[inner]) => {
                let cast = match terms.sort(term) {
                    Sort::BitVec(8) => "(char)",
                    Sort::BitVec(16) => "(short)",
                    Sort::BitVec(32) => "(int)",
                    _ => return Text::atom(term::to_smtlib(terms, term)),
                };
                let inner = self.show(inner, None).at_least(Strength::Prefix);
                Text { text: format!("{cast}{inner}"), strength: Strength::Prefix }
            }
            _ => Text::atom(term::to_smtlib(terms, term)),
        }
    }

    fn negation(&self, inner: Term) -> Text {
        let terms = self.terms;
        match (terms.op(inner), terms.args(inner)) {
            (Op::Eq, &[a, b]) => self.comparison(inner, "!=", a, b),
            (Op::Le | Op::Lt | Op::BvSlt | Op::BvUlt, &[a, b]) => {
                let sign = if terms.op(inner) == Op::Le { ">" } else { ">=" };
                self.comparison(inner, sign, a, b)
            }
            _ => Text {
                text: format!("!{}", self.show(inner, None).at_least(Strength::Prefix)),
                strength: Strength::Prefix,
            },
        }
    }

    /// A comparison, with the constant on the right.
    fn comparison(&self, atom: Term, sign: &str, a: Term, b: Term) -> Text {
        let terms = self.terms;
        let (mut a, mut b, mut sign) = (a, b, sign);
        if terms.value(a).is_some() {
            (a, b, sign) = (b, a, turned(sign));
        }
        let ty = self.type_of(a).or_else(|| self.type_of(b));
        let sort = terms.sort(a);
        let (left, right) = match sort {
            Sort::Int | Sort::Real => {
                let (left, right, is_negated) = self.sides(a, b, ty);
                sign = if is_negated { turned(sign) } else { sign };
                (left, right)
            }
            Sort::Bool => {
                let side = |term| self.show(term, ty).at_least(Strength::Shift);
                (side(a), side(b))
            }
            _ => {
                let side = |term| self.show(term, ty).at_least(Strength::Shift);
                (side(a), side(b))
            }
        };
        let unsigned = terms.op(atom) == Op::BvUlt && !self.is_unsigned(a);
        let left = match unsigned && self.failure().program.language == Language::C {
            true => format!("(unsigned){left}"),
            false => left,
        };
        Text { text: format!("{left} {sign} {right}"), strength: Strength::Compare }
    }

    /// The sides of a comparison of numbers, with negative summands moved to the right. If there are no others, both are
    /// negated.
    fn sides(&self, a: Term, b: Term, ty: Option<TypeId>) -> (String, String, bool) {
        let terms = self.terms;
        let sort = terms.sort(a);
        let zero = Value::zero(sort);
        let mut form = terms.linear(a);
        let (mut left, mut right) = (form.clone(), terms.linear(b));
        if form.parts.iter().any(|(_, factor)| *factor > zero) {
            left.parts.clear();
            for (part, factor) in form.parts.drain(..) {
                match factor < zero {
                    true => right.parts.push((part, factor.neg())),
                    false => left.parts.push((part, factor)),
                }
            }
        }
        let is_negated = left.parts.iter().all(|(_, factor)| *factor < zero)
            && !left.parts.is_empty()
            && right.parts.is_empty();
        if is_negated {
            for form in [&mut left, &mut right] {
                form.constant = form.constant.neg();
                for (_, factor) in &mut form.parts {
                    *factor = factor.neg();
                }
            }
        }
        (self.sum(&left, sort, ty).text, self.sum(&right, sort, ty).text, is_negated)
    }

    fn sum(&self, form: &Linear, sort: &Sort, ty: Option<TypeId>) -> Text {
        let negative = |value: &Value| match value {
            Value::BitVec(bits) => bits.is_negative(),
            value => *value < Value::zero(sort),
        };
        let mut text = String::new();
        let mut count = 0;
        let mut add = |part: String, minus: bool| {
            match (count, minus) {
                (0, false) => {}
                (0, true) => text.push('-'),
                (_, false) => text.push_str(" + "),
                (_, true) => text.push_str(" - "),
            }
            text.push_str(&part);
            count += 1;
        };
        let mut products = false;
        // What is added comes before what is subtracted.
        let mut parts: Vec<_> = form.parts.iter().collect();
        parts.sort_by_key(|(_, factor)| negative(factor));
        for (part, factor) in parts {
            let minus = negative(factor);
            let factor = if minus { factor.neg() } else { factor.clone() };
            let shown = self.product(*part, ty);
            add(
                match factor.is_one() {
                    true => shown,
                    false => {
                        products = true;
                        format!("{} * {shown}", self.constant(&factor, None).text)
                    }
                },
                minus,
            );
        }
        if !form.constant.is_zero() || form.parts.is_empty() {
            let minus = negative(&form.constant) && !form.parts.is_empty();
            let constant = if minus { form.constant.neg() } else { form.constant.clone() };
            let constant_type = if form.parts.is_empty() { ty } else { None };
            add(self.constant(&constant, constant_type).text, minus);
        }
        let strength = match (count, products || text.starts_with('-')) {
            (1, false) => Strength::Atom,
            (1, true) => Strength::Product,
            _ => Strength::Sum,
        };
        Text { text, strength }
    }

    fn product(&self, part: Term, ty: Option<TypeId>) -> String {
        if self.terms.op(part) != Op::Mul {
            return self.show(part, ty).at_least(Strength::Prefix);
        }
        let factors = self.terms.args(part).iter();
        let shown = factors.map(|&factor| self.show(factor, ty).at_least(Strength::Prefix));
        shown.collect::<Vec<_>>().join(" * ")
    }
}

fn operator(op: Op, language: Language) -> Option<(&'static str, Strength)> {
    let boogie = language == Language::Boogie;
    Some(match op {
        Op::Div if boogie => ("div", Strength::Product),
        Op::Mod if boogie => ("mod", Strength::Product),
        Op::Div | Op::BvUdiv | Op::BvSdiv | Op::FpDiv => ("/", Strength::Product),
        Op::Mod | Op::BvUrem | Op::BvSrem => ("%", Strength::Product),
        Op::FpMul => ("*", Strength::Product),
        Op::FpAdd => ("+", Strength::Sum),
        Op::FpSub => ("-", Strength::Sum),
        Op::BvShl => ("<<", Strength::Shift),
        Op::BvLshr | Op::BvAshr => (">>", Strength::Shift),
        Op::BvAnd => ("&", Strength::Bits),
        Op::BvOr => ("|", Strength::Bits),
        Op::BvXor => ("^", Strength::Bits),
        _ => return None,
    })
}

/// The comparison with its sides exchanged.
fn turned(sign: &str) -> &str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        other => other,
    }
}
