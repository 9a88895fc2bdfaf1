//! Live variables, compared with their definition.

use term::Term;

use super::Random;
use super::data::random_program;
use crate::graph::liveness::Liveness;
use crate::{LocationId, ProcedureId, Program, Statement};

/// Whether a path leads from a location to a statement that reads the variable, and none on the way overwrites it: all
/// paths that visit no location twice.
fn is_read(program: &Program, variable: Term, path: &mut Vec<LocationId>) -> bool {
    let at = path[path.len() - 1];
    program.out_edges(at).any(|(_, edge)| {
        let operands = edge.statement.operands();
        if operands.iter().any(|&operand| program.terms.mentions(operand, variable)) {
            return true;
        }
        let overwrites = match &edge.statement {
            Statement::Assign { place, .. } | Statement::Havoc { place } => {
                place.variable == variable && place.indices.is_empty()
            }
            _ => false,
        };
        if overwrites || path.contains(&edge.to) {
            return false;
        }
        path.push(edge.to);
        let found = is_read(program, variable, path);
        path.pop();
        found
    })
}

#[test]
fn live_variables_are_those_that_may_be_read() {
    let mut random = Random(7);
    let mut some = 0;
    for _ in 0..500 {
        let graph = random.graph();
        let (program, variables) = random_program(&mut random, &graph);
        let liveness = Liveness::of(&program, ProcedureId(0)).expect("small");
        let mut seen = vec![program.procedures[0].entry];
        let mut next = 0;
        while let Some(&location) = seen.get(next) {
            next += 1;
            let live: Vec<Term> = liveness.at(location).collect();
            some += live.len();
            for variable in variables {
                let expected = is_read(&program, variable, &mut vec![location]);
                assert_eq!(live.contains(&variable), expected, "at {location:?}");
            }
            for (_, edge) in program.out_edges(location) {
                if !seen.contains(&edge.to) {
                    seen.push(edge.to);
                }
            }
        }
    }
    assert!(some > 500, "{some}");
}
