//! Copies a verified module of LLVM into plain data.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_char};

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMTargetDataRef};
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMAttributeIndex};
use program::Trust;
use rustc_hash::FxHashMap;

use super::context::TRUSTED;
use super::data::*;

pub(super) struct Reader {
    pub module: Module,
    pub context: LLVMContextRef,
    pub layout: LLVMTargetDataRef,
    pub types: FxHashMap<LLVMTypeRef, Ty>,
    pub constants: FxHashMap<LLVMValueRef, ConstantId>,
    pub globals: FxHashMap<LLVMValueRef, GlobalId>,
    pub functions: FxHashMap<LLVMValueRef, FunctionId>,
    /// The blocks of all functions: addresses of labels may be used anywhere.
    pub blocks: FxHashMap<LLVMBasicBlockRef, BlockId>,
    /// Instructions and parameters of the function that is being read.
    pub locals: FxHashMap<LLVMValueRef, Operand>,
    pub files: FxHashMap<LLVMMetadataRef, FileId>,
    pub source_types: FxHashMap<LLVMMetadataRef, program::TypeId>,
    /// Attributes and metadata by their numbers.
    pub by_value: u32,
    pub no_return: u32,
    opt_none: u32,
    pub debug: u32,
}

/// SAFETY: the module is verified, belongs to the context, and both are alive.
pub(super) unsafe fn copy(context: LLVMContextRef, module: LLVMModuleRef) -> Module {
    unsafe {
        let attribute =
            |name: &str| LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
        let mut reader = Reader {
            module: Module::default(),
            context,
            layout: LLVMGetModuleDataLayout(module),
            types: FxHashMap::default(),
            constants: FxHashMap::default(),
            globals: FxHashMap::default(),
            functions: FxHashMap::default(),
            blocks: FxHashMap::default(),
            locals: FxHashMap::default(),
            files: FxHashMap::default(),
            source_types: FxHashMap::default(),
            by_value: attribute("byval"),
            no_return: attribute("noreturn"),
            opt_none: attribute("optnone"),
            debug: LLVMGetMDKindIDInContext(context, c"dbg".as_ptr(), 3),
        };
        let functions = values(LLVMGetFirstFunction(module), |f| LLVMGetNextFunction(f));
        let globals = values(LLVMGetFirstGlobal(module), |g| LLVMGetNextGlobal(g));
        // Names first: whatever is read next may refer to any function, block or variable.
        for (index, &function) in functions.iter().enumerate() {
            reader.functions.insert(function, FunctionId(index as u32));
            for (index, block) in blocks(function).into_iter().enumerate() {
                reader.blocks.insert(block, BlockId(index as u32));
            }
        }
        for (index, &global) in globals.iter().enumerate() {
            reader.globals.insert(global, GlobalId(index as u32));
        }
        reader.compiled_files(module);
        for global in globals {
            let global = reader.global(global);
            reader.module.globals.push(global);
        }
        for function in functions {
            let function = reader.function(function);
            reader.module.functions.push(function);
        }
        reader.module
    }
}

impl Reader {
    unsafe fn global(&mut self, raw: LLVMValueRef) -> Global {
        unsafe {
            let ty = self.ty(LLVMGlobalGetValueType(raw));
            let initial = LLVMGetInitializer(raw);
            let (name, source_type, location) = self.global_variable(raw);
            let align = LLVMGetAlignment(raw).max(self.module.types[ty.index()].align);
            Global {
                symbol: name_of(raw),
                name,
                source_type,
                location,
                ty,
                align,
                constant: LLVMIsGlobalConstant(raw) != 0,
                initial: (!initial.is_null()).then(|| self.constant(initial)),
            }
        }
    }

    unsafe fn function(&mut self, raw: LLVMValueRef) -> Function {
        unsafe {
            self.locals.clear();
            let signature = self.signature(LLVMGlobalGetValueType(raw), |index, kind| {
                LLVMGetEnumAttributeAtIndex(raw, index, kind)
            });
            for index in 0..LLVMCountParams(raw) {
                self.locals.insert(LLVMGetParam(raw, index), Operand::Argument(index));
            }
            let blocks = blocks(raw);
            let instructions = |&block: &LLVMBasicBlockRef| {
                values(LLVMGetFirstInstruction(block), |i| LLVMGetNextInstruction(i))
            };
            for (number, instruction) in blocks.iter().flat_map(instructions).enumerate() {
                let number = InstructionId(number as u32);
                self.locals.insert(instruction, Operand::Instruction(number));
            }
            let symbol = name_of(raw);
            let trusted = LLVMGetStringAttributeAtIndex(
                raw,
                LLVMAttributeFunctionIndex,
                TRUSTED.as_ptr().cast(),
                TRUSTED.len() as u32,
            );
            let (name, source_result, location) = self.subprogram(LLVMGetSubprogram(raw));
            let has = |attribute: u32| {
                !LLVMGetEnumAttributeAtIndex(raw, LLVMAttributeFunctionIndex, attribute).is_null()
            };
            let mut function = Function {
                name: name.unwrap_or_else(|| symbol.clone()),
                symbol,
                signature,
                trust: if trusted.is_null() { Trust::User } else { Trust::Trusted },
                no_return: has(self.no_return),
                is_as_written: has(self.opt_none),
                blocks: Vec::new(),
                instructions: Vec::new(),
                variables: Vec::new(),
                source_result,
                location,
            };
            for block in &blocks {
                let first = InstructionId(function.instructions.len() as u32);
                for instruction in instructions(block) {
                    self.source_variables(instruction, &mut function.variables);
                    let instruction = self.instruction(instruction);
                    function.instructions.push(instruction);
                }
                let end = InstructionId(function.instructions.len() as u32);
                function.blocks.push(Block { first, end });
            }
            function
        }
    }

    /// The signature of a function or a call, which says by `attribute` what is at an index.
    pub unsafe fn signature(
        &mut self,
        raw: LLVMTypeRef,
        attribute: impl Fn(LLVMAttributeIndex, u32) -> LLVMAttributeRef,
    ) -> Signature {
        unsafe {
            let count = LLVMCountParamTypes(raw);
            let mut types = vec![std::ptr::null_mut(); count as usize];
            LLVMGetParamTypes(raw, types.as_mut_ptr());
            let parameters = types.into_iter().enumerate().map(|(index, ty)| Parameter {
                ty: self.ty(ty),
                by_value: self.copied(attribute(index as u32 + 1, self.by_value)),
            });
            let parameters = parameters.collect();
            Signature {
                result: self.ty(LLVMGetReturnType(raw)),
                parameters,
                variadic: LLVMIsFunctionVarArg(raw) != 0,
            }
        }
    }

    /// What the attribute `byval` says.
    pub unsafe fn copied(&mut self, attribute: LLVMAttributeRef) -> Option<(Ty, u32)> {
        if attribute.is_null() {
            return None;
        }
        let ty = unsafe { self.ty(LLVMGetTypeAttributeValue(attribute)) };
        Some((ty, self.module.types[ty.index()].align))
    }

    pub unsafe fn operand(&mut self, raw: LLVMValueRef) -> Operand {
        unsafe {
            if raw.is_null() {
                Operand::None
            } else if let Some(&local) = self.locals.get(&raw) {
                local
            } else if LLVMIsConstant(raw) != 0 {
                Operand::Constant(self.constant(raw))
            } else {
                Operand::None
            }
        }
    }
}

/// The values of one of LLVM's lists.
unsafe fn values(
    first: LLVMValueRef,
    next: impl Fn(LLVMValueRef) -> LLVMValueRef,
) -> Vec<LLVMValueRef> {
    let some = |value: LLVMValueRef| (!value.is_null()).then_some(value);
    std::iter::successors(some(first), |&value| some(next(value))).collect()
}

unsafe fn blocks(function: LLVMValueRef) -> Vec<LLVMBasicBlockRef> {
    unsafe {
        let mut blocks = vec![std::ptr::null_mut(); LLVMCountBasicBlocks(function) as usize];
        LLVMGetBasicBlocks(function, blocks.as_mut_ptr());
        blocks
    }
}

/// The name of a value, which may have any bytes.
pub(super) unsafe fn name_of(raw: LLVMValueRef) -> String {
    let mut length = 0;
    unsafe { bytes_of(LLVMGetValueName2(raw, &mut length), length) }
}

/// Text that LLVM keeps.
pub(super) unsafe fn bytes_of(text: *const c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Text that LLVM gives to us.
pub(super) fn text_of(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: LLVM's messages end with a zero byte, and are freed by us.
    unsafe {
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        copy
    }
}
