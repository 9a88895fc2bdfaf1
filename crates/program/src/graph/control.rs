//! Control dependence: which branch decides whether a location is reached.
//!
//! Ferrante, Ottenstein and Warren (1987): a location `n` is control dependent on a branch edge
//! `u → v` if taking the edge makes `n` certain (`n` post-dominates `v`) while at `u` it was still
//! open (`n` does not post-dominate `u`, or is `u` itself, as the head of a loop is: each round decides
//! whether there is another). For one edge these `n` are found in the post-dominator tree: they are
//! `v` and what lies above it, up to but without the immediate post-dominator of `u`; for that one is
//! the first location that is certain already at `u`. So the whole relation is computed by a climb for
//! each branch edge, in time proportional to its size.
//!
//! A branch is a location with several edges. A loop that cannot be left has a virtual way out at its
//! head (see [`super::dominators`]), but no statement of the program decides about that, so such a
//! head is no branch unless it has several edges of its own.
//!
//! Edges carry the statements, so users ask about edges. A statement is executed when its source is
//! reached (or blocks there), so an edge depends on what its source depends on. In particular the
//! conditions of a branch depend on the branch around it, not on each other.
//!
//! A location may depend on several edges: with `if (a || b) s` as two branches, `s` depends on the
//! true edge of each. The *closest enclosing branch* is single: the nearest dominator at which it was
//! still open whether the location would be reached, `a` in the example. If `n` is certain at `d`, and
//! `d` is certain at the branch around `d`, then `n` is certain there too; so the branch around `n` is
//! found by going from each dominator directly to the branch around it. Inside a loop that cannot be
//! left, the nearest such dominator may be the head with its virtual way out; then it is what is around
//! the head.
//!
//! In a trace, a step was decided by one earlier step: the last one in the same activation whose edge
//! it depends on. If there is none, it was decided by the call that began the activation. This gives
//! the trace the shape of a tree, its *scopes*.

use rustc_hash::FxHashMap;

use super::dominators::{dominators, post_dominators};
use super::{Checks, Flow};
use crate::program::{EdgeId, LocationId, ProcedureId, Program, Statement};

/// The control dependences in one procedure.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    flow: Flow,
    /// For each node, in increasing order.
    dependences: Vec<Vec<EdgeId>>,
    enclosing: Vec<Option<u32>>,
}

impl ControlDependence {
    /// The branch edges that decide whether the location is reached; none if it is always, or cannot
    /// be.
    pub fn of_location(&self, location: LocationId) -> &[EdgeId] {
        self.flow.node(location).map_or(&[], |node| &self.dependences[node as usize])
    }

    /// The branch edges that decide whether the edge's statement is executed.
    pub fn of_edge(&self, program: &Program, edge: EdgeId) -> &[EdgeId] {
        self.of_location(program.edge(edge).from)
    }

    /// The closest enclosing branch.
    pub fn enclosing(&self, location: LocationId) -> Option<LocationId> {
        let node = self.flow.node(location)?;
        self.enclosing[node as usize].map(|branch| self.flow.location(branch))
    }
}

/// The control dependences in a procedure.
pub fn control_dependence(
    program: &Program,
    procedure: ProcedureId,
    checks: Checks,
) -> ControlDependence {
    let flow = Flow::new(program, procedure, checks);
    let post = post_dominators(&flow.graph, flow.entry);
    let mut dependences = vec![Vec::new(); flow.graph.len()];
    let is_branch = |n: u32| flow.graph.successors(n as usize).len() > 1;
    for &edge in flow.edges() {
        let Some((from, to)) = flow.ends_of(program, edge).filter(|&(from, _)| is_branch(from))
        else {
            continue;
        };
        let certain = post.immediate(from);
        let mut node = Some(to);
        while let Some(dependent) = node.filter(|_| node != certain) {
            dependences[dependent as usize].push(edge);
            node = post.immediate(dependent);
        }
    }
    let dominance = dominators(&flow.graph, flow.entry);
    let mut enclosing: Vec<Option<u32>> = vec![None; flow.graph.len()];
    for node in flow.graph.reverse_post_order(flow.entry) {
        let mut branch = dominance.immediate(node);
        while let Some(at) = branch.filter(|&n| post.dominates(node, n) || !is_branch(n)) {
            branch = enclosing[at as usize];
        }
        enclosing[node as usize] = branch;
    }
    ControlDependence { flow, dependences, enclosing }
}

/// The control dependence of procedures and of their edges, as far as it was needed.
#[derive(Default)]
struct Dependences {
    of: FxHashMap<ProcedureId, ControlDependence>,
    edges: FxHashMap<EdgeId, Decided>,
}

struct Decided {
    /// The branch edges that decide whether it is taken.
    by: Vec<EdgeId>,
    /// Whether it may be one of those of another edge.
    is_branch: bool,
}

impl Dependences {
    /// What is known about an edge; none if it belongs to no procedure.
    fn decided(&mut self, program: &Program, edge: EdgeId, checks: Checks) -> Option<&Decided> {
        let from = program.edge(edge).from;
        let procedure = program.location(from).procedure?;
        Some(self.edges.entry(edge).or_insert_with(|| {
            let control = self
                .of
                .entry(procedure)
                .or_insert_with(|| control_dependence(program, procedure, checks));
            let by = control.of_edge(program, edge).to_vec();
            Decided { by, is_branch: program.out_edges(from).count() > 1 }
        }))
    }
}

/// For each step of a trace, given as the edges that an execution took, the earlier step that decided
/// about it: a branch, or the call of its activation.
pub fn scopes(program: &Program, trace: &[EdgeId], checks: Checks) -> Vec<Option<usize>> {
    struct Activation {
        call: Option<usize>,
        /// When each edge of a branch was taken last.
        last: FxHashMap<EdgeId, usize>,
    }
    let mut known = Dependences::default();
    let mut activations = vec![Activation { call: None, last: FxHashMap::default() }];
    let mut scopes = Vec::with_capacity(trace.len());
    for (step, &edge) in trace.iter().enumerate() {
        let Some(decided) = known.decided(program, edge, checks) else { break };
        let Some(activation) = activations.last_mut() else { break };
        let last = decided.by.iter().filter_map(|branch| activation.last.get(branch).copied());
        scopes.push(last.max().or(activation.call));
        if decided.is_branch {
            activation.last.insert(edge, step);
        }
        // A function of the world may be called through a pointer: then it goes on behind the call.
        let goes_on = || {
            let next = trace.get(step + 1).map(|&next| program.edge(next).from);
            next == Some(program.edge(edge).to)
        };
        match program.edge(edge).statement {
            Statement::CallPointer { .. } if goes_on() => {}
            Statement::Call { .. } | Statement::CallPointer { .. } => {
                activations.push(Activation { call: Some(step), last: FxHashMap::default() });
            }
            Statement::Return => {
                activations.pop();
                // The trace may begin within calls.
                if activations.is_empty() {
                    activations.push(Activation { call: None, last: FxHashMap::default() });
                }
            }
            _ => {}
        }
    }
    scopes
}
