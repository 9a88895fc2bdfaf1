//! Values as a programmer writes them: `-1`, `'a'`, `RED`, `0.5`, `&a[3]`, `NULL`.
//!
//! The machine knows bits. What they mean is said by the type that the source gives them; where there is
//! none, by the sort. What is neither is hexadecimal.

use std::fmt;

use program::{Aggregate, Language, Program, Type, TypeId};
use term::{BitVec, Float, Format, Value};

use crate::addresses::Addresses;

/// A value in source syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// As it is written in a program.
    pub code: String,
    /// What else is good to know: the number of a character.
    pub note: Option<String>,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.note {
            None => f.write_str(&self.code),
            Some(note) => write!(f, "{} ({note})", self.code),
        }
    }
}

fn code(text: impl Into<String>) -> Shown {
    Shown { code: text.into(), note: None }
}

/// Shows a value of a type of the source.
pub fn show(addresses: &Addresses<'_>, value: &Value, ty: Option<TypeId>) -> Shown {
    let program = addresses.program();
    if program.language == Language::Boogie {
        return code(value.to_string());
    }
    let ty = ty.and_then(|id| program.types.get(id.0 as usize));
    match value {
        Value::Float(float) => code(floating(*float)),
        Value::Bool(truth) if ty == Some(&Type::Bool) => code(truth.to_string()),
        Value::Bool(truth) => code(u8::from(*truth).to_string()),
        Value::BitVec(bits) => show_bits(addresses, *bits, ty),
        _ => code(value.to_string()),
    }
}

fn show_bits(addresses: &Addresses<'_>, bits: BitVec, ty: Option<&Type>) -> Shown {
    match ty {
        Some(Type::Integer { signed, .. }) => code(integer(bits, *signed)),
        Some(Type::Character { signed }) => character(bits, *signed),
        Some(Type::Bool) => code(match bits.unsigned() {
            0 => "false".to_owned(),
            1 => "true".to_owned(),
            other => other.to_string(),
        }),
        Some(Type::Float { .. }) => match format(bits.width()) {
            Some(format) => code(floating(Float::new(format, bits.unsigned() as u64))),
            None => code(format!("{:#x}", bits.unsigned())),
        },
        Some(Type::Enum { signed, values, .. }) => {
            let number = integer(bits, *signed);
            let found = values.iter().find(|(_, value)| value.to_string() == number);
            code(found.map_or(number, |(name, _)| name.clone()))
        }
        Some(Type::Pointer(to)) if bits.width() == 64 => {
            let address = bits.unsigned() as u64;
            let known = addresses.pointer(address, Some(*to));
            code(known.unwrap_or_else(|| format!("{address:#x}")))
        }
        Some(Type::Struct(aggregate)) if u64::from(bits.width()) == 8 * aggregate.size => {
            code(structure(addresses, bits, aggregate))
        }
        // The bytes of more than one thing.
        Some(Type::Pointer(_) | Type::Array { .. } | Type::Struct(_) | Type::Union(_)) => {
            code(format!("{:#x}", bits.unsigned()))
        }
        // Nobody says what it is. What is an address in an object is hardly a number.
        Some(Type::Opaque(_)) | None => {
            let inside = match bits.width() {
                64 => addresses.inside(bits.unsigned() as u64),
                _ => None,
            };
            code(inside.unwrap_or_else(|| integer(bits, bits.width() > 1)))
        }
    }
}

/// A structure, member by member.
fn structure(addresses: &Addresses<'_>, bits: BitVec, aggregate: &Aggregate) -> String {
    let program = addresses.program();
    let members = aggregate.members.iter().filter_map(|member| {
        let width = match member.bits {
            Some(width) => u64::from(width),
            None => 8 * program.size_of(member.ty)?,
        };
        let (offset, width) = (u32::try_from(member.offset).ok()?, u32::try_from(width).ok()?);
        if width == 0 || offset.checked_add(width)? > bits.width() {
            return None;
        }
        let own = BitVec::new(width, bits.unsigned() >> offset);
        let shown = show_bits(addresses, own, program.types.get(member.ty.0 as usize));
        Some(format!(".{} = {}", member.name, shown.code))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

fn format(width: u32) -> Option<Format> {
    match width {
        32 => Some(Format::Single),
        64 => Some(Format::Double),
        _ => None,
    }
}

fn integer(bits: BitVec, signed: bool) -> String {
    match signed {
        true => bits.signed().to_string(),
        false => bits.unsigned().to_string(),
    }
}

/// The shortest digits that read back as the same number, and the names of C for what has no digits.
fn floating(float: Float) -> String {
    let value = float.to_f64();
    if value.is_nan() {
        "NAN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "INFINITY".to_owned() } else { "-INFINITY".to_owned() }
    } else {
        float.to_string()
    }
}

/// A character type is also that of small numbers, so the number is always said.
fn character(bits: BitVec, signed: bool) -> Shown {
    let number = integer(bits, signed);
    let quoted = match u8::try_from(bits.unsigned()) {
        Ok(b'\'') => Some("\\'".to_owned()),
        Ok(b'"') => Some("\"".to_owned()),
        Ok(byte) => escaped(byte),
        Err(_) => None,
    };
    match quoted {
        Some(text) => Shown { code: format!("'{text}'"), note: Some(number) },
        None => code(number),
    }
}

/// A byte as in a string literal, if it is text.
fn escaped(byte: u8) -> Option<String> {
    Some(match byte {
        0 => "\\0".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'"' => "\\\"".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => return None,
    })
}

/// Bytes as a string literal of at most so many characters.
pub fn quoted(bytes: &[u8], most: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut literal = String::from("\"");
    for (count, character) in text.chars().enumerate() {
        if count >= most {
            literal.push('…');
            break;
        }
        match u8::try_from(u32::from(character)).ok().and_then(escaped) {
            Some(text) => literal += &text,
            None if character.is_control() => {
                literal += &format!("\\x{:02x}", u32::from(character));
            }
            None => literal.push(character),
        }
    }
    literal.push('"');
    literal
}

/// The type that a nondeterministic value has by the name of its function, such as
/// `__VERIFIER_nondet_uint`. None if any type of the program would do as well as its sort.
pub fn type_by_name(program: &Program, function: &str) -> Option<TypeId> {
    let suffix = function.strip_prefix("__VERIFIER_nondet_")?;
    let wanted = |ty: &Type| match (suffix, ty) {
        ("bool" | "_Bool", Type::Bool) => true,
        ("char", Type::Character { signed }) => *signed,
        ("uchar" | "unsigned_char", Type::Character { signed }) => !*signed,
        ("uint" | "unsigned" | "u32" | "uint32_t", Type::Integer { bits: 32, signed, .. })
        | ("ushort" | "u16" | "uint16_t", Type::Integer { bits: 16, signed, .. })
        | (
            "ulong" | "ulonglong" | "u64" | "uint64_t" | "size_t" | "uintptr_t",
            Type::Integer { bits: 64, signed, .. },
        ) => !*signed,
        _ => false,
    };
    let at = program.types.iter().position(wanted)?;
    Some(TypeId(at as u32))
}
