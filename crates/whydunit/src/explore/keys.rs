//! What keys mean.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::state::Action;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Do(Action),
    Leave,
    Interrupt,
    /// The terminal shows something else than was drawn.
    DrawAgain,
}

/// The keys as the help shows them.
pub const HELP: &[(&str, &str)] = &[
    ("Up Down    k j", "move"),
    ("Left Right h l", "close, open; out, in"),
    ("Enter Space", "open or close; follow"),
    ("e  c", "open all, close all"),
    ("n  p", "next, previous by level"),
    ("f  Backspace", "follow reference, back"),
    ("i", "executions of an entry"),
    ("v", "values in the source"),
    ("b", "benign, or not"),
    ("B", "hide what is benign"),
    ("PgUp PgDn  < >", "move the source"),
    ("K J", "move the explanation"),
    ("g G", "first, last row"),
    ("Ctrl-L", "draw again"),
    ("q Esc Ctrl-C", "quit"),
];

pub fn meaning(key: KeyEvent) -> Option<Wish> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Wish::Interrupt),
            KeyCode::Char('l') => Some(Wish::DrawAgain),
            _ => None,
        };
    }
    let action = match key.code {
        KeyCode::Char('q') | KeyCode::Esc => return Some(Wish::Leave),
        KeyCode::Up | KeyCode::Char('k') => Action::Up,
        KeyCode::Down | KeyCode::Char('j') => Action::Down,
        KeyCode::Left | KeyCode::Char('h') => Action::Out,
        KeyCode::Right | KeyCode::Char('l') => Action::In,
        KeyCode::Home | KeyCode::Char('g') => Action::First,
        KeyCode::End | KeyCode::Char('G') => Action::Last,
        KeyCode::Enter | KeyCode::Char(' ') => Action::Toggle,
        KeyCode::Char('e') => Action::OpenAll,
        KeyCode::Char('c') => Action::CloseAll,
        KeyCode::Char('i') => Action::Instances,
        KeyCode::Char('v') => Action::Values,
        KeyCode::Char('b') => Action::Benign,
        KeyCode::Char('B') => Action::Hiding,
        KeyCode::Char('n') => Action::Next,
        KeyCode::Char('p') => Action::Previous,
        KeyCode::Char('f') => Action::Follow,
        KeyCode::Backspace => Action::Back,
        KeyCode::PageUp => Action::SourceUp,
        KeyCode::PageDown => Action::SourceDown,
        KeyCode::Char('<') => Action::SourceLeft,
        KeyCode::Char('>') => Action::SourceRight,
        KeyCode::Char('K') => Action::DetailsUp,
        KeyCode::Char('J') => Action::DetailsDown,
        KeyCode::Char('?') => Action::Help,
        _ => return None,
    };
    Some(Wish::Do(action))
}
