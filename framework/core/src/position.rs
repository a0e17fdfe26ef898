//! Positions and games: the object-safe face of the core, where calls are big and never one per move.
//!
//! Must not know how men stand in memory (the engine does) nor how moves are searched.

use crate::live::Live;
use crate::men::{Colour, Man};
use crate::moves::{Move, MoveKind};
use crate::rules::{Rules, Stalemate};
use crate::setup::Setup;
use crate::shape::{Board, Cell, Square};
use crate::variant::Variant;
use crate::walk::AnyTrail;
use std::fmt;
use std::ops::Range;

/// A legal position of a variant: who stands where, whose turn it is, which rights remain.
pub struct Position {
    variant: Variant,
    live: Box<dyn Live>,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self { variant: self.variant.clone(), live: self.live.clone_box() }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

/// The position's text, as [`Variant::read_position`] reads it.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.variant.write_setup(&self.setup()))
    }
}

impl Position {
    pub(crate) fn new(variant: Variant, setup: &Setup) -> Self {
        let live = variant.0.engine().live(setup);
        Self { variant, live }
    }

    pub(crate) fn trail(&self) -> Box<dyn AnyTrail> {
        self.live.trail()
    }

    /// The variant it belongs to.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The rules of its variant.
    pub fn rules(&self) -> &Rules {
        self.variant.rules()
    }

    /// The position as plain men on boards.
    pub fn setup(&self) -> Setup {
        self.live.setup()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Colour {
        self.live.turn()
    }

    /// The man on a square.
    pub fn man(&self, square: Square) -> Option<Man> {
        self.live.man(square)
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmoves(&self) -> u16 {
        self.live.halfmoves()
    }

    /// A number that almost surely differs from that of any other position: men, boards, side, rights and
    /// en passant count, the clocks do not. The same on every machine; kept up to date by each move.
    pub fn hash(&self) -> u64 {
        self.live.hash()
    }

    /// The same number, computed anew: the slow twin of [`Position::hash`].
    pub fn hash_from_scratch(&self) -> u64 {
        self.live.hash_from_scratch()
    }

    /// How many bytes the engine copies for each move.
    pub fn bytes(&self) -> usize {
        self.live.bytes()
    }

    /// All legal moves, in no particular order.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.live.legal_moves()
    }

    /// Whether the king of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        self.live.in_check()
    }

    /// The squares from which the king of the side to move is attacked.
    pub fn checkers(&self) -> Vec<Square> {
        let setup = self.setup();
        self.variant.reference().checkers(&setup, setup.turn)
    }

    /// Makes a legal move.
    ///
    /// # Panics
    /// May panic, or leave nonsense, if the move is not one of [`Position::legal_moves`].
    pub fn play(&mut self, mv: &Move) {
        self.live.play(mv);
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, mv: &Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// How many sequences of `depth` legal moves there are. Depth 0 is 1. Moves at the last depth are
    /// counted, not made.
    pub fn perft(&self, depth: u32) -> u64 {
        self.live.perft(depth, true)
    }

    /// The same number, with every move made, hash and all, as a search would.
    pub fn perft_full(&self, depth: u32) -> u64 {
        self.live.perft(depth, false)
    }

    /// Reads a move of this position, in exact or short form: `e2Ae4B`, `e2e4`, `a7a8q`. A board may be
    /// left out on either side.
    ///
    /// # Errors
    /// If the text is no move, or fits no legal move or more than one.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let pattern = read_pattern(self.rules(), text)?;
        let mut fit: Vec<Move> = self.legal_moves().into_iter().filter(|m| pattern.fits(m)).collect();
        fit.sort_by_key(|m| m.exact(self.rules()));
        let given = fit.iter().filter(|m| m.promotion.is_some() == pattern.promotion.is_some());
        let given: Vec<Move> = given
            .filter(|m| {
                let letter = m.promotion.map(|k| self.rules().man(k).letter.to_ascii_lowercase());
                letter == pattern.promotion
            })
            .copied()
            .collect();
        let exact = |moves: &[Move]| moves.iter().map(|m| m.exact(self.rules())).collect();
        let text = text.to_string();
        match (given.as_slice(), fit.as_slice()) {
            ([one], _) => Ok(*one),
            ([], []) => Err(MoveError::Illegal { text }),
            ([], all) if pattern.promotion.is_none() => {
                Err(MoveError::PromotionMissing { text, candidates: exact(all) })
            }
            ([], all) => Err(MoveError::PromotionImpossible { text, candidates: exact(all) }),
            (several, _) => Err(MoveError::Ambiguous { text, candidates: exact(several) }),
        }
    }

    /// Whether the position ends the game by itself: mate, stalemate, a count of moves without progress,
    /// bare kings. Repetition needs a [`Record`].
    pub fn outcome(&self) -> Option<Outcome> {
        let ends = self.rules().ends;
        let turn = self.turn();
        if self.legal_moves().is_empty() {
            return Some(if self.in_check() {
                Outcome::Mate { winner: !turn }
            } else {
                Outcome::Stalemate {
                    winner: match ends.stalemate {
                        Stalemate::Draw => None,
                        Stalemate::Loss => Some(!turn),
                        Stalemate::Win => Some(turn),
                    },
                }
            });
        }
        if ends.bare_kings && self.live.only_kings() {
            return Some(Outcome::BareKings);
        }
        let limit = ends.moves_without_progress?;
        let plies = u32::from(limit) * 2;
        (u32::from(self.halfmoves()) >= plies).then_some(Outcome::NoProgress { moves: limit })
    }
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The king of the side to move is attacked and it has no legal move.
    Mate {
        /// Who has won.
        winner: Colour,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate {
        /// Who has won, where the variant counts it as a win of somebody.
        winner: Option<Colour>,
    },
    /// So many moves of each side without capture or pawn move.
    NoProgress {
        /// How many.
        moves: u16,
    },
    /// The same position so many times.
    Repetition {
        /// How many.
        times: u16,
    },
    /// Only kings are left.
    BareKings,
}

/// The result of a game as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

impl Outcome {
    /// Who has won; none for a draw.
    pub const fn winner(self) -> Option<Colour> {
        match self {
            Self::Mate { winner } => Some(winner),
            Self::Stalemate { winner } => winner,
            _ => None,
        }
    }

    /// The result as it is written.
    pub const fn score(self) -> Score {
        match self.winner() {
            Some(Colour::White) => Score::White,
            Some(Colour::Black) => Score::Black,
            None => Score::Draw,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate { winner } => write!(f, "mate, {} wins", winner.name()),
            Self::Stalemate { winner: None } => f.write_str("stalemate, a draw"),
            Self::Stalemate { winner: Some(winner) } => write!(f, "stalemate, {} wins", winner.name()),
            Self::NoProgress { moves } => write!(f, "{moves} moves without capture or pawn move, a draw"),
            Self::Repetition { times } => write!(f, "the same position {times} times, a draw"),
            Self::BareKings => f.write_str("only kings are left, a draw"),
        }
    }
}

/// Why a text is not accepted as a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It is not the text of a move.
    #[error("{text:?} is not a move: {problem}; {advice}")]
    Unreadable {
        /// What was given.
        text: String,
        /// The bytes at fault.
        at: Range<usize>,
        /// What is wrong there.
        problem: String,
        /// What to write.
        advice: String,
    },
    /// It fits no legal move.
    #[error("{text:?} is not legal here; ask for the legal moves, or why this is none")]
    Illegal {
        /// What was given.
        text: String,
    },
    /// It fits several legal moves.
    #[error("{text:?} could be {}; write one of them", self.list())]
    Ambiguous {
        /// What was given.
        text: String,
        /// The moves that fit, in the notation in which the text was read.
        candidates: Vec<String>,
    },
    /// The man promotes there, and the text does not say to what.
    #[error("{text:?} promotes, and does not say to what; write one of {}", self.list())]
    PromotionMissing {
        /// What was given.
        text: String,
        /// The moves that fit, in the notation in which the text was read.
        candidates: Vec<String>,
    },
    /// The man does not promote there, or not to that.
    #[error("{text:?} can't promote to that; write {}", self.list())]
    PromotionImpossible {
        /// What was given.
        text: String,
        /// The moves that would fit, in the notation in which the text was read.
        candidates: Vec<String>,
    },
}

impl MoveError {
    fn list(&self) -> String {
        match self {
            Self::Ambiguous { candidates, .. }
            | Self::PromotionMissing { candidates, .. }
            | Self::PromotionImpossible { candidates, .. } => candidates.join(" or "),
            _ => String::new(),
        }
    }
}

/// What a move's text says: some boards may be left out. It need not be a legal move, nor any move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The cell left.
    pub from: Cell,
    /// The board left, if the text names it.
    pub origin: Option<Board>,
    /// The arrival cell.
    pub to: Cell,
    /// The landing board, if the text names it.
    pub landing: Option<Board>,
    /// The small letter of the kind to become, if the text has one.
    pub promotion: Option<char>,
}

impl Pattern {
    /// Reads the text of a move, exact or short, without asking whether there is such a move.
    ///
    /// # Errors
    /// [`MoveError::Unreadable`] if it is not the text of a move on these boards.
    pub fn read(rules: &Rules, text: &str) -> Result<Self, MoveError> {
        read_pattern(rules, text)
    }

    /// Whether cells and boards are those of the move; promotion is not looked at.
    pub fn fits(&self, mv: &Move) -> bool {
        mv.from == self.from
            && mv.to == self.to
            && self.origin.is_none_or(|b| b == mv.origin)
            && self.landing.is_none_or(|b| b == mv.landing)
    }
}

fn read_pattern(rules: &Rules, text: &str) -> Result<Pattern, MoveError> {
    let unreadable = |rest: &str, problem: String, advice: String| {
        let start = text.len() - rest.len();
        let end = start + rest.chars().next().map_or(0, char::len_utf8);
        MoveError::Unreadable { text: text.chars().take(60).collect(), at: start..end, problem, advice }
    };
    let shape = rules.shape;
    let corner = shape.cell_name(Cell((shape.cells() - 1) as u8));
    let example = Move {
        from: Cell(0),
        origin: Board(0),
        to: Cell((shape.cells() - 1) as u8),
        landing: Board(rules.boards - 1),
        promotion: None,
        kind: MoveKind::Ordinary,
    };
    let example = format!("{} or {}", example.short(rules), example.exact(rules));
    let cell = |rest: &'_ str| -> Result<(Cell, usize), MoveError> {
        match shape.read_cell(rest) {
            Some((cell, after)) => Ok((cell, rest.len() - after.len())),
            None => {
                let first = shape.cell_name(Cell(0));
                let seen: String = rest.chars().take(4).collect();
                let problem = if rest.is_empty() {
                    "it ends where a cell should stand".to_string()
                } else {
                    format!("no cell is named at {seen:?}")
                };
                let castling = if rules.castling.is_empty() { "" } else { "; castling is the king's move" };
                let advice = format!("cells are {first} to {corner}; a move is written {example}{castling}");
                Err(unreadable(rest, problem, advice))
            }
        }
    };
    let board = |rest: &str| -> Result<Option<Board>, MoveError> {
        // With levels, a capital letter may also begin the next cell; then a board is left out.
        let Some(c) = rest.chars().next().filter(char::is_ascii_uppercase) else { return Ok(None) };
        if shape.levels() > 1 && shape.read_cell(rest).is_some() {
            return Ok(None);
        }
        let board = Board(c as u8 - b'A');
        if rules.has_board(board) {
            return Ok(Some(board));
        }
        let boards = match rules.boards {
            1 => "the only board is A".to_string(),
            n => format!("boards are A to {}", Board(n - 1)),
        };
        let promotes = rules.men.iter().any(|m| !m.promotes_to.is_empty());
        let man = rules.kind_of_letter(c).filter(|_| promotes && rest.len() == 1);
        let promotion = man.map(|_| format!("; to promote, write {}", c.to_ascii_lowercase()));
        let advice = boards + &promotion.unwrap_or_default();
        Err(unreadable(rest, format!("there is no board {c}"), advice))
    };
    let mut rest = text;
    let (from, read) = cell(rest)?;
    rest = &rest[read..];
    let origin = board(rest)?;
    rest = &rest[usize::from(origin.is_some())..];
    let (to, read) = cell(rest)?;
    rest = &rest[read..];
    let landing = board(rest)?;
    rest = &rest[usize::from(landing.is_some())..];
    let letter = rest.chars().next();
    let promotion = letter.filter(|c| c.is_ascii_lowercase() && rules.kind_of_letter(*c).is_some());
    rest = &rest[usize::from(promotion.is_some())..];
    if !rest.is_empty() {
        let seen: String = rest.chars().take(8).collect();
        let mut to: Vec<_> = rules.men.iter().flat_map(|m| &m.promotes_to).collect();
        to.sort();
        to.dedup();
        let letters: String = to.into_iter().map(|k| rules.man(*k).letter.to_ascii_lowercase()).collect();
        let promotion = match letters.as_str() {
            "" => String::new(),
            letters => format!(", and for a promotion one letter of {letters} at the end"),
        };
        let problem = format!("{seen:?} can't stand there");
        return Err(unreadable(rest, problem, format!("write {example}{promotion}")));
    }
    Ok(Pattern { from, origin, to, landing, promotion })
}

/// A game as it is played: where it started, its moves, and all positions so far.
#[derive(Clone, Debug)]
pub struct Record {
    positions: Vec<Position>,
    moves: Vec<Move>,
    keys: Vec<Setup>,
}

/// What has to be equal for a position to be repeated: men, side, rights. An en passant right counts
/// only if a capture is legal by it.
fn repetition_key(position: &Position) -> Setup {
    let mut setup = position.setup();
    setup.halfmoves = 0;
    setup.fullmoves = 1;
    if setup.en_passant.is_some() && !position.legal_moves().iter().any(|m| m.kind == MoveKind::EnPassant) {
        setup.en_passant = None;
    }
    setup
}

impl Record {
    /// A game that begins with this position.
    pub fn new(start: Position) -> Self {
        Self { keys: vec![repetition_key(&start)], positions: vec![start], moves: Vec::new() }
    }

    /// The position that the game began with.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a game has a starting position")
    }

    /// The moves made so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: &Move) {
        let next = self.position().after(mv);
        self.keys.push(repetition_key(&next));
        self.positions.push(next);
        self.moves.push(*mv);
    }

    /// Takes the last move back; none if there is none.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.keys.pop();
        Some(mv)
    }

    /// How many times the position now has stood, this time included.
    pub fn repetitions(&self) -> usize {
        let now = self.keys.last();
        self.keys.iter().filter(|k| Some(*k) == now).count()
    }

    /// How the game has ended; none if it goes on. Mate and stalemate come before draws by counting.
    pub fn outcome(&self) -> Option<Outcome> {
        let own = self.position().outcome();
        if let Some(Outcome::Mate { .. } | Outcome::Stalemate { .. }) = own {
            return own;
        }
        let times = self.position().rules().ends.repetition;
        match times {
            Some(times) if self.repetitions() >= usize::from(times) => Some(Outcome::Repetition { times }),
            _ => own,
        }
    }
}
