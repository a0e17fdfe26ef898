//! The program's own players: one that moves at random, one that grabs what it can, and the engine.

use crate::arguments::{self, Opponent};
use crate::failure::Failure;
use crate::game::Game;
use alice_core::{Move, Record};
use alice_play::{Limits, Manner, Novice, Report};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::path::Path;
use std::time::Duration;

/// A player of the program.
pub enum Player {
    /// One that does not look ahead.
    Novice(Novice),
    /// One that does, and what chooses among moves that are about as good.
    Engine(Box<Engine>, Xoshiro256PlusPlus),
}

impl Player {
    /// A player of a variant. The same seed makes the same choices.
    pub fn new(kind: Opponent, game: &Game, seed: u64, arguments: &arguments::Play) -> Result<Self, Failure> {
        let variant = &game.config.variant;
        Ok(match kind {
            Opponent::Random => Self::Novice(Novice::new(Manner::Random, variant, seed)),
            Opponent::Greedy => Self::Novice(Novice::new(Manner::Greedy, variant, seed)),
            Opponent::Engine => {
                let random = Xoshiro256PlusPlus::seed_from_u64(seed);
                Self::Engine(Box::new(Engine::new(game, arguments)?), random)
            }
        })
    }

    /// Its move; none if there is none.
    pub fn choose(&mut self, record: &Record) -> Option<Move> {
        match self {
            Self::Novice(novice) => novice.choose(record),
            Self::Engine(engine, random) => engine.choose(record, random),
        }
    }
}

/// The engine, as strong as somebody wants it to be.
pub struct Engine {
    player: alice_play::Player,
    limits: Limits,
    /// By how many hundredths of a point a move may be worse than the best and still be chosen.
    carelessness: i32,
}

/// The level at which the engine plays unless somebody says otherwise.
const USUAL_LEVEL: u8 = 5;

impl Engine {
    fn new(game: &Game, arguments: &arguments::Play) -> Result<Self, Failure> {
        let level = arguments.level.unwrap_or(USUAL_LEVEL);
        let own = arguments.time.is_some() || arguments.nodes.is_some();
        // Each level sees about three times as much as the one below.
        let nodes = if own { arguments.nodes } else { Some(40 * 3_u64.pow(u32::from(level) - 1)) };
        let carelessness = if own { 0 } else { 20 * i32::from(10_u8.saturating_sub(level)) };
        let limits = Limits {
            nodes,
            time: arguments.time.map(Duration::from_millis),
            lines: if carelessness > 0 { 6 } else { 1 },
            ..Limits::default()
        };
        Ok(Self { player: game.player(arguments.weights.file.as_deref())?, limits, carelessness })
    }

    fn choose(&mut self, record: &Record, random: &mut Xoshiro256PlusPlus) -> Option<Move> {
        let report = self.player.choose(record, &self.limits);
        let best = report.value();
        // Who wins or loses by force is not careless.
        let careless = best.points().map_or(0, |_| self.carelessness);
        let worst = best.number() - careless;
        let good: Vec<_> = report.lines.iter().filter(|line| line.value.number() >= worst).collect();
        let pick = random.next_u64().checked_rem(good.len() as u64)?;
        if careless == 0 {
            return report.best();
        }
        good.get(pick as usize)?.moves.first().copied()
    }
}

/// What the engine thinks of a position, whoever plays.
///
/// # Errors
/// If the weights can't be read or do not fit.
pub fn advice(game: &Game, weights: Option<&Path>, lines: usize) -> Result<Report, Failure> {
    let mut player = game.player(weights)?;
    Ok(player.choose(&game.record, &Limits { lines, ..Limits::time(Duration::from_secs(1)) }))
}
