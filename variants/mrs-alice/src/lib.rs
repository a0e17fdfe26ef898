//! Mrs. Alice (J. Ishkan, 1973): Alice, and any man may make a zero move to a vacant twin.

use alice_plugin::*;

/// The rule.
pub struct MrsAlice(Game);

impl Rule for MrsAlice {
    const NAME: &'static str = "mrs-alice";
    const ABOUT: &'static str = "Alice, and any man may transfer without moving.";

    fn new(game: &Game, _: &Parameters) -> Result<Self, Complaint> {
        if game.boards < 2 {
            return Err(Complaint::new("Mrs. Alice needs two boards at least; set `boards`"));
        }
        Ok(Self(game.clone()))
    }
}

impl TransferRule for MrsAlice {
    fn looks_at_twins_only(&self) -> bool {
        true
    }

    fn landings(&self, origin: Board) -> BoardSet {
        BoardSet::of(self.0.next(origin))
    }

    fn landing_cells(&self, _: &Mover, _: Board, landing: Board, boards: Boards) -> Cells {
        boards.vacant(landing)
    }

    fn zero_moves(&self, _: Man, _: Board, _: Board) -> ZeroMove {
        ZeroMove::ToVacant
    }
}

export!(mrs_alice: transfer MrsAlice);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_are_kept() {
        kit::check(&PLUGIN).unwrap();
    }
}
