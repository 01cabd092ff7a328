//! The same work for several workers at the same time.

use std::thread;

/// Lets each worker do its work, the first on the caller's thread, each other one on a thread of its own.
pub(crate) fn each<W: Send>(workers: &mut [W], work: impl Fn(usize, &mut W) + Sync) {
    let Some((first, others)) = workers.split_first_mut() else { return };
    thread::scope(|scope| {
        let work = &work;
        let mut left = Vec::new();
        for (place, worker) in others.iter_mut().enumerate() {
            // A worker that was moved to a thread that did not start would be lost.
            let slot = std::sync::Arc::new(std::sync::Mutex::new(Some(worker)));
            let shared = std::sync::Arc::clone(&slot);
            let run = move || {
                if let Some(worker) = super::lock(&shared).take() {
                    work(place + 1, worker);
                }
            };
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                left.push((place + 1, slot));
            }
        }
        work(0, first);
        // Without a thread the caller does it.
        for (place, slot) in left {
            if let Some(worker) = super::lock(&slot).take() {
                work(place, worker);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_worker_does_its_work_once() {
        for count in 0..6 {
            let mut workers = vec![0; count];
            super::each(&mut workers, |place, worker| *worker += 10 + place);
            assert!(workers.into_iter().eq(10..10 + count));
        }
    }
}
