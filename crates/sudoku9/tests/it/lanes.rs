//! Tests that the lanes give the answers of an oracle with every instruction set, for any mixture
//! of puzzles.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use fastrand::Rng;
use sudoku9::{Board, Cores, Effort, End, Lanes, Limit, Limits, Tally, leaves};

use crate::grids::{Recorder, mixture, puzzle, run, solved};
use crate::oracle::{self, Marks};

const LIMIT: u64 = 20;

/// Does the same as [`run`], but searches one puzzle after the other.
fn run_alone<'a>(lanes: &mut Lanes, boards: &'a [Board], limits: &Limits) -> (Recorder<'a>, Effort) {
    let mut recorder = Recorder::new(boards);
    let effort = lanes.run_alone(&mut recorder, limits, None);
    (recorder, effort)
}

/// A function that searches boards, either together or one after the other.
type Search = for<'a> fn(&mut Lanes, &'a [Board], &Limits) -> (Recorder<'a>, Effort);

/// Checks, for every instruction set, that a batch gives the counts of the oracle and that each
/// solution is valid. Returns the counts.
#[track_caller]
fn check(grids: &[Marks]) -> Vec<u64> {
    let boards: Vec<Board> =
        grids.iter().map(|marks| Board::from_candidates(|cell| marks[cell])).collect();
    let known: Vec<Option<u64>> = grids.iter().map(|marks| oracle::count(marks, LIMIT)).collect();
    for leaf in leaves() {
        let mut lanes = Lanes::with(leaf);
        for (limit, search) in
            [LIMIT, 2, 1].into_iter().flat_map(|limit| [(limit, run as Search), (limit, run_alone)])
        {
            let (recorder, effort) = search(&mut lanes, &boards, &Limits::new().solutions(limit));
            assert_eq!(effort.end, End::Exhausted);
            for (index, marks) in grids.iter().enumerate() {
                let tally = recorder.tallies[index].expect("every puzzle is reported");
                if let Some(known) = known[index] {
                    assert_eq!(tally.solutions, known.min(limit), "{}: {marks:?}", leaf.name);
                }
                let is_cut = tally.solutions == limit;
                assert_eq!(
                    tally.end,
                    if is_cut { End::Limit(Limit::Solutions) } else { End::Exhausted }
                );
                for solution in &recorder.found[index] {
                    assert!(oracle::is_solution(marks, solution), "{}: {marks:?}", leaf.name);
                }
            }
            let nodes = recorder.tallies.iter().flatten().map(|tally| tally.nodes);
            assert_eq!(effort.nodes, nodes.sum::<u64>());
        }
    }
    known.into_iter().flatten().collect()
}

#[test]
fn every_instruction_set_finds_the_solutions_of_the_oracle() {
    let mut rng = Rng::with_seed(81);
    let grids: Vec<Marks> = mixture(&mut rng, 300).iter().map(oracle::marks).collect();
    let counts = check(&grids);
    assert!(counts.len() > 150 && [0, 1, LIMIT].iter().all(|count| counts.contains(count)));
}

#[test]
fn pencil_marks_restrict_the_count() {
    let mut rng = Rng::with_seed(9);
    let grids: Vec<Marks> = (0..100)
        .map(|_| {
            solved(&mut rng).map(|digit| {
                let own = 1 << (digit - b'1');
                let marks = own | rng.u16(0..512) & rng.u16(0..512);
                if rng.u8(0..200) == 0 { marks & !own | 1 } else { marks }
            })
        })
        .collect();
    let counts = check(&grids);
    assert!(counts.iter().filter(|&&count| count > 0).count() > 10);
}

#[test]
fn puzzles_with_clashing_clues_have_no_solution() {
    let mut rng = Rng::with_seed(17);
    let grids: Vec<Marks> = (0..400).map(|nth| oracle::clash(&mut rng, nth)).collect();
    let counts = check(&grids);
    assert!(counts.len() > 300, "the oracle knows most: {}", counts.len());
    assert!(counts.iter().filter(|&&count| count == 0).count() > 200);
}

#[test]
fn sparse_and_random_grids_match_the_oracle() {
    let mut rng = Rng::with_seed(29);
    let grids: Vec<Marks> = (0..600)
        .map(|nth| {
            let mut text = puzzle(&mut rng, 4 + nth % 26, usize::from(nth % 3 == 0));
            if nth % 5 == 0 {
                text = std::array::from_fn(|_| match rng.usize(0..81) < nth % 40 {
                    true => rng.u8(b'1'..=b'9'),
                    false => b'.',
                });
            }
            oracle::marks(&text)
        })
        .collect();
    let counts = check(&grids);
    assert!(counts.len() > 300, "the oracle knows most: {}", counts.len());
    assert!(counts.iter().filter(|&&count| count == 0).count() > 50);
}

#[test]
fn all_instruction_sets_count_the_same_and_pending_branches_are_bounded() {
    let mut rng = Rng::with_seed(31);
    let boards: Vec<Board> = (0..82 * 12)
        .map(|nth| Board::from_digits(&puzzle(&mut rng, nth % 82, nth / 82 % 3 % (nth % 82 + 1))))
        .collect();
    for limit in [1, 2, 1000] {
        let mut known: Option<(Vec<Option<Tally>>, u64)> = None;
        for leaf in leaves() {
            let mut lanes = Lanes::with(leaf);
            for search in [run as Search, run_alone] {
                let (recorder, effort) = search(&mut lanes, &boards, &Limits::new().solutions(limit));
                assert_eq!(effort.end, End::Exhausted);
                let stacks = if leaf.name == "plain" { 1 } else { 32 };
                assert!(effort.waiting_max <= 81 * stacks, "{}: {effort:?}", leaf.name);
                let (tallies, nodes) = known.get_or_insert((recorder.tallies.clone(), effort.nodes));
                for (tally, known) in recorder.tallies.iter().zip(tallies) {
                    let (tally, known) = (tally.expect("an answer"), known.expect("an answer"));
                    assert_eq!(
                        (tally.solutions, tally.end),
                        (known.solutions, known.end),
                        "{}",
                        leaf.name
                    );
                }
                assert!(effort.nodes < 2 * *nodes, "{}: {effort:?}, the first took {nodes}", leaf.name);
            }
        }
    }
}

#[test]
fn all_instruction_sets_make_the_same_guesses() {
    let mut rng = Rng::with_seed(11);
    let boards: Vec<Board> = mixture(&mut rng, 200).iter().map(Board::from_digits).collect();
    let effort = |leaf| run(&mut Lanes::with(leaf), &boards, &Limits::new().solutions(2)).1;
    let efforts: Vec<_> = leaves().map(|leaf| (leaf.name, effort(leaf))).collect();
    let named = |name: &str| efforts.iter().find(|(other, _)| *other == name).map(|(_, effort)| effort);
    // Leaves with the same number of lanes do exactly the same work.
    if let (Some(one), Some(other)) = (named("avx512vl"), named("avx2")) {
        assert_eq!(one, other);
    }
    // With another number of lanes the schedule differs, so the work beyond the limit also differs.
    let most = efforts.iter().map(|(_, effort)| effort.nodes).max().expect("a leaf");
    let least = efforts.iter().map(|(_, effort)| effort.nodes).min().expect("a leaf");
    assert!(most < least + least / 4, "{efforts:?}");
}

#[test]
fn the_hardest_puzzles_take_few_guesses() {
    // From a list of Sudoku puzzles with a rating above 11.
    let lines = [
        b"98.7..6..7.5.9......4..8...8...7.3....9..3.2....8...4.6....71...5.1.........6...2",
        b"98.7..6..7..5.......4.8..7.3...7..9..4...5..2.....1..6.7..3..4...32.........5.1..",
        b"98.7..6..7..5.......4.8..7.8...9..4..432.............1.7..3..9....1....6.....5..2",
    ];
    let boards = lines.map(Board::from_digits);
    for leaf in leaves() {
        let (recorder, effort) = run(&mut Lanes::with(leaf), &boards, &Limits::new().solutions(2));
        assert!(recorder.found.iter().all(|found| found.len() == 1));
        // The puzzles take about 345 nodes. If the search took the first cell of two candidates
        // instead of the best, the number would double.
        assert!(effort.nodes < 450, "{}: {effort:?}", leaf.name);
    }
}

#[test]
fn propagation_does_not_depend_on_digit_names_or_line_order() {
    let mut rng = Rng::with_seed(27);
    let effort = |lanes: &mut Lanes, text: &[u8; 81]| {
        run(lanes, &[Board::from_digits(text)], &Limits::new().solutions(2)).1
    };
    let mut without_guess = 0;
    for _ in 0..200 {
        let text = puzzle(&mut rng, 45, 0);
        let mut digits: Vec<u8> = (b'1'..=b'9').collect();
        rng.shuffle(&mut digits);
        let mut order = || {
            let mut order = [0, 1, 2];
            rng.shuffle(&mut order);
            order
        };
        let (bands, stacks) = (order(), order());
        let (rows, columns) = ([order(), order(), order()], [order(), order(), order()]);
        let moved = |line: usize, thirds: &[usize; 3], inside: &[[usize; 3]; 3]| {
            3 * thirds[line / 3] + inside[line / 3][line % 3]
        };
        let moved: [u8; 81] = std::array::from_fn(|cell| {
            let (row, column) = (moved(cell / 9, &bands, &rows), moved(cell % 9, &stacks, &columns));
            text[9 * row + column]
        });
        let renamed = moved.map(|c| if c == b'.' { c } else { digits[usize::from(c - b'1')] });
        for leaf in leaves() {
            let mut lanes = Lanes::with(leaf);
            let first = effort(&mut lanes, &text);
            if first.nodes == 1 {
                let [mut moved, mut renamed] = [moved, renamed].map(|text| effort(&mut lanes, &text));
                renamed.steps = first.steps;
                if leaf.name == "plain" {
                    moved.steps = first.steps;
                }
                assert_eq!([moved, renamed], [first; 2], "{}", leaf.name);
                without_guess += 1;
            }
        }
    }
    assert!(without_guess > 100, "{without_guess}");
}

#[test]
fn all_instruction_sets_read_and_write_lines_in_the_same_way() {
    let mut rng = Rng::with_seed(3);
    let mut clashing = 0;
    for round in 0..500 {
        let text: [u8; 81] = match round {
            0 => [b'.'; 81],
            1 => solved(&mut rng),
            _ if round % 2 == 0 => {
                let clues = rng.usize(..82);
                let blank =
                    |c: u8| if c == b'.' { [b'.', b'0', b':', b'*', 0, 0xb1][clues % 6] } else { c };
                puzzle(&mut rng, clues, 0).map(blank)
            }
            _ => std::array::from_fn(|_| match rng.u8(0..3) {
                0 => rng.u8(..),
                _ => rng.u8(b'.'..=b':'),
            }),
        };
        let board = Board::from_digits(&text);
        let plain = text.map(|c| if (b'1'..=b'9').contains(&c) { c } else { b'.' });
        let marks: Vec<u16> = (0..81).map(|cell| board.candidates(cell) & rng.u16(..)).collect();
        let marked = Board::from_candidates(|cell| marks[cell]);
        for leaf in leaves() {
            let mut read = marked;
            leaf.read_line(&text, &mut read);
            if read != board {
                let cells = 0..81;
                assert!(
                    cells.clone().any(|a| cells.clone().any(|b| clash(&text, a, b))),
                    "{}",
                    leaf.name
                );
                assert_eq!(read, Board::EMPTY, "{}", leaf.name);
                clashing += 1;
            }
            let mut written = [0; 81];
            leaf.write_line(&board, &mut written);
            assert_eq!(written, plain, "{}", leaf.name);
            leaf.write_line(&marked, &mut written);
            let shown = |cell: usize| match marks[cell].count_ones() {
                1 => b'1' + marks[cell].trailing_zeros() as u8,
                _ => b'.',
            };
            assert_eq!(written, std::array::from_fn(shown), "{}", leaf.name);
        }
    }
    assert!(clashing > 100, "{clashing}");
}

/// Returns whether two cells are peers and have the same clue.
fn clash(text: &[u8; 81], a: usize, b: usize) -> bool {
    let [(i, j), (k, l)] = [a, b].map(|cell| (cell / 9, cell % 9));
    let sees = a != b && (i == k || j == l || (i / 3, j / 3) == (k / 3, l / 3));
    sees && text[a] == text[b] && (b'1'..=b'9').contains(&text[a])
}

#[test]
fn a_full_grid_with_a_digit_twice_in_a_line_has_no_solution() {
    // All boxes have each digit once. Without the shift of a band, each column has three digits
    // three times; the transposed grid has them in its rows.
    let grid = |shift: usize, is_turned: bool| {
        Board::from_candidates(|cell| {
            let (row, column) = if is_turned { (cell % 9, cell / 9) } else { (cell / 9, cell % 9) };
            1 << ((3 * (row % 3) + shift * (row / 3) + column) % 9)
        })
    };
    for lanes in &mut leaves().map(Lanes::with).collect::<Vec<_>>() {
        for (shift, solutions) in [(0, 0), (1, 1)] {
            for board in [grid(shift, false), grid(shift, true)] {
                assert_eq!(lanes.count(&board, 2), solutions, "{}: {board}", lanes.leaf().name);
                assert_eq!(lanes.solve(&board), (solutions == 1).then_some(board));
            }
        }
    }
}

#[test]
fn clashing_clues_are_detected_in_all_cells() {
    let mut lanes: Vec<Lanes> = leaves().map(Lanes::with).collect();
    for (a, b) in (0..81).flat_map(|b| (0..b).map(move |a| (a, b))) {
        for digit in [b'9', b'1' + ((a + b) % 8) as u8] {
            let mut text = [b'.'; 81];
            (text[a], text[b]) = (digit, digit);
            let expected = u64::from(!clash(&text, a, b));
            let board = Board::from_digits(&text);
            assert_eq!([a, b].map(|cell| board.candidates(cell)), [1 << (digit - b'1'); 2]);
            for lanes in &mut lanes {
                let mut read = Board::EMPTY;
                lanes.leaf().read_line(&text, &mut read);
                let of_line = lanes.count_line(&text, 1).expect("cells");
                let counts = [of_line, lanes.count(&board, 1), lanes.count(&read, 1)];
                assert_eq!(counts, [expected; 3], "{}: {digit} in {a} and {b}", lanes.leaf().name);
                assert_eq!(lanes.solve_line(&text).map(|found| found.is_some()), Ok(expected == 1));
                let boards = [read];
                let (recorder, _) = run(lanes, &boards, &Limits::new().solutions(1));
                assert_eq!(recorder.tallies[0].map(|tally| tally.solutions), Some(expected));
            }
        }
    }
}

#[test]
fn puzzles_given_as_lines_and_as_boards_have_the_same_answers() {
    let mut rng = Rng::with_seed(81);
    let mut lanes: Vec<Lanes> = leaves().map(Lanes::with).collect();
    let mut counts = [0; 3];
    for round in 0..600 {
        let clues = rng.usize(17..82);
        let text = puzzle(&mut rng, clues, round % 3);
        let expected = oracle::count(&oracle::marks(&text), 2);
        for lanes in &mut lanes {
            let board = Board::from_digits(&text);
            let found = lanes.count_line(&text, 2).expect("cells");
            assert_eq!(found, lanes.count(&board, 2), "{}", lanes.leaf().name);
            assert!(expected.is_none_or(|expected| expected == found), "{}", lanes.leaf().name);
            counts[found as usize] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Returns a grid with several hundred thousand solutions.
fn open_grid() -> Board {
    Board::from_digits(
        b"12345678945678912378912345.......................................................",
    )
}

#[test]
fn boards_left_by_a_run_have_exactly_the_solutions_not_yet_found() {
    let mut rng = Rng::with_seed(17);
    for leaf in leaves() {
        let mut lanes = Lanes::with(leaf);
        for _ in 0..20 {
            let board = Board::from_digits(&puzzle(&mut rng, 28, 0));
            let expected = lanes.count(&board, 20_000);
            if expected == 20_000 {
                continue;
            }
            let (mut open, mut found, mut runs) = (vec![board], BTreeSet::new(), 0);
            while !open.is_empty() {
                let boards = open.split_off(open.len() - rng.usize(1..=open.len()));
                let nodes = rng.u64(1..200);
                let limits = Limits::new().nodes(nodes);
                let mut recorder = Recorder::new(&boards);
                let effort = match rng.bool() {
                    true => lanes.run_part(&mut recorder, &limits, &mut open),
                    false => lanes.run_alone(&mut recorder, &limits, Some(&mut open)),
                };
                assert!(effort.nodes <= nodes);
                open.extend(recorder.boards);
                for solutions in recorder.found {
                    let count = found.len() + solutions.len();
                    found.extend(solutions);
                    assert_eq!(found.len(), count, "a solution is found twice");
                }
                runs += 1;
                assert!(runs < 100_000, "a run of few nodes comes forward");
            }
            assert_eq!(found.len() as u64, expected, "{}", leaf.name);
        }
    }
}

#[test]
fn a_solver_can_be_reused_after_a_limit_ended_a_run() {
    let boards = [open_grid(), Board::from_digits(&[b'.'; 81]), open_grid()];
    for leaf in leaves() {
        let mut lanes = Lanes::with(leaf);
        let mut recorder = Recorder::new(&boards);
        recorder.stop_after = 1000;
        assert_eq!(lanes.run(&mut recorder, &Limits::new()).end, End::Stopped);
        assert_eq!(recorder.found.iter().map(BTreeSet::len).sum::<usize>(), 1000);
        for stop_after in [1, 20, 1000] {
            let mut recorder = Recorder::new(&boards);
            recorder.stop_after = stop_after;
            let effort = lanes.run_alone(&mut recorder, &Limits::new(), None);
            assert_eq!(effort.end, End::Stopped);
            assert_eq!(recorder.found.iter().map(BTreeSet::len).sum::<usize>(), stop_after);
        }
        let late = Limits::new().deadline(Instant::now());
        let nodes = Limits::new().nodes(10_000);
        let cancelled = Limits::new().cancel(Arc::new(AtomicBool::new(true)));
        let ends = [(late, Limit::Time), (nodes, Limit::Nodes), (cancelled, Limit::Cancelled)];
        for ((limits, end), search) in
            ends.iter().flat_map(|end| [(end.clone(), run as Search), (end.clone(), run_alone)])
        {
            let (recorder, effort) = search(&mut lanes, &boards, &limits);
            assert_eq!(effort.end, End::Limit(end));
            let tallies: Vec<Tally> = recorder.tallies.into_iter().flatten().collect();
            assert!(tallies.iter().all(|tally| tally.end == End::Limit(end)));
            assert_eq!(tallies.len(), boards.len() - recorder.boards.len());
        }
        assert_eq!(lanes.count(&boards[0], 5), 5);
        let none = run(&mut lanes, &boards, &Limits::new().solutions(0)).0;
        assert!(none.found.iter().all(BTreeSet::is_empty));
    }
}

#[test]
fn several_cores_and_one_core_give_the_same_count() {
    let mut rng = Rng::with_seed(5);
    let mut large = 0;
    for clues in [24, 23, 22, 24, 23, 22, 21] {
        let board = Board::from_digits(&puzzle(&mut rng, clues, 0));
        let mut lanes = Lanes::new();
        let expected = lanes.count(&board, 3_000_000);
        if expected == 3_000_000 {
            continue;
        }
        for helpers in [0, 1, 5] {
            let count = lanes.count_all(&board, &Limits::new(), &Cores::new(helpers));
            assert_eq!((count.end, count.solutions), (End::Exhausted, expected.into()));
        }
        if expected > 50_000 {
            large += 1;
            let late = Limits::new().deadline(Instant::now());
            let count = lanes.count_all(&board, &late, &Cores::new(2));
            assert_eq!(count.end, End::Limit(Limit::Time));
        }
    }
    assert!(large > 1, "{large}");
}

#[test]
fn each_thread_of_a_long_count_checks_the_limits() {
    // The grid has some 7.8 billion solutions.
    for helpers in [0, 2] {
        let cancel = Arc::new(AtomicBool::new(false));
        let limits = Limits::new().cancel(Arc::clone(&cancel));
        let end = std::thread::scope(|scope| {
            let count = || Lanes::new().count_all(&open_grid(), &limits, &Cores::new(helpers)).end;
            let count = scope.spawn(count);
            std::thread::sleep(std::time::Duration::from_millis(30));
            cancel.store(true, std::sync::atomic::Ordering::Relaxed);
            count.join().expect("a count that is cancelled ends")
        });
        assert_eq!(end, End::Limit(Limit::Cancelled));
    }
}
