//! Giving bytes to LLVM: a private context, its diagnostics, reading, verifying, linking.
//!
//! Safety: a context and all that belongs to it are used by one thread and live as long as [`Context`]. A module
//! is owned by [`Raw`] until it is linked into another one, which consumes it.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use program::Trust;

use super::data::Module;
use super::reader;

/// Bitcode or textual IR.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The name of the file, for messages.
    pub name: &'a str,
    pub bytes: &'a [u8],
    /// Functions of a trusted module give way to functions of the same name.
    pub trust: Trust,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("`{name}` is neither bitcode nor LLVM IR that can be read: {message}")]
    Unreadable { name: String, message: String },
    #[error("`{name}` is not a valid LLVM module: {message}")]
    Invalid { name: String, message: String },
    #[error("`{name}` cannot be linked with what comes before it: {message}")]
    Unlinkable { name: String, message: String },
    #[error(
        "`{name}` was not compiled for a machine of 64 bits with the least significant byte first"
    )]
    Machine { name: String },
    #[error("there is nothing to read")]
    Nothing,
}

/// Marks functions of trusted modules; it survives linking.
pub(super) const TRUSTED: &str = "whydunit-trusted";

/// Reads the inputs as one module.
pub fn read(inputs: &[Input<'_>]) -> Result<Module, ReadError> {
    let context = Context::new();
    let mut whole: Option<Raw<'_>> = None;
    for input in inputs {
        let raw = context.parse(input)?;
        if input.trust == Trust::Trusted {
            raw.mark_trusted();
        }
        whole = Some(match whole {
            None => raw,
            Some(whole) => whole.link(raw, input)?,
        });
    }
    let whole = whole.ok_or(ReadError::Nothing)?;
    // SAFETY: the module is verified and lives until the end of the function.
    Ok(unsafe { reader::copy(context.raw, whole.module) })
}

struct Context {
    raw: LLVMContextRef,
    /// Errors that LLVM has reported; boxed, because LLVM keeps its address.
    errors: Box<RefCell<Vec<String>>>,
}

impl Context {
    fn new() -> Context {
        let errors = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the handler gets the address of `errors`, which outlives the LLVM context (see `drop`).
        let raw = unsafe {
            let raw = LLVMContextCreate();
            let address: *const RefCell<Vec<String>> = &*errors;
            LLVMContextSetDiagnosticHandler(raw, Some(collect), address as *mut c_void);
            raw
        };
        Context { raw, errors }
    }

    fn take_errors(&self) -> String {
        self.errors.borrow_mut().drain(..).collect::<Vec<_>>().join("; ")
    }

    fn parse(&self, input: &Input<'_>) -> Result<Raw<'_>, ReadError> {
        // LLVM would read it as a module without contents.
        if input.bytes.iter().all(u8::is_ascii_whitespace) {
            let message = "it is empty".to_owned();
            return Err(ReadError::Unreadable { name: input.name.to_owned(), message });
        }
        let name = CString::new(input.name.replace('\0', "?")).unwrap_or_default();
        let mut module = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: the buffer is a copy that we free; out-parameters are written by LLVM.
        let failed = unsafe {
            let bytes = input.bytes.as_ptr().cast::<c_char>();
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, input.bytes.len(), name.as_ptr());
            let failed = LLVMParseIRInContext2(self.raw, buffer, &mut module, &mut message);
            LLVMDisposeMemoryBuffer(buffer);
            failed != 0
        };
        let message = [take_message(message), self.take_errors()].join(" ");
        if failed || module.is_null() {
            let message = first_line(&message);
            return Err(ReadError::Unreadable { name: input.name.to_owned(), message });
        }
        let raw = Raw { module, context: self };
        raw.verify()
            .map_err(|message| ReadError::Invalid { name: input.name.to_owned(), message })?;
        raw.check_machine(input)?;
        Ok(raw)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: all modules borrow the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// A module of LLVM.
struct Raw<'a> {
    module: LLVMModuleRef,
    context: &'a Context,
}

impl Raw<'_> {
    fn verify(&self) -> Result<(), String> {
        let mut message = ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: the module is alive.
        let failed = unsafe { LLVMVerifyModule(self.module, action, &mut message) != 0 };
        let message = take_message(message);
        if failed { Err(first_line(&message)) } else { Ok(()) }
    }

    fn check_machine(&self, input: &Input<'_>) -> Result<(), ReadError> {
        use llvm_sys::target::*;
        // SAFETY: the data layout belongs to the module. A module without one has that of LLVM: 64 bits.
        let fits = unsafe {
            let layout = LLVMGetModuleDataLayout(self.module);
            LLVMPointerSize(layout) == 8
                && LLVMByteOrder(layout) == LLVMByteOrdering::LLVMLittleEndian
        };
        let unspecified = {
            // SAFETY: the text belongs to the module.
            let layout = unsafe { LLVMGetDataLayoutStr(self.module) };
            layout.is_null() || unsafe { CStr::from_ptr(layout) }.is_empty()
        };
        if fits || unspecified {
            Ok(())
        } else {
            Err(ReadError::Machine { name: input.name.to_owned() })
        }
    }

    /// Marks the functions, and lets those of other modules replace them, as a linker does with libraries.
    fn mark_trusted(&self) {
        use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage};
        // SAFETY: the functions belong to the module; LLVM copies the text.
        unsafe {
            let mut function = LLVMGetFirstFunction(self.module);
            while !function.is_null() {
                if LLVMIsDeclaration(function) == 0 {
                    let length = TRUSTED.len() as u32;
                    let mark = TRUSTED.as_ptr().cast::<c_char>();
                    let mark =
                        LLVMCreateStringAttribute(self.context.raw, mark, length, mark, length);
                    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, mark);
                    if LLVMGetLinkage(function) == LLVMLinkage::LLVMExternalLinkage {
                        LLVMSetLinkage(function, LLVMLinkage::LLVMWeakAnyLinkage);
                    }
                }
                function = LLVMGetNextFunction(function);
            }
            let mut global = LLVMGetFirstGlobal(self.module);
            while !global.is_null() {
                if LLVMIsDeclaration(global) == 0
                    && LLVMGetLinkage(global) == LLVMLinkage::LLVMExternalLinkage
                {
                    LLVMSetLinkage(global, LLVMLinkage::LLVMWeakAnyLinkage);
                }
                global = LLVMGetNextGlobal(global);
            }
        }
    }

    fn link(self, other: Raw<'_>, input: &Input<'_>) -> Result<Self, ReadError> {
        // SAFETY: both belong to one context. The other module is consumed, whatever happens.
        let failed = unsafe { LLVMLinkModules2(self.module, other.module) != 0 };
        std::mem::forget(other);
        let message = self.context.take_errors();
        if failed {
            let message = first_line(&message);
            return Err(ReadError::Unlinkable { name: input.name.to_owned(), message });
        }
        Ok(self)
    }
}

impl Drop for Raw<'_> {
    fn drop(&mut self) {
        // SAFETY: we own the module.
        unsafe { LLVMDisposeModule(self.module) }
    }
}

/// Takes over a message of LLVM.
fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: a message is a string that ends with a zero byte, and is ours to free.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

/// A message of LLVM may go on with an excerpt of the input, which may be binary.
fn first_line(message: &str) -> String {
    let line =
        message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("unknown error");
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}

/// Remembers errors; warnings and remarks are of no interest.
extern "C" fn collect(diagnostic: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: `errors` is what `Context::new` has given, and is only used by this thread.
    unsafe {
        if LLVMGetDiagInfoSeverity(diagnostic) == LLVMDiagnosticSeverity::LLVMDSError {
            let message = take_message(LLVMGetDiagInfoDescription(diagnostic));
            let errors = &*(errors as *const RefCell<Vec<String>>);
            if let Ok(mut errors) = errors.try_borrow_mut() {
                errors.push(message);
            }
        }
    }
}
