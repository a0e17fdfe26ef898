//! The program's own players: one that moves at random, one that grabs what it can.

use crate::arguments::Opponent;
use crate::explain::captured;
use alice_core::reference::Reference;
use alice_core::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A player of the program.
pub struct Player {
    kind: Opponent,
    random: Xoshiro256PlusPlus,
    worth: Vec<u32>,
}

impl Player {
    /// A player of a variant. The same seed makes the same choices.
    pub fn new(kind: Opponent, variant: &Variant, seed: u64) -> Self {
        let kinds = 0..variant.rules().men.len();
        let worth = kinds.map(|n| mobility(variant.rules(), variant.reference(), Kind(n as u8))).collect();
        Self { kind, random: Xoshiro256PlusPlus::seed_from_u64(seed), worth }
    }

    /// Its move; none if there is none.
    pub fn choose(&mut self, position: &Position) -> Option<Move> {
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
