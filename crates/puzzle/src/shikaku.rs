//! Shikaku: a rectangle divided into rectangles, each with one number, which is its area.
//!
//! An option is a rectangle with exactly one number, its area. It covers the items of its cells,
//! `r1c2`. Each number is in one rectangle because its cell is.

use std::sync::Arc;

use dlx::{ItemId, OptionId, Problem, ProblemBuilder};

use super::board_text::{GameId, TextLine, blocks, check_rows, error_at, region_letter, row_of};
use super::{
    Cell, HeadKeys, Ink, ItemRole, Kind, Picture, Puzzle, PuzzleSource, PuzzleTerms, StepFigure,
    TextSource, undivided,
};
use text::InputError;

/// The kind.
pub const KIND: Kind = Kind {
    name: "shikaku",
    summary: "a board divided into rectangles, each with one number, its area",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: ". . 3 . .\n4 . . . .\n. . 2 6 .\n3 . . . 2\n",
        rules: include_str!("shikaku.txt"),
        extensions: &["shikaku"],
        divider: Some(undivided),
        several: None,
        // Rows of numbers and dots may as well be a Sudoku.
        recognizes: |sample| GameId::is_link_to(sample, &["rect"]),
        head: HeadKeys::Only(&[]),
        read: |text, _| Ok(Box::new(read(text)?)),
    }),
};

/// A rectangle: first row and column, height and width.
type Rectangle = (usize, usize, usize, usize);

#[derive(Debug)]
struct Shikaku {
    columns: usize,
    /// The number of each cell, or 0.
    numbers: Vec<usize>,
    problem: Arc<Problem>,
    rectangles: Vec<Rectangle>,
    given: Vec<OptionId>,
}

impl Shikaku {
    fn new(columns: usize, numbers: Vec<usize>) -> Self {
        const SOUND: &str = "a board has few enough items, each with a name of its own";
        let rows = numbers.len() / columns;
        let mut builder = ProblemBuilder::new();
        let items: Vec<ItemId> = (0..numbers.len())
            .map(|cell| {
                let name = format!("r{}c{}", cell / columns + 1, cell % columns + 1);
                builder.primary(&name).expect(SOUND)
            })
            .collect();
        let mut rectangles = Vec::new();
        for (cell, &area) in numbers.iter().enumerate().filter(|(_, area)| **area > 0) {
            let (row, column) = (cell / columns, cell % columns);
            for height in (1..=area.min(rows)).filter(|height| area.is_multiple_of(*height)) {
                let width = area / height;
                if width > columns {
                    continue;
                }
                for top in (row + 1).saturating_sub(height)..=row.min(rows - height) {
                    for left in (column + 1).saturating_sub(width)..=column.min(columns - width) {
                        let rectangle = (top, left, height, width);
                        let others = cells_of(rectangle, columns).filter(|&other| numbers[other] > 0);
                        if others.count() == 1 {
                            let entries = cells_of(rectangle, columns).map(|cell| items[cell]);
                            builder.option(entries).expect(SOUND);
                            rectangles.push(rectangle);
                        }
                    }
                }
            }
        }
        Self { columns, numbers, problem: Arc::new(builder.build()), rectangles, given: Vec::new() }
    }

    /// Returns the cell with the number of a rectangle.
    fn numbered(&self, option: OptionId) -> usize {
        let mut cells = cells_of(self.rectangles[option.index()], self.columns);
        cells.find(|&cell| self.numbers[cell] > 0).unwrap_or(0)
    }

    fn write(&self, options: &[OptionId], out: &mut String) {
        out.push_str("# puzzle: shikaku\n");
        let words: Vec<String> = self
            .numbers
            .iter()
            .map(|&number| if number == 0 { ".".to_owned() } else { number.to_string() })
            .collect();
        let width = words.iter().map(String::len).max().unwrap_or(1);
        for row in words.chunks(self.columns) {
            let padded: Vec<String> = row.iter().map(|word| format!("{word:>width$}")).collect();
            out.push_str(&padded.join(" "));
            out.push('\n');
        }
        if options.is_empty() {
            return;
        }
        out.push('\n');
        let mut letters = vec!['.'; self.numbers.len()];
        let mut sorted = options.to_vec();
        sorted.sort_by_key(|option| {
            let (top, left, ..) = self.rectangles[option.index()];
            (top, left)
        });
        for (number, option) in sorted.into_iter().enumerate() {
            for cell in cells_of(self.rectangles[option.index()], self.columns) {
                letters[cell] = region_letter(number);
            }
        }
        for row in letters.chunks(self.columns) {
            out.extend(row);
            out.push('\n');
        }
    }

    fn drawn(&self, options: &[OptionId], fill: impl Fn(usize, OptionId) -> Option<Ink>) -> Picture {
        let mut looks = vec![(0, None); self.numbers.len()];
        for (number, &option) in (1..).zip(options) {
            for cell in cells_of(self.rectangles[option.index()], self.columns) {
                looks[cell] = (number, fill(number, option));
            }
        }
        let mut picture = Picture::new();
        for (cell, &(region, fill)) in looks.iter().enumerate() {
            let number = self.numbers[cell];
            let text = if number == 0 { String::new() } else { number.to_string() };
            let drawn = Cell::in_region(region).text(text).given(true);
            let drawn = fill.map_or(drawn.clone(), |ink| drawn.fill(ink));
            picture.set(cell / self.columns, cell % self.columns, drawn);
        }
        picture
    }
}

fn cells_of((top, left, height, width): Rectangle, columns: usize) -> impl Iterator<Item = usize> {
    (top..top + height).flat_map(move |row| (left..left + width).map(move |at| row * columns + at))
}

impl Puzzle for Shikaku {
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
        Some(self.drawn(cover, |_, option| Some(Ink::piece(self.numbered(option)))))
    }

    fn terms(&self) -> &dyn PuzzleTerms {
        self
    }
}

impl PuzzleTerms for Shikaku {
    fn option_words(&self, option: OptionId) -> String {
        let (top, left, height, width) = self.rectangles[option.index()];
        format!("r{}c{}-r{}c{}", top + 1, left + 1, top + height, left + width)
    }

    fn item_words(&self, item: ItemId) -> Option<String> {
        Some(self.problem.item_name(item).to_owned())
    }

    fn item_role(&self, _: ItemId) -> Option<ItemRole> {
        Some(ItemRole::Place)
    }

    fn item_cell(&self, item: ItemId) -> Option<(usize, usize)> {
        Some((item.index() / self.columns, item.index() % self.columns))
    }

    fn picture_of_step(&self, look: &StepFigure) -> Option<Picture> {
        let mut picture = self.drawn(&look.chosen, |_, _| Some(Ink::Shade));
        for &(option, ink) in look.laid.iter().chain(&look.tried) {
            for cell in cells_of(self.rectangles[option.index()], self.columns) {
                picture.tint(cell / self.columns, cell % self.columns, ink);
            }
        }
        for &(item, ink) in &look.items {
            picture.tint(item.index() / self.columns, item.index() % self.columns, ink);
        }
        let used: Vec<Ink> = look.options.iter().map(|(_, ink)| *ink).collect();
        look.add_legend(&used, &mut picture);
        Some(picture)
    }
}

fn read(text: &str) -> Result<Shikaku, InputError> {
    let text = text.trim_start_matches('\u{feff}');
    if let Some(id) = GameId::of(text, &["rect"]) {
        return read_id(&id);
    }
    let blocks = blocks(text);
    let Some(rows) = blocks.first() else {
        let message = "expected rows of numbers and dots, found the end of the text".to_owned();
        return Err(error_at(text, None, message));
    };
    check_rows(rows)?;
    let columns = rows[0].cells().len();
    let mut numbers = Vec::new();
    for line in rows {
        for word in row_of(line, columns)? {
            let number =
                if matches!(word, "." | "_" | "-") { Some(0) } else { text::plain_number(word) };
            let most = rows.len() * columns;
            let number = number.filter(|&number: &usize| number <= most);
            let message = || format!("expected an area up to {most} or `.`, found `{word}`");
            numbers.push(number.ok_or_else(|| line.error(word, message()))?);
        }
    }
    let mut puzzle = Shikaku::new(columns, numbers);
    puzzle.given = drawn(&puzzle, rows.len(), &blocks[1..].concat())?;
    Ok(puzzle)
}

/// Reads the known rectangles: a letter for each of their cells, and dots.
fn drawn(puzzle: &Shikaku, rows: usize, lines: &[TextLine<'_>]) -> Result<Vec<OptionId>, InputError> {
    let columns = puzzle.columns;
    if !lines.is_empty() && lines.len() != rows {
        let at = lines[lines.len().min(rows + 1) - 1];
        let message = format!("expected {rows} rows of letters, found {}", lines.len());
        return Err(at.error(at.text.trim_start(), message));
    }
    let mut words = Vec::new();
    for line in lines {
        words.extend(row_of(line, columns)?.into_iter().map(|word| (*line, word)));
    }
    let mut known = std::collections::BTreeMap::<&str, Vec<usize>>::new();
    for (cell, (_, word)) in words.iter().enumerate().filter(|(_, (_, word))| *word != ".") {
        known.entry(word).or_default().push(cell);
    }
    let mut given = Vec::new();
    for (word, cells) in known {
        let is_it = |rectangle: &&Rectangle| cells_of(**rectangle, columns).eq(cells.iter().copied());
        let option = puzzle
            .rectangles
            .iter()
            .find(is_it)
            .and_then(|found| puzzle.rectangles.iter().position(|rectangle| rectangle == found));
        let (line, at) = words[cells[0]];
        let option = option.ok_or_else(|| {
            line.error(
                at,
                format!("expected a rectangle with one number, its area, found the cells `{word}`"),
            )
        })?;
        given.push(OptionId::new(option));
    }
    Ok(given)
}

/// Reads a game ID: numbers, and letters for the lengths of gaps between them.
fn read_id(id: &GameId<'_>) -> Result<Shikaku, InputError> {
    let (columns, rows) = id.size()?;
    let count = rows * columns;
    let (mut numbers, mut rest) = (Vec::new(), id.body);
    while let Some(c) = rest.chars().next() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        match c {
            '_' => rest = &rest[1..],
            'a'..='z' => {
                numbers.extend(std::iter::repeat_n(0, c as usize - 'a' as usize + 1));
                rest = &rest[1..];
            }
            _ => {
                let number = text::plain_number(&rest[..digits]).filter(|number| *number <= count);
                let message = || format!("expected a letter or an area up to {count}, found `{c}`");
                numbers.push(number.ok_or_else(|| id.line.error(rest, message()))?);
                rest = &rest[digits..];
            }
        }
        if numbers.len() > count {
            return Err(id.line.error(rest, format!("expected {count} cells, found more")));
        }
    }
    if numbers.len() != count {
        let message = format!("expected {count} cells, found {}", numbers.len());
        return Err(id.line.error(id.body, message));
    }
    Ok(Shikaku::new(columns, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_round_trip;

    fn check_error(text: &str, expected: &str) {
        assert_eq!(read(text).map(|_| ()).unwrap_err().to_string(), expected, "{text}");
    }

    /// Counts the divisions into rectangles with one number each, from the first open cell on.
    fn count(columns: usize, numbers: &[usize], taken: &mut [bool]) -> usize {
        let Some(cell) = taken.iter().position(|taken| !taken) else { return 1 };
        let (top, left) = (cell / columns, cell % columns);
        let mut sum = 0;
        for height in 1..=numbers.len() / columns - top {
            for width in 1..=columns - left {
                let cells: Vec<usize> = cells_of((top, left, height, width), columns).collect();
                let named: Vec<usize> =
                    cells.iter().map(|&cell| numbers[cell]).filter(|number| *number > 0).collect();
                if named == [height * width] && cells.iter().all(|&cell| !taken[cell]) {
                    cells.iter().for_each(|&cell| taken[cell] = true);
                    sum += count(columns, numbers, taken);
                    cells.iter().for_each(|&cell| taken[cell] = false);
                }
            }
        }
        sum
    }

    #[test]
    fn random_boards_have_as_many_solutions_as_trying_all_rectangles_finds() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut solvable = 0;
        for round in 0..200 {
            let (rows, columns) = (2 + round % 4, 2 + round % 3);
            let cells = rows * columns;
            let mut numbers = vec![0; cells];
            let mut left = cells;
            while left > 0 {
                let area = random.usize(1..=left.min(4));
                let cell = random.usize(..cells);
                if numbers[cell] == 0 {
                    numbers[cell] = area;
                    left -= area;
                }
            }
            let rows = numbers.chunks(columns).map(|row| {
                let words = row.iter().map(|&it| if it == 0 { ".".into() } else { it.to_string() });
                words.collect::<Vec<String>>().join(" ")
            });
            let text = rows.collect::<Vec<_>>().join("\n");
            let expected = count(columns, &numbers, &mut vec![false; cells]);
            solvable += usize::from(expected > 0);
            check_round_trip(&text, expected, |text| read(text).unwrap());
        }
        assert!(solvable > 20, "{solvable} boards have a solution");
    }

    #[test]
    fn a_game_id_has_letters_for_gaps() {
        let drawn = read(". 3 . .\n2 . . 4\n. 2 . .\n. . 3 2\n").unwrap();
        let id = read("4x4:a3b2b4a2d3_2").unwrap();
        assert_eq!((id.columns, id.numbers), (drawn.columns, drawn.numbers));
        check_error("4x4:a3b2b4a2d3", "1:5: expected 16 cells, found 15");
        check_error("4x4:a3b2b4a2d3_2a", "1:18: expected 16 cells, found more");
    }

    #[test]
    fn errors_in_a_board_of_areas_give_their_position() {
        check_error("", "1:1: expected rows of numbers and dots, found the end of the text");
        check_error("2 .\n. 9\n", "2:3: expected an area up to 4 or `.`, found `9`");
        check_error("2 .\n.\n", "2:1: expected 2 cells in this row, found 1");
        check_error(
            "2 .\n2 .\n\nAB\nAB\n",
            "4:1: expected a rectangle with one number, its area, found the cells `A`",
        );
    }
}
