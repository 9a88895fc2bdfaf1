//! Strongly connected components: the loops of a graph, however they were written.
//!
//! Two nodes are in one component if each can be reached from the other. Kosaraju's algorithm: walk
//! the graph depth-first and list the nodes in post-order; then take them in reverse and walk the
//! reversed graph: each such walk, over what is not taken yet, is one component. It is right because a
//! component that can reach another one ends later in post-order, so its walk on reversed edges comes
//! first and cannot leak into the other.

use super::Graph;

/// For each node, the number of its component.
pub fn components(graph: &Graph) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let all: Vec<u32> = (0..graph.len() as u32).collect();
    let mut component = vec![NONE; graph.len()];
    let mut count = 0;
    for &root in graph.post_order(&all).iter().rev() {
        if component[root as usize] != NONE {
            continue;
        }
        component[root as usize] = count;
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            for &before in graph.predecessors(node as usize) {
                if component[before as usize] == NONE {
                    component[before as usize] = count;
                    stack.push(before);
                }
            }
        }
        count += 1;
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_mutual_reachability() {
        let mut state = 7u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % n
        };
        for _ in 0..2000 {
            let len = 1 + below(9) as usize;
            let edges: Vec<(u32, u32)> = (0..below(16))
                .map(|_| (below(len as u64) as u32, below(len as u64) as u32))
                .collect();
            let graph = Graph::new(len, &edges);
            let found = components(&graph);
            let reaches = |from: usize, to: usize| {
                let mut seen = vec![false; len];
                let mut stack = vec![from];
                while let Some(node) = stack.pop() {
                    if !std::mem::replace(&mut seen[node], true) {
                        stack.extend(graph.successors(node).iter().map(|s| *s as usize));
                    }
                }
                seen[to]
            };
            for a in 0..len {
                for b in 0..len {
                    let together = reaches(a, b) && reaches(b, a);
                    assert_eq!(found[a] == found[b], together, "{edges:?}: {a}, {b}");
                }
            }
        }
    }
}
