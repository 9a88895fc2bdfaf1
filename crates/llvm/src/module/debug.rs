//! Debug information: where instructions come from, names and types of variables.
//!
//! LLVM's C interface has functions for little of it; the rest is in the operands of the metadata nodes. Their
//! order is that of LLVM 22 (`llvm/IR/DebugInfoMetadata.h`); a node that is not as expected gives an opaque type or
//! no name.

#![allow(unsafe_code)]

use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMDbgRecordKind, LLVMValueKind};
use program::{Aggregate, Member, Type, TypeId};

use super::data::*;
use super::reader::{Reader, bytes_of, text_of};

/// Tags of DWARF.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const CLASS: u16 = 0x02;
    pub const ENUM: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCT: u16 = 0x13;
    pub const SUBROUTINE: u16 = 0x15;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const BASE: u16 = 0x24;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

/// Names by which `char` is a number.
const SMALL_NUMBERS: [&str; 5] = ["int8_t", "uint8_t", "u8", "s8", "i8"];

/// Operands of `DIType`.
const TYPE_NAME: usize = 2;
const BASE_TYPE: usize = 5;
const ELEMENTS: usize = 6;
/// Operand of `DIFile`.
const CHECKSUM: usize = 2;
/// Operands of `DIVariable`.
const VARIABLE_NAME: usize = 1;
const VARIABLE_TYPE: usize = 3;
/// Operands of `DISubprogram`.
const SUBPROGRAM_NAME: usize = 2;
const SUBPROGRAM_TYPE: usize = 4;
/// Operand of `DISubroutineType`: a list that begins with the type of the result.
const SIGNATURE: usize = 5;

impl Reader {
    pub(super) unsafe fn location(&mut self, instruction: LLVMValueRef) -> Option<Location> {
        unsafe {
            let location = LLVMInstructionGetDebugLoc(instruction);
            if location.is_null() {
                return None;
            }
            let (line, column) =
                (LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location));
            let file = self.file(LLVMDIScopeGetFile(LLVMDILocationGetScope(location)))?;
            Some(Location { file, line, column })
        }
    }

    unsafe fn file(&mut self, raw: LLVMMetadataRef) -> Option<FileId> {
        if raw.is_null() {
            return None;
        }
        if let Some(&known) = self.files.get(&raw) {
            return Some(known);
        }
        // SAFETY: the texts belong to the context; LLVM gives their lengths.
        let (directory, name) = unsafe {
            let mut length = 0;
            let directory = LLVMDIFileGetDirectory(raw, &mut length);
            let directory = bytes_of(directory, length as usize);
            let name = LLVMDIFileGetFilename(raw, &mut length);
            (directory, bytes_of(name, length as usize))
        };
        // SAFETY: a file is a node.
        let checked = unsafe { self.operands_of(raw) }.text(CHECKSUM).is_some();
        // One file may have several nodes: one for each linked module, and one without a checksum if it names itself.
        let known = |file: &File| file.directory == directory && file.name == name;
        let index = match self.module.files.iter().position(known) {
            Some(index) => {
                self.module.files[index].checked |= checked;
                index
            }
            None => {
                self.module.files.push(File { directory, name, checked });
                self.module.files.len() - 1
            }
        };
        self.files.insert(raw, FileId(index as u32));
        Some(FileId(index as u32))
    }

    /// The files that were compiled. No place need be in them, if directives call all of their lines otherwise.
    pub(super) unsafe fn compiled_files(&mut self, module: LLVMModuleRef) {
        // SAFETY: LLVM says how many units there are, and writes so many.
        unsafe {
            let name = c"llvm.dbg.cu".as_ptr();
            let count = LLVMGetNamedMetadataNumOperands(module, name) as usize;
            let mut units = vec![std::ptr::null_mut(); count];
            LLVMGetNamedMetadataOperands(module, name, units.as_mut_ptr());
            for unit in units.into_iter().filter_map(node) {
                self.file(LLVMDIScopeGetFile(unit));
            }
        }
    }

    /// The variables that are declared before the instruction.
    pub(super) unsafe fn source_variables(
        &mut self,
        instruction: LLVMValueRef,
        variables: &mut Vec<SourceVariable>,
    ) {
        unsafe {
            let mut record = LLVMGetFirstDbgRecord(instruction);
            while !record.is_null() {
                if LLVMDbgRecordGetKind(record) == LLVMDbgRecordKind::LLVMDbgRecordDeclare {
                    let address = self.operand(LLVMDbgVariableRecordGetValue(record, 0));
                    let variable = LLVMDbgVariableRecordGetVariable(record);
                    let operands = self.operands_of(variable);
                    let ty = self.variable_type(&operands);
                    if let Some(name) = operands.text(VARIABLE_NAME) {
                        let location = self.variable_location(variable);
                        variables.push(SourceVariable { address, name, ty, location });
                    }
                }
                record = LLVMGetNextDbgRecord(record);
            }
        }
    }

    pub(super) unsafe fn global_variable(
        &mut self,
        global: LLVMValueRef,
    ) -> (Option<String>, Option<TypeId>, Option<Location>) {
        unsafe {
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(global, &mut count);
            let attached = (0..count as u32)
                .find(|&index| LLVMValueMetadataEntriesGetKind(entries, index) == self.debug)
                .map(|index| LLVMValueMetadataEntriesGetMetadata(entries, index));
            LLVMDisposeValueMetadataEntries(entries);
            let Some(expression) = attached else { return (None, None, None) };
            let variable = LLVMDIGlobalVariableExpressionGetVariable(expression);
            let operands = self.operands_of(variable);
            let ty = self.variable_type(&operands);
            let location = self.variable_location(variable);
            (operands.text(VARIABLE_NAME), ty, location)
        }
    }

    unsafe fn variable_location(&mut self, variable: LLVMMetadataRef) -> Option<Location> {
        unsafe {
            let file = self.file(LLVMDIVariableGetFile(variable))?;
            Some(Location { file, line: LLVMDIVariableGetLine(variable), column: 0 })
        }
    }

    unsafe fn variable_type(&mut self, operands: &Operands) -> Option<TypeId> {
        let raw = operands.node(VARIABLE_TYPE)?;
        Some(unsafe { self.source_type(raw) })
    }

    /// The name of a function, the type of its result, and where it is.
    pub(super) unsafe fn subprogram(
        &mut self,
        raw: LLVMMetadataRef,
    ) -> (Option<String>, Option<TypeId>, Option<Location>) {
        if raw.is_null() {
            return (None, None, None);
        }
        unsafe {
            let operands = self.operands_of(raw);
            let name = operands.text(SUBPROGRAM_NAME);
            let signature = operands.node(SUBPROGRAM_TYPE).map(|ty| self.operands_of(ty));
            let types = signature.and_then(|operands| operands.node(SIGNATURE));
            let result = types.and_then(|types| self.operands_of(types).node(0));
            let result = result.map(|result| self.source_type(result));
            let line = LLVMDISubprogramGetLine(raw);
            let file = self.file(LLVMDIScopeGetFile(raw));
            (name, result, file.map(|file| Location { file, line, column: 0 }))
        }
    }

    unsafe fn source_type(&mut self, raw: LLVMMetadataRef) -> TypeId {
        if let Some(&known) = self.source_types.get(&raw) {
            return known;
        }
        let tag = unsafe { LLVMGetDINodeTag(raw) };
        if matches!(
            tag,
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC | tag::MEMBER
        ) {
            let base = unsafe { self.operands_of(raw) }.node(BASE_TYPE);
            let mut id = match base {
                Some(base) => unsafe { self.source_type(base) },
                None => self.new_type(Type::Opaque("void".to_owned())),
            };
            if tag == tag::TYPEDEF
                && let Type::Character { signed } = self.module.source_types[id.0 as usize]
                && let Some(name) = unsafe { self.operands_of(raw) }.text(TYPE_NAME)
                && SMALL_NUMBERS.contains(&name.as_str())
            {
                id = self.new_type(Type::Integer { name, bits: 8, signed });
            }
            self.source_types.insert(raw, id);
            return id;
        }
        // The type exists before its parts are read, because a struct may have a pointer to itself.
        let id = self.new_type(Type::Opaque(String::new()));
        self.source_types.insert(raw, id);
        let ty = unsafe { self.new_source_type(raw, tag) };
        self.module.source_types[id.0 as usize] = ty;
        id
    }

    fn new_type(&mut self, ty: Type) -> TypeId {
        self.module.source_types.push(ty);
        TypeId(self.module.source_types.len() as u32 - 1)
    }

    unsafe fn base_type(&mut self, operands: &Operands) -> TypeId {
        match operands.node(BASE_TYPE) {
            Some(base) => unsafe { self.source_type(base) },
            None => self.new_type(Type::Opaque("void".to_owned())),
        }
    }

    unsafe fn new_source_type(&mut self, raw: LLVMMetadataRef, tag: u16) -> Type {
        unsafe {
            let operands = self.operands_of(raw);
            let mut length = 0;
            let name = LLVMDITypeGetName(raw, &mut length);
            let name = bytes_of(name, length);
            let bits = LLVMDITypeGetSizeInBits(raw);
            match tag {
                tag::BASE => base(name, bits as u32),
                tag::POINTER => Type::Pointer(self.base_type(&operands)),
                tag::ARRAY => {
                    let element = self.base_type(&operands);
                    self.array(element, &operands)
                }
                tag::STRUCT | tag::CLASS | tag::UNION => {
                    let members = self.members(&operands);
                    let aggregate = Aggregate { name, size: bits / 8, members };
                    if tag == tag::UNION { Type::Union(aggregate) } else { Type::Struct(aggregate) }
                }
                tag::ENUM => self.enumeration(name, bits as u32, &operands),
                tag::SUBROUTINE => Type::Opaque("function".to_owned()),
                _ => Type::Opaque(name),
            }
        }
    }

    /// An array of arrays is one node with several subranges, the outermost first.
    unsafe fn array(&mut self, element: TypeId, operands: &Operands) -> Type {
        let subranges = unsafe { self.elements_of(operands) };
        let counts: Vec<u64> = subranges
            .into_iter()
            .map(|subrange| unsafe { self.operands_of(subrange).number(0) }.unwrap_or(0))
            .map(|count| u64::try_from(count).unwrap_or(0))
            .collect();
        let Some((&outermost, inner)) = counts.split_first() else {
            return Type::Array { element, count: 0 };
        };
        let element = inner
            .iter()
            .rev()
            .fold(element, |element, &count| self.new_type(Type::Array { element, count }));
        Type::Array { element, count: outermost }
    }

    unsafe fn members(&mut self, operands: &Operands) -> Vec<Member> {
        let mut members = Vec::new();
        for raw in unsafe { self.elements_of(operands) } {
            // Others are nested types or functions of C++.
            if unsafe { LLVMGetDINodeTag(raw) } != tag::MEMBER {
                continue;
            }
            unsafe {
                let mut length = 0;
                let name = LLVMDITypeGetName(raw, &mut length);
                let name = bytes_of(name, length);
                let ty = self.source_type(raw);
                let is_bit_field = LLVMDITypeGetFlags(raw) & LLVMDIFlagBitField != 0;
                let bits = is_bit_field.then(|| LLVMDITypeGetSizeInBits(raw) as u32);
                members.push(Member { name, ty, offset: LLVMDITypeGetOffsetInBits(raw), bits });
            }
        }
        members
    }

    unsafe fn enumeration(&mut self, name: String, bits: u32, operands: &Operands) -> Type {
        let base = operands.node(BASE_TYPE).map(|base| unsafe { self.source_type(base) });
        let base = base.map(|base| &self.module.source_types[base.0 as usize]);
        let signed = !matches!(base, Some(Type::Integer { signed: false, .. }));
        let mut values = Vec::new();
        for raw in unsafe { self.elements_of(operands) } {
            let name = unsafe { self.operands_of(raw) }.text(0);
            // The value is no operand. LLVM writes `!DIEnumerator(name: "A", value: 1)`.
            let text = text_of(unsafe { LLVMPrintValueToString(self.as_value(raw)) });
            let value = text.rsplit_once("value: ").map(|(_, rest)| rest);
            let end = |c: char| !c.is_ascii_digit() && c != '-';
            let value = value.and_then(|rest| rest.split(end).next()?.parse::<i128>().ok());
            if let (Some(name), Some(value)) = (name, value) {
                values.push((name, value as i64));
            }
        }
        Type::Enum { name, bits, signed, values }
    }

    unsafe fn elements_of(&mut self, operands: &Operands) -> Vec<LLVMMetadataRef> {
        match operands.node(ELEMENTS) {
            Some(elements) => unsafe { self.operands_of(elements) }.nodes(),
            None => Vec::new(),
        }
    }

    unsafe fn as_value(&self, raw: LLVMMetadataRef) -> LLVMValueRef {
        unsafe { LLVMMetadataAsValue(self.context, raw) }
    }

    unsafe fn operands_of(&self, raw: LLVMMetadataRef) -> Operands {
        unsafe {
            let value = self.as_value(raw);
            if raw.is_null() || LLVMIsAMDNode(value).is_null() {
                return Operands(Vec::new());
            }
            let count = LLVMGetMDNodeNumOperands(value) as usize;
            let mut operands = vec![std::ptr::null_mut(); count];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            Operands(operands)
        }
    }
}

/// The operands of a metadata node.
struct Operands(Vec<LLVMValueRef>);

impl Operands {
    fn get(&self, index: usize) -> Option<LLVMValueRef> {
        self.0.get(index).copied().filter(|operand| !operand.is_null())
    }

    fn text(&self, index: usize) -> Option<String> {
        let operand = self.get(index)?;
        // SAFETY: an operand is a value; LLVM says whether it is a string.
        unsafe {
            if LLVMIsAMDString(operand).is_null() {
                return None;
            }
            let mut length = 0;
            let text = LLVMGetMDString(operand, &mut length);
            Some(bytes_of(text, length as usize))
        }
    }

    fn node(&self, index: usize) -> Option<LLVMMetadataRef> {
        self.get(index).and_then(node)
    }

    fn nodes(&self) -> Vec<LLVMMetadataRef> {
        self.0.iter().copied().filter(|operand| !operand.is_null()).filter_map(node).collect()
    }

    fn number(&self, index: usize) -> Option<i64> {
        let operand = self.get(index)?;
        // SAFETY: an operand is a value; LLVM says whether it is an integer.
        unsafe {
            (!LLVMIsAConstantInt(operand).is_null()).then(|| LLVMConstIntGetSExtValue(operand))
        }
    }
}

fn node(operand: LLVMValueRef) -> Option<LLVMMetadataRef> {
    // SAFETY: an operand is a value; LLVM says whether it is a node.
    unsafe {
        let is_metadata = LLVMGetValueKind(operand) == LLVMValueKind::LLVMMetadataAsValueValueKind;
        (is_metadata && !LLVMIsAMDNode(operand).is_null()).then(|| LLVMValueAsMetadata(operand))
    }
}

/// A type without parts. LLVM does not say how it is encoded, but compilers use few names.
fn base(name: String, bits: u32) -> Type {
    match name.as_str() {
        "_Bool" | "bool" => Type::Bool,
        "char" | "signed char" => Type::Character { signed: true },
        "unsigned char" => Type::Character { signed: false },
        "float" | "double" | "long double" | "_Float16" | "__float128" | "_Float128" | "half"
        | "__bf16" | "f32" | "f64" => Type::Float { name, bits },
        _ => {
            let unsigned = name.contains("unsigned")
                || matches!(name.as_str(), "char16_t" | "char32_t" | "usize")
                || name.strip_prefix('u').is_some_and(|rest| rest.parse::<u32>().is_ok());
            Type::Integer { name, bits, signed: !unsigned }
        }
    }
}
