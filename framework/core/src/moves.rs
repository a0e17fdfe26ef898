//! Moves, and their exact text. Must not know what makes a move legal.

use crate::men::Kind;
use crate::rules::{Rules, Wing};
use crate::shape::{Board, Cell, Square};

/// What a move is besides a man going from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// A movement on the origin board, then the transfer (or staying).
    Ordinary,
    /// A transfer with no movement before it.
    Zero,
    /// The king's part of castling.
    Castling(Wing),
    /// A pawn captures one that has just double-stepped past it.
    EnPassant,
}

/// One move of one man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The cell it leaves.
    pub from: Cell,
    /// The board it leaves: its origin board.
    pub origin: Board,
    /// The arrival cell, the same on the origin and the landing board.
    pub to: Cell,
    /// The board it ends up on.
    pub landing: Board,
    /// What it becomes, if it promotes.
    pub promotion: Option<Kind>,
    /// Castling, en passant, zero move or none of them.
    pub kind: MoveKind,
}

impl Move {
    /// The square it leaves.
    pub const fn start(&self) -> Square {
        Square { board: self.origin, cell: self.from }
    }

    /// The square where it ends up.
    pub const fn end(&self) -> Square {
        Square { board: self.landing, cell: self.to }
    }

    /// The exact text: `e2Ae4B`, `a7Ba8Aq`, `Cc3ADc3B`. Two legal moves of a position never share it.
    pub fn exact(&self, rules: &Rules) -> String {
        let shape = rules.shape;
        let mut text = format!(
            "{}{}{}{}",
            shape.cell_name(self.from),
            self.origin,
            shape.cell_name(self.to),
            self.landing
        );
        text.extend(self.promotion.map(|k| rules.man(k).letter.to_ascii_lowercase()));
        text
    }

    /// The short text: `e2e4`, `a7a8q`. Boards are left out, so that several moves may share it.
    pub fn short(&self, rules: &Rules) -> String {
        let shape = rules.shape;
        let mut text = format!("{}{}", shape.cell_name(self.from), shape.cell_name(self.to));
        text.extend(self.promotion.map(|k| rules.man(k).letter.to_ascii_lowercase()));
        text
    }
}
