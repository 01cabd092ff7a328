//! Tests the lazy iterator over covers: it returns the covers of the oracle, respects limits, and
//! stops its search when dropped.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use dlx::engine::Naive;
use dlx::{End, Engine as _, LazyCovers, Limit, Limits, OptionId, Problem, Progress, Solver, verify};
use fastrand::Rng;

use crate::random::{ALL_FEATURES, given, parts, problem};
use crate::samples;

const PROBLEMS: usize = if cfg!(feature = "slow-tests") { 20_000 } else { 1000 };

/// Returns all covers. Panics if a cover is repeated.
fn sets(covers: &mut LazyCovers) -> BTreeSet<BTreeSet<OptionId>> {
    let mut sets = BTreeSet::new();
    for cover in covers {
        assert!(sets.insert(cover.into_iter().collect()), "a cover comes once");
    }
    sets
}

#[test]
fn lazy_covers_of_random_problems_agree_with_the_oracle() {
    let mut rng = Rng::with_seed(31);
    for round in 0..PROBLEMS {
        let make = if round % 2 == 0 { problem } else { parts };
        let problem = make(&mut rng, ALL_FEATURES[round / 2 % 4]);
        let given = given(&mut rng, &problem);
        let mut expected = BTreeSet::new();
        Naive::new(&problem).search(&given, &Limits::new(), &mut |cover| {
            expected.insert(cover.iter().copied().collect::<BTreeSet<_>>());
            ControlFlow::Continue(())
        });
        let count = expected.len() as u64;
        let context = || format!("given {given:?}:\n{}", dlx::text::write(&problem));
        // With a profile the thread of the iterator does all the work.
        for profile in [false, true] {
            let limits = Limits::new().profile(profile);
            let mut covers = dlx::solutions(&problem).given(&given).limits(limits.clone());
            assert!(covers.report().is_none());
            assert_eq!(sets(&mut covers), expected, "{}", context());
            let report = covers.report().expect("it is over");
            assert_eq!((report.solutions, report.end), (count, End::Exhausted), "{}", context());
            assert_eq!(covers.next(), None);

            let wanted = rng.u64(0..=count + 1);
            let mut covers =
                dlx::solutions(&problem).given(&given).limits(limits.solutions(wanted)).threads(2);
            let found = sets(&mut covers);
            assert!(found.is_subset(&expected), "{}", context());
            assert_eq!(found.len() as u64, wanted.min(count), "{}", context());
            let report = covers.report().expect("it is over");
            assert_eq!(report.solutions, wanted.min(count), "{}", context());
            if (1..=count).contains(&wanted) {
                assert_eq!(report.end, End::Limit(Limit::Solutions), "{}", context());
            }
        }
    }
}

fn dominoes(rows: usize, columns: usize) -> Problem {
    samples::dominoes(rows, columns).parse().expect("a problem")
}

#[test]
fn a_search_that_moves_to_other_threads_repeats_no_cover() {
    let problem = dominoes(6, 7);
    for threads in [1, 3] {
        let mut covers = dlx::solutions(&problem).threads(threads);
        assert_eq!(sets(&mut covers).len(), 31_529);
        let report = covers.report().expect("it is over");
        assert_eq!((report.solutions, report.end), (31_529, End::Exhausted));
        for wanted in [31, 32, 33, 1000, 31_529, 31_530] {
            let limits = Limits::new().solutions(wanted);
            let mut covers = dlx::solutions(&problem).threads(threads).limits(limits);
            assert_eq!(sets(&mut covers).len() as u64, wanted.min(31_529));
        }
        let limits = Limits::new().nodes(5000);
        let mut covers = dlx::solutions(&problem).threads(threads).limits(limits);
        let found = sets(&mut covers);
        assert!(found.iter().all(|set| {
            let cover: Vec<_> = set.iter().copied().collect();
            verify(&problem, &[], &cover).is_ok()
        }));
        let report = covers.report().expect("it is over");
        assert_eq!((report.nodes, report.end), (5000, End::Limit(Limit::Nodes)));
    }
}

#[test]
fn an_endless_search_ends_when_its_iterator_is_dropped() {
    // The first problem has practically endless covers. The second problem has no cover, which a
    // search cannot prove without the counting methods, and the profile disables these methods.
    let odd = Problem::from_sets(49, (0..49).flat_map(|a| (0..a).map(move |b| [a, b])));
    for problem in [dominoes(16, 16), odd.expect("sets")] {
        let progress = Arc::new(Progress::default());
        let limits = Limits::new().profile(true).progress(Arc::clone(&progress));
        let limits = limits.within(Duration::from_millis(200));
        // The thread of the search runs even if no cover is requested.
        let mut covers = Solver::new(problem.clone()).into_solutions(&[]).limits(limits);
        assert!(covers.by_ref().all(|cover| verify(&problem, &[], &cover).is_ok()));
        assert_eq!(covers.report().map(|report| report.end), Some(End::Limit(Limit::Time)));

        let mut covers = dlx::solutions(&dominoes(16, 16)).threads(2);
        assert!(covers.nth(100).is_some());
        drop(covers);
    }
}

#[test]
fn the_cancel_flag_ends_a_search_without_covers() {
    let odd = Problem::from_sets(49, (0..49).flat_map(|a| (0..a).map(move |b| [a, b])));
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits::new().profile(true).cancel(Arc::clone(&cancel));
    let mut covers = dlx::solutions(&odd.expect("sets")).limits(limits);
    let caller = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        cancel.store(true, Relaxed);
    });
    assert_eq!(covers.next(), None);
    assert_eq!(covers.report().map(|report| report.end), Some(End::Limit(Limit::Cancelled)));
    caller.join().expect("it ends");
}

#[test]
fn an_option_of_another_problem_panics_in_the_calling_thread() {
    let problem = dominoes(2, 2);
    for profile in [false, true] {
        let covers = dlx::solutions(&problem).given(&[OptionId::new(4)]);
        let mut covers = covers.limits(Limits::new().profile(profile));
        assert!(catch_unwind(AssertUnwindSafe(|| covers.next())).is_err());
    }
}
