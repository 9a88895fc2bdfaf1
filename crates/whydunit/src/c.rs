//! C programs: compiling, loading, running.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use host::{Files, Refused, Setup};
use llvm::compile::{Clang, Colour, CompileError};
use llvm::lower::Source;
use llvm::module::{self, Input, Module};
use program::process::Image;
use program::{Gap, Program, Stop, Trust};
use report::Style;

use crate::error::{Error, is_lack_of_memory, plain};
use crate::input;
use crate::options::Options;
use crate::output;
use crate::shield;

/// Whether the files are those of a C program.
pub fn is_c(path: &Path) -> bool {
    kind(path).is_some()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Source,
    Module,
}

fn kind(path: &Path) -> Option<Kind> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("c" | "i") => Some(Kind::Source),
        Some("bc" | "ll") => Some(Kind::Module),
        _ => None,
    }
}

/// Reads, compiles and links the files of a program.
pub fn read(
    files: &[PathBuf],
    flags: &[String],
    style: Style,
    stop: &Stop,
) -> Result<Program, Error> {
    let mut modules = Vec::new();
    let mut sources = Vec::new();
    for path in files {
        match kind(path) {
            Some(Kind::Source) => {
                // clang would say it too, but less clearly.
                let opened = std::fs::File::open(path).and_then(|file| file.metadata());
                match opened {
                    Ok(metadata) if metadata.is_dir() => {
                        return Err(cannot_read(path, "it is a directory"));
                    }
                    Ok(_) => {}
                    Err(error) => return Err(cannot_read(path, &plain(&error))),
                }
                sources.push(path.clone());
            }
            Some(Kind::Module) => {
                let (name, bytes) = (path.display().to_string(), input::read_bytes(path)?);
                shield::check(&name, &bytes, stop)?;
                modules.push((name, bytes));
            }
            None => {
                return Err(Error::Input(format!(
                    "error: {}: this is not a part of a C program; whydunit reads .c, .bc and .ll files, \
                     or one .bpl file. Arguments of the program come after `--`.\n",
                    path.display()
                )));
            }
        }
    }
    if !sources.is_empty() {
        let colour = match style.colour {
            report::Colour::On => Colour::Always,
            report::Colour::Off => Colour::Never,
        };
        let preferred = std::env::var_os("WHYDUNIT_CLANG").map(PathBuf::from);
        let compiled = Clang::find(preferred.as_deref())
            .and_then(|clang| clang.compile(&sources, flags, colour, stop))
            .map_err(|error| match error {
                CompileError::Failed { messages } => Error::Input(messages),
                CompileError::Io { error, .. } if is_lack_of_memory(&error) => Error::Memory,
                error => Error::Input(format!("error: {error}\n")),
            })?;
        for bitcode in compiled {
            output::complain(&bitcode.messages);
            modules.push((bitcode.source.display().to_string(), bitcode.bytes));
        }
    }
    let own = modules.iter().map(|(name, bytes)| Input { name, bytes, trust: Trust::User });
    let inputs: Vec<Input<'_>> = own.chain(llvm::library::library()).collect();
    let module =
        module::read(&inputs).map_err(|error| Error::Input(format!("error: {error}\n")))?;
    let sources = source_texts(&module);
    let lowered = llvm::lower::lower(&module, &sources).map_err(|error| match error {
        llvm::lower::LowerError::NoMain => {
            let name = files.first().map_or(Path::new(""), PathBuf::as_path).display();
            Error::Input(format!("error: {name}: {error}\n"))
        }
        error => Error::Internal(error.to_string()),
    });
    lowered.map(|mut program| {
        program.gaps.extend(without_source(&module));
        program
    })
}

/// That there are functions of which nothing can be shown.
fn without_source(module: &Module) -> Option<Gap> {
    let mut unknown = module.functions.iter().filter(|function| {
        function.trust == Trust::User && !function.blocks.is_empty() && function.location.is_none()
    });
    let name = &unknown.next()?.name;
    let message = format!(
        "`{name}` has no debug information, so its statements are not examined; compile with -g"
    );
    Some(Gap { span: None, message })
}

/// The sources that the debug information names, as far as they can be read.
fn source_texts(module: &Module) -> Vec<Source> {
    let mut found: BTreeMap<String, Source> = BTreeMap::new();
    let here = std::env::current_dir().unwrap_or_default();
    for file in &module.files {
        let path = file.path();
        // System headers have no statements that anybody is interested in.
        if found.contains_key(&path) || path.starts_with("/usr/") {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let text = text_of(&bytes);
        let name = Path::new(&path)
            .strip_prefix(&here)
            .map_or(path.clone(), |short| short.display().to_string());
        found.insert(path.clone(), Source { path, name, text });
    }
    found.into_values().collect()
}

/// Source text. A byte that is no UTF-8 becomes one character of one byte: positions count bytes.
fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

fn cannot_read(path: &Path, why: &str) -> Error {
    Error::Input(format!("error: cannot read {}: {why}\n", path.display()))
}

/// What the program is run with.
pub fn setup(options: &Options) -> Result<Setup, Error> {
    let name =
        options.file().file_stem().map_or_else(|| b"program".to_vec(), |s| s.as_bytes().to_vec());
    let arguments = options.arguments().iter().map(|word| word.clone().into_vec());
    let read = |path: &Option<PathBuf>| path.as_deref().map(input::read_bytes).transpose();
    Ok(Setup {
        arguments: [name].into_iter().chain(arguments).collect(),
        environment: options.env.iter().map(|word: &OsString| word.clone().into_vec()).collect(),
        stdin: read(&options.stdin)?.unwrap_or_default(),
        files: Arc::new(Sandbox::new(&options.allow_read)),
        expected_output: read(&options.expect)?,
        expected_status: options.expect_exit,
        inputs: Vec::new(),
    })
}

/// Compact code for the program.
pub fn image(program: &Program) -> Result<Image, Error> {
    Image::new(program).map_err(Error::Internal)
}

/// The files in some folders, for reading.
#[derive(Debug)]
struct Sandbox {
    folders: Vec<PathBuf>,
}

impl Sandbox {
    fn new(allowed: &[PathBuf]) -> Sandbox {
        let current = std::env::current_dir().ok();
        let all = current.iter().chain(allowed);
        Sandbox { folders: all.filter_map(|folder| folder.canonicalize().ok()).collect() }
    }
}

impl Files for Sandbox {
    fn read(&self, path: &[u8]) -> Result<Vec<u8>, Refused> {
        // Links are followed before it is decided where the file is.
        let path = Path::new(std::ffi::OsStr::from_bytes(path));
        let real = path.canonicalize().map_err(|_| Refused::NotFound)?;
        if !self.folders.iter().any(|folder| real.starts_with(folder)) {
            return Err(Refused::NotAllowed);
        }
        match real.metadata() {
            Ok(metadata) if metadata.is_dir() => Err(Refused::IsFolder),
            // Pipes and devices may never end.
            Ok(metadata) if !metadata.is_file() => Err(Refused::NotAllowed),
            _ => std::fs::read(&real).map_err(|_| Refused::NotAllowed),
        }
    }
}
