//! `alice replay`: games of a file, listed, shown, stepped through.

use crate::arguments;
use crate::code::Code;
use crate::drawing::Look;
use crate::failure::{Failure, complain};
use crate::play::prompt::{Prompt, Said};
use crate::reports::{End, picture, print_json};
use crate::sheets::{Played, Reader, called, open};
use alice_core::{Record, Score};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::Write;

type Done = Result<(), Failure>;

/// `alice replay`.
pub fn replay(arguments: &arguments::Replay, code: &Code, out: &mut dyn Write) -> Done {
    let mut sheets = open(&arguments.file)?;
    let file = called(&arguments.file);
    let mut reader = Reader::new(arguments.variant.as_deref(), arguments.letters, code);
    if arguments.variant.is_some() {
        reader.only()?;
    }
    let mut show = |played: Played, number: usize| match arguments.json {
        true => print_json(out, &told(&played, number, arguments)?),
        false if arguments.step => step(&played, arguments, out),
        false => show(&played, arguments, out),
    };
    let blame = |troubles: &[crate::sheets::Trouble]| {
        troubles.iter().for_each(|trouble| complain(&trouble.message(&file)));
    };
    if let Some(wanted) = arguments.game {
        let mut number = 0;
        while number + 1 < wanted {
            // What is not asked for need not be understood.
            if sheets.next().is_none() {
                break;
            }
            number += 1;
        }
        return match reader.next(&mut sheets)? {
            Some(Ok(played)) => show(played, wanted),
            Some(Err(troubles)) => {
                blame(&troubles);
                Err(Failure::Reported)
            }
            None => {
                let games = crate::words::counted(number, "game", "games");
                Err(Failure::BadInput(format!("error: there is no game {wanted}: {file} has {games}")))
            }
        };
    }
    let Some(first) = reader.next(&mut sheets)? else {
        return Err(Failure::BadInput(format!("error: there is no game in {file}")));
    };
    let mut next = reader.next(&mut sheets)?;
    if next.is_none() {
        return match first {
            Ok(played) => show(played, 1),
            Err(troubles) => {
                blame(&troubles);
                Err(Failure::Reported)
            }
        };
    }
    if arguments.step || arguments.ply.is_some() {
        return Err(Failure::BadInput(format!("error: {file} has several games; say which with --game")));
    }
    let (mut number, mut broken) = (0, 0);
    let mut game = Some(first);
    while let Some(now) = game {
        number += 1;
        match now {
            Ok(played) if arguments.json => print_json(out, &told(&played, number, arguments)?)?,
            Ok(played) => writeln!(out, "{number:>4}  {}", in_a_line(&played))?,
            Err(troubles) => {
                broken += 1;
                blame(&troubles);
            }
        }
        game = match next.take() {
            Some(next) => Some(next),
            None => reader.next(&mut sheets)?,
        };
    }
    if broken > 0 { Err(Failure::Reported) } else { Ok(()) }
}

fn written(result: Option<Score>) -> String {
    result.map_or_else(|| "*".into(), |score| score.to_string())
}

/// Who plays whom, where and when, as far as the tags say.
fn title(played: &Played) -> String {
    let said = |name: &str| {
        let value = played.sheet.tag(name).map(|tag| tag.value.as_str()).unwrap_or_default();
        (!value.is_empty() && !value.starts_with('?')).then(|| value.to_string())
    };
    let players = match (said("White"), said("Black")) {
        (None, None) => None,
        (white, black) => {
            let name = |name: Option<String>| name.unwrap_or_else(|| "?".into());
            Some(format!("{} - {}", name(white), name(black)))
        }
    };
    let date = said("Date").map(|date| date.replace(".??", ""));
    [players, said("Event"), said("Site"), date].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// How the game ended: what the file says, and what the moves say where that is more.
fn end(played: &Played, record: &Record) -> String {
    let plies = crate::words::counted(record.moves().len(), "ply", "plies");
    let said = played.sheet.result;
    let text = format!("{}, {plies}", written(said));
    match record.outcome() {
        None => text,
        Some(outcome) if said == Some(outcome.score()) => format!("{text}: {outcome}"),
        Some(outcome) => format!("{text}; but the moves end in {}: {outcome}", outcome.score()),
    }
}

fn in_a_line(played: &Played) -> String {
    let record = played.sheet.record(played.start.clone());
    let title = title(played);
    let title = if title.is_empty() { String::new() } else { format!("{title}  ") };
    format!("{title}{}  {}", played.known.config.name, end(played, &record))
}

/// A game as far as a ply.
fn until(played: &Played, ply: Option<usize>) -> Result<Record, Failure> {
    let plies = played.sheet.line.turns.len();
    let ply = ply.unwrap_or(plies);
    if ply > plies {
        let has = crate::words::counted(plies, "ply", "plies");
        return Err(Failure::BadInput(format!("error: there is no ply {ply}: the game has {has}")));
    }
    let mut record = Record::new(played.start.clone());
    played.sheet.line.turns[..ply].iter().for_each(|turn| record.play(&turn.mv));
    Ok(record)
}

fn heading(played: &Played, out: &mut dyn Write) -> Done {
    let title = title(played);
    if !title.is_empty() {
        writeln!(out, "{title}")?;
    }
    let whole = played.sheet.record(played.start.clone());
    Ok(writeln!(out, "{}: {}", played.known.config.name, end(played, &whole))?)
}

fn show(played: &Played, arguments: &arguments::Replay, out: &mut dyn Write) -> Done {
    let record = until(played, arguments.ply)?;
    heading(played, out)?;
    let moves = played.sheet.movetext(&played.start, arguments.letters.language());
    writeln!(out, "{moves}\n")?;
    if arguments.ply.is_some() {
        writeln!(out, "Ply {} of {}", record.moves().len(), played.sheet.line.turns.len())?;
    }
    write!(out, "{}", picture(&record, Look::of_output(arguments.ascii)))?;
    Ok(writeln!(out, "{}", record.position())?)
}

const HELP: &str = "\
Enter, next   the next move
back          the move before
NUMBER        so many plies from the beginning
start, end    the beginning, the end
quit          leave
";

/// Asks which way to go, and shows where that leads.
fn step(played: &Played, arguments: &arguments::Replay, out: &mut dyn Write) -> Done {
    let plies = played.sheet.line.turns.len();
    let mut record = until(played, Some(arguments.ply.unwrap_or(0)))?;
    let language = arguments.letters.language();
    heading(played, out)?;
    writeln!(out)?;
    let mut prompt = Prompt::new();
    let mut shown = None;
    loop {
        let ply = record.moves().len();
        if shown != Some(ply) {
            let line = &played.sheet.line;
            let comments = match ply.checked_sub(1) {
                None => &line.comments,
                Some(last) => {
                    let before =
                        record.moves()[..last].iter().fold(played.start.clone(), |p, mv| p.after(mv));
                    let side = if before.turn() == alice_core::Colour::White { "." } else { "..." };
                    let text = before.algebraic_in(language, &line.turns[last].mv);
                    writeln!(out, "{}{side} {text}", before.setup().fullmoves)?;
                    &line.turns[last].comments
                }
            };
            comments.iter().try_for_each(|comment| writeln!(out, "{comment}"))?;
            write!(out, "{}", picture(&record, Look::of_output(arguments.ascii)))?;
            writeln!(out)?;
            shown = Some(ply);
        }
        let line = match prompt.ask(&format!("{ply}/{plies}> "), out)? {
            Said::Line(line) => line,
            Said::End | Said::Interrupted => return Ok(()),
        };
        let wanted = match line.trim() {
            "" | "next" | "n" => ply + 1,
            "back" | "b" => match ply {
                0 => {
                    writeln!(out, "This is the beginning.")?;
                    continue;
                }
                _ => ply - 1,
            },
            "start" => 0,
            "end" => plies,
            "quit" | "exit" | "q" => return Ok(()),
            other => match other.parse::<usize>() {
                Ok(number) => number,
                Err(_) => {
                    write!(out, "{HELP}")?;
                    continue;
                }
            },
        };
        if wanted > plies {
            writeln!(out, "This is the end: {plies} plies.")?;
            continue;
        }
        record = until(played, Some(wanted))?;
    }
}

#[derive(Serialize)]
struct Told {
    game: usize,
    line: usize,
    variant: String,
    tags: Map<String, Value>,
    result: String,
    moves: Vec<String>,
    algebraic: Vec<String>,
    ply: usize,
    position: String,
    outcome: Option<End>,
}

fn told(played: &Played, number: usize, arguments: &arguments::Replay) -> Result<Told, Failure> {
    let record = until(played, arguments.ply)?;
    let whole = played.sheet.record(played.start.clone());
    let rules = played.start.rules();
    let mut position = played.start.clone();
    let mut algebraic = Vec::new();
    for mv in whole.moves() {
        algebraic.push(position.algebraic_in(arguments.letters.language(), mv));
        position.play(mv);
    }
    let tags = played.sheet.tags.iter().map(|tag| (tag.name.clone(), tag.value.clone().into()));
    Ok(Told {
        game: number,
        line: played.sheet.place.line,
        variant: played.known.config.name.clone(),
        tags: tags.collect(),
        result: written(played.sheet.result),
        moves: whole.moves().iter().map(|mv| mv.exact(rules)).collect(),
        algebraic,
        ply: record.moves().len(),
        position: record.position().to_string(),
        outcome: record.outcome().map(End::new),
    })
}
