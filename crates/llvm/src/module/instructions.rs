//! Instructions.

#![allow(unsafe_code)]

use llvm_sys::LLVMOpcode::{self, *};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAtomicRMWBinOp, LLVMAttributeFunctionIndex, LLVMIntPredicate};

use super::constants::integer;
use super::data::*;
use super::reader::{Reader, bytes_of, name_of};

impl Reader {
    /// SAFETY: the instruction is one of the function that is being read.
    pub(super) unsafe fn instruction(&mut self, raw: LLVMValueRef) -> Instruction {
        unsafe {
            let ty = self.ty(LLVMTypeOf(raw));
            let location = self.location(raw);
            let opcode = LLVMGetInstructionOpcode(raw);
            let operands = match opcode {
                LLVMCall | LLVMInvoke | LLVMCallBr => {
                    let count = LLVMGetNumArgOperands(raw);
                    (0..count).map(|index| self.operand(LLVMGetOperand(raw, index))).collect()
                }
                LLVMPHI => {
                    let count = LLVMCountIncoming(raw);
                    (0..count).map(|index| self.operand(LLVMGetIncomingValue(raw, index))).collect()
                }
                _ => {
                    let count = LLVMGetNumOperands(raw).max(0) as u32;
                    (0..count).map(|index| self.operand(LLVMGetOperand(raw, index))).collect()
                }
            };
            let kind = self.instruction_kind(raw, opcode);
            Instruction { kind, ty, operands, location }
        }
    }

    unsafe fn instruction_kind(
        &mut self,
        raw: LLVMValueRef,
        opcode: LLVMOpcode,
    ) -> InstructionKind {
        if let Some(operator) = binary(opcode) {
            let may_say =
                matches!(operator, Binary::Add | Binary::Sub | Binary::Mul | Binary::ShiftLeft);
            let no_signed_wrap = may_say && unsafe { LLVMGetNSW(raw) != 0 };
            return InstructionKind::Binary { operator, no_signed_wrap };
        }
        if let Some(cast) = cast(opcode) {
            return InstructionKind::Cast(cast);
        }
        unsafe {
            match opcode {
                LLVMRet => InstructionKind::Return,
                LLVMBr | LLVMSwitch | LLVMIndirectBr | LLVMUnreachable => self.jump(raw, opcode),
                LLVMCall | LLVMInvoke | LLVMCallBr => {
                    InstructionKind::Call(Box::new(self.call(raw, opcode)))
                }
                LLVMFNeg => InstructionKind::Negate,
                LLVMICmp => InstructionKind::Compare(comparison(LLVMGetICmpPredicate(raw))),
                LLVMFCmp => {
                    // The bits of the predicate are what it is true for.
                    let bits = LLVMGetFCmpPredicate(raw) as u32;
                    InstructionKind::CompareFloats(FloatComparison {
                        equal: bits & 1 != 0,
                        greater: bits & 2 != 0,
                        less: bits & 4 != 0,
                        unordered: bits & 8 != 0,
                    })
                }
                LLVMPHI => {
                    let count = LLVMCountIncoming(raw);
                    let blocks = (0..count).map(|i| self.block(LLVMGetIncomingBlock(raw, i)));
                    InstructionKind::Phi(blocks.collect())
                }
                LLVMSelect => InstructionKind::Select,
                LLVMAlloca => {
                    let allocated = self.ty(LLVMGetAllocatedType(raw));
                    let align = LLVMGetAlignment(raw).max(1);
                    InstructionKind::Alloca { allocated, align }
                }
                LLVMLoad => InstructionKind::Load,
                LLVMStore => InstructionKind::Store,
                LLVMGetElementPtr => {
                    InstructionKind::Element(self.ty(LLVMGetGEPSourceElementType(raw)))
                }
                LLVMExtractValue => InstructionKind::ExtractValue(indices(raw)),
                LLVMInsertValue => InstructionKind::InsertValue(indices(raw)),
                LLVMFreeze => InstructionKind::Freeze,
                LLVMFence => InstructionKind::Fence,
                LLVMAtomicRMW => InstructionKind::Exchange(exchange(LLVMGetAtomicRMWBinOp(raw))),
                LLVMAtomicCmpXchg => InstructionKind::CompareExchange,
                _ => {
                    let is_terminator = !LLVMIsATerminatorInst(raw).is_null();
                    let count = if is_terminator { LLVMGetNumSuccessors(raw) } else { 0 };
                    let next = (0..count).map(|i| self.block(LLVMGetSuccessor(raw, i))).collect();
                    InstructionKind::Other(unknown(opcode), next)
                }
            }
        }
    }

    fn block(&self, raw: LLVMBasicBlockRef) -> BlockId {
        // Every block of the module has been numbered.
        self.blocks.get(&raw).copied().unwrap_or(BlockId(0))
    }

    unsafe fn jump(&mut self, raw: LLVMValueRef, opcode: LLVMOpcode) -> InstructionKind {
        unsafe {
            let count = LLVMGetNumSuccessors(raw);
            let next: Vec<_> = (0..count).map(|i| self.block(LLVMGetSuccessor(raw, i))).collect();
            match (opcode, next.as_slice()) {
                (LLVMIndirectBr, _) => InstructionKind::IndirectJump(next),
                (LLVMSwitch, &[default, ref targets @ ..]) => {
                    let value = |index| integer(LLVMGetSwitchCaseValue(raw, index));
                    let cases = targets.iter().zip(1..).map(|(&to, i)| Some((value(i)?, to)));
                    match cases.collect() {
                        Some(cases) => InstructionKind::Switch { default, cases },
                        None => InstructionKind::Other("a switch over a wide integer", next),
                    }
                }
                (LLVMBr, &[target]) => InstructionKind::Jump(target),
                (LLVMBr, &[then, otherwise]) => InstructionKind::Branch { then, otherwise },
                _ => InstructionKind::Unreachable,
            }
        }
    }

    unsafe fn call(&mut self, raw: LLVMValueRef, opcode: LLVMOpcode) -> Call {
        unsafe {
            let mut signature = self.signature(LLVMGetCalledFunctionType(raw), |index, kind| {
                LLVMGetCallSiteEnumAttribute(raw, index, kind)
            });
            // The variadic arguments may be passed by value, too.
            let fixed = signature.parameters.len() as u32;
            for index in fixed..LLVMGetNumArgOperands(raw) {
                let attribute = LLVMGetCallSiteEnumAttribute(raw, index + 1, self.by_value);
                let ty = self.ty(LLVMTypeOf(LLVMGetOperand(raw, index)));
                signature.parameters.push(Parameter { ty, by_value: self.copied(attribute) });
            }
            let callee = self.callee(LLVMGetCalledValue(raw));
            let attribute =
                LLVMGetCallSiteEnumAttribute(raw, LLVMAttributeFunctionIndex, self.no_return);
            let next = match opcode {
                LLVMInvoke => Some(self.block(LLVMGetNormalDest(raw))),
                LLVMCallBr => Some(self.block(LLVMGetCallBrDefaultDest(raw))),
                _ => None,
            };
            Call { callee, signature, fixed: fixed as usize, no_return: !attribute.is_null(), next }
        }
    }

    unsafe fn callee(&mut self, raw: LLVMValueRef) -> Callee {
        unsafe {
            if !LLVMIsAInlineAsm(raw).is_null() {
                let mut length = 0;
                let text = LLVMGetInlineAsmAsmString(raw, &mut length);
                return Callee::Assembly(bytes_of(text, length));
            }
            if !LLVMIsAFunction(raw).is_null() {
                let id = LLVMGetIntrinsicID(raw);
                if id != 0 {
                    let mut length = 0;
                    let name = bytes_of(LLVMIntrinsicGetName(id, &mut length), length);
                    return Callee::Intrinsic(name.trim_start_matches("llvm.").to_owned());
                }
                if name_of(raw).starts_with("llvm.") {
                    return Callee::Intrinsic(name_of(raw).trim_start_matches("llvm.").to_owned());
                }
            }
            let operand = self.operand(raw);
            if let Operand::Constant(constant) = operand
                && let ConstantKind::Function(function) =
                    self.module.constants[constant.index()].kind
            {
                return Callee::Function(function);
            }
            Callee::Pointer(operand)
        }
    }
}

unsafe fn indices(raw: LLVMValueRef) -> Vec<u32> {
    unsafe {
        let count = LLVMGetNumIndices(raw) as usize;
        let indices = LLVMGetIndices(raw);
        if indices.is_null() {
            return Vec::new();
        }
        std::slice::from_raw_parts(indices, count).to_vec()
    }
}

pub(super) fn binary(opcode: LLVMOpcode) -> Option<Binary> {
    Some(match opcode {
        LLVMAdd => Binary::Add,
        LLVMSub => Binary::Sub,
        LLVMMul => Binary::Mul,
        LLVMUDiv => Binary::UnsignedDiv,
        LLVMSDiv => Binary::SignedDiv,
        LLVMURem => Binary::UnsignedRem,
        LLVMSRem => Binary::SignedRem,
        LLVMShl => Binary::ShiftLeft,
        LLVMLShr => Binary::LogicalShiftRight,
        LLVMAShr => Binary::ArithmeticShiftRight,
        LLVMAnd => Binary::And,
        LLVMOr => Binary::Or,
        LLVMXor => Binary::Xor,
        LLVMFAdd => Binary::FloatAdd,
        LLVMFSub => Binary::FloatSub,
        LLVMFMul => Binary::FloatMul,
        LLVMFDiv => Binary::FloatDiv,
        LLVMFRem => Binary::FloatRem,
        _ => return None,
    })
}

pub(super) fn cast(opcode: LLVMOpcode) -> Option<Cast> {
    Some(match opcode {
        LLVMTrunc => Cast::Truncate,
        LLVMZExt => Cast::ZeroExtend,
        LLVMSExt => Cast::SignExtend,
        LLVMFPToUI => Cast::FloatToUnsigned,
        LLVMFPToSI => Cast::FloatToSigned,
        LLVMUIToFP => Cast::UnsignedToFloat,
        LLVMSIToFP => Cast::SignedToFloat,
        LLVMFPTrunc | LLVMFPExt => Cast::Float,
        LLVMPtrToInt | LLVMPtrToAddr | LLVMIntToPtr | LLVMAddrSpaceCast => Cast::Address,
        LLVMBitCast => Cast::Bits,
        _ => return None,
    })
}

fn comparison(predicate: LLVMIntPredicate) -> Comparison {
    match predicate {
        LLVMIntPredicate::LLVMIntEQ => Comparison::Equal,
        LLVMIntPredicate::LLVMIntNE => Comparison::NotEqual,
        LLVMIntPredicate::LLVMIntUGT => Comparison::UnsignedGreater,
        LLVMIntPredicate::LLVMIntUGE => Comparison::UnsignedGreaterEqual,
        LLVMIntPredicate::LLVMIntULT => Comparison::UnsignedLess,
        LLVMIntPredicate::LLVMIntULE => Comparison::UnsignedLessEqual,
        LLVMIntPredicate::LLVMIntSGT => Comparison::SignedGreater,
        LLVMIntPredicate::LLVMIntSGE => Comparison::SignedGreaterEqual,
        LLVMIntPredicate::LLVMIntSLT => Comparison::SignedLess,
        LLVMIntPredicate::LLVMIntSLE => Comparison::SignedLessEqual,
    }
}

fn exchange(operation: LLVMAtomicRMWBinOp) -> Exchange {
    match operation {
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg => Exchange::Set,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAdd => Exchange::Operation(Binary::Add),
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpSub => Exchange::Operation(Binary::Sub),
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpAnd => Exchange::Operation(Binary::And),
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpOr => Exchange::Operation(Binary::Or),
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXor => Exchange::Operation(Binary::Xor),
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpFAdd => Exchange::Operation(Binary::FloatAdd),
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpFSub => Exchange::Operation(Binary::FloatSub),
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpNand => Exchange::Nand,
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMax => Exchange::If(Comparison::SignedGreater),
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpMin => Exchange::If(Comparison::SignedLess),
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMax => Exchange::If(Comparison::UnsignedGreater),
        LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpUMin => Exchange::If(Comparison::UnsignedLess),
        _ => Exchange::Other,
    }
}

/// What instructions are called that are not modelled.
fn unknown(opcode: LLVMOpcode) -> &'static str {
    match opcode {
        LLVMVAArg => "the instruction `va_arg`",
        LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => "an operation on vectors",
        LLVMResume | LLVMLandingPad | LLVMCleanupRet | LLVMCatchRet | LLVMCatchPad
        | LLVMCleanupPad | LLVMCatchSwitch => "exception handling",
        _ => "an unknown instruction",
    }
}
