//! `trace` prints events that replay the search, and `watch` needs a terminal.

use serde_json::Value;

use crate::command::run;

/// Parses the lines of a trace, and checks that every opened node and option is closed.
fn lines(out: &str) -> Vec<Value> {
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let mut open = Vec::new();
    for line in &lines {
        let level = line["level"].as_u64();
        match line["event"].as_str().expect("an event") {
            event @ ("choose" | "try") => {
                // A choice has the level of its node, and the node below it has the next level.
                let depth = open.len() as u64;
                assert_eq!((level, depth % 2), (Some(depth / 2), u64::from(event == "try")));
                open.push(event);
            }
            "back" => assert_eq!((open.pop(), level), (Some("try"), Some(open.len() as u64 / 2))),
            "leave" => assert_eq!((open.pop(), level), (Some("choose"), Some(open.len() as u64 / 2))),
            "solution" | "dead_end" => assert_eq!(level, Some(open.len() as u64 / 2)),
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?} is left open");
    lines
}

/// Adds up the value `key` over the lines of the given events. If `key` is empty, counts the lines.
fn sum(lines: &[Value], events: &[&str], key: &str) -> u64 {
    let chosen =
        lines.iter().filter(|line| events.contains(&line["event"].as_str().unwrap_or_default()));
    chosen.map(|line| if key.is_empty() { 1 } else { line[key].as_u64().unwrap_or(0) }).sum()
}

#[test]
fn the_trace_of_a_small_problem_is_known() {
    let ran = run("trace puzzles/cover/knuth-first.dlx", "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    lines(&ran.out);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn printed_and_omitted_events_add_up_to_the_whole_search() {
    let puzzles = [
        "--puzzle queens 6",
        "--puzzle langford 7",
        "puzzles/sudoku/al-escargot.txt",
        "puzzles/cover/colored.dlx",
        "puzzles/cover/bounded.dlx",
        "puzzles/cover/queens-domination-6.dlx",
        "puzzles/polyomino/tetrominoes.poly",
    ];
    let options =
        ["", "--events 0", "--events 1", "--events 77", "--sample 3", "--sample 2 --events 60"];
    for puzzle in puzzles {
        for limit in ["", "--nodes 20", "--limit 1"] {
            let whole = run(&format!("trace {puzzle} {limit} --events 1000000 --quiet"), "");
            let events = whole.out.lines().count() - 2;
            for options in options {
                let arguments = format!("trace {puzzle} {options} {limit} --quiet");
                let ran = run(&arguments, "");
                let lines = lines(&ran.out);
                let end = lines.last().expect("a last line");
                let nodes = sum(&lines, &["choose", "dead_end", "solution"], "")
                    + sum(&lines, &["skip"], "nodes");
                assert_eq!(end["nodes"], nodes, "{arguments}");
                let updates = sum(&lines, &["given", "cover", "try", "skip"], "updates");
                assert_eq!(end["updates"], updates, "{arguments}");
                let solutions = sum(&lines, &["solution"], "") + sum(&lines, &["skip"], "solutions");
                assert_eq!(end["solutions"], solutions, "{arguments}");
                let printed = lines.len() as u64 - 2 - sum(&lines, &["skip"], "");
                let left_out = end["left_out"].as_u64().expect("a number");
                assert_eq!((events as u64, &end["events"]), (printed + left_out, &events.into()));
                if let Some(levels) = end["levels"].as_array() {
                    let of_levels: u64 =
                        levels.iter().filter_map(|level| level["nodes"].as_u64()).sum();
                    assert_eq!(end["nodes"], of_levels, "{arguments}");
                }
                let code = if limit == "--nodes 20" && end["end"] == "nodes" { 3 } else { 0 };
                assert_eq!(ran.code, code, "{arguments}");
            }
        }
    }
}

#[test]
fn the_option_events_bounds_the_length_of_a_trace() {
    let ran = run("trace --puzzle queens 20 --events 100 --time 0.1 --quiet", "");
    assert_eq!(ran.code, 3);
    let lines = lines(&ran.out);
    assert!(lines.len() < 100 + 20 * 4 + 3, "{} lines", lines.len());
    assert_eq!(lines.last().expect("a last line")["end"], "time");
}

#[test]
fn options_of_grids_are_traced_with_cell_and_symbol() {
    let ran = run("trace --events 1", "1...............\n");
    assert_eq!(ran.code, 0);
    let given = &lines(&ran.out)[1];
    assert_eq!(given["option"], "r1c1 r1s1 c1s1 b1s1");
    assert_eq!(
        (&given["row"], &given["column"], &given["symbol"]),
        (&1.into(), &1.into(), &"1".into())
    );
}

#[test]
fn trace_has_the_exit_codes_and_messages_of_other_commands() {
    let check = |arguments: &str, input: &str, code: i32, err: &str| {
        let ran = run(arguments, input);
        assert_eq!(ran.code, code, "{arguments}");
        assert!(ran.err.contains(err), "{}", ran.err);
        ran.out
    };
    check("trace", "11..............\n", 1, "");
    check("trace nowhere.txt", "", 2, "nowhere.txt: cannot read");
    check("trace --nodes 3 --puzzle queens 8", "", 3, "node limit reached after 3 nodes");
    check("trace --sample 0 --puzzle queens 8", "", 2, "--sample");
    // An unreadable puzzle does not prevent the other puzzles from being traced.
    let out = check(
        "trace --from line",
        "1...............\n15..............\n2...............\n",
        2,
        ":2:2:",
    );
    let ends = lines_of(&out, "end");
    assert_eq!(ends, [1, 3]);
}

/// Returns the numbers of the puzzles that have a line of this event in the trace.
fn lines_of(out: &str, event: &str) -> Vec<u64> {
    let lines = out.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    lines.filter(|line| line["event"] == event).filter_map(|line| line["puzzle"].as_u64()).collect()
}

#[test]
fn watch_without_a_terminal_suggests_trace() {
    let ran = run("watch puzzles/cover/knuth-first.dlx", "");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("farandole trace"), "{}", ran.err);
    for speed in ["0", "-1", "inf", "fast"] {
        let ran = run(&format!("watch --puzzle queens 6 --speed={speed}"), "");
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("expected a number of events above 0"), "{}", ran.err);
    }
}
