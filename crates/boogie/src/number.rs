//! The values of literals.

use crate::ast::Span;
use crate::error::Error;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Nobody writes longer numbers, and a short text must not denote a huge one.
const MAX_DIGITS: usize = 10_000;

/// Why a literal has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    TooLong,
    DoesNotFit { width: u32 },
}

impl Problem {
    pub fn at(&self, span: Span) -> Error {
        match self {
            Problem::TooLong => Error::unsupported(
                span,
                format!("numbers of more than {MAX_DIGITS} digits are not supported"),
            ),
            Problem::DoesNotFit { width } => {
                Error::typing(span, format!("this number does not fit into {width} bits"))
            }
        }
    }
}

pub(crate) fn integer(digits: &str) -> Result<IBig, Problem> {
    natural(digits).map(IBig::from)
}

pub(crate) fn bit_vector(digits: &str, width: u32) -> Result<IBig, Problem> {
    let value = natural(digits)?;
    if value >= (UBig::ONE << width as usize) {
        return Err(Problem::DoesNotFit { width });
    }
    Ok(IBig::from(value))
}

/// `1.25`, `1e3` or `1.25e-3`
pub(crate) fn decimal(text: &str) -> Result<RBig, Problem> {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i64 = exponent.parse().map_err(|_| Problem::TooLong)?;
    let digits = natural(&format!("{whole}{fraction}"))?;
    let scale = exponent.saturating_sub(fraction.len() as i64);
    let size = usize::try_from(scale.unsigned_abs()).map_err(|_| Problem::TooLong)?;
    if size > MAX_DIGITS {
        return Err(Problem::TooLong);
    }
    let power = UBig::from(10u8).pow(size);
    Ok(if scale >= 0 {
        RBig::from_parts(IBig::from(digits * power), UBig::ONE)
    } else {
        RBig::from_parts(IBig::from(digits), power)
    })
}

fn natural(digits: &str) -> Result<UBig, Problem> {
    if digits.len() > MAX_DIGITS {
        return Err(Problem::TooLong);
    }
    UBig::from_str_radix(digits, 10).map_err(|_| Problem::TooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let real = |numerator: i32, denominator: u32| {
            Ok(RBig::from_parts(numerator.into(), denominator.into()))
        };
        assert_eq!(integer("007"), Ok(7.into()));
        assert_eq!(bit_vector("15", 4), Ok(15.into()));
        assert_eq!(bit_vector("16", 4), Err(Problem::DoesNotFit { width: 4 }));
        assert_eq!(decimal("1.5"), real(3, 2));
        assert_eq!(decimal("12e2"), real(1200, 1));
        assert_eq!(decimal("2.50e1"), real(25, 1));
        assert_eq!(decimal("5e-1"), real(1, 2));
        assert_eq!(decimal("1e999999999"), Err(Problem::TooLong));
        assert_eq!(decimal("1e-99999999999999999999"), Err(Problem::TooLong));
        assert_eq!(integer(&"1".repeat(MAX_DIGITS + 1)), Err(Problem::TooLong));
    }
}
