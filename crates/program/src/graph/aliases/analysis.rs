//! The analysis while it runs: which instances there are, and who calls whom.

use std::rc::Rc;

use super::rules::{Body, Call, Callee, Frame, Rule, Rules};
use super::set::Set;
use super::solve::{Holds, Solver};
use super::world::{self, Given};
use super::{Instance, Object};
use crate::graph::Graph;
use crate::graph::components::components;
use crate::process::Origin;
use crate::program::{ProcedureId, Program, Target};

/// The analysis while it runs.
pub struct Analysis<'a, 'p> {
    frame: &'a Frame<'p>,
    objects: &'a [Object],
    bodies: &'a [Body],
    /// Which procedures are analysed anew for each call.
    small: Vec<bool>,
    /// The procedures and functions of the world whose addresses occur.
    named: Rc<Set>,
    /// The instance of a procedure for all calls that do not have their own.
    shared: Vec<Option<u32>>,
    pub instances: Vec<Instance>,
    /// Calls through pointers, with their instances and what is known to be called.
    pointers: Vec<(u32, Call<u32>, Rc<Set>)>,
    pub solver: Solver,
}

impl<'a, 'p> Analysis<'a, 'p> {
    pub fn new(frame: &'a Frame<'p>, objects: &'a [Object], bodies: &'a [Body]) -> Self {
        let program = frame.program;
        let holds = objects.iter().map(|object| match object {
            Object::Procedure(_) | Object::External(_) => Holds::Nothing,
            Object::Memory(Origin::Static(id)) if !program.statics[id.index()].writable => {
                Holds::Constants
            }
            _ => Holds::Anything,
        });
        let mut solver = Solver::new(holds.collect());
        let Given { start, errno, errno_address, .. } = frame.given;
        solver.grow(errno_address + 1);
        solver.rule(Rule::Points { node: errno_address, object: errno });
        solver.rule(Rule::Points { node: start, object: start });
        let mut named = Set::default();
        for (id, object) in (frame.statics..).zip(&program.statics) {
            for &(_, target) in &object.pointers {
                if let Some(object) = frame.object(target) {
                    solver.rule(Rule::Points { node: id, object });
                    if !matches!(target, Target::Object(..)) {
                        named.insert(object);
                    }
                }
            }
        }
        for rule in bodies.iter().flat_map(|body| &body.rules.rules) {
            if let &Rule::Points { object, .. } = rule
                && let Object::Procedure(_) | Object::External(_) = objects[object as usize]
            {
                named.insert(object);
            }
        }
        Analysis {
            frame,
            objects,
            bodies,
            small: small(program, bodies),
            named: Rc::new(named),
            shared: vec![None; program.procedures.len()],
            instances: Vec::new(),
            pointers: Vec::new(),
            solver,
        }
    }

    /// Makes the instances of what can be called.
    pub fn start(&mut self) {
        let program = self.frame.program;
        for &entry in &program.entries {
            let instance = self.shared(entry);
            let base = self.instances[instance as usize].base;
            for node in 0..program.procedure(entry).parameters.len() as u32 {
                let object = self.frame.given.start;
                self.solver.rule(Rule::Points { node: base + node, object });
            }
        }
        for object in self.named.clone().iter() {
            if let Object::Procedure(id) = self.objects[object as usize] {
                self.shared(id);
            }
        }
        let mut next = 0;
        while next < self.instances.len() {
            self.fill(next);
            next += 1;
        }
    }

    fn shared(&mut self, procedure: ProcedureId) -> u32 {
        match self.shared[procedure.index()] {
            Some(instance) => instance,
            None => {
                let instance = self.instance(procedure);
                self.shared[procedure.index()] = Some(instance);
                instance
            }
        }
    }

    /// A new instance, which is to be filled.
    fn instance(&mut self, procedure: ProcedureId) -> u32 {
        let base = self.solver.len();
        self.solver.grow(base + self.bodies[procedure.index()].rules.nodes);
        let (calls, writes) = (Vec::new(), Vec::new());
        self.instances.push(Instance { procedure, base, calls, writes });
        self.instances.len() as u32 - 1
    }

    fn fill(&mut self, instance: usize) {
        let Instance { procedure, base, .. } = self.instances[instance];
        let body = &self.bodies[procedure.index()];
        for &rule in &body.rules.rules {
            self.solver.rule(match rule {
                Rule::Points { node, object } => Rule::Points { node: node.at(base), object },
                Rule::Flow { from, to } => Rule::Flow { from: from.at(base), to: to.at(base) },
                Rule::Load { address, to } => {
                    Rule::Load { address: address.at(base), to: to.at(base) }
                }
                Rule::Store { address, value } => {
                    Rule::Store { address: address.at(base), value: value.at(base) }
                }
            });
        }
        for call in &body.calls {
            let call = call.at(base);
            match call.callee {
                Callee::Procedure(callee) if self.small[callee.index()] => {
                    let callee = self.instance(callee);
                    self.bind(instance, &call, callee);
                }
                Callee::Procedure(callee) => {
                    let callee = self.shared(callee);
                    self.bind(instance, &call, callee);
                }
                Callee::Pointer(_) => self.pointers.push((instance as u32, call, Rc::default())),
            }
        }
    }

    fn bind(&mut self, caller: usize, call: &Call<u32>, callee: u32) {
        self.instances[caller].calls.push((call.edge, callee));
        let Instance { procedure, base, .. } = self.instances[callee as usize];
        let procedure = self.frame.program.procedure(procedure);
        let parameters = procedure.parameters.len() as u32;
        for (to, &from) in (0..parameters).zip(&call.arguments) {
            if let Some(from) = from {
                self.solver.rule(Rule::Flow { from, to: base + to });
            }
        }
        for (from, &to) in (0..procedure.results.len() as u32).zip(&call.results) {
            if let Some(to) = to {
                self.solver.rule(Rule::Flow { from: base + parameters + from, to });
            }
        }
    }

    /// Finds the sets, and what is called through pointers.
    pub fn solve(&mut self) {
        self.settle();
        for at in 0..self.pointers.len() {
            let (_, call, callees) = &mut self.pointers[at];
            if callees.is_empty() {
                // Nothing is known: it may be any.
                let node = self.solver.len();
                self.solver.grow(node + 1);
                call.callee = Callee::Pointer(Some(node));
                for object in self.named.iter() {
                    self.solver.rule(Rule::Points { node, object });
                }
            }
        }
        self.settle();
    }

    /// Until nothing more is called.
    fn settle(&mut self) {
        loop {
            self.solver.solve();
            let mut found = Vec::new();
            for (at, (_, call, known)) in self.pointers.iter_mut().enumerate() {
                let Callee::Pointer(Some(pointer)) = call.callee else { continue };
                let all = self.solver.set(pointer);
                let callable: Vec<u32> = all
                    .without(known)
                    .iter()
                    .filter(|&object| self.named.contains(object))
                    .collect();
                for object in callable {
                    Rc::make_mut(known).insert(object);
                    found.push((at, object));
                }
            }
            if found.is_empty() {
                return;
            }
            for (at, object) in found {
                self.called(at, object);
            }
        }
    }

    /// What a call through a pointer calls.
    fn called(&mut self, at: usize, object: u32) {
        let (instance, call, _) = &self.pointers[at];
        let (instance, call) = (*instance as usize, call.clone());
        match self.objects[object as usize] {
            Object::Procedure(callee) => {
                let callee = self.shared(callee);
                self.bind(instance, &call, callee);
            }
            Object::External(function) => {
                let call = world::Call {
                    edge: call.edge,
                    name: &self.frame.program.externals[function.index()].name,
                    arguments: &call.arguments,
                    result: call.word,
                    new: self.frame.made.get(&call.edge).copied(),
                };
                let mut rules = Rules::new(self.solver.len());
                world::act(&call, self.frame.given, &mut rules);
                self.solver.grow(rules.nodes);
                rules.rules.into_iter().for_each(|rule| self.solver.rule(rule));
                self.instances[instance].writes.append(&mut rules.writes);
            }
            Object::Memory(_) | Object::Errno => {}
        }
    }
}

/// Bounds on the rules of a procedure that is analysed for each call, with all that it calls.
const SMALL: [u64; 5] = [600, 200, 60, 20, 0];
/// How many rules there may be in any case, and how many for each rule that is in the program.
const RULES: u64 = 20_000;
const GROWTH: u64 = 4;

/// Which procedures are analysed anew for each call.
fn small(program: &Program, bodies: &[Body]) -> Vec<bool> {
    let weight = |body: &Body| (body.rules.rules.len() + 4 * body.calls.len()) as u64;
    let callees = |body: &Body| -> Vec<u32> {
        let callees = body.calls.iter().filter_map(|call| match call.callee {
            Callee::Procedure(id) => Some(id.0),
            Callee::Pointer(_) => None,
        });
        callees.collect()
    };
    let calls: Vec<(u32, u32)> = (0..)
        .zip(bodies)
        .flat_map(|(caller, body)| callees(body).into_iter().map(move |callee| (caller, callee)))
        .collect();
    let graph = Graph::new(bodies.len(), &calls);
    let component = components(&graph);
    let mut members = vec![0; bodies.len()];
    component.iter().for_each(|&c| members[c as usize] += 1);
    let recurs =
        |p: usize| members[component[p] as usize] > 1 || graph.successors(p).contains(&(p as u32));
    // Callees first.
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    order.sort_by_key(|&p| std::cmp::Reverse(component[p]));
    let most = RULES + GROWTH * bodies.iter().map(weight).sum::<u64>();
    let mut small = vec![false; program.procedures.len()];
    for bound in SMALL {
        let mut weights: Vec<u64> = bodies.iter().map(weight).collect();
        small.fill(false);
        for &p in &order {
            let called = graph.successors(p).iter().filter(|&&callee| small[callee as usize]);
            let added: u64 = called.map(|&callee| weights[callee as usize]).sum();
            weights[p] = weights[p].saturating_add(added);
            small[p] = weights[p] <= bound && !recurs(p);
        }
        let total = order.iter().filter(|&&p| !small[p]).map(|&p| weights[p]);
        if total.fold(0, u64::saturating_add) <= most {
            break;
        }
    }
    small
}
