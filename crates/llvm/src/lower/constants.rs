//! Constants of LLVM: as terms, and as bytes in memory.
//!
//! Addresses of global variables and functions are numbers that are known from the beginning, so every constant
//! expression is one.

use program::Target;
use term::{Float, Format, Sort, Term, Value};

use super::Lowering;
use super::values::Parts;
use crate::module::{Binary, BlockId, Cast, ConstantId, ConstantKind, FunctionId, Ty, TyKind};

/// Where the addresses of labels begin: between those of procedures and those of external functions.
const LABELS: u64 = 0x3000_0000;

/// How deep constant expressions are followed.
const DEPTH: u32 = 300;

impl Lowering<'_> {
    /// The scalars of a constant; none if it cannot be terms.
    pub fn constant(&mut self, id: ConstantId) -> Option<Parts> {
        let mut parts = Vec::new();
        self.add_constant(id, &mut parts)?;
        Some(parts)
    }

    fn add_constant(&mut self, id: ConstantId, parts: &mut Parts) -> Option<()> {
        let module = self.module;
        let constant = &module.constants[id.index()];
        let is_vector = matches!(module.types[constant.ty.index()].kind, TyKind::Vector(..));
        match &constant.kind {
            ConstantKind::Zero | ConstantKind::Undefined => {
                for leaf in module.leaves(constant.ty)? {
                    parts.push(self.zero(&leaf.sort));
                }
            }
            ConstantKind::Parts(elements) if !is_vector => {
                for &element in elements {
                    self.add_constant(element, parts)?;
                }
            }
            ConstantKind::Bytes(_) | ConstantKind::Parts(_) => {
                let mut image = Image::new(module.size(constant.ty));
                self.write(id, 0, &mut image)?;
                for leaf in module.leaves(constant.ty)? {
                    let from = usize::try_from(leaf.offset).ok()?;
                    let size = module.size(leaf.ty).min(16) as usize;
                    let mut bytes = [0; 16];
                    bytes[..size].copy_from_slice(image.bytes.get(from..from + size)?);
                    let bits = self.bits(size as u32 * 8, u128::from_le_bytes(bytes));
                    parts.push(self.of_bits(bits, &leaf.sort));
                }
            }
            ConstantKind::Wide(words) => {
                for (leaf, &word) in module.leaves(constant.ty)?.iter().zip(words) {
                    parts.push(self.scalar(u128::from(word), &leaf.sort));
                }
            }
            ConstantKind::Float(value) => {
                let value = self.float(constant.ty, *value)?;
                parts.push(self.builder.terms.constant(&value));
            }
            _ => {
                let number = self.number(id)?;
                let sort = module.scalar_sort(constant.ty)?;
                parts.push(self.scalar(number, &sort));
            }
        }
        Some(())
    }

    fn scalar(&mut self, number: u128, sort: &Sort) -> Term {
        match sort {
            Sort::BitVec(width) => self.bits(*width, number),
            Sort::Bool => self.builder.terms.bool(number & 1 != 0),
            other => self.zero(other),
        }
    }

    fn float(&self, ty: Ty, value: f64) -> Option<Value> {
        match self.module.scalar_sort(ty)? {
            Sort::Float(Format::Single) => Some(Value::single(value as f32)),
            Sort::Float(Format::Double) => Some(Value::double(value)),
            _ => None,
        }
    }

    /// The value of a constant integer or address.
    pub fn number(&mut self, id: ConstantId) -> Option<u128> {
        self.nested_number(id, 0)
    }

    fn nested_number(&mut self, id: ConstantId, depth: u32) -> Option<u128> {
        if depth > DEPTH {
            return None;
        }
        let module = self.module;
        let constant = &module.constants[id.index()];
        Some(match &constant.kind {
            ConstantKind::Integer(number) => *number,
            ConstantKind::Zero | ConstantKind::Undefined => 0,
            ConstantKind::Global(_) | ConstantKind::Function(_) => {
                u128::from(self.target(id)?.address())
            }
            &ConstantKind::Label(_, block) => u128::from(label(block)),
            &ConstantKind::Binary(operator, a, b) => {
                let (a, b) = (self.nested_number(a, depth + 1)?, self.nested_number(b, depth + 1)?);
                self.truncated(constant.ty, binary(operator, a, b)?)?
            }
            &ConstantKind::Cast(cast, a) => {
                let from = module.constants[a.index()].ty;
                let a = self.nested_number(a, depth + 1)?;
                match cast {
                    Cast::SignExtend => {
                        self.truncated(constant.ty, self.signed(from, a)? as u128)?
                    }
                    Cast::Truncate | Cast::ZeroExtend | Cast::Address | Cast::Bits => {
                        self.truncated(constant.ty, a)?
                    }
                    _ => return None,
                }
            }
            ConstantKind::Element(source, base, indices) => {
                let mut address = self.nested_number(*base, depth + 1)? as u64;
                let mut ty = *source;
                for (position, &index) in indices.iter().enumerate() {
                    let raw = self.nested_number(index, depth + 1)?;
                    let index = self.signed(module.constants[index.index()].ty, raw)?;
                    let (offset, next) = module.step(ty, index as i64, position)?;
                    address = address.wrapping_add(offset as u64);
                    ty = next;
                }
                u128::from(address)
            }
            _ => return None,
        })
    }

    pub fn integer_width(&self, ty: Ty) -> Option<u32> {
        match self.module.types[ty.index()].kind {
            TyKind::Integer(width) if width <= 128 => Some(width),
            TyKind::Pointer => Some(64),
            _ => None,
        }
    }

    fn truncated(&self, ty: Ty, number: u128) -> Option<u128> {
        Some(number & u128::MAX >> (128 - self.integer_width(ty)?))
    }

    fn signed(&self, ty: Ty, number: u128) -> Option<i128> {
        let unused = 128 - self.integer_width(ty)?;
        Some((number << unused) as i128 >> unused)
    }

    /// What the address of a global variable or function is the address of.
    fn target(&mut self, id: ConstantId) -> Option<Target> {
        match self.module.constants[id.index()].kind {
            ConstantKind::Global(global) => Some(Target::Object(self.statics[global.index()]?, 0)),
            ConstantKind::Function(function) => Some(self.function_target(function)),
            _ => None,
        }
    }

    pub fn function_target(&mut self, function: FunctionId) -> Target {
        match self.signatures.get(&function) {
            Some(signature) => Target::Procedure(signature.procedure),
            None => {
                let name = &self.module.functions[function.index()].symbol;
                Target::External(self.builder.external(name))
            }
        }
    }

    /// Writes a constant into the image of an object. None if a part of it is not known.
    pub fn write(&mut self, id: ConstantId, at: u64, image: &mut Image) -> Option<()> {
        let module = self.module;
        let constant = &module.constants[id.index()];
        let layout = &module.types[constant.ty.index()];
        match (&constant.kind, &layout.kind) {
            (ConstantKind::Zero | ConstantKind::Undefined, _) => {}
            (ConstantKind::Bytes(bytes), _) => image.put(at, bytes)?,
            (ConstantKind::Wide(words), TyKind::Integer(width)) => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                image.put(at, bytes.get(..width.div_ceil(8) as usize)?)?;
            }
            (ConstantKind::Parts(parts), TyKind::Struct(fields)) => {
                for (&part, &(_, offset)) in parts.iter().zip(fields) {
                    self.write(part, at + offset, image)?;
                }
            }
            (
                ConstantKind::Parts(parts),
                TyKind::Array(element, _) | TyKind::Vector(element, _),
            ) => {
                let size = module.size(*element);
                for (&part, index) in parts.iter().zip(0..) {
                    self.write(part, at + index * size, image)?;
                }
            }
            (ConstantKind::Float(value), _) => {
                let Value::Float(float) = self.float(constant.ty, *value)? else { return None };
                image.put_float(at, float)?;
            }
            _ => {
                let number = self.number(id)?;
                let size = module.size(constant.ty).min(16) as usize;
                image.put(at, &number.to_le_bytes()[..size])?;
                if let Some((target, offset)) = self.pointer(id) {
                    image.pointers.push((u32::try_from(at).ok()?, moved(target, offset)));
                }
            }
        }
        Some(())
    }

    /// The object or function that a constant pointer is based on, and how far it is moved.
    fn pointer(&mut self, id: ConstantId) -> Option<(Target, i64)> {
        let module = self.module;
        match &module.constants[id.index()].kind {
            ConstantKind::Element(_, base, _) => {
                let (target, _) = self.pointer(*base)?;
                let offset = (self.number(id)? as u64).wrapping_sub(target.address());
                Some((target, offset as i64))
            }
            ConstantKind::Cast(Cast::Address | Cast::Bits, base)
                if module.size(module.constants[id.index()].ty) == 8 =>
            {
                self.pointer(*base)
            }
            _ => self.target(id).map(|target| (target, 0)),
        }
    }
}

fn moved(target: Target, by: i64) -> Target {
    match target {
        Target::Object(id, offset) => Target::Object(id, offset.wrapping_add(by)),
        other => other,
    }
}

/// The address of a label; only jumps of its own function can use it.
pub(super) fn label(block: BlockId) -> u64 {
    LABELS + 16 * u64::from(block.0)
}

/// The bytes of an object, and the addresses among them.
#[derive(Clone, Debug)]
pub(super) struct Image {
    pub bytes: Vec<u8>,
    pub pointers: Vec<(u32, Target)>,
}

impl Image {
    pub fn new(size: u64) -> Image {
        Image { bytes: vec![0; usize::try_from(size).unwrap_or(0)], pointers: Vec::new() }
    }

    fn put(&mut self, at: u64, bytes: &[u8]) -> Option<()> {
        let at = usize::try_from(at).ok()?;
        self.bytes.get_mut(at..at.checked_add(bytes.len())?)?.copy_from_slice(bytes);
        Some(())
    }

    fn put_float(&mut self, at: u64, float: Float) -> Option<()> {
        let size = float.format().width() as usize / 8;
        self.put(at, &float.bits().to_le_bytes()[..size])
    }
}

fn binary(operator: Binary, a: u128, b: u128) -> Option<u128> {
    Some(match operator {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Xor => a ^ b,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::ShiftLeft => a.checked_shl(u32::try_from(b).ok()?)?,
        Binary::LogicalShiftRight => a.checked_shr(u32::try_from(b).ok()?)?,
        _ => return None,
    })
}
