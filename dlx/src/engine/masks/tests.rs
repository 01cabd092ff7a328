//! Tests every instruction set that the machine supports, for every lane shape, against dancing
//! links and the oracle.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use super::*;
use crate::engine::tests::let_a_visitor_panic;
use crate::engine::{Links, Naive};
use crate::model::samples::rows;
use crate::model::{Entry, ProblemBuilder};
use crate::numbers::Random;

fn problem(random: &mut Random, items: usize, options: usize, size: usize) -> Problem {
    let mut builder = ProblemBuilder::new();
    let primary: Vec<_> = (0..items).map(|i| builder.primary(&format!("p{i}")).unwrap()).collect();
    let secondary: Vec<_> =
        (0..items / 4).map(|i| builder.secondary(&format!("s{i}")).unwrap()).collect();
    let colors = ["red", "green", "blue"].map(|name| builder.color(name).unwrap());
    for _ in 0..options {
        let mut entries: Vec<Entry> = Vec::new();
        for _ in 0..=random.below(size) {
            let item = primary[random.below(items)];
            if entries.iter().all(|entry| entry.item != item) {
                entries.push(item.into());
            }
        }
        if !secondary.is_empty() && random.below(2) == 0 {
            let item = secondary[random.below(secondary.len())];
            entries.push(if random.below(4) == 0 {
                item.into()
            } else {
                item.with(colors[random.below(3)])
            });
        }
        builder.option(entries).unwrap();
    }
    builder.build()
}

fn covers(
    engine: &mut dyn Engine,
    given: &[OptionId],
    limits: &Limits,
) -> (Vec<Vec<OptionId>>, Report) {
    let mut covers = Vec::new();
    let report = engine.search(given, limits, &mut |cover| {
        covers.push(cover.to_vec());
        ControlFlow::Continue(())
    });
    (covers, report)
}

/// Calls `f` with two engines for each instruction set of this machine: one that re-encodes when it
/// pays, and one that always re-encodes.
fn with_every_leaf(problem: &Problem, mut f: impl FnMut(&mut Masks, &str)) {
    for leaf in Leaf::all() {
        for always_repacks in [false, true] {
            let mut masks = Masks::with_leaf(problem, leaf);
            masks.always_repacks = always_repacks;
            f(&mut masks, &format!("{}, always repacks: {always_repacks}", leaf.name()));
        }
    }
}

#[test]
fn every_instruction_set_searches_the_tree_of_dancing_links() {
    let mut random = Random::new(1);
    let mut shapes = BTreeSet::new();
    let mut found = 0;
    for (items, options, size) in [
        (1, 3, 1),
        (4, 40, 3),
        (6, 300, 3),
        (6, 900, 5),
        (9, 70, 4),
        (12, 60, 4),
        (17, 80, 5),
        (20, 120, 3),
        (20, 200, 5),
        (33, 100, 6),
        (40, 60, 5),
        (65, 150, 6),
        (70, 140, 5),
        (100, 160, 5),
        (140, 200, 4),
        (200, 290, 4),
        (300, 400, 3),
        (513, 600, 3),
    ] {
        for _ in 0..5 {
            let problem = problem(&mut random, items, options, size);
            let given =
                if random.below(2) == 0 { vec![] } else { vec![OptionId::new(random.below(options))] };
            let limits = Limits::new().nodes(2000).rest(true);
            let (expected, links) = covers(&mut Links::new(&problem), &given, &limits);
            found += expected.len();
            let unlimited = Limits::default();
            let is_small = links.end == End::Exhausted;
            with_every_leaf(&problem, |masks, leaf| {
                assert_eq!(masks.begin(&[], &Limits::default()), Ok(true));
                let shape = masks.contexts[0].encoding().lanes.shape.clone();
                shapes.insert((shape.width(), shape.groups().min(6), shape.chunks().min(5)));
                let (covers, report) = covers(masks, &given, &limits);
                assert_eq!(covers, expected, "{leaf}, {shape:?}");
                assert_eq!((report.end, report.nodes), (links.end, links.nodes), "{leaf}, {shape:?}");
                assert_eq!(report.rest, links.rest, "{leaf}, {shape:?}");
                if is_small {
                    let report = masks.count(&given, &unlimited);
                    let counts = (report.count(), report.nodes);
                    assert_eq!(counts, (Some(expected.len() as u64), links.nodes), "{leaf}, {shape:?}");
                }
                assert!(masks.is_at_rest(&problem), "{leaf}");
            });
        }
    }
    assert!(found > 10_000, "many covers were found: {found}");
    let widths: BTreeSet<_> = shapes.iter().map(|shape| shape.0).collect();
    assert_eq!(widths.into_iter().collect::<Vec<_>>(), [8, 16, 32, 64], "every width was met");
    assert!(shapes.len() > 15, "many shapes were met: {shapes:?}");
}

#[test]
fn every_instruction_set_finds_the_covers_of_the_oracle() {
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let (items, options) = (1 + random.below(7), 1 + random.below(12));
        let problem = problem(&mut random, items, options, 3);
        let given: Vec<_> =
            (0..random.below(3)).map(|_| OptionId::new(random.below(options))).collect();
        let sorted = |engine: &mut dyn Engine| -> BTreeSet<BTreeSet<OptionId>> {
            let (covers, _) = covers(engine, &given, &Limits::default());
            covers.into_iter().map(|cover| cover.into_iter().collect()).collect()
        };
        let expected = sorted(&mut Naive::new(&problem));
        with_every_leaf(&problem, |masks, leaf| {
            assert_eq!(
                sorted(masks),
                expected,
                "{leaf}, {given:?}:\n{}",
                crate::model::text::write(&problem)
            );
            assert_eq!(masks.count(&given, &Limits::default()).solutions, expected.len() as u64);
        });
    }
}

#[test]
fn earlier_searches_do_not_change_the_result_of_a_search() {
    let mut random = Random::new(3);
    let (mut begun_below, mut whole, mut without_row) = (0, 0, 0);
    for _ in 0..60 {
        let (items, options) = (8 + random.below(60), 30 + random.below(60));
        let mut builder = ProblemBuilder::new();
        let primary: Vec<_> = (0..items).map(|i| builder.primary(&format!("p{i}")).unwrap()).collect();
        let secondary = [0, 1, 2].map(|i| builder.secondary(&format!("s{i}")).unwrap());
        for place in 0..options {
            let first = place % items;
            let last = (first + random.below(3)).min(items - 1);
            let mut entries: Vec<Entry> =
                primary[first..=last].iter().map(|&item| item.into()).collect();
            if random.below(4) == 0 {
                entries.push(secondary[random.below(3)].into());
            }
            if random.below(12) == 0 {
                entries = vec![secondary[random.below(3)].into()];
            }
            builder.option(entries).unwrap();
        }
        let problem = builder.build();
        let has_row = |option: &OptionId| {
            problem.option(*option).iter().any(|entry| problem.is_primary(entry.item))
        };
        let plan: Vec<(Vec<OptionId>, Limits)> = (0..12)
            .map(|_| {
                let given =
                    (0..random.below(4)).map(|_| OptionId::new(random.below(options))).collect();
                let nodes = Some(1 + random.below(400) as u64);
                (given, Limits::new().nodes(nodes).rest(random.below(2) == 0))
            })
            .collect();
        with_every_leaf(&problem, |masks, leaf| {
            for (given, limits) in &plan {
                let base = masks.base.clone();
                let expected = covers(&mut Links::new(&problem), given, limits);
                let found = covers(masks, given, limits);
                assert_eq!(found.0, expected.0, "{leaf}, {given:?} after {base:?}");
                let told = |report: &Report| (report.end, report.nodes, report.rest.clone());
                assert_eq!(told(&found.1), told(&expected.1), "{leaf}, {given:?} after {base:?}");
                if expected.1.end == End::Exhausted {
                    let report = masks.count(given, &Limits::default());
                    let counts = (report.solutions, report.nodes);
                    assert_eq!(counts, (expected.1.solutions, expected.1.nodes), "{leaf}, {given:?}");
                }
                begun_below += u32::from(masks.above > 0);
                whole += u32::from(!given.is_empty() && masks.base == Some(vec![]));
                without_row += u32::from(masks.above > 0 && !given.iter().all(has_row));
            }
        });
    }
    assert!(begun_below > 200 && whole > 200, "{begun_below}, {whole}");
    assert!(without_row > 10, "a base with an option without row: {without_row}");
}

#[test]
fn repeated_short_searches_encode_the_whole_problem() {
    let problem = rows(&[12]);
    let mut masks = Masks::new(&problem).unwrap();
    let mut bases = BTreeSet::new();
    for option in (0..problem.option_count()).cycle().take(60) {
        masks.count(&[OptionId::new(option)], &Limits::default());
        bases.insert(masks.base.clone());
    }
    assert!(bases.len() < 6, "{bases:?}");
    assert_eq!((masks.base, masks.above), (Some(vec![]), 1));
}

#[test]
fn an_interrupted_encoding_is_built_again() {
    let problem = rows(&[12, 500]);
    let mut masks = Masks::new(&problem).unwrap();
    let few = Limits::new().nodes(50);
    let [one, other] = [0, 2].map(|option| [OptionId::new(option)]);
    let expected = masks.count(&one, &few);
    assert_eq!(masks.base, Some(one.to_vec()));
    let cut = masks.count(&other, &Limits::default().within(Duration::ZERO));
    assert_eq!((cut.end, cut.nodes), (End::Limit(Limit::Time), 0));
    assert_eq!(masks.base, None);
    let found = masks.count(&one, &few);
    assert_eq!((found.solutions, found.nodes), (expected.solutions, expected.nodes));
}

#[test]
fn an_interrupted_batch_count_and_its_remaining_subtrees_add_up_to_the_count() {
    for (items, given) in [(28, 0), (70, 44)] {
        let problem = rows(&[items]);
        let given: Vec<_> = (0..given).map(|i| OptionId::new(2 * i)).collect();
        with_every_leaf(&problem, |masks, leaf| {
            let mut open = vec![Subtree::from(given.clone())];
            let (mut covers, mut stops) = (0, 0);
            while let Some(part) = open.pop() {
                let time = Duration::from_micros(if stops < 20 { 200 } else { 10_000_000 });
                let limits = Limits::new().rest(true).within(time);
                let report = masks.count_subtree(&part, &limits);
                covers += report.solutions;
                stops += usize::from(report.end != End::Exhausted);
                open.extend(report.rest.into_iter().flatten());
            }
            // The number of covers of a row of items is a Fibonacci number.
            assert_eq!(covers, if items == 28 { 514_229 } else { 196_418 }, "{leaf}");
            assert!(stops > 0, "{leaf} was stopped");
        });
    }
}

#[test]
fn the_fraction_done_grows_from_solution_to_solution() {
    let problem: Problem = "a b c\na\nb\nc\na b\nb c\na c\n".parse().unwrap();
    with_every_leaf(&problem, |masks, leaf| {
        let (mut last, mut limits) = (0.0, Limits::default());
        for solutions in 1..=4 {
            limits.solutions = Some(solutions);
            assert_eq!(masks.begin(&[], &Limits::default()), Ok(true));
            let mut meter = Meter::new(&limits, 0);
            masks.walk(&mut meter, None);
            let fraction = masks.fraction();
            assert!(last < fraction && fraction < 1.0, "{leaf}: {last} then {fraction}");
            last = fraction;
        }
        assert!(last > 0.5, "{leaf}: the last solution is in the second half: {last}");
    });
}

#[test]
fn a_search_whose_visitor_panicked_leaves_the_engine_usable() {
    let mut masks = Masks::new(&rows(&[10])).unwrap();
    let_a_visitor_panic(&mut masks);
    assert_eq!(masks.count(&[], &Limits::default()).count(), Some(89));
}

#[test]
fn bounded_or_too_large_problems_are_refused() {
    let refused = |problem: &Problem| Masks::new(problem).map(|_| ()).unwrap_err().to_string();
    assert_eq!(refused(&"0:2|a\na\n".parse().unwrap()), "the engine does not support multiplicities");
    let mut builder = ProblemBuilder::new();
    let items: Vec<_> = (0..70_000).map(|i| builder.primary(&i.to_string()).unwrap()).collect();
    for part in [0..1000, 1000..66_000, 1000..66_000, 66_000..70_000] {
        builder.option(items[part].iter().copied()).unwrap();
    }
    let wide = builder.build();
    assert_eq!(refused(&wide), "the engine does not support more than 65536 primary items");
    let many = |options: usize, size: usize| {
        let mut builder = ProblemBuilder::new();
        let items: Vec<_> = (0..size).map(|i| builder.primary(&i.to_string()).unwrap()).collect();
        for _ in 0..options {
            builder.option(items.iter().copied()).unwrap();
        }
        builder.build()
    };
    assert_eq!(refused(&many(65535, 1)), "the engine does not support more than 65534 options");
    let size = "the engine does not support conflict masks of more than 64 MiB";
    assert_eq!(refused(&many(20_000, 10)), size);
}

#[test]
fn a_rough_node_limit_leaves_fewer_subtrees_and_loses_no_solution() {
    let problem = rows(&[8, 7, 6]);
    let all = Masks::new(&problem).unwrap().count(&[], &Limits::default());
    let mut fewer = 0;
    for nodes in [100, 1000, 3000, 8000] {
        let exact = Limits::new().nodes(nodes).rest(true);
        let rough = exact.clone().rough(true);
        let mut masks = Masks::new(&problem).unwrap();
        let [exact, rough] = [exact, rough].map(|limits| masks.count(&[], &limits));
        assert_eq!(exact.nodes, nodes);
        assert!((nodes..=nodes + nodes / 4).contains(&rough.nodes), "{}", rough.nodes);
        let parts = |report: &Report| report.rest.as_ref().map_or(0, Vec::len);
        fewer += u32::from(parts(&rough) < parts(&exact));
        for report in [exact, rough] {
            let mut solutions = report.solutions;
            for part in report.rest.into_iter().flatten() {
                solutions += masks.count_subtree(&part, &Limits::default()).solutions;
            }
            assert_eq!(solutions, all.solutions, "{nodes}");
        }
    }
    assert!(fewer > 0);
}
