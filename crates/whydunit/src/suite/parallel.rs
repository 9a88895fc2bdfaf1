//! The same work on many things, by several threads.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::error::Error;

/// Calls `work` with 0, 1, … below `count`; the results are in this order, whoever was faster. What is done is counted
/// in `done`. If there cannot be as many threads, fewer will do.
pub fn each<T: Send>(
    count: usize,
    threads: usize,
    done: &AtomicU64,
    work: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let next = AtomicUsize::new(0);
    let some = || {
        let mut own = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return own;
            }
            own.push((number, work(number)));
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    let joined: Result<Vec<_>, _> = std::thread::scope(|scope| {
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, some).ok();
        let workers: Vec<_> = (1..threads.min(count)).map_while(start).collect();
        let own = Ok(some());
        let others = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
        [own].into_iter().chain(others).collect()
    });
    let joined =
        joined.map_err(|_| Error::Internal("it panicked while it ran a test".to_owned()))?;
    let mut all: Vec<(usize, T)> = joined.into_iter().flatten().collect();
    all.sort_by_key(|(number, _)| *number);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        for threads in [1, 2, 7] {
            let done = AtomicU64::new(0);
            let slow = |n: usize| {
                std::thread::sleep(std::time::Duration::from_micros(100 * (n as u64 % 3)));
                n * n
            };
            let squares = each(50, threads, &done, slow).unwrap();
            assert_eq!(squares, (0..50).map(|n| n * n).collect::<Vec<_>>());
            assert_eq!(done.into_inner(), 50);
        }
        assert_eq!(each(0, 4, &AtomicU64::new(0), |n| n).unwrap(), Vec::<usize>::new());
    }
}
