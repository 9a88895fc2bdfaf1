//! Programs to images.
//!
//! Each procedure becomes one stretch of code, each edge a few instructions. Terms are compiled as
//! graphs: a shared part is computed once for the edge. Locations are laid out so that control mostly
//! falls through; what leads to the error location is put at the end.

mod control;
mod patterns;
mod statements;
mod terms;

use rustc_hash::FxHashMap;
use term::{Term, Terms};

use super::image::{Home, Image, NONE, Note, Part, ProcedureCode, bits};
use super::instruction::Instruction;
use super::objects::Objects;
use crate::program::{EdgeId, LocationId, Procedure, Program};

impl Image {
    /// Compiles a verified program. Mathematical integers, reals and maps have no machine words: such
    /// programs are run by [`crate::interpret`].
    pub fn new(program: &Program) -> Result<Image, String> {
        let mut compiler = Compiler {
            program,
            terms: program.terms.clone(),
            image: Image {
                code: Vec::new(),
                notes: Vec::new(),
                procedures: Vec::new(),
                calls: Vec::new(),
                generics: Vec::new(),
                switches: Vec::new(),
                externals: program.externals.iter().map(|e| e.name.clone()).collect(),
                globals: 0,
                failures: FxHashMap::default(),
                objects: Objects::of_program(program)?,
                locations: vec![NONE; program.locations.len()],
                homes: FxHashMap::default(),
            },
            values: FxHashMap::default(),
            first_temporary: 0,
            next_temporary: 0,
            size: 0,
            edge: EdgeId(0),
            begins: None,
            labels: FxHashMap::default(),
            jumps: Vec::new(),
            cases: Vec::new(),
            pending: Vec::new(),
        };
        compiler.globals()?;
        for procedure in &program.procedures {
            compiler.procedure(procedure)?;
        }
        if compiler.image.code.len() >= NONE as usize {
            return Err("the program is too large".to_owned());
        }
        Ok(compiler.image)
    }
}

/// Where a branch leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Destination {
    Location(LocationId),
    /// The error location, over this edge.
    Fail(EdgeId),
    /// Nowhere; this edge is to blame.
    Blocked(EdgeId),
}

struct Compiler<'p> {
    program: &'p Program,
    /// A copy, to ask about negations and sums that are not in the program.
    terms: Terms,
    image: Image,
    /// What has been computed for the current edge or decision.
    values: FxHashMap<Term, u32>,
    first_temporary: u32,
    next_temporary: u32,
    /// How many slots the procedure needs, so far.
    size: u32,
    edge: EdgeId,
    /// The edge that the next instruction begins.
    begins: Option<EdgeId>,
    labels: FxHashMap<Destination, u32>,
    /// Instructions whose target is not known yet.
    jumps: Vec<(usize, Destination)>,
    /// The same for switches: the switch, a value, where it leads, and the edge.
    cases: Vec<(usize, u64, Destination, EdgeId)>,
    /// Locations that code leads to.
    pending: Vec<LocationId>,
}

impl Compiler<'_> {
    fn bits(&self, term: Term) -> Result<u32, String> {
        let sort = self.terms.sort(term);
        bits(sort).ok_or_else(|| format!("values of the sort {sort} are not machine words"))
    }

    /// The bits of a term whose sort was checked.
    fn width(&self, term: Term) -> u32 {
        bits(self.terms.sort(term)).unwrap_or(1)
    }

    fn globals(&mut self) -> Result<(), String> {
        for &global in &self.program.globals {
            let bits = self.bits(global)?;
            self.image.homes.insert(global, Home::Global(self.image.globals));
            self.image.globals += slots(bits);
        }
        Ok(())
    }

    fn procedure(&mut self, procedure: &Procedure) -> Result<(), String> {
        let mut slot = 0;
        for variable in procedure.variables() {
            let bits = self.bits(variable)?;
            self.image.homes.insert(variable, Home::Slot(slot));
            slot += slots(bits);
        }
        (self.first_temporary, self.size) = (slot, slot);
        self.labels.clear();
        let entry = self.image.code.len() as u32;
        let parameters = self.homes_of(&procedure.parameters);
        let results = self.homes_of(&procedure.results);
        self.lay_out(procedure.entry)?;
        let size = self.size;
        self.image.procedures.push(ProcedureCode { entry, size, parameters, results });
        Ok(())
    }

    /// The slots of local variables.
    fn homes_of(&self, variables: &[Term]) -> Box<[Part]> {
        let part = |&variable: &Term| match self.image.homes.get(&variable) {
            Some(&Home::Slot(slot)) => Some(Part { slot, bits: self.width(variable) }),
            _ => None,
        };
        variables.iter().filter_map(part).collect()
    }

    /// Forgets what was computed: a new edge, or a decision about the next.
    fn begin(&mut self, edge: EdgeId) {
        self.edge = edge;
        self.values.clear();
        self.next_temporary = self.first_temporary;
    }

    fn temporary(&mut self, bits: u32) -> u32 {
        let slot = self.next_temporary;
        self.next_temporary += slots(bits);
        self.size = self.size.max(self.next_temporary);
        slot
    }

    fn emit(&mut self, instruction: Instruction) -> usize {
        self.image.code.push(instruction);
        self.image.notes.push(Note {
            start: self.begins.take().map_or(NONE, |edge| edge.0),
            edge: self.edge.0,
            taken: NONE,
            next: NONE,
            value: Part { slot: 0, bits: 0 },
        });
        self.image.code.len() - 1
    }
}

fn slots(bits: u32) -> u32 {
    if bits > 64 { 2 } else { 1 }
}
