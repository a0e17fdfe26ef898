//! Boards as text: side by side as far as the terminal is wide, levels beside each other, in colour
//! or without, with chess symbols or letters.
//!
//! Must not know rules, only who stands where.

use alice_core::{Board, Colour, Man, Rules, Setup, Square};
use anstyle::{Ansi256Color, Style};

/// What a drawing looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Letters instead of chess symbols, nothing but ASCII.
    pub ascii: bool,
    /// Whether cells are coloured.
    pub colour: bool,
    /// How many columns there are.
    pub width: usize,
}

/// Squares that are pointed out.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Where the last move left and landed.
    pub moved: Vec<Square>,
    /// The king in check.
    pub check: Option<Square>,
}

impl Look {
    /// What suits the standard output: its width, colours if it shows them.
    pub fn of_output(ascii: bool) -> Self {
        let colour = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
        Self { ascii, colour, width: width() }
    }
}

/// How many columns a report may use: what `COLUMNS` says, else the terminal's width, else 80.
pub fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).filter(|n| *n > 0);
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    said.or_else(seen).unwrap_or(80)
}

/// A line broken at spaces into lines no wider than that, where words allow; the further ones are
/// indented.
pub fn wrapped(line: &str, width: usize) -> String {
    const INDENT: &str = "  ";
    let (mut text, mut column) = (String::new(), 0);
    for word in line.split(' ') {
        let letters = word.chars().count();
        if column > 0 && column + 1 + letters > width {
            text = text + "\n" + INDENT;
            column = INDENT.len();
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += letters;
    }
    text
}

/// Some lines of text, all equally wide on the screen.
#[derive(Clone, Debug)]
struct Block {
    lines: Vec<String>,
    width: usize,
}

/// The columns between two blocks.
const GAP: usize = 3;

impl Block {
    /// Blocks side by side, their first lines at the same height.
    fn beside(blocks: &[Self]) -> Self {
        let height = blocks.iter().map(|b| b.lines.len()).max().unwrap_or(0);
        let line = |n: usize| {
            let part = |b: &Self| b.lines.get(n).cloned().unwrap_or_else(|| " ".repeat(b.width));
            blocks.iter().map(part).collect::<Vec<_>>().join(&" ".repeat(GAP))
        };
        let width = Self::width_beside(blocks);
        Self { lines: (0..height).map(line).collect(), width }
    }

    fn width_beside(blocks: &[Self]) -> usize {
        blocks.iter().map(|b| b.width).sum::<usize>() + GAP * blocks.len().saturating_sub(1)
    }

    /// Blocks in rows, as many in each as fit; at least one.
    fn in_rows(blocks: &[Self], width: usize) -> Vec<Self> {
        let mut rows: Vec<Vec<Self>> = Vec::new();
        for block in blocks {
            match rows.last_mut() {
                Some(row) if Self::width_beside(row) + GAP + block.width <= width => row.push(block.clone()),
                _ => rows.push(vec![block.clone()]),
            }
        }
        rows.iter().map(|row| Self::beside(row)).collect()
    }

    /// A title above the lines.
    fn titled(mut self, title: &str) -> Self {
        self.width = self.width.max(title.len());
        self.lines.insert(0, String::new());
        self.lines[0] = title.into();
        for line in &mut self.lines[..1] {
            *line += &" ".repeat(self.width - title.len());
        }
        self
    }
}

/// Draws all boards; the text ends with a line's end.
pub fn draw(rules: &Rules, setup: &Setup, marks: &Marks, look: Look) -> String {
    let flat = rules.shape.levels() == 1;
    let board = |board: Board| -> Vec<Block> {
        let levels = 0..rules.shape.levels() as i32;
        levels.map(|level| plane(rules, setup, board, level, marks, look)).collect()
    };
    let boards: Vec<Vec<Block>> = rules.all_boards().map(board).collect();
    let title = |n: usize, block: Block| match (flat, rules.boards) {
        (false, 1) => block,
        _ => block.titled(&format!("Board {}", Board(n as u8))),
    };
    // A board whose levels fit beside each other is one block; else its levels fill rows of their own.
    let whole = |levels: &Vec<Block>| Block::width_beside(levels) <= look.width;
    let rows = if boards.iter().all(whole) {
        let blocks: Vec<_> =
            boards.iter().enumerate().map(|(n, levels)| title(n, Block::beside(levels))).collect();
        Block::in_rows(&blocks, look.width)
    } else {
        let rows = |(n, levels): (usize, &Vec<Block>)| {
            let mut rows = Block::in_rows(levels, look.width);
            if let Some(first) = rows.first_mut() {
                *first = title(n, first.clone());
            }
            rows
        };
        boards.iter().enumerate().flat_map(rows).collect()
    };
    let rows: Vec<String> =
        rows.iter().map(|row| row.lines.iter().map(|l| format!("{}\n", l.trim_end())).collect()).collect();
    rows.join("\n")
}

/// One level of one board, with its file letters and rank numbers.
fn plane(rules: &Rules, setup: &Setup, board: Board, level: i32, marks: &Marks, look: Look) -> Block {
    let shape = rules.shape;
    let margin = shape.ranks().to_string().len();
    let mut lines = Vec::new();
    for rank in (0..shape.ranks() as i32).rev() {
        let mut line = format!("{:>margin$} ", rank + 1);
        let mut was_marked = false;
        for file in 0..shape.files() as i32 {
            let cell = shape.cell(file, rank, level).expect("counted within the shape");
            let square = Square { board, cell };
            let man = setup.man(square);
            let marked = marks.moved.contains(&square);
            if look.colour {
                let style = style(man, (file + rank + level) % 2 == 0, marked, marks.check == Some(square));
                let left = if file == 0 { " " } else { "" };
                line += &format!("{left}{style}{} {style:#}", symbol(rules, man, look));
            } else {
                line += bracket(was_marked, marked);
                line.push(symbol(rules, man, look));
            }
            was_marked = marked;
        }
        line += if look.colour { "" } else { bracket(was_marked, false) };
        lines.push(line);
    }
    let letters = (0..shape.files()).map(|f| format!("{} ", (b'a' + f as u8) as char));
    lines.push(format!("{:margin$}  {}", "", letters.collect::<String>()));
    let block = Block { lines, width: margin + 2 + 2 * shape.files() };
    if shape.levels() == 1 { block } else { block.titled(&format!("Level {}", (b'A' + level as u8) as char)) }
}

/// What stands between two cells where there is no colour: marked cells are in brackets.
const fn bracket(left_marked: bool, right_marked: bool) -> &'static str {
    match (left_marked, right_marked) {
        (false, false) => " ",
        (false, true) => "[",
        (true, false) => "]",
        (true, true) => "|",
    }
}

/// The symbol of a man, or of a vacant cell.
fn symbol(rules: &Rules, man: Option<Man>, look: Look) -> char {
    let Some(man) = man else {
        return match (look.colour, look.ascii) {
            (true, _) => ' ',
            (_, true) => '.',
            _ => '·',
        };
    };
    const NAMES: [&str; 6] = ["king", "queen", "rook", "bishop", "knight", "pawn"];
    let known = NAMES.iter().position(|name| *name == rules.man(man.kind).name);
    match known.filter(|_| !look.ascii) {
        // On a coloured cell the man's own colour says whose it is.
        Some(n) if look.colour || man.colour == Colour::Black => ['♚', '♛', '♜', '♝', '♞', '♟'][n],
        Some(n) => ['♔', '♕', '♖', '♗', '♘', '♙'][n],
        None => rules.letter(man.kind, man.colour),
    }
}

/// The colours of a cell.
fn style(man: Option<Man>, dark: bool, moved: bool, check: bool) -> Style {
    // Grounds on which both white and black ink are read with ease.
    let ground = match (check, moved, dark) {
        (true, ..) => 160,
        (_, true, true) => 94,
        (_, true, false) => 136,
        (_, _, true) => 60,
        (_, _, false) => 103,
    };
    let ink = if man.is_some_and(|m| m.colour == Colour::White) { 231 } else { 16 };
    Style::new().bold().fg_color(Some(Ansi256Color(ink).into())).bg_color(Some(Ansi256Color(ground).into()))
}
