//! Tests every instruction set, with sets of few and many blocks, against dancing links.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::*;
use crate::engine::tests::let_a_visitor_panic;
use crate::engine::{Links, Masks};
use crate::model::samples::latin;
use crate::model::{Entry, ProblemBuilder};
use crate::numbers::Random;

fn problem(random: &mut Random, items: usize, options: usize) -> Problem {
    let mut builder = ProblemBuilder::new();
    let primary: Vec<_> = (0..items).map(|i| builder.primary(&format!("p{i}")).unwrap()).collect();
    let shared: Vec<_> = (0..3).map(|i| builder.secondary(&format!("s{i}")).unwrap()).collect();
    let colors = ["red", "green", "blue"].map(|name| builder.color(name).unwrap());
    for option in 0..options {
        let mut entries: Vec<Entry> = vec![primary[option % items].into()];
        for _ in 0..2 + random.below(items / 4) {
            let item = primary[random.below(items)];
            if entries.iter().all(|entry| entry.item != item) {
                entries.push(item.into());
            }
        }
        if random.below(2) == 0 {
            entries.push(shared[random.below(3)].with(colors[random.below(3)]));
        }
        builder.option(entries).unwrap();
    }
    builder.build()
}

fn covers(engine: &mut dyn Engine, given: &[OptionId]) -> (BTreeSet<BTreeSet<OptionId>>, Report) {
    let mut covers = BTreeSet::new();
    let report = engine.search(given, &Limits::default(), &mut |cover| {
        assert!(covers.insert(cover.iter().copied().collect()), "a cover is visited once");
        ControlFlow::Continue(())
    });
    (covers, report)
}

#[test]
fn every_instruction_set_finds_the_covers_of_dancing_links_for_every_block_count() {
    let mut random = Random::new(1);
    let mut found = 0;
    for (items, options) in [(8, 60), (16, 200), (28, 700), (28, 1100), (32, 1600), (36, 2600)] {
        for round in 0..4 {
            let problem = problem(&mut random, items, options);
            let given = if round == 0 { vec![] } else { vec![OptionId::new(random.below(options))] };
            let few = Limits::new().nodes(30_000);
            if Masks::new(&problem).unwrap().count(&given, &few).end != End::Exhausted {
                continue;
            }
            let expected = covers(&mut Masks::new(&problem).unwrap(), &given).0;
            found += 1;
            for leaf in Leaf::all() {
                let mut filter = Filter { leaf, ..Filter::new(&problem).unwrap() };
                let (covers, report) = covers(&mut filter, &given);
                assert_eq!(report.end, End::Exhausted);
                assert!(covers == expected, "{} {items} {options} {given:?}", leaf.name());
                assert!(filter.is_at_rest(&problem));
            }
        }
    }
    assert!(found >= 12, "most are small: {found}");
}

#[test]
fn the_root_removes_options_that_conflict_with_all_options_of_an_item() {
    let problem: Problem = "a b x y z\na x y\na x z\nb x\nb y\nb z\ny\nz\n".parse().unwrap();
    let links = Links::new(&problem).count(&[], &Limits::default());
    let mut filter = Filter::new(&problem).unwrap();
    let mut session = filter.begin(&[], &[], &Limits::default()).unwrap();
    assert!(session.enter_root());
    assert!(!session.states[0].is_alive(2), "`b x` goes with no option of `a`");
    assert_eq!(filter.count(&[], &Limits::default()).count(), links.count());
}

#[test]
fn the_filter_engine_enters_fewer_nodes_than_dancing_links() {
    let problem = latin(5);
    let report = Filter::new(&problem).unwrap().count(&[], &Limits::default());
    assert_eq!(report.count(), Some(161_280));
    let links = Links::new(&problem).count(&[], &Limits::default());
    assert!(report.nodes < links.nodes, "{} of {}", report.nodes, links.nodes);
}

#[test]
fn an_interrupted_count_and_its_remaining_subtrees_add_up_to_the_count() {
    let problem = latin(4);
    let mut filter = Filter::new(&problem).unwrap();
    let all = filter.count(&[], &Limits::default()).solutions;
    for nodes in (1..300).step_by(7) {
        let report = filter.count(&[], &Limits::new().nodes(nodes).rest(true));
        let rest = report.rest.unwrap_or_default();
        let left: u64 =
            rest.iter().map(|part| filter.count_subtree(part, &Limits::new()).solutions).sum();
        assert_eq!(report.solutions + left, all, "after {nodes} nodes");
        assert!(rest.iter().map(Subtree::share).sum::<f64>() < 1.0 + 1e-9);
    }
}

#[test]
fn a_search_whose_visitor_panicked_leaves_the_engine_usable() {
    let problem = latin(3);
    let mut filter = Filter::new(&problem).unwrap();
    let expected = filter.count(&[], &Limits::default());
    let_a_visitor_panic(&mut filter);
    assert_eq!(filter.count(&[], &Limits::default()), expected);
}

#[test]
fn problems_above_the_size_limits_are_refused() {
    let refused = |items: usize, options: usize| {
        let sets = (0..options).map(|option| [(option % items) as u32]);
        let problem = Problem::from_sets(items, sets).unwrap();
        Filter::new(&problem).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(refused(1, 32_769), "the engine does not support more than 32768 options");
    assert_eq!(refused(4097, 1), "the engine does not support more than 4096 primary items");
}

#[test]
fn an_interrupted_search_resumes_where_it_stopped_with_its_weights() {
    let problem = latin(4);
    let mut filter = Filter::new(&problem).unwrap();
    let whole = filter.count(&[], &Limits::default());
    let mut session = filter.begin(&[], &[], &Limits::default()).unwrap();
    let (mut found, mut nodes, mut updates) = (BTreeSet::new(), 0, 0);
    for slice in 0.. {
        let limits = if slice % 3 == 0 { Limits::new().nodes(5) } else { Limits::new() };
        let until = if slice % 3 == 1 { session.work() + 3000 } else { u64::MAX };
        let report = session.search_until(
            until,
            &limits,
            Some(&mut |cover| {
                assert!(found.insert(cover.to_vec()), "a cover is visited once");
                if slice % 3 == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }),
        );
        (nodes, updates) = (nodes + report.nodes, updates + report.updates);
        if report.end == End::Exhausted {
            break;
        }
    }
    assert_eq!((found.len() as u64, nodes, updates), (whole.solutions, whole.nodes, whole.updates));
    assert!(session.fraction() == 1.0);
}
