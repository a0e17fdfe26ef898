//! Seesaw: a man transfers if its board is heavier, that is if more men stand on it than on the next
//! one; else it stays.
//!
//! Why this rule: it looks at all men at once, which no key of a config can say, and yet a player can
//! do it in the head. The game begins as Alice. When as many men stand on either board, the
//! looking-glass shuts and two games of chess are played side by side; every capture makes its board
//! lighter and so opens the glass for the men of the other one, friend and enemy alike. Whether a move
//! gives check can hang on a capture on the other board, and a quiet move can be worth making only
//! because it tips the scales.

use alice_plugin::*;

/// The rule.
pub struct Seesaw {
    game: Game,
    /// How many more men make a board the heavier one.
    tip: u32,
}

impl Rule for Seesaw {
    const NAME: &'static str = "seesaw";
    const ABOUT: &'static str =
        "A man transfers if more men stand on its board than on the next; else it stays.";

    fn new(game: &Game, parameters: &Parameters) -> Result<Self, Complaint> {
        if game.boards < 2 {
            return Err(Complaint::new("a seesaw needs two boards at least; set `boards`"));
        }
        let tip = parameters.number("tip", 1..=32, 1)?;
        Ok(Self { game: game.clone(), tip: tip as u32 })
    }
}

impl TransferRule for Seesaw {
    fn landings(&self, origin: Board) -> BoardSet {
        BoardSet::of(origin).with(self.game.next(origin))
    }

    fn landing_cells(&self, _: &Mover, origin: Board, landing: Board, boards: Boards) -> Cells {
        let next = boards.occupied(self.game.next(origin));
        let heavier = boards.occupied(origin).count() >= next.count() + self.tip;
        match (heavier, landing == origin) {
            (true, false) => boards.vacant(landing),
            (false, true) => boards.all(),
            _ => Cells::EMPTY,
        }
    }
}

export!(seesaw: transfer Seesaw);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laws_are_kept() {
        kit::check(&PLUGIN).unwrap();
        kit::Kit::new(&PLUGIN).with("seesaw", "tip=3").check().unwrap();
    }

    #[test]
    fn the_heavier_board_sends_men_over() {
        let set = PLUGIN.rule_sets().unwrap()[0];
        let lands = |a: usize, b: usize, tip: &str| {
            let rule = call::Transfer::new(set.create(&Game::alice(), tip).unwrap()).unwrap();
            let occupied = [Cells::first_n(a), Cells::first_n(b)];
            let shown = rule.show(&call::Parts { occupied: &occupied, ..Default::default() });
            let ask =
                |landing| rule.landing_cells(&shown, &Mover::default(), Board(0), Board(landing)).unwrap();
            [ask(0).count(), ask(1).count()]
        };
        assert_eq!(lands(32, 0, ""), [0, 64]);
        assert_eq!(lands(17, 15, ""), [0, 49]);
        assert_eq!(lands(16, 16, ""), [64, 0]);
        assert_eq!(lands(15, 17, ""), [64, 0]);
        assert_eq!(lands(17, 15, "tip=3"), [64, 0]);
    }
}
