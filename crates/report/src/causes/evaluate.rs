//! The value of an expression of the source, in some state.
//!
//! This is for sentences only: `a*a != b*b + c*c` was `36 != 41`. Where it is not sure what C would compute, there is
//! no value.

use program::{Program, Type, TypeId};
use term::{Format, Value};

use super::syntax::{Expression, compares};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Integer(i128),
    Double(f64),
}

/// How a number is computed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number of the machine.
    Word {
        bits: u32,
        signed: bool,
    },
    Double,
    /// Of Boogie.
    Unbounded,
    Truth,
}

const INT: Kind = Kind::Word { bits: 32, signed: true };
const ADDRESS: Kind = Kind::Word { bits: 64, signed: false };

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Operand {
    pub number: Number,
    pub kind: Kind,
    /// As what it is shown.
    pub ty: Option<TypeId>,
    /// What it points to.
    pub to: Option<TypeId>,
    /// A constant, as it is written.
    pub written: Option<String>,
}

impl Operand {
    pub fn new(number: Number, kind: Kind) -> Operand {
        Operand { number, kind, ty: None, to: None, written: None }
    }

    fn integer(value: i128, kind: Kind) -> Operand {
        Operand::new(Number::Integer(value), kind)
    }

    fn written(self, text: &str) -> Operand {
        Operand { written: Some(text.to_owned()), ..self }
    }

    /// A value of the run, with its type in the source.
    pub fn of(program: &Program, value: &Value, ty: Option<TypeId>) -> Option<Operand> {
        let declared = ty.map(|ty| program.ty(ty));
        let operand = match value {
            Value::Bool(truth) => Operand::integer(i128::from(*truth), Kind::Truth),
            Value::Int(value) => {
                Operand::integer(i128::try_from(value.clone()).ok()?, Kind::Unbounded)
            }
            Value::Float(float) if float.format() == Format::Double => {
                Operand::new(Number::Double(float.to_f64()), Kind::Double)
            }
            Value::BitVec(bits) => {
                let signed = match declared {
                    Some(Type::Integer { signed, .. } | Type::Character { signed }) => *signed,
                    Some(Type::Enum { signed, .. }) => *signed,
                    Some(Type::Bool | Type::Pointer(_)) => false,
                    None => true,
                    Some(_) => return None,
                };
                let value = match signed {
                    true => bits.signed(),
                    false => i128::try_from(bits.unsigned()).ok()?,
                };
                Operand::integer(value, Kind::Word { bits: bits.width(), signed })
            }
            _ => return None,
        };
        let to = match declared {
            Some(Type::Pointer(to)) => Some(*to),
            _ => None,
        };
        Some(Operand { ty, to, ..operand })
    }

    pub fn is_true(&self) -> bool {
        match self.number {
            Number::Integer(value) => value != 0,
            Number::Double(value) => value != 0.0,
        }
    }

    fn as_integer(&self) -> Option<i128> {
        match self.number {
            Number::Integer(value) => Some(value),
            Number::Double(_) => None,
        }
    }

    fn as_double(&self) -> f64 {
        match self.number {
            Number::Integer(value) => value as f64,
            Number::Double(value) => value,
        }
    }
}

/// Something in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub address: u64,
    pub ty: TypeId,
}

/// What names mean.
pub(super) trait Names {
    fn program(&self) -> &Program;
    /// The value of a variable, or of a call with this text.
    fn value(&self, name: &str) -> Option<Operand>;
    /// An object in memory.
    fn object(&self, name: &str) -> Option<Area>;
    /// What is in memory.
    fn load(&self, area: Area) -> Option<Operand>;
}

/// The value of an expression.
pub(super) fn evaluate(names: &dyn Names, expression: &Expression<'_>) -> Option<Operand> {
    match expression {
        Expression::Integer(value, text) => Some(integer(names, *value, text)?.written(text)),
        Expression::Double(value, text) => {
            Some(Operand::new(Number::Double(*value), Kind::Double).written(text))
        }
        Expression::Character(byte, text) => {
            Some(Operand::integer(i128::from(*byte as i8), INT).written(text))
        }
        Expression::Name(name) => named(names, name),
        Expression::Call(text) => names.value(text),
        Expression::Cast(words, inner) => cast(words, evaluate(names, inner)?),
        Expression::Unary('&', inner) => {
            let area = area(names, inner)?;
            Some(Operand { to: Some(area.ty), ..address(area.address) })
        }
        Expression::Unary('*', _)
        | Expression::Index(..)
        | Expression::Member(..)
        | Expression::Arrow(..) => load(names, area(names, expression)?),
        Expression::Unary(sign, inner) => unary(*sign, &evaluate(names, inner)?),
        Expression::Binary(operator @ ("&&" | "||" | "==>"), left, right) => {
            logical(names, operator, left, right)
        }
        Expression::Binary(operator, left, right) => {
            let (left, right) = (evaluate(names, left)?, evaluate(names, right)?);
            binary(names.program(), operator, &left, &right)
        }
    }
}

fn integer(names: &dyn Names, value: i128, text: &str) -> Option<Operand> {
    if names.program().language == program::Language::Boogie {
        return Some(Operand::integer(value, Kind::Unbounded));
    }
    let suffix = text.to_ascii_lowercase();
    let unsigned = suffix.ends_with(['u', 'l']) && suffix.contains('u');
    let long = suffix.ends_with('l') || suffix.ends_with("lu");
    let fits = |bits: u32, signed: bool| wrapped(value, bits, signed) == value;
    let based = text.starts_with('0') && text.len() > 1;
    let kinds = [(32, true), (32, false), (64, true), (64, false)];
    let (bits, signed) = kinds.into_iter().find(|&(bits, signed)| {
        let allowed = if unsigned { !signed } else { signed || based };
        allowed && (bits == 64 || !long) && fits(bits, signed)
    })?;
    Some(Operand::integer(value, Kind::Word { bits, signed }))
}

fn address(value: u64) -> Operand {
    Operand::integer(i128::from(value), ADDRESS)
}

fn named(names: &dyn Names, name: &str) -> Option<Operand> {
    match name {
        "NULL" => return Some(address(0).written("NULL")),
        "EOF" => return Some(Operand::integer(-1, INT).written("EOF")),
        "true" | "false" => {
            return Some(
                Operand::integer(i128::from(name == "true"), truth_kind(names)).written(name),
            );
        }
        _ => {}
    }
    names.value(name).or_else(|| load(names, names.object(name)?)).or_else(|| {
        let enumerated = names.program().types.iter().find_map(|ty| match ty {
            Type::Enum { values, .. } => values.iter().find(|(known, _)| known == name),
            _ => None,
        });
        enumerated.map(|(name, value)| Operand::integer(i128::from(*value), INT).written(name))
    })
}

fn truth_kind(names: &dyn Names) -> Kind {
    match names.program().language {
        program::Language::Boogie => Kind::Truth,
        program::Language::C => INT,
    }
}

/// What is in an area; of an array, its address.
fn load(names: &dyn Names, area: Area) -> Option<Operand> {
    match names.program().ty(area.ty) {
        Type::Array { element, .. } => {
            Some(Operand { to: Some(*element), ..address(area.address) })
        }
        _ => names.load(area),
    }
}

/// The area that an expression names.
fn area(names: &dyn Names, expression: &Expression<'_>) -> Option<Area> {
    let program = names.program();
    match expression {
        Expression::Name(name) => names.object(name),
        Expression::Unary('*', pointer) => pointed(&evaluate(names, pointer)?),
        Expression::Index(of, index) => {
            let base = pointed(&evaluate(names, of)?)?;
            let index = evaluate(names, index)?.as_integer()?;
            let distance = index.checked_mul(i128::from(program.size_of(base.ty)?))?;
            let address = u64::try_from(i128::from(base.address).checked_add(distance)?).ok()?;
            Some(Area { address, ..base })
        }
        Expression::Member(of, name) => member(program, area(names, of)?, name),
        Expression::Arrow(pointer, name) => {
            member(program, pointed(&evaluate(names, pointer)?)?, name)
        }
        _ => None,
    }
}

fn pointed(pointer: &Operand) -> Option<Area> {
    Some(Area { address: u64::try_from(pointer.as_integer()?).ok()?, ty: pointer.to? })
}

fn member(program: &Program, of: Area, name: &str) -> Option<Area> {
    let (Type::Struct(aggregate) | Type::Union(aggregate)) = program.ty(of.ty) else { return None };
    let member = aggregate.members.iter().find(|member| member.name == name)?;
    let address = of.address.checked_add(member.offset / 8)?;
    member.bits.is_none().then_some(Area { address, ty: member.ty })
}

fn cast(words: &[&str], operand: Operand) -> Option<Operand> {
    let has = |word: &str| words.contains(&word);
    let signed = !has("unsigned") && !has("size_t") && !words.iter().any(|w| w.starts_with("uint"));
    let bits = match () {
        () if has("double") => {
            return Some(Operand::new(Number::Double(operand.as_double()), Kind::Double));
        }
        () if has("char") || has("int8_t") || has("uint8_t") => 8,
        () if has("short") || has("int16_t") || has("uint16_t") => 16,
        () if has("long") || has("size_t") || has("int64_t") || has("uint64_t") => 64,
        () if has("int") || has("unsigned") || has("int32_t") || has("uint32_t") => 32,
        () => return None,
    };
    let value = match operand.number {
        Number::Integer(value) => value,
        Number::Double(value) => value as i128,
    };
    Some(Operand::integer(wrapped(value, bits, signed), Kind::Word { bits, signed }))
}

fn unary(sign: char, operand: &Operand) -> Option<Operand> {
    if sign == '!' {
        let kind = if operand.kind == Kind::Truth { Kind::Truth } else { INT };
        return Some(Operand::integer(i128::from(!operand.is_true()), kind));
    }
    let kind = promoted(operand.kind);
    let number = match (sign, operand.number) {
        ('+', number) => number,
        ('-', Number::Integer(value)) => Number::Integer(value.checked_neg()?),
        ('-', Number::Double(value)) => Number::Double(-value),
        ('~', Number::Integer(value)) => Number::Integer(!value),
        _ => return None,
    };
    let written = operand.written.as_ref().filter(|_| sign == '-').map(|text| format!("-{text}"));
    Some(Operand { written, ..Operand::new(fitted(number, kind), kind) })
}

fn logical(
    names: &dyn Names,
    operator: &str,
    left: &Expression<'_>,
    right: &Expression<'_>,
) -> Option<Operand> {
    let left = evaluate(names, left)?;
    let is_true = match (operator, left.is_true()) {
        ("&&", false) => false,
        ("||", true) | ("==>", false) => true,
        _ => evaluate(names, right)?.is_true(),
    };
    let kind = if left.kind == Kind::Truth { Kind::Truth } else { INT };
    Some(Operand::integer(i128::from(is_true), kind))
}

/// The kind that a smaller one is computed as.
fn promoted(kind: Kind) -> Kind {
    match kind {
        Kind::Word { bits, .. } if bits < 32 => INT,
        kind => kind,
    }
}

/// The kind that two operands have in common.
fn common(left: Kind, right: Kind) -> Option<Kind> {
    Some(match (promoted(left), promoted(right)) {
        (Kind::Double, Kind::Double | Kind::Word { .. }) | (Kind::Word { .. }, Kind::Double) => {
            Kind::Double
        }
        (Kind::Word { bits: a, signed: x }, Kind::Word { bits: b, signed: y }) => Kind::Word {
            bits: a.max(b),
            signed: match a.cmp(&b) {
                std::cmp::Ordering::Less => y,
                std::cmp::Ordering::Equal => x && y,
                std::cmp::Ordering::Greater => x,
            },
        },
        (left, right) if left == right => left,
        _ => return None,
    })
}

fn wrapped(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 127 {
        return value;
    }
    let low = value & ((1 << bits) - 1);
    if signed && low >> (bits - 1) == 1 { low - (1 << bits) } else { low }
}

fn fitted(number: Number, kind: Kind) -> Number {
    match (number, kind) {
        (Number::Integer(value), Kind::Word { bits, signed }) => {
            Number::Integer(wrapped(value, bits, signed))
        }
        (Number::Integer(value), Kind::Double) => Number::Double(value as f64),
        (number, _) => number,
    }
}

fn binary(program: &Program, operator: &str, left: &Operand, right: &Operand) -> Option<Operand> {
    if let (Some(to), "+" | "-", None) = (left.to, operator, right.to) {
        let distance = i128::from(program.size_of(to)?).checked_mul(right.as_integer()?)?;
        let distance = if operator == "-" { -distance } else { distance };
        let moved = left.as_integer()?.checked_add(distance)?;
        return Some(Operand { number: Number::Integer(moved), written: None, ..left.clone() });
    }
    if (left.to.is_some() || right.to.is_some()) && !compares(operator) {
        return None;
    }
    let kind = common(left.kind, right.kind)?;
    let (a, b) = match (fitted(left.number, kind), fitted(right.number, kind)) {
        (Number::Integer(a), Number::Integer(b)) => (a, b),
        (a, b) => {
            let (a, b) = (as_double(a), as_double(b));
            return doubles(operator, a, b);
        }
    };
    if let Some(truth) = compared(operator, a.partial_cmp(&b)) {
        let kind = if matches!(kind, Kind::Word { .. }) { INT } else { Kind::Truth };
        return Some(Operand::integer(i128::from(truth), kind));
    }
    let euclidean = kind == Kind::Unbounded;
    let shift = || u32::try_from(b).ok().filter(|&by| by < 64);
    let value = match operator {
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "div" if euclidean => a.checked_div_euclid(b)?,
        "mod" if euclidean => a.checked_rem_euclid(b)?,
        "/" if !euclidean => a.checked_div(b)?,
        "%" if !euclidean => a.checked_rem(b)?,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => a.checked_shl(shift()?)?,
        ">>" => a.checked_shr(shift()?)?,
        _ => return None,
    };
    let kind = if matches!(operator, "<<" | ">>") { promoted(left.kind) } else { kind };
    Some(Operand::new(fitted(Number::Integer(value), kind), kind))
}

fn as_double(number: Number) -> f64 {
    match number {
        Number::Integer(value) => value as f64,
        Number::Double(value) => value,
    }
}

fn doubles(operator: &str, a: f64, b: f64) -> Option<Operand> {
    if compares(operator) {
        let truth = compared(operator, a.partial_cmp(&b))?;
        return Some(Operand::integer(i128::from(truth), INT));
    }
    let value = match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        _ => return None,
    };
    Some(Operand::new(Number::Double(value), Kind::Double))
}

fn compared(operator: &str, order: Option<std::cmp::Ordering>) -> Option<bool> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    Some(match operator {
        "==" => order == Some(Equal),
        "!=" => order != Some(Equal),
        "<" => order == Some(Less),
        "<=" => matches!(order, Some(Less | Equal)),
        ">" => order == Some(Greater),
        ">=" => matches!(order, Some(Greater | Equal)),
        _ => return None,
    })
}
