//! Terms as expressions. Each is read back by the constructor that `Terms::make` calls for its
//! operator, on the same arguments in the same order, so that it becomes the same term.

use term::{Op, Sort, Term};

use super::{Writer, type_of};

/// How tightly the surroundings bind, as in the parser; weaker expressions need parentheses.
pub(super) mod level {
    pub const ANY: u32 = 0;
    pub const CONNECTIVE: u32 = 2;
    pub const RELATION: u32 = 3;
    pub const CONCATENATION: u32 = 4;
    pub const SUM: u32 = 5;
    pub const PRODUCT: u32 = 6;
    pub const PREFIX: u32 = 7;
    pub const ATOM: u32 = 8;
}

impl Writer<'_> {
    pub(super) fn term(&mut self, term: Term) {
        self.at_level(term, level::ANY);
    }

    /// The functions for pieces of large terms.
    pub(super) fn term_functions(&mut self) {
        for piece in self.functions.pieces() {
            let variables = self.functions.piece(piece).unwrap_or_default().to_vec();
            let parameters: Vec<String> = variables
                .iter()
                .map(|&v| format!("{}: {}", self.names.of_variable(v), type_of(self.terms.sort(v))))
                .collect();
            let head = format!(
                "function {{:inline}} term.{}({}): {} {{ ",
                piece.index(),
                parameters.join(", "),
                type_of(self.terms.sort(piece))
            );
            self.text.push_str(&head);
            self.node(piece, level::ANY);
            self.text.push_str(" }\n");
        }
    }

    pub(super) fn at_level(&mut self, term: Term, level: u32) {
        match self.functions.piece(term) {
            Some(variables) => {
                let names: Vec<_> = variables.iter().map(|&v| self.names.of_variable(v)).collect();
                let call = format!("term.{}({})", term.index(), names.join(", "));
                self.text.push_str(&call);
            }
            None => self.node(term, level),
        }
    }

    /// The term itself, even if it has a function.
    fn node(&mut self, term: Term, level: u32) {
        if let Some(value) = self.terms.value(term).cloned() {
            return self.value(&value, level);
        }
        let own = self.level_of(term);
        if own < level {
            self.text.push('(');
        }
        self.operation(term);
        if own < level {
            self.text.push(')');
        }
    }

    fn level_of(&self, term: Term) -> u32 {
        let bits = matches!(self.terms.sort(term), Sort::BitVec(_));
        match self.terms.op(term) {
            Op::Ite => level::ANY,
            Op::And | Op::Or => level::CONNECTIVE,
            Op::Eq | Op::Le | Op::Lt => level::RELATION,
            Op::Not if self.negated_equality(term).is_some() => level::RELATION,
            Op::Concat => level::CONCATENATION,
            Op::Add if !bits => level::SUM,
            Op::Mul if !bits && self.negated(term).is_some() => level::PREFIX,
            Op::Mul if !bits => level::PRODUCT,
            Op::Div | Op::Mod => level::PRODUCT,
            Op::Not => level::PREFIX,
            _ => level::ATOM,
        }
    }

    fn operation(&mut self, term: Term) {
        let arguments = self.terms.args(term).to_vec();
        let sort = self.terms.sort(term).clone();
        let bits = matches!(sort, Sort::BitVec(_));
        match (self.terms.op(term), &arguments[..]) {
            (Op::Var(_) | Op::Const(_), _) => self.text.push_str(self.names.of_variable(term)),
            (Op::Not, &[a]) => match self.negated_equality(term) {
                Some((a, b)) => self.infix("!=", a, b, level::CONCATENATION),
                None => {
                    self.text.push('!');
                    self.at_level(a, level::PREFIX);
                }
            },
            (Op::And, _) => self.chain(term, "&&", &arguments, level::RELATION),
            (Op::Or, _) => self.chain(term, "||", &arguments, level::RELATION),
            (Op::Ite, &[condition, then, otherwise]) => {
                for (word, part) in [("if ", condition), (" then ", then), (" else ", otherwise)] {
                    self.text.push_str(word);
                    self.term(part);
                }
            }
            (Op::Eq, &[a, b]) => self.infix("==", a, b, level::CONCATENATION),
            (Op::Le, &[a, b]) => self.comparison(("<=", ">="), a, b),
            (Op::Lt, &[a, b]) => self.comparison(("<", ">"), a, b),
            (Op::Add, _) if bits => self.nested("bvadd", term, &arguments),
            (Op::Mul, _) if bits => self.nested("bvmul", term, &arguments),
            (Op::Add, _) => self.sum(term, &arguments),
            (Op::Mul, _) => match self.negated(term) {
                Some(part) => {
                    self.text.push('-');
                    self.at_level(part, level::PREFIX);
                }
                None => self.list(" * ", &arguments, level::PREFIX),
            },
            (Op::Div, &[a, b]) => {
                let operator = if sort == Sort::Int { "div" } else { "/" };
                self.infix(operator, a, b, level::PREFIX);
            }
            (Op::Mod, &[a, b]) => self.infix("mod", a, b, level::PREFIX),
            (Op::ToReal, &[a]) => self.call("real", &[a]),
            (Op::Floor, &[a]) => self.call("int", &[a]),
            (Op::Concat, &[a, b]) => self.infix("++", a, b, level::SUM),
            (Op::Extract { low }, &[a]) => {
                self.at_level(a, level::ATOM);
                let width = if let Sort::BitVec(width) = sort { width } else { 1 };
                self.text.push_str(&format!("[{}:{low}]", low + width));
            }
            (Op::Select, &[array, index]) => {
                self.at_level(array, level::ATOM);
                self.text.push('[');
                self.term(index);
                self.text.push(']');
            }
            (Op::Store, &[array, index, element]) => {
                self.at_level(array, level::ATOM);
                self.text.push('[');
                self.term(index);
                self.text.push_str(" := ");
                self.term(element);
                self.text.push(']');
            }
            (op, _) => self.builtin(op, &sort, &arguments),
        }
    }

    pub(super) fn infix(&mut self, operator: &str, a: Term, b: Term, operands: u32) {
        self.at_level(a, operands);
        self.text.push_str(&format!(" {operator} "));
        self.at_level(b, operands);
    }

    fn list(&mut self, separator: &str, terms: &[Term], operands: u32) {
        for (index, &term) in terms.iter().enumerate() {
            self.text.push_str(if index > 0 { separator } else { "" });
            self.at_level(term, operands);
        }
    }

    fn call(&mut self, function: &str, arguments: &[Term]) {
        self.text.push_str(&format!("{function}("));
        self.list(", ", arguments, level::ANY);
        self.text.push(')');
    }

    /// A chain of operands, which is read as one. If the first one has the same operator, it must
    /// not become part of the chain: a coercion keeps it apart.
    pub(super) fn chain(&mut self, term: Term, operator: &str, operands: &[Term], level: u32) {
        let [first, rest @ ..] = operands else { return };
        self.chain_start(term, *first, level);
        for &operand in rest {
            self.text.push_str(&format!(" {operator} "));
            self.at_level(operand, level);
        }
    }

    pub(super) fn chain_start(&mut self, chain: Term, first: Term, level: u32) {
        let plain = self.functions.piece(first).is_none();
        if plain && self.terms.op(first) == self.terms.op(chain) {
            let of_type = type_of(self.terms.sort(first));
            self.text.push('(');
            self.at_level(first, level::ATOM);
            self.text.push_str(&format!(": {of_type})"));
        } else {
            self.at_level(first, level);
        }
    }

    /// `!(a == b)`
    fn negated_equality(&self, term: Term) -> Option<(Term, Term)> {
        let inner = *self.terms.args(term).first()?;
        match (self.terms.op(inner), self.terms.args(inner)) {
            (Op::Eq, &[a, b]) if self.functions.piece(inner).is_none() => Some((a, b)),
            _ => None,
        }
    }

    fn builtin(&mut self, op: Op, sort: &Sort, arguments: &[Term]) {
        let sorts: Vec<Sort> = arguments.iter().map(|&a| self.terms.sort(a).clone()).collect();
        let added = match (sort, sorts.first()) {
            (Sort::BitVec(wide), Some(Sort::BitVec(narrow))) => wide.saturating_sub(*narrow),
            _ => 0,
        };
        let operation = match op {
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
            Op::ZeroExtend => &format!("zero_extend {added}"),
            Op::SignExtend => &format!("sign_extend {added}"),
            Op::ConstArray => "MapConst",
            // Operators on floats, which no Boogie program has.
            _ => &format!("{op:?}").replace(['(', ')'], "."),
        };
        let parameters: Vec<&Sort> = sorts.iter().collect();
        let function = self.functions.builtin(operation, &parameters, sort);
        self.call(&function, arguments);
    }
}
