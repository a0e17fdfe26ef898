//! The moves of one position in the order in which they are to be tried.
//!
//! Must not know what makes a move promising.

use alice_core::Move;

/// What is to be looked at next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The move that was best before.
    #[default]
    First,
    /// Captures and promotions have to be listed.
    Captures,
    /// Those that lose nothing.
    Good,
    /// Quiet moves that were good in a sister position, from this one on.
    Killers(usize),
    /// All other quiet moves have to be listed.
    Quiets,
    /// All moves have to be listed at once.
    All,
    /// Captures and promotions have to be listed, and nothing else is wanted.
    Only,
    /// Whatever is left, the best first.
    Rest,
}

/// No move is as bad: the place of one that was taken.
const TAKEN: i64 = i64::MIN;

/// The moves that are left. It keeps its room from position to position.
#[derive(Default)]
pub(crate) struct Queue {
    pub(crate) stage: Stage,
    /// The move that was best before, if it is legal.
    pub(crate) first: Option<Move>,
    /// What comes after the first move: captures, or all moves.
    pub(crate) then: Stage,
    moves: Vec<Move>,
    /// What each promises, and below that its number, so that the largest says it all and moves alike come
    /// in the order of listing.
    keys: Vec<i64>,
}

impl Queue {
    /// Empties it.
    pub(crate) fn begin(&mut self, first: Option<Move>, then: Stage) {
        self.moves.clear();
        self.keys.clear();
        (self.stage, self.first, self.then) = (Stage::First, first, then);
    }

    /// Lets moves be listed, and gives each what it promises, or takes it out.
    pub(crate) fn fill(&mut self, list: impl FnOnce(&mut Vec<Move>), promise: impl Fn(&Move) -> Option<i32>) {
        list(&mut self.moves);
        for (n, mv) in self.moves.iter().enumerate().skip(self.keys.len()) {
            self.keys.push(promise(mv).map_or(TAKEN, |score| key(score, n)));
        }
    }

    /// Takes the move that promises the most: its number, itself and its promise.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<(usize, Move, i32)> {
        let best = self.keys.iter().fold(TAKEN, |best, key| best.max(*key));
        if best == TAKEN {
            return None;
        }
        let n = usize::from(u16::MAX - best as u16);
        self.keys[n] = TAKEN;
        Some((n, self.moves[n], (best >> 16) as i32))
    }

    /// Puts a move back that promises this.
    pub(crate) fn put_back(&mut self, n: usize, score: i32) {
        self.keys[n] = key(score, n);
    }

    /// Drops all moves that promise more than this.
    pub(crate) fn drop_above(&mut self, score: i32) {
        for key in &mut self.keys {
            if *key >> 16 > i64::from(score) {
                *key = TAKEN;
            }
        }
    }
}

fn key(score: i32, n: usize) -> i64 {
    i64::from(score) << 16 | i64::from(u16::MAX - n as u16)
}
