//! Maps.

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

impl Terms {
    /// The map of this sort that has the element everywhere.
    pub fn constant_array(&mut self, sort: &Sort, element: Term) -> Term {
        self.plain(Op::ConstArray, sort, &[element])
    }

    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let Sort::Array(sort) = self.sort(array).clone() else { return array };
        let mut array = array;
        loop {
            if let Some(element) = self.uniform(array) {
                return self.constant(&element);
            }
            match (self.op(array), self.args(array)) {
                (Op::Store, &[_, at, element]) if at == index => return element,
                (Op::Store, &[rest, at, _]) if self.surely_differ(at, index) => array = rest,
                (Op::ConstArray, &[element]) => return element,
                _ => return self.plain(Op::Select, &sort.element, &[array, index]),
            }
        }
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
        self.plain(Op::Store, &sort, &[base, index, element])
    }

    /// The element of a constant map that has the same one everywhere.
    fn uniform(&self, array: Term) -> Option<Value> {
        match self.value(array) {
            Some(Value::Array(a)) if a.entries().next().is_none() => Some(a.default.clone()),
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
