//! Whether two programs are the same automaton.

use rustc_hash::FxHashMap;
use term::{Term, Terms};

use crate::program::{Place, ProcedureId, Program, Statement};

/// The first difference between two programs, or none. Spans, texts of statements and the arenas do
/// not count; names, sorts, the graph, its statements, trust and properties do.
pub fn difference(a: &Program, b: &Program) -> Option<String> {
    let mut same = Same { a: &a.terms, b: b.terms.clone(), known: FxHashMap::default() };
    let count =
        |what: &str, x: usize, y: usize| (x != y).then(|| format!("{x} {what}, {y} {what}"));
    if let Some(different) = count("procedures", a.procedures.len(), b.procedures.len())
        .or_else(|| count("locations", a.locations.len(), b.locations.len()))
        .or_else(|| count("edges", a.edges.len(), b.edges.len()))
        .or_else(|| count("global variables", a.globals.len(), b.globals.len()))
    {
        return Some(different);
    }
    if a.entries != b.entries {
        return Some("different entries".to_owned());
    }
    let variables = |x: Vec<Term>, y: Vec<Term>, same: &mut Same| {
        x.len() == y.len()
            && x.iter().zip(&y).all(|(&x, &y)| {
                same.known.insert(x, y);
                a.name(x) == b.name(y) && a.terms.sort(x) == b.terms.sort(y)
            })
    };
    if !variables(a.globals.clone(), b.globals.clone(), &mut same) {
        return Some("different global variables".to_owned());
    }
    for (p, q) in a.procedures.iter().zip(&b.procedures) {
        let shape = |p: &crate::Procedure| {
            (p.name.clone(), p.entry, p.exit, p.parameters.len(), p.results.len())
        };
        if shape(p) != shape(q)
            || !variables(p.variables().collect(), q.variables().collect(), &mut same)
        {
            return Some(format!("procedure `{}` differs from `{}`", p.name, q.name));
        }
    }
    for (index, (e, f)) in a.edges.iter().zip(&b.edges).enumerate() {
        let (s, t) = (a.site(e.site), b.site(f.site));
        let property = |to, site: &crate::Site| match to {
            Program::ERROR => site.property.clone(),
            _ => None,
        };
        if (e.from, e.to) != (f.from, f.to)
            || s.trust != t.trust
            || property(e.to, s) != property(f.to, t)
            || !same.statements(&e.statement, &f.statement)
        {
            return Some(format!("edge {index} differs: `{}` and `{}`", s.text, t.text));
        }
    }
    None
}

struct Same<'a> {
    a: &'a Terms,
    /// A clone, in which terms of `a` are rebuilt.
    b: Terms,
    /// Pairs that are known to correspond.
    known: FxHashMap<Term, Term>,
}

impl Same<'_> {
    fn statements(&mut self, x: &Statement, y: &Statement) -> bool {
        match (x, y) {
            (
                Statement::Assign { place: p, value: v },
                Statement::Assign { place: q, value: w },
            ) => self.places(p, q) && self.terms(*v, *w),
            (Statement::Havoc { place: p }, Statement::Havoc { place: q }) => self.places(p, q),
            (Statement::Assume { condition: c }, Statement::Assume { condition: d }) => {
                self.terms(*c, *d)
            }
            (
                Statement::Call { callee: p, arguments: a, results: r },
                Statement::Call { callee: q, arguments: b, results: s },
            ) => self.calls((*p, a, r), (*q, b, s)),
            (Statement::Return, Statement::Return) => true,
            (Statement::External { function: f, .. }, Statement::External { function: g, .. })
                if f != g =>
            {
                false
            }
            (
                Statement::CallPointer { .. } | Statement::External { .. } | Statement::Memory(_),
                Statement::CallPointer { .. } | Statement::External { .. } | Statement::Memory(_),
            ) => {
                std::mem::discriminant(x) == std::mem::discriminant(y)
                    && self.lists(&x.operands(), &y.operands())
                    && self.lists(x.targets(), y.targets())
            }
            _ => false,
        }
    }

    fn calls(
        &mut self,
        x: (ProcedureId, &[Term], &[Term]),
        y: (ProcedureId, &[Term], &[Term]),
    ) -> bool {
        x.0 == y.0 && self.lists(x.1, y.1) && self.lists(x.2, y.2)
    }

    fn places(&mut self, p: &Place, q: &Place) -> bool {
        self.terms(p.variable, q.variable) && self.lists(&p.indices, &q.indices)
    }

    fn lists(&mut self, x: &[Term], y: &[Term]) -> bool {
        x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.terms(x, y))
    }

    /// Compares terms up to the order of commutative arguments, which depends on ids: `x` is rebuilt
    /// in `b`'s arena, where equal terms have equal ids.
    fn terms(&mut self, x: Term, y: Term) -> bool {
        if let Some(&known) = self.known.get(&x) {
            return known == y;
        }
        for node in self.a.reachable(&[x]) {
            if self.known.contains_key(&node) {
                continue;
            }
            let image = if let Some(value) = self.a.value(node) {
                self.b.constant(value)
            } else if self.a.is_var(node) {
                return false;
            } else {
                let args: Vec<Term> = self.a.args(node).iter().map(|a| self.known[a]).collect();
                self.b.make(self.a.op(node), self.a.sort(node), &args)
            };
            self.known.insert(node, image);
        }
        self.known.get(&x) == Some(&y)
    }
}
