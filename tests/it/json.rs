//! The JSON reference `docs/JSON.md` and its schema `docs/schema.json` agree with the output of the
//! commands.
//!
//! Every output line has exactly the keys of its table, in this order, and is valid under the
//! schema. The schema is generated from the tables. `FARANDOLE_WRITE=1 cargo test --test it json::`
//! rewrites the schema.

use serde_json::{Map, Value, json};

use crate::command::run;

const PAGE: &str = include_str!("../../docs/JSON.md");
const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema.json");
const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// A row in a table of the reference.
struct Key {
    name: &'static str,
    /// Whether the key may be absent.
    is_optional: bool,
    kind: &'static str,
    meaning: &'static str,
}

/// Returns the title and the text of each section of the reference.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGE.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'))
}

fn keys(section: &str) -> Vec<Key> {
    let (_, text) = sections().find(|(title, _)| *title == section).expect("a section");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let (key, rest) = row.split_once("` | ").expect("a key");
        let (kind, meaning) = rest.split_once(" | ").expect("a type");
        let name = key.trim_end_matches('?');
        Key { name, is_optional: name != key, kind, meaning: meaning.trim_end_matches(" |") }
    })
    .collect()
}

/// Returns the schema for a type named in a table, in the singular or plural.
fn schema_of_type(kind: &str) -> Value {
    let any =
        |first: &str, second: &str| json!({"anyOf": [schema_of_type(first), schema_of_type(second)]});
    if let Some(first) = kind.strip_suffix(" or null") {
        return any(first, "null");
    }
    for list in ["list of ", "lists of "] {
        if let Some(items) = kind.strip_prefix(list) {
            return json!({"type": "array", "items": schema_of_type(items)});
        }
    }
    if let Some((first, second)) = kind.split_once(" or ") {
        return any(first, second);
    }
    for pair in ["pair of ", "pairs of "] {
        if let Some(items) = kind.strip_prefix(pair) {
            return json!({"type": "array", "items": schema_of_type(items), "minItems": 2, "maxItems": 2});
        }
    }
    match kind {
        "digits" => json!({"type": "string", "pattern": "^[0-9]+$"}),
        kind => json!({"type": kind.trim_end_matches('s')}),
    }
}

fn schema() -> Value {
    let name = |title: &str| title.replace(" --", "-");
    let mut definitions = Map::new();
    for (title, text) in sections() {
        let keys = keys(title);
        let properties: Map<String, Value> = keys
            .iter()
            .map(|key| {
                let mut schema = schema_of_type(key.kind);
                schema["description"] = Value::from(key.meaning);
                (key.name.to_owned(), schema)
            })
            .collect();
        let required: Vec<&str> =
            keys.iter().filter(|key| !key.is_optional).map(|key| key.name).collect();
        let object = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        let schema = match title {
            "error" | "compare" | "trace" => object,
            _ => json!({"anyOf": [object, {"$ref": "#/$defs/error"}]}),
        };
        definitions.insert(name(title), schema);
        if let Some((_, rest)) = text.split_once("The same for `") {
            let other = rest.split('`').next().unwrap_or_default();
            definitions.insert(name(other), json!({"$ref": format!("#/$defs/{}", name(title))}));
        }
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What Farandole prints with --json: a definition for the lines of each command",
        "$defs": definitions,
    })
}

/// Returns the reason why a value is invalid under a schema. Supports only the keywords that
/// [`schema`] and the schema of the protocol use.
pub(crate) fn fault(value: &Value, schema: &Value, root: &Value) -> Option<String> {
    let array = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for (keyword, wanted) in schema.as_object().expect("a schema") {
        let is_valid = match keyword.as_str() {
            "description" => true,
            "type" => match wanted.as_str().expect("a type") {
                "null" => value.is_null(),
                "number" => value.is_number(),
                "integer" => value.is_u64(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "array" => value.is_array(),
                "object" => value.is_object(),
                other => panic!("`{other}` is no type of JSON Schema"),
            },
            "pattern" => {
                assert_eq!(wanted, "^[0-9]+$", "no other pattern is known here");
                let text = value.as_str().unwrap_or_default();
                !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
            }
            "items" => {
                if let Some(fault) = array(value).iter().find_map(|item| fault(item, wanted, root)) {
                    return Some(fault);
                }
                true
            }
            "const" => value == wanted,
            "minItems" => array(value).len() as u64 >= wanted.as_u64().expect("a number"),
            "maxItems" => array(value).len() as u64 <= wanted.as_u64().expect("a number"),
            "anyOf" => array(wanted).iter().any(|schema| fault(value, schema, root).is_none()),
            "$ref" => {
                let pointer = wanted.as_str().expect("a reference").trim_start_matches('#');
                return fault(value, root.pointer(pointer).expect("a definition"), root);
            }
            "properties" => {
                let keys = value.as_object().into_iter().flatten();
                let mut known = keys.filter_map(|(key, value)| Some((value, wanted.get(key)?)));
                if let Some(fault) = known.find_map(|(value, schema)| fault(value, schema, root)) {
                    return Some(fault);
                }
                true
            }
            "required" => {
                array(wanted).iter().all(|key| value.get(key.as_str().unwrap_or_default()).is_some())
            }
            "additionalProperties" => {
                assert_eq!(wanted, false);
                let mut keys = value.as_object().into_iter().flatten();
                keys.all(|(key, _)| schema["properties"].get(key).is_some())
            }
            other => panic!("the keyword `{other}` is not known here"),
        };
        if !is_valid {
            return Some(format!("{value} is not valid by `{keyword}`: {wanted}"));
        }
    }
    None
}

/// Checks each output line of a command against the table and the schema in a section.
fn check(section: &str, args: &str, input: &str) {
    let ran = run(args, input);
    assert!(!ran.out.is_empty(), "{args}: {ran:?}");
    let root = schema();
    let definition = &root["$defs"][section.replace(" --", "-")];
    assert!(definition.is_object(), "{section}");
    for line in ran.out.lines() {
        let object: Map<String, Value> =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{args}: {error}: {line}"));
        // Only an error has a string as the value of `error`. In an estimate it is a number.
        let is_error = object.get("error").is_some_and(Value::is_string);
        let keys = keys(if is_error { "error" } else { section });
        let mut found: Vec<&str> = object.keys().map(String::as_str).collect();
        let mut listed: Vec<&str> = keys
            .iter()
            .filter(|key| !key.is_optional || object.contains_key(key.name))
            .map(|key| key.name)
            .collect();
        if section == "trace" {
            listed.sort_unstable();
            found.sort_unstable();
        }
        assert_eq!(found, listed, "{args}: {line}");
        let fault = fault(&Value::Object(object), definition, &root);
        assert_eq!(fault, None, "{args}: {line}");
    }
}

#[test]
fn every_command_prints_the_keys_of_its_table() {
    let open = HARD.replacen('8', ".", 1);
    let costs = "a b c\na b |1\nc |2\na |3\nb c |4\n";
    let bad = format!("{HARD}\n{}\n{HARD}\n", HARD.replacen('8', "?!", 1));
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("6.journal");
    let journal = format!("count --json --journal {} --puzzle queens 6", journal.display());
    let proof = folder.path().join("proof");
    let proof = proof.display();
    let list = folder.path().join("list.journal");
    let list = format!("list --json --journal {} --puzzle queens 6", list.display());
    let shards = run("split --shards 5 --puzzle queens 6", "").out;
    let counts = run("work", &shards).out;
    let two = format!("{HARD}\n{HARD}\n");
    let count_proof = format!("count --json --proof {proof}.cpog --puzzle queens 6");
    run(&count_proof, "");
    let verify = format!("verify-proof --json {proof}.cpog --puzzle queens 6");
    for (section, args, input) in [
        ("solve", "solve --json", HARD),
        ("solve", "solve --json", &bad),
        ("solve", "list --json --limit 3", &open),
        ("solve", "solve --json --cheapest 1", costs),
        ("solve", "solve --json --cheapest 3", costs),
        ("count", "count --json", HARD),
        ("count", "count --json", &bad),
        ("count", "count --json --puzzle queens 8 x", ""),
        ("count", "count --json --puzzle latin 7", ""),
        ("count --per-option", "count --json --per-option", HARD),
        ("count --per-option", "count --json --per-option --puzzle queens 5", ""),
        ("count --per-option", "count --json --per-option --memory 1 --puzzle queens 8", ""),
        ("count --histogram", "count --json --histogram", costs),
        ("sample", "sample --json -n 3 --puzzle queens 6", ""),
        ("sample", "sample --json -n 3 --puzzle sudoku", &bad),
        ("sample", "sample --json --memory 1 --puzzle queens 8", ""),
        ("sample", "unrank 0,1 --json --puzzle queens 6", ""),
        ("sample", "unrank 99 --json --puzzle queens 6", ""),
        ("sample", "sample --json -n 2 --puzzle sudoku 3x3", ""),
        ("generate", "generate --json --seed 1", ""),
        ("generate", "generate --json --controlled-bias --seed 1", ""),
        ("generate", "generate --json --rating 1.0..13.0 --seed 1", ""),
        ("generate", "generate --json --seed 1 sudoku 2x2", ""),
        ("generate", "generate --json --pieces 4 --seed 1 polyomino", ""),
        ("generate", "generate --json --killer --rating 1.0..13.0 --seed 1 sudoku 2x2", ""),
        ("generate", "generate --json -", "1...............\n"),
        (
            "rank",
            "rank --json --solution puzzles/sudoku/difficulty-10.7.txt puzzles/sudoku/difficulty-10.7.txt",
            "",
        ),
        ("estimate", "estimate --json --time 2 --puzzle queens 6", ""),
        ("estimate", "estimate --json --time 2 --puzzle queens 12", ""),
        ("check", "check --json", HARD),
        ("check", "check --json --quick", HARD),
        ("check", "check --json", &bad),
        ("check", "check --json", &open),
        ("check", "check --json --puzzle queens 6", ""),
        ("check --candidates", "check --candidates --json", &open),
        ("check --candidates", "check --candidates --json --limit 3", &bad),
        ("check --candidates", "check --candidates --json --nodes 0 --puzzle queens 6", ""),
        ("check", "check --json --why", HARD),
        ("check", "check --json --why --puzzle queens 6", ""),
        ("check", "check --json --why", "123....4........\n"),
        ("check --same", "check --same --json", &two),
        (
            "check --solution",
            "check --json --solution puzzles/sudoku/difficulty-10.7.txt puzzles/sudoku/difficulty-10.7.txt",
            "",
        ),
        ("explain", "explain --json", HARD),
        ("explain", "explain --json", &bad),
        ("explain", "explain --json --puzzle queens 6", ""),
        ("hint", "hint --json", HARD),
        ("hint", "hint --json --puzzle queens 1 3", ""),
        ("rate", "rate --json", HARD),
        ("rate", "rate --json", &bad),
        ("rate", "rate --json --puzzle queens 1 3", ""),
        ("count --trace", "count --json --trace /dev/null --puzzle queens 6", ""),
        ("verify-proof", &verify, ""),
        ("count --proof", &count_proof, ""),
        ("count --journal", &journal, ""),
        ("count --proof", &format!("count --json --proof {proof}.lrat --puzzle queens 6"), ""),
        ("solve", &format!("list --json --proof {proof}.pbp --puzzle queens 6"), ""),
        ("solve", &format!("solve --json --cheapest --proof {proof}.pbp"), "a b\na |1\nb |2\na b |4\n"),
        ("check", &format!("check --json --proof {proof}.lrat"), HARD),
        ("solve", &list, ""),
        ("split", "split --shards 5 --puzzle queens 5", ""),
        ("split", "split --shards 5 --puzzle latin 3", ""),
        ("split", "work", &shards),
        ("split", "work --time 0", &shards),
        ("merge", "merge --json", &counts),
        ("compare", "compare --json -q --time 0.2 --engine links,lanes,frontier,matching", HARD),
        ("trace", "trace", HARD),
        ("trace", "trace", "0:2|a b | x\na x:1\na b x:1\nb\n"),
        ("trace", "trace --events 5", HARD),
    ] {
        check(section, args, input);
    }
}

#[test]
fn every_step_of_an_explanation_has_the_keys_of_its_table() {
    let keys = keys("step");
    let mut seen = std::collections::BTreeSet::new();
    let marks = "a b c d\na c\na c d\nb c\nb\nd\n";
    let variant = "# thermo: r1c1 r1c2 r1c3\n1...\n....\n....\n...2\n";
    // As an exact cover, the grid has no named techniques.
    let cover = run("convert --to dlx", HARD).out;
    for input in [HARD, marks, variant, &cover] {
        let args = "explain --json";
        let object: Value = serde_json::from_str(&run(args, input).out).expect("JSON");
        for step in object["steps"].as_array().expect("steps") {
            let found: Vec<&str> =
                step.as_object().expect("a step").keys().map(String::as_str).collect();
            let listed: Vec<&str> =
                keys.iter().map(|key| key.name).filter(|key| found.contains(key)).collect();
            assert_eq!(found, listed);
            assert!(keys.iter().all(|key| key.is_optional || found.contains(&key.name)), "{step}");
            seen.extend(found.into_iter().map(str::to_owned));
        }
    }
    assert_eq!(seen.len(), keys.len(), "{seen:?}");
}

#[test]
fn the_schema_agrees_with_the_tables() {
    let text = format!("{:#}\n", schema());
    if std::env::var_os("FARANDOLE_WRITE").is_some() {
        std::fs::write(SCHEMA, &text).expect("written");
    }
    let written = std::fs::read_to_string(SCHEMA).expect("the schema");
    assert!(written == text, "docs/schema.json differs from the tables of docs/JSON.md");
}

#[test]
fn the_schema_rejects_output_that_differs_from_the_tables() {
    let root = schema();
    let count = &root["$defs"]["count"];
    let valid = json!({
        "puzzle": 1, "kind": "queens", "engine": "links", "count": "92", "complete": true, "nodes": 1, "updates": 1,
        "seconds": 0.5,
    });
    assert_eq!(fault(&valid, count, &root), None);
    assert_eq!(fault(&json!({"puzzle": 1, "error": "x"}), count, &root), None);
    for (key, value) in [
        ("count", json!(92)),
        ("count", json!("9+")),
        ("complete", json!("yes")),
        ("nodes", json!(1.5)),
        ("kind", Value::Null),
        ("new", json!(1)),
    ] {
        let mut other = valid.clone();
        other[key] = value;
        assert!(fault(&other, count, &root).is_some(), "{other}");
    }
    let mut other = valid;
    other.as_object_mut().expect("an object").remove("count");
    assert!(fault(&other, count, &root).is_some(), "{other}");
    let pairs = schema_of_type("list of pairs of integers or null");
    assert_eq!(fault(&json!([[1, 2], [3, 4]]), &pairs, &root), None);
    assert_eq!(fault(&Value::Null, &pairs, &root), None);
    assert!(fault(&json!([[1, 2, 3]]), &pairs, &root).is_some());
}
