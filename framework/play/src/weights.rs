//! What counts in an evaluation, and how much: plain numbers that can be written to a file, tuned and
//! read again; without a file they are derived from the rules.
//!
//! Must not know positions.

use alice_core::{CellSet, Colour, Kind, Rules, Wide};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
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
}

/// No weight is larger: ten queens.
const MOST: f64 = 10_000.0;

/// For how many hundredths of a point a man counts for each cell that it reaches.
const CELL: f64 = 62.0;

impl Weights {
    /// The weights that follow from the rules alone: a man is worth what it reaches.
    pub fn of_rules(rules: &Rules) -> Self {
        let reach = Reach::new(rules);
        let men = rules.men.iter().enumerate().map(|(k, man)| {
            let mean = reach.mean(k);
            let value = if man.royal { 0.0 } else { (CELL * mean).max(20.0).round() };
            // Men that reach far have the least need to be where they are best.
            let weights = ManWeights {
                value,
                place: if man.royal { 0.0 } else { 12.0 },
                mobility: if man.royal { 4.0 } else { (14.0 / mean.max(1.0).sqrt()).round() },
                progress: if man.promotes_to.is_empty() { 0.0 } else { 0.25 },
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
            let ManWeights { value, place, mobility, progress } = *weights;
            let named = [("value", value), ("place", place), ("mobility", mobility), ("progress", progress)];
            for (name, number) in named {
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

    /// The weights of a kind.
    pub(crate) fn man(&self, rules: &Rules, kind: usize) -> ManWeights {
        self.men.get(&rules.men[kind].name).copied().unwrap_or_default()
    }
}

fn possible(name: &str, number: f64) -> Result<(), WeightsError> {
    match number.abs() <= MOST {
        true => Ok(()),
        false => Err(WeightsError::Impossible(name.into(), number.to_string())),
    }
}

/// How many cells each man reaches from each cell of a board that is as full as boards are halfway
/// through a game, on average.
pub(crate) struct Reach {
    /// By kind, by colour, by cell.
    reached: Vec<[Vec<f64>; 2]>,
}

/// On how many boards at random it is counted.
const SAMPLES: usize = 8;

impl Reach {
    pub(crate) fn new(rules: &Rules) -> Self {
        let shape = rules.shape;
        let all = Wide::first_n(shape.cells());
        let men = rules.start.men().count() as f64;
        let density = 0.7 * men / (shape.cells() as f64 * f64::from(rules.boards));
        let mut random = SplitMix64::seed_from_u64(0x0100_c1a5);
        let chance = (density.clamp(0.02, 0.6) * u64::MAX as f64) as u64;
        let samples: Vec<Wide> = (0..SAMPLES)
            .map(|_| {
                let cells = shape.all().filter(|_| random.next_u64() < chance);
                cells.fold(Wide::EMPTY, |set, cell| set | Wide::of(cell))
            })
            .collect();
        let count = |kind: usize, colour: Colour, cell| {
            let movement = rules.man(Kind(kind as u8)).movement.wide();
            let sum: u32 = samples
                .iter()
                .map(|sample| {
                    let own = Wide::of(cell);
                    let occupied = *sample | own;
                    let quiet = movement.quiet(cell, colour, occupied) & !occupied & all;
                    let attacks = movement.attacks(cell, colour, occupied) & all & !own;
                    // Who moves and captures alike counts whole, who only does one of both, half.
                    quiet.count() + attacks.count()
                })
                .sum();
            f64::from(sum) / (2.0 * SAMPLES as f64)
        };
        let reached = (0..rules.men.len())
            .map(|k| Colour::BOTH.map(|colour| shape.all().map(|cell| count(k, colour, cell)).collect()))
            .collect();
        Self { reached }
    }

    pub(crate) fn mean(&self, kind: usize) -> f64 {
        let [white, black] = &self.reached[kind];
        let sum: f64 = white.iter().chain(black).sum();
        sum / (2 * white.len()).max(1) as f64
    }

    /// How many cells more than on average.
    pub(crate) fn above(&self, kind: usize, colour: Colour, cell: usize) -> f64 {
        self.reached[kind][colour.index()][cell] - self.mean(kind)
    }
}
