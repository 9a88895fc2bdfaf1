//! Where a run could have gone another way, if some statements are free: all of its trace is executed with a symbol for each free value.

use failure::{
    Action, Direction, Force, Forced, Part, Step, Symbolic, Trace, cells, run::Unfolded, symbolic,
};
use program::{EdgeId, Program, SiteId, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms, Value};

use super::view::View;
use crate::corrections::other_pointers;

const UNSET: &str = "what depends on values that were never set is not known";

/// Where a run could have gone another way.
pub(super) struct Point {
    pub step: usize,
    /// The index in the path.
    pub at: usize,
    pub kind: Kind,
}

pub(super) enum Kind {
    Condition(Term, Otherwise),
    /// A decision that is free: the edge that was taken. And which could be.
    Decision(EdgeId, Vec<EdgeId>),
    /// A pointer that is free: its number, what it was, what it could be.
    Pointer(u32, Value, Vec<Value>),
    Print,
}

/// What happens if a condition does not hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Otherwise {
    /// A run shows it.
    Other,
    /// A check fails, or the output is wrong.
    Fails,
    /// The trace does not say.
    Untold,
}

/// A value that is free.
pub(super) struct Free {
    pub step: usize,
    pub at: usize,
    pub number: u32,
    symbol: Term,
    pub value: Value,
}

/// What is free.
#[derive(Clone, Copy)]
pub(super) struct Asked<'q> {
    pub sites: &'q [SiteId],
    /// What a pointer can be changed to.
    pub pointers: &'q [Value],
    /// Whether the value with a number is one, whatever it is now.
    pub is_pointer: &'q dyn Fn(u32) -> bool,
}

/// The symbol of the free value with this number.
const FREE: &str = "free!";

/// The number of the free value that a symbol is.
pub(super) fn number(terms: &Terms, symbol: Term) -> Option<u32> {
    terms.name(symbol)?.strip_prefix(FREE)?.parse().ok()
}

/// What is seen of a run.
pub(super) struct Points {
    /// In order.
    pub all: Vec<Point>,
    pub free: Vec<Free>,
    /// What variables become that depends on free values: the place in the path after which it is so, the variable, and
    /// its value; None if it does no longer. In order.
    pub changes: Vec<(usize, Term, Option<Term>)>,
    /// Why that may not be all.
    pub open: Option<&'static str>,
    /// How many steps were executed for that.
    pub executed: usize,
}

impl Points {
    /// All points of a run upon which something is forced.
    pub fn of(terms: &mut Terms, view: &View<'_>, forced: &[Forced], asked: Asked<'_>) -> Points {
        let Prepared { trace, mut all, free, world, decided } = prepare(terms, view, asked);
        for at in view.prints(asked.sites) {
            if !forced.iter().any(|f| f.at == at && f.what == Force::Output) {
                let step = trace.steps.partition_point(|step| (step.at as usize) < at);
                all.push(Point { step, at, kind: Kind::Print });
            }
        }
        // Before the first of them, everything is as in the run.
        let frees = free.iter().map(|free| free.step);
        let from = frees.chain(world).min().unwrap_or(trace.steps.len());
        let (from, state) = state(terms, &trace, view, from);
        let run = symbolic::execute_suffix(terms, &trace, from, &state);
        let now: FxHashMap<Term, Value> =
            free.iter().map(|free| (free.symbol, free.value.clone())).collect();
        for (step, own) in trace.steps.iter().enumerate().skip(from) {
            let at = own.at as usize;
            let mut point = |condition: Term, otherwise: Otherwise| {
                all.push(Point { step, at, kind: Kind::Condition(condition, otherwise) });
            };
            if let Some(&noted) = run.noted.get(&step)
                && terms.value(noted).is_none()
            {
                point(noted, Otherwise::Other);
            }
            if let Some(access) = own.access.as_ref().filter(|_| !run.exact) {
                let address = run.evaluate_before(terms, step, access.address);
                let value = term::evaluate(terms, address, &mut |v| now.get(&v).cloned());
                if let (None, Some(value)) = (terms.value(address), value) {
                    let value = terms.constant(&value);
                    point(terms.eq(address, value), Otherwise::Other);
                }
            }
            let condition = run.results[step];
            if let Action::Assume { condition: own } = own.action
                && terms.value(condition).is_none()
                && !decided.contains(&step)
            {
                let otherwise = match () {
                    () if trace.pinned.contains(&step) => Otherwise::Untold,
                    () if is_check(view.program, &trace, step)
                        && !may_stray(terms, &run, &now, step, own) =>
                    {
                        Otherwise::Fails
                    }
                    () => Otherwise::Other,
                };
                point(condition, otherwise);
            }
        }
        all.sort_by_key(|point| (point.step, !matches!(point.kind, Kind::Print)));
        let mut depends = view.depends(terms).into_iter();
        let open = depends.any(|(step, read)| {
            step >= from
                && !decided.contains(&step)
                && !free.iter().any(|free| free.step == step)
                && {
                    let read = run.evaluate_before(terms, step, read);
                    terms.value(read).is_none()
                }
        });
        let executed = trace.steps.len() - from;
        let changes = changes(terms, &trace, &run);
        Points { all, free, changes, open: open.then_some(UNSET), executed }
    }
}

/// A trace in which free values are symbols.
struct Prepared {
    trace: Trace,
    /// What is free, but has no symbol.
    all: Vec<Point>,
    free: Vec<Free>,
    /// Where the world computes something.
    world: Vec<usize>,
    decided: FxHashSet<usize>,
}

fn prepare(terms: &mut Terms, view: &View<'_>, asked: Asked<'_>) -> Prepared {
    let unfolded = view.unfolded;
    let (mut all, mut free, mut world) = (Vec::new(), Vec::new(), Vec::new());
    let mut decided: FxHashSet<usize> = FxHashSet::default();
    let mut trace = unfolded.trace.clone();
    for (step, own) in trace.steps.iter_mut().enumerate() {
        let at = own.at as usize;
        let is_free = asked.sites.contains(&own.site) && view.can_change(step);
        let value = view.values[step].as_ref();
        match (&own.action, unfolded.numbers[step], value) {
            (Action::Assume { .. }, ..) if is_free => {
                if let Some((taken, mut others)) = view.edges(step) {
                    decided.insert(step);
                    // It could not decide.
                    let is_last = step + 1 == unfolded.trace.steps.len();
                    others.extend(Some(taken).filter(|_| is_last && view.end.is_unset()));
                    all.push(Point { step, at, kind: Kind::Decision(taken, others) });
                }
            }
            (Action::Assign { place, .. } | Action::Havoc { place }, Some(number), Some(value))
                if is_free =>
            {
                let (place, value) = (place.clone(), value.clone());
                let new = match view.is_pointer(step) || (asked.is_pointer)(number) {
                    false => {
                        let sort = place.sort(terms);
                        let symbol = terms.var(&format!("{FREE}{number}"), &sort);
                        free.push(Free { step, at, number, symbol, value });
                        symbol
                    }
                    true => {
                        let others = other_pointers(view.program, asked.pointers, &value);
                        let constant = terms.constant(&value);
                        let kind = Kind::Pointer(number, value, others);
                        all.push(Point { step, at, kind });
                        constant
                    }
                };
                own.action = Action::Assign { place, value: new };
                own.access.take_if(|access| access.direction == Direction::Read);
            }
            (Action::Havoc { place }, _, Some(value)) => {
                let place = place.clone();
                let value = match own.part {
                    // What the world would compute from other arguments.
                    Part::Temporary => {
                        world.push(step);
                        let sort = place.sort(terms);
                        let name = terms.name(place.variable).unwrap_or_default();
                        terms.var(&format!("other!{at}!{name}"), &sort)
                    }
                    _ => terms.constant(value),
                };
                own.action = Action::Assign { place, value };
            }
            _ => {}
        }
    }
    Prepared { trace, all, free, world, decided }
}

/// What becomes of the variables that depend on symbols: see [`Points::changes`].
fn changes(terms: &Terms, trace: &Trace, run: &Symbolic) -> Vec<(usize, Term, Option<Term>)> {
    let mut changed: FxHashSet<Term> = FxHashSet::default();
    let mut changes = Vec::new();
    for (step, variable, value) in run.assignments() {
        let at = trace.steps[step].at as usize;
        if terms.value(value).is_none() {
            changed.insert(variable);
            changes.push((at, variable, Some(value)));
        } else if changed.remove(&variable) {
            changes.push((at, variable, None));
        }
    }
    changes
}

/// The state before a step of a run, and that step; the one at the beginning if maps are assigned before.
fn state(
    terms: &mut Terms,
    trace: &Trace,
    view: &View<'_>,
    from: usize,
) -> (usize, FxHashMap<Term, Term>) {
    let mut state = initial(terms, trace, view.unfolded);
    let maps = |step: &Step| step.action.place().is_some_and(|p| !p.indices.is_empty());
    if trace.steps[..from].iter().any(maps) {
        return (0, state);
    }
    for (step, value) in trace.steps[..from].iter().zip(view.values.iter()) {
        if let (Some(place), Some(value)) = (step.action.place(), value) {
            state.insert(place.variable, terms.constant(value));
        }
    }
    (from, state)
}

/// The state at the beginning of a run.
fn initial(terms: &mut Terms, trace: &Trace, unfolded: &Unfolded) -> FxHashMap<Term, Term> {
    let of_steps = trace
        .steps
        .iter()
        .flat_map(|step| step.operands().chain(step.action.place().map(|place| place.variable)));
    let roots: Vec<Term> = of_steps.chain(trace.cells.keys().copied()).collect();
    let is_free = |terms: &Terms, variable| {
        terms.name(variable).is_some_and(|n| n.starts_with(FREE) || n.starts_with("other!"))
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
    run: &Symbolic,
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
