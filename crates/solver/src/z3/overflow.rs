//! Overflow predicates for Z3.

use term::Op;
use z3_sys as z3;

use super::context::{Ast, Context};

/// Whether the operation overflows; None if the operator is no overflow predicate.
pub fn operation(c: &Context, op: Op, a: &Ast, b: &Ast) -> Option<Ast> {
    match op {
        Op::BvUaddOverflow => {
            let sum = c.binary(z3::Z3_mk_bvadd, a, b)?;
            c.binary(z3::Z3_mk_bvult, &sum, a)
        }
        Op::BvUsubOverflow => c.binary(z3::Z3_mk_bvult, a, b),
        // The operands have one sign and the sum has the other.
        Op::BvSaddOverflow => {
            let sum = c.binary(z3::Z3_mk_bvadd, a, b)?;
            both_negative(c, [a, &sum], [b, &sum])
        }
        // The operands have different signs, and the difference has not that of the first.
        Op::BvSsubOverflow => {
            let difference = c.binary(z3::Z3_mk_bvsub, a, b)?;
            both_negative(c, [a, b], [a, &difference])
        }
        // Z3 knows better circuits for these than products of twice the width.
        Op::BvUmulOverflow => c.unary(z3::Z3_mk_not, &c.unsigned_product_fits(a, b)?),
        Op::BvSmulOverflow => {
            let fits = c.signed_product_fits(a, b)?;
            c.unary(z3::Z3_mk_not, &c.nary(z3::Z3_mk_and, &fits)?)
        }
        _ => None,
    }
}

/// Whether the top bit is set in both of two exclusive ors.
fn both_negative(c: &Context, x: [&Ast; 2], y: [&Ast; 2]) -> Option<Ast> {
    let x = c.binary(z3::Z3_mk_bvxor, x[0], x[1])?;
    let y = c.binary(z3::Z3_mk_bvxor, y[0], y[1])?;
    let both = c.binary(z3::Z3_mk_bvand, &x, &y)?;
    let zero = c.binary(z3::Z3_mk_bvxor, &x, &x)?;
    c.binary(z3::Z3_mk_bvslt, &both, &zero)
}
