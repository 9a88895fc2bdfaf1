//! Running an edited program with the inputs of the failing run.

use program::Program;
use program::interpret::Machine;
use program::process::Image;
use term::{BitVec, Term, Value};

use crate::replay::{Failure, Recorded};
use crate::rerun::{Ended, Following, failed};

/// Many edits of a program in one: a global variable, a bit-vector of 32 bits, says which is made.
#[derive(Clone, Copy, Debug)]
pub struct Edited<'e> {
    pub program: &'e Program,
    /// If the program has memory.
    pub image: Option<&'e Image>,
    pub selector: Term,
}

impl Failure<'_> {
    /// Runs the edited program from the start with the inputs of this run, for so many instructions at most. Also how many it
    /// took. None if this run cannot be repeated from the start.
    pub fn run_edited(&self, edited: Edited<'_>, choice: u32, most: u64) -> Option<(Ended, u64)> {
        match (&self.run, edited.image) {
            (Some(run), Some(image)) => run.edited(edited, image, choice, most),
            (None, _) => Some(interpreted(self, edited, choice, most)),
            (Some(_), None) => None,
        }
    }
}

/// The same for a program without memory.
fn interpreted(failure: &Failure<'_>, edited: Edited<'_>, choice: u32, most: u64) -> (Ended, u64) {
    let program = edited.program;
    let mut oracle = Recorded::new(&failure.trace, &failure.inputs);
    let mut machine = Machine::new(program, failure.trace.entry, &mut oracle);
    machine.set(edited.selector, Value::BitVec(BitVec::new(32, u128::from(choice))));
    let mut following = Following::new(failure);
    let mut last = None;
    let mut taken = 0;
    let end = loop {
        if machine.location() == Program::ERROR {
            break failed(program, last);
        }
        if taken >= most {
            break Ended::Cut;
        }
        let edge = match machine.possible_edges()[..] {
            [] if machine.finished() => break Ended::Passed,
            [] => break Ended::Blocked,
            [edge] => edge,
            ref several => following.choose(several),
        };
        following.take(edge);
        (last, taken) = (Some(edge), taken + 1);
        machine.take(edge, &mut oracle);
    };
    (end, taken)
}
