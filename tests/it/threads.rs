//! The output of the commands does not depend on the number of threads.

use crate::command::run;

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    for command in ["list", "solve --limit 500", "count", "count --limit 500", "list --json"] {
        let run = |threads: u32| {
            let ran = run(&format!("{command} --puzzle queens 9 10 --threads {threads}"), "");
            // Ignore times and nodes, which may differ.
            let line = |line: &str| line.split(",\"nodes\"").next().map(str::to_owned);
            ran.out.lines().filter_map(line).collect::<Vec<_>>()
        };
        let expected = run(1);
        assert_eq!(run(2), expected, "{command}");
        assert_eq!(run(5), expected, "{command}");
    }
}
