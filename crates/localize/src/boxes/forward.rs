//! What an operator makes of arcs: all its results are in the arc that is given back. Of points, it is the result.

use term::Op;

use super::arc::{Arc, gcd, products, signed_bounds};

/// An operator's argument: its numbers, and the mask of its width.
pub(super) type Of = (Arc, u64);

/// The results of an operator, which are numbers of the width of `mask`; none if nothing is known.
pub(super) fn forward(op: Op, mask: u64, args: &[Of]) -> Option<Arc> {
    Some(match (op, args) {
        (Op::And, args) => all(args, true),
        (Op::Or, args) => all(args, false),
        (Op::Not | Op::BvNot, &[(a, _)]) => Arc::point(mask).subtract(a, mask),
        (Op::Ite, &[(condition, _), (a, _), (b, _)]) => match condition.as_truth() {
            Some(true) => a,
            Some(false) => b,
            None => a.join(b, mask),
        },
        (Op::Eq, &[(a, of), (b, _)]) => Arc::truth(match a.meet(b, of) {
            None => Some(false),
            Some(_) => (a.is_point() && b.is_point()).then_some(true),
        }),
        (Op::BvUlt, &[(a, of), (b, _)]) => Arc::truth(less(a.unsigned(of), b.unsigned(of))),
        (Op::BvSlt, &[(a, of), (b, _)]) => Arc::truth(less(a.signed(of), b.signed(of))),
        (Op::Add, args) => args.iter().fold(Arc::point(0), |sum, (a, _)| sum.add(*a, mask)),
        (Op::Mul, args) => {
            args.iter().fold(Arc::point(1), |product, (a, _)| product.multiply(*a, mask))
        }
        (Op::BvUdiv, &[(a, _), (b, _)]) => udiv(a, b, mask),
        (Op::BvUrem, &[(a, _), (b, _)]) => urem(a, b, mask),
        (Op::BvSdiv, &[(a, _), (b, _)]) => sdiv(a, b, mask),
        (Op::BvSrem, &[(a, _), (b, _)]) => srem(a, b, mask),
        (Op::BvAnd | Op::BvOr | Op::BvXor, &[(a, _), (b, _)]) => bitwise(op, a, b, mask),
        (Op::BvShl | Op::BvLshr | Op::BvAshr, &[(a, _), (b, _)]) => shift(op, a, b, mask)?,
        (Op::ZeroExtend, &[(a, of)]) => {
            let (low, high, step) = a.unsigned_steps(of);
            Arc::every(step, low, high - low)
        }
        (Op::SignExtend, &[(a, of)]) => {
            let (low, high, step) = a.signed_steps(of);
            Arc::every(step, low as u64 & mask, (high - low) as u64)
        }
        (Op::Extract { low }, &[(a, of)]) => {
            let moved = match low {
                0 => a,
                _ => {
                    let (least, most) = a.unsigned(of);
                    Arc::between(least >> low, most >> low)
                }
            };
            match moved.span <= mask {
                true => Arc { low: moved.low & mask, ..moved },
                false => Arc::class(moved.step, moved.low, mask),
            }
        }
        (Op::Concat, &[(a, over), (b, of)]) => {
            let ((a, c), (b, d)) = (a.unsigned(over), b.unsigned(of));
            let by = of.count_ones();
            Arc::between(a << by | b, c << by | d)
        }
        (_, &[(a, of), (b, _)]) => {
            let (low, high) = exact(op, a, b, of)?;
            let (least, most) = fitting(op, of);
            Arc::truth(match () {
                () if least <= low && high <= most => Some(false),
                () if high < least || most < low => Some(true),
                () => None,
            })
        }
        _ => return None,
    })
}

/// Between which numbers the exact result is of which it is asked whether it fits.
pub(super) fn exact(op: Op, a: Arc, b: Arc, mask: u64) -> Option<(i128, i128)> {
    let wide = |(low, high): (u64, u64)| (i128::from(low), i128::from(high));
    let (a, b) = match op {
        Op::BvSaddOverflow | Op::BvSsubOverflow | Op::BvSmulOverflow => {
            (a.signed(mask), b.signed(mask))
        }
        _ => (wide(a.unsigned(mask)), wide(b.unsigned(mask))),
    };
    Some(match op {
        Op::BvSaddOverflow | Op::BvUaddOverflow => (a.0 + b.0, a.1 + b.1),
        Op::BvSsubOverflow | Op::BvUsubOverflow => (a.0 - b.1, a.1 - b.0),
        Op::BvSmulOverflow => products(a, b),
        Op::BvUmulOverflow => (a.0.checked_mul(b.0)?, a.1.checked_mul(b.1)?),
        _ => return None,
    })
}

/// The results that fit.
pub(super) fn fitting(op: Op, mask: u64) -> (i128, i128) {
    match op {
        Op::BvSaddOverflow | Op::BvSsubOverflow | Op::BvSmulOverflow => signed_bounds(mask),
        _ => (0, i128::from(mask)),
    }
}

/// Whether all are as they should be, or (if that is false) one is not false.
fn all(args: &[Of], should: bool) -> Arc {
    let mut open = false;
    for (arg, _) in args {
        match arg.as_truth() {
            Some(truth) if truth != should => return Arc::truth(Some(!should)),
            Some(_) => {}
            None => open = true,
        }
    }
    Arc::truth((!open).then_some(should))
}

fn less<T: PartialOrd>((a, b): (T, T), (c, d): (T, T)) -> Option<bool> {
    match () {
        () if b < c => Some(true),
        () if a >= d => Some(false),
        () => None,
    }
}

fn udiv(a: Arc, b: Arc, mask: u64) -> Arc {
    let ((a, c), (b, d)) = (a.unsigned(mask), b.unsigned(mask));
    let by_zero = (b == 0).then(|| Arc::point(mask));
    let others = (d > 0).then(|| Arc::between(a / d, c / b.max(1)));
    either(by_zero, others, mask)
}

fn urem(a: Arc, b: Arc, mask: u64) -> Arc {
    let ((least, most, step), (b, d)) = (a.unsigned_steps(mask), b.unsigned(mask));
    let by_zero = (b == 0).then_some(a);
    let others = (d > 0).then(|| match () {
        () if most < b => a,
        // The quotient is always the same.
        () if b == d && least / b == most / b => Arc::every(step, least % b, most - least),
        () if b == d => {
            let step = gcd(step, b);
            Arc::every(step, least % step, most.min(b - 1) - least % step)
        }
        () => Arc::between(0, most.min(d - 1)),
    });
    either(by_zero, others, mask)
}

fn sdiv(a: Arc, b: Arc, mask: u64) -> Arc {
    let ((least, most), (b, d)) = (a.signed(mask), b.signed(mask));
    let by_zero = (b <= 0 && d >= 0).then(|| match () {
        () if most < 0 => Arc::point(1),
        () if least >= 0 => Arc::point(mask),
        () => Arc::point(mask).join(Arc::point(1), mask),
    });
    let by = |low: i128, high: i128| {
        (low <= high).then(|| {
            let all = [least / low, least / high, most / low, most / high];
            let low = all.into_iter().fold(i128::MAX, i128::min);
            let high = all.into_iter().fold(i128::MIN, i128::max);
            match high <= signed_bounds(mask).1 {
                true => Arc::between_signed(low, high, mask),
                // The one quotient that does not fit.
                false if low == high => Arc::point(low as u64 & mask),
                false => Arc::all(mask),
            }
        })
    };
    let others = match (by(b, d.min(-1)), by(b.max(1), d)) {
        (Some(below), Some(above)) => Some(below.join(above, mask)),
        (below, above) => below.or(above),
    };
    either(by_zero, others, mask)
}

fn srem(a: Arc, b: Arc, mask: u64) -> Arc {
    let ((least, most, step), (b, d)) = (a.signed_steps(mask), b.signed(mask));
    let by_zero = (b <= 0 && d >= 0).then_some(a);
    let largest = b.abs().max(d.abs());
    let smallest = if b <= 0 && d >= 0 { 1 } else { b.abs().min(d.abs()) };
    let others = (largest > 0).then(|| match () {
        () if -smallest < least && most < smallest => a,
        () if b == d && least / b == most / b && (least >= 0 || most <= 0) => {
            Arc::every(step, (least % b) as u64 & mask, (most - least) as u64)
        }
        () => {
            let low = least.min(0).max(1 - largest);
            let high = most.max(0).min(largest - 1);
            // A number and its remainder differ by a multiple of the divisor.
            let step = if b == d { gcd(step, largest as u64) } else { 1 };
            Arc::within_every(step, least, low, high, mask)
                .unwrap_or_else(|| Arc::between_signed(low, high, mask))
        }
    });
    either(by_zero, others, mask)
}

fn either(a: Option<Arc>, b: Option<Arc>, mask: u64) -> Arc {
    match (a, b) {
        (Some(a), Some(b)) => a.join(b, mask),
        (a, b) => a.or(b).unwrap_or(Arc::all(mask)),
    }
}

fn bitwise(op: Op, a: Arc, b: Arc, mask: u64) -> Arc {
    // The bits that are the same in all numbers of an arc, and the others.
    let bits = |arc: Arc| {
        let (low, high) = arc.unsigned(mask);
        let open = (u64::MAX).checked_shr((low ^ high).leading_zeros()).unwrap_or(0);
        (low & !open, open)
    };
    let ((a, open_a), (b, open_b)) = (bits(a), bits(b));
    let (low, high) = match op {
        Op::BvAnd => (a & b, (a | open_a) & (b | open_b)),
        Op::BvOr => (a | b, a | open_a | b | open_b),
        _ => {
            let open = open_a | open_b;
            ((a ^ b) & !open, (a ^ b) | open)
        }
    };
    Arc::between(low, high & mask)
}

/// None if there are too many amounts by which it may be shifted.
fn shift(op: Op, a: Arc, b: Arc, mask: u64) -> Option<Arc> {
    let width = u64::from(mask.count_ones());
    let (least, most) = b.unsigned(mask);
    // All that are larger do the same.
    let (least, most) = (least.min(width), most.min(width));
    let by = |amount: u64| match op {
        Op::BvAshr => {
            let (low, high) = a.signed(mask);
            let amount = amount.min(width - 1);
            Arc::between_signed(low >> amount, high >> amount, mask)
        }
        _ if amount >= width => Arc::point(0),
        Op::BvShl => a.multiply(Arc::point(1 << amount), mask),
        _ => {
            let (low, high) = a.unsigned(mask);
            Arc::between(low >> amount, high >> amount)
        }
    };
    (least..=most).map(by).reduce(|a, b| a.join(b, mask))
}
