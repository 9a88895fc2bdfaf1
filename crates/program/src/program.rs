//! The control-flow automaton.

use std::fmt;

use rustc_hash::FxHashMap;
use term::{Sort, Term, Terms};

use crate::source::{SourceFile, Span};

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
    /// Where executions begin: each is tried in turn.
    pub entries: Vec<ProcedureId>,
    /// What the front end could not model.
    pub gaps: Vec<Gap>,
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
    /// Ends the activation; leads to the procedure's exit.
    Return,
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
}

impl FailureKind {
    pub const ALL: [FailureKind; 4] = [
        FailureKind::Assertion,
        FailureKind::Precondition,
        FailureKind::Postcondition,
        FailureKind::Invariant,
    ];

    /// The stable name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion",
            FailureKind::Precondition => "precondition",
            FailureKind::Postcondition => "postcondition",
            FailureKind::Invariant => "invariant",
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

    /// The variable's name in the source.
    pub fn name(&self, variable: Term) -> &str {
        self.variables.get(&variable).map_or("?", |v| &v.name)
    }

    pub fn file(&self, span: Span) -> &SourceFile {
        &self.files[span.file.0 as usize]
    }
}
