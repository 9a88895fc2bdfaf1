//! Maps.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Chain, Term, Terms};
use crate::trie::Trie;
use crate::value::Value;

impl Terms {
    /// The map of this sort that has the element everywhere.
    pub fn constant_array(&mut self, sort: &Sort, element: Term) -> Term {
        self.plain(Op::ConstArray, sort, &[element])
    }

    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let Sort::Array(sort) = self.sort(array).clone() else { return array };
        let stem = self.stem(index);
        let mut array = array;
        loop {
            if let Some(element) = self.uniform(array) {
                return self.constant(&element);
            }
            match (self.op(array), self.args(array)) {
                (Op::Store, &[rest, at, _]) => match self.chains.get(&array) {
                    Some(chain) if chain.stem == stem => match chain.cells.get(&index) {
                        Some(&element) => return element,
                        None => array = chain.base,
                    },
                    _ if self.surely_differ(at, index) => array = rest,
                    _ => break,
                },
                (Op::ConstArray, &[element]) => return element,
                _ => break,
            }
        }
        self.plain(Op::Select, &sort.element, &[array, index])
    }

    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        let sort = self.sort(array).clone();
        let base = match (self.op(array), self.args(array)) {
            (Op::Store, &[rest, at, _]) if at == index => rest,
            _ => array,
        };
        if let (Op::Select, &[from, at]) = (self.op(element), self.args(element))
            && from == base
            && at == index
        {
            return base;
        }
        let stem = self.stem(index);
        let mut chain = match self.chains.get(&base) {
            Some(chain) if chain.stem == stem => chain.clone(),
            _ => Chain { stem, base, stores: 0, cells: Trie::default() },
        };
        if chain.cells.get(&index) == Some(&element) {
            return base;
        }
        chain.stores += 1;
        chain.cells.insert(index, element);
        if chain.stores > 2 * chain.cells.len() + 8 {
            return self.stores(&chain);
        }
        let store = self.plain(Op::Store, &sort, &[base, index, element]);
        if self.op(store) == Op::Store {
            self.chains.entry(store).or_insert(chain);
        }
        store
    }

    /// The chain without the stores that others hide, in the order of the indices: that order is the
    /// same in every arena.
    fn stores(&mut self, chain: &Chain) -> Term {
        let mut cells: Vec<(Value, Term, Term)> = Vec::with_capacity(chain.cells.len());
        for (&index, &element) in chain.cells.entries() {
            let offset = match self.value(index) {
                Some(value) => value.clone(),
                None => self.linear(index).constant,
            };
            cells.push((offset, index, element));
        }
        cells.sort_unstable();
        cells.iter().fold(chain.base, |map, &(_, index, element)| self.store(map, index, element))
    }

    /// The index without its constant summand; nothing if it is a constant. Two indices of one stem
    /// are equal or surely differ. (Constant maps may be equal and yet different terms.)
    fn stem(&mut self, index: Term) -> Option<Term> {
        match (self.op(index), self.args(index)) {
            (Op::Const(_), _) if !matches!(self.sort(index), Sort::Array(_)) => None,
            (Op::Add, &[first, rest]) if self.value(first).is_some() => Some(rest),
            (Op::Add, [first, rest @ ..]) if self.value(*first).is_some() => {
                let (rest, sort) = (rest.to_vec(), self.sort(index).clone());
                Some(self.intern(Op::Add, &sort, &rest))
            }
            _ => Some(index),
        }
    }

    /// The element of a constant map that has the same one everywhere.
    fn uniform(&self, array: Term) -> Option<Value> {
        match self.value(array) {
            Some(Value::Array(a)) if a.is_empty() => Some(a.default.clone()),
            _ => None,
        }
    }

    /// Whether two terms of one sort have different values under every assignment, as far as can be
    /// seen at once.
    pub fn surely_differ(&self, a: Term, b: Term) -> bool {
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return !x.same(y);
        }
        if !self.sort(a).is_numeric() {
            return false;
        }
        let difference = self.difference(a, b);
        difference.parts.is_empty() && !difference.constant.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Terms, Value};

    #[test]
    fn reading_what_was_written() {
        let mut t = Terms::new();
        let sort = Sort::array(Sort::Int, Sort::Int);
        let (a, i) = (t.var("a", &sort), t.var("i", &Sort::Int));
        let (one, nine) = (t.constant(&Value::int(1)), t.constant(&Value::int(9)));
        let next = t.add(&[i, one]);
        let written = t.store(a, i, nine);
        assert_eq!(t.select(written, i), nine);
        assert_eq!(t.select(written, next), t.select(a, next));
        let twice = t.store(written, i, one);
        assert_eq!(twice, t.store(a, i, one));
        let read = t.select(a, i);
        assert_eq!(t.store(a, i, read), a);
        let everywhere = t.constant_array(&sort, nine);
        assert_eq!(t.select(everywhere, next), nine);
    }
}
