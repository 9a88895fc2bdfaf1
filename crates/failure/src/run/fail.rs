//! The last step of a run that fails: the condition under which it fails.
//!
//! A check that the front end made is a branch and has its condition. What the machine or the world
//! finds wrong has none: it is made here. A pointer to no object, past the end of one, or to one
//! that is gone, is the same failure; it does not happen with the address of an object that is there.

use program::process::{Access, Detail, Event, Fault};
use program::{EdgeId, FailureKind, Memory, SiteId, Statement, Trust};
use term::{Sort, Term, Value};

use super::unfold::Unfold;

/// So many objects are considered as those that a pointer might have pointed to.
pub(super) const MOST_OBJECTS: usize = 8;

/// Whether the access itself is wrong.
fn is_access(kind: FailureKind) -> bool {
    matches!(
        kind,
        FailureKind::OutOfBounds
            | FailureKind::NullDereference
            | FailureKind::WildPointer
            | FailureKind::UseAfterFree
    )
}

/// Whether a failure is no better than another one at the same place. An output that is right for
/// longer is better.
pub(super) fn is_same_failure(new: &Fault, old: &Fault) -> bool {
    match (&new.detail, &old.detail) {
        (Detail::Output(new), Detail::Output(old)) => new.position <= old.position,
        _ => new.kind == old.kind || is_access(new.kind) && is_access(old.kind),
    }
}

impl Unfold<'_> {
    pub(super) fn fail(&mut self, last: EdgeId, events: &[Event], fault: &Fault) {
        self.path.push(last);
        let program = self.program;
        let condition = match &program.edge(last).statement {
            Statement::Assume { condition } => self.copy(*condition),
            Statement::External { arguments, .. } => {
                return self.fail_outside(last, arguments, events, fault);
            }
            Statement::Memory(memory) => match memory {
                Memory::Load { target, address } => {
                    let size = self.size_of(*target);
                    self.bad_address(*address, size, fault)
                }
                Memory::Store { address, value } => {
                    let size = self.size_of(*value);
                    self.bad_address(*address, size, fault)
                }
                Memory::Copy { to, from, size } => {
                    let size = self.copy(*size);
                    let reads =
                        matches!(&fault.detail, Detail::Access { access: Access::Read, .. });
                    self.bad_address(if reads { *from } else { *to }, size, fault)
                }
                Memory::Fill { to, size, .. } => {
                    let size = self.copy(*size);
                    self.bad_address(*to, size, fault)
                }
                _ => self.terms.bool(true),
            },
            Statement::CallPointer { pointer, .. } => {
                let size = self.word(1);
                self.bad_address(*pointer, size, fault)
            }
            Statement::Return if fault.kind == FailureKind::ExitStatus => {
                let procedure = self.stack.last().map(|activation| activation.procedure);
                let results = procedure.map(|id| program.procedure(id).results.as_slice());
                self.wrong_status(results.unwrap_or(&[]))
            }
            _ => self.terms.bool(true),
        };
        let site = self.last_site(last);
        self.condition_at(site, condition);
    }

    /// Where the end of the program is: its last statement, if the edge is none.
    fn last_site(&self, last: EdgeId) -> SiteId {
        let own = self.program.edge(last).site;
        let is_user = |site: SiteId| {
            let site = self.program.site(site);
            site.trust == Trust::User && site.span.is_some()
        };
        // In a library, the call is what matters.
        if is_user(own) || self.frame().depth > 0 {
            return own;
        }
        let mut sites = self.steps.iter().rev().map(|step| step.site);
        sites.find(|&site| is_user(site)).unwrap_or(own)
    }

    /// A call of the world fails: where it is not known for which arguments, they are as in the run.
    fn fail_outside(&mut self, edge: EdgeId, arguments: &[Term], events: &[Event], fault: &Fault) {
        let condition = match &fault.detail {
            Detail::Output(wrong) => self.wrong_output(edge, arguments, wrong),
            Detail::Access { access: Access::Free, .. } => arguments.first().map(|&pointer| {
                let size = self.word(1);
                self.bad_address(pointer, size, fault)
            }),
            Detail::Access { address, size, .. } if is_access(fault.kind) => {
                self.bad_argument(arguments, events, (*address, *size), fault)
            }
            _ if fault.kind == FailureKind::ExitStatus => Some(self.wrong_status(arguments)),
            _ => None,
        };
        match condition {
            Some(condition) => self.condition(edge, condition),
            None => {
                let indifferent: &[u32] = match &fault.detail {
                    Detail::Output(wrong) => &wrong.indifferent,
                    _ => &[],
                };
                let matters = |number: &usize| !indifferent.contains(&(*number as u32));
                let numbers = (0..arguments.len()).filter(matters);
                let arguments: Vec<Term> = numbers.map(|number| arguments[number]).collect();
                let same = self.same_arguments(&arguments, events);
                if !self.terms.is_true(same) {
                    self.pinned.push(self.steps.len());
                }
                self.condition(edge, same);
            }
        }
    }

    /// A call reads or writes where an argument points, and that is bad, and all else as in the run.
    fn bad_argument(
        &mut self,
        arguments: &[Term],
        events: &[Event],
        (address, size): (u64, u64),
        fault: &Fault,
    ) -> Option<Term> {
        let address = Value::bitvec(64, u128::from(address));
        let points = |own: &mut Self, argument: Term| {
            let copy = own.copy(argument);
            own.terms.value(copy).is_none() && own.value(copy).as_ref() == Some(&address)
        };
        let at = arguments.iter().position(|&argument| points(self, argument))?;
        let others: Vec<Term> = [&arguments[..at], &arguments[at + 1..]].concat();
        let same = self.same_arguments(&others, events);
        let size = self.word(size);
        let bad = self.bad_address(arguments[at], size, fault);
        Some(self.terms.and(&[bad, same]))
    }

    /// The status, which is the first of these, is not the expected one.
    fn wrong_status(&mut self, values: &[Term]) -> Term {
        let (Some(&status), Some(expected)) = (values.first(), self.expected_status) else {
            return self.terms.bool(true);
        };
        let status = self.copy(status);
        match self.terms.sort(status) {
            Sort::BitVec(width) if *width >= 8 => {
                let status = self.terms.extract(status, 0, 8);
                let expected = Value::bitvec(8, u128::from(expected as u8));
                let expected = self.terms.constant(&expected);
                let right = self.terms.eq(status, expected);
                self.terms.not(right)
            }
            _ => self.terms.bool(true),
        }
    }

    pub(super) fn word(&mut self, value: u64) -> Term {
        self.terms.constant(&Value::bitvec(64, u128::from(value)))
    }

    /// How many bytes a value has.
    fn size_of(&mut self, term: Term) -> Term {
        let bits = self.program.terms.sort(term).bits();
        self.word(u64::from(bits.div_ceil(8)))
    }

    /// The values that make an access fail as it did.
    fn bad_address(&mut self, operand: Term, size: Term, fault: &Fault) -> Term {
        if fault.kind == FailureKind::Uninitialised {
            let term = self.copy(operand);
            self.involved.push(term);
            return self.terms.bool(true);
        }
        let Detail::Access { address, object, .. } = &fault.detail else {
            return self.terms.bool(true);
        };
        if *self.program.terms.sort(operand) != Sort::BitVec(64) {
            return self.terms.bool(true);
        }
        let term = self.copy(operand);
        let own = object.as_ref().and_then(|object| self.layout.number(object.address));
        self.ended = own.and_then(|own| self.freed.get(&own).copied());
        match fault.kind {
            kind if is_access(kind) => {
                // Objects that were made last are the most likely to be meant.
                let others = self.live.iter().rev().copied().filter(|&number| Some(number) != own);
                let first = own.filter(|number| self.live.contains(number));
                let numbers: Vec<u32> =
                    first.into_iter().chain(others).take(MOST_OBJECTS).collect();
                if numbers.is_empty() {
                    let address = self.word(*address);
                    return self.terms.eq(term, address);
                }
                let outside: Vec<Term> = numbers
                    .into_iter()
                    .map(|number| {
                        let inside = self.within(term, size, number);
                        self.terms.not(inside)
                    })
                    .collect();
                self.terms.and(&outside)
            }
            _ => {
                let address = self.word(*address);
                self.terms.eq(term, address)
            }
        }
    }
}
