//! What can be changed in a run: the definition, once more.

use failure::run::Unfolded;
use failure::{Action, Ended, Force, Forced, Part, Step};
use program::{EdgeId, FailureKind, Program, SiteId, Statement, Trust};
use term::{Sort, Term, Terms, Value};

/// A pointer is changed to one of so many at most.
const MOST_POINTERS: usize = 9;

/// A run.
pub(super) struct View<'a> {
    pub program: &'a Program,
    pub unfolded: &'a Unfolded,
    /// What the steps assigned.
    pub values: &'a [Option<Value>],
    /// Those of them that are not as in the first run of this course.
    pub changed: &'a [(u32, Value)],
    pub end: Ended,
}

impl View<'_> {
    pub fn step(&self, step: usize) -> &Step {
        &self.unfolded.trace.steps[step]
    }

    pub fn statement(&self, at: usize) -> Option<&Statement> {
        let &edge = self.unfolded.trace.path.get(at)?;
        Some(&self.program.edge(edge).statement)
    }

    /// The statement of a step: where one goes otherwise, the one that decides.
    pub fn site(&self, step: usize) -> SiteId {
        let own = self.step(step);
        let edge = || self.unfolded.trace.path.get(own.at as usize).copied();
        let is_decision = matches!(own.action, Action::Assume { .. }) && self.edges(step).is_some();
        edge().filter(|_| is_decision).map_or(own.site, |edge| self.program.decider(edge))
    }

    /// Whether a change of its statement can change what a step does.
    pub fn can_change(&self, step: usize) -> bool {
        let own = self.step(step);
        if self.program.site(own.site).trust != Trust::User {
            return false;
        }
        match own.action {
            Action::Assume { .. } => self.edges(step).is_some(),
            _ => {
                own.is_assignment()
                    && self.unfolded.numbers[step].is_some()
                    && !(self.is_pointer(step) && self.is_for_library(own))
            }
        }
    }

    /// Where a free decision went, and where it could have gone. Checks are not free.
    pub fn edges(&self, step: usize) -> Option<(EdgeId, Vec<EdgeId>)> {
        let &taken = self.unfolded.trace.path.get(self.step(step).at as usize)?;
        let edge = self.program.edge(taken);
        let all: Vec<EdgeId> = self.program.out_edges(edge.from).map(|(id, _)| id).collect();
        let fails = all.iter().any(|&id| self.program.edge(id).to == Program::ERROR);
        let decides = matches!(edge.statement, Statement::Assume { .. });
        let others: Vec<EdgeId> = all.into_iter().filter(|&id| id != taken).collect();
        (decides && !fails && !others.is_empty()).then_some((taken, others))
    }

    /// The values of these statements that are not defined, as if they were. None if there are none.
    pub fn unset(&self, sites: &[SiteId]) -> Option<Vec<Forced>> {
        let is_unset = |number: &u32| self.unfolded.undefined.contains_key(number);
        let own = (0..self.values.len())
            .filter(|&step| sites.contains(&self.step(step).site) && self.can_change(step));
        let unset = own.filter_map(|step| {
            let number = self.unfolded.numbers[step].filter(is_unset)?;
            let what = Force::Value { number, value: self.values[step].clone()? };
            Some(Forced { at: self.step(step).at as usize, what })
        });
        let unset: Vec<Forced> = unset.collect();
        (!unset.is_empty()).then_some(unset)
    }

    /// Terms that some steps read, and on which it depends what is defined then.
    pub fn depends(&self, terms: &Terms) -> Vec<(usize, Term)> {
        let steps = &self.unfolded.trace.steps;
        let mut depends: Vec<(usize, Term)> = Vec::new();
        for step in self.unfolded.lenient(terms) {
            let step = step as usize;
            let operands: Vec<Term> = steps[step].action.operands().collect();
            depends.extend(terms.variables_of(&operands).into_iter().map(|read| (step, read)));
        }
        if let Some(last) = steps.len().checked_sub(1) {
            depends.extend(self.unfolded.asked(terms).into_iter().map(|read| (last, read)));
        }
        if self.unfolded.blurred {
            let address = |step: usize| Some((step, steps[step].access.as_ref()?.address));
            depends.extend((0..steps.len()).filter_map(address));
        }
        depends
    }

    /// Whether a step passes an argument to a function of the library.
    pub fn is_for_library(&self, step: &Step) -> bool {
        let Some(Statement::Call { callee, .. }) = self.statement(step.at as usize) else {
            return false;
        };
        let entry = self.program.procedure(*callee).entry;
        let mut edges = self.program.out_edges(entry);
        matches!(step.part, Part::Argument(_))
            && edges.any(|(_, edge)| self.program.site(edge.site).trust == Trust::Trusted)
    }

    /// Whether a step assigns a pointer: in the first run of this course, so that a change does not make a number of it.
    pub fn is_pointer(&self, step: usize) -> bool {
        self.unfolded.is_pointer(self.program, step)
    }

    /// Null, and the pointers that the run has had.
    pub fn pointers(&self) -> Vec<Value> {
        let steps = 0..self.unfolded.trace.steps.len();
        let pointers = steps.filter(|&step| self.can_change(step) && self.is_pointer(step));
        let values = pointers.filter_map(|step| self.values[step].clone());
        let mut values: Vec<Value> = values.chain([Value::zero(&Sort::BitVec(64))]).collect();
        values.sort_unstable();
        values.dedup();
        values.truncate(MOST_POINTERS);
        values
    }

    /// The steps whose calls printed something.
    pub fn printing(&self) -> impl Iterator<Item = usize> {
        let trace = &self.unfolded.trace;
        let wrong = matches!(self.end, Ended::Failed { kind: FailureKind::WrongOutput, .. });
        let last = trace.steps.len().checked_sub(1).filter(|&last| {
            let statement = self.statement(trace.steps[last].at as usize);
            wrong
                && matches!(
                    statement,
                    Some(Statement::External { .. } | Statement::CallPointer { .. })
                )
        });
        trace.printed.iter().copied().chain(last)
    }

    /// The statements of the user that printed something.
    pub fn printers(&self) -> impl Iterator<Item = SiteId> {
        let sites = self.printing().map(|step| self.step(step).site);
        sites.filter(|&site| self.program.site(site).trust == Trust::User)
    }

    /// Whether at an index of the path one of these statements calls the world.
    pub fn is_call_of(&self, sites: &[SiteId], at: usize) -> bool {
        let Some(&edge) = self.unfolded.trace.path.get(at) else { return false };
        let edge = self.program.edge(edge);
        let calls =
            matches!(edge.statement, Statement::External { .. } | Statement::CallPointer { .. });
        calls && sites.contains(&edge.site) && self.program.site(edge.site).trust == Trust::User
    }

    /// Where these statements print, in the path.
    pub fn prints(&self, sites: &[SiteId]) -> Vec<usize> {
        let steps = self.printing().map(|step| self.step(step));
        let user = |site| self.program.site(site).trust == Trust::User;
        let own = steps.filter(|step| sites.contains(&step.site) && user(step.site));
        let mut places: Vec<usize> = own.map(|step| step.at as usize).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}
