//! Variants: grids with clues of many rules, freely mixed.
//!
//! Rows, columns and regions are those of a Sudoku or Latin square. Clues are header lines:
//!
//! ```text
//! # killer: r1c1 r1c2 r2c1 = 15
//! # thermo: r5c5 r4c5 r3c4
//! ```
//!
//! [`RULES`](rules::RULES) is the table of rules. A rule builds a [`clue`]. `model` translates
//! clues to an exact cover, and `network` to the digit search. `completion` extends filled cells to
//! a cover, and `words` describes items and options. `native` is the native text format, and `form`
//! contains the formats of other programs.
//!
//! Reading, drawing, checking and writing a variant use only its clues. The translations are built
//! on first use (`translations`). The digit search needs no exact cover, and a search of the exact
//! cover needs no rules for digits.

mod args;
mod automaton;
mod board;
mod cell_set;
pub mod clue;
mod completion;
mod derive;
mod form;
pub mod head;
pub mod kinds;
mod linear;
mod model;
mod native;
mod network;
pub mod rules;
pub mod sketch;
mod translations;
mod words;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use digits::{DigitSet, Network};
use dlx::{Limit, Limits, OptionId, Problem};

pub use self::board::VariantBoard;
use self::clue::{Clue, Digit};
pub use self::form::{PACKINGS, Packing};
use self::kinds::{BoardLook, Presentation};
pub use self::native::read;
use self::rules::{Args, Rule};
use self::sketch::Sketch;
use self::translations::Translations;
use grid::{Format, Grid, format};
use puzzle::budget;
use puzzle::{
    ChangedPuzzle, ClueNetwork, DigitGrid, HeadKeys, Kind, Picture, Puzzle, PuzzleSource, RuledGrid,
    SymbolGrid, TextLayout, TextSource, TextUnits, fill, title_line, undivided,
};
use text::InputError;

/// The kind.
pub const KIND: Kind = Kind {
    name: "variant",
    summary: "a Sudoku with clues of other rules: cages, lines, dots, sums at the border ...",
    parameter: None,
    source: PuzzleSource::Text(TextSource {
        example: "# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1 r3c2\n....\n....\n....\n.1..\n",
        rules: include_str!("rules.txt"),
        extensions: &["variant"],
        divider: Some(undivided),
        several: None,
        recognizes: |sample| native::recognizes(sample) || form::of(sample).is_some(),
        head: HeadKeys::Own,
        read: |text, limits| {
            let read = || match form::of(text) {
                Some(form) => {
                    head::check(text, KIND.name, form.keys())?;
                    (form.read)(text)
                }
                None => native::read(text),
            };
            match budget::within(limits, read) {
                Ok(read) => Ok(Box::new(read?)),
                Err(limit) => {
                    Err(InputError::limited(puzzle::text_limit(limit), "while the clues were compiled"))
                }
            }
        },
    }),
};

/// Returns the formats of other programs that can be written: their names and summaries.
pub fn written_forms() -> impl Iterator<Item = (&'static str, &'static str)> {
    form::FORMS.iter().filter(|form| form.write.is_some()).map(|form| (form.name, form.summary))
}

/// Work charged for building the clues of one line without automata, in units of [`budget::spend`].
const PLACED_WORK: u64 = 20_000;

#[derive(Clone, Debug)]
struct Placed {
    rule: &'static Rule,
    args: Args,
    clues: Arc<[Clue]>,
    /// The description of the clue in the terms of its kind; by default its header line.
    words: Option<Arc<str>>,
    /// Whether the condition belongs to the kind of puzzle, so that no question leaves it out. Such
    /// conditions come after all clues.
    is_of_kind: bool,
}

impl Placed {
    fn new(board: &VariantBoard, rule: &'static Rule, args: Args) -> Result<Self, String> {
        budget::spend(PLACED_WORK)?;
        args::check(board, rule, &args)?;
        let clues = rule.clues(board, &args)?.into();
        Ok(Self { rule, args, clues, words: None, is_of_kind: false })
    }
}

/// A grid with clues, and the translations of both.
#[derive(Debug)]
pub struct Variant {
    board: VariantBoard,
    grid: Grid,
    placed: Vec<Placed>,
    /// The symbols given as options. All other given symbols are part of the problem itself.
    given: Vec<OptionId>,
    note: Option<String>,
    /// The title and the author, which pictures show; empty if the puzzle has neither.
    title: String,
    /// The text form and the picture of another kind than `variant`.
    presentation: Option<Arc<dyn Presentation>>,
    translations: Translations,
}

impl Variant {
    fn new(board: VariantBoard, grid: Grid, placed: Vec<Placed>) -> Result<Self, String> {
        let translations = Translations::new();
        let (given, note, title, presentation) = (Vec::new(), None, String::new(), None);
        let mut variant = Self { board, grid, placed, given, note, title, presentation, translations };
        variant.check_size()?;
        variant.note = variant.broken(&variant.grid).map(|(placed, _)| {
            format!("the digits that are given break the clue `{}`", variant.words(placed))
        });
        if let Some((placed, least, most)) = variant.sum_out_of_reach() {
            let words = variant.words(placed);
            variant.note = Some(format!("expected a sum from {least} to {most} in the clue `{words}`"));
        }
        Ok(variant)
    }

    fn presented(self, presentation: Option<Arc<dyn Presentation>>) -> Self {
        Self { presentation, ..self }
    }

    fn is_blocked(&self, cell: usize) -> bool {
        self.presentation.as_ref().is_some_and(|presentation| presentation.is_blocked(cell))
    }

    fn titled<'t>(mut self, title: Option<&'t str>, author: Option<&'t str>) -> Self {
        self.title = title_line(title.unwrap_or_default(), author.unwrap_or_default());
        self
    }

    /// Returns the first cage or sum whose total is impossible, with the least and the greatest
    /// possible sum of its cells.
    fn sum_out_of_reach(&self) -> Option<(&Placed, i64, i64)> {
        let (first, last) =
            (i64::from(*self.board.digits().start()), i64::from(*self.board.digits().end()));
        self.placed.iter().find_map(|placed| {
            let summands = placed.rule.summands?;
            let sum = *placed.args.values.first()?;
            let count = placed.args.groups.first()?.len() as i64;
            let (least, most) = summands.range(first, last, count);
            (!(least..=most).contains(&sum)).then_some((placed, least, most))
        })
    }

    /// Builds the same puzzle from the empty grid, with its digits as given options; returns `None`
    /// if a clue excludes one of these digits, or the exact cover is too large.
    fn opened(&self) -> Option<Self> {
        let cells = (0..self.board.shape.cell_count()).filter(|&cell| !self.is_blocked(cell));
        let symbols: Vec<(u32, u32)> =
            cells.filter_map(|cell| Some((cell as u32, self.grid.symbol(cell)? as u32))).collect();
        let open = Self::new(self.board.clone(), self.emptied(), self.placed.clone());
        let mut open = open.ok()?.presented(self.presentation.clone());
        if !symbols.is_empty() {
            let placements = &open.build_small_cover().ok()?.placements;
            let option = |place| placements.binary_search(place).ok().map(OptionId::new);
            open.given = symbols.iter().map(option).collect::<Option<_>>()?;
        }
        open.grid = self.grid.clone();
        open.note = self.note.clone();
        open.title = self.title.clone();
        Some(open)
    }

    fn emptied(&self) -> Grid {
        let mut empty = Grid::empty(Arc::clone(&self.board.shape), self.grid.style);
        for cell in 0..self.board.shape.cell_count() {
            if self.grid.symbol(cell).is_none() || self.is_blocked(cell) {
                empty.set_candidates(cell, self.grid.candidates(cell));
            }
        }
        empty
    }

    fn is_plain(&self) -> bool {
        self.board.first == 1 && self.board.shape.is_square() && self.presentation.is_none()
    }

    fn marks(&self) -> Vec<u64> {
        (0..self.board.shape.cell_count()).map(|cell| self.grid.candidates(cell)).collect()
    }

    /// Returns the first clue that a grid violates and whose cells are all filled; also returns the
    /// cells of that clue.
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

    /// Describes a clue in messages.
    fn words(&self, placed: &Placed) -> String {
        placed.words.as_ref().map_or_else(|| self.line(placed), |words| (**words).to_owned())
    }

    /// Writes a clue as a header line of a variant.
    fn line(&self, placed: &Placed) -> String {
        let line = format!("{}: {}", placed.rule.name, args::write(&self.board, &placed.args));
        line.trim_end().to_owned()
    }
}

impl DigitGrid for Variant {
    fn network(&self) -> &Network {
        self.rules().expect("it is a grid of digits")
    }

    fn cover_of(&self, digits: &[DigitSet]) -> Vec<OptionId> {
        let cover = self.cover();
        let places =
            digits.iter().enumerate().map(|(cell, digit)| (cell as u32, digit.trailing_zeros()));
        let option = |place| {
            let option = cover.placements.binary_search(&place);
            OptionId::new(option.expect("both translations leave the digits of all solutions"))
        };
        let mut chosen = self.given.clone();
        chosen.extend(places.map(option).filter(|option| !self.given.contains(option)));
        cover.complete(&mut chosen);
        chosen
    }

    fn show_digits(&self, digits: &[DigitSet], number: u64, out: &mut String) {
        self.write(&self.filled_by(digits), number, out);
    }

    fn picture_of(&self, digits: &[DigitSet]) -> Option<Picture> {
        Some(self.sketched(&self.filled_by(digits)))
    }
}

impl Variant {
    fn filled_by(&self, digits: &[DigitSet]) -> Grid {
        let mut grid = self.grid.clone();
        let symbols = digits.iter().map(|digit| digit.trailing_zeros() as usize);
        symbols.enumerate().for_each(|(cell, symbol)| grid.place(cell, symbol));
        grid
    }

    fn write(&self, filled: &Grid, number: u64, out: &mut String) {
        debug_assert!(!filled.is_full() || self.broken(filled).is_none(), "a solution meets all clues");
        if let Some(presentation) = &self.presentation {
            return presentation.write(filled, out);
        }
        match self.is_plain() {
            true => self.grid.style.format.write_solution(&self.grid, filled, number, out),
            // Grid formats support neither other digits nor other shapes, so the header states
            // them.
            false => native::write(self, filled, out),
        }
    }

    fn sketched(&self, filled: &Grid) -> Picture {
        if let Some(presentation) = &self.presentation {
            let mut picture = presentation.draw(&BoardLook::new(filled, &self.grid));
            picture.title(&*self.title);
            return picture;
        }
        let text = |symbol| (self.board.first + symbol as Digit).to_string();
        let mut picture = Picture::new();
        fill::draw(&self.board.shape, &mut picture, |cell| {
            (filled.symbol(cell).map_or(String::new(), text), self.grid.symbol(cell).is_some())
        });
        fill::draw_candidates(filled, &mut picture, text);
        let mut sketch = Sketch::new(&self.board, &mut picture);
        (self.board.inside()..self.board.shape.cell_count())
            .for_each(|cell| sketch.label(cell, &self.board.name(cell)));
        self.placed.iter().for_each(|placed| sketch.clue(placed.rule, &placed.args));
        sketch.finish();
        picture.title(&*self.title);
        picture
    }
}

impl RuledGrid for Variant {
    fn rule_count(&self) -> usize {
        self.placed.partition_point(|placed| !placed.is_of_kind)
    }

    fn rule_words(&self, clue: usize) -> String {
        let line = self.words(&self.placed[clue]);
        line.strip_suffix(':').unwrap_or(&line).to_owned()
    }

    fn rule_cells(&self, clue: usize) -> Vec<usize> {
        let Placed { args, clues, .. } = &self.placed[clue];
        match args.groups.is_empty() {
            // The cells of alternatives are named in the text of the clue. A rule for the whole
            // grid has no cells.
            true if !args.text.is_empty() => clues.iter().flat_map(|clue| clue.cells.clone()).collect(),
            _ => args.groups.concat(),
        }
    }

    fn rule_numbers(&self, clue: usize) -> Vec<i64> {
        let Placed { rule, args, words, .. } = &self.placed[clue];
        // The presentation of a kind draws the numbers of its text.
        let ([number], None) = (&args.values[..], words) else { return Vec::new() };
        let (first, last) =
            (i64::from(*self.board.digits().start()), i64::from(*self.board.digits().end()));
        let (least, most) = match (rule.summands, args.groups.first()) {
            (Some(summands), Some(cells)) => summands.range(first, last, cells.len() as i64),
            // Numbers of other rules are counts, digits, or sums of at most all digits.
            _ => (0, (first..=last).sum()),
        };
        (least..=most).filter(|other| other != number).collect()
    }

    fn with_number(
        &self,
        clue: usize,
        number: i64,
        limits: &Limits,
    ) -> Result<Option<ChangedPuzzle>, Limit> {
        let make = || {
            let Placed { rule, args, .. } = &self.placed[clue];
            let args = Args { values: vec![number], ..args.clone() };
            let mut placed = self.placed.clone();
            placed[clue] = Placed::new(&self.board, rule, args).ok()?;
            let made = Self::new(self.board.clone(), self.grid.clone(), placed).ok()?;
            Some((made.rule_words(clue), Box::new(made) as Box<dyn Puzzle>))
        };
        budget::within(limits, make)
    }

    fn with_rules(
        &self,
        placed: &[OptionId],
        clues: &[usize],
        limits: &Limits,
    ) -> Result<Option<Box<dyn Puzzle>>, Limit> {
        // Keep the digits of the grid if they are part of the problem.
        let mut grid = if self.given.is_empty() { self.grid.clone() } else { self.emptied() };
        for (cell, symbol) in placed.iter().filter_map(|&option| self.placed_by(option)) {
            grid.place(cell, symbol);
        }
        let of_kind = self.placed[self.rule_count()..].iter().cloned();
        let clues = clues.iter().map(|&clue| self.placed[clue].clone()).chain(of_kind).collect();
        let made = budget::within(limits, || Self::new(self.board.clone(), grid, clues).ok())?;
        let presented = |made: Self| made.presented(self.presentation.clone());
        Ok(made.map(|made| Box::new(presented(made)) as Box<dyn Puzzle>))
    }

    fn clue_networks(&self, limits: &Limits) -> Result<Vec<ClueNetwork>, Limit> {
        let built = budget::within(limits, || self.build_clue_networks())?;
        built.map_err(|_| Limit::Memory)
    }
}

impl Puzzle for Variant {
    fn problem(&self) -> &Arc<Problem> {
        &self.cover().problem
    }

    fn build_problem(&self, limits: &Limits) -> Result<(), Limit> {
        let built = budget::within(limits, || self.build_small_cover().map(drop))?;
        built.map_err(|_| Limit::Memory)
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn show(&self, cover: &[OptionId], number: u64, out: &mut String) {
        self.write(&self.filled_with(cover), number, out);
    }

    fn layout(&self) -> TextLayout<'_> {
        let is_line = self.grid.style.format.is_line && self.is_plain();
        TextLayout::new(TextUnits::Cells, is_line)
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
        match &self.presentation {
            Some(presentation) => presentation.write(&grid, out),
            None => native::write(self, &grid, out),
        }
        true
    }

    fn set_format(&mut self, format: &'static Format) -> Result<(), String> {
        if self.presentation.is_some() {
            return Err(format!("the format {} cannot hold the clues of this kind", format.name));
        }
        if self.board.first != 1 {
            return Err(format!(
                "the format {} cannot hold digits from {} on",
                format.name, self.board.first
            ));
        }
        if !self.is_plain() {
            let (rows, columns) = (self.board.shape.rows(), self.board.columns());
            return Err(format!(
                "the format {} holds squares with as many digits as rows, found {} digits in {rows} rows and \
                 {columns} columns",
                format.name,
                self.board.order()
            ));
        }
        let solved = Grid::empty(Arc::clone(&self.board.shape), self.grid.style);
        if let Some(lack) = format.lacks(&solved) {
            return Err(format!("the format {} cannot hold {lack}", format.name));
        }
        self.grid.style.format = format;
        Ok(())
    }

    fn note(&self) -> Option<&str> {
        self.note.as_deref().or_else(|| Some(&*self.linear_contradiction()?.words))
    }

    fn as_symbols(&self) -> Option<&dyn SymbolGrid> {
        Some(self)
    }

    fn with_open_clues(&self, limits: &Limits) -> Result<Option<Box<dyn Puzzle>>, Limit> {
        if !self.given.is_empty() {
            return Ok(None);
        }
        let opened = budget::within(limits, || self.opened())?;
        Ok(opened.map(|opened| Box::new(opened) as Box<dyn Puzzle>))
    }

    fn write_as(&self, form: &str) -> Option<Result<String, String>> {
        let own = |format| {
            let (mut grid, mut out) = (self.grid.clone(), String::new());
            grid.style.format = format;
            native::write(self, &grid, &mut out);
            Ok(out)
        };
        form::write(self, form).or_else(|| format::by_name(form).map(own))
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        Some(self.sketched(&self.filled_with(cover)))
    }

    fn contradiction(&self) -> Option<(String, Vec<usize>)> {
        match self.broken(&self.grid) {
            Some((placed, cells)) => {
                Some((format!("breaks the clue `{}`", self.words(placed)), cells.to_vec()))
            }
            // If it depends on digits, other commands name the digits that can be left out.
            None => {
                let found = self.linear_contradiction().filter(|found| !found.has_given)?;
                Some((found.words.clone(), found.cells.clone()))
            }
        }
    }
}

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
