//! Printed counts: large numbers, every kind of puzzle, incomplete counts, and checked counts.

#[path = "../../dlx/tests/it/samples.rs"]
mod samples;

use self::samples::{dominoes, product};
use crate::command::{run, sample};

#[test]
fn counts_of_any_size_are_printed() {
    let ran = run("count --puzzle cover", &product(100, 7));
    assert_eq!((ran.code, ran.out), (0, num_bigint::BigUint::from(7u32).pow(100).to_string() + "\n"));
    let ran = run("count --json", &product(80, 2));
    assert!(ran.out.contains(r#""count":"1208925819614629174706176","complete":true"#), "{}", ran.out);
    let ran = run("count --stats --engine frontier", &dominoes(16, 16));
    assert_eq!(ran.out, "2444888770250892795802079170816\n");
    assert!(ran.err.contains("engine frontier"), "{}", ran.err);
    let ran = run("solve --engine frontier", &dominoes(2, 2));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("invalid value 'frontier' for '--engine <NAME>'"), "{}", ran.err);
}

#[test]
fn a_count_cut_short_is_marked_as_a_lower_bound() {
    let ran = run("count --time 0.05 --puzzle latin 9", "");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.out.ends_with("+\n"), "{}", ran.out);
}

#[test]
fn puzzles_have_their_published_solution_counts() {
    let known = [
        ("queens", "12", "14200"),
        ("langford", "11", "35584"),
        ("polyomino", "pentominoes:3x20", "8"),
        ("polyomino", "pentominoes:4x15", "1472"),
        ("polyomino", "pentominoes:5x12", "4040"),
        ("polyomino", "tetrominoes:6x8", "22483347"),
        ("polyomino", "tetrominoes:8x8", "19077209438"),
        ("polyomino", "dominoes:16x16", "2444888770250892795802079170816"),
        ("polyomino", "dominoes:20x20", "1269984011256235834242602753102293934298576249856"),
        ("latin", "5", "161280"),
        ("latin", "6", "812851200"),
        ("latin", "7", "61479419904000"),
        ("sudoku", "2x2", "288"),
        ("sudoku", "3x2", "28200960"),
        ("sudoku", "3x3", "6670903752021072936960"),
    ];
    for (kind, parameter, count) in known {
        let ran = run(&format!("count --puzzle {kind} {parameter}"), "");
        assert_eq!((ran.code, ran.out.trim_end()), (0, count), "{kind} {parameter}: {}", ran.err);
    }
}

#[test]
fn latin_squares_with_a_given_first_row_are_counted_quickly() {
    let square = |order: usize| {
        let first: String = ('1'..='9').take(order).collect();
        format!("{first}\n{}", format!("{}\n", ".".repeat(order)).repeat(order - 1))
    };
    let ran = run("count --puzzle latin", &square(7));
    assert_eq!((ran.code, ran.out.as_str()), (0, "12198297600\n"), "{}", ran.err);
    // In column order this count would take half a minute in an optimized build.
    let ran = run("count --threads 1 --time 60 --puzzle latin", &square(8));
    assert_eq!((ran.code, ran.out.as_str()), (0, "2697818265354240\n"), "{}", ran.err);
}

#[test]
fn a_count_is_checked_by_another_method_if_asked() {
    for args in sample(["queens 9", "latin 6", "polyomino dominoes:8x8", "sudoku 3x3"], 2) {
        let ran = run(&format!("count --check --stats --puzzle {args}"), "");
        assert_eq!(ran.code, 0, "{args}: {ran:?}");
        assert!(ran.err.contains("checked by") || ran.err.contains("bands"), "{args}: {}", ran.err);
    }
}

#[test]
fn sudoku_with_few_clues_is_counted_by_the_engine_lanes_or_bands() {
    let digit = |cell: usize| char::from(b'1' + ((cell / 9 * 3 + cell / 27 + cell % 9) % 9) as u8);
    let grid = |keep: &dyn Fn(usize) -> bool| -> String {
        (0..81).map(|cell| if keep(cell) { digit(cell) } else { '.' }).collect()
    };
    for (text, expected, engine) in [
        (grid(&|_| false), "6670903752021072936960\n", "bands"),
        (grid(&|cell| cell < 27), "7802998272\n", "bands"),
        (grid(&|cell| cell < 36), "632016\n", "bands"),
        (grid(&|cell| cell < 54), "1728\n", "lanes"),
    ] {
        let ran = run("count --stats --check", &text);
        assert_eq!((ran.code, &*ran.out), (0, expected), "{}", ran.err);
        assert!(ran.err.contains(&format!("engine {engine}")), "{}", ran.err);
        assert_eq!(run("count --limit 17", &text).out, "17+\n");
    }
}
