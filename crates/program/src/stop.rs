//! A request to stop, seen by everything that may run for long.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

/// A flag that the binary raises on Ctrl-C or when the time is up. Clones share the flag.
///
/// What is worth only so much work can be given less than the rest of the time: see [`Stop::after`]. Work is not
/// measured by the clock but counted, by those who do it, so that the answer does not depend on the machine.
#[derive(Clone, Debug)]
pub struct Stop {
    /// What there is too little of, as a number; 0 as long as there is enough.
    raised: Arc<AtomicU8>,
    work: Work,
    most: Duration,
}

/// What there was not enough of, so that something had to stop before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    Time = 1,
    Memory = 2,
}

/// The work that was done: about the time that an ordinary machine needs for it. Clones share the count.
#[derive(Clone, Debug, Default)]
pub struct Work(Arc<AtomicU64>);

impl Work {
    pub fn add(&self, work: Duration) {
        let nanoseconds = u64::try_from(work.as_nanos()).unwrap_or(u64::MAX);
        self.0.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    pub fn done(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

impl Default for Stop {
    fn default() -> Stop {
        Stop { raised: Arc::default(), work: Work::default(), most: Duration::MAX }
    }
}

impl Stop {
    /// Stops after so much more work, or when it is requested.
    pub fn after(work: &Work, more: Duration) -> Stop {
        let most = work.done().saturating_add(more);
        Stop { raised: Arc::default(), work: work.clone(), most }
    }

    pub fn request(&self) {
        self.request_for(Lack::Time);
    }

    /// The first reason counts.
    pub fn request_for(&self, lack: Lack) {
        let order = Ordering::Relaxed;
        let _ = self.raised.compare_exchange(0, lack as u8, order, order);
    }

    pub fn requested(&self) -> bool {
        self.raised.load(Ordering::Relaxed) != 0 || self.work.done() >= self.most
    }

    /// Why it is requested, if it is.
    pub fn lacks(&self) -> Option<Lack> {
        let memory = self.raised.load(Ordering::Relaxed) == Lack::Memory as u8;
        self.requested().then_some(if memory { Lack::Memory } else { Lack::Time })
    }

    /// Stops when this one does, or after a part of the work that is left: so many hundredths.
    pub fn part(&self, hundredths: u32) -> Stop {
        let done = self.work.done();
        let most = match self.most {
            Duration::MAX => Duration::MAX,
            most => done + most.saturating_sub(done) / 100 * hundredths.min(100),
        };
        Stop { raised: self.raised.clone(), work: self.work.clone(), most }
    }

    /// Stops only when this one is requested to, however much work is done.
    pub fn patient(&self) -> Stop {
        Stop { most: Duration::MAX, ..self.clone() }
    }

    /// Whether it was requested, however much work is left.
    pub fn raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed) != 0
    }

    /// Counts work that was done: so many things, each of which takes so long. How much that is.
    pub fn spend(&self, count: usize, each: Duration) -> Duration {
        let work = each.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
        self.work.add(work);
        work
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_after_some_work() {
        let work = Work::default();
        work.add(Duration::from_secs(5));
        let stop = Stop::after(&work, Duration::from_secs(1));
        let same = stop.clone();
        stop.spend(9, Duration::from_millis(100));
        assert!(!same.requested());
        work.add(Duration::from_millis(100));
        assert!(same.requested());
        let other = Stop::after(&work, Duration::from_secs(1));
        assert!(!other.requested());
        other.clone().request();
        assert!(other.requested());
        assert!(!Stop::default().requested());
        let part = Stop::after(&work, Duration::from_secs(1)).part(40);
        work.add(Duration::from_millis(300));
        assert!(!part.requested());
        work.add(Duration::from_millis(100));
        assert!(part.requested() && !part.raised());
        assert!(!Stop::default().part(1).requested());
    }

    #[test]
    fn says_what_there_is_too_little_of() {
        let stop = Stop::default();
        assert_eq!(stop.lacks(), None);
        stop.clone().request_for(Lack::Memory);
        stop.request();
        assert_eq!(stop.lacks(), Some(Lack::Memory));
        let work = Work::default();
        assert_eq!(Stop::after(&work, Duration::ZERO).lacks(), Some(Lack::Time));
    }
}
