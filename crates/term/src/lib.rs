//! Hash-consed, sorted terms: build, simplify, substitute, evaluate, print as SMT-LIB.
//!
//! A [`Terms`] arena owns the nodes; a [`Term`] is a small id into it. Three facts carry the crate:
//!
//! - *Equal terms have equal ids.* The constructors simplify while they build, so a question about
//!   constants is answered by the time it has been asked.
//! - *Arguments are older than what is built from them.* Ids of arguments are smaller, so every pass
//!   is a loop over ids, linear in the number of distinct nodes, and no depth can overflow a stack.
//! - *A clone extends.* Ids stay valid in a clone of the arena, so an analysis clones the arena of a
//!   program and builds on, without locks and without touching the program.

mod build;
mod evaluate;
mod float;
mod linear;
mod op;
mod smtlib;
mod sort;
mod substitute;
mod terms;
mod trie;
mod value;
mod walk;

pub use evaluate::{Code, evaluate};
pub use float::{Float, Format, Rounding};
pub use linear::Linear;
pub use op::Op;
pub use smtlib::{script, to_smtlib};
pub use sort::{ArraySort, MAX_WIDTH, Sort};
pub use terms::{Term, Terms};
pub use value::{ArrayValue, BitVec, Value};

/// Arbitrary-precision numbers, as used in [`Value`].
pub mod number {
    pub use dashu_int::{IBig, UBig};
    pub use dashu_ratio::RBig;

    /// The quotient that leaves a remainder of at least 0. The divisor is not zero.
    pub fn div_euclid(a: &IBig, b: &IBig) -> IBig {
        use dashu_int::ops::DivEuclid;
        a.div_euclid(b)
    }
}
