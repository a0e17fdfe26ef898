//! Every built-in game side by side: moves a second, nanoseconds a leaf's parent, positions searched a
//! second, and loading.
//!
//! `cargo bench --bench variants` measures each by itself, then all by turns, and ends in a table.

mod counts;

use alice_core::{Record, Variant};
use alice_play::{Limits, Player};
use counts::{Run, best_of, counts, measures, seconds};
use criterion::{Criterion, Throughput};
use std::time::Duration;

/// Runs of a game from its start: in bulk and leaf by leaf, as deep as so many leaves allow; and how
/// many parents the leaves in bulk have.
fn runs(name: &str, most: u64) -> (Run<'static>, Run<'static>, u64) {
    let start = load(name).start();
    let counts = counts(name, "start");
    let deepest = |most: u64| {
        let within = counts.iter().zip(1..).take_while(|(count, _)| **count <= most);
        within.last().map(|(count, depth)| (*count, depth)).expect("depth 1 is small")
    };
    let ((bulk, depth), (full, shallower)) = (deepest(most), deepest(most / 8));
    let again = start.clone();
    let parents = if depth == 1 { 1 } else { counts[depth as usize - 2] };
    let bulk = Run { count: Box::new(move || start.perft(depth)), expected: bulk };
    let full = Run { count: Box::new(move || again.perft_full(shallower)), expected: full };
    (bulk, full, parents)
}

fn load(name: &str) -> Variant {
    alice_config::load(name).expect("a built-in game").variant
}

/// Loads a game until it has moves.
fn load_and_move(name: &str) -> u64 {
    load(name).start().perft(1)
}

/// A search of so many positions from the start of a game, by a player that knows nothing yet.
fn search(player: &mut Player, nodes: u64) {
    player.forget();
    let report = player.choose(&Record::new(player.variant().start()), &Limits::nodes(nodes));
    assert_eq!(report.nodes, nodes);
}

fn measure(criterion: &mut Criterion) {
    // Unoptimised test builds only see that the counts are met.
    let most = if measures() { 8_000_000 } else { 100_000 };
    let games: Vec<_> =
        alice_config::builtin_names().into_iter().map(|name| (name, runs(name, most))).collect();
    let mut group = criterion.benchmark_group("in bulk");
    for (name, (bulk, ..)) in &games {
        group.throughput(Throughput::Elements(bulk.expected));
        group.bench_function(*name, |bencher| bencher.iter(|| bulk.once()));
    }
    group.finish();
    let mut group = criterion.benchmark_group("leaves made");
    for (name, (_, full, _)) in &games {
        group.throughput(Throughput::Elements(full.expected));
        group.bench_function(*name, |bencher| bencher.iter(|| full.once()));
    }
    group.finish();
    let mut group = criterion.benchmark_group("search");
    let nodes = if measures() { 30_000 } else { 300 };
    for (name, _) in &games {
        let mut player = Player::new(&load(name));
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(*name, |bencher| bencher.iter(|| search(&mut player, nodes)));
    }
    group.finish();
    let mut group = criterion.benchmark_group("load");
    for (name, _) in &games {
        group.bench_function(*name, |bencher| bencher.iter(|| load_and_move(name)));
    }
    group.finish();
}

fn table() {
    const TURNS: u32 = 15;
    let names = alice_config::builtin_names();
    let (mut all, mut parents) = (Vec::new(), Vec::new());
    for name in &names {
        let (bulk, full, above) = runs(name, 40_000_000);
        all.extend([bulk, full]);
        parents.push(above);
    }
    let best = best_of(TURNS, &all);
    println!(
        "\nThe best of {TURNS} turns. Moves and positions searched are millions a second of CPU time; loading ends with the first moves.\n"
    );
    println!(
        "{:20}{:>8}{:>8}{:>8}{:>12}{:>14}{:>14}{:>14}{:>12}",
        "", "boards", "cells", "bytes", "in bulk", "leaves made", "ns a parent", "searched", "load, ms"
    );
    for (n, name) in names.iter().enumerate() {
        let load_time = |_| {
            let begin = seconds();
            std::hint::black_box(load_and_move(name));
            (seconds() - begin) * 1e3
        };
        let loading = (0..TURNS).map(load_time).fold(f64::INFINITY, f64::min);
        let mut player = Player::new(&load(name));
        let search_time = |_| {
            let begin = seconds();
            search(&mut player, 50_000);
            seconds() - begin
        };
        let searching = (0..TURNS).map(search_time).fold(f64::INFINITY, f64::min);
        let position = load(name).start();
        let rules = position.rules();
        let (bulk, full) = (2 * n, 2 * n + 1);
        let rate = |run: usize| all[run].expected as f64 / best[run] / 1e6;
        println!(
            "{name:20}{:>8}{:>8}{:>8}{:>12.0}{:>14.0}{:>14.0}{:>14.2}{loading:>12.2}",
            rules.boards,
            rules.shape.cells(),
            position.bytes(),
            rate(bulk),
            rate(full),
            best[bulk] * 1e9 / parents[n] as f64,
            50_000.0 / searching / 1e6
        );
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    measure(&mut criterion);
    criterion.final_summary();
    if measures() {
        table();
    }
}
