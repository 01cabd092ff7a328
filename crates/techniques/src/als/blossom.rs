//! Death blossom: a cell, and an almost locked set for each of its candidates.

use limits::Limit;

use super::chains::gone;
use super::sets::{Sets, ones};
use super::{is_bent, new_step, tell_set};
use crate::bits::{Cells, Digits};
use crate::board::Candidate;
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::Technique;
use crate::words::Words;

/// Most candidates of the stem. A stem with two is an ALS-XY-wing.
pub(super) const PETALS_MAX: usize = 5;

/// Fewest candidates of the stem.
const PETALS_MIN: usize = 3;

/// Score of each petal after the third, in tenths.
const PETAL: u32 = 1;

pub(super) static BLOSSOM: Technique = Technique {
    name: "death blossom",
    score: 78,
    summary: "For each candidate of a cell, the stem, an almost locked set has it only in cells that see \
              the stem. One of these sets has z, so what sees all z of all sets is eliminated.",
    is_uniqueness: false,
    tell,
};

pub(super) fn find(search: &mut Search<'_>, sets: &Sets<'_>) -> Result<(), Limit> {
    let board = search.board();
    for stem in board.open().iter() {
        let marks = board.marks(stem);
        let score = BLOSSOM.score + PETAL * marks.len().saturating_sub(PETALS_MIN) as u32;
        if (PETALS_MIN..=PETALS_MAX).contains(&marks.len()) && search.wants(score) {
            search.spend(3_000)?;
            find_stem(search, sets, stem, score)?;
        }
    }
    Ok(())
}

/// A way to lose a target digit: a place of that digit.
#[derive(Clone, Copy)]
struct Petal {
    place: usize,
    targets: Cells,
}

fn find_stem(search: &mut Search<'_>, sets: &Sets<'_>, stem: usize, score: u32) -> Result<(), Limit> {
    let board = search.board();
    let marks = board.marks(stem);
    let seen = board.layout().peers(stem);
    let width = sets.places.len().div_ceil(64);
    // For each candidate, the places that hold their digits if the candidate stands in the stem.
    let held: Vec<Vec<u64>> = marks
        .iter()
        .map(|digit| {
            let mut held = vec![0; width];
            for place in ones(&sets.of_digit[digit]) {
                if sets.places[place].cells.is_within(seen) {
                    for rows in [&sets.strong, &sets.strong_single] {
                        held.iter_mut().zip(rows.row(place)).for_each(|(to, from)| *to |= from);
                    }
                }
            }
            held
        })
        .collect();
    for target in (board.layout().digits() - marks).iter() {
        let mut petals: Vec<Vec<Petal>> = Vec::new();
        let mut region = board.spots(target);
        for held in &held {
            let of_digit = &sets.of_digit[target];
            let both: Vec<u64> = held.iter().zip(of_digit).map(|(a, b)| a & b).collect();
            let all = ones(&both).map(|place| Petal { place, targets: sets.places[place].targets });
            let all: Vec<Petal> = all.filter(|petal| petal.targets.meets(region)).collect();
            region &= all.iter().fold(Cells::NONE, |all, petal| all | petal.targets);
            if region.is_empty() {
                break;
            }
            petals.push(all);
        }
        if region.is_empty() {
            continue;
        }
        petals.iter_mut().for_each(|all| {
            all.iter_mut().for_each(|petal| petal.targets &= region);
            keep_largest(all);
        });
        choose(search, sets, stem, score, &petals, region, &mut Vec::new())?;
    }
    Ok(())
}

/// Keeps the petals with targets that are not part of the targets of another one.
fn keep_largest(petals: &mut Vec<Petal>) {
    let all = petals.clone();
    petals.retain(|petal| {
        !petal.targets.is_empty()
            && !all
                .iter()
                .any(|other| petal.targets != other.targets && petal.targets.is_within(other.targets))
    });
}

/// Chooses a petal for each candidate in turn, while there are common targets.
fn choose(
    search: &mut Search<'_>,
    sets: &Sets<'_>,
    stem: usize,
    score: u32,
    petals: &[Vec<Petal>],
    region: Cells,
    chosen: &mut Vec<usize>,
) -> Result<(), Limit> {
    search.spend(50)?;
    let Some(next) = petals.get(chosen.len()) else {
        return choose_sets(search, sets, stem, score, chosen, &mut Vec::new());
    };
    for petal in next {
        let region = region & petal.targets;
        if !region.is_empty() {
            chosen.push(petal.place);
            choose(search, sets, stem, score, petals, region, chosen)?;
            chosen.pop();
        }
    }
    Ok(())
}

/// Chooses a set for each petal in turn, and offers the step.
fn choose_sets(
    search: &mut Search<'_>,
    sets: &Sets<'_>,
    stem: usize,
    score: u32,
    places: &[usize],
    chosen: &mut Vec<usize>,
) -> Result<(), Limit> {
    search.spend(100)?;
    let board = search.board();
    let marks = board.marks(stem);
    let Some(digit) = marks.iter().nth(chosen.len()) else {
        offer(search, sets, stem, score, chosen);
        return Ok(());
    };
    for &set in &sets.sets_of[places[chosen.len()]] {
        let set = usize::from(set);
        let is_lost = sets.list[set].digits.has(digit)
            && sets.spots(set, digit).is_within(board.layout().peers(stem));
        if is_lost && !chosen.contains(&set) {
            chosen.push(set);
            choose_sets(search, sets, stem, score, places, chosen)?;
            chosen.pop();
        }
    }
    Ok(())
}

fn offer(search: &mut Search<'_>, sets: &Sets<'_>, stem: usize, score: u32, petals: &[usize]) {
    let board = search.board();
    let marks = board.marks(stem);
    let stem = Cells::one(stem);
    if !search.wants(score) || is_bent(sets, petals, stem) {
        return;
    }
    let shared = petals.iter().fold(board.layout().digits(), |all, &set| all & sets.list[set].digits);
    let mut removed = Vec::new();
    for digit in (shared - marks).iter() {
        let targets = petals
            .iter()
            .fold(board.spots(digit), |all, &set| all & sets.places[sets.place(set, digit)].targets);
        removed.extend(targets.iter().map(|cell| Candidate { cell, digit }));
    }
    removed.sort_unstable();
    let mut step = new_step(&BLOSSOM, sets, petals, &[]);
    step.groups.push(Group { part: Part::Body, cells: stem, digits: marks });
    for (digit, &set) in marks.iter().zip(petals) {
        let cells = sets.spots(set, digit);
        step.groups.push(Group { part: Part::Link, cells, digits: Digits::one(digit) });
    }
    step.truths.extend(stem.iter().map(Truth::Cell));
    step.score = score;
    step.removed = removed;
    search.offer(step);
}

fn tell(step: &Step, words: &Words<'_>) -> String {
    let digits: Vec<usize> = step.digits(Part::Body).iter().collect();
    let petals: Vec<String> = digits
        .iter()
        .zip(0..)
        .map(|(&digit, number)| {
            format!("{} from {}", words.digit(digit), tell_set(step, words, number))
        })
        .collect();
    format!(
        "Whatever stands in {} is missing in a set with one candidate more than cells: {}; so one of these \
         sets has {}",
        words.cells(step.cells(Part::Body)),
        petals.join(", "),
        words.digits(gone(step)),
    )
}
