//! A request to stop, seen by everything that may run for long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that the binary raises on Ctrl-C or when the time is up. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
