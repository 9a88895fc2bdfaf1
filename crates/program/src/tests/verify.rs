//! Each rule has a program that breaks it, and only it.

use term::Sort;

use crate::testing::{Sketch, assign, assign_cell, havoc};
use crate::{
    Edge, EdgeId, Location, LocationId, Place, ProcedureId, Program, Scope, SiteId, Statement,
    Variable, verify,
};

/// Edges: 0 `x := p`, 1 `m[x] := x`, 2 `x := call other(x)`, 3 and 4 the check `0 <= x`, 5 return;
/// `other` is 6 `r := q` and 7 return.
fn sample() -> Program {
    let mut sketch = Sketch::new();
    let m = sketch.builder.global("m", &Sort::array(Sort::Int, Sort::Int));
    let main = sketch.builder.procedure("main");
    let p = sketch.builder.parameter(main, "p", &Sort::Int);
    let x = sketch.builder.local(main, "x", &Sort::Int);
    let other = sketch.builder.procedure("other");
    let q = sketch.builder.parameter(other, "q", &Sort::Int);
    let r = sketch.builder.result(other, "r", &Sort::Int);
    let zero = sketch.int(0);
    let condition = sketch.builder.terms.le(zero, x);
    let entry = sketch.builder.entry_of(main);
    let [check, last] = [(); 2].map(|()| sketch.builder.location(main));
    let call = Statement::Call { callee: other, arguments: vec![x], results: vec![x] };
    sketch.chain(main, entry, check, vec![assign(x, p), assign_cell(m, &[x], x), call]);
    sketch.branch(check, condition, last, Program::ERROR);
    sketch.ret(main, last);
    let (begin, end) = (sketch.builder.entry_of(other), sketch.builder.location(other));
    sketch.chain(other, begin, end, vec![assign(r, q)]);
    sketch.ret(other, end);
    sketch.builder.enter_at(main);
    sketch.builder.finish().expect("well-formed")
}

type Break = fn(&mut Program);

/// The variable `name`.
fn variable(program: &Program, name: &str) -> term::Term {
    let mut found = program.variables.iter().filter(|(_, v)| v.name == name);
    *found.next().expect("it is declared").0
}

fn call(program: &mut Program) -> (&mut ProcedureId, &mut Vec<term::Term>, &mut Vec<term::Term>) {
    match &mut program.edges[2].statement {
        Statement::Call { callee, arguments, results } => (callee, arguments, results),
        other => panic!("edge 2 is a call, not {other:?}"),
    }
}

fn check(rules: &[(&str, Option<u32>, Break)]) {
    verify(&sample()).expect("the sample is well-formed");
    for (message, edge, broken) in rules {
        let mut program = sample();
        broken(&mut program);
        let found = verify(&program).expect_err(message);
        assert!(found.message.contains(message), "{found}, not {message}");
        assert_eq!(found.edge, edge.map(EdgeId), "{found}");
        assert_eq!(found.to_string().contains("(edge "), edge.is_some());
    }
}

#[test]
fn ids_and_declarations() {
    const FAR: u32 = 1000;
    check(&[
        ("there is no error location", None, |p| p.locations.clear()),
        ("entry or exit of a procedure does not", None, |p| p.procedures[0].entry.0 = FAR),
        ("entry or exit of a procedure does not", None, |p| p.procedures[0].exit.0 = FAR),
        ("a location belongs to a procedure that does not exist", None, |p| {
            p.locations[1].procedure = Some(ProcedureId(FAR));
        }),
        ("lists an edge that does not exist", None, |p| p.locations[1].edges[0].0 = FAR),
        ("joins locations that do not exist", None, |p| p.edges[0].to.0 = FAR),
        ("joins locations that do not exist", None, |p| p.edges[0].from.0 = FAR),
        ("site of an edge does not exist", None, |p| p.edges[0].site = SiteId(FAR)),
        ("an entry procedure does not exist", None, |p| p.entries.push(ProcedureId(FAR))),
        ("declared that is no variable", None, |p| {
            let zero = p.terms.constant(&term::Value::int(0));
            p.globals.push(zero);
        }),
        ("wrong scope", None, |p| {
            let x = variable(p, "x");
            p.globals.push(x);
        }),
        ("wrong scope", None, |p| {
            let x = variable(p, "x");
            p.procedures[1].locals.push(x);
        }),
        ("declared twice", None, |p| {
            let x = variable(p, "x");
            p.procedures[0].locals.push(x);
        }),
        ("not declared where it belongs", None, |p| {
            let z = p.terms.var("z", &Sort::Int);
            p.variables.insert(z, Variable::new("z", Scope::Global));
        }),
    ]);
}

#[test]
fn locations() {
    check(&[
        ("error location belongs to a procedure", None, |p| {
            p.locations[0].procedure = Some(ProcedureId(0));
        }),
        ("an edge leaves the error location", None, |p| p.locations[0].edges.push(EdgeId(0))),
        ("belongs to no procedure", None, |p| {
            p.locations.push(Location { procedure: None, edges: vec![] });
        }),
        ("lists an edge of another location", None, |p| p.locations[3].edges.push(EdgeId(0))),
        ("lists an edge twice", None, |p| p.locations[1].edges.push(EdgeId(0))),
        ("does not list it", None, |p| p.locations[1].edges.clear()),
        ("belongs to another", None, |p| p.procedures[0].exit = p.procedures[1].exit),
        ("belongs to another", None, |p| p.procedures[0].entry = Program::ERROR),
        ("the entry of a procedure is its exit", None, |p| {
            p.procedures[0].entry = p.procedures[0].exit;
        }),
        ("an edge leaves an exit", None, |p| {
            let from = p.procedures[0].exit;
            let id = EdgeId(p.edges.len() as u32);
            p.edges.push(Edge { from, ..p.edges[0].clone() });
            p.locations[from.index()].edges.push(id);
        }),
    ]);
}

#[test]
fn shapes_of_edges() {
    check(&[
        ("returns, and only they", Some(0), |p| p.edges[0].statement = Statement::Return),
        ("returns, and only they", Some(0), |p| p.edges[0].to = p.procedures[0].exit),
        ("is no condition", Some(0), |p| p.edges[0].to = Program::ERROR),
        ("names no property", Some(4), |p| p.sites[0].property = None),
        ("without a call", Some(0), |p| p.edges[0].to = p.procedures[1].entry),
    ]);
    assert_eq!(sample().edges[4].to, LocationId(0));
}

#[test]
fn sorts_and_scopes() {
    check(&[
        ("that is no variable", Some(0), |p| {
            let zero = p.terms.constant(&term::Value::int(0));
            p.edges[0].statement = assign(zero, zero);
        }),
        ("expected the sort Int, found Bool", Some(0), |p| {
            let (x, yes) = (variable(p, "x"), p.terms.bool(true));
            p.edges[0].statement = assign(x, yes);
        }),
        ("`r` is not in scope", Some(0), |p| {
            let (x, r) = (variable(p, "x"), variable(p, "r"));
            p.edges[0].statement = assign(x, r);
        }),
        ("`r` is not in scope", Some(0), |p| {
            let r = variable(p, "r");
            p.edges[0].statement = havoc(r);
        }),
        ("undeclared", Some(0), |p| {
            let (x, z) = (variable(p, "x"), p.terms.var("z", &Sort::Int));
            p.edges[0].statement = assign(x, z);
        }),
        ("no map", Some(0), |p| {
            let x = variable(p, "x");
            p.edges[0].statement = assign_cell(x, &[x], x);
        }),
        ("expected the sort Int, found Bool", Some(1), |p| {
            let (m, x, yes) = (variable(p, "m"), variable(p, "x"), p.terms.bool(true));
            p.edges[1].statement = assign_cell(m, &[yes], x);
        }),
        ("`q` is not in scope", Some(1), |p| {
            let (variable, q) = (variable(p, "m"), variable(p, "q"));
            let place = Place { variable, indices: vec![q] };
            p.edges[1].statement = Statement::Havoc { place };
        }),
        ("expected the sort Bool, found Int", Some(3), |p| {
            let condition = variable(p, "x");
            p.edges[3].statement = Statement::Assume { condition };
        }),
        ("`q` is not in scope", Some(3), |p| {
            let (q, zero) = (variable(p, "q"), p.terms.constant(&term::Value::int(0)));
            let condition = p.terms.le(zero, q);
            p.edges[3].statement = Statement::Assume { condition };
        }),
    ]);
}

#[test]
fn calls() {
    check(&[
        ("a procedure that does not exist", Some(2), |p| call(p).0.0 = 9),
        ("wrong number", Some(2), |p| call(p).1.clear()),
        ("wrong number", Some(2), |p| call(p).2.clear()),
        ("found Bool", Some(2), |p| {
            let yes = p.terms.bool(true);
            call(p).1[0] = yes;
        }),
        ("`q` is not in scope", Some(2), |p| {
            let q = variable(p, "q");
            call(p).1[0] = q;
        }),
        ("`r` is not in scope", Some(2), |p| {
            let r = variable(p, "r");
            call(p).2[0] = r;
        }),
        ("expected the sort Int, found", Some(2), |p| {
            let m = variable(p, "m");
            call(p).2[0] = m;
        }),
        ("that is no variable", Some(2), |p| {
            let zero = p.terms.constant(&term::Value::int(0));
            call(p).2[0] = zero;
        }),
    ]);
}
