//! Evaluation: terms compiled to a list of operations over registers.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;
use crate::walk::Places;

/// Terms compiled for repeated evaluation. Each distinct application is one instruction, its result
/// is in the register of the same number; arguments come before what uses them. Constants and
/// variables are read where they are.
#[derive(Clone, Debug)]
pub struct Code {
    instructions: Vec<Instruction>,
    constants: Vec<Value>,
    variables: Vec<Term>,
    operands: Vec<Operand>,
    results: Vec<Operand>,
}

#[derive(Clone, Debug)]
struct Instruction {
    op: Op,
    sort: Sort,
    first: u32,
    count: u32,
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    Register(u32),
    Constant(u32),
    Variable(u32),
}

impl Code {
    /// How many operations it has.
    pub fn operations(&self) -> usize {
        self.instructions.len()
    }

    /// Compiles the terms; [`Code::run`] gives their values in this order.
    pub fn compile(terms: &Terms, roots: &[Term]) -> Code {
        let mut code = Code {
            instructions: vec![],
            constants: vec![],
            variables: vec![],
            operands: vec![],
            results: vec![],
        };
        let mut places: FxHashMap<Term, Operand> = FxHashMap::default();
        for node in terms.reachable(roots) {
            let place = if let Some(value) = terms.value(node) {
                code.constants.push(value.clone());
                Operand::Constant(code.constants.len() as u32 - 1)
            } else if terms.is_var(node) {
                code.variables.push(node);
                Operand::Variable(code.variables.len() as u32 - 1)
            } else {
                let first = code.operands.len() as u32;
                code.operands.extend(terms.args(node).iter().map(|a| places[a]));
                let count = code.operands.len() as u32 - first;
                let (op, sort) = (terms.op(node), terms.sort(node).clone());
                code.instructions.push(Instruction { op, sort, first, count });
                Operand::Register(code.instructions.len() as u32 - 1)
            };
            places.insert(node, place);
        }
        code.results = roots.iter().map(|root| places[root]).collect();
        code
    }

    /// The values of the compiled terms, or the first variable that has none.
    pub fn run(&self, of: &mut dyn FnMut(Term) -> Option<Value>) -> Result<Vec<Value>, Term> {
        let variables: Vec<Value> =
            self.variables.iter().map(|&v| of(v).ok_or(v)).collect::<Result<_, _>>()?;
        let mut results = Vec::with_capacity(self.results.len());
        let mut registers = Vec::with_capacity(self.instructions.len());
        self.run_over(&mut registers, |n| &variables[n], |value| results.push(value.clone()));
        Ok(results)
    }

    /// Whether the compiled terms are all true, and how many operations it took to see that. It ends at the first that is not.
    pub fn all_hold(
        &self,
        of: &mut dyn FnMut(Term) -> Option<Value>,
    ) -> Result<(bool, usize), Term> {
        let variables: Vec<Value> =
            self.variables.iter().map(|&v| of(v).ok_or(v)).collect::<Result<_, _>>()?;
        let mut registers: Vec<Value> = Vec::with_capacity(self.instructions.len());
        let mut ends: Vec<usize> = Vec::with_capacity(self.results.len());
        for &result in &self.results {
            match result {
                Operand::Register(n) => ends.push(n as usize),
                Operand::Constant(n) if !self.constants[n as usize].is_true() => {
                    return Ok((false, 0));
                }
                Operand::Variable(n) if !variables[n as usize].is_true() => return Ok((false, 0)),
                Operand::Constant(_) | Operand::Variable(_) => {}
            }
        }
        ends.sort_unstable();
        ends.dedup();
        let mut ends = ends.into_iter().peekable();
        for (number, Instruction { op, sort, first, count }) in self.instructions.iter().enumerate()
        {
            let operands = &self.operands[*first as usize..(first + count) as usize];
            let value = apply(*op, sort, operands, |&a| match a {
                Operand::Register(n) => &registers[n as usize],
                Operand::Constant(n) => &self.constants[n as usize],
                Operand::Variable(n) => &variables[n as usize],
            });
            if ends.next_if_eq(&number).is_some() && !value.is_true() {
                return Ok((false, number + 1));
            }
            registers.push(value);
        }
        Ok((true, self.instructions.len()))
    }

    /// Shows the values of the compiled terms to `result`, one after the other. `of` gives the value
    /// of a variable by its place in [`Code::variables`]. The registers may be reused for other runs:
    /// they are empty before and after, but keep their memory.
    pub fn run_over<'v>(
        &'v self,
        registers: &mut Vec<Value>,
        of: impl Fn(usize) -> &'v Value,
        mut result: impl FnMut(&Value),
    ) {
        fn get<'a, 'v: 'a>(
            code: &'v Code,
            registers: &'a [Value],
            of: &impl Fn(usize) -> &'v Value,
            operand: Operand,
        ) -> &'a Value {
            match operand {
                Operand::Register(n) => &registers[n as usize],
                Operand::Constant(n) => &code.constants[n as usize],
                Operand::Variable(n) => of(n as usize),
            }
        }
        registers.clear();
        for Instruction { op, sort, first, count } in &self.instructions {
            let operands = &self.operands[*first as usize..(first + count) as usize];
            let value = apply(*op, sort, operands, |&a| get(self, registers, &of, a));
            registers.push(value);
        }
        for &operand in &self.results {
            result(get(self, registers, &of, operand));
        }
        registers.clear();
    }

    /// The variables that [`Code::run`] will ask for.
    pub fn variables(&self) -> impl Iterator<Item = Term> {
        self.variables.iter().copied()
    }
}

/// [`Op::apply`] on arguments that are looked up, with a short way to the most frequent operators.
fn apply<'v, A>(op: Op, sort: &Sort, args: &[A], get: impl Fn(&A) -> &'v Value) -> Value {
    match args {
        [a] => op.apply(sort, &[get(a)]),
        [a, b] => match (op, get(a), get(b)) {
            (Op::Add, a, b) => a.add(b),
            (Op::Mul, a, b) => a.mul(b),
            (Op::Le, Value::Int(a), Value::Int(b)) => Value::Bool(a <= b),
            (_, a, b) => op.apply(sort, &[a, b]),
        },
        [a, b, c] => op.apply(sort, &[get(a), get(b), get(c)]),
        _ => op.apply(sort, &args.iter().map(get).collect::<Vec<&Value>>()),
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
    let nodes = terms.collect(&[term], |t| terms.value(t).is_none());
    evaluate_nodes(terms, &nodes, of)
}

/// The value of the last of the nodes. They are sorted, and complete but for constants.
pub(crate) fn evaluate_nodes(
    terms: &Terms,
    nodes: &[Term],
    of: &mut dyn FnMut(Term) -> Option<Value>,
) -> Option<Value> {
    let places = Places::new(nodes);
    let mut values: Vec<Value> = Vec::with_capacity(nodes.len());
    for &node in nodes {
        let value = if terms.is_var(node) {
            of(node)?
        } else {
            apply(terms.op(node), terms.sort(node), terms.args(node), |&arg| {
                let constant = || terms.value(arg).expect("invariant: arguments come first");
                places.of(arg).map_or_else(constant, |place| &values[place])
            })
        };
        values.push(value);
    }
    values.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_hold_if_each_does() {
        let mut terms = Terms::new();
        let sort = Sort::BitVec(4);
        let (x, truth) = (terms.var("x", &sort), terms.var("p", &Sort::Bool));
        let number = |terms: &mut Terms, n: u128| terms.constant(&Value::bitvec(4, n));
        let (three, nine) = (number(&mut terms, 3), number(&mut terms, 9));
        let double = terms.add(&[x, x]);
        let (small, even, yes) =
            (terms.bv_ult(x, nine), terms.bv_ult(three, double), terms.bool(true));
        let no = terms.bool(false);
        let lists: [&[Term]; 6] = [
            &[],
            &[even, small, small],
            &[even, truth, yes],
            &[small, no],
            &[truth],
            &[even, even, small, truth],
        ];
        for roots in lists {
            let code = Code::compile(&terms, roots);
            for n in 0..32 {
                let value = |v: Term| match v == x {
                    true => Value::bitvec(4, n / 2),
                    false => Value::Bool(n % 2 == 1),
                };
                let each = code.run(&mut |v| Some(value(v))).unwrap();
                let all = code.all_hold(&mut |v| Some(value(v))).unwrap().0;
                assert_eq!(all, each.iter().all(Value::is_true), "{roots:?} {n}");
            }
        }
    }
}
