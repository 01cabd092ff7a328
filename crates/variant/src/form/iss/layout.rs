//! Reads the grid of a constraint string: its size, digits, regions, cells outside the grid, and
//! given digits.

use super::super::{NamedClues, clue, empty};
use super::IssToken;
use super::parts::cell;
use crate::VariantBoard;
use crate::rules::Args;
use grid::{Grid, GridLayout, GridRule, GroupKind, OUTSIDE_MAX, Setting, Shape, boxes, boxes_of_size};
use text::InputError;

pub(super) const TYPES: [&str; 11] = [
    "",
    "Shape",
    "NoBoxes",
    "Jigsaw",
    "AntiKnight",
    "AntiKing",
    "Windoku",
    "RegionSize",
    "RegionSameValues",
    "Doppelganger",
    "Var",
];

pub(super) const SIDE_MAX: usize = 16;
pub(super) const DIGITS_MAX: usize = 16;

struct Size {
    rows: usize,
    columns: usize,
    first: i32,
    digits: usize,
    is_raw: bool,
}

/// Builds the grid with its regions and digits, and the clues that follow from the layout.
pub(super) fn read(tokens: &[IssToken<'_>]) -> Result<(VariantBoard, Grid, NamedClues), InputError> {
    let size = match tokens.iter().find(|token| token.kind == "Shape") {
        Some(token) => size(token)?,
        None => Size { rows: 9, columns: 9, first: 1, digits: 9, is_raw: false },
    };
    let has = |kind: &str| tokens.iter().any(|token| token.kind == kind);
    let named = [
        ("AntiKnight", GridRule::AntiKnight),
        ("AntiKing", GridRule::AntiKing),
        ("Windoku", GridRule::Windoku),
    ];
    let mut grid_rules: Vec<GridRule> =
        named.into_iter().filter(|(kind, _)| has(kind)).map(|(_, rule)| rule).collect();
    grid_rules.sort_unstable();
    let (mut outside, mut count) = (Vec::new(), 0);
    for token in tokens.iter().filter(|token| token.kind == "Var") {
        outside.push(variables(token, &mut count)?);
    }
    if has("Doppelganger") {
        for (name, cells) in [("DGB", size.rows), ("DGC", size.columns), ("DGR", size.rows), ("DGZ", 1)]
        {
            outside.push((name.to_owned(), cells));
            count += cells;
        }
    }
    // Interactive Sudoku Solver sorts the groups of outside cells by name.
    outside.sort_unstable();
    let longer = size.rows.max(size.columns);
    let region_size = match tokens.iter().find(|token| token.kind == "RegionSize") {
        Some(token) => {
            let number = usize::try_from(token.number(0)?).ok();
            let number = number.filter(|number| (1..=size.digits).contains(number));
            number.ok_or_else(|| token.error(format!("expected a number from 1 to {}", size.digits)))?
        }
        None => longer,
    };
    let boxes = boxes_of_size(size.rows, size.columns, region_size)
        .filter(|_| !has("NoBoxes") && !size.is_raw)
        .map_or(Vec::new(), |sizes| boxes(size.rows, size.columns, sizes));
    let pieces = match tokens.iter().find(|token| token.kind == "Jigsaw") {
        Some(token) => Some(pieces(token, &size, region_size)?),
        None => None,
    };
    let has_pieces = pieces.is_some();
    let regions = pieces.unwrap_or_else(|| boxes.clone());
    let is_square = (size.rows, size.columns) == (size.digits, size.digits)
        && outside.is_empty()
        && !size.is_raw
        && (regions.is_empty()
            || regions.len() == longer && regions.iter().all(|cells| cells.len() == longer));
    let shape = if is_square {
        let mut setting = Setting::new(regions.is_empty(), None, grid_rules);
        let mut labels = vec![0; longer * longer];
        for (number, cells) in regions.iter().enumerate() {
            cells.iter().for_each(|&cell| labels[cell] = number);
        }
        match regions.is_empty() {
            true => setting.shape(longer),
            false => setting.jigsaw(longer, &labels),
        }
    } else {
        let layout = GridLayout {
            rows: size.rows,
            columns: size.columns,
            symbols: size.digits,
            outside: count,
            has_lines: !size.is_raw,
            regions: &regions,
            rules: &grid_rules,
        };
        Shape::of(&layout).map(Into::into)
    };
    let (mut board, mut grid) = empty(shape.map_err(InputError::whole)?, size.first);
    board.outside = outside.into();
    let mut named = NamedClues::new();
    if has_pieces && regions != boxes {
        // Boxes apply in addition to the pieces of the jigsaw unless they are disabled.
        named.extend(boxes.into_iter().map(|cells| clue("extra", cells, vec![])));
    }
    if has("RegionSameValues") {
        named.extend(same_values(&board, &named));
    }
    if let Some(token) = tokens.iter().find(|token| token.kind == "Doppelganger") {
        named.extend(doppelganger(&board, token, &mut grid)?);
    }
    givens(&board, tokens, &mut grid)?;
    Ok((board, grid, named))
}

fn size(token: &IssToken<'_>) -> Result<Size, InputError> {
    let shape = token.args.first().copied().unwrap_or("");
    let side = |text: &str| text.parse().ok().filter(|side| (1..=SIDE_MAX).contains(side));
    let sides = shape.split_once('x').and_then(|(rows, columns)| Some((side(rows)?, side(columns)?)));
    let (rows, columns) = sides.ok_or_else(|| {
        token.error(format!("expected rows and columns up to {SIDE_MAX}, such as 6x8, found `{shape}`"))
    })?;
    let is_raw = match token.args.get(2).copied() {
        Some("Raw") => true,
        Some("Sudoku") | None => false,
        Some(other) => return Err(token.error(format!("expected Raw or Sudoku, found `{other}`"))),
    };
    let mut size = Size { rows, columns, first: 1, digits: rows.max(columns), is_raw };
    if let Some(digits) = token.args.get(1).filter(|digits| !digits.is_empty()) {
        let (from, to) = digits.split_once('-').unwrap_or(("1", digits));
        let ends = from.parse().ok().zip(to.parse().ok());
        let least = if is_raw { 1 } else { rows.max(columns) as i32 };
        let fits = |&(from, to): &(i32, i32)| {
            (0..=99).contains(&from)
                && (least..=DIGITS_MAX as i32).contains(&(to.saturating_sub(from) + 1))
        };
        let (from, to) = ends.filter(fits).ok_or_else(|| {
            token.error(format!("expected at least {least} digits, such as 0-9, found `{digits}`"))
        })?;
        (size.first, size.digits) = (from, (to - from) as usize + 1);
    }
    Ok(size)
}

/// Reads a group of outside cells: its name, its purpose, and its number of cells or of rows and
/// columns.
fn variables(token: &IssToken<'_>, count: &mut usize) -> Result<(String, usize), InputError> {
    let name = token.args.first().copied().unwrap_or("");
    let size = token.args.get(2).copied().unwrap_or("1");
    let number = match size.split_once('x') {
        Some((rows, columns)) => rows.parse().ok().zip(columns.parse().ok()),
        None => size.parse().ok().map(|count: usize| (1, count)),
    };
    let number = number.and_then(|(rows, columns)| usize::checked_mul(rows, columns));
    let number = number.filter(|number| (1..=OUTSIDE_MAX - *count).contains(number));
    let number = number.filter(|_| !name.is_empty() && name.bytes().all(|c| c.is_ascii_uppercase()));
    let number = number.ok_or_else(|| {
        let message =
            format!("expected a name of capitals and a number of cells up to {OUTSIDE_MAX} in all");
        token.error(format!("{message}, found `{name}` and `{size}`"))
    })?;
    *count += number;
    Ok((name.to_owned(), number))
}

/// Reads the pieces of a jigsaw. One piece may have another size, and its cells then need not
/// differ.
fn pieces(
    token: &IssToken<'_>,
    size: &Size,
    region_size: usize,
) -> Result<Vec<Vec<usize>>, InputError> {
    if let [shape, _] = token.args[..]
        && shape != format!("{}x{}", size.rows, size.columns)
    {
        return Err(token.error(format!("expected the size of the grid in Jigsaw, found `{shape}`")));
    }
    let labels: Vec<char> = token.args.last().copied().unwrap_or("").chars().collect();
    let cells = size.rows * size.columns;
    if labels.len() != cells {
        return Err(token.error(format!("expected {cells} region labels, found {}", labels.len())));
    }
    let mut pieces = std::collections::BTreeMap::<char, Vec<usize>>::new();
    for (cell, &label) in labels.iter().enumerate() {
        pieces.entry(label).or_default().push(cell);
    }
    let (whole, others): (Vec<_>, Vec<_>) =
        pieces.into_values().partition(|cells| cells.len() == region_size);
    match &others[..] {
        [] | [_] => Ok(whole),
        [one, ..] => Err(token.error(format!(
            "expected {region_size} cells in each region, found {} in one and more of other sizes",
            one.len()
        ))),
    }
}

/// Builds the clue that the largest rows, columns and regions contain the same digits.
fn same_values(board: &VariantBoard, named: &NamedClues) -> Option<(&'static str, Args)> {
    let houses = board.shape.groups().iter().map(|group| group.cells.clone());
    let all: Vec<Vec<usize>> =
        houses.chain(named.iter().map(|(_, args)| args.groups[0].clone())).collect();
    let size = all.iter().map(Vec::len).max()?;
    let groups: Vec<Vec<usize>> = all.into_iter().filter(|cells| cells.len() == size).collect();
    let decides = size < board.order() && groups.len() > 1;
    decides.then(|| ("same-set", Args { groups, values: vec![], ..Args::default() }))
}

/// Builds the clues about the digits missing from rows, columns and boxes. Each row, column and box
/// lacks one digit. No two rows lack the same digit, nor do two columns or two boxes. The row,
/// column and box of a cell with 0 all lack the same digit.
fn doppelganger(
    board: &VariantBoard,
    token: &IssToken<'_>,
    grid: &mut Grid,
) -> Result<NamedClues, InputError> {
    let (shape, digits) = (&board.shape, board.order());
    let side = shape.rows();
    if side != shape.columns() || board.first != 0 || digits != side + 1 || !shape.has_lines() {
        return Err(token.error("expected a square with one digit more than rows, from 0 on"));
    }
    let start = |name: &str| board.outside_cell(name).expect("the board has the cells");
    let zero = start("DGZ");
    grid.place(zero, 0);
    let (mut named, mut lacks) = (NamedClues::new(), vec![Vec::new(); board.inside()]);
    // The cells outside the grid for the rows form a column (`DGC`), and those for the columns form
    // a row (`DGR`).
    for (kind, name) in
        [(GroupKind::Row, "DGC1"), (GroupKind::Column, "DGR1"), (GroupKind::Region, "DGB1")]
    {
        let first = start(name);
        let groups: Vec<_> = shape.groups().iter().filter(|group| group.kind == kind).collect();
        if !groups.is_empty() && groups.len() != side {
            return Err(token.error(format!("expected {side} boxes, found {}", groups.len())));
        }
        for (group, lack) in groups.iter().zip(first..) {
            named.push(clue("extra", [&group.cells[..], &[lack]].concat(), vec![]));
            group.cells.iter().for_each(|&cell| lacks[cell].push(lack));
        }
        match groups.len() {
            // Without boxes, the outside cells for boxes are unused.
            0 => (first..first + side).for_each(|cell| grid.place(cell, 0)),
            _ => named.push(clue("extra", (first..first + side).chain([zero]).collect(), vec![])),
        }
    }
    for (cell, lacks) in lacks.iter().enumerate() {
        let others: Vec<String> = (1..digits).map(|digit| digit.to_string()).collect();
        let lacks: Vec<String> = lacks.iter().map(|&cell| board.name(cell)).collect();
        let (cell, others, lacks) = (board.name(cell), others.join(" "), lacks.join(" "));
        let text = format!("any-of: {cell} = {others} or extra: {lacks}");
        named.push(("either", Args { text, ..Args::default() }));
    }
    Ok(named)
}

/// Restricts cells to the digits listed by tokens without a type name.
fn givens(board: &VariantBoard, tokens: &[IssToken<'_>], grid: &mut Grid) -> Result<(), InputError> {
    // Digits inside `Or`, `And` and `Replicate` are not givens of the grid.
    let mut depth = 0;
    let outermost = tokens.iter().filter(|token| {
        match token.kind {
            "Or" | "And" | "Replicate" => depth += 1,
            "End" => depth -= 1,
            _ => {}
        }
        depth == 0 && token.kind.is_empty()
    });
    for token in outermost {
        for word in &token.args {
            let mut parts = word.split('_');
            let cell =
                cell(board, parts.next().unwrap_or("")).map_err(|message| token.error(message))?;
            let mut digits = Vec::new();
            for part in parts {
                let digit = part.parse().ok().filter(|digit| board.digits().contains(digit));
                let digit =
                    digit.ok_or_else(|| token.error(format!("expected a digit, found `{part}`")))?;
                digits.push(i64::from(digit));
            }
            grid.set_candidates(cell, grid.candidates(cell) & board.symbols(&digits));
        }
    }
    Ok(())
}
