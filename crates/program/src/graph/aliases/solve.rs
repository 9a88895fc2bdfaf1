//! The smallest sets that satisfy the rules.
//!
//! What a node may point to flows along the edges of a graph. A load or store through a node adds
//! an edge for each object that the node points to, between the object's contents and another node.
//! So the graph grows with the sets. This goes in waves (Pereira and Berlin, 2009): nodes on a
//! cycle have the same set and become one; then sets flow through the graph, which has no cycles
//! now, in one pass in topological order; then the loads and stores of nodes that have got new
//! objects add their edges. The waves end when no set has grown.
//!
//! In a large program thousands of pointers point to the same thousand objects. An edge for each
//! pair would be too many. So nodes with equal sets share a *hub*: the contents of all objects of a
//! set flow to its hub, and from there to whatever is loaded through one of the nodes. When a set
//! has grown, the hub of the old one flows to that of the new one, and only new objects get edges.
//! For stores the same, the other way round.

use std::mem::take;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::rules::Rule;
use super::set::{Set, add};
use crate::graph::Graph;
use crate::graph::components::components;

/// What the program may do with an object. Objects are numbered from 0; the node of the same number
/// is its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// It has no contents: a procedure.
    Nothing,
    Constants,
    Anything,
}

#[derive(Debug, Default)]
pub struct Solver {
    holds: Vec<Holds>,
    /// The node that stands for a node, perhaps over others.
    parent: Vec<u32>,
    sets: Vec<Rc<Set>>,
    /// What has flowed on from the node.
    sent: Vec<Rc<Set>>,
    /// The objects that the loads and stores of the node have seen.
    seen: Vec<Rc<Set>>,
    flows: Vec<Vec<u32>>,
    /// Where the contents of what the node points to flow.
    loads: Vec<Vec<u32>>,
    /// What flows to the contents of what the node points to.
    stores: Vec<Vec<u32>>,
    known: FxHashSet<(u32, u32)>,
    /// By the set of a node.
    load_hubs: FxHashMap<Rc<Set>, u32>,
    store_hubs: FxHashMap<Rc<Set>, u32>,
    /// The objects that are read.
    read: Set,
}

impl Solver {
    /// The objects, with a node for the contents of each.
    pub fn new(holds: Vec<Holds>) -> Solver {
        let mut solver = Solver { holds, ..Solver::default() };
        solver.grow(solver.holds.len() as u32);
        solver
    }

    /// How many nodes there are.
    pub fn len(&self) -> u32 {
        self.parent.len() as u32
    }

    /// Makes nodes until there are so many.
    pub fn grow(&mut self, nodes: u32) {
        let nothing = Rc::new(Set::default());
        let len = nodes as usize;
        self.parent.extend(self.parent.len() as u32..nodes);
        for sets in [&mut self.sets, &mut self.sent, &mut self.seen] {
            sets.resize(len, nothing.clone());
        }
        for lists in [&mut self.flows, &mut self.loads, &mut self.stores] {
            lists.resize(len, Vec::new());
        }
    }

    pub fn find(&self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    /// What the node may point to.
    pub fn set(&self, node: u32) -> &Rc<Set> {
        &self.sets[self.find(node) as usize]
    }

    /// Whether the contents of an object are ever read.
    pub fn is_read(&self, object: u32) -> bool {
        self.read.contains(object)
    }

    pub fn rule(&mut self, rule: Rule<u32>) {
        match rule {
            Rule::Points { node, object } => {
                let node = self.find(node) as usize;
                Rc::make_mut(&mut self.sets[node]).insert(object);
            }
            Rule::Flow { from, to } => {
                self.flow(from, to);
            }
            // Another rule for the node: its objects are new to it.
            Rule::Load { address, to } => {
                let address = self.find(address) as usize;
                self.loads[address].push(to);
                self.seen[address] = Rc::default();
            }
            Rule::Store { address, value } => {
                let address = self.find(address) as usize;
                self.stores[address].push(value);
                self.seen[address] = Rc::default();
            }
        }
    }

    /// Adds an edge; whether its end has grown.
    fn flow(&mut self, from: u32, to: u32) -> bool {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.known.insert((from, to)) {
            return false;
        }
        self.flows[from as usize].push(to);
        let set = self.sets[from as usize].clone();
        add(&mut self.sets[to as usize], &set)
    }

    pub fn solve(&mut self) {
        loop {
            for node in self.collapse() {
                self.send(node as usize);
            }
            let mut grown = false;
            for node in 0..self.parent.len() {
                grown |= self.access(node);
            }
            if !grown {
                return;
            }
        }
    }

    fn send(&mut self, node: usize) {
        let set = self.sets[node].clone();
        if Rc::ptr_eq(&set, &self.sent[node]) {
            return;
        }
        for at in 0..self.flows[node].len() {
            let to = self.find(self.flows[node][at]);
            add(&mut self.sets[to as usize], &set);
        }
        self.sent[node] = set;
    }

    /// Adds the edges of loads and stores through a node that has new objects; whether a set has
    /// grown.
    fn access(&mut self, node: usize) -> bool {
        if self.loads[node].is_empty() && self.stores[node].is_empty()
            || Rc::ptr_eq(&self.sets[node], &self.seen[node])
        {
            return false;
        }
        let (set, seen) = (self.sets[node].clone(), self.seen[node].clone());
        let mut grown = false;
        let mut loads = take(&mut self.loads[node]);
        if !loads.is_empty() {
            self.find_all(&mut loads);
            let hub = self.load_hub(&set, &seen, &mut grown);
            for &to in &loads {
                grown |= self.flow(hub, to);
            }
        }
        let mut stores = take(&mut self.stores[node]);
        if !stores.is_empty() {
            self.find_all(&mut stores);
            let hub = self.store_hub(&set, &seen, &mut grown);
            for &value in &stores {
                grown |= self.flow(value, hub);
            }
        }
        (self.loads[node], self.stores[node], self.seen[node]) = (loads, stores, set);
        grown
    }

    fn find_all(&self, list: &mut Vec<u32>) {
        list.iter_mut().for_each(|node| *node = self.find(*node));
        list.sort_unstable();
        list.dedup();
    }

    /// The node that gets the contents of all objects of a set, given a smaller one that may have a
    /// hub.
    fn load_hub(&mut self, set: &Rc<Set>, smaller: &Rc<Set>, grown: &mut bool) -> u32 {
        if let Some(&hub) = self.load_hubs.get(set) {
            return hub;
        }
        let hub = self.len();
        self.grow(hub + 1);
        let mut new = set.clone();
        if let Some(&old) = self.load_hubs.get(smaller) {
            *grown |= self.flow(old, hub);
            new = Rc::new(set.without(smaller));
        }
        for object in new.iter() {
            if self.holds[object as usize] != Holds::Nothing {
                self.read.insert(object);
                *grown |= self.flow(object, hub);
            }
        }
        self.load_hubs.insert(set.clone(), hub);
        hub
    }

    /// The node that flows to the contents of all objects of a set.
    fn store_hub(&mut self, set: &Rc<Set>, smaller: &Rc<Set>, grown: &mut bool) -> u32 {
        if let Some(&hub) = self.store_hubs.get(set) {
            return hub;
        }
        let hub = self.len();
        self.grow(hub + 1);
        let mut new = set.clone();
        if let Some(&old) = self.store_hubs.get(smaller) {
            *grown |= self.flow(hub, old);
            new = Rc::new(set.without(smaller));
        }
        for object in new.iter() {
            if self.holds[object as usize] == Holds::Anything {
                *grown |= self.flow(hub, object);
            }
        }
        self.store_hubs.insert(set.clone(), hub);
        hub
    }

    /// Makes one node of those on a cycle; returns the nodes that are left, in topological order.
    fn collapse(&mut self) -> Vec<u32> {
        let mut edges = Vec::new();
        for node in 0..self.parent.len() {
            let targets = self.flows[node].iter().map(|&to| (node as u32, self.find(to)));
            edges.extend(targets.filter(|&(from, to)| from != to));
        }
        let component = components(&Graph::new(self.parent.len(), &edges));
        let count = component.iter().max().map_or(0, |&last| last as usize + 1);
        let mut first: Vec<Option<u32>> = vec![None; count];
        for node in 0..self.parent.len() as u32 {
            if self.parent[node as usize] != node {
                continue;
            }
            match first[component[node as usize] as usize] {
                None => first[component[node as usize] as usize] = Some(node),
                Some(kept) => self.merge(kept as usize, node as usize),
            }
        }
        for node in 0..self.parent.len() {
            self.parent[node] = self.find(node as u32);
        }
        first.into_iter().flatten().collect()
    }

    fn merge(&mut self, kept: usize, gone: usize) {
        self.parent[gone] = kept as u32;
        let set = take(&mut self.sets[gone]);
        add(&mut self.sets[kept], &set);
        let is_passive = |solver: &Solver, node: usize| {
            solver.loads[node].is_empty() && solver.stores[node].is_empty()
        };
        self.seen[kept] = match (is_passive(self, kept), is_passive(self, gone)) {
            (_, true) => take(&mut self.seen[kept]),
            (true, false) => take(&mut self.seen[gone]),
            (false, false) => Rc::new(self.seen[kept].and(&self.seen[gone])),
        };
        self.sent[kept] = Rc::default();
        for lists in [&mut self.flows, &mut self.loads, &mut self.stores] {
            let mut list = take(&mut lists[gone]);
            lists[kept].append(&mut list);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::graph::tests::Random;

    const NODES: usize = 30;

    /// Applies every rule until nothing changes.
    fn naive(holds: &[Holds], rules: &[Rule<u32>]) -> Vec<BTreeSet<u32>> {
        let mut sets = vec![BTreeSet::new(); NODES];
        loop {
            let before = sets.clone();
            let mut add = |to: u32, from: &BTreeSet<u32>| sets[to as usize].extend(from);
            for rule in rules {
                match *rule {
                    Rule::Points { node, object } => add(node, &BTreeSet::from([object])),
                    Rule::Flow { from, to } => add(to, &before[from as usize]),
                    Rule::Load { address, to } => {
                        for &object in &before[address as usize] {
                            if holds[object as usize] != Holds::Nothing {
                                add(to, &before[object as usize]);
                            }
                        }
                    }
                    Rule::Store { address, value } => {
                        for &object in &before[address as usize] {
                            if holds[object as usize] == Holds::Anything {
                                add(object, &before[value as usize]);
                            }
                        }
                    }
                }
            }
            if sets == before {
                return sets;
            }
        }
    }

    #[test]
    fn the_sets_are_the_smallest() {
        let mut random = Random(17);
        for _ in 0..2000 {
            let kinds = [Holds::Nothing, Holds::Constants, Holds::Anything, Holds::Anything];
            let holds: Vec<Holds> = (0..10).map(|_| kinds[random.below(4)]).collect();
            let mut solver = Solver::new(holds.clone());
            solver.grow(NODES as u32);
            let mut rules = Vec::new();
            // Rules may come when others have been followed already.
            for _ in 0..3 {
                for _ in 0..random.below(25) {
                    let [a, b] = [(); 2].map(|()| random.below(NODES) as u32);
                    let rule = match random.below(7) {
                        0 | 1 => Rule::Points { node: a, object: random.below(10) as u32 },
                        2 | 3 => Rule::Flow { from: a, to: b },
                        4 => Rule::Load { address: a, to: b },
                        _ => Rule::Store { address: a, value: b },
                    };
                    rules.push(rule);
                    solver.rule(rule);
                }
                solver.solve();
                let expected = naive(&holds, &rules);
                for (node, expected) in (0..).zip(&expected) {
                    let found: BTreeSet<u32> = solver.set(node).iter().collect();
                    assert_eq!(found, *expected, "node {node} of {rules:?}");
                }
            }
        }
    }
}
