//! CPOG proofs of counts: the proofs of random problems are accepted, and spoiled proofs prove no
//! other count.

use std::ops::ControlFlow;

use dlx::engine::Naive;
use dlx::proofs::{ProofFault, prove_count};
use dlx::trust::{cpog, formula};
use dlx::{BigUint, Engine, Limit, Limits, Problem};
use fastrand::Rng;

use crate::random::{self, ALL_FEATURES};

const BYTES: usize = 1 << 24;

/// Returns the count, the formula and the proof, or `None` if CNF cannot hold the problem.
fn prove(problem: &Problem) -> Option<(BigUint, String, String)> {
    let (limits, mut text) = (Limits::new(), String::new());
    let formula = formula::cnf(problem, &[], &limits).ok()?;
    let count = prove_count(problem, &limits, BYTES, &mut |part| {
        text += part;
        ControlFlow::Continue(())
    });
    Some((count.expect("it is small"), formula, text))
}

fn check(problem: &Problem, formula: &str, proof: &str) -> Result<BigUint, String> {
    let checked = cpog::check(problem, formula, proof.as_bytes(), &Limits::new());
    checked.map_err(|fault| fault.to_string())
}

#[test]
fn the_proven_count_of_random_problems_is_the_count_of_the_oracle() {
    let mut rng = Rng::with_seed(17);
    let (mut proven, mut covered) = (0, 0);
    for round in 0..3000 {
        let problem = random::problem(&mut rng, ALL_FEATURES[round % 4]);
        let Some((count, formula, proof)) = prove(&problem) else { continue };
        let expected = Naive::new(&problem).count(&[], &Limits::new()).solutions.into();
        let text = dlx::text::write(&problem);
        assert_eq!(count, expected, "{text}");
        assert_eq!(check(&problem, &formula, &proof), Ok(expected), "{text}\n{proof}");
        proven += 1;
        covered += u32::from(count > BigUint::ZERO);
    }
    assert!(proven > 1000, "{proven}");
    assert!(covered > 300, "{covered}");
}

#[test]
fn spoiled_proofs_prove_no_other_count() {
    let mut rng = Rng::with_seed(5);
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..60 {
        let problem = random::problem(&mut rng, ALL_FEATURES[round % 4]);
        let Some((count, formula, proof)) = prove(&problem) else { continue };
        let lines: Vec<&str> = proof.lines().collect();
        let mut try_lines = |lines: &[&str]| match check(&problem, &formula, &lines.join("\n")) {
            Err(_) => refused += 1,
            Ok(found) => {
                assert_eq!(found, count, "{}", lines.join("\n"));
                accepted += 1;
            }
        };
        for place in 0..lines.len() {
            let mut dropped = lines.clone();
            dropped.remove(place);
            try_lines(&dropped);
            let mut swapped = lines.clone();
            swapped.swap(place, rng.usize(0..lines.len()));
            try_lines(&swapped);
            let words: Vec<&str> = lines[place].split(' ').collect();
            for at in 0..words.len() {
                let Ok(number) = words[at].parse::<i64>() else { continue };
                for new in [-number, number + 1, number - 1, 0] {
                    let (mut words, new) = (words.clone(), new.to_string());
                    words[at] = &new;
                    let line = words.join(" ");
                    let mut changed = lines.clone();
                    changed[place] = &line;
                    try_lines(&changed);
                }
            }
        }
    }
    assert!(refused > 5 * accepted, "{refused} refused, {accepted} accepted");
}

#[test]
fn a_root_that_is_not_the_formula_is_refused() {
    let problem: Problem = "a\na\na\n".parse().unwrap();
    let formula = "p cnf 2 2\n1 2 0\n-1 -2 0\n";
    let cases = [
        // The second option is left out: the clause of the root does not follow.
        ("3 p 3 1 -2 0\n6 a 3 0 1 2 3 0\nr 3\n", "2: clause 1 has more than one literal"),
        // A root that is always true.
        ("3 p 3 0\n4 a 3 0 3 0\nr 3\n", "4: the root does not satisfy clause 1 of the formula"),
        // Both options may be chosen, so the terms do not exclude each other.
        ("3 s 3 1 2 2 0\n", "1: expected a clause that defines a node, found 2"),
        ("3 p 3 1 -1 0\n", "1: expected factors without common options, found -1"),
        ("3 p 3 1 0\n5 p 4 2 -3 0\n", "2: expected no negated node, found -3"),
        ("3 p 3 1 0\nr 3\n", "3: expected the clause `3` of the root, found the end of the proof"),
        ("r 0\n", "2: expected the empty clause, found the end of the proof"),
        ("r 1\n", "1: expected 0 or the number of a node above, found `1`"),
        ("4 p 3 1 0\n", "1: expected the number 3 of the next clause, found `4`"),
        ("3 p 4 1 0\n", "1: expected the number 3 of the next node, found `4`"),
        ("3 a 5 0 1 0\n", "1: expected an option or a node above, found `5`"),
        ("3 a 1 0 9 0\n", "1: expected the number of a clause above, found `9`"),
        ("3 a 1 0 1\n", "1: expected a 0, found the end of the line"),
        ("3 d 1 0\n", "1: expected `a`, `p` or `s`, found `d`"),
    ];
    for (proof, expected) in cases {
        let fault = check(&problem, formula, proof).unwrap_err();
        assert!(fault.starts_with(expected), "{proof}: {fault}");
    }
    let blocked = "p cnf 2 3\n1 2 0\n-1 -2 0\n-1 0\n";
    assert!(check(&problem, blocked, "").unwrap_err().contains("without blocked covers"));
}

#[test]
fn limits_and_features_without_a_formula_end_a_proof() {
    let text: String = (0..12).flat_map(|a| (0..12).map(move |b| format!("r{a} c{b}\n"))).collect();
    let items: Vec<String> = (0..12).flat_map(|n| [format!("r{n}"), format!("c{n}")]).collect();
    let problem: Problem = format!("{}\n{text}", items.join(" ")).parse().unwrap();
    let ignore = &mut |_: &str| ControlFlow::Continue(());
    let full = prove_count(&problem, &Limits::new(), 1 << 12, ignore);
    assert_eq!(full, Err(Limit::Memory.into()));
    let late = Limits::new().within(std::time::Duration::ZERO);
    assert_eq!(prove_count(&problem, &late, BYTES, ignore), Err(Limit::Time.into()));
    let stopped = prove_count(&problem, &Limits::new(), BYTES, &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped, Err(ProofFault::Stopped));
    let doubled: Problem = "0:2|a\na\na\n".parse().unwrap();
    assert!(matches!(
        prove_count(&doubled, &Limits::new(), BYTES, ignore),
        Err(ProofFault::Formula(_))
    ));
}
