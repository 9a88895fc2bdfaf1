//! The control flow of a procedure: in which order its locations are laid out, and how one of several
//! edges is chosen.

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Term};

use super::super::image::{NONE, Switch};
use super::super::instruction::{Branch, BranchImmediate, Instruction};
use super::{Compiler, Destination};
use crate::program::{EdgeId, LocationId, Program, Statement};

/// From this many comparisons of one value with constants on, they become a table.
const SWITCH: usize = 4;

impl Compiler<'_> {
    /// Emits all locations that can be reached.
    pub(super) fn lay_out(&mut self, entry: LocationId) -> Result<(), String> {
        self.pending.push(entry);
        while let Some(location) = self.pending.pop() {
            if self.labels.contains_key(&Destination::Location(location)) {
                continue;
            }
            let mut next = Some(location);
            while let Some(at) = next {
                if self.labels.contains_key(&Destination::Location(at)) {
                    let jump = self.emit(Instruction::Jump { target: 0 });
                    self.jumps.push((jump, Destination::Location(at)));
                    break;
                }
                let here = self.image.code.len() as u32;
                self.labels.insert(Destination::Location(at), here);
                self.image.locations[at.index()] = here;
                next = self.location(at)?;
            }
        }
        self.ends();
        self.resolve()
    }

    /// Code for the ends that branches lead to.
    fn ends(&mut self) {
        let jumps = self.jumps.iter().map(|&(_, destination)| destination);
        let cases = self.cases.iter().map(|&(_, _, destination, _)| destination);
        let ends: Vec<Destination> = jumps.chain(cases).collect();
        for destination in ends {
            let (edge, instruction) = match destination {
                Destination::Fail(edge) => (edge, Instruction::Fail),
                Destination::Blocked(edge) => (edge, Instruction::Blocked),
                Destination::Location(_) => continue,
            };
            if !self.labels.contains_key(&destination) {
                self.labels.insert(destination, self.image.code.len() as u32);
                self.begin(edge);
                self.emit(instruction);
            }
        }
    }

    fn resolve(&mut self) -> Result<(), String> {
        for (at, destination) in std::mem::take(&mut self.jumps) {
            let label = self.labels.get(&destination).ok_or("a jump leads nowhere")?;
            if let Some(target) = self.image.code[at].target_mut() {
                *target = *label;
            }
        }
        let mut switches: FxHashMap<usize, Vec<(u64, u32, u32)>> = FxHashMap::default();
        for (switch, key, destination, edge) in std::mem::take(&mut self.cases) {
            let label = self.labels.get(&destination).ok_or("a case leads nowhere")?;
            switches.entry(switch).or_default().push((key, *label, edge.0));
        }
        for (switch, cases) in switches {
            self.image.switches[switch] = table(cases);
        }
        Ok(())
    }

    /// Emits a location; gives the one that control falls into.
    fn location(&mut self, location: LocationId) -> Result<Option<LocationId>, String> {
        let program: &Program = self.program;
        let edges = &program.location(location).edges;
        let Some(&first) = edges.first() else {
            // Nothing leads on, so that what led here is to blame.
            let before = program.edges.iter().position(|edge| edge.to == location);
            self.begin(EdgeId(before.unwrap_or(0) as u32));
            self.emit(Instruction::Blocked);
            return Ok(None);
        };
        self.begin(first);
        let (cases, otherwise) = self.decide(edges);
        self.keep_impossible(edges, &cases, otherwise);
        let tabled = self.switch(&cases, otherwise)?;
        let cases = &cases[tabled..];
        let is_condition =
            |e: EdgeId| matches!(program.edge(e).statement, Statement::Assume { .. });
        match (cases, otherwise) {
            // After a table, the way of all other values: the note of the table announces it.
            ([], Some(edge)) if tabled > 0 && is_condition(edge) => Ok(self.go_on(edge)),
            ([], Some(edge)) => {
                self.statement(edge)?;
                Ok(self.go_on(edge))
            }
            (&[(edge, condition)], None) if tabled == 0 => {
                self.branch(condition, false, Destination::Blocked(first), NONE, edge.0)?;
                Ok(self.go_on(edge))
            }
            (&[(edge, condition)], Some(other)) if tabled == 0 && is_condition(other) => {
                let (yes, no) = (self.destination(edge), self.destination(other));
                let far = |d: Destination| {
                    !matches!(d, Destination::Location(_)) || self.labels.contains_key(&d)
                };
                if far(yes) || !far(no) && self.prefers_second(edge, other) {
                    self.branch(condition, true, yes, edge.0, other.0)?;
                    Ok(self.go_on(other))
                } else {
                    self.branch(condition, false, no, other.0, edge.0)?;
                    Ok(self.go_on(edge))
                }
            }
            _ => {
                let last = cases.len().saturating_sub(1);
                for (n, &(edge, condition)) in cases.iter().enumerate() {
                    let next = match otherwise {
                        Some(other) if n == last && is_condition(other) => other.0,
                        _ => NONE,
                    };
                    let destination = self.destination(edge);
                    self.branch(condition, true, destination, edge.0, next)?;
                }
                match otherwise {
                    Some(other) if is_condition(other) && !cases.is_empty() => {
                        Ok(self.go_on(other))
                    }
                    Some(other) => {
                        self.statement(other)?;
                        Ok(self.go_on(other))
                    }
                    None => {
                        self.emit(Instruction::Blocked);
                        Ok(None)
                    }
                }
            }
        }
    }

    /// Of two ways that are both new, the one that comes back should be laid out first: a loop then has
    /// one jump a round. Locations are numbered from the entry, so the body of a loop usually follows.
    fn prefers_second(&self, first: EdgeId, second: EdgeId) -> bool {
        let to = |edge: EdgeId| self.program.edge(edge).to;
        to(second) < to(first)
    }

    /// The conditions in the order they are tried, and the edge that is taken if none holds.
    fn decide(&mut self, edges: &[EdgeId]) -> (Vec<(EdgeId, Term)>, Option<EdgeId>) {
        let program: &Program = self.program;
        let mut cases: Vec<(EdgeId, Term)> = Vec::new();
        for &edge in edges {
            match program.edge(edge).statement {
                Statement::Assume { condition } if self.terms.is_false(condition) => {}
                Statement::Assume { condition } if !self.terms.is_true(condition) => {
                    cases.push((edge, condition));
                }
                _ => return (cases, Some(edge)),
            }
        }
        match cases.pop() {
            Some((edge, condition)) if self.excludes(&cases, condition) => (cases, Some(edge)),
            last => {
                cases.extend(last);
                (cases, None)
            }
        }
    }

    /// Edges that are never taken lead somewhere, too: whoever asks what if can go there.
    fn keep_impossible(
        &mut self,
        edges: &[EdgeId],
        cases: &[(EdgeId, Term)],
        otherwise: Option<EdgeId>,
    ) {
        if cases.len() + usize::from(otherwise.is_some()) == edges.len() {
            return;
        }
        let is_possible =
            |edge: EdgeId| otherwise == Some(edge) || cases.iter().any(|&(case, _)| case == edge);
        for &edge in edges.iter().filter(|&&edge| !is_possible(edge)) {
            let statement = &self.program.edge(edge).statement;
            if self.program.edge(edge).to != Program::ERROR
                && matches!(statement, Statement::Assume { .. })
            {
                self.pending.push(self.program.edge(edge).to);
            }
        }
    }

    /// Whether the condition says no more than that no case holds.
    fn excludes(&mut self, cases: &[(EdgeId, Term)], condition: Term) -> bool {
        if cases.is_empty() {
            return false;
        }
        let others: Vec<Term> = cases.iter().map(|&(_, case)| case).collect();
        let any = self.terms.or(&others);
        if self.terms.not(any) == condition {
            return true;
        }
        let mut wanted = FxHashSet::default();
        for case in others {
            let negation = self.terms.not(case);
            wanted.extend(self.flattened(Op::And, negation));
        }
        self.flattened(Op::And, condition).into_iter().all(|part| wanted.contains(&part))
    }

    /// The parts of a nested conjunction or disjunction.
    fn flattened(&self, op: Op, term: Term) -> Vec<Term> {
        let (mut parts, mut stack) = (Vec::new(), vec![term]);
        while let Some(term) = stack.pop() {
            if self.terms.op(term) == op {
                stack.extend(self.terms.args(term).iter().rev());
            } else {
                parts.push(term);
            }
        }
        parts
    }

    /// Makes a table of the first cases if they compare one value with constants; gives how many.
    fn switch(
        &mut self,
        cases: &[(EdgeId, Term)],
        otherwise: Option<EdgeId>,
    ) -> Result<usize, String> {
        let mut subject = None;
        let mut keys = Vec::new();
        let mut tabled = 0;
        for &(edge, condition) in cases {
            let parts = self.flattened(Op::Or, condition);
            let found: Option<Vec<(Term, u64)>> =
                parts.into_iter().map(|part| self.comparison(part)).collect();
            let Some(found) = found else { break };
            if found.iter().any(|&(term, _)| *subject.get_or_insert(term) != term) {
                break;
            }
            keys.extend(found.into_iter().map(|(_, key)| (key, edge)));
            tabled += 1;
        }
        let Some(subject) = subject.filter(|_| keys.len() >= SWITCH) else { return Ok(0) };
        let a = self.operand(subject)?;
        let table = self.image.switches.len();
        self.image.switches.push(Switch::default());
        let at = self.emit(Instruction::Switch { a, table: table as u32 });
        if tabled == cases.len() {
            let is_condition =
                |e: EdgeId| matches!(self.program.edge(e).statement, Statement::Assume { .. });
            let next = otherwise.filter(|&edge| is_condition(edge));
            self.image.notes[at].next = next.map_or(NONE, |edge| edge.0);
        }
        let mut seen = FxHashSet::default();
        for (key, edge) in keys {
            if seen.insert(key) {
                let destination = self.destination(edge);
                self.lead_to(destination);
                self.cases.push((table, key, destination, edge));
            }
        }
        Ok(tabled)
    }

    /// A comparison of a word with a constant.
    fn comparison(&self, condition: Term) -> Option<(Term, u64)> {
        match (self.terms.op(condition), self.terms.args(condition)) {
            (Op::Eq, &[a, b]) if self.width(a) <= 64 => {
                match (self.constant(a), self.constant(b)) {
                    (None, Some(key)) => Some((a, key as u64)),
                    (Some(key), None) => Some((b, key as u64)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn destination(&mut self, edge: EdgeId) -> Destination {
        match self.program.edge(edge).to {
            Program::ERROR => {
                self.note_failure(edge);
                Destination::Fail(edge)
            }
            location => Destination::Location(location),
        }
    }

    fn note_failure(&mut self, edge: EdgeId) {
        let site = self.program.site(self.program.edge(edge).site);
        if let Some(property) = &site.property {
            self.image.failures.insert(edge.0, property.kind);
        }
    }

    /// Where control goes after an edge that was announced.
    fn go_on(&mut self, edge: EdgeId) -> Option<LocationId> {
        match (self.program.edge(edge).to, &self.program.edge(edge).statement) {
            (_, Statement::Return) => None,
            (Program::ERROR, _) => {
                self.note_failure(edge);
                self.begin(edge);
                self.emit(Instruction::Fail);
                None
            }
            (location, _) => Some(location),
        }
    }

    fn lead_to(&mut self, destination: Destination) {
        if let Destination::Location(location) = destination {
            self.pending.push(location);
        }
    }

    /// Goes to the destination if the condition has this truth, over the edge `taken`; else control
    /// falls through, over `next`.
    fn branch(
        &mut self,
        condition: Term,
        truth: bool,
        destination: Destination,
        taken: u32,
        next: u32,
    ) -> Result<(), String> {
        let instruction = self.branch_on(condition, truth)?;
        let at = self.emit(instruction);
        (self.image.notes[at].taken, self.image.notes[at].next) = (taken, next);
        self.jumps.push((at, destination));
        self.lead_to(destination);
        Ok(())
    }

    fn branch_on(&mut self, condition: Term, truth: bool) -> Result<Instruction, String> {
        use BranchImmediate::*;
        let (mut term, mut truth) = (condition, truth);
        while let (Op::Not, &[inner]) = (self.terms.op(term), self.terms.args(term)) {
            (term, truth) = (inner, !truth);
        }
        let either = |yes, no| if truth { yes } else { no };
        if let &[a, b] = self.terms.args(term)
            && self.width(a) <= 64
        {
            let s = self.shift(a);
            let op = self.terms.op(term);
            let with_constant = match (op, self.immediate(a), self.immediate(b)) {
                (Op::Eq, _, Some(c)) => Some((either(IfEqI, IfNeI), a, c)),
                (Op::Eq, Some(c), _) => Some((either(IfEqI, IfNeI), b, c)),
                (Op::BvUlt, _, Some(c)) => Some((either(IfUltI, IfUgeI), a, c)),
                (Op::BvUlt, Some(c), _) => Some((either(IfUgtI, IfUleI), b, c)),
                (Op::BvSlt, _, Some(c)) => Some((either(IfSltI, IfSgeI), a, c)),
                (Op::BvSlt, Some(c), _) => Some((either(IfSgtI, IfSleI), b, c)),
                _ => None,
            };
            if let Some((branch, a, c)) = with_constant {
                return Ok(branch.at(s, self.operand(a)?, c));
            }
            let branch = match op {
                Op::Eq => Some(if truth { Branch::IfEq } else { Branch::IfNe }),
                Op::BvUlt => Some(if truth { Branch::IfUlt } else { Branch::IfUge }),
                Op::BvSlt => Some(if truth { Branch::IfSlt } else { Branch::IfSge }),
                Op::BvSaddOverflow if truth => Some(Branch::IfSaddOverflow),
                Op::BvSsubOverflow if truth => Some(Branch::IfSsubOverflow),
                Op::BvSmulOverflow if truth => Some(Branch::IfSmulOverflow),
                _ => None,
            };
            if let Some(branch) = branch {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                return Ok(branch.at(s, a, b));
            }
        }
        let a = self.operand(term)?;
        Ok(either(IfNeI, IfEqI).at(63, a, 0))
    }
}

/// A table from values to targets and edges.
fn table(mut cases: Vec<(u64, u32, u32)>) -> Switch {
    cases.sort_unstable();
    let (Some(&(low, ..)), Some(&(high, ..))) = (cases.first(), cases.last()) else {
        return Switch::default();
    };
    if high - low > 8 * cases.len() as u64 + 64 {
        return Switch { low, dense: Vec::new(), sparse: cases };
    }
    let mut dense = vec![(NONE, NONE); (high - low) as usize + 1];
    for (key, target, edge) in cases {
        if let Some(place) = dense.get_mut((key - low) as usize) {
            *place = (target, edge);
        }
    }
    Switch { low, dense, sparse: Vec::new() }
}
