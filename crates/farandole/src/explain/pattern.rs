//! Pictures of named techniques: the candidates of the pattern by part, its houses, and its chains
//! with numbers and arrows.
//!
//! The body of a pattern is blue, fins and other extra candidates are orange, links between parts
//! are yellow, and almost locked sets and colours have a colour each. Eliminated candidates are red
//! and struck out, and placed ones are green. In a chain, solid lines are strong links and dashed
//! lines are weak ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::picture::{arrow, distance};
use super::step::Step as GuideStep;
use grid::Grid;
use puzzle::{CandidateLook, Ink, Mark, Picture, Point, SymbolGrid, candidate_spot};
use techniques::{Board, Candidate, Cells, Chain, Net, Node, Part, Step};

/// Maximum number of shaded houses; a picture with more would be unreadable.
const HOUSES_MAX: usize = 8;
/// Inks of almost locked sets and colours, by number.
const SETS: [Ink; 5] = [Ink::Blue, Ink::Purple, Ink::Teal, Ink::Pink, Ink::Gray];

/// The look of a candidate. If a candidate has several, the last one in this list is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    Off,
    On,
    Set(u8),
    Body,
    Fin,
    Link,
    Placed,
    Removed,
}

impl Look {
    fn ink(self) -> Ink {
        match self {
            Self::On | Self::Body => Ink::Blue,
            Self::Set(number) => SETS[usize::from(number) % SETS.len()],
            Self::Off | Self::Fin => Ink::Orange,
            Self::Link => Ink::Yellow,
            Self::Placed => Ink::Green,
            Self::Removed => Ink::Red,
        }
    }

    fn words(self) -> String {
        match self {
            Self::Off => "off in the chain".to_owned(),
            Self::On => "on in the chain or net".to_owned(),
            Self::Set(number) => format!("set {}", char::from(b'A' + number % 26)),
            Self::Body => "pattern".to_owned(),
            Self::Fin => "fins, pincers, extra candidates".to_owned(),
            Self::Link => "links between the sets".to_owned(),
            Self::Placed => "placed".to_owned(),
            Self::Removed => "eliminated".to_owned(),
        }
    }
}

/// Draws a step on the candidates of a grid.
pub(super) fn picture(grid: &dyn SymbolGrid, board: &Board, step: &GuideStep) -> Picture {
    let mut filled = Grid::empty(Arc::clone(grid.grid().shape()), grid.grid().style);
    for cell in 0..board.layout().cell_count() {
        if let Some(digit) = board.value(cell) {
            filled.place(cell, digit);
        }
    }
    let mut picture = grid.picture_of(&filled);
    let (houses, chains) = match (step.pattern(), step.clue()) {
        (Some(pattern), _) => (houses(board, pattern), pattern.chains.as_slice()),
        (None, clue) => (clue.map_or(Cells::NONE, |clue| clue.cells), &[][..]),
    };
    for cell in houses.iter() {
        let (row, column) = grid.grid().shape().place(cell);
        picture.tint(row, column, Ink::Shade);
    }
    let looks = looks(board, step);
    for candidate in board.candidates(board.open(), board.layout().digits()) {
        let look = looks.get(&candidate).copied();
        let look = CandidateLook { fill: look.map(Look::ink), is_struck: look == Some(Look::Removed) };
        grid.draw_candidate(&mut picture, candidate.cell, candidate.digit, look);
    }
    let mut shown: Vec<Look> = looks.into_values().collect();
    shown.sort_unstable();
    shown.dedup();
    shown.into_iter().for_each(|look| picture.word(Some(look.ink()), look.words()));
    if !houses.is_empty() {
        let corners = vec![[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        let cell = Mark::polygon(corners).fill(Ink::Shade).stroke(Ink::Thin, 0.04);
        let words = if step.clue().is_some() { "cells of the clue" } else { "houses of the step" };
        picture.key(vec![cell], words);
    }
    chains.iter().for_each(|chain| draw_chain(grid, chain, &mut picture));
    let nets = step.pattern().map_or(&[][..], |pattern| &pattern.nets);
    nets.iter().for_each(|net| number_net(grid, net, &mut picture));
    if !nets.is_empty() {
        picture.word(None, "small numbers: the order, from the supposition (1) on");
    }
    if !chains.is_empty() {
        picture.word(None, "solid: one of both holds; dashed: at most one holds");
    }
    picture
}

fn looks(board: &Board, step: &GuideStep) -> BTreeMap<Candidate, Look> {
    let mut looks: BTreeMap<Candidate, Look> = BTreeMap::new();
    let mut put = |candidate: Candidate, look: Look| {
        let known = looks.entry(candidate).or_insert(look);
        *known = look.max(*known);
    };
    if let Some(pattern) = step.pattern() {
        for &Node { cells, digit, is_on } in pattern.chains.iter().flat_map(|chain| &chain.nodes) {
            let look = if is_on { Look::On } else { Look::Off };
            cells.iter().for_each(|cell| put(Candidate { cell, digit }, look));
        }
        for net in &pattern.nets {
            put(net.start, Look::On);
            net.inferences.iter().for_each(|inference| put(inference.placed, Look::On));
        }
        for group in &pattern.groups {
            let look = match group.part {
                Part::Body => Look::Body,
                Part::Fin => Look::Fin,
                Part::Link => Look::Link,
                Part::Set(number) => Look::Set(number),
            };
            board.candidates(group.cells, group.digits).for_each(|candidate| put(candidate, look));
        }
    }
    if let Some((placed, removed)) = step.candidates() {
        placed.iter().for_each(|&candidate| put(candidate, Look::Placed));
        removed.iter().for_each(|&candidate| put(candidate, Look::Removed));
    }
    looks
}

/// Returns the cells of the houses of a step: base and cover sets, or only the base sets if all
/// would be too many, or none.
fn houses(board: &Board, pattern: &Step) -> Cells {
    let all = [pattern.houses.as_slice(), pattern.covers.as_slice()].concat();
    let few = pattern.houses.clone();
    let houses = [all, few].into_iter().find(|houses| houses.len() <= HOUSES_MAX).unwrap_or_default();
    houses.iter().fold(Cells::NONE, |cells, &house| cells | board.houses()[house].cells)
}

/// Draws the links of a chain as arrows, and the number of each node.
fn draw_chain(grid: &dyn SymbolGrid, chain: &Chain, picture: &mut Picture) {
    let closing = chain.nodes.first().filter(|_| chain.is_loop);
    let mut last: Option<(Point, f64, bool)> = None;
    for (number, node) in chain.nodes.iter().chain(closing).enumerate() {
        let Some((at, size)) = spot(grid, node) else { continue };
        if number < chain.nodes.len() {
            let above = [at[0] + 0.46 * size, at[1] - 0.38 * size];
            let number = Mark::text(above, &(number + 1).to_string(), 0.5 * size);
            picture.over(number.fill(Ink::Crimson));
        }
        if let Some((from, _, was_on)) = last.filter(|(from, ..)| distance(*from, at) > 1.1 * size) {
            arrow(from, at, 0.5 * size, was_on, picture);
        }
        last = Some((at, size, node.is_on));
    }
}

/// Numbers the candidates of a net in their order.
fn number_net(grid: &dyn SymbolGrid, net: &Net, picture: &mut Picture) {
    let follow = net.inferences.iter().map(|inference| inference.placed);
    for (number, candidate) in (1..).zip(std::iter::once(net.start).chain(follow)) {
        let (at, size) = candidate_spot(grid.grid(), candidate.cell, candidate.digit);
        let above = [at[0] + 0.46 * size, at[1] - 0.38 * size];
        picture.over(Mark::text(above, &number.to_string(), 0.56 * size).fill(Ink::Crimson));
    }
}

/// Returns the center of a node and the size of a candidate.
fn spot(grid: &dyn SymbolGrid, node: &Node) -> Option<(Point, f64)> {
    let spots: Vec<(Point, f64)> =
        node.cells.iter().map(|cell| candidate_spot(grid.grid(), cell, node.digit)).collect();
    let (_, size) = *spots.first()?;
    let mean = |axis: usize| spots.iter().map(|(at, _)| at[axis]).sum::<f64>() / spots.len() as f64;
    Some(([mean(0), mean(1)], size))
}
