//! Transfer and movement in somebody else's code: the same rule gives the same game whether the core
//! knows it or has to ask, and whatever the rule says its answers depend on.

use crate::game;
use crate::laws::{always, choices, follow, position_holds};
use alice_core::{
    Board, BoardSet, Boards, Cell, CellSet, Colour, DependsOn, EnPassantRule, Man, Move, Movement, Mover,
    PieceMovement, Position, Rules, StandardTransfer, Steps, Strictness, Transfer, TransferPolicy, Variant,
};
use std::sync::Arc;

/// A known transfer that the core has to ask.
struct Asked {
    transfer: StandardTransfer,
    depends_on: DependsOn,
}

impl<S: CellSet> TransferPolicy<S> for Asked {
    fn depends_on(&self) -> DependsOn {
        self.depends_on
    }
    fn landings(&self, origin: Board) -> BoardSet {
        TransferPolicy::<S>::landings(&self.transfer, origin)
    }
    fn landing_cells(&self, mover: &Mover, origin: Board, landing: Board, boards: &dyn Boards<S>) -> S {
        self.transfer.landing_cells(mover, origin, landing, boards)
    }
    fn zero_cells(&self, mover: &Mover, origin: Board, landing: Board, boards: &dyn Boards<S>) -> S {
        self.transfer.zero_cells(mover, origin, landing, boards)
    }
    fn captures_by_zero_move(&self, man: Man, origin: Board, landing: Board) -> bool {
        TransferPolicy::<S>::captures_by_zero_move(&self.transfer, man, origin, landing)
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
        self.transfer.castling_lands(king, rook, king_to, rook_to, origin, landing, boards)
    }
}

/// A movement by steps that the core has to ask.
struct AskedSteps(Steps);

impl<S: CellSet> PieceMovement<S> for AskedSteps {
    fn quiet(&self, from: Cell, colour: Colour, occupied: S) -> S {
        self.0.quiet(from, colour, occupied)
    }
    fn attacks(&self, from: Cell, colour: Colour, occupied: S) -> S {
        self.0.attacks(from, colour, occupied)
    }
}

/// The same game with its transfer asked, for each thing that answers may depend on, and with its
/// men's movement asked.
pub fn twins(rules: &Rules) -> Vec<Variant> {
    let mut twins = Vec::new();
    let Transfer::Standard(transfer) = &rules.transfer else { panic!("configs know no foreign transfer") };
    for depends_on in [DependsOn::Boards, DependsOn::Kind, DependsOn::Man] {
        let asked = Asked { transfer: transfer.clone(), depends_on };
        twins.push(Rules { transfer: Transfer::Foreign(Arc::new(asked)), ..rules.clone() });
    }
    let mut asked = rules.clone();
    for man in &mut asked.men {
        let Movement::Steps(steps) = &man.movement else { panic!("configs know no foreign movement") };
        // Only described steps can be double steps that leave an en passant right.
        let leaves_right =
            rules.en_passant != EnPassantRule::None && steps.steps.iter().any(|s| s.en_passant);
        if !leaves_right {
            man.movement = Movement::Foreign(Arc::new(AskedSteps(steps.clone())));
        }
    }
    twins.push(asked);
    twins.into_iter().map(|rules| Variant::new(rules).unwrap()).collect()
}

/// Checks that twins see the same moves and make the same of them.
pub fn twins_agree(twins: &[Variant], position: &Position, moves: &[Move]) {
    for twin in twins {
        let asked = twin.position(&position.setup(), Strictness::Problem).unwrap();
        let mut found = asked.legal_moves();
        found.sort();
        assert_eq!(found, moves, "{twin:?} {:?}: {position}", twin.rules().transfer);
        assert_eq!(asked.perft(1), moves.len() as u64, "{position}");
        assert_eq!(asked.in_check(), position.in_check(), "{position}");
        for mv in moves.iter().step_by(7) {
            assert_eq!(asked.after(mv).setup(), position.after(mv).setup(), "{position}");
        }
    }
}

#[test]
fn a_rule_that_has_to_be_asked_plays_as_the_rule_that_is_known() {
    for (_, variant) in crate::games() {
        let twins = twins(variant.rules());
        always(6, choices(120), |choices| {
            follow(variant.start(), &choices, |position| {
                let mut moves = position.legal_moves();
                moves.sort();
                twins_agree(&twins, position, &moves);
                moves
            });
        });
    }
}

/// A rule of one's own that asks who moves (`Kind`) and from where (`Man`): men of even kind may stay,
/// those on even cells may only land on even cells, and zero moves go from odd cells by odd kinds.
struct Choosy(DependsOn);

impl Choosy {
    fn even_cell(&self, mover: &Mover) -> bool {
        self.0 == DependsOn::Man && mover.cell.0.is_multiple_of(2)
    }
}

impl<S: CellSet> TransferPolicy<S> for Choosy {
    fn depends_on(&self) -> DependsOn {
        self.0
    }
    fn landings(&self, _: Board) -> BoardSet {
        BoardSet(0b11)
    }
    fn landing_cells(&self, mover: &Mover, origin: Board, landing: Board, boards: &dyn Boards<S>) -> S {
        let even_kind = self.0 != DependsOn::Boards && mover.man.kind.0.is_multiple_of(2);
        let open = if landing != origin {
            boards.all() & !boards.occupied(landing)
        } else if even_kind {
            boards.all()
        } else {
            S::EMPTY
        };
        let evens = open.cells().filter(|c| c.0.is_multiple_of(2)).fold(S::EMPTY, |set, c| set | S::of(c));
        if self.even_cell(mover) { evens } else { open }
    }
    fn zero_cells(&self, mover: &Mover, _: Board, landing: Board, boards: &dyn Boards<S>) -> S {
        // The kind of man counts for zero moves whatever the answers depend on.
        if mover.man.kind.0.is_multiple_of(2) || self.even_cell(mover) {
            return S::EMPTY;
        }
        boards.all() & !boards.of_colour(landing, boards.turn())
    }
    fn captures_by_zero_move(&self, man: Man, origin: Board, _: Board) -> bool {
        man.kind.0 == 1 || man.kind.0 == 3 && origin.0 == 0
    }
}

#[test]
fn every_law_holds_for_a_rule_of_ones_own_whatever_it_depends_on() {
    for depends_on in [DependsOn::Boards, DependsOn::Kind, DependsOn::Man] {
        let rules = Rules {
            transfer: Transfer::Foreign(Arc::new(Choosy(depends_on))),
            en_passant: EnPassantRule::Either,
            ..game("alice").rules().clone()
        };
        let variant = Variant::new(rules).unwrap();
        always(12, choices(120), |choices| {
            position_holds(&follow(variant.start(), &choices, position_holds));
        });
    }
}

/// A man that goes as a knight, but whose way is free only where as many men stand on its board as its
/// colour likes: nothing that any table could know.
struct Moody(Steps);

impl<S: CellSet> PieceMovement<S> for Moody {
    fn quiet(&self, from: Cell, colour: Colour, occupied: S) -> S {
        // Cells off the board and the man's own are for the core to take away.
        if occupied.count() as usize % 2 == colour.index() {
            !S::EMPTY
        } else {
            self.0.quiet(from, colour, occupied)
        }
    }
    fn attacks(&self, from: Cell, colour: Colour, occupied: S) -> S {
        let attacks = self.0.attacks(from, colour, occupied);
        if occupied.count().is_multiple_of(3) { S::EMPTY } else { attacks | S::of(from) }
    }
}

#[test]
fn every_law_holds_with_a_man_of_ones_own_on_boards_of_every_width() {
    for name in ["chess", "alice", "duo", "three-board", "capablanca-alice", "raumschach-alice"] {
        let mut rules = game(name).rules().clone();
        let knight = rules.kind_of_letter('N').unwrap();
        let Movement::Steps(steps) = &rules.man(knight).movement else { panic!("a knight goes by steps") };
        rules.men[knight.index()].movement = Movement::Foreign(Arc::new(Moody(steps.clone())));
        let variant = Variant::new(rules).unwrap();
        always(4, choices(60), |choices| {
            position_holds(&follow(variant.start(), &choices, position_holds));
        });
    }
}
