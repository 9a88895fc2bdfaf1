//! The command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Parser, ValueEnum};

/// Names the statements that are responsible for a failure, and proves it.
///
/// Give it a program that fails: a C program and the arguments and input with which it does, or a
/// program with nondeterministic inputs, for which it searches a failing execution. Then it says which
/// assignments are to blame: those where another value would have prevented the failure.
#[derive(Clone, Debug, Parser)]
#[command(name = "whydunit", version, max_term_width = 80, after_help = AFTER_HELP)]
#[command(override_usage = USAGE_LINES)]
pub struct Options {
    /// The program: C sources (.c), LLVM bitcode (.bc) or text (.ll), or a Boogie file (.bpl; `-` reads
    /// it from standard input).
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// The arguments of the C program; after the last of several `--`, flags for clang.
    #[arg(last = true, value_name = "ARGS")]
    pub rest: Vec<OsString>,

    /// Flags for clang, such as `-Iinclude -DDEBUG`; separated by spaces. Can be repeated.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Vec<String>,

    /// What the program reads from its standard input. Nothing if not given.
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,

    /// What the program should print. The first difference is the failure.
    #[arg(long, value_name = "FILE")]
    pub expect: Option<PathBuf>,

    /// The status that the program should end with. Another one is the failure.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub expect_exit: Option<i32>,

    /// A folder of tests. All are run, and a failing one is explained.
    ///
    /// A test NAME is in the files NAME.in (standard input), NAME.args (arguments, on one line), NAME.out
    /// (expected output) and NAME.exit (expected status), or some of them.
    #[arg(long, value_name = "FOLDER", group = "suite", conflicts_with_all = ["stdin", "expect"])]
    pub tests: Option<PathBuf>,

    /// A list of tests: on each line the arguments, then perhaps `< FILE`.
    ///
    /// Empty lines and lines that begin with `#` are no tests. A test is named by the number of its line.
    #[arg(long, value_name = "FILE", group = "suite", conflicts_with_all = ["stdin", "expect"])]
    pub test_list: Option<PathBuf>,

    /// What the tests of the list should print: a file with the output of the test on line N in its line
    /// N, or a folder with files N.out.
    #[arg(long, value_name = "FILE|FOLDER", requires = "test_list")]
    pub expected: Option<PathBuf>,

    /// A program that is right: what tests do not say about output and status, it does. Can be repeated,
    /// for a program of several files.
    #[arg(long, value_name = "FILE", requires = "suite")]
    pub reference: Vec<PathBuf>,

    /// The test to explain, by its name. The failing one with the shortest run if not given.
    #[arg(long, value_name = "NAME", requires = "suite")]
    pub test: Option<String>,

    /// How many tests to run at a time; as many as the machine can if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    /// An environment variable of the program. Can be repeated; there are no others.
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<OsString>,

    /// Let the program read files in this folder, besides the current one. Can be repeated.
    #[arg(long, value_name = "FOLDER")]
    pub allow_read: Vec<PathBuf>,

    /// Whether what a C program got from outside is given, or might have been anything.
    #[arg(long, value_enum, default_value = "fixed")]
    pub inputs: Inputs,

    /// The techniques to run, separated by commas; or `all`. Without it, all that can say something are
    /// run, and together they make one list of suspects.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "auto",
        hide_default_value = true
    )]
    pub technique: Vec<String>,

    /// How to print the answer.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    /// Write the answer to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Look for this many failing executions, and for what to blame for all.
    ///
    /// The search for them takes at most half of the time limit.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_traces: u32,

    /// Unroll a loop whose end depends on unknown values this often.
    ///
    /// Loops whose course is determined are simply run.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub unroll: u32,

    /// Give up on an execution after this many steps.
    ///
    /// A C program takes a step for each simple operation. By default 1,000,000 for a search,
    /// 10,000,000 for a test of a suite, and 1,000,000,000 for a run with given inputs.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,

    /// Start at this procedure instead of `main`.
    ///
    /// Without `main`, each procedure that no other one calls is a start.
    #[arg(long, value_name = "PROCEDURE")]
    pub entry: Option<String>,

    /// Never suspect the statements of this procedure, or of this file. Can be repeated.
    #[arg(long, value_name = "PROCEDURE|FILE")]
    pub trust: Vec<String>,

    /// How many levels of the tree of causes to show; all if not given.
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// This statement is as it should be: leave it out of the tree of causes, and what only leads to it.
    /// Can be repeated.
    #[arg(long, value_name = "FILE:LINE")]
    pub benign: Vec<String>,

    /// How many statements a correction may change; it takes more time with more.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=6))]
    pub max_changes: u32,

    /// Walk through the tree of causes in the terminal: expand, mark as benign, see values.
    #[arg(long, conflicts_with_all = ["format", "output", "technique"])]
    pub explore: bool,

    /// Switch optimisations of the cascade off, to measure them; separated by commas.
    #[arg(long, value_name = "NAMES", value_enum, value_delimiter = ',', hide_short_help = true)]
    pub no_opt: Vec<Optimisation>,

    /// Whether error invariants explain why statements were reached, too.
    #[arg(long, value_enum, value_name = "yes|no", default_value = "yes", default_missing_value = "yes", num_args = 0..=1, require_equals = true, hide_possible_values = true)]
    pub flow_sensitive: Switch,

    /// Stop after this time (500ms, 60s, 5m) with what is known by then.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub time_limit: Duration,

    /// Write the questions to the solver into this folder, as SMT-LIB files.
    #[arg(long, value_name = "FOLDER")]
    pub log_queries: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Inputs {
    /// Given: they are not to blame.
    Fixed,
    /// Nondeterministic.
    Free,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    Yes,
    No,
}

/// Optimisations of the cascade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Optimisation {
    /// Only what the failure depends on is looked at.
    Slicing,
    /// A call of trusted code is one step.
    Trust,
    /// The solver is asked rarely, and little.
    Solving,
    /// Of a decision in a loop, some executions stand for all.
    Loops,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For tools.
    Json,
}

impl Options {
    /// The first file, by which the others are read.
    pub fn file(&self) -> &Path {
        self.files.first().map_or(Path::new(""), PathBuf::as_path)
    }

    /// The arguments of the program. They may contain `--`, if another one follows.
    pub fn arguments(&self) -> &[OsString] {
        &self.rest[..self.separator()]
    }

    /// Whether techniques are chosen, and so what each of them says is wanted.
    pub fn chooses(&self) -> bool {
        self.technique.iter().any(|name| name != "auto")
    }

    /// Whether there is a suite of tests.
    pub fn has_suite(&self) -> bool {
        self.tests.is_some() || self.test_list.is_some()
    }

    /// Where the arguments end.
    fn separator(&self) -> usize {
        self.rest.iter().rposition(|word| word == "--").unwrap_or(self.rest.len())
    }

    /// The flags for clang.
    pub fn flags(&self) -> Vec<String> {
        let listed = self.cflags.iter().flat_map(|flags| flags.split_whitespace());
        let after = self.rest.iter().skip(self.separator() + 1);
        let after = after.map(|word| word.to_string_lossy().into_owned());
        listed.map(str::to_owned).chain(after).collect()
    }
}

const USAGE_LINES: &str = "\
whydunit [OPTIONS] FILE... [-- ARGS... [-- CFLAGS...]]
       whydunit explain TECHNIQUE";

/// What to say to someone who gives no arguments.
pub const USAGE: &str = "\
Usage: whydunit [OPTIONS] FILE... [-- ARGS... [-- CFLAGS...]]
       whydunit explain TECHNIQUE

FILE is a program that fails: C (.c, .bc, .ll) or Boogie (.bpl). Try `whydunit --help`.
";

const AFTER_HELP: &str = "\
Examples:
  whydunit triangle.c -- 6 5 4             run a C program with these arguments
  whydunit sum.c --stdin in --expect out   its output is wrong
  whydunit sum.c --tests tests             run all tests, explain one that fails
  whydunit lock.c                          find inputs with which it fails
  whydunit a.c b.c --cflags -Iinclude      several files, with flags for clang
  whydunit counter.bpl                     find a failure and explain it
  whydunit counter.bpl --max-traces 5      explain up to five failures at once
  whydunit counter.bpl --format json       the same for a program to read
  whydunit sum.c --explore -- 3 4          walk through the causes of a failure
  whydunit explain relevance               what the answers mean

Exit status:
  0    a failure was explained
  1    no failure was found
  2    the input or the command line is wrong
  3    an error in whydunit itself
  130  interrupted by Ctrl-C; what was known by then was printed";

fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 500ms, 60s or 5m".to_owned()),
    };
    let number: f64 =
        number.parse().map_err(|_| "expected a time such as 500ms, 60s or 5m".to_owned())?;
    Duration::try_from_secs_f64(number * factor).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Options::command().debug_assert();
    }

    #[test]
    fn the_last_separator_ends_the_arguments() {
        let words = |line: &str| -> (Vec<String>, Vec<String>) {
            let options = Options::parse_from(line.split(' '));
            let plain = |word: &OsString| word.to_string_lossy().into_owned();
            (options.arguments().iter().map(plain).collect(), options.flags())
        };
        let lists = |a: &[&str], b: &[&str]| {
            let owned = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
            (owned(a), owned(b))
        };
        assert_eq!(words("whydunit a.c -- 1 2"), lists(&["1", "2"], &[]));
        assert_eq!(words("whydunit a.c -- 1 -- -DX"), lists(&["1"], &["-DX"]));
        assert_eq!(words("whydunit a.c -- -- -DX"), lists(&[], &["-DX"]));
        assert_eq!(words("whydunit a.c -- 1 -- 2 --"), lists(&["1", "--", "2"], &[]));
    }

    #[test]
    fn durations() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("3"), Ok(Duration::from_secs(3)));
        for wrong in ["", "s", "1 fortnight", "-1s", "1e999s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
