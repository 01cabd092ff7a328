//! Reads and writes the cells and numbers of a clue.
//!
//! `r1c1 r1c2 = 15` are two cells and a number, `r5c5 / r4c6 r3c7` two groups of cells. `r1c1-r1c5`
//! is a straight line of cells. `row 3` and `column 2` are whole lines, read from the left and from
//! the top. With `right` or `bottom` after them, they are read from the other end. `diagonal r1c3
//! down-right` extends to the edge.

use super::board::VariantBoard;
use super::rules::{Args, Rule};
use text::{InputError, Line};

const DIRECTIONS: [(&str, (isize, isize)); 4] =
    [("down-right", (1, 1)), ("down-left", (1, -1)), ("up-right", (-1, 1)), ("up-left", (-1, -1))];

/// Reads the arguments of a rule in `line`, starting at byte `start`.
pub(super) fn read(
    board: &VariantBoard,
    rule: &Rule,
    line: &Line,
    start: usize,
) -> Result<Args, InputError> {
    let text = &line.text[start..];
    if rule.takes_text && rule.groups.1 == 0 {
        let args = Args { text: text.trim().to_owned(), ..Args::default() };
        return check(board, rule, &args).map_err(|message| line.error(start, message)).map(|()| args);
    }
    let mut words = ClueWords { line, rest: text, offset: start }.peekable();
    let mut args = Args::default();
    let mut group = Vec::new();
    let mut is_value = false;
    while let Some((at, word)) = words.next() {
        if is_value {
            let value = word.parse().ok().filter(|value: &i64| value.abs() < 1 << 30);
            let value =
                value.ok_or_else(|| line.error(at, format!("expected a number, found `{word}`")))?;
            args.values.push(value);
            continue;
        }
        match word {
            "=" if rule.takes_text => {
                args.text = line.text[at + 1..].trim().to_owned();
                break;
            }
            "=" => {
                if words.peek().is_none() {
                    return Err(line.error(at, "expected a number after `=`, found nothing"));
                }
                is_value = true;
            }
            "/" => {
                if group.is_empty() {
                    return Err(line.error(at, "expected a cell before `/`"));
                }
                if words.peek().is_none_or(|(_, word)| *word == "=") {
                    return Err(line.error(at, "expected a cell after `/`"));
                }
                args.groups.push(std::mem::take(&mut group));
            }
            "row" | "column" => {
                let (place, number) = words.next().unwrap_or((line.text.len(), ""));
                let most = if word == "row" { board.shape.rows() } else { board.columns() };
                let number = text::plain_number(number).filter(|number| (1..=most).contains(number));
                let number: usize = number
                    .ok_or_else(|| line.error(place, format!("expected a number from 1 to {most}")))?;
                let mut cells = match word {
                    "row" => board.row(number - 1),
                    _ => board.column(number - 1),
                };
                let (near, far) = if word == "row" { ("left", "right") } else { ("top", "bottom") };
                if let Some((_, end)) = words.next_if(|(_, end)| *end == near || *end == far)
                    && end == far
                {
                    cells.reverse();
                }
                group.extend(cells);
            }
            "diagonal" => {
                let (place, name) = words.next().unwrap_or((line.text.len(), ""));
                let cell = cell(board, name).map_err(|message| line.error(place, message))?;
                let (place, name) = words.next().unwrap_or((line.text.len(), ""));
                let direction = DIRECTIONS.iter().find(|(known, _)| *known == name);
                let known = DIRECTIONS.map(|(known, _)| known).join(", ");
                let message =
                    || line.error(place, format!("expected a direction ({known}), found `{name}`"));
                group.extend(board.ray(cell, direction.ok_or_else(message)?.1));
            }
            _ => match word.split_once('-') {
                Some((first, last)) => {
                    let cells =
                        straight(board, first, last).map_err(|message| line.error(at, message))?;
                    group.extend(cells);
                }
                None => group.push(cell(board, word).map_err(|message| line.error(at, message))?),
            },
        }
    }
    if !group.is_empty() {
        args.groups.push(group);
    }
    check(board, rule, &args).map_err(|message| line.error(start, message))?;
    Ok(args)
}

/// Reads the arguments of a clue that is part of another clue.
pub(super) fn read_words(board: &VariantBoard, rule: &Rule, text: &str) -> Result<Args, String> {
    let line = Line { text: text.to_owned(), number: 1 };
    read(board, rule, &line, 0).map_err(|error| error.message)
}

/// Checks how many cells and values a rule has, and that no group names a cell twice.
pub(super) fn check(board: &VariantBoard, rule: &Rule, args: &Args) -> Result<(), String> {
    let (fewest, most, cells) = rule.groups;
    let (found, name) = (args.groups.len(), rule.name);
    if !(fewest..=most).contains(&found) {
        return Err(match (fewest, most) {
            (0, 0) => format!("expected nothing behind {name}, found cells"),
            (1, 1) => format!("expected cells for {name}, found {found} groups"),
            _ => format!(
                "expected at least {fewest} groups of cells for {name}, `/` between them, found {found}"
            ),
        });
    }
    for group in &args.groups {
        if group.len() < cells {
            return Err(format!("expected at least {cells} cells for {name}, found {}", group.len()));
        }
        let mut sorted = group.clone();
        sorted.sort_unstable();
        if rule.repeats {
            continue;
        }
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("expected each cell once, found {} twice", board.name(twice[0])));
        }
    }
    if rule.takes_text && args.text.is_empty() {
        return Err(format!("expected a text for {name}, such as {}", rule.example));
    }
    let (fewest, most) = rule.values;
    let found = args.values.len();
    if !(fewest..=most).contains(&found) {
        return Err(match (fewest, most) {
            (_, 0) => format!("expected no number for {name}, found {found}"),
            (0, _) => format!("expected at most one number for {name}, found {found}"),
            _ => format!("expected `= number` at the end of {name}, found {found} numbers"),
        });
    }
    Ok(())
}

/// Writes arguments so that [`read`] returns the same arguments.
pub(super) fn write(board: &VariantBoard, args: &Args) -> String {
    let groups = args.groups.iter().map(|group| {
        whole(board, group).unwrap_or_else(|| {
            let cells: Vec<String> = group.iter().map(|&cell| board.name(cell)).collect();
            cells.join(" ")
        })
    });
    let mut text = groups.collect::<Vec<_>>().join(" / ");
    if !args.values.is_empty() {
        let values: Vec<String> = args.values.iter().map(ToString::to_string).collect();
        text += &format!(" = {}", values.join(" "));
    }
    match (args.text.is_empty(), args.groups.is_empty()) {
        (true, _) => text,
        (_, true) => args.text.clone(),
        _ => format!("{text} = {}", args.text),
    }
}

/// Returns the name of a whole row or column, such as `row 3` or `column 2 bottom`, or `None` for
/// other cells.
fn whole(board: &VariantBoard, cells: &[usize]) -> Option<String> {
    let (first, last) = (*cells.first()?, *cells.last()?);
    let low = first.min(last);
    if cells.len() < 2 || low >= board.inside() {
        return None;
    }
    let (row, column) = board.place(low);
    let all =
        [("row", row, board.row(row), " right"), ("column", column, board.column(column), " bottom")];
    all.into_iter().find_map(|(name, number, mut whole, far)| {
        let is_back = first > last;
        if is_back {
            whole.reverse();
        }
        (whole == cells).then(|| format!("{name} {}{}", number + 1, if is_back { far } else { "" }))
    })
}

/// Reads the name of a cell, such as `r1c2`.
pub(super) fn cell(board: &VariantBoard, name: &str) -> Result<usize, String> {
    let (rows, columns) = (board.shape.rows(), board.columns());
    let place = text::cell_name(name)
        .filter(|(row, column)| (1..=rows).contains(row) && (1..=columns).contains(column));
    let place = place.map(|(row, column)| (row - 1) * columns + column - 1);
    place.or_else(|| board.outside_cell(name)).ok_or_else(|| {
        let beside = if board.outside.is_empty() { "" } else { " or one beside the grid" };
        format!("expected a cell from r1c1 to r{rows}c{columns}{beside}, found `{name}`")
    })
}

fn straight(board: &VariantBoard, first: &str, last: &str) -> Result<Vec<usize>, String> {
    let (first, last) = (cell(board, first)?, cell(board, last)?);
    if first.max(last) >= board.inside() {
        // Cells outside the grid have numbers but no positions.
        return Ok(if first < last {
            (first..=last).collect()
        } else {
            (last..=first).rev().collect()
        });
    }
    let ((row, column), (to_row, to_column)) = (board.place(first), board.place(last));
    let (down, right) = (to_row as isize - row as isize, to_column as isize - column as isize);
    if down != 0 && right != 0 && down.abs() != right.abs() {
        let (first, last) = (board.name(first), board.name(last));
        return Err(format!("expected cells in a straight line, found `{first}-{last}`"));
    }
    let length = down.abs().max(right.abs()) as usize;
    Ok(board.ray(first, (down.signum(), right.signum())).into_iter().take(length + 1).collect())
}

/// The words of a clue with their positions in the line. `=` and `/` are separate words.
struct ClueWords<'t> {
    line: &'t Line,
    rest: &'t str,
    offset: usize,
}

impl<'t> Iterator for ClueWords<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<(usize, &'t str)> {
        let trimmed = self.rest.trim_start_matches([' ', '\t', ',']);
        self.offset += self.rest.len() - trimmed.len();
        self.rest = trimmed;
        debug_assert!(self.line.text.ends_with(self.rest), "words come from the line");
        let first = trimmed.chars().next()?;
        let length = match first {
            '=' | '/' => 1,
            _ => trimmed.find([' ', '\t', ',', '=', '/']).unwrap_or(trimmed.len()),
        };
        let (word, rest) = trimmed.split_at(length);
        let at = self.offset;
        self.offset += length;
        self.rest = rest;
        Some((at, word))
    }
}
