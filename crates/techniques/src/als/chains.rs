//! Three or more almost locked sets, each linked to the next by a restricted common.

use std::collections::HashSet;

use limits::Limit;

use super::sets::{Rows, Sets, ones};
use super::{is_bent, new_step, nodes, tell_set};
use crate::bits::{Cells, Digits};
use crate::board::Candidate;
use crate::search::Search;
use crate::step::{Part, Step};
use crate::technique::Technique;
use crate::words::Words;

/// Most sets of a chain; longer ones are beyond what people check.
pub(super) const LENGTH_MAX: usize = 8;

/// Sets of a wing.
const WING_LENGTH: usize = 3;

pub(super) static WING: Technique = Technique {
    name: "ALS-XY-wing",
    score: 74,
    summary: "An almost locked set has a restricted common x with a second set and y with a third. One \
              of these has z, so what sees all z of both is eliminated.",
    is_uniqueness: false,
    tell: tell_wing,
};

pub(super) static CHAIN: Technique = Technique {
    name: "ALS chain",
    score: 76,
    summary: "Four or more almost locked sets are linked one to the next by restricted commons. The \
              first or the last has z, so what sees all z of both is eliminated.",
    is_uniqueness: false,
    tell: tell_chain,
};

/// Returns the score of a chain: one tenth per set after the fourth.
fn score(length: usize) -> u32 {
    CHAIN.score + length.saturating_sub(WING_LENGTH + 1) as u32
}

/// An end of a chain: a set, and the digit that links it to the rest.
#[derive(Clone, Copy)]
struct ChainEnd {
    set: usize,
    link: usize,
}

/// The conclusions that were offered, with their scores: looking them up is faster than building
/// the step of another chain.
type Known = HashSet<(u32, Vec<Candidate>)>;

pub(super) fn find(search: &mut Search<'_>, sets: &Sets<'_>) -> Result<(), Limit> {
    let any = sets.strong.or(&sets.strong_single);
    let mut known = Known::new();
    for start in 0..sets.places.len() {
        if !sets.places[start].targets.is_empty() {
            search.spend(2_000)?;
            find_wings(search, sets, &any, start, &mut known)?;
        }
    }
    if !search.wants(CHAIN.score) {
        return Ok(());
    }
    let width = sets.places.len().div_ceil(64);
    let (mut layers, mut more) = (Layers::new(width), Layers::new(width));
    for start in 0..sets.places.len() {
        let most = (WING_LENGTH + 1..=LENGTH_MAX).rev().find(|&length| search.wants(score(length)));
        let Some(most) = most else { break };
        if sets.places[start].targets.is_empty() {
            continue;
        }
        search.spend(2_000)?;
        layers.begin(sets.strong_single.row(start), sets.strong.row(start));
        let mut hits = Vec::new();
        for level in 1..=most {
            if level > WING_LENGTH {
                let of_digit = &sets.of_digit[sets.places[start].digit];
                for end in common(layers.on(level, 1), of_digit).filter(|&end| end <= start) {
                    if sets.places[start].targets.meets(sets.places[end].targets) {
                        hits.push((end, level));
                    }
                }
            }
            if level == most || !layers.advance(sets, &any, level) {
                break;
            }
        }
        offer_chains(search, sets, &any, start, &hits, &mut more, &mut known)?;
    }
    Ok(())
}

/// Iterates over the common elements of two sets of places.
fn common<'w>(a: &'w [u64], b: &'w [u64]) -> impl Iterator<Item = usize> + 'w {
    a.iter().zip(b).enumerate().flat_map(|(number, (&a, &b))| {
        let word = [a & b];
        (0..64).filter(move |bit| word[0] >> bit & 1 == 1).map(move |bit| number * 64 + bit)
    })
}

fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// Offers the wings of which one end has the place `start` and the other one with a smaller number.
fn find_wings(
    search: &mut Search<'_>,
    sets: &Sets<'_>,
    any: &Rows,
    start: usize,
    known: &mut Known,
) -> Result<(), Limit> {
    let width = sets.places.len().div_ceil(64);
    let digit = sets.places[start].digit;
    let walk = |from: &[u64], rows: &Rows| {
        let mut to = vec![0; width];
        rows.add(from, &mut to);
        to
    };
    let second = walk(&walk(any.row(start), &sets.weak), any);
    let third = walk(&walk(&second, &sets.weak), any);
    let is_hit = |end: &usize| sets.places[start].targets.meets(sets.places[*end].targets);
    let ends = common(&third, &sets.of_digit[digit]).filter(|&end| end <= start);
    let ends: Vec<usize> = ends.filter(is_hit).collect();
    if ends.is_empty() {
        return Ok(());
    }
    for first in ends_at(sets, start) {
        search.spend(5_000)?;
        let lost = sets.weak.row(sets.place(first.set, first.link));
        let middle = walk(lost, any);
        for last in ends.iter().flat_map(|&end| ends_at(sets, end)) {
            let held = sets.weak.row(sets.place(last.set, last.link));
            if first.set != last.set && first.link != last.link && meet(&middle, held) {
                offer_wing(search, sets, first, last, known);
            }
        }
    }
    Ok(())
}

/// Iterates over the sets with a place, with each of their other digits.
fn ends_at<'s>(sets: &'s Sets<'_>, place: usize) -> impl Iterator<Item = ChainEnd> + 's {
    let digit = sets.places[place].digit;
    sets.sets_of[place].iter().flat_map(move |&set| {
        let set = usize::from(set);
        let links = sets.list[set].digits - Digits::one(digit);
        links.iter().map(move |link| ChainEnd { set, link })
    })
}

/// Returns what a chain with these ends eliminates.
fn removed(sets: &Sets<'_>, first: ChainEnd, last: ChainEnd) -> Vec<Candidate> {
    let shared = sets.list[first.set].digits & sets.list[last.set].digits;
    let shared = shared - Digits::one(first.link) - Digits::one(last.link);
    let mut removed = Vec::new();
    for digit in shared.iter() {
        let targets = sets.places[sets.place(first.set, digit)].targets;
        let targets = targets & sets.places[sets.place(last.set, digit)].targets;
        removed.extend(targets.iter().map(|cell| Candidate { cell, digit }));
    }
    removed.sort_unstable();
    removed
}

/// Offers the wing of two ends with the smallest middle set, if it is not a wing of single cells.
fn offer_wing(
    search: &mut Search<'_>,
    sets: &Sets<'_>,
    first: ChainEnd,
    last: ChainEnd,
    known: &mut Known,
) {
    let key = (WING.score, removed(sets, first, last));
    if key.1.is_empty() || known.contains(&key) || !search.wants(WING.score) {
        return;
    }
    let lost = sets.weak.row(sets.place(first.set, first.link));
    let held = sets.weak.row(sets.place(last.set, last.link));
    let is_middle = |set: usize| {
        let digits = sets.list[set].digits;
        let cells = [first.set, set, last.set].map(|set| sets.list[set].cells);
        set != first.set
            && set != last.set
            && digits.has(last.link)
            && held[sets.place(set, last.link) / 64] >> (sets.place(set, last.link) % 64) & 1 == 1
            && cells.iter().any(|cells| cells.len() > 1)
            && !is_bent(sets, &[first.set, set, last.set], Cells::NONE)
    };
    let middles = ones(lost).flat_map(|place| sets.sets_of[place].iter().map(|&set| usize::from(set)));
    let middle = middles.filter(|&set| is_middle(set)).min_by_key(|&set| sets.list[set].cells.len());
    if let Some(middle) = middle {
        let chain = [first.set, middle, last.set];
        offer(search, sets, &WING, &key, &chain, &[first.link, last.link]);
        known.insert(key);
    }
}

/// Offers a chain with its score and eliminations.
fn offer(
    search: &mut Search<'_>,
    sets: &Sets<'_>,
    technique: &'static Technique,
    (score, removed): &(u32, Vec<Candidate>),
    chain: &[usize],
    links: &[usize],
) {
    let Some(gone) = removed.first() else { return };
    let pairs: Vec<(usize, usize, usize)> =
        chain.windows(2).zip(links).map(|(pair, &link)| (pair[0], pair[1], link)).collect();
    let mut step = new_step(technique, sets, chain, &pairs);
    step.chains = vec![nodes(sets, chain, links, gone.digit, false)];
    step.score = *score;
    step.removed.clone_from(removed);
    search.offer(step);
}

/// The layers of a breadth-first search: for each level, and for chains without (0) and with (1) a
/// set of several cells, the places that a shortest chain reaches at this level.
struct Layers {
    width: usize,
    /// Places in which the digit stands after `level` sets.
    on: Vec<u64>,
    /// Places that lose the digit after `level` sets.
    off: Vec<u64>,
    seen_on: [Vec<u64>; 2],
    seen_off: [Vec<u64>; 2],
}

impl Layers {
    fn new(width: usize) -> Self {
        let layers = vec![0; 2 * (LENGTH_MAX + 1) * width];
        let none = || [vec![0; width], vec![0; width]];
        Self { width, on: layers.clone(), off: layers, seen_on: none(), seen_off: none() }
    }

    /// Starts with the places in which a digit stands after one set.
    fn begin(&mut self, single: &[u64], several: &[u64]) {
        self.on.fill(0);
        self.off.fill(0);
        for (flag, words) in [single, several].into_iter().enumerate() {
            let range = self.range(1, flag);
            self.on[range].copy_from_slice(words);
            self.seen_on[flag].copy_from_slice(words);
            self.seen_off[flag].fill(0);
        }
    }

    fn range(&self, level: usize, flag: usize) -> std::ops::Range<usize> {
        let from = (2 * level + flag) * self.width;
        from..from + self.width
    }

    fn on(&self, level: usize, flag: usize) -> &[u64] {
        &self.on[self.range(level, flag)]
    }

    fn off(&self, level: usize, flag: usize) -> &[u64] {
        &self.off[self.range(level, flag)]
    }

    /// Computes the next level; returns whether it has places.
    fn advance(&mut self, sets: &Sets<'_>, any: &Rows, level: usize) -> bool {
        for flag in 0..2 {
            let range = self.range(level, flag);
            sets.weak.add(&self.on[range.clone()], &mut self.off[range.clone()]);
            subtract(&mut self.off[range], &mut self.seen_off[flag]);
        }
        let [single, several] = [0, 1].map(|flag| self.range(level, flag));
        let next = [0, 1].map(|flag| self.range(level + 1, flag));
        sets.strong_single.add(&self.off[single.clone()], &mut self.on[next[0].clone()]);
        sets.strong.add(&self.off[single], &mut self.on[next[1].clone()]);
        any.add(&self.off[several], &mut self.on[next[1].clone()]);
        let mut is_more = false;
        for (flag, range) in next.into_iter().enumerate() {
            subtract(&mut self.on[range.clone()], &mut self.seen_on[flag]);
            is_more |= self.on[range].iter().any(|&word| word != 0);
        }
        is_more
    }
}

/// Removes the elements of `seen` from a set, and adds the rest to `seen`.
fn subtract(words: &mut [u64], seen: &mut [u64]) {
    for (word, seen) in words.iter_mut().zip(seen) {
        *word &= !*seen;
        *seen |= *word;
    }
}

fn has(words: &[u64], place: usize) -> bool {
    words[place / 64] >> (place % 64) & 1 == 1
}

/// Offers a chain for each two ends with the places of a hit: `start`, the other place, the length.
fn offer_chains(
    search: &mut Search<'_>,
    sets: &Sets<'_>,
    any: &Rows,
    start: usize,
    hits: &[(usize, usize)],
    layers: &mut Layers,
    known: &mut Known,
) -> Result<(), Limit> {
    let Some(most) = hits.iter().map(|&(_, length)| length).max() else { return Ok(()) };
    for first in ends_at(sets, start) {
        search.spend(5_000)?;
        let mut only = vec![0; layers.width];
        let place = sets.place(first.set, first.link);
        only[place / 64] |= 1 << (place % 64);
        let none = vec![0; layers.width];
        let is_single = sets.list[first.set].cells.len() == 1;
        if is_single {
            layers.begin(&only, &none);
        } else {
            layers.begin(&none, &only);
        }
        let mut reached = 1;
        while reached < most && layers.advance(sets, any, reached) {
            reached += 1;
        }
        for &(end, length) in hits {
            if !search.wants(score(length)) {
                continue;
            }
            for last in ends_at(sets, end).filter(|last| last.set != first.set) {
                let lost = sets.place(last.set, last.link);
                let is_single = sets.list[last.set].cells.len() == 1;
                let flags = if is_single { 1..2 } else { 0..2 };
                let flag = flags.into_iter().find(|&flag| has(layers.off(length - 1, flag), lost));
                let Some(flag) = flag else { continue };
                let key = (score(length), removed(sets, first, last));
                if key.1.is_empty() || known.contains(&key) {
                    continue;
                }
                let mut path = AlsPath { sets: vec![last.set], links: Vec::new() };
                if trace(search, sets, layers, first.set, (lost, length - 1, flag), &mut path)? {
                    path.sets.reverse();
                    path.links.reverse();
                    let AlsPath { sets: chain, links } = path;
                    offer(search, sets, &CHAIN, &key, &chain, &links);
                    known.insert(key);
                }
            }
        }
    }
    Ok(())
}

/// Sets, from the last to the first, and the digits that link them.
struct AlsPath {
    sets: Vec<usize>,
    links: Vec<usize>,
}

/// Extends a path of distinct sets back to the first set, depth first. The set at its end loses its
/// digit in a place after a number of sets, with a flag as in [`Layers`].
fn trace(
    search: &mut Search<'_>,
    sets: &Sets<'_>,
    layers: &Layers,
    first: usize,
    (lost, level, flag): (usize, usize, usize),
    path: &mut AlsPath,
) -> Result<bool, Limit> {
    search.spend(500)?;
    path.links.push(sets.places[lost].digit);
    if level == 1 {
        path.sets.push(first);
        if !is_bent(sets, &path.sets, Cells::NONE) {
            return Ok(true);
        }
        path.sets.pop();
        path.links.pop();
        return Ok(false);
    }
    // A chain without a set of several cells gets its first one here, or had one before.
    let steps: &[(usize, bool)] =
        if flag == 0 { &[(0, true)] } else { &[(1, true), (1, false), (0, false)] };
    for held in common(layers.on(level, flag), sets.weak.row(lost)) {
        let digit = sets.places[held].digit;
        for &(from, is_single) in steps {
            let rows = if is_single { &sets.strong_single } else { &sets.strong };
            for place in common(layers.off(level - 1, from), rows.row(held)) {
                for &set in &sets.sets_of[place] {
                    let als = &sets.list[usize::from(set)];
                    let is_this = als.digits.has(digit)
                        && usize::from(als.places[digit]) == held
                        && (als.cells.len() == 1) == is_single;
                    let set = usize::from(set);
                    if !is_this || set == first || path.sets.contains(&set) {
                        continue;
                    }
                    path.sets.push(set);
                    if trace(search, sets, layers, first, (place, level - 1, from), path)? {
                        return Ok(true);
                    }
                    path.sets.pop();
                }
            }
        }
    }
    path.links.pop();
    Ok(false)
}

fn tell_wing(step: &Step, words: &Words<'_>) -> String {
    let links: Vec<Digits> = step.part(Part::Link).map(|group| group.digits).collect();
    let link = |number: usize| links.get(number).map_or(String::new(), |&link| words.digits(link));
    format!(
        "The sets {}, {} and {} have one candidate more than cells; {} fits in only one of the first two \
         and {} in only one of the last two, so {} stands in the first or in the last",
        tell_set(step, words, 0),
        tell_set(step, words, 1),
        tell_set(step, words, 2),
        link(0),
        link(1),
        words.digits(gone(step)),
    )
}

fn tell_chain(step: &Step, words: &Words<'_>) -> String {
    let sets: Vec<String> = (0..step.groups.len())
        .map_while(|number| u8::try_from(number).ok())
        .take_while(|&number| step.part(Part::Set(number)).next().is_some())
        .map(|number| tell_set(step, words, number))
        .collect();
    let links: Vec<String> = step.part(Part::Link).map(|group| words.digits(group.digits)).collect();
    format!(
        "The sets {} have one candidate more than cells; between neighbours {} fit in only one of both, so \
         {} stands in the first or in the last",
        sets.join(", "),
        links.join(", "),
        words.digits(gone(step)),
    )
}

/// Returns the digits that a step eliminates.
pub(super) fn gone(step: &Step) -> Digits {
    step.removed.iter().map(|gone| gone.digit).collect()
}
