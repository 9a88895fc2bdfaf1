//! Where a run could have gone another way, if some statements are free: all of its trace is executed with a symbol for each free value.

use failure::symbolic::{self, Execution};
use failure::{Action, Direction, Force, Forced, Part, Trace, cells};
use program::{EdgeId, Program, SiteId, Statement};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Terms, Value};

use super::facts::Facts;
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

impl Kind {
    /// The order of points of one step.
    fn rank(&self) -> u8 {
        match self {
            Kind::Print => 0,
            _ => 1,
        }
    }
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
    pub fn of(
        terms: &mut Terms,
        view: &View<'_>,
        facts: &Facts,
        forced: &[Forced],
        asked: Asked<'_>,
    ) -> Points {
        let trace = &view.unfolded.trace;
        let Prepared { mut all, free, instead, decided } = prepare(terms, view, facts, asked);
        for at in view.prints(asked.sites) {
            if !forced.iter().any(|f| f.at == at && f.what == Force::Output) {
                let step = trace.steps.partition_point(|step| (step.at as usize) < at);
                all.push(Point { step, at, kind: Kind::Print });
            }
        }
        let now: FxHashMap<Term, Value> =
            free.iter().map(|free| (free.symbol, free.value.clone())).collect();
        let mut changes = Vec::new();
        let (mut executed, mut open) = (0, None);
        // What accesses depend on, if that matters.
        let mut addresses: Vec<Point> = Vec::new();
        let run = facts.run(terms, view.values, view.changed);
        let mut found = |terms: &mut Terms, before: &Execution<'_>, found: symbolic::Otherwise| {
            let (step, own) = (found.at, &trace.steps[found.at]);
            let at = own.at as usize;
            executed += 1;
            changes.extend(found.assigned.into_iter().map(|(variable, new)| (at, variable, new)));
            let Some(result) = found.result else { return };
            let point = |condition: Term, otherwise: Otherwise| Point {
                step,
                at,
                kind: Kind::Condition(condition, otherwise),
            };
            if let Some(noted) = found.noted.filter(|&noted| terms.value(noted).is_none()) {
                all.push(point(noted, Otherwise::Other));
            }
            let is_replaced = instead.contains_key(&step);
            let access = own.access.as_ref();
            if let Some(access) =
                access.filter(|own| !is_replaced || own.direction == Direction::Write)
            {
                let address = before.evaluate_before(terms, step, access.address);
                let value = term::evaluate(terms, address, &mut |v| now.get(&v).cloned());
                if let (None, Some(value)) = (terms.value(address), value) {
                    let value = terms.constant(&value);
                    addresses.push(point(terms.eq(address, value), Otherwise::Other));
                }
            }
            if !is_replaced && !decided.contains(&step) {
                let mut depends = facts.depends.get(&step).into_iter().flatten();
                let is_open = depends.any(|&read| {
                    let read = before.evaluate_before(terms, step, read);
                    terms.value(read).is_none()
                });
                open = open.or(is_open.then_some(UNSET));
            }
            if let Action::Assume { condition: own } = own.action
                && terms.value(result).is_none()
                && !decided.contains(&step)
            {
                let otherwise = match () {
                    () if trace.pinned.contains(&step) => Otherwise::Untold,
                    () if is_check(view.program, trace, step)
                        && !may_stray(terms, before, &now, step, own) =>
                    {
                        Otherwise::Fails
                    }
                    () => Otherwise::Other,
                };
                all.push(point(result, otherwise));
            }
        };
        let is_exact = symbolic::follow(terms, trace, &run, &facts.reads, &instead, &mut found);
        all.extend(addresses.into_iter().filter(|_| !is_exact));
        all.sort_by_key(|point| (point.step, point.kind.rank()));
        Points { all, free, changes, open, executed }
    }
}

/// What is free in a run.
struct Prepared {
    /// What has no symbol.
    all: Vec<Point>,
    free: Vec<Free>,
    /// By step, what it assigns: a symbol, where that is free, or the world computes it.
    instead: FxHashMap<usize, Term>,
    decided: FxHashSet<usize>,
}

fn prepare(terms: &mut Terms, view: &View<'_>, facts: &Facts, asked: Asked<'_>) -> Prepared {
    let unfolded = view.unfolded;
    let (mut all, mut free) = (Vec::new(), Vec::new());
    let mut instead: FxHashMap<usize, Term> = FxHashMap::default();
    let mut decided: FxHashSet<usize> = FxHashSet::default();
    let own = asked.sites.iter().filter_map(|site| facts.changeable.get(site));
    let changed: FxHashSet<usize> = own.flatten().copied().collect();
    let mut steps: Vec<usize> = changed.iter().chain(&facts.havocs).copied().collect();
    steps.sort_unstable();
    steps.dedup();
    for step in steps {
        let own = view.step(step);
        let (at, is_free) = (own.at as usize, changed.contains(&step));
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
                let value = value.clone();
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
                instead.insert(step, new);
            }
            (Action::Havoc { place }, _, Some(_)) if own.part == Part::Temporary => {
                // What the world would compute from other arguments.
                let sort = place.sort(terms);
                let name = terms.name(place.variable).unwrap_or_default();
                let symbol = terms.var(&format!("other!{at}!{name}"), &sort);
                instead.insert(step, symbol);
            }
            (Action::Havoc { place }, _, Some(value)) if !place.indices.is_empty() => {
                instead.insert(step, terms.constant(value));
            }
            _ => {}
        }
    }
    Prepared { all, free, instead, decided }
}

/// Whether an address in a condition can be in another object.
fn may_stray(
    terms: &Terms,
    before: &Execution<'_>,
    now: &FxHashMap<Term, Value>,
    step: usize,
    condition: Term,
) -> bool {
    terms.variables_of(&[condition]).into_iter().any(|variable| {
        let address = before.before(step, variable);
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
