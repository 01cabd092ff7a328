//! Proofs for other checkers. The checkers must accept written proofs. A changed proof or formula
//! must never prove another claim.

use std::ops::ControlFlow;

use dlx::proofs::{
    ProofFault, ProofFormat, Sink, formula_of_cheapest, formula_of_covers, prove_cheapest, prove_count,
    prove_covers,
};
use dlx::trust::veripb::Claim;
use dlx::trust::{cpog, formula, lrat, veripb};
use dlx::{BigUint, Limits, OptionId, Problem};

use super::{Target, noise};
use crate::bytes::Bytes;
use crate::mutate::Mutator;
use crate::{draw, oracle};

pub(super) const TARGET: Target = Target {
    name: "verify",
    summary: "formulas and proofs for other checkers, whole and changed",
    run,
    seeds: noise,
    short_runs: 3_000,
};

/// Largest number of covers of a problem whose proofs are written. More covers give long proofs and
/// no new lines.
const COVERS_MAX: usize = 60;
/// Bound of the states of a count (bytes).
const STATE_BYTES: usize = 1 << 24;
/// Words of formulas and proofs, separated by bars.
const WORDS: &str = " |\n|0|1|-1|2| 0\n|d |a |p |s |r |~|x1 |~x1 |rup |pol |del id |soli | + | * | d | >= | : |;|\
                     1 x1 |-1 ~x2 |170141183460469231731687303715884105727 |-9223372036854775808 |\
                     conclusion UNSAT : |output NONE;\n|p cnf |+1 x1 |>= 1 ;";

#[derive(Clone, Copy, Debug)]
enum Kind {
    Lrat,
    VeriPb,
    Cheapest,
    Cpog,
}

/// Draws a problem, writes a formula and a proof, changes one of them, and checks both.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let kind = [Kind::Lrat, Kind::VeriPb, Kind::Cheapest, Kind::Cpog][bytes.below(4)];
    let problem = draw::small(&mut bytes);
    let Some(covers) = oracle::covers(&problem, &[], &[], 60_000) else { return };
    if covers.len() > COVERS_MAX {
        return;
    }
    let covers: Vec<Vec<OptionId>> =
        covers.into_iter().map(|cover| cover.into_iter().collect()).collect();
    let Some((formula, proof, claim)) = write(kind, &problem, &covers) else { return };
    assert_eq!(check(kind, &problem, &formula, proof.as_bytes()), Some(claim), "{kind:?}");
    let words: Vec<&[u8]> = WORDS.split('|').map(str::as_bytes).collect();
    let mut mutator = Mutator::new(bytes.number());
    for _ in 0..6 {
        let formula_changes = mutator.below(4) == 0;
        let whole = if formula_changes { &formula } else { &proof };
        let changed = match mutator.below(3) {
            0 => lines(whole, &mut mutator).into_bytes(),
            _ => mutator.mutate(whole.as_bytes(), &words),
        };
        let found = match formula_changes {
            true => match String::from_utf8(changed.clone()) {
                Ok(formula) => check(kind, &problem, &formula, proof.as_bytes()),
                Err(_) => continue,
            },
            false => check(kind, &problem, &formula, &changed),
        };
        let changed = String::from_utf8_lossy(&changed);
        assert!(
            found.as_ref().is_none_or(|found| *found == claim),
            "{kind:?} proves {found:?}, not {claim:?}: {problem}\n{changed}"
        );
    }
}

/// Returns the formula, the proof and the true claim, or `None` if the kind has no proof of it.
fn write(kind: Kind, problem: &Problem, covers: &[Vec<OptionId>]) -> Option<(String, String, Claim)> {
    let limits = Limits::default();
    let mut proof = String::new();
    let mut sink = |part: &str| {
        proof += part;
        ControlFlow::Continue(())
    };
    let sink: &mut Sink<'_> = &mut sink;
    let count = Claim::Count(covers.len());
    let written = match kind {
        Kind::Lrat | Kind::VeriPb => {
            let format = if let Kind::Lrat = kind { ProofFormat::Lrat } else { ProofFormat::VeriPb };
            prove_covers(problem, covers, format, &limits, sink)
                .map(|()| (formula_of_covers(problem, covers, format, &limits), count))
        }
        Kind::Cheapest => {
            let cost = |cover: &&Vec<OptionId>| -> u128 {
                cover.iter().map(|&option| u128::from(problem.cost(option))).sum()
            };
            let cheapest = covers.iter().min_by_key(cost).filter(|_| problem.has_costs())?;
            prove_cheapest(problem, cheapest, &limits, sink)
                .map(|()| (formula_of_cheapest(problem, &limits), Claim::Cheapest(cost(&cheapest))))
        }
        Kind::Cpog => prove_count(problem, &limits, STATE_BYTES, sink).map(|found| {
            assert_eq!(found, BigUint::from(covers.len()), "{problem}");
            (formula::cnf(problem, &[], &limits), count)
        }),
    };
    match written {
        Ok((formula, claim)) => Some((formula.expect("the proof has a formula"), proof, claim)),
        // CNF has no other bounds.
        Err(ProofFault::Formula(formula::FormulaFault::Feature(_))) => None,
        Err(fault) => panic!("{kind:?}: {fault:?}: {problem}"),
    }
}

fn check(kind: Kind, problem: &Problem, formula: &str, proof: &[u8]) -> Option<Claim> {
    let limits = Limits::default();
    let count = |count: BigUint| Claim::Count(usize::try_from(count).unwrap_or(usize::MAX));
    match kind {
        Kind::Lrat => lrat::check(problem, formula, proof, &limits).map(Claim::Count).ok(),
        Kind::VeriPb | Kind::Cheapest => veripb::check(problem, formula, proof, &limits).ok(),
        Kind::Cpog => cpog::check(problem, formula, proof, &limits).map(count).ok(),
    }
}

/// Returns `text` with a line dropped, doubled, copied or exchanged with another one.
fn lines(text: &str, mutator: &mut Mutator) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let (one, other) = (mutator.below(lines.len()), mutator.below(lines.len()));
    match mutator.below(4) {
        _ if lines.is_empty() => {}
        0 => drop(lines.remove(one)),
        1 => lines.insert(other, lines[one]),
        2 => lines[one] = lines[other],
        _ => lines.swap(one, other),
    }
    lines.iter().map(|line| line.to_string() + "\n").collect()
}
