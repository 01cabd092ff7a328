//! The rank rule: every row and column is read as a number from both ends, and all these numbers
//! are ranked.

use super::sides::draw_side;
use super::{Args, ClueList};
use crate::automaton::determined;
use crate::board::VariantBoard;
use crate::clue::{Clue, CluePart, Digit};
use crate::sketch::{NumberFrame, Sketch};

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

/// The clue becomes an automaton whose state is the number of lines with the same first digit that
/// are less, and the comparison with the current line.
pub(super) fn full_rank(board: &VariantBoard, args: &Args) -> ClueList {
    rank(board, args, false)
}

/// The clue becomes the automaton of the rule `full-rank`, except that other lines may be equal.
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
    let rows = (0..side).map(|row| board.row(row));
    let all: Vec<Vec<usize>> = rows
        .chain((0..side).map(|column| board.column(column)))
        .flat_map(|line| [line.clone(), line.into_iter().rev().collect()])
        .collect();
    if !all.contains(&own) {
        return Err("expected a row or column, such as row 1 left".to_owned());
    }
    let most = 4 * side as i64;
    if !(1..=most).contains(&rank) {
        return Err(format!("expected a rank from 1 to {most}, found {rank}"));
    }
    let first = board.first + ((rank - 1) / 4) as Digit;
    let less = (rank - 1) % 4;
    let (mut cells, mut reads) = (vec![own[0]], vec![RankStep::First]);
    // Skip the lines of the same side and the reverse of the ranked line, which begin with other
    // digits.
    let is_of_side = |line: &Vec<usize>| {
        line[1].abs_diff(line[0]) == own[1].abs_diff(own[0]) && (line[1] > line[0]) == (own[1] > own[0])
    };
    let is_back = |line: &Vec<usize>| line[0] == own[side - 1] && line[side - 1] == own[0];
    for line in all.iter().filter(|line| side > 1 && !is_of_side(line) && !is_back(line)) {
        let mut begins = line[0] == own[0];
        if !begins {
            cells.push(line[0]);
            reads.push(RankStep::Head);
        }
        // A cell that belongs to both lines at the same index needs no comparison.
        let places: Vec<usize> = (1..side).filter(|&place| line[place] != own[place]).collect();
        for &place in &places {
            cells.extend([own[place], line[place]]);
            let is_last = Some(&place) == places.last();
            reads.extend([RankStep::Own { begins }, RankStep::Other { is_last }]);
            begins = false;
        }
    }
    let step = |at: usize, &(count, order): &(i64, Order), digit: Digit| match reads[at] {
        RankStep::First => (digit == first).then_some((count, Order::Known)),
        RankStep::Head if digit == first => Some((count, Order::Equal)),
        RankStep::Head => Some((count, Order::Known)),
        RankStep::Own { begins } if begins || order == Order::Equal => {
            Some((count, Order::Against(digit)))
        }
        RankStep::Own { .. } => Some((count, order)),
        RankStep::Other { is_last } => match order {
            Order::Against(own) if own == digit && is_last => may_tie.then_some((count, Order::Known)),
            Order::Against(own) if own == digit => Some((count, Order::Equal)),
            Order::Against(own) if own > digit => (count < less).then_some((count + 1, Order::Known)),
            _ => Some((count, Order::Known)),
        },
    };
    let step = |at: usize, state: &(i64, Order), digit: Digit| Ok(step(at, state, digit));
    let walk = determined(board, cells.len(), (0, Order::Known), step, |&(count, _)| count == less)?;
    let place = all.iter().position(|line| *line == own).expect("the line is one of all");
    let is_right = move |digits: &[Digit]| {
        let number = |line: &Vec<usize>| line.iter().map(|&cell| digits[cell]).collect::<Vec<_>>();
        let numbers: Vec<Vec<Digit>> = all.iter().map(number).collect();
        let less = numbers.iter().filter(|other| **other < numbers[place]).count();
        let equal = numbers.iter().filter(|other| **other == numbers[place]).count();
        less as i64 + 1 == rank && (may_tie || equal == 1)
    };
    let inside: Vec<usize> = (0..board.inside()).collect();
    Ok(vec![Clue::new(&inside, is_right, vec![CluePart::Automaton(cells, walk)])])
}

pub(super) fn draw(sketch: &mut Sketch<'_>, args: &Args) {
    draw_side(sketch, args, NumberFrame::None, |number| format!("#{number}"));
}

pub(super) fn draw_ties(sketch: &mut Sketch<'_>, args: &Args) {
    draw_side(sketch, args, NumberFrame::None, |number| format!("{number}="));
}
