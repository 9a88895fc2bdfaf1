//! Which bits of a result are undefined, as in Valgrind's memcheck.
//!
//! Bit by bit for logical operations, shifts by known amounts, and moves of bits; for arithmetic, all
//! bits from the lowest undefined one up, because carries move up. A decision, an address or a divisor
//! that depends on undefined bits is a failure.

use term::{Op, Sort};

use super::generic::{read_bits, write};
use super::image::{Generic, Image, bits};
use super::instruction::{Binary, Branch, BranchImmediate, Immediate, Instruction, Shape};
use super::machine::mask;

/// This bit and all above.
fn upwards(undefined: u64) -> u64 {
    undefined | undefined.wrapping_neg()
}

/// Computes the undefined bits of what an instruction is about to write. None if it is a failure.
#[inline(always)]
pub(super) fn propagate(
    image: &Image,
    instruction: Instruction,
    frame: &[u64],
    shadow: &mut [u64],
) -> Option<()> {
    match instruction.shape() {
        Shape::Binary(op, s, to, a, b) => {
            let (a, b) = (a as usize, b as usize);
            let operands = ([frame[a], frame[b]], [shadow[a], shadow[b]]);
            shadow[to as usize] =
                if shadow[a] | shadow[b] == 0 { 0 } else { binary(op, s, operands.0, operands.1)? };
        }
        Shape::Immediate(op, s, to, a, c) => {
            let undefined = shadow[a as usize];
            shadow[to as usize] =
                if undefined == 0 { 0 } else { immediate(op, s, frame[a as usize], undefined, c) };
        }
        Shape::Branch(op, a, b) => {
            let (a, b) = (a as usize, b as usize);
            let undefined = shadow[a] | shadow[b];
            let decided = matches!(op, Branch::IfEq | Branch::IfNe)
                && (frame[a] ^ frame[b]) & !undefined != 0;
            if undefined != 0 && !decided {
                return None;
            }
        }
        Shape::BranchImmediate(op, s, a, c) => {
            let (value, undefined) = (frame[a as usize], shadow[a as usize]);
            let c = i64::from(c) as u64 & (u64::MAX >> s);
            let decided = matches!(op, BranchImmediate::IfEqI | BranchImmediate::IfNeI)
                && (value ^ c) & !undefined != 0;
            if undefined != 0 && !decided {
                return None;
            }
        }
        Shape::Other => return other(image, instruction, frame, shadow),
    }
    Some(())
}

#[cold]
fn binary(op: Binary, s: u8, [x, y]: [u64; 2], [u, v]: [u64; 2]) -> Option<u64> {
    use Binary::*;
    let any = u | v;
    let ones = u64::MAX >> s;
    let width = 64 - u64::from(s);
    Some(match op {
        Add | Sub | Mul => upwards(any) & ones,
        // A known zero decides a conjunction, a known one a disjunction.
        And => any & (u | x) & (v | y),
        Or => any & (u | !x) & (v | !y),
        Xor => any,
        Shl if v == 0 => {
            if y < width {
                u << y & ones
            } else {
                0
            }
        }
        Lshr if v == 0 => {
            if y < width {
                u >> y
            } else {
                0
            }
        }
        Ashr if v == 0 => (((u << s) as i64 >> s) >> y.min(63)) as u64 & ones,
        Shl | Lshr | Ashr => ones,
        Udiv | Urem | Sdiv | Srem if v != 0 => return None,
        Udiv | Urem | Sdiv | Srem => ones,
        Eq => u64::from((x ^ y) & !any == 0),
        FAdd | FSub | FMul | FDiv | SingleAdd | SingleSub | SingleMul | SingleDiv => ones,
        Ult | Slt | SaddOverflow | SsubOverflow | SmulOverflow | UaddOverflow | UmulOverflow
        | FEq | FLt | FLe | SingleEq | SingleLt | SingleLe => 1,
    })
}

#[cold]
fn immediate(op: Immediate, s: u8, x: u64, undefined: u64, c: i32) -> u64 {
    use Immediate::*;
    let ones = u64::MAX >> s;
    let constant = i64::from(c) as u64 & ones;
    match op {
        AddI | SubFromI | MulI => upwards(undefined) & ones,
        AndI => undefined & constant,
        OrI => undefined & !constant,
        XorI => undefined,
        ShlI => undefined << (c & 63) & ones,
        LshrI => undefined >> (c & 63),
        AshrI => (((undefined << s) as i64 >> s) >> (c & 63)) as u64 & ones,
        EqI => u64::from((x ^ constant) & !undefined == 0),
        UltI | UgtI | SltI | SgtI => 1,
    }
}

#[inline(always)]
fn other(image: &Image, instruction: Instruction, frame: &[u64], shadow: &mut [u64]) -> Option<()> {
    use Instruction::*;
    let defined = |shadow: &[u64], slot: u32| (shadow[slot as usize] == 0).then_some(());
    match instruction {
        Const { to, .. } | Mark { to } => shadow[to as usize] = 0,
        Move { to, a } => shadow[to as usize] = shadow[a as usize],
        Scaled { s, to, a, b, .. } => {
            let any = shadow[a as usize] | shadow[b as usize];
            shadow[to as usize] = upwards(any) & u64::MAX >> s;
        }
        Select { to, c, a } => {
            let (to, a) = (to as usize, a as usize);
            shadow[to] = match (shadow[c as usize], frame[c as usize]) {
                (0, 0) => shadow[to],
                (0, _) => shadow[a],
                // It may be either: what they agree on is defined.
                _ => shadow[to] | shadow[a] | (frame[to] ^ frame[a]),
            };
        }
        SignExtend { s, from, to, a } => {
            let undefined = shadow[a as usize];
            shadow[to as usize] = ((undefined << from) as i64 >> from) as u64 & u64::MAX >> s;
        }
        Extract { s, low, to, a } => {
            shadow[to as usize] = shadow[a as usize] >> (low & 63) & u64::MAX >> s;
        }
        Concat { shift, to, a, b } => {
            shadow[to as usize] = shadow[a as usize] << (shift & 63) | shadow[b as usize];
        }
        Float { op, s, to, a } => {
            shadow[to as usize] = if shadow[a as usize] == 0 { 0 } else { op.mask(s) };
        }
        Generic { index } => generic(image.generics.get(index as usize)?, frame, shadow)?,
        Switch { a, .. } | Release { a } => defined(shadow, a)?,
        Load1 { a, .. }
        | Load2 { a, .. }
        | Load4 { a, .. }
        | Load8 { a, .. }
        | LoadAny { a, .. }
        | Store1 { a, .. }
        | Store2 { a, .. }
        | Store4 { a, .. }
        | Store8 { a, .. }
        | StoreAny { a, .. }
        | Initialise { a, .. } => defined(shadow, a)?,
        Alloc { to, size, .. } => {
            defined(shadow, size)?;
            shadow[to as usize] = 0;
        }
        Copy { to, from, size } => {
            [to, from, size].into_iter().try_for_each(|slot| defined(shadow, slot))?;
        }
        Fill { to, size, .. } => {
            [to, size].into_iter().try_for_each(|slot| defined(shadow, slot))?
        }
        // Done where values are moved.
        _ => {}
    }
    Some(())
}

#[inline(never)]
fn generic(generic: &Generic, frame: &[u64], shadow: &mut [u64]) -> Option<()> {
    let undefined: Vec<u128> =
        generic.arguments.iter().map(|(sort, slot)| read_bits(sort, *slot, shadow)).collect();
    let value =
        |n: usize| generic.arguments.get(n).map_or(0, |(sort, slot)| read_bits(sort, *slot, frame));
    let width = |n: usize| generic.arguments.get(n).and_then(|(sort, _)| bits(sort)).unwrap_or(1);
    let own = bits(&generic.sort).unwrap_or(1);
    let any = undefined.iter().fold(0, |all, bits| all | bits);
    let all = if any == 0 { 0 } else { u128::MAX };
    let result = match (generic.op, &undefined[..]) {
        _ if any == 0 => 0,
        (Op::BvNot | Op::BvXor | Op::ZeroExtend, _) => any,
        (Op::BvAnd, &[u, v]) => any & (u | value(0)) & (v | value(1)),
        (Op::BvOr, &[u, v]) => any & (u | !value(0)) & (v | !value(1)),
        (Op::Add | Op::Mul, _) => any | any.wrapping_neg(),
        (Op::Extract { low }, &[u]) => u.checked_shr(low).unwrap_or(0),
        (Op::Concat, &[u, v]) => u.checked_shl(width(1)).unwrap_or(0) | v,
        (Op::SignExtend, &[u]) => sign_extended(u, width(0)),
        (Op::BvShl, &[u, 0]) => shifted(u, value(1), |u, by| u.checked_shl(by)),
        (Op::BvLshr, &[u, 0]) => shifted(u, value(1), |u, by| u.checked_shr(by)),
        (Op::BvAshr, &[u, 0]) => {
            let by = value(1).min(127) as u32;
            (sign_extended(u, own) as i128 >> by) as u128
        }
        (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem, &[_, v]) if v != 0 => return None,
        (Op::Eq, _) => u128::from((value(0) ^ value(1)) & !any == 0),
        (Op::Ite, &[0, u, v]) => {
            if value(0) != 0 {
                u
            } else {
                v
            }
        }
        (Op::Ite, &[_, u, v]) => u | v | (value(1) ^ value(2)),
        _ => all,
    };
    let own = if generic.sort == Sort::Bool { 1 } else { own };
    write(&generic.sort, generic.to, result & mask(own), shadow);
    Some(())
}

fn sign_extended(bits: u128, width: u32) -> u128 {
    let s = 128 - width.clamp(1, 128);
    ((bits << s) as i128 >> s) as u128
}

fn shifted(bits: u128, by: u128, shift: impl Fn(u128, u32) -> Option<u128>) -> u128 {
    u32::try_from(by).ok().and_then(|by| shift(bits, by)).unwrap_or(0)
}
