//! A player of one variant: what others call.
//!
//! Must not know how a search is done.

use crate::evaluation::Evaluation;
use crate::limits::Limits;
use crate::search::{Search, Shared};
use crate::table::Memory;
use crate::value::Value;
use crate::weights::{Weights, WeightsError};
use alice_core::{Move, Record, Variant};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

/// What a search has found out.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The best lines, the best first: as many as were asked for, as far as there are moves.
    pub lines: Vec<Line>,
    /// To which depth all moves were searched.
    pub depth: u32,
    /// The most plies that were looked ahead.
    pub deepest: u32,
    /// How many positions were seen.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub table: u32,
}

/// A move and what is expected to follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What it is worth to the side that moves.
    pub value: Value,
    /// The move, and what both sides do best then.
    pub moves: Vec<Move>,
}

impl Report {
    /// The best move; none if there is no legal move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// The reply that is expected.
    pub fn expected(&self) -> Option<Move> {
        self.lines.first()?.moves.get(1).copied()
    }

    /// What the position is worth to the side to move.
    pub fn value(&self) -> Value {
        self.lines.first().map_or(Value::default(), |line| line.value)
    }
}

/// How many bytes a table has unless somebody says otherwise.
const TABLE: usize = 16 << 20;

/// Plays one variant. It remembers from move to move what it has found out.
pub struct Player {
    variant: Variant,
    weights: Weights,
    evaluation: Evaluation,
    memory: Memory,
    threads: usize,
    passes: bool,
}

impl Player {
    /// A player with the weights that follow from the rules.
    pub fn new(variant: &Variant) -> Self {
        Self::build(variant, Weights::of_rules(variant.rules()))
    }

    /// A player with weights of somebody's choice.
    ///
    /// # Errors
    /// If the weights do not fit the variant.
    pub fn with_weights(variant: &Variant, weights: Weights) -> Result<Self, WeightsError> {
        weights.check(variant.rules())?;
        Ok(Self::build(variant, weights))
    }

    fn build(variant: &Variant, weights: Weights) -> Self {
        Self {
            evaluation: Evaluation::new(variant.rules(), &weights),
            variant: variant.clone(),
            weights,
            memory: Memory::new(TABLE),
            threads: 1,
            passes: true,
        }
    }

    /// The variant it plays.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The weights it judges by.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Gives it so much memory, and empties it.
    pub fn set_memory(&mut self, bytes: usize) {
        // Never both at once: they may be large.
        self.memory = Memory::new(0);
        self.memory = Memory::new(bytes);
    }

    /// Lets it think with so many threads.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Whether it may leave moves out that it would not need even if the other side moved twice; it may
    /// unless told otherwise.
    pub fn set_passes(&mut self, passes: bool) {
        self.passes = passes;
    }

    /// Forgets all it has found out, so that it plays as if it were new.
    pub fn forget(&mut self) {
        self.memory.clear();
    }

    /// Its move in a game of its variant, with the reasons.
    ///
    /// The report has no lines if there is no legal move. A game that is over by a draw is gone on with.
    pub fn choose(&mut self, record: &Record, limits: &Limits) -> Report {
        self.think(record, limits, &mut |_| {})
    }

    /// The same, with a report after each iteration.
    pub fn think(&mut self, record: &Record, limits: &Limits, tell: &mut dyn FnMut(&Report)) -> Report {
        self.memory.grow_older();
        let shared = Shared {
            table: self.memory.table(),
            evaluation: &self.evaluation,
            limits,
            began: Instant::now(),
            threads: self.threads,
            passes: self.passes,
            nodes: AtomicU64::new(0),
            over: AtomicBool::new(false),
        };
        let (position, before) = (record.position(), hashes_before(record));
        if self.threads == 1 {
            return Search::new(&shared, position, &before).run(0, tell);
        }
        std::thread::scope(|scope| {
            for thread in 1..self.threads {
                let (shared, before, position) = (&shared, &before, position.clone());
                // Where no thread can be started, there is one helper less.
                let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
                    Search::new(shared, &position, before).run(thread, &mut |_| {})
                });
            }
            Search::new(&shared, position, &before).run(0, tell)
        })
    }
}

/// The hashes of the positions before the one now, as far back as one of them could come again.
fn hashes_before(record: &Record) -> Vec<u64> {
    let mut walk = record.start().walk();
    let mut hashes = Vec::new();
    for mv in record.moves() {
        hashes.push(walk.hash());
        walk.play(mv);
    }
    let recent = usize::from(record.position().halfmoves()).min(hashes.len());
    hashes.split_off(hashes.len() - recent)
}
