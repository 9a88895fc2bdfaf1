//! Search for failing paths: depth-first symbolic execution.
//!
//! The state is symbolic: variables are terms over initial values and havocs. Where everything is
//! known the search just runs, without choices, without the solver and without a bound on loops. Where
//! a branch depends on unknown values (or is a free choice) there is a *choice point*: the alternatives
//! are tried in order, errors first, then those that leave a loop. How often a loop may begin anew, counting only when there was a
//! choice or a havoc since it last did, is the unrolling bound. The bound is deepened in rounds, so that short
//! failures are found first. A round ends after a certain number of moves, so that one with very many
//! paths does not keep the others from their turn, and is repeated for longer if need be. One round
//! goes much deeper, but only where no choice is about leaving the loop: a loop that runs a hundred times for sure
//! and has a branch on unknown values inside is followed to its end.
//!
//! The search carries a model of the path so far. An alternative that the model satisfies is possible
//! without asking. For the others, when they are tried, the solver is asked about the new condition and
//! those it has to do with, over generic symbols, so that the same question in another round of a
//! loop has its answer already.

use program::graph::Graph;
use program::graph::components::components;
use program::{EdgeId, LocationId, Place, ProcedureId, Program, Scope, Statement, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::{Answer, Model, Solver};
use term::{Term, Terms, Value};

#[derive(Clone, Copy, Debug)]
pub struct SearchLimits {
    /// How many different failing paths to find.
    pub traces: usize,
    /// How often an undecided loop is unrolled at most.
    pub unrollings: u32,
    /// How many edges a path may have.
    pub steps: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        SearchLimits { traces: 1, unrollings: 20, steps: 1_000_000 }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Failing paths, all different, with the entry each begins at.
    pub paths: Vec<(ProcedureId, Vec<EdgeId>)>,
    /// Why there may be more.
    pub incomplete: Vec<Incomplete>,
    /// The deepest unrolling bound that was searched.
    pub unrollings: u32,
}

/// Why a search is not exhaustive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Incomplete {
    /// A loop or recursion was cut at the unrolling bound.
    Unrollings,
    /// There were more paths than could be walked.
    Moves,
    /// A path was cut at the step limit.
    Steps,
    /// The solver could not decide a branch.
    Solver,
    /// The search was stopped.
    Stopped,
    /// As many failures as wanted were found.
    Enough,
}

/// Searches failing paths from all entries of the program, deepening the unrolling bound.
pub fn search(
    program: &Program,
    solver: &mut dyn Solver,
    limits: SearchLimits,
    stop: &Stop,
) -> Found {
    let mut found = Found::default();
    let mut seen: FxHashSet<Vec<EdgeId>> = FxHashSet::default();
    let loops = loops(program);
    let mut rounds = rounds(limits.unrollings);
    while !rounds.is_empty() {
        let mut unfinished = Vec::new();
        for round in rounds {
            let mut reasons: Vec<Incomplete> = Vec::new();
            for &entry in &program.entries {
                let mut dfs = Dfs::new(program, &loops, solver, round, limits.steps, stop);
                dfs.enter(entry);
                while found.paths.len() < limits.traces
                    && let Some(path) = dfs.next_failure()
                {
                    if seen.insert(path.clone()) {
                        found.paths.push((entry, path));
                    }
                }
                reasons.append(&mut dfs.incomplete);
            }
            if found.paths.len() >= limits.traces {
                reasons.push(Incomplete::Enough);
            }
            reasons.sort();
            reasons.dedup();
            if reasons.contains(&Incomplete::Moves) {
                unfinished.push(round.longer());
            }
            let done = reasons.contains(&Incomplete::Enough)
                || reasons.contains(&Incomplete::Stopped)
                || !reasons.iter().any(|r| matches!(r, Incomplete::Unrollings | Incomplete::Moves));
            found.unrollings = found.unrollings.max(round.unrollings);
            found.incomplete = reasons;
            if done {
                return found;
            }
        }
        rounds = unfinished;
    }
    found
}

/// The bounds of one walk through the paths.
#[derive(Clone, Copy, Debug)]
struct Round {
    /// How often a choice to leave a loop may come again.
    unrollings: u32,
    /// How often a loop may begin anew.
    repetitions: u32,
    /// How many edges may be taken, and how many questions asked.
    moves: u64,
    questions: u64,
}

impl Round {
    /// The same once more, for ten times as long.
    fn longer(self) -> Round {
        Round {
            moves: self.moves.saturating_mul(10),
            questions: self.questions.saturating_mul(10),
            ..self
        }
    }
}

/// Unrollings 1, 2, 4, …, then deeper along loops that end by themselves, then the limit.
fn rounds(limit: u32) -> Vec<Round> {
    let round =
        |unrollings| Round { unrollings, repetitions: unrollings, moves: 100_000, questions: 300 };
    let powers = std::iter::successors(Some(1u32), |b| b.checked_mul(2));
    let mut rounds: Vec<Round> = powers.take_while(|b| *b < limit).map(round).collect();
    rounds.push(Round { repetitions: limit.saturating_mul(100), ..round(limit) });
    rounds.push(round(limit));
    rounds
}

/// The loops of a program.
struct Loops {
    /// For each location, the number of its strongly connected component.
    component: Vec<u32>,
    /// Whether a location is where a loop begins anew: every cycle has one.
    head: Vec<bool>,
}

fn loops(program: &Program) -> Loops {
    let edges: Vec<(u32, u32)> = program.edges.iter().map(|e| (e.from.0, e.to.0)).collect();
    let component = components(&Graph::new(program.locations.len(), &edges));
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut head = vec![false; program.locations.len()];
    let mut marks = vec![Mark::New; program.locations.len()];
    for procedure in &program.procedures {
        let mut stack = vec![(procedure.entry, 0)];
        marks[procedure.entry.index()] = Mark::Open;
        while let Some((location, next)) = stack.last_mut() {
            let Some(&edge) = program.location(*location).edges.get(*next) else {
                marks[location.index()] = Mark::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            let to = program.edge(edge).to;
            match marks[to.index()] {
                Mark::New => {
                    marks[to.index()] = Mark::Open;
                    stack.push((to, 0));
                }
                Mark::Open => head[to.index()] = true,
                Mark::Done => {}
            }
        }
    }
    Loops { component, head }
}

struct Dfs<'a> {
    program: &'a Program,
    terms: Terms,
    loops: &'a Loops,
    solver: &'a mut dyn Solver,
    stop: &'a Stop,
    round: Round,
    steps: usize,
    location: LocationId,
    path: Vec<EdgeId>,
    moves: u64,
    questions: u64,
    values: FxHashMap<(u32, Term), Term>,
    frames: Vec<Activation>,
    activations: u32,
    trail: Vec<Undo>,
    choices: Vec<Choice>,
    /// How often a location was a choice point in an activation, on the current path.
    visits: FxHashMap<(u32, LocationId), u32>,
    rounds: FxHashMap<(u32, LocationId), Rounds>,
    /// How many choices and havocs there are on the path.
    open: u64,
    /// The conditions of the path, with their symbols.
    conditions: Vec<(Term, Vec<Term>)>,
    /// Answers of the solver, by questions over generic symbols.
    answers: FxHashMap<Vec<Term>, Option<Vec<Value>>>,
    /// Satisfies the conditions.
    model: Model,
    incomplete: Vec<Incomplete>,
}

#[derive(Clone, Copy)]
struct Activation {
    number: u32,
    procedure: ProcedureId,
    caller: Option<EdgeId>,
}

/// What to do to get back to an earlier state.
enum Undo {
    Value((u32, Term), Option<Term>),
    Pushed,
    Popped(Activation),
    Rounds((u32, LocationId), Option<Rounds>),
}

/// How often a loop began anew after something open, and how much there was by then.
#[derive(Clone, Copy)]
struct Rounds {
    count: u32,
    open: u64,
}

struct Choice {
    location: LocationId,
    path: usize,
    trail: usize,
    conditions: usize,
    activations: u32,
    open: u64,
    visit: (u32, LocationId),
    model: Model,
    /// Alternatives that are still to be tried, last first.
    alternatives: Vec<(EdgeId, Option<Term>)>,
}

enum Move {
    Failed,
    Dead,
    Went,
}

impl<'a> Dfs<'a> {
    fn new(
        program: &'a Program,
        loops: &'a Loops,
        solver: &'a mut dyn Solver,
        round: Round,
        steps: usize,
        stop: &'a Stop,
    ) -> Dfs<'a> {
        Dfs {
            program,
            terms: program.terms.clone(),
            loops,
            solver,
            stop,
            round,
            steps,
            location: Program::ERROR,
            path: Vec::new(),
            moves: 0,
            questions: 0,
            values: FxHashMap::default(),
            frames: Vec::new(),
            activations: 0,
            trail: Vec::new(),
            choices: Vec::new(),
            visits: FxHashMap::default(),
            rounds: FxHashMap::default(),
            open: 0,
            conditions: Vec::new(),
            answers: FxHashMap::default(),
            model: Model::default(),
            incomplete: Vec::new(),
        }
    }

    fn enter(&mut self, entry: ProcedureId) {
        self.location = self.program.procedure(entry).entry;
        self.activate(entry, None);
    }

    /// Runs on until the next violated property; the state is then that of the failure.
    fn next_failure(&mut self) -> Option<Vec<EdgeId>> {
        let mut last = if self.location == Program::ERROR { Move::Dead } else { Move::Went };
        loop {
            self.moves += 1;
            if self.stop.requested() {
                self.incomplete.push(Incomplete::Stopped);
                return None;
            }
            if self.moves > self.round.moves || self.questions > self.round.questions {
                self.incomplete.push(Incomplete::Moves);
                return None;
            }
            last = match last {
                Move::Failed => return Some(self.path.clone()),
                Move::Went => self.advance(),
                Move::Dead if self.choices.is_empty() => return None,
                Move::Dead => self.backtrack(),
            };
        }
    }

    /// Takes one edge, making a choice point if there is a choice.
    fn advance(&mut self) -> Move {
        if self.path.len() >= self.steps {
            self.incomplete.push(Incomplete::Steps);
            return Move::Dead;
        }
        let mut alternatives = Vec::new();
        for (id, edge) in self.program.out_edges(self.location) {
            let condition = match edge.statement {
                Statement::Assume { condition } => Some(self.value(condition)),
                _ => None,
            };
            match condition {
                Some(c) if self.terms.is_false(c) => {}
                Some(c) if self.terms.is_true(c) => alternatives.push((id, None)),
                condition => alternatives.push((id, condition)),
            }
        }
        // Errors first, then what leaves a loop, otherwise in the order of the program.
        let here = self.loops.component[self.location.index()];
        alternatives.sort_by_key(|(id, _)| {
            let to = self.program.edge(*id).to;
            (to != Program::ERROR, self.loops.component[to.index()] == here)
        });
        alternatives.reverse();
        match alternatives[..] {
            [] => Move::Dead,
            [(edge, None)] => self.take(edge),
            [(edge, Some(condition))] => {
                if self.assume(condition) {
                    self.take(edge)
                } else {
                    Move::Dead
                }
            }
            _ => self.choose(alternatives),
        }
    }

    fn choose(&mut self, alternatives: Vec<(EdgeId, Option<Term>)>) -> Move {
        let visit = (self.frames.last().map_or(0, |f| f.number), self.location);
        let count = self.visits.entry(visit).or_insert(0);
        let procedure = self.frames.last().map(|f| f.procedure);
        let recursion = self.frames.iter().filter(|f| Some(f.procedure) == procedure).count();
        let here = self.loops.component[self.location.index()];
        let leaves = alternatives.iter().any(|(edge, _)| {
            let to = self.program.edge(*edge).to;
            to != Program::ERROR && self.loops.component[to.index()] != here
        });
        let bound = self.round.unrollings;
        if leaves && *count > bound || recursion > bound as usize + 1 {
            self.incomplete.push(Incomplete::Unrollings);
            return Move::Dead;
        }
        *count += 1;
        self.choices.push(Choice {
            location: self.location,
            path: self.path.len(),
            trail: self.trail.len(),
            conditions: self.conditions.len(),
            activations: self.activations,
            open: self.open,
            visit,
            model: self.model.clone(),
            alternatives,
        });
        self.open += 1;
        self.try_alternative()
    }

    /// Tries alternatives of the topmost choice until one is possible.
    fn try_alternative(&mut self) -> Move {
        while let Some((edge, condition)) =
            self.choices.last_mut().and_then(|choice| choice.alternatives.pop())
        {
            if condition.is_none_or(|c| self.assume(c)) {
                return self.take(edge);
            }
        }
        if let Some(choice) = self.choices.pop() {
            self.visits.entry(choice.visit).and_modify(|count| *count -= 1);
        }
        Move::Dead
    }

    /// Goes back to the last choice point and tries what is left there.
    fn backtrack(&mut self) -> Move {
        let Some(choice) = self.choices.last() else { return Move::Dead };
        self.location = choice.location;
        self.path.truncate(choice.path);
        self.activations = choice.activations;
        self.open = choice.open + 1;
        self.model = choice.model.clone();
        let (trail, conditions) = (choice.trail, choice.conditions);
        self.conditions.truncate(conditions);
        while self.trail.len() > trail {
            self.undo();
        }
        self.try_alternative()
    }

    fn undo(&mut self) {
        match self.trail.pop() {
            Some(Undo::Value(key, Some(old))) => {
                self.values.insert(key, old);
            }
            Some(Undo::Value(key, None)) => {
                self.values.remove(&key);
            }
            Some(Undo::Pushed) => {
                self.frames.pop();
            }
            Some(Undo::Popped(frame)) => self.frames.push(frame),
            Some(Undo::Rounds(key, Some(old))) => {
                self.rounds.insert(key, old);
            }
            Some(Undo::Rounds(key, None)) => {
                self.rounds.remove(&key);
            }
            None => {}
        }
    }

    /// Adds a condition to the path if it is possible, keeping the model up to date.
    fn assume(&mut self, condition: Term) -> bool {
        let symbols = self.terms.variables_of(&[condition]);
        if !self.model.evaluate(&self.terms, condition).is_true() {
            let Some(values) = self.solve(condition, &symbols) else { return false };
            for (symbol, value) in values {
                self.model.set(symbol, value);
            }
        }
        self.conditions.push((condition, symbols));
        true
    }

    /// Values that satisfy a condition and all conditions of the path it has to do with. Other
    /// conditions share no symbol with these, so the model of the path can be changed accordingly.
    fn solve(&mut self, condition: Term, symbols: &[Term]) -> Option<Vec<(Term, Value)>> {
        let mut reached: FxHashSet<Term> = symbols.iter().copied().collect();
        let mut involved = vec![condition];
        let mut rest: Vec<&(Term, Vec<Term>)> = self.conditions.iter().collect();
        loop {
            let (more, others): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|(_, symbols)| symbols.iter().any(|s| reached.contains(s)));
            if more.is_empty() {
                break;
            }
            for (condition, symbols) in more {
                involved.push(*condition);
                reached.extend(symbols);
            }
            rest = others;
        }
        // The same question comes again with other symbols, once for each round of a loop.
        let mut symbols: Vec<Term> = reached.into_iter().collect();
        symbols.sort_unstable();
        let mut names: FxHashMap<Term, Term> = FxHashMap::default();
        for (number, &symbol) in symbols.iter().enumerate() {
            let sort = self.terms.sort(symbol).clone();
            names.insert(symbol, self.terms.var(&format!("symbol@{number}"), &sort));
        }
        let mut question: Vec<Term> = involved
            .into_iter()
            .map(|c| self.terms.substitute(c, &mut |v| names.get(&v).copied()))
            .collect();
        question.sort_unstable();
        let generic: Vec<Term> = symbols.iter().map(|s| names[s]).collect();
        if !self.answers.contains_key(&question) {
            let answer = self.ask(&question, &generic);
            self.answers.insert(question.clone(), answer);
        }
        let values = self.answers[&question].as_ref()?;
        Some(symbols.into_iter().zip(values.iter().cloned()).collect())
    }

    /// Values for the symbols that satisfy the conditions.
    fn ask(&mut self, conditions: &[Term], symbols: &[Term]) -> Option<Vec<Value>> {
        self.questions += 1;
        self.solver.push();
        for &condition in conditions {
            self.solver.assert(&self.terms, condition);
        }
        let answer = self.solver.check(&self.terms, &[]);
        let model = match answer {
            Answer::Sat => self.solver.model(&self.terms, symbols),
            _ => None,
        };
        self.solver.pop();
        if model.is_none() && answer != Answer::Unsat {
            self.incomplete.push(Incomplete::Solver);
        }
        let model = model?;
        Some(symbols.iter().map(|&s| model.value(&self.terms, s)).collect())
    }

    fn take(&mut self, id: EdgeId) -> Move {
        let program = self.program;
        let edge = program.edge(id);
        self.path.push(id);
        self.location = edge.to;
        let here = self.frames.last().map_or(0, |f| f.number);
        match &edge.statement {
            Statement::Assume { .. } => {}
            Statement::Assign { place, value } => {
                let element = self.value(*value);
                self.write(here, place, element);
            }
            Statement::Havoc { place } => {
                self.open += 1;
                let sort = place.sort(&self.terms);
                // One symbol per position: paths that share it are never active together.
                let symbol = self.terms.var(&format!("havoc@{}", self.path.len()), &sort);
                self.write(here, place, symbol);
            }
            Statement::Call { callee, arguments, .. } => {
                let arguments: Vec<Term> = arguments.iter().map(|&a| self.value(a)).collect();
                self.location = program.procedure(*callee).entry;
                let number = self.activate(*callee, Some(id));
                for (&parameter, argument) in
                    program.procedure(*callee).parameters.iter().zip(arguments)
                {
                    self.set(number, parameter, argument);
                }
            }
            // Programs with memory are run, not searched.
            Statement::CallPointer { .. } | Statement::External { .. } | Statement::Memory(_) => {
                return Move::Dead;
            }
            Statement::Return => {
                let Some(frame) = self.frames.last().copied() else { return Move::Dead };
                let Some(call) = frame.caller else { return Move::Dead };
                let results = program.procedure(frame.procedure).results.clone();
                let returned: Vec<Term> = results.iter().map(|&r| self.value(r)).collect();
                self.frames.pop();
                self.trail.push(Undo::Popped(frame));
                let call = program.edge(call);
                self.location = call.to;
                let caller = self.frames.last().map_or(0, |f| f.number);
                if let Statement::Call { results, .. } = &call.statement {
                    for (&variable, value) in results.iter().zip(returned) {
                        self.set(caller, variable, value);
                    }
                }
            }
        }
        if self.location == Program::ERROR {
            return Move::Failed;
        }
        let again = self.loops.head[self.location.index()];
        if again && !self.begin_round() { Move::Dead } else { Move::Went }
    }

    /// Counts that a loop begins anew, if anything was open since it last did; false if that is once
    /// too often.
    fn begin_round(&mut self) -> bool {
        let key = (self.frames.last().map_or(0, |f| f.number), self.location);
        let open = self.open;
        let old = self.rounds.get(&key).copied();
        let count = match old {
            None => 0,
            Some(rounds) if rounds.open == open => rounds.count,
            Some(rounds) => rounds.count + 1,
        };
        if count > self.round.repetitions {
            self.incomplete.push(Incomplete::Unrollings);
            return false;
        }
        self.rounds.insert(key, Rounds { count, open });
        self.trail.push(Undo::Rounds(key, old));
        true
    }

    fn activate(&mut self, procedure: ProcedureId, caller: Option<EdgeId>) -> u32 {
        let number = self.activations;
        self.activations += 1;
        self.frames.push(Activation { number, procedure, caller });
        self.trail.push(Undo::Pushed);
        number
    }

    fn write(&mut self, activation: u32, place: &Place, element: Term) {
        let indices: Vec<Term> = place.indices.iter().map(|&i| self.value(i)).collect();
        let old = self.value(place.variable);
        let whole = Place::updated(&mut self.terms, old, &indices, element);
        self.set(activation, place.variable, whole);
    }

    fn key(&self, activation: u32, variable: Term) -> (u32, Term) {
        match self.program.variables.get(&variable).map(|v| v.scope) {
            Some(Scope::Local(_)) => (activation, variable),
            _ => (u32::MAX, variable),
        }
    }

    fn set(&mut self, activation: u32, variable: Term, value: Term) {
        let key = self.key(activation, variable);
        let old = self.values.insert(key, value);
        self.trail.push(Undo::Value(key, old));
    }

    /// A term in the innermost activation. A variable that has no value yet gets a symbol.
    fn value(&mut self, term: Term) -> Term {
        if self.terms.value(term).is_some() {
            return term;
        }
        let here = self.frames.last().map_or(0, |f| f.number);
        let variables = self.program.terms.variables_of(&[term]);
        let mut known: FxHashMap<Term, Term> = FxHashMap::default();
        for variable in variables {
            let key = self.key(here, variable);
            let value = match self.values.get(&key) {
                Some(&value) => value,
                None => {
                    let sort = self.terms.sort(variable).clone();
                    let symbol = self.terms.fresh("initial", &sort);
                    self.values.insert(key, symbol);
                    symbol
                }
            };
            known.insert(variable, value);
        }
        self.terms.substitute(term, &mut |v| known.get(&v).copied())
    }
}
