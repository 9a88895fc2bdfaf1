//! Bodies, blocks and statements.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;

/// Words that begin a statement in some dialect of Boogie.
const FOREIGN: &[&str] =
    &["yield", "par", "async", "atomic", "fork", "join", "hide", "reveal", "push", "pop"];

impl Parser<'_> {
    /// The local variables and statements between `{` (the current token) and `}`.
    pub(super) fn body(&mut self) -> Parsed<Body> {
        let start = self.advance().span;
        let mut locals = Vec::new();
        while self.at(TokenKind::Var) {
            locals.push(self.variables()?);
        }
        let statements = self.statements()?;
        self.expect(TokenKind::CloseBrace, "to close the body")?;
        Ok(Body { locals, statements, span: self.span_from(start) })
    }

    fn block(&mut self, place: &str) -> Parsed<Block> {
        self.enter()?;
        let start = self.expect(TokenKind::OpenBrace, place)?;
        let statements = self.statements()?;
        self.expect(TokenKind::CloseBrace, "to close the block")?;
        self.leave();
        Ok(Block { statements, span: self.span_from(start) })
    }

    fn statements(&mut self) -> Parsed<Vec<Statement>> {
        let mut statements = Vec::new();
        // The labels since the last jump, which a following `if` or `while` takes over.
        let mut labels = Vec::new();
        while !matches!(self.current.kind, TokenKind::CloseBrace | TokenKind::End) {
            let start = self.current.span;
            let (attributes, kind) = self.statement(&mut labels)?;
            match &kind {
                StatementKind::Label(label) => labels.push(label.name.clone()),
                StatementKind::Goto(_) | StatementKind::Return | StatementKind::Break(_) => {
                    labels.clear();
                }
                _ => {}
            }
            statements.push(Statement { attributes, kind, span: self.span_from(start) });
        }
        Ok(statements)
    }

    fn statement(&mut self, labels: &mut Vec<String>) -> Parsed<(Vec<Attribute>, StatementKind)> {
        match self.current.kind {
            TokenKind::Identifier if self.next.kind == TokenKind::Colon => {
                let label = self.identifier("a label")?;
                self.advance();
                Ok((Vec::new(), StatementKind::Label(label)))
            }
            TokenKind::Identifier => self.assignment(),
            TokenKind::Assert => {
                let (attributes, condition) = self.clause("after the assertion")?;
                Ok((attributes, StatementKind::Assert(condition)))
            }
            TokenKind::Assume => {
                let (attributes, condition) = self.clause("after the assumption")?;
                Ok((attributes, StatementKind::Assume(condition)))
            }
            TokenKind::If => self.if_statement(std::mem::take(labels)),
            TokenKind::While => self.while_statement(std::mem::take(labels)),
            TokenKind::Call => self.call(),
            TokenKind::Havoc | TokenKind::Goto | TokenKind::Break | TokenKind::Return => {
                self.jump_or_havoc()
            }
            TokenKind::Free => self.unsupported("`free` statements are not supported"),
            TokenKind::Var => self.syntax(
                self.current.span,
                "local variables must be declared at the beginning of the body",
            ),
            TokenKind::OpenBrace => self.syntax(
                self.current.span,
                "a block can only be the body of an `if`, an `else` or a `while`",
            ),
            _ => Err(self.unexpected("a statement")),
        }
    }

    fn jump_or_havoc(&mut self) -> Parsed<(Vec<Attribute>, StatementKind)> {
        let keyword = self.advance().kind;
        let attributes = self.attributes()?;
        let (kind, place) = match keyword {
            TokenKind::Havoc => {
                let names = self.identifiers("the name of a variable")?;
                (StatementKind::Havoc(names), "after the `havoc` statement")
            }
            TokenKind::Goto => {
                let labels = self.identifiers("a label")?;
                (StatementKind::Goto(labels), "after the `goto` statement")
            }
            TokenKind::Break => {
                let label = match self.current.kind {
                    TokenKind::Identifier => Some(self.identifier("a label")?),
                    _ => None,
                };
                (StatementKind::Break(label), "after `break`")
            }
            _ => (StatementKind::Return, "after `return`"),
        };
        self.expect(TokenKind::Semicolon, place)?;
        Ok((attributes, kind))
    }

    fn assignment(&mut self) -> Parsed<(Vec<Attribute>, StatementKind)> {
        let first = self.current;
        let continues = matches!(
            self.next.kind,
            TokenKind::Becomes | TokenKind::Comma | TokenKind::OpenBracket | TokenKind::Arrow
        );
        let word = self.text_of(first);
        if !continues && FOREIGN.contains(&word) {
            return self.unsupported(format!("`{word}` statements are not supported"));
        }
        let mut targets = vec![self.target()?];
        while self.eat(TokenKind::Comma).is_some() {
            targets.push(self.target()?);
        }
        if self.at(TokenKind::OpenParen) && targets.len() == 1 {
            let mut error = self.unexpected("`:=` after the variable");
            error.help = Some(format!("a procedure is called by `call {word}(…)`"));
            return Err(error);
        }
        if self.at(TokenKind::Arrow) {
            return self.unsupported("datatypes are not supported, nor is the field access `->`");
        }
        self.expect(TokenKind::Becomes, "after the variable")?;
        let attributes = self.attributes()?;
        let values = self.expressions()?;
        self.expect(TokenKind::Semicolon, "after the assignment")?;
        Ok((attributes, StatementKind::Assign { targets, values }))
    }

    fn target(&mut self) -> Parsed<Target> {
        let variable = self.identifier("the name of a variable")?;
        let mut indices = Vec::new();
        while self.eat(TokenKind::OpenBracket).is_some() {
            indices.push(self.expressions()?);
            self.expect(TokenKind::CloseBracket, "after the index")?;
        }
        let span = self.span_from(variable.span);
        Ok(Target { variable, indices, span })
    }

    fn call(&mut self) -> Parsed<(Vec<Attribute>, StatementKind)> {
        self.advance();
        let attributes = self.attributes()?;
        if self.at(TokenKind::Forall) {
            return self.unsupported("`call forall` is not supported");
        }
        let mut names = self.identifiers("the name of a procedure")?;
        let targets = match self.eat(TokenKind::Becomes) {
            Some(_) => {
                let procedure = self.identifier("the name of a procedure")?;
                std::mem::replace(&mut names, vec![procedure])
            }
            None => Vec::new(),
        };
        let procedure = match (names.len(), names.pop()) {
            (1, Some(procedure)) => procedure,
            _ => return Err(self.unexpected("`:=` after the results of the call")),
        };
        self.expect(TokenKind::OpenParen, "after the name of the procedure")?;
        let arguments = self.arguments()?;
        if self.at(TokenKind::Or) || self.text_of(self.current) == "|" {
            return self.unsupported("parallel calls are not supported");
        }
        self.expect(TokenKind::Semicolon, "after the call")?;
        let kind = StatementKind::Call { targets, procedure, arguments };
        Ok((attributes, kind))
    }

    fn if_statement(&mut self, labels: Vec<String>) -> Parsed<(Vec<Attribute>, StatementKind)> {
        self.advance();
        let attributes = self.attributes()?;
        let mut arms = vec![self.arm()?];
        let mut otherwise = None;
        while self.eat(TokenKind::Else).is_some() {
            if self.eat(TokenKind::If).is_none() {
                otherwise = Some(self.block("or `if` after `else`")?);
                break;
            }
            arms.push(self.arm()?);
        }
        let kind = StatementKind::If(If { labels, arms, otherwise });
        Ok((attributes, kind))
    }

    fn arm(&mut self) -> Parsed<Arm> {
        let guard = self.guard("after `if`")?;
        if self.at(TokenKind::Then) {
            return self.syntax(
                self.current.span,
                "an `if` statement has no `then`: write `if (condition) { … }`",
            );
        }
        let body = self.block("after the condition")?;
        Ok(Arm { guard, body })
    }

    fn while_statement(&mut self, labels: Vec<String>) -> Parsed<(Vec<Attribute>, StatementKind)> {
        self.advance();
        let attributes = self.attributes()?;
        let guard = self.guard("after `while`")?;
        let mut invariants = Vec::new();
        while matches!(self.current.kind, TokenKind::Free | TokenKind::Invariant) {
            let start = self.current.span;
            let trust = self.trust();
            if !self.at(TokenKind::Invariant) {
                return Err(self.unexpected("`invariant` after `free`"));
            }
            let (attributes, condition) = self.clause("after the invariant")?;
            invariants.push(Invariant {
                attributes,
                trust,
                condition,
                span: self.span_from(start),
            });
        }
        let body = self.block("after the head of the loop")?;
        let kind = StatementKind::While(While { labels, guard, invariants, body });
        Ok((attributes, kind))
    }

    /// `(e)` or `(*)`
    fn guard(&mut self, place: &str) -> Parsed<Guard> {
        self.expect(TokenKind::OpenParen, place)?;
        let guard = match self.eat(TokenKind::Star) {
            Some(span) => Guard::Nondeterministic(span),
            None => Guard::Condition(self.expression()?),
        };
        self.expect(TokenKind::CloseParen, "after the condition")?;
        Ok(guard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser::parse;

    fn statements(text: &str) -> Vec<Statement> {
        let ast = parse(&format!("procedure p() {{ {text} }}")).unwrap();
        match ast.declarations.into_iter().next() {
            Some(Declaration::Procedure(procedure)) => procedure.body.unwrap().statements,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_else_if_chain_is_flat() {
        let body = statements("if (a) {} else if (*) { return; } else if (b) {} else { x := 1; }");
        let StatementKind::If(statement) = &body[0].kind else {
            panic!("{body:?}");
        };
        assert_eq!(statement.arms.len(), 3);
        assert!(matches!(statement.arms[1].guard, Guard::Nondeterministic(_)));
        assert_eq!(statement.otherwise.as_ref().unwrap().statements.len(), 1);
    }

    #[test]
    fn labels_before_a_loop_belong_to_it() {
        let body = statements("A: x := 1; B: while (*) {} C: goto A; while (*) {}");
        let labels: Vec<_> = body
            .iter()
            .filter_map(|statement| match &statement.kind {
                StatementKind::While(statement) => Some(statement.labels.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(labels, [vec!["A".to_owned(), "B".to_owned()], vec![]]);
    }

    #[test]
    fn targets_and_calls() {
        let body = statements("x, m[1][2, 3] := 4, 5; call a, b := q(1); call r();");
        let StatementKind::Assign { targets, values } = &body[0].kind else {
            panic!("{body:?}");
        };
        assert_eq!(values.len(), 2);
        let brackets: Vec<_> = targets[1].indices.iter().map(Vec::len).collect();
        assert_eq!(brackets, [1, 2]);
        let counts: Vec<_> = body[1..]
            .iter()
            .map(|statement| match &statement.kind {
                StatementKind::Call { targets, arguments, .. } => (targets.len(), arguments.len()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(counts, [(2, 1), (0, 0)]);
    }

    #[test]
    fn words_of_other_dialects_are_names_where_they_can_be() {
        assert_eq!(statements("yield := 1; par[2] := 3; join: return;").len(), 4);
    }
}
