//! Reads and writes links of puzz.link and pzv.jp, such as
//! `https://puzz.link/p?sudoku/4/4/g1k23k3g`.
//!
//! The kind of puzzle, the column and row counts, and a body follow one another. In the body, a
//! number up to 15 is one hexadecimal digit, and a larger number follows a sign. Letters from `g`
//! on skip cells. Marks between cells come first for horizontal neighbors row by row, then for
//! vertical neighbors.
//!
//! `blanks` reads the kinds whose rows may repeat a blank; these kinds are not written. Not
//! supported: kinds with loops, or with shaded or connected cells, which no rule expresses;
//! `factors` (products); `kakuro` and `hakoiri`, which leave cells empty.
//!
//! # Bounds
//! Sizes are checked before memory is allocated.

mod blanks;

use std::collections::HashMap;

use super::object::Unused;
use super::{LinkForm, NamedClues, clue, dots, only_line};
use crate::{Placed, Variant, VariantBoard};
use grid::{Grid, MAX_ORDER, Setting};
use text::InputError;

pub(super) const FORM: LinkForm = LinkForm {
    name: "puzzlink",
    summary: "links of puzz.link: sudoku, skyscrapers, kropki, minarism; read also easyasabc, doppelblock, starbattle",
    recognizes,
    read,
    write: Some(write),
    #[cfg(test)]
    rules: || LINK_KINDS.iter().flat_map(|row| row.1).copied().collect(),
};

type ReadBody = fn(&VariantBoard, &mut Grid, &str) -> Result<NamedClues, String>;
type WriteBody = fn(&Variant) -> Result<String, String>;

/// Kinds that are read and written: the name, the rules of the clues, whether digits may follow the
/// clues, and both directions of the body. A grid whose kind has no rules has boxes.
const LINK_KINDS: [(&str, &[&str], bool, ReadBody, WriteBody); 4] = [
    ("sudoku", &[], true, sudoku, |_| Ok(String::new())),
    ("skyscrapers", &[SEEN], true, skyscrapers, written_numbers),
    ("kropki", &dots::RULES, false, kropki, written_dots),
    ("minarism", &[DIFFERENCE, GREATER], false, minarism, written_signs),
];
const SEEN: &str = "skyscraper";
const DIFFERENCE: &str = "difference";
const GREATER: &str = "greater";

fn query(text: &str) -> Option<&str> {
    let text = text.trim();
    let (address, query) = text.split_once('?')?;
    let is_known = ["puzz.link/p", "pzv.jp/p", "pzprxs.vercel.app/p", "pzplus.tck.mn/p"];
    (address.starts_with("http") && is_known.iter().any(|host| address.contains(host))).then_some(query)
}

fn recognizes(sample: &str) -> bool {
    sample.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| query(line).is_some())
}

fn read(text: &str) -> Result<Variant, InputError> {
    let line = only_line(text)?;
    variant(query(&line.text).unwrap_or("")).map_err(|message| line.error(0, message))
}

fn variant(query: &str) -> Result<Variant, String> {
    let mut parts = query.split('/').filter(|part| !part.is_empty());
    let name = parts.next().unwrap_or("");
    let kind = LINK_KINDS.iter().find(|(kind, ..)| *kind == name);
    let of_blanks = blanks::BLANK_KINDS.iter().find(|(kind, _)| *kind == name);
    if kind.is_none() && of_blanks.is_none() {
        let known = LINK_KINDS.iter().map(|(kind, ..)| *kind);
        let known: Vec<&str> = known.chain(blanks::BLANK_KINDS.iter().map(|(kind, _)| *kind)).collect();
        return Err(format!("expected one of the kinds {}, found `{name}`", known.join(", ")));
    }
    let mut side = || parts.next().and_then(|side| side.parse::<usize>().ok());
    let sides = side().zip(side());
    let order = sides.filter(|(columns, rows)| columns == rows && (1..=MAX_ORDER).contains(rows));
    let (order, _) = order
        .ok_or_else(|| format!("expected columns and rows, as many of each, at most {MAX_ORDER}"))?;
    if let Some((_, read)) = of_blanks {
        let (board, grid, clues) = read(order, &parts.collect::<Vec<_>>())?;
        return super::variant(board, grid, clues, Unused::default());
    }
    let (_, rules, _, read, _) = kind.expect("it is one of both");
    let has_boxes = rules.is_empty();
    let body = parts.next().unwrap_or("");
    if parts.next().is_some() {
        return Err("expected the end behind the body of the link, found more".to_owned());
    }
    let mut setting = Setting::new(!has_boxes, None, Vec::new());
    let root = order.isqrt();
    if has_boxes && order != 6 && root * root != order {
        return Err(format!("expected an order with square boxes, or 6, found {order}"));
    }
    let (board, mut grid) = super::empty(setting.shape(order)?, 1);
    let clues = read(&board, &mut grid, body)?;
    super::variant(board, grid, clues, Unused::default())
}

/// Reads `count` numbers. Returns them with the rest of the body. `None` stands for a missing
/// number.
fn numbers(body: &str, count: usize) -> Result<(Vec<Option<i64>>, &str), String> {
    let mut numbers = Vec::new();
    let mut rest = body;
    while numbers.len() < count {
        let Some(letter) = rest.chars().next() else { break };
        rest = &rest[letter.len_utf8()..];
        let mut behind = |length: usize, base: i64| {
            let digits = rest.get(..length).filter(|digits| !digits.starts_with(['+', '-']));
            let number = digits.and_then(|digits| i64::from_str_radix(digits, 16).ok());
            rest = rest.get(length..).unwrap_or("");
            number.map(|number| number + base).ok_or_else(|| {
                format!("expected {length} digits of base 16 behind `{letter}` in the link")
            })
        };
        match letter {
            '0'..='9' | 'a'..='f' => numbers.push(letter.to_digit(16).map(i64::from)),
            '-' => numbers.push(Some(behind(2, 0)?)),
            '+' => numbers.push(Some(behind(3, 0)?)),
            '.' => numbers.push(None),
            'g'..='z' => {
                let skipped = letter as usize - 'g' as usize + 1;
                numbers.resize(numbers.len() + skipped, None);
            }
            _ => return Err(format!("expected a number or a letter in the link, found `{letter}`")),
        }
    }
    if numbers.len() > count {
        return Err(format!("expected {count} places in the link, found {}", numbers.len()));
    }
    check_whole(numbers.len(), count)?;
    numbers.resize(count, None);
    Ok((numbers, rest))
}

/// Checks that a part of a link is empty or has at least `count` entries, so that a truncated link
/// is refused.
fn check_whole(found: usize, count: usize) -> Result<(), String> {
    match found {
        0 => Ok(()),
        _ if found < count => {
            Err(format!("expected {count} places in the link, found {found}: it may have been cut"))
        }
        _ => Ok(()),
    }
}

fn ended(rest: &str) -> Result<(), String> {
    match rest {
        "" => Ok(()),
        _ => Err(format!("expected the end of the link, found `{rest}`")),
    }
}

fn fill(grid: &mut Grid, body: &str) -> Result<(), String> {
    let order = grid.shape().order();
    let (numbers, rest) = numbers(body, grid.shape().cell_count())?;
    ended(rest)?;
    for (cell, number) in numbers.into_iter().enumerate() {
        if let Some(number) = number {
            let digit = usize::try_from(number).ok().filter(|digit| (1..=order).contains(digit));
            let digit =
                digit.ok_or_else(|| format!("expected a digit from 1 to {order}, found `{number}`"))?;
            grid.place(cell, digit - 1);
        }
    }
    Ok(())
}

fn sudoku(_: &VariantBoard, grid: &mut Grid, body: &str) -> Result<NamedClues, String> {
    fill(grid, body)?;
    Ok(NamedClues::new())
}

/// Reads a skyscrapers puzzle. The numbers outside the grid come first, in the order above, below,
/// left, right.
fn skyscrapers(board: &VariantBoard, grid: &mut Grid, body: &str) -> Result<NamedClues, String> {
    let order = board.order();
    let (outside, rest) = numbers(body, 4 * order)?;
    fill(grid, rest)?;
    let mut clues = NamedClues::new();
    for (place, seen) in outside.into_iter().enumerate() {
        let Some(seen) = seen else { continue };
        let (side, line) = (place / order, place % order);
        let cell = |index: usize| if side < 2 { index * order + line } else { line * order + index };
        let mut cells: Vec<usize> = (0..order).map(cell).collect();
        if side % 2 == 1 {
            cells.reverse();
        }
        clues.push(clue(SEEN, cells, vec![seen]));
    }
    Ok(clues)
}

/// Returns the pairs of adjacent cells: first horizontal neighbors row by row, then vertical
/// neighbors.
fn borders(board: &VariantBoard) -> Vec<(usize, usize)> {
    [board.pairs(&[(0, 1)]), board.pairs(&[(1, 0)])].concat()
}

/// Reads Kropki dots, three per base-27 digit: 0 for no dot, 1 for a white dot, and 2 for a black
/// dot. A pair without a dot has neither relation.
fn kropki(board: &VariantBoard, _: &mut Grid, body: &str) -> Result<NamedClues, String> {
    let borders = borders(board);
    let mut marks = Vec::new();
    for letter in body.chars() {
        let three = letter.to_digit(27);
        let three = three
            .ok_or_else(|| format!("expected a digit of base 27 in the link, found `{letter}`"))?;
        marks.extend([three / 9, three / 3 % 3, three % 3]);
    }
    if marks.len() > borders.len() + 2 {
        return Err(format!("expected {} marks in the link, found {}", borders.len(), marks.len()));
    }
    check_whole(marks.len(), borders.len())?;
    let marks: HashMap<_, u32> = borders.into_iter().zip(marks).collect();
    let mark = |pair| match marks.get(&pair) {
        Some(1) => dots::WHITE,
        Some(2) => dots::BLACK,
        _ => 0,
    };
    Ok(dots::kropki(board, mark))
}

/// Reads a Minarism puzzle. Numbers are differences. `g` and `h` mark the greater cell of a pair,
/// and letters from `i` on skip pairs.
fn minarism(board: &VariantBoard, _: &mut Grid, body: &str) -> Result<NamedClues, String> {
    let borders = borders(board);
    let mut clues = NamedClues::new();
    let mut place = 0;
    let mut rest = body;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        let skipped = match letter {
            'i'..='z' => letter as usize - 'i' as usize + 1,
            _ => 1,
        };
        if place + skipped > borders.len() {
            return Err(format!("expected {} marks in the link, found more", borders.len()));
        }
        let (one, other) = borders[place];
        let by = match letter {
            '0'..='9' | 'a'..='f' => letter.to_digit(16).map(i64::from),
            '-' => {
                let by = rest.get(..2).and_then(|digits| i64::from_str_radix(digits, 16).ok());
                rest = rest.get(2..).unwrap_or("");
                Some(by.ok_or("expected two digits of base 16 behind `-` in the link")?)
            }
            '.' | 'g'..='z' => None,
            _ => return Err(format!("expected a number or a letter in the link, found `{letter}`")),
        };
        clues.extend(by.map(|by| clue(DIFFERENCE, vec![one, other], vec![by])));
        match letter {
            'g' => clues.push(clue(GREATER, vec![other, one], vec![])),
            'h' => clues.push(clue(GREATER, vec![one, other], vec![])),
            _ => {}
        }
        place += skipped;
    }
    check_whole(place, borders.len())?;
    Ok(clues)
}

fn refused(variant: &Variant, placed: &Placed) -> String {
    format!("puzzlink has no form for `{}`", variant.line(placed))
}

/// Writes a Sudoku without clues, or a Latin square with skyscrapers, with Kropki dots, or with
/// differences and inequality signs.
fn write(variant: &Variant) -> Result<String, String> {
    let (board, grid) = (&variant.board, &variant.grid);
    let order = board.order();
    if board.first != 1 || !grid.is_plain() || !board.shape.rules().is_empty() {
        return Err(
            "puzzlink holds digits from 1 on, no marks and no rules of the whole grid".to_owned()
        );
    }
    let root = order.isqrt();
    let boxes = if order == 6 {
        Some((3, 2))
    } else {
        (root * root == order && root > 1).then_some((root, root))
    };
    let cells: Vec<Option<i64>> =
        (0..board.inside()).map(|cell| grid.symbol(cell).map(|symbol| symbol as i64 + 1)).collect();
    let has_boxes = variant.placed.is_empty() && boxes.is_some() && board.shape.boxes() == boxes;
    if !has_boxes && board.shape.regions().next().is_some() {
        return Err(match variant.placed.first() {
            Some(placed) => format!("{} in a grid with boxes", refused(variant, placed)),
            None => "puzzlink holds boxes that are squares, or 3x2 in order 6".to_owned(),
        });
    }
    let is_of = |rules: &[&str]| {
        rules.is_empty() == has_boxes
            && variant.placed.iter().all(|placed| rules.contains(&placed.rule.name))
    };
    let kinds = LINK_KINDS.iter().filter(|(_, rules, ..)| is_of(rules));
    let kind = kinds.min_by_key(|(_, rules, ..)| rules.len()).ok_or_else(|| {
        let other = variant.placed.iter().find(|placed| !dots::is_dot(placed));
        refused(variant, other.expect("a kind has all dots"))
    })?;
    let (name, _, has_digits, _, write) = kind;
    let mut text = write(variant)?;
    let has_some = cells.iter().any(Option::is_some);
    if has_some && !has_digits {
        return Err(format!("puzzlink holds no digits in {name}"));
    }
    if has_some || has_boxes {
        text += &body(&cells);
    }
    Ok(format!("https://puzz.link/p?{name}/{order}/{order}/{text}\n"))
}

fn written_numbers(variant: &Variant) -> Result<String, String> {
    let (board, order) = (&variant.board, variant.board.order());
    let mut outside = vec![None; 4 * order];
    for placed in &variant.placed {
        let line = &placed.args.groups[..];
        let side = |place: usize| {
            let (side, number) = (place / order, place % order);
            let mut cells = if side < 2 { board.column(number) } else { board.row(number) };
            if side % 2 == 1 {
                cells.reverse();
            }
            line.first() == Some(&cells)
        };
        let place = (0..4 * order).find(|&place| side(place) && outside[place].is_none());
        let seen = placed.args.values[0];
        let place =
            place.filter(|_| (0..4096).contains(&seen)).ok_or_else(|| refused(variant, placed))?;
        outside[place] = Some(seen);
    }
    Ok(body(&outside))
}

fn written_dots(variant: &Variant) -> Result<String, String> {
    let found = dots::of(variant).map_err(|placed| refused(variant, placed))?;
    if let Some((one, other)) = dots::not_kropki(&found) {
        let (one, other) = (variant.board.name(one), variant.board.name(other));
        return Err(format!(
            "puzzlink holds dots where each pair is white, black or neither, which is not said of {one} and {other}"
        ));
    }
    let mark = |pair: (usize, usize)| match found[&pair] {
        dots::WHITE => 1,
        dots::BLACK => 2,
        _ => 0,
    };
    let marks: Vec<u32> = borders(&variant.board).into_iter().map(mark).collect();
    let letter = |three: &[u32]| {
        let number = (0..3).fold(0, |number, at| 3 * number + three.get(at).copied().unwrap_or(0));
        char::from_digit(number, 27).expect("three marks are less than 27")
    };
    Ok(marks.chunks(3).map(letter).collect())
}

/// Writes the differences and inequality signs of a Minarism puzzle, at most one between two cells.
fn written_signs(variant: &Variant) -> Result<String, String> {
    let borders = borders(&variant.board);
    let mut signs: Vec<Option<String>> = vec![None; borders.len()];
    for placed in &variant.placed {
        let refused = || refused(variant, placed);
        for pair in placed.args.groups[0].windows(2) {
            let (one, other) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            let place =
                borders.iter().position(|&border| border == (one, other)).ok_or_else(refused)?;
            let sign = if placed.rule.name == DIFFERENCE {
                let by = placed.rule.value(&placed.args).unwrap_or_default();
                if !(0..256).contains(&by) {
                    return Err(refused());
                }
                digits_of(by)
            } else {
                // The letter marks the greater cell of the pair: `h` the first cell, `g` the second
                // cell.
                if pair[0] == one { "h" } else { "g" }.to_owned()
            };
            // A pair can have only one sign or number.
            if signs[place].replace(sign.clone()).is_some_and(|before| before != sign) {
                return Err(refused());
            }
        }
    }
    Ok(with_letters(signs, b'i', 18))
}

fn body(numbers: &[Option<i64>]) -> String {
    with_letters(numbers.iter().map(|number| number.map(digits_of)), b'g', 20)
}

/// Writes a number below 4096: one hexadecimal digit up to 15, otherwise a sign and two or three
/// digits.
fn digits_of(number: i64) -> String {
    match number {
        0..16 => format!("{number:x}"),
        16..256 => format!("-{number:02x}"),
        _ => format!("+{number:03x}"),
    }
}

/// Joins texts and writes letters for missing ones. The letter `first` skips one entry, and the
/// last letter skips `most` entries.
fn with_letters(texts: impl IntoIterator<Item = Option<String>>, first: u8, most: u8) -> String {
    let (mut all, mut skipped) = (String::new(), 0);
    for text in texts {
        if let Some(text) = text {
            if skipped > 0 {
                all.push(char::from(first + skipped - 1));
            }
            all += &text;
            skipped = 0;
            continue;
        }
        skipped += 1;
        if skipped == most {
            all.push(char::from(first + skipped - 1));
            skipped = 0;
        }
    }
    if skipped > 0 {
        all.push(char::from(first + skipped - 1));
    }
    all
}
