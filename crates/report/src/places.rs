//! What a step assigns and which statement it belongs to, in source syntax.

use failure::{Part, Step};
use program::{
    Language, Memory, Place, Program, Scope, SiteId, Span, Statement, Type, TypeId, VariableRole,
};
use term::{Term, Value};

use crate::addresses::Addresses;
use crate::expressions::{arguments, assigned};
use crate::report::{Location, Wording};
use crate::story::Story;
use crate::values::{Shown, show};

/// The place that a step assigns, as its programmer calls it; empty if it has no name.
pub fn place_text(story: &Story<'_>, step: &Step) -> String {
    let Some(place) = step.action.place() else { return String::new() };
    let (program, trace) = (story.failure.program, &story.failure.trace);
    if program.language == Language::Boogie {
        return indexed(story, place);
    }
    let written = || match step.part {
        Part::Argument(_) | Part::Result(_) => None,
        _ => assigned(&program.site(step.site).text).map(str::to_owned),
    };
    match trace.labels.get(&place.variable) {
        Some((label, Some(_))) => label.clone(),
        // The offset in an object says little.
        Some((_, None)) if is_bit_field(story, step) => {
            format!("bits around {}", written().unwrap_or_default())
        }
        Some((label, None)) => written().unwrap_or_else(|| {
            story.addresses.untyped_cell(place.variable).map_or(label.clone(), |(text, _)| text)
        }),
        None => match program.variables.get(&trace.origin(place.variable).1) {
            Some(variable) if variable.role == VariableRole::Source => variable.name.clone(),
            _ => written().unwrap_or_default(),
        },
    }
}

/// A variable of Boogie with its indices, by their values where those are known.
fn indexed(story: &Story<'_>, place: &Place) -> String {
    let (program, trace) = (story.failure.program, &story.failure.trace);
    let mut text = program.name(trace.origin(place.variable).1).to_owned();
    for &index in &place.indices {
        let terms = &trace.terms;
        let index = match terms.value(index) {
            Some(value) => value.to_string(),
            None if terms.is_var(index) => program.name(trace.origin(index).1).to_owned(),
            None => "…".to_owned(),
        };
        text += &format!("[{index}]");
    }
    text
}

/// Whether a step assigns a bit-field. It does so together with its neighbours, and so does the
/// other value that a claim is about.
fn is_bit_field(story: &Story<'_>, step: &Step) -> bool {
    let (program, trace) = (story.failure.program, &story.failure.trace);
    let without_type = |place: &Place| match trace.labels.get(&place.variable) {
        Some((_, ty)) => ty.is_none(),
        None => false,
    };
    let Some(written) = assigned(&program.site(step.site).text) else { return false };
    let Some((_, name)) = written.rsplit_once(['.', '>']) else { return false };
    step.action.place().is_some_and(without_type)
        && program.types.iter().any(|ty| match ty {
            Type::Struct(aggregate) | Type::Union(aggregate) => {
                aggregate.members.iter().any(|m| m.bits.is_some() && m.name == name.trim())
            }
            _ => false,
        })
}

/// Whether this is neither a variable nor a cell: the bytes of more than one thing, before they are stored.
fn is_on_its_way(story: &Story<'_>, place: &Place) -> bool {
    let (program, trace) = (story.failure.program, &story.failure.trace);
    program.language == Language::C
        && !trace.labels.contains_key(&place.variable)
        && !program.variables.contains_key(&trace.origin(place.variable).1)
}

/// The type of what a step stores, if that is a structure in a register.
fn stored_type(story: &Story<'_>, step: &Step) -> Option<TypeId> {
    let (program, trace) = (story.failure.program, &story.failure.trace);
    match &program.edge(*trace.path.get(step.at as usize)?).statement {
        Statement::Memory(Memory::Store { value, .. }) => program.variables.get(value)?.ty,
        _ => None,
    }
}

/// A value of the place that a step assigns.
pub fn value_text(story: &Story<'_>, step: &Step, value: &Value) -> Shown {
    value_text_with(story, &story.addresses, step, value)
}

/// The same, with these names of objects.
pub fn value_text_with(
    story: &Story<'_>,
    addresses: &Addresses<'_>,
    step: &Step,
    value: &Value,
) -> Shown {
    if let Value::BitVec(bits) = value
        && is_bit_field(story, step)
    {
        return Shown { code: format!("{:#x}", bits.unsigned()), note: None };
    }
    let place = step.action.place();
    let ty = place.and_then(|place| addresses.type_of(place.variable));
    let ty = ty.or_else(|| stored_type(story, step));
    match (ty, value) {
        (None, Value::BitVec(bits)) if place.is_some_and(|place| is_on_its_way(story, place)) => {
            Shown { code: format!("{:#x}", bits.unsigned()), note: None }
        }
        _ => show(addresses, value, ty),
    }
}

/// Whether a step assigns what its function returns.
pub fn returns(story: &Story<'_>, step: &Step) -> bool {
    let Some(place) = step.action.place() else { return false };
    is_result(story.failure.program, story.failure.trace.origin(place.variable).1)
}

/// Whether a variable of a C program is what its function returns.
fn is_result(program: &Program, variable: Term) -> bool {
    match program.variables.get(&variable).map(|declared| declared.scope) {
        Some(Scope::Local(procedure)) if program.language == Language::C => {
            program.procedure(procedure).results.contains(&variable)
        }
        _ => false,
    }
}

/// The assignment of another value by a step, quoted.
pub fn change_text(story: &Story<'_>, step: &Step, value: &Value) -> String {
    change_of_text(story, step, &place_text(story, step), value)
}

/// The same, if what is assigned is called so.
pub fn change_of_text(story: &Story<'_>, step: &Step, place: &str, value: &Value) -> String {
    let Shown { code, note } = value_text(story, step, value);
    let note = note.map_or_else(String::new, |note| format!(" ({note})"));
    match place {
        _ if returns(story, step) => format!("`return {code}`{note}"),
        "" => format!("`{code}`{note}"),
        place => {
            let operator = story.failure.program.language.assignment();
            format!("`{place} {operator} {code}`{note}")
        }
    }
}

/// The statement as the user knows it; for parts of a call, which part.
pub fn statement_text(story: &Story<'_>, step: &Step) -> String {
    let program = story.failure.program;
    let text = &program.site(step.site).text;
    let name = || place_text(story, step);
    match (program.language, step.part) {
        (_, Part::Whole | Part::Temporary | Part::Input) => text.clone(),
        (Language::Boogie, Part::Argument(_)) => format!("{text} (argument `{}`)", name()),
        (Language::Boogie, Part::Result(_)) => format!("{text} (result `{}`)", name()),
        (Language::C, Part::Argument(number)) => {
            if let Some(&call) = story.calls.get(&step.site) {
                return format!("argument `{text}` of `{}`", program.site(call).text);
            }
            let passed = arguments(text).get(number as usize).map(|range| &text[range.clone()]);
            match passed {
                Some(passed) => format!("argument `{passed}` of `{text}`"),
                None => format!("argument {} of `{text}`", number + 1),
            }
        }
        (Language::C, Part::Result(_)) => format!("result of `{text}`"),
    }
}

/// How [`statement_text`] names the statement of a step.
pub fn wording(program: &Program, step: &Step) -> Wording {
    match (program.language, step.part) {
        (Language::C, Part::Argument(_) | Part::Result(_)) => Wording::Words,
        _ => Wording::Code,
    }
}

/// Where a step is in the source: for an argument, that argument.
pub fn step_location(story: &Story<'_>, step: &Step) -> Option<Location> {
    let program = story.failure.program;
    let span = program.site(step.site).span?;
    if let (Language::C, Part::Argument(number)) = (program.language, step.part)
        && !story.calls.contains_key(&step.site)
    {
        let source = program.file(span).slice(span);
        if let Some(range) = arguments(source).get(number as usize) {
            let (start, end) = (span.start + range.start as u32, span.start + range.end as u32);
            return Some(location(program, Span { start, end, ..span }));
        }
    }
    Some(location(program, span))
}

pub fn site_location(program: &Program, site: SiteId) -> Option<Location> {
    program.site(site).span.map(|span| location(program, span))
}

pub fn location(program: &Program, span: Span) -> Location {
    let file = program.file(span);
    let start = file.position(span.start);
    let origin = file.origin(start.line).map(|(file, line)| (file.to_owned(), line));
    Location { file: file.name.clone(), start, end: file.position(span.end), span, origin }
}
