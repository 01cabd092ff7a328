//! Chains: X-chain, XY-chain, alternating inference chain (AIC), continuous loop, and the same with
//! groups and with almost locked sets.
//!
//! A chain begins with a node off and alternates strong and weak links, so that its last node is
//! on: one of both ends holds, and what has a weak link to both falls. If the ends have a weak link
//! themselves, the chain is a loop: exactly one end of each weak link holds. If both ends are the
//! same node, it holds.
//!
//! A breadth-first walk from each node finds the shortest chain to each other node. Each pair of
//! ends gives a step. A second walk makes the steps of the least score.
//!
//! Bound: the number of nodes times that of links. The score depends on the length only, so the
//! steps of the least score do not depend on the numbering. (Which of two chains of equal length
//! stands for a pair of ends does; for loops this decides which of several loops comes first.)

use std::collections::HashSet;

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::Candidate;
use crate::links::{Links, Reach, Walk};
use crate::search::Search;
use crate::step::{Chain, Group, Node, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const X: Family =
    Family { techniques: &[&X_CHAIN], find: |search| find(search, Reach::Digit) };
pub(crate) const XY: Family =
    Family { techniques: &[&XY_CHAIN], find: |search| find(search, Reach::Pairs) };
pub(crate) const ANY: Family =
    Family { techniques: &[&AIC, &CONTINUOUS_LOOP], find: |search| find(search, Reach::All) };
pub(crate) const GROUPED_X: Family =
    Family { techniques: &[&GROUPED_X_CHAIN], find: |search| find(search, Reach::GroupedDigit) };
pub(crate) const GROUPED: Family =
    Family { techniques: &[&GROUPED_AIC, &GROUPED_LOOP], find: |search| find(search, Reach::Grouped) };

pub(crate) const SETS: Family =
    Family { techniques: &[&AIC_WITH_SETS, &LOOP_WITH_SETS], find: |search| find(search, Reach::Sets) };

static X_CHAIN: Technique = Technique {
    name: "X-chain",
    score: 66,
    summary: "A chain of strong and weak links of one digit: one of its ends holds.",
    is_uniqueness: false,
    tell,
};

static XY_CHAIN: Technique = Technique {
    name: "XY-chain",
    score: 68,
    summary: "Cells of two candidates, each of which sees the next and shares a digit with it. One of \
              the two ends is the digit that they have in common.",
    is_uniqueness: false,
    tell,
};

static AIC: Technique = Technique {
    name: "AIC",
    score: 70,
    summary: "An alternating inference chain: strong links (one of two candidates holds) and weak \
              links (at most one holds) alternate, so one of its ends holds.",
    is_uniqueness: false,
    tell,
};

static CONTINUOUS_LOOP: Technique = Technique {
    name: "continuous loop",
    score: 70,
    summary: "An alternating chain whose ends have a weak link: exactly one end of each weak link \
              holds.",
    is_uniqueness: false,
    tell,
};

static GROUPED_X_CHAIN: Technique = Technique {
    name: "grouped X-chain",
    score: 72,
    summary: "An X-chain with nodes that are several cells of two houses.",
    is_uniqueness: false,
    tell,
};

static GROUPED_AIC: Technique = Technique {
    name: "grouped AIC",
    score: 72,
    summary: "An alternating inference chain with nodes that are several cells of two houses.",
    is_uniqueness: false,
    tell,
};

static GROUPED_LOOP: Technique = Technique {
    name: "grouped continuous loop",
    score: 72,
    summary: "A continuous loop with nodes that are several cells of two houses.",
    is_uniqueness: false,
    tell,
};

static AIC_WITH_SETS: Technique = Technique {
    name: "AIC with ALS",
    score: 82,
    summary: "An alternating inference chain with strong links in almost locked sets: \
              without one of its digits, such a set has all others.",
    is_uniqueness: false,
    tell,
};

static LOOP_WITH_SETS: Technique = Technique {
    name: "continuous loop with ALS",
    score: 82,
    summary: "A continuous loop with strong links in almost locked sets, whose other \
              digits are locked.",
    is_uniqueness: false,
    tell,
};

/// Returns the tenths that a chain of this length adds to the score of its technique: one for each
/// of 4, 6, 8, 12, 16, 24, ... that the length exceeds, as Sudoku Explainer does.
pub(crate) fn tenths(length: usize) -> u32 {
    let (mut tenths, mut bound) = (0, 4);
    while length > bound {
        tenths += 1;
        bound = if tenths % 2 == 1 { bound / 2 * 3 } else { bound / 3 * 4 };
    }
    tenths
}

impl Reach {
    /// Returns the least number of nodes of a chain: shorter ones have names of their own.
    fn least(self) -> usize {
        match self {
            Self::Digit | Self::GroupedDigit | Self::Conjugates => 6,
            Self::Pairs => 8,
            Self::All | Self::Grouped | Self::Sets | Self::OnlySets => 4,
        }
    }

    /// Returns the smaller graphs: a chain that one of them has, too, has its name there.
    fn rivals(self) -> &'static [Self] {
        match self {
            Self::Digit => &[Self::Conjugates],
            Self::GroupedDigit => &[Self::Digit],
            Self::All => &[Self::Digit, Self::Pairs],
            Self::Grouped => &[Self::All, Self::GroupedDigit],
            Self::Sets => &[Self::Grouped, Self::OnlySets],
            Self::Conjugates | Self::Pairs | Self::OnlySets => &[],
        }
    }

    /// Returns the technique.
    fn technique(self, is_loop: bool) -> &'static Technique {
        match (self, is_loop) {
            (Self::Digit | Self::Conjugates, _) => &X_CHAIN,
            (Self::GroupedDigit, _) => &GROUPED_X_CHAIN,
            (Self::Pairs, _) => &XY_CHAIN,
            (Self::All, false) => &AIC,
            (Self::All, true) => &CONTINUOUS_LOOP,
            (Self::Grouped, false) => &GROUPED_AIC,
            (Self::Grouped, true) => &GROUPED_LOOP,
            (Self::Sets | Self::OnlySets, false) => &AIC_WITH_SETS,
            (Self::Sets | Self::OnlySets, true) => &LOOP_WITH_SETS,
        }
    }

    /// Returns the score of a chain with this number of nodes.
    fn score(self, nodes: usize, is_loop: bool) -> u32 {
        // Cells of two candidates are easy to follow, and a loop shows its pattern: four cells and
        // loops of eight nodes count as the shortest chain.
        let free = if self == Self::Pairs || is_loop { 4 } else { 2 };
        self.technique(is_loop).score + tenths(nodes.saturating_sub(free))
    }
}

/// A chain that was found: its nodes are `nodes` entries of a list, from `start`.
#[derive(Clone, Copy, Debug)]
struct Found {
    is_loop: bool,
    nodes: usize,
    start: usize,
}

/// The lengths of chains from one node in the smaller graphs.
struct Rivals {
    reach: Reach,
    first: u32,
    lengths: [Vec<u32>; 2],
}

impl Rivals {
    /// Returns whether a chain with these ends and this length is one of this family.
    fn allow(&mut self, links: &Links<'_>, first: u32, last: u32, nodes: usize) -> bool {
        let is_loop = links.is_weak(first, last);
        let same_ends = links.node(first).1 == links.node(last).1;
        match self.reach {
            // XY-chains end with the digit that they begin with.
            Reach::Pairs => return same_ends,
            // Loops of four nodes are X-wings and pairs.
            Reach::All | Reach::Grouped | Reach::Sets if is_loop && nodes < 6 => return false,
            // Two digits of a cell that are linked in another cell are a hidden pair.
            Reach::All if nodes == 4 && links.node(first).0 == links.node(last).0 => return false,
            Reach::All if nodes == 6 && same_ends && links.is_w_wing(first, last) => return false,
            // Loops of one digit, or of cells of two candidates, are continuous loops, too.
            Reach::All if is_loop => return true,
            _ => {}
        }
        if self.first != first {
            self.first = first;
            for (&rival, lengths) in self.reach.rivals().iter().zip(&mut self.lengths) {
                links.lengths(rival, first, lengths);
            }
        }
        self.reach.rivals().iter().zip(&self.lengths).all(|(&rival, lengths)| {
            let has_chain = lengths[last as usize] as usize == nodes;
            !has_chain || matches!(rival, Reach::Pairs | Reach::OnlySets) && !same_ends
        })
    }
}

fn find(search: &mut Search<'_>, reach: Reach) -> Result<(), Limit> {
    if !search.wants(reach.score(reach.least(), true)) {
        return Ok(());
    }
    let links = Links::new(search.board(), reach);
    search.spend(links.len() as u64 * 100)?;
    let mut walk = Walk::new(&links);
    let mut rivals = Rivals { reach, first: u32::MAX, lengths: [Vec::new(), Vec::new()] };
    let mut found: Vec<Found> = Vec::new();
    let mut paths: Vec<u32> = Vec::new();
    let mut most = u32::MAX;
    for first in 0..links.len() as u32 {
        search.spend(1_000)?;
        walk.begin(first, false);
        for nodes in (2..).step_by(2) {
            let least = reach.score(nodes, true);
            if least > most || !search.wants(least) || walk.turn_on(&links).is_empty() {
                break;
            }
            for &last in walk.front() {
                if nodes < reach.least() || last < first || !concludes(&links, first, last) {
                    continue;
                }
                let is_loop = links.is_weak(first, last);
                let score = reach.score(nodes, is_loop);
                if score > most || !search.wants(score) || !rivals.allow(&links, first, last, nodes) {
                    continue;
                }
                if score < most && !search.wants_all() {
                    found.clear();
                    paths.clear();
                    most = score;
                }
                found.push(Found { is_loop, nodes, start: paths.len() });
                walk.add_path(last, true, &mut paths);
            }
            walk.turn_off(&links);
        }
    }
    found.sort_by_key(|found| (found.nodes, !found.is_loop));
    let mut known = HashSet::new();
    for Found { is_loop, nodes, start } in found {
        search.spend(1_000)?;
        let path = &paths[start..start + nodes];
        let (placed, removed) = conclusion(&links, path);
        if !known.insert((is_loop, placed.clone(), removed.clone())) {
            continue;
        }
        let mut step = Step::new(reach.technique(is_loop));
        step.score = reach.score(nodes, is_loop);
        step.chains = vec![links.chain(path, false, is_loop)];
        step.truths = links.truths(path, false).collect();
        step.houses = houses(&step.truths);
        step.groups = sets(&links, path);
        (step.placed, step.removed) = (placed, removed);
        search.offer(step);
    }
    Ok(())
}

/// Returns the almost locked sets that contain the strong links of a path, each once.
fn sets(links: &Links<'_>, path: &[u32]) -> Vec<Group> {
    let mut sets: Vec<(Cells, Digits)> =
        path.chunks_exact(2).filter_map(|pair| links.set(pair[0], pair[1])).collect();
    sets.sort_unstable();
    sets.dedup();
    let group = |(number, (cells, digits))| {
        let part = Part::Set(u8::try_from(number).unwrap_or(u8::MAX));
        Group { part, cells, digits }
    };
    sets.into_iter().enumerate().map(group).collect()
}

/// Returns the houses of facts, in order.
pub(crate) fn houses(truths: &[Truth]) -> Vec<usize> {
    let house = |truth: &Truth| match *truth {
        Truth::Place { house, .. } => Some(house),
        Truth::Cell(_) => None,
    };
    let mut houses: Vec<usize> = truths.iter().filter_map(house).collect();
    houses.sort_unstable();
    houses.dedup();
    houses
}

/// Returns whether a chain with these ends has a conclusion.
fn concludes(links: &Links<'_>, first: u32, last: u32) -> bool {
    first == last && !links.is_group(first) || links.has_common(first, last)
}

/// Returns the placements and the eliminations of a chain.
fn conclusion(links: &Links<'_>, path: &[u32]) -> (Vec<Candidate>, Vec<Candidate>) {
    let (first, last) = (path[0], path[path.len() - 1]);
    let mut removed = Vec::new();
    if first == last && !links.is_group(first) {
        return (links.candidate(first).into_iter().collect(), removed);
    }
    links.add_common(first, last, &mut removed);
    if links.is_weak(first, last) {
        // Weak links are those from on to off, after each strong one.
        path[1..].chunks_exact(2).for_each(|pair| links.add_common(pair[0], pair[1], &mut removed));
        // One end of each strong link is missing in its set, which therefore has all other digits.
        for pair in path.chunks_exact(2) {
            let Some((cells, digits)) = links.set(pair[0], pair[1]) else { continue };
            let ends = [links.node(pair[0]).1, links.node(pair[1]).1];
            for digit in digits.iter().filter(|digit| !ends.contains(digit)) {
                let spots = links.board().spots(digit);
                let seen = links.board().layout().common_peers(cells & spots) & spots;
                removed.extend(seen.iter().map(|cell| Candidate { cell, digit }));
            }
        }
    }
    removed.sort_unstable();
    removed.dedup();
    (Vec::new(), removed)
}

/// Writes that a node is on or off.
pub(crate) fn tell_node(words: &Words<'_>, node: &Node, is_on: bool) -> String {
    let (cells, digit) = (words.cells(node.cells), words.digit(node.digit));
    match (is_on, node.cells.len()) {
        (true, 1) => format!("{cells} is {digit}"),
        (false, 1) => format!("{cells} is not {digit}"),
        (true, _) => format!("{digit} stands in {cells}"),
        (false, _) => format!("{digit} does not stand in {cells}"),
    }
}

fn tell(step: &Step, words: &Words<'_>) -> String {
    let Some(Chain { nodes, is_loop }) = step.chains.first() else { return String::new() };
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return String::new() };
    let chain = words.chain(&Chain { nodes: nodes.clone(), is_loop: *is_loop });
    let set = |set: &Group| format!("{} ({})", words.cells(set.cells), words.digits(set.digits));
    let sets: Vec<String> = step.groups.iter().map(set).collect();
    let sets = match &sets[..] {
        [] => String::new(),
        [set] => format!(
            " The set {set} has one candidate more than cells: without one of its digits it has all \
             others."
        ),
        sets => format!(
            " The sets {} have one candidate more than cells: without one of its digits, each has all \
             others.",
            sets.join(", ")
        ),
    };
    let start = format!("{chain}.{sets} If {}, then", tell_node(words, first, false));
    let end = tell_node(words, last, true);
    if *is_loop {
        format!("{start} {end}, and so on around the loop: exactly one end of each weak link (-) holds")
    } else if (first.cells, first.digit) == (last.cells, last.digit) {
        format!("{start} {end}, so it is")
    } else if first.digit == last.digit {
        let (digit, cells) = (words.digit(first.digit), words.cells(first.cells));
        format!("{start} {end}, so {digit} stands in {cells} or in {}", words.cells(last.cells))
    } else {
        format!("{start} {end}, so one of both ends of the chain holds")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_grow_by_a_tenth_for_each_step_of_the_length() {
        let steps: Vec<u32> = [4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 25].map(tenths).to_vec();
        assert_eq!(steps, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
    }
}
