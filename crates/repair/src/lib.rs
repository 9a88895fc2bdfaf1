//! Repair: edits of the source with which the tests pass.
//!
//! Most faults are small: a wrong operator, a wrong constant, a missing statement. So the text is changed in each small way
//! in which real faults were corrected ([`generate`]), many changes at once in a text in which a number says which of them
//! counts ([`schema`]), and the tests are run ([`screen`]). What makes the failing tests pass is judged on inputs near the
//! failing ones ([`neighbours`], [`judge`]), because most of it only avoids the failure. What is left is compiled and run
//! as it would be written ([`accept`]); that is what a user sees.
//!
//! Nothing here knows a language but by its [`Syntax`](program::syntax::Syntax), and nothing compiles: that is the business of
//! a [`Build`](build::Build).

mod accept;
pub mod answers;
pub mod apart;
pub mod build;
pub mod claims;
pub mod edit;
mod find;
pub mod generate;
pub mod judge;
pub mod kinds;
pub mod neighbours;
pub mod observe;
pub mod plain;
pub mod runs;
pub mod schema;
pub mod screen;
mod told;

pub use find::{Judge, Place, Problem, Text, repair};
