//! The command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use host::Compare;
use localize::LOCALIZERS;

use crate::explain::PAGES;
use crate::help;
use crate::memory::Size;

/// Headings of the options.
const RUN: &str = "How to run it";
const TESTS: &str = "Tests";
const EXPLAIN: &str = "What to explain";
const ANSWER: &str = "The answer";
const LIMITS: &str = "Limits";
const CURIOUS: &str = "For the curious";

/// Says which statements are responsible for a failure of a program, and proves it.
///
/// Give it a program that fails: a C program and the arguments and input with which it does, or a
/// program with nondeterministic inputs, for which it searches a failing execution. Then it says which
/// statements are to blame, how the failure came about, and what would have prevented it.
#[derive(Clone, Debug, Parser)]
#[command(name = "whydunit", version, max_term_width = 80)]
#[command(override_usage = help::USAGE_LINES, after_help = help::SHORT, after_long_help = help::LONG)]
#[command(subcommand_negates_reqs = true, args_conflicts_with_subcommands = true)]
#[command(disable_help_subcommand = true)]
pub struct Options {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// The program: C sources (.c), LLVM bitcode (.bc) or text (.ll), or a Boogie file (.bpl; `-` reads
    /// it from standard input).
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// The arguments of the C program; after the last of several `--`, flags for clang.
    #[arg(last = true, value_name = "ARGS")]
    pub rest: Vec<OsString>,

    /// What the program reads from its standard input. Nothing if not given.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = RUN)]
    pub stdin: Option<PathBuf>,

    /// What the program should print. The first difference is the failure.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = RUN)]
    pub expect: Option<PathBuf>,

    /// The status that the program should end with. Another one is the failure.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = status, help_heading = RUN)]
    pub expect_exit: Option<i32>,

    /// How the output is compared with the expected one.
    ///
    /// `lines`: white space at the ends of lines does not count, nor do empty lines at the very end; it is said if
    /// there is such a difference. In a folder of tests, a file `compare` can say it, too: `tokens 1e-6`.
    #[arg(long, value_enum, value_name = "HOW", help_heading = RUN)]
    pub compare: Option<Comparison>,

    /// With `--compare tokens`: numbers are equal if they differ by this at most, or by this part of the expected
    /// one.
    #[arg(long, value_name = "NUMBER", value_parser = tolerance, allow_hyphen_values = true, help_heading = RUN, hide_short_help = true)]
    pub tolerance: Option<f64>,

    /// Flags for clang, such as `-Iinclude -DDEBUG`; separated by spaces. Can be repeated.
    ///
    /// Its warnings are told if the flags ask for some, as `-Wall` does.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, help_heading = RUN)]
    pub cflags: Vec<String>,

    /// An environment variable of the program. Can be repeated; there are no others.
    #[arg(long, value_name = "NAME=VALUE", value_parser = OsStringValueParser::new().try_map(variable), help_heading = RUN, hide_short_help = true)]
    pub env: Vec<OsString>,

    /// Let the program read files in this folder, besides the current one. Can be repeated.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = RUN, hide_short_help = true)]
    pub allow_read: Vec<PathBuf>,

    /// Start at this procedure of a Boogie program instead of `main`.
    ///
    /// Without `main`, each procedure that no other one calls is a start. A C program starts at `main`.
    #[arg(long, value_name = "PROCEDURE", help_heading = RUN, hide_short_help = true)]
    pub entry: Option<String>,

    /// A folder of tests. All are run, and a failing one is explained.
    ///
    /// A test NAME is in the files NAME.in (standard input), NAME.args (arguments, on one line), NAME.out
    /// (expected output) and NAME.exit (expected status), or some of them.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = TESTS, group = "suite", conflicts_with_all = ["stdin", "expect"])]
    pub tests: Option<PathBuf>,

    /// A list of tests: on each line the arguments, then perhaps `< FILE`.
    ///
    /// Empty lines and lines that begin with `#` are no tests. A test is named by the number of its line.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = TESTS, hide_short_help = true, group = "suite", conflicts_with_all = ["stdin", "expect"])]
    pub test_list: Option<PathBuf>,

    /// What the tests of the list should print: a file with the output of the test on line N in its line
    /// N, or a folder with files N.out.
    #[arg(long, value_name = "FILE|FOLDER", value_hint = ValueHint::AnyPath, help_heading = TESTS, hide_short_help = true, requires = "test_list")]
    pub expected: Option<PathBuf>,

    /// A program that is right: what tests do not say about output and status, it does. Can be repeated,
    /// for a program of several files.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = TESTS, hide_short_help = true, requires = "suite")]
    pub reference: Vec<PathBuf>,

    /// How much kinds of edits are preferred when fixes are looked for: a file with lines such as
    /// `relational <= < 30`. What it does not mention keeps its weight.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = EXPLAIN, hide_short_help = true)]
    pub edits: Option<PathBuf>,

    /// The test to explain, by its name. The failing one with the shortest run if not given.
    #[arg(long, value_name = "NAME", help_heading = TESTS, requires = "suite")]
    pub test: Option<String>,

    /// How many tests to run at a time; as many as the machine can if not given.
    #[arg(long, value_name = "N", help_heading = TESTS, hide_short_help = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,

    /// The techniques to run, separated by commas; or `all`. Without it, all that can say something are
    /// run, and together they make one list of suspects.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true,
        value_parser = technique_names(),
        help_heading = EXPLAIN
    )]
    pub technique: Vec<String>,

    /// Never suspect the statements of this procedure, or of this file. Can be repeated.
    #[arg(long, value_name = "PROCEDURE|FILE", help_heading = EXPLAIN)]
    pub trust: Vec<String>,

    /// Whether what a C program got from outside is given, or might have been anything.
    #[arg(long, value_enum, default_value = "fixed", help_heading = EXPLAIN, hide_short_help = true)]
    pub inputs: Inputs,

    /// Look for this many failing executions, and for what to blame for all.
    ///
    /// The search for them takes at most half of the time limit. Without this option it is one, and of
    /// a suite up to five.
    #[arg(long, value_name = "N", help_heading = EXPLAIN, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_traces: Option<u32>,

    /// This statement is as it should be: leave it out of the tree of causes, and what only leads to it.
    /// Can be repeated.
    #[arg(long, value_name = "FILE:LINE", help_heading = EXPLAIN, hide_short_help = true)]
    pub benign: Vec<String>,

    /// How many levels of the tree of causes to show; all if not given.
    #[arg(long, value_name = "N", help_heading = EXPLAIN, hide_short_help = true)]
    pub depth: Option<u32>,

    /// How many statements a correction may change; it takes more time with more.
    #[arg(long, value_name = "N", help_heading = EXPLAIN, hide_short_help = true, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=6))]
    pub max_changes: u32,

    /// Whether error invariants explain why statements were reached, too.
    #[arg(long, value_enum, value_name = "yes|no", help_heading = EXPLAIN, hide_short_help = true, default_value = "yes", default_missing_value = "yes", num_args = 0..=1, require_equals = true, hide_possible_values = true)]
    pub flow_sensitive: Switch,

    /// How to print the answer; `text` if not given, or what the name of the file ends with.
    #[arg(long, value_enum, help_heading = ANSWER)]
    pub format: Option<Format>,

    /// Write the answer to a file instead of standard output. Can be repeated, as in
    /// `-o report.html -o report.sarif`; `-` is standard output.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = ANSWER)]
    pub output: Vec<PathBuf>,

    /// Print the best fix as a patch instead of the answer, or that of rank N: `whydunit ... --fix | git apply`.
    ///
    /// A file whose name ends with .patch or .diff (`-o`) gets it, too.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", value_parser = rank, help_heading = ANSWER, conflicts_with_all = ["format", "explore"])]
    pub fix: Option<usize>,

    /// Edit the sources as the best fix says, or that of `--fix N`, after asking.
    #[arg(long, help_heading = ANSWER, conflicts_with_all = ["format", "explore"])]
    pub apply: bool,

    /// With --apply: do not ask.
    #[arg(long, help_heading = ANSWER, hide_short_help = true, requires = "apply")]
    pub yes: bool,

    /// How many suspects to show; `all` for all.
    #[arg(long, value_name = "N", default_value = "5", value_parser = top, allow_hyphen_values = true, help_heading = ANSWER)]
    pub top: Top,

    /// Say what the score of each suspect is made of.
    #[arg(long, help_heading = ANSWER, hide_short_help = true)]
    pub why_rank: bool,

    /// When to use colour. `auto`: on a terminal, unless NO_COLOR is set.
    #[arg(long, alias = "colour", value_name = "WHEN", value_enum, default_value = "auto", help_heading = ANSWER)]
    pub color: WhenColour,

    /// Draw with plain letters only. So it is anyway if the locale has no UTF-8.
    #[arg(long, help_heading = ANSWER, hide_short_help = true)]
    pub ascii: bool,

    /// Only the answer: no progress, no notes, no warnings, no hints.
    #[arg(short, long, help_heading = ANSWER, hide_short_help = true)]
    pub quiet: bool,

    /// Walk through the tree of causes in the terminal: expand, mark as benign, see values.
    #[arg(long, help_heading = ANSWER, conflicts_with_all = ["format", "output", "technique"])]
    pub explore: bool,

    /// Stop after this time (500ms, 60s, 5m) with what is known by then.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration, allow_hyphen_values = true, help_heading = LIMITS)]
    pub time_limit: Duration,

    /// Use about so much memory at most (500M, 2G), and stop near that with what is known by then. If not given, it is 2G, or
    /// half of what is free if that is less.
    #[arg(long, value_name = "SIZE", help_heading = LIMITS)]
    pub memory_limit: Option<Size>,

    /// Give up on an execution after this many steps.
    ///
    /// A C program takes a step for each simple operation. By default 1,000,000 for a search,
    /// 10,000,000 for a test of a suite, and 1,000,000,000 for a run with given inputs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_hyphen_values = true, help_heading = LIMITS, hide_short_help = true)]
    pub max_steps: Option<u64>,

    /// Unroll a loop whose end depends on unknown values this often.
    ///
    /// Loops whose course is determined are simply run.
    #[arg(long, value_name = "N", help_heading = LIMITS, hide_short_help = true, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub unroll: u32,

    /// Write the questions to the solver into this folder, as SMT-LIB files.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = CURIOUS, hide_short_help = true)]
    pub log_queries: Option<PathBuf>,

    /// Switch optimisations of the cascade off, to measure them; separated by commas.
    #[arg(long, value_name = "NAMES", value_enum, value_delimiter = ',', help_heading = CURIOUS, hide_short_help = true)]
    pub no_opt: Vec<Optimisation>,
}

/// What can be done besides explaining a failure.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Print the page of a technique: what its answers mean, with an example.
    Explain {
        /// All are listed if none is given.
        #[arg(value_name = "TECHNIQUE", value_parser = page_names())]
        technique: Option<String>,
    },
    /// Print the manual page: `whydunit man | man -l -`.
    Man,
    /// Print completions for a shell; `whydunit man` says where to put them.
    Completions {
        #[arg(value_name = "SHELL", value_enum)]
        shell: Shell,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Inputs {
    /// Given: they are not to blame.
    Fixed,
    /// Nondeterministic.
    Free,
}

/// How outputs are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Comparison {
    /// Every byte counts.
    Exact,
    /// White space at the ends of lines does not count; so it is if nothing is given.
    Lines,
    /// Only the words count, as in contests.
    Tokens,
}

impl Comparison {
    pub fn with(self, tolerance: Option<f64>) -> Compare {
        match self {
            Comparison::Exact => Compare::Exact,
            Comparison::Lines => Compare::Lines,
            Comparison::Tokens => Compare::Tokens(tolerance),
        }
    }
}

/// How many suspects are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Top(pub usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WhenColour {
    Auto,
    Always,
    Never,
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
    /// One page for a browser, with the source, the time line and all else.
    Html,
    /// For code scanning, editors and viewers: SARIF 2.1.0.
    Sarif,
    /// The tree of causes, for Graphviz.
    Dot,
    /// A fix, for `git apply`: what `--fix` prints.
    #[value(skip)]
    Patch,
    /// What is known about each line: what the points of clues are fitted to.
    #[value(hide = true)]
    Rows,
}

impl Format {
    /// What a file is meant to be, by its name.
    fn of(path: &Path) -> Option<Format> {
        let end = path.extension()?.to_str()?;
        Format::from_str(end, true).ok().or(match end {
            "txt" => Some(Format::Text),
            "htm" => Some(Format::Html),
            "gv" => Some(Format::Dot),
            "patch" | "diff" => Some(Format::Patch),
            _ => None,
        })
    }
}

impl Options {
    /// Which answers are wanted, and where; standard output if there is no file.
    pub fn answers(&self) -> Vec<(Format, Option<PathBuf>)> {
        let usual = if self.wants_fix() { Format::Patch } else { Format::Text };
        let chosen = |own: Option<Format>| self.format.or(own).unwrap_or(usual);
        if self.output.is_empty() {
            return vec![(chosen(None), None)];
        }
        let answer = |path: &PathBuf| match path.as_os_str() == "-" {
            true => (chosen(None), None),
            false => (chosen(Format::of(path)), Some(path.clone())),
        };
        let mut answers: Vec<_> = self.output.iter().map(answer).collect();
        if self.wants_fix() && !answers.iter().any(|(format, _)| *format == Format::Patch) {
            answers.push((Format::Patch, None));
        }
        answers
    }

    /// Whether it is a fix that is asked for.
    pub fn wants_fix(&self) -> bool {
        self.fix.is_some() || self.apply
    }

    /// Why an answer cannot be written into a file with this name.
    pub fn contradicts(&self, path: &Path) -> Option<String> {
        const KNOWN: &str = ".html, .json, .sarif, .dot, .patch or .txt";
        let end = path.extension()?.to_string_lossy();
        match (self.format, Format::of(path)) {
            (None, None) if self.wants_fix() => None,
            (None, None) => Some(format!(
                "what is meant by .{end}? End the name with {KNOWN}, or say what it is with --format"
            )),
            // A log of results is JSON, and text may be anything.
            (Some(Format::Sarif), Some(Format::Json)) | (Some(_), Some(Format::Text)) => None,
            (Some(format), Some(named)) if format != named => {
                let name = format.to_possible_value().map(|value| value.get_name().to_owned());
                let name = name.unwrap_or_default();
                Some(format!(
                    "the name says something else than --format {name}: leave --format out"
                ))
            }
            _ => None,
        }
    }

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

    /// How many failing executions are looked for.
    pub fn traces(&self) -> usize {
        let several = self.has_suite() && !self.chooses();
        self.max_traces.map_or(if several { TESTS_EXPLAINED } else { 1 }, |most| most as usize)
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

/// What `--technique` can be.
fn technique_names() -> PossibleValuesParser {
    let own = LOCALIZERS.iter().map(|l| PossibleValue::new(l.name).help(l.summary));
    let others =
        [("all", "all of them"), ("auto", "all that can say something; one list of suspects")];
    own.chain(others.map(|(name, help)| PossibleValue::new(name).help(help)))
        .collect::<Vec<_>>()
        .into()
}

/// So many failing tests are explained together, if nothing else is wanted: what repairs all is rarely right by chance.
const TESTS_EXPLAINED: usize = 5;

/// What can be explained.
fn page_names() -> PossibleValuesParser {
    let own = LOCALIZERS.iter().map(|l| (l.name, l.summary));
    let all = own.chain(PAGES.iter().map(|page| (page.name, page.summary)));
    all.map(|(name, help)| PossibleValue::new(name).help(help)).collect::<Vec<_>>().into()
}

/// What a program can end with. What it gives to `exit` may be negative.
pub fn status(text: &str) -> Result<i32, String> {
    match text.parse::<i32>() {
        Ok(number @ -128..=255) => Ok(number),
        Ok(number) => Err(format!(
            "a status is a number from 0 to 255; a program that ends with {number} has status {}",
            number & 255
        )),
        Err(_) => Err("expected a number from 0 to 255".to_owned()),
    }
}

/// A variable of the environment.
fn variable(text: OsString) -> Result<OsString, &'static str> {
    match text.as_encoded_bytes().iter().position(|byte| *byte == b'=') {
        None | Some(0) => Err("expected a name and a value, as in NAME=VALUE"),
        Some(_) => Ok(text),
    }
}

/// How much numbers may differ.
pub fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number that is not negative, such as 1e-6".to_owned())
}

/// A number of suspects; none means all of them.
fn top(text: &str) -> Result<Top, String> {
    match text.parse() {
        Ok(0) => Ok(Top(usize::MAX)),
        Ok(number) => Ok(Top(number)),
        Err(_) if text == "all" => Ok(Top(usize::MAX)),
        Err(_) => Err("expected a number, or `all`".to_owned()),
    }
}

/// Which fix is meant.
fn rank(text: &str) -> Result<usize, &'static str> {
    let rank = text.parse().ok().filter(|rank| *rank > 0);
    rank.ok_or("expected the rank of a fix, such as 2; names of files are written before --fix")
}

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
    match Duration::try_from_secs_f64(number * factor) {
        Ok(Duration::ZERO) => {
            Err("in no time, nothing can be done; expected one such as 60s".to_owned())
        }
        Ok(time) => Ok(time),
        Err(_) => Err("that is too long; expected a time such as 500ms, 60s or 5m".to_owned()),
    }
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
    fn numbers_of_suspects() {
        assert_eq!(top("7"), Ok(Top(7)));
        assert_eq!([top("0"), top("all")], [Ok(Top(usize::MAX)), Ok(Top(usize::MAX))]);
        assert!(top("-1").is_err() && top("").is_err() && top("some").is_err());
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
