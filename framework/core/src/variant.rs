//! A variant: rules that have been checked and made playable. Positions are made here.

use crate::live::{self, AnyEngine};
use crate::men::{Colour, MAX_KINDS, Man};
use crate::position::Position;
use crate::reference::{Reference, forward, path};
use crate::rules::{EnPassantRule, Rules, Transfer};
use crate::setup::Setup;
use crate::shape::{MAX_BOARDS, Square};
use crate::text::{self, Fault, PositionError};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Why rules can't be played: all reasons, a sentence each.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.reasons.join("\n"))]
pub struct RulesError {
    /// At least one.
    pub reasons: Vec<String>,
}

/// How much is asked of a setup before it becomes a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// What a game could need: one king a side, the side not to move not in check, castling rights
    /// only with king and rook at home, possible en passant only.
    #[default]
    Game,
    /// What a chess problem or a study of rules may do: kings may be missing and check does not matter.
    Problem,
}

pub(crate) struct Inner {
    pub(crate) rules: Arc<Rules>,
    pub(crate) reference: Reference,
    engine: OnceLock<Box<dyn AnyEngine>>,
}

impl Inner {
    /// The engine, made when the first position is: whoever only reads rules need not wait for it.
    pub(crate) fn engine(&self) -> &dyn AnyEngine {
        &**self.engine.get_or_init(|| live::engine(&self.rules))
    }
}

/// A playable variant. Cheap to clone.
#[derive(Clone)]
pub struct Variant(pub(crate) Arc<Inner>);

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Variant").field(&self.rules().name).finish()
    }
}

impl Variant {
    /// Checks rules and makes them playable.
    ///
    /// # Errors
    /// All reasons why they can't be played.
    pub fn new(rules: Rules) -> Result<Self, RulesError> {
        let mut reasons = Vec::new();
        check_rules(&rules, &mut reasons);
        if !reasons.is_empty() {
            return Err(RulesError { reasons });
        }
        let rules = Arc::new(rules);
        let reference = Reference::new(rules.clone());
        let variant = Self(Arc::new(Inner { engine: OnceLock::new(), rules: rules.clone(), reference }));
        let faults = variant.check_setup(&rules.start, Strictness::Game).into_iter();
        let reasons: Vec<_> = faults.map(|f| format!("in the starting position, {}", f.problem)).collect();
        if reasons.is_empty() { Ok(variant) } else { Err(RulesError { reasons }) }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.0.rules
    }

    /// The slow twin: the same rules read plainly, for comparing and explaining.
    pub fn reference(&self) -> &Reference {
        &self.0.reference
    }

    /// The starting position.
    pub fn start(&self) -> Position {
        self.position(&self.rules().start, Strictness::Game)
            .expect("the starting position was checked when the variant was made")
    }

    /// Reads the text of a position without asking whether it can be played.
    ///
    /// # Errors
    /// Every fault of the text, with its place.
    pub fn read_setup(&self, text: &str) -> Result<Setup, PositionError> {
        text::read_setup(self.rules(), text)
    }

    /// Writes the text of a setup.
    pub fn write_setup(&self, setup: &Setup) -> String {
        text::write_setup(self.rules(), setup)
    }

    /// Reads the text of a position that a game could reach.
    ///
    /// # Errors
    /// Every fault of the text, or every reason why what it says can't be played.
    pub fn read_position(&self, text: &str) -> Result<Position, PositionError> {
        let setup = self.read_setup(text)?;
        self.position(&setup, Strictness::Game).map_err(|mut error| {
            // What the check refuses has no place of its own, but one field can be blamed.
            for fault in &mut error.faults {
                fault.at = field_of(text, fault.at.start);
            }
            error
        })
    }

    /// Makes a setup playable.
    ///
    /// # Errors
    /// Every reason why it can't be played. [`Fault::at`] then holds the number of the field of the
    /// position's text that is to blame (0 the boards, 1 the side …), not bytes.
    pub fn position(&self, setup: &Setup, strictness: Strictness) -> Result<Position, PositionError> {
        let faults = self.check_setup(setup, strictness);
        if faults.is_empty() { Ok(Position::new(self.clone(), setup)) } else { Err(PositionError { faults }) }
    }

    fn check_setup(&self, setup: &Setup, strictness: Strictness) -> Vec<Fault> {
        let rules = self.rules();
        let mut faults = Vec::new();
        let mut fault = |field: usize, problem: String, advice: &str| {
            faults.push(Fault { at: field..field, problem, advice: advice.into() });
        };
        if setup.shape != rules.shape || setup.boards.len() != usize::from(rules.boards) {
            fault(0, "the boards are not those of the variant".into(), "use its number and shape of boards");
            return faults;
        }
        let mut kings_right = true;
        for colour in Colour::BOTH {
            let royal = rules.royal().expect("rules without a royal man are refused");
            let name = &rules.man(royal).name;
            let kings: Vec<_> = setup.find(Man { kind: royal, colour }).collect();
            let letter = rules.letter(royal, colour);
            if kings.len() > 1 {
                kings_right = false;
                let squares: Vec<_> = kings.iter().map(|k| rules.shape.square_name(*k)).collect();
                fault(
                    0,
                    format!("{} has {} {name}s, on {}", colour.name(), kings.len(), squares.join(", ")),
                    "leave just one",
                );
            } else if kings.is_empty() && strictness == Strictness::Game {
                kings_right = false;
                fault(0, format!("{} has no {name}", colour.name()), &format!("put one {letter} on a board"));
            }
        }
        if kings_right && strictness == Strictness::Game && rules.tests.after_transfer {
            let waiting = !setup.turn;
            let checkers = self.reference().checkers(setup, waiting);
            if let (Some(king), Some(by)) = (self.reference().king(setup, waiting), checkers.first()) {
                fault(
                    1,
                    format!(
                        "{} is to move, but {}'s king on {} is already attacked from {}",
                        setup.turn.name(),
                        waiting.name(),
                        rules.shape.square_name(king),
                        rules.shape.square_name(*by)
                    ),
                    "let the side in check move, or move one of these men",
                );
            }
        }
        for castling in rules.castling.iter().filter(|c| setup.castling & c.right() != 0) {
            let royal = rules.royal().expect("rules without a royal man are refused");
            let home = [(royal, castling.king_from), (castling.rook, castling.rook_from)];
            for (kind, cell) in home {
                let square = Square { board: castling.board, cell };
                if setup.man(square) != Some(Man { kind, colour: castling.colour }) {
                    let name = &rules.man(kind).name;
                    fault(
                        2,
                        format!(
                            "{} has a right to castle, but no {name} at home on {}",
                            castling.colour.name(),
                            rules.shape.square_name(square)
                        ),
                        "take the right away, or put the man there",
                    );
                }
            }
        }
        let known = rules.castling.iter().fold(0, |all, c| all | c.right());
        if setup.castling & !known != 0 {
            fault(2, "a right to castle that the variant does not have".into(), "take it away");
        }
        if let Some(problem) = self.en_passant_fault(setup) {
            fault(3, problem, "write - if no pawn has just double-stepped");
        }
        faults
    }

    fn en_passant_fault(&self, setup: &Setup) -> Option<String> {
        let right = setup.en_passant?;
        let rules = self.rules();
        let (shape, mover) = (rules.shape, !setup.turn);
        let name = |board, cell| shape.square_name(Square { board, cell });
        if rules.en_passant == EnPassantRule::None {
            return Some(format!("{} has no en passant", rules.name));
        }
        let from = forward(shape, right.passed, setup.turn);
        let to = forward(shape, right.passed, mover);
        let passed = shape.cell_name(right.passed);
        let (Some(from), Some(to)) = (from, to) else {
            return Some(format!("no pawn of {} can have passed over {passed}", mover.name()));
        };
        let pawn = Square { board: right.landing, cell: to };
        let Some(man) = setup.man(pawn).filter(|m| m.colour == mover && rules.double_steps(m.kind)) else {
            return Some(format!(
                "{} would have a pawn on {} that has just passed over {passed}, but there is none",
                mover.name(),
                name(pawn.board, to)
            ));
        };
        if !rules.initial(man.kind, mover, from) {
            return Some(format!(
                "{}'s {} can't double-step from {}",
                mover.name(),
                rules.man(man.kind).name,
                shape.cell_name(from)
            ));
        }
        if !self.reference().transfer().landings(right.origin).has(right.landing) {
            return Some(format!("no man goes from board {} to board {}", right.origin, right.landing));
        }
        let mut left = vec![from, right.passed];
        left.extend((right.origin != right.landing).then_some(to));
        let in_the_way =
            left.into_iter().find(|c| setup.man(Square { board: right.origin, cell: *c }).is_some())?;
        Some(format!(
            "{} must be vacant after a double step over {passed} from board {}",
            name(right.origin, in_the_way),
            right.origin
        ))
    }
}

/// The bytes of the `n`th field of a text, or its end.
fn field_of(text: &str, n: usize) -> std::ops::Range<usize> {
    match text.split_whitespace().nth(n) {
        Some(field) => {
            let start = field.as_ptr() as usize - text.as_ptr() as usize;
            start..start + field.len()
        }
        None => text.len()..text.len(),
    }
}

/// What the types of [`Rules`] can't rule out.
fn check_rules(rules: &Rules, reasons: &mut Vec<String>) {
    let mut reason = |text: String| reasons.push(text);
    let cells = rules.shape.cells();
    if rules.boards == 0 || usize::from(rules.boards) > MAX_BOARDS {
        reason(format!("{} boards; there may be 1 to {MAX_BOARDS}", rules.boards));
        return;
    }
    if rules.men.is_empty() || rules.men.len() > MAX_KINDS {
        reason(format!("{} kinds of men; there may be 1 to {MAX_KINDS}", rules.men.len()));
        return;
    }
    for (i, man) in rules.men.iter().enumerate() {
        if !man.letter.is_ascii_uppercase() {
            reason(format!("the letter of {} is {:?}, not one of A to Z", man.name, man.letter));
        }
        if let Some(other) = rules.men[..i].iter().find(|m| m.letter == man.letter) {
            reason(format!("{} and {} have the same letter {}", other.name, man.name, man.letter));
        }
        if man.promotes_to.iter().any(|k| k.index() >= rules.men.len()) {
            reason(format!("{} promotes to a kind that does not exist", man.name));
        } else if man.promotes_to.iter().any(|k| rules.man(*k).royal) {
            reason(format!("{} promotes to a royal man", man.name));
        }
        if man.royal && !man.promotes_to.is_empty() {
            reason(format!("{} is royal and can't promote", man.name));
        }
        let mut by_cell: Vec<_> = man.promotion.iter().collect();
        if let crate::Movement::Steps(steps) = &man.movement {
            if steps.shape != rules.shape {
                reason(format!("{} moves on boards of another shape", man.name));
            }
            by_cell.extend(&steps.initial);
            if steps.steps.iter().any(|s| s.offset == [0; 3]) {
                reason(format!("{} has a step that leads nowhere", man.name));
            }
        }
        if by_cell.iter().any(|list| list.len() != cells) {
            reason(format!("{}'s cells are not counted for {cells} cells", man.name));
        }
    }
    let royal = rules.men.iter().filter(|m| m.royal).count();
    if royal != 1 {
        reason(format!("{royal} kinds of men are royal; exactly one must be"));
    }
    if let Transfer::Standard(transfer) = &rules.transfer {
        for board in rules.all_boards() {
            let to = transfer.to[board.index()];
            if to.has(board) || to.iter().any(|b| !rules.has_board(b)) {
                reason(format!("men of board {board} transfer to itself or to a board that does not exist"));
            }
        }
    }
    for (i, castling) in rules.castling.iter().enumerate() {
        let whose = format!("{}'s castling on the {:?} wing", castling.colour.name(), castling.wing);
        if rules.castling[..i].iter().any(|c| c.right() == castling.right()) {
            reason(format!("{whose} is described twice"));
        }
        if !rules.has_board(castling.board) {
            reason(format!("{whose} is on a board that does not exist"));
        }
        if castling.rook.index() >= rules.men.len() || rules.man(castling.rook).royal {
            reason(format!("{whose} has no rook"));
        }
        let four = [castling.king_from, castling.king_to, castling.rook_from, castling.rook_to];
        if four.iter().any(|c| c.index() >= cells) {
            reason(format!("{whose} leaves the board"));
        } else if !four.iter().all(|c| path(rules.shape, four[0], *c).contains(c)) {
            reason(format!("{whose} is not along one rank"));
        } else if castling.king_from == castling.rook_from
            || castling.king_to == castling.rook_to
            || castling.king_from == castling.king_to
        {
            reason(format!("{whose} needs a king that moves, and cells of their own for both"));
        }
    }
    let boards = &rules.start.boards;
    let fits = rules.start.shape == rules.shape
        && boards.len() == usize::from(rules.boards)
        && boards.iter().all(|b| b.len() == cells)
        && boards.iter().flatten().flatten().all(|m| m.kind.index() < rules.men.len());
    if !fits {
        reason("the starting position does not fit the boards and men".into());
    }
}
