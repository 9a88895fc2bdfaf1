//! Pages, opened in a browser: a script in each clicks, presses keys and looks at what is shown.
//!
//! The browser is Debian's Chromium, which ./test installs. `WHYDUNIT_SCREENSHOTS=FOLDER` keeps pictures.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of tests may panic, too

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use common::{finish_within, whydunit};

/// What every script of a test begins with. What is wrong is collected, and ends up as an attribute of the page.
const BEGIN: &str = include_str!("html/begin.js");

const END: &str = include_str!("html/end.js");

/// When to give up on a program.
const PATIENCE: Duration = Duration::from_secs(400);

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("html-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The page of a program.
fn page(folder: &Path, arguments: &[&str]) -> String {
    let mut command = whydunit();
    command.current_dir(folder).args(["--format", "html", "-o", "page.html"]);
    command.args(["--time-limit", "400s"]).args(arguments);
    let run = finish_within(&mut command, PATIENCE).unwrap();
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    std::fs::read_to_string(folder.join("page.html")).unwrap()
}

fn chromium(folder: &Path) -> Command {
    let mut command = Command::new("chromium");
    let profile = folder.join("profile");
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--no-first-run", "--disable-extensions", "--hide-scrollbars"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .env("HOME", folder)
        .stdin(Stdio::null());
    command
}

/// Opens a page with a script; the attributes of the page afterwards.
fn browse(folder: &Path, page: &str, script: &str, size: &str) -> String {
    let file = folder.join("tested.html");
    let script = format!("<script>\n{BEGIN}{script}{END}</script>\n</body>");
    std::fs::write(&file, page.replace("</body>", &script)).unwrap();
    let mut command = chromium(folder);
    command.arg(format!("--window-size={size}")).arg("--dump-dom").arg(&file);
    let run = finish_within(&mut command, PATIENCE).unwrap_or_else(|error| {
        panic!("{error}\nThis test needs Debian's package `chromium`, which ./test installs.")
    });
    run.stdout
}

/// How many milliseconds a page may take to open, and how often it may try.
const LONGEST: f64 = 2000.0;
const MOST_TRIES: usize = 4;

/// How many times longer everything takes, because the machine has other work to do.
fn busy() -> f64 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (load / cores as f64).max(1.0)
}

/// Opens a page with a script that finds nothing wrong.
#[track_caller]
fn passes(folder: &Path, page: &str, script: &str) {
    // Browsers that run at the same time would measure each other.
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut fastest = f64::INFINITY;
    for _ in 0..MOST_TRIES {
        let after = browse(folder, page, script, "1400,900");
        assert_eq!(attribute(&after, "wrong"), "nothing");
        fastest = fastest.min(attribute(&after, "opened").parse().unwrap());
        if fastest < LONGEST {
            break;
        }
    }
    assert!(fastest < LONGEST * busy(), "it took {fastest} ms to open");
    if let Ok(pictures) = std::env::var("WHYDUNIT_SCREENSHOTS") {
        picture(folder, page, Path::new(&pictures));
    }
}

static ALONE: Mutex<()> = Mutex::new(());

/// What a script has left behind.
fn attribute<'p>(page: &'p str, name: &str) -> &'p str {
    let begin = format!("data-{name}=\"");
    let after = page.split_once(&begin).unwrap_or_else(|| panic!("no answer: {page}")).1;
    after.split('"').next().unwrap()
}

/// Keeps pictures of each part of a page, light and dark.
fn picture(folder: &Path, page: &str, pictures: &Path) {
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    for theme in ["light", "dark"] {
        let file = folder.join("pictured.html");
        let script =
            format!("<script>document.documentElement.dataset.theme = '{theme}';</script></body>");
        std::fs::write(&file, page.replace("</body>", &script)).unwrap();
        for part in
            ["suspects", "fixes", "timeline", "causes", "invariants", "changes", "techniques"]
        {
            let picture = pictures.join(format!("{name}-{part}-{theme}.png"));
            let mut command = chromium(folder);
            command.arg("--window-size=1400,900");
            command.arg(format!("--screenshot={}", picture.display()));
            command.arg(format!("file://{}#/{part}", file.display()));
            finish_within(&mut command, PATIENCE).unwrap();
        }
    }
}

const TRIANGLE: &str = r#"#include <assert.h>
#include <stdlib.h>

static int area(int a, int b, int c)
{
    int kind = 0;
    if (a == b || b == c)
        kind = 1;
    if (a * a != b * b + c * c)
        kind = 2;
    return kind == 2 ? b * c / 2 : a;
}

int main(int argc, char **argv)
{
    int a = atoi(argv[1]);
    int b = atoi(argv[2]);
    int c = atoi(argv[3]);
    int found = area(a, b, c);
    assert(found == 9);
    return 0;
}
"#;

#[test]
fn a_c_program_with_all_techniques() {
    let folder = folder("triangle");
    std::fs::write(folder.join("triangle.c"), TRIANGLE).unwrap();
    let page = page(&folder, &["triangle.c", "--technique", "all", "--", "6", "5", "4"]);
    // Without scripts, the failure and the suspects are there.
    let plain = page.split("<script").next().unwrap();
    assert!(plain.contains("<ol class=\"suspects\">") && plain.contains("triangle.c:"), "{plain}");
    passes(&folder, &page, include_str!("html/triangle.js"));
}

#[test]
fn a_boogie_program() {
    let folder = folder("boogie");
    let program = "procedure main() {\n  var x, y: int;\n  havoc x;\n  y := 0;\n  if (x > 3) {\n    y := x - 4;\n  }\n  assert y < 1;\n}\n";
    std::fs::write(folder.join("p.bpl"), program).unwrap();
    let page = page(&folder, &["p.bpl", "--technique", "all"]);
    passes(&folder, &page, include_str!("html/boogie.js"));
}

#[test]
fn a_suite_with_a_spectrum() {
    let folder = folder("suite");
    let program = "#include <stdio.h>\nint main(void)\n{\n    int a = 0, b = 0;\n    if (scanf(\"%d %d\", &a, &b) != 2)\n        return 1;\n    int largest = a;\n    if (b > 5)\n        largest = b;\n    printf(\"%d\\n\", largest);\n    return 0;\n}\n";
    std::fs::write(folder.join("max.c"), program).unwrap();
    let tests = folder.join("tests");
    std::fs::create_dir_all(&tests).unwrap();
    for (name, given, expected) in [("one", "3 2", "3"), ("two", "1 9", "9"), ("three", "1 4", "4")]
    {
        std::fs::write(tests.join(format!("{name}.in")), format!("{given}\n")).unwrap();
        std::fs::write(tests.join(format!("{name}.out")), format!("{expected}\n")).unwrap();
    }
    let arguments = ["max.c", "--tests", "tests", "--technique", "all"];
    let (page, again) = (page(&folder, &arguments), page(&folder, &arguments));
    assert!(page == again, "the page differs from run to run");
    assert!(page.contains("3 tests: 2 passed, 1 failed."), "the tests are summed up");
    passes(&folder, &page, include_str!("html/suite.js"));
}

#[test]
fn a_long_run_of_a_long_program() {
    let folder = folder("long");
    let mut program = String::from("#include <assert.h>\n");
    for number in 0..1250 {
        program += &format!("int f{number}(int x)\n{{\n    return x + {number};\n}}\n");
    }
    program += "int main(void)\n{\n    unsigned sum = 0;\n    for (int i = 0; i < 33500; i++) {\n        sum += f7(i);\n    }\n    assert(sum == 0);\n    return 0;\n}\n";
    std::fs::write(folder.join("long.c"), &program).unwrap();
    assert!(program.lines().count() > 5000);
    let page = page(&folder, &["long.c", "--technique", "slice"]);
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
    passes(&folder, &page, include_str!("html/long.js"));
}

#[test]
fn text_of_programs_is_no_markup() {
    let folder = folder("markup");
    let program = "#include <assert.h>\n#include <string.h>\n// </script><b id=\"injected\">\nint main(void)\n{\n    const char *text = \"</script><b id='injected'>&amp;\\\"<!--\";\n    char copy[40];\n    strcpy(copy, text);\n    int length = (int)strlen(copy); /* `code` <img id=\"injected\" src=x> */\n    assert(length == 3 && \"</title></script><i id='injected'>\");\n    return 0;\n}\n";
    std::fs::write(folder.join("it's <b>.c"), program).unwrap();
    let page = page(&folder, &["it's <b>.c", "--technique", "all"]);
    passes(&folder, &page, include_str!("html/markup.js"));
}

/// The lines end as those of other systems do, and the patch that is copied is the one that `--fix` prints.
#[test]
fn fixes_can_be_copied() {
    let folder = folder("fixes");
    let program = "#include <assert.h>\r\nint main(void)\r\n{\r\n    int marks[3] = { 2, 5, 1 };\r\n    int sum = 0; // <b id='injected'>\r\n    for (int i = 0; i <= 3; i++)\r\n        sum += marks[i];\r\n    assert(sum == 8);\r\n    return 0;\r\n}\r\n";
    std::fs::write(folder.join("marks.c"), program).unwrap();
    let page = page(&folder, &["marks.c"]);
    let mut command = whydunit();
    command.current_dir(&folder).args(["marks.c", "--fix", "--quiet"]);
    let patch = finish_within(&mut command, PATIENCE).unwrap().stdout;
    assert!(patch.contains("+    for (int i = 0; i < 3; i++)\r\n"), "{patch:?}");
    let script = include_str!("html/fixes.js");
    let patch = serde_json::to_string(&patch).unwrap().replace('<', "\\u003c");
    passes(&folder, &page, &format!("const expected = {patch};\n{script}"));
}

#[test]
fn a_narrow_window_and_nothing_known() {
    let folder = folder("narrow");
    let program = "int main(void)\n{\n    int *p = 0;\n    return *p;\n}\n";
    std::fs::write(folder.join("null.c"), program).unwrap();
    let page = page(&folder, &["null.c", "--technique", "slice"]);
    let after = browse(&folder, &page, include_str!("html/narrow.js"), "500,800");
    assert_eq!(attribute(&after, "wrong"), "nothing");
}
