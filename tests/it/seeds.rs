//! Five earlier programs (S0 to S4) that Farandole replaces. For the same input, Farandole gives
//! the same output, byte for byte, without options.

use crate::command::{check, run};

/// Input of S0 and S1: the number of grids, then the grids.
const CONTEST: &str = "\
1
103000509
002109400
000704000
300502006
060000050
700803004
000401000
009205800
804000107
";

const CONTEST_SOLVED: &str = "\
143628579
572139468
986754231
391542786
468917352
725863914
237481695
619275843
854396127
";

/// Input of S2: numbers separated by spaces.
const SPACED: &str = "\
0 6 1 0 3 0 0 2 0
0 5 0 0 0 8 1 0 7
0 0 0 0 0 7 0 3 4
0 0 9 0 0 6 0 7 8
0 0 3 2 0 9 5 0 0
5 7 0 3 0 0 9 0 0
1 9 0 7 0 0 0 0 0
8 0 2 4 0 0 0 6 0
0 4 0 0 1 0 2 5 0
";

const SPACED_SOLVED: &str = "\
7 6 1 9 3 4 8 2 5
3 5 4 6 2 8 1 9 7
9 2 8 1 5 7 6 3 4
2 1 9 5 4 6 3 7 8
4 8 3 2 7 9 5 1 6
5 7 6 3 8 1 9 4 2
1 9 5 7 6 2 4 8 3
8 3 2 4 9 5 7 6 1
6 4 7 8 1 3 2 5 9

";

/// Input of S3: the grid called "difficulty 10.7".
const DIFFICULT: &str =
    "800000000003600000070090200050007000000045700000100030001000068008500010090000400\n";
const DIFFICULT_SOLVED: &str =
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452\n";

/// Input of S4: the regions, the number of clues, the clues.
const REGIONS: &str = "\
000011
022013
221113
243333
244455
445555
6
02C
03B
05A
20D
35E
53F
";

const REGIONS_SOLVED: &str = "\
1
E F C B D A
A C E D F B
D A B E C F
F B D C A E
B D F A E C
C E A F B D
";

const REGIONS_NINE: &str = "\
001111
002113
022243
022443
544433
555553
7
04B
05A
13D
14C
24E
50C
51A
";

#[test]
fn s0_solves_the_grids_of_a_contest() {
    check("solve", CONTEST, CONTEST_SOLVED, 0);
    let twice = CONTEST.replacen('1', "2", 1) + &CONTEST[2..];
    check("solve", &twice, &CONTEST_SOLVED.repeat(2), 0);
}

#[test]
fn s0_returns_an_unsolvable_grid_unchanged() {
    // The first row cannot contain a 2.
    let unsolvable = CONTEST.replacen("002109400", "002209400", 1);
    check("solve", &unsolvable, &unsolvable[2..], 1);
    let between = format!("2\n{}{}", &unsolvable[2..], &CONTEST[2..]);
    check("solve", &between, &(unsolvable[2..].to_owned() + CONTEST_SOLVED), 1);
}

#[test]
fn the_input_of_s1_is_solved() {
    for engine in ["flags", "links"] {
        check(&format!("solve --engine {engine}"), CONTEST, CONTEST_SOLVED, 0);
    }
}

#[test]
fn s2_prints_every_solution_of_spaced_numbers() {
    check("list", SPACED, SPACED_SOLVED, 0);
    check("solve", SPACED, SPACED_SOLVED, 0);
    check("list --engine scan", SPACED, SPACED_SOLVED, 0);
    // Without the clues of three rows the puzzle has several solutions, each followed by an empty
    // line.
    let keeps = |(row, line): (usize, &str)| {
        if row % 4 == 0 { "0 0 0 0 0 0 0 0 0\n".into() } else { format!("{line}\n") }
    };
    let open: String = SPACED.lines().enumerate().map(keeps).collect();
    let count: usize = run("count", &open).out.trim().parse().expect("a number");
    assert!(count > 1);
    let listed = run("list", &open).out;
    assert_eq!(listed.lines().count(), 10 * count);
    assert_eq!(listed.matches("\n\n").count(), count);
}

#[test]
fn s3_solves_and_checks_grids() {
    check("solve", DIFFICULT, DIFFICULT_SOLVED, 0);
    check("solve --engine stack", DIFFICULT, DIFFICULT_SOLVED, 0);
    check("check", DIFFICULT, "valid, 60 cells empty: one solution, minimal\n", 0);
    check("check", DIFFICULT_SOLVED, "a solution\n", 0);
    let with = |places: &[(usize, &str)]| {
        let mut grid = DIFFICULT.to_owned();
        for &(place, digit) in places {
            grid.replace_range(place..=place, digit);
        }
        grid
    };
    let code = |grid: &str| {
        let ran = run("check --json", grid);
        let found: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        (found["code"].as_u64().expect("a code"), ran.code)
    };
    assert_eq!(code(DIFFICULT), (0, 0));
    assert_eq!(code(&with(&[(8, "8")])), (1, 1));
    assert_eq!(code(&with(&[(72, "8")])), (2, 1));
    assert_eq!(code(&with(&[(10, "8")])), (3, 1));
    check("check", &with(&[(8, "8")]), "invalid: 8 stands twice in row 1, in r1c1 and r1c9\n", 1);
    check("check", &with(&[(72, "8")]), "invalid: 8 stands twice in column 1, in r1c1 and r9c1\n", 1);
    check("check", &with(&[(10, "8")]), "invalid: 8 stands twice in region 1, in r1c1 and r2c2\n", 1);
}

#[test]
fn s4_numbers_the_solutions_of_a_square_with_regions() {
    check("list", REGIONS, REGIONS_SOLVED, 0);
    check("solve", REGIONS, REGIONS_SOLVED, 0);
    check("list --engine regions", REGIONS, REGIONS_SOLVED, 0);
    check("count", REGIONS_NINE, "9\n", 0);
    let listed = run("list", REGIONS_NINE).out;
    let numbers: Vec<&str> = listed.lines().step_by(7).collect();
    assert_eq!(numbers, ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    assert_eq!(listed.lines().count(), 63);
}

#[test]
fn s4_reports_that_there_is_no_solution() {
    let none = REGIONS.replacen("6\n", "7\n00C\n", 1);
    check("list", &none, "无解\n", 1);
}
