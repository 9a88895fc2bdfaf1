//! Data dependence: which statement may have written the value that a statement reads.
//!
//! An edge *defines* variables and *uses* variables. A definition reaches a use if some path leads from
//! the one to the other on which no edge surely overwrites the variable. An assignment to a variable
//! overwrites it; an assignment to a cell of a map does not, since the other cells keep what they had.
//! So after `m[0] := 1; m[1] := 2`, a use of `m` depends on both, and on whatever defined `m` before.
//! If the path begins at the entry, the use may see the value with which the procedure began.
//!
//! The textbook keeps, for each location, the set of all definitions that reach it. Most of these are
//! of variables that nobody will read again, and a procedure of a million locations would need a
//! million large sets. The mirror image is cheaper: carry each *use* backwards until it meets a
//! definition that overwrites its variable. What it passes on the way is the life of the value, which
//! is mostly short. Sixty-four uses travel together as the bits of one word for each location; uses of
//! one variable are neighbours, so that a group has few variables and visits few locations. At the end
//! of a group, a definition reaches exactly the uses of its variable that have arrived at its target.
//! A location is visited again only when new bits have arrived, so the fixpoint is reached after at
//! most 64 visits of each, and almost always after one or two.
//!
//! A call stands for all that its callee does: it uses the arguments and every global that the callee
//! may read, itself or through what it calls; it overwrites its results, and may define every global
//! that the callee may assign. These [`Effects`] are the smallest sets that contain what a procedure
//! does itself and the effects of its callees: they grow along the call graph until nothing changes,
//! which also settles recursion. A return uses the results of the procedure, which it hands over.
//!
//! Dependences stay within a procedure. What comes from a caller or from an earlier call is seen as the
//! value at the entry, or as the call.

use rustc_hash::FxHashMap;
use term::Term;

use super::{Checks, Flow};
use crate::program::{EdgeId, ProcedureId, Program, Statement};

/// The global variables that a procedure may touch, itself or through calls; in order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    pub reads: Vec<Term>,
    pub assigns: Vec<Term>,
}

/// What the statement of an edge does to variables, in order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub uses: Vec<Term>,
    /// Surely overwritten.
    pub overwrites: Vec<Term>,
    /// May be written, or in part.
    pub may_define: Vec<Term>,
}

/// A use may see the value of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DataDependence {
    pub user: EdgeId,
    pub variable: Term,
    /// None: the value at the entry of the procedure.
    pub definition: Option<EdgeId>,
}

/// The effects of every procedure, by id.
pub fn effects(program: &Program) -> Vec<Effects> {
    let count = program.procedures.len();
    let number: FxHashMap<Term, usize> =
        program.globals.iter().enumerate().map(|(n, &global)| (global, n)).collect();
    let globals = program.globals.len();
    let words = (2 * globals).div_ceil(64);
    // Bit `n` is set if global `n` may be read, bit `globals + n` if it may be assigned.
    let mut sets = vec![0u64; count * words];
    let mut callers = vec![Vec::new(); count];
    for edge in &program.edges {
        let Some(procedure) = program.location(edge.from).procedure else { continue };
        let set = &mut sets[procedure.index() * words..][..words];
        let own = access(program, &[], procedure, &edge.statement);
        let reads = own.uses.iter().filter_map(|v| number.get(v).copied());
        let assigns = own.overwrites.iter().chain(&own.may_define);
        let assigns = assigns.filter_map(|v| number.get(v).map(|n| globals + n));
        for bit in reads.chain(assigns) {
            set[bit / 64] |= 1 << (bit % 64);
        }
        if let Statement::Call { callee, .. } = edge.statement {
            callers[callee.index()].push(procedure.index());
        }
    }
    let mut work: Vec<usize> = (0..count).collect();
    while let Some(callee) = work.pop() {
        for &caller in &callers[callee] {
            let mut grown = false;
            for word in 0..words {
                let new = sets[callee * words + word] & !sets[caller * words + word];
                sets[caller * words + word] |= new;
                grown |= new != 0;
            }
            if grown {
                work.push(caller);
            }
        }
    }
    let listed = |procedure: usize, offset: usize| {
        let has = |bit: usize| sets[procedure * words + bit / 64] >> (bit % 64) & 1 == 1;
        let mut list: Vec<Term> =
            (0..globals).filter(|n| has(offset + n)).map(|n| program.globals[n]).collect();
        list.sort_unstable();
        list
    };
    (0..count).map(|p| Effects { reads: listed(p, 0), assigns: listed(p, globals) }).collect()
}

/// What a statement of the procedure uses and defines. Calls have only the given effects: none of
/// those that are not in the list.
pub fn access(
    program: &Program,
    effects: &[Effects],
    procedure: ProcedureId,
    statement: &Statement,
) -> Access {
    let mut access = Access::default();
    let mut read = Vec::new();
    match statement {
        Statement::Assign { place, .. } | Statement::Havoc { place } => {
            read.extend_from_slice(&place.indices);
            if let Statement::Assign { value, .. } = statement {
                read.push(*value);
            }
            if place.indices.is_empty() {
                access.overwrites.push(place.variable);
            } else {
                access.may_define.push(place.variable);
            }
        }
        Statement::Assume { condition } => read.push(*condition),
        Statement::Call { callee, arguments, results } => {
            read.extend_from_slice(arguments);
            access.overwrites.extend_from_slice(results);
            if let Some(effects) = effects.get(callee.index()) {
                read.extend_from_slice(&effects.reads);
                access.may_define.extend_from_slice(&effects.assigns);
            }
        }
        // What is in memory is not a variable; whoever needs it looks at the run.
        Statement::CallPointer { .. } | Statement::External { .. } | Statement::Memory(_) => {
            read.extend(statement.operands());
            access.overwrites.extend_from_slice(statement.targets());
        }
        Statement::Return => read.extend_from_slice(&program.procedure(procedure).results),
    }
    access.uses = program.terms.variables_of(&read);
    access.overwrites.sort_unstable();
    access.overwrites.dedup();
    access.may_define.retain(|v| !access.overwrites.contains(v));
    access
}

/// All data dependences in a procedure, in order.
pub fn data_dependences(
    program: &Program,
    effects: &[Effects],
    procedure: ProcedureId,
) -> Vec<DataDependence> {
    let flow = Flow::new(program, procedure, Checks::Branch);
    let edges: Vec<Wired> = flow
        .edges()
        .iter()
        .filter_map(|&edge| {
            let (from, to) = flow.ends_of(program, edge)?;
            let access = access(program, effects, procedure, &program.edge(edge).statement);
            Some(Wired { edge, from, to, access })
        })
        .collect();
    let mut into = vec![Vec::new(); flow.graph.len()];
    let mut uses: Vec<(Term, u32)> = Vec::new();
    for (at, wired) in edges.iter().enumerate() {
        into[wired.to as usize].push(at as u32);
        uses.extend(wired.access.uses.iter().map(|&variable| (variable, at as u32)));
    }
    uses.sort_unstable();
    let mut arrived = vec![0u64; flow.graph.len()];
    let mut found = Vec::new();
    for group in uses.chunks(64) {
        // Which bits are uses of a variable.
        let mut bits_of: FxHashMap<Term, u64> = FxHashMap::default();
        for (bit, &(variable, _)) in group.iter().enumerate() {
            *bits_of.entry(variable).or_default() |= 1 << bit;
        }
        let visited = carry_back(group, &bits_of, &edges, &into, &mut arrived);
        let mut add = |bits: u64, definition| {
            let users = group.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
            found.extend(users.map(|(_, &(variable, user))| DataDependence {
                user: edges[user as usize].edge,
                variable,
                definition,
            }));
        };
        add(arrived[flow.entry as usize], None);
        for &node in &visited {
            for wired in into[node as usize].iter().map(|&at| &edges[at as usize]) {
                let defined = wired.access.overwrites.iter().chain(&wired.access.may_define);
                for &bits in defined.filter_map(|variable| bits_of.get(variable)) {
                    add(arrived[node as usize] & bits, Some(wired.edge));
                }
            }
        }
        for node in visited {
            arrived[node as usize] = 0;
        }
    }
    found.sort_unstable();
    found
}

/// An edge with what the analysis asks of it.
struct Wired {
    edge: EdgeId,
    from: u32,
    to: u32,
    access: Access,
}

/// Carries at most 64 uses backwards from the sources of their edges; returns the nodes where some
/// arrived.
fn carry_back(
    group: &[(Term, u32)],
    bits_of: &FxHashMap<Term, u64>,
    edges: &[Wired],
    into: &[Vec<u32>],
    arrived: &mut [u64],
) -> Vec<u32> {
    let (mut visited, mut work) = (Vec::new(), Vec::new());
    for (bit, &(_, user)) in group.iter().enumerate() {
        arrive(edges[user as usize].from, 1 << bit, arrived, &mut visited, &mut work);
    }
    while let Some(node) = work.pop() {
        for &at in &into[node as usize] {
            let Wired { from, access, .. } = &edges[at as usize];
            let overwritten =
                access.overwrites.iter().filter_map(|v| bits_of.get(v)).fold(0, |all, b| all | b);
            let bits = arrived[node as usize] & !overwritten;
            arrive(*from, bits, arrived, &mut visited, &mut work);
        }
    }
    visited
}

fn arrive(node: u32, bits: u64, arrived: &mut [u64], visited: &mut Vec<u32>, work: &mut Vec<u32>) {
    let here = &mut arrived[node as usize];
    if bits & !*here != 0 {
        if *here == 0 {
            visited.push(node);
        }
        *here |= bits;
        work.push(node);
    }
}
