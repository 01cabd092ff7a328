//! Sequences of calls of an engine. An engine that is searched, stopped, cancelled and searched
//! again must always behave like a new engine.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dlx::parallel::{Cores, Parallel};
use dlx::{ENGINES, End, Engine, Limits, Progress, Solver, Subtree};

use super::problem::{engine, listed};
use super::{Target, noise};
use crate::bytes::Bytes;
use crate::draw;
use crate::oracle::{self, Cover};

pub(super) const TARGET: Target = Target {
    name: "calls",
    summary: "sequences of calls on one engine: parts, rests, stops, flags",
    run,
    seeds: noise,
    short_runs: 5_000,
};

/// Draws a problem, an engine, and a sequence of calls.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let chosen = bytes.below(128);
    let problem = draw::small(&mut bytes);
    // Starting threads takes a hundred times as long as a search, so the parallel engine is chosen
    // rarely.
    let mut engine: Box<dyn Engine + '_> = if chosen == 127 {
        let Ok(made) = Parallel::new(&ENGINES[bytes.below(ENGINES.len())], &problem, 2) else { return };
        let portion = 1 + bytes.below(9) as u64;
        Box::new(made.patience(Duration::ZERO).portion(portion).waiting(100))
    } else if chosen == 126 {
        Box::new(Solver::new(problem.clone()).on(&Cores::new(1)))
    } else {
        let Some((_, engine)) = engine(&problem, chosen) else { return };
        engine
    };
    // The remaining subtrees of a stopped search, with the covers that are expected in total and
    // the covers found so far.
    let mut rest: Option<(BTreeSet<Cover>, BTreeSet<Cover>, Vec<Subtree>)> = None;
    for _ in 0..8 {
        if bytes.is_empty() {
            break;
        }
        let given = draw::options(&mut bytes, &problem);
        let without = draw::options(&mut bytes, &problem);
        let part = Subtree::new(given.clone(), without.clone());
        let Some(expected) = oracle::covers(&problem, &given, &without, 20_000) else { return };
        let flag = Arc::new(AtomicBool::new(bytes.once_in(16)));
        let progress = Arc::new(Progress::default());
        let limits = Limits::new()
            .nodes(bytes.once_in(2).then(|| bytes.below(16) as u64))
            .solutions(bytes.once_in(3).then(|| bytes.below(5) as u64))
            .nodes_expected(bytes.once_in(8).then(|| bytes.below(30) as u64))
            .cancel(bytes.once_in(2).then(|| Arc::clone(&flag)))
            .progress(bytes.once_in(3).then(|| Arc::clone(&progress)))
            .profile(bytes.once_in(4))
            .rest(bytes.once_in(2));
        match bytes.below(4) {
            0 => {
                let report = engine.count_subtree(&part, &limits);
                assert!(report.solutions <= expected.len() as u64);
                if report.end == End::Exhausted {
                    assert_eq!(report.count(), Some(expected.len() as u64));
                }
                assert!(limits.nodes.is_none_or(|most| report.nodes <= most));
            }
            1 if rest.is_some() => {
                let (expected, found, parts) = rest.as_mut().expect("it is some");
                if let Some(part) = parts.pop() {
                    let limits = limits.rest(true);
                    let (more, report) = listed(engine.as_mut(), &part, &limits);
                    assert!(more.is_disjoint(found), "a cover belongs to one part");
                    found.extend(more);
                    match report.rest {
                        Some(left) => parts.extend(left),
                        None if report.end == End::Exhausted => {}
                        // An engine that cannot report the rest of a search would find the same
                        // covers again.
                        None => rest = None,
                    }
                } else {
                    assert_eq!(found, expected, "the parts make up the whole");
                    rest = None;
                }
            }
            kind => {
                let stop = (kind == 2).then(|| bytes.below(6));
                let mut found = BTreeSet::new();
                let report = engine.search_subtree(&part, &limits, &mut |cover| {
                    assert!(found.insert(cover.iter().copied().collect::<Cover>()));
                    if found.len() == 1 {
                        flag.store(true, Ordering::Relaxed);
                    }
                    let is_enough = stop.is_some_and(|stop| found.len() > stop);
                    if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                assert_eq!(report.solutions, found.len() as u64);
                assert!(found.is_subset(&expected));
                match (report.end, report.rest) {
                    (End::Exhausted, None) => assert_eq!(found, expected),
                    (End::Exhausted, Some(_)) => panic!("what is exhausted leaves nothing"),
                    (_, Some(parts)) => rest = Some((expected, found, parts)),
                    _ => {}
                }
            }
        }
        assert!(engine.is_at_rest(&problem));
        assert!((0.0..=1.0).contains(&progress.fraction()), "{}", progress.fraction());
    }
}
