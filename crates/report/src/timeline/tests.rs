//! The time line of a small run.

use failure::{Failure, Inputs, Trace};
use program::{
    Builder, EdgeId, FailureKind, FileId, Language, Place, Program, Property, Site, SourceFile,
    Span, Statement, Trust,
};
use term::{Sort, Value};

use super::{Home, What, timeline};

const SOURCE: &str = "x := 2;\nif (x > 1)\ny := x + 3;\nassert y == 4;\n";

/// The site of a line.
fn site(line: usize, property: Option<Property>) -> Site {
    let before: usize = SOURCE.lines().take(line - 1).map(|line| line.len() + 1).sum();
    let text = SOURCE.lines().nth(line - 1).expect("a line").trim_end_matches(';');
    let (start, end) = (before as u32, (before + text.len()) as u32);
    let span = Some(Span { file: FileId(0), start, end });
    Site { span, text: text.to_owned(), trust: Trust::User, property }
}

/// Sets `x`, decides, sets `y` from `x`, and fails.
fn program() -> Program {
    let mut builder = Builder::new(Language::Boogie, vec![SourceFile::new("f.bpl", SOURCE)]);
    let x = builder.global("x", &Sort::Int);
    let y = builder.global("y", &Sort::Int);
    let main = builder.procedure("main");
    builder.enter_at(main);
    let [set, decide, add] = [1, 2, 3].map(|line| builder.site(site(line, None)));
    let property = Property { kind: FailureKind::Assertion, message: "fails".to_owned() };
    let check = builder.site(site(4, Some(property)));
    let at = [0; 4].map(|_| builder.location(main));
    let (entry, exit) = (builder.entry_of(main), builder.exit_of(main));
    let terms = &mut builder.terms;
    let [one, two, three, four] = [1, 2, 3, 4].map(|n| terms.constant(&Value::int(n)));
    let sum = terms.add(&[x, three]);
    let above = terms.lt(one, x);
    let holds = terms.eq(y, four);
    let (below, fails) = (terms.not(above), terms.not(holds));
    let assign = |variable, value| Statement::Assign { place: Place::variable(variable), value };
    let assume = |condition| Statement::Assume { condition };
    builder.edge(entry, at[0], assign(x, two), set);
    builder.edge(at[0], at[1], assume(above), decide);
    builder.edge(at[0], at[2], assume(below), decide);
    builder.edge(at[1], at[2], assign(y, sum), add);
    builder.edge(at[2], Program::ERROR, assume(fails), check);
    builder.edge(at[2], at[3], assume(holds), check);
    builder.edge(at[3], exit, Statement::Return, check);
    builder.finish().expect("a program")
}

/// The path that fails.
fn path(program: &Program) -> Vec<EdgeId> {
    let mut path = Vec::new();
    let mut at = program.procedure(program.entries[0]).entry;
    while at != Program::ERROR {
        let (id, edge) = program.out_edges(at).next().expect("a way");
        path.push(id);
        at = edge.to;
    }
    path
}

#[test]
fn what_happened_and_where_values_came_from() {
    let program = program();
    let trace = Trace::from_path(&program, program.entries[0], &path(&program));
    let failure = Failure::new(&program, trace, Inputs::default()).expect("a failure");
    let line = timeline(&failure);
    let told: Vec<String> = line.steps.iter().map(|step| line.sentence(step)).collect();
    assert_eq!(told, ["`x` = 2", "`if (x > 1)` held: 2 > 1", "`y` = 5", "`assert y == 4` failed"]);
    let what: Vec<What> = line.steps.iter().map(|step| step.what).collect();
    assert_eq!(what, [What::Assigned, What::Decided(Some(true)), What::Assigned, What::Failed]);
    let sources: Vec<&[u32]> = line.steps.iter().map(|step| step.sources.as_slice()).collect();
    assert_eq!(sources, [&[][..], &[0], &[0], &[2]]);
    let under: Vec<Option<u32>> = line.steps.iter().map(|step| step.under).collect();
    assert_eq!(under, [None, None, Some(1), None]);
    let numbers: Vec<u32> = line.steps.iter().map(|step| step.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    assert!(line.steps.iter().all(|step| step.is_needed));
    assert!(line.variables.iter().all(|variable| variable.home == Home::Global));
    let lines: Vec<u32> = line
        .steps
        .iter()
        .filter_map(|step| Some(line.spot(step)?.location.as_ref()?.start.line))
        .collect();
    assert_eq!(lines, [1, 2, 3, 4]);
}
