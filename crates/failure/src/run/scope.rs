//! Calls and returns, and the variables of activations.

use program::process::Scalar;
use program::{
    Edge, EdgeId, Memory, ProcedureId, Program, Scope, Statement, Variable, VariableRole,
};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, Value};

use super::unfold::{Activation, Unfold, Values};
use crate::cells::value_of_bits;
use crate::trace::Part;

/// Variables and terms of the program as seen in activations.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// For each copy of a variable, where it comes from.
    pub origins: FxHashMap<Term, (u32, Term)>,
    variables: FxHashMap<(u32, Term), Term>,
    terms: FxHashMap<(Epoch, Term), Term>,
    plain: FxHashMap<Term, bool>,
    /// The variables that stand for addresses; once somebody wants to know.
    addresses: Option<FxHashSet<Term>>,
    /// That areas lie in objects, by the address and the size of both.
    pub(super) inside: FxHashMap<(Term, u64, u64, u64), Term>,
}

/// When a copy of a term is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Epoch {
    /// In the whole activation with this number.
    All(u32),
    One(u32),
}

impl Copies {
    /// Whether no variable of a term stands for an address.
    fn is_plain(&mut self, program: &Program, term: Term) -> bool {
        let addresses = self.addresses.get_or_insert_with(|| {
            let of = |edge: &Edge| match edge.statement {
                Statement::Memory(Memory::Alloc { target, .. } | Memory::Mark { target }) => {
                    Some(target)
                }
                _ => None,
            };
            program.edges.iter().filter_map(of).collect()
        });
        *self.plain.entry(term).or_insert_with(|| {
            let variables = program.terms.variables_of(&[term]);
            !variables.iter().any(|variable| addresses.contains(variable))
        })
    }
}

impl Unfold<'_> {
    pub(super) fn enter(
        &mut self,
        call: EdgeId,
        callee: ProcedureId,
        arguments: &[Term],
        values: &mut Values<'_>,
    ) {
        let program = self.program;
        let site = program.edge(call).site;
        let parameters = &program.procedure(callee).parameters;
        let mut bindings = Vec::new();
        for (index, &parameter) in parameters.iter().enumerate() {
            let Some(assigned) = self.next(values) else { break };
            let argument = match arguments.get(index) {
                Some(&argument) => self.copy(argument),
                None => self.constant_of(parameter, assigned.0),
            };
            bindings.push((index, parameter, argument, assigned));
        }
        let frame = self.frame();
        self.begin_activation(call, callee);
        for (index, parameter, argument, assigned) in bindings {
            let target = self.copy(parameter);
            let wanted = self.terms.sort(target).clone();
            let argument = self.converted(argument, &wanted);
            let part = Part::Argument(index as u32);
            let own = program.argument_sites.get(&site).and_then(|sites| sites.get(index));
            self.assign(own.copied().unwrap_or(site), part, target, argument, Some(assigned));
            if let Some(last) = self.steps.last_mut() {
                last.frame = frame;
            }
        }
    }

    pub(super) fn begin_activation(&mut self, call: EdgeId, procedure: ProcedureId) {
        let number = self.activations;
        self.activations += 1;
        let epoch = self.new_epoch();
        self.stack.push(Activation { number, epoch, procedure, call: Some(call) });
    }

    pub(super) fn leave(&mut self, values: &mut Values<'_>) {
        let program = self.program;
        let Some(activation) = self.stack.last().copied() else { return };
        let Some(call) = activation.call else { return };
        let returned: Vec<Term> = program.procedure(activation.procedure).results.clone();
        let mut bindings = Vec::new();
        let targets = program.edge(call).statement.targets();
        for (index, &target) in targets.iter().enumerate() {
            let Some(assigned) = self.next(values) else { break };
            let value = match returned.get(index) {
                Some(&result) => self.copy(result),
                None => self.constant_of(target, assigned.0),
            };
            bindings.push((index, target, value, assigned));
        }
        self.stack.pop();
        for (index, target, value, assigned) in bindings {
            let part = match self.part(target) {
                Part::Temporary => Part::Temporary,
                _ => Part::Result(index as u32),
            };
            let target = self.copy(target);
            let wanted = self.terms.sort(target).clone();
            let value = self.converted(value, &wanted);
            self.assign(program.edge(call).site, part, target, value, Some(assigned));
        }
    }

    pub(super) fn constant_of(&mut self, variable: Term, scalar: Scalar) -> Term {
        let sort = self.terms.sort(variable).clone();
        let value = value_of_bits(&sort, scalar.bits).unwrap_or_else(|| Value::zero(&sort));
        self.terms.constant(&value)
    }

    /// From now on the variable stands for an address: it is no variable of the trace.
    pub(super) fn bind_address(&mut self, target: Term, address: u64) {
        let Some(activation) = self.stack.last().copied() else { return };
        let old = self.addresses.insert((activation.number, target), address);
        if old.is_some_and(|old| old != address) {
            let epoch = self.new_epoch();
            if let Some(activation) = self.stack.last_mut() {
                activation.epoch = epoch;
            }
        }
    }

    pub(super) fn new_epoch(&mut self) -> u32 {
        self.epochs += 1;
        self.epochs - 1
    }

    /// The term as seen in the innermost activation.
    pub(super) fn copy(&mut self, term: Term) -> Term {
        let Some(activation) = self.stack.last().copied() else { return term };
        let plain = self.copies.is_plain(self.program, term);
        // What has no address in it is the same in all epochs.
        let key = match plain {
            true => (Epoch::All(activation.number), term),
            false => (Epoch::One(activation.epoch), term),
        };
        if let Some(&copy) = self.copies.terms.get(&key).or_else(|| self.copied.get(&key)) {
            return copy;
        }
        let mut variables = FxHashMap::default();
        for variable in self.program.terms.variables_of(&[term]) {
            variables.insert(variable, self.variable(activation.number, variable));
        }
        let copy = self.terms.substitute(term, &mut |v| variables.get(&v).copied());
        match plain {
            true => self.copies.terms.insert(key, copy),
            false => self.copied.insert(key, copy),
        };
        copy
    }

    pub(super) fn variable(&mut self, activation: u32, variable: Term) -> Term {
        if let Some(&address) = self.addresses.get(&(activation, variable)) {
            return self.terms.constant(&Value::bitvec(64, u128::from(address)));
        }
        if let Some(&copy) = self.copies.variables.get(&(activation, variable)) {
            return copy;
        }
        let declared: Option<&Variable> = self.program.variables.get(&variable);
        let Some(declared) = declared.filter(|v| v.scope != Scope::Global) else { return variable };
        if activation == 0 {
            return variable;
        }
        // The same in all epochs.
        let name = format!("{}@{activation}", declared.name);
        let sort = self.terms.sort(variable).clone();
        let mut copy = self.terms.var(&name, &sort);
        if self.copies.origins.contains_key(&copy) {
            copy = self.terms.var(&format!("{name}#{}", variable_id(variable)), &sort);
        }
        self.copies.origins.insert(copy, (activation, variable));
        self.copies.variables.insert((activation, variable), copy);
        copy
    }

    pub(super) fn part(&self, variable: Term) -> Part {
        let declared = self.program.variables.get(&variable);
        let returned = self.stack.last().is_some_and(|activation| {
            self.program.procedure(activation.procedure).results.contains(&variable)
        });
        match declared.map(|v| v.role) {
            Some(VariableRole::Temporary) if !returned => Part::Temporary,
            _ => Part::Whole,
        }
    }
}

fn variable_id(variable: Term) -> String {
    format!("{variable:?}").chars().filter(char::is_ascii_digit).collect()
}
