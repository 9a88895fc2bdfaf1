//! What went wrong, in one sentence.

use program::process::{Access, Detail, Fault, ObjectFacts, Origin, Outcome, WrongOutput};
use program::{EdgeId, FailureKind, Memory, Program, Property, Statement, Type};

use super::Unfolded;

/// The property that a run violates. None if it violates none.
pub(super) fn describe(
    program: &Program,
    outcome: &Outcome,
    unfolded: &Unfolded,
) -> Option<Property> {
    let own = |edge: EdgeId| program.site(program.edge(edge).site).property.clone();
    match outcome {
        Outcome::Failed { edge, fault } => match (&fault.detail, own(*edge)) {
            // A check whose operands were never set fails in another way than it says.
            (Detail::None, Some(property)) if property.kind == fault.kind => Some(property),
            _ => {
                let message = sentence(program, *edge, fault, unfolded);
                Some(Property { kind: fault.kind, message })
            }
        },
        Outcome::StepLimit { .. } => Some(Property {
            kind: FailureKind::StepLimit,
            message: "the program did not end within the limit of steps".to_owned(),
        }),
        Outcome::Finished { .. } | Outcome::Blocked { .. } | Outcome::Stopped => None,
    }
}

fn sentence(program: &Program, edge: EdgeId, fault: &Fault, unfolded: &Unfolded) -> String {
    let text = what(program, edge, unfolded);
    match &fault.detail {
        Detail::Text(text) => text.trim_end_matches('.').to_owned(),
        Detail::Output(wrong) => wrong_output(wrong),
        Detail::Access { address, .. }
            if matches!(program.edge(edge).statement, Statement::CallPointer { .. }) =>
        {
            match fault.kind {
                FailureKind::NullDereference => format!("{text} calls a null pointer"),
                _ => format!("{text} calls {address:#x}, which is the address of no function"),
            }
        }
        Detail::Access { access, address, size, object } => {
            bad_access(program, fault.kind, *access, (*address, *size), object.as_ref(), &text)
        }
        Detail::None => match fault.kind {
            FailureKind::Uninitialised => format!("{text} depends on a value that was never set"),
            FailureKind::StackOverflow => match &program.edge(edge).statement {
                Statement::Memory(Memory::Alloc { object, .. }) if !object.name.is_empty() => {
                    format!("there is not enough space for `{}` on the stack", object.name)
                }
                Statement::Memory(_) => "there is not enough space on the stack".to_owned(),
                _ => format!("the calls are nested too deeply at {text}"),
            },
            kind => format!("{kind} at {text}"),
        },
    }
}

/// The expression that failed; in a library, the user's call.
fn what(program: &Program, edge: EdgeId, unfolded: &Unfolded) -> String {
    let own = program.site(program.edge(edge).site);
    let calls = unfolded.calls.iter().map(|&call| program.site(program.edge(call).site));
    let site = [own].into_iter().chain(calls).find(|site| site.trust == program::Trust::User);
    format!("`{}`", site.unwrap_or(own).text)
}

fn bad_access(
    program: &Program,
    kind: FailureKind,
    access: Access,
    (address, size): (u64, u64),
    object: Option<&ObjectFacts>,
    text: &str,
) -> String {
    let verb = match access {
        Access::Read => "reads",
        Access::Write => "writes",
        Access::Free => "frees",
    };
    let name = object.map_or_else(|| "an object".to_owned(), |object| name(program, object));
    match (kind, object) {
        (FailureKind::NullDereference, _) => format!("{text} {verb} through a null pointer"),
        (FailureKind::WildPointer, _) => {
            format!("{text} {verb} at {address:#x}, which is the address of no object")
        }
        (FailureKind::OutOfBounds, Some(object)) => {
            let distance = address.wrapping_sub(object.address) as i64;
            let position = position(program, object, distance);
            format!("{text} {verb} {} {position} {name}", bytes(size))
        }
        (FailureKind::UseAfterFree, Some(object)) => {
            let end = match object.origin {
                Origin::Local(_) => "after its function has returned".to_owned(),
                _ => format!("after it was freed{}", line(program, object.ended)),
            };
            format!("{text} {verb} {name} {end}")
        }
        (FailureKind::DoubleFree, Some(object)) => {
            format!("{text} frees {name} again; it was freed{}", line(program, object.ended))
        }
        (FailureKind::InvalidFree, Some(object)) if object.address == address => {
            format!("{text} frees {name}, which does not come from malloc")
        }
        (FailureKind::InvalidFree, Some(_)) => {
            format!("{text} frees a pointer into {name}, not to its beginning")
        }
        (FailureKind::ReadOnly, _) => format!("{text} writes {name}, which is constant"),
        (FailureKind::Uninitialised, _) => format!("{text} depends on a value that was never set"),
        _ => format!("{text}: {kind}"),
    }
}

fn bytes(size: u64) -> String {
    if size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") }
}

/// Where an area lies that is not in the object.
fn position(program: &Program, object: &ObjectFacts, distance: i64) -> String {
    let ty = match object.origin {
        Origin::Static(id) => program.statics.get(id.index()).and_then(|s| s.ty),
        Origin::Local(edge) => match &program.edge(edge).statement {
            Statement::Memory(Memory::Alloc { object, .. }) => object.ty,
            _ => None,
        },
        _ => None,
    };
    if let Some(ty) = ty
        && let Type::Array { element, count } = program.ty(ty)
        && let Some(each) = program.size_of(*element).filter(|&each| each > 0)
        && distance % each as i64 == 0
    {
        let index = distance / each as i64;
        return format!("at index {index}, but there are {count} elements in");
    }
    if distance < 0 {
        format!("before the beginning of the {} of", bytes(object.size))
    } else {
        format!("at offset {distance} of the {} of", bytes(object.size))
    }
}

fn name(program: &Program, object: &ObjectFacts) -> String {
    match object.origin {
        Origin::Static(id) => match program.statics.get(id.index()) {
            Some(object) if !object.name.is_empty() => format!("`{}`", object.name),
            _ => "a string literal".to_owned(),
        },
        Origin::Local(edge) => match &program.edge(edge).statement {
            Statement::Memory(Memory::Alloc { object, .. }) if !object.name.is_empty() => {
                format!("`{}`", object.name)
            }
            _ => "a local object".to_owned(),
        },
        Origin::Heap(edge) => format!("what was allocated{}", line(program, Some(edge))),
        Origin::Start => "an argument of the program".to_owned(),
    }
}

/// ` at line 7`, where that is known.
fn line(program: &Program, edge: Option<EdgeId>) -> String {
    let span = edge.and_then(|edge| program.site(program.edge(edge).site).span);
    match span {
        Some(span) => format!(" at line {}", program.file(span).position(span.start).line),
        None => String::new(),
    }
}

fn wrong_output(wrong: &WrongOutput) -> String {
    let line = wrong.line;
    match (wrong.actual_text.is_empty(), wrong.expected_text.is_empty()) {
        (true, _) => {
            format!("the output ends in line {line}, where `{}` is expected", wrong.expected_text)
        }
        (_, true) => format!("the output goes on in line {line} with `{}`", wrong.actual_text),
        _ => format!(
            "line {line} of the output has `{}` where `{}` is expected",
            wrong.actual_text, wrong.expected_text
        ),
    }
}
