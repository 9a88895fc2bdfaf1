//! All that a program can do if some statements are free, for the judge.
//!
//! Plainly: a run is made, all of its trace is executed with a symbol for each free value, and for each condition with symbols,
//! in order, the solver is asked for values with which the ones before hold and this one does not. With these, there is another run.
//! A run is looked at from the condition on that made it another one. So the runs are a tree, and when no leaf of it is left, they are all
//! that the program can do.

use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::time::Duration;

use failure::run::Unfolded;
use failure::{
    Action, Courses, Direction, Ended, Failure, Force, Forced, Part, Step, Trace, cells, symbolic,
};
use program::{EdgeId, Program, SiteId, Statement};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use solver::{Answer, Solver};
use term::{Term, Terms, Value};

use super::view::View;
use crate::boxes::{self, Decided, Effort};
use crate::context::Context;
use crate::corrections::{other_pointers, whole};
use crate::costs;
use crate::unary::{Falsify, falsify_within};

/// So many runs are made for one set of statements.
const MOST_RUNS: u64 = 1_000;
/// No question is worth more.
const LONGEST_QUERY: Duration = Duration::from_millis(500);
/// So many operations are worth trying values.
const TRIES: usize = 30_000;
/// A solver that has been asked many questions becomes slow.
const QUESTIONS: u64 = 24;
/// What a query costs, and each formula in it, in steps.
const QUERY: u64 = 2_000;
const FORMULA: u64 = 40;
/// When an arena has so many terms, everything is forgotten.
const MOST_TERMS: usize = 1_000_000;

const UNTOLD: &str = "what the library does is not known";
const UNSET: &str = "what depends on values that were never set is not known";

/// What a program can do if some statements are free.
#[derive(Clone, Debug)]
pub(super) enum Explored {
    /// It can pass.
    Passes,
    /// It always fails. The statements that can be changed in these runs.
    Fails(Vec<SiteId>),
    Open(&'static str),
}

/// One failing test.
pub(super) struct Explorer<'a> {
    failure: &'a Failure<'a>,
    context: Context<'a>,
    terms: Terms,
    solver: Option<Box<dyn Solver>>,
    asked: u64,
    /// The runs that were made, by what was forced, and what they have in common.
    runs: FxHashMap<Vec<Forced>, Made>,
    courses: Courses,
    answers: FxHashMap<Vec<Term>, Solved>,
    /// Whether a question about this set stayed open. Then it can only be found out that the program can pass.
    is_open: bool,
    /// How many instructions a run may have.
    longest: u64,
    /// The same for runs that are looked at.
    most: u64,
    /// What a pointer can be changed to.
    pointers: Vec<Value>,
    /// How much has been done: steps that were executed.
    pub effort: u64,
}

/// A run that was made.
#[derive(Clone)]
pub(super) struct Made {
    pub end: Ended,
    /// What it did, with the values of the first run that did the same.
    pub unfolded: Option<Rc<Unfolded>>,
    pub values: Rc<Vec<Option<Value>>>,
}

/// A run that is to be made.
struct Next {
    forced: Vec<Forced>,
    /// It is the same as another up to this point.
    from: usize,
    /// What it has in common with the other.
    same: u64,
    /// What has been at that point.
    not: Vec<Term>,
    /// If the trace of the other did not tell what happens here: where that was, in the path.
    untold: Option<usize>,
}

/// Where a run could have gone another way.
struct Point {
    step: usize,
    /// The index in the path.
    at: usize,
    kind: Kind,
}

#[derive(Hash)]
enum Kind {
    Condition(Term, Otherwise),
    /// A decision that is free: the edge that was taken. And which could be.
    Decision(EdgeId, Vec<EdgeId>),
    /// A pointer that is free: its number, what it was, what it could be.
    Pointer(u32, Value, Vec<Value>),
    Print,
}

/// What happens if a condition does not hold.
#[derive(Clone, Copy, Hash, PartialEq, Eq)]
enum Otherwise {
    /// A run shows it.
    Other,
    /// A check fails, or the output is wrong.
    Fails,
    /// The trace does not say.
    Untold,
}

/// A value that is free.
struct Free {
    step: usize,
    at: usize,
    number: u32,
    symbol: Term,
    value: Value,
}

#[derive(Clone)]
enum Solved {
    Values(FxHashMap<Term, Value>),
    Impossible,
    Unknown,
}

impl<'a> Explorer<'a> {
    pub fn new(failure: &'a Failure<'a>, context: Context<'a>) -> Explorer<'a> {
        let mut explorer = Explorer {
            failure,
            context,
            terms: failure.program.terms.clone(),
            solver: None,
            asked: 0,
            runs: FxHashMap::default(),
            courses: Courses::default(),
            answers: FxHashMap::default(),
            is_open: false,
            longest: u64::MAX,
            most: u64::MAX,
            pointers: Vec::new(),
            effort: 0,
        };
        let end = explorer.run(&[]).end;
        let whole = whole(failure, explorer.effort);
        explorer.longest = context.settings.corrections.longest(whole, end);
        explorer.look_at(explorer.longest);
        if let Made { end, unfolded: Some(unfolded), values } = explorer.run(&[]) {
            let (program, unfolded) = (failure.program, &*unfolded);
            explorer.pointers = View { program, unfolded, values: &values, end }.pointers();
        }
        explorer
    }

    /// Runs with more instructions are not looked at.
    pub fn look_at(&mut self, length: u64) {
        self.most = self.longest.min(length);
        self.runs.clear();
    }

    /// How a run ends, and what it did, if it takes no more instructions than runs may have.
    fn run(&mut self, forced: &[Forced]) -> Made {
        if let Some(made) = self.runs.get(forced) {
            return made.clone();
        }
        let made = self.run_for(forced, self.most);
        self.runs.insert(forced.to_vec(), made.clone());
        made
    }

    /// The same, however long it takes, within reason.
    pub fn run_through(&mut self, forced: &[Forced]) -> Made {
        self.run_for(forced, self.longest.saturating_mul(2))
    }

    fn run_for(&mut self, forced: &[Forced], most: u64) -> Made {
        let terms = self.terms.len();
        let run = self.failure.rerun(forced, most, &mut self.terms, &mut self.courses);
        self.effort += run.effort;
        self.context.stop.spend(run.effort as usize, costs::EDGE);
        self.context.stop.spend(self.terms.len() - terms, costs::TERM);
        let mut values = run.unfolded.as_ref().map_or(Vec::new(), |own| own.values.clone());
        for (step, value) in run.changed {
            values[step as usize] = Some(value);
        }
        Made { end: run.end, unfolded: run.unfolded, values: Rc::new(values) }
    }

    /// Forgets everything: the arena would grow and grow.
    fn forget(&mut self) {
        self.terms = self.failure.program.terms.clone();
        self.courses = Courses::default();
        self.solver = None;
        self.runs.clear();
        self.answers.clear();
    }

    /// What can happen if these statements are free. If there is more to do than `enough` steps, it is open.
    pub fn explore(&mut self, sites: &[SiteId], enough: u64) -> Explored {
        if self.terms.len() > MOST_TERMS {
            self.forget();
        }
        let first = Next { forced: Vec::new(), from: 0, same: 0, not: Vec::new(), untold: None };
        let mut next = vec![first];
        let mut seen: FxHashSet<SiteId> = FxHashSet::default();
        let (mut open, mut runs) = (None, 0);
        self.is_open = false;
        while let Some(way) = next.pop() {
            if self.context.stop.requested() {
                return Explored::Open("the time is over");
            }
            runs += 1;
            if runs > MOST_RUNS || self.effort > enough {
                return Explored::Open("there is too much to try");
            }
            let Made { end, unfolded, values } = self.run(&way.forced);
            if end == Ended::Passed {
                return Explored::Passes;
            }
            let Some(unfolded) = unfolded else {
                open = Some("a run is too long");
                continue;
            };
            let program = self.failure.program;
            let view = View { program, unfolded: &unfolded, values: &values, end };
            seen.extend(view.changeable());
            if let Some(more) = view.unset(sites) {
                // What is free is what it is, but has been set.
                let forced = with(&way.forced, more);
                next.push(Next { forced, ..way });
                continue;
            }
            let terms = self.terms.len();
            if let Err(why) = self.others(&view, sites, &way, &mut next) {
                open = Some(why);
            }
            self.context.stop.spend(self.terms.len() - terms, costs::TERM);
        }
        match open {
            Some(why) => Explored::Open(why),
            None => {
                let mut seen: Vec<SiteId> = seen.into_iter().collect();
                seen.sort_unstable();
                Explored::Fails(seen)
            }
        }
    }

    /// Adds the runs that branch off a run.
    fn others(
        &mut self,
        view: &View<'_>,
        sites: &[SiteId],
        way: &Next,
        next: &mut Vec<Next>,
    ) -> Result<(), &'static str> {
        let (points, free, mut result) = self.points(view, sites, &way.forced);
        let mut hasher = FxHasher::default();
        let mut before: Vec<Term> = Vec::new();
        for (number, point) in points.iter().enumerate() {
            let same = hasher.finish();
            if number == way.from && same != way.same {
                return Err("a run cannot be repeated");
            }
            if number == way.from && way.untold.is_some_and(|at| at != point.at) {
                result = Err(UNTOLD);
            }
            let is_new = number >= way.from;
            let forced = |values: &FxHashMap<Term, Value>, last: Option<Force>| {
                let upto = points[..number].iter();
                in_order(&way.forced, upto, &free, point, values, last)
            };
            let none = FxHashMap::default();
            match &point.kind {
                Kind::Condition(condition, otherwise) => {
                    let mut not = vec![*condition];
                    if number == way.from {
                        not.extend(&way.not);
                    }
                    if is_new && (*otherwise != Otherwise::Fails || not.len() > 1) {
                        match self.solve(&before, &not) {
                            Solved::Impossible => {}
                            Solved::Unknown => result = Err("the solver gave up"),
                            Solved::Values(values) => {
                                let known = |symbol| free.iter().any(|free| free.symbol == symbol);
                                if !values.keys().all(|&symbol| known(symbol)) {
                                    result = Err(UNTOLD);
                                }
                                let forced = forced(&values, None);
                                let untold = match otherwise {
                                    Otherwise::Untold => Some(point.at),
                                    _ => way.untold.filter(|_| number == way.from),
                                };
                                next.push(Next { forced, from: number, same, not, untold });
                            }
                        }
                    }
                    before.push(*condition);
                    (point.at, condition).hash(&mut hasher);
                }
                Kind::Decision(taken, others) => {
                    for &other in others.iter().filter(|_| is_new) {
                        let mut hasher = hasher.clone();
                        (point.at, other).hash(&mut hasher);
                        let forced = forced(&none, Some(Force::Edge(other)));
                        let (from, same) = (number + 1, hasher.finish());
                        next.push(Next { forced, from, same, not: Vec::new(), untold: None });
                    }
                    (point.at, taken).hash(&mut hasher);
                }
                Kind::Pointer(value_number, value, others) => {
                    for other in others.iter().filter(|_| is_new) {
                        let mut hasher = hasher.clone();
                        (point.at, other).hash(&mut hasher);
                        let what = Force::Value { number: *value_number, value: other.clone() };
                        let forced = forced(&none, Some(what));
                        let (from, same) = (number + 1, hasher.finish());
                        next.push(Next { forced, from, same, not: Vec::new(), untold: None });
                    }
                    (point.at, value).hash(&mut hasher);
                }
                Kind::Print => {
                    let forced = forced(&none, Some(Force::Output));
                    next.push(Next { forced, from: number, same, not: Vec::new(), untold: None });
                    // Anything includes what it did print.
                    return result;
                }
            }
        }
        if way.from > points.len() || way.from == points.len() && way.same != hasher.finish() {
            return Err("a run cannot be repeated");
        }
        // It says nothing about what the other did not tell.
        if way.from == points.len() && way.untold.is_some() {
            return Err(UNTOLD);
        }
        result
    }

    /// All points of a run, in order, and its free values; and whether that is all.
    fn points(
        &mut self,
        view: &View<'_>,
        sites: &[SiteId],
        forced: &[Forced],
    ) -> (Vec<Point>, Vec<Free>, Result<(), &'static str>) {
        let (program, unfolded) = (view.program, view.unfolded);
        let (mut points, mut free) = (Vec::new(), Vec::new());
        // Where the world computes something.
        let mut others: Vec<usize> = Vec::new();
        let mut decided: FxHashSet<usize> = FxHashSet::default();
        let mut trace = unfolded.trace.clone();
        for (step, own) in trace.steps.iter_mut().enumerate() {
            let at = own.at as usize;
            let is_free = sites.contains(&own.site) && view.can_change(step);
            let value = view.values[step].as_ref();
            match (&own.action, unfolded.numbers[step], value) {
                (Action::Assume { .. }, ..) if is_free => {
                    if let Some((taken, mut others)) = view.edges(step) {
                        decided.insert(step);
                        // It could not decide.
                        let is_last = step + 1 == unfolded.trace.steps.len();
                        others.extend(Some(taken).filter(|_| is_last && view.end.is_unset()));
                        points.push(Point { step, at, kind: Kind::Decision(taken, others) });
                    }
                }
                (
                    Action::Assign { place, .. } | Action::Havoc { place },
                    Some(number),
                    Some(value),
                ) if is_free && !view.is_pointer(step) => {
                    let place = place.clone();
                    let sort = place.sort(&self.terms);
                    let symbol = self.terms.var(&format!("free!{number}"), &sort);
                    free.push(Free { step, at, number, symbol, value: value.clone() });
                    own.action = Action::Assign { place, value: symbol };
                    own.access.take_if(|access| access.direction == Direction::Read);
                }
                (
                    Action::Assign { place, .. } | Action::Havoc { place },
                    Some(number),
                    Some(value),
                ) if is_free => {
                    let others = other_pointers(program, &self.pointers, value);
                    let kind = Kind::Pointer(number, value.clone(), others);
                    points.push(Point { step, at, kind });
                    let (place, value) = (place.clone(), self.terms.constant(value));
                    own.action = Action::Assign { place, value };
                    own.access.take_if(|access| access.direction == Direction::Read);
                }
                (Action::Havoc { place }, _, Some(value)) => {
                    let place = place.clone();
                    let value = match own.part {
                        // What the world would compute from other arguments.
                        Part::Temporary => {
                            others.push(step);
                            let sort = place.sort(&self.terms);
                            self.terms.var(&format!("other!{step}"), &sort)
                        }
                        _ => self.terms.constant(value),
                    };
                    own.action = Action::Assign { place, value };
                }
                _ => {}
            }
        }
        for at in view.prints(sites) {
            if !forced.iter().any(|f| f.at == at && f.what == Force::Output) {
                let step = trace.steps.partition_point(|step| (step.at as usize) < at);
                points.push(Point { step, at, kind: Kind::Print });
            }
        }
        // Before the first of them, everything is as in the run.
        let frees = free.iter().map(|free| free.step);
        let from = frees.chain(others).min().unwrap_or(trace.steps.len());
        let (from, state) = self.state(&trace, view, from);
        self.effort += 4 * (trace.steps.len() - from) as u64;
        let run = symbolic::execute_suffix(&mut self.terms, &trace, from, &state);
        let now: FxHashMap<Term, Value> =
            free.iter().map(|free| (free.symbol, free.value.clone())).collect();
        for (step, own) in trace.steps.iter().enumerate().skip(from) {
            let at = own.at as usize;
            if let Some(&noted) = run.noted.get(&step)
                && self.terms.value(noted).is_none()
            {
                points.push(Point { step, at, kind: Kind::Condition(noted, Otherwise::Other) });
            }
            if let Some(access) = own.access.as_ref().filter(|_| !run.exact) {
                let address = run.evaluate_before(&mut self.terms, step, access.address);
                let value = term::evaluate(&self.terms, address, &mut |v| now.get(&v).cloned());
                if let (None, Some(value)) = (self.terms.value(address), value) {
                    let value = self.terms.constant(&value);
                    let kind = Kind::Condition(self.terms.eq(address, value), Otherwise::Other);
                    points.push(Point { step, at, kind });
                }
            }
            let condition = run.results[step];
            if let Action::Assume { condition: own } = own.action
                && self.terms.value(condition).is_none()
                && !decided.contains(&step)
            {
                let otherwise = match () {
                    () if trace.pinned.contains(&step) => Otherwise::Untold,
                    () if is_check(program, &trace, step)
                        && !may_stray(&self.terms, &run, &now, step, own) =>
                    {
                        Otherwise::Fails
                    }
                    () => Otherwise::Other,
                };
                points.push(Point { step, at, kind: Kind::Condition(condition, otherwise) });
            }
        }
        points.sort_by_key(|point| (point.step, !matches!(point.kind, Kind::Print)));
        let steps = view.depends(&self.terms).into_iter();
        let steps = steps.filter(|&(step, _)| step >= from && !decided.contains(&step));
        for (step, read) in steps {
            let read = run.evaluate_before(&mut self.terms, step, read);
            if self.terms.value(read).is_none() && !free.iter().any(|free| free.step == step) {
                return (points, free, Err(UNSET));
            }
        }
        (points, free, Ok(()))
    }

    /// The state before a step of a run, and that step; the one at the beginning if maps are assigned before.
    fn state(
        &mut self,
        trace: &Trace,
        view: &View<'_>,
        from: usize,
    ) -> (usize, FxHashMap<Term, Term>) {
        let mut state = initial(&mut self.terms, trace, view.unfolded);
        let maps = |step: &Step| step.action.place().is_some_and(|p| !p.indices.is_empty());
        if trace.steps[..from].iter().any(maps) {
            return (0, state);
        }
        for (step, value) in trace.steps[..from].iter().zip(view.values.iter()) {
            if let (Some(place), Some(value)) = (step.action.place(), value) {
                state.insert(place.variable, self.terms.constant(value));
            }
        }
        (from, state)
    }

    /// Values with which the conditions hold, and none of the others. What has nothing to do with these holds as it is.
    fn solve(&mut self, conditions: &[Term], not: &[Term]) -> Solved {
        let mut formulas: Vec<Term> = not.iter().map(|&c| self.terms.not(c)).collect();
        let mut symbols: FxHashSet<Term> = self.terms.variables_of(&formulas).into_iter().collect();
        let mut rest: Vec<Term> = conditions.to_vec();
        loop {
            let joins = |&&formula: &&Term| {
                let mut own = self.terms.variables_of(&[formula]).into_iter();
                own.any(|symbol| symbols.contains(&symbol))
            };
            let more: Vec<Term> = rest.iter().filter(joins).copied().collect();
            if more.is_empty() {
                break;
            }
            rest.retain(|formula| !more.contains(formula));
            symbols.extend(self.terms.variables_of(&more));
            formulas.extend(more);
        }
        formulas.sort_unstable();
        formulas.dedup();
        if formulas.iter().any(|&formula| self.terms.is_false(formula)) {
            return Solved::Impossible;
        }
        if let Some(known) = self.answers.get(&formulas) {
            return known.clone();
        }
        let mut symbols: Vec<Term> = symbols.into_iter().collect();
        symbols.sort_unstable();
        let solved = self.by_trying(&formulas, &symbols).or_else(|| self.by_narrowing(&formulas));
        let solved = match solved {
            Some(solved) => solved,
            None if self.is_open => return Solved::Unknown,
            None => self.ask(&formulas, &symbols),
        };
        self.is_open |= matches!(solved, Solved::Unknown);
        self.answers.insert(formulas, solved.clone());
        solved
    }

    /// If there is one symbol, its values may be known without a solver.
    fn by_trying(&mut self, formulas: &[Term], symbols: &[Term]) -> Option<Solved> {
        let &[symbol] = symbols else { return None };
        let all = self.terms.and(formulas);
        let fails = self.terms.not(all);
        match falsify_within(&self.terms, fails, symbol, TRIES).0 {
            Falsify::By(value) => Some(Solved::Values([(symbol, value)].into_iter().collect())),
            Falsify::Never => Some(Solved::Impossible),
            Falsify::Open => None,
        }
    }

    /// Values that are found by narrowing: that they are right is seen. That there are none was claimed, more or less, by
    /// the same means, so the solver must say so.
    fn by_narrowing(&mut self, formulas: &[Term]) -> Option<Solved> {
        let (none, mut took) = (FxHashMap::default(), 0);
        let decided = boxes::decide(&mut self.terms, formulas, &none, Effort::MOST, &mut took);
        self.context.stop.spend(took, costs::OPERATION);
        match decided {
            Decided::Values(values) => Some(Solved::Values(values.into_iter().collect())),
            Decided::Impossible | Decided::Open(_) => None,
        }
    }

    fn ask(&mut self, formulas: &[Term], symbols: &[Term]) -> Solved {
        if self.asked.is_multiple_of(QUESTIONS) {
            self.solver = None;
        }
        self.asked += 1;
        self.effort += QUERY + formulas.len() as u64 * FORMULA;
        let context = self.context;
        let solver = self.solver.get_or_insert_with(|| {
            let mut solver = (context.solvers)();
            solver.hurry(LONGEST_QUERY);
            solver
        });
        solver.push();
        for &formula in formulas {
            solver.assert(&self.terms, formula);
        }
        let solved = match solver.check(&self.terms, &[]) {
            Answer::Sat => match solver.model(&self.terms, symbols) {
                Some(model) => {
                    let value = |&symbol: &Term| (symbol, model.value(&self.terms, symbol));
                    Solved::Values(symbols.iter().map(value).collect())
                }
                None => Solved::Unknown,
            },
            Answer::Unsat => Solved::Impossible,
            Answer::Unknown(_) => Solved::Unknown,
        };
        solver.pop();
        solved
    }
}

/// What is forced to come to a point in the same way, with these values, and upon the point itself.
fn in_order<'p>(
    before: &[Forced],
    points: impl Iterator<Item = &'p Point>,
    free: &[Free],
    point: &Point,
    values: &FxHashMap<Term, Value>,
    last: Option<Force>,
) -> Vec<Forced> {
    let mut forced: Vec<Forced> = Vec::new();
    for free in free.iter().filter(|free| free.step < point.step) {
        let value = values.get(&free.symbol).unwrap_or(&free.value).clone();
        forced.push(Forced { at: free.at, what: Force::Value { number: free.number, value } });
    }
    for earlier in points {
        let what = match &earlier.kind {
            Kind::Decision(taken, _) => Force::Edge(*taken),
            Kind::Pointer(number, value, _) => {
                Force::Value { number: *number, value: value.clone() }
            }
            Kind::Condition(..) | Kind::Print => continue,
        };
        forced.push(Forced { at: earlier.at, what });
    }
    let printed = before.iter().filter(|f| f.what == Force::Output && f.at <= point.at);
    forced.extend(printed.cloned());
    forced.extend(last.map(|what| Forced { at: point.at, what }));
    forced.sort_by_key(order);
    forced
}

/// What is forced, and more.
fn with(forced: &[Forced], more: Vec<Forced>) -> Vec<Forced> {
    let mut forced = [forced, &more].concat();
    forced.sort_by_key(order);
    forced
}

/// When something is forced.
fn order(forced: &Forced) -> (usize, (u8, u32)) {
    let rank = match forced.what {
        Force::Value { number, .. } => (0, number),
        _ => (1, 0),
    };
    (forced.at, rank)
}

/// The state at the beginning of a run.
fn initial(terms: &mut Terms, trace: &Trace, unfolded: &Unfolded) -> FxHashMap<Term, Term> {
    let of_steps = trace
        .steps
        .iter()
        .flat_map(|step| step.operands().chain(step.action.place().map(|place| place.variable)));
    let roots: Vec<Term> = of_steps.chain(trace.cells.keys().copied()).collect();
    let is_free = |terms: &Terms, variable| {
        terms.name(variable).is_some_and(|n| n.starts_with("free!") || n.starts_with("other!"))
    };
    let mut initial = FxHashMap::default();
    for variable in terms.variables_of(&roots) {
        if !is_free(terms, variable) {
            let zero = || Value::zero(terms.sort(variable));
            let value = unfolded.inputs.initial.get(&variable).cloned().unwrap_or_else(zero);
            initial.insert(variable, terms.constant(&value));
        }
    }
    initial
}

/// Whether an address in a condition can be in another object.
fn may_stray(
    terms: &Terms,
    run: &failure::Symbolic,
    now: &FxHashMap<Term, Value>,
    step: usize,
    condition: Term,
) -> bool {
    terms.variables_of(&[condition]).into_iter().any(|variable| {
        let address = run.before(step, variable);
        match term::evaluate(terms, address, &mut |symbol| now.get(&symbol).cloned()) {
            Some(Value::BitVec(own)) if own.width() == 64 => {
                cells::may_stray(terms, address, own.unsigned() as u64)
            }
            _ => false,
        }
    })
}

/// Whether the run would fail if a condition did not hold.
fn is_check(program: &Program, trace: &Trace, step: usize) -> bool {
    if trace.printed.contains(&step) {
        return !trace.loose.contains(&step);
    }
    let Some(&taken) = trace.path.get(trace.steps[step].at as usize) else { return false };
    if step + 1 == trace.steps.len() {
        return false;
    }
    let edge = program.edge(taken);
    match edge.statement {
        Statement::Assume { .. } => {
            let mut others = program.out_edges(edge.from).filter(|&(id, _)| id != taken).peekable();
            others.peek().is_some() && others.all(|(_, other)| other.to == Program::ERROR)
        }
        // The target of a call.
        Statement::CallPointer { .. } => false,
        // An access within its object. Far away, there are others: but they are not meant.
        _ => true,
    }
}
