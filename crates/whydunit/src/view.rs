//! How answers and messages look: what the options, the environment and the terminal say.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::Path;

use report::{Colour, Letters, Notes, Report, Scores, Style, View};

use crate::options::{Options, WhenColour};

/// Where no terminal says how wide it is.
const USUAL_WIDTH: usize = 80;

/// How the answer is drawn, in a file or on standard output.
pub fn view(options: &Options, report: &Report, path: Option<&Path>) -> View {
    View {
        style: answer_style(options, path),
        top: options.top.0,
        scores: if options.why_rank { Scores::Explained } else { Scores::Hidden },
        notes: if options.quiet { Notes::Hidden } else { Notes::Shown },
        next: if options.chooses() { Vec::new() } else { next(options, report) },
    }
}

/// For the answer.
fn answer_style(options: &Options, path: Option<&Path>) -> Style {
    let to_terminal = path.is_none() && std::io::stdout().is_terminal();
    style(options, to_terminal, &|name| std::env::var_os(name))
}

/// For what goes to standard error.
pub fn error_style(options: &Options) -> Style {
    style(options, std::io::stderr().is_terminal(), &|name| std::env::var_os(name))
}

fn style(
    options: &Options,
    to_terminal: bool,
    variable: &dyn Fn(&str) -> Option<OsString>,
) -> Style {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    let is_forced =
        variable("CLICOLOR_FORCE").is_some_and(|value| value != "0" && !value.is_empty());
    let is_dumb = variable("TERM").is_some_and(|value| value == "dumb");
    let is_coloured = match options.color {
        WhenColour::Always => true,
        WhenColour::Never => false,
        WhenColour::Auto if is_set("NO_COLOR") => false,
        WhenColour::Auto => is_forced || to_terminal && !is_dumb,
    };
    // The first of these that says anything decides, as in every other program.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|&name| is_set(name));
    let locale = locale.and_then(variable).unwrap_or_default();
    let locale = locale.to_string_lossy().to_ascii_lowercase();
    let has_unicode = locale.contains("utf-8") || locale.contains("utf8");
    // Who exports it wants it, whatever the terminal says.
    let wanted = variable("COLUMNS").and_then(|value| value.to_str()?.parse().ok());
    let width = match to_terminal {
        _ if wanted.is_some_and(|width| width > 0) => wanted,
        true => ratatui::crossterm::terminal::size().ok().map(|(columns, _)| columns.into()),
        false => None,
    };
    Style {
        colour: if is_coloured { Colour::On } else { Colour::Off },
        letters: if has_unicode && !options.ascii { Letters::Unicode } else { Letters::Ascii },
        width: width.filter(|&width| width > 0).unwrap_or(USUAL_WIDTH),
    }
}

/// What the user could do next: at most three things, the most useful first.
fn next(options: &Options, report: &Report) -> Vec<String> {
    let mut hints = Vec::new();
    let has_fix = report.repair.as_ref().is_some_and(|repair| !repair.solutions.is_empty());
    if has_fix {
        hints.push("`--fix` prints the first fix as a patch, `--apply` writes it into the source.");
    }
    if report.repair.as_ref().is_some_and(|repair| !repair.apart.is_empty()) {
        hints.push("`--ask` asks what is right where fixes differ, and goes on with the answers.");
    }
    if report.cascade.is_some() {
        hints.push("`--explore` walks through the causes in the terminal, beside the source.");
    }
    if !options.has_suite() && report.facts.given.is_some() {
        hints.push("`--tests FOLDER` runs tests: those that pass help to tell suspects apart.");
    }
    hints.push("`--technique all` says what each technique found, `--why-rank` why this order.");
    hints.into_iter().take(3).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn styled(words: &str, to_terminal: bool, variables: &[(&str, &str)]) -> Style {
        let options = Options::parse_from(format!("whydunit a.c{words}").split(' '));
        let variable = |name: &str| {
            let found = variables.iter().find(|(own, _)| *own == name);
            found.map(|(_, value)| OsString::from(value))
        };
        style(&options, to_terminal, &variable)
    }

    #[test]
    fn colour() {
        let coloured = |words: &str, to_terminal, variables: &[(&str, &str)]| {
            styled(words, to_terminal, variables).colour == Colour::On
        };
        assert!(coloured("", true, &[]));
        assert!(!coloured("", false, &[]));
        assert!(!coloured("", true, &[("NO_COLOR", "1")]));
        assert!(coloured("", true, &[("NO_COLOR", "")]));
        assert!(!coloured("", true, &[("TERM", "dumb")]));
        assert!(coloured("", false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!coloured("", false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!coloured("", false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
        assert!(coloured(" --color always", false, &[("NO_COLOR", "1")]));
        assert!(!coloured(" --color never", true, &[("CLICOLOR_FORCE", "1")]));
    }

    #[test]
    fn letters() {
        let unicode = |words: &str, variables: &[(&str, &str)]| {
            styled(words, false, variables).letters == Letters::Unicode
        };
        assert!(unicode("", &[("LANG", "en_GB.UTF-8")]));
        assert!(unicode("", &[("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!unicode("", &[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]));
        assert!(unicode("", &[("LC_ALL", ""), ("LANG", "de_DE.UTF-8")]));
        assert!(!unicode("", &[]));
        assert!(!unicode(" --ascii", &[("LANG", "en_GB.UTF-8")]));
    }

    #[test]
    fn the_width_is_that_of_the_variable_or_the_usual_one_when_piped() {
        assert_eq!(styled("", false, &[]).width, USUAL_WIDTH);
        for (columns, width) in [("60", 60), ("0", USUAL_WIDTH), ("wide", USUAL_WIDTH)] {
            let variables = [("COLUMNS", columns)];
            assert_eq!(styled("", false, &variables).width, width);
            assert!(width == USUAL_WIDTH || styled("", true, &variables).width == width);
        }
    }
}
