//! Positions of two boards as one grid, as other programs write them: a `|` stands before each man on
//! board B. Only for positions in which no two men share a cell.
//!
//! Must not know which positions are legal.

use alice_core::{Board, Cell, Position, Rules, Square};

/// How many `/` one board's text has.
fn bars(rules: &Rules) -> usize {
    let shape = rules.shape;
    // Levels are joined by two.
    shape.levels() * (shape.ranks() - 1) + 2 * (shape.levels() - 1)
}

/// The text of a position with its boards one after the other, if it was given as one grid; none if it
/// was not.
pub fn from_grid(rules: &Rules, text: &str) -> Option<String> {
    let (placement, rest) = text.split_once(' ').unwrap_or((text, ""));
    if rules.boards != 2 || placement.matches('/').count() != bars(rules) {
        return None;
    }
    let mut boards = [String::new(), String::new()];
    let mut vacant = [0_usize; 2];
    let mut number = String::new();
    let mut on_b = false;
    // A last bar flushes the last rank.
    for c in placement.chars().chain(['/']) {
        if c.is_ascii_digit() && number.len() < 3 {
            number.push(c);
            continue;
        }
        let cells = number.parse::<usize>().unwrap_or(0);
        number.clear();
        vacant = vacant.map(|n| n + cells);
        match c {
            '|' => on_b = true,
            '/' => {
                for (board, vacant) in boards.iter_mut().zip(&mut vacant) {
                    flush(board, vacant);
                    board.push('/');
                }
            }
            man => {
                let here = usize::from(std::mem::take(&mut on_b));
                flush(&mut boards[here], &mut vacant[here]);
                boards[here].push(man);
                vacant[1 - here] += 1;
            }
        }
    }
    let [a, b] = boards.map(|board| board.strip_suffix('/').unwrap_or_default().to_string());
    Some(format!("{a}|{b} {rest}"))
}

fn flush(text: &mut String, vacant: &mut usize) {
    if *vacant > 0 {
        text.push_str(&std::mem::take(vacant).to_string());
    }
}

/// The position as one grid; none where that can't be.
pub fn to_grid(position: &Position) -> Option<String> {
    let (rules, setup) = (position.rules(), position.setup());
    let shape = rules.shape;
    if rules.boards != 2 {
        return None;
    }
    let mut text = String::new();
    for level in (0..shape.levels() as i32).rev() {
        for rank in (0..shape.ranks() as i32).rev() {
            let mut vacant = 0;
            for file in 0..shape.files() as i32 {
                let cell: Cell = shape.cell(file, rank, level)?;
                let man = |board| setup.man(Square { board, cell });
                match (man(Board(0)), man(Board(1))) {
                    (None, None) => vacant += 1,
                    (Some(_), Some(_)) => return None,
                    (a, b) => {
                        flush(&mut text, &mut vacant);
                        text.push_str(if b.is_some() { "|" } else { "" });
                        text.extend(a.or(b).map(|man| rules.letter(man.kind, man.colour)));
                    }
                }
            }
            flush(&mut text, &mut vacant);
            if rank > 0 {
                text.push('/');
            }
        }
        if level > 0 {
            text.push_str("//");
        }
    }
    let own = position.to_string();
    Some(format!("{text} {}", own.split_once(' ')?.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_grid_and_two_boards_say_the_same() {
        for name in ["alice", "alice2", "duo", "raumschach-alice", "capablanca-alice", "alice-8x4"] {
            let variant = alice_config::load(name).unwrap().variant;
            let mut position = variant.start();
            for n in 0..40 {
                let grid = to_grid(&position);
                if let Some(grid) = grid {
                    let boards = from_grid(variant.rules(), &grid).unwrap();
                    assert_eq!(boards, position.to_string(), "{grid}");
                }
                assert_eq!(from_grid(variant.rules(), &position.to_string()), None);
                let moves = position.legal_moves();
                let Some(mv) = moves.get(n * 7 % moves.len().max(1)) else { break };
                position.play(mv);
            }
        }
    }

    #[test]
    fn the_grid_of_a_published_game_is_read() {
        let variant = alice_config::load("alice").unwrap().variant;
        let grid = "rnbqkbnr/ppp1pppp/8/8/4|P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let boards = from_grid(variant.rules(), grid).unwrap();
        assert_eq!(boards, "rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR|8/8/8/8/4P3/8/8/8 b KQkq - 0 1");
        assert_eq!(to_grid(&variant.read_position(&boards).unwrap()).unwrap(), grid);
    }
}
