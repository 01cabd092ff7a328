//! Dominosa: numbers in a rectangle, covered by one of each domino from double blank on.
//!
//! An option puts a domino on two neighboring cells. It covers the items of both cells, `r1c2`, and
//! the item of the domino, `0-3`: every cell is covered, and every domino is used, once.

use std::sync::Arc;

use dlx::{ItemId, OptionId, Problem, ProblemBuilder};

use super::board_text::{GameId, Lattice, TextLine, write_lattice};
use super::{
    Cell, HeadKeys, Ink, ItemRole, Kind, Picture, Puzzle, PuzzleSource, PuzzleTerms, StepFigure,
    TextSource, undivided,
};
use text::{InputError, end_error};

/// The kind.
pub const KIND: Kind = Kind {
    name: "dominosa",
    summary: "numbers in a rectangle, to be covered by one of each domino",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: "1 1 2 1\n0 0 2 1\n0 0 2 2\n",
        rules: include_str!("dominosa.txt"),
        extensions: &["dominosa"],
        divider: Some(undivided),
        several: None,
        // Rows of numbers may as well be a Sudoku.
        recognizes: |sample| GameId::is_link_to(sample, &["dominosa"]),
        head: HeadKeys::Only(&[]),
        read: |text, _| Ok(Box::new(read(text)?)),
    }),
};

/// Largest number on a domino, since each cell is a digit or a letter.
const NUMBER_MAX: usize = 35;

#[derive(Debug)]
struct Dominosa {
    columns: usize,
    numbers: Vec<usize>,
    problem: Arc<Problem>,
    /// The two cells of each option.
    places: Vec<(usize, usize)>,
    given: Vec<OptionId>,
}

impl Dominosa {
    /// Builds the puzzle with the joined pairs of cells as clues.
    fn new(columns: usize, numbers: Vec<usize>, joined: &[(usize, usize)]) -> Self {
        const SOUND: &str = "a board has few enough items, each with a name of its own";
        let mut builder = ProblemBuilder::new();
        let most = numbers.iter().copied().max().unwrap_or(0);
        let cells: Vec<ItemId> = (0..numbers.len())
            .map(|cell| {
                let name = format!("r{}c{}", cell / columns + 1, cell % columns + 1);
                builder.primary(&name).expect(SOUND)
            })
            .collect();
        let mut dominoes = vec![Vec::new(); most + 1];
        for (low, of_low) in dominoes.iter_mut().enumerate() {
            let names = (low..=most).map(|high| format!("{}-{}", letter(low), letter(high)));
            *of_low = names.map(|name| builder.primary(&name).expect(SOUND)).collect();
        }
        let mut places = Vec::new();
        for cell in 0..numbers.len() {
            let right = (cell % columns + 1 < columns).then_some(cell + 1);
            let below = Some(cell + columns).filter(|&below| below < numbers.len());
            for other in right.into_iter().chain(below) {
                let (one, two) = (numbers[cell], numbers[other]);
                let (low, high) = (one.min(two), one.max(two));
                builder.option([cells[cell], cells[other], dominoes[low][high - low]]).expect(SOUND);
                places.push((cell, other));
            }
        }
        let given = joined.iter().filter_map(|pair| places.iter().position(|place| place == pair));
        let given = given.map(OptionId::new).collect();
        Self { columns, numbers, problem: Arc::new(builder.build()), places, given }
    }

    fn write(&self, options: &[OptionId], out: &mut String) {
        out.push_str("# puzzle: dominosa\n");
        let joined: std::collections::HashSet<(usize, usize)> =
            options.iter().map(|option| self.places[option.index()]).collect();
        let sign = |one: usize, other: usize| {
            let is_row = other == one + 1;
            joined.contains(&(one, other)).then_some(if is_row { '-' } else { '|' })
        };
        let rows = self.numbers.len() / self.columns;
        write_lattice(rows, self.columns, |cell| letter(self.numbers[cell]), sign, out);
    }

    fn name(&self, cell: usize) -> String {
        format!("r{}c{}", cell / self.columns + 1, cell % self.columns + 1)
    }

    fn drawn(&self, options: &[OptionId], fill: impl Fn(OptionId) -> Option<Ink>) -> Picture {
        let mut looks = vec![(0, None); self.numbers.len()];
        for (number, &option) in (1..).zip(options) {
            let (one, other) = self.places[option.index()];
            looks[one] = (number, fill(option));
            looks[other] = looks[one];
        }
        let mut picture = Picture::new();
        for (cell, &(region, fill)) in looks.iter().enumerate() {
            let number = letter(self.numbers[cell]).to_string();
            let drawn = Cell::in_region(region).text(number).given(true);
            let drawn = fill.map_or(drawn.clone(), |ink| drawn.fill(ink));
            picture.set(cell / self.columns, cell % self.columns, drawn);
        }
        picture
    }
}

fn letter(number: usize) -> char {
    char::from_digit(number as u32, 36).map_or('?', |letter| letter.to_ascii_uppercase())
}

impl Puzzle for Dominosa {
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
        Some(self.drawn(cover, |option| (!self.given.contains(&option)).then_some(Ink::Shade)))
    }

    fn terms(&self) -> &dyn PuzzleTerms {
        self
    }
}

impl PuzzleTerms for Dominosa {
    fn option_words(&self, option: OptionId) -> String {
        let (one, other) = self.places[option.index()];
        let (low, high) = (self.numbers[one], self.numbers[other]);
        let domino = format!("{}-{}", letter(low.min(high)), letter(low.max(high)));
        format!("{domino} on {} {}", self.name(one), self.name(other))
    }

    fn item_words(&self, item: ItemId) -> Option<String> {
        let name = self.problem.item_name(item);
        Some(if item.index() < self.numbers.len() {
            name.to_owned()
        } else {
            format!("the domino {name}")
        })
    }

    fn item_role(&self, item: ItemId) -> Option<ItemRole> {
        Some(if item.index() < self.numbers.len() { ItemRole::Place } else { ItemRole::Piece })
    }

    fn item_cell(&self, item: ItemId) -> Option<(usize, usize)> {
        let cell = Some(item.index()).filter(|&cell| cell < self.numbers.len())?;
        Some((cell / self.columns, cell % self.columns))
    }

    fn picture_of_step(&self, look: &StepFigure) -> Option<Picture> {
        let mut picture = self.drawn(&look.chosen, |_| Some(Ink::Shade));
        for &(option, ink) in &look.options {
            let (one, other) = self.places[option.index()];
            for cell in [one, other] {
                picture.tint(cell / self.columns, cell % self.columns, ink);
            }
        }
        let used: Vec<Ink> = look.options.iter().map(|(_, ink)| *ink).collect();
        look.add_legend(&used, &mut picture);
        Some(picture)
    }
}

fn read(text: &str) -> Result<Dominosa, InputError> {
    let text = text.trim_start_matches('\u{feff}');
    if let Some(id) = GameId::of(text, &["dominosa"]) {
        return read_id(&id);
    }
    let drawn = Lattice::read(text, |c| c.is_ascii_alphanumeric())?;
    let Some(&(_, first, _)) = drawn.cells.first() else {
        return Err(end_error(text, "rows of numbers"));
    };
    let number = |&(c, ..): &(char, TextLine<'_>, &str)| c.to_digit(36).unwrap_or(0) as usize;
    let numbers: Vec<usize> = drawn.cells.iter().map(number).collect();
    let mut joined = Vec::new();
    for sign in &drawn.signs {
        let is_row = sign.cells.1 == sign.cells.0 + 1;
        if sign.sign != if is_row { '-' } else { '|' } {
            let known = if is_row { '-' } else { '|' };
            let message = format!("expected the sign `{known}`, found `{}`", sign.word);
            return Err(sign.line.error(sign.word, message));
        }
        let is_met = |&(one, other): &(usize, usize)| {
            [one, other].iter().any(|&cell| cell == sign.cells.0 || cell == sign.cells.1)
        };
        if joined.iter().any(is_met) {
            return Err(sign
                .line
                .error(sign.word, "expected each cell in one domino, found one in two"));
        }
        joined.push(sign.cells);
    }
    check_size(drawn.columns, &numbers)
        .map_err(|message| first.error(first.text.trim_start(), message))?;
    Ok(Dominosa::new(drawn.columns, numbers, &joined))
}

/// Checks that the board has the cells of a set of dominoes.
fn check_size(columns: usize, numbers: &[usize]) -> Result<(), String> {
    let most = numbers.iter().copied().max().unwrap_or(0);
    if most > NUMBER_MAX {
        return Err(format!("expected numbers up to {NUMBER_MAX}, found {most}"));
    }
    let expected = (most + 1) * (most + 2);
    if numbers.len() != expected {
        let (rows, found) = (numbers.len() / columns, numbers.len());
        return Err(format!(
            "expected {expected} cells for the dominoes up to {most}-{most}, found {found} ({rows} rows of {columns})"
        ));
    }
    Ok(())
}

/// Reads a game ID: the greatest number, then the numbers row by row, those from 10 on in brackets.
fn read_id(id: &GameId<'_>) -> Result<Dominosa, InputError> {
    let (most, _) = id.size()?;
    if most > NUMBER_MAX {
        let message = format!("expected numbers up to {NUMBER_MAX}, found {most}");
        return Err(id.line.error(id.parameters, message));
    }
    let (mut numbers, mut rest) = (Vec::new(), id.body);
    while let Some(c) = rest.chars().next() {
        let (word, after) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some(parts) => parts,
            None => rest.split_at(c.len_utf8()),
        };
        let number = text::plain_number(word).filter(|number| *number <= most);
        let message = || format!("expected a number up to {most}, found `{word}`");
        numbers.push(number.ok_or_else(|| id.line.error(rest, message()))?);
        rest = after;
    }
    if !numbers.contains(&most) {
        return Err(id.line.error(id.body, format!("expected the number {most} among the cells")));
    }
    check_size(most + 2, &numbers).map_err(|message| id.line.error(id.body, message))?;
    Ok(Dominosa::new(most + 2, numbers, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_round_trip;

    fn check_error(text: &str, expected: &str) {
        assert_eq!(read(text).map(|_| ()).unwrap_err().to_string(), expected, "{text}");
    }

    /// Counts the ways to cover all cells from the first open one on.
    fn count(
        columns: usize,
        numbers: &[usize],
        taken: &mut Vec<bool>,
        used: &mut Vec<(usize, usize)>,
    ) -> usize {
        let Some(cell) = taken.iter().position(|taken| !taken) else { return 1 };
        let right = (cell % columns + 1 < columns).then_some(cell + 1);
        let below = Some(cell + columns).filter(|&below| below < numbers.len());
        let mut sum = 0;
        for other in right.into_iter().chain(below) {
            let (one, two) = (numbers[cell], numbers[other]);
            let domino = (one.min(two), one.max(two));
            if taken[other] || used.contains(&domino) {
                continue;
            }
            (taken[cell], taken[other]) = (true, true);
            used.push(domino);
            sum += count(columns, numbers, taken, used);
            used.pop();
            (taken[cell], taken[other]) = (false, false);
        }
        sum
    }

    #[test]
    fn random_boards_have_as_many_solutions_as_trying_all_dominoes_finds() {
        let mut random = fastrand::Rng::with_seed(1);
        for most in [1, 2, 3] {
            for _ in 0..40 {
                let mut numbers: Vec<usize> =
                    (0..(most + 1) * (most + 2)).map(|cell| cell / (most + 2)).collect();
                random.shuffle(&mut numbers);
                let rows = numbers.chunks(most + 2).map(|row| {
                    row.iter().map(|&number| letter(number).to_string()).collect::<Vec<_>>().join(" ")
                });
                let text = rows.collect::<Vec<_>>().join("\n");
                let expected =
                    count(most + 2, &numbers, &mut vec![false; numbers.len()], &mut Vec::new());
                check_round_trip(&text, expected, |text| read(text).unwrap());
            }
        }
    }

    #[test]
    fn a_game_id_lists_the_numbers_row_by_row() {
        let id = read("2:112100210022").unwrap();
        let drawn = read("1 1 2 1\n0 0 2 1\n0 0 2 2\n").unwrap();
        assert_eq!((id.columns, id.numbers), (drawn.columns, drawn.numbers));
        check_error(
            "2:11210021002",
            "1:3: expected 12 cells for the dominoes up to 2-2, found 11 (2 rows of 4)",
        );
        check_error("2:1121002100x2", "1:13: expected a number up to 2, found `x`");
    }

    #[test]
    fn errors_in_a_board_of_numbers_give_their_position() {
        check_error("", "1:1: expected rows of numbers, found the end of the text");
        check_error(
            "0 0\n1 1\n0 1\n1 0\n",
            "1:1: expected 6 cells for the dominoes up to 1-1, found 8 (4 rows of 2)",
        );
        check_error("0|0 1\n0 1 1\n", "1:2: expected the sign `-`, found `|`");
        check_error("0-0-1\n0 1 1\n", "1:4: expected each cell in one domino, found one in two");
    }
}
