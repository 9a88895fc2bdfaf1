//! The sources of a C program: which files are shown, and where their lines come from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use llvm::lines::Lines;
use llvm::lower::{Numbers, Placing, Source};
use llvm::module::Module;

/// The sources of the program, as far as they can be read: those that were `given`, and others that the compiler has
/// opened. A file that only a `#line` names is none, or a program could have any file shown.
pub fn texts(
    module: &Module,
    given: &BTreeMap<PathBuf, Numbers>,
    files: &[PathBuf],
) -> Vec<Source> {
    let mut found: BTreeMap<String, Source> = BTreeMap::new();
    let here = std::env::current_dir().unwrap_or_default();
    // Bitcode of older compilers has no checksums at all.
    let unchecked = given.is_empty() && !module.files.iter().any(|file| file.checked);
    let beside =
        files.iter().map(|file| real(file).parent().map(Path::to_owned).unwrap_or_default());
    let near: Vec<PathBuf> = beside.chain([here.clone()]).collect();
    for file in &module.files {
        let path = file.path();
        // System headers have no statements that anybody is interested in.
        if found.contains_key(&path) || path.starts_with("/usr/") {
            continue;
        }
        let real = real(&path);
        let numbers = given.get(&real).copied();
        let is_near = near.iter().any(|folder| real.starts_with(folder));
        if file.checked || numbers.is_some() || unchecked && is_near {
            let source = source(&path, &real, numbers.unwrap_or(Numbers::Said), &here);
            found.extend(source.map(|source| (path, source)));
        }
    }
    let known: BTreeSet<PathBuf> = found.keys().map(real).collect();
    let others = given.iter().filter(|(real, _)| !known.contains(*real));
    let others = others.filter_map(|(path, numbers)| {
        let name = path.to_string_lossy();
        source(&name, path, *numbers, &here).filter(|source| source.placing.has_names())
    });
    found.into_values().chain(others).collect()
}

fn source(name: &str, path: &Path, numbers: Numbers, here: &Path) -> Option<Source> {
    let text = text_of(&std::fs::read(path).ok()?);
    let placing = placing(&text, path, numbers, here);
    Some(Source { name: shown(name, here), path: name.to_owned(), text, placing })
}

/// How the lines of a file are numbered, and where they come from, as far as these files are there.
fn placing(text: &str, path: &Path, numbers: Numbers, here: &Path) -> Placing {
    let lines = Lines::read(text);
    if lines.is_empty() {
        return Placing::default();
    }
    let folders = [here, path.parent().unwrap_or(here)];
    let origins = lines.origins(&mut |name| {
        let found = folders.map(|folder| folder.join(name));
        let found = found.iter().find(|path| path.is_file())?;
        // Generators also say where their own text goes on. And a program may name what has nothing to do with it.
        let real = real(found);
        let is_near = folders.iter().any(|folder| real.starts_with(folder));
        (is_near && real != path).then(|| shown(&found.display().to_string(), here))
    });
    Placing { lines, numbers, origins }
}

/// What a file is called.
fn shown(path: &str, here: &Path) -> String {
    let short = Path::new(path).strip_prefix(here);
    short.map_or_else(|_| path.to_owned(), |short| short.display().to_string())
}

/// Source text. A byte that is no UTF-8 becomes one character of one byte: positions count bytes.
pub fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// By which path a file is known, however it is called; none if it is not there.
pub fn real(path: impl AsRef<Path>) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_default()
}
