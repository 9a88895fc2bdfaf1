//! The control-flow automaton.

use std::fmt;

use rustc_hash::FxHashMap;
use term::{Sort, Term, Terms};

use crate::source::{SourceFile, Span};
use crate::types::{Type, TypeId};

/// Types of ids: indices into tables.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}

ids! {
    ProcedureId
    LocationId
    EdgeId
    /// A statement of the source. Several edges may come from one statement.
    SiteId
    /// An object that exists before the program starts.
    StaticId
    /// A function without a body: the world around the program does it.
    ExternalId
}

/// A program: procedures whose control flow is a graph of locations, joined by edges that carry
/// statements. Ids of locations, edges and sites are unique in the whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Owns all terms in the program. Analyses clone it and build on.
    pub terms: Terms,
    pub files: Vec<SourceFile>,
    pub language: Language,
    /// All variables; their terms are distinct.
    pub variables: FxHashMap<Term, Variable>,
    /// Global variables, in order of declaration.
    pub globals: Vec<Term>,
    pub procedures: Vec<Procedure>,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
    pub sites: Vec<Site>,
    /// Objects in memory that exist for the whole execution.
    pub statics: Vec<Static>,
    /// The functions that [`Statement::External`] names.
    pub externals: Vec<External>,
    /// Types of the source, for those who show values.
    pub types: Vec<Type>,
    /// Where executions begin: each is tried in turn.
    pub entries: Vec<ProcedureId>,
    /// What the front end could not model.
    pub gaps: Vec<Gap>,
    /// The sites of the arguments of calls, where they have their own.
    pub argument_sites: FxHashMap<SiteId, Vec<SiteId>>,
}

/// The language of the source, as far as reports must speak it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Boogie,
    C,
}

impl Language {
    /// The assignment operator.
    pub fn assignment(self) -> &'static str {
        match self {
            Language::Boogie => ":=",
            Language::C => "=",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name in the source.
    pub name: String,
    pub scope: Scope,
    pub role: VariableRole,
    pub ty: Option<TypeId>,
    /// Where it is declared, if that is not a statement.
    pub declared: Option<SiteId>,
}

impl Variable {
    pub fn new(name: &str, scope: Scope) -> Variable {
        let (role, name) = (VariableRole::Source, name.to_owned());
        Variable { name, scope, role, ty: None, declared: None }
    }
}

/// What a variable is to the programmer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableRole {
    /// Declared in the source.
    Source,
    /// Made by a front end for a value on its way: part of the statement that uses it.
    Temporary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One instance for the whole execution.
    Global,
    /// One instance for each activation of the procedure.
    Local(ProcedureId),
}

/// Parameters are assigned by the call; results are copied to the caller by [`Statement::Return`];
/// locals and results start with arbitrary values.
#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: String,
    pub parameters: Vec<Term>,
    pub results: Vec<Term>,
    /// All other variables of an activation.
    pub locals: Vec<Term>,
    pub entry: LocationId,
    pub exit: LocationId,
}

impl Procedure {
    /// All variables of an activation.
    pub fn variables(&self) -> impl Iterator<Item = Term> {
        self.parameters.iter().chain(&self.results).chain(&self.locals).copied()
    }
}

#[derive(Clone, Debug)]
pub struct Location {
    /// None for the error location.
    pub procedure: Option<ProcedureId>,
    /// The outgoing edges. An execution may take any whose statement is possible.
    pub edges: Vec<EdgeId>,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: LocationId,
    pub to: LocationId,
    pub statement: Statement,
    pub site: SiteId,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Assign {
        place: Place,
        value: Term,
    },
    /// Assigns an arbitrary value.
    Havoc {
        place: Place,
    },
    /// Goes on only if the condition holds.
    Assume {
        condition: Term,
    },
    /// Binds the arguments to the parameters, runs the procedure, binds its results to `results`.
    Call {
        callee: ProcedureId,
        arguments: Vec<Term>,
        results: Vec<Term>,
    },
    /// As `Call`, of the procedure whose address is the value of `pointer`.
    CallPointer {
        pointer: Term,
        arguments: Vec<Term>,
        results: Vec<Term>,
    },
    /// Calls a function of the world around the program.
    External {
        function: ExternalId,
        arguments: Vec<Term>,
        results: Vec<Term>,
    },
    Memory(Memory),
    /// Ends the activation; leads to the procedure's exit.
    Return,
}

/// A statement about objects in memory. Addresses and sizes are bit-vectors of 64 bits. Bytes are
/// stored with the least significant first. An access that is not within one living object, or
/// depends on an undefined address, is a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Reads as many bytes as the sort of the target has.
    Load {
        target: Term,
        address: Term,
    },
    Store {
        address: Term,
        value: Term,
    },
    /// Gives a part of a static object its first value, also if the program may not write it. It is within the
    /// object.
    Initialise {
        object: StaticId,
        offset: u64,
        value: Term,
    },
    /// Makes an object of undefined bytes that lives until the activation returns; `target` gets its
    /// address.
    Alloc {
        target: Term,
        size: Term,
        object: LocalObject,
    },
    /// Copies bytes, defined or not. The areas may overlap.
    Copy {
        to: Term,
        from: Term,
        size: Term,
    },
    /// Sets all bytes to one value of 8 bits.
    Fill {
        to: Term,
        byte: Term,
        size: Term,
    },
    /// Remembers in `target` (64 bits) which objects the activation has made.
    Mark {
        target: Term,
    },
    /// Ends the life of the objects that the activation has made since.
    Release {
        mark: Term,
    },
}

/// What is known about an object of an activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalObject {
    /// The name in the source; empty for one made by a front end.
    pub name: String,
    pub ty: Option<TypeId>,
    /// The alignment in bytes, a power of two.
    pub align: u32,
    /// Where it is declared.
    pub declared: Option<SiteId>,
}

/// An object that exists before the program starts.
#[derive(Clone, Debug)]
pub struct Static {
    /// The name in the source; string literals have none.
    pub name: String,
    pub ty: Option<TypeId>,
    pub align: u32,
    pub writable: bool,
    pub bytes: Vec<u8>,
    /// Addresses inside the bytes, by offset.
    pub pointers: Vec<(u32, Target)>,
}

impl Static {
    /// The bytes with the addresses filled in.
    pub fn image(&self) -> Vec<u8> {
        let mut image = crate::bytes::copy(&self.bytes);
        for &(offset, target) in &self.pointers {
            let offset = offset as usize;
            if let Some(place) = image.get_mut(offset..offset + 8) {
                place.copy_from_slice(&target.address().to_le_bytes());
            }
        }
        image
    }
}

/// What a constant address is the address of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A byte of an object, at this offset; it may lie outside.
    Object(StaticId, i64),
    Procedure(ProcedureId),
    External(ExternalId),
}

impl Target {
    /// The address. It is determined by the numbers of the object or procedure, so that addresses are
    /// the same in every execution and can be constants in terms.
    pub fn address(self) -> u64 {
        match self {
            Target::Object(id, offset) => {
                crate::process::static_address(id).wrapping_add_signed(offset)
            }
            Target::Procedure(id) => crate::process::PROCEDURES + 16 * u64::from(id.0),
            Target::External(id) => crate::process::EXTERNALS + 16 * u64::from(id.0),
        }
    }
}

/// A function that the world around the program does: input, output, heap, time, or unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    pub name: String,
}

impl Statement {
    /// The terms that the statement evaluates.
    pub fn operands(&self) -> Vec<Term> {
        match self {
            Statement::Assign { place, value } => {
                place.indices.iter().copied().chain([*value]).collect()
            }
            Statement::Havoc { place } => place.indices.clone(),
            Statement::Assume { condition } => vec![*condition],
            Statement::Call { arguments, .. } | Statement::External { arguments, .. } => {
                arguments.clone()
            }
            Statement::CallPointer { pointer, arguments, .. } => {
                [*pointer].iter().chain(arguments).copied().collect()
            }
            Statement::Memory(memory) => match memory {
                Memory::Load { address, .. } => vec![*address],
                Memory::Store { address, value } => vec![*address, *value],
                Memory::Initialise { value, .. } => vec![*value],
                Memory::Alloc { size, .. } => vec![*size],
                Memory::Copy { to, from, size } => vec![*to, *from, *size],
                Memory::Fill { to, byte, size } => vec![*to, *byte, *size],
                Memory::Mark { .. } => vec![],
                Memory::Release { mark } => vec![*mark],
            },
            Statement::Return => vec![],
        }
    }

    /// The variables that the statement assigns in the procedure it is in.
    pub fn targets(&self) -> &[Term] {
        match self {
            Statement::Assign { place, .. } | Statement::Havoc { place } => {
                std::slice::from_ref(&place.variable)
            }
            Statement::Call { results, .. }
            | Statement::CallPointer { results, .. }
            | Statement::External { results, .. } => results,
            Statement::Memory(
                Memory::Load { target, .. }
                | Memory::Alloc { target, .. }
                | Memory::Mark { target },
            ) => std::slice::from_ref(target),
            Statement::Assume { .. } | Statement::Memory(_) | Statement::Return => &[],
        }
    }
}

/// What an assignment writes: a variable, or the cell of a map variable at these indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub variable: Term,
    pub indices: Vec<Term>,
}

impl Place {
    pub fn variable(variable: Term) -> Place {
        Place { variable, indices: Vec::new() }
    }

    /// The sort of what is written.
    pub fn sort(&self, terms: &Terms) -> Sort {
        let mut sort = terms.sort(self.variable).clone();
        for _ in &self.indices {
            if let Sort::Array(array) = sort {
                sort = array.element.clone();
            }
        }
        sort
    }

    /// The new value of the whole variable when `element` is written to the place, given terms for
    /// the variable's old value and for the indices.
    pub fn updated(terms: &mut Terms, old: Term, indices: &[Term], element: Term) -> Term {
        match indices {
            [] => element,
            [index, rest @ ..] => {
                let inner = terms.select(old, *index);
                let inner = Place::updated(terms, inner, rest, element);
                terms.store(old, *index, inner)
            }
        }
    }

    /// The place as a term that reads it.
    pub fn read(&self, terms: &mut Terms) -> Term {
        self.indices.iter().fold(self.variable, |value, &index| terms.select(value, index))
    }
}

/// A statement as the programmer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub span: Option<Span>,
    /// The statement in source syntax, on one line.
    pub text: String,
    pub trust: Trust,
    /// What is violated by an edge of this site that leads to the error location.
    pub property: Option<Property>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Written by the user: may be suspected.
    User,
    /// From a library, made by a front end, or marked as correct: never suspected.
    Trusted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub kind: FailureKind,
    /// One sentence for the user.
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    Assertion,
    Precondition,
    Postcondition,
    Invariant,
    /// The program gave up by itself: `abort`.
    Abort,
    ReachableError,
    OutOfBounds,
    NullDereference,
    /// The address is that of no object.
    WildPointer,
    /// The object was freed, or its function has returned.
    UseAfterFree,
    DoubleFree,
    /// What was freed is no heap object, or not its beginning.
    InvalidFree,
    /// A constant was written, such as a string literal.
    ReadOnly,
    /// A decision, an address or an output depends on bytes that were never written.
    Uninitialised,
    DivisionByZero,
    SignedOverflow,
    BadShift,
    StackOverflow,
    /// The program ended with another status than expected.
    ExitStatus,
    /// The program did not end within the limit.
    StepLimit,
    WrongOutput,
    /// Control came to where the compiler says it cannot.
    Unreachable,
}

impl FailureKind {
    /// Whether the program itself says what is violated.
    pub fn is_specified(self) -> bool {
        matches!(
            self,
            FailureKind::Assertion
                | FailureKind::Precondition
                | FailureKind::Postcondition
                | FailureKind::Invariant
                | FailureKind::Abort
                | FailureKind::ReachableError
        )
    }

    pub const ALL: [FailureKind; 22] = [
        FailureKind::Assertion,
        FailureKind::Precondition,
        FailureKind::Postcondition,
        FailureKind::Invariant,
        FailureKind::Abort,
        FailureKind::ReachableError,
        FailureKind::OutOfBounds,
        FailureKind::NullDereference,
        FailureKind::WildPointer,
        FailureKind::UseAfterFree,
        FailureKind::DoubleFree,
        FailureKind::InvalidFree,
        FailureKind::ReadOnly,
        FailureKind::Uninitialised,
        FailureKind::DivisionByZero,
        FailureKind::SignedOverflow,
        FailureKind::BadShift,
        FailureKind::StackOverflow,
        FailureKind::ExitStatus,
        FailureKind::StepLimit,
        FailureKind::WrongOutput,
        FailureKind::Unreachable,
    ];

    /// The stable name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion",
            FailureKind::Precondition => "precondition",
            FailureKind::Postcondition => "postcondition",
            FailureKind::Invariant => "invariant",
            FailureKind::Abort => "abort",
            FailureKind::ReachableError => "reachable-error",
            FailureKind::OutOfBounds => "out-of-bounds",
            FailureKind::NullDereference => "null-dereference",
            FailureKind::WildPointer => "wild-pointer",
            FailureKind::UseAfterFree => "use-after-free",
            FailureKind::DoubleFree => "double-free",
            FailureKind::InvalidFree => "invalid-free",
            FailureKind::ReadOnly => "read-only",
            FailureKind::Uninitialised => "uninitialised",
            FailureKind::DivisionByZero => "division-by-zero",
            FailureKind::SignedOverflow => "signed-overflow",
            FailureKind::BadShift => "bad-shift",
            FailureKind::StackOverflow => "stack-overflow",
            FailureKind::ExitStatus => "exit-status",
            FailureKind::StepLimit => "step-limit",
            FailureKind::WrongOutput => "wrong-output",
            FailureKind::Unreachable => "unreachable",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something in the source that the program does not model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    pub span: Option<Span>,
    pub message: String,
}

impl Program {
    /// The location that every violated property leads to.
    pub const ERROR: LocationId = LocationId(0);

    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.index()]
    }

    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.index()]
    }

    pub fn out_edges(&self, id: LocationId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.location(id).edges.iter().map(|&edge| (edge, self.edge(edge)))
    }

    /// The statement that decides whether an edge is taken, or another one instead. The conditions of a `goto` are one, though they are written
    /// apart: the first of them.
    pub fn decider(&self, id: EdgeId) -> SiteId {
        let edge = self.edge(id);
        let others = self.out_edges(edge.from).map(|(_, other)| other);
        let conditions = others.filter(|edge| matches!(edge.statement, Statement::Assume { .. }));
        let sites = conditions.map(|edge| edge.site);
        sites.filter(|&site| self.site(site).trust == Trust::User).min().unwrap_or(edge.site)
    }

    /// The variable's name in the source.
    pub fn name(&self, variable: Term) -> &str {
        self.variables.get(&variable).map_or("?", |v| &v.name)
    }

    pub fn file(&self, span: Span) -> &SourceFile {
        &self.files[span.file.0 as usize]
    }
}
