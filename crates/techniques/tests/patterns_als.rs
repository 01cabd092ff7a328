//! Every step with almost locked sets is checked against the definition of its pattern.
//!
//! The checks use only the board and the step. Pairs of sets are also listed by brute force: the
//! finder must offer exactly their conclusions.

#![allow(clippy::unwrap_used, reason = "a failed expectation fails the test")]

mod positions;

use std::collections::BTreeSet;

use fastrand::Rng;
use positions::{candidates, check_invariance, layouts, noise, puzzle, read, steps};
use techniques::{Board, Candidate, Cells, Digits, Part, Step, Truth, Words, is_proved};

const NAMES: &[&str] = &["ALS-XZ", "doubly linked ALS-XZ", "ALS-XY-wing", "ALS chain", "death blossom"];

/// An almost locked set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Als {
    cells: Cells,
    digits: Digits,
}

fn is_als(board: &Board, set: Als) -> bool {
    let is_in_house = board.houses().iter().any(|house| set.cells.is_within(house.cells));
    is_in_house
        && set.cells.is_within(board.open())
        && set.digits == board.marks_of(set.cells)
        && set.digits.len() == set.cells.len() + 1
}

/// The sets of a step, in order.
fn sets(board: &Board, step: &Step) -> Vec<Als> {
    let sets: Vec<Als> = (0..=u8::MAX)
        .map_while(|number| step.part(Part::Set(number)).next())
        .map(|group| Als { cells: group.cells, digits: group.digits })
        .collect();
    assert!(sets.iter().all(|&set| is_als(board, set)), "almost locked sets");
    let all = sets.iter().fold(Cells::NONE, |all, set| all | set.cells);
    for cell in all.iter() {
        assert!(step.truths.contains(&Truth::Cell(cell)), "each cell is a fact");
    }
    sets
}

/// The cells that see all cells of a digit in a set.
fn seen(board: &Board, set: Als, digit: usize) -> Cells {
    board.layout().common_peers(set.cells & board.spots(digit))
}

/// Whether a digit is a restricted common of two sets.
fn is_restricted(board: &Board, a: Als, b: Als, digit: usize) -> bool {
    let is_shared = a.digits.has(digit) && b.digits.has(digit);
    is_shared && (b.cells & board.spots(digit)).is_within(seen(board, a, digit))
}

/// The candidates of `digits` that see all of them in each set.
fn targets(board: &Board, sets: &[Als], digits: Digits) -> Vec<Candidate> {
    let mut all = Vec::new();
    for digit in digits.iter().filter(|&digit| sets.iter().all(|set| set.digits.has(digit))) {
        let cells = sets.iter().fold(board.spots(digit), |all, &set| all & seen(board, set, digit));
        all.extend(cells.iter().map(|cell| Candidate { cell, digit }));
    }
    all.sort_unstable();
    all
}

/// Whether at most four cells have as many digits, of which one is not restricted: a wing.
fn is_wing(board: &Board, cells: Cells) -> bool {
    let digits = board.marks_of(cells);
    let is_free = |digit: &usize| !board.layout().all_see(cells & board.spots(*digit));
    cells.len() <= 4 && digits.len() == cells.len() && digits.iter().filter(is_free).count() == 1
}

fn doubly_linked(board: &Board, a: Als, b: Als, commons: Digits) -> Vec<Candidate> {
    let mut all = targets(board, &[a, b], commons);
    all.extend(targets(board, &[a], a.digits - commons));
    all.extend(targets(board, &[b], b.digits - commons));
    all.sort_unstable();
    all.dedup();
    all
}

fn check(board: &Board, step: &Step) {
    let sets = sets(board, step);
    let cells = sets.iter().fold(Cells::NONE, |all, set| all | set.cells);
    let links: Vec<Digits> = step.part(Part::Link).map(|group| group.digits).collect();
    let links: Vec<usize> = links.iter().map(|link| link.only().unwrap()).collect();
    let is_single = sets.iter().all(|set| set.cells.len() == 1);
    let commons = |a, b| -> Digits {
        board.layout().digits().iter().filter(|&x| is_restricted(board, a, b, x)).collect()
    };
    let name = step.technique.name;
    match (name, &sets[..]) {
        ("ALS-XZ", &[a, b]) => {
            assert!(!is_wing(board, cells) && !is_single);
            assert_eq!(commons(a, b), links.iter().copied().collect());
            assert_eq!(links.len(), 1);
            assert_eq!(step.removed, targets(board, &sets, a.digits - Digits::one(links[0])));
        }
        ("doubly linked ALS-XZ", &[a, b]) => {
            assert!(links.len() > 1 && !is_single);
            assert_eq!(commons(a, b), links.iter().copied().collect());
            assert_eq!(step.removed, doubly_linked(board, a, b, commons(a, b)));
        }
        ("ALS-XY-wing" | "ALS chain", &[first, .., last]) => {
            assert!(!is_wing(board, cells) && !is_single);
            assert_eq!(sets.len() == 3, name == "ALS-XY-wing");
            assert_eq!(links.len() + 1, sets.len());
            for (pair, &link) in sets.windows(2).zip(&links) {
                assert!(is_restricted(board, pair[0], pair[1], link));
            }
            assert!(links.windows(2).all(|pair| pair[0] != pair[1]), "links alternate");
            assert!((1..sets.len()).all(|n| !sets[..n].contains(&sets[n])), "sets are distinct");
            let free = first.digits - Digits::one(links[0]) - Digits::one(links[links.len() - 1]);
            assert_eq!(step.removed, targets(board, &[first, last], free));
            assert_eq!(step.score, step.technique.score + sets.len().saturating_sub(4) as u32);
        }
        ("death blossom", petals) => {
            let stem = step.cells(Part::Body).only().unwrap();
            let marks = board.marks(stem);
            assert!(!is_wing(board, cells | Cells::one(stem)));
            assert!(marks.len() > 2 && marks.len() == petals.len());
            for (digit, petal) in marks.iter().zip(petals) {
                assert!(petal.digits.has(digit) && seen(board, *petal, digit).has(stem));
            }
            assert_eq!(step.removed, targets(board, petals, board.layout().digits() - marks));
            assert!(step.truths.contains(&Truth::Cell(stem)));
        }
        _ => panic!("{name} of {} sets", sets.len()),
    }
    assert!(is_proved(board, step), "{step:?}");
    let words = Words::new(board.layout()).tell(step);
    assert!(words.len() > 20 && !words.contains("  "), "{words}");
    check_chain(board, step, &sets);
}

/// Checks that the chain alternates between the sets and the links.
fn check_chain(board: &Board, step: &Step, sets: &[Als]) {
    for chain in &step.chains {
        assert_eq!(chain.nodes.len(), 2 * sets.len());
        for (set, pair) in sets.iter().zip(chain.nodes.chunks(2)) {
            assert!(!pair[0].is_on && pair[1].is_on && pair[0].digit != pair[1].digit);
            assert!(pair.iter().all(|node| node.cells == set.cells & board.spots(node.digit)));
        }
        for pair in chain.nodes[1..].chunks(2).filter(|pair| pair.len() == 2) {
            assert_eq!(pair[0].digit, pair[1].digit);
            assert!(pair[1].cells.is_within(board.layout().common_peers(pair[0].cells)));
        }
    }
}

/// All almost locked sets, by trying every set of cells of every house.
fn all_sets(board: &Board) -> Vec<Als> {
    let mut all = Vec::new();
    for house in board.houses() {
        let open: Vec<usize> = (house.cells & board.open()).iter().collect();
        for chosen in 1..1_usize << open.len() {
            let cells: Cells =
                (0..open.len()).filter(|n| chosen >> n & 1 == 1).map(|n| open[n]).collect();
            let set = Als { cells, digits: board.marks_of(cells) };
            if is_als(board, set) && !all.contains(&set) {
                all.push(set);
            }
        }
    }
    all
}

/// Checks that pairs and triples of sets give exactly the conclusions that the finder offers.
fn check_completeness(board: &Board) {
    let sets = all_sets(board);
    let [mut singly, mut doubly, mut wings] = [const { BTreeSet::new() }; 3];
    let commons: Vec<Vec<Digits>> = sets
        .iter()
        .map(|&a| {
            let of = |&b: &Als| (0..12).filter(|&x| is_restricted(board, a, b, x)).collect();
            sets.iter().map(of).collect()
        })
        .collect();
    let add = |into: &mut BTreeSet<Vec<Candidate>>, removed: Vec<Candidate>| {
        if !removed.is_empty() {
            into.insert(removed);
        }
    };
    for (n, &a) in sets.iter().enumerate() {
        for (m, &b) in sets.iter().enumerate().filter(|&(m, _)| m < n) {
            let is_single = a.cells.len() + b.cells.len() == 2;
            match commons[n][m].len() {
                1 if !is_wing(board, a.cells | b.cells) => {
                    add(&mut singly, targets(board, &[a, b], a.digits - commons[n][m]));
                }
                0 | 1 => {}
                _ if is_single => {}
                _ => add(&mut doubly, doubly_linked(board, a, b, commons[n][m])),
            }
            for (k, &c) in sets.iter().enumerate().filter(|&(k, _)| k != n && k != m) {
                let cells = a.cells | b.cells | c.cells;
                let is_single = is_single && c.cells.len() == 1;
                for x in commons[n][k].iter().filter(|_| !is_single && !is_wing(board, cells)) {
                    for y in commons[m][k].iter().filter(|&y| y != x) {
                        let free = a.digits - Digits::one(x) - Digits::one(y);
                        add(&mut wings, targets(board, &[a, b], free));
                    }
                }
            }
        }
    }
    for (expected, name) in [singly, doubly, wings].into_iter().zip(NAMES) {
        let found: BTreeSet<Vec<Candidate>> =
            steps(board, name).into_iter().map(|step| step.removed).collect();
        assert_eq!(found, expected, "{name}");
    }
}

/// One step each, from HoDoKu's regression library 1.4, codes 0901 to 0904: technique, position
/// (clues, values, removed candidates), conclusion.
const EXEMPLARS: &[(&str, &str, &str)] = &[
    (
        "ALS-XZ",
        "...2..6..67...8....853+6.......+4.6...5..19...2+1.4...79+6.....426....7..8.3.1.+6.29..:719 427 345 545 845 365 579",
        "128",
    ),
    (
        "ALS-XZ",
        ".+25+18..34...3.65.2...2..+1...42..1.+5..6..+2.3..8..7..+2...7.9.+38+2+523......1.....2.63:717 431 731 931 839 758 858 958 968 483 488 594 595",
        "735 736",
    ),
    (
        "ALS-XZ",
        ".24.6.+7..5.74.9.1.....+7......+5.9+4+87+14+7.+6.85.3..8..7.6.+7......46.+46..3.+57.5.7+4+61..:314 819 225 134 237 937 238 938 239 839 269 372 972 973 274 291 891 999",
        "327",
    ),
    (
        "doubly linked ALS-XZ",
        ".......+3.6..5..18..83.1..+2....9573...6.....92...........+6...254.487...1+3..23.....:111 615 616 636 453 457 261 262 164 464 664 465 467 667 668 669 171 971 172 972 985 986 791 792 895 995 196 896 996",
        "141 149 151 153 161 162 163 212 413 463 725 925 926",
    ),
    (
        "doubly linked ALS-XZ",
        ".......+3.6..5..18..83.1..+2....9573...6.....92...........+6...254.487...1+3..23.....:111 615 616 636 453 457 261 262 164 464 664 465 467 667 668 669 171 971 172 972 985 986 791 792 895 995 196 896 996",
        "141 149 151 153 161 162 163 212 413 463 725 925 926",
    ),
    (
        "doubly linked ALS-XZ",
        "42+5.8...1....57....+78..1...893....2.5........+71....69.+659.1...3....9645.2........:624 628 629 937 239 439 445 354 654 355 655 356 193 494 495 496 797 897 798 898 799 899",
        "254 264 335 444 454 464 745 876",
    ),
    (
        "ALS-XY-wing",
        "+9...+3...8+2.3..865.+8.52..3+917+9.1.3....54.......+3......9+58.3...423+298741+6+5+4........:713 424 425 643 245 845 247 847 758 163 663 867 268 868 792 195",
        "714",
    ),
    (
        "ALS-XY-wing",
        ".........2.....3495...3926..9.........41..+98....598..4..182...6......7....3..6...:515 516 722 341 348 589",
        "111 112 625",
    ),
    (
        "ALS-XY-wing",
        "+1+7.59..482.+4.7..19.9..14.+7.+74.....8...27..+4.....+4.6..79...2.7+3+48+2+73+45...+43+1+9+6+7+8..:346 247 149 249 356 856 967 687",
        "347 547 647",
    ),
    (
        "ALS-XY-wing",
        "+6.2+75.+8+13..812...471..+8.........7.8.4.+1862..9+82.3.....+1...+7..482...381..9+8..4+16..:936 938 944 549 966 568 569 598",
        "636",
    ),
    (
        "ALS-XY-wing",
        "..+9......2.....3495...3926..9.........41..+98....598..4..182...6......7....3..6...:111 711 811 112 712 812 714 515 715 516 716 722 625 725 726 739 341 744 348 352 652 752 162 262 663 683 883 586 589 794",
        "376 388 389",
    ),
    (
        "ALS-XY-wing",
        "..1...34.4....697....23+4...9...5.8.....6.8.....8.9...1....45...+5728....4.84...5..:711 912 519 538 249 257 259 559 759 667 974 177 677 678 978 279 979 186 188 688 298 299",
        "262",
    ),
    (
        "ALS chain",
        "..1...34.4....697....23+4...9...5.8.....6.8.....8.9...1....45...+5728....4.84...5..:711 912 519 538 249 257 259 559 759 262 667 974 177 677 678 978 279 979 186 188 688 298 299",
        "194 394 794",
    ),
    (
        "ALS chain",
        "..7..5..4+5......16+4.....5..3..9....+58.4+5......56378+1+4.+7+4+5+8+32+961+1+8346925+7..91+5+7+4..:212 612 215 318 225 232 235 636 338 339 145 357 258 259",
        "758",
    ),
    (
        "ALS chain",
        "...3.721....2.......9.6.38.8.6..1.....5+8.+6.2..9.....68.4357+8.+9.7+5....8..+9.....5..:421 622 727 545 748 749 949 759",
        "763",
    ),
    (
        "ALS chain",
        "1+53+9+642+7+8+9847+2.3+6.72+6..8+9..638.+4+9..+7+4+91..+78.+6+5+7+2+8+1+6493+8+6+74+9..32+3.9.+7268.+2.56+8+37.9:139",
        "334 355 534",
    ),
    (
        "death blossom",
        "8+7+14..6..5+42...7..+93+6+8+57+42+1.28.7.+3.....3.6+2....+3+21.54..1.7..+93.+3.9...8+72.+87..3+1.4:915 919 924 929 641 946 948 958 959 669 475 675 476 584 694",
        "966",
    ),
    (
        "death blossom",
        ".+4..+5.+91.9.+58+1.3+4....794+5.86+935+8+127+4+5.+4.6..+9..12+4.96.54.+9128+7+5...7..5..9.5.+9.....:211 311 629 632 881 888 891 897 698",
        "191",
    ),
    (
        "death blossom",
        ".....2.3..579..6.+24..6...1.9...6...+151...+9.26+7...8..+94.7..+93..8..5.+2617+9.9.5....+3:813 114 715 517 717 833 735 536 537 737 444 353 355 171 273 478 293",
        "414",
    ),
    (
        "death blossom",
        "3.15.87.+2.97...+8+5+1+8+5+2...6.323.9..+41.....1.+3.+5.1...3+9285.3...+1........58.+1.67.52+39:624 425 435 645 745 852 654 656 756 461 465 474 478 484 985 286 486 986",
        "276",
    ),
    (
        "death blossom",
        "+9..12.+4..24.3.8.1......4.7..24..38..5..+2...+94..94..32..1.7+4+9....8+25+31.49+4+9.+862...:513 519 619 523 627 631 632 533 633 539 639 657 761 579 679 399 599",
        "652 752",
    ),
    (
        "death blossom",
        ".4..+6....1.54.2.6.+6+2+3.8.4.5+389.46.57+5+6+4......71+295+863+42.1+87..+4+6.5.6.43.2+4.+6....8.:717 817 819 919 996",
        "314 316 329",
    ),
];

#[test]
fn every_exemplar_has_a_step_with_all_eliminations() {
    for &(name, position, conclusion) in EXEMPLARS {
        let board = read(position);
        let found = steps(&board, name);
        let is_whole = |step: &Step| {
            candidates(conclusion).iter().all(|candidate| step.removed.contains(candidate))
        };
        assert!(found.iter().any(is_whole), "{name}: {position}");
        found.iter().for_each(|step| check(&board, step));
    }
}

#[test]
fn every_step_has_the_pattern_of_its_name() {
    let mut rng = Rng::with_seed(11);
    let mut counts = [0; NAMES.len()];
    for (number, layout) in layouts().iter().enumerate() {
        for _ in 0..if number == 0 { 4 } else { 2 } {
            let (start, solution) = puzzle(layout, &mut rng);
            positions::positions(&start, &solution, &mut rng, &mut |board, rng| {
                if rng.u8(..8) > 0 {
                    return;
                }
                for (n, &name) in NAMES.iter().enumerate() {
                    for step in &steps(board, name) {
                        counts[n] += 1;
                        assert!(step.removed.iter().all(|gone| solution[gone.cell] != gone.digit));
                        check(board, step);
                    }
                    if rng.u8(..4) == 0 {
                        check_invariance(board, name, rng);
                    }
                }
            });
        }
    }
    assert!(counts.iter().sum::<usize>() > 100, "{counts:?}");
}

#[test]
fn random_marks_have_exactly_the_pairs_and_wings_of_the_definition() {
    let mut rng = Rng::with_seed(5);
    for layout in layouts().iter().filter(|layout| layout.size() < 7) {
        for _ in 0..20 {
            let density = 0.2 + rng.f64() / 8.0;
            let board = noise(layout, &mut rng, density);
            if all_sets(&board).len() > 80 {
                continue;
            }
            check_completeness(&board);
            for &name in NAMES {
                steps(&board, name).iter().for_each(|step| check(&board, step));
                check_invariance(&board, name, &mut rng);
            }
        }
    }
}
