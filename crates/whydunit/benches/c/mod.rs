//! C programs: how fast they run, and what is to be measured on a long run.

use std::path::Path;
use std::time::{Duration, Instant};

use failure::Failure;
use failure::run::{Extent, InputMode, Job};
use host::{Setup, World};
use llvm::compile::{Clang, Colour};
use llvm::lower::{Source, lower};
use llvm::module::{Input, read};
use program::process::{Image, Limits};
use program::{Program, Stop, Trust};

/// What the inner loop of `speed.c` has of LLVM's instructions, without optimisation: each round of the outer loop
/// executes it 1000 times.
const INSTRUCTIONS: u64 = 22;

/// Rounds of the outer loop; the recorded run is shorter, so that all of it is recorded.
const PLAIN: u64 = 5_000;
const RECORDED: u64 = 500;

pub fn speed(folder: &Path) {
    let measure = |rounds: u64, run: &dyn Fn(Job<'_>) -> u64| {
        let program = compile(folder, "speed", rounds);
        let image = Image::new(&program).expect("machine words");
        let start = Instant::now();
        let own = run(job(&program, &image));
        let (seconds, millions) =
            (start.elapsed().as_secs_f64(), (rounds * 1000 * INSTRUCTIONS) as f64 / 1e6);
        format!(
            "{:.0} million instructions of LLVM a second ({millions:.0} million, which are {:.0} million of ours)",
            millions / seconds,
            own as f64 / 1e6
        )
    };
    let stop = Stop::default();
    let world = || World::new(Setup::default());
    let plain = measure(PLAIN, &|job| job.run(world(), &stop).instructions);
    println!("speed, plain:    {plain}");
    let recorded = measure(RECORDED, &|job| {
        let record = job.record(world(), 0, InputMode::Fixed, &stop).expect("a record that fits");
        record.end.0.instructions()
    });
    println!("speed, recorded: {recorded}");
}

/// Does something with a run that fails after so many rounds of its loops, and with the time that the run took.
pub fn explain(
    folder: &Path,
    name: &str,
    rounds: u64,
    explain: impl Fn(&str, &Failure<'_>, Duration),
) {
    let program = compile(folder, name, rounds);
    let image = Image::new(&program).expect("machine words");
    let job = job(&program, &image);
    let start = Instant::now();
    let record = job
        .record(World::new(Setup::default()), 0, InputMode::Fixed, &Stop::default())
        .expect("a record");
    let failure = record.failure(job, InputMode::Fixed).expect("a program that fails");
    explain(&format!("{name}.c {rounds}"), &failure, start.elapsed());
}

fn compile(folder: &Path, name: &str, rounds: u64) -> Program {
    let path = folder.join(format!("{name}.c"));
    let flags = [format!("-DROUNDS={rounds}")];
    let clang = Clang::find(None).expect("clang");
    let compiled = clang
        .compile(std::slice::from_ref(&path), &flags, Colour::Never, &Stop::default())
        .expect("a program that we wrote");
    let own = compiled.iter().map(|it| Input { name, bytes: &it.bytes, trust: Trust::User });
    let inputs: Vec<Input<'_>> = own.chain(llvm::library::library()).collect();
    let module = read(&inputs).expect("what clang wrote");
    let text = std::fs::read_to_string(&path).expect("a file");
    let sources: Vec<Source> = module
        .files
        .iter()
        .filter(|file| file.path().ends_with(&format!("{name}.c")))
        .map(|file| Source {
            path: file.path(),
            name: format!("{name}.c"),
            text: text.clone(),
            placing: Default::default(),
        })
        .collect();
    lower(&module, &sources).expect("a program")
}

fn job<'p>(program: &'p Program, image: &'p Image) -> Job<'p> {
    Job {
        program,
        image,
        entry: program.entries[0],
        arguments: &[],
        environment: &[],
        expected_status: None,
        limits: Limits::default(),
        extent: Extent::default(),
    }
}
