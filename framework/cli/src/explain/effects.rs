//! What a legal move does, in a sentence. Must not know how it is printed.

use crate::words::{Words, a, list};
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
fn captured(before: &Position, after: &Position) -> Option<(Square, Man)> {
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
        let on = words.on(mv.origin);
        let mut parts = vec![match mv.kind {
            MoveKind::Castling(wing) => return self.castling(wing),
            MoveKind::Zero => format!(
                "{} goes through the looking-glass from board {} to board {} without moving",
                words.man_there(self.mover, mv.from),
                mv.origin,
                mv.landing
            ),
            _ => format!("the {} goes from {} to {}{on}", words.man(self.mover), cell(mv.from), cell(mv.to)),
        }];
        if let Some((square, man)) = self.captured {
            let man = words.man(man);
            parts.push(match mv.kind {
                MoveKind::EnPassant => format!("captures the {man} on {} en passant", words.square(square)),
                _ => format!("captures the {man} there"),
            });
        }
        match mv.kind {
            MoveKind::Zero => {}
            _ if mv.landing != mv.origin => parts.push(format!("lands on {}", words.square(mv.end()))),
            _ if rules.boards > 1 => parts.push("stays there".into()),
            _ => {}
        }
        let mut text = list(parts, "and");
        if let Some(kind) = mv.promotion {
            text += &format!(", where it becomes {}", a(&rules.man(kind).name));
        }
        text + &self.end()
    }

    fn castling(&self, wing: Wing) -> String {
        let rules = self.after.rules();
        let (mv, side) = (&self.mv, self.mover.colour);
        let cell = |c| rules.shape.cell_name(c);
        let mut text =
            format!("{} castles: the king goes from {} to {}", side.name(), cell(mv.from), cell(mv.to));
        if let Some(castling) = rules.castling.iter().find(|c| c.colour == side && c.wing == wing) {
            let (from, to) = (cell(castling.rook_from), cell(castling.rook_to));
            text += &format!(" and the {} from {from} to {to}", rules.man(castling.rook).name);
        }
        text += &Words(rules).on(mv.origin);
        if mv.landing != mv.origin {
            text += &format!(", and both land on board {}", mv.landing);
        } else if rules.boards > 1 {
            text += ", and both stay there";
        }
        text + &self.end()
    }

    /// What the other side is left with.
    fn end(&self) -> String {
        if let Some(outcome) = self.outcome {
            return format!("; {outcome}");
        }
        let (rules, setup) = (self.after.rules(), self.after.setup());
        let royal = |(_, m): &(Square, Man)| m.colour == setup.turn && rules.man(m.kind).royal;
        match setup.men().find(royal) {
            Some((king, _)) if !self.checkers.is_empty() => {
                let (words, side) = (Words(rules), setup.turn.name());
                let by = words.men_on(&setup, &self.checkers, king.board);
                format!("; {side} is then in check{} from {by}", words.on(king.board))
            }
            _ => String::new(),
        }
    }
}
