//! Sets of cells as plain machine words: the currency of the whole core.
//!
//! A board of up to 64 cells uses `u64`, up to 128 `u128`, up to 256 [`Wide`]. The width is chosen
//! once, when a variant is loaded. This module knows bits only.

use crate::shape::Cell;
use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of cells of one board. Bit `n` stands for the cell numbered `n`.
pub trait CellSet:
    Copy
    + Debug
    + Default
    + Eq
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// No cell.
    const EMPTY: Self;
    /// How many cells the set can hold.
    const BITS: usize;

    /// Just this cell.
    fn of(cell: Cell) -> Self;
    /// The first `n` cells: all cells of a board that has `n`.
    fn first_n(n: usize) -> Self;
    /// Whether no cell is in the set.
    fn is_empty(self) -> bool;
    /// How many cells are in the set.
    fn count(self) -> u32;
    /// The cell with the lowest number. The set must not be empty (an empty one gives some cell
    /// number below 256 that means nothing).
    fn lowest(self) -> Cell;
    /// The set without its lowest cell. The set must not be empty.
    #[must_use]
    fn without_lowest(self) -> Self;
    /// Subtraction of the sets read as numbers, as the sliding formula needs it.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// The set's highest cell alone; cell 0 if the set is empty.
    #[must_use]
    fn highest_or_first(self) -> Self;
    /// Moves every cell's number up by `n` (modulo the width); [`CellSet::BITS`]` - k` moves it
    /// down by `k`.
    #[must_use]
    fn rotate(self, n: u32) -> Self;
    /// Whether the processor gathers the bits of a set fast enough for lookups by [`CellSet::extract`].
    const EXTRACTS: bool;
    /// Which of the mask's cells are in the set, as a number: bit `n` for the mask's `n`th cell. Only
    /// called where [`CellSet::EXTRACTS`] says so.
    fn extract(self, mask: Self) -> usize;
    /// The mask's cells chosen by the bits of a number: the inverse of [`CellSet::extract`].
    fn spread(self, chosen: u64) -> Self {
        let mine = self.cells().enumerate().filter(|(n, _)| chosen >> n & 1 == 1);
        mine.fold(Self::EMPTY, |set, (_, cell)| set | Self::of(cell))
    }
    /// The set in 64-bit words, lowest first; words past its width are zero.
    fn words(self) -> [u64; 4];
    /// The set from 64-bit words, lowest first; bits past its width are dropped.
    fn from_words(words: [u64; 4]) -> Self;

    /// Whether the cell is in the set.
    fn has(self, cell: Cell) -> bool {
        !(self & Self::of(cell)).is_empty()
    }

    /// The cells of the set, lowest first.
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
}

/// Walks over the cells of a set; made by [`CellSet::cells`].
#[derive(Clone, Copy, Debug)]
pub struct Cells<S>(S);

impl<S: CellSet> Iterator for Cells<S> {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        if self.0.is_empty() {
            return None;
        }
        let cell = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(cell)
    }
}

/// Gathers the bits of up to two words; see [`CellSet::extract`].
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
fn extract_words(set: [u64; 4], mask: [u64; 4], two: bool) -> usize {
    use safe_arch::population_extract_u64 as extract;
    let low = extract(set[0], mask[0]);
    if two { (low | extract(set[1], mask[1]) << (mask[0].count_ones() & 63)) as usize } else { low as usize }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
fn extract_words(set: [u64; 4], mask: [u64; 4], _: bool) -> usize {
    let mask = Wide::from_words(mask);
    let set = Wide::from_words(set);
    mask.cells().enumerate().fold(0, |n, (i, cell)| n | usize::from(set.has(cell)) << i)
}

macro_rules! machine_word {
    ($word:ty) => {
        impl CellSet for $word {
            const EMPTY: Self = 0;
            const BITS: usize = <$word>::BITS as usize;

            #[inline(always)]
            fn of(cell: Cell) -> Self {
                // The mask drops nothing: a cell's number is below the width chosen for its shape.
                1 << (u32::from(cell.0) & (<$word>::BITS - 1))
            }
            #[inline(always)]
            fn first_n(n: usize) -> Self {
                if n >= <Self as CellSet>::BITS { !0 } else { (1 << n) - 1 }
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> Cell {
                Cell((self.trailing_zeros() & (<$word>::BITS - 1)) as u8)
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn highest_or_first(self) -> Self {
                1 << (<$word>::BITS - 1 - (self | 1).leading_zeros())
            }
            #[inline(always)]
            fn rotate(self, n: u32) -> Self {
                self.rotate_left(n)
            }
            const EXTRACTS: bool = cfg!(all(target_arch = "x86_64", target_feature = "bmi2"));
            #[inline(always)]
            fn extract(self, mask: Self) -> usize {
                extract_words(CellSet::words(self), CellSet::words(mask), <$word>::BITS > 64)
            }
            #[inline(always)]
            fn words(self) -> [u64; 4] {
                let wide = self as u128;
                [wide as u64, (wide >> 64) as u64, 0, 0]
            }
            fn from_words(w: [u64; 4]) -> Self {
                (u128::from(w[0]) | u128::from(w[1]) << 64) as $word
            }
        }
    };
}
machine_word!(u64);
machine_word!(u128);

/// A set of up to 256 cells, for large boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wide([u128; 2]);

macro_rules! wide_operator {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident) => {
        impl $trait for Wide {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self([self.0[0].$method(other.0[0]), self.0[1].$method(other.0[1])])
            }
        }
        impl $assign for Wide {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}
wide_operator!(BitAnd, bitand, BitAndAssign, bitand_assign);
wide_operator!(BitOr, bitor, BitOrAssign, bitor_assign);
wide_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign);

impl Not for Wide {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self([!self.0[0], !self.0[1]])
    }
}

impl CellSet for Wide {
    const EMPTY: Self = Self([0, 0]);
    const BITS: usize = 256;

    #[inline(always)]
    fn of(cell: Cell) -> Self {
        let bit = 1u128 << (cell.0 & 127);
        if cell.0 < 128 { Self([bit, 0]) } else { Self([0, bit]) }
    }
    fn first_n(n: usize) -> Self {
        Self([u128::first_n(n.min(128)), u128::first_n(n.saturating_sub(128))])
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }
    #[inline(always)]
    fn lowest(self) -> Cell {
        if self.0[0] != 0 { self.0[0].lowest() } else { Cell(self.0[1].lowest().0 + 128) }
    }
    #[inline(always)]
    fn without_lowest(self) -> Self {
        if self.0[0] != 0 {
            Self([self.0[0].without_lowest(), self.0[1]])
        } else {
            Self([0, self.0[1].without_lowest()])
        }
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let (low, borrow) = self.0[0].overflowing_sub(other.0[0]);
        let high = self.0[1].wrapping_sub(other.0[1]);
        Self([low, high.wrapping_sub(u128::from(borrow))])
    }
    #[inline(always)]
    fn highest_or_first(self) -> Self {
        if self.0[1] != 0 {
            Self([0, self.0[1].highest_or_first()])
        } else {
            Self([self.0[0].highest_or_first(), 0])
        }
    }
    #[inline(always)]
    fn rotate(self, n: u32) -> Self {
        let [mut low, mut high] = self.0;
        if n & 128 != 0 {
            std::mem::swap(&mut low, &mut high);
        }
        match n & 127 {
            0 => Self([low, high]),
            k => Self([low << k | high >> (128 - k), high << k | low >> (128 - k)]),
        }
    }
    const EXTRACTS: bool = false;
    fn extract(self, mask: Self) -> usize {
        mask.cells().enumerate().fold(0, |n, (i, cell)| n | usize::from(self.has(cell)) << i)
    }
    fn words(self) -> [u64; 4] {
        let [a, b, ..] = self.0[0].words();
        let [c, d, ..] = self.0[1].words();
        [a, b, c, d]
    }
    fn from_words(w: [u64; 4]) -> Self {
        Self([u128::from_words([w[0], w[1], 0, 0]), u128::from_words([w[2], w[3], 0, 0])])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every operation of a narrower set, done on [`Wide`], gives the same cells.
    fn agrees<S: CellSet>(a: [u64; 4], b: [u64; 4]) {
        let (s, t) = (S::from_words(a), S::from_words(b));
        let (w, v) = (Wide::from_words(s.words()), Wide::from_words(t.words()));
        let low = |x: Wide| S::from_words(x.words());
        assert_eq!(s & t, low(w & v));
        assert_eq!(s | t, low(w | v));
        assert_eq!(s ^ t, low(w ^ v));
        assert_eq!(!s, low(!w));
        assert_eq!(s.count(), w.count());
        assert_eq!(s.minus(t), low(w.minus(v)));
        assert_eq!(s.highest_or_first(), low(w.highest_or_first()));
        assert!(s.cells().eq(w.cells()));
        assert!(s.cells().all(|c| s.has(c)));
        assert_eq!(s.cells().count() as u32, s.count());
    }

    proptest! {
        #[test]
        fn sets_of_every_width_agree(a: [u64; 4], b: [u64; 4]) {
            agrees::<u64>(a, b);
            agrees::<u128>(a, b);
            agrees::<Wide>(a, b);
        }

        #[test]
        fn rotation_moves_each_cell(a: [u64; 4], n in 0u32..256) {
            let set = Wide::from_words(a);
            let mut expected: Vec<_> = set.cells().map(|c| Cell(c.0.wrapping_add(n as u8))).collect();
            expected.sort();
            prop_assert!(set.rotate(n).cells().eq(expected));
        }
    }
}
