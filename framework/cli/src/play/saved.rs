//! Saved games: a small TOML file with the variant, the starting position and the moves.
//!
//! A file is written whole or not at all; what is read is checked move by move.

use crate::code::{Code, Loading, sound};
use crate::failure::Failure;
use crate::game::{Game, read_move};
use alice_config::render_faults;
use alice_core::{Fault, PositionError, Record};
use serde::Deserialize;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use toml::{Spanned, Value};

/// Longer files are no saved games.
const LONGEST: u64 = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    variant: Spanned<String>,
    start: Spanned<String>,
    moves: Vec<Spanned<String>>,
}

/// A game as the text of a file.
pub fn write(game: &Game) -> String {
    let rules = game.position().rules();
    // A path has to be found again from wherever the game is loaded.
    let built_in = alice_config::builtin_names().contains(&game.variant.as_str());
    let path = || std::path::absolute(&game.variant).ok()?.to_str().map(String::from);
    let variant = if built_in { None } else { path() }.unwrap_or_else(|| game.variant.clone());
    let mut text = String::from("# A saved game. To go on with it: alice play --load FILE\n");
    text += &format!("variant = {}\n", Value::String(variant));
    text += &format!("start = \"{}\"\n", game.record.start());
    text += "moves = [\n";
    for pair in game.record.moves().chunks(2) {
        let pair: Vec<_> = pair.iter().map(|m| format!("\"{}\"", m.exact(rules))).collect();
        text += &format!("  {},\n", pair.join(", "));
    }
    text + "]\n"
}

/// Reads a game from the text of a file.
///
/// # Errors
/// Everything that is wrong with it, as a message that names `origin`.
pub fn read(origin: &str, text: &str, code: &Code, colour: bool) -> Result<Game, String> {
    let refuse = |faults: &[Fault]| render_faults(origin, text, faults, colour);
    let saved: Saved = toml::from_str(text).map_err(|error| {
        refuse(&[Fault {
            at: error.span().unwrap_or(0..0),
            problem: format!("this is no saved game: {}", error.message()),
            advice: "a saved game says variant, start and moves".into(),
        }])
    })?;
    let variant = saved.variant.get_ref();
    let mut loading = Loading::new(code);
    let config = alice_config::load_with(variant, &mut loading).map_err(|error| {
        let fault = Fault {
            at: saved.variant.span(),
            problem: "the game's variant can't be read".into(),
            advice: "write the name or path of a variant".into(),
        };
        format!("{}\n\n{}", refuse(&[fault]), error.render(colour))
    })?;
    let start = config.variant.read_position(saved.start.get_ref());
    let start = start.map_err(|PositionError { faults }| {
        let inside = |fault: Fault| placed(text, &saved.start, fault);
        refuse(&faults.into_iter().map(inside).collect::<Vec<_>>())
    })?;
    let mut record = Record::new(start);
    for (n, word) in saved.moves.iter().enumerate() {
        let mv = read_move(record.position(), word.get_ref());
        if let Err(Failure::BadInput(broken)) =
            sound(&loading.guard, record.position(), record.moves().last())
        {
            return Err(broken);
        }
        let mv = mv.map_err(|fault| {
            let fault = placed(text, word, fault);
            refuse(&[Fault { problem: format!("move {}: {}", n + 1, fault.problem), ..fault }])
        })?;
        record.play(&mv);
    }
    Ok(Game { config, variant: variant.clone(), record, guard: loading.guard })
}

/// A fault of a string of the file, placed in the file. A string with escapes is blamed as a whole.
fn placed(text: &str, string: &Spanned<String>, mut fault: Fault) -> Fault {
    let span = string.span();
    let plain = text.get(span.start + 1..span.end.saturating_sub(1)) == Some(string.get_ref());
    fault.at = match plain {
        true => fault.at.start + span.start + 1..fault.at.end + span.start + 1,
        false => span,
    };
    fault
}

/// Reads a game from a file.
///
/// # Errors
/// If the file can't be read, or what it says is no game.
pub fn load(path: &Path, code: &Code, colour: bool) -> Result<Game, Failure> {
    let origin = path.display().to_string();
    let unreadable = |problem: String| {
        let fault = Fault { at: 0..0, problem, advice: "name a file that `save` has written".into() };
        Failure::BadInput(render_faults(&origin, "", &[fault], colour))
    };
    // To open a pipe is to wait for its other end.
    if path.exists() && !path.is_file() {
        return Err(unreadable(format!("{origin} is not an ordinary file")));
    }
    let mut text = Vec::new();
    let mut file = File::open(path).map_err(|e| unreadable(format!("the file can't be read: {e}")))?;
    let read_all = Read::by_ref(&mut file).take(LONGEST + 1).read_to_end(&mut text);
    read_all.map_err(|e| unreadable(format!("the file can't be read: {e}")))?;
    if text.len() as u64 > LONGEST {
        return Err(unreadable("the file is too long for a saved game".into()));
    }
    let text = String::from_utf8(text).map_err(|_| unreadable("the file is not text".into()))?;
    read(&origin, &text, code, colour).map_err(Failure::BadInput)
}

/// Writes a game to a file, whole or not at all. A file that is there already is replaced only if it
/// is a saved game; a link stays, and what it points to is replaced.
///
/// # Errors
/// Why not, in words.
pub fn save(path: &Path, game: &Game) -> Result<(), String> {
    let shown = path.display().to_string();
    if shown.contains(char::is_control) {
        return Err(format!("{shown:?} has control characters; choose another name"));
    }
    if path.is_dir() {
        return Err(format!("{shown} is a directory; name a file"));
    }
    if path.exists() && !path.is_file() {
        return Err(format!("{shown} is not an ordinary file; name another file"));
    }
    if path.is_symlink() && !path.exists() {
        return Err(format!("{shown} is a link to a file that is not there; name another file"));
    }
    if path.exists() && !is_saved_game(path) {
        return Err(format!("{shown} exists and is no saved game; name another file"));
    }
    let path = match path.canonicalize() {
        Ok(pointed_to) if path.is_symlink() => pointed_to,
        _ => path.to_path_buf(),
    };
    let folder = folder_of(&path);
    if !folder.is_dir() {
        return Err(format!("there is no folder {}", folder.display()));
    }
    let saved = temporary(&path, &write(game)).and_then(|file| Ok(file.persist(&path)?));
    // The kind says what is wrong without naming the temporary file.
    saved.map(drop).map_err(|e| format!("{shown} can't be written: {}", e.kind()))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_saved_game(path: &Path) -> bool {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
    read.is_ok() && toml::from_str::<Saved>(&text).is_ok()
}

/// A temporary file beside `path` with this text.
fn temporary(path: &Path, text: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".alice-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any file that a program writes; the umask still counts.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder_of(path))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Writes the text of a game to a file of a new name, here or where temporary files go; says where.
pub fn rescue(text: &str) -> Option<PathBuf> {
    let folders = [PathBuf::new(), std::env::temp_dir()];
    let names =
        (1..1000).map(|n| if n == 1 { "alice-game.toml".into() } else { format!("alice-game-{n}.toml") });
    let paths = folders.iter().flat_map(|folder| names.clone().map(move |name| folder.join(name)));
    for path in paths {
        let Ok(file) = temporary(&path, text) else { continue };
        if file.persist_noclobber(&path).is_ok() {
            return Some(path);
        }
    }
    None
}
