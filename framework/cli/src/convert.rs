//! `alice convert`: games and positions from one kind of text to another.

use crate::arguments::{self, Letters, Text};
use crate::code::Code;
use crate::failure::{Failure, complain};
use crate::files::NewFile;
use crate::game::read_move;
use crate::sheets::{Played, Reader, Trouble, called, open, source};
use alice_core::{Fault, Language, PositionError, Record};
use alice_score::{Place, ScoreSheet, read_one_grid, write_one_grid};
use std::io::{BufRead, Read, Write};

/// Longer lines are no games.
const LONGEST_LINE: u64 = 1 << 20;

/// `alice convert`.
pub fn convert(arguments: &arguments::Convert, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let from = arguments.from.or_else(|| Text::of_file(&arguments.file)).unwrap_or(Text::Pgn);
    let named = arguments.output.as_deref().and_then(Text::of_file);
    let Some(to) = arguments.to.or(named) else {
        let message = "error: the text to write is not named; say --to pgn, moves, position or one-grid";
        return Err(Failure::BadInput(message.into()));
    };
    let mut converter = Converter {
        reader: Reader::new(arguments.variant.as_deref(), arguments.letters, code),
        arguments,
        to,
        first: true,
        broken: false,
    };
    if from != Text::Pgn || arguments.variant.is_some() {
        converter.reader.only()?;
    }
    match &arguments.output {
        None => converter.all(from, out)?,
        Some(path) => {
            let refuse = |problem: String| Failure::BadInput(format!("error: {problem}"));
            let mut file = NewFile::create(path).map_err(refuse)?;
            converter.all(from, &mut file)?;
            // What is there may be the only copy of what could not be read.
            if converter.broken && (converter.first || path.exists()) {
                let kept = if path.exists() { "is left as it is" } else { "is not written" };
                complain(&format!("{} {kept}: mend the games that are named above first", path.display()));
                return Err(Failure::Reported);
            }
            file.finish().map_err(refuse)?;
        }
    }
    if converter.broken { Err(Failure::Reported) } else { Ok(()) }
}

struct Converter<'a> {
    arguments: &'a arguments::Convert,
    reader: Reader<'a>,
    to: Text,
    first: bool,
    broken: bool,
}

impl Converter<'_> {
    fn all(&mut self, from: Text, out: &mut dyn Write) -> Result<(), Failure> {
        let mut number = 0;
        let wanted = |number: usize| self.arguments.game.is_none_or(|wanted| wanted == number);
        if from == Text::Pgn {
            let mut sheets = open(&self.arguments.file)?;
            while let Some(game) = self.reader.next(&mut sheets)? {
                number += 1;
                if wanted(number) {
                    let game = game.and_then(|played| self.texts(&played));
                    self.put(game, out)?;
                }
            }
        } else {
            let mut source = source(&self.arguments.file)?;
            let mut line = 0;
            while let Some(text) = next_line(&mut source)? {
                line += 1;
                if text.trim().is_empty() {
                    continue;
                }
                number += 1;
                if wanted(number) {
                    let game = self.line(from, &text, line).and_then(|played| self.texts(&played));
                    self.put(game, out)?;
                }
            }
        }
        let missing = self.arguments.game.filter(|game| *game > number || *game == 0);
        match missing {
            None => Ok(()),
            Some(game) => {
                let file = called(&self.arguments.file);
                let games = crate::words::counted(number, "game", "games");
                Err(Failure::BadInput(format!("error: there is no game {game}: {file} has {games}")))
            }
        }
    }

    fn put(&mut self, game: Result<String, Vec<Trouble>>, out: &mut dyn Write) -> Result<(), Failure> {
        match game {
            Ok(text) => {
                // A blank line stands between games.
                if !std::mem::take(&mut self.first) && self.to == Text::Pgn {
                    writeln!(out)?;
                }
                write!(out, "{text}")?;
            }
            Err(troubles) => {
                self.broken = true;
                let file = called(&self.arguments.file);
                troubles.iter().for_each(|trouble| complain(&trouble.message(&file)));
            }
        }
        Ok(())
    }

    /// Reads a line that is a game or a position.
    fn line(&mut self, from: Text, text: &str, line: usize) -> Result<Played, Vec<Trouble>> {
        let known = self.reader.only().map_err(|_| vec![])?;
        let variant = &known.config.variant;
        let language = self.arguments.letters.language();
        let at = |part: &str| {
            let before = &text[..part.as_ptr() as usize - text.as_ptr() as usize];
            Place { line, column: before.chars().count() + 1 }
        };
        let trouble = |part: &str, fault: &Fault| Trouble::within(at(part), part, fault);
        let position = |part: &str| {
            let read = variant.read_position(part);
            read.map_err(|PositionError { faults }| {
                faults.iter().map(|fault| trouble(part, fault)).collect::<Vec<_>>()
            })
        };
        let (start, moves) = match from {
            Text::OneGrid => {
                let read = read_one_grid(variant, text.trim());
                let start = read.map_err(|error| {
                    let place = at(text.trim());
                    vec![Trouble {
                        place,
                        problem: error.to_string().replace('\n', "; "),
                        advice: String::new(),
                    }]
                })?;
                (start, "")
            }
            Text::Position => (position(text.trim())?, ""),
            _ => match text.split_once(';') {
                Some((start, moves)) => (position(start.trim())?, moves),
                None => (variant.start(), text),
            },
        };
        let mut record = Record::new(start.clone());
        for word in moves.split_whitespace() {
            let mv = read_move(record.position(), word, language);
            record.play(&mv.map_err(|fault| vec![trouble(word, &fault)])?);
        }
        let mut sheet = ScoreSheet::of(&record);
        sheet.place = Place { line, column: 1 };
        Ok(Played { known, start, sheet })
    }

    /// A game as the text that is wanted.
    fn texts(&self, played: &Played) -> Result<String, Vec<Trouble>> {
        let rules = played.start.rules();
        Ok(match self.to {
            Text::Pgn => {
                let mut sheet = played.sheet.clone();
                sheet.set_tag("Variant", &played.known.name);
                sheet.set_start(&played.start);
                sheet.write(&played.start, self.written_letters())
            }
            Text::Moves => {
                let start = match played.start.to_string() {
                    usual if usual == played.known.config.variant.start().to_string() => String::new(),
                    start => format!("{start}; "),
                };
                let moves: Vec<_> = played.sheet.line.turns.iter().map(|turn| turn.mv.exact(rules)).collect();
                format!("{start}{}\n", moves.join(" "))
            }
            Text::Position => format!("{}\n", played.end()),
            Text::OneGrid => {
                let grid = write_one_grid(&played.end()).map_err(|error| {
                    let place = played.sheet.place;
                    vec![Trouble { place, problem: error.to_string(), advice: "write --to position".into() }]
                })?;
                format!("{grid}\n")
            }
        })
    }

    fn written_letters(&self) -> Language {
        let Letters { asked } = self.arguments.letters;
        self.arguments.to_letters.or(asked).unwrap_or_default()
    }
}

/// The next line of a text, without its end.
fn next_line(source: &mut dyn BufRead) -> Result<Option<String>, Failure> {
    let mut line = Vec::new();
    let read = source.take(LONGEST_LINE).read_until(b'\n', &mut line);
    let read =
        read.map_err(|e| Failure::BadInput(format!("error: the file can't be read any further: {e}")))?;
    if read as u64 == LONGEST_LINE {
        return Err(Failure::BadInput("error: a line of the file is too long for a game".into()));
    }
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
