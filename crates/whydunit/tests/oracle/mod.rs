//! What a C program does natively, and what it does in our interpreter.
#![allow(dead_code, reason = "each test that has this module uses some of it")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use failure::run::{Extent, Job};
use host::{Files, Refused, Setup, World};
use llvm::compile::{Clang, Colour};
use llvm::lower::Source;
use llvm::module::Input;
use program::process::{Image, Limits, Outcome};
use program::{Program, Stop, Trust};

/// A program, and what it is run with.
#[derive(Clone, Debug, Default)]
pub struct Case {
    pub sources: Vec<PathBuf>,
    pub flags: Vec<String>,
    pub arguments: Vec<String>,
    /// Files that it may read, by name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What is not modelled in the program, but is not used either: a part of the message about it.
    pub unused: Vec<String>,
}

impl Case {
    /// A program of one file.
    pub fn of(source: PathBuf) -> Case {
        Case { sources: vec![source], ..Case::default() }
    }
}

/// What a run did.
#[derive(Clone, PartialEq, Eq)]
pub struct Seen {
    pub status: i32,
    pub output: Vec<u8>,
}

impl std::fmt::Debug for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = String::from_utf8_lossy(&self.output);
        let shown: String = text.chars().take(2000).collect();
        writeln!(f, "status {}, {} bytes of output:", self.status, self.output.len())?;
        f.write_str(&shown)
    }
}

/// How a run went.
#[derive(Debug)]
pub enum Ran {
    Ended(Seen),
    TooLong,
    /// The native program ran into an instruction that is not one.
    Trapped,
}

const ILLEGAL_INSTRUCTION: i32 = 4;

/// Compiles the program with clang and runs it in a folder of its own.
pub fn natively(
    case: &Case,
    flags: &[&str],
    folder: &Path,
    limit: Duration,
) -> Result<Ran, String> {
    for (name, content) in &case.files {
        std::fs::write(folder.join(name), content).map_err(|error| format!("{name}: {error}"))?;
    }
    let binary = folder.join("native");
    let mut clang = Command::new("clang-22");
    clang.args(["-O0", "-w", "-Wno-error=incompatible-pointer-types"]);
    clang.args(flags).args(&case.flags).args(&case.sources).arg("-o").arg(&binary).arg("-lm");
    let compiled = clang.output().map_err(|error| format!("clang-22: {error}"))?;
    if !compiled.status.success() {
        return Err(format!("clang: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    // Into a file: nobody has to empty it.
    let stdout = folder.join("stdout");
    let file = std::fs::File::create(&stdout).map_err(|error| error.to_string())?;
    let mut command = Command::new(&binary);
    command.current_dir(folder).args(&case.arguments).env_clear();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("the native program: {error}"))?;
    let start = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.signal() == Some(ILLEGAL_INSTRUCTION) => {
                return Ok(Ran::Trapped);
            }
            Some(status) => {
                let status = status.code().ok_or("a signal ended the native program")?;
                let output = std::fs::read(&stdout).map_err(|error| error.to_string())?;
                return Ok(Ran::Ended(Seen { status, output }));
            }
            None if start.elapsed() > limit => {
                child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
                return Ok(Ran::TooLong);
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Runs the program in our interpreter. A failure is an error, and so is whatever is not modelled.
pub fn interpreted(case: &Case, instructions: u64) -> Result<Ran, String> {
    let program = program(case)?;
    let image = Image::new(&program)?;
    let mut complaints = String::new();
    let is_used = |message: &str| !case.unused.iter().any(|unused| message.contains(unused));
    for gap in program.gaps.iter().filter(|gap| is_used(&gap.message)) {
        let _ = writeln!(complaints, "gap: {}{}", place(&program, gap.span), gap.message);
    }
    let names = ["program".to_owned()];
    let arguments = names.iter().chain(&case.arguments).map(|word| word.clone().into_bytes());
    let setup = Setup {
        arguments: arguments.collect(),
        files: Arc::new(Given(case.files.clone())),
        ..Setup::default()
    };
    let job = Job {
        program: &program,
        image: &image,
        entry: program.entries[0],
        arguments: &setup.arguments,
        environment: &[],
        expected_status: None,
        limits: Limits { instructions, ..Limits::default() },
        extent: Extent::default(),
    };
    let ran = job.run(World::new(setup.clone()), &Stop::default());
    for name in ran.world.unknown() {
        let _ = writeln!(complaints, "unknown function: {name}");
    }
    match ran.outcome {
        Outcome::StepLimit { .. } => return Ok(Ran::TooLong),
        Outcome::Finished { status } if complaints.is_empty() => {
            let (status, output) = (status & 255, ran.world.output().to_vec());
            return Ok(Ran::Ended(Seen { status, output }));
        }
        Outcome::Failed { edge, fault } => {
            let site = program.site(program.edge(edge).site);
            let place = place(&program, site.span);
            let _ = writeln!(complaints, "failure: {place}{}: {fault:?}", site.text);
        }
        Outcome::Finished { .. } => {}
        other => complaints += &format!("{other:?}\n"),
    }
    let printed = ran.world.output();
    let seen = Seen { status: 0, output: printed[printed.len().saturating_sub(300)..].to_vec() };
    Err(format!("{complaints}output so far: {seen:?}"))
}

fn place(program: &Program, span: Option<program::Span>) -> String {
    let Some(span) = span else { return String::new() };
    let file = program.file(span);
    format!("{}:{}: ", file.name, file.position(span.start).line)
}

/// The program that our front end makes of the sources.
fn program(case: &Case) -> Result<Program, String> {
    let clang = Clang::find(None).map_err(|error| error.to_string())?;
    let flags: Vec<String> = case.flags.iter().cloned().chain(["-w".to_owned()]).collect();
    let compiled = clang
        .compile(&case.sources, &flags, Colour::Never, &Stop::default())
        .map_err(|error| error.to_string())?;
    let names: Vec<String> = compiled.iter().map(|c| c.source.display().to_string()).collect();
    let own = names.iter().zip(&compiled).map(|(name, code)| Input {
        name,
        bytes: &code.bytes,
        trust: Trust::User,
    });
    let inputs: Vec<Input<'_>> = own.chain(llvm::library::library()).collect();
    let module = llvm::module::read(&inputs).map_err(|error| error.to_string())?;
    let texts = module.files.iter().filter_map(|file| {
        let path = file.path();
        let text = std::fs::read(&path).ok()?;
        let text = String::from_utf8_lossy(&text).into_owned();
        (!path.starts_with("/usr/")).then(|| Source {
            name: path.clone(),
            path,
            text,
            placing: Default::default(),
        })
    });
    let sources: BTreeMap<String, Source> = texts.map(|s| (s.path.clone(), s)).collect();
    let sources: Vec<Source> = sources.into_values().collect();
    llvm::lower::lower(&module, &sources).map_err(|error| error.to_string())
}

#[derive(Debug)]
struct Given(BTreeMap<String, Vec<u8>>);

impl Files for Given {
    fn read(&self, path: &[u8]) -> Result<Vec<u8>, Refused> {
        let name = String::from_utf8_lossy(path);
        self.0.get(name.trim_start_matches("./")).cloned().ok_or(Refused::NotFound)
    }
}

/// A folder for temporary files, which is gone when this is.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Result<Folder, String> {
        let name = format!("whydunit-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Folder(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
