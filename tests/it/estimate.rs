//! The command `estimate`.

use crate::command::run;

#[test]
fn the_command_prints_a_count_with_its_interval() {
    let ran = run("estimate --puzzle queens 8 --quiet", "");
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), ("92 exactly\n", "", 0));
    let args = "estimate --puzzle latin 6 --beam 50 --runs 40 --seed 3 --time 100";
    let [first, second] = [run(args, ""), run(args, "")];
    assert_eq!(first.out, second.out, "the seed says it all");
    assert!(first.err.contains("40 runs with 50 states a step"), "{}", first.err);
    let ran = run(&format!("{args} --json"), "");
    let object: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let log = object["log10"].as_f64().expect("a number");
    assert!((log - 812_851_200_f64.log10()).abs() < 0.1, "{}", ran.out);
    let ran = run("estimate -", "x");
    assert_eq!((ran.out.as_str(), ran.code), ("error\n", 2));
}
