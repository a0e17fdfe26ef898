//! What a legal move does, in a sentence. Must not know how it is printed.

use crate::words::{Words, a};
use alice_core::{Man, Move, MoveKind, Outcome, Position, Square, Wing};

/// What a legal move does.
#[derive(Clone, Debug)]
pub struct Effects {
    mv: Move,
    mover: Man,
    /// Who is captured, and where.
    pub captured: Option<(Square, Man)>,
    /// Who gives check then.
    pub checkers: Vec<Square>,
    /// How the game ends by it, repetition aside.
    pub outcome: Option<Outcome>,
    after: Position,
}

/// The man that a legal move takes from the boards.
pub fn captured(before: &Position, after: &Position) -> Option<(Square, Man)> {
    let (enemy, after) = (!before.turn(), after.setup());
    let gone = |(square, man): &(Square, Man)| man.colour == enemy && after.man(*square) != Some(*man);
    before.setup().men().find(gone)
}

impl Effects {
    /// What a legal move of a position does.
    ///
    /// # Panics
    /// If no man stands where the move starts.
    pub fn new(position: &Position, mv: &Move) -> Self {
        let after = position.after(mv);
        Self {
            mv: *mv,
            mover: position.man(mv.start()).expect("a legal move starts from a man"),
            captured: captured(position, &after),
            checkers: after.checkers(),
            outcome: after.outcome(),
            after,
        }
    }

    /// In a sentence, without a full stop.
    pub fn sentence(&self) -> String {
        let rules = self.after.rules();
        let (mv, words) = (&self.mv, Words(rules));
        let cell = |c| rules.shape.cell_name(c);
        let stays = mv.landing == mv.origin;
        let on = words.on(mv.origin);
        let mut text = match mv.kind {
            MoveKind::Castling(wing) => {
                let side = self.mover.colour.name();
                let wing = if wing == Wing::King { "king" } else { "queen" };
                let rook = rules
                    .castling
                    .iter()
                    .find(|c| c.colour == self.mover.colour && MoveKind::Castling(c.wing) == mv.kind);
                let rook = rook.map_or_else(String::new, |c| {
                    format!(
                        " and the {} from {} to {}",
                        rules.man(c.rook).name,
                        cell(c.rook_from),
                        cell(c.rook_to)
                    )
                });
                format!(
                    "{side} castles on the {wing}'s wing: the king goes from {} to {}{rook}{on}",
                    cell(mv.from),
                    cell(mv.to)
                )
            }
            MoveKind::Zero => {
                let man = words.man_there(self.mover, mv.from);
                format!("{man} goes through the looking-glass from board {} without moving", mv.origin)
            }
            _ => format!("the {} goes from {} to {}{on}", words.man(self.mover), cell(mv.from), cell(mv.to)),
        };
        if let Some((square, man)) = self.captured {
            let man = words.man(man);
            text += &match mv.kind {
                MoveKind::EnPassant => {
                    format!(", captures the {man} on {} en passant", words.square(square))
                }
                MoveKind::Zero => format!(", captures the {man} on {}", words.square(square)),
                _ => format!(", captures the {man} there"),
            };
        }
        if !stays {
            let both = if matches!(mv.kind, MoveKind::Castling(_)) { "both land" } else { "lands" };
            text += &match mv.kind {
                MoveKind::Castling(_) => format!("; {both} on board {}", mv.landing),
                _ => format!(", and {both} on {} on board {}", cell(mv.to), mv.landing),
            };
        } else if rules.boards > 1 {
            let both = if matches!(mv.kind, MoveKind::Castling(_)) { "; both stay" } else { ", and stays" };
            text += &format!("{both} there");
        }
        if let Some(kind) = mv.promotion {
            text += &format!(", where it becomes {}", a(&rules.man(kind).name));
        }
        if let Some(outcome) = self.outcome {
            text += &format!("; {outcome}");
        } else if !self.checkers.is_empty() {
            let king = self
                .after
                .setup()
                .men()
                .find(|(_, m)| m.colour == self.after.turn() && rules.man(m.kind).royal);
            let here = king.map_or(mv.landing, |(square, _)| square.board);
            let by = words.men_on(&self.after.setup(), &self.checkers, here);
            text += &format!("; {} is then in check{} from {by}", self.after.turn().name(), words.on(here));
        }
        text
    }
}
