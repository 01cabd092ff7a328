//! Problems written and read through serde.

use dlx::{ItemId, OptionId, Problem};
use fastrand::Rng;

/// Returns the parts of a problem that are serialized, in their order.
fn parts(problem: &Problem) -> Vec<String> {
    let items =
        problem.items().map(|item| format!("{} {:?}", problem.item_name(item), problem.bounds(item)));
    let options =
        problem.options().map(|option| format!("{} |{}", problem.show(option), problem.cost(option)));
    items.chain(options).collect()
}

fn read(text: &str) -> Result<Problem, serde_json::Error> {
    serde_json::from_str(text)
}

#[test]
fn problems_are_equal_after_writing_and_reading() {
    let mut random = Rng::with_seed(11);
    for _ in 0..200 {
        let mut text = "s0 2|p1 | p0 s1 q\n".replace("s0", if random.bool() { "a" } else { "0:3|a" });
        for _ in 0..random.usize(1..20) {
            let colors = [":r", ":g", ""];
            text += &format!("p1 a q{}", colors[random.usize(..3)]);
            text += if random.bool() { " s1 " } else { " p0 " };
            text += &format!("|{}\n", random.usize(..4));
        }
        let problem: Problem = text.parse().expect("a valid problem");
        let written = serde_json::to_string(&problem).expect("a problem can be written");
        let again = read(&written).expect("it can be read");
        assert_eq!(parts(&again), parts(&problem), "{written}");
        assert_eq!(dlx::count(&again), dlx::count(&problem));
    }
    let ids = (ItemId::new(3), OptionId::new(5));
    assert_eq!(serde_json::to_string(&ids).expect("numbers"), "[3,5]");
}

#[test]
fn invalid_records_are_refused() {
    let item = r#"{"name":"a","bounds":[1,1]}"#;
    for (text, message) in [
        (format!(r#"{{"items":[{item},{item}],"options":[]}}"#), "`a`"),
        (format!(r#"{{"items":[{item}],"options":[[[1,null]]]}}"#), "item"),
        (format!(r#"{{"items":[{item}],"options":[[[0,null],[0,null]]]}}"#), "twice"),
        (format!(r#"{{"items":[{item}],"options":[[]]}}"#), "no "),
        (format!(r#"{{"items":[{item}],"options":[[[0,0]]]}}"#), "color 0 is not listed"),
        (
            format!(r#"{{"items":[{item}],"options":[[[0,null]]],"costs":[1,2]}}"#),
            "expected 1 costs, found 2",
        ),
        (format!(r#"{{"items":[{item}],"options":[],"extra":1}}"#), "unknown field"),
        (r#"{"items":[{"name":"a","bounds":[2,1]}],"options":[]}"#.to_owned(), "above"),
    ] {
        let error = read(&text).expect_err("it is invalid").to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}
