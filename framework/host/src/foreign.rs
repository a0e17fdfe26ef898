//! Rules of a plug-in as the core's own traits: thin, without allocation or lock.
//!
//! Each call shows the rule what it depends on, in arrays on the stack, and hands its answer on if it
//! keeps the promises. Must not know files nor trust.

use crate::guard::{Guard, Violation};
use alice_core::{
    Board, BoardSet, Boards, Cell, CellSet, Colour, DependsOn, Man, Mover, PieceMovement, Shape,
    TransferPolicy, ZeroAnswer,
};
use alice_plugin as plugin;
use alice_plugin::call::{CallFault, CreateError, Movement, Parts, RuleSet, Shown, Transfer};
use alice_plugin::{Cells, DependsOn as Needs};
use std::mem::MaybeUninit;
use std::sync::Arc;

/// The game that a rule is made for, as the plug-in sees it.
///
/// Movements are not looked at, so that rules of movement can be made from it too.
pub fn game_of(rules: &alice_core::Rules) -> plugin::Game {
    let side = |n: usize| n as u8;
    let man = |m: &alice_core::ManRules| plugin::KindOfMan {
        name: m.name.clone(),
        letter: m.letter,
        royal: m.royal,
        pawn: m.pawn,
    };
    plugin::Game {
        files: side(rules.shape.files()),
        ranks: side(rules.shape.ranks()),
        levels: side(rules.shape.levels()),
        boards: rules.boards,
        men: rules.men.iter().map(man).collect(),
    }
}

/// Who answers, for messages.
#[derive(Clone, Debug)]
struct Origin {
    plugin: String,
    shape: Shape,
    men: Vec<String>,
    guard: Arc<Guard>,
}

impl Origin {
    fn new(plugin: &str, game: &plugin::Game, guard: &Arc<Guard>) -> Self {
        let shape = Shape::new(game.files.into(), game.ranks.into(), game.levels.into());
        Self {
            plugin: plugin.into(),
            shape: shape.expect("the game was made from a shape"),
            men: game.men.iter().map(|m| m.name.clone()).collect(),
            guard: guard.clone(),
        }
    }

    #[cold]
    fn broken(&self, rule: &RuleSet, fault: CallFault, about: String) {
        let (plugin, rule) = (self.plugin.clone(), rule.name.into());
        self.guard.report(Violation { plugin, rule, fault, about });
    }

    fn man(&self, man: Man, cell: Cell) -> String {
        let kind = self.men.get(man.kind.index()).map_or("man", String::as_str);
        format!("{}'s {kind} on {}", man.colour.name(), self.shape.cell_name(cell))
    }
}

/// Where a man lands, by a plug-in's rule.
pub struct ForeignTransfer {
    rule: Transfer,
    depends_on: DependsOn,
    origin: Origin,
}

impl ForeignTransfer {
    /// Makes a rule for a game. The guard keeps the first promise that it breaks later.
    ///
    /// # Errors
    /// What the rule has against the parameters or the game, or the promise that it breaks already.
    ///
    /// # Panics
    /// If the rule set is no transfer rule ([`RuleSet::is_transfer`]).
    pub fn new(
        plugin: &str,
        set: &RuleSet,
        game: &plugin::Game,
        parameters: &str,
        guard: &Arc<Guard>,
    ) -> Result<Self, CreateError> {
        let rule = Transfer::new(set.create(game, parameters)?).map_err(CreateError::Fault)?;
        let needs = rule.depends_on();
        let depends_on = if needs.has(Needs::MOVER_CELL) {
            DependsOn::Man
        } else if needs.has(Needs::MOVER_KIND) {
            DependsOn::Kind
        } else {
            DependsOn::Boards
        };
        Ok(Self { rule, depends_on, origin: Origin::new(plugin, game, guard) })
    }

    /// Shows the rule what it may see of a position, and asks.
    #[inline(always)]
    fn ask<S: CellSet, A>(
        &self,
        boards: &dyn Boards<S>,
        ask: impl FnOnce(&Transfer, &Shown) -> Result<A, CallFault>,
    ) -> Result<A, CallFault> {
        let needs = self.rule.depends_on();
        let count = boards.boards() as u8;
        let each = |needed: Needs| (0..if needs.has(needed) { count } else { 0 }).map(Board);
        let mut room = [MaybeUninit::uninit(); 8];
        let occupied = each(Needs::OCCUPANCY).map(|b| boards.occupied(b));
        let mut parts = Parts { occupied: fill(&mut room, occupied), ..Parts::default() };
        let (mut colours, mut kinds);
        if needs.has(Needs::COLOURS) {
            colours = [MaybeUninit::uninit(); 16];
            let sets = Colour::BOTH.into_iter().flat_map(|c| each(Needs::COLOURS).map(move |b| (b, c)));
            parts.of_colour = fill(&mut colours, sets.map(|(b, c)| boards.of_colour(b, c)));
        }
        if needs.has(Needs::KINDS) {
            kinds = [MaybeUninit::uninit(); 8 * alice_core::MAX_KINDS];
            let all = (0..self.origin.men.len() as u8).map(alice_core::Kind);
            let sets = all.flat_map(|k| each(Needs::KINDS).map(move |b| (b, k)));
            parts.of_kind = fill(&mut kinds, sets.map(|(b, k)| boards.of_kind(b, k)));
        }
        if needs.has(Needs::TURN) {
            parts.turn = colour(boards.turn());
        }
        if needs.has(Needs::PLY) {
            parts.ply = boards.ply();
        }
        ask(&self.rule, &self.rule.show(&parts))
    }

    #[cold]
    fn broken(&self, fault: CallFault, mover: &Mover, origin: Board, landing: Board) {
        let man = self.origin.man(mover.man, mover.cell);
        let about = match self.depends_on {
            DependsOn::Man => format!("{man}/{origin}, landing on {landing}"),
            _ => format!("{}'s men of board {origin}, landing on {landing}", mover.man.colour.name()),
        };
        self.origin.broken(self.rule.rule_set(), fault, about);
    }
}

/// Puts sets into an array on the stack.
#[inline(always)]
fn fill<S: CellSet, const N: usize>(
    room: &mut [MaybeUninit<Cells>; N],
    sets: impl Iterator<Item = S>,
) -> &[Cells] {
    let mut filled = 0;
    for (slot, set) in room.iter_mut().zip(sets) {
        slot.write(Cells { word: set.words() });
        filled += 1;
    }
    // SAFETY: the first `filled` places have just been written.
    unsafe { std::slice::from_raw_parts(room.as_ptr().cast(), filled) }
}

#[inline(always)]
fn colour(colour: Colour) -> plugin::Colour {
    match colour {
        Colour::White => plugin::Colour::White,
        Colour::Black => plugin::Colour::Black,
    }
}

#[inline(always)]
fn man(man: Man) -> plugin::Man {
    plugin::Man { kind: plugin::Kind(man.kind.0), colour: colour(man.colour) }
}

#[inline(always)]
fn mover(mover: &Mover) -> plugin::Mover {
    plugin::Mover { man: man(mover.man), cell: plugin::Cell(mover.cell.0) }
}

#[inline(always)]
fn board(board: Board) -> plugin::Board {
    plugin::Board(board.0)
}

impl<S: CellSet> TransferPolicy<S> for ForeignTransfer {
    fn depends_on(&self) -> DependsOn {
        self.depends_on
    }

    fn landings(&self, origin: Board) -> BoardSet {
        BoardSet(self.rule.landings(board(origin)).0)
    }

    fn landing_cells(&self, who: &Mover, origin: Board, landing: Board, boards: &dyn Boards<S>) -> S {
        if self.origin.guard.is_broken() {
            return S::EMPTY;
        }
        let (from, to) = (board(origin), board(landing));
        match self.ask(boards, |rule, shown| rule.landing_cells(shown, &mover(who), from, to)) {
            Ok(cells) => S::from_words(cells.word),
            Err(fault) => {
                self.broken(fault, who, origin, landing);
                S::EMPTY
            }
        }
    }

    fn by_twins(&self, origin: Board, landing: Board, occupied: BoardSet) -> Option<S> {
        if !self.rule.looks_at_twins_only() {
            return None;
        }
        let occupied = plugin::BoardSet(occupied.0);
        match self.rule.landing_cells_by_twins(board(origin), board(landing), occupied) {
            Ok(cells) => Some(S::from_words(cells.word)),
            Err(fault) => {
                let nobody = Man { kind: alice_core::Kind(0), colour: Colour::White };
                self.broken(fault, &Mover { man: nobody, cell: Cell(0) }, origin, landing);
                Some(S::EMPTY)
            }
        }
    }

    fn zero_answer(&self, who: Man, origin: Board, landing: Board) -> ZeroAnswer {
        match self.rule.zero_moves(man(who), board(origin), board(landing)) {
            plugin::ZeroMove::Never => ZeroAnswer::None,
            _ if self.rule.asks_zero_cells() => ZeroAnswer::Asked,
            _ => ZeroAnswer::All,
        }
    }

    fn zero_cells(&self, who: &Mover, origin: Board, landing: Board, boards: &dyn Boards<S>) -> S {
        let (from, to) = (board(origin), board(landing));
        let makes = self.rule.zero_moves(man(who.man), from, to) != plugin::ZeroMove::Never;
        if !makes || self.origin.guard.is_broken() {
            return S::EMPTY;
        }
        if !self.rule.asks_zero_cells() {
            return boards.all();
        }
        match self.ask(boards, |rule, shown| rule.zero_cells(shown, &mover(who), from, to)) {
            Ok(cells) => S::from_words(cells.word),
            Err(fault) => {
                self.broken(fault, who, origin, landing);
                S::EMPTY
            }
        }
    }

    fn captures_by_zero_move(&self, who: Man, origin: Board, landing: Board) -> bool {
        self.rule.zero_moves(man(who), board(origin), board(landing)) == plugin::ZeroMove::Capturing
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
        if self.origin.guard.is_broken() {
            return false;
        }
        let castling = plugin::Castling {
            king: mover(king),
            rook: mover(rook),
            king_to: plugin::Cell(king_to.0),
            rook_to: plugin::Cell(rook_to.0),
        };
        let (from, to) = (board(origin), board(landing));
        match self.ask(boards, |rule, shown| rule.castling_lands(shown, &castling, from, to)) {
            Ok(lands) => lands,
            Err(fault) => {
                self.broken(fault, king, origin, landing);
                false
            }
        }
    }
}

/// How a man moves, by a plug-in's rule.
pub struct ForeignMovement {
    rule: Movement,
    origin: Origin,
}

impl ForeignMovement {
    /// Makes a rule for a game. The guard keeps the first promise that it breaks later.
    ///
    /// # Errors
    /// What the rule has against the parameters or the game, or the promise that it breaks already.
    ///
    /// # Panics
    /// If the rule set is no movement rule ([`RuleSet::is_movement`]).
    pub fn new(
        plugin: &str,
        set: &RuleSet,
        game: &plugin::Game,
        parameters: &str,
        guard: &Arc<Guard>,
    ) -> Result<Self, CreateError> {
        let rule = Movement::new(set.create(game, parameters)?);
        Ok(Self { rule, origin: Origin::new(plugin, game, guard) })
    }

    #[inline(always)]
    fn answer<S: CellSet>(&self, answer: Result<Cells, CallFault>, from: Cell, whose: Colour) -> S {
        match answer {
            Ok(cells) => S::from_words(cells.word),
            Err(fault) => {
                let about = format!("{}'s man on {}", whose.name(), self.origin.shape.cell_name(from));
                self.origin.broken(self.rule.rule_set(), fault, about);
                S::EMPTY
            }
        }
    }
}

impl<S: CellSet> PieceMovement<S> for ForeignMovement {
    fn quiet(&self, from: Cell, whose: Colour, occupied: S) -> S {
        if self.origin.guard.is_broken() {
            return S::EMPTY;
        }
        let occupied = Cells { word: occupied.words() };
        self.answer(self.rule.quiet(plugin::Cell(from.0), colour(whose), occupied), from, whose)
    }

    fn attacks(&self, from: Cell, whose: Colour, occupied: S) -> S {
        if self.origin.guard.is_broken() {
            return S::EMPTY;
        }
        let occupied = Cells { word: occupied.words() };
        self.answer(self.rule.attacks(plugin::Cell(from.0), colour(whose), occupied), from, whose)
    }
}
