//! Solves chess problems of any variant: direct mates with tries, set play and variations, selfmates,
//! helpmates, series-helpmates and shortest proof games. All solutions are found, cooks too.
//!
//! Stands on [`alice_core::Walk`]. Must not know any variant, nor files or terminals. How each kind of
//! problem is searched is told in docs/solving.md.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use alice_problems::{Options, Problem, Solution, Stipulation, Watch, solve};
//!
//! let chess = alice_config::load("chess")?.variant;
//! let setup = chess.read_setup("7k/8/5K2/8/8/8/8/R7 w -")?;
//! let two = Stipulation::read("#2").map_err(|fault| fault.problem)?;
//! let problem = Problem::new(&chess, setup, two)?;
//! let solution = solve(&problem, &Options::default(), &Watch::default());
//! let text = solution.text(&problem);
//! assert_eq!(text, "1.Kg6! (2.Ra8#)\n1.Kf7! (2.Rh1#)\n2 keys.\n");
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod battle;
mod distance;
mod help;
mod popeye;
mod problem;
mod proof;
mod share;
mod stipulation;
mod table;
mod text;
mod watch;

pub use battle::{Attack, Battle, Defence, Reply};
pub use help::Lines;
pub use popeye::{Entry, read_popeye};
pub use problem::{Problem, castling_at_home};
pub use stipulation::{Goal, Play, Stipulation};
pub use text::{AttackReport, ReplyReport, Report, SetPlay};
pub use watch::Watch;

/// What is asked of a solver besides the stipulation.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Also first moves that only one reply refutes. Direct play and selfmates only.
    pub tries: bool,
    /// Also what would happen if the other side began.
    pub set_play: bool,
    /// What follows each key and try. Otherwise only those are found.
    pub variations: bool,
    /// How many threads work.
    pub threads: usize,
    /// After so many lines a search for help-mates or proof games stops.
    pub most: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { tries: false, set_play: false, variations: true, threads: 1, most: 100_000 }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub enum Solution {
    /// Of a problem where the sides fight.
    Battle(Battle),
    /// Of a problem where they help each other.
    Lines(Lines),
}

impl Solution {
    /// Whether all was searched: it was not stopped, nor did it find too much.
    pub fn complete(&self) -> bool {
        match self {
            Self::Battle(battle) => battle.complete,
            Self::Lines(lines) => lines.complete,
        }
    }
}

/// Solves a problem. When it is stopped through the watch, gives what has been proved so far.
pub fn solve(problem: &Problem, options: &Options, watch: &Watch) -> Solution {
    match problem.stipulation().play {
        Play::Direct | Play::SelfPlay => Solution::Battle(battle::solve(problem, options, watch)),
        Play::Help | Play::SeriesHelp => Solution::Lines(help::solve(problem, options, watch)),
        Play::ProofGame => Solution::Lines(proof::solve(problem, options, watch)),
    }
}
