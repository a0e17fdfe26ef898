//! Counts of whole trees of moves: the table `tests/perft.txt`.

use crate::{data, game};
use alice_core::{Position, Setup};
use std::sync::Mutex;

struct Row {
    game: String,
    position: Position,
    counts: Vec<Option<u64>>,
}

/// Counts beyond this are left to builds with optimisation.
fn at_most(leaves: u64) -> u64 {
    if cfg!(debug_assertions) { leaves.min(200_000) } else { leaves }
}

fn table() -> Vec<Row> {
    let text = std::fs::read_to_string(data("perft.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(';').map(str::trim).collect();
            let [name, position, counts] = fields[..] else { panic!("three fields: {line}") };
            let variant = game(name);
            let position = match position {
                "start" => variant.start(),
                text => variant.read_position(text).unwrap(),
            };
            let count = |text: &str| (text != "-").then(|| text.parse().unwrap());
            Row { game: name.into(), position, counts: counts.split(' ').map(count).collect() }
        })
        .collect()
}

/// Runs over all rows in two threads; gives what is wrong.
fn over_rows(check: impl Fn(&Row) -> Vec<String> + Sync) -> Vec<String> {
    let (rows, faults) = (table(), Mutex::new(Vec::new()));
    assert!(rows.len() > 20, "the table is there");
    let rest = Mutex::new(rows.iter());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(row) = rest.lock().unwrap().next() else { break };
                    faults.lock().unwrap().extend(check(row));
                }
            });
        }
    });
    faults.into_inner().unwrap()
}

/// The published counts of a row that are small enough, each with its depth.
fn counts(row: &Row, most: u64) -> impl Iterator<Item = (u32, u64)> {
    let published = row.counts.iter().zip(1..);
    published.filter_map(move |(count, depth)| Some((depth, count.filter(|n| *n <= most)?)))
}

#[test]
fn every_count_of_the_table_is_met() {
    let faults = over_rows(|row| {
        let mut faults = Vec::new();
        for (depth, expected) in counts(row, at_most(u64::MAX)) {
            let found = row.position.perft(depth);
            if found != expected {
                faults.push(format!("{} {} depth {depth}: {found}, not {expected}", row.game, row.position));
            }
        }
        faults
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn counting_with_every_leaf_made_meets_the_table_too() {
    let faults = over_rows(|row| {
        let wrong = |(depth, expected)| {
            let found = row.position.perft_full(depth);
            (found != expected).then(|| format!("{} {} depth {depth}: {found}", row.game, row.position))
        };
        counts(row, at_most(10_000_000)).filter_map(wrong).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Counts by the slow twin alone.
pub fn slow_perft(position: &Position, setup: &Setup, depth: u32) -> u64 {
    let reference = position.variant().reference();
    let moves = reference.legal_moves(setup);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|mv| slow_perft(position, &reference.make(setup, mv), depth - 1)).sum()
}

#[test]
fn the_slow_twin_meets_the_small_counts_by_itself() {
    let faults = over_rows(|row| {
        let wrong = |(depth, expected)| {
            let found = slow_perft(&row.position, &row.position.setup(), depth);
            (found != expected).then(|| format!("{} {} depth {depth}: {found}", row.game, row.position))
        };
        counts(row, at_most(100_000) / 20).filter_map(wrong).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn cozy_chess_counts_the_chess_positions_alike() {
    fn cozy(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut count = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                count += moves.len() as u64;
            } else {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    count += cozy(&next, depth - 1);
                }
            }
            false
        });
        count
    }
    let faults = over_rows(|row| {
        if row.game != "chess" {
            return Vec::new();
        }
        let board = cozy_chess::Board::from_fen(&row.position.to_string(), false).unwrap();
        let wrong = |(depth, expected)| {
            let found = cozy(&board, depth);
            (found != expected).then(|| format!("{} depth {depth}: {found}", row.position))
        };
        counts(row, at_most(10_000_000)).filter_map(wrong).collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
