//! Tests of requests and their command lines.

use serde_json::{Value, json};

use crate::{Bounds, End, Event, Output, QUESTIONS, Request};

fn arguments(request: &Value, bounds: &Bounds) -> Result<String, String> {
    let request = Request::parse(request.to_string().as_bytes()).map_err(|error| error.to_string())?;
    request.arguments(bounds).map(|words| words.join(" ")).map_err(|error| error.to_string())
}

fn check(request: &Value, expected: &str) {
    assert_eq!(arguments(request, &Bounds::default()).as_deref(), Ok(expected));
}

#[test]
fn a_request_becomes_a_command_line() {
    check(&json!({"question": "solve"}), "solve --json");
    check(
        &json!({"question": "count", "options": {"per-option": true, "limit": 100}}),
        "count --json --limit=100 --per-option",
    );
    check(
        &json!({"question": "count", "options": {"puzzle": "queens", "stats": false}, "arguments": ["8", "9"]}),
        "count --json --puzzle=queens -- 8 9",
    );
    check(
        &json!({"question": "count", "options": {"up-to-symmetry": true}}),
        "count --json --up-to-symmetry",
    );
    check(
        &json!({"question": "count", "options": {"up-to-symmetry": "rotations"}}),
        "count --json --up-to-symmetry=rotations",
    );
    check(&json!({"question": "solve", "options": {"json": false}}), "solve");
    check(
        &json!({"question": "solve", "options": {"svg": true, "theme": "dark"}}),
        "solve --svg=- --theme=dark",
    );
    check(&json!({"question": "draw", "options": {"svg": false}}), "draw");
    check(&json!({"question": "trace", "options": {"events": "12"}}), "trace --events=12");
    check(
        &json!({"question": "compare", "options": {"engine": ["links", "cells"], "time": 0.5}}),
        "compare --json --engine=links,cells --time=0.5",
    );
    check(&json!({"question": "compare", "options": {"lesson": true}}), "compare --lesson");
    check(&json!({"question": "unrank", "arguments": ["0,5"]}), "unrank --json -- 0,5");
    check(
        &json!({"question": "generate", "arguments": ["sudoku", "2x2"]}),
        "generate --json -- sudoku 2x2",
    );
    check(&json!({"question": "generate", "input": "1...............\n"}), "generate --json -- -");
    check(&json!({"question": "generate"}), "generate --json");
    check(&json!({"question": "rank", "options": {"solution": true}}), "rank --json --solution=-");
}

#[test]
fn an_invalid_request_is_refused_with_the_expected_part() {
    let long = "x".repeat(5000);
    for (request, expected) in [
        (json!({"question": "cuont"}), "expected a question (solve, list, count, "),
        (json!({"question": "watch"}), "expected a question (solve, "),
        (
            json!({"question": "solve", "options": {"journal": "x"}}),
            "the option `journal` is refused, because it names a file",
        ),
        (
            json!({"question": "count", "options": {"speed": 1}}),
            "expected an option of `count` (json, limit, ",
        ),
        (json!({"question": "count", "options": {"limit\u{0}": 1}}), "expected an option of `count` ("),
        (
            json!({"question": "count", "options": {"limit": -1}}),
            "option `limit`: expected a whole number from 0, found `-1`",
        ),
        (
            json!({"question": "count", "options": {"limit": 1.5}}),
            "option `limit`: expected a whole number",
        ),
        (
            json!({"question": "count", "options": {"limit": ""}}),
            "option `limit`: expected a whole number",
        ),
        (
            json!({"question": "count", "options": {"limit": [1]}}),
            "option `limit`: expected a whole number from 0, found a list",
        ),
        (
            json!({"question": "count", "options": {"check": "yes"}}),
            "option `check`: expected true or false, found `yes`",
        ),
        (
            json!({"question": "count", "options": {"time": -1}}),
            "option `time`: expected a number of seconds from 0",
        ),
        (json!({"question": "count", "options": {"time": "NaN"}}), "option `time`: "),
        (json!({"question": "count", "options": {"time": "inf"}}), "option `time`: "),
        (json!({"question": "count", "options": {"threads": 0}}), "option `threads`: "),
        (
            json!({"question": "count", "options": {"memory": "1G"}}),
            "option `memory`: expected a whole number of bytes",
        ),
        (
            json!({"question": "count", "options": {"puzzle": "--journal"}}),
            "option `puzzle`: expected a value that does not start with `-`",
        ),
        (
            json!({"question": "count", "options": {"puzzle": "a\u{0}b"}}),
            "option `puzzle`: expected a text without control characters, found `a\\u{0}b`",
        ),
        (
            json!({"question": "count", "options": {"puzzle": ""}}),
            "option `puzzle`: expected a text that is not empty",
        ),
        (
            json!({"question": "count", "options": {"puzzle": long}}),
            "option `puzzle`: expected at most 1000 bytes, found `xxx",
        ),
        (
            json!({"question": "solve", "options": {"svg": "/tmp/x"}}),
            "option `svg`: expected true or false, found `/tmp/x`",
        ),
        (json!({"question": "count", "arguments": ["8"]}), "expected the option `puzzle`"),
        (
            json!({"question": "merge", "arguments": ["8"]}),
            "`merge`: expected no arguments, found 1 arguments",
        ),
        (
            json!({"question": "puzzles", "arguments": ["/etc/passwd"]}),
            "expected an argument of letters",
        ),
        (json!({"question": "unrank"}), "`unrank`: expected indices"),
        (json!({"question": "unrank", "arguments": ["-1"]}), "expected indices of solutions"),
        (json!({"question": "count", "more": 1}), "expected a request as JSON: unknown field `more`"),
        (json!(["count"]), "expected a request as JSON: "),
    ] {
        let shown = request.to_string();
        let error = arguments(&request, &Bounds::default()).expect_err(&shown);
        assert!(error.starts_with(expected), "{shown}: {error}");
        assert!(error.len() < 1500, "{error}");
    }
}

#[test]
fn an_argument_is_no_path() {
    for argument in [
        "",
        "/etc/passwd",
        "../x",
        ".",
        "..",
        ".x",
        "a/b",
        "a\\b",
        "-",
        "--journal=x",
        "a b",
        "a\u{0}",
        "é",
    ] {
        let request =
            json!({"question": "count", "options": {"puzzle": "queens"}, "arguments": [argument]});
        assert!(arguments(&request, &Bounds::default()).is_err(), "{argument}");
        let request = json!({"question": "generate", "arguments": [argument]});
        assert!(arguments(&request, &Bounds::default()).is_err(), "{argument}");
    }
    let many = vec!["8"; 65];
    let request = json!({"question": "count", "options": {"puzzle": "queens"}, "arguments": many});
    let error = arguments(&request, &Bounds::default()).expect_err("too many");
    assert_eq!(error, "expected at most 64 arguments, found 65");
}

#[test]
fn bounds_cap_the_limits_of_a_request() {
    let bounds = Bounds { seconds: Some(5.0), bytes: Some(1000), threads: Some(2) };
    for (request, expected) in [
        (json!({"question": "count"}), "count --json --time=5 --threads=2 --memory=1000"),
        (
            json!({"question": "count", "options": {"time": 9, "threads": 7, "memory": 5000}}),
            "count --json --time=5 --threads=2 --memory=1000",
        ),
        (
            json!({"question": "count", "options": {"time": 0.25, "threads": 1, "memory": 50}}),
            "count --json --time=0.25 --threads=1 --memory=50",
        ),
        (json!({"question": "trace"}), "trace --time=5"),
        (json!({"question": "merge"}), "merge --json"),
    ] {
        assert_eq!(arguments(&request, &bounds).as_deref(), Ok(expected));
    }
    let long = Bounds { seconds: Some(60.0), ..Bounds::default() };
    assert_eq!(arguments(&json!({"question": "trace"}), &long).as_deref(), Ok("trace"));
}

#[test]
fn a_long_input_is_refused() {
    let request = Request {
        question: "count".into(),
        input: "1".repeat(crate::INPUT_MAX + 1),
        ..Request::default()
    };
    let error = request.arguments(&Bounds::default()).expect_err("too long").to_string();
    assert_eq!(error, "expected an input of at most 8388608 bytes, found 8388609");
    assert!(Request::parse(&vec![b' '; crate::REQUEST_MAX + 1]).is_err());
    assert!(Request::parse("[".repeat(1 << 20).as_bytes()).is_err());
}

#[test]
fn an_answer_is_lines_or_text() {
    for (request, expected) in [
        (json!({"question": "count"}), Output::Lines),
        (json!({"question": "count", "options": {"json": false}}), Output::Text),
        (json!({"question": "trace"}), Output::Lines),
        (json!({"question": "draw"}), Output::Text),
        (json!({"question": "solve", "options": {"svg": true}}), Output::Text),
        (json!({"question": "compare", "options": {"lesson": true}}), Output::Text),
    ] {
        let request = Request::parse(request.to_string().as_bytes()).expect("a request");
        assert_eq!(request.output(), Ok(expected));
    }
}

#[test]
fn an_event_is_an_object_with_one_key() {
    for (event, expected) in [
        (Event::Line(json!({"count": "1"})), r#"{"line":{"count":"1"}}"#),
        (Event::Text("a\n".into()), r#"{"text":"a\n"}"#),
        (Event::Note("x".into()), r#"{"note":"x"}"#),
        (Event::Progress(json!({"done": 0.5})), r#"{"progress":{"done":0.5}}"#),
        (Event::End(End { code: 0, seconds: 0.25 }), r#"{"end":{"code":0,"seconds":0.25}}"#),
    ] {
        assert_eq!(serde_json::to_string(&event).expect("JSON"), expected);
        assert_eq!(serde_json::from_str::<Event>(expected).expect("an event"), event);
    }
}

#[test]
fn no_question_lists_an_option_twice() {
    for question in QUESTIONS {
        let mut names: Vec<&str> = question.options().map(|option| option.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{}", question.name);
    }
}
