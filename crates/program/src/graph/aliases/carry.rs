//! What part of a term may be an address, or a piece of one.
//!
//! An address is moved by adding numbers to it, chosen, masked, cut into pieces and put together
//! again. It is then still in the term as a variable or a constant. Other operators make numbers of
//! addresses:
//!
//! - comparisons, products, quotients and remainders. Subtraction is the addition of a product, so
//!   `p - q` carries `p` and not `q`. In C the two must point into one object, so that whatever `p
//!   - q` is added to, the sum is in an object that `p` or the other summand points to. (Rounding,
//!   `p / 16 * 16`, is an exception from the exception.)
//! - whatever has fewer than 64 bits and is not merely moved. A loop that copies bytes moves pieces
//!   of addresses, so pieces count; but `n + 1` is the piece of nothing.
//! - widening: a piece that becomes a number of 64 bits is an index or a length. Whoever puts an
//!   address together from pieces by shifts and sums, instead of through memory, is not understood.
//! - floating-point numbers.

use term::{Op, Sort, Term, Terms, Value};

use crate::process::{EXTERNALS, PROCEDURES, static_address};
use crate::program::{ExternalId, ProcedureId, Program, StaticId, Target};

/// The variables and constants in a term that may make it an address.
#[derive(Clone, Debug, Default)]
pub struct Carried {
    pub variables: Vec<Term>,
    pub constants: Vec<u64>,
}

/// Whether a value may be an address, or a piece of one that is worth following.
pub fn carries(sort: &Sort) -> bool {
    width(sort) >= 8
}

/// Whether a value may be a whole address.
pub fn is_word(sort: &Sort) -> bool {
    width(sort) >= 64
}

fn width(sort: &Sort) -> u32 {
    if let Sort::BitVec(width) = sort { *width } else { 0 }
}

pub fn carried(terms: &Terms, term: Term) -> Carried {
    let mut carried = Carried::default();
    let mut found = vec![term];
    let mut next = 0;
    while let Some(&term) = found.get(next) {
        next += 1;
        if !carries(terms.sort(term)) {
            continue;
        }
        if terms.is_var(term) {
            carried.variables.push(term);
        }
        if let Some(Value::BitVec(value)) = terms.value(term)
            && is_word(terms.sort(term))
        {
            carried.constants.extend([value.unsigned() as u64, (value.unsigned() >> 64) as u64]);
        }
        for &part in parts(terms, term) {
            if !found.contains(&part) {
                found.push(part);
            }
        }
    }
    carried
}

/// The arguments of which the term may carry an address.
fn parts(terms: &Terms, term: Term) -> &[Term] {
    let args = terms.args(term);
    let is_wide = is_word(terms.sort(term));
    let first = args.get(..1).unwrap_or_default();
    match terms.op(term) {
        Op::Ite => &args[1..],
        Op::Concat => args,
        Op::Extract { .. } => {
            // A piece of a sum is a number.
            let sum = first.iter().any(|&arg| matches!(terms.op(arg), Op::Add | Op::Mul));
            if is_wide || !sum { args } else { &[] }
        }
        Op::ZeroExtend | Op::SignExtend => {
            let same = first.iter().all(|&arg| is_word(terms.sort(arg)) == is_wide);
            if same { args } else { &[] }
        }
        Op::BvAnd if is_wide => {
            let tag = args.iter().any(|&arg| match terms.value(arg) {
                Some(Value::BitVec(mask)) => mask.unsigned() < 1 << 16,
                _ => false,
            });
            if tag { &[] } else { args }
        }
        Op::Add | Op::BvOr | Op::BvXor | Op::BvNot if is_wide => args,
        Op::BvShl | Op::BvLshr | Op::BvAshr | Op::BvUdiv if is_wide => first,
        Op::Mul if is_wide => {
            let rounds = |&arg: &Term| matches!(terms.op(arg), Op::BvUdiv | Op::BvLshr);
            if args.iter().any(rounds) { args } else { &[] }
        }
        _ => &[],
    }
}

/// What a constant may be the address of. It may lie outside of its object, but not far.
pub fn target(program: &Program, address: u64) -> Option<Target> {
    let nth = |start: u64, count: usize| {
        let distance = address.checked_sub(start)?;
        let n = u32::try_from(distance / 16).ok()?;
        (distance % 16 == 0 && (n as usize) < count).then_some(n)
    };
    if address >> 32 == 0 {
        let procedure = nth(PROCEDURES, program.procedures.len()).map(ProcedureId);
        let external = nth(EXTERNALS, program.externals.len()).map(ExternalId);
        return procedure.map(Target::Procedure).or(external.map(Target::External));
    }
    let id = StaticId(u32::try_from((address >> 32) - 1).ok()?);
    program.statics.get(id.index())?;
    let offset = address.wrapping_sub(static_address(id)) as i64;
    (offset.unsigned_abs() < 1 << 31).then_some(Target::Object(id, offset))
}
