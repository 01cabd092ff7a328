//! The proofs of `--proof` for the checkers of other programs.

use std::fs;
use std::path::Path;

use dlx::trust::veripb::Claim;
use dlx::trust::{lrat, veripb};
use dlx::{Limits, Problem};

use crate::command::{Ran, run};

const HARD: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
/// [`HARD`] without its first clue.
const OPEN: &str =
    "...........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
const CYCLE: &str = "a b c\na b\nb c\na c\n";
const CLASH: &str = "11..............\n";
const COSTS: &str = "a b c\na b |5\nc |2\na |1\nb c |3\nb |1\n";
const BOUNDS: &str = "a 1:2|b 0:2|c | x\na b x:1\na c x:2\nb c x:1\nb\nc x\na\n";
const KILLER: &str = "# killer: r1c1 r1c2 = 3\n# thermo: r2c1 r2c2\n....\n....\n....\n...4\n";

/// Runs a command that writes a proof into `folder`, and checks the proof for the problem that
/// `convert` writes for the same input.
fn prove(folder: &Path, ending: &str, command: &str, input: &str) -> (Ran, Result<Claim, String>) {
    let proof = folder.join(format!("p.{ending}"));
    let formula = folder.join(if ending == "lrat" { "p.cnf" } else { "p.opb" });
    let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
    let ran = run(&format!("{name} --proof {} {rest}", proof.display()), input);
    if !proof.exists() {
        return (ran, Err("no proof".to_owned()));
    }
    let puzzle: Vec<&str> =
        rest.split(' ').filter(|word| !word.starts_with("--") || *word == "--puzzle").collect();
    let problem: Problem =
        run(&format!("convert --to dlx {}", puzzle.join(" ")), input).out.parse().expect("a problem");
    let (formula, proof) =
        (fs::read_to_string(formula).expect("a formula"), fs::read(proof).expect("a proof"));
    let limits = Limits::new();
    let claim = match ending {
        "lrat" => lrat::check(&problem, &formula, &*proof, &limits).map(Claim::Count),
        _ => veripb::check(&problem, &formula, &*proof, &limits),
    };
    (ran, claim.map_err(|fault| fault.to_string()))
}

#[test]
fn every_command_proves_its_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    for (command, input, said, code, claim) in [
        ("count --puzzle queens 6", "", "exactly 4 solutions", 0, Claim::Count(4)),
        ("count --limit=9 --puzzle queens 6", "", "exactly 4 solutions", 0, Claim::Count(4)),
        ("list --puzzle queens 5", "", "exactly 10 solutions", 0, Claim::Count(10)),
        ("solve --puzzle queens 3", "", "there is no solution", 1, Claim::Count(0)),
        ("solve", HARD, "there is no other solution", 0, Claim::Count(1)),
        ("solve --all", HARD, "there is no other solution", 0, Claim::Count(1)),
        ("check", HARD, "there is no other solution", 0, Claim::Count(1)),
        ("check", CYCLE, "there is no solution", 1, Claim::Count(0)),
        ("count --puzzle polyomino dominoes:4x4", "", "exactly 36 solutions", 0, Claim::Count(36)),
        ("count", COSTS, "exactly 3 solutions", 0, Claim::Count(3)),
    ] {
        for ending in ["lrat", "pbp"] {
            let (ran, found) = prove(folder.path(), ending, command, input);
            assert_eq!(found, Ok(claim), "{command} {ending}: {ran:?}");
            assert!(ran.err.contains(said) && ran.code == code, "{command} {ending}: {ran:?}");
            let plain = run(command, input);
            assert_eq!((&plain.out, plain.code), (&ran.out, ran.code), "{command} {ending}");
        }
    }
}

#[test]
fn a_variant_is_proven_through_its_exact_cover() {
    let folder = tempfile::tempdir().expect("a folder");
    for ending in ["lrat", "pbp"] {
        let proof = folder.path().join(format!("p.{ending}"));
        let ran = run(&format!("count --proof {}", proof.display()), KILLER);
        assert!(ran.out == "6\n" && ran.err.contains("exactly 6 solutions"), "{ran:?}");
        assert!(proof.exists());
    }
}

#[test]
fn bounds_and_costs_are_proven_for_veripb_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ran, claim) = prove(folder.path(), "pbp", "solve --cheapest", COSTS);
    assert!(ran.out.starts_with("| cost 4\n") && claim == Ok(Claim::Cheapest(4)), "{claim:?} {ran:?}");
    assert!(ran.err.contains("no solution costs less than 4"), "{ran:?}");
    let (ran, claim) = prove(folder.path(), "pbp", "count", BOUNDS);
    assert_eq!((ran.out, claim.is_ok()), (run("count", BOUNDS).out, true));
    for (command, input, said) in [
        ("solve --cheapest", COSTS, "expected a file that ends in .pbp"),
        ("count", BOUNDS, "LRAT cannot hold bounds other than 0:1 and 1:1"),
    ] {
        let (ran, claim) = prove(folder.path(), "lrat", command, input);
        assert_eq!((ran.code, claim), (2, Err("no proof".to_owned())), "{ran:?}");
        assert!(ran.err.contains(said), "{ran:?}");
    }
    let (ran, _) = prove(folder.path(), "pbp", "solve --cheapest=2", COSTS);
    assert!(ran.code == 2 && ran.err.contains("expected --cheapest=1"), "{ran:?}");
}

#[test]
fn a_mutilated_board_has_a_proof_of_a_few_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let (row, end) = (".".repeat(20) + "\n", ".".repeat(19));
    let board = format!("pieces dominoes unlimited\nboard\n#{end}\n{}{end}#\n", row.repeat(18));
    let (ran, claim) = prove(folder.path(), "pbp", "solve --puzzle polyomino -", &board);
    assert_eq!(claim, Ok(Claim::Count(0)), "{ran:?}");
    let proof = fs::read_to_string(folder.path().join("p.pbp")).expect("a proof");
    assert!(proof.lines().count() < 8, "{proof}");
}

#[test]
fn without_a_complete_search_no_file_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for (command, input, code, said) in [
        ("solve", OPEN, 1, "there is another solution"),
        ("check", OPEN, 1, "there is another solution"),
        ("list --limit 3 --puzzle queens 6", "", 1, "there is another solution"),
        ("count --limit 3 --puzzle queens 6", "", 1, "there is another solution"),
        ("count --time 0 --puzzle queens 12", "", 3, "time limit reached"),
        (
            "solve",
            CLASH,
            1,
            "no proof: clues `r1c1 r1s1 c1s1 b1s1` and `r1c2 r1s1 c2s1 b1s1` conflict in item `",
        ),
    ] {
        for ending in ["lrat", "pbp"] {
            let (ran, _) = prove(folder.path(), ending, command, input);
            assert!(ran.code == code && ran.err.contains(said), "{command} {ending}: {ran:?}");
            assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "{command}");
        }
    }
}

#[test]
fn the_arguments_of_a_proof_are_checked_first() {
    for (args, input, said) in [
        ("count --proof x.drat --puzzle queens 4", "", "expected a name that ends in .cpog, .lrat or"),
        ("count --proof nowhere/x.lrat --puzzle queens 4", "", "nowhere/x.lrat: cannot write"),
        ("solve --proof x.lrat --engine links --puzzle queens 4", "", "cannot be used with"),
        ("count --proof x.lrat --up-to-symmetry --puzzle queens 4", "", "cannot be used with"),
        ("list --proof x.lrat --journal j --puzzle queens 4", "", "cannot be used with"),
        ("list --proof x.lrat --svg x.svg --puzzle queens 4", "", "expected pictures or a proof"),
        ("count --proof /dev/null/x.lrat --puzzle queens 4", "", "cannot write"),
        ("solve --proof x.lrat", &HARD.repeat(2), "expected one puzzle, found more"),
    ] {
        let ran = run(args, input);
        assert!(ran.code == 2 && ran.err.contains(said), "{args}: {ran:?}");
        assert!(!Path::new(env!("CARGO_MANIFEST_DIR")).join("x.lrat").exists(), "{args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_proof_on_a_full_disk_is_an_error() {
    use std::process::Command;

    use crate::command::finish;

    let folder = tempfile::tempdir().expect("a folder");
    let proof = folder.path().join("p.lrat");
    let mut shell = Command::new("sh");
    let line = format!("ulimit -f 64; \"$0\" count --proof {} --puzzle queens 9", proof.display());
    shell.args(["-c", &line, env!("CARGO_BIN_EXE_farandole")]);
    let ran = finish(shell, "");
    assert!(ran.code == 2 && ran.err.contains("p.lrat: cannot write"), "{ran:?}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
