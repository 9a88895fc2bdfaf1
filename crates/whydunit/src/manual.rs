//! The manual page and completions for shells, made from the options.

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::error::Error;
use crate::help;
use crate::options::Options;

/// `whydunit man`: the manual page, in the language of `man`.
pub fn man() -> Result<String, Error> {
    let page = || -> std::io::Result<Vec<u8>> {
        // What is left out of the short help would have no help here.
        let command = Options::command().mut_args(|option| option.hide_short_help(false));
        let manual = Man::new(command).manual("Whydunit Manual").date("");
        let mut out = Vec::new();
        manual.render_title(&mut out)?;
        manual.render_name_section(&mut out)?;
        manual.render_synopsis_section(&mut out)?;
        manual.render_description_section(&mut out)?;
        manual.render_options_section(&mut out)?;
        out.extend(commands().into_bytes());
        out.extend(sections(help::LONG).into_bytes());
        out.extend(sections(MORE).into_bytes());
        Ok(out)
    };
    let page = page().map_err(|error| Error::Internal(error.to_string()))?;
    String::from_utf8(page).map_err(|error| Error::Internal(error.to_string()))
}

/// `whydunit completions SHELL`: a script for the shell.
pub fn completions(shell: Shell) -> Result<String, Error> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Options::command(), "whydunit", &mut out);
    String::from_utf8(out).map_err(|error| Error::Internal(error.to_string()))
}

/// What the help of the options does not say.
const MORE: &str = "\
Environment:
  NO_COLOR         no colour, if it is set to anything
  COLUMNS          how wide the answer is, whatever the terminal says
  TERM             no colour and no progress, if it is `dumb`
  WHYDUNIT_CLANG   the clang that compiles C programs, if not the first one that is found

Completions:
  bash   whydunit completions bash > ~/.local/share/bash-completion/completions/whydunit
  zsh    whydunit completions zsh > FOLDER/_whydunit, with FOLDER in $fpath
  fish   whydunit completions fish > ~/.config/fish/completions/whydunit.fish

See also:
  clang(1), gdb(1), valgrind(1)";

/// The section about what can be done besides explaining a failure.
fn commands() -> String {
    let mut out = String::from(".SH COMMANDS\n");
    for command in Options::command().get_subcommands() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        out += &format!(".TP\n\\fBwhydunit {}\\fR\n{}\n", command.get_name(), escaped(&about));
    }
    out
}

/// Sections from lines: `Heading:`, then lines that are indented, and shown as they are.
fn sections(text: &str) -> String {
    let mut out = String::new();
    for section in text.split("\n\n") {
        let (heading, lines) = section.split_once(":\n").unwrap_or(("", section));
        out += &format!(".SH {}\n.nf\n", escaped(&heading.to_uppercase()));
        for line in lines.lines() {
            out += &escaped(line.strip_prefix("  ").unwrap_or(line));
            out.push('\n');
        }
        out += ".fi\n";
    }
    out
}

/// Text in which nothing has a meaning for `man`.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    /// The long names of all options.
    fn names() -> Vec<String> {
        let command = Options::command();
        let long = command.get_arguments().filter_map(|a| a.get_long());
        let names: Vec<String> = long.map(|name| format!("--{name}")).collect();
        assert!(names.len() > 20, "{names:?}");
        names
    }

    #[test]
    fn the_manual_page_has_every_option_and_command() {
        let page = man().expect("it is text");
        let plain = page.replace("\\-", "-");
        for name in names() {
            assert!(plain.contains(&format!("\\fB{name}\\fR")), "{name} is missing:\n{plain}");
        }
        let command = Options::command();
        for option in command.get_arguments() {
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            let beginning: String = help.chars().take(12).collect();
            assert!(plain.contains(&beginning), "no help of {}: {help}", option.get_id());
        }
        for section in ["NAME", "SYNOPSIS", "COMMANDS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT"] {
            let heading = |line: &str| line.replace('"', "") == format!(".SH {section}");
            assert!(page.lines().any(heading), "{section} is missing");
        }
        assert!(plain.contains("whydunit explain") && plain.contains("whydunit completions"));
    }

    #[test]
    fn completions_have_every_option() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = completions(shell).expect("it is text");
            for name in names() {
                let (bash, fish) = (name.as_str(), format!("-l {}", &name[2..]));
                assert!(script.contains(bash) || script.contains(&fish), "{shell}: {name}");
            }
            for word in ["explain", "error-invariants", "json"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
        for shell in Shell::value_variants() {
            assert!(completions(*shell).is_ok_and(|script| script.contains("whydunit")));
        }
    }

    #[test]
    fn nothing_in_a_text_is_a_command_for_man() {
        assert_eq!(escaped(".so x\\n-'"), "\\&.so x\\en\\-\\(aq");
        assert_eq!(
            sections("One:\n  a\n  .b\n\nTwo:\n  c"),
            ".SH ONE\n.nf\na\n\\&.b\n.fi\n.SH TWO\n.nf\nc\n.fi\n"
        );
    }
}
