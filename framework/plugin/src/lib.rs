//! All that the author of a rule set needs: safe traits, a macro that exports them over a C
//! interface, and the kit that tests a rule set.
//!
//! A rule says where a man lands ([`TransferRule`]) or how it moves ([`MovementRule`]), and answers
//! with sets of cells. This crate must not know the rest of the framework: it depends on nothing, so
//! that a plug-in doesn't either.
//!
//! ```
//! use alice_plugin::*;
//!
//! /// Alice, but nobody goes through the looking-glass in the corners of the board.
//! pub struct NoCorners {
//!     game: Game,
//!     corners: Cells,
//! }
//!
//! impl Rule for NoCorners {
//!     const NAME: &'static str = "no-corners";
//!     const ABOUT: &'static str = "Alice, but a man can't land in a corner.";
//!
//!     fn new(game: &Game, parameters: &Parameters) -> Result<Self, Complaint> {
//!         let named = ["a1", "h1", "a8", "h8"].iter().filter_map(|name| game.cell_named(name)).collect();
//!         let corners = parameters.cells("corners", game)?.unwrap_or(named);
//!         Ok(Self { game: game.clone(), corners })
//!     }
//! }
//!
//! impl TransferRule for NoCorners {
//!     fn landings(&self, origin: Board) -> BoardSet {
//!         BoardSet::of(self.game.next(origin))
//!     }
//!
//!     fn landing_cells(&self, _: &Mover, _: Board, landing: Board, boards: Boards) -> Cells {
//!         boards.vacant(landing) & !self.corners
//!     }
//! }
//!
//! alice_plugin::export!(no_corners: transfer NoCorners);
//! # fn main() { alice_plugin::kit::check(&PLUGIN).unwrap() }
//! ```
#![deny(unsafe_op_in_unsafe_fn)]

pub mod abi;
mod boards;
pub mod call;
mod export;
pub mod kit;
mod record;
mod rules;

pub use boards::{
    Board, BoardSet, Boards, Castling, Cell, Cells, Colour, Game, Kind, KindOfMan, Man, Mover, ZeroMove,
};
#[doc(hidden)]
pub use export::interface;
pub use export::{Exported, Plugin};
pub use record::{Identity, RecordFault};
pub use rules::{Complaint, DependsOn, MovementRule, Parameters, Rule, TransferRule, Value};
