//! Counts covers by a sum over signs, a form of inclusion and exclusion.
//!
//! Let the items of a part be divided into *groups* and *points*, where each option contains
//! exactly one group (Langford's numbers, or the rows of a permanent). Let all options of a group
//! have the same number of points, and let the sum of these numbers over the groups be the number
//! of points. Then the number of covers is
//!
//! ```text
//! 2^-points * sum over all signs x of  product of x[p] over all points p
//!                                    * product over all groups of  sum over its options of  product of x[p] over its points p
//! ```
//!
//! The inner product expands to monomials, each with as many signs as there are points. A monomial
//! where a sign has an even exponent sums to 0 over x[p] = 1 and -1. So only the monomials with
//! each sign exactly once remain.
//!
//! The time is known in advance, little memory is needed, and all cores can be used. Three
//! techniques make it fast:
//! - *Flips* (`system.rs`). If changing all signs of a set of points changes all terms of each
//!   group by the same sign, the sign of one of these points can be fixed. For Langford pairs this
//!   saves three of four steps.
//! - *Steps* (`layout.rs`, `chunk.rs`). Five points differ between the 32 lanes, and up to five
//!   more points change within a step. If possible, no option contains points of both kinds; then a
//!   sum is a base in lanes plus a number. The other points follow a Gray code, with one change per
//!   step.
//! - *Exact products* (`bits/products.rs`). Products use lanes of 16, 32 and 64 bits, depending on
//!   the bounds of the sums. Products that would overflow are computed in parts.
//!
//! Bounds: at most 48 points with variable signs, and option weights that sum to at most 8000 per
//! group.
//!
//! Sources: M. Godfrey's method for Langford pairs (2002), after Knuth, TAOCP 7.2.2.1, and
//! Assarpour, Bar-Noy and Liu, Counting the number of Langford Skolem pairings (2015); D. G. Glynn,
//! The permanent of a square matrix (2010); Bjorklund, Husfeldt and Koivisto, Set partitioning via
//! inclusion-exclusion (2009).

mod chunk;
mod layout;
mod method;
mod system;
#[cfg(test)]
mod tests;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use num_bigint::{BigInt, BigUint};

use self::chunk::{CHUNK, Chunk, PartSums, SignWalk, WEIGHTS};
use self::layout::SignLayout;
pub(super) use self::method::METHOD;
use self::system::SignSystem;
use super::together::{HELPERS_MAX, TOGETHER};
use crate::bits::Leaf;
use crate::parallel::{self, Cores, lock};
use crate::portfolio::{Budget, Cut, costs};
use crate::prepare::Weighted;

const FREE_MAX: u32 = 48;

/// A count by a sum over signs. An interrupted count resumes after the last finished chunk.
#[derive(Debug)]
pub(crate) struct Signs {
    layout: SignLayout,
    leaf: Leaf,
    is_zero: bool,
    /// The number of finished chunks, the number of all chunks, and the logarithm of the steps per
    /// chunk.
    done: u64,
    all: u64,
    steps: u32,
    parts: PartSums,
    walk: SignWalk,
    others: Vec<SignWalk>,
    cores: Arc<Cores>,
}

struct ChunkQueue {
    next: u64,
    end: u64,
    parts: PartSums,
}

impl Signs {
    /// Reads a part. Returns `None` if the part has no groups or too many points. The count will
    /// use idle `cores`.
    pub(crate) fn new(part: &Weighted, cores: &Arc<Cores>) -> Option<Self> {
        let system = SignSystem::new(part)?;
        if system.points.count_ones() > FREE_MAX {
            return None;
        }
        let layout = SignLayout::new(&system)?;
        let steps = layout.high.min(CHUNK);
        Some(Self {
            is_zero: system.is_zero,
            leaf: Leaf::best(),
            done: 0,
            all: 1 << (layout.high - steps),
            steps,
            parts: PartSums::default(),
            walk: SignWalk::default(),
            others: Vec::new(),
            cores: Arc::clone(cores),
            layout,
        })
    }

    #[cfg(test)]
    fn by(self, leaf: Leaf) -> Self {
        Self { leaf, ..self }
    }

    fn chunk_work(&self) -> u64 {
        let factors = self.layout.factors.leaves.len() + 4 * self.layout.factors.parts;
        let products = (factors << (self.steps + self.layout.mid)) as f64;
        let changes = self.layout.changes_of_step() * f64::from(1 << self.steps);
        (costs::SIGNS_SUM * products + costs::SIGNS_CHANGE * changes) as u64 + 1
    }

    pub(crate) fn work(&self) -> f64 {
        self.left() as f64 * self.chunk_work() as f64
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.is_zero
    }

    pub(crate) fn left(&self) -> u64 {
        if self.is_zero { 0 } else { self.all - self.done }
    }

    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    pub(crate) fn explain(&self) -> String {
        let SignLayout { mid, high, factors, .. } = &self.layout;
        let groups = factors.leaves.iter().flatten().count();
        let points = 5 + mid + high;
        format!("sums of {groups} groups over the signs of {points} points by {}", self.leaf.name())
    }

    pub(crate) fn count(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        if self.is_zero {
            return Ok(BigUint::ZERO);
        }
        let chunk_work = self.chunk_work();
        let room = budget.bytes / self.layout.walk_bytes();
        if room < 2 {
            return Err(Cut::Memory);
        }
        // In addition to the walks of the helpers, memory must hold the walk of this thread and the
        // layout.
        let most = HELPERS_MAX.min(room - 2).min((self.left() as usize).saturating_sub(1));
        let is_short = (self.work() as u64).min(budget.work()) < TOGETHER;
        let most = if is_short { 0 } else { most };
        let todo = Mutex::new(ChunkQueue { next: self.done, end: self.all, parts: self.parts });
        let Self { layout, leaf, steps, walk, others, cores, .. } = self;
        let take = |walk: &mut SignWalk| ChunkQueue::take_one(&todo, layout, *leaf, *steps, walk);
        let result = parallel::beside(
            cores,
            most,
            others,
            |_| SignWalk::default(),
            |walk, flag| while !flag.load(Relaxed) && take(walk) {},
            |_| {
                while take(walk) {
                    budget.spend(chunk_work)?;
                }
                Ok(())
            },
        );
        let todo = todo.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.done, self.parts) = (todo.next, todo.parts);
        if self.done < self.all {
            result?;
        }
        Ok(self.total())
    }

    fn total(&self) -> BigUint {
        let weights = WEIGHTS[self.layout.factors.parts];
        let parts = self.parts.iter().zip(weights);
        let sum: BigInt = parts.map(|(&part, weight)| BigInt::from(part) << weight).sum();
        let sum = sum.to_biguint().expect("no number of covers is below 0");
        let twos = self.layout.twos;
        let (down, up) = (twos.max(0) as u64, twos.min(0).unsigned_abs());
        debug_assert!(
            sum == BigUint::ZERO || sum.trailing_zeros() >= Some(down),
            "a number of covers is whole"
        );
        sum >> down << up
    }
}

impl ChunkQueue {
    fn take_one(
        todo: &Mutex<Self>,
        layout: &SignLayout,
        leaf: Leaf,
        steps: u32,
        walk: &mut SignWalk,
    ) -> bool {
        let number = {
            let mut todo = lock(todo);
            if todo.next == todo.end {
                return false;
            }
            todo.next += 1;
            todo.next - 1
        };
        let parts = leaf.run(Chunk { layout, walk, number, steps });
        let mut todo = lock(todo);
        todo.parts.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
        true
    }
}
