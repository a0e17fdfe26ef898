//! The text of a position, both ways: `<board A>|<board B>|… <side> <castling> <en passant>
//! <halfmoves> <fullmoves>`.
//!
//! Reading gives a [`Setup`], or every fault with its place. Whether the setup can be played is not
//! asked here.

use crate::men::{Colour, Man};
use crate::rules::{EnPassantRule, Rules, Wing};
use crate::setup::{EnPassant, Setup, right};
use crate::shape::{Board, Cell, Square};
use std::fmt::Write;
use std::ops::Range;

/// One fault in a position: where, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The bytes of the text that are at fault; empty if no text was read or none can be blamed.
    pub at: Range<usize>,
    /// What is wrong, what was expected.
    pub problem: String,
    /// What to do.
    pub advice: String,
}

/// Why a position is refused: all faults, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.faults.iter().map(|f| format!("{}; {}", f.problem, f.advice)).collect::<Vec<_>>().join("\n"))]
pub struct PositionError {
    /// At least one.
    pub faults: Vec<Fault>,
}

/// The four castling letters in the order in which they are written.
const RIGHTS: [(char, Colour, Wing); 4] = [
    ('K', Colour::White, Wing::King),
    ('Q', Colour::White, Wing::Queen),
    ('k', Colour::Black, Wing::King),
    ('q', Colour::Black, Wing::Queen),
];

/// Writes a setup as text.
pub fn write_setup(rules: &Rules, setup: &Setup) -> String {
    let mut text = String::new();
    for board in rules.all_boards() {
        if board.0 > 0 {
            text.push('|');
        }
        write_board(rules, setup, board, &mut text);
    }
    text.push_str(if setup.turn == Colour::White { " w " } else { " b " });
    if setup.castling == 0 {
        text.push('-');
    }
    let held = |(_, colour, wing): &&(char, Colour, Wing)| setup.castling & right(*colour, *wing) != 0;
    text.extend(RIGHTS.iter().filter(held).map(|(letter, ..)| letter));
    match setup.en_passant {
        Some(ep) => {
            let cell = rules.shape.cell_name(ep.passed);
            let _ = write!(text, " {cell}{}{}", ep.origin, ep.landing);
        }
        None => text.push_str(" -"),
    }
    let _ = write!(text, " {} {}", setup.halfmoves, setup.fullmoves);
    text
}

/// Writes the placement of one board: ranks from the last down, levels from the top.
fn write_board(rules: &Rules, setup: &Setup, board: Board, text: &mut String) {
    let shape = rules.shape;
    for level in (0..shape.levels() as i32).rev() {
        for rank in (0..shape.ranks() as i32).rev() {
            let mut vacant = 0;
            for file in 0..shape.files() as i32 {
                let cell = shape.cell(file, rank, level).expect("counted within the shape");
                match setup.man(Square { board, cell }) {
                    None => vacant += 1,
                    Some(man) => {
                        if vacant > 0 {
                            let _ = write!(text, "{vacant}");
                        }
                        vacant = 0;
                        text.push(rules.letter(man.kind, man.colour));
                    }
                }
            }
            if vacant > 0 {
                let _ = write!(text, "{vacant}");
            }
            if rank > 0 {
                text.push('/');
            }
        }
        if level > 0 {
            text.push_str("//");
        }
    }
}

/// Splits `text[span]` at a separator, keeping each part's place in the whole text.
fn split(text: &str, span: Range<usize>, separator: &str) -> Vec<Range<usize>> {
    let mut start = span.start;
    text[span]
        .split(separator)
        .map(|part| {
            let range = start..start + part.len();
            start = range.end + separator.len();
            range
        })
        .collect()
}

/// `1 board`, `2 boards`.
fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// At most this much of the user's text is repeated in a message.
fn quoted(text: &str) -> String {
    let short: String = text.chars().take(24).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{:?}", format!("{short}{dots}"))
}

struct Reader<'a> {
    rules: &'a Rules,
    text: &'a str,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn fault(&mut self, at: Range<usize>, problem: String, advice: impl Into<String>) {
        self.faults.push(Fault { at, problem, advice: advice.into() });
    }

    fn placement(&mut self, span: Range<usize>, setup: &mut Setup) {
        let boards = split(self.text, span.clone(), "|");
        let expected = usize::from(self.rules.boards);
        if boards.len() != expected {
            self.fault(
                span,
                format!(
                    "the position has {}, but {} is played on {expected}",
                    counted(boards.len(), "board"),
                    self.rules.name
                ),
                "write one placement for each board, with | between them",
            );
            return;
        }
        for (board, span) in self.rules.all_boards().zip(boards) {
            self.board(board, span, setup);
        }
    }

    fn board(&mut self, board: Board, span: Range<usize>, setup: &mut Setup) {
        let shape = self.rules.shape;
        let levels =
            if shape.levels() == 1 { vec![span.clone()] } else { split(self.text, span.clone(), "//") };
        if levels.len() != shape.levels() {
            let found = counted(levels.len(), "level");
            self.fault(
                span,
                format!("board {board} has {found}, but {} are needed", shape.levels()),
                "write the levels from the top down, with // between them",
            );
            return;
        }
        for (level, span) in (0..shape.levels() as i32).rev().zip(levels) {
            let ranks = split(self.text, span.clone(), "/");
            if ranks.len() != shape.ranks() {
                let (found, needed) = (counted(ranks.len(), "rank"), shape.ranks());
                let on = self.place(board, level);
                self.fault(
                    span,
                    format!("{on} has {found}, but {needed} are needed"),
                    "write the ranks from the last down, with / between them",
                );
                continue;
            }
            for (rank, span) in (0..shape.ranks() as i32).rev().zip(ranks) {
                self.rank(board, rank, level, span, setup);
            }
        }
    }

    fn place(&self, board: Board, level: i32) -> String {
        if self.rules.shape.levels() > 1 {
            format!("level {} of board {board}", (b'A' + level as u8) as char)
        } else {
            format!("board {board}")
        }
    }

    fn rank(&mut self, board: Board, rank: i32, level: i32, span: Range<usize>, setup: &mut Setup) {
        let files = self.rules.shape.files();
        let mut width: usize = 0;
        let mut men = Vec::new();
        let text = self.text;
        let mut chars = text[span.clone()].char_indices().peekable();
        while let Some((i, c)) = chars.next() {
            let at = span.start + i..span.start + i + c.len_utf8();
            if c.is_ascii_digit() {
                let mut number = c as usize - '0' as usize;
                while let Some((_, d)) = chars.next_if(|(_, d)| d.is_ascii_digit()) {
                    number = number.saturating_mul(10).saturating_add(d as usize - '0' as usize);
                }
                width = width.saturating_add(number);
            } else if let Some(kind) =
                Some(c).filter(char::is_ascii_alphabetic).and_then(|c| self.rules.kind_of_letter(c))
            {
                let colour = if c.is_ascii_uppercase() { Colour::White } else { Colour::Black };
                men.push((width, Man { kind, colour }));
                width = width.saturating_add(1);
            } else {
                let letters: String = self.rules.men.iter().map(|m| m.letter).collect();
                self.fault(
                    at,
                    format!("{:?} is not a man of {}", c.to_string(), self.rules.name),
                    format!("its men are {letters}, in small letters for Black"),
                );
                width = width.saturating_add(1);
            }
        }
        if width != files {
            let on = self.place(board, level);
            let rank = rank + 1;
            self.fault(
                span,
                format!("rank {rank} of {on} has {}, but {files} are needed", counted(width, "cell")),
                "count men and vacant cells",
            );
            return;
        }
        for (file, man) in men {
            let cell = self.rules.shape.cell(file as i32, rank, level).expect("the width was counted");
            setup.put(Square { board, cell }, Some(man));
        }
    }

    fn castling(&mut self, span: Range<usize>) -> u8 {
        let text = &self.text[span.clone()];
        let mut rights = 0;
        if text == "-" {
            return rights;
        }
        for (i, c) in text.char_indices() {
            let at = span.start + i..span.start + i + c.len_utf8();
            let right_of = RIGHTS.iter().find(|(letter, ..)| *letter == c);
            let Some((_, colour, wing)) = right_of else {
                self.fault(
                    at,
                    format!("{:?} is not a castling right", c.to_string()),
                    "write some of KQkq, or -",
                );
                continue;
            };
            let bit = right(*colour, *wing);
            if !self.rules.castling.iter().any(|rule| rule.right() == bit) {
                self.fault(
                    at,
                    format!("there is no castling {:?} in {}", c.to_string(), self.rules.name),
                    "write - if nobody may castle",
                );
            } else if rights & bit != 0 {
                self.fault(at, format!("{:?} is there twice", c.to_string()), "write it once");
            }
            rights |= bit;
        }
        rights
    }

    fn en_passant(&mut self, span: Range<usize>) -> Option<EnPassant> {
        let text = &self.text[span.clone()];
        if text == "-" {
            return None;
        }
        if self.rules.en_passant == EnPassantRule::None {
            self.fault(
                span,
                format!("{} has no en passant, but the position says {}", self.rules.name, quoted(text)),
                "write -",
            );
            return None;
        }
        let read = self.rules.shape.read_cell(text).and_then(|(passed, rest)| {
            let mut boards = rest.chars().map(|c| {
                let board = Board((c as u32).wrapping_sub('A' as u32).min(255) as u8);
                self.rules.has_board(board).then_some(board)
            });
            if rest.is_empty() && self.rules.boards == 1 {
                // On one board the cell says all, as in a FEN.
                return Some(EnPassant { passed, origin: Board(0), landing: Board(0) });
            }
            let (origin, landing) = (boards.next()??, boards.next()??);
            boards.next().is_none().then_some(EnPassant { passed, origin, landing })
        });
        if read.is_none() {
            let cell = self.rules.shape.cell_name(Cell((self.rules.shape.cells() - 1) as u8));
            let advice = format!(
                "write the cell passed over, the board left and the board landed on, as {cell}A{}, or -",
                Board(self.rules.boards - 1)
            );
            self.fault(span, format!("{} is not an en passant right", quoted(text)), advice);
        }
        read
    }

    fn count(&mut self, span: Range<usize>, what: &str, least: u16) -> u16 {
        let text = &self.text[span.clone()];
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        match text.parse::<u16>().ok().filter(|n| digits && *n >= least) {
            Some(n) => n,
            None => {
                self.fault(
                    span,
                    format!("{} is not a count of {what}", quoted(text)),
                    format!("write a number from {least} to 65535"),
                );
                least
            }
        }
    }
}

/// Reads the text of a position. Trailing fields may be left out: the halfmoves and fullmoves, then
/// en passant, then castling. [`crate::Variant::read_setup`] is the same for rules that have been checked;
/// this one also serves to make them.
///
/// # Errors
/// Every fault of the text, with its place.
pub fn read_setup(rules: &Rules, text: &str) -> Result<Setup, PositionError> {
    let mut setup = Setup::empty(rules.shape, rules.boards);
    let mut reader = Reader { rules, text, faults: Vec::new() };
    let mut fields = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_whitespace() {
            fields.extend(start.take().map(|s| s..i));
        } else {
            start.get_or_insert(i);
        }
    }
    let mut fields = fields.into_iter();
    let end = text.len()..text.len();
    match fields.next() {
        Some(span) => reader.placement(span, &mut setup),
        None => reader.fault(end.clone(), "the position is empty".into(), "write where the men stand"),
    }
    match fields.next() {
        Some(span) => match &text[span.clone()] {
            "w" => {}
            "b" => setup.turn = Colour::Black,
            other => reader.fault(
                span,
                format!("{} is not a side", quoted(other)),
                "write w or b for the side to move",
            ),
        },
        None => reader.fault(
            end,
            "the position does not say whose turn it is".into(),
            "write w or b after the boards",
        ),
    }
    if let Some(span) = fields.next() {
        setup.castling = reader.castling(span);
    }
    if let Some(span) = fields.next() {
        setup.en_passant = reader.en_passant(span);
    }
    if let Some(span) = fields.next() {
        setup.halfmoves = reader.count(span, "halfmoves", 0);
    }
    if let Some(span) = fields.next() {
        setup.fullmoves = reader.count(span, "moves", 1);
    }
    if let Some(span) = fields.next() {
        let rest = span.start..text.trim_end().len();
        reader.fault(
            rest.clone(),
            format!("{} follows the position", quoted(&text[rest])),
            "a position has six fields: boards, side, castling, en passant, halfmoves, moves",
        );
    }
    if reader.faults.is_empty() { Ok(setup) } else { Err(PositionError { faults: reader.faults }) }
}
