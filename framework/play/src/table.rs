//! The transposition table: what is known of positions that were searched before, shared by all threads
//! without locks.
//!
//! An entry is two words, the second exclusive-ored into the first, so that one that two threads wrote
//! half each is not recognised. Must not know positions, only their hashes.

use crate::value::WINNING;
use alice_core::{Board, Cell, Kind, Move, MoveKind, Wing};
use memmap2::MmapMut;
use std::sync::atomic::{AtomicU64, Ordering};
use zerocopy::FromBytes;

/// What a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
    /// It is this.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) value: i32,
    pub(crate) bound: Bound,
    pub(crate) depth: i32,
    pub(crate) best: Option<Move>,
}

/// Where a position's entry is one of two, of key and body each.
type Bucket = [[AtomicU64; 2]; 2];

/// No system has smaller pages.
const PAGE: usize = 4096;

/// The memory of a table: a power of two of buckets, that begins at a page.
///
/// It is mapped and not allocated so that the system can be asked for large pages: a position is as good as
/// anywhere in the table, and to find the page took longer than to find the position.
pub(crate) struct Memory {
    bytes: MmapMut,
    age: u8,
}

impl Memory {
    /// At most so many bytes, but a few entries at least; less where the system gives less.
    pub(crate) fn new(bytes: usize) -> Self {
        let fit = (bytes / size_of::<Bucket>()).max(512);
        let mut count = 1 << fit.ilog2();
        let mut bytes = loop {
            match MmapMut::map_anon(count * size_of::<Bucket>()) {
                Ok(bytes) => break bytes,
                Err(_) if count > 512 => count /= 2,
                Err(error) => panic!("there is no memory for the smallest table: {error}"),
            }
        };
        // Where there are no large pages, small ones do.
        #[cfg(target_os = "linux")]
        let _ = bytes.advise(memmap2::Advice::HugePage);
        // The system gives a page when it is first touched, which is better now than while a clock runs.
        for page in bytes.chunks_mut(PAGE) {
            page[0] = 0;
        }
        Self { bytes, age: 0 }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.bytes.fill(0);
        self.age = 0;
    }

    /// From now on, what was there before gives way first.
    pub(crate) fn grow_older(&mut self) {
        self.age = (self.age + 1) & 63;
    }

    /// The table that is kept there.
    pub(crate) fn table(&mut self) -> Table<'_> {
        let buckets = <[Bucket]>::mut_from_bytes(&mut self.bytes);
        Table { buckets: buckets.expect("whole buckets, from the beginning of a page on"), age: self.age }
    }
}

/// The table, shared by the threads of a search.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    buckets: &'a [Bucket],
    age: u8,
}

impl Table<'_> {
    fn bucket(&self, hash: u64) -> &Bucket {
        &self.buckets[hash as usize & (self.buckets.len() - 1)]
    }

    /// Lets the processor fetch what will be looked up soon, where it can do so without waiting.
    #[inline]
    pub(crate) fn fetch(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        safe_arch::prefetch_t0(self.bucket(hash));
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    /// What is known of a position that is `ply` plies from the root.
    pub(crate) fn look_up(&self, hash: u64, ply: usize) -> Option<Known> {
        self.bucket(hash).iter().find_map(|[key, body]| {
            let body = body.load(Ordering::Relaxed);
            let found = key.load(Ordering::Relaxed) ^ body == hash && body != 0;
            found.then(|| unpack(body, ply as i32))
        })
    }

    /// Remembers something of a position.
    pub(crate) fn remember(&self, hash: u64, ply: usize, known: Known) {
        let bucket = self.bucket(hash);
        let worth = |[key, body]: &[AtomicU64; 2]| {
            let body = body.load(Ordering::Relaxed);
            let mine = key.load(Ordering::Relaxed) ^ body == hash;
            let old = i32::from(self.age.wrapping_sub((body >> 58) as u8) & 63);
            // The same position is always replaced; an empty entry is worth nothing.
            if mine || body == 0 { i32::MIN } else { i32::from(body as u8) - 8 * old }
        };
        let [first, second] = bucket;
        let [key, place] = if worth(second) < worth(first) { second } else { first };
        let old = place.load(Ordering::Relaxed);
        let same = key.load(Ordering::Relaxed) ^ old == hash && old != 0;
        let mut known = known;
        if same {
            let before = unpack(old, ply as i32);
            known.best = known.best.or(before.best);
            if known.bound != Bound::Exact && known.depth + 3 < before.depth {
                return;
            }
        }
        let body = pack(known, ply as i32, self.age);
        place.store(body, Ordering::Relaxed);
        key.store(hash ^ body, Ordering::Relaxed);
    }

    /// How many of a thousand entries were written in this search.
    pub(crate) fn full(&self) -> u32 {
        let sample = self.buckets[..500].iter().flatten();
        let mine = |[_, body]: &&[AtomicU64; 2]| {
            let body = body.load(Ordering::Relaxed);
            body != 0 && (body >> 58) as u8 == self.age
        };
        sample.filter(mine).count() as u32
    }
}

/// Bits: depth 0-7, value 8-23, bound 24-25, move 26-57, age 58-63.
fn pack(known: Known, ply: i32, age: u8) -> u64 {
    // Ends are counted from the position itself, not from the root.
    let value = match known.value {
        v if v >= WINNING => v + ply,
        v if v <= -WINNING => v - ply,
        v => v,
    };
    let bound = known.bound as u64 + 1;
    known.depth.clamp(0, 255) as u64
        | u64::from(value as i16 as u16) << 8
        | bound << 24
        | known.best.map_or(0, pack_move) << 26
        | u64::from(age) << 58
}

fn unpack(body: u64, ply: i32) -> Known {
    let value = i32::from((body >> 8) as u16 as i16);
    Known {
        depth: i32::from(body as u8),
        value: match value {
            v if v >= WINNING => v - ply,
            v if v <= -WINNING => v + ply,
            v => v,
        },
        bound: match body >> 24 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
        best: unpack_move(body >> 26 & 0xffff_ffff),
    }
}

/// 32 bits: from 0-7, to 8-15, origin 16-18, landing 19-21, promotion 22-26, kind 27-29; 0 is no move.
fn pack_move(mv: Move) -> u64 {
    let kind = match mv.kind {
        MoveKind::Ordinary => 1,
        MoveKind::Zero => 2,
        MoveKind::EnPassant => 3,
        MoveKind::Castling(Wing::King) => 4,
        MoveKind::Castling(Wing::Queen) => 5,
    };
    u64::from(mv.from.0)
        | u64::from(mv.to.0) << 8
        | u64::from(mv.origin.0 & 7) << 16
        | u64::from(mv.landing.0 & 7) << 19
        | mv.promotion.map_or(0, |k| u64::from(k.0 & 31) + 1) << 22
        | kind << 27
}

fn unpack_move(bits: u64) -> Option<Move> {
    let kind = match bits >> 27 {
        1 => MoveKind::Ordinary,
        2 => MoveKind::Zero,
        3 => MoveKind::EnPassant,
        4 => MoveKind::Castling(Wing::King),
        5 => MoveKind::Castling(Wing::Queen),
        _ => return None,
    };
    Some(Move {
        from: Cell(bits as u8),
        to: Cell((bits >> 8) as u8),
        origin: Board((bits >> 16 & 7) as u8),
        landing: Board((bits >> 19 & 7) as u8),
        promotion: (bits >> 22 & 31).checked_sub(1).map(|k| Kind(k as u8)),
        kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_and_value_comes_back_as_it_was_put_in() {
        let mut memory = Memory::new(1 << 16);
        let table = memory.table();
        let kinds = [
            MoveKind::Ordinary,
            MoveKind::Zero,
            MoveKind::EnPassant,
            MoveKind::Castling(Wing::King),
            MoveKind::Castling(Wing::Queen),
        ];
        let mut n = 0_u64;
        for kind in kinds {
            for (from, to, origin, landing, promotion) in
                [(0, 0, 0, 0, None), (255, 254, 7, 6, Some(Kind(25))), (3, 200, 1, 7, Some(Kind(0)))]
            {
                for value in [0, -1, 35, -20_000, 31_990, -31_990] {
                    n += 1;
                    let best = Some(Move {
                        from: Cell(from),
                        to: Cell(to),
                        origin: Board(origin),
                        landing: Board(landing),
                        promotion,
                        kind,
                    });
                    let known = Known { value, bound: Bound::Exact, depth: 7, best };
                    let hash = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    table.remember(hash, 4, known);
                    assert_eq!(table.look_up(hash, 4), Some(known));
                    assert_eq!(table.look_up(hash ^ 1 << 63, 4), None);
                }
            }
        }
    }

    #[test]
    fn a_win_is_as_far_from_the_position_wherever_the_root_is() {
        let mut memory = Memory::new(0);
        let table = memory.table();
        table.remember(9, 4, Known { value: 31_990, bound: Bound::Lower, depth: 3, best: None });
        assert_eq!(table.look_up(9, 6).map(|k| k.value), Some(31_988));
    }
}
