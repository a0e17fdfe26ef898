//! The slow twin: legal moves by the plain reading of the rules, one man and one move at a time.
//!
//! It walks over setups, asks the two traits for the widest sets, makes every move and looks whether
//! the king stands in check. It shares no table and no mask with the fast path, which is compared
//! with it on every variant; it is also what explains why a move is refused. Clarity before speed.

use crate::cells::CellSet;
use crate::men::{Colour, Kind, Man};
use crate::movement::PieceMovement;
use crate::moves::{Move, MoveKind};
use crate::rules::{Castling, EnPassantRule, Rules, Transfer};
use crate::setup::Setup;
use crate::shape::{Board, Cell, Square};
use crate::transfer::{Boards, Mover, TransferPolicy};
use crate::{Shape, Wide};
use std::sync::Arc;

/// Why a move that men and looking-glass allow is refused for the king's sake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// With the man on its arrival cell, before the transfer, the king stands in check.
    CheckBeforeTransfer {
        /// Where the king stands then.
        king: Square,
        /// Who attacks it.
        attackers: Vec<Square>,
    },
    /// After the transfer the king stands in check.
    CheckAfterTransfer {
        /// Where the king stands then.
        king: Square,
        /// Who attacks it.
        attackers: Vec<Square>,
    },
    /// The king castles out of check, over or onto an attacked cell of its home board.
    CastlingThroughCheck {
        /// The attacked cell.
        cell: Square,
        /// Who attacks it.
        attackers: Vec<Square>,
    },
}

/// The slow twin for one variant.
pub struct Reference {
    rules: Arc<Rules>,
    movements: Vec<Arc<dyn PieceMovement<Wide>>>,
    transfer: Arc<dyn TransferPolicy<Wide>>,
}

/// The cell one rank further on for that colour.
pub(crate) fn forward(shape: Shape, cell: Cell, colour: Colour) -> Option<Cell> {
    shape.step(cell, crate::movement::oriented([0, 1, 0], colour))
}

/// The cells of a rank from one cell to another, both included, in that order.
pub(crate) fn path(shape: Shape, from: Cell, to: Cell) -> Vec<Cell> {
    let ([a, rank, level], [b, ..]) = (shape.coordinates(from), shape.coordinates(to));
    let files: Vec<i32> = if a <= b { (a..=b).collect() } else { (b..=a).rev().collect() };
    files.into_iter().filter_map(|f| shape.cell(f, rank, level)).collect()
}

impl Reference {
    /// The slow twin for these rules.
    pub fn new(rules: Arc<Rules>) -> Self {
        let movements = rules.men.iter().map(|m| m.movement.wide()).collect();
        let transfer: Arc<dyn TransferPolicy<Wide>> = match &rules.transfer {
            Transfer::Standard(standard) => Arc::new(standard.clone()),
            Transfer::Foreign(foreign) => foreign.clone().for_256(),
        };
        Self { rules, movements, transfer }
    }

    /// The transfer policy for the widest boards.
    pub fn transfer(&self) -> &dyn TransferPolicy<Wide> {
        &*self.transfer
    }

    /// The movement of a kind for the widest boards.
    pub fn movement(&self, kind: Kind) -> &dyn PieceMovement<Wide> {
        &*self.movements[kind.index()]
    }

    /// The vacant cells to which a man may move on its own board.
    pub fn quiet(&self, setup: &Setup, square: Square, man: Man) -> Wide {
        let occupied = setup.occupied(square.board);
        let quiet = self.movement(man.kind).quiet(square.cell, man.colour, occupied);
        quiet & Boards::<Wide>::all(setup) & !occupied
    }

    /// The cells that a man attacks on its own board.
    pub fn attacks(&self, setup: &Setup, square: Square, man: Man) -> Wide {
        let occupied: Wide = setup.occupied(square.board);
        let attacks = self.movement(man.kind).attacks(square.cell, man.colour, occupied);
        attacks & Boards::<Wide>::all(setup) & !Wide::of(square.cell)
    }

    /// The cells of a board where an enemy of `colour` stands that may be captured: not the king.
    fn prey(&self, setup: &Setup, board: Board, colour: Colour) -> Wide {
        let enemies: Wide = setup.of_colour(board, !colour);
        match self.rules.royal() {
            Some(royal) => enemies & !Boards::<Wide>::of_kind(setup, board, royal),
            None => enemies,
        }
    }

    /// Where a man that moves on `origin` may land on `landing`.
    pub fn landing_cells(&self, setup: &Setup, mover: &Mover, origin: Board, landing: Board) -> Wide {
        let cells = self.transfer.landing_cells(mover, origin, landing, setup);
        if landing == origin { cells } else { cells & !Boards::<Wide>::occupied(setup, landing) }
    }

    /// Who of the other side attacks a square where a man of `colour` stands or would stand.
    pub fn attackers(&self, setup: &Setup, target: Square, colour: Colour) -> Vec<Square> {
        let attacks = |square: Square, man: Man| {
            if square.board == target.board {
                self.attacks(setup, square, man).has(target.cell)
            } else {
                square.cell == target.cell
                    && self.transfer.landings(square.board).has(target.board)
                    && self.transfer.captures_by_zero_move(man, square.board, target.board)
            }
        };
        setup
            .men()
            .filter(|(square, man)| man.colour != colour && attacks(*square, *man))
            .map(|(square, _)| square)
            .collect()
    }

    /// Where the king of that colour stands, if there is one.
    pub fn king(&self, setup: &Setup, colour: Colour) -> Option<Square> {
        let royal = self.rules.royal()?;
        setup.find(Man { kind: royal, colour }).next()
    }

    /// Who attacks the king of that colour.
    pub fn checkers(&self, setup: &Setup, colour: Colour) -> Vec<Square> {
        match self.king(setup, colour) {
            Some(king) => self.attackers(setup, king, colour),
            None => Vec::new(),
        }
    }

    /// All moves that men and looking-glass allow, before the king's safety is looked at.
    pub fn pseudo_moves(&self, setup: &Setup) -> Vec<Move> {
        let mut moves = Vec::new();
        for (square, man) in setup.men().filter(|(_, man)| man.colour == setup.turn) {
            self.ordinary_moves(setup, square, man, &mut moves);
            self.zero_moves(setup, square, man, &mut moves);
            if self.rules.man(man.kind).pawn {
                self.en_passant_moves(setup, square, man, &mut moves);
            }
        }
        for castling in &self.rules.castling {
            self.castling_moves(setup, castling, &mut moves);
        }
        moves
    }

    fn ordinary_moves(&self, setup: &Setup, square: Square, man: Man, moves: &mut Vec<Move>) {
        let prey = self.prey(setup, square.board, man.colour);
        let targets = self.quiet(setup, square, man) | self.attacks(setup, square, man) & prey;
        self.landed(setup, square, man, targets, MoveKind::Ordinary, moves);
    }

    /// Adds the moves of a man to each of these arrival cells, for each board it may land on and
    /// each kind it may become.
    fn landed(
        &self,
        setup: &Setup,
        square: Square,
        man: Man,
        targets: Wide,
        kind: MoveKind,
        moves: &mut Vec<Move>,
    ) {
        let mover = Mover { man, cell: square.cell };
        for landing in self.transfer.landings(square.board).iter().filter(|b| self.rules.has_board(*b)) {
            for to in (targets & self.landing_cells(setup, &mover, square.board, landing)).cells() {
                let promotions: Vec<_> = if self.rules.promotes(man.kind, man.colour, to) {
                    self.rules.man(man.kind).promotes_to.iter().copied().map(Some).collect()
                } else {
                    vec![None]
                };
                moves.extend(promotions.into_iter().map(|promotion| Move {
                    from: square.cell,
                    origin: square.board,
                    to,
                    landing,
                    promotion,
                    kind,
                }));
            }
        }
    }

    fn zero_moves(&self, setup: &Setup, square: Square, man: Man, moves: &mut Vec<Move>) {
        let mover = Mover { man, cell: square.cell };
        for landing in self.transfer.landings(square.board).iter() {
            if landing == square.board || !self.rules.has_board(landing) {
                continue;
            }
            let cells = self.transfer.zero_cells(&mover, square.board, landing, setup);
            let mut open = !Boards::<Wide>::occupied(setup, landing);
            if self.transfer.captures_by_zero_move(man, square.board, landing) {
                open |= self.prey(setup, landing, man.colour);
            }
            if (cells & open).has(square.cell) {
                moves.push(Move {
                    from: square.cell,
                    origin: square.board,
                    to: square.cell,
                    landing,
                    promotion: None,
                    kind: MoveKind::Zero,
                });
            }
        }
    }

    fn en_passant_moves(&self, setup: &Setup, square: Square, man: Man, moves: &mut Vec<Move>) {
        let Some(right) = setup.en_passant else { return };
        let rule = self.rules.en_passant;
        let origin = matches!(rule, EnPassantRule::Origin | EnPassantRule::Either);
        let landing = matches!(rule, EnPassantRule::Landing | EnPassantRule::Either);
        let here = origin && square.board == right.origin || landing && square.board == right.landing;
        let passed = Wide::of(right.passed);
        // Where the pawn could walk to the passed cell without capturing, it does just that.
        let quiet = self.quiet(setup, square, man);
        let vacant = !Boards::<Wide>::occupied(setup, square.board);
        let target = self.attacks(setup, square, man) & vacant & passed & !quiet;
        if here {
            self.landed(setup, square, man, target, MoveKind::EnPassant, moves);
        }
    }

    fn castling_moves(&self, setup: &Setup, castling: &Castling, moves: &mut Vec<Move>) {
        let Some(royal) = self.rules.royal() else { return };
        let (board, shape, colour) = (castling.board, self.rules.shape, castling.colour);
        if setup.turn != colour || setup.castling & castling.right() == 0 {
            return;
        }
        let king = Man { kind: royal, colour };
        let rook = Man { kind: castling.rook, colour };
        let at = |cell| Square { board, cell };
        if setup.man(at(castling.king_from)) != Some(king) || setup.man(at(castling.rook_from)) != Some(rook)
        {
            return;
        }
        let crossed = [
            path(shape, castling.king_from, castling.rook_from),
            path(shape, castling.king_from, castling.king_to),
            path(shape, castling.rook_from, castling.rook_to),
        ];
        let clear = crossed.iter().flatten().all(|cell| {
            *cell == castling.king_from || *cell == castling.rook_from || setup.man(at(*cell)).is_none()
        });
        // A king that could simply walk there does that: two moves must not share one text.
        if !clear || self.quiet(setup, at(castling.king_from), king).has(castling.king_to) {
            return;
        }
        let kings = Mover { man: king, cell: castling.king_from };
        let rooks = Mover { man: rook, cell: castling.rook_from };
        for landing in self.transfer.landings(board).iter().filter(|b| self.rules.has_board(*b)) {
            let vacant = landing == board
                || [castling.king_to, castling.rook_to]
                    .iter()
                    .all(|cell| setup.man(Square { board: landing, cell: *cell }).is_none());
            let lands = self.transfer.castling_lands(
                &kings,
                &rooks,
                castling.king_to,
                castling.rook_to,
                board,
                landing,
                setup,
            );
            if vacant && lands {
                moves.push(Move {
                    from: castling.king_from,
                    origin: board,
                    to: castling.king_to,
                    landing,
                    promotion: None,
                    kind: MoveKind::Castling(castling.wing),
                });
            }
        }
    }

    /// The castling that a move makes.
    fn castling_of(&self, setup: &Setup, mv: &Move) -> Option<&Castling> {
        let MoveKind::Castling(wing) = mv.kind else { return None };
        self.rules.castling.iter().find(|c| c.colour == setup.turn && c.wing == wing)
    }

    /// The square of the pawn that an en passant capture would take.
    fn en_passant_victim(&self, setup: &Setup) -> Option<Square> {
        let right = setup.en_passant?;
        let cell = forward(self.rules.shape, right.passed, !setup.turn)?;
        Some(Square { board: right.landing, cell })
    }

    /// Why a pseudo-legal move is refused; none if it is legal.
    pub fn refusal(&self, setup: &Setup, mv: &Move) -> Option<Refusal> {
        let colour = setup.turn;
        if let Some(castling) = self.castling_of(setup, mv) {
            for cell in path(self.rules.shape, castling.king_from, castling.king_to) {
                let mut passing = setup.clone();
                let king = passing.man(mv.start());
                passing.put(mv.start(), None);
                let cell = Square { board: castling.board, cell };
                passing.put(cell, king);
                let attackers = self.attackers(&passing, cell, colour);
                if !attackers.is_empty() {
                    return Some(Refusal::CastlingThroughCheck { cell, attackers });
                }
            }
        } else if self.tested_before(mv) {
            // The man on its arrival cell, what it captures there gone; a zero move changes nothing.
            let mut arrived = setup.clone();
            let man = arrived.man(mv.start());
            arrived.put(mv.start(), None);
            arrived.put(Square { board: mv.origin, cell: mv.to }, man);
            if mv.kind == MoveKind::EnPassant
                && let Some(victim) = self.en_passant_victim(setup)
            {
                arrived.put(victim, None);
            }
            if let Some(king) = self.king(&arrived, colour).filter(|k| k.board == mv.origin) {
                let attackers = self.attackers(&arrived, king, colour);
                if !attackers.is_empty() {
                    return Some(Refusal::CheckBeforeTransfer { king, attackers });
                }
            }
        }
        if self.rules.tests.after_transfer {
            let after = self.make(setup, mv);
            let attackers = self.checkers(&after, colour);
            if let Some(king) = self.king(&after, colour).filter(|_| !attackers.is_empty()) {
                return Some(Refusal::CheckAfterTransfer { king, attackers });
            }
        }
        None
    }

    fn tested_before(&self, mv: &Move) -> bool {
        match mv.kind {
            MoveKind::Zero => self.rules.tests.before_zero_move,
            _ => self.rules.tests.before_transfer,
        }
    }

    /// All legal moves, in no particular order.
    pub fn legal_moves(&self, setup: &Setup) -> Vec<Move> {
        let mut moves = self.pseudo_moves(setup);
        moves.retain(|mv| self.refusal(setup, mv).is_none());
        moves
    }

    /// The setup after a pseudo-legal move.
    pub fn make(&self, setup: &Setup, mv: &Move) -> Setup {
        let mut after = setup.clone();
        let colour = setup.turn;
        let mover = setup.man(mv.start()).expect("a move starts from a man");
        after.put(mv.start(), None);
        let mut captured = false;
        // An ordinary move captures on the arrival cell of its origin board, a zero move on the twin.
        let struck = match mv.kind {
            MoveKind::Ordinary => Some(Square { board: mv.origin, cell: mv.to }),
            MoveKind::Zero => Some(mv.end()),
            MoveKind::EnPassant => self.en_passant_victim(setup),
            MoveKind::Castling(_) => None,
        };
        if let Some(square) = struck
            && after.man(square).is_some()
        {
            captured = true;
            after.put(square, None);
        }
        if let Some(castling) = self.castling_of(setup, mv) {
            let rook = Square { board: castling.board, cell: castling.rook_from };
            let man = after.man(rook);
            after.put(rook, None);
            after.put(Square { board: mv.landing, cell: castling.rook_to }, man);
        }
        let kind = mv.promotion.unwrap_or(mover.kind);
        after.put(mv.end(), Some(Man { kind, colour }));

        for castling in &self.rules.castling {
            let [king, rook] =
                [castling.king_from, castling.rook_from].map(|cell| Square { board: castling.board, cell });
            let man = |kind| Some(Man { kind, colour: castling.colour });
            let home =
                after.man(king) == self.rules.royal().and_then(man) && after.man(rook) == man(castling.rook);
            if !home || mv.start() == king || mv.start() == rook {
                after.castling &= !castling.right();
            }
        }
        after.en_passant = self.double_step(setup, mv, mover).filter(|_| !captured);
        after.halfmoves =
            if captured || self.rules.man(mover.kind).pawn { 0 } else { setup.halfmoves.saturating_add(1) };
        after.fullmoves = setup.fullmoves.saturating_add(u16::from(colour == Colour::Black));
        after.turn = !colour;
        after
    }

    /// What en passant right a move leaves behind: that of a man still of its kind, come from an initial
    /// cell over a vacant one.
    fn double_step(&self, setup: &Setup, mv: &Move, mover: Man) -> Option<crate::EnPassant> {
        if self.rules.en_passant == EnPassantRule::None
            || mv.kind != MoveKind::Ordinary
            || mv.promotion.is_some()
            || !self.rules.double_steps(mover.kind)
            || !self.rules.initial(mover.kind, mover.colour, mv.from)
        {
            return None;
        }
        let passed = forward(self.rules.shape, mv.from, mover.colour)?;
        let over = Square { board: mv.origin, cell: passed };
        let doubled = forward(self.rules.shape, passed, mover.colour)? == mv.to && setup.man(over).is_none();
        doubled.then_some(crate::EnPassant { passed, origin: mv.origin, landing: mv.landing })
    }
}
