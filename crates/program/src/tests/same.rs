//! Every part of a program that counts makes a difference; what does not count makes none.

use term::Sort;

use crate::testing::{Sketch, assign, assign_cell, havoc};
use crate::{FailureKind, ProcedureId, Program, Property, Statement, Trust, difference};

/// Some of everything. `noise` only changes the arena.
fn sample(noise: u32) -> Program {
    let mut sketch = Sketch::new();
    for n in 0..noise {
        sketch.builder.terms.var(&format!("noise{n}"), &Sort::Int);
    }
    // In the arena of a noisy program, `y` is older than `x`.
    if noise > 0 {
        sketch.builder.terms.var("main:y", &Sort::Int);
    }
    let map = Sort::array(Sort::Int, Sort::Int);
    let g = sketch.builder.global("g", &map);
    let main = sketch.builder.procedure("main");
    let x = sketch.builder.local(main, "x", &Sort::Int);
    let y = sketch.builder.local(main, "y", &Sort::Int);
    let other = sketch.builder.procedure("other");
    let p = sketch.builder.parameter(other, "p", &Sort::Int);
    let r = sketch.builder.result(other, "r", &Sort::Int);
    let sum = sketch.builder.terms.add(&[x, y]);
    let one = sketch.int(1);
    let positive = sketch.builder.terms.le(one, sum);
    let [entry, head, last] = [
        sketch.builder.entry_of(main),
        sketch.builder.location(main),
        sketch.builder.location(main),
    ];
    let call = Statement::Call { callee: other, arguments: vec![sum], results: vec![x] };
    let statements = vec![havoc(y), assign(x, sum), assign_cell(g, &[x], y), call];
    sketch.chain(main, entry, head, statements);
    sketch.branch(head, positive, last, Program::ERROR);
    sketch.ret(main, last);
    let (begin, end) = (sketch.builder.entry_of(other), sketch.builder.location(other));
    sketch.chain(other, begin, end, vec![assign(r, p)]);
    sketch.ret(other, end);
    sketch.builder.enter_at(main);
    sketch.builder.finish().expect("well-formed")
}

#[test]
fn the_arena_and_texts_do_not_count() {
    assert_eq!(difference(&sample(0), &sample(0)), None);
    let mut other = sample(3);
    other.sites[0].text = "other".to_owned();
    assert_eq!(difference(&sample(0), &other), None);
    assert_eq!(difference(&other, &sample(0)), None);
}

#[test]
fn everything_else_counts() {
    type Change = fn(&mut Program);
    let changes: &[(&str, Change)] = &[
        ("procedures", |p| drop(p.procedures.pop())),
        ("locations", |p| drop(p.locations.pop())),
        ("edges", |p| drop(p.edges.pop())),
        ("global variables", |p| p.globals.clear()),
        ("different entries", |p| p.entries.push(ProcedureId(1))),
        ("different global variables", |p| {
            let global = p.globals[0];
            p.variables.get_mut(&global).unwrap().name = "h".to_owned();
        }),
        ("different global variables", |p| {
            let other = p.terms.var("g", &Sort::Int);
            let variable = p.variables[&p.globals[0]].clone();
            p.variables.insert(other, variable);
            p.globals[0] = other;
        }),
        ("procedure", |p| p.procedures[0].name = "start".to_owned()),
        ("procedure", |p| p.procedures[1].exit = p.procedures[1].entry),
        ("procedure", |p| {
            let parameter = p.procedures[1].parameters.remove(0);
            p.procedures[1].locals.push(parameter);
        }),
        ("edge 1", |p| p.edges[1].to = p.edges[1].from),
        ("edge 0", |p| p.sites[0].trust = Trust::Trusted),
        ("edge 5", |p| {
            let (kind, message) = (FailureKind::Invariant, "fails".to_owned());
            p.sites[0].property = Some(Property { kind, message });
        }),
        ("edge 1", |p| {
            let Statement::Assign { value, .. } = &mut p.edges[1].statement else { return };
            *value = p.terms.mul(*value, *value);
        }),
        ("edge 1", |p| {
            let Statement::Assign { value, .. } = &mut p.edges[1].statement else { return };
            *value = p.terms.var("undeclared", &Sort::Int);
        }),
        ("edge 1", |p| p.edges[1].statement = p.edges[0].statement.clone()),
        ("edge 0", |p| {
            let x = p.procedures[0].locals[0];
            p.edges[0].statement = havoc(x);
        }),
        ("edge 2", |p| {
            let Statement::Assign { place, value } = &mut p.edges[2].statement else { return };
            place.indices[0] = *value;
        }),
        ("edge 3", |p| {
            let y = p.procedures[0].locals[1];
            let Statement::Call { results, .. } = &mut p.edges[3].statement else { return };
            results[0] = y;
        }),
        ("edge 3", |p| {
            let y = p.procedures[0].locals[1];
            let Statement::Call { arguments, .. } = &mut p.edges[3].statement else { return };
            arguments[0] = y;
        }),
    ];
    for (number, (expected, change)) in changes.iter().enumerate() {
        let (a, mut b) = (sample(0), sample(1));
        change(&mut b);
        let found = difference(&a, &b).unwrap_or_default();
        assert!(found.contains(expected), "change {number}: {found:?}, not {expected:?}");
        assert!(difference(&b, &a).is_some(), "change {number}, the other way");
    }
}
