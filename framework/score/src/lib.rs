//! Score sheets: games as people keep them, with tags, comments, glyphs and variations. PGN is read
//! game by game in constant memory, and written; PyChess's one-grid positions too.
//!
//! Must not know files, nor any variant: which game a sheet is about, its reader finds out by the tag
//! `Variant`; what a move's text means, the core says. The conventions are told in docs/notation.md.

mod grid;
mod read;
mod sheet;
mod write;

pub use grid::{GridError, looks_like_one_grid, read_one_grid, write_one_grid};
pub use read::{Sheets, SheetsError};
pub use sheet::{Line, Place, ScoreSheet, Tag, Turn, Written};
