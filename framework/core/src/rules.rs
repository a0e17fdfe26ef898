//! The rules of one variant as plain data: what a config file says, in the core's own types.
//!
//! Must not know files, TOML or any variant by name. [`crate::Variant::new`] checks the rules and
//! makes them playable.

use crate::men::{Colour, Kind};
use crate::movement::{AnyMovement, PieceMovement, Steps};
use crate::setup::Setup;
use crate::shape::{Board, Cell, Shape};
use crate::transfer::{AnyTransfer, StandardTransfer};
use crate::{Wide, setup};
use std::fmt;
use std::sync::Arc;

/// How a kind of man moves.
#[derive(Clone)]
pub enum Movement {
    /// By steps described in data. Fast.
    Steps(Steps),
    /// By code of somebody else's.
    Foreign(Arc<dyn AnyMovement>),
}

impl Movement {
    /// The movement as a set-wise answerer for the widest boards.
    pub fn wide(&self) -> Arc<dyn PieceMovement<Wide>> {
        match self {
            Self::Steps(steps) => Arc::new(steps.clone()),
            Self::Foreign(movement) => movement.clone().for_256(),
        }
    }
}

impl fmt::Debug for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(steps) => steps.fmt(f),
            Self::Foreign(_) => f.write_str("Foreign"),
        }
    }
}

/// Which transfer policy a variant has.
#[derive(Clone)]
pub enum Transfer {
    /// One of the known rules, described in data.
    Standard(StandardTransfer),
    /// A rule in somebody else's code.
    Foreign(Arc<dyn AnyTransfer>),
}

impl fmt::Debug for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard(transfer) => transfer.fmt(f),
            Self::Foreign(_) => f.write_str("Foreign"),
        }
    }
}

/// One kind of man.
#[derive(Clone, Debug)]
pub struct ManRules {
    /// What it is called: `knight`.
    pub name: String,
    /// Its letter, an ASCII capital; Black's men are written with the small letter.
    pub letter: char,
    /// How it moves.
    pub movement: Movement,
    /// Whether it is the man to be mated.
    pub royal: bool,
    /// Whether it is a pawn: its moves restart the count of moves without progress, and it captures
    /// en passant where the variant allows that.
    pub pawn: bool,
    /// The kinds it must promote to when it arrives on a promotion cell; empty if it never promotes.
    pub promotes_to: Vec<Kind>,
    /// For each colour, whether a cell (by number, on every board) is a promotion cell.
    pub promotion: [Vec<bool>; 2],
}

/// The wing on which a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wing {
    /// Written `K` / `k` among the rights and `O-O`.
    King,
    /// Written `Q` / `q` among the rights and `O-O-O`.
    Queen,
}

/// One way of castling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Castling {
    /// Whose.
    pub colour: Colour,
    /// On which wing.
    pub wing: Wing,
    /// The home board of king and rook.
    pub board: Board,
    /// The rook's kind.
    pub rook: Kind,
    /// Where the king stands, unmoved.
    pub king_from: Cell,
    /// Where it arrives.
    pub king_to: Cell,
    /// Where the rook stands, unmoved.
    pub rook_from: Cell,
    /// Where it arrives.
    pub rook_to: Cell,
}

impl Castling {
    /// The bit that stands for the right among [`Setup::castling`].
    pub const fn right(&self) -> u8 {
        setup::right(self.colour, self.wing)
    }
}

/// By which pawns a double-stepped pawn may be captured en passant (rules.md, section 8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EnPassantRule {
    /// Not at all.
    #[default]
    None,
    /// By a pawn on the board the double step left, attacking the passed cell there.
    Origin,
    /// By a pawn on the board it landed on, attacking the passed cell, vacant, there.
    Landing,
    /// By both.
    Either,
}

/// What stalemate means for the side that can't move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stalemate {
    /// Nobody wins.
    #[default]
    Draw,
    /// It loses.
    Loss,
    /// It wins.
    Win,
}

/// How a game ends besides mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// What stalemate means.
    pub stalemate: Stalemate,
    /// A draw after so many moves of each side without capture or pawn move; none: never.
    pub moves_without_progress: Option<u16>,
    /// A draw when a position stands for this many times; none: never.
    pub repetition: Option<u16>,
    /// Whether it is a draw when only kings are left.
    pub bare_kings: bool,
}

impl Default for Ends {
    /// As rules.md, section 9: stalemate a draw, 50 moves, threefold repetition, bare kings.
    fn default() -> Self {
        Self {
            stalemate: Stalemate::Draw,
            moves_without_progress: Some(50),
            repetition: Some(3),
            bare_kings: true,
        }
    }
}

/// Which moves the king's safety is tested for, and when (rules.md, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckTests {
    /// With the man on its arrival cell on the origin board, the king on that board must be safe.
    pub before_transfer: bool,
    /// The same for zero moves, where the arrival cell is the cell it stands on.
    pub before_zero_move: bool,
    /// After the transfer the king must be safe wherever it stands.
    pub after_transfer: bool,
}

impl Default for CheckTests {
    fn default() -> Self {
        Self { before_transfer: true, before_zero_move: true, after_transfer: true }
    }
}

/// The rules of a variant.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The variant's short name, for messages.
    pub name: String,
    /// The shape of each board.
    pub shape: Shape,
    /// How many boards, 1 to 8.
    pub boards: u8,
    /// The kinds of men; [`Kind`] counts them.
    pub men: Vec<ManRules>,
    /// The starting position.
    pub start: Setup,
    /// Where a man lands.
    pub transfer: Transfer,
    /// When the king's safety is tested.
    pub tests: CheckTests,
    /// The ways of castling; at most one for each colour and wing.
    pub castling: Vec<Castling>,
    /// En passant.
    pub en_passant: EnPassantRule,
    /// How games end.
    pub ends: Ends,
}

impl Rules {
    /// The rules of one kind.
    pub fn man(&self, kind: Kind) -> &ManRules {
        &self.men[kind.index()]
    }

    /// The kind with this letter, of either case.
    pub fn kind_of_letter(&self, letter: char) -> Option<Kind> {
        let capital = letter.to_ascii_uppercase();
        let found = self.men.iter().position(|m| m.letter == capital)?;
        Some(Kind(found as u8))
    }

    /// The royal kind.
    pub fn royal(&self) -> Option<Kind> {
        let found = self.men.iter().position(|m| m.royal)?;
        Some(Kind(found as u8))
    }

    /// The boards, in order.
    pub fn all_boards(&self) -> impl Iterator<Item = Board> + Clone {
        (0..self.boards).map(Board)
    }

    /// Whether that board exists.
    pub fn has_board(&self, board: Board) -> bool {
        board.0 < self.boards
    }

    /// Whether a pawn of `colour` that arrives on `cell` promotes.
    pub fn promotes(&self, kind: Kind, colour: Colour, cell: Cell) -> bool {
        let man = self.man(kind);
        !man.promotes_to.is_empty() && man.promotion[colour.index()][cell.index()]
    }

    /// Whether men of this kind make double steps that can be answered en passant.
    pub fn double_steps(&self, kind: Kind) -> bool {
        match &self.man(kind).movement {
            Movement::Steps(steps) => steps.steps.iter().any(|s| s.en_passant),
            Movement::Foreign(_) => false,
        }
    }

    /// Whether a cell is initial for men of this kind and colour: where its `initial` steps are open.
    pub fn initial(&self, kind: Kind, colour: Colour, cell: Cell) -> bool {
        match &self.man(kind).movement {
            Movement::Steps(steps) => steps.initial[colour.index()][cell.index()],
            Movement::Foreign(_) => false,
        }
    }

    /// The letter of a man in a position's text: small for Black.
    pub fn letter(&self, kind: Kind, colour: Colour) -> char {
        let letter = self.man(kind).letter;
        match colour {
            Colour::White => letter,
            Colour::Black => letter.to_ascii_lowercase(),
        }
    }
}
