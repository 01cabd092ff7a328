//! Counts the ways to complete a grid for each state of the first band, with the second and the
//! third band together.
//!
//! For each stack, a state allows some pairs of splits of the other two boxes. For every
//! combination of three such pairs, the product of the filling counts of the second and of the
//! third band is added to the sum. States with the same first two splits are processed together, so
//! that the rows of both tables remain in the cache. Long counts spend nearly all their time here.
//!
//! A number of fillings is at most 216 for the first box times 56 for the other two. So a product
//! fits into 32 bits, the sum of the at most 56^3 products of a state into 64 bits, and the total
//! into 128 bits.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use limits::{Cores, Limit, Limits};

use super::alike::unpack;
use super::band::Band;
use super::first::StateWeight;
use super::stack::CompatibleSplits;
use crate::model::cores::on_all;

pub(super) struct Join<'a> {
    pub(super) second: &'a Band,
    pub(super) third: &'a Band,
    pub(super) couples: &'a [CompatibleSplits; 3],
}

impl Join<'_> {
    pub(super) fn sum(
        &self,
        states: &[StateWeight],
        limits: &Limits,
        cores: &Arc<Cores>,
    ) -> Result<u128, Limit> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        for (k, (state, _)) in states.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if states[group.start].0 >> 11 == state >> 11 => group.end = k + 1,
                _ => groups.push(k..k + 1),
            }
        }
        let taken = AtomicUsize::new(0);
        let work = |_| {
            let mut sum = 0;
            let mut room = Room::default();
            while let Some(group) = groups.get(taken.fetch_add(1, Relaxed)) {
                sum += self.group(&states[group.clone()], &mut room, limits)?;
            }
            Ok(sum)
        };
        on_all(cores, work).into_iter().sum()
    }

    fn group(&self, states: &[StateWeight], room: &mut Room, limits: &Limits) -> Result<u128, Limit> {
        let [first, second, _] = unpack(states[0].0);
        room.ends.clear();
        room.pairs.clear();
        for (state, _) in states {
            room.pairs.extend_from_slice(self.couples[2].of(unpack(*state)[2]));
            room.ends.push(room.pairs.len());
        }
        room.sums.clear();
        room.sums.resize(states.len(), 0);
        for &[a, b] in self.couples[0].of(first) {
            limits.check()?;
            let (thirds_a, thirds_b) = (self.second.third(a), self.third.third(b));
            room.renamed.clear();
            let renamed = |&[p, q]: &[u16; 2]| [thirds_a[usize::from(p)], thirds_b[usize::from(q)]];
            room.renamed.extend(room.pairs.iter().map(renamed));
            let (seconds_a, seconds_b) = (self.second.second(a), self.third.second(b));
            let (class_a, class_b) = (self.second.class(a), self.third.class(b));
            for &[p, q] in self.couples[1].of(second) {
                let row_a = self.second.row(class_a, seconds_a[usize::from(p)]);
                let row_b = self.third.row(class_b, seconds_b[usize::from(q)]);
                let (Some(row_a), Some(row_b)) = (row_a, row_b) else { continue };
                let mut start = 0;
                for (&end, sum) in room.ends.iter().zip(&mut room.sums) {
                    for &[k, l] in &room.renamed[start..end] {
                        *sum += u64::from(
                            u32::from(row_a[usize::from(k)]) * u32::from(row_b[usize::from(l)]),
                        );
                    }
                    start = end;
                }
            }
        }
        Ok(states
            .iter()
            .zip(&room.sums)
            .map(|((_, ways), &sum)| u128::from(*ways) * u128::from(sum))
            .sum())
    }
}

#[derive(Default)]
struct Room {
    pairs: Vec<[u16; 2]>,
    ends: Vec<usize>,
    renamed: Vec<[u16; 2]>,
    sums: Vec<u64>,
}
