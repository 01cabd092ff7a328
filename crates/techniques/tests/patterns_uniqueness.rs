//! Every step that assumes a unique solution is checked against the definition of its pattern.
//!
//! The checks use only the board and the step: the corners must be exchangeable, and without the
//! extra candidates each choice of candidates in the cells of the proof must be exchangeable too.

#![allow(clippy::unwrap_used, reason = "a failed expectation fails the test")]

mod positions;

use fastrand::Rng;
use positions::{candidates, check_invariance, grave, layouts, puzzle, read, steps};
use techniques::{Board, Candidate, Cells, Digits, HouseKind, Part, Step, Truth};

const RECTANGLES: &[&str] = &[
    "unique rectangle type 1",
    "unique rectangle type 2",
    "unique rectangle type 3",
    "unique rectangle type 4",
    "unique rectangle type 5",
    "unique rectangle type 6",
    "avoidable rectangle",
    "hidden rectangle",
];

const GRAVES: &[&str] = &["BUG+1", "BUG type 2", "BUG type 3", "BUG type 4"];

/// The digits of a cell: its value or its candidates.
fn choices(board: &Board, cell: usize) -> Digits {
    board.value(cell).map_or(board.marks(cell), Digits::one)
}

/// The two ways to fill the corners, in ascending order of the corners, with their body's digits.
fn fillings(step: &Step) -> [[(usize, usize); 4]; 2] {
    let corners: Vec<usize> = step.cells(Part::Body).iter().collect();
    let digits: Vec<usize> = step.digits(Part::Body).iter().collect();
    assert_eq!((corners.len(), digits.len()), (4, 2), "four corners, two digits");
    let fill = |a, b| [(corners[0], a), (corners[1], b), (corners[2], b), (corners[3], a)];
    [fill(digits[0], digits[1]), fill(digits[1], digits[0])]
}

/// Checks that the corners form a rectangle in two boxes, and that both fillings put the same
/// digits into each house and break no rule with any digits elsewhere.
fn check_rectangle(board: &Board, step: &Step) {
    let layout = board.layout();
    let size = layout.size();
    let fillings = fillings(step);
    let corners = fillings[0].map(|(cell, _)| cell);
    let different = |of: &dyn Fn(usize) -> usize| {
        let mut all = corners.map(of).to_vec();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    assert_eq!(different(&|cell| cell / size), 2, "rows");
    assert_eq!(different(&|cell| cell % size), 2, "columns");
    if layout.house_of(0, HouseKind::Box).is_some() {
        assert_eq!(different(&|cell| layout.house_of(cell, HouseKind::Box).unwrap()), 2, "boxes");
    }
    for house in layout.houses() {
        let count = |filling: [(usize, usize); 4]| {
            let mut digits: Vec<usize> =
                filling.iter().filter(|(cell, _)| house.cells.has(*cell)).map(|&(_, d)| d).collect();
            digits.sort_unstable();
            digits
        };
        assert_eq!(count(fillings[0]), count(fillings[1]), "{}", house.name);
    }
    // A digit outside that is legal beside one filling is legal beside the other.
    let legal = |filling: [(usize, usize); 4], outside: Candidate| {
        filling
            .iter()
            .all(|&(cell, digit)| digit != outside.digit || !layout.peers(cell).has(outside.cell))
    };
    for cell in (0..layout.cell_count()).filter(|cell| !corners.contains(cell)) {
        for digit in layout.digits().iter() {
            let outside = Candidate { cell, digit };
            assert_eq!(legal(fillings[0], outside), legal(fillings[1], outside));
        }
    }
    assert!(!step.cells(Part::Body).meets(board.clues()), "no corner is a clue");
    let is_possible = |filling: [(usize, usize); 4]| {
        filling.iter().all(|&(cell, digit)| choices(board, cell).has(digit))
    };
    assert!(fillings.into_iter().any(is_possible), "some filling is possible");
}

fn conflict(board: &Board, a: Candidate, b: Candidate) -> bool {
    if a.cell == b.cell {
        a.digit != b.digit
    } else {
        a.digit == b.digit && board.layout().peers(a.cell).has(b.cell)
    }
}

/// Returns whether every conflict-free choice that meets the facts beside `chosen` is `deadly`.
fn all_are(
    board: &Board,
    facts: &[Vec<Candidate>],
    chosen: &mut Vec<Candidate>,
    deadly: &dyn Fn(&[Candidate]) -> bool,
) -> bool {
    let free = |candidate: Candidate| chosen.iter().all(|&other| !conflict(board, candidate, other));
    let open = facts.iter().filter(|fact| !fact.iter().any(|choice| chosen.contains(choice)));
    let tightest = open
        .map(|fact| fact.iter().copied().filter(|&choice| free(choice)).collect::<Vec<_>>())
        .min_by_key(Vec::len);
    let Some(tightest) = tightest else { return deadly(chosen) };
    tightest.into_iter().all(|choice| {
        chosen.push(choice);
        let all = all_are(board, facts, chosen, deadly);
        chosen.pop();
        all
    })
}

fn facts(board: &Board, step: &Step) -> Vec<Vec<Candidate>> {
    step.truths
        .iter()
        .map(|&truth| match truth {
            Truth::Cell(cell) => board.candidates(Cells::one(cell), board.layout().digits()).collect(),
            Truth::Place { house, digit } => {
                board.spots_in(house, digit).iter().map(|cell| Candidate { cell, digit }).collect()
            }
        })
        .collect()
}

/// Checks that the facts and the opposite of the conclusion leave only deadly choices.
fn check_conclusion(board: &Board, step: &Step, deadly: &dyn Fn(&[Candidate]) -> bool) {
    let facts = facts(board, step);
    for &removed in &step.removed {
        assert!(all_are(board, &facts, &mut vec![removed], deadly), "{step:?}");
    }
    for &placed in &step.placed {
        let others: Vec<Vec<Candidate>> = facts
            .iter()
            .map(|fact| fact.iter().copied().filter(|&choice| choice != placed).collect())
            .collect();
        assert!(all_are(board, &others, &mut Vec::new(), deadly), "{step:?}");
    }
}

/// Checks the shape that the name promises.
fn check_type(board: &Board, step: &Step) {
    let size = board.layout().size();
    let corners = step.cells(Part::Body);
    let digits = step.digits(Part::Body);
    let roof: Vec<usize> =
        corners.iter().filter(|&cell| !board.marks(cell).is_within(digits)).collect();
    let extra = board.marks_of(corners) - digits;
    let is_side = matches!(roof[..], [a, b] if a / size == b / size || a % size == b % size);
    let solved = corners - board.open();
    let is_avoidable = step.technique.name == "avoidable rectangle";
    assert_eq!(solved.is_empty(), !is_avoidable, "solved corners");
    if !is_avoidable {
        assert_eq!(step.cells(Part::Fin), roof.iter().copied().collect());
        assert_eq!(step.digits(Part::Fin), extra);
    }
    let removed = step.removed.iter().map(|gone| gone.cell).collect::<Cells>();
    let gone = step.removed.iter().map(|gone| gone.digit).collect::<Digits>();
    match step.technique.name {
        "unique rectangle type 1" => {
            assert_eq!(roof.len(), 1);
            assert_eq!(removed, step.cells(Part::Fin));
            assert_eq!(gone, digits & board.marks(roof[0]));
        }
        "unique rectangle type 2" => assert!(is_side && extra.len() == 1 && gone == extra),
        "unique rectangle type 5" => {
            assert!(!is_side && (2..4).contains(&roof.len()) && extra.len() == 1 && gone == extra);
        }
        "unique rectangle type 3" => {
            let set = step.cells(Part::Set(0));
            assert!(is_side && extra.len() > 1 && !set.is_empty() && !set.meets(corners));
            let house = board.houses()[step.houses[0]].cells;
            assert!((set | step.cells(Part::Fin)).is_within(house));
            assert_eq!((board.marks_of(set) | extra).len(), set.len() + 1);
        }
        "unique rectangle type 4" => {
            assert!(is_side && removed.is_within(step.cells(Part::Fin)));
            assert!(gone.len() == 1 && gone.is_within(digits));
        }
        "unique rectangle type 6" => {
            assert!(roof.len() == 2 && !is_side && removed == step.cells(Part::Fin));
            assert!(gone.len() == 1 && gone.is_within(digits));
        }
        "hidden rectangle" => {
            assert!(roof.len() > 1 && !is_side);
            let cell = removed.only().unwrap();
            let opposite = corners
                .iter()
                .find(|&other| other / size != cell / size && other % size != cell % size);
            assert_eq!(board.marks(opposite.unwrap()), digits, "the opposite corner has two digits");
            assert!(gone.len() == 1 && gone.is_within(digits));
        }
        "avoidable rectangle" => {
            let is_first = solved.len() == 3 && removed == corners & board.open();
            let is_second = step.cells(Part::Fin).len() > 1 && step.digits(Part::Fin) == gone;
            assert!(is_first || is_second);
        }
        _ => unreachable!(),
    }
}

fn check_rectangle_step(board: &Board, step: &Step) {
    check_rectangle(board, step);
    check_type(board, step);
    let fillings = fillings(step);
    let deadly = |chosen: &[Candidate]| {
        let stands = |(cell, digit): (usize, usize)| {
            board.value(cell) == Some(digit) || chosen.contains(&Candidate { cell, digit })
        };
        fillings.iter().any(|filling| filling.iter().all(|&corner| stands(corner)))
    };
    check_conclusion(board, step, &deadly);
}

fn check_grave_step(board: &Board, step: &Step) {
    let mut extra: Vec<Candidate> = Vec::new();
    for group in step.part(Part::Fin) {
        extra.extend(board.candidates(group.cells, group.digits));
    }
    let mut grave = board.clone();
    extra.iter().for_each(|&candidate| grave.remove(candidate));
    assert!(grave.open().iter().all(|cell| grave.marks(cell).len() == 2), "two per cell");
    for house in 0..board.houses().len() {
        for digit in board.layout().digits().iter() {
            assert!(matches!(grave.spots_in(house, digit).len(), 0 | 2), "two per house");
        }
    }
    let houses = board.houses();
    for cell in 0..board.layout().cell_count() {
        for peer in board.layout().peers(cell).iter() {
            assert!(houses.iter().any(|house| house.cells.has(cell) && house.cells.has(peer)));
        }
    }
    let digits: Digits = extra.iter().map(|candidate| candidate.digit).collect();
    let cells: Cells = extra.iter().map(|candidate| candidate.cell).collect();
    let gone = step.removed.iter().map(|gone| gone.digit).collect::<Digits>();
    match step.technique.name {
        "BUG+1" => assert!(extra.len() == 1 && step.placed == extra),
        "BUG type 2" => assert!(extra.len() > 1 && digits.len() == 1 && gone == digits),
        "BUG type 3" => assert!(digits.len() > 1 && !step.cells(Part::Set(0)).is_empty()),
        "BUG type 4" => {
            assert!(cells.len() == 2 && step.removed.iter().all(|gone| cells.has(gone.cell)));
            assert!(board.houses()[step.houses[0]].cells & cells == cells);
        }
        _ => unreachable!(),
    }
    check_conclusion(board, step, &|chosen| !chosen.iter().any(|choice| extra.contains(choice)));
}

/// One step each, from HoDoKu's regression library 1.4, codes 0600 to 0610: technique, position
/// (clues, values, removed candidates), conclusion.
const EXEMPLARS: &[(&str, &str, &str)] = &[
    (
        "unique rectangle type 1",
        "+6.+5+3....7+2.8+5.+6..+43.+9+1....5+7+3+1+4+59.2.+4+5681+2..98+927+635+4+19+8+7+6+3145+212+3+94+5...5+6+428+7+91+3:",
        "687 887",
    ),
    (
        "unique rectangle type 1",
        "+3+5+7+6+4+9+281..6+3+2+54+9+794+2+781+5+63+2+951+6+7+8+344..9+326.+5+6.+3+4+5+89.2.3.59..+2.+5+2.+87..+4..6.+2+1..5.:",
        "152 752",
    ),
    (
        "unique rectangle type 1",
        "+1..+438.6+5.54+1..+3+8+2+6+3+8....+1+4..+6+37+12+5+8+21+35+8+9+6+4+78+7+5+2..+13+9.+8.6.+35+91+5+69+8+1.4.+33.+1...+8.+6:935 736 295 296",
        "796",
    ),
    (
        "unique rectangle type 1",
        ".+8.2.1...+14.+3+8+5.9+2.+2.+9.+4.+1+8.+3.75+8+26+12+61+4+9+3.+8.8..6+1+2+9+3+4.9+8+13+7.+2+6...+8+2+91.3+3+1+2+54+68+7+9:511 513 613 713 517 633 733 537 481 581 583 783",
        "717",
    ),
    (
        "unique rectangle type 2",
        "8+5469+3+21+79.7..2.8+3.+3+2....+5+9..+32..+59+6.....5+832+2+859+36+7+4+1+5..+3+2.1+7+4+47..+6.+3+2532+1..79+68:",
        "122 134 135 136",
    ),
    (
        "unique rectangle type 2",
        "..94.8....+46+9+7+3.15....2.......+2+4+1.3.+32+4657.9...1+3895..483..........92.....+2.+3+4.6.:531 532 533 641 741 642 742 743 847 849 768 669 769 997 999",
        "777 778 779 787 788 789 791 792 794",
    ),
    (
        "unique rectangle type 2",
        ".+1684.+2..2+4.+6.+5.+81+8..+2+1.+6.+4+9+7+2+36+154+813+8+4+52..+6+4+6+5..+8+1+2+372+41+8+6.....+1..+486.+6+8.+5..4+1.:719 923 936 938 785 985 589 989 995 999",
        "325 396",
    ),
    (
        "unique rectangle type 2",
        ".32+71.......6+2+37.4...+8.9+3.+2.+2.53.+1..7.+1+2.+68.+3+3..+1..+42.2.+34.+1....1.+9..+23....+3.+25+4+1:511 811 911 518 821 921 522 523 828 928 431 532 433 538 562 972",
        "632 633",
    ),
    (
        "unique rectangle type 3",
        "+95+2+638+1+47+4..7...5+6+7..14+5.+92+6+98...42.1+47.....923+5..+4..15...8...+43.+4...96+8+87.4.....:545 346 357 857 765 867 776 377 595 397",
        "274 276 282 295 296",
    ),
    (
        "unique rectangle type 3",
        "....5.+7+966+5+79+8+42+13+139..754+8.95....7....87....+7.....1..+9..53+6...26..98...+5......6.:214 216 353 156 256 356 363 266 366 299",
        "258 268 279 447 457 479 489 499",
    ),
    (
        "unique rectangle type 3",
        "..5....183+7+19.+8...+8..+1.......+45+8+137+2+518.7.+6..+72+3+4..+1+8+54..+8..9.+1+1+8.6..4....+9.1+4+8..:612 214 215 615 216 716 425 625 228 528 932 335 336 238 438 538 638 439 639 739 956 672 273 285 786 692",
        "316",
    ),
    (
        "unique rectangle type 4",
        ".68.+9+7+21...2.+86..795+731+2+6+4+8+8+9+4+1+7+53+625+2+684+3...+73+1+62+9+8+54+6.973..+2...+5+2+6....+2.+3954.8+6:",
        "172 182",
    ),
    (
        "unique rectangle type 4",
        "+3+9+6+17+52+8481+4+29+63..5+27.+8.+1+6+9..+5+9.2..1+2.38.19..9.+16.+7...+1.+2+7+6.5+98..8.2+9+7137.9.1+8...:448 465 468 492 692 494",
        "442 447",
    ),
    (
        "unique rectangle type 4",
        "+4...+5.1.85+1.2.+4.........4.+59.+4....5....34..+1.+1..+56.2+4....6+15+97+4+641...+5+8+2+7..+4..+63+1:916 323 723 325 725 629 929 734 934 735 836 936 242 744 846 853 256 986 292 892 293 893 995 996",
        "845",
    ),
    (
        "unique rectangle type 4",
        "+8.7.1+9....2+9+7..+48+1.+1.....9+7+2.+8+1+4.76+9+19.8.+7...4+7..+9.1.+85+8+23+74+9+1+6+9.1...2+7.+7+6.9+2+1+8..:312 214 514 326 333 633 534 535 635 336 536 337 355 358 558 359 559 563 268 589",
        "625",
    ),
    (
        "unique rectangle type 5",
        ".1..+58+46+9.9+56+1+4+82.4+8+69..1+5.+543+1.7+9+8.+8..5+39.+4+1+1.+9+8+4..35+9+5+8....+14..+4.815+9...1+495.+78:214 267 275 276 677 381 682 784 389 391 692",
        "253",
    ),
    (
        "unique rectangle type 5",
        "....8.+2.+3.5+2+7.6+8.4+8....+27.62+6+5+8+79+4+31+7932..6+8+51483+6+5+9+7+2.8.4.+3+527.....71.+8.....+83.+9:138 681 683 691 693",
        "116",
    ),
    (
        "unique rectangle type 5",
        "1..+4..+93+2.2+6.7+3+1+4+5+4+3..2+1+6+78.4+3+2+1.7+8+6+7.+26.+4+35..+6.3.+7+4+2.6..14.2+9+3+2..+7+3...43.+4..+2..+7:812 815 563 573 586 886 592 892 994 595 895",
        "883",
    ),
    (
        "unique rectangle type 6",
        "8....3....3182+4+6.+7..41........+57+2+16332+6+4+8+1+97571+5+39+6.......+485......3578....6+1...4:281 981 982 289 989",
        "418 467",
    ),
    (
        "unique rectangle type 6",
        ".75...+1.48..7+4.65.+4....57.+8+7+5.+1864.9...+4..+5+1.1.435.+8+6...75..+9+4+1+519+2+74+3+863+4....27+5:916 932 952 956 996",
        "759 766",
    ),
    (
        "unique rectangle type 6",
        "+4+9+3+168+57+252+8...9+6+1+1+6+7+9+2+5...+3+51.7+2+6+9.+6+8+95..2.+7+74+2+6...+5.8.+5....+269.+42.+6..+5+2.6.+5..3+9:437 839 365 366 867",
        "339 367",
    ),
    (
        "hidden rectangle",
        "..765+9.12..+1+8237.+992....+5.+81..+9+3+5.2+77.+54.2..3+23...+6..5.+7.+2...56..236..+7+161.+5972.+4:433 135 438 957 658 165 967 373 875",
        "482",
    ),
    (
        "hidden rectangle",
        "+39+4+6+821+5+7+6+1+873+5+42+952+7+4..+3+681+53.47..+6+4+7.+56+8.3+18+6....+7+457+368.4..+29+4+5.....+3+2+81.....4:966",
        "995",
    ),
    (
        "hidden rectangle",
        "+4+7+25+6+3+98+1.+6.4.+1.+751.+5+7+8....+2+46+83+571+9.5+12........+1..+5+2.3+8+4+9176+5+2+62+7+3+5+8+1+94+5+1+9+6..+8+3+7:337 455 456 965 369",
        "961",
    ),
    (
        "hidden rectangle",
        "....17.3+22+7+3+4+6+58+9+1....3+2+7+5..+8.6+5+32+19+531+7+2+9..+8+6+2+9+1..+3+75.4+2+3+9.+58.9..2..+1.+3+3..5..+9+2.:813 431 632 833 683 793 699",
        "613",
    ),
    (
        "avoidable rectangle",
        "+6+45.+3..+1.+1+9+3..268.7+2+8+6.14+3.+3+5+21.68...+1+63+8.....87.+2+51+638+712.43.+6+53+4.6..2+126+9.+1+3.+4+8:714 717 919 525 945 749 757 957 958 559 759 959",
        "951",
    ),
    (
        "avoidable rectangle",
        ".7+6+541.+9+8194+8.6.+5+7......+1+46.+4+1..9783.3+9.8.+41+27283+1+4+5+6+94.+3...+6+7+1+9+1+74+6+3825.+6.17.+93+4:531 591 296",
        "556",
    ),
    (
        "avoidable rectangle",
        "2...1+8.+6+7.17.+6+25....6754.2.+7..82+6.5.+1+2+8+5+3+96+74.+6.+471...6+7+2+1+93..+5+3+8+12+4+579+6..968+7.+1.:367 369 497",
        "912 921 937 939",
    ),
    (
        "avoidable rectangle",
        "......93+7..27..+4+657.....8+2+1...+4+73.+8+9+34+7.9..+16..8.+61374+4.5+68719..+7.9..+6+5..6....+7+4.:811 821",
        "216 256 285 294 295",
    ),
    (
        "BUG+1",
        ".+9.+613.+8+4...2+5+7+1+393.184+92..968+5+7+1+42+3+4379+2+6+81+5+1..+3+84......+1+9+2..8..9+435+67+1+51.+76+8..+2:",
        "373 673",
    ),
    (
        "BUG+1",
        "357496218892751.6.461.2.5972356471897.9.8.6.56.85.972.17.9658.258....976926.7..51:354 384 396",
        "286 486",
    ),
];

#[test]
fn every_exemplar_has_a_step_with_all_eliminations() {
    for &(name, position, conclusion) in EXEMPLARS {
        let board = read(position);
        let found = steps(&board, name);
        let expected = candidates(conclusion);
        let holds = |step: &Step| {
            let placed = step.placed.first();
            expected.iter().all(|gone| {
                step.removed.contains(gone)
                    || placed.is_some_and(|own| own.cell == gone.cell && own != gone)
            })
        };
        assert!(found.iter().any(holds), "{name}: {position}");
        for step in &found {
            if GRAVES.contains(&name) {
                check_grave_step(&board, step);
            } else {
                check_rectangle_step(&board, step);
            }
        }
    }
}

#[test]
fn a_clue_among_the_corners_forbids_a_rectangle() {
    let &(name, position, _) = EXEMPLARS.iter().find(|exemplar| exemplar.0.starts_with("av")).unwrap();
    assert!(!steps(&read(position), name).is_empty());
    assert!(steps(&read(&position.replace('+', "")), name).is_empty());
}

#[test]
fn every_step_has_the_pattern_of_its_name_and_agrees_with_the_solution() {
    let mut rng = Rng::with_seed(7);
    let mut counts = [0; RECTANGLES.len()];
    for (number, layout) in layouts().iter().enumerate() {
        for _ in 0..if number == 0 { 10 } else { 4 } {
            let (start, solution) = puzzle(layout, &mut rng);
            positions::positions(&start, &solution, &mut rng, &mut |board, rng| {
                for (n, &name) in RECTANGLES.iter().enumerate() {
                    for step in &steps(board, name) {
                        counts[n] += 1;
                        assert!(step.removed.iter().all(|gone| solution[gone.cell] != gone.digit));
                        check_rectangle_step(board, step);
                    }
                    if rng.u8(..16) == 0 {
                        check_invariance(board, name, rng);
                    }
                }
            });
        }
    }
    assert!(counts.iter().sum::<usize>() > 100, "{counts:?}");
}

#[test]
fn every_step_of_a_grave_has_the_pattern_of_its_name() {
    let mut rng = Rng::with_seed(7);
    let mut counts = [0; GRAVES.len()];
    for layout in &layouts() {
        for _ in 0..12 {
            let board = grave(layout, &mut rng);
            for (n, &name) in GRAVES.iter().enumerate() {
                for step in &steps(&board, name) {
                    counts[n] += 1;
                    check_grave_step(&board, step);
                }
                check_invariance(&board, name, &mut rng);
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}
