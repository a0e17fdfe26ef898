//! What is measured of a variant's games: each measure with its name, its meaning in a line, and how it comes
//! from the facts of games.
//!
//! Must not know variants or where games come from. Formulas and sources are in `docs/measures.md`.

use crate::estimate::Estimate;
use crate::facts::Facts;
use crate::game::Ending;
use alice_core::Colour;

/// How a number is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A share, in per cent.
    Share,
    /// A number, with so many digits after the point.
    Number(usize),
}

impl Unit {
    /// A number of this unit as people write it.
    pub fn write(self, value: f64) -> String {
        match self {
            _ if !value.is_finite() => "?".into(),
            Self::Share => format!("{:.1} %", 100.0 * value),
            Self::Number(digits) => format!("{value:.digits$}"),
        }
    }
}

/// One measure.
pub struct Measure {
    /// Its name in files.
    pub key: &'static str,
    /// Its name for people.
    pub title: &'static str,
    pub unit: Unit,
    /// What it says, in a line.
    pub meaning: &'static str,
    pub of: fn(&[Facts]) -> Option<Estimate>,
}

fn share(facts: &[Facts], hit: impl Fn(&Facts) -> bool) -> Option<Estimate> {
    Estimate::share(facts.iter().filter(|f| hit(f)).count(), facts.len())
}

fn ended(facts: &[Facts], ending: Ending) -> Option<Estimate> {
    share(facts, |f| f.ending == ending)
}

/// The mean over games of a number at least 0.
fn mean(facts: &[Facts], of: impl Fn(&Facts) -> Option<f64>) -> Option<Estimate> {
    Estimate::mean_within(&facts.iter().filter_map(of).collect::<Vec<_>>(), 0.0, f64::INFINITY)
}

/// The mean over games of how many there are for each ply that was not drawn by lot.
fn per_ply(facts: &[Facts], of: impl Fn(&Facts) -> f64) -> Option<Estimate> {
    mean(facts, |f| (!f.legal.is_empty()).then(|| of(f) / f.legal.len() as f64))
}

fn plies(facts: &[Facts], share: f64) -> Option<Estimate> {
    let plies: Vec<f64> = facts.iter().map(|f| f.plies as f64).collect();
    Some(Estimate::quantile(&plies, share)?.within(0.0, f64::INFINITY))
}

/// All measures, in the order in which they are shown.
pub const MEASURES: &[Measure] = &[
    Measure {
        key: "first-player",
        title: "score of White",
        unit: Unit::Share,
        meaning: "points that White makes of each game: 50 % is fair",
        of: |facts| {
            let points = facts.iter().map(|f| match f.winner {
                Some(Colour::White) => 1.0,
                Some(Colour::Black) => 0.0,
                None => 0.5,
            });
            Estimate::mean_part(&points.collect::<Vec<_>>())
        },
    },
    Measure {
        key: "decisive",
        title: "decisive games",
        unit: Unit::Share,
        meaning: "games that somebody wins",
        of: |facts| share(facts, |f| f.winner.is_some()),
    },
    Measure {
        key: "mate",
        title: "ended by mate",
        unit: Unit::Share,
        meaning: "games that end by mate",
        of: |facts| ended(facts, Ending::Mate),
    },
    Measure {
        key: "stalemate",
        title: "ended by stalemate",
        unit: Unit::Share,
        meaning: "games in which the side to move has no move and is not in check",
        of: |facts| ended(facts, Ending::Stalemate),
    },
    Measure {
        key: "repetition",
        title: "ended by repetition",
        unit: Unit::Share,
        meaning: "games that go round in circles",
        of: |facts| ended(facts, Ending::Repetition),
    },
    Measure {
        key: "no-progress",
        title: "ended without progress",
        unit: Unit::Share,
        meaning: "games with too many moves without capture or pawn move",
        of: |facts| ended(facts, Ending::NoProgress),
    },
    Measure {
        key: "bare-kings",
        title: "ended with bare kings",
        unit: Unit::Share,
        meaning: "games in which everything is captured",
        of: |facts| ended(facts, Ending::BareKings),
    },
    Measure {
        key: "length",
        title: "broken off",
        unit: Unit::Share,
        meaning: "games longer than the limit; they count as draws",
        of: |facts| ended(facts, Ending::Length),
    },
    Measure {
        key: "plies-10",
        title: "plies, shortest tenth",
        unit: Unit::Number(0),
        meaning: "a tenth of the games is shorter",
        of: |facts| plies(facts, 0.1),
    },
    Measure {
        key: "plies",
        title: "plies, median",
        unit: Unit::Number(0),
        meaning: "half of the games are shorter",
        of: |facts| plies(facts, 0.5),
    },
    Measure {
        key: "plies-90",
        title: "plies, longest tenth",
        unit: Unit::Number(0),
        meaning: "a tenth of the games is longer",
        of: |facts| plies(facts, 0.9),
    },
    Measure {
        key: "legal-moves",
        title: "legal moves",
        unit: Unit::Number(1),
        meaning: "how many moves there are to choose from, on average",
        of: |facts| per_ply(facts, |f| f.legal.iter().map(|n| f64::from(*n)).sum()),
    },
    Measure {
        key: "decisions",
        title: "decisions",
        unit: Unit::Share,
        meaning: "moves at which there was anything to choose",
        of: |facts| per_ply(facts, |f| f.legal.iter().filter(|n| **n > 1).count() as f64),
    },
    Measure {
        key: "complexity",
        title: "game-tree complexity",
        unit: Unit::Number(1),
        meaning: "digits of the number of games that such choices make",
        of: |facts| mean(facts, |f| Some(f.legal.iter().map(|n| f64::from((*n).max(1)).log10()).sum())),
    },
    Measure {
        key: "choice",
        title: "opening entropy",
        unit: Unit::Number(2),
        meaning: "bits of choice in the opening: each one doubles the moves that are about as good as the best",
        of: |facts| mean(facts, |f| Some(f.choice)),
    },
    Measure {
        key: "captures",
        title: "captures",
        unit: Unit::Share,
        meaning: "moves that capture",
        of: |facts| per_ply(facts, |f| f.captures as f64),
    },
    Measure {
        key: "checks",
        title: "checks",
        unit: Unit::Share,
        meaning: "moves that give check",
        of: |facts| per_ply(facts, |f| f.checks as f64),
    },
    Measure {
        key: "lead-changes",
        title: "lead changes",
        unit: Unit::Number(2),
        meaning: "how often in a game the lead goes over to the other side",
        of: |facts| mean(facts, |f| Some(f.lead_changes as f64)),
    },
    Measure {
        key: "drama",
        title: "drama",
        unit: Unit::Number(3),
        meaning: "how far, and for how long, winners had been behind: 0 never, 1 hopelessly all the time",
        of: |facts| mean(facts, |f| f.drama),
    },
    Measure {
        key: "transfers",
        title: "transfers",
        unit: Unit::Share,
        meaning: "moves that end on another board than they began",
        of: |facts| per_ply(facts, |f| f.transfers as f64),
    },
    Measure {
        key: "away",
        title: "men away from A",
        unit: Unit::Share,
        meaning: "share of the men that stand on another board than A, over the plies of a game",
        of: |facts| {
            let away =
                |men: &Vec<u32>| f64::from(men[1..].iter().sum::<u32>()) / f64::from(men.iter().sum::<u32>());
            mean(facts, |f| {
                (!f.men.is_empty()).then(|| f.men.iter().map(away).sum::<f64>() / f.men.len() as f64)
            })
        },
    },
    Measure {
        key: "lost",
        title: "lost to occupied twins",
        unit: Unit::Share,
        meaning: "arrivals that movement allows and the looking-glass forbids",
        of: |facts| mean(facts, |f| (f.arrivals > 0).then(|| f.lost as f64 / f.arrivals as f64)),
    },
    Measure {
        key: "mates-of-both",
        title: "mates by two boards",
        unit: Unit::Share,
        meaning: "mates that need the winner's men of two boards or more",
        of: |facts| {
            let mates: Vec<bool> = facts.iter().filter_map(|f| f.needs_both).collect();
            Estimate::share(mates.iter().filter(|both| **both).count(), mates.len())
        },
    },
    Measure {
        key: "zero-moves",
        title: "zero moves",
        unit: Unit::Number(2),
        meaning: "zero moves in a game",
        of: |facts| mean(facts, |f| Some(f.zero_moves as f64)),
    },
];

/// Curves are drawn as far as so many games go.
fn enough(facts: &[Facts]) -> usize {
    (facts.len() / 4).max(1)
}

/// The mean number of legal moves at the two plies of each move, but those drawn by lot, as far as a quarter of
/// the games go. One side's moves are often more than the other's, which would hide the rest.
pub fn legal_by_ply(facts: &[Facts]) -> Vec<(usize, f64)> {
    let most = facts.iter().map(|f| f.plies).max().unwrap_or(0);
    let at = |ply: usize| {
        let both = |f: &Facts| {
            let first = ply.checked_sub(f.drawn)?;
            Some(f64::from(f.legal.get(first)? + f.legal.get(first + 1)?) / 2.0)
        };
        let moves: Vec<f64> = facts.iter().filter_map(both).collect();
        (moves.len() >= enough(facts)).then(|| (ply, moves.iter().sum::<f64>() / moves.len() as f64))
    };
    (0..most).step_by(2).filter_map(at).collect()
}

/// For each board, the share of the men on it after each ply, as far as a quarter of the games go.
pub fn men_by_ply(facts: &[Facts], boards: usize) -> Vec<Vec<f64>> {
    let most = facts.iter().map(|f| f.plies).max().unwrap_or(0);
    let mut curves = vec![Vec::new(); boards];
    for ply in 0..most {
        let there: Vec<&Vec<u32>> = facts.iter().filter_map(|f| f.men.get(ply)).collect();
        if there.len() < enough(facts) {
            break;
        }
        for (board, curve) in curves.iter_mut().enumerate() {
            let share = |men: &&Vec<u32>| f64::from(men[board]) / f64::from(men.iter().sum::<u32>());
            curve.push(there.iter().map(share).sum::<f64>() / there.len() as f64);
        }
    }
    curves
}
