//! Counting by signs: inclusion and exclusion, where each option has one item of a *group* each.
//!
//! Let the items of a part fall into *groups*, of which each option has just one (Langford's numbers, the rows of a
//! permanent), and *points*, all others; and let all options of a group have as many points, all groups together as many as
//! there are. Then the number of covers is
//!
//! ```text
//! 2^-points * sum over all signs x of  product of x[p] over all points p
//!                                    * product over all groups of  sum over its options of  product of x[p] over its points p
//! ```
//!
//! For multiplied out, the inner products are monomials of as many signs as there are points, and the sum over x[p] = 1 and
//! -1 is 0 for each of them in which a sign has an even exponent: what is left are those that have each sign once.
//!
//! That takes time that is known beforehand, hardly any memory, and all cores. What makes it fast:
//! - *Flips* (`system.rs`): a set of points whose signs, all changed, change all terms of each group alike need not be gone
//!   through; for Langford pairs these are the even places and the odd ones, which saves three of four steps.
//! - *Steps* (`layout.rs`, `chunk.rs`): five points differ among 32 lanes, up to five more within a step, such that no option
//!   has a point of both where that can be; so a sum is a base in lanes plus a number. The others change by Gray's
//!   code, one from step to step.
//! - *Exact products* (`bits/products.rs`): sums that are even are halved; products go by way of lanes of 16, 32 and 64 bits, packed by what
//!   the sums are at most, and are summed in parts where they would not fit.
//!
//! Measured on one core with AVX-512: Langford 16, 2^30 terms, takes 0.58 s, Langford 19, 2^36 terms, 43 s: 0.55 to 0.63 ns a term.
//! Left to try: the reflection of Langford's row, which would halve that; a sum in which fixed weights stand for items that
//! may be covered or not.
//!
//! Bounds: as many words as a term has factors for each of 32 signs; numbers of terms below 2^49.
//!
//! Sources: M. Godfrey's method for Langford pairs (2002), after Knuth, TAOCP 7.2.2.1, and Assarpour, Bar-Noy and Liu,
//! Counting the number of Langford Skolem pairings (2015); D. G. Glynn, The permanent of a square matrix (2010); Bjorklund, Husfeldt and
//! Koivisto, Set partitioning via inclusion-exclusion (2009).

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

/// No more points are gone through.
const FREE_MAX: u32 = 48;

/// A count by signs, begun or done. One that was cut goes on after the last chunk that was done.
#[derive(Debug)]
pub(crate) struct Signs {
    layout: SignLayout,
    leaf: Leaf,
    is_zero: bool,
    /// The chunks that were done and summed, of all of them; 2 to so many steps each.
    done: u64,
    all: u64,
    steps: u32,
    parts: PartSums,
    walk: SignWalk,
    /// Those of others who help, and the cores for them.
    others: Vec<SignWalk>,
    cores: Arc<Cores>,
}

/// Chunks to be gone through, and what came of them.
struct Todo {
    next: u64,
    end: u64,
    parts: PartSums,
}

impl Signs {
    /// Reads a part, in some microseconds; `None` if it has no groups or too many points. Those of `cores` that are idle
    /// will help.
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

    /// Returns this count such that it uses the instructions of a leaf.
    #[cfg(test)]
    fn by(self, leaf: Leaf) -> Self {
        Self { leaf, ..self }
    }

    /// Returns the work of a chunk, in steps of about a nanosecond.
    fn chunk_work(&self) -> u64 {
        let factors = self.layout.factors.leaves.len() + 4 * self.layout.factors.parts;
        let products = (factors << (self.steps + self.layout.mid)) as f64;
        let changes = self.layout.changes_of_step() * f64::from(1 << self.steps);
        (costs::SIGNS_SUM * products + costs::SIGNS_CHANGE * changes) as u64 + 1
    }

    /// Returns the work that is left.
    pub(crate) fn work(&self) -> f64 {
        self.left() as f64 * self.chunk_work() as f64
    }

    /// Tells whether it is known by now that there is no cover.
    pub(crate) fn is_zero(&self) -> bool {
        self.is_zero
    }

    /// Returns how many chunks are left.
    pub(crate) fn left(&self) -> u64 {
        if self.is_zero { 0 } else { self.all - self.done }
    }

    /// Returns how many chunks were done.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Says what was done so far.
    pub(crate) fn explain(&self) -> String {
        let SignLayout { mid, high, factors, .. } = &self.layout;
        let groups = factors.leaves.iter().flatten().count();
        let points = 5 + mid + high;
        format!("sums of {groups} groups over the signs of {points} points by {}", self.leaf.name())
    }

    /// Counts, or goes on counting.
    pub(crate) fn count(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        if self.is_zero {
            return Ok(BigUint::ZERO);
        }
        let chunk_work = self.chunk_work();
        let room = budget.bytes / self.layout.walk_bytes();
        if room < 2 {
            return Err(Cut::Memory);
        }
        // The layout takes about as much as one more.
        let most = HELPERS_MAX.min(room - 2).min((self.left() as usize).saturating_sub(1));
        let is_short = (self.work() as u64).min(budget.work()) < TOGETHER;
        let most = if is_short { 0 } else { most };
        let todo = Mutex::new(Todo { next: self.done, end: self.all, parts: self.parts });
        let Self { layout, leaf, steps, walk, others, cores, .. } = self;
        let take = |walk: &mut SignWalk| Todo::take_one(&todo, layout, *leaf, *steps, walk);
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
        // What was begun was done.
        let todo = todo.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.done, self.parts) = (todo.next, todo.parts);
        if self.done < self.all {
            result?;
        }
        Ok(self.total())
    }

    /// Returns the number of covers, when all chunks are done.
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

impl Todo {
    /// Takes a chunk and sums it; `false` if none is left.
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
