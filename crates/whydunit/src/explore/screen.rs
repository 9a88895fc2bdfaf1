//! The terminal: taken, and given back in any case.

use std::io::{BufWriter, Stdout, stdout};
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// A frame is sent at once, or parts of it would be seen.
const FRAME: usize = 1 << 16;

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>;

pub struct Screen {
    pub terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    // Dropped after the terminal, which may still have something to send.
    _taken: Taken,
}

impl Screen {
    pub fn open() -> std::io::Result<Screen> {
        let taken = Taken::take()?;
        let backend = CrosstermBackend::new(BufWriter::with_capacity(FRAME, stdout()));
        Ok(Screen { terminal: Terminal::new(backend)?, _taken: taken })
    }
}

/// The terminal is ours until this is dropped. If somebody panics, the message goes to the screen that the
/// user knows.
struct Taken {
    is_ours: Arc<AtomicBool>,
    hook: Arc<Hook>,
}

impl Taken {
    fn take() -> std::io::Result<Taken> {
        let taken =
            Taken { is_ours: Arc::new(AtomicBool::new(true)), hook: Arc::new(panic::take_hook()) };
        let (is_ours, hook) = (taken.is_ours.clone(), taken.hook.clone());
        panic::set_hook(Box::new(move |info| {
            give_back(&is_ours);
            hook(info);
        }));
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen)?;
        Ok(taken)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        give_back(&self.is_ours);
        // The hook cannot be changed while it is in use.
        if !std::thread::panicking() {
            let hook = self.hook.clone();
            panic::set_hook(Box::new(move |info| hook(info)));
        }
    }
}

/// Only the first time: doing it twice would move the cursor over what was printed since.
fn give_back(is_ours: &AtomicBool) {
    if is_ours.swap(false, Ordering::SeqCst) {
        // There is nobody left to tell if this fails.
        let _ = execute!(stdout(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}
