//! Which edges a process takes.

use super::observe::Observer;
use crate::program::{EdgeId, Program};

/// Marks the edges that are taken: one bit for each edge of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    bits: Vec<u64>,
}

impl Coverage {
    /// No edge has been taken.
    pub fn of(program: &Program) -> Coverage {
        Coverage { bits: vec![0; program.edges.len().div_ceil(64)] }
    }

    /// The edges that were taken, in the order of the program.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> {
        let all = (0u32..).zip(&self.bits);
        all.flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| EdgeId(word * 64 + bit))
        })
    }
}

impl Observer for Coverage {
    const ACTIVE: bool = true;

    #[inline]
    fn step(&mut self, edge: EdgeId) -> bool {
        if let Some(word) = self.bits.get_mut(edge.index() / 64) {
            *word |= 1 << (edge.index() % 64);
        }
        true
    }
}
