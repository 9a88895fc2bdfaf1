//! The instructions of an image. They work on the slots of an activation: words of 64 bits. Bits above
//! the width of a value are zero; values of more than 64 bits have two slots, the low half first.
//!
//! `s` is 64 minus the width, so that `u64::MAX >> s` are the bits of the width.

use super::float::FloatOp;

macro_rules! instructions {
    (
        binary { $($binary:ident)* }
        immediate { $($immediate:ident)* }
        branch { $($branch:ident)* }
        branch_immediate { $($branch_immediate:ident)* }
        other { $($other:tt)* }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Instruction {
            $($binary { s: u8, to: u32, a: u32, b: u32 },)*
            $($immediate { s: u8, to: u32, a: u32, c: i32 },)*
            $($branch { s: u8, a: u32, b: u32, target: u32 },)*
            $($branch_immediate { s: u8, a: u32, c: i32, target: u32 },)*
            $($other)*
        }

        /// `to := a ∘ b`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Binary { $($binary),* }

        /// `to := a ∘ c`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Immediate { $($immediate),* }

        /// Goes to the target if `a ∘ b`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::enum_variant_names)]
        pub(super) enum Branch { $($branch),* }

        /// Goes to the target if `a ∘ c`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::enum_variant_names)]
        pub(super) enum BranchImmediate { $($branch_immediate),* }

        impl Binary {
            pub fn at(self, s: u8, to: u32, a: u32, b: u32) -> Instruction {
                match self { $(Binary::$binary => Instruction::$binary { s, to, a, b }),* }
            }
        }

        impl Immediate {
            pub fn at(self, s: u8, to: u32, a: u32, c: i32) -> Instruction {
                match self { $(Immediate::$immediate => Instruction::$immediate { s, to, a, c }),* }
            }
        }

        impl Branch {
            pub fn at(self, s: u8, a: u32, b: u32) -> Instruction {
                match self { $(Branch::$branch => Instruction::$branch { s, a, b, target: 0 }),* }
            }
        }

        impl BranchImmediate {
            pub fn at(self, s: u8, a: u32, c: i32) -> Instruction {
                match self {
                    $(BranchImmediate::$branch_immediate => {
                        Instruction::$branch_immediate { s, a, c, target: 0 }
                    }),*
                }
            }
        }

        impl Instruction {
            /// Where a jump or branch leads.
            pub fn target_mut(&mut self) -> Option<&mut u32> {
                match self {
                    $(Instruction::$branch { target, .. })|* => Some(target),
                    $(Instruction::$branch_immediate { target, .. })|* => Some(target),
                    Instruction::Jump { target } => Some(target),
                    _ => None,
                }
            }

            /// The operands of the shape that it has, for those who look at all alike.
            #[inline(always)]
            pub fn shape(self) -> Shape {
                match self {
                    $(Instruction::$binary { s, to, a, b } => {
                        Shape::Binary(Binary::$binary, s, to, a, b)
                    })*
                    $(Instruction::$immediate { s, to, a, c } => {
                        Shape::Immediate(Immediate::$immediate, s, to, a, c)
                    })*
                    $(Instruction::$branch { a, b, .. } => {
                        Shape::Branch(Branch::$branch, a, b)
                    })*
                    $(Instruction::$branch_immediate { s, a, c, .. } => {
                        Shape::BranchImmediate(BranchImmediate::$branch_immediate, s, a, c)
                    })*
                    _ => Shape::Other,
                }
            }
        }
    };
}

instructions! {
    binary {
        Add Sub Mul And Or Xor Shl Lshr Ashr Udiv Urem Sdiv Srem Eq Ult Slt
        SaddOverflow SsubOverflow SmulOverflow UaddOverflow UmulOverflow
        FAdd FSub FMul FDiv FEq FLt FLe
        SingleAdd SingleSub SingleMul SingleDiv SingleEq SingleLt SingleLe
    }
    immediate {
        AddI SubFromI MulI AndI OrI XorI ShlI LshrI AshrI EqI UltI UgtI SltI SgtI
    }
    branch {
        IfEq IfNe IfUlt IfUge IfSlt IfSge IfSaddOverflow IfSsubOverflow IfSmulOverflow
    }
    branch_immediate {
        IfEqI IfNeI IfUltI IfUgeI IfUgtI IfUleI IfSltI IfSgeI IfSgtI IfSleI
    }
    other {
        Const { to: u32, value: u64 },
        Move { to: u32, a: u32 },
        /// `to := a + b · scale`.
        Scaled { s: u8, scale: u16, to: u32, a: u32, b: u32 },
        /// `to := if c then a else to`.
        Select { to: u32, c: u32, a: u32 },
        /// From the width `64 - from`.
        SignExtend { s: u8, from: u8, to: u32, a: u32 },
        Extract { s: u8, low: u8, to: u32, a: u32 },
        /// `b` has `shift` bits.
        Concat { shift: u8, to: u32, a: u32, b: u32 },
        /// An operation on one floating-point number; `s` is about the integer, if there is one.
        Float { op: FloatOp, s: u8, to: u32, a: u32 },
        /// An operation that is not worth an instruction; the number is that of its description.
        Generic { index: u32 },
        GetGlobal { to: u32, global: u32 },
        SetGlobal { global: u32, a: u32 },
        Jump { target: u32 },
        Switch { a: u32, table: u32 },
        /// Does nothing: an edge whose condition is true.
        Pass,
        /// There is no way on.
        Blocked,
        /// At the error location.
        Fail,
        Call { site: u32 },
        CallPointer { site: u32 },
        External { site: u32 },
        Return,
        Load1 { s: u8, to: u32, a: u32, offset: i32 },
        Load2 { s: u8, to: u32, a: u32, offset: i32 },
        Load4 { s: u8, to: u32, a: u32, offset: i32 },
        Load8 { s: u8, to: u32, a: u32, offset: i32 },
        LoadAny { width: u8, to: u32, a: u32, offset: i32 },
        Store1 { a: u32, offset: i32, value: u32 },
        Store2 { a: u32, offset: i32, value: u32 },
        Store4 { a: u32, offset: i32, value: u32 },
        Store8 { a: u32, offset: i32, value: u32 },
        StoreAny { width: u8, a: u32, offset: i32, value: u32 },
        Initialise { width: u8, a: u32, value: u32 },
        Alloc { to: u32, size: u32, align: u32 },
        Copy { to: u32, from: u32, size: u32 },
        Fill { to: u32, byte: u32, size: u32 },
        Mark { to: u32 },
        Release { a: u32 },
    }
}

pub(super) enum Shape {
    Binary(Binary, u8, u32, u32, u32),
    Immediate(Immediate, u8, u32, u32, i32),
    Branch(Branch, u32, u32),
    BranchImmediate(BranchImmediate, u8, u32, i32),
    Other,
}

// Code is large and read all the time.
const _: () = assert!(size_of::<Instruction>() <= 16);
