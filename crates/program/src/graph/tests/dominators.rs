//! Dominance, compared with reachability when a node is removed.

use super::{Random, reach};
use crate::graph::Graph;
use crate::graph::dominators::{dominators, ends, post_dominators};

fn check(graph: &Graph, root: usize) {
    let tree = dominators(graph, root as u32);
    let all = reach(graph, root, None);
    for a in 0..graph.len() {
        let without = reach(graph, root, Some(a));
        for b in 0..graph.len() {
            let expected = all[a] && all[b] && !without[b];
            assert_eq!(tree.dominates(a as u32, b as u32), expected, "{a} {b} {graph:?}");
        }
        // The immediate dominator is a strict one that all other strict ones dominate.
        let strict = |n: usize| n != a && tree.dominates(n as u32, a as u32);
        let immediate = tree.immediate(a as u32);
        assert_eq!(immediate.is_some(), (0..graph.len()).any(strict));
        if let Some(immediate) = immediate {
            assert!(strict(immediate as usize));
            let others = (0..graph.len()).filter(|&n| strict(n));
            assert!(others.into_iter().all(|n| tree.dominates(n as u32, immediate)));
        }
    }
}

#[test]
fn dominance_is_being_on_every_path() {
    let mut random = Random(2);
    for _ in 0..4000 {
        let graph = random.graph();
        check(&graph, random.below(graph.len()));
    }
}

#[test]
fn post_dominance_is_being_on_every_path_to_an_end() {
    let mut random = Random(3);
    for _ in 0..4000 {
        let graph = random.graph();
        let end = graph.len() as u32;
        let ends = ends(&graph, 0);
        let mut edges: Vec<(u32, u32)> = graph.edges().collect();
        edges.extend(ends.iter().map(|&node| (node, end)));
        let extended = Graph::new(graph.len() + 1, &edges);
        let tree = post_dominators(&graph, 0);
        for b in 0..graph.len() {
            assert!(reach(&extended, b, None)[graph.len()], "every node reaches the end");
            for a in 0..graph.len() {
                let expected = a == b || !reach(&extended, b, Some(a))[graph.len()];
                assert_eq!(tree.dominates(a as u32, b as u32), expected, "{a} {b} {graph:?}");
            }
        }
    }
}

#[test]
fn only_heads_of_loops_that_cannot_be_left_are_ends() {
    let mut random = Random(4);
    for _ in 0..4000 {
        let graph = random.graph();
        let reaches: Vec<Vec<bool>> = (0..graph.len()).map(|n| reach(&graph, n, None)).collect();
        let order = graph.reverse_post_order(0);
        let place =
            |n: usize| (order.iter().position(|&m| m as usize == n).unwrap_or(usize::MAX), n);
        let is_end = |n: usize| {
            let mut component = (0..graph.len()).filter(|&m| reaches[n][m]);
            component.clone().all(|m| reaches[m][n]) && component.all(|m| place(n) <= place(m))
        };
        let mut found = ends(&graph, 0);
        found.sort_unstable();
        let expected: Vec<u32> =
            (0..graph.len()).filter(|&n| is_end(n)).map(|n| n as u32).collect();
        assert_eq!(found, expected, "{graph:?}");
    }
}

#[test]
fn an_endless_loop_ends_at_its_head() {
    // 0 -> 1 (head) -> 2 -> {3, 4} -> 5 -> 1
    let graph = Graph::new(6, &[(0, 1), (1, 2), (2, 3), (2, 4), (3, 5), (4, 5), (5, 1)]);
    assert_eq!(ends(&graph, 0), [1]);
    let tree = post_dominators(&graph, 0);
    assert_eq!(tree.immediate(2), Some(5));
    assert_eq!(tree.immediate(5), Some(1));
    assert_eq!(tree.immediate(1), Some(6));
}

#[test]
fn large_graphs_are_quick_and_do_not_overflow_the_stack() {
    // A chain of diamonds, with a long loop around it.
    let diamonds = 250_000;
    let mut edges = Vec::new();
    for n in (0..4 * diamonds).step_by(4) {
        edges.extend([(n, n + 1), (n, n + 2), (n + 1, n + 3), (n + 2, n + 3), (n + 3, n + 4)]);
    }
    edges.push((4 * diamonds, 0));
    let graph = Graph::new(4 * diamonds as usize + 1, &edges);
    let tree = dominators(&graph, 0);
    assert_eq!(tree.immediate(4 * diamonds - 1), Some(4 * diamonds - 4));
    assert!(tree.dominates(4, 4 * diamonds) && !tree.dominates(5, 4 * diamonds));
    let tree = post_dominators(&graph, 0);
    assert_eq!(tree.immediate(0), Some(graph.len() as u32));
    assert_eq!(tree.immediate(4), Some(7));
}
