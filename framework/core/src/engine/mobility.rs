//! How many moves the men of each kind have, for both sides at once: what evaluations ask a thousand times
//! a millisecond.
//!
//! Counting by generation alone is its slow twin. What one side attacks says where the other's king may
//! go, so that nobody has to look around it cell by cell.

use super::{Engine, Node, OnBoard, Visitor};
use crate::cells::CellSet;
use crate::men::MAX_KINDS;
use crate::moves::Move;
use crate::shape::Cell;
use crate::state::State;
use crate::tables::Rides;

/// Legal moves by the kind of the man that moves, promotions of one move to several kinds counted once.
pub(crate) struct Mobility(pub(crate) [u32; MAX_KINDS]);

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

impl<S: CellSet, const N: usize, const K: usize> Engine<S, N, K> {
    /// The moves of the side to move.
    #[inline(never)]
    pub(crate) fn mobility(&self, state: &State<S, N, K>) -> Mobility {
        let mut mobility = Mobility([0; MAX_KINDS]);
        self.generate(state, &mut mobility);
        mobility
    }

    /// The moves of the side to move, and those that the other would have if this one passed.
    pub(crate) fn mobilities(&self, state: &State<S, N, K>) -> [Mobility; 2] {
        let passed = self.pass(state);
        let states = [state, &passed];
        if N <= 3 && S::BITS == 64 && self.straight {
            let nodes = states.map(|state| self.node::<true>(state));
            if nodes.iter().all(|node| node.checks == 0) {
                return self.mobilities_without_checks(states, &nodes);
            }
        }
        states.map(|state| self.mobility(state))
    }

    #[inline(always)]
    fn mobilities_without_checks(
        &self,
        states: [&State<S, N, K>; 2],
        nodes: &[Node<S, N>; 2],
    ) -> [Mobility; 2] {
        let mut both = [Mobility([0; MAX_KINDS]), Mobility([0; MAX_KINDS])];
        let mut attacked = [[S::EMPTY; N]; 2];
        for (side, attacked) in attacked.iter_mut().enumerate() {
            for (board, attacked) in attacked.iter_mut().enumerate() {
                *attacked = self.men_count(states[side], &nodes[side], board, &mut both[side]);
            }
        }
        for side in 0..2 {
            let (state, node) = (states[side], &nodes[side]);
            let walked = self.king_count(state, node, &attacked[1 - side], &mut both[side]);
            if !self.zero_kinds.is_empty() {
                self.zero_moves(state, node, &mut both[side]);
            }
            if state.castling != 0 {
                self.castling_moves(state, node, walked, &mut both[side]);
            }
            if state.en_passant.is_some() {
                self.en_passant_moves(state, node, &mut both[side]);
            }
        }
        both
    }

    /// Counts the moves of the men on one board, the king's not; gives all cells there that they and the king
    /// attack, or would if somebody were there.
    #[inline(always)]
    fn men_count(
        &self,
        state: &State<S, N, K>,
        node: &Node<S, N>,
        board: usize,
        mobility: &mut Mobility,
    ) -> S {
        let us = state.turn;
        let sets = &state.boards[board];
        let movers = sets.colour[us.index()];
        let mut attacked = S::EMPTY;
        if movers.is_empty() {
            return attacked;
        }
        let (occupied, prey) = (node.occupied[board], node.prey[board]);
        let route = self.routes[board][0];
        let base = self.landing_cells(state, &node.occupied, board, route, 0, Cell(0));
        let safe = self.safe::<true>(node, state, board, route.landing, base);
        let open = (!occupied | prey) & safe;
        let king = sets.kind[self.royal];
        let bound = if board == node.king_board { node.pinned | node.pair_own } else { S::EMPTY };
        let bound = bound & movers & !king;
        let free = movers & !bound & !king;
        for (kind, reached) in self.tables.men[us.index()].iter().enumerate() {
            let men = sets.kind[kind] & movers;
            if men.is_empty() {
                continue;
            }
            if let Some(shifts) = &reached.shifts {
                attacked |= shifts.attack[0].of(men) | shifts.attack[1].of(men);
                let board = OnBoard { us, occupied, prey };
                let men = men & free;
                mobility.0[kind] += self.count_men::<Mobility>(kind, reached, men, board, &[(base, safe)]);
                continue;
            }
            let leaps = &reached.attack_leaps;
            let mut add = |from: Cell, attacks: S, goes: S| {
                attacked |= attacks;
                if free.has(from) {
                    mobility.0[kind] += goes.count();
                }
            };
            match &reached.rides {
                Rides::None => {
                    for from in men.cells() {
                        let seen = leaps[from.index()];
                        add(from, seen, seen & open);
                    }
                }
                Rides::One(one) => {
                    for from in men.cells() {
                        let seen = leaps[from.index()] | one.seen(from, occupied);
                        add(from, seen, seen & open);
                    }
                }
                Rides::Two(one, two) => {
                    for from in men.cells() {
                        let seen = one.seen(from, occupied) | two.seen(from, occupied);
                        let seen = leaps[from.index()] | seen;
                        add(from, seen, seen & open);
                    }
                }
                Rides::Other => {
                    for from in men.cells() {
                        let goes = self.targets(reached, from, us, occupied, prey) & safe;
                        add(from, self.attacks_vacant(reached, from, us, occupied), goes);
                    }
                }
            }
        }
        if !bound.is_empty() {
            self.bound_moves(state, node, board, bound, mobility);
        }
        attacked
    }

    /// Counts the king's moves, where the enemy attacks these cells of each board. Gives the cells of its board
    /// to which it could walk without standing attacked there, as far as it could land.
    ///
    /// Nobody who gives no check looks through the king at cells behind it, and an enemy that it captures does
    /// not attack its own cell: so what is attacked now is what would be.
    #[inline(always)]
    fn king_count(
        &self,
        state: &State<S, N, K>,
        node: &Node<S, N>,
        attacked: &[S; N],
        mobility: &mut Mobility,
    ) -> S {
        let b = node.king_board;
        if b == N {
            return S::EMPTY;
        }
        let reached = &self.tables.men[state.turn.index()][self.royal];
        let targets = self.targets(reached, node.king, state.turn, node.occupied[b], node.prey[b]);
        let route = self.routes[b][0];
        let lands = targets & self.landing_cells(state, &node.occupied, b, route, self.royal, node.king);
        let walked = lands & !attacked[b];
        let before = if self.rules.tests.before_transfer || route.landing == b { walked } else { lands };
        mobility.0[self.royal] += (before & !attacked[route.landing]).count();
        walked
    }
}
