//! Overlapping Sudoku grids, such as samurai and butterfly, as one exact cover.
//!
//! The text is one drawing, with a character for each cell and spaces outside the grids. By
//! default, every square in the drawing that begins at multiples of the box sides, counted from the
//! upper left corner, is a grid. A line `# grids: r1c1 r1c13` lists the upper left corners of the
//! grids instead.
//!
//! An option puts a symbol into a cell. It covers the item of the cell, `r1c2`, and for each grid
//! the items of that symbol in its row, column and box, `g1r3s5`. If two grids share a box, its
//! items exist only once. A samurai of 5 grids has 369 cells, 131 groups and 1,548 items.
//!
//! # Bounds
//! At most `CELLS_MAX` cells, and at most `GRIDS_MAX` grids of order up to `ORDER_MAX`.

use std::collections::BTreeMap;
use std::sync::Arc;

use dlx::{Entry, ItemId, OptionId, Problem, ProblemBuilder};

use super::{
    Cell, HeadKeys, Ink, Kind, Parameter, Picture, Puzzle, PuzzleSource, PuzzleTerms, TextSource,
    undivided,
};
use grid::Setting;
use text::{InputError, remark};

/// Maximum number of cells of a drawing, including cells outside the grids.
const CELLS_MAX: usize = 1 << 14;
const GRIDS_MAX: usize = 100;
/// Largest order of a grid, since symbols are digits and letters.
const ORDER_MAX: usize = 35;

/// The kind.
pub const KIND: Kind = Kind {
    name: "overlapping",
    summary: "Sudoku grids that overlap in one drawing: samurai, butterfly ...",
    parameter: Some(Parameter {
        meaning: "the arrangement: samurai, butterfly, twodoku, sohei",
        example: "samurai",
        make: |name, _, _| {
            let known = ARRANGEMENTS.iter().find(|(known, _)| *known == name);
            let known = known.ok_or_else(|| {
                let names = ARRANGEMENTS.map(|(known, _)| known).join(", ");
                InputError::whole(format!("expected an arrangement ({names}), found `{name}`"))
            })?;
            Ok(Box::new(Overlapping::new(Arrangement::empty(known.1), &BTreeMap::new())))
        },
    }),
    source: PuzzleSource::Text(TextSource {
        example: "# puzzle: overlapping\n# boxes: 2x2\n1...\n....\n...3..\n.2....\n  ....\n  .4..\n",
        rules: include_str!("overlapping.txt"),
        extensions: &["samurai"],
        divider: Some(undivided),
        several: None,
        recognizes,
        head: HeadKeys::Only(&["boxes", "grids"]),
        read: |text, _| Ok(Box::new(read(text)?)),
    }),
};

/// Arrangements of grids of order 9 that have a name. A grid is given by its upper left corner (row
/// and column, from 0).
const ARRANGEMENTS: [(&str, &[(usize, usize)]); 4] = [
    ("samurai", &[(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)]),
    ("butterfly", &[(0, 0), (0, 3), (3, 0), (3, 3)]),
    ("twodoku", &[(0, 0), (6, 6)]),
    ("sohei", &[(0, 6), (6, 0), (6, 12), (12, 6)]),
];

/// A position in the drawing: row and column, from 0.
type CellPlace = (usize, usize);

#[derive(Clone, Debug)]
struct Arrangement {
    boxes: (usize, usize),
    corners: Vec<CellPlace>,
    /// Whether a header line must list the grids, because the drawing alone is ambiguous.
    is_named: bool,
}

impl Arrangement {
    fn empty(corners: &[CellPlace]) -> Self {
        Self { boxes: (3, 3), corners: corners.to_vec(), is_named: false }
    }

    fn order(&self) -> usize {
        self.boxes.0 * self.boxes.1
    }

    fn cells(&self) -> Vec<CellPlace> {
        let order = self.order();
        let of_grid = |&(row, column): &CellPlace| {
            (0..order * order).map(move |cell| (row + cell / order, column + cell % order))
        };
        let mut cells: Vec<CellPlace> = self.corners.iter().flat_map(of_grid).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Returns the rows, columns and boxes of all grids, each with its name. A box shared by two
    /// grids occurs once.
    fn groups(&self) -> Vec<(String, Vec<CellPlace>)> {
        let (order, (width, height)) = (self.order(), self.boxes);
        let mut groups = Vec::new();
        let mut boxes = BTreeMap::new();
        for (grid, &(row, column)) in self.corners.iter().enumerate() {
            for number in 0..order {
                let name = |letter: char| format!("g{}{letter}{}", grid + 1, number + 1);
                let along = |cell: usize| (row + number, column + cell);
                let down = |cell: usize| (row + cell, column + number);
                groups.push((name('r'), (0..order).map(along).collect()));
                groups.push((name('c'), (0..order).map(down).collect()));
                let (top, left) = (number / height * height, number % height * width);
                let within = |cell: usize| (row + top + cell / width, column + left + cell % width);
                let cells: Vec<CellPlace> = (0..order).map(within).collect();
                if boxes.insert(cells.clone(), grid).is_none() {
                    groups.push((name('b'), cells));
                }
            }
        }
        groups
    }
}

#[derive(Debug)]
struct Overlapping {
    arrangement: Arrangement,
    cells: Vec<CellPlace>,
    problem: Arc<Problem>,
    given: Vec<OptionId>,
    names: Vec<String>,
}

impl Overlapping {
    fn new(arrangement: Arrangement, symbols: &BTreeMap<CellPlace, usize>) -> Self {
        const SOUND: &str = "a drawing has few enough items, each with a name of its own";
        let (order, cells) = (arrangement.order(), arrangement.cells());
        let mut builder = ProblemBuilder::new();
        let mut entries: BTreeMap<CellPlace, Vec<Vec<Entry>>> = BTreeMap::new();
        for &(row, column) in &cells {
            let item = builder.primary(&format!("r{}c{}", row + 1, column + 1)).expect(SOUND);
            entries.insert((row, column), vec![vec![item.into()]; order]);
        }
        for (name, group) in arrangement.groups() {
            for symbol in 0..order {
                let item: ItemId = builder.primary(&format!("{name}s{}", symbol + 1)).expect(SOUND);
                for place in &group {
                    if let Some(of_cell) = entries.get_mut(place) {
                        of_cell[symbol].push(item.into());
                    }
                }
            }
        }
        let mut names = Vec::new();
        for (place, of_cell) in &entries {
            for (symbol, option) in of_cell.iter().enumerate() {
                builder.option(option.iter().copied()).expect(SOUND);
                names.push(format!("r{}c{}={}", place.0 + 1, place.1 + 1, letter(symbol)));
            }
        }
        let given = cells.iter().enumerate();
        let given = given
            .filter_map(|(cell, place)| Some(OptionId::new(cell * order + *symbols.get(place)?)))
            .collect();
        Self { arrangement, cells, problem: Arc::new(builder.build()), given, names }
    }

    fn placed(&self, option: OptionId) -> (CellPlace, usize) {
        let order = self.arrangement.order();
        (self.cells[option.index() / order], option.index() % order)
    }

    fn symbols(&self, options: &[OptionId]) -> BTreeMap<CellPlace, usize> {
        options.iter().map(|&option| self.placed(option)).collect()
    }

    fn write(&self, options: &[OptionId], out: &mut String) {
        let symbols = self.symbols(options);
        out.push_str("# puzzle: overlapping\n");
        let (width, height) = self.arrangement.boxes;
        if (width, height) != (3, 3) {
            out.push_str(&format!("# boxes: {width}x{height}\n"));
        }
        if self.arrangement.is_named {
            let name = |&(row, column): &CellPlace| format!(" r{}c{}", row + 1, column + 1);
            let names: String = self.arrangement.corners.iter().map(name).collect();
            out.push_str(&format!("# grids:{names}\n"));
        }
        let mut at = (0, 0);
        for &(row, column) in &self.cells {
            while at.0 < row {
                out.push('\n');
                at = (at.0 + 1, 0);
            }
            out.extend(std::iter::repeat_n(' ', column - at.1));
            out.push(symbols.get(&(row, column)).map_or('.', |&symbol| letter(symbol)));
            at.1 = column + 1;
        }
        out.push('\n');
    }
}

fn letter(symbol: usize) -> char {
    char::from_digit(symbol as u32 + 1, 36).map_or('?', |letter| letter.to_ascii_uppercase())
}

impl Puzzle for Overlapping {
    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn show(&self, cover: &[OptionId], _: u64, out: &mut String) {
        self.write(cover, out);
    }

    fn show_clues(&self, clues: &[OptionId], out: &mut String) -> bool {
        self.write(clues, out);
        true
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        let mut boxes = BTreeMap::new();
        let is_box = |name: &str| name.contains('b');
        let groups = self.arrangement.groups().into_iter().filter(|(name, _)| is_box(name));
        for (number, (_, cells)) in groups.enumerate() {
            for place in cells {
                boxes.entry(place).or_insert(number);
            }
        }
        let (symbols, given) = (self.symbols(cover), self.symbols(&self.given));
        let mut picture = Picture::new();
        for place in &self.cells {
            let region = boxes.get(place).copied().unwrap_or(0);
            let text = symbols.get(place).map_or(String::new(), |&symbol| letter(symbol).to_string());
            let cell = Cell::in_region(region).text(text).given(given.contains_key(place));
            picture.set(place.0, place.1, cell);
        }
        Some(picture)
    }

    fn terms(&self) -> &dyn PuzzleTerms {
        self
    }
}

impl PuzzleTerms for Overlapping {
    fn option_names(&self) -> &[String] {
        &self.names
    }

    fn option_words(&self, option: OptionId) -> String {
        self.names[option.index()].clone()
    }

    fn item_words(&self, item: ItemId) -> Option<String> {
        let (row, column) = self.item_cell(item)?;
        Some(format!("r{}c{}", row + 1, column + 1))
    }

    fn value_words(&self, option: OptionId, _: ItemId) -> String {
        letter(self.placed(option).1).to_string()
    }

    fn item_cell(&self, item: ItemId) -> Option<(usize, usize)> {
        // The first items of the problem are the cells.
        self.cells.get(item.index()).copied()
    }

    fn picture_beside(&self, cover: &[OptionId], common: &[OptionId]) -> Option<Picture> {
        let mut picture = self.picture(cover)?;
        for &option in cover.iter().filter(|option| !common.contains(option)) {
            let (row, column) = self.placed(option).0;
            picture.tint(row, column, Ink::Yellow);
        }
        Some(picture)
    }
}

/// Returns whether the rows of digits of a text have wide gaps, which no other kind has.
fn recognizes(sample: &str) -> bool {
    let rows: Vec<&str> =
        sample.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).collect();
    let is_row = |row: &&str| {
        let runs = row.split(' ').filter(|run| !run.is_empty());
        row.trim_end().len().is_multiple_of(3)
            && runs.clone().all(|run| {
                run.len() >= 9
                    && run.len().is_multiple_of(3)
                    && run.bytes().all(|b| b == b'.' || b.is_ascii_digit())
            })
    };
    let has_gap = |row: &&str| row.starts_with("   ") || row.trim_end().contains("   ");
    rows.len() > 9 && rows.iter().all(is_row) && rows.iter().any(has_gap)
}

fn read(text: &str) -> Result<Overlapping, InputError> {
    let text = text.trim_start_matches('\u{feff}');
    let whole = |message: String| InputError::at(1, text.lines().next().unwrap_or(""), 0, message);
    let mut boxes = (3, 3);
    let mut named: Option<(usize, &str, Vec<CellPlace>)> = None;
    let mut drawn: BTreeMap<CellPlace, Option<char>> = BTreeMap::new();
    let mut first_row = None;
    for (index, line) in text.lines().enumerate() {
        if let Some((key, value)) = remark(line) {
            let at = value.as_ptr().addr() - line.as_ptr().addr();
            let error = |message: String| InputError::at(index + 1, line, at, message);
            match &*key.to_ascii_lowercase() {
                "boxes" => boxes = Setting::parse_boxes(value).map_err(error)?,
                "grids" => named = Some((index, line, corners(value).map_err(error)?)),
                _ => {}
            }
            continue;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let row = index - *first_row.get_or_insert(index);
        for (column, letter) in line.trim_end().chars().enumerate().filter(|(_, letter)| *letter != ' ')
        {
            drawn.insert((row, column), (!matches!(letter, '.' | '0')).then_some(letter));
            if drawn.len() > CELLS_MAX || row.max(column) > CELLS_MAX {
                let message = format!("expected at most {CELLS_MAX} cells, found more");
                return Err(InputError::at(index + 1, line, 0, message));
            }
        }
    }
    let Some(first_row) = first_row else {
        return Err(whole("expected a drawing of grids, found none".to_owned()));
    };
    let lines: Vec<&str> = text.lines().collect();
    let at = |(row, column): CellPlace, message: String| {
        let line = lines.get(first_row + row).copied().unwrap_or("");
        let start = line.char_indices().nth(column).map_or(line.len(), |(start, _)| start);
        InputError::at(first_row + row + 1, line, start, message)
    };
    let order = boxes.0 * boxes.1;
    if !(2..=ORDER_MAX).contains(&order) {
        return Err(whole(format!("expected an order from 2 to {ORDER_MAX}, found {order}")));
    }
    let is_named = named.is_some();
    let corners = match named {
        Some((index, line, corners)) => {
            let is_drawn = |corner: &&CellPlace| grid_is_drawn(&drawn, **corner, order);
            if let Some((row, column)) = corners.iter().find(|corner| !is_drawn(corner)) {
                let message = format!(
                    "expected {order}x{order} cells from r{}c{} on in the drawing",
                    row + 1,
                    column + 1
                );
                return Err(InputError::at(index + 1, line, 0, message));
            }
            corners
        }
        None => found(&drawn, boxes),
    };
    if corners.len() > GRIDS_MAX {
        return Err(whole(format!("expected at most {GRIDS_MAX} grids, found {}", corners.len())));
    }
    let arrangement = Arrangement { boxes, corners, is_named };
    let cells = arrangement.cells();
    if let Some(place) = drawn.keys().find(|place| cells.binary_search(place).is_err()) {
        let message = "expected every cell in a grid, found one in none; `# grids: r1c1 ...` names where they begin";
        return Err(at(*place, message.to_owned()));
    }
    let mut symbols = BTreeMap::new();
    for (place, letter) in drawn {
        let Some(letter) = letter else { continue };
        let digit = letter.to_digit(36).filter(|digit| (1..=order as u32).contains(digit));
        let digit = digit.ok_or_else(|| {
            at(place, format!("expected a digit from 1 to {order}, `.` or a blank, found `{letter}`"))
        })?;
        symbols.insert(place, digit as usize - 1);
    }
    Ok(Overlapping::new(arrangement, &symbols))
}

fn corners(text: &str) -> Result<Vec<CellPlace>, String> {
    let corner = |word: &str| {
        let (row, column) = text::cell_name(word)?;
        let index = |number: usize| number.checked_sub(1).filter(|&index| index < CELLS_MAX);
        Some((index(row)?, index(column)?))
    };
    let words = text.split_whitespace();
    let mut corners: Vec<CellPlace> = words
        .map(|word| {
            corner(word).ok_or_else(|| format!("expected a cell such as r1c13, found `{word}`"))
        })
        .collect::<Result<_, _>>()?;
    corners.sort_unstable();
    corners.dedup();
    if corners.is_empty() { Err("expected cells such as r1c1 r1c13".to_owned()) } else { Ok(corners) }
}

fn grid_is_drawn(
    drawn: &BTreeMap<CellPlace, Option<char>>,
    (row, column): CellPlace,
    order: usize,
) -> bool {
    let is_row = |line: usize| drawn.range((line, column)..(line, column + order)).count() == order;
    (row..row + order).all(is_row)
}

/// Finds the grids of a drawing, row by row. Stops one grid after the maximum number.
fn found(drawn: &BTreeMap<CellPlace, Option<char>>, (width, height): (usize, usize)) -> Vec<CellPlace> {
    let is_corner = |&(row, column): &CellPlace| {
        row % height == 0 && column % width == 0 && grid_is_drawn(drawn, (row, column), width * height)
    };
    drawn.keys().copied().filter(is_corner).take(GRIDS_MAX + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grid::{Grid, Shape};

    use crate::check_round_trip;

    #[test]
    fn a_samurai_has_369_cells_131_groups_and_1548_items() {
        let samurai = Arrangement::empty(ARRANGEMENTS[0].1);
        assert_eq!((samurai.cells().len(), samurai.groups().len()), (369, 131));
        let puzzle = Overlapping::new(samurai, &BTreeMap::new());
        assert_eq!((puzzle.problem.item_count(), puzzle.problem.option_count()), (1548, 3321));
    }

    #[test]
    fn the_grids_of_a_drawing_are_found() {
        for (name, corners) in ARRANGEMENTS {
            let puzzle = Overlapping::new(Arrangement::empty(corners), &BTreeMap::new());
            let mut text = String::new();
            puzzle.show_clues(&[], &mut text);
            assert_eq!(read(&text).unwrap().arrangement.corners, corners, "{name}");
            let drawing = text.split_once('\n').unwrap().1;
            // The drawing of a butterfly is a square without gaps.
            assert_eq!(recognizes(drawing), name != "butterfly", "{name}");
        }
    }

    /// Computes all fillings of two grids of order 4 that share a box: fills each grid alone, then
    /// counts the pairs that agree in the box.
    #[test]
    fn solutions_of_two_grids_with_a_common_box_are_the_pairs_of_fillings_that_agree_in_it() {
        let text = "# boxes: 2x2\n1...\n....\n......\n......\n  ....\n  ...1\n";
        let puzzle = read(text).unwrap();
        assert_eq!(puzzle.arrangement.corners, [(0, 0), (2, 2)]);
        let count_of = |given: &str| {
            let style = grid::format::by_name("rows").map(grid::Style::new).unwrap();
            let mut grid = Grid::empty(Arc::new(Shape::sudoku(2, 2, &[]).unwrap()), style);
            for (cell, digit) in given.replace('\n', "").chars().enumerate() {
                if let Some(digit) = digit.to_digit(10) {
                    grid.place(cell, digit as usize - 1);
                }
            }
            let grid = crate::Translator::default().puzzle(grid);
            dlx::Solver::new(Arc::clone(grid.problem())).into_solutions(grid.given()).count()
        };
        let mut expected = 0;
        for code in 0..256 {
            let box_of: Vec<String> =
                (0..4).map(|place| (code >> (2 * place) & 3) + 1).map(|d: i32| d.to_string()).collect();
            let is_box = (1..=4).all(|digit| box_of.contains(&digit.to_string()));
            if is_box {
                let first =
                    format!("1...\n....\n..{}{}\n..{}{}\n", box_of[0], box_of[1], box_of[2], box_of[3]);
                let second =
                    format!("{}{}..\n{}{}..\n....\n...1\n", box_of[0], box_of[1], box_of[2], box_of[3]);
                expected += count_of(&first) * count_of(&second);
            }
        }
        check_round_trip(text, expected, |text| read(text).unwrap());
    }

    #[test]
    fn errors_in_a_drawing_give_their_position() {
        let error = |text: &str| read(text).map(|_| ()).unwrap_err().to_string();
        let text = "# boxes: 2x2\n1...\n....\n...5..\n......\n  ....\n  ...1\n";
        assert_eq!(error(text), "4:4: expected a digit from 1 to 4, `.` or a blank, found `5`");
        let text = text.replace('5', ".");
        assert_eq!(
            error(&text.replace("  ....", " .....")),
            "6:2: expected every cell in a grid, found one in none; `# grids: r1c1 ...` names where they begin"
        );
        let named = |grids: &str| format!("# grids: {grids}\n{text}");
        assert_eq!(error(&named("r1c1 r4c3")), "1:1: expected 4x4 cells from r4c3 on in the drawing");
        assert_eq!(error(&named("r1c1 x")), "1:10: expected a cell such as r1c13, found `x`");
        assert_eq!(read(&named("r3c3 r1c1")).unwrap().arrangement.corners, [(0, 0), (2, 2)]);
        assert_eq!(error("# boxes: 7x7\n"), "1:1: expected a drawing of grids, found none");
        assert_eq!(error("# boxes: 7x7\n.\n"), "1:1: expected an order from 2 to 35, found 49");
    }
}
