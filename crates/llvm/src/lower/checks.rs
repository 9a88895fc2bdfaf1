//! Checks: branches to the error location before what would be undefined, and calls that say that something is wrong.

use program::{FailureKind, Program, Property, Statement};
use term::{Sort, Term};

use super::body::Body;
use super::sites::What;
use crate::module::{
    Binary, BlockId, Call, Callee, ConstantKind, Instruction, InstructionId, InstructionKind,
    Operand,
};

impl Body<'_, '_> {
    /// Fails if the condition holds.
    pub fn check(&mut self, bad: Term, kind: FailureKind, message: &str) {
        if self.lowering.builder.terms.is_false(bad) {
            return;
        }
        let site = self.site_of(self.current, What::Operand);
        let property = Property { kind, message: message.to_owned() };
        let site = self.lowering.with_property(site, property);
        let statement = Statement::Assume { condition: bad };
        self.lowering.builder.edge(self.at, Program::ERROR, statement, site);
        let condition = self.lowering.builder.terms.not(bad);
        self.emit(Statement::Assume { condition }, site);
    }

    pub fn check_operator(
        &mut self,
        instruction: &Instruction,
        operator: Binary,
        no_signed_wrap: bool,
        a: Term,
        b: Term,
    ) {
        let Some(Sort::BitVec(width)) = self.lowering.module.scalar_sort(instruction.ty) else {
            return;
        };
        match operator {
            Binary::Add | Binary::Sub | Binary::Mul if no_signed_wrap => {
                let terms = &mut self.lowering.builder.terms;
                let negates = terms.value(a).is_some_and(term::Value::is_zero);
                let (bad, what) = match operator {
                    Binary::Sub if negates => (terms.bv_ssub_overflow(a, b), "opposite number"),
                    Binary::Add => (terms.bv_sadd_overflow(a, b), "sum"),
                    Binary::Sub => (terms.bv_ssub_overflow(a, b), "difference"),
                    _ => (terms.bv_smul_overflow(a, b), "product"),
                };
                let message = format!("the {what} does not fit into {width} bits with a sign");
                self.check(bad, FailureKind::SignedOverflow, &message);
            }
            Binary::UnsignedDiv | Binary::UnsignedRem => self.check_divisor(b, width),
            Binary::SignedDiv | Binary::SignedRem => {
                self.check_divisor(b, width);
                let smallest = self.lowering.bits(width, 1 << (width - 1));
                let minus_one = self.lowering.bits(width, u128::MAX);
                let dividend = self.lowering.equal(a, smallest);
                let divisor = self.lowering.equal(b, minus_one);
                let bad = self.lowering.builder.terms.and(&[dividend, divisor]);
                let message = format!("the quotient does not fit into {width} bits with a sign");
                self.check(bad, FailureKind::SignedOverflow, &message);
            }
            Binary::ShiftLeft | Binary::LogicalShiftRight | Binary::ArithmeticShiftRight => {
                let limit = self.lowering.bits(width, u128::from(width));
                let good = self.lowering.builder.terms.bv_ult(b, limit);
                let bad = self.lowering.builder.terms.not(good);
                let message =
                    format!("{width} bits are shifted by a negative number or by too many");
                self.check(bad, FailureKind::BadShift, &message);
            }
            _ => {}
        }
    }

    fn check_divisor(&mut self, divisor: Term, width: u32) {
        let zero = self.lowering.bits(width, 0);
        let bad = self.lowering.equal(divisor, zero);
        self.check(bad, FailureKind::DivisionByZero, "the divisor is zero");
    }

    /// What is wrong if control enters the block: it begins with a call that says so.
    pub fn error_block(&self, block: BlockId) -> Option<Property> {
        let first = self.first_effect(block)?;
        match &self.function.instructions[first.index()].kind {
            InstructionKind::Call(call) => self.error_call(first, call),
            _ => None,
        }
    }

    /// The first instruction of a block.
    pub fn first_effect(&self, block: BlockId) -> Option<InstructionId> {
        self.function.blocks[block.index()].instructions().next()
    }

    /// What a call says is wrong, if it is one that does nothing else.
    pub fn error_call(&self, id: InstructionId, call: &Call) -> Option<Property> {
        let (kind, message) = match &call.callee {
            Callee::Intrinsic(name) => match name.as_str() {
                "trap" | "ubsantrap" | "debugtrap" => {
                    (FailureKind::Abort, "the program stops itself".to_owned())
                }
                _ => return None,
            },
            Callee::Function(function) => {
                let function = &self.lowering.module.functions[function.index()];
                // By convention the call of `reach_error` is the error, whatever it does.
                let named = matches!(function.symbol.as_str(), "reach_error" | "__VERIFIER_error");
                let own = !function.blocks.is_empty() && function.trust == program::Trust::User;
                if own && !named {
                    return None;
                }
                let assertion = match function.symbol.as_str() {
                    "__assert_fail" | "__assert" => Some(0),
                    "__assert_rtn" => Some(3),
                    _ => None,
                };
                match (function.symbol.as_str(), assertion) {
                    (_, Some(argument)) => {
                        let operands = &self.function.instructions[id.index()].operands;
                        let text = operands.get(argument).and_then(|&text| self.literal(text));
                        let message = match text {
                            Some(text) => format!("the assertion `{text}` does not hold"),
                            None => "an assertion does not hold".to_owned(),
                        };
                        (FailureKind::Assertion, message)
                    }
                    ("abort", _) => (FailureKind::Abort, "the program calls `abort`".to_owned()),
                    (name @ ("reach_error" | "__VERIFIER_error"), _) => {
                        (FailureKind::ReachableError, format!("`{name}` is called"))
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Property { kind, message })
    }

    /// The text of a string literal.
    fn literal(&self, operand: Operand) -> Option<String> {
        let Operand::Constant(constant) = operand else { return None };
        let module = self.lowering.module;
        let ConstantKind::Global(global) = module.constants[constant.index()].kind else {
            return None;
        };
        let initial = module.globals[global.index()].initial?;
        let ConstantKind::Bytes(bytes) = &module.constants[initial.index()].kind else {
            return None;
        };
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        let text = String::from_utf8_lossy(&bytes[..end]);
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
