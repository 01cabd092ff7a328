//! Problems of 50 to 300 options, for bit masks of several blocks, wide lanes, independent parts,
//! and long races.

use dlx::count::{Counter, METHODS};
use dlx::{End, Engine as _, Limit, Limits, Solver};

use super::problem::{ENGINE_COUNT, engine, listed};
use super::{Target, noise};
use crate::bytes::Bytes;
use crate::{draw, oracle};

pub(super) const TARGET: Target = Target {
    name: "large",
    summary: "problems of 50 to 300 options against sums over states",
    run,
    seeds: noise,
    short_runs: 100,
};

const STATES: usize = 3_000;
const NODES: u64 = 3_000;

/// Maximum number of engines per execution; the bytes choose the first of them.
const ENGINES_MAX: usize = 4;

/// Draws a problem, counts its covers with the oracle, and compares the number with the counts of
/// the library.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let problem = draw::large(&mut bytes);
    let given = draw::options(&mut bytes, &problem);
    let Some(expected) = oracle::count(&problem, &given, STATES) else { return };
    let mut all: Option<std::collections::BTreeSet<_>> = None;
    let first = bytes.below(ENGINE_COUNT);
    for number in first..first + ENGINES_MAX {
        let Some((name, mut engine)) = engine(&problem, number) else { continue };
        if name == "naive" {
            continue;
        }
        let limits = Limits::new().nodes(NODES).rest(true);
        let report = engine.count(&given, &limits);
        assert!(u128::from(report.solutions) <= expected, "{name}: {report:?}, {expected}");
        match report.end {
            End::Exhausted => assert_eq!(u128::from(report.solutions), expected, "{name}"),
            End::Limit(Limit::Nodes | Limit::Numbers) => {}
            end => panic!("{name} ends with {end:?}"),
        }
        assert!(engine.is_at_rest(&problem), "{name}");
        if expected < 2_000 && report.end == End::Exhausted {
            let (found, _) = listed(engine.as_mut(), &given.clone().into(), &limits);
            if let Some(all) = &all {
                assert_eq!(all, &found, "{name}");
            }
            all = Some(found);
        }
    }
    let found = Solver::new(problem.clone()).count(&given, &Limits::new().solutions(2));
    if found.end != End::Limit(Limit::Nodes) {
        assert_eq!(u128::from(found.solutions), expected.min(2));
    }
    let mut counter = Counter::new(problem.clone());
    assert_eq!(counter.count(&given, &Limits::default()).total(), expected.into());
    let method = &METHODS[bytes.below(METHODS.len())];
    if method.name == "search" && expected > 100_000 {
        return;
    }
    let limits = Limits::new().memory(1 << (10 + bytes.below(16)));
    let mut counter = Counter::new(problem).by(method);
    let limits = limits.within(std::time::Duration::from_secs(2));
    if let Ok(report) = counter.try_count(&given, &limits)
        && report.end == End::Exhausted
    {
        assert_eq!(report.total(), expected.into(), "{}", method.name);
    }
}
