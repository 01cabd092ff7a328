//! A producer thread that runs ahead of its consumer.
//!
//! The products wait in a bounded queue; while the queue is full, the producer sleeps. When the
//! consumer is dropped, it sets the stop flag, refuses further products, and joins the thread.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::lock;
use super::threads::{self, JoinHandle};

pub(crate) struct Outlet<T>(Arc<Shared<T>>);

/// The consumer's end of the queue. The thread returns an `R`.
pub(crate) struct Ahead<T, R> {
    shared: Arc<Shared<T>>,
    thread: Option<JoinHandle<R>>,
}

/// Result of [`Ahead::take`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Taken<T> {
    /// All products added since the last call, at least one.
    Some(Vec<T>),
    /// No product arrived within the waiting time.
    NothingYet,
    /// The thread is done, and [`Ahead::join`] returns its result.
    Over,
}

struct Shared<T> {
    queue: Mutex<AheadQueue<T>>,
    changed: Condvar,
    stop: Arc<AtomicBool>,
    room: usize,
}

struct AheadQueue<T> {
    made: Vec<T>,
    size: usize,
    is_over: bool,
    is_refused: bool,
}

impl<T> Outlet<T> {
    pub(crate) fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.stop)
    }

    /// Adds a product to the queue, first waiting until the queue has room. Returns `Break` if the
    /// consumer refuses products.
    pub(crate) fn put(&self, made: T, size: usize) -> ControlFlow<()> {
        let mut queue = lock(&self.0.queue);
        while queue.size >= self.0.room && !queue.is_refused {
            queue = self.0.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.is_refused {
            return ControlFlow::Break(());
        }
        queue.size += size;
        queue.made.push(made);
        if queue.made.len() == 1 {
            self.0.changed.notify_all();
        }
        ControlFlow::Continue(())
    }
}

impl<T> Drop for Outlet<T> {
    fn drop(&mut self) {
        lock(&self.0.queue).is_over = true;
        self.0.changed.notify_all();
    }
}

impl<T: Send + 'static, R: Send + 'static> Ahead<T, R> {
    /// Starts a thread that runs `work` on `state`, where products of a total size of about `room`
    /// may wait. Returns `state` if no thread can be started.
    pub(crate) fn start<S: Send + 'static>(
        room: usize,
        state: S,
        work: impl FnOnce(S, Outlet<T>) -> R + Send + 'static,
    ) -> Result<Self, S> {
        let queue = AheadQueue { made: Vec::new(), size: 0, is_over: false, is_refused: false };
        let queue = Mutex::new(queue);
        let shared = Arc::new(Shared { queue, changed: Condvar::new(), stop: Arc::default(), room });
        let maker = Outlet(Arc::clone(&shared));
        let slot = Arc::new(Mutex::new(Some(state)));
        let of_thread = Arc::clone(&slot);
        let run = move || {
            let state = lock(&of_thread).take();
            work(state.expect("a state is taken once"), maker)
        };
        match threads::start(run) {
            Some(thread) => Ok(Self { shared, thread: Some(thread) }),
            None => Err(lock(&slot).take().expect("no thread took the state")),
        }
    }
}

impl<T, R> Ahead<T, R> {
    pub(crate) fn take(&self, patience: Duration) -> Taken<T> {
        let is_empty = |queue: &mut AheadQueue<T>| queue.made.is_empty() && !queue.is_over;
        let waited =
            self.shared.changed.wait_timeout_while(lock(&self.shared.queue), patience, is_empty);
        let mut queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        if queue.made.is_empty() {
            return if queue.is_over { Taken::Over } else { Taken::NothingYet };
        }
        queue.size = 0;
        let made = std::mem::take(&mut queue.made);
        self.shared.changed.notify_all();
        Taken::Some(made)
    }

    pub(crate) fn stop(&self) {
        self.shared.stop.store(true, Relaxed);
    }

    /// Refuses further products, and returns the result of the thread.
    ///
    /// # Panics
    /// If the thread panicked, with the same payload.
    pub(crate) fn join(mut self) -> R {
        let joined = self.refuse().expect("a thread is joined once");
        joined.unwrap_or_else(|payload| std::panic::resume_unwind(payload))
    }

    fn refuse(&mut self) -> Option<std::thread::Result<R>> {
        lock(&self.shared.queue).is_refused = true;
        self.shared.changed.notify_all();
        self.thread.take().map(JoinHandle::join)
    }
}

impl<T, R> Drop for Ahead<T, R> {
    fn drop(&mut self) {
        self.stop();
        drop(self.refuse());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn products_are_taken_in_order() {
        let ahead = Ahead::start(10, (), |(), maker| {
            (0..1000).take_while(|&number| maker.put(number, 1).is_continue()).count()
        });
        let ahead = ahead.expect("a thread");
        let mut all = Vec::new();
        loop {
            match ahead.take(LONG) {
                Taken::Some(made) => {
                    assert!(made.len() <= 10, "{} things waited", made.len());
                    all.extend(made);
                }
                Taken::NothingYet => panic!("a minute is enough"),
                Taken::Over => break,
            }
        }
        assert!(all.into_iter().eq(0..1000));
        assert_eq!(ahead.join(), 1000);
    }

    #[test]
    fn a_producer_waits_for_room_and_ends_when_the_consumer_is_dropped() {
        let made = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&made);
        let ahead = Ahead::start(5, (), move |(), maker| {
            while maker.put((), 1).is_continue() {
                counter.fetch_add(1, Relaxed);
            }
            assert!(maker.stop().load(Relaxed), "the flag is set before");
        });
        let ahead = ahead.expect("a thread");
        assert!(matches!(ahead.take(LONG), Taken::Some(_)));
        drop(ahead);
        assert!(made.load(Relaxed) <= 10);
    }

    #[test]
    fn joining_a_producer_that_panicked_panics() {
        let ahead: Ahead<u32, ()> = Ahead::start(5, (), |(), maker| {
            assert!(maker.put(1, 1).is_continue());
            panic!("as asked for");
        })
        .expect("a thread");
        assert_eq!(ahead.take(LONG), Taken::Some(vec![1]));
        assert_eq!(ahead.take(LONG), Taken::Over);
        let join = std::panic::AssertUnwindSafe(|| ahead.join());
        let payload = std::panic::catch_unwind(join).expect_err("it panics");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"as asked for"));
    }
}
