//! A trace: a path through a program as straight-line code.
//!
//! Calls are gone: binding an argument or a result is an assignment like any other. Each activation of
//! a procedure has variables of its own: those of the first one are the program's, the next ones get
//! copies named `x@1`, `x@2` and so on. The last step of an error trace is the condition that violates the property.

use std::rc::Rc;

use crate::cells::Object;
use program::{EdgeId, Place, ProcedureId, Program, Scope, SiteId, Statement, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms};

#[derive(Clone, Debug)]
pub struct Trace {
    /// Extends the program's arena by the variables of later activations.
    pub terms: Terms,
    pub entry: ProcedureId,
    pub path: Vec<EdgeId>,
    pub steps: Vec<Step>,
    /// For each variable of the trace that is not a global: its activation and the program's variable.
    pub origins: Rc<FxHashMap<Term, (u32, Term)>>,
    /// The variables of later activations that are read before they are written, in order. Their values
    /// are chosen when the activation begins.
    pub open: Vec<Open>,
    /// The objects whose cells are variables of the trace.
    pub objects: Vec<Object>,
    /// The object of each cell.
    pub cells: FxHashMap<Term, u32>,
    /// The variables that are the sizes of objects, where these are not constant.
    pub sizes: FxHashSet<Term>,
    /// Conditions that only say that something is as in the run at hand, because the trace does not
    /// model what would happen otherwise.
    pub pinned: FxHashSet<usize>,
    /// Those of the pinned ones that are there because steps of a long run are left out.
    pub left_out: FxHashSet<usize>,
    /// From this step on, no steps are left out.
    pub whole_from: usize,
    /// What a programmer calls a cell, and its type; not in runs that are [repeated with changes](crate::Failure::rerun).
    pub labels: FxHashMap<Term, (String, Option<TypeId>)>,
    /// The types of cells, where they are known.
    pub types: FxHashMap<Term, TypeId>,
    /// What the failure is about, where no condition says so: values that were never set.
    pub involved: Vec<Term>,
    /// The step that ended the life of the object that is missed, if that is the failure.
    pub ended: Option<usize>,
}

/// A variable whose value comes from nowhere in the middle of the trace.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// It has its value before this step, and is not there before.
    pub from: usize,
    pub variable: Term,
    /// The call that began the activation.
    pub call: SiteId,
}

impl Open {
    /// The step that chooses the value.
    pub fn choice(&self) -> Step {
        let action = Action::Havoc { place: Place::variable(self.variable) };
        Step::plain(0, self.call, Frame::default(), Part::Whole, action)
    }
}

#[derive(Clone, Debug)]
pub struct Step {
    /// The index of the step's edge in the path.
    pub at: u32,
    pub site: SiteId,
    pub frame: Frame,
    pub part: Part,
    pub action: Action,
    /// The address behind an assignment from or to a cell, if it depends on variables.
    pub access: Option<Box<Access>>,
}

impl Step {
    pub fn plain(at: u32, site: SiteId, frame: Frame, part: Part, action: Action) -> Step {
        Step { at, site, frame, part, action, access: None }
    }

    /// The variables whose value before the step matters. Writing a cell of a map reads the map.
    pub fn reads(&self, terms: &Terms) -> Vec<Term> {
        let mut roots: Vec<Term> = self.operands().collect();
        if let Some(place) = self.action.place()
            && !place.indices.is_empty()
        {
            roots.push(place.variable);
        }
        terms.variables_of(&roots)
    }

    /// The terms that are evaluated: indices, value, condition, address.
    pub fn operands(&self) -> impl Iterator<Item = Term> {
        self.action.operands().chain(self.access.iter().map(|access| access.address))
    }

    /// Whether the step is one that a programmer would call an assignment, and so can be blamed.
    pub fn is_assignment(&self) -> bool {
        self.action.place().is_some() && !matches!(self.part, Part::Temporary | Part::Input)
    }
}

/// The activation of a procedure that a step belongs to. The binding of arguments and results belongs
/// to the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The number of the activation, in the order in which they began.
    pub activation: u32,
    /// How many calls it is nested in.
    pub depth: u32,
}

/// An access to a cell of an object at an address that depends on variables. The action of its step
/// says what it does in the run at hand: it assigns the cell, or from the cell, that the address was
/// that of. With another address it would be another cell of the object; leaving the object is
/// excluded by a condition before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The index of the object in the trace.
    pub object: u32,
    pub address: Term,
    pub direction: Direction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Read,
    Write,
}

/// Which part of its statement a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    Whole,
    /// The binding of an argument to the parameter of this number.
    Argument(u32),
    /// The binding of the result of this number.
    Result(u32),
    /// A value on its way: the statement that uses it is another step.
    Temporary,
    /// A value from outside that is taken as given.
    Input,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Assign { place: Place, value: Term },
    Havoc { place: Place },
    Assume { condition: Term },
}

impl Action {
    /// The place that the action assigns, if it does.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Action::Assign { place, .. } | Action::Havoc { place } => Some(place),
            Action::Assume { .. } => None,
        }
    }

    /// The terms that are evaluated: indices, value, condition.
    pub fn operands(&self) -> impl Iterator<Item = Term> {
        let (indices, value) = match self {
            Action::Assign { place, value } => (place.indices.as_slice(), Some(*value)),
            Action::Havoc { place } => (place.indices.as_slice(), None),
            Action::Assume { condition } => ([].as_slice(), Some(*condition)),
        };
        indices.iter().copied().chain(value)
    }
}

impl Trace {
    /// The trace of a path from the beginning of `entry`.
    pub fn from_path(program: &Program, entry: ProcedureId, path: &[EdgeId]) -> Trace {
        let mut unfold = Unfold {
            program,
            terms: program.terms.clone(),
            copies: FxHashMap::default(),
            origins: FxHashMap::default(),
            steps: Vec::new(),
            stack: vec![(0, None)],
            activations: 1,
            begins: Vec::new(),
        };
        for procedure in &program.procedures {
            unfold.origins.extend(procedure.variables().map(|v| (v, (0, v))));
        }
        for (at, &edge) in path.iter().enumerate() {
            unfold.edge(at as u32, edge);
        }
        let open = unfold.open_variables();
        let Unfold { terms, steps, origins, .. } = unfold;
        Trace { steps, open, ..Trace::new(terms, entry, path.to_vec(), Rc::new(origins)) }
    }

    /// A trace without steps.
    pub fn new(
        terms: Terms,
        entry: ProcedureId,
        path: Vec<EdgeId>,
        origins: Rc<FxHashMap<Term, (u32, Term)>>,
    ) -> Trace {
        Trace {
            terms,
            entry,
            path,
            steps: Vec::new(),
            origins,
            open: Vec::new(),
            objects: Vec::new(),
            cells: FxHashMap::default(),
            sizes: FxHashSet::default(),
            pinned: FxHashSet::default(),
            left_out: FxHashSet::default(),
            whole_from: 0,
            labels: FxHashMap::default(),
            types: FxHashMap::default(),
            involved: Vec::new(),
            ended: None,
        }
    }

    /// The variables that get their value from nowhere just before a step.
    pub fn open_at(&self, step: usize) -> &[Open] {
        let first = self.open.partition_point(|open| open.from < step);
        let last = self.open.partition_point(|open| open.from <= step);
        &self.open[first..last]
    }

    /// The activation and program variable of a trace variable.
    pub fn origin(&self, variable: Term) -> (u32, Term) {
        self.origins.get(&variable).copied().unwrap_or((0, variable))
    }
}

struct Unfold<'p> {
    program: &'p Program,
    terms: Terms,
    /// Terms of the program as seen in an activation.
    copies: FxHashMap<(u32, Term), Term>,
    origins: FxHashMap<Term, (u32, Term)>,
    steps: Vec<Step>,
    /// The active activations and the call edges that made them.
    stack: Vec<(u32, Option<EdgeId>)>,
    activations: u32,
    /// For each activation but the first: where it begins, and the call.
    begins: Vec<(usize, SiteId)>,
}

impl Unfold<'_> {
    fn open_variables(&self) -> Vec<Open> {
        let mut written: FxHashSet<Term> = FxHashSet::default();
        let mut open = Vec::new();
        for step in &self.steps {
            for variable in step.reads(&self.terms) {
                let activation = self.origins.get(&variable).map_or(0, |origin| origin.0);
                if activation > 0 && written.insert(variable) {
                    let (from, call) = self.begins[activation as usize - 1];
                    open.push(Open { from, variable, call });
                }
            }
            written.extend(step.action.place().map(|place| place.variable));
        }
        open.sort_by_key(|open| open.from);
        open
    }

    fn edge(&mut self, at: u32, id: EdgeId) {
        let program = self.program;
        let edge = program.edge(id);
        let here = self.stack.last().map_or(0, |top| top.0);
        let step = |unfold: &mut Self, site, frame, part, action| {
            unfold.steps.push(Step::plain(at, site, frame, part, action));
        };
        let frame = Frame { activation: here, depth: self.stack.len() as u32 - 1 };
        match &edge.statement {
            Statement::Assign { place, value } => {
                let action = Action::Assign {
                    place: self.place(here, place),
                    value: self.copy(here, *value),
                };
                step(self, edge.site, frame, Part::Whole, action);
            }
            Statement::Havoc { place } => {
                let action = Action::Havoc { place: self.place(here, place) };
                step(self, edge.site, frame, Part::Whole, action);
            }
            Statement::Assume { condition } => {
                let action = Action::Assume { condition: self.copy(here, *condition) };
                step(self, edge.site, frame, Part::Whole, action);
            }
            Statement::Call { callee, arguments, .. } => {
                let callee_activation = self.activations;
                self.activations += 1;
                self.stack.push((callee_activation, Some(id)));
                let parameters = &program.procedure(*callee).parameters;
                for (number, (&parameter, &argument)) in
                    parameters.iter().zip(arguments).enumerate()
                {
                    let place = Place::variable(self.copy(callee_activation, parameter));
                    let action = Action::Assign { place, value: self.copy(here, argument) };
                    step(self, edge.site, frame, Part::Argument(number as u32), action);
                }
                self.begins.push((self.steps.len(), edge.site));
            }
            // A path alone does not determine what they do; see `run`.
            Statement::CallPointer { .. } | Statement::External { .. } | Statement::Memory(_) => {}
            Statement::Return => {
                let Some((_, Some(call))) = self.stack.last().copied() else { return };
                self.stack.pop();
                let caller = self.stack.last().map_or(0, |top| top.0);
                let call = program.edge(call);
                let Statement::Call { callee, results, .. } = &call.statement else { return };
                let returned = &program.procedure(*callee).results;
                for (number, (&variable, &result)) in results.iter().zip(returned).enumerate() {
                    let place = Place::variable(self.copy(caller, variable));
                    let action = Action::Assign { place, value: self.copy(here, result) };
                    let frame = Frame { activation: caller, depth: frame.depth.saturating_sub(1) };
                    step(self, call.site, frame, Part::Result(number as u32), action);
                }
            }
        }
    }

    fn place(&mut self, activation: u32, place: &Place) -> Place {
        Place {
            variable: self.copy(activation, place.variable),
            indices: place.indices.iter().map(|&i| self.copy(activation, i)).collect(),
        }
    }

    /// The term as seen in an activation.
    fn copy(&mut self, activation: u32, term: Term) -> Term {
        if activation == 0 {
            return term;
        }
        if let Some(&copy) = self.copies.get(&(activation, term)) {
            return copy;
        }
        for variable in self.program.terms.variables_of(&[term]) {
            if !self.copies.contains_key(&(activation, variable)) {
                let copy = self.copy_variable(activation, variable);
                self.copies.insert((activation, variable), copy);
            }
        }
        let copies = &self.copies;
        let copy = self.terms.substitute(term, &mut |v| copies.get(&(activation, v)).copied());
        self.copies.insert((activation, term), copy);
        copy
    }

    fn copy_variable(&mut self, activation: u32, variable: Term) -> Term {
        let declared = &self.program.variables[&variable];
        if declared.scope == Scope::Global {
            return variable;
        }
        let name = format!("{}@{activation}", declared.name);
        let sort = self.terms.sort(variable).clone();
        let mut copy = self.terms.var(&name, &sort);
        // Two variables of a procedure may have one name, and a variable of the program this one.
        if self.origins.contains_key(&copy) || self.program.variables.contains_key(&copy) {
            copy = self.terms.fresh(&name, &sort);
        }
        self.origins.insert(copy, (activation, variable));
        copy
    }
}
