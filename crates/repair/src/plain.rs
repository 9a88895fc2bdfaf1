//! Running edited programs without memory, in the interpreter.

use std::hash::{Hash, Hasher};

use host::Reading;
use program::interpret::{Machine, Oracle, Prepared};
use program::{EdgeId, FailureKind, Program, Statement, Stop};
use rustc_hash::{FxHashMap, FxHasher};
use term::{Term, Value};

use crate::answers::{Answering, Answers, names};
use crate::runs::{End, Ran};
use crate::schema::{CHOICE, Choice, REACHED};

/// A step of the interpreter takes as long as so many instructions of a program with memory.
const STEP: u64 = 4;

/// What is needed to run a program without memory many times.
#[derive(Clone, Debug)]
pub struct Plain {
    prepared: Prepared,
    names: FxHashMap<String, Term>,
    /// The variables that say which version of each chunk counts.
    choices: Vec<Term>,
}

impl Plain {
    pub fn new(program: &Program) -> Plain {
        let names = names(program);
        let choice = |number: usize| names.get(&format!("{CHOICE}_{number}")).copied();
        let choices = (0..).map_while(choice).collect();
        Plain { prepared: Prepared::new(program), names, choices }
    }
}

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub struct Way<'w> {
    pub answers: &'w Answers,
    pub choices: &'w [Choice],
    /// The edges of the check that is watched.
    pub watched: &'w [EdgeId],
    /// The most instructions.
    pub most: u64,
}

/// Runs a program. `visit` sees each edge before it is taken.
pub fn run(
    program: &Program,
    plain: &Plain,
    way: Way<'_>,
    stop: &Stop,
    visit: &mut dyn FnMut(EdgeId),
) -> Ran {
    let mut oracle = Answering::new(way.answers, &plain.names);
    let mut machine = Machine::prepared(program, &plain.prepared, way.answers.entry, &mut oracle);
    // They are variables like others.
    for &variable in plain.choices.iter().filter(|_| way.answers.unset != 0) {
        machine.set(variable, Value::int(0));
    }
    for choice in way.choices {
        if let Some(&variable) = plain.choices.get(choice.chunk as usize) {
            machine.set(variable, Value::int(choice.version));
        }
    }
    let (mut seen, mut steps) = (Vec::new(), 0);
    let end = loop {
        if steps * STEP > way.most || steps % 1024 == 0 && stop.raised() {
            break End::Cut;
        }
        let edge = match machine.possible_edges()[..] {
            [] if machine.finished() => break End::Passed(0),
            [] => break End::Blocked,
            [edge] => edge,
            ref several => several[oracle.choose(several).min(several.len() - 1)],
        };
        visit(edge);
        if way.watched.contains(&edge) {
            note(program, &machine, edge, &mut seen);
        }
        machine.take(edge, &mut oracle);
        steps += 1;
        if machine.location() == Program::ERROR {
            let property = program.site(program.edge(edge).site).property.as_ref();
            let kind = property.map_or(FailureKind::Assertion, |it| it.kind);
            break End::Failed { kind, edge };
        }
    };
    let (output, reading) = (Vec::new(), Reading::default());
    Ran { end, instructions: steps * STEP, output, right: 0, seen, reading }
}

/// Notes that the check is reached, and the values that it reads.
fn note(program: &Program, machine: &Machine<'_>, edge: EdgeId, seen: &mut Vec<u64>) {
    seen.push(REACHED);
    let Statement::Assume { condition } = program.edge(edge).statement else { return };
    for variable in program.terms.variables_of(&[condition]) {
        let mut hasher = FxHasher::default();
        machine.value(variable).hash(&mut hasher);
        seen.push(hasher.finish());
    }
}
