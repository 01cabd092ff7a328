//! The kinds of puzzles, each translated into an exact cover.
//!
//! A new kind is one file and its row in the table of kinds, `farandole::kinds::KINDS`. The path of a puzzle: text -> [`Puzzle`] -> `problem` and `given` -> an engine -> a cover -> `show` -> text.

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
pub use symbols::candidate_spot;
pub use symbols::{CandidateLook, SymbolGrid};
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

/// A puzzle that has been read, with its translation.
pub trait Puzzle: Send + Sync {
    /// Returns the exact-cover problem. Puzzles of the same shape may share it, and some make it when it is first asked for.
    fn problem(&self) -> &Arc<Problem>;

    /// Returns the options that the puzzle itself fixes: its clues.
    fn given(&self) -> &[OptionId] {
        &[]
    }

    /// Returns the names of the options of the problem; none if they have none.
    fn option_names(&self) -> &[String] {
        &[]
    }

    /// Says what an option stands for, in the words of the kind.
    fn option_words(&self, option: OptionId) -> String {
        match self.option_names().get(option.index()) {
            Some(name) => format!("`{name}`"),
            None => format!("`{}`", self.problem().show(option)),
        }
    }

    /// Says what an option does in a solution: where, and with which piece or symbol if that needs saying. A solution that is read
    /// as a puzzle says the same of its options.
    fn solution_words(&self, option: OptionId) -> (String, String) {
        (self.option_words(option), String::new())
    }

    /// Returns the numbers of the options of a solution in the order of the input, from 1, ascending; `None` if the input has no options.
    fn option_numbers(&self, cover: &[OptionId]) -> Option<Vec<u32>> {
        let _ = cover;
        None
    }

    /// Returns the number of an option in the order of the input, or of the problem if the input has no options, from 1.
    fn option_number(&self, option: OptionId) -> usize {
        let number = self.option_numbers(&[option]).and_then(|numbers| numbers.first().copied());
        number.map_or(option.index() + 1, |number| number as usize)
    }

    /// Lets solutions show the numbers of their options, if the input has options.
    fn show_numbers(&mut self) {}

    /// Adds the options of a solution that its text does not show.
    fn complete(&self, cover: &mut Vec<OptionId>) {
        let _ = cover;
    }

    /// Names an item of which a setter may ask what covers it; `None` if nobody asks that.
    fn item_words(&self, item: ItemId) -> Option<String> {
        Some(format!("`{}`", self.problem().item_name(item)))
    }

    /// Says what covers an item that has [words](Puzzle::item_words), if an option does.
    fn value_words(&self, option: OptionId, item: ItemId) -> String {
        let _ = item;
        self.option_words(option)
    }

    /// Returns row and column of an item that is a cell of a board in the plane, from 0.
    fn item_cell(&self, item: ItemId) -> Option<(usize, usize)> {
        let _ = item;
        None
    }

    /// Draws a solution, those of its options in gray that another solution has as well; `None` as for [`Puzzle::picture`].
    fn picture_beside(&self, cover: &[OptionId], common: &[OptionId]) -> Option<Picture> {
        let _ = common;
        self.picture(cover)
    }

    /// Writes the solution that `cover` (clues included) stands for; `number` counts from 1. The text
    /// ends with a line end; read again as a puzzle of its kind it has that one solution.
    fn show(&self, cover: &[OptionId], number: u64, out: &mut String);

    /// Writes the puzzle with these options as its clues, in place of those that it has; read again it has the solutions that contain
    /// them. Says `false` if clues of this kind cannot be written.
    fn show_clues(&self, clues: &[OptionId], out: &mut String) -> bool {
        let _ = (clues, out);
        false
    }

    /// Draws the solution that `cover` stands for, or a part of one, such as the clues; `None` if that is too large, or
    /// the kind has no pictures.
    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        let _ = cover;
        None
    }

    /// Draws a step of logic upon what is known before it; `None` if that is too large, or the kind has no pictures of steps.
    fn picture_of_step(&self, look: &StepLook) -> Option<Picture> {
        let _ = look;
        None
    }

    /// Returns what the text of a solution is made of, for its colors on a terminal.
    fn text_units(&self) -> TextUnits {
        TextUnits::Cells
    }

    /// Returns the symmetries of the puzzle without its clues, as permutations of the options; the one that changes nothing
    /// need not be among them. `None` if it is not known what they are.
    fn symmetries(&self, wanted: SymmetrySort) -> Option<Vec<Symmetry>> {
        let _ = wanted;
        None
    }

    /// Returns one symmetry of each class of conjugates of a group that is too large to be listed, and how many these are; the one
    /// that changes nothing comes first. `None` unless the puzzle is an empty Latin square, of an order that is not too large.
    fn latin_classes(&self, wanted: LatinSort) -> Option<Vec<(Symmetry, u64)>> {
        let _ = wanted;
        None
    }

    /// Returns what lists squares, one of each class; `None` where [`Puzzle::latin_classes`] is.
    fn latin_squares(&self, wanted: LatinSort) -> Option<LatinListing> {
        let _ = wanted;
        None
    }

    /// Writes what stands for "there is no solution".
    fn show_unsolvable(&self, out: &mut String) {
        out.push_str("no solution\n");
    }

    /// Writes what stands before the first solution of an output.
    fn show_head(&self, out: &mut String) {
        let _ = out;
    }

    /// Tells whether a solution takes a single line.
    fn is_line(&self) -> bool {
        false
    }

    /// Returns what stands between two solutions.
    fn separator(&self) -> &'static str {
        if self.is_line() { "" } else { "\n" }
    }

    /// Lets solutions be written in `format`.
    ///
    /// # Errors
    /// If the format cannot hold them; says why.
    fn set_format(&mut self, format: &'static dyn Format) -> Result<(), String> {
        Err(format!("the format {} holds grids only", format.name()))
    }

    /// Returns what there is to say about the puzzle although it is in order: what its text might have
    /// meant as well, or why it cannot have a solution.
    fn note(&self) -> Option<&str> {
        None
    }

    /// Tells whether the engines `digits` and `filter` are worth trials before all others: few solutions, and clues of
    /// which each decides much.
    fn is_for_filter(&self) -> bool {
        false
    }

    /// Returns the grid and its translation if the puzzle is a grid to be filled.
    fn as_fill(&self) -> Option<&Fill> {
        None
    }

    /// Returns the puzzle as a grid of symbols, if it is one, whatever its rules are.
    fn as_symbols(&self) -> Option<&dyn SymbolGrid> {
        None
    }

    /// Returns the puzzle for the search of [`digits`], if it is one for that.
    fn as_digits(&self) -> Option<&dyn DigitGrid> {
        None
    }

    /// Returns the same puzzle with all its clues in [`Puzzle::given`], so that they can be asked about one by one; `None` if they
    /// are there, or if there are none.
    fn with_open_clues(&self) -> Option<Box<dyn Puzzle>> {
        None
    }

    /// Returns the puzzle as a grid with clues of rules, if it has such clues.
    fn as_ruled(&self) -> Option<&dyn RuledGrid> {
        None
    }

    /// Says which clues contradict each other without any search, and which cells they speak of, if some do.
    fn contradiction(&self) -> Option<(String, Vec<usize>)> {
        None
    }

    /// Writes the puzzle in a form of its kind; `None` if the kind has no form of that name.
    ///
    /// # Errors
    /// Within: what the form cannot hold.
    fn write_as(&self, form: &str) -> Option<Result<String, String>> {
        let _ = form;
        None
    }
}

/// A grid of symbols with clues of rules, each of which can be left out. They have numbers from 0 on.
pub trait RuledGrid {
    /// Returns the number of these clues.
    fn rule_count(&self) -> usize;

    /// Names a clue as its line does: `killer: r1c1 r1c2 = 6`.
    fn rule_words(&self, clue: usize) -> String;

    /// Returns the cells of a clue.
    fn rule_cells(&self, clue: usize) -> Vec<usize>;

    /// Returns the puzzle with these clues alone, and with the symbols that these of the given options place; `None` if it is too large.
    fn with_rules(&self, placed: &[OptionId], clues: &[usize]) -> Option<Box<dyn Puzzle>>;
}

/// A grid whose clues are rules of [`digits`] as well as an exact cover.
pub trait DigitGrid {
    /// Returns its cells and rules.
    fn network(&self) -> &Network;

    /// Returns the cover of the problem that a solution of the network stands for: clues first. Makes the problem if it was
    /// not asked for before.
    fn cover_of(&self, digits: &[DigitSet]) -> Vec<OptionId>;

    /// Writes a solution of the network, as [`Puzzle::show`] does with its cover.
    fn show_digits(&self, digits: &[DigitSet], number: u64, out: &mut String);

    /// Draws a solution of the network, as [`Puzzle::picture`] does with its cover.
    fn picture_of(&self, digits: &[DigitSet]) -> Option<Picture>;
}

/// What the text of a solution is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUnits {
    /// Characters that stand where those of the puzzle with its clues do.
    Cells,
    /// Below a line `tiling` characters of which each names a piece.
    Pieces,
    /// Words that are alike where they belong together.
    Numbers,
    /// Lines, each of which was chosen.
    Lines,
}

/// What a picture of a step of logic shows, each with the ink of its part in the step.
#[derive(Clone, Debug, Default)]
pub struct StepLook {
    /// The options that are known before.
    pub chosen: Vec<OptionId>,
    /// Items that the step speaks of.
    pub items: Vec<(ItemId, Ink)>,
    /// Options that it chooses, or that follow from each other while it supposes one: they do not conflict.
    pub laid: Vec<(OptionId, Ink)>,
    /// Other options that it excludes or tries.
    pub beside: Vec<(OptionId, Ink)>,
    /// All options that are open and have a part in it.
    pub options: Vec<(OptionId, Ink)>,
    /// What the inks mean.
    pub words: Vec<(Ink, &'static str)>,
}

impl StepLook {
    /// Writes what these inks mean below a picture.
    pub fn tell(&self, used: &[Ink], picture: &mut Picture) {
        for &(ink, word) in self.words.iter().filter(|(ink, _)| used.contains(ink)) {
            picture.word(Some(ink), word);
        }
    }
}

/// A kind of puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// How puzzles are made from a bare parameter, if they can be.
    pub parameter: Option<Parameter>,
    /// How puzzles are read from text.
    pub source: PuzzleSource,
}

/// How a bare parameter makes a puzzle, as in `queens 8`.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// What the parameter means: "the size of the board".
    pub meaning: &'static str,
    /// A parameter that works.
    pub example: &'static str,
    /// Makes the puzzle within the limits, or says what was expected. Only grids use the setting.
    pub make: fn(&str, &mut Setting, &Limits) -> Made,
}

/// A puzzle made of a parameter, or what was expected.
pub type Made = Result<Box<dyn Puzzle>, InputError>;

/// How the puzzles of a kind are read.
#[derive(Clone, Copy, Debug)]
pub enum PuzzleSource {
    /// As grids, in any of the formats of [`grid::FORMATS`](grid::FORMATS).
    Grids {
        /// Whether there are only rows and columns unless the text draws regions.
        is_latin: bool,
        /// A small text, in the default format.
        example: &'static str,
    },
    /// As one text that is one puzzle.
    Text(TextSource),
}

/// A text of another program that holds several puzzles.
#[derive(Clone, Copy, Debug)]
pub struct Several {
    /// Returns the line of each puzzle, from 0; none if it is no such text.
    pub lines: fn(&str) -> Vec<usize>,
    /// Reads the puzzle of that number, from 0, within the limits.
    pub read: fn(&str, usize, &Limits) -> Made,
}

/// Takes the lines of a text one after the other, and says of each whether another puzzle begins there.
pub type Divider = Box<dyn FnMut(&str) -> bool>;

/// Divides a text where only lines `# puzzle: NAME` do.
pub fn undivided() -> Divider {
    Box::new(|_| false)
}

/// A kind whose text is one puzzle, or several that each begin with a line that names the kind.
#[derive(Clone, Copy, Debug)]
pub struct TextSource {
    /// A small text.
    pub example: &'static str,
    /// How such a text is written, in lines, if the example does not tell all.
    pub rules: &'static str,
    /// The endings of file names, without the dot, that speak for this kind.
    pub extensions: &'static [&'static str],
    /// What finds the lines at which another puzzle begins, besides lines `# puzzle: NAME`; `None` if a text is always one puzzle.
    pub divider: Option<fn() -> Divider>,
    /// How a text of another program is read that holds several puzzles of this kind; `None` if no text does.
    pub several: Option<Several>,
    /// Tells whether a text that begins like this (at most 64 KiB) is of this kind.
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

/// Returns the name that is nearest to a word: of most equal letters, if that is at least half of them.
///
/// ```
/// use puzzle::nearest;
///
/// assert_eq!(nearest("pentomino", ["dominoes", "pentominoes"]), Some("pentominoes"));
/// assert_eq!(nearest("x", ["dominoes", "pentominoes"]), None);
/// ```
#[must_use]
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // More is no name, and would take long.
    let word: Vec<char> = word.to_lowercase().chars().take(64).collect();
    let all = names.into_iter().map(|name| (distance(&word, name), name));
    let (distance, name) = all.min_by_key(|(distance, _)| *distance)?;
    (2 * distance <= word.len().max(name.len())).then_some(name)
}

/// Returns how many letters must be added, left out or exchanged for others.
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

/// Makes the puzzle of an empty grid; its solutions are squares, as a reader wants to see them.
fn empty_grid(shape: Arc<Shape>) -> Box<dyn Puzzle> {
    let style = format::by_name("rows").map_or_else(Style::default, Style::new);
    let grid = Grid::empty(shape, style);
    Box::new(Translator::default().puzzle(grid))
}

/// Reads a whole number from 1 to `max`, or says that `what` was expected.
fn parse_size(text: &str, what: &str, max: usize) -> Result<usize, String> {
    let size = text.trim().parse().ok().filter(|size| (1..=max).contains(size));
    size.ok_or_else(|| format!("expected {what} from 1 to {max}, found `{text}`"))
}

/// Checks the number of solutions of the puzzle that `read` makes of `text`, and that each of the first
/// hundred, read again, has only itself.
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
