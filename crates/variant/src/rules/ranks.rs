//! The rules for ranks: every row and column is read as a number from both ends, and all these
//! numbers are ranked, or differ.

use super::sides::draw_side;
use super::{Args, ClueList};
use crate::automaton::determined;
use crate::board::VariantBoard;
use crate::budget;
use crate::clue::{Automaton, Clue, CluePart, DeferredPart, Digit, WalkMeaning};
use crate::sketch::{NumberFrame, Sketch};

/// Work charged for comparing two cells, in units of [`budget::spend`].
const CELL_WORK: u64 = 5;

/// The automaton of a ranked line: its cells and what each of them means.
struct RankAutomaton {
    cells: Vec<usize>,
    reads: Vec<RankStep>,
    first: Digit,
    less: i64,
    may_tie: bool,
}

#[derive(Clone, Copy)]
enum RankStep {
    /// The first digit of the ranked line.
    First,
    /// The first digit of another line.
    Head,
    /// A digit of the ranked line that will be compared with a digit of another line. If `begins`,
    /// the other line has the same first cell, and this is the first comparison of both lines.
    Own { begins: bool },
    /// The digit of the other line at the same index. If `is_last`, it is the last one compared.
    Other { is_last: bool },
}

/// The result so far of comparing the ranked line with another line.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Order {
    /// The comparison is decided, or the other line begins with another digit.
    Known,
    Equal,
    /// The next digit is compared with this digit of the ranked line.
    Against(Digit),
}

/// For engines without a rule for ranks, the clue becomes an automaton whose state is the number of
/// lines with the same first digit that are less, and the comparison with the current line.
pub(super) fn full_rank(board: &VariantBoard, args: &Args) -> ClueList {
    rank(board, args, false)
}

/// The clue becomes the one of the rule `full-rank`, except that other lines may be equal.
pub(super) fn full_rank_ties(board: &VariantBoard, args: &Args) -> ClueList {
    rank(board, args, true)
}

/// Builds the clue that a line has the given rank. Each side of the grid contains all digits, so
/// four lines begin with each digit. The rank determines the first digit of the line, and how many
/// of the three other lines with that digit are less.
fn rank(board: &VariantBoard, args: &Args, may_tie: bool) -> ClueList {
    let (own, rank) = (args.groups[0].clone(), args.values[0]);
    let side = board.order();
    if !board.shape.is_square() {
        return Err("the rule needs a square with as many digits as rows".to_owned());
    }
    let all = lines(board);
    if !all.contains(&own) {
        return Err("expected a row or column, such as row 1 left".to_owned());
    }
    let most = 4 * side as i64;
    if !(1..=most).contains(&rank) {
        return Err(format!("expected a rank from 1 to {most}, found {rank}"));
    }
    let first = board.first + ((rank - 1) / 4) as Digit;
    let less = (rank - 1) % 4;
    // Skip the lines of the same side and the reverse of the ranked line, which begin with other
    // digits.
    let is_of_side = |line: &Vec<usize>| {
        line[1].abs_diff(line[0]) == own[1].abs_diff(own[0]) && (line[1] > line[0]) == (own[1] > own[0])
    };
    let is_back = |line: &Vec<usize>| line[0] == own[side - 1] && line[side - 1] == own[0];
    let is_other = |line: &&Vec<usize>| side > 1 && !is_of_side(line) && !is_back(line);
    let others: Vec<Vec<usize>> = all.iter().filter(is_other).cloned().collect();
    let part = {
        let cells = [&own[..], &others.concat()].concat();
        let (board, own) = (board.clone(), own.clone());
        let meaning = WalkMeaning::Rank(first, [less as usize, 3 - less as usize], may_tie);
        DeferredPart::new(cells, meaning, move || {
            RankAutomaton::new(&own, &others, first, less, may_tie).part(&board)
        })
    };
    let place = all.iter().position(|line| *line == own).expect("the line is one of all");
    let is_right = move |digits: &[Digit]| {
        let number = |line: &Vec<usize>| line.iter().map(|&cell| digits[cell]).collect::<Vec<_>>();
        let numbers: Vec<Vec<Digit>> = all.iter().map(number).collect();
        let less = numbers.iter().filter(|other| **other < numbers[place]).count();
        let equal = numbers.iter().filter(|other| **other == numbers[place]).count();
        less as i64 + 1 == rank && (may_tie || equal == 1)
    };
    let inside: Vec<usize> = (0..board.inside()).collect();
    // Alone in a grid of one cell, the line equals the other three.
    let part = if side > 1 { CluePart::Deferred(part) } else { part.to_part()? };
    Ok(vec![Clue::new(&inside, is_right, vec![part])])
}

/// Returns all rows and columns, in both directions.
fn lines(board: &VariantBoard) -> Vec<Vec<usize>> {
    let rows = (0..board.shape.rows()).map(|row| board.row(row));
    rows.chain((0..board.columns()).map(|column| board.column(column)))
        .flat_map(|line| [line.clone(), line.into_iter().rev().collect()])
        .collect()
}

impl RankAutomaton {
    fn new(own: &[usize], others: &[Vec<usize>], first: Digit, less: i64, may_tie: bool) -> Self {
        let (mut cells, mut reads) = (vec![own[0]], vec![RankStep::First]);
        for line in others {
            let mut begins = line[0] == own[0];
            if !begins {
                cells.push(line[0]);
                reads.push(RankStep::Head);
            }
            // A cell that belongs to both lines at the same index needs no comparison.
            let places: Vec<usize> =
                (1..own.len()).filter(|&place| line[place] != own[place]).collect();
            for &place in &places {
                cells.extend([own[place], line[place]]);
                let is_last = Some(&place) == places.last();
                reads.extend([RankStep::Own { begins }, RankStep::Other { is_last }]);
                begins = false;
            }
        }
        Self { cells, reads, first, less, may_tie }
    }

    fn part(self, board: &VariantBoard) -> Result<CluePart, String> {
        let step = |at: usize, state: &(i64, Order), digit: Digit| Ok(self.step(at, *state, digit));
        let is_end = |&(count, _): &(i64, Order)| count == self.less;
        let walk = determined(board, self.cells.len(), (0, Order::Known), step, is_end)?;
        Ok(CluePart::Automaton(self.cells, walk))
    }

    fn step(&self, at: usize, (count, order): (i64, Order), digit: Digit) -> Option<(i64, Order)> {
        match self.reads[at] {
            RankStep::First => (digit == self.first).then_some((count, Order::Known)),
            RankStep::Head if digit == self.first => Some((count, Order::Equal)),
            RankStep::Head => Some((count, Order::Known)),
            RankStep::Own { begins } if begins || order == Order::Equal => {
                Some((count, Order::Against(digit)))
            }
            RankStep::Own { .. } => Some((count, order)),
            RankStep::Other { is_last } => match order {
                Order::Against(own) if own == digit && is_last => {
                    self.may_tie.then_some((count, Order::Known))
                }
                Order::Against(own) if own == digit => Some((count, Order::Equal)),
                Order::Against(own) if own > digit => {
                    (count < self.less).then_some((count + 1, Order::Known))
                }
                _ => Some((count, Order::Known)),
            },
        }
    }
}

/// For each pair of lines that can be equal, the clue becomes an automaton that reads the cells of
/// both lines in turns, until two of them differ.
pub(super) fn different_lines(board: &VariantBoard, _: &Args) -> ClueList {
    if !board.shape.is_square() {
        return Err("the rule needs a square with as many digits as rows".to_owned());
    }
    let (all, len) = (lines(board), board.order());
    let mut clues = Vec::new();
    for (place, line) in all.iter().enumerate() {
        for other in &all[place + 1..] {
            budget::spend_each(len, CELL_WORK)?;
            // Two lines are equal exactly when both are equal in the other direction.
            let is_reversed = line.first() > line.last();
            let must_differ = |(&one, &other): (&usize, &usize)| {
                let ((row, column), (other_row, other_column)) = (board.place(one), board.place(other));
                one != other && (row == other_row || column == other_column)
            };
            if !is_reversed && !line.iter().zip(other).any(must_differ) {
                clues.push(different(line, other));
            }
        }
    }
    Ok(clues)
}

fn different(line: &[usize], other: &[usize]) -> Clue {
    const EQUAL: i64 = i64::MAX;
    const DIFFERENT: i64 = i64::MIN;
    let len = line.len();
    let cells = line.iter().zip(other).flat_map(|(&one, &other)| [one, other]).collect();
    let step = move |at: usize, state: i64, digit: Digit| match state {
        DIFFERENT => Some(DIFFERENT),
        EQUAL => Some(i64::from(digit)),
        before if before != i64::from(digit) => Some(DIFFERENT),
        _ => (at + 1 < 2 * len).then_some(EQUAL),
    };
    let walk = Automaton {
        starts: vec![EQUAL],
        step: Box::new(step),
        is_end: Box::new(|state| state == DIFFERENT),
        meaning: None,
    };
    let both = [line, other].concat();
    let is_right = move |digits: &[Digit]| digits[..len] != digits[len..];
    Clue::new(&both, is_right, vec![CluePart::Automaton(cells, walk)])
}

pub(super) fn draw(sketch: &mut Sketch<'_>, args: &Args) {
    draw_side(sketch, args, NumberFrame::None, |number| format!("#{number}"));
}

pub(super) fn draw_ties(sketch: &mut Sketch<'_>, args: &Args) {
    draw_side(sketch, args, NumberFrame::None, |number| format!("{number}="));
}
