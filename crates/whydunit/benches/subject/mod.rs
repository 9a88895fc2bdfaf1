//! The C programs of the corpus, and their failures.

#[path = "../../tests/common/compile.rs"]
mod compile;
#[path = "../../tests/common/expectations.rs"]
#[allow(dead_code, reason = "only what says how a program is run is needed")]
mod expectations;

use std::fs;
use std::path::Path;

use compile::compile;
use failure::Failure;
use failure::run::{Extent, InputMode, Job};
use host::{Setup, World};
use program::process::{Image, Limits};
use program::{Program, Stop};

/// A program, and what it is run with.
pub struct Subject {
    pub name: String,
    program: Program,
    image: Image,
    setup: Setup,
}

impl Subject {
    /// A program as its `//@` lines say.
    pub fn of(path: &Path) -> Subject {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(path).expect("a text");
        let expected = expectations::parse(&text).expect("directives that we wrote");
        let option = |name: &str| {
            expected.options.iter().find_map(|option| option.strip_prefix(name)).map(str::to_owned)
        };
        let beside = |file: String| fs::read(path.with_file_name(file)).expect("a file");
        let arguments = expected.arguments.iter().map(|word| word.clone().into_bytes());
        let program = compile(path, &[]);
        Subject {
            image: Image::new(&program).expect("machine words"),
            program,
            setup: Setup {
                arguments: [name.clone().into_bytes()].into_iter().chain(arguments).collect(),
                stdin: option("--stdin=").map(beside).unwrap_or_default(),
                expected_output: option("--expect=").map(beside),
                expected_status: option("--expect-exit=").and_then(|it| it.parse().ok()),
                ..Setup::default()
            },
            name,
        }
    }

    /// The failure of the program; none if it does not fail by itself.
    pub fn failure(&self) -> Option<Failure<'_>> {
        let (job, stop) = (self.job(), Stop::default());
        let ran = job.run(World::new(self.setup.clone()), &stop);
        let (world, mode) = (World::new(self.setup.clone()), InputMode::Fixed);
        job.record(world, ran.instructions, mode, &stop)?.failure(job, mode)
    }

    /// The same program with more input; what it should print then is printed by a corrected one.
    pub fn with_input(mut self, input: String, corrected: Option<&Path>) -> Subject {
        self.setup.stdin = input.into_bytes();
        self.setup.expected_output = None;
        if let Some(path) = corrected {
            let program = compile(path, &[]);
            let image = Image::new(&program).expect("machine words");
            let right = Subject { name: String::new(), program, image, setup: self.setup.clone() };
            let ran = right.job().run(World::new(right.setup.clone()), &Stop::default());
            self.setup.expected_output = Some(ran.world.output().to_vec());
        }
        self
    }

    /// What the program reads.
    pub fn input(&self) -> String {
        String::from_utf8_lossy(&self.setup.stdin).into_owned()
    }

    fn job(&self) -> Job<'_> {
        Job {
            program: &self.program,
            image: &self.image,
            entry: self.program.entries[0],
            arguments: &self.setup.arguments,
            environment: &self.setup.environment,
            expected_status: self.setup.expected_status,
            limits: Limits { instructions: 100_000_000, ..Limits::default() },
            extent: Extent::default(),
        }
    }
}
