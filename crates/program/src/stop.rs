//! A request to stop, seen by everything that may run for long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A flag that the binary raises on Ctrl-C or when the time is up. Clones share the flag.
///
/// What is worth only so much work can be given less than the rest of the time: see [`Stop::after`]. Work is not
/// measured by the clock but counted, by those who do it, so that the answer does not depend on the machine.
#[derive(Clone, Debug)]
pub struct Stop {
    raised: Arc<AtomicBool>,
    work: Work,
    most: Duration,
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
        self.raised.store(true, Ordering::Relaxed);
    }

    pub fn requested(&self) -> bool {
        self.raised.load(Ordering::Relaxed) || self.work.done() >= self.most
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
        self.raised.load(Ordering::Relaxed)
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
}
