//! C programs: compiling, loading, running.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use host::{Compare, Files, Refused, Setup};
use llvm::compile::{Clang, Colour, CompileError};
use llvm::lower::Numbers;
use llvm::module::{self, Input, Module};
use program::process::Image;
use program::{Gap, Program, Stop, Trust};

use crate::answers;
use crate::error::{Error, plain};
use crate::input;
use crate::options::Options;
use crate::output;
use crate::view::error_style;
use crate::warnings::folded;
use crate::workshop::Parts;
use crate::{kinds, shield, sources};

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
    options: &Options,
    stop: &Stop,
) -> Result<(Program, Parts), Error> {
    let (flags, style) = (&options.flags(), error_style(options));
    let mut parts = Parts { units: Vec::new(), modules: Vec::new(), flags: flags.to_vec() };
    let mut sources = Vec::new();
    let mut given = BTreeMap::new();
    for path in files {
        match kind(path) {
            Some(Kind::Source) => {
                // clang would say it too, but less clearly.
                if let Some(why) = kinds::endless(path) {
                    return Err(cannot_read(path, why));
                }
                if let Err(error) = std::fs::File::open(path) {
                    return Err(cannot_read(path, &plain(&error)));
                }
                sources.push(path.clone());
            }
            Some(Kind::Module) => {
                let (name, bytes) = (path.display().to_string(), input::read_bytes(path)?);
                shield::check(&name, &bytes, stop)?;
                parts.modules.push((name, bytes));
            }
            None => {
                let hint = "; arguments of the program come after `--`";
                if let Err(error) = std::fs::metadata(path) {
                    return Err(cannot_read(path, &(plain(&error) + hint)));
                }
                let why = kinds::describe(path);
                return Err(Error::Input(format!("error: {}: {why}\n", path.display())));
            }
        }
    }
    if !sources.is_empty() {
        let clang = clang();
        if let Ok(clang) = &clang
            && answers::would_overwrite(options)
        {
            let included = sources.iter().flat_map(|source| clang.included(source, flags, stop));
            let included: Vec<PathBuf> = included.flatten().collect();
            answers::refuse_inputs(options, included.iter().map(PathBuf::as_path))?;
        }
        let compiled = clang
            .and_then(|clang| clang.compile(&sources, flags, Colour::Never, stop))
            .map_err(|error| failed(error, style))?;
        if !options.quiet {
            let messages: String = compiled.iter().map(|it| it.messages.as_str()).collect();
            output::show(&folded(&messages, style));
        }
        for bitcode in compiled {
            given.insert(sources::real(&bitcode.source), bitcode.numbers);
            parts.units.push((bitcode.source, bitcode.bytes));
        }
    }
    let units = parts.units.iter().map(|(path, bytes)| (path.display().to_string(), bytes.clone()));
    let modules: Vec<(String, Vec<u8>)> = parts.modules.iter().cloned().chain(units).collect();
    let own = modules.iter().map(|(name, bytes)| Input { name, bytes, trust: Trust::User });
    let inputs: Vec<Input<'_>> = own.chain(llvm::library::library()).collect();
    let module =
        module::read(&inputs).map_err(|error| Error::Input(format!("error: {error}\n")))?;
    // Of a file that is included, all lines may be called otherwise.
    if module
        .files
        .iter()
        .any(|file| !file.checked && !given.contains_key(&sources::real(file.path())))
    {
        for source in &sources {
            let included = clang().and_then(|clang| clang.included(source, flags, stop));
            for file in included.map_err(|error| failed(error, style))? {
                given.entry(sources::real(&file)).or_insert(Numbers::Said);
            }
        }
    }
    let sources = sources::texts(&module, &given, files);
    let lowered = llvm::lower::lower(&module, &sources).map_err(|error| match error {
        llvm::lower::LowerError::NoMain => {
            let name = files.first().map_or(Path::new(""), PathBuf::as_path).display();
            Error::Input(format!("error: {name}: {error}\n"))
        }
        error => Error::Internal(error.to_string()),
    });
    lowered.map(|mut program| {
        program.gaps.extend(without_source(&module));
        (program, parts)
    })
}

/// The clang that the user prefers, or else one that fits.
pub fn clang() -> Result<Clang, CompileError> {
    let preferred = std::env::var_os("WHYDUNIT_CLANG").map(PathBuf::from);
    Clang::find(preferred.as_deref())
}

fn failed(error: CompileError, style: report::Style) -> Error {
    match error {
        CompileError::Failed { messages } => Error::Drawn(folded(&messages, style)),
        error => Error::Input(format!("error: {error}\n")),
    }
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
        compare: options.compare.map_or_else(Compare::default, |how| how.with(options.tolerance)),
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
