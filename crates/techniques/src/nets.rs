//! Nets: a supposition and its consequences, each of which may need several reasons.
//!
//! From the supposition, digits are placed as naked and hidden singles only. A Nishio follows one
//! digit; a dynamic contradiction follows all; a dynamic forcing net finds what both candidates of
//! a cell, or both places of a digit, have in common.
//!
//! The cost of a placement is the number of facts used for it, each counted as often as it is used:
//! so the least cost does not depend on the order of the search. Dijkstra's algorithm finds it: a
//! candidate falls with the cheapest placement that excludes it, and a fact whose candidates all
//! fell but one places that one, at the sum of their costs plus 1 (Knuth's generalization to
//! superior functions). The steps show each used fact once.
//!
//! Bound: a run per candidate, each with at most as many placements as candidates.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use limits::Limit;

use crate::chains::{houses, tenths};
use crate::links::{Links, Reach};
use crate::search::Search;
use crate::step::{Inference, Net, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const ONE_DIGIT: Family = Family { techniques: &[&NISHIO], find: find_nishio };
pub(crate) const DYNAMIC: Family =
    Family { techniques: &[&CONTRADICTION, &FORCING], find: find_dynamic };

static NISHIO: Technique = Technique {
    name: "Nishio",
    score: 75,
    summary: "If a digit stood in the cell, it would have no place left in some house.",
    is_uniqueness: false,
    tell: tell_contradiction,
};

static CONTRADICTION: Technique = Technique {
    name: "dynamic contradiction",
    score: 90,
    summary: "A supposition leads by singles to a cell without candidates, or to a digit without a \
              place in a house.",
    is_uniqueness: false,
    tell: tell_contradiction,
};

static FORCING: Technique = Technique {
    name: "dynamic forcing net",
    score: 90,
    summary: "Both candidates of a cell, or both places of a digit in a house, lead by singles to the \
              same conclusion.",
    is_uniqueness: false,
    tell: tell_forcing,
};

/// How much the length of a net adds to its score, relative to the same length of a chain.
#[derive(Clone, Copy)]
struct Growth {
    /// Thirds of what the length adds to a chain.
    thirds: u32,
    /// Most tenths.
    most: u32,
}

/// A Nishio stays below forcing chains.
const NISHIO_GROWTH: Growth = Growth { thirds: 3, most: 4 };
/// The longest nets are near case splits that Sudoku Explainer rates like them: puzzles that it
/// rates 9.4 to 9.6.
const NET_GROWTH: Growth = Growth { thirds: 2, most: 9 };
/// Largest cost of a placement, in facts; keeps sums of costs far from overflow. Costs of more than
/// some hundred have the same score.
const COST_MAX: u32 = 1 << 20;

/// Returns the score of a net with this number of facts.
fn score(base: u32, growth: Growth, cost: u32) -> u32 {
    let tenths = tenths(2 * cost.min(COST_MAX) as usize - 2);
    base + (tenths * growth.thirds / 3).min(growth.most)
}

/// Not reached.
const NEVER: u32 = u32::MAX;

/// A truth with its candidates.
struct OpenFact {
    truth: Truth,
    nodes: Vec<u32>,
}

/// NetRuns from suppositions over one position.
struct NetRuns<'l> {
    links: &'l Links<'l>,
    facts: Vec<OpenFact>,
    /// For each candidate, the facts that contain it.
    facts_of: Vec<Vec<u32>>,
    /// For each candidate, the cost to place it and to exclude it.
    on: Vec<u32>,
    off: Vec<u32>,
    /// For each placed candidate, the fact that places it.
    cause: Vec<u32>,
    /// For each excluded candidate, the placement that excludes it.
    killer: Vec<u32>,
    /// The placements in order.
    order: Vec<u32>,
    /// For each fact, the number of candidates that did not fall, and the cost of the others.
    left: Vec<u16>,
    sum: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// The cheapest fact without candidates, and its cost.
    failed: Option<(u32, u32)>,
}

impl<'l> NetRuns<'l> {
    fn new(links: &'l Links<'l>, with_cells: bool) -> Self {
        let board = links.board();
        let cells = board.open().iter().filter(|_| with_cells).map(Truth::Cell);
        let places = (0..board.houses().len()).flat_map(|house| {
            board.layout().digits().iter().map(move |digit| Truth::Place { house, digit })
        });
        let mut facts: Vec<OpenFact> = Vec::new();
        let mut facts_of = vec![Vec::new(); links.len()];
        for truth in cells.chain(places) {
            let nodes = links.choices(truth);
            if !nodes.is_empty() {
                nodes.iter().for_each(|&node| facts_of[node as usize].push(facts.len() as u32));
                facts.push(OpenFact { truth, nodes });
            }
        }
        let (count, fact_count) = (links.len(), facts.len());
        Self {
            links,
            facts,
            facts_of,
            on: vec![NEVER; count],
            off: vec![NEVER; count],
            cause: vec![NEVER; count],
            killer: vec![NEVER; count],
            order: Vec::with_capacity(count),
            left: vec![0; fact_count],
            sum: vec![0; fact_count],
            queue: BinaryHeap::with_capacity(count),
            failed: None,
        }
    }

    /// Supposes a candidate, and follows it to consequences of at most this cost; or, if asked, to
    /// the cheapest contradiction.
    fn run(&mut self, start: u32, most: u32, stops: bool) {
        self.on.fill(NEVER);
        self.off.fill(NEVER);
        self.order.clear();
        self.queue.clear();
        self.failed = None;
        for (fact, (left, sum)) in self.left.iter_mut().zip(&mut self.sum).enumerate() {
            (*left, *sum) = (self.facts[fact].nodes.len() as u16, 0);
        }
        self.queue.push(Reverse((0, start, NEVER)));
        for (number, fact) in self.facts.iter().enumerate() {
            if let &[single] = fact.nodes.as_slice() {
                self.queue.push(Reverse((1, single, number as u32)));
            }
        }
        while let Some(Reverse((cost, node, cause))) = self.queue.pop() {
            if stops && self.failed.is_some_and(|(least, _)| least <= cost) {
                break;
            }
            if self.on[node as usize] != NEVER {
                continue;
            }
            self.on[node as usize] = cost;
            self.cause[node as usize] = cause;
            self.order.push(node);
            self.exclude(node, cost, most);
        }
    }

    /// Excludes what a placement sees.
    fn exclude(&mut self, node: u32, cost: u32, most: u32) {
        let links = self.links;
        for (word, &row) in links.weak(node).iter().enumerate() {
            let mut bits = row;
            while bits != 0 {
                let other = word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                if self.off[other as usize] != NEVER {
                    continue;
                }
                self.off[other as usize] = cost;
                self.killer[other as usize] = node;
                for &fact in &self.facts_of[other as usize] {
                    let (left, sum) = (&mut self.left[fact as usize], &mut self.sum[fact as usize]);
                    *left -= 1;
                    *sum = (*sum + cost).min(COST_MAX);
                    let (left, total) = (*left, *sum + 1);
                    if left == 0 && self.failed.is_none_or(|(least, _)| total < least) {
                        self.failed = Some((total, fact));
                    }
                    if left > 1 {
                        continue;
                    }
                    // The last candidate is placed. If several fell last at the same cost, each of
                    // them is, so that their order does not matter.
                    for &last in &self.facts[fact as usize].nodes {
                        let off = self.off[last as usize];
                        let total = match left {
                            0 if off == cost => total - off,
                            1 if off == NEVER => total,
                            _ => continue,
                        };
                        if total <= most {
                            self.queue.push(Reverse((total, last, fact)));
                        }
                    }
                }
            }
        }
    }

    /// Returns the placements of the last run that some placements need, in order.
    fn net(&self, ends: Vec<u32>, failed: Option<u32>) -> Option<Net> {
        let mut is_used = vec![false; self.links.len()];
        let mut open = ends;
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut is_used[node as usize], true) {
                continue;
            }
            if let Some(fact) = self.facts.get(self.cause[node as usize] as usize) {
                open.extend(self.killers(fact, node));
            }
        }
        let start = self.order.first().and_then(|&node| self.links.candidate(node))?;
        let inferences = self.order.iter().skip(1).filter(|&&node| is_used[node as usize]);
        let inferences = inferences.filter_map(|&node| {
            let fact = self.facts.get(self.cause[node as usize] as usize)?;
            Some(Inference { placed: self.links.candidate(node)?, truth: fact.truth })
        });
        let failed = failed.map(|fact| self.facts[fact as usize].truth);
        Some(Net { start, inferences: inferences.collect(), failed })
    }

    /// Returns the placements that exclude all candidates of a fact but one.
    fn killers<'k>(&'k self, fact: &'k OpenFact, but: u32) -> impl Iterator<Item = u32> + 'k {
        fact.nodes.iter().filter(move |&&node| node != but).map(|&node| self.killer[node as usize])
    }

    /// Returns the net of the last run to its contradiction.
    fn contradiction(&self) -> Option<Net> {
        let (_, failed) = self.failed?;
        let ends = self.killers(&self.facts[failed as usize], NEVER).collect();
        self.net(ends, Some(failed))
    }
}

/// Returns the facts of a net.
fn truths(net: &Net) -> impl Iterator<Item = Truth> + '_ {
    net.inferences.iter().map(|inference| inference.truth).chain(net.failed)
}

/// Returns the largest cost whose score is of interest, if there is one.
fn cost_most(search: &Search<'_>, base: u32, growth: Growth, most: u32) -> Option<u32> {
    let is_wanted = |cost: u32| {
        let score = score(base, growth, cost);
        score <= most && search.wants(score)
    };
    if !is_wanted(1) {
        return None;
    }
    if is_wanted(COST_MAX) {
        return Some(COST_MAX);
    }
    let (mut low, mut high) = (1, COST_MAX);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is_wanted(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

/// Finds the candidates that lead to a contradiction.
fn find_contradictions(
    search: &mut Search<'_>,
    runs: &mut NetRuns<'_>,
    technique: &'static Technique,
    growth: Growth,
) -> Result<(), Limit> {
    let base = technique.score;
    let Some(mut limit) = cost_most(search, base, growth, u32::MAX) else { return Ok(()) };
    let mut found: Vec<(u32, u32)> = Vec::new();
    for start in 0..runs.links.len() as u32 {
        runs.run(start, limit, true);
        search.spend(2_000 + 200 * runs.order.len() as u64)?;
        let Some((cost, _)) = runs.failed.filter(|&(cost, _)| cost <= limit) else { continue };
        if !search.wants_all() {
            let score = score(base, growth, cost);
            limit = cost_most(search, base, growth, score).unwrap_or(limit);
        }
        found.push((cost, start));
    }
    found.retain(|&(cost, _)| cost <= limit);
    found.sort_unstable();
    for (cost, start) in found {
        runs.run(start, cost, true);
        search.spend(2_000 + 200 * runs.order.len() as u64)?;
        let Some(net) = runs.contradiction() else { continue };
        let mut step = Step::new(technique);
        step.score = score(base, growth, cost);
        step.removed = vec![net.start];
        step.truths = truths(&net).collect();
        step.truths.sort_unstable();
        step.truths.dedup();
        step.nets = vec![net];
        search.offer(step);
    }
    Ok(())
}

fn find_nishio(search: &mut Search<'_>) -> Result<(), Limit> {
    let links = Links::new(search.board(), Reach::Digit);
    find_contradictions(search, &mut NetRuns::new(&links, false), &NISHIO, NISHIO_GROWTH)
}

fn find_dynamic(search: &mut Search<'_>) -> Result<(), Limit> {
    let links = Links::new(search.board(), Reach::All);
    let mut runs = NetRuns::new(&links, true);
    find_contradictions(search, &mut runs, &CONTRADICTION, NET_GROWTH)?;
    find_common(search, &mut runs)
}

/// A common conclusion of the two candidates of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Common {
    cost: u32,
    fact: u32,
    node: u32,
    is_on: bool,
}

fn find_common(search: &mut Search<'_>, runs: &mut NetRuns<'_>) -> Result<(), Limit> {
    let base = FORCING.score;
    let Some(mut limit) = cost_most(search, base, NET_GROWTH, u32::MAX) else { return Ok(()) };
    let mut found: Vec<Common> = Vec::new();
    let (mut on, mut off) = (Vec::new(), Vec::new());
    for fact in 0..runs.facts.len() {
        let &[first, second] = runs.facts[fact].nodes.as_slice() else { continue };
        runs.run(first, limit, false);
        on.clone_from(&runs.on);
        off.clone_from(&runs.off);
        let work = runs.order.len();
        runs.run(second, limit, false);
        search.spend(4_000 + 200 * (work + runs.order.len()) as u64)?;
        for is_on in [false, true] {
            let (one, other) = if is_on { (&on, &runs.on) } else { (&off, &runs.off) };
            for node in 0..runs.links.len() as u32 {
                let (a, b) = (one[node as usize], other[node as usize]);
                if a == NEVER || b == NEVER || node == first || node == second {
                    continue;
                }
                let cost = a + b + 1;
                if cost > limit {
                    continue;
                }
                if !search.wants_all() {
                    let score = score(base, NET_GROWTH, cost);
                    limit = cost_most(search, base, NET_GROWTH, score).unwrap_or(limit);
                }
                found.push(Common { cost, fact: fact as u32, node, is_on });
            }
        }
    }
    found.retain(|common| common.cost <= limit);
    found.sort_unstable();
    let mut known = HashSet::new();
    for Common { cost, fact, node, is_on } in found {
        if !known.insert((node, is_on)) {
            continue;
        }
        let mut step = Step::new(&FORCING);
        step.score = score(base, NET_GROWTH, cost);
        let truth = runs.facts[fact as usize].truth;
        step.truths.push(truth);
        for start in runs.facts[fact as usize].nodes.clone() {
            runs.run(start, cost, false);
            search.spend(2_000 + 200 * runs.order.len() as u64)?;
            let end = if is_on { node } else { runs.killer[node as usize] };
            let Some(net) = runs.net(vec![end], None) else { continue };
            step.truths.extend(truths(&net));
            step.nets.push(net);
        }
        step.truths.sort_unstable();
        step.truths.dedup();
        step.houses = houses(&[truth]);
        let conclusion = runs.links.candidate(node).into_iter().collect();
        if is_on {
            step.placed = conclusion;
        } else {
            step.removed = conclusion;
        }
        search.offer(step);
    }
    Ok(())
}

/// Largest number of inferences of a step that are all told; more are shortened to the first and
/// the last ones. A line has room for two or three.
const TOLD_MAX: usize = 20;

/// Writes the inferences of a net, at most `most` of them.
fn tell_net(net: &Net, words: &Words<'_>, most: usize) -> String {
    let one = |inference: &Inference| {
        let reason = match inference.truth {
            Truth::Cell(_) => "only candidate".to_owned(),
            Truth::Place { house, .. } => words.house(house).to_owned(),
        };
        format!("{} ({reason})", words.placed(inference.placed))
    };
    let mut parts: Vec<String> = net.inferences.iter().map(one).collect();
    if parts.len() > most {
        let count = parts.len() - most;
        parts.splice(most * 2 / 3..most * 2 / 3 + count, [format!("{count} more")]);
    }
    let mut text = format!("If {}", words.placed(net.start));
    if !parts.is_empty() {
        text.push_str(&format!(", then {}", parts.join(", ")));
    }
    text
}

fn tell_contradiction(step: &Step, words: &Words<'_>) -> String {
    let Some(net) = step.nets.first() else { return String::new() };
    let failed = match net.failed {
        Some(Truth::Cell(cell)) => {
            format!("{} has no candidate left", words.cells(crate::bits::Cells::one(cell)))
        }
        Some(Truth::Place { house, digit }) => {
            format!("{} has no place left in {}", words.digit(digit), words.house(house))
        }
        None => String::new(),
    };
    let count = net.inferences.len();
    let start = if count > TOLD_MAX { format!("A net of {count} inferences. ") } else { String::new() };
    let link = if net.inferences.is_empty() { "," } else { "; then" };
    format!("{start}{}{link} {failed}", tell_net(net, words, TOLD_MAX))
}

fn tell_forcing(step: &Step, words: &Words<'_>) -> String {
    let count: usize = step.nets.iter().map(|net| net.inferences.len()).sum();
    let start = if count > TOLD_MAX { format!("A net of {count} inferences. ") } else { String::new() };
    let end = match (step.placed.first(), step.removed.first()) {
        (Some(&placed), _) => words.placed(placed),
        (_, Some(&removed)) => words.removed(removed),
        _ => String::new(),
    };
    let net = |net: &Net| format!("{}; so {end}", tell_net(net, words, TOLD_MAX / 2));
    let nets: Vec<String> = step.nets.iter().map(net).collect();
    format!("{start}One of two holds, and both lead to {end}.\n{}", nets.join("\n"))
}
