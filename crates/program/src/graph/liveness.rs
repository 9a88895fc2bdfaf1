//! Which variables of a procedure may still be read.
//!
//! A variable is *live* at a location if some path leads from there to a statement that reads it, and no statement on the way
//! overwrites it. Two activations that are at the same location, with the same values of the variables that are live there,
//! do the same from then on, whatever else they have computed before.

use rustc_hash::FxHashMap;
use term::Term;

use super::data::{Access, access};
use super::{Checks, Flow};
use crate::program::{LocationId, ProcedureId, Program};

/// The live variables at the locations of a procedure.
#[derive(Debug)]
pub struct Liveness {
    flow: Flow,
    variables: Vec<Term>,
    /// For each node, a bit for each variable.
    live: Vec<u64>,
    words: usize,
}

/// Larger tables are not made.
const MOST_WORDS: usize = 1 << 23;

impl Liveness {
    /// None if the procedure is too large.
    pub fn of(program: &Program, procedure: ProcedureId) -> Option<Liveness> {
        let mut variables: Vec<Term> = program.procedure(procedure).variables().collect();
        variables.sort_unstable();
        variables.dedup();
        let flow = Flow::new(program, procedure, Checks::Branch);
        let words = variables.len().div_ceil(64);
        if flow.graph.len().saturating_mul(words) > MOST_WORDS {
            return None;
        }
        let number: FxHashMap<Term, usize> =
            variables.iter().enumerate().map(|(number, &variable)| (variable, number)).collect();
        let mut into = vec![Vec::new(); flow.graph.len()];
        for &edge in flow.edges() {
            let Some((from, to)) = flow.ends_of(program, edge) else { continue };
            let Access { uses, overwrites, .. } =
                access(program, &[], procedure, &program.edge(edge).statement);
            let bits = |of: Vec<Term>| -> Vec<usize> {
                of.iter().filter_map(|variable| number.get(variable).copied()).collect()
            };
            into[to as usize].push((from as usize, bits(uses), bits(overwrites)));
        }
        let mut live = vec![0; flow.graph.len() * words];
        let mut work: Vec<usize> = (0..flow.graph.len()).collect();
        let mut before = vec![0; words];
        while let Some(node) = work.pop() {
            for (from, uses, overwrites) in &into[node] {
                before.copy_from_slice(&live[node * words..][..words]);
                for bit in overwrites {
                    before[bit / 64] &= !(1 << (bit % 64));
                }
                for bit in uses {
                    before[bit / 64] |= 1 << (bit % 64);
                }
                let mut has_grown = false;
                for (here, new) in live[from * words..][..words].iter_mut().zip(&before) {
                    has_grown |= new & !*here != 0;
                    *here |= new;
                }
                if has_grown {
                    work.push(*from);
                }
            }
        }
        Some(Liveness { flow, variables, live, words })
    }

    /// The variables that are live at a location, in order of their ids.
    pub fn at(&self, location: LocationId) -> impl Iterator<Item = Term> + '_ {
        let node = self.flow.node(location).map_or(0..0, |node| {
            let first = node as usize * self.words;
            first..first + self.words
        });
        let words = self.live[node].iter().enumerate();
        words.flat_map(move |(number, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| self.variables[64 * number + bit])
        })
    }
}
