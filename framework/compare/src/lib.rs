//! Which rules make the better game? Plays a variant against itself many times, keeps every game, and says in numbers
//! with intervals, and in pictures, where variants differ. And which player is the stronger one? Lets two play, and says
//! by how much.
//!
//! Must not know any variant by name, terminals, or how the player finds its moves.
#![forbid(unsafe_code)]

mod charts;
mod contest;
mod crew;
mod estimate;
mod facts;
mod folder;
mod game;
mod measures;
mod page;
mod report;
mod run;
mod tally;
mod worth;

pub use contest::{Bout, Conditions, Contest, ContestError, Effort, Entrant, Field, Pairing, Side};
pub use estimate::Estimate;
pub use folder::{About, Folder, FolderError, Heading, Kept, Opened, Played, damaged, join};
pub use game::{Ending, Game, GameError, Settings, fingerprint};
pub use report::{BadGame, Entry, Measured, Report, Worth};
pub use run::{Progress, Run, Shard, run};
pub use tally::{Sprt, SprtError, Tally, Tested, Verdict};
