//! The syntax tree of a Boogie program: plain data, with the span of everything.
//!
//! Statements nest as the text does, at most [`MAX_NESTING`] levels deep, so
//! recursion over them is safe. Expressions do not nest: generated programs
//! contain sums of many thousands of operands, which as a tree of boxes would
//! overflow the stack when walked or dropped. They live in one table,
//! [`Expressions`], in *post-order*: the nodes below a node are exactly those from
//! its `first` up to itself. So a walk over an expression is a loop over
//! `expressions.subtree(id)`, which sees operands before operators.

use dashu_int::IBig;
use dashu_ratio::RBig;
use std::ops::{Index, Range};

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

// ---------------------------------------------------------------- expressions

/// Names a node of [`Expressions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    /// Without parentheses around the whole.
    pub span: Span,
    /// The first node of the subtree that ends here; see the module's text.
    pub first: ExprId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Bool(bool),
    Int(IBig),
    Real(RBig),
    BitVector {
        value: IBig,
        width: u32,
    },
    /// A variable, constant or parameter.
    Name(String),
    Apply {
        function: Identifier,
        arguments: Vec<ExprId>,
    },
    Unary {
        operator: UnaryOperator,
        operator_span: Span,
        operand: ExprId,
    },
    Binary {
        operator: BinaryOperator,
        operator_span: Span,
        left: ExprId,
        right: ExprId,
    },
    /// `if condition then then else otherwise`
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// `map[indices]`
    Select {
        map: ExprId,
        indices: Vec<ExprId>,
    },
    /// `map[indices := value]`
    Store {
        map: ExprId,
        indices: Vec<ExprId>,
        value: ExprId,
    },
    /// `operand[high:low]`: the bits from `low` up to but excluding `high`.
    Extract {
        operand: ExprId,
        high: u32,
        low: u32,
    },
    Old(ExprId),
    /// `int(e)`: rounds a real down.
    ToInt(ExprId),
    /// `real(e)`
    ToReal(ExprId),
    /// `e: type`, which changes nothing.
    Coerce {
        operand: ExprId,
        type_expr: TypeExpr,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    Not,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    Iff,
    Implies,
    /// `a <== b` is `b ==> a`.
    Explies,
    And,
    Or,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Concat,
    Add,
    Subtract,
    Multiply,
    /// `/`, whose result is real even for two int operands.
    Divide,
    /// `div`: rounds such that the remainder is not negative.
    Div,
    /// `mod`: never negative.
    Mod,
}

impl UnaryOperator {
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOperator::Not => "!",
            UnaryOperator::Minus => "-",
        }
    }
}

impl BinaryOperator {
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Iff => "<==>",
            BinaryOperator::Implies => "==>",
            BinaryOperator::Explies => "<==",
            BinaryOperator::And => "&&",
            BinaryOperator::Or => "||",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterEqual => ">=",
            BinaryOperator::Concat => "++",
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Div => "div",
            BinaryOperator::Mod => "mod",
        }
    }
}

/// All expressions of a program, in post-order.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: Vec<Expr>,
}

impl Expressions {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node and everything below it, operands before operators.
    pub fn subtree(&self, id: ExprId) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        (self[id].first.0..=id.0).map(ExprId)
    }

    /// Adds a node whose subtree starts at `first`, or is the node alone.
    pub(crate) fn push(&mut self, kind: ExprKind, span: Span, first: Option<ExprId>) -> ExprId {
        // Every node has a token of its own, and the text has less than 2^32 bytes.
        let id = ExprId(self.nodes.len() as u32);
        let first = first.unwrap_or(id);
        self.nodes.push(Expr { kind, span, first });
        id
    }
}

impl Index<ExprId> for Expressions {
    type Output = Expr;

    fn index(&self, id: ExprId) -> &Expr {
        &self.nodes[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subtree_is_a_range() {
        let mut expressions = Expressions::default();
        let span = Span::new(0, 0);
        let before = expressions.push(ExprKind::Bool(true), span, None);
        let one = expressions.push(ExprKind::Bool(true), span, None);
        let not =
            ExprKind::Unary { operator: UnaryOperator::Not, operator_span: span, operand: one };
        let root = expressions.push(not, span, Some(one));
        assert_eq!(expressions.subtree(root).collect::<Vec<_>>(), [one, root]);
        assert_eq!(expressions.subtree(before).collect::<Vec<_>>(), [before]);
    }

    #[test]
    fn spans_join() {
        assert_eq!(Span::new(2, 3).to(Span::new(5, 9)), Span::new(2, 9));
        assert_eq!(&"abcdef"[Span::new(1, 3).range()], "bc");
    }
}
