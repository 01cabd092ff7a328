//! Patterns of one digit with two strong links: skyscraper, two-string kite, turbot fish and empty
//! rectangle.
//!
//! A strong link is a house with exactly two cells for the digit. If an end of one link sees an end
//! of another, at most one of these two near ends holds, so one of the two far ends does: a cell
//! that sees both far ends loses the digit. The lines of the links decide the name.
//!
//! In an empty rectangle the second link is a box whose cells for the digit lie in one row and one
//! column. Two patterns with the same near ends (or the same box, row and column) are one step.
//! With two cells in the box it is also a turbot fish, which has the lower score, so players see
//! that name unless they ask for empty rectangles.
//!
//! Bound: all pairs of links, at most 33 links a digit; all pairs of a box and a link.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::layout::HouseKind;
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family =
    Family { techniques: &[&SKYSCRAPER, &KITE, &TURBOT_FISH, &EMPTY_RECTANGLE], find };

static SKYSCRAPER: Technique = Technique {
    name: "skyscraper",
    score: 62,
    summary: "Two parallel lines have two cells each for a digit, one of each in a common line. One of \
              the other two cells has the digit, so a cell that sees both loses it.",
    is_uniqueness: false,
    tell: tell_links,
};

static KITE: Technique = Technique {
    name: "two-string kite",
    score: 62,
    summary: "A row and a column have two cells each for a digit, one of each in a common box. One of \
              the other two cells has the digit, so a cell that sees both loses it.",
    is_uniqueness: false,
    tell: tell_links,
};

static TURBOT_FISH: Technique = Technique {
    name: "turbot fish",
    score: 63,
    summary: "Two houses have two cells each for a digit, and one cell of each sees the other. One of \
              the other two cells has the digit, so a cell that sees both loses it.",
    is_uniqueness: false,
    tell: tell_links,
};

static EMPTY_RECTANGLE: Technique = Technique {
    name: "empty rectangle",
    score: 64,
    summary: "The cells of a digit in a box lie in one row and one column. A line with two cells for \
              the digit has one in that row (or column); the other one, or a cell of the box in the \
              column (or row), has the digit, so a cell that sees both loses it.",
    is_uniqueness: false,
    tell: tell_rectangle,
};

/// Work per pair of links, in ns.
const PAIR: u64 = 5;

/// A house with exactly two cells for a digit; if a line and a box have the same two, the line.
#[derive(Clone, Copy)]
struct Link {
    house: usize,
    kind: HouseKind,
    ends: [usize; 2],
}

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    for digit in search.board().layout().digits().iter() {
        let targets = search.refuted(digit)?;
        if targets.is_empty() {
            continue;
        }
        let links = links(search.board(), digit);
        search.spend(PAIR * (links.len() * (links.len() + 9)) as u64)?;
        find_pairs(search, digit, targets, &links);
        if search.wants(EMPTY_RECTANGLE.score) {
            find_rectangles(search, digit, targets, &links);
        }
    }
    Ok(())
}

fn links(board: &Board, digit: usize) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for is_line in [true, false] {
        for (number, house) in board.houses().iter().enumerate() {
            let spots = board.spots_in(number, digit);
            if spots.len() != 2 || house.kind.is_line() != is_line {
                continue;
            }
            let mut cells = spots.iter();
            let (Some(a), Some(b)) = (cells.next(), cells.next()) else { continue };
            if !links.iter().any(|link| link.ends == [a, b]) {
                links.push(Link { house: number, kind: house.kind, ends: [a, b] });
            }
        }
    }
    links
}

/// A pattern of two links whose near ends see each other.
struct Pair {
    houses: [usize; 2],
    near: [usize; 2],
    far: [usize; 2],
    removed: Cells,
    /// Whether the far ends see each other as well.
    is_loop: bool,
}

fn find_pairs(search: &mut Search<'_>, digit: usize, targets: Cells, links: &[Link]) {
    let board = search.board();
    let mut kites: Vec<Pair> = Vec::new();
    for (number, first) in links.iter().enumerate() {
        for second in &links[number + 1..] {
            for (one, other) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let near = [first.ends[one], second.ends[other]];
                let far = [first.ends[1 - one], second.ends[1 - other]];
                if let Some(pair) = pair(board, targets, [first, second], near, far) {
                    let technique = name(board, [first, second], near);
                    if technique == &KITE && !pair.is_loop {
                        kites.push(pair);
                    } else {
                        offer_pairs(search, technique, digit, &[pair]);
                    }
                }
            }
        }
    }
    // Two kites with the same near ends are one step.
    while let Some(kite) = kites.pop() {
        let is_same = |other: &Pair| {
            other.near.iter().all(|end| kite.near.contains(end)) && other.houses != kite.houses
        };
        let mut same = vec![];
        if let Some(place) = kites.iter().position(is_same) {
            same.push(kites.remove(place));
        }
        same.push(kite);
        offer_pairs(search, &KITE, digit, &same);
    }
}

/// Returns the pattern of two links with these near and far ends, unless it eliminates nothing or
/// is found in another way.
fn pair(
    board: &Board,
    targets: Cells,
    links: [&Link; 2],
    near: [usize; 2],
    far: [usize; 2],
) -> Option<Pair> {
    let layout = board.layout();
    let sees = |[a, b]: [usize; 2]| layout.peers(a).has(b);
    let cells: Cells = near.into_iter().chain(far).collect();
    if cells.len() != 4 || !sees(near) {
        return None;
    }
    let mut removed = targets & layout.peers(far[0]) & layout.peers(far[1]);
    let is_loop = sees(far);
    if is_loop {
        // Both pairs of ends eliminate. The easier name of both ways round is that of the loop; two
        // skyscrapers are an X-wing.
        let (name, other) = (name(board, links, near), name(board, links, far));
        let is_wing = name == &SKYSCRAPER && other == &SKYSCRAPER;
        if is_wing || name.score > other.score || (name == other && near > far) {
            return None;
        }
        removed |= targets & layout.peers(near[0]) & layout.peers(near[1]);
    }
    removed -= cells;
    let houses = [links[0].house, links[1].house];
    (!removed.is_empty()).then_some(Pair { houses, near, far, removed, is_loop })
}

fn in_line(board: &Board, [a, b]: [usize; 2]) -> bool {
    let cells = Cells::one(a) | Cells::one(b);
    board.layout().houses_around(cells).any(|house| board.houses()[house].kind.is_line())
}

fn in_box(board: &Board, [a, b]: [usize; 2]) -> bool {
    let cells = Cells::one(a) | Cells::one(b);
    board.layout().houses_around(cells).any(|house| board.houses()[house].kind == HouseKind::Box)
}

fn name(board: &Board, links: [&Link; 2], near: [usize; 2]) -> &'static Technique {
    match links.map(|link| link.kind) {
        [HouseKind::Row, HouseKind::Row] | [HouseKind::Column, HouseKind::Column]
            if in_line(board, near) =>
        {
            &SKYSCRAPER
        }
        [HouseKind::Row, HouseKind::Column] | [HouseKind::Column, HouseKind::Row]
            if in_box(board, near) =>
        {
            &KITE
        }
        _ => &TURBOT_FISH,
    }
}

fn offer_pairs(search: &mut Search<'_>, technique: &'static Technique, digit: usize, pairs: &[Pair]) {
    if !search.wants(technique.score) {
        return;
    }
    let digits = Digits::one(digit);
    let group = |part, ends: [usize; 2]| Group { part, cells: ends.into_iter().collect(), digits };
    let mut step = Step::new(technique);
    let mut removed = Cells::NONE;
    for pair in pairs {
        removed |= pair.removed;
        step.houses.extend(pair.houses);
        step.groups.push(group(Part::Body, pair.far));
    }
    step.groups.extend(pairs.first().map(|pair| group(Part::Link, pair.near)));
    step.removed = removed.iter().map(|cell| Candidate { cell, digit }).collect();
    step.truths = step.houses.iter().map(|&house| Truth::Place { house, digit }).collect();
    search.offer(step);
}

fn find_rectangles(search: &mut Search<'_>, digit: usize, targets: Cells, links: &[Link]) {
    let board = search.board();
    for (number, house) in board.houses().iter().enumerate() {
        let spots = board.spots_in(number, digit);
        if house.kind != HouseKind::Box || spots.len() < 2 {
            continue;
        }
        let lines = |kind: HouseKind| {
            let all = board.houses().iter().enumerate();
            all.filter(move |(_, line)| line.kind == kind && line.cells.meets(spots))
        };
        for (row, along) in lines(HouseKind::Row) {
            for (column, across) in lines(HouseKind::Column) {
                let is_cross = spots.is_within(along.cells | across.cells);
                if is_cross && !spots.is_within(along.cells) && !spots.is_within(across.cells) {
                    offer_rectangle(search, digit, targets, links, [number, row, column]);
                }
            }
        }
    }
}

/// Offers the empty rectangle of a box, a row and a column with all links that it needs.
fn offer_rectangle(
    search: &mut Search<'_>,
    digit: usize,
    targets: Cells,
    links: &[Link],
    [house, row, column]: [usize; 3],
) {
    let board = search.board();
    let layout = board.layout();
    let cells = |house: usize| board.houses()[house].cells;
    let spots = board.spots_in(house, digit);
    let mut step = Step::new(&EMPTY_RECTANGLE);
    step.houses = vec![house];
    let (mut ends, mut removed) = (Cells::NONE, Cells::NONE);
    for (along, across, kind) in [(row, column, HouseKind::Column), (column, row, HouseKind::Row)] {
        let outside = (targets & cells(across)) - cells(house);
        for link in links.iter().filter(|link| link.kind == kind) {
            for (near, far) in [(link.ends[0], link.ends[1]), (link.ends[1], link.ends[0])] {
                let is_near = (cells(along) - cells(house)).has(near) && !cells(house).has(far);
                let found = (outside & layout.peers(far)) - Cells::one(near);
                if is_near && !found.is_empty() {
                    removed |= found;
                    ends |= Cells::one(near) | Cells::one(far);
                    step.houses.push(link.house);
                    step.covers.extend([along, across]);
                }
            }
        }
    }
    if removed.is_empty() {
        return;
    }
    step.covers.sort_unstable();
    step.covers.dedup();
    let digits = Digits::one(digit);
    step.removed = removed.iter().map(|cell| Candidate { cell, digit }).collect();
    step.groups = vec![
        Group { part: Part::Body, cells: spots, digits },
        Group { part: Part::Link, cells: ends, digits },
    ];
    step.truths = step.houses.iter().map(|&house| Truth::Place { house, digit }).collect();
    search.offer(step);
}

fn tell_links(step: &Step, words: &Words<'_>) -> String {
    let digit = words.digits(step.digits(Part::Body));
    let houses = words.houses(&step.houses);
    let near = words.cells(step.cells(Part::Link));
    let ends = |group: &Group| {
        let ends: Vec<String> = group.cells.iter().map(|cell| words.cells(Cells::one(cell))).collect();
        ends.join(" or ")
    };
    let far: Vec<String> = step.part(Part::Body).map(ends).collect();
    let far = far.join(", and so is ");
    format!(
        "{digit} has two cells in each of {houses}. Not both of {near} are {digit}, so {far} is \
         {digit}, and a cell that sees both has none"
    )
}

fn tell_rectangle(step: &Step, words: &Words<'_>) -> String {
    let [house, ref links @ ..] = step.houses[..] else { return String::new() };
    let digit = words.digits(step.digits(Part::Body));
    let (house, covers) = (words.house(house), words.houses(&step.covers));
    let removed: Cells = step.removed.iter().map(|removed| removed.cell).collect();
    let removed = words.cells(removed);
    let of = if links.len() > 1 { "one of " } else { "" };
    let links = words.houses(links);
    format!(
        "In {house}, {digit} stands only in {covers}. With {digit} in {removed}, {house} would need it \
         in the other line, and {of}{links} would have no cell for it"
    )
}
