//! The judge of edits.
//!
//! The choice is made once and for all: the variable that chooses is replaced by the number of the edit. What is left is a program of
//! its own. It must be the user's but for the statement that is said to be edited, and the tests must pass in it.

use failure::{Edited, Ended, Failure};
use program::process::Image;
use program::{EdgeId, Memory, Program, Statement};
use term::{BitVec, Term, Value};

use super::Judgement;
use crate::context::Context;
use crate::edits::{Edit, Edits};

/// Leaves only the edits that the judge confirms; says what was refuted.
pub fn keep_confirmed_edits(
    failures: &[Failure<'_>],
    edits: &mut Edits,
    context: Context<'_>,
) -> Vec<String> {
    let mut refuted = Vec::new();
    let claimed = std::mem::take(&mut edits.repairs);
    for edit in claimed {
        match check_edit(failures, edits, &edit, context) {
            Judgement::Confirmed => edits.repairs.push(edit),
            Judgement::Open(_) => edits.cut = true,
            Judgement::Refuted(why) => refuted.push(format!("edit {}: {why}", edit.number)),
        }
    }
    refuted
}

/// Re-decides that the tests pass with an edit.
pub fn check_edit(
    failures: &[Failure<'_>],
    edits: &Edits,
    edit: &Edit,
    context: Context<'_>,
) -> Judgement {
    let (Some(failure), Some((all, selector))) = (failures.first(), &edits.program) else {
        return Judgement::Refuted("there is no edited program".to_owned());
    };
    let program = made(all, *selector, edit.number);
    if let Some(edge) = differences(failure.program, &program)
        .into_iter()
        .find(|&edge| program.edge(edge).site != edit.site)
    {
        let text = &program.site(program.edge(edge).site).text;
        return Judgement::Refuted(format!("`{text}` is edited, too"));
    }
    let image = match &failure.run {
        None => None,
        Some(_) => match Image::new(&program) {
            Ok(image) => Some(image),
            Err(why) => return Judgement::Open(why),
        },
    };
    let edited = Edited { program: &program, image: image.as_ref(), selector: *selector };
    for failure in failures {
        match failure.run_edited(edited, 0, edits.most) {
            Some((Ended::Passed, _)) => {}
            Some((end, _)) => return Judgement::Refuted(format!("the failing run ends: {end:?}")),
            None => return Judgement::Open("the run cannot be repeated".to_owned()),
        }
    }
    if edit.all_pass == Some(true)
        && let Some(tests) = context.settings.edits.tests.as_deref()
    {
        for number in 0..tests.count() {
            if context.stop.requested() {
                return Judgement::Open("there was no time to run all tests again".to_owned());
            }
            if tests.passes(number, edited, 0).is_none() {
                return Judgement::Refuted(format!("test number {number} does not pass"));
            }
        }
    }
    Judgement::Confirmed
}

/// The program with one edit.
fn made(all: &Program, selector: Term, number: u32) -> Program {
    let mut program = all.clone();
    let number = program.terms.constant(&Value::BitVec(BitVec::new(32, u128::from(number))));
    let Program { terms, edges, .. } = &mut program;
    for edge in edges {
        for term in operands(&mut edge.statement) {
            if terms.mentions(*term, selector) {
                *term = terms.replace(*term, selector, number);
            }
        }
    }
    program
}

/// The edges that do something else than in the original program. Edges may be new: what assigns a variable to itself does nothing.
fn differences(original: &Program, edited: &Program) -> Vec<EdgeId> {
    let is_nothing = |edge: EdgeId| match &edited.edge(edge).statement {
        Statement::Assign { place, value } => place.indices.is_empty() && place.variable == *value,
        _ => false,
    };
    let all = (0..edited.edges.len() as u32).map(EdgeId);
    all.filter(|&edge| match original.edges.get(edge.index()) {
        None => !is_nothing(edge),
        Some(own) => own.statement != edited.edge(edge).statement,
    })
    .collect()
}

/// What a statement evaluates.
fn operands(statement: &mut Statement) -> Vec<&mut Term> {
    match statement {
        Statement::Assign { value, .. } => vec![value],
        Statement::Assume { condition } => vec![condition],
        Statement::Call { arguments, .. }
        | Statement::CallPointer { arguments, .. }
        | Statement::External { arguments, .. } => arguments.iter_mut().collect(),
        Statement::Memory(Memory::Store { address, value }) => vec![address, value],
        Statement::Memory(Memory::Initialise { value, .. }) => vec![value],
        Statement::Memory(Memory::Load { address, .. }) => vec![address],
        Statement::Memory(_) | Statement::Havoc { .. } | Statement::Return => Vec::new(),
    }
}
