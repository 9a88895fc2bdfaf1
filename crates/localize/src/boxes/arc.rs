//! Sets of machine integers that lie side by side.
//!
//! An arc goes around the clock: from a number, so many steps upwards, modulo a power of two. So it does not matter
//! whether numbers are signed, and a sum with a constant loses nothing.

/// The numbers `low`, `low + 1`, …, `low + span`, modulo `mask + 1`. Truth values are numbers of one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    pub low: u64,
    pub span: u64,
}

impl Arc {
    pub fn all(mask: u64) -> Arc {
        Arc { low: 0, span: mask }
    }

    pub fn point(number: u64) -> Arc {
        Arc { low: number, span: 0 }
    }

    pub fn truth(holds: Option<bool>) -> Arc {
        holds.map_or(Arc::all(1), |holds| Arc::point(u64::from(holds)))
    }

    /// From one number to another; both as unsigned.
    pub fn between(low: u64, high: u64) -> Arc {
        Arc { low, span: high - low }
    }

    /// From one number to another; both signed, and of the width.
    pub fn between_signed(low: i128, high: i128, mask: u64) -> Arc {
        Arc { low: low as u64 & mask, span: (high - low) as u64 }
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

    pub fn is_point(self) -> bool {
        self.span == 0
    }

    /// Whether it is true, or false; none if it may be both.
    pub fn as_truth(self) -> Option<bool> {
        self.is_point().then_some(self.low != 0)
    }

    pub fn high(self, mask: u64) -> u64 {
        self.low.wrapping_add(self.span) & mask
    }

    pub fn contains(self, number: u64, mask: u64) -> bool {
        number.wrapping_sub(self.low) & mask <= self.span
    }

    fn includes(self, other: Arc, mask: u64) -> bool {
        let offset = other.low.wrapping_sub(self.low) & mask;
        offset.checked_add(other.span).is_some_and(|end| end <= self.span)
    }

    /// An arc with all that is in both; none if nothing is.
    pub fn meet(self, other: Arc, mask: u64) -> Option<Arc> {
        if self.includes(other, mask) {
            return Some(other);
        }
        if other.includes(self, mask) {
            return Some(self);
        }
        match (self.contains(other.low, mask), other.contains(self.low, mask)) {
            (true, false) => {
                Some(Arc { low: other.low, span: self.high(mask).wrapping_sub(other.low) & mask })
            }
            (false, true) => {
                Some(Arc { low: self.low, span: other.high(mask).wrapping_sub(self.low) & mask })
            }
            // Two pieces, at the ends of each.
            (true, true) => Some(if self.span <= other.span { self } else { other }),
            (false, false) => None,
        }
    }

    /// An arc with all that is in one of them.
    pub fn join(self, other: Arc, mask: u64) -> Arc {
        let from = |a: Arc, b: Arc| {
            let end = (b.low.wrapping_sub(a.low) & mask).checked_add(b.span);
            end.filter(|&end| end <= mask).map(|end| Arc { low: a.low, span: end.max(a.span) })
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
        let turned = Arc { low: self.low.wrapping_add(sign) & mask, span: self.span };
        let (low, high) = turned.unsigned(mask);
        (i128::from(low) - i128::from(sign), i128::from(high) - i128::from(sign))
    }

    pub fn add(self, other: Arc, mask: u64) -> Arc {
        match self.span.checked_add(other.span) {
            Some(span) if span <= mask => {
                Arc { low: self.low.wrapping_add(other.low) & mask, span }
            }
            _ => Arc::all(mask),
        }
    }

    pub fn negate(self, mask: u64) -> Arc {
        Arc { low: self.high(mask).wrapping_neg() & mask, span: self.span }
    }

    pub fn subtract(self, other: Arc, mask: u64) -> Arc {
        self.add(other.negate(mask), mask)
    }

    /// Its numbers times a constant: none if that goes around the clock.
    fn scaled(self, by: u64, mask: u64) -> Option<Arc> {
        let span = self.span.checked_mul(by).filter(|&span| span <= mask)?;
        Some(Arc { low: self.low.wrapping_mul(by) & mask, span })
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
            None => Arc::all(mask),
        }
    }

    /// Of these numbers, those whose images under a map are in another arc; none if there are none. The map takes
    /// neighbours to images that are `by` apart, all in the arc `images`, which does not go around the clock.
    pub fn preimage(self, images: Arc, by: u64, wanted: Arc, mask: u64, of: u64) -> Option<Arc> {
        let wanted = images.meet(wanted, mask)?;
        if !images.includes(wanted, mask) {
            return Some(self);
        }
        let first = wanted.low.wrapping_sub(images.low) & mask;
        let (first, last) = (first.div_ceil(by), (first + wanted.span) / by);
        let last = last.min(self.span);
        (first <= last).then(|| Arc { low: self.low.wrapping_add(first) & of, span: last - first })
    }

    /// Without a number, if that is at one of its ends; none if nothing is left.
    pub fn without(self, number: u64, mask: u64) -> Option<Arc> {
        if self.is_point() {
            return (self.low != number).then_some(self);
        }
        if self.span == mask {
            return Some(Arc { low: number.wrapping_add(1) & mask, span: mask - 1 });
        }
        Some(match number {
            _ if number == self.low => {
                Arc { low: self.low.wrapping_add(1) & mask, span: self.span - 1 }
            }
            _ if number == self.high(mask) => Arc { low: self.low, span: self.span - 1 },
            _ => self,
        })
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
