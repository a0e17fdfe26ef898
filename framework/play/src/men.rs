//! The men where they stand and what they are worth there, kept up to date by each move of a search.
//!
//! The core knows the rules and answers in sets; a search asks a thousand times a millisecond what
//! stands on one square. Must not know what is legal.

use crate::evaluation::Worth;
use alice_core::{Board, Cell, Colour, Kind, MAX_BOARDS, Man, Move, MoveKind, Position, Rules, Square};

/// A square as a number: `board * 256 + cell`.
pub(crate) fn number(board: Board, cell: Cell) -> usize {
    board.index() << 8 | cell.index()
}

/// A man as a number: 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Code(u8);

impl Code {
    fn of(man: Man) -> Self {
        Self(1 + man.kind.0 * 2 + man.colour as u8)
    }

    pub(crate) fn kind(self) -> Option<usize> {
        self.0.checked_sub(1).map(|code| usize::from(code / 2))
    }

    fn is(self, colour: Colour) -> bool {
        self.0.checked_sub(1).is_some_and(|code| code % 2 == colour as u8)
    }
}

/// What changes with every move and can't be taken back by calculating.
#[derive(Clone, Copy)]
struct Sums {
    /// What White's men are worth where they stand, less what Black's are.
    worth: i32,
    /// What each side's men are worth that are neither royal nor ever promote.
    strength: [i32; 2],
    /// How many men there are that are not royal.
    others: u16,
    /// Where the kings are, if there are any.
    kings: [Option<u16>; 2],
    /// Where the man stands that moved last.
    last: u16,
}

struct Change {
    sums: Sums,
    /// Squares and who stood there before, in the order of change.
    squares: [(u16, Code); 4],
    count: u8,
}

/// The men of a position.
pub(crate) struct Men {
    codes: Vec<Code>,
    sums: Sums,
    /// By board and side: what its men are worth more if the enemy's king, or its own, is there.
    beside: [[[i32; 2]; 2]; MAX_BOARDS],
    changes: Vec<Change>,
}

impl Men {
    pub(crate) fn new(position: &Position, worth: &Worth) -> Self {
        let setup = position.setup();
        let rules = position.rules();
        let sums = Sums { worth: 0, strength: [0; 2], others: 0, kings: [None; 2], last: 0 };
        let squares = usize::from(rules.boards) << 8;
        let mut men = Self {
            codes: vec![Code::default(); squares],
            sums,
            beside: Default::default(),
            changes: Vec::new(),
        };
        for (square, man) in setup.men() {
            men.set(number(square.board, square.cell), Code::of(man), worth);
        }
        if let Some(right) = setup.en_passant {
            let forward = if setup.turn == Colour::White { [0, -1, 0] } else { [0, 1, 0] };
            if let Some(cell) = rules.shape.step(right.passed, forward) {
                men.sums.last = number(right.landing, cell) as u16;
            }
        }
        men
    }

    pub(crate) fn at(&self, square: usize) -> Code {
        self.codes[square]
    }

    /// The kind of the man that makes a move.
    pub(crate) fn mover(&self, mv: &Move) -> usize {
        self.codes[number(mv.origin, mv.from)].kind().unwrap_or(0)
    }

    /// Where a move of `us` captures, if it does, and whom.
    pub(crate) fn victim(&self, mv: &Move, us: Colour) -> Option<(usize, usize)> {
        let square = match mv.kind {
            MoveKind::Ordinary => number(mv.origin, mv.to),
            MoveKind::Zero => number(mv.landing, mv.to),
            MoveKind::Castling(_) => return None,
            MoveKind::EnPassant => usize::from(self.sums.last),
        };
        let code = self.codes[square];
        code.kind().filter(|_| code.is(!us)).map(|kind| (square, kind))
    }

    /// What White's men are worth where they stand, less what Black's are.
    pub(crate) fn worth(&self) -> i32 {
        self.sums.worth
    }

    /// What a side's men are worth that are neither royal nor ever promote.
    pub(crate) fn strength(&self, side: Colour) -> i32 {
        self.sums.strength[side.index()]
    }

    /// Whether nobody but kings is left.
    pub(crate) fn only_kings(&self) -> bool {
        self.sums.others == 0
    }

    /// What a side's men are worth more for standing where the kings are.
    pub(crate) fn beside_kings(&self, side: Colour) -> i32 {
        let on = |king: Colour| self.sums.kings[king.index()].map(|at| usize::from(at >> 8));
        let worth = |board: usize, which: usize| self.beside[board][side.index()][which];
        on(!side).map_or(0, |board| worth(board, 0)) + on(side).map_or(0, |board| worth(board, 1))
    }

    fn put_beside(&mut self, square: usize, code: Code, sign: i32, worth: &Worth) {
        let Some(kind) = code.kind() else { return };
        let sums = &mut self.beside[square >> 8][usize::from(code.0 - 1) % 2];
        for (sum, more) in sums.iter_mut().zip(worth.beside(kind)) {
            *sum += sign * more;
        }
    }

    /// Where a side's king is.
    pub(crate) fn king(&self, side: Colour) -> Option<Square> {
        let at = self.sums.kings[side.index()]?;
        Some(Square { board: Board((at >> 8) as u8), cell: Cell(at as u8) })
    }

    fn set(&mut self, square: usize, code: Code, worth: &Worth) {
        let old = std::mem::replace(&mut self.codes[square], code);
        for (code, sign) in [(old, -1), (code, 1)] {
            let Some(kind) = code.kind() else { continue };
            if worth.boards_count() {
                self.put_beside(square, code, sign, worth);
            }
            let side = usize::from(code.0 - 1) % 2;
            self.sums.worth += sign * worth.at(usize::from(code.0 - 1), square & 255);
            self.sums.strength[side] += sign * worth.strength(kind);
            if worth.is_royal(kind) {
                self.sums.kings[side] = (sign == 1).then_some(square as u16);
            } else {
                self.sums.others = self.sums.others.wrapping_add_signed(sign as i16);
            }
        }
    }

    /// Makes a move that is legal here.
    pub(crate) fn play(&mut self, mv: &Move, us: Colour, rules: &Rules, worth: &Worth) {
        let mut change = Change { sums: self.sums, squares: [(0, Code::default()); 4], count: 0 };
        let mut set = |men: &mut Self, square: usize, code: Code| {
            change.squares[usize::from(change.count)] = (square as u16, men.codes[square]);
            change.count += 1;
            men.set(square, code, worth);
        };
        if let Some((square, _)) = self.victim(mv, us) {
            set(self, square, Code::default());
        }
        let (from, to) = (number(mv.origin, mv.from), number(mv.landing, mv.to));
        let mover = self.codes[from];
        let becomes = mv.promotion.map_or(mover, |kind: Kind| Code::of(Man { kind, colour: us }));
        set(self, from, Code::default());
        let mut rook_to = None;
        if let MoveKind::Castling(wing) = mv.kind
            && let Some(rule) = rules.castling.iter().find(|c| c.colour == us && c.wing == wing)
        {
            let rook = number(mv.origin, rule.rook_from);
            rook_to = Some((number(mv.landing, rule.rook_to), self.codes[rook]));
            set(self, rook, Code::default());
        }
        // Castling touches four squares and captures nobody; so four are enough.
        set(self, to, becomes);
        if let Some((square, rook)) = rook_to {
            set(self, square, rook);
        }
        self.sums.last = to as u16;
        self.changes.push(change);
    }

    /// Takes the last move back.
    pub(crate) fn back(&mut self, worth: &Worth) {
        let Some(change) = self.changes.pop() else { return };
        for (square, code) in change.squares[..usize::from(change.count)].iter().rev() {
            let square = usize::from(*square);
            let old = std::mem::replace(&mut self.codes[square], *code);
            if worth.boards_count() {
                self.put_beside(square, old, -1, worth);
                self.put_beside(square, *code, 1, worth);
            }
        }
        self.sums = change.sums;
    }
}
