//! Quiet positions of games, taken apart into terms.
//!
//! Must not know what is fitted to them.

use alice_compare::{Game, GameError};
use alice_core::{Colour, Variant};
use alice_play::{Judge, Value, Weights};

/// From each game, at most so many positions: more of them tell the same story.
const POSITIONS: usize = 24;

/// A quiet position, with the eyes of the side to move.
#[derive(Clone, Debug)]
pub struct Sample {
    /// How often each weight counts ([`Judge::terms`]).
    pub terms: Vec<f32>,
    /// How the game ended: 1 won, 0 lost, one half drawn.
    pub result: f32,
    /// The number of its game in the row that was given.
    pub game: usize,
}

/// The samples of games of a variant: positions in which nobody is in check, no win has been seen, no lone king is
/// hunted, and a move was chosen that neither captures nor promotes. Plies that were drawn by lot do not count.
///
/// # Errors
/// If a game's moves are not legal in the variant, or it did not end as it says; with its number in the row.
pub fn samples(
    variant: &Variant,
    weights: &Weights,
    games: &[Game],
) -> Result<Vec<Sample>, (usize, GameError)> {
    let judge = Judge::new(variant, weights);
    let judge = judge.map_err(|error| (0, GameError::Untrue(error.to_string())))?;
    let names = Weights::names(variant.rules());
    let hunt = names.iter().position(|name| name == "hunt").unwrap_or_default();
    let mut samples = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let record = game.replay(variant).map_err(|error| (number, error))?;
        let white = match game.winner() {
            Some(Colour::White) => 1.0,
            Some(Colour::Black) => 0.0,
            None => 0.5,
        };
        let mut walk = record.start().walk();
        let mut quiet = Vec::new();
        let drawn = game.drawn as usize;
        for (ply, mv) in record.moves().iter().enumerate() {
            let value = ply.checked_sub(drawn).and_then(|n| game.values.get(n));
            let decided = value.is_some_and(|value| decided(*value));
            let calm = walk.captured(mv).is_none() && mv.promotion.is_none() && !walk.in_check();
            if ply >= drawn && !decided && calm {
                let terms = judge.terms(&walk.position());
                // Who hunts a king has won by all that is weighed here; whether it mates in time tells nothing
                // of what men are worth.
                if terms[hunt] == 0.0 {
                    quiet.push((walk.turn(), terms));
                }
            }
            walk.play(mv);
        }
        for n in 0..quiet.len().min(POSITIONS) {
            let (turn, terms) = &quiet[n * quiet.len() / quiet.len().min(POSITIONS)];
            let terms = terms.iter().map(|term| *term as f32).collect();
            let result = if *turn == Colour::White { white } else { 1.0 - white };
            samples.push(Sample { terms, result, game: number });
        }
    }
    Ok(samples)
}

/// Whether a value is a forced end, not points.
fn decided(value: i32) -> bool {
    value.abs() > Value::of_points(i32::MAX).number()
}
