//! Names of what is in memory.
//!
//! Conditions about a state are terms in these names. At each place of a run, what has a name is a symbol of its own.

use failure::Memory;
use rustc_hash::FxHashMap;
use term::{Sort, Term, Terms};

#[derive(Debug, Default)]
pub(super) struct Names {
    /// The name of what is in an area, and the area.
    names: FxHashMap<((u64, u64), Sort), Term>,
    areas: FxHashMap<Term, (u64, u64)>,
    /// The symbol of a name at the place of a run with a number; and the reverse.
    symbols: FxHashMap<(usize, Term), Term>,
    origins: FxHashMap<Term, (usize, Term)>,
}

impl Names {
    /// The name of what is in an area.
    pub fn name(&mut self, terms: &mut Terms, area: (u64, u64), sort: &Sort) -> Term {
        *self.names.entry((area, sort.clone())).or_insert_with(|| {
            let name = terms.fresh("@", sort);
            self.areas.insert(name, area);
            name
        })
    }

    pub fn symbol(&mut self, terms: &mut Terms, place: usize, name: Term) -> Term {
        *self.symbols.entry((place, name)).or_insert_with(|| {
            let sort = terms.sort(name).clone();
            let symbol = terms.fresh("@", &sort);
            self.origins.insert(symbol, (place, name));
            symbol
        })
    }

    /// The place and the name of a symbol.
    pub fn origin(&self, symbol: Term) -> Option<(usize, Term)> {
        self.origins.get(&symbol).copied()
    }

    pub fn area(&self, name: Term) -> Option<(u64, u64)> {
        self.areas.get(&name).copied()
    }

    /// The areas of all names in a term.
    pub fn areas_of<'a>(
        &'a self,
        terms: &Terms,
        term: Term,
    ) -> impl Iterator<Item = (u64, u64)> + use<'a> {
        terms.variables_of(&[term]).into_iter().filter_map(|name| self.area(name))
    }

    /// Whether conditions hold about what is in memory.
    pub fn hold(&self, terms: &Terms, conditions: &[Term], memory: &Memory) -> bool {
        conditions.iter().all(|&condition| {
            let mut value = |name: Term| memory.value(self.area(name)?, terms.sort(name));
            term::evaluate(terms, condition, &mut value).is_some_and(|value| value.is_true())
        })
    }
}
