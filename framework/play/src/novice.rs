//! Players that do not look ahead: measures for those that do.
//!
//! Must not know how one looks ahead.

use alice_core::{CellSet, Colour, Kind, Move, Outcome, Position, Record, Variant, Walk, Wide};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::fmt;

/// How a novice plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Any legal move.
    Random,
    /// Mate if it sees it, else the most valuable capture or promotion, else any move.
    Greedy,
}

/// `random`, `greedy`.
impl fmt::Display for Manner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
        })
    }
}

/// A player that sees what a move brings at once, at most.
#[derive(Clone, Debug)]
pub struct Novice {
    manner: Manner,
    /// By kind: how many cells it reaches on an empty board, from all cells together.
    worth: Vec<u32>,
    random: Xoshiro256PlusPlus,
}

impl Novice {
    /// A novice at a variant. The same seed makes the same choices.
    pub fn new(manner: Manner, variant: &Variant, seed: u64) -> Self {
        let rules = variant.rules();
        let worth = |kind: usize| -> u32 {
            let movement = rules.man(Kind(kind as u8)).movement.wide();
            let reached = |cell| {
                let alone = Wide::of(cell);
                let all =
                    movement.quiet(cell, Colour::White, alone) | movement.attacks(cell, Colour::White, alone);
                (all & Wide::first_n(rules.shape.cells()) & !alone).count()
            };
            rules.shape.all().map(reached).sum()
        };
        let worth = (0..rules.men.len()).map(worth).collect();
        Self { manner, worth, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// Makes the choices that a new one makes with this seed.
    pub fn reseed(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    /// Its move; none if there is none.
    pub fn choose(&mut self, record: &Record) -> Option<Move> {
        let position = record.position();
        let mut moves = position.legal_moves();
        // The engine's order is its own business; the choice must not depend on it.
        moves.sort_by_cached_key(|m| m.exact(position.rules()));
        if self.manner == Manner::Greedy {
            let walk = position.walk();
            let gains: Vec<u64> = moves.iter().map(|mv| self.gain(position, &walk, mv)).collect();
            let best = gains.iter().max().copied();
            let mut gains = gains.iter();
            moves.retain(|_| gains.next().copied() == best);
        }
        let pick = self.random.next_u64().checked_rem(moves.len() as u64)?;
        moves.get(pick as usize).copied()
    }

    /// What a move brings at once.
    fn gain(&self, position: &Position, walk: &Walk, mv: &Move) -> u64 {
        if matches!(position.after(mv).outcome(), Some(Outcome::Mate { .. })) {
            return u64::MAX;
        }
        let worth = |kind: Kind| u64::from(self.worth[kind.index()]);
        let prey = walk.captured(mv).map_or(0, |man| worth(man.kind));
        let grown = mv.promotion.zip(position.man(mv.start()));
        prey + grown.map_or(0, |(new, old)| worth(new).saturating_sub(worth(old.kind)))
    }
}
