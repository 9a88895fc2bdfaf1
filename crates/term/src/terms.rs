//! The arena.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use crate::op::Op;
use crate::sort::Sort;
use crate::trie::Trie;
use crate::value::Value;
use crate::walk::Found;

/// A node of the term graph: an id in the [`Terms`] that made it (or in a clone of that).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(crate) u32);

#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    sort: u32,
    first_argument: u32,
    arguments: u32,
    /// Bit `v % 64` is set if variable `v` occurs: what is not in the mask does not occur.
    variables: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Variable {
    name: Arc<str>,
    sort: Sort,
}

/// The arena of terms.
#[derive(Debug)]
pub struct Terms {
    identity: u64,
    nodes: Vec<Node>,
    arguments: Vec<Term>,
    table: HashTable<u32>,
    sorts: Interner<Sort>,
    values: Interner<Value>,
    /// The term of each value.
    constants: Vec<Term>,
    variables: Interner<Variable>,
    fresh: u32,
    pub(crate) chains: FxHashMap<Term, Chain>,
    /// What equalities of numbers come to: it is the same cells that addresses are compared with, again and again.
    pub(crate) equalities: FxHashMap<(Term, Term), Term>,
}

/// What is known about a [`Op::Store`]: the cells that it and the stores below it write, as long as
/// their indices differ by constants only. Then each cell is found at once, however long the chain.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// What the indices have in common; nothing if they are constants.
    pub stem: Option<Term>,
    /// The map below the stores.
    pub base: Term,
    /// How many stores there are.
    pub stores: usize,
    /// The last element written at each index.
    pub cells: Trie<Term, Term>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            identity: next_identity(),
            nodes: Vec::new(),
            arguments: Vec::new(),
            table: HashTable::new(),
            sorts: Interner::default(),
            values: Interner::default(),
            constants: Vec::new(),
            variables: Interner::default(),
            fresh: 0,
            chains: FxHashMap::default(),
            equalities: FxHashMap::default(),
        }
    }
}

/// The clone has an identity of its own, because the two may grow apart.
impl Clone for Terms {
    fn clone(&self) -> Terms {
        Terms {
            identity: next_identity(),
            nodes: self.nodes.clone(),
            arguments: self.arguments.clone(),
            table: self.table.clone(),
            sorts: self.sorts.clone(),
            values: self.values.clone(),
            constants: self.constants.clone(),
            variables: self.variables.clone(),
            fresh: self.fresh,
            chains: self.chains.clone(),
            equalities: FxHashMap::default(),
        }
    }
}

fn next_identity() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[derive(Clone, Debug)]
struct Interner<T> {
    items: Vec<T>,
    ids: FxHashMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { items: Vec::new(), ids: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    fn intern(&mut self, item: &T) -> u32 {
        if let Some(&id) = self.ids.get(item) {
            return id;
        }
        let id = self.items.len() as u32;
        self.items.push(item.clone());
        self.ids.insert(item.clone(), id);
        id
    }
}

impl Term {
    /// The position in the arena: smaller than that of every term built from this one.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Terms {
    pub fn new() -> Terms {
        Terms::default()
    }

    /// A number that no other arena has. What is cached by term must be dropped when it changes.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// How many distinct terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All terms, arguments before what is built from them.
    pub fn all(&self) -> impl Iterator<Item = Term> + use<> {
        (0..self.nodes.len() as u32).map(Term)
    }

    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }

    pub fn sort(&self, term: Term) -> &Sort {
        &self.sorts.items[self.nodes[term.index()].sort as usize]
    }

    pub fn args(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.index()];
        let first = node.first_argument as usize;
        &self.arguments[first..first + node.arguments as usize]
    }

    /// The value of a constant.
    pub fn value(&self, term: Term) -> Option<&Value> {
        match self.op(term) {
            Op::Const(id) => Some(&self.values.items[id as usize]),
            _ => None,
        }
    }

    /// The name of a variable.
    pub fn name(&self, term: Term) -> Option<&str> {
        match self.op(term) {
            Op::Var(id) => Some(&self.variables.items[id as usize].name),
            _ => None,
        }
    }

    pub fn is_var(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Var(_))
    }

    pub fn is_true(&self, term: Term) -> bool {
        self.value(term).is_some_and(Value::is_true)
    }

    pub fn is_false(&self, term: Term) -> bool {
        self.value(term) == Some(&Value::Bool(false))
    }

    /// A constant.
    pub fn constant(&mut self, value: &Value) -> Term {
        let id = self.values.intern(value);
        if let Some(&term) = self.constants.get(id as usize) {
            return term;
        }
        let term = self.intern(Op::Const(id), &value.sort(), &[]);
        self.constants.push(term);
        term
    }

    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(&Value::Bool(value))
    }

    /// The variable of this name and sort: the same term each time.
    pub fn var(&mut self, name: &str, sort: &Sort) -> Term {
        let variable = Variable { name: name.into(), sort: sort.clone() };
        let id = self.variables.intern(&variable);
        self.intern(Op::Var(id), sort, &[])
    }

    /// A variable that is new in this arena.
    pub fn fresh(&mut self, prefix: &str, sort: &Sort) -> Term {
        loop {
            let name: Arc<str> = format!("{prefix}!{}", self.fresh).into();
            self.fresh += 1;
            let variable = Variable { name: name.clone(), sort: sort.clone() };
            if !self.variables.ids.contains_key(&variable) {
                return self.var(&name, sort);
            }
        }
    }

    /// The one node with this operator and these arguments. Constructors simplify first.
    pub(crate) fn intern(&mut self, op: Op, sort: &Sort, args: &[Term]) -> Term {
        let sort = match args.iter().find(|&&a| self.sort(a) == sort) {
            Some(argument) => self.nodes[argument.index()].sort,
            None => self.sorts.intern(sort),
        };
        let hash = hash(op, sort, args);
        let found = self.table.find(hash, |&id| {
            let node = &self.nodes[id as usize];
            node.op == op && node.sort == sort && self.args(Term(id)) == args
        });
        if let Some(&id) = found {
            return Term(id);
        }
        let id = self.nodes.len() as u32;
        let own = match op {
            Op::Var(v) => 1 << (v % 64),
            _ => 0,
        };
        let variables = args.iter().fold(own, |mask, a| mask | self.nodes[a.index()].variables);
        self.nodes.push(Node {
            op,
            sort,
            first_argument: self.arguments.len() as u32,
            arguments: args.len() as u32,
            variables,
        });
        self.arguments.extend_from_slice(args);
        let (nodes, arguments) = (&self.nodes, &self.arguments);
        self.table.insert_unique(hash, id, |&id| {
            let node = &nodes[id as usize];
            let first = node.first_argument as usize;
            hash_of(node, &arguments[first..first + node.arguments as usize])
        });
        Term(id)
    }

    /// False only if no variable of `other` occurs in `term`; may be true without one.
    pub fn may_share_variables(&self, term: Term, other: Term) -> bool {
        self.nodes[term.index()].variables & self.nodes[other.index()].variables != 0
    }

    /// The distinct nodes below (and with) the roots, arguments first.
    pub fn reachable(&self, roots: &[Term]) -> Vec<Term> {
        self.collect(roots, |_| true)
    }

    /// The distinct variables in the roots, in order of their creation.
    pub fn variables_of(&self, roots: &[Term]) -> Vec<Term> {
        let mut all = self.collect(roots, |t| self.nodes[t.index()].variables != 0);
        all.retain(|&t| self.is_var(t));
        all
    }

    /// Whether the variable occurs in the term.
    pub fn mentions(&self, term: Term, variable: Term) -> bool {
        if !self.may_share_variables(term, variable) {
            return false;
        }
        let mut found = Found::default();
        found.add(term);
        let mut next = 0;
        while let Some(t) = found.nth(next) {
            next += 1;
            if t == variable {
                return true;
            }
            let below = |&&a: &&Term| a >= variable && self.may_share_variables(a, variable);
            self.args(t).iter().filter(below).for_each(|&a| found.add(a));
        }
        false
    }
}

fn hash(op: Op, sort: u32, args: &[Term]) -> u64 {
    let mut hasher = FxHasher::default();
    (op, sort, args).hash(&mut hasher);
    hasher.finish()
}

fn hash_of(node: &Node, args: &[Term]) -> u64 {
    hash(node.op, node.sort, args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_have_equal_ids_and_clones_extend() {
        let mut terms = Terms::new();
        let x = terms.var("x", &Sort::Int);
        assert_eq!(x, terms.var("x", &Sort::Int));
        assert_ne!(x, terms.var("x", &Sort::Bool));
        let one = terms.constant(&Value::int(1));
        let a = terms.add(&[x, one]);
        let mut clone = terms.clone();
        assert_eq!(a, clone.add(&[one, x]));
        let b = clone.mul(a, x);
        assert!(b.index() >= terms.len());
    }

    #[test]
    fn fresh_variables_are_new() {
        let mut terms = Terms::new();
        terms.var("v!0", &Sort::Int);
        let fresh = terms.fresh("v", &Sort::Int);
        assert_eq!(terms.name(fresh), Some("v!1"));
    }

    #[test]
    fn more_variables_than_bits_in_the_mask() {
        let mut terms = Terms::new();
        let vars: Vec<Term> = (0..100).map(|i| terms.var(&format!("x{i}"), &Sort::Int)).collect();
        let sum = terms.add(&vars[..10]);
        assert!(terms.mentions(sum, vars[9]));
        assert!(!terms.mentions(sum, vars[64])); // shares bit 0 with x0
        assert_eq!(terms.variables_of(&[sum]), &vars[..10]);
    }
}
