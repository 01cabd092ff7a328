//! Checks that the tables of docs/BENCHMARKS.md agree with their records, and that the README shows
//! only figures from these tables.

use std::fs;
use std::path::Path;

use crate::command::run;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).expect("a page")
}

/// Returns the sections of a page, at any heading level, that contain a table.
fn sections_with_tables(page: &str) -> Vec<&str> {
    let mut sections = page.split("\n#");
    sections.next();
    sections
        .filter(|section| {
            section.contains("\n|--") || section.contains("\n| ") || section.contains("```text")
        })
        .collect()
}

#[test]
fn each_table_has_a_date_and_a_command_and_equals_its_record() {
    let page = page("docs/BENCHMARKS.md");
    let mut shown = Vec::new();
    for section in sections_with_tables(&page) {
        let title = section.lines().next().unwrap_or_default();
        assert!(section.contains("2026-") || section.contains("2027-"), "{title}: it has no date");
        assert!(section.contains("```sh"), "{title}: it has no command");
        let Some((_, rest)) = section.split_once("Record: `") else {
            assert!(section.contains("no record"), "{title}: it has no record and does not say so");
            continue;
        };
        let record = rest.split('`').next().unwrap_or_default();
        let ran = run(&format!("compare --quiet --show {record}"), "");
        assert_eq!(ran.code, 0, "{title}: {ran:?}");
        let (_, rest) = section.split_once("```text\n").unwrap_or_else(|| panic!("{title}: no table"));
        let table = rest.split("\n```").next().unwrap_or_default();
        assert_eq!(table.trim(), ran.out.trim(), "{title}: the record has other figures");
        let text = page_of(record);
        for fact in [&text["date"].as_str().unwrap_or_default()[..10], &command_of(&text)] {
            assert!(section.contains(fact), "{title}: the record says `{fact}`");
        }
        shown.push(record.to_owned());
    }
    let records = fs::read_dir(Path::new(ROOT).join("benches/records")).expect("records");
    for record in records {
        let name = record.expect("a file").file_name().into_string().expect("a name");
        assert!(shown.contains(&format!("benches/records/{name}")), "{name} is not shown");
    }
}

fn page_of(record: &str) -> serde_json::Value {
    serde_json::from_str(&page(record)).expect("a record")
}

/// Returns the command that created a record, as stated in the record.
fn command_of(record: &serde_json::Value) -> String {
    let words = record["command"].as_array().expect("a command").iter();
    words.filter_map(serde_json::Value::as_str).collect::<Vec<_>>().join(" ")
}

/// Returns the numbers in a text, as they are written.
fn figures(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != ',' && c != '.');
    let words = words.map(|word| word.trim_matches([',', '.']));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).collect()
}

#[test]
fn figures_and_ratios_of_the_readme_come_from_the_tables() {
    let (readme, benchmarks) = (page("README.md"), page("docs/BENCHMARKS.md"));
    let known = figures(&benchmarks);
    let section = readme.split("\n## ").find(|section| section.starts_with("How fast")).expect("it");
    let rows = section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| problem"));
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [_, ours, other, ratio] = cells[..] else { panic!("{row}") };
        // Split at the last spaces, since the name before the time may contain digits.
        let time =
            other.rsplit_once(' ').and_then(|(rest, unit)| Some((rest.rsplit_once(' ')?.1, unit)));
        let ours = ours.split_once(' ');
        for figure in ours.iter().flat_map(|(time, _)| figures(time)) {
            assert!(known.contains(&figure), "{figure} of `{row}` is in no table");
        }
        let (Some((our_time, our_unit)), Some((time, unit))) = (ours, time) else { continue };
        // A row has no ratio if no other program finished.
        if ratio.is_empty() {
            continue;
        }
        let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
        let (Some(our_time), Some(other_time)) = (number(our_time), number(time)) else { continue };
        assert!(known.contains(&time), "{time} of `{row}` is in no table");
        assert_eq!(our_unit, unit, "{row}");
        let ratio = number(ratio.trim_end_matches('x')).expect("a ratio");
        let quotient = other_time / our_time;
        assert!((ratio / quotient - 1.0).abs() < 0.03, "{row}: the quotient is {quotient:.1}");
        count += 1;
    }
    assert!(count >= 4, "{count}");
}
