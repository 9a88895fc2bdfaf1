//! Entries of tables are statements, if it is certain what is whose.

use program::{Memory, Program, Statement};
use term::Value;

use super::program;

/// What is initialised: the text of the site, the text at its span, and the bits.
fn entries(program: &Program) -> Vec<(String, String, u128)> {
    let found = program.edges.iter().filter_map(|edge| {
        let Statement::Memory(Memory::Initialise { value, .. }) = edge.statement else {
            return None;
        };
        let site = program.site(edge.site);
        let span = site.span.expect("it is the user's");
        let source = &program.files[span.file.0 as usize].text;
        let text = source[span.start as usize..span.end as usize].to_owned();
        let Some(Value::BitVec(bits)) = program.terms.value(value) else { return None };
        Some((site.text.clone(), text, bits.unsigned()))
    });
    found.collect()
}

/// The same for the variable `t`, whose declarations these are.
fn of(declarations: &str) -> Vec<(String, String, u128)> {
    let text = format!("{declarations}\nint main(void) {{ return *(char *)&t; }}");
    entries(&program(&text))
}

fn names(declarations: &str) -> Vec<String> {
    of(declarations).into_iter().map(|(name, _, _)| name).collect()
}

#[test]
fn of_arrays() {
    let found = of("const int t[4] = { 1, /* two */ -2, 'c' };");
    let expected =
        [("t[0] = 1", "1", 1), ("t[1] = -2", "-2", 0xffff_fffe), ("t[2] = 'c'", "'c'", 99)];
    assert_eq!(found, expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c)));
    assert_eq!(names("int t = 7;"), ["t = 7"]);
    assert_eq!(names("float t[] = { 1, 2.5f };"), ["t[0] = 1", "t[1] = 2.5f"]);
    assert_eq!(
        names("short t[2][2] = { { 1 }, 3, 4 };"),
        ["t[0][0] = 1", "t[1][0] = 3", "t[1][1] = 4"]
    );
}

#[test]
fn of_designators() {
    assert_eq!(
        names("enum { A, B = 3, C }; char t[] = { [C] = 5, [A] = 6 };"),
        ["t[0] = 6", "t[4] = 5"]
    );
    // What is initialised again has its second value.
    assert_eq!(
        names("int t[9] = { [2 ... 4] = 8, [3] = 9, 10, 11 };"),
        ["t[2] = 8", "t[3] = 9", "t[4] = 10", "t[5] = 11"]
    );
    let list = "struct { int a; struct { double x; char y[2]; } b; } t[2]";
    assert_eq!(
        names(&format!("{list} = {{ [1] = {{ .b.y[1] = 2, .b.x = 1 }}, [0].a = 3 }};")),
        ["t[0].a = 3", "t[1].b.x = 1", "t[1].b.y[1] = 2"]
    );
    assert_eq!(
        names(&format!("{list} = {{ 1, 2, 3, 4, 5, {{ 6 }} }};")),
        [
            "t[0].a = 1",
            "t[0].b.x = 2",
            "t[0].b.y[0] = 3",
            "t[0].b.y[1] = 4",
            "t[1].a = 5",
            "t[1].b.x = 6"
        ]
    );
}

#[test]
fn of_what_is_not_certain_there_are_none() {
    for declarations in [
        "#define PAIR 1, 2\nint t[] = { PAIR, 3 };",
        "#define PAIR { 1, 2 }\nint t[][2] = { PAIR, PAIR };",
        "#define X(n) n,\nint t[] = { X(1) X(2) };",
        "int t[] = { 1,\n#if 1\n2\n#endif\n};",
        "struct { int a : 3, b : 5; } t = { 1, 2 };",
        "union { int a; char b; } t = { 1 };",
        "char t[] = \"text\";",
        "int t[3];",
    ] {
        assert_eq!(names(declarations), [""; 0], "{declarations}");
    }
    let many: Vec<String> = (1..=257).map(|n| n.to_string()).collect();
    assert_eq!(names(&format!("int t[] = {{ {} }};", many.join(", "))), [""; 0]);
    assert_eq!(names(&format!("int t[] = {{ {} }};", many[1..].join(", "))).len(), 256);
    // Addresses stay as they are.
    let found = names("int x; struct { int *p; int n; } t = { &x, 3 };");
    assert_eq!(found, ["t.n = 3"]);
}
