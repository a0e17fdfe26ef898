//! Numbers with intervals of 95 %.
//!
//! Must not know what is measured. Formulas and sources are in `docs/measures.md`.

use serde::Serialize;

/// The normal distribution has 95 % within so many standard deviations.
const Z: f64 = 1.959_964;

/// A number and the interval in which the true one lies, 95 times of 100.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The best guess.
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// How many games (or ends of games) it comes from.
    pub count: usize,
}

impl Estimate {
    /// A share: so many of so many. Wilson's interval.
    pub fn share(hits: usize, of: usize) -> Option<Self> {
        if of == 0 {
            return None;
        }
        let p = hits as f64 / of as f64;
        let (low, high) = wilson(p, of as f64);
        Some(Self { value: p, low, high, count: of })
    }

    /// The mean of independent numbers. The normal interval; with less than two numbers it is without end.
    pub fn mean(values: &[f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        let n = values.len() as f64;
        // A sum of nothing but nothings may be -0.
        let mean = values.iter().sum::<f64>() / n + 0.0;
        let half = match values.len() {
            1 => f64::INFINITY,
            _ => Z * (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt(),
        };
        Some(Self { value: mean, low: mean - half, high: mean + half, count: values.len() })
    }

    /// The mean of numbers that can't lie outside a range: the interval does not either.
    pub fn mean_within(values: &[f64], low: f64, high: f64) -> Option<Self> {
        Some(Self::mean(values)?.within(low, high))
    }

    /// The mean of independent numbers between 0 and 1, with the interval of [`Estimate::part`].
    pub fn mean_part(values: &[f64]) -> Option<Self> {
        let (n, mean) = (values.len() as f64, Self::mean(values)?.value);
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Some(Self::part(values.len(), mean, variance))
    }

    /// The same, with what can't be cut off its interval.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { low: self.low.max(low), high: self.high.min(high), ..self }
    }

    /// The mean of so many independent numbers between 0 and 1 that are no plain hits and misses, from their mean
    /// and variance: Wilson's interval for as many hits and misses as have the same variance.
    pub fn part(count: usize, mean: f64, variance: f64) -> Self {
        let n = count as f64;
        // Of numbers that happen to be all the same, and of one alone, the variance says nothing.
        let worth = match mean * (1.0 - mean) / variance {
            worth if worth.is_finite() && worth > 0.0 => worth.clamp(1.0, 4.0),
            _ => 1.0,
        };
        let (low, high) = wilson(mean, n * worth);
        Self { value: mean, low, high, count }
    }

    /// The number below which a share of the numbers lies. Its interval is between two of the numbers, by the
    /// binomial distribution of how many lie below it; without end where there are too few of them.
    pub fn quantile(values: &[f64], share: f64) -> Option<Self> {
        let sorted = sorted(values);
        let n = sorted.len() as f64;
        let half = Z * (n * share * (1.0 - share)).sqrt();
        let at = |rank: f64| match rank {
            rank if rank < 1.0 => f64::NEG_INFINITY,
            rank => sorted.get(rank as usize - 1).copied().unwrap_or(f64::INFINITY),
        };
        Some(Self {
            value: quantile(values, share)?,
            low: at((n * share - half).floor()),
            high: at((n * share + half + 1.0).ceil()),
            count: values.len(),
        })
    }

    /// Whether the intervals have nothing in common: the two really differ.
    pub fn differs_from(&self, other: &Self) -> bool {
        self.high < other.low || other.high < self.low
    }
}

/// Wilson's interval of a share of so many.
fn wilson(share: f64, of: f64) -> (f64, f64) {
    let centre = (share + Z * Z / (2.0 * of)) / (1.0 + Z * Z / of);
    let half = Z / (1.0 + Z * Z / of) * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt();
    // Rounding must not put the ends on the wrong side.
    ((centre - half).clamp(0.0, share), (centre + half).clamp(share, 1.0))
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The number below which a share of the numbers lies, between two of them where none is just there.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let sorted = sorted(values);
    let place = share * (sorted.len().checked_sub(1)? as f64);
    let (below, part) = (place.floor() as usize, place.fract());
    let above = sorted.get(below + 1).unwrap_or(&sorted[below]);
    Some(sorted[below] * (1.0 - part) + above * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_is_that_of_the_books() {
        // 10 of 20: Wilson (1927) gives 0.299 to 0.701.
        let half = Estimate::share(10, 20).unwrap();
        assert!((half.low - 0.2993).abs() < 1e-4 && (half.high - 0.7007).abs() < 1e-4, "{half:?}");
        let none = Estimate::share(0, 10).unwrap();
        assert!(none.low == 0.0 && (none.high - 0.2775).abs() < 1e-4, "{none:?}");
        assert_eq!(Estimate::share(0, 0), None);
    }

    #[test]
    fn a_mean_has_its_standard_error_and_one_number_has_no_interval() {
        let mean = Estimate::mean(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        // The standard deviation is 1.29099, its error half of that.
        assert!((mean.value - 2.5).abs() < 1e-12 && (mean.high - 2.5 - 1.959_964 * 0.645_497).abs() < 1e-5);
        assert_eq!(Estimate::mean(&[7.0]).unwrap().high, f64::INFINITY);
    }

    #[test]
    fn a_part_is_known_as_well_as_its_numbers_scatter_little() {
        let of = |mean, variance| {
            let part = Estimate::part(20, mean, variance);
            (part.low, part.high)
        };
        let share = |hits, of| Estimate::share(hits, of).map(|share| (share.low, share.high)).unwrap();
        // Numbers that are 0 or 1 have a variance of 1/4; pairs of those half of it.
        assert_eq!(of(0.5, 0.25), share(10, 20));
        assert_eq!(of(0.5, 0.125), share(20, 40));
        // All the same, by chance or not.
        assert_eq!(of(0.5, 0.0), share(10, 20));
        assert_eq!(of(1.0, 0.0), share(20, 20));
        assert_eq!(Estimate::part(1, 1.0, f64::NAN).low, Estimate::share(1, 1).unwrap().low);
    }

    #[test]
    fn a_medians_interval_is_between_ranks() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        let median = Estimate::quantile(&values, 0.5).unwrap();
        assert_eq!((median.value, median.low, median.high), (50.5, 40.0, 61.0));
        assert_eq!(quantile(&values, 0.1), Some(10.9));
        assert_eq!(Estimate::quantile(&[], 0.5), None);
        let few = Estimate::quantile(&[1.0, 2.0], 0.5).unwrap();
        assert_eq!((few.low, few.high), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn two_wins_prove_little() {
        let two = Estimate::mean_part(&[1.0, 1.0]).unwrap();
        assert_eq!(two.low, Estimate::share(2, 2).unwrap().low);
        let drawn = Estimate::mean_part(&[0.5; 4]).unwrap();
        assert!(drawn.low < 0.2 && drawn.high > 0.8, "{drawn:?}");
        assert!(Estimate::mean(&[]).is_none() && Estimate::mean_part(&[]).is_none());
        assert!(Estimate::mean(&[-0.0]).unwrap().value.is_sign_positive());
    }
}
