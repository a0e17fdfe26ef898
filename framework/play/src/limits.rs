//! How long a search may go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What ends a search: whatever comes first. Without any limit it goes on until it is stopped, or has
/// looked as deep as it can.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// So many plies, not counting extensions.
    pub depth: Option<u32>,
    /// So many positions, of all threads together. With one thread, a search that is limited by this (or by
    /// depth) alone is the same every time.
    pub nodes: Option<u64>,
    /// So much time.
    pub time: Option<Duration>,
    /// After so much time no new iteration begins, nor is time spent where there is nothing to choose.
    pub enough: Option<Duration>,
    /// How many of the best moves are looked for, at least one.
    pub lines: usize,
    /// Which first moves may be chosen; all, if none is named.
    pub only: Vec<alice_core::Move>,
    /// Ends the search from outside, within some ten positions.
    pub stop: Stop,
    /// Whether it goes on though nothing more can be found out.
    pub endless: bool,
}

impl Limits {
    /// To a depth.
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// To a number of positions.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// For some time.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }
}

/// A flag that ends a search; its clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not up.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the searches that look at it.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is up.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes it down, for the next search.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
