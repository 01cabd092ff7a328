//! Names of steps, as Sudoku solvers use them. A name depends on the kinds of the step's truths and
//! links.
//!
//! The names follow HoDoKu and the Sudoku wikis. A step without a name is described by its numbers
//! of truths and links.

use std::collections::BTreeSet;

use dlx::ItemId;
use dlx::explain::{Explainer, InferenceRule, Reason, Step};

use super::kinds::{HouseKind, ItemKind, ItemKinds};

pub(super) fn name(step: &Step, kinds: &ItemKinds, explainer: &Explainer) -> String {
    match &step.reason {
        Reason::Forced { .. } if fills_house(step, kinds, explainer) => "full house".to_owned(),
        Reason::Forced { item } => forced(*item, kinds).to_owned(),
        Reason::Sets { truths, links } => {
            let sets = NamedSets::new(truths, links, kinds, explainer);
            sets.name().unwrap_or_else(|| counted(truths.len(), links.len()))
        }
        Reason::Supposition(supposition) => {
            let rules = supposition.inferences.iter().map(|inference| inference.by);
            let has_locked = rules.clone().any(|rule| matches!(rule, InferenceRule::Locked { .. }));
            if has_locked { "forcing net with locked candidates" } else { "forcing net" }.to_owned()
        }
        Reason::Split { .. } => "case split".to_owned(),
        _ => "step".to_owned(),
    }
}

fn forced(item: ItemId, kinds: &ItemKinds) -> &'static str {
    match kinds.kind(item) {
        ItemKind::Cell(..) => "naked single",
        ItemKind::Place(..) => "hidden single",
        ItemKind::Clue(rule, _) => rule,
        ItemKind::Other => "forced",
    }
}

fn fills_house(step: &Step, kinds: &ItemKinds, explainer: &Explainer) -> bool {
    let items = step.on.iter().flat_map(|&option| explainer.items_of(option));
    let mut houses = items.filter_map(|item| kinds.house(item));
    houses.any(|house| {
        let open = kinds.items_of(house).filter(|&item| explainer.left_of(item).next().is_some());
        open.count() == 1
    })
}

fn counted(truths: usize, links: usize) -> String {
    let plural =
        |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let rank = links as i64 - truths as i64;
    format!("{}, {}, rank {rank}", plural(truths, "truth"), plural(links, "link"))
}

const SUBSETS: [&str; 3] = ["pair", "triple", "quadruple"];
const FISH: [&str; 3] = ["X-wing", "swordfish", "jellyfish"];

struct NamedSets<'s> {
    truths: Vec<ItemKind>,
    links: Vec<ItemKind>,
    /// For each truth, its number of remaining options.
    sizes: Vec<usize>,
    truth_items: &'s [ItemId],
    link_items: &'s [ItemId],
    kinds: &'s ItemKinds,
    explainer: &'s Explainer,
}

impl<'s> NamedSets<'s> {
    fn new(
        truths: &'s [ItemId],
        links: &'s [ItemId],
        kinds: &'s ItemKinds,
        explainer: &'s Explainer,
    ) -> Self {
        let of = |items: &[ItemId]| items.iter().map(|&item| kinds.kind(item)).collect();
        Self {
            truths: of(truths),
            links: of(links),
            sizes: truths.iter().map(|&truth| explainer.left_of(truth).count()).collect(),
            truth_items: truths,
            link_items: links,
            kinds,
            explainer,
        }
    }

    fn name(&self) -> Option<String> {
        let all = self.truths.iter().chain(&self.links);
        if let Some(rules) = self.rules() {
            return Some(rules);
        }
        if !self.kinds.is_grid || all.clone().any(|kind| *kind == ItemKind::Other) {
            return self.locked_of_any_kind();
        }
        let rank = self.links.len() - self.truths.len().min(self.links.len());
        let found = match (self.truths.len(), rank) {
            (1, 0) => self.locked(),
            (_, 0) => {
                let subset = self.subset().or_else(|| self.fish());
                subset.or_else(|| self.almost_locked()).or_else(|| self.ring())
            }
            (_, 1) => self.one_digit().or_else(|| self.wing()).or_else(|| self.chain()),
            _ => None,
        };
        found.map(str::to_owned)
    }

    fn rules(&self) -> Option<String> {
        let all = self.truths.iter().chain(&self.links);
        let of_clues = all.filter_map(|kind| match kind {
            ItemKind::Clue(rule, _) => Some(*rule),
            _ => None,
        });
        let rules: BTreeSet<&str> = of_clues.collect();
        let names: Vec<&str> = rules.into_iter().collect();
        (!names.is_empty()).then(|| names.join(" and "))
    }

    fn locked_of_any_kind(&self) -> Option<String> {
        (self.truths.len() == 1 && self.links.len() == 1).then(|| "locked".to_owned())
    }

    fn locked(&self) -> Option<&'static str> {
        Some(match (self.truths[0], self.links[0]) {
            (ItemKind::Place(HouseKind::Region, ..), ItemKind::Place(house, ..)) if house.is_line() => {
                "pointing"
            }
            (ItemKind::Place(house, ..), ItemKind::Place(HouseKind::Region, ..)) if house.is_line() => {
                "claiming"
            }
            _ => "locked candidates",
        })
    }

    /// Names n cells of a house with only n symbols, or n symbols of a house with only n cells.
    fn subset(&self) -> Option<&'static str> {
        const NAKED: [&str; 3] = ["naked pair", "naked triple", "naked quadruple"];
        const HIDDEN: [&str; 3] = ["hidden pair", "hidden triple", "hidden quadruple"];
        const LOCKED: [&str; 2] = ["locked pair", "locked triple"];
        let size = self.truths.len().checked_sub(2).filter(|&size| size < SUBSETS.len())?;
        let (cells, names, is_naked) = match (&self.truths, &self.links) {
            (cells, symbols) if all_cells(cells) && are_symbols(symbols) => {
                (self.truth_items, NAKED, true)
            }
            (symbols, cells) if all_cells(cells) && are_symbols(symbols) => {
                (self.link_items, HIDDEN, false)
            }
            _ => return None,
        };
        let houses = self.houses_of(cells);
        let is_locked = is_naked && cells.len() < 4 && share_box_and_line(&houses);
        let names = if is_locked { &LOCKED[..] } else { &names[..] };
        names.get(size).copied().filter(|_| !houses.is_empty())
    }

    fn houses_of(&self, cells: &[ItemId]) -> BTreeSet<(HouseKind, usize)> {
        let of = |&cell: &ItemId| {
            let options = self.explainer.left_of(cell).take(1);
            let items = options.flat_map(|option| self.explainer.items_of(option));
            items.filter_map(|item| self.kinds.house(item)).collect::<BTreeSet<_>>()
        };
        let common =
            cells.iter().map(of).reduce(|one, other| one.intersection(&other).copied().collect());
        common.unwrap_or_default()
    }

    /// Names a fish: for one symbol, all positions in n base lines or boxes lie in n other lines or
    /// boxes.
    fn fish(&self) -> Option<&'static str> {
        const FRANKEN: [&str; 3] = ["franken X-wing", "franken swordfish", "franken jellyfish"];
        const MUTANT: [&str; 3] = ["mutant X-wing", "mutant swordfish", "mutant jellyfish"];
        let size = self.truths.len().checked_sub(2).filter(|&size| size < FISH.len())?;
        one_symbol(self.truths.iter().chain(&self.links))?;
        let (bases, covers) = (houses(&self.truths), houses(&self.links));
        let has = |set: &BTreeSet<HouseKind>, house| set.contains(&house);
        let crosses = |one: HouseKind, other: HouseKind| {
            !has(&bases, other) && !has(&covers, one) && has(&bases, one) | has(&covers, other)
        };
        let is_crossing =
            crosses(HouseKind::Row, HouseKind::Column) || crosses(HouseKind::Column, HouseKind::Row);
        let has_box = has(&bases, HouseKind::Region) || has(&covers, HouseKind::Region);
        Some(match (is_crossing, has_box) {
            (true, false) => FISH[size],
            (true, true) => FRANKEN[size],
            (false, _) => MUTANT[size],
        })
    }

    /// Names almost locked candidates. The truths are n symbols of one house, and n - 1 cells with
    /// only these symbols. The links are the same symbols in another house, and n - 1 cells.
    fn almost_locked(&self) -> Option<&'static str> {
        const NAMES: [&str; 2] = ["almost locked pair", "almost locked triple"];
        let [truths, links] = [&self.truths, &self.links].map(|kinds| {
            let places = kinds.iter().filter_map(|kind| match *kind {
                ItemKind::Place(house, number, symbol) => Some(((house, number), symbol)),
                _ => None,
            });
            let (houses, symbols): (BTreeSet<_>, BTreeSet<_>) = places.unzip();
            let cells = kinds.iter().filter(|kind| matches!(kind, ItemKind::Cell(..))).count();
            (houses, symbols, cells)
        });
        let (houses, symbols, cells) = &truths;
        let is_half = |(houses, others, count): &(BTreeSet<_>, BTreeSet<usize>, usize)| {
            houses.len() == 1 && others == symbols && *count + 1 == symbols.len()
        };
        let cell_items = self.truth_items.iter().zip(&self.truths);
        let mut cell_items = cell_items.filter(|(_, kind)| matches!(kind, ItemKind::Cell(..)));
        let is_named = is_half(&truths)
            && is_half(&links)
            && *houses != links.0
            && self.truths.len() == cells + symbols.len()
            && cell_items.all(|(&cell, _)| self.symbols_of(cell).is_subset(symbols));
        is_named.then(|| NAMES.get(symbols.len().wrapping_sub(2)).copied())?
    }

    /// Names a step with equally many truths and links, where each link joins two truths.
    fn ring(&self) -> Option<&'static str> {
        let is_ring = self.link_items.iter().all(|&link| self.truths_in(link) == 2);
        let cells = all_cells(&self.truths);
        if is_ring {
            let are_strong = self.sizes.iter().all(|&size| size == 2);
            return Some(if are_strong { "continuous loop" } else { "grouped continuous loop" });
        }
        (cells && self.link_items.len() <= 6).then_some("Sue de Coq")
    }

    fn truths_in(&self, link: ItemId) -> usize {
        let has = |truth: ItemId| {
            let mut options = self.explainer.left_of(truth);
            options.any(|option| self.explainer.items_of(option).any(|item| item == link))
        };
        self.truth_items.iter().filter(|&&truth| has(truth)).count()
    }

    /// Names a step on one symbol with one more link than truths.
    fn one_digit(&self) -> Option<&'static str> {
        const FINNED: [&str; 3] = ["finned X-wing", "finned swordfish", "finned jellyfish"];
        const SASHIMI: [&str; 3] = ["sashimi X-wing", "sashimi swordfish", "sashimi jellyfish"];
        one_symbol(self.truths.iter().chain(&self.links))?;
        let bases = houses(&self.truths);
        let are_strong = self.sizes.iter().all(|&size| size == 2);
        let are_parallel = bases.len() == 1 && bases.iter().all(|house| house.is_line());
        if self.truths.len() == 2 && are_strong && are_parallel {
            return Some("skyscraper");
        }
        if self.truths.len() == 2 && are_strong && bases == [HouseKind::Row, HouseKind::Column].into() {
            return Some("two-string kite");
        }
        if self.truths.len() == 2 && bases.contains(&HouseKind::Region) && bases.len() == 2 {
            let place = self.truths.iter().position(|kind| is_house(*kind, HouseKind::Region))?;
            return Some(if self.sizes[place] == 2 { "turbot fish" } else { "empty rectangle" });
        }
        if are_parallel && !are_strong {
            let names = if self.is_sashimi() { SASHIMI } else { FINNED };
            return self.truths.len().checked_sub(2).and_then(|more| names.get(more)).copied();
        }
        Some(if are_strong { "X-chain" } else { "grouped X-chain" })
    }

    /// Returns whether, in some base line, the symbol has only one position outside the fin. The
    /// fin is the link that is a box.
    fn is_sashimi(&self) -> bool {
        let boxes = self.link_items.iter().zip(&self.links);
        let Some((&fin, _)) = boxes.into_iter().find(|(_, kind)| is_house(**kind, HouseKind::Region))
        else {
            return false;
        };
        self.truth_items.iter().any(|&truth| {
            let outside = self.explainer.left_of(truth).filter(|&option| {
                let mut items = self.explainer.items_of(option);
                let lines = |item: ItemId| self.link_items.contains(&item) && item != fin;
                items.any(lines)
            });
            outside.count() == 1
        })
    }

    fn wing(&self) -> Option<&'static str> {
        let cells = all_cells(&self.truths);
        let threes = self.sizes.iter().filter(|&&size| size == 3).count();
        let twos = self.sizes.iter().filter(|&&size| size == 2).count();
        match self.truths.len() {
            3 if cells && twos == 3 => Some("XY-wing"),
            3 if cells && (twos, threes) == (2, 1) => Some("XYZ-wing"),
            3 if twos == 3 && self.is_w_wing() => Some("W-wing"),
            4 if cells && twos == 3 && self.sizes.contains(&4) => Some("WXYZ-wing"),
            _ => None,
        }
    }

    /// Returns whether two cells have the same two symbols. The third truth, a house with two
    /// positions of one of them, joins the cells.
    fn is_w_wing(&self) -> bool {
        let cells = self.truth_items.iter().zip(&self.truths);
        let cells: Vec<ItemId> = cells
            .filter(|(_, kind)| matches!(kind, ItemKind::Cell(..)))
            .map(|(item, _)| *item)
            .collect();
        cells.len() == 2 && self.symbols_of(cells[0]) == self.symbols_of(cells[1])
    }

    fn symbols_of(&self, cell: ItemId) -> BTreeSet<usize> {
        let options = self.explainer.left_of(cell);
        let items = options.flat_map(|option| self.explainer.items_of(option));
        let symbols = items.filter_map(|item| match self.kinds.kind(item) {
            ItemKind::Place(_, _, symbol) => Some(symbol),
            _ => None,
        });
        symbols.collect()
    }

    fn chain(&self) -> Option<&'static str> {
        let cells = all_cells(&self.truths);
        let are_strong = self.sizes.iter().all(|&size| size == 2);
        if cells && are_strong {
            let first = self.symbols_of(self.truth_items[0]);
            let is_remote = self.truth_items.iter().all(|&cell| self.symbols_of(cell) == first);
            return Some(if is_remote { "remote pair" } else { "XY-chain" });
        }
        if cells {
            return Some(if self.truths.len() <= 5 { "ALS-XZ" } else { "ALS chain" });
        }
        Some(if are_strong { "AIC" } else { "grouped AIC" })
    }
}

fn all_cells(kinds: &[ItemKind]) -> bool {
    kinds.iter().all(|kind| matches!(kind, ItemKind::Cell(..)))
}

fn are_symbols(kinds: &[ItemKind]) -> bool {
    let mut seen = BTreeSet::new();
    kinds.iter().all(|kind| matches!(kind, ItemKind::Place(_, _, symbol) if seen.insert(*symbol)))
}

fn share_box_and_line(houses: &BTreeSet<(HouseKind, usize)>) -> bool {
    let has = |wanted: fn(HouseKind) -> bool| houses.iter().any(|&(house, _)| wanted(house));
    has(|house| house == HouseKind::Region) && has(HouseKind::is_line)
}

fn is_house(kind: ItemKind, wanted: HouseKind) -> bool {
    matches!(kind, ItemKind::Place(house, ..) if house == wanted)
}

fn one_symbol<'k>(kinds: impl Iterator<Item = &'k ItemKind>) -> Option<usize> {
    let mut symbols = kinds.map(|kind| match kind {
        ItemKind::Place(_, _, symbol) => Some(*symbol),
        _ => None,
    });
    let first = symbols.next()??;
    symbols.all(|symbol| symbol == Some(first)).then_some(first)
}

fn houses(kinds: &[ItemKind]) -> BTreeSet<HouseKind> {
    let of = |kind: &ItemKind| match kind {
        ItemKind::Place(house, ..) => Some(*house),
        _ => None,
    };
    kinds.iter().filter_map(of).collect()
}
