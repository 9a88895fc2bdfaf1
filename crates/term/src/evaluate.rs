//! Evaluation: terms compiled to a list of operations over registers.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

/// Terms compiled for repeated evaluation. Each distinct node is one instruction, its result is in
/// the register of the same number; arguments come before what uses them.
#[derive(Clone, Debug)]
pub struct Code {
    instructions: Vec<Instruction>,
    arguments: Vec<u32>,
    results: Vec<u32>,
}

#[derive(Clone, Debug)]
enum Instruction {
    Constant(Value),
    Variable(Term),
    Apply { op: Op, sort: Sort, first: u32, count: u32 },
}

impl Code {
    /// Compiles the terms; [`Code::run`] gives their values in this order.
    pub fn compile(terms: &Terms, roots: &[Term]) -> Code {
        let mut code = Code { instructions: vec![], arguments: vec![], results: vec![] };
        let mut registers: FxHashMap<Term, u32> = FxHashMap::default();
        for node in terms.reachable(roots) {
            let instruction = if let Some(value) = terms.value(node) {
                Instruction::Constant(value.clone())
            } else if terms.is_var(node) {
                Instruction::Variable(node)
            } else {
                let first = code.arguments.len() as u32;
                code.arguments.extend(terms.args(node).iter().map(|a| registers[a]));
                let count = code.arguments.len() as u32 - first;
                Instruction::Apply {
                    op: terms.op(node),
                    sort: terms.sort(node).clone(),
                    first,
                    count,
                }
            };
            registers.insert(node, code.instructions.len() as u32);
            code.instructions.push(instruction);
        }
        code.results = roots.iter().map(|root| registers[root]).collect();
        code
    }

    /// The values of the compiled terms, or the first variable that has none.
    pub fn run(&self, of: &mut dyn FnMut(Term) -> Option<Value>) -> Result<Vec<Value>, Term> {
        let mut registers: Vec<Value> = Vec::with_capacity(self.instructions.len());
        for instruction in &self.instructions {
            let value = match instruction {
                Instruction::Constant(value) => value.clone(),
                Instruction::Variable(variable) => of(*variable).ok_or(*variable)?,
                Instruction::Apply { op, sort, first, count } => {
                    let arguments = &self.arguments[*first as usize..(first + count) as usize];
                    match arguments {
                        [a] => op.apply(sort, &[&registers[*a as usize]]),
                        [a, b] => {
                            op.apply(sort, &[&registers[*a as usize], &registers[*b as usize]])
                        }
                        _ => {
                            let values: Vec<&Value> =
                                arguments.iter().map(|a| &registers[*a as usize]).collect();
                            op.apply(sort, &values)
                        }
                    }
                }
            };
            registers.push(value);
        }
        Ok(self.results.iter().map(|r| registers[*r as usize].clone()).collect())
    }

    /// The variables that [`Code::run`] will ask for.
    pub fn variables(&self) -> impl Iterator<Item = Term> {
        self.instructions.iter().filter_map(|i| match i {
            Instruction::Variable(variable) => Some(*variable),
            _ => None,
        })
    }
}

/// The value of a term, if all its variables have one.
pub fn evaluate(
    terms: &Terms,
    term: Term,
    of: &mut dyn FnMut(Term) -> Option<Value>,
) -> Option<Value> {
    if let Some(value) = terms.value(term) {
        return Some(value.clone());
    }
    Code::compile(terms, &[term]).run(of).ok()?.pop()
}
