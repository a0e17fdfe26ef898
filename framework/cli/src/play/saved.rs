//! Saved games: a PGN file with one game, in English letters. What was remarked upon its moves before
//! stays.
//!
//! A file is written whole or not at all; what is read is checked move by move.

use crate::arguments::Letters;
use crate::code::Code;
use crate::failure::Failure;
use crate::files::{write_new, write_whole};
use crate::game::Game;
use crate::sheets::{Reader, called, open};
use alice_core::{Language, Move};
use alice_score::ScoreSheet;
use std::path::{Path, PathBuf};

/// A game as the text of a file. The sheet keeps what was remarked.
pub fn write(game: &Game, sheet: &ScoreSheet<Move>) -> String {
    let (mut sheet, start) = (sheet.clone(), game.record.start());
    // A path has to be found again from wherever the game is loaded.
    let built_in = alice_config::builtin_names().contains(&game.variant.as_str());
    let path = || std::path::absolute(&game.variant).ok()?.to_str().map(String::from);
    let variant = if built_in { None } else { path() }.unwrap_or_else(|| game.variant.clone());
    sheet.set_tag("Variant", &variant);
    sheet.set_start(start);
    sheet.follow(&game.record);
    // What a rule that has broken its promise makes of the game decides nothing.
    if game.guard.violation().is_some() {
        sheet.result = None;
    }
    sheet.write(start, Language::English)
}

/// Reads a game from a file, and its sheet. Where there are several, it must be said which.
///
/// # Errors
/// If the file can't be read, or what it says is no game.
pub fn load(
    path: &Path,
    wanted: Option<usize>,
    letters: Letters,
    code: &Code,
) -> Result<(Game, ScoreSheet<Move>), Failure> {
    let shown = called(path);
    let refuse = |problem: String| Failure::BadInput(format!("error: {problem}"));
    let mut sheets = open(path)?;
    for number in 1..wanted.unwrap_or(1) {
        if sheets.next().is_none() {
            let games = crate::words::counted(number - 1, "game", "games");
            return Err(refuse(format!("there is no such game: {shown} has {games}")));
        }
    }
    let mut reader = Reader::new(None, Letters::default(), code);
    let game = reader.next(&mut sheets)?;
    let played = game.ok_or_else(|| refuse(format!("there is no such game in {shown}")))?;
    let played = played.map_err(|troubles| {
        let messages: Vec<_> = troubles.iter().map(|trouble| trouble.message(&shown)).collect();
        Failure::BadInput(messages.join("\n"))
    })?;
    if wanted.is_none() && sheets.next().is_some() {
        return Err(refuse(format!("{shown} has several games; say which with --game, or convert one")));
    }
    Ok((played.game(letters), played.sheet))
}

/// Writes the text of a game to a file, whole or not at all. A file that is there already is replaced
/// only if it is a saved game; a link stays, and what it points to is replaced.
///
/// # Errors
/// Why not, in words.
pub fn save(path: &Path, text: &str) -> Result<(), String> {
    if path.is_file() && !is_saved_game(path) {
        return Err(format!("{} exists and is not one saved game; name another file", path.display()));
    }
    write_whole(path, text.as_bytes())
}

/// Whether a file holds one game, and says of which variant.
fn is_saved_game(path: &Path) -> bool {
    let Ok(mut sheets) = open(path) else { return false };
    let one = sheets.next().is_some_and(|sheet| sheet.is_ok_and(|sheet| sheet.tag("Variant").is_some()));
    one && sheets.next().is_none()
}

/// Writes the text of a game to a file of a new name, here or where temporary files go; says where.
pub fn rescue(text: &str) -> Option<PathBuf> {
    let folders = [PathBuf::new(), std::env::temp_dir()];
    let names =
        (1..1000).map(|n| if n == 1 { "alice-game.pgn".into() } else { format!("alice-game-{n}.pgn") });
    write_new(text, folders.iter().flat_map(|folder| names.clone().map(move |name| folder.join(name))))
}
