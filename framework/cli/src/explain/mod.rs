//! Why a move is legal or not: which rule says so, on which board, by which key of the config.
//!
//! Asks the slow twin of the core one question after the other, as a person would who reads the
//! rules: who stands there, how does it move, may it land there, is the king safe. Must not know how
//! an explanation is printed.

mod effects;
mod reason;

pub use effects::Effects;
pub use reason::{Danger, Reason, transfer_key};

use alice_core::reference::{Reference, Refusal};
use alice_core::*;

/// What is to be said of a move's text.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It is this legal move.
    Legal(Move),
    /// It fits legal moves, but does not say which, or asks for an impossible promotion.
    Open {
        /// What is missing or wrong.
        reason: Reason,
        /// The legal moves that fit, in the order of their exact texts.
        moves: Vec<Move>,
    },
    /// It is no legal move, for all these reasons.
    Illegal(Vec<Reason>),
}

/// Reads a move's text and judges it: an exact or short text, or else an algebraic one with the letters
/// of a language.
///
/// # Errors
/// [`MoveError::Unreadable`] if it is neither.
pub fn explain(position: &Position, text: &str, language: Language) -> Result<Verdict, MoveError> {
    let rules = position.rules();
    let pattern = match Pattern::read(rules, text) {
        Ok(pattern) => pattern,
        Err(error) => {
            // What begins with a cell was meant to be exact or short.
            let exact = matches!(&error, MoveError::Unreadable { at, .. } if at.start > 0);
            return algebraic(position, text, language).map_err(|other| if exact { error } else { other });
        }
    };
    let mut fit: Vec<Move> = position.legal_moves().into_iter().filter(|m| pattern.fits(m)).collect();
    fit.sort_by_key(|m| m.exact(rules));
    let Some(man) = fit.first().and_then(|m| position.man(m.start())) else {
        return Ok(Verdict::Illegal(Inquiry::new(position).reasons(&pattern)));
    };
    let wanted = pattern.promotion.and_then(|letter| rules.kind_of_letter(letter));
    let exact: Vec<Move> = fit.iter().filter(|m| m.promotion == wanted).copied().collect();
    let reason = match (exact.as_slice(), wanted) {
        ([one], _) => return Ok(Verdict::Legal(*one)),
        ([], wanted) => promotion(rules, man, pattern.to, wanted),
        (several, _) => {
            return Ok(Verdict::Open { reason: Reason::Ambiguous { moves: several.to_vec() }, moves: exact });
        }
    };
    Ok(Verdict::Open { reason, moves: fit })
}

/// Judges a move's text in the last position of a game, which tells more than the position alone.
///
/// # Errors
/// As [`explain`].
pub fn explain_in_game(record: &Record, text: &str, language: Language) -> Result<Verdict, MoveError> {
    let mut verdict = explain(record.position(), text, language)?;
    if let Verdict::Illegal(reasons) = &mut verdict {
        for reason in reasons {
            if let Reason::CastlingRight { castling, lost_by, .. } = reason {
                *lost_by = loss(record, castling.right());
            }
        }
    }
    Ok(verdict)
}

/// The move of a game after which a castling right is gone.
fn loss(record: &Record, right: u8) -> Option<Move> {
    let mut position = record.start().clone();
    record.moves().iter().copied().find(|mv| {
        let had = position.setup().castling & right != 0;
        position = position.after(mv);
        had && position.setup().castling & right == 0
    })
}

/// Judges a text in algebraic notation.
fn algebraic(position: &Position, text: &str, language: Language) -> Result<Verdict, MoveError> {
    let (candidates, ambiguous) = match position.read_algebraic_in(language, text) {
        Ok(mv) => return Ok(Verdict::Legal(mv)),
        Err(MoveError::Ambiguous { candidates, .. }) => (candidates, true),
        Err(
            MoveError::PromotionMissing { candidates, .. }
            | MoveError::PromotionImpossible { candidates, .. },
        ) => (candidates, false),
        Err(MoveError::Illegal { .. }) => {
            let attempts = position.algebraic_attempts(language, text)?;
            return Ok(Verdict::Illegal(Inquiry::new(position).reasons_of_all(&attempts)));
        }
        Err(unreadable) => return Err(unreadable),
    };
    let mut moves: Vec<Move> =
        candidates.iter().filter_map(|one| position.read_algebraic_in(language, one).ok()).collect();
    let rules = position.rules();
    moves.sort_by_key(|m| m.exact(rules));
    let first = moves.first().and_then(|mv| Some((position.man(mv.start())?, mv.to)));
    let reason = match (ambiguous, first) {
        (false, Some((man, to))) => {
            let attempts = position.algebraic_attempts(language, text)?;
            let letter = attempts.first().and_then(|attempt| attempt.promotion);
            promotion(rules, man, to, letter.and_then(|letter| rules.kind_of_letter(letter)))
        }
        _ => Reason::Ambiguous { moves: moves.clone() },
    };
    Ok(Verdict::Open { reason, moves })
}

/// What is wrong with what a man is to become on a cell that it may reach.
fn promotion(rules: &Rules, man: Man, to: Cell, wanted: Option<Kind>) -> Reason {
    match wanted {
        None => Reason::PromotionMissing { man, to },
        Some(kind) if rules.promotes(man.kind, man.colour, to) => Reason::PromotionImpossible { man, kind },
        Some(_) => Reason::NoPromotion { man, to },
    }
}

/// Whether a man gets to a cell of its own board.
enum Arrival {
    Reached(MoveKind),
    Refused(Vec<Reason>),
}

/// The questions that are asked about one position.
struct Inquiry<'a> {
    position: &'a Position,
    setup: Setup,
    rules: &'a Rules,
    reference: &'a Reference,
}

impl<'a> Inquiry<'a> {
    fn new(position: &'a Position) -> Self {
        let (setup, rules) = (position.setup(), position.rules());
        Self { position, setup, rules, reference: position.variant().reference() }
    }

    fn occupied(&self, board: Board) -> Wide {
        Boards::<Wide>::occupied(&self.setup, board)
    }

    fn own(&self, square: Square) -> Option<Man> {
        self.setup.man(square).filter(|m| m.colour == self.setup.turn)
    }

    fn royal(&self, man: Man) -> bool {
        self.rules.man(man.kind).royal
    }

    /// The boards on which a man from `origin` may ever land.
    fn offered(&self, origin: Board) -> BoardSet {
        let exist = self.rules.all_boards().fold(BoardSet::EMPTY, BoardSet::with);
        BoardSet(self.reference.transfer().landings(origin).0 & exist.0)
    }

    /// The landing boards that a text can mean.
    fn landings(&self, pattern: &Pattern, origin: Board) -> Vec<Board> {
        match pattern.landing {
            Some(landing) => vec![landing],
            None => self.offered(origin).iter().collect(),
        }
    }

    /// Every reason why no move fits the pattern.
    fn reasons(&self, pattern: &Pattern) -> Vec<Reason> {
        let cell = pattern.from;
        let named: Vec<Square> = match pattern.origin {
            Some(board) => vec![Square { board, cell }],
            None => self.rules.all_boards().map(|board| Square { board, cell }).collect(),
        };
        let mut reasons = Vec::new();
        for square in &named {
            if let Some(man) = self.own(*square) {
                reasons.extend(self.move_of(*square, man, pattern));
            }
        }
        let own = named.iter().find_map(|s| Some((*s, self.own(*s)?)));
        if let Some((from, man)) = own.filter(|_| reasons.is_empty()) {
            // Only code can refuse without a reason that is known here.
            let board = pattern.landing.unwrap_or(from.board);
            let square = Square { board, cell: pattern.to };
            reasons.push(Reason::RuleSet { man, from, square, castling: false });
        }
        if reasons.is_empty() {
            let enemies = named.iter().filter_map(|s| Some((*s, self.setup.man(*s)?)));
            reasons.extend(enemies.map(|(square, man)| Reason::EnemyMan { square, man }));
        }
        if reasons.is_empty() {
            let all = self.rules.all_boards().map(|board| Square { board, cell });
            let elsewhere = all.filter(|s| self.own(*s).is_some()).collect();
            reasons.push(Reason::NoMan { squares: named, elsewhere });
        }
        // Where several boards would do, the same may be said of each.
        let mut said = Vec::new();
        reasons.retain(|reason| {
            let sentence = reason.sentence(self.rules, &self.setup);
            let new = !said.contains(&sentence);
            said.push(sentence);
            new
        });
        reasons
    }

    /// Every reason why none of the men that a text could mean makes the move.
    fn reasons_of_all(&self, attempts: &[Pattern]) -> Vec<Reason> {
        let all: Vec<Vec<Reason>> = attempts.iter().map(|pattern| self.reasons(pattern)).collect();
        let moves_so = |reasons: &&Vec<Reason>| !reasons.iter().any(|r| matches!(r, Reason::Movement { .. }));
        // A man that moves like that, and may not, says more than those that don't.
        let nearer: Vec<Reason> = all.iter().filter(moves_so).flatten().cloned().collect();
        let mut reasons = if nearer.is_empty() { all.concat() } else { nearer };
        reasons.dedup();
        if reasons.is_empty() {
            reasons.push(Reason::Nobody { turn: self.setup.turn });
        }
        reasons
    }

    /// Why a man's move is refused.
    fn move_of(&self, from: Square, man: Man, pattern: &Pattern) -> Vec<Reason> {
        if pattern.to == from.cell {
            return self.zero_move(from, man, pattern);
        }
        if self.royal(man)
            && let Some(reasons) = self.castling(from, man, pattern)
        {
            return reasons;
        }
        match self.arrival(from, man, pattern.to) {
            Arrival::Refused(reasons) => reasons,
            Arrival::Reached(kind) => {
                let landings = self.landings(pattern, from.board);
                landings.into_iter().flat_map(|l| self.landing(from, man, pattern, l, kind)).collect()
            }
        }
    }

    /// Whether a man gets to a cell of its own board.
    fn arrival(&self, from: Square, man: Man, to: Cell) -> Arrival {
        let refused = |reason| Arrival::Refused(vec![reason]);
        let at = Square { board: from.board, cell: to };
        let attacked = self.reference.attacks(&self.setup, from, man).has(to);
        let quiet = self.reference.quiet(&self.setup, from, man).has(to);
        let occupant = self.setup.man(at);
        if quiet {
            return Arrival::Reached(MoveKind::Ordinary);
        }
        match occupant {
            Some(other) if attacked && other.colour == man.colour => {
                return refused(Reason::OwnMan { square: at, man: other, mover: man, zero: false });
            }
            Some(other) if attacked && self.royal(other) => {
                return refused(Reason::King { square: at, man: other });
            }
            Some(_) if attacked => return Arrival::Reached(MoveKind::Ordinary),
            _ => {}
        }
        let movement = self.reference.movement(man.kind);
        let occupied = self.occupied(from.board);
        let walks = |occupied: Wide| movement.quiet(from.cell, man.colour, occupied).has(to);
        if let Some(reason) = self.hurdle(from, man, to) {
            return refused(reason);
        }
        if let Some(occupant) = occupant
            && walks(occupied & !Wide::of(to))
        {
            return refused(match occupant.colour == man.colour {
                true => Reason::OwnMan { square: at, man: occupant, mover: man, zero: false },
                false => Reason::OnlyToVacant { man, square: at, occupant },
            });
        }
        if attacked {
            return match self.rules.man(man.kind).pawn {
                true => self.en_passant(from, man, to),
                false => refused(Reason::OnlyToCapture { man, from, to }),
            };
        }
        refused(
            self.blocked(from, man, to)
                .or_else(|| self.only_at_first(from, man, to))
                .unwrap_or_else(|| self.movement(from, man, to)),
        )
    }

    fn movement(&self, from: Square, man: Man, to: Cell) -> Reason {
        let enemies: Wide = self.setup.of_colour(from.board, !man.colour);
        let reached = self.reference.quiet(&self.setup, from, man)
            | self.reference.attacks(&self.setup, from, man) & enemies;
        let reaches: Vec<Cell> = reached.cells().collect();
        let moves = self.position.legal_moves();
        let open = |cell: &&Cell| moves.iter().any(|m| m.start() == from && m.to == **cell);
        let legal = reaches.iter().filter(open).count();
        Reason::Movement { man, from, to, reaches, legal }
    }

    /// Whether the man could get there if `occupied` were all the men on its board.
    fn could(
        &self,
        movement: &dyn PieceMovement<Wide>,
        from: Cell,
        man: Man,
        to: Cell,
        occupied: Wide,
    ) -> bool {
        let vacant = occupied & !Wide::of(to);
        movement.attacks(from, man.colour, occupied).has(to)
            || movement.quiet(from, man.colour, vacant).has(to)
    }

    /// The men in the way, if the man would get there without them.
    fn blocked(&self, from: Square, man: Man, to: Cell) -> Option<Reason> {
        let movement = self.reference.movement(man.kind);
        let occupied = self.occupied(from.board);
        let mut way = occupied & !Wide::of(from.cell) & !Wide::of(to);
        let ends = occupied & !way;
        if !self.could(movement, from.cell, man, to, ends) {
            return None;
        }
        // Men that can go without opening the way are not in it. The farthest are tried first, so
        // that of two men on one line the nearer is named.
        let mut others: Vec<Cell> = way.cells().collect();
        others.sort_by_key(|c| std::cmp::Reverse(self.distance(from.cell, *c)));
        for cell in others {
            let without = way & !Wide::of(cell);
            if !self.could(movement, from.cell, man, to, ends | without) {
                way = without;
            }
        }
        let by: Vec<_> = way.cells().map(|cell| Square { board: from.board, cell }).collect();
        (!by.is_empty()).then_some(Reason::Blocked { man, from, to, by })
    }

    fn distance(&self, a: Cell, b: Cell) -> i32 {
        let (a, b) = (self.rules.shape.coordinates(a), self.rules.shape.coordinates(b));
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).max().unwrap_or(0)
    }

    /// Whether a hopper would get there over the right number of men.
    fn hurdle(&self, from: Square, man: Man, to: Cell) -> Option<Reason> {
        let Movement::Steps(steps) = &self.rules.man(man.kind).movement else { return None };
        let shape = self.rules.shape;
        let unwanted = match self.setup.man(Square { board: from.board, cell: to }) {
            Some(_) => May::Move,
            None => May::Capture,
        };
        steps.steps.iter().filter(|s| s.may != unwanted).find_map(|step| {
            let (limit, behind) = match step.reach {
                Reach::HopOver { limit } => (limit, false),
                Reach::HopBehind { limit } => (limit, true),
                _ => return None,
            };
            let offset = oriented(step.offset, man.colour);
            let longest = if limit == 0 { usize::MAX } else { usize::from(limit) };
            let line = std::iter::successors(shape.step(from.cell, offset), |c| shape.step(*c, offset));
            let line: Vec<Cell> = line.take(longest).collect();
            let end = line.iter().position(|c| *c == to)?;
            let between = line[..end].iter().map(|cell| Square { board: from.board, cell: *cell });
            let over = between.filter(|s| self.setup.man(*s).is_some()).collect();
            Some(Reason::Hurdle { man, from, to, over, behind })
        })
    }

    /// Whether the man could go there from where it stands at the start, but stands there no more.
    fn only_at_first(&self, from: Square, man: Man, to: Cell) -> Option<Reason> {
        let Movement::Steps(steps) = &self.rules.man(man.kind).movement else { return None };
        let shape = self.rules.shape;
        let mut anywhere = steps.clone();
        anywhere.initial = [(); 2].map(|()| vec![true; shape.cells()]);
        let ends = self.occupied(from.board) & (Wide::of(from.cell) | Wide::of(to));
        let double = shape.step(from.cell, oriented([0, 2, 0], man.colour)) == Some(to);
        if self.could(&anywhere, from.cell, man, to, ends) {
            let initial = shape.all().filter(|c| self.rules.initial(man.kind, man.colour, *c)).collect();
            let double_step = double && self.rules.double_steps(man.kind);
            return Some(Reason::OnlyAtFirst { man, from, to, initial, double_step });
        }
        let without = double && self.rules.man(man.kind).pawn && shape.levels() == 1;
        without.then_some(Reason::NoDoubleStep { man, from })
    }

    /// A pawn to a vacant cell that it attacks.
    fn en_passant(&self, from: Square, man: Man, to: Cell) -> Arrival {
        let (rules, shape) = (self.rules, self.rules.shape);
        let at = Square { board: from.board, cell: to };
        let only_to_capture = Arrival::Refused(vec![Reason::OnlyToCapture { man, from, to }]);
        let ahead = |cell, colour| shape.step(cell, oriented([0, 1, 0], colour));
        // The pawn that may be meant stands one cell beyond and came from one cell before.
        let (Some(beyond), Some(before)) = (ahead(to, !man.colour), ahead(to, man.colour)) else {
            return only_to_capture;
        };
        let passed = |board: &Board| {
            let other = self.setup.man(Square { board: *board, cell: beyond });
            other.is_some_and(|m| {
                m.colour != man.colour
                    && rules.double_steps(m.kind)
                    && rules.initial(m.kind, m.colour, before)
            })
        };
        let Some(board) = rules.all_boards().find(passed) else { return only_to_capture };
        let reason = match self.setup.en_passant.filter(|right| right.passed == to) {
            _ if rules.en_passant == EnPassantRule::None => Reason::NoEnPassant { square: at },
            None => Reason::EnPassantLate { square: at, pawn: Square { board, cell: beyond } },
            Some(right) => {
                let origin = matches!(rules.en_passant, EnPassantRule::Origin | EnPassantRule::Either);
                let landing = matches!(rules.en_passant, EnPassantRule::Landing | EnPassantRule::Either);
                let open = [(origin, right.origin), (landing, right.landing)];
                let open = open.iter().filter(|(allowed, _)| *allowed).map(|(_, board)| *board);
                let boards = open.fold(BoardSet::EMPTY, BoardSet::with);
                if boards.has(from.board) {
                    return Arrival::Reached(MoveKind::EnPassant);
                }
                Reason::EnPassantBoard { square: at, boards }
            }
        };
        Arrival::Refused(vec![reason])
    }

    /// Why a man that got to its arrival cell does not land on that board, or not safely.
    fn landing(
        &self,
        from: Square,
        man: Man,
        pattern: &Pattern,
        landing: Board,
        kind: MoveKind,
    ) -> Vec<Reason> {
        let origin = from.board;
        let mover = Mover { man, cell: from.cell };
        if let Some(reason) = self.not_offered(origin, landing) {
            return vec![reason];
        }
        let cells = self.reference.landing_cells(&self.setup, &mover, origin, landing);
        if !cells.has(pattern.to) {
            let cells = [pattern.to];
            // That a man may stay if it is blocked matters only to who asked for it.
            let asked = landing != origin || pattern.landing.is_some();
            return if asked { self.not_landing(&mover, origin, landing, &cells, false) } else { vec![] };
        }
        let mut reasons = Vec::new();
        let wanted = pattern.promotion.and_then(|letter| self.rules.kind_of_letter(letter));
        let promotes = self.rules.promotes(man.kind, man.colour, pattern.to);
        let kinds = &self.rules.man(man.kind).promotes_to;
        match wanted {
            Some(_) if !promotes => reasons.push(Reason::NoPromotion { man, to: pattern.to }),
            Some(kind) if !kinds.contains(&kind) => reasons.push(Reason::PromotionImpossible { man, kind }),
            _ => {}
        }
        let promotion = wanted.filter(|k| kinds.contains(k)).or(kinds.first().copied()).filter(|_| promotes);
        let mv = Move { from: from.cell, origin, to: pattern.to, landing, promotion, kind };
        reasons.extend(self.unsafe_king(&mv, man));
        reasons
    }

    /// Whether men of a board never land on another.
    fn not_offered(&self, origin: Board, landing: Board) -> Option<Reason> {
        let offered = self.offered(origin);
        if offered.has(landing) {
            None
        } else if landing == origin {
            Some(Reason::MayNotStay { origin, offered })
        } else {
            Some(Reason::NotOffered { origin, landing, offered })
        }
    }

    /// Why men don't land on these cells of a board that is offered.
    fn not_landing(
        &self,
        mover: &Mover,
        origin: Board,
        landing: Board,
        cells: &[Cell],
        castling: bool,
    ) -> Vec<Reason> {
        let at = |board: Board| cells.iter().map(move |cell| Square { board, cell: *cell });
        let vacant = |square: &Square| self.setup.man(*square).is_none();
        if landing != origin {
            let occupied = at(landing).filter_map(|square| Some((square, self.setup.man(square)?)));
            let reasons: Vec<_> = occupied
                .map(|(square, man)| Reason::TwinOccupied { square, man, zero: false, castling })
                .collect();
            if !reasons.is_empty() {
                return reasons;
            }
        } else if let Transfer::Standard(_) = &self.rules.transfer {
            let elsewhere = self.offered(origin).iter().filter(|b| *b != origin);
            let open = elsewhere.filter(|b| at(*b).all(|s| vacant(&s)));
            return vec![Reason::CanTransfer { origin, vacant: open.flat_map(at).collect() }];
        }
        let (man, from) = (mover.man, Square { board: origin, cell: mover.cell });
        at(landing).take(1).map(|square| Reason::RuleSet { man, from, square, castling }).collect()
    }

    /// The kinds of men that may ever make zero moves.
    fn zero_men(&self, colour: Colour) -> KindSet {
        let makes = |kind: &Kind| {
            let pairs = self.rules.all_boards().flat_map(|o| self.rules.all_boards().map(move |l| (o, l)));
            let answer = |(origin, landing)| {
                self.reference.transfer().zero_answer(Man { kind: *kind, colour }, origin, landing)
            };
            pairs.filter(|(origin, landing)| origin != landing).any(|pair| answer(pair) != ZeroAnswer::None)
        };
        (0..self.rules.men.len()).map(|n| Kind(n as u8)).filter(makes).collect()
    }

    fn zero_move(&self, from: Square, man: Man, pattern: &Pattern) -> Vec<Reason> {
        let transfer = self.reference.transfer();
        let mover = Mover { man, cell: from.cell };
        let men = self.zero_men(man.colour);
        if men == KindSet::EMPTY {
            return vec![Reason::NoZeroMoves { square: from }];
        } else if !men.has(man.kind) {
            return vec![Reason::NotZeroMan { square: from, man, men }];
        }
        if pattern.landing == Some(from.board) {
            return vec![Reason::SameSquare { square: from, man }];
        }
        let mut reasons = Vec::new();
        for landing in self.landings(pattern, from.board).into_iter().filter(|b| *b != from.board) {
            let at = Square { board: landing, cell: from.cell };
            if let Some(reason) = self.not_offered(from.board, landing) {
                reasons.push(reason);
                continue;
            }
            let captures = transfer.captures_by_zero_move(man, from.board, landing);
            let cells = transfer.zero_cells(&mover, from.board, landing, &self.setup);
            let mv = Move {
                from: from.cell,
                origin: from.board,
                to: from.cell,
                landing,
                promotion: None,
                kind: MoveKind::Zero,
            };
            match self.setup.man(at) {
                _ if !cells.has(from.cell) => {
                    reasons.push(Reason::RuleSet { man, from, square: at, castling: false });
                }
                Some(other) if other.colour == man.colour => {
                    reasons.push(Reason::OwnMan { square: at, man: other, mover: man, zero: true });
                }
                Some(other) if !captures => {
                    reasons.push(Reason::TwinOccupied {
                        square: at,
                        man: other,
                        zero: true,
                        castling: false,
                    });
                }
                Some(other) if self.royal(other) => reasons.push(Reason::King { square: at, man: other }),
                _ => reasons.extend(self.unsafe_king(&mv, man)),
            }
        }
        if reasons.is_empty() {
            reasons.push(Reason::NoZeroMoves { square: from });
        }
        reasons
    }

    /// Why castling is refused; none if the text is not meant as castling.
    fn castling(&self, from: Square, man: Man, pattern: &Pattern) -> Option<Vec<Reason>> {
        let (shape, rules) = (self.rules.shape, self.rules);
        let ([file, rank, level], [to_file, to_rank, to_level]) =
            (shape.coordinates(from.cell), shape.coordinates(pattern.to));
        let along = rank == to_rank && level == to_level && (file - to_file).abs() > 1;
        if !along || matches!(self.arrival(from, man, pattern.to), Arrival::Reached(_)) {
            return None;
        }
        let own: Vec<&Castling> = rules.castling.iter().filter(|c| c.colour == man.colour).collect();
        let aside = |c: &Castling| shape.coordinates(c.king_to)[0] - shape.coordinates(c.king_from)[0];
        let Some(castling) = own.iter().find(|c| aside(c).signum() == (to_file - file).signum()) else {
            let mut reasons = vec![self.movement(from, man, pattern.to)];
            reasons.extend(own.is_empty().then_some(Reason::NoCastling { colour: man.colour }));
            return Some(reasons);
        };
        let castling = *castling;
        if (from.board, from.cell) != (castling.board, castling.king_from) {
            let movement = self.movement(from, man, pattern.to);
            return Some(vec![movement, Reason::CastlingNotHome { castling: castling.clone() }]);
        }
        let mv = |landing| Move {
            from: castling.king_from,
            origin: castling.board,
            to: castling.king_to,
            landing,
            promotion: None,
            kind: MoveKind::Castling(castling.wing),
        };
        if pattern.to != castling.king_to {
            let write = mv(castling.board).short(rules);
            let movement = self.movement(from, man, pattern.to);
            return Some(vec![movement, Reason::CastlingArrival { castling: castling.clone(), write }]);
        }
        let mut reasons = self.castling_at_home(castling);
        for landing in self.landings(pattern, from.board) {
            reasons.extend(self.castling_landing(castling, man, pattern, &mv(landing)));
        }
        if let Some(Refusal::CastlingThroughCheck { cell, attackers }) =
            self.reference.refusal(&self.setup, &mv(castling.board))
        {
            let cell = cell.cell;
            reasons.push(Reason::CastlingAttacked { castling: castling.clone(), cell, attackers });
        }
        Some(reasons)
    }

    /// What is amiss on the home board: right, rook, men between.
    fn castling_at_home(&self, castling: &Castling) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let shape = self.rules.shape;
        let at = |cell| Square { board: castling.board, cell };
        let rook = Man { kind: castling.rook, colour: castling.colour };
        let rook_home = self.setup.man(at(castling.rook_from)) == Some(rook);
        if self.setup.castling & castling.right() == 0 || !rook_home {
            reasons.push(Reason::CastlingRight { castling: castling.clone(), rook_home, lost_by: None });
        }
        let homes = [castling.king_from, castling.rook_from];
        let ends = [castling.king_from, castling.rook_from, castling.king_to, castling.rook_to];
        let file = |c: Cell| shape.coordinates(c)[0];
        let files = ends.map(file);
        let (first, last) = (files.iter().min(), files.iter().max());
        let [_, rank, level] = shape.coordinates(castling.king_from);
        let between = shape.all().filter(|c| {
            let [f, r, l] = shape.coordinates(*c);
            r == rank && l == level && first.is_some_and(|a| f >= *a) && last.is_some_and(|b| f <= *b)
        });
        let by: Vec<_> =
            between.filter(|c| !homes.contains(c)).map(at).filter(|s| self.setup.man(*s).is_some()).collect();
        if !by.is_empty() {
            reasons.push(Reason::CastlingBlocked { castling: castling.clone(), by });
        }
        reasons
    }

    /// Why king and rook do not land together on that board, or not safely.
    fn castling_landing(&self, castling: &Castling, king: Man, pattern: &Pattern, mv: &Move) -> Vec<Reason> {
        let (origin, landing) = (mv.origin, mv.landing);
        if let Some(reason) = self.not_offered(origin, landing) {
            return vec![reason];
        }
        let rook = Man { kind: castling.rook, colour: castling.colour };
        let kings = Mover { man: king, cell: castling.king_from };
        let rooks = Mover { man: rook, cell: castling.rook_from };
        let (king_to, rook_to) = (castling.king_to, castling.rook_to);
        let policy = self.reference.transfer();
        let lands = policy.castling_lands(&kings, &rooks, king_to, rook_to, origin, landing, &self.setup);
        let taken = |cell| self.setup.man(Square { board: landing, cell }).is_some();
        if !lands || landing != origin && (taken(king_to) || taken(rook_to)) {
            let asked = landing != origin || pattern.landing.is_some();
            let cells = [king_to, rook_to];
            return if asked { self.not_landing(&kings, origin, landing, &cells, true) } else { vec![] };
        }
        // Attacked cells on the home board are told once, by the caller.
        if matches!(self.reference.refusal(&self.setup, mv), Some(Refusal::CastlingThroughCheck { .. })) {
            return vec![];
        }
        self.unsafe_king(mv, king)
    }

    /// Why a move that men and looking-glass allow is refused for the king's sake.
    fn unsafe_king(&self, mv: &Move, man: Man) -> Vec<Reason> {
        let (reference, setup, rules) = (self.reference, &self.setup, self.rules);
        let colour = setup.turn;
        let (king_goes, stays) = (self.royal(man), mv.landing == mv.origin);
        let before = match reference.refusal(setup, mv) {
            Some(Refusal::CheckBeforeTransfer { king, attackers }) => {
                let zero = mv.kind == MoveKind::Zero;
                Some(Reason::CheckBefore { king, attackers, king_goes, zero, stays })
            }
            _ => None,
        };
        let made = reference.make(setup, mv);
        let attackers = reference.checkers(&made, colour);
        let after = reference.king(&made, colour).filter(|_| !attackers.is_empty()).map(|king| {
            let danger = self.danger(mv, king, &attackers, king_goes);
            // Where nobody transfers the two tests are one; the first that is on refuses.
            let key =
                if rules.tests.after_transfer { "check.after-transfer" } else { "check.before-transfer" };
            Reason::CheckAfter { mv: *mv, king, attackers, danger, key }
        });
        let after = after.filter(|_| rules.tests.after_transfer || stays && before.is_some());
        match (before, after) {
            (Some(before), Some(after)) if king_goes && !stays => vec![before, after],
            // For other men a test before the transfer hardly ever says more than the one after.
            (_, Some(after)) => vec![after],
            (before, None) => before.into_iter().collect(),
        }
    }

    fn danger(&self, mv: &Move, king: Square, attackers: &[Square], king_goes: bool) -> Danger {
        let (reference, setup) = (self.reference, &self.setup);
        if king_goes {
            return Danger::KingGoes;
        }
        let now = reference.checkers(setup, setup.turn);
        let mut lifted = setup.clone();
        let man = setup.man(mv.start());
        lifted.put(mv.start(), None);
        if attackers.iter().any(|a| now.contains(a)) {
            let mut arrived = lifted;
            let at = Square { board: mv.origin, cell: mv.to };
            arrived.put(at, man);
            let shielded = mv.landing != mv.origin
                && king.board == mv.origin
                && reference.attackers(&arrived, king, setup.turn).is_empty();
            return if shielded { Danger::ShieldLeaves } else { Danger::NotParried };
        }
        let bared = reference.attackers(&lifted, king, setup.turn);
        if attackers.iter().any(|a| bared.contains(a)) { Danger::Pinned } else { Danger::Opened }
    }
}
