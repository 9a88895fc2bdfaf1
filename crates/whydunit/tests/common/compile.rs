//! C files as programs, without the command line.

use std::fs;
use std::path::{Path, PathBuf};

use llvm::compile::{Clang, Colour};
use llvm::lower::{Source, lower};
use llvm::module::{Input, read};
use program::{Program, Stop, Trust};

/// A program of the corpus, which is right as far as clang can tell.
pub fn compile(path: &Path, flags: &[String]) -> Program {
    let clang = Clang::find(None).expect("clang");
    let path = [PathBuf::from(path)];
    let compiled = clang.compile(&path, flags, Colour::Never, &Stop::default());
    let compiled = compiled.expect("a program that we wrote");
    let own = compiled.iter().map(|it| Input { name: "it", bytes: &it.bytes, trust: Trust::User });
    let inputs: Vec<Input<'_>> = own.chain(llvm::library::library()).collect();
    let module = read(&inputs).expect("what clang wrote");
    let own = module.files.iter().map(|file| file.path()).filter(|path| !path.starts_with("/usr/"));
    let sources = own.filter_map(|path| {
        let text = fs::read_to_string(&path).ok()?;
        Some(Source { name: path.clone(), path, text, placing: Default::default() })
    });
    lower(&module, &sources.collect::<Vec<_>>()).expect("a program")
}
