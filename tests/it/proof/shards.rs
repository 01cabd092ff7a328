//! The proofs of shards: `work --proof` and `merge --proof`.

use std::fs;

use crate::command::{Ran, run};

const SUDOKU: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";

/// Runs `split --apart`, `work --proof` and `merge --proof` in a folder, with the results that
/// `change` makes from those of `work`.
fn prove(
    folder: &tempfile::TempDir,
    puzzle: &str,
    input: &str,
    change: &dyn Fn(String) -> String,
) -> Ran {
    let [proofs, proof] = ["proofs", "whole.lrat"].map(|name| folder.path().join(name));
    let (proofs, proof) = (proofs.display(), proof.display());
    let shards = run(&format!("split --apart --shards 6 {puzzle}"), input);
    let worked = run(&format!("work --quiet --proof {proofs}"), &shards.out);
    assert_eq!(worked.code, 0, "{puzzle}: {}", worked.err);
    run(&format!("merge --proof {proof} --proofs {proofs}"), &change(worked.out))
}

#[test]
fn the_proofs_of_shards_are_joined_into_one_that_is_accepted() {
    for (puzzle, input, count, claim) in [
        ("--puzzle queens 6", "", "4", "exactly 4 covers"),
        ("--puzzle queens 8", "", "92", "exactly 92 covers"),
        ("--puzzle langford 6", "", "0", "no cover"),
        ("-", SUDOKU, "1", "exactly 1 cover"),
        ("-", "a b c\na b\nb c\na c\n", "0", "no cover"),
        ("-", "0:1|a b | x\na x:1\nb x:1\na b x:2\nb\n", "5", "exactly 5 covers"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let merged = prove(&folder, puzzle, input, &|results| results);
        let code = i32::from(count == "0");
        assert_eq!((merged.out.trim_end(), merged.code), (count, code), "{puzzle}: {}", merged.err);
        assert!(merged.err.contains("to check it: cake_lpr"), "{puzzle}: {}", merged.err);
        let whole = folder.path().join("whole.lrat");
        let verified = run(&format!("verify-proof {} {puzzle}", whole.display()), input);
        assert_eq!(verified.out.trim_end(), claim, "{puzzle}: {}", verified.err);
    }
}

#[test]
fn changed_or_missing_proofs_of_shards_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let puzzle = "--puzzle queens 6";
    let first = |ending: &str| {
        let files = fs::read_dir(folder.path().join("proofs")).expect("a folder");
        let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|found| found == ending));
        paths.sort();
        paths.swap_remove(0)
    };
    let cut = |ending: &str| {
        let text = fs::read_to_string(first(ending)).expect("a proof");
        let end = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
        fs::write(first(ending), &text[..end]).expect("a file");
    };
    for (ending, said) in [("lrat", "the proof or its formula is wrong"), ("cnf", "the proof or its")] {
        let merged = prove(&folder, puzzle, "", &|results| {
            cut(ending);
            results
        });
        assert_eq!((merged.out.as_str(), merged.code), ("", 2), "{}", merged.err);
        assert!(merged.err.contains(said), "{}", merged.err);
        assert!(!folder.path().join("whole.lrat").exists());
    }
    let merged = prove(&folder, puzzle, "", &|results| {
        fs::remove_file(first("lrat")).expect("a file");
        results
    });
    assert!(merged.code == 2 && merged.err.contains("cannot read"), "{}", merged.err);
    let counted = run("work --quiet", &run(&format!("split --shards 6 --apart {puzzle}"), "").out);
    let merged = prove(&folder, puzzle, "", &|_| counted.out.clone());
    assert!(
        merged.code == 2 && merged.err.contains("expected a count of `work --proof`"),
        "{merged:?}"
    );
}

#[test]
fn only_shards_that_represent_themselves_are_proven() {
    let folder = tempfile::tempdir().expect("a folder");
    let proofs = folder.path().join("proofs");
    let shards = run("split --shards 6 --puzzle latin 4", "").out;
    let worked = run(&format!("work --proof {}", proofs.display()), &shards);
    assert!(worked.code == 2 && worked.err.contains("split --apart"), "{}", worked.err);
    let shards = run("split --apart --shards 2 -", "0:2|a b\na b\na\nb\n").out;
    let worked = run(&format!("work --proof {}", proofs.display()), &shards);
    assert!(worked.code == 2 && worked.err.contains("CNF cannot hold"), "{}", worked.err);
    let merged = run("merge --proof x.pbp --proofs p", "");
    assert!(merged.code == 2 && merged.err.contains("ends in .lrat"), "{}", merged.err);
}
