//! A position as the engine holds it: a few sets of cells for each board, copied for every move.
//!
//! Must not know what makes a move legal.

use crate::cells::CellSet;
use crate::men::{Colour, Kind, Man};
use crate::setup::{EnPassant, Setup};
use crate::shape::{Board, Cell, Square};
use crate::transfer::Boards;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The men of one board: a set for each colour and for each of at most `K` kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sets<S, const K: usize> {
    pub(crate) colour: [S; 2],
    pub(crate) kind: [S; K],
}

impl<S: CellSet, const K: usize> Sets<S, K> {
    const EMPTY: Self = Self { colour: [S::EMPTY; 2], kind: [S::EMPTY; K] };

    #[inline(always)]
    pub(crate) fn occupied(&self) -> S {
        self.colour[0] | self.colour[1]
    }

    pub(crate) fn man(&self, cell: Cell) -> Option<Man> {
        let colour = Colour::BOTH.into_iter().find(|c| self.colour[c.index()].has(cell))?;
        let kind = self.kind.iter().position(|set| set.has(cell))?;
        Some(Man { kind: Kind(kind as u8), colour })
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, kind: usize, colour: Colour, at: S) {
        self.colour[colour.index()] |= at;
        self.kind[kind] |= at;
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, kind: usize, colour: Colour, at: S) {
        self.colour[colour.index()] ^= at;
        self.kind[kind] ^= at;
    }

    /// Takes away whatever man of that colour stands there.
    #[inline(always)]
    pub(crate) fn clear(&mut self, colour: Colour, at: S) {
        self.colour[colour.index()] &= !at;
        for set in &mut self.kind {
            *set &= !at;
        }
    }
}

/// Men on `N` boards, whose turn it is, and the rights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State<S, const N: usize, const K: usize> {
    pub(crate) boards: [Sets<S, K>; N],
    pub(crate) hash: u64,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
    pub(crate) turn: Colour,
    pub(crate) castling: u8,
    pub(crate) en_passant: Option<EnPassant>,
}

impl<S: CellSet, const N: usize, const K: usize> State<S, N, K> {
    /// The state of a setup; its hash is left for the engine to fill in.
    pub(crate) fn from_setup(setup: &Setup) -> Self {
        let mut boards = [Sets::EMPTY; N];
        for (square, man) in setup.men() {
            boards[square.board.index()].put(man.kind.index(), man.colour, S::of(square.cell));
        }
        Self {
            boards,
            hash: 0,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            turn: setup.turn,
            castling: setup.castling,
            en_passant: setup.en_passant,
        }
    }

    /// The setup of a state, on so many boards of this shape.
    pub(crate) fn to_setup(self, shape: crate::Shape, boards: u8) -> Setup {
        let mut setup = Setup::empty(shape, boards);
        for board in (0..boards).map(Board) {
            let sets = &self.boards[board.index()];
            for cell in sets.occupied().cells() {
                setup.put(Square { board, cell }, sets.man(cell));
            }
        }
        setup.turn = self.turn;
        setup.castling = self.castling;
        setup.en_passant = self.en_passant;
        setup.halfmoves = self.halfmoves;
        setup.fullmoves = self.fullmoves;
        setup
    }
}

/// What a transfer policy is shown of a state.
pub(crate) struct Seen<'a, S, const N: usize, const K: usize> {
    pub(crate) state: &'a State<S, N, K>,
    pub(crate) all: S,
    pub(crate) boards: usize,
}

impl<S: CellSet, const N: usize, const K: usize> Boards<S> for Seen<'_, S, N, K> {
    fn boards(&self) -> usize {
        self.boards
    }
    fn all(&self) -> S {
        self.all
    }
    fn occupied(&self, board: Board) -> S {
        self.state.boards[board.index()].occupied()
    }
    fn of_colour(&self, board: Board, colour: Colour) -> S {
        self.state.boards[board.index()].colour[colour.index()]
    }
    fn of_kind(&self, board: Board, kind: Kind) -> S {
        self.state.boards[board.index()].kind[kind.index()]
    }
    fn turn(&self) -> Colour {
        self.state.turn
    }
    fn ply(&self) -> u32 {
        2 * u32::from(self.state.fullmoves.saturating_sub(1)) + self.state.turn as u32
    }
}

/// Random numbers for each thing that a position is made of; a position's hash is all of its things'
/// numbers, exclusive-ored. Boards, rights and en passant count.
pub(crate) struct Keys {
    men: Vec<u64>,
    castling: [u64; 16],
    en_passant: Vec<u64>,
    pub(crate) turn: u64,
    boards: usize,
    kinds: usize,
}

impl Keys {
    /// The same numbers on every machine and every day, so that hashes may be stored.
    pub(crate) fn new(boards: usize, kinds: usize) -> Self {
        let mut random = SplitMix64::seed_from_u64(0x001a_11ce);
        let mut many = |n: usize| (0..n).map(|_| random.next_u64()).collect::<Vec<_>>();
        let rights = many(4);
        let castling =
            std::array::from_fn(|set| (0..4).filter(|i| set >> i & 1 == 1).fold(0, |key, i| key ^ rights[i]));
        Self {
            turn: many(1)[0],
            men: many(boards * 2 * kinds * 256),
            en_passant: many(boards * boards * 256),
            castling,
            boards,
            kinds,
        }
    }

    #[inline(always)]
    pub(crate) fn man(&self, board: usize, colour: Colour, kind: usize, cell: Cell) -> u64 {
        self.men[((board * 2 + colour.index()) * self.kinds + kind) * 256 + cell.index()]
    }

    #[inline(always)]
    pub(crate) fn castling(&self, rights: u8) -> u64 {
        self.castling[usize::from(rights & 15)]
    }

    #[inline(always)]
    pub(crate) fn en_passant(&self, right: Option<EnPassant>) -> u64 {
        match right {
            None => 0,
            Some(r) => {
                let boards = r.origin.index() * self.boards + r.landing.index();
                self.en_passant[boards * 256 + r.passed.index()]
            }
        }
    }

    /// The hash of a state from scratch.
    pub(crate) fn hash<S: CellSet, const N: usize, const K: usize>(&self, state: &State<S, N, K>) -> u64 {
        let mut hash = self.castling(state.castling) ^ self.en_passant(state.en_passant);
        if state.turn == Colour::Black {
            hash ^= self.turn;
        }
        for (b, sets) in state.boards.iter().enumerate() {
            for colour in Colour::BOTH {
                for (kind, set) in sets.kind.iter().enumerate() {
                    for cell in (*set & sets.colour[colour.index()]).cells() {
                        hash ^= self.man(b, colour, kind, cell);
                    }
                }
            }
        }
        hash
    }
}
