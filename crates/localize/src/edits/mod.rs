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
use program::{
    Edge, EdgeId, Location, LocationId, Memory, Place, Program, Scope, SiteId, Statement, Trust,
    Variable, VariableRole,
};
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
    /// Numbers are compared by their order, not for equality. Which of them is written first is not known.
    Order,
    /// The value is one more, or one less.
    Offset(i8),
    /// The next element is accessed, or the one before.
    Element(i8),
    /// A condition is the other way round.
    Opposite,
    /// A part is left out.
    Without,
    /// Two neighbouring arguments change places, the first of which has this number.
    Exchange(usize),
    /// Another variable of the program is assigned.
    Target {
        from: Term,
        to: Term,
    },
}

impl Change {
    /// What is seldom the whole truth comes last.
    fn oddness(&self) -> u32 {
        match self {
            Change::Operator { .. } | Change::Order => 0,
            Change::Variable { .. } => 1,
            Change::Constant { .. } => 2,
            Change::Target { .. } | Change::Exchange(_) => 3,
            Change::Offset(_) | Change::Element(_) => 4,
            Change::Without => 5,
            Change::Opposite => 6,
        }
    }

    /// The stable name, as in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Change::Operator { .. } | Change::Order => "operator",
            Change::Constant { .. } => "constant",
            Change::Variable { .. } => "variable",
            Change::Offset(_) => "offset",
            Change::Element(_) => "element",
            Change::Opposite => "opposite",
            Change::Without => "without",
            Change::Target { .. } => "target",
            Change::Exchange(_) => "exchange",
        }
    }
}

/// An edit with which the failing tests pass that were analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The value of the variable that chooses it.
    pub number: u32,
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
    /// The program with all edits in it, and the variable that chooses.
    pub program: Option<(Program, Term)>,
    /// How many instructions, or edges, the failing run may take if it is edited.
    pub most: u64,
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
    // That a constant can be corrected is known already; that all other tests pass then, too, is not.
    let tests = context.settings.edits.tests.as_deref();
    let corrections = corrections.filter(|_| tests.is_some());
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
    let Some((Ended::Failed { .. }, own)) = failure.run_edited(edited, 0, MOST_EFFORT) else {
        return found;
    };
    found.most = 4 * own + 10_000;
    let mut effort = 0;
    for (number, (site, change)) in choices.into_iter().enumerate() {
        if context.stop.requested() || effort > MOST_EFFORT {
            found.cut = true;
            break;
        }
        found.tried += 1;
        let choice = number as u32 + 1;
        let passes = failures.iter().all(|failure| {
            let Some((end, took)) = failure.run_edited(edited, choice, found.most) else {
                return false;
            };
            effort += took;
            end == Ended::Passed
        });
        if passes {
            let all_pass =
                tests.and_then(|tests| all_pass(tests, edited, choice, &mut effort, context));
            found.repairs.push(Edit { number: choice, site, change, all_pass });
        }
    }
    best(&mut found.repairs);
    found.program = Some((program, selector));
    found
}

/// Of the edits of a statement, so many are kept.
const MOST_OF_ONE: usize = 3;

/// Keeps the best edits of each statement: those with which all tests pass, then the plainest.
fn best(repairs: &mut Vec<Edit>) {
    repairs.sort_by_key(|edit| {
        (edit.site, edit.all_pass != Some(true), edit.change.oddness(), edit.number)
    });
    let mut kept: Vec<Edit> = Vec::new();
    for edit in repairs.drain(..) {
        if kept.iter().rev().take_while(|it| it.site == edit.site).count() < MOST_OF_ONE {
            kept.push(edit);
        }
    }
    *repairs = kept;
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

/// The executed edges of the user: first those of statements on which the failure depends, from the end of the run, then the
/// others, which may do something that another statement should.
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
    let (mut edges, mut others) = (Vec::new(), Vec::new());
    for &edge in trace.path.iter().rev() {
        let site = program.edge(edge).site;
        let is_own = program.site(site).trust == Trust::User && !is_checked(failure, site);
        if is_own && seen.insert(edge) {
            match sites.contains(&site) {
                true => edges.push(edge),
                false => others.push(edge),
            }
        }
    }
    edges.append(&mut others);
    edges
}

/// Whether a statement is a part of the assertion that is violated: what the user says is right is not edited.
fn is_checked(failure: &Failure<'_>, site: SiteId) -> bool {
    let span = |site: SiteId| failure.program.site(site).span;
    failure.property.kind.is_specified()
        && span(failure.site()).zip(span(site)).is_some_and(|(whole, part)| {
            whole.file == part.file && whole.start <= part.start && part.end <= whole.end
        })
}

/// So many values that a statement is to assign are tried as its constant.
const MOST_CONSTANTS: usize = 6;

/// For statements that correct a run by themselves: what they assign then.
fn other_constants(corrections: &Corrections) -> FxHashMap<SiteId, Vec<Value>> {
    let mut known: FxHashMap<SiteId, Vec<Value>> = FxHashMap::default();
    for set in corrections.sets.iter().filter(|set| set.spots.len() == 1) {
        let needed = set.witnesses.iter().flat_map(|it| &it.needed);
        let values = needed.filter_map(|it| match &it.instead {
            Instead::Value { now, .. } => Some(now),
            _ => None,
        });
        let own = known.entry(set.spots[0].site()).or_default();
        for value in values {
            if own.len() < MOST_CONSTANTS && !own.contains(value) {
                own.push(value.clone());
            }
        }
    }
    known
}

/// What is edited by each choice, from 1.
type Choices = Vec<(SiteId, Change)>;

/// The program with all edits in it, the variable that chooses, and what is edited by each choice, from 1.
fn edited(
    failure: &Failure<'_>,
    wanted: &[EdgeId],
    known: &FxHashMap<SiteId, Vec<Value>>,
) -> Option<(Program, Term, Choices)> {
    let original = failure.program;
    let mut program = original.clone();
    let selector = program.terms.fresh("edit", &Sort::BitVec(32));
    let mut declared = Variable::new("", Scope::Global);
    declared.role = VariableRole::Temporary;
    program.variables.insert(selector, declared);
    program.globals.push(selector);
    let mut assignments: FxHashMap<Term, usize> = FxHashMap::default();
    for edge in &original.edges {
        if let Statement::Assign { place, .. } = &edge.statement {
            *assignments.entry(place.variable).or_default() += 1;
        }
    }
    let mut choices = Choices::new();
    let mut done: FxHashSet<EdgeId> = FxHashSet::default();
    for &edge in wanted {
        if choices.len() >= MOST_EDITS || !done.insert(edge) {
            continue;
        }
        let of = original.edge(edge);
        let editor = Editor { program: original, procedure: original.location(of.from).procedure };
        let mut statement = of.statement.clone();
        let choose = |program: &mut Program, choices: &mut Choices, term: &mut Term, all| {
            for (edited, change) in all {
                choices.push((of.site, change));
                let chosen = chosen(program, selector, choices.len());
                *term = program.terms.ite(chosen, edited, *term);
            }
        };
        let edit_address =
            |program: &mut Program, choices: &mut Choices, term: &mut Term, accessed| {
                let all = editor.edits_of_address(&mut program.terms, *term, accessed);
                choose(program, choices, term, all);
            };
        let edit = |program: &mut Program, choices: &mut Choices, term: &mut Term| {
            let mut all = editor.edits(&mut program.terms, *term);
            if let Some(from) = program.terms.value(*term).cloned() {
                let values = known.get(&of.site).into_iter().flatten();
                for to in values.filter(|to| to.sort() == from.sort()) {
                    let by = program.terms.constant(to);
                    if all.iter().all(|(known, _)| *known != by) {
                        all.push((by, Change::Constant { from: from.clone(), to: to.clone() }));
                    }
                }
            }
            choose(program, choices, term, all);
        };
        match &mut statement {
            Statement::Assume { condition } => {
                let Some(other) = complement(&mut program, edge, *condition) else { continue };
                done.insert(other);
                edit(&mut program, &mut choices, condition);
                let opposite = program.terms.not(*condition);
                let other = &mut program.edges[other.index()];
                other.statement = Statement::Assume { condition: opposite };
            }
            Statement::Assign { place, value } => {
                edit(&mut program, &mut choices, value);
                // What is assigned once only is needed there.
                let is_again = |variable: Term| assignments.get(&variable).is_some_and(|n| *n > 1);
                if place.indices.is_empty() && is_again(place.variable) {
                    let assigned = *value;
                    for to in editor.others(&program.terms, place.variable) {
                        choices.push((of.site, Change::Target { from: place.variable, to }));
                        let chosen = chosen(&mut program, selector, choices.len());
                        let other = program.terms.ite(chosen, assigned, to);
                        *value = program.terms.ite(chosen, place.variable, *value);
                        assign_before(&mut program, edge, to, other);
                    }
                }
            }
            Statement::Call { arguments, .. }
            | Statement::CallPointer { arguments, .. }
            | Statement::External { arguments, .. } => {
                let own = arguments.clone();
                arguments
                    .iter_mut()
                    .for_each(|argument| edit(&mut program, &mut choices, argument));
                for (first, pair) in own.windows(2).enumerate() {
                    if pair[0] == pair[1]
                        || program.terms.sort(pair[0]) != program.terms.sort(pair[1])
                    {
                        continue;
                    }
                    choices.push((of.site, Change::Exchange(first)));
                    let chosen = chosen(&mut program, selector, choices.len());
                    for (at, other) in [(first, pair[1]), (first + 1, pair[0])] {
                        arguments[at] = program.terms.ite(chosen, other, arguments[at]);
                    }
                }
            }
            Statement::Memory(Memory::Store { address, value }) => {
                edit_address(&mut program, &mut choices, address, *value);
                edit(&mut program, &mut choices, value);
            }
            Statement::Memory(Memory::Initialise { value, .. }) => {
                edit(&mut program, &mut choices, value)
            }
            Statement::Memory(Memory::Load { address, target }) => {
                edit_address(&mut program, &mut choices, address, *target);
            }
            Statement::Memory(_) | Statement::Havoc { .. } | Statement::Return => continue,
        }
        program.edges[edge.index()].statement = statement;
    }
    (!choices.is_empty()).then_some((program, selector, choices))
}

/// That the edit with this number is chosen.
fn chosen(program: &mut Program, selector: Term, number: usize) -> Term {
    let number = program.terms.constant(&Value::BitVec(BitVec::new(32, number as u128)));
    program.terms.eq(selector, number)
}

/// Makes another assignment just before an edge.
fn assign_before(program: &mut Program, edge: EdgeId, variable: Term, value: Term) {
    let from = program.edge(edge).from;
    let procedure = program.location(from).procedure;
    let (between, new) =
        (LocationId(program.locations.len() as u32), EdgeId(program.edges.len() as u32));
    program.locations.push(Location { procedure, edges: vec![edge] });
    let place = Place::variable(variable);
    let site = program.edge(edge).site;
    let statement = Statement::Assign { place, value };
    program.edges.push(Edge { from, to: between, statement, site });
    program.edges[edge.index()].from = between;
    let outgoing = &mut program.locations[from.index()].edges;
    outgoing.iter_mut().filter(|other| **other == edge).for_each(|other| *other = new);
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
