//! What is known of the arguments of an operator if its result is in an arc.

use term::Op;

use super::arc::{Arc, gcd, signed_bounds};
use super::forward::{Of, exact, fitting};

/// That nothing is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

/// Narrows the arguments of an operator with a result in this arc.
pub(super) fn backward(
    op: Op,
    result: Arc,
    mask: u64,
    args: &mut [Of],
) -> Result<(), Contradiction> {
    match (op, args) {
        (Op::And, args) => junction(args, result, true),
        (Op::Or, args) => junction(args, result, false),
        (Op::Not | Op::BvNot, [a]) => keep(a, Arc::point(mask).subtract(result, mask)),
        (Op::Ite, [condition, a, b]) => {
            if a.0.meet(result, mask).is_none() {
                keep(condition, Arc::point(0))?;
            }
            if b.0.meet(result, mask).is_none() {
                keep(condition, Arc::point(1))?;
            }
            match condition.0.as_truth() {
                Some(true) => keep(a, result),
                Some(false) => keep(b, result),
                None => Ok(()),
            }
        }
        (Op::Eq, [a, b]) => match result.as_truth() {
            Some(true) => {
                keep(a, b.0)?;
                keep(b, a.0)
            }
            Some(false) => {
                if b.0.is_point() {
                    a.0 = a.0.without(b.0.low, a.1).ok_or(Contradiction)?;
                }
                if a.0.is_point() {
                    b.0 = b.0.without(a.0.low, b.1).ok_or(Contradiction)?;
                }
                Ok(())
            }
            None => Ok(()),
        },
        (Op::BvUlt | Op::BvSlt, [a, b]) => compared(op, result, a, b),
        (Op::Add, args) => {
            for one in 0..args.len() {
                let others = args.iter().enumerate().filter(|(other, _)| *other != one);
                let others = others.fold(Arc::point(0), |sum, (_, (a, _))| sum.add(*a, mask));
                keep(&mut args[one], result.subtract(others, mask))?;
            }
            Ok(())
        }
        (Op::Mul, args) => product(args, result, mask),
        (Op::BvShl, [a, (by, _)]) if by.is_point() && by.low < u64::from(mask.count_ones()) => {
            scaled(a, 1 << by.low, result, mask)
        }
        (Op::BvLshr, [a, (by, _)]) if by.is_point() && by.low < u64::from(mask.count_ones()) => {
            let (low, high) = result.unsigned(mask);
            let last = (1u64 << by.low) - 1;
            let low = low.checked_mul(1 << by.low).filter(|&low| low <= mask);
            let low = low.ok_or(Contradiction)?;
            let high = high.checked_mul(1 << by.low).and_then(|high| high.checked_add(last));
            keep(a, Arc::between(low, high.unwrap_or(mask).min(mask)))
        }
        (Op::BvUdiv, [a, (by, _)]) if by.is_point() && by.low > 0 => {
            let (low, high) = result.unsigned(mask);
            let by = i128::from(by.low);
            let (low, high) = (i128::from(low) * by, i128::from(high) * by + by - 1);
            keep_if_any(a, Arc::within_unsigned(low, high, mask))
        }
        (Op::BvSdiv, [a, (by, _)]) if by.is_point() && by.signed(mask).0 > 0 => {
            let ((low, high), by) = (result.signed(mask), by.signed(mask).0);
            let low = if low > 0 { low * by } else { low * by - (by - 1) };
            let high = if high < 0 { high * by } else { high * by + (by - 1) };
            keep_if_any(a, Arc::within_signed(low, high, mask))
        }
        (Op::BvUrem, [a, (by, _)]) if by.is_point() && by.low > 0 => {
            let ((low, _, step), (least, most)) = (result.unsigned_steps(mask), a.0.unsigned(mask));
            let (by, step) = (by.low, gcd(by.low, step));
            // A number and its remainder differ by a multiple of the divisor.
            let (least, most) = (i128::from(least.max(low)), i128::from(most));
            keep_if_any(a, Arc::within_every(step, low.into(), least, most, mask))?;
            let (least, most) = a.0.unsigned(mask);
            match least / by == most / by {
                true => keep(a, result.add(Arc::point(least - least % by), mask)),
                false => Ok(()),
            }
        }
        (Op::BvSrem, [a, (by, _)]) if by.is_point() && by.signed(mask).0 > 0 => {
            let ((low, high, step), (least, most)) = (result.signed_steps(mask), a.0.signed(mask));
            let (by, step) = (by.signed(mask).0, gcd(by.low, step));
            let least = if low > 0 { least.max(low) } else { least };
            let most = if high < 0 { most.min(high) } else { most };
            keep_if_any(a, Arc::within_every(step, low, least, most, mask))?;
            let (least, most) = a.0.signed(mask);
            match least / by == most / by && (least >= 0 || most <= 0) {
                true => keep(a, result.add(Arc::point((least - least % by) as u64 & mask), mask)),
                false => Ok(()),
            }
        }
        (Op::ZeroExtend, [a]) => {
            let (low, high, step) = a.0.unsigned_steps(a.1);
            let own = Arc::every(step, low, high - low);
            keep_if_any(a, own.preimage(own, result, mask, a.1))
        }
        (Op::SignExtend, [a]) => {
            let (low, high, step) = a.0.signed_steps(a.1);
            let own = Arc::every(step, low as u64 & a.1, (high - low) as u64);
            let images = Arc { low: low as u64 & mask, ..own };
            keep_if_any(a, own.preimage(images, result, mask, a.1))
        }
        (Op::Extract { low: 0 }, [a]) if a.0.span <= mask => {
            let images = Arc { low: a.0.low & mask, ..a.0 };
            keep_if_any(a, a.0.preimage(images, result, mask, a.1))
        }
        (Op::Concat, [a, b]) => {
            let (low, high) = result.unsigned(mask);
            let by = b.1.count_ones();
            keep(a, Arc::between(low >> by, high >> by))?;
            match low >> by == high >> by {
                true => keep(b, Arc::between(low & b.1, high & b.1)),
                false => Ok(()),
            }
        }
        (
            Op::BvSaddOverflow | Op::BvSsubOverflow | Op::BvUaddOverflow | Op::BvUsubOverflow,
            [a, b],
        ) if result.as_truth() == Some(false) => fits(op, a, b),
        (Op::BvSmulOverflow | Op::BvUmulOverflow, [a, b]) if result.as_truth() == Some(false) => {
            factor_fits(op, a, b)?;
            factor_fits(op, b, a)
        }
        _ => Ok(()),
    }
}

fn keep((arc, mask): &mut Of, possible: Arc) -> Result<(), Contradiction> {
    *arc = arc.meet(possible, *mask).ok_or(Contradiction)?;
    Ok(())
}

fn keep_if_any(arg: &mut Of, possible: Option<Arc>) -> Result<(), Contradiction> {
    keep(arg, possible.ok_or(Contradiction)?)
}

/// All are as they should be; or one is not, if that is what the result says.
fn junction(args: &mut [Of], result: Arc, should: bool) -> Result<(), Contradiction> {
    match result.as_truth() {
        Some(truth) if truth == should => {
            args.iter_mut().try_for_each(|arg| keep(arg, Arc::truth(Some(should))))
        }
        Some(_) => {
            let may = |arg: &&mut Of| arg.0.as_truth() != Some(should);
            let mut others = args.iter_mut().filter(may);
            let one = others.next().ok_or(Contradiction)?;
            match others.next() {
                None => keep(one, Arc::truth(Some(!should))),
                Some(_) => Ok(()),
            }
        }
        None => Ok(()),
    }
}

fn compared(op: Op, result: Arc, a: &mut Of, b: &mut Of) -> Result<(), Contradiction> {
    let mask = a.1;
    let Some(holds) = result.as_truth() else { return Ok(()) };
    let range = |arc: Arc| match op {
        Op::BvSlt => arc.signed(mask),
        _ => {
            let (low, high) = arc.unsigned(mask);
            (i128::from(low), i128::from(high))
        }
    };
    let within = |low: i128, high: i128| match op {
        Op::BvSlt => Arc::within_signed(low, high, mask),
        _ => Arc::within_unsigned(low, high, mask),
    };
    let ((a_low, a_high), (b_low, b_high)) = (range(a.0), range(b.0));
    match holds {
        true => {
            keep_if_any(a, within(a_low, b_high - 1))?;
            keep_if_any(b, within(a_low + 1, b_high))
        }
        false => {
            keep_if_any(a, within(b_low, a_high))?;
            keep_if_any(b, within(b_low, a_high))
        }
    }
}

/// One factor that is not known, by the others that are; or two, if their product cannot go around the clock.
fn product(args: &mut [Of], result: Arc, mask: u64) -> Result<(), Contradiction> {
    let open = || args.iter().enumerate().filter(|(_, (a, _))| !a.is_point());
    match open().count() {
        0 => Ok(()),
        1 => {
            let Some((one, _)) = open().next() else { return Ok(()) };
            let others = args.iter().filter(|(a, _)| a.is_point());
            let by = others.fold(1u64, |by, (a, _)| by.wrapping_mul(a.low)) & mask;
            scaled(&mut args[one], by, result, mask)
        }
        _ => match args {
            [a, b] => {
                let fits = exact(Op::BvSmulOverflow, a.0, b.0, mask);
                let (least, most) = signed_bounds(mask);
                match fits {
                    Some((low, high)) if least <= low && high <= most => {
                        divided(a, b.0, result, mask)?;
                        divided(b, a.0, result, mask)
                    }
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        },
    }
}

/// A factor whose product with another is exact.
fn divided(a: &mut Of, by: Arc, result: Arc, mask: u64) -> Result<(), Contradiction> {
    let ((low, high), (b, d)) = (result.signed(mask), by.signed(mask));
    if b <= 0 && d >= 0 {
        return Ok(());
    }
    let ends = [low / b, low / d, high / b, high / d];
    // They are rounded: one more, to be on the safe side.
    let low = ends.into_iter().fold(i128::MAX, i128::min) - 1;
    let high = ends.into_iter().fold(i128::MIN, i128::max) + 1;
    keep_if_any(a, Arc::within_signed(low, high, mask))
}

/// A number whose product with a constant is known.
fn scaled(a: &mut Of, by: u64, result: Arc, mask: u64) -> Result<(), Contradiction> {
    let negated = by.wrapping_neg() & mask;
    let (by, result) = match by <= negated {
        true => (by, result),
        false => (negated, result.negate(mask)),
    };
    if by == 0 {
        return match result.contains(0, mask) {
            true => Ok(()),
            false => Err(Contradiction),
        };
    }
    match a.0.scaled(by, mask) {
        Some(images) => keep_if_any(a, a.0.preimage(images, result, mask, mask)),
        None => {
            // The lowest bits of the product are 0.
            let zeros = (1u64 << by.trailing_zeros()) - 1;
            match result.is_point() && result.low & zeros != 0 {
                true => Err(Contradiction),
                false if result.is_point() && by % 2 == 1 => {
                    keep(a, Arc::point(result.low.wrapping_mul(inverse(by)) & mask))
                }
                false => Ok(()),
            }
        }
    }
}

/// The number with which the product of an odd one is 1.
fn inverse(odd: u64) -> u64 {
    // Each round doubles the bits that are right; three are from the start.
    (0..5)
        .fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

/// Two numbers whose sum or difference fits.
fn fits(op: Op, a: &mut Of, b: &mut Of) -> Result<(), Contradiction> {
    let mask = a.1;
    let (least, most) = fitting(op, mask);
    let signed = matches!(op, Op::BvSaddOverflow | Op::BvSsubOverflow);
    let range = |arc: Arc| match signed {
        true => arc.signed(mask),
        false => {
            let (low, high) = arc.unsigned(mask);
            (i128::from(low), i128::from(high))
        }
    };
    let within = |low: i128, high: i128| match signed {
        true => Arc::within_signed(low, high, mask),
        false => Arc::within_unsigned(low, high, mask),
    };
    let ((a_low, a_high), (b_low, b_high)) = (range(a.0), range(b.0));
    match op {
        Op::BvSaddOverflow | Op::BvUaddOverflow => {
            keep_if_any(a, within(least - b_high, most - b_low))?;
            keep_if_any(b, within(least - a_high, most - a_low))
        }
        _ => {
            keep_if_any(a, within(least + b_low, most + b_high))?;
            keep_if_any(b, within(a_low - most, a_high - least))
        }
    }
}

/// A factor whose product with a known one fits.
fn factor_fits(op: Op, a: &mut Of, (by, _): &Of) -> Result<(), Contradiction> {
    let mask = a.1;
    if !by.is_point() {
        return Ok(());
    }
    let (least, most) = fitting(op, mask);
    match op {
        Op::BvSmulOverflow => {
            let by = by.signed(mask).0;
            if by == 0 {
                return Ok(());
            }
            let (low, high) =
                if by > 0 { (least / by, most / by) } else { (most / by, least / by) };
            keep_if_any(a, Arc::within_signed(low, high, mask))
        }
        _ if by.low == 0 => Ok(()),
        _ => keep_if_any(a, Arc::within_unsigned(0, most / i128::from(by.low), mask)),
    }
}
