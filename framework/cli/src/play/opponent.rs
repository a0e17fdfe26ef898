//! The program's own players: one that moves at random, one that grabs what it can, and the engine.

use crate::arguments::{self, Opponent};
use crate::explain::captured;
use crate::failure::Failure;
use crate::game::Game;
use alice_core::reference::Reference;
use alice_core::*;
use alice_play::{Limits, Report};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::path::Path;
use std::time::Duration;

/// A player of the program.
pub struct Player {
    kind: Opponent,
    random: Xoshiro256PlusPlus,
    worth: Vec<u32>,
    engine: Engine,
}

impl Player {
    /// A player of a variant. The same seed makes the same choices.
    pub fn new(kind: Opponent, game: &Game, seed: u64, arguments: &arguments::Play) -> Result<Self, Failure> {
        let variant = &game.config.variant;
        let kinds = 0..variant.rules().men.len();
        let worth = kinds.map(|n| mobility(variant.rules(), variant.reference(), Kind(n as u8))).collect();
        Ok(Self {
            kind,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            worth,
            engine: Engine::new(game, arguments)?,
        })
    }

    /// Its move; none if there is none.
    pub fn choose(&mut self, record: &Record) -> Option<Move> {
        if self.kind == Opponent::Engine {
            return self.engine.choose(record, &mut self.random);
        }
        let position = record.position();
        let mut moves = position.legal_moves();
        // The engine's order is its own business; the choice must not depend on it.
        moves.sort_by_cached_key(|m| m.exact(position.rules()));
        if self.kind == Opponent::Greedy {
            let gains: Vec<u64> = moves.iter().map(|mv| self.gain(position, mv)).collect();
            let best = gains.iter().max().copied();
            let mut gains = gains.iter();
            moves.retain(|_| gains.next().copied() == best);
        }
        let pick = self.random.next_u64().checked_rem(moves.len() as u64)?;
        moves.get(pick as usize).copied()
    }

    /// What a move brings at once.
    fn gain(&self, position: &Position, mv: &Move) -> u64 {
        let after = position.after(mv);
        if matches!(after.outcome(), Some(Outcome::Mate { .. })) {
            return u64::MAX;
        }
        let worth = |kind: Kind| u64::from(self.worth[kind.index()]);
        let prey = captured(position, &after).map_or(0, |(_, man)| worth(man.kind));
        let grown = mv.promotion.zip(position.man(mv.start()));
        prey + grown.map_or(0, |(new, old)| worth(new).saturating_sub(worth(old.kind)))
    }
}

/// What a kind of man is worth: how many cells it reaches on an empty board, from all cells together.
fn mobility(rules: &Rules, reference: &Reference, kind: Kind) -> u32 {
    let movement = reference.movement(kind);
    let reached = |cell: Cell| {
        let alone = Wide::of(cell);
        let all = movement.quiet(cell, Colour::White, alone) | movement.attacks(cell, Colour::White, alone);
        (all & Wide::first_n(rules.shape.cells()) & !alone).count()
    };
    rules.shape.all().map(reached).sum()
}

/// The engine, as strong as somebody wants it to be.
struct Engine {
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
