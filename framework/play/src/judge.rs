//! Evaluations taken apart: by how much each weight counts in one position. What weights are tuned with.
//!
//! Must not know searches.

use crate::evaluation::{Evaluation, Terms};
use crate::men::Men;
use crate::value::Value;
use crate::weights::{Weights, WeightsError};
use alice_core::{Position, Variant};

/// Judges positions of a variant without looking ahead.
pub struct Judge {
    evaluation: Evaluation,
    terms: Terms,
}

impl Judge {
    /// A judge with these weights.
    ///
    /// # Errors
    /// If the weights do not fit the variant.
    pub fn new(variant: &Variant, weights: &Weights) -> Result<Self, WeightsError> {
        let rules = variant.rules();
        weights.check(rules)?;
        let evaluation = Evaluation::new(rules, weights);
        Ok(Self { terms: Terms::new(rules, &evaluation), evaluation })
    }

    /// What a position is worth to the side to move, which must not be in check.
    pub fn judge(&self, position: &Position) -> Value {
        let men = Men::new(position, &self.evaluation.worth);
        Value(self.evaluation.judge(&position.walk(), &men))
    }

    /// How often each weight counts for the side to move, in the order of [`Weights::numbers`]: the sum of
    /// weights times terms is the evaluation, but for rounding. What men gain by promoting, which counts in
    /// the terms of progress, is taken from the judge's weights.
    pub fn terms(&self, position: &Position) -> Vec<f64> {
        let men = Men::new(position, &self.evaluation.worth);
        self.terms.of(&self.evaluation, &mut position.walk(), &men)
    }
}
