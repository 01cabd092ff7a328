//! Links of puzz.link and pzv.jp: `https://puzz.link/p?sudoku/4/4/g1k23k3g`.
//!
//! Behind the kind stand columns, rows and a body. Numbers take a letter up to 15 and more behind a sign; letters from `g` on
//! skip cells. Marks between cells come row by row between columns, then between rows.
//!
//! # Bounds
//! Sides are checked before anything is made.

use super::{LinkForm, NamedClues, clue, first_line};
use crate::grid::{Grid, MAX_ORDER, Setting};
use crate::input::InputError;
use crate::puzzle::variant::{Variant, VariantBoard};

pub(super) const FORM: LinkForm = LinkForm {
    name: "puzzlink",
    summary: "links of puzz.link: sudoku, skyscrapers, kropki, minarism",
    recognizes,
    read,
    write: Some(write),
};

/// Reads the body of a kind.
type ReadBody = fn(&VariantBoard, &mut Grid, &str) -> Result<NamedClues, String>;

/// A kind: its name, whether it has boxes, and how its body is read.
const LINK_KINDS: [(&str, bool, ReadBody); 4] = [
    ("sudoku", true, sudoku),
    ("skyscrapers", false, skyscrapers),
    ("kropki", false, kropki),
    ("minarism", false, minarism),
];

/// Returns what stands behind the question mark of such a link.
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
    let line = first_line(text);
    variant(query(&line.text).unwrap_or("")).map_err(|message| line.error(0, message))
}

fn variant(query: &str) -> Result<Variant, String> {
    let mut parts = query.split('/').filter(|part| !part.is_empty());
    let name = parts.next().unwrap_or("");
    let kind = LINK_KINDS.iter().find(|(kind, ..)| *kind == name);
    let (_, has_boxes, read) = kind.ok_or_else(|| {
        let known = LINK_KINDS.map(|(kind, ..)| kind).join(", ");
        format!("expected one of the kinds {known}, found `{name}`")
    })?;
    let mut side = || parts.next().and_then(|side| side.parse::<usize>().ok());
    let sides = side().zip(side());
    let order = sides.filter(|(columns, rows)| columns == rows && (1..=MAX_ORDER).contains(rows));
    let (order, _) = order
        .ok_or_else(|| format!("expected columns and rows, as many of each, at most {MAX_ORDER}"))?;
    let body = parts.next().unwrap_or("");
    if parts.next().is_some() {
        return Err("expected the end behind the body of the link, found more".to_owned());
    }
    let mut setting = Setting::new(!has_boxes, None, Vec::new());
    let root = order.isqrt();
    if *has_boxes && order != 6 && root * root != order {
        return Err(format!("expected an order with square boxes, or 6, found {order}"));
    }
    let (board, mut grid) = super::empty(setting.shape(order)?, 1);
    let clues = read(&board, &mut grid, body)?;
    super::variant(board, grid, clues, &[])
}

/// Reads numbers for `count` places, and returns them with what is left of the body. A number that is not told is none.
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
    numbers.resize(count, None);
    Ok((numbers, rest))
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

/// Numbers outside come first: above, below, at the left, at the right.
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
        clues.push(clue("skyscraper", cells, vec![seen]));
    }
    Ok(clues)
}

/// Returns the pairs of cells at a side: next to each other in a row, row by row, then one above the other.
fn borders(board: &VariantBoard) -> Vec<(usize, usize)> {
    [board.pairs(&[(0, 1)]), board.pairs(&[(1, 0)])].concat()
}

/// Three marks a letter, of base 27: 1 white, 2 black. What has no mark is neither.
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
    marks.resize(borders.len(), 0);
    let mut clues = NamedClues::new();
    for ((one, other), mark) in borders.into_iter().zip(marks) {
        match mark {
            1 => clues.push(clue("difference", vec![one, other], vec![])),
            2 => clues.push(clue("ratio", vec![one, other], vec![])),
            _ => clues
                .extend(["no-difference", "no-ratio"].map(|name| clue(name, vec![one, other], vec![]))),
        }
    }
    Ok(clues)
}

/// Numbers are differences; `g` and `h` say which of the two is the greater one, letters from `i` on skip.
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
        clues.extend(by.map(|by| clue("difference", vec![one, other], vec![by])));
        match letter {
            'g' => clues.push(clue("greater", vec![other, one], vec![])),
            'h' => clues.push(clue("greater", vec![one, other], vec![])),
            _ => {}
        }
        place += skipped;
    }
    Ok(clues)
}

/// Writes a Sudoku without clues, or a Latin square with skyscrapers.
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
    let address =
        |kind: &str, body: String| format!("https://puzz.link/p?{kind}/{order}/{order}/{body}\n");
    if variant.placed.is_empty() && boxes.is_some() && board.shape.boxes() == boxes {
        return Ok(address("sudoku", body(&cells)));
    }
    let mut outside = vec![None; 4 * order];
    for placed in &variant.placed {
        let line = &placed.args.groups[..];
        let side = |place: usize| {
            let (side, number) = (place / order, place % order);
            let mut cells = if side < 2 { board.column(number) } else { board.row(number) };
            if side % 2 == 1 {
                cells.reverse();
            }
            placed.rule.name == "skyscraper" && line.first() == Some(&cells)
        };
        let place = (0..4 * order).find(|&place| side(place) && outside[place].is_none());
        let place =
            place.ok_or_else(|| format!("puzzlink has nothing for `{}`", variant.line(placed)))?;
        outside[place] = Some(placed.args.values[0]);
    }
    if board.shape.regions().next().is_some()
        || outside.iter().flatten().any(|seen| !(0..4096).contains(seen))
    {
        return Err("puzzlink holds Sudoku without clues, and skyscrapers without boxes".to_owned());
    }
    Ok(address("skyscrapers", body(&outside) + &body(&cells)))
}

/// Writes numbers below 4096, and letters for the places between.
fn body(numbers: &[Option<i64>]) -> String {
    let (mut text, mut skipped) = (String::new(), 0);
    let skip = |skipped: &mut u8, text: &mut String| {
        if *skipped > 0 {
            text.push(char::from(b'f' + *skipped));
            *skipped = 0;
        }
    };
    for number in numbers {
        match number {
            None => skipped += 1,
            Some(_) => skip(&mut skipped, &mut text),
        }
        if skipped == 20 {
            skip(&mut skipped, &mut text);
        }
        text += &number.map_or(String::new(), |number| match number {
            0..16 => format!("{number:x}"),
            16..256 => format!("-{number:02x}"),
            _ => format!("+{number:03x}"),
        });
    }
    skip(&mut skipped, &mut text);
    text
}
