//! A source file as a tree: what edits of the text are made from.
//!
//! Front ends fill it: from a parse of the text, whatever the language, come the expressions and statements with their exact
//! ranges, the names that can be used at a place, and what is known of types. Nothing here says what a program means; that
//! is what programs are for. A place that could not be parsed is [`Kind::Unreadable`], and is left alone.

use std::collections::BTreeMap;

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of the text, in bytes; `end` is exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    pub start: u32,
    pub end: u32,
}

impl Range {
    pub fn new(start: usize, end: usize) -> Range {
        Range { start: start as u32, end: end as u32 }
    }

    /// The empty range before a byte.
    pub fn at(start: u32) -> Range {
        Range { start, end: start }
    }

    pub fn contains(self, other: Range) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub fn len(self) -> u32 {
        self.end - self.start
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    // Expressions.
    Binary,
    Assign,
    /// `++` or `--`.
    Update,
    Unary,
    Dereference,
    AddressOf,
    Call,
    Index,
    Member,
    Name,
    Integer,
    Floating,
    Character,
    Text,
    Cast,
    Conditional,
    Sizeof,
    Parenthesised,
    Comma,
    // Statements.
    Block,
    /// An expression as a statement, or an assignment where that is one.
    Evaluate,
    Declare,
    If,
    While,
    DoWhile,
    For,
    Switch,
    Case,
    Return,
    Break,
    Continue,
    Goto,
    Labelled,
    /// What is claimed or assumed: it is never edited.
    Claim,
    // Others.
    Function,
    /// A name with its type, and perhaps an initial value, in a declaration.
    Declarator,
    /// The body of a macro.
    Macro,
    Type,
    /// A list of initial values.
    Values,
    Other,
    /// The parser did not understand it.
    Unreadable,
}

impl Kind {
    pub fn is_statement(self) -> bool {
        matches!(
            self,
            Kind::Block
                | Kind::Evaluate
                | Kind::Declare
                | Kind::If
                | Kind::While
                | Kind::DoWhile
                | Kind::For
                | Kind::Switch
                | Kind::Case
                | Kind::Return
                | Kind::Break
                | Kind::Continue
                | Kind::Goto
                | Kind::Labelled
                | Kind::Claim
        )
    }

    pub fn is_loop(self) -> bool {
        matches!(self, Kind::While | Kind::DoWhile | Kind::For)
    }

    /// Whether it has a value.
    pub fn is_expression(self) -> bool {
        matches!(
            self,
            Kind::Binary
                | Kind::Assign
                | Kind::Update
                | Kind::Unary
                | Kind::Dereference
                | Kind::AddressOf
                | Kind::Call
                | Kind::Index
                | Kind::Member
                | Kind::Name
                | Kind::Integer
                | Kind::Floating
                | Kind::Character
                | Kind::Text
                | Kind::Cast
                | Kind::Conditional
                | Kind::Sizeof
                | Kind::Parenthesised
                | Kind::Comma
        )
    }
}

/// What a node is to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    Left,
    Right,
    /// The only operand.
    Operand,
    Condition,
    Then,
    Else,
    Body,
    Initial,
    Update,
    /// A called function, an indexed array, or what has the member.
    Base,
    Argument,
    Index,
    /// The size of an array, in its declaration.
    Size,
    Type,
    Name,
    /// One of several in a row: a statement of a block, a declarator.
    Item,
}

/// What is known of a type without asking a compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    Integer,
    Character,
    Floating,
    Boolean,
    /// A structure, a union, or a type that has another name here.
    Other,
    Unknown,
}

/// The type of an expression or a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub class: Class,
    /// Which type of this class: the number of its name in [`Syntax::types`].
    pub name: u32,
    /// How many pointers and arrays are around it.
    pub depth: u8,
    /// Whether the outermost of these is an array, which cannot be assigned.
    pub is_array: bool,
}

impl Type {
    pub const UNKNOWN: Type =
        Type { class: Class::Unknown, name: u32::MAX, depth: 0, is_array: false };

    /// Whether it is a number that has no fraction.
    pub fn is_integer(self) -> bool {
        self.depth == 0 && matches!(self.class, Class::Integer | Class::Character | Class::Boolean)
    }

    pub fn is_number(self) -> bool {
        self.is_integer() || self.depth == 0 && self.class == Class::Floating
    }

    pub fn is_pointer(self) -> bool {
        self.depth > 0
    }
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub range: Range,
    pub parent: Option<NodeId>,
    pub children: Vec<(Role, NodeId)>,
    /// Where the operator is, or the keyword that says what a statement is.
    pub operator: Option<Range>,
    pub ty: Type,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    Variable,
    Parameter,
    /// It cannot be assigned: an enumerator, a macro, a constant.
    Constant,
    /// With so many parameters.
    Function(usize),
}

/// A name, and where it can be used.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub name: String,
    pub ty: Type,
    pub meaning: Meaning,
    /// The text in which it is known.
    pub scope: Range,
    pub is_global: bool,
    /// Whether it has a value from the beginning.
    pub is_set: bool,
}

/// A source file as a tree.
#[derive(Clone, Debug, Default)]
pub struct Syntax {
    pub text: String,
    pub nodes: Vec<Node>,
    pub declarations: Vec<Declaration>,
    /// The members of structures, by the number of the structure's name.
    pub members: BTreeMap<u32, Vec<(String, Type)>>,
    /// The names of types, without spaces that do not matter.
    pub types: Vec<String>,
}

impl Syntax {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    pub fn range(&self, id: NodeId) -> Range {
        self.node(id).range
    }

    pub fn slice(&self, range: Range) -> &str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or("")
    }

    pub fn text_of(&self, id: NodeId) -> &str {
        self.slice(self.range(id))
    }

    /// The operator of a node, as it is written.
    pub fn operator(&self, id: NodeId) -> &str {
        self.node(id).operator.map_or("", |range| self.slice(range))
    }

    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    /// What the node is to its parent.
    pub fn role(&self, id: NodeId) -> Option<Role> {
        let parent = self.node(self.parent(id)?);
        parent.children.iter().find(|(_, child)| *child == id).map(|(role, _)| *role)
    }

    pub fn child(&self, id: NodeId, role: Role) -> Option<NodeId> {
        self.children(id, role).next()
    }

    pub fn children(&self, id: NodeId, role: Role) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        let all = self.node(id).children.iter();
        all.filter(move |(known, _)| *known == role).map(|(_, child)| *child)
    }

    /// The node and what it is in, from the inside.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |&id| self.parent(id))
    }

    /// The node and all that is in it, in the order of the text.
    pub fn within(&self, id: NodeId) -> Vec<NodeId> {
        let (mut found, mut open) = (Vec::new(), vec![id]);
        while let Some(id) = open.pop() {
            found.push(id);
            open.extend(self.node(id).children.iter().rev().map(|(_, child)| *child));
        }
        found
    }

    /// The function that a node is in.
    pub fn function(&self, id: NodeId) -> Option<NodeId> {
        self.ancestors(id).find(|&id| self.kind(id) == Kind::Function)
    }

    /// The statement that a node is in, or is.
    pub fn statement(&self, id: NodeId) -> Option<NodeId> {
        self.ancestors(id).find(|&id| self.kind(id).is_statement())
    }

    /// Without the parentheses around it.
    pub fn bare(&self, id: NodeId) -> NodeId {
        let mut id = id;
        while self.kind(id) == Kind::Parenthesised
            && let Some(inner) = self.child(id, Role::Operand)
        {
            id = inner;
        }
        id
    }

    /// The names that can be used at a place; of equal ones the innermost.
    pub fn in_scope(&self, at: u32) -> Vec<&Declaration> {
        let mut found: Vec<&Declaration> = Vec::new();
        for declaration in &self.declarations {
            if declaration.scope.start > at || declaration.scope.end < at {
                continue;
            }
            match found.iter_mut().find(|known| known.name == declaration.name) {
                Some(known) if known.scope.start <= declaration.scope.start => *known = declaration,
                Some(_) => {}
                None => found.push(declaration),
            }
        }
        found
    }

    /// The number of the name of a type.
    pub fn type_named(&mut self, name: &str) -> u32 {
        if let Some(known) = self.types.iter().position(|known| known == name) {
            return known as u32;
        }
        self.types.push(name.to_owned());
        self.types.len() as u32 - 1
    }

    /// Whether evaluating it changes nothing.
    pub fn is_pure(&self, id: NodeId) -> bool {
        let changes = |id: &NodeId| {
            matches!(
                self.kind(*id),
                Kind::Assign | Kind::Update | Kind::Call | Kind::Unreadable | Kind::Other
            )
        };
        !self.within(id).iter().any(changes)
    }
}
