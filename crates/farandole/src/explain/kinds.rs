//! The kinds of items in the problem of a grid: a cell, or a symbol in a row, column, region or
//! other group.
//!
//! A kind is recognized by the name of the item, because the rules of variants may add other items.
//! Unknown names are of the kind `Other`.

use std::collections::BTreeSet;

use dlx::ItemId;
use dlx::explain::{InferenceRule, Reason};

use grid::GroupKind;
use puzzle::{ClueItem, ClueMeaning, Puzzle, SymbolGrid};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Cell(usize, usize),
    /// A symbol that a group of cells must contain.
    Place(HouseKind, usize, usize),
    /// An auxiliary item of a clue; has the name of the clue's rule and, if it belongs to one clue,
    /// the number of that.
    Clue(&'static str, Option<usize>),
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HouseKind {
    Row,
    Column,
    Region,
    Diagonal,
    Window,
}

impl HouseKind {
    fn of(letter: char) -> Option<Self> {
        Some(match letter {
            'r' => Self::Row,
            'c' => Self::Column,
            'b' => Self::Region,
            'd' => Self::Diagonal,
            'w' => Self::Window,
            _ => return None,
        })
    }

    /// Returns the kind of house of a group; `None` for a group that is no house.
    pub(super) fn of_group(group: GroupKind) -> Option<Self> {
        Self::of(group.letter())
    }

    pub(super) fn is_line(self) -> bool {
        matches!(self, Self::Row | Self::Column)
    }

    fn group(self) -> GroupKind {
        match self {
            Self::Row => GroupKind::Row,
            Self::Column => GroupKind::Column,
            Self::Region => GroupKind::Region,
            Self::Diagonal => GroupKind::Diagonal,
            Self::Window => GroupKind::Window,
        }
    }

    pub(super) fn cells(self, grid: &dyn SymbolGrid, number: usize) -> Vec<usize> {
        let groups = grid.grid().shape().groups().iter();
        let mut found = groups.filter(|group| (group.kind, group.number) == (self.group(), number));
        found.next().map_or(Vec::new(), |group| group.cells.clone())
    }

    /// Returns the name of house `number`. A region that is not a box has no visible number, so its
    /// name contains its first cell.
    pub(super) fn words(self, grid: &dyn SymbolGrid, number: usize) -> String {
        let is_odd = self == Self::Region && grid.grid().shape().boxes().is_none();
        match self.cells(grid, number).first().filter(|_| is_odd) {
            Some(&cell) => format!("the region of {}", grid.cell_name(cell)),
            None => format!("{} {}", self.name(), number + 1),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Region => "box",
            Self::Diagonal => "diagonal",
            Self::Window => "window",
        }
    }
}

#[derive(Debug)]
pub(super) struct ItemKinds {
    kinds: Vec<ItemKind>,
    pub(super) is_grid: bool,
}

impl ItemKinds {
    pub(super) fn of(puzzle: &dyn Puzzle) -> Self {
        let problem = puzzle.problem();
        let grid = puzzle.as_symbols();
        let kind = |item| match grid {
            Some(grid) => match recognize(problem.item_name(item), grid.first_number()) {
                ItemKind::Other => {
                    grid.clue_item(item).map_or(ItemKind::Other, |item| clue_kind(grid, &item))
                }
                known => known,
            },
            None => ItemKind::Other,
        };
        let kinds = problem.items().map(kind).collect();
        Self { kinds, is_grid: grid.is_some() }
    }

    pub(super) fn kind(&self, item: ItemId) -> ItemKind {
        self.kinds[item.index()]
    }

    pub(super) fn house(&self, item: ItemId) -> Option<(HouseKind, usize)> {
        match self.kind(item) {
            ItemKind::Place(house, number, _) => Some((house, number)),
            _ => None,
        }
    }

    pub(super) fn items_of(&self, house: (HouseKind, usize)) -> impl Iterator<Item = ItemId> + '_ {
        let items = (0..self.kinds.len()).map(ItemId::new);
        items.filter(move |&item| self.house(item) == Some(house))
    }

    /// Returns the number of kinds of items in a step; for example, cells are one kind and rows are
    /// another.
    pub(super) fn sorts(&self, reason: &Reason) -> usize {
        let Reason::Sets { truths, links } = reason else { return 0 };
        let of = |items: &[ItemId]| -> BTreeSet<Option<HouseKind>> {
            items.iter().map(|&item| self.house(item).map(|(house, _)| house)).collect()
        };
        of(truths).len() + of(links).len()
    }

    /// Returns whether a step uses items other than cells and symbols in houses.
    pub(super) fn uses_clues(&self, reason: &Reason) -> bool {
        let is_clue = |&item: &ItemId| matches!(self.kind(item), ItemKind::Clue(..) | ItemKind::Other);
        match reason {
            Reason::Forced { item } => is_clue(item),
            Reason::Sets { truths, links } => truths.iter().chain(links).any(is_clue),
            Reason::Supposition(supposition) => {
                supposition.inferences.iter().any(|inference| match &inference.by {
                    InferenceRule::Truth(item) | InferenceRule::Link(item) => is_clue(item),
                    InferenceRule::Locked { truth, link } => is_clue(truth) || is_clue(link),
                    _ => true,
                })
            }
            _ => true,
        }
    }

    /// Returns whether a step uses only items of one clue.
    pub(super) fn is_of_one_clue(&self, reason: &Reason) -> bool {
        let clue = |item: ItemId| match self.kind(item) {
            ItemKind::Clue(_, clue) => clue,
            _ => None,
        };
        match reason {
            Reason::Forced { item } => clue(*item).is_some(),
            Reason::Sets { truths, links } => {
                let mut clues = truths.iter().chain(links).map(|&item| clue(item));
                let first = clues.next().flatten();
                first.is_some() && clues.all(|clue| clue == first)
            }
            _ => false,
        }
    }

    /// Returns, for each item, how much harder it is for a person to see that it is forced than in
    /// the easiest case (tenths of a score). From easy to hard: a symbol in a box, an item of a
    /// clue, a symbol in a line, the only symbol left for a cell.
    pub(super) fn weights(&self) -> Vec<u8> {
        let weight = |kind: &ItemKind| match kind {
            ItemKind::Place(HouseKind::Region, ..) => 2,
            ItemKind::Clue(..) => 3,
            ItemKind::Place(..) => 5,
            ItemKind::Cell(..) => 13,
            ItemKind::Other => 0,
        };
        if self.is_grid { self.kinds.iter().map(weight).collect() } else { Vec::new() }
    }
}

/// Returns the kind of an item of a clue. The sum of a whole row has an item for each symbol that
/// says no more than that the row needs the symbol.
fn clue_kind(grid: &dyn SymbolGrid, item: &ClueItem) -> ItemKind {
    let group = match item.meaning {
        ClueMeaning::Place(group, symbol) => {
            grid.grid().shape().groups().get(group).map(|group| (group, symbol))
        }
        _ => None,
    };
    let place = group.and_then(|(group, symbol)| {
        Some(ItemKind::Place(HouseKind::of_group(group.kind)?, group.number, symbol))
    });
    place.unwrap_or(ItemKind::Clue(item.rule, item.clue))
}

/// Parses the name of an item, such as `r1c2`, `r1s5` or `b3s9`. `first` is the number of the first
/// symbol.
fn recognize(name: &str, first: usize) -> ItemKind {
    let from =
        |text: &str, first| text.parse::<usize>().ok().and_then(|number| number.checked_sub(first));
    let read = |text: &str| from(text, 1);
    let recognized = || {
        let house = HouseKind::of(name.chars().next()?)?;
        let rest = name.get(1..)?;
        if let Some((number, symbol)) = rest.split_once('s') {
            return Some(ItemKind::Place(house, read(number)?, from(symbol, first)?));
        }
        let (row, column) = rest.split_once('c').filter(|_| house == HouseKind::Row)?;
        Some(ItemKind::Cell(read(row)?, read(column)?))
    };
    recognized().unwrap_or(ItemKind::Other)
}
