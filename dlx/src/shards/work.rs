//! Counting a shard.

use std::fmt;
use std::sync::Arc;

use super::Shard;
use crate::count::Counter;
use crate::limits::Limits;
use crate::model::{Problem, restrict_to};
use crate::parallel::Cores;
use crate::search::{End, Report};

/// Counts shards of one problem, one after the other, each by the methods of a [`Counter`].
pub struct ShardCounter {
    problem: Arc<Problem>,
    cores: Arc<Cores>,
    counter: Counter,
}

impl ShardCounter {
    /// Makes a counter of shards of `problem`.
    #[must_use]
    pub fn new(problem: impl Into<Arc<Problem>>) -> Self {
        let problem = problem.into();
        let counter = Counter::new(Arc::clone(&problem));
        Self { problem, cores: Cores::new(0), counter }
    }

    /// Returns this counter such that it calls in those of `cores` that are idle.
    #[must_use]
    pub fn on(self, cores: &Arc<Cores>) -> Self {
        Self { cores: Arc::clone(cores), counter: self.counter.on(cores), ..self }
    }

    /// Counts the covers of a shard once, whatever its weight. The number depends on nothing but the shard; if a limit
    /// ended the count, it says nothing, and [`split_further`](super::split_further) makes smaller shards of it.
    ///
    /// # Panics
    /// If an option of the shard is not one of this problem's.
    pub fn count(&mut self, shard: &Shard, limits: &Limits) -> Report {
        let (given, without) = (shard.part.given(), shard.part.without());
        if without.is_empty() {
            return self.counter.count(&given, limits);
        }
        match restrict_to(&self.problem, &given, without) {
            Some(restricted) => Counter::new(restricted.problem).on(&self.cores).count(&[], limits),
            None => Report::empty(End::Exhausted),
        }
    }
}

impl fmt::Debug for ShardCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardCounter").finish_non_exhaustive()
    }
}
