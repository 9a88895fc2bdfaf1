//! Reading the program.

use std::io::Read;
use std::path::Path;

use program::{FileId, Program, SourceFile, Span, Trust};
use report::Style;

use crate::error::{Error, plain};
use crate::kinds;

/// Larger files are refused: they are no programs that a person wrote.
const LARGEST: u64 = 64 << 20;

/// Reads a program from a file, or from standard input for `-`.
pub fn read(path: &Path, style: Style) -> Result<Program, Error> {
    let name = path.display().to_string();
    let bytes = read_bytes(path)?;
    if name != "-" && path.extension().is_none_or(|end| end != "bpl") {
        return Err(Error::Input(format!("error: {name}: {}\n", kinds::describe(path))));
    }
    let text = text_of(bytes, &name)?;
    let file = if name == "-" { "<stdin>" } else { &name };
    boogie::read(file, &text).map_err(|errors| {
        let source = SourceFile::new(file, &text);
        let mut message = String::new();
        for error in errors {
            if name == "-" && kinds::looks_like_c(&text) {
                let why =
                    "it is read as Boogie, but this is C: give a file whose name ends with .c";
                return Error::Input(format!("error: standard input: {why}\n"));
            }
            if error.kind == boogie::ErrorKind::Internal {
                return Error::Internal(error.message);
            }
            let span = Span { file: FileId(0), start: error.span.start, end: error.span.end };
            message +=
                &report::problem(&source, span, &error.message, error.help.as_deref(), style);
        }
        Error::Drawn(message)
    })
}

fn text_of(bytes: Vec<u8>, name: &str) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::Input(format!(
            "error: cannot read {name}: it is not text (invalid UTF-8 at byte {at})\n"
        ))
    })
}

/// The bytes of a file, or of standard input for `-`.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let name = path.display().to_string();
    let fail = |error: &dyn std::fmt::Display| {
        Err(Error::Input(format!("error: cannot read {name}: {error}\n")))
    };
    let mut bytes = Vec::new();
    let result = if name == "-" {
        std::io::stdin().take(LARGEST + 1).read_to_end(&mut bytes)
    } else {
        if let Some(why) = kinds::endless(path) {
            return fail(&why);
        }
        match std::fs::File::open(path) {
            Ok(file) => file.take(LARGEST + 1).read_to_end(&mut bytes),
            Err(error) => return fail(&plain(&error)),
        }
    };
    if let Err(error) = result {
        return fail(&plain(&error));
    }
    if bytes.len() as u64 > LARGEST {
        return fail(&format!("it is larger than {} MB", LARGEST >> 20));
    }
    Ok(bytes)
}

/// Makes the program start at a procedure.
pub fn enter_at(program: &mut Program, name: &str) -> Result<(), Error> {
    let found = procedures(program, name, "procedure")?;
    program.entries = found;
    Ok(())
}

/// Takes a procedure, or all that is in a file, for correct.
pub fn trust(program: &mut Program, name: &str) -> Result<(), Error> {
    let is_meant = |file: &str| file == name || file.ends_with(&format!("/{name}"));
    let meant: Vec<bool> = program.files.iter().map(|file| is_meant(&file.name)).collect();
    if meant.contains(&true) {
        for site in &mut program.sites {
            if site.span.is_some_and(|span| meant[span.file.0 as usize]) {
                site.trust = Trust::Trusted;
            }
        }
        return Ok(());
    }
    for procedure in procedures(program, name, "file or procedure")? {
        let edges = program.edges.iter();
        let own = edges.filter(|e| program.location(e.from).procedure == Some(procedure));
        let sites: Vec<_> = own.map(|e| e.site).collect();
        for site in sites {
            program.sites[site.index()].trust = Trust::Trusted;
        }
    }
    Ok(())
}

fn procedures(
    program: &Program,
    name: &str,
    what: &str,
) -> Result<Vec<program::ProcedureId>, Error> {
    let found: Vec<_> = (0..program.procedures.len() as u32)
        .map(program::ProcedureId)
        .filter(|&id| program.procedure(id).name == name)
        .collect();
    if found.is_empty() {
        let known: Vec<&str> =
            program.procedures.iter().take(20).map(|p| p.name.as_str()).collect();
        return Err(Error::Input(format!(
            "error: there is no {what} `{name}` with a body; there is: {}\n",
            known.join(", ")
        )));
    }
    Ok(found)
}
