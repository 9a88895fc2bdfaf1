//! A persistent hash map: a clone costs nothing and shares what is not changed afterwards.
//!
//! A hash array mapped trie. Each level consumes four bits of the key's hash. The shape depends only on
//! the keys in the map, not on its history, so that two maps are compared level by level, skipping
//! what they share. A map that nobody shares is changed in place.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

const BITS: u32 = 4;

pub(crate) struct Trie<K, V> {
    root: Option<Arc<Node<K, V>>>,
    len: usize,
}

#[derive(Clone)]
enum Node<K, V> {
    Leaf(Leaf<K, V>),
    /// The children of the hash digits that are set in `digits`, in order: a leaf or several keys each.
    Branch {
        digits: u16,
        children: Vec<Arc<Node<K, V>>>,
    },
}

#[derive(Clone)]
struct Leaf<K, V> {
    hash: u64,
    key: K,
    value: V,
    /// Other keys with the same hash: hardly ever any.
    more: Vec<(K, V)>,
}

/// A hash whose low bits depend on all of the item.
pub(crate) fn hash_of<T: Hash>(item: &T) -> u64 {
    let mut hasher = FxHasher::default();
    item.hash(&mut hasher);
    mix(hasher.finish())
}

pub(crate) fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^ (bits >> 32)
}

fn digit(hash: u64, shift: u32) -> u16 {
    1 << ((hash >> shift) & 0xf)
}

/// The place of a digit among the children.
fn place(digits: u16, digit: u16) -> usize {
    (digits & (digit - 1)).count_ones() as usize
}

impl<K: Clone + Eq + Hash, V: Clone + Eq> Trie<K, V> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        let hash = hash_of(key);
        let mut node = self.root.as_deref()?;
        let mut shift = 0;
        loop {
            match node {
                Node::Leaf(leaf) => return if leaf.hash == hash { leaf.get(key) } else { None },
                Node::Branch { digits, children } => {
                    let digit = digit(hash, shift);
                    if digits & digit == 0 {
                        return None;
                    }
                    node = &children[place(*digits, digit)];
                    shift += BITS;
                }
            }
        }
    }

    /// Sets the value of a key; returns the one before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let leaf = Leaf { hash: hash_of(&key), key, value, more: Vec::new() };
        let old = match &mut self.root {
            Some(root) => insert(root, 0, leaf),
            None => {
                self.root = Some(Arc::new(Node::Leaf(leaf)));
                None
            }
        };
        self.len += usize::from(old.is_none());
        old
    }

    /// Removes a key; returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let old = self.get(key)?.clone();
        self.root = without(self.root.take()?, 0, hash_of(key), key);
        self.len -= 1;
        Some(old)
    }

    /// The entries, in no particular order.
    pub fn entries(&self) -> Vec<(&K, &V)> {
        let mut entries = Vec::with_capacity(self.len);
        let mut stack: Vec<&Node<K, V>> = self.root.as_deref().into_iter().collect();
        while let Some(node) = stack.pop() {
            match node {
                Node::Leaf(leaf) => entries.extend(leaf.entries()),
                Node::Branch { children, .. } => stack.extend(children.iter().map(|c| &**c)),
            }
        }
        entries
    }
}

impl<K: Eq, V: Eq> Leaf<K, V> {
    fn get(&self, key: &K) -> Option<&V> {
        self.entries().find(|(k, _)| *k == key).map(|(_, v)| v)
    }

    fn entries(&self) -> impl Iterator<Item = (&K, &V)> {
        std::iter::once((&self.key, &self.value)).chain(self.more.iter().map(|(k, v)| (k, v)))
    }
}

fn insert<K: Clone + Eq, V: Clone + Eq>(
    node: &mut Arc<Node<K, V>>,
    shift: u32,
    new: Leaf<K, V>,
) -> Option<V> {
    if let Node::Leaf(old) = &**node
        && old.hash != new.hash
    {
        let (old_hash, new_hash) = (old.hash, new.hash);
        let new = Arc::new(Node::Leaf(new));
        *node = join(shift, (old_hash, Arc::clone(node)), (new_hash, new));
        return None;
    }
    match Arc::make_mut(node) {
        Node::Leaf(leaf) => {
            if leaf.key == new.key {
                return Some(std::mem::replace(&mut leaf.value, new.value));
            }
            match leaf.more.iter_mut().find(|(k, _)| *k == new.key) {
                Some((_, value)) => Some(std::mem::replace(value, new.value)),
                None => {
                    leaf.more.push((new.key, new.value));
                    None
                }
            }
        }
        Node::Branch { digits, children } => {
            let digit = digit(new.hash, shift);
            let place = place(*digits, digit);
            if *digits & digit != 0 {
                return insert(&mut children[place], shift + BITS, new);
            }
            *digits |= digit;
            children.insert(place, Arc::new(Node::Leaf(new)));
            None
        }
    }
}

/// The branch of two leaves with different hashes.
fn join<K, V>(shift: u32, a: (u64, Arc<Node<K, V>>), b: (u64, Arc<Node<K, V>>)) -> Arc<Node<K, V>> {
    let (left, right) = (digit(a.0, shift), digit(b.0, shift));
    let children = match left.cmp(&right) {
        std::cmp::Ordering::Less => vec![a.1, b.1],
        std::cmp::Ordering::Greater => vec![b.1, a.1],
        std::cmp::Ordering::Equal => vec![join(shift + BITS, a, b)],
    };
    Arc::new(Node::Branch { digits: left | right, children })
}

/// The node without a key that is in it; nothing if that is all there was.
fn without<K: Clone + Eq, V: Clone + Eq>(
    mut node: Arc<Node<K, V>>,
    shift: u32,
    hash: u64,
    key: &K,
) -> Option<Arc<Node<K, V>>> {
    match Arc::make_mut(&mut node) {
        Node::Leaf(leaf) => {
            if leaf.key == *key {
                (leaf.key, leaf.value) = leaf.more.pop()?;
            } else {
                leaf.more.retain(|(k, _)| k != key);
            }
        }
        Node::Branch { digits, children } => {
            let digit = digit(hash, shift);
            let place = place(*digits, digit);
            let child = children.remove(place);
            match without(child, shift + BITS, hash, key) {
                Some(rest) => children.insert(place, rest),
                None => *digits &= !digit,
            }
            if let [only] = &children[..]
                && matches!(**only, Node::Leaf(_))
            {
                return Some(Arc::clone(only));
            }
        }
    }
    Some(node)
}

fn equal<K: Eq, V: Eq>(a: &Arc<Node<K, V>>, b: &Arc<Node<K, V>>) -> bool {
    Arc::ptr_eq(a, b)
        || match (&**a, &**b) {
            (Node::Leaf(a), Node::Leaf(b)) => {
                a.hash == b.hash
                    && a.more.len() == b.more.len()
                    && a.entries().all(|(key, value)| b.get(key) == Some(value))
            }
            (
                Node::Branch { digits, children },
                Node::Branch { digits: other_digits, children: others },
            ) => digits == other_digits && children.iter().zip(others).all(|(a, b)| equal(a, b)),
            _ => false,
        }
}

impl<K: Eq, V: Eq> PartialEq for Trie<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len
            && match (&self.root, &other.root) {
                (Some(a), Some(b)) => equal(a, b),
                (None, None) => true,
                _ => false,
            }
    }
}

impl<K: Eq, V: Eq> Eq for Trie<K, V> {}

impl<K, V> Clone for Trie<K, V> {
    fn clone(&self) -> Self {
        Trie { root: self.root.clone(), len: self.len }
    }
}

impl<K, V> Default for Trie<K, V> {
    fn default() -> Self {
        Trie { root: None, len: 0 }
    }
}

impl<K, V> fmt::Debug for Trie<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} entries", self.len)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A key whose hash has only three bits, to see all keys collide.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Clash(u32);

    impl Hash for Clash {
        fn hash<H: Hasher>(&self, state: &mut H) {
            (self.0 % 8).hash(state);
        }
    }

    fn agrees<K: Clone + Eq + Ord + Hash + fmt::Debug>(key: impl Fn(u32) -> K, steps: u64) {
        let mut state = 1u64;
        let mut trie = Trie::default();
        let mut model = BTreeMap::new();
        let mut kept: Vec<(Trie<K, u64>, BTreeMap<K, u64>)> = Vec::new();
        for step in 0..steps {
            state = mix(state.wrapping_add(step));
            let key = key((state % 300) as u32);
            if state >> 60 < 7 {
                assert_eq!(trie.remove(&key), model.remove(&key));
            } else {
                assert_eq!(trie.insert(key.clone(), step % 5), model.insert(key.clone(), step % 5));
            }
            assert_eq!(trie.get(&key), model.get(&key));
            if step % 97 == 0 {
                kept.push((trie.clone(), model.clone()));
            }
        }
        for (trie, model) in kept {
            let mut entries = trie.entries();
            entries.sort();
            assert_eq!(entries, model.iter().collect::<Vec<_>>());
            let mut backwards = Trie::default();
            for (key, value) in model.iter().rev() {
                backwards.insert(key.clone(), *value);
            }
            assert!(trie == backwards);
            if let Some((key, value)) = model.first_key_value() {
                backwards.insert(key.clone(), value + 1);
                assert!(trie != backwards);
            }
        }
    }

    #[test]
    fn behaves_like_a_map_and_keeps_old_versions() {
        agrees(|n| n, 20_000);
        agrees(Clash, 5_000);
    }
}
