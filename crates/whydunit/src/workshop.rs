//! Programs of edited texts, for those who repair.
//!
//! Only the units that contain the edited file are compiled again; the others stay as they are. Nothing is written
//! to the disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use llvm::compile::{Clang, CompileError};
use llvm::module::{self, Input};
use program::process::Image;
use program::syntax::Syntax;
use program::{Program, Stop, Trust};
use repair::build::{Build, Built, Complaint, Engine, Outcome};

use crate::c;

/// What a C program was made of.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The sources, with the bitcode that was made of each.
    pub units: Vec<(PathBuf, Vec<u8>)>,
    /// Bitcode that the user gave.
    pub modules: Vec<(String, Vec<u8>)>,
    pub flags: Vec<String>,
}

/// Makes C programs of edited texts.
#[derive(Debug)]
pub struct Workshop<'w> {
    parts: &'w Parts,
    clang: Clang,
    /// The source files, by number.
    files: Vec<PathBuf>,
    stop: Stop,
}

impl<'w> Workshop<'w> {
    pub fn new(
        parts: &'w Parts,
        program: &Program,
        stop: Stop,
    ) -> Result<Workshop<'w>, CompileError> {
        let clang = c::clang()?;
        let files = program.files.iter().map(|file| PathBuf::from(&file.name)).collect();
        Ok(Workshop { parts, clang, files, stop })
    }

    /// Whether a unit may contain a file: if it is none of the sources, it is a header, and any may.
    fn contains(&self, unit: &Path, file: &Path) -> bool {
        let same = |a: &Path, b: &Path| {
            a == b || a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
        };
        same(unit, file) || !self.parts.units.iter().any(|(other, _)| same(other, file))
    }
}

impl Build for Workshop<'_> {
    fn build(&self, file: u32, text: &str) -> Outcome {
        let mut outcome = Outcome::default();
        let Some(file) = self.files.get(file as usize) else { return outcome };
        let mut modules = self.parts.modules.clone();
        for (unit, bytes) in &self.parts.units {
            let name = unit.display().to_string();
            if !self.contains(unit, file) {
                modules.push((name, bytes.clone()));
                continue;
            }
            let edited = (file.as_path(), text);
            let compiled = self.clang.compile_edited(unit, &self.parts.flags, edited, &self.stop);
            let Ok(compiled) = compiled else { return outcome };
            let complaints = compiled.complaints.into_iter();
            outcome.complaints.extend(complaints.map(|it| Complaint {
                line: it.line,
                is_error: it.is_error,
                text: it.text,
            }));
            let Some(bytes) = compiled.bytes else { return outcome };
            modules.push((name, bytes));
        }
        let own = modules.iter().map(|(name, bytes)| Input { name, bytes, trust: Trust::User });
        let inputs: Vec<Input<'_>> = own.chain(llvm::library::library()).collect();
        let Ok(module) = module::read(&inputs) else { return outcome };
        // Nothing is shown of it, so its sources are not needed.
        let Ok(program) = llvm::lower::lower(&module, &[]) else { return outcome };
        let Ok(image) = Image::new(&program) else { return outcome };
        let engine = Engine::Memory(Arc::new(image));
        outcome.built = Some(Built { program, engine });
        outcome
    }

    fn parse(&self, _: u32, text: &str) -> Syntax {
        llvm::syntax::syntax(text, &[])
    }
}
