use std::collections::BTreeMap;
use std::ops::ControlFlow;

use dlx::engine::Naive;
use dlx::{End, Engine as _, Limit, Limits};

use super::{Candidate, TrueCandidates};
use crate::algorithm;
use crate::stream::{Stream, StreamHints};
use puzzle::Puzzle;

fn read(text: &str) -> Box<dyn Puzzle> {
    let hints = StreamHints::default();
    let mut puzzles = Stream::open(std::io::Cursor::new(text.to_owned()), &hints).unwrap();
    puzzles.next().unwrap().unwrap()
}

/// Counts the solutions of each candidate by listing all solutions.
fn listed(puzzle: &dyn Puzzle) -> BTreeMap<Candidate, u64> {
    let mut counts = BTreeMap::new();
    let mut add = |cover: &[dlx::OptionId]| {
        for &option in cover {
            let candidate = match puzzle.as_symbols() {
                Some(grid) => {
                    grid.placed_by(option).map(|(cell, symbol)| Candidate::Symbol { cell, symbol })
                }
                None => Some(Candidate::Option(option)),
            };
            candidate.into_iter().for_each(|candidate| *counts.entry(candidate).or_insert(0) += 1);
        }
        ControlFlow::Continue(())
    };
    let mut auto = algorithm::by_name("auto").unwrap().build();
    auto.search(puzzle, &Limits::new(), &mut add).unwrap();
    counts
}

fn check_facts(name: &str, found: &TrueCandidates, expected: &BTreeMap<Candidate, u64>, is_done: bool) {
    let limit = u64::from(found.limit());
    for fact in found.facts() {
        let all = expected.get(&fact.candidate).copied().unwrap_or(0);
        assert!(fact.count <= all.min(limit), "{name}: {fact:?} of {all}");
        assert!(!is_done || fact.count == all.min(limit), "{name}: {fact:?} of {all}");
        assert!(!fact.is_exact || fact.count == all, "{name}: {fact:?} of {all}");
        assert!(fact.is_true().is_none_or(|is_true| is_true == (all > 0)), "{name}: {fact:?} of {all}");
    }
    let has = |candidate: &Candidate| found.facts().iter().any(|fact| fact.candidate == *candidate);
    assert!(
        found.facts().is_empty() && !is_done || expected.keys().all(has),
        "{name}: some are missing"
    );
}

fn check(text: &str) {
    let puzzle = read(text);
    let expected = listed(puzzle.as_ref());
    for limit in [1, 3, 1000] {
        let mut found = TrueCandidates::new(limit);
        for nodes in [0, 1, 5, 50, 500] {
            let end = found.search(puzzle.as_ref(), &Limits::new().nodes(nodes));
            assert!(matches!(end, End::Exhausted | End::Limit(Limit::Nodes)), "{text}: {end:?}");
            check_facts(text, &found, &expected, end == End::Exhausted);
        }
        assert_eq!(found.search(puzzle.as_ref(), &Limits::new()), End::Exhausted, "{text}");
        check_facts(text, &found, &expected, true);
        // An answer is not searched again, except by the lanes.
        let nodes = found.nodes();
        assert_eq!(found.search(puzzle.as_ref(), &Limits::new()), End::Exhausted, "{text}");
        check_facts(text, &found, &expected, true);
        assert!(found.nodes() <= nodes + 2000, "{text}: {nodes} nodes, then {}", found.nodes());
    }
}

#[test]
fn the_candidates_of_every_kind_agree_with_the_list_of_all_solutions() {
    for text in [
        "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..\n",
        "..3.2.6..9..3.5..1..18.64....8..29..7.......8..67.8......6.95..8..2.3..9..5.1....\n",
        "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.33.\n",
        "1...............\n",
        "................\n",
        "# puzzle: latin\n....\n.1..\n....\n...2\n",
        "# thermo: r1c1 r1c2 r1c3\n# killer: r3c1 r3c2 r4c1 = 7\n....\n....\n....\n....\n",
        "# killer: r1c1 r1c2 r1c3 = 6\n# thermo: r2c1 r1c1\n....\n....\n....\n....\n",
        "# puzzle: queens\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n. . . . . .\n",
        "# puzzle: langford\n4 . . . . 4 . .\n",
        "a b c d | x y\na b x:1\nc d x:1\na c x:2\nb d y\na b y\nc d\n",
        "a b | x\na b\na\nb x\nx\n",
    ] {
        check(text);
    }
}

#[test]
fn pieces_on_a_board_have_the_listed_options() {
    let puzzle::PuzzleSource::Text(source) = polyomino::KIND.source else { panic!("it is a text") };
    check(source.example);
}

#[test]
fn random_problems_agree_with_the_oracle() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..200 {
        let items = ["a", "b", "c", "d", "e", "f"];
        let mut text = format!("{} | x y\n", items.join(" "));
        for _ in 0..random.usize(4..16) {
            let size = random.usize(1..4);
            let mut option = random.choose_multiple(items, size).join(" ");
            for item in ["x", "y"] {
                match random.u8(0..6) {
                    0 => option += &format!(" {item}"),
                    1 | 2 => option += &format!(" {item}:{}", random.u8(0..2)),
                    _ => {}
                }
            }
            text += &(option + "\n");
        }
        let problem: dlx::Problem = text.parse().unwrap();
        let mut expected = BTreeMap::new();
        Naive::new(&problem).search(&[], &Limits::new(), &mut |cover| {
            for &option in cover {
                *expected.entry(Candidate::Option(option)).or_insert(0) += 1;
            }
            ControlFlow::Continue(())
        });
        let puzzle = read(&text);
        for limit in [1, 2, 1000] {
            let mut found = TrueCandidates::new(limit);
            let end = found.search(puzzle.as_ref(), &Limits::new().nodes(random.u64(0..40)));
            check_facts(&text, &found, &expected, end == End::Exhausted);
            assert_eq!(found.search(puzzle.as_ref(), &Limits::new()), End::Exhausted);
            check_facts(&text, &found, &expected, true);
        }
    }
}

#[test]
fn what_is_known_is_used_again_when_clues_are_added() {
    let grid = |clues: &str| read(&format!("# thermo: r1c1 r1c2 r1c3\n{clues}\n....\n....\n....\n"));
    let mut found = TrueCandidates::new(2);
    for clues in ["....", ".2..", ".23.", "123."] {
        let puzzle = grid(clues);
        let expected = listed(puzzle.as_ref());
        assert_eq!(found.search(puzzle.as_ref(), &Limits::new()), End::Exhausted);
        check_facts(clues, &found, &expected, true);
    }
    let queens =
        |clues: &str| read(&format!("# puzzle: queens\n{clues}\n{}", ". . . . . .\n".repeat(5)));
    for clues in [". . . . . .", ". Q . . . ."] {
        let puzzle = queens(clues);
        assert_eq!(found.search(puzzle.as_ref(), &Limits::new()), End::Exhausted);
        check_facts(clues, &found, &listed(puzzle.as_ref()), true);
    }
}

#[test]
fn limits_end_the_search_of_every_kind() {
    for text in
        ["................\n", "# thermo: r1c1 r1c2\n....\n....\n....\n....\n", "a b\na\nb\na b\n"]
    {
        let puzzle = read(text);
        let now = Limits::new().within(std::time::Duration::ZERO);
        let mut found = TrueCandidates::new(1);
        assert_eq!(found.search(puzzle.as_ref(), &now), End::Limit(Limit::Time), "{text}");
        check_facts(text, &found, &listed(puzzle.as_ref()), false);
    }
}
