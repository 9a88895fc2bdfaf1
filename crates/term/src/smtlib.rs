//! Printing as SMT-LIB 2.

mod float;

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

/// The term as one SMT-LIB expression; nodes used more than once are bound by nested `let`s.
pub fn to_smtlib(terms: &Terms, term: Term) -> String {
    let mut printer = Printer::new(terms, &[term]);
    let mut bindings = String::new();
    let mut depth = 0;
    for node in terms.reachable(&[term]) {
        if let Some(text) = printer.print(node, node == term) {
            let name = printer.bind(node);
            let _ = write!(bindings, "(let (({name} {text})) ");
            depth += 1;
        }
    }
    bindings + &printer.text(term) + &")".repeat(depth)
}

/// A complete SMT-LIB script that asserts the terms and checks them. Shared and deep nodes become
/// `define-fun`s, so that the script has no deep nesting.
pub fn script(terms: &Terms, assertions: &[Term]) -> String {
    let mut out = String::from("(set-logic ALL)\n");
    let mut printer = Printer::new(terms, assertions);
    for variable in terms.variables_of(assertions) {
        let (symbol, sort) = (&printer.symbols[&variable], terms.sort(variable));
        let _ = writeln!(out, "(declare-fun {symbol} () {sort})");
    }
    for node in terms.reachable(assertions) {
        if let Some(text) = printer.print(node, false) {
            let name = printer.bind(node);
            let _ = writeln!(out, "(define-fun {name} () {} {text})", terms.sort(node));
        }
    }
    for &assertion in assertions {
        let _ = writeln!(out, "(assert {})", printer.text(assertion));
    }
    out + "(check-sat)\n"
}

/// Longer texts get a name even if they are used once, which bounds the nesting.
const LONGEST_LINE: usize = 400;

struct Printer<'a> {
    terms: &'a Terms,
    uses: FxHashMap<Term, u32>,
    texts: FxHashMap<Term, String>,
    symbols: FxHashMap<Term, String>,
    taken: FxHashSet<String>,
    bound: usize,
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms, roots: &[Term]) -> Printer<'a> {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        // An assertion can be part of another one; its text must not be thrown away with that.
        for root in roots {
            *uses.entry(*root).or_default() += 1;
        }
        for node in terms.reachable(roots) {
            for arg in terms.args(node) {
                *uses.entry(*arg).or_default() += 1;
            }
        }
        let mut printer = Printer {
            terms,
            uses,
            texts: FxHashMap::default(),
            symbols: FxHashMap::default(),
            taken: FxHashSet::default(),
            bound: 0,
        };
        for variable in terms.variables_of(roots) {
            printer.declare(variable);
        }
        printer
    }

    /// Gives a variable its symbol: its name, quoted. `|` and `\` cannot be quoted in SMT-LIB, and
    /// variables of different sorts may have the same name, so some symbols get a number.
    fn declare(&mut self, variable: Term) {
        let name = self.terms.name(variable).unwrap_or_default().replace(['|', '\\'], "_");
        let mut unique = name.clone();
        let mut number = 1;
        while !self.taken.insert(unique.clone()) {
            unique = format!("{name}@{number}");
            number += 1;
        }
        self.symbols.insert(variable, format!("|{unique}|"));
    }

    fn text(&self, term: Term) -> String {
        self.texts.get(&term).cloned().unwrap_or_default()
    }

    fn bind(&mut self, node: Term) -> String {
        let mut name = format!("?{}", self.bound);
        while self.taken.contains(&name) {
            self.bound += 1;
            name = format!("?{}", self.bound);
        }
        self.bound += 1;
        self.texts.insert(node, name.clone());
        name
    }

    /// Prints one node, given the texts of its arguments; returns the text if it should get a name.
    fn print(&mut self, node: Term, is_root: bool) -> Option<String> {
        let text = self.node(node);
        let leaf = self.terms.args(node).is_empty();
        let shared = self.uses.get(&node).copied().unwrap_or(0) > 1;
        if !is_root && !leaf && (shared || text.len() > LONGEST_LINE) {
            return Some(text);
        }
        // The texts of arguments that are used once are not needed any more.
        for &arg in self.terms.args(node) {
            if self.uses.get(&arg) == Some(&1) {
                self.texts.remove(&arg);
            }
        }
        self.texts.insert(node, text);
        None
    }

    fn node(&self, node: Term) -> String {
        let terms = self.terms;
        if let Some(value) = terms.value(node) {
            return value_text(value);
        }
        if let Some(symbol) = self.symbols.get(&node) {
            return symbol.clone();
        }
        let args: Vec<String> = terms.args(node).iter().map(|&a| self.text(a)).collect();
        let sort = terms.sort(node);
        let first_sort = terms.sort(terms.args(node)[0]);
        // Our total division; see `op.rs`.
        match (terms.op(node), first_sort) {
            (Op::Div, Sort::Int) => {
                return format!("(ite (= {1} 0) 0 (div {0} {1}))", args[0], args[1]);
            }
            (Op::Div, _) => {
                return format!("(ite (= {1} 0.0) 0.0 (/ {0} {1}))", args[0], args[1]);
            }
            (Op::Mod, _) => {
                return format!("(ite (= {1} 0) {0} (mod {0} {1}))", args[0], args[1]);
            }
            (Op::FpToSigned | Op::FpToUnsigned | Op::FpToBits, Sort::Float(format)) => {
                return float::total(terms.op(node), sort, *format, &args[0]);
            }
            _ => {}
        }
        format!("({} {})", head(terms.op(node), sort, first_sort), args.join(" "))
    }
}

fn head(op: Op, sort: &Sort, argument: &Sort) -> String {
    let bits = matches!(argument, Sort::BitVec(_));
    let width = |sort: &Sort| if let Sort::BitVec(w) = sort { *w } else { 0 };
    let plain = match op {
        Op::Const(_) | Op::Var(_) => "",
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Ite => "ite",
        Op::Eq => "=",
        Op::Le => "<=",
        Op::Lt => "<",
        Op::Add if bits => "bvadd",
        Op::Add => "+",
        Op::Mul if bits => "bvmul",
        Op::Mul => "*",
        Op::Div => "/",
        Op::Mod => "mod",
        Op::ToReal => "to_real",
        Op::Floor => "to_int",
        Op::BvNot => "bvnot",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvUlt => "bvult",
        Op::BvSlt => "bvslt",
        Op::BvSaddOverflow => "bvsaddo",
        Op::BvSsubOverflow => "bvssubo",
        Op::BvSmulOverflow => "bvsmulo",
        Op::BvUaddOverflow => "bvuaddo",
        Op::BvUsubOverflow => "bvusubo",
        Op::BvUmulOverflow => "bvumulo",
        Op::Concat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        Op::Extract { low } => return format!("(_ extract {} {low})", low + width(sort) - 1),
        Op::ZeroExtend => return format!("(_ zero_extend {})", width(sort) - width(argument)),
        Op::SignExtend => return format!("(_ sign_extend {})", width(sort) - width(argument)),
        Op::ConstArray => return format!("(as const {sort})"),
        Op::FpAdd
        | Op::FpSub
        | Op::FpMul
        | Op::FpDiv
        | Op::FpNeg
        | Op::FpAbs
        | Op::FpSqrt
        | Op::FpFma
        | Op::FpRound(_)
        | Op::FpEq
        | Op::FpLt
        | Op::FpLe
        | Op::FpIsNan
        | Op::FpFromSigned
        | Op::FpFromUnsigned
        | Op::FpToSigned
        | Op::FpToUnsigned
        | Op::FpConvert
        | Op::FpFromBits
        | Op::FpToBits => return float::head(op, sort),
    };
    plain.to_owned()
}

fn value_text(value: &Value) -> String {
    use dashu_int::IBig;
    let signed = |negative: bool, text: String| if negative { format!("(- {text})") } else { text };
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => {
            let negative = *i < IBig::ZERO;
            signed(negative, i.to_string().trim_start_matches('-').to_owned())
        }
        Value::Real(r) => {
            let numerator = r.numerator().to_string();
            let magnitude = format!("{}.0", numerator.trim_start_matches('-'));
            let text = if r.denominator().is_one() {
                magnitude
            } else {
                format!("(/ {magnitude} {}.0)", r.denominator())
            };
            signed(numerator.starts_with('-'), text)
        }
        Value::BitVec(b) => format!("(_ bv{} {})", b.unsigned(), b.width()),
        Value::Float(x) => float::literal(*x),
        Value::Array(a) => {
            let mut text = "(store ".repeat(a.len());
            let _ = write!(text, "((as const {}) {})", value.sort(), value_text(&a.default));
            for (index, element) in a.entries() {
                let _ = write!(text, " {} {})", value_text(index), value_text(element));
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_sharing_with_let() {
        let mut t = Terms::new();
        let x = t.var("x", &Sort::Int);
        let one = t.constant(&Value::int(-1));
        let sum = t.add(&[x, one]);
        let square = t.mul(sum, sum);
        assert_eq!(to_smtlib(&t, square), "(let ((?0 (+ (- 1) |x|))) (* ?0 ?0))");
        let small = t.le(square, one);
        let script = script(&t, &[small]);
        assert!(script.starts_with("(set-logic ALL)\n(declare-fun |x| () Int)\n"), "{script}");
    }

    #[test]
    fn symbols_are_distinct() {
        let mut t = Terms::new();
        let a = t.var("a|b", &Sort::Bool);
        let b = t.var("a_b", &Sort::Bool);
        let same = t.var("a_b", &Sort::Int);
        let bound = t.var("?0", &Sort::Int);
        let sum = t.add(&[same, bound]);
        let square = t.mul(sum, sum);
        let small = t.le(square, bound);
        let all = t.and(&[a, b, small]);
        let script = script(&t, &[all]);
        for line in [
            "(declare-fun |a_b| () Bool)",
            "(declare-fun |a_b@1| () Bool)",
            "(declare-fun |a_b@2| () Int)",
            "(declare-fun |?0| () Int)",
            "(define-fun ?1 () Int (+ |a_b@2| |?0|))",
        ] {
            assert!(script.contains(line), "{line} is missing in {script}");
        }
    }

    #[test]
    fn an_assertion_inside_another_one() {
        let mut t = Terms::new();
        let (p, x) = (t.var("p", &Sort::Bool), t.var("x", &Sort::Int));
        let zero = t.constant(&Value::int(0));
        let inner = t.le(x, zero);
        let outer = t.or(&[p, inner]);
        let script = script(&t, &[inner, outer]);
        let expected = "(define-fun ?0 () Bool (<= |x| 0))\n(assert ?0)\n(assert (or |p| ?0))";
        assert!(script.contains(expected), "{script}");
    }

    #[test]
    fn prints_values() {
        let real = Value::Real(dashu_ratio::RBig::from_parts((-1).into(), 3u8.into()));
        assert_eq!(value_text(&real), "(- (/ 1.0 3.0))");
        assert_eq!(value_text(&Value::bitvec(8, 255)), "(_ bv255 8)");
    }
}
