//! What reports say about C programs: values, places, executions and inputs, as C programmers write them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::path::Path;

use common::{finish, unwrapped, whydunit};
use serde_json::Value;

/// Runs whydunit on a program in a folder of its own; the report as text and as JSON.
fn report(name: &str, program: &str, options: &[&str]) -> (String, Value) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c-report-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("program.c"), program).unwrap();
    std::fs::write(folder.join("input.txt"), "3 \"x\"\n").unwrap();
    let run = |format: &str| {
        let mut command = whydunit();
        command.current_dir(&folder).args(["program.c", "--format", format]).args(options);
        let run = finish(&mut command).unwrap();
        // One technique alone may suspect nobody.
        assert!(matches!(run.status, Some(0 | 4)), "{}", run.stderr);
        run.stdout
    };
    (run("text"), serde_json::from_str(&run("json")).unwrap())
}

/// The last step of a statement.
fn step<'j>(report: &'j Value, statement: &str) -> &'j Value {
    let steps = report["diagnoses"]["relevance"]["steps"].as_array().unwrap();
    let mut found = steps.iter().filter(|step| step["statement"] == statement);
    found.next_back().unwrap_or_else(|| panic!("no `{statement}` in {steps:#?}"))
}

#[track_caller]
fn says(text: &str, part: &str) {
    assert!(unwrapped(text).contains(part), "`{part}` is not in\n{text}");
}

/// Whether the sentence about some suspect has this part.
fn says_of_a_suspect(json: &Value, part: &str) {
    let suspects = json["suspects"].as_array().unwrap().iter();
    let evidence = suspects.flat_map(|suspect| suspect["evidence"].as_array().unwrap());
    let mut texts = evidence.map(|evidence| evidence["text"].as_str().unwrap());
    assert!(texts.any(|text| text.contains(part)), "`{part}` is not in\n{json:#}");
}

const TYPES: &str = r#"#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
enum colour { RED, GREEN };
struct node { int value; struct node *next; };
static int twice(int n) { return 2 * n; }
int main(void)
{
    int a[5] = { 0 };
    const char *text = "hello";
    struct node *list = malloc(sizeof *list);
    unsigned large = 4000000000u;
    enum colour c = RED;
    char letter = 'a';
    bool ok = false;
    double half = 0.25;
    int *p = a;
    int (*f)(int) = twice;
    large = 4000000001u;
    c = GREEN;
    letter = 'b';
    ok = true;
    half = 0.5;
    p = &a[3];
    text = text + 2;
    list->value = 7;
    list->next = NULL;
    list->next = list;
    *p = f(21);
    assert(!(large == 4000000001u && c == GREEN && letter == 'b' && ok && half == 0.5 && a[3] == 42
             && *text == 'l' && list->value == 7 && list->next == list && f == twice));
    return 0;
}
"#;

#[test]
fn values_have_the_types_of_the_source() {
    let (text, json) = report("types", TYPES, &["--technique", "relevance"]);
    let line = TYPES.lines().position(|line| line.contains("malloc")).unwrap() + 1;
    let heap = format!("heap object allocated at line {line}");
    let expected = [
        ("large = 4000000001u", "large", "4000000000", "4000000001"),
        ("c = GREEN", "c", "RED", "GREEN"),
        ("letter = 'b'", "letter", "'a' (97)", "'b' (98)"),
        ("ok = true", "ok", "false", "true"),
        ("half = 0.5", "half", "0.25", "0.5"),
        ("p = &a[3]", "p", "&a[0]", "&a[3]"),
        ("text = text + 2", "text", "\"hello\"", "\"hello\" + 2"),
        ("list->next = list", "list->next", "NULL", &heap),
        ("*p = f(21)", "a[3]", "0", "42"),
    ];
    for (statement, variable, before, value) in expected {
        let step = step(&json, statement);
        let found = [&step["variable"], &step["before"], &step["value"]].map(|v| v.as_str());
        assert_eq!(found, [Some(variable), Some(before), Some(value)], "{statement}");
        assert_eq!((&step["function"], &step["depth"]), (&"main".into(), &0.into()));
    }
    // A declared variable had no value before.
    let declared = step(&json, "(*f)(int) = twice");
    assert_eq!((&declared["value"], &declared["before"]), (&"twice".into(), &Value::Null));
    says_of_a_suspect(&json, "it changed `c` from RED to GREEN; with `c = ");
    assert!(!text.contains("bv32"), "{text}");
    assert!(!text.contains("It fails with"), "there is no input:\n{text}");
}

const LOOP: &str = r#"#include <assert.h>
#include <stdlib.h>
static int largest(const int *a, int n)
{
    int best = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > best)
            best = i;
    return best;
}
int main(int argc, char **argv)
{
    int a[8];
    for (int i = 1; i < argc; i++)
        a[i - 1] = atoi(argv[i]);
    assert(largest(a, argc - 1) == 9);
    return 0;
}
"#;

#[test]
fn suspects_say_what_happened() {
    let (text, json) = report("loop", LOOP, &["--technique", "relevance", "--", "5", "9", "7"]);
    says(&text, "It fails with arguments 5 9 7.");
    let why = "it changed `best` from 1 to 2; with `best = 9` here, nothing fails";
    says_of_a_suspect(&json, why);
    says_of_a_suspect(&json, "in its 3rd execution, ");
    says_of_a_suspect(&json, "it returned 2; with `return 9` here, nothing fails");
    let input = &json["failure"]["input"];
    assert_eq!(input["arguments"], serde_json::json!(["5", "9", "7"]));
    assert_eq!((&input["stdin"], &input["initial"]), (&Value::Null, &serde_json::json!({})));
    let suspects = json["suspects"].as_array().unwrap();
    let best = suspects.iter().filter(|s| s["statement"] == "best = i").collect::<Vec<_>>();
    assert_eq!(best.len(), 1, "all executions are one suspect");
    assert_eq!(best[0]["executions"]["of"], 3);
    let inner = step(&json, "best = i");
    assert_eq!((&inner["function"], &inner["depth"]), (&"largest".into(), &1.into()));
    assert_eq!(inner["execution"], 3);
    let passed = step(&json, "argument `argc - 1` of `largest(a, argc - 1)`");
    let at = &passed["location"];
    assert_eq!((&at["line"], &at["column"]), (&16.into(), &23.into()));
    assert_eq!((&at["end_line"], &at["end_column"]), (&16.into(), &31.into()));
    assert_eq!((&passed["value"], &passed["function"]), (&"3".into(), &"main".into()));
    let steps = json["failure"]["steps"].as_u64().unwrap();
    let last = step(&json, "return best")["step"].as_u64().unwrap();
    assert!(last < steps, "{last} of {steps}");
}

#[test]
fn standard_input_and_empty_arguments() {
    let program = "#include <assert.h>\n#include <stdio.h>\nint main(int n, char **a)\n{\n    \
                   int x = 0;\n    scanf(\"%d\", &x);\n    assert(x != 3);\n    return n + !a;\n}\n";
    let (text, json) = report("stdin", program, &["--stdin", "input.txt", "--", "a b", ""]);
    says(&text, "It fails with arguments \"a b\" \"\", standard input \"3 \\\"x\\\"\\n\".");
    assert_eq!(json["failure"]["input"]["stdin"], "3 \"x\"\n");
    assert_eq!(json["failure"]["input"]["stdin_bytes"], 6);
}

#[test]
fn nondeterministic_values_have_names() {
    let program = "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint(void);\n\
                   extern char __VERIFIER_nondet_char(void);\nint main(void)\n{\n    \
                   unsigned n = __VERIFIER_nondet_uint();\n    char c = 0;\n    \
                   c = __VERIFIER_nondet_char();\n    \
                   if (n == 4000000000u && c == 'x')\n        assert(0);\n    return 0;\n}\n";
    let (text, json) = report("nondet", program, &[]);
    says(&text, "It fails with n = 4000000000 at line 6, c = 'x' (120) at line 8.");
    let havocs = &json["failure"]["input"]["havocs"];
    assert_eq!((&havocs[0]["variable"], &havocs[0]["value"]), (&"n".into(), &"4000000000".into()));
    assert_eq!(havocs[1]["location"]["line"], 8);
}

#[test]
fn bit_fields_are_assigned_with_their_neighbours() {
    let program = "#include <assert.h>\nstruct s { unsigned a : 3, b : 5; };\nint main(void)\n{\n    \
                   struct s s = { 1, 2 };\n    s.b = 9;\n    assert(s.b != 9);\n    return 0;\n}\n";
    let (text, json) = report("bits", program, &[]);
    says(&text, "s.b = 9");
    let why = "it changed `bits around s.b` from 0x11 to 0x49; with `bits around s.b = 0x";
    says_of_a_suspect(&json, why);
    assert_eq!(step(&json, "s.b = 9")["before"], "0x11");
}

const CAUSES: &str = r#"#include <assert.h>
#include <stdlib.h>
#include <string.h>
enum shape { ORDINARY, RIGHT };
struct sides { int a, b, c; };
static int area(const struct sides *s)
{
    enum shape shape = ORDINARY;
    int area = 0;
    if (s->a * s->a != s->b * s->b + s->c * s->c)
        shape = RIGHT;
    switch (shape) {
    case RIGHT:
        area = s->b * s->c / 2;
        break;
    default:
        area = 9;
    }
    return area;
}
int main(int argc, char **argv)
{
    struct sides s = { 0 };
    int total = 0;
    if (argc < 2 || strcmp(argv[1], "go") != 0)
        return 1;
    s.a = 6;
    s.b = 5;
    s.c = s.b - 1;
    for (int i = 0; i < 30; i++)
        total += i;
    assert(area(&s) + total == 444);
    return 0;
}
"#;

/// All entries of a tree of causes.
fn entries(report: &Value) -> Vec<Value> {
    let cascade = &report["diagnoses"]["cascade"];
    let mut open = vec![cascade["tree"].clone()];
    open.extend(cascade["deeper"].as_array().into_iter().flatten().cloned());
    let mut found = Vec::new();
    while let Some(entry) = open.pop() {
        open.extend(entry["children"].as_array().unwrap().iter().cloned());
        found.push(entry);
    }
    found
}

#[test]
fn causes_are_told_with_their_values() {
    let (text, json) = report("causes", CAUSES, &["--technique", "relevance,cascade", "--", "go"]);
    let line = |part: &str| CAUSES.lines().position(|line| line.contains(part)).unwrap() + 1;
    let entries = entries(&json);
    let at = |text: &str| {
        let found = entries.iter().find(|entry| entry["text"] == text);
        found.unwrap_or_else(|| panic!("no `{text}` in {json:#}"))
    };
    let condition = "s->a * s->a != s->b * s->b + s->c * s->c";
    let (mistake, switch) = (at(condition), at("shape"));
    assert_eq!(mistake["values"], "36 != 41");
    assert_eq!(mistake["held"], format!("`{condition}` held: 36 != 41"));
    assert_eq!(switch["held"], "`shape` was RIGHT");
    says(
        mistake["why"].as_str().unwrap(),
        &format!("Line {} set `s.c` to 4: `s.b - 1` with `s.b = 5`.", line("s.c = s.b")),
    );
    let (area, set) = (line("area = s->b"), line("shape = RIGHT"));
    let links = [
        format!("line {area} ran because at line {} `shape` was RIGHT", line("switch")),
        format!(", which line {set} set; line {set} ran because at line {}", line("!= s->b")),
        format!(" `{condition}` held: 36 != 41"),
    ];
    says(mistake["chain"].as_str().unwrap(), &links.concat());
    let root = at("area(&s) + total == 444");
    assert_eq!(root["values"], "445 == 444");
    let why = root["why"].as_str().unwrap();
    says(
        why,
        "executed 30 times, last changed `total` from 406 to 435: `total += i` with `i = 29`.",
    );
    says(why, "set `area` to 10: `s->b * s->c / 2` with ");
    let sentence = &root["influenced_by"].as_array().unwrap().iter().find_map(|influence| {
        (influence["id"] == switch["id"]).then(|| influence["sentence"].clone())
    });
    let expected =
        format!("line {} decides whether line {} is executed", line("switch"), line("area = s->b"));
    assert_eq!(*sentence, Some(Value::from(expected)));
    says(&text, "How it came about:");
    says(&text, "does not hold (445 == 444)");
    says(&text, "`shape` was RIGHT");
    let tree = text.split("How it came about:").nth(1).unwrap();
    assert!(
        tree.lines().take_while(|line| !line.is_empty()).all(|line| line.chars().count() <= 80)
    );
}

#[test]
fn a_call_of_trusted_code_is_told_by_its_result() {
    let program = "#include <assert.h>\n#include <string.h>\n\
                   int main(void)\n{\n    const char *word = \"pear\";\n    int found = 1;\n    \
                   if (strcmp(word, \"plum\") != 0)\n        found = 0;\n    assert(found);\n    \
                   return 0;\n}\n";
    let (text, json) = report("trusted", program, &["--technique", "cascade"]);
    says(&text, "`strcmp(word, \"plum\")` returned -");
    says(&text, "Line 7 passed \"pear\" (`word`) and \"plum\" to `strcmp`.");
    for entry in entries(&json) {
        let all = entry.to_string();
        assert!(!all.contains("object") && !all.contains('@'), "{all}");
    }
}

/// A file of the corpus.
fn corpus(name: &str) -> String {
    format!("{}/../../corpus/c/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_answer_fits_on_one_screen() {
    let programs: &[(&str, &[&str])] = &[
        ("paper5-fig1-triangle.c", &["6", "5", "4"]),
        ("bug-gcd.c", &["48", "36"]),
        ("cascade-struct-field.c", &[]),
        ("failure-double-free.c", &[]),
    ];
    for (name, arguments) in programs {
        let run = finish(whydunit().arg(corpus(name)).arg("--").args(*arguments)).unwrap();
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        let lines: Vec<&str> = run.stdout.lines().collect();
        assert!(lines.len() <= 50, "{} lines:\n{}", lines.len(), run.stdout);
        let is_wide = |line: &&&str| line.chars().count() > 80 && !line.contains("error:");
        assert_eq!(lines.iter().find(is_wide), None, "{}", run.stdout);
        let titles = ["Suspects, the most likely first:", "Most likely:"];
        assert!(titles.iter().any(|title| run.stdout.contains(title)), "{}", run.stdout);
        for title in ["How it came about:", "What to try next:"] {
            says(&run.stdout, title);
        }
    }
}

#[test]
fn more_or_fewer_suspects() {
    let (few, json) = report("top", LOOP, &["--top", "2", "--", "5", "9", "7"]);
    let is_first = |line: &&str| line.contains("  line ") && line.starts_with(' ');
    assert_eq!(few.lines().filter(is_first).count(), 2, "{few}");
    says(&few, "more suspects; --top all shows them.");
    let (all, _) = report("top", LOOP, &["--top", "all", "--", "5", "9", "7"]);
    let suspects = json["suspects"].as_array().unwrap().len();
    assert!(suspects > 2 && all.contains(&format!("\n{suspects:>2}  line ")), "{all}");
    assert!(!all.contains("more suspects"), "{all}");
}

#[test]
fn the_wrong_condition_of_the_triangle_is_among_the_first_three() {
    let mut command = whydunit();
    command.arg(corpus("paper5-fig1-triangle.c")).args(["--top", "3", "--", "6", "5", "4"]);
    let run = finish(&mut command).unwrap();
    says(&run.stdout, "line 19 | if (longest * longest != middle * middle + shortest * shortest)");
    says(&run.stdout, "held: 36 != 41");
}

#[test]
fn suspects_in_other_files_are_named_with_them() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-report-files");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("area.c"), "int area(int w, int h)\n{\n\treturn w + h;\n}\n")
        .unwrap();
    let main = "#include <assert.h>\nint area(int w, int h);\nint main(void)\n{\n\tassert(area(3, 4) == 12); /* ü */\n\treturn 0;\n}\n";
    std::fs::write(folder.join("main.c"), main).unwrap();
    let run = finish(whydunit().current_dir(&folder).args(["main.c", "area.c"])).unwrap();
    let text = run.stdout;
    assert!(
        text.starts_with("main.c:5:9: error: the assertion `area(3, 4) == 12` does not hold\n"),
        "{text}"
    );
    says(&text, "5 | assert(area(3, 4) == 12); /* ü */ | ^^^^^^^^^^^^^^^^ 7 == 12");
    says(&text, "1 area.c:3 - return w + h; + return w * h;");
}

/// What a condition reads was never set.
const UNSET: &str = "#include <assert.h>
int main(void)
{
    int found = 0, limit;
    if (limit > 2)
        found = 1;
    assert(found < 5);
    return 0;
}
";

#[test]
fn what_cannot_be_decided_is_forced() {
    let (text, json) = report("unset", UNSET, &["--technique=changes"]);
    assert_eq!(json["failure"]["kind"], "uninitialised");
    let found = json["diagnoses"]["changes"].as_array().unwrap();
    let decision = found.iter().find(|change| change["location"]["line"] == 5);
    assert_eq!(decision.unwrap()["instead"], "decides otherwise", "{json:#}");
    says(&text, "Changed in a real run, the failing run passes:");
    says(&text, "5 | limit > 2 decides otherwise");
}

/// The last element was never set. It is compared if all others have been what is looked for.
const UNSET_LAST: &str = "#include <assert.h>
int main(void)
{
    int marks[5], good = 0;
    for (int i = 0; i < 4; i++)
        marks[i] = 3;
    for (int i = 0; i < 5; i++) {
        if (i == 4 && good < 4)
            break;
        int mark = marks[i];
        if (mark == 1)
            good++;
    }
    assert(good == 5);
    return 0;
}
";

#[test]
fn all_executions_do_something_else() {
    let (_, json) = report("unset-last", UNSET_LAST, &["--technique=changes"]);
    let found = json["diagnoses"]["changes"].as_array().unwrap();
    let told = |line: u64| found.iter().find(|change| change["location"]["line"] == line);
    for line in [10, 11] {
        assert_eq!(told(line).unwrap()["executions"], 5, "{json:#}");
    }
}
