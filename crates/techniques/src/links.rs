//! The graph of strong and weak links, and breadth-first walks over it.
//!
//! A node is a candidate, or a digit in several cells of two houses (a group). Two nodes have a
//! weak link if at most one of them holds, and a strong link if at least one of them holds. Along a
//! chain, links alternate: from off to on by a strong link, from on to off by a weak one.
//!
//! Bound: at most `size`³ candidates, one group and its rest per digit and pair of houses, and the
//! digits of the almost locked sets of at most `SET_MAX` cells; weak links are rows of bits.

use std::collections::HashMap;

use crate::als;
use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::step::{Chain, Node, Truth};

/// Most cells of an almost locked set in a chain. Larger ones are hard to see, and a graph with
/// them takes several times as long.
const SET_MAX: usize = 4;

/// Most almost locked sets of a graph. Each adds at most five nodes, so the bits of the weak links
/// stay below 8 MiB.
const SET_COUNT_MAX: usize = 1_024;

/// Which links a graph has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Links of one digit.
    Digit,
    /// Links of one digit between candidates and groups.
    GroupedDigit,
    /// Conjugate pairs: links that are both strong and weak, of one digit.
    Conjugates,
    /// Strong links in cells of two candidates, and all weak links.
    Pairs,
    /// All links between candidates.
    All,
    /// All links between candidates and groups.
    Grouped,
    /// The same, and almost locked sets: without one of its digits, such a set has all others.
    Sets,
    /// Strong links in cells of two candidates and in almost locked sets, and all weak links.
    OnlySets,
}

impl Reach {
    /// Returns whether all nodes of a chain have the same digit.
    pub(crate) fn has_one_digit(self) -> bool {
        matches!(self, Self::Digit | Self::GroupedDigit | Self::Conjugates)
    }

    /// Returns whether there are groups.
    pub(crate) fn has_groups(self) -> bool {
        matches!(self, Self::Grouped | Self::GroupedDigit | Self::Sets)
    }
}

/// The graph of a position.
#[derive(Debug)]
pub(crate) struct Links<'b> {
    board: &'b Board,
    /// The number of each candidate, by cell and digit.
    numbers: Vec<u32>,
    /// Cells and digit of each node: the candidates by cell and digit, then the groups.
    nodes: Vec<(Cells, usize)>,
    /// The number of candidates.
    singles: usize,
    /// The number of candidates and groups. The other nodes are digits in cells of a set.
    groups: usize,
    /// The cells and the digits of the almost locked sets.
    sets: Vec<(Cells, Digits)>,
    /// The number of words in a row of `weak`.
    words: usize,
    weak: Vec<u64>,
    strong: Vec<Vec<u32>>,
}

impl<'b> Links<'b> {
    /// Makes the graph of a position.
    pub(crate) fn new(board: &'b Board, reach: Reach) -> Self {
        let size = board.layout().size();
        let mut numbers = vec![u32::MAX; board.layout().cell_count() * size];
        let mut nodes = Vec::with_capacity(512);
        for cell in board.open().iter() {
            for digit in board.marks(cell).iter() {
                numbers[cell * size + digit] = nodes.len() as u32;
                nodes.push((Cells::one(cell), digit));
            }
        }
        let singles = nodes.len();
        if reach.has_groups() {
            add_groups(board, &mut nodes);
        }
        let groups = nodes.len();
        let sets = if reach == Reach::Sets { sets_of(board) } else { Vec::new() };
        let places = add_places(board, &sets, &numbers, &mut nodes);
        let words = nodes.len().div_ceil(64);
        let weak = vec![0; nodes.len() * words];
        let strong = vec![Vec::new(); nodes.len()];
        let mut links =
            Self { board, numbers: Vec::new(), nodes, singles, groups, sets, words, weak, strong };
        links.add_weak(&numbers, reach);
        links.add_strong(&numbers, reach);
        links.add_sets(&places);
        links.numbers = numbers;
        links
    }

    fn add_weak(&mut self, numbers: &[u32], reach: Reach) {
        let (board, size) = (self.board, self.board.layout().size());
        let mut groups = vec![Vec::new(); size];
        for (number, &(cells, digit)) in self.nodes.iter().enumerate().skip(self.singles) {
            groups[digit].push((number as u32, cells));
        }
        for node in 0..self.nodes.len() {
            let (cells, digit) = self.nodes[node];
            let seen = board.layout().common_peers(cells) & board.spots(digit);
            let row = &mut self.weak[node * self.words..][..self.words];
            let mut add = |other: u32| row[other as usize / 64] |= 1 << (other % 64);
            seen.iter().for_each(|cell| add(numbers[cell * size + digit]));
            if let Some(cell) = cells.only().filter(|_| !reach.has_one_digit()) {
                let others = board.marks(cell).iter().filter(|&other| other != digit);
                others.for_each(|other| add(numbers[cell * size + other]));
            }
            let groups = groups[digit].iter().filter(|(_, group)| group.is_within(seen));
            groups.for_each(|&(other, _)| add(other));
        }
    }

    fn add_strong(&mut self, numbers: &[u32], reach: Reach) {
        let (board, size) = (self.board, self.board.layout().size());
        let mut add = |a: u32, b: u32| {
            if !self.strong[a as usize].contains(&b) {
                self.strong[a as usize].push(b);
                self.strong[b as usize].push(a);
            }
        };
        if !reach.has_one_digit() {
            for cell in board.cells_with(2).iter() {
                let mut marks = board.marks(cell).iter().map(|digit| numbers[cell * size + digit]);
                if let (Some(a), Some(b)) = (marks.next(), marks.next()) {
                    add(a, b);
                }
            }
        }
        if reach == Reach::Pairs {
            return;
        }
        let mut inside = Vec::new();
        for house in 0..board.houses().len() {
            for digit in board.layout().digits().iter() {
                let spots = board.spots_in(house, digit);
                if spots.len() == 2 {
                    let mut ends = spots.iter().map(|cell| numbers[cell * size + digit]);
                    if let (Some(a), Some(b)) = (ends.next(), ends.next()) {
                        add(a, b);
                    }
                }
                if !reach.has_groups() || spots.len() < 3 {
                    continue;
                }
                inside.clear();
                let groups = self.nodes[..self.groups].iter().enumerate().skip(self.singles);
                inside.extend(groups.filter(|(_, node)| node.1 == digit && node.0.is_within(spots)));
                for &(group, &(cells, _)) in &inside {
                    let rest = spots - cells;
                    let other = match rest.only() {
                        Some(cell) => Some(numbers[cell * size + digit]),
                        None => inside
                            .iter()
                            .find(|(_, node)| node.0 == rest)
                            .map(|&(other, _)| other as u32),
                    };
                    if let Some(other) = other {
                        add(group as u32, other);
                    }
                }
            }
        }
    }

    /// Links each two digits of each almost locked set; `places` has the nodes of each set.
    fn add_sets(&mut self, places: &[Vec<u32>]) {
        for nodes in places {
            for &from in nodes {
                let others = nodes.iter().copied().filter(|&to| to != from);
                self.strong[from as usize].extend(others);
            }
        }
        if !places.is_empty() {
            for ends in &mut self.strong {
                ends.sort_unstable();
                ends.dedup();
            }
        }
    }

    /// Returns the smallest almost locked set that contains a strong link, unless a cell
    /// contains it.
    pub(crate) fn set(&self, a: u32, b: u32) -> Option<(Cells, Digits)> {
        let ((one, digit), (other, last)) = (self.node(a), self.node(b));
        if self.sets.is_empty() || self.truth(a, b).is_some() {
            return None;
        }
        let is_place = |set: Cells, cells: Cells, digit| set & self.board.spots(digit) == cells;
        let has_both =
            |set: &Cells| digit != last && is_place(*set, one, digit) && is_place(*set, other, last);
        self.sets
            .iter()
            .filter(|(cells, _)| has_both(cells))
            .min_by_key(|(cells, _)| cells.len())
            .copied()
    }

    /// Returns the position.
    pub(crate) fn board(&self) -> &'b Board {
        self.board
    }

    /// Returns the nodes of the candidates of a fact.
    pub(crate) fn choices(&self, truth: Truth) -> Vec<u32> {
        let (board, size) = (self.board, self.board.layout().size());
        match truth {
            Truth::Cell(cell) => {
                board.marks(cell).iter().map(|digit| self.numbers[cell * size + digit]).collect()
            }
            Truth::Place { house, digit } => board
                .spots_in(house, digit)
                .iter()
                .map(|cell| self.numbers[cell * size + digit])
                .collect(),
        }
    }

    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether a graph of this reach has the link from one node to another.
    fn allows(&self, reach: Reach, from: u32, to: u32, is_strong: bool) -> bool {
        let is_same = self.node(from).1 == self.node(to).1;
        let has_group = self.is_group(from) || self.is_group(to);
        match reach {
            Reach::Digit => is_same && !has_group,
            Reach::GroupedDigit => is_same,
            Reach::Conjugates => is_same && !has_group && self.is_strong(from, to),
            Reach::Pairs => !(has_group || is_strong && is_same),
            Reach::All => !has_group,
            Reach::Grouped => {
                let are_known = (from as usize) < self.groups && (to as usize) < self.groups;
                are_known && !(is_strong && !is_same && self.node(from).0 != self.node(to).0)
            }
            Reach::Sets => true,
            Reach::OnlySets => !(is_strong && is_same),
        }
    }

    /// Writes the number of nodes of the shortest chain from a node, off, to each other node, on,
    /// of a smaller graph; 0 if there is none.
    pub(crate) fn lengths(&self, reach: Reach, first: u32, lengths: &mut Vec<u32>) {
        let mut is_off = vec![false; self.len()];
        lengths.clear();
        lengths.resize(self.len(), 0);
        let (mut front, mut next) = (vec![first], Vec::new());
        is_off[first as usize] = true;
        for length in (2..).step_by(2) {
            for &node in &front {
                for &other in &self.strong[node as usize] {
                    if lengths[other as usize] == 0 && self.allows(reach, node, other, true) {
                        lengths[other as usize] = length;
                        next.push(other);
                    }
                }
            }
            front.clear();
            for node in next.drain(..) {
                for (word, &row) in self.weak(node).iter().enumerate() {
                    let mut bits = row;
                    while bits != 0 {
                        let other = word as u32 * 64 + bits.trailing_zeros();
                        bits &= bits - 1;
                        if !is_off[other as usize] && self.allows(reach, node, other, false) {
                            is_off[other as usize] = true;
                            front.push(other);
                        }
                    }
                }
            }
            if front.is_empty() {
                return;
            }
        }
    }

    /// Returns whether a node is a group.
    pub(crate) fn is_group(&self, node: u32) -> bool {
        node as usize >= self.singles
    }

    /// Returns the cells and the digit of a node.
    pub(crate) fn node(&self, node: u32) -> (Cells, usize) {
        self.nodes[node as usize]
    }

    /// Returns the candidate of a node, unless it is a group.
    pub(crate) fn candidate(&self, node: u32) -> Option<Candidate> {
        let (cells, digit) = self.node(node);
        cells.only().map(|cell| Candidate { cell, digit })
    }

    /// Returns the nodes that are off if a node is on, as bits.
    pub(crate) fn weak(&self, node: u32) -> &[u64] {
        &self.weak[node as usize * self.words..][..self.words]
    }

    /// Returns whether two nodes have a weak link.
    pub(crate) fn is_weak(&self, a: u32, b: u32) -> bool {
        self.weak(a)[b as usize / 64] >> (b % 64) & 1 == 1
    }

    /// Returns whether two nodes have a strong link.
    pub(crate) fn is_strong(&self, a: u32, b: u32) -> bool {
        self.strong[a as usize].contains(&b)
    }

    /// Returns whether some candidate has a weak link to both nodes.
    pub(crate) fn has_common(&self, a: u32, b: u32) -> bool {
        let (one, other) = (self.weak(a), self.weak(b));
        let full = self.singles / 64;
        let is_met = |word: usize| one[word] & other[word] != 0;
        if (0..full).any(is_met) {
            return true;
        }
        let last = (1 << (self.singles % 64)) - 1;
        !self.singles.is_multiple_of(64) && one[full] & other[full] & last != 0
    }

    /// Adds the candidates that have a weak link to both nodes.
    pub(crate) fn add_common(&self, a: u32, b: u32, found: &mut Vec<Candidate>) {
        for (word, (one, other)) in self.weak(a).iter().zip(self.weak(b)).enumerate() {
            let mut bits = one & other;
            while bits != 0 {
                let node = word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                if !self.is_group(node) {
                    found.extend(self.candidate(node));
                }
            }
        }
    }

    /// Returns whether two nodes of the same digit are what a W-wing leaves: their cells have the
    /// same two candidates, and a conjugate pair of the other lies between them.
    pub(crate) fn is_w_wing(&self, a: u32, b: u32) -> bool {
        let board = self.board;
        let ((one, digit), (other, _)) = (self.node(a), self.node(b));
        let (Some(first), Some(second)) = (one.only(), other.only()) else { return false };
        let marks = board.marks(first);
        if marks.len() != 2 || board.marks(second) != marks {
            return false;
        }
        let Some(linked) = marks.iter().find(|&linked| linked != digit) else { return false };
        let (near, far) = (board.layout().peers(first), board.layout().peers(second));
        (0..board.houses().len()).any(|house| {
            let mut ends = board.spots_in(house, linked).iter();
            match (ends.next(), ends.next(), ends.next()) {
                (Some(a), Some(b), None) => near.has(a) && far.has(b) || near.has(b) && far.has(a),
                _ => false,
            }
        })
    }

    /// Returns the fact behind a strong link.
    pub(crate) fn truth(&self, a: u32, b: u32) -> Option<Truth> {
        let ((one, digit), (other, last)) = (self.node(a), self.node(b));
        if digit != last {
            let cell = one.only().filter(|&cell| one == other && self.board.marks(cell).len() == 2);
            return cell.map(Truth::Cell);
        }
        let cells = one | other;
        let mut around = self.board.layout().houses_around(cells);
        around
            .find(|&house| self.board.spots_in(house, digit) == cells)
            .map(|house| Truth::Place { house, digit })
    }

    /// Returns the facts behind the strong links of a chain: those from off to on.
    pub(crate) fn truths<'l>(
        &'l self,
        path: &'l [u32],
        first_on: bool,
    ) -> impl Iterator<Item = Truth> + 'l {
        let links = path.windows(2).enumerate();
        links.filter(move |(number, _)| (number % 2 == 1) == first_on).flat_map(|(_, pair)| {
            let truth = self.truth(pair[0], pair[1]);
            let cells = self.set(pair[0], pair[1]).map_or(Cells::NONE, |(cells, _)| cells);
            truth.into_iter().chain(cells.iter().map(Truth::Cell).collect::<Vec<_>>())
        })
    }

    /// Returns a path as chain.
    pub(crate) fn chain(&self, path: &[u32], first_on: bool, is_loop: bool) -> Chain {
        let node = |(number, &node): (usize, &u32)| {
            let (cells, digit) = self.node(node);
            Node { cells, digit, is_on: (number % 2 == 0) == first_on }
        };
        Chain { nodes: path.iter().enumerate().map(node).collect(), is_loop }
    }
}

/// Adds the groups: a digit in all its cells of two houses, and what such a group leaves of the
/// digit in a house, if that lies in another house, too.
fn add_groups(board: &Board, nodes: &mut Vec<(Cells, usize)>) {
    let houses = board.houses();
    for digit in board.layout().digits().iter() {
        let from = nodes.len();
        let mut add = |cells: Cells| {
            if cells.len() > 1 && !nodes[from..].contains(&(cells, digit)) {
                nodes.push((cells, digit));
            }
        };
        let spots = board.spots(digit);
        for (first, house) in houses.iter().enumerate() {
            for other in &houses[first + 1..] {
                let common = house.cells & other.cells;
                let group = common & spots;
                if common.len() < 2 || group.is_empty() {
                    continue;
                }
                add(group);
                for all in [house.cells & spots, other.cells & spots] {
                    let rest = all - group;
                    if board.layout().houses_around(rest).nth(1).is_some() {
                        add(rest);
                    }
                }
            }
        }
    }
}

/// Returns the almost locked sets; the largest are left out if there are too many.
fn sets_of(board: &Board) -> Vec<(Cells, Digits)> {
    let mut sets = als::sets_of_cells(board, SET_MAX);
    for most in (1..SET_MAX).rev() {
        if sets.len() > SET_COUNT_MAX {
            sets.retain(|(cells, _)| cells.len() <= most);
        }
    }
    sets
}

/// Adds the digits in the cells of almost locked sets as nodes; returns the nodes of each set.
fn add_places(
    board: &Board,
    sets: &[(Cells, Digits)],
    numbers: &[u32],
    nodes: &mut Vec<(Cells, usize)>,
) -> Vec<Vec<u32>> {
    let known = nodes.iter().enumerate().map(|(number, &node)| (node, number as u32));
    let mut known: HashMap<(Cells, usize), u32> = known.collect();
    let mut place = |cells: Cells, digit: usize| match cells.only() {
        Some(cell) => numbers[cell * board.layout().size() + digit],
        None => *known.entry((cells, digit)).or_insert_with(|| {
            nodes.push((cells, digit));
            nodes.len() as u32 - 1
        }),
    };
    let nodes_of = |&(cells, digits): &(Cells, Digits)| {
        digits.iter().map(|digit| place(cells & board.spots(digit), digit)).collect()
    };
    sets.iter().map(nodes_of).collect()
}

/// A breadth-first walk from one node, with the way to each node reached.
#[derive(Debug)]
pub(crate) struct Walk {
    on: Vec<u64>,
    off: Vec<u64>,
    /// For each node that is on, the node before.
    on_from: Vec<u32>,
    /// For each node that is off, the node before.
    off_from: Vec<u32>,
    /// The nodes reached last.
    front: Vec<u32>,
    next: Vec<u32>,
}

/// No node: the walk begins here.
const NOWHERE: u32 = u32::MAX;

impl Walk {
    /// Makes a walk for graphs of the size of this one.
    pub(crate) fn new(links: &Links<'_>) -> Self {
        let (words, count) = (links.words, links.len());
        Self {
            on: vec![0; words],
            off: vec![0; words],
            on_from: vec![NOWHERE; count],
            off_from: vec![NOWHERE; count],
            front: Vec::with_capacity(count),
            next: Vec::with_capacity(count),
        }
    }

    /// Begins with one node on or off.
    pub(crate) fn begin(&mut self, node: u32, is_on: bool) {
        self.on.fill(0);
        self.off.fill(0);
        let (set, from) =
            if is_on { (&mut self.on, &mut self.on_from) } else { (&mut self.off, &mut self.off_from) };
        set[node as usize / 64] |= 1 << (node % 64);
        from[node as usize] = NOWHERE;
        self.front.clear();
        self.front.push(node);
    }

    /// Follows the strong links of the front, which is off. Returns the nodes that are newly on.
    pub(crate) fn turn_on(&mut self, links: &Links<'_>) -> &[u32] {
        self.next.clear();
        for &node in &self.front {
            for &other in &links.strong[node as usize] {
                let (word, bit) = (other as usize / 64, 1 << (other % 64));
                if self.on[word] & bit == 0 {
                    self.on[word] |= bit;
                    self.on_from[other as usize] = node;
                    self.next.push(other);
                }
            }
        }
        std::mem::swap(&mut self.front, &mut self.next);
        &self.front
    }

    /// Follows the weak links of the front, which is on. Returns the nodes that are newly off.
    pub(crate) fn turn_off(&mut self, links: &Links<'_>) -> &[u32] {
        self.next.clear();
        for &node in &self.front {
            for (word, &row) in links.weak(node).iter().enumerate() {
                let mut new = row & !self.off[word];
                self.off[word] |= new;
                while new != 0 {
                    let other = word as u32 * 64 + new.trailing_zeros();
                    new &= new - 1;
                    self.off_from[other as usize] = node;
                    self.next.push(other);
                }
            }
        }
        std::mem::swap(&mut self.front, &mut self.next);
        &self.front
    }

    /// Returns the nodes reached last.
    pub(crate) fn front(&self) -> &[u32] {
        &self.front
    }

    /// Adds the nodes from the beginning of the walk to a node that it reached.
    pub(crate) fn add_path(&self, mut node: u32, mut is_on: bool, path: &mut Vec<u32>) {
        let start = path.len();
        while node != NOWHERE {
            path.push(node);
            node = if is_on { self.on_from[node as usize] } else { self.off_from[node as usize] };
            is_on = !is_on;
        }
        path[start..].reverse();
    }
}
