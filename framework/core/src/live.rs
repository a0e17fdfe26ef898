//! A state and its engine behind an object-safe face, and the walks over whole trees of moves that
//! should not pay for it at every node: listing, counting.

use crate::cells::{CellSet, Wide};
use crate::engine::{CheckLines, Engine, Visitor};
use crate::men::{Colour, Man};
use crate::movement::PieceMovement;
use crate::moves::{Move, MoveKind};
use crate::rules::{Movement, Rules, Transfer};
use crate::setup::Setup;
use crate::shape::{Board, Cell, Square};
use crate::state::State;
use crate::tables::Tables;
use crate::transfer::TransferPolicy;
use crate::walk::{AnyTrail, Trail};
use smallvec::SmallVec;
use std::sync::Arc;

/// What a [`crate::Position`] asks of a state of whatever width.
pub(crate) trait Live: Send + Sync {
    fn clone_box(&self) -> Box<dyn Live>;
    fn setup(&self) -> Setup;
    fn man(&self, square: Square) -> Option<Man>;
    fn turn(&self) -> Colour;
    fn halfmoves(&self) -> u16;
    fn hash(&self) -> u64;
    fn hash_from_scratch(&self) -> u64;
    fn in_check(&self) -> bool;
    fn legal_moves(&self) -> Vec<Move>;
    fn play(&mut self, mv: &Move);
    fn perft(&self, depth: u32, bulk: bool) -> u64;
    fn only_kings(&self) -> bool;
    fn trail(&self) -> Box<dyn AnyTrail>;
    /// How many bytes a state takes.
    fn bytes(&self) -> usize;
}

/// Makes live states of one variant, in the width that the variant needs.
pub(crate) trait AnyEngine: Send + Sync {
    fn live(&self, setup: &Setup) -> Box<dyn Live>;
}

struct Maker<S: CellSet, const N: usize, const K: usize>(Arc<Engine<S, N, K>>);

impl<S: CellSet, const N: usize, const K: usize> AnyEngine for Maker<S, N, K> {
    fn live(&self, setup: &Setup) -> Box<dyn Live> {
        let mut state = State::from_setup(setup);
        state.hash = self.0.hash(&state);
        Box::new(At { engine: self.0.clone(), state })
    }
}

/// The engine for these rules. Widths, numbers of boards and of kinds are rounded up to one of a few.
pub(crate) fn engine(rules: &Arc<Rules>) -> Box<dyn AnyEngine> {
    let (cells, boards, kinds) = (rules.shape.cells(), rules.boards, rules.men.len());
    macro_rules! make {
        ($set:ty, $method:ident, $n:literal, $k:literal) => {{
            let movement = |m: &Movement| -> Arc<dyn PieceMovement<$set>> {
                match m {
                    Movement::Steps(steps) => Arc::new(steps.clone()),
                    Movement::Foreign(foreign) => foreign.clone().$method(),
                }
            };
            let policy: Option<Arc<dyn TransferPolicy<$set>>> = match &rules.transfer {
                Transfer::Standard(_) => None,
                Transfer::Foreign(foreign) => Some(foreign.clone().$method()),
            };
            let tables = Tables::new(rules, movement);
            Box::new(Maker(Arc::new(Engine::<$set, $n, $k>::new(rules.clone(), tables, policy))))
        }};
    }
    // Each line is compiled by itself, so that there are only as many as earn it: the common games have
    // theirs exactly, the rest share.
    match (cells, boards, kinds) {
        (0..=64, 1, 0..=6) => make!(u64, for_64, 1, 6),
        (0..=64, 2, 0..=6) => make!(u64, for_64, 2, 6),
        (0..=64, 3, 0..=6) => make!(u64, for_64, 3, 6),
        (0..=64, ..) => make!(u64, for_64, 8, 26),
        (65..=128, 1..=2, 0..=8) => make!(u128, for_128, 2, 8),
        _ => make!(Wide, for_256, 8, 26),
    }
}

/// A state and the engine that knows its rules.
struct At<S: CellSet, const N: usize, const K: usize> {
    engine: Arc<Engine<S, N, K>>,
    state: State<S, N, K>,
}

impl<S: CellSet, const N: usize, const K: usize> Live for At<S, N, K> {
    fn clone_box(&self) -> Box<dyn Live> {
        Box::new(Self { engine: self.engine.clone(), state: self.state })
    }
    fn setup(&self) -> Setup {
        self.state.to_setup(self.engine.rules.shape, self.engine.rules.boards)
    }
    fn man(&self, square: Square) -> Option<Man> {
        self.state.boards[square.board.index()].man(square.cell)
    }
    fn turn(&self) -> Colour {
        self.state.turn
    }
    fn halfmoves(&self) -> u16 {
        self.state.halfmoves
    }
    fn hash(&self) -> u64 {
        self.state.hash
    }
    fn hash_from_scratch(&self) -> u64 {
        self.engine.hash(&self.state)
    }
    fn in_check(&self) -> bool {
        self.engine.in_check(&self.state, self.state.turn)
    }
    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        let batches = Batches::of(&self.engine, &self.state);
        batches.each(&self.engine, self.state.turn, |mv, _| moves.push(mv));
        moves
    }
    fn play(&mut self, mv: &Move) {
        self.state = self.engine.make::<true>(&self.state, mv);
    }
    fn perft(&self, depth: u32, bulk: bool) -> u64 {
        match (depth, bulk) {
            (0, _) => 1,
            (_, true) => perft::<_, N, K, true>(&self.engine, &self.state, depth),
            (_, false) => perft::<_, N, K, false>(&self.engine, &self.state, depth),
        }
    }
    fn only_kings(&self) -> bool {
        self.engine.only_kings(&self.state)
    }
    fn trail(&self) -> Box<dyn AnyTrail> {
        Box::new(Trail::new(self.engine.clone(), self.state))
    }
    fn bytes(&self) -> usize {
        size_of::<State<S, N, K>>()
    }
}

/// Moves of one man by one route, or zero moves of men of one kind.
#[derive(Clone, Copy)]
pub(crate) struct Batch<S> {
    pub(crate) origin: u8,
    pub(crate) landing: u8,
    pub(crate) kind: u8,
    /// The cell it leaves; none for zero moves, which leave and arrive on the same cell.
    pub(crate) from: Option<Cell>,
    to: S,
}

/// All legal moves of a position, as they come: in sets.
pub(crate) struct Batches<S: CellSet> {
    sets: SmallVec<[Batch<S>; 64]>,
    singles: SmallVec<[(u8, Move); 4]>,
}

impl<S: CellSet> Batches<S> {
    #[inline(never)]
    pub(crate) fn of<const N: usize, const K: usize>(
        engine: &Engine<S, N, K>,
        state: &State<S, N, K>,
    ) -> Self {
        let mut batches = Self { sets: SmallVec::new(), singles: SmallVec::new() };
        engine.generate(state, &mut batches);
        batches
    }

    /// Hands over each move, with the kind of the man that moves.
    #[inline(always)]
    pub(crate) fn each<const N: usize, const K: usize>(
        &self,
        engine: &Engine<S, N, K>,
        colour: Colour,
        mut visit: impl FnMut(Move, usize),
    ) {
        for batch in &self.sets {
            let kind = usize::from(batch.kind);
            let zone = engine.promotion_zone(kind, colour);
            for to in batch.to.cells() {
                let mv = Move {
                    from: batch.from.unwrap_or(to),
                    origin: Board(batch.origin),
                    to,
                    landing: Board(batch.landing),
                    promotion: None,
                    kind: if batch.from.is_some() { MoveKind::Ordinary } else { MoveKind::Zero },
                };
                if zone.has(to) && batch.from.is_some() {
                    for promotion in engine.promotes_to(kind) {
                        visit(Move { promotion: Some(*promotion), ..mv }, kind);
                    }
                } else {
                    visit(mv, kind);
                }
            }
        }
        for (kind, mv) in &self.singles {
            visit(*mv, usize::from(*kind));
        }
    }
}

impl<S: CellSet> Visitor<S> for Batches<S> {
    const COUNTS: bool = false;

    #[inline(always)]
    fn men(&mut self, origin: usize, from: Cell, kind: usize, landing: usize, targets: S) {
        self.sets.push(Batch {
            origin: origin as u8,
            landing: landing as u8,
            kind: kind as u8,
            from: Some(from),
            to: targets,
        });
    }

    fn zero(&mut self, origin: usize, kind: usize, landing: usize, cells: S) {
        self.sets.push(Batch {
            origin: origin as u8,
            landing: landing as u8,
            kind: kind as u8,
            from: None,
            to: cells,
        });
    }

    fn single(&mut self, kind: usize, mv: Move) {
        self.singles.push((kind as u8, mv));
    }

    fn count(&mut self, _: usize, _: u32) {
        unreachable!("only asked for by a visitor that counts");
    }
}

/// Counts the moves of a leaf's parent without making them.
struct Count<'a, S: CellSet, const N: usize, const K: usize> {
    engine: &'a Engine<S, N, K>,
    colour: Colour,
    total: u64,
}

impl<S: CellSet, const N: usize, const K: usize> Visitor<S> for Count<'_, S, N, K> {
    const COUNTS: bool = true;

    #[inline(always)]
    fn men(&mut self, _: usize, _: Cell, kind: usize, _: usize, targets: S) {
        let (zone, more) = self.engine.promotion_of(kind, self.colour);
        self.total += u64::from(targets.count());
        if more > 0 {
            self.total += u64::from((targets & zone).count() * more);
        }
    }

    #[inline(always)]
    fn zero(&mut self, _: usize, _: usize, _: usize, cells: S) {
        self.total += u64::from(cells.count());
    }

    #[inline(always)]
    fn single(&mut self, _: usize, _: Move) {
        self.total += 1;
    }

    #[inline(always)]
    fn count(&mut self, _: usize, moves: u32) {
        self.total += u64::from(moves);
    }
}

/// The number of sequences of `depth` legal moves; `depth` is at least 1.
fn perft<S: CellSet, const N: usize, const K: usize, const BULK: bool>(
    engine: &Engine<S, N, K>,
    state: &State<S, N, K>,
    depth: u32,
) -> u64 {
    if BULK && depth == 1 {
        return leaves(engine, state);
    }
    let mut total = 0;
    Batches::of(engine, state).each(engine, state.turn, |mv, kind| {
        let mut next = *state;
        // A full count makes its leaves as a search would, hash and all.
        if BULK {
            engine.apply::<false>(state, &mut next, &mv, kind);
        } else {
            engine.apply::<true>(state, &mut next, &mv, kind);
        }
        total += if depth == 1 {
            std::hint::black_box(&next);
            1
        } else {
            perft::<S, N, K, BULK>(engine, &next, depth - 1)
        };
    });
    total
}

/// The number of legal moves.
#[inline(never)]
pub(crate) fn leaves<S: CellSet, const N: usize, const K: usize>(
    engine: &Engine<S, N, K>,
    state: &State<S, N, K>,
) -> u64 {
    let mut count = Count { engine, colour: state.turn, total: 0 };
    engine.generate(state, &mut count);
    count.total
}

/// Whether any move was seen.
struct Any(bool);

impl<S: CellSet> Visitor<S> for Any {
    const COUNTS: bool = false;

    #[inline(always)]
    fn men(&mut self, _: usize, _: Cell, _: usize, _: usize, targets: S) {
        self.0 |= !targets.is_empty();
    }
    #[inline(always)]
    fn zero(&mut self, _: usize, _: usize, _: usize, cells: S) {
        self.0 |= !cells.is_empty();
    }
    #[inline(always)]
    fn single(&mut self, _: usize, _: Move) {
        self.0 = true;
    }
    fn count(&mut self, _: usize, _: u32) {
        unreachable!("only asked for by a visitor that counts");
    }
    #[inline(always)]
    fn enough(&self) -> bool {
        self.0
    }
}

/// Whether there is a legal move; asks no longer than until one is found.
#[inline(never)]
pub(crate) fn has_moves<S: CellSet, const N: usize, const K: usize>(
    engine: &Engine<S, N, K>,
    state: &State<S, N, K>,
) -> bool {
    let mut any = Any(false);
    engine.generate(state, &mut any);
    any.0
}

/// Makes the moves that might give check, and shows those that do, until one is what is looked for.
struct Checks<'a, S: CellSet, const N: usize, const K: usize, F> {
    engine: &'a Engine<S, N, K>,
    state: &'a State<S, N, K>,
    lines: Option<CheckLines<S, N, K>>,
    is_it: F,
    found: bool,
}

impl<S: CellSet, const N: usize, const K: usize, F> Checks<'_, S, N, K, F>
where
    F: FnMut(Move, &State<S, N, K>) -> bool,
{
    fn candidates(&self, kind: usize, from: Option<Cell>, origin: usize, landing: usize) -> S {
        self.lines.as_ref().map_or(!S::EMPTY, |lines| lines.candidates(kind, from, origin, landing))
    }

    fn test(&mut self, mv: Move, kind: usize) {
        if !self.found {
            let mut next = *self.state;
            self.engine.apply::<false>(self.state, &mut next, &mv, kind);
            self.found = self.engine.in_check(&next, next.turn) && (self.is_it)(mv, &next);
        }
    }
}

impl<S: CellSet, const N: usize, const K: usize, F> Visitor<S> for Checks<'_, S, N, K, F>
where
    F: FnMut(Move, &State<S, N, K>) -> bool,
{
    const COUNTS: bool = false;

    #[inline(always)]
    fn men(&mut self, origin: usize, from: Cell, kind: usize, landing: usize, targets: S) {
        let cells = targets & self.candidates(kind, Some(from), origin, landing);
        if !cells.is_empty() {
            let zone = self.engine.promotion_zone(kind, self.state.turn);
            for to in cells.cells() {
                let mv = Move {
                    from,
                    origin: Board(origin as u8),
                    to,
                    landing: Board(landing as u8),
                    promotion: None,
                    kind: MoveKind::Ordinary,
                };
                if zone.has(to) {
                    for promotion in self.engine.promotes_to(kind) {
                        self.test(Move { promotion: Some(*promotion), ..mv }, kind);
                    }
                } else {
                    self.test(mv, kind);
                }
            }
        }
    }

    fn zero(&mut self, origin: usize, kind: usize, landing: usize, cells: S) {
        for cell in (cells & self.candidates(kind, None, origin, landing)).cells() {
            let mv = Move {
                from: cell,
                origin: Board(origin as u8),
                to: cell,
                landing: Board(landing as u8),
                promotion: None,
                kind: MoveKind::Zero,
            };
            self.test(mv, kind);
        }
    }

    fn single(&mut self, kind: usize, mv: Move) {
        self.test(mv, kind);
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
        self.lines.as_ref().is_some_and(|lines| lines.nothing(kind, origin))
    }
}

/// Shows the legal moves that give check, with the state after each, until one is what is looked for; says
/// whether there was one.
#[inline(always)]
pub(crate) fn any_check<S: CellSet, const N: usize, const K: usize>(
    engine: &Engine<S, N, K>,
    state: &State<S, N, K>,
    is_it: impl FnMut(Move, &State<S, N, K>) -> bool,
) -> bool {
    let lines = engine.check_lines(state);
    let mut checks = Checks { engine, state, lines, is_it, found: false };
    engine.generate(state, &mut checks);
    checks.found
}
