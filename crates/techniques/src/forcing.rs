//! Forcing chains: each candidate of a cell, or each place of a digit in a house, leads by a chain
//! of its own to the same conclusion.
//!
//! A breadth-first walk from each candidate gives the shortest chains to all others. For each cell
//! and each digit of a house, the sums of these lengths tell which conclusions are common.
//!
//! A candidate that leads by a chain to its own contradiction needs no technique here: such a chain
//! is an alternating inference chain (the links hold in both directions).
//!
//! Bound: a walk per candidate, and a table of the lengths between each two of at most `size`³
//! candidates.

use std::collections::HashSet;

use limits::Limit;

use crate::board::Candidate;
use crate::chains::{houses, tell_node};
use crate::links::{Links, Reach, Walk};
use crate::search::Search;
use crate::step::{Node, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family = Family { techniques: &[&CELL, &REGION], find };

static CELL: Technique = Technique {
    name: "cell forcing chain",
    score: 80,
    summary: "Each candidate of a cell leads by a chain to the same conclusion.",
    is_uniqueness: false,
    tell,
};

static REGION: Technique = Technique {
    name: "region forcing chain",
    score: 80,
    summary: "Each place of a digit in a house leads by a chain to the same conclusion.",
    is_uniqueness: false,
    tell,
};

/// Total numbers of nodes of which each adds a tenth to the score.
const LENGTHS: [u32; 4] = [12, 18, 24, 36];

fn score(total: u32) -> u32 {
    CELL.score + LENGTHS.iter().filter(|&&length| total > length).count() as u32
}

/// A common conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    /// The number of nodes of all chains.
    total: u32,
    truth: Truth,
    node: u32,
    is_on: bool,
}

/// The lengths of the shortest chains between each two candidates, in nodes; 0 if there is none.
struct Lengths {
    count: usize,
    on: Vec<u16>,
    off: Vec<u16>,
}

impl Lengths {
    fn new(search: &mut Search<'_>, links: &Links<'_>, walk: &mut Walk) -> Result<Self, Limit> {
        let count = links.len();
        let mut lengths = Self { count, on: vec![0; count * count], off: vec![0; count * count] };
        for first in 0..count {
            search.spend(3_000)?;
            walk.begin(first as u32, true);
            let row = first * count..(first + 1) * count;
            let (on, off) = (&mut lengths.on[row.clone()], &mut lengths.off[row]);
            for nodes in (2..=u16::MAX - 1).step_by(2) {
                walk.turn_off(links).iter().for_each(|&node| off[node as usize] = nodes);
                let new = walk.turn_on(links);
                new.iter().for_each(|&node| on[node as usize] = nodes + 1);
                if new.is_empty() {
                    break;
                }
            }
        }
        Ok(lengths)
    }

    fn row(&self, first: u32, is_on: bool) -> &[u16] {
        let table = if is_on { &self.on } else { &self.off };
        &table[first as usize * self.count..][..self.count]
    }
}

/// Returns the cells and the digits of houses with at least three candidates.
fn truths(links: &Links<'_>) -> Vec<(Truth, Vec<u32>)> {
    let board = links.board();
    let cells = board.open().iter().map(Truth::Cell);
    let places = (0..board.houses().len()).flat_map(|house| {
        board.layout().digits().iter().map(move |digit| Truth::Place { house, digit })
    });
    let with_nodes = cells.chain(places).map(|truth| (truth, links.choices(truth)));
    with_nodes.filter(|(_, nodes)| nodes.len() >= 3).collect()
}

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let links = Links::new(search.board(), Reach::All);
    let mut walk = Walk::new(&links);
    let lengths = Lengths::new(search, &links, &mut walk)?;
    let mut found: Vec<Found> = Vec::new();
    let mut most = u32::MAX;
    let mut sums = vec![0_u32; links.len()];
    for (truth, nodes) in truths(&links) {
        search.spend(nodes.len() as u64 * links.len() as u64 / 2)?;
        for is_on in [false, true] {
            sums.fill(0);
            for &node in &nodes {
                for (sum, &length) in sums.iter_mut().zip(lengths.row(node, is_on)) {
                    *sum = match length {
                        0 => u32::MAX,
                        length => sum.saturating_add(u32::from(length)),
                    };
                }
            }
            for (node, &total) in sums.iter().enumerate() {
                let node = node as u32;
                if total == u32::MAX || score(total) > most || nodes.contains(&node) {
                    continue;
                }
                if !search.wants(score(total)) {
                    continue;
                }
                if score(total) < most && !search.wants_all() {
                    most = score(total);
                    found.clear();
                }
                found.push(Found { total, truth, node, is_on });
            }
        }
    }
    found.sort_unstable();
    let mut known = HashSet::new();
    for Found { total, truth, node, is_on } in found {
        let technique = if matches!(truth, Truth::Cell(_)) { &CELL } else { &REGION };
        if !known.insert((technique.name, node, is_on)) {
            continue;
        }
        let mut step = Step::new(technique);
        step.score = score(total);
        step.truths = vec![truth];
        for first in links.choices(truth) {
            search.spend(3_000)?;
            let path = chain(&links, &mut walk, first, node, is_on);
            step.chains.push(links.chain(&path, true, false));
            step.truths.extend(links.truths(&path, true));
        }
        step.truths.sort_unstable();
        step.truths.dedup();
        step.houses = houses(&[truth]);
        let conclusion: Vec<Candidate> = links.candidate(node).into_iter().collect();
        if is_on {
            step.placed = conclusion;
        } else {
            step.removed = conclusion;
        }
        search.offer(step);
    }
    Ok(())
}

/// Returns the shortest chain from a node, on, to another one.
fn chain(links: &Links<'_>, walk: &mut Walk, first: u32, last: u32, is_on: bool) -> Vec<u32> {
    walk.begin(first, true);
    let mut path = Vec::new();
    loop {
        let has_off = walk.turn_off(links).contains(&last);
        if has_off && !is_on {
            break;
        }
        let new = walk.turn_on(links);
        if new.is_empty() || new.contains(&last) && is_on {
            break;
        }
    }
    walk.add_path(last, is_on, &mut path);
    path
}

fn tell(step: &Step, words: &Words<'_>) -> String {
    let ends =
        |chain: &crate::step::Chain| chain.nodes.first().copied().zip(chain.nodes.last().copied());
    let Some((first, last)) = step.chains.first().and_then(ends) else { return String::new() };
    let start = match step.houses.first() {
        Some(&house) => {
            format!("Each place of {} in {} leads to", words.digit(first.digit), words.house(house))
        }
        None => format!("Each candidate of {} leads to", words.cells(first.cells)),
    };
    let conclusion = |node: &Node| tell_node(words, node, node.is_on);
    let mut text = format!("{start} the same: {}", conclusion(&last));
    for chain in &step.chains {
        if let Some(first) = chain.nodes.first() {
            text.push_str(&format!("\nif {}: {}", conclusion(first), words.chain(chain)));
        }
    }
    text
}
