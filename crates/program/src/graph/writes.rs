//! What might have been written if a branch had been decided otherwise.
//!
//! A run shows what was written. Some questions are about what was *not*: in
//! `if (b < 0) c = 2; d = c + 3;`, the value of `d` depends on the condition although, when it is
//! false, no statement inside is executed. Gyimóthy, Beszédes and Forgács (1999) call this a potential dependence,
//! Zhang and others (2007) an execution omission; the paper on cascades (Definition 3.3) calls it
//! indirect influence.
//!
//! If another edge of the branch had been taken, some way would have been gone from there to the
//! place where all ways from the branch meet again, its closest post-dominator, or to the
//! procedure's end. A check that may fail is no branch here: edges to the error location are left
//! out. So what might have been written is what the edges on such ways may write:
//!
//! - variables of the procedure that they assign;
//! - global variables that they or the procedures they call may assign;
//! - objects in memory that they or the procedures they call may write to, by [`super::aliases`].
//!
//! This is an over-approximation: no execution that takes another edge, and whose accesses to
//! memory are within bounds, writes anything else before the ways meet. Three things are left out
//! because they cannot matter:
//!
//! - the first contents of a new object, which nobody has seen otherwise;
//! - local objects of procedures of which no activation can exist at the branch: such an object is
//!   younger, and dies before the ways meet;
//! - `errno`, unless the program reads it. It is then one of the objects that exist from the start.
//!
//! It ends where the ways meet, or with the activation. What is written later because other values
//! are there is not looked at, nor what the caller does when a procedure returns earlier or never.
//! Objects are those of [`Origin`], whole: that a branch writes to one element of an array, or to
//! one of the objects that a `malloc` has made, looks the same as that it writes to another.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use super::aliases::{Aliases, Object, Set, add};
use super::components::components;
use super::dominators::{Dominators, post_dominators};
use super::{Checks, Flow, Graph};
use crate::process::Origin;
use crate::program::{EdgeId, LocationId, ProcedureId, Program, Statement};

/// What the other ways of a branch may write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    /// Global variables, and variables of the branch's own activation; sorted.
    pub variables: Vec<Term>,
    /// Objects in memory, by where they come from; sorted.
    pub objects: Vec<Origin>,
    /// Whether something may be printed.
    pub prints: bool,
    /// Whether the program may end there, or read what comes from outside.
    pub ends: bool,
    pub reads: bool,
}

/// What edges and procedures may write, and what the other ways of a branch may. A set has the
/// numbers of objects, then those of global variables.
#[derive(Debug)]
pub struct Writes<'p> {
    program: &'p Program,
    objects: Vec<Object>,
    reads_errno: bool,
    /// What an edge may write but the variables of its own activation.
    edges: FxHashMap<EdgeId, Rc<Set>>,
    /// The edges that may print, themselves or by what they call.
    prints: FxHashSet<EdgeId>,
    /// Those that may end the program, and those that may read from outside.
    ends: FxHashSet<EdgeId>,
    reads: FxHashSet<EdgeId>,
    /// Who calls a procedure.
    callers: Vec<Vec<u32>>,
    /// The procedures of which activations may exist when one of this procedure does.
    below: FxHashMap<ProcedureId, Rc<FxHashSet<u32>>>,
    flows: FxHashMap<ProcedureId, Rc<(Flow, Dominators)>>,
    omitted: FxHashMap<EdgeId, Rc<Omitted>>,
}

impl<'p> Writes<'p> {
    pub fn new(program: &'p Program) -> Writes<'p> {
        let aliases = Aliases::new(program);
        let edges = edge_sets(program, &aliases);
        let mut callers = vec![Vec::new(); program.procedures.len()];
        for caller in &aliases.instances {
            for &(_, callee) in &caller.calls {
                let callee = aliases.instances[callee as usize].procedure;
                callers[callee.index()].push(caller.procedure.0);
            }
        }
        for list in &mut callers {
            list.sort_unstable();
            list.dedup();
        }
        let calling = |what: fn(&str) -> bool| calling_edges(program, &aliases, &callers, what);
        let (prints, ends, reads) = (calling(prints), calling(ends), calling(reads));
        let Aliases { objects, reads_errno, .. } = aliases;
        Writes {
            program,
            objects,
            reads_errno,
            edges,
            prints,
            ends,
            reads,
            callers,
            below: FxHashMap::default(),
            flows: FxHashMap::default(),
            omitted: FxHashMap::default(),
        }
    }

    /// What might have been written if, at the branch where `taken` begins, another of its edges
    /// had been taken: by anything on these ways, up to the place where all ways from the branch
    /// meet again.
    pub fn omitted(&mut self, taken: EdgeId) -> Rc<Omitted> {
        if let Some(known) = self.omitted.get(&taken) {
            return known.clone();
        }
        let from = self.program.edge(taken).from;
        let omitted = match self.program.location(from).procedure {
            Some(procedure) => {
                let edges = self.other_ways(procedure, taken);
                self.union(procedure, &edges)
            }
            None => Omitted::default(),
        };
        let omitted = Rc::new(omitted);
        self.omitted.insert(taken, omitted.clone());
        omitted
    }

    /// What an edge may write, with what it calls.
    pub fn of_edge(&mut self, edge: EdgeId) -> Omitted {
        match self.program.location(self.program.edge(edge).from).procedure {
            Some(procedure) => self.union(procedure, &[edge]),
            None => Omitted::default(),
        }
    }

    /// The edges on the ways that begin with another edge than this one.
    fn other_ways(&mut self, procedure: ProcedureId, taken: EdgeId) -> Vec<EdgeId> {
        let program = self.program;
        let flow = self.flows.entry(procedure).or_insert_with(|| {
            let flow = Flow::new(program, procedure, Checks::GoOn);
            let post = post_dominators(&flow.graph, flow.entry);
            Rc::new((flow, post))
        });
        let (flow, post) = &**flow;
        let branch = program.edge(taken).from;
        let meet: Option<LocationId> = flow
            .node(branch)
            .and_then(|node| post.immediate(node))
            .filter(|&node| node != post.root)
            .map(|node| flow.location(node));
        let mut seen = FxHashSet::default();
        let mut edges = Vec::new();
        let mut work = Vec::new();
        let ways =
            |location| program.out_edges(location).filter(|(_, edge)| edge.to != Program::ERROR);
        let mut go = |id: EdgeId, to: LocationId, work: &mut Vec<LocationId>| {
            edges.push(id);
            if Some(to) != meet && seen.insert(to) {
                work.push(to);
            }
        };
        for (id, edge) in ways(branch).filter(|&(id, _)| id != taken) {
            go(id, edge.to, &mut work);
        }
        while let Some(location) = work.pop() {
            for (id, edge) in ways(location) {
                go(id, edge.to, &mut work);
            }
        }
        edges
    }

    /// What edges of one procedure may write.
    fn union(&mut self, procedure: ProcedureId, edges: &[EdgeId]) -> Omitted {
        let mut set = Rc::default();
        let mut variables = Vec::new();
        for edge in edges {
            variables.extend_from_slice(self.program.edge(*edge).statement.targets());
            if let Some(written) = self.edges.get(edge) {
                add(&mut set, written);
            }
        }
        let below = self.below(procedure);
        let mut objects = Vec::new();
        for item in set.iter() {
            match self.objects.get(item as usize) {
                Some(object) => objects.extend(self.written(*object, &below)),
                None => variables.push(self.program.globals[item as usize - self.objects.len()]),
            }
        }
        variables.sort_unstable();
        variables.dedup();
        objects.sort_unstable();
        objects.dedup();
        let any = |of: &FxHashSet<EdgeId>| edges.iter().any(|edge| of.contains(edge));
        let (prints, ends, reads) = (any(&self.prints), any(&self.ends), any(&self.reads));
        Omitted { variables, objects, prints, ends, reads }
    }

    /// The object, if that it is written can matter.
    fn written(&self, object: Object, below: &FxHashSet<u32>) -> Option<Origin> {
        match object {
            Object::Memory(origin @ Origin::Static(id)) => {
                self.program.statics[id.index()].writable.then_some(origin)
            }
            Object::Memory(origin @ Origin::Local(edge)) => {
                let maker = self.program.location(self.program.edge(edge).from).procedure?;
                below.contains(&maker.0).then_some(origin)
            }
            Object::Memory(origin) => Some(origin),
            Object::Errno => self.reads_errno.then_some(Origin::Start),
            Object::Procedure(_) | Object::External(_) => None,
        }
    }

    fn below(&mut self, procedure: ProcedureId) -> Rc<FxHashSet<u32>> {
        let callers = &self.callers;
        let below = self.below.entry(procedure).or_insert_with(|| {
            let mut below = FxHashSet::default();
            let mut work = vec![procedure.0];
            while let Some(procedure) = work.pop() {
                if below.insert(procedure) {
                    work.extend_from_slice(&callers[procedure as usize]);
                }
            }
            Rc::new(below)
        });
        below.clone()
    }
}

/// Whether a function of the world prints.
pub fn prints(name: &str) -> bool {
    let name = name.trim_end_matches("_unlocked");
    let formatted = name.ends_with("printf") && !name.trim_end_matches("printf").contains('s');
    formatted
        || matches!(name, "puts" | "putchar" | "putc" | "fputc" | "fputs" | "fwrite" | "write")
}

/// Whether a function of the world does not return.
fn ends(name: &str) -> bool {
    let name = name.trim_start_matches('_');
    matches!(name, "exit" | "Exit" | "quick_exit" | "abort" | "longjmp" | "siglongjmp")
}

/// Whether what a function of the world does depends on what it has been asked before: input, random
/// numbers, time.
pub fn reads(name: &str) -> bool {
    let name = name.trim_end_matches("_unlocked");
    [
        "get", "fget", "fread", "read", "ungetc", "rand", "srand", "fseek", "rewind", "fopen",
        "fclose",
    ]
    .iter()
    .any(|start| name.starts_with(start))
        || ["scanf", "nondet", "rand48", "random", "time", "clock"]
            .iter()
            .any(|part| name.contains(part))
}

/// The edges that call such a function, themselves or by what they call.
fn calling_edges(
    program: &Program,
    aliases: &Aliases,
    callers: &[Vec<u32>],
    what: fn(&str) -> bool,
) -> FxHashSet<EdgeId> {
    let mut edges = FxHashSet::default();
    let mut procedures = FxHashSet::default();
    let mut work = Vec::new();
    for (number, edge) in program.edges.iter().enumerate() {
        if let Statement::External { function, .. } = &edge.statement
            && program.externals.get(function.index()).is_some_and(|e| what(&e.name))
        {
            edges.insert(EdgeId(number as u32));
            work.extend(program.location(edge.from).procedure.map(|procedure| procedure.0));
        }
    }
    while let Some(procedure) = work.pop() {
        if procedures.insert(procedure) {
            work.extend_from_slice(&callers[procedure as usize]);
        }
    }
    for instance in &aliases.instances {
        for &(edge, callee) in &instance.calls {
            if procedures.contains(&aliases.instances[callee as usize].procedure.0) {
                edges.insert(edge);
            }
        }
    }
    edges
}

/// What each edge may write, but variables of its own activation; over all instances of its
/// procedure.
fn edge_sets(program: &Program, aliases: &Aliases) -> FxHashMap<EdgeId, Rc<Set>> {
    let assigned = assigned_globals(program, aliases);
    let effects = instance_sets(aliases, &assigned);
    let mut sets: FxHashMap<EdgeId, Rc<Set>> = FxHashMap::default();
    for instance in &aliases.instances {
        for (edge, written) in aliases.writes(instance) {
            add(sets.entry(edge).or_default(), written);
        }
        for &(edge, callee) in &instance.calls {
            add(sets.entry(edge).or_default(), &effects[callee as usize]);
        }
    }
    sets
}

/// The global variables that each procedure assigns itself.
fn assigned_globals(program: &Program, aliases: &Aliases) -> Vec<Rc<Set>> {
    let first = aliases.objects.len() as u32;
    let number: FxHashMap<Term, u32> = program.globals.iter().copied().zip(first..).collect();
    let mut sets = vec![Set::default(); program.procedures.len()];
    for edge in &program.edges {
        let Some(procedure) = program.location(edge.from).procedure else { continue };
        for target in edge.statement.targets() {
            if let Some(&global) = number.get(target) {
                sets[procedure.index()].insert(global);
            }
        }
    }
    sets.into_iter().map(Rc::new).collect()
}

/// What each instance may write, itself or through calls: callees first, those that call each other
/// together.
fn instance_sets(aliases: &Aliases, assigned: &[Rc<Set>]) -> Vec<Rc<Set>> {
    let instances = &aliases.instances;
    let calls: Vec<(u32, u32)> = (0..)
        .zip(instances)
        .flat_map(|(caller, instance)| instance.calls.iter().map(move |&(_, to)| (caller, to)))
        .collect();
    let component = components(&Graph::new(instances.len(), &calls));
    let mut order: Vec<usize> = (0..instances.len()).collect();
    order.sort_by_key(|&instance| std::cmp::Reverse(component[instance]));
    let mut sets: Vec<Rc<Set>> = vec![Rc::default(); instances.len()];
    for instance in order {
        let mut set = sets[component[instance] as usize].clone();
        add(&mut set, &assigned[instances[instance].procedure.index()]);
        for (_, written) in aliases.writes(&instances[instance]) {
            add(&mut set, written);
        }
        for &(_, callee) in &instances[instance].calls {
            add(&mut set, &sets[component[callee as usize] as usize]);
        }
        sets[component[instance] as usize] = set;
    }
    component.iter().map(|&c| sets[c as usize].clone()).collect()
}
