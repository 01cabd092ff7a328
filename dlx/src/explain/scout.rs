//! Which options end in a contradiction soonest: all are followed side by side, a round at a time, without reasons.
//!
//! # The method
//! Most options end in no contradiction, or in one that is longer than the shortest. What one of them excludes and forces is
//! therefore kept in bits and counts alone; `suppose` finds the reasons of those few that fail. A round draws the conclusions of what the round before forced, as `suppose` does, so
//! an option fails in the same round here and there. As all go through the rounds together, none is followed further than
//! the shortest contradiction allows.
//!
//! Only for states in which each item takes one option at most: an option that is on excludes all others of its items, and if it
//! is excluded itself, the item that forced it has none left, so that nothing but the number of options of an item is looked at.
//!
//! # Bounds
//! As many options are followed together as fit into [`BYTES_MAX`], one at least, which takes four bytes an item and two bits an
//! option.

use super::lists::{LeftEntry, LeftLists};

/// The bytes that all options that are followed together may take.
const BYTES_MAX: usize = 1 << 20;

/// The options that are followed.
#[derive(Clone, Debug, Default)]
pub(super) struct Scout {
    followers: Vec<Follower>,
    /// The number of options that each item has left, for each follower.
    live: Vec<u32>,
    /// The options that are excluded, and those that are forced, as bits for each follower.
    off: Vec<u64>,
    on: Vec<u64>,
    /// What the last round forced.
    edge: Vec<u32>,
}

/// An option that is followed.
#[derive(Clone, Debug, Default)]
struct Follower {
    option: u32,
    /// Where its counts and bits stand.
    slot: usize,
    /// What the round before has forced.
    edge: Vec<u32>,
}

/// What came of a round.
#[derive(Debug)]
pub(super) struct ScoutedRound {
    /// The options that ended in a contradiction.
    pub(super) failed: Vec<u32>,
    /// Whether there is nothing more to follow.
    pub(super) is_over: bool,
    /// The steps done, of about a nanosecond.
    pub(super) work: u64,
}

/// What became of a follower in a round.
enum Step {
    Fails,
    Over,
    Open,
}

impl Scout {
    /// Begins with the options from a number on that may end in a contradiction, and returns the number of the first that has to wait.
    pub(super) fn begin(&mut self, lists: &LeftLists, is_harmless: &[bool], first: usize) -> usize {
        debug_assert!(lists.is_plain, "each item takes one option at most");
        let (count, width) = (lists.options.len(), lists.options.len().div_ceil(64));
        let size = (BYTES_MAX / (4 * lists.items.len() + 16 * width).max(1)).max(1);
        let all = first..count;
        let mut options = all.filter(|&option| !is_harmless[option]);
        self.followers.clear();
        self.followers.extend(options.by_ref().take(size).enumerate().map(|(slot, option)| Follower {
            option: option as u32,
            slot,
            edge: vec![option as u32],
        }));
        let next = options.next().unwrap_or(count);
        self.live.clear();
        for words in [&mut self.off, &mut self.on] {
            words.clear();
            words.resize(self.followers.len() * width, 0);
        }
        for follower in &self.followers {
            self.live.extend_from_slice(&lists.live);
            let option = follower.option as usize;
            self.on[follower.slot * width + option / 64] |= 1 << (option % 64);
        }
        next
    }

    /// Follows all options by a round.
    pub(super) fn go_on(&mut self, lists: &LeftLists, is_harmless: &mut [bool]) -> ScoutedRound {
        let mut round = ScoutedRound { failed: Vec::new(), is_over: false, work: 0 };
        let width = lists.options.len().div_ceil(64);
        let mut followers = std::mem::take(&mut self.followers);
        followers.retain_mut(|follower| {
            if is_harmless[follower.option as usize] {
                return false;
            }
            match self.follow(lists, follower, &mut round.work) {
                Step::Open => true,
                Step::Fails => {
                    round.failed.push(follower.option);
                    false
                }
                Step::Over => {
                    // Whatever follows from one of these follows from this option.
                    let on = &self.on[follower.slot * width..][..width];
                    super::view::ones(on).for_each(|other| is_harmless[other] = true);
                    false
                }
            }
        });
        self.followers = followers;
        round.is_over = self.followers.is_empty();
        round
    }

    /// Follows one option by a round.
    fn follow(&mut self, lists: &LeftLists, follower: &mut Follower, work: &mut u64) -> Step {
        let (width, items) = (lists.options.len().div_ceil(64), lists.items.len());
        let live = &mut self.live[follower.slot * items..][..items];
        let off = &mut self.off[follower.slot * width..][..width];
        let on = &mut self.on[follower.slot * width..][..width];
        self.edge.clear();
        for &option in &follower.edge {
            for &LeftEntry { item, .. } in lists.entries(option) {
                for &other in lists.list(item) {
                    *work += 1;
                    let (word, bit) = (other as usize / 64, 1 << (other % 64));
                    if other == option || off[word] & bit != 0 {
                        continue;
                    }
                    off[word] |= bit;
                    *work += 4;
                    for &LeftEntry { item, .. } in lists.entries(other) {
                        let place = item as usize;
                        live[place] -= 1;
                        if live[place] > 1 || lists.need[place] == 0 {
                            continue;
                        }
                        if live[place] == 0 {
                            return Step::Fails;
                        }
                        let is_left = |&&left: &&u32| off[left as usize / 64] >> (left % 64) & 1 == 0;
                        let left = *lists.list(item).iter().find(is_left).expect("one is left");
                        let (word, bit) = (left as usize / 64, 1 << (left % 64));
                        if on[word] & bit == 0 {
                            on[word] |= bit;
                            self.edge.push(left);
                        }
                    }
                }
            }
        }
        std::mem::swap(&mut follower.edge, &mut self.edge);
        if follower.edge.is_empty() { Step::Over } else { Step::Open }
    }
}
