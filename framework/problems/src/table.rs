//! What has been found out about positions, shared by all threads.
//!
//! Holds numbers by numbers; must not know positions.

use std::sync::atomic::{AtomicU64, Ordering};

/// Small facts by hash. Holds as many as it has room for; new ones push out old ones. A fact is found
/// again only by its whole hash, but for the bits that a place in the table tells anyway.
pub(crate) struct Table {
    slots: Box<[AtomicU64]>,
}

impl Table {
    /// A table of 2^`bits` facts, `bits` from 8 up.
    pub(crate) fn new(bits: u32) -> Self {
        Self { slots: (0..1usize << bits.max(8)).map(|_| AtomicU64::new(0)).collect() }
    }

    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    /// The fact about this hash, if it is held.
    pub(crate) fn get(&self, hash: u64) -> Option<u8> {
        let place = self.place(hash);
        [place, place ^ 1].into_iter().find_map(|place| {
            let slot = self.slots[place].load(Ordering::Relaxed);
            // The lowest bit of the place is not the hash's in the neighbour's slot, so all but the
            // lowest byte are compared.
            (slot >> 8 == hash >> 8 && slot as u8 != 0).then_some(slot as u8)
        })
    }

    /// Holds a fact, from 1 up, about a hash.
    pub(crate) fn put(&self, hash: u64, fact: u8) {
        let place = self.place(hash);
        let new = hash & !0xff | u64::from(fact);
        let old = self.slots[place].load(Ordering::Relaxed);
        if old >> 8 != new >> 8 && old != 0 {
            self.slots[place ^ 1].store(old, Ordering::Relaxed);
        }
        self.slots[place].store(new, Ordering::Relaxed);
    }
}
