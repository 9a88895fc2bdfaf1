//! Substitution of variables, linear in the number of distinct nodes that contain one of them.

use rustc_hash::FxHashMap;

use crate::terms::{Term, Terms};

impl Terms {
    /// The term with the variables replaced, simplified. Variables that `of` does not map stay.
    pub fn substitute(&mut self, term: Term, of: &mut dyn FnMut(Term) -> Option<Term>) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let nodes = self.reachable(&[term]);
        for node in nodes {
            let new = if self.is_var(node) {
                of(node).unwrap_or(node)
            } else {
                self.rebuild(node, &done)
            };
            if new != node {
                done.insert(node, new);
            }
        }
        done.get(&term).copied().unwrap_or(term)
    }

    /// The term with one variable replaced.
    pub fn replace(&mut self, term: Term, variable: Term, by: Term) -> Term {
        if term == variable {
            return by;
        }
        if !self.may_share_variables(term, variable) {
            return term;
        }
        let mut affected = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![term];
        while let Some(t) = stack.pop() {
            if t > variable && self.may_share_variables(t, variable) && seen.insert(t) {
                affected.push(t);
                stack.extend_from_slice(self.args(t));
            }
        }
        affected.sort_unstable();
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        done.insert(variable, by);
        for node in affected {
            let new = self.rebuild(node, &done);
            if new != node {
                done.insert(node, new);
            }
        }
        done.get(&term).copied().unwrap_or(term)
    }

    /// Rebuilds a term of another arena in this one; `of` says which term here stands for a variable.
    pub fn import(
        &mut self,
        from: &Terms,
        term: Term,
        of: &mut dyn FnMut(&mut Terms, Term) -> Term,
    ) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for node in from.reachable(&[term]) {
            let image = if let Some(value) = from.value(node) {
                self.constant(value)
            } else if from.is_var(node) {
                of(self, node)
            } else {
                let args: Vec<Term> = from.args(node).iter().map(|a| done[a]).collect();
                self.make(from.op(node), from.sort(node), &args)
            };
            done.insert(node, image);
        }
        done[&term]
    }

    fn rebuild(&mut self, node: Term, done: &FxHashMap<Term, Term>) -> Term {
        if !self.args(node).iter().any(|a| done.contains_key(a)) {
            return node;
        }
        let args: Vec<Term> =
            self.args(node).iter().map(|a| done.get(a).copied().unwrap_or(*a)).collect();
        let sort = self.sort(node).clone();
        self.make(self.op(node), &sort, &args)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Op, Sort, Terms, Value};

    #[test]
    fn folds_what_becomes_constant() {
        let mut t = Terms::new();
        let (x, y) = (t.var("x", &Sort::Int), t.var("y", &Sort::Int));
        let sum = t.add(&[x, y]);
        let square = t.mul(sum, sum);
        let three = t.constant(&Value::int(3));
        let four = t.constant(&Value::int(4));
        let partly = t.replace(square, x, three);
        assert_eq!(t.variables_of(&[partly]), [y]);
        let whole = t.replace(partly, y, four);
        assert_eq!(t.value(whole), Some(&Value::int(49)));
        let both = t.substitute(square, &mut |v| Some(if v == x { three } else { four }));
        assert_eq!(both, whole);
    }

    #[test]
    fn depth_and_sharing_are_no_problem() {
        let mut t = Terms::new();
        let sort = Sort::BitVec(32);
        let x = t.var("x", &sort);
        let mut term = x;
        for _ in 0..200_000 {
            // Each level uses the one below twice: the tree has 2^200000 nodes.
            let twice = t.mul(term, term);
            term = t.bit_operation(Op::BvXor, twice, x);
        }
        let one = t.constant(&Value::bitvec(32, 1));
        let replaced = t.replace(term, x, one);
        let value = crate::evaluate(&t, term, &mut |_| Some(Value::bitvec(32, 1)));
        assert_eq!(t.value(replaced).cloned(), value);
        assert!(crate::to_smtlib(&t, term).len() < 100_000_000);
    }
}
