//! Describes the items and options of a variant in words: cells, digits, clues.
//!
//! `model` numbers the parts of all clues in order. The names of their items begin with a letter
//! and that number: `k3s5` is the digit 5 in the set of part 3. Items of sums and automata that
//! only carry a state are not described.

use dlx::{ItemId, Limit, Limits, OptionId};

use super::clue::{Clue, CluePart, Digit};
use super::translations::UNLIMITED;
use super::{Variant, args};
use grid::Grid;
use puzzle::{ClueItem, ClueMeaning, DigitGrid, Picture, RuledGrid, SymbolGrid, budget};

#[derive(Clone, Copy)]
struct PartName<'n> {
    letter: char,
    number: usize,
    /// The text between the number and the digit, which names the set of a sum or the step of an
    /// automaton.
    within: &'n str,
    /// The digit after the letter `s`, if the name has one.
    digit: Option<Digit>,
}

/// The rule behind sums that follow from cages and houses.
pub(super) const RULE_OF_45: &str = "rule of 45";

struct ClueName {
    rule: &'static str,
    /// The number of the clue: those of the puzzle come first, then the sums that follow from them.
    number: usize,
    /// For a sum over a whole row, column or region, its number among the groups of the shape.
    group: Option<usize>,
    /// The name of the clue as in a header line, with a blank instead of the colon.
    name: String,
    noun: &'static str,
    short: String,
    full: String,
}

fn part_name(name: &str) -> Option<PartName<'_>> {
    let letter = name.chars().next().filter(|letter| "kplx".contains(*letter))?;
    let rest = &name[1..];
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(digits);
    let (within, digit) = match rest.split_once('s') {
        Some((within, digit)) => (within, digit.parse().ok()),
        None => (rest, None),
    };
    Some(PartName { letter, number: number.parse().ok()?, within, digit })
}

impl Variant {
    fn clue_of(&self, number: usize) -> Option<(ClueName, &CluePart)> {
        let of_placed = self.placed.iter().map(|placed| (Some(placed), &placed.clues[..]));
        let of_derived = self.derived().iter().map(|clue| (None, std::slice::from_ref(clue)));
        let mut parts = of_placed.chain(of_derived).enumerate().flat_map(|(place, (placed, clues))| {
            let parts = clues.iter().flat_map(|clue| clue.parts.iter().map(move |part| (clue, part)));
            parts.map(move |(clue, part)| (place, placed, clue, part))
        });
        let (place, placed, clue, part) = parts.nth(number.checked_sub(1)?)?;
        let Some(placed) = placed else {
            let words = || RULE_OF_45.to_owned();
            let (name, noun) = (self.sum_words(clue).replacen(": ", " ", 1), "sum");
            let (rule, number) = (RULE_OF_45, place);
            let (group, short, full) = (self.group_of(clue), words(), words());
            return Some((ClueName { rule, number, group, name, noun, short, full }, part));
        };
        let (rule, noun, number) = (placed.rule.name, placed.rule.noun, place);
        if let Some(words) = &placed.words {
            let words = || (**words).to_owned();
            let (group, name, short, full) = (None, words(), words(), words());
            return Some((ClueName { rule, number, group, name, noun, short, full }, part));
        }
        let text = args::write(&self.board, &placed.args);
        let cells = text.split(" = ").next().unwrap_or("");
        let words = |text: &str| format!("{noun} {text}").trim_end().to_owned();
        let name = format!("{rule} {text}").trim_end().to_owned();
        let (group, short, full) = (None, words(cells), words(&text));
        Some((ClueName { rule, number, group, name, noun, short, full }, part))
    }

    /// Returns the number of the group that is the same cells as a clue.
    pub(super) fn group_of(&self, clue: &Clue) -> Option<usize> {
        let groups = self.board.shape.groups();
        groups.iter().position(|group| {
            group.cells.len() == clue.cells.len()
                && group.cells.iter().all(|cell| clue.cells.contains(cell))
        })
    }

    /// Describes a sum that follows from cages and houses, as the header line of a clue.
    pub(super) fn sum_words(&self, clue: &Clue) -> String {
        let sum = clue.parts.iter().find_map(|part| match part {
            CluePart::Sum(_, sum) => Some(*sum),
            _ => None,
        });
        let names: Vec<String> = clue.cells.iter().map(|&cell| self.board.name(cell)).collect();
        let sum = sum.map_or_else(String::new, |sum| format!(" = {sum}"));
        format!("{RULE_OF_45}: {}{sum}", names.join(" "))
    }

    /// Names the cells whose digits are in the set of an item: the cells of the options that
    /// contain the item.
    fn cells_with(&self, item: ItemId) -> Vec<String> {
        let (problem, placements) = (&self.cover().problem, &self.cover().placements);
        let has = |option: &OptionId| problem.option(*option).iter().any(|entry| entry.item == item);
        let options = (0..placements.len()).map(OptionId::new).filter(has);
        let mut cells: Vec<usize> =
            options.map(|option| placements[option.index()].0 as usize).collect();
        cells.dedup();
        cells.into_iter().map(|cell| self.board.name(cell)).collect()
    }

    fn item_words(&self, item: ItemId, name: PartName<'_>) -> Option<ClueItem> {
        let (clue, part) = self.clue_of(name.number)?;
        let mut within = None;
        let words = match (name.letter, name.digit, part) {
            ('p', Some(digit), CluePart::Relate(one, other, _)) => {
                let (one, other) = (self.board.name(*one), self.board.name(*other));
                format!("{digit} in {one} beside {other} ({})", clue.short)
            }
            ('k', Some(digit), CluePart::Sum(..)) => {
                let cells = self.cells_with(item).join(" ");
                let words = format!("{digit} in {cells} ({})", clue.full);
                within = (!clue.name.contains(&cells)).then_some(cells);
                words
            }
            ('k' | 'x', Some(digit), _) => format!("{digit} in the {}", clue.short),
            ('k', None, CluePart::Set(..)) => format!("the digits of the {}", clue.full),
            _ => format!("the {}", clue.full),
        };
        let symbol = |digit: Digit| usize::try_from(digit - self.board.first).ok();
        let meaning = match (name.letter, name.digit.and_then(symbol), part) {
            ('k', Some(symbol), _) if clue.group.is_some() => ClueMeaning::Place(clue.group?, symbol),
            ('p', _, CluePart::Relate(one, other, _)) => ClueMeaning::Pair(*one, *other),
            ('k' | 'x', Some(symbol), _) => ClueMeaning::Symbol(symbol),
            _ => ClueMeaning::Whole,
        };
        let ClueName { rule, number, name, noun, .. } = clue;
        Some(ClueItem { rule, clue: Some(number), name, noun, words, part: within, meaning })
    }
}

impl SymbolGrid for Variant {
    fn as_digits(&self, limits: &Limits) -> Result<Option<&dyn DigitGrid>, Limit> {
        let built = budget::within(limits, || self.build_rules())?;
        Ok(built.expect(UNLIMITED).map(|_| self as &dyn DigitGrid))
    }

    fn as_ruled(&self) -> Option<&dyn RuledGrid> {
        (!self.placed.is_empty()).then_some(self as &dyn RuledGrid)
    }

    fn grid(&self) -> &Grid {
        &self.grid
    }

    fn picture_of(&self, grid: &Grid) -> Picture {
        self.sketched(grid)
    }

    fn placed_by(&self, option: OptionId) -> Option<(usize, usize)> {
        self.cover()
            .placements
            .get(option.index())
            .map(|&(cell, symbol)| (cell as usize, symbol as usize))
    }

    fn symbol_name(&self, symbol: usize) -> String {
        if let Some(presentation) = &self.presentation {
            return presentation.symbol(symbol);
        }
        match self.board.first {
            1 if self.is_plain() => {
                let character = self.grid.style.alphabet.character(symbol);
                character.map_or_else(|| (symbol + 1).to_string(), |character| character.to_string())
            }
            first => (first + symbol as Digit).to_string(),
        }
    }

    fn cell_name(&self, cell: usize) -> String {
        self.board.name(cell)
    }

    fn first_number(&self) -> usize {
        self.board.first as usize
    }

    fn clue_item(&self, item: ItemId) -> Option<ClueItem> {
        let name = self.cover().problem.item_name(item);
        if let Some(cell) = name.strip_prefix('v') {
            let words = format!("the digit of {cell}");
            let (rule, noun, meaning) = ("digit", "digit", ClueMeaning::Whole);
            let (clue, name, part) = (None, String::new(), None);
            return Some(ClueItem { rule, clue, name, noun, words, part, meaning });
        }
        self.item_words(item, part_name(name)?)
    }

    fn clue_option(&self, option: OptionId) -> Option<String> {
        // Describe only sets that belong to a whole clue, as the digits of a cage.
        let problem = &self.cover().problem;
        let names = problem.option(option).iter().map(|entry| problem.item_name(entry.item));
        let mut set = None;
        let mut missing = Vec::new();
        for name in names.filter_map(part_name) {
            match (name.letter, name.within, name.digit) {
                ('k', "", None) => set = Some(name.number),
                ('k', "", Some(digit)) => missing.push(digit),
                _ => return None,
            }
        }
        let (clue, part) = self.clue_of(set?)?;
        let CluePart::Set(..) = part else { return None };
        let digits = self.board.digits().filter(|digit| !missing.contains(digit));
        let digits: Vec<String> = digits.map(|digit| digit.to_string()).collect();
        Some(format!("{{{}}} in the {}", digits.join(" "), clue.short))
    }
}
