//! Writes the constraint strings of Interactive Sudoku Solver. The reader turns each token back
//! into the same clue.

use super::layout::{DIGITS_MAX, SIDE_MAX};
use super::{LINES, SIDES, WHOLE};
use crate::args::read_words;
use crate::clue::Digit;
use crate::rules::machines::Machine;
use crate::rules::pairs::pair_base;
use crate::rules::{Args, by_name};
use crate::{Variant, VariantBoard};
use grid::{GridRule, boxes_of_size};

pub(super) fn text(variant: &Variant) -> Result<String, String> {
    let mut out = shape(variant)?;
    for placed in &variant.placed {
        clue(&variant.board, placed.rule.name, &placed.args, &mut out)?;
    }
    let (order, board) = (variant.board.order(), &variant.board);
    for cell in 0..board.shape.cell_count() {
        if !variant.grid.is_blank(cell) {
            let marks = variant.grid.candidates(cell);
            let digits = (0..order).filter(|symbol| marks >> symbol & 1 == 1);
            let digits: Vec<i64> =
                digits.map(|symbol| i64::from(board.first) + symbol as i64).collect();
            given(board, cell, &digits, &mut out)?;
        }
    }
    if out.is_empty() {
        out.push_str(".Shape~9x9");
    }
    out.push('\n');
    Ok(out)
}

fn refused(name: &str) -> String {
    format!("iss has no form for the rule {name}, or not for these cells")
}

fn shape(variant: &Variant) -> Result<String, String> {
    let (board, shape) = (&variant.board, &variant.board.shape);
    let (rows, columns, digits) = (shape.rows(), shape.columns(), shape.order());
    if rows.max(columns) > SIDE_MAX || !(0..=1).contains(&board.first) || digits > DIGITS_MAX {
        return Err(format!(
            "iss holds grids of at most {SIDE_MAX} rows, columns and digits, with digits from 0 or 1 on"
        ));
    }
    if shape.has_lines() && digits < rows.max(columns) {
        return Err("iss needs as many digits as rows and columns".to_owned());
    }
    let mut out = String::new();
    let is_usual = board.first == 1 && digits == rows.max(columns) && shape.has_lines();
    if !is_usual || (rows, columns) != (9, 9) {
        out += &format!(".Shape~{rows}x{columns}");
        if !is_usual {
            out += &format!("~{}-{}", board.first, board.digits().end());
        }
        if !shape.has_lines() {
            out += "~Raw";
        }
    }
    for (name, count) in &*board.outside {
        out += &format!(".Var~{name}~~{count}");
    }
    for rule in shape.rules() {
        out.push_str(match rule {
            GridRule::AntiKnight => ".AntiKnight",
            GridRule::AntiKing => ".AntiKing",
            GridRule::Windoku => ".Windoku",
            GridRule::Diagonals => ".Diagonal~1.Diagonal~-1",
        });
    }
    let sizes: Vec<usize> = shape.regions().map(|region| region.cells.len()).collect();
    let usual = boxes_of_size(rows, columns, rows.max(columns)).filter(|_| shape.has_lines());
    if sizes.is_empty() {
        if usual.is_some() {
            out.push_str(".NoBoxes");
        }
        return Ok(out);
    }
    if !shape.has_lines() || sizes.iter().any(|&size| size != sizes[0] || size < 2) {
        return Err("iss holds regions of one size in grids whose rows and columns differ".to_owned());
    }
    if sizes[0] != rows.max(columns) {
        out += &format!(".RegionSize~{}", sizes[0]);
    }
    if shape.boxes().is_none() || shape.boxes() != boxes_of_size(rows, columns, sizes[0]) {
        let regions = &shape.region_of_cells()[..board.inside()];
        let is_rest_usual = regions.iter().filter(|&&region| region == sizes.len()).count() != sizes[0];
        if !is_rest_usual {
            return Err("iss holds regions that leave fewer or more cells out than one has".to_owned());
        }
        let labels: String = regions.iter().map(|&region| number(region)).collect();
        out += &format!(".NoBoxes.Jigsaw~{labels}");
    }
    Ok(out)
}

fn number(index: usize) -> char {
    char::from_digit(index as u32 + 1, 36).unwrap_or('*')
}

fn name(board: &VariantBoard, cell: usize) -> String {
    if cell >= board.inside() {
        return format!("V{}", board.name(cell));
    }
    let (row, column) = board.place(cell);
    format!("R{}C{}", number(row), number(column))
}

fn given(board: &VariantBoard, cell: usize, digits: &[i64], out: &mut String) -> Result<(), String> {
    if digits.is_empty() {
        return Err(format!("iss cannot hold a cell without digits, as {}", board.name(cell)));
    }
    let digits: String = digits.iter().map(|digit| format!("_{digit}")).collect();
    *out += &format!(".~{}{digits}", name(board, cell));
    Ok(())
}

fn clue(board: &VariantBoard, rule: &'static str, args: &Args, out: &mut String) -> Result<(), String> {
    let group = args.groups.first().map_or(&[][..], |group| &group[..]);
    let cells = |cells: &[usize]| -> String {
        cells.iter().map(|&cell| format!("~{}", name(board, cell))).collect()
    };
    let value = args.values.first().copied();
    if let Some((kind, _)) = WHOLE.iter().find(|(_, known)| *known == rule) {
        *out += &format!(".{kind}");
    } else if let Some((kind, _, has_number)) = LINES.iter().find(|(_, known, _)| *known == rule) {
        let default = match rule {
            "killer" => Some(0),
            "whisper" => Some(5),
            "lockout" => Some(4),
            "modular" => Some(3),
            _ => None,
        };
        let number = value.or(default).filter(|_| *has_number);
        if rule == "killer" && value == Some(0) {
            return Err(refused("killer with the sum 0"));
        }
        *out += &format!(".{kind}");
        *out += &number.map_or(String::new(), |number| format!("~{number}"));
        *out += &cells(group);
    } else if let Some((kind, _)) = SIDES.iter().find(|(_, known)| *known == rule) {
        let (line, is_back) = whole_line(board, group).ok_or_else(|| refused(rule))?;
        let number = value.unwrap_or_default();
        *out += &format!(".{kind}~{line}{}~{number}", if is_back { "~" } else { "" });
    } else {
        return other(board, rule, args, out);
    }
    Ok(())
}

fn other(
    board: &VariantBoard,
    rule: &'static str,
    args: &Args,
    out: &mut String,
) -> Result<(), String> {
    let group = args.groups.first().map_or(&[][..], |group| &group[..]);
    let cells = |cells: &[usize]| -> String {
        cells.iter().map(|&cell| format!("~{}", name(board, cell))).collect()
    };
    let digits: Vec<i64> = board.digits().map(i64::from).collect();
    let value = args.values.first().copied();
    let mut pairs = |kind: &str, list: &mut dyn Iterator<Item = [usize; 2]>| {
        let sides = board.sides();
        for [one, other] in list {
            if !sides.contains(&(one.min(other), one.max(other))) {
                return Err(refused(rule));
            }
            *out += &format!(".{kind}~{}~{}", name(board, one), name(board, other));
        }
        Ok(())
    };
    let mut chain = group.windows(2).map(|pair| [pair[0], pair[1]]);
    match (rule, value) {
        ("difference", None | Some(1)) => return pairs("WhiteDot", &mut chain),
        ("ratio", None | Some(2)) => return pairs("BlackDot", &mut chain),
        ("pair-sum", Some(10)) => return pairs("X", &mut chain),
        ("pair-sum", Some(5)) => return pairs("V", &mut chain),
        ("greater", _) => return pairs("GreaterThan", &mut chain),
        ("palindrome", _) => *out += &format!(".Palindrome{}", cells(group)),
        ("clone", _) => {
            for copy in &args.groups[1..] {
                for (&one, &other) in group.iter().zip(copy).filter(|(one, other)| one != other) {
                    *out += &format!(".Palindrome{}", cells(&[one, other]));
                }
            }
        }
        ("arrow", _) if group.len() == 1 => {
            *out += &format!(".Arrow{}{}", cells(group), cells(&args.groups[1]));
        }
        ("arrow", _) => {
            *out += &format!(".PillArrow~{}{}{}", group.len(), cells(group), cells(&args.groups[1]));
        }
        ("equal-sums", _) => {
            let groups: Vec<String> = args.groups.iter().map(|group| cells(group)).collect();
            *out += &format!(".EqualSum{}", groups.join("~"));
        }
        ("sandwich", Some(sum)) => {
            let (line, _) = whole_line(board, group).ok_or_else(|| refused(rule))?;
            *out += &format!(".Sandwich~{sum}~{line}");
        }
        ("quadruple", _) => {
            let mut sorted = group.to_vec();
            sorted.sort_unstable();
            let (first, columns) = (sorted[0], board.columns());
            if sorted != [first, first + 1, first + columns, first + columns + 1]
                || first % columns + 1 == columns
            {
                return Err(refused(rule));
            }
            let values: String = args.values.iter().map(|value| format!("~{value}")).collect();
            *out += &format!(".Quad~{}{values}", name(board, first));
        }
        ("weighted-sum", Some(sum)) => {
            let factors: String = args.values[1..].iter().map(|factor| format!("_{factor}")).collect();
            *out += &format!(".Sum~{sum}_={factors}{}", cells(group));
        }
        ("same-digits", _) if args.groups.iter().all(|other| other.len() == group.len()) => {
            let all: String = args.groups.iter().map(|group| cells(group)).collect();
            *out += &format!(".SameValues~{}{all}", args.groups.len());
        }
        ("count-distinct", _) => {
            *out += &format!(".CountDistinct{}{}", cells(group), cells(&args.groups[1]));
        }
        ("pairs" | "all-pairs", _) => {
            let kind = if rule == "pairs" { "Pair" } else { "PairX" };
            *out += &format!(".{kind}~{}{}", pair_key(board, &args.values), cells(group));
        }
        ("sum-loop", Some(sum)) => *out += &format!(".SumLine~{sum}~LOOP{}", cells(group)),
        ("regex", _) => {
            *out +=
                &format!(".Regex~{}{}", super::machine::letters(args.text.as_bytes()), cells(group));
        }
        ("machine", _) => {
            let machine = Machine::read(&args.text)?;
            let sign = |digit: Option<Digit>| match digit {
                None => Some(board.order()),
                Some(digit) => board.digits().position(|known| known == digit),
            };
            let state = |number: usize| {
                let ways = machine.ways[number].iter();
                let ways: Vec<(usize, usize)> =
                    ways.filter_map(|&(digit, to)| Some((sign(digit)?, to))).collect();
                (machine.starts.contains(&number), machine.ends[number], ways)
            };
            let states: Vec<_> = (0..machine.ends.len()).map(state).collect();
            let signs = board.order() + usize::from(args.groups.len() > 1);
            let has_break = states.iter().any(|(_, _, ways)| ways.iter().any(|way| way.0 >= signs));
            let letters = super::machine::write(&states, signs + usize::from(has_break))?;
            let groups: Vec<String> = args.groups.iter().map(|group| cells(group)).collect();
            *out += &format!(".NFA~{letters}~_{}", groups.join("~-"));
        }
        ("either", _) => {
            *out += ".Or";
            for alternative in args.text.split(" or ") {
                *out += ".And";
                for text in alternative.split(" and ") {
                    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
                    let rule = by_name(name.trim()).ok_or_else(|| refused(rule))?;
                    clue(board, rule.name, &read_words(board, rule, rest)?, out)?;
                }
                *out += ".End";
            }
            *out += ".End";
        }
        ("counts", _)
            if digits.iter().all(|digit| *digit < 10)
                && args.values.iter().all(|value| (0..10).contains(value)) =>
        {
            let said: String = args.values.iter().map(ToString::to_string).collect();
            *out += &format!(".LookAndSay~{said}{}", cells(group));
        }
        ("same-set", _) => {
            let all: String = args.groups.iter().map(|group| cells(group)).collect();
            *out += &format!(".SameValues~{}{all}", args.groups.len());
            *out += &args
                .groups
                .iter()
                .filter(|group| group.len() > 1)
                .map(|group| format!(".AllDifferent{}", cells(group)))
                .collect::<String>();
        }
        ("no-difference" | "no-ratio" | "no-pair-sum", _) => {
            let number = value.unwrap_or(if rule == "no-ratio" { 2 } else { 1 });
            let base = pair_base(board);
            let is_right = |one: i64, other: i64| match rule {
                "no-difference" => (one - other).abs() != number,
                "no-ratio" => one != number * other && other != number * one,
                _ => one + other != number,
            };
            let pairs = digits.iter().flat_map(|&one| digits.iter().map(move |&other| (one, other)));
            let pairs = pairs.filter(|&(one, other)| is_right(one, other));
            let listed: Vec<i64> = pairs.map(|(one, other)| base * one + other).collect();
            if listed.is_empty() {
                return Err(refused(rule));
            }
            *out += &format!(".Pair~{}~_{}", pair_key(board, &listed), cells(group));
        }
        ("index-column", _) => *out += &format!(".Indexing~C{}", cells(group)),
        ("index-row", _) => *out += &format!(".Indexing~R{}", cells(group)),
        ("even" | "odd" | "low" | "high" | "any-of", _) => {
            let (least, most) = (digits[0], digits[digits.len() - 1]);
            let is_right = |digit: &&i64| match rule {
                "even" => *digit % 2 == 0,
                "odd" => *digit % 2 != 0,
                "low" => 2 * *digit < least + most,
                "high" => 2 * *digit > least + most,
                _ => args.values.contains(digit),
            };
            let allowed: Vec<i64> = digits.iter().filter(is_right).copied().collect();
            return group.iter().try_for_each(|&cell| given(board, cell, &allowed, out));
        }
        _ => return Err(refused(rule)),
    }
    Ok(())
}

/// Writes a table of pairs of digits, with six bits per letter, the least significant bit first.
fn pair_key(board: &VariantBoard, listed: &[i64]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let base = pair_base(board);
    let digits = || board.digits().map(i64::from);
    let bits = digits().flat_map(|one| digits().map(move |other| base * one + other));
    let bits: Vec<bool> = bits.map(|pair| listed.contains(&pair)).collect();
    let letter = |six: &[bool]| {
        let value =
            six.iter().enumerate().map(|(place, &is_on)| usize::from(is_on) << place).sum::<usize>();
        char::from(LETTERS[value])
    };
    bits.chunks(6).map(letter).collect::<String>().trim_end_matches('A').to_owned()
}

/// Names a whole row or column; also returns whether the cells start at its far end.
fn whole_line(board: &VariantBoard, cells: &[usize]) -> Option<(String, bool)> {
    let reversed: Vec<usize> = cells.iter().rev().copied().collect();
    for (is_back, cells) in [(false, cells), (true, &reversed[..])] {
        let rows = (0..board.shape.rows()).find(|&row| board.row(row) == cells);
        let columns = (0..board.columns()).find(|&column| board.column(column) == cells);
        let line = rows.map(|row| ("R", row)).or(columns.map(|column| ("C", column)));
        if let Some((letter, index)) = line {
            return Some((format!("{letter}{}", number(index)), is_back));
        }
    }
    None
}
