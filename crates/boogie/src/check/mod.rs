//! Finds out what every name refers to and which type every expression has.
//!
//! [`check`] either finds errors or returns a [`Checked`], which holds the answers
//! beside the syntax tree. Expressions are checked by a loop over the nodes, as
//! they are stored in post-order. After an error, whatever depends on the broken
//! part has no type, and nothing more is said about it.

mod bodies;
mod declarations;
mod elements;
mod expressions;
mod functions;
mod spelling;
mod synonyms;

use crate::ast::{Ast, Body, Declaration, ExprId, Identifier, Span};
use crate::builtin::BitVectorOperation;
use crate::error::Error;
use crate::types::{Type, Types};
use std::collections::HashMap;

/// More errors than this help nobody.
const MAX_ERRORS: usize = 100;

/// What the names and expressions of a well-typed program mean.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    pub types: Types,
    /// Globals, constants, parameters, results and locals of the whole program.
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    pub procedures: Vec<Procedure>,
    /// The type of each expression; only those in attributes have none.
    expression_types: Vec<Option<Type>>,
    /// The variable that the identifier starting at this byte declares or uses.
    variables_at: HashMap<u32, VariableId>,
    functions_by_name: HashMap<String, FunctionId>,
    procedures_by_name: HashMap<String, ProcedureId>,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            pub(crate) fn new(index: usize) -> $name {
                // There are fewer names than bytes of text, and fewer than 2^32 of these.
                $name(index as u32)
            }

            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An index of [`Checked::variables`].
    VariableId
    /// An index of [`Checked::functions`].
    FunctionId
    /// An index of [`Checked::procedures`].
    ProcedureId
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Identifier,
    pub kind: VariableKind,
    pub of_type: Type,
    /// The `where` clause.
    pub condition: Option<ExprId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    Global,
    Constant {
        unique: bool,
    },
    Parameter,
    /// A parameter with the attribute `{:mutable}`, which Boogie does not know, but C does.
    MutableParameter,
    Result,
    Local,
    FunctionParameter,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Identifier,
    pub parameters: Vec<Type>,
    pub result: Type,
    pub meaning: Meaning,
    /// The index of its [`Declaration`].
    pub declaration: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    Uninterpreted,
    /// Not recursive, not even through other functions.
    Defined {
        parameters: Vec<VariableId>,
        body: ExprId,
    },
    BitVector(BitVectorOperation),
    /// The map that has the argument everywhere: `{:builtin "MapConst"}`.
    ConstantMap,
    /// A built-in of some solver that we do not know; no expression uses it.
    Unknown(String),
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: Identifier,
    /// The index of its [`Declaration`].
    pub declaration: usize,
    pub parameters: Vec<VariableId>,
    pub results: Vec<VariableId>,
    /// Its own body first, if it has one.
    pub implementations: Vec<Implementation>,
}

#[derive(Clone, Debug)]
pub struct Implementation {
    /// The index of the [`Declaration`] with the body: see [`Ast::body`].
    pub declaration: usize,
    /// Those of the procedure, if it is its own body.
    pub parameters: Vec<VariableId>,
    pub results: Vec<VariableId>,
    pub locals: Vec<VariableId>,
}

impl Checked {
    /// The type of an expression that is not in an attribute.
    pub fn type_of(&self, id: ExprId) -> Type {
        self.expression_types[id.index()]
            .expect("invariant: all expressions outside attributes have a type")
    }

    /// The variable that an identifier declares or uses, as expression or as target.
    pub fn variable_at(&self, identifier: Span) -> Option<VariableId> {
        self.variables_at.get(&identifier.start).copied()
    }

    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions_by_name.get(name).copied()
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn procedure_named(&self, name: &str) -> Option<ProcedureId> {
        self.procedures_by_name.get(name).copied()
    }

    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.index()]
    }
}

impl Ast {
    /// The body of the procedure or implementation with this index.
    pub fn body(&self, declaration: usize) -> Option<&Body> {
        match self.declarations.get(declaration)? {
            Declaration::Procedure(procedure) => procedure.body.as_ref(),
            Declaration::Implementation(implementation) => Some(&implementation.body),
            _ => None,
        }
    }
}

/// Resolves names and types, or tells what is wrong in the order of the text.
pub fn check(ast: &Ast) -> Result<Checked, Vec<Error>> {
    let mut checker = Checker::new(ast);
    checker.declare_types();
    checker.declare_variables();
    checker.declare_functions();
    checker.declare_procedures();
    checker.check_declarations();
    checker.refuse_recursive_functions();
    if checker.errors.is_empty() {
        return Ok(checker.checked);
    }
    checker.errors.sort_by_key(|error| error.span);
    checker.errors.truncate(MAX_ERRORS);
    Err(checker.errors)
}

/// A scope. A name whose declaration is broken maps to `None`: its uses are fine.
type Names<'a, T> = HashMap<&'a str, Option<T>>;

struct Checker<'a> {
    ast: &'a Ast,
    errors: Vec<Error>,
    checked: Checked,
    types: Names<'a, Type>,
    globals: Names<'a, VariableId>,
    /// The parameters, results and locals of what is being checked.
    locals: Names<'a, VariableId>,
    functions: Names<'a, FunctionId>,
    procedures: Names<'a, ProcedureId>,
}

impl<'a> Checker<'a> {
    fn new(ast: &'a Ast) -> Checker<'a> {
        let checked =
            Checked { expression_types: vec![None; ast.expressions.len()], ..Checked::default() };
        Checker {
            ast,
            errors: Vec::new(),
            checked,
            types: HashMap::new(),
            globals: HashMap::new(),
            locals: HashMap::new(),
            functions: HashMap::new(),
            procedures: HashMap::new(),
        }
    }

    fn report(&mut self, error: Error) {
        // Errors are sorted by place at the end, so a few too many are kept here.
        if !self.has_enough_errors() {
            self.errors.push(error);
        }
    }

    fn has_enough_errors(&self) -> bool {
        self.errors.len() >= 10 * MAX_ERRORS
    }

    /// Reports a type error.
    fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.report(Error::typing(span, message));
    }

    fn already_declared(&mut self, name: &Identifier, what: &str) {
        let message = format!("the {what} `{}` is already declared", name.name);
        self.wrong(name.span, message);
    }

    /// Reports a name that is not declared, and what might be meant by it.
    fn unknown<T>(
        &mut self,
        what: &str,
        name: &str,
        span: Span,
        known: impl FnOnce(&Self) -> Vec<&'a str>,
    ) -> Option<T> {
        if self.has_enough_errors() {
            return None;
        }
        let mut error = Error::typing(span, format!("unknown {what} `{name}`"));
        if let Some(similar) = spelling::closest(name, known(self)) {
            error = error.with_help(format!("did you mean `{similar}`?"));
        }
        self.report(error);
        None
    }
}
