//! Men: their colour, their kind, and sets of kinds. Must not know how any of them moves.

use std::ops::Not;

/// The two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Moves first; capital letters.
    #[default]
    White,
    /// Small letters.
    Black,
}

impl Colour {
    /// White, then Black.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `White` or `Black`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
        }
    }
}

impl Not for Colour {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// The most kinds of men a variant may have: one for each letter.
pub const MAX_KINDS: usize = 26;

/// A kind of man (king, knight …): its place in the variant's list of men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(pub u8);

impl Kind {
    /// The number as an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of kinds, one bit a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KindSet(pub u32);

impl KindSet {
    /// No kind.
    pub const EMPTY: Self = Self(0);

    /// Whether the kind is in the set.
    pub const fn has(self, kind: Kind) -> bool {
        self.0 >> kind.0 & 1 == 1
    }

    /// The set with that kind added.
    #[must_use]
    pub const fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind.0)
    }

    /// The kinds of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        (0..MAX_KINDS as u8).map(Kind).filter(move |k| self.has(*k))
    }
}

impl FromIterator<Kind> for KindSet {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        kinds.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// A man: what it is and whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Man {
    /// What it is.
    pub kind: Kind,
    /// Whose it is.
    pub colour: Colour,
}
