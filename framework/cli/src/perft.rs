//! Counting the sequences of legal moves, on several threads, with progress for the impatient.
//!
//! Must not know how moves are found.

use crate::arguments;
use crate::code::Code;
use crate::failure::{Failure, complain};
use crate::game::Game;
use crate::reports::print_json;
use alice_core::Position;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How long a count may take before progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// Deep counts of forced sequences need more than a thread's usual stack.
const STACK: usize = 64 << 20;

/// The counts of one depth.
struct Count {
    nodes: u64,
    /// For each first move in exact notation.
    moves: BTreeMap<String, u64>,
    took: Duration,
}

/// `alice perft`.
pub fn perft(arguments: &arguments::Perft, code: &Code, out: &mut dyn Write) -> Result<(), Failure> {
    let game = Game::new(&arguments.variant, &arguments.from, code)?;
    let bar = Bar::default();
    let cleared = bar.clone();
    ctrlc::set_handler(move || {
        clear(&cleared);
        complain("interrupted");
        std::process::exit(130);
    })
    .map_err(|e| Failure::Internal(e.to_string()))?;
    let count = |depth| {
        let count = count(game.position(), depth, arguments.threads, &bar)?;
        game.sound().map(|()| count)
    };
    if arguments.report.json {
        let count = count(arguments.depth)?;
        return print_json(
            out,
            &Counted {
                variant: game.config.name.clone(),
                depth: arguments.depth,
                nodes: count.nodes,
                seconds: count.took.as_secs_f64(),
                moves: arguments.divide.then_some(count.moves),
            },
        );
    }
    writeln!(out, "{:>5} {:>20} {:>10} {:>10}", "depth", "nodes", "seconds", "Mnps")?;
    for depth in 0..=arguments.depth {
        let count = count(depth)?;
        let seconds = count.took.as_secs_f64();
        let speed = count.nodes as f64 / seconds.max(1e-9) / 1e6;
        writeln!(out, "{depth:>5} {:>20} {seconds:>10.3} {speed:>10.1}", count.nodes)?;
        if depth == arguments.depth && arguments.divide {
            writeln!(out)?;
            for (mv, nodes) in &count.moves {
                writeln!(out, "{mv} {nodes}")?;
            }
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Counted {
    variant: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<BTreeMap<String, u64>>,
}

/// A position some plies on, to be counted by whichever thread is free.
struct Share {
    /// Which of the first moves led there.
    first: usize,
    position: Position,
    depth: u32,
}

/// Cuts a count into shares: by first moves, or by the first two where there is more to do.
fn shares(position: &Position, depth: u32) -> (Vec<String>, Vec<Share>) {
    let mut names = Vec::new();
    let mut shares = Vec::new();
    if depth == 0 {
        return (names, shares);
    }
    for (first, mv) in position.legal_moves().iter().enumerate() {
        names.push(mv.exact(position.rules()));
        let after = position.after(mv);
        if depth < 4 {
            shares.push(Share { first, position: after, depth: depth - 1 });
        } else {
            let replies = after.legal_moves();
            let share = |reply| Share { first, position: after.after(reply), depth: depth - 2 };
            shares.extend(replies.iter().map(share));
        }
    }
    (names, shares)
}

fn count(position: &Position, depth: u32, threads: usize, bar: &Bar) -> Result<Count, Failure> {
    let began = Instant::now();
    let (names, shares) = shares(position, depth);
    let mut counts = vec![0_u64; names.len()];
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| -> Result<(), Failure> {
        for _ in 0..threads.min(shares.len()) {
            let (send, next, shares) = (send.clone(), &next, &shares);
            let work = move || {
                while let Some(share) = shares.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let nodes = share.position.perft(share.depth);
                    if send.send((share.first, nodes)).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
                .map_err(|e| Failure::Internal(format!("no thread can be started: {e}")))?;
        }
        drop(send);
        let mut progress = Progress { bar, depth, began, done: 0, all: shares.len() as u64 };
        loop {
            match receive.recv_timeout(Duration::from_millis(100)) {
                Ok((first, nodes)) => {
                    counts[first] = sum([counts[first], nodes])?;
                    progress.done += 1;
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            progress.show();
        }
        Ok(())
    })?;
    clear(bar);
    let nodes = if depth == 0 { 1 } else { sum(counts.iter().copied())? };
    Ok(Count { nodes, moves: names.into_iter().zip(counts).collect(), took: began.elapsed() })
}

/// A sum that says so if it is past all counting.
fn sum(counts: impl IntoIterator<Item = u64>) -> Result<u64, Failure> {
    let sum = counts.into_iter().try_fold(0_u64, u64::checked_add);
    sum.ok_or_else(|| Failure::Internal(format!("there are more sequences than {}", u64::MAX)))
}

/// The bar that is shown now, if one is.
type Bar = Arc<Mutex<Option<ProgressBar>>>;

fn clear(bar: &Bar) {
    // Nothing can be wrong with a bar that a panicking thread left.
    if let Some(bar) = bar.lock().unwrap_or_else(PoisonError::into_inner).take() {
        bar.finish_and_clear();
    }
}

/// How far a count has come, on the standard error, if it takes long and somebody sees it.
struct Progress<'a> {
    bar: &'a Bar,
    depth: u32,
    began: Instant,
    done: u64,
    all: u64,
}

impl Progress<'_> {
    fn show(&self) {
        if self.began.elapsed() < PATIENCE || !std::io::stderr().is_terminal() {
            return;
        }
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = bar.get_or_insert_with(|| {
            let template = "depth {msg} {bar:30} {pos} of {len} shares, {elapsed}";
            let style =
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(self.all).with_style(style).with_elapsed(self.began.elapsed());
            bar.with_message(self.depth.to_string())
        });
        bar.set_position(self.done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_past_all_counting_is_a_failure_and_not_a_small_number() {
        assert_eq!(sum([u64::MAX - 1, 1]).unwrap(), u64::MAX);
        assert!(sum([u64::MAX, 1]).is_err());
    }
}
