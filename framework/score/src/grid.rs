//! Positions of two boards as one grid, the way PyChess writes them: a `|` stands before each man on
//! board B. Where a cell holds men on both boards there is no such text.

use alice_core::{Board, EnPassantRule, Position, PositionError, Rules, Square, Variant};

/// Why a position can't be read from, or written as, one grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// The game has not two flat boards.
    #[error("{name} is not played on two flat boards: only such games have one-grid positions")]
    Boards {
        /// The game.
        name: String,
    },
    /// Two men share a cell.
    #[error("two men stand on {cell}, one on each board: there is no one-grid text for that")]
    Shared {
        /// The cell.
        cell: String,
    },
    /// Something in the grid can't stand there.
    #[error(
        "{seen:?} can't stand in the grid, at character {at}: write men, | before those on board B, numbers of vacant cells, and / between ranks"
    )]
    Grid {
        /// What.
        seen: String,
        /// Which character of the text, from 1.
        at: usize,
    },
    /// The two boards that the grid stands for are no position of the game.
    #[error("as {text:?}: {error}")]
    Position {
        /// The position, with two boards.
        text: String,
        /// What is wrong with it.
        error: PositionError,
    },
}

fn two_flat_boards(rules: &Rules) -> Result<(), GridError> {
    match (rules.boards, rules.shape.levels()) {
        (2, 1) => Ok(()),
        _ => Err(GridError::Boards { name: rules.name.clone() }),
    }
}

/// Whether a position's text has the ranks of one board where the game has two.
pub fn looks_like_one_grid(rules: &Rules, text: &str) -> bool {
    let grid = text.split_whitespace().next().unwrap_or_default();
    two_flat_boards(rules).is_ok() && grid.matches('/').count() + 1 == rules.shape.ranks()
}

/// Writes a position as one grid. What follows the grid is as in our own text, but for the boards of an
/// en passant right.
///
/// # Errors
/// If it has not two flat boards, or two men share a cell.
pub fn write_one_grid(position: &Position) -> Result<String, GridError> {
    let (rules, setup) = (position.rules(), position.setup());
    two_flat_boards(rules)?;
    let shape = rules.shape;
    let mut ranks = Vec::new();
    for rank in (0..shape.ranks() as i32).rev() {
        let (mut text, mut vacant) = (String::new(), 0);
        for file in 0..shape.files() as i32 {
            let cell = shape.cell(file, rank, 0).expect("counted within the shape");
            let [a, b] = [0, 1].map(|board| setup.man(Square { board: Board(board), cell }));
            let (mark, man) = match (a, b) {
                (Some(_), Some(_)) => return Err(GridError::Shared { cell: shape.cell_name(cell) }),
                (Some(man), None) => ("", man),
                (None, Some(man)) => ("|", man),
                (None, None) => {
                    vacant += 1;
                    continue;
                }
            };
            text += &number(&mut vacant);
            text += mark;
            text.push(rules.letter(man.kind, man.colour));
        }
        ranks.push(text + &number(&mut vacant));
    }
    let own = position.to_string();
    let mut fields: Vec<&str> = own.split(' ').collect();
    let grid = ranks.join("/");
    fields[0] = &grid;
    let passed = setup.en_passant.map_or_else(|| "-".into(), |right| shape.cell_name(right.passed));
    fields[3] = &passed;
    Ok(fields.join(" "))
}

/// The number of vacant cells as text, nothing for none; counting begins anew.
fn number(vacant: &mut usize) -> String {
    match std::mem::take(vacant) {
        0 => String::new(),
        n => n.to_string(),
    }
}

/// Reads a one-grid position. Fields at the end may be left out as in our own text.
///
/// # Errors
/// If the game has not two flat boards, or the text is no position of it.
pub fn read_one_grid(variant: &Variant, text: &str) -> Result<Position, GridError> {
    let rules = variant.rules();
    two_flat_boards(rules)?;
    let text = text.trim();
    let (grid, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let mut boards = [String::new(), String::new()];
    let mut vacant = [0, 0];
    let mut chars = grid.chars().enumerate().peekable();
    let wrong = |at: usize, c: char| GridError::Grid { seen: c.to_string(), at: at + 1 };
    while let Some((at, c)) = chars.next() {
        if c.is_ascii_digit() {
            let mut n = c as usize - '0' as usize;
            while let Some((_, digit)) = chars.next_if(|(_, c)| c.is_ascii_digit()) {
                n = (10 * n + digit as usize - '0' as usize).min(1000);
            }
            vacant = vacant.map(|v| v + n);
        } else if c == '/' {
            for (board, vacant) in boards.iter_mut().zip(&mut vacant) {
                *board += &number(vacant);
                board.push('/');
            }
        } else {
            let (on, letter) = match c {
                '|' => (1, chars.next().map(|(_, c)| c).ok_or(wrong(at, c))?),
                _ => (0, c),
            };
            if !letter.is_ascii_alphabetic() {
                return Err(wrong(at, c));
            }
            boards[on] += &number(&mut vacant[on]);
            boards[on].push(letter);
            vacant[1 - on] += 1;
        }
    }
    for (board, vacant) in boards.iter_mut().zip(&mut vacant) {
        *board += &number(vacant);
    }
    let mut fields: Vec<String> = rest.split_whitespace().map(String::from).collect();
    if let Some(passed) = fields.get_mut(2) {
        *passed = en_passant(variant, &boards.join("|"), passed);
    }
    let text = format!("{} {}", boards.join("|"), fields.join(" "));
    variant.read_position(&text).map_err(|error| GridError::Position { text, error })
}

/// An en passant right with its boards: the pawn landed where it stands, and came from the other board.
fn en_passant(variant: &Variant, boards: &str, passed: &str) -> String {
    let rules = variant.rules();
    let shape = rules.shape;
    let Some((cell, "")) = shape.read_cell(passed) else { return passed.into() };
    if rules.en_passant == EnPassantRule::None {
        return "-".into();
    }
    let Ok(setup) = variant.read_setup(&format!("{boards} w")) else { return passed.into() };
    let [file, rank, _] = shape.coordinates(cell);
    let beyond = if 2 * rank < shape.ranks() as i32 { rank + 1 } else { rank - 1 };
    let pawn = shape.cell(file, beyond, 0);
    let on_b = pawn.is_some_and(|cell| setup.man(Square { board: Board(1), cell }).is_some());
    format!("{passed}{}", if on_b { "AB" } else { "BA" })
}
