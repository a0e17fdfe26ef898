//! What the men of each kind are worth on each board, fitted to the ends of games.
//!
//! Must not know how games are played. The fit is a logistic regression: the chance of White's winning from
//! how many more men of each sort it has (formula in `docs/measures.md`).

use crate::estimate::{Estimate, quantile};
use crate::facts::Facts;
use alice_core::{Colour, Variant};
use nalgebra::{DMatrix, DVector};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Keeps the values of men that hardly differ in any game near nothing.
const RIDGE: f64 = 1.0;
/// How many times the games are drawn again for the intervals.
const DRAWN_AGAIN: usize = 60;

/// The sums over one game from which a fit is made: all its samples end as the game does.
struct Row {
    ahead: DVector<f64>,
    result: f64,
}

/// For each kind and board (`kind * boards + board`), the worth in pawns; none for the royal man, nor if the games
/// do not say: if a pawn is not surely worth something, nothing can be measured by it. A pawn is the mean of the men
/// that are pawns, over the boards; without such men, the mean of all.
pub fn worth(variant: &Variant, facts: &[Facts]) -> Vec<Option<Estimate>> {
    let rules = variant.rules();
    let boards = usize::from(rules.boards);
    let columns = rules.men.len() * boards;
    let royal = rules.royal().map(|kind| kind.index());
    let fitted: Vec<usize> = (0..columns).filter(|c| Some(c / boards) != royal).collect();
    let pawns: Vec<usize> = (0..fitted.len()).filter(|c| rules.men[fitted[*c] / boards].pawn).collect();
    let games: Vec<Vec<Row>> = facts.iter().map(|game| rows(game, &fitted)).collect();
    let all: Vec<usize> = (0..games.len()).collect();
    let fitted_to = |chosen: &[usize]| -> Option<(f64, Vec<f64>)> {
        let rows: Vec<&Row> = chosen.iter().flat_map(|game| &games[*game]).collect();
        let weights = fit(&rows, fitted.len() + 1)?;
        let pawn = match pawns.len() {
            0 => weights[..fitted.len()].iter().map(|w| w.abs()).sum::<f64>() / fitted.len() as f64,
            n => pawns.iter().map(|c| weights[*c]).sum::<f64>() / n as f64,
        };
        Some((pawn, weights.iter().map(|w| w / pawn).collect()))
    };
    let mut found = vec![None; columns];
    let Some((_, values)) = fitted_to(&all) else { return found };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(games.len() as u64);
    let (pawns, again): (Vec<f64>, Vec<Vec<f64>>) = (0..DRAWN_AGAIN)
        .filter_map(|_| {
            let lots: Vec<usize> =
                all.iter().map(|_| (random.next_u64() % games.len() as u64) as usize).collect();
            fitted_to(&lots)
        })
        .unzip();
    if pawns.is_empty() || pawns.iter().any(|pawn| *pawn <= 0.0) {
        return found;
    }
    for (n, column) in fitted.iter().enumerate() {
        let spread: Vec<f64> = again.iter().map(|values| values[n]).collect();
        found[*column] = Some(Estimate {
            value: values[n],
            low: quantile(&spread, 0.025).unwrap_or(f64::NEG_INFINITY),
            high: quantile(&spread, 0.975).unwrap_or(f64::INFINITY),
            count: games.len(),
        });
    }
    found
}

fn rows(game: &Facts, fitted: &[usize]) -> Vec<Row> {
    let result = match game.winner {
        Some(Colour::White) => 1.0,
        Some(Colour::Black) => 0.0,
        None => 0.5,
    };
    let row = |sample: &crate::facts::Sample| {
        let mut ahead: Vec<f64> = fitted.iter().map(|column| sample.ahead[*column]).collect();
        ahead.push(sample.turn);
        Row { ahead: DVector::from_vec(ahead), result }
    };
    game.samples.iter().map(row).collect()
}

/// The weights that make the results most likely, by Newton's method; none if there is nothing to fit.
fn fit(rows: &[&Row], columns: usize) -> Option<Vec<f64>> {
    if rows.is_empty() {
        return None;
    }
    let mut weights = DVector::zeros(columns);
    for _ in 0..12 {
        let mut gradient: DVector<f64> = &weights * -RIDGE;
        let mut curvature = DMatrix::from_diagonal_element(columns, columns, RIDGE);
        for row in rows {
            let chance = 1.0 / (1.0 + (-row.ahead.dot(&weights)).exp());
            gradient.axpy(row.result - chance, &row.ahead, 1.0);
            curvature.ger((chance * (1.0 - chance)).max(1e-6), &row.ahead, &row.ahead, 1.0);
        }
        let step = curvature.cholesky()?.solve(&gradient);
        weights += &step;
        if step.amax() < 1e-7 {
            break;
        }
    }
    weights.iter().all(|w| w.is_finite()).then(|| weights.iter().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_from_which_results_were_drawn_are_found_again() {
        let truth = [0.5, 1.5, -0.2];
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut unit = || random.next_u64() as f64 / u64::MAX as f64;
        let rows: Vec<Row> = (0..20_000)
            .map(|_| {
                let ahead: Vec<f64> = (0..3).map(|_| (unit() * 5.0).floor() - 2.0).collect();
                let sum: f64 = ahead.iter().zip(truth).map(|(a, t)| a * t).sum();
                let result = f64::from(unit() < 1.0 / (1.0 + (-sum).exp()));
                Row { ahead: DVector::from_vec(ahead), result }
            })
            .collect();
        let found = fit(&rows.iter().collect::<Vec<_>>(), 3).unwrap();
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 0.08, "{found} for {truth}");
        }
    }
}
