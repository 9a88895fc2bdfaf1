//! The syntax tree of a Boogie program: plain data, with the span of everything.
//!
//! Statements nest as the text does, at most [`MAX_NESTING`] levels deep, so
//! recursion over them is safe. Expressions do not nest: generated programs
//! contain sums of many thousands of operands, which as a tree of boxes would
//! overflow the stack when walked or dropped. They live in one table,
//! [`Expressions`], in *post-order*: the nodes below a node are exactly those from
//! its `first` up to itself. So a walk over an expression is a loop over
//! `expressions.subtree(id)`, which sees operands before operators.

mod expression;

pub use expression::{BinaryOperator, Expr, ExprId, ExprKind, Expressions, UnaryOperator};

use std::ops::Range;

/// Blocks, parentheses, brackets and map types nest at most this deep.
pub const MAX_NESTING: u32 = 500;

/// A piece of the text, in bytes: from `start` up to but excluding `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// From the start of this span to the end of the later one.
    pub fn to(self, later: Span) -> Span {
        Span::new(self.start, later.end)
    }

    /// For indexing the text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A whole program: its declarations in the order of the text, and the
/// expressions they refer to.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    pub expressions: Expressions,
    pub declarations: Vec<Declaration>,
}

/// A name as used or declared; a leading backslash (`\type`) is not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identifier {
    pub name: String,
    pub span: Span,
}

/// `{:name argument, …}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub name: Identifier,
    pub arguments: Vec<AttributeArgument>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeArgument {
    Text {
        text: String,
        span: Span,
    },
    /// Not resolved and not typed: attributes may speak a language of their own.
    Expression(ExprId),
}

// ---------------------------------------------------------------- types

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeExpr {
    pub kind: TypeExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeExprKind {
    Bool,
    Int,
    Real,
    BitVector(u32),
    /// A declared type or a synonym.
    Named(String),
    /// `[arguments]result`, with at least one argument.
    Map {
        arguments: Vec<TypeExpr>,
        result: Box<TypeExpr>,
    },
}

// ---------------------------------------------------------------- declarations

#[derive(Clone, Debug)]
pub enum Declaration {
    Type(TypeDeclaration),
    Constants(ConstantDeclaration),
    Axiom(Axiom),
    Function(FunctionDeclaration),
    Variables(VariableDeclaration),
    Procedure(Procedure),
    Implementation(Implementation),
}

/// `type name;` or `type name = synonym;`
#[derive(Clone, Debug)]
pub struct TypeDeclaration {
    pub attributes: Vec<Attribute>,
    pub name: Identifier,
    pub synonym: Option<TypeExpr>,
    pub span: Span,
}

/// `const unique a, b: T complete;`
#[derive(Clone, Debug)]
pub struct ConstantDeclaration {
    pub attributes: Vec<Attribute>,
    /// All unique constants of a type differ from each other.
    pub unique: bool,
    pub names: Vec<Identifier>,
    pub type_expr: TypeExpr,
    pub complete: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Axiom {
    pub attributes: Vec<Attribute>,
    pub condition: ExprId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FunctionDeclaration {
    pub attributes: Vec<Attribute>,
    pub name: Identifier,
    /// Either all or none of them have a name.
    pub parameters: Vec<FunctionParameter>,
    pub result: FunctionParameter,
    pub body: Option<ExprId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FunctionParameter {
    pub name: Option<Identifier>,
    pub type_expr: TypeExpr,
}

/// `var a, b: int where a < b, m: [int]bool;`
#[derive(Clone, Debug)]
pub struct VariableDeclaration {
    pub attributes: Vec<Attribute>,
    pub groups: Vec<VariableGroup>,
    pub span: Span,
}

/// `a, b: int where a < b`: variables, parameters or results that share a type.
#[derive(Clone, Debug)]
pub struct VariableGroup {
    pub attributes: Vec<Attribute>,
    pub names: Vec<Identifier>,
    pub type_expr: TypeExpr,
    /// The `where` clause, which holds for each of the names.
    pub condition: Option<ExprId>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub attributes: Vec<Attribute>,
    pub name: Identifier,
    pub parameters: Vec<VariableGroup>,
    pub results: Vec<VariableGroup>,
    pub specifications: Vec<Specification>,
    pub body: Option<Body>,
    pub span: Span,
}

/// A body for a procedure declared elsewhere, with names of its own for the
/// parameters and results.
#[derive(Clone, Debug)]
pub struct Implementation {
    pub attributes: Vec<Attribute>,
    pub name: Identifier,
    pub parameters: Vec<VariableGroup>,
    pub results: Vec<VariableGroup>,
    pub body: Body,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Specification {
    pub attributes: Vec<Attribute>,
    pub kind: SpecificationKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecificationKind {
    Requires(Trust, ExprId),
    Ensures(Trust, ExprId),
    Modifies(Vec<Identifier>),
}

/// Whether a clause has to be proved or is taken for granted (`free`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    Checked,
    Free,
}

// ---------------------------------------------------------------- statements

#[derive(Clone, Debug)]
pub struct Body {
    pub locals: Vec<VariableDeclaration>,
    pub statements: Vec<Statement>,
    /// Including the braces.
    pub span: Span,
}

/// `{ … }`
#[derive(Clone, Debug)]
pub struct Block {
    pub statements: Vec<Statement>,
    /// Including the braces.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub attributes: Vec<Attribute>,
    pub kind: StatementKind,
    /// Including the semicolon, or for `if` and `while` the whole body.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `name:`, the place between two statements.
    Label(Identifier),
    /// `x, m[i] := e, f;`: all values are computed before the first assignment.
    Assign {
        targets: Vec<Target>,
        values: Vec<ExprId>,
    },
    Havoc(Vec<Identifier>),
    Assume(ExprId),
    Assert(ExprId),
    If(If),
    While(While),
    Goto(Vec<Identifier>),
    Call {
        targets: Vec<Identifier>,
        procedure: Identifier,
        arguments: Vec<ExprId>,
    },
    Return,
    /// Leaves the innermost loop, or the enclosing `if` or `while` with the label.
    Break(Option<Identifier>),
}

/// `x`, `m[i]`, `m[i, j]` or `m[i][j]`; each bracket is one entry of `indices`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub variable: Identifier,
    pub indices: Vec<Vec<ExprId>>,
    pub span: Span,
}

/// `if (…) {…} else if (…) {…} else {…}` as one flat statement.
#[derive(Clone, Debug)]
pub struct If {
    /// The labels before it, by which `break` may leave it.
    pub labels: Vec<String>,
    /// At least one.
    pub arms: Vec<Arm>,
    pub otherwise: Option<Block>,
}

#[derive(Clone, Debug)]
pub struct Arm {
    pub guard: Guard,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct While {
    /// The labels before it, by which `break` may leave it.
    pub labels: Vec<String>,
    pub guard: Guard,
    pub invariants: Vec<Invariant>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Invariant {
    pub attributes: Vec<Attribute>,
    pub trust: Trust,
    pub condition: ExprId,
    pub span: Span,
}

/// The condition of an `if` or `while`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    Condition(ExprId),
    /// `*`
    Nondeterministic(Span),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join() {
        assert_eq!(Span::new(2, 3).to(Span::new(5, 9)), Span::new(2, 9));
        assert_eq!(&"abcdef"[Span::new(1, 3).range()], "bc");
    }
}
