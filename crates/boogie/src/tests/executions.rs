//! Programs that are run, and how they end.

use program::interpret::{Machine, Outcome, Zeros, run};
use program::{Program, Stop};

use crate::read;

/// Runs the program from its first entry, with zeros for all that is open.
pub(super) fn outcome(program: &Program) -> Outcome {
    let mut machine = Machine::new(program, program.entries[0], &mut Zeros);
    run(&mut machine, &mut Zeros, 100_000, &Stop::default(), &mut |_| {})
}

/// What a run ends with: a message for a failure.
fn ends(text: &str) -> String {
    let program = read("test.bpl", text).unwrap();
    match outcome(&program) {
        Outcome::Failed(edge) => {
            let site = program.site(program.edge(edge).site);
            site.property.clone().unwrap().message
        }
        other => format!("{other:?}").split('(').next().unwrap_or("").to_owned(),
    }
}

fn expect(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(&ends(text), expected, "{text}");
    }
}

#[test]
fn plain_statements() {
    expect(&[
        ("procedure main() { }", "Finished"),
        ("procedure main() { var x: int; x := 1; assert x == 1; }", "Finished"),
        (
            "procedure main() { var x: int; x := 1;\n assert x\n  ==  2; }",
            "assertion `x == 2` is violated",
        ),
        ("procedure main() { assert {:msg \"too bad\"} false; }", "too bad"),
        ("procedure main() { assume false; assert false; }", "Blocked"),
        ("procedure main() { return; assert false; }", "Finished"),
        ("procedure main() { while (true) { } }", "StepLimit"),
    ]);
}
