use crate::edit::applied;
use llvm::syntax::syntax;

use super::*;
use crate::generate::{Given, generate};
use crate::kinds::Weights;

const PROGRAM: &str = "#include <stdio.h>\n#define LIMIT 10\nstatic int table[3] = {1, 2, 3};\nint f(int a, int b)\n{\n    int \
                       best = a, i;\n    for (i = 0; i < LIMIT; i++) {\n        if (a > b)\n            best = a;\n        if \
                       (b > a) /* larger */\n            best = b;\n        table[i % 3] += best;\n    }\n    switch (a) \
                       {\n    case 1:\n        return 2;\n    default:\n        break;\n    }\n    while (a-- > 0)\n        \
                       b++;\n    printf(\"%d\\n\", best);\n    return a > 3 ? b : best;\n}\n";

fn all(text: &str) -> (Vec<Edit>, Schema) {
    let tree = syntax(text, &[]);
    let weights = Weights::default();
    let given = Given {
        syntax: &tree,
        file: 0,
        dialect: Dialect::C,
        weights: &weights,
        may_edit: &|_| true,
        is_executed: &|_| true,
    };
    let edits: Vec<_> = generate(&given).into_iter().map(|(_, it)| it).collect();
    let numbers: Vec<usize> = (0..edits.len()).collect();
    let schema = schema(&tree, Dialect::C, &edits, &numbers, &[]);
    (edits, schema)
}

#[test]
fn most_edits_have_a_chunk() {
    let (edits, schema) = all(PROGRAM);
    let chosen = schema.choices.iter().filter(|it| !it.is_empty()).count();
    let apart: Vec<_> = edits
        .iter()
        .zip(&schema.choices)
        .filter(|(_, it)| it.is_empty())
        .map(|(edit, _)| (edit.kind, edit.replacements.clone()))
        .collect();
    assert!(chosen * 10 > edits.len() * 9, "{chosen} of {}: {apart:?}", edits.len());
}

#[test]
fn the_original_is_in_the_text_as_it_is() {
    let (_, schema) = all(PROGRAM);
    for (own, original, length) in &schema.kept {
        let (own, original, length) = (*own as usize, *original as usize, *length as usize);
        assert_eq!(schema.text[own..own + length], PROGRAM[original..original + length]);
    }
    let total: u32 = schema.kept.iter().map(|(_, _, length)| length).sum();
    assert_eq!(total as usize, PROGRAM.len());
    let mut last = 0;
    for (_, original, length) in &schema.kept {
        assert_eq!(*original, last);
        last = original + length;
    }
}

#[test]
fn lines_are_those_of_edits() {
    let (edits, schema) = all(PROGRAM);
    let mut seen = std::collections::BTreeSet::new();
    for line in 1..=schema.text.lines().count() as u32 {
        seen.extend(schema.edit_on_line(line));
    }
    let chosen = (0..edits.len()).filter(|it| !schema.choices[*it].is_empty());
    assert_eq!(seen, chosen.collect());
}

const LOOP: &str = "var sum: int;\nprocedure main(n: int, up: bool)\n{\n  var i: int;\n  var m: [int]int;\n  i := 0;\n  sum \
                    := 0;\n  while (i < n)\n    invariant i >= 0;\n  {\n    m[i] := i * 2;\n    if (i == 2) {\n      sum := \
                    sum + m[i];\n    } else if (up && i > 2) {\n      sum := sum + 1; // more\n    } else {\n      sum := \
                    sum - 1;\n    }\n    i := i + 1;\n  }\n  assert sum == n;\n  call twice(n);\n}\nprocedure \
                    twice(n: int)\n  modifies sum;\n{\n  sum := sum * 2;\n  if (sum > 3) { return; }\n  sum := 3;\n  assert \
                    sum != 4;\n}\n";

/// Each choice does what its edit does in a text of its own.
#[test]
fn choices_of_boogie_are_edits() {
    use std::collections::BTreeMap;

    use crate::answers::Answers;
    use crate::build::Engine;
    use crate::plain::Plain;
    use crate::runs::{End, Input, Runnable};

    let tree = boogie::syntax::syntax(LOOP);
    let weights = Weights::default();
    let given = Given {
        syntax: &tree,
        file: 0,
        dialect: Dialect::Boogie,
        weights: &weights,
        may_edit: &|_| true,
        is_executed: &|_| true,
    };
    let edits: Vec<_> = generate(&given).into_iter().map(|(_, it)| it).collect();
    let numbers: Vec<usize> = (0..edits.len()).collect();
    let schema = schema(&tree, Dialect::Boogie, &edits, &numbers, &[]);
    let chosen = schema.choices.iter().filter(|it| !it.is_empty()).count();
    assert!(chosen * 10 > edits.len() * 9, "{chosen} of {}", edits.len());
    let entry = program::ProcedureId(0);
    let answers = |n: i64, up: bool| {
        let values = [("n", term::Value::int(n)), ("up", term::Value::Bool(up))];
        let initial: BTreeMap<_, _> =
            values.into_iter().map(|(name, value)| ((0, format!("main:{name}")), value)).collect();
        Input::Answers(Answers { entry, initial, unset: 7, havocs: Vec::new(), ways: Vec::new() })
    };
    let inputs = [answers(0, true), answers(1, false), answers(4, true), answers(6, false)];
    let made = |text: &str| {
        let program = boogie::read("test", text).unwrap_or_else(|it| panic!("{it:?}:\n{text}"));
        let engine = Engine::Plain(Plain::new(&program));
        (program, engine)
    };
    let ends = |(program, engine): &(program::Program, Engine), choices: &[Choice]| {
        let runnable = Runnable::new(program, engine);
        let stop = program::Stop::default();
        let end = |input| match runnable.run(input, choices, 40_000, &stop).end {
            End::Failed { kind, .. } => format!("{kind:?}"),
            other => format!("{other:?}"),
        };
        inputs.each_ref().map(end)
    };
    let (original, all) = (made(LOOP), made(&schema.text));
    assert_eq!(ends(&original, &[]), ends(&all, &[]));
    for (edit, choices) in edits.iter().zip(&schema.choices).filter(|(_, it)| !it.is_empty()) {
        let text = applied(LOOP, &edit.replacements);
        assert_eq!(ends(&made(&text), &[]), ends(&all, choices), "{:?}:\n{text}", edit.kind);
    }
}
