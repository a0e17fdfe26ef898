//! PGN, written in one way: tags in the standard's order, moves in algebraic notation, lines of 80
//! columns at most.

use crate::sheet::{Line, ScoreSheet, Turn};
use alice_core::{Colour, Language, Move, Position};

/// The tags that stand first, in this order, and that no game is without.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The tags that say which game it is follow, in this order.
const GAME: [&str; 3] = ["Variant", "SetUp", "FEN"];

/// Words, broken into lines.
#[derive(Default)]
struct Words {
    text: String,
    column: usize,
    /// What stands before the next word without a blank between: `(`.
    prefix: String,
    /// The last word, to which something may still be added.
    last: String,
}

const WIDEST: usize = 80;

impl Words {
    fn word(&mut self, word: &str) {
        self.put_last();
        self.last = std::mem::take(&mut self.prefix) + word;
    }

    fn put_last(&mut self) {
        let word = std::mem::take(&mut self.last);
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > WIDEST {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        // A line that begins with % is no part of a game.
        if self.column == 0 && word.starts_with('%') {
            self.text.push(' ');
        }
        self.text.push_str(&word);
        self.column += length;
    }

    fn comment(&mut self, text: &str) {
        let text = format!("{{{}}}", text.replace('}', ")"));
        text.split_whitespace().for_each(|word| self.word(word));
    }

    /// Puts something behind the last word.
    fn close(&mut self, mark: &str) {
        self.last.push_str(mark);
    }

    fn end(mut self) -> String {
        self.put_last();
        self.text
    }
}

impl ScoreSheet<Move> {
    /// The sheet as PGN, with the letters of a language. The tag `FEN` is written as it is in the tags:
    /// see [`ScoreSheet::set_start`].
    pub fn write(&self, start: &Position, language: Language) -> String {
        let result = self.result.map_or_else(|| "*".to_string(), |score| score.to_string());
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let clean: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let value = clean.replace('\\', "\\\\").replace('"', "\\\"");
            text += &format!("[{name} \"{value}\"]\n");
        };
        for name in ROSTER {
            let unknown = if name == "Date" { "????.??.??" } else { "?" };
            match name {
                "Result" => tag(name, &result),
                _ => tag(name, self.tag(name).map_or(unknown, |tag| &tag.value)),
            }
        }
        let known = |name: &&str| self.tag(name).is_some();
        for name in GAME.iter().filter(|name| known(name)) {
            tag(name, self.tag(name).map_or("", |tag| &tag.value));
        }
        let first = |name: &str| ROSTER.contains(&name) || GAME.contains(&name);
        for other in self.tags.iter().filter(|tag| !first(&tag.name)) {
            tag(&other.name, &other.value);
        }
        text.push('\n');
        text + &self.movetext(start, language) + "\n"
    }

    /// The moves, all that is remarked upon them, and the result: what follows the tags.
    pub fn movetext(&self, start: &Position, language: Language) -> String {
        let mut words = Words::default();
        self.line.write(start.clone(), language, &mut words);
        words.word(&self.result.map_or_else(|| "*".to_string(), |score| score.to_string()));
        words.end()
    }
}

impl Line<Move> {
    fn write(&self, mut position: Position, language: Language, words: &mut Words) {
        self.comments.iter().for_each(|comment| words.comment(comment));
        // After anything but a move, Black's move has its number too.
        let mut numbered = true;
        for turn in &self.turns {
            let number = position.setup().fullmoves;
            let text = position.algebraic_in(language, &turn.mv);
            match position.turn() {
                Colour::White => words.word(&format!("{number}. {text}")),
                Colour::Black if numbered => words.word(&format!("{number}... {text}")),
                Colour::Black => words.word(&text),
            }
            turn.write_remarks(&position, language, words);
            numbered = !turn.comments.is_empty() || !turn.variations.is_empty();
            position.play(&turn.mv);
        }
    }
}

impl Turn<Move> {
    fn write_remarks(&self, before: &Position, language: Language, words: &mut Words) {
        self.glyphs.iter().for_each(|glyph| words.word(&format!("${glyph}")));
        self.comments.iter().for_each(|comment| words.comment(comment));
        for variation in &self.variations {
            if variation.turns.is_empty() && variation.comments.is_empty() {
                continue;
            }
            words.prefix.push('(');
            variation.write(before.clone(), language, words);
            words.close(")");
        }
    }
}
