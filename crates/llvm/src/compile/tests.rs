//! Tests that run clang.

use super::*;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for each test, which is removed with its files.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("whydunit-compile-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

fn flags(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

fn compile(sources: &[PathBuf], line: &str) -> Result<Vec<Bitcode>, CompileError> {
    Clang::find(None)?.compile(sources, &flags(line), Colour::Never, &Stop::default())
}

fn contains(bitcode: &Bitcode, text: &str) -> bool {
    bitcode.bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

fn failure(result: Result<Vec<Bitcode>, CompileError>) -> String {
    result.map(|made| made.len()).unwrap_err().to_string()
}

#[test]
fn each_source_gives_one_bitcode_and_no_file() {
    let folder = Folder::new();
    let sources = [
        folder.file("a.c", "int f(void) { return N; }"),
        folder.file("b.i", "int main(void) { return 0; }"),
        folder.file("no-extension", "int g(void) { return 0; }"),
    ];
    let made = compile(&sources, "-D N=3 -O2 -Wall -lm -fsanitize=address -g0").unwrap();
    assert_eq!(made.iter().map(|one| one.source.clone()).collect::<Vec<_>>(), sources);
    for one in &made {
        assert!(one.bytes.starts_with(b"BC\xc0\xde"), "{:?}", one.source);
        assert_eq!(one.messages, "");
        assert!(contains(one, "22.1"), "it names its producer");
        assert!(!contains(one, "asan"));
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3);
}

#[test]
fn errors_are_those_of_clang_for_all_sources() {
    let folder = Folder::new();
    let a = folder.file("a.c", "int f(void) { return 1 }");
    let b = folder.file("b.c", "int g(void) { return x; }");
    let good = folder.file("c.c", "int h(void) { return 1; }");
    let messages = failure(compile(&[a.clone(), good, b.clone()], ""));
    let first = format!("{}:1:23: error: expected ';' after return statement\n", a.display());
    assert!(messages.starts_with(&first), "{messages}");
    let second = format!("{}:1:22: error: use of undeclared identifier 'x'\n", b.display());
    assert!(messages.contains(&second), "{messages}");
    let none = folder.0.join("none.c");
    let messages = failure(compile(&[none], ""));
    assert!(messages.contains("no such file or directory"), "{messages}");
}

#[test]
fn colours_are_as_asked() {
    let folder = Folder::new();
    let source = [folder.file("a.c", "int f(void) { return }")];
    let clang = Clang::find(None).unwrap();
    let messages = |colour| failure(clang.compile(&source, &[], colour, &Stop::default()));
    assert!(messages(Colour::Always).contains("\u{1b}["));
    assert!(!messages(Colour::Never).contains("\u{1b}["));
}

/// What gcc 12 accepts.
const OLD: &str = r#"
static counter;
add(a, b) char *a; { return strlen(a) + b; }
char *number(void) { return 5; }
int address(int *p) { char *q; q = p; return q; }
void callback(int x) {}
void take(void (*f)(char *)) {}
void nothing(void) { return 3; }
int missing(void) { return; }
void main() { char *p; p = malloc(10); take(callback); unknown(3); printf("%d\n", add("x")); exit(0); }
"#;

#[test]
fn old_programs_compile_and_warnings_are_those_asked_for() {
    let folder = Folder::new();
    let source = [folder.file("old.c", OLD)];
    for line in ["", "-std=gnu89 -Werror", "-std=gnu17 -Wall -Werror"] {
        let made = compile(&source, line).unwrap_or_else(|e| panic!("{line}: {e}"));
        let warns = made[0].messages.contains("warning: ");
        assert_eq!(warns, line.contains("-Wall"), "{line}");
    }
}

#[test]
fn included_files_are_known() {
    let folder = Folder::new();
    let header = folder.file("a b.h", "#include <stddef.h>\n");
    let main = folder.file("main.c", "#include \"a b.h\"\nint main(void) { return N; }");
    let clang = Clang::find(None).unwrap();
    let included = clang.included(&main, &flags("-DN=0"), &Stop::default()).unwrap();
    assert_eq!(included, [main, header]);
}

#[test]
fn functions_of_the_program_are_called() {
    let folder = Folder::new();
    let main = folder.file("main.c", "int abs(int); int main(void) { return abs(-1); }");
    let made = compile(std::slice::from_ref(&main), "").unwrap();
    assert!(contains(&made[0], "llvm.abs"));
    let own = folder.file("abs.c", "int abs(int x) { return x; }");
    let made = compile(&[main, own], "").unwrap();
    assert!(!contains(&made[0], "llvm.abs"));
}

#[test]
fn file_names_are_no_options() {
    let clang = Clang(PathBuf::from("clang"));
    for name in ["-fplugin=x.c", "@x.c"] {
        let command = clang.command(Path::new(name), &[], &[], Colour::Never, Given::File);
        assert_eq!(command.get_args().last().unwrap().to_string_lossy(), format!("./{name}"));
    }
}

#[test]
fn a_clang_is_found_or_asked_for() {
    let missing = Clang::find(Some(Path::new("no-such-clang"))).unwrap_err().to_string();
    assert_eq!(
        missing,
        "no-such-clang is not a clang that can be used: clang 22 or older is needed"
    );
    assert!(CompileError::Missing.to_string().contains("apt-get install clang-22"));
    assert!(Clang::find(Some(Path::new("cat"))).is_err(), "it is no clang");
    assert_eq!(Clang::find(Some(Path::new("clang-22"))).unwrap(), Clang::find(None).unwrap());
}

#[test]
fn flags_are_checked() {
    let refused = failure(compile(&[], "-fplugin=x.so"));
    assert!(refused.contains("-fplugin=x.so"), "{refused}");
}

#[test]
fn clang_is_killed_when_asked_to_stop() {
    let folder = Folder::new();
    let source = [folder.file("a.c", "#include __FILE__\n")];
    let stop = Stop::default();
    stop.request();
    let result = Clang::find(None).unwrap().compile(&source, &[], Colour::Never, &stop);
    assert!(matches!(result, Err(CompileError::Stopped)));
}

#[test]
fn directives_do_not_move_messages() {
    let folder = Folder::new();
    let source = folder.file("a.c", "#line 70 \"b.y\"\nint f(void) { return x; }");
    let message = failure(compile(&[source], ""));
    assert!(message.contains("a.c:2:22: error:"), "{message}");
}
