//! Declarations: types, constants, axioms, functions, variables, procedures.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lexer::TokenKind;

/// Words that begin a declaration in some dialect of Boogie.
const FOREIGN: &[&str] = &[
    "datatype", "yield", "async", "atomic", "action", "pure", "left", "right", "both", "non",
    "link", "revealed", "hideable", "module", "import",
];

/// Words that begin a clause of a procedure in some dialect of Boogie.
const FOREIGN_CLAUSES: &[&str] = &["preserves", "refines", "yields", "creates", "hides", "asserts"];

impl Parser<'_> {
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        match self.current.kind {
            TokenKind::Type => self.type_declaration().map(Declaration::Type),
            TokenKind::Const => self.constants().map(Declaration::Constants),
            TokenKind::Axiom => self.axiom().map(Declaration::Axiom),
            TokenKind::Function => self.function().map(Declaration::Function),
            TokenKind::Var => self.variables().map(Declaration::Variables),
            TokenKind::Procedure => self.procedure().map(Declaration::Procedure),
            TokenKind::Implementation => self.implementation().map(Declaration::Implementation),
            TokenKind::Invariant => self.unsupported("global invariants are not supported"),
            _ => {
                let text = self.text_of(self.current);
                if FOREIGN.contains(&text) {
                    return self.unsupported(format!("`{text}` declarations are not supported"));
                }
                Err(self.unexpected("a declaration"))
            }
        }
    }

    fn type_declaration(&mut self) -> Parsed<TypeDeclaration> {
        let start = self.advance().span;
        let attributes = self.attributes()?;
        if self.at_word("finite") && self.next.kind == TokenKind::Identifier {
            return self.unsupported("finite types are not supported");
        }
        let name = self.identifier("the name of the type")?;
        match self.current.kind {
            TokenKind::Identifier => {
                return self.unsupported(format!(
                    "type constructors with arguments such as `{}` are not supported",
                    name.name
                ));
            }
            TokenKind::Comma => {
                return self.syntax(
                    self.current.span,
                    "expected `;` after the type, found `,`: each type needs a declaration of its own",
                );
            }
            _ => {}
        }
        let synonym = match self.eat_single_equals() {
            true => Some(self.type_expr()?),
            false => None,
        };
        self.expect(TokenKind::Semicolon, "after the type declaration")?;
        Ok(TypeDeclaration { attributes, name, synonym, span: self.span_from(start) })
    }

    /// `=` has a meaning only in type synonyms; the lexer takes it for a mistake.
    fn eat_single_equals(&mut self) -> bool {
        let found = self.text_of(self.current) == "=";
        if found {
            self.advance();
        }
        found
    }

    fn constants(&mut self) -> Parsed<ConstantDeclaration> {
        let start = self.advance().span;
        let attributes = self.attributes()?;
        let unique = self.eat(TokenKind::Unique).is_some();
        let names = self.identifiers("the name of the constant")?;
        self.expect(TokenKind::Colon, "and a type after the name of the constant")?;
        let type_expr = self.type_expr()?;
        if self.at(TokenKind::Extends) {
            return self
                .unsupported("`extends` is not supported: whydunit has no order of constants");
        }
        let complete = self.eat(TokenKind::Complete).is_some();
        self.expect(TokenKind::Semicolon, "after the constant declaration")?;
        Ok(ConstantDeclaration {
            attributes,
            unique,
            names,
            type_expr,
            complete,
            span: self.span_from(start),
        })
    }

    fn axiom(&mut self) -> Parsed<Axiom> {
        let start = self.advance().span;
        let attributes = self.attributes()?;
        let condition = self.expression()?;
        self.expect(TokenKind::Semicolon, "after the axiom")?;
        Ok(Axiom { attributes, condition, span: self.span_from(start) })
    }

    fn function(&mut self) -> Parsed<FunctionDeclaration> {
        let start = self.advance().span;
        let attributes = self.attributes()?;
        let name = self.identifier("the name of the function")?;
        if self.at(TokenKind::Less) {
            return self.polymorphism();
        }
        let parameters = self.function_parameters(&name)?;
        let result = self.function_result()?;
        let body = match self.eat(TokenKind::OpenBrace) {
            Some(_) => {
                let body = self.expression()?;
                self.expect(TokenKind::CloseBrace, "after the body of the function")?;
                Some(body)
            }
            None => {
                self.expect(TokenKind::Semicolon, "or a body after the function")?;
                None
            }
        };
        Ok(FunctionDeclaration {
            attributes,
            name,
            parameters,
            result,
            body,
            span: self.span_from(start),
        })
    }

    fn function_parameters(&mut self, function: &Identifier) -> Parsed<Vec<FunctionParameter>> {
        self.expect(TokenKind::OpenParen, "after the name of the function")?;
        let mut parameters = Vec::new();
        if !self.at(TokenKind::CloseParen) {
            parameters.push(self.function_parameter()?);
            while self.eat(TokenKind::Comma).is_some() {
                parameters.push(self.function_parameter()?);
            }
        }
        self.expect(TokenKind::CloseParen, "after the parameters of the function")?;
        let named = parameters.iter().filter(|p| p.name.is_some()).count();
        let unnamed = parameters.iter().find(|p| p.name.is_none());
        match unnamed {
            Some(parameter) if named > 0 => self.syntax(
                parameter.type_expr.span,
                format!(
                    "either all or none of the parameters of `{}` must have a name and a type",
                    function.name
                ),
            ),
            _ => Ok(parameters),
        }
    }

    /// `x: T` or `T`
    fn function_parameter(&mut self) -> Parsed<FunctionParameter> {
        self.attributes()?;
        let name = match self.next.kind {
            TokenKind::Colon => {
                let name = self.identifier("the name of a parameter")?;
                self.advance();
                Some(name)
            }
            _ => None,
        };
        let type_expr = self.type_expr()?;
        Ok(FunctionParameter { name, type_expr })
    }

    /// `returns (T)`, `returns (r: T)` or `: T`
    fn function_result(&mut self) -> Parsed<FunctionParameter> {
        if self.eat(TokenKind::Colon).is_some() {
            let type_expr = self.type_expr()?;
            return Ok(FunctionParameter { name: None, type_expr });
        }
        if self.eat(TokenKind::Returns).is_none() {
            return Err(self.unexpected("`:` or `returns` and the type of the function's result"));
        }
        self.expect(TokenKind::OpenParen, "after `returns`")?;
        let result = self.function_parameter()?;
        if self.at(TokenKind::Comma) {
            return self.syntax(self.current.span, "a function has only one result");
        }
        self.expect(TokenKind::CloseParen, "after the result of the function")?;
        Ok(result)
    }

    /// `var …;`, global or local.
    pub(super) fn variables(&mut self) -> Parsed<VariableDeclaration> {
        let start = self.advance().span;
        let attributes = self.attributes()?;
        let mut groups = vec![self.group("the name of the variable")?];
        while self.eat(TokenKind::Comma).is_some() {
            groups.push(self.group("the name of the variable")?);
        }
        if matches!(self.current.kind, TokenKind::Becomes) {
            return self.syntax(
                self.current.span,
                "a declaration cannot assign a value: write the assignment as a statement of its own",
            );
        }
        self.expect(TokenKind::Semicolon, "after the variable declaration")?;
        Ok(VariableDeclaration { attributes, groups, span: self.span_from(start) })
    }

    /// `a, b: T where e`
    fn group(&mut self, what: &str) -> Parsed<VariableGroup> {
        let start = self.current.span;
        let attributes = self.attributes()?;
        let names = self.identifiers(what)?;
        self.expect(TokenKind::Colon, "and a type after the name")?;
        let type_expr = self.type_expr()?;
        let condition = match self.eat(TokenKind::Where) {
            Some(_) => Some(self.expression()?),
            None => None,
        };
        Ok(VariableGroup { attributes, names, type_expr, condition, span: self.span_from(start) })
    }

    /// `(a, b: T, c: S)`
    fn groups(&mut self, what: &str, place: &str) -> Parsed<Vec<VariableGroup>> {
        self.expect(TokenKind::OpenParen, place)?;
        let mut groups = Vec::new();
        if !self.at(TokenKind::CloseParen) {
            groups.push(self.group(what)?);
            while self.eat(TokenKind::Comma).is_some() {
                groups.push(self.group(what)?);
            }
        }
        self.expect(TokenKind::CloseParen, "after the last of the parameters")?;
        Ok(groups)
    }

    fn procedure(&mut self) -> Parsed<Procedure> {
        let start = self.advance().span;
        let attributes = self.attributes()?;
        let (name, parameters, results) = self.signature()?;
        let semicolon = self.eat(TokenKind::Semicolon);
        let specifications = self.specifications()?;
        let body = match self.current.kind {
            TokenKind::OpenBrace if semicolon.is_none() => Some(self.body()?),
            TokenKind::OpenBrace => {
                return self.syntax(
                    self.current.span,
                    "the `;` after the procedure says that it has no body, but a body follows",
                );
            }
            _ if semicolon.is_none() => {
                return Err(self.unexpected("a body for the procedure, or `;` after its header"));
            }
            _ => None,
        };
        Ok(Procedure {
            attributes,
            name,
            parameters,
            results,
            specifications,
            body,
            span: self.span_from(start),
        })
    }

    fn implementation(&mut self) -> Parsed<Implementation> {
        let start = self.advance().span;
        let attributes = self.attributes()?;
        let (name, parameters, results) = self.signature()?;
        if !self.at(TokenKind::OpenBrace) {
            return Err(self.unexpected("the body of the implementation"));
        }
        let body = self.body()?;
        Ok(Implementation {
            attributes,
            name,
            parameters,
            results,
            body,
            span: self.span_from(start),
        })
    }

    fn signature(&mut self) -> Parsed<(Identifier, Vec<VariableGroup>, Vec<VariableGroup>)> {
        let name = self.identifier("the name of the procedure")?;
        if self.at(TokenKind::Less) {
            return self.polymorphism();
        }
        let parameters =
            self.groups("the name of a parameter", "after the name of the procedure")?;
        let results = match self.eat(TokenKind::Returns) {
            Some(_) => self.groups("the name of a result", "after `returns`")?,
            None => Vec::new(),
        };
        Ok((name, parameters, results))
    }

    fn specifications(&mut self) -> Parsed<Vec<Specification>> {
        let mut specifications = Vec::new();
        loop {
            let start = self.current.span;
            let text = self.text_of(self.current);
            if FOREIGN_CLAUSES.contains(&text) {
                return self.unsupported(format!("`{text}` clauses are not supported"));
            }
            let trust = self.trust();
            let (attributes, kind) = match self.current.kind {
                TokenKind::Requires => {
                    let (attributes, condition) = self.clause("after the precondition")?;
                    (attributes, SpecificationKind::Requires(trust, condition))
                }
                TokenKind::Ensures => {
                    let (attributes, condition) = self.clause("after the postcondition")?;
                    (attributes, SpecificationKind::Ensures(trust, condition))
                }
                TokenKind::Modifies => {
                    let (attributes, names) = self.modifies()?;
                    (attributes, SpecificationKind::Modifies(names))
                }
                _ if trust == Trust::Free => {
                    return Err(self.unexpected("`requires` or `ensures` after `free`"));
                }
                _ => return Ok(specifications),
            };
            specifications.push(Specification { attributes, kind, span: self.span_from(start) });
        }
    }

    pub(super) fn trust(&mut self) -> Trust {
        match self.eat(TokenKind::Free) {
            Some(_) => Trust::Free,
            None => Trust::Checked,
        }
    }

    /// A keyword, attributes, a condition and a semicolon.
    pub(super) fn clause(&mut self, place: &str) -> Parsed<(Vec<Attribute>, ExprId)> {
        self.advance();
        let attributes = self.attributes()?;
        if self.at(TokenKind::Call) {
            return self.unsupported("clauses that call a procedure are not supported");
        }
        let condition = self.expression()?;
        self.expect(TokenKind::Semicolon, place)?;
        Ok((attributes, condition))
    }

    fn modifies(&mut self) -> Parsed<(Vec<Attribute>, Vec<Identifier>)> {
        self.advance();
        let attributes = self.attributes()?;
        let names = match self.current.kind {
            TokenKind::Semicolon => Vec::new(),
            _ => self.identifiers("the name of a variable")?,
        };
        self.expect(TokenKind::Semicolon, "after the `modifies` clause")?;
        Ok((attributes, names))
    }
}
