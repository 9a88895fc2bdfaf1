//! LLVM's intrinsics: functions that it knows by name.

use program::{FailureKind, Memory, SiteId};
use term::{Op, Rounding, Sort, Term};

use super::body::Body;
use super::sites::What;
use super::values::Parts;
use crate::module::{Binary, Comparison, InstructionId, Operand};

/// What they do is of no interest here.
const IGNORED: [&str; 16] = [
    "lifetime.start",
    "lifetime.end",
    "dbg.declare",
    "dbg.value",
    "dbg.label",
    "dbg.assign",
    "assume",
    "donothing",
    "sideeffect",
    "va_end",
    "prefetch",
    "invariant.end",
    "experimental.noalias.scope.decl",
    "var.annotation",
    "pseudoprobe",
    "fake.use",
];

impl Body<'_, '_> {
    pub fn intrinsic(&mut self, id: InstructionId, name: &str) {
        if IGNORED.contains(&name) {
            return;
        }
        let site = self.site_of(id, What::Assign);
        if self.memory_intrinsic(id, name, site).is_some() {
            return;
        }
        match self.intrinsic_value(id, name) {
            Some(value) => self.define(id, value),
            None => self.unknown_value(id, &format!("the intrinsic function `{name}`")),
        }
    }

    /// Intrinsics that change memory.
    fn memory_intrinsic(&mut self, id: InstructionId, name: &str, site: SiteId) -> Option<()> {
        let operands = &self.function.instructions[id.index()].operands;
        let operand = |index: usize| operands.get(index).copied().unwrap_or(Operand::None);
        match name {
            "memcpy" | "memmove" | "memcpy.inline" => {
                let (to, from) = (self.scalar_word(operand(0))?, self.scalar_word(operand(1))?);
                let size = self.scalar_word(operand(2))?;
                self.memory(Memory::Copy { to, from, size }, site);
            }
            "memset" | "memset.inline" => {
                let (to, byte) = (self.scalar_word(operand(0))?, self.scalar(operand(1))?);
                let size = self.scalar_word(operand(2))?;
                let byte = self.lowering.fit(byte, &Sort::BitVec(8));
                self.memory(Memory::Fill { to, byte, size }, site);
            }
            "va_start" => self.va_start(operand(0), site)?,
            "va_copy" => self.va_copy(operand(0), operand(1), site)?,
            "stacksave" => {
                let target = self.temporary(&Sort::BitVec(64));
                let made = self.lowering.made();
                self.memory(Memory::Mark { target }, made);
                self.define(id, vec![target]);
            }
            "stackrestore" => {
                let mark = self.scalar_word(operand(0))?;
                let made = self.lowering.made();
                self.memory(Memory::Release { mark }, made);
            }
            _ => return None,
        }
        Some(())
    }

    fn intrinsic_value(&mut self, id: InstructionId, name: &str) -> Option<Parts> {
        let instruction = &self.function.instructions[id.index()];
        let operands = &instruction.operands;
        let module = self.lowering.module;
        let first = operands.first().copied().unwrap_or(Operand::None);
        if matches!(
            name,
            "expect"
                | "expect.with.probability"
                | "ssa.copy"
                | "threadlocal.address"
                | "ptr.annotation"
                | "annotation"
                | "launder.invariant.group"
                | "strip.invariant.group"
                | "arithmetic.fence"
        ) {
            return self.value(first);
        }
        let constant = match name {
            "objectsize" => {
                let wants_smallest = matches!(self.scalar(*operands.get(1)?), Some(smallest)
                    if self.lowering.builder.terms.is_true(smallest));
                Some(if wants_smallest { 0 } else { u128::MAX })
            }
            "is.constant" | "frameaddress" | "returnaddress" | "addressofreturnaddress" => Some(0),
            "get.rounding" | "flt.rounds" => Some(1),
            _ => None,
        };
        if let Some(constant) = constant {
            let sort = module.scalar_sort(instruction.ty)?;
            let bits = self.lowering.bits(64, constant);
            return Some(vec![self.lowering.fit(bits, &sort)]);
        }
        let scalars: Option<Vec<Term>> = operands
            .iter()
            .map(|&operand| {
                let ty = self.type_of(operand)?;
                if module.is_scalar(ty) { self.scalar(operand) } else { None }
            })
            .collect();
        let scalars = scalars?;
        if let Some(value) = self.overflow_intrinsic(name, &scalars) {
            return Some(value);
        }
        let value = self.integer_intrinsic(name, &scalars);
        let value = value.or_else(|| self.float_intrinsic(id, name, &scalars))?;
        Some(vec![value])
    }

    /// Arithmetic that says whether it overflows.
    fn overflow_intrinsic(&mut self, name: &str, scalars: &[Term]) -> Option<Parts> {
        let &[a, b] = scalars else { return None };
        let (operator, overflow) = match name.strip_suffix(".with.overflow")? {
            "sadd" => (Binary::Add, Op::BvSaddOverflow),
            "ssub" => (Binary::Sub, Op::BvSsubOverflow),
            "smul" => (Binary::Mul, Op::BvSmulOverflow),
            "uadd" => (Binary::Add, Op::BvUaddOverflow),
            "usub" => (Binary::Sub, Op::BvUsubOverflow),
            "umul" => (Binary::Mul, Op::BvUmulOverflow),
            _ => return None,
        };
        let value = self.lowering.operation(operator, a, b)?;
        let overflows = self.lowering.builder.terms.make(overflow, &Sort::Bool, &[a, b]);
        Some(vec![value, overflows])
    }

    fn integer_intrinsic(&mut self, name: &str, scalars: &[Term]) -> Option<Term> {
        let &first = scalars.first()?;
        let Sort::BitVec(width) = *self.lowering.builder.terms.sort(first) else { return None };
        match (name, scalars) {
            ("abs", &[a, minimum_is_bad]) => {
                let smallest = self.lowering.bits(width, 1 << (width - 1));
                let is_smallest = self.lowering.equal(a, smallest);
                if self.lowering.builder.terms.is_true(minimum_is_bad) {
                    let message =
                        format!("the absolute value does not fit into {width} bits with a sign");
                    self.check(is_smallest, FailureKind::SignedOverflow, &message);
                }
                let zero = self.lowering.bits(width, 0);
                let negative = self.lowering.builder.terms.bv_slt(a, zero);
                let opposite = self.lowering.builder.terms.neg(a);
                Some(self.lowering.choice(negative, opposite, a))
            }
            ("smax" | "smin" | "umax" | "umin", &[a, b]) => {
                let comparison = match name {
                    "smax" => Comparison::SignedGreater,
                    "smin" => Comparison::SignedLess,
                    "umax" => Comparison::UnsignedGreater,
                    _ => Comparison::UnsignedLess,
                };
                let condition = self.lowering.compare(comparison, a, b);
                Some(self.lowering.choice(condition, a, b))
            }
            ("sadd.sat" | "ssub.sat" | "uadd.sat" | "usub.sat", &[a, b]) => {
                self.saturated(name, a, b, width)
            }
            ("bswap", &[a]) => Some(self.lowering.reversed(a, 8)),
            ("bitreverse", &[a]) => Some(self.lowering.reversed(a, 1)),
            ("ctpop", &[a]) => Some(self.lowering.count_ones(a)),
            ("ctlz", &[a, _]) => Some(self.lowering.leading_zeros(a)),
            ("cttz", &[a, _]) => Some(self.lowering.trailing_zeros(a)),
            ("fshl", &[a, b, by]) => self.lowering.funnel(a, b, by, super::bits::Funnel::Left),
            ("fshr", &[a, b, by]) => self.lowering.funnel(a, b, by, super::bits::Funnel::Right),
            ("ptrmask", &[a, mask]) => {
                let mask = self.lowering.resize(mask, width);
                self.lowering.operation(Binary::And, a, mask)
            }
            _ => None,
        }
    }

    fn saturated(&mut self, name: &str, a: Term, b: Term, width: u32) -> Option<Term> {
        let (operator, overflow) = match name {
            "sadd.sat" => (Binary::Add, Op::BvSaddOverflow),
            "ssub.sat" => (Binary::Sub, Op::BvSsubOverflow),
            "uadd.sat" => (Binary::Add, Op::BvUaddOverflow),
            _ => (Binary::Sub, Op::BvUsubOverflow),
        };
        let value = self.lowering.operation(operator, a, b)?;
        let overflows = self.lowering.builder.terms.make(overflow, &Sort::Bool, &[a, b]);
        let limit = match name {
            "uadd.sat" => self.lowering.bits(width, u128::MAX),
            "usub.sat" => self.lowering.bits(width, 0),
            _ => {
                let zero = self.lowering.bits(width, 0);
                let negative = self.lowering.builder.terms.bv_slt(a, zero);
                let smallest = self.lowering.bits(width, 1 << (width - 1));
                let largest = self.lowering.bits(width, (1 << (width - 1)) - 1);
                self.lowering.choice(negative, smallest, largest)
            }
        };
        Some(self.lowering.choice(overflows, limit, value))
    }

    fn float_intrinsic(&mut self, id: InstructionId, name: &str, scalars: &[Term]) -> Option<Term> {
        let &first = scalars.first()?;
        let format = self.lowering.format_of(first)?;
        let terms = &mut self.lowering.builder.terms;
        let round = |mode| Some(mode);
        let mode = match name {
            "floor" => round(Rounding::Down),
            "ceil" => round(Rounding::Up),
            "trunc" => round(Rounding::TowardZero),
            "round" => round(Rounding::NearestAway),
            "rint" | "nearbyint" | "roundeven" => round(Rounding::NearestEven),
            _ => None,
        };
        if let Some(mode) = mode {
            return Some(terms.fp_round(mode, first));
        }
        match (name, scalars) {
            ("fabs", &[a]) => Some(terms.fp_abs(a)),
            ("sqrt", &[a]) => Some(terms.fp_sqrt(a)),
            ("fma", &[a, b, c]) => Some(terms.fp_fma(a, b, c)),
            ("fmuladd", &[a, b, c]) => {
                // Without a fused instruction, as on plain x86-64.
                let product = terms.fp_mul(a, b);
                Some(terms.fp_add(product, c))
            }
            ("copysign", &[a, b]) => {
                let (magnitude, sign) = (terms.fp_to_bits(a), terms.fp_to_bits(b));
                let width = format.width();
                let magnitude = self.lowering.builder.terms.extract(magnitude, 0, width - 1);
                let sign = self.lowering.builder.terms.extract(sign, width - 1, 1);
                let bits = self.lowering.builder.terms.concat(sign, magnitude);
                Some(self.lowering.builder.terms.fp_from_bits(bits, format))
            }
            ("minnum" | "maxnum" | "minimumnum" | "maximumnum", &[a, b]) => {
                let less = match name {
                    "minnum" | "minimumnum" => terms.fp_lt(a, b),
                    _ => terms.fp_lt(b, a),
                };
                let no_number = terms.fp_is_nan(b);
                let first = terms.or(&[less, no_number]);
                Some(terms.ite(first, a, b))
            }
            ("is.fpclass", &[a, classes]) => {
                let classes = self.lowering.builder.terms.value(classes)?;
                let term::Value::BitVec(classes) = classes else { return None };
                let classes = classes.unsigned();
                Some(self.lowering.float_class(a, format, classes))
            }
            _ => self.library_function(id, name, scalars),
        }
    }

    /// Functions of the C library that are intrinsics of LLVM.
    fn library_function(
        &mut self,
        id: InstructionId,
        name: &str,
        scalars: &[Term],
    ) -> Option<Term> {
        if !matches!(
            name,
            "pow"
                | "exp"
                | "exp2"
                | "exp10"
                | "log"
                | "log2"
                | "log10"
                | "sin"
                | "cos"
                | "tan"
                | "asin"
                | "acos"
                | "atan"
                | "atan2"
                | "sinh"
                | "cosh"
                | "tanh"
                | "ldexp"
        ) {
            return None;
        }
        let sort = self.lowering.builder.terms.sort(*scalars.first()?).clone();
        let site = self.site_of(id, What::Call);
        let name = c_name(name, &sort);
        self.call_named(&name, scalars.to_vec(), &[sort], site).first().copied()
    }

    /// The remainder of floating-point numbers is a function of the C library.
    pub fn float_remainder(
        &mut self,
        instruction: &crate::module::Instruction,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        let sort = self.lowering.builder.terms.sort(a).clone();
        let site = self.site_at(instruction.location, What::Operand);
        let name = c_name("fmod", &sort);
        self.call_named(&name, vec![a, b], &[sort], site).first().copied()
    }
}

/// The name of a function in the C library, which is longer for `float`.
fn c_name(name: &str, sort: &Sort) -> String {
    match sort {
        Sort::Float(term::Format::Single) => format!("{name}f"),
        _ => name.to_owned(),
    }
}
