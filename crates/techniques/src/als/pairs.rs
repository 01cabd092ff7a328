//! Two almost locked sets with one or two restricted commons.

use limits::Limit;

use super::sets::Sets;
use super::{is_bent, new_step, nodes, tell_set};
use crate::bits::{Cells, Digits};
use crate::board::Candidate;
use crate::search::Search;
use crate::step::{Part, Step};
use crate::technique::Technique;
use crate::words::Words;

pub(super) static SINGLY: Technique = Technique {
    name: "ALS-XZ",
    score: 72,
    summary: "Two almost locked sets have a restricted common x, which stands in at most one of them, \
              and both have z. One of them has z, so what sees all z of both is eliminated.",
    is_uniqueness: false,
    tell: tell_singly,
};

pub(super) static DOUBLY: Technique = Technique {
    name: "doubly linked ALS-XZ",
    score: 72,
    summary: "Two almost locked sets have two restricted commons, one in each set. So all other digits \
              are locked in their sets.",
    is_uniqueness: false,
    tell: tell_doubly,
};

pub(super) fn find(search: &mut Search<'_>, sets: &Sets<'_>) -> Result<(), Limit> {
    for place in 0..sets.places.len() {
        let digit = sets.places[place].digit;
        search.spend(1_000)?;
        for other in super::sets::ones(sets.weak.row(place)).take_while(|&other| other < place) {
            for &a in &sets.sets_of[place] {
                for &b in &sets.sets_of[other] {
                    try_pair(search, sets, a.into(), b.into(), digit);
                }
            }
        }
    }
    Ok(())
}

/// Offers the steps of two sets with a restricted common, if this is their first one.
fn try_pair(search: &mut Search<'_>, sets: &Sets<'_>, a: usize, b: usize, common: usize) {
    let (first, second) = (&sets.list[a], &sets.list[b]);
    let shared = first.digits & second.digits;
    if shared.only().is_some() {
        return;
    }
    let mut commons = Digits::one(common);
    let mut has_targets = false;
    for digit in (shared - commons).iter() {
        let (from, to) = (sets.place(a, digit), sets.place(b, digit));
        if sets.weak.has(from, to) {
            commons.insert(digit);
        } else {
            has_targets |= sets.places[from].targets.meets(sets.places[to].targets);
        }
    }
    if commons.len() > 1 {
        if commons.least() == Some(common) {
            offer_doubly(search, sets, [a, b], commons);
        }
    } else if has_targets {
        offer_singly(search, sets, [a, b], common);
    }
}

fn offer_singly(search: &mut Search<'_>, sets: &Sets<'_>, pair: [usize; 2], common: usize) {
    let [a, b] = pair;
    let shared = (sets.list[a].digits & sets.list[b].digits) - Digits::one(common);
    if !search.wants(SINGLY.score) || is_bent(sets, &pair, Cells::NONE) {
        return;
    }
    let mut step = new_step(&SINGLY, sets, &pair, &[(a, b, common)]);
    for digit in shared.iter() {
        let targets = sets.places[sets.place(a, digit)].targets;
        let targets = targets & sets.places[sets.place(b, digit)].targets;
        step.removed.extend(targets.iter().map(|cell| Candidate { cell, digit }));
    }
    step.removed.sort_unstable();
    if let Some(gone) = step.removed.first() {
        step.chains = vec![nodes(sets, &pair, &[common], gone.digit, false)];
    }
    search.offer(step);
}

fn offer_doubly(search: &mut Search<'_>, sets: &Sets<'_>, pair: [usize; 2], commons: Digits) {
    let [a, b] = pair;
    let (first, second) = (&sets.list[a], &sets.list[b]);
    // Two cells are a naked pair.
    if !search.wants(DOUBLY.score) || first.cells.len() + second.cells.len() == 2 {
        return;
    }
    let locked = |set: usize, digit| sets.places[sets.place(set, digit)].targets;
    let mut removed = Vec::new();
    for digit in (first.digits | second.digits).iter() {
        let of = |set: usize| {
            if sets.list[set].digits.has(digit) { locked(set, digit) } else { Cells::NONE }
        };
        let targets = if commons.has(digit) { of(a) & of(b) } else { of(a) | of(b) };
        removed.extend(targets.iter().map(|cell| Candidate { cell, digit }));
    }
    if removed.is_empty() {
        return;
    }
    let links: Vec<(usize, usize, usize)> = commons.iter().map(|digit| (a, b, digit)).collect();
    let mut step = new_step(&DOUBLY, sets, &pair, &links);
    removed.sort_unstable();
    step.removed = removed;
    let mut each = commons.iter();
    if let (Some(x), Some(y)) = (each.next(), each.next()) {
        step.chains = vec![nodes(sets, &pair, &[x], y, true)];
    }
    search.offer(step);
}

fn tell_singly(step: &Step, words: &Words<'_>) -> String {
    let gone = step.removed.iter().fold(Digits::NONE, |all, gone| all | Digits::one(gone.digit));
    format!(
        "The sets {} and {} have one candidate more than cells; {} fits in only one of them, so the other \
         has all its other digits, and {} stands in one of both",
        tell_set(step, words, 0),
        tell_set(step, words, 1),
        words.digits(step.digits(Part::Link)),
        words.digits(gone),
    )
}

fn tell_doubly(step: &Step, words: &Words<'_>) -> String {
    let commons = step.digits(Part::Link);
    format!(
        "The sets {} and {} have one candidate more than cells; each of {} fits in only one of them, so \
         each set has one of these and all its other digits",
        tell_set(step, words, 0),
        tell_set(step, words, 1),
        words.digits(commons),
    )
}
