//! Files of games: which variant each game is of, and what its moves are. Every fault has its place in
//! the file.
//!
//! Must not know what is done with the games.

use crate::arguments::Letters;
use crate::code::{Code, sound};
use crate::failure::Failure;
use crate::game::{Game, load, read_move, shortened};
use alice_config::Config;
use alice_core::{Colour, Fault, Move, Position, PositionError};
use alice_host::Guard;
use alice_score::{Place, ScoreSheet, Sheets, SheetsError, Tag, Written};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// Something wrong in a file, at a place.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub advice: String,
}

impl Trouble {
    fn at(place: Place, problem: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { place, problem: problem.into(), advice: advice.into() }
    }

    /// A fault of a text that begins at a place.
    pub fn within(place: Place, text: &str, fault: &Fault) -> Self {
        let before = text.get(..fault.at.start).map_or(0, |before| before.chars().count());
        let place = Place { column: place.column + before, ..place };
        Self::at(place, &fault.problem, &fault.advice)
    }

    /// The message for people.
    pub fn message(&self, file: &str) -> String {
        let Place { line, column } = self.place;
        let advice = if self.advice.is_empty() { String::new() } else { format!("; {}", self.advice) };
        format!("error: {file}:{line}:{column}: {}{advice}", self.problem)
    }
}

/// A variant that games of a file are of.
#[derive(Debug)]
pub struct Known {
    /// The name or path by which it was loaded.
    pub name: String,
    /// What it is.
    pub config: Config,
    guard: Arc<Guard>,
}

/// A game of a file, understood.
pub struct Played {
    /// Its variant.
    pub known: Rc<Known>,
    /// Where it begins.
    pub start: Position,
    /// What was played, and what is said of it.
    pub sheet: ScoreSheet<Move>,
}

impl Played {
    /// The game, to be gone on with.
    pub fn game(&self, letters: Letters) -> Game {
        Game {
            config: self.known.config.clone(),
            variant: self.known.name.clone(),
            record: self.sheet.record(self.start.clone()),
            letters,
            guard: self.known.guard.clone(),
        }
    }

    /// The position at the end.
    pub fn end(&self) -> Position {
        let mut position = self.start.clone();
        self.sheet.line.turns.iter().for_each(|turn| position.play(&turn.mv));
        position
    }
}

/// Understands the games of a file; each variant is loaded once.
pub struct Reader<'a> {
    code: &'a Code,
    /// The variant of all games, whatever their tags say.
    variant: Option<&'a str>,
    letters: Letters,
    loaded: HashMap<String, Rc<Known>>,
}

/// A file's games, or those of the standard input for `-`.
///
/// # Errors
/// If there is no such file, or none that can be read to its end.
pub fn open(path: &Path) -> Result<Sheets<Box<dyn BufRead>>, Failure> {
    Ok(Sheets::new(source(path)?))
}

/// A file's text, or that of the standard input for `-`.
///
/// # Errors
/// As [`open`].
pub fn source(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let shown = path.display();
    if path.is_dir() {
        return Err(Failure::BadInput(format!("error: {shown} is a directory; name a file of games")));
    }
    // To open a pipe is to wait for its other end.
    if path.exists() && !path.is_file() {
        return Err(Failure::BadInput(format!(
            "error: {shown} is not an ordinary file; name a file of games"
        )));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::with_capacity(1 << 16, file))),
        Err(e) => Err(Failure::BadInput(format!("error: {shown} can't be read: {e}; name a file of games"))),
    }
}

/// How messages call a file.
pub fn called(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}

/// A game's letters and figures, for comparing names.
fn plain(name: &str) -> String {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    match name.strip_suffix("chess") {
        Some(shorter) if !shorter.is_empty() => shorter.into(),
        _ => name,
    }
}

impl<'a> Reader<'a> {
    /// Reads games of one variant, or of those that their tags name, with letters of a language.
    pub fn new(variant: Option<&'a str>, letters: Letters, code: &'a Code) -> Self {
        Self { code, variant, letters, loaded: HashMap::new() }
    }

    /// The variant that is to be used for all games.
    ///
    /// # Errors
    /// If none is named, or it can't be loaded.
    pub fn only(&mut self) -> Result<Rc<Known>, Failure> {
        let Some(name) = self.variant else {
            let message = "error: these texts do not say which game they are of; name it with --variant";
            return Err(Failure::BadInput(message.into()));
        };
        self.load(name)
    }

    fn load(&mut self, name: &str) -> Result<Rc<Known>, Failure> {
        if let Some(known) = self.loaded.get(name) {
            return Ok(known.clone());
        }
        let (config, guard) = load(name, self.code)?;
        let known = Rc::new(Known { name: name.into(), config, guard });
        self.loaded.insert(name.into(), known.clone());
        Ok(known)
    }

    /// The variant that a tag names: by name, by path, or by a title that people write.
    fn tagged(&mut self, tag: Option<&Tag>) -> Result<Rc<Known>, Trouble> {
        let Some(tag) = tag else {
            return self.load("chess").map_err(|_| Trouble::at(Place::default(), "chess is missing", ""));
        };
        if let Some(known) = self.loaded.get(&tag.value) {
            return Ok(known.clone());
        }
        let names = alice_config::builtin_names();
        // As other programs call ordinary chess.
        let value = if tag.value.eq_ignore_ascii_case("standard") { "chess" } else { &tag.value };
        let titled = |name: &&&str| {
            let config = alice_config::load(name);
            plain(name) == plain(value)
                || config.is_ok_and(|config| plain(&config.about.title) == plain(value))
        };
        let known = match names.iter().find(titled) {
            Some(name) => self.load(name),
            None => self.load(&tag.value),
        };
        let known = known.map_err(|failure| {
            let problem = format!("the variant {} can't be read", shortened(&tag.value));
            let advice = match failure {
                Failure::BadInput(_) if tag.value.contains(['/', '\\', '.']) => {
                    "`alice check` says why".into()
                }
                _ => format!("--variant names another; built in are {}", names.join(", ")),
            };
            Trouble::at(tag.place, problem, advice)
        })?;
        self.loaded.insert(tag.value.clone(), known.clone());
        Ok(known)
    }

    /// Understands a game.
    ///
    /// # Errors
    /// What is wrong with it: of its tags everything, of its moves the first.
    pub fn understand(&mut self, sheet: ScoreSheet<Written>) -> Result<Played, Vec<Trouble>> {
        let known = match self.variant {
            Some(name) => self.load(name).map_err(|_| vec![]),
            None => self.tagged(sheet.tag("Variant")).map_err(|trouble| vec![trouble]),
        }?;
        let start = match sheet.tag("FEN") {
            None => known.config.variant.start(),
            Some(tag) => {
                known.config.variant.read_position(&tag.value).map_err(|PositionError { faults }| {
                    faults
                        .iter()
                        .map(|fault| Trouble::within(tag.place, &tag.value, fault))
                        .collect::<Vec<_>>()
                })?
            }
        };
        let guessed = self.variant.is_none() && sheet.tag("Variant").is_none();
        let language = self.letters.language();
        let place = sheet.place;
        let mut read = |position: &Position, written: &Written| {
            read_move(position, &written.text, language).map_err(|fault| {
                let mut trouble = Trouble::within(written.place, &written.text, &fault);
                let dots = if position.turn() == Colour::White { "." } else { "..." };
                trouble.problem = format!("{}{dots} {}", position.setup().fullmoves, trouble.problem);
                if guessed {
                    trouble.advice = "the game has no tag Variant and is read as chess: is it chess?".into();
                }
                trouble
            })
        };
        let sheet = sheet.understand(&start, &mut read);
        // What the rules in code have answered may mean nothing.
        if let Err(Failure::BadInput(broken)) = sound(&known.guard, &start, None) {
            return Err(vec![Trouble::at(place, broken, "")]);
        }
        let sheet = sheet.map_err(|trouble| vec![trouble])?;
        Ok(Played { known, start, sheet })
    }

    /// The next game of a file, or what is wrong with it; none at the end.
    ///
    /// # Errors
    /// If the file can't be read any further.
    pub fn next(
        &mut self,
        sheets: &mut Sheets<Box<dyn BufRead>>,
    ) -> Result<Option<Result<Played, Vec<Trouble>>>, Failure> {
        match sheets.next() {
            None => Ok(None),
            Some(Ok(sheet)) => Ok(Some(self.understand(sheet))),
            Some(Err(SheetsError::Broken { place, problem, advice })) => {
                Ok(Some(Err(vec![Trouble::at(place, problem, advice)])))
            }
            Some(Err(SheetsError::File(error))) => {
                Err(Failure::BadInput(format!("error: the file can't be read any further: {error}")))
            }
        }
    }
}
