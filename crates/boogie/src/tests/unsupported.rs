//! Programs that are Boogie, but too much for us, and what is said about them.

use super::expect_errors;
use crate::ErrorKind::Unsupported;

#[test]
fn constructs() {
    let table = [
        (
            "axiom (forall x: int :: x > 0);",
            "`forall` is not supported: whydunit handles quantifier-free programs",
            "forall",
        ),
        (
            "axiom (∃ x: int • x > 0);",
            "`∃` is not supported: whydunit handles quantifier-free programs",
            "∃",
        ),
        (
            "axiom (lambda x: int :: x)[1] == 1;",
            "`lambda` is not supported: whydunit handles no functions as values",
            "lambda",
        ),
        ("axiom (let x := 1; x) > 0;", "`let` expressions are not supported", "let"),
        ("axiom 2 ** 3 == 8;", "the power operator `**` is not supported", "**"),
        ("axiom a <: b;", "`<:` is not supported: whydunit has no order of constants", "<:"),
        ("axiom x == \"a\";", "strings are supported in attributes only", "\"a\""),
        (
            "axiom x == 0x1.8e0f24e8;",
            "the floating-point number `0x1.8e0f24e8` is not supported",
            "0x1.8e0f24e8",
        ),
        ("axiom |{ A: return true; }|;", "code expressions `|{ … }|` are not supported", "|{"),
        ("axiom x->f == 1;", "datatypes are not supported, nor is the field access `->`", "->"),
        ("axiom x is Cons;", "datatypes are not supported, nor is the test `is`", "is"),
        ("axiom m[] == 1;", "maps without an index are not supported", "]"),
        (
            "const a: T extends b;",
            "`extends` is not supported: whydunit has no order of constants",
            "extends",
        ),
        ("type Seq a;", "type constructors with arguments such as `Seq` are not supported", "a"),
        (
            "var x: Seq int;",
            "type constructors with arguments such as `Seq` are not supported",
            "int",
        ),
        (
            "var x: <a>[Field a]a;",
            "type parameters `<…>` are not supported: whydunit handles no polymorphism",
            "<",
        ),
        (
            "function f<a>(x: a): a;",
            "type parameters `<…>` are not supported: whydunit handles no polymorphism",
            "<",
        ),
        (
            "procedure p<a>(x: a);",
            "type parameters `<…>` are not supported: whydunit handles no polymorphism",
            "<",
        ),
        ("var x: []int;", "maps without an index are not supported", "]"),
        ("var x: float24e8;", "the type `float24e8` is not supported", "float24e8"),
        ("var x: string;", "the type `string` is not supported", "string"),
        (
            "var x: bv256;",
            "bit-vectors of 256 bits are not supported: the width must be from 1 to 128",
            "bv256",
        ),
        (
            "var x: bv0;",
            "bit-vectors of 0 bits are not supported: the width must be from 1 to 128",
            "bv0",
        ),
        (
            "const x: bv100; axiom x ++ x == x ++ x;",
            "bit-vectors of 200 bits are not supported: the width must be from 1 to 128",
            "++",
        ),
        (
            "datatype List { Nil(), Cons(head: int, tail: List) }",
            "`datatype` declarations are not supported",
            "datatype",
        ),
        (
            "type {:datatype} List;",
            "types with the attribute `:datatype` are not supported",
            "{:datatype}",
        ),
        ("yield procedure p();", "`yield` declarations are not supported", "yield"),
        ("invariant x > 0;", "global invariants are not supported", "invariant"),
        ("procedure p(); preserves x > 0;", "`preserves` clauses are not supported", "preserves"),
        ("procedure p() { yield; }", "`yield` statements are not supported", "yield"),
        ("procedure p() { par a := q() | b := q(); }", "`par` statements are not supported", "par"),
        ("procedure p() { async call q(); }", "`async` statements are not supported", "async"),
        ("procedure p() { fork 1 q(); }", "`fork` statements are not supported", "fork"),
        ("procedure p() { atomic { } }", "`atomic` statements are not supported", "atomic"),
        ("procedure p() { call forall q(*); }", "`call forall` is not supported", "forall"),
        (
            "function f(x: int): int { if x == 0 then 0 else f(x - 1) }",
            "the function `f` is recursive, which is not supported",
            "f",
        ),
        (
            "function { :builtin \"fp.add\" } f(int): int; axiom f(1) == 1;",
            "`f` stands for the built-in `fp.add`, which is not supported",
            "f",
        ),
        (
            "axiom 1e99999999 > 1.0;",
            "numbers of more than 10000 digits are not supported",
            "1e99999999",
        ),
    ];
    let rows: Vec<_> =
        table.iter().map(|&(text, message, at)| (text, Unsupported, message, at)).collect();
    expect_errors(&rows);
}
