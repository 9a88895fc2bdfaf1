//! The analyses compared with naive computations of their definitions, on random small graphs.

mod control;
mod data;
mod dominators;
mod runs;
mod sketch;
mod writes;

use super::Graph;

/// SplitMix64: small, and the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// Up to ten nodes; mostly not all can be reached, and cycles of all kinds occur.
    pub fn graph(&mut self) -> Graph {
        let len = 1 + self.below(10);
        let edges: Vec<(u32, u32)> = (0..self.below(2 * len + 1))
            .map(|_| (self.below(len) as u32, self.below(len) as u32))
            .collect();
        Graph::new(len, &edges)
    }
}

/// Which nodes can be reached from the root without passing through `removed`.
pub fn reach(graph: &Graph, root: usize, removed: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; graph.len()];
    let mut stack = vec![root];
    while let Some(node) = stack.pop() {
        if Some(node) != removed && !std::mem::replace(&mut seen[node], true) {
            stack.extend(graph.successors(node).iter().map(|&s| s as usize));
        }
    }
    seen
}

#[test]
fn neighbours_keep_the_order_of_the_edges() {
    let graph = Graph::new(4, &[(2, 1), (0, 3), (2, 0), (0, 3), (3, 3)]);
    assert_eq!(graph.successors(0), [3, 3]);
    assert_eq!(graph.successors(2), [1, 0]);
    assert_eq!(graph.predecessors(3), [0, 0, 3]);
    assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 3), (0, 3), (2, 1), (2, 0), (3, 3)]);
    assert_eq!(graph.reversed().successors(3), [0, 0, 3]);
}

#[test]
fn post_order_lists_what_can_be_reached_once() {
    let mut random = Random(1);
    for _ in 0..2000 {
        let graph = random.graph();
        let order = graph.reverse_post_order(0);
        let reached = reach(&graph, 0, None);
        assert_eq!(order.len(), reached.iter().filter(|&&r| r).count());
        let mut place = vec![None; graph.len()];
        for (at, &node) in order.iter().enumerate() {
            assert!(reached[node as usize]);
            assert_eq!(place[node as usize].replace(at), None);
        }
        // Only an edge on a cycle goes backwards.
        for (from, to) in graph.edges().filter(|&(from, _)| reached[from as usize]) {
            let backwards = place[to as usize] <= place[from as usize];
            assert!(!backwards || reach(&graph, to as usize, None)[from as usize]);
        }
    }
}

#[test]
fn a_long_chain_does_not_overflow_the_stack() {
    let edges: Vec<(u32, u32)> = (0..1_000_000).map(|n| (n, n + 1)).collect();
    let graph = Graph::new(1_000_001, &edges);
    assert_eq!(graph.reverse_post_order(0).last(), Some(&1_000_000));
}
