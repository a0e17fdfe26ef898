//! Every key that a config may have, by table. What they mean is said where they are read.

/// The top of a file: two keys, then tables.
pub(crate) const TOP: &[&str] = &[
    "extends",
    "en-passant",
    "about",
    "boards",
    "start",
    "men",
    "transfer",
    "zero-moves",
    "check",
    "castling",
    "ends",
];
pub(crate) const ABOUT: &[&str] = &["title", "inventor", "year", "source", "summary"];
pub(crate) const BOARDS: &[&str] = &["count", "files", "ranks", "levels"];
/// Besides the letters of the boards.
pub(crate) const START: &[&str] = &["turn", "castling"];
pub(crate) const MAN: &[&str] =
    &["letter", "movement", "royal", "pawn", "double-step", "promotes-to", "promotes-on"];
pub(crate) const DOUBLE_STEP: &[&str] = &["ranks"];
pub(crate) const PROMOTES_ON: &[&str] = &["ranks", "levels"];
pub(crate) const TRANSFER: &[&str] = &["none", "next", "any-other", "plugin"];
/// Of each transfer but `none` and `plugin`.
pub(crate) const TRANSFER_RULE: &[&str] = &["staying"];
/// Of a transfer or a movement by a plug-in.
pub(crate) const PLUGIN: &[&str] = &["id", "version", "rule", "params"];
/// Of a movement that is a table.
pub(crate) const MOVEMENT: &[&str] = &["plugin"];
pub(crate) const ZERO_MOVES: &[&str] = &["men", "except", "capture", "leave-check"];
/// Where a plug-in says who makes zero moves.
pub(crate) const ZERO_MOVES_BY_PLUGIN: &[&str] = &["leave-check"];
pub(crate) const CHECK: &[&str] = &["before-transfer", "after-transfer"];
pub(crate) const CASTLING: &[&str] = &["rook", "white", "black"];
pub(crate) const CASTLING_SIDE: &[&str] = &["board", "king-side", "queen-side"];
pub(crate) const CASTLING_WING: &[&str] = &["king", "rook"];
pub(crate) const ENDS: &[&str] = &["stalemate", "moves-without-progress", "repetition", "bare-kings"];
/// The ways of moving by axes; an entry of a movement has just one of them.
pub(crate) const WAYS: [&str; 4] = ["leap", "ride", "hop-over", "hop-behind"];
/// What an entry may say besides; `over` goes with leaps, `limit` with the others.
pub(crate) const LEAP: &[&str] = &["leap", "may", "turns", "over", "initial"];
pub(crate) const RIDE: &[&str] = &["ride", "may", "turns", "limit", "initial"];
pub(crate) const HOP_OVER: &[&str] = &["hop-over", "may", "turns", "limit", "initial"];
pub(crate) const HOP_BEHIND: &[&str] = &["hop-behind", "may", "turns", "limit", "initial"];

/// What to do with a key that stands where it is not known, if it is known elsewhere.
pub(crate) fn belongs(key: &str) -> Option<String> {
    if key == "extends" || key == "en-passant" {
        return Some("it belongs at the top of the file, before the first line in brackets".into());
    }
    if TOP.contains(&key) {
        return Some(format!("it is a table of its own: write [{key}]"));
    }
    let tables = [
        ("[about]", ABOUT),
        ("[boards]", BOARDS),
        ("[start]", START),
        ("the table of a man, as [men.king]", MAN),
        ("[transfer.next] or [transfer.any-other]", TRANSFER_RULE),
        ("[zero-moves]", ZERO_MOVES),
        ("[check]", CHECK),
        ("[castling.white] and [castling.black]", CASTLING_SIDE),
        ("[ends]", ENDS),
    ];
    let (table, _) = tables.into_iter().find(|(_, keys)| keys.contains(&key))?;
    Some(format!("it belongs below {table}"))
}
