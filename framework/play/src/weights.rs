//! What counts in an evaluation, and how much: plain numbers that can be written to a file, tuned and
//! read again; without a file they are derived from the rules.
//!
//! Must not know positions.

use crate::grounds::Grounds;
use alice_core::Rules;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How much each thing counts, in hundredths of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Weights {
    /// To be on the move.
    pub tempo: f64,
    /// For each cell that the king sees, over vacant cells, along lines by which enemies could attack it;
    /// less as the enemy loses men.
    pub exposure: f64,
    /// Against a king that has lost almost all its men: for each cell that it could go to, for each that it
    /// reaches less from where it stands than from others, and for each step that the other king is nearer.
    pub hunt: f64,
    /// For each kind of man, by its name.
    pub men: BTreeMap<String, ManWeights>,
}

/// How much a kind of man counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ManWeights {
    /// To have one.
    pub value: f64,
    /// For each cell that it reaches, on boards as full as they are halfway through a game, from the cell
    /// where it stands, more than it does from others.
    pub place: f64,
    /// For each legal move.
    pub mobility: f64,
    /// The part that it already counts of what it gains by promoting, one move before that; half as much
    /// two moves before, and so on.
    pub progress: f64,
    /// For each rank and level that it has come forward, more than the middle of the board.
    #[serde(default)]
    pub advance: f64,
    /// To stand on the board of the enemy's king.
    #[serde(default)]
    pub hunter: f64,
    /// To stand on the board of its own king.
    #[serde(default)]
    pub guard: f64,
}

/// Why weights do not fit a variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// A kind of man has no weights.
    #[error("the weights say nothing of the {0}")]
    Missing(String),
    /// There is no such kind of man.
    #[error("the weights speak of a {0}, which {1} does not have")]
    Unknown(String, String),
    /// A number is not a number, or too large to count with.
    #[error("the weight {0} is {1}; it must be between -{most} and {most}", most = MOST)]
    Impossible(String, String),
    /// A text does not hold weights.
    #[error("{0}")]
    Unreadable(String),
}

/// No weight is larger: ten queens.
const MOST: f64 = 10_000.0;

/// For how many hundredths of a point a man counts for each cell that it reaches.
const CELL: f64 = 62.0;

impl Weights {
    /// The weights that follow from the rules alone: a man is worth what it reaches.
    pub fn of_rules(rules: &Rules) -> Self {
        let grounds = Grounds::new(rules);
        let men = rules.men.iter().enumerate().map(|(k, man)| {
            let mean = grounds.mean(k);
            let value = if man.royal { 0.0 } else { (CELL * mean).max(20.0).round() };
            // Men that reach far have the least need to be where they are best.
            let weights = ManWeights {
                value,
                place: if man.royal { 0.0 } else { 12.0 },
                mobility: if man.royal { 4.0 } else { (14.0 / mean.max(1.0).sqrt()).round() },
                progress: if man.promotes_to.is_empty() { 0.0 } else { 0.25 },
                // What men are worth by board and rank does not follow from the rules; games tell.
                ..ManWeights::default()
            };
            (man.name.clone(), weights)
        });
        Self { tempo: 15.0, exposure: 4.0, hunt: 10.0, men: men.collect() }
    }

    /// Whether these are weights for the men of a variant.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn check(&self, rules: &Rules) -> Result<(), WeightsError> {
        for man in &rules.men {
            let Some(weights) = self.men.get(&man.name) else {
                return Err(WeightsError::Missing(man.name.clone()));
            };
            for (name, number) in MAN.iter().zip(weights.numbers()) {
                possible(&format!("{name} of the {}", man.name), number)?;
            }
        }
        let unknown = self.men.keys().find(|name| rules.men.iter().all(|m| m.name != **name));
        if let Some(name) = unknown {
            return Err(WeightsError::Unknown(name.clone(), rules.name.clone()));
        }
        possible("tempo", self.tempo)?;
        possible("hunt", self.hunt)?;
        possible("exposure", self.exposure)
    }

    /// Reads weights from a TOML text.
    ///
    /// # Errors
    /// If the text does not hold weights, with its place.
    pub fn read(text: &str) -> Result<Self, WeightsError> {
        toml::from_str(text).map_err(|error| WeightsError::Unreadable(error.to_string().trim_end().into()))
    }

    /// The TOML text of these weights.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("numbers by name can be written")
    }

    /// What each of [`Weights::numbers`] is: `tempo`, `value of the pawn`.
    pub fn names(rules: &Rules) -> Vec<String> {
        let general = GENERAL.iter().map(|name| (*name).to_string());
        let men =
            rules.men.iter().flat_map(|man| MAN.iter().map(|name| format!("{name} of the {}", man.name)));
        general.chain(men).collect()
    }

    /// All weights in one row, those that are for no kind of man first, then kind by kind.
    pub fn numbers(&self, rules: &Rules) -> Vec<f64> {
        let general = [self.tempo, self.exposure, self.hunt];
        let men = (0..rules.men.len()).flat_map(|kind| self.man(rules, kind).numbers());
        general.into_iter().chain(men).collect()
    }

    /// The weights of such a row; none if it is too short.
    pub fn of_numbers(rules: &Rules, numbers: &[f64]) -> Option<Self> {
        let ([tempo, exposure, hunt], men) = numbers.split_first_chunk()?;
        let (men, _) = men.as_chunks::<{ MAN.len() }>();
        let named = rules.men.iter().zip(men).map(|(man, row)| (man.name.clone(), ManWeights::of(row)));
        let men: BTreeMap<_, _> = named.collect();
        let whole = men.len() == rules.men.len();
        whole.then_some(Self { tempo: *tempo, exposure: *exposure, hunt: *hunt, men })
    }

    /// The weights of a kind.
    pub(crate) fn man(&self, rules: &Rules, kind: usize) -> ManWeights {
        self.men.get(&rules.men[kind].name).copied().unwrap_or_default()
    }
}

/// The weights that are for no kind of man, in the order of [`Weights::numbers`].
pub(crate) const GENERAL: [&str; 3] = ["tempo", "exposure", "hunt"];
/// Those of each kind.
pub(crate) const MAN: [&str; 7] = ["value", "place", "mobility", "progress", "advance", "hunter", "guard"];

impl ManWeights {
    fn numbers(self) -> [f64; MAN.len()] {
        [self.value, self.place, self.mobility, self.progress, self.advance, self.hunter, self.guard]
    }

    fn of([value, place, mobility, progress, advance, hunter, guard]: &[f64; MAN.len()]) -> Self {
        let (value, place, mobility, progress) = (*value, *place, *mobility, *progress);
        Self { value, place, mobility, progress, advance: *advance, hunter: *hunter, guard: *guard }
    }
}

fn possible(name: &str, number: f64) -> Result<(), WeightsError> {
    match number.abs() <= MOST {
        true => Ok(()),
        false => Err(WeightsError::Impossible(name.into(), number.to_string())),
    }
}
