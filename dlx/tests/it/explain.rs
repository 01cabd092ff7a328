//! Explanations: an independent checker verifies every step, and the ending agrees with the oracle.

use dlx::explain::{Explainer, Explanation, ExplanationEnd, Reason, Settings};
use dlx::trust::check_explanation;
use dlx::{Engine, Limit, Limits, OptionId, Problem, engine};
use fastrand::Rng;

use crate::random::{ALL_FEATURES, problem};
use crate::squares::latin;

fn check(problem: &Problem, given: &[OptionId]) -> Explanation {
    let explained = Explainer::new(problem, Settings::new()).explain(given, &Limits::new());
    let show = || format!("{}\ngiven {given:?}\n{explained:#?}", dlx::text::write(problem));
    let checked = check_explanation(problem, given, &explained);
    assert!(checked.is_ok(), "{checked:?}\n{}", show());
    let count = engine::Links::new(problem).count(given, &Limits::new().solutions(2)).solutions;
    let expected = match explained.end {
        ExplanationEnd::Solved(_) => 1,
        ExplanationEnd::Impossible(_) | ExplanationEnd::Clash(_) => 0,
        _ => 2,
    };
    assert_eq!(count, expected, "{}", show());
    explained
}

/// Draws given cells of a random square until its completion is unique, and removes the redundant
/// ones.
fn puzzle(rng: &mut Rng, problem: &Problem, order: usize) -> Vec<OptionId> {
    let mut cells: Vec<usize> = (0..order * order).collect();
    rng.shuffle(&mut cells);
    let mut given = Vec::new();
    for cell in cells {
        let mut values: Vec<usize> = (0..order).collect();
        rng.shuffle(&mut values);
        for value in values {
            given.push(OptionId::new(cell * order + value));
            if engine::Links::new(problem).count(&given, &Limits::new().solutions(1)).solutions == 1 {
                break;
            }
            given.pop();
        }
    }
    for option in given.clone() {
        let fewer: Vec<OptionId> = given.iter().copied().filter(|&other| other != option).collect();
        let limits = Limits::new().solutions(2);
        if engine::Links::new(problem).count(&fewer, &limits).solutions == 1 {
            given = fewer;
        }
    }
    given
}

#[test]
fn explanations_of_random_problems_end_according_to_the_number_of_covers() {
    let mut rng = Rng::with_seed(1);
    for features in ALL_FEATURES {
        for _ in 0..1500 {
            let problem = problem(&mut rng, features);
            let count = if problem.option_count() == 0 { 0 } else { rng.usize(0..3) };
            let draw = |_| OptionId::new(rng.usize(0..problem.option_count()));
            let mut given: Vec<OptionId> = (0..count).map(draw).collect();
            given.dedup();
            check(&problem, &given);
        }
    }
}

#[test]
fn explanations_of_latin_squares_use_forced_options_and_sets() {
    let mut rng = Rng::with_seed(2);
    let mut kinds = [0; 4];
    for order in [4, 5, 6, 7] {
        let problem = latin(order);
        for _ in 0..12 {
            let given = puzzle(&mut rng, &problem, order);
            for step in check(&problem, &given).steps {
                kinds[match step.reason {
                    Reason::Forced { .. } => 0,
                    Reason::Sets { .. } => 1,
                    Reason::Supposition(_) => 2,
                    _ => 3,
                }] += 1;
            }
        }
    }
    assert!(kinds[0] > 100 && kinds[1] > 5, "{kinds:?}");
}

#[test]
fn a_step_that_claims_more_than_it_proves_is_refused() {
    let mut rng = Rng::with_seed(3);
    let problem = latin(5);
    let mut refused = 0;
    for _ in 0..10 {
        let given = puzzle(&mut rng, &problem, 5);
        let explained = check(&problem, &given);
        let ExplanationEnd::Solved(cover) = &explained.end else { panic!("it has one cover") };
        for (number, step) in explained.steps.iter().enumerate() {
            // A step that excludes an option of the cover is wrong.
            let mut wrong = explained.clone();
            let victim = cover.iter().find(|option| !step.on.contains(option)).expect("another one");
            wrong.steps[number].off.push(*victim);
            // The wrong step is accepted only if the option was chosen before.
            refused += usize::from(check_explanation(&problem, &given, &wrong).is_err());
            // A step without its full reason must be refused as well.
            let mut wrong = explained.clone();
            match &mut wrong.steps[number].reason {
                Reason::Sets { truths, .. } => drop(truths.pop()),
                Reason::Supposition(supposition) => drop(supposition.inferences.remove(0)),
                Reason::Split { branches, .. } => drop(branches.pop()),
                _ => continue,
            }
            let checked = check_explanation(&problem, &given, &wrong);
            assert!(checked.is_err_and(|fault| fault.step == number), "{:?}", explained.steps[number]);
        }
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn limits_end_an_explanation() {
    let problem = latin(8);
    let mut explainer = Explainer::new(&problem, Settings::new());
    let none = Limits::new().within(std::time::Duration::ZERO);
    assert_eq!(explainer.explain(&[], &none).end, ExplanationEnd::Cut(Limit::Time));
    let few = Limits::new().nodes(1);
    assert_eq!(explainer.explain(&[], &few).end, ExplanationEnd::Cut(Limit::Nodes));
    assert!(matches!(explainer.explain(&[], &Limits::new()).end, ExplanationEnd::Several(_)));
}

#[test]
fn a_rating_does_not_depend_on_the_order_of_the_options() {
    let mut rng = Rng::with_seed(4);
    let problem = latin(6);
    for _ in 0..5 {
        let given = puzzle(&mut rng, &problem, 6);
        let rate = |problem: &Problem, given: &[OptionId]| {
            Explainer::new(problem, Settings::rating()).explain(given, &Limits::new()).score()
        };
        let score = rate(&problem, &given);
        let turned = given.iter().map(|option| {
            let (cell, value) = (option.index() / 6, option.index() % 6);
            OptionId::new((cell % 6 * 6 + cell / 6) * 6 + value)
        });
        assert_eq!(rate(&problem, &turned.collect::<Vec<_>>()), score);
        let mut backwards = given.clone();
        backwards.reverse();
        assert_eq!(rate(&problem, &backwards), score);
    }
}
