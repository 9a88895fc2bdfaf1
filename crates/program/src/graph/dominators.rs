//! Dominators and post-dominators.
//!
//! A node `a` *dominates* `b` if every path from the root to `b` passes through `a`. The dominators of
//! a node form a chain: of two of them, one dominates the other. So all of them are given by one, the
//! *immediate* dominator, which is the closest but the node itself, and the immediate dominators make
//! a tree whose ancestor relation is dominance.
//!
//! The tree is computed by Semi-NCA (Georgiadis, 2005). Number the nodes by a depth-first walk. The
//! *semidominator* of `w` is the smallest `v` from which a path leads to `w` through nodes larger than
//! `w` only: the highest point of the walk's tree from which one can bypass all that lies between it
//! and `w`. Nothing strictly between the two dominates `w`, and the immediate dominator is the nearest
//! common ancestor, in the dominator tree, of the semidominator and of `w`'s parent in the walk. If we
//! go through the nodes in order, the tree above `w` is already there, and that ancestor is found by
//! climbing from the parent until the number is no larger than the semidominator. Semidominators are
//! found in the reverse order: for a predecessor smaller than `w` it is a candidate itself; for a
//! larger one, the best semidominator on its path up to what has been processed is. Those paths are
//! compressed as they are used, so that the whole is linear but for a logarithm (the climbing could be
//! quadratic in theory, and is not in programs).
//!
//! To answer whether `a` dominates `b` in constant time, the tree is walked once; the nodes below `a`
//! are then exactly those whose numbers lie in an interval.
//!
//! *Post-dominators* are the dominators of the reversed graph: `a` post-dominates `b` if every path
//! from `b` to the end passes through `a`. This needs one end, so a virtual node is added, behind
//! every node that has no successors (the exit of a procedure, the error location, a dead end). From
//! some nodes no end can be reached: those that lead only into loops without a way out. Then the walk
//! through the reversed graph would miss them, and nothing could be said about them. So we pretend that
//! such a loop could be left at its head, as loops usually are: in each strongly connected component
//! that has no way out and contains an edge, the node that comes first in reverse post-order from the
//! entry gets an edge to the virtual end. Whatever leads into the loop then reaches an end. Inside the
//! loop everything is as if it were `while (*)`.

use super::Graph;

/// The dominator tree of what can be reached from its root.
#[derive(Clone, Debug)]
pub struct Dominators {
    pub root: u32,
    immediate: Vec<Option<u32>>,
    /// The nodes below `n` in the tree are those whose `enter` is in `enter[n] .. leave[n]`. Nodes
    /// that cannot be reached have an empty interval.
    enter: Vec<u32>,
    leave: Vec<u32>,
}

impl Dominators {
    /// The closest dominator but the node itself. The root has none, nor has what cannot be reached.
    pub fn immediate(&self, node: u32) -> Option<u32> {
        self.immediate[node as usize]
    }

    /// Whether every path from the root to `b` passes through `a`. Each reachable node dominates
    /// itself; nothing dominates, or is dominated by, what cannot be reached.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.reaches(b as u32) && (self.enter[a]..self.leave[a]).contains(&self.enter[b])
    }

    /// Whether the node can be reached from the root.
    pub fn reaches(&self, node: u32) -> bool {
        self.enter[node as usize] < self.leave[node as usize]
    }
}

/// The dominators of all nodes that can be reached from the root.
pub fn dominators(graph: &Graph, root: u32) -> Dominators {
    let walk = Walk::new(graph, root);
    let semi = semidominators(graph, &walk);
    // From here on nodes are known by their number in the walk.
    let mut immediate = walk.parent.clone();
    for w in 1..walk.order.len() {
        while immediate[w] > semi[w] {
            immediate[w] = immediate[immediate[w] as usize];
        }
    }
    let mut of_node = vec![None; graph.len()];
    for w in 1..walk.order.len() {
        of_node[walk.order[w] as usize] = Some(walk.order[immediate[w] as usize]);
    }
    with_intervals(root, of_node)
}

/// The post-dominators; node `graph.len()` is the virtual end, the root of the tree. `entry` says
/// which node is the head of a loop that cannot be left.
pub fn post_dominators(graph: &Graph, entry: u32) -> Dominators {
    let end = graph.len() as u32;
    let mut edges: Vec<(u32, u32)> = graph.edges().map(|(from, to)| (to, from)).collect();
    edges.extend(ends(graph, entry).into_iter().map(|node| (end, node)));
    dominators(&Graph::new(graph.len() + 1, &edges), end)
}

/// The nodes before the virtual end: those without successors, and the heads of the loops that cannot
/// be left.
pub fn ends(graph: &Graph, entry: u32) -> Vec<u32> {
    let len = graph.len();
    let mut ends: Vec<u32> =
        (0..len as u32).filter(|&node| graph.successors(node as usize).is_empty()).collect();
    let mut reaching = vec![false; len];
    mark_reaching(graph, ends.clone(), &mut reaching);
    let stuck: Vec<u32> = (0..len as u32).filter(|&node| !reaching[node as usize]).collect();
    if stuck.is_empty() {
        return ends;
    }
    let mut place = vec![u32::MAX; len];
    for (at, &node) in graph.reverse_post_order(entry).iter().enumerate() {
        place[node as usize] = at as u32;
    }
    // As in Kosaraju's algorithm, the node that a walk of the reversed graph leaves last is in a
    // component that no edge leaves: the component is what can be reached from it. Without the nodes
    // that reach this component, the same holds of the one left last among the others.
    for &node in graph.reversed().post_order(&stuck).iter().rev() {
        if !reaching[node as usize] {
            let component = graph.post_order(&[node]);
            let head = component.into_iter().min_by_key(|&n| (place[n as usize], n));
            ends.extend(head);
            mark_reaching(graph, vec![node], &mut reaching);
        }
    }
    ends
}

/// Marks all nodes from which one of the given can be reached.
fn mark_reaching(graph: &Graph, mut stack: Vec<u32>, marked: &mut [bool]) {
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut marked[node as usize], true) {
            stack.extend_from_slice(graph.predecessors(node as usize));
        }
    }
}

/// A depth-first walk.
struct Walk {
    /// The nodes in the order in which they were found.
    order: Vec<u32>,
    /// The place of each node in `order`.
    number: Vec<Option<u32>>,
    /// The number of the node from which the node with this number was found.
    parent: Vec<u32>,
}

impl Walk {
    fn new(graph: &Graph, root: u32) -> Walk {
        let mut walk = Walk { order: vec![], number: vec![None; graph.len()], parent: vec![] };
        let mut stack = vec![(root, 0)];
        while let Some((node, parent)) = stack.pop() {
            if walk.number[node as usize].is_none() {
                let number = walk.order.len() as u32;
                walk.number[node as usize] = Some(number);
                walk.order.push(node);
                walk.parent.push(parent);
                stack.extend(graph.successors(node as usize).iter().rev().map(|&s| (s, number)));
            }
        }
        walk
    }
}

/// The semidominators, by number.
fn semidominators(graph: &Graph, walk: &Walk) -> Vec<u32> {
    let len = walk.order.len();
    let mut semi: Vec<u32> = (0..len as u32).collect();
    // Of the processed nodes on the way up from a node to its `above`, which is compressed: the one
    // with the smallest semidominator.
    let mut best: Vec<u32> = (0..len as u32).collect();
    let mut above = walk.parent.clone();
    let mut path = Vec::new();
    for w in (1..len as u32).rev() {
        for predecessor in graph.predecessors(walk.order[w as usize] as usize) {
            let Some(v) = walk.number[*predecessor as usize] else { continue };
            let candidate = if v <= w {
                v
            } else {
                compress(v, w, &mut above, &mut best, &semi, &mut path);
                semi[best[v as usize] as usize]
            };
            semi[w as usize] = semi[w as usize].min(candidate);
        }
    }
    semi
}

/// Lets `above[v]` be the first ancestor of `v` that is not processed, that is, not larger than
/// `last`, and `best[v]` the best of the nodes below it.
fn compress(
    v: u32,
    last: u32,
    above: &mut [u32],
    best: &mut [u32],
    semi: &[u32],
    path: &mut Vec<u32>,
) {
    let mut node = v;
    while above[node as usize] > last {
        path.push(node);
        node = above[node as usize];
    }
    // `node` is the topmost processed one: its `above` is final for now.
    while let Some(lower) = path.pop() {
        let (low, up) = (lower as usize, node as usize);
        if semi[best[up] as usize] < semi[best[low] as usize] {
            best[low] = best[up];
        }
        above[low] = above[up];
        node = lower;
    }
}

fn with_intervals(root: u32, immediate: Vec<Option<u32>>) -> Dominators {
    let len = immediate.len();
    let below: Vec<(u32, u32)> =
        (0..len as u32).filter_map(|node| Some((immediate[node as usize]?, node))).collect();
    let tree = Graph::new(len, &below);
    let (mut enter, mut leave) = (vec![0; len], vec![0; len]);
    let mut clock = 0;
    let mut stack = vec![(root, 0)];
    while let Some((node, next)) = stack.last_mut() {
        let at = *node as usize;
        if *next == 0 {
            enter[at] = clock;
            clock += 1;
        }
        match tree.successors(at).get(*next) {
            Some(&child) => {
                *next += 1;
                stack.push((child, 0));
            }
            None => {
                leave[at] = clock;
                stack.pop();
            }
        }
    }
    Dominators { root, immediate, enter, leave }
}
