//! The best moves of a position, found by searching.
//!
//! The fields of the JSON report are described in docs/notation.md. Must not know how a search is done.

use crate::arguments;
use crate::code::Code;
use crate::failure::Failure;
use crate::game::Game;
use crate::reports::{End, print_json};
use crate::words::counted;
use alice_core::{Language, Move, Position};
use alice_play::{Limits, Line, Report};
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long is thought if nobody says how long.
const USUAL: Duration = Duration::from_secs(3);

/// `alice analyze`.
pub fn analyze(arguments: &arguments::Analyze, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let game = Game::new(&arguments.place.variant, &arguments.place.from, code)?;
    let limits = Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        time: arguments.time.map(Duration::from_millis),
        lines: usize::from(arguments.lines),
        ..Limits::default()
    };
    let open = limits.depth.is_none() && limits.nodes.is_none() && limits.time.is_none();
    let limits = if open { Limits { time: Some(USUAL), ..limits } } else { limits };
    let interrupted = Arc::new(AtomicBool::new(false));
    let (stop, flag) = (limits.stop.clone(), interrupted.clone());
    ctrlc::set_handler(move || {
        // Who interrupts a search wants to see what it has found; who does it twice wants to be gone.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        stop.raise();
    })
    .map_err(|e| Failure::Internal(e.to_string()))?;
    let mut player = game.player(arguments.weights.file.as_deref())?;
    player.set_passes(!arguments.no_passes);
    player.set_threads(arguments.threads);
    player.set_memory((arguments.hash as usize) << 20);
    let report = player.choose(&game.record, &limits);
    game.sound()?;
    if arguments.report.json {
        print_json(out, &Analyzed::new(&game, &report))?;
    } else {
        print(&game, &report, out)?;
    }
    if interrupted.load(Ordering::Relaxed) {
        out.flush()?;
        std::process::exit(130);
    }
    Ok(())
}

/// The moves of a line as people write them, in their language.
pub fn algebraic(position: &Position, moves: &[Move], language: Language) -> Vec<String> {
    let mut position = position.clone();
    moves
        .iter()
        .map(|mv| {
            let text = position.algebraic_in(language, mv);
            position.play(mv);
            text
        })
        .collect()
}

fn print(game: &Game, report: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    let position = game.position();
    if let Some(outcome) = game.record.outcome() {
        writeln!(out, "The game is over: {outcome}.")?;
    }
    if report.lines.is_empty() {
        return Ok(());
    }
    let positions = counted(report.nodes as usize, "position", "positions");
    writeln!(out, "{} to move, depth {}, {positions}", position.turn().name(), report.depth)?;
    for Line { value, moves } in &report.lines {
        writeln!(out, "{value:>7}  {}", algebraic(position, moves, game.letters.language()).join(" "))?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Analyzed {
    variant: String,
    position: String,
    outcome: Option<End>,
    depth: u32,
    deepest: u32,
    nodes: u64,
    seconds: f64,
    lines: Vec<AnalyzedLine>,
}

#[derive(Serialize)]
struct AnalyzedLine {
    /// Hundredths of a point for the side to move.
    points: Option<i32>,
    wins_in: Option<u32>,
    loses_in: Option<u32>,
    moves: Vec<String>,
    algebraic: Vec<String>,
}

impl Analyzed {
    fn new(game: &Game, report: &Report) -> Self {
        let position = game.position();
        let line = |line: &Line| AnalyzedLine {
            points: line.value.points(),
            wins_in: line.value.wins_in(),
            loses_in: line.value.loses_in(),
            moves: line.moves.iter().map(|mv| mv.exact(position.rules())).collect(),
            algebraic: algebraic(position, &line.moves, game.letters.language()),
        };
        Self {
            variant: game.config.name.clone(),
            position: position.to_string(),
            outcome: game.record.outcome().map(End::new),
            depth: report.depth,
            deepest: report.deepest,
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
            lines: report.lines.iter().map(line).collect(),
        }
    }
}
