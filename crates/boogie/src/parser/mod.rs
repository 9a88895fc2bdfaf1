//! A recursive-descent parser with one token of lookahead beyond the current one.
//!
//! It recurses only where the text nests (blocks, parentheses, brackets, map
//! types), and counts these levels; everything of unbounded length is a loop.
//! After an error it goes on at the next declaration.

mod declarations;
mod expressions;
mod precedence;
mod statements;
mod types;

use crate::ast::{Ast, Attribute, AttributeArgument, Expressions, Identifier, MAX_NESTING, Span};
use crate::error::Error;
use crate::lexer::{Lexer, Problem, Token, TokenKind};

/// More errors than this help nobody.
const MAX_ERRORS: usize = 20;

/// Boxed, because errors are rare and results are many.
type Parsed<T> = Result<T, Box<Error>>;

/// Parses a program, or tells what is wrong with it: at least one error, at most
/// one for each declaration, in the order of the text.
pub fn parse(text: &str) -> Result<Ast, Vec<Error>> {
    if u32::try_from(text.len()).is_err() {
        let message = "the file has 4 GiB or more, which is too large for whydunit";
        return Err(vec![Error::unsupported(Span::new(0, 0), message)]);
    }
    let mut parser = Parser::new(text);
    let mut declarations = Vec::new();
    let mut errors = Vec::new();
    while !parser.at(TokenKind::End) && errors.len() < MAX_ERRORS {
        let start = parser.current.span;
        match parser.declaration() {
            Ok(declaration) => declarations.push(declaration),
            Err(error) => {
                errors.push(*error);
                parser.recover(start);
            }
        }
    }
    if errors.is_empty() {
        Ok(Ast { expressions: parser.expressions, declarations })
    } else {
        Err(errors)
    }
}

struct Parser<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    current: Token,
    next: Token,
    /// The token before the current one.
    previous: Span,
    depth: u32,
    expressions: Expressions,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        let mut lexer = Lexer::new(text);
        let current = lexer.token();
        let next = lexer.token();
        Parser {
            text,
            lexer,
            current,
            next,
            previous: Span::new(0, 0),
            depth: 0,
            expressions: Expressions::default(),
        }
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.current.kind == kind
    }

    fn text_of(&self, token: Token) -> &'a str {
        &self.text[token.span.range()]
    }

    /// Whether the current token is this word, which is not a keyword everywhere.
    fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Identifier) && self.text_of(self.current) == word
    }

    fn advance(&mut self) -> Token {
        let token = self.current;
        self.previous = token.span;
        self.current = std::mem::replace(&mut self.next, self.lexer.token());
        token
    }

    fn eat(&mut self, kind: TokenKind) -> Option<Span> {
        self.at(kind).then(|| self.advance().span)
    }

    /// Takes a token with a fixed text; `place` says where it is missing otherwise.
    fn expect(&mut self, kind: TokenKind, place: &str) -> Parsed<Span> {
        match self.eat(kind) {
            Some(span) => Ok(span),
            None => {
                let text = kind.text().unwrap_or("a token");
                Err(self.unexpected(&format!("`{text}` {place}")))
            }
        }
    }

    /// From the first token of something to the last one read.
    fn span_from(&self, start: Span) -> Span {
        start.to(self.previous)
    }

    fn identifier(&mut self, what: &str) -> Parsed<Identifier> {
        if !self.at(TokenKind::Identifier) {
            let mut error = self.unexpected(what);
            if self.current.kind.is_keyword() {
                let text = self.text_of(self.current);
                error.help =
                    Some(format!("`{text}` is a keyword; write `\\{text}` to use it as a name"));
            }
            return Err(error);
        }
        let token = self.advance();
        let name = self.text_of(token);
        Ok(Identifier {
            name: name.strip_prefix('\\').unwrap_or(name).to_owned(),
            span: token.span,
        })
    }

    /// One or more names, separated by commas.
    fn identifiers(&mut self, what: &str) -> Parsed<Vec<Identifier>> {
        let mut names = vec![self.identifier(what)?];
        while self.eat(TokenKind::Comma).is_some() {
            names.push(self.identifier(what)?);
        }
        Ok(names)
    }

    /// The error that something else was expected than the current token.
    fn unexpected(&self, expected: &str) -> Box<Error> {
        let span = self.current.span;
        let found = self.text_of(self.current);
        Box::new(match self.current.kind {
            TokenKind::Invalid(Problem::UnclosedComment) => {
                Error::syntax(span, "this comment is never closed by `*/`")
            }
            TokenKind::Invalid(Problem::UnclosedString) => {
                Error::syntax(span, "this string is not closed on its line")
            }
            TokenKind::Invalid(Problem::Character) => invalid_character(span, found),
            TokenKind::End => {
                Error::syntax(span, format!("expected {expected}, found the end of the file"))
            }
            _ => Error::syntax(span, format!("expected {expected}, found `{}`", shorten(found))),
        })
    }

    /// The error that the current token starts something we do not handle.
    fn unsupported<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(Box::new(Error::unsupported(self.current.span, message)))
    }

    fn syntax<T>(&self, span: Span, message: impl Into<String>) -> Parsed<T> {
        Err(Box::new(Error::syntax(span, message)))
    }

    /// Goes one level deeper, unless it is one too many.
    fn enter(&mut self) -> Parsed<()> {
        if self.depth == MAX_NESTING {
            return self.unsupported(format!(
                "this is nested more than {MAX_NESTING} levels deep, which is too deep for whydunit"
            ));
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Skips to the next declaration after an error in the one that began at
    /// `start`. Not to a `var`, which may well be that of a procedure body.
    fn recover(&mut self, start: Span) {
        self.depth = 0;
        while !self.at(TokenKind::End) {
            let declares = matches!(
                self.current.kind,
                TokenKind::Type
                    | TokenKind::Const
                    | TokenKind::Axiom
                    | TokenKind::Function
                    | TokenKind::Procedure
                    | TokenKind::Implementation
            );
            if declares && self.current.span != start {
                return;
            }
            self.advance();
        }
    }

    /// `{:name argument, …}`, any number of times.
    fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.at(TokenKind::OpenBrace) && self.next.kind == TokenKind::Colon {
            attributes.push(self.attribute()?);
        }
        Ok(attributes)
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let start = self.advance().span;
        self.advance();
        // An attribute may be named by a keyword, such as `{:free}`.
        let name = if self.current.kind.is_keyword() {
            let token = self.advance();
            Identifier { name: self.text_of(token).to_owned(), span: token.span }
        } else {
            self.identifier("the name of an attribute")?
        };
        let mut arguments = Vec::new();
        if !self.at(TokenKind::CloseBrace) {
            arguments.push(self.attribute_argument()?);
            while self.eat(TokenKind::Comma).is_some() {
                arguments.push(self.attribute_argument()?);
            }
        }
        self.expect(TokenKind::CloseBrace, "after the attribute")?;
        Ok(Attribute { name, arguments, span: self.span_from(start) })
    }

    fn attribute_argument(&mut self) -> Parsed<AttributeArgument> {
        if !self.at(TokenKind::Text) {
            return Ok(AttributeArgument::Expression(self.expression()?));
        }
        let token = self.advance();
        let quoted = self.text_of(token);
        let text = quoted[1..quoted.len() - 1].replace("\\\"", "\"");
        Ok(AttributeArgument::Text { text, span: token.span })
    }
}

fn invalid_character(span: Span, found: &str) -> Error {
    let help = match found {
        "=" => Some("use `:=` to assign and `==` to compare"),
        "&" => Some("the logical and is `&&`"),
        "|" => Some("the logical or is `||`"),
        "%" => Some("the remainder is `mod`"),
        _ => None,
    };
    let error = match help {
        Some(_) => Error::syntax(span, format!("`{found}` is not an operator of Boogie")),
        None => Error::syntax(
            span,
            format!("the character `{}` has no meaning in Boogie", found.escape_debug()),
        ),
    };
    match help {
        Some(help) => error.with_help(help),
        None => error,
    }
}

/// A token for an error message, which must not fill the screen.
fn shorten(text: &str) -> String {
    const LIMIT: usize = 40;
    if text.chars().count() <= LIMIT {
        return text.to_owned();
    }
    text.chars().take(LIMIT).chain(['…']).collect()
}
