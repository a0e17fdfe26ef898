//! How fast each game is: moves counted, and positions searched, side by side.
//!
//! Must not know how either is done.

use crate::arguments;
use crate::code::Code;
use crate::failure::Failure;
use crate::game::Game;
use crate::reports::print_json;
use alice_play::Limits;
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// How fast a game is.
#[derive(Serialize)]
pub struct Measured {
    variant: String,
    /// The last depth to which moves were counted.
    pub perft_depth: u32,
    /// How many sequences of so many moves there are.
    pub perft_nodes: u64,
    /// How many were counted in a second.
    pub perft_per_second: f64,
    /// The depth that a search reached.
    pub search_depth: u32,
    /// At how many positions it looked.
    pub search_nodes: u64,
    /// At how many a second.
    pub search_per_second: f64,
}

/// `alice bench`.
pub fn bench(arguments: &arguments::Bench, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let all = || alice_config::builtin_names().into_iter().map(String::from).collect();
    let names: Vec<String> = if arguments.variants.is_empty() { all() } else { arguments.variants.clone() };
    // All are read before the first is measured, so that a wrong name is told at once.
    let games = names.iter().map(|name| Game::new(name, &arguments::From::default(), code));
    let games = games.collect::<Result<Vec<_>, _>>()?;
    let half = Duration::from_millis(arguments.time / 2);
    let mut measured = Vec::new();
    if !arguments.report.json {
        writeln!(out, "{}", row("game", "perft", "sequences", "Mnps", "depth", "positions", "knps"))?;
    }
    for game in &games {
        let one = measure(game, half)?;
        if !arguments.report.json {
            let (perft, search) = (one.perft_per_second / 1e6, one.search_per_second / 1e3);
            let row = row(
                &one.variant,
                &one.perft_depth.to_string(),
                &one.perft_nodes.to_string(),
                &format!("{perft:.1}"),
                &one.search_depth.to_string(),
                &one.search_nodes.to_string(),
                &format!("{search:.0}"),
            );
            writeln!(out, "{row}")?;
            out.flush()?;
        }
        measured.push(one);
    }
    if arguments.report.json { print_json(out, &measured) } else { Ok(()) }
}

fn row(game: &str, perft: &str, sequences: &str, mnps: &str, depth: &str, seen: &str, knps: &str) -> String {
    format!("{game:<20} {perft:>5} {sequences:>12} {mnps:>8} {depth:>8} {seen:>10} {knps:>8}")
}

/// Measures one game, each way for so long.
pub fn measure(game: &Game, time: Duration) -> Result<Measured, Failure> {
    let position = game.position();
    let began = Instant::now();
    let (mut depth, mut nodes, mut took) = (0, 1, Duration::ZERO);
    // A ply more takes some thirty times as long; it has to fit into what is left.
    while depth == 0 || took * 30 < time.saturating_sub(began.elapsed()) && nodes > 0 && depth < 40 {
        let one = Instant::now();
        nodes = position.perft(depth + 1);
        took = one.elapsed();
        depth += 1;
    }
    // What was quick is counted again and again.
    let (mut all, mut spent) = (nodes, took);
    while spent < time / 4 && nodes > 0 {
        let one = Instant::now();
        all += position.perft(depth);
        spent += one.elapsed();
    }
    let report = game.player(None)?.choose(&game.record, &Limits::time(time));
    game.sound()?;
    Ok(Measured {
        variant: game.config.name.clone(),
        perft_depth: depth,
        perft_nodes: nodes,
        perft_per_second: all as f64 / spent.as_secs_f64().max(1e-9),
        search_depth: report.depth,
        search_nodes: report.nodes,
        search_per_second: report.nodes as f64 / report.time.as_secs_f64().max(1e-9),
    })
}
