//! The weights by which the results of samples are most likely.
//!
//! Newton's method on the logarithm of the likelihood, with a normal prior about the weights that it starts
//! from: what the games do not tell stays as it was. Must not know games.

use crate::samples::Sample;
use alice_core::Rules;
use alice_play::Weights;
use nalgebra::{DMatrix, DVector};

/// Positions of one game are not independent, and nobody knows how much they depend on each other: each counts for
/// so much of one that was. Which of these is best is seen at the games that are kept out.
const SHARES: [f64; 4] = [1.0 / 3.0, 1.0 / 10.0, 1.0 / 30.0, 1.0 / 100.0];
/// Every so many games one is kept out of the fit, to see how well it does where it has not looked.
const KEPT_OUT: usize = 5;
/// Newton's method is there after so many steps, or never.
const STEPS: usize = 20;

/// What was found.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The weights.
    pub weights: Weights,
    /// How many samples they were fitted to.
    pub samples: usize,
    /// How many other samples there were to see how well they do.
    pub kept_out: usize,
    /// The mean surprise at how those ended, in bits, by the weights before and by the new ones; by tossing a
    /// coin it is 1.
    pub surprise: [f64; 2],
}

/// A part of the way from some weights to others: 1 is there, 0 is where one began.
pub fn part_of_the_way(rules: &Rules, from: &Weights, to: &Weights, part: f64) -> Option<Weights> {
    let ends = from.numbers(rules).into_iter().zip(to.numbers(rules));
    let numbers: Vec<f64> = ends.map(|(from, to)| from + part * (to - from)).collect();
    Some(rounded(&Weights::of_numbers(rules, &numbers)?))
}

/// Fits weights to samples whose terms were found with the weights `before`; none if there are too few samples,
/// or they do not differ.
pub fn fit(rules: &Rules, before: &Weights, samples: &[Sample]) -> Option<Fit> {
    let start = before.numbers(rules);
    let names = Weights::names(rules);
    let doubts: Vec<f64> = names.iter().zip(&start).map(|(name, number)| doubt(name, *number)).collect();
    let free = doubts.iter().filter(|doubt| **doubt > 0.0).count();
    let (kept_out, rows): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|sample| sample.game % KEPT_OUT == KEPT_OUT - 1);
    if rows.len() < 10 * free || kept_out.is_empty() {
        return None;
    }
    let steepness = steepness(&rows, &start)?;
    let fits = SHARES.iter().filter_map(|share| {
        let numbers = likeliest(&rows, &start, &doubts, steepness, *share)?;
        Some((surprise(&kept_out, &numbers, steepness), numbers))
    });
    let (after, numbers) = fits.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let raw = steady_promotions(rules, before, Weights::of_numbers(rules, &numbers)?);
    let weights = rounded(&scaled(rules, raw)?);
    weights.check(rules).ok()?;
    let surprise = [surprise(&kept_out, &start, steepness), after];
    Some(Fit { weights, samples: rows.len(), kept_out: kept_out.len(), surprise })
}

/// The numbers by which the results of the rows are most likely, if each row counts for that share.
fn likeliest(
    rows: &[&Sample],
    start: &[f64],
    doubts: &[f64],
    steepness: f64,
    share: f64,
) -> Option<Vec<f64>> {
    let free: Vec<usize> = (0..start.len()).filter(|n| doubts[*n] > 0.0).collect();
    // By how many of its doubts each weight moves away from the start.
    let mut moved = DVector::<f64>::zeros(free.len());
    for _ in 0..STEPS {
        let mut gradient: DVector<f64> = -&moved;
        let mut curvature = DMatrix::<f64>::identity(free.len(), free.len());
        for sample in rows {
            let row = free.iter().map(|n| f64::from(sample.terms[*n]) * doubts[*n] * steepness);
            let row = DVector::from_iterator(free.len(), row);
            let chance = chance(steepness * worth(sample, start) + row.dot(&moved));
            gradient.axpy(share * (f64::from(sample.result) - chance), &row, 1.0);
            curvature.ger(share * (chance * (1.0 - chance)).max(1e-9), &row, &row, 1.0);
        }
        let step = curvature.cholesky()?.solve(&gradient);
        moved += &step;
        if step.amax() < 1e-6 {
            break;
        }
    }
    let mut numbers = start.to_vec();
    for (n, moved) in free.iter().zip(&moved) {
        numbers[*n] += moved * doubts[*n];
    }
    Some(numbers)
}

/// How far a weight may well be from where it starts: the standard deviation of the prior. None for what is not
/// fitted.
fn doubt(name: &str, number: f64) -> f64 {
    match name.split(' ').next().unwrap_or_default() {
        "tempo" => 15.0,
        "exposure" => 4.0,
        "value" if number == 0.0 => 0.0,
        "value" => (0.3 * number.abs()).max(25.0),
        "place" => 8.0,
        "mobility" => 5.0,
        "progress" if number == 0.0 => 0.0,
        "progress" => 0.15,
        "advance" => 6.0,
        "hunter" | "guard" => 25.0,
        // A king is hunted when the game is decided; results do not tell how to do it.
        _ => 0.0,
    }
}

fn worth(sample: &Sample, numbers: &[f64]) -> f64 {
    sample.terms.iter().zip(numbers).map(|(term, number)| f64::from(*term) * number).sum()
}

fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// How fast the chance of winning grows with an evaluation by these weights: per hundredth of a point.
fn steepness(rows: &[&Sample], numbers: &[f64]) -> Option<f64> {
    let worths: Vec<f64> = rows.iter().map(|sample| worth(sample, numbers)).collect();
    let mut steepness = 0.003;
    for _ in 0..STEPS {
        let (mut gradient, mut curvature) = (0.0, 1e-9);
        for (sample, worth) in rows.iter().zip(&worths) {
            let chance = chance(steepness * worth);
            gradient += (f64::from(sample.result) - chance) * worth;
            curvature += chance * (1.0 - chance) * worth * worth;
        }
        // Half steps at most, so that it does not leap where the curve is flat.
        let step = (gradient / curvature).clamp(-steepness / 2.0, steepness);
        steepness += step;
        if step.abs() < 1e-9 {
            break;
        }
    }
    (1e-5..1.0).contains(&steepness).then_some(steepness)
}

/// The mean surprise at the results, in bits.
fn surprise(samples: &[&Sample], numbers: &[f64], steepness: f64) -> f64 {
    let bits = samples.iter().map(|sample| {
        let result = f64::from(sample.result);
        let chance = chance(steepness * worth(sample, numbers)).clamp(1e-9, 1.0 - 1e-9);
        -(result * chance.log2() + (1.0 - result) * (1.0 - chance).log2())
    });
    bits.sum::<f64>() / samples.len().max(1) as f64
}

/// What counts of a promotion was fitted with what it brought before; it is to be worth the same now.
fn steady_promotions(rules: &Rules, before: &Weights, mut weights: Weights) -> Weights {
    let gain = |weights: &Weights, man: &alice_core::ManRules| {
        let value = |name: &str| weights.men.get(name).map_or(0.0, |man| man.value);
        let best = man.promotes_to.iter().map(|to| value(&rules.man(*to).name)).fold(f64::MIN, f64::max);
        best - value(&man.name)
    };
    for man in rules.men.iter().filter(|man| !man.promotes_to.is_empty()) {
        let (old, new) = (gain(before, man), gain(&weights, man));
        if let Some(weights) = weights.men.get_mut(&man.name)
            && new > 1.0
        {
            weights.progress = (weights.progress * old / new).clamp(0.0, 1.0);
        }
    }
    weights
}

/// Results tell how weights compare, not how large they are. Searches know how much is much in points, so all men
/// of the start together are worth as much as by the rules.
fn scaled(rules: &Rules, mut weights: Weights) -> Option<Weights> {
    let all = |weights: &Weights| -> f64 {
        let value =
            |man: &alice_core::Man| weights.men.get(&rules.man(man.kind).name).map_or(0.0, |m| m.value);
        rules.start.men().map(|(_, man)| value(&man)).sum()
    };
    let scale = all(&Weights::of_rules(rules)) / all(&weights);
    if !(scale > 0.0 && scale.is_finite()) {
        return None;
    }
    weights.tempo *= scale;
    weights.exposure *= scale;
    for man in weights.men.values_mut() {
        // Progress is a share of what is gained, and grows with it.
        for number in [
            &mut man.value,
            &mut man.place,
            &mut man.mobility,
            &mut man.advance,
            &mut man.hunter,
            &mut man.guard,
        ] {
            *number *= scale;
        }
    }
    Some(weights)
}

/// No more digits than mean something.
fn rounded(weights: &Weights) -> Weights {
    let hundredths = |number: f64| (number * 100.0).round() / 100.0 + 0.0;
    let mut weights = weights.clone();
    weights.tempo = weights.tempo.round() + 0.0;
    weights.exposure = hundredths(weights.exposure);
    for man in weights.men.values_mut() {
        man.value = man.value.round() + 0.0;
        man.progress = hundredths(man.progress);
        for number in [&mut man.place, &mut man.mobility, &mut man.advance, &mut man.hunter, &mut man.guard] {
            *number = (*number * 10.0).round() / 10.0 + 0.0;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::SplitMix64;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    #[test]
    fn weights_by_which_results_were_drawn_are_found_again() {
        let variant = alice_config::load("alice").unwrap().variant;
        let rules = variant.rules();
        let before = Weights::of_rules(rules);
        let mut truth = before.clone();
        truth.tempo = 25.0;
        let queen = truth.men.get_mut("queen").unwrap();
        (queen.value, queen.hunter) = (queen.value * 0.8, 30.0);
        let (names, truth) = (Weights::names(rules), truth.numbers(rules));
        let mut random = SplitMix64::seed_from_u64(5);
        let mut unit = || random.next_u64() as f64 / u64::MAX as f64;
        let samples: Vec<Sample> = (0..60_000)
            .map(|n| {
                let terms: Vec<f32> = names
                    .iter()
                    .map(|name| match name.split(' ').next().unwrap() {
                        "tempo" => 1.0,
                        "value" | "hunter" => (unit() * 3.0).floor() as f32 - 1.0,
                        _ => 0.0,
                    })
                    .collect();
                let sample = Sample { terms, result: 0.0, game: n };
                let won = unit() < chance(0.004 * worth(&sample, &truth));
                Sample { result: f32::from(u8::from(won)), ..sample }
            })
            .collect();
        let fit = fit(rules, &before, &samples).unwrap();
        assert!(fit.surprise[1] < fit.surprise[0], "{:?}", fit.surprise);
        // Compared with the rook, which is what it was.
        let compared = |numbers: &[f64], name: &str| {
            let of = |name: &str| numbers[names.iter().position(|other| other == name).unwrap()];
            of(name) / of("value of the rook")
        };
        let (found, start) = (fit.weights.numbers(rules), before.numbers(rules));
        for name in ["tempo", "value of the queen", "hunter of the queen"] {
            let [found, truth, start] = [&found, &truth, &start].map(|numbers| compared(numbers, name));
            assert!((found - truth).abs() < 0.3 * (start - truth).abs(), "{name}: {found} for {truth}");
        }
        let all = |weights: &Weights| {
            let value = |man: alice_core::Man| weights.men[&rules.man(man.kind).name].value;
            rules.start.men().map(|(_, man)| value(man)).sum::<f64>()
        };
        assert!((all(&fit.weights) / all(&before) - 1.0).abs() < 0.01, "the scale stays");
    }

    #[test]
    fn nothing_is_fitted_to_next_to_nothing() {
        let variant = alice_config::load("chess").unwrap().variant;
        let rules = variant.rules();
        let before = Weights::of_rules(rules);
        assert!(fit(rules, &before, &[]).is_none());
        let blank = Sample { terms: vec![0.0; before.numbers(rules).len()], result: 0.5, game: 0 };
        let same: Vec<_> = (0..5_000).map(|game| Sample { game, ..blank.clone() }).collect();
        // Nothing moves where no sample tells anything.
        if let Some(fit) = fit(rules, &before, &same) {
            assert_eq!(fit.weights, rounded(&before));
        }
    }
}
