//! Compiling a source of which one file has another text.
//!
//! clang is told to read that file from its standard input instead (`-remap-file`), so nothing is written to the
//! disk, names and places stay as they are, and a header can be replaced as well as a source. All that clang has
//! to say is of interest here: an edit that only makes it warn is none that anybody wants.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;

use program::Stop;

use crate::lines::with_own_places;

use super::{Clang, Colour, CompileError, Given, builtins, feed, wait};

/// What clang made of an edited source.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The bitcode, if it compiles.
    pub bytes: Option<Vec<u8>>,
    /// What is said of the edited file.
    pub complaints: Vec<Complaint>,
}

/// An error or a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// From 1.
    pub line: u32,
    pub is_error: bool,
    pub text: String,
}

/// So many bytes of messages are read.
const MOST: usize = 8 << 20;

impl Clang {
    /// Compiles a source in which `file` has this text.
    pub fn compile_edited(
        &self,
        source: &Path,
        flags: &[String],
        (file, text): (&Path, &str),
        stop: &Stop,
    ) -> Result<Edited, CompileError> {
        let failed = |error| CompileError::Io { clang: self.0.clone(), error };
        let own = builtins::redefined(&[source.to_owned()]);
        let flags: Vec<String> = flags.iter().filter(|flag| *flag != "-w").cloned().collect();
        let mut command = self.command(source, &flags, &own, Colour::Never, Given::File);
        let name = file.to_string_lossy();
        if name.contains(';') {
            let why = "its name has a semicolon";
            return Err(failed(io::Error::other(why)));
        }
        let remap = format!("{name};/dev/stdin");
        command.args(["-Xclang", "-remap-file", "-Xclang", &remap]);
        command.args(["-Wall", "-Wextra", "-ferror-limit=0", "-fno-caret-diagnostics"]);
        command.args(["-Wno-unused", "-Wno-sign-compare", "-Wno-missing-field-initializers"]);
        command.stdin(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        // Places are those of the text, whatever directives in it say.
        let bytes = text.as_bytes();
        let own = with_own_places(bytes, file.as_os_str().as_bytes());
        if let Some(stdin) = child.stdin.take() {
            feed(stdin, own.unwrap_or_else(|| bytes.to_vec()));
        }
        let output = wait(child, stop).map_err(failed)?.ok_or(CompileError::Stopped)?;
        let mut messages = output.stderr;
        messages.truncate(MOST);
        let complaints = complaints(&String::from_utf8_lossy(&messages), &name);
        let bytes = output.status.success().then_some(output.stdout);
        Ok(Edited { bytes, complaints })
    }
}

/// What is said of a file: lines such as `a.c:3:5: warning: …`.
fn complaints(messages: &str, file: &str) -> Vec<Complaint> {
    let is_file = |name: &str| {
        name == file
            || Path::new(name).canonicalize().ok().is_some_and(|it| {
                Path::new(file).canonicalize().is_ok_and(|other| it == other)
            })
    };
    let mut known: Option<(String, bool)> = None;
    let mut found = Vec::new();
    for line in messages.lines() {
        let Some((place, is_error, text)) = said(line) else { continue };
        let mut parts = place.rsplitn(3, ':');
        let (_, Some(number), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        if known.as_ref().is_none_or(|(last, _)| last != name) {
            known = Some((name.to_owned(), is_file(name)));
        }
        if let (Ok(line), Some((_, true))) = (number.parse(), &known) {
            found.push(Complaint { line, is_error, text: text.to_owned() });
        }
    }
    found
}

/// The place of a message, whether it is an error, and what it says.
fn said(line: &str) -> Option<(&str, bool, &str)> {
    for (mark, is_error) in [(": error: ", true), (": fatal error: ", true), (": warning: ", false)] {
        if let Some((place, text)) = line.split_once(mark) {
            return Some((place, is_error, text));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_file() {
        let messages = "a.c:3:5: warning: unused [-Wunused]\nb.h:1:2: error: no\na.c:4:1: note: here\n  3 | x;\na.c:9:1: \
                        fatal error: too: many\n";
        let found = complaints(messages, "a.c");
        let places: Vec<(u32, bool)> = found.iter().map(|it| (it.line, it.is_error)).collect();
        assert_eq!(places, [(3, false), (9, true)]);
        assert_eq!(found[1].text, "too: many");
    }
}
