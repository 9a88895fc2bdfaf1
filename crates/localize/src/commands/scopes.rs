//! Which decisions a step is inside of.
//!
//! The closest one is its guard, by post-dominance ([`crate::flow`]). Those around it follow from that, with two
//! exceptions, where a programmer would not say that one is inside the other although control depends on it:
//!
//! - A round of a loop is not inside the round before. The paper unrolls `while` to a sequence.
//! - What comes after `if (x) return 0;` is not inside that. If the way not taken does nothing but assign results
//!   and leave the procedure, the decision is around those steps only that assign the same.

use program::{LocationId, Program, Statement};
use rustc_hash::FxHashMap;
use term::Term;

use crate::flow::{Flow, Spot, spots};

#[derive(Debug)]
pub(super) struct Scopes {
    /// For each step, the closest decision around it.
    around: Vec<Option<u32>>,
    /// For each decision, the first step that is not inside it any more.
    ends: FxHashMap<u32, u32>,
    /// The decisions whose other way leaves the procedure, and what that assigns.
    leaving: FxHashMap<u32, Vec<Spot>>,
    steps: usize,
    /// How many decisions are around the innermost one.
    pub depth: u32,
}

/// The previous round of a loop is looked for among so many decisions.
const MOST_ABOVE: usize = 64;
/// A way of more edges does not only return.
const LONGEST_RETURN: usize = 8;

impl Scopes {
    pub fn of(flow: &Flow<'_>) -> Scopes {
        let steps = flow.failure.trace.steps.len();
        let mut scopes = Scopes {
            around: Vec::with_capacity(steps),
            ends: FxHashMap::default(),
            leaving: FxHashMap::default(),
            steps,
            depth: 0,
        };
        let mut open: Vec<u32> = Vec::new();
        let mut depths: FxHashMap<u32, u32> = FxHashMap::default();
        let mut exits: FxHashMap<(LocationId, LocationId), Option<Vec<Spot>>> =
            FxHashMap::default();
        for at in 0..steps {
            let guard = flow.guard(at).map(|guard| guard as u32);
            let around = match flow.is_decision(at) {
                true => scopes.round(flow, at, guard),
                false => guard,
            };
            // Those that are open are in order.
            if around.is_none_or(|around| open.binary_search(&around).is_ok()) {
                while let Some(last) = open.pop_if(|last| Some(*last) != around) {
                    scopes.ends.insert(last, at as u32);
                }
            }
            scopes.around.push(around);
            if flow.is_decision(at) {
                open.push(at as u32);
                let depth = around.and_then(|around| depths.get(&around)).map_or(0, |d| d + 1);
                depths.insert(at as u32, depth);
                scopes.depth = scopes.depth.max(depth);
                if let Some((from, to)) = ends_of(flow, at) {
                    let assigned =
                        exits.entry((from, to)).or_insert_with(|| leaves(flow, at, from));
                    if let Some(assigned) = assigned {
                        scopes.leaving.insert(at as u32, assigned.clone());
                    }
                }
            }
        }
        scopes
    }

    /// What is around a decision: that of the previous round, if it is the same one again.
    fn round(&self, flow: &Flow<'_>, at: usize, guard: Option<u32>) -> Option<u32> {
        let steps = &flow.failure.trace.steps;
        let own = ends_of(flow, at)?.0;
        let mut above = guard;
        for _ in 0..MOST_ABOVE {
            let Some(decision) = above else { break };
            let other = decision as usize;
            if steps[other].frame.activation == steps[at].frame.activation
                && ends_of(flow, other).is_some_and(|ends| ends.0 == own)
            {
                return self.around[other];
            }
            above = self.around[other];
        }
        guard
    }

    /// The first step that is not inside a decision any more.
    pub fn end(&self, decision: usize) -> usize {
        self.ends.get(&(decision as u32)).map_or(self.steps, |&end| end as usize)
    }

    /// The decisions around a step that assigns this, the innermost first.
    pub fn decisions(&self, flow: &Flow<'_>, step: usize, variable: Option<Term>) -> Vec<usize> {
        let mut found = Vec::new();
        let mut above = self.around[step];
        let spot = variable.map(|variable| flow.spot(variable).0);
        while let Some(decision) = above {
            let inside = match self.leaving.get(&decision) {
                Some(assigned) => spot.as_ref().is_some_and(|spot| assigned.contains(spot)),
                None => true,
            };
            if inside {
                found.push(decision as usize);
            }
            above = self.around[decision as usize];
        }
        found
    }
}

fn ends_of(flow: &Flow<'_>, step: usize) -> Option<(LocationId, LocationId)> {
    let trace = &flow.failure.trace;
    let edge = flow.failure.program.edge(*trace.path.get(trace.steps[step].at as usize)?);
    Some((edge.from, edge.to))
}

/// What the way not taken assigns, if it only returns: it assigns one result, or what becomes one, and leads to the
/// procedure's end without meeting anything that could go wrong.
fn leaves(flow: &Flow<'_>, step: usize, from: LocationId) -> Option<Vec<Spot>> {
    let program = flow.failure.program;
    let omitted = flow.omitted(step)?;
    let &[result] = &omitted.variables[..] else { return None };
    let procedure = program.procedure(program.location(from).procedure?);
    let trace = &flow.failure.trace;
    let taken = *trace.path.get(trace.steps[step].at as usize)?;
    let mut others =
        program.out_edges(from).filter(|(id, edge)| *id != taken && edge.to != Program::ERROR);
    let mut at = others.next()?.1.to;
    if others.next().is_some() || !omitted.objects.is_empty() {
        return None;
    }
    let mut returned = procedure.results.contains(&result);
    for _ in 0..LONGEST_RETURN {
        if at == procedure.exit {
            break;
        }
        let mut next = program.out_edges(at);
        let (_, edge) = next.next()?;
        if next.next().is_some() {
            return None;
        }
        if let Statement::Assign { place, value } = &edge.statement {
            let hands_on = procedure.results.contains(&place.variable) && *value == result;
            if !hands_on && place.variable != result {
                return None;
            }
            returned |= hands_on;
        }
        at = edge.to;
    }
    (at == procedure.exit && returned).then(|| spots(omitted).collect())
}
