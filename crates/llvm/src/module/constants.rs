//! Constants.

#![allow(unsafe_code)]

use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::data::{Constant, ConstantId, ConstantKind, TyKind};
use super::instructions::{binary, cast};
use super::reader::{Reader, text_of};

/// How deep constants are followed. clang does not nest expressions, and an aggregate nests as its type does.
const DEPTH: u32 = 200;

impl Reader {
    /// SAFETY: the value is a constant of the module.
    pub(super) unsafe fn constant(&mut self, raw: LLVMValueRef) -> ConstantId {
        unsafe { self.nested_constant(raw, 0) }
    }

    unsafe fn nested_constant(&mut self, raw: LLVMValueRef, depth: u32) -> ConstantId {
        if let Some(&known) = self.constants.get(&raw) {
            return known;
        }
        let ty = unsafe { self.ty(LLVMTypeOf(raw)) };
        let kind = if depth < DEPTH {
            unsafe { self.constant_kind(raw, depth) }
        } else {
            ConstantKind::Other("a constant that is nested too deeply".to_owned())
        };
        let id = ConstantId(self.module.constants.len() as u32);
        self.module.constants.push(Constant { ty, kind });
        self.constants.insert(raw, id);
        id
    }

    unsafe fn constant_kind(&mut self, raw: LLVMValueRef, depth: u32) -> ConstantKind {
        unsafe {
            if let Some(&global) = self.globals.get(&raw) {
                return ConstantKind::Global(global);
            }
            if let Some(&function) = self.functions.get(&raw) {
                return ConstantKind::Function(function);
            }
            if !LLVMIsAGlobalAlias(raw).is_null() {
                let aliased = self.nested_constant(LLVMAliasGetAliasee(raw), depth + 1);
                return self.module.constants[aliased.index()].kind.clone();
            }
            if !LLVMIsAConstantInt(raw).is_null() {
                return match (integer(raw), wide_integer(raw)) {
                    (Some(number), _) => ConstantKind::Integer(number),
                    (None, Some(words)) => ConstantKind::Wide(words),
                    (None, None) => other(raw),
                };
            }
            if !LLVMIsAConstantFP(raw).is_null() {
                let mut loses = 0;
                return ConstantKind::Float(LLVMConstRealGetDouble(raw, &mut loses));
            }
            if LLVMIsUndef(raw) != 0 || LLVMIsPoison(raw) != 0 {
                return ConstantKind::Undefined;
            }
            if LLVMIsNull(raw) != 0 {
                return ConstantKind::Zero;
            }
            if !LLVMIsABlockAddress(raw).is_null() {
                let function = LLVMGetBlockAddressFunction(raw);
                let block = LLVMGetBlockAddressBasicBlock(raw);
                return match (self.functions.get(&function), self.blocks.get(&block)) {
                    (Some(&function), Some(&block)) => ConstantKind::Label(function, block),
                    _ => other(raw),
                };
            }
            if !LLVMIsAConstantDataSequential(raw).is_null() {
                return self.data(raw, depth);
            }
            let is_aggregate = !LLVMIsAConstantStruct(raw).is_null()
                || !LLVMIsAConstantArray(raw).is_null()
                || !LLVMIsAConstantVector(raw).is_null();
            if is_aggregate {
                return ConstantKind::Parts(self.constant_operands(raw, depth));
            }
            if !LLVMIsAConstantExpr(raw).is_null() {
                return self.expression(raw, depth);
            }
            other(raw)
        }
    }

    unsafe fn constant_operands(&mut self, raw: LLVMValueRef, depth: u32) -> Vec<ConstantId> {
        unsafe {
            let count = LLVMGetNumOperands(raw).max(0) as u32;
            (0..count)
                .map(|index| self.nested_constant(LLVMGetOperand(raw, index), depth + 1))
                .collect()
        }
    }

    /// An array or vector of numbers. Its bytes are those in the memory of this machine, which has the byte order
    /// of the program's.
    unsafe fn data(&mut self, raw: LLVMValueRef, depth: u32) -> ConstantKind {
        unsafe {
            let ty = self.ty(LLVMTypeOf(raw));
            let layout = &self.module.types[ty.index()];
            if let TyKind::Array(..) = layout.kind {
                // The size is written to an address, whatever the crate says about the parameter.
                let mut size: usize = 0;
                let bytes = LLVMGetRawDataValues(raw, (&raw mut size).expose_provenance());
                let bytes = std::slice::from_raw_parts(bytes.cast::<u8>(), size);
                return ConstantKind::Bytes(bytes.to_vec());
            }
            let count = match layout.kind {
                TyKind::Vector(_, count) => count,
                _ => 0,
            };
            let parts = (0..count)
                .map(|index| self.nested_constant(LLVMGetAggregateElement(raw, index), depth + 1))
                .collect();
            ConstantKind::Parts(parts)
        }
    }

    unsafe fn expression(&mut self, raw: LLVMValueRef, depth: u32) -> ConstantKind {
        unsafe {
            let opcode = LLVMGetConstOpcode(raw);
            let operands = self.constant_operands(raw, depth);
            match (opcode, operands.as_slice()) {
                (LLVMOpcode::LLVMGetElementPtr, [base, indices @ ..]) => {
                    let source = self.ty(LLVMGetGEPSourceElementType(raw));
                    ConstantKind::Element(source, *base, indices.to_vec())
                }
                (_, &[a, b]) => match binary(opcode) {
                    Some(operator) => ConstantKind::Binary(operator, a, b),
                    None => other(raw),
                },
                (_, &[a]) => match cast(opcode) {
                    Some(cast) => ConstantKind::Cast(cast, a),
                    None => other(raw),
                },
                _ => other(raw),
            }
        }
    }
}

/// An integer of up to 128 bits.
pub(super) unsafe fn integer(raw: LLVMValueRef) -> Option<u128> {
    unsafe {
        let width = LLVMGetIntTypeWidth(LLVMTypeOf(raw));
        if width <= 64 {
            return Some(u128::from(LLVMConstIntGetZExtValue(raw)));
        }
        // LLVM's C interface gives only 64 bits. What it writes is the type and a signed decimal number.
        let text = text_of(LLVMPrintValueToString(raw));
        let number = text.split_whitespace().last()?.parse::<i128>().ok()?;
        (width <= 128).then(|| number as u128 & (u128::MAX >> (128 - width)))
    }
}

/// An integer of more than 128 bits.
unsafe fn wide_integer(raw: LLVMValueRef) -> Option<Vec<u64>> {
    let (width, text) =
        unsafe { (LLVMGetIntTypeWidth(LLVMTypeOf(raw)), text_of(LLVMPrintValueToString(raw))) };
    let number = text.split_whitespace().last()?;
    let digits = number.trim_start_matches('-');
    let mut words = vec![0u64; width.div_ceil(64) as usize];
    for digit in digits.bytes() {
        let mut carry = u128::from(digit.checked_sub(b'0').filter(|digit| *digit < 10)?);
        for word in &mut words {
            carry += u128::from(*word) * 10;
            *word = carry as u64;
            carry >>= 64;
        }
    }
    if number.starts_with('-') {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    Some(words)
}

unsafe fn other(raw: LLVMValueRef) -> ConstantKind {
    let text = text_of(unsafe { LLVMPrintValueToString(raw) });
    ConstantKind::Other(text.chars().take(100).collect())
}
