//! Sets of machine integers that lie side by side, or with the same step from each to the next.
//!
//! An arc goes around the clock: from a number, so many steps upwards, modulo a power of two. So it does not matter
//! whether numbers are signed, and a sum with a constant loses nothing. The steps are what remainders, and addresses in
//! tables, are about.

/// The numbers `low`, `low + step`, …, `low + span`, modulo `mask + 1`. Truth values are numbers of one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    pub low: u64,
    /// A multiple of the step.
    pub span: u64,
    /// 0 if there is only one number.
    pub step: u64,
}

impl Arc {
    pub fn all(mask: u64) -> Arc {
        Arc::every(1, 0, mask)
    }

    pub fn point(number: u64) -> Arc {
        Arc { low: number, span: 0, step: 0 }
    }

    /// A number, and from there on every so many, up to a distance.
    pub fn every(step: u64, low: u64, upto: u64) -> Arc {
        match step == 0 || upto < step {
            true => Arc::point(low),
            false => Arc { low, span: upto - upto % step, step },
        }
    }

    /// All numbers from which one can come to this one by such steps, around the clock as often as needed.
    pub fn class(step: u64, number: u64, mask: u64) -> Arc {
        match step & mask {
            0 => Arc::point(number & mask),
            step => {
                let step = step & step.wrapping_neg();
                Arc::every(step, number & (step - 1), mask)
            }
        }
    }

    pub fn truth(holds: Option<bool>) -> Arc {
        holds.map_or(Arc::all(1), |holds| Arc::point(u64::from(holds)))
    }

    /// From one number to another; both as unsigned.
    pub fn between(low: u64, high: u64) -> Arc {
        Arc::every(1, low, high - low)
    }

    /// From one number to another; both signed, and of the width.
    pub fn between_signed(low: i128, high: i128, mask: u64) -> Arc {
        Arc::every(1, low as u64 & mask, (high - low) as u64)
    }

    /// The numbers from one to another that are of the width, if not all are.
    pub fn within_signed(low: i128, high: i128, mask: u64) -> Option<Arc> {
        let (least, most) = signed_bounds(mask);
        let (low, high) = (low.max(least), high.min(most));
        (low <= high).then(|| Arc::between_signed(low, high, mask))
    }

    pub fn within_unsigned(low: i128, high: i128, mask: u64) -> Option<Arc> {
        let (low, high) = (low.max(0), high.min(i128::from(mask)));
        (low <= high).then(|| Arc::between(low as u64, high as u64))
    }

    /// Of the numbers from one to another, every so many, as one of them is; all of the width.
    pub fn within_every(step: u64, one: i128, low: i128, high: i128, mask: u64) -> Option<Arc> {
        let low = low + (one - low).rem_euclid(i128::from(step.max(1)));
        (low <= high).then(|| Arc::every(step.max(1), low as u64 & mask, (high - low) as u64))
    }

    pub fn is_point(self) -> bool {
        self.span == 0
    }

    /// How many numbers there are besides the first.
    pub fn more(self) -> u64 {
        self.span / self.step.max(1)
    }

    /// All numbers, in order.
    pub fn numbers(self, mask: u64) -> impl Iterator<Item = u64> {
        (0..=self.more()).map(move |n| self.low.wrapping_add(n * self.step) & mask)
    }

    /// Whether it is true, or false; none if it may be both.
    pub fn as_truth(self) -> Option<bool> {
        self.is_point().then_some(self.low != 0)
    }

    pub fn high(self, mask: u64) -> u64 {
        self.low.wrapping_add(self.span) & mask
    }

    pub fn contains(self, number: u64, mask: u64) -> bool {
        let offset = number.wrapping_sub(self.low) & mask;
        offset <= self.span && (self.step <= 1 || offset.is_multiple_of(self.step))
    }

    /// Whether it goes all the way around the clock.
    fn is_round(self, mask: u64) -> bool {
        self.step > 0 && mask - self.span == self.step - 1
    }

    /// The same numbers, from there on if it is all around the clock.
    fn turned_to(self, number: u64, mask: u64) -> Arc {
        match self.is_round(mask) {
            true => {
                let first = (self.low.wrapping_sub(number) & mask) % self.step;
                Arc { low: number.wrapping_add(first) & mask, ..self }
            }
            false => self,
        }
    }

    /// An arc with all that is in both; none if nothing is.
    pub fn meet(self, other: Arc, mask: u64) -> Option<Arc> {
        if self.is_point() {
            return other.contains(self.low, mask).then_some(self);
        }
        if other.is_point() {
            return self.contains(other.low, mask).then_some(other);
        }
        let a = self.turned_to(other.low, mask);
        let b = other.turned_to(a.low, mask);
        let (to_a, to_b) = (a.low.wrapping_sub(b.low) & mask, b.low.wrapping_sub(a.low) & mask);
        // Which begins later, and how far that is from where the other does.
        let (late, early, offset) = match (to_b <= a.span, to_a <= b.span) {
            (true, true) if to_a != 0 => {
                // Two pieces, at the ends of each.
                return Some(if self.more() <= other.more() { self } else { other });
            }
            (true, _) => (b, a, to_b),
            (false, true) => (a, b, to_a),
            (false, false) => return None,
        };
        let upto = late.span.min(early.span - offset);
        let (first, step) = together(late.step, early.step, offset)?;
        let first = u64::try_from(first).ok().filter(|&first| first <= upto)?;
        let step = u64::try_from(step).unwrap_or(0);
        Some(Arc::every(step, late.low.wrapping_add(first) & mask, upto - first))
    }

    /// An arc with all that is in one of them.
    pub fn join(self, other: Arc, mask: u64) -> Arc {
        let from = |a: Arc, b: Arc| {
            let offset = b.low.wrapping_sub(a.low) & mask;
            let end = offset.checked_add(b.span).filter(|&end| end <= mask)?;
            let step = gcd(gcd(a.step, b.step), offset);
            Some(Arc::every(step, a.low, end.max(a.span)))
        };
        match (from(self, other), from(other, self)) {
            (Some(a), Some(b)) if a.span <= b.span => a,
            (_, Some(b)) => b,
            (Some(a), None) => a,
            (None, None) => Arc::all(mask),
        }
    }

    /// The least and the largest number.
    pub fn unsigned(self, mask: u64) -> (u64, u64) {
        match self.low.checked_add(self.span) {
            Some(high) if high <= mask => (self.low, high),
            _ => (0, mask),
        }
    }

    pub fn signed(self, mask: u64) -> (i128, i128) {
        let sign = (mask >> 1) + 1;
        let turned = Arc { low: self.low.wrapping_add(sign) & mask, ..self };
        let (low, high) = turned.unsigned(mask);
        (i128::from(low) - i128::from(sign), i128::from(high) - i128::from(sign))
    }

    /// Its numbers as signed ones: the least, the largest, and the step between them.
    pub fn signed_steps(self, mask: u64) -> (i128, i128, u64) {
        let (low, high) = self.signed(mask);
        (low, high, if low as u64 & mask == self.low { self.step } else { 1 })
    }

    /// Its numbers as unsigned ones: the least, the largest, and the step between them.
    pub fn unsigned_steps(self, mask: u64) -> (u64, u64, u64) {
        let (low, high) = self.unsigned(mask);
        (low, high, if low == self.low { self.step } else { 1 })
    }

    pub fn add(self, other: Arc, mask: u64) -> Arc {
        let low = self.low.wrapping_add(other.low) & mask;
        let step = gcd(self.step, other.step);
        match self.span.checked_add(other.span) {
            Some(span) if span <= mask => Arc::every(step, low, span),
            _ => Arc::class(step, low, mask),
        }
    }

    pub fn negate(self, mask: u64) -> Arc {
        Arc { low: self.high(mask).wrapping_neg() & mask, ..self }
    }

    pub fn subtract(self, other: Arc, mask: u64) -> Arc {
        self.add(other.negate(mask), mask)
    }

    /// Its numbers times a constant: none if that goes around the clock.
    pub fn scaled(self, by: u64, mask: u64) -> Option<Arc> {
        let span = self.span.checked_mul(by).filter(|&span| span <= mask)?;
        Some(Arc::every(self.step * by, self.low.wrapping_mul(by) & mask, span))
    }

    pub fn multiply(self, other: Arc, mask: u64) -> Arc {
        let (point, rest) = if self.is_point() { (self, other) } else { (other, self) };
        if point.is_point() {
            let by = point.low;
            let negated = by.wrapping_neg() & mask;
            let scaled = match by <= negated {
                true => rest.scaled(by, mask),
                false => rest.negate(mask).scaled(negated, mask),
            };
            if let Some(scaled) = scaled {
                return scaled;
            }
        }
        let (low, high) = products(self.signed(mask), other.signed(mask));
        let (least, most) = signed_bounds(mask);
        if least <= low && high <= most {
            return Arc::between_signed(low, high, mask);
        }
        let ((a, b), (c, d)) = (self.unsigned(mask), other.unsigned(mask));
        match b.checked_mul(d).filter(|&high| high <= mask) {
            Some(high) => Arc::between(a * c, high),
            None if point.is_point() => {
                let (step, low) = (rest.step, rest.low);
                Arc::class(step.wrapping_mul(point.low), low.wrapping_mul(point.low), mask)
            }
            None => Arc::all(mask),
        }
    }

    /// Of these numbers, those whose images under a map are in another arc; none if there are none. Each number has its
    /// own in the arc `images`, in the same order.
    pub fn preimage(self, images: Arc, wanted: Arc, mask: u64, of: u64) -> Option<Arc> {
        let wanted = images.meet(wanted, mask)?;
        let first = wanted.low.wrapping_sub(images.low) & mask;
        let on = |distance: u64| images.step > 0 && distance.is_multiple_of(images.step);
        let within = first.checked_add(wanted.span).is_some_and(|end| end <= images.span);
        if !within || !on(first) || !on(wanted.step) {
            return Some(self);
        }
        let own = |distance: u64| distance / images.step * self.step;
        Some(Arc::every(own(wanted.step), self.low.wrapping_add(own(first)) & of, own(wanted.span)))
    }

    /// One of its numbers that are near to 0, from where it is nearest.
    pub fn simple(self, number: u64, mask: u64) -> u64 {
        let to_zero = self.low.wrapping_neg() & mask;
        let distance = |end: u64| end.min(end.wrapping_neg() & mask);
        let from_low = |number: u64| number.min(self.more()) * self.step;
        let offset = match () {
            () if to_zero <= self.span => {
                from_low(to_zero.div_ceil(self.step.max(1)).saturating_add(number))
            }
            () if distance(self.low) <= distance(self.high(mask)) => from_low(number),
            () => self.span - from_low(number),
        };
        self.low.wrapping_add(offset) & mask
    }

    /// Without a number, if that is at one of its ends; none if nothing is left.
    pub fn without(self, number: u64, mask: u64) -> Option<Arc> {
        if self.is_point() {
            return (self.low != number).then_some(self);
        }
        if !self.contains(number, mask) {
            return Some(self);
        }
        let Arc { low, span, step } = self;
        Some(match () {
            () if self.is_round(mask) || number == low => {
                Arc::every(step, number.wrapping_add(step) & mask, span - step)
            }
            () if number == self.high(mask) => Arc::every(step, low, span - step),
            () => self,
        })
    }

    /// Two parts. The second begins so far from the first number, or a bit further; in the middle if that is too far.
    pub fn split(self, offset: u64, mask: u64) -> (Arc, Arc) {
        let Arc { low, span, step } = self;
        let step = step.max(1);
        let first = match offset.div_ceil(step) {
            number if 0 < number && number <= self.more() => number * step,
            _ => (self.more() / 2 + 1) * step,
        };
        let rest = low.wrapping_add(first) & mask;
        (Arc::every(step, low, first - step), Arc::every(step, rest, span - first))
    }
}

/// The least and the largest signed number.
pub(super) fn signed_bounds(mask: u64) -> (i128, i128) {
    (-i128::from(mask >> 1) - 1, i128::from(mask >> 1))
}

/// The least and the largest product of numbers between bounds.
pub(super) fn products((a, b): (i128, i128), (c, d): (i128, i128)) -> (i128, i128) {
    let all = [a * c, a * d, b * c, b * d];
    (all.into_iter().fold(i128::MAX, i128::min), all.into_iter().fold(i128::MIN, i128::max))
}

/// The largest number that divides both.
pub(super) fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b > 1 {
        (a, b) = (b, a % b);
    }
    if b == 1 { 1 } else { a }
}

/// The first multiple of a step that is a multiple of another if an offset is added, and the step from there to the next.
fn together(step: u64, other: u64, offset: u64) -> Option<(u128, u128)> {
    if other == 1 {
        return Some((0, u128::from(step)));
    }
    let common = gcd(step, other);
    if !offset.is_multiple_of(common) {
        return None;
    }
    let (a, b) = (step / common, other / common);
    let missing = (-i128::from(offset / common)).rem_euclid(i128::from(b)) as u128;
    let times = missing * inverse(a, b) % u128::from(b);
    Some((times * u128::from(step), u128::from(a) * u128::from(other)))
}

/// The number with which the product is 1 more than a multiple of `modulus`, which has no divisor in common with it.
fn inverse(number: u64, modulus: u64) -> u128 {
    let modulus = i128::from(modulus);
    let (mut old, mut new) = ((i128::from(number) % modulus, 1), (modulus, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old.1.rem_euclid(modulus) as u128
}
