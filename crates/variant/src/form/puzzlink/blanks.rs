//! Reads the puzz.link kinds whose rows may repeat a blank, a block or a star. The digit 0 or 1
//! represents these. The digits of a row or column need not differ, and a clue for each row and
//! column states the count of each digit.
//!
//! - `easyasabc`: every row and column contains each letter once. Letters are the digits from 1,
//!   and a number outside the grid is the first letter seen from there.
//! - `doppelblock`: every row and column contains two blocks (0) and each digit once. The numbers
//!   above and to the left are the sums between the blocks.
//! - `starbattle`: each row, column and region contains the same number of stars (1), which the
//!   link states. No two stars touch, not even at a corner.

use std::sync::Arc;

use super::super::{NamedClues, clue};
use super::{ended, numbers};
use crate::VariantBoard;
use crate::rules::Args;
use grid::{Grid, GridLayout, MAX_ORDER, Shape};

type LinkedGrid = (VariantBoard, Grid, NamedClues);
/// Reads the parts of a link after the size, given the order of the square grid.
type ReadParts = fn(usize, &[&str]) -> Result<LinkedGrid, String>;

pub(super) const BLANK_KINDS: [(&str, ReadParts); 3] =
    [("easyasabc", easy_as_abc), ("doppelblock", doppelblock), ("starbattle", starbattle)];

fn board(order: usize, last: usize, regions: &[Vec<usize>]) -> Result<(VariantBoard, Grid), String> {
    let shape = Shape::of(&GridLayout {
        rows: order,
        columns: order,
        symbols: last + 1,
        outside: 0,
        has_lines: false,
        regions,
        rules: &[],
    })?;
    let (_, grid) = super::super::empty(Arc::new(shape), 0);
    Ok((VariantBoard::new(Arc::clone(grid.shape()), 0), grid))
}

fn lines(board: &VariantBoard, order: usize) -> impl Iterator<Item = Vec<usize>> + '_ {
    let rows = (0..order).map(|row| board.row(row));
    rows.chain((0..order).map(|column| board.column(column)))
}

/// Builds clues that state the count of each digit in each row and column.
fn counts(board: &VariantBoard, order: usize, often: &[(i64, usize)]) -> NamedClues {
    let values: Vec<i64> = often.iter().flat_map(|&(count, digit)| [count, digit as i64]).collect();
    lines(board, order).map(|line| clue("counts", line, values.clone())).collect()
}

fn number(part: Option<&&str>, what: &str, most: usize) -> Result<usize, String> {
    let number = part.and_then(|part| part.parse().ok()).filter(|number| (1..=most).contains(number));
    let found = part.map_or("nothing", |part| *part);
    number.ok_or_else(|| format!("expected {what} from 1 to {most} behind the sizes, found `{found}`"))
}

/// Places the given digits. A number above `last` is an error.
fn fill(grid: &mut Grid, order: usize, last: usize, body: &str) -> Result<(), String> {
    let (given, rest) = numbers(body, order * order)?;
    ended(rest)?;
    for (cell, digit) in given.into_iter().enumerate().filter_map(|(cell, digit)| Some((cell, digit?)))
    {
        let digit = usize::try_from(digit).ok().filter(|digit| (1..=last).contains(digit));
        grid.place(
            cell,
            digit.ok_or_else(|| format!("expected digits from 1 to {last} in the cells"))?,
        );
    }
    Ok(())
}

fn easy_as_abc(order: usize, parts: &[&str]) -> Result<LinkedGrid, String> {
    let last = number(parts.first(), "a number of letters", order.min(MAX_ORDER - 1))?;
    let (board, mut grid) = board(order, last, &[])?;
    let body = one_body(&parts[1..])?;
    let (outside, rest) = numbers(body, 4 * order)?;
    fill(&mut grid, order, last, rest)?;
    let often: Vec<(i64, usize)> = (1..=last).map(|digit| (1, digit)).collect();
    let mut clues = counts(&board, order, &often);
    for (place, letter) in outside.into_iter().enumerate().filter_map(|(at, it)| Some((at, it?))) {
        let (side, at) = (place / order, place % order);
        let mut line = if side < 2 { board.column(at) } else { board.row(at) };
        if side % 2 == 1 {
            line.reverse();
        }
        let letter = u32::try_from(letter).ok().filter(|letter| (1..=last as u32).contains(letter));
        let letter = letter.and_then(|letter| char::from_digit(letter, 36));
        let letter = letter.ok_or_else(|| {
            format!("expected letters from 1 to {} outside of the grid", last.min(35))
        })?;
        clues.push((
            "regex",
            Args { groups: vec![line], values: vec![], text: format!("0*{letter}.*") },
        ));
    }
    Ok((board, grid, clues))
}

fn doppelblock(order: usize, parts: &[&str]) -> Result<LinkedGrid, String> {
    if order < 3 {
        return Err(format!("expected at least 3 columns and rows, found {order}"));
    }
    let last = order - 2;
    let (board, mut grid) = board(order, last, &[])?;
    let (outside, rest) = numbers(one_body(parts)?, 2 * order)?;
    fill(&mut grid, order, last, rest)?;
    let often: Vec<(i64, usize)> = (1..=last).map(|digit| (1, digit)).chain([(2, 0)]).collect();
    let mut clues = counts(&board, order, &often);
    for (place, sum) in outside.into_iter().enumerate().filter_map(|(at, it)| Some((at, it?))) {
        let most = last * (last + 1) / 2;
        let sum = usize::try_from(sum).ok().filter(|&sum| sum <= most);
        let sum = sum.ok_or_else(|| format!("expected sums up to {most} outside of the grid"))?;
        let line = if place < order { board.column(place) } else { board.row(place - order) };
        let text = between_blocks(last, sum);
        clues.push(("machine", Args { groups: vec![line], values: vec![], text }));
    }
    Ok((board, grid, clues))
}

/// Writes an automaton that adds up the digits between the two blocks. State 0 precedes the first
/// block, the states from 1 on stand for the partial sums, and the last state follows the second
/// block.
fn between_blocks(last: usize, sum: usize) -> String {
    let all: Vec<String> = (1..=last).map(|digit| digit.to_string()).collect();
    let (all, end) = (all.join(","), sum + 2);
    let between = |so_far: usize| {
        let on = (1..=last.min(sum - so_far)).map(|digit| format!("{digit}:{}", 1 + so_far + digit));
        let on = on.collect::<Vec<_>>().join(" ");
        if so_far == sum { format!("0:{end}") } else { on }
    };
    let states: Vec<String> = (0..=sum).map(between).collect();
    format!("> {all}:0 0:1; {}; * {all}:{end}", states.join("; "))
}

fn starbattle(order: usize, parts: &[&str]) -> Result<LinkedGrid, String> {
    let stars = number(parts.first(), "a number of stars", order)?;
    let regions = regions(order, one_body(&parts[1..])?)?;
    // Use clues for the regions, because the cells of a region need not have different digits.
    let (board, grid) = board(order, 1, &[])?;
    let mut clues = counts(&board, order, &[(stars as i64, 1)]);
    clues.extend(regions.into_iter().map(|cells| clue("counts", cells, vec![stars as i64, 1])));
    let beside = board.pairs(&[(0, 1), (1, 0), (1, 1), (1, -1)]);
    clues.extend(beside.into_iter().map(|(one, other)| clue("no-pair-sum", vec![one, other], vec![2])));
    Ok((board, grid, clues))
}

fn one_body<'l>(parts: &[&'l str]) -> Result<&'l str, String> {
    match parts {
        [] => Ok(""),
        [body] => Ok(body),
        _ => Err("expected the end behind the body of the link, found more".to_owned()),
    }
}

/// Reads borders between cells, five per letter: first between horizontal neighbors row by row,
/// then, starting with a new letter, between vertical neighbors. Neighbors without a border between
/// them are in the same region.
fn regions(order: usize, body: &str) -> Result<Vec<Vec<usize>>, String> {
    let mut bits = Vec::new();
    for letter in body.chars() {
        let five = letter.to_digit(32);
        let five =
            five.ok_or_else(|| format!("expected a digit of base 32 in the link, found `{letter}`"))?;
        bits.extend((0..5).map(|place| five >> (4 - place) & 1 == 1));
    }
    let count = order * (order - 1);
    let length = count.div_ceil(5) * 5;
    if bits.len() != 2 * length {
        let (expected, found) = (2 * length / 5, bits.len() / 5);
        return Err(format!("expected {expected} letters of borders in the link, found {found}"));
    }
    let is_parted = |cell: usize, down: bool| {
        let (row, column) = (cell / order, cell % order);
        if down { bits[length + cell] } else { bits[row * (order - 1) + column] }
    };
    let mut regions: Vec<Vec<usize>> = Vec::new();
    let mut is_seen = vec![false; order * order];
    for start in 0..order * order {
        let (mut region, mut open) = (Vec::new(), vec![start]);
        while let Some(cell) = open.pop() {
            if std::mem::replace(&mut is_seen[cell], true) {
                continue;
            }
            region.push(cell);
            let (row, column) = (cell / order, cell % order);
            open.extend((column + 1 < order && !is_parted(cell, false)).then_some(cell + 1));
            open.extend((column > 0 && !is_parted(cell.wrapping_sub(1), false)).then(|| cell - 1));
            open.extend((row + 1 < order && !is_parted(cell, true)).then_some(cell + order));
            open.extend((row > 0 && !is_parted(cell.wrapping_sub(order), true)).then(|| cell - order));
        }
        if !region.is_empty() {
            region.sort_unstable();
            regions.push(region);
        }
    }
    Ok(regions)
}
