//! Sharing work among threads.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Deep searches need more than a thread's usual stack.
const STACK: usize = 64 << 20;

/// Does all shares on so many threads, each with a worker of its own. Gives the results in the order of the
/// shares.
pub(crate) fn share_out<S: Sync, W, R: Send>(
    threads: usize,
    shares: &[S],
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &S) -> R + Sync,
) -> Vec<R> {
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let run = || {
        let mut worker = worker();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(share) = shares.get(n) else { return };
            let result = work(&mut worker, share);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((n, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(shares.len()) {
            // Where no thread can be started, the others do its work.
            let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        }
        run();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(n, _)| *n);
    results.into_iter().map(|(_, result)| result).collect()
}
