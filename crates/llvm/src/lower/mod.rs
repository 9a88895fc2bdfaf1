//! LLVM modules to programs.
//!
//! A program has the statements of the programmer, not those of the compiler. So scalars in memory become variables
//! where that is the same ([`promote`]), values on their way fold into the terms of the statements that use
//! them (`body.rs`), and each statement knows its text in the source (`sites.rs`). What LLVM calls undefined is a
//! check: a branch to the error location (`checks.rs`). What is not modelled is a gap, and its result any value.
//!
//! A function is lowered block by block, each after those that dominate it, so every value is known where it is used.

mod aggregates;
mod arithmetic;
mod bits;
mod body;
mod bounds;
mod calls;
mod casts;
mod checks;
mod constants;
mod flow;
mod globals;
mod graph;
mod initial;
mod intrinsics;
mod memory;
mod procedures;
mod promote;
mod reach;
mod sites;
mod start;
mod values;
mod varargs;
mod wide;

#[cfg(test)]
pub(crate) mod tests;

use program::{
    Builder, Gap, Language, Malformed, Origin, Program, Site, SiteId, SourceFile, Span, StaticId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;

use crate::extents::Extents;
use crate::lines::Lines;
use crate::module::{FunctionId, Module};
use initial::First;
use procedures::Signature;
use sites::SiteKey;
use start::Around;

/// A source file that the program was compiled from.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where the debug information says it is: [`crate::module::File::path`].
    pub path: String,
    /// What reports call it.
    pub name: String,
    pub text: String,
    pub placing: Placing,
}

/// How the lines of a source are numbered.
#[derive(Clone, Debug, Default)]
pub struct Placing {
    pub lines: Lines,
    /// Who counts them.
    pub numbers: Numbers,
    pub origins: Vec<Origin>,
}

impl Placing {
    /// Whether its lines are found only by what directives call them.
    pub fn has_names(&self) -> bool {
        self.numbers == Numbers::Said && !self.lines.is_empty()
    }
}

/// By which numbers the debug information calls the lines of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    #[default]
    Own,
    /// As its directives say.
    Said,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    #[error("there is no function `main`: nothing to run")]
    NoMain,
    #[error("internal error: the program made of the LLVM module is malformed: {0}")]
    Malformed(#[from] Malformed),
}

/// The program that a module is.
pub fn lower(module: &Module, sources: &[Source]) -> Result<Program, LowerError> {
    let main = module
        .functions
        .iter()
        .position(|f| f.symbol == "main" && !f.blocks.is_empty())
        .map(|index| FunctionId(index as u32))
        .ok_or(LowerError::NoMain)?;
    let mut lowering = Lowering::new(module, sources);
    let around = Around::new(&lowering, main);
    let roots: Vec<_> = around.functions().chain([main]).collect();
    let reached = reach::reach(module, &roots);
    for ty in &module.source_types {
        lowering.builder.ty(ty.clone());
    }
    let functions: Vec<_> = (0..module.functions.len() as u32)
        .map(FunctionId)
        .filter(|id| {
            reached.functions[id.index()] && !module.functions[id.index()].blocks.is_empty()
        })
        .collect();
    let analyses = lowering.declare_procedures(&functions);
    lowering.declare_globals(&reached);
    for (&function, analysis) in functions.iter().zip(&analyses) {
        body::lower(&mut lowering, function, analysis);
    }
    lowering.start(main, &around);
    Ok(lowering.builder.finish()?)
}

struct Lowering<'m> {
    module: &'m Module,
    builder: Builder,
    /// For each file of the module its number in the program, and its parse; then other files.
    files: Vec<Option<KnownFile>>,
    signatures: FxHashMap<FunctionId, Signature>,
    /// Where global variables are in memory.
    statics: Vec<Option<StaticId>>,
    /// The global variables that are variables of the program.
    globals: Vec<Option<Term>>,
    /// What statements before `main` put into objects.
    firsts: Vec<First>,
    /// The global variables, as a set.
    global_variables: FxHashSet<Term>,
    /// Variables that are assigned by more than one statement, or again and again: a term with them is only good
    /// until the next assignment.
    assignable: FxHashSet<Term>,
    sites: FxHashMap<SiteKey, SiteId>,
    all_sites: Vec<Site>,
    gaps: FxHashSet<(Option<Span>, String)>,
    /// Whether it has been said that `long double` is not precise.
    notes_extended: bool,
}

impl<'m> Lowering<'m> {
    fn new(module: &'m Module, sources: &[Source]) -> Lowering<'m> {
        let mut files = Vec::new();
        let mut number = |source: &Source| {
            let mut file = SourceFile::new(&source.name, &source.text);
            file.origins.clone_from(&source.placing.origins);
            files.push(file);
            program::FileId(files.len() as u32 - 1)
        };
        let numbers: Vec<_> = sources.iter().map(&mut number).collect();
        let known = module.files.iter().map(|file| {
            let path = file.path();
            let index = sources.iter().position(|source| source.path == path)?;
            Some(KnownFile::new(numbers[index], &sources[index]))
        });
        // The debug information does not name those of which all lines are called otherwise.
        let is_named = |source: &Source| module.files.iter().any(|f| f.path() == source.path);
        let others = numbers.iter().zip(sources).filter(|(_, source)| !is_named(source));
        let others = others.map(|(&id, source)| Some(KnownFile::new(id, source)));
        Lowering {
            files: known.chain(others).collect(),
            module,
            builder: Builder::new(Language::C, files),
            signatures: FxHashMap::default(),
            statics: vec![None; module.globals.len()],
            globals: vec![None; module.globals.len()],
            firsts: Vec::new(),
            global_variables: FxHashSet::default(),
            assignable: FxHashSet::default(),
            notes_extended: false,
            sites: FxHashMap::default(),
            all_sites: Vec::new(),
            gaps: FxHashSet::default(),
        }
    }

    /// Says once that `long double` is less than it should be.
    fn note_extended(&mut self, span: Option<Span>) {
        if !std::mem::replace(&mut self.notes_extended, true) {
            self.gap(span, "`long double` has only the precision of `double`");
        }
    }

    /// Says once that something is not modelled.
    fn gap(&mut self, span: Option<Span>, message: &str) {
        if self.gaps.insert((span, message.to_owned())) {
            self.builder.gap(Gap { span, message: message.to_owned() });
        }
    }
}

/// A source file of the module that we have.
struct KnownFile {
    id: program::FileId,
    extents: Extents,
    text: String,
    placing: Placing,
}

impl KnownFile {
    fn new(id: program::FileId, source: &Source) -> KnownFile {
        let (extents, text) = (Extents::new(&source.text), source.text.clone());
        KnownFile { id, extents, text, placing: source.placing.clone() }
    }
}
