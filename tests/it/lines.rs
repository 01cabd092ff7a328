//! Plain 9x9 Sudoku, one per line, are solved in blocks. The output must equal the output when each
//! puzzle is solved on its own.

use std::io::Write as _;
use std::process::Stdio;

use fastrand::Rng;
use sudoku9::{Board, Lanes, leaves};

use crate::command::{Ran, command, run};

const SOLVED: &str =
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452";
/// Number of lines of a text, larger than the first blocks.
const MANY: usize = 300;

/// Builds a puzzle from the solved grid by removing up to `blanks` digits.
fn puzzle(rng: &mut Rng, blanks: usize) -> String {
    let mut cells = SOLVED.as_bytes().to_vec();
    let blank = *rng.choice(b".0").expect("two of them");
    (0..blanks).for_each(|_| cells[rng.usize(..81)] = blank);
    String::from_utf8(cells).expect("digits and blanks")
}

/// Builds a puzzle with at most one solution. A few of these puzzles have a wrong digit, which may
/// or may not conflict with another clue.
fn sharp_puzzle(rng: &mut Rng, lanes: &mut Lanes) -> String {
    loop {
        let mut line = puzzle(rng, 50);
        if rng.u8(..8) == 0 {
            let (cell, digit) = (rng.usize(..81), rng.usize(1..=9).to_string());
            line.replace_range(cell..=cell, &digit);
        }
        let cells = line.as_bytes().try_into().expect("81 cells");
        if lanes.count(&Board::from_digits(cells), 2) < 2 {
            return line;
        }
    }
}

/// Builds a hard puzzle with one solution by permuting the digits of a fixed puzzle.
fn hard_puzzle(rng: &mut Rng) -> String {
    let mut names: Vec<char> = ('1'..='9').collect();
    rng.shuffle(&mut names);
    let name = |c: char| c.to_digit(10).map_or(c, |digit| names[digit as usize - 1]);
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
        .chars()
        .map(name)
        .collect()
}

/// Builds a text from runs of regular lines. Between two runs is one line of `odd`.
fn text(rng: &mut Rng, odd: &[&str], mut line: impl FnMut(&mut Rng) -> String) -> String {
    let mut text = String::new();
    for _ in 0..12 {
        let count = *rng.choice(&[0, 1, 40, 127, 128, 129, 400]).expect("some");
        let end = *rng.choice(&["\n", "\n", "\r\n"]).expect("some");
        (0..count).for_each(|_| text += &(line(rng) + end));
        text += rng.choice(odd).expect("some");
        text += end;
    }
    (0..MANY).for_each(|_| text += &(line(rng) + "\n"));
    text + &line(rng)
}

/// Checks that a command prints the same output whether puzzles are solved in blocks or one at a
/// time.
#[track_caller]
fn check(args: &str, input: &str) {
    let one_at_a_time = run(&format!("{args} --engine links"), input);
    for threads in ["--threads 1", "--threads 2", ""] {
        let ran = run(&format!("{args} {threads}"), input);
        assert!(ran.out == one_at_a_time.out, "{args} {threads}: the output differs");
        assert_eq!((ran.err, ran.code), (one_at_a_time.err.clone(), one_at_a_time.code), "{args}");
    }
}

#[test]
fn puzzles_solved_in_blocks_have_the_same_output_as_single_puzzles() {
    let (mut rng, mut lanes) = (Rng::with_seed(1), Lanes::new());
    let (short, long) = (&SOLVED[1..], format!("{SOLVED}5"));
    let wrong = SOLVED.replace('7', "x");
    let starred = SOLVED.replace('7', "*");
    let rated = format!("{} 7.2 # a rating", SOLVED.replace('7', "."));
    let separated = SOLVED.replace('7', ".").split("").collect::<Vec<_>>().join(",");
    let slashed = SOLVED.replace('7', "/");
    let odd = [
        "",
        " ",
        "# a comment",
        "# rules:",
        short,
        &long,
        &wrong,
        &starred,
        &rated,
        &slashed,
        &separated,
        "12..3..4.43.2..1",
        "1234341221434321",
        "\u{fffd}",
        " 8",
        "no solution",
        "\u{feff}",
    ];
    for round in 0..4 {
        let mut input = text(&mut rng, &odd, |rng| sharp_puzzle(rng, &mut lanes));
        if round == 0 {
            input.insert(0, '\u{feff}');
        }
        check("solve", &input);
        check("solve --to line --quiet", &input);
        check("solve --to rows", &input);
        check("solve --color always", &input);
        check("count", &input);
    }
}

#[test]
fn counts_in_blocks_obey_the_same_limits_as_single_counts() {
    let mut rng = Rng::with_seed(2);
    let input = text(&mut rng, &["# counted"], |rng| {
        let blanks = rng.usize(50..80);
        puzzle(rng, blanks)
    });
    for args in ["count", "count --limit 1", "count --limit 2", "count --limit 11"] {
        check(args, &input);
    }
    let counts = run("count", &input).out;
    assert!(counts.lines().any(|count| count.len() > 1), "some have ten solutions or more");
}

#[test]
fn puzzles_with_other_rules_are_not_solved_in_blocks() {
    let mut rng = Rng::with_seed(3);
    let lines: String = (0..MANY).map(|_| puzzle(&mut rng, 30) + "\n").collect();
    check("count --rules diagonals", &lines);
    check("count --boxes 3x3", &lines);
    check("count --boxes 9x1", &lines);
    check("count --puzzle latin", &lines);
    let heads =
        ["# rules: anti-knight", "# boxes: 1x9", "# boxes: 2x3", "# rules: none", "# rules: so so"];
    for head in heads {
        check("count", &format!("{lines}{head}\n{lines}"));
    }
    check("count", &format!("# puzzle: latin\n{lines}"));
}

/// Checks the printed solutions of puzzles that may have several solutions.
fn check_solutions(input: &str, ran: &Ran) {
    let puzzles = input.lines().filter(|line| line.len() == 81);
    assert_eq!(ran.out.lines().count(), puzzles.clone().count());
    let mut lanes = Lanes::new();
    for (puzzle, answer) in puzzles.zip(ran.out.lines()) {
        let board = |text: &str| Board::from_digits(text.as_bytes().try_into().expect("81 cells"));
        if answer == "no solution" {
            assert_eq!(lanes.count(&board(puzzle), 1), 0, "{puzzle}");
            continue;
        }
        assert!(
            answer.bytes().all(|c| c.is_ascii_digit()) && lanes.count(&board(answer), 1) == 1,
            "{answer}"
        );
        let holds = |(clue, digit): (u8, u8)| !clue.is_ascii_digit() || clue == b'0' || clue == digit;
        assert!(puzzle.bytes().zip(answer.bytes()).all(holds), "{puzzle} {answer}");
    }
}

#[test]
fn the_answers_to_a_file_do_not_depend_on_threads() {
    let mut rng = Rng::with_seed(4);
    let odd = ["# one", "", "# two"];
    let mut input = text(&mut rng, &odd, |rng| puzzle(rng, 120));
    (0..6000).for_each(|_| input += &format!("\n{}", puzzle(&mut rng, 120)));
    let file = tempfile::NamedTempFile::new().expect("a file");
    file.as_file().write_all(input.as_bytes()).expect("written");
    let solve = format!("solve {}", file.path().display());
    let ran = run(&solve, "");
    assert_eq!(ran.code, 0);
    check_solutions(&input, &ran);
    for threads in [1, 2, 5] {
        assert!(run(&format!("{solve} --threads {threads}"), "").out == ran.out, "{threads} threads");
        assert!(run(&format!("{solve} --threads {threads} --from line --time 100"), "").out == ran.out);
    }
}

#[test]
fn answers_to_a_pipe_do_not_depend_on_how_its_lines_arrive() {
    let (mut rng, mut lanes) = (Rng::with_seed(8), Lanes::new());
    let odd = ["# one", "", "# two"];
    let open = text(&mut rng, &odd, |rng| puzzle(rng, 120));
    let sharp = text(&mut rng, &odd, |rng| sharp_puzzle(rng, &mut lanes));
    for threads in [1, 2, 5] {
        for size in [1009, 90_000] {
            let pieces = |args: &str, input: &str| {
                let mut child = command(&format!("{args} --threads {threads}"))
                    .stdin(Stdio::piped())
                    .stdout(Stdio::piped())
                    .spawn()
                    .expect("it starts");
                let mut stdin = child.stdin.take().expect("a standard input");
                let input = input.to_owned();
                let writer = std::thread::spawn(move || {
                    for piece in input.as_bytes().chunks(size) {
                        stdin.write_all(piece).expect("written");
                        std::thread::yield_now();
                    }
                });
                let output = child.wait_with_output().expect("it ends");
                writer.join().expect("the writer ends");
                let code = output.status.code().unwrap_or(-1);
                let out = String::from_utf8(output.stdout).expect("UTF-8");
                Ran { code, out, err: String::new() }
            };
            check_solutions(&open, &pieces("solve", &open));
            for args in ["solve", "count --limit 2"] {
                let links = run(&format!("{args} --engine links"), &sharp);
                let ran = pieces(args, &sharp);
                assert!((ran.out, ran.code) == (links.out, links.code), "{args}, {threads} threads");
            }
        }
    }
}

#[test]
fn json_and_limits_do_not_change_the_answers_to_puzzles_in_blocks() {
    let (mut rng, mut lanes) = (Rng::with_seed(9), Lanes::new());
    // A quarter of the puzzles need guesses.
    let input = text(&mut rng, &["# one", ""], |rng| match rng.u8(..4) {
        0 => hard_puzzle(rng),
        _ => sharp_puzzle(rng, &mut lanes),
    });
    let file = tempfile::NamedTempFile::new().expect("a file");
    file.as_file().write_all(input.as_bytes()).expect("written");
    let run = |args: &str| run(&format!("{args} {}", file.path().display()), "");
    for args in ["solve", "count", "count --limit 2"] {
        let plain = run(args);
        for options in ["--from line", "--time 100", "--nodes 1000000", "--time 100 --nodes 100000"] {
            let ran = run(&format!("{args} {options}"));
            assert!((ran.out, ran.code) == (plain.out.clone(), plain.code), "{args} {options}");
        }
        // A puzzle has its full answer if the search stays within the node limit, and no answer
        // otherwise.
        let cut = run(&format!("{args} --nodes 1 --quiet"));
        assert_eq!(cut.code, 3);
        let answers = cut.out.lines().zip(plain.out.lines());
        let (same, others): (Vec<_>, Vec<_>) = answers.partition(|(cut, plain)| cut == plain);
        assert!(same.len() > 100 && others.len() > 100, "{} and {}", same.len(), others.len());
        assert!(others.iter().all(|(cut, _)| matches!(*cut, "unknown" | "0+")), "{args}");
        // The JSON objects agree with the answers in lines.
        let ran = run(&format!("{args} --json"));
        assert_eq!(ran.code, plain.code);
        let objects = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        let objects: Vec<serde_json::Value> = objects.collect();
        assert_eq!(objects.len(), plain.out.lines().count());
        for (index, (object, answer)) in objects.iter().zip(plain.out.lines()).enumerate() {
            assert_eq!((&object["puzzle"], &object["kind"]), (&(index + 1).into(), &"sudoku".into()));
            let said = match object["solutions"].as_array() {
                Some(solutions) if solutions.is_empty() => "no solution",
                Some(solutions) => solutions[0].as_str().expect("a text"),
                None => object["count"].as_str().expect("a text"),
            };
            assert_eq!(said, answer);
            assert!(object["nodes"].as_u64() > Some(0), "{object}");
            assert!(object["seconds"].as_f64() < Some(100.0), "{object}");
        }
    }
}

#[test]
fn puzzles_in_blocks_are_numbered_across_files() {
    let (mut rng, mut lanes) = (Rng::with_seed(5), Lanes::new());
    let lines: String = (0..MANY).map(|_| sharp_puzzle(&mut rng, &mut lanes) + "\n").collect();
    let file = tempfile::NamedTempFile::new().expect("a file");
    write!(file.as_file(), "{lines}# rows behind lines\nnothing\n").expect("written");
    let (path, grid) = (file.path().display(), "puzzles/sudoku/easy.sdk");
    check(&format!("count {path} {grid} - missing {path}"), &lines);
    check(&format!("solve {grid} {path} {grid} {path} -"), &lines);
    // A message about a puzzle that follows the blocks states the number of that puzzle.
    let idle = tempfile::NamedTempFile::new().expect("a file");
    writeln!(idle.as_file(), "A | X\nA\nX").expect("written");
    let args = format!("count {path} {}", idle.path().display());
    check(&args, "");
    let said = format!("puzzle {}: option 2 `X` has no primary item", MANY + 2);
    assert!(run(&args, "").err.contains(&said));
}

#[test]
fn puzzles_solved_in_blocks_have_the_same_statistics_as_single_puzzles() {
    let (mut rng, mut lanes) = (Rng::with_seed(6), Lanes::new());
    let input: String = (0..2 * MANY).map(|_| sharp_puzzle(&mut rng, &mut lanes) + "\n").collect();
    for args in ["solve", "count", "count --limit 1"] {
        let sums = |engine: &str| {
            let ran = run(&format!("{args} --stats --engine {engine}"), &input);
            let sums: Vec<String> = ran.err.split(", ").map(str::to_owned).collect();
            assert_eq!(sums.len(), 6, "{}", ran.err);
            (sums[..2].join(", "), sums[2].clone(), ran.code)
        };
        let (blocks, links) = (sums("auto"), sums("links"));
        assert_eq!((&blocks.0, blocks.2), (&links.0, links.2), "{args}");
        let nodes: u64 = blocks.1.trim_end_matches(" nodes").parse().expect("a number");
        assert!(nodes >= 2 * MANY as u64, "a node a puzzle at least, found {nodes}");
    }
}

#[test]
fn each_line_of_a_pipe_is_answered_before_the_next_one_is_sent() {
    use std::io::{BufRead, BufReader};
    let mut child =
        command("solve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a standard input");
    let mut out = BufReader::new(child.stdout.take().expect("a standard output"));
    for _ in 0..MANY {
        writeln!(stdin, "{}", SOLVED.replace('1', ".")).expect("written");
        let mut answer = String::new();
        out.read_line(&mut answer).expect("an answer");
        assert_eq!(answer.trim(), SOLVED);
    }
    drop(stdin);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_pipe_that_is_closed_between_blocks_is_not_an_error() {
    use std::io::{BufRead, BufReader};
    let mut child =
        command("solve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a standard input");
    // The input is endless, and the writer ends when the program does.
    let writer = std::thread::spawn(move || {
        let lines = (SOLVED.replace('1', ".") + "\n").repeat(1000);
        while stdin.write_all(lines.as_bytes()).is_ok() {}
    });
    let mut out = BufReader::new(child.stdout.take().expect("a standard output"));
    let mut answer = String::new();
    for _ in 0..20_000 {
        answer.clear();
        out.read_line(&mut answer).expect("an answer");
        assert_eq!(answer.trim(), SOLVED);
    }
    drop(out);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    writer.join().expect("the writer ends");
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_partial_results_of_a_block() {
    let mut rng = Rng::with_seed(7);
    let mut lines: Vec<String> = (0..MANY).map(|_| puzzle(&mut rng, 20)).collect();
    let endless = 200;
    lines[endless] = ".".repeat(81);
    let input = lines.join("\n") + "\n";
    for threads in [1, 2] {
        let file = tempfile::NamedTempFile::new().expect("a file");
        file.as_file().write_all(input.as_bytes()).expect("written");
        let child = command(&format!("count --threads {threads} {}", file.path().display()))
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        std::thread::sleep(std::time::Duration::from_millis(500));
        crate::cli::interrupt(child.id());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        let out = String::from_utf8(output.stdout).expect("UTF-8");
        let counts: Vec<&str> = out.lines().collect();
        assert!(counts.len() > endless, "{out}");
        assert!(counts[endless].ends_with('+') && counts[endless].len() > 2, "{out}");
        assert!(counts[..endless].iter().all(|count| *count == "1"), "{out}");
    }
}

#[test]
fn each_instruction_set_can_be_selected_and_gives_the_same_answers() {
    let mut rng = Rng::with_seed(33);
    let input: String = (0..MANY).map(|_| hard_puzzle(&mut rng) + "\n").collect();
    let one = hard_puzzle(&mut rng);
    for (args, input) in [("count --limit 2", &input), ("solve", &input), ("list", &one)] {
        let best = run(args, input);
        let mut updates = Vec::new();
        for leaf in leaves() {
            let ran = run(&format!("{args} --stats --isa {}", leaf.name), input);
            assert!((ran.out, ran.code) == (best.out.clone(), best.code), "{args}, {}", leaf.name);
            updates.extend(
                ran.err.split(", ").filter(|part| part.ends_with(" updates")).map(str::to_owned),
            );
        }
        // Instruction sets with different lane counts need different step counts.
        let has_others = leaves().any(|leaf| leaf.name.starts_with("avx"));
        assert!(!has_others || updates.first() != updates.last(), "{updates:?}");
    }
    let ran = run("solve --isa mmx", &one);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("'mmx'") && ran.err.contains("expected what this processor has"),
        "{}",
        ran.err
    );
    assert!(leaves().all(|leaf| ran.err.contains(leaf.name)), "{}", ran.err);
}
