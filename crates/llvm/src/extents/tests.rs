//! Where clang really puts its positions, and what we make of them.

use super::*;
use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// An instruction of textual IR that has a position.
struct Instruction {
    text: String,
    at: (u32, u32),
    /// The position of the value that a branch tests.
    tested: Option<(u32, u32)>,
}

fn ir(source: &str) -> String {
    let mut clang = Command::new("clang-22")
        .args(["-w", "-O0", "-g", "-S", "-emit-llvm"])
        .args(["-std=gnu89", "-x", "c", "-", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    clang.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    let output = clang.wait_with_output().unwrap();
    assert!(output.status.success(), "{source}");
    String::from_utf8(output.stdout).unwrap()
}

fn instructions(source: &str) -> Vec<Instruction> {
    let ir = ir(source);
    let number = |text: &str, key: &str| -> u32 {
        let after = text.split_once(key).map_or("0", |(_, after)| after);
        after.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
    };
    let mut locations = HashMap::new();
    for line in ir.lines() {
        if let Some((name, text)) = line.split_once(" = ")
            && text.contains("!DILocation(")
        {
            locations.insert(name, (number(text, "line: "), number(text, "column: ")));
        }
    }
    let mut values = HashMap::new();
    let mut found = Vec::new();
    let mut opened = None;
    for line in ir.lines() {
        if line.starts_with("define") {
            values.clear();
        }
        let Some((text, name)) = line.split_once(", !dbg ") else {
            // The list of a `switch` ends lines later, with the position.
            opened = line.trim_start().starts_with("switch ").then_some(line).or(opened);
            continue;
        };
        let text = if text.trim() == "]" { opened.take().unwrap() } else { text }.trim();
        let Some(at) = locations.get(name.split(',').next().unwrap()).copied() else { continue };
        let text = match text.split_once(" = ") {
            Some((value, text)) => {
                values.insert(value, at);
                text
            }
            None => text,
        };
        let operand = text.strip_prefix("br i1 ").and_then(|rest| rest.split(',').next());
        let tested = operand.and_then(|operand| values.get(operand)).copied();
        found.push(Instruction { text: text.to_owned(), at, tested });
    }
    found
}

/// What the instructions that begin so are about, each once; `-` for nothing.
fn texts(source: &str, opcode: &str, role: Role) -> Vec<String> {
    let extents = Extents::new(source);
    let mut texts: Vec<String> = Vec::new();
    for instruction in instructions(source).iter().filter(|one| one.text.starts_with(opcode)) {
        let (line, column) = instruction.at;
        let extent = match (role, instruction.tested) {
            (Role::Condition, Some(tested)) if tested.0 > 0 => {
                extents.find_condition(instruction.at, tested)
            }
            _ => extents.find(line, column, role),
        };
        let text = extent.map_or("-".to_owned(), |extent| extent.text);
        if texts.last() != Some(&text) {
            texts.push(text);
        }
    }
    texts
}

const PRELUDE: &str = "\
extern void stop(void) __attribute__((noreturn)); extern void abort(void);
#define assert(c) ((c) ? (void) 0 : stop())
#define CHECK(c) if (!(c)) stop()
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SET(x, y) x = y
#define NEXT n = n + 1
#define LIMIT n > 3
#define TWICE(x) g(x, 2)
#define LOOP(i, n) for (i = 0; i < n; i++)
#define BACK return
typedef struct { int x, y, z[3]; } P;
typedef struct { P a, b; } Q;
int g(int a, int b); P make(int); int take(P); int (*fp)(int, int); struct F { int (*fp)(int); };
";

/// The body of a function, with a line before and after.
fn function(body: &str) -> String {
    let parameters = "int n, int m, int *p, P *s, int c[3][4], struct F *h";
    format!("{PRELUDE}int f({parameters}) {{\n{body}\n}}\n")
}

fn check(opcode: &str, role: Role, table: &[(&str, &[&str])]) {
    let problems: Vec<String> = table
        .iter()
        .filter_map(|(body, expected)| {
            let found = texts(&function(body), opcode, role);
            (found != *expected).then(|| format!("{body}\n  {found:?}\n  {expected:?}"))
        })
        .collect();
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn stores() {
    check(
        "store",
        Role::Assign,
        &[
            ("n = m + 1;", &["n = m + 1"]),
            ("n += m * 2;", &["n += m * 2"]),
            ("n <<= 2; n /= m;", &["n <<= 2", "n /= m"]),
            ("n++; ++n; m--; --m;", &["n++", "++n", "m--", "--m"]),
            // The grammar takes the operators before for parts of what is changed.
            (
                "m = !n--; m = - -s->x++; m = !*p++;",
                &["n--", "m = !n--", "s->x++", "m = - -s->x++", "p++", "m = !*p++"],
            ),
            ("n = m = 3;", &["m = 3", "n = m = 3"]),
            ("p[n++] = m--;", &["m--", "n++", "p[n++] = m--"]),
            ("*p++ = *p;", &["p++", "*p++ = *p"]),
            ("(*p)++; (n) = 2; *(p) = 1;", &["(*p)++", "(n) = 2", "*(p) = 1"]),
            (
                "s->x = n; s[n].z[m] -= 3; (*s).y = 2;",
                &["s->x = n", "s[n].z[m] -= 3", "(*s).y = 2"],
            ),
            ("int x = 5, y, z = n + 1;", &["x = 5", "z = n + 1"]),
            ("char *t = \"a  b\", (*u)[3] = 0;", &["t = \"a  b\"", "(*u)[3] = 0"]),
            ("int x[3] = { 1, n, m + 2 };", &["x[3] = { 1, n, m + 2 }"]),
            ("P a[2] = { { n, m }, { .y = n } };", &["a[2] = { { n, m }, { .y = n } }"]),
            (
                "Q q = { .b = { .y = n, .z = { [2] = m } } };",
                &["q = { .b = { .y = n, .z = { [2] = m } } }"],
            ),
            ("*s = (P){n, m};", &["*s = (P){n, m}"]),
            ("take((P){n, m});", &["(P){n, m}"]),
            ("for (n = 0, m = 1; n < 3; n += 2) m = 5;", &["n = 0", "m = 1", "m = 5", "n += 2"]),
            ("for (int i = 0; i < 3; i++) ;", &["i = 0", "i++"]),
            ("if ((n = m) > 3) n = 1; else n = 2;", &["n = m", "n = 1", "n = 2"]),
            ("switch (n) { case 1: n = 2; default: m = 1; }", &["n = 2", "m = 1"]),
            ("n = m ? n = 1 : 2;", &["n = 1", "n = m ? n = 1 : 2"]),
            ("n = /* why */\n  m\t+\n  // because\n  1;", &["n = m + 1"]),
            ("SET(n, 3); NEXT;", &["SET(n, 3)", "NEXT"]),
            ("n = MAX(n++, m);", &["n++", "n = MAX(n++, m)"]),
            ("return n;", &[]),
            ("if (n) return 1; return 2;", &["-"]),
            ("int v[n];", &["-"]),
            ("label: n = 1; goto label;", &["n = 1"]),
            ("#if 0\nn = 2;\n#else\nn = 1;\n#endif", &["n = 1"]),
        ],
    );
    assert_eq!(
        texts("old(a, b) char *a; { b = 1; a++; }", "store", Role::Assign),
        ["b = 1", "a++"]
    );
}

#[test]
fn copies_of_structures() {
    check(
        "call void @llvm.mem",
        Role::Assign,
        &[
            ("P a, b; a = b;", &["a = b"]),
            ("P a; a = *s; *s = s[n];", &["a = *s", "*s = s[n]"]),
            ("P a = *s, b = s[1];", &["a = *s", "b = s[1]"]),
            ("P a; a = n ? *s : s[1];", &["a = n ? *s : s[1]"]),
            ("P a; a = (n++, *s);", &["a = (n++, *s)"]),
            ("Q q = { *s, s[1] };", &["q = { *s, s[1] }"]),
            ("Q q; q.a = s->x ? *s : *s;", &["q.a = s->x ? *s : *s"]),
            ("*s = (P){n, m};", &["*s = (P){n, m}"]),
            ("int zeros[10] = {0}; char t[] = \"abc\";", &["zeros[10] = {0}", "t[] = \"abc\""]),
        ],
    );
    check("call void @make", Role::Call, &[("P a; a = make(3);", &["make(3)"])]);
    check("call void @make", Role::Assign, &[("P a; a = make(3);", &["a = make(3)"])]);
}

#[test]
fn conditions() {
    check(
        "br i1",
        Role::Condition,
        &[
            ("if (n > 3) m = 1;", &["n > 3"]),
            ("if (n) m = 1; if (!n) m = 2;", &["n", "!n"]),
            ("if ((n > 3)) m = 1; if ((n)) m = 2;", &["n > 3", "n"]),
            ("if (p[n]) m = 1; if (s->x) m = 1; if (*p) m = 1;", &["p[n]", "s->x", "*p"]),
            ("if (s[n].z[2]) m = 1; if (n & 1) m = 1;", &["s[n].z[2]", "n & 1"]),
            ("if (n++) m = 1; if (!m--) m = 1; if (-n) m = 1;", &["n++", "!m--", "-n"]),
            ("if ((char)n) m = 1; if (n, m) m = 1;", &["(char)n", "n, m"]),
            ("if (g(n, m)) m = 1; if (fp(1, 2)) m = 1;", &["g(n, m)", "fp(1, 2)"]),
            ("if ((n = g(n, 1)) != 0) m = 1;", &["(n = g(n, 1)) != 0"]),
            ("if (n == 1) m = 1; else if (n < 2) m = 2;", &["n == 1", "n < 2"]),
            ("while (n < 3) n++; while (p) p++;", &["n < 3", "p"]),
            ("do { n--; } while (n > 0);", &["n > 0"]),
            ("do n--; while (n);", &["n"]),
            ("do\n  n--;\nwhile (n - m);", &["n - m"]),
            ("for (n = 0; n < m; n++) m--;", &["n < m"]),
            ("for (; p; ) p++;", &["p"]),
            ("n = m > 3 ? g(n, m) : -m;", &["m > 3"]),
            ("n = (m) ? g(n, m) : -m;", &["m"]),
            ("n = n ? m ? g(1, 1) : g(2, 2) : 3;", &["n", "m"]),
            ("n = g(1, 1) ?: m;", &["g(1, 1)"]),
            ("if (n > 3 && m < 2) m = 1;", &["n > 3", "m < 2"]),
            ("if ((n && m) || p) m = 1;", &["n", "m", "p"]),
            ("if (n > 1 || m > 2 || !p) m = 1;", &["n > 1", "m > 2", "!p"]),
            ("if (n && (m || !p)) m = 1;", &["n", "m", "!p"]),
            ("if (!n-- && m) m = 1; while (!n--) m = 1;", &["!n--", "m", "!n--"]),
            ("if (!(n && m)) m = 1;", &["n", "m"]),
            ("if (n ? m : p[1]) m = 1;", &["n", "m", "p[1]"]),
            ("n = (n || m) ? g(1, 1) : 2;", &["n", "m"]),
            ("n = n > 1 && m;", &["n > 1"]),
            ("return n || m;", &["n"]),
            // The value of `&&` is tested as a whole.
            ("while (n && m) n--;", &["n", "n && m"]),
            ("for (; n && m; ) n--;", &["n", "n && m"]),
            ("do n--; while (n && m);", &["n", "n && m"]),
            ("assert(n > 0);", &["n > 0"]),
            ("assert(n);", &["n"]),
            ("assert(n > 0 && m);", &["n > 0", "m"]),
            ("CHECK(n == 3); CHECK(n);", &["n == 3", "n"]),
            ("CHECK(n && m);", &["n", "m"]),
            ("n = MAX(n, m);", &["MAX(n, m)"]),
            ("if (MAX(n, m) > 3) m = 1;", &["MAX(n, m)", "MAX(n, m) > 3"]),
            ("if (LIMIT) m = 1; while (LIMIT) n--;", &["LIMIT"]),
            ("LOOP(n, 10) m = 1;", &["LOOP(n, 10)"]),
        ],
    );
    check(
        "switch",
        Role::Condition,
        &[
            ("switch (n + m) { case 1: m = 2; }", &["n + m"]),
            ("switch (g(1, 2)) { case 1: m = 2; }", &["g(1, 2)"]),
            ("switch (n) { case 1: switch (m) { case 2: m = 3; } }", &["n", "m"]),
        ],
    );
}

#[test]
fn calls_and_returns() {
    check(
        "call i32",
        Role::Call,
        &[
            ("g(n, m); n = g(g(1, n), m + 2);", &["g(n, m)", "g(1, n)", "g(g(1, n), m + 2)"]),
            ("fp(1, 2); (*fp)(n, m);", &["fp(1, 2)", "(*fp)(n, m)"]),
            ("h->fp(n); (h->fp)(n); (*h).fp(n);", &["h->fp(n)", "(h->fp)(n)", "(*h).fp(n)"]),
            ("n = TWICE(m);", &["TWICE(m)"]),
            ("g(n,\n  m);", &["g(n, m)"]),
        ],
    );
    let calls = "g(n + 1, /* why */ m); fp(g(1, 2), n ? 1 : m); h->fp('a');";
    check("call i32", Role::Argument(0), &[(calls, &["n + 1", "1", "g(1, 2)", "'a'"])]);
    check("call i32", Role::Argument(1), &[(calls, &["m", "2", "n ? 1 : m", "-"])]);
    check(
        "ret",
        Role::Return,
        &[
            ("return n + 1;", &["return n + 1"]),
            ("return\n  n;", &["return n"]),
            ("return g(n, m) /* so */ ;", &["return g(n, m)"]),
            ("if (n) return 1; return 2;", &["-"]),
        ],
    );
    check("store", Role::Return, &[("if (n) return 1; return m;", &["return 1", "return m"])]);
    assert_eq!(texts("void f(int n) { n++; return; }", "ret", Role::Return), ["return"]);
    let copy =
        "typedef struct { int x[9]; } P; P f(P *p, int n) { if (n) return (*p); return p[n]; }";
    assert_eq!(texts(copy, "call void @llvm.mem", Role::Return), ["return (*p)", "return p[n]"]);
}

#[test]
fn operands() {
    check(
        "getelementptr",
        Role::Operand,
        &[
            ("n = p[m]; n = c[n][m]; p[1] = 2;", &["p[m]", "c[n][m]", "p[1]"]),
            ("n = s->y; n = s[n].y; n = s->z[m];", &["s->y", "s[n]", "s[n].y", "s->z", "s->z[m]"]),
            ("n = (*s).y; p = p + n; p += m; p++;", &["(*s).y", "p + n", "p += m", "p++"]),
            ("n = *(p + n);", &["*(p + n)"]),
            ("p = &p[n]; n = MAX(p[n], m);", &["p[n]"]),
            ("n = g(1, p[g(n, p[m])]);", &["p[m]", "p[g(n, p[m])]"]),
        ],
    );
    check("load i32", Role::Operand, &[("*p; p[2]; s->x; n;", &["*p", "p[2]", "s->x", "n", "-"])]);
    let arithmetic = "n = n / m + 1; n = (n + m) / 3; n /= m; n = n / m / p[1];";
    let divided: &[&str] = &["n / m", "(n + m) / 3", "n /= m", "n / m", "n / m / p[1]"];
    check("sdiv", Role::Operand, &[(arithmetic, divided)]);
    check("add", Role::Operand, &[("n = n + m; n += 2; n++;", &["n + m", "n += 2", "n++"])]);
    check("shl", Role::Operand, &[("n = 1 << n; n <<= m;", &["1 << n", "n <<= m"])]);
    check(
        "sub",
        Role::Operand,
        &[("n = -n; n = n - -m; n = -m++;", &["-n", "-m", "n - -m", "-m++"])],
    );
    check("icmp", Role::Operand, &[("n = n < m; while (p) p++;", &["n < m", "p"])]);
    check("call i32", Role::Operand, &[("fp(1, 2);", &["fp(1, 2)"])]);
}

const ROLES: [Role; 7] = [
    Role::Assign,
    Role::Condition,
    Role::Argument(0),
    Role::Argument(7),
    Role::Return,
    Role::Call,
    Role::Operand,
];

/// Asks everything about every position, and some that do not exist.
fn ask_everywhere(text: &str) {
    let extents = Extents::new(text);
    for line in [0, 1, 2, 3, u32::MAX] {
        for column in (0..text.len() as u32 + 3).chain([u32::MAX]) {
            for role in ROLES {
                if let Some(extent) = extents.find(line, column, role) {
                    assert!(extent.start < extent.end && extent.end <= text.len(), "{extent:?}");
                }
            }
            extents.find_condition((line, column), (1, column / 2));
        }
    }
}

#[test]
fn any_text_can_be_asked() {
    for text in [
        "",
        "\n",
        "\r\n\r",
        "ä",
        "int f( { if ( && ) x = ; } while",
        "x = = y; return return; a[; f(,); (P){,}; do while (",
        "int f() { s = \"ä\u{1f600}\t\\\"; x = 'ä'; // ü\r\n\tif (ä && b) ä++; }",
        "\u{0}\u{feff}int x;",
        "} ) ] */ \" ' \\",
    ] {
        ask_everywhere(text);
    }
    // Every prefix of a program is a text as well.
    let program = "int f(int n) { for (int i = 0; i < n && !p; i++) s->x[i] = g((P){1}, c ? 1 : 2); return n; }";
    for end in 0..program.len() {
        ask_everywhere(&program[..end]);
    }
}

#[test]
fn positions_are_bytes_and_lines_end_as_they_like() {
    let find = |text: &str, line, column| {
        Extents::new(text).find(line, column, Role::Assign).map(|extent| extent.text)
    };
    assert_eq!(find("f() {\r\n\tn = 1;\r\n}", 2, 4).as_deref(), Some("n = 1"));
    assert_eq!(find("f() {\r\tn = 1;\r}", 2, 4).as_deref(), Some("n = 1"));
    assert_eq!(find("f() { /* ä */ n = 1; }", 1, 18).as_deref(), Some("n = 1"));
    assert_eq!(find("f() {\n n = 1; }", 1, 10), None, "a column does not reach into the next line");
    let extent = Extents::new("f() { n  = 1; }").find(1, 10, Role::Assign).unwrap();
    assert_eq!((extent.start, extent.end), (6, 12));
}

#[test]
fn large_and_deep_texts_are_no_problem() {
    let deep = 20_000;
    let text = format!("int f(int n) {{ n = {}n{}; }}", "(".repeat(deep), ")".repeat(deep));
    let extents = Extents::new(&text);
    let assigned = extents.find(1, 18, Role::Assign).unwrap();
    assert_eq!(assigned.end - assigned.start, 2 * deep + 5);
    let inner = u32::try_from(19 + deep + 1).unwrap();
    assert_eq!(extents.find(1, inner, Role::Operand).unwrap().text, "n");
    let chain = format!("int f(int n) {{ if (n{}) n = 1; }}", " && n".repeat(deep));
    let tested = u32::try_from(chain.find(" && n) n").unwrap()).unwrap();
    let condition = Extents::new(&chain).find_condition((1, tested + 2), (1, tested)).unwrap();
    assert_eq!(condition.text, "n");

    let functions = 20_000;
    let text = "int f(int n) {\n  if (n > 3) n = 1;\n  return n;\n}\n".repeat(functions);
    let extents = Extents::new(&text);
    for function in 0..functions as u32 {
        let condition = extents.find(4 * function + 2, 9, Role::Condition).unwrap();
        assert_eq!(condition.text, "n > 3");
    }
}
