use llvm::syntax::syntax;

use super::*;
use crate::edit::applied;

fn edits(text: &str) -> Vec<(Kind, String)> {
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
    generate(&given).into_iter().map(|(_, it)| (it.kind, applied(text, &it.replacements))).collect()
}

fn has(text: &str, kind: Kind, old: &str, new: &str) -> bool {
    assert!(text.contains(old), "{old}");
    let wanted = text.replacen(old, new, 1);
    let found = edits(text);
    if let Some((other, _)) = found.iter().find(|(_, it)| *it == wanted) {
        assert_eq!(*other, kind, "{old}: {new}");
    }
    found.contains(&(kind, wanted))
}

const TRIANGLE: &str = "static const char *kind(int a, int b, int c)\n{\n    if (a == b || a == c)\n        return \
                        \"isosceles\";\n    return \"scalene\";\n}\n";

#[test]
fn names_operators_and_constants() {
    assert!(has(TRIANGLE, Kind::Name, "a == c", "b == c"));
    assert!(has(TRIANGLE, Kind::Relational, "a == c", "a != c"));
    assert!(has(TRIANGLE, Kind::Logical, "||", "&&"));
    assert!(has(TRIANGLE, Kind::Part, "a == b || a == c", "a == c"));
    assert!(has(TRIANGLE, Kind::Atom, "a == b || a == c", "a == b || a == c || b == c"));
    assert!(has(TRIANGLE, Kind::Atom, "a == b || a == c", "(a == b || a == c) && a > 0"));
}

#[test]
fn parentheses_only_where_they_are_needed() {
    let text =
        "int f(int a, int b, int c)\n{\n    int d = a - b / c;\n    return a * (b + c);\n}\n";
    assert!(has(text, Kind::Arithmetic, "b / c", "b * c"));
    assert!(has(text, Kind::Arithmetic, "a - b / c", "a + b / c"));
    assert!(has(text, Kind::Arithmetic, "a - b / c", "a * (b / c)"));
    assert!(has(text, Kind::Regrouped, "a - b / c", "(a - b) / c"));
    assert!(has(text, Kind::Regrouped, "a * (b + c)", "a * b + c"));
    assert!(has(text, Kind::Part, "a * (b + c)", "(b + c)"));
    assert!(has(text, Kind::Swapped, "b / c", "c / b"));
}

#[test]
fn statements() {
    let text = "int g(int n);\nint f(int n, int *p)\n{\n    int s = 0;\n    for (int i = 0; i < n; i++)\n        s += \
                p[i];\n    if (n > 2)\n        s = 1;\n    else\n        s = 2;\n    g(s);\n    return s;\n}\n";
    assert!(has(text, Kind::Deleted, "    g(s);\n", ""));
    assert!(has(text, Kind::Guard, "g(s);", "if (n > 2) g(s);"));
    assert!(has(text, Kind::Jump, "    g(s);\n", "    return s;\n    g(s);\n"));
    assert!(has(text, Kind::Jump, "s += p[i];", "{ break; s += p[i]; }"));
    assert!(has(text, Kind::Inserted, "    g(s);\n", "    s++;\n    g(s);\n"));
    assert!(has(text, Kind::Offset, "i < n", "i < n - 1"));
    assert!(has(text, Kind::Update, "i++", "i--"));
    assert!(has(text, Kind::Index, "p[i]", "p[i - 1]"));
    assert!(has(text, Kind::Assignment, "s += p", "s = p"));
    assert!(has(
        text,
        Kind::Branches,
        "s = 1;\n    else\n        s = 2;",
        "s = 2;\n    else\n        s = 1;"
    ));
}

#[test]
fn declarations() {
    let text = "int f(void)\n{\n    int n, a[10];\n    scanf(\"%d\", &n);\n    return a[n];\n}\n";
    assert!(has(text, Kind::Initialised, "int n,", "int n = 0,"));
    assert!(has(text, Kind::Size, "a[10]", "a[11]"));
    assert!(has(text, Kind::Initialised, "a[10]", "a[10] = {0}"));
    let wide = text.replace("int n,", "long long n,").replace("%d", "%lld");
    assert!(edits(text).contains(&(Kind::Type, wide)));
}

#[test]
fn what_is_claimed_is_not_edited() {
    let text = "int f(int a, int b)\n{\n    assert(a < b);\n    return a;\n}\n";
    assert!(edits(text).iter().all(|(_, new)| new.contains("assert(a < b);")), "the assertion");
    let text =
        "int f(int a, int b)\n{\n    if (a < b) {\n        abort();\n    }\n    return a;\n}\n";
    let check = "if (a < b) {\n        abort();\n    }";
    assert!(edits(text).iter().all(|(_, new)| new.contains(check)), "the check");
}

#[test]
fn line_ends_are_kept() {
    let text = "int f(int a)\r\n{\r\n\ta = 2;\r\n\treturn a;\r\n}\r\n";
    assert!(has(text, Kind::Inserted, "\treturn a;\r\n", "\ta++;\r\n\treturn a;\r\n"));
    assert!(has(text, Kind::Deleted, "\ta = 2;\r\n", ""));
}

#[test]
fn whatever_the_text_is_edits_fit() {
    for text in
        ["", "int f( {", "#define A(", "if (x", "int f(){ if(a) else b; }", "int f(){ x = ; y[; }"]
    {
        edits(text);
    }
}
