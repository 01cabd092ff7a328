//! Descriptions of the options and items of a puzzle, in words and pictures.

use dlx::{ItemId, OptionId, Problem};

use super::{Ink, Picture};

/// The options, items and clues of a puzzle in the terms of its kind.
pub trait PuzzleTerms {
    /// Returns the names of the options of the problem; empty if they have no names.
    fn option_names(&self) -> &[String] {
        &[]
    }

    /// Returns the numbers (from 1, in input order) of the options of a solution, in ascending
    /// order, or `None` if the input has no options.
    fn option_numbers(&self, cover: &[OptionId]) -> Option<Vec<u32>> {
        let _ = cover;
        None
    }

    /// Describes an option.
    fn option_words(&self, option: OptionId) -> String;

    /// Describes the part of a solution that an option is: its position, and its piece or symbol if
    /// needed. If the solution is read as a puzzle, the option has the same description.
    fn solution_words(&self, option: OptionId) -> (String, String) {
        (self.option_words(option), String::new())
    }

    /// Adds to `cover` the options of the solution that its text does not show.
    fn complete(&self, cover: &mut Vec<OptionId>) {
        let _ = cover;
    }

    /// Describes an item in questions about the option that covers it; returns `None` if such a
    /// question has no meaning for the user.
    fn item_words(&self, item: ItemId) -> Option<String>;

    /// Returns what an item is in a puzzle of pieces; `None` for other items and other kinds.
    fn item_role(&self, item: ItemId) -> Option<ItemRole> {
        let _ = item;
        None
    }

    /// Describes the option that covers `item`, for an item that [`Self::item_words`] describes.
    fn value_words(&self, option: OptionId, item: ItemId) -> String {
        let _ = item;
        self.option_words(option)
    }

    /// Returns the row and column (from 0) of an item that is a cell of a plane board.
    fn item_cell(&self, item: ItemId) -> Option<(usize, usize)> {
        let _ = item;
        None
    }

    /// Draws a solution with emphasis on the options that are not in `common`, which another
    /// solution also has. Returns `None` as [`Self::picture_of_step`] does.
    fn picture_beside(&self, cover: &[OptionId], common: &[OptionId]) -> Option<Picture> {
        let own = cover.iter().filter(|option| !common.contains(option));
        let options = own.map(|&option| (option, Ink::Yellow)).collect();
        let chosen = cover.to_vec();
        self.picture_of_step(&StepFigure { chosen, options, ..StepFigure::default() })
    }

    /// Draws a logical step on top of the state before it; returns `None` if the picture is too
    /// large or the kind has no such pictures.
    fn picture_of_step(&self, look: &StepFigure) -> Option<Picture> {
        let _ = look;
        None
    }
}

impl PuzzleTerms for Problem {
    fn option_words(&self, option: OptionId) -> String {
        format!("`{}`", self.show(option))
    }

    fn item_words(&self, item: ItemId) -> Option<String> {
        Some(format!("`{}`", self.item_name(item)))
    }
}

/// What an item is in a puzzle of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemRole {
    /// A place of the board that a piece must cover.
    Place,
    /// A piece that must be placed.
    Piece,
}

/// The contents of a picture of a logical step. The ink of an option or item shows its role in the
/// step.
#[derive(Clone, Debug, Default)]
pub struct StepFigure {
    /// The options known before the step.
    pub chosen: Vec<OptionId>,
    /// The items that the step involves.
    pub items: Vec<(ItemId, Ink)>,
    /// Options that the step chooses, or that follow from a hypothesis of the step. They do not
    /// conflict with each other.
    pub laid: Vec<(OptionId, Ink)>,
    /// Other options that the step excludes or tries.
    pub tried: Vec<(OptionId, Ink)>,
    /// All options with a role in the step that are not chosen yet.
    pub options: Vec<(OptionId, Ink)>,
    /// The meaning of each ink, for the legend.
    pub words: Vec<(Ink, &'static str)>,
}

impl StepFigure {
    /// Adds a legend with the meanings of the inks `used` to a picture.
    pub fn add_legend(&self, used: &[Ink], picture: &mut Picture) {
        for &(ink, word) in self.words.iter().filter(|(ink, _)| used.contains(ink)) {
            picture.word(Some(ink), word);
        }
    }
}
