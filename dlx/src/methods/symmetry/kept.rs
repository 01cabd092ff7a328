//! A count by layers that can be saved between two steps and resumed by another process.
//!
//! The saved state consists of the covers counted so far, and of the pending subproblems with the
//! number of ways to reach each. All subproblems of the current layer become pending again. The
//! sizes where computing canonical forms pays off are saved, but the memos are not, so subproblems
//! with known counts are expanded again.
//!
//! # Invariant
//! The total count is the number of covers so far plus, for each pending subproblem, its number of
//! covers times the number of ways to reach it.

use std::fmt;
use std::sync::Arc;

use num_bigint::BigUint;
use sha2::{Digest as _, Sha256};

use super::Symmetry;
use super::layers::Layers;
use super::method::ALIKE;
use super::number::CoverCount;
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem, text};
use crate::parallel::{Cores, lock};
use crate::portfolio::{BYTES, Budget, Cut};
use crate::prepare::{Parts, Weighted};

/// Version of the format of saved states.
const FORMAT: u32 = 1;
const BLOCK_PROBLEMS: usize = 1024;
const CHECK: usize = 8;

/// Counts covers with the method `symmetry` (see [`count`](mod@crate::count)) layer by layer. The
/// count can be saved at any time and resumed later.
///
/// ```
/// use dlx::Limits;
/// use dlx::count::LayeredCount;
/// use dlx::parallel::Cores;
///
/// let problem: dlx::Problem = "a b c d\na b\na c\na d\nb c\nb d\nc d\n".parse()?;
/// let (cores, limits) = (Cores::new(0), Limits::new());
/// let begin = || LayeredCount::new(&problem, &[], &cores, &limits).expect("no limits are set");
/// let mut count = begin().expect("all items are alike");
/// let total = loop {
///     // As if each step were made by another process.
///     if let Some(total) = count.go_on(&limits, 1).expect("no limits are set") {
///         break total;
///     }
///     if let Some(head) = count.head() {
///         let blocks = count.blocks();
///         count = begin().expect("it is the same");
///         count.resume(&head, blocks.into_iter().map(Ok))?;
///     }
/// };
/// assert_eq!(total, 3_u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct LayeredCount {
    digest: String,
    factor: BigUint,
    /// The count of the only part, or `None` if no part is left.
    symmetry: Option<Symmetry>,
}

/// The header of a saved count. The blocks of pending subproblems follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct LayersHead {
    /// The SHA-256 digest of the problem, the given options and the format version, in hexadecimal.
    pub digest: String,
    /// For each size from 0, the digit 1 if subproblems of that size become pending, otherwise 0.
    /// The size is the number of primary items.
    pub sizes: String,
    /// The number of covers counted so far.
    pub covers: BigUint,
    /// The number of pending subproblems.
    pub problems: usize,
}

/// The outcome of a short depth-first count before a count by layers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub enum LayersSurvey {
    /// The survey finished the count.
    Counted(BigUint),
    /// The count is not finished.
    Open {
        /// The sizes, as in [`LayersHead::sizes`].
        sizes: String,
        /// Forecast of the remaining work of the depth-first count, in multiples of the work so
        /// far. A count by layers usually takes less work.
        times_left: Option<f64>,
        /// Whether enough items look alike to expect an early end; used while there is no forecast.
        is_alike: bool,
    },
}

impl LayersHead {
    /// Returns the number of blocks of the saved count.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.problems.div_ceil(BLOCK_PROBLEMS)
    }
}

impl LayeredCount {
    /// Starts a count of the covers of `problem` that contain the options of `given`, on the idle
    /// `cores`. Returns `None` if the problem is unsuited: it has bounds or colors, consists of
    /// several parts, or its items differ too much.
    ///
    /// # Errors
    /// The limit of time or memory, or the cancel flag, that was reached.
    ///
    /// # Panics
    /// If an option of `given` does not belong to the problem.
    pub fn new(
        problem: &Problem,
        given: &[OptionId],
        cores: &Arc<Cores>,
        limits: &Limits,
    ) -> Result<Option<Self>, Limit> {
        let mut given_sorted = given.to_vec();
        given_sorted.sort_unstable();
        given_sorted.dedup();
        let mut hasher = Sha256::new();
        hasher.update(format!("farandole layers {FORMAT}\n{given_sorted:?}\n"));
        hasher.update(text::write_within(problem, limits)?);
        let digest = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let Some(Parts { forced, mut parts }) = Parts::new(problem, given, limits)? else {
            return Ok(Some(Self { digest, factor: BigUint::ZERO, symmetry: None }));
        };
        let factor = Parts { forced, parts: Vec::new() }.factor();
        let part = parts.pop();
        if !parts.is_empty() {
            return Ok(None);
        }
        let begin = |part: Weighted| {
            let mut budget = Budget::new(limits, u64::MAX, limits.memory.unwrap_or(BYTES));
            let mut symmetry = Symmetry::new(&part, cores, &mut budget)?;
            symmetry.keeps = true;
            Ok(symmetry)
        };
        match part.map(begin).transpose() {
            Ok(symmetry) => Ok(Some(Self { digest, factor, symmetry })),
            Err(Cut::Limit(limit)) => Err(limit),
            Err(Cut::Memory) => Err(Limit::Memory),
            Err(Cut::Unsuited | Cut::Work) => Ok(None),
        }
    }

    /// Counts for about `work` nanoseconds. Returns the total number of covers if the count is
    /// finished.
    ///
    /// # Errors
    /// The limit of time or memory, or the cancel flag, that was reached.
    pub fn go_on(&mut self, limits: &Limits, work: u64) -> Result<Option<BigUint>, Limit> {
        let Some(symmetry) = &mut self.symmetry else { return Ok(Some(self.factor.clone())) };
        let mut budget = Budget::new(limits, work, limits.memory.unwrap_or(BYTES));
        match symmetry.run(&mut budget) {
            Ok(count) => Ok(Some(count * &self.factor)),
            Err(Cut::Work) => Ok(None),
            Err(Cut::Limit(limit)) => Err(limit),
            Err(Cut::Memory | Cut::Unsuited) => Err(Limit::Memory),
        }
    }

    /// Counts depth first for about `work` nanoseconds, to learn the sizes of recurring
    /// subproblems.
    ///
    /// # Errors
    /// The limit of time or memory, or the cancel flag, that was reached.
    pub fn survey(&mut self, limits: &Limits, work: u64) -> Result<LayersSurvey, Limit> {
        if let Some(symmetry) = &mut self.symmetry {
            symmetry.backwards = u64::MAX;
        }
        if let Some(total) = self.go_on(limits, work)? {
            return Ok(LayersSurvey::Counted(total));
        }
        let profiles = self.symmetry.iter().flat_map(|symmetry| &symmetry.ground.profiles);
        let sizes = profiles.map(|profile| if lock(profile).pays() { '1' } else { '0' }).collect();
        let times_left = self.symmetry.as_ref().and_then(Symmetry::times_left);
        let likeness = self.symmetry.as_ref().map_or(0.0, Symmetry::likeness);
        Ok(LayersSurvey::Open { sizes, times_left, is_alike: likeness >= ALIKE })
    }

    fn layers(&self) -> Option<&Layers> {
        self.symmetry.as_ref()?.layers.as_ref()
    }

    /// Returns the number of covers counted so far.
    #[must_use]
    pub fn known(&self) -> BigUint {
        self.symmetry.as_ref().map_or(BigUint::ZERO, Symmetry::known) * &self.factor
    }

    /// Returns the current size, the largest size, and the number of pending subproblems, or `None`
    /// while the count runs depth first.
    #[must_use]
    pub fn progress(&self) -> Option<(usize, usize, usize)> {
        let layers = self.layers()?;
        Some((layers.size(), layers.pays().len() - 1, layers.problem_count()))
    }

    /// Returns the header of the saved state, or `None` while the count runs depth first, when
    /// there is little to save.
    #[must_use]
    pub fn head(&self) -> Option<LayersHead> {
        let layers = self.layers()?;
        let sizes = layers.pays().iter().map(|&pays| if pays { '1' } else { '0' }).collect();
        let (covers, problems) = (layers.known(), layers.problem_count());
        Some(LayersHead { digest: self.digest.clone(), sizes, covers, problems })
    }

    /// Returns the pending subproblems as blocks with checksums.
    #[must_use]
    pub fn blocks(&self) -> Vec<Vec<u8>> {
        let mut blocks = Vec::new();
        self.each_block(&mut |block| {
            blocks.push(block.to_vec());
            Ok(())
        })
        .expect("it is taken");
        blocks
    }

    /// Visits the blocks one by one, until `visit` returns an error.
    ///
    /// # Errors
    /// The error that `visit` returned.
    pub fn each_block(&self, visit: &mut dyn FnMut(&[u8]) -> Result<(), String>) -> Result<(), String> {
        let Some(layers) = self.layers() else { return Ok(()) };
        let (mut block, mut number, mut problems) = (Vec::new(), 0, 0);
        let mut end = |block: &mut Vec<u8>| {
            let check = self.check(number, block);
            block.extend_from_slice(&check);
            number += 1;
            let visited = visit(block);
            block.clear();
            visited
        };
        layers.each_waiting(&mut |set, ways| {
            set.iter().for_each(|word| block.extend_from_slice(&word.to_le_bytes()));
            let ways = BigUint::from(ways).to_bytes_le();
            let len = u16::try_from(ways.len()).map_err(|_| "a number is too long".to_owned())?;
            block.extend_from_slice(&len.to_le_bytes());
            block.extend_from_slice(&ways);
            problems += 1;
            if problems == BLOCK_PROBLEMS {
                problems = 0;
                return end(&mut block);
            }
            Ok(())
        })?;
        if block.is_empty() { Ok(()) } else { end(&mut block) }
    }

    fn check(&self, number: u64, block: &[u8]) -> [u8; CHECK] {
        let mut hasher = Sha256::new();
        hasher.update(format!("{} {number}\n", self.digest));
        hasher.update(block);
        let digest = hasher.finalize();
        std::array::from_fn(|place| digest[place])
    }

    /// Resumes a saved count.
    ///
    /// # Errors
    /// If the saved state belongs to another problem or is damaged. The count is then unchanged,
    /// and the message names the block.
    pub fn resume(
        &mut self,
        head: &LayersHead,
        blocks: impl IntoIterator<Item = Result<Vec<u8>, String>>,
    ) -> Result<(), String> {
        if head.digest != self.digest {
            return Err(format!(
                "expected a count of this puzzle, with the digest {}, found `{}`: another puzzle, or another version of \
                 the program",
                self.digest, head.digest
            ));
        }
        let Some(symmetry) = &self.symmetry else { return Ok(()) };
        let ground = &symmetry.ground;
        let (word_count, sizes) = (ground.tables.word_count, ground.tables.item_count + 1);
        let pays: Vec<_> = head.sizes.bytes().map(|digit| digit == b'1').collect();
        if pays.len() != sizes {
            return Err(format!("expected {sizes} sizes, found {}", pays.len()));
        }
        let mut layers = Layers::resumed(ground, pays, &head.covers);
        let (mut problems, mut number) = (0, 0);
        for block in blocks {
            let block = block?;
            let wrong = || format!("block {number} is not what was written");
            let payload = block.len().checked_sub(CHECK).ok_or_else(wrong)?;
            let (mut rest, check) = block.split_at(payload);
            if check != self.check(number, rest) {
                return Err(wrong());
            }
            while !rest.is_empty() {
                let (set, more) = rest.split_at_checked(8 * word_count).ok_or_else(wrong)?;
                let (len, more) = more.split_first_chunk().ok_or_else(wrong)?;
                let (ways, more) =
                    more.split_at_checked(u16::from_le_bytes(*len).into()).ok_or_else(wrong)?;
                let (words, _) = set.as_chunks();
                let set: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
                layers.wait(ground, &set, &CoverCount::from(BigUint::from_bytes_le(ways)));
                rest = more;
                problems += 1;
            }
            number += 1;
        }
        if problems != head.problems {
            return Err(format!("expected {} problems, found {problems}", head.problems));
        }
        if let Some(symmetry) = &mut self.symmetry {
            symmetry.layers = Some(layers);
        }
        Ok(())
    }

    /// Starts counting by layers after `work` nanoseconds of work, for tests with small problems.
    #[cfg(test)]
    pub(super) fn forwards_after(&mut self, work: u64) {
        if let Some(symmetry) = &mut self.symmetry {
            symmetry.backwards = work;
        }
    }
}

impl fmt::Debug for LayeredCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LayeredCount").field("digest", &self.digest).finish_non_exhaustive()
    }
}
