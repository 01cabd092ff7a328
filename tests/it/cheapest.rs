//! Tests of `solve --cheapest` on the command line.

use crate::command::{check, run};

#[test]
fn the_cheapest_covers_are_printed_with_their_costs() {
    let file = "puzzles/cover/assignment.dlx";
    let first = "| cost 13\nworker1 job2 |2\nworker2 job1 |6\nworker3 job3 |1\nworker4 job4 |4\n";
    check(&format!("solve --cheapest {file}"), "", first, 0);
    for args in ["solve --cheapest 2", "solve --cheapest=2"] {
        let ran = run(&format!("{args} {file}"), "");
        assert!(ran.out.starts_with(&format!("{first}\n| cost 14\n")), "{}", ran.out);
        assert_eq!((ran.out.matches("cost").count(), ran.code), (2, 0));
    }
    let ran = run(&format!("solve --cheapest 30 --json {file}"), "");
    let object: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&object["count"], &object["complete"]), (&"24".into(), &true.into()));
    assert_eq!((&object["costs"][0], &object["costs"][23]), (&"13".into(), &"33".into()));
    assert_eq!(object["solutions"].as_array().map(Vec::len), Some(24));
    check("solve --cheapest --puzzle cover", "a b\na |3\n", "no solution\n", 1);
}

#[test]
fn an_interrupted_search_for_the_cheapest_covers_reports_no_proof() {
    let file = "puzzles/cover/assignment.dlx";
    let ran = run(&format!("solve --cheapest 20 --nodes 8 --json {file}"), "");
    let object: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&object["complete"], ran.code), (&false.into(), 3));
    assert!(object["bound"].as_str().is_some_and(|bound| bound.parse::<u64>().is_ok_and(|b| b <= 18)));
    assert!(ran.err.contains("the best so far, not proven to be the cheapest"), "{}", ran.err);
    let ran = run("solve --cheapest", &".".repeat(81));
    assert!(ran.err.contains("every solution costs 0"), "{}", ran.err);
    assert_eq!(ran.code, 0);
    // A million covers need more than 10 MB.
    let ran = run(&format!("solve --cheapest 1000000 --memory 10M {file}"), "");
    assert!(ran.err.contains("memory limit reached"), "{}", ran.err);
    assert_eq!((&ran.out[..], ran.code), ("unknown\n", 3));
    check(
        &format!("solve --cheapest 1 --memory 10M {file}"),
        "",
        &run(&format!("solve --cheapest {file}"), "").out,
        0,
    );
    assert_eq!(run(&format!("solve --cheapest 0 {file}"), "").code, 2);
    assert_eq!(run(&format!("solve --cheapest --engine links {file}"), "").code, 2);
}

/// Returns bundles of work for crews in the format of the OR-Library, and the cost of the cheapest
/// cover. Each row has a price. No bundle costs less than the sum of the prices of its rows. The
/// bundles of one cover cost exactly that sum, so this cover is the cheapest.
fn crews(rng: &mut fastrand::Rng, rows: usize, columns: usize) -> (String, u64) {
    let prices: Vec<u64> = (0..rows).map(|_| rng.u64(50..500)).collect();
    let mut bundles: Vec<(u64, Vec<usize>)> = Vec::new();
    let mut order: Vec<usize> = (0..rows).collect();
    let mut extra = 0;
    while bundles.len() < columns {
        rng.shuffle(&mut order);
        let mut rest = &order[..];
        while !rest.is_empty() {
            let (bundle, others) = rest.split_at(rng.usize(2..9).min(rest.len()));
            let cost = bundle.iter().map(|&row| prices[row]).sum::<u64>() + rng.u64(0..=extra);
            bundles.push((cost, bundle.to_vec()));
            rest = others;
        }
        extra = 300;
    }
    rng.shuffle(&mut bundles);
    let mut text = format!("{rows} {}\n", bundles.len());
    for (cost, bundle) in bundles {
        text += &format!("{cost} {}", bundle.len());
        bundle.iter().for_each(|row| text += &format!(" {}", row + 1));
        text += "\n";
    }
    (text, prices.iter().sum())
}

#[test]
fn the_cheapest_cover_of_crew_problems_is_proven_optimal() {
    let mut rng = fastrand::Rng::with_seed(7);
    for (rows, columns) in [(20, 100), (60, 1200), (150, 4000)] {
        let (text, cost) = crews(&mut rng, rows, columns);
        let ran = run("solve --cheapest 2 --json --from partition", &text);
        let object: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!((&object["costs"][0], ran.code), (&cost.to_string().into(), 0), "{}", ran.err);
        assert_eq!(object["complete"], true);
    }
}
