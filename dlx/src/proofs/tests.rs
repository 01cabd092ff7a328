use std::ops::ControlFlow;

use super::shards::{ShardUnion, formula_of_shard, prove_shard};
use super::*;
use crate::engine::Naive;
use crate::model::{Subtree, samples};
use crate::numbers::Random;
use crate::search::Engine;
use crate::trust::{CheckFault, lrat, veripb};

const FORMATS: [ProofFormat; 2] = [ProofFormat::Lrat, ProofFormat::VeriPb];

fn covers(problem: &Problem) -> Vec<Vec<OptionId>> {
    let mut covers = Vec::new();
    Naive::new(problem).search(&[], &Limits::default(), &mut |cover| {
        covers.push(cover.to_vec());
        ControlFlow::Continue(())
    });
    covers.iter_mut().for_each(|cover| cover.sort_unstable());
    covers
}

/// Returns the formula and the proof, or the reason why there is no proof.
fn prove(
    problem: &Problem,
    covers: &[Vec<OptionId>],
    format: ProofFormat,
) -> Result<(String, String), ProofFault> {
    let limits = Limits::default();
    let formula = formula_of_covers(problem, covers, format, &limits)?;
    let mut text = String::new();
    prove_covers(problem, covers, format, &limits, &mut |part| {
        text += part;
        ControlFlow::Continue(())
    })?;
    Ok((formula, text))
}

/// Returns the proven number of covers.
fn check(
    problem: &Problem,
    format: ProofFormat,
    formula: &str,
    proof: &str,
) -> Result<usize, CheckFault> {
    let limits = Limits::default();
    match format {
        ProofFormat::Lrat => lrat::check(problem, formula, proof.as_bytes(), &limits),
        ProofFormat::VeriPb => match veripb::check(problem, formula, proof.as_bytes(), &limits)? {
            veripb::Claim::Count(count) => Ok(count),
            veripb::Claim::Cheapest(cost) => panic!("a count, not the cost {cost}"),
        },
    }
}

/// Draws a problem with any mixture of features. The bounds are ones that CNF can hold, unless
/// `has_bounds`.
fn random_problem(random: &mut Random, has_bounds: bool) -> Problem {
    let (primary, secondary) = (1 + random.below(6), random.below(4));
    let mut text = String::new();
    for item in 0..primary {
        text += match random.below(8) {
            0 => "0:1|",
            1 if has_bounds => "1:2|",
            2 if has_bounds => "2|",
            3 if has_bounds => "0:3|",
            _ => "",
        };
        text += &format!("p{item} ");
    }
    text += "|";
    (0..secondary).for_each(|item| text += &format!(" s{item}"));
    for _ in 0..2 + random.below(12) {
        let mut line = String::new();
        for item in 0..primary {
            if random.below(3) == 0 {
                line += &format!("p{item} ");
            }
        }
        for item in 0..secondary {
            match random.below(9) {
                0 => line += &format!("s{item} "),
                1 | 2 => line += &format!("s{item}:red "),
                3 => line += &format!("s{item}:blue "),
                _ => {}
            }
        }
        if !line.is_empty() {
            text += &format!("\n{line}");
        }
    }
    text.parse().expect("a problem")
}

#[test]
fn the_proven_count_of_random_problems_is_the_count_of_the_naive_engine() {
    let mut random = Random::new(21);
    let mut counts = [0; 3];
    for round in 0..600 {
        let problem = match round % 3 {
            0 => samples::neighbors(&mut random, 8, 12),
            1 => random_problem(&mut random, false),
            _ => random_problem(&mut random, true),
        };
        let covers = covers(&problem);
        counts[covers.len().min(2)] += 1;
        for format in FORMATS {
            let proven = prove(&problem, &covers, format);
            if format == ProofFormat::Lrat && formula::check_cnf(&problem).is_err() {
                assert!(matches!(proven, Err(ProofFault::Formula(FormulaFault::Feature(_)))));
                continue;
            }
            let (formula, proof) = proven.unwrap_or_else(|fault| panic!("{fault:?}\n{problem}"));
            let found = check(&problem, format, &formula, &proof);
            assert_eq!(found, Ok(covers.len()), "{problem}\n{formula}\n{proof}");
            if let Some((_, some)) = covers.split_last() {
                let missing = prove(&problem, some, format);
                assert!(matches!(missing, Err(ProofFault::Missing(cover)) if covers.contains(&cover)));
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 60), "{counts:?}");
}

/// Returns the formula and the proof of clause learning, or of the tree search and clause learning
/// in turns, with this work of the first slice.
fn prove_by(
    problem: &Problem,
    covers: &[Vec<OptionId>],
    format: ProofFormat,
    (has_tree, first_slice): (bool, u64),
    limits: &Limits,
) -> Result<(String, String), ProofFault> {
    let mut pace = Pace::new(limits);
    let formula = formula_of_covers(problem, covers, format, &Limits::new())?;
    let rules = formula::rules(problem, &mut pace)?;
    let blocked = formula::blocking_clauses(problem, covers, &mut pace)?;
    let (ids, count) = RuleIds::new(problem, &rules, format, &mut pace)?;
    let extra = ExtraClauses::new(&[], blocked, count);
    let mut text = String::new();
    let mut sink = |part: &str| {
        text += part;
        ControlFlow::Continue(())
    };
    let mut log = ProofLog::new(format, extra.last(), &mut sink);
    let tree = tree::TreeSearch::new(problem, &rules, &ids, &extra, limits)?.filter(|_| has_tree);
    let learning = refute::learning(problem, &rules, &ids, &extra, limits)?;
    let contradiction = refute::alternate(tree, learning, first_slice, limits, &mut log)?;
    log.conclude(contradiction, None)?;
    Ok((formula, text))
}

#[test]
fn the_tree_search_and_clause_learning_prove_alone_and_in_turns() {
    let mut random = Random::new(77);
    for round in 0..300 {
        let problem = match round % 3 {
            0 => random_problem(&mut random, false),
            1 => samples::neighbors(&mut random, 8, 12),
            _ => samples::neighbors(&mut random, 10, 30),
        };
        if formula::check_cnf(&problem).is_err() {
            continue;
        }
        let covers = covers(&problem);
        for format in FORMATS {
            for by in [(true, u64::MAX), (false, u64::MAX), (true, 1)] {
                let (formula, proof) = prove_by(&problem, &covers, format, by, &Limits::new())
                    .unwrap_or_else(|fault| panic!("{by:?} {fault:?}\n{problem}"));
                let found = check(&problem, format, &formula, &proof);
                assert_eq!(found, Ok(covers.len()), "{by:?} {problem}\n{formula}\n{proof}");
            }
        }
    }
}

#[test]
fn too_few_neighbors_and_odd_components_are_short_proofs() {
    // Three squares with two neighbors, on a board with as many squares of both colors.
    let pocket = "a b c x y u v w\na x\nb x\nb y\nc y\nx u\ny v\nu w\nv w\n";
    // Three triangles at one vertex, and a fourth vertex that makes the number even.
    let triangles = "a b c d e f g h i z y x\na b\nb c\na c\nd e\ne f\nd f\ng h\nh i\ng i\n\
                     a z\nd z\ng z\nz y\ny x\nz x\n";
    for (text, lines) in [(pocket, 5), (triangles, 8)] {
        let problem: Problem = text.parse().expect("a problem");
        let (formula, proof) = prove(&problem, &[], ProofFormat::VeriPb).expect("a proof");
        assert_eq!(check(&problem, ProofFormat::VeriPb, &formula, &proof), Ok(0), "{proof}");
        assert!(proof.lines().count() <= lines + 3 && !proof.contains("rup"), "{proof}");
    }
}

/// Draws a problem whose options have one or two primary items, and some secondary items.
fn random_graph(random: &mut Random) -> Problem {
    let count = 3 + random.below(7);
    let names: Vec<String> = (0..count).map(|item| format!("p{item}")).collect();
    let mut text = names.join(" ") + " | s t u";
    for _ in 0..count + random.below(6) {
        let (a, b) = (random.below(count), random.below(count));
        text += &format!("\np{a}");
        if a != b {
            text += &format!(" p{b}");
        }
        text += ["", "", " s", " t", " s t", " u:red", " u:blue"][random.below(7)];
    }
    text.parse().expect("a problem")
}

#[test]
fn random_graphs_without_a_matching_have_valid_proofs() {
    let mut random = Random::new(14);
    let mut short = 0;
    for _ in 0..2000 {
        let problem = random_graph(&mut random);
        if covers(&problem).is_empty() {
            let (formula, proof) = prove(&problem, &[], ProofFormat::VeriPb).expect("a proof");
            assert_eq!(check(&problem, ProofFormat::VeriPb, &formula, &proof), Ok(0), "{problem}");
            short += u32::from(!proof.contains("rup"));
        }
    }
    assert!(short > 300, "{short}");
}

#[test]
fn the_union_of_the_proofs_of_all_shards_proves_the_problem() {
    let mut random = Random::new(91);
    let limits = Limits::default();
    let (mut several, mut missing) = (0, 0);
    for round in 0..200 {
        let problem = match round % 3 {
            0 => samples::neighbors(&mut random, 10, 20),
            1 => samples::latin(3),
            _ => random_problem(&mut random, false),
        };
        if formula::check_cnf(&problem).is_err() {
            continue;
        }
        let parts = crate::shards::split_apart(&problem, &[], 1 + random.below(8), &limits);
        let parts: Vec<_> = parts.expect("no limit").into_iter().map(|shard| shard.part).collect();
        let is_in = |cover: &[OptionId], part: &Subtree| {
            part.given().iter().all(|option| cover.contains(option))
                && !part.without().iter().any(|option| cover.contains(option))
        };
        let all = covers(&problem);
        let of_part = |part: &Subtree| -> Vec<_> {
            all.iter().filter(|cover| is_in(cover, part)).cloned().collect()
        };
        let proofs: Vec<String> = parts
            .iter()
            .map(|part| {
                let (covers, mut proof) = (of_part(part), String::new());
                let formula = formula_of_shard(&problem, part, &covers, &limits).expect("no limit");
                let proven = prove_shard(&problem, part, &covers, &limits, &mut |text| {
                    proof += text;
                    ControlFlow::Continue(())
                });
                assert_eq!(proven, Ok(()), "{problem}");
                let units = formula::part_literals(part);
                let found = lrat::check_part(&problem, &units, &formula, proof.as_bytes(), &limits);
                assert_eq!(found, Ok(covers.len()), "{problem}\n{formula}\n{proof}");
                proof
            })
            .collect();
        let union = |left_out: Option<usize>| {
            let kept = (0..parts.len()).filter(|&place| Some(place) != left_out);
            let covers: Vec<_> = kept.clone().flat_map(|place| of_part(&parts[place])).collect();
            let mut text = String::new();
            let mut sink = |part: &str| {
                text += part;
                ControlFlow::Continue(())
            };
            let mut union =
                ShardUnion::new(&problem, covers.len(), &limits, &mut sink).expect("no limit");
            for place in kept {
                let count = of_part(&parts[place]).len();
                union.add(&parts[place], count, proofs[place].as_bytes()).expect("a proof");
            }
            union.finish().map(|()| (covers, text))
        };
        let (covers, proof) = union(None).expect("all shards");
        let formula =
            formula_of_covers(&problem, &covers, ProofFormat::Lrat, &limits).expect("no limit");
        let found = check(&problem, ProofFormat::Lrat, &formula, &proof);
        assert_eq!(found, Ok(all.len()), "{problem}\n{proof}");
        several += u32::from(parts.len() > 1);
        if let Some(place) = (0..parts.len()).find(|&place| !of_part(&parts[place]).is_empty()) {
            missing += 1;
            assert!(matches!(union(Some(place)), Err(ProofFault::Missing(_))), "{problem}");
        }
    }
    assert!(several > 50 && missing > 50, "{several} {missing}");
}

/// Returns the problem of dominoes on a square board, with or without two opposite corners.
fn dominoes(size: usize, is_mutilated: bool) -> Problem {
    let has = |row: usize, column: usize| {
        let is_corner = (row, column) == (0, 0) || (row + 1, column + 1) == (size, size);
        row < size && column < size && !(is_mutilated && is_corner)
    };
    let squares: Vec<_> = (0..size * size).map(|at| (at / size, at % size)).collect();
    let name = |(row, column): (usize, usize)| format!("r{row}c{column}");
    let mut text = String::new();
    squares.iter().filter(|s| has(s.0, s.1)).for_each(|&square| text += &format!("{} ", name(square)));
    for &(row, column) in squares.iter().filter(|s| has(s.0, s.1)) {
        for other in [(row, column + 1), (row + 1, column)] {
            if has(other.0, other.1) {
                text += &format!("\n{} {}", name((row, column)), name(other));
            }
        }
    }
    text.parse().expect("a problem")
}

#[test]
fn a_combination_of_items_is_a_short_proof() {
    let problem = dominoes(20, true);
    let (formula, proof) = prove(&problem, &[], ProofFormat::VeriPb).expect("a proof");
    assert_eq!(check(&problem, ProofFormat::VeriPb, &formula, &proof), Ok(0));
    assert!(proof.len() < 4000, "{proof}");
    assert!(!proof.contains("rup"), "{proof}");
    // Five people cannot be paired: a combination modulo 2.
    let pairs = (0..5).flat_map(|b| (0..b).map(move |a| format!("\n{a} {b}")));
    let problem: Problem =
        ("0 1 2 3 4".to_owned() + &pairs.collect::<String>()).parse().expect("pairs");
    let (formula, proof) = prove(&problem, &[], ProofFormat::VeriPb).expect("a proof");
    assert_eq!(check(&problem, ProofFormat::VeriPb, &formula, &proof), Ok(0));
    assert!(!proof.contains("rup") && proof.contains(" 2 d"), "{proof}");
    let (formula, proof) = prove(&problem, &[], ProofFormat::Lrat).expect("a proof");
    assert_eq!(check(&problem, ProofFormat::Lrat, &formula, &proof), Ok(0));
}

#[test]
fn random_refutations_by_algebra_are_valid_cutting_planes() {
    let mut random = Random::new(5);
    let mut cut = 0;
    for round in 0..1500 {
        let problem = match round % 2 {
            0 => samples::neighbors(&mut random, 7, 8),
            _ => random_problem(&mut random, true),
        };
        if covers(&problem).is_empty() {
            let (formula, proof) = prove(&problem, &[], ProofFormat::VeriPb).expect("a proof");
            assert_eq!(check(&problem, ProofFormat::VeriPb, &formula, &proof), Ok(0), "{problem}");
            cut += u32::from(!proof.contains("rup"));
        }
    }
    assert!(cut > 100, "{cut}");
}

#[test]
fn the_proven_cost_is_the_least_cost_of_all_covers() {
    let mut random = Random::new(33);
    let (limits, mut proven, mut shortened) = (Limits::default(), 0, 0);
    for _ in 0..600 {
        let plain = random_problem(&mut random, true).to_string();
        let mut lines = plain.lines();
        let mut text = lines.next().unwrap_or_default().to_owned();
        lines.for_each(|line| text += &format!("\n{line} |{}", random.below(7)));
        let problem: Problem = text.parse().expect("a problem");
        let cost =
            |cover: &Vec<OptionId>| cover.iter().map(|&option| problem.cost(option)).sum::<u64>();
        let mut covers = covers(&problem);
        covers.sort_by_key(cost);
        let (Some(cheapest), true) = (covers.first(), problem.has_costs()) else { continue };
        let formula = formula_of_cheapest(&problem, &limits).expect("no limit");
        let mut proof = String::new();
        let mut prove = |cover: &[OptionId]| {
            proof.clear();
            prove_cheapest(&problem, cover, &limits, &mut |part| {
                proof += part;
                ControlFlow::Continue(())
            })
        };
        if let Some(other) = covers.iter().find(|&other| cost(other) > cost(cheapest)) {
            assert!(matches!(prove(other), Err(ProofFault::Missing(_))), "{text}");
        }
        assert_eq!(prove(cheapest), Ok(()), "{text}");
        let claim = veripb::check(&problem, &formula, proof.as_bytes(), &limits);
        assert_eq!(claim, Ok(veripb::Claim::Cheapest(cost(cheapest).into())), "{text}\n{proof}");
        // VeriPB refuses a solution that leaves the value of an option out.
        if let Some(at) = proof.find(" ~x").filter(|&at| proof[..at].lines().count() == 3) {
            let end = at + 1 + proof[at + 1..].find([' ', ';']).expect("an end");
            let short = proof[..at].to_owned() + &proof[end..];
            assert!(veripb::check(&problem, &formula, short.as_bytes(), &limits).is_err(), "{short}");
            shortened += 1;
        }
        proven += 1;
    }
    assert!(proven > 100 && shortened > 50, "{proven} {shortened}");
}

#[test]
fn a_proof_with_few_learned_clauses_in_memory_deletes_and_is_valid() {
    let problem = samples::latin(4);
    let covers = covers(&problem);
    let limits = Limits::new().memory(16 * 400);
    let format = ProofFormat::Lrat;
    let by_learning = (false, u64::MAX);
    let (formula, proof) = prove_by(&problem, &covers, format, by_learning, &limits).expect("a proof");
    assert!(proof.contains(" d "), "{proof}");
    assert_eq!(check(&problem, format, &formula, &proof), Ok(576));
}

#[test]
fn comments_of_formulas_have_at_most_1024_bytes_and_keep_every_word() {
    let (items, long) = (400, "ü".repeat(700));
    let names: Vec<String> = (0..items).map(|item| format!("item{item}")).collect();
    let all = names.join(" ");
    let text = format!("{all} {long}\n{all}\n{long}\n{all} {long}\n") + &names.join("\n");
    let problem: Problem = text.parse().expect("a problem");
    let covers = covers(&problem);
    assert_eq!(covers.len(), 3);
    for format in FORMATS {
        let (formula, proof) = prove(&problem, &covers, format).expect("a proof");
        let comments: Vec<&str> = formula.lines().filter(|line| line.starts_with(['c', '*'])).collect();
        assert!(comments.iter().all(|line| line.len() <= 1024));
        let words = comments.concat().replace(['c', '*', ' '], "");
        assert!(words.contains(&format!("x1={}", names.concat())) && words.contains(&long), "{words}");
        assert_eq!(check(&problem, format, &formula, &proof), Ok(3));
    }
}

#[test]
fn limits_and_a_closed_sink_end_a_proof() {
    let problem = dominoes(8, true);
    let mut go_on = |_: &str| ControlFlow::Continue(());
    let prove = |limits: &Limits, sink: &mut Sink<'_>| {
        prove_covers(&problem, &[], ProofFormat::Lrat, limits, sink)
    };
    let ended = |limit| Err(ProofFault::Formula(FormulaFault::Limit(limit)));
    assert_eq!(prove(&Limits::new().nodes(100), &mut go_on), ended(Limit::Nodes));
    assert_eq!(prove(&Limits::new().within(std::time::Duration::ZERO), &mut go_on), ended(Limit::Time));
    let stopped = prove(&Limits::new(), &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped, Err(ProofFault::Stopped));
}

#[test]
fn spoiled_proofs_and_formulas_are_refused() {
    let mut random = Random::new(8);
    let (mut spoiled, mut accepted) = (0, 0);
    let text = "a b c d e f g\nc e f\na d g\nb c f\na d\nb g\nd e g\na b\nc d\ne f g\na g\nb e\nc f\n";
    let colored =
        "A B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\nA X:0\nB C Y:0\nB Y:0\nC\n";
    for problem in [text.parse().expect("a problem"), colored.parse().expect("one"), dominoes(4, false)]
    {
        let covers = covers(&problem);
        for format in FORMATS {
            let (formula, proof) = prove(&problem, &covers, format).expect("a proof");
            let count = covers.len();
            let mut try_it = |formula: &str, proof: &str, what: &str, must_fail: bool| {
                spoiled += 1;
                let found = check(&problem, format, formula, proof);
                match found {
                    Ok(found) => {
                        accepted += 1;
                        // A valid proof of the right claim may remain.
                        assert!(!must_fail && found == count, "{what}: {found}\n{formula}\n{proof}");
                    }
                    Err(fault) => assert!(fault.line > 0 && fault.limit.is_none(), "{what}"),
                }
            };
            for (place, line) in formula.lines().enumerate() {
                let is_comment = line.starts_with('c') || (place > 0 && line.starts_with('*'));
                let with = |new: &str| replaced(&formula, place, new);
                try_it(&with(""), &proof, "a line of the formula left out", !is_comment);
                let words: Vec<&str> = line.split(' ').collect();
                for word in 0..words.len() {
                    if !is_comment && let Some(flipped) = flipped(words[word]) {
                        let mut words = words.clone();
                        words[word] = &flipped;
                        try_it(&with(&words.join(" ")), &proof, "a number of the formula", true);
                    }
                }
            }
            for (place, line) in proof.lines().enumerate() {
                try_it(&formula, &replaced(&proof, place, ""), "a line left out", false);
                let words: Vec<&str> = line.split(' ').collect();
                for _ in 0..3 {
                    let word = random.below(words.len());
                    let Some(flipped) = flipped(words[word]) else { continue };
                    let mut words = words.clone();
                    words[word] = &flipped;
                    try_it(&formula, &replaced(&proof, place, &words.join(" ")), "a number", false);
                }
            }
        }
    }
    assert!(spoiled > 1000 && accepted * 4 < spoiled, "{spoiled} {accepted}");
}

/// Returns `text` with another line at `place` (from 0), or without it if `new` is empty.
fn replaced(text: &str, place: usize, new: &str) -> String {
    let lines = text.lines().enumerate().map(|(at, line)| if at == place { new } else { line });
    lines.filter(|line| !line.is_empty()).map(|line| line.to_owned() + "\n").collect()
}

/// Returns another number or literal in place of `word`, if it is one.
fn flipped(word: &str) -> Option<String> {
    if let Some(name) = word.strip_prefix('~') {
        return Some(name.to_owned());
    }
    if word.starts_with('x') {
        return Some("~".to_owned() + word);
    }
    let number: i64 = word.parse().ok()?;
    Some(if number == 0 { 1 } else { -number }.to_string())
}
