//! For tests: formulas from text, and random ones.

use std::str::SplitWhitespace;

use term::{Op, Sort, Term, Terms, Value};

/// A sort from its SMT-LIB text.
pub fn sort(text: &str) -> Sort {
    match text.trim_matches(['(', ')']).split_whitespace().collect::<Vec<_>>()[..] {
        ["Bool"] => Sort::Bool,
        ["Int"] => Sort::Int,
        ["Real"] => Sort::Real,
        ["_", "BitVec", width] => Sort::BitVec(width.parse().unwrap()),
        ["Array", index, element] => Sort::array(sort(index), sort(element)),
        _ => panic!("no sort: {text}"),
    }
}

/// A term from text like SMT-LIB, with all variables of one sort. Numbers have the sort of the variables,
/// or of the elements of arrays.
pub fn read(terms: &mut Terms, sort_text: &str, text: &str) -> Term {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace();
    let sort = sort(sort_text);
    expression(terms, &sort, &mut tokens).unwrap()
}

/// The next expression; None at a closing parenthesis.
fn expression(terms: &mut Terms, sort: &Sort, tokens: &mut SplitWhitespace<'_>) -> Option<Term> {
    match tokens.next()? {
        ")" => None,
        "(" => {
            let head = tokens.next()?;
            let mut args = Vec::new();
            while let Some(argument) = expression(terms, sort, tokens) {
                args.push(argument);
            }
            Some(apply(terms, head, &args))
        }
        token => Some(leaf(terms, sort, token)),
    }
}

fn leaf(terms: &mut Terms, sort: &Sort, token: &str) -> Term {
    if let Ok(number) = token.parse::<i32>() {
        let sort = match sort {
            Sort::Array(array) => array.element.clone(),
            other => other.clone(),
        };
        return terms.constant(&Value::number(&sort, &number.into()));
    }
    match token {
        "true" => terms.bool(true),
        "false" => terms.bool(false),
        name => terms.var(name, sort),
    }
}

fn apply(t: &mut Terms, head: &str, args: &[Term]) -> Term {
    let chain = |t: &mut Terms, compare: &mut dyn FnMut(&mut Terms, Term, Term) -> Term| {
        let links: Vec<Term> = args.windows(2).map(|p| compare(t, p[0], p[1])).collect();
        t.and(&links)
    };
    match (head, args) {
        ("not", &[a]) => t.not(a),
        ("and", _) => t.and(args),
        ("or", _) => t.or(args),
        ("=>", &[a, b]) => {
            let not_a = t.not(a);
            t.or(&[not_a, b])
        }
        ("ite", &[c, a, b]) => t.ite(c, a, b),
        ("=", _) => chain(t, &mut |t, a, b| t.eq(a, b)),
        ("<=", _) => chain(t, &mut |t, a, b| t.le(a, b)),
        ("<", _) => chain(t, &mut |t, a, b| t.lt(a, b)),
        (">=", _) => chain(t, &mut |t, a, b| t.le(b, a)),
        (">", _) => chain(t, &mut |t, a, b| t.lt(b, a)),
        ("+", _) => t.add(args),
        ("-", &[a]) => t.neg(a),
        ("-", &[a, b]) => t.sub(a, b),
        ("*", &[a, b]) => t.mul(a, b),
        ("mod", &[a, b]) => t.modulo(a, b),
        ("div", &[a, b]) => t.div(a, b),
        ("select", &[a, i]) => t.select(a, i),
        ("store", &[a, i, e]) => t.store(a, i, e),
        ("bvnot", &[a]) => t.bv_not(a),
        ("bvand", &[a, b]) => t.bit_operation(Op::BvAnd, a, b),
        ("bvxor", &[a, b]) => t.bit_operation(Op::BvXor, a, b),
        ("bvult", &[a, b]) => t.bv_ult(a, b),
        ("bvslt", &[a, b]) => t.bv_slt(a, b),
        _ => panic!("no operator: {head}"),
    }
}

/// Random numbers and terms, the same in every run (xorshift).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit
    }

    /// A formula over variables of one numeric sort.
    pub fn formula(&mut self, t: &mut Terms, vars: &[Term], depth: usize) -> Term {
        if depth == 0 || self.below(5) == 0 {
            let (a, b) = (self.number(t, vars, 2), self.number(t, vars, 1));
            let bits = matches!(t.sort(a), Sort::BitVec(_));
            return match self.below(3) {
                0 => t.eq(a, b),
                1 if bits => t.bv_slt(a, b),
                _ if bits => t.bv_ult(a, b),
                1 => t.lt(a, b),
                _ => t.le(a, b),
            };
        }
        let (a, b) = (self.formula(t, vars, depth - 1), self.formula(t, vars, depth - 1));
        match self.below(5) {
            0 => t.not(a),
            1 => t.and(&[a, b]),
            2 => t.eq(a, b),
            _ => t.or(&[a, b]),
        }
    }

    fn number(&mut self, t: &mut Terms, vars: &[Term], depth: usize) -> Term {
        let sort = t.sort(vars[0]).clone();
        if depth == 0 {
            return match self.below(4) {
                0 => t.constant(&Value::number(&sort, &(self.below(8) as i32).into())),
                _ => vars[self.below(vars.len())],
            };
        }
        let (a, b) = (self.number(t, vars, depth - 1), self.number(t, vars, depth - 1));
        let small = t.constant(&Value::number(&sort, &(self.below(5) as i32 - 2).into()));
        let bits = matches!(sort, Sort::BitVec(_));
        match self.below(9) {
            0 => t.add(&[a, b]),
            1 => t.sub(a, b),
            2 => t.mul(small, a),
            3 => {
                let c = self.formula(t, vars, 0);
                t.ite(c, a, b)
            }
            4 if bits => t.bit_operation(Op::BvAnd, a, b),
            5 if bits => t.bit_operation(Op::BvXor, a, b),
            6 if bits => t.bit_operation(Op::BvUdiv, a, b),
            4 => t.modulo(a, small),
            5 => t.div(a, small),
            _ => a,
        }
    }
}
