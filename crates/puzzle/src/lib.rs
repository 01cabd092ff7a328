//! The kinds of puzzles, each translated into an exact cover.
//!
//! A new kind is one file and its row in the table `farandole::kinds::KINDS`. A puzzle passes
//! through: text -> [`Puzzle`] -> `problem` and `given` -> an engine -> a cover -> `show` -> text.

#[macro_use]
extern crate text;

pub mod cover;
pub mod fill;
pub mod langford;
pub mod latin;
pub mod overlapping;
pub mod queens;
mod solution;
pub mod sudoku;
mod symbols;
mod symmetry;

use std::sync::Arc;

use digits::{DigitSet, Network};
use dlx::classes::Symmetry;
use dlx::{ItemId, Limit, Limits, OptionId, Problem};

pub use fill::{Fill, Translator};
pub use latin::{LatinListing, LatinSort};
pub use picture::{
    Cell, Cube, Ink, Mark, PdfDrawing, Picture, Point, Spot, Theme, pdf_color, pdf_text, queen,
};
pub use solution::{Solution, SolutionVisit};
pub use symbols::{CandidateLook, SymbolGrid, candidate_spot};
pub use symmetry::{ClassSort, SymmetrySort};

use grid::{Format, Grid, Setting, Shape, Style, format};
use text::{InputError, TextLimit};

/// Returns a limit of a search as the limit that ended the reading of a text.
#[must_use]
pub fn text_limit(limit: Limit) -> TextLimit {
    match limit {
        Limit::Time => TextLimit::Time,
        Limit::Cancelled => TextLimit::Interrupt,
        _ => TextLimit::Memory,
    }
}

/// A parsed puzzle with its translation.
pub trait Puzzle: Send + Sync {
    /// Returns the exact-cover problem. Puzzles of the same shape may share it, and some build it
    /// on first use.
    fn problem(&self) -> &Arc<Problem>;

    /// Returns the options fixed by the puzzle: its clues.
    fn given(&self) -> &[OptionId] {
        &[]
    }

    /// Returns the names of the options of the problem; empty if they have none.
    fn option_names(&self) -> &[String] {
        &[]
    }

    /// Describes an option in the terms of the kind.
    fn option_words(&self, option: OptionId) -> String {
        match self.option_names().get(option.index()) {
            Some(name) => format!("`{name}`"),
            None => format!("`{}`", self.problem().show(option)),
        }
    }

    /// Describes the part of an option in a solution: its position, and its piece or symbol if
    /// needed. A solution read back as a puzzle gives the same description.
    fn solution_words(&self, option: OptionId) -> (String, String) {
        (self.option_words(option), String::new())
    }

    /// Returns the 1-based numbers of the options of a solution in input order, ascending; `None`
    /// if the input has no options.
    fn option_numbers(&self, cover: &[OptionId]) -> Option<Vec<u32>> {
        let _ = cover;
        None
    }

    /// Returns the 1-based number of an option in input order, or in the problem if the input has
    /// no options.
    fn option_number(&self, option: OptionId) -> usize {
        let number = self.option_numbers(&[option]).and_then(|numbers| numbers.first().copied());
        number.map_or(option.index() + 1, |number| number as usize)
    }

    /// Includes option numbers in shown solutions, if the input has options.
    fn show_numbers(&mut self) {}

    /// Adds the options of a solution that its text does not show.
    fn complete(&self, cover: &mut Vec<OptionId>) {
        let _ = cover;
    }

    /// Names an item for queries about the option that covers it; `None` if the item supports no
    /// query.
    fn item_words(&self, item: ItemId) -> Option<String> {
        Some(format!("`{}`", self.problem().item_name(item)))
    }

    /// Describes the option that covers an item with [words](Puzzle::item_words).
    fn value_words(&self, option: OptionId, item: ItemId) -> String {
        let _ = item;
        self.option_words(option)
    }

    /// Returns the 0-based row and column of an item that is a cell of a plane board.
    fn item_cell(&self, item: ItemId) -> Option<(usize, usize)> {
        let _ = item;
        None
    }

    /// Draws a solution, with the options it shares with another solution in gray; `None` as for
    /// [`Puzzle::picture`].
    fn picture_beside(&self, cover: &[OptionId], common: &[OptionId]) -> Option<Picture> {
        let _ = common;
        self.picture(cover)
    }

    /// Writes the solution of `cover` (clues included); `number` is 1-based. The text ends with a
    /// newline; read back as a puzzle of the kind, it has exactly that solution.
    fn show(&self, cover: &[OptionId], number: u64, out: &mut String);

    /// Writes the puzzle with `clues` in place of its own; read back, its solutions are those that
    /// contain these options. Returns `false` if such clues cannot be written.
    fn show_clues(&self, clues: &[OptionId], out: &mut String) -> bool {
        let _ = (clues, out);
        false
    }

    /// Draws the solution of `cover`, or a part of one, such as the clues; `None` if it is too
    /// large or the kind has no pictures.
    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        let _ = cover;
        None
    }

    /// Draws a logical step on top of the state before it; `None` if it is too large or the kind
    /// has no pictures of steps.
    fn picture_of_step(&self, look: &StepFigure) -> Option<Picture> {
        let _ = look;
        None
    }

    /// Returns the units of a solution text, for coloring on a terminal.
    fn text_units(&self) -> TextUnits {
        TextUnits::Cells
    }

    /// Returns the symmetries of the puzzle without its clues, as permutations of the options, with
    /// or without the identity. `None` if they are unknown.
    fn symmetries(&self, wanted: SymmetrySort) -> Option<Vec<Symmetry>> {
        let _ = wanted;
        None
    }

    /// Returns one symmetry per conjugacy class of a group too large to list, each with the size of
    /// its class, identity first. `None` unless the puzzle is an empty Latin square of a supported
    /// order.
    fn latin_classes(&self, wanted: LatinSort) -> Option<Vec<(Symmetry, u64)>> {
        let _ = wanted;
        None
    }

    /// Returns a lister of squares, one per class; `None` in the same cases as
    /// [`Puzzle::latin_classes`].
    fn latin_squares(&self, wanted: LatinSort) -> Option<LatinListing> {
        let _ = wanted;
        None
    }

    /// Writes the text for "there is no solution".
    fn show_unsolvable(&self, out: &mut String) {
        out.push_str("no solution\n");
    }

    /// Writes the text before the first solution of an output.
    fn show_head(&self, out: &mut String) {
        let _ = out;
    }

    /// Returns whether a solution takes a single line.
    fn is_line(&self) -> bool {
        false
    }

    /// Returns the text between two solutions.
    fn separator(&self) -> &'static str {
        if self.is_line() { "" } else { "\n" }
    }

    /// Selects the format of solutions.
    ///
    /// # Errors
    /// If the format cannot express them; returns the reason.
    fn set_format(&mut self, format: &'static dyn Format) -> Result<(), String> {
        Err(format!("the format {} holds grids only", format.name()))
    }

    /// Returns a note about a valid puzzle: an ambiguity of its text, or the reason for no
    /// solution.
    fn note(&self) -> Option<&str> {
        None
    }

    /// Returns whether the engines `digits` and `filter` deserve a trial before all others: few
    /// solutions, and strong clues.
    fn is_for_filter(&self) -> bool {
        false
    }

    /// Returns the grid and its translation if the puzzle is a plain grid to be filled.
    fn as_fill(&self) -> Option<&Fill> {
        None
    }

    /// Returns the puzzle as a grid of symbols, if it is one, with any rules.
    fn as_symbols(&self) -> Option<&dyn SymbolGrid> {
        None
    }

    /// Returns the puzzle for the search of [`digits`], if it supports that.
    fn as_digits(&self) -> Option<&dyn DigitGrid> {
        None
    }

    /// Returns the same puzzle with all clues in [`Puzzle::given`], for queries about single clues;
    /// `None` if they already are, or if there are no clues.
    fn with_open_clues(&self) -> Option<Box<dyn Puzzle>> {
        None
    }

    /// Returns the puzzle as a grid with rule clues, if it has any.
    fn as_ruled(&self) -> Option<&dyn RuledGrid> {
        None
    }

    /// Describes clues that contradict each other without search, and returns their cells, if there
    /// are any.
    fn contradiction(&self) -> Option<(String, Vec<usize>)> {
        None
    }

    /// Writes the puzzle in a form of its kind; `None` if the kind has no such form.
    ///
    /// # Errors
    /// The inner result fails with the feature that the form does not support.
    fn write_as(&self, form: &str) -> Option<Result<String, String>> {
        let _ = form;
        None
    }
}

/// A grid of symbols with removable rule clues, numbered from 0.
pub trait RuledGrid {
    /// Returns the number of rule clues.
    fn rule_count(&self) -> usize;

    /// Names a clue as its line does: `killer: r1c1 r1c2 = 6`.
    fn rule_words(&self, clue: usize) -> String;

    /// Returns the cells of a clue.
    fn rule_cells(&self, clue: usize) -> Vec<usize>;

    /// Returns the puzzle with only these clues and the symbols of the options `placed`; `None` if
    /// it is too large.
    fn with_rules(&self, placed: &[OptionId], clues: &[usize]) -> Option<Box<dyn Puzzle>>;
}

/// A grid whose clues are rules of [`digits`] as well as an exact cover.
pub trait DigitGrid {
    /// Returns the cells and rules of the grid.
    fn network(&self) -> &Network;

    /// Returns the cover for a solution of the network, clues first. Builds the problem if needed.
    fn cover_of(&self, digits: &[DigitSet]) -> Vec<OptionId>;

    /// Writes a solution of the network, like [`Puzzle::show`] with its cover.
    fn show_digits(&self, digits: &[DigitSet], number: u64, out: &mut String);

    /// Draws a solution of the network, like [`Puzzle::picture`] with its cover.
    fn picture_of(&self, digits: &[DigitSet]) -> Option<Picture>;
}

/// The units of a solution text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUnits {
    /// Characters at the same positions as in the puzzle with its clues.
    Cells,
    /// Characters below a line `tiling`, each naming a piece.
    Pieces,
    /// Words; equal words belong together.
    Numbers,
    /// Lines, each a chosen option.
    Lines,
}

/// The contents of a picture of a logical step; each ink marks a role in the step.
#[derive(Clone, Debug, Default)]
pub struct StepFigure {
    /// The options known before the step.
    pub chosen: Vec<OptionId>,
    /// The items that the step involves.
    pub items: Vec<(ItemId, Ink)>,
    /// Options that the step chooses, or that follow from a hypothesis; they do not conflict.
    pub laid: Vec<(OptionId, Ink)>,
    /// Other options, which the step excludes or tries.
    pub beside: Vec<(OptionId, Ink)>,
    /// All open options with a role in the step.
    pub options: Vec<(OptionId, Ink)>,
    /// The meaning of each ink, for the legend.
    pub words: Vec<(Ink, &'static str)>,
}

impl StepFigure {
    /// Writes the meanings of the inks `used` below a picture.
    pub fn tell(&self, used: &[Ink], picture: &mut Picture) {
        for &(ink, word) in self.words.iter().filter(|(ink, _)| used.contains(ink)) {
            picture.word(Some(ink), word);
        }
    }
}

/// A kind of puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description of the kind.
    pub summary: &'static str,
    /// Builds puzzles from a bare parameter, if supported.
    pub parameter: Option<Parameter>,
    /// Reads puzzles from text.
    pub source: PuzzleSource,
}

/// The bare parameter of a kind, as in `queens 8`.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The meaning of the parameter: "the size of the board".
    pub meaning: &'static str,
    /// An example of a valid parameter.
    pub example: &'static str,
    /// Builds the puzzle within the limits, or returns the expected form. Only grids use the
    /// setting.
    pub make: fn(&str, &mut Setting, &Limits) -> Made,
}

/// A puzzle built from a parameter, or an error.
pub type Made = Result<Box<dyn Puzzle>, InputError>;

/// The source format of a kind.
#[derive(Clone, Copy, Debug)]
pub enum PuzzleSource {
    /// Grids, in any of the formats of [`grid::FORMATS`].
    Grids {
        /// Whether only rows and columns are houses unless the text draws regions.
        is_latin: bool,
        /// An example puzzle in the default format.
        example: &'static str,
    },
    /// A text that is one puzzle.
    Text(TextSource),
}

/// A foreign text that holds several puzzles.
#[derive(Clone, Copy, Debug)]
pub struct Several {
    /// Returns the 0-based line of each puzzle; empty if the text is in another format.
    pub lines: fn(&str) -> Vec<usize>,
    /// Reads the puzzle with a 0-based number, within the limits.
    pub read: fn(&str, usize, &Limits) -> Made,
}

/// Takes the lines of a text in order, and returns for each whether another puzzle begins there.
pub type Divider = Box<dyn FnMut(&str) -> bool>;

/// Returns the divider of a text where only lines `# puzzle: NAME` separate puzzles.
pub fn undivided() -> Divider {
    Box::new(|_| false)
}

/// A kind whose text is one puzzle, or several that each begin with a line naming the kind.
#[derive(Clone, Copy, Debug)]
pub struct TextSource {
    /// An example puzzle.
    pub example: &'static str,
    /// Additional rules of the text format, in lines, if the example does not show everything.
    pub rules: &'static str,
    /// File name extensions of this kind, without the dot.
    pub extensions: &'static [&'static str],
    /// Returns a divider that finds further starts of puzzles, besides lines `# puzzle: NAME`;
    /// `None` if there are no others.
    pub divider: Option<fn() -> Divider>,
    /// Reads a foreign text with several puzzles of this kind; `None` if there is no such format.
    pub several: Option<Several>,
    /// Returns whether a text with this beginning (at most 64 KiB) is of this kind.
    pub recognizes: fn(&str) -> bool,
    /// Statements that the head of a text may make.
    pub head: HeadKeys,
    /// Reads the puzzle within the limits; the head has been checked.
    pub read: fn(&str, &Limits) -> Made,
}

/// Statements (`# key: value`) that the head of a text may make.
#[derive(Clone, Copy, Debug)]
pub enum HeadKeys {
    /// `puzzle`, and these keys.
    Only(&'static [&'static str]),
    /// Comments are prose: only a line that must be a statement about a grid is refused.
    Prose,
    /// The reader checks the head, whose keys depend on the text.
    Own,
}

/// The names of all kinds, which head lines may use; a test compares them with the table of kinds.
pub const KIND_NAMES: [&str; 8] =
    ["overlapping", "polyomino", "queens", "langford", "cover", "variant", "sudoku", "latin"];

/// Returns the name with the smallest edit distance to `word`, if that is at most half the longer
/// length.
///
/// ```
/// use puzzle::nearest;
///
/// assert_eq!(nearest("pentomino", ["dominoes", "pentominoes"]), Some("pentominoes"));
/// assert_eq!(nearest("x", ["dominoes", "pentominoes"]), None);
/// ```
#[must_use]
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // A longer word cannot be a misspelled name, and would be slow.
    let word: Vec<char> = word.to_lowercase().chars().take(64).collect();
    let all = names.into_iter().map(|name| (distance(&word, name), name));
    let (distance, name) = all.min_by_key(|(distance, _)| *distance)?;
    (2 * distance <= word.len().max(name.len())).then_some(name)
}

/// Returns the edit distance: letters added, removed or exchanged.
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

/// Returns the line above a picture: the title of a puzzle, the name of its author, or both.
pub fn title_line(title: &str, author: &str) -> String {
    /// The most characters of the line, for it has the width of the picture.
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

/// Checks the number of solutions of `text`, and that each of the first hundred reads back as a
/// puzzle with only that solution.
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
