//! Men, squares and lists in words, as all messages say them.
//!
//! Must not know what a message is about, nor where it is printed.

use alice_core::{Board, Cell, Man, Rules, Setup, Square};
use std::fmt::Display;

/// Words for the things of one variant.
#[derive(Clone, Copy)]
pub struct Words<'a>(pub &'a Rules);

impl Words<'_> {
    /// `e5 on board B`; only `e5` where there is one board.
    pub fn square(self, square: Square) -> String {
        format!("{}{}", self.0.shape.cell_name(square.cell), self.on(square.board))
    }

    /// ` on board B`; nothing where there is one board.
    pub fn on(self, board: Board) -> String {
        if self.0.boards > 1 { format!(" on board {board}") } else { String::new() }
    }

    /// `black pawn`.
    pub fn man(self, man: Man) -> String {
        format!("{} {}", man.colour.name().to_lowercase(), self.0.man(man.kind).name)
    }

    /// `a black pawn`.
    pub fn a_man(self, man: Man) -> String {
        format!("a {}", self.man(man))
    }

    /// `the black pawn on e5`: where the board goes without saying.
    pub fn man_there(self, man: Man, cell: Cell) -> String {
        format!("the {} on {}", self.man(man), self.0.shape.cell_name(cell))
    }

    /// `the black pawn on e5 on board B`.
    pub fn man_on(self, man: Man, square: Square) -> String {
        format!("the {} on {}", self.man(man), self.square(square))
    }

    /// The men on these squares; the board is said only of those that are not on `here`.
    pub fn men_on(self, setup: &Setup, squares: &[Square], here: Board) -> String {
        let one = |square: &Square| match setup.man(*square) {
            Some(man) if square.board == here => self.man_there(man, square.cell),
            Some(man) => self.man_on(man, *square),
            None => self.square(*square),
        };
        list(squares.iter().map(one), "and")
    }

    /// `the black rook on e8 attacks the king on e1`.
    pub fn attack(self, setup: &Setup, attackers: &[Square], king: Square) -> String {
        let attack = if attackers.len() == 1 { "attacks" } else { "attack" };
        let (by, cell) = (self.men_on(setup, attackers, king.board), self.0.shape.cell_name(king.cell));
        format!("{by} {attack} the king on {cell}")
    }

    /// `a3, c3 and d2`, of many only the first.
    pub fn cells(self, cells: &[Cell]) -> String {
        const SHOWN: usize = 12;
        let name = |cell: &Cell| self.0.shape.cell_name(*cell);
        if cells.len() <= SHOWN + 1 {
            return list(cells.iter().map(name), "and");
        }
        let shown: Vec<_> = cells[..SHOWN].iter().map(name).collect();
        format!("{} and {} more cells", shown.join(", "), cells.len() - SHOWN)
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn list(things: impl IntoIterator<Item = impl Display>, and: &str) -> String {
    let mut things: Vec<String> = things.into_iter().map(|t| t.to_string()).collect();
    match things.pop() {
        None => String::new(),
        Some(last) if things.is_empty() => last,
        Some(last) => format!("{} {and} {last}", things.join(", ")),
    }
}

/// `1 man`, `2 men`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// `a knight`, `an archbishop`.
pub fn a(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    // A unicorn is said with a y.
    let vowel = vowel && !noun.to_lowercase().starts_with("uni");
    format!("{} {noun}", if vowel { "an" } else { "a" })
}
