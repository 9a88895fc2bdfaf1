//! Expressions, with an explicit stack of operators, so that a chain of operators
//! of any length needs no recursion, whichever side it leans to.
//!
//! Nodes are created in post-order (see [`crate::ast`]): an operator's node after
//! those of its operands, with nothing in between.

use super::precedence::{Grouping, RELATIONAL, grouping, level};
use super::{Parsed, Parser};
use crate::ast::*;
use crate::error::Error;
use crate::lexer::{Token, TokenKind};

/// An operand, with the span of the parentheses around it.
#[derive(Clone, Copy)]
struct Operand {
    id: ExprId,
    span: Span,
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        Ok(self.operand_of_any_level()?.id)
    }

    /// One or more expressions, separated by commas.
    pub(super) fn expressions(&mut self) -> Parsed<Vec<ExprId>> {
        let mut expressions = vec![self.expression()?];
        while self.eat(TokenKind::Comma).is_some() {
            expressions.push(self.expression()?);
        }
        Ok(expressions)
    }

    /// The arguments after an opening parenthesis, and the closing one.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<ExprId>> {
        let arguments = match self.current.kind {
            TokenKind::CloseParen => Vec::new(),
            _ => self.expressions()?,
        };
        self.expect(TokenKind::CloseParen, "after the arguments")?;
        Ok(arguments)
    }

    fn operand_of_any_level(&mut self) -> Parsed<Operand> {
        self.enter()?;
        let mut operands = Vec::new();
        let mut operators: Vec<(BinaryOperator, Span)> = Vec::new();
        let mut last = self.prefixed()?;
        while let Some(operator) = self.binary_operator()? {
            while let Some(&(before, span)) = operators.last() {
                match grouping(before, operator) {
                    Grouping::Left => {
                        operators.pop();
                        last = self.join(operands.pop(), before, span, last);
                    }
                    Grouping::Right => break,
                    Grouping::Ambiguous => return Err(self.ambiguity(before, operator)),
                }
            }
            operators.push((operator, self.advance().span));
            operands.push(last);
            last = self.prefixed()?;
        }
        while let Some((operator, span)) = operators.pop() {
            last = self.join(operands.pop(), operator, span, last);
        }
        self.leave();
        Ok(last)
    }

    /// There is a left operand for each operator on the stack.
    fn join(
        &mut self,
        left: Option<Operand>,
        operator: BinaryOperator,
        operator_span: Span,
        right: Operand,
    ) -> Operand {
        let left = left.unwrap_or(right);
        let kind = ExprKind::Binary { operator, operator_span, left: left.id, right: right.id };
        self.node(kind, left.span.to(right.span), Some(left.id))
    }

    /// Adds a node whose first operand is given.
    fn node(&mut self, kind: ExprKind, span: Span, leftmost: Option<ExprId>) -> Operand {
        let first = leftmost.map(|id| self.expressions[id].first);
        let id = self.expressions.push(kind, span, first);
        Operand { id, span }
    }

    fn ambiguity(&self, before: BinaryOperator, operator: BinaryOperator) -> Box<Error> {
        let (a, b) = (before.symbol(), operator.symbol());
        let message = if level(operator) == RELATIONAL {
            format!("`{a}` and `{b}` cannot be chained: use `&&` or parentheses")
        } else {
            format!("`{a}` and `{b}` cannot be mixed without parentheses")
        };
        Box::new(Error::syntax(self.current.span, message))
    }

    /// The operator that is the current token, which is not taken.
    fn binary_operator(&self) -> Parsed<Option<BinaryOperator>> {
        use BinaryOperator::*;
        Ok(Some(match self.current.kind {
            TokenKind::Iff => Iff,
            TokenKind::Implies => Implies,
            TokenKind::Explies => Explies,
            TokenKind::And => And,
            TokenKind::Or => Or,
            TokenKind::Equal => Equal,
            TokenKind::NotEqual => NotEqual,
            TokenKind::Less => Less,
            TokenKind::LessEqual => LessEqual,
            TokenKind::Greater => Greater,
            TokenKind::GreaterEqual => GreaterEqual,
            TokenKind::Concat => Concat,
            TokenKind::Plus => Add,
            TokenKind::Minus => Subtract,
            TokenKind::Star => Multiply,
            TokenKind::Slash => Divide,
            TokenKind::Div => Div,
            TokenKind::Mod => Mod,
            TokenKind::Power => {
                return self.unsupported("the power operator `**` is not supported");
            }
            TokenKind::Subtype => {
                return self
                    .unsupported("`<:` is not supported: whydunit has no order of constants");
            }
            TokenKind::Arrow => {
                return self
                    .unsupported("datatypes are not supported, nor is the field access `->`");
            }
            TokenKind::Identifier if self.at_word("is") => {
                return self.unsupported("datatypes are not supported, nor is the test `is`");
            }
            _ => return Ok(None),
        }))
    }

    /// An operand with any number of `!` and `-` before it.
    fn prefixed(&mut self) -> Parsed<Operand> {
        let mut prefixes = Vec::new();
        loop {
            let operator = match self.current.kind {
                TokenKind::Not => UnaryOperator::Not,
                TokenKind::Minus => UnaryOperator::Minus,
                _ => break,
            };
            prefixes.push((operator, self.advance().span));
        }
        let mut operand = self.suffixed()?;
        while let Some((operator, operator_span)) = prefixes.pop() {
            let kind = ExprKind::Unary { operator, operator_span, operand: operand.id };
            operand = self.node(kind, operator_span.to(operand.span), Some(operand.id));
        }
        Ok(operand)
    }

    /// An atom with any number of `[…]` and `: type` after it.
    fn suffixed(&mut self) -> Parsed<Operand> {
        let mut operand = self.atom()?;
        loop {
            let kind = match self.current.kind {
                TokenKind::OpenBracket => {
                    self.advance();
                    self.bracket(operand.id)?
                }
                TokenKind::Colon => {
                    if self.next.kind == TokenKind::Integer {
                        return self.syntax(
                            operand.span,
                            "the bounds of a bit-vector extraction must be integer literals",
                        );
                    }
                    self.advance();
                    ExprKind::Coerce { operand: operand.id, type_expr: self.type_expr()? }
                }
                _ => return Ok(operand),
            };
            operand = self.node(kind, self.span_from(operand.span), Some(operand.id));
        }
    }

    /// What follows `[`: indices, a store, or the bounds of an extraction.
    fn bracket(&mut self, operand: ExprId) -> Parsed<ExprKind> {
        if self.at(TokenKind::Integer) && self.next.kind == TokenKind::Colon {
            return self.extraction(operand);
        }
        if matches!(self.current.kind, TokenKind::CloseBracket | TokenKind::Becomes) {
            return self.unsupported("maps without an index are not supported");
        }
        let indices = self.expressions()?;
        let kind = match self.eat(TokenKind::Becomes) {
            Some(_) => ExprKind::Store { map: operand, indices, value: self.expression()? },
            None => ExprKind::Select { map: operand, indices },
        };
        self.expect(TokenKind::CloseBracket, "after the index")?;
        Ok(kind)
    }

    fn extraction(&mut self, operand: ExprId) -> Parsed<ExprKind> {
        let high = self.bound()?;
        self.advance();
        if !self.at(TokenKind::Integer) {
            return Err(self.unexpected("the lower bound of the extraction"));
        }
        let low = self.bound()?;
        self.expect(TokenKind::CloseBracket, "after the bounds of the extraction")?;
        Ok(ExprKind::Extract { operand, high, low })
    }

    /// A number too large for any bit-vector stays too large.
    fn bound(&mut self) -> Parsed<u32> {
        let token = self.advance();
        Ok(self.text_of(token).parse().unwrap_or(u32::MAX))
    }

    fn atom(&mut self) -> Parsed<Operand> {
        let token = self.current;
        match token.kind {
            TokenKind::True | TokenKind::False => {
                self.advance();
                Ok(self.node(ExprKind::Bool(token.kind == TokenKind::True), token.span, None))
            }
            TokenKind::Integer | TokenKind::Decimal | TokenKind::BitVector => self.literal(token),
            TokenKind::Identifier => self.name_or_application(),
            TokenKind::Old | TokenKind::Int | TokenKind::Real => self.conversion(token),
            TokenKind::OpenParen => {
                self.advance();
                let inner = self.operand_of_any_level()?;
                self.expect(TokenKind::CloseParen, "after the expression")?;
                Ok(Operand { id: inner.id, span: self.span_from(token.span) })
            }
            TokenKind::If => self.conditional(),
            _ => Err(self.no_atom()),
        }
    }

    /// The error for a token that no supported expression begins with.
    fn no_atom(&self) -> Box<Error> {
        let text = self.text_of(self.current);
        let message = match self.current.kind {
            TokenKind::Forall | TokenKind::Exists => {
                format!("`{text}` is not supported: whydunit handles quantifier-free programs")
            }
            TokenKind::Lambda => {
                format!("`{text}` is not supported: whydunit handles no functions as values")
            }
            TokenKind::Text => "strings are supported in attributes only".to_owned(),
            TokenKind::Float => {
                format!("the floating-point number `{}` is not supported", super::shorten(text))
            }
            TokenKind::OpenCode => "code expressions `|{ … }|` are not supported".to_owned(),
            TokenKind::Star => {
                let message =
                    "`*` has no value: it can only be the whole condition of an `if` or `while`";
                return Box::new(Error::syntax(self.current.span, message));
            }
            _ => return self.unexpected("an expression"),
        };
        Box::new(Error::unsupported(self.current.span, message))
    }

    fn literal(&mut self, token: Token) -> Parsed<Operand> {
        let text = self.text_of(token);
        let kind = match token.kind {
            TokenKind::Integer => crate::number::integer(text).map(ExprKind::Int),
            TokenKind::Decimal => crate::number::decimal(text).map(ExprKind::Real),
            _ => {
                let (value, width) = text.split_once("bv").unwrap_or((text, ""));
                let width = self.supported_width(width)?;
                crate::number::bit_vector(value, width)
                    .map(|value| ExprKind::BitVector { value, width })
            }
        };
        match kind {
            Ok(kind) => {
                self.advance();
                Ok(self.node(kind, token.span, None))
            }
            Err(problem) => Err(Box::new(problem.at(token.span))),
        }
    }

    fn name_or_application(&mut self) -> Parsed<Operand> {
        let follows_let = self.next.kind == TokenKind::Identifier;
        if self.at_word("let") && follows_let {
            return self.unsupported("`let` expressions are not supported");
        }
        let identifier = self.identifier("an expression")?;
        let start = identifier.span;
        if self.eat(TokenKind::OpenParen).is_none() {
            return Ok(self.node(ExprKind::Name(identifier.name), start, None));
        }
        let arguments = self.arguments()?;
        let first = arguments.first().copied();
        let kind = ExprKind::Apply { function: identifier, arguments };
        Ok(self.node(kind, self.span_from(start), first))
    }

    /// `old(e)`, `int(e)` or `real(e)`
    fn conversion(&mut self, keyword: Token) -> Parsed<Operand> {
        self.advance();
        let (make, place): (fn(ExprId) -> ExprKind, _) = match keyword.kind {
            TokenKind::Old => (ExprKind::Old, "after `old`"),
            TokenKind::Int => (ExprKind::ToInt, "after `int`"),
            _ => (ExprKind::ToReal, "after `real`"),
        };
        self.expect(TokenKind::OpenParen, place)?;
        let operand = self.expression()?;
        self.expect(TokenKind::CloseParen, "after the expression")?;
        let span = self.span_from(keyword.span);
        Ok(self.node(make(operand), span, Some(operand)))
    }

    /// `if a then b else if c then d else e`: a loop, for tables written this way
    /// are long.
    fn conditional(&mut self) -> Parsed<Operand> {
        let mut arms = Vec::new();
        while let Some(start) = self.eat(TokenKind::If) {
            let condition = self.expression()?;
            self.expect(TokenKind::Then, "after the condition")?;
            let then = self.expression()?;
            self.expect(TokenKind::Else, "after the first value of the `if` expression")?;
            arms.push((start, condition, then));
        }
        let mut last = self.operand_of_any_level()?;
        while let Some((start, condition, then)) = arms.pop() {
            let kind = ExprKind::Conditional { condition, then, otherwise: last.id };
            last = self.node(kind, start.to(last.span), Some(condition));
        }
        Ok(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::parse;

    /// The expression with all parentheses, and its source text.
    fn grouped(text: &str) -> String {
        let ast = parse(&format!("axiom {text};")).unwrap();
        let Declaration::Axiom(axiom) = &ast.declarations[0] else {
            panic!("{ast:?}");
        };
        let mut shown: Vec<String> = Vec::new();
        for id in ast.expressions.subtree(axiom.condition) {
            shown.push(show(&ast.expressions[id].kind, &shown));
        }
        shown[axiom.condition.index()].clone()
    }

    fn show(kind: &ExprKind, shown: &[String]) -> String {
        let get = |id: &ExprId| shown[id.index()].clone();
        let list = |ids: &[ExprId]| ids.iter().map(get).collect::<Vec<_>>().join(", ");
        match kind {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Real(value) => value.to_string(),
            ExprKind::BitVector { value, width } => format!("{value}bv{width}"),
            ExprKind::Name(name) => name.clone(),
            ExprKind::Apply { function, arguments } => {
                format!("{}({})", function.name, list(arguments))
            }
            ExprKind::Unary { operator, operand, .. } => {
                format!("({}{})", operator.symbol(), get(operand))
            }
            ExprKind::Binary { operator, left, right, .. } => {
                format!("({} {} {})", get(left), operator.symbol(), get(right))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                format!("({} ? {} : {})", get(condition), get(then), get(otherwise))
            }
            ExprKind::Select { map, indices } => format!("{}[{}]", get(map), list(indices)),
            ExprKind::Store { map, indices, value } => {
                format!("{}[{} := {}]", get(map), list(indices), get(value))
            }
            ExprKind::Extract { operand, high, low } => format!("{}[{high}:{low}]", get(operand)),
            ExprKind::Old(operand) => format!("old({})", get(operand)),
            ExprKind::ToInt(operand) => format!("int({})", get(operand)),
            ExprKind::ToReal(operand) => format!("real({})", get(operand)),
            ExprKind::Coerce { operand, .. } => format!("({}: …)", get(operand)),
        }
    }

    #[test]
    fn precedence_and_associativity() {
        let table = [
            ("a + b * c - d", "((a + (b * c)) - d)"),
            ("a * b div c mod d / e", "((((a * b) div c) mod d) / e)"),
            ("a - b - c", "((a - b) - c)"),
            ("a ==> b ==> c", "(a ==> (b ==> c))"),
            ("a <== b <== c", "((a <== b) <== c)"),
            ("a <==> b <==> c", "((a <==> b) <==> c)"),
            ("a <==> b ==> c && d", "(a <==> (b ==> (c && d)))"),
            ("a && b ==> c || d", "((a && b) ==> (c || d))"),
            ("a < b && c >= d", "((a < b) && (c >= d))"),
            ("a ++ b + c == d", "((a ++ (b + c)) == d)"),
            ("!a && -b < c", "((!a) && ((-b) < c))"),
            ("!!a", "(!(!a))"),
            ("- - 1", "(-(-1))"),
            ("-m[i]", "(-m[i])"),
            ("!f(x)[1]", "(!f(x)[1])"),
            ("m[i][j, k]", "m[i][j, k]"),
            ("m[i := 1][j, k := a + b]", "m[i := 1][j, k := (a + b)]"),
            ("x[8:0] ++ 5bv4", "(x[8:0] ++ 5bv4)"),
            ("(a || b) && c", "((a || b) && c)"),
            ("if a then b else c + 1", "(a ? b : (c + 1))"),
            ("1 + if a then b else if c then d else e", "(1 + (a ? b : (c ? d : e)))"),
            ("(if a then b else c)[1]", "(a ? b : c)[1]"),
            ("old(x + 1) == x", "(old((x + 1)) == x)"),
            ("int(1.5) == real(2)", "(int(3/2) == real(2))"),
            ("f() + g(1, 2)", "(f() + g(1, 2))"),
            ("(x: int) + 1", "((x: …) + 1)"),
            ("1e3 < 1.25e-1", "(1000 < 1/8)"),
            ("¬a ∧ b ≠ c ⇒ d ≤ e", "(((!a) && (b != c)) ==> (d <= e))"),
            ("\\old == 1", "(old == 1)"),
        ];
        for (text, expected) in table {
            assert_eq!(grouped(text), expected, "{text}");
        }
    }

    #[test]
    fn spans_include_inner_parentheses_only() {
        let text = "axiom ((a + (b)));";
        let ast = parse(text).unwrap();
        let Declaration::Axiom(axiom) = &ast.declarations[0] else {
            panic!("{ast:?}");
        };
        assert_eq!(&text[ast.expressions[axiom.condition].span.range()], "a + (b)");
    }

    #[test]
    fn long_chains_need_no_stack() {
        let chains = [
            ["x", " + x"].map(str::to_owned),
            ["x", " ==> x"].map(str::to_owned),
            ["x", "[1]"].map(str::to_owned),
            ["x", " && x"].map(str::to_owned),
        ];
        for [first, more] in chains {
            let text = format!("axiom {first}{};", more.repeat(100_000));
            assert!(parse(&text).unwrap().expressions.len() > 100_000);
        }
        let text = format!("axiom {}x;", "!-".repeat(100_000));
        assert_eq!(parse(&text).unwrap().expressions.len(), 200_001);
        let text = format!("axiom {}c;", "if a then b else ".repeat(100_000));
        assert_eq!(parse(&text).unwrap().expressions.len(), 300_001);
    }
}
