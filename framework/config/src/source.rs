//! Where configs come from: files, the built-in games, and what a config extends.
//!
//! Must not know what a config means.

use crate::builtin;
use crate::faults::{Faults, nearest, quoted, shown};
use crate::report::Source;
use crate::tree::{self, Node, Place, Table, Value};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most bytes of one config.
pub(crate) const MOST_BYTES: usize = 64 * 1024;
/// The most configs of which each extends the next.
const MOST_EXTENDED: usize = 16;

/// Why a text is refused before it is read as TOML: the problem, and advice.
pub(crate) type Refused = (String, String);

/// Reads the text of a file.
pub(crate) fn read_file(path: &Path) -> Result<String, Refused> {
    let shown = shown(&path.display().to_string());
    let refused = |problem: String, advice: &str| Err((problem, advice.to_string()));
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return refused(format!("there is no file {shown}"), "write the path of a TOML file");
        }
        Err(error) => return refused(format!("{shown} can't be read: {error}"), "write the path of a file"),
    };
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "a folder" } else { "not an ordinary file" };
        return refused(format!("{shown} is {what}"), "write the path of a TOML file");
    }
    if metadata.len() > MOST_BYTES as u64 {
        return Err(too_long(&shown, metadata.len()));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes));
    if let Err(error) = read {
        return refused(format!("{shown} can't be read: {error}"), "see that you may read it");
    }
    match String::from_utf8(bytes) {
        Ok(text) => check_text(&shown, &text).map(|()| text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
            let byte = error.as_bytes()[at];
            refused(
                format!("{shown} is not UTF-8 text: byte 0x{byte:02x} in line {line}"),
                "save it as UTF-8, or write the path of another file",
            )
        }
    }
}

/// Refuses what is too long or no text, without reading it as TOML.
pub(crate) fn check_text(origin: &str, text: &str) -> Result<(), Refused> {
    if text.len() > MOST_BYTES {
        return Err(too_long(origin, text.len() as u64));
    }
    match text.bytes().position(|byte| byte == 0) {
        Some(at) => {
            let line = text[..at].matches('\n').count() + 1;
            let problem = format!("{origin} is not a text: line {line} holds a zero byte");
            Err((problem, "write the path of a TOML file".into()))
        }
        None => Ok(()),
    }
}

fn too_long(origin: &str, bytes: u64) -> Refused {
    let problem = format!("{origin} has {bytes} bytes, but a config may have {MOST_BYTES}");
    (problem, "is it the right file?".into())
}

/// Reads a text as a tree, and lays it over what it extends, if anything. `folder` is where the paths
/// of other files start; none if the text may not name any. `chain` are the files that led here, this
/// one included.
pub(crate) fn read_tree(
    source: &Arc<Source>,
    folder: Option<&Path>,
    chain: &[PathBuf],
    faults: &mut Faults,
) -> Option<Table> {
    let mut table = match tree::parse(source) {
        Ok(table) => table,
        Err(errors) => {
            faults.extend(source, errors);
            return None;
        }
    };
    let Some(node) = table.remove("extends") else { return Some(table) };
    let mut base = base(&node, folder, chain, faults)?;
    // A game's title and source are its own.
    base.remove("about");
    Some(tree::lay_over(base, table))
}

/// The tree of what is extended.
fn base(node: &Node, folder: Option<&Path>, chain: &[PathBuf], faults: &mut Faults) -> Option<Table> {
    let text = faults.text(node, "a game's name or a file's path in quotes")?;
    if let Some(builtin) = builtin::text(text) {
        let source = Source { origin: format!("{text} (built in)"), text: builtin.into() };
        return read_tree(&Arc::new(source), None, &[], faults);
    }
    let advice = match nearest(text, &builtin::names()) {
        Some(name) => {
            format!("did you mean \"{name}\"? Else write the path of a file, as seen from this one")
        }
        None if folder.is_some() && (text.contains('/') || text.ends_with(".toml")) => {
            "write the path of a file, as seen from this one".into()
        }
        None => format!("write the path of a file, or one of {}", builtin::names().join(", ")),
    };
    let Some(folder) = folder else {
        faults.add(&node.place, format!("there is no built-in game {}", quoted(text)), advice);
        return None;
    };
    let path = folder.join(text);
    let contents = match read_file(&path) {
        Ok(contents) => contents,
        Err((problem, _)) => {
            let problem = format!("{} can't be extended: {problem}", quoted(text));
            faults.add(&node.place, problem, advice);
            return None;
        }
    };
    // The file has just been read; if it has vanished since, its path as written will do.
    let plain = path.canonicalize().unwrap_or_else(|_| path.clone());
    if chain.contains(&plain) {
        let problem = format!("extending {} goes in a circle", quoted(text));
        faults.add(&node.place, problem, "let one of the files extend nothing, or a built-in game");
        return None;
    }
    if chain.len() >= MOST_EXTENDED {
        let problem = format!("more than {MOST_EXTENDED} configs of which each extends the next");
        faults.add(&node.place, problem, "extend fewer");
        return None;
    }
    let source = Arc::new(Source { origin: path.display().to_string(), text: contents });
    read_tree(&source, path.parent(), &[chain, &[plain]].concat(), faults)
}

/// The tree's root as a node, so that faults of the whole have a place.
pub(crate) fn root(source: &Arc<Source>, table: Table) -> Node {
    let place = Place { source: source.clone(), at: 0..0 };
    Node { key: String::new(), key_place: place.clone(), place, value: Value::Table(table) }
}
