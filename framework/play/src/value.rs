//! What a position is worth to a side: points, or a forced end in so many plies.
//!
//! Must not know how it is found.

use std::fmt;

/// No value is as large.
pub(crate) const INFINITE: i32 = 32_500;
/// The value of having won now; a win in `n` plies is worth `n` less.
pub(crate) const WON: i32 = 32_000;
/// From here up, values are wins.
pub(crate) const WINNING: i32 = WON - 1_000;
/// No evaluation is larger, so that none looks like a win.
pub(crate) const MOST_POINTS: i32 = 20_000;

/// What a position is worth to the side to move. Larger is better for it: any win is more than any
/// points, a quick win more than a slow one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub(crate) i32);

impl Value {
    /// Hundredths of a point, of which a pawn has about a hundred; none if somebody wins by force.
    pub fn points(self) -> Option<i32> {
        (self.0.abs() < WINNING).then_some(self.0)
    }

    /// After how many plies the side to move has won, whatever the other does; none if it does not.
    pub fn wins_in(self) -> Option<u32> {
        (self.0 >= WINNING).then(|| (WON - self.0).max(0) as u32)
    }

    /// After how many plies the side to move has lost, whatever it does; none if it has not.
    pub fn loses_in(self) -> Option<u32> {
        Self(-self.0).wins_in()
    }

    /// The same position with the eyes of the other side.
    #[must_use]
    pub fn turned(self) -> Self {
        Self(-self.0)
    }

    /// A number for those who compare and average: hundredths of a point, with wins far beyond any.
    pub fn number(self) -> i32 {
        self.0
    }

    /// The value of so many hundredths of a point.
    pub fn of_points(points: i32) -> Self {
        Self(points.clamp(-MOST_POINTS, MOST_POINTS))
    }
}

/// `+0.35`, or `#3` for a win with the third move from here, `#-3` for a loss.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (self.wins_in(), self.loses_in()) {
            (Some(plies), _) => format!("#{}", plies.div_ceil(2)),
            (_, Some(plies)) => format!("#-{}", plies.div_ceil(2)),
            _ => format!("{:+.2}", f64::from(self.0) / 100.0),
        };
        f.pad(&text)
    }
}
