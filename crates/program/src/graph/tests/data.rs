//! Data dependence and effects, compared with their definitions.

use term::{Sort, Term};

use super::{Random, reach};
use crate::graph::Graph;
use crate::graph::data::{Access, DataDependence, access, data_dependences, effects};
use crate::testing::{Sketch, assign, assign_cell, edge_between, havoc, program_of};
use crate::{EdgeId, LocationId, ProcedureId, Program, Scope, Statement, Variable};

/// A program with the shape of the graph and random statements over `x`, `y` and a map `m`.
pub(super) fn random_program(random: &mut Random, graph: &Graph) -> (Program, [Term; 3]) {
    let mut program = program_of(graph);
    let map = Sort::array(Sort::Int, Sort::Int);
    let variables = [("x", Sort::Int), ("y", Sort::Int), ("m", map)].map(|(name, sort)| {
        let variable = program.terms.var(name, &sort);
        let scope = Scope::Local(ProcedureId(0));
        program.variables.insert(variable, Variable::new(name, scope));
        program.procedures[0].locals.push(variable);
        variable
    });
    let [x, y, m] = variables;
    let element = program.terms.select(m, x);
    let condition = program.terms.le(x, y);
    for edge in 0..graph.edges().count() {
        program.edges[edge].statement = match random.below(8) {
            0 => assign(x, y),
            1 => assign(y, element),
            2 => assign_cell(m, &[x], y),
            3 => havoc(x),
            4 => havoc(m),
            5 => Statement::Assume { condition },
            6 => assign(x, element),
            _ => continue,
        };
    }
    crate::verify(&program).expect("well-formed");
    (program, variables)
}

/// Whether the value that a variable has at one location can be the one it has at another: tries
/// all paths that visit no location twice.
fn survives(program: &Program, variable: Term, path: &mut Vec<LocationId>, to: LocationId) -> bool {
    let at = path[path.len() - 1];
    at == to
        || program.out_edges(at).any(|(_, edge)| {
            let kills = match &edge.statement {
                Statement::Assign { place, .. } | Statement::Havoc { place } => {
                    place.variable == variable && place.indices.is_empty()
                }
                _ => false,
            };
            if kills || path.contains(&edge.to) {
                return false;
            }
            path.push(edge.to);
            let survived = survives(program, variable, path, to);
            path.pop();
            survived
        })
}

#[test]
fn dependences_are_paths_without_overwriting() {
    let mut random = Random(6);
    let mut count = 0;
    for _ in 0..3000 {
        let graph = random.graph();
        let (program, variables) = random_program(&mut random, &graph);
        let reached = reach(&graph, 0, None);
        let is_reached = |edge: EdgeId| reached[program.edge(edge).from.index() - 1];
        let edges = (0..program.edges.len() as u32).map(EdgeId).filter(|&e| is_reached(e));
        let mut expected = Vec::new();
        for user in edges.clone() {
            let target = program.edge(user).from;
            for variable in variables {
                let read = match &program.edge(user).statement {
                    Statement::Assign { place, value } => [&place.indices[..], &[*value]].concat(),
                    Statement::Assume { condition } => vec![*condition],
                    _ => vec![],
                };
                if !read.iter().any(|&t| program.terms.mentions(t, variable)) {
                    continue;
                }
                let entry = program.procedures[0].entry;
                if survives(&program, variable, &mut vec![entry], target) {
                    expected.push(DataDependence { user, variable, definition: None });
                }
                for definition in edges.clone() {
                    let defines = match &program.edge(definition).statement {
                        Statement::Assign { place, .. } | Statement::Havoc { place } => {
                            place.variable == variable
                        }
                        _ => false,
                    };
                    let from = program.edge(definition).to;
                    if defines && survives(&program, variable, &mut vec![from], target) {
                        let definition = Some(definition);
                        expected.push(DataDependence { user, variable, definition });
                    }
                }
            }
        }
        expected.sort_unstable();
        count += expected.len();
        assert_eq!(data_dependences(&program, &[], ProcedureId(0)), expected);
    }
    assert!(count > 5000, "the test is not vacuous: {count}");
}

#[test]
fn cells_do_not_overwrite() {
    // 0 -m[x] := y-> 1 -m[y] := x-> 2 -assume m[x] <= y-> 3
    let graph = Graph::new(4, &[(0, 1), (1, 2), (2, 3)]);
    let (mut program, [x, y, m]) = random_program(&mut Random(0), &graph);
    let element = program.terms.select(m, x);
    let condition = program.terms.le(element, y);
    program.edges[0].statement = assign_cell(m, &[x], y);
    program.edges[1].statement = assign_cell(m, &[y], x);
    program.edges[2].statement = Statement::Assume { condition };
    let user = edge_between(&program, 2, 3);
    let dependences = data_dependences(&program, &[], ProcedureId(0));
    let of_m: Vec<Option<EdgeId>> = dependences
        .iter()
        .filter(|d| (d.user, d.variable) == (user, m))
        .map(|d| d.definition)
        .collect();
    assert_eq!(of_m, [None, Some(EdgeId(0)), Some(EdgeId(1))]);
}

/// Procedure `p` reads global `r{p}`, assigns global `a{p}`, and calls others.
fn calling(graph: &Graph) -> (Program, Vec<(Term, Term)>) {
    let mut sketch = Sketch::new();
    let count = graph.len();
    let ids: Vec<ProcedureId> =
        (0..count).map(|p| sketch.builder.procedure(&format!("p{p}"))).collect();
    let globals: Vec<(Term, Term)> = (0..count)
        .map(|p| {
            let read = sketch.builder.global(&format!("r{p}"), &Sort::Int);
            (read, sketch.builder.global(&format!("a{p}"), &Sort::Int))
        })
        .collect();
    for (p, &id) in ids.iter().enumerate() {
        let mut statements = vec![assign(globals[p].1, globals[p].0)];
        statements.extend(graph.successors(p).iter().map(|&callee| Statement::Call {
            callee: ids[callee as usize],
            arguments: vec![],
            results: vec![],
        }));
        let (entry, last) = (sketch.builder.entry_of(id), sketch.builder.location(id));
        sketch.chain(id, entry, last, statements);
        sketch.ret(id, last);
    }
    (sketch.builder.finish().expect("well-formed"), globals)
}

#[test]
fn effects_are_those_of_all_that_can_be_called() {
    let mut random = Random(7);
    for _ in 0..1000 {
        let graph = random.graph();
        let (program, globals) = calling(&graph);
        for (p, effects) in effects(&program).iter().enumerate() {
            let called = reach(&graph, p, None);
            let touched = globals.iter().enumerate().filter(|&(q, _)| called[q]);
            let (reads, assigns): (Vec<Term>, Vec<Term>) = touched.map(|(_, &g)| g).unzip();
            assert_eq!((&effects.reads, &effects.assigns), (&reads, &assigns));
        }
    }
}

#[test]
fn a_call_uses_and_defines_the_globals_of_its_callee() {
    // p0 reads r0, assigns a0, calls p1, which reads r1 and assigns a1.
    let (program, globals) = calling(&Graph::new(2, &[(0, 1)]));
    let effects = effects(&program);
    let call = &program.edges[1].statement;
    let access = access(&program, &effects, ProcedureId(0), call);
    let ((r1, a1), none) = (globals[1], vec![]);
    assert_eq!(access, Access { uses: vec![r1], overwrites: none, may_define: vec![a1] });
    let user = EdgeId(1);
    let expected = DataDependence { user, variable: r1, definition: None };
    assert!(data_dependences(&program, &effects, ProcedureId(0)).contains(&expected));
}

#[test]
fn a_long_procedure_is_quick() {
    // x := y; y := x; x := y; … : each value lives for one step.
    let len = 200_000;
    let edges: Vec<(u32, u32)> = (0..len - 1).map(|n| (n, n + 1)).collect();
    let (mut program, [x, y, _]) = random_program(&mut Random(0), &Graph::new(1, &[]));
    let whole = program_of(&Graph::new(len as usize, &edges));
    (program.locations, program.edges) = (whole.locations, whole.edges);
    (program.procedures[0].entry, program.procedures[0].exit) =
        (whole.procedures[0].entry, whole.procedures[0].exit);
    for (n, edge) in program.edges[..edges.len()].iter_mut().enumerate() {
        edge.statement = if n % 2 == 0 { assign(x, y) } else { assign(y, x) };
    }
    assert_eq!(data_dependences(&program, &[], ProcedureId(0)).len(), edges.len());
}
