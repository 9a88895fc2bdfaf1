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
mod sums;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use term::{Code, Op, Sort, Term, Terms, Value};

use self::arc::Arc;
use self::backward::{Contradiction, backward};
use self::forward::{Of, forward};
use self::sums::Sum;

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
/// So many values of a variable are tried before cases are looked at, which may have none that is as simple.
const TURNS: u64 = 24;
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
    sums: Vec<Sum>,
}

/// What has become narrower.
struct News {
    /// Nodes of which not all that follows is known.
    fresh: Vec<bool>,
    /// Those which must be looked at once more, in the next round: what uses them may have been passed.
    again: Vec<bool>,
    /// The arguments of the node that is looked at.
    of: Vec<Of>,
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
            sums: Vec::new(),
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
        let mask = mask_of(terms.sort(term));
        let args: Option<Vec<u32>> = own.iter().map(|arg| known.get(arg).copied()).collect();
        let arc = match terms.value(term).and_then(number).filter(|_| mask != 0) {
            Some(number) => Arc::point(number),
            None => Arc::all(mask),
        };
        let node = self.push(op, mask, &args?, arc);
        if terms.is_var(term) {
            self.variables.push((term, node));
        }
        known.insert(term, node);
        if op == Op::Add && self.nodes[node as usize].is_plain {
            self.add_sum(terms, node, &own, known)?;
        }
        Some(node)
    }

    fn push(&mut self, op: Op, mask: u64, args: &[u32], arc: Arc) -> u32 {
        let from = self.args.len() as u32;
        self.args.extend(args);
        let is_machine = mask != 0 && args.iter().all(|&arg| self.mask(arg) != 0);
        let is_plain = is_machine && !args.is_empty();
        self.nodes.push(Node { op, mask, args: (from, self.args.len() as u32), is_plain });
        self.arcs.push(arc);
        self.nodes.len() as u32 - 1
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
        // What is known in each case, and which node was split.
        let mut cases = vec![(first, None)];
        let (mut code, mut few) = (None, None);
        let mut open = false;
        while let Some((mut arcs, split)) = cases.pop() {
            if left.cases == 0 {
                open = true;
                break;
            }
            left.cases -= 1;
            if self.narrow(&mut arcs, split, left) == Err(Contradiction) {
                continue;
            }
            few.get_or_insert_with(|| self.few(terms, &arcs));
            if left.terms == 0 {
                open = true;
                break;
            }
            let code = code.get_or_insert_with(|| Code::compile(terms, formulas));
            let turns = if split.is_none() && left.cases > 0 { TURNS } else { 1 };
            for turn in 0..turns {
                let Some(values) = self.choose(terms, &arcs, now, turn) else { break };
                let value = |variable: Term| values.iter().find(|(v, _)| *v == variable);
                let all = code.all_hold(&mut |variable| Some(value(variable)?.1.clone()));
                let (is_right, took) = all.unwrap_or_default();
                left.terms = left.terms.saturating_sub(took * AN_OPERATION);
                if is_right {
                    return Decided::Values(values);
                }
            }
            match self.split(&arcs) {
                Some((node, a, b)) => {
                    for part in [b, a] {
                        let mut case = arcs.clone();
                        case[node] = part;
                        cases.push((case, Some(node)));
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

    /// Narrows arcs until that changes nothing. All that follows is known already, but from this node.
    fn narrow(
        &self,
        arcs: &mut [Arc],
        from: Option<usize>,
        left: &mut Effort,
    ) -> Result<(), Contradiction> {
        let mut news = News {
            fresh: vec![from.is_none(); self.nodes.len()],
            again: vec![false; self.nodes.len()],
            of: Vec::new(),
        };
        if let Some(node) = from {
            news.fresh[node] = true;
        }
        for _ in 0..ROUNDS {
            let mut looked = self.nodes.len() / 4;
            let plain = || self.nodes.iter().enumerate().filter(|(_, node)| node.is_plain);
            for (at, node) in plain() {
                if !self.args_of(node).iter().any(|&arg| news.fresh[arg as usize]) {
                    continue;
                }
                looked += 1;
                self.look(node, arcs, &mut news.of);
                if let Some(result) = forward(node.op, node.mask, &news.of) {
                    let narrower = arcs[at].meet(result, node.mask).ok_or(Contradiction)?;
                    news.fresh[at] |= narrower != arcs[at];
                    arcs[at] = narrower;
                }
                // What is equal is soon needed.
                if node.op == Op::Eq && arcs[at].as_truth() == Some(true) {
                    self.narrow_args(at, arcs, &mut news)?;
                }
            }
            for (at, node) in plain().rev() {
                if news.fresh[at] || self.args_of(node).iter().any(|&arg| news.fresh[arg as usize])
                {
                    looked += 1;
                    self.narrow_args(at, arcs, &mut news)?;
                }
            }
            left.terms = left.terms.saturating_sub(looked);
            if left.terms == 0 || !news.again.contains(&true) {
                break;
            }
            std::mem::swap(&mut news.fresh, &mut news.again);
            news.again.fill(false);
        }
        Ok(())
    }

    /// Narrows the arguments of a node.
    fn narrow_args(
        &self,
        at: usize,
        arcs: &mut [Arc],
        news: &mut News,
    ) -> Result<(), Contradiction> {
        let node = &self.nodes[at];
        self.look(node, arcs, &mut news.of);
        backward(node.op, arcs[at], node.mask, &mut news.of)?;
        for (&arg, (narrower, mask)) in self.args_of(node).iter().zip(&news.of) {
            let arg = arg as usize;
            if arcs[arg] != *narrower {
                // The same argument may be there twice.
                arcs[arg] = arcs[arg].meet(*narrower, *mask).ok_or(Contradiction)?;
                (news.fresh[arg], news.again[arg]) = (true, true);
            }
        }
        Ok(())
    }

    /// The arguments of a node.
    fn look(&self, node: &Node, arcs: &[Arc], of: &mut Vec<Of>) {
        of.clear();
        of.extend(self.args_of(node).iter().map(|&arg| (arcs[arg as usize], self.mask(arg))));
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
        let few = machine.filter(|(_, arc, _)| (1..=FEW).contains(&arc.more()));
        let Some((term, arc, mask)) = few.min_by_key(|&(term, arc, _)| (arc.more(), term)) else {
            return Vec::new();
        };
        arc.numbers(mask).map(|number| vec![value(term, number)]).collect()
    }

    fn args_of(&self, node: &Node) -> &[u32] {
        &self.args[node.args.0 as usize..node.args.1 as usize]
    }

    fn mask(&self, node: u32) -> u64 {
        self.nodes[node as usize].mask
    }

    /// Values from the arcs: those that are now, or simple ones. Later, if only one variable is open, others of it.
    fn choose(
        &self,
        terms: &Terms,
        arcs: &[Arc],
        now: &FxHashMap<Term, Value>,
        turn: u64,
    ) -> Option<Vec<(Term, Value)>> {
        if turn > 0 {
            let arcs = self.variables.iter().map(|&(_, node)| arcs[node as usize]);
            let open: Vec<Arc> = arcs.filter(|arc| !arc.is_point()).collect();
            let [one] = open[..] else { return None };
            if one.more() < turn {
                return None;
            }
        }
        let choose = |&(term, node): &(Term, u32)| {
            let (arc, mask) = (arcs[node as usize], self.mask(node));
            let sort = terms.sort(term);
            let now = now.get(&term);
            if mask == 0 {
                return (term, now.cloned().unwrap_or_else(|| Value::zero(sort)));
            }
            let now = now.and_then(number).filter(|&now| turn == 0 && arc.contains(now, mask));
            let simple = [0, 1, mask].into_iter().find(|&n| turn == 0 && arc.contains(n, mask));
            let chosen = now.or(simple).unwrap_or_else(|| arc.simple(turn, mask));
            (term, value_of(sort, chosen))
        };
        Some(self.variables.iter().map(choose).collect())
    }

    /// Two cases: what is split, and its parts.
    fn split(&self, arcs: &[Arc]) -> Option<(usize, Arc, Arc)> {
        let variables = self.variables.iter().map(|&(_, node)| node as usize);
        let open = variables.filter(|&node| self.nodes[node].mask != 0 && !arcs[node].is_point());
        let smallest = open.min_by_key(|&node| (arcs[node].more(), node))?;
        let first = |is: &dyn Fn(&Node) -> bool| {
            let is = |&at: &usize| (1..=FEW).contains(&arcs[at].more()) && is(&self.nodes[at]);
            (0..self.nodes.len()).find(is)
        };
        // A remainder says how far the numbers are from each other that have it.
        let is_remainder = |node: &Node| match (node.op, self.args_of(node)) {
            (Op::BvSrem | Op::BvUrem, &[_, by]) => arcs[by as usize].is_point(),
            _ => false,
        };
        let node = match arcs[smallest].more() <= FEW {
            true => smallest,
            false => {
                first(&|node| node.mask == 1).or_else(|| first(&is_remainder)).unwrap_or(smallest)
            }
        };
        let (arc, mask) = (arcs[node], self.nodes[node].mask);
        // Where numbers go around the clock, comparisons say little.
        let sign = (mask >> 1) + 1;
        let from = |number: u64| number.wrapping_sub(arc.low) & mask;
        let within = |&offset: &u64| 0 < offset && offset <= arc.span;
        let around = [0, sign].map(from).into_iter().find(within).filter(|_| mask > 1);
        let (low, high) = arc.split(around.unwrap_or(0), mask);
        Some((node, low, high))
    }
}
