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

/// How men are weighed by who plays these games, where it was tuned and won by it: names and texts.
const WEIGHTS: [(&str, &str); 11] = [
    ("chess", include_str!("../../../configs/weights/chess.toml")),
    ("alice", include_str!("../../../configs/weights/alice.toml")),
    ("alice2", include_str!("../../../configs/weights/alice2.toml")),
    ("mrs-alice", include_str!("../../../configs/weights/mrs-alice.toml")),
    ("odonohue", include_str!("../../../configs/weights/odonohue.toml")),
    ("duo", include_str!("../../../configs/weights/duo.toml")),
    ("three-board", include_str!("../../../configs/weights/three-board.toml")),
    ("three-board-cyclic", include_str!("../../../configs/weights/three-board-cyclic.toml")),
    ("alice-8x4", include_str!("../../../configs/weights/alice-8x4.toml")),
    ("raumschach", include_str!("../../../configs/weights/raumschach.toml")),
    ("capablanca-alice", include_str!("../../../configs/weights/capablanca-alice.toml")),
];

/// The names of all built-in games.
pub(crate) fn names() -> Vec<&'static str> {
    GAMES.iter().map(|(name, _)| *name).collect()
}

/// The text of a built-in game's file.
pub(crate) fn text(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(game, _)| *game == name).map(|(_, text)| *text)
}

/// The text of the weights with which a built-in game is played.
pub(crate) fn weights(name: &str) -> Option<&'static str> {
    WEIGHTS.iter().find(|(game, _)| *game == name).map(|(_, text)| *text)
}

/// A config to edit: a built-in game's file, and below it every key that there is, as comments.
pub(crate) fn template(name: &str) -> Option<String> {
    let text = text(name)?;
    let mut template = format!(
        "# {name}, to make a game of your own of. Save it, say, as my-game.toml, and change what you like;\n\
         # `alice check my-game.toml` says what is wrong, `alice play my-game.toml` plays it.\n\n\
         {text}\n\
         # ---------------------------------------------------------------------------------------------\n"
    );
    for line in include_str!("every-key.toml").lines() {
        template.push_str(if line.is_empty() { "#" } else { "# " });
        template.push_str(line);
        template.push('\n');
    }
    Some(template)
}

#[cfg(test)]
mod tests {
    use crate::keys;

    const EVERY_KEY: &str = include_str!("every-key.toml");

    #[test]
    fn the_config_of_every_key_can_be_read() {
        crate::parse("every-key", EVERY_KEY).unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn every_key_is_explained_in_the_templates_and_in_the_manual() {
        let manual = include_str!("../../../docs/writing-a-variant.md");
        let tables = [
            keys::TOP,
            keys::ABOUT,
            keys::BOARDS,
            keys::START,
            keys::MAN,
            keys::DOUBLE_STEP,
            keys::PROMOTES_ON,
            keys::TRANSFER,
            keys::TRANSFER_RULE,
            keys::PLUGIN,
            keys::MOVEMENT,
            keys::ZERO_MOVES,
            keys::CHECK,
            keys::CASTLING,
            keys::CASTLING_SIDE,
            keys::CASTLING_WING,
            keys::ENDS,
            keys::LEAP,
            keys::RIDE,
            keys::HOP_OVER,
            keys::HOP_BEHIND,
        ];
        for key in tables.into_iter().flatten() {
            let written = [format!("{key} = "), format!("[{key}"), format!(".{key}]"), format!("{key}:")];
            assert!(written.iter().any(|w| EVERY_KEY.contains(w)), "{key} is not in the template");
            assert!(manual.contains(&format!("`{key}`")), "{key} is not in the manual");
        }
    }
}
