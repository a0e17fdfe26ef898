//! What every game must get right: the cases, positions and counts that lie in `tests/` as data, and
//! laws that hold in any game whatever its rules.
//!
//! Each module is one short runner. None knows how moves are found; the fast path and its slow twin
//! both have to give what is expected.

mod algebraic;
mod cases;
mod chess;
mod configs;
mod foreign;
mod laws;
mod perft;
mod positions;

use alice_core::{Move, Position, Variant};
use std::path::PathBuf;

/// Where the data lies.
fn data(path: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", path].iter().collect()
}

/// A built-in game, or one with another rule of en passant: `alice+ep=origin`.
fn game(name: &str) -> Variant {
    let read = match name.split_once("+ep=") {
        None => alice_config::load(name),
        Some((plain, rule)) => alice_config::parse(
            name,
            &format!(
                "extends = \"{plain}\"\nen-passant = \"{rule}\"\n[about]\ntitle = \"a test\"\nsource = \"a test\"\n"
            ),
        ),
    };
    read.unwrap_or_else(|error| panic!("{name}:\n{error}")).variant
}

/// All built-in games, and Alice with each rule of en passant.
fn games() -> Vec<(&'static str, Variant)> {
    let names = alice_config::builtin_names().into_iter();
    let names = names.chain(["alice+ep=origin", "alice+ep=landing", "alice+ep=either"]);
    names.map(|name| (name, game(name))).collect()
}

/// The legal moves by the fast path and by the slow twin, each in order.
fn both_ways(position: &Position) -> (Vec<Move>, Vec<Move>) {
    let mut fast = position.legal_moves();
    let mut slow = position.variant().reference().legal_moves(&position.setup());
    fast.sort();
    slow.sort();
    (fast, slow)
}

/// Moves in exact notation, in order.
fn exact(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(|m| m.exact(position.rules())).collect();
    texts.sort();
    texts
}
