//! Counts the idle cores.

use std::sync::Arc;
use std::sync::atomic::AtomicIsize;
use std::sync::atomic::Ordering::Relaxed;

/// The idle cores, shared by searches that run at the same time.
///
/// ```
/// use limits::Cores;
///
/// let cores = Cores::new(4);
/// let busy = (cores.occupy(), cores.take());
/// assert_eq!(cores.idle(), 2);
/// drop(busy);
/// assert_eq!(cores.idle(), 4);
/// ```
#[derive(Debug)]
pub struct Cores {
    /// The number of idle cores; negative if more threads run than there are cores.
    idle: AtomicIsize,
    count: usize,
}

/// A busy core, which becomes idle on drop.
#[derive(Debug)]
pub struct Core(Arc<Cores>);

impl Cores {
    /// Creates `count` idle cores.
    #[must_use]
    pub fn new(count: usize) -> Arc<Self> {
        Arc::new(Self { idle: AtomicIsize::new(count.try_into().unwrap_or(isize::MAX)), count })
    }

    /// Marks a core as busy, even if none is idle. If no core was idle, the helpers of other
    /// searches withdraw.
    #[must_use]
    pub fn occupy(self: &Arc<Self>) -> Core {
        self.idle.fetch_sub(1, Relaxed);
        Core(Arc::clone(self))
    }

    /// Returns the number of idle cores.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.idle.load(Relaxed).try_into().unwrap_or(0)
    }

    /// Returns the number of cores, idle or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Marks a core as busy and returns it, or returns `None` if none is idle.
    #[must_use]
    pub fn take(self: &Arc<Self>) -> Option<Core> {
        let mut idle = self.idle.load(Relaxed);
        while idle > 0 {
            match self.idle.compare_exchange_weak(idle, idle - 1, Relaxed, Relaxed) {
                Ok(_) => return Some(Core(Arc::clone(self))),
                Err(now) => idle = now,
            }
        }
        None
    }

    /// Returns whether more threads run than there are cores.
    #[must_use]
    pub fn is_overbooked(&self) -> bool {
        self.idle.load(Relaxed) < 0
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.0.idle.fetch_add(1, Relaxed);
    }
}
