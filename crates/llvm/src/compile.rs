//! The clang driver: C sources to bitcode.
//!
//! The IR must say what the source says, step by step: not optimised, with positions, without code that was not
//! written (stack protectors, sanitizers, fortified calls). What the user wants to be defined, included or warned
//! about is the user's. Nothing is written to the disk: bitcode and messages come through pipes.

mod builtins;
mod edited;
mod flags;

use program::Stop;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use crate::lines::with_own_places;
use crate::lower::Numbers;

pub use edited::{Complaint, Edited};
pub use flags::Refused;

/// The version of clang and LLVM. LLVM reads what older clangs write, but not always what newer ones do.
pub const VERSION: u32 = 22;

/// What clang made of a source.
#[derive(Clone, Debug)]
pub struct Bitcode {
    pub source: PathBuf,
    pub bytes: Vec<u8>,
    /// The warnings that were asked for, as clang prints them.
    pub messages: String,
    /// How the debug information numbers the lines of the source.
    pub numbers: Numbers,
}

/// Whether messages have colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Always,
    Never,
}

#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    #[error(
        "C programs need clang {VERSION}, which was not found. Install it (Debian: apt-get install clang-{VERSION}), \
         or set WHYDUNIT_CLANG to its path"
    )]
    Missing,
    #[error("{} is not a clang that can be used: clang {VERSION} or older is needed", .0.display())]
    Unusable(PathBuf),
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The errors of all sources, as clang prints them, with their warnings.
    #[error("{messages}")]
    Failed { messages: String },
    #[error("interrupted while clang was running")]
    Stopped,
    #[error("cannot run {}: {error}", clang.display())]
    Io { clang: PathBuf, error: io::Error },
}

/// A clang that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clang(PathBuf);

impl Clang {
    /// The one that the user prefers, if any, else `clang-22`, else a `clang` of this version.
    pub fn find(preferred: Option<&Path>) -> Result<Clang, CompileError> {
        if let Some(path) = preferred {
            return match major(path) {
                Some(major) if major <= VERSION => Ok(Clang(path.to_owned())),
                _ => Err(CompileError::Unusable(path.to_owned())),
            };
        }
        // This one says of what version it is, and to ask it takes as long as to compile a small program.
        let named = PathBuf::from(format!("clang-{VERSION}"));
        if is_there(&named) {
            return Ok(Clang(named));
        }
        let clang = PathBuf::from("clang");
        let found = (major(&clang) == Some(VERSION)).then_some(clang);
        found.map(Clang).ok_or(CompileError::Missing)
    }

    /// One bitcode per source, in their order. An error in one source does not hide those in the next.
    pub fn compile(
        &self,
        sources: &[PathBuf],
        flags: &[String],
        colour: Colour,
        stop: &Stop,
    ) -> Result<Vec<Bitcode>, CompileError> {
        flags::check(flags)?;
        let own = builtins::redefined(sources);
        let mut compiled = Vec::new();
        let mut messages = String::new();
        let mut failed = false;
        for source in sources {
            // Others are compiled as they are, and so is what cannot be read: then clang says why.
            let text = std::fs::read(source).ok();
            let text = text.and_then(|text| with_own_places(&text, source.as_os_str().as_bytes()));
            let (given, numbers) = match text {
                Some(_) => (Given::Text, Numbers::Own),
                None => (Given::File, Numbers::Said),
            };
            let mut child = self
                .command(source, flags, &own, colour, given)
                .spawn()
                .map_err(|error| CompileError::Io { clang: self.0.clone(), error })?;
            if let (Some(text), Some(stdin)) = (text, child.stdin.take()) {
                feed(stdin, text);
            }
            let output = wait(child, stop)
                .map_err(|error| CompileError::Io { clang: self.0.clone(), error })?
                .ok_or(CompileError::Stopped)?;
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            messages.push_str(&text);
            if !output.status.success() {
                failed = true;
                // As after a crash by too deep a nesting.
                if text.is_empty() {
                    let (source, status) = (source.display(), output.status);
                    messages +=
                        &format!("error: clang failed on {source} and said nothing ({status})\n");
                }
            }
            let (source, bytes) = (source.clone(), output.stdout);
            compiled.push(Bitcode { source, bytes, messages: text, numbers });
        }
        if failed { Err(CompileError::Failed { messages }) } else { Ok(compiled) }
    }

    /// The files that a source includes, besides the headers of the system.
    pub fn included(
        &self,
        source: &Path,
        flags: &[String],
        stop: &Stop,
    ) -> Result<Vec<PathBuf>, CompileError> {
        flags::check(flags)?;
        let mut command = self.command(source, flags, &[], Colour::Never, Given::File);
        command.args(["-MM", "-w"]);
        let output = command.spawn().and_then(|child| wait(child, stop));
        let output = output.map_err(|error| CompileError::Io { clang: self.0.clone(), error })?;
        Ok(dependencies(&output.ok_or(CompileError::Stopped)?.stdout))
    }

    fn command(
        &self,
        source: &Path,
        flags: &[String],
        own: &[&str],
        colour: Colour,
        given: Given,
    ) -> Command {
        let mut command = Command::new(&self.0);
        command.args(DEFAULTS).args(flags).args(ALWAYS);
        command.args(own.iter().map(|name| format!("-fno-builtin-{name}")));
        command.arg(match colour {
            Colour::Always => "-fcolor-diagnostics",
            Colour::Never => "-fno-color-diagnostics",
        });
        if !flags::ask_for_warnings(flags) {
            command.arg("-w");
        }
        let preprocessed = source.extension().is_some_and(|end| end == "i");
        command.args(["-x", if preprocessed { "cpp-output" } else { "c" }]);
        match given {
            // What it includes is beside it.
            Given::Text => {
                let folder = source.parent().filter(|folder| !folder.as_os_str().is_empty());
                command
                    .args(folder.into_iter().flat_map(|f| [OsStr::new("-iquote"), f.as_os_str()]));
                command.arg("-").stdin(Stdio::piped());
            }
            Given::File => {
                // A file may have a name that looks like an option or a list of options.
                match source.to_string_lossy().starts_with(['-', '@']) {
                    true => command.arg(Path::new(".").join(source)),
                    false => command.arg(source),
                };
                command.stdin(Stdio::null());
            }
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// The files that a rule for make names behind its colon.
fn dependencies(rule: &[u8]) -> Vec<PathBuf> {
    let start = rule.windows(2).position(|pair| pair == b": ").map_or(rule.len(), |at| at + 2);
    let mut bytes = rule[start..].iter().copied().peekable();
    let (mut found, mut name) = (Vec::new(), Vec::new());
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            // A backslash keeps a space, and hides the end of a line.
            (b'\\', Some(b' ' | b'#')) | (b'$', Some(b'$')) => name.extend(bytes.next()),
            (b'\\', Some(b'\n')) => {}
            (b' ' | b'\n', _) => found.push(std::mem::take(&mut name)),
            _ => name.push(byte),
        }
    }
    found.retain(|name| !name.is_empty());
    found.into_iter().map(|name| PathBuf::from(OsString::from_vec(name))).collect()
}

/// How clang gets a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// By its name.
    File,
    /// Through its standard input, with directives of our own.
    Text,
}

/// What the user's flags may change. Old programs are the point: what gcc accepts with a warning is a warning.
const DEFAULTS: &[&str] = &[
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-fno-pie",
    "-fno-stack-protector",
    // <ctype.h> would look into tables of the C library instead of calling `isalpha`.
    "-D__NO_CTYPE",
];

/// What the user's flags may not change: flags for a build, such as `-O2 -Werror -fsanitize=address`, are often
/// given as a whole.
///
/// Builtins stay on: they give `malloc` its type where the header was forgotten. The price is that clang compiles
/// some library functions itself (`abs`, `floor`, `memcpy` become intrinsics, `strlen("abc")` a constant); see
/// `builtins.rs` for programs that define their own.
const ALWAYS: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-o",
    "-",
    "-O0",
    "-g",
    // Files that clang has opened have checksums, and those that `#line` names have none.
    "-gdwarf-5",
    "-gcolumn-info",
    "-fno-discard-value-names",
    "-fno-lto",
    "-fno-sanitize=all",
    "-U_FORTIFY_SOURCE",
    "-Wno-error",
    // Flags for the linker, and the ones above.
    "-Qunused-arguments",
];

/// Whether there is such a program: whether it can be started.
fn is_there(path: &Path) -> bool {
    let null = [Stdio::null(), Stdio::null(), Stdio::null()];
    let [stdin, stdout, stderr] = null;
    let mut command = Command::new(path);
    let started = command.arg("--version").stdin(stdin).stdout(stdout).stderr(stderr).spawn();
    started.is_ok_and(|mut child| child.kill().and_then(|()| child.wait()).is_ok())
}

/// The major version of a clang; nothing if it cannot be run or is something else.
fn major(path: &Path) -> Option<u32> {
    let output = Command::new(path).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (_, version) = text.lines().next()?.split_once("clang version ")?;
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

struct Output {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// Waits for the end of a child, which is killed when we are asked to stop; then there is no output.
fn wait(mut child: Child, stop: &Stop) -> io::Result<Option<Output>> {
    // Both pipes are emptied at once: a full one would block the child.
    let stdout = child.stdout.take().map(drain).transpose()?;
    let stderr = child.stderr.take().map(drain).transpose()?;
    let status = loop {
        if stop.requested() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        match child.try_wait()? {
            Some(status) => break status,
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    Ok(Some(Output { status, stdout: collect(stdout)?, stderr: collect(stderr)? }))
}

/// Writes a text to a child. If it does not want to read, it says why.
fn feed(mut stdin: impl Write + Send + 'static, text: Vec<u8>) {
    thread::spawn(move || {
        let _ = stdin.write_all(&text);
    });
}

type Drain = thread::JoinHandle<io::Result<Vec<u8>>>;

fn drain(mut pipe: impl Read + Send + 'static) -> io::Result<Drain> {
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes)?;
        Ok(bytes)
    })
}

fn collect(drain: Option<Drain>) -> io::Result<Vec<u8>> {
    match drain.map(Drain::join) {
        Some(Ok(bytes)) => bytes,
        _ => Err(io::Error::other("its output was lost")),
    }
}

#[cfg(test)]
mod tests;
