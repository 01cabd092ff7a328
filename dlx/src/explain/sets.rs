//! Two or three truths that are covered by as many links: subsets and fish of Sudoku, and their like in any exact cover.
//!
//! # The method
//! If two links have all options of a truth, each of them has an option of it: the first link is one of the items of the
//! first option, the second one of the items of the first option that the first link leaves. So the pairs of links that cover a
//! truth are few, and so are the triples. All pairs and triples with their truths are sorted; two truths that are apart under the same pair
//! make a set of two, three under the same triple or under its pairs a set of three. Triples that cover no truth strictly
//! come from three pairs that share their links in a circle.
//!
//! # Bounds
//! A truth of more than [`OPTIONS_MAX`] options is not looked at, and no more than [`ENTRIES_MAX`] pairs and triples are kept: what is
//! found then depends on the order of the items, but never on time.
//!
//! Source: sets of rank 0 after A. Barker. Tried and dropped: a search that adds links and truths one by one; it went through
//! 9,400 nodes a Sudoku where this looks at some hundred pairs.

use super::state::{Knowledge, OptionTable};
use super::step::{Reason, Step};
use super::view::{LeftView, ones};
use super::{forced, score};
use crate::limits::{Limit, Pace};
use crate::model::ItemId;

/// The most options of a truth that is looked at.
const OPTIONS_MAX: u32 = 64;
/// The most pairs, and the most triples, that are kept.
const ENTRIES_MAX: usize = 1 << 18;

/// Two or three links, which ascend, and a truth that they cover, as one number that sorts fast: 32 bits each, the truth last.
type Covered = u128;

/// All truths that two or three links cover.
#[derive(Clone, Debug, Default)]
pub(super) struct SetFinder {
    pairs: Vec<Covered>,
    triples: Vec<Covered>,
    index: PairIndex,
    first: Vec<u64>,
    second: Vec<u64>,
    third: Vec<u64>,
}

/// What is looked at.
pub(super) struct Scene<'s> {
    pub(super) table: &'s OptionTable,
    pub(super) state: &'s Knowledge,
    pub(super) weights: &'s [u8],
}

impl SetFinder {
    /// Finds all sets of two truths under two links.
    pub(super) fn twos(
        &mut self,
        subject: &Scene<'_>,
        view: &mut LeftView,
        pace: &mut Pace<'_>,
    ) -> Result<Vec<Step>, Limit> {
        self.cover::<2>(subject, view, pace)?;
        let mut steps = Vec::new();
        for group in self.pairs.chunk_by(|one, other| one >> 32 == other >> 32) {
            let links = [item_of(group[0], 2), item_of(group[0], 1)];
            for (place, &one) in group.iter().enumerate() {
                for &two in &group[place + 1..] {
                    pace.spend(20)?;
                    let (one, two) = (item_of(one, 0), item_of(two, 0));
                    if view.are_apart(one, two) {
                        push(&mut steps, subject, view, &[one, two], &links);
                    }
                }
            }
        }
        Ok(steps)
    }

    /// Finds all sets of three truths under three links, after [`SetFinder::twos`] found nothing.
    pub(super) fn threes(
        &mut self,
        subject: &Scene<'_>,
        view: &mut LeftView,
        pace: &mut Pace<'_>,
    ) -> Result<Vec<Step>, Limit> {
        self.cover::<3>(subject, view, pace)?;
        self.index.fill(&self.pairs);
        self.add_circles(pace)?;
        let mut steps = Vec::new();
        let mut truths = Vec::new();
        for group in self.triples.chunk_by(|one, other| one >> 32 == other >> 32) {
            let links @ [one, two, three] =
                [item_of(group[0], 3), item_of(group[0], 2), item_of(group[0], 1)];
            let pairs = [[one, two], [one, three], [two, three]];
            truths.clear();
            // A triple without a truth of its own stands for its pairs.
            truths.extend(group.iter().map(|&entry| item_of(entry, 0)).filter(|&item| item != NONE));
            let mut ends = [truths.len(); 4];
            for (place, pair) in pairs.into_iter().enumerate() {
                truths.extend(self.index.truths(&self.pairs, pair));
                ends[place + 1] = truths.len();
            }
            pace.spend(40 + 5 * truths.len() as u64)?;
            // One truth takes all three links, or each pair of links has one: two under the same pair were a set of two.
            for first in 0..ends[1] {
                let is_own = first < ends[0];
                let seconds = if is_own { first + 1..truths.len() } else { ends[1]..ends[2] };
                for second in seconds {
                    if !view.are_apart(truths[first], truths[second]) {
                        continue;
                    }
                    for third in if is_own { second + 1 } else { ends[2] }..truths.len() {
                        pace.spend(20)?;
                        let three = [truths[first], truths[second], truths[third]];
                        if view.are_apart(three[0], three[2]) && view.are_apart(three[1], three[2]) {
                            push(&mut steps, subject, view, &three, &links);
                        }
                    }
                }
            }
        }
        Ok(steps)
    }

    /// Lists the pairs or the triples of links that cover a truth, and no fewer do.
    fn cover<const N: usize>(
        &mut self,
        subject: &Scene<'_>,
        view: &LeftView,
        pace: &mut Pace<'_>,
    ) -> Result<(), Limit> {
        let Scene { table, state, .. } = *subject;
        let Self { pairs, triples, first, second, third, .. } = self;
        let found = if N == 2 { pairs } else { triples };
        found.clear();
        for truth in table.problem.items() {
            let live = state.live(truth);
            if state.need(truth) != 1 || !(N as u32..=OPTIONS_MAX).contains(&live) {
                continue;
            }
            pace.spend(100)?;
            let is_link = |link: ItemId| link != truth && state.is_link(table, link);
            // Links that have too few of its options cannot cover it.
            let row = view.row(truth);
            let shared = |link: ItemId| {
                let words = row.iter().zip(view.row(link));
                words.map(|(one, other)| (one & other).count_ones()).sum::<u32>()
            };
            if live > N as u32 {
                let links = ones(row).flat_map(|option| view.items(option));
                let most = links.filter(|&&link| link != truth).map(|&link| shared(link)).max();
                if most.unwrap_or(0) * (N as u32) < live {
                    continue;
                }
            }
            let Some(start) = ones(row).next() else { continue };
            for &one in view.items(start).iter().filter(|&&item| is_link(item)) {
                let Some(next) = without(row, view.row(one), first) else { continue };
                for &two in view.items(next).iter().filter(|&&item| is_link(item)) {
                    let last = without(first, view.row(two), second);
                    if N == 2 {
                        if last.is_none() {
                            found.push(packed(&mut [one, two], truth));
                        }
                        continue;
                    }
                    let Some(last) = last else { continue };
                    for &three in view.items(last).iter().filter(|&&item| is_link(item)) {
                        if without(second, view.row(three), third).is_none() {
                            found.push(packed(&mut [one, two, three], truth));
                        }
                    }
                }
            }
            if found.len() > ENTRIES_MAX {
                break;
            }
        }
        pace.spend(20 * found.len() as u64)?;
        found.sort_unstable();
        found.dedup();
        Ok(())
    }

    /// Adds the triples each of whose pairs covers a truth.
    fn add_circles(&mut self, pace: &mut Pace<'_>) -> Result<(), Limit> {
        let mut before = 0;
        while before < self.pairs.len() {
            let one = item_of(self.pairs[before], 2);
            let group = self.pairs[before..].iter();
            let end = before + group.take_while(|&&pair| item_of(pair, 2) == one).count();
            for second in before..end {
                pace.spend(10 * (end - second) as u64)?;
                for third in second + 1..end {
                    let (two, three) = (item_of(self.pairs[second], 1), item_of(self.pairs[third], 1));
                    let is_new = two != three && self.triples.len() <= ENTRIES_MAX;
                    if is_new && self.index.truths(&self.pairs, [two, three]).next().is_some() {
                        self.triples.push(packed(&mut [one, two, three], NONE));
                    }
                }
            }
            before = end;
        }
        self.triples.sort_unstable();
        self.triples.dedup();
        Ok(())
    }
}

/// Where the truths of each pair stand: a table of hashes, each with the place of the first truth in the list of pairs.
///
/// Bound: 16 bytes a pair.
#[derive(Clone, Debug, Default)]
struct PairIndex(Vec<u32>);

/// Stands for no place in the list of pairs, which has fewer.
const FREE: u32 = u32::MAX;

impl PairIndex {
    fn fill(&mut self, pairs: &[Covered]) {
        self.0.clear();
        self.0.resize((4 * pairs.len()).next_power_of_two().max(64), FREE);
        let mut before = None;
        for (number, &pair) in pairs.iter().enumerate() {
            let links = [item_of(pair, 2), item_of(pair, 1)];
            if before.replace(links) != Some(links) {
                let mut place = self.place(links);
                while self.0[place] != FREE {
                    place = (place + 1) % self.0.len();
                }
                self.0[place] = number as u32;
            }
        }
    }

    /// Iterates over the truths under a pair, whose links ascend.
    #[inline]
    fn truths<'p>(
        &self,
        pairs: &'p [Covered],
        links: [ItemId; 2],
    ) -> impl Iterator<Item = ItemId> + 'p {
        let key = links.iter().fold(0, |key, link| key << 32 | link.index() as u128);
        let mut place = self.place(links);
        let mut start = pairs.len();
        while self.0[place] != FREE {
            let number = self.0[place] as usize;
            if pairs[number] >> 32 == key {
                start = number;
                break;
            }
            place = (place + 1) % self.0.len();
        }
        let same = pairs[start..].iter().take_while(move |&&other| other >> 32 == key);
        same.map(|&other| item_of(other, 0))
    }

    fn place(&self, [one, other]: [ItemId; 2]) -> usize {
        let mixed = (one.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (other.index() as u64);
        (mixed.wrapping_mul(0xd1b5_4a32_d192_ed03) >> 32) as usize & (self.0.len() - 1)
    }
}

/// Stands for no truth; problems have fewer items.
const NONE: ItemId = ItemId::new(u32::MAX as usize);

/// Makes one number of links and a truth.
fn packed(links: &mut [ItemId], truth: ItemId) -> Covered {
    links.sort_unstable();
    let items = links.iter().chain([&truth]);
    items.fold(0, |number, item| number << 32 | item.index() as u128)
}

/// Returns the truth, for 0, or the link that stands so many places before it.
fn item_of(covered: Covered, place: u32) -> ItemId {
    ItemId::new((covered >> (32 * place)) as u32 as usize)
}

/// Adds the step of some truths and as many links, if there is something to exclude.
fn push(
    steps: &mut Vec<Step>,
    subject: &Scene<'_>,
    view: &mut LeftView,
    truths: &[ItemId],
    links: &[ItemId],
) {
    if view.are_used_up(truths, links) {
        return;
    }
    let off = view.excluded(truths, links, 0);
    if off.is_empty() {
        return;
    }
    let Scene { table, state, weights } = *subject;
    let mut truths = truths.to_vec();
    truths.sort_unstable();
    let is_heavy = |item: &ItemId| weights.get(item.index()).is_some_and(|&w| w >= score::HEAVY);
    let forces = truths.len() == 2 && forced::forces(table, state, weights, &off);
    let score = score::covered(truths.len(), truths.iter().all(is_heavy), forces);
    let reason = Reason::Sets { truths, links: links.to_vec() };
    steps.push(Step { reason, on: Vec::new(), off, score, choices: 1 });
}

/// Writes what is left of a row without another one, and returns its first option, if any.
fn without(row: &[u64], other: &[u64], rest: &mut Vec<u64>) -> Option<usize> {
    rest.clear();
    rest.extend(row.iter().zip(other).map(|(row, other)| row & !other));
    ones(rest).next()
}
