//! A walk through the tree of moves, forth and back: what searches and solvers stand on, that visit
//! millions of positions and keep none.
//!
//! Must not know what a search looks for.

use crate::cells::CellSet;
use crate::engine::{Engine, Visitor};
use crate::live::{Batches, any_check, has_moves};
use crate::men::{Colour, Kind, MAX_KINDS, Man};
use crate::moves::{Move, MoveKind};
use crate::position::Position;
use crate::setup::Setup;
use crate::shape::{Board, Cell, Square};
use crate::state::State;
use crate::variant::Variant;
use std::sync::Arc;

/// A place in the tree of moves under a position, and the way that led there.
///
/// ```
/// use alice_core::Walk;
///
/// fn perft(walk: &mut Walk, depth: u32) -> u64 {
///     if depth == 0 {
///         return 1;
///     }
///     let mut moves = Vec::new();
///     walk.moves(&mut moves);
///     let mut count = 0;
///     for mv in &moves {
///         walk.play(mv);
///         count += perft(walk, depth - 1);
///         walk.back();
///     }
///     count
/// }
/// ```
pub struct Walk {
    variant: Variant,
    trail: Box<dyn AnyTrail>,
}

impl Clone for Walk {
    fn clone(&self) -> Self {
        Self { variant: self.variant.clone(), trail: self.trail.clone_box() }
    }
}

impl Position {
    /// A walk that begins here.
    pub fn walk(&self) -> Walk {
        Walk { variant: self.variant().clone(), trail: self.trail() }
    }
}

impl Walk {
    /// The variant it belongs to.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The position reached.
    pub fn position(&self) -> Position {
        Position::new(self.variant.clone(), &self.trail.setup())
    }

    /// How many moves (and passes) it is from the beginning.
    pub fn ply(&self) -> usize {
        self.trail.ply()
    }

    /// Appends all legal moves, in no particular order but always the same.
    pub fn moves(&self, into: &mut Vec<Move>) {
        self.trail.moves(into);
    }

    /// Appends the legal moves that capture or promote.
    pub fn captures(&self, into: &mut Vec<Move>) {
        self.trail.captures(into);
    }

    /// Appends the legal moves that give check.
    pub fn checks(&mut self, into: &mut Vec<Move>) {
        self.trail.checks(into);
    }

    /// Appends the legal moves that mate.
    pub fn mates(&self, into: &mut Vec<Move>) {
        self.trail.mates(into);
    }

    /// Whether a legal move mates; looks no further than the first.
    pub fn has_mate(&self) -> bool {
        self.trail.has_mate()
    }

    /// Whether there is a legal move; looks no further than the first.
    pub fn has_moves(&self) -> bool {
        self.trail.has_moves()
    }

    /// How many legal moves there are.
    pub fn count_moves(&self) -> u64 {
        self.trail.count_moves()
    }

    /// How many legal moves the men of each kind have, promotions of one move to several kinds counted once.
    pub fn mobility(&self) -> [u32; MAX_KINDS] {
        self.trail.mobility()
    }

    /// Makes a legal move.
    ///
    /// # Panics
    /// May panic, or leave nonsense, if the move is not legal.
    pub fn play(&mut self, mv: &Move) {
        self.trail.play(mv);
    }

    /// Passes: the other side is to move, and an en passant right is gone. No game has this move; searches
    /// do.
    pub fn pass(&mut self) {
        self.trail.pass();
    }

    /// Takes the last move or pass back.
    ///
    /// # Panics
    /// If there is none.
    pub fn back(&mut self) {
        self.trail.back();
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Colour {
        self.trail.turn()
    }

    /// As [`Position::hash`].
    pub fn hash(&self) -> u64 {
        self.trail.hash()
    }

    /// Plies since the last capture or pawn move.
    pub fn halfmoves(&self) -> u16 {
        self.trail.halfmoves()
    }

    /// Whether the king of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        self.trail.in_check()
    }

    /// Whether a man of that colour attacks a square, as things stand.
    pub fn attacked(&self, square: Square, by: Colour) -> bool {
        self.trail.attacked(square, by)
    }

    /// Whether nobody but kings is left.
    pub fn only_kings(&self) -> bool {
        self.trail.only_kings()
    }

    /// The man on a square.
    pub fn man(&self, square: Square) -> Option<Man> {
        self.trail.man(square)
    }

    /// Shows each man and where it stands.
    pub fn each_man(&self, mut show: impl FnMut(Square, Man)) {
        self.trail.each_man(&mut show);
    }

    /// The man that a legal move captures.
    pub fn captured(&self, mv: &Move) -> Option<Man> {
        self.trail.captured(mv)
    }
}

/// The face of a trail of whatever width.
pub(crate) trait AnyTrail: Send {
    fn clone_box(&self) -> Box<dyn AnyTrail>;
    fn setup(&self) -> Setup;
    fn ply(&self) -> usize;
    fn moves(&self, into: &mut Vec<Move>);
    fn captures(&self, into: &mut Vec<Move>);
    fn checks(&mut self, into: &mut Vec<Move>);
    fn mates(&self, into: &mut Vec<Move>);
    fn has_mate(&self) -> bool;
    fn has_moves(&self) -> bool;
    fn count_moves(&self) -> u64;
    fn mobility(&self) -> [u32; MAX_KINDS];
    fn play(&mut self, mv: &Move);
    fn pass(&mut self);
    fn back(&mut self);
    fn turn(&self) -> Colour;
    fn hash(&self) -> u64;
    fn halfmoves(&self) -> u16;
    fn in_check(&self) -> bool;
    fn attacked(&self, square: Square, by: Colour) -> bool;
    fn only_kings(&self) -> bool;
    fn man(&self, square: Square) -> Option<Man>;
    fn each_man(&self, show: &mut dyn FnMut(Square, Man));
    fn captured(&self, mv: &Move) -> Option<Man>;
}

/// The states from the beginning to where the walk is.
#[derive(Clone)]
pub(crate) struct Trail<S: CellSet, const N: usize, const K: usize> {
    engine: Arc<Engine<S, N, K>>,
    before: Vec<State<S, N, K>>,
    now: State<S, N, K>,
}

impl<S: CellSet, const N: usize, const K: usize> Trail<S, N, K> {
    pub(crate) fn new(engine: Arc<Engine<S, N, K>>, now: State<S, N, K>) -> Self {
        Self { engine, before: Vec::with_capacity(64), now }
    }
}

impl<S: CellSet, const N: usize, const K: usize> AnyTrail for Trail<S, N, K> {
    fn clone_box(&self) -> Box<dyn AnyTrail> {
        Box::new(self.clone())
    }
    fn setup(&self) -> Setup {
        self.now.to_setup(self.engine.rules.shape, self.engine.rules.boards)
    }
    fn ply(&self) -> usize {
        self.before.len()
    }
    fn moves(&self, into: &mut Vec<Move>) {
        let batches = Batches::of(&self.engine, &self.now);
        batches.each(&self.engine, self.now.turn, |mv, _| into.push(mv));
    }
    fn captures(&self, into: &mut Vec<Move>) {
        let mut batches = Batches::of(&self.engine, &self.now);
        let (us, boards) = (self.now.turn, &self.now.boards);
        batches.restrict(|batch| {
            let prey = |board: u8| boards[usize::from(board)].colour[(!us).index()];
            match batch.from {
                Some(_) => prey(batch.origin) | self.engine.promotion_zone(usize::from(batch.kind), us),
                None => prey(batch.landing),
            }
        });
        batches.each(&self.engine, us, |mv, _| {
            if !matches!(mv.kind, MoveKind::Castling(_)) {
                into.push(mv);
            }
        });
    }
    fn checks(&mut self, into: &mut Vec<Move>) {
        any_check(&self.engine, &self.now, |mv, _| {
            into.push(mv);
            false
        });
    }
    fn mates(&self, into: &mut Vec<Move>) {
        any_check(&self.engine, &self.now, |mv, next| {
            if !has_moves(&self.engine, next) {
                into.push(mv);
            }
            false
        });
    }
    fn has_mate(&self) -> bool {
        any_check(&self.engine, &self.now, |_, next| !has_moves(&self.engine, next))
    }
    fn has_moves(&self) -> bool {
        has_moves(&self.engine, &self.now)
    }
    fn count_moves(&self) -> u64 {
        crate::live::leaves(&self.engine, &self.now)
    }
    fn mobility(&self) -> [u32; MAX_KINDS] {
        let mut mobility = Mobility([0; MAX_KINDS]);
        self.engine.generate(&self.now, &mut mobility);
        mobility.0
    }
    fn play(&mut self, mv: &Move) {
        let kind = self.engine.mover(&self.now, mv);
        self.before.push(self.now);
        let before = self.before.last().expect("it was just put there");
        self.engine.apply::<true>(before, &mut self.now, mv, kind);
    }
    fn pass(&mut self) {
        let next = self.engine.pass(&self.now);
        self.before.push(std::mem::replace(&mut self.now, next));
    }
    fn back(&mut self) {
        self.now = self.before.pop().expect("a move is taken back that was made");
    }
    fn turn(&self) -> Colour {
        self.now.turn
    }
    fn hash(&self) -> u64 {
        self.now.hash
    }
    fn halfmoves(&self) -> u16 {
        self.now.halfmoves
    }
    fn in_check(&self) -> bool {
        self.engine.in_check(&self.now, self.now.turn)
    }
    fn attacked(&self, square: Square, by: Colour) -> bool {
        self.engine.square_attacked(&self.now, square, by)
    }
    fn only_kings(&self) -> bool {
        self.engine.only_kings(&self.now)
    }
    fn man(&self, square: Square) -> Option<Man> {
        self.now.boards[square.board.index()].man(square.cell)
    }
    fn each_man(&self, show: &mut dyn FnMut(Square, Man)) {
        for (b, sets) in self.now.boards.iter().enumerate() {
            for (kind, set) in sets.kind.iter().enumerate() {
                for colour in Colour::BOTH {
                    for cell in (*set & sets.colour[colour.index()]).cells() {
                        let square = Square { board: Board(b as u8), cell };
                        show(square, Man { kind: Kind(kind as u8), colour });
                    }
                }
            }
        }
    }
    fn captured(&self, mv: &Move) -> Option<Man> {
        let (board, struck) = self.engine.struck(&self.now, mv);
        let sets = &self.now.boards[board];
        let taken = struck & sets.colour[(!self.now.turn).index()];
        if taken.is_empty() { None } else { sets.man(taken.lowest()) }
    }
}

/// Counts moves by the kind of the man that moves.
struct Mobility([u32; MAX_KINDS]);

impl<S: CellSet> Visitor<S> for Mobility {
    const COUNTS: bool = true;
    const PROMOTIONS: bool = false;

    #[inline(always)]
    fn men(&mut self, _: usize, _: Cell, kind: usize, _: usize, targets: S) {
        self.0[kind] += targets.count();
    }
    fn zero(&mut self, _: usize, kind: usize, _: usize, cells: S) {
        self.0[kind] += cells.count();
    }
    fn single(&mut self, kind: usize, _: Move) {
        self.0[kind] += 1;
    }
    #[inline(always)]
    fn count(&mut self, kind: usize, moves: u32) {
        self.0[kind] += moves;
    }
}
