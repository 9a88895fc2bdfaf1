//! One line on a terminal that says what is going on.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use report::printable;

use crate::options::Options;

/// Shows the phase, how long it has taken, how much of it is done, and how much the solver was asked. Clones share the line.
#[derive(Clone, Debug)]
pub struct Progress {
    phase: Option<Arc<Mutex<Option<Phase>>>>,
    queries: Arc<AtomicU64>,
}

#[derive(Debug)]
struct Phase {
    name: Cow<'static, str>,
    start: Instant,
    /// How many parts are done, of how many.
    parts: Option<(Arc<AtomicU64>, u64)>,
}

impl Progress {
    /// `queries` counts the questions to solvers. Silent if standard error is no terminal, or one that cannot draw a line again, and if
    /// only the answer is wanted.
    pub fn new(options: &Options, queries: Arc<AtomicU64>) -> Progress {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let terminal = std::io::stderr().is_terminal() && !is_dumb && !options.quiet;
        let phase = terminal.then(|| Arc::new(Mutex::new(None)));
        let progress = Progress { phase, queries };
        if terminal {
            let ticking = progress.clone();
            // If there cannot be another thread, it is drawn less often.
            let _ = std::thread::Builder::new().spawn(move || {
                loop {
                    std::thread::sleep(Duration::from_millis(500));
                    ticking.draw();
                }
            });
        }
        progress
    }

    pub fn say(&self, name: impl Into<Cow<'static, str>>) {
        self.set(Some(Phase { name: name.into(), start: Instant::now(), parts: None }));
        self.draw();
    }

    /// Whether there is somebody to see it.
    pub fn is_shown(&self) -> bool {
        self.phase.is_some()
    }

    /// A phase with so many parts. Whoever finishes one counts it.
    pub fn count(&self, name: &'static str, parts: usize) -> Arc<AtomicU64> {
        let done = Arc::new(AtomicU64::new(0));
        let parts = Some((done.clone(), parts as u64));
        self.set(Some(Phase { name: name.into(), start: Instant::now(), parts }));
        self.draw();
        done
    }

    /// Nothing is drawn until the next phase.
    pub fn clear(&self) {
        self.set(None);
    }

    fn set(&self, next: Option<Phase>) {
        if let Some(phase) = &self.phase {
            let mut phase = phase.lock().unwrap_or_else(PoisonError::into_inner);
            if phase.is_some() && next.is_none() {
                let _ = write!(std::io::stderr(), "\r\x1b[K");
            }
            *phase = next;
        }
    }

    fn draw(&self) {
        let Some(phase) = &self.phase else { return };
        // The line is drawn under the lock, so that it is not drawn after it was cleared.
        let phase = phase.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Phase { name, start, parts }) = &*phase {
            let seconds = start.elapsed().as_secs();
            let queries = self.queries.load(Ordering::Relaxed);
            let line = match parts {
                Some((done, all)) => bar(name, done.load(Ordering::Relaxed), *all),
                None => line(name, seconds, queries),
            };
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", printable(&line));
        }
    }
}

fn line(name: &str, seconds: u64, queries: u64) -> String {
    let queries = match queries {
        0 => String::new(),
        1 => ", 1 question to the solver".to_owned(),
        n => format!(", {} questions to the solver", with_commas(n)),
    };
    match seconds {
        0 => format!("{name} …"),
        s => format!("{name}: {s} s{queries} …"),
    }
}

fn bar(name: &str, done: u64, all: u64) -> String {
    const WIDTH: u64 = 20;
    let full = (WIDTH * done.min(all) / all.max(1)) as usize;
    let bar = "#".repeat(full) + &".".repeat(WIDTH as usize - full);
    format!("{name} [{bar}] {} of {}", with_commas(done), with_commas(all))
}

fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        assert_eq!(line("searching", 0, 7), "searching …");
        assert_eq!(line("searching", 3, 0), "searching: 3 s …");
        let long = "searching: 12 s, 1,234,567 questions to the solver …";
        assert_eq!(line("searching", 12, 1_234_567), long);
        assert_eq!(bar("running", 250, 1000), "running [#####...............] 250 of 1,000");
        assert_eq!(bar("running", 0, 0), "running [....................] 0 of 0");
    }
}
