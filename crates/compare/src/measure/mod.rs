//! Procedure of a comparison: a first pass for all answers, then rounds of all contenders in turn.
//!
//! The first pass collects the answers and warms up the machine; its times count only for searches
//! that were stopped. Each contender that answered all puzzles takes part in the rounds. Every
//! round begins with another contender. The best contenders continue with the same number of rounds
//! until the interval of each is narrow enough or its time is used up. A contender whose time is a
//! multiple of the best gets fewer rounds.

mod cost;
mod digest;
mod entrant;
mod machine;
mod program;
mod setup;
mod shrink;

use std::time::{Duration, Instant};

pub use self::entrant::{Entrant, OwnAlgorithm, RoundCost};
pub use self::program::{ADAPTERS, Adapter, AsProgram, Program};
pub use self::setup::{NamedPuzzle, Setup};
use crate::{
    Comparison, Contender, Cost, Machine, MedianInterval, Mismatch, PuzzleInfo, PuzzleOutcome,
};
use puzzle::Puzzle;

const ROUNDS_MIN: usize = 6;
const ROUNDS_BEHIND: usize = 3;
/// Ratio to the best time above which a contender gets fewer rounds.
const BEHIND: f64 = 4.0;
const ROUNDS_MAX: usize = 1000;
/// Maximum number of rounds whose costs are kept for a single puzzle.
const COSTS_KEPT: usize = 25;
/// Duration of a round (s) below which an untimed round precedes it, because other contenders have
/// replaced the contents of the caches.
const SHORT: f64 = 0.005;
/// Ratio of wall time to CPU time above which the machine counts as busy.
const BUSY: f64 = 1.1;
/// A round is an outlier if its time exceeds the third quartile by this many interquartile ranges.
const FAR: f64 = 3.0;
/// Outliers are reported if there is more than one in this many rounds.
const MANY: usize = 20;
/// Time limit of a contender for one smaller puzzle, during the search for the smallest mismatch.
const SMALLER_TIME: Duration = Duration::from_secs(1);
const SMALLEST_TIME: Duration = Duration::from_secs(10);

/// Lets all entrants answer the puzzles of `setup`, and measures them. Before each action, calls
/// `tell` with a description.
pub fn measure(
    entrants: &mut [Box<dyn Entrant>],
    setup: &Setup,
    tell: &mut dyn FnMut(&str),
) -> Comparison {
    let load = machine::load();
    let puzzles = setup.puzzles.iter().map(|(info, _)| info.clone()).collect();
    let mut contenders: Vec<Contender> =
        entrants.iter_mut().map(|entrant| answer(entrant.as_mut(), setup, tell)).collect();
    let mut comparison = Comparison {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        machine: Machine::this(),
        settings: setup.settings(),
        puzzles,
        ..Comparison::default()
    };
    comparison.mismatch = mismatch(setup, &contenders);
    if let Some(mismatch) = &mut comparison.mismatch {
        tell("the smallest puzzle on which two differ");
        let is_one = |entrant: &&mut Box<dyn Entrant>| {
            mismatch.contenders.iter().any(|name| name == entrant.name())
        };
        let mut those: Vec<_> = entrants.iter_mut().filter(is_one).collect();
        let puzzle = setup.puzzles[mismatch.puzzle].1.as_ref();
        mismatch.smallest = smallest(setup, puzzle, &mut those);
    }
    let mut spent = vec![Duration::ZERO; entrants.len()];
    for number in 0..ROUNDS_MAX {
        let best = contenders.iter().filter_map(Contender::time).map(|time| time.median);
        let best = best.fold(f64::INFINITY, f64::min);
        let is_open = contenders.iter().zip(&spent).any(|(contender, &spent)| {
            has_time(contender, setup, spent)
                && !is_behind(contender, best)
                && contender.time().is_none_or(|time| time.spread() > setup.precision)
        });
        let mut has_run = false;
        for place in 0..entrants.len() {
            let place = (place + number) % entrants.len();
            let contender = &mut contenders[place];
            let is_wanted =
                wants_round(contender, best, is_open) && has_time(contender, setup, spent[place]);
            if !is_wanted || setup.is_cancelled() {
                continue;
            }
            tell(&format!("round {} of {}", number + 1, contender.name));
            let begun = Instant::now();
            if contender.time().is_none_or(|time| time.median < SHORT) {
                entrants[place].round(setup);
            }
            let round = entrants[place].round(setup);
            spent[place] += begun.elapsed();
            let Some(round) = round else { continue };
            has_run = true;
            if contender.rounds.is_empty() && !round.each.is_empty() {
                // Discard the costs of the first pass, because they include checking the solutions.
                contender.runs.iter_mut().for_each(|run| run.costs.clear());
            }
            contender.rounds.push(round.total);
            for (run, cost) in contender.runs.iter_mut().zip(round.each) {
                if run.costs.len() < COSTS_KEPT {
                    run.costs.push(cost);
                }
            }
        }
        if !has_run {
            break;
        }
    }
    for (entrant, contender) in entrants.iter_mut().zip(&mut contenders) {
        if setup.has_profile && contender.is_finished() && !setup.is_cancelled() {
            tell(&format!("search tree of {}", contender.name));
            for (run, levels) in contender.runs.iter_mut().zip(entrant.levels(setup)) {
                run.levels = levels;
            }
        }
    }
    comparison.remarks = remarks(&contenders, load, machine::cores());
    contenders.sort_by(|a, b| rank(a).partial_cmp(&rank(b)).expect("times are numbers"));
    comparison.contenders = contenders;
    comparison
}

fn smallest(
    setup: &Setup,
    puzzle: &dyn Puzzle,
    entrants: &mut [&mut Box<dyn Entrant>],
) -> Option<String> {
    let end = Instant::now() + SMALLEST_TIME;
    shrink::shrink(puzzle, &mut |puzzle| {
        if Instant::now() >= end || setup.is_cancelled() {
            return false;
        }
        let setup = Setup {
            puzzles: vec![(PuzzleInfo::default(), puzzle)],
            limits: setup.limits.clone().progress(None),
            time: SMALLER_TIME,
            each: None,
            precision: setup.precision,
            has_profile: false,
        };
        let answers = entrants.iter_mut().map(|entrant| answer(entrant.as_mut(), &setup, &mut |_| {}));
        let contenders: Vec<_> = answers.collect();
        mismatch(&setup, &contenders).is_some()
    })
}

fn answer(entrant: &mut dyn Entrant, setup: &Setup, tell: &mut dyn FnMut(&str)) -> Contender {
    let mut contender = Contender {
        name: entrant.name().to_owned(),
        summary: entrant.summary().to_owned(),
        is_program: entrant.is_program(),
        ..Contender::default()
    };
    if !setup.is_cancelled() {
        tell(&format!("answers of {}", contender.name));
        match entrant.answer(setup) {
            Ok(runs) => contender.runs = runs,
            Err(refusal) => contender.refusal = Some(refusal),
        }
    }
    contender.is_complete = contender.runs.len() == setup.puzzles.len();
    contender
}

fn has_time(contender: &Contender, setup: &Setup, spent: Duration) -> bool {
    let next = contender.time().map_or(0.0, |time| time.median);
    contender.is_finished()
        && (contender.rounds.is_empty() || spent.as_secs_f64() + next <= setup.time.as_secs_f64())
}

fn is_behind(contender: &Contender, best: f64) -> bool {
    contender.time().is_some_and(|time| time.low > BEHIND * best)
}

/// Returns whether a contender needs another round. `is_open` means that some contender among the
/// best has not reached the precision.
fn wants_round(contender: &Contender, best: f64, is_open: bool) -> bool {
    if is_behind(contender, best) {
        contender.rounds.len() < ROUNDS_BEHIND
    } else {
        contender.rounds.len() < ROUNDS_MIN || is_open
    }
}

/// Returns a sort key. Finished contenders come first, by time; then stopped contenders, by the
/// number of finished puzzles; then contenders that refused the puzzles.
fn rank(contender: &Contender) -> (u8, f64) {
    match contender.time() {
        _ if contender.refusal.is_some() => (2, 0.0),
        Some(time) if contender.is_finished() => (0, time.median),
        _ => {
            let finished = contender.runs.iter().filter(|run| run.outcome == PuzzleOutcome::Finished);
            (1, -(finished.count() as f64))
        }
    }
}

fn mismatch(setup: &Setup, contenders: &[Contender]) -> Option<Mismatch> {
    for contender in contenders {
        for (puzzle, run) in contender.runs.iter().enumerate() {
            if let PuzzleOutcome::Wrong(why) = &run.outcome {
                let contenders = [contender.name.clone(), "the rules".to_owned()];
                let answers = [why.clone(), "otherwise".to_owned()];
                return Some(Mismatch { puzzle, contenders, answers, smallest: None });
            }
        }
    }
    for puzzle in 0..setup.puzzles.len() {
        let known = contenders.iter().filter_map(|contender| {
            let run = contender.runs.get(puzzle)?;
            (run.outcome == PuzzleOutcome::Finished).then_some((&contender.name, run))
        });
        let known: Vec<_> = known.collect();
        for (place, (name, run)) in known.iter().enumerate() {
            for (other_name, other) in &known[..place] {
                let is_other_set =
                    run.digest.is_some() && other.digest.is_some() && run.digest != other.digest;
                if run.solutions == other.solutions && !is_other_set {
                    continue;
                }
                let say = |solutions: &str, digest: &Option<String>| match digest {
                    Some(digest) if is_other_set => format!("{solutions} solutions, digest {digest}"),
                    _ => format!("{solutions} solutions"),
                };
                return Some(Mismatch {
                    puzzle,
                    contenders: [(*other_name).clone(), (*name).clone()],
                    answers: [say(&other.solutions, &other.digest), say(&run.solutions, &run.digest)],
                    smallest: None,
                });
            }
        }
    }
    None
}

fn remarks(contenders: &[Contender], load: Option<f64>, cores: usize) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(load) = load.filter(|&load| load > cores as f64) {
        remarks.push(format!(
            "System load was {load:.1} on {cores} cores before the run; times may be inflated."
        ));
    }
    // Compare wall time with CPU time only without external programs, which also wait for other
    // things than the processor.
    let is_own = contenders.iter().all(|contender| !contender.is_program);
    let costs: Vec<&Cost> =
        contenders.iter().filter(|_| is_own).flat_map(|contender| &contender.rounds).collect();
    let (wall, cpu) = costs
        .iter()
        .fold((0.0, 0.0), |(wall, cpu), cost| (wall + cost.wall, cpu + cost.cpu.unwrap_or(cost.wall)));
    if wall > BUSY * cpu && wall > 0.05 {
        let share = 100.0 * (1.0 - cpu / wall);
        remarks.push(format!(
            "The machine was busy: {share:.0} % of the time other programs had the core; the CPU time \
             says more than the clock."
        ));
    }
    for contender in contenders {
        let Some((count, most)) = outliers(contender) else { continue };
        let (rounds, name) = (contender.rounds.len(), &contender.name);
        remarks.push(format!(
            "{count} of {rounds} rounds of {name} took far longer than the others, up to {most:.1} \
             times the median."
        ));
    }
    remarks
}

fn outliers(contender: &Contender) -> Option<(usize, f64)> {
    let mut times: Vec<f64> = contender.rounds.iter().map(|cost| cost.wall).collect();
    if times.len() < ROUNDS_MIN {
        return None;
    }
    times.sort_unstable_by(f64::total_cmp);
    let quartile = |share: usize| times[(times.len() - 1) * share / 4];
    let fence = quartile(3) + FAR * (quartile(3) - quartile(1)).max(0.02 * quartile(2));
    let count = times.iter().filter(|&&time| time > fence).count();
    let median = MedianInterval::of(times.iter().copied())?.median;
    (count > times.len() / MANY).then(|| (count, times[times.len() - 1] / median))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PuzzleRun;

    fn contender(name: &str, solutions: &str, digest: Option<&str>) -> Contender {
        let digest = digest.map(str::to_owned);
        let run = PuzzleRun { solutions: solutions.to_owned(), digest, ..PuzzleRun::default() };
        Contender { name: name.to_owned(), runs: vec![run], is_complete: true, ..Contender::default() }
    }

    fn setup(puzzles: usize) -> Setup {
        let kind = farandole::kinds::by_name("queens").unwrap().parameter.unwrap();
        let puzzle = || {
            (
                Default::default(),
                (kind.make)("4", &mut Default::default(), &Default::default()).unwrap(),
            )
        };
        let (limits, time) = (dlx::Limits::default(), Duration::from_secs(1));
        let puzzles = (0..puzzles).map(|_| puzzle()).collect();
        Setup { puzzles, limits, time, each: None, precision: 0.02, has_profile: false }
    }

    #[test]
    fn contenders_with_different_known_counts_or_digests_are_a_mismatch() {
        let find = |contenders: &[Contender]| {
            mismatch(&setup(1), contenders).map(|mismatch| mismatch.contenders)
        };
        let (a, b) = (contender("a", "2", Some("x")), contender("b", "2", Some("y")));
        let (c, d) = (contender("c", "2", None), contender("d", "3", None));
        assert_eq!(find(&[a.clone(), b.clone()]), Some(["a".to_owned(), "b".to_owned()]));
        assert_eq!(find(&[a.clone(), c.clone()]), None);
        assert_eq!(find(&[c, a.clone(), d.clone()]), Some(["c".to_owned(), "d".to_owned()]));
        let mut stopped = d;
        stopped.runs[0].outcome = PuzzleOutcome::Limit("time".to_owned());
        assert_eq!(find(&[a, stopped]), None);
    }

    #[test]
    fn slow_contenders_stop_early_and_the_best_ones_continue() {
        let mut one = contender("a", "1", None);
        let with_rounds = |contender: &mut Contender, walls: &[f64]| {
            contender.rounds = walls.iter().map(|&wall| Cost { wall, ..Cost::default() }).collect();
        };
        with_rounds(&mut one, &[1.0; 8]);
        assert_eq!([true, false].map(|is_open| wants_round(&one, 1.0, is_open)), [true, false]);
        with_rounds(&mut one, &[9.0; 3]);
        assert!(!wants_round(&one, 1.0, true), "it is far behind");
        with_rounds(&mut one, &[9.0; 2]);
        assert!(wants_round(&one, 1.0, false));
    }

    #[test]
    fn ratios_use_medians_even_if_early_rounds_were_disturbed() {
        let rounds = |walls: &[f64]| Contender {
            rounds: walls.iter().map(|&wall| Cost { wall, ..Cost::default() }).collect(),
            ..Contender::default()
        };
        let best = rounds(&[14.0, 15.0, 13.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        let other = rounds(&[70.0, 73.0, 75.0]);
        let ratio = other.ratio_to(&best).unwrap();
        assert_eq!((ratio.median, ratio.high), (73.0, 73.0));
        assert!(ratio.low < 6.0, "{ratio:?}");
    }

    #[test]
    fn outlier_rounds_are_reported() {
        let mut one = contender("a", "1", None);
        one.rounds = [1.0, 1.01, 0.99, 1.0, 1.02, 0.98, 1.0, 5.0]
            .map(|wall| Cost { wall, cpu: Some(wall), ..Cost::default() })
            .to_vec();
        assert_eq!(outliers(&one), Some((1, 5.0)));
        assert!(
            remarks(&[one.clone()], Some(0.0), 2)[0].starts_with("1 of 8 rounds of a took far longer")
        );
        one.rounds.pop();
        assert_eq!(outliers(&one), None);
        assert!(remarks(&[one.clone()], Some(9.0), 2)[0].starts_with("System load was 9.0"));
        one.rounds.iter_mut().for_each(|cost| cost.cpu = Some(0.5));
        assert!(remarks(&[one], None, 2)[0].starts_with("The machine was busy: 50 %"));
    }
}
