//! Parts of values: elements of maps and bits of bit-vectors.

use super::Checker;
use super::expressions::are;
use crate::ast::{ExprId, Span};
use crate::types::Type;

impl Checker<'_> {
    /// The type of a map's element; `map` is for the error message.
    pub(super) fn element(
        &mut self,
        of_map: Type,
        map: ExprId,
        indices: &[ExprId],
    ) -> Option<Type> {
        let shown = self.is(map, of_map);
        self.element_of(of_map, &shown, self.span(map), indices)
    }

    /// The type of a map's element, where `shown` says what kind of map it is.
    pub(super) fn element_of(
        &mut self,
        of_map: Type,
        shown: &str,
        span: Span,
        indices: &[ExprId],
    ) -> Option<Type> {
        let Type::Map(id) = of_map else {
            self.wrong(span, format!("{shown} and cannot be indexed"));
            return None;
        };
        let map = self.checked.types.map(id).clone();
        if map.arguments.len() != indices.len() {
            let message = format!(
                "{shown} and takes {}, but {} given",
                count_indices(map.arguments.len()),
                are(indices.len())
            );
            self.wrong(span, message);
            return Some(map.result);
        }
        for (&wanted, &index) in map.arguments.iter().zip(indices) {
            if let Some(found) = self.found(index)
                && found != wanted
            {
                let found = self.checked.types.describe(found);
                self.wrong(self.span(index), format!("{shown} and cannot be indexed by {found}"));
            }
        }
        Some(map.result)
    }

    pub(super) fn store(&mut self, map: ExprId, indices: &[ExprId], value: ExprId) -> Option<Type> {
        let of_map = self.found(map)?;
        let element = self.element(of_map, map, indices)?;
        if let Some(found) = self.found(value)
            && found != element
        {
            let found = self.checked.types.describe(found);
            let message = format!("{} and cannot hold {found}", self.is(map, of_map));
            self.wrong(self.span(value), message);
        }
        Some(of_map)
    }

    pub(super) fn extraction(
        &mut self,
        span: Span,
        operand: ExprId,
        high: u32,
        low: u32,
    ) -> Option<Type> {
        let found = self.found(operand)?;
        let Type::BitVector(width) = found else {
            let message = format!(
                "only bits of a bit-vector can be extracted, but {}",
                self.is(operand, found)
            );
            self.wrong(self.span(operand), message);
            return None;
        };
        let message = if low == high {
            format!("`[{high}:{low}]` extracts no bits: the upper bound is excluded")
        } else if low > high {
            format!("`[{high}:{low}]` extracts no bits: the upper bound must come first")
        } else if high > width {
            format!("`[{high}:{low}]` is outside of a bit-vector of {width} bits")
        } else {
            return Some(Type::BitVector(high - low));
        };
        self.wrong(span, message);
        None
    }
}

fn count_indices(n: usize) -> String {
    match n {
        1 => "1 index".to_owned(),
        _ => format!("{n} indices"),
    }
}
