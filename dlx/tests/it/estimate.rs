//! Tests that the mean of estimates is unbiased, that the confidence interval has its stated
//! coverage, and that an estimate whose states all fit into the beam is exact.

use std::time::{Duration, Instant};

use dlx::engine::Naive;
use dlx::estimate::{Estimate, Settings, estimate};
use dlx::{Engine, Limits, OptionId, Problem};
use fastrand::Rng;

use crate::random::{self, ALL_FEATURES};
use crate::samples;

fn dominoes(size: usize) -> Problem {
    samples::dominoes(size, size).parse().expect("a problem")
}

fn sample(problem: &Problem, given: &[OptionId], beam: usize, runs: u64, seed: u64) -> Estimate {
    let settings = Settings::new().beam(beam).seed(seed).runs(runs);
    estimate(problem, given, &Limits::default(), &settings).expect("there is no limit")
}

#[test]
fn the_mean_of_many_runs_is_the_count_for_every_beam_width() {
    let (problem, count) = (dominoes(6), 6728.0);
    for beam in [1, 2, 3, 4, 6] {
        let found = sample(&problem, &[], beam, 3000, 5);
        let off = (found.count.to_f64() / count - 1.0) / found.error;
        assert!(!found.is_exact, "there are more states than {beam}");
        assert!(off.abs() < 4.0 && found.error < 0.1, "beam {beam}: {found:?}");
    }
    let found = sample(&problem, &[], 1000, 1, 1);
    assert!(found.is_exact, "{found:?}");
    assert_eq!(found.count.to_string(), "6728");
}

#[test]
fn estimates_of_random_problems_are_unbiased() {
    let mut rng = Rng::with_seed(3);
    let (mut inexact, mut sum) = (0.0, 0.0);
    for round in 0..2000 {
        let problem = random::problem(&mut rng, ALL_FEATURES[round % 4]);
        let given: Vec<OptionId> = problem.options().filter(|_| rng.u8(0..20) == 0).collect();
        let expected = Naive::new(&problem).count(&given, &Limits::default()).solutions as f64;
        let found = sample(&problem, &given, 1, 300, rng.u64(..));
        let count = found.count.to_f64();
        let text = dlx::text::write(&problem);
        if found.is_exact || found.error < 1e-9 || count == 0.0 {
            assert!((count - expected).abs() < 1e-6, "{count} for {expected}: {given:?} in\n{text}");
        } else {
            let off = (count - expected) / (count * found.error);
            if off.abs() > 4.0 {
                // A few runs may miss a rare branch, but many runs do not.
                let more = sample(&problem, &given, 1, 20_000, rng.u64(..));
                let off = (more.count.to_f64() - expected) / (more.count.to_f64() * more.error);
                assert!(off.abs() < 4.0, "{off} with {given:?} in\n{text}");
            }
            inexact += 1.0;
            sum += off;
        }
    }
    let bias: f64 = sum / f64::sqrt(inexact);
    assert!(inexact > 50.0 && bias.abs() < 4.0, "{inexact} samples are off by {bias} standard errors");
}

#[test]
fn the_confidence_interval_has_about_its_stated_coverage() {
    let (problem, count) = (dominoes(6), 6728_f64.log10());
    let holds = |&seed: &u64| {
        let found = sample(&problem, &[], 6, 16, seed);
        (found.low.log10()..=found.high.log10()).contains(&count)
    };
    let hits = (0..200).filter(holds).count();
    assert!((180..=199).contains(&hits), "{hits} of 200");
}

#[test]
fn the_number_of_states_is_estimated_by_recapture() {
    let problem = dominoes(16);
    let exact = sample(&problem, &[], 100_000, 1, 1).states;
    let found = sample(&problem, &[], 100, 1, 1).states;
    assert!((0.6..1.6).contains(&(found / exact)), "{found} for {exact}");
}

#[test]
fn an_estimate_fails_without_time_and_is_exact_with_enough_time() {
    let problem = dominoes(12);
    let limits = Limits::new().deadline(Instant::now());
    assert!(estimate(&problem, &[], &limits, &Settings::default()).is_err(), "no time");
    let limits = Limits::default().within(Duration::from_secs(20));
    let found = estimate(&problem, &[], &limits, &Settings::default()).expect("time enough");
    assert!(found.is_exact, "{found:?}");
    assert_eq!(found.count.to_string(), "5.306e16");
}
