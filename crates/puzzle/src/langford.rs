//! Langford pairs: each number from 1 to n occurs twice in a line of 2n slots, with i slots between
//! the two copies of i.
//!
//! An option puts the two copies of i into slots j and j + i + 1. It covers the primary items `i`
//! (every number is placed once), `sj` and `sk` (every slot holds one number). A solution and its
//! mirror image count as two solutions. Solutions exist only if n mod 4 is 0 or 3.
//!
//! A clue may be the first or the second copy of its number, so clues are not given options.
//! Instead, options that contradict a clue are omitted. To answer questions about single clues, the
//! problem is extended: each slot with a clue gets an additional item (`is3`) and one option per
//! number that states the number in that slot. A color makes this option agree with the pairs. The
//! clue is then a given option.
//!
//! Source: Knuth, TAOCP 7.2.2.1. Tried and dropped: other orders of the items (largest number
//! first: hardly fewer nodes; slots first: more nodes).

use std::sync::Arc;

use dlx::classes::Symmetry;
use dlx::{Entry, ItemId, Limit, Limits, OptionId, Problem, ProblemBuilder};

use super::{
    Cell, Divider, HeadKeys, Ink, Kind, Parameter, Picture, Puzzle, PuzzleSource, PuzzleTerms,
    SymmetrySort, TextLayout, TextSource, TextUnits, parse_size,
};
use text::{InputError, content_lines, end_error, is_content, whole_lines, words};

/// Largest number n, which needs 98,176 options.
const MAX_NUMBER: usize = 256;

/// The kind.
pub const KIND: Kind = Kind {
    name: "langford",
    summary: "two of each number 1 to n in a line, the two i's with i numbers between",
    parameter: Some(Parameter {
        meaning: "the greatest number",
        example: "7",
        make: |text, _, _| {
            let max = parse_size(text, "a greatest number", MAX_NUMBER)?;
            Ok(Box::new(Langford::new(&vec![None; 2 * max])))
        },
    }),
    source: PuzzleSource::Text(TextSource {
        example: "4 . . . . 4 . .\n",
        rules: "",
        extensions: &[],
        divider: Some(divider),
        several: None,
        recognizes,
        head: HeadKeys::Only(&[]),
        read: |text, _| Ok(Box::new(Langford::new(&read(text)?))),
    }),
};

#[derive(Debug)]
struct Langford {
    slot_count: usize,
    problem: Arc<Problem>,
    /// Number and first slot (from 0) of each option.
    placements: Vec<(usize, usize)>,
    clues: Vec<Option<usize>>,
    /// Number and slot of each option that states the number in a slot. These options follow the
    /// placements.
    said: Vec<(usize, usize)>,
    given: Vec<OptionId>,
}

impl Langford {
    fn new(slots: &[Option<usize>]) -> Self {
        const SOUND: &str = "a line has few enough items, each with a name of its own";
        let mut builder = ProblemBuilder::new();
        let numbers: Vec<ItemId> = (1..=slots.len() / 2)
            .map(|number| builder.primary(&number.to_string()).expect(SOUND))
            .collect();
        let items: Vec<ItemId> =
            (1..=slots.len()).map(|slot| builder.primary(&format!("s{slot}")).expect(SOUND)).collect();
        let mut clue_counts = vec![0; numbers.len() + 1];
        for number in slots.iter().flatten() {
            clue_counts[*number] += 1;
        }
        let mut placements = Vec::new();
        for (number, &item) in (1..).zip(&numbers) {
            for first in 0..slots.len().saturating_sub(number + 1) {
                let both = [first, first + number + 1];
                let holds = |clue| both.iter().filter(|&&slot| slots[slot] == clue).count();
                let clue_count = holds(Some(number));
                if clue_count == clue_counts[number] && clue_count + holds(None) == 2 {
                    builder.option([item, items[both[0]], items[both[1]]]).expect(SOUND);
                    placements.push((number, first));
                }
            }
        }
        let (problem, clues) = (Arc::new(builder.build()), slots.to_vec());
        let (said, given) = (Vec::new(), Vec::new());
        Self { slot_count: slots.len(), problem, placements, clues, said, given }
    }

    /// Builds the same puzzle with its clues as given options.
    fn opened(&self) -> Self {
        const SOUND: &str = "a line has few enough items, each with a name of its own";
        let (slots, max) = (self.slot_count, self.slot_count / 2);
        let mut builder = ProblemBuilder::new();
        let numbers: Vec<ItemId> =
            (1..=max).map(|number| builder.primary(&number.to_string()).expect(SOUND)).collect();
        let items: Vec<ItemId> =
            (1..=slots).map(|slot| builder.primary(&format!("s{slot}")).expect(SOUND)).collect();
        let clues = || self.clues.iter().enumerate().filter_map(|(slot, clue)| Some((slot, (*clue)?)));
        let told: Vec<ItemId> = clues()
            .map(|(slot, _)| builder.primary(&format!("is{}", slot + 1)).expect(SOUND))
            .collect();
        // For each slot with a clue, the secondary item whose color is the number in that slot.
        let mut stands: Vec<Option<ItemId>> = vec![None; slots];
        for (slot, _) in clues() {
            stands[slot] = Some(builder.secondary(&format!("n{}", slot + 1)).expect(SOUND));
        }
        let colors: Vec<_> =
            (1..=max).map(|number| builder.color(&number.to_string()).expect(SOUND)).collect();
        let mut placements = Vec::new();
        for (number, &item) in (1..).zip(&numbers) {
            for first in 0..slots.saturating_sub(number + 1) {
                let both = [first, first + number + 1];
                let colored =
                    both.iter().filter_map(|&slot| Some(stands[slot]?.with(colors[number - 1])));
                let entries = [item, items[both[0]], items[both[1]]].into_iter().map(Entry::from);
                builder.option(entries.chain(colored)).expect(SOUND);
                placements.push((number, first));
            }
        }
        let (mut said, mut given) = (Vec::new(), Vec::new());
        for ((slot, clue), &item) in clues().zip(&told) {
            for number in 1..=max {
                let color = stands[slot].map(|stands| stands.with(colors[number - 1]));
                let option = builder.option([Entry::from(item)].into_iter().chain(color)).expect(SOUND);
                said.push((number, slot));
                if number == clue {
                    given.push(option);
                }
            }
        }
        let (problem, clues) = (Arc::new(builder.build()), self.clues.clone());
        Self { slot_count: slots, problem, placements, clues, said, given }
    }
}

impl Langford {
    fn slots(&self, cover: &[OptionId]) -> Vec<usize> {
        let mut slots = vec![0; self.slot_count];
        for option in cover {
            let Some(&(number, first)) = self.placements.get(option.index()) else {
                let (number, slot) = self.said[option.index() - self.placements.len()];
                slots[slot] = number;
                continue;
            };
            slots[first] = number;
            slots[first + number + 1] = number;
        }
        slots
    }
}

impl Puzzle for Langford {
    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn with_open_clues(&self, _: &Limits) -> Result<Option<Box<dyn Puzzle>>, Limit> {
        let has_clues = self.given.is_empty() && self.clues.iter().any(Option::is_some);
        Ok(has_clues.then(|| Box::new(self.opened()) as Box<dyn Puzzle>))
    }

    fn show(&self, cover: &[OptionId], _number: u64, out: &mut String) {
        let words: Vec<String> = self.slots(cover).iter().map(ToString::to_string).collect();
        out.push_str(&words.join(" "));
        out.push('\n');
    }

    fn layout(&self) -> TextLayout<'_> {
        TextLayout::new(TextUnits::Numbers, true)
    }

    fn symmetries(&self, wanted: SymmetrySort) -> Option<Vec<Symmetry>> {
        if wanted == SymmetrySort::Rotations {
            return Some(Vec::new());
        }
        let mirrored = self.placements.iter().map(|&(number, first)| {
            let mirrored = (number, self.slot_count - number - 2 - first);
            self.placements.binary_search(&mirrored).ok().map(OptionId::new)
        });
        Some(mirrored.collect::<Option<_>>().and_then(Symmetry::new).into_iter().collect())
    }

    fn picture(&self, cover: &[OptionId]) -> Option<Picture> {
        let mut picture = Picture::new();
        for (place, number) in self.slots(cover).into_iter().enumerate() {
            let number = self.clues[place].unwrap_or(number);
            let cell = Cell::in_region(place);
            let cell = if number > 0 { cell.text(number.to_string()).color(number) } else { cell };
            picture.set(0, place, cell.given(self.clues[place].is_some()));
        }
        Some(picture)
    }

    fn terms(&self) -> &dyn PuzzleTerms {
        self
    }
}

impl PuzzleTerms for Langford {
    fn option_words(&self, option: OptionId) -> String {
        match self.placements.get(option.index()) {
            Some(&(number, first)) => format!("{number} in {} and {}", first + 1, first + number + 2),
            None => {
                let (number, slot) = self.said[option.index() - self.placements.len()];
                format!("{number} in {}", slot + 1)
            }
        }
    }

    fn item_words(&self, item: ItemId) -> Option<String> {
        let max = self.slot_count / 2;
        match item.index() {
            number if number < max => Some(format!("number {}", number + 1)),
            slot if slot < max + self.slot_count => Some(format!("slot {}", slot - max + 1)),
            // The item `is3` stands for the number in slot 3.
            _ => Some(format!("slot {}", self.problem.item_name(item).strip_prefix("is")?)),
        }
    }

    fn value_words(&self, option: OptionId, item: ItemId) -> String {
        match self.placements.get(option.index()) {
            Some(&(number, first)) if item.index() < self.slot_count / 2 => {
                format!("{} and {}", first + 1, first + number + 2)
            }
            Some((number, _)) => number.to_string(),
            None => self.option_words(option),
        }
    }

    fn picture_beside(&self, cover: &[OptionId], common: &[OptionId]) -> Option<Picture> {
        let mut picture = self.picture(cover)?;
        for (place, number) in self.slots(common).into_iter().enumerate().filter(|(_, it)| *it > 0) {
            let cell = Cell::in_region(place).text(number.to_string()).fill(Ink::Gray);
            picture.set(0, place, cell.given(self.clues[place].is_some()));
        }
        Some(picture)
    }
}

fn divider() -> Divider {
    let mut is_begun = false;
    Box::new(move |line| is_content(line) && std::mem::replace(&mut is_begun, true))
}

/// Returns whether the lines of the text can be no other puzzle: a single line, or several lines
/// without an empty slot.
///
/// A line with a square number of slots may be a grid, unless all slots are filled.
fn recognizes(sample: &str) -> bool {
    let mut lines = content_lines(whole_lines(sample)).map(|(_, line)| read(line).ok());
    let Some(Some(slots)) = lines.next() else { return false };
    let mut others = lines.peekable();
    if others.peek().is_some() {
        let is_solution = |slots: Vec<Option<usize>>| !slots.contains(&None) && is_sound(&slots);
        return is_solution(slots) && others.all(|slots| slots.is_some_and(is_solution));
    }
    let root = slots.len().isqrt();
    if root * root == slots.len() && slots.contains(&None) {
        return false;
    }
    is_sound(&slots)
}

/// Returns whether some slots hold numbers, and any two equal numbers have the right distance.
fn is_sound(slots: &[Option<usize>]) -> bool {
    let mut clues =
        slots.iter().enumerate().filter_map(|(slot, clue)| clue.map(|n| (slot, n))).peekable();
    clues.peek().is_some()
        && clues.all(|(slot, number)| {
            slots.iter().enumerate().all(|(other, &clue)| {
                clue != Some(number) || other == slot || other.abs_diff(slot) == number + 1
            })
        })
}

/// Reads a line of 2n slots. A slot is a number, `.` or `0`. Spaces separate the slots or, for n up
/// to 9, each slot is one character.
fn read(text: &str) -> Result<Vec<Option<usize>>, InputError> {
    let mut lines = content_lines(text);
    let Some((line_number, line)) = lines.next() else {
        return Err(end_error(text, "a line of slots"));
    };
    let error = |start, message: String| InputError::at(line_number, line, start, message);
    let mut slots: Vec<(usize, &str)> = words(line).take(2 * MAX_NUMBER + 1).collect();
    if let [(start, word)] = slots[..] {
        let places = word.char_indices();
        slots = places.map(|(i, c)| (start + i, &word[i..i + c.len_utf8()])).collect();
        if slots.len() > 18 {
            let found = slots.len();
            let message = format!("expected blanks between more than 18 slots, found {found} slots");
            return Err(error(start, message));
        }
    }
    let start = slots[0].0;
    if slots.len() > 2 * MAX_NUMBER {
        return Err(error(start, format!("expected at most {} slots, found more", 2 * MAX_NUMBER)));
    }
    let max = slots.len() / 2;
    if slots.len() % 2 == 1 {
        return Err(error(start, format!("expected an even number of slots, found {}", slots.len())));
    }
    if let Some((line_number, line)) = lines.next() {
        let (start, word) = words(line).next().unwrap_or((0, line));
        let message = format!("expected one line of slots, found a second line with `{word}`");
        return Err(InputError::at(line_number, line, start, message));
    }
    let slot = |(start, word): (usize, &str)| {
        if word == "." || word == "0" {
            return Ok(None);
        }
        let number = word.parse().ok().filter(|number| (1..=max).contains(number));
        let message = || format!("expected a number from 1 to {max}, `.` or `0`, found `{word}`");
        number.map(Some).ok_or_else(|| error(start, message()))
    };
    slots.into_iter().map(slot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_round_trip;

    fn check(text: &str, expected: usize) {
        check_round_trip(text, expected, |text| Langford::new(&read(text).unwrap()));
    }

    fn check_error(text: &str, expected: &str) {
        assert_eq!(read(text).unwrap_err().to_string(), expected, "{text}");
    }

    #[test]
    fn langford_problems_have_the_known_solution_counts() {
        // The known counts include mirror images.
        let known = [0, 0, 2, 2, 0, 0, 52, 300, 0, 0, 35584];
        for (n, count) in (1..).zip(known) {
            check(&". ".repeat(2 * n), count);
        }
    }

    #[test]
    fn a_clue_may_be_the_first_or_the_second_copy_of_its_number() {
        check("......", 2);
        check("3.....", 1);
        check(".....3", 1);
        check("0 0 1 0 1 0", 1);
        check("..1.1.", 1);
        check("..11..", 0);
        check("111...", 0);
        check("# a head\n\n4 1 3 1 2 4 3 2\r\n", 1);
    }

    #[test]
    fn every_error_in_a_line_of_slots_has_a_position() {
        check_error("# a\n", "2:1: expected a line of slots, found the end of the text");
        check_error(" 1 2 3", "1:2: expected an even number of slots, found 3");
        check_error("...4..", "1:4: expected a number from 1 to 3, `.` or `0`, found `4`");
        check_error(". é", "1:3: expected a number from 1 to 1, `.` or `0`, found `é`");
        check_error("..\n ..", "2:2: expected one line of slots, found a second line with `..`");
        let long = ".".repeat(20);
        check_error(&long, "1:1: expected blanks between more than 18 slots, found 20 slots");
        check_error(&". ".repeat(514), "1:1: expected at most 512 slots, found more");
    }
}
