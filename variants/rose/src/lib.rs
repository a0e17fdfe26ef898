//! The rose: a knight that rides on, turning by the eighth part of a circle after each leap, always to
//! the same side: from a1 over b3, d4 and f3 to g1, say. There are sixteen ways round from a cell.
//!
//! Betza's notation has rides along straight lines only.

use alice_plugin::*;

/// A knight's leaps in the order of the circle.
const CIRCLE: [[i8; 3]; 8] =
    [[1, 2, 0], [2, 1, 0], [2, -1, 0], [1, -2, 0], [-1, -2, 0], [-2, -1, 0], [-2, 1, 0], [-1, 2, 0]];

/// The movement.
pub struct Rose {
    /// For each cell the ways round, each up to the board's edge and not back to the cell itself.
    ways: Vec<Vec<Vec<Cell>>>,
}

impl Rule for Rose {
    const NAME: &'static str = "rose";
    const ABOUT: &'static str = "A knight that rides on in a circle, either way round.";

    fn new(game: &Game, _: &Parameters) -> Result<Self, Complaint> {
        let way = |from: Cell, start: usize, turn: usize| -> Vec<Cell> {
            let mut leaps = (0..7).map(|n| CIRCLE[(start + n * turn) % 8]);
            std::iter::successors(Some(from), |cell| game.step(*cell, leaps.next()?)).skip(1).collect()
        };
        // Turning by seven eighths is turning by one the other way.
        let ways = |from| (0..8).flat_map(|start| [1, 7].map(|turn| way(from, start, turn))).collect();
        Ok(Self { ways: game.all().iter().map(ways).collect() })
    }
}

impl Rose {
    /// All cells that are reached, occupied ones that end a way included.
    fn reach(&self, from: Cell, occupied: Cells) -> Cells {
        // It has left its own cell, so that a circle through it is not blocked; it ends there anyway.
        let occupied = occupied.without(from);
        let mut reached = Cells::EMPTY;
        for way in self.ways.get(usize::from(from.0)).into_iter().flatten() {
            for cell in way {
                reached = reached.with(*cell);
                if occupied.has(*cell) {
                    break;
                }
            }
        }
        reached
    }
}

impl MovementRule for Rose {
    fn quiet(&self, from: Cell, _: Colour, occupied: Cells) -> Cells {
        self.reach(from, occupied) & !occupied
    }

    fn attacks(&self, from: Cell, _: Colour, occupied: Cells) -> Cells {
        self.reach(from, occupied)
    }
}

export!(rose: movement Rose);

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(names: &str) -> Cells {
        names.split_whitespace().map(|name| Game::alice().cell_named(name).unwrap()).collect()
    }

    #[test]
    fn the_laws_are_kept() {
        kit::check(&PLUGIN).unwrap();
    }

    #[test]
    fn a_rose_rides_in_circles_until_something_is_in_its_way() {
        let rose = Rose::new(&Game::alice(), &Parameters::read("").unwrap()).unwrap();
        let a1 = Game::alice().cell_named("a1").unwrap();
        // b3, d4, f3, g1 one way round; c2, e1 or c2, d4, c6, a7 the other; b3, a5; b3, d4 …
        let alone = cells("b3 a5 d4 f3 g1 c2 e1 c6 a7");
        assert_eq!(rose.quiet(a1, Colour::White, cells("a1")), alone);
        let blocked = cells("a1 d4");
        assert_eq!(rose.quiet(a1, Colour::White, blocked), cells("b3 a5 c2 e1"));
        assert_eq!(rose.attacks(a1, Colour::Black, blocked), cells("b3 a5 c2 e1 d4"));
    }
}
