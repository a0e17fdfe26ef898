//! What games between two players come to: points, Elo, and whether the first is the stronger one.
//!
//! Must not know how games are played. Formulas and sources are in `docs/strength.md`.

use crate::estimate::Estimate;
use crate::game::Ending;
use serde::Serialize;
use std::collections::BTreeMap;

/// What games between two players come to, as the first of the two sees it. They are counted in pairs: the same
/// opening twice, with colours changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Tally {
    /// Games that the first player won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// In how many pairs of games it got 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
    /// How games ended, and how many so.
    pub endings: BTreeMap<Ending, u64>,
}

impl Tally {
    /// Adds a pair of games: the half points that the first player got of each, and how they ended.
    pub fn add(&mut self, pair: [(u8, Ending); 2]) {
        for (halves, ending) in pair {
            match halves {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
            *self.endings.entry(ending).or_default() += 1;
        }
        let halves = pair.iter().map(|(halves, _)| usize::from(*halves)).sum::<usize>();
        self.pairs[halves.min(4)] += 1;
    }

    /// Adds all pairs of another one.
    pub fn add_all(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (mine, others) in self.pairs.iter_mut().zip(other.pairs) {
            *mine += others;
        }
        for (ending, games) in &other.endings {
            *self.endings.entry(*ending).or_default() += games;
        }
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The part of all points that the first player got. None without games.
    pub fn score(&self) -> Option<Estimate> {
        let pairs: u64 = self.pairs.iter().sum();
        let score = Estimate::part(pairs as usize, self.mean()?, self.scatter() / (pairs as f64 - 1.0));
        Some(Estimate { count: self.games() as usize, ..score })
    }

    /// By how much the first player is the stronger one; without end on a side where it may win or lose
    /// everything. None without games.
    pub fn elo(&self) -> Option<Estimate> {
        let Estimate { value, low, high, count } = self.score()?;
        Some(Estimate { value: elo(value), low: elo(low), high: elo(high), count })
    }

    /// The mean over pairs of the part of the points that the first player got.
    fn mean(&self) -> Option<f64> {
        let pairs: u64 = self.pairs.iter().sum();
        (pairs > 0).then(|| parts(self.pairs).map(|(part, pairs)| part * pairs).sum::<f64>() / pairs as f64)
    }

    /// The sum over pairs of their squared distance from the mean.
    fn scatter(&self) -> f64 {
        let Some(mean) = self.mean() else { return 0.0 };
        parts(self.pairs).map(|(part, pairs)| (part - mean).powi(2) * pairs).sum()
    }
}

/// The parts of the points that one can get of a pair, and in how many pairs that was so.
fn parts(pairs: [u64; 5]) -> impl Iterator<Item = (f64, f64)> {
    [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().zip(pairs.map(|pairs| pairs as f64))
}

/// How many Elo points a part of the points is.
fn elo(part: f64) -> f64 {
    // So that even is 0, and not -0.
    if part == 0.5 { 0.0 } else { -400.0 * (1.0 / part - 1.0).log10() }
}

/// The part of the points that so many Elo points are.
fn part(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// A sequential probability ratio test: games are played until it is clear enough whether the first player is
/// stronger by `elo1` or only by `elo0`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why there is no such test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The two strengths can't be told apart, or are none.
    #[error("{0},{1} are not two Elo differences; the first must be smaller, both between -1000 and 1000")]
    Elo(f64, f64),
    /// The odds of an error are impossible.
    #[error("{0} and {1} can't be the odds of an error; they must be above 0 and below 0.5")]
    Odds(f64, f64),
}

impl Sprt {
    /// A test that takes the first player for stronger by `elo1` with odds `alpha` though it is so by `elo0`
    /// only, and the other way round with odds `beta`.
    ///
    /// # Errors
    /// Unless `-1000 <= elo0 < elo1 <= 1000` and both odds are above 0 and below 1/2.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let odds = |odds: f64| odds > 0.0 && odds < 0.5;
        if !(-1000.0 <= elo0 && elo0 < elo1 && elo1 <= 1000.0) {
            Err(SprtError::Elo(elo0, elo1))
        } else if !odds(alpha) || !odds(beta) {
            Err(SprtError::Odds(alpha, beta))
        } else {
            Ok(Self { elo0, elo1, alpha, beta })
        }
    }

    /// What it says of the games so far.
    pub fn test(&self, tally: &Tally) -> Tested {
        let (lower, upper) = ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln());
        let llr = match tally.mean() {
            None => 0.0,
            Some(mean) => {
                // A few pairs that happen to be alike must not be taken for pairs that are always so.
                let pairs = tally.pairs.iter().sum::<u64>() as f64;
                let variance = (tally.scatter() + MORE * EVEN) / (pairs + MORE);
                let (low, high) = (part(self.elo0), part(self.elo1));
                pairs * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
            }
        };
        let verdict = match llr {
            llr if llr >= upper => Verdict::Accepted,
            llr if llr <= lower => Verdict::Rejected,
            _ => Verdict::Undecided,
        };
        Tested { llr, lower, upper, verdict }
    }
}

/// The variance of the part that one gets of a pair's points, among equals who do not draw.
const EVEN: f64 = 0.125;
/// So many such pairs are added to those played when their variance is estimated. With fewer, tests of large
/// differences err more often than they should.
const MORE: f64 = 4.0;

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tested {
    /// The logarithm of the likelihood of the games if the first player is stronger by `elo1`, over that if it
    /// is so by `elo0`.
    pub llr: f64,
    /// At this number and below it, the test ends with [`Verdict::Rejected`].
    pub lower: f64,
    /// At this number and above it, the test ends with [`Verdict::Accepted`].
    pub upper: f64,
    /// What follows.
    pub verdict: Verdict,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The first player is stronger by `elo1`.
    Accepted,
    /// It is not: `elo0` is nearer.
    Rejected,
    /// More games are needed.
    Undecided,
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    fn tally(pairs: [u64; 5]) -> Tally {
        let mut tally = Tally::default();
        for (halves, pairs) in pairs.into_iter().enumerate() {
            for _ in 0..pairs {
                let first = halves.min(2) as u8;
                tally.add([(first, Ending::Mate), (halves as u8 - first, Ending::Length)]);
            }
        }
        tally
    }

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-4
    }

    #[test]
    fn points_are_counted_by_game_and_by_pair() {
        let tally = tally([1, 2, 3, 4, 5]);
        // Pairs of 1/2 and 3/2 points have a draw each; those of 1 are a win and a loss here.
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.games()), (17, 6, 7, 30));
        let score = tally.score().unwrap();
        // 2 * 1/2 + 3 + 4 * 3/2 + 5 * 2 = 20 of 30 points.
        assert!(near(score.value, 20.0 / 30.0) && score.count == 30, "{score:?}");
        assert_eq!(tally.endings[&Ending::Mate], 15);
        assert_eq!(Tally::default().score(), None);
    }

    #[test]
    fn elo_points_are_those_of_the_books() {
        // Three quarters of the points are 190.85 Elo, nothing is without end.
        let three_quarters = tally([0, 0, 1, 0, 1]).elo().unwrap();
        assert!(near(three_quarters.value, 190.8485), "{three_quarters:?}");
        assert_eq!(tally([0, 0, 7, 0, 0]).elo().unwrap().value, 0.0);
        let all = tally([0, 0, 0, 0, 40]).elo().unwrap();
        assert!(all.value == f64::INFINITY && all.high == f64::INFINITY, "{all:?}");
        // Wilson's interval of 40 of 40 begins at 40 / (40 + 3.84146): odds of 40 to 3.84146.
        assert!(near(all.low, 407.025_52), "{all:?}");
    }

    #[test]
    fn a_test_has_walds_bounds_and_the_ratio_of_normal_likelihoods() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap();
        let nothing = sprt.test(&Tally::default());
        assert!(near(nothing.upper, 2.944_439) && near(nothing.lower, -2.944_439) && nothing.llr == 0.0);
        // 100 pairs with mean 1/2: squared distances sum up to 7.5, so the variance is 8 / 104. Five Elo are
        // 0.507195 of the points: 100 * 0.007195 * (1 - 1.007195) / (2 * 0.076923).
        let even = sprt.test(&tally([10, 20, 40, 20, 10]));
        assert!(near(even.llr, -0.033_650) && even.verdict == Verdict::Undecided, "{even:?}");
        let better = Sprt::new(0.0, 50.0, 0.05, 0.05).unwrap().test(&tally([10, 20, 30, 25, 15]));
        assert!(near(better.llr, 0.139_498), "{better:?}");
        // Twelve pairs won are not enough to be sure of so small a difference, thirteen are.
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        assert_eq!(sprt.test(&tally([0, 0, 0, 0, 12])).verdict, Verdict::Undecided);
        assert_eq!(sprt.test(&tally([0, 0, 0, 0, 13])).verdict, Verdict::Accepted);
        assert_eq!(sprt.test(&tally([14, 0, 0, 0, 0])).verdict, Verdict::Rejected);
    }

    #[test]
    fn a_test_errs_as_seldom_as_it_says() {
        let sprt = Sprt::new(0.0, 60.0, 0.05, 0.1).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut accepted = |elo: f64| {
            let mut accepted = 0;
            for _ in 0..1_000 {
                let mut tally = Tally::default();
                let verdict = loop {
                    // A third of the games are drawn; the opening favours a side.
                    let favour = 0.2 * unit() - 0.1;
                    let mut game = |favour: f64| match unit() {
                        lot if lot < 1.0 / 3.0 => (1, Ending::Repetition),
                        _ => (
                            if unit() < 0.5 + 1.5 * (part(elo) - 0.5) + favour { 2 } else { 0 },
                            Ending::Mate,
                        ),
                    };
                    tally.add([game(favour), game(-favour)]);
                    match sprt.test(&tally).verdict {
                        Verdict::Undecided => {}
                        verdict => break verdict,
                    }
                };
                accepted += usize::from(verdict == Verdict::Accepted);
            }
            accepted
        };
        let (weak, strong) = (accepted(0.0), accepted(60.0));
        assert!((10..=65).contains(&weak), "{weak} of 1000, where 50 are allowed");
        assert!((890..=980).contains(&strong), "{strong} of 1000, where 900 are promised");
    }

    #[test]
    fn impossible_tests_are_refused() {
        for (elo0, elo1) in [(5.0, 5.0), (6.0, 5.0), (f64::NAN, 5.0), (0.0, f64::INFINITY), (-2e3, 0.0)] {
            assert!(matches!(Sprt::new(elo0, elo1, 0.05, 0.05), Err(SprtError::Elo(..))), "{elo0} {elo1}");
        }
        for (alpha, beta) in [(0.0, 0.05), (0.05, 0.5), (f64::NAN, 0.05)] {
            assert!(matches!(Sprt::new(0.0, 5.0, alpha, beta), Err(SprtError::Odds(..))), "{alpha} {beta}");
        }
    }
}
