//! Sue de Coq: cells of one box and one line that have as many digits as cells.
//!
//! Some cells in both the box and the line have at least two candidates more than cells. Cells of
//! the rest of the line and cells of the rest of the box, without a common candidate, take up the
//! surplus: all these cells together have as many digits as cells, and each digit fits only once.
//! So every digit stands in the pattern, and what sees all cells of a digit in it is eliminated. In
//! the basic pattern the outer cells have only candidates of the inner cells; in the extended one
//! they have further ones, with one more cell for each.
//!
//! Bound: a box and a line have at most 11 cells each. All sets of inner cells, of cells in the
//! rest of the line and of cells in the rest of the box are tried, the last two independently of
//! each other before they are paired.
//!
//! Source: the definitions of HoDoKu and SudokuWiki.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::layout::HouseKind;
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family = Family { techniques: &[&SUE_DE_COQ], find };

static SUE_DE_COQ: Technique = Technique {
    name: "Sue de Coq",
    score: 65,
    summary: "Cells in a box and a line have at least two candidates more than cells. Cells in the rest \
              of the line and others in the rest of the box take up the surplus, so all digits are locked \
              in the pattern.",
    is_uniqueness: false,
    tell,
};

/// Outer cells, their candidates, and how much of the surplus they take up.
struct Outer {
    cells: Cells,
    digits: Digits,
    taken: usize,
}

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    let houses = board.houses();
    if !search.wants(SUE_DE_COQ.score) {
        return Ok(());
    }
    for (box_, shape) in houses.iter().enumerate().filter(|(_, house)| house.kind == HouseKind::Box) {
        for (line, other) in houses.iter().enumerate().filter(|(_, house)| house.kind.is_line()) {
            let both = shape.cells & other.cells & board.open();
            if both.len() < 2 {
                continue;
            }
            search.spend(1_000)?;
            let rests = [other.cells - shape.cells, shape.cells - other.cells];
            let rests = rests.map(|rest| rest & board.open());
            let mut inner: Vec<Cells> = Vec::new();
            subsets(both, &mut |cells| inner.push(cells));
            for inner in inner {
                let digits = board.marks_of(inner);
                if inner.len() > 1 && digits.len() > inner.len() + 1 {
                    search.spend(2_000)?;
                    find_outer(search, [line, box_], inner, digits, rests);
                }
            }
        }
    }
    Ok(())
}

/// Visits all nonempty subsets of some cells.
fn subsets(cells: Cells, visit: &mut dyn FnMut(Cells)) {
    // The subsets of a mask in descending order.
    let all = cells.bits();
    let mut part = all;
    while part != 0 {
        visit(Cells::from_bits(part));
        part = (part - 1) & all;
    }
}

/// Offers the patterns with some inner cells.
fn find_outer(
    search: &mut Search<'_>,
    houses: [usize; 2],
    inner: Cells,
    digits: Digits,
    rests: [Cells; 2],
) {
    let board = search.board();
    let surplus = digits.len() - inner.len();
    let [line, box_] = rests.map(|rest| {
        // Each outer cell takes up a candidate of the inner cells.
        let meeting = rest.iter().filter(|&cell| board.marks(cell).meets(digits)).collect();
        let mut outer = Vec::new();
        subsets(meeting, &mut |cells| {
            let marks = board.marks_of(cells);
            let further = (marks - digits).len();
            if marks.len() > cells.len() && cells.len() > further && cells.len() - further < surplus {
                outer.push(Outer { cells, digits: marks, taken: cells.len() - further });
            }
        });
        outer
    });
    for a in &line {
        for b in box_.iter().filter(|b| a.taken + b.taken == surplus && !a.digits.meets(b.digits)) {
            offer(search, houses, inner, a, b);
        }
    }
}

/// Returns the candidates that see all cells of their digit in the pattern.
fn removed(board: &Board, cells: Cells) -> Vec<Candidate> {
    let mut removed = Vec::new();
    for digit in board.marks_of(cells).iter() {
        let seen = board.layout().common_peers(cells & board.spots(digit)) & board.spots(digit);
        removed.extend(seen.iter().map(|cell| Candidate { cell, digit }));
    }
    removed.sort_unstable();
    removed
}

fn offer(search: &mut Search<'_>, houses: [usize; 2], inner: Cells, line: &Outer, box_: &Outer) {
    let board = search.board();
    let cells = inner | line.cells | box_.cells;
    let removed = removed(board, cells);
    if removed.is_empty() {
        return;
    }
    let mut step = Step::new(&SUE_DE_COQ);
    step.groups = vec![
        Group { part: Part::Body, cells: inner, digits: board.marks_of(inner) },
        Group { part: Part::Set(0), cells: line.cells, digits: line.digits },
        Group { part: Part::Set(1), cells: box_.cells, digits: box_.digits },
    ];
    step.houses = houses.to_vec();
    step.truths = cells.iter().map(Truth::Cell).collect();
    step.removed = removed;
    search.offer(step);
}

fn tell(step: &Step, words: &Words<'_>) -> String {
    let part =
        |part| format!("{} ({})", words.cells(step.cells(part)), words.digits(step.digits(part)));
    let house = |n: usize| step.houses.get(n).map_or("", |&house| words.house(house));
    let cells = step.groups.iter().fold(Cells::NONE, |all, group| all | group.cells);
    format!(
        "The cells {} of both houses, {} of {} and {} of {} are {} cells with as many digits, each of which \
         fits only once; so all these digits stand there",
        part(Part::Body),
        part(Part::Set(0)),
        house(0),
        part(Part::Set(1)),
        house(1),
        cells.len(),
    )
}
