//! Which looks at a step pay.
//!
//! The first states of a step go through all looks, and later ones from time to time. Each look is judged by these: it is
//! kept if it found dead ends often enough, of those that the looks before it had left, for the fields and options that
//! it went through; where none is kept, they are tried again seldom. A dead end that is found saves more than its own
//! expansion, since what it would have led to is dead as well.
//!
//! Tried and dropped: judging by the first states alone. They are reached from the first states of other steps and have
//! few dead ends (free tetrominoes on 10x10, row by row: 7,239,772 states, and 3,076,042 when judged again and again).

use super::layout::{Key, Layout};

/// States after which the looks of a step are judged, and judged again.
const TRIAL: u32 = 256;
/// After the first trial one of so many states goes through all looks.
const EVERY: u32 = 16;
/// And one of so many where none of them pays, as in Langford's pairs, where one in 16 takes a third of the time.
const SELDOM: u32 = 256;
/// A dead end that is found is worth so many fields and options gone through: with 256 there are a tenth more states, and
/// with all looks always taken a tenth fewer, at twice as many tests.
const WORTH: u64 = 512;

/// The looks at a step that pay, or may.
#[derive(Clone, Debug, Default)]
pub(super) struct PayingLooks {
    looks: Vec<JudgedLook>,
    /// The numbers of those that pay.
    paying: Vec<u32>,
    /// The states that went through all looks.
    tries: u32,
    /// The states until one goes through all looks again.
    wait: u32,
}

/// What a look found.
#[derive(Clone, Copy, Debug, Default)]
struct JudgedLook {
    hits: u64,
    tests: u64,
}

impl PayingLooks {
    /// Tells whether a look shows that a state has no completion, and adds to `tests` what that took.
    #[inline]
    pub(super) fn find_dead_end<const K: usize>(
        &mut self,
        layout: &Layout<K>,
        step: usize,
        key: &Key<K>,
        tests: &mut u64,
    ) -> bool {
        if layout.look_count(step) == 0 {
            return false;
        }
        if self.wait == 0 {
            return self.try_all(layout, step, key, tests);
        }
        self.wait -= 1;
        self.paying.iter().any(|&look| layout.is_found_hopeless(step, look as usize, key, tests))
    }

    #[cold]
    fn try_all<const K: usize>(
        &mut self,
        layout: &Layout<K>,
        step: usize,
        key: &Key<K>,
        tests: &mut u64,
    ) -> bool {
        self.looks.resize(layout.look_count(step), JudgedLook::default());
        let is_dead = self.looks.iter_mut().enumerate().any(|(index, look)| {
            let before = *tests;
            let is_dead = layout.is_found_hopeless(step, index, key, tests);
            look.tests += *tests - before;
            look.hits += u64::from(is_dead);
            is_dead
        });
        self.tries += 1;
        if self.tries.is_multiple_of(TRIAL) {
            let pays = |look: &JudgedLook| look.hits * WORTH >= look.tests;
            let paying = (0..).zip(&self.looks).filter(|(_, look)| pays(look));
            self.paying = paying.map(|(index, _)| index).collect();
            // What was found long ago counts less.
            self.looks
                .iter_mut()
                .for_each(|look| (look.hits, look.tests) = (look.hits / 2, look.tests / 2));
        }
        let every = if self.paying.is_empty() { SELDOM } else { EVERY };
        self.wait = if self.tries < TRIAL { 0 } else { every - 1 };
        self.tries = if self.tries < 2 * TRIAL { self.tries } else { TRIAL };
        is_dead
    }
}
