//! PGN, read game by game. A game that can't be read is skipped, and the next one is looked for.
//!
//! Must not know what a move's text means, only where it ends.

use crate::sheet::{Line, Place, ScoreSheet, Tag, Turn, Written};
use alice_core::Score;
use std::io::{self, BufRead, Read};

/// Longer lines, and games, are refused: they would need memory without end.
const LONGEST_LINE: usize = 1 << 20;
const LONGEST_GAME: usize = 1 << 24;

/// Variations in variations are read so deep.
const DEEPEST: usize = 100;

/// Why a game can't be read.
#[derive(Debug, thiserror::Error)]
pub enum SheetsError {
    /// The file can't be read any further.
    #[error("the file can't be read: {0}")]
    File(#[from] io::Error),
    /// A game is no PGN; the next may be.
    #[error("line {}, column {}: {problem}; {advice}", place.line, place.column)]
    Broken {
        /// Where.
        place: Place,
        /// What is wrong.
        problem: String,
        /// What to do.
        advice: String,
    },
}

/// The games of a file, one after the other. After a file's error there are no more; after a broken
/// game there may be.
#[derive(Debug)]
pub struct Sheets<R> {
    source: R,
    line: Text,
    /// Whether `line` still has to be read.
    again: bool,
    /// Whether the line before was blank.
    after_blank: bool,
    ended: bool,
}

/// A line of the file, and how much of it has been read.
#[derive(Debug, Default)]
struct Text {
    number: usize,
    text: String,
    at: usize,
}

impl Text {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn place(&self) -> Place {
        Place { line: self.number, column: self.text[..self.at].chars().count() + 1 }
    }

    fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Whether a game's tags could begin with this line.
    fn is_tag(&self) -> bool {
        let Some(inner) = self.text.trim_start().strip_prefix('[') else { return false };
        let inner = inner.trim_start();
        let name = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        name.len() < inner.len() && name.trim_start().starts_with('"')
    }
}

/// A game that is being read.
#[derive(Debug)]
struct Draft {
    sheet: ScoreSheet<Written>,
    /// The lines that are open: the game, then variations, each inside the one before.
    open: Vec<Line<Written>>,
    /// Where the variations began.
    begun: Vec<Place>,
    comment: Option<(Place, String)>,
    /// Whether anything but tags has been seen.
    moves: bool,
    length: usize,
    broken: Option<SheetsError>,
    finished: bool,
}

impl Draft {
    fn new(place: Place) -> Self {
        Self {
            sheet: ScoreSheet { place, ..ScoreSheet::default() },
            open: vec![Line::default()],
            begun: Vec::new(),
            comment: None,
            moves: false,
            length: 0,
            broken: None,
            finished: false,
        }
    }

    /// Remembers the first fault.
    fn fault(&mut self, place: Place, problem: impl Into<String>, advice: impl Into<String>) {
        let (problem, advice) = (problem.into(), advice.into());
        self.broken.get_or_insert(SheetsError::Broken { place, problem, advice });
    }

    fn line(&mut self) -> &mut Line<Written> {
        self.open.last_mut().expect("the game's own line is never closed")
    }

    /// Keeps a comment with the move before it.
    fn remark(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            let line = self.line();
            match line.turns.last_mut() {
                Some(turn) => turn.comments.push(text),
                None => line.comments.push(text),
            }
        }
    }

    fn glyph(&mut self, place: Place, number: u8) {
        match self.line().turns.last_mut() {
            Some(turn) => turn.glyphs.push(number),
            None => self.fault(place, "a glyph stands before the first move", "write it after a move"),
        }
    }

    fn close(mut self) -> Result<ScoreSheet<Written>, SheetsError> {
        if let Some((place, _)) = self.comment {
            self.fault(place, "this comment does not end", "write } behind it");
        }
        if let Some(place) = self.begun.last().copied() {
            self.fault(place, "this variation does not end", "write ) behind it");
        }
        if let Some(broken) = self.broken {
            return Err(broken);
        }
        self.sheet.line = self.open.swap_remove(0);
        if self.sheet.result.is_none() {
            self.sheet.result = self.sheet.tag("Result").and_then(|tag| ending(&tag.value)).flatten();
        }
        Ok(self.sheet)
    }
}

/// The result that a word says; that the game has none is a result too.
fn ending(word: &str) -> Option<Option<Score>> {
    Some(match word {
        "1-0" | "1–0" => Some(Score::White),
        "0-1" | "0–1" => Some(Score::Black),
        "1/2-1/2" | "1/2" | "½-½" | "½–½" => Some(Score::Draw),
        "*" => None,
        _ => return None,
    })
}

/// Glyphs that are written as signs, the longest first where one begins another.
const SIGNS: [(&str, u8); 6] = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];

/// Glyphs that stand alone.
const WORDS: [(&str, u8); 10] = [
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
];

impl<R: BufRead> Sheets<R> {
    /// The games of a text.
    pub fn new(source: R) -> Self {
        Self { source, line: Text::default(), again: false, after_blank: true, ended: false }
    }

    /// Gets the next line; whether there was one.
    fn next_line(&mut self) -> Result<bool, SheetsError> {
        if std::mem::take(&mut self.again) {
            return Ok(true);
        }
        self.after_blank = self.line.text.trim().is_empty();
        let mut bytes = Vec::new();
        let read = Read::by_ref(&mut self.source).take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(false);
        }
        let long = !bytes.ends_with(b"\n") && read == LONGEST_LINE;
        if long {
            // The rest of it is not kept.
            self.source.skip_until(b'\n')?;
        }
        let mut text = match String::from_utf8(bytes) {
            Ok(text) => text,
            // The standard's own encoding is Latin 1.
            Err(other) => other.into_bytes().into_iter().map(char::from).collect(),
        };
        text.truncate(text.trim_end().len());
        let at =
            if self.line.number == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        self.line = Text { number: self.line.number + 1, text, at };
        if long {
            let (problem, advice) = ("this line is too long".into(), "is it PGN?".into());
            return Err(SheetsError::Broken { place: self.line.place(), problem, advice });
        }
        Ok(true)
    }

    fn next_game(&mut self) -> Result<Option<ScoreSheet<Written>>, SheetsError> {
        let mut draft: Option<Draft> = None;
        loop {
            match self.next_line() {
                Ok(true) => {}
                Ok(false) => return draft.map(Draft::close).transpose(),
                Err(SheetsError::Broken { place, problem, advice }) => {
                    let game = draft.get_or_insert_with(|| Draft::new(place));
                    game.fault(place, problem, advice);
                    game.moves = true;
                    continue;
                }
                Err(file) => return Err(file),
            }
            if self.line.at == 0 && self.line.text.starts_with('%') {
                continue;
            }
            // Tags begin a new game; in a comment only after a blank line, where it is more likely that
            // somebody forgot to end it.
            let tag = self.line.at == 0 && self.line.is_tag();
            let begins = |draft: &Draft| draft.moves && (draft.comment.is_none() || self.after_blank);
            if tag && draft.as_ref().is_some_and(begins) {
                self.again = true;
                return draft.map(Draft::close).transpose();
            }
            if draft.is_none() {
                self.line.skip_blanks();
                if self.line.rest().is_empty() {
                    continue;
                }
            }
            let place = self.line.place();
            let game = draft.get_or_insert_with(|| Draft::new(place));
            game.length += self.line.rest().len();
            if game.length > LONGEST_GAME && game.broken.is_none() {
                game.fault(place, "this game is too long", "is it PGN?");
                game.moves = true;
            }
            if game.broken.is_none() || !game.moves {
                self.line_of(game);
            }
            if game.broken.is_some() && game.moves {
                // What follows can't be trusted, but for where the next game begins.
                let last = self.line.text.rsplit(char::is_whitespace).next();
                game.finished = last.and_then(ending).is_some();
                game.comment = None;
                game.begun.clear();
            }
            if game.finished && game.comment.is_none() {
                self.again = !self.line.rest().trim().is_empty() && game.broken.is_none();
                return draft.map(Draft::close).transpose();
            }
        }
    }

    /// Reads a line, up to where a game ends, or to the first fault.
    fn line_of(&mut self, game: &mut Draft) {
        let line = &mut self.line;
        loop {
            if let Some((_, text)) = &mut game.comment {
                let rest = &line.text[line.at..];
                let Some(end) = rest.find('}') else {
                    text.push_str(rest);
                    text.push(' ');
                    return line.skip(rest.len());
                };
                text.push_str(&rest[..end]);
                line.skip(end + 1);
                let (_, text) = game.comment.take().expect("it was just there");
                game.remark(&text);
            }
            line.skip_blanks();
            let place = line.place();
            let Some(first) = line.rest().chars().next() else { return };
            match first {
                '[' if !game.moves => {
                    if let Err((place, problem)) = tag(line, &mut game.sheet.tags) {
                        game.fault(place, problem, "write a tag like [Variant \"alice\"]");
                        // The other tags may still be read.
                        return;
                    }
                    continue;
                }
                '{' => {
                    game.comment = Some((place, String::new()));
                    line.skip(1);
                }
                ';' => {
                    game.remark(&line.rest()[1..].replace('}', ")"));
                    line.skip(line.rest().len());
                }
                '(' => {
                    line.skip(1);
                    if game.line().turns.is_empty() {
                        game.fault(place, "a variation stands before the first move", "write it after one");
                    } else if game.open.len() > DEEPEST {
                        game.fault(place, "variations in variations are too deep", "leave some out");
                    } else {
                        game.open.push(Line::default());
                        game.begun.push(place);
                    }
                }
                ')' => {
                    line.skip(1);
                    if game.begun.pop().is_none() {
                        game.fault(place, "this ) has no (", "leave it out");
                    } else {
                        let variation = game.open.pop().expect("each variation has its line");
                        let turn = game.line().turns.last_mut();
                        turn.expect("a variation begins after a move").variations.push(variation);
                    }
                }
                '$' => {
                    line.skip(1);
                    let rest = line.rest();
                    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                    match rest[..end].parse() {
                        Ok(number) => game.glyph(place, number),
                        Err(_) => game.fault(place, "a glyph is $ and a number to 255", "write $1 for !"),
                    }
                    line.skip(end);
                }
                _ => word(line, game),
            }
            game.moves = true;
            // What is remarked behind the result still belongs to the game.
            let remark = game.comment.is_some() || line.rest().trim_start().starts_with(['{', ';']);
            if (game.finished && !remark) || game.broken.is_some() {
                return;
            }
        }
    }
}

/// Reads a number, a move, a sign or a result.
fn word(line: &mut Text, game: &mut Draft) {
    let place = line.place();
    let rest = line.rest();
    let word = &rest[..end_of_word(rest)];
    if word.is_empty() {
        let seen: String = rest.chars().take(1).collect();
        line.skip(seen.len());
        let problem = format!("{seen:?} can't stand among moves");
        return game.fault(place, problem, "tags like [Variant \"alice\"] stand before the moves");
    }
    if let Some(result) = ending(word) {
        line.skip(word.len());
        if game.begun.is_empty() {
            game.sheet.result = result;
            game.finished = true;
        }
        // A variation has no result.
        return;
    }
    let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if number.is_empty() || (number.len() < word.len() && number.starts_with(['.', '…'])) {
        let moved = number.trim_start_matches(['.', '…']);
        let skipped = word.len() - moved.len();
        return line.skip(skipped);
    }
    if word.chars().all(|c| matches!(c, '.' | '…')) || word == "e.p." {
        let word = word.len();
        return line.skip(word);
    }
    if let Some((_, glyph)) = WORDS.iter().chain(&SIGNS).find(|(sign, _)| *sign == word) {
        game.glyph(place, *glyph);
        let word = word.len();
        return line.skip(word);
    }
    let mut text = word;
    let mut glyphs = Vec::new();
    while let Some((sign, glyph)) = SIGNS.iter().find(|(sign, _)| text.ends_with(sign)) {
        text = &text[..text.len() - sign.len()];
        glyphs.insert(0, *glyph);
    }
    let mut turn = Turn::from(Written { text: text.into(), place });
    turn.glyphs = glyphs;
    game.line().turns.push(turn);
    let word = word.len();
    line.skip(word);
}

/// Where a word ends: at a blank or a bracket, but `e8(Q)` is one word.
fn end_of_word(text: &str) -> usize {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let promotion = || {
            let inner = rest.strip_prefix('(')?;
            let letter = inner.chars().next().filter(|c| c.is_alphabetic())?;
            let end = inner[letter.len_utf8()..].strip_prefix(')')?;
            (at > 0).then_some(rest.len() - end.len())
        };
        if let Some(length) = promotion() {
            at += length;
        } else if c.is_whitespace() || "[](){};$<>".contains(c) {
            break;
        } else {
            at += c.len_utf8();
        }
    }
    at
}

/// Reads `[Name "value"]`.
fn tag(line: &mut Text, tags: &mut Vec<Tag>) -> Result<(), (Place, String)> {
    line.skip(1);
    line.skip_blanks();
    let rest = line.rest();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let name = rest[..end].to_string();
    if name.is_empty() {
        return Err((line.place(), "a tag has no name".into()));
    }
    line.skip(end);
    line.skip_blanks();
    if !line.rest().starts_with('"') {
        return Err((line.place(), format!("the tag {name} has no value in quotes")));
    }
    line.skip(1);
    let place = line.place();
    let mut value = String::new();
    let mut chars = line.rest().char_indices();
    let end = loop {
        match chars.next() {
            None => return Err((place, format!("the value of the tag {name} does not end"))),
            Some((at, '"')) => break at + 1,
            Some((_, '\\')) => value.extend(chars.next().map(|(_, c)| c)),
            Some((_, c)) => value.push(c),
        }
    };
    line.skip(end);
    line.skip_blanks();
    if !line.rest().starts_with(']') {
        return Err((line.place(), format!("the tag {name} does not end with ]")));
    }
    line.skip(1);
    if tags.iter().any(|tag| tag.name == name) {
        return Err((place, format!("the tag {name} is given twice")));
    }
    tags.push(Tag { name, value, place });
    Ok(())
}

impl<R: BufRead> Iterator for Sheets<R> {
    type Item = Result<ScoreSheet<Written>, SheetsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let game = self.next_game().transpose();
        self.ended = matches!(game, None | Some(Err(SheetsError::File(_))));
        game
    }
}
