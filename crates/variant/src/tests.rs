//! Tests of the text format of variants and its errors.

use dlx::Limits;

use super::rules::RULES;
use super::*;

fn error(text: &str) -> String {
    native::read(text).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn each_solution_of_the_example_satisfies_the_clues() {
    let PuzzleSource::Text(source) = KIND.source else { panic!("a text") };
    let variant = native::read(source.example).unwrap();
    let mut count = 0;
    for cover in dlx::engine::Links::new(variant.problem()).into_solutions(&[]) {
        let grid = variant.filled_with(&cover);
        assert!(grid.is_full() && variant.broken(&grid).is_none());
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn the_help_has_a_readable_example_of_every_rule() {
    let PuzzleSource::Text(source) = KIND.source else { panic!("a text") };
    for rule in RULES {
        assert!(
            source.rules.contains(&format!("\n{:<16} {}\n", rule.name, rule.summary)),
            "{}",
            rule.name
        );
        let text = format!("# {}: {}\n", rule.name, rule.example);
        let variant = native::read(&text).unwrap_or_else(|error| panic!("{text}{error}"));
        let again = native::read(&variant.head(false)).unwrap();
        assert_eq!(again.head(false), variant.head(false));
        assert_eq!(again.problem().option_count(), variant.problem().option_count(), "{}", rule.name);
    }
}

#[test]
fn a_clue_with_too_many_options_is_refused_at_its_line() {
    let cage = |row: usize| format!("# killer: r{row}c1-r{row}c8\n");
    let text = |rows: usize| {
        let cages: String = (1..=rows).map(cage).collect();
        format!("# order: 16\n{cages}")
    };
    assert!(!native::read(&text(15)).unwrap().has_cover());
    let large = native::read(&text(16)).unwrap();
    assert!(large.has_rules(), "the search on digits supports 16 digits");
    assert_eq!(large.build_problem(&Limits::new()), Err(Limit::Memory));
    assert!(!large.has_cover());
    let message = error("# order: 25\n# rules: different-lines\n");
    assert!(
        message.ends_with(": the translation has more than 200000 options at this clue or before"),
        "{message}"
    );
}

#[test]
fn ranks_are_solved_on_digits_although_their_cover_is_too_large() {
    let text = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n\
                ...419..5\n....8..79\n";
    let ranks = "# full-rank: row 1 left = 17\n# full-rank: row 1 right = 5\n\
                 # full-rank: column 1 top = 19\n# full-rank: column 1 bottom = 10\n\
                 # full-rank: row 2 left = 23\n# full-rank: row 2 right = 30\n\
                 # full-rank: column 2 top = 12\n# full-rank: column 2 bottom = 16\n\
                 # full-rank: row 3 left = 4\n# full-rank: row 3 right = 27\n\
                 # full-rank: column 3 top = 14\n# full-rank-ties: column 3 bottom = 20\n\
                 # rules: different-lines\n";
    let empty = format!("{ranks}{}", ".........\n".repeat(9));
    assert_eq!(native::read(&empty).unwrap().build_problem(&Limits::new()), Err(Limit::Memory));
    let count = |text: &str| native::read(text).unwrap().network().solutions().take(2).count();
    assert_eq!(count(&format!("{ranks}{text}")), 1);
    assert_eq!(count(&format!("{}{text}", ranks.replace("= 5", "= 6"))), 0);
    assert_eq!(count(&format!("{}{}", ranks, text.replace("...2...6", "........"))), 2);
}

#[test]
fn the_translation_of_derived_sums_has_at_most_the_estimated_number_of_options() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..20 {
        // The cages are dominoes and the rest of each row, with the sums of a solution.
        let digit = |row: usize, column: usize| (2 * (row % 3) + row / 3 + column) % 6 + 1;
        let mut text = "# order: 6\n# boxes: 3x2\n".to_owned();
        for row in 0..6 {
            let mut column = 0;
            while column < 6 {
                let len = (1 + random.usize(..4)).min(6 - column);
                let sum: usize = (column..column + len).map(|column| digit(row, column)).sum();
                let (row, first, last) = (row + 1, column + 1, column + len);
                text += &format!("# killer: r{row}c{first}-r{row}c{last} = {sum}\n");
                column += len;
            }
        }
        let variant = native::read(&text).unwrap();
        let most = model::most_options(
            &variant.board,
            variant.placed.iter().flat_map(|placed| placed.clues.iter()),
            derive::sums_max(&variant.board, &variant.placed),
        )
        .unwrap();
        assert!(variant.derived().len() <= derive::sums_max(&variant.board, &variant.placed));
        assert!(variant.problem().option_count() - variant.cover().placements.len() <= most);
    }
}

#[test]
fn overlapping_cages_outside_a_row_yield_no_derived_sum() {
    let text = "# sum: r1c1 r1c2 r2c1 = 6\n# sum: r1c3 r1c4 r2c1 = 10\n1234\n3412\n....\n....\n";
    let variant = native::read(text).unwrap();
    let limits = Limits::new();
    let mut links = dlx::engine::Links::new(variant.problem());
    let mut naive = dlx::engine::Naive::new(variant.problem());
    let counted = dlx::Engine::count(&mut links, &[], &limits).count();
    assert!(counted > Some(0));
    assert_eq!(counted, dlx::Engine::count(&mut naive, &[], &limits).count());
}

#[test]
fn the_help_lists_every_format_of_other_programs() {
    let PuzzleSource::Text(source) = KIND.source else { panic!("a text") };
    for form in form::FORMS {
        let name = format!("{}{}", form.name, if form.write.is_some() { " *" } else { "" });
        assert!(source.rules.contains(&format!("\n{name:<16} {}\n", form.summary)), "{name}");
    }
}

#[test]
fn errors_in_a_clue_give_their_position() {
    assert_eq!(
        error("# killer: r1c1 r1c10 = 15\n"),
        "1:16: expected a cell from r1c1 to r9c9, found `r1c10`"
    );
    assert_eq!(error("# killer: r1c1 r1c2 = x\n"), "1:23: expected a number, found `x`");
    assert_eq!(
        error("# thermmo: r1c1 r1c2\n# killer: r1c1\n"),
        "1:3: expected a rule or a remark such as `note`, found `thermmo`; nearest is `thermo`"
    );
    assert_eq!(error("# killer: r1c1 r1c1 = 4\n"), "1:11: expected each cell once, found r1c1 twice");
    assert_eq!(error("# thermo: r1c1\n"), "1:11: expected at least 2 cells for thermo, found 1");
    assert_eq!(error("# sum: r1c1\n"), "1:8: expected `= number` at the end of sum, found 0 numbers");
    assert_eq!(
        error("# thermo: r1c1-r2c3\n"),
        "1:11: expected cells in a straight line, found `r1c1-r2c3`"
    );
    assert_eq!(error("# order: 4\n# sandwich: row 5 = 3\n"), "2:17: expected a number from 1 to 4");
    assert_eq!(
        error("# thermo: r1c1 r1c2\n....\n....\n....\n....\n\n....\n"),
        "7:1: expected one grid, found more"
    );
}

#[test]
fn a_clue_may_name_cells_one_by_one_as_lines_and_as_rows() {
    let variant = native::read(
        "# order: 4\n# sum: r1c1-r1c3 r4c4 = 9\n# sum: column 2 bottom = 10\n\
                              # sum: diagonal r1c2 down-right = 6\n",
    )
    .unwrap();
    let cells: Vec<_> = variant.placed.iter().map(|placed| placed.args.groups[0].clone()).collect();
    assert_eq!(cells, [vec![0, 1, 2, 15], vec![13, 9, 5, 1], vec![1, 6, 11]]);
    let variant = native::read("# order: 4\n# killer: r2c2-r2c2 = 3\n").unwrap();
    assert_eq!(variant.placed[0].args.groups, [[5]]);
}

#[test]
fn impossible_sums_have_no_solution_and_a_note() {
    let variant = native::read("# order: 4\n# killer: r1c1 r1c2 = 99\n").unwrap();
    let note = "expected a sum from 3 to 7 in the clue `killer: r1c1 r1c2 = 99`";
    assert_eq!(variant.note(), Some(note));
    let edges = "# order: 4\n# killer: r1c1 r1c2 = 3\n# killer: r2c1 r2c2 = 7\n# sum: r3c1 r4c2 = 8\n";
    assert_eq!(native::read(edges).unwrap().note(), None);
    assert_eq!(dlx::Solver::new(Arc::clone(variant.problem())).into_solutions(&[]).count(), 0);
    let limits = Limits::new();
    let mut links = dlx::engine::Links::new(variant.problem());
    assert_eq!(dlx::Engine::count(&mut links, &[], &limits).count(), Some(0));
}

#[test]
fn strings_of_interactive_sudoku_solver_are_read() {
    let text = ".Shape~4x4.Cage~4~R1C1~R1C2.Thermo~R4C1~R3C1~R3C2.~R4C2_1";
    let read = form::of(text).unwrap().read;
    assert_eq!(
        read(text).unwrap().head(false),
        "# puzzle: variant\n# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1 r3c2\n"
    );
    let text = ".Cage~4~R1C1~R1C2.Chaos~R1C1";
    assert_eq!(
        read(text).unwrap_err().to_string(),
        "1:18: expected a type of clue that is known here, found `Chaos`"
    );
    let text = ".Shape~4x4.GreaterThan~R2C2~R2C1~R1C2~R2C3.BlackDot~R1C1~R2C1";
    let apart = read(&format!("{text}~R4C4")).unwrap_err().to_string();
    assert_eq!(apart, "1:43: expected cells that touch in BlackDot");
    let head = read(text).unwrap().head(false);
    assert_eq!(
        head.lines().skip(1).collect::<Vec<_>>(),
        [
            "# greater: r2c2 r2c1",
            "# greater: r2c2 r1c2",
            "# greater: r2c2 r2c3",
            "# ratio: r1c1 r2c1 = 2"
        ]
    );
    assert!(form::of(".........\n").is_none() && form::of("..3.~\n").is_none());
}

#[test]
fn links_of_f_puzzles_are_read() {
    let json = r#"{"size":4,"title":"tiny","grid":[[{"value":1,"given":true},{"value":3},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],
        "killercage":[{"cells":["R2C1","R2C2"],"value":"5"}],"thermometer":[{"lines":[["R4C1","R4C2","R4C3"]]}],
        "arrow":[{"cells":["R1C4"],"lines":[["R1C4","R2C4","R3C4"]]}],"sandwichsum":[{"cell":"R0C2","value":"3"}],
        "difference":[{"cells":["R3C1","R3C2"]}],"nonconsecutive":false,"odd":[{"cell":"R2C3"}],"text":[{"cells":["R1C1"],"value":"x"}]}"#;
    let read = |text: &str| (form::of(text).unwrap().read)(text);
    let head = read(json).unwrap().head(false);
    let clues: Vec<&str> = head.lines().collect();
    assert_eq!(
        clues,
        [
            "# puzzle: variant",
            "# killer: r2c1 r2c2 = 5",
            "# thermo: r4c1 r4c2 r4c3",
            "# arrow: r1c4 / r2c4 r3c4",
            "# sandwich: column 2 = 3",
            "# difference: r3c1 r3c2",
            "# odd: r2c3",
        ]
    );
    let link = "https://f-puzzles.com/?load=N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3lwC6yQv3GCRYwTL5SBC8UJEgA1hDJkYGAMYk01QiB0xNYfCABKAJgDCNEKhu3rIFaUrUQAVhDDUbAAW2gC2APYhMGza+KBkEMww5vAEVoj2jmkumZbpAMxuQsJcQA==";
    let variant = read(link).unwrap();
    assert_eq!((variant.placed.len(), variant.grid.symbol(0)), (2, Some(0)));
    let negative =
        json.replace("\"nonconsecutive\":false", "\"negative\":[\"ratio\"],\"nonconsecutive\":true");
    let count =
        |name| read(&negative).unwrap().placed.iter().filter(|placed| placed.rule.name == name).count();
    assert_eq!((count("no-ratio"), count("no-difference")), (24, 23));
    for (wrong, message) in [
        (
            json.replace("killercage", "killerrage"),
            "1:1: expected a constraint that is known here in `killerrage`",
        ),
        (
            json.replace("R4C2", "R4C5"),
            "1:1: expected a cell from r1c1 to r4c4, found `R4C5` in `thermometer`",
        ),
        (json.replace("\"5\"", "\"five\""), "1:1: expected a number, found `\"five\"` in `killercage`"),
        (
            link.replace("N4Ig", "N4I!"),
            "1:1: expected a compressed text, found one that is cut or broken",
        ),
    ] {
        assert_eq!(read(&wrong).unwrap_err().to_string(), message);
    }
}

#[test]
fn types_of_interactive_sudoku_solver_map_to_equivalent_rules() {
    let head = |text: &str| -> String {
        let form = form::of(text).unwrap();
        let variant = (form.read)(text).unwrap_or_else(|error| panic!("{error}"));
        variant
            .head(false)
            .lines()
            .skip(1)
            .filter(|line| !line.contains("boxes"))
            .collect::<Vec<_>>()
            .join("|")
    };
    for (text, expected) in [
        (".Lunchbox~8~R1C3~R1C4", "# lunchbox: r1c3 r1c4 = 8"),
        (".RellikCage~9~R1C1~R1C2", "# rellik: r1c1 r1c2 = 9"),
        (".EqualityCage~R1C1~R1C2", "# equality: r1c1 r1c2"),
        (".SameValues~2~R1C1~R2C2~R3C3~R4C4", "# same-digits: r1c1 r2c2 / r3c3 r4c4"),
        (".CountingCircles~R1C1~R2C2", "# counting-circles: r1c1 r2c2"),
        (".CountDistinct~R1C1~R2C2~R3C3", "# count-distinct: r1c1 / r2c2 r3c3"),
        (".ContainAtLeast~1_1_2~R1C1~R2C2~R3C3", "# quadruple: r1c1 r2c2 r3c3 = 1 1 2"),
        (".ContainExact~2_1_2~R1C1~R2C2~R3C3", "# counts: r1c1 r2c2 r3c3 = 1 1 2 2"),
        (".LookAndSay~1223~R1C1~R2C2~R3C3", "# counts: r1c1 r2c2 r3c3 = 1 2 2 3"),
        (".HiddenSkyscraper~R9~~3", "# hidden-skyscraper: row 9 right = 3"),
        (".ValueIndexing~R1C1~R1C2~R1C3", "# pointer: r1c1 r1c2 r1c3"),
        (".Sum~7_=_1_-1~R1C1~R2C2", "# weighted-sum: r1c1 r2c2 = 7 1 -1"),
        (
            ".Shape~4x4.Pair~hQ~_x~R1C1~R1C2~~R2C1~R2C2",
            "# pairs: r1c1 r1c2 = 11 22 33|# pairs: r2c1 r2c2 = 11 22 33",
        ),
        (".GlobalMod.DutchFlatmates.Shape~9x9", "# remainders:|# flatmates:"),
        (".Shape~16x16.Thermo~RaCg~RbCf", "# thermo: r10c16 r11c15"),
    ] {
        assert_eq!(head(text), expected, "{text}");
    }
    let strict = head(".Shape~4x4.StrictXV.X~R1C1~R1C2");
    assert_eq!(strict.matches("no-pair-sum").count(), 46);
    let strict = head(".Shape~4x4.StrictKropki.WhiteDot~R1C1~R1C2.BlackDot~R1C2~R1C3");
    assert_eq!((strict.matches("no-ratio").count(), strict.matches("no-difference").count()), (22, 22));
    for (text, message) in [
        (".NFA~abc~R1C1", "1:1: expected a whole automaton, found its beginning"),
        (".Shape~6x6~5", "1:1: expected at least 6 digits, such as 0-9, found `5`"),
        (".Pair~%~R1C1~R1C2", "1:1: expected letters of base64, found `%`"),
    ] {
        let form = form::of(text).unwrap();
        assert_eq!((form.read)(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn rectangular_grids_are_read_solved_and_written() {
    let check = |text: &str, count: usize, first: &str| {
        let variant = native::read(text).unwrap_or_else(|error| panic!("{text}{error}"));
        let covers: Vec<_> = dlx::engine::Links::new(variant.problem()).into_solutions(&[]).collect();
        assert_eq!(covers.len(), count, "{text}");
        let mut is_found = false;
        for (number, cover) in (1..).zip(&covers) {
            let mut shown = String::new();
            variant.show(cover, number, &mut shown);
            let again = native::read(&shown).unwrap_or_else(|error| panic!("{shown}{error}"));
            assert!(again.grid.is_full() && again.grid.clash().is_none(), "{shown}");
            assert_eq!(again.head(false), variant.head(false));
            let rows: String = shown.lines().filter(|line| !line.starts_with('#')).collect();
            is_found |= rows == first;
        }
        assert_eq!(is_found, count > 0, "{text}");
        let cover = covers.first().map_or(&[][..], |cover| &cover[..]);
        assert!(variant.picture(cover).is_some_and(|picture| picture.svg().contains("<svg")));
    };
    check("# puzzle: variant\n# rows: 2\n# columns: 3\n123\n...\n", 2, "123231");
    check("# puzzle: variant\n# digits: 1-4\n12\n3.\n", 2, "1234");
    check("# puzzle: variant\n# boxes: 2x2\n# rows: 2\n# columns: 4\n1234\n3.1.\n", 1, "12343412");
    check(
        "# puzzle: variant\n# cells: A 2\n# digits: 0-1\n# extra: r1c1 A1\n# any-of: A2 = 1\n0.\n..\n",
        1,
        "0110",
    );
    check(
        "# puzzle: variant\n# houses: none\n# digits: 1-2\n# killer: r1c1 r1c2 = 3\n1.\n11\n",
        1,
        "1211",
    );
    check("# puzzle: variant\n# digits: 1-3\n# regions: 11. 1.. ...\n12.\n3..\n...\n", 1, "123312231");
}

#[test]
fn errors_in_a_rectangular_grid_give_their_position() {
    assert_eq!(error("# rows: 2\n# sum: r1c1 = 1\n12\n"), "3:1: expected 2 rows, found 1");
    assert_eq!(error("# rows: 2\n# sum: r1c1 = 1\n12\n1\n"), "4:1: expected 2 cells, found 1");
    assert_eq!(
        error("# cells: a 8\n# sum: a1 = 3\n"),
        "1:10: expected a name of capitals and a number of cells, at most 1000 more, such as A 8, found `a 8`"
    );
    assert_eq!(
        error("# cells: A 2\n# sum: A3 = 3\n"),
        "2:8: expected a cell from r1c1 to r9c9 or one beside the grid, found `A3`"
    );
    assert_eq!(
        error("# rows: 4\n# columns: 6\n# digits: 1-5\n# sum: r1c1 = 3\n"),
        "expected at most 5 cells, one a symbol, in each row, found 6"
    );
}
