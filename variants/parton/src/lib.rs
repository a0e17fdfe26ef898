//! Alice's own rule (V. R. Parton, 1953): a man transfers to the next board, where the twin must be vacant.

use alice_plugin::*;

/// The rule.
pub struct Parton(Game);

impl Rule for Parton {
    const NAME: &'static str = "parton";
    const ABOUT: &'static str = "Alice: a man transfers to the next board, where its twin must be vacant.";

    fn new(game: &Game, _: &Parameters) -> Result<Self, Complaint> {
        if game.boards < 2 {
            return Err(Complaint::new("Alice needs two boards at least; set `boards`"));
        }
        Ok(Self(game.clone()))
    }
}

impl TransferRule for Parton {
    fn looks_at_twins_only(&self) -> bool {
        true
    }

    fn landings(&self, origin: Board) -> BoardSet {
        BoardSet::of(self.0.next(origin))
    }

    fn landing_cells(&self, _: &Mover, _: Board, landing: Board, boards: Boards) -> Cells {
        boards.vacant(landing)
    }
}

export!(parton: transfer Parton);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_are_kept() {
        kit::check(&PLUGIN).unwrap();
    }
}
