//! Measures how far commands exceed their limits in each phase of the work. The output is the table
//! of docs/LIMITS.md.
//!
//! `cargo bench --bench limits` measures this build, and `FARANDOLE=PATH cargo bench --bench
//! limits` measures the program at PATH.

#[path = "../tests/it/limits/cases.rs"]
mod cases;

fn main() {
    let own = env!("CARGO_BIN_EXE_farandole").to_owned();
    let program = std::env::var("FARANDOLE").unwrap_or(own);
    let folder = std::env::temp_dir().join(format!("farandole-limits-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    println!(
        "| phase | command | limit | seconds past it | MiB past it | exit code | last line | last message |"
    );
    println!("|---|---|---|---:|---:|---|---|---|");
    for case in cases::CASES {
        let outcome = case.run(&program, &folder);
        let over = outcome.over.map_or_else(String::new, |over| format!("{over:.0}"));
        let late = if outcome.over.is_some() { String::new() } else { format!("{:.2}", outcome.late) };
        let (phase, how, code) = (case.phase, case.how, outcome.code);
        let wrong = if code == case.code { "" } else { " (wrong)" };
        let [out, err] =
            [&outcome.out, &outcome.err].map(|text| text.lines().last().unwrap_or_default());
        println!(
            "| {phase} | `{}` | {how:?} | {late} | {over} | {code}{wrong} | {out} | {err} |",
            case.args
        );
    }
    std::fs::remove_dir_all(&folder).expect("the folder is there");
}
