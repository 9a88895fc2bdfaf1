//! Which objects an address may be in.
//!
//! The analysis is Andersen's (1994): each variable has a set of objects that it may point to, so
//! has the memory of each object, and every statement says that one set includes another. `p = q`
//! makes the set of `p` include that of `q`; `*p = q` makes the memory of whatever `p` points to
//! include the set of `q`. The smallest sets with this property (see `solve.rs`) contain whatever
//! can happen in any execution, in whatever order the statements are executed.
//!
//! *Objects* are named by where they come from, as the process does it ([`Origin`]): all objects
//! that one `malloc` makes are one, and its fields are one. Procedures and functions of the world
//! are objects without memory: they are what can be called through a pointer.
//!
//! *Values* are followed through terms and memory however they are moved, also byte by byte;
//! `carry.rs` says what is still an address after an operator, and thereby what a program must not
//! do with addresses. Apart from that the sets are right for every execution in which an access
//! through an address stays in the object that the address was made for. That is what C demands,
//! and what a process checks: where it is violated, it fails. What comes from outside is no
//! address, and nor is what a front end does not model (a havoc).
//!
//! *Calls.* A procedure that copies a string is called with many strings. If all calls shared its
//! variables, every copy might go to every string. So small procedures are analysed anew for each
//! call, as if they had been written there, with all that they call; others, and those that call
//! themselves, have one *instance* for all calls. How small is small depends on how much there is:
//! the whole work stays in proportion to the program. A call through a pointer calls what the
//! pointer may point to, which is part of the same question: sets, callees and sets again, until
//! nothing is new. Should nothing at all be known about the pointer, then it may be any procedure
//! whose address occurs in the program.

mod analysis;
mod carry;
mod rules;
mod set;
mod solve;
mod world;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::process::Origin;
use crate::program::{EdgeId, ExternalId, Memory, ProcedureId, Program, Statement, StaticId};
use analysis::Analysis;
use rules::{Body, Frame};
pub(super) use set::{Set, add};
use solve::Solver;
use world::Given;

/// What a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    Memory(Origin),
    /// The `errno` of the world, which no other pointer points to.
    Errno,
    Procedure(ProcedureId),
    External(ExternalId),
}

/// A procedure, for some of its calls or for all.
#[derive(Clone, Debug)]
pub struct Instance {
    pub procedure: ProcedureId,
    /// Where its nodes begin.
    base: u32,
    /// Its calls and what they call.
    pub calls: Vec<(EdgeId, u32)>,
    /// What its calls through pointers write, if they call the world.
    writes: Vec<(EdgeId, u32)>,
}

/// What all addresses of a program may point to.
#[derive(Debug)]
pub struct Aliases {
    pub objects: Vec<Object>,
    pub instances: Vec<Instance>,
    /// Whether somebody looks at `errno`.
    pub reads_errno: bool,
    bodies: Vec<Body>,
    solver: Solver,
}

impl Aliases {
    pub fn new(program: &Program) -> Aliases {
        let (frame, objects) = frame(program);
        let bodies = rules::bodies(&frame);
        let mut analysis = Analysis::new(&frame, &objects, &bodies);
        analysis.start();
        analysis.solve();
        let Analysis { solver, instances, .. } = analysis;
        let formats = program.statics.iter().map(|object| object.bytes.as_slice());
        let reads_errno = solver.is_read(frame.given.errno) || world::converts(formats, b'm');
        Aliases { objects, instances, reads_errno, bodies, solver }
    }

    /// The objects that the statements of an instance write to, edge by edge, without what its
    /// callees do.
    pub fn writes(&self, instance: &Instance) -> impl Iterator<Item = (EdgeId, &Rc<Set>)> {
        let body = &self.bodies[instance.procedure.index()];
        let own = body.rules.writes.iter().map(|&(edge, place)| (edge, place.at(instance.base)));
        let own = own.chain(instance.writes.iter().copied());
        own.map(|(edge, node)| (edge, self.solver.set(node)))
    }
}

/// Gives numbers to the objects and to the nodes that are the same for all instances.
fn frame(program: &Program) -> (Frame<'_>, Vec<Object>) {
    let mut objects = vec![Object::Memory(Origin::Start), Object::Errno];
    let ids = |count: usize| 0..count as u32;
    let statics = objects.len() as u32;
    objects.extend(ids(program.statics.len()).map(|n| Object::Memory(Origin::Static(StaticId(n)))));
    let procedures = objects.len() as u32;
    objects.extend(ids(program.procedures.len()).map(|n| Object::Procedure(ProcedureId(n))));
    let externals = objects.len() as u32;
    objects.extend(ids(program.externals.len()).map(|n| Object::External(ExternalId(n))));
    let mut made = FxHashMap::default();
    for (id, edge) in (0..).map(EdgeId).zip(&program.edges) {
        let origin = match &edge.statement {
            Statement::Memory(Memory::Alloc { .. }) => Origin::Local(id),
            Statement::CallPointer { .. } => Origin::Heap(id),
            Statement::External { function, .. }
                if world::makes(&program.externals[function.index()].name) =>
            {
                Origin::Heap(id)
            }
            _ => continue,
        };
        made.insert(id, objects.len() as u32);
        objects.push(Object::Memory(origin));
    }
    let first = objects.len() as u32;
    let errno_address = first + program.globals.len() as u32;
    let formats = program.statics.iter().map(|object| object.bytes.as_slice());
    let counts = world::converts(formats, b'n');
    let given = Given { start: 0, errno: 1, errno_address, counts };
    let globals = program.globals.iter().copied().zip(first..).collect();
    (Frame { program, given, statics, procedures, externals, made, globals }, objects)
}
