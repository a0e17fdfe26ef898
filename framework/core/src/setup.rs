//! A setup: men on boards, anything goes. What a position's text says, before anybody asks whether
//! it is legal ([`crate::Variant::position`] does).

use crate::cells::CellSet;
use crate::men::{Colour, Kind, Man};
use crate::rules::Wing;
use crate::shape::{Board, Cell, Shape, Square};
use crate::transfer::Boards;

/// What remains of a double step for one move: the pawn on `landing`, one cell beyond `passed`, may
/// be captured en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnPassant {
    /// The cell that the pawn passed over.
    pub passed: Cell,
    /// The board on which it double-stepped.
    pub origin: Board,
    /// The board on which it stands now.
    pub landing: Board,
}

/// The bit of a castling right in [`Setup::castling`].
pub const fn right(colour: Colour, wing: Wing) -> u8 {
    1 << (2 * colour as u8 + wing as u8)
}

/// Men on boards, whose turn it is, and what else a position remembers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The shape of each board.
    pub shape: Shape,
    /// For each board, the man on each cell, by number.
    pub boards: Vec<Vec<Option<Man>>>,
    /// Whose turn it is.
    pub turn: Colour,
    /// The castling rights, a bit each; see [`right`].
    pub castling: u8,
    /// The double step just made, if the variant has en passant.
    pub en_passant: Option<EnPassant>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// The number of the move, from 1; counted up after Black's.
    pub fullmoves: u16,
}

impl Setup {
    /// Empty boards, White to move.
    pub fn empty(shape: Shape, boards: u8) -> Self {
        Self {
            shape,
            boards: vec![vec![None; shape.cells()]; usize::from(boards)],
            turn: Colour::White,
            castling: 0,
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// The man on a square.
    pub fn man(&self, square: Square) -> Option<Man> {
        self.boards[square.board.index()][square.cell.index()]
    }

    /// Puts a man on a square, or takes it away.
    pub fn put(&mut self, square: Square, man: Option<Man>) {
        self.boards[square.board.index()][square.cell.index()] = man;
    }

    /// All men with their squares, by board, then by cell.
    pub fn men(&self) -> impl Iterator<Item = (Square, Man)> {
        self.boards.iter().enumerate().flat_map(|(b, cells)| {
            cells.iter().enumerate().filter_map(move |(c, man)| {
                let square = Square { board: Board(b as u8), cell: Cell(c as u8) };
                man.map(|man| (square, man))
            })
        })
    }

    /// The squares on which such men stand.
    pub fn find(&self, man: Man) -> impl Iterator<Item = Square> {
        self.men().filter(move |(_, m)| *m == man).map(|(square, _)| square)
    }

    fn cells_where<S: CellSet>(&self, board: Board, want: impl Fn(Man) -> bool) -> S {
        let cells = self.boards[board.index()].iter().enumerate();
        cells
            .filter(|(_, man)| man.is_some_and(&want))
            .fold(S::EMPTY, |set, (c, _)| set | S::of(Cell(c as u8)))
    }
}

impl<S: CellSet> Boards<S> for Setup {
    fn boards(&self) -> usize {
        self.boards.len()
    }
    fn all(&self) -> S {
        S::first_n(self.shape.cells())
    }
    fn occupied(&self, board: Board) -> S {
        self.cells_where(board, |_| true)
    }
    fn of_colour(&self, board: Board, colour: Colour) -> S {
        self.cells_where(board, |man| man.colour == colour)
    }
    fn of_kind(&self, board: Board, kind: Kind) -> S {
        self.cells_where(board, |man| man.kind == kind)
    }
    fn turn(&self) -> Colour {
        self.turn
    }
    fn ply(&self) -> u32 {
        2 * u32::from(self.fullmoves.saturating_sub(1)) + self.turn as u32
    }
}
