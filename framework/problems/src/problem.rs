//! A problem: a position and what is asked of it, checked.
//!
//! Must not know how it is solved.

use crate::stipulation::{Goal, Play, Stipulation};
use alice_core::{
    Colour, Fault, Man, Position, PositionError, Rules, Setup, Square, Strictness, Transfer, Variant, Walk,
};

/// A position that can be played, and a stipulation that fits it.
#[derive(Clone, Debug)]
pub struct Problem {
    position: Position,
    stipulation: Stipulation,
}

/// The castling rights of a problem that says nothing of them: wherever king and rook stand at home.
pub fn castling_at_home(rules: &Rules, setup: &Setup) -> u8 {
    let home = rules.castling.iter().filter(|castling| {
        let stands = |kind, cell| {
            let man = Man { kind, colour: castling.colour };
            setup.man(Square { board: castling.board, cell }) == Some(man)
        };
        let king = rules.royal().is_some_and(|king| stands(king, castling.king_from));
        king && stands(castling.rook, castling.rook_from)
    });
    home.fold(0, |rights, castling| rights | castling.right())
}

impl Problem {
    /// Puts a stipulation to a position. The side to move of the position begins; for a proof game it is
    /// the side whose turn it is in the end.
    ///
    /// # Errors
    /// Every reason why that makes no problem. [`Fault::at`] then holds the number of the field of the
    /// position's text that is to blame, as for [`Variant::position`].
    pub fn new(variant: &Variant, setup: Setup, stipulation: Stipulation) -> Result<Self, PositionError> {
        let rules = variant.rules();
        let mut faults = match variant.position(&setup, Strictness::Problem) {
            Ok(_) => Vec::new(),
            Err(error) => error.faults,
        };
        let mut fault = |field: usize, problem: String, advice: &str| {
            faults.push(Fault { at: field..field, problem, advice: advice.into() });
        };
        let royal = rules.royal().expect("rules without a royal man are refused");
        let name = &rules.man(royal).name;
        if stipulation.play == Play::ProofGame {
            let turn = if stipulation.half { Colour::Black } else { Colour::White };
            if setup.turn != turn {
                let problem = format!("after {} moves it is {}'s turn", moves(&stipulation), turn.name());
                fault(1, problem, "let that side move, or add or take away half a move");
            }
        } else {
            let target = match stipulation.play {
                Play::Direct => !setup.turn,
                Play::Help if stipulation.half => !setup.turn,
                _ => setup.turn,
            };
            let king = setup.find(Man { kind: royal, colour: target }).next();
            if king.is_none() && stipulation.goal == Goal::Mate {
                fault(
                    0,
                    format!("{} has no {name} that could be mated", target.name()),
                    "put one on a board",
                );
            }
        }
        let waiting = !setup.turn;
        let kings = setup.find(Man { kind: royal, colour: waiting }).count();
        if kings == 1 && rules.tests.after_transfer {
            let king = variant.reference().king(&setup, waiting);
            let by = variant.reference().checkers(&setup, waiting);
            if let (Some(king), Some(by)) = (king, by.first()) {
                let problem = format!(
                    "{} is to move, but {}'s {name} on {} is already attacked from {}",
                    setup.turn.name(),
                    waiting.name(),
                    rules.shape.square_name(king),
                    rules.shape.square_name(*by)
                );
                fault(1, problem, "let the side in check move, or move one of these men");
            }
        }
        if !faults.is_empty() {
            return Err(PositionError { faults });
        }
        let position = variant.position(&setup, Strictness::Problem)?;
        Ok(Self { position, stipulation })
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What is asked.
    pub fn stipulation(&self) -> Stipulation {
        self.stipulation
    }

    /// The position that the moves of a solution start from: the problem's own, or for a proof game that of
    /// the game.
    pub fn beginning(&self) -> Position {
        match self.stipulation.play {
            Play::ProofGame => self.position.variant().start(),
            _ => self.position.clone(),
        }
    }
}

fn moves(stipulation: &Stipulation) -> String {
    format!("{}{}", stipulation.moves, if stipulation.half { ".5" } else { "" })
}

/// The position with the other side to move.
pub(crate) fn passed(position: &Position) -> Position {
    let mut setup: Setup = position.setup();
    setup.turn = !setup.turn;
    setup.en_passant = None;
    position.variant().position(&setup, Strictness::Problem).expect("a pass leaves the men alone")
}

/// What positions are known by in a table. Rules in somebody's code may look at how many plies were made.
pub(crate) fn key(walk: &Walk, foreign: bool) -> u64 {
    let ply = if foreign { walk.ply() as u64 } else { 0 };
    walk.hash() ^ ply.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Whether a variant's transfer is in somebody's code.
pub(crate) fn foreign(rules: &Rules) -> bool {
    matches!(rules.transfer, Transfer::Foreign(_))
}

/// Whether the side to move stands as the goal wants it.
pub(crate) fn reached(walk: &Walk, goal: Goal) -> bool {
    (goal == Goal::Mate) == walk.in_check() && !walk.has_moves()
}
