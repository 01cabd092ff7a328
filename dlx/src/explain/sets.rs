//! Finds sets of two or three truths covered by equally many links: the subsets and fish of Sudoku,
//! generalized to exact covers. A *truth* is an item that needs exactly one more option, and a
//! *link* is an item that at most one more option may cover.
//!
//! # Method
//! If two links cover all options of a truth, the first link is an item of the truth's first
//! option, and the second is an item of its first option that the first link does not contain. So
//! only a few pairs and triples of links can cover a truth. Two disjoint truths covered by the same
//! pair form a set of two. Three truths covered by the same triple or its pairs form a set of
//! three.
//!
//! If two truths covered by the same pair exclude no option, they use up its links. So the truths
//! of a useful set of three are covered by the triple itself or by different pairs of its links. A
//! triple that is not the minimal cover of any truth consists of three pairs that form a triangle,
//! which the AND of two rows of a table of pairs finds.
//!
//! # Bounds
//! Truths with more than [`OPTIONS_MAX`] options are skipped, and at most [`ENTRIES_MAX`] pairs and
//! triples are kept. Beyond these bounds the result depends on the order of the items, but never on
//! time. States with more than [`TWOS_MAX`] items that have options left have no sets of two, and
//! states with more than [`THREES_MAX`] no sets of three.
//!
//! Source: sets of rank 0 after A. Barker. Tried and dropped: a search that adds links and truths
//! one by one (far more nodes).

use super::state::{Knowledge, OptionTable};
use super::step::{Reason, Step};
use super::view::{LeftView, ones};
use super::{forced, score};
use crate::limits::{Limit, Pace};
use crate::model::ItemId;

const OPTIONS_MAX: u32 = 64;
/// Maximum number of pairs, and of triples, that are kept.
const ENTRIES_MAX: usize = 1 << 18;
const PAIR_BITS: u32 = 21;
const TRIPLE_BITS: u32 = 14;
const TWOS_MAX: usize = (1 << PAIR_BITS) - 1;
const THREES_MAX: usize = (1 << TRIPLE_BITS) - 1;

const NONE: u32 = u32::MAX;
/// Means "no truth" in a triple.
const NO_TRUTH: u32 = (1 << TRIPLE_BITS) - 1;

/// Two or three links in ascending order and a truth that they cover, packed into one number for
/// sorting.
type Covered = u64;

#[derive(Clone, Debug, Default)]
pub(super) struct SetFinder {
    /// The items with options left, ascending. The index of an item is its number.
    items: Vec<ItemId>,
    links: Vec<u32>,
    /// Option `o` of the view has the links `starts[o] .. starts[o + 1]` of `option_links`.
    starts: Vec<u32>,
    option_links: Vec<u32>,
    /// For each truth, the maximum number of its options that another item contains.
    mosts: Vec<u32>,
    /// For each link, a bit set of the options that it shares with the current truth.
    shares: Vec<u64>,
    pairs: Vec<Covered>,
    triples: Vec<Covered>,
    index: PairIndex,
    /// For each hash of a triple of links, an upper bound for the number of truths that the triple
    /// covers.
    counts: Vec<u8>,
}

pub(super) struct Scene<'s> {
    pub(super) table: &'s OptionTable,
    pub(super) state: &'s Knowledge,
    pub(super) weights: &'s [u8],
}

impl SetFinder {
    pub(super) fn twos(
        &mut self,
        subject: &Scene<'_>,
        view: &mut LeftView,
        pace: &mut Pace<'_>,
    ) -> Result<Vec<Step>, Limit> {
        let Scene { table, state, .. } = *subject;
        self.items.clear();
        self.items.extend(table.problem.items().filter(|&item| state.live(item) > 0));
        self.pairs.clear();
        let mut steps = Vec::new();
        if self.items.len() > TWOS_MAX {
            return Ok(steps);
        }
        self.links.clear();
        self.links.resize(table.problem.item_count(), NONE);
        for (number, &item) in self.items.iter().enumerate() {
            if state.is_link(table, item) {
                self.links[item.index()] = number as u32;
            }
        }
        for counts in [&mut self.starts, &mut self.option_links, &mut self.mosts] {
            counts.clear();
        }
        self.starts.push(0);
        for option in 0..view.options.len() {
            let links = view.items(option).iter().map(|item| self.links[item.index()]);
            self.option_links.extend(links.filter(|&link| link != NONE));
            self.starts.push(self.option_links.len() as u32);
        }
        self.mosts.resize(self.items.len(), 0);
        self.shares.clear();
        self.shares.resize(self.items.len(), 0);
        self.cover::<2>(subject, view, pace)?;
        self.pairs.sort_unstable();
        self.pairs.dedup();
        for group in self.pairs.chunk_by(|one, other| one >> PAIR_BITS == other >> PAIR_BITS) {
            let links = [self.in_pair(group[0], 2), self.in_pair(group[0], 1)];
            for (place, &one) in group.iter().enumerate() {
                for &two in &group[place + 1..] {
                    pace.spend(20)?;
                    let (one, two) = (self.in_pair(one, 0), self.in_pair(two, 0));
                    if view.are_apart(one, two) {
                        push(&mut steps, subject, view, &[one, two], &links);
                    }
                }
            }
        }
        Ok(steps)
    }

    /// Finds all sets of three truths covered by three links. [`SetFinder::twos`] must have found
    /// no set before.
    pub(super) fn threes(
        &mut self,
        subject: &Scene<'_>,
        view: &mut LeftView,
        pace: &mut Pace<'_>,
    ) -> Result<Vec<Step>, Limit> {
        self.triples.clear();
        let mut steps = Vec::new();
        if self.items.len() > THREES_MAX {
            return Ok(steps);
        }
        self.index.fill(&self.pairs, self.items.len());
        pace.spend((self.items.len() * self.index.width) as u64)?;
        self.cover::<3>(subject, view, pace)?;
        self.drop_lone();
        self.add_circles(pace)?;
        self.triples.sort_unstable();
        self.triples.dedup();
        let mut truths = Vec::new();
        for group in self.triples.chunk_by(|&one, &other| links_of(one) == links_of(other)) {
            let links = [3, 2, 1].map(|place| in_triple(group[0], place));
            let [one, two, three] = links;
            let pairs = [[one, two], [one, three], [two, three]];
            let item = |number: u32| self.items[number as usize];
            truths.clear();
            let own = group.iter().map(|&entry| in_triple(entry, 0));
            truths.extend(own.filter(|&truth| truth != NO_TRUTH).map(item));
            let mut ends = [truths.len(); 4];
            for (place, pair) in pairs.into_iter().enumerate() {
                truths.extend(self.index.truths(&self.pairs, pair).map(item));
                ends[place + 1] = truths.len();
            }
            pace.spend(40 + 5 * truths.len() as u64)?;
            let links = links.map(item);
            // Either one truth needs all three links, or each pair of links covers one truth.
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

    /// Lists the pairs or triples of links that cover a truth minimally. Some pairs or triples may
    /// be listed several times.
    fn cover<const N: usize>(
        &mut self,
        subject: &Scene<'_>,
        view: &LeftView,
        pace: &mut Pace<'_>,
    ) -> Result<(), Limit> {
        let state = subject.state;
        let Self { items, starts, option_links, mosts, shares, pairs, triples, index, .. } = self;
        let mut touched: Vec<u32> = Vec::new();
        let mut options: Vec<usize> = Vec::new();
        for (number, &truth) in (0..).zip(&*items) {
            let live = state.live(truth);
            let is_known = N == 3 && mosts[number as usize] * 3 < live;
            if is_known || state.need(truth) != 1 || !(N as u32..=OPTIONS_MAX).contains(&live) {
                continue;
            }
            pace.spend(100)?;
            let links_of = |option: usize| {
                let links = &option_links[starts[option] as usize..starts[option + 1] as usize];
                links.iter().copied().filter(|&link| link != number)
            };
            options.clear();
            options.extend(ones(view.row(truth)));
            for (bit, &option) in options.iter().enumerate() {
                for link in links_of(option) {
                    let share = &mut shares[link as usize];
                    if *share == 0 {
                        touched.push(link);
                    }
                    *share |= 1 << bit;
                }
            }
            let next = |left: u64| options[left.trailing_zeros() as usize];
            let all = u64::MAX >> (64 - live);
            let most = touched.iter().map(|&link| shares[link as usize].count_ones()).max();
            mosts[number as usize] = most.unwrap_or(0);
            if mosts[number as usize] * N as u32 >= live {
                for one in links_of(options[0]) {
                    let left = all & !shares[one as usize];
                    if left == 0 {
                        continue;
                    }
                    for two in links_of(next(left)) {
                        let left = left & !shares[two as usize];
                        if N == 2 {
                            if left == 0 {
                                pairs.push(pair(one, two, number));
                            }
                            continue;
                        }
                        if left == 0 {
                            continue;
                        }
                        for three in links_of(next(left)) {
                            if left & !shares[three as usize] == 0 {
                                triples.push(triple(index, [one, two, three], number));
                            }
                        }
                    }
                }
            }
            touched.drain(..).for_each(|link| shares[link as usize] = 0);
            if if N == 2 { pairs.len() } else { triples.len() } > ENTRIES_MAX {
                break;
            }
        }
        pace.spend(20 * if N == 2 { pairs.len() } else { triples.len() } as u64)
    }

    /// Drops the triples with fewer than three truths, where each pair that covers a truth counts
    /// as one.
    fn drop_lone(&mut self) {
        let Self { triples, counts, .. } = self;
        counts.clear();
        counts.resize((2 * triples.len()).next_power_of_two().max(64), 0);
        let place = |triple: Covered| {
            let mixed = links_of(triple).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed >> 32) as usize & (counts.len() - 1)
        };
        let places: Vec<u32> = triples.iter().map(|&triple| place(triple) as u32).collect();
        for &place in &places {
            let count = &mut counts[place as usize];
            *count = count.saturating_add(1);
        }
        let mut places = places.iter();
        triples.retain(|&triple| {
            let place = *places.next().expect("there is a place for each triple");
            u64::from(counts[place as usize]) + pairs_of(triple) >= 3
        });
    }

    fn add_circles(&mut self, pace: &mut Pace<'_>) -> Result<(), Limit> {
        let Self { items, triples, index, .. } = self;
        for one in 0..items.len() as u32 {
            pace.spend(5 * index.width as u64)?;
            for two in ones(index.row(one)).map(|two| two as u32) {
                let row = index.row(one).iter().zip(index.row(two));
                for (word, both) in row.map(|(one, two)| one & two).enumerate() {
                    for three in ones(&[both]).map(|bit| (64 * word + bit) as u32) {
                        if triples.len() > ENTRIES_MAX {
                            return Ok(());
                        }
                        triples.push(triple(index, [one, two, three], NO_TRUTH));
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the truth of a pair (`place` 0), its second link (1) or its first link (2).
    fn in_pair(&self, pair: Covered, place: u32) -> ItemId {
        self.items[(pair >> (PAIR_BITS * place)) as usize & TWOS_MAX]
    }
}

/// An index of the pairs of links that cover a truth. A row of bits per link marks the larger links
/// that form a pair with it. A hash table contains the position of each pair's first truth in the
/// list of pairs.
#[derive(Clone, Debug, Default)]
struct PairIndex {
    places: Vec<u32>,
    rows: Vec<u64>,
    width: usize,
}

const FREE: u32 = u32::MAX;

impl PairIndex {
    fn fill(&mut self, pairs: &[Covered], item_count: usize) {
        self.width = item_count.div_ceil(64);
        self.rows.clear();
        self.rows.resize(self.width * item_count, 0);
        self.places.clear();
        self.places.resize((4 * pairs.len()).next_power_of_two().max(64), FREE);
        let mut before = None;
        for (number, &pair) in pairs.iter().enumerate() {
            let links = pair >> PAIR_BITS;
            if before.replace(links) == Some(links) {
                continue;
            }
            let (one, two) = ((links >> PAIR_BITS) as usize, links as usize & TWOS_MAX);
            self.rows[one * self.width + two / 64] |= 1 << (two % 64);
            let mut place = self.place(links);
            while self.places[place] != FREE {
                place = (place + 1) % self.places.len();
            }
            self.places[place] = number as u32;
        }
    }

    #[inline]
    fn row(&self, one: u32) -> &[u64] {
        &self.rows[one as usize * self.width..][..self.width]
    }

    #[inline]
    fn has(&self, one: u32, two: u32) -> bool {
        self.row(one)[two as usize / 64] >> (two % 64) & 1 == 1
    }

    #[inline]
    fn truths<'p>(&self, pairs: &'p [Covered], [one, two]: [u32; 2]) -> impl Iterator<Item = u32> + 'p {
        let links = u64::from(one) << PAIR_BITS | u64::from(two);
        let mut start = pairs.len();
        if self.has(one, two) {
            let mut place = self.place(links);
            while pairs[self.places[place] as usize] >> PAIR_BITS != links {
                place = (place + 1) % self.places.len();
            }
            start = self.places[place] as usize;
        }
        let same = pairs[start..].iter().take_while(move |&&other| other >> PAIR_BITS == links);
        same.map(|&other| other as u32 & TWOS_MAX as u32)
    }

    fn place(&self, links: u64) -> usize {
        (links.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.places.len() - 1)
    }
}

fn pair(one: u32, two: u32, truth: u32) -> Covered {
    let numbers = [one.min(two), one.max(two), truth];
    numbers.into_iter().fold(0, |all, number| all << PAIR_BITS | u64::from(number))
}

#[inline]
fn triple(index: &PairIndex, mut links: [u32; 3], truth: u32) -> Covered {
    links.sort_unstable();
    let [one, two, three] = links;
    let pairs = [(one, two), (one, three), (two, three)];
    let count = pairs.iter().filter(|&&(one, two)| index.has(one, two)).count();
    let numbers = links.into_iter().chain([truth]);
    numbers.fold(0, |all, number| all << TRIPLE_BITS | u64::from(number)) << 2 | count as u64
}

/// Returns the truth of a triple (`place` 0), or its third, second or first link (1 to 3).
fn in_triple(triple: Covered, place: u32) -> u32 {
    (triple >> (2 + TRIPLE_BITS * place)) as u32 & NO_TRUTH
}

fn links_of(triple: Covered) -> u64 {
    triple >> (2 + TRIPLE_BITS)
}

fn pairs_of(triple: Covered) -> u64 {
    triple & 3
}

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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::explain::locked;
    use crate::limits::Limits;
    use crate::model::{OptionId, ProblemBuilder};

    type Found = (Vec<ItemId>, Vec<ItemId>, Vec<OptionId>);

    fn choose<const N: usize>(items: &[ItemId]) -> Vec<Vec<ItemId>> {
        let mut all: Vec<Vec<ItemId>> = vec![Vec::new()];
        for &item in items {
            let longer = all.iter().filter(|some| some.len() < N);
            let longer = longer.map(|some| some.iter().copied().chain([item]).collect());
            all.extend(longer.collect::<Vec<_>>());
        }
        all.retain(|some| some.len() == N);
        all
    }

    fn all_sets<const N: usize>(table: &OptionTable, state: &Knowledge) -> BTreeSet<Found> {
        let options: Vec<OptionId> = state.options().collect();
        let items: Vec<ItemId> = table.problem.items().filter(|&item| state.live(item) > 0).collect();
        let truths: Vec<ItemId> = items.iter().copied().filter(|&item| state.need(item) == 1).collect();
        let links = choose::<N>(&items);
        let mut found = BTreeSet::new();
        let count = |option: OptionId, of: &[ItemId]| {
            of.iter().filter(|&&item| locked::has(&table.problem, option, item)).count()
        };
        for truths in choose::<N>(&truths) {
            if options.iter().any(|&option| count(option, &truths) > 1) {
                continue;
            }
            for links in links.iter().filter(|links| links.iter().all(|link| !truths.contains(link))) {
                let excess =
                    |&option: &OptionId| count(option, links) as i32 - count(option, &truths) as i32;
                if options.iter().all(|option| excess(option) >= 0) {
                    let off: Vec<OptionId> =
                        options.iter().copied().filter(|option| excess(option) > 0).collect();
                    if !off.is_empty() {
                        found.insert((truths.clone(), links.clone(), off));
                    }
                }
            }
        }
        found
    }

    #[test]
    fn all_sets_of_two_or_three_truths_that_exclude_options_are_found() {
        let mut rng = fastrand::Rng::with_seed(1);
        let (mut twos, mut threes) = (0, 0);
        for _ in 0..3000 {
            let mut builder = ProblemBuilder::new();
            let item_count = rng.usize(6..12);
            let items: Vec<ItemId> = (0..item_count)
                .map(|item| match rng.u8(0..4) {
                    0 => builder.secondary(&format!("i{item}")).expect("a new name"),
                    _ => builder.primary(&format!("i{item}")).expect("a new name"),
                })
                .collect();
            for _ in 0..rng.usize(item_count..2 * item_count + 4) {
                let mut of = items.clone();
                rng.shuffle(&mut of);
                builder.option(of[..rng.usize(2..4)].iter().copied()).expect("different items");
            }
            let table = OptionTable::new(&builder.build());
            let (state, limits) = (table.start(), Limits::new());
            let mut pace = Pace::new(&limits);
            let is_forced = |item| state.need(item) > 0 && state.live(item) <= 1;
            let steps = locked::find(&table, state, &[], &mut pace).expect("no limits");
            if table.problem.items().any(is_forced) || !steps.is_empty() {
                continue;
            }
            let mut view = LeftView::default();
            assert!(view.fill(&table, state));
            let (mut sets, subject) =
                (SetFinder::default(), Scene { table: &table, state, weights: &[] });
            let found = |steps: Vec<Step>| -> BTreeSet<Found> {
                let of = |step: Step| match step.reason {
                    Reason::Sets { truths, links } => (truths, links, step.off),
                    reason => panic!("{reason:?}"),
                };
                steps.into_iter().map(of).collect()
            };
            let text = crate::text::write(&table.problem);
            let two = found(sets.twos(&subject, &mut view, &mut pace).expect("no limits"));
            assert_eq!(two, all_sets::<2>(&table, state), "{text}");
            twos += two.len();
            if two.is_empty() {
                let three = found(sets.threes(&subject, &mut view, &mut pace).expect("no limits"));
                assert_eq!(three, all_sets::<3>(&table, state), "{text}");
                threes += three.len();
            }
        }
        assert!(twos > 30, "{twos}");
        assert!(threes > 30, "{threes}");
    }
}
