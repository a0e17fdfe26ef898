//! The core of the Alice chess framework: chess on one to eight boards of any shape, where a man
//! moves on its own board and then goes through the looking-glass.
//!
//! A move is two questions, asked of two traits and answered with sets of cells:
//!
//! 1. [`PieceMovement`]: from this cell, on a board occupied like this, where can this man go, and
//!    where does it attack?
//! 2. [`TransferPolicy`]: having moved on its origin board, at which cells may it come to stand on a
//!    landing board?
//!
//! Everything else (check before and after the transfer, pins, castling, en passant, promotion, the
//! ends of a game, texts) is written once, over the two. The core knows no variant by name, and no
//! files, clocks, threads or TOML.
//!
#![doc = include_str!("first_page.md")]
#![forbid(unsafe_code)]

mod algebraic;
mod cells;
mod engine;
mod live;
mod men;
mod movement;
mod moves;
mod position;
pub mod reference;
mod rules;
mod setup;
mod shape;
mod state;
mod tables;
mod text;
mod transfer;
mod variant;
mod walk;

pub use algebraic::Language;
pub use cells::{CellSet, Cells, Wide};
pub use men::{Colour, Kind, KindSet, MAX_KINDS, Man};
pub use movement::{AnyMovement, May, PieceMovement, Reach, Step, Steps, oriented};
pub use moves::{Move, MoveKind};
pub use position::{MoveError, Outcome, Pattern, Position, Record, Score};
pub use rules::{
    Castling, CheckTests, EnPassantRule, Ends, ManRules, Movement, Rules, Stalemate, Transfer, Wing,
};
pub use setup::{EnPassant, Setup, right};
pub use shape::{Board, BoardSet, Cell, MAX_BOARDS, MAX_CELLS, Shape, ShapeError, Square};
pub use text::{Fault, PositionError, read_setup};
pub use transfer::{
    AnyTransfer, Boards, DependsOn, Mover, StandardTransfer, Staying, TransferPolicy, ZeroAnswer, ZeroMoves,
};
pub use variant::{RulesError, Strictness, Variant};
pub use walk::Walk;
