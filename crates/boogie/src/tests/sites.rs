//! Statements as the user sees them: which text they are, and whom we trust.

use program::{FailureKind, Program, Statement, Trust};

use crate::read;

/// Each edge as its text, what its span covers, and a mark if it is trusted or fails.
fn edges(text: &str) -> Vec<String> {
    let program = read("test.bpl", text).unwrap();
    let show = |edge: &program::Edge| {
        let site = program.site(edge.site);
        let covered = site.span.map_or("-", |span| program.file(span).slice(span));
        let trusted = if site.trust == Trust::Trusted { "trusted " } else { "" };
        let fails = if edge.to == Program::ERROR { " fails" } else { "" };
        format!("{trusted}{} | {covered}{fails}", site.text)
    };
    program.edges.iter().map(show).collect()
}

fn expect(text: &str, expected: &[&str]) {
    assert_eq!(edges(text), expected, "{text}");
}

#[test]
fn plain_statements() {
    expect(
        "procedure main() { var x, y: int; x := 1 +\n  y ; havoc x; assume x > 0; return; }",
        &[
            "x := 1 + y | x := 1 +\n  y",
            "havoc x | havoc x",
            "assume x > 0 | assume x > 0",
            "return | return",
        ],
    );
    expect(
        "procedure main() { var x, y: int; x, y := 1, 2; havoc x, y; }",
        &["x := 1 | x", "y := 2 | y", "havoc x | x", "havoc y | y", "trusted } | }"],
    );
    expect(
        "procedure main() { var x: int; x := {:trusted} 1; assume {:trusted} (x > 0); }",
        &[
            "trusted x := 1 | x := {:trusted} 1",
            "trusted assume x > 0 | assume {:trusted} (x > 0)",
            "trusted } | }",
        ],
    );
}

#[test]
fn conditions() {
    expect(
        "procedure main() { var x: int; if (x > 0 /* why */ && true) { } while ((x < 0)) { } }",
        &[
            "x > 0 && true | x > 0 /* why */ && true",
            "x > 0 && true | x > 0 /* why */ && true",
            "x < 0 | x < 0",
            "x < 0 | x < 0",
            "trusted } | }",
        ],
    );
}

#[test]
fn specifications() {
    expect(
        "var g: int where g > 0;
         procedure main() returns (r: int) requires g > 1; ensures r > g; free ensures r > 2;
         { while (*) invariant r > 3; { } return; }",
        &[
            "trusted where g > 0 | g > 0",
            "trusted requires g > 1 | requires g > 1",
            "invariant r > 3 | invariant r > 3 fails",
            "invariant r > 3 | invariant r > 3",
            "invariant r > 3 | invariant r > 3 fails",
            "invariant r > 3 | invariant r > 3",
            "ensures r > g | ensures r > g fails",
            "ensures r > g | ensures r > g",
            "trusted ensures r > 2 | free ensures r > 2",
            "return | return",
        ],
    );
}

#[test]
fn temporaries_only_where_needed() {
    let locals = |text: &str| -> Vec<String> {
        let program = read("test.bpl", text).unwrap();
        let procedure = program.procedure(program.entries[0]);
        procedure.locals.iter().map(|&local| program.name(local).to_owned()).collect()
    };
    let table: &[(&str, &[&str])] = &[
        ("x, y := y, y;", &["x", "y", "m"]),
        ("x, y := y, x; x, y := y, x + 1;", &["x", "y", "m", "y#new"]),
        ("x, m[x] := 1, 2;", &["x", "y", "m", "m#index0"]),
        ("m[x], x := 1, m[2];", &["x", "y", "m", "x#new"]),
        ("x := old(g) + old(x);", &["x", "y", "m", "old#g"]),
        ("call x := p(y);", &["x", "y", "m"]),
        ("call x := p(x);", &["x", "y", "m", "p#n"]),
        ("call x := q(x);", &["x", "y", "m", "q#old#g"]),
    ];
    for (statements, expected) in table {
        let text = format!(
            "var g: int; procedure p(n: int) returns (r: int); ensures r > n + old(g);
             procedure q(n: int) returns (r: int); modifies g; ensures g > old(g);
             procedure main() {{ var x, y: int, m: [int]int; {statements} }}"
        );
        assert_eq!(&locals(&text), expected, "{statements}");
    }
}

#[test]
fn kinds_and_messages() {
    let text = "procedure p(x: int) requires x > 0; { }
        procedure main() returns (r: int) ensures {:msg \"r\", 10, \"s\"} r > 0;
        { call p(r); assert {:kind \"invariant\"} r > 111111111111111111111111111111111111111 + 22222222222222222222222222222222222222222222222; }";
    let program = read("test.bpl", text).unwrap();
    let fails = program.edges.iter().filter(|edge| edge.to == Program::ERROR);
    let properties: Vec<_> =
        fails.map(|edge| program.site(edge.site).property.clone().unwrap()).collect();
    let found: Vec<_> = properties.iter().map(|p| (p.kind, p.message.as_str())).collect();
    let expected = [
        (FailureKind::Precondition, "precondition `x > 0` of `p` is violated"),
        (
            FailureKind::Invariant,
            "invariant `r > 111111111111111111111111111111111111111 + 2222222222222222222222222222222222…` is violated",
        ),
        (FailureKind::Postcondition, "r\ns"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn several_implementations_are_a_choice() {
    let text = "procedure p() returns (r: int);
        implementation p() returns (r: int) { r := 1; }
        implementation p() returns (r: int) { r := 2; }
        procedure main() { var x: int; call x := p(); }";
    let program = read("test.bpl", text).unwrap();
    let main = program.procedure(program.entries[0]);
    let calls = program.out_edges(main.entry).map(|(_, edge)| &edge.statement);
    assert_eq!(calls.filter(|call| matches!(call, Statement::Call { .. })).count(), 2);
}
