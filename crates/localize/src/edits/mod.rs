//! Edits: small changes of one expression with which the tests pass.
//!
//! Most faults are small: a wrong operator, a wrong constant, a wrong variable. So each expression of a statement on which the
//! failure depends is changed in each small way (`mutate.rs`), and the program is run. All edits are made in *one* program, in
//! which a variable says which of them counts: a run costs no more than a run.
//!
//! That the failing test passes with an edit does not say that the edit is right; if all other tests pass, too, it is likely. A
//! statement that no small edit corrects may be wrong all the same.

mod mutate;

use std::fmt;
use std::sync::Arc;

use failure::{Edited, Ended, Failure};
use program::process::Image;
use program::{EdgeId, Memory, Program, Scope, SiteId, Statement, Trust, Variable, VariableRole};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{BitVec, Sort, Term, Value};

use self::mutate::Editor;
use crate::context::Context;
use crate::corrections::{Corrections, Instead};
use crate::flow::Flow;
use crate::slice::{Omissions, slice};

/// How many edits are tried at most, and how many instructions all runs of them may take.
const MOST_EDITS: usize = 4_000;
const MOST_EFFORT: u64 = 30_000_000;

/// One thing that is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Operator {
        from: &'static str,
        to: &'static str,
    },
    Constant {
        from: Value,
        to: Value,
    },
    /// Variables of the program.
    Variable {
        from: Term,
        to: Term,
    },
    /// The value is one more, or one less.
    Offset(i8),
    /// A condition is the other way round.
    Opposite,
    /// A part is left out.
    Without,
}

/// An edit with which the failing tests pass that were analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub site: SiteId,
    pub change: Change,
    /// Whether all tests pass, if there are others; None if there are none, or that is not known.
    pub all_pass: Option<bool>,
}

#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// In the order of the source.
    pub repairs: Vec<Edit>,
    /// How many were tried.
    pub tried: usize,
    /// Whether that is not all of them.
    pub cut: bool,
}

/// The other tests of a suite.
pub trait Tests: fmt::Debug + Send + Sync {
    fn count(&self) -> usize;

    /// Runs a test with this choice of edits. The instructions that it took; None if it does not pass.
    fn passes(&self, number: usize, edited: Edited<'_>, choice: u32) -> Option<u64>;
}

/// What the user gives.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub tests: Option<Arc<dyn Tests>>,
}

/// The edits that repair the failures.
pub fn edits(
    failures: &[Failure<'_>],
    corrections: Option<&Corrections>,
    context: Context<'_>,
) -> Edits {
    let mut found = Edits::default();
    let Some(failure) = failures.first() else { return found };
    let wanted = wanted(failure);
    let known = corrections.map_or_else(FxHashMap::default, other_constants);
    let Some((program, selector, choices)) = edited(failure, &wanted, &known) else { return found };
    let image = match &failure.run {
        None => None,
        Some(_) => match Image::new(&program) {
            Ok(image) => Some(image),
            Err(_) => return found,
        },
    };
    let edited = Edited { program: &program, image: image.as_ref(), selector };
    // As written, it fails, and takes so long.
    let most = u64::MAX / 4;
    let Some((Ended::Failed { .. }, own)) = failure.run_edited(edited, 0, most.min(MOST_EFFORT))
    else {
        return found;
    };
    let most = 4 * own + 10_000;
    let mut effort = 0;
    for (number, (site, change)) in choices.into_iter().enumerate() {
        if context.stop.requested() || effort > MOST_EFFORT {
            found.cut = true;
            break;
        }
        found.tried += 1;
        let choice = number as u32 + 1;
        let passes = failures.iter().all(|failure| {
            let Some((end, took)) = failure.run_edited(edited, choice, most) else { return false };
            effort += took;
            end == Ended::Passed
        });
        if passes {
            let tests = context.settings.edits.tests.as_deref();
            let all_pass =
                tests.and_then(|tests| all_pass(tests, edited, choice, &mut effort, context));
            found.repairs.push(Edit { site, change, all_pass });
        }
    }
    found
}

fn all_pass(
    tests: &dyn Tests,
    edited: Edited<'_>,
    choice: u32,
    effort: &mut u64,
    context: Context<'_>,
) -> Option<bool> {
    for number in 0..tests.count() {
        if context.stop.requested() || *effort > 2 * MOST_EFFORT {
            return None;
        }
        match tests.passes(number, edited, choice) {
            Some(took) => *effort += took,
            None => return Some(false),
        }
    }
    Some(true)
}

/// The executed edges of the user on whose statements the failure depends, in the order of the run's end.
fn wanted(failure: &Failure<'_>) -> Vec<EdgeId> {
    let (program, trace) = (failure.program, &failure.trace);
    let flow = Flow::of(failure);
    let included = slice(&flow, Omissions::Followed);
    let sites: FxHashSet<SiteId> = trace
        .steps
        .iter()
        .zip(included)
        .filter(|(step, included)| *included && program.site(step.site).trust == Trust::User)
        .map(|(step, _)| step.site)
        .collect();
    let mut seen = FxHashSet::default();
    let mut edges = Vec::new();
    for &edge in trace.path.iter().rev() {
        if sites.contains(&program.edge(edge).site) && seen.insert(edge) {
            edges.push(edge);
        }
    }
    edges
}

/// For statements that a correction changes in the same way each time: what they assign then.
fn other_constants(corrections: &Corrections) -> FxHashMap<SiteId, Value> {
    let mut known = FxHashMap::default();
    for set in corrections.sets.iter().filter(|set| set.spots.len() == 1) {
        let needed = set.witnesses.iter().flat_map(|it| &it.needed);
        let values = needed.map(|it| match &it.instead {
            Instead::Value { now, .. } => Some(now.clone()),
            _ => None,
        });
        let mut values: Vec<Option<Value>> = values.collect();
        values.dedup();
        if let [Some(value)] = &values[..] {
            known.insert(set.spots[0].site(), value.clone());
        }
    }
    known
}

/// The program with all edits in it, the variable that chooses, and what is edited by each choice, from 1.
fn edited(
    failure: &Failure<'_>,
    wanted: &[EdgeId],
    known: &FxHashMap<SiteId, Value>,
) -> Option<(Program, Term, Vec<(SiteId, Change)>)> {
    let original = failure.program;
    let mut program = original.clone();
    let selector = program.terms.fresh("edit", &Sort::BitVec(32));
    let mut declared = Variable::new("", Scope::Global);
    declared.role = VariableRole::Temporary;
    program.variables.insert(selector, declared);
    program.globals.push(selector);
    let mut choices: Vec<(SiteId, Change)> = Vec::new();
    let mut done: FxHashSet<EdgeId> = FxHashSet::default();
    for &edge in wanted {
        if choices.len() >= MOST_EDITS || !done.insert(edge) {
            continue;
        }
        let of = original.edge(edge);
        let editor = Editor { program: original, procedure: original.location(of.from).procedure };
        let mut statement = of.statement.clone();
        let mut edit = |program: &mut Program, term: &mut Term| {
            let mut all = editor.edits(&mut program.terms, *term);
            if let (Some(from), Some(to)) =
                (program.terms.value(*term).cloned(), known.get(&of.site))
                && from.sort() == to.sort()
            {
                let by = program.terms.constant(to);
                if all.iter().all(|(known, _)| *known != by) {
                    all.push((by, Change::Constant { from, to: to.clone() }));
                }
            }
            for (edited, change) in all {
                choices.push((of.site, change));
                let number = Value::BitVec(BitVec::new(32, choices.len() as u128));
                let terms = &mut program.terms;
                let number = terms.constant(&number);
                let chosen = terms.eq(selector, number);
                *term = terms.ite(chosen, edited, *term);
            }
        };
        match &mut statement {
            Statement::Assume { condition } => {
                let Some(other) = complement(&mut program, edge, *condition) else { continue };
                done.insert(other);
                edit(&mut program, condition);
                let opposite = program.terms.not(*condition);
                let other = &mut program.edges[other.index()];
                other.statement = Statement::Assume { condition: opposite };
            }
            Statement::Assign { value, .. } => edit(&mut program, value),
            Statement::Call { arguments, .. }
            | Statement::CallPointer { arguments, .. }
            | Statement::External { arguments, .. } => {
                arguments.iter_mut().for_each(|argument| edit(&mut program, argument));
            }
            Statement::Memory(Memory::Store { value, .. } | Memory::Initialise { value, .. }) => {
                edit(&mut program, value);
            }
            Statement::Memory(Memory::Load { address, .. }) => edit(&mut program, address),
            Statement::Memory(_) | Statement::Havoc { .. } | Statement::Return => continue,
        }
        program.edges[edge.index()].statement = statement;
    }
    (!choices.is_empty()).then_some((program, selector, choices))
}

/// The other way of a decision, if there is one that is its opposite.
fn complement(program: &mut Program, edge: EdgeId, condition: Term) -> Option<EdgeId> {
    let from = program.edge(edge).from;
    let outgoing = program.location(from).edges.clone();
    let others: Vec<EdgeId> = outgoing.into_iter().filter(|&other| other != edge).collect();
    let &[other] = &others[..] else { return None };
    let Statement::Assume { condition: opposite } = program.edge(other).statement else {
        return None;
    };
    if program.edge(edge).to == Program::ERROR || program.edge(other).to == Program::ERROR {
        return None;
    }
    let expected = program.terms.not(condition);
    (expected == opposite).then_some(other)
}
