//! Substitution of variables, linear in the number of distinct nodes that contain one of them.

use rustc_hash::FxHashMap;

use crate::evaluate::evaluate_nodes;
use crate::terms::{Term, Terms};
use crate::walk::Places;

impl Terms {
    /// The term with the variables replaced, simplified. Variables that `of` does not map stay.
    pub fn substitute(&mut self, term: Term, of: &mut dyn FnMut(Term) -> Option<Term>) -> Term {
        let nodes = self.collect(&[term], |t| self.value(t).is_none());
        let mut images = nodes.clone();
        let (mut changed, mut all_constant) = (false, true);
        for image in images.iter_mut().filter(|t| self.is_var(**t)) {
            let new = of(*image).unwrap_or(*image);
            changed |= new != *image;
            all_constant &= self.value(new).is_some();
            *image = new;
        }
        if !changed {
            return term;
        }
        if all_constant {
            // The usual case, when a path is executed: no intermediate result becomes a term.
            let place = |variable| nodes.binary_search(&variable).ok();
            let value = evaluate_nodes(self, &nodes, &mut |variable| {
                self.value(images[place(variable)?]).cloned()
            });
            if let Some(value) = value {
                return self.constant(&value);
            }
        }
        self.rebuild(&nodes, images).last().copied().unwrap_or(term)
    }

    /// The same for several terms at once: what they have in common is looked at once.
    pub fn substitute_all(
        &mut self,
        some: &[Term],
        of: &mut dyn FnMut(Term) -> Option<Term>,
    ) -> Vec<Term> {
        let nodes = self.collect(some, |t| self.value(t).is_none());
        let mut images = nodes.clone();
        for image in images.iter_mut().filter(|t| self.is_var(**t)) {
            *image = of(*image).unwrap_or(*image);
        }
        if images == nodes {
            return some.to_vec();
        }
        let images = self.rebuild(&nodes, images);
        let image = |term: &Term| nodes.binary_search(term).map_or(*term, |place| images[place]);
        some.iter().map(image).collect()
    }

    /// The term with one variable replaced.
    pub fn replace(&mut self, term: Term, variable: Term, by: Term) -> Term {
        if term == variable {
            return by;
        }
        if !self.may_share_variables(term, variable) {
            return term;
        }
        let affected =
            self.collect(&[term], |t| t >= variable && self.may_share_variables(t, variable));
        let mut images = affected.clone();
        match affected.binary_search(&variable) {
            Ok(place) => images[place] = by,
            Err(_) => return term,
        }
        self.rebuild(&affected, images).last().copied().unwrap_or(term)
    }

    /// The images of nodes, which are sorted. `images` says what their variables become;
    /// a node that is not among them stays.
    fn rebuild(&mut self, nodes: &[Term], mut images: Vec<Term>) -> Vec<Term> {
        let places = Places::new(nodes);
        let mut args = Vec::new();
        for (n, &node) in nodes.iter().enumerate() {
            args.clear();
            let image = |arg: &Term| places.of(*arg).map_or(*arg, |place| images[place]);
            args.extend(self.args(node).iter().map(image));
            if args != self.args(node) {
                let sort = self.sort(node).clone();
                images[n] = self.make(self.op(node), &sort, &args);
            }
        }
        images
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
        let all = t.substitute_all(&[square, y, three], &mut |v| (v == x).then_some(three));
        assert_eq!(all, [partly, y, three]);
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
