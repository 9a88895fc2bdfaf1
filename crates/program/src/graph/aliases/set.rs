//! Sets of small numbers, as blocks of 64 bits; blocks without a bit are left out.
//!
//! Most of the sets of an analysis are equal to others, because most variables get their value from
//! one place. So sets are shared and never changed: what grows gets another set.

use std::rc::Rc;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set {
    /// The number of a block and its bits, in order.
    blocks: Vec<(u32, u64)>,
}

impl Set {
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn contains(&self, item: u32) -> bool {
        match self.blocks.binary_search_by_key(&(item / 64), |&(block, _)| block) {
            Ok(at) => self.blocks[at].1 >> (item % 64) & 1 == 1,
            Err(_) => false,
        }
    }

    pub fn insert(&mut self, item: u32) {
        let bit = 1 << (item % 64);
        match self.blocks.binary_search_by_key(&(item / 64), |&(block, _)| block) {
            Ok(at) => self.blocks[at].1 |= bit,
            Err(at) => self.blocks.insert(at, (item / 64, bit)),
        }
    }

    /// In increasing order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(|&(block, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * block + bit)
        })
    }

    fn is_within(&self, other: &Set) -> bool {
        let mut others = other.blocks.iter();
        self.blocks.len() <= other.blocks.len()
            && self.blocks.iter().all(|&(block, bits)| {
                let found = others.find(|&&(other, _)| other >= block);
                found.is_some_and(|&(other, with)| other == block && bits & !with == 0)
            })
    }

    fn union(&self, other: &Set) -> Set {
        let (mut a, mut b) = (self.blocks.as_slice(), other.blocks.as_slice());
        let mut blocks = Vec::with_capacity(a.len() + b.len());
        while let ([first, a_rest @ ..], [second, b_rest @ ..]) = (a, b) {
            let (block, mut bits) = *first.min(second);
            if first.0 == second.0 {
                bits = first.1 | second.1;
            }
            blocks.push((block, bits));
            if first.0 == block {
                a = a_rest;
            }
            if second.0 == block {
                b = b_rest;
            }
        }
        blocks.extend_from_slice(a);
        blocks.extend_from_slice(b);
        Set { blocks }
    }

    /// What is here and not there.
    pub fn without(&self, other: &Set) -> Set {
        let mut others = other.blocks.iter().peekable();
        let left = self.blocks.iter().filter_map(|&(block, bits)| {
            while others.next_if(|&&(other, _)| other < block).is_some() {}
            let taken = others.peek().filter(|&&&(other, _)| other == block).map_or(0, |o| o.1);
            Some((block, bits & !taken)).filter(|&(_, bits)| bits != 0)
        });
        Set { blocks: left.collect() }
    }

    /// What is in both.
    pub fn and(&self, other: &Set) -> Set {
        self.without(&self.without(other))
    }
}

/// Adds the items of another set; whether there were new ones.
pub fn add(to: &mut Rc<Set>, from: &Rc<Set>) -> bool {
    if Rc::ptr_eq(to, from) || from.is_within(to) {
        return false;
    }
    *to = if to.is_within(from) { from.clone() } else { Rc::new(to.union(from)) };
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::graph::tests::Random;

    #[test]
    fn agree_with_those_of_the_library() {
        let mut random = Random(3);
        for _ in 0..3000 {
            let mut sets = [(); 2].map(|()| (Set::default(), BTreeSet::new()));
            for (set, expected) in &mut sets {
                for _ in 0..random.below(12) {
                    let item = random.below(300) as u32;
                    set.insert(item);
                    expected.insert(item);
                }
                assert!((0..300).all(|item| set.contains(item) == expected.contains(&item)));
            }
            let [(a, a_items), (b, b_items)] = &sets;
            let list = |set: &Set| set.iter().collect::<Vec<u32>>();
            assert_eq!(list(a), a_items.iter().copied().collect::<Vec<_>>());
            assert_eq!(a.is_within(b), a_items.is_subset(b_items));
            assert_eq!(
                list(&a.without(b)),
                a_items.difference(b_items).copied().collect::<Vec<_>>()
            );
            assert_eq!(list(&a.and(b)), a_items.intersection(b_items).copied().collect::<Vec<_>>());
            let (mut to, from) = (Rc::new(a.clone()), Rc::new(b.clone()));
            assert_eq!(add(&mut to, &from), !b_items.is_subset(a_items));
            assert_eq!(list(&to), a_items.union(b_items).copied().collect::<Vec<_>>());
        }
    }
}
