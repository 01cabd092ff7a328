//! Proofs of counts: valid proofs of random problems are accepted, and errors in them are detected.

use dlx::engine::Naive;
use dlx::proofs::trace;
use dlx::trust::check;
use dlx::{Engine, Limit, Limits, OptionId, Problem};
use fastrand::Rng;

use crate::random::{self, ALL_FEATURES};

const BYTES: usize = 1 << 24;

fn write(problem: &Problem, given: &[OptionId]) -> (u64, String) {
    let mut text = String::new();
    let count = trace::write(problem, given, &Limits::default(), BYTES, &mut |line| text += line);
    (count.expect("it is small").try_into().expect("it is small"), text)
}

fn check(problem: &Problem, given: &[OptionId], text: &str) -> Result<u64, String> {
    let count = check::check(problem, given, text).map_err(|error| error.to_string())?;
    Ok(count.try_into().expect("it is small"))
}

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

/// Corrects wrong sums, which the checker would report first.
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
fn traces_of_random_problems_prove_exactly_the_count_of_the_oracle() {
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
fn writing_a_count_trace_respects_the_memory_and_time_limits() {
    let problem: Problem = "a b c d\na b\nc d\na c\nb d\n".parse().unwrap();
    let sink = &mut |_: &str| panic!("nothing is written");
    let limits = Limits::default();
    assert_eq!(trace::write(&problem, &[], &limits, 10, sink), Err(Limit::Memory));
}

#[test]
fn a_proof_step_that_decides_no_option_is_refused() {
    // A state at that step would not store whether its item is covered, and would count 0.
    let problem: Problem = "a b\na b\nb\na\n".parse().unwrap();
    let text =
        "farandole count trace 1\nproblem 2 items 3 options\nstep item 1\nstep item 2\nstep item 1\n";
    let expected = "5:11: expected an item to be covered once, with options not yet decided, found `1`";
    assert_eq!(check(&problem, &[], text), Err(expected.to_owned()));
}

#[test]
fn a_proof_state_whose_item_is_already_covered_is_refused() {
    // The state has no option to choose for the covered item, and would count 0.
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
fn the_proof_for_conflicting_given_options_has_no_state() {
    let problem: Problem = "a b\na\na\nb\n".parse().unwrap();
    let given = [0, 1].map(OptionId::new);
    assert_eq!(write(&problem, &given).0, 0);
    let text = "farandole count trace 1\nproblem 2 items 3 options\n";
    assert_eq!(check(&problem, &given, &format!("{text}root x1")), Ok(0));
    let expected = "3:6: expected a dead end, because given options are in conflict";
    assert_eq!(check(&problem, &given, &format!("{text}root 0")), Err(expected.to_owned()));
}
