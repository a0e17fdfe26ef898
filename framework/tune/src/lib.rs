//! Fits the weights by which the engine judges positions to how games ended.
//!
//! The fit is a logistic regression on quiet positions: the chance that the side to move wins grows with the
//! evaluation, and the weights are sought by which the games that were played are most likely. Formulas are in
//! `docs/tuning.md`. Must not know any variant by name, nor how games are played or kept.
#![forbid(unsafe_code)]

mod fit;
mod samples;

pub use fit::{Fit, fit, part_of_the_way};
pub use samples::{Sample, samples};
