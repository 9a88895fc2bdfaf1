//! A solution as a patch, and the edit of the files themselves.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use program::SourceFile;
use report::{EditReport, RepairReport, SolutionReport, patch, printable};

use crate::answers::{self, Answers};
use crate::asking::line;
use crate::clock::Clock;
use crate::error::{Error, plain};
use crate::options::Options;
use crate::output;
use crate::sources::text_of;
use crate::status::{EXPLAINED, UNKNOWN};

/// A solution in terms of files.
#[derive(Clone, Debug)]
pub struct Fix {
    pub files: Vec<Edited>,
    /// What it is, and what was seen of it.
    pub says: String,
}

/// A file, as it was read and as it should be. These are bytes: source need not be UTF-8.
#[derive(Clone, Debug)]
pub struct Edited {
    name: String,
    old: Vec<u8>,
    new: Vec<u8>,
}

/// The solution of this rank, or why there is none.
pub fn fix(
    repair: Option<&RepairReport>,
    rank: usize,
    files: &[SourceFile],
) -> Result<Fix, String> {
    let Some(repair) = repair else {
        let why = "nothing was tried: that takes the source of a C program, and time for it";
        return Err(format!("No fix was found: {why}.\n"));
    };
    let found = repair.solutions.len();
    let Some(solution) = repair.solutions.iter().find(|it| it.rank == rank) else {
        return Err(match found {
            0 => format!("No fix was found: {}.\n", repair.summary()),
            1 => format!("There is no fix {rank}, only one.\n"),
            n => format!("There is no fix {rank}, only {n}.\n"),
        });
    };
    let says = match found {
        1 => format!("The only fix: {}.\n", solution.says),
        n => format!("Fix {rank} of {n}: {}.\n", solution.says),
    };
    Ok(Fix { files: edited(solution, files), says })
}

fn edited(solution: &SolutionReport, files: &[SourceFile]) -> Vec<Edited> {
    let numbered = files.iter().enumerate();
    numbered
        .filter_map(|(number, file)| {
            let is_own = |it: &&EditReport| it.location.span.file.0 as usize == number;
            let edits: Vec<&EditReport> = solution.edits.iter().filter(is_own).collect();
            (!edits.is_empty()).then(|| {
                let old = as_read(file);
                Edited { name: file.name.clone(), new: replaced(&old, &edits), old }
            })
        })
        .collect()
}

/// The bytes of a file whose text was read. If they are others by now, those of the text.
fn as_read(file: &SourceFile) -> Vec<u8> {
    let bytes = std::fs::read(&file.name).ok();
    let same = bytes.filter(|bytes| text_of(bytes) == *file.text);
    same.unwrap_or_else(|| file.text.as_bytes().to_vec())
}

/// A text is as long as the bytes that it was read from, so places are the same.
fn replaced(old: &[u8], edits: &[&EditReport]) -> Vec<u8> {
    let mut new = Vec::with_capacity(old.len());
    let mut done = 0;
    for edit in edits {
        let (start, end) = (edit.location.span.start as usize, edit.location.span.end as usize);
        new.extend_from_slice(old.get(done..start).unwrap_or_default());
        new.extend_from_slice(edit.replacement.as_bytes());
        done = end.max(done);
    }
    new.extend_from_slice(old.get(done..).unwrap_or_default());
    new
}

impl Fix {
    pub fn patch(&self) -> Vec<u8> {
        self.files.iter().flat_map(|it| patch(&it.name, &it.old, &it.new)).collect()
    }

    /// The patch for standard output. Programs get it as it is, but a terminal obeys nothing of it.
    pub fn shown(&self) -> Vec<u8> {
        let patch = self.patch();
        match std::io::stdout().is_terminal() {
            true => printable(&String::from_utf8_lossy(&patch)).into_owned().into_bytes(),
            false => patch,
        }
    }

    /// What prevents the patch from being applied in this folder.
    pub fn warning(&self) -> Option<String> {
        let outside = self.files.iter().find(|it| it.is_outside())?;
        let name = &outside.name;
        let why = "is not in the current folder, so `git apply` does not find it from here";
        Some(format!("note: {name} {why}: run whydunit at the top of the sources, or --apply it\n"))
    }

    /// Edits the files, if the user wants it; the exit status.
    pub fn apply(&self, options: &Options, clock: &Clock) -> Result<u8, Error> {
        let names: Vec<&str> = self.files.iter().map(|it| it.name.as_str()).collect();
        let names = names.join(", ");
        if !options.yes && !asked(&format!("Apply this fix to {names}? [y/N] "), clock) {
            output::complain("Nothing was edited.\n");
            return Ok(EXPLAINED);
        }
        // There was time to change them while we worked, and while the user thought.
        for file in &self.files {
            let now = std::fs::read(&file.name).map_err(|error| file.refused(&plain(&error)))?;
            if now != file.old {
                return Err(file.refused("it has changed since it was read"));
            }
        }
        let texts = self.files.iter();
        let texts = texts.map(|it| (Some(PathBuf::from(&it.name)), it.new.clone())).collect();
        answers::write(&Answers { texts, ..Answers::default() })?;
        if !options.quiet {
            output::complain(&format!("Edited: {names}.\n"));
        }
        Ok(EXPLAINED)
    }

    /// What is said if the time is over before the files can be edited.
    pub fn too_late() -> u8 {
        output::complain(
            "Nothing was edited: the time limit was reached before all was decided.\n",
        );
        UNKNOWN
    }
}

impl Edited {
    fn is_outside(&self) -> bool {
        let path = Path::new(&self.name);
        path.is_absolute() || path.starts_with("..")
    }

    fn refused(&self, why: &str) -> Error {
        Error::Output(format!("error: cannot edit {}: {why}; nothing was edited\n", self.name))
    }
}

/// Whether there is somebody to ask.
pub fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks on the terminal. Only yes is yes; a signal is no.
fn asked(question: &str, clock: &Clock) -> bool {
    let answer = line(question, clock).unwrap_or_default();
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
