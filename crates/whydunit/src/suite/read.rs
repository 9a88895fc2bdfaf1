//! Test suites in files.
//!
//! A *folder* of tests has for each of them some of `NAME.in` (standard input), `NAME.args` (arguments), `NAME.out` (expected
//! standard output) and `NAME.exit` (expected status). A file `compare` says how outputs are compared. Other files are left
//! alone.
//!
//! A *list* has one test on each line: the arguments, then perhaps `< FILE`, which is sought beside the list. Empty lines
//! and lines that begin with `#` are no tests. A test is named by the number of its line. What is expected
//! is in a file, on the line with the same number; or, if it has several lines, in a folder, as `NUMBER.out`.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use host::Compare;

use super::words;
use crate::error::{Error, plain};
use crate::input::read_bytes;
use crate::options::{Comparison, status, tolerance};

/// A test, before it is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    pub name: String,
    pub arguments: Vec<Vec<u8>>,
    pub stdin: Option<Vec<u8>>,
    pub expected_output: Option<Vec<u8>>,
    pub expected_status: Option<i32>,
    /// Why it is not run.
    pub skipped: Option<String>,
    /// Where it was read from.
    pub files: Vec<PathBuf>,
}

/// The tests in a folder, in the order of their names; numbers in names are compared as numbers.
pub fn folder(path: &Path) -> Result<Vec<Case>, Error> {
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in std::fs::read_dir(path).map_err(|error| cannot_read(path, &error))? {
        let file = entry.map_err(|error| cannot_read(path, &error))?.path();
        let (Some(name), Some(kind)) = (file.file_stem(), file.extension()) else { continue };
        if ["in", "args", "out", "exit"].iter().any(|known| kind == *known) && !file.is_dir() {
            found.entry(name.to_string_lossy().into_owned()).or_default().push(file);
        }
    }
    if found.is_empty() {
        return Err(Error::Input(format!(
            "error: {}: there are no tests; a test NAME is in files NAME.in (standard input), NAME.args \
             (arguments), NAME.out (expected output) and NAME.exit (expected status), or some of them\n",
            path.display()
        )));
    }
    let mut cases: Vec<Case> =
        found.into_iter().map(|(name, files)| case(name, &files)).collect::<Result<_, _>>()?;
    cases.sort_by(|a, b| natural(&a.name, &b.name));
    Ok(cases)
}

fn case(name: String, files: &[PathBuf]) -> Result<Case, Error> {
    let mut case = Case { name, files: files.to_vec(), ..Case::default() };
    for file in files {
        let content = read_bytes(file)?;
        match file.extension().and_then(OsStr::to_str) {
            Some("in") => case.stdin = Some(content),
            Some("out") => case.expected_output = Some(content),
            Some("args") => {
                let line = words::parse(&content).map_err(|why| wrong(file, why))?;
                if line.stdin.is_some() {
                    let why =
                        "standard input is in the file that ends with .in; quote `<` to pass it";
                    return Err(wrong(file, why));
                }
                case.arguments = line.words;
            }
            _ => {
                let found = status(String::from_utf8_lossy(&content).trim());
                case.expected_status = Some(found.map_err(|why| wrong(file, &why))?);
            }
        }
    }
    match files {
        [only] if case.expected_status.is_some() => {
            Err(wrong(only, "a test also has .in, .args or .out; an empty .args will do"))
        }
        _ => Ok(case),
    }
}

/// The tests in a list.
pub fn list(path: &Path, expected: Option<&Path>) -> Result<Vec<Case>, Error> {
    let text = read_bytes(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let expected = expected.map(Expected::read).transpose()?;
    let mut cases = Vec::new();
    for (number, line) in (1usize..).zip(text.split(|&byte| byte == b'\n')) {
        if line.trim_ascii().is_empty() || line.starts_with(b"#") {
            continue;
        }
        let command = words::parse(line)
            .map_err(|why| Error::Input(format!("error: {}:{number}: {why}\n", path.display())))?;
        let stdin = command.stdin.map(|file| folder.join(OsStr::from_bytes(&file)));
        let output = expected.as_ref().and_then(|all| all.file(number));
        cases.push(Case {
            name: number.to_string(),
            arguments: command.words,
            stdin: stdin.as_deref().map(read_bytes).transpose()?,
            expected_output: expected.as_ref().map(|all| all.of(number)).transpose()?,
            expected_status: None,
            skipped: None,
            files: stdin.into_iter().chain(output).collect(),
        });
    }
    match cases.is_empty() {
        true => Err(wrong(path, "there are no tests; each line is one: its arguments")),
        false => Ok(cases),
    }
}

/// How the file `compare` in a folder of tests says that outputs are compared.
pub fn comparison(folder: &Path) -> Result<Option<Compare>, Error> {
    let path = folder.join("compare");
    if !path.exists() {
        return Ok(None);
    }
    let content = read_bytes(&path)?;
    let text = String::from_utf8_lossy(&content);
    let words: Vec<&str> = text.split_whitespace().collect();
    let named = |name: &str| Comparison::from_str(name, false).ok();
    let found = match words[..] {
        [name] => named(name).map(|how| how.with(None)),
        [name, number] => {
            let tolerance = tolerance(number).ok();
            let how = named(name).filter(|how| *how == Comparison::Tokens && tolerance.is_some());
            how.map(|how| how.with(tolerance))
        }
        _ => None,
    };
    let why = "expected `exact`, `lines` or `tokens`, or how much numbers may differ, as in `tokens 1e-6`";
    found.map(Some).ok_or_else(|| wrong(&path, why))
}

/// What the tests of a list should print.
enum Expected {
    Lines { path: PathBuf, lines: Vec<Vec<u8>> },
    Folder(PathBuf),
}

impl Expected {
    fn read(path: &Path) -> Result<Expected, Error> {
        if path.is_dir() {
            return Ok(Expected::Folder(path.to_owned()));
        }
        let text = read_bytes(path)?;
        let lines = text.strip_suffix(b"\n").unwrap_or(&text).split(|&byte| byte == b'\n');
        // Who prints a line ends it; an empty one stands for nothing.
        let whole = |line: &[u8]| if line.is_empty() { Vec::new() } else { [line, b"\n"].concat() };
        Ok(Expected::Lines { path: path.to_owned(), lines: lines.map(whole).collect() })
    }

    /// The file of one test.
    fn file(&self, number: usize) -> Option<PathBuf> {
        match self {
            Expected::Folder(folder) => Some(folder.join(format!("{number}.out"))),
            Expected::Lines { .. } => None,
        }
    }

    fn of(&self, number: usize) -> Result<Vec<u8>, Error> {
        match self {
            Expected::Folder(folder) => read_bytes(&folder.join(format!("{number}.out"))),
            Expected::Lines { path, lines } => lines.get(number - 1).cloned().ok_or_else(|| {
                let why =
                    format!("there is no line {number}, for the test on that line of the list");
                wrong(path, &why)
            }),
        }
    }
}

/// Compares names such that `test2` is before `test10`.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    loop {
        let order = match (number(left), number(right)) {
            (Some((n, rest)), Some((m, other))) => {
                (left, right) = (rest, other);
                n.len().cmp(&m.len()).then(n.cmp(m))
            }
            _ => match (left.split_first(), right.split_first()) {
                (Some((x, rest)), Some((y, other))) => {
                    (left, right) = (rest, other);
                    x.cmp(y)
                }
                // Names that differ in leading zeros only.
                (None, None) => return a.cmp(b),
                (x, y) => x.is_some().cmp(&y.is_some()),
            },
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// The digits that the text begins with, without leading zeros, and the rest.
fn number(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let zeros = text.iter().take_while(|&&byte| byte == b'0').count();
    (digits > 0).then(|| (&text[zeros.min(digits)..digits], &text[digits..]))
}

fn wrong(path: &Path, why: &str) -> Error {
    Error::Input(format!("error: {}: {why}\n", path.display()))
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Error {
    let why = match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        std::io::ErrorKind::NotADirectory => "it is not a folder".to_owned(),
        _ => plain(error),
    };
    Error::Input(format!("error: cannot read {}: {why}\n", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_numbers() {
        let mut names = ["t10", "t2", "t", "t02", "a9b", "a10a", "10", "9", "t2x"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["9", "10", "a9b", "a10a", "t", "t02", "t2", "t2x", "t10"]);
    }
}
