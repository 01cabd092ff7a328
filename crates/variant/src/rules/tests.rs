//! Tests every rule, alone and combined with others. The expected result is found by filtering all
//! grids of a small size.

use std::collections::BTreeSet;
use std::sync::Arc;

use dlx::{Engine as _, Limits, OptionId, Problem};

use super::*;
use crate::clue::{CluePart, Digit};
use crate::completion::Completion;
use crate::{model, network};
use grid::{Grid, GridLayout, Shape, Style};

/// Returns all fillings of a board, as lists of digits by cell.
fn fillings(board: &VariantBoard) -> BTreeSet<Vec<Digit>> {
    fn go_on(
        board: &VariantBoard,
        peers: &[Vec<usize>],
        digits: &mut Vec<Digit>,
        all: &mut BTreeSet<Vec<Digit>>,
    ) {
        if digits.len() == peers.len() {
            all.insert(digits.clone());
            return;
        }
        for digit in board.digits() {
            let here = digits.len();
            if peers[here].iter().all(|&peer| peer >= here || digits[peer] != digit) {
                digits.push(digit);
                go_on(board, peers, digits, all);
                digits.pop();
            }
        }
    }
    let mut all = BTreeSet::new();
    go_on(board, &board.shape.peers(), &mut Vec::new(), &mut all);
    all
}

/// Returns the fillings of all covers of the translation. The fillings must be distinct.
fn covers(board: &VariantBoard, clues: &[&Clue]) -> BTreeSet<Vec<Digit>> {
    let grid = Grid::empty(Arc::clone(&board.shape), Style::default());
    let (problem, placements) = model::translate(board, &grid, clues, &[], model::OPTIONS_MAX).unwrap();
    let most = model::most_options(board, clues.iter().copied(), 0).unwrap();
    assert!(problem.option_count() - placements.len() <= most, "{clues:?} have {most} at most");
    let mut all = BTreeSet::new();
    let mut links = dlx::engine::Links::new(&problem);
    let report = links.search(&[], &Limits::new(), &mut |cover| {
        let mut digits = vec![0; board.shape.cell_count()];
        for option in cover {
            if let Some(&(cell, symbol)) = placements.get(option.index()) {
                digits[cell as usize] = board.first + symbol as Digit;
            }
        }
        assert!(all.insert(digits), "a grid is met once");
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(report.count(), Some(all.len() as u64));
    assert!(by_digits(board, &grid, clues, &problem, &placements) == all, "both translations agree");
    all
}

/// Returns the fillings found by the digit search. Each must also be a cover.
fn by_digits(
    board: &VariantBoard,
    grid: &Grid,
    clues: &[&Clue],
    problem: &Problem,
    placements: &[(u32, u32)],
) -> BTreeSet<Vec<Digit>> {
    let network = network::translate(board, grid, clues, &[]).unwrap().expect("it is small");
    let mut search = digits::Search::new(&network);
    let mut all = BTreeSet::new();
    loop {
        match search.step() {
            digits::StepResult::End => return all,
            digits::StepResult::Nothing => {}
            digits::StepResult::Solution => {
                let symbols: Vec<u32> =
                    search.digits().iter().map(|digit| digit.trailing_zeros()).collect();
                let place = |(cell, &symbol): (usize, &u32)| {
                    OptionId::new(placements.binary_search(&(cell as u32, symbol)).expect("an option"))
                };
                let mut cover = symbols.iter().enumerate().map(place).collect();
                Completion::new(problem, placements.len()).complete(problem, &mut cover);
                assert_eq!(dlx::verify(problem, &[], &cover), Ok(()));
                let digits = symbols.iter().map(|&symbol| board.first + symbol as Digit).collect();
                assert!(all.insert(digits), "a grid is found once");
            }
        }
    }
}

pub(crate) fn boards() -> Vec<(VariantBoard, BTreeSet<Vec<Digit>>)> {
    let shapes = [Shape::sudoku(2, 2, &[]), Shape::latin(3), Shape::latin(4), Shape::sudoku(2, 2, &[])];
    let firsts = [1, 1, 1, 0];
    let squares = shapes.into_iter().zip(firsts).map(|(shape, first)| (shape, first, 0));
    let layout = |rows, columns, symbols, outside, has_lines| {
        let regions = if columns == 4 { vec![vec![0, 1, 4, 5], vec![2, 3]] } else { Vec::new() };
        let rules = &[];
        Shape::of(&GridLayout { rows, columns, symbols, outside, has_lines, regions: &regions, rules })
    };
    // Boards with more digits than cells in a row, with cells in no region, with cells outside the
    // rows, and with rows that repeat digits.
    let others = [
        (layout(2, 3, 4, 0, true), 1, 0),
        (layout(2, 4, 4, 1, true), 1, 1),
        (layout(3, 2, 3, 2, true), 0, 2),
        (layout(2, 2, 3, 1, false), 1, 1),
    ];
    let boards = squares.chain(others).map(|(shape, first, outside)| {
        let mut board = VariantBoard::new(Arc::new(shape.unwrap()), first);
        if outside > 0 {
            board.outside = [("A".to_owned(), outside)].into();
        }
        let all = fillings(&board);
        (board, all)
    });
    boards.collect()
}

/// Returns random cells and numbers such as an author of puzzles might choose.
pub(crate) fn random_args(random: &mut fastrand::Rng, board: &VariantBoard, rule: &Rule) -> Args {
    let (fewest, most, cells) = rule.groups;
    let mut args = Args::default();
    let sides = ["sandwich", "x-sum", "skyscraper", "numbered-room", "hidden-skyscraper"];
    let is_of_side = sides.contains(&rule.name) || rule.name.starts_with("full-rank");
    let size = random.usize(cells..=cells + 3);
    for _ in 0..random.usize(fewest..=most.min(fewest + 1)) {
        if is_of_side {
            let mut cells = match random.bool() {
                true => board.row(random.usize(..board.shape.rows())),
                false => board.column(random.usize(..board.columns())),
            };
            if random.bool() {
                cells.reverse();
            }
            args.groups.push(cells);
            continue;
        }
        let mut all: Vec<usize> = (0..board.shape.cell_count()).collect();
        random.shuffle(&mut all);
        let size = if rule.name == "clone" { 2 } else { size };
        let size = match rule.name {
            "arrow" if args.groups.is_empty() => random.usize(1..=2),
            "count-distinct" if args.groups.is_empty() => 1,
            _ => size,
        };
        args.groups.push(all[..size.min(all.len())].to_vec());
    }
    if rule.repeats && random.usize(..4) == 0 {
        let group = random.choice(&mut args.groups).expect("a group");
        group.push(group[0]);
    }
    if rule.takes_text {
        args.text = random_text(random, board, rule);
    }
    let (fewest, most) = rule.values;
    for _ in 0..random.usize(fewest..=most.min(fewest + 1)) {
        args.values.push(random.i64(if rule.name.starts_with("full-rank") { 1..=16 } else { 0..=8 }));
    }
    if rule.name == "weighted-sum" {
        args.values = (0..=args.groups[0].len()).map(|_| random.i64(-2..=4)).collect();
    }
    if rule.name.ends_with("pairs") {
        let digit = || 0..board.order() as i64;
        args.values = (0..random.usize(1..12))
            .map(|_| {
                10 * (random.i64(digit()) + i64::from(board.first))
                    + random.i64(digit())
                    + i64::from(board.first)
            })
            .collect();
    }
    args
}

/// Returns a random expression, automaton or list of alternatives.
fn random_text(random: &mut fastrand::Rng, board: &VariantBoard, rule: &Rule) -> String {
    if rule.name == "regex" {
        let all =
            ["(12|2.)*.?", "[^1]*3?.*", "1+2*.*", ".*(12|21).*", "(1|2|.3)*", "..?.?.?[2-3]{0,2}"];
        return random.choice(all).unwrap().to_owned();
    }
    if rule.name == "machine" {
        let count = random.usize(1..5);
        let state = |random: &mut fastrand::Rng| {
            let mut words = Vec::new();
            words.extend(random.bool().then(|| ">".to_owned()));
            words.extend(random.bool().then(|| "*".to_owned()));
            for _ in 0..random.usize(0..4) {
                let digits: Vec<String> =
                    board.digits().filter(|_| random.bool()).map(|digit| digit.to_string()).collect();
                let digits = if digits.is_empty() { "/".to_owned() } else { digits.join(",") };
                words.push(format!("{digits}:{}", random.usize(..count)));
            }
            words.join(" ")
        };
        return (0..count).map(|_| state(random)).collect::<Vec<_>>().join("; ");
    }
    let alternative = |random: &mut fastrand::Rng| {
        let clue = |random: &mut fastrand::Rng| {
            loop {
                let rule = random.choice(RULES).unwrap();
                if rule.name == "either" || rule.groups.1 == 0 {
                    continue;
                }
                let args = random_args(random, board, rule);
                let is_sound = super::super::args::check(board, rule, &args).is_ok();
                if is_sound && rule.clues(board, &args).is_ok() {
                    return format!("{}: {}", rule.name, super::super::args::write(board, &args));
                }
            }
        };
        (0..random.usize(1..3)).map(|_| clue(random)).collect::<Vec<_>>().join(" and ")
    };
    (0..random.usize(1..4)).map(|_| alternative(random)).collect::<Vec<_>>().join(" or ")
}

pub(crate) fn holds(clues: &[Clue], digits: &[Digit]) -> bool {
    clues.iter().all(|clue| {
        let of_clue: Vec<Digit> = clue.cells.iter().map(|&cell| digits[cell]).collect();
        (clue.holds)(&of_clue)
    })
}

#[test]
fn each_rule_allows_exactly_the_grids_that_pass_its_test() {
    let mut random = fastrand::Rng::with_seed(1);
    let boards = boards();
    for rule in RULES {
        let (mut some, mut made) = (0, 0);
        for round in 0..120 {
            let (board, all) = &boards[round % boards.len()];
            let args = random_args(&mut random, board, rule);
            let Ok(clues) = rule.clues(board, &args) else { continue };
            made += 1;
            let expected: BTreeSet<_> =
                all.iter().filter(|digits| holds(&clues, digits)).cloned().collect();
            some += usize::from(!expected.is_empty() && expected.len() < all.len());
            let found = covers(board, &clues.iter().collect::<Vec<_>>());
            assert!(found == expected, "{} {args:?}: {} of {}", rule.name, found.len(), expected.len());
        }
        assert!(made >= 10, "{} is tried: {made}", rule.name);
        let decides_nothing = [
            "nonconsecutive",
            "anti-taxicab",
            "disjoint",
            "entropy",
            "region-sum",
            "flatmates",
            "remainders",
        ];
        assert!(some > 0 || decides_nothing.contains(&rule.name), "{} decides something", rule.name);
    }
}

#[test]
fn random_mixtures_of_rules_allow_exactly_the_grids_that_pass_all_tests() {
    let mut random = fastrand::Rng::with_seed(2);
    let boards = boards();
    let mut some = 0;
    for round in 0..400 {
        let (board, all) = &boards[round % boards.len()];
        let mut clues = Vec::new();
        for _ in 0..random.usize(2..5) {
            let rule = &RULES[random.usize(..RULES.len())];
            clues.extend(rule.clues(board, &random_args(&mut random, board, rule)).unwrap_or_default());
        }
        let expected: BTreeSet<_> =
            all.iter().filter(|digits| holds(&clues, digits)).cloned().collect();
        some += usize::from(!expected.is_empty() && expected.len() < all.len());
        let found = covers(board, &clues.iter().collect::<Vec<_>>());
        assert!(found == expected, "{} of {}", found.len(), expected.len());
    }
    assert!(some > 40, "many decide something: {some}");
}

#[test]
fn entropic_and_modular_lines_allow_exactly_the_rows_of_six_that_pass_their_test() {
    // The rows of a 6x6 grid are sufficient for rules about one line.
    let board = VariantBoard::new(Arc::new(Shape::latin(6).unwrap()), 1);
    for rule in ["entropic", "modular"] {
        let rule = by_name(rule).unwrap();
        let args = Args { groups: vec![(0..6).collect()], values: Vec::new(), ..Args::default() };
        let clues = rule.clues(&board, &args).unwrap();
        let grid = Grid::empty(Arc::clone(&board.shape), Style::default());
        let (problem, placements) =
            model::translate(&board, &grid, &clues.iter().collect::<Vec<_>>(), &[], model::OPTIONS_MAX)
                .unwrap();
        let mut rows: Vec<Vec<Digit>> = vec![vec![]];
        for _ in 0..6 {
            rows = rows
                .iter()
                .flat_map(|row| (1..=6).filter(|d| !row.contains(d)).map(|d| [&row[..], &[d]].concat()))
                .collect();
        }
        for row in rows {
            let given: Vec<_> = row
                .iter()
                .enumerate()
                .map(|(cell, &digit)| {
                    let place = placements
                        .iter()
                        .position(|&at| at == (cell as u32, digit as u32 - 1))
                        .unwrap();
                    dlx::OptionId::new(place)
                })
                .collect();
            let report = dlx::engine::Links::new(&problem).count(&given, &Limits::new().solutions(1));
            let is_right = (clues[0].holds)(&row);
            assert_eq!(report.solutions == 1, is_right, "{} {row:?}", rule.name);
        }
    }
}

#[test]
fn derived_sums_neither_remove_nor_duplicate_grids() {
    let mut random = fastrand::Rng::with_seed(3);
    let boards = boards();
    let (mut some, mut derived_count) = (0, 0);
    for round in 0..300 {
        let (board, all) = &boards[round % boards.len()];
        // Draw cages of adjacent cells in random order, with the sums of one of the grids.
        let solution = all.iter().nth(random.usize(..all.len())).unwrap();
        let mut cells: Vec<usize> = (0..solution.len()).collect();
        cells.sort_by_key(|&cell| {
            let (row, column) = board.place(cell);
            if round % 2 == 0 { (row, column) } else { (column, row) }
        });
        let mut placed = Vec::new();
        while !cells.is_empty() {
            let cage: Vec<usize> = cells.drain(..random.usize(1..=4).min(cells.len())).collect();
            if random.usize(..5) > 0 {
                let values = vec![cage.iter().map(|&cell| i64::from(solution[cell])).sum()];
                let args = Args { groups: vec![cage], values, ..Args::default() };
                placed.push(super::super::Placed::new(board, by_name("sum").unwrap(), args).unwrap());
            }
        }
        let mut derived = super::super::derive::sums(board, &placed).unwrap();
        derived.extend(super::super::derive::differences(board, &placed).unwrap());
        derived_count += derived.len();
        let clues: Vec<&Clue> = placed.iter().flat_map(|placed| placed.clues.iter()).collect();
        let is_right = |digits: &&Vec<Digit>| placed.iter().all(|placed| holds(&placed.clues, digits));
        let expected: BTreeSet<_> = all.iter().filter(is_right).cloned().collect();
        assert!(expected.iter().all(|digits| holds(&derived, digits)), "what follows holds");
        let found = covers(board, &clues.into_iter().chain(&derived).collect::<Vec<_>>());
        assert!(found == expected, "{} of {}", found.len(), expected.len());
        some += usize::from(expected.len() > 1);
    }
    assert!(some > 20 && derived_count > 300, "{some} with several solutions, {derived_count} sums");
}

#[test]
fn any_clue_of_any_rule_can_be_drawn() {
    let mut random = fastrand::Rng::with_seed(4);
    let boards = boards();
    for rule in RULES {
        let mut some = 0;
        for round in 0..120 {
            let (board, _) = &boards[round % boards.len()];
            let args = random_args(&mut random, board, rule);
            if super::super::args::check(board, rule, &args).is_err()
                || rule.clues(board, &args).is_err()
            {
                continue;
            }
            some += 1;
            let mut picture = puzzle::Picture::new();
            let mut sketch = Sketch::new(board, &mut picture);
            sketch.clue(rule, &args);
            sketch.finish();
            let svg = picture.svg();
            assert!(
                roxmltree::Document::parse(&svg).is_ok() && !svg.contains("NaN"),
                "{}: {svg}",
                rule.name
            );
            assert!(svg.lines().count() > 3, "{} is drawn: {svg}", rule.name);
        }
        assert!(some > 0, "{} is tried", rule.name);
    }
}

fn pictured(board: &VariantBoard, clues: &[(&Rule, &Args)]) -> puzzle::Picture {
    let mut picture = puzzle::Picture::new();
    let mut sketch = Sketch::new(board, &mut picture);
    clues.iter().for_each(|(rule, args)| sketch.clue(rule, args));
    sketch.finish();
    picture
}

/// Returns the marks of clues in a fixed order; the legend is left out if the clues have cells.
fn drawn(board: &VariantBoard, clues: &[(&Rule, &Args)]) -> Vec<String> {
    let picture = pictured(board, clues);
    let has_cells = clues.iter().any(|(_, args)| !args.groups.is_empty());
    let picture = if has_cells { picture.without_legend() } else { picture };
    let mut marks: Vec<String> = picture.svg().lines().map(str::to_owned).collect();
    marks.sort_unstable();
    marks
}

/// Rules whose marks need no legend.
const SELF_EXPLANATORY: [&str; 13] = [
    "killer",
    "arrow",
    "quadruple",
    "thermo",
    "difference",
    "ratio",
    "pair-sum",
    "greater",
    "minimum",
    "maximum",
    "even",
    "odd",
    "any-of",
];

#[test]
fn the_legend_names_each_rule_by_its_name() {
    let board = VariantBoard::new(Arc::new(Shape::sudoku(3, 3, &[]).unwrap()), 1);
    for rule in RULES {
        let args = super::super::args::read_words(&board, rule, rule.example).unwrap();
        let picture = pictured(&board, &[(rule, &args)]);
        let words: Vec<&str> = picture.legend().collect();
        if SELF_EXPLANATORY.contains(&rule.name) {
            assert!(words.is_empty(), "{}: {words:?}", rule.name);
            continue;
        }
        let [word] = words[..] else { panic!("{}: {words:?}", rule.name) };
        // A letter with a colon precedes the name, and the arguments follow it.
        let word =
            word.split_once(": ").filter(|(letter, _)| letter.len() == 1).map_or(word, |it| it.1);
        let rest = word.strip_prefix(rule.name).unwrap_or_else(|| panic!("{}: {word}", rule.name));
        assert!(rest.is_empty() || rest.starts_with(' '), "{}: {word}", rule.name);
    }
}

/// Clues of two rules with the same cells and numbers must have different marks in the grid, also
/// within one picture. The legend does not count.
#[test]
fn no_two_rules_have_the_same_picture() {
    let board = VariantBoard::new(Arc::new(Shape::sudoku(3, 3, &[]).unwrap()), 1);
    let cells = |rows: &[usize], groups: usize, each: usize, across: usize| -> Vec<Vec<usize>> {
        let cell = |row: usize, column: usize| row * 9 + column;
        let group = |nth: usize| (0..each).map(|at| cell(rows[nth], at * across)).collect();
        (0..groups).map(group).collect()
    };
    let mut pairs = 0;
    for (nth, one) in RULES.iter().enumerate() {
        for other in &RULES[nth + 1..] {
            for (groups, each, across) in [
                (0, 0, 0),
                (1, 1, 1),
                (1, 2, 1),
                (1, 3, 1),
                (1, 4, 1),
                (1, 9, 1),
                (1, 3, 2),
                (2, 2, 1),
                (3, 2, 1),
            ] {
                for values in [&[][..], &[5], &[3, 1], &[10, 1, 1, 2], &[6, 1, -1]] {
                    for text in ["", "1*"] {
                        let args = |rows: &[usize]| Args {
                            groups: cells(rows, groups, each, across),
                            values: values.to_vec(),
                            text: text.to_owned(),
                        };
                        let (here, there) = (args(&[0, 1, 2]), args(&[5, 6, 7]));
                        let fits = |rule: &Rule| {
                            super::super::args::check(&board, rule, &here).is_ok()
                                && text.is_empty() != rule.takes_text
                        };
                        if !fits(one) || !fits(other) {
                            continue;
                        }
                        pairs += 1;
                        let names = [one.name, other.name];
                        assert_ne!(
                            drawn(&board, &[(one, &here)]),
                            drawn(&board, &[(other, &here)]),
                            "{names:?} alone: {here:?}"
                        );
                        assert!(
                            groups == 0
                                || drawn(&board, &[(one, &here), (other, &there)])
                                    != drawn(&board, &[(one, &there), (other, &here)]),
                            "{names:?} together: {here:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(pairs > 1000, "{pairs}");
}

#[test]
fn dots_are_black_or_white_in_every_theme() {
    let board = VariantBoard::new(Arc::new(Shape::sudoku(3, 3, &[]).unwrap()), 1);
    let args = Args { groups: vec![vec![0, 1]], ..Args::default() };
    for (rule, color) in [("difference", "#fdfdfd"), ("ratio", "#111111")] {
        for theme in [puzzle::Theme::Light, puzzle::Theme::Dark] {
            let mut picture = puzzle::Picture::new();
            let mut sketch = Sketch::new(&board, &mut picture);
            sketch.clue(by_name(rule).unwrap(), &args);
            sketch.finish();
            let dot = format!("fill=\"{color}\"");
            let svg = picture.svg_in(theme);
            assert!(
                svg.lines().any(|line| line.starts_with("<circle") && line.contains(&dot)),
                "{rule}: {svg}"
            );
        }
    }
}

#[test]
fn automata_and_rule_tests_accept_the_same_grids_for_rules_of_the_whole_grid() {
    let board = VariantBoard::new(Arc::new(Shape::sudoku(3, 3, &[]).unwrap()), 1);
    for rule in ["entropy", "remainders", "flatmates"] {
        let clues = by_name(rule).unwrap().clues(&board, &Args::default()).unwrap();
        let (mut right, mut wrong) = (0, 0);
        for clue in clues.iter().take(20) {
            let [CluePart::Automaton(cells, walk)] = &clue.parts[..] else { panic!("a walk") };
            assert_eq!(*cells, clue.cells);
            for number in 0..9_usize.pow(cells.len() as u32) {
                let digit = |place: u32| (number / 9_usize.pow(place) % 9) as Digit + 1;
                let digits: Vec<Digit> = (0..cells.len() as u32).map(digit).collect();
                let mut state = Some(walk.starts[0]);
                for (step, &digit) in digits.iter().enumerate() {
                    state = state.and_then(|state| (walk.step)(step, state, digit));
                }
                let is_right = (clue.holds)(&digits);
                assert_eq!(
                    state.is_some_and(|state| (walk.is_end)(state)),
                    is_right,
                    "{rule} {digits:?}"
                );
                right += usize::from(is_right);
                wrong += usize::from(!is_right);
            }
        }
        assert!(right > 100 && wrong > 100, "{rule}: {right} right, {wrong} wrong");
    }
}
