//! Travellers: men of some kinds (knights, unless others are named) may transfer or stay, as the player
//! likes; all others transfer as in Alice.

use alice_plugin::*;

/// The rule.
pub struct Travellers {
    game: Game,
    /// The kinds that may stay.
    men: Vec<Kind>,
}

impl Rule for Travellers {
    const NAME: &'static str = "travellers";
    const ABOUT: &'static str = "Alice, but men of the kinds named as `men` (else knights) may also stay.";

    fn new(game: &Game, parameters: &Parameters) -> Result<Self, Complaint> {
        if game.boards < 2 {
            return Err(Complaint::new("travellers need two boards at least; set `boards`"));
        }
        let men = match parameters.men("men", game)? {
            Some(men) => men,
            None => vec![
                game.kind("knight")
                    .ok_or_else(|| Complaint::new("there are no knights; name others with `men`"))?,
            ],
        };
        Ok(Self { game: game.clone(), men })
    }
}

impl TransferRule for Travellers {
    fn depends_on(&self) -> DependsOn {
        DependsOn::OCCUPANCY | DependsOn::MOVER_KIND
    }

    fn landings(&self, origin: Board) -> BoardSet {
        BoardSet::of(origin).with(self.game.next(origin))
    }

    fn landing_cells(&self, mover: &Mover, origin: Board, landing: Board, boards: Boards) -> Cells {
        if landing != origin {
            boards.vacant(landing)
        } else if self.men.contains(&mover.man.kind) {
            boards.all()
        } else {
            Cells::EMPTY
        }
    }
}

export!(travellers: transfer Travellers);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_are_kept() {
        kit::check(&PLUGIN).unwrap();
        kit::Kit::new(&PLUGIN).with("travellers", "men=bishop\nmen=R").check().unwrap();
    }

    #[test]
    fn a_kind_that_does_not_exist_is_refused() {
        let set = PLUGIN.rule_sets().unwrap()[0];
        let Err(refused) = set.create(&Game::alice(), "men=knight\nmen=camel") else { panic!() };
        assert_eq!(
            refused.to_string(),
            "men is \"camel\"; write one of pawn, knight, bishop, rook, queen, king"
        );
    }
}
