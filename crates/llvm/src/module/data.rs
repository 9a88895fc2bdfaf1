//! What a module is made of.

use program::Trust;

program::ids! {
    /// A type of LLVM.
    Ty
    FunctionId
    GlobalId
    ConstantId
    /// A block of one function.
    BlockId
    /// An instruction of one function, in the order of its text.
    InstructionId
    FileId
}

#[derive(Clone, Debug, Default)]
pub struct Module {
    pub types: Vec<Layout>,
    pub constants: Vec<Constant>,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    /// Types of the source; their ids are indices.
    pub source_types: Vec<program::Type>,
    pub files: Vec<File>,
}

/// A source file, as the debug information names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub directory: String,
    pub name: String,
    /// Whether the compiler has a checksum of it. It has none of a file that only a `#line` names.
    pub checked: bool,
}

impl File {
    /// The name, in its folder unless it says where it is.
    pub fn path(&self) -> String {
        if self.name.starts_with('/') || self.directory.is_empty() {
            self.name.clone()
        } else {
            format!("{}/{}", self.directory.trim_end_matches('/'), self.name)
        }
    }
}

/// A type and how its values lie in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub kind: TyKind,
    /// The distance of two neighbours in an array, in bytes. 0 for types without values.
    pub size: u64,
    pub align: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TyKind {
    Void,
    Integer(u32),
    Single,
    Double,
    /// The x87 format of 80 bits.
    Extended,
    Pointer,
    Vector(Ty, u32),
    Array(Ty, u64),
    /// Fields with their offsets in bytes.
    Struct(Vec<(Ty, u64)>),
    /// Anything else: its name.
    Other(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub ty: Ty,
    pub kind: ConstantKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ConstantKind {
    Integer(u128),
    /// An integer of more than 128 bits: words of 64 bits, the least significant first.
    Wide(Vec<u64>),
    /// Of any format; as a double.
    Float(f64),
    /// All bytes are zero: null, or an aggregate of zeros.
    Zero,
    Undefined,
    Global(GlobalId),
    Function(FunctionId),
    /// The address of a label, for computed jumps.
    Label(FunctionId, BlockId),
    Parts(Vec<ConstantId>),
    /// The elements of an array of integers or floats, as they lie in memory.
    Bytes(Vec<u8>),
    Binary(Binary, ConstantId, ConstantId),
    Cast(Cast, ConstantId),
    /// The type that the first index counts, the base, the indices.
    Element(Ty, ConstantId, Vec<ConstantId>),
    /// Anything else: how LLVM writes it.
    Other(String),
}

#[derive(Clone, Debug)]
pub struct Global {
    /// The name in the object file.
    pub symbol: String,
    /// The name in the source; none for string literals and what the compiler made.
    pub name: Option<String>,
    pub source_type: Option<program::TypeId>,
    pub location: Option<Location>,
    pub ty: Ty,
    pub align: u32,
    pub constant: bool,
    /// None if it is defined elsewhere.
    pub initial: Option<ConstantId>,
}

#[derive(Clone, Debug)]
pub struct Function {
    /// The name in the object file.
    pub symbol: String,
    /// The name in the source.
    pub name: String,
    pub signature: Signature,
    pub trust: Trust,
    pub no_return: bool,
    /// Whether no optimiser has touched it, so that it does what its source says, step by step.
    pub is_as_written: bool,
    /// Empty if it is defined elsewhere.
    pub blocks: Vec<Block>,
    pub instructions: Vec<Instruction>,
    pub variables: Vec<SourceVariable>,
    /// The type of the result in the source.
    pub source_result: Option<program::TypeId>,
    pub location: Option<Location>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    pub result: Ty,
    pub parameters: Vec<Parameter>,
    pub variadic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    pub ty: Ty,
    /// What is passed is a copy of this, by its address.
    pub by_value: Option<(Ty, u32)>,
}

/// Consecutive instructions; the last one says where control goes.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub first: InstructionId,
    pub end: InstructionId,
}

impl Block {
    pub fn instructions(self) -> impl DoubleEndedIterator<Item = InstructionId> + Clone {
        (self.first.0..self.end.0).map(InstructionId)
    }
}

/// A local variable or parameter of the source.
#[derive(Clone, Debug)]
pub struct SourceVariable {
    /// Its address: an alloca, or a parameter that is passed by its address.
    pub address: Operand,
    pub name: String,
    pub ty: Option<program::TypeId>,
    pub location: Option<Location>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    pub file: FileId,
    /// From 1; 0 for code that the compiler made.
    pub line: u32,
    /// From 1, in bytes; 0 if unknown.
    pub column: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Argument(u32),
    Instruction(InstructionId),
    Constant(ConstantId),
    /// A block, metadata, or assembly.
    None,
}

#[derive(Clone, Debug)]
pub struct Instruction {
    pub kind: InstructionKind,
    pub ty: Ty,
    pub operands: Vec<Operand>,
    pub location: Option<Location>,
}

#[derive(Clone, Debug)]
pub enum InstructionKind {
    Return,
    Jump(BlockId),
    Branch {
        then: BlockId,
        otherwise: BlockId,
    },
    Switch {
        default: BlockId,
        cases: Vec<(u128, BlockId)>,
    },
    IndirectJump(Vec<BlockId>),
    Unreachable,
    Binary {
        operator: Binary,
        no_signed_wrap: bool,
    },
    Negate,
    Cast(Cast),
    Compare(Comparison),
    CompareFloats(FloatComparison),
    Phi(Vec<BlockId>),
    Select,
    Alloca {
        allocated: Ty,
        align: u32,
    },
    Load,
    Store,
    /// The type that the first index counts.
    Element(Ty),
    Call(Box<Call>),
    ExtractValue(Vec<u32>),
    InsertValue(Vec<u32>),
    Freeze,
    Fence,
    Exchange(Exchange),
    CompareExchange,
    /// Anything else: how LLVM names it, and where control goes if it decides that.
    Other(&'static str, Vec<BlockId>),
}

#[derive(Clone, Debug)]
pub struct Call {
    pub callee: Callee,
    /// What the call says; the definition may differ. It has a parameter for every argument.
    pub signature: Signature,
    /// How many of the arguments are not variadic.
    pub fixed: usize,
    pub no_return: bool,
    /// Where control goes after a call that ends its block.
    pub next: Option<BlockId>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    Function(FunctionId),
    /// Without `llvm.`, and without the types it is overloaded for.
    Intrinsic(String),
    Pointer(Operand),
    /// Inline assembly.
    Assembly(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    UnsignedDiv,
    SignedDiv,
    UnsignedRem,
    SignedRem,
    ShiftLeft,
    LogicalShiftRight,
    ArithmeticShiftRight,
    And,
    Or,
    Xor,
    FloatAdd,
    FloatSub,
    FloatMul,
    FloatDiv,
    FloatRem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    Truncate,
    ZeroExtend,
    SignExtend,
    FloatToUnsigned,
    FloatToSigned,
    UnsignedToFloat,
    SignedToFloat,
    /// To a format with less or more precision.
    Float,
    /// Between pointers and integers, and from pointer to pointer.
    Address,
    /// The same bits as another type.
    Bits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    UnsignedGreater,
    UnsignedGreaterEqual,
    UnsignedLess,
    UnsignedLessEqual,
    SignedGreater,
    SignedGreaterEqual,
    SignedLess,
    SignedLessEqual,
}

/// What holds: some of equal, greater, less and unordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatComparison {
    pub equal: bool,
    pub greater: bool,
    pub less: bool,
    pub unordered: bool,
}

/// How an atomic instruction changes memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    Set,
    Operation(Binary),
    Nand,
    /// The operand, if it compares so with the old value.
    If(Comparison),
    Other,
}
