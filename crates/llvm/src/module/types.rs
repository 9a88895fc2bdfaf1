//! Types and their layout.

#![allow(unsafe_code)]

use llvm_sys::LLVMTypeKind::*;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;

use super::data::{Layout, Ty, TyKind};
use super::reader::{Reader, text_of};

impl Reader {
    /// SAFETY: the type belongs to the context of the module.
    pub(super) unsafe fn ty(&mut self, raw: LLVMTypeRef) -> Ty {
        if let Some(&known) = self.types.get(&raw) {
            return known;
        }
        // Parts are read first: types are no longer recursive since pointers are opaque.
        let kind = unsafe { self.kind(raw) };
        // SAFETY: only sized types are asked for their size.
        let (size, align) = unsafe {
            if LLVMTypeIsSized(raw) != 0 && !matches!(kind, TyKind::Other(_)) {
                (LLVMABISizeOfType(self.layout, raw), LLVMABIAlignmentOfType(self.layout, raw))
            } else {
                (0, 1)
            }
        };
        let id = Ty(self.module.types.len() as u32);
        self.module.types.push(Layout { kind, size, align: align.max(1) });
        self.types.insert(raw, id);
        id
    }

    unsafe fn kind(&mut self, raw: LLVMTypeRef) -> TyKind {
        unsafe {
            match LLVMGetTypeKind(raw) {
                LLVMVoidTypeKind => TyKind::Void,
                LLVMIntegerTypeKind => TyKind::Integer(LLVMGetIntTypeWidth(raw)),
                LLVMFloatTypeKind => TyKind::Single,
                LLVMDoubleTypeKind => TyKind::Double,
                LLVMX86_FP80TypeKind => TyKind::Extended,
                LLVMPointerTypeKind => TyKind::Pointer,
                LLVMVectorTypeKind => {
                    let element = self.ty(LLVMGetElementType(raw));
                    TyKind::Vector(element, LLVMGetVectorSize(raw))
                }
                LLVMArrayTypeKind => {
                    let element = self.ty(LLVMGetElementType(raw));
                    TyKind::Array(element, LLVMGetArrayLength2(raw))
                }
                LLVMStructTypeKind if LLVMIsOpaqueStruct(raw) == 0 && LLVMTypeIsSized(raw) != 0 => {
                    let count = LLVMCountStructElementTypes(raw);
                    let mut fields = Vec::new();
                    for index in 0..count {
                        let field = self.ty(LLVMStructGetTypeAtIndex(raw, index));
                        fields.push((field, LLVMOffsetOfElement(self.layout, raw, index)));
                    }
                    TyKind::Struct(fields)
                }
                _ => TyKind::Other(text_of(LLVMPrintTypeToString(raw))),
            }
        }
    }
}
