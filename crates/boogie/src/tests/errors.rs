//! Programs that are wrong, and what is said about them.

use super::{expect_errors, parse_and_check};
use crate::ErrorKind::{Syntax, Type};
use crate::parse;

#[test]
fn syntax_errors() {
    expect_errors(&[
        ("procedure p() { x := 1 }", Syntax, "expected `;` after the assignment, found `}`", "}"),
        (
            "procedure p() { assert true }",
            Syntax,
            "expected `;` after the assertion, found `}`",
            "}",
        ),
        ("procedure p() { x := ; }", Syntax, "expected an expression, found `;`", ";"),
        (
            "procedure p() {",
            Syntax,
            "expected `}` to close the body, found the end of the file",
            "",
        ),
        ("procedure p() { x = 1; }", Syntax, "`=` is not an operator of Boogie", "="),
        ("procedure p() { x := a % b; }", Syntax, "`%` is not an operator of Boogie", "%"),
        ("procedure p() { x := €; }", Syntax, "the character `€` has no meaning in Boogie", "€"),
        ("procedure p() { f(x); }", Syntax, "expected `:=` after the variable, found `(`", "("),
        (
            "procedure p() { x := 1; var y: int; }",
            Syntax,
            "local variables must be declared at the beginning of the body",
            "var",
        ),
        (
            "procedure p() { { } }",
            Syntax,
            "a block can only be the body of an `if`, an `else` or a `while`",
            "{",
        ),
        ("procedure p() { if x > 1 { } }", Syntax, "expected `(` after `if`, found `x`", "x"),
        (
            "procedure p() { if (x) then { } }",
            Syntax,
            "an `if` statement has no `then`: write `if (condition) { … }`",
            "then",
        ),
        (
            "procedure p() { while (x) invariant y { } }",
            Syntax,
            "expected `;` after the invariant, found `{`",
            "{",
        ),
        ("procedure p() { else { } }", Syntax, "expected a statement, found `else`", "else"),
        ("procedure p() { goto; }", Syntax, "expected a label, found `;`", ";"),
        (
            "procedure p() { call a, b(); }",
            Syntax,
            "expected `:=` after the results of the call, found `(`",
            "(",
        ),
        ("procedure p(x) { }", Syntax, "expected `:` and a type after the name, found `)`", ")"),
        (
            "procedure p()",
            Syntax,
            "expected a body for the procedure, or `;` after its header, found the end of the file",
            "",
        ),
        (
            "procedure p(); { }",
            Syntax,
            "the `;` after the procedure says that it has no body, but a body follows",
            "{",
        ),
        (
            "procedure p() free modifies x; { }\nprocedure q() free { }",
            Syntax,
            "expected `requires` or `ensures` after `free`, found `{`",
            "{",
        ),
        (
            "procedure type() { }",
            Syntax,
            "expected the name of the procedure, found `type`",
            "type",
        ),
        (
            "var x: int := 5;",
            Syntax,
            "a declaration cannot assign a value: write the assignment as a statement of its own",
            ":=",
        ),
        ("var x;", Syntax, "expected `:` and a type after the name, found `;`", ";"),
        ("var x: 5;", Syntax, "expected a type, found `5`", "5"),
        ("x := 1;", Syntax, "expected a declaration, found `x`", "x"),
        ("axiom a && b || c;", Syntax, "`&&` and `||` cannot be mixed without parentheses", "||"),
        (
            "axiom a ==> b <== c;",
            Syntax,
            "`==>` and `<==` cannot be mixed without parentheses",
            "<==",
        ),
        (
            "axiom a < b <= c;",
            Syntax,
            "`<` and `<=` cannot be chained: use `&&` or parentheses",
            "<=",
        ),
        ("axiom (a + b;", Syntax, "expected `)` after the expression, found `;`", ";"),
        ("axiom m[1;", Syntax, "expected `]` after the index, found `;`", ";"),
        ("axiom f(1, );", Syntax, "expected an expression, found `)`", ")"),
        (
            "axiom if a then b;",
            Syntax,
            "expected `else` after the first value of the `if` expression, found `;`",
            ";",
        ),
        (
            "axiom x[y:0] == x;",
            Syntax,
            "the bounds of a bit-vector extraction must be integer literals",
            "y",
        ),
        (
            "axiom * + 1 == 2;",
            Syntax,
            "`*` has no value: it can only be the whole condition of an `if` or `while`",
            "*",
        ),
        ("axiom true; /* never", Syntax, "this comment is never closed by `*/`", "/*"),
        ("axiom {:a \"b} true;", Syntax, "this string is not closed on its line", "\"b} true;"),
        (
            "type A, B;",
            Syntax,
            "expected `;` after the type, found `,`: each type needs a declaration of its own",
            ",",
        ),
        (
            "function f(x: int);",
            Syntax,
            "expected `:` or `returns` and the type of the function's result, found `;`",
            ";",
        ),
        (
            "function f(x, y: int): int;",
            Syntax,
            "either all or none of the parameters of `f` must have a name and a type",
            "x",
        ),
        ("function f(int) returns (int, int);", Syntax, "a function has only one result", ","),
    ]);
}

#[test]
fn errors_of_names() {
    expect_errors(&[
        ("procedure p() { y := 1; }", Type, "unknown variable `y`", "y"),
        ("procedure p() { var x: int; x := x + yy; }", Type, "unknown variable `yy`", "yy"),
        ("var x: Ref;", Type, "unknown type `Ref`", "Ref"),
        ("type A = [int]B; type B = A;", Type, "the type synonym `A` refers to itself", "A"),
        ("axiom f(1);", Type, "unknown function `f`", "f"),
        (
            "procedure q(); procedure p() { var x: int; x := q(); }",
            Type,
            "`q` is a procedure, not a function",
            "q",
        ),
        ("procedure p() { call q(); }", Type, "unknown procedure `q`", "q"),
        ("implementation p() { }", Type, "unknown procedure `p`", "p"),
        ("procedure p() { goto A, end; A: }", Type, "unknown label `end`", "end"),
        (
            "procedure p() { goto A; if (*) { A: } }",
            Type,
            "`goto` cannot jump into the block with the label `A`",
            "A",
        ),
        ("procedure p() { A: A: }", Type, "the label `A` is already declared", "A"),
        ("procedure p() { break; }", Type, "`break` is not inside a loop", "break;"),
        (
            "procedure p() { A: return; while (*) { break A; } }",
            Type,
            "no `if` or `while` with the label `A` encloses this `break`",
            "A",
        ),
        ("procedure p() { while (*) { break B; } }", Type, "unknown label `B`", "B"),
        ("var x: int; const x: bool;", Type, "the variable `x` is already declared", "x"),
        ("procedure p(x: int) { var x: int; }", Type, "the variable `x` is already declared", "x"),
        ("procedure p(); procedure p();", Type, "the procedure `p` is already declared", "p"),
        ("procedure p(x: int) { x := 1; }", Type, "the parameter `x` cannot be changed", "x"),
        (
            "const c: int; procedure p() { havoc c; }",
            Type,
            "the constant `c` cannot be changed",
            "c",
        ),
        (
            "const c: int; procedure p(); modifies c;",
            Type,
            "`c` is a constant and cannot be modified",
            "c",
        ),
        (
            "var g: int; axiom g > 0;",
            Type,
            "an axiom cannot mention the variable `g`, only constants",
            "g",
        ),
        (
            "var g: int; function f(): int { g }",
            Type,
            "a function cannot mention the variable `g`, only its parameters and constants",
            "g",
        ),
        (
            "procedure p() returns (r: int); requires r > 0;",
            Type,
            "the result `r` has no value in a precondition",
            "r",
        ),
        (
            "var g: int; procedure p(); requires old(g) > 0;",
            Type,
            "`old` can only be used in postconditions and bodies",
            "old(g)",
        ),
        (
            "procedure p() { var x: int; x, x := 1, 2; }",
            Type,
            "`x` is assigned twice by one statement",
            "x",
        ),
    ]);
}

#[test]
fn errors_of_types() {
    const GLOBALS: &str = "var i: int, r: real, b: bool, v: bv8, m: [int]bool, n: [int, int]int;
        function f(int): bool; procedure q(x: int) returns (y: bool);";
    let table = [
        ("i := b;", "`i` is int, but this value is bool", "b"),
        ("m[i] := i;", "the element of `m` is bool, but this value is int", "i"),
        ("m[b] := b;", "`m` is a map from int to bool and cannot be indexed by bool", "b"),
        ("b := m[b];", "`m` is a map from int to bool and cannot be indexed by bool", "b"),
        ("b := i[1];", "`i` is int and cannot be indexed", "i"),
        ("b := m[1, 2];", "`m` is a map from int to bool and takes 1 index, but 2 are given", "m"),
        (
            "n[1][2] := 3;",
            "`n` is a map from int, int to int and takes 2 indices, but 1 is given",
            "n",
        ),
        ("m := m[1 := 2];", "`m` is a map from int to bool and cannot hold int", "2"),
        ("i := i + b;", "`+` needs int or real, but `b` is bool", "b"),
        ("i := i + v;", "`+` needs int or real, but `v` is bv8", "v"),
        ("r := i + r;", "`+` cannot mix int and real", "+"),
        ("r := r mod 2.0;", "`mod` needs int, but `r` is real", "r"),
        ("i := i / 2;", "`i` is int, but this value is real", "i / 2"),
        ("b := i && b;", "`&&` needs bool, but `i` is int", "i"),
        ("b := !i;", "`!` needs bool, but `i` is int", "i"),
        ("b := -b;", "`-` needs int or real, but `b` is bool", "b"),
        ("b := i == r;", "int cannot be compared with real", "=="),
        ("b := f(b);", "argument 1 of `f` must be int, but this is bool", "b"),
        ("b := f(1, 2);", "`f` takes 1 argument, but 2 are given", "f"),
        ("call b := q(b);", "argument 1 of `q` must be int, but this is bool", "b"),
        ("call i := q(1);", "`i` is int, but result 1 of `q` is bool", "i"),
        ("call q(1);", "`q` has 1 result, but none is assigned to", "q"),
        ("assert i;", "an assertion must be bool, but this is int", "i"),
        ("if (i + 1) { }", "the condition of an `if` must be bool, but this is int", "i + 1"),
        ("while (*) invariant 5; { }", "an invariant must be bool, but this is int", "5"),
        ("i := if i then 1 else 2;", "the condition of an `if` must be bool, but this is int", "i"),
        (
            "i := if b then 1 else b;",
            "the values of an `if` must have the same type, but they are int and bool",
            "b",
        ),
        ("i, b := 1;", "2 variables cannot be assigned: only 1 value is given", "i, b"),
        ("v := v[9:1];", "`[9:1]` is outside of a bit-vector of 8 bits", "v[9:1]"),
        ("v := v[3:3];", "`[3:3]` extracts no bits: the upper bound is excluded", "v[3:3]"),
        ("v := i[3:0];", "only bits of a bit-vector can be extracted, but `i` is int", "i"),
        ("v := v ++ i;", "`++` needs bit-vectors, but `i` is int", "i"),
        ("v := 256bv8;", "this number does not fit into 8 bits", "256bv8"),
        ("i := int(i);", "`int` needs real, but `i` is int", "i"),
        ("i := (r: int);", "`r` is real, not int", "r"),
    ];
    let programs: Vec<String> = table
        .iter()
        .map(|(statement, ..)| format!("{GLOBALS} procedure p() {{ {statement} }}"))
        .collect();
    let rows: Vec<_> = programs
        .iter()
        .zip(table)
        .map(|(program, (_, message, at))| (program.as_str(), Type, message, at))
        .collect();
    expect_errors(&rows);
}

#[test]
fn errors_of_declarations() {
    expect_errors(&[
        ("var x: int where x;", Type, "a `where` clause must be bool, but this is int", "x"),
        (
            "function f(x: int): bool { x }",
            Type,
            "the result of `f` is bool, but its body is int",
            "x",
        ),
        (
            "function f(int): int { 1 }",
            Type,
            "the parameters of `f` need names, as it has a body",
            "f",
        ),
        (
            "procedure p(x: int); implementation p(x: int, y: int) { }",
            Type,
            "the procedure `p` has 1 parameter, but this implementation has 2",
            "p",
        ),
        (
            "procedure p(x: int); implementation p(y: bool) { }",
            Type,
            "the parameter `y` is bool here, but int in the procedure",
            "y",
        ),
        (
            "function {:bvbuiltin \"bvadd\"} f(bv8, bv9): bv8;",
            Type,
            "`bvadd` cannot be applied to (bv8, bv9)",
            "\"bvadd\"",
        ),
        (
            "function {:bvbuiltin \"zero_extend 8\"} f(bv8): bv32;",
            Type,
            "the result of `zero_extend 8` is bv16 here, not bv32",
            "\"zero_extend 8\"",
        ),
        (
            "function {:bvbuiltin} f(bv8): bv8;",
            Type,
            "this attribute needs one string, the name of an SMT-LIB function",
            "{:bvbuiltin}",
        ),
        (
            "function {:bvbuiltin \"bvneg\"} f(x: bv8): bv8 { x }",
            Type,
            "the built-in function `f` cannot have a body",
            "x",
        ),
    ]);
}

#[test]
fn help() {
    let table = [
        ("procedure p() { x = 1; }", "use `:=` to assign and `==` to compare"),
        ("procedure if() { }", "`if` is a keyword; write `\\if` to use it as a name"),
        ("procedure p() { var count: int; cuont := 1; }", "did you mean `count`?"),
        ("procedure p() { f(x); }", "a procedure is called by `call f(…)`"),
        ("axiom 1 + 1.5 > 2.0;", "convert one side by `real(…)` or `int(…)`"),
    ];
    for (text, help) in table {
        let errors = parse_and_check(text).unwrap_err();
        assert_eq!(errors[0].help.as_deref(), Some(help), "{text}");
    }
}

#[test]
fn every_declaration_has_its_errors() {
    let text = "procedure p() { x := ; }\nfunction f(;\nvar z: int;\naxiom true;\naxiom 1 + ;";
    let found: Vec<_> = parse(text)
        .unwrap_err()
        .iter()
        .map(|error| text[..error.span.start as usize].lines().count())
        .collect();
    assert_eq!(found, [1, 2, 5]);
}

#[test]
fn one_mistake_is_reported_once() {
    for text in [
        "procedure p() { var x: Nope; x := x + 1; call p(); x := f(x); } function f(n: Nope): int;",
        "axiom a + 1 > 2 && b; const b: bool;",
    ] {
        let errors = parse_and_check(text).unwrap_err();
        let messages: Vec<_> = errors.iter().map(|error| &error.message).collect();
        let unknown = messages.iter().filter(|m| m.starts_with("unknown")).count();
        assert_eq!(unknown, messages.len(), "{messages:?}");
    }
}
