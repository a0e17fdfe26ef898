//! How men move: the trait that the rest of the core asks, and the movement that is described by
//! data (steps, rides, lame leaps, hops).
//!
//! Answers are sets of cells of one board. This module must not know other boards, transfer,
//! kings or check. What is here walks cell by cell and is meant to be obviously right; the tables
//! of the fast path are made from it and compared with it.

use crate::cells::CellSet;
use crate::men::Colour;
use crate::shape::{Cell, Shape};
use std::fmt::Debug;
use std::sync::Arc;

/// Where a man of one kind may go on its own board.
///
/// Both answers must depend on the arguments only. A man's own cell is never in an answer (the
/// core removes it).
pub trait PieceMovement<S: CellSet>: Send + Sync {
    /// The vacant cells to which a man of `colour` on `from` may move without capturing, given the
    /// `occupied` cells of its board. Occupied cells in the answer are ignored.
    fn quiet(&self, from: Cell, colour: Colour, occupied: S) -> S;

    /// The cells which it attacks: where it captures if an enemy stands there. Moves and check
    /// both come from this answer, so they can't disagree.
    fn attacks(&self, from: Cell, colour: Colour, occupied: S) -> S;
}

/// A movement that can serve boards of any width; implemented for everything that implements
/// [`PieceMovement`] for the three widths.
pub trait AnyMovement: Send + Sync {
    /// For boards of up to 64 cells.
    fn for_64(self: Arc<Self>) -> Arc<dyn PieceMovement<u64>>;
    /// For boards of up to 128 cells.
    fn for_128(self: Arc<Self>) -> Arc<dyn PieceMovement<u128>>;
    /// For boards of up to 256 cells.
    fn for_256(self: Arc<Self>) -> Arc<dyn PieceMovement<crate::Wide>>;
}

impl<T> AnyMovement for T
where
    T: PieceMovement<u64> + PieceMovement<u128> + PieceMovement<crate::Wide> + 'static,
{
    fn for_64(self: Arc<Self>) -> Arc<dyn PieceMovement<u64>> {
        self
    }
    fn for_128(self: Arc<Self>) -> Arc<dyn PieceMovement<u128>> {
        self
    }
    fn for_256(self: Arc<Self>) -> Arc<dyn PieceMovement<crate::Wide>> {
        self
    }
}

/// Whether a step may be made to a vacant cell, onto an enemy, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum May {
    /// Only to a vacant cell (Betza `m`).
    Move,
    /// Only onto an enemy (Betza `c`).
    Capture,
    /// Either.
    Both,
}

/// What lies between the cell left and the cell reached.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Straight to the cell one offset away, whatever stands between.
    Leap,
    /// The offset again and again over vacant cells, at most `limit` times (0: without limit).
    Ride {
        /// How many offsets at most; 0 for no limit.
        limit: u8,
    },
    /// One offset, if the cells at these other offsets are vacant (Betza `n`).
    Lame {
        /// Offsets, from the cell left, of the cells that must be vacant.
        over: Vec<[i8; 3]>,
    },
    /// Along the offset to exactly one man, over it, and on over vacant cells to any cell beyond
    /// (Betza `p`, as the cannon captures). `limit` counts all offsets (0: without limit).
    HopOver {
        /// How many offsets at most; 0 for no limit.
        limit: u8,
    },
    /// Along the offset to exactly one man, and to the cell just behind it (Betza `g`, as the
    /// grasshopper moves). `limit` counts all offsets (0: without limit).
    HopBehind {
        /// How many offsets at most; 0 for no limit.
        limit: u8,
    },
}

/// One way of moving in one direction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Files, ranks and levels, as White moves. Black's ranks and levels are reversed.
    pub offset: [i8; 3],
    /// How the cell is reached.
    pub reach: Reach,
    /// To vacant cells, onto enemies, or both.
    pub may: May,
    /// Only from the man's initial cells (Betza `i`); see [`Steps::initial`].
    pub initial: bool,
    /// Whether a man that made this step may be captured en passant on the cell it passed over.
    /// Such a step is two offsets `[0, 1, 0]` over the cell between.
    pub en_passant: bool,
}

impl Step {
    /// A step that may move or capture, from anywhere.
    pub const fn new(offset: [i8; 3], reach: Reach) -> Self {
        Self { offset, reach, may: May::Both, initial: false, en_passant: false }
    }

    /// The double step of a pawn: two cells forward over a vacant one, from its initial cells,
    /// without capturing, and open to en passant.
    pub fn double() -> Self {
        Self {
            offset: [0, 2, 0],
            reach: Reach::Lame { over: vec![[0, 1, 0]] },
            may: May::Move,
            initial: true,
            en_passant: true,
        }
    }
}

/// An offset as a man of that colour uses it: Black's ranks and levels are reversed.
pub const fn oriented(offset: [i8; 3], colour: Colour) -> [i8; 3] {
    match colour {
        Colour::White => offset,
        Colour::Black => [offset[0], -offset[1], -offset[2]],
    }
}

/// A movement described by a list of steps, walked cell by cell.
#[derive(Clone, Debug)]
pub struct Steps {
    /// The board's shape.
    pub shape: Shape,
    /// The steps, as White makes them.
    pub steps: Vec<Step>,
    /// For each colour, which cells (by number, on every board) count as initial.
    pub initial: [Vec<bool>; 2],
}

impl Steps {
    /// The cells that one step reaches from a cell: vacant ones first (`quiet`), then occupied ones
    /// where the step would capture. Both are what geometry and blocking allow, whatever
    /// [`Step::may`] says.
    fn reach<S: CellSet>(&self, step: &Step, from: Cell, colour: Colour, occupied: S) -> (S, S) {
        let (mut vacant, mut struck) = (S::EMPTY, S::EMPTY);
        if step.initial && !self.initial[colour.index()][from.index()] {
            return (vacant, struck);
        }
        let offset = oriented(step.offset, colour);
        let mut add = |cell: Cell| {
            if occupied.has(cell) {
                struck |= S::of(cell);
            } else {
                vacant |= S::of(cell);
            }
        };
        // The cells 1, 2, 3 … offsets away, up to the limit or the edge.
        let line = |limit: u8| {
            let end = if limit == 0 { usize::MAX } else { usize::from(limit) };
            std::iter::successors(self.shape.step(from, offset), move |c| self.shape.step(*c, offset))
                .take(end)
        };
        match &step.reach {
            Reach::Leap => line(1).for_each(&mut add),
            Reach::Ride { limit } => {
                for cell in line(*limit) {
                    add(cell);
                    if occupied.has(cell) {
                        break;
                    }
                }
            }
            Reach::Lame { over } => {
                let clear = over
                    .iter()
                    .all(|o| self.shape.step(from, oriented(*o, colour)).is_some_and(|c| !occupied.has(c)));
                if clear {
                    line(1).for_each(&mut add);
                }
            }
            Reach::HopOver { limit } => {
                let mut cells = line(*limit).skip_while(|c| !occupied.has(*c));
                cells.next();
                for cell in cells {
                    add(cell);
                    if occupied.has(cell) {
                        break;
                    }
                }
            }
            Reach::HopBehind { limit } => {
                let mut cells = line(*limit).skip_while(|c| !occupied.has(*c));
                cells.next();
                cells.next().into_iter().for_each(&mut add);
            }
        }
        (vacant, struck)
    }
}

impl<S: CellSet> PieceMovement<S> for Steps {
    fn quiet(&self, from: Cell, colour: Colour, occupied: S) -> S {
        self.steps
            .iter()
            .filter(|s| s.may != May::Capture)
            .fold(S::EMPTY, |set, s| set | self.reach(s, from, colour, occupied).0)
    }

    fn attacks(&self, from: Cell, colour: Colour, occupied: S) -> S {
        self.steps.iter().filter(|s| s.may != May::Move).fold(S::EMPTY, |set, s| {
            let (vacant, struck) = self.reach(s, from, colour, occupied);
            set | vacant | struck
        })
    }
}
