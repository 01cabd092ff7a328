//! 9x9 grids with contradictory clues of every known kind. Each must be answered soon, and with the
//! same answer as an engine gives.
//!
//! The kinds in [`SORTS`] range from equal clues in a unit to pigeonholes that no single
//! propagation step detects. Grids of each kind have 0 to 81 clues.

use std::io::{BufRead, BufReader, Write as _};
use std::ops::ControlFlow;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use dlx::engine::Links;
use dlx::parallel::Cores;
use dlx::{End, Engine, Limit, Limits, Problem};
use farandole::algorithm;
use fastrand::Rng;
use grid::{Grid, Shape, Style};
use puzzle::{Fill, Puzzle as _, Translator};
use sudoku9::{Batch, Board, Lanes, Tally, leaves};

use crate::command::{command, run};
use crate::lanes::grids::solved;
use crate::lanes::{fill, shape};

/// Candidates of the 81 cells, row by row. Bit 0 stands for digit 1, and bit 8 for digit 9.
type Marks = [u16; 81];

const ANY: u16 = 0x1ff;

/// Returns the cells of unit `nth`. Rows come first, then columns, then boxes.
fn unit(nth: usize) -> [usize; 9] {
    let k = nth % 9;
    std::array::from_fn(|i| match nth / 9 {
        0 => 9 * k + i,
        1 => 9 * i + k,
        _ => 9 * (k / 3 * 3 + i / 3) + k % 3 * 3 + i % 3,
    })
}

fn units_of(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / 9, cell % 9);
    [row, 9 + column, 18 + row / 3 * 3 + column / 3]
}

fn shuffled(rng: &mut Rng, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut order);
    order
}

/// Draws how many clues a grid has. Half of the drawn values are uniform, and the others have
/// exposed bugs before.
fn clue_count(rng: &mut Rng) -> usize {
    if rng.bool() { rng.usize(0..=81) } else { *rng.choice(&[4, 8, 12, 14, 16, 20]).expect("some") }
}

/// Draws `clues` of the digits of a random valid grid.
fn subset(rng: &mut Rng, clues: usize) -> Marks {
    let grid = solved(rng);
    let mut marks = [ANY; 81];
    shuffled(rng, 81)[..clues].iter().for_each(|&cell| marks[cell] = 1 << (grid[cell] - b'1'));
    marks
}

/// Draws random digits for `clues` random cells.
fn anywhere(rng: &mut Rng, clues: usize) -> Marks {
    let mut marks = [ANY; 81];
    shuffled(rng, 81)[..clues].iter().for_each(|&cell| marks[cell] = 1 << rng.u8(0..9));
    marks
}

/// Draws clues of a valid grid, and repeats one of them in one of its units.
fn repeated(rng: &mut Rng, clues: usize) -> Marks {
    let mut marks = subset(rng, clues.max(1));
    let clue =
        rng.choice((0..81).filter(|&cell| marks[cell] != ANY).collect::<Vec<_>>()).expect("a clue");
    let nth = units_of(clue)[rng.usize(0..3)];
    let others: Vec<usize> = unit(nth).into_iter().filter(|&cell| cell != clue).collect();
    marks[rng.choice(others).expect("eight")] = marks[clue];
    marks
}

/// Draws clues of a valid grid, and replaces one or two of them with random digits.
fn wrong(rng: &mut Rng, clues: usize) -> Marks {
    let mut marks = subset(rng, clues.max(1));
    let given: Vec<usize> = (0..81).filter(|&cell| marks[cell] != ANY).collect();
    (0..rng.usize(1..3)).for_each(|_| marks[*rng.choice(&given).expect("a clue")] = 1 << rng.u8(0..9));
    marks
}

/// Adds clues that exclude `digits` from a cell. The clues are in units of the cell, but outside
/// the `spared` cells.
fn exclude(rng: &mut Rng, marks: &mut Marks, cell: usize, digits: u16, spared: &[usize]) {
    for digit in (0..9).filter(|digit| digits >> digit & 1 == 1) {
        let peers: Vec<usize> = units_of(cell).into_iter().flat_map(unit).collect();
        let has = |marks: &Marks| peers.iter().any(|&peer| marks[peer] == 1 << digit);
        let free = |&peer: &usize| {
            let clash =
                units_of(peer).into_iter().flat_map(unit).any(|other| marks[other] == 1 << digit);
            marks[peer] == ANY && !spared.contains(&peer) && !clash
        };
        let free: Vec<usize> = peers.iter().copied().filter(free).collect();
        if let (false, Some(&peer)) = (has(marks), rng.choice(&free)) {
            marks[peer] = 1 << digit;
        }
    }
}

/// Adds clues that leave only `count - 1` digits for `count` cells of a unit.
fn crowded(rng: &mut Rng, clues: usize) -> Marks {
    let few = if rng.bool() { 0 } else { clues.min(12) };
    let mut marks = subset(rng, few);
    let cells = unit(rng.usize(0..27));
    let count = rng.usize(2..=4);
    let crowd: Vec<usize> = shuffled(rng, 9)[..count].iter().map(|&i| cells[i]).collect();
    let digits = shuffled(rng, 9)[1..count].iter().fold(0, |digits, digit| digits | 1 << digit);
    for &cell in &crowd {
        marks[cell] = ANY;
        exclude(rng, &mut marks, cell, ANY & !digits, &crowd);
    }
    marks
}

/// Adds clues that leave only `count - 1` cells for `count` digits of a unit.
fn squeezed(rng: &mut Rng, clues: usize) -> Marks {
    let few = if rng.bool() { 0 } else { clues.min(12) };
    let mut marks = subset(rng, few);
    let cells = unit(rng.usize(0..27));
    let order = shuffled(rng, 9);
    let count = rng.usize(2..=5);
    let digits = shuffled(rng, 9)[..count].iter().fold(0, |digits, digit| digits | 1 << digit);
    for &i in &order[count - 1..] {
        exclude(rng, &mut marks, cells[i], digits, &cells);
    }
    marks
}

/// Uses pencil marks that leave only `count - 1` digits for `count` cells of a unit.
fn crowded_marks(rng: &mut Rng, clues: usize) -> Marks {
    let mut marks = subset(rng, clues.min(20));
    let cells = unit(rng.usize(0..27));
    let count = rng.usize(1..=8);
    let digits = shuffled(rng, 9)[1..count].iter().fold(0, |digits, digit| digits | 1 << digit);
    shuffled(rng, 9)[..count].iter().for_each(|&i| marks[cells[i]] = digits);
    marks
}

/// Uses pencil marks that leave only `count - 1` cells for `count` digits of a unit.
fn squeezed_marks(rng: &mut Rng, clues: usize) -> Marks {
    let mut marks = subset(rng, clues.min(20));
    let cells = unit(rng.usize(0..27));
    let count = rng.usize(1..=8);
    let digits = shuffled(rng, 9)[..count].iter().fold(0, |digits, digit| digits | 1 << digit);
    shuffled(rng, 9)[count - 1..].iter().for_each(|&i| marks[cells[i]] &= !digits);
    marks
}

/// Draws random pencil marks that include a solution, except in at most one cell.
fn any_marks(rng: &mut Rng, clues: usize) -> Marks {
    let mut marks = subset(rng, 81);
    for cell in shuffled(rng, 81).into_iter().skip(clues) {
        marks[cell] |= rng.u16(..) & ANY;
    }
    let odd = rng.usize(0..81);
    marks[odd] = rng.u16(..) & ANY;
    marks
}

type Sort = (&'static str, fn(&mut Rng, usize) -> Marks);

const SORTS: &[Sort] = &[
    ("subset", subset),
    ("anywhere", anywhere),
    ("repeated", repeated),
    ("wrong", wrong),
    ("crowded", crowded),
    ("squeezed", squeezed),
    ("crowded marks", crowded_marks),
    ("squeezed marks", squeezed_marks),
    ("any marks", any_marks),
];

/// Builds a grid of the kind with number `nth`, modulo the number of kinds.
fn clashing(rng: &mut Rng, nth: usize) -> Marks {
    let clues = clue_count(rng);
    SORTS[nth % SORTS.len()].1(rng, clues)
}

/// A digit twice in a box, and two more clues. An earlier version searched this grid forever in the
/// lanes.
const EIGHTS: &[u8; 81] =
    b"..........................................8........8....................2.......4";
/// In the first row, only four cells of the middle boxes are left for five digits. The lanes need
/// 1,697,521 nodes for this grid.
const SQUEEZED: &[u8; 81] =
    b"9....751...15....9............7.1...5......7....9.5...197....5...................";
const EASY: &str = "8127536499436821756754912831542378963698457212871695345219743684385269177963184..";

/// A batch for the lanes that counts up to two solutions of each grid. A grid is given up after
/// `nodes_max` nodes.
struct Counts<'a> {
    boards: std::slice::Iter<'a, Board>,
    nodes_max: u64,
    tallies: Vec<Option<Tally>>,
}

impl<'a> Counts<'a> {
    fn new(boards: &'a [Board], nodes_max: u64) -> Self {
        Self { boards: boards.iter(), nodes_max, tallies: vec![None; boards.len()] }
    }
}

impl Batch for Counts<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.boards.next().map(|next| *board = *next).is_some()
    }

    fn wants_solutions(&self) -> bool {
        false
    }

    fn nodes_max(&self) -> u64 {
        self.nodes_max
    }

    fn done(&mut self, puzzle: usize, tally: Tally) {
        assert!(self.tallies[puzzle].replace(tally).is_none(), "a puzzle is reported twice");
    }
}

fn lane_count(name: &str) -> usize {
    match name {
        "avx512" => 32,
        "avx512vl" | "avx2" => 16,
        "neon" => 8,
        // Without vector instructions the lanes search one grid at a time.
        _ => 1,
    }
}

fn as_fill(marks: &Marks, translator: &mut Translator, shape: &Arc<Shape>) -> Fill {
    let mut grid = Grid::empty(Arc::clone(shape), Style::default());
    for (cell, &marks) in marks.iter().enumerate().filter(|(_, marks)| **marks != ANY) {
        grid.set_candidates(cell, marks.into());
    }
    translator.puzzle(grid)
}

#[test]
fn repeated_clues_are_detected_in_two_steps_without_a_guess() {
    let mut rng = Rng::with_seed(12);
    for leaf in leaves() {
        let mut lanes = Lanes::with(leaf);
        // Without vector instructions a step examines two digits instead of nine, and it examines
        // some digits twice.
        let steps_max = if leaf.name == "plain" { 4 * 5 } else { 2 };
        for _ in 0..300 {
            let clues = clue_count(&mut rng);
            let marks = repeated(&mut rng, clues);
            let text = marks.map(|marks| match marks {
                ANY => b'.',
                _ => b'1' + marks.trailing_zeros() as u8,
            });
            let mut read = Board::EMPTY;
            leaf.read_line(&text, &mut read);
            for board in [read, Board::from_digits(&text), Board::from_candidates(|cell| marks[cell])] {
                let boards = [board];
                let mut counts = Counts::new(&boards, u64::MAX);
                let effort = lanes.run(&mut counts, &Limits::new());
                assert!(effort.steps <= steps_max, "{}: {effort:?} {marks:?}", leaf.name);
                assert_eq!(effort.nodes, 1, "{}: {marks:?}", leaf.name);
                let tally = counts.tallies[0].expect("the puzzle is reported");
                assert_eq!(tally.end, End::Exhausted);
                assert_eq!((tally.solutions, tally.nodes), (0, 1));
                assert_eq!(lanes.count(&board, u64::MAX), 0);
            }
        }
    }
}

#[test]
fn two_digits_forced_into_one_cell_are_refuted_without_a_guess() {
    // In one box, two digits have only one and the same cell left. The other digits are
    // unrestricted.
    let marks: Marks =
        std::array::from_fn(
            |cell| if cell % 9 < 3 && cell < 27 && cell != 10 { 0x7f << 2 } else { ANY },
        );
    for leaf in leaves() {
        let boards = [Board::from_candidates(|cell| marks[cell])];
        let mut counts = Counts::new(&boards, u64::MAX);
        let effort = Lanes::with(leaf).run(&mut counts, &Limits::new());
        assert_eq!(effort.nodes, 1, "{}", leaf.name);
        assert_eq!(counts.tallies[0].map(|tally| tally.solutions), Some(0));
    }
}

/// Node limit per grid for the engines that give the expected answers, since these engines cannot
/// finish every pigeonhole problem.
const ORACLE_NODES: u64 = 1 << 12;
/// Longest time for an answer, even on a busy machine, before the test fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// The expected answer: the number of solutions up to two, or a lower bound if the search was
/// stopped.
#[derive(Clone, Copy, Debug)]
struct Known {
    solutions: u64,
    is_cut: bool,
}

impl Known {
    fn allows(self, solutions: u64) -> bool {
        solutions == self.solutions || self.is_cut && solutions > self.solutions
    }
}

/// Two engines that share no code with the lanes. Each searches half of the grids.
struct Oracles {
    problem: Arc<Problem>,
    masks: Box<dyn Engine>,
    links: Links,
}

impl Oracles {
    fn new(problem: &Arc<Problem>) -> Self {
        let masks = dlx::ENGINES.iter().find(|engine| engine.name == "masks").expect("an engine");
        Self {
            problem: Arc::clone(problem),
            masks: (masks.build)(problem).expect("it takes Sudoku"),
            links: Links::new(problem),
        }
    }

    fn count(&mut self, nth: usize, fill: &Fill) -> Known {
        let limits = Limits::new().solutions(2).nodes(ORACLE_NODES);
        let report = if !Arc::ptr_eq(fill.problem(), &self.problem) {
            // A grid with pencil marks needs a problem of its own.
            Links::new(fill.problem()).count(fill.given(), &limits)
        } else if nth.is_multiple_of(2) {
            self.masks.count(fill.given(), &limits)
        } else {
            self.links.count(fill.given(), &limits)
        };
        Known { solutions: report.solutions, is_cut: report.end == End::Limit(Limit::Nodes) }
    }
}

#[test]
fn the_lane_solver_and_the_engines_agree_on_grids_with_every_kind_of_conflict() {
    let is_slow = cfg!(feature = "slow-tests");
    let (rounds, size) = if is_slow { (100, 10_000) } else { (3, 900) };
    let mut rng = Rng::with_seed(1_000_000);
    let (shape, mut translator) = (shape(), Translator::default());
    let mut oracles = Oracles::new(as_fill(&[ANY; 81], &mut translator, &shape).problem());
    let mut auto = algorithm::by_name("auto").expect("an algorithm").build();
    let mut answer = |fill: &Fill| {
        let report = auto.count(fill, &Limits::new().solutions(2).within(PATIENCE)).expect("9x9");
        let is_answered = matches!(report.end, End::Exhausted | End::Limit(Limit::Solutions));
        (is_answered.then_some(report.solutions), report.nodes)
    };
    let mut all: Vec<Lanes> = leaves().map(Lanes::with).collect();
    let (mut given_up, mut cut, mut nodes_max) = (0, 0, 0);
    let (mut found, mut memory) = ([0; 3], Vec::new());
    for round in 0..rounds {
        let grids: Vec<Marks> = (0..size).map(|nth| clashing(&mut rng, nth)).collect();
        let boards: Vec<Board> =
            grids.iter().map(|marks| Board::from_candidates(|cell| marks[cell])).collect();
        let fills: Vec<Fill> =
            grids.iter().map(|marks| as_fill(marks, &mut translator, &shape)).collect();
        let known: Vec<Known> =
            fills.iter().enumerate().map(|(nth, fill)| oracles.count(nth, fill)).collect();
        cut += known.iter().filter(|known| known.is_cut).count();
        // The first instruction set runs in every round, all others only in some rounds.
        let turns = if is_slow && round % 8 != 0 { 1 } else { all.len() };
        for lanes in &mut all[..turns] {
            let name = lanes.leaf().name;
            let mut counts = Counts::new(&boards, 1 << 12);
            let effort = lanes.run(&mut counts, &Limits::new().solutions(2));
            assert_eq!(effort.end, End::Exhausted);
            assert!(effort.waiting_max <= 81 * lane_count(name), "{name}: {effort:?}");
            for (nth, tally) in counts.tallies.iter().enumerate() {
                let tally = tally.expect("every puzzle is reported");
                let mut solutions = Some(tally.solutions);
                if tally.end == End::Limit(Limit::Nodes) {
                    given_up += 1;
                    let (answered, nodes) = answer(&fills[nth]);
                    (solutions, nodes_max) = (answered, nodes_max.max(nodes));
                }
                let solutions = solutions.unwrap_or_else(|| panic!("no answer: {:?}", grids[nth]));
                let known = known[nth];
                assert!(known.allows(solutions), "{name}, {solutions}, {known:?}: {:?}", grids[nth]);
                found[solutions as usize] += 1;
            }
        }
        // Search each grid alone with the algorithm that `auto` chooses.
        for nth in (0..size).step_by(if is_slow { 50 } else { 5 }) {
            let (solutions, _) = answer(&fills[nth]);
            assert!(solutions.is_some_and(|count| known[nth].allows(count)), "{:?}", grids[nth]);
        }
        let tried = (round + 1) * size;
        assert!(given_up <= tried / 50 && cut <= tried / 50, "{given_up} given up, {cut} cut");
        memory.push(resident());
    }
    let (start, middle, end) = (memory[0], memory[rounds / 2], memory[rounds - 1]);
    println!(
        "{found:?} with 0, 1 and more solutions, {given_up} given up, of which the hardest took {nodes_max} nodes; \
         oracles were cut {cut} times; {start}, {middle}, {end} KiB"
    );
    assert!(found.iter().all(|&count| count > rounds * size / 100), "{found:?}");
    assert!(end < middle + 16 * 1024, "memory is flat: {memory:?}");
}

/// Returns the resident memory of the process (KiB), or 0 if it is unknown.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

#[test]
fn the_number_of_pending_branches_in_the_lane_solver_is_bounded() {
    // Search an empty grid and grids with pigeonholes, all together and each alone.
    let mut rng = Rng::with_seed(99);
    let mut boards = vec![Board::from_digits(&[b'.'; 81]), Board::from_digits(SQUEEZED)];
    boards.extend((0..40).map(|_| {
        let marks = crowded_marks(&mut rng, 0);
        Board::from_candidates(|cell| marks[cell])
    }));
    let limits = Limits::new().nodes(60_000);
    for leaf in leaves() {
        let mut lanes = Lanes::with(leaf);
        let bound = 81 * lane_count(leaf.name);
        let mut most = 0;
        for boards in boards.chunks(1).chain([&boards[..]]) {
            let mut rest = Vec::new();
            let mut counts = Counts::new(boards, u64::MAX);
            let effort = lanes.run_part(&mut counts, &limits, &mut rest);
            assert!(effort.waiting_max <= bound, "{}: {effort:?}", leaf.name);
            assert!(rest.len() <= bound + lane_count(leaf.name));
            most = most.max(effort.waiting_max);
        }
        assert!(most > 10 * lane_count(leaf.name), "{}: {most}", leaf.name);
    }
}

#[test]
fn a_puzzle_that_takes_too_many_nodes_is_given_up_and_the_others_are_answered() {
    let mut rng = Rng::with_seed(30);
    for leaf in leaves() {
        let mut lanes = Lanes::with(leaf);
        for nodes_max in [1, 20, 1000] {
            let boards: Vec<Board> = (0..200)
                .map(|nth| match nth % 7 {
                    0 => Board::from_digits(SQUEEZED),
                    1 => Board::from_digits(&[b'.'; 81]),
                    _ => {
                        let marks = subset(&mut rng, 30);
                        Board::from_candidates(|cell| marks[cell])
                    }
                })
                .collect();
            let mut counts = Counts::new(&boards, nodes_max);
            let effort = lanes.run(&mut counts, &Limits::new().solutions(1000));
            assert_eq!(effort.end, End::Exhausted);
            let tallies: Vec<Tally> = counts.tallies.into_iter().flatten().collect();
            assert_eq!(tallies.len(), boards.len());
            assert_eq!(effort.nodes, tallies.iter().map(|tally| tally.nodes).sum::<u64>());
            for (nth, tally) in tallies.iter().enumerate() {
                assert!(tally.nodes <= nodes_max + 2 * lane_count(leaf.name) as u64, "{tally:?}");
                match tally.end {
                    End::Limit(Limit::Nodes) => assert!(tally.nodes >= nodes_max),
                    _ => {
                        let expected = Lanes::new().count(&boards[nth], 1000);
                        assert_eq!(tally.solutions, expected, "{}", leaf.name);
                    }
                }
            }
            assert!(tallies.iter().step_by(7).all(|tally| tally.end == End::Limit(Limit::Nodes)));
        }
    }
}

#[test]
fn a_puzzle_too_hard_for_the_lane_solver_is_solved_by_an_engine() {
    let mut translator = Translator::default();
    let squeezed = fill(SQUEEZED, &mut translator, &shape());
    for helpers in [0, 1] {
        let cores = Cores::new(helpers);
        let mut auto = algorithm::by_name("auto").expect("an algorithm").build_on(&cores);
        for limits in [Limits::new().solutions(1), Limits::new().solutions(2), Limits::default()] {
            assert_eq!(auto.count(&squeezed, &limits).expect("9x9").count(), Some(0));
            let report = auto.search(&squeezed, &limits, &mut |_| panic!("it has no solution"));
            assert_eq!(report.expect("9x9").count(), Some(0));
        }
    }
}

#[test]
fn each_solution_is_printed_once_even_if_an_engine_continues_the_search_of_the_lane_solver() {
    let mut translator = Translator::default();
    let open = fill(&[b'.'; 81], &mut translator, &shape());
    let mut auto = algorithm::by_name("auto").expect("an algorithm").build();
    for wanted in [2, 40_000] {
        let mut shown = std::collections::HashSet::new();
        let mut visit = |cover: &[dlx::OptionId]| {
            let mut cover = cover.to_vec();
            cover.sort_unstable();
            assert!(shown.insert(cover), "a solution is shown twice");
            ControlFlow::Continue(())
        };
        let report = auto.search(&open, &Limits::new().solutions(wanted), &mut visit).expect("9x9");
        assert_eq!((report.solutions, report.end), (wanted, End::Limit(Limit::Solutions)));
        assert_eq!(shown.len() as u64, wanted);
    }
    // A visitor can stop the search both before and after the lanes hand the puzzle over.
    for stop in [10, 30_000] {
        let mut left = stop;
        let mut visit = |_: &[dlx::OptionId]| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let report = auto.search(&open, &Limits::default(), &mut visit).expect("9x9");
        assert_eq!((report.solutions, report.end), (stop, End::Stopped));
    }
}

/// Builds a file of easy puzzles, with the lines `odd` inserted before line `at`.
fn among_easy(odd: &[&[u8; 81]], lines: usize, at: usize) -> String {
    let mut text: Vec<&str> = vec![EASY; lines];
    text.splice(at..at, odd.iter().map(|line| std::str::from_utf8(*line).expect("ASCII")));
    text.join("\n") + "\n"
}

#[test]
fn a_file_with_two_eights_in_a_box_is_answered() {
    let input = among_easy(&[EIGHTS], 299, 150);
    for threads in ["--threads 1", "--threads 2", ""] {
        let counted = run(&format!("count --limit 2 {threads}"), &input);
        assert_eq!(counted.out.lines().filter(|line| *line == "1").count(), 299, "{}", counted.out);
        assert_eq!((counted.out.lines().nth(150), counted.code), (Some("0"), 1));
        let solved = run(&format!("solve {threads}"), &input);
        let is_whole = |line: &&str| line.len() == 81 && line.starts_with(&EASY[..79]);
        assert_eq!(solved.out.lines().filter(is_whole).count(), 299);
        assert_eq!((solved.out.lines().nth(150), solved.code), (Some("no solution"), 1));
    }
    let alone = std::str::from_utf8(EIGHTS).expect("ASCII");
    for engine in ["auto", "lanes"] {
        assert_eq!(run(&format!("count --engine {engine}"), alone).out, "0\n");
        assert_eq!(run(&format!("count --limit 2 --engine {engine}"), alone).out, "0\n");
        assert_eq!(run(&format!("solve --engine {engine}"), alone).code, 1);
    }
}

#[test]
fn hard_puzzles_in_a_file_of_easy_ones_are_answered() {
    let input = among_easy(&[SQUEEZED, EIGHTS, SQUEEZED, SQUEEZED], 400, 130);
    for threads in ["--threads 1", "--threads 2"] {
        for limit in ["", "--limit 2"] {
            let counted = run(&format!("count {limit} {threads}"), &input);
            let counts: Vec<&str> = counted.out.lines().collect();
            assert_eq!(counts[130..134], ["0"; 4]);
            assert_eq!(counts.iter().filter(|count| **count == "1").count(), 400);
        }
        let solved = run(&format!("solve {threads}"), &input);
        assert_eq!(solved.out.lines().filter(|line| *line == "no solution").count(), 4);
        assert_eq!(solved.out.lines().count(), 404);
    }
}

#[cfg(unix)]
#[test]
fn answers_to_earlier_lines_are_printed_before_a_hard_puzzle_is_solved() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let input = among_easy(&[&[b'.'; 81]], 299, 200);
    file.as_file().write_all(input.as_bytes()).expect("written");
    for threads in [1, 2] {
        // This count is larger than any search can reach.
        let args = format!("count --limit 1000000000000 --threads {threads} {}", file.path().display());
        let mut child = command(&args).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a standard output")).lines();
        for _ in 0..200 {
            assert_eq!(lines.next().expect("an answer").expect("text"), "1");
        }
        crate::cli::interrupt(child.id());
        let count = lines.next().expect("what is known").expect("text");
        // The block found thousands of solutions before it gave up the puzzle.
        assert!(count.ends_with('+') && count.len() > 4, "{count}");
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
    }
}
