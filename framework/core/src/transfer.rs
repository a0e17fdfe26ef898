//! Transfer, the looking-glass: the trait that says where a man lands after its move, and the
//! policy of the known games, described by data.
//!
//! Answers are sets of cells. This module must not know how men move, nor kings and check.

use crate::cells::CellSet;
use crate::men::{Colour, Kind, KindSet, Man};
use crate::shape::{Board, BoardSet, Cell, MAX_BOARDS};
use std::sync::Arc;

/// What the core shows a policy of the position: who stands where, before the move.
///
/// Kept object-safe and narrow, so that a policy can be written without knowing how positions are
/// stored.
pub trait Boards<S: CellSet> {
    /// How many boards there are.
    fn boards(&self) -> usize;
    /// All cells of a board.
    fn all(&self) -> S;
    /// The occupied cells of a board.
    fn occupied(&self, board: Board) -> S;
    /// The cells of a board on which men of this colour stand.
    fn of_colour(&self, board: Board, colour: Colour) -> S;
    /// The cells of a board on which men of this kind (of either colour) stand.
    fn of_kind(&self, board: Board, kind: Kind) -> S;
    /// Whose turn it is.
    fn turn(&self) -> Colour;
    /// How many plies were made before this position, counted from White's first move.
    fn ply(&self) -> u32;
}

/// The man that moves, as a policy sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mover {
    /// Its kind and colour.
    pub man: Man,
    /// The cell it leaves.
    pub cell: Cell,
}

/// What a policy's answers depend on besides the boards: origin, landing, who stands where and
/// whose turn it is. The less, the more seldom it is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DependsOn {
    /// Nothing else: asked once a position and pair of boards. [`Mover::man`]'s kind and
    /// [`Mover::cell`] then mean nothing. (Zero moves are asked about for each kind all the same.)
    #[default]
    Boards,
    /// Also the kind of man: asked once a position, pair of boards and kind.
    Kind,
    /// Also the cell that the man leaves: asked once a position, pair of boards and man.
    Man,
}

/// From where a man may make zero moves, as far as that is fixed for the whole game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ZeroAnswer {
    /// From no cell.
    None,
    /// From all cells.
    All,
    /// It has to be asked in each position.
    #[default]
    Asked,
}

/// What happens at the looking-glass: where a man that has moved on its origin board may land.
///
/// An arrival cell is where the man comes to stand on its origin board; landing on another board is
/// always on the twin of that cell. The core does the rest: it asks for vacancy (two men never share
/// a square, so that cells occupied on another landing board are removed from every answer), for
/// check before and after the transfer, for castling's other conditions.
///
/// Answers must depend on the arguments only: a policy that remembers breaks undo and search.
///
/// # Example
///
/// A rule of one's own: Alice, but the four centre cells let nobody through.
///
/// ```
/// use alice_core::{Board, BoardSet, Boards, Cell, CellSet, Mover, TransferPolicy};
///
/// struct DullCentre;
///
/// impl<S: CellSet> TransferPolicy<S> for DullCentre {
///     fn landings(&self, origin: Board) -> BoardSet {
///         BoardSet::of(Board(1 - origin.0))
///     }
///     fn landing_cells(&self, _: &Mover, _: Board, landing: Board, boards: &dyn Boards<S>) -> S {
///         let centre = [27, 28, 35, 36].map(|n| S::of(Cell(n)));
///         let centre = centre.into_iter().fold(S::EMPTY, |all, one| all | one);
///         boards.all() & !boards.occupied(landing) & !centre
///     }
/// }
/// ```
pub trait TransferPolicy<S: CellSet>: Send + Sync {
    /// What the answers depend on.
    fn depends_on(&self) -> DependsOn {
        DependsOn::Boards
    }

    /// The boards on which a man from `origin` could ever land (`origin` itself, if it may ever
    /// stay). Only these are asked about.
    fn landings(&self, origin: Board) -> BoardSet;

    /// The arrival cells at which a man that moved on `origin` may come to stand on `landing`.
    fn landing_cells(&self, mover: &Mover, origin: Board, landing: Board, boards: &dyn Boards<S>) -> S;

    /// The same as a table, for a policy that looks at nothing but whether the twins of each cell are
    /// occupied: the arrival cells at which a man may land, if their twins are occupied on just the
    /// boards of `occupied` (bits of the landing board do not matter unless it is the origin). It is then
    /// asked when the variant is made, and never again for the tables that the core can do better.
    ///
    /// None, unless the policy says otherwise: it has to be asked in each position.
    fn by_twins(&self, origin: Board, landing: Board, occupied: BoardSet) -> Option<S> {
        let _ = (origin, landing, occupied);
        None
    }

    /// The cells from which a man may make a zero move from `origin` to `landing`: a transfer with no
    /// movement before it. None, unless the policy says otherwise.
    fn zero_cells(&self, mover: &Mover, origin: Board, landing: Board, boards: &dyn Boards<S>) -> S {
        let _ = (mover, origin, landing, boards);
        S::EMPTY
    }

    /// What [`TransferPolicy::zero_cells`] would answer for such a man, where that is the same in all
    /// positions.
    fn zero_answer(&self, man: Man, origin: Board, landing: Board) -> ZeroAnswer {
        let _ = (man, origin, landing);
        ZeroAnswer::Asked
    }

    /// Whether such a man captures an enemy on its twin by a zero move from `origin` to `landing`. If
    /// so it also attacks a king there. Fixed for the whole game.
    fn captures_by_zero_move(&self, man: Man, origin: Board, landing: Board) -> bool {
        let _ = (man, origin, landing);
        false
    }

    /// Whether king and rook, castling on `origin`, may land together on `landing`, where they
    /// come to stand on `king_to` and `rook_to`. By default if each could land there alone.
    #[allow(clippy::too_many_arguments)]
    fn castling_lands(
        &self,
        king: &Mover,
        rook: &Mover,
        king_to: Cell,
        rook_to: Cell,
        origin: Board,
        landing: Board,
        boards: &dyn Boards<S>,
    ) -> bool {
        self.landing_cells(king, origin, landing, boards).has(king_to)
            && self.landing_cells(rook, origin, landing, boards).has(rook_to)
    }
}

/// A policy that can serve boards of any width; implemented for everything that implements
/// [`TransferPolicy`] for the three widths.
pub trait AnyTransfer: Send + Sync {
    /// For boards of up to 64 cells.
    fn for_64(self: Arc<Self>) -> Arc<dyn TransferPolicy<u64>>;
    /// For boards of up to 128 cells.
    fn for_128(self: Arc<Self>) -> Arc<dyn TransferPolicy<u128>>;
    /// For boards of up to 256 cells.
    fn for_256(self: Arc<Self>) -> Arc<dyn TransferPolicy<crate::Wide>>;
}

impl<T> AnyTransfer for T
where
    T: TransferPolicy<u64> + TransferPolicy<u128> + TransferPolicy<crate::Wide> + 'static,
{
    fn for_64(self: Arc<Self>) -> Arc<dyn TransferPolicy<u64>> {
        self
    }
    fn for_128(self: Arc<Self>) -> Arc<dyn TransferPolicy<u128>> {
        self
    }
    fn for_256(self: Arc<Self>) -> Arc<dyn TransferPolicy<crate::Wide>> {
        self
    }
}

/// When a man may stay on its origin board instead of transferring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Staying {
    /// Never (Alice).
    #[default]
    Never,
    /// If no board that it could transfer to has the twin vacant (O'Donohue).
    IfBlocked,
    /// Whenever the player likes (Duo; and one-board games, where there is nowhere else to go).
    Always,
}

/// Who may make zero moves, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ZeroMoves {
    /// The kinds that may; empty where there are no zero moves.
    pub men: KindSet,
    /// Whether they capture an enemy on the twin.
    pub capture: bool,
}

/// The transfer of the known games: to given boards, with a vacant twin, perhaps staying, perhaps
/// with zero moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandardTransfer {
    /// For each origin board, the boards to which a man transfers from it.
    pub to: [BoardSet; MAX_BOARDS],
    /// When it may stay.
    pub staying: Staying,
    /// Zero moves.
    pub zero: ZeroMoves,
}

impl StandardTransfer {
    /// One-board games: nobody transfers.
    pub const NONE: Self = Self {
        to: [BoardSet::EMPTY; MAX_BOARDS],
        staying: Staying::Always,
        zero: ZeroMoves { men: KindSet::EMPTY, capture: false },
    };

    /// Each board's men go to the next board, the last one's to the first.
    pub fn next(boards: u8) -> Self {
        let mut to = [BoardSet::EMPTY; MAX_BOARDS];
        for b in 0..boards {
            to[usize::from(b)] = BoardSet::of(Board((b + 1) % boards));
        }
        Self { to, staying: Staying::Never, zero: ZeroMoves::default() }
    }

    /// The player chooses any other board.
    pub fn any_other(boards: u8) -> Self {
        let mut to = [BoardSet::EMPTY; MAX_BOARDS];
        for b in 0..boards {
            to[usize::from(b)] = BoardSet(((1u16 << boards) - 1) as u8 & !(1 << b));
        }
        Self { to, staying: Staying::Never, zero: ZeroMoves::default() }
    }
}

impl<S: CellSet> TransferPolicy<S> for StandardTransfer {
    fn landings(&self, origin: Board) -> BoardSet {
        let to = self.to[origin.index()];
        if self.staying == Staying::Never { to } else { to.with(origin) }
    }

    #[inline(always)]
    fn landing_cells(&self, _: &Mover, origin: Board, landing: Board, boards: &dyn Boards<S>) -> S {
        let to = self.to[origin.index()];
        if to.has(landing) {
            return boards.all() & !boards.occupied(landing);
        }
        match self.staying {
            Staying::Always if landing == origin => boards.all(),
            Staying::IfBlocked if landing == origin => {
                to.iter().fold(boards.all(), |blocked, b| blocked & boards.occupied(b))
            }
            _ => S::EMPTY,
        }
    }

    fn zero_cells(&self, mover: &Mover, origin: Board, landing: Board, boards: &dyn Boards<S>) -> S {
        let may = self.zero.men.has(mover.man.kind) && self.to[origin.index()].has(landing);
        if may { boards.all() } else { S::EMPTY }
    }

    fn zero_answer(&self, man: Man, origin: Board, landing: Board) -> ZeroAnswer {
        let may = self.zero.men.has(man.kind) && self.to[origin.index()].has(landing);
        if may { ZeroAnswer::All } else { ZeroAnswer::None }
    }

    fn captures_by_zero_move(&self, man: Man, origin: Board, landing: Board) -> bool {
        self.zero.capture && self.zero.men.has(man.kind) && self.to[origin.index()].has(landing)
    }

    fn castling_lands(
        &self,
        king: &Mover,
        rook: &Mover,
        king_to: Cell,
        rook_to: Cell,
        origin: Board,
        landing: Board,
        boards: &dyn Boards<S>,
    ) -> bool {
        if landing == origin && self.staying == Staying::IfBlocked {
            // O'Donohue: the transfer is left out for both if either twin is occupied.
            return self.to[origin.index()].iter().all(|b| {
                let occupied = boards.occupied(b);
                occupied.has(king_to) || occupied.has(rook_to)
            });
        }
        self.landing_cells(king, origin, landing, boards).has(king_to)
            && self.landing_cells(rook, origin, landing, boards).has(rook_to)
    }
}
