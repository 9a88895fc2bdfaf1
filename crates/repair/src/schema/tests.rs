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
