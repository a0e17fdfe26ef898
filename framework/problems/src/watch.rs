//! Watching a solver at work, and stopping it: from another thread, or when time is up.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// How a solver gets on. Shared between it and whoever watches it.
#[derive(Debug, Default)]
pub struct Watch {
    stop: AtomicBool,
    nodes: AtomicU64,
    done: AtomicU64,
    all: AtomicU64,
    until: Option<Instant>,
}

/// The solver was stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

impl Watch {
    /// Nobody stops it but at that time, if there is one.
    pub fn new(until: Option<Instant>) -> Self {
        Self { until, ..Self::default() }
    }

    /// Makes the solver stop soon, and give what it has found.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was stopped.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// How many moves were made, more or less.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// How many shares of the work are done, and how many there are.
    pub fn shares(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed))
    }

    pub(crate) fn more_shares(&self, shares: usize) {
        self.all.fetch_add(shares as u64, Ordering::Relaxed);
    }

    pub(crate) fn share_done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

/// Counts the moves of one thread, and looks up from work now and then.
pub(crate) struct Count<'a> {
    watch: &'a Watch,
    nodes: u64,
}

/// After so many moves a thread looks whether it has to stop.
const OFTEN: u64 = 1024;

impl<'a> Count<'a> {
    pub(crate) fn new(watch: &'a Watch) -> Self {
        Self { watch, nodes: 0 }
    }

    #[inline(always)]
    pub(crate) fn node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(OFTEN) { self.look_up() } else { Ok(()) }
    }

    #[cold]
    fn look_up(&mut self) -> Result<(), Stopped> {
        self.watch.nodes.fetch_add(OFTEN, Ordering::Relaxed);
        if self.watch.until.is_some_and(|until| Instant::now() >= until) {
            self.watch.stop();
        }
        if self.watch.stopped() { Err(Stopped) } else { Ok(()) }
    }
}

impl Drop for Count<'_> {
    fn drop(&mut self) {
        self.watch.nodes.fetch_add(self.nodes % OFTEN, Ordering::Relaxed);
    }
}
