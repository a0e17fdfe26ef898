//! Duo (J. Stone, 1981): after its move a man may transfer, if the twin is vacant, or stay. Men other
//! than pawns also make zero moves, and capture by them.

use alice_plugin::*;

/// The rule.
pub struct Duo {
    game: Game,
    pawns: Vec<Kind>,
}

impl Rule for Duo {
    const NAME: &'static str = "duo";
    const ABOUT: &'static str =
        "A man may transfer or stay; men other than pawns make zero moves, also capturing.";

    fn new(game: &Game, _: &Parameters) -> Result<Self, Complaint> {
        if game.boards < 2 {
            return Err(Complaint::new("Duo needs two boards at least; set `boards`"));
        }
        let pawns = (0..game.men.len()).filter(|k| game.men[*k].pawn).map(|k| Kind(k as u8)).collect();
        Ok(Self { game: game.clone(), pawns })
    }
}

impl TransferRule for Duo {
    fn looks_at_twins_only(&self) -> bool {
        true
    }

    fn landings(&self, origin: Board) -> BoardSet {
        BoardSet::of(origin).with(self.game.next(origin))
    }

    fn landing_cells(&self, _: &Mover, origin: Board, landing: Board, boards: Boards) -> Cells {
        if landing == origin { boards.all() } else { boards.vacant(landing) }
    }

    fn zero_moves(&self, man: Man, origin: Board, landing: Board) -> ZeroMove {
        if landing == origin || self.pawns.contains(&man.kind) {
            ZeroMove::Never
        } else {
            ZeroMove::Capturing
        }
    }
}

export!(duo: transfer Duo);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_are_kept() {
        kit::check(&PLUGIN).unwrap();
    }
}
