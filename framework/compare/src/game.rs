//! One game of a variant against itself, and the line of text that keeps it.
//!
//! Must not know where games are kept or what is measured of them.

use alice_core::{Colour, MoveError, Outcome, Record, Score, Variant};
use alice_play::{Limits, Player, Stop};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// How games are played. Equal settings, rules and version give equal games, unless time is the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// How many positions the player looks at for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// How many milliseconds it has for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// What the lots are drawn from.
    pub seed: u64,
    /// How many plies at the beginning of a game are drawn by lot, so that games differ.
    pub openings: u32,
    /// After how many plies a game is broken off, as a draw.
    pub longest: u32,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Somebody is mated.
    Mate,
    /// Somebody can't move and is not in check.
    Stalemate,
    /// The same position came too often.
    Repetition,
    /// Too many moves without capture or pawn move.
    NoProgress,
    /// Only kings are left.
    BareKings,
    /// It was broken off.
    Length,
}

impl Ending {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Mate, Self::Stalemate, Self::Repetition, Self::NoProgress, Self::BareKings, Self::Length];

    /// In words, as in `draws by …`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::NoProgress => "no progress",
            Self::BareKings => "bare kings",
            Self::Length => "length",
        }
    }

    fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Mate { .. } => Self::Mate,
            Outcome::Stalemate { .. } => Self::Stalemate,
            Outcome::NoProgress { .. } => Self::NoProgress,
            Outcome::Repetition { .. } => Self::Repetition,
            Outcome::BareKings => Self::BareKings,
        }
    }
}

/// One game, as it is kept: a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// The variant's name.
    pub variant: String,
    /// Its number among the games of the variant.
    pub number: u64,
    /// How many of its plies were drawn by lot.
    pub drawn: u32,
    /// All its moves in exact notation, with spaces between.
    pub moves: String,
    /// How open the choice was at the first move that was not drawn by lot: the entropy of its moves, in
    /// thousandths of a bit (`docs/measures.md`).
    pub choice: u32,
    /// What the player thought of each of its own moves: hundredths of a point for White.
    pub values: Vec<i32>,
    /// How it ended.
    pub ending: Ending,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub score: String,
}

/// Why the text of a game is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// One of its moves is not legal.
    #[error("move {number}: {error}")]
    Move {
        /// Which, from 1.
        number: usize,
        /// Why.
        error: Box<MoveError>,
    },
    /// It says something about itself that its moves do not bear out.
    #[error("{0}")]
    Untrue(String),
}

impl Game {
    /// Who won; none if it was a draw.
    pub fn winner(&self) -> Option<Colour> {
        match self.score.as_str() {
            "1-0" => Some(Colour::White),
            "0-1" => Some(Colour::Black),
            _ => None,
        }
    }

    /// Plays it over again.
    ///
    /// # Errors
    /// If its moves are not legal in the variant, or it did not end as it says.
    pub fn replay(&self, variant: &Variant) -> Result<Record, GameError> {
        let record = replay(variant, &self.moves, self.ending, &self.score)?;
        let (plies, drawn, thought) = (record.moves().len(), self.drawn, self.values.len());
        if plies != drawn as usize + thought {
            return Err(GameError::Untrue(format!(
                "of its {plies} plies {drawn} were drawn by lot, and {thought} have a value"
            )));
        }
        Ok(record)
    }
}

/// Plays moves over again, which have to lead to such an end.
pub(crate) fn replay(
    variant: &Variant,
    moves: &str,
    ending: Ending,
    score: &str,
) -> Result<Record, GameError> {
    let mut record = Record::new(variant.start());
    for (number, text) in (1..).zip(moves.split_whitespace()) {
        let mv = record.position().read_move(text);
        let mv = mv.map_err(|error| GameError::Move { number, error: error.into() })?;
        record.play(&mv);
    }
    let (is, end) = concluded(record.outcome());
    if (is, &*end) != (ending, score) {
        let (is, says) = (is.name(), ending.name());
        return Err(GameError::Untrue(format!("it says {score} by {says}; its moves lead to {end} by {is}")));
    }
    Ok(record)
}

/// How a game ended, and its score; what is not over was broken off.
pub(crate) fn concluded(outcome: Option<Outcome>) -> (Ending, String) {
    let score = outcome.map_or(Score::Draw, Outcome::score);
    (outcome.map_or(Ending::Length, Ending::of), score.to_string())
}

/// All moves of a game in exact notation.
pub(crate) fn written(record: &Record) -> String {
    let rules = record.position().rules();
    record.moves().iter().map(|mv| mv.exact(rules)).collect::<Vec<_>>().join(" ")
}

/// Lots that depend on these numbers alone. Numbers of one seed and of its neighbours must not meet.
pub(crate) fn lots(numbers: &[u64]) -> Xoshiro256PlusPlus {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    Xoshiro256PlusPlus::from_seed(Sha256::digest(bytes).into())
}

/// What tells rules apart: equal for equal rules. Rules in code are told apart by what `code` says of them.
pub fn fingerprint(variant: &Variant, code: &str) -> String {
    let text = format!("{:?}\n{code}", variant.rules());
    Sha256::digest(text).iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

/// Draws the opening of a game: so many legal plies, of which none ends it.
pub(crate) fn opening(variant: &Variant, plies: u32, random: &mut Xoshiro256PlusPlus) -> Record {
    // Few lots end a game; where most do, the opening is shorter.
    for most in (0..=plies).rev() {
        for _ in 0..20 {
            let mut record = Record::new(variant.start());
            while record.moves().len() < most as usize && record.outcome().is_none() {
                let mut moves = record.position().legal_moves();
                moves.sort();
                let lot = random.next_u64() % moves.len() as u64;
                record.play(&moves[lot as usize]);
            }
            if record.outcome().is_none() || most == 0 {
                return record;
            }
        }
    }
    Record::new(variant.start())
}

/// A move that is worth so many hundredths of a point less is chosen 1/e times as often.
const INDIFFERENT: f64 = 50.0;

/// How open the choice is in a position, in thousandths of a bit. All moves are looked at, with the effort of
/// eight moves.
fn choice(record: &Record, player: &mut Player, limits: &Limits) -> u32 {
    let lines = record.position().legal_moves().len();
    let limits = Limits {
        lines,
        nodes: limits.nodes.map(|nodes| nodes.saturating_mul(8)),
        time: limits.time.map(|time| time * 8),
        ..limits.clone()
    };
    let report = player.choose(record, &limits);
    let best = f64::from(report.value().number());
    let odds = |line: &alice_play::Line| ((f64::from(line.value.number()) - best) / INDIFFERENT).exp();
    let odds: Vec<f64> = report.lines.iter().map(odds).collect();
    let sum: f64 = odds.iter().sum();
    let bits: f64 = odds.iter().map(|o| o / sum).filter(|p| *p > 0.0).map(|p| -p * p.log2()).sum();
    (bits * 1000.0).round() as u32
}

/// Plays one game; none if it was stopped.
pub(crate) fn play(
    name: &str,
    variant: &Variant,
    number: u64,
    settings: &Settings,
    player: &mut Player,
    stop: &Stop,
) -> Option<Game> {
    let mut record = opening(variant, settings.openings, &mut lots(&[settings.seed, number]));
    let drawn = record.moves().len() as u32;
    let limits = Limits {
        nodes: settings.nodes,
        time: settings.time.map(Duration::from_millis),
        stop: stop.clone(),
        ..Limits::default()
    };
    player.forget();
    let choice = choice(&record, player, &limits);
    player.forget();
    let mut values = Vec::new();
    let mut outcome = record.outcome();
    while outcome.is_none() && record.moves().len() < settings.longest as usize {
        let report = player.choose(&record, &limits);
        if stop.is_raised() {
            return None;
        }
        let value = report.value();
        let white = record.position().turn() == Colour::White;
        values.push(if white { value } else { value.turned() }.number());
        record.play(&report.best()?);
        outcome = record.outcome();
    }
    let (ending, score) = concluded(outcome);
    let moves = written(&record);
    Some(Game { variant: name.into(), number, drawn, moves, choice, values, ending, score })
}
