//! `--explore`: the tree of causes in the terminal.
//!
//! The tree is on the left, the source with the selected cause on the right, what is to be said about it
//! below. Everything that can be decided without a terminal is in `state.rs`, which knows no keys, and
//! `graph.rs`; `draw.rs` shows a state. A frame is drawn from nothing, but only what is visible, and
//! ratatui sends only what changed.

mod details;
mod draw;
mod graph;
mod keys;
mod look;
mod screen;
mod source;
mod state;
#[cfg(test)]
pub mod tests;

use std::io::{Error, ErrorKind, IsTerminal};
use std::time::Duration;

use ratatui::crossterm::event::{self, Event, KeyEventKind};
use report::CauseTree;

use draw::Shown;
use keys::Wish;
use look::Look;
use screen::Screen;
use source::Text;
use state::State;

/// How long a signal may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(100);

/// A file of the program.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub text: String,
}

/// What the user decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What was marked benign, as `FILE:LINE`, in the order of the tree.
    pub benign: Vec<String>,
    pub end: End,
}

/// How the user left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Quit,
    /// By Ctrl-C, or by a signal.
    Interrupted,
}

impl Outcome {
    /// The options that leave out what was marked; empty if nothing was.
    pub fn text(&self) -> String {
        if self.benign.is_empty() {
            return String::new();
        }
        let options = self.benign.iter().map(|place| format!(" --benign {}", quote(place)));
        format!(
            "These options leave out what you marked benign:\n {}\n",
            options.collect::<String>()
        )
    }
}

/// The text as one word of a shell.
fn quote(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-:+,@%".contains(c);
    match text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// Whether there is a terminal to draw on. The error says what to do. To be asked before the analysis
/// begins: nobody wants to wait for this answer.
pub fn available() -> std::io::Result<()> {
    let streams = [
        (std::io::stdin().is_terminal(), "standard input"),
        (std::io::stdout().is_terminal(), "standard output"),
    ];
    let problem = match streams.iter().find(|(is_terminal, _)| !is_terminal) {
        Some((_, name)) => format!("--explore needs a terminal, but {name} is none"),
        None if std::env::var_os("TERM").is_some_and(|term| term == "dumb") => {
            "--explore needs a terminal that can move its cursor, but TERM is `dumb`".to_owned()
        }
        None => return Ok(()),
    };
    let help = "leave --explore out, and the tree is printed";
    Err(Error::new(ErrorKind::Unsupported, format!("{problem}; {help}")))
}

/// Shows the tree until the user quits. The terminal is as before afterwards, whatever happens.
/// `interrupted` says whether somebody else wants it to end.
pub fn explore(
    tree: &CauseTree,
    sources: &[Source],
    title: &str,
    interrupted: &dyn Fn() -> bool,
) -> std::io::Result<Outcome> {
    available()?;
    let look = Look::of_environment();
    let texts: Vec<Text<'_>> = sources.iter().map(Text::new).collect();
    let shown = Shown { title, texts: &texts, look: &look };
    let mut state = State::new(tree);
    let mut screen = Screen::open()?;
    // From here on changes of the size are noticed. Without it, one during the first frame would be lost.
    event::poll(Duration::ZERO)?;
    let end = loop {
        let mut view = state.view;
        screen.terminal.draw(|frame| view = draw::draw(frame, &state, shown))?;
        state.view = view;
        if let Some(end) = listen(&mut state, &mut screen, interrupted)? {
            break end;
        }
    };
    Ok(Outcome { benign: state.marked(), end })
}

/// Waits for a key, and takes all that were pressed meanwhile: drawing must not lag behind.
fn listen(
    state: &mut State<'_>,
    screen: &mut Screen,
    interrupted: &dyn Fn() -> bool,
) -> std::io::Result<Option<End>> {
    loop {
        while !event::poll(PATIENCE)? {
            if interrupted() {
                return Ok(Some(End::Interrupted));
            }
        }
        if let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
        {
            match keys::meaning(key) {
                Some(Wish::Do(action)) => state.apply(action),
                Some(Wish::Leave) if state.is_help_open => state.is_help_open = false,
                Some(Wish::Leave) => return Ok(Some(End::Quit)),
                Some(Wish::Interrupt) => return Ok(Some(End::Interrupted)),
                Some(Wish::DrawAgain) => screen.terminal.clear()?,
                None => state.is_help_open = false,
            }
        }
        if !event::poll(Duration::ZERO)? {
            return Ok(None);
        }
    }
}
