//! When to stop: the time limit, Ctrl-C and other signals, and what has to be told then.
//!
//! Everything that runs for long looks at a `Stop` now and then, except Z3, which must be interrupted
//! from another thread. So every solver is registered here while it lives. One thread waits for the end,
//! raises the flags and interrupts the solvers. If that does not help within a grace period, it prints
//! what is known by then itself, and ends the process: the time limit holds whatever the program is.
//!
//! The same thread looks now and then at how much memory is used. Near the limit is as good as at the end of the time.

use std::process::ExitCode;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use program::{Lack, Stop, Work};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use solver::Interrupt;

use crate::error::Error;
use crate::memory::{self, Size};

/// How long the inputs of a failure that was found, or its record, may take after the end.
const FOR_INPUTS: Duration = Duration::from_millis(800);
/// When the process ends in any case.
const GRACE: Duration = Duration::from_millis(1600);
/// How often it is looked at how much memory is used.
const LOOK: Duration = Duration::from_millis(20);
/// This part of the limit of memory is for what is still done when work is to stop. As much beyond the limit, the process ends.
const PART_FOR_THE_REST: u64 = 8;
/// Nobody waits longer.
const FOREVER: Duration = Duration::from_secs(1 << 32);

/// The status after Ctrl-C: 128 and the number of the signal, as shells count.
pub const INTERRUPTED: u8 = 130;

/// What a solver is for; it decides how long it may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Finding failures.
    Search,
    /// Choosing the inputs of a failure, without which it cannot be shown.
    Inputs,
    Diagnosis,
}

/// Why the end came before everything was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    TimeLimit,
    MemoryLimit(Size),
    Interrupted,
}

/// How much of everything there is.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    /// The search may be given less time than there is.
    pub for_search: Duration,
    pub memory: Size,
}

/// The clock of one run. Clones share it.
#[derive(Clone, Debug)]
pub struct Clock(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    stop_search: Stop,
    stop: Stop,
    stop_recording: Stop,
    work: Work,
}

#[derive(Debug)]
struct State {
    search_end: Instant,
    end: Instant,
    /// The status that belongs to the signal that ended the work, if one did.
    interrupted: Option<u8>,
    memory: Size,
    /// Whether it has come near that.
    is_full: bool,
    /// Whether somebody prints the answer already.
    answered: bool,
    /// Whether a user is asked, which takes no time.
    is_asking: bool,
    solvers: Vec<(u64, Task, Interrupt)>,
    registered: u64,
    /// What is to stop before the end.
    parts: Vec<Part>,
}

/// Something that may take a part of what there is.
#[derive(Debug)]
struct Part {
    end: Instant,
    /// When so much memory is used in all.
    memory: Size,
    stop: Stop,
}

impl State {
    fn end_of(&self, task: Task) -> Instant {
        match task {
            Task::Search => self.search_end,
            Task::Diagnosis => self.end,
            Task::Inputs => self.end + FOR_INPUTS,
        }
    }

    /// Why this time is over, if it is.
    fn why(&self, end: Instant) -> Option<End> {
        match (self.interrupted, self.is_full) {
            (Some(_), _) => Some(End::Interrupted),
            (None, true) => Some(End::MemoryLimit(self.memory)),
            (None, false) => (Instant::now() >= end).then_some(End::TimeLimit),
        }
    }

    /// Ends everything now.
    fn end_now(&mut self) {
        let now = Instant::now();
        self.end = self.end.min(now);
        self.search_end = self.search_end.min(now);
    }

    /// With how much memory everything is to end.
    fn nearly_full(&self) -> Size {
        Size(self.memory.0 - self.memory.of(PART_FOR_THE_REST).0)
    }

    /// Stops who takes too much memory. False if so much is used that the process has to end at once.
    fn look_at_memory(&mut self) -> bool {
        let Some(used) = memory::used() else { return true };
        for part in self.parts.iter().filter(|part| used >= part.memory) {
            part.stop.request_for(Lack::Memory);
        }
        if used >= self.nearly_full() && !self.is_full {
            self.is_full = true;
            self.end_now();
        }
        used.0 < self.memory.0.saturating_add(self.memory.of(PART_FOR_THE_REST).0)
    }
}

/// A solver that is interrupted at the end of its time, until this is dropped.
#[derive(Debug)]
pub struct Registration {
    clock: Clock,
    number: u64,
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut state = self.clock.state();
        state.solvers.retain(|(number, ..)| *number != self.number);
    }
}

impl Clock {
    /// Starts the clock. `give_up` is called if the end has come and nobody answered; it prints the answer.
    pub fn start(
        limits: Limits,
        give_up: impl FnOnce(&Clock) -> u8 + Send + 'static,
    ) -> Result<Clock, Error> {
        let now = Instant::now();
        let clock = Clock(Arc::new(Shared {
            state: Mutex::new(State {
                search_end: now + limits.for_search.min(FOREVER),
                end: now + limits.time.min(FOREVER),
                interrupted: None,
                memory: limits.memory,
                is_full: false,
                answered: false,
                is_asking: false,
                solvers: Vec::new(),
                registered: 0,
                parts: Vec::new(),
            }),
            changed: Condvar::new(),
            stop_search: Stop::default(),
            stop: Stop::default(),
            stop_recording: Stop::default(),
            work: Work::default(),
        }));
        let on_signal = clock.clone();
        let mut signals =
            Signals::new(awaited_signals()).map_err(|error| Error::of_system(&error))?;
        let listen = move || {
            for signal in signals.forever() {
                on_signal.interrupt(u8::try_from(128 + signal).unwrap_or(INTERRUPTED));
            }
        };
        let listener = std::thread::Builder::new().spawn(listen);
        listener.map_err(|error| Error::of_system(&error))?;
        let on_time = clock.clone();
        let watch = move || {
            on_time.wait_for_end();
            if on_time.claim_answer() {
                std::process::exit(give_up(&on_time).into());
            }
        };
        let watching = std::thread::Builder::new().spawn(watch);
        watching.map(|_| clock).map_err(|error| Error::of_system(&error))
    }

    /// Raised when the search has to stop.
    pub fn stop_search(&self) -> &Stop {
        &self.0.stop_search
    }

    /// Raised when everything has to stop.
    pub fn stop(&self) -> &Stop {
        &self.0.stop
    }

    /// Raised after this much work, and when a part of the time that is left is over, or of the memory: half of it, a third, and so on.
    /// It is raised with this much more memory, too.
    pub fn stop_within(&self, part: u32, most: Duration, memory: Size) -> Stop {
        let stop = Stop::after(&self.0.work, most);
        let used = memory::used().unwrap_or(Size(0));
        let mut state = self.state();
        let now = Instant::now();
        let left = state.end.saturating_duration_since(now);
        let free = Size(state.nearly_full().0.saturating_sub(used.0));
        let memory = Size(used.0.saturating_add(free.of(part.into()).min(memory).0));
        state.parts.push(Part { end: now + left / part.max(1), memory, stop: stop.clone() });
        if left.is_zero() {
            stop.request();
        }
        self.0.changed.notify_all();
        stop
    }

    /// How much memory may be used.
    pub fn memory_limit(&self) -> Size {
        self.state().memory
    }

    /// Asks a user, for whom there is as much time as he needs.
    pub fn asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        self.state().is_asking = true;
        let answer = ask();
        let mut state = self.state();
        state.is_asking = false;
        if state.interrupted.is_none() {
            let taken = begun.elapsed();
            state.search_end += taken;
            state.end += taken;
            state.parts.iter_mut().for_each(|part| part.end += taken);
        }
        answer
    }

    /// The work that is counted.
    pub fn work(&self) -> &Work {
        &self.0.work
    }

    /// Raised when it is too late even for the record of a failure that was found, without which it cannot be shown.
    pub fn stop_recording(&self) -> &Stop {
        &self.0.stop_recording
    }

    /// Why everything has to stop, if it has.
    pub fn ended(&self) -> Option<End> {
        let state = self.state();
        state.why(state.end)
    }

    /// Why the search has to stop, if it has.
    pub fn search_ended(&self) -> Option<End> {
        let state = self.state();
        state.why(state.search_end)
    }

    /// The status after this clock, if nothing went wrong: that of a shell after a signal, or this one.
    pub fn status(&self, status: u8) -> u8 {
        self.state().interrupted.unwrap_or(status)
    }

    /// Whether a signal has ended the work.
    pub fn interrupted(&self) -> bool {
        self.state().interrupted.is_some()
    }

    /// Whether the caller is the one who prints the answer. Only one is.
    fn claim_answer(&self) -> bool {
        !std::mem::replace(&mut self.state().answered, true)
    }

    /// Prints the answer and gives its status, unless the time for that is over.
    pub fn answer(&self, print: impl FnOnce() -> Result<u8, Error>) -> Result<ExitCode, Error> {
        if !self.claim_answer() {
            // The process is about to end.
            loop {
                std::thread::park();
            }
        }
        print().map(|status| ExitCode::from(self.status(status)))
    }

    /// Interrupts the solver when its time is over; at once if it is over already.
    pub fn register(&self, task: Task, interrupt: Interrupt) -> Registration {
        let mut state = self.state();
        if Instant::now() >= state.end_of(task) {
            interrupt.interrupt();
        }
        state.registered += 1;
        let number = state.registered;
        state.solvers.push((number, task, interrupt));
        Registration { clock: self.clone(), number }
    }

    /// The first signal is the end of the time, the second one of the process.
    fn interrupt(&self, status: u8) {
        let mut state = self.state();
        if state.interrupted.is_some() {
            std::process::exit(status.into());
        }
        state.interrupted = Some(status);
        state.end_now();
        self.0.changed.notify_all();
    }

    /// Tells everybody when their time is over. Returns some time after the end, or when there is no memory left.
    fn wait_for_end(&self) {
        let mut state = self.state();
        loop {
            if !state.look_at_memory() {
                return;
            }
            if state.is_asking && state.interrupted.is_none() {
                let waited = self.0.changed.wait_timeout(state, LOOK);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let now = Instant::now();
            for (_, task, solver) in &state.solvers {
                if now >= state.end_of(*task) {
                    solver.interrupt();
                }
            }
            let end = state.end;
            state.parts.retain(|part| {
                let is_over = now >= part.end.min(end);
                if is_over {
                    part.stop.request();
                }
                !is_over
            });
            if now >= state.search_end {
                self.0.stop_search.request();
            }
            if now >= state.end {
                self.0.stop.request();
            }
            if now >= state.end + FOR_INPUTS {
                self.0.stop_recording.request();
            }
            let all = [state.search_end, state.end, state.end + FOR_INPUTS, state.end + GRACE];
            let all = all.into_iter().chain(state.parts.iter().map(|part| part.end));
            let Some(next) = all.filter(|end| *end > now).min() else { return };
            let waited = self.0.changed.wait_timeout(state, (next - now).min(LOOK));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The signals that end the work. Who starts us with `nohup` wants no end when the terminal is gone.
fn awaited_signals() -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    match ignored >> (SIGHUP - 1) & 1 {
        0 => vec![SIGINT, SIGTERM, SIGHUP],
        _ => vec![SIGINT, SIGTERM],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_asked_may_think() {
        let time = Duration::from_millis(1500);
        let limits = Limits { time, for_search: time, memory: Size::MAX };
        let clock = Clock::start(limits, |_| 0).unwrap();
        let stop = clock.stop_within(1, Duration::MAX, Size::MAX);
        clock.asking(|| std::thread::sleep(2 * time));
        assert_eq!(
            (clock.ended(), stop.requested(), clock.stop().requested()),
            (None, false, false)
        );
        // It goes on where it was.
        std::thread::sleep(time);
        assert_eq!(clock.ended(), Some(End::TimeLimit));
        // Otherwise the process would end.
        assert!(clock.claim_answer());
    }
}
