//! What a problem asks: `#3`, `s#2`, `h#2.5`, `ser-h=4`, `pg 10.5`.
//!
//! Must not know positions, nor how a problem is solved.

use alice_core::Fault;
use std::fmt;

/// How the sides play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Play {
    /// The side to move forces the goal on the other side.
    Direct,
    /// The side to move forces the other side to reach the goal on it.
    SelfPlay,
    /// Both sides together reach the goal.
    Help,
    /// One side makes a series of moves, then the other reaches the goal with one.
    SeriesHelp,
    /// Both sides together reach the position from the start of the game.
    ProofGame,
}

/// How play has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// `#`
    Mate,
    /// `=`
    Stalemate,
}

/// What a problem asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stipulation {
    /// How the sides play.
    pub play: Play,
    /// How play has to end; a proof game ends with its position.
    pub goal: Goal,
    /// How many whole moves.
    pub moves: u32,
    /// Whether there is half a move more (`.5`); only where both sides help.
    pub half: bool,
}

/// The most moves that can be asked for.
const MOST: u32 = 100;

impl Stipulation {
    /// Reads a stipulation. Case and spaces do not matter; `dia10.5`, as Popeye writes it, is `pg 10.5`.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn read(text: &str) -> Result<Self, Fault> {
        let fault = |at: usize, len: usize, problem: String, advice: &str| {
            let end = (at + len).min(text.len());
            Err(Fault { at: at.min(end)..end, problem, advice: advice.into() })
        };
        const KINDS: &str = "write #2, =2, s#2, h#2, h#2.5, ser-h#4 or pg 10.5, for instance";
        // Each letter that counts, with its place.
        let marks: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !c.is_whitespace()).collect();
        let place = |n: usize| marks.get(n).map_or(text.len(), |(at, _)| *at);
        let plain: String = marks.iter().map(|(_, c)| c.to_ascii_lowercase()).collect();
        let begins = |prefix: &&(&str, Play)| plain.starts_with(prefix.0);
        let plays = [
            ("ser-h", Play::SeriesHelp),
            ("pg", Play::ProofGame),
            ("dia", Play::ProofGame),
            ("h", Play::Help),
            ("s", Play::SelfPlay),
            ("", Play::Direct),
        ];
        let (prefix, play) = *plays.iter().find(begins).expect("every text begins with nothing");
        let mut n = prefix.chars().count();
        let goal = match marks.get(n).map(|(_, c)| *c) {
            _ if play == Play::ProofGame => Goal::Mate,
            Some('#') => Goal::Mate,
            Some('=') => Goal::Stalemate,
            None if n == 0 => return fault(0, 0, "the stipulation is empty".into(), KINDS),
            seen => {
                let what = seen.map_or("it ends".into(), |c| format!("{c:?} stands"));
                let problem = format!("{what} where # (mate) or = (stalemate) should stand");
                return fault(place(n), seen.map_or(0, char::len_utf8), problem, KINDS);
            }
        };
        n += usize::from(play != Play::ProofGame);
        let digits = marks[n..].iter().take_while(|(_, c)| c.is_ascii_digit()).count();
        let number: String = marks[n..n + digits].iter().map(|(_, c)| *c).collect();
        let rest: String = marks[n + digits..].iter().map(|(_, c)| *c).collect();
        if digits == 0 {
            let (seen, len) = match marks.get(n) {
                Some((_, c)) => (format!("{c:?} stands where the number of moves should"), c.len_utf8()),
                None => ("the number of moves is missing".into(), 0),
            };
            return fault(place(n), len, seen, KINDS);
        }
        let helps = matches!(play, Play::Help | Play::ProofGame);
        let half = match rest.as_str() {
            "" | ".0" if rest.is_empty() || helps => false,
            ".5" if helps => true,
            ".5" => {
                let problem = "half a move is only for help-mates and proof games".into();
                return fault(place(n + digits), 2, problem, "write whole moves");
            }
            _ => {
                let at = place(n + digits);
                let advice =
                    if helps { "nothing but .5 can follow the number" } else { "end with the number" };
                return fault(at, text.trim_end().len() - at, format!("{rest:?} can't stand there"), advice);
            }
        };
        match number.parse::<u32>() {
            Ok(moves) if moves <= MOST && (moves > 0 || half) => Ok(Self { play, goal, moves, half }),
            Ok(0) => fault(place(n), digits, "there must be a move".into(), "write 1 or more"),
            _ => {
                let problem = format!("{number} moves are more than can be asked for");
                fault(place(n), digits, problem, &format!("write at most {MOST}"))
            }
        }
    }

    /// How many moves both sides make, a series counted as it is made.
    pub fn plies(&self) -> u32 {
        match self.play {
            Play::SeriesHelp => self.moves + 1,
            _ => 2 * self.moves + u32::from(self.half),
        }
    }
}

impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = match self.goal {
            Goal::Mate => "#",
            Goal::Stalemate => "=",
        };
        match self.play {
            Play::Direct => write!(f, "{goal}")?,
            Play::SelfPlay => write!(f, "s{goal}")?,
            Play::Help => write!(f, "h{goal}")?,
            Play::SeriesHelp => write!(f, "ser-h{goal}")?,
            Play::ProofGame => write!(f, "pg ")?,
        }
        write!(f, "{}{}", self.moves, if self.half { ".5" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stipulation_is_read_as_it_is_written() {
        for text in
            ["#2", "=3", "s#4", "s=2", "h#3", "h#2.5", "h=2", "h#0.5", "ser-h#12", "ser-h=3", "pg 10.5"]
        {
            assert_eq!(Stipulation::read(text).unwrap().to_string(), text);
        }
        for (text, same) in [
            (" # 2 ", "#2"),
            ("H#2.5", "h#2.5"),
            ("SER-H#3", "ser-h#3"),
            ("dia10.5", "pg 10.5"),
            ("h#2.0", "h#2"),
        ] {
            assert_eq!(Stipulation::read(text).unwrap().to_string(), same);
        }
    }

    #[test]
    fn a_wrong_stipulation_is_refused_at_its_place() {
        for (text, at) in [
            ("", 0..0),
            ("mate", 0..1),
            ("#", 1..1),
            ("#x", 1..2),
            ("#0", 1..2),
            ("#2.5", 2..4),
            ("h#2.4", 3..5),
            ("#2 now", 3..6),
            ("#1000", 1..5),
            ("#99999999999999999999", 1..21),
            ("♔2", 0..3),
            ("ser-h", 5..5),
            ("pg", 2..2),
            ("h#2.٣", 3..6),
        ] {
            assert_eq!(Stipulation::read(text).unwrap_err().at, at, "{text}");
        }
    }
}
