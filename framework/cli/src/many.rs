//! What commands that play many games have in common: variants with weights and somebody who watches over their
//! rules, how many threads, a bar, an end on Ctrl-C.
//!
//! Must not know what the games are played for.

use crate::arguments::Many;
use crate::code::Code;
use crate::failure::{Failure, complain};
use crate::game::load;
use crate::weights::weights;
use alice_compare::{BadGame, ContestError, FolderError, Progress, damaged, fingerprint};
use alice_config::Config;
use alice_host::Guard;
use alice_play::{Stop, Weights};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How many bytes the player of each thread may remember with. Part of what makes games repeatable.
pub const MEMORY: usize = 8 << 20;

/// A variant, by which weights it is played, and who watches over its rules.
pub struct Contender {
    pub config: Config,
    pub weights: Weights,
    pub guard: Arc<Guard>,
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        Self::BadInput(format!("error: {error}"))
    }
}

/// Reads variants, each of which must have a name of its own and something to do.
/// Untuned, they are judged by what follows from their rules.
pub fn contenders(
    variants: &[String],
    code: &Code,
    to: &str,
    untuned: bool,
) -> Result<Vec<Contender>, Failure> {
    let mut found: Vec<Contender> = Vec::new();
    for variant in variants {
        let (config, guard) = load(variant, code)?;
        if let Some(n) = found.iter().position(|known| known.config.name == config.name) {
            return Err(Failure::BadInput(format!(
                "error: {} and {variant} are both called {}; name each variant once, or rename a file",
                variants[n], config.name
            )));
        }
        over_at_once(&config, to)?;
        let weights = match untuned {
            true => Weights::of_rules(config.variant.rules()),
            false => weights(&config, variant, None)?,
        };
        found.push(Contender { config, weights, guard });
    }
    Ok(found)
}

/// Refuses variants in which there is nothing to play.
pub fn over_at_once(config: &Config, to: &str) -> Result<(), Failure> {
    match config.variant.start().outcome() {
        None => Ok(()),
        Some(_) => Err(Failure::BadInput(format!(
            "error: a game of {} is over before its first move; there is nothing to {to}",
            config.name
        ))),
    }
}

/// Refuses limits within which nothing is played.
pub fn possible(many: &Many) -> Result<(), Failure> {
    let Many { openings, longest, .. } = many;
    match longest > openings {
        true => Ok(()),
        false => Err(Failure::BadInput(format!(
            "error: --longest {longest} leaves nothing to play after --openings {openings}; make it larger"
        ))),
    }
}

/// What becomes of the games that are finished, where a run ends early.
pub fn kept(done: usize, all: usize, folder: Option<&Path>) -> String {
    let kept = match folder {
        Some(path) => format!("kept in {}; the same command goes on with them", path.display()),
        None => "lost; with --out DIR they are kept".into(),
    };
    format!("{done} of {all} games are finished, {kept}")
}

/// A game of one of these folders that can't be counted, with its line.
pub fn told<'a>(bad: &BadGame, folders: impl IntoIterator<Item = &'a Path>) -> Failure {
    match folders.into_iter().find_map(|folder| damaged(folder, bad)) {
        Some(error) => error.into(),
        None => Failure::BadInput(format!("error: {bad}")),
    }
}

/// Why a contest ended without a result, whose games are in a folder.
pub fn contest_failure(error: ContestError, folder: Option<&Path>) -> Failure {
    match error {
        ContestError::Bad(bad) => told(&bad, folder),
        error => Failure::BadInput(format!("error: {error}")),
    }
}

/// Tells who can't know it that games (or what is called so) are the same move for move: they count as if they were
/// independent.
pub fn warn_of_doubles<'a>(games: &str, name: &str, of: impl Iterator<Item = &'a str>) {
    let all: Vec<&str> = of.collect();
    let different = all.iter().collect::<BTreeSet<_>>().len();
    // A few short games may well be alike.
    if (all.len() - different) * 20 > all.len() {
        complain(&format!(
            "warning: the {} {games} of {name} are only {different} different ones, and intervals take all for \
             independent; let more plies be drawn by lot, with --openings",
            all.len()
        ));
    }
}

/// What tells a variant's rules, and the player's judgement of them, from others.
pub fn rules(config: &Config, weights: &Weights) -> String {
    let needs = config.needs.iter().map(|n| format!("{} {} {:?} {}", n.id, n.version, n.rule, n.parameters));
    fingerprint(&config.variant, &(needs.collect::<String>() + &format!("{weights:?}")))
}

impl Contender {
    /// Judges it by what follows from its rules.
    pub fn untune(&mut self) {
        self.weights = Weights::of_rules(self.config.variant.rules());
    }

    /// As [`rules`].
    pub fn rules(&self) -> String {
        rules(&self.config, &self.weights)
    }
}

/// A flag that goes up when the user interrupts the command.
pub fn stop_when_interrupted() -> Result<Stop, Failure> {
    let stop = Stop::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        // Whoever asks twice does not want to wait.
        if raised.is_raised() {
            std::process::exit(130);
        }
        raised.raise();
    })
    .map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(stop)
}

/// How many threads work: as many as there are cores, unless somebody says how many.
pub fn threads(many: &Many) -> usize {
    many.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Shows how far a run has come; `first` in its course.
pub fn show(bar: &ProgressBar, first: bool, progress: Progress) {
    bar.set_length(progress.all as u64);
    bar.set_position(progress.done as u64);
    if first {
        // The rate is that of this run.
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(500));
    }
}

/// Shown on the standard error where somebody sees it.
pub fn bar() -> ProgressBar {
    let template = "{bar:30} {pos} of {len} games, {per_sec}, {eta} left {msg}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::no_length().with_style(style)
}
