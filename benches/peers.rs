//! Chess and the two-board games beside cozy-chess, a generator made for chess alone, in one run.
//!
//! `cargo bench --bench peers` measures each by itself, then all by turns, and ends in a table of ratios.

mod counts;

use alice_core::{Position, Variant};
use counts::{Run, best_of, counts, measures};
use criterion::{Criterion, Throughput};
use std::time::Duration;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";

/// The columns: what is counted, the most leaves of a run for criterion, and for the table.
const COLUMNS: [(&str, u64, u64); 3] = [
    ("start, in bulk", 8_000_000, 250_000_000),
    ("kiwipete, in bulk", 8_000_000, 250_000_000),
    ("start, leaves made", 300_000, 8_000_000),
];

enum Player {
    Cozy,
    Ours(Variant),
}

struct Peer {
    name: &'static str,
    /// Whose counts are its own.
    game: &'static str,
    player: Player,
}

fn peers() -> Vec<Peer> {
    let games = [("alice", "alice"), ("odonohue", "odonohue"), ("mrs-alice", "mrs-alice"), ("duo", "duo")];
    let load = |name: &str| alice_config::load(name).expect("built in").variant;
    let idle = "extends = \"chess\"\n[about]\ntitle = \"Chess\"\nsource = \"chess\"\n[boards]\ncount = 2\n";
    let idle = alice_config::parse("chess and an idle board", idle).expect("chess, and a board more").variant;
    let mut peers = vec![
        Peer { name: "cozy-chess", game: "chess", player: Player::Cozy },
        Peer { name: "chess", game: "chess", player: Player::Ours(load("chess")) },
        Peer { name: "chess and an idle board", game: "chess", player: Player::Ours(idle) },
    ];
    peers.extend(games.map(|(name, game)| Peer { name, game, player: Player::Ours(load(game)) }));
    peers
}

fn cozy(board: &cozy_chess::Board, depth: u32, bulk: bool) -> u64 {
    if depth == 0 {
        std::hint::black_box(board);
        return 1;
    }
    let mut count = 0;
    board.generate_moves(|moves| {
        if bulk && depth == 1 {
            count += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                count += cozy(&next, depth - 1, bulk);
            }
        }
        false
    });
    count
}

impl Peer {
    /// Its run for a column, as deep as so many leaves allow; none where it can't play that position.
    fn run(&self, column: usize, most: u64) -> Option<Run<'static>> {
        let kiwipete = column == 1;
        let boards = match &self.player {
            Player::Cozy => 1,
            Player::Ours(variant) => variant.rules().boards,
        };
        let text = |boards: u8| {
            let empty = "|8/8/8/8/8/8/8/8".repeat(usize::from(boards) - 1);
            format!("{KIWIPETE}{empty} w KQkq - 0 1")
        };
        let key = if kiwipete { text(if self.game == "chess" { 1 } else { boards }) } else { "start".into() };
        if kiwipete && self.game == "duo" {
            // Its kings are at home on different boards.
            return None;
        }
        let counts = counts(self.game, &key);
        let within = counts.iter().zip(1..).take_while(|(count, _)| **count <= most);
        let (expected, depth) = within.last().expect("depth 1 is small");
        let bulk = column < 2;
        let count: Box<dyn Fn() -> u64> = match &self.player {
            Player::Cozy => {
                let start = cozy_chess::Board::default();
                let board = if kiwipete { text(1).parse().expect("kiwipete") } else { start };
                Box::new(move || cozy(&board, depth, bulk))
            }
            Player::Ours(variant) => {
                let position: Position = match kiwipete {
                    true => variant.read_position(&text(boards)).expect("kiwipete"),
                    false => variant.start(),
                };
                Box::new(move || if bulk { position.perft(depth) } else { position.perft_full(depth) })
            }
        };
        Some(Run { count, expected: *expected })
    }
}

fn measure(criterion: &mut Criterion) {
    for (column, (name, most, _)) in COLUMNS.into_iter().enumerate() {
        let mut group = criterion.benchmark_group(name);
        for peer in peers() {
            // Unoptimised test builds only see that the counts are met.
            let Some(run) = peer.run(column, if measures() { most } else { most / 30 }) else { continue };
            group.throughput(Throughput::Elements(run.expected));
            group.bench_function(peer.name, |bencher| bencher.iter(|| run.once()));
        }
        group.finish();
    }
}

/// Million leaves a second of all by turns, and the ratio to cozy-chess.
fn table() {
    const TURNS: u32 = 9;
    let peers = peers();
    let runs: Vec<(usize, usize, Run)> = (0..peers.len())
        .flat_map(|peer| (0..COLUMNS.len()).map(move |column| (peer, column)))
        .filter_map(|(peer, column)| Some((peer, column, peers[peer].run(column, COLUMNS[column].2)?)))
        .collect();
    let (places, runs): (Vec<_>, Vec<_>) = runs.into_iter().map(|(p, c, run)| ((p, c), run)).unzip();
    let best = best_of(TURNS, &runs);
    let rate = |peer, column| {
        let found = places.iter().position(|place| *place == (peer, column))?;
        Some(runs[found].expected as f64 / best[found] / 1e6)
    };
    println!(
        "\nMillion leaves a second of CPU time, the best of {TURNS} turns, and the ratio to cozy-chess\n"
    );
    print!("{:26}", "");
    COLUMNS.iter().for_each(|(name, ..)| print!("{name:>26}"));
    println!();
    for (n, peer) in peers.iter().enumerate() {
        print!("{:26}", peer.name);
        for column in 0..COLUMNS.len() {
            match (rate(n, column), rate(0, column)) {
                (Some(own), Some(cozy)) => print!("{own:>18.0}{:>8.2}", own / cozy),
                _ => print!("{:>18}{:>8}", "-", "-"),
            }
        }
        println!();
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    measure(&mut criterion);
    criterion.final_summary();
    if measures() {
        table();
    }
}
