//! Junior exocet: two cells of a box whose digits stand again in two cells of the same band.
//!
//! Two base cells lie in one line of a box. In each of the other two boxes of the band, a target
//! cell lies in another line; its companion, next to it in the third line, has no candidate of the
//! base. Three cross-lines run through the third cell of the base's line in the box and through the
//! two targets; their 18 cells outside of the band are the S-cells. Two houses contain the S-cells
//! of each base digit, so at most two S-cells take it. A digit in the base needs a cell in all
//! three cross-lines, and in the band only the targets can give one. So both digits of the base
//! stand in the targets.
//!
//! The mirror of a target is the pair of cells in the box of the other target, in the line without
//! base and target, off the cross-line: no other cell of that box can take the digit of the target.
//!
//! Method: where the pattern holds, all ways to fill base and targets are tried, with room in the
//! S-cells and in the mirrors. Candidates that no way uses fall. This includes the players' rules
//! for digits with one cover house, for incompatible pairs, and for mirrors.
//!
//! Source: the forum of players; D. P. Bird's compendium of junior exocets; first seen by A. Barker
//! in Fata Morgana.
//!
//! Bound: 162 pairs of base cells, with 36 choices of targets each, most of which fail at once.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::layout::HouseKind;
use crate::search::Search;
use crate::sectors;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family = Family { techniques: &[&EXOCET], find };

static EXOCET: Technique = Technique {
    name: "junior exocet",
    score: 88,
    summary: "Two cells of a box hold two of three or four digits. Because of the three lines that \
              cross their band, both digits also stand in two target cells of the band, which lose \
              all other candidates.",
    is_uniqueness: false,
    tell,
};

/// Number of S-cells of the three cross-lines that can take a base digit.
const COVERS: usize = 2;

/// Cells of a classic board by band: of rows, or of columns.
#[derive(Clone, Copy, Debug)]
struct View {
    is_row: bool,
}

impl View {
    /// Returns the cell where a line along the band crosses one across it.
    fn at(self, line: usize, cross: usize) -> usize {
        if self.is_row { 9 * line + cross } else { 9 * cross + line }
    }

    /// Returns the cells of a line across the band.
    fn cross(self, number: usize) -> Cells {
        if self.is_row { sectors::column(number) } else { sectors::row(number) }
    }

    /// Returns the cells of the band of a line.
    fn band(self, line: usize) -> Cells {
        let first = line / 3 * 3;
        let line = |number| if self.is_row { sectors::row(number) } else { sectors::column(number) };
        line(first) | line(first + 1) | line(first + 2)
    }

    /// Returns the house across the band through a cell.
    fn house(self, board: &Board, cell: usize) -> Option<usize> {
        let kind = if self.is_row { HouseKind::Column } else { HouseKind::Row };
        board.layout().house_of(cell, kind)
    }
}

/// A target cell with its mirror.
#[derive(Clone, Copy, Debug)]
struct Target {
    cell: usize,
    /// The two cells that can take the digit of the target in the box of the other target.
    mirror: Cells,
}

/// The cells of a pattern.
#[derive(Clone, Copy, Debug)]
struct Pattern {
    base: [usize; 2],
    digits: Digits,
    targets: [Target; 2],
    /// The S-cells of the cross-lines of the base and of the targets.
    crossings: [Cells; 3],
}

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    if !search.wants(EXOCET.score) || !sectors::is_classic(board.layout()) {
        return Ok(());
    }
    for view in [View { is_row: true }, View { is_row: false }] {
        for line in 0..9 {
            for cross in 0..9 {
                search.spend(300)?;
                find_at(search, view, line, cross)?;
            }
        }
    }
    Ok(())
}

/// Offers the steps whose base is in the box and line of a cell, on both sides of it.
fn find_at(search: &mut Search<'_>, view: View, line: usize, cross: usize) -> Result<(), Limit> {
    let board = search.board();
    let stack = cross / 3 * 3;
    let base = [(cross + 1) % 3, (cross + 2) % 3].map(|place| view.at(line, stack + place));
    let digits = board.marks(base[0]) | board.marks(base[1]);
    if base.iter().any(|&cell| !board.open().has(cell)) || !(3..=4).contains(&digits.len()) {
        return Ok(());
    }
    let [left, right] = match stack {
        0 => [3, 6],
        3 => [0, 6],
        _ => [0, 3],
    };
    let targets = |stack: usize| -> Vec<(usize, usize)> {
        let all =
            (stack..stack + 3).flat_map(|cross| [1, 2].map(|n| (line / 3 * 3 + (line + n) % 3, cross)));
        all.filter(|&(target, cross)| is_target(board, view, line, target, cross, digits)).collect()
    };
    let right_targets = targets(right);
    for first in targets(left) {
        for &second in &right_targets {
            search.spend(2_000)?;
            let target = |(target, cross): (usize, usize), (_, other): (usize, usize)| {
                let third = third_line(line, target);
                let mirror = (other / 3 * 3..other / 3 * 3 + 3).filter(|&place| place != other);
                Target {
                    cell: view.at(target, cross),
                    mirror: mirror.map(|place| view.at(third, place)).collect(),
                }
            };
            let band = view.band(line);
            let pattern = Pattern {
                base,
                digits,
                targets: [target(first, second), target(second, first)],
                crossings: [cross, first.1, second.1].map(|cross| view.cross(cross) - band),
            };
            if pattern.holds(board) {
                offer(search, view, &pattern, view.at(line, cross));
            }
        }
    }
    Ok(())
}

/// Returns the third line of the band of two lines.
fn third_line(line: usize, other: usize) -> usize {
    let first = line / 3 * 3;
    3 * first + 3 - line - other
}

/// Returns whether a cell can be a target: it has base digits and its companion has none.
fn is_target(
    board: &Board,
    view: View,
    line: usize,
    target: usize,
    cross: usize,
    digits: Digits,
) -> bool {
    let companion = view.at(third_line(line, target), cross);
    let is_free = match board.value(companion) {
        Some(digit) => !digits.has(digit),
        None => !board.marks(companion).meets(digits),
    };
    is_free && board.marks(view.at(target, cross)).meets(digits)
}

impl Pattern {
    /// Returns whether at most two S-cells can take each base digit.
    fn holds(&self, board: &Board) -> bool {
        let all = self.crossings.into_iter().fold(Cells::NONE, |all, cells| all | cells);
        let houses: Vec<usize> = (0..board.houses().len()).collect();
        self.digits.iter().all(|digit| {
            let placed = (board.placed(digit) & all).len();
            let open = board.spots(digit) & all;
            placed <= COVERS && sectors::cover_count(board, &houses, open, COVERS - placed).is_some()
        })
    }

    /// Returns whether one target can take a digit and the other another digit of the base.
    fn is_possible(&self, board: &Board, digits: [usize; 2]) -> bool {
        let fits = |target: &Target, digit: usize| {
            let stands = board.spots(digit) | board.placed(digit);
            board.marks(target.cell).has(digit) && stands.meets(target.mirror)
        };
        self.targets.iter().zip(digits).all(|(target, digit)| fits(target, digit))
            && self.has_room(board, digits)
    }

    /// Returns whether the S-cells have room: each digit needs one in the cross-line of the base
    /// and one in the cross-line of the other target.
    fn has_room(&self, board: &Board, [first, second]: [usize; 2]) -> bool {
        let stands = |digit: usize, line: usize| {
            (board.spots(digit) | board.placed(digit)) & self.crossings[line]
        };
        let pairs = |digit: usize, line: usize| {
            stands(digit, 0)
                .iter()
                .filter(move |&cell| !(stands(digit, line) - board.layout().peers(cell)).is_empty())
        };
        // Only the cells in the cross-line of the base could be the same.
        pairs(first, 2).any(|one| pairs(second, 1).any(|other| one != other))
    }
}

/// Offers the step of a pattern.
fn offer(search: &mut Search<'_>, view: View, pattern: &Pattern, third: usize) {
    let board = search.board();
    let mut kept = [Digits::NONE; 4];
    let mirrors = pattern.targets[0].mirror | pattern.targets[1].mirror;
    let mut kept_in_mirrors: Vec<(usize, Digits)> =
        mirrors.iter().map(|cell| (cell, Digits::NONE)).collect();
    for first in board.marks(pattern.base[0]).iter() {
        for second in board.marks(pattern.base[1]).iter().filter(|&second| second != first) {
            for digits in [[first, second], [second, first]] {
                if !pattern.is_possible(board, digits) {
                    continue;
                }
                [first, second]
                    .iter()
                    .chain(&digits)
                    .zip(&mut kept)
                    .for_each(|(&d, kept)| kept.insert(d));
                for (target, digit) in pattern.targets.iter().zip(digits) {
                    for (cell, kept) in &mut kept_in_mirrors {
                        if target.mirror.has(*cell) {
                            *kept |= mirror_marks(board, target.mirror, *cell, digit);
                        }
                    }
                }
            }
        }
    }
    if kept.iter().any(|kept| kept.is_empty()) {
        return;
    }
    let [first, second] = pattern.targets;
    let mut removed: Vec<Candidate> = [pattern.base[0], pattern.base[1], first.cell, second.cell]
        .into_iter()
        .zip(kept)
        .chain(kept_in_mirrors)
        .flat_map(|(cell, kept)| {
            let falling = board.marks(cell) - kept;
            falling.iter().map(move |digit| Candidate { cell, digit })
        })
        .collect();
    if removed.is_empty() {
        return;
    }
    removed.sort_unstable();
    let mut step = Step::new(&EXOCET);
    step.removed = removed;
    step.houses =
        [third, first.cell, second.cell].iter().filter_map(|&cell| view.house(board, cell)).collect();
    step.houses.sort_unstable();
    let boxes = [first.cell, second.cell].map(|cell| board.layout().house_of(cell, HouseKind::Box));
    step.truths = pattern.base.map(Truth::Cell).to_vec();
    for house in step.houses.iter().copied().chain(boxes.into_iter().flatten()) {
        let digits = pattern.digits & board.missing(house);
        step.truths.extend(digits.iter().map(|digit| Truth::Place { house, digit }));
    }
    let digits = pattern.digits;
    let covered = pattern.crossings.into_iter().fold(Cells::NONE, |all, cells| all | cells);
    step.groups = vec![
        Group { part: Part::Body, cells: pattern.base.into_iter().collect(), digits },
        Group { part: Part::Fin, cells: [first.cell, second.cell].into_iter().collect(), digits },
        Group { part: Part::Link, cells: covered & board.open(), digits },
    ];
    search.offer(step);
}

/// Returns the candidates that a cell of a mirror keeps if the mirror takes a digit.
fn mirror_marks(board: &Board, mirror: Cells, cell: usize, digit: usize) -> Digits {
    let stands = (board.spots(digit) | board.placed(digit)) & mirror;
    if stands == Cells::one(cell) { Digits::one(digit) } else { board.marks(cell) }
}

fn tell(step: &Step, words: &Words<'_>) -> String {
    let digits = words.digits(step.digits(Part::Body));
    let base = words.cells(step.cells(Part::Body));
    let targets = words.cells(step.cells(Part::Fin));
    format!(
        "{base} take two of {digits}. In {}, outside of their band, each of these digits can stand \
         at most twice, but a digit in {base} needs all three of these lines, so both digits also \
         stand in {targets}",
        words.houses(&step.houses)
    )
}
