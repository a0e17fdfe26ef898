//! O'Donohue's Alice (2003): a man transfers to the next board; where the twin of its arrival cell is
//! occupied it stays on its own.

use alice_plugin::*;

/// The rule.
pub struct ODonohue(Game);

impl Rule for ODonohue {
    const NAME: &'static str = "odonohue";
    const ABOUT: &'static str = "Alice, but a man whose twin is occupied stays on its own board.";

    fn new(game: &Game, _: &Parameters) -> Result<Self, Complaint> {
        if game.boards < 2 {
            return Err(Complaint::new("O'Donohue's rule needs two boards at least; set `boards`"));
        }
        Ok(Self(game.clone()))
    }
}

impl TransferRule for ODonohue {
    fn looks_at_twins_only(&self) -> bool {
        true
    }

    fn landings(&self, origin: Board) -> BoardSet {
        BoardSet::of(origin).with(self.0.next(origin))
    }

    fn landing_cells(&self, _: &Mover, origin: Board, landing: Board, boards: Boards) -> Cells {
        let next = self.0.next(origin);
        if landing == next { boards.vacant(next) } else { boards.occupied(next) }
    }

    /// If either twin is occupied, the transfer is left out for both men.
    fn castling_lands(&self, castling: &Castling, origin: Board, landing: Board, boards: Boards) -> bool {
        let vacant = boards.vacant(self.0.next(origin));
        let both = vacant.has(castling.king_to) && vacant.has(castling.rook_to);
        both == (landing != origin)
    }
}

export!(odonohue: transfer ODonohue);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_are_kept() {
        kit::check(&PLUGIN).unwrap();
    }
}
