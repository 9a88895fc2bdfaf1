//! Control dependence, compared with its definition.

use term::{Sort, Term, Value};

use super::{Random, reach};
use crate::graph::control::{control_dependence, scopes};
use crate::graph::dominators::ends;
use crate::graph::{Checks, Flow, Graph};
use crate::interpret::{Machine, Oracle, run};
use crate::program::{EdgeId, ProcedureId, Program, Statement};
use crate::stop::Stop;
use crate::testing::{Sketch, edge_between, havoc, location, program_of};

#[test]
fn dependence_is_the_definition() {
    let mut random = Random(5);
    for _ in 0..3000 {
        let graph = random.graph();
        let program = program_of(&graph);
        let control = control_dependence(&program, ProcedureId(0), Checks::Branch);
        let flow = Flow::new(&program, ProcedureId(0), Checks::Branch);
        let len = flow.graph.len();
        let mut edges: Vec<(u32, u32)> = flow.graph.edges().collect();
        edges.extend(ends(&flow.graph, flow.entry).iter().map(|&n| (n, len as u32)));
        let extended = Graph::new(len + 1, &edges);
        let post = |a: u32, b: u32| a == b || !reach(&extended, b as usize, Some(a as usize))[len];
        let dominates = |a: u32, b: u32| {
            a == b || !reach(&flow.graph, flow.entry as usize, Some(a as usize))[b as usize]
        };
        let reached = reach(&flow.graph, flow.entry as usize, None);
        let is_branch = |n: u32| flow.graph.successors(n as usize).len() > 1;
        // The nearest dominator at which it is open whether `n` is reached.
        let open = |n: u32| {
            let open: Vec<u32> = (0..len as u32)
                .filter(|&d| reached[d as usize] && d != n && dominates(d, n) && !post(n, d))
                .collect();
            open.iter().copied().find(|&d| open.iter().all(|&e| dominates(e, d)))
        };
        for n in 0..len as u32 {
            let expected: Vec<EdgeId> = flow
                .edges()
                .iter()
                .copied()
                .filter(|&edge| {
                    let (u, v) = flow.ends_of(&program, edge).expect("both are nodes");
                    is_branch(u) && post(n, v) && (n == u || !post(n, u))
                })
                .collect();
            assert_eq!(control.of_location(flow.location(n)), expected, "{n} {graph:?}");

            if !reached[n as usize] {
                continue;
            }
            let mut closest = open(n);
            while let Some(head) = closest.filter(|&d| !is_branch(d)) {
                closest = open(head);
            }
            let closest = closest.map(|d| flow.location(d));
            assert_eq!(control.enclosing(flow.location(n)), closest, "{n} {graph:?}");
        }
    }
}

/// `while (c) { if (a || b) s; }` with the locations 0: c, 1: a, 2: b, 3: s, 4: after.
#[test]
fn a_loop_with_a_disjunction() {
    let edges = [(0, 1), (0, 4), (1, 3), (1, 2), (2, 3), (2, 0), (3, 0)];
    let program = program_of(&Graph::new(5, &edges));
    let control = control_dependence(&program, ProcedureId(0), Checks::Branch);
    let edge = |a, b| edge_between(&program, a, b);
    assert_eq!(control.of_location(location(0)), [edge(0, 1)]);
    assert_eq!(control.of_location(location(1)), [edge(0, 1)]);
    assert_eq!(control.of_location(location(2)), [edge(1, 2)]);
    assert_eq!(control.of_location(location(3)), [edge(1, 3), edge(2, 3)]);
    assert_eq!(control.of_location(location(4)), []);
    let enclosing = [0, 1, 2, 3, 4].map(|n| control.enclosing(location(n)));
    assert_eq!(enclosing, [None, Some(location(0)), Some(location(1)), Some(location(1)), None]);

    // Two rounds: a true; then a false, b true.
    let path = [0, 1, 3, 0, 1, 2, 3, 0, 4];
    let trace: Vec<EdgeId> = path.windows(2).map(|w| edge(w[0], w[1])).collect();
    let expected = [None, Some(0), Some(1), Some(0), Some(3), Some(4), Some(5), Some(3)];
    assert_eq!(scopes(&program, &trace, Checks::Branch), expected);
}

/// `check c; call p; d` where `p` is `check c; e`: inside a call the scope is the call, and whether
/// what follows a check is in its scope is for the caller to say.
#[test]
fn scopes_of_calls_and_checks() {
    let mut sketch = Sketch::new();
    let c = sketch.builder.global("c", &Sort::Bool);
    let [main, p] = ["main", "p"].map(|name| sketch.builder.procedure(name));
    sketch.builder.enter_at(main);
    for (id, statements) in [
        (main, vec![Statement::Call { callee: p, arguments: vec![], results: vec![] }, havoc(c)]),
        (p, vec![havoc(c)]),
    ] {
        let entry = sketch.builder.entry_of(id);
        let [checked, last] = [(); 2].map(|()| sketch.builder.location(id));
        sketch.branch(entry, c, checked, Program::ERROR);
        sketch.chain(id, checked, last, statements);
        sketch.ret(id, last);
    }
    let program = sketch.builder.finish().expect("well-formed");
    let mut trace = Vec::new();
    let mut machine = Machine::new(&program, main, &mut Ones);
    run(&mut machine, &mut Ones, 100, &Stop::default(), &mut |edge| trace.push(edge));
    // check, call, (check, havoc, return), havoc, return
    let inside = Some(1);
    assert_eq!(
        scopes(&program, &trace, Checks::GoOn),
        [None, None, inside, inside, inside, None, None]
    );
    assert_eq!(
        scopes(&program, &trace, Checks::Branch),
        [None, Some(0), inside, Some(2), Some(2), Some(0), Some(0)]
    );
}

/// Everything is true.
struct Ones;

impl Oracle for Ones {
    fn initial(&mut self, _: u32, _: Term, _: &Sort) -> Value {
        Value::Bool(true)
    }

    fn havoc(&mut self, _: &Sort) -> Value {
        Value::Bool(true)
    }
}
