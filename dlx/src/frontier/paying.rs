//! Selects the dead-end checks that pay off for each group of 64 choices of a step.
//!
//! The first states of a step run all checks, and later some states do so at regular intervals. A
//! check is judged by its productivity: the dead ends that it found and earlier checks missed, per
//! field and option scanned. Checks above a threshold are kept, the most productive first. If no
//! check is kept, all are tried again, but rarely.
//!
//! Tried and dropped: judging checks by the first states of a step alone, which have few dead ends.

use super::layout::{Key, Layout};

/// Number of states that run all checks before the checks are selected again.
const TRIAL: u32 = if cfg!(test) { 16 } else { 256 };
/// After the first selection, one of this many states runs all checks.
const EVERY: u32 = 32;
/// If no check was selected, one of this many states runs all checks.
const SELDOM: u32 = 256;
/// Largest number of fields and options that a worthwhile check scans per dead end (bench:
/// pentominoes).
const WORTH: u64 = 512;

/// The statistics of the checks of a group of 64 choices, and the selected checks.
#[derive(Clone, Debug, Default)]
pub(super) struct UsefulChecks {
    looks: Vec<JudgedLook>,
    paying: Vec<u32>,
    tries: u32,
    wait: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct JudgedLook {
    hits: u64,
    tests: u64,
}

impl UsefulChecks {
    /// Returns the choices of `free` that the selected checks show to be dead ends. Adds the number
    /// of scanned fields and options to `tests`.
    #[inline]
    pub(super) fn dead_ends<const K: usize>(
        &mut self,
        layout: &Layout<K>,
        choices: usize,
        free: u64,
        key: &Key<K>,
        tests: &mut u64,
    ) -> u64 {
        if free == 0 || layout.look_count(choices) == 0 {
            return 0;
        }
        if self.wait == 0 {
            return self.try_all(layout, choices, free, key, tests);
        }
        self.wait -= 1;
        let paying = self.paying.iter().map(|&look| look as usize);
        layout.dead_ends_by(choices, paying, free, key, |_, _, taken| *tests += taken)
    }

    #[cold]
    fn try_all<const K: usize>(
        &mut self,
        layout: &Layout<K>,
        choices: usize,
        free: u64,
        key: &Key<K>,
        tests: &mut u64,
    ) -> u64 {
        self.looks.resize(layout.look_count(choices), JudgedLook::default());
        let looks = &mut self.looks;
        let dead_ends = layout.dead_ends_by(choices, 0..looks.len(), free, key, |look, dead, taken| {
            *tests += taken;
            looks[look].tests += taken;
            looks[look].hits += u64::from(dead.count_ones());
        });
        self.tries += 1;
        if self.tries.is_multiple_of(TRIAL) {
            self.judge();
        }
        let every = if self.paying.is_empty() { SELDOM } else { EVERY };
        self.wait = if self.tries < TRIAL { 0 } else { every - 1 };
        self.tries = if self.tries < 2 * TRIAL { self.tries } else { TRIAL };
        dead_ends
    }

    fn judge(&mut self) {
        let looks = (0..).zip(&self.looks);
        let pays = |look: &JudgedLook| look.hits > 0 && look.hits * WORTH >= look.tests;
        let mut paying: Vec<(u64, u32)> = looks
            .filter(|(_, look)| pays(look))
            .map(|(index, look)| (1024 * look.tests / look.hits, index))
            .collect();
        paying.sort_unstable();
        self.paying = paying.into_iter().map(|(_, index)| index).collect();
        self.looks
            .iter_mut()
            .for_each(|look| (look.hits, look.tests) = (look.hits / 2, look.tests / 2));
    }
}
