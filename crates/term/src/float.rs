//! Binary floating-point numbers of IEEE 754.
//!
//! There is one NaN for each format, as in SMT-LIB: a number is canonical when it is made, so that
//! equal bits mean the same value. The two zeros are two values; the comparisons of IEEE 754 are
//! operators ([`Op::FpEq`](crate::Op::FpEq)), not the equality of values.
//!
//! Operations of single precision are computed in single precision: a detour over double would round
//! twice.

use std::fmt;

/// A format of floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// `float` of C: 8 bits of exponent, 24 of significand.
    Single,
    /// `double` of C: 11 bits of exponent, 53 of significand.
    Double,
}

/// How a number is rounded to an integral one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// `rint` and `nearbyint` of C in the default mode.
    NearestEven,
    /// `trunc`.
    TowardZero,
    /// `ceil`.
    Up,
    /// `floor`.
    Down,
    /// `round`.
    NearestAway,
}

/// A floating-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Float {
    format: Format,
    bits: u64,
}

impl Format {
    /// The width of the bit pattern.
    pub fn width(self) -> u32 {
        match self {
            Format::Single => 32,
            Format::Double => 64,
        }
    }

    pub fn exponent_bits(self) -> u32 {
        match self {
            Format::Single => 8,
            Format::Double => 11,
        }
    }

    /// The bits of the significand, with the leading one that is not stored.
    pub fn precision(self) -> u32 {
        self.width() - self.exponent_bits()
    }

    /// The bits of positive infinity: numbers without sign are at most this.
    pub(crate) fn infinity(self) -> u64 {
        ((1 << self.exponent_bits()) - 1) << (self.precision() - 1)
    }

    fn sign(self) -> u64 {
        1 << (self.width() - 1)
    }

    /// The bits of the one NaN.
    pub fn nan(self) -> u64 {
        self.infinity() | 1 << (self.precision() - 2)
    }

    /// A number strictly between these two has an integer part that fits a signed bit-vector.
    pub fn signed_range(self, width: u32) -> [Float; 2] {
        let end = Float::double(2f64.powi(width as i32 - 1)).convert(self);
        // The number next to -2^(width - 1) that does not fit: one less, or the next there is.
        let below = if width <= self.precision() {
            Float::double(-end.to_f64() - 1.0).convert(self)
        } else {
            Float::new(self, end.negated().bits() + 1)
        };
        [below, end]
    }

    /// A number strictly between these two has an integer part that fits an unsigned bit-vector.
    pub fn unsigned_range(self, width: u32) -> [Float; 2] {
        // What is beyond the format becomes infinity, which is right as a bound.
        [-1.0, 2f64.powi(width as i32)].map(|bound| Float::double(bound).convert(self))
    }

    /// How many values there are: one NaN, and each sign with each magnitude up to infinity.
    pub(crate) fn cardinality(self) -> u128 {
        1 + 2 * (u128::from(self.infinity()) + 1)
    }

    /// The values, numbered below [`Format::cardinality`].
    pub(crate) fn nth(self, n: u128) -> Float {
        let each = self.infinity() + 1;
        let n = u64::try_from(n).unwrap_or(0);
        let bits = match n.checked_sub(1) {
            None => self.nan(),
            Some(n) if n < each => n,
            Some(n) => self.sign() | (n - each),
        };
        Float::new(self, bits)
    }
}

impl Float {
    /// The number with these bits.
    pub fn new(format: Format, bits: u64) -> Float {
        let magnitude = bits & (format.sign() - 1);
        if magnitude > format.infinity() {
            return Float { format, bits: format.nan() };
        }
        Float { format, bits: bits & (format.sign() | magnitude) }
    }

    pub fn single(value: f32) -> Float {
        Float::new(Format::Single, u64::from(value.to_bits()))
    }

    pub fn double(value: f64) -> Float {
        Float::new(Format::Double, value.to_bits())
    }

    pub fn format(self) -> Format {
        self.format
    }

    pub fn bits(self) -> u64 {
        self.bits
    }

    /// The same number in double precision; exact.
    pub fn to_f64(self) -> f64 {
        match self.format {
            Format::Single => f64::from(self.to_f32()),
            Format::Double => f64::from_bits(self.bits),
        }
    }

    /// The nearest number of single precision.
    pub(crate) fn to_f32(self) -> f32 {
        match self.format {
            Format::Single => f32::from_bits(self.bits as u32),
            Format::Double => f64::from_bits(self.bits) as f32,
        }
    }

    pub fn is_nan(self) -> bool {
        self.bits == self.format.nan()
    }

    pub fn convert(self, format: Format) -> Float {
        match format {
            Format::Single => Float::single(self.to_f32()),
            Format::Double => Float::double(self.to_f64()),
        }
    }

    pub fn negated(self) -> Float {
        Float::new(self.format, self.bits ^ self.format.sign())
    }

    pub fn magnitude(self) -> Float {
        Float::new(self.format, self.bits & !self.format.sign())
    }

    /// The integral number that is next in the given direction.
    pub fn round(self, mode: Rounding) -> Float {
        // Single precision may take the detour: an integral number that is next to a number of single
        // precision has single precision.
        let value = self.to_f64();
        let rounded = match mode {
            Rounding::NearestEven => value.round_ties_even(),
            Rounding::TowardZero => value.trunc(),
            Rounding::Up => value.ceil(),
            Rounding::Down => value.floor(),
            Rounding::NearestAway => value.round(),
        };
        Float::double(rounded).convert(self.format)
    }
}

/// Prints the shortest decimal number that is read back as the same value: `0.1`, `1e+30`, `inf`.
impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_f64();
        if !value.is_finite() {
            return f.write_str(&value.to_string().to_lowercase());
        }
        let text = match self.format {
            Format::Single => format!("{:e}", self.to_f32()),
            Format::Double => format!("{value:e}"),
        };
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        match exponent {
            -5..=15 if self.format == Format::Single => write!(f, "{:?}", Plain(self.to_f32())),
            -5..=15 => write!(f, "{:?}", Plain(value)),
            _ => {
                let sign = if exponent < 0 { '-' } else { '+' };
                write!(f, "{digits}e{sign}{:02}", exponent.abs())
            }
        }
    }
}

/// Printed without exponent, and with a fraction, so that it is not taken for an integer.
struct Plain<T>(T);

impl<T: fmt::Display> fmt::Debug for Plain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let fraction = if text.contains('.') { "" } else { ".0" };
        write!(f, "{text}{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_nan_and_there_are_two_zeros() {
        assert_eq!(Float::double(f64::NAN).bits(), 0x7ff8_0000_0000_0000);
        assert_eq!(Float::double(-f64::NAN), Float::double(f64::NAN));
        assert_eq!(Float::new(Format::Single, 0xffff_ffff).bits(), 0x7fc0_0000);
        assert_eq!(Float::new(Format::Single, 0x7f80_0001), Float::single(f32::NAN));
        assert_ne!(Float::double(0.0), Float::double(-0.0));
        assert_eq!(Float::double(f64::NAN).negated(), Float::double(f64::NAN));
        assert_eq!(Float::new(Format::Single, 0xff80_0000), Float::single(f32::NEG_INFINITY));
        // Bits that a format does not have are ignored.
        assert_eq!(Float::new(Format::Single, 1 << 32), Float::single(0.0));
    }

    #[test]
    fn values_are_numbered() {
        for format in [Format::Single, Format::Double] {
            let count = format.cardinality();
            let mut edges: Vec<Float> = [0, 1, 2, count / 2, count / 2 + 1, count - 2, count - 1]
                .map(|n| format.nth(n))
                .into();
            assert_eq!(edges[0], Float::new(format, format.nan()));
            assert_eq!(edges[6].to_f64(), f64::NEG_INFINITY);
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(edges.len(), 7);
        }
        assert_eq!(Format::Single.cardinality(), 4_278_190_083);
    }

    #[test]
    fn printed_as_the_shortest_decimal() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1.0, "1.0"),
            (-1.5, "-1.5"),
            (1e30, "1e+30"),
            (-2.5e-7, "-2.5e-07"),
            (1e15, "1000000000000000.0"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (-f64::NAN, "nan"),
        ] {
            assert_eq!(Float::double(value).to_string(), text);
        }
        assert_eq!(Float::single(0.1).to_string(), "0.1");
        assert_eq!(Float::single(16_777_216.0).to_string(), "16777216.0");
        assert_eq!(Float::single(1e-45).to_string(), "1e-45");
    }

    #[test]
    fn rounding_keeps_the_sign_of_zero() {
        use Rounding::*;
        for (mode, expected) in [
            (NearestEven, [-2.0, -0.0, 0.0, 2.0]),
            (TowardZero, [-2.0, -0.0, 0.0, 2.0]),
            (Up, [-2.0, -0.0, 1.0, 3.0]),
            (Down, [-3.0, -1.0, 0.0, 2.0]),
            (NearestAway, [-3.0, -1.0, 1.0, 3.0]),
        ] {
            for (value, expected) in [-2.5, -0.5, 0.5, 2.5].into_iter().zip(expected) {
                assert_eq!(Float::double(value).round(mode), Float::double(expected), "{value}");
                let single = Float::single(value as f32).round(mode);
                assert_eq!(single, Float::single(expected as f32), "{value}");
            }
        }
        assert_eq!(Float::double(f64::NAN).round(Up), Float::double(f64::NAN));
        assert_eq!(Float::double(f64::INFINITY).round(Down), Float::double(f64::INFINITY));
    }
}
