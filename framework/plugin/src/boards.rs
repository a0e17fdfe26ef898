//! The nouns of the game for authors: cells and sets of them, boards, men, the game and the
//! position. Must not know rules, nor how calls cross the line.

use crate::abi;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

pub use crate::abi::Cells;

/// A place on a board, without saying on which. Twins are the same cell on different boards.
///
/// The number is `file + files * (rank + ranks * level)`, each counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u8);

/// One of the boards, counted from 0 and written `A`, `B`, `C` …
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(pub u8);

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (b'A' + self.0) as char)
    }
}

/// A set of boards, one bit a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BoardSet(pub u8);

impl BoardSet {
    /// No board.
    pub const EMPTY: Self = Self(0);

    /// Just this board.
    pub const fn of(board: Board) -> Self {
        Self(1 << board.0)
    }

    /// Whether the board is in the set.
    pub const fn has(self, board: Board) -> bool {
        self.0 >> board.0 & 1 == 1
    }

    /// The set with that board added.
    #[must_use]
    pub const fn with(self, board: Board) -> Self {
        Self(self.0 | 1 << board.0)
    }

    /// The set without that board.
    #[must_use]
    pub const fn without(self, board: Board) -> Self {
        Self(self.0 & !(1 << board.0))
    }

    /// The boards of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Board> {
        (0..8).map(Board).filter(move |b| self.has(*b))
    }
}

/// The two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Moves first.
    #[default]
    White,
    /// Moves second.
    Black,
}

impl Not for Colour {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Colour {
    /// White, then Black.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// +1 for White, whose pawns walk up the ranks, -1 for Black.
    pub const fn forward(self) -> i8 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }
}

/// A kind of man: its place in the game's list of men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(pub u8);

/// A man: what it is and whose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Man {
    /// What it is.
    pub kind: Kind,
    /// Whose it is.
    pub colour: Colour,
}

/// The man that moves. What the rule does not [depend on](crate::DependsOn) is that of White's first
/// kind on cell 0, and must not be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mover {
    /// Its kind and colour.
    pub man: Man,
    /// The cell it leaves.
    pub cell: Cell,
}

/// Whether a man makes zero moves: transfers with no movement before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ZeroMove {
    /// It makes none.
    #[default]
    Never,
    /// To a vacant twin.
    ToVacant,
    /// To a vacant twin, or capturing an enemy there. So it also attacks a king on its twin.
    Capturing,
}

/// King and rook that are about to castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Castling {
    /// The king, unmoved.
    pub king: Mover,
    /// The rook, unmoved.
    pub rook: Mover,
    /// The king's arrival cell.
    pub king_to: Cell,
    /// The rook's arrival cell.
    pub rook_to: Cell,
}

impl Cells {
    /// No cell.
    pub const EMPTY: Self = Self { word: [0; 4] };

    /// Just this cell.
    #[inline]
    pub const fn of(cell: Cell) -> Self {
        Self::EMPTY.with(cell)
    }

    /// The first `n` cells: all cells of a board that has `n`.
    #[inline]
    pub const fn first_n(n: usize) -> Self {
        let mut set = Self::EMPTY;
        let mut w = 0;
        while w < 4 {
            let here = n.saturating_sub(64 * w);
            set.word[w] = if here >= 64 { !0 } else { (1 << here) - 1 };
            w += 1;
        }
        set
    }

    /// Whether the cell is in the set.
    #[inline]
    pub const fn has(self, cell: Cell) -> bool {
        self.word[(cell.0 >> 6) as usize] >> (cell.0 & 63) & 1 == 1
    }

    /// The set with that cell added.
    #[inline]
    #[must_use]
    pub const fn with(mut self, cell: Cell) -> Self {
        self.word[(cell.0 >> 6) as usize] |= 1 << (cell.0 & 63);
        self
    }

    /// The set without that cell.
    #[inline]
    #[must_use]
    pub const fn without(mut self, cell: Cell) -> Self {
        self.word[(cell.0 >> 6) as usize] &= !(1 << (cell.0 & 63));
        self
    }

    /// Whether no cell is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.word[0] | self.word[1] | self.word[2] | self.word[3] == 0
    }

    /// How many cells are in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        let [a, b, c, d] = self.word;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    /// The cells of the set, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        (0..=255).map(Cell).filter(move |cell| self.has(*cell))
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, Self::with)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident) => {
        impl $trait for Cells {
            type Output = Self;
            #[inline]
            fn $method(mut self, other: Self) -> Self {
                for (a, b) in self.word.iter_mut().zip(other.word) {
                    *a = a.$method(b);
                }
                self
            }
        }
        impl $assign for Cells {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}
operator!(BitAnd, bitand, BitAndAssign, bitand_assign);
operator!(BitOr, bitor, BitOrAssign, bitor_assign);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign);

/// All 256 cells that are not in the set, also those past the board's last: cut it down with
/// [`Boards::all`].
impl Not for Cells {
    type Output = Self;
    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.word {
            *word = !*word;
        }
        self
    }
}

/// A kind of man as the game describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindOfMan {
    /// What it is called: `knight`.
    pub name: String,
    /// Its letter, an ASCII capital.
    pub letter: char,
    /// Whether it is the man to be mated.
    pub royal: bool,
    /// Whether it is a pawn.
    pub pawn: bool,
}

/// The game that a rule is made for: its boards and its men.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Files of each board.
    pub files: u8,
    /// Ranks of each board.
    pub ranks: u8,
    /// Levels of each board; 1 if it is flat.
    pub levels: u8,
    /// How many boards, 1 to 8.
    pub boards: u8,
    /// The kinds of men; [`Kind`] counts them.
    pub men: Vec<KindOfMan>,
}

impl Game {
    /// Two boards of 8 by 8 cells with the men of chess: what tests need.
    pub fn alice() -> Self {
        let men = ["pawn", "knight", "bishop", "rook", "queen", "king"];
        let letters = "PNBRQK".chars();
        let man = |(name, letter): (&str, char)| KindOfMan {
            name: name.into(),
            letter,
            royal: letter == 'K',
            pawn: letter == 'P',
        };
        let men = men.into_iter().zip(letters).map(man).collect();
        Self { files: 8, ranks: 8, levels: 1, boards: 2, men }
    }

    /// How many cells a board has.
    pub fn cell_count(&self) -> usize {
        usize::from(self.files) * usize::from(self.ranks) * usize::from(self.levels)
    }

    /// All cells of a board.
    pub fn all(&self) -> Cells {
        Cells::first_n(self.cell_count())
    }

    /// All boards.
    pub fn all_boards(&self) -> BoardSet {
        (0..self.boards).map(Board).fold(BoardSet::EMPTY, BoardSet::with)
    }

    /// The board after this one; the first after the last.
    pub fn next(&self, board: Board) -> Board {
        Board((board.0 + 1) % self.boards)
    }

    /// The cell at these coordinates, each counted from 0; none if it is off the board.
    pub fn cell(&self, file: i32, rank: i32, level: i32) -> Option<Cell> {
        let (files, ranks, levels) = (self.files.into(), self.ranks.into(), self.levels.into());
        let inside = (0..files).contains(&file) && (0..ranks).contains(&rank) && (0..levels).contains(&level);
        inside.then(|| Cell((file + files * (rank + ranks * level)) as u8))
    }

    /// File, rank and level of a cell, each counted from 0.
    pub fn coordinates(&self, cell: Cell) -> [i32; 3] {
        let (n, files, ranks) = (i32::from(cell.0), i32::from(self.files), i32::from(self.ranks));
        [n % files, n / files % ranks, n / (files * ranks)]
    }

    /// The cell that lies `offset` (files, ranks, levels) away, if it is on the board.
    pub fn step(&self, from: Cell, offset: [i8; 3]) -> Option<Cell> {
        let [file, rank, level] = self.coordinates(from);
        let [f, r, l] = offset.map(i32::from);
        self.cell(file + f, rank + r, level + l)
    }

    /// The cell with this name: `e4`, or with levels `Cc3` (level, file, rank).
    pub fn cell_named(&self, name: &str) -> Option<Cell> {
        let (level, rest) = match name.bytes().next()? {
            c @ b'A'..=b'Z' if self.levels > 1 => (i32::from(c - b'A'), &name[1..]),
            _ if self.levels > 1 => return None,
            _ => (0, name),
        };
        let file = rest.bytes().next().filter(u8::is_ascii_lowercase)?;
        let digits = &rest[1..];
        let plain = digits.bytes().all(|c| c.is_ascii_digit()) && !digits.starts_with('0');
        let rank: i32 = digits.parse().ok().filter(|_| plain)?;
        self.cell(i32::from(file - b'a'), rank - 1, level)
    }

    /// The kind of man with this name or this letter.
    pub fn kind(&self, name: &str) -> Option<Kind> {
        let named = |m: &KindOfMan| m.name == name || name.chars().eq([m.letter]);
        self.men.iter().position(named).map(|n| Kind(n as u8))
    }
}

/// Who stands where, before the move. Only what the rule [depends on](crate::DependsOn) can be asked.
#[derive(Clone, Copy)]
pub struct Boards<'a> {
    info: &'a abi::PositionInfo,
    game: &'a abi::GameInfo,
}

impl<'a> Boards<'a> {
    /// # Safety
    /// What `info` says is given must be there, as `abi.rs` describes it. None if a pointer that is
    /// always given is null.
    pub(crate) unsafe fn new(info: *const abi::PositionInfo) -> Option<Self> {
        // SAFETY: the caller says that both are null or live as long as the call.
        let info = unsafe { info.as_ref() }?;
        // SAFETY: as above.
        let game = unsafe { info.game.as_ref() }?;
        Some(Self { info, game })
    }

    /// The set at `index` of one of the position's arrays.
    #[inline]
    fn set(self, array: *const Cells, bit: u32, index: u32, what: &str) -> Cells {
        assert!(
            self.info.given & bit != 0 && !array.is_null(),
            "the rule asks for {what}, which it does not say it depends on"
        );
        // SAFETY: `Boards::new` was promised that what is given is there, and the callers below have
        // compared the index with the sizes in the game.
        unsafe { *array.add(index as usize) }
    }

    #[inline]
    fn index(self, row: u32, board: Board) -> u32 {
        let board = u32::from(board.0);
        assert!(board < self.game.boards, "there is no board number {board}");
        row * self.game.boards + board
    }

    /// How many boards there are.
    #[inline]
    pub fn boards(self) -> u8 {
        self.game.boards as u8
    }

    /// All cells of a board.
    #[inline]
    pub fn all(self) -> Cells {
        Cells::first_n((self.game.files * self.game.ranks * self.game.levels) as usize)
    }

    /// The occupied cells of a board.
    ///
    /// # Panics
    /// If the rule does not say that it depends on [`DependsOn::OCCUPANCY`](crate::DependsOn::OCCUPANCY);
    /// as the others do in their turn, or if there is no such board.
    #[inline]
    pub fn occupied(self, board: Board) -> Cells {
        let index = self.index(0, board);
        self.set(self.info.occupied, abi::DEPENDS_ON_OCCUPANCY, index, "occupied cells")
    }

    /// The vacant cells of a board.
    ///
    /// # Panics
    /// As [`Boards::occupied`].
    #[inline]
    pub fn vacant(self, board: Board) -> Cells {
        self.all() & !self.occupied(board)
    }

    /// The cells of a board on which men of this colour stand.
    ///
    /// # Panics
    /// Without [`DependsOn::COLOURS`](crate::DependsOn::COLOURS), or if there is no such board.
    #[inline]
    pub fn of_colour(self, board: Board, colour: Colour) -> Cells {
        let index = self.index(colour as u32, board);
        self.set(self.info.of_colour, abi::DEPENDS_ON_COLOURS, index, "the colours of men")
    }

    /// The cells of a board on which men of this kind (of either colour) stand.
    ///
    /// # Panics
    /// Without [`DependsOn::KINDS`](crate::DependsOn::KINDS), or if there is no such board or kind.
    #[inline]
    pub fn of_kind(self, board: Board, kind: Kind) -> Cells {
        let row = u32::from(kind.0);
        assert!(row < self.game.kinds, "there is no kind of man number {row}");
        let index = self.index(row, board);
        self.set(self.info.of_kind, abi::DEPENDS_ON_KINDS, index, "the kinds of men")
    }

    /// Whose turn it is.
    ///
    /// # Panics
    /// Without [`DependsOn::TURN`](crate::DependsOn::TURN).
    #[inline]
    pub fn turn(self) -> Colour {
        assert!(
            self.info.given & abi::DEPENDS_ON_TURN != 0,
            "the rule asks whose turn it is, which it does not say it depends on"
        );
        if self.info.turn == 0 { Colour::White } else { Colour::Black }
    }

    /// How many plies were made before this position, counted from White's first move.
    ///
    /// # Panics
    /// Without [`DependsOn::PLY`](crate::DependsOn::PLY).
    #[inline]
    pub fn ply(self) -> u32 {
        assert!(
            self.info.given & abi::DEPENDS_ON_PLY != 0,
            "the rule asks for the number of plies, which it does not say it depends on"
        );
        self.info.ply
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_the_first_cells_holds_just_them() {
        for n in [0, 1, 63, 64, 65, 128, 200, 255, 256] {
            let set = Cells::first_n(n);
            assert_eq!(set.count() as usize, n);
            assert!(set.iter().enumerate().all(|(i, cell)| usize::from(cell.0) == i));
            assert_eq!((set & !set, set | !set), (Cells::EMPTY, Cells::first_n(256)));
        }
    }

    #[test]
    fn cells_are_found_by_name() {
        let flat = Game::alice();
        assert_eq!(flat.cell_named("a1"), Some(Cell(0)));
        assert_eq!(flat.cell_named("h8"), Some(Cell(63)));
        let deep = Game { files: 5, ranks: 5, levels: 5, ..Game::alice() };
        assert_eq!(deep.cell_named("Cc3"), Some(Cell(62)));
        for wrong in ["", "a", "a0", "a9", "i1", "a01", "a+1", "A1", "aa1", "é4", "Aa1", "a1 "] {
            assert_eq!(flat.cell_named(wrong), None, "{wrong:?}");
        }
        assert_eq!(deep.cell_named("c3"), None);
    }
}
