//! From the steps of a trace to commands.

use failure::{Action, Failure, Part, Step};
use program::process::Origin;
use program::{EdgeId, Place, Program, Statement, Trust, VariableRole};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms, Value};

use super::scopes::Scopes;
use super::{Command, Commands, Control, Effect, Encoding, States};
use crate::flow::Flow;

/// The commands of a failing trace. There are none if the trace does not say all that the run did.
pub fn encode<'f>(failure: &'f Failure<'f>, encoding: Encoding) -> Result<Commands<'f>, String> {
    let control = match encoding {
        Encoding::Plain => None,
        Encoding::FlowSensitive => {
            let flow = Flow::of(failure);
            let scopes = Scopes::of(&flow);
            if scopes.depth > DEEPEST {
                return Err("decisions are nested too deeply, as in a long recursion".to_owned());
            }
            Some(Control { flow, scopes })
        }
    };
    let trace = &failure.trace;
    let (definitions, last_uses) = uses(failure);
    let mut encoder = Encoder {
        failure,
        control: control.as_ref(),
        terms: trace.terms.clone(),
        definitions,
        last_uses,
        now: failure.inputs.initial.clone(),
        inlined: FxHashMap::default(),
        touched: FxHashSet::default(),
        decisions: FxHashMap::default(),
        pending: Vec::new(),
        list: Vec::new(),
        initial: failure.inputs.initial.clone(),
        chosen: Vec::new(),
        remembered: Vec::new(),
        begins: 0,
    };
    encoder.constants();
    let Some((last, steps)) = trace.steps.split_last() else {
        return Err("the trace is empty".to_owned());
    };
    for (at, step) in steps.iter().enumerate() {
        encoder.step(at, step);
    }
    let Action::Assume { condition } = &last.action else {
        return Err("the trace does not end with the violation".to_owned());
    };
    let (violation, mut along) = encoder.expand(*condition);
    along.push(violation);
    for (at, condition) in std::mem::take(&mut encoder.pending) {
        if encoder.is_required(at, steps.len()) {
            along.push(condition);
        }
    }
    along.extend(encoder.reached(steps.len()));
    let violation = encoder.terms.and(&along);
    let Encoder { terms, list, initial, chosen, remembered, .. } = encoder;
    let mut commands = Commands {
        failure,
        encoding,
        terms,
        list,
        violation,
        states: States::default(),
        chosen,
        remembered,
        control,
    };
    run(&mut commands, &initial)?;
    Ok(commands)
}

/// Decisions inside of more others are too deep: each would be a premise of what is inside.
const DEEPEST: u32 = 1000;
/// A value on its way of more nodes is a command of its own.
const LARGEST_INLINED: usize = 60;

fn is_trusted(failure: &Failure<'_>, step: &Step) -> bool {
    failure.program.site(step.site).trust == Trust::Trusted
}

/// Whether a variable is not one of the source.
fn is_unnamed(failure: &Failure<'_>, variable: Term) -> bool {
    let (_, origin) = failure.trace.origin(variable);
    let declared = failure.program.variables.get(&origin);
    declared.is_none_or(|declared| declared.role != VariableRole::Source)
}

/// Whether a step assigns a value on its way: a temporary, an argument of a library function.
fn is_on_its_way(failure: &Failure<'_>, step: &Step) -> bool {
    match (step.part, step.action.place()) {
        (Part::Temporary | Part::Input, _) => true,
        (Part::Argument(_), Some(place)) => is_unnamed(failure, place.variable),
        _ => false,
    }
}

/// For each variable the steps that assign it; for each definition of a temporary its last use.
fn uses(failure: &Failure<'_>) -> (FxHashMap<Term, Vec<u32>>, FxHashMap<u32, u32>) {
    let trace = &failure.trace;
    let mut definitions: FxHashMap<Term, Vec<u32>> = FxHashMap::default();
    let mut temporary: FxHashMap<Term, u32> = FxHashMap::default();
    let mut last_uses = FxHashMap::default();
    for (at, step) in trace.steps.iter().enumerate() {
        for variable in step.reads(&trace.terms) {
            if let Some(&definition) = temporary.get(&variable) {
                last_uses.insert(definition, at as u32);
            }
        }
        if let Some(place) = step.action.place() {
            definitions.entry(place.variable).or_default().push(at as u32);
            temporary.remove(&place.variable);
            if is_on_its_way(failure, step) || is_trusted(failure, step) {
                temporary.insert(place.variable, at as u32);
            }
        }
    }
    (definitions, last_uses)
}

struct Encoder<'a, 'f> {
    failure: &'f Failure<'f>,
    control: Option<&'a Control<'f>>,
    terms: Terms,
    definitions: FxHashMap<Term, Vec<u32>>,
    last_uses: FxHashMap<u32, u32>,
    /// The state of the run.
    now: FxHashMap<Term, Value>,
    inlined: FxHashMap<Term, Inlined>,
    /// The variables that were read or written so far.
    touched: FxHashSet<Term>,
    /// The decisions so far: their conditions, and their command.
    decisions: FxHashMap<usize, (Vec<Term>, usize)>,
    /// Checks that wait for the command they protect.
    pending: Vec<(usize, Term)>,
    list: Vec<Command>,
    initial: FxHashMap<Term, Value>,
    chosen: Vec<(Term, usize)>,
    remembered: Vec<(Term, usize)>,
    /// The first step of the next command.
    begins: usize,
}

/// A value on its way.
#[derive(Clone)]
struct Inlined {
    term: Term,
    /// What must be true for it to be this term.
    along: Vec<Term>,
}

enum Condition {
    Decision,
    /// An operator is defined, a property holds.
    Check,
    Assumption,
}

impl Encoder<'_, '_> {
    /// Cells that can never change, as those of string literals, are their values. So are the pointers to the arguments of
    /// the program, unless it assigns them.
    fn constants(&mut self) {
        let failure = self.failure;
        let starts = failure.trace.objects.iter().filter(|object| object.origin == Origin::Start);
        let starts: FxHashSet<u64> = starts.map(|object| object.address).collect();
        let mut pointers: Vec<(Term, Value)> = Vec::new();
        for (&variable, value) in &self.initial {
            if let Value::BitVec(bits) = value
                && bits.width() == 64
                && starts.contains(&(bits.unsigned() as u64))
                && !self.definitions.contains_key(&variable)
            {
                pointers.push((variable, value.clone()));
            }
        }
        pointers.sort_unstable_by_key(|(variable, _)| *variable);
        for (variable, value) in pointers {
            let term = self.terms.constant(&value);
            self.inlined.insert(variable, Inlined { term, along: Vec::new() });
        }
        for object in &failure.trace.objects {
            let Origin::Static(id) = object.origin else { continue };
            if failure.program.statics.get(id.index()).is_none_or(|object| object.writable) {
                continue;
            }
            for cell in &object.cells {
                if let Some(value) = self.initial.get(&cell.variable) {
                    let term = self.terms.constant(value);
                    self.inlined.insert(cell.variable, Inlined { term, along: Vec::new() });
                }
            }
        }
    }

    fn step(&mut self, at: usize, step: &Step) {
        let value = self.failure.values.get(at).cloned().flatten();
        match &step.action {
            Action::Assign { place, .. } if step.part == Part::Input => {
                self.choose(at, place, value.clone());
            }
            Action::Assign { place, value: term } => {
                let (element, mut along) = self.expand(*term);
                along.extend(self.address(step));
                if self.can_inline(at, step, element, &along) {
                    self.inlined.insert(place.variable, Inlined { term: element, along });
                } else {
                    self.assign(at, place, element, along);
                }
            }
            Action::Havoc { place } => self.choose(at, place, value.clone()),
            Action::Assume { condition } => self.condition(at, *condition),
        }
        self.execute(step, value);
    }

    /// A value comes from outside: that is an initial value of the run.
    fn choose(&mut self, at: usize, place: &Place, value: Option<Value>) {
        let name = self.terms.name(place.variable).unwrap_or("value").to_owned();
        let sort = place.sort(&self.terms);
        let chosen = self.terms.fresh(&name, &sort);
        self.initial.insert(chosen, value.unwrap_or_else(|| Value::zero(&sort)));
        self.chosen.push((chosen, at));
        let trace = &self.failure.trace;
        let on_its_way = matches!(trace.steps[at].part, Part::Temporary | Part::Input)
            && !trace.cells.contains_key(&place.variable)
            && is_unnamed(self.failure, place.variable);
        if place.indices.is_empty() && on_its_way {
            self.inlined.insert(place.variable, Inlined { term: chosen, along: Vec::new() });
        } else {
            self.assign(at, place, chosen, Vec::new());
        }
    }

    /// Keeps the state of the run.
    fn execute(&mut self, step: &Step, value: Option<Value>) {
        let (Some(place), Some(value)) = (step.action.place(), value) else { return };
        let value = match place.indices.is_empty() {
            true => value,
            false => {
                let element = self.terms.constant(&value);
                let whole =
                    Place::updated(&mut self.terms, place.variable, &place.indices, element);
                self.value(whole)
            }
        };
        self.now.insert(place.variable, value);
    }

    fn value(&self, term: Term) -> Value {
        let zero = |variable| Value::zero(self.terms.sort(variable));
        let lookup = |v: Term| Some(self.now.get(&v).cloned().unwrap_or_else(|| zero(v)));
        term::evaluate(&self.terms, term, &mut { lookup }).unwrap_or_else(|| zero(term))
    }

    /// A term with values on their way replaced, and what must be true for that.
    fn expand(&mut self, term: Term) -> (Term, Vec<Term>) {
        let mut along = Vec::new();
        for variable in self.terms.variables_of(&[term]) {
            if let Some(inlined) = self.inlined.get(&variable) {
                for &condition in &inlined.along {
                    if !along.contains(&condition) {
                        along.push(condition);
                    }
                }
            }
        }
        let inlined = &self.inlined;
        let term = self.terms.substitute(term, &mut |v| inlined.get(&v).map(|i| i.term));
        (term, along)
    }

    /// That the address of an access is that of the run. Then it is in its object, so this is not assumed as well.
    fn address(&mut self, step: &Step) -> Vec<Term> {
        let (Some(access), Some(_)) = (&step.access, self.control) else { return Vec::new() };
        let trace = &self.failure.trace;
        let is_own = |check: usize| trace.steps[check].at == step.at;
        self.pending.retain(|(check, _)| !is_own(*check) || trace.pinned.contains(check));
        let value = self.value(access.address);
        let (address, mut along) = self.expand(access.address);
        let value = self.terms.constant(&value);
        let same = self.terms.eq(address, value);
        if !self.terms.is_true(same) && !along.contains(&same) {
            along.push(same);
        }
        along
    }

    /// Whether a step is none that a reader would want to see: a value on its way, or in trusted code.
    fn is_temporary(&self, step: &Step) -> bool {
        let Some(place) = step.action.place() else { return false };
        if is_trusted(self.failure, step) {
            return place.indices.is_empty() && !self.is_of_the_program(place.variable);
        }
        let cells = &self.failure.trace.cells;
        !cells.contains_key(&place.variable)
            && step.part != Part::Input
            && is_on_its_way(self.failure, step)
    }

    /// Whether a variable is a cell of an object of the program, and not of the library. The locals of the latter have no
    /// type.
    fn is_of_the_program(&self, variable: Term) -> bool {
        let trace = &self.failure.trace;
        let object = trace.cells.get(&variable).and_then(|&at| trace.objects.get(at as usize));
        object.is_some_and(|object| match object.origin {
            Origin::Local(_) => object.ty.is_some(),
            _ => true,
        })
    }

    /// Whether what a temporary is made of stays the same up to its last use.
    fn can_inline(&self, at: usize, step: &Step, term: Term, along: &[Term]) -> bool {
        if !self.is_temporary(step) {
            return false;
        }
        let last = self.last_uses.get(&(at as u32)).copied().unwrap_or(at as u32) as usize;
        let mut roots = along.to_vec();
        roots.push(term);
        if self.terms.reachable(&roots).len() > LARGEST_INLINED {
            return false;
        }
        self.terms.variables_of(&roots).into_iter().all(|v| !self.changes(v, at, last))
    }

    /// Whether a variable is assigned between two steps.
    fn changes(&self, variable: Term, after: usize, before: usize) -> bool {
        let steps = self.definitions.get(&variable).map_or(&[][..], Vec::as_slice);
        let first = steps.partition_point(|&step| step as usize <= after);
        steps.get(first).is_some_and(|&step| (step as usize) < before)
    }

    fn assign(&mut self, at: usize, place: &Place, element: Term, along: Vec<Term>) {
        let variable = place.variable;
        let mut premises = self.premises(at, Some(variable));
        if self.control.is_some() {
            premises.extend(along);
        }
        let new = self.touched.insert(variable);
        if place.indices.is_empty() {
            self.inlined.remove(&variable);
            let from_outside =
                self.chosen.binary_search_by_key(&element, |(chosen, _)| *chosen).is_ok();
            if new && from_outside && premises.is_empty() {
                if let Some(value) = self.initial.get(&element).cloned() {
                    self.initial.insert(variable, value);
                }
                return;
            }
        }
        let mut indices = Vec::new();
        for &index in &place.indices {
            indices.push(self.expand(index).0);
        }
        let value = Place::updated(&mut self.terms, variable, &indices, element);
        self.push(at, premises, Effect::Assign { variable, value });
    }

    fn condition(&mut self, at: usize, condition: Term) {
        if is_trusted(self.failure, &self.failure.trace.steps[at]) {
            return; // nobody asks why trusted code went this way
        }
        let (condition, along) = self.expand(condition);
        match (self.kind(at), self.control) {
            (Condition::Decision, Some(_)) => {
                let mut own = along;
                own.push(condition);
                own.retain(|&c| !self.terms.is_true(c));
                let mut premises = own.clone();
                premises.extend(self.premises(at, None));
                self.flush();
                self.decisions.insert(at, (own, self.list.len()));
                self.push(at, premises, Effect::Decision { remembers: None });
            }
            (Condition::Check, _) => self.pending.push((at, condition)),
            (Condition::Decision | Condition::Assumption, _) => {
                let premises = self.premises(at, None);
                self.push(at, premises, Effect::Assume { condition });
            }
        }
    }

    fn kind(&self, at: usize) -> Condition {
        match self.control {
            Some(control) if control.flow.is_decision(at) => Condition::Decision,
            _ => kind(self.failure, at),
        }
    }

    /// The conditions of the decisions around a step.
    fn premises(&mut self, at: usize, variable: Option<Term>) -> Vec<Term> {
        let Some(control) = self.control else { return Vec::new() };
        let decisions = control.scopes.decisions(&control.flow, at, variable);
        self.conditions_of(&decisions, at)
    }

    /// Why the failing step was reached, with nothing printed that should have been.
    fn reached(&mut self, last: usize) -> Vec<Term> {
        let Some(control) = self.control else { return Vec::new() };
        let mut decisions = control.scopes.decisions(&control.flow, last, None);
        decisions.extend(control.flow.missing_output());
        self.conditions_of(&decisions, last)
    }

    /// The conditions of decisions, as they are known at a step.
    fn conditions_of(&mut self, decisions: &[usize], at: usize) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        for &decision in decisions {
            let Some((conditions, command)) = self.decisions.get(&decision).cloned() else {
                continue;
            };
            let variables = self.terms.variables_of(&conditions);
            let mut conditions = conditions;
            if variables.into_iter().any(|v| self.changes(v, decision, at)) {
                conditions = vec![self.remember(decision, command, &conditions)];
            }
            conditions.retain(|condition| !found.contains(condition));
            found.extend(conditions);
        }
        found
    }

    /// The variable for the outcome of a decision.
    fn remember(&mut self, decision: usize, command: usize, conditions: &[Term]) -> Term {
        if let Effect::Decision { remembers: Some((variable, _)) } = self.list[command].action {
            return variable;
        }
        let variable = self.terms.fresh("decided", &term::Sort::Bool);
        let condition = self.terms.and(conditions);
        self.list[command].action = Effect::Decision { remembers: Some((variable, condition)) };
        self.remembered.push((variable, decision));
        variable
    }

    /// Adds a command, with the checks that protect it.
    fn push(&mut self, at: usize, premises: Vec<Term>, action: Effect) {
        let mut premises = premises;
        for (check, condition) in std::mem::take(&mut self.pending) {
            match self.is_required(check, at) {
                true if premises.contains(&condition) => {}
                true => premises.push(condition),
                false => self.pending.push((check, condition)),
            }
        }
        let mut roots = premises.clone();
        roots.extend(match action {
            Effect::Assign { value, .. } => Some(value),
            Effect::Assume { condition } => Some(condition),
            Effect::Decision { .. } => None,
        });
        let reads = self.terms.variables_of(&roots);
        self.touched.extend(&reads);
        let mut checks = Vec::new();
        for (check, condition) in std::mem::take(&mut self.pending) {
            let mut own = self.terms.variables_of(&[condition]);
            self.touched.extend(&own);
            own.retain(|variable| !reads.contains(variable));
            match own.is_empty() {
                true => checks.push(condition),
                false => self.standalone(check, condition),
            }
        }
        checks.retain(|&check| !self.terms.is_true(check));
        let first = std::mem::replace(&mut self.begins, at + 1);
        self.list.push(Command { first, step: at, premises, checks, action });
    }

    /// Whether a check says that a step does what it did in the run, as far as the trace can tell. What would happen
    /// otherwise is not known, so it must be explained.
    fn is_required(&self, check: usize, at: usize) -> bool {
        let trace = &self.failure.trace;
        self.control.is_some()
            && trace.pinned.contains(&check)
            && trace.steps[check].at == trace.steps[at].at
    }

    /// A check that protects nothing in particular.
    fn standalone(&mut self, at: usize, condition: Term) {
        if self.terms.is_true(condition) {
            return;
        }
        let premises = self.premises(at, None);
        let first = std::mem::replace(&mut self.begins, at + 1);
        let action = Effect::Assume { condition };
        self.list.push(Command { first, step: at, premises, checks: Vec::new(), action });
    }

    fn flush(&mut self) {
        for (at, condition) in std::mem::take(&mut self.pending) {
            let own = self.terms.variables_of(&[condition]);
            self.touched.extend(&own);
            self.standalone(at, condition);
        }
    }
}

/// The states at all positions. The run must follow the commands.
fn run(commands: &mut Commands<'_>, initial: &FxHashMap<Term, Value>) -> Result<(), String> {
    let Commands { terms, list, states, violation, .. } = commands;
    let mut now: FxHashMap<Term, Value> = FxHashMap::default();
    let evaluate = |states: &mut States, now: &mut FxHashMap<Term, Value>, term: Term| {
        let value = term::evaluate(terms, term, &mut |variable| {
            let value = now.entry(variable).or_insert_with(|| {
                let zero = || Value::zero(terms.sort(variable));
                let value = initial.get(&variable).cloned().unwrap_or_else(zero);
                states.set(variable, 0, value.clone());
                value
            });
            Some(value.clone())
        });
        value.unwrap_or_else(|| Value::zero(terms.sort(term)))
    };
    let broken = || "the trace does not say all that the run did".to_owned();
    for (at, command) in list.iter().enumerate() {
        for &condition in command.premises.iter().chain(&command.checks) {
            if !evaluate(states, &mut now, condition).is_true() {
                return Err(broken());
            }
        }
        match command.action {
            Effect::Assign { variable, value } => {
                let value = evaluate(states, &mut now, value);
                states.set(variable, at + 1, value.clone());
                now.insert(variable, value);
            }
            Effect::Assume { condition } => {
                if !evaluate(states, &mut now, condition).is_true() {
                    return Err(broken());
                }
            }
            Effect::Decision { remembers: None } => {}
            Effect::Decision { remembers: Some((variable, condition)) } => {
                let value = evaluate(states, &mut now, condition);
                states.set(variable, at + 1, value.clone());
                now.insert(variable, value);
            }
        }
    }
    match evaluate(states, &mut now, *violation).is_true() {
        true => Ok(()),
        false => Err(broken()),
    }
}

/// What a condition is, as far as the program says.
fn kind(failure: &Failure<'_>, at: usize) -> Condition {
    let (program, trace) = (failure.program, &failure.trace);
    let Some(&edge) = trace.path.get(trace.steps[at].at as usize) else {
        return Condition::Check;
    };
    match program.edge(edge).statement {
        Statement::Assume { .. } if is_branch(program, edge) => Condition::Decision,
        Statement::Assume { .. } if !may_fail(program, edge) => Condition::Assumption,
        _ => Condition::Check,
    }
}

/// Whether a condition says that an operator is defined or a property holds.
pub(super) fn is_check(failure: &Failure<'_>, at: usize) -> bool {
    matches!(kind(failure, at), Condition::Check)
}

/// Whether the edge is one of several ways, not counting those to the error location.
fn is_branch(program: &Program, edge: EdgeId) -> bool {
    let from = program.edge(edge).from;
    program.out_edges(from).filter(|(_, edge)| edge.to != Program::ERROR).count() > 1
}

/// Whether the other way leads to the error location.
fn may_fail(program: &Program, edge: EdgeId) -> bool {
    let from = program.edge(edge).from;
    program.out_edges(from).any(|(_, edge)| edge.to == Program::ERROR)
}
