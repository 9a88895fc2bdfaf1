//! The sorts of Boogie's types.

use rustc_hash::FxHashMap;
use term::Sort;

use super::Lowering;
use crate::ast::Span;
use crate::types::{MapId, Type};

/// Synonyms can double a type in each line; sorts are trees.
const LARGEST: usize = 1000;

/// The sorts of map types, with the number of their nodes.
#[derive(Debug, Default)]
pub(super) struct Sorts {
    maps: FxHashMap<MapId, (Sort, usize)>,
}

impl Lowering<'_> {
    /// The sort of a type; `span` is what to point at if the type is too large.
    pub(super) fn sort_at(&mut self, of_type: Type, span: Span) -> Sort {
        match self.sized(of_type) {
            Some((sort, _)) => sort,
            None => {
                let message = format!("types of more than {LARGEST} parts are not supported");
                self.refuse(span, message);
                Sort::Int
            }
        }
    }

    /// The sort and its size. Only equality is possible on values of declared types, and there are
    /// arbitrarily many of them: integers do.
    fn sized(&mut self, of_type: Type) -> Option<(Sort, usize)> {
        let sort = match of_type {
            Type::Bool => Sort::Bool,
            Type::Int | Type::Named(_) => Sort::Int,
            Type::Real => Sort::Real,
            Type::BitVector(width) => Sort::BitVec(width),
            Type::Map(id) => return self.map(id),
        };
        Some((sort, 1))
    }

    /// `[A, B]C` is `[A][B]C`.
    fn map(&mut self, id: MapId) -> Option<(Sort, usize)> {
        if let Some(known) = self.sorts.maps.get(&id) {
            return Some(known.clone());
        }
        let map = self.checked.types.map(id);
        let (mut sort, mut size) = self.sized(map.result)?;
        for &argument in map.arguments.iter().rev() {
            let (index, more) = self.sized(argument)?;
            sort = Sort::array(index, sort);
            size += more + 1;
        }
        if size > LARGEST {
            return None;
        }
        self.sorts.maps.insert(id, (sort.clone(), size));
        Some((sort, size))
    }
}
