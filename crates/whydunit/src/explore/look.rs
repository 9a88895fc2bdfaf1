//! Signs and colours, as far as the terminal has them.

use std::ffi::OsStr;

use ratatui::style::{Color, Modifier, Style};
use report::printable;

use super::state::Opinion;

#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub signs: Signs,
    colours: Colours,
    letters: Letters,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    Sixteen,
    /// Bold and reverse only.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    Unicode,
    Ascii,
}

/// What is drawn beside texts.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    pub open: &'static str,
    pub closed: &'static str,
    pub reference: &'static str,
    pub times: &'static str,
    pub benign: &'static str,
    pub pruned: &'static str,
    /// Beside lines of the source.
    pub condition: &'static str,
    pub statement: &'static str,
    pub value: &'static str,
    pub cut: &'static str,
    pub horizontal: &'static str,
    pub vertical: &'static str,
}

const UNICODE: Signs = Signs {
    open: "▾",
    closed: "▸",
    reference: "↗",
    times: "×",
    benign: "✓",
    pruned: "·",
    condition: "▶",
    statement: "•",
    value: "←",
    cut: "…",
    horizontal: "─",
    vertical: "│",
};

const ASCII: Signs = Signs {
    open: "-",
    closed: "+",
    reference: "^",
    times: "x",
    benign: "ok",
    pruned: ".",
    condition: ">",
    statement: "*",
    value: "<-",
    cut: "~",
    horizontal: "-",
    vertical: "|",
};

/// What is highlighted in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Emphasis {
    None,
    Statement,
    Condition,
}

impl Look {
    pub fn new(colours: Colours, letters: Letters) -> Look {
        let signs = match letters {
            Letters::Unicode => UNICODE,
            Letters::Ascii => ASCII,
        };
        Look { signs, colours, letters }
    }

    /// As the user's environment wants it.
    pub fn of_environment() -> Look {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colours = if no_colour { Colours::None } else { Colours::Sixteen };
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(std::env::var_os);
        Look::new(colours, letters_of(locale.each_ref().map(|value| value.as_deref())))
    }

    /// A text that does nothing to the terminal but be seen.
    pub fn text(&self, text: &str) -> String {
        printable(text).chars().map(|c| self.letter(c)).collect()
    }

    pub fn letter(&self, c: char) -> char {
        match (self.letters, c) {
            (_, c) if c.is_control() => ' ',
            (Letters::Ascii, '×') => 'x',
            (Letters::Ascii, '‘' | '’') => '\'',
            (Letters::Ascii, '“' | '”') => '"',
            (Letters::Ascii, '–' | '—') => '-',
            (Letters::Ascii, c) if !c.is_ascii() => '?',
            (_, c) => c,
        }
    }

    fn coloured(&self, colour: Color) -> Style {
        match self.colours {
            Colours::Sixteen => Style::new().fg(colour),
            Colours::None => Style::new(),
        }
    }

    pub fn bar(&self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    pub fn selected(&self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    pub fn strong(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Lines between the panes, line numbers.
    pub fn quiet(&self) -> Style {
        self.coloured(Color::DarkGray)
    }

    pub fn row(&self, opinion: Opinion) -> Style {
        match opinion {
            Opinion::Suspect => Style::new(),
            Opinion::Benign | Opinion::Pruned => self.coloured(Color::DarkGray),
        }
    }

    pub fn value(&self) -> Style {
        self.coloured(Color::Cyan)
    }

    pub fn emphasis(&self, emphasis: Emphasis) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        match (self.colours, emphasis) {
            (_, Emphasis::None) => Style::new(),
            (Colours::Sixteen, Emphasis::Statement) => {
                Style::new().fg(Color::Yellow).add_modifier(Modifier::UNDERLINED)
            }
            (Colours::Sixteen, Emphasis::Condition) => bold.fg(Color::Black).bg(Color::Yellow),
            (Colours::None, Emphasis::Statement) => bold,
            (Colours::None, Emphasis::Condition) => bold.add_modifier(Modifier::REVERSED),
        }
    }
}

/// The first of the variables `LC_ALL`, `LC_CTYPE` and `LANG` that says something decides.
fn letters_of(locale: [Option<&OsStr>; 3]) -> Letters {
    let said = locale.into_iter().flatten().find(|value| !value.is_empty());
    let name = said.map(|value| value.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match name.contains("utf-8") || name.contains("utf8") {
        true => Letters::Unicode,
        false => Letters::Ascii,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_about_letters() {
        let letters = |locale: [Option<&str>; 3]| letters_of(locale.map(|v| v.map(OsStr::new)));
        assert_eq!(letters([None, None, Some("en_GB.UTF-8")]), Letters::Unicode);
        assert_eq!(letters([Some(""), Some("C.utf8"), Some("C")]), Letters::Unicode);
        assert_eq!(letters([Some("C"), None, Some("de_DE.UTF-8")]), Letters::Ascii);
        assert_eq!(letters([None, None, None]), Letters::Ascii);
    }

    #[test]
    fn texts_cannot_control_the_terminal() {
        let look = |letters| Look::new(Colours::None, letters);
        assert_eq!(look(Letters::Unicode).text("a\x1b[2Jü\u{9b}×"), "a\\x1b[2Jü\\u{9b}×");
        assert_eq!(look(Letters::Ascii).text("ü×“x”"), "?x\"x\"");
    }

    #[test]
    fn without_colours_there_is_only_bold_and_reverse() {
        let look = Look::new(Colours::None, Letters::Unicode);
        let kinds = [Emphasis::None, Emphasis::Statement, Emphasis::Condition];
        let mut styles = kinds.map(|emphasis| look.emphasis(emphasis)).to_vec();
        styles.extend([look.bar(), look.selected(), look.strong(), look.quiet(), look.value()]);
        styles.push(look.row(Opinion::Benign));
        for style in styles {
            assert_eq!((style.fg, style.bg), (None, None));
            assert!((Modifier::BOLD | Modifier::REVERSED).contains(style.add_modifier));
        }
    }
}
