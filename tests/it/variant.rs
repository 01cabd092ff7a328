//! Variants on the command line: clues in the header, links of other programs, and error messages.

use crate::command::{check, run};

const KILLER: &str = "# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1 r3c2\n....\n....\n....\n.1..\n";

#[test]
fn clues_in_the_header_are_used_and_the_solution_is_printed_as_a_grid() {
    let ran = run("solve puzzles/variant/killer.txt", "");
    let rows: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, rows.len()), (0, 9), "{}", ran.err);
    check("count puzzles/variant/killer.txt puzzles/variant/mixture.txt -q", "", "1\n1\n", 0);
    check("count -q", KILLER, "2\n", 0);
}

#[test]
fn the_digit_search_runs_first_and_gives_up_on_many_solutions() {
    let ran = run("count --stats puzzles/variant/mixture.txt", "");
    assert!(ran.err.contains("engine digits (clues of many rules)"), "{}", ran.err);
    // The number of solutions is too large for the trial to visit them all.
    let ran = run("count --stats", "# order: 5\n# killer: r1c1 r1c2 = 5\n");
    assert_eq!((&*ran.out, ran.code), ("32256\n", 0), "{}", ran.err);
    let listed = run("list --limit 3 -q", KILLER);
    assert_eq!(listed.out.matches("\n\n").count(), 1, "{}", listed.out);
}

#[test]
fn all_engines_and_methods_give_the_same_count() {
    for engine in ["links", "cells", "masks", "digits", "filter", "learn", "auto", "frontier", "memo"] {
        check(&format!("count -q --engine {engine}"), KILLER, "2\n", 0);
    }
}

#[test]
fn strings_of_interactive_sudoku_solver_are_read() {
    check("count -q", ".Shape~4x4.Cage~4~R1C1~R1C2.Thermo~R4C1~R3C1~R3C2.~R4C2_1\n", "2\n", 0);
    let ran = run("count", ".Cage~4~R1C1~R1C2.FogOfWar~R1C1\n");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("expected a type of clue that is known here, found `FogOfWar`"),
        "{}",
        ran.err
    );
}

#[test]
fn an_unknown_clue_of_a_variant_is_an_error() {
    let ran = run("solve", "# puzzle: variant\n# kiler: r1c1 r1c2 = 4\n....\n....\n....\n....\n");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains(":2:3: expected a rule or a remark such as `note`, found `kiler`"),
        "{}",
        ran.err
    );
    let ran = run("solve", "# killer: r1c1 r0c2 = 4\n....\n....\n....\n....\n");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains(":1:16: expected a cell from r1c1 to r4c4, found `r0c2`"), "{}", ran.err);
}

#[test]
fn a_clue_that_ends_with_a_sign_is_refused() {
    for (clue, expected) in [
        ("killer: r1c1 r1c2 =", ":1:21: expected a number after `=`"),
        ("arrow: r1c1 / r1c2 r1c3 /", ":1:27: expected a cell after `/`"),
        ("sum: r1c1 / = 4", ":1:13: expected a cell after `/`"),
    ] {
        let ran = run("solve", &format!("# {clue}\n....\n....\n....\n....\n"));
        assert_eq!(ran.code, 2, "{clue}: {}", ran.out);
        assert!(ran.err.contains(expected), "{clue}: {}", ran.err);
    }
}

#[test]
fn given_digits_that_violate_a_clue_are_reported() {
    let ran = run("solve", "# killer: r1c1 r1c2 = 4\n12..\n....\n....\n....\n");
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("the digits that are given break the clue `killer: r1c1 r1c2 = 4`"),
        "{}",
        ran.err
    );
}

#[test]
fn variants_with_other_ranges_of_digits_are_read_as_they_are_written() {
    let ran = run("solve", "# digits: 0-3\n# thermo: r1c1 r1c2 r1c3 r1c4\n# order: 4\n");
    assert!(ran.out.contains("# digits: 0-3\n") && ran.out.contains("\n0123\n"), "{}", ran.out);
    let again = run("solve", &ran.out);
    assert_eq!((again.out, again.code), (ran.out, 0));
}

#[test]
fn links_and_json_of_f_puzzles_are_read() {
    let json = r#"{"size":4,"grid":[[{"value":1,"given":true},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"killercage":[{"cells":["R2C1","R2C2"],"value":"5"}],"thermometer":[{"lines":[["R4C1","R4C2","R4C3"]]}]}"#;
    let link = "https://f-puzzles.com/?load=N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3lwC6yQv3GCRYwTL5SBC8UJEgA1hDJkYGAMYk01QiB0xNYfCABKAJgDCNEKhu3rIFaUrUQAVhDDUbAAW2gC2APYhMGza+KBkEMww5vAEVoj2jmkumZbpAMxuQsJcQA==\n";
    let by_json = run("count -q", json);
    let by_link = run("count -q", link);
    assert_eq!((by_link.code, &by_link.out), (0, &by_json.out), "{} {}", by_link.err, by_json.err);
    let text = "# killer: r2c1 r2c2 = 5\n# thermo: r4c1 r4c2 r4c3\n1...\n....\n....\n....\n";
    assert_eq!(run("count -q", text).out, by_link.out);
    let cut = run("count", &link[..80]);
    assert_eq!(cut.code, 2);
    assert!(
        cut.err.contains("expected a compressed text, found one that is cut or broken"),
        "{}",
        cut.err
    );
}

#[test]
fn steps_in_variants_are_described_by_their_clues() {
    let ran = run("explain", KILLER);
    let killer = "1. killer (1.4): killer r1c1 r1c2 = 4 leaves 1 in r1c1, 3 in r1c2: r1c1=1 r1c2=3\n";
    assert!(ran.out.starts_with(killer), "{}", ran.out);
    let thermo = "thermo r4c1 r3c1 r3c2 leaves 3 in r3c1, 4 in r3c2, 2 in r4c1: r3c1=3 r3c2=4 r4c1=2\n";
    assert!(ran.out.contains(thermo), "{}", ran.out);
    // Items and options are not described by their internal names.
    assert!(!ran.out.contains('`'), "{}", ran.out);
    let hint = run("hint", "# digits: 0-3\n# order: 4\n# thermo: r1c1 r1c2 r1c3 r1c4\n");
    let thermo = "thermo (1.6): thermo row 1 leaves 0 in r1c1, 1 in r1c2, 2 in r1c3, 3 in r1c4: ";
    assert!(hint.out.starts_with(thermo), "{}", hint.out);
    let rated = run("rate puzzles/variant/killer.txt", "");
    assert_eq!(rated.code, 0, "{}", rated.err);
}

#[test]
fn generate_keeps_the_clues_of_a_variant_and_adds_digits() {
    let ran = run("generate - --seed 1", KILLER);
    let head = "# puzzle: variant\n# killer: r1c1 r1c2 = 4\n# thermo: r4c1 r3c1 r3c2\n";
    assert!(ran.out.starts_with(head), "{}{}", ran.out, ran.err);
    check("count -q", &ran.out, "1\n", 0);
    let empty = "# order: 6\n# digits: 0-5\n# whisper: r1c1 r2c2 r3c1 r4c2 = 3\n";
    let ran = run("generate - --seed 2 --symmetry half-turn", empty);
    check("count -q", &ran.out, "1\n", 0);
    let checked = run("check", &ran.out);
    assert!(checked.out.contains("one solution"), "{}", checked.out);
}

#[test]
fn check_names_the_violated_clue_and_its_digits() {
    let broken = KILLER.replacen("....\n", "12..\n", 1);
    check("check", &broken, "invalid: r1c1=1 r1c2=2 breaks the clue `killer: r1c1 r1c2 = 4`\n", 1);
    check("check", KILLER, "valid, 15 cells empty: 2 solutions\n", 0);
    let why = run("check --why", KILLER);
    assert!(why.out.contains("the fewest places that tell all solutions apart: r1c3\n"), "{}", why.out);
    let more = KILLER.replacen("....\n", "1..4\n", 1);
    let one = "valid, 13 cells empty: one solution, not minimal: each of these clues can be left out: r1c1 r4c2\n";
    check("check", &more, one, 0);
    let wrong = KILLER.replacen("....\n", "...1\n", 1).replacen("....\n", "1...\n", 1);
    let why = run("check --why", &wrong);
    assert!(why.out.contains("leaving out one clue gives"), "{}", why.out);
}

#[test]
fn regions_and_pencil_marks_survive_conversion() {
    let jigsaw = ".Shape~4x4.NoBoxes.Jigsaw~1112122233343444.Cage~4~R1C1~R1C2.~R4C2_1_3";
    let drawn = run("convert --to rows", jigsaw).out;
    let head = "# killer: r1c1 r1c2 = 4\n# any-of: r4c2 = 1 3\n";
    let rows = "....\n....\n....\n....\nregions\nAAAB\nABBB\nCCCD\nCDDD\n";
    assert_eq!(drawn, format!("# puzzle: variant\n{head}{rows}"));
    let text = run("convert --to line", jigsaw).out;
    let regions = "# regions: 1112 1222 3334 3444\n";
    assert_eq!(text, format!("# puzzle: variant\n{regions}{head}................\n"));
    let count = run("count -q", jigsaw).out;
    assert_eq!((run("count -q", &text).out, run("count -q", &drawn).out), (count.clone(), count));
    let wrong = run("count", &text.replace("3444", "344"));
    assert!(wrong.err.contains(":2:12: expected 16 region labels, found 15"), "{}", wrong.err);
}

#[test]
fn written_links_of_variants_are_read_as_the_same_puzzle() {
    for form in ["fpuzzles", "fpuzzles-link", "iss"] {
        let text = run(&format!("convert --to {form}"), KILLER);
        assert_eq!((text.code, text.out.lines().count()), (0, 1), "{}", text.err);
        let back = run("convert --to rows", &text.out);
        assert_eq!(back.out, format!("# puzzle: variant\n{KILLER}"), "{}", back.err);
    }
    let unwritten = run("convert --to fpuzzles", "# equal-sums: r1c1 r1c2 / r3c1 r3c2\n");
    assert_eq!(unwritten.code, 2);
    let message = "puzzle 1: fpuzzles has no form for the rule equal-sums, or not for these cells";
    assert!(unwritten.err.contains(message), "{}", unwritten.err);
    let plain = run("convert --to fpuzzles", "12..\n....\n....\n....\n");
    assert!(plain.err.contains("the format fpuzzles is for variants only"), "{}", plain.err);
}

#[test]
fn decorative_elements_of_links_are_skipped_with_a_note() {
    let json = r#"{"size":4,"grid":[[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"line":[{"lines":[["R1C1","R1C2"]]}]}"#;
    let ran = run("count", json);
    assert_eq!((&*ran.out, ran.code), ("288\n", 0));
    assert!(ran.err.contains("not used: line"), "{}", ran.err);
    check("count -q", "https://puzz.link/p?skyscrapers/4/4/k13h4j3g\n", "1\n", 0);
}

#[test]
fn rectangular_grids_are_solved_checked_and_drawn() {
    let text = "# rows: 2\n# columns: 4\n# killer: r2c1 r2c2 = 7\n12..\n....\n";
    let ran = run("solve", text);
    assert!(ran.out.ends_with("# killer: r2c1 r2c2 = 7\n1234\n3412\n"), "{}", ran.out);
    check("check", &ran.out, "a solution\n", 0);
    check(
        "check",
        &ran.out.replace("3412", "3413"),
        "invalid: 3 stands twice in row 2, in r2c1 and r2c4\n",
        1,
    );
    check("convert --to iss", &ran.out.replace("3412", "...."), ISS_OF_RECTANGLE, 0);
    check("count -q", ISS_OF_RECTANGLE, "4\n", 0);
    assert!(run("draw", text).out.contains("<svg") || run("draw", text).code == 0);
    let ran = run("convert --to fpuzzles", text);
    assert!(
        ran.err.contains("the form fpuzzles holds squares with as many digits as rows"),
        "{}",
        ran.err
    );
    let ran = run("solve", "# digits: 1-5\n# thermo: r1c1 r1c2\n12\n1\n");
    assert_eq!(ran.code, 2);
}

const ISS_OF_RECTANGLE: &str = ".Shape~2x4.Cage~7~R2C1~R2C2.~R1C1_1.~R1C2_2.~R1C3_3.~R1C4_4\n";

#[test]
fn digits_of_cells_outside_the_rows_are_stated_in_the_header() {
    let text = "# digits: 1-4\n# cells: A 2\n# extra: r1c1 A1\n# sum: A1 A2 = 8\n# sum: r1c3 A1 = 7\n123\n231\n";
    let ran = run("solve", text);
    assert!(ran.out.contains("# any-of: A1 = 4\n# any-of: A2 = 4\n"), "{}{}", ran.out, ran.err);
    check("check", &ran.out, "a solution\n", 0);
    check(
        "check",
        &ran.out.replace("A2 = 4", "A2 = 1"),
        "invalid: A1=4 A2=1 breaks the clue `sum: A1 A2 = 8`\n",
        1,
    );
    let iss = run("convert --to iss", text).out;
    check("count -q", &iss, "1\n", 0);
}

#[test]
fn expressions_automata_and_alternatives_are_read_solved_and_written() {
    let text = "# regex: row 1 = .*(12|34)\n# machine: r1c1 r2c1 / r3c1 = > 1,3:0 2,4:0 /:1; 1,2:1 *\n# either: sum: r1c1 r1c2 = 3 or thermo: r1c1 r2c2 and even: r4c4\n";
    let text = format!("{text}....\n....\n....\n....\n");
    let counted = run("count -q", &text);
    let iss = run("convert --to iss", &text);
    assert_eq!(
        (iss.code, iss.out.contains(".Regex~") && iss.out.contains(".Or.And")),
        (0, true),
        "{}",
        iss.err
    );
    check("count -q", &iss.out, &counted.out, 0);
    assert!(!["0\n", ""].contains(&&*counted.out), "{}", counted.err);
    for (clue, message) in [
        (
            "# regex: row 1 = (12",
            ":1:10: expected an expression of digits such as (12|3.)*, found `(12`: unclosed group",
        ),
        ("# machine: row 1 = > 1:2", ":1:12: expected a state from 0 to 0 in `1:2`"),
        (
            "# machine: row 1 = > x:0",
            ":1:12: expected `>`, `*` or a way such as 1,3:2 in state 0, found `x:0`",
        ),
        ("# regex: row 1 =", ":1:10: expected a text for regex, such as"),
        (
            "# either: row 1 or even: r1c1",
            ":1:11: expected a clue such as `sum: r1c1 = 3`, found `row 1`",
        ),
        (
            "# either: killer: r1c9 = 3 or even: r1c1",
            ":1:11: expected a cell from r1c1 to r4c4, found `r1c9` (killer)",
        ),
    ] {
        let ran = run("solve", &format!("{clue}\n....\n....\n....\n....\n"));
        assert!(ran.code == 2 && ran.err.contains(message), "{clue}: {}", ran.err);
    }
}

#[test]
fn links_to_sudokupad_are_written_and_read_with_and_without_their_address() {
    let text = "# killer: r1c1 r1c2 = 4\n# extra: r1c1 r2c3 r4c4\n....\n....\n....\n.1..\n";
    let counted = run("count -q", text).out;
    let link = run("convert --to sudokupad", text);
    assert!(link.out.starts_with("https://sudokupad.app/scl"), "{}", link.err);
    check("count -q", &link.out, &counted, 0);
    check("count -q", &link.out.replace("https://sudokupad.app/", ""), &counted, 0);
    let ran = run("convert --to sudokupad", "# thermo: r1c1 r1c2\n....\n....\n....\n.1..\n");
    assert!(ran.err.contains("sudokupad draws the rule thermo and does not hold it"), "{}", ran.err);
    check("count -q", "scf5NlQ19j9mGca3OIN1bWGk2m41TjS79\n", "1\n", 0);
}

#[test]
fn regions_in_the_header_are_kept_with_other_ranges_of_digits() {
    let text =
        "# puzzle: variant\n# regions: 1112 1222 3334 3444\n# digits: 0-3\n0123\n....\n....\n....\n";
    let again = run("convert --to rows", text);
    assert_eq!((&*again.out, again.code), (text, 0), "{}", again.err);
    let with_boxes = run("count -q", &text.replace("# regions: 1112 1222 3334 3444\n", ""));
    assert_ne!(run("count -q", text).out, with_boxes.out);
}

#[test]
fn full_rank_clues_are_read_and_solved() {
    let text = ".Shape~4x4.FullRank~R4~5~.~R3C2_1\n";
    let ran = run("convert --to rows", text);
    assert!(ran.out.contains("# full-rank: row 4 = 5\n"), "{}{}", ran.out, ran.err);
    check("count -q", text, &run("count -q", &ran.out).out, 0);
}

#[test]
fn variants_are_exported_if_the_target_format_can_express_them() {
    let cages = "# killer: r1c1 r1c2 = 4\n# sum: r1c3 r2c2 = 6\n# difference: r4c3 r4c4\n....\n....\n....\n.1..\n";
    let counted = run("count -q", cages).out;
    let ipuz = run("convert --to ipuz-cages", cages);
    assert!(ipuz.out.contains("ipuz.org/v2"), "{}", ipuz.err);
    check("count -q", &ipuz.out, &counted, 0);
    let link = "https://puzz.link/p?skyscrapers/4/4/k13h4j3g\n";
    let own = run("convert --to rows", link).out;
    check("count -q", &run("convert --to puzzlink", &own).out, &run("count -q", link).out, 0);
    let ran = run("convert --to puzzlink", cages);
    assert!(ran.err.contains("puzzlink has no form for `killer: r1c1 r1c2 = 4`"), "{}", ran.err);
    let zero = run("solve", "# digits: 0-3\n# skyscraper: row 1 = 3\n# thermo: row 1\n# order: 4\n");
    assert!(zero.out.contains("\n0123\n"), "{}{}", zero.out, zero.err);
}

/// The same 36 cells, cut twice into six sums: 164 and 165 in all.
const TWO_SUMS: &str = "\
# puzzle: variant\n\
# boxes: none\n\
# order: 8\n\
# sum: r1c1 r1c2 r1c7 r4c1 r5c7 r8c4 = 24\n\
# sum: r3c8 r4c6 r5c4 r6c4 r6c7 r7c2 = 23\n\
# sum: r2c7 r3c3 r3c7 r4c4 r6c2 r8c5 = 34\n\
# sum: r2c4 r3c5 r5c2 r5c3 r6c8 r7c3 = 29\n\
# sum: r2c3 r2c6 r4c3 r4c5 r6c5 r7c6 = 31\n\
# sum: r1c8 r4c8 r8c2 r8c3 r8c7 r8c8 = 23\n\
# sum: r1c1 r1c8 r3c3 r5c7 r6c2 r7c2 = 20\n\
# sum: r2c4 r3c7 r4c6 r5c4 r6c4 r8c3 = 25\n\
# sum: r2c3 r2c6 r3c5 r4c4 r5c2 r6c8 = 27\n\
# sum: r4c3 r4c8 r6c7 r7c3 r8c4 r8c8 = 23\n\
# sum: r1c2 r4c1 r6c5 r7c6 r8c5 r8c7 = 41\n\
# sum: r1c7 r2c7 r3c8 r4c5 r5c3 r8c2 = 29\n";

#[test]
fn sums_that_contradict_each_other_are_refuted_without_search() {
    for (args, out) in
        [("solve", "no solution\n"), ("list", ""), ("count", "0\n"), ("count --engine links", "0\n")]
    {
        let ran = run(&format!("{args} --time 20"), TWO_SUMS);
        assert_eq!(ran.code, 1, "{args}: {} {}", ran.out, ran.err);
        assert!(out.is_empty() || ran.out == out, "{args}: {}", ran.out);
        assert!(ran.err.contains("the sums contradict each other: `sum: r1c1"), "{args}: {}", ran.err);
    }
    for args in ["check", "check --why"] {
        let ran = run(args, TWO_SUMS);
        assert_eq!(ran.code, 1, "{args}: {}", ran.err);
        assert!(ran.out.starts_with("invalid: the sums contradict each other"), "{args}: {}", ran.out);
        assert!(ran.out.ends_with(" leaves 0 = -1\n"), "{args}: {}", ran.out);
    }
    let solvable = format!("{}28\n", TWO_SUMS.strip_suffix("29\n").expect("the last sum"));
    let solved = run("solve --time 20", &solvable);
    assert_eq!(solved.code, 0, "{}", solved.err);
    check(
        "check",
        "# order: 4\n# sum: r1c2 r1c3 r2c2 = 99\n1...\n....\n....\n....\n",
        "invalid: the sums contradict each other: `sum: r1c2 r1c3 r2c2 = 99` leaves \
         r1c2 + r1c3 + r2c2 = 99, expected a total from 3 to 12\n",
        1,
    );
}

#[test]
fn sums_between_ends_may_have_any_number_of_equal_digits() {
    let cells: Vec<String> =
        (1..=5).flat_map(|row| (1..=60).map(move |column| format!("r{row}c{column}"))).collect();
    let twos = "2".repeat(60);
    let rows = format!("1{}\n{twos}\n{twos}\n{twos}\n{}3\n", &twos[1..], &twos[1..]);
    for (sum, count) in [(595, "0\n"), (596, "1\n"), (597, "0\n")] {
        let head = "# rows: 5\n# columns: 60\n# digits: 1-3\n# houses: none\n";
        // One cell is open, so that the puzzle is searched.
        let rows = rows.replacen('2', ".", 1);
        let text = format!("{head}# sandwich: {} = {sum}\n{rows}", cells.join(" "));
        assert_eq!(run("count --quiet", &text).out, count, "{sum}");
    }
}
