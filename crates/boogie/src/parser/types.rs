//! Types as written: `int`, `bv32`, `T`, `[int, T]bool`.

use super::{Parsed, Parser};
use crate::ast::{TypeExpr, TypeExprKind};
use crate::lexer::TokenKind;
use crate::types::MAX_WIDTH;

impl Parser<'_> {
    pub(super) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        self.enter()?;
        let start = self.current.span;
        let kind = match self.current.kind {
            TokenKind::Bool => {
                self.advance();
                TypeExprKind::Bool
            }
            TokenKind::Int => {
                self.advance();
                TypeExprKind::Int
            }
            TokenKind::Real => {
                self.advance();
                TypeExprKind::Real
            }
            TokenKind::OpenBracket => self.map_type()?,
            TokenKind::Identifier => self.named_type()?,
            TokenKind::OpenParen => {
                self.advance();
                let inner = self.type_expr()?;
                self.expect(TokenKind::CloseParen, "after the type")?;
                inner.kind
            }
            TokenKind::Less => return self.polymorphism(),
            _ => return Err(self.unexpected("a type")),
        };
        self.leave();
        Ok(TypeExpr { kind, span: self.span_from(start) })
    }

    fn map_type(&mut self) -> Parsed<TypeExprKind> {
        self.advance();
        if self.at(TokenKind::CloseBracket) {
            return self.unsupported("maps without an index are not supported");
        }
        let mut arguments = vec![self.type_expr()?];
        while self.eat(TokenKind::Comma).is_some() {
            arguments.push(self.type_expr()?);
        }
        self.expect(TokenKind::CloseBracket, "after the index types of the map")?;
        let result = Box::new(self.type_expr()?);
        Ok(TypeExprKind::Map { arguments, result })
    }

    fn named_type(&mut self) -> Parsed<TypeExprKind> {
        if let Some(width) = bit_vector_width(self.text_of(self.current)) {
            let kind = TypeExprKind::BitVector(self.supported_width(width)?);
            self.advance();
            return Ok(kind);
        }
        let name = self.identifier("a type")?.name;
        let argument_follows = matches!(
            self.current.kind,
            TokenKind::Identifier
                | TokenKind::Bool
                | TokenKind::Int
                | TokenKind::Real
                | TokenKind::OpenParen
                | TokenKind::OpenBracket
        );
        if self.at_word("uses") {
            return self.unsupported("`uses` clauses are not supported");
        }
        if argument_follows {
            return self.unsupported(format!(
                "type constructors with arguments such as `{name}` are not supported"
            ));
        }
        Ok(TypeExprKind::Named(name))
    }

    /// Checks the digits of a width, which the current token ends with.
    pub(super) fn supported_width(&self, digits: &str) -> Parsed<u32> {
        match digits.parse() {
            Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(width),
            _ => self.unsupported(format!(
                "bit-vectors of {} bits are not supported: the width must be from 1 to {MAX_WIDTH}",
                super::shorten(digits)
            )),
        }
    }

    /// The current token is a `<` that opens type parameters.
    pub(super) fn polymorphism<T>(&self) -> Parsed<T> {
        self.unsupported(
            "type parameters `<…>` are not supported: whydunit handles no polymorphism",
        )
    }
}

/// The digits of `bv32`.
fn bit_vector_width(name: &str) -> Option<&str> {
    let digits = name.strip_prefix("bv")?;
    let valid = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    valid.then_some(digits)
}

#[cfg(test)]
mod tests {
    use crate::ast::{Declaration, TypeExprKind};
    use crate::parser::parse;

    fn kind(text: &str) -> TypeExprKind {
        let ast = parse(&format!("var x: {text};")).unwrap();
        match &ast.declarations[0] {
            Declaration::Variables(variables) => variables.groups[0].type_expr.kind.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn types() {
        assert_eq!(kind("int"), TypeExprKind::Int);
        assert_eq!(kind("(bool)"), TypeExprKind::Bool);
        assert_eq!(kind("bv128"), TypeExprKind::BitVector(128));
        assert_eq!(kind("bvx"), TypeExprKind::Named("bvx".into()));
        assert_eq!(kind("$Ref"), TypeExprKind::Named("$Ref".into()));
        let TypeExprKind::Map { arguments, result } = kind("[int, T][bool]real") else {
            panic!("not a map");
        };
        assert_eq!(arguments.len(), 2);
        assert!(matches!(result.kind, TypeExprKind::Map { .. }));
    }
}
