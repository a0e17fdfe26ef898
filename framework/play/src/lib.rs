//! Plays any game that the core can play, as well as it can: a search, and an evaluation that is
//! derived from the rules, with nothing by hand for one game.
//!
//! Must not know any variant by name, files or terminals. A [`Player`] is all that most need:
//!
//! ```
//! use alice_core::Record;
//! use alice_play::{Limits, Player};
//!
//! let variant = alice_config::load("alice").unwrap().variant;
//! let mut player = Player::new(&variant);
//! let mut record = Record::new(variant.start());
//! let report = player.choose(&record, &Limits::nodes(2_000));
//! record.play(&report.best().expect("the first position has moves"));
//! ```
#![forbid(unsafe_code)]

mod evaluation;
mod glances;
mod grounds;
mod judge;
mod limits;
mod men;
mod novice;
mod player;
mod queue;
mod search;
mod table;
mod value;
mod weights;

pub use judge::Judge;
pub use limits::{Limits, Stop};
pub use novice::{Manner, Novice};
pub use player::{Line, Player, Report};
pub use value::Value;
pub use weights::{ManWeights, Weights, WeightsError};
