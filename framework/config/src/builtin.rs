//! The games that are built in: the files of `configs/`, as a user could have written them. The only
//! place that names games, and it says nothing about them.

/// Names and texts, in the order in which they are listed.
const GAMES: [(&str, &str); 13] = [
    ("chess", include_str!("../../../configs/chess.toml")),
    ("alice", include_str!("../../../configs/alice.toml")),
    ("alice2", include_str!("../../../configs/alice2.toml")),
    ("mrs-alice", include_str!("../../../configs/mrs-alice.toml")),
    ("odonohue", include_str!("../../../configs/odonohue.toml")),
    ("duo", include_str!("../../../configs/duo.toml")),
    ("three-board", include_str!("../../../configs/three-board.toml")),
    ("three-board-cyclic", include_str!("../../../configs/three-board-cyclic.toml")),
    ("alice-8x4", include_str!("../../../configs/alice-8x4.toml")),
    ("raumschach", include_str!("../../../configs/raumschach.toml")),
    ("raumschach-alice", include_str!("../../../configs/raumschach-alice.toml")),
    ("capablanca", include_str!("../../../configs/capablanca.toml")),
    ("capablanca-alice", include_str!("../../../configs/capablanca-alice.toml")),
];

/// The names of all built-in games.
pub(crate) fn names() -> Vec<&'static str> {
    GAMES.iter().map(|(name, _)| *name).collect()
}

/// The text of a built-in game's file.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(game, _)| *game == name).map(|(_, text)| *text)
}
