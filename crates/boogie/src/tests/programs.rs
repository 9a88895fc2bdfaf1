//! Programs that are fine.

use super::parse_and_check;
use crate::ast::Declaration;
use crate::check::VariableKind;
use crate::{check, parse};

/// Uses about everything the language has.
pub(super) const SAMPLE: &str = include_str!("sample.bpl");

#[test]
fn the_sample_is_accepted() {
    let ast = parse(SAMPLE).unwrap();
    let checked = check(&ast).unwrap();
    assert!(checked.procedures.len() >= 4);
    let max = checked.procedure(checked.procedure_named("max").unwrap());
    assert_eq!(max.implementations.len(), 1);
    assert!(ast.body(max.implementations[0].declaration).is_some());
    assert!(ast.body(max.declaration).is_none());
}

#[test]
fn expressions_are_in_post_order() {
    let expressions = parse(SAMPLE).unwrap().expressions;
    let nodes = (0..expressions.len() as u32).map(crate::ast::ExprId);
    for id in nodes {
        let operands = expressions[id].kind.operands();
        let below = operands.iter().flat_map(|&id| expressions.subtree(id));
        let all: Vec<_> = below.chain([id]).collect();
        assert_eq!(all, expressions.subtree(id).collect::<Vec<_>>(), "{:?}", expressions[id]);
    }
}

#[test]
fn empty_programs() {
    for text in ["", "  \n", "// nothing", "/* /* */ */"] {
        assert!(parse_and_check(text).is_ok(), "{text:?}");
    }
}

#[test]
fn names_refer_to_the_innermost_declaration() {
    let text = "var x: int; procedure p() { var x: bool; x := true; } procedure q() { x := 1; }";
    let ast = parse(text).unwrap();
    let checked = check(&ast).unwrap();
    let kinds: Vec<_> = text
        .match_indices("x :=")
        .map(|(at, _)| {
            let span = crate::Span::new(at as u32, at as u32 + 1);
            checked.variable(checked.variable_at(span).unwrap()).kind
        })
        .collect();
    assert_eq!(kinds, [VariableKind::Local, VariableKind::Global]);
}

#[test]
fn a_missing_modifies_clause_is_no_error() {
    assert!(parse_and_check("var g: int; procedure p() { g := 1; havoc g; }").is_ok());
}

#[test]
fn attributes_are_kept_but_not_checked() {
    let text = "procedure {:entry} p() { assert {:msg \"a \\\"b\\\"\", nothing + 1} {:x} true; }";
    let ast = parse(text).unwrap();
    assert!(check(&ast).is_ok());
    let Declaration::Procedure(procedure) = &ast.declarations[0] else {
        panic!("{ast:?}");
    };
    assert_eq!(procedure.attributes[0].name.name, "entry");
    let statement = &procedure.body.as_ref().unwrap().statements[0];
    assert_eq!(statement.attributes.len(), 2);
    let crate::ast::AttributeArgument::Text { text, .. } = &statement.attributes[0].arguments[0]
    else {
        panic!("{statement:?}");
    };
    assert_eq!(text, "a \"b\"");
}

#[test]
fn every_expression_outside_attributes_has_a_type() {
    let text =
        "procedure p(x: int where x > 0) returns (y: int) ensures y == old(x) + 1; { y := x + 1; }";
    let ast = parse(text).unwrap();
    let checked = check(&ast).unwrap();
    for declaration in &ast.declarations {
        if let Declaration::Procedure(procedure) = declaration {
            let condition = procedure.parameters[0].condition.unwrap();
            for id in ast.expressions.subtree(condition) {
                checked.type_of(id);
            }
        }
    }
}
