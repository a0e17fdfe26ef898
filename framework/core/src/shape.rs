//! The shape of a board and the names of its cells.
//!
//! All boards of a variant have one shape: files x ranks x levels, at most 256 cells. This module
//! knows geometry and names only; it must not know men, rules or how a position is stored.

use std::fmt;

/// The most cells one board may have.
pub const MAX_CELLS: usize = 256;
/// The most boards one variant may have.
pub const MAX_BOARDS: usize = 8;

/// A place on a board, without saying on which: `e4`. Twins are the same cell on different boards.
///
/// The number is `file + files * (rank + ranks * level)`, each counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u8);

impl Cell {
    /// The number as an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One of the boards, counted from 0 and written `A`, `B`, `C` …
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(pub u8);

impl Board {
    /// The number as an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

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

    /// The boards of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Board> {
        (0..MAX_BOARDS as u8).map(Board).filter(move |b| self.has(*b))
    }
}

/// A cell on a named board: `e4/A`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// Which board.
    pub board: Board,
    /// Where on it.
    pub cell: Cell,
}

/// Why a shape is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// A dimension of zero.
    #[error("a board needs at least one file, one rank and one level")]
    Empty,
    /// More files or levels than letters.
    #[error("{0} {1} are more than the 26 letters that name them")]
    TooManyLetters(u16, &'static str),
    /// More than [`MAX_CELLS`] cells.
    #[error("{0} cells are more than the 256 that a board may have")]
    TooManyCells(u64),
}

/// How many files, ranks and levels every board has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    files: u16,
    ranks: u16,
    levels: u16,
}

impl Shape {
    /// A shape of 1 to 26 files, 1 to 26 levels and at most 256 cells.
    pub fn new(files: u16, ranks: u16, levels: u16) -> Result<Self, ShapeError> {
        if files == 0 || ranks == 0 || levels == 0 {
            return Err(ShapeError::Empty);
        }
        if files > 26 {
            return Err(ShapeError::TooManyLetters(files, "files"));
        }
        if levels > 26 {
            return Err(ShapeError::TooManyLetters(levels, "levels"));
        }
        let cells = u64::from(files) * u64::from(ranks) * u64::from(levels);
        if cells > MAX_CELLS as u64 {
            return Err(ShapeError::TooManyCells(cells));
        }
        Ok(Self { files, ranks, levels })
    }

    /// How many files (columns, named by lower-case letters).
    pub const fn files(self) -> usize {
        self.files as usize
    }

    /// How many ranks (rows, named by numbers from 1).
    pub const fn ranks(self) -> usize {
        self.ranks as usize
    }

    /// How many levels (floors, named by capital letters); 1 on a flat board.
    pub const fn levels(self) -> usize {
        self.levels as usize
    }

    /// How many cells a board has.
    pub const fn cells(self) -> usize {
        self.files() * self.ranks() * self.levels()
    }

    /// Every cell, in the order of their numbers.
    pub fn all(self) -> impl Iterator<Item = Cell> + Clone {
        (0..self.cells()).map(|i| Cell(i as u8))
    }

    /// The cell at these coordinates, each counted from 0; none if it is off the board.
    pub fn cell(self, file: i32, rank: i32, level: i32) -> Option<Cell> {
        let inside = (0..self.files as i32).contains(&file)
            && (0..self.ranks as i32).contains(&rank)
            && (0..self.levels as i32).contains(&level);
        inside.then(|| Cell((file + self.files as i32 * (rank + self.ranks as i32 * level)) as u8))
    }

    /// File, rank and level of a cell, each counted from 0.
    pub fn coordinates(self, cell: Cell) -> [i32; 3] {
        let (n, files, ranks) = (i32::from(cell.0), self.files as i32, self.ranks as i32);
        [n % files, n / files % ranks, n / (files * ranks)]
    }

    /// The cell that lies `offset` (files, ranks, levels) away, if it is on the board.
    pub fn step(self, from: Cell, offset: [i8; 3]) -> Option<Cell> {
        let [f, r, l] = self.coordinates(from);
        self.cell(f + i32::from(offset[0]), r + i32::from(offset[1]), l + i32::from(offset[2]))
    }

    /// The name of a cell: `e4`, or with levels `Cc3` (level, file, rank).
    pub fn cell_name(self, cell: Cell) -> String {
        let [f, r, l] = self.coordinates(cell);
        let file = (b'a' + f as u8) as char;
        if self.levels > 1 {
            format!("{}{file}{}", (b'A' + l as u8) as char, r + 1)
        } else {
            format!("{file}{}", r + 1)
        }
    }

    /// A square for people: `e4/A`.
    pub fn square_name(self, square: Square) -> String {
        format!("{}/{}", self.cell_name(square.cell), square.board)
    }

    /// Reads a cell name at the start of `text`; gives the cell and the rest of the text.
    /// None if no cell of this shape is named there.
    pub fn read_cell(self, text: &str) -> Option<(Cell, &str)> {
        let mut rest = text;
        let mut level = 0;
        if self.levels > 1 {
            let c = rest.bytes().next().filter(u8::is_ascii_uppercase)?;
            level = i32::from(c - b'A');
            rest = &rest[1..];
        }
        let c = rest.bytes().next().filter(u8::is_ascii_lowercase)?;
        let file = i32::from(c - b'a');
        rest = &rest[1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // Ranks are at most 256 and never start with 0, so that each cell has one name.
        if digits == 0 || digits > 3 || rest.starts_with('0') {
            return None;
        }
        let rank: i32 = rest[..digits].parse().ok()?;
        Some((self.cell(file, rank - 1, level)?, &rest[digits..]))
    }
}
