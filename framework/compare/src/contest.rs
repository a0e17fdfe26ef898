//! Two players at one variant, game after game, until it is clear enough who is the stronger one.
//!
//! Games come in pairs, of the same opening with colours changed. What comes out does not depend on how many
//! threads play. Must not know variants or players by name, nor how a player finds its moves.

use crate::crew::share_out;
use crate::folder::{About, Folder, FolderError, Kept};
use crate::game::{Ending, GameError, concluded, lots, opening, replay, written};
use crate::report::BadGame;
use crate::run::Progress;
use crate::tally::{Sprt, Tally, Verdict};
use alice_core::{Colour, Move, Record, Variant};
use alice_play::{Limits, Manner, Novice, Player, Stop, Weights, WeightsError};
use rand_xoshiro::rand_core::Rng;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How much the engine looks at for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// So many plies.
    Depth(u32),
    /// So many positions.
    Nodes(u64),
    /// So many milliseconds. Games are not repeatable then.
    Time(u64),
}

impl Effort {
    fn limits(self, stop: &Stop) -> Limits {
        let limits = match self {
            Self::Depth(plies) => Limits::depth(plies),
            Self::Nodes(nodes) => Limits::nodes(nodes),
            Self::Time(ms) => Limits::time(Duration::from_millis(ms)),
        };
        Limits { stop: stop.clone(), ..limits }
    }
}

/// `depth=1`, `nodes=4000`, `time=50`.
impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(plies) => write!(f, "depth={plies}"),
            Self::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Self::Time(ms) => write!(f, "time={ms}"),
        }
    }
}

/// Who plays.
#[derive(Clone, Debug, PartialEq)]
pub enum Entrant {
    /// The engine.
    Engine {
        /// What it judges positions by.
        weights: Weights,
        /// How hard it works.
        effort: Effort,
    },
    /// One that does not look ahead.
    Novice(Manner),
}

/// The effort of an engine, or the manner of a novice.
impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine { effort, .. } => effort.fmt(f),
            Self::Novice(manner) => manner.fmt(f),
        }
    }
}

/// One of the two that play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The one whose strength is in question.
    First,
    /// The one that it is measured by.
    Second,
}

impl Side {
    /// Who has White in a game: each in one game of a pair.
    fn white(number: u64) -> Self {
        if number.is_multiple_of(2) { Self::First } else { Self::Second }
    }
}

/// Under which conditions two play. Equal conditions, players, rules and version give equal games, unless time is
/// the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// What the lots are drawn from.
    pub seed: u64,
    /// How many plies at the beginning of a game are drawn by lot, so that games differ.
    pub openings: u32,
    /// After how many plies a game is broken off, as a draw.
    pub longest: u32,
}

/// Who plays whom, at what, and how. The contests of a folder have equal headings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairing {
    /// The version of the program.
    pub version: String,
    /// Who plays, as [`Entrant`] writes it.
    pub entrants: [String; 2],
    /// How they play.
    pub conditions: Conditions,
    /// The variants that they play at, in the order in which they are shown.
    pub variants: Vec<Field>,
}

/// One of the variants at which two play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Equal for equal rules.
    pub rules: String,
    /// What each player judges positions by: equal for equal weights.
    pub weights: [String; 2],
}

impl About for Pairing {
    type Game = Bout;
    const WHAT: &str = "contest";
    const MADE_BY: &str = "alice match --out";
    const SIGN: &str = "entrants";

    fn variants(&self) -> impl Iterator<Item = &str> {
        self.variants.iter().map(|field| &*field.name)
    }

    fn difference(&self, other: &Self) -> Option<String> {
        let numbers = |c: Conditions| [c.seed, c.openings.into(), c.longest.into()].map(|n| n.to_string());
        let said = |pairing: &Self| {
            let [first, second] = pairing.entrants.clone();
            let [seed, openings, longest] = numbers(pairing.conditions);
            let names = pairing.variants().collect::<Vec<_>>().join(" ");
            [pairing.version.clone(), first, second, seed, openings, longest, names]
        };
        let what = ["version", "first player", "second player", "seed", "openings", "longest", "variants"];
        let said = what.iter().zip(said(self).into_iter().zip(said(other)));
        if let Some((what, (here, there))) = said.into_iter().find(|(_, (here, there))| here != there) {
            return Some(format!("{what} {here} here, {there} there"));
        }
        let differs = |(a, b): (&Field, &Field)| {
            let name = &a.name;
            let weights = a.weights.iter().zip(&b.weights).position(|(a, b)| a != b);
            match (a.rules == b.rules, weights) {
                (false, _) => Some(format!("the rules of {name} differ")),
                (true, Some(0)) => Some(format!("the first player's weights for {name} differ")),
                (true, Some(_)) => Some(format!("the second player's weights for {name} differ")),
                (true, None) => None,
            }
        };
        self.variants.iter().zip(&other.variants).find_map(differs)
    }
}

/// One game of a contest, as it is kept: a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bout {
    /// The variant's name.
    pub variant: String,
    /// Its number: games 0 and 1 are the first pair.
    pub number: u64,
    /// Who had White.
    pub white: Side,
    /// How many of its plies were drawn by lot.
    pub drawn: u32,
    /// All its moves in exact notation, with spaces between.
    pub moves: String,
    /// How it ended.
    pub ending: Ending,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub score: String,
}

impl Kept for Bout {
    fn variant(&self) -> &str {
        &self.variant
    }

    fn number(&self) -> u64 {
        self.number
    }
}

impl Bout {
    /// How many half points the first player got.
    fn halves(&self) -> u8 {
        match (self.score.as_str(), self.white) {
            ("1-0", Side::First) | ("0-1", Side::Second) => 2,
            ("1-0", Side::Second) | ("0-1", Side::First) => 0,
            _ => 1,
        }
    }

    /// Plays it over again.
    ///
    /// # Errors
    /// If its moves are not legal in the variant, or it did not go as it says.
    pub fn replay(&self, variant: &Variant) -> Result<Record, GameError> {
        let record = replay(variant, &self.moves, self.ending, &self.score)?;
        if self.white != Side::white(self.number) {
            return Err(GameError::Untrue("it says that the other player had White".into()));
        }
        let plies = record.moves().len();
        if plies < self.drawn as usize {
            let drawn = self.drawn;
            return Err(GameError::Untrue(format!(
                "it says that {drawn} of its {plies} plies were drawn by lot"
            )));
        }
        Ok(record)
    }
}

/// Why a contest ends without a result.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// Games come in pairs.
    #[error("a contest can't have {0} games; it needs an even number, at least 2")]
    Games(u64),
    /// A player can't play that.
    #[error("{0}")]
    Weights(#[from] WeightsError),
    /// A game can't be kept.
    #[error("{0}")]
    Folder(#[from] FolderError),
    /// A game that was kept is none.
    #[error("{0}")]
    Bad(#[from] BadGame),
}

/// Two players at one variant.
#[derive(Clone)]
pub struct Contest<'a> {
    /// The variant's name.
    pub name: &'a str,
    /// What is played.
    pub variant: &'a Variant,
    /// Who plays: the one whose strength is in question, and the one that it is measured by.
    pub entrants: [Entrant; 2],
    /// How they play.
    pub conditions: Conditions,
    /// How many games: an even number.
    pub games: u64,
    /// What may end the contest before all of them are played. Only whole pairs count for it, in the order of
    /// their numbers.
    pub sprt: Option<Sprt>,
    /// On how many threads.
    pub threads: usize,
    /// How many bytes each player may remember with. Part of what makes games repeatable.
    pub memory: usize,
    /// Asked after each game whether the rules have kept their promises; if not, the game is left out and the
    /// contest ends.
    pub sound: &'a (dyn Fn() -> bool + Sync),
}

impl Contest<'_> {
    /// Plays whatever games are missing, and adds each to the folder (if there is one) and to `bouts` as soon as
    /// it is finished. Returns what all whole pairs come to that have no gap before them; if the test is decided,
    /// that is those up to the deciding one, and others are taken out of `bouts`. Ends early when stopped;
    /// unfinished games are left out.
    ///
    /// # Errors
    /// If that is no contest, a player can't play it, a game in `bouts` is none, or one can't be written; then
    /// those before it are kept.
    pub fn run(
        &self,
        mut folder: Option<&mut Folder<Pairing>>,
        bouts: &mut BTreeMap<u64, Bout>,
        stop: &Stop,
        tell: &mut dyn FnMut(Progress, &Tally),
    ) -> Result<Tally, ContestError> {
        if self.games == 0 || !self.games.is_multiple_of(2) {
            return Err(ContestError::Games(self.games));
        }
        for entrant in &self.entrants {
            if let Entrant::Engine { weights, .. } = entrant {
                weights.check(self.variant.rules())?;
            }
        }
        for bout in bouts.values() {
            let (variant, number) = (bout.variant.clone(), bout.number);
            bout.replay(self.variant).map_err(|error| BadGame { variant, number, error })?;
        }
        let mut tally = Tally::default();
        self.count(bouts, &mut tally);
        let over = AtomicBool::new(self.is_over(&tally));
        let missing: Vec<u64> = match over.load(Ordering::Relaxed) {
            true => Vec::new(),
            false => (0..self.games).filter(|number| !bouts.contains_key(number)).collect(),
        };
        let mut progress = self.progress(&tally, self.games as usize - missing.len());
        tell(progress, &tally);
        let begin = || self.entrants.each_ref().map(|entrant| self.seat(entrant, stop));
        let work = |seats: &mut [Seat; 2], number: &u64| {
            let leave = || stop.is_raised() || over.load(Ordering::Relaxed);
            let bout = self.play(*number, seats, &leave)?;
            if !(self.sound)() {
                stop.raise();
                return None;
            }
            Some(bout)
        };
        let mut take = |bout: Bout| {
            if let Some(folder) = &mut folder {
                folder.add(&bout).inspect_err(|_| stop.raise())?;
            }
            bouts.insert(bout.number, bout);
            if !self.is_over(&tally) {
                self.count(bouts, &mut tally);
                over.store(self.is_over(&tally), Ordering::Relaxed);
                progress = self.progress(&tally, progress.done + 1);
                tell(progress, &tally);
            }
            Ok::<(), FolderError>(())
        };
        share_out(&missing, self.threads, &begin, &work, &mut take)?;
        if self.is_over(&tally) {
            bouts.retain(|number, _| *number < tally.games());
        }
        Ok(tally)
    }

    /// Whether nothing more has to be played: all games are, or the test is decided.
    pub fn is_over(&self, tally: &Tally) -> bool {
        let decided = |sprt: Sprt| sprt.test(tally).verdict != Verdict::Undecided;
        tally.games() >= self.games || self.sprt.is_some_and(decided)
    }

    fn progress(&self, tally: &Tally, done: usize) -> Progress {
        match self.is_over(tally) {
            true => Progress { done: tally.games() as usize, all: tally.games() as usize },
            false => Progress { done, all: self.games as usize },
        }
    }

    /// Adds the pairs that follow those already counted.
    fn count(&self, bouts: &BTreeMap<u64, Bout>, tally: &mut Tally) {
        let of = |number: u64| bouts.get(&number).map(|bout| (bout.halves(), bout.ending));
        while !self.is_over(tally)
            && let (Some(one), Some(other)) = (of(tally.games()), of(tally.games() + 1))
        {
            tally.add([one, other]);
        }
    }

    fn seat(&self, entrant: &Entrant, stop: &Stop) -> Seat {
        match entrant {
            Entrant::Novice(manner) => Seat::Novice(Novice::new(*manner, self.variant, 0)),
            Entrant::Engine { weights, effort } => {
                let player = Player::with_weights(self.variant, weights.clone());
                let mut player = player.expect("the weights have been checked");
                player.set_memory(self.memory);
                Seat::Engine(Box::new(player), effort.limits(stop))
            }
        }
    }

    /// Plays one game; none if it was left.
    fn play(&self, number: u64, seats: &mut [Seat; 2], leave: &dyn Fn() -> bool) -> Option<Bout> {
        let Conditions { seed, openings, longest } = self.conditions;
        let mut record = opening(self.variant, openings, &mut lots(&[seed, number / 2]));
        let drawn = record.moves().len() as u32;
        for (n, seat) in (0..).zip(seats.iter_mut()) {
            seat.begin(lots(&[seed, number, n]).next_u64());
        }
        let white = Side::white(number);
        let mut outcome = record.outcome();
        while outcome.is_none() && record.moves().len() < longest as usize {
            let first = (record.position().turn() == Colour::White) == (white == Side::First);
            let mv = seats[usize::from(!first)].choose(&record);
            if leave() {
                return None;
            }
            record.play(&mv?);
            outcome = record.outcome();
        }
        let (ending, score) = concluded(outcome);
        let moves = written(&record);
        Some(Bout { variant: self.name.into(), number, white, drawn, moves, ending, score })
    }
}

/// A player at the board.
enum Seat {
    Engine(Box<Player>, Limits),
    Novice(Novice),
}

impl Seat {
    /// Begins a game with nothing in mind.
    fn begin(&mut self, seed: u64) {
        match self {
            Self::Engine(player, _) => player.forget(),
            Self::Novice(novice) => novice.reseed(seed),
        }
    }

    fn choose(&mut self, record: &Record) -> Option<Move> {
        match self {
            Self::Engine(player, limits) => player.choose(record, limits).best(),
            Self::Novice(novice) => novice.choose(record),
        }
    }
}
