//! A walk through the tree of moves, forth and back: what searches and solvers stand on, that visit
//! millions of positions and keep none.
//!
//! Must not know what a search looks for.

use crate::cells::CellSet;
use crate::engine::{Engine, Visitor};
use crate::live::{any_check, has_moves};
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

    /// Appends the legal moves that neither capture nor promote.
    pub fn quiets(&self, into: &mut Vec<Move>) {
        self.trail.quiets(into);
    }

    /// Whether a move, which need not even make sense here, is legal; looks at no other men's moves than those
    /// of its kind.
    pub fn is_legal(&self, mv: &Move) -> bool {
        self.trail.is_legal(mv)
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

    /// The same for the side to move, and for the other if this one passed.
    pub fn mobilities(&self) -> [[u32; MAX_KINDS]; 2] {
        self.trail.mobilities()
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
    fn quiets(&self, into: &mut Vec<Move>);
    fn is_legal(&self, mv: &Move) -> bool;
    fn checks(&mut self, into: &mut Vec<Move>);
    fn mates(&self, into: &mut Vec<Move>);
    fn has_mate(&self) -> bool;
    fn has_moves(&self) -> bool;
    fn count_moves(&self) -> u64;
    fn mobility(&self) -> [u32; MAX_KINDS];
    fn mobilities(&self) -> [[u32; MAX_KINDS]; 2];
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

    #[inline(never)]
    fn list(&self, part: Part, into: &mut Vec<Move>) {
        let mut listed = Listed { engine: &self.engine, state: &self.now, part, into };
        self.engine.generate(&self.now, &mut listed);
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
        self.list(Part::All, into);
    }
    fn captures(&self, into: &mut Vec<Move>) {
        self.list(Part::Captures, into);
    }
    fn quiets(&self, into: &mut Vec<Move>) {
        self.list(Part::Quiets, into);
    }
    fn is_legal(&self, mv: &Move) -> bool {
        let (rules, state) = (&self.engine.rules, &self.now);
        let cells = rules.shape.cells();
        if mv.origin.0 >= rules.boards || mv.from.index() >= cells || mv.to.index() >= cells {
            return false;
        }
        let Some(man) = state.boards[mv.origin.index()].man(mv.from) else { return false };
        let mut one = One { engine: &self.engine, us: state.turn, mv, man, found: false };
        if man.colour == state.turn {
            self.engine.generate(state, &mut one);
        }
        one.found
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
        self.engine.mobility(&self.now).0
    }
    fn mobilities(&self) -> [[u32; MAX_KINDS]; 2] {
        self.engine.mobilities(&self.now).map(|mobility| mobility.0)
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

/// Which of the legal moves are listed.
#[derive(Clone, Copy)]
enum Part {
    All,
    /// Those that capture or promote.
    Captures,
    /// All others.
    Quiets,
}

/// Lists moves as they come.
struct Listed<'a, S: CellSet, const N: usize, const K: usize> {
    engine: &'a Engine<S, N, K>,
    state: &'a State<S, N, K>,
    part: Part,
    into: &'a mut Vec<Move>,
}

impl<S: CellSet, const N: usize, const K: usize> Listed<'_, S, N, K> {
    /// Those of the arrival cells by which a move captures or promotes, or the others.
    #[inline(always)]
    fn of_part(&self, captures: S) -> S {
        match self.part {
            Part::All => !S::EMPTY,
            Part::Captures => captures,
            Part::Quiets => !captures,
        }
    }

    #[inline(always)]
    fn enemies(&self, board: usize) -> S {
        self.state.boards[board].colour[(!self.state.turn).index()]
    }
}

impl<S: CellSet, const N: usize, const K: usize> Visitor<S> for Listed<'_, S, N, K> {
    const COUNTS: bool = false;

    #[inline(always)]
    fn men(&mut self, origin: usize, from: Cell, kind: usize, landing: usize, targets: S) {
        let zone = self.engine.promotion_zone(kind, self.state.turn);
        for to in targets.cells() {
            let mv = Move {
                from,
                origin: Board(origin as u8),
                to,
                landing: Board(landing as u8),
                promotion: None,
                kind: MoveKind::Ordinary,
            };
            if zone.has(to) {
                let promotions = self.engine.promotes_to(kind).iter();
                self.into.extend(promotions.map(|to| Move { promotion: Some(*to), ..mv }));
            } else {
                self.into.push(mv);
            }
        }
    }

    fn zero(&mut self, origin: usize, _: usize, landing: usize, cells: S) {
        for cell in (cells & self.of_part(self.enemies(landing))).cells() {
            let (origin, landing) = (Board(origin as u8), Board(landing as u8));
            let kind = MoveKind::Zero;
            self.into.push(Move { from: cell, origin, to: cell, landing, promotion: None, kind });
        }
    }

    fn single(&mut self, _: usize, mv: Move) {
        let wanted = match self.part {
            Part::All => true,
            Part::Captures => mv.kind == MoveKind::EnPassant,
            Part::Quiets => mv.kind != MoveKind::EnPassant,
        };
        if wanted {
            self.into.push(mv);
        }
    }

    fn count(&mut self, _: usize, _: u32) {
        unreachable!("only asked for by a visitor that counts");
    }

    #[inline(always)]
    fn wanted(&self, origin: usize, kind: usize) -> S {
        self.of_part(self.enemies(origin) | self.engine.promotion_zone(kind, self.state.turn))
    }

    fn castles(&self) -> bool {
        !matches!(self.part, Part::Captures)
    }
}

/// Looks for one move.
struct One<'a, S: CellSet, const N: usize, const K: usize> {
    engine: &'a Engine<S, N, K>,
    us: Colour,
    mv: &'a Move,
    man: Man,
    found: bool,
}

impl<S: CellSet, const N: usize, const K: usize> One<'_, S, N, K> {
    fn is_of(&self, origin: usize, kind: usize) -> bool {
        origin == self.mv.origin.index() && kind == self.man.kind.index()
    }
}

impl<S: CellSet, const N: usize, const K: usize> Visitor<S> for One<'_, S, N, K> {
    const COUNTS: bool = false;

    fn men(&mut self, _: usize, from: Cell, kind: usize, landing: usize, targets: S) {
        let mv = self.mv;
        if from == mv.from && landing == mv.landing.index() && targets.has(mv.to) {
            let promotes = self.engine.promotion_zone(kind, self.us).has(mv.to);
            self.found |= match mv.promotion {
                None => !promotes,
                Some(to) => promotes && self.engine.promotes_to(kind).contains(&to),
            };
        }
    }

    fn zero(&mut self, origin: usize, kind: usize, landing: usize, cells: S) {
        let mv = self.mv;
        self.found |= mv.kind == MoveKind::Zero
            && self.is_of(origin, kind)
            && landing == mv.landing.index()
            && cells.has(mv.from)
            && mv.to == mv.from
            && mv.promotion.is_none();
    }

    fn single(&mut self, _: usize, mv: Move) {
        self.found |= mv == *self.mv;
    }

    fn count(&mut self, _: usize, _: u32) {
        unreachable!("only asked for by a visitor that counts");
    }

    #[inline(always)]
    fn enough(&self) -> bool {
        self.found
    }

    #[inline(always)]
    fn skips(&self, origin: usize, kind: usize) -> bool {
        self.mv.kind != MoveKind::Ordinary || !self.is_of(origin, kind)
    }

    #[inline(always)]
    fn wanted(&self, origin: usize, kind: usize) -> S {
        if self.skips(origin, kind) { S::EMPTY } else { S::of(self.mv.to) }
    }

    fn castles(&self) -> bool {
        matches!(self.mv.kind, MoveKind::Castling(_))
    }
}
