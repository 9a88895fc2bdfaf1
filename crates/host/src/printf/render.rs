//! One value as one directive prints it.

use super::float::{self, FloatKind};
use super::parse::Flags;

/// A directive whose width and precision are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub flags: Flags,
    pub width: usize,
    pub precision: Option<usize>,
    pub conversion: u8,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    /// A double that was a `long double`: `%La` shows the difference.
    LongDouble(f64),
    Char(u8),
    Text(Vec<u8>),
    Pointer(u64),
}

/// Prints a value. Widths and precisions must have been bounded by the caller.
pub fn render(spec: &Spec, value: &Value) -> Vec<u8> {
    let flags = spec.flags;
    match value {
        Value::Signed(n) => {
            let sign = sign(flags, *n < 0);
            number(spec, sign, "", n.unsigned_abs().to_string())
        }
        Value::Unsigned(n) => {
            let digits = match spec.conversion {
                b'o' => format!("{n:o}"),
                b'x' => format!("{n:x}"),
                b'X' => format!("{n:X}"),
                b'b' | b'B' => format!("{n:b}"),
                _ => n.to_string(),
            };
            let prefix = match spec.conversion {
                b'x' if flags.alternative && *n != 0 => "0x",
                b'X' if flags.alternative && *n != 0 => "0X",
                _ => "",
            };
            number(spec, "", prefix, digits)
        }
        Value::Pointer(0) => pad(spec, b"(nil)"),
        Value::Pointer(n) => number(spec, sign(flags, false), "0x", format!("{n:x}")),
        Value::Float(x) | Value::LongDouble(x) => {
            let kind = match value {
                Value::LongDouble(_) => FloatKind::Long,
                _ => FloatKind::Double,
            };
            let sign = sign(flags, x.is_sign_negative());
            let (prefix, body) = float::body(spec, x.abs(), kind);
            if x.is_finite() && flags.zero && !flags.left {
                let used = sign.len() + prefix.len() + body.len();
                let zeros = "0".repeat(spec.width.saturating_sub(used));
                format!("{sign}{prefix}{zeros}{body}").into_bytes()
            } else {
                pad(spec, format!("{sign}{prefix}{body}").as_bytes())
            }
        }
        Value::Char(byte) => pad(spec, &[*byte]),
        Value::Text(text) => {
            let most = spec.precision.unwrap_or(usize::MAX).min(text.len());
            pad(spec, &text[..most])
        }
    }
}

fn sign(flags: Flags, negative: bool) -> &'static str {
    match (negative, flags.plus, flags.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn number(spec: &Spec, sign: &str, prefix: &str, mut digits: String) -> Vec<u8> {
    if spec.precision == Some(0) && digits == "0" {
        digits.clear();
    }
    let mut least = spec.precision.unwrap_or(1);
    if spec.conversion == b'o' && spec.flags.alternative && !digits.starts_with('0') {
        least = least.max(digits.len() + 1);
    }
    if spec.precision.is_none() && spec.flags.zero && !spec.flags.left {
        least = least.max(spec.width.saturating_sub(sign.len() + prefix.len()));
    }
    let zeros = "0".repeat(least.saturating_sub(digits.len()));
    pad(spec, format!("{sign}{prefix}{zeros}{digits}").as_bytes())
}

fn pad(spec: &Spec, text: &[u8]) -> Vec<u8> {
    let blanks = vec![b' '; spec.width.saturating_sub(text.len())];
    if spec.flags.left { [text, &blanks].concat() } else { [&blanks, text].concat() }
}
