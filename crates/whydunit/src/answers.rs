//! Answers in files: never over what was read, whole or not at all, and never those of an earlier run.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, plain};
use crate::options::Options;
use crate::output;

/// What is written.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Contents, and the files they belong in; standard output if there is none.
    pub texts: Vec<(Option<PathBuf>, Vec<u8>)>,
    /// Files for which there is no answer this time.
    pub withdrawn: Vec<PathBuf>,
    /// What is said of them on standard error.
    pub says: String,
}

/// Refuses to write over what is read, and twice into one file.
pub fn refuse_inputs<'p>(
    options: &Options,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), Error> {
    let outputs: Vec<(PathBuf, (u64, u64))> = files(options)
        .filter_map(|path| identity(&path).map(|identity| (path, identity)))
        .collect();
    if outputs.is_empty() {
        return Ok(());
    }
    for input in inputs {
        let Some(own) = identity(input) else { continue };
        if let Some((path, _)) = outputs.iter().find(|(_, other)| *other == own) {
            let (path, input) = (path.display(), input.display());
            return Err(Error::Input(format!(
                "error: -o {path} would overwrite {input}, which is read: give another name\n"
            )));
        }
    }
    Ok(())
}

/// Whether there are files already that answers are written to.
pub fn would_overwrite(options: &Options) -> bool {
    files(options).any(|path| identity(&path).is_some())
}

/// Refuses to write several answers into one file, and over what the command line names.
pub fn check(options: &Options) -> Result<(), Error> {
    let outputs: Vec<PathBuf> = files(options).collect();
    for (number, path) in outputs.iter().enumerate() {
        let is_same = |other: &PathBuf| {
            let (own, here) = (identity(path), place(path));
            own.is_some() && own == identity(other) || here.is_some() && here == place(other)
        };
        if outputs[..number].iter().any(is_same) {
            let path = path.display();
            return Err(Error::Input(format!("error: -o {path}: only one answer fits into it\n")));
        }
    }
    let one = [&options.stdin, &options.expect, &options.test_list, &options.expected];
    let one = one.into_iter().flatten().map(PathBuf::as_path);
    let several = options.files.iter().chain(&options.reference).map(PathBuf::as_path);
    refuse_inputs(options, one.chain(several))
}

/// The files that answers are written to.
fn files(options: &Options) -> impl Iterator<Item = PathBuf> {
    options.answers().into_iter().filter_map(|(_, path)| path)
}

/// Which file it is, whatever it is called. Devices and pipes keep nothing, so nothing in them is lost.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((metadata.dev(), metadata.ino()))
}

/// Where a file that does not exist yet will be.
fn place(path: &Path) -> Option<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let is_kept = !path.exists() || identity(path).is_some();
    is_kept.then(|| Some(folder.canonicalize().ok()?.join(path.file_name()?))).flatten()
}

/// Writes all answers, or none: the files are prepared beside their places first.
pub fn write(answers: &Answers) -> Result<(), Error> {
    let mut prepared = Vec::new();
    for (path, text) in &answers.texts {
        if let Some(path) = path {
            prepared.push(Prepared::new(path, text)?);
        }
    }
    for (_, text) in answers.texts.iter().filter(|(path, _)| path.is_none()) {
        output::print(text)?;
    }
    prepared.into_iter().try_for_each(Prepared::put)?;
    answers.withdrawn.iter().for_each(|path| remove(path));
    output::complain(&answers.says);
    Ok(())
}

/// An answer that only has to be put into its place.
enum Prepared<'a> {
    /// In a file beside it.
    Beside { path: &'a Path, target: PathBuf, file: Temporary },
    /// For a device or a pipe, which cannot be replaced.
    Stream { path: &'a Path, text: &'a [u8] },
}

/// A file that is removed unless it is given its name.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl<'a> Prepared<'a> {
    fn new(path: &'a Path, text: &'a [u8]) -> Result<Prepared<'a>, Error> {
        // Of a link, what it leads to is replaced.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&target).ok();
        match &old {
            Some(old) if old.is_dir() => return Err(cannot_write(path, "it is a directory")),
            Some(old) if !old.is_file() => return Ok(Prepared::Stream { path, text }),
            // Who may not write to a file may not replace it either.
            Some(_) => OpenOptions::new().write(true).open(&target).map(drop),
            None => Ok(()),
        }
        .map_err(|error| not_written(path, &error))?;
        let (mut made, file) = beside(&target).map_err(|error| not_written(path, &error))?;
        let mut written = made.write_all(text);
        if let Some(old) = old {
            written = written.and_then(|()| made.set_permissions(old.permissions()));
        }
        written.map_err(|error| not_written(path, &error))?;
        Ok(Prepared::Beside { path, target, file })
    }

    fn put(self) -> Result<(), Error> {
        match self {
            Prepared::Beside { path, target, file } => {
                fs::rename(&file.0, target).map_err(|error| not_written(path, &error))
            }
            Prepared::Stream { path, text } => {
                fs::write(path, text).map_err(|error| not_written(path, &error))
            }
        }
    }
}

/// A new file in the same folder: only there can it be renamed.
fn beside(target: &Path) -> std::io::Result<(File, Temporary)> {
    for number in 0.. {
        let name = format!(".whydunit-{}-{number}.tmp", std::process::id());
        let path = target.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, Temporary(path))),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn not_written(path: &Path, error: &std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => cannot_write(path, "there is no such folder"),
        _ => cannot_write(path, &plain(error)),
    }
}

fn cannot_write(path: &Path, why: &str) -> Error {
    Error::Output(format!("error: cannot write {}: {why}\n", path.display()))
}

/// Removes what an earlier run wrote: it would be taken for the answer of this one, which has none. To be called when it is known
/// that nothing else is lost.
pub fn withdraw(options: &Options) {
    files(options).for_each(|path| remove(&path));
}

/// Removes a file; never a device.
fn remove(path: &Path) {
    if identity(path).is_some() {
        let _ = fs::remove_file(path);
    }
}

/// The same before it is known what is read: only what an earlier run has certainly written is removed.
pub fn withdraw_reports(options: &Options) {
    for path in files(options).filter(|path| identity(path).is_some() && is_report(path)) {
        let _ = fs::remove_file(path);
    }
}

/// How our reports begin, in each format.
fn is_report(path: &Path) -> bool {
    const MARKS: &[&str] = &[
        "{\n  \"whydunit\":",
        "name=\"generator\" content=\"whydunit ",
        "\"name\": \"whydunit\"",
        "digraph whydunit {",
        ": error: ",
    ];
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4096).read_to_end(&mut begin));
    let begin = String::from_utf8_lossy(&begin);
    read.is_ok() && MARKS.iter().any(|mark| begin.contains(mark))
}
