//! Enumerates the states of the first band, with the number of fillings for each.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use limits::{Cores, Limit, Limits};

use super::alike::{BandExchanges, Links, State, links, orders, unpack};
use super::band::Band;
use super::split::SPLITS_ALL;
use super::stack::CompatibleSplits;
use crate::model::cores::on_all;

/// A representative state, and the number of fillings of the first band whose state is in its
/// class.
pub(super) type StateWeight = (State, u64);

/// Number of states after which a thread first merges equal states in its results.
const MERGE_MIN: usize = 1 << 16;
/// Number of merged states that ends a round.
const ROUND_MAX: usize = 1 << 21;
/// Number of states that are replaced by their representatives between two checks of the limits.
const CHECKED: usize = 1 << 10;
const SHARE: usize = 8;

pub(super) struct First<'a> {
    band: &'a Band,
    alike: &'a BandExchanges,
    /// Links between neighboring digits that are equivalent in all bands. Only one order of linked
    /// digits is visited.
    same: Links,
    splits: [Vec<Split>; 3],
    taken: AtomicUsize,
}

struct Split {
    split: u16,
    place: u16,
    /// Bit d of `ties` means that digits d and d + 1 have the same column, and bit d of `falls`
    /// that the column of digit d + 1 is smaller.
    ties: Links,
    falls: Links,
}

impl<'a> First<'a> {
    pub(super) fn new(
        band: &'a Band,
        couples: &[CompatibleSplits; 3],
        alike: &'a BandExchanges,
        same: Links,
    ) -> Self {
        let splits = [0, 1, 2].map(|nth| {
            let splits = (0..).zip(band.splits(nth)).map(|(place, &split)| Split::new(split, place));
            splits.filter(|split| !couples[nth].of(split.split).is_empty()).collect()
        });
        Self { band, alike, same, splits, taken: AtomicUsize::new(0) }
    }

    /// Enumerates states until all are visited or the round is full. Returns the representatives in
    /// ascending order, each with the number of fillings of its class. Returns an empty list if all
    /// states were visited in earlier rounds.
    pub(super) fn round(&self, limits: &Limits, cores: &Arc<Cores>) -> Result<Vec<StateWeight>, Limit> {
        let mut all = Vec::new();
        for states in
            on_all(cores, |threads| self.work(limits, (ROUND_MAX / threads).max(2 * MERGE_MIN)))
        {
            all.append(&mut states?);
        }
        all.sort();
        merge(&mut all);
        Ok(all)
    }

    fn work(&self, limits: &Limits, max: usize) -> Result<Vec<StateWeight>, Limit> {
        let [firsts, seconds, thirds] = &self.splits;
        let (mut states, mut merge_at) = (Vec::new(), MERGE_MIN);
        while merge_at < max {
            let start = self.taken.fetch_add(SHARE, Relaxed);
            if start >= firsts.len() * seconds.len() {
                break;
            }
            limits.check()?;
            for pair in start..(start + SHARE).min(firsts.len() * seconds.len()) {
                let (first, second) = (&firsts[pair / seconds.len()], &seconds[pair % seconds.len()]);
                let linked = self.same & first.ties;
                if first.falls & self.same != 0 || second.falls & linked != 0 {
                    continue;
                }
                self.visit(first, second, thirds, linked & second.ties, &mut states);
            }
            if states.len() >= merge_at {
                states.sort_unstable();
                merge(&mut states);
                merge_at = (2 * states.len()).max(MERGE_MIN);
            }
        }
        // The few exchanges of level 1 merge most states, so the many exchanges of level 2 are
        // applied to few states.
        for level in 1..3 {
            states.sort_unstable();
            merge(&mut states);
            for share in states.chunks_mut(CHECKED).filter(|_| self.alike.has_exchanges()) {
                limits.check()?;
                share
                    .iter_mut()
                    .for_each(|(state, _)| *state = self.alike.standard(unpack(*state), level));
            }
        }
        states.sort_unstable();
        merge(&mut states);
        Ok(states)
    }

    fn visit(
        &self,
        first: &Split,
        second: &Split,
        thirds: &[Split],
        linked: Links,
        states: &mut Vec<StateWeight>,
    ) {
        let renamed = self.band.third(first.place);
        let second_place = self.band.second(first.place)[usize::from(second.place)];
        let Some(row) = self.band.row(self.band.class(first.place), second_place) else { return };
        for third in thirds.iter().filter(|third| third.falls & linked == 0) {
            let ways = row[usize::from(renamed[usize::from(third.place)])];
            if ways > 0 {
                let orders = orders(self.same) / orders(linked & third.ties);
                let state = self.alike.standard([first.split, second.split, third.split], 0);
                states.push((state, orders * u64::from(ways)));
            }
        }
    }
}

impl Split {
    fn new(split: u16, place: u16) -> Self {
        let columns = SPLITS_ALL.columns(split);
        let falls = (0..8).fold(0, |falls, k| falls | u8::from(columns[k] > columns[k + 1]) << k);
        Self { split, place, ties: links(columns), falls }
    }
}

fn merge(states: &mut Vec<StateWeight>) {
    states.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0 };
        is_same
    });
}
