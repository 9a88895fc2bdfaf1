//! What numbers there are before statements, in the failing runs.
//!
//! A program is compiled in which each statement first notes the numbers that can be read before it, and is run on the failing
//! tests. Expressions that are equal in all these states are equal for the repair: one of them is tried.

use program::Stop;
use program::syntax::{Kind as Node, NodeId, Range, Syntax};
use rustc_hash::FxHashMap;

use crate::build::Build;
use crate::edit::{Replacement, applied};
use crate::runs::{Runnable, Test};
use crate::schema::SEEN;

/// So many states of a statement are noted, with so many numbers in each.
const MOST_STATES: usize = 32;
const MOST_NUMBERS: usize = 16;
/// So many failing tests are run.
const MOST_TESTS: usize = 3;

/// The states before statements.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    statements: FxHashMap<Range, States>,
}

/// The states before a statement.
#[derive(Clone, Debug, Default)]
pub struct States {
    /// The names of the numbers.
    pub names: Vec<String>,
    /// Their values, in each state.
    pub values: Vec<Vec<i64>>,
}

impl Observed {
    /// The states before the statement with this range, if it was reached.
    pub fn before(&self, statement: Range) -> Option<&States> {
        self.statements.get(&statement).filter(|it| !it.values.is_empty())
    }
}

/// A statement, and the names of the numbers that can be read before it.
#[derive(Clone, Debug)]
pub struct Place {
    pub statement: NodeId,
    pub in_block: bool,
    pub names: Vec<String>,
}

/// Runs the failing tests, and notes what there is at these places.
pub fn observe(
    (build, file): (&dyn Build, u32),
    syntax: &Syntax,
    places: Vec<Place>,
    tests: &[Test],
    stop: &Stop,
) -> Observed {
    let mut observed = Observed::default();
    let mut replacements = Vec::new();
    let count = places.len().max(1);
    for (number, place) in places.iter().enumerate() {
        replacements.extend(notes(syntax, number, place));
    }
    replacements.sort_by_key(|it: &Replacement| it.range);
    let text = applied(&syntax.text, &replacements);
    let prologue =
        format!("extern void {SEEN}(unsigned long long); static int {COUNTS}[{count}];\n");
    let Some(built) = build.build(file, &(prologue + &text)).built else { return observed };
    let runnable = Runnable::new(&built.program, &built.engine);
    let mut found: Vec<States> =
        places.iter().map(|it| States { names: known(it).to_vec(), values: Vec::new() }).collect();
    for test in tests.iter().take(MOST_TESTS) {
        let most = 20 * test.instructions + 10_000;
        let seen = runnable.run(&test.input, &[], most, stop).seen;
        let mut rest = &seen[..];
        while let Some((&number, after)) = rest.split_first() {
            let Some(states) = found.get_mut(number as usize) else { break };
            let Some((values, after)) = after.split_at_checked(states.names.len()) else { break };
            states.values.push(values.iter().map(|it| *it as i64).collect());
            rest = after;
        }
    }
    for (place, mut states) in places.iter().zip(found) {
        states.values.sort();
        states.values.dedup();
        observed.statements.insert(syntax.range(place.statement), states);
    }
    observed
}

/// How often each statement noted something.
const COUNTS: &str = "whydunit_noted";

fn known(place: &Place) -> &[String] {
    &place.names[..place.names.len().min(MOST_NUMBERS)]
}

/// What is written before a statement.
fn notes(syntax: &Syntax, number: usize, place: &Place) -> Vec<Replacement> {
    let range = syntax.range(place.statement);
    let values = known(place).iter();
    let values: Vec<String> =
        values.map(|it| format!("{SEEN}((unsigned long long)({it}));")).collect();
    let note = format!(
        "if ({COUNTS}[{number}]++ < {MOST_STATES}) {{ {SEEN}({number}ull); {} }} ",
        values.concat()
    );
    let put = |at: u32, new: String| Replacement { range: Range::at(at), new };
    match place.in_block {
        true => vec![put(range.start, note)],
        false if syntax.kind(place.statement) == Node::Declare => Vec::new(),
        false => vec![put(range.start, format!("{{ {note}")), put(range.end, " }".to_owned())],
    }
}
