//! All questions about covers use the same methods, so each is answered as fast as a count.

use crate::command::run;

/// Returns a pigeonhole problem with `count` pigeons and `count - 1` holes.
fn pigeons(count: usize) -> String {
    let name = |letter, count| (0..count).map(move |number| format!("{letter}{number}"));
    let names = |letter, count| name(letter, count).collect::<Vec<_>>().join(" ");
    let seats = name('p', count)
        .flat_map(|pigeon| name('h', count - 1).map(move |hole| format!("{pigeon} {hole}")));
    let seats: Vec<_> = seats.collect();
    format!("{} | {}\n{}\n", names('p', count), names('h', count - 1), seats.join("\n"))
}

/// Returns a problem whose options are all pairs of `count` items, which has no cover if the count
/// is odd.
fn pairs(count: usize) -> String {
    let names: Vec<_> = (0..count).map(|item| item.to_string()).collect();
    let pairs = (0..count).flat_map(|a| (0..a).map(move |b| format!("{a} {b}")));
    format!("{}\n{}\n", names.join(" "), pairs.collect::<Vec<_>>().join("\n"))
}

/// Returns a square board without two opposite corners, which dominoes cannot cover.
fn mutilated(size: usize) -> String {
    let is_in =
        |x: usize, y: usize| x < size && y < size && (x, y) != (0, 0) && (x, y) != (size - 1, size - 1);
    let cells: Vec<_> = (0..size * size)
        .map(|place| (place % size, place / size))
        .filter(|&(x, y)| is_in(x, y))
        .collect();
    let names: Vec<_> = cells.iter().map(|(x, y)| format!("{x}.{y}")).collect();
    let mut text = names.join(" ") + "\n";
    for (x, y) in cells {
        for (x1, y1) in [(x + 1, y), (x, y + 1)].into_iter().filter(|&(x, y)| is_in(x, y)) {
            text += &format!("{x}.{y} {x1}.{y1}\n");
        }
    }
    text
}

#[test]
fn every_question_is_as_fast_as_a_count_on_pigeonhole_and_parity_problems() {
    for (name, problem) in
        [("pigeons", pigeons(14)), ("pairs", pairs(29)), ("mutilated", mutilated(40))]
    {
        for (question, answer) in [
            ("solve --threads 1", "no solution\n"),
            ("solve --threads 2", "no solution\n"),
            ("list --threads 1", "no solution\n"),
            ("list --threads 2", "no solution\n"),
            ("list --limit 1000", "no solution\n"),
            ("count", "0\n"),
            ("count --limit 1", "0\n"),
            ("count --limit 1000 --threads 2", "0\n"),
            ("solve --cheapest 3", "no solution\n"),
            ("sample", "no solution\n"),
            ("check", "no clash, but no solution\n"),
        ] {
            let ran = run(&format!("{question} -"), &problem);
            assert_eq!((ran.code, ran.out.as_str()), (1, answer), "{name}: {question}: {}", ran.err);
        }
    }
}

#[test]
fn an_exact_cover_with_60000_items_is_recognized() {
    let names = |end: &str| (0..60_000).map(|item| format!("v{item}{end}")).collect::<String>();
    for (name, end) in [("LF", "\n"), ("CRLF", "\r\n")] {
        let text = names(" ") + end + &names(end);
        let ran = run("count -", &text);
        assert_eq!((ran.code, ran.out.as_str()), (0, "1\n"), "{name}: {}", ran.err);
    }
}

#[test]
fn options_with_at_most_two_items_are_solved_by_matching() {
    let ran = run("solve --stats --threads 1 -", &mutilated(60));
    assert_eq!((ran.code, ran.out.as_str()), (1, "no solution\n"), "{}", ran.err);
    assert!(ran.err.contains("engine pairs (an option has at most two items)"), "{}", ran.err);
}
