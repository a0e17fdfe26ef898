//! Work that is shared out among threads.
//!
//! Must not know what is done.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Has so many threads do jobs, in their order as far as that goes; each begins with what it needs, and leaves
/// when a job comes to nothing. What is done is taken over one by one, here.
///
/// # Errors
/// The first one of taking over. Then jobs that have been begun are waited for.
pub fn share_out<Job: Sync, Tools, Done: Send, Error>(
    jobs: &[Job],
    threads: usize,
    begin: &(dyn Fn() -> Tools + Sync),
    work: &(dyn Fn(&mut Tools, &Job) -> Option<Done> + Sync),
    take: &mut dyn FnMut(Done) -> Result<(), Error>,
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1).min(jobs.len()) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let mut tools = begin();
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                    && let Some(done) = work(&mut tools, job)
                    && send.send(done).is_ok()
                {}
            });
        }
        drop(send);
        receive.into_iter().try_for_each(take)
    })
}
