//! The states that a run with changes comes through.
//!
//! Two runs that are in the same state do the same from then on. Of the many runs that are tried with changes, most come
//! into a state that another has been in, because the change was overwritten, or is not read any more. What of a state
//! depends on values that can be changed is left out here: whoever asks knows it as terms.

use std::cell::RefCell;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::rc::Rc;

use program::graph::liveness::Liveness;
use program::process::{Contents, Effect, Event, Host, Log};
use program::{EdgeId, Memory, ProcedureId, Program, Statement};
use rustc_hash::FxHashMap;
use term::Term;

use super::forcing::{Running, Starts};
use super::job::Job;
use crate::memory::{Cell, INPUT, Moved, Touched, key};
use crate::rerun::{Force, Forced, Look, Looks, Passage, State};
use crate::trace::{Direction, Trace};

/// States with more bytes are not compared.
const MOST_BYTES: u64 = 1 << 20;

/// The live variables of procedures that were asked for.
#[derive(Default)]
pub(super) struct Lives(RefCell<FxHashMap<ProcedureId, Option<Rc<Liveness>>>>);

impl fmt::Debug for Lives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lives").finish_non_exhaustive()
    }
}

impl Lives {
    fn of(&self, program: &Program, procedure: ProcedureId) -> Option<Rc<Liveness>> {
        let mut known = self.0.borrow_mut();
        let liveness = || Liveness::of(program, procedure).map(Rc::new);
        known.entry(procedure).or_insert_with(liveness).clone()
    }
}

/// The states of a run at places in order.
pub(super) fn states<'p, W: Host + Clone>(
    job: &Job<'p>,
    starts: &Starts<'p, W>,
    forced: &[Forced],
    trace: &Trace,
    Looks { places, closely }: Looks<'_>,
    lives: &Lives,
) -> Passage {
    let (program, first) = (job.program, &starts.first.0);
    let activations = Activations::new(first.activations().len());
    let (cells, notes) = (cells(trace, false), cells(trace, true));
    let contents = closely.map(|_| first.memory().contents(&Contents::default()));
    let mut looking = Looking { program, trace, cells, notes, activations, lives, contents };
    let mut forced_later = forced.iter().peekable();
    let mut run = starts.before(forced, job.limits);
    let (mut states, mut ended) = (Vec::new(), None);
    // How often the standard input had been used at each place.
    let mut uses = Vec::new();
    for place in places {
        let is_before = |force: &&Forced| match force.what {
            Force::Set { .. } => force.at <= place.at,
            _ => force.at < place.at,
        };
        while let (None, Some(force)) = (&ended, forced_later.next_if(is_before)) {
            ended = run.force(program, force, job.limits);
        }
        if ended.is_some() {
            break;
        }
        let edge = match run.until(place.at, job.limits) {
            ControlFlow::Continue(edge) => edge,
            ControlFlow::Break(outcome) => {
                ended = Some(outcome);
                break;
            }
        };
        let state = looking.at(&run, edge, place);
        uses.push(run.world.world.input().uses);
        let skipped = first.instructions();
        states.push(state.map(|state| State { effort: state.effort - skipped, ..state }));
    }
    states.resize_with(places.len(), || None);
    let Some(moved) = closely else { return Passage { states, ..Passage::default() } };
    while let (None, Some(force)) = (&ended, forced_later.next()) {
        ended = run.force(program, force, job.limits);
    }
    if ended.is_none() {
        let _ = run.until(trace.path.len(), job.limits);
    }
    uses.push(run.world.world.input().uses);
    match run.forcing.recorder.finish() {
        Some(log) => {
            let (mut touched, written) = touched(program, &log, places, moved);
            for (touched, uses) in touched.iter_mut().zip(uses.windows(2)) {
                if uses[0] < uses[1] {
                    touched.read(INPUT.0, INPUT.1);
                }
            }
            Passage { states, touched, written }
        }
        None => Passage { states: vec![None; places.len()], ..Passage::default() },
    }
}

/// What a run does to memory from each place on, to the next; and where it writes objects for the first time.
fn touched(
    program: &Program,
    log: &Log,
    places: &[Look],
    moved: &[Moved],
) -> (Vec<Touched>, FxHashMap<u64, usize>) {
    let mut found: Vec<Touched> = vec![Touched::default(); places.len()];
    let mut first = FxHashMap::default();
    let (mut step, mut next) = (0, 0);
    let (mut accesses, mut loads, mut reads_first) = (0, false, false);
    let mut is_moved = false;
    for event in log.events(program) {
        if let Event::Step(edge) = event {
            while places.get(next).is_some_and(|place| place.at <= step) {
                next += 1;
            }
            let statement = &program.edge(edge).statement;
            loads = matches!(statement, Statement::Memory(Memory::Load { .. }));
            reads_first = loads || matches!(statement, Statement::Memory(Memory::Copy { .. }));
            accesses = 0;
            let own = moved.iter().filter(|moved| moved.at == step);
            is_moved = false;
            for Moved { object: (begin, end), direction, .. } in own {
                is_moved = true;
                if let (Direction::Read, Some(last)) = (direction, next.checked_sub(1)) {
                    found[last].read(*begin, *end);
                }
            }
            step += 1;
            continue;
        }
        let is_new = matches!(event, Event::Effect(Effect::New { .. }));
        let (address, size, is_read) = match event {
            Event::Access { address, size } => {
                accesses += 1;
                (address, size, reads_first && accesses == 1)
            }
            Event::Effect(Effect::Read { address, bytes }) => (address, bytes.len() as u64, true),
            Event::Effect(Effect::Write { address, bytes }) => (address, bytes.len() as u64, false),
            Event::Effect(Effect::New { address, size }) => (address, size, false),
            _ => continue,
        };
        if !is_read && !is_new {
            first.entry(key(address)).or_insert(step - 1);
        }
        let Some(now) = next.checked_sub(1).and_then(|last| found.get_mut(last)) else { continue };
        let end = address.saturating_add(size);
        match is_read {
            true if loads => now.load(address, end),
            true => now.read(address, end),
            false if is_moved => {}
            false => now.written.add(address, end),
        }
    }
    (found, first)
}

/// Where the cells of a trace are, or their notes.
fn cells(trace: &Trace, notes: bool) -> FxHashMap<Term, (u64, u64)> {
    let mut cells = FxHashMap::default();
    for object in trace.objects.iter().filter(|object| object.notes == notes) {
        for cell in &object.cells {
            cells.insert(cell.variable, (object.address.wrapping_add(cell.offset), cell.size));
        }
    }
    cells
}

/// The numbers of the activations on the stack.
struct Activations {
    stack: Vec<u32>,
    next: u32,
    at: usize,
}

impl Activations {
    fn new(open: usize) -> Activations {
        let open = open as u32;
        Activations { stack: (0..open).collect(), next: open, at: 0 }
    }

    /// Goes along the path, up to an index.
    fn go_to(&mut self, program: &Program, path: &[EdgeId], to: usize) {
        for at in self.at..to.min(path.len()) {
            let edge = program.edge(path[at]);
            let enters = match edge.statement {
                Statement::Call { .. } => true,
                // Otherwise it is a function of the world.
                Statement::CallPointer { .. } => {
                    path.get(at + 1).is_some_and(|&next| program.edge(next).from != edge.to)
                }
                Statement::Return => {
                    self.stack.pop();
                    false
                }
                _ => false,
            };
            if enters {
                self.stack.push(self.next);
                self.next += 1;
            }
        }
        self.at = self.at.max(to);
    }
}

/// Looks at the states of a run.
struct Looking<'a> {
    program: &'a Program,
    trace: &'a Trace,
    cells: FxHashMap<Term, (u64, u64)>,
    notes: FxHashMap<Term, (u64, u64)>,
    activations: Activations,
    lives: &'a Lives,
    /// What was in memory, if that is looked at.
    contents: Option<Contents>,
}

impl Looking<'_> {
    /// The state of a run at a place, where it is about to take an edge.
    fn at<W: Host + Clone>(
        &mut self,
        run: &Running<'_, W>,
        edge: EdgeId,
        place: &Look,
    ) -> Option<State> {
        let (program, process) = (self.program, &run.process);
        self.activations.go_to(program, &self.trace.path, place.at);
        let (stack, activations) = (&self.activations.stack, process.activations());
        if process.memory().live() > MOST_BYTES || activations.len() != stack.len() {
            return None;
        }
        let mut areas: Vec<(u64, u64, Term)> = Vec::new();
        let mut noted: Vec<(u64, u64, Term)> = Vec::new();
        let mut globals: Vec<(Term, u32)> = Vec::new();
        let mut own: FxHashMap<(u32, Term), Term> = FxHashMap::default();
        for &variable in &place.changed {
            let is_there = |address: u64, size: u64| process.memory().view(address, size).is_ok();
            if let Some(&(address, size)) = self.cells.get(&variable) {
                if is_there(address, size) {
                    areas.push((address, size, variable));
                }
            } else if let Some(&(address, size)) = self.notes.get(&variable) {
                if is_there(address, size) {
                    noted.push((address, size, variable));
                }
            } else if let Some(&origin) = self.trace.origins.get(&variable) {
                own.insert(origin, variable);
            } else if self.trace.sizes.contains(&variable) {
                return None;
            } else if program.variables.contains_key(&variable) {
                globals.push((variable, program.terms.sort(variable).bits()));
            }
        }
        for list in [&mut areas, &mut noted] {
            list.sort_unstable();
        }
        globals.sort_unstable();
        let mut hasher = DefaultHasher::new();
        let (world, input) = (&run.world.world, run.world.world.input().fingerprint);
        world.fingerprint()?.hash(&mut hasher);
        process.outline(&globals, &mut hasher)?;
        let memory = if let Some(before) = &mut self.contents {
            *before = process.memory().contents(before);
            let cell = |notes: bool| {
                move |&(begin, size, _): &(u64, u64, Term)| Cell { begin, end: begin + size, notes }
            };
            let changed = areas.iter().map(cell(false)).chain(noted.iter().map(cell(true)));
            let changed = changed.collect();
            Some(crate::memory::Memory { contents: before.clone(), input, changed })
        } else {
            input.hash(&mut hasher);
            let [except, undefined]: [Vec<(u64, u64)>; 2] =
                [&areas, &noted].map(|list| list.iter().map(|&(at, size, _)| (at, size)).collect());
            process.memory().fingerprint(&except, &undefined, &mut hasher);
            None
        };
        let mut live = Vec::new();
        let in_memory = areas.into_iter().chain(noted).map(|(.., variable)| variable);
        let mut changed: Vec<Term> = in_memory.chain(globals.iter().map(|(v, _)| *v)).collect();
        for (number, (procedure, _)) in activations.iter().enumerate() {
            // What a call assigns is not read before it returns.
            let (location, assigned) = match activations.get(number + 1) {
                Some((_, call)) => {
                    let call = program.edge((*call)?);
                    (call.to, call.statement.targets())
                }
                None => (program.edge(edge).from, &[][..]),
            };
            let lives = self.lives.of(program, *procedure)?;
            for variable in lives.at(location).filter(|variable| !assigned.contains(variable)) {
                let value = process.value(number, variable, program.terms.sort(variable).bits())?;
                let changed_one = own.get(&(stack[number], variable));
                changed.extend(changed_one);
                let certain = changed_one.is_none().then_some(value.bits);
                (certain, value.undefined).hash(&mut hasher);
                live.extend(memory.is_some().then_some((stack[number], variable)));
            }
        }
        let (fingerprint, effort) = (hasher.finish(), process.instructions());
        Some(State { fingerprint, effort, changed, memory, live })
    }
}
