//! What the benches share: the counts of `tests/perft.txt`, which every measured run has to meet, and
//! taking turns, so that a noisy machine is noisy for all alike.

use std::hint::black_box;

/// A run that counts something, and what it has to count.
pub struct Run<'a> {
    pub count: Box<dyn Fn() -> u64 + 'a>,
    pub expected: u64,
}

impl Run<'_> {
    /// Runs once.
    pub fn once(&self) -> u64 {
        let found = black_box((self.count)());
        assert_eq!(found, self.expected, "a count of tests/perft.txt");
        found
    }
}

/// The seconds that this thread has been at work: what other programs take does not count.
#[cfg(unix)]
pub fn seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// The seconds since this was first asked.
#[cfg(not(unix))]
pub fn seconds() -> f64 {
    static BEGIN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed().as_secs_f64()
}

/// The seconds that each run takes at best, when all take turns so many times.
pub fn best_of(turns: u32, runs: &[Run]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; runs.len()];
    for _ in 0..turns {
        for (run, best) in runs.iter().zip(&mut best) {
            let begin = seconds();
            run.once();
            *best = best.min(seconds() - begin);
        }
    }
    best
}

/// Whether this run is to measure; otherwise (`cargo test --benches`) it is to see that all counts are met.
pub fn measures() -> bool {
    let has = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    has("--bench") && !has("--test") && !has("--list")
}

/// The counts of a game from a position (or `start`), from depth 1: the longest row that there is.
pub fn counts(game: &str, position: &str) -> Vec<u64> {
    let rows = include_str!("../../tests/perft.txt").lines().filter(|line| !line.starts_with('#'));
    let rows = rows.filter_map(|line| {
        let (name, rest) = line.split_once(" ; ")?;
        let (place, counts) = rest.split_once(" ; ")?;
        (name == game && place == position)
            .then(|| counts.split(' ').map_while(|count| count.parse().ok()).collect::<Vec<u64>>())
    });
    rows.max_by_key(Vec::len).unwrap_or_else(|| panic!("tests/perft.txt has no {game} from {position}"))
}
