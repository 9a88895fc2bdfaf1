//! Questions about machine integers that need no solver.
//!
//! What a program decides about its numbers is mostly a comparison with a constant, a table that is looked up, a sum. So for
//! each term, the numbers are kept that it can be: an [`Arc`]. The arcs of the arguments say something about that
//! of a term, and the other way round, until nothing changes. If nothing is left of one, the formulas contradict each
//! other. If values from the arcs satisfy them, those are the answer. Otherwise the arc of a variable, or what a condition is, is split
//! in two, and both cases are looked at.
//!
//! That is complete where there are few values or few conditions. Otherwise the answer is open, after a while.

mod arc;
mod backward;
mod forward;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use term::{Code, Op, Sort, Term, Terms, Value};

use self::arc::Arc;
use self::backward::{Contradiction, backward};
use self::forward::{Of, forward};

/// Whether formulas can hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// With these values of their variables.
    Values(Vec<(Term, Value)>),
    Impossible,
    /// That is not known. But if there are values, then some as in one of these cases, which say what some of the
    /// variables are. Nothing is known if there are none.
    Open(Vec<Vec<(Term, Value)>>),
}

/// How much may be done for a question: how many cases are looked at, and how many terms in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    pub cases: usize,
    pub terms: usize,
}

impl Effort {
    /// Without looking at cases.
    pub const LEAST: Effort = Effort { cases: 1, terms: 20_000 };
    /// What a solver would need a millisecond for.
    pub const MOST: Effort = Effort { cases: 400, terms: 200_000 };
}

/// So many terms are narrowed in the time that it takes to evaluate an operation.
const AN_OPERATION: usize = 10;
/// So often the arcs are narrowed before a case is split. Where two numbers push each other up by one, that would go on for long.
const ROUNDS: usize = 12;
/// A variable with so few values is split first.
const FEW: u64 = 15;

/// Decides whether formulas can hold together. Of variables, the values `now` are tried first. Counts operations.
pub fn decide(
    terms: &mut Terms,
    formulas: &[Term],
    now: &FxHashMap<Term, Value>,
    effort: Effort,
    operations: &mut usize,
) -> Decided {
    let Some(problem) = Problem::new(terms, formulas, effort.terms) else {
        return Decided::Open(Vec::new());
    };
    let mut left = effort;
    let decided = problem.decide(terms, formulas, now, &mut left);
    *operations += (effort.terms - left.terms) / AN_OPERATION;
    decided
}

/// A term, and where its arguments are among the arguments of all.
#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    /// The mask of its width; 0 if it is not a number of machine size, nor a truth value.
    mask: u64,
    args: (u32, u32),
    /// Whether something is known from its arguments.
    is_plain: bool,
}

#[derive(Debug)]
struct Problem {
    /// Arguments before what they are arguments of.
    nodes: Vec<Node>,
    args: Vec<u32>,
    /// What is known from the start.
    arcs: Vec<Arc>,
    roots: Vec<u32>,
    variables: Vec<(Term, u32)>,
}

fn mask_of(sort: &Sort) -> u64 {
    match sort {
        Sort::Bool => 1,
        Sort::BitVec(width @ 1..=64) => u64::MAX >> (64 - width),
        _ => 0,
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Bool(truth) => Some(u64::from(*truth)),
        Value::BitVec(bits) => u64::try_from(bits.unsigned()).ok(),
        _ => None,
    }
}

fn value_of(sort: &Sort, number: u64) -> Value {
    match sort {
        Sort::BitVec(width) => Value::bitvec(*width, u128::from(number)),
        _ => Value::Bool(number != 0),
    }
}

impl Problem {
    /// None if there are too many terms.
    fn new(terms: &mut Terms, formulas: &[Term], most: usize) -> Option<Problem> {
        let all = terms.reachable(formulas);
        if all.len() > most / 4 {
            return None;
        }
        let mut problem = Problem {
            nodes: Vec::with_capacity(all.len()),
            args: Vec::new(),
            arcs: Vec::with_capacity(all.len()),
            roots: Vec::new(),
            variables: Vec::new(),
        };
        let mut known: FxHashMap<Term, u32> = FxHashMap::default();
        for term in all {
            problem.add(terms, term, &mut known)?;
        }
        problem.roots = formulas.iter().filter_map(|root| known.get(root).copied()).collect();
        Some(problem)
    }

    fn add(
        &mut self,
        terms: &mut Terms,
        term: Term,
        known: &mut FxHashMap<Term, u32>,
    ) -> Option<u32> {
        if let Some(&node) = known.get(&term) {
            return Some(node);
        }
        let op = terms.op(term);
        let mut own: Vec<Term> = terms.args(term).to_vec();
        // What a constant is added to is a sum of its own: it may occur with other constants.
        if op == Op::Add
            && own.len() > 2
            && let Some(at) = own.iter().position(|&summand| terms.value(summand).is_some())
        {
            let constant = own.remove(at);
            let rest = terms.add(&own);
            if terms.op(rest) == Op::Add {
                self.add(terms, rest, known)?;
                own = vec![constant, rest];
            } else {
                own.push(constant);
            }
        }
        let from = self.args.len() as u32;
        let mask = mask_of(terms.sort(term));
        let mut is_plain = mask != 0;
        for arg in &own {
            let &node = known.get(arg)?;
            is_plain &= self.nodes[node as usize].mask != 0;
            self.args.push(node);
        }
        let node = self.nodes.len() as u32;
        let value = terms.value(term);
        match value.map(|value| number(value).filter(|_| mask != 0)) {
            Some(Some(number)) => self.arcs.push(Arc::point(number)),
            Some(None) => self.arcs.push(Arc::all(mask)),
            None => {
                self.arcs.push(Arc::all(mask));
                if terms.is_var(term) {
                    self.variables.push((term, node));
                }
            }
        }
        is_plain &= !own.is_empty();
        let args = (from, self.args.len() as u32);
        self.nodes.push(Node { op, mask, args, is_plain });
        known.insert(term, node);
        Some(node)
    }

    fn decide(
        &self,
        terms: &Terms,
        formulas: &[Term],
        now: &FxHashMap<Term, Value>,
        left: &mut Effort,
    ) -> Decided {
        let mut first = self.arcs.clone();
        for &root in &self.roots {
            match first[root as usize].meet(Arc::point(1), 1) {
                Some(truth) => first[root as usize] = truth,
                None => return Decided::Impossible,
            }
        }
        let mut cases = vec![first];
        let (mut code, mut few) = (None, None);
        let mut open = false;
        while let Some(mut arcs) = cases.pop() {
            if left.cases == 0 {
                open = true;
                break;
            }
            left.cases -= 1;
            if self.narrow(&mut arcs, left) == Err(Contradiction) {
                continue;
            }
            let values = self.choose(terms, &arcs, now);
            few.get_or_insert_with(|| self.few(terms, &arcs));
            if left.terms == 0 {
                open = true;
                break;
            }
            let code = code.get_or_insert_with(|| Code::compile(terms, formulas));
            left.terms = left.terms.saturating_sub(self.nodes.len());
            let value = |variable: Term| values.iter().find(|(v, _)| *v == variable);
            let results = code.run(&mut |variable| Some(value(variable)?.1.clone()));
            if results.is_ok_and(|all| all.iter().all(Value::is_true)) {
                return Decided::Values(values);
            }
            match self.split(&arcs) {
                Some((node, a, b)) => {
                    for part in [b, a] {
                        let mut case = arcs.clone();
                        case[node] = part;
                        cases.push(case);
                    }
                }
                // Something else than a machine integer may have other values.
                None => open |= self.variables.iter().any(|&(_, node)| self.mask(node) == 0),
            }
        }
        match open {
            true => Decided::Open(few.unwrap_or_default()),
            false => Decided::Impossible,
        }
    }

    /// Narrows arcs until that changes nothing.
    fn narrow(&self, arcs: &mut [Arc], left: &mut Effort) -> Result<(), Contradiction> {
        let mut of: Vec<Of> = Vec::new();
        for _ in 0..ROUNDS {
            left.terms = left.terms.saturating_sub(2 * self.nodes.len());
            let mut is_narrower = false;
            for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.is_plain) {
                of.clear();
                of.extend(
                    self.args_of(node).iter().map(|&arg| (arcs[arg as usize], self.mask(arg))),
                );
                if let Some(result) = forward(node.op, node.mask, &of) {
                    let narrower = arcs[at].meet(result, node.mask).ok_or(Contradiction)?;
                    is_narrower |= narrower != arcs[at];
                    arcs[at] = narrower;
                }
            }
            for (at, node) in self.nodes.iter().enumerate().rev().filter(|(_, node)| node.is_plain)
            {
                of.clear();
                of.extend(
                    self.args_of(node).iter().map(|&arg| (arcs[arg as usize], self.mask(arg))),
                );
                backward(node.op, arcs[at], node.mask, &mut of)?;
                for (&arg, (narrower, mask)) in self.args_of(node).iter().zip(&of) {
                    let arc = &mut arcs[arg as usize];
                    if *arc != *narrower {
                        // The same argument may be there twice.
                        *arc = arc.meet(*narrower, *mask).ok_or(Contradiction)?;
                        is_narrower = true;
                    }
                }
            }
            if !is_narrower || left.terms == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Cases, by variables that have one value, or by one with few of them.
    fn few(&self, terms: &Terms, arcs: &[Arc]) -> Vec<Vec<(Term, Value)>> {
        let machine = self.variables.iter().filter(|&&(_, node)| self.mask(node) != 0);
        let machine = machine.map(|&(term, node)| (term, arcs[node as usize], self.mask(node)));
        let value = |term: Term, number: u64| (term, value_of(terms.sort(term), number));
        let settled = machine.clone().filter(|(_, arc, _)| arc.is_point());
        let settled: Vec<_> = settled.map(|(term, arc, _)| value(term, arc.low)).collect();
        if !settled.is_empty() && settled.len() < self.variables.len() {
            return vec![settled];
        }
        let few = machine.filter(|(_, arc, _)| 0 < arc.span && arc.span <= FEW);
        let Some((term, arc, mask)) = few.min_by_key(|&(term, arc, _)| (arc.span, term)) else {
            return Vec::new();
        };
        let numbers = (0..=arc.span).map(|n| arc.low.wrapping_add(n) & mask);
        numbers.map(|number| vec![value(term, number)]).collect()
    }

    fn args_of(&self, node: &Node) -> &[u32] {
        &self.args[node.args.0 as usize..node.args.1 as usize]
    }

    fn mask(&self, node: u32) -> u64 {
        self.nodes[node as usize].mask
    }

    /// Values from the arcs: those that are now, or simple ones.
    fn choose(
        &self,
        terms: &Terms,
        arcs: &[Arc],
        now: &FxHashMap<Term, Value>,
    ) -> Vec<(Term, Value)> {
        let choose = |&(term, node): &(Term, u32)| {
            let (arc, mask) = (arcs[node as usize], self.mask(node));
            let sort = terms.sort(term);
            let now = now.get(&term);
            if mask == 0 {
                return (term, now.cloned().unwrap_or_else(|| Value::zero(sort)));
            }
            let now = now.and_then(number).filter(|&now| arc.contains(now, mask));
            let simple = [0, 1, mask].into_iter().find(|&n| arc.contains(n, mask));
            let distance = |&end: &u64| end.min(end.wrapping_neg() & mask);
            let end = [arc.low, arc.high(mask)].into_iter().min_by_key(distance);
            let chosen = now.or(simple).or(end).unwrap_or(arc.low);
            (term, value_of(sort, chosen))
        };
        self.variables.iter().map(choose).collect()
    }

    /// Two cases: what is split, and its parts.
    fn split(&self, arcs: &[Arc]) -> Option<(usize, Arc, Arc)> {
        let variables = self.variables.iter().map(|&(_, node)| node as usize);
        let open = variables.filter(|&node| self.nodes[node].mask != 0 && !arcs[node].is_point());
        let smallest = open.min_by_key(|&node| (arcs[node].span, node))?;
        let condition =
            || (0..self.nodes.len()).find(|&at| self.nodes[at].mask == 1 && !arcs[at].is_point());
        let node = match arcs[smallest].span <= FEW {
            true => smallest,
            false => condition().unwrap_or(smallest),
        };
        let (arc, mask) = (arcs[node], self.nodes[node].mask);
        // Where numbers go around the clock, comparisons say little.
        let half = match () {
            () if arc.contains(0, mask) && arc.low != 0 => 0u64.wrapping_sub(arc.low) & mask,
            () if mask > 1 && arc.contains((mask >> 1) + 1, mask) && arc.low != (mask >> 1) + 1 => {
                ((mask >> 1) + 1).wrapping_sub(arc.low) & mask
            }
            () => arc.span / 2 + 1,
        };
        let low = Arc { low: arc.low, span: half - 1 };
        let high = Arc { low: arc.low.wrapping_add(half) & mask, span: arc.span - half };
        Some((node, low, high))
    }
}
