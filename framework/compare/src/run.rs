//! Plays the games that are missing, on as many threads as asked for; what comes out does not depend on how
//! many.
//!
//! Must not know what is measured.

use crate::crew::share_out;
use crate::folder::{Folder, FolderError};
use crate::game::{Game, Settings, play};
use alice_core::Variant;
use alice_play::{Player, Stop};
use std::collections::BTreeMap;

/// Which part of the games is played: those whose number leaves `part - 1` when divided by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    pub part: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    fn has(self, number: u64) -> bool {
        number % self.of == self.part - 1
    }
}

/// What is to be played.
pub struct Run<'a> {
    /// The variants and their names.
    pub variants: &'a [(String, Variant)],
    /// How each game is played.
    pub settings: Settings,
    /// How many games a variant.
    pub games: u64,
    /// Which of them here.
    pub shard: Shard,
    /// On how many threads.
    pub threads: usize,
    /// Makes the player of a variant, for each thread one.
    pub player: &'a (dyn Fn(usize) -> Player + Sync),
    /// Asked after each game whether the rules of that variant have kept their promises; if not, the game is
    /// left out and the run ends.
    pub sound: &'a (dyn Fn(usize) -> bool + Sync),
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Games finished, those of earlier runs included.
    pub done: usize,
    /// All games of this part.
    pub all: usize,
}

/// Plays whatever games are missing, and adds each to the folder (if there is one) and to `games` as soon as it
/// is finished. Ends early when stopped; unfinished games are left out.
///
/// # Errors
/// If a game can't be written. Those before it are kept.
pub fn run(
    run: &Run,
    folder: &mut Option<Folder>,
    games: &mut BTreeMap<(usize, u64), Game>,
    stop: &Stop,
    tell: &mut dyn FnMut(Progress),
) -> Result<(), FolderError> {
    // All variants' first games, then their second ones: what is there of a run that was broken off compares.
    let numbers = (0..run.games).filter(|number| run.shard.has(*number));
    let wanted: Vec<_> =
        numbers.flat_map(|number| (0..run.variants.len()).map(move |variant| (variant, number))).collect();
    let missing: Vec<_> = wanted.iter().copied().filter(|key| !games.contains_key(key)).collect();
    let mut progress = Progress { done: wanted.len() - missing.len(), all: wanted.len() };
    tell(progress);
    let begin = || -> Vec<Option<Player>> { run.variants.iter().map(|_| None).collect() };
    let work = |players: &mut Vec<Option<Player>>, &(variant, number): &(usize, u64)| {
        let (name, rules) = &run.variants[variant];
        let player = players[variant].get_or_insert_with(|| (run.player)(variant));
        let game = play(name, rules, number, &run.settings, player, stop)?;
        if !(run.sound)(variant) {
            stop.raise();
            return None;
        }
        Some(((variant, number), game))
    };
    let mut take = |(key, game): ((usize, u64), Game)| {
        if let Some(folder) = folder {
            folder.add(&game).inspect_err(|_| stop.raise())?;
        }
        games.insert(key, game);
        progress.done += 1;
        tell(progress);
        Ok(())
    };
    share_out(&missing, run.threads, &begin, &work, &mut take)
}
