//! The commands that write and check proofs of counts. An error in a proof is reported with its
//! position.

use std::fs;
use std::path::Path;

use crate::command::run;

/// Returns what `verify-proof` prints for a proof of a count.
fn claim(count: &str) -> String {
    match count {
        "0" => "no cover\n".to_owned(),
        "1" => "exactly 1 cover\n".to_owned(),
        _ => format!("exactly {count} covers\n"),
    }
}

/// Proves a count with an option of `count`, and checks that `verify-proof` accepts the proof.
fn prove_and_verify(option: &str, path: &Path, puzzle: &str, input: &str, count: &str) {
    let path = path.display();
    let ran = run(&format!("count -q {option} {path} {puzzle}"), input);
    assert_eq!((ran.out.trim_end(), ran.code), (count, i32::from(count == "0")), "{}", ran.err);
    assert!(!ran.err.contains("proven"), "{puzzle}: {}", ran.err);
    let ran = run(&format!("verify-proof {path} {puzzle}"), input);
    assert_eq!((&*ran.out, ran.code), (&*claim(count), 0), "{}", ran.err);
}

#[test]
fn known_counts_are_proven_as_cpog_and_their_proofs_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let (proof, formula) = (folder.path().join("p.cpog"), folder.path().join("p.cnf"));
    let check = |puzzle: &str, input: &str, count: &str| {
        prove_and_verify("--proof", &proof, puzzle, input, count);
        // `convert` writes the same formula.
        let converted = run(&format!("convert -q --to cnf {puzzle}"), input);
        assert_eq!(fs::read_to_string(&formula).unwrap(), converted.out, "{puzzle}");
    };
    check("--puzzle queens 6", "", "4");
    check("--puzzle langford 7", "", "52");
    check("--puzzle polyomino dominoes:4x5", "", "95");
    check("--puzzle polyomino dominoes:3x3", "", "0");
    check("-", "1...............\n", "72");
    check("-", "1234341221434321\n", "1");
    check("-", "a b | x\na x:1\nb x:1\nb x:2\na b x:2\n", "2");
    check("-", "0:1|a b\na\nb\na b\n", "3");
    check("-", "a b\na\n", "0");
}

#[test]
fn wrong_files_of_a_proof_are_refused_with_their_position() {
    let folder = tempfile::tempdir().unwrap();
    let (proof, formula) = (folder.path().join("p.cpog"), folder.path().join("p.cnf"));
    let path = proof.display();
    let problem = "a b\na b\na b\n";
    let verify = || run(&format!("verify-proof {path} -"), problem);
    let ran = run(&format!("count --proof {path} -"), problem);
    assert_eq!((ran.out.as_str(), ran.code), ("2\n", 0), "{}", ran.err);
    assert!(ran.err.contains("proven: exactly 2 covers"), "{}", ran.err);
    let ran = run(&format!("verify-proof --json {path} -"), problem);
    let line = "{\"puzzle\":1,\"kind\":\"cover\",\"claim\":\"exactly 2 covers\",\"count\":\"2\"}\n";
    assert_eq!((ran.out.as_str(), ran.code), (line, 0), "{}", ran.err);
    let (good, text) = (fs::read_to_string(&proof).unwrap(), fs::read_to_string(&formula).unwrap());
    // The count of another puzzle.
    let ran = run(&format!("verify-proof {path} -"), "a b c\na b\nc\na\nb c\n");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains(&format!("{}:", formula.display())), "{}", ran.err);
    fs::write(&proof, good.replace(" p ", " q ")).unwrap();
    let ran = verify();
    assert_eq!((ran.out.as_str(), ran.code), ("", 1));
    assert!(ran.err.contains(&format!("{path}:")), "{}", ran.err);
    assert!(ran.err.contains("expected `a`, `p` or `s`, found `q`"), "{}", ran.err);
    fs::write(&proof, &good).unwrap();
    fs::write(&formula, text.replace("-1 -2 0", "-1 2 0")).unwrap();
    let ran = verify();
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("expected the clause `-1 -2 0` of the problem"), "{}", ran.err);
    fs::remove_file(&formula).unwrap();
    let ran = verify();
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains(&format!("{}: cannot read: ", formula.display())), "{}", ran.err);
}

#[test]
fn a_count_without_a_proof_as_cpog_leaves_the_files_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (proof, formula) = (folder.path().join("p.cpog"), folder.path().join("p.cnf"));
    let check = |args: &str, input: &str, code: i32, said: &str| {
        fs::write(&proof, "old").unwrap();
        let ran = run(&format!("count --proof {} {args}", proof.display()), input);
        assert_eq!((ran.out.as_str(), ran.code), ("", code), "{args}: {}", ran.err);
        assert!(ran.err.contains(said), "{args}: {}", ran.err);
        assert_eq!(fs::read_to_string(&proof).unwrap(), "old", "{args}");
        assert!(!formula.exists(), "{args}");
    };
    check(
        "-",
        "0:2|a b | x\na x:1\na b x:1\nb\n",
        2,
        "CNF cannot hold bounds other than 0:1 and 1:1, so",
    );
    check("--memory 10K --puzzle queens 12", "", 3, "memory limit reached; there is no proof");
    check("--time 0 --puzzle queens 12", "", 3, "time limit reached");
    check(
        "-",
        "11..............\n",
        1,
        "no proof: clues `r1c1 r1s1 c1s1 b1s1` and `r1c2 r1s1 c2s1 b1s1` conflict in item `",
    );
    check("--limit 3 --puzzle queens 6", "", 2, "expected no --limit");
    let ran = run("count --proof p.txt --puzzle queens 6", "");
    assert!(ran.err.contains("expected a name that ends in .cpog, .lrat or .pbp"), "{}", ran.err);
    assert_eq!(ran.code, 2);
}

#[test]
fn known_counts_are_proven_and_their_proofs_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let check = |puzzle: &str, input: &str, count: &str| {
        prove_and_verify("--trace", &trace, puzzle, input, count);
    };
    check("--puzzle queens 8", "", "92");
    check("--puzzle langford 7", "", "52");
    check("--puzzle latin 4", "", "576");
    check("-", "1...............\n", "72");
    check("-", "11..............\n", "0");
    check("--puzzle langford 17", "", "0");
}

#[test]
fn a_valid_combination_of_items_proves_infeasibility_and_a_wrong_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    let check = |problem: &str, line: &str, said: &str| {
        let items = problem.parse::<dlx::Problem>().unwrap();
        let head = format!("problem {} items {} options", items.item_count(), items.option_count());
        std::fs::write(&path, format!("farandole count trace 1\n{head}\n{line}\n")).unwrap();
        let ran = run(&format!("verify-proof {} -", path.display()), problem);
        match said {
            "" => assert_eq!((ran.code, ran.out.as_str()), (0, "no cover\n"), "{line}: {}", ran.err),
            _ => assert!(ran.code == 1 && ran.err.contains(said), "{line}: {}", ran.err),
        }
    };
    let cycle = "a b c\na b\nb c\na c\n";
    check(cycle, "combination modulo 2 | 1 2 3", "");
    check(cycle, "combination modulo 2 | 1*-1 2*3 3", "");
    check(cycle, "combination modulo 2 | 1 2 3*2", "3:1: option 2 has 3");
    check(cycle, "combination modulo 2 | 1*2 2*2 3*2", "3:1: a cover has 6");
    check(cycle, "combination modulo 2 | 1 2 3 1", "3:30: item 1 comes twice");
    check(cycle, "combination modulo 2 | 1 2 4", "3:28: expected an item, found `4`");
    check(cycle, "combination modulo 1 | 1 2 3", "3:20: expected a number greater than 1, found `1`");
    check(cycle, "combination 2 | 1 2 3", "3:13: expected `|`, found `2`");
    check(cycle, "combination | 1 2 3", "3:1: options have up to 6, a cover 3");
    let range = "a b 1:2|c\na b\nb c\na c\n";
    check(
        range,
        "combination modulo 2 | 1 2 3",
        "3:28: expected an item of which that many are known, found `3`",
    );
    let pigeons = "a b c | x y\na x\na y\nb x\nb y\nc x\nc y\n";
    check(pigeons, "combination | 1 2 3 4*-1 5*-1", "");
    check(pigeons, "combination | 1 2 3 4*-1", "3:1: options have up to 3, a cover 2");
    check(
        pigeons,
        "combination | 1 2 3 4*-1 5",
        "3:26: expected an item of which that many are known, found `5`",
    );
    check(
        &pigeons.replace("a x", "a x:0"),
        "combination | 1 2 3 4*-1 5*-1",
        "3:21: expected an item of which",
    );
}

/// A problem with a bound and colors, and a proof that it has six covers.
const PROBLEM: &str =
    "a b 1:2|c d | x y\na b x:red\na x:blue\nb y\nc x:red\nc d y\nc\nd x:blue\nb c y\n";
const TRACE: &str = "\
farandole count trace 1
problem 6 items 8 options
step item 1
step item 2
step option 4
step option 5
step option 6
step item 4
state 1 at 6 | 5:blue | 7>0 | 1
state 2 at 5 | 5:blue | 0>x3 6>1 | 1
state 3 at 5 | 3 5:blue | 0>1 6>1 | 2
state 4 at 5 | 3 4 5:red | 0>0 6>0 | 2
state 5 at 4 | 5:red | 0>x4 5>4 | 2
state 6 at 4 | 3 5:red | 0>x4 5>0 | 1
state 7 at 3 | 5:red | 0>5 4>6 | 3
state 8 at 2 | 5:blue | 3>2 8>3 | 3
state 9 at 1 | | 1>7 2>8 | 6
root 9
";

/// Changes of the proof: the old text, the new text, and the expected error.
const WRONG: &[(&str, &str, &str)] = &[
    ("3>2 8>3 | 3", "3>2 | 1", "16:29: expected option 8, which fits, found `|`"),
    ("3>2 8>3 | 3", "3>2 8>3 | 4", "16:35: expected the sum 3, found `4`"),
    ("1>7 2>8 | 6", "1>8 2>7 | 6", "17:18: state 8 has other items in use"),
    ("1>7 2>8", "1>7 3>0 2>8", "17:22: expected option 2, which fits, found `3>0`"),
    ("0>0 6>0 | 2", "0>0 6>0 6>0 | 3", "12:36: expected `|`, found `6>0`"),
    ("1>7 2>8 | 6", "1>7 2>x4 | 3", "17:22: item 4 can still be covered"),
    ("root 9", "root 8", "18:6: state 8 passes by option 1, which fits"),
    ("root 9", "root 10", "18:6: state 10 is not one from above"),
    ("root 9", "root x1", "18:6: item 1 can still be covered"),
    ("root 9\n", "", "18:1: expected `root`, found the end of the text"),
    ("root 9", "root 9\nroot 9", "19:1: expected the end of the text, found `root`"),
    ("state 2 at 5", "state 1 at 5", "10:7: expected `2`, found `1`"),
    ("state 3 at 5 | 3 5:blue | 0>1 6>1 | 2\n", "", "11:7: expected `3`, found `4`"),
    (
        "state 4 at 5 | 3 4 5:red | 0>0 6>0 | 2\n",
        "state 4 at 5 | 3 4 5:red | 0>0 6>0 | 2\nstate 4 at 5 | 3 4 5:red | 0>0 6>0 | 2\n",
        "13:7: expected `5`, found `4`",
    ),
    ("0>x3 6>1", "0>0 6>1", "10:25: item 3 is left uncovered by then"),
    ("0>x4 5>0 | 1", "0>0 5>0 | 2", "14:26: state 0 passes by option 6, which fits"),
    ("1>7 2>8", "1>9 2>8", "17:18: state 9 is not one from above"),
    ("state 7 at 3 | 5:red", "state 7 at 3 | 5:blue", "15:25: state 5 has other items in use"),
    ("state 7 at 3 | 5:red", "state 7 at 3 |", "15:18: state 5 has other items in use"),
    ("state 7 at 3 | 5:red", "state 7 at 3 | 3 5:red", "15:26: state 5 has other items in use"),
    ("state 8 at 2 |", "state 8 at 1 |", "16:25: expected option 2, which fits, found `3>2`"),
    ("state 8 at 2 |", "state 8 at 7 |", "16:12: expected the number of a step, found `7`"),
    ("step item 4\n", "", "8:1: no step decides 1 of the options"),
    (
        "step item 4",
        "step item 3",
        "8:11: expected an item to be covered once, with options not yet decided, found `3`",
    ),
    (
        "step item 4",
        "step item 4\nstep item 4",
        "9:11: expected an item to be covered once, with options not yet decided, found `4`",
    ),
    ("step option 6", "step option 5", "7:13: expected an option not yet decided, found `5`"),
    (
        "step option 6",
        "step option 7",
        "8:11: expected an item to be covered once, with options not yet decided, found `4`",
    ),
    ("trace 1", "trace 2", "1:23: expected `1`, found `2`"),
    ("problem 6", "problem 5", "2:9: expected `6`, found `5`"),
    ("| 6\n", "| 06\n", "17:28: expected the sum 6, found `06`"),
    ("| 6\n", "| 6 x\n", "17:30: expected the end of the line, found `x`"),
    ("5>4 | 2", "5>x3 | 0", "13:29: item 3 can still be covered"),
];

#[test]
fn each_wrong_line_of_a_proof_is_reported_with_its_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (file, trace) = (path("problem.dlx"), path("trace"));
    std::fs::write(&file, PROBLEM).unwrap();
    let check = |text: &str| {
        std::fs::write(&trace, text).unwrap();
        run(&format!("verify-proof {} {}", trace.display(), file.display()), "")
    };
    let ran = check(TRACE);
    assert_eq!((ran.out.as_str(), ran.code), ("exactly 6 covers\n", 0), "{}", ran.err);
    for (from, to, expected) in WRONG {
        assert_eq!(TRACE.matches(from).count(), 1, "`{from}` stands there once");
        let ran = check(&TRACE.replace(from, to));
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{from} -> {to}");
        assert_eq!(ran.err, format!("{}:{expected}\n", trace.display()), "{from} -> {to}");
    }
}

#[test]
fn a_proof_of_a_count_needs_exactly_one_puzzle() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let ran =
        run(&format!("count --trace {} -", trace.display()), "1...............\n1...............\n");
    assert_eq!((ran.err.as_str(), ran.code), ("expected one puzzle, found more\n", 2));
    let ran = run("verify-proof nowhere --puzzle queens 4", "");
    assert!(ran.err.starts_with("nowhere: cannot read: "), "{}", ran.err);
    assert_eq!(ran.code, 2);
}
