use llvm::syntax::syntax;

use super::*;
use crate::edit::applied;

fn edits(text: &str) -> Vec<(Kind, String)> {
    let is_boogie = text.starts_with("var") || text.starts_with("procedure");
    let (tree, dialect) = match is_boogie {
        true => (boogie::syntax::syntax(text), Dialect::Boogie),
        false => (syntax(text, &[]), Dialect::C),
    };
    let weights = Weights::default();
    let given = Given {
        syntax: &tree,
        file: 0,
        dialect,
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

const METER: &str = "var total: int;\nprocedure main(amount: int, fast: bool)\n  requires amount > 0;\n  modifies \
                     total;\n{\n  var fee: int;\n  var is_free: bool;\n  is_free := amount mod 2 == 0 && fast;\n  fee := \
                     -2;\n  if (!fast) {\n    fee := fee * (amount + 1);\n  }\n  total := amount - fee;\n  assert \
                     total <= amount;\n}\n";

#[test]
fn boogie_has_its_own_operators() {
    assert!(has(METER, Kind::Unary, "-2", "2"));
    assert!(has(METER, Kind::Arithmetic, "amount mod 2", "amount div 2"));
    assert!(has(METER, Kind::Logical, "&&", "||"));
    assert!(has(METER, Kind::Part, "amount + 1", "amount"));
    assert!(has(METER, Kind::Decision, "!fast", "true"));
    assert!(has(METER, Kind::Atom, "if (!fast", "if (!fast && !is_free"));
    assert!(has(METER, Kind::Offset, "amount - fee", "amount - fee + 1"));
}

#[test]
fn statements_of_boogie() {
    assert!(has(METER, Kind::Inserted, "  assert", "  fee := 0;\n  assert"));
    assert!(has(METER, Kind::Inserted, "  assert", "  is_free := true;\n  assert"));
    assert!(has(METER, Kind::Deleted, "  fee := -2;\n", ""));
    assert!(has(METER, Kind::Else, "total := amount - fee;", "else { total := amount - fee; }"));
    assert!(has(METER, Kind::Guard, "fee := -2;", "if (fast) { fee := -2; }"));
}

#[test]
fn what_boogie_claims_is_not_edited_and_parameters_are_not_assigned() {
    for (kind, text) in edits(METER) {
        let is_kept =
            text.contains("assert total <= amount;") && text.contains("requires amount > 0;");
        assert!(is_kept && !text.contains("amount :="), "{kind:?}: {text}");
    }
}

/// What the checker refuses would be tried for nothing.
#[test]
fn edits_of_boogie_are_programs() {
    let rest = "procedure more(n: int, a: [int]int, r: real) returns (m: int, q: real, b: [int]int)\n{\n  b := a;\n  m := \
                if n > 0 then a[n] else b[n - 1];\n  while (n < m && n > 0 && !(m == 3 || m == 4)) {\n    m := m div 2;\n    b[m] \
                := m;\n    if (m == 1) {\n      break;\n    } else if (m > n) {\n      q := r * 2.0 + r;\n    } else {\n      \
                call m, q, b := more(m, b, q);\n    }\n  }\n}\n";
    let text = format!("{METER}{rest}");
    let all = edits(&text);
    let refused: Vec<_> = all
        .iter()
        .filter_map(|(kind, new)| {
            let errors = boogie::read("test", new).err()?;
            let error =
                errors.first().map(|it| (it.message.clone(), new[it.span.range()].to_owned()));
            Some((*kind, error))
        })
        .collect();
    assert!(
        all.len() > 500 && refused.is_empty(),
        "{} of {}: {refused:?}",
        refused.len(),
        all.len()
    );
}
