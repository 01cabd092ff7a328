//! Proofs of counts: they are accepted, whatever the problem, and what is wrong in them is found.

use dlx::engine::Naive;
use dlx::trust::check;
use dlx::trust::proof;
use dlx::{Engine, Limit, Limits, OptionId, Problem};
use fastrand::Rng;

use crate::command::run;
use crate::random::{self, ALL_FEATURES};

/// Enough for the states of a small problem.
const BYTES: usize = 1 << 24;

fn write(problem: &Problem, given: &[OptionId]) -> (u64, String) {
    let mut text = String::new();
    let count = proof::write(problem, given, &Limits::default(), BYTES, &mut |line| text += line);
    (count.expect("it is small").try_into().expect("it is small"), text)
}

fn check(problem: &Problem, given: &[OptionId], text: &str) -> Result<u64, String> {
    let count = check::check(problem, given, text).map_err(|error| error.to_string())?;
    Ok(count.try_into().expect("it is small"))
}

/// Changes the text in a place or two; nobody knows what comes of it.
fn spoil(rng: &mut Rng, text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..rng.usize(1..=2) {
        let line = rng.usize(2..lines.len());
        let other = rng.usize(2..lines.len());
        match rng.u8(0..6) {
            0 => drop(lines.remove(line)),
            1 => lines.insert(other, lines[line].clone()),
            2 => lines.swap(line, other),
            kind => {
                let words: Vec<&str> = lines[line].split(' ').collect();
                let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
                let word = rng.usize(0..words.len());
                let other = rng.usize(0..words.len());
                let digit = words[word].find(|c: char| c.is_ascii_digit());
                match (kind, digit) {
                    (3, _) => drop(words.remove(word)),
                    (4, _) => words.swap(word, other),
                    (_, Some(at)) => words[word].replace_range(at..=at, &rng.u8(0..5).to_string()),
                    _ => words[word].insert(0, 'x'),
                }
                lines[line] = words.join(" ");
            }
        }
        if lines.len() < 4 {
            break;
        }
    }
    lines.join("\n")
}

/// Puts the sums in order for which the text would be refused.
fn resum(problem: &Problem, given: &[OptionId], mut text: String) -> String {
    for _ in 0..20 {
        let Err(error) = check::check(problem, given, &text) else { break };
        let Some(rest) = error.message.strip_prefix("expected the sum ") else { break };
        let sum = rest.split(',').next().expect("there is a first").to_owned();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let line = &mut lines[error.line - 1];
        line.truncate(error.column - 1);
        line.push_str(&sum);
        text = lines.join("\n");
    }
    text
}

#[test]
fn traces_of_random_problems_prove_the_count_of_the_oracle_and_nothing_else() {
    let mut rng = Rng::with_seed(11);
    let (mut refused, mut spoiled) = (0, 0);
    let rounds = if cfg!(feature = "slow-tests") { 40_000 } else { 4_000 };
    for round in 0..rounds {
        let problem = random::problem(&mut rng, ALL_FEATURES[round % 4]);
        let given: Vec<OptionId> = problem.options().filter(|_| rng.u8(0..12) == 0).collect();
        let expected = Naive::new(&problem).count(&given, &Limits::default()).solutions;
        let (count, text) = write(&problem, &given);
        let problem_text = dlx::text::write(&problem);
        assert_eq!(count, expected, "{given:?} in\n{problem_text}{text}");
        assert_eq!(check(&problem, &given, &text), Ok(expected), "{given:?} in\n{problem_text}{text}");
        for _ in 0..5 {
            let wrong = resum(&problem, &given, spoil(&mut rng, &text));
            match check(&problem, &given, &wrong) {
                Ok(count) => assert_eq!(count, expected, "{given:?} in\n{problem_text}{wrong}"),
                Err(_) => refused += 1,
            }
            spoiled += 1;
        }
    }
    assert!(refused * 10 > spoiled * 6, "{refused} of {spoiled} were refused");
}

#[test]
fn what_a_trace_would_need_in_memory_and_time_is_limited() {
    let problem: Problem = "a b c d\na b\nc d\na c\nb d\n".parse().unwrap();
    let sink = &mut |_: &str| panic!("nothing is written");
    let limits = Limits::default();
    assert_eq!(proof::write(&problem, &[], &limits, 10, sink), Err(Limit::Memory));
}

#[test]
fn known_counts_are_proven() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let trace = trace.display();
    let check = |puzzle: &str, input: &str, count: &str| {
        let ran = run(&format!("count --trace {trace} {puzzle}"), input);
        assert_eq!((ran.out.trim_end(), ran.code), (count, i32::from(count == "0")), "{}", ran.err);
        let ran = run(&format!("check --count-trace {trace} {puzzle}"), input);
        assert_eq!((ran.out.trim_end(), ran.code), (count, 0), "{}", ran.err);
    };
    check("--puzzle queens 8", "", "92");
    check("--puzzle langford 7", "", "52");
    check("--puzzle latin 4", "", "576");
    check("-", "1...............\n", "72");
    check("-", "11..............\n", "0");
}

/// A problem with a bound and colors, and a trace of its six covers.
const PROBLEM: &str =
    "a b 1:2|c d | x y\na b x:red\na x:blue\nb y\nc x:red\nc d y\nc\nd x:blue\nb c y\n";
const TRACE: &str = "\
farandole count trace 1
problem 6 items 8 options
step item 1
step item 2
step option 4
step option 5
step option 6
step item 4
state 1 at 6 | 5:blue | 7>0 | 1
state 2 at 5 | 5:blue | 0>x3 6>1 | 1
state 3 at 5 | 3 5:blue | 0>1 6>1 | 2
state 4 at 5 | 3 4 5:red | 0>0 6>0 | 2
state 5 at 4 | 5:red | 0>x4 5>4 | 2
state 6 at 4 | 3 5:red | 0>x4 5>0 | 1
state 7 at 3 | 5:red | 0>5 4>6 | 3
state 8 at 2 | 5:blue | 3>2 8>3 | 3
state 9 at 1 | | 1>7 2>8 | 6
root 9
";

/// What is changed in the trace, and what is said about it.
const WRONG: &[(&str, &str, &str)] = &[
    ("3>2 8>3 | 3", "3>2 | 1", "16:29: expected option 8, which fits, found `|`"),
    ("3>2 8>3 | 3", "3>2 8>3 | 4", "16:35: expected the sum 3, found `4`"),
    ("1>7 2>8 | 6", "1>8 2>7 | 6", "17:18: state 8 has other items in use"),
    ("1>7 2>8", "1>7 3>0 2>8", "17:22: expected option 2, which fits, found `3>0`"),
    ("0>0 6>0 | 2", "0>0 6>0 6>0 | 3", "12:36: expected `|`, found `6>0`"),
    ("1>7 2>8 | 6", "1>7 2>x4 | 3", "17:22: item 4 can still be covered"),
    ("root 9", "root 8", "18:6: state 8 passes by option 1, which fits"),
    ("root 9", "root 10", "18:6: state 10 is not one from above"),
    ("root 9", "root x1", "18:6: item 1 can still be covered"),
    ("root 9\n", "", "18:1: expected `root`, found the end of the text"),
    ("root 9", "root 9\nroot 9", "19:1: expected the end of the text, found `root`"),
    ("state 2 at 5", "state 1 at 5", "10:7: expected `2`, found `1`"),
    ("state 3 at 5 | 3 5:blue | 0>1 6>1 | 2\n", "", "11:7: expected `3`, found `4`"),
    (
        "state 4 at 5 | 3 4 5:red | 0>0 6>0 | 2\n",
        "state 4 at 5 | 3 4 5:red | 0>0 6>0 | 2\nstate 4 at 5 | 3 4 5:red | 0>0 6>0 | 2\n",
        "13:7: expected `5`, found `4`",
    ),
    ("0>x3 6>1", "0>0 6>1", "10:25: item 3 is left uncovered by then"),
    ("0>x4 5>0 | 1", "0>0 5>0 | 2", "14:26: state 0 passes by option 6, which fits"),
    ("1>7 2>8", "1>9 2>8", "17:18: state 9 is not one from above"),
    ("state 7 at 3 | 5:red", "state 7 at 3 | 5:blue", "15:25: state 5 has other items in use"),
    ("state 7 at 3 | 5:red", "state 7 at 3 |", "15:18: state 5 has other items in use"),
    ("state 7 at 3 | 5:red", "state 7 at 3 | 3 5:red", "15:26: state 5 has other items in use"),
    ("state 8 at 2 |", "state 8 at 1 |", "16:25: expected option 2, which fits, found `3>2`"),
    ("state 8 at 2 |", "state 8 at 7 |", "16:12: expected the number of a step, found `7`"),
    ("step item 4\n", "", "8:1: no step decides 1 of the options"),
    (
        "step item 4",
        "step item 3",
        "8:11: expected an item to be covered once, with options not yet decided, found `3`",
    ),
    (
        "step item 4",
        "step item 4\nstep item 4",
        "9:11: expected an item to be covered once, with options not yet decided, found `4`",
    ),
    ("step option 6", "step option 5", "7:13: expected an option not yet decided, found `5`"),
    (
        "step option 6",
        "step option 7",
        "8:11: expected an item to be covered once, with options not yet decided, found `4`",
    ),
    ("trace 1", "trace 2", "1:23: expected `1`, found `2`"),
    ("problem 6", "problem 5", "2:9: expected `6`, found `5`"),
    ("| 6\n", "| 06\n", "17:28: expected the sum 6, found `06`"),
    ("| 6\n", "| 6 x\n", "17:30: expected the end of the line, found `x`"),
    ("5>4 | 2", "5>x3 | 0", "13:29: item 3 can still be covered"),
];

#[test]
fn each_wrong_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (file, trace) = (path("problem.dlx"), path("trace"));
    std::fs::write(&file, PROBLEM).unwrap();
    let check = |text: &str| {
        std::fs::write(&trace, text).unwrap();
        run(&format!("check --count-trace {} {}", trace.display(), file.display()), "")
    };
    let ran = check(TRACE);
    assert_eq!((ran.out.as_str(), ran.code), ("6\n", 0), "{}", ran.err);
    for (from, to, expected) in WRONG {
        assert_eq!(TRACE.matches(from).count(), 1, "`{from}` stands there once");
        let ran = check(&TRACE.replace(from, to));
        assert_eq!((ran.out.as_str(), ran.code), ("", 1), "{from} -> {to}");
        assert_eq!(ran.err, format!("{}:{expected}\n", trace.display()), "{from} -> {to}");
    }
}

#[test]
fn a_step_that_decides_nothing_is_refused() {
    // A state there could not know whether its item is covered, and would count 0.
    let problem: Problem = "a b\na b\nb\na\n".parse().unwrap();
    let text =
        "farandole count trace 1\nproblem 2 items 3 options\nstep item 1\nstep item 2\nstep item 1\n";
    let expected = "5:11: expected an item to be covered once, with options not yet decided, found `1`";
    assert_eq!(check(&problem, &[], text), Err(expected.to_owned()));
}

#[test]
fn a_state_whose_item_is_covered_is_refused() {
    // It has nothing to choose there, and would count 0.
    let problem: Problem = "a b\na b\nb\na\n".parse().unwrap();
    let text = "farandole count trace 1\nproblem 2 items 3 options\nstep item 1\nstep item 2\n\
                state 1 at 2 | 2 | | 0\nstate 2 at 2 | | 2>0 | 1\nstate 3 at 1 | | 1>1 3>2 | 1\nroot 3\n";
    let expected = "5:12: item 2 of the step is already covered";
    assert_eq!(check(&problem, &[], text), Err(expected.to_owned()));
    let text = text.replace("1>1", "1>0").replace("state 1 at 2 | 2 | | 0\n", "");
    let text =
        text.replace("state 2", "state 1").replace("state 3", "state 2").replace("3>2 | 1", "3>1 | 2");
    assert_eq!(check(&problem, &[], &text.replace("root 3", "root 2")), Ok(2));
}

#[test]
fn given_options_in_conflict_have_no_state() {
    let problem: Problem = "a b\na\na\nb\n".parse().unwrap();
    let given = [0, 1].map(OptionId::new);
    assert_eq!(write(&problem, &given).0, 0);
    let text = "farandole count trace 1\nproblem 2 items 3 options\n";
    assert_eq!(check(&problem, &given, &format!("{text}root x1")), Ok(0));
    let expected = "3:6: expected a dead end, because given options are in conflict";
    assert_eq!(check(&problem, &given, &format!("{text}root 0")), Err(expected.to_owned()));
}

#[test]
fn there_must_be_one_puzzle() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let ran =
        run(&format!("count --trace {} -", trace.display()), "1...............\n1...............\n");
    assert_eq!((ran.err.as_str(), ran.code), ("expected one puzzle, found more\n", 2));
    let ran = run("check --count-trace nowhere --puzzle queens 4", "");
    assert!(ran.err.starts_with("nowhere: cannot read: "), "{}", ran.err);
    assert_eq!(ran.code, 2);
}
