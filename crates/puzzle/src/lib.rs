//! The kinds of puzzles, and their translation into exact covers.
//!
//! A new kind consists of one file and its row in the table `farandole::kinds::KINDS`. The steps
//! from text to solution are: text -> [`Puzzle`] -> `problem` and `given` -> an engine -> a cover
//! -> `show` -> text.

#[macro_use]
extern crate text;

pub mod board_text;
pub mod budget;
pub mod cover;
pub mod dominosa;
pub mod fill;
pub mod langford;
pub mod latin;
mod layout;
pub mod overlapping;
pub mod queens;
pub mod shikaku;
mod solution;
pub mod sudoku;
mod symbols;
mod symmetry;
mod terms;

use std::sync::Arc;

use digits::{DigitSet, Network};
use dlx::classes::Symmetry;
use dlx::{Limit, Limits, OptionId, Problem};

pub use fill::{Fill, Translator};
pub use latin::{LatinListing, LatinSort};
pub use layout::{TextLayout, TextUnits};
pub use picture::{
    Cell, Cube, Ink, Mark, PdfDrawing, Picture, Point, Spot, Theme, pdf_color, pdf_string, pdf_text,
    queen,
};
pub use solution::{Solution, SolutionVisit};
pub use symbols::{CandidateLook, ClueItem, ClueMeaning, SymbolGrid, candidate_spot};
pub use symmetry::{ClassSort, SymmetrySort};
pub use terms::{ItemRole, PuzzleTerms, StepFigure};

use grid::{Format, Grid, Setting, Shape, Style, format};
use text::{InputError, TextLimit};

/// Converts the limit that stopped the construction of a problem into the limit of its reader.
#[must_use]
pub fn text_limit(limit: Limit) -> TextLimit {
    match limit {
        Limit::Time => TextLimit::Time,
        Limit::Cancelled => TextLimit::Interrupt,
        _ => TextLimit::Memory,
    }
}

/// A puzzle that was read, with its translation into an exact cover.
pub trait Puzzle: Send + Sync {
    /// Returns the exact-cover problem. Puzzles of the same shape may share it, and some build it
    /// on first use, without limits unless [`Puzzle::build_problem`] was called before.
    fn problem(&self) -> &Arc<Problem>;

    /// Builds the problem that [`Puzzle::problem`] returns, if that can take long.
    ///
    /// # Errors
    /// The limit that was reached.
    fn build_problem(&self, limits: &Limits) -> Result<(), Limit> {
        let _ = limits;
        Ok(())
    }

    /// Returns the options that the clues of the puzzle fix.
    fn given(&self) -> &[OptionId] {
        &[]
    }

    /// Writes the solution of `cover`, which includes the clues. `number` counts from 1. The text
    /// ends with a line feed. If the text is read as a puzzle of the kind, its only solution is
    /// this one.
    fn show(&self, cover: &[OptionId], number: u64, out: &mut String);

    /// Writes the puzzle with the clues `clues` instead of its own. If the text is read, its
    /// solutions are all solutions that contain these options. Returns `false` if such clues cannot
    /// be written.
    fn show_clues(&self, clues: &[OptionId], out: &mut String) -> bool {
        let _ = (clues, out);
        false
    }

    /// Draws the solution of `cover`, or a part of a solution such as the clues; returns `None` if
    /// the picture is too large or the kind has no pictures.
    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        let _ = cover;
        None
    }

    /// Returns the layout of solution texts.
    fn layout(&self) -> TextLayout<'_> {
        TextLayout::new(TextUnits::Cells, false)
    }

    /// Returns the symmetries of the puzzle without its clues, as permutations of the options. The
    /// identity may be missing. Returns `None` if the symmetries are unknown.
    fn symmetries(&self, wanted: SymmetrySort) -> Option<Vec<Symmetry>> {
        let _ = wanted;
        None
    }

    /// Makes [`Puzzle::show`] write option numbers, if the input has options.
    fn show_numbers(&mut self) {}

    /// Selects the output format of solutions.
    ///
    /// # Errors
    /// If the format cannot express the solutions. The error is the reason.
    fn set_format(&mut self, format: &'static Format) -> Result<(), String> {
        Err(format!("the format {} holds grids only", format.name))
    }

    /// Returns a note about a valid puzzle, such as an ambiguity of its text or the reason why it
    /// has no solution.
    fn note(&self) -> Option<&str> {
        None
    }

    /// Describes clues whose contradiction is visible without search, and returns their cells;
    /// returns `None` without such clues.
    fn contradiction(&self) -> Option<(String, Vec<usize>)> {
        None
    }

    /// Writes the puzzle in a text form of its kind; returns `None` if the kind has no form of that
    /// name.
    ///
    /// # Errors
    /// The inner error is the feature that the form does not support.
    fn write_as(&self, form: &str) -> Option<Result<String, String>> {
        let _ = form;
        None
    }

    /// Returns the same puzzle with all clues in [`Puzzle::given`], for questions about single
    /// clues. Returns `None` if `given` already contains all clues.
    ///
    /// # Errors
    /// The limit that was reached.
    fn with_open_clues(&self, limits: &Limits) -> Result<Option<Box<dyn Puzzle>>, Limit> {
        let _ = limits;
        Ok(None)
    }

    /// Returns the options and items in the terms of the kind; by default their names in the
    /// problem.
    fn terms(&self) -> &dyn PuzzleTerms {
        self.problem().as_ref()
    }

    /// Returns the puzzle as a grid of symbols, if it is one. Such a grid may have clues of rules.
    fn as_symbols(&self) -> Option<&dyn SymbolGrid> {
        None
    }
}

impl dyn Puzzle + '_ {
    /// Returns the grid and its translation, if the puzzle is a grid without clues of rules.
    #[must_use]
    pub fn as_fill(&self) -> Option<&Fill> {
        self.as_symbols()?.as_fill()
    }

    /// Returns the puzzle as a grid with clues of rules, if it has such clues.
    #[must_use]
    pub fn as_ruled(&self) -> Option<&dyn RuledGrid> {
        self.as_symbols()?.as_ruled()
    }

    /// Returns the puzzle for the search of [`digits`], if it supports that; builds its network on
    /// first use.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn as_digits(&self, limits: &Limits) -> Result<Option<&dyn DigitGrid>, Limit> {
        self.as_symbols().map_or(Ok(None), |grid| grid.as_digits(limits))
    }

    /// Returns the numbers of the options of a solution, as [`PuzzleTerms::option_numbers`] does.
    /// A grid has no numbers, and its problem need not be built.
    #[must_use]
    pub fn option_numbers(&self, cover: &[OptionId]) -> Option<Vec<u32>> {
        if self.as_symbols().is_some() { None } else { self.terms().option_numbers(cover) }
    }

    /// Returns the number (from 1) of an option in the input, or in the problem if the input has no
    /// options.
    #[must_use]
    pub fn option_number(&self, option: OptionId) -> usize {
        let number = self.option_numbers(&[option]).and_then(|numbers| numbers.first().copied());
        number.map_or(option.index() + 1, |number| number as usize)
    }
}

/// A puzzle in which one clue was changed: the new name of the clue, and the puzzle.
pub type ChangedPuzzle = (String, Box<dyn Puzzle>);

/// A grid of symbols with clues of rules. The clues are numbered from 0 and can be removed one by
/// one.
pub trait RuledGrid {
    /// Returns the number of clues of rules.
    fn rule_count(&self) -> usize;

    /// Returns the name of a clue as in its header line, such as `killer: r1c1 r1c2 = 6`.
    fn rule_words(&self, clue: usize) -> String;

    /// Returns the cells of a clue.
    fn rule_cells(&self, clue: usize) -> Vec<usize>;

    /// Returns the other numbers that a clue could state, such as the other sums of a cage. Returns
    /// none for a clue without a number, or with several.
    fn rule_numbers(&self, clue: usize) -> Vec<i64>;

    /// Returns the puzzle in which a clue states another number, with the new name of the clue.
    /// Returns `None` if the rule does not allow the number, or this puzzle is too large.
    ///
    /// # Errors
    /// The limit that was reached.
    fn with_number(
        &self,
        clue: usize,
        number: i64,
        limits: &Limits,
    ) -> Result<Option<ChangedPuzzle>, Limit>;

    /// Returns the puzzle with the clues `clues` and the symbols of the options `placed`. Returns
    /// `None` if this puzzle is too large.
    ///
    /// # Errors
    /// The limit that was reached.
    fn with_rules(
        &self,
        placed: &[OptionId],
        clues: &[usize],
        limits: &Limits,
    ) -> Result<Option<Box<dyn Puzzle>>, Limit>;

    /// Returns each clue by itself, and each derived sum. Clues that are too large for the search
    /// on digits are left out.
    ///
    /// # Errors
    /// The limit that was reached.
    fn clue_networks(&self, limits: &Limits) -> Result<Vec<ClueNetwork>, Limit>;
}

/// A clue by itself, or a sum that follows from several clues, with the conclusions that it allows.
#[derive(Debug)]
pub struct ClueNetwork {
    /// The name of the rule.
    pub rule: &'static str,
    /// The name of the clue as in its header line, such as `killer: r1c1 r1c2 = 6`, or of the
    /// derived sum.
    pub words: String,
    /// The cells that the clue restricts.
    pub cells: Vec<usize>,
    /// The cells and the rules of the clue alone.
    pub network: Network,
}

/// A grid that is both a network of rules for the digit search ([`digits`]) and an exact cover.
pub trait DigitGrid {
    /// Returns the cells and rules of the grid.
    fn network(&self) -> &Network;

    /// Returns the cover for a solution of the network, with the clues first. Builds the problem if
    /// needed.
    fn cover_of(&self, digits: &[DigitSet]) -> Vec<OptionId>;

    /// Writes a solution of the network, as [`Puzzle::show`] writes its cover.
    fn show_digits(&self, digits: &[DigitSet], number: u64, out: &mut String);

    /// Draws a solution of the network, as [`Puzzle::picture`] draws its cover.
    fn picture_of(&self, digits: &[DigitSet]) -> Option<Picture>;
}

/// A kind of puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description of the kind.
    pub summary: &'static str,
    /// Builds puzzles from a parameter such as a size, if the kind supports this.
    pub parameter: Option<Parameter>,
    /// Reads puzzles from text.
    pub source: PuzzleSource,
}

/// The parameter of a kind, as in `queens 8`.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The meaning of the parameter, such as "the size of the board".
    pub meaning: &'static str,
    /// An example of a valid parameter.
    pub example: &'static str,
    /// Builds the puzzle within the limits, or returns an error with the expected parameter. Only
    /// grids use the setting.
    pub make: fn(&str, &mut Setting, &Limits) -> Made,
}

/// A puzzle built from a parameter, or an error.
pub type Made = Result<Box<dyn Puzzle>, InputError>;

/// How puzzles of a kind are read from text.
#[derive(Clone, Copy, Debug)]
pub enum PuzzleSource {
    /// The puzzles are grids, in any of the formats of [`grid::FORMATS`].
    Grids {
        /// Whether a grid has only rows and columns, unless its text draws regions.
        is_latin: bool,
        /// An example puzzle in the default format.
        example: &'static str,
    },
    /// The whole text is one puzzle.
    Text(TextSource),
}

/// A text format of another program that holds several puzzles.
#[derive(Clone, Copy, Debug)]
pub struct Several {
    /// Returns the line (from 0) of each puzzle; empty if the text is in another format.
    pub lines: fn(&str) -> Vec<usize>,
    /// Reads the puzzle with the given number (from 0), within the limits.
    pub read: fn(&str, usize, &Limits) -> Made,
}

/// A function that takes the lines of a text in order, and returns for each line whether another
/// puzzle begins there.
pub type Divider = Box<dyn FnMut(&str) -> bool>;

/// Returns the divider for texts where only lines `# puzzle: NAME` separate puzzles.
pub fn undivided() -> Divider {
    Box::new(|_| false)
}

/// A kind whose text is one puzzle. A text of several puzzles has a line that names the kind before
/// each of them.
#[derive(Clone, Copy, Debug)]
pub struct TextSource {
    /// An example puzzle.
    pub example: &'static str,
    /// Rules of the text format that the example does not show, as lines.
    pub rules: &'static str,
    /// File name extensions of this kind, without the dot.
    pub extensions: &'static [&'static str],
    /// Returns a divider that finds the starts of puzzles without a line `# puzzle: NAME`. `None`
    /// if every further puzzle has such a line.
    pub divider: Option<fn() -> Divider>,
    /// Reads a text of another program with several puzzles of this kind, or `None` if no such
    /// format exists.
    pub several: Option<Several>,
    /// Returns whether a text with this beginning (at most 64 KiB) is a puzzle of this kind. No
    /// statement in its head names a kind.
    pub recognizes: fn(&str) -> bool,
    /// The statements that the header of a text may contain.
    pub head: HeadKeys,
    /// Reads the puzzle within the limits, after its header has been checked.
    pub read: fn(&str, &Limits) -> Made,
}

/// The statements (`# key: value`) that the header of a text may contain.
#[derive(Clone, Copy, Debug)]
pub enum HeadKeys {
    /// The key `puzzle`, and the listed keys.
    Only(&'static [&'static str]),
    /// Header lines are remarks. A line is refused only if it must be a statement about a grid.
    Prose,
    /// The reader of the kind checks the header, because its keys depend on the text.
    Own,
}

/// The names of all kinds, which header lines may use. A test compares them with the table of
/// kinds.
pub const KIND_NAMES: [&str; 19] = [
    "overlapping",
    "polyomino",
    "queens",
    "langford",
    "kakuro",
    "nonogram",
    "kenken",
    "star-battle",
    "binairo",
    "tango",
    "futoshiki",
    "suguru",
    "str8ts",
    "dominosa",
    "shikaku",
    "cover",
    "variant",
    "sudoku",
    "latin",
];

/// Returns the name with the smallest edit distance to `word`. The distance must be at most half
/// the length of the longer of the two.
///
/// ```
/// use puzzle::nearest;
///
/// assert_eq!(nearest("pentomino", ["dominoes", "pentominoes"]), Some("pentominoes"));
/// assert_eq!(nearest("x", ["dominoes", "pentominoes"]), None);
/// ```
#[must_use]
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // A longer word cannot be a misspelled name, and comparing it would be slow.
    let word: Vec<char> = word.to_lowercase().chars().take(64).collect();
    let all = names.into_iter().map(|name| (distance(&word, name), name));
    let (distance, name) = all.min_by_key(|(distance, _)| *distance)?;
    (2 * distance <= word.len().max(name.len())).then_some(name)
}

/// Returns the edit distance: the smallest number of letters added, removed or replaced.
pub fn distance(word: &[char], name: &str) -> usize {
    let mut row: Vec<usize> = (0..=word.len()).collect();
    for (index, letter) in name.chars().enumerate() {
        let mut before = row[0];
        row[0] = index + 1;
        for place in 0..word.len() {
            let exchanged = before + usize::from(word[place] != letter);
            before = row[place + 1];
            row[place + 1] = exchanged.min(row[place] + 1).min(before + 1);
        }
    }
    row[word.len()]
}

/// Returns the line above a picture: the title of the puzzle, the name of its author, or both.
pub fn title_line(title: &str, author: &str) -> String {
    /// Maximum number of characters in the line, since a longer line would be wider than the
    /// picture.
    const LENGTH_MAX: usize = 120;
    let (title, author) = (title.trim(), author.trim());
    let between = match (title, author) {
        (_, "") => "",
        ("", _) => "by ",
        _ => " by ",
    };
    format!("{title}{between}{author}").chars().take(LENGTH_MAX).collect()
}

fn empty_grid(shape: Arc<Shape>) -> Box<dyn Puzzle> {
    let style = format::by_name("rows").map_or_else(Style::default, Style::new);
    let grid = Grid::empty(shape, style);
    Box::new(Translator::default().puzzle(grid))
}

/// Reads a whole number from 1 to `max`, or returns an error that expects `what`.
fn parse_size(text: &str, what: &str, max: usize) -> Result<usize, String> {
    let size = text.trim().parse().ok().filter(|size| (1..=max).contains(size));
    size.ok_or_else(|| format!("expected {what} from 1 to {max}, found `{text}`"))
}

/// Checks the number of solutions of `text`. Also checks that each of the first hundred solutions,
/// when read as a puzzle, has only that solution.
#[cfg(test)]
fn check_round_trip<P: Puzzle>(text: &str, expected: usize, read: impl Fn(&str) -> P) {
    let solutions =
        |puzzle: &P| dlx::engine::Links::new(puzzle.problem()).into_solutions(puzzle.given());
    let puzzle = read(text);
    let mut count = 0;
    for cover in solutions(&puzzle) {
        count += 1;
        if count > 100 {
            continue;
        }
        let mut shown = String::new();
        puzzle.show(&cover, count as u64, &mut shown);
        let again = read(&shown);
        let mut others = solutions(&again);
        let mut shown_again = String::new();
        again.show(&others.next().expect("a solution"), 1, &mut shown_again);
        assert_eq!((shown_again, others.next()), (shown, None));
    }
    assert_eq!(count, expected, "{text}");
}

/// Tests the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
