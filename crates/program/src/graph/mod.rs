//! Directed graphs, and a procedure seen as one.
//!
//! The analyses in this folder ask questions about the shape of control flow, so they work on a graph
//! that knows nothing but shape: nodes are the numbers `0 .. len`, and the successors of all nodes lie
//! in one array, those of a node next to each other (likewise the predecessors). Such a graph is made
//! once from its list of edges, in time linear in them, and never changes; what an analysis adds (a
//! virtual exit, reversed edges) makes a new graph. Several edges between two nodes are allowed: the
//! two arms of `if (c) {}` may lead to the same location.
//!
//! A [`Flow`] is the graph of one procedure: its nodes are the locations that can be reached from the
//! entry, in the order of their ids, and the exit even if it cannot be reached. It stays within the
//! procedure: a call is an edge from its source to its target, as if the callee were one statement
//! that always returns. The error location is a node if the procedure has a check that can fail.
//!
//! Whether a check is a branch depends on the question. An execution may end at a check, so strictly
//! all that follows depends on its outcome. But a reader would not say that the rest of a procedure
//! is "inside" an assertion. [`Checks`] chooses.
//!
//! Programs are large and may be deep, so nothing here recurs: depth-first walks keep their own stack.

pub mod aliases;
pub mod components;
pub mod control;
pub mod data;
pub mod dominators;
#[cfg(test)]
pub(crate) mod tests;
pub mod writes;

use crate::program::{EdgeId, LocationId, ProcedureId, Program};

/// A directed graph on the nodes `0 .. len`.
#[derive(Clone, Debug)]
pub struct Graph {
    successors: Adjacency,
    predecessors: Adjacency,
}

/// The neighbours of node `n` are `neighbours[starts[n] .. starts[n + 1]]`.
#[derive(Clone, Debug)]
struct Adjacency {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Adjacency {
    /// Sorts the edges into buckets by their first node; within one they keep their order.
    fn new(len: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Adjacency {
        let mut starts = vec![0; len + 1];
        for (from, _) in edges.clone() {
            starts[from as usize + 1] += 1;
        }
        for node in 0..len {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![0; starts[len] as usize];
        for (from, to) in edges {
            neighbours[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Adjacency { starts, neighbours }
    }

    fn of(&self, node: usize) -> &[u32] {
        &self.neighbours[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

impl Graph {
    /// The graph with these edges, whose ends must be less than `len`.
    pub fn new(len: usize, edges: &[(u32, u32)]) -> Graph {
        Graph {
            successors: Adjacency::new(len, edges.iter().copied()),
            predecessors: Adjacency::new(len, edges.iter().map(|&(from, to)| (to, from))),
        }
    }

    pub fn len(&self) -> usize {
        self.successors.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// In the order in which the edges were given.
    pub fn successors(&self, node: usize) -> &[u32] {
        self.successors.of(node)
    }

    /// In the order in which the edges were given.
    pub fn predecessors(&self, node: usize) -> &[u32] {
        self.predecessors.of(node)
    }

    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.len() as u32)
            .flat_map(|n| self.successors(n as usize).iter().map(move |&s| (n, s)))
    }

    /// The same nodes with every edge turned around.
    pub fn reversed(&self) -> Graph {
        Graph { successors: self.predecessors.clone(), predecessors: self.successors.clone() }
    }

    /// The nodes that can be reached from the roots, each after all that a depth-first walk finds
    /// below it. Reversed, it is an order in which a node comes before its successors, but for the
    /// edges that close a cycle.
    pub fn post_order(&self, roots: &[u32]) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for &root in roots {
            if !std::mem::replace(&mut seen[root as usize], true) {
                stack.push((root, 0));
            }
            while let Some((node, next)) = stack.last_mut() {
                match self.successors(*node as usize).get(*next) {
                    Some(&successor) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[successor as usize], true) {
                            stack.push((successor, 0));
                        }
                    }
                    None => {
                        order.push(*node);
                        stack.pop();
                    }
                }
            }
        }
        order
    }

    pub fn reverse_post_order(&self, root: u32) -> Vec<u32> {
        let mut order = self.post_order(&[root]);
        order.reverse();
        order
    }
}

/// Whether a check that may fail counts as a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// It does: one arm goes on, the other leads to the error location.
    Branch,
    /// It does not: edges to the error location are left out.
    GoOn,
}

/// The control flow of one procedure.
#[derive(Clone, Debug)]
pub struct Flow {
    pub graph: Graph,
    pub entry: u32,
    pub exit: u32,
    /// The location of each node, in increasing order.
    locations: Vec<LocationId>,
    /// The edges between these locations, in increasing order.
    edges: Vec<EdgeId>,
}

impl Flow {
    pub fn new(program: &Program, procedure: ProcedureId, checks: Checks) -> Flow {
        let procedure = program.procedure(procedure);
        let kept = |edge: &crate::Edge| checks == Checks::Branch || edge.to != Program::ERROR;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut locations = vec![procedure.entry];
        let mut edges = Vec::new();
        seen.insert(procedure.entry);
        let mut next = 0;
        while let Some(&location) = locations.get(next) {
            next += 1;
            for (id, edge) in program.out_edges(location).filter(|(_, edge)| kept(edge)) {
                edges.push(id);
                if seen.insert(edge.to) {
                    locations.push(edge.to);
                }
            }
        }
        if seen.insert(procedure.exit) {
            locations.push(procedure.exit);
        }
        locations.sort_unstable();
        edges.sort_unstable();
        let node = |location| locations.partition_point(|&l| l < location) as u32;
        let pairs: Vec<(u32, u32)> = edges
            .iter()
            .map(|&edge| (node(program.edge(edge).from), node(program.edge(edge).to)))
            .collect();
        Flow {
            graph: Graph::new(locations.len(), &pairs),
            entry: node(procedure.entry),
            exit: node(procedure.exit),
            locations,
            edges,
        }
    }

    pub fn location(&self, node: u32) -> LocationId {
        self.locations[node as usize]
    }

    /// The node of a location, if it can be reached.
    pub fn node(&self, location: LocationId) -> Option<u32> {
        self.locations.binary_search(&location).ok().map(|node| node as u32)
    }

    /// In increasing order.
    pub fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    /// The nodes that an edge of this procedure joins.
    pub fn ends_of(&self, program: &Program, edge: EdgeId) -> Option<(u32, u32)> {
        let edge = program.edge(edge);
        Some((self.node(edge.from)?, self.node(edge.to)?))
    }
}
