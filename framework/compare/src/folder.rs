//! The folder in which a comparison, or a contest, keeps its games: what was finished is never lost, and what
//! does not belong together is never mixed.
//!
//! `settings.json` says what is played and how, `games.jsonl` has a line for each finished game. Must not
//! know how games are played.

use crate::game::{Game, Settings};
use crate::report::BadGame;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

const SETTINGS: &str = "settings.json";
const GAMES: &str = "games.jsonl";

/// What the games of a folder are about: what is played, and how. Games of equal headings may lie together.
pub trait About: Serialize + DeserializeOwned {
    /// A game as it is kept.
    type Game: Kept;
    /// What such games are together: `comparison`.
    const WHAT: &str;
    /// The option of the command that makes such folders.
    const MADE_BY: &str;
    /// A key that only such headings have.
    const SIGN: &str;

    /// In what another heading differs, in words; none if it is equal.
    fn difference(&self, other: &Self) -> Option<String>;
    /// The names of the variants that are played.
    fn variants(&self) -> impl Iterator<Item = &str>;
}

/// A game that is kept.
pub trait Kept: Serialize + DeserializeOwned {
    /// The name of its variant.
    fn variant(&self) -> &str;
    /// Its number among the games of the variant.
    fn number(&self) -> u64;
}

/// What is compared and how. Parts of one comparison have equal headings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heading {
    /// The version of the program.
    pub version: String,
    /// How games are played.
    pub settings: Settings,
    /// The names of the variants, in the order in which they are shown, and their rules' fingerprints.
    pub variants: Vec<Played>,
}

/// One of the variants of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Its name.
    pub name: String,
    /// What to give the command to play it: a built-in name, or a path.
    pub source: String,
    /// Equal for equal rules.
    pub rules: String,
}

impl Kept for Game {
    fn variant(&self) -> &str {
        &self.variant
    }

    fn number(&self) -> u64 {
        self.number
    }
}

impl About for Heading {
    type Game = Game;
    const WHAT: &str = "comparison";
    const MADE_BY: &str = "alice compare --out";
    const SIGN: &str = "settings";

    fn variants(&self) -> impl Iterator<Item = &str> {
        self.variants.iter().map(|played| &*played.name)
    }

    /// Where a config lies does not count.
    fn difference(&self, other: &Self) -> Option<String> {
        if self.version != other.version {
            return Some(format!("version {} here, {} there", self.version, other.version));
        }
        let (mine, others) = (self.settings, other.settings);
        let number = |n: Option<u64>| n.map_or("none".to_string(), |n| n.to_string());
        let settings = [
            ("nodes", number(mine.nodes), number(others.nodes)),
            ("time", number(mine.time), number(others.time)),
            ("seed", mine.seed.to_string(), others.seed.to_string()),
            ("openings", mine.openings.to_string(), others.openings.to_string()),
            ("longest", mine.longest.to_string(), others.longest.to_string()),
        ];
        if let Some((name, here, there)) = settings.into_iter().find(|(_, here, there)| here != there) {
            return Some(format!("{name} {here} here, {there} there"));
        }
        let names = |heading: &Self| heading.variants.iter().map(|v| v.name.clone()).collect::<Vec<_>>();
        if names(self) != names(other) {
            return Some(format!("{} here, {} there", names(self).join(" "), names(other).join(" ")));
        }
        let pairs = self.variants.iter().zip(&other.variants);
        let other_rules = pairs.filter(|(a, b)| a.rules != b.rules).map(|(a, _)| a.name.clone()).next();
        other_rules.map(|name| format!("the rules of {name} differ, or the weights that it is played by"))
    }
}

/// Why a folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system says no.
    #[error("{path}: {error}; {advice}", path = path.display())]
    System {
        /// Which file or folder.
        path: PathBuf,
        /// What it says.
        error: io::Error,
        /// What to do.
        advice: String,
    },
    /// There is nothing of the sort in it.
    #[error("{path} is not the folder of a {what}: {lacks}; name one that `{made_by}` has made", path = path.display())]
    Empty {
        /// Which folder.
        path: PathBuf,
        /// Of what it should be.
        what: &'static str,
        /// What shows that it is not.
        lacks: String,
        /// What makes such folders.
        made_by: &'static str,
    },
    /// A file of it is damaged.
    #[error("{path}, line {line}: {problem}; {advice}", path = path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
        /// What to do.
        advice: &'static str,
    },
    /// It belongs to another comparison or contest.
    #[error("{path} belongs to another {what}: {difference}; choose another folder, or the same settings", path = path.display())]
    Other {
        /// Which folder.
        path: PathBuf,
        /// Another what.
        what: &'static str,
        /// In what they differ.
        difference: String,
    },
    /// Somebody else is at work in it.
    #[error("another run is at work in {path}; wait for it, or choose another folder", path = path.display())]
    Busy {
        /// Which folder.
        path: PathBuf,
    },
}

impl FolderError {
    fn system(path: &Path, advice: &str) -> impl Fn(io::Error) -> Self {
        let (path, advice) = (path.to_path_buf(), advice.to_string());
        move |error| Self::System { path: path.clone(), error, advice: advice.clone() }
    }

    fn empty<H: About>(path: &Path, lacks: String) -> Self {
        Self::Empty { path: path.into(), what: H::WHAT, lacks, made_by: H::MADE_BY }
    }

    fn other<H: About>(path: &Path, difference: String) -> Self {
        Self::Other { path: path.into(), what: H::WHAT, difference }
    }
}

/// What was found in a folder.
pub struct Opened<H: About = Heading> {
    /// What is played.
    pub heading: H,
    /// The games, by variant (number in the heading) and number.
    pub games: BTreeMap<(usize, u64), H::Game>,
    /// What was dropped: the last line, where it was not finished.
    pub dropped: Option<String>,
    /// How many bytes of the file of games are in order.
    length: u64,
}

/// Reads a folder; changes nothing.
///
/// # Errors
/// If there is nothing of the sort, or a file can't be read or is damaged.
fn read<H: About>(path: &Path) -> Result<Opened<H>, FolderError> {
    let settings = path.join(SETTINGS);
    let text = match std::fs::read_to_string(&settings) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_dir() => {
            return Err(FolderError::empty::<H>(path, format!("it has no {SETTINGS}")));
        }
        Err(error) => {
            return Err(FolderError::system(path, &format!("name the folder of a {}", H::WHAT))(error));
        }
    };
    let heading: H = serde_json::from_str(&text).map_err(|error| {
        let sound = serde_json::from_str::<serde_json::Value>(&text);
        if sound.is_ok_and(|other| other.is_object() && other.get(H::SIGN).is_none()) {
            return FolderError::empty::<H>(path, format!("its {SETTINGS} is of something else"));
        }
        FolderError::Damaged {
            path: settings,
            line: error.line(),
            problem: placed(&error),
            advice: "restore the file, or begin in another folder",
        }
    })?;
    let path = path.join(GAMES);
    let mut opened = Opened { heading, games: BTreeMap::new(), dropped: None, length: 0 };
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(opened),
        Err(error) => return Err(FolderError::system(&path, "make it readable")(error)),
    };
    let mut lines = BufReader::new(file);
    for line in 1.. {
        let mut bytes = Vec::new();
        let read = lines.read_until(b'\n', &mut bytes);
        if read.map_err(FolderError::system(&path, "make it readable"))? == 0 {
            break;
        }
        // A run that was killed may have left a line half-written, but only the last.
        if bytes.last() != Some(&b'\n') {
            opened.dropped = Some(format!(
                "{}, line {line}: the last game was not finished; it is dropped",
                path.display()
            ));
            break;
        }
        let damaged =
            |problem: String| FolderError::Damaged { path: path.clone(), line, problem, advice: PLAY_AGAIN };
        let game: H::Game = serde_json::from_slice(&bytes).map_err(|error| damaged(placed(&error)))?;
        let (name, number) = (game.variant().to_string(), game.number());
        let Some(variant) = opened.heading.variants().position(|variant| variant == name) else {
            return Err(damaged(format!("a game of {name:?}, which is not in this {}", H::WHAT)));
        };
        if opened.games.insert((variant, number), game).is_some() {
            return Err(damaged(format!("game {number} of {name} is there twice")));
        }
        opened.length += bytes.len() as u64;
    }
    Ok(opened)
}

/// A fault of JSON with its column; its line is told elsewhere.
fn placed(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let problem = text.split(" at line ").next().unwrap_or_default();
    format!("column {}: {problem}", error.column())
}

/// A folder, open for one run.
pub struct Folder<H: About = Heading> {
    path: PathBuf,
    file: File,
    length: u64,
    about: PhantomData<H>,
}

const PLAY_AGAIN: &str = "restore the file, or remove the line to have that game played again";
const WRITE: &str = "choose a folder where you may write, on a disk with room";

impl<H: About> Folder<H> {
    /// Opens a folder to go on with what has this heading, or begins it there. The folder is made if there is
    /// none.
    ///
    /// # Errors
    /// If it belongs to something else, is damaged, in use, or can't be written.
    pub fn open(path: &Path, heading: &H) -> Result<(Self, Opened<H>), FolderError> {
        if path.exists() && !path.is_dir() {
            let error = io::Error::from(io::ErrorKind::NotADirectory);
            return Err(FolderError::system(path, "name a folder")(error));
        }
        if let Err(error) = std::fs::create_dir(path)
            && error.kind() != io::ErrorKind::AlreadyExists
        {
            return Err(FolderError::system(path, "the folder above it must exist, and let you write")(
                error,
            ));
        }
        if !path.join(SETTINGS).exists() {
            let games = path.join(GAMES);
            if games.exists() {
                return Err(FolderError::empty::<H>(path, format!("it has no {SETTINGS}")));
            }
            write_file(&path.join(SETTINGS), &json(heading))?;
        }
        let games = path.join(GAMES);
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&games);
        let mut file = file.map_err(FolderError::system(&games, WRITE))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Err(FolderError::Busy { path: path.into() }),
            // Some file systems have no locks; then the user has to look after it.
            Err(std::fs::TryLockError::Error(_)) => {}
        }
        let opened = read::<H>(path)?;
        if let Some(difference) = opened.heading.difference(heading) {
            return Err(FolderError::other::<H>(path, difference));
        }
        let cut = file.set_len(opened.length).and_then(|()| file.seek(SeekFrom::End(0)).map(drop));
        cut.map_err(FolderError::system(&games, WRITE))?;
        Ok((Self { path: path.into(), file, length: opened.length, about: PhantomData }, opened))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// If it can't be written; then nothing of it stays.
    pub fn add(&mut self, game: &H::Game) -> Result<(), FolderError> {
        let mut line = serde_json::to_string(game).expect("a game is plain data");
        line.push('\n');
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        if let Err(error) = written {
            // On a full disk half a line may be there.
            let _ = self.file.set_len(self.length);
            return Err(FolderError::system(&self.path.join(GAMES), WRITE)(error));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Writes another file into the folder, whole or not at all.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        write_file(&self.path.join(name), text)
    }
}

fn json<H: About>(heading: &H) -> String {
    serde_json::to_string_pretty(heading).expect("a heading is plain data") + "\n"
}

fn write_file(path: &Path, text: &str) -> Result<(), FolderError> {
    let failed = FolderError::system(path, WRITE);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new();
    // As any file that a program makes; the user's mask takes away what it takes away.
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = file.tempfile_in(folder).map_err(&failed)?;
    file.write_all(text.as_bytes()).map_err(&failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Why a game of a folder can't be counted, with its line there. What has no such line is as it was told.
pub fn damaged(folder: &Path, bad: &BadGame) -> Option<FolderError> {
    #[derive(Deserialize)]
    struct Which {
        variant: String,
        number: u64,
    }
    let path = folder.join(GAMES);
    let lines = BufReader::new(File::open(&path).ok()?).lines();
    let is_it = |line: &String| {
        let which = serde_json::from_str::<Which>(line);
        which.is_ok_and(|which| which.variant == bad.variant && which.number == bad.number)
    };
    let line = lines.map_while(Result::ok).position(|line| is_it(&line))? + 1;
    Some(FolderError::Damaged { path, line, problem: bad.to_string(), advice: PLAY_AGAIN })
}

/// What parts of a comparison are together; and what was dropped of unfinished lines. Changes nothing.
///
/// # Errors
/// If parts do not belong together, or have different games of one number.
pub fn join(parts: &[PathBuf]) -> Result<(Opened<Heading>, Vec<String>), FolderError> {
    let (mut all, mut dropped): (Option<Opened<Heading>>, _) = (None, Vec::new());
    for path in parts {
        let mut part = read::<Heading>(path)?;
        dropped.extend(part.dropped.take());
        match &mut all {
            None => all = Some(part),
            Some(all) => {
                if let Some(difference) = all.heading.difference(&part.heading) {
                    return Err(FolderError::other::<Heading>(path, difference));
                }
                all.take(path, part.games)?;
            }
        }
    }
    let all = all.ok_or_else(|| FolderError::empty::<Heading>(Path::new(""), "no part is named".into()))?;
    Ok((all, dropped))
}

impl Opened<Heading> {
    fn take(&mut self, path: &Path, games: BTreeMap<(usize, u64), Game>) -> Result<(), FolderError> {
        for (key, game) in games {
            match self.games.get(&key) {
                Some(known) if *known != game => {
                    let difference = format!("game {} of {} is another one there", game.number, game.variant);
                    return Err(FolderError::other::<Heading>(path, difference));
                }
                _ => self.games.insert(key, game),
            };
        }
        Ok(())
    }

    /// Puts all of it into a folder, which may have some of it already; returns all that is there then.
    ///
    /// # Errors
    /// If the folder belongs to something else, has different games of one number, or can't be written.
    pub fn put(mut self, out: &Path) -> Result<(Folder<Heading>, Self), FolderError> {
        let (mut folder, there) = Folder::open(out, &self.heading)?;
        let mine: Vec<_> = self.games.keys().copied().collect();
        let known: Vec<_> = there.games.keys().copied().collect();
        self.take(out, there.games)?;
        for key in mine.iter().filter(|key| known.binary_search(key).is_err()) {
            folder.add(&self.games[key])?;
        }
        Ok((folder, self))
    }
}
