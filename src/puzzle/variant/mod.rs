//! Variants: grids with clues of many rules, in any mixture.
//!
//! Rows, columns and regions are those of a Sudoku or Latin square; clues are lines of the head:
//!
//! ```text
//! # killer: r1c1 r1c2 r2c1 = 15
//! # thermo: r5c5 r4c5 r3c4
//! ```
//!
//! [`RULES`](rules::RULES) is the table of the rules; [`clue`] is what a rule makes, `model` its translation, `network`
//! that for the search on digits and `completion` the way back, `words` what
//! items and options stand for. `text` is the own text, `form` those of other programs.

mod args;
mod automaton;
mod board;
pub mod clue;
mod completion;
mod derive;
mod form;
mod model;
mod network;
pub mod rules;
pub mod sketch;
mod text;
mod words;

#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use digits::{DigitSet, Network};
use dlx::{OptionId, Problem};

pub use self::board::VariantBoard;
use self::clue::{Clue, Digit};
use self::completion::Completion;
use self::rules::{Args, Rule};
use self::sketch::Sketch;
use super::{DigitGrid, Kind, Picture, Puzzle, PuzzleSource, SymbolGrid, TextSource, fill};
use crate::grid::{Format, Grid, format};

pub(super) const KIND: Kind = Kind {
    name: "variant",
    summary: "a Sudoku with clues of other rules: cages, lines, dots, sums at the border ...",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: "# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1 r3c2\n....\n....\n....\n.1..\n",
        rules: include_str!("rules.txt"),
        extensions: &["variant"],
        recognizes: |sample| text::recognizes(sample) || form::of(sample).is_some(),
        read: |text, _| {
            let variant = form::of(text).map_or(text::read as fn(&str) -> _, |form| form.read)(text)?;
            // Both translations are part of reading.
            variant.as_digits();
            Ok(Box::new(variant))
        },
    }),
};

/// Returns the names of the text forms of other programs that are written, with what they are.
pub fn written_forms() -> impl Iterator<Item = (&'static str, &'static str)> {
    form::FORMS.iter().filter(|form| form.write.is_some()).map(|form| (form.name, form.summary))
}

/// Clues of a rule, with what they were made of.
#[derive(Debug)]
struct Placed {
    rule: &'static Rule,
    args: Args,
    clues: Vec<Clue>,
}

impl Placed {
    fn new(board: &VariantBoard, rule: &'static Rule, args: Args) -> Result<Self, String> {
        args::check(board, rule, &args)?;
        let clues = (rule.make)(board, &args)?;
        Ok(Self { rule, args, clues })
    }
}

/// A grid with clues, and its translation.
#[derive(Debug)]
struct Variant {
    board: VariantBoard,
    grid: Grid,
    placed: Vec<Placed>,
    /// Clues that follow from those.
    derived: Vec<Clue>,
    problem: Arc<Problem>,
    /// Cell and symbol of the first options; those behind stand for how clues are met.
    placements: Vec<(u32, u32)>,
    /// Symbols that are not part of the problem itself.
    given: Vec<OptionId>,
    note: Option<String>,
    /// The same for a search on digits, made when it is first asked for; `None` if it is too large for that.
    network: OnceLock<Option<(Network, Completion)>>,
}

impl Variant {
    fn new(board: VariantBoard, grid: Grid, placed: Vec<Placed>) -> Result<Self, String> {
        let derived = derive::sums(&board, &placed);
        let clues: Vec<&Clue> = placed.iter().flat_map(|placed| &placed.clues).collect();
        let (problem, placements) = model::translate(&board, &grid, &clues, &derived)?;
        let problem = Arc::new(problem);
        let mut variant = Self {
            board,
            grid,
            placed,
            derived,
            problem,
            placements,
            given: Vec::new(),
            note: None,
            network: OnceLock::new(),
        };
        variant.note = variant.broken(&variant.grid).map(|(placed, _)| {
            format!("the digits that are given break the clue `{}`", variant.line(placed))
        });
        if let Some((placed, least, most)) = variant.sum_out_of_reach() {
            let line = variant.line(placed);
            variant.note = Some(format!("expected a sum from {least} to {most} in the clue `{line}`"));
        }
        Ok(variant)
    }

    /// Returns the first cage or sum that no digits add up to, with the least and the greatest sum of its cells.
    fn sum_out_of_reach(&self) -> Option<(&Placed, i64, i64)> {
        let (first, last) =
            (i64::from(*self.board.digits().start()), i64::from(*self.board.digits().end()));
        self.placed.iter().find_map(|placed| {
            let sum = *placed.args.values.first()?;
            let count = placed.args.groups.first()?.len() as i64;
            let (least, most) = match placed.rule.name {
                "killer" => ((first..first + count).sum(), (last + 1 - count..=last).sum()),
                "sum" => (first * count, last * count),
                _ => return None,
            };
            (!(least..=most).contains(&sum)).then_some((placed, least, most))
        })
    }

    /// Makes the same puzzle of an empty grid, whose digits are given; `None` if a clue leaves no room for one of them.
    fn opened(&self) -> Option<Self> {
        let shape = &self.board.shape;
        let mut empty = Grid::empty(Arc::clone(shape), self.grid.style);
        let mut symbols = Vec::new();
        for cell in 0..shape.cell_count() {
            match self.grid.symbol(cell) {
                Some(symbol) => symbols.push((cell as u32, symbol as u32)),
                None => empty.set_candidates(cell, self.grid.candidates(cell)),
            }
        }
        let again = |placed: &Placed| Placed::new(&self.board, placed.rule, placed.args.clone());
        let placed = self.placed.iter().map(again).collect::<Result<_, _>>().ok()?;
        let mut open = Self::new(self.board.clone(), empty, placed).ok()?;
        let option = |place| open.placements.binary_search(place).ok().map(OptionId::new);
        open.given = symbols.iter().map(option).collect::<Option<_>>()?;
        open.grid = self.grid.clone();
        open.note = self.note.clone();
        Some(open)
    }

    /// Tells whether formats of grids can hold its solutions.
    fn is_plain(&self) -> bool {
        self.board.first == 1 && self.board.shape.is_square()
    }

    /// Returns the grid with the digits of `cover` filled in.
    fn filled(&self, cover: &[OptionId]) -> Grid {
        self.filled_with(cover)
    }

    /// Returns for each cell the symbols that it may have, a bit each.
    fn marks(&self) -> Vec<u64> {
        (0..self.board.shape.cell_count()).map(|cell| self.grid.candidates(cell)).collect()
    }

    /// Returns the first clue that a grid breaks, all of whose cells are filled, and these.
    fn broken(&self, grid: &Grid) -> Option<(&Placed, &[usize])> {
        let digit = |&cell: &usize| grid.symbol(cell).map(|symbol| self.board.first + symbol as Digit);
        let is_broken = |clue: &Clue| {
            let digits: Option<Vec<Digit>> = clue.cells.iter().map(digit).collect();
            digits.is_some_and(|digits| !(clue.holds)(&digits))
        };
        self.placed.iter().find_map(|placed| {
            let broken = placed.clues.iter().find(|&clue| is_broken(clue))?;
            Some((placed, &broken.cells[..]))
        })
    }

    /// Writes a clue as its head line has it.
    fn line(&self, placed: &Placed) -> String {
        let line = format!("{}: {}", placed.rule.name, args::write(&self.board, &placed.args));
        line.trim_end().to_owned()
    }
}

impl Variant {
    /// Returns what a search on digits needs.
    fn translated(&self) -> &(Network, Completion) {
        self.network.get().and_then(Option::as_ref).expect("it was made when it was asked for")
    }
}

impl DigitGrid for Variant {
    fn network(&self) -> &Network {
        &self.translated().0
    }

    fn cover_of(&self, digits: &[DigitSet]) -> Vec<OptionId> {
        let places =
            digits.iter().enumerate().map(|(cell, digit)| (cell as u32, digit.trailing_zeros()));
        let option = |place| {
            let option = self.placements.binary_search(&place);
            OptionId::new(option.expect("both translations leave the digits of all solutions"))
        };
        let mut cover = self.given.clone();
        cover.extend(places.map(option).filter(|option| !self.given.contains(option)));
        self.translated().1.complete(&self.problem, &mut cover);
        cover
    }
}

impl Puzzle for Variant {
    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn show(&self, cover: &[OptionId], number: u64, out: &mut String) {
        let filled = self.filled(cover);
        debug_assert!(!filled.is_full() || self.broken(&filled).is_none(), "a cover meets all clues");
        match self.is_plain() {
            true => self.grid.style.format.write_solution(&self.grid, &filled, number, out),
            // No format of grids knows other digits or shapes; the head tells them.
            false => text::write(self, &filled, out),
        }
    }

    fn show_clues(&self, clues: &[OptionId], out: &mut String) -> bool {
        let mut grid = Grid::empty(Arc::clone(&self.board.shape), self.grid.style);
        let marks = (0..self.board.shape.cell_count())
            .filter(|&cell| self.given.is_empty() || self.grid.symbol(cell).is_none());
        for cell in marks {
            grid.set_candidates(cell, self.grid.candidates(cell));
        }
        for (cell, symbol) in clues.iter().filter_map(|&clue| self.placed_by(clue)) {
            grid.place(cell, symbol);
        }
        text::write(self, &grid, out);
        true
    }

    fn is_line(&self) -> bool {
        self.grid.style.format.is_line() && self.is_plain()
    }

    fn set_format(&mut self, format: &'static dyn Format) -> Result<(), String> {
        if self.board.first != 1 {
            return Err(format!(
                "the format {} cannot hold digits from {} on",
                format.name(),
                self.board.first
            ));
        }
        if !self.is_plain() {
            let (rows, columns) = (self.board.shape.rows(), self.board.columns());
            return Err(format!(
                "the format {} holds squares with as many digits as rows, found {} digits in {rows} rows and \
                 {columns} columns",
                format.name(),
                self.board.order()
            ));
        }
        let solved = Grid::empty(Arc::clone(&self.board.shape), self.grid.style);
        if let Some(lack) = format.lacks(&solved) {
            return Err(format!("the format {} cannot hold {lack}", format.name()));
        }
        self.grid.style.format = format;
        Ok(())
    }

    fn is_for_filter(&self) -> bool {
        !self.placed.is_empty()
    }

    fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    fn as_symbols(&self) -> Option<&dyn SymbolGrid> {
        Some(self)
    }

    fn as_digits(&self) -> Option<&dyn DigitGrid> {
        let make = || {
            let clues: Vec<&Clue> = self.placed.iter().flat_map(|placed| &placed.clues).collect();
            let network = network::translate(
                &self.board,
                &self.grid,
                &clues,
                &[&self.derived[..], &derive::differences(&self.board, &self.placed)],
            )?;
            Some((network, Completion::new(&self.problem, self.placements.len())))
        };
        self.network.get_or_init(make).as_ref().map(|_| self as &dyn DigitGrid)
    }

    fn with_open_clues(&self) -> Option<Box<dyn Puzzle>> {
        if !self.given.is_empty() {
            return None;
        }
        Some(Box::new(self.opened()?))
    }

    fn contradiction(&self) -> Option<(String, Vec<usize>)> {
        let (placed, cells) = self.broken(&self.grid)?;
        Some((format!("breaks the clue `{}`", self.line(placed)), cells.to_vec()))
    }

    fn write_as(&self, form: &str) -> Option<Result<String, String>> {
        let own = |format| {
            let (mut grid, mut out) = (self.grid.clone(), String::new());
            grid.style.format = format;
            text::write(self, &grid, &mut out);
            Ok(out)
        };
        form::write(self, form).or_else(|| format::by_name(form).map(own))
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        let filled = self.filled(cover);
        let text = |symbol| (self.board.first + symbol as Digit).to_string();
        let mut picture = Picture::new();
        fill::draw(&self.board.shape, &mut picture, |cell| {
            (filled.symbol(cell).map_or(String::new(), text), self.grid.symbol(cell).is_some())
        });
        fill::draw_candidates(&filled, &mut picture, text);
        let mut sketch = Sketch::new(&self.board, &mut picture);
        (self.board.inside()..self.board.shape.cell_count())
            .for_each(|cell| sketch.label(cell, &self.board.name(cell)));
        self.placed.iter().for_each(|placed| sketch.clue(placed.rule, &placed.args));
        Some(picture)
    }
}
