//! What one thread has lately found out of positions without searching them: what they are judged to be
//! worth, and what quiescence says.
//!
//! Small enough to stay near the processor: nearly all that comes again comes again soon, and the large
//! table takes a tenth of a microsecond to answer. Must not know positions, only their hashes.

use crate::table::Bound;
use crate::value::WINNING;

/// How many positions are kept.
const KEPT: usize = 1 << 14;

/// What is known of a position.
#[derive(Clone, Copy)]
struct Glance {
    hash: u64,
    /// Its evaluation; `NONE` if it was not asked for.
    judged: i16,
    /// Its value after quiescence, and what that says; none if it was not asked for.
    value: i16,
    bound: Option<Bound>,
}

const NONE: i16 = i16::MIN;
const EMPTY: Glance = Glance { hash: 0, judged: NONE, value: 0, bound: None };

/// The latest glances, by hash.
pub(crate) struct Glances(Box<[Glance; KEPT]>);

impl Glances {
    pub(crate) fn new() -> Self {
        let glances = vec![EMPTY; KEPT].into_boxed_slice();
        Self(glances.try_into().unwrap_or_else(|_| unreachable!("it has this length")))
    }

    /// What is known of a position; one that was there before gives way.
    #[inline]
    fn of(&mut self, hash: u64) -> &mut Glance {
        let glance = &mut self.0[hash as usize % KEPT];
        if glance.hash != hash {
            *glance = Glance { hash, ..EMPTY };
        }
        glance
    }

    /// Lets the processor fetch what will be looked up soon, where it can do so without waiting.
    #[inline]
    pub(crate) fn fetch(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        safe_arch::prefetch_t0(&self.0[hash as usize % KEPT]);
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    /// The evaluation of a position.
    #[inline]
    pub(crate) fn judged(&mut self, hash: u64, judge: impl FnOnce() -> i32) -> i32 {
        let glance = self.of(hash);
        if glance.judged == NONE {
            glance.judged = judge() as i16;
        }
        i32::from(glance.judged)
    }

    /// The value of a position after quiescence, and what it says.
    #[inline]
    pub(crate) fn value(&self, hash: u64) -> Option<(i32, Bound)> {
        let glance = &self.0[hash as usize % KEPT];
        let bound = glance.bound.filter(|_| glance.hash == hash)?;
        Some((i32::from(glance.value), bound))
    }

    /// Remembers the value of a position after quiescence. Ends are not kept: they count from the root.
    #[inline]
    pub(crate) fn remember(&mut self, hash: u64, value: i32, bound: Bound) {
        if value.abs() < WINNING {
            let glance = self.of(hash);
            (glance.value, glance.bound) = (value as i16, Some(bound));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_one_position_is_not_believed_of_another() {
        let mut glances = Glances::new();
        let (one, other) = (7, 7 + KEPT as u64);
        assert_eq!(glances.judged(one, || -31), -31);
        glances.remember(one, 12, Bound::Lower);
        assert_eq!(glances.judged(one, || unreachable!("it is known")), -31);
        assert_eq!(glances.value(one), Some((12, Bound::Lower)));
        assert_eq!(glances.value(other), None);
        assert_eq!(glances.judged(other, || 5), 5);
        assert_eq!(glances.value(one), None);
        glances.remember(other, WINNING + 3, Bound::Exact);
        assert_eq!(glances.value(other), None);
    }
}
