//! The fast path: legal moves come out legal, as sets of arrival cells, for any number of boards.
//!
//! Generic over the width of a set (`S`), the number of boards (`N`) and the room for kinds (`K`), so
//! that a position costs no more than its variant needs. Masks made once a position (checkers, pins,
//! where landing interposes) decide almost every move; the few they can't decide, and all moves of
//! variants with men whose attacks they can't see (hoppers, foreign movement), are made and tested.
//! Its slow twin is [`crate::reference`].

use crate::cells::CellSet;
use crate::men::{Colour, Kind, KindSet, Man};
use crate::moves::{Move, MoveKind};
use crate::reference::{forward, path};
use crate::rules::{Castling, EnPassantRule, Rules, Transfer};
use crate::setup::EnPassant;
use crate::shape::{Board, BoardSet, Cell, Square};
use crate::state::{Keys, Seen, Sets, State};
use crate::tables::{ByCell, Reached, Rides, Slider, Tables};
use crate::transfer::{DependsOn, Mover, StandardTransfer, Staying, TransferPolicy, ZeroAnswer};
use std::sync::Arc;

mod mobility;

/// The cell two ranks forward from a cell, if there is one, and the cell between.
#[derive(Clone, Copy, Default)]
struct Forward {
    to: Option<Cell>,
    passed: Cell,
}

/// What generation hands over: whole sets of moves.
pub(crate) trait Visitor<S: CellSet> {
    /// Whether only [`Visitor::count`] is wanted where a set's size says all.
    const COUNTS: bool;
    /// Whether it counts each promotion of one move as a move.
    const PROMOTIONS: bool = true;
    /// The man on `from` of `origin` may move to each of `targets` and land there on `landing`. Where
    /// it arrives on a promotion cell, each target stands for as many moves as it has promotions.
    fn men(&mut self, origin: usize, from: Cell, kind: usize, landing: usize, targets: S);
    /// Men of one kind on each of `cells` may make a zero move from `origin` to `landing`.
    fn zero(&mut self, origin: usize, kind: usize, landing: usize, cells: S);
    /// One move, castling or en passant, of a man of this kind.
    fn single(&mut self, kind: usize, mv: Move);
    /// So many moves of men of one kind.
    fn count(&mut self, kind: usize, moves: u32);
    /// Whether nothing more is wanted. Asked now and then; more may come all the same.
    #[inline(always)]
    fn enough(&self) -> bool {
        false
    }
    /// Whether no move of men of this kind from this board is wanted. They may come all the same.
    #[inline(always)]
    fn skips(&self, origin: usize, kind: usize) -> bool {
        let _ = (origin, kind);
        false
    }
    /// To which cells ordinary moves of men of this kind from this board are wanted. No others come, but
    /// for those who count.
    #[inline(always)]
    fn wanted(&self, origin: usize, kind: usize) -> S {
        let _ = (origin, kind);
        !S::EMPTY
    }
    /// Whether castling is wanted.
    #[inline(always)]
    fn castles(&self) -> bool {
        true
    }
}

/// Where men from a board may land on another (or the same) board.
#[derive(Clone, Copy)]
enum Lands {
    /// Where the twin is vacant.
    Vacant,
    /// Anywhere.
    Anywhere,
    /// Where the twins on all these boards are occupied.
    Blocked(BoardSet),
    /// Where the policy says.
    Asked,
}

#[derive(Clone, Copy)]
struct Route {
    landing: usize,
    lands: Lands,
}

/// How men of one colour attack: what has to be looked up to see whether a cell is attacked.
struct Attacks<S> {
    /// Kinds with leaps, and for each cell from where they attack it.
    leapers: Vec<(usize, ByCell<S>)>,
    /// Riders.
    riders: Vec<Riders<S>>,
    /// Kinds that have to be asked man by man.
    asked: Vec<usize>,
}

/// The kinds that attack along the same lines, and the slider that looks back along them from the
/// attacked cell.
struct Riders<S> {
    back: Arc<Slider<S>>,
    /// Two kinds (the same twice, if there is but one), and the rest. Nearly always there is none, and
    /// the hot loops stay short.
    two: [usize; 2],
    rest: Vec<usize>,
}

impl<S: CellSet> Riders<S> {
    #[inline(always)]
    fn men<const K: usize>(&self, sets: &Sets<S, K>) -> S {
        let mut men = sets.kind[self.two[0]] | sets.kind[self.two[1]];
        for kind in &self.rest {
            men |= sets.kind[*kind];
        }
        men
    }
}

struct CastlingPlan<S> {
    /// The bit of the right, and the home board.
    right: u8,
    board: usize,
    /// The cells that must be vacant on the home board.
    vacant: S,
    rule: Castling,
    /// Whether the king, by its own movement, never gets where castling takes it.
    one_step_short: bool,
    /// The cells that the king stands on, passes over and arrives on.
    path: S,
    /// King's and rook's arrival cells.
    arrivals: S,
}

/// What is known of a position before any man but the king is looked at.
struct Node<S, const N: usize> {
    occupied: [S; N],
    /// The enemies on each board that may be captured.
    prey: [S; N],
    /// The board and cell of the mover's king; `N` if there is none.
    king_board: usize,
    king: Cell,
    /// How many men give check, on its own board and by zero moves from others.
    checks: u32,
    zero_checks: u32,
    /// Who gives check on the king's board.
    checkers: S,
    /// The cells where a man that comes to stand interposes: between the king and every checker.
    block: S,
    /// Own men alone between the king and an enemy slider, and those sliders.
    pinned: S,
    pinners: S,
    /// Enemies alone between the king and an enemy slider.
    screens: S,
    /// Own men and enemies that are, one of each, between the king and an enemy slider.
    pair_own: S,
    pair_enemy: S,
}

/// Whose men move, and what stands on their board.
#[derive(Clone, Copy)]
struct OnBoard<S> {
    us: Colour,
    occupied: S,
    prey: S,
}

/// A variant made ready for one width, number of boards and room for kinds.
pub(crate) struct Engine<S: CellSet, const N: usize, const K: usize> {
    pub(crate) rules: Arc<Rules>,
    tables: Tables<S>,
    all: S,
    boards: usize,
    kinds: usize,
    royal: usize,
    routes: Vec<Vec<Route>>,
    policy: Arc<dyn TransferPolicy<S>>,
    depends_on: DependsOn,
    /// Whether the policy is known not to let this kind make zero moves at all.
    zero_kinds: Vec<usize>,
    zero_everywhere: bool,
    /// Whether the transfer is in somebody else's code.
    foreign: bool,
    /// For each colour, origin and landing: the kinds that capture by a zero move.
    zero_captures: Vec<[KindSet; 2]>,
    any_zero_captures: bool,
    attacks: [Attacks<S>; 2],
    /// Where men of a kind and colour promote, and to how many kinds.
    promotion: [[S; 2]; K],
    promotes_to: Vec<Vec<Kind>>,
    /// By kind, how many moves a promotion is more than one.
    more_by_promotion: [u32; K],
    castling: [Vec<CastlingPlan<S>>; 2],
    /// The castling rights that remain when a square is left or captured on, by `board * 256 + cell`.
    remaining: Vec<u8>,
    /// Kinds whose moves restart the count of moves without progress, and those that double-step.
    progress: KindSet,
    /// Pawns, and whether they attack by leaps only.
    pawns: Vec<(usize, bool)>,
    double_steppers: KindSet,
    /// For each colour and cell, the cell two ranks forward and the one between.
    two_forward: [Box<[Forward; 256]>; 2],
    keys: Keys,
    /// Whether masks decide, each board has one route, and neither zero captures nor the kind of man
    /// matter.
    straight: bool,
    /// Whether masks decide; otherwise every move is made and tested.
    masks: bool,
}

impl<S: CellSet, const N: usize, const K: usize> Engine<S, N, K> {
    pub(crate) fn new(
        rules: Arc<Rules>,
        tables: Tables<S>,
        foreign: Option<Arc<dyn TransferPolicy<S>>>,
    ) -> Self {
        let boards = usize::from(rules.boards);
        let standard = match &rules.transfer {
            Transfer::Standard(standard) => Some(standard.clone()),
            Transfer::Foreign(_) => None,
        };
        let policy = foreign.unwrap_or_else(|| {
            Arc::new(standard.clone().expect("a transfer is foreign or standard")) as Arc<_>
        });
        let kinds = rules.men.len();
        let all = S::first_n(rules.shape.cells());
        let routes: Vec<_> =
            (0..boards).map(|o| routes(standard.as_ref(), &*policy, o, boards, all)).collect();
        let all_kinds = || (0..kinds).map(|k| Kind(k as u8));
        // What a kind is answered about zero moves, wherever it could go by one.
        let zero_answers = |kind: Kind| {
            let away = |o: usize| routes[o].iter().map(|r| r.landing).filter(move |l| *l != o);
            let pairs: Vec<_> = (0..boards).flat_map(|o| away(o).map(move |l| (o as u8, l as u8))).collect();
            let men = Colour::BOTH.map(|colour| Man { kind, colour });
            let answers = |(o, l)| men.map(|man| policy.zero_answer(man, Board(o), Board(l)));
            pairs.into_iter().flat_map(answers).collect::<Vec<_>>()
        };
        let zero_kinds: Vec<Kind> =
            all_kinds().filter(|k| zero_answers(*k).iter().any(|a| *a != ZeroAnswer::None)).collect();
        let zero_everywhere =
            zero_kinds.iter().all(|k| zero_answers(*k).iter().all(|a| *a == ZeroAnswer::All));
        let zero_captures: Vec<[KindSet; 2]> = (0..boards * boards)
            .map(|pair| {
                let (origin, landing) = (Board((pair / boards) as u8), Board((pair % boards) as u8));
                Colour::BOTH.map(|colour| {
                    all_kinds()
                        .filter(|_| origin != landing && policy.landings(origin).has(landing))
                        .filter(|kind| {
                            policy.captures_by_zero_move(Man { kind: *kind, colour }, origin, landing)
                        })
                        .collect()
                })
            })
            .collect();
        let cells_where = |list: &[bool]| {
            let chosen = rules.shape.all().filter(|c| list[c.index()]);
            chosen.fold(S::EMPTY, |set, c| set | S::of(c))
        };
        let mut remaining = vec![!0u8; boards * 256];
        for castling in &rules.castling {
            for cell in [castling.king_from, castling.rook_from] {
                remaining[castling.board.index() * 256 + cell.index()] &= !castling.right();
            }
        }
        let masks = tables.plain_attacks && rules.tests.after_transfer;
        let any_zero_captures = zero_captures.iter().flatten().any(|set| *set != KindSet::EMPTY);
        Self {
            straight: masks
                && !any_zero_captures
                && policy.depends_on() == DependsOn::Boards
                && boards == N
                && routes.iter().all(|r| r.len() == 1),
            all,
            boards,
            kinds,
            royal: rules.royal().expect("rules without a royal man are refused").index(),
            routes,
            depends_on: policy.depends_on(),
            zero_kinds: zero_kinds.into_iter().map(Kind::index).collect(),
            zero_everywhere,
            foreign: standard.is_none(),
            any_zero_captures,
            zero_captures,
            attacks: Colour::BOTH.map(|colour| Attacks::new(&tables, colour)),
            promotion: std::array::from_fn(|k| match rules.men.get(k) {
                Some(man) if !man.promotes_to.is_empty() => [0, 1].map(|c| cells_where(&man.promotion[c])),
                _ => [S::EMPTY; 2],
            }),
            more_by_promotion: std::array::from_fn(|k| {
                rules.men.get(k).map_or(0, |m| m.promotes_to.len().saturating_sub(1) as u32)
            }),
            promotes_to: rules.men.iter().map(|m| m.promotes_to.clone()).collect(),
            castling: Colour::BOTH.map(|colour| {
                let mine = rules.castling.iter().filter(|c| c.colour == colour);
                let royal = &tables.men[colour.index()][rules.royal().map_or(0, Kind::index)];
                mine.map(|c| CastlingPlan::new(&rules, c, royal)).collect()
            }),
            remaining,
            progress: all_kinds().filter(|k| rules.man(*k).pawn).collect(),
            pawns: all_kinds()
                .filter(|k| rules.man(*k).pawn)
                .map(|k| {
                    let man = &tables.men[0][k.index()];
                    (k.index(), man.asked.is_none() && man.attack_sliders.is_empty())
                })
                .collect(),
            two_forward: Colour::BOTH.map(|colour| {
                let mut cells = Box::new([Forward::default(); 256]);
                for cell in rules.shape.all() {
                    if let Some(passed) = forward(rules.shape, cell, colour) {
                        cells[cell.index()] = Forward { to: forward(rules.shape, passed, colour), passed };
                    }
                }
                cells
            }),
            double_steppers: all_kinds().filter(|k| rules.double_steps(*k)).collect(),
            keys: Keys::new(boards, kinds),
            masks,
            policy,
            tables,
            rules,
        }
    }

    pub(crate) fn hash(&self, state: &State<S, N, K>) -> u64 {
        self.keys.hash(state)
    }

    /// Where men of a kind promote, and how many more moves that makes for each arrival there.
    #[inline(always)]
    pub(crate) fn promotion_of(&self, kind: usize, colour: Colour) -> (S, u32) {
        (self.promotion[kind][colour.index()], self.more_by_promotion[kind])
    }

    /// Where men of a kind promote.
    #[inline(always)]
    pub(crate) fn promotion_zone(&self, kind: usize, colour: Colour) -> S {
        self.promotion[kind][colour.index()]
    }

    /// The kinds to which a kind promotes.
    pub(crate) fn promotes_to(&self, kind: usize) -> &[Kind] {
        &self.promotes_to[kind]
    }

    /// Whether nobody but kings is left.
    pub(crate) fn only_kings(&self, state: &State<S, N, K>) -> bool {
        state.boards.iter().all(|sets| (sets.occupied() & !sets.kind[self.royal]).is_empty())
    }

    fn seen<'a>(&self, state: &'a State<S, N, K>) -> Seen<'a, S, N, K> {
        Seen { state, all: self.all, boards: self.boards }
    }

    /// Where a man that moves on `origin` may land by this route.
    #[inline(always)]
    fn landing_cells(
        &self,
        state: &State<S, N, K>,
        occupied: &[S; N],
        origin: usize,
        route: Route,
        kind: usize,
        from: Cell,
    ) -> S {
        match route.lands {
            Lands::Vacant => !occupied[route.landing],
            Lands::Anywhere => self.all,
            Lands::Blocked(boards) => {
                (0..N).filter(|b| boards.0 >> b & 1 == 1).fold(self.all, |set, b| set & occupied[b])
            }
            Lands::Asked => {
                let man = Man { kind: Kind(kind as u8), colour: state.turn };
                let mover = Mover { man, cell: from };
                let (o, l) = (Board(origin as u8), Board(route.landing as u8));
                let cells = self.policy.landing_cells(&mover, o, l, &self.seen(state));
                if route.landing == origin { cells } else { cells & !occupied[route.landing] }
            }
        }
    }

    /// Whether a man of `attackers` (of colour `them`, on board `b`) attacks a cell, the board being
    /// occupied like this.
    #[inline(never)]
    fn attacked(&self, sets: &Sets<S, K>, cell: Cell, occupied: S, attackers: S, them: Colour) -> bool {
        let plan = &self.attacks[them.index()];
        let mut hit = S::EMPTY;
        for (kind, from) in &plan.leapers {
            hit |= from[cell.index()] & sets.kind[*kind];
        }
        for riders in &plan.riders {
            hit |= riders.back.seen(cell, occupied) & riders.men(sets);
        }
        !(hit & attackers).is_empty()
            || !plan.asked.is_empty() && self.attacked_by_asked(sets, cell, occupied, attackers, them)
    }

    #[cold]
    fn attacked_by_asked(
        &self,
        sets: &Sets<S, K>,
        cell: Cell,
        occupied: S,
        attackers: S,
        them: Colour,
    ) -> bool {
        self.attacks[them.index()].asked.iter().any(|&kind| {
            let asked = self.tables.men[them.index()][kind].asked.as_ref();
            let movement = asked.expect("listed because it has to be asked");
            let mut men = sets.kind[kind] & attackers;
            men &= !S::of(cell);
            men.cells().any(|from| movement.attacks(from, them, occupied).has(cell))
        })
    }

    /// Whether a man of colour `them`, on another board than `board` and not among `gone` of board
    /// `gone_board`, captures on a cell by a zero move.
    #[inline(never)]
    fn zero_attacked(
        &self,
        boards: &[Sets<S, K>; N],
        board: usize,
        cell: Cell,
        gone: (usize, S),
        them: Colour,
    ) -> bool {
        self.any_zero_captures
            && (0..self.boards).any(|b| {
                let kinds = self.zero_captures[b * self.boards + board][them.index()];
                let mut at = S::of(cell) & boards[b].colour[them.index()];
                if b == gone.0 {
                    at &= !gone.1;
                }
                b != board
                    && !at.is_empty()
                    && kinds.iter().any(|k| !(boards[b].kind[k.index()] & at).is_empty())
            })
    }

    /// Whether the king of that colour is attacked.
    pub(crate) fn in_check(&self, state: &State<S, N, K>, colour: Colour) -> bool {
        (0..self.boards).any(|b| {
            let sets = &state.boards[b];
            let kings = sets.kind[self.royal] & sets.colour[colour.index()];
            !kings.is_empty() && self.king_attacked(state, b, kings.lowest(), colour)
        })
    }

    fn king_attacked(&self, state: &State<S, N, K>, b: usize, king: Cell, colour: Colour) -> bool {
        let (sets, them) = (&state.boards[b], !colour);
        self.attacked(sets, king, sets.occupied(), sets.colour[them.index()], them)
            || self.zero_attacked(&state.boards, b, king, (N, S::EMPTY), them)
    }

    #[inline(always)]
    fn node<const STRAIGHT: bool>(&self, state: &State<S, N, K>) -> Node<S, N> {
        let (us, them) = (state.turn, !state.turn);
        let occupied: [S; N] = std::array::from_fn(|b| state.boards[b].occupied());
        let mut node = Node {
            occupied,
            prey: std::array::from_fn(|b| {
                state.boards[b].colour[them.index()] & !state.boards[b].kind[self.royal]
            }),
            king_board: N,
            king: Cell(0),
            checks: 0,
            zero_checks: 0,
            checkers: S::EMPTY,
            block: self.all,
            pinned: S::EMPTY,
            pinners: S::EMPTY,
            screens: S::EMPTY,
            pair_own: S::EMPTY,
            pair_enemy: S::EMPTY,
        };
        for b in 0..N {
            let kings = state.boards[b].kind[self.royal] & state.boards[b].colour[us.index()];
            if !kings.is_empty() {
                node.king_board = b;
                node.king = kings.lowest();
            }
        }
        if node.king_board == N || !(STRAIGHT || self.masks) {
            return node;
        }
        let (b, king) = (node.king_board, node.king);
        let sets = &state.boards[b];
        let (own, enemies) = (sets.colour[us.index()], sets.colour[them.index()]);
        let plan = &self.attacks[them.index()];
        let mut leapers = S::EMPTY;
        for (kind, from) in &plan.leapers {
            leapers |= from[king.index()] & sets.kind[*kind];
        }
        node.checkers = leapers & enemies;
        if !node.checkers.is_empty() {
            node.block = S::EMPTY;
        }
        for riders in &plan.riders {
            let aligned = riders.back.reach[king.index()] & riders.men(sets) & enemies;
            for from in aligned.cells() {
                let between = self.tables.between(king, from);
                let men = between & occupied[b];
                match men.count() {
                    0 => {
                        node.checkers |= S::of(from);
                        node.block &= between;
                    }
                    1 if (men & own).is_empty() => node.screens |= men,
                    1 => {
                        node.pinned |= men;
                        node.pinners |= S::of(from);
                    }
                    2 => {
                        let (o, e) = (men & own, men & enemies);
                        if !o.is_empty() && !e.is_empty() {
                            node.pair_own |= o;
                            node.pair_enemy |= e;
                        }
                    }
                    _ => {}
                }
            }
        }
        node.checks = node.checkers.count();
        if !STRAIGHT && self.any_zero_captures {
            for from in (0..self.boards).filter(|o| *o != b) {
                let kinds = self.zero_captures[from * self.boards + b][them.index()];
                let at = S::of(king) & state.boards[from].colour[them.index()];
                let strikes = !at.is_empty()
                    && kinds.iter().any(|k| !(state.boards[from].kind[k.index()] & at).is_empty());
                node.zero_checks += u32::from(strikes);
            }
        }
        node
    }

    /// The arrival cells that are safe for a man, other than the king, that is not pinned and moves by
    /// this route, among the cells where it may land (`base`).
    #[inline(always)]
    fn safe<const STRAIGHT: bool>(
        &self,
        node: &Node<S, N>,
        state: &State<S, N, K>,
        origin: usize,
        landing: usize,
        base: S,
    ) -> S {
        let (leaves, comes) = (origin == node.king_board, landing == node.king_board);
        if node.checks + node.zero_checks == 0 {
            // A man that captures and leaves opens the line that its victim had closed.
            return if leaves && !comes { base & !node.screens } else { base };
        }
        if !STRAIGHT && node.zero_checks > 0 {
            // Only the capture of the one checker helps: on its own board, where the king's twin is.
            let them = !state.turn;
            let alone = node.checks == 0 && node.zero_checks == 1;
            let kinds = self.zero_captures[origin * self.boards + node.king_board][them.index()];
            let strikes = |k: Kind| state.boards[origin].kind[k.index()].has(node.king);
            let here = !leaves && kinds.iter().any(strikes);
            return if alone && here && !comes { base & S::of(node.king) } else { S::EMPTY };
        }
        match (leaves, comes) {
            (false, false) => S::EMPTY,
            (false, true) => base & node.block,
            (true, _) if node.checks > 1 => S::EMPTY,
            (true, false) => base & node.checkers & !node.screens,
            (true, true) => base & (node.checkers | node.block),
        }
    }

    /// The arrival cells of a man on its own board, before the looking-glass is asked.
    #[inline(always)]
    fn targets(&self, reached: &Reached<S>, from: Cell, us: Colour, occupied: S, prey: S) -> S {
        let vacant = !occupied;
        let leaps = reached.attack_leaps[from.index()];
        match &reached.rides {
            Rides::None => return leaps & (vacant | prey),
            Rides::One(one) => return (leaps | one.seen(from, occupied)) & (vacant | prey),
            Rides::Two(one, two) => {
                return (leaps | one.seen(from, occupied) | two.seen(from, occupied)) & (vacant | prey);
            }
            Rides::Other => {}
        }
        let mut quiet = reached.quiet_leaps[from.index()];
        let mut attack = reached.attack_leaps[from.index()];
        if let Some(movement) = &reached.asked {
            quiet = movement.quiet(from, us, occupied) & self.all & !S::of(from);
            attack = movement.attacks(from, us, occupied) & self.all & !S::of(from);
        } else {
            for slider in &reached.quiet_sliders {
                quiet |= slider.seen(from, occupied);
            }
            for slider in &reached.attack_sliders {
                attack |= slider.seen(from, occupied);
            }
            if let Some(conditional) = &reached.conditional {
                for step in &conditional[from.index()] {
                    if (step.vacant & occupied).is_empty() {
                        quiet |= step.target;
                    }
                }
            }
        }
        quiet & vacant | attack & prey
    }

    /// Hands over all legal moves.
    #[inline(always)]
    pub(crate) fn generate<V: Visitor<S>>(&self, state: &State<S, N, K>, visitor: &mut V) {
        // One route from each board, no zero captures, nobody to be asked: what most of the games are.
        // The general code with those facts known is a good deal smaller.
        if N <= 3 && S::BITS == 64 && self.straight {
            self.generate_as::<V, true>(state, visitor);
        } else {
            self.generate_as::<V, false>(state, visitor);
        }
    }

    #[inline(always)]
    fn generate_as<V: Visitor<S>, const STRAIGHT: bool>(&self, state: &State<S, N, K>, visitor: &mut V) {
        let node = self.node::<STRAIGHT>(state);
        let us = state.turn;
        let mut walked = S::EMPTY;
        if node.king_board < N && !visitor.skips(node.king_board, self.royal) {
            walked = self.king_moves::<V, STRAIGHT>(state, &node, visitor);
        }
        if node.checks + node.zero_checks < 2 || !self.masks {
            for origin in 0..N {
                if visitor.enough() {
                    return;
                }
                if !state.boards[origin].colour[us.index()].is_empty() {
                    self.men_moves::<V, STRAIGHT>(state, &node, origin, visitor);
                }
            }
        }
        if visitor.enough() {
            return;
        }
        if !self.zero_kinds.is_empty() {
            self.zero_moves(state, &node, visitor);
        }
        if state.castling != 0 && node.checks + node.zero_checks == 0 && visitor.castles() {
            self.castling_moves(state, &node, walked, visitor);
        }
        if state.en_passant.is_some() {
            self.en_passant_moves(state, &node, visitor);
        }
    }

    #[inline(always)]
    fn men_moves<V: Visitor<S>, const STRAIGHT: bool>(
        &self,
        state: &State<S, N, K>,
        node: &Node<S, N>,
        origin: usize,
        visitor: &mut V,
    ) {
        let us = state.turn;
        let routes = if STRAIGHT { &self.routes[origin][..1] } else { &self.routes[origin][..] };
        let depends_on = if STRAIGHT { DependsOn::Boards } else { self.depends_on };
        let masked = STRAIGHT || self.masks;
        let sets = &state.boards[origin];
        let movers = sets.colour[us.index()];
        let (occupied, prey) = (node.occupied[origin], node.prey[origin]);
        let bound = if origin == node.king_board && masked {
            (node.pinned | node.pair_own) & movers
        } else {
            S::EMPTY
        };
        // For each route, where it lands and (masked) where that is safe for men that are not bound.
        let mut masks = [(S::EMPTY, S::EMPTY); 8];
        let fill = |masks: &mut [(S, S); 8], kind: usize, from: Cell| {
            let mut any = S::EMPTY;
            for (mask, route) in masks.iter_mut().zip(routes) {
                let base = self.landing_cells(state, &node.occupied, origin, *route, kind, from);
                *mask = (base, self.safe::<STRAIGHT>(node, state, origin, route.landing, base));
                any |= mask.1;
            }
            any
        };
        let mut any = self.all;
        if depends_on == DependsOn::Boards {
            any = fill(&mut masks, 0, Cell(0));
            if any.is_empty() {
                return;
            }
        }
        let movers = movers & !sets.kind[self.royal];
        let free = movers & !bound;
        let counted = V::COUNTS && masked && depends_on != DependsOn::Man;
        if counted {
            for (kind, reached) in self.tables.men[us.index()].iter().enumerate() {
                let men = sets.kind[kind] & free;
                if men.is_empty() {
                    continue;
                }
                if depends_on == DependsOn::Kind {
                    fill(&mut masks, kind, men.lowest());
                }
                let board = OnBoard { us, occupied, prey };
                visitor.count(kind, self.count_men::<V>(kind, reached, men, board, &masks[..routes.len()]));
            }
        } else {
            for (kind, reached) in self.tables.men[us.index()].iter().enumerate() {
                let men = sets.kind[kind] & free;
                let wanted = visitor.wanted(origin, kind);
                if men.is_empty() || wanted.is_empty() || visitor.skips(origin, kind) {
                    continue;
                }
                if depends_on == DependsOn::Kind {
                    any = fill(&mut masks, kind, men.lowest());
                }
                for from in men.cells() {
                    if visitor.enough() {
                        return;
                    }
                    if depends_on == DependsOn::Man {
                        any = fill(&mut masks, kind, from);
                    }
                    let targets = self.targets(reached, from, us, occupied, prey) & any & wanted;
                    for ((_, safe), route) in masks.iter().zip(routes) {
                        let landed = targets & *safe;
                        if !masked {
                            self.tested(state, origin, from, kind, route.landing, landed, visitor);
                        } else if !landed.is_empty() {
                            visitor.men(origin, from, kind, route.landing, landed);
                        }
                    }
                }
            }
        }
        if !(bound & movers).is_empty() {
            self.bound_moves(state, node, origin, bound & movers, visitor);
        }
    }

    /// The moves of men of one kind that are not bound, counted.
    #[inline(always)]
    fn count_men<V: Visitor<S>>(
        &self,
        kind: usize,
        reached: &Reached<S>,
        men: S,
        board: OnBoard<S>,
        masks: &[(S, S)],
    ) -> u32 {
        let OnBoard { us, occupied, prey } = board;
        let vacant = !occupied;
        let open = vacant | prey;
        let (zone, more) = if V::PROMOTIONS { self.promotion_of(kind, us) } else { (S::EMPTY, 0) };
        let mut total = 0;
        if let Some(shifts) = &reached.shifts {
            let quiet = shifts.quiet.of(men) & vacant;
            let over = shifts.over.second.of(shifts.over.first.of(men) & vacant) & vacant;
            let (left, right) = (shifts.attack[0].of(men) & prey, shifts.attack[1].of(men) & prey);
            for (_, safe) in masks {
                let (quiet, over) = (quiet & *safe, over & *safe);
                let (left, right) = (left & *safe, right & *safe);
                total += quiet.count() + over.count() + left.count() + right.count();
                if !((quiet | over | left | right) & zone).is_empty() {
                    let promoted = (quiet & zone).count() + (over & zone).count();
                    total += more * (promoted + (left & zone).count() + (right & zone).count());
                }
            }
            return total;
        }
        let leaps = &reached.attack_leaps;
        match &reached.rides {
            _ if more > 0 => {
                for from in men.cells() {
                    let targets = self.targets(reached, from, us, occupied, prey);
                    total += tally(targets, masks) + tally(targets & zone, masks) * more;
                }
            }
            Rides::None => {
                for from in men.cells() {
                    total += tally(leaps[from.index()] & open, masks);
                }
            }
            Rides::One(one) => {
                for from in men.cells() {
                    total += tally((leaps[from.index()] | one.seen(from, occupied)) & open, masks);
                }
            }
            Rides::Two(one, two) => {
                for from in men.cells() {
                    let seen = one.seen(from, occupied) | two.seen(from, occupied);
                    total += tally((leaps[from.index()] | seen) & open, masks);
                }
            }
            Rides::Other => {
                for from in men.cells() {
                    total += tally(self.targets(reached, from, us, occupied, prey), masks);
                }
            }
        }
        total
    }

    /// The moves of men on the king's board that are pinned, or share a line before it with an enemy.
    #[inline(never)]
    fn bound_moves<V: Visitor<S>>(
        &self,
        state: &State<S, N, K>,
        node: &Node<S, N>,
        origin: usize,
        bound: S,
        visitor: &mut V,
    ) {
        let (us, sets) = (state.turn, &state.boards[origin]);
        for (kind, reached) in self.tables.men[us.index()].iter().enumerate() {
            let wanted = if V::COUNTS { !S::EMPTY } else { visitor.wanted(origin, kind) };
            for from in (sets.kind[kind] & bound).cells() {
                let (occupied, prey) = (node.occupied[origin], node.prey[origin]);
                let targets = self.targets(reached, from, us, occupied, prey) & wanted;
                for route in &self.routes[origin] {
                    let base = self.landing_cells(state, &node.occupied, origin, *route, kind, from);
                    let safe = self.safe::<false>(node, state, origin, route.landing, base);
                    let (sure, unsure) = self.bound(node, from, route.landing, targets & safe);
                    if !sure.is_empty() {
                        visitor.men(origin, from, kind, route.landing, sure);
                    }
                    if !unsure.is_empty() {
                        self.tested(state, origin, from, kind, route.landing, unsure, visitor);
                    }
                }
            }
        }
    }

    /// For a man on the king's board that is pinned, or shares a line before the king with an enemy:
    /// the targets that are legal, and those that have to be made and tested.
    fn bound(&self, node: &Node<S, N>, from: Cell, landing: usize, targets: S) -> (S, S) {
        let pinned = node.pinned.has(from);
        if landing == node.king_board {
            // It stays: as in chess, a pinned man keeps to its line.
            if !pinned {
                return (targets, S::EMPTY);
            }
            let line = node.pinners.cells().fold(S::EMPTY, |line, pinner| {
                let between = self.tables.between(node.king, pinner);
                if between.has(from) { line | between | S::of(pinner) } else { line }
            });
            return (targets & line, S::EMPTY);
        }
        // It leaves: pinned, it can at most capture who pins it; else it must not open a line by
        // capturing the other man on it.
        if pinned {
            (S::EMPTY, targets & node.pinners)
        } else {
            (targets & !node.pair_enemy, targets & node.pair_enemy)
        }
    }

    /// Hands over those of the targets that are legal when made and tested.
    #[allow(clippy::too_many_arguments)]
    #[inline(never)]
    fn tested<V: Visitor<S>>(
        &self,
        state: &State<S, N, K>,
        origin: usize,
        from: Cell,
        kind: usize,
        landing: usize,
        targets: S,
        visitor: &mut V,
    ) {
        let mut legal = S::EMPTY;
        for to in targets.cells() {
            let mv = self.ordinary(origin, from, landing, to);
            if self.is_safe(state, &mv) {
                legal |= S::of(to);
            }
        }
        if !legal.is_empty() {
            visitor.men(origin, from, kind, landing, legal);
        }
    }

    fn ordinary(&self, origin: usize, from: Cell, landing: usize, to: Cell) -> Move {
        Move {
            from,
            origin: Board(origin as u8),
            to,
            landing: Board(landing as u8),
            promotion: None,
            kind: MoveKind::Ordinary,
        }
    }

    /// Hands over the king's moves. Gives the cells of its board to which it could walk without standing
    /// attacked there, as far as somebody wanted to know.
    #[inline(always)]
    fn king_moves<V: Visitor<S>, const STRAIGHT: bool>(
        &self,
        state: &State<S, N, K>,
        node: &Node<S, N>,
        visitor: &mut V,
    ) -> S {
        let (us, them) = (state.turn, !state.turn);
        let (b, king) = (node.king_board, node.king);
        let reached = &self.tables.men[us.index()][self.royal];
        let targets = self.targets(reached, king, us, node.occupied[b], node.prey[b]);
        let targets = if V::COUNTS { targets } else { targets & visitor.wanted(b, self.royal) };
        let routes = if STRAIGHT { &self.routes[b][..1] } else { &self.routes[b][..] };
        let mut lands = [S::EMPTY; 8];
        let mut wanted = S::EMPTY;
        for (land, route) in lands.iter_mut().zip(routes) {
            *land = targets & self.landing_cells(state, &node.occupied, b, *route, self.royal, king);
            wanted |= *land;
        }
        if !(STRAIGHT || self.masks) {
            for (land, route) in lands.iter().zip(routes) {
                self.tested(state, b, king, self.royal, route.landing, *land, visitor);
            }
            return S::EMPTY;
        }
        // Before the transfer; for a king that stays the same test is the one after it.
        let here = &state.boards[b];
        let enemies = here.colour[them.index()];
        let lifted = node.occupied[b] ^ S::of(king);
        let mut walked = S::EMPTY;
        for to in wanted.cells() {
            let at = S::of(to);
            let attacked = self.attacked(here, to, lifted | at, enemies & !at, them)
                || !STRAIGHT && self.zero_attacked(&state.boards, b, to, (b, at), them);
            if !attacked {
                walked |= at;
            }
        }
        for (land, route) in lands.iter().zip(routes) {
            let mut legal = *land & walked;
            if route.landing != b {
                let there = &state.boards[route.landing];
                let enemies = there.colour[them.index()];
                let open = if self.rules.tests.before_transfer { legal } else { *land };
                legal = S::EMPTY;
                for to in open.cells() {
                    let at = S::of(to);
                    let occupied = node.occupied[route.landing] | at;
                    let attacked = self.attacked(there, to, occupied, enemies, them)
                        || !STRAIGHT && self.zero_attacked(&state.boards, route.landing, to, (b, at), them);
                    if !attacked {
                        legal |= at;
                    }
                }
            }
            if !legal.is_empty() {
                visitor.men(b, king, self.royal, route.landing, legal);
            }
        }
        walked
    }

    #[inline(never)]
    fn zero_moves<V: Visitor<S>>(&self, state: &State<S, N, K>, node: &Node<S, N>, visitor: &mut V) {
        let us = state.turn;
        let checks = node.checks + node.zero_checks;
        for origin in 0..self.boards {
            let sets = &state.boards[origin];
            for route in self.routes[origin].iter().filter(|r| r.landing != origin) {
                let landing = route.landing;
                let captures = self.zero_captures[origin * self.boards + landing][us.index()];
                for &kind in &self.zero_kinds {
                    let men = sets.kind[kind] & sets.colour[us.index()];
                    if men.is_empty() {
                        continue;
                    }
                    let mut open = !node.occupied[landing];
                    if captures.has(Kind(kind as u8)) {
                        open |= node.prey[landing];
                    }
                    let mut cells = men & open;
                    if cells.is_empty() {
                        continue;
                    }
                    if !self.zero_everywhere {
                        cells &= self.zero_cells(state, origin, landing, kind, cells);
                    }
                    let (leaves, comes) = (origin == node.king_board, landing == node.king_board);
                    // What the masks decide: without check, whoever is not pinned may go; in check, who
                    // comes to stand between or captures the checker.
                    let sure = if !self.masks || kind == self.royal {
                        S::EMPTY
                    } else if checks == 0 || node.king_board == N {
                        if leaves { cells & !node.pinned } else { cells }
                    } else if comes && node.zero_checks == 0 {
                        let take = if node.checks == 1 { node.checkers } else { S::EMPTY };
                        cells & (node.block | take)
                    } else {
                        S::EMPTY
                    };
                    let unsure = if !self.masks || kind == self.royal {
                        cells
                    } else if node.zero_checks > 0 && !leaves {
                        // It may capture, from a third board, the man on the king's twin.
                        cells & S::of(node.king)
                    } else {
                        S::EMPTY
                    };
                    let mut legal = sure;
                    for cell in unsure.cells() {
                        let mv = Move { kind: MoveKind::Zero, ..self.ordinary(origin, cell, landing, cell) };
                        if self.is_safe(state, &mv) {
                            legal |= S::of(cell);
                        }
                    }
                    if !legal.is_empty() {
                        visitor.zero(origin, kind, landing, legal);
                    }
                }
            }
        }
    }

    /// From which of these cells the policy lets men of a kind make a zero move.
    fn zero_cells(&self, state: &State<S, N, K>, origin: usize, landing: usize, kind: usize, men: S) -> S {
        let seen = self.seen(state);
        let ask = |cell: Cell| {
            let man = Man { kind: Kind(kind as u8), colour: state.turn };
            let (o, l) = (Board(origin as u8), Board(landing as u8));
            self.policy.zero_cells(&Mover { man, cell }, o, l, &seen)
        };
        if self.depends_on == DependsOn::Man {
            men.cells().filter(|c| ask(*c).has(*c)).fold(S::EMPTY, |set, c| set | S::of(c))
        } else {
            ask(men.lowest())
        }
    }

    /// Castling; the king must not be in check. `walked` are cells of the home board already found safe
    /// for the king.
    #[inline(never)]
    fn castling_moves<V: Visitor<S>>(
        &self,
        state: &State<S, N, K>,
        node: &Node<S, N>,
        walked: S,
        visitor: &mut V,
    ) {
        for plan in &self.castling[state.turn.index()] {
            let held = state.castling & plan.right != 0;
            if held && (plan.vacant & node.occupied[plan.board]).is_empty() {
                self.castling_move(state, node, plan, walked, visitor);
            }
        }
    }

    #[inline(never)]
    fn castling_move<V: Visitor<S>>(
        &self,
        state: &State<S, N, K>,
        node: &Node<S, N>,
        plan: &CastlingPlan<S>,
        walked: S,
        visitor: &mut V,
    ) {
        let (us, them) = (state.turn, !state.turn);
        let (rule, b) = (&plan.rule, plan.board);
        let sets = &state.boards[b];
        let own = sets.colour[us.index()];
        let rook_home = (sets.kind[rule.rook.index()] & own).has(rule.rook_from);
        if b != node.king_board || node.king != rule.king_from || !rook_home {
            return;
        }
        // A king that could simply walk there does that.
        let reached = &self.tables.men[us.index()][self.royal];
        let walks = !plan.one_step_short
            && self.targets(reached, node.king, us, node.occupied[b], S::EMPTY).has(rule.king_to);
        let lifted = node.occupied[b] ^ S::of(node.king);
        let enemies = sets.colour[them.index()];
        // Without masks, nobody has looked yet whether the king is in check.
        let known = if self.masks { walked | S::of(rule.king_from) } else { S::EMPTY };
        let attacked = |cell: Cell| {
            self.attacked(sets, cell, lifted | S::of(cell), enemies, them)
                || self.zero_attacked(&state.boards, b, cell, (N, S::EMPTY), them)
        };
        if walks || (plan.path & !known).cells().any(attacked) {
            return;
        }
        for route in &self.routes[b] {
            let there = node.occupied[route.landing];
            let lands = match route.lands {
                // How its men land says nothing about king and rook landing together.
                _ if self.foreign => self.asked_castling(state, node, rule, route.landing),
                Lands::Vacant => (plan.arrivals & there).is_empty(),
                Lands::Anywhere => true,
                Lands::Blocked(boards) => {
                    let mut on = (0..N).filter(|b| boards.0 >> b & 1 == 1);
                    on.all(|b| !(plan.arrivals & node.occupied[b]).is_empty())
                }
                Lands::Asked => self.asked_castling(state, node, rule, route.landing),
            };
            if !lands {
                continue;
            }
            if self.rules.tests.after_transfer {
                // King and rook stand on the landing board; the rook may shield the king.
                let occupied = if route.landing == b {
                    lifted & !S::of(rule.rook_from) | plan.arrivals
                } else {
                    there | plan.arrivals
                };
                let sets = &state.boards[route.landing];
                let enemies = sets.colour[them.index()];
                if self.attacked(sets, rule.king_to, occupied, enemies, them)
                    || self.zero_attacked(&state.boards, route.landing, rule.king_to, (N, S::EMPTY), them)
                {
                    continue;
                }
            }
            visitor.single(
                self.royal,
                Move {
                    from: rule.king_from,
                    origin: rule.board,
                    to: rule.king_to,
                    landing: Board(route.landing as u8),
                    promotion: None,
                    kind: MoveKind::Castling(rule.wing),
                },
            );
        }
    }

    fn asked_castling(
        &self,
        state: &State<S, N, K>,
        node: &Node<S, N>,
        rule: &Castling,
        landing: usize,
    ) -> bool {
        let b = rule.board.index();
        let mover = |kind, cell| Mover { man: Man { kind, colour: state.turn }, cell };
        let arrivals = S::of(rule.king_to) | S::of(rule.rook_to);
        (landing == b || (arrivals & node.occupied[landing]).is_empty())
            && self.policy.castling_lands(
                &mover(Kind(self.royal as u8), rule.king_from),
                &mover(rule.rook, rule.rook_from),
                rule.king_to,
                rule.rook_to,
                rule.board,
                Board(landing as u8),
                &self.seen(state),
            )
    }

    #[inline(never)]
    fn en_passant_moves<V: Visitor<S>>(&self, state: &State<S, N, K>, node: &Node<S, N>, visitor: &mut V) {
        let Some(right) = state.en_passant else { return };
        let us = state.turn;
        let rule = self.rules.en_passant;
        for origin in 0..self.boards {
            let here = rule != EnPassantRule::Landing && origin == right.origin.index()
                || rule != EnPassantRule::Origin && origin == right.landing.index();
            if !here || node.occupied[origin].has(right.passed) {
                continue;
            }
            let sets = &state.boards[origin];
            for &(kind, leaps_only) in &self.pawns {
                let reached = &self.tables.men[us.index()][kind];
                let mut men = sets.kind[kind] & sets.colour[us.index()];
                if leaps_only {
                    men &= reached.leaps_onto[right.passed.index()];
                }
                if !men.is_empty() {
                    self.en_passant_by(state, node, origin, kind, men, visitor);
                }
            }
        }
    }

    /// En passant captures by some pawns of one kind, with whatever is to be tested about them.
    #[inline(never)]
    fn en_passant_by<V: Visitor<S>>(
        &self,
        state: &State<S, N, K>,
        node: &Node<S, N>,
        origin: usize,
        kind: usize,
        men: S,
        visitor: &mut V,
    ) {
        let Some(right) = state.en_passant else { return };
        let (us, occupied) = (state.turn, node.occupied[origin]);
        let reached = &self.tables.men[us.index()][kind];
        for from in men.cells() {
            let quiet = self.targets(reached, from, us, occupied, S::EMPTY);
            // Were an enemy on the passed cell, could it be captured there?
            let attacks = self.attacks_vacant(reached, from, us, occupied);
            if !attacks.has(right.passed) || quiet.has(right.passed) {
                continue;
            }
            for route in &self.routes[origin] {
                let land = self.landing_cells(state, &node.occupied, origin, *route, kind, from);
                let mv = Move {
                    kind: MoveKind::EnPassant,
                    ..self.ordinary(origin, from, route.landing, right.passed)
                };
                if !land.has(right.passed) || !self.is_safe(state, &mv) {
                    continue;
                }
                let promotes_to = &self.promotes_to[kind];
                if self.promotion[kind][us.index()].has(right.passed) && !promotes_to.is_empty() {
                    for to in promotes_to {
                        visitor.single(kind, Move { promotion: Some(*to), ..mv });
                    }
                } else {
                    visitor.single(kind, mv);
                }
            }
        }
    }

    /// The cells that a man attacks, vacant ones too.
    fn attacks_vacant(&self, reached: &Reached<S>, from: Cell, us: Colour, occupied: S) -> S {
        if let Some(movement) = &reached.asked {
            return movement.attacks(from, us, occupied) & self.all;
        }
        let sliders = reached.attack_sliders.iter();
        sliders.fold(reached.attack_leaps[from.index()], |set, slider| set | slider.seen(from, occupied))
    }

    /// Whether the mover's king is safe before and after the transfer of a move that is no castling,
    /// found by making it.
    #[inline(never)]
    fn is_safe(&self, state: &State<S, N, K>, mv: &Move) -> bool {
        let us = state.turn;
        let tests = self.rules.tests;
        let before = if mv.kind == MoveKind::Zero { tests.before_zero_move } else { tests.before_transfer };
        if before {
            // The man on its arrival cell of the origin board, what it captures there gone; a zero move
            // changes nothing.
            let mut arrived = *state;
            if mv.kind != MoveKind::Zero {
                let staying = Move { landing: mv.origin, promotion: None, ..*mv };
                arrived = self.make::<false>(state, &staying);
            }
            let b = mv.origin.index();
            let sets = &arrived.boards[b];
            let kings = sets.kind[self.royal] & sets.colour[us.index()];
            if !kings.is_empty() && self.king_attacked(&arrived, b, kings.lowest(), us) {
                return false;
            }
        }
        !tests.after_transfer || !self.in_check(&self.make::<false>(state, mv), us)
    }

    /// The state after a legal move; with its hash if `HASH`.
    #[inline(never)]
    pub(crate) fn make<const HASH: bool>(&self, state: &State<S, N, K>, mv: &Move) -> State<S, N, K> {
        let mut next = *state;
        self.apply::<HASH>(state, &mut next, mv, self.mover(state, mv));
        next
    }

    /// The kind of the man that a move moves.
    #[inline(always)]
    pub(crate) fn mover(&self, state: &State<S, N, K>, mv: &Move) -> usize {
        let sets = &state.boards[mv.origin.index()];
        let at = S::of(mv.from);
        (0..self.kinds).find(|k| !(sets.kind[*k] & at).is_empty()).unwrap_or(0)
    }

    /// Makes a legal move of a man of this kind: `next` is a copy of `state`, and becomes the state after it.
    /// In place, since a state that is built in one place and moved to another is read before it is written.
    #[inline(always)]
    pub(crate) fn apply<const HASH: bool>(
        &self,
        state: &State<S, N, K>,
        next: &mut State<S, N, K>,
        mv: &Move,
        kind: usize,
    ) {
        let (us, them) = (state.turn, !state.turn);
        let (o, l) = (mv.origin.index(), mv.landing.index());
        let (from, to) = (S::of(mv.from), S::of(mv.to));
        next.en_passant = None;
        let mut hash = state.hash;
        let (victims, struck) = self.struck(state, mv);
        let taken = struck & state.boards[victims].colour[them.index()];
        let captured = !taken.is_empty();
        if captured {
            if HASH {
                let sets = &state.boards[victims];
                let victim = (0..self.kinds).find(|k| !(sets.kind[*k] & taken).is_empty());
                hash ^= self.keys.man(victims, them, victim.unwrap_or(0), taken.lowest());
            }
            next.boards[victims].clear(them, taken);
        }
        let becomes = mv.promotion.map_or(kind, Kind::index);
        next.boards[o].take(kind, us, from);
        next.boards[l].put(becomes, us, to);
        if HASH {
            hash ^= self.keys.man(o, us, kind, mv.from) ^ self.keys.man(l, us, becomes, mv.to);
        }
        if let MoveKind::Castling(wing) = mv.kind {
            let mine = self.rules.castling.iter().find(|c| c.colour == us && c.wing == wing);
            let rule = mine.expect("a castling move comes from a castling rule");
            let rook = rule.rook.index();
            next.boards[o].take(rook, us, S::of(rule.rook_from));
            next.boards[l].put(rook, us, S::of(rule.rook_to));
            // The king may have come to stand where the rook has just been taken from.
            next.boards[l].put(becomes, us, to);
            if HASH {
                hash ^= self.keys.man(o, us, rook, rule.rook_from) ^ self.keys.man(l, us, rook, rule.rook_to);
            }
        }
        if state.castling != 0 {
            next.castling &= self.remaining[o * 256 + mv.from.index()];
            if captured {
                next.castling &= self.remaining[victims * 256 + taken.lowest().index()];
            }
        }
        let pawn = self.progress.has(Kind(kind as u8));
        if self.rules.en_passant != EnPassantRule::None
            && mv.kind == MoveKind::Ordinary
            && !captured
            && self.double_steppers.has(Kind(kind as u8))
        {
            // Other steps of its kind may lead two forward too: the double step goes from an initial cell
            // over a vacant one, and leaves a man of the same kind.
            let Forward { to, passed } = self.two_forward[us.index()][mv.from.index()];
            if to == Some(mv.to)
                && mv.promotion.is_none()
                && !state.boards[o].occupied().has(passed)
                && self.rules.initial(Kind(kind as u8), us, mv.from)
            {
                next.en_passant = Some(EnPassant { passed, origin: mv.origin, landing: mv.landing });
            }
        }
        next.halfmoves = if captured || pawn { 0 } else { state.halfmoves.saturating_add(1) };
        next.fullmoves = state.fullmoves.saturating_add(us as u16);
        next.turn = them;
        if HASH {
            hash ^= self.keys.turn;
            if next.castling != state.castling {
                hash ^= self.keys.castling(state.castling) ^ self.keys.castling(next.castling);
            }
            if next.en_passant.is_some() || state.en_passant.is_some() {
                hash ^= self.keys.en_passant(state.en_passant) ^ self.keys.en_passant(next.en_passant);
            }
            next.hash = hash;
        }
    }

    /// The board and the cell where a move may capture: its arrival cell on the origin board; by a zero
    /// move on the twin; en passant where the pawn stands.
    #[inline(always)]
    pub(crate) fn struck(&self, state: &State<S, N, K>, mv: &Move) -> (usize, S) {
        match mv.kind {
            MoveKind::Ordinary => (mv.origin.index(), S::of(mv.to)),
            MoveKind::Zero => (mv.landing.index(), S::of(mv.to)),
            MoveKind::Castling(_) => (mv.origin.index(), S::EMPTY),
            MoveKind::EnPassant => self.en_passant_victim(state),
        }
    }

    /// The state after the side to move has done nothing.
    pub(crate) fn pass(&self, state: &State<S, N, K>) -> State<S, N, K> {
        let hash = state.hash ^ self.keys.turn ^ self.keys.en_passant(state.en_passant);
        State {
            turn: !state.turn,
            en_passant: None,
            halfmoves: state.halfmoves.saturating_add(1),
            hash,
            ..*state
        }
    }

    /// Whether a man of that colour attacks a square.
    pub(crate) fn square_attacked(&self, state: &State<S, N, K>, square: Square, by: Colour) -> bool {
        let (sets, b) = (&state.boards[square.board.index()], square.board.index());
        let men = sets.colour[by.index()] & !S::of(square.cell);
        self.attacked(sets, square.cell, sets.occupied(), men, by)
            || self.zero_attacked(&state.boards, b, square.cell, (N, S::EMPTY), by)
    }

    /// Which moves could give check to the side not to move; none where that can't be told without making
    /// each.
    pub(crate) fn check_lines(&self, state: &State<S, N, K>) -> Option<CheckLines<S, N, K>> {
        let (us, them) = (state.turn, !state.turn);
        let plan = &self.attacks[us.index()];
        // A king that stands attacked already, as set-up positions may have it, is so after most moves.
        if self.any_zero_captures || !plan.asked.is_empty() || self.in_check(state, them) {
            return None;
        }
        let king = |b: usize| state.boards[b].kind[self.royal] & state.boards[b].colour[them.index()];
        let board = (0..self.boards).find(|b| !king(*b).is_empty())?;
        let cell = king(board).lowest();
        let sets = &state.boards[board];
        let (occupied, own) = (sets.occupied(), sets.colour[us.index()]);
        let mut lines = CheckLines {
            board,
            lands: std::array::from_fn(|origin| {
                origin < self.boards && self.routes[origin].iter().any(|route| route.landing == board)
            }),
            direct: [S::EMPTY; K],
            through: [S::EMPTY; K],
            lined: S::EMPTY,
            opens_from: S::EMPTY,
            opens_to: S::EMPTY,
            promotion: S::EMPTY,
        };
        for (kind, from) in &plan.leapers {
            lines.direct[*kind] |= from[cell.index()];
            lines.through[*kind] |= from[cell.index()];
        }
        for riders in &plan.riders {
            let reach = riders.back.reach[cell.index()];
            let seen = riders.back.seen(cell, occupied);
            lines.lined |= seen;
            for kind in riders.two.iter().chain(&riders.rest) {
                lines.direct[*kind] |= seen;
                lines.through[*kind] |= reach;
            }
            for from in (reach & riders.men(sets) & own).cells() {
                let men = self.tables.between(cell, from) & occupied;
                let ours = men & own;
                // At most one man leaves the line and one more is captured on it.
                match (men.count(), ours.count()) {
                    (1, 1) => lines.opens_from |= men,
                    (1, 0) => lines.opens_to |= men,
                    (2, 1) => lines.opens_to |= men & !ours,
                    _ => {}
                }
            }
        }
        for (kind, to) in self.promotes_to.iter().enumerate() {
            if !to.is_empty() {
                lines.promotion |= self.promotion[kind][us.index()];
            }
        }
        Some(lines)
    }

    fn en_passant_victim(&self, state: &State<S, N, K>) -> (usize, S) {
        let right = state.en_passant.expect("an en passant move needs the right");
        let cell = forward(self.rules.shape, right.passed, !state.turn);
        (right.landing.index(), cell.map_or(S::EMPTY, S::of))
    }
}

/// Where moves have to start or end that could give check: few more than do.
pub(crate) struct CheckLines<S, const N: usize, const K: usize> {
    /// The board of the king.
    board: usize,
    /// For each board, whether men from there may land on the king's.
    lands: [bool; N],
    /// By kind, the cells from which it attacks the king, as things stand.
    direct: [S; K],
    /// By kind, the cells from which it would, were there nobody else.
    through: [S; K],
    /// The cells that are first on a line from the king, or before that.
    lined: S,
    /// Where own men stand alone between the king and an own rider.
    opens_from: S,
    /// Where enemies do, or with one own man.
    opens_to: S,
    /// Where anybody promotes.
    promotion: S,
}

impl<S: CellSet, const N: usize, const K: usize> CheckLines<S, N, K> {
    /// The arrival cells of moves, of a man of this kind, that might give check; for zero moves, where there
    /// is no cell left, those of all men of the kind.
    #[inline(always)]
    pub(crate) fn candidates(&self, kind: usize, from: Option<Cell>, origin: usize, landing: usize) -> S {
        let mut cells = S::EMPTY;
        if landing == self.board {
            // A man that stays on the king's board may open a line to the cell where it stops.
            let stays = origin == landing && from.is_some_and(|from| self.lined.has(from));
            cells |= if stays { self.through[kind] } else { self.direct[kind] } | self.promotion;
        }
        if origin == self.board {
            // It opens a line by leaving it, or by capturing who stands on it and leaving.
            cells |= match from {
                Some(from) if self.opens_from.has(from) => !S::EMPTY,
                Some(_) => self.opens_to,
                None => self.opens_from,
            };
        }
        cells
    }

    /// Whether no man of this kind on that board could give check.
    #[inline(always)]
    pub(crate) fn nothing(&self, kind: usize, origin: usize) -> bool {
        let lands =
            self.lands[origin] && !(self.direct[kind] | self.through[kind] | self.promotion).is_empty();
        let opens = origin == self.board && !(self.opens_from | self.opens_to).is_empty();
        !lands && !opens
    }
}

/// How many of the targets are safe, over all routes.
#[inline(always)]
fn tally<S: CellSet>(targets: S, masks: &[(S, S)]) -> u32 {
    let mut total = 0;
    for (_, safe) in masks {
        total += (targets & *safe).count();
    }
    total
}

impl<S: CellSet> Attacks<S> {
    fn new(tables: &Tables<S>, colour: Colour) -> Self {
        let men = &tables.men[colour.index()];
        let kinds = 0..men.len();
        let riders = tables.sliders.iter().zip(&tables.reverse).filter_map(|(slider, back)| {
            let uses = |k: &usize| men[*k].attack_sliders.iter().any(|s| Arc::ptr_eq(s, slider));
            let users: Vec<_> = kinds.clone().filter(uses).collect();
            let first = *users.first()?;
            Some(Riders {
                back: tables.sliders[usize::from(*back)].clone(),
                two: [first, *users.get(1).unwrap_or(&first)],
                rest: users.get(2..).unwrap_or_default().to_vec(),
            })
        });
        Self {
            riders: riders.collect(),
            leapers: kinds
                .clone()
                .filter(|k| men[*k].has_attack_leaps)
                .map(|k| (k, men[k].leaps_onto.clone()))
                .collect(),
            asked: kinds.clone().filter(|k| men[*k].asked.is_some()).collect(),
        }
    }
}

impl<S: CellSet> CastlingPlan<S> {
    fn new(rules: &Rules, rule: &Castling, king: &Reached<S>) -> Self {
        let crossed = [rule.rook_from, rule.king_to]
            .into_iter()
            .flat_map(|to| path(rules.shape, rule.king_from, to))
            .chain(path(rules.shape, rule.rook_from, rule.rook_to));
        let vacant = crossed
            .filter(|c| *c != rule.king_from && *c != rule.rook_from)
            .fold(S::EMPTY, |set, c| set | S::of(c));
        let leaps_only = matches!(king.rides, Rides::None);
        Self {
            right: rule.right(),
            board: rule.board.index(),
            vacant,
            one_step_short: leaps_only && !king.quiet_leaps[rule.king_from.index()].has(rule.king_to),
            path: path(rules.shape, rule.king_from, rule.king_to)
                .into_iter()
                .fold(S::EMPTY, |set, c| set | S::of(c)),
            arrivals: S::of(rule.king_to) | S::of(rule.rook_to),
            rule: rule.clone(),
        }
    }
}

/// The routes from a board. A standard transfer is spelled out; so is a foreign one whose table by
/// twins is one of those known here, others have to be asked.
fn routes<S: CellSet>(
    standard: Option<&StandardTransfer>,
    policy: &dyn TransferPolicy<S>,
    origin: usize,
    boards: usize,
    all: S,
) -> Vec<Route> {
    let landings = policy.landings(Board(origin as u8));
    let there = landings.iter().map(Board::index).filter(|l| *l < boards);
    there
        .map(|landing| {
            let lands = match standard {
                None => spelled_out(policy, origin, landing, boards, all).unwrap_or(Lands::Asked),
                Some(_) if landing != origin => Lands::Vacant,
                Some(transfer) => match transfer.staying {
                    Staying::IfBlocked => Lands::Blocked(transfer.to[origin]),
                    _ => Lands::Anywhere,
                },
            };
            Route { landing, lands }
        })
        .collect()
}

/// A policy's table by twins as one of the ways to land that are known here.
fn spelled_out<S: CellSet>(
    policy: &dyn TransferPolicy<S>,
    origin: usize,
    landing: usize,
    boards: usize,
    all: S,
) -> Option<Lands> {
    let (o, l) = (Board(origin as u8), Board(landing as u8));
    let sets = (0..1u16 << boards).map(|bits| BoardSet(bits as u8));
    // An arrival cell of another board's is vacant there, whatever the policy says.
    let sets: Vec<_> = sets.filter(|occupied| landing == origin || !occupied.has(l)).collect();
    let table = sets.iter().map(|occupied| policy.by_twins(o, l, *occupied)).collect::<Option<Vec<_>>>()?;
    if table.iter().any(|cells| *cells != all && !cells.is_empty()) {
        return None;
    }
    let open: Vec<_> = sets.iter().zip(&table).filter(|(_, cells)| **cells == all).map(|(s, _)| *s).collect();
    if open.len() == sets.len() {
        return Some(if landing == origin { Lands::Anywhere } else { Lands::Vacant });
    }
    // Open where all these boards' twins are occupied, and maybe others.
    let blocked = BoardSet(open.iter().fold(!0, |common, set| common & set.0));
    let covers = |set: &BoardSet| set.0 & blocked.0 == blocked.0;
    let fits = landing == origin && sets.iter().all(|set| covers(set) == open.contains(set));
    (fits && !open.is_empty()).then_some(Lands::Blocked(blocked))
}
