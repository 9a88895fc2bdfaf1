//! Programs that are run, and how they end.

use program::interpret::{Machine, Outcome, Zeros, run};
use program::{Program, Stop};

use super::round_trips::round_trip;
use crate::read;

/// Runs the program from its first entry, with zeros for all that is open.
pub(super) fn outcome(program: &Program) -> Outcome {
    let mut machine = Machine::new(program, program.entries[0], &mut Zeros);
    run(&mut machine, &mut Zeros, 100_000, &Stop::default(), &mut |_| {})
}

/// What a run ends with: a message for a failure.
fn ends(text: &str) -> String {
    let program = read("test.bpl", text).unwrap();
    round_trip(&program);
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

#[test]
fn control_flow() {
    expect(&[
        (
            "procedure main() { var i, s: int; i := 0; s := 0;
               while (i < 10) invariant s <= 45; free invariant i >= 0; { s := s + i; i := i + 1; }
               assert s == 45; assert i == 9; }",
            "assertion `i == 9` is violated",
        ),
        (
            "procedure main() { var i: int; i := 0;
               while (true) invariant i < 5; { i := i + 1; } }",
            "invariant `i < 5` is violated",
        ),
        (
            "procedure main() { var i, j: int; i := 0;
               outer: while (true) {
                 j := 0;
                 while (true) { j := j + 1; if (j == 3) { break; } if (i == 4) { break outer; } }
                 i := i + 1;
               }
               assert i == 4 && j == 1; assert false; }",
            "assertion `false` is violated",
        ),
        (
            "procedure main() { var x: int; x := 0;
               here: if (x == 0) { x := 1; break here; x := 2; } assert x == 1;
               goto B; A: assert x == 3; return; B: x := 3; goto A; }",
            "Finished",
        ),
        (
            "procedure main() { var x: int; x := 7;
               if (x < 0) { x := 1; } else if (x < 10) { x := 2; } else { x := 3; }
               assert x == 2; if (*) { x := 5; } assert x == 2; }",
            "assertion `x == 2` is violated",
        ),
        (
            "procedure main() { goto A, B; A: assume false; B: assert false; }",
            "assertion `false` is violated",
        ),
        ("procedure main() { goto A, B; B: assert false; A: }", "Finished"),
        ("procedure main() { while (*) { } }", "Finished"),
        ("procedure main() { A: goto A; }", "StepLimit"),
    ]);
}

#[test]
fn assignments() {
    expect(&[
        (
            "procedure main() { var x, y: int; x := 1; y := 2; x, y := y, x;
               assert x == 2 && y == 1; }",
            "Finished",
        ),
        (
            "procedure main() { var i: int, m, n: [int]int; i := 1; m[1] := 5; m[2] := 6;
               i, m[i], n[m[i]] := 2, m[2], i + 10;
               assert i == 2 && m[1] == 6 && n[5] == 11; }",
            "Finished",
        ),
        (
            "var h: [int, bool][int]int;
             procedure main() { h[1, true][2] := 3; h[1, false][2] := 4; h := h[7, true := h[1, true]];
               assert h[1, true][2] == 3 && h[1, false][2] == 4 && h[7, true][2] == 3;
               assert h[0, true][0] == 0 && h == h[7, true := h[7, true]]; }",
            "Finished",
        ),
        (
            "procedure main() { var x: int where x >= 0, y: bool; havoc x, y; assert x == 0; }",
            "Finished",
        ),
        ("procedure main() { var x: int where x > 0; havoc x; assert false; }", "Blocked"),
        ("var g: int where g > 0; procedure main() { assert false; }", "Blocked"),
    ]);
}

#[test]
fn expressions() {
    let table = [
        "1 + 2 * 3 - 4 == 3",
        "-7 div 2 == -4 && -7 mod 2 == 1",
        "7 / 2 == 3.5 && 7 / 2.0 == real(7) / real(2)",
        "int(-3.5) == -4 && real(3) == 3.0",
        "1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 2 && 1.5 < 1.75",
        "(false ==> true) && !(true ==> false) && (true <== false) && (true <==> true)",
        "(if 1 == 2 then 3 else 4) == 4",
        "5bv4 ++ 3bv4 == 83bv8 && 83bv8[8:4] == 5bv4",
        "add(250bv8, 10bv8) == 4bv8 && neg(1bv8) == 255bv8",
        "slt(255bv8, 0bv8) && !ult(255bv8, 0bv8)",
        "sext(255bv8) == 65535bv16 && zext(255bv8) == 255bv16",
        "twice(3) == 6 && inc2(inc2(1)) == 5",
        "everywhere(3)[9] == 3 && everywhere2(2)[1, 2] == 2",
        "a == 2 && true",
    ];
    for condition in table {
        let text = format!(
            r#"function {{:bvbuiltin "bvadd"}} add(x: bv8, y: bv8) returns (bv8);
            function {{:bvbuiltin "bvneg"}} neg(x: bv8) returns (bv8);
            function {{:bvbuiltin "bvslt"}} slt(x: bv8, y: bv8) returns (bool);
            function {{:bvbuiltin "bvult"}} ult(x: bv8, y: bv8) returns (bool);
            function {{:bvbuiltin "sign_extend 8"}} sext(x: bv8) returns (bv16);
            function {{:bvbuiltin "zero_extend 8"}} zext(x: bv8) returns (bv16);
            function {{:builtin "MapConst"}} everywhere(x: int) returns ([int]int);
            function {{:builtin "MapConst"}} everywhere2(x: int) returns ([int, int]int);
            function inc2(x: int): int {{ inc(inc(x)) }} function inc(x: int): int {{ x + 1 }}
            function twice(x: int): int {{ x + x }}
            procedure main() {{ var a: int; a := 2; assert {condition}; }}"#
        );
        assert_eq!(ends(&text), "Finished", "{condition}");
    }
}

#[test]
fn calls() {
    expect(&[
        (
            "procedure fact(n: int) returns (r: int) requires n >= 0; ensures r >= n;
             { if (n == 0) { r := 1; } else { call r := fact(n - 1); r := n * r; } }
             procedure main() { var x: int; call x := fact(20); assert x == 2432902008176640000; }",
            "Finished",
        ),
        (
            "procedure even(n: int) returns (b: bool)
             { if (n == 0) { b := true; return; } call b := odd(n - 1); }
             procedure odd(n: int) returns (b: bool)
             { if (n == 0) { b := false; return; } call b := even(n - 1); }
             procedure main() { var b: bool; call b := even(101); assert !b; call b := odd(7);
               assert !b; }",
            "assertion `!b` is violated",
        ),
        (
            "procedure p(n: int) requires n > 0; { } procedure main() { call p(1); call p(0); }",
            "precondition `n > 0` of `p` is violated",
        ),
        (
            "procedure main() returns (r: int) ensures r == 1; { r := 1; if (*) { r := 2; } }",
            "postcondition `r == 1` is violated",
        ),
        (
            "var g: int;
             procedure inc() returns (r: int) modifies g; ensures g == old(g) + 1;
             { g := g + 1; r := old(g); }
             procedure main() { var r: int; g := 5; call r := inc(); assert g == 6 && r == 5;
               assert old(g) == 0; g := old(g + 1); assert g == 1; }",
            "Finished",
        ),
        (
            "var g: int; procedure next(x: int) returns (y: int); requires x >= 0; modifies g;
               ensures y == x - x; ensures g == old(g);
             procedure main() { var x: int; g := 0; x := 3; call x := next(x); assert x == 0;
               call x := next(x - 1); }",
            "precondition `x >= 0` of `next` is violated",
        ),
        (
            "var g: int; procedure step(x: int) returns (y: int); modifies g;
               ensures y == x && g == old(g) + x;
             procedure main() { var a: int; a := 3; call a := step(a); assert false; }",
            "Blocked",
        ),
        (
            "procedure p(x: int) returns (y: int); ensures y > x;
             implementation p(a: int) returns (b: int) { b := a; }
             procedure main() { var x: int; call x := p(1); }",
            "postcondition `y > x` is violated",
        ),
    ]);
}

#[test]
fn constants() {
    expect(&[
        (
            "const c: int; axiom c == 0; procedure main() { assert c == 1; }",
            "assertion `c == 1` is violated",
        ),
        ("const c: int; axiom c == 1; procedure main() { assert false; }", "Blocked"),
        ("type T; const unique a, b: T; procedure main() { assert false; }", "Blocked"),
        (
            "type T; const a, b: T; procedure main() { assert a != b; }",
            "assertion `a != b` is violated",
        ),
        (
            "function f(int, bool): int; function c(): int;
             procedure main() { assert f(1, true) == c(); assert f(2, true) > 0; }",
            "assertion `f(2, true) > 0` is violated",
        ),
    ]);
}

#[test]
fn entries() {
    let table: &[(&str, &[&str])] = &[
        ("procedure p(); procedure main(); procedure q() { }", &["q"]),
        (
            "procedure a() { } procedure main() { } procedure ULTIMATE.start() { }",
            &["ULTIMATE.start"],
        ),
        ("procedure a() { } procedure main() { }", &["main"]),
        ("procedure a() { call b(); } procedure b() { } procedure c() { call c(); }", &["a", "c"]),
        ("procedure a() { call b(); } procedure b() { call a(); }", &["a"]),
        ("procedure {:entrypoint} a() { } procedure main() { }", &["a"]),
        ("procedure {:entrypoint 2} a() { } procedure {:entrypoint 1} b() { }", &["b", "a"]),
        ("procedure {:entrypoint false} main() { }", &[]),
        ("procedure p(); implementation p() { } implementation p() { }", &["p", "p"]),
        ("procedure p();", &[]),
        ("", &[]),
    ];
    for (text, expected) in table {
        let program = read("test.bpl", text).unwrap();
        round_trip(&program);
        let names: Vec<_> =
            program.entries.iter().map(|&id| program.procedure(id).name.as_str()).collect();
        assert_eq!(&names, expected, "{text}");
    }
}
