//! printf: formats are parsed, arguments are taken as the format says, values are rendered.
//!
//! What was printed keeps its parts, so that a wrong byte can be blamed on a directive and its argument.

mod float;
mod parse;
mod render;

use std::ops::Range;

use program::FailureKind;
use program::process::{Fault, Objects};

pub(crate) use parse::{Cursor, Length};
use parse::{Directive, Piece, Size, parse};
pub use render::{Spec, Value, render};

use crate::call::fault;
use crate::variadic::{Kind, Variadic, word};

/// What one call prints.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    pub bytes: Vec<u8>,
    pub parts: Vec<Part>,
    /// The format was cut off, or something could not be encoded: the call returns -1.
    pub failed: bool,
}

/// The bytes that one piece of the format printed.
#[derive(Debug)]
pub(crate) struct Part {
    pub range: Range<usize>,
    pub directive: Option<Directed>,
}

/// A value as a directive printed it.
#[derive(Debug)]
pub(crate) struct Directed {
    pub spec: Spec,
    pub value: Value,
    /// How many bits of the argument were printed; of a text, of each character.
    pub printed_bits: u32,
    /// How many bits it has: integers are passed as int at least.
    pub argument_bits: u32,
    /// Which argument of the call it is.
    pub argument: Option<u32>,
    /// The arguments that say how it is printed.
    pub sizes: Vec<u32>,
}

/// The most bytes that a program may print, and a single call may make.
pub(crate) const OUTPUT_LIMIT: usize = 64 << 20;

pub(crate) fn too_much() -> Fault {
    let text = format!("the program printed more than {} MiB", OUTPUT_LIMIT >> 20);
    fault(FailureKind::StepLimit, text)
}

pub(crate) fn print(
    format: &[u8],
    arguments: &mut Variadic<'_>,
    errno: i32,
    memory: &mut Objects,
) -> Result<Printed, Fault> {
    let mut printed = Printed::default();
    let (pieces, complete) = parse(format);
    printed.failed = !complete;
    for piece in pieces {
        let start = printed.bytes.len();
        let directive = match piece {
            Piece::Literal(range) => {
                printed.bytes.extend_from_slice(&format[range]);
                None
            }
            Piece::Directive(it) => {
                directive(&it, &format[it.text.clone()], arguments, errno, memory, &mut printed)?
            }
        };
        if printed.bytes.len() > OUTPUT_LIMIT {
            return Err(too_much());
        }
        printed.parts.push(Part { range: start..printed.bytes.len(), directive });
        if printed.failed && complete {
            break;
        }
    }
    arguments.finish(memory)?;
    Ok(printed)
}

fn directive(
    it: &Directive,
    text: &[u8],
    arguments: &mut Variadic<'_>,
    errno: i32,
    memory: &mut Objects,
    printed: &mut Printed,
) -> Result<Option<Directed>, Fault> {
    let (spec, sizes) = resolve(it, arguments, memory)?;
    if spec.width > OUTPUT_LIMIT || spec.precision.is_some_and(|p| p > OUTPUT_LIMIT) {
        return Err(too_much());
    }
    let mut take = |kind| match it.position {
        Some(position) => arguments.nth(position, kind, memory),
        None => arguments.next(kind, memory),
    };
    let width = it.length.bits();
    // Narrow integers are passed as int; only their own bits are printed.
    let (value, argument) = match it.conversion {
        b'd' | b'i' => {
            let taken = take(Kind::Word(width))?;
            (Value::Signed(sign_extend(taken.bits, width)), taken.argument)
        }
        b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
            let taken = take(Kind::Word(width))?;
            (Value::Unsigned(taken.bits), taken.argument)
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            if it.length == Length::LongDouble {
                let taken = take(Kind::LongDouble)?;
                (Value::LongDouble(f64::from_bits(taken.bits)), taken.argument)
            } else {
                let taken = take(Kind::Word(64))?;
                (Value::Float(f64::from_bits(taken.bits)), taken.argument)
            }
        }
        b'c' if it.length != Length::Long => {
            let taken = take(Kind::Word(8))?;
            (Value::Char(taken.bits as u8), taken.argument)
        }
        b'c' | b'C' => {
            let taken = take(Kind::Word(32))?;
            let Some(byte) = narrow(taken.bits) else {
                printed.failed = true;
                return Ok(None);
            };
            (Value::Char(byte), taken.argument)
        }
        b's' | b'S' => {
            let taken = take(Kind::Word(64))?;
            let wide = it.conversion == b'S' || it.length == Length::Long;
            let size = if wide { 4 } else { 1 };
            let Some(text) = text_at(taken.bits, spec.precision, size, memory)? else {
                printed.failed = true;
                return Ok(None);
            };
            (Value::Text(text), taken.argument)
        }
        b'p' => {
            let taken = take(Kind::Word(64))?;
            (Value::Pointer(taken.bits), taken.argument)
        }
        b'm' => (Value::Text(format!("error {errno}").into_bytes()), None),
        b'n' => {
            let address = take(Kind::Word(64))?.bits;
            let count = (printed.bytes.len() as u64).to_le_bytes();
            memory.write(address, &count[..width as usize / 8])?;
            return Ok(None);
        }
        b'%' => {
            printed.bytes.push(b'%');
            return Ok(None);
        }
        // glibc prints what it does not understand.
        _ => {
            printed.bytes.extend_from_slice(text);
            return Ok(None);
        }
    };
    printed.bytes.extend(render(&spec, &value));
    let is_wide = it.conversion == b'S' || it.length == Length::Long;
    let (printed_bits, argument_bits) = match value {
        Value::Signed(_) | Value::Unsigned(_) => (width, width.max(32)),
        Value::Char(_) => (8, 32),
        Value::Text(_) => (if is_wide { 32 } else { 8 }, 64),
        _ => (64, 64),
    };
    Ok(Some(Directed { spec, value, printed_bits, argument_bits, argument, sizes }))
}

/// The width and the precision, taken from the arguments where the format says so: which these are.
fn resolve(
    it: &Directive,
    arguments: &mut Variadic<'_>,
    memory: &Objects,
) -> Result<(Spec, Vec<u32>), Fault> {
    let mut sizes = Vec::new();
    let mut size = |size: Option<Size>| -> Result<Option<i64>, Fault> {
        let taken = match size {
            None => return Ok(None),
            Some(Size::Given(n)) => return Ok(Some(i64::try_from(n).unwrap_or(i64::MAX))),
            Some(Size::Argument(None)) => arguments.next(Kind::Word(32), memory)?,
            Some(Size::Argument(Some(position))) => {
                arguments.nth(position, Kind::Word(32), memory)?
            }
        };
        sizes.extend(taken.argument);
        Ok(Some(i64::from(taken.bits as u32 as i32)))
    };
    let width = size(it.width)?.unwrap_or(0);
    let precision = size(it.precision)?.and_then(|n| usize::try_from(n).ok());
    let mut flags = it.flags;
    flags.left |= width < 0;
    let width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
    Ok((Spec { flags, width, precision, conversion: it.conversion }, sizes))
}

pub(crate) fn sign_extend(bits: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((bits << shift) as i64) >> shift
}

/// A wide character, in the locale "C".
fn narrow(wide: u64) -> Option<u8> {
    u8::try_from(wide).ok().filter(u8::is_ascii)
}

/// The string of characters of this size that `%s` prints: it need not end if the precision ends it before.
fn text_at(
    address: u64,
    precision: Option<usize>,
    size: u64,
    memory: &Objects,
) -> Result<Option<Vec<u8>>, Fault> {
    if address == 0 {
        // As glibc prints it.
        let fits = precision.is_none_or(|p| p >= 6);
        return Ok(Some(if fits { b"(null)".to_vec() } else { Vec::new() }));
    }
    if size == 1 && precision.is_none() {
        return Ok(Some(memory.string(address)?.to_vec()));
    }
    let mut text = Vec::new();
    while precision.is_none_or(|p| text.len() < p) {
        let offset = text.len() as u64 * size;
        match word(memory.defined_bytes(address.wrapping_add(offset), size)?) {
            0 => break,
            byte if size == 1 => text.push(byte as u8),
            character => match narrow(character) {
                Some(byte) => text.push(byte),
                None => return Ok(None),
            },
        }
    }
    Ok(Some(text))
}
