//! The table of the protocol agrees with the program, its schema, its page of documentation and the
//! table for JavaScript. `FARANDOLE_WRITE=1 cargo test --test it protocol::` rewrites the last
//! three.

use std::collections::BTreeSet;
use std::path::Path;

use protocol::{
    End, Event, OptionKind, QUESTIONS, Question, REFUSED, REFUSED_COMMANDS, Request, schema, table,
};
use serde_json::{Value, json};

use crate::command::run;
use crate::json::fault;

/// Returns the names of the long options in a help text.
fn options_in(help: &str) -> BTreeSet<String> {
    let lines = help.lines().filter_map(|line| {
        let text = line.trim_start();
        // Descriptions are indented by more columns.
        let is_option = line.len() - text.len() <= 6 && text.starts_with('-');
        text.split("--").nth(1).filter(|_| is_option)
    });
    let is_of_name = |c: char| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit();
    lines
        .map(|name| name.chars().take_while(|c| is_of_name(*c)).collect::<String>())
        .map(|name| name.trim_end_matches('-').to_owned())
        .collect()
}

/// Returns the names of the commands of the program.
fn commands() -> Vec<String> {
    let help = run("--help", "").out;
    let (_, list) = help.split_once("Commands:\n").expect("commands");
    let list = list.split("\n\n").next().expect("commands");
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn each_command_of_the_program_is_a_question_or_refused() {
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    let is_question = |name: &str| QUESTIONS.iter().any(|question| question.name == name);
    let is_refused = |name: &str| REFUSED_COMMANDS.iter().any(|(refused, _)| *refused == name);
    for command in &commands {
        assert!(is_question(command) != is_refused(command), "{command}");
    }
    let named = QUESTIONS.iter().map(|question| question.name);
    for name in named.chain(REFUSED_COMMANDS.iter().map(|(name, _)| *name)) {
        assert!(commands.iter().any(|command| command == name), "the program has no command `{name}`");
    }
}

#[test]
fn each_option_of_the_program_is_allowed_or_refused_with_a_reason() {
    let mut used = BTreeSet::new();
    for question in QUESTIONS {
        let name = question.name;
        let offered = options_in(&run(&format!("{name} --help"), "").out);
        assert!(offered.contains("help"), "{name}: {offered:?}");
        for option in question.options() {
            assert!(offered.contains(option.name), "`{name}` has no option `{}`", option.name);
        }
        for option in offered {
            let refused = REFUSED.iter().position(|(refused, questions, _)| {
                *refused == option && (questions.is_empty() || questions.contains(&name))
            });
            used.extend(refused);
            let is_allowed = question.option(&option).is_some();
            assert!(
                is_allowed != refused.is_some(),
                "`{name} --{option}` must be in QUESTIONS or in REFUSED of crates/protocol/src/table.rs"
            );
        }
    }
    assert_eq!(used.len(), REFUSED.len(), "REFUSED has a row without an option: {used:?}");
}

/// Returns a valid value of an option, as it occurs in a request.
fn example(option: &str, kind: OptionKind) -> Value {
    match (option, kind) {
        ("from", _) => "line".into(),
        ("puzzle", _) => "sudoku".into(),
        ("rules", _) => json!(["diagonals", "anti-king"]),
        ("boxes", _) => "3x3".into(),
        ("engine", OptionKind::Names) => json!(["links", "cells"]),
        ("engine", _) => "links".into(),
        ("to", _) => "sdk".into(),
        ("isa", _) => "plain".into(),
        ("theme", _) => "dark".into(),
        ("technique", _) => "XY-wing".into(),
        ("symmetry", _) => "half-turn".into(),
        ("clues", _) => "22..24".into(),
        ("rating", _) => "3.0..4.5".into(),
        ("cage-size", _) => "2..5".into(),
        ("range", _) => "2..3".into(),
        ("precision", _) => "5%".into(),
        ("part", _) => "1/2".into(),
        (
            _,
            OptionKind::Seconds { .. } | OptionKind::Number | OptionKind::Bytes | OptionKind::Threads,
        ) => 1.into(),
        (_, OptionKind::Text | OptionKind::Names) => "text".into(),
        _ => true.into(),
    }
}

#[test]
fn the_program_parses_each_allowed_option_alone() {
    for question in QUESTIONS {
        for option in question.options() {
            let mut request = json!({"question": question.name, "options": {}});
            request["options"][option.name] = example(option.name, option.kind);
            if let Some((needed, value)) = match (question.name, option.name) {
                ("generate", "cage-size") => Some(("killer", json!(true))),
                ("generate", "not-minimal") => Some(("clues", json!("24"))),
                _ => None,
            } {
                request["options"][needed] = value;
            }
            if question.name == "unrank" {
                request["arguments"] = json!(["0"]);
            }
            let text = request.to_string();
            let request = Request::parse(text.as_bytes()).expect("a request");
            let arguments = request.arguments(&Default::default()).expect("arguments");
            let root = schema();
            let fault =
                fault(&serde_json::from_str(&text).expect("JSON"), &root["$defs"]["request"], &root);
            assert_eq!(fault, None, "{text}");
            // With `--help` after them, the arguments are parsed and nothing runs.
            let line = arguments.iter().take_while(|word| *word != "--").cloned().collect::<Vec<_>>();
            let ran = run(&format!("{} --help", line.join(" ")), "");
            assert_eq!(ran.code, 0, "{line:?}: {}", ran.err);
        }
    }
}

#[test]
fn the_schema_accepts_events_and_rejects_other_objects() {
    let root = schema();
    let is_valid = |value: &Value| fault(value, &root["$defs"]["event"], &root).is_none();
    for event in [
        Event::Line(json!({"count": "1"})),
        Event::Text("a".into()),
        Event::Note("b".into()),
        Event::Progress(json!({"fraction": 0.5})),
        Event::End(End { code: 0, seconds: 0.5 }),
    ] {
        assert!(is_valid(&serde_json::to_value(&event).expect("JSON")), "{event:?}");
    }
    for value in [
        json!({}),
        json!({"line": "a"}),
        json!({"text": "a", "note": "b"}),
        json!({"end": {"code": 0}}),
    ] {
        assert!(!is_valid(&value), "{value}");
    }
    for request in [
        json!({}),
        json!({"question": "x"}),
        json!({"question": "solve", "options": {"journal": "x"}}),
        json!({"question": "solve", "options": {"limit": true}}),
        json!({"question": "solve", "file": "x"}),
    ] {
        assert!(fault(&request, &root["$defs"]["request"], &root).is_some(), "{request}");
        let parsed = Request::parse(request.to_string().as_bytes());
        assert!(
            parsed.and_then(|request| request.arguments(&Default::default())).is_err(),
            "{request}"
        );
    }
}

/// Compares a file with its expected text, or writes it.
fn compare(path: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("FARANDOLE_WRITE").is_some() {
        std::fs::write(&path, expected).expect("written");
    }
    let written = std::fs::read_to_string(&path).expect("a file").replace("\r\n", "\n");
    assert!(
        written == expected,
        "{} differs from the table; FARANDOLE_WRITE=1 cargo test --test it protocol:: rewrites it",
        path.display()
    );
}

#[test]
fn the_schema_and_the_table_for_javascript_agree_with_the_table() {
    compare("docs/protocol.schema.json", &format!("{:#}\n", schema()));
    compare("web/package/questions.json", &format!("{:#}\n", table()));
}

/// Returns the row of a question in docs/PROTOCOL.md.
fn row(question: &Question) -> String {
    let options: Vec<String> = question.options().map(|option| format!("`{}`", option.name)).collect();
    let options = if options.is_empty() { "none".to_owned() } else { options.join(", ") };
    let (name, output, arguments) = (question.name, question.output.name(), question.arguments.name());
    format!("| `{name}` | {output} | {arguments} | {options} |\n")
}

#[test]
fn the_documentation_agrees_with_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/PROTOCOL.md");
    let page = std::fs::read_to_string(path).expect("a page").replace("\r\n", "\n");
    let begin = "| question | answer | arguments | options |\n|---|---|---|---|\n";
    let (head, rest) = page.split_once(begin).expect("the table of questions");
    let (_, tail) = rest.split_once("\n\n").expect("the end of the table");
    let rows: String = QUESTIONS.iter().map(row).collect();
    compare("docs/PROTOCOL.md", &format!("{head}{begin}{rows}\n{tail}"));
    for kind in QUESTIONS.iter().flat_map(Question::options).map(|option| option.kind) {
        assert!(
            page.contains(&format!("\n| {} | ", kind.name())),
            "the kind {} is missing",
            kind.name()
        );
    }
    let arguments = QUESTIONS.iter().map(|question| question.arguments);
    for arguments in arguments {
        let row = format!("\n- {}: {}", arguments.name(), arguments.meaning());
        assert!(page.replace("\n  ", " ").contains(&row), "{row}");
    }
}
