//! Steps that combine clues of a variant, as sentences: what follows if a conclusion were wrong,
//! and the clues that are used, each by its own name.
//!
//! A step of one truth and one link is a sentence of its own. For other sets, the options of the
//! truths are followed from the opposite of the conclusion: a truth with one option left takes it,
//! and the conclusion is proved when a truth has no option. Where that does not suffice, the
//! sentence only lists what needs and what is needed. A supposition has its consequences already.
//!
//! Bound: the truths of a step, each looked at once per truth that takes an option.

use std::cell::RefCell;

use dlx::explain::{Explainer, Inference, InferenceRule, Reason, Step as LogicStep, Supposition};
use dlx::{ItemId, OptionId};

use super::kinds::{ItemKind, ItemKinds};
use super::words::StepWords;
use puzzle::{ClueItem, ClueMeaning, SymbolGrid};
use techniques::join;

/// Something that follows, and the items that show it.
struct Consequence {
    said: Said,
    /// The item that has one option left, or whose options are all in a link.
    by: ItemId,
    /// The links that exclude its other options.
    links: Vec<ItemId>,
}

#[derive(Clone, Copy)]
enum Said {
    Chosen(OptionId),
    Excluded(OptionId),
    /// The item `by` has no option left.
    Failed,
}

/// Describes the reason of a step that uses clues; `None` if the step is no such step.
pub(super) fn reason(words: &StepWords<'_>, step: &LogicStep) -> Option<String> {
    let grid = words.puzzle.as_symbols()?;
    if !words.kinds.uses_clues(&step.reason) {
        return None;
    }
    let writer = SentenceWriter::new(words, grid, step);
    match &step.reason {
        Reason::Forced { item } => Some(writer.forced(*item)),
        Reason::Sets { truths, links } => {
            if let ([truth], [link]) = (truths.as_slice(), links.as_slice())
                && let Some(sentence) = writer.locked(*truth, *link)
            {
                return Some(sentence);
            }
            let told = |option: &&OptionId| grid.placed_by(**option).is_some();
            let fall = step.off.iter().find(told).or_else(|| step.off.first());
            let follow = fall
                .zip(words.explainer())
                .and_then(|(&fall, explainer)| Some((fall, follow(words, explainer, truths, fall)?)));
            Some(match follow {
                Some((fall, follow)) => writer.consequences(fall, &follow, step.off.len() > 1),
                None => writer.needs(truths, links),
            })
        }
        Reason::Supposition(supposition) => {
            let follow = consequences(words, supposition);
            Some(writer.consequences(supposition.option, &follow, false))
        }
        _ => None,
    }
}

fn clue_item(kinds: &ItemKinds, grid: &dyn SymbolGrid, item: ItemId) -> Option<ClueItem> {
    matches!(kinds.kind(item), ItemKind::Clue(..)).then(|| grid.clue_item(item))?
}

/// Returns the name of a clue that is shorter than its own and names no other of some clues.
fn short_name(item: &ClueItem, clues: &[ClueItem]) -> String {
    let first = |item: &ClueItem| {
        let text = item.name.strip_prefix(item.rule).unwrap_or(&item.name);
        text.split_whitespace().next().unwrap_or_default().to_owned()
    };
    let mut others = clues.iter().filter(|other| other.clue != item.clue && other.noun == item.noun);
    match others.clone().next() {
        None => format!("the {}", item.noun),
        Some(_) if others.all(|other| first(other) != first(item)) => {
            format!("the {} of {}", item.noun, first(item))
        }
        Some(_) => item.name.clone(),
    }
}

/// Follows the options of truths if `start` were chosen, up to a truth without options.
fn follow(
    words: &StepWords<'_>,
    explainer: &Explainer,
    truths: &[ItemId],
    start: OptionId,
) -> Option<Vec<Consequence>> {
    let problem = words.puzzle.problem();
    let mut chosen = vec![start];
    let mut found: Vec<(Consequence, Vec<usize>)> = Vec::new();
    let mut open: Vec<ItemId> = truths.to_vec();
    // Finds an item that two options share, preferably one of the grid.
    let clash = |one: OptionId, other: OptionId| {
        let mut shared = problem.option(one).iter().filter_map(|entry| {
            let twin = problem.option(other).iter().find(|twin| twin.item == entry.item)?;
            (entry.color.is_none() || entry.color != twin.color).then_some(entry.item)
        });
        let first = shared.next()?;
        let is_clue = |item: &ItemId| matches!(words.kinds.kind(*item), ItemKind::Clue(..));
        Some(std::iter::once(first).chain(shared).find(|item| !is_clue(item)).unwrap_or(first))
    };
    loop {
        let mut next: Option<(usize, Consequence, Vec<usize>)> = None;
        for (place, &by) in open.iter().enumerate() {
            let options: Vec<OptionId> = explainer.left_of(by).collect();
            if options.is_empty() || chosen.iter().any(|option| options.contains(option)) {
                continue;
            }
            let (mut left, mut links, mut uses) = (Vec::new(), Vec::new(), Vec::new());
            for option in options {
                let mut clashes = chosen.iter().enumerate();
                match clashes.find_map(|(number, &chosen)| Some((number, clash(option, chosen)?))) {
                    Some((number, link)) => {
                        links.push(link);
                        uses.push(number);
                    }
                    None => left.push(option),
                }
            }
            match left[..] {
                [] => {
                    next = Some((place, Consequence { said: Said::Failed, by, links }, uses));
                    break;
                }
                [only] if next.is_none() => {
                    next = Some((place, Consequence { said: Said::Chosen(only), by, links }, uses));
                }
                _ => {}
            }
        }
        let (place, consequence, uses) = next?;
        open.remove(place);
        let said = consequence.said;
        found.push((consequence, uses));
        match said {
            Said::Chosen(option) => chosen.push(option),
            _ => break,
        }
    }
    // Write only the consequences that the failure needs. Consequence n is the chosen option n + 1.
    let mut is_used = vec![false; found.len()];
    if let Some(last) = is_used.last_mut() {
        *last = true;
    }
    for number in (0..found.len()).rev() {
        if is_used[number] {
            let uses = found[number].1.iter().filter_map(|&used| used.checked_sub(1));
            uses.for_each(|used| is_used[used] = true);
        }
    }
    let used = found.into_iter().zip(is_used).filter(|(_, is_used)| *is_used);
    Some(used.map(|((consequence, _), _)| consequence).collect())
}

/// Returns the consequences of a supposition, each with the links that it rests on.
fn consequences(words: &StepWords<'_>, supposition: &Supposition) -> Vec<Consequence> {
    let problem = words.puzzle.problem();
    let inferences = &supposition.inferences;
    let has =
        |option: OptionId, item: ItemId| problem.option(option).iter().any(|entry| entry.item == item);
    let links_of = |item: ItemId, before: &[Inference]| {
        let of_item = before.iter().filter(|inference| !inference.is_on && has(inference.option, item));
        let links = of_item.filter_map(|inference| match inference.by {
            InferenceRule::Link(link) => Some(link),
            _ => None,
        });
        links.collect::<Vec<ItemId>>()
    };
    let mut found = Vec::new();
    for (number, inference) in inferences.iter().enumerate() {
        let before = &inferences[..number];
        match inference.by {
            InferenceRule::Truth(by) if inference.is_on => {
                let (said, links) = (Said::Chosen(inference.option), links_of(by, before));
                found.push(Consequence { said, by, links });
            }
            InferenceRule::Locked { truth, link } => {
                let said = Said::Excluded(inference.option);
                found.push(Consequence { said, by: truth, links: vec![link] });
            }
            _ => {}
        }
    }
    let by = supposition.conflict;
    found.push(Consequence { said: Said::Failed, by, links: links_of(by, inferences) });
    found
}

/// Writes the sentences of one step. A clue has its full name where it first occurs; after that it
/// is called by its noun, with its first cell if the step has other clues of that noun.
struct SentenceWriter<'t> {
    words: &'t StepWords<'t>,
    kinds: &'t ItemKinds,
    grid: &'t dyn SymbolGrid,
    /// The clues of the step, with the short names under which they occur again.
    clues: Vec<(usize, String)>,
    named: RefCell<Vec<usize>>,
}

impl<'t> SentenceWriter<'t> {
    fn new(words: &'t StepWords<'t>, grid: &'t dyn SymbolGrid, step: &LogicStep) -> Self {
        let mut items: Vec<ItemId> = Vec::new();
        match &step.reason {
            Reason::Forced { item } => items.push(*item),
            Reason::Sets { truths, links } => items.extend(truths.iter().chain(links)),
            Reason::Supposition(supposition) => {
                items.push(supposition.conflict);
                for inference in &supposition.inferences {
                    match inference.by {
                        InferenceRule::Truth(item) | InferenceRule::Link(item) => items.push(item),
                        InferenceRule::Locked { truth, link } => items.extend([truth, link]),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        let mut known: Vec<ClueItem> = Vec::new();
        for item in items.into_iter().filter_map(|item| clue_item(words.kinds, grid, item)) {
            if item.clue.is_some() && known.iter().all(|other| other.clue != item.clue) {
                known.push(item);
            }
        }
        let clues = known.iter().filter_map(|item| Some((item.clue?, short_name(item, &known))));
        let clues = clues.collect();
        Self { words, kinds: words.kinds, grid, clues, named: RefCell::default() }
    }

    /// Names the clue of an item, or the part of the clue that the item is about.
    fn clue(&self, item: &ClueItem) -> String {
        let Some(clue) = item.clue else { return item.words.clone() };
        let short = self.clues.iter().find(|(number, _)| *number == clue);
        let name = match short.filter(|_| self.named.borrow().contains(&clue)) {
            Some((_, short)) => short.clone(),
            None => {
                self.named.borrow_mut().push(clue);
                item.name.clone()
            }
        };
        match &item.part {
            Some(part) => format!("{part} ({name})"),
            None => name,
        }
    }

    fn symbol(&self, symbol: usize) -> String {
        self.grid.symbol_name(symbol)
    }

    fn clue_item(&self, item: ItemId) -> Option<ClueItem> {
        clue_item(self.kinds, self.grid, item)
    }

    fn house(&self, item: ItemId) -> Option<(String, usize)> {
        match self.kinds.kind(item) {
            ItemKind::Place(house, number, symbol) => Some((house.words(self.grid, number), symbol)),
            _ => None,
        }
    }

    fn forced(&self, item: ItemId) -> String {
        let Some(clue) = self.clue_item(item) else { return self.words.item(item) };
        let name = self.clue(&clue);
        match clue.meaning {
            ClueMeaning::Symbol(symbol) => {
                format!("{name} needs {}, which has one cell left there", self.symbol(symbol))
            }
            _ => format!("one way to satisfy {name} is left"),
        }
    }

    /// Describes a truth all of whose options are options of one link.
    fn locked(&self, truth: ItemId, link: ItemId) -> Option<String> {
        let (one, other) = (self.clue_item(truth), self.clue_item(link));
        Some(match (self.house(truth), one, self.house(link), other) {
            (Some((house, symbol)), None, None, Some(clue)) => {
                let ClueMeaning::Symbol(_) = clue.meaning else { return None };
                format!("In {house}, {} stands only in {}", self.symbol(symbol), self.clue(&clue))
            }
            (None, Some(clue), Some((house, symbol)), None) => {
                let ClueMeaning::Symbol(_) = clue.meaning else { return None };
                let name = self.clue(&clue);
                format!("{name} needs {}, which it has only in {house}", self.symbol(symbol))
            }
            (None, Some(one), None, Some(other)) => match (one.meaning, other.meaning) {
                (ClueMeaning::Symbol(symbol), ClueMeaning::Symbol(_)) => {
                    let (one, other) = (self.clue(&one), self.clue(&other));
                    format!("{one} needs {}, which it has only in {other}", self.symbol(symbol))
                }
                (ClueMeaning::Whole, ClueMeaning::Symbol(symbol)) if one.clue == other.clue => {
                    let name = self.clue(&other);
                    format!("no combination of digits left for {name} has {}", self.symbol(symbol))
                }
                (ClueMeaning::Symbol(symbol), ClueMeaning::Whole) if one.clue == other.clue => {
                    format!("no cell of {} can be {}", self.clue(&one), self.symbol(symbol))
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Describes what follows if `start` were chosen.
    fn consequences(&self, start: OptionId, follow: &[Consequence], has_others: bool) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut failed = String::new();
        // Options without words, such as partial sums, lend their clues to what follows from them.
        let mut lent: Vec<ItemId> = Vec::new();
        for Consequence { said, by, links } in follow {
            let links = [lent.as_slice(), links].concat();
            match *said {
                Said::Chosen(option) if self.words.is_told(option) => {
                    let why = self.why(*by, &links);
                    parts.push(format!("{} ({why})", self.words.on(option)));
                    lent.clear();
                }
                Said::Excluded(option) if self.words.is_told(option) => {
                    let why = self.why(*by, &links);
                    parts.push(format!("{} ({why})", self.words.off(option)));
                    lent.clear();
                }
                Said::Chosen(_) | Said::Excluded(_) => {
                    lent.push(*by);
                    lent.extend(links);
                }
                Said::Failed => failed = self.failure(*by, &links),
            }
        }
        let then =
            if parts.is_empty() { String::new() } else { format!("then {}; ", parts.join(", ")) };
        let rest = if has_others { "; so it is with the others" } else { "" };
        let (named, is_placed) = (self.words.on(start), self.grid.placed_by(start).is_some());
        let (suppose, mark) = if is_placed { ("If", ",") } else { ("Suppose", ":") };
        format!("{suppose} {named}{mark} {then}then {failed}{rest}")
    }

    /// Names what leaves one option for an item: the item itself, and the clues among the links.
    fn why(&self, by: ItemId, links: &[ItemId]) -> String {
        let first = match (self.kinds.kind(by), self.house(by), self.clue_item(by)) {
            (ItemKind::Cell(..), ..) => None,
            (_, Some((house, _)), _) => Some(house),
            (_, _, Some(clue)) => Some(self.clue(&clue)),
            _ => Some(self.words.item(by)),
        };
        let clues = self.clues_of(links, Some(by));
        let parts: Vec<String> = first.into_iter().chain(clues).collect();
        match parts.as_slice() {
            [] => "only candidate".to_owned(),
            _ => parts.join("; "),
        }
    }

    /// Returns the names of the clues of some items, without that of `known`.
    fn clues_of(&self, items: &[ItemId], known: Option<ItemId>) -> Vec<String> {
        let known = known.and_then(|item| self.clue_item(item)).and_then(|item| item.clue);
        let mut seen: Vec<Option<usize>> = vec![known, None];
        let mut names = Vec::new();
        for clue in items.iter().filter_map(|&item| self.clue_item(item)) {
            if !seen.contains(&clue.clue) {
                seen.push(clue.clue);
                names.push(self.clue(&ClueItem { part: None, ..clue }));
            }
        }
        names
    }

    fn failure(&self, item: ItemId, links: &[ItemId]) -> String {
        let mut clues = self.clues_of(links, Some(item));
        let failure = match (self.kinds.kind(item), self.house(item), self.clue_item(item)) {
            (ItemKind::Cell(row, column), ..) => {
                format!("r{}c{} has no candidate left", row + 1, column + 1)
            }
            (_, Some((house, symbol)), _) => {
                format!("{} has no place left in {house}", self.symbol(symbol))
            }
            (_, _, Some(clue)) => match clue.meaning {
                ClueMeaning::Symbol(symbol) => {
                    format!("{} has no place left for {}", self.clue(&clue), self.symbol(symbol))
                }
                ClueMeaning::Pair(one, other) => {
                    let cells = [one, other].map(|cell| self.grid.cell_name(cell)).join(" and ");
                    format!("{cells} break {}", self.clue(&clue))
                }
                ClueMeaning::Whole if clue.clue.is_none() => format!("{} is in doubt", clue.words),
                _ => format!("{} cannot be satisfied", self.clue(&clue)),
            },
            _ => format!("nothing is left for {}", self.words.item(item)),
        };
        clues.retain(|clue| !failure.contains(clue.as_str()));
        if clues.is_empty() { failure } else { format!("{failure} ({})", clues.join("; ")) }
    }

    /// Describes truths and links: what needs, and what is needed.
    fn needs(&self, truths: &[ItemId], links: &[ItemId]) -> String {
        let list = |items: &[ItemId]| {
            let names: Vec<String> = items.iter().map(|&item| self.phrase(item)).collect();
            join(&names.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let (needs, uses, count) = (list(truths), list(links), truths.len());
        let verb = if count == 1 { "takes" } else { "take" };
        match links.len().saturating_sub(count) {
            0 => format!("{needs} {verb} all of {uses}, so nothing else uses these"),
            spare => {
                format!(
                    "{needs} {verb} {count} of {uses}, so what uses more than {spare} of these falls"
                )
            }
        }
    }

    fn phrase(&self, item: ItemId) -> String {
        let Some(clue) = self.clue_item(item) else { return self.words.item(item) };
        match clue.meaning {
            ClueMeaning::Symbol(symbol) => format!("{} in {}", self.symbol(symbol), self.clue(&clue)),
            ClueMeaning::Pair(one, other) => {
                let cells = [one, other].map(|cell| self.grid.cell_name(cell)).join(" and ");
                format!("{cells} by {}", self.clue(&clue))
            }
            _ => format!("the combination of {}", self.clue(&clue)),
        }
    }
}
