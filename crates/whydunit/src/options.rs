//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

/// Names the statements that are responsible for a failure, and proves it.
///
/// Give it a program that fails. It searches an execution that violates an assertion, then says
/// which assignments are to blame: those where another value would have prevented the failure.
#[derive(Clone, Debug, Parser)]
#[command(name = "whydunit", version, max_term_width = 80, after_help = AFTER_HELP)]
#[command(override_usage = "whydunit [OPTIONS] <FILE>\n       whydunit explain <TECHNIQUE>")]
pub struct Options {
    /// The program: a Boogie file (.bpl). `-` reads from standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The techniques to run, separated by commas, or `all`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "all")]
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
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_steps: usize,

    /// Start at this procedure instead of `main`.
    ///
    /// Without `main`, each procedure that no other one calls is a start.
    #[arg(long, value_name = "PROCEDURE")]
    pub entry: Option<String>,

    /// Never suspect the statements of this procedure. Can be repeated.
    #[arg(long, value_name = "PROCEDURE")]
    pub trust: Vec<String>,

    /// Stop after this time (500ms, 60s, 5m) with what is known by then.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub time_limit: Duration,

    /// Write the questions to the solver into this folder, as SMT-LIB files.
    #[arg(long, value_name = "FOLDER")]
    pub log_queries: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For tools.
    Json,
}

/// What to say to someone who gives no arguments.
pub const USAGE: &str = "\
Usage: whydunit [OPTIONS] FILE
       whydunit explain TECHNIQUE

FILE is a Boogie program (.bpl) that fails. Try `whydunit --help`.
";

const AFTER_HELP: &str = "\
Examples:
  whydunit counter.bpl                  find a failure and explain it
  whydunit counter.bpl --max-traces 5   explain up to five failures at once
  whydunit counter.bpl --format json    the same for a program to read
  whydunit explain relevance            what the answers mean

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
    fn durations() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("3"), Ok(Duration::from_secs(3)));
        for wrong in ["", "s", "1 fortnight", "-1s", "1e999s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
