use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::*;
use crate::engine::Naive;
use crate::limits::Limits;
use crate::model::{ItemId, ProblemBuilder};
use crate::numbers::Random;
use crate::portfolio::budget::free;
use crate::search::Engine as _;

fn set(cover: &[OptionId]) -> BTreeSet<OptionId> {
    cover.iter().copied().collect()
}

fn pairs(problem: &Problem) -> Pairs {
    Pairs::new(Reading::of(problem, &mut free()).unwrap(), &mut free()).unwrap()
}

fn covers(problem: &Problem) -> BTreeSet<BTreeSet<OptionId>> {
    let mut covers = BTreeSet::new();
    let mut naive = Naive::new(problem);
    naive.run(
        &[],
        &[],
        &Limits::default(),
        Some(&mut |cover| {
            covers.insert(set(cover));
            ControlFlow::Continue(())
        }),
    );
    covers
}

fn in_slices<T>(work: u64, mut run: impl FnMut(&mut Budget<'_>) -> Result<T, Cut>) -> T {
    let limits = Limits::default();
    for slice in 1.. {
        match run(&mut Budget::new(&limits, slice * work, usize::MAX)) {
            Ok(done) => return done,
            Err(cut) => assert_eq!(cut, Cut::Work),
        }
    }
    unreachable!("slices grow without end")
}

/// Checks the first and the second cover of a problem, and returns the number of covers, at most 2.
fn check(problem: &Problem, work: u64) -> usize {
    let all = covers(problem);
    let mut pairs = pairs(problem);
    let first = in_slices(work, |budget| pairs.cover(budget));
    assert_eq!(first.is_some(), !all.is_empty());
    let Some(first) = first else { return 0 };
    assert!(all.contains(&set(&first)) && set(&first).len() == first.len());
    let another = in_slices(work, |budget| pairs.another(budget));
    assert_eq!(another.is_some(), all.len() > 1);
    let Some(another) = another else { return 1 };
    assert!(all.contains(&set(&another)) && set(&another) != set(&first));
    2
}

fn random_problem(random: &mut Random) -> Problem {
    let mut builder = ProblemBuilder::new();
    let (primary, secondary) = (1 + random.below(9), random.below(4));
    let mut items: Vec<ItemId> = Vec::new();
    for number in 0..primary + secondary {
        let name = number.to_string();
        let item = if number < primary { builder.primary(&name) } else { builder.secondary(&name) };
        items.push(item.unwrap());
    }
    let alone = random.below(4);
    for _ in 0..random.below(3 * primary + 4) {
        let one = items[random.below(items.len())];
        let other = items[random.below(items.len())];
        if one == other && random.below(4) >= alone {
            continue;
        }
        let ends: BTreeSet<ItemId> = [one, other].into();
        builder.option(ends).unwrap();
    }
    builder.build()
}

#[test]
fn the_first_two_covers_of_random_graphs_agree_with_a_search() {
    let mut random = Random::new(1);
    let mut found = [0; 3];
    for round in 0..4000 {
        let problem = random_problem(&mut random);
        found[check(&problem, [u64::MAX >> 20, 50][round % 2])] += 1;
    }
    assert!(found.iter().all(|&count| count > 300), "{found:?}");
}

#[test]
fn nested_blossoms_are_handled() {
    // `triangle` is a path whose other end may be covered alone. `flower` has nested triangles.
    let triangle = "a b c d e\na b\nb c\nc d\nd e\nc e\na\n";
    let flower = "a b c d e f g h i\na b\nb c\nc d\nd e\ne c\nd f\nf g\ng e\nf h\nh i\ni g\n";
    for text in [triangle, flower, "a\na\n", "a b\na\n", "a | s\na s\na\n", "a b | s\na s\nb s\n"] {
        check(&text.parse().unwrap(), u64::MAX >> 20);
    }
}

#[test]
fn problems_with_three_items_per_option_colors_or_bounds_are_unsuited() {
    let read = |text: &str| Reading::of(&text.parse().unwrap(), &mut free()).map(|_| ());
    for text in ["a b c\na b c\n", "0:2|a b\na b\n", "a b | s\na b s\na s\n", "a b | s\na s:x\nb s:x\n"]
    {
        assert_eq!(read(text), Err(Cut::Unsuited), "{text}");
    }
    // Secondary items in a single option, and options without primary items, are ignored.
    for text in ["a b | s t\na b s t:x\n", "a b | s t\na s\nb s\ns t\n"] {
        assert_eq!(read(text), Ok(()), "{text}");
    }
}

#[test]
fn large_boards_without_two_corners_of_one_color_have_no_cover() {
    let side = 60;
    let mut builder = ProblemBuilder::new();
    let is_in = |x: usize, y: usize| x < side && y < side && x + y != 0 && x + y != 2 * side - 2;
    let mut items = std::collections::HashMap::new();
    for (x, y) in (0..side * side).map(|place| (place % side, place / side)) {
        if is_in(x, y) {
            items.insert((x, y), builder.primary(&format!("{x},{y}")).unwrap());
        }
    }
    for (&(x, y), &item) in &items {
        for next in [(x + 1, y), (x, y + 1)].into_iter().filter(|&(x, y)| is_in(x, y)) {
            builder.option([item, items[&next]]).unwrap();
        }
    }
    let problem = builder.build();
    assert_eq!(pairs(&problem).cover(&mut free()), Ok(None));
}
