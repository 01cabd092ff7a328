//! Compares the classes with the orbits of all covers.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::*;
use crate::engine::Naive;
use crate::model::{OptionId, Problem};
use crate::numbers::Random;
use crate::search::Engine as _;

fn symmetry(images: impl IntoIterator<Item = usize>) -> Symmetry {
    Symmetry::new(images.into_iter().map(OptionId::new).collect()).expect("a permutation")
}

#[track_caller]
fn check_starts(group: &SymmetryGroup, given: &[OptionId]) -> usize {
    let Some(starts) = group.starts(&Limits::new()).expect("no limits are set") else { return 0 };
    assert!(3 * starts.options().len() <= 2 * starts.option_count());
    let mut naive = Naive::new(&group.problem);
    let mut least: Vec<Vec<OptionId>> = Vec::new();
    naive.search(given, &Limits::new(), &mut |cover| {
        let mut sorted = cover.to_vec();
        sorted.sort_unstable();
        least.extend(group.is_least(cover).then_some(sorted));
        ControlFlow::Continue(())
    });
    let mut found = Vec::new();
    for &start in starts.options() {
        let given: Vec<OptionId> = given.iter().copied().chain([start]).collect();
        naive.search(&given, &Limits::new(), &mut |cover| {
            found.extend(group.first_of_class(&starts, cover));
            ControlFlow::Continue(())
        });
    }
    least.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, least);
    found.len()
}

#[track_caller]
fn check(group: &SymmetryGroup, elements: &[Symmetry], given: &[OptionId]) -> Option<usize> {
    let few = Limits::new().solutions(1000).nodes(20_000);
    let mut covers: HashSet<Vec<OptionId>> = HashSet::new();
    let mut least = 0;
    let report = Naive::new(&group.problem).search(given, &few, &mut |cover| {
        least += usize::from(group.is_least(cover));
        let mut cover = cover.to_vec();
        cover.sort_unstable();
        covers.insert(cover);
        ControlFlow::Continue(())
    });
    report.count()?;
    let mut classes = 0;
    while let Some(cover) = covers.iter().next().cloned() {
        classes += 1;
        let mut open = vec![cover.clone()];
        covers.remove(&cover);
        while let Some(cover) = open.pop() {
            for element in elements {
                let mut image: Vec<OptionId> =
                    cover.iter().map(|&option| element.image(option)).collect();
                image.sort_unstable();
                if covers.remove(&image) {
                    open.push(image);
                }
            }
        }
    }
    assert_eq!(least, classes, "each class has one least cover");
    let counted = group.count(&Cores::new(0), &Limits::new()).expect("few problems");
    assert_eq!(counted.report.count(), Some(classes as u64), "{:?}", counted.fixed);
    Some(classes)
}

/// Returns a random problem with an action of the cyclic group of order `order`, and each option's
/// image under the generator.
fn random_problem(order: usize, random: &mut Random) -> (Problem, Vec<usize>) {
    // The generator maps item `r.k` to `r.(k + 1)`. A ring is an orbit of items; some rings consist
    // of a single item.
    let rings = 2 + random.below(3);
    let is_fixed: Vec<bool> = (0..rings).map(|_| random.below(4) == 0).collect();
    let name = |ring: usize, turn: usize| match is_fixed[ring] {
        true => format!("p{ring}"),
        false => format!("p{ring}.{}", turn % order),
    };
    let sorts: Vec<usize> =
        (0..rings).map(|ring| if ring == 0 { 0 } else { random.below(4) }).collect();
    let shifts: Vec<bool> = (0..rings).map(|_| random.below(2) == 0).collect();
    let (mut primary, mut secondary) = (Vec::new(), Vec::new());
    for ring in 0..rings {
        for turn in 0..if is_fixed[ring] { 1 } else { order } {
            let name = name(ring, turn);
            match sorts[ring] {
                0 | 1 => primary.push(name),
                2 => primary.push(format!("1:3|{name}")),
                _ => secondary.push(name),
            }
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for _ in 0..3 + random.below(5) {
        let mut entries: Vec<(usize, usize, usize)> = Vec::new();
        for _ in 0..1 + random.below(3) {
            let (ring, turn) = (random.below(rings), random.below(order));
            let is_new = |&(other, at, _): &(usize, usize, usize)| name(other, at) != name(ring, turn);
            if entries.iter().all(is_new) {
                entries.push((ring, turn, random.below(3)));
            }
        }
        for turn in 0..order {
            let entry = |&(ring, at, color): &(usize, usize, usize)| {
                // If the order is even, the generator exchanges both colors of some rings.
                let shift = if order.is_multiple_of(2) && shifts[ring] { turn } else { 0 };
                let color = match sorts[ring] {
                    3 if color > 0 => format!(":{}", 1 + (color + shift) % 2),
                    _ => String::new(),
                };
                name(ring, at + turn) + &color
            };
            lines.push(entries.iter().map(entry).collect::<Vec<_>>().join(" "));
        }
    }
    let head = format!("{} | {}", primary.join(" "), secondary.join(" "));
    let text = format!("{head}\n{}\n", lines.join("\n"));
    let images = (0..lines.len()).map(|line| line / order * order + (line + 1) % order).collect();
    (text.parse().unwrap_or_else(|error| panic!("{error}\n{text}")), images)
}

#[test]
fn classes_of_random_problems_match_the_orbits_of_all_covers() {
    let mut random = Random::new(7);
    let (mut solvable, mut several, mut started) = (0, 0, 0);
    for round in 0..1000 {
        let order = 2 + round % 4;
        let (problem, images) = random_problem(order, &mut random);
        let mut elements = vec![symmetry(images.iter().copied())];
        for _ in 2..order {
            let last = elements.last().expect("one");
            let next: Vec<usize> =
                images.iter().map(|&image| last.image(OptionId::new(image)).index()).collect();
            elements.push(symmetry(next));
        }
        let given: Vec<OptionId> = match random.below(4) {
            0 => (0..order).map(OptionId::new).collect(),
            1 => vec![OptionId::new(0)],
            _ => Vec::new(),
        };
        let group =
            SymmetryGroup::new(problem, &given, elements.clone(), &Limits::new()).expect("a group");
        let fixes =
            |element: &Symmetry| given.iter().all(|&option| given.contains(&element.image(option)));
        elements.retain(fixes);
        let Some(classes) = check(&group, &elements, &given) else { continue };
        started += usize::from(check_starts(&group, &given) > 1);
        solvable += usize::from(classes > 0);
        several += usize::from(classes > 1);
    }
    assert!(solvable > 100, "{solvable} have covers");
    assert!(several > 50, "{several} have several classes");
    assert!(started > 30, "{started} of these have starts");
}

#[test]
fn a_group_drops_permutations_that_are_not_symmetries_and_rejects_incomplete_sets() {
    let problem: Problem = "a b c\na\nb\nc\na b\nb c\nc a\n".parse().expect("a problem");
    let limits = Limits::new();
    let turn = symmetry([1, 2, 0, 4, 5, 3]);
    let back = symmetry([2, 0, 1, 5, 3, 4]);
    let wrong = symmetry([1, 0, 2, 3, 4, 5]);
    let make = |all: &[&Symmetry]| {
        let all = all.iter().map(|&symmetry| symmetry.clone()).collect();
        SymmetryGroup::new(problem.clone(), &[], all, &limits)
    };
    let group = make(&[&turn, &back, &wrong]).expect("a group");
    assert_eq!(group.order(), 3);
    assert_eq!(check(&group, &[turn.clone(), back.clone()], &[]), Some(2));
    assert_eq!(make(&[&turn]).map(|_| ()), Err(GroupFault::NotClosed));
    let short = symmetry([0]);
    assert_eq!(make(&[&short]).map(|_| ()), Err(GroupFault::OptionCount));
    assert!(Symmetry::new([0, 0].map(OptionId::new).to_vec()).is_none());
    let none = Limits::new().within(std::time::Duration::ZERO);
    assert!(SymmetryGroup::new(problem, &[], vec![turn, back], &none).is_err());
}
